/* bench_time.h: verifying and timing contestants on one mesh, in turns. */
#ifndef SUPPLE_CLI_BENCH_TIME_H
#define SUPPLE_CLI_BENCH_TIME_H

#include "bench_mesh.h"

#include <supple/supple.h>

#include <stdbool.h>
#include <stdint.h>

enum { CLI_BENCH_MOST_ROUNDS = 101 };

typedef enum cli_bench_streams { CLI_BENCH_P, CLI_BENCH_PN, CLI_BENCH_PNT } cli_bench_streams;

/* One contestant, and what came of it. */
typedef struct cli_bench_entry {
  bool plain; /* the loops of bench_plain.h: rigid joints for DQS, linear normals, user input */
  supple_method method;
  supple_isa isa;
  cli_bench_streams streams;
  supple_normals normals; /* where streams has them */
  cli_bench_scale scale;  /* of a tube */
  cli_bench_pose pose;    /* of a tube */
  bool user;              /* input from the user's arrays, else compiled in */
  bool sorted;            /* by a sorted binding; compiled input only */
  uint32_t threads;       /* 1 or 2 */
  double ns; /* a vertex: median of thread CPU time; of two threads the best of wall time. 0: not timed */
  double best;       /* a vertex: the least */
  double copy_share; /* bytes a second, over those of a copy that passes by the cache */
} cli_bench_entry;

/* Verifies each entry against the double reference, then times all in turns, `rounds` times. An exit code;
 * what went wrong was reported. */
int cli_bench_time(const cli_bench_mesh *mesh, cli_bench_entry *entries, uint32_t count,
                   uint32_t rounds);

/* Nanoseconds that this thread has run; where the system does not say finely, of the wall clock. */
double cli_bench_cpu_clock(void);
extern const char cli_bench_clock_name[];

#endif
