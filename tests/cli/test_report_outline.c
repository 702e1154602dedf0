/* test_report_outline.c: a section drawn: same scale for all loops, the bone, the bar. */
#include "fabricated_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void draws_all_loops(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_outline(&one.page, 0);
  const char *text = fabricated_page_text(&one);
  expect(text, "<path class=\"rest\" d=\"M");
  expect(text, "<path class=\"loop s0 a0\" d=\"M");
  expect(text, "<path class=\"loop s1 a1\" d=\"M");
  expect(text, "<path class=\"bone\"");
  expect(text, "50 mm</text>");
  expect(text, "LBS keeps 31.2 %");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void same_scale(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_outline(&one.page, 0);
  const char *text = fabricated_page_text(&one);
  /* The first point of each loop is the farthest along x: 42 mm at rest, 0.312 times 40 mm plus 2 under LBS;
   * the bone is at x = 0. */
  double rest = 0, lbs = 0, bone = 0;
  assert_int_equal(sscanf(strstr(text, "\"rest\" d=\"M") + 11, "%lf", &rest), 1);
  assert_int_equal(sscanf(strstr(text, "s0 a0\" d=\"M") + 11, "%lf", &lbs), 1);
  assert_int_equal(sscanf(strstr(text, "\"bone\" d=\"M") + 11, "%lf", &bone), 1);
  bone += 5;
  const double ratio = (lbs - bone) / (rest - bone), expected = (0.312 * 0.04 + 0.002) / 0.042;
  assert_float_equal(ratio, expected, 0.003);
  fabricated_page_close(&one);
}

static void nothing_to_draw(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_outline(&one.page, 1); /* ambiguous */
  assert_string_equal(fabricated_page_text(&one), "");
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(draws_all_loops),
      cmocka_unit_test(same_scale),
      cmocka_unit_test(nothing_to_draw),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
