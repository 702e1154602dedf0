/* test_verdict.c: which joints collapse, in which order, and where. */
#include "cli/verdict.h"
#include "fabricated.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const double tolerance = 1e-6;

static void keeps_the_smaller(void **state) {
  compared_joint joint = {.worst = 0.4f, .kept = 0.1f, .own_kept = 0.6f};
  (void)state;
  assert_float_equal(verdict_keeps(&joint), 0.4, tolerance);
  joint.own_kept = 0.3f;
  assert_float_equal(verdict_keeps(&joint), 0.3, tolerance);
  joint.own_kept = NAN;
  assert_float_equal(verdict_keeps(&joint), 0.4, tolerance);
  joint.worst = NAN;
  assert_true(isnan(verdict_keeps(&joint)));
  joint.own_kept = 0.3f;
  assert_float_equal(verdict_keeps(&joint), 0.3, tolerance);
}

static void ranks_worst_first(void **state) {
  static const uint32_t order[FABRICATED_JOINTS] = {3, 4, 5, 6, 2, 1, 7}; /* nodes */
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  verdict *all = verdict_reach(fabricated_comparison(made));
  (void)state;
  assert_non_null(all);
  assert_int_equal(all->joint_count, FABRICATED_JOINTS);
  assert_int_equal(all->bad_count, 3);
  assert_int_equal(all->measured_count, 5);
  assert_int_equal(all->collapsing[0], 3);
  assert_int_equal(all->collapsing[1], 0);
  for (uint32_t i = 0; i < FABRICATED_JOINTS; i++) {
    assert_int_equal(all->joints[i].node, order[i]);
    assert_int_equal(all->joints[i].bad, i < 3);
    assert_int_equal(all->joints[i].measured, i < 5);
  }
  verdict_free(all);
  fabricated_free(made);
}

static void says_where(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  verdict *all = verdict_reach(fabricated_comparison(made));
  const verdict_joint *wrist = &all->joints[0];
  (void)state;
  assert_int_equal(wrist->instance, 0); /* the second falls half as far */
  assert_int_equal(wrist->joint, 2);
  assert_int_equal(wrist->frame, 2);
  assert_int_equal(wrist->status, SUPPLE_JOINT_OK);
  assert_float_equal(wrist->keeps[0], 0.312, tolerance);
  assert_float_equal(wrist->keeps[1], 0.987, tolerance);
  assert_float_equal(wrist->lowest[1], 0.987, tolerance);
  assert_true(wrist->collapses[0]);
  assert_false(wrist->collapses[1]);
  assert_ptr_equal(verdict_lowest(all, 0), wrist);
  assert_int_equal(verdict_lowest(all, 1)->node, 4); /* 0.95 */
  verdict_free(all);
  fabricated_free(made);
}

static void lowest_of_each_method(void **state) {
  /* DQS at its lowest elsewhere than where the joint is worst. */
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  const size_t at = (6 * results->method_count + 1) * FABRICATED_JOINTS + 2;
  results->instances[1].results[at].own_kept = 0.7f;
  verdict *all = verdict_reach(results);
  const verdict_joint *wrist = &all->joints[0];
  (void)state;
  assert_int_equal(wrist->frame, 2);
  assert_float_equal(wrist->keeps[1], 0.987, tolerance);
  assert_float_equal(wrist->lowest[1], 0.7, tolerance);
  assert_int_equal(wrist->lowest_frame[1], 6);
  assert_true(wrist->collapses[1]);
  assert_int_equal(all->collapsing[1], 1);
  verdict_free(all);
  fabricated_free(made);
}

/* Makes a number of a joint NaN or another in all frames, instances and methods. */
static void set_own_kept(comparison *results, uint32_t joint, float value) {
  for (uint32_t i = 0; i < results->instance_count; i++)
    for (size_t at = 0; at < results->motion->frame_count * results->method_count; at++)
      results->instances[i].results[at * FABRICATED_JOINTS + joint].own_kept = value;
}

static void neighbours_bend_it(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  set_own_kept(results, 3, 0.8f); /* kept falls to 0.5, but at vertices that another joint bends */
  set_own_kept(results, 5, NAN);  /* none of its vertices is ever its own */
  verdict *all = verdict_reach(results);
  (void)state;
  assert_int_equal(all->collapsing[0], 2); /* wrist.L and the one at 0.7, by their sections */
  assert_int_equal(all->measured_count, 4);
  for (uint32_t i = 0; i < all->joint_count; i++) {
    const verdict_joint *row = &all->joints[i];
    if (row->node == 4) {
      assert_false(row->bad);
      assert_float_equal(row->lowest[0], 0.8, tolerance);
    }
    if (row->node == 6) assert_false(row->measured || row->bad);
  }
  verdict_free(all);
  fabricated_free(made);
}

static void ties_by_section(void **state) {
  /* Two joints that keep nothing: the smaller section comes first, though its node comes later. */
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  set_own_kept(results, 2, 0);
  set_own_kept(results, 4, 0);
  for (size_t at = 0; at < results->motion->frame_count * results->method_count; at++)
    results->instances[0].results[at * FABRICATED_JOINTS + 4].worst = 0.1f;
  verdict *all = verdict_reach(results);
  (void)state;
  assert_int_equal(all->joints[0].node, 5);
  assert_int_equal(all->joints[1].node, 3);
  verdict_free(all);
  fabricated_free(made);
}

static void nothing_to_judge(void **state) {
  fabricated *made = fabricated_create(FABRICATED_NOTHING);
  verdict *all = verdict_reach(fabricated_comparison(made));
  (void)state;
  assert_int_equal(all->joint_count, FABRICATED_JOINTS);
  assert_int_equal(all->measured_count, 0);
  assert_int_equal(all->bad_count, 0);
  assert_null(verdict_lowest(all, 0));
  assert_int_equal(all->joints[0].status, SUPPLE_JOINT_RIGID);
  verdict_free(all);
  fabricated_free(made);
}

static void best_status_of_instances(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  results->instances[0].joints[6].status = SUPPLE_JOINT_UNWEIGHTED;
  results->instances[1].joints[6].status = SUPPLE_JOINT_OPEN;
  verdict *all = verdict_reach(results);
  (void)state;
  for (uint32_t i = 0; i < all->joint_count; i++)
    if (all->joints[i].node == 7) assert_int_equal(all->joints[i].status, SUPPLE_JOINT_OPEN);
  verdict_free(all);
  fabricated_free(made);
}

static void counts_in_words(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  const comparison *results = fabricated_comparison(made);
  verdict *all = verdict_reach(results);
  char text[160];
  (void)state;
  assert_string_equal(verdict_count_text(results, all, 0, false, text, sizeof text),
                      "3 of 7 joints collapse under LBS");
  assert_string_equal(verdict_count_text(results, all, 1, true, text, sizeof text),
                      "none of 7 joints collapses under dual quaternion skinning");
  all->collapsing[1] = 1;
  assert_string_equal(verdict_count_text(results, all, 1, false, text, sizeof text),
                      "1 of 7 joints collapses under DQS");
  verdict_free(all);
  fabricated_free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keeps_the_smaller), cmocka_unit_test(ranks_worst_first),
      cmocka_unit_test(says_where),        cmocka_unit_test(lowest_of_each_method),
      cmocka_unit_test(nothing_to_judge),  cmocka_unit_test(best_status_of_instances),
      cmocka_unit_test(counts_in_words),   cmocka_unit_test(neighbours_bend_it),
      cmocka_unit_test(ties_by_section),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
