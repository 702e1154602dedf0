/* threads.c: a parallel loop over C11 threads, POSIX threads or Windows threads. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "threads.h"

#include "print.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

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
static bool lock_create(thread_lock *lock) { return InitializeCriticalSection(lock), true; }
static void lock_destroy(thread_lock *lock) { DeleteCriticalSection(lock); }
static void lock_take(thread_lock *lock) { EnterCriticalSection(lock); }
static void lock_leave(thread_lock *lock) { LeaveCriticalSection(lock); }
#elif defined(THREADS_POSIX)
typedef pthread_t thread_handle;
typedef pthread_mutex_t thread_lock;
static bool lock_create(thread_lock *lock) { return pthread_mutex_init(lock, NULL) == 0; }
static void lock_destroy(thread_lock *lock) { pthread_mutex_destroy(lock); }
static void lock_take(thread_lock *lock) { pthread_mutex_lock(lock); }
static void lock_leave(thread_lock *lock) { pthread_mutex_unlock(lock); }
#else
typedef thrd_t thread_handle;
typedef mtx_t thread_lock;
static bool lock_create(thread_lock *lock) { return mtx_init(lock, mtx_plain) == thrd_success; }
static void lock_destroy(thread_lock *lock) { mtx_destroy(lock); }
static void lock_take(thread_lock *lock) { mtx_lock(lock); }
static void lock_leave(thread_lock *lock) { mtx_unlock(lock); }
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
} loop;

typedef struct worker {
  loop *shared;
  uint32_t number;
  thread_handle handle;
} worker;

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
    if (result != 0) {
      l->stopped = true;
      if (l->result == 0 || index < l->result_index) l->result = result, l->result_index = index;
    }
    if (l->label) cli_progress(l->label, l->stopped ? l->count : l->done, l->count);
  }
  lock_leave(&l->lock);
}

#if defined(THREADS_WINDOWS)
static DWORD WINAPI enter(void *argument) {
  const worker *w = argument;
  work(w->shared, w->number);
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
  work(w->shared, w->number);
  return NULL;
}
static bool start(worker *w) { return pthread_create(&w->handle, NULL, enter, w) == 0; }
static void join(worker *w) { pthread_join(w->handle, NULL); }
#else
static int enter(void *argument) {
  const worker *w = argument;
  work(w->shared, w->number);
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

int cli_parallel(uint32_t count, uint32_t threads, cli_task *task, void *user, const char *label) {
  worker workers[THREADS_MOST];
  uint32_t started = 1;
  loop l = {.count = count, .task = task, .user = user, .label = label};
  if (count == 0) return 0;
  if (!lock_create(&l.lock)) { /* without locks, alone */
    for (uint32_t i = 0; i < count && l.result == 0; i++) l.result = task(user, i, 0);
    return l.result;
  }
  if (threads > THREADS_MOST) threads = THREADS_MOST;
  if (threads > count) threads = count;
  for (; started < threads; started++) {
    workers[started].shared = &l;
    workers[started].number = started;
    if (!start(&workers[started])) break;
  }
  work(&l, 0);
  for (uint32_t i = 1; i < started; i++) join(&workers[i]);
  lock_destroy(&l.lock);
  return l.result;
}
