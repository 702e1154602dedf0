/* test_report_statuses.c: every joint, with its status and what that means. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void every_joint(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_statuses(&one.page);
  const char *text = fabricated_page_text(&one);
  assert_int_equal(fabricated_count(text, "<tr><th scope=\"row\">"), FABRICATED_JOINTS);
  assert_int_equal(fabricated_count(text, "<span class=\"collapses\">"), 3);
  expect(text, "<b>3</b> <span class=\"status\">ok</span>");
  expect(text,
         "<b>1</b> <span class=\"status\">unweighted</span></dt><dd>no vertex has weight on it");
  expect(text, "<bdi>idle</bdi></th><td><span class=\"status\">unweighted</span></td><td "
               "class=\"n\">–</td>");
  expect(
      text,
      "<td class=\"n bad\">31.2 %</td><td class=\"n\">98.7 %</td><td class=\"n bad\">65.6 %</td>");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_joint),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
