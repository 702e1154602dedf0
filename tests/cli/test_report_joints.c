/* test_report_joints.c: the cards of the worst joints. */
#include "fabricated_page.h"

#include <math.h>
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

static void says_how_far_it_turns(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  report_joints(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, " · turned 100° against its parent · section drawn"); /* wrist.L */
  assert_int_equal(fabricated_count(text, "against its parent"), 3);
  assert_int_equal(fabricated_count(text, "is squeezed"), 0);
  assert_int_equal(fabricated_count(text, "with them it would"), 0);
  fabricated_page_close(&one);
}

static compared_joint *joint_at(fabricated_page *one, size_t frame, uint32_t method, uint32_t joint) {
  return &one->results->instances[0].results[(frame * 2 + method) * FABRICATED_JOINTS + joint];
}

static void says_what_is_not_the_method(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  joint_at(&one, 2, 1, 2)->worst = 0.412f; /* wrist.L under DQS, at its worst moment */
  joint_at(&one, 2, 1, 2)->own_kept = 0.995f;
  joint_at(&one, 1, 1, 4)->worst = 0.6f; /* elsewhere than at its worst moment */
  joint_at(&one, 1, 1, 4)->own_kept = NAN;
  joint_at(&one, 1, 1, 4)->kept = 1;
  joint_at(&one, 2, 0, 4)->own_kept = 1; /* LBS is the first method: nothing is said of it */
  report_joints(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "<p>Under DQS the section falls to 41.2 % although no vertex is squeezed: the "
               "weights or the mesh lose it there");
  expect(text, "<p>Under DQS the section falls to 60.0 % (at 0.25 s of <bdi>Wave</bdi>) although");
  assert_int_equal(fabricated_count(text, "is squeezed"), 2);
  assert_true(fabricated_is_balanced(text));
  fabricated_page_close(&one);
}

static void squeezed_is_the_method(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  joint_at(&one, 2, 1, 2)->worst = 0.412f;
  joint_at(&one, 2, 1, 2)->own_kept = 0.98f;
  joint_at(&one, 2, 1, 4)->worst = 0.76f; /* it does not collapse */
  joint_at(&one, 2, 1, 4)->own_kept = 1;
  report_joints(&one.page);
  assert_int_equal(fabricated_count(fabricated_page_text(&one), "is squeezed"), 0);
  fabricated_page_close(&one);
}

static void says_what_neighbours_bend(void **state) {
  (void)state;
  fabricated_page one;
  fabricated_page_open(&one, FABRICATED_CLIPS);
  joint_at(&one, 2, 0, 2)->kept = 0.2f;
  joint_at(&one, 2, 1, 2)->kept = 0.9f;
  report_joints(&one.page);
  const char *text = fabricated_page_text(&one);
  expect(text, "with them it would keep 20.0 % under LBS and 90.0 % under DQS.</p>");
  assert_int_equal(fabricated_count(text, "with them it would"), 1);
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
      cmocka_unit_test(says_how_far_it_turns),
      cmocka_unit_test(says_what_is_not_the_method),
      cmocka_unit_test(squeezed_is_the_method),
      cmocka_unit_test(says_what_neighbours_bend),
      cmocka_unit_test(none_when_fine),
      cmocka_unit_test(says_how_many_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
