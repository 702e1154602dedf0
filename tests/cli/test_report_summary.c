/* test_report_summary.c: the sentence, the figures and the ranking. */
#include "fabricated_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the page: %s", part);
}

static void sentence(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_sentence(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "3 of 7 joints collapse under linear blend skinning: "
               "<strong><bdi>wrist.L</bdi></strong> keeps <strong class=\"m0\">31.2 %</strong> of "
               "its cross-section at 0.50 s of <em><bdi>Wave</bdi></em>; dual quaternion skinning "
               "keeps <strong class=\"m1\">98.7 %</strong>.");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void sentence_of_a_range(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_RANGE);
  report_sentence(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "of its cross-section at twist 180° of <em><bdi>wrist.L</bdi></em>;");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void sentence_when_fine(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_FINE);
  report_sentence(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "None of 7 joints collapses under linear blend skinning: the lowest, "
               "<strong><bdi>wrist.L</bdi></strong>, keeps <strong class=\"m0\">93.1 %</strong>");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void sentence_without_measures(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_NOTHING);
  report_sentence(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "None of 7 joints collapses under linear blend skinning: none could be measured");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void sentence_of_both_methods(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  one.all->collapsing[1] = 2;
  report_sentence(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(
      text,
      "3 of 7 joints collapse under linear blend skinning, and 2 under dual quaternion skinning: ");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void figures(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_summary(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "<b>3</b> of 7");
  expect(text, "<b>0</b> of 7");
  expect(text, "31.2 % <span class=\"soft\">(<bdi>wrist.L</bdi>)");
  expect(text, "86.2 to 100.0 %");
  expect(text, "31.2 to 168.8 %");
  expect(text, "3 of 100");
  expect(text, "1.3 mm <span class=\"soft\">(0.1 % of the diagonal)");
  expect(text, "Joints that collapse, worst first");
  expect(text, "0.50 s</td><td class=\"n\">100°</td>"); /* wrist.L */
  expect(text, "href=\"#joint-1\"");
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sentence),
      cmocka_unit_test(sentence_of_a_range),
      cmocka_unit_test(sentence_when_fine),
      cmocka_unit_test(sentence_without_measures),
      cmocka_unit_test(sentence_of_both_methods),
      cmocka_unit_test(figures),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
