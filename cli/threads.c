/* threads.c: parallel loops over C11 threads, POSIX threads or Windows threads. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "threads.h"

#include "print.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* The thread sanitizer knows POSIX's threads, but not C11's. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREADS_SANITIZED 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define THREADS_SANITIZED 1
#endif

#if defined(_WIN32)
#define THREADS_WINDOWS 1
#include <windows.h>
#elif defined(__STDC_NO_THREADS__) || defined(__APPLE__) || defined(CLI_POSIX_THREADS) ||          \
    defined(THREADS_SANITIZED)
#define THREADS_POSIX 1
#include <pthread.h>
#include <unistd.h>
#else
#define THREADS_C11 1
#include <threads.h>
#include <unistd.h>
#endif

enum { THREADS_MOST = 256 };

/* ---- one small layer over the three ---- */

#if defined(THREADS_WINDOWS)
typedef HANDLE thread_handle;
typedef CRITICAL_SECTION thread_lock;
typedef CONDITION_VARIABLE thread_signal;
static bool lock_create(thread_lock *lock) { return InitializeCriticalSection(lock), true; }
static void lock_destroy(thread_lock *lock) { DeleteCriticalSection(lock); }
static void lock_take(thread_lock *lock) { EnterCriticalSection(lock); }
static void lock_leave(thread_lock *lock) { LeaveCriticalSection(lock); }
static bool signal_create(thread_signal *s) { return InitializeConditionVariable(s), true; }
static void signal_destroy(thread_signal *s) { (void)s; }
static void signal_all(thread_signal *s) { WakeAllConditionVariable(s); }
static void signal_wait(thread_signal *s, thread_lock *lock) {
  SleepConditionVariableCS(s, lock, INFINITE);
}
#elif defined(THREADS_POSIX)
typedef pthread_t thread_handle;
typedef pthread_mutex_t thread_lock;
typedef pthread_cond_t thread_signal;
static bool lock_create(thread_lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
static void lock_destroy(thread_lock *lock) { pthread_mutex_destroy(lock); }
static void lock_take(thread_lock *lock) { pthread_mutex_lock(lock); }
static void lock_leave(thread_lock *lock) { pthread_mutex_unlock(lock); }
static bool signal_create(thread_signal *s) { return pthread_cond_init(s, NULL) == 0; }
static void signal_destroy(thread_signal *s) { pthread_cond_destroy(s); }
static void signal_all(thread_signal *s) { pthread_cond_broadcast(s); }
static void signal_wait(thread_signal *s, thread_lock *lock) { pthread_cond_wait(s, lock); }
#else
typedef thrd_t thread_handle;
typedef mtx_t thread_lock;
typedef cnd_t thread_signal;
static bool lock_create(thread_lock *lock) { return mtx_init(lock, mtx_plain) == thrd_success; }
static void lock_destroy(thread_lock *lock) { mtx_destroy(lock); }
static void lock_take(thread_lock *lock) { mtx_lock(lock); }
static void lock_leave(thread_lock *lock) { mtx_unlock(lock); }
static bool signal_create(thread_signal *s) { return cnd_init(s) == thrd_success; }
static void signal_destroy(thread_signal *s) { cnd_destroy(s); }
static void signal_all(thread_signal *s) { cnd_broadcast(s); }
static void signal_wait(thread_signal *s, thread_lock *lock) { cnd_wait(s, lock); }
#endif

typedef struct loop {
  thread_lock lock;
  uint32_t count, next, done;
  int result;
  uint32_t result_index;
  bool stopped;
  cli_task *task;
  void *user;
  const char *label;
  /* cli_ordered alone: */
  cli_task *take; /* NULL: results are not taken */
  thread_signal changed;
  uint32_t window, taken;
  bool taking; /* some thread is */
  bool *made;  /* [window] at index % window */
} loop;

typedef struct worker {
  loop *shared;
  uint32_t number;
  thread_handle handle;
} worker;

static void note_result(loop *l, uint32_t index, int result) {
  if (result == 0) return;
  l->stopped = true;
  if (l->result == 0 || index < l->result_index) l->result = result, l->result_index = index;
}

/* Takes steps until there are none. Steps are handed out in ascending order, so every step below one that
 * fails is run too, and the lowest failure is the same whatever the threads do. */
static void work(loop *l, uint32_t number) {
  lock_take(&l->lock);
  while (!l->stopped && l->next < l->count) {
    const uint32_t index = l->next++;
    lock_leave(&l->lock);
    const int result = l->task(l->user, index, number);
    lock_take(&l->lock);
    l->done++;
    note_result(l, index, result);
    if (l->label) cli_progress(l->label, l->stopped ? l->count : l->done, l->count);
  }
  lock_leave(&l->lock);
}

/* Takes the result whose turn it is; the lock is held before and after. */
static void take_next(loop *l, uint32_t number) {
  const uint32_t index = l->taken;
  l->taking = true;
  lock_leave(&l->lock);
  const int result = l->take(l->user, index, number);
  lock_take(&l->lock);
  l->taking = false;
  l->made[index % l->window] = false;
  l->taken++;
  note_result(l, index, result);
  if (l->label) cli_progress(l->label, l->stopped ? l->count : l->taken, l->count);
}

static void make_next(loop *l, uint32_t number) {
  const uint32_t index = l->next++;
  lock_leave(&l->lock);
  const int result = l->task(l->user, index, number);
  lock_take(&l->lock);
  l->made[index % l->window] = result == 0;
  note_result(l, index, result);
}

/* Takes before it makes, so that the window moves on. After a failure only what lies below it is still taken. */
static void work_in_order(loop *l, uint32_t number) {
  lock_take(&l->lock);
  for (;;) {
    const uint32_t end = l->stopped ? l->result_index : l->next;
    const bool broken = l->stopped && l->taken > l->result_index;
    if (!l->taking && !broken && l->taken < end && l->made[l->taken % l->window]) {
      take_next(l, number);
    } else if (!l->stopped && l->next < l->count && l->next - l->taken < l->window) {
      make_next(l, number);
    } else if (broken || l->taken >= (l->stopped ? l->result_index : l->count)) {
      break;
    } else {
      signal_wait(&l->changed, &l->lock);
      continue;
    }
    signal_all(&l->changed);
  }
  lock_leave(&l->lock);
}

static void run_worker(loop *l, uint32_t number) {
  if (l->take)
    work_in_order(l, number);
  else
    work(l, number);
}

#if defined(THREADS_WINDOWS)
static DWORD WINAPI enter(void *argument) {
  const worker *w = argument;
  run_worker(w->shared, w->number);
  return 0;
}
static bool start(worker *w) {
  w->handle = CreateThread(NULL, 0, enter, w, 0, NULL);
  return w->handle != NULL;
}
static void join(worker *w) {
  WaitForSingleObject(w->handle, INFINITE);
  CloseHandle(w->handle);
}
static long core_count(void) {
  SYSTEM_INFO information;
  GetSystemInfo(&information);
  return (long)information.dwNumberOfProcessors;
}
#else
#if defined(THREADS_POSIX)
static void *enter(void *argument) {
  const worker *w = argument;
  run_worker(w->shared, w->number);
  return NULL;
}
static bool start(worker *w) { return pthread_create(&w->handle, NULL, enter, w) == 0; }
static void join(worker *w) { pthread_join(w->handle, NULL); }
#else
static int enter(void *argument) {
  const worker *w = argument;
  run_worker(w->shared, w->number);
  return 0;
}
static bool start(worker *w) { return thrd_create(&w->handle, enter, w) == thrd_success; }
static void join(worker *w) { thrd_join(w->handle, NULL); }
#endif
static long core_count(void) { return sysconf(_SC_NPROCESSORS_ONLN); }
#endif

/* ---- the interface ---- */

uint32_t cli_thread_count(uint32_t wanted) {
  long count = wanted ? (wanted > THREADS_MOST ? THREADS_MOST : (long)wanted) : core_count();
  if (count < 1) count = 1;
  return count > THREADS_MOST ? THREADS_MOST : (uint32_t)count;
}

/* Runs the loop on the calling thread and as many more as start. */
static void run_threads(loop *l, uint32_t threads) {
  worker workers[THREADS_MOST];
  uint32_t started = 1;
  if (threads > THREADS_MOST) threads = THREADS_MOST;
  if (threads > l->count) threads = l->count;
  for (; started < threads; started++) {
    workers[started].shared = l;
    workers[started].number = started;
    if (!start(&workers[started])) break;
  }
  run_worker(l, 0);
  for (uint32_t i = 1; i < started; i++) join(&workers[i]);
}

int cli_parallel(uint32_t count, uint32_t threads, cli_task *task, void *user, const char *label) {
  loop l = {.count = count, .task = task, .user = user, .label = label};
  if (count == 0) return 0;
  if (!lock_create(&l.lock)) { /* without locks, alone */
    for (uint32_t i = 0; i < count && l.result == 0; i++) l.result = task(user, i, 0);
    return l.result;
  }
  run_threads(&l, threads);
  lock_destroy(&l.lock);
  return l.result;
}

static int ordered_alone(const loop *l) {
  int result = 0;
  for (uint32_t i = 0; i < l->count && result == 0; i++) {
    result = l->task(l->user, i, 0);
    if (result == 0) result = l->take(l->user, i, 0);
    if (l->label) cli_progress(l->label, result ? l->count : i + 1, l->count);
  }
  return result;
}

int cli_ordered(uint32_t count, uint32_t threads, uint32_t window, cli_task *make, cli_task *take,
                void *user, const char *label) {
  loop l = {.count = count, .task = make, .take = take, .user = user, .label = label};
  l.window = window < 1 ? 1 : window;
  if (count == 0) return 0;
  if (threads > 1) l.made = calloc(l.window, sizeof *l.made);
  const bool locked = l.made && lock_create(&l.lock);
  if (locked && signal_create(&l.changed)) {
    run_threads(&l, threads);
    signal_destroy(&l.changed);
  } else {
    l.result = ordered_alone(&l);
  }
  if (locked) lock_destroy(&l.lock);
  free(l.made);
  return l.result;
}
