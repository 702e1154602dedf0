/* test_report_style.c: the style sheet: light, dark, narrow, printed; and nothing from elsewhere. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void has_every_medium(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_style(one.page.output);
  const char *text = fabricated_page_text(&one);
  expect(text, "prefers-color-scheme:dark");
  expect(text, "@media print");
  expect(text, "max-width:640px");
  expect(text, "prefers-reduced-motion");
  assert_null(strstr(text, "url("));
  assert_null(strstr(text, "@import"));
  assert_null(strstr(text, "<"));
  assert_int_equal(fabricated_count(text, "{"), fabricated_count(text, "}"));
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(has_every_medium),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
