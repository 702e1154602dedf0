/* threads.h: a parallel loop. C11 threads where there are, else POSIX's or Windows'. */
#ifndef SUPPLE_CLI_THREADS_H
#define SUPPLE_CLI_THREADS_H

#include <stdint.h>

/* How many threads to use for `wanted` of the command line: that many, or one a core where it is 0; never
 * more than 256. */
uint32_t cli_thread_count(uint32_t wanted);

/* One step of a loop. `worker` is below the number of threads and names the thread that runs: per-thread
 * state is an array with one element a worker, which no two steps use at once. Non-zero stops the loop. */
typedef int cli_task(void *user, uint32_t index, uint32_t worker);

/* Calls task for 0 <= index < count, handed out in ascending order, on `threads` threads (the calling one is
 * worker 0; where threads cannot be started, fewer do the work). Returns 0, or the code of the lowest index
 * that returned another; later steps may then not have run. With a label it shows progress. */
int cli_parallel(uint32_t count, uint32_t threads, cli_task *task, void *user, const char *label);

/* The same with results that are taken in order: make(index) runs on any thread, take(index) for one index at a
 * time, 0, 1, 2, …, after the make of that index, on whatever thread is free. From the beginning of its make to
 * the end of its take an index is one of at most `window` (at least 1) consecutive ones, so results may be kept
 * in an array of `window` elements, at index % window. The first code but 0 stops the loop: everything below the
 * index that failed has then been taken. */
int cli_ordered(uint32_t count, uint32_t threads, uint32_t window, cli_task *make, cli_task *take,
                void *user, const char *label);

#endif
