/* test_report_joints.c: the cards of the worst joints. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void one_card_each(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_joints(&one.page);
  const char *text = fabricated_page_text(&one);
  assert_int_equal(fabricated_count(text, "<article"), 3);
  assert_int_equal(fabricated_count(text, "<svg class=\"outline\""), 2);
  assert_int_equal(fabricated_count(text, "<svg class=\"plot\""), 5); /* no bulge without a section */
  expect(text, "id=\"joint-3\"");
  expect(text, "on <bdi>body</bdi>");
  expect(
      text,
      "between <bdi>upper</bdi> and <bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;�[31m");
  expect(text, "section drawn at the joint");
  expect(text, "No section to draw (ambiguous)");
  expect(text, "<td class=\"n\">65.6 %</td>");
  expect(text, "class=\"threshold\"");
  expect(text, "class=\"moment\"");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void none_when_fine(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_FINE);
  report_joints(&one.page);
  assert_string_equal(fabricated_page_text(&one), "");
  fabricated_page_close(&one);
}

static void says_how_many_are_left_out(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  one.page.outline_count = 1;
  report_joints(&one.page);
  const char *text = fabricated_page_text(&one);
  assert_int_equal(fabricated_count(text, "<article"), 1);
  expect(text, "2 more joints collapse");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_card_each),
      cmocka_unit_test(none_when_fine),
      cmocka_unit_test(says_how_many_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
