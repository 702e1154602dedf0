/* test_bench_plan.c: how rows are named, and what stops the benchmark before it starts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench_plan.h"

#include <string.h>

static void test_names(void **state) {
  (void)state;
  cli_bench_row row;
  memset(&row, 0, sizeof row);
  assert_string_equal(cli_bench_contestant(&row), "supple");
  assert_string_equal(cli_bench_streams_name(&row), "p");
  assert_null(cli_bench_normals_name(&row));
  assert_string_equal(cli_bench_scale_name(&row), "rigid");
  assert_string_equal(cli_bench_pose_name(&row), "small");
  row.entry.plain = true;
  row.entry.streams = CLI_BENCH_PNT;
  row.entry.normals = SUPPLE_NORMALS_LINEAR;
  row.entry.scale = CLI_BENCH_ONE_SCALED;
  row.entry.pose = CLI_BENCH_LARGER;
  assert_string_equal(cli_bench_contestant(&row), "plain");
  assert_string_equal(cli_bench_streams_name(&row), "pnt");
  assert_string_equal(cli_bench_normals_name(&row), "linear");
  assert_string_equal(cli_bench_scale_name(&row), "affine");
  assert_string_equal(cli_bench_pose_name(&row), "large");
}

/* A file that is not there stops it before anything is timed. */
static void test_missing_file(void **state) {
  (void)state;
  const char *const files[] = {SUPPLE_SCRATCH "/absent.glb"};
  cli_bench_rows rows;
  assert_int_equal(cli_bench_plan(true, files, 1, &rows), 1);
  assert_null(rows.rows);
  assert_int_equal(rows.count, 0);
  cli_bench_rows_free(&rows);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_missing_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
