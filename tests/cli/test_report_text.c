/* test_report_text.c: numbers, names and the colours of methods. */
#include "fabricated_page.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void numbers(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_percent(one.page.output, 0.31251);
  cli_output_text(one.page.output, ";");
  report_percent(one.page.output, (double)NAN);
  const double lengths[] = {1.25, 0.3124, 0.005, 0.005, 0.000012, 0, (double)INFINITY, 2};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    cli_output_text(one.page.output, ";");
    report_metres(one.page.output, lengths[i], i == 2 || i == 7);
  }
  const char *text = fabricated_page_text(&one);
  expect(text, "31.3 %;–;1.25 m;31.2 cm;5 mm;5.0 mm;12.0 µm;0.00 m;–;2 m");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void names(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_node(&one.page, 4);
  report_node(&one.page, 6);
  report_clip(&one.page, 6);
  report_when(&one.page, 2);
  const char *text = fabricated_page_text(&one);
  expect(text, "<bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;�[31m</bdi><bdi>node "
               "6</bdi><bdi>&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;�[31m</bdi>0.50 s");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void legend(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_legend(&one.page, true);
  const char *text = fabricated_page_text(&one);
  expect(text, "class=\"rest\"");
  expect(text, "class=\"line s0\"");
  expect(text, ">LBS</span>");
  expect(text, "class=\"line s1\"");
  expect(text, ">DQS</span>");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void points(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_point(one.page.output, 1.25001, -0.01);
  const char *text = fabricated_page_text(&one);
  expect(text, "1.3 0.0");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers),
      cmocka_unit_test(names),
      cmocka_unit_test(legend),
      cmocka_unit_test(points),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
