/* test_bench_report.c: rows as JSON, CSV and tables, and ratios that are reached or missed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench_report.h"

#include <string.h>

static const cli_bench_place place = {"a \"machine\"", "a compiler", true};

static cli_bench_row row_of(bool plain, double ns) {
  cli_bench_row row;
  memset(&row, 0, sizeof row);
  strcpy(row.mesh, "coherent");
  row.vertices = 10000;
  row.influences = 4;
  row.entry.plain = row.entry.user = plain;
  row.entry.isa = SUPPLE_ISA_AVX2;
  row.entry.streams = CLI_BENCH_PN;
  row.entry.normals = SUPPLE_NORMALS_LINEAR;
  row.entry.threads = 1;
  row.entry.ns = row.entry.best = ns;
  row.entry.copy_share = 0.5;
  return row;
}

/* Writes by `print`; the text must hold what is asked for. */
static void expect(void (*print)(cli_output *, const cli_bench_place *, const cli_bench_rows *),
                   const cli_bench_rows *rows, const char *text) {
  cli_output *output = cli_output_open_memory();
  print(output, &place, rows);
  cli_output_write(output, "", 1);
  size_t size;
  const char *got = cli_output_contents(output, &size);
  if (!strstr(got, text)) fail_msg("'%s' is not in:\n%s", text, got);
  cli_output_abandon(output);
}

static void test_json(void **state) {
  (void)state;
  cli_bench_row list[2] = {row_of(true, 8), row_of(false, 2.5)};
  list[1].entry.streams = CLI_BENCH_P;
  const cli_bench_rows rows = {.rows = list, .count = 2, .turns = 1};
  expect(cli_bench_json, &rows, "\"machine\": \"a \\\"machine\\\"\"");
  expect(cli_bench_json, &rows, "\"contestant\": \"plain\"");
  expect(cli_bench_json, &rows, "\"normals\": null");
  expect(cli_bench_json, &rows, "\"input\": \"compiled\"");
  expect(cli_bench_json, &rows, "\"ns\": 2.5");
  expect(cli_bench_json, &rows, "\"copy_share\": 0.5");
}

static void test_csv(void **state) {
  (void)state;
  cli_bench_row list[1] = {row_of(true, 8)};
  strcpy(list[0].mesh, "a, \"b\"");
  const cli_bench_rows rows = {.rows = list, .count = 1, .turns = 1};
  expect(cli_bench_csv, &rows, "# machine: a \"machine\"\n# compiler: a compiler\n");
  expect(cli_bench_csv, &rows,
         "\nplain,lbs,avx2,\"a, \"\"b\"\"\",10000,4,pn,linear,rigid,small,user,1,8.0000,0.500\n");
}

static void test_table(void **state) {
  (void)state;
  cli_bench_row list[1] = {row_of(false, 2.5)};
  const cli_bench_rows rows = {.rows = list, .count = 1, .turns = 1};
  expect(cli_bench_table, &rows, "supple lbs avx2");
  expect(cli_bench_table, &rows, "2.500 ns");
  expect(cli_bench_table, &rows, "50.0 %");
}

static void test_goals(void **state) {
  (void)state;
  cli_bench_row list[2] = {row_of(true, 8), row_of(false, 2.5)};
  cli_bench_rows rows = {.rows = list, .count = 2, .turns = 2};
  expect(cli_bench_goals, &rows, "3.20  reached"); /* of at least 2.80 */
  list[1].entry.ns = 4;
  expect(cli_bench_goals, &rows, "2.00  MISSED");
  list[1].turn = 1; /* not timed in turns: no ratio */
  cli_output *output = cli_output_open_memory();
  cli_bench_goals(output, &place, &rows);
  cli_output_write(output, "", 1);
  size_t size;
  assert_null(strstr(cli_output_contents(output, &size), "plain loop"));
  cli_output_abandon(output);
}

static void test_asset_goals(void **state) {
  (void)state;
  cli_bench_row list[3] = {row_of(true, 8), row_of(false, 2.5), row_of(false, 5)};
  for (int i = 0; i < 3; i++) list[i].asset = true;
  strcpy(list[2].mesh, "hero, sorted");
  list[2].entry.sorted = true;
  const cli_bench_rows rows = {.rows = list, .count = 3, .turns = 1};
  expect(cli_bench_goals, &rows, "3.20  reached");
  expect(cli_bench_goals, &rows, "1.60  MISSED");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json),        cmocka_unit_test(test_csv),
      cmocka_unit_test(test_table),       cmocka_unit_test(test_goals),
      cmocka_unit_test(test_asset_goals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
