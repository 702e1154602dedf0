/* test_report_plot.c: lines over time: scales, gaps, thinning, marks. */
#include "fabricated_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void nice_steps(void **state) {
  (void)state;
  assert_float_equal(report_nice_step(100, 4), 50, 1e-9);
  assert_float_equal(report_nice_step(1, 5), 0.2, 1e-9);
  assert_float_equal(report_nice_step(0.03, 5), 0.01, 1e-9);
  assert_float_equal(report_nice_step(7, 5), 2, 1e-9);
  assert_float_equal(report_nice_step(0, 5), 1, 0);
  assert_float_equal(report_nice_step((double)INFINITY, 5), 1, 0);
}

static void places_points(void **state) {
  (void)state;
  double times[] = {0, 1, 2};
  const motion_clip clip = {.times = times, .time_count = 3};
  const supple_method methods[] = {SUPPLE_LBS};
  report_plot plot = {.title = "a < b",
                      .unit = "%",
                      .width = 400,
                      .height = 200,
                      .scale = 100,
                      .clip = &clip,
                      .methods = methods,
                      .least = 0,
                      .most = 100,
                      .threshold = 75,
                      .mark = 1};
  double *values = report_plot_add(&plot, 0, false, "kept");
  assert_non_null(values);
  values[0] = 1, values[1] = 0.5, values[2] = 0;
  cli_output *output = cli_output_open_memory();
  report_plot_draw(output, &plot);
  size_t size;
  const char *text = cli_output_contents(output, &size);
  /* The axes span 46 to 392 across and 172 to 26 up. */
  expect(text, "<path class=\"line s0\" d=\"M46.0 26.0L219.0 99.0L392.0 172.0\"/>");
  expect(text, "<path class=\"threshold\" d=\"M46 62.5H392\"/>");
  expect(text, "<path class=\"moment\" d=\"M219.0 26V172\"/>");
  expect(text, "<title>a &lt; b</title><desc>LBS kept from 0.0 to 100.0 %. </desc>");
  assert_true(fabricated_is_balanced(text));
  cli_output_close(output);
}

static void gaps_and_nothing(void **state) {
  (void)state;
  double times[] = {0, 1, 2, 3};
  const motion_clip clip = {.times = times, .time_count = 4};
  const supple_method methods[] = {SUPPLE_LBS};
  report_plot plot = {.title = "gaps",
                      .unit = "%",
                      .width = 400,
                      .height = 200,
                      .scale = 100,
                      .clip = &clip,
                      .methods = methods,
                      .most = 100,
                      .threshold = (double)NAN,
                      .mark = SIZE_MAX};
  double *values = report_plot_add(&plot, 0, true, "kept");
  assert_non_null(values);
  values[0] = 1, values[1] = (double)NAN, values[2] = (double)INFINITY, values[3] = 1;
  cli_output *output = cli_output_open_memory();
  report_plot_draw(output, &plot);
  report_plot_draw(output, &plot); /* it is empty now */
  size_t size;
  const char *text = cli_output_contents(output, &size);
  expect(text, "dash\" d=\"M46.0 26.0M392.0 26.0\"/>");
  assert_int_equal(fabricated_count(text, "<svg"), 1);
  assert_null(strstr(text, "threshold"));
  assert_null(strstr(text, "moment"));
  cli_output_close(output);
}

static void thins_long_lines(void **state) {
  (void)state;
  enum { COUNT = 20000 };
  double *times = malloc(COUNT * sizeof *times);
  assert_non_null(times);
  for (int t = 0; t < COUNT; t++) times[t] = t;
  const motion_clip clip = {.times = times, .time_count = COUNT};
  const supple_method methods[] = {SUPPLE_LBS};
  report_plot plot = {.title = "long",
                      .unit = "%",
                      .width = 400,
                      .height = 200,
                      .scale = 100,
                      .clip = &clip,
                      .methods = methods,
                      .most = 100,
                      .threshold = (double)NAN,
                      .mark = SIZE_MAX};
  double *values = report_plot_add(&plot, 0, false, "kept");
  assert_non_null(values);
  for (int t = 0; t < COUNT; t++) values[t] = 1;
  values[12345] = 0; /* one dip must survive */
  cli_output *output = cli_output_open_memory();
  report_plot_draw(output, &plot);
  size_t size;
  const char *text = cli_output_contents(output, &size);
  assert_true(size < 8000);
  assert_int_equal(fabricated_count(text, " 172.0L"), 1);
  cli_output_close(output);
  free(times);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nice_steps),
      cmocka_unit_test(places_points),
      cmocka_unit_test(gaps_and_nothing),
      cmocka_unit_test(thins_long_lines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
