/* bench_plan.h: which meshes and contestants `supple bench` times, and the rows that come of it. */
#ifndef SUPPLE_CLI_BENCH_PLAN_H
#define SUPPLE_CLI_BENCH_PLAN_H

#include "bench_time.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_bench_row {
  cli_bench_entry entry;
  char mesh[CLI_BENCH_NAME]; /* with what the entry adds to it: ", sorted", … */
  bool asset;
  uint32_t vertices, influences;
  uint32_t turn; /* rows of one number were timed in turns */
} cli_bench_row;

typedef struct cli_bench_rows {
  cli_bench_row *rows;
  uint32_t count, room, turns;
} cli_bench_rows;

/* Times everything; `quick`: the smaller meshes, in fewer rounds. files: assets whose larger primitives are
 * timed too, at the middle of their first clip. An exit code; what went wrong was reported. */
int cli_bench_plan(bool quick, const char *const *files, size_t file_count, cli_bench_rows *rows);
void cli_bench_rows_free(cli_bench_rows *rows);

/* As printed: "supple" or "plain"; "p", "pn", "pnt"; "linear", …, NULL without normals; "rigid", …; "small" or
 * "large". */
const char *cli_bench_contestant(const cli_bench_row *row);
const char *cli_bench_streams_name(const cli_bench_row *row);
const char *cli_bench_normals_name(const cli_bench_row *row);
const char *cli_bench_scale_name(const cli_bench_row *row);
const char *cli_bench_pose_name(const cli_bench_row *row);

#endif
