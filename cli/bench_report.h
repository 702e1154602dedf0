/* bench_report.h: what `supple bench` prints: the rows as JSON, CSV or tables, and the ratios that matter. */
#ifndef SUPPLE_CLI_BENCH_REPORT_H
#define SUPPLE_CLI_BENCH_REPORT_H

#include "bench_plan.h"
#include "output.h"

#include <stdbool.h>

/* Where the rows were measured. */
typedef struct cli_bench_place {
  const char *machine, *compiler;
  bool quick;
} cli_bench_place;

void cli_bench_json(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows);
/* Machine and compiler in lines that begin with '#', then a line of names, then the rows. */
void cli_bench_csv(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows);
void cli_bench_table(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows);
/* What is asked of each wide instruction set of the machine, and what was reached. */
void cli_bench_goals(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows);

#endif
