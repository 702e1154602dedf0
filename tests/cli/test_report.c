/* test_report.c: the page as a whole: one document that needs nothing else. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void is_self_contained(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_print(one.page.output, one.results, one.all, one.page.outlines, one.page.outline_count);
  const char *text = fabricated_page_text(&one);
  expect(text, "<!doctype html>");
  expect(text, "<title>some/where/he&lt;r&gt;o.glb");
  expect(text, "<h1><bdi>he&lt;r&gt;o.glb</bdi></h1>");
  expect(text, "200 vertices");
  expect(text, "2 clips, 8 times");
  expect(text, "id=\"worst\"");
  expect(text, "id=\"clips\"");
  expect(text, "id=\"joints\"");
  expect(text, "id=\"settings\"");
  static const char *const forbidden[] = {"http", "src=\"",  "<link", "<script",
                                          "url(", "@import", "<img"};
  for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
    if (strstr(text, forbidden[i])) fail_msg("in the page: %s", forbidden[i]);
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void without_anything_to_draw(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_NOTHING);
  report_print(one.page.output, one.results, one.all, one.page.outlines, one.page.outline_count);
  const char *text = fabricated_page_text(&one);
  assert_null(strstr(text, "#worst"));
  expect(text, "none could be measured");
  expect(text, "<b>7</b> <span class=\"status\">rigid");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void one_method(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_FINE);
  one.results->method_count = 1;
  report_print(one.page.output, one.results, one.all, one.page.outlines, 0);
  const char *text = fabricated_page_text(&one);
  assert_null(strstr(text, ">DQS<"));
  expect(text, "None of 7");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_self_contained),
      cmocka_unit_test(without_anything_to_draw),
      cmocka_unit_test(one_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
