/* test_report_settings.c: settings, repairs and notes. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void says_all(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_settings(&one.page);
  const char *text = fabricated_page_text(&one);
  /* One primitive, whatever the number of instances. */
  assert_int_equal(fabricated_count(text, "primitive 0"), 1);
  expect(text, "some/where/he&lt;r&gt;o.glb");
  expect(text, "made &lt;up&gt;");
  expect(text, "odd &lt;b&gt;thing&lt;/b&gt;");
  expect(text, "2 clips, 8 times");
  expect(text, "less than 75.0 %");
  expect(text, "<dt>Scale in DQS</dt><dd>affine");
  expect(text, "<dt>Weights</dt><dd>normalise");
  expect(text, "0.9800 to 1.0000");
  expect(text, "<td class=\"n\">7</td>");
  expect(text, ">DQS</span></th><td class=\"n\">1</td><td class=\"n\">2</td>");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void range(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_RANGE);
  report_settings(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "range of motion: 2 joints");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void primitive_without_influences(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  one.results->instances[0].cleaning[0].vertices = 0;
  report_settings(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "no influences: left out");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(says_all),
      cmocka_unit_test(range),
      cmocka_unit_test(primitive_without_influences),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
