/* test_report_clips.c: volume, edges and deviation of every clip and instance. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void table_and_plots(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_clips(&one.page);
  const char *text = fabricated_page_text(&one);
  assert_int_equal(fabricated_count(text, "rowspan=\"2\"><bdi>"), 4); /* two clips, two instances */
  assert_int_equal(fabricated_count(text, "<article"), 4);
  assert_int_equal(fabricated_count(text, "<svg class=\"plot\""),
                   4 * 5 - 2); /* the shirt has no volume */
  assert_int_equal(fabricated_count(text, "no shell of the mesh is closed"), 2);
  expect(text, "86.2 %");
  expect(text, "168.8 %");
  expect(text, "1.3 mm");
  expect(text, "Distance from LBS");
  expect(text, "5 times");
  expect(text, "3 times");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void range_says_poses(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_RANGE);
  report_clips(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "Over the range of motion");
  expect(text, "3 poses");
  expect(text, "twist 90°");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_and_plots),
      cmocka_unit_test(range_says_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
