/* test_influences.c: every repair of one vertex's influences, and its count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "src/mesh/influences.h"
#include "tests/mesh/mesh_tests.h"

typedef struct cleaned {
  supplei_influence *list;
  uint32_t n, pivot;
  double sum;
  supple_binding_report report;
} cleaned;

/* `list` has room for `count` and no more. The report starts at zero. */
static cleaned clean(const uint16_t *joints, const float *weights, uint32_t count,
                     supple_binding_options options) {
  cleaned out = {.list = malloc(count * sizeof *out.list)};
  assert_non_null(out.list);
  out.n = supplei_influences_clean(joints, weights, count, &options, out.list, &out.pivot, &out.sum,
                                   &out.report);
  assert_true(out.n <= count);
  for (uint32_t i = 0; i < out.n; i++) {
    assert_true(out.list[i].weight > 0);
    assert_true(i == 0 || out.list[i - 1].joint < out.list[i].joint);
  }
  return out;
}

static void assert_repairs(const supple_binding_report *r, uint32_t duplicates, uint32_t negatives,
                           uint32_t renormalised, uint32_t unweighted, uint32_t limited) {
  assert_int_equal(r->duplicates, duplicates);
  assert_int_equal(r->negatives, negatives);
  assert_int_equal(r->renormalised, renormalised);
  assert_int_equal(r->unweighted, unweighted);
  assert_int_equal(r->limited, limited);
}

static void assert_influence(const cleaned *c, uint32_t i, uint32_t joint, double weight) {
  assert_true(i < c->n);
  assert_int_equal(c->list[i].joint, joint);
  assert_close(c->list[i].weight, weight, 1e-15);
}

static const supple_binding_options defaults;
static const supple_binding_options to_rest = {.unweighted = SUPPLE_UNWEIGHTED_REST};

static void clean_ones_are_only_sorted(void **state) {
  (void)state;
  cleaned c =
      clean((uint16_t[]){5, 2, 65535, 0}, (float[]){0.25f, 0.5f, 0.125f, 0.125f}, 4, defaults);
  assert_int_equal(c.n, 4);
  assert_influence(&c, 0, 0, 0.125);
  assert_influence(&c, 1, 2, 0.5);
  assert_influence(&c, 2, 5, 0.25);
  assert_influence(&c, 3, 65535, 0.125);
  assert_int_equal(c.pivot, 1);
  assert_true(c.sum == 1);
  assert_repairs(&c.report, 0, 0, 0, 0, 0);
  free(c.list);
}

static void zeros_are_padding(void **state) {
  (void)state;
  cleaned c = clean((uint16_t[]){3, 3, 0, 0}, (float[]){1, 0, 0, -0.0f}, 4, defaults);
  assert_int_equal(c.n, 1);
  assert_influence(&c, 0, 3, 1);
  assert_repairs(&c.report, 0, 0, 0, 0, 0);
  free(c.list);
}

static void a_joint_named_twice_is_merged(void **state) {
  (void)state;
  cleaned c = clean((uint16_t[]){4, 1, 4, 4}, (float[]){0.25f, 0.25f, 0.25f, 0.25f}, 4, defaults);
  assert_int_equal(c.n, 2);
  assert_influence(&c, 0, 1, 0.25);
  assert_influence(&c, 1, 4, 0.75);
  assert_int_equal(c.pivot, 1);
  assert_repairs(&c.report, 2, 0, 0, 0, 0);
  free(c.list);

  /* Merged before clipped: what is left above zero was never negative. */
  c = clean((uint16_t[]){2, 2}, (float[]){0.75f, -0.25f}, 2, defaults);
  assert_int_equal(c.n, 1);
  assert_influence(&c, 0, 2, 1);
  assert_true(c.sum == 0.5);
  assert_repairs(&c.report, 1, 0, 1, 0, 0);
  free(c.list);

  c = clean((uint16_t[]){2, 2}, (float[]){0.25f, -0.75f}, 2, defaults);
  assert_influence(&c, 0, 2, 1);
  assert_true(c.sum == 0);
  assert_repairs(&c.report, 1, 1, 0, 1, 0);
  free(c.list);

  c = clean((uint16_t[]){2, 3, 2}, (float[]){0.5f, 1, -0.5f}, 3, defaults);
  assert_int_equal(c.n, 1);
  assert_influence(&c, 0, 3, 1);
  assert_repairs(&c.report, 1, 0, 0, 0, 0);
  free(c.list);
}

static void negatives_are_clipped(void **state) {
  (void)state;
  cleaned c = clean((uint16_t[]){0, 1, 2}, (float[]){0.5f, -0.25f, 0.5f}, 3, defaults);
  assert_int_equal(c.n, 2);
  assert_influence(&c, 0, 0, 0.5);
  assert_influence(&c, 1, 2, 0.5);
  assert_true(c.sum == 1); /* as stored, negatives clipped */
  assert_repairs(&c.report, 0, 1, 0, 0, 0);
  free(c.list);
}

static void sums_off_by_more_than_1e_5_are_counted(void **state) {
  (void)state;
  static const struct {
    float second;
    uint32_t counted;
  } cases[] = {{0.5f + 0x1p-17f, 0},
               {0.5f + 0x1p-16f, 1},
               {0.5f - 0x1p-17f, 0},
               {0.5f - 0x1p-16f, 1},
               {1.5f, 1},
               {0.5f, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cleaned c = clean((uint16_t[]){0, 1}, (float[]){0.5f, cases[i].second}, 2, defaults);
    double sum = 0.5 + (double)cases[i].second;
    assert_int_equal(c.report.renormalised, cases[i].counted);
    assert_true(c.sum == sum);
    assert_influence(&c, 0, 0, 0.5 / sum); /* divided, counted or not */
    assert_influence(&c, 1, 1, (double)cases[i].second / sum);
    free(c.list);
  }
}

static void without_weight_a_policy_decides(void **state) {
  (void)state;
  static const float weights[][2] = {{0, 0}, {-0.0f, 0}, {-1, 0}, {-1, -2}};
  static const uint32_t negatives[] = {0, 0, 1, 2};
  for (size_t i = 0; i < 4; i++) {
    cleaned c = clean((uint16_t[]){7, 3}, weights[i], 2, defaults);
    assert_int_equal(c.n, 1);
    assert_influence(&c, 0, 7, 1);
    assert_int_equal(c.pivot, 0);
    assert_true(c.sum == 0);
    assert_repairs(&c.report, 0, negatives[i], 0, 1, 0);
    free(c.list);
    c = clean((uint16_t[]){7, 3}, weights[i], 2, to_rest);
    assert_int_equal(c.n, 0);
    assert_true(c.sum == 0);
    assert_repairs(&c.report, 0, negatives[i], 0, 1, 0);
    free(c.list);
  }
}

static void the_largest_k_stay(void **state) {
  (void)state;
  const uint16_t joints[] = {3, 0, 2, 1};
  const float weights[] = {0.25f, 0.5f, 0.125f, 0.0625f};
  for (uint32_t k = 1; k <= 5; k++) {
    cleaned c = clean(joints, weights, 4, (supple_binding_options){.max_influences = k});
    static const double kept[] = {0, 0.5, 0.75, 0.875, 0.9375, 0.9375};
    assert_int_equal(c.n, k < 4 ? k : 4);
    assert_true(c.sum == 0.9375); /* before any was dropped */
    assert_repairs(&c.report, 0, 0, 1, 0, k < 4 ? 4 - k : 0);
    assert_close(c.report.largest_dropped, (0.9375 - kept[k]) / 0.9375, 1e-7);
    assert_influence(&c, 0, 0, 0.5 / kept[k]);
    assert_int_equal(c.pivot, 0);
    if (k == 2) assert_influence(&c, 1, 3, 0.25 / kept[k]);
    if (k == 3) assert_influence(&c, 1, 2, 0.125 / kept[k]);
    if (k == 3) assert_influence(&c, 2, 3, 0.25 / kept[k]);
    free(c.list);
  }
  /* Ties to the lowest joint, wherever it was stored. */
  cleaned c = clean((uint16_t[]){9, 5, 1, 3}, (float[]){0.25f, 0.25f, 0.25f, 0.25f}, 4,
                    (supple_binding_options){.max_influences = 2});
  assert_int_equal(c.n, 2);
  assert_influence(&c, 0, 1, 0.5);
  assert_influence(&c, 1, 3, 0.5);
  free(c.list);
  /* Merged before limited. */
  c = clean((uint16_t[]){9, 5, 9}, (float[]){0.25f, 0.375f, 0.25f}, 3,
            (supple_binding_options){.max_influences = 1});
  assert_influence(&c, 0, 9, 1);
  assert_close(c.report.largest_dropped, 0.375 / 0.875, 1e-7);
  free(c.list);
}

static void the_pivot_of_a_tie_is_the_lowest_joint(void **state) {
  (void)state;
  cleaned c = clean((uint16_t[]){6, 2, 4}, (float[]){0.375f, 0.25f, 0.375f}, 3, defaults);
  assert_int_equal(c.list[c.pivot].joint, 4);
  free(c.list);
  c = clean((uint16_t[]){6, 2}, (float[]){0.5f, 0.5f}, 2, defaults);
  assert_int_equal(c.list[c.pivot].joint, 2);
  free(c.list);
}

static void tiny_and_huge_weights_have_shares(void **state) {
  (void)state;
  const float denormal = 0x1p-149f;
  cleaned c = clean((uint16_t[]){0, 1}, (float[]){denormal, 3 * denormal}, 2, defaults);
  assert_influence(&c, 0, 0, 0.25);
  assert_influence(&c, 1, 1, 0.75);
  assert_true((float)c.sum > 0);
  free(c.list);
  c = clean((uint16_t[]){0, 1}, (float[]){FLT_MAX, FLT_MAX}, 2, defaults);
  assert_influence(&c, 0, 0, 0.5);
  assert_influence(&c, 1, 1, 0.5);
  free(c.list);
  /* A share that no float holds is no influence; one that a denormal holds is. */
  c = clean((uint16_t[]){0, 1}, (float[]){FLT_MAX, 1e-30f}, 2, defaults);
  assert_int_equal(c.n, 1);
  assert_influence(&c, 0, 0, 1);
  free(c.list);
  c = clean((uint16_t[]){1, 0}, (float[]){1, denormal}, 2, defaults);
  assert_int_equal(c.n, 2);
  assert_int_equal(c.pivot, 1);
  free(c.list);
}

/* ---- long lists, against a table by joint ---- */

enum { TABLE = 512 };

static void check_against_table(const uint16_t *joints, const float *weights, uint32_t count,
                                uint32_t most) {
  double table[TABLE] = {0}, sum = 0, kept = 0;
  bool named[TABLE] = {false};
  uint32_t duplicates = 0, negatives = 0, positive = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (weights[i] == 0) continue;
    duplicates += named[joints[i]];
    named[joints[i]] = true;
    table[joints[i]] += (double)weights[i];
  }
  for (uint32_t j = 0; j < TABLE; j++) {
    negatives += table[j] < 0;
    if (table[j] <= 0) table[j] = 0;
    positive += table[j] > 0;
    sum += table[j];
  }
  for (uint32_t left = positive; most && left > most; left--) {
    uint32_t least = TABLE;
    for (uint32_t j = 0; j < TABLE; j++)
      if (table[j] > 0 && (least == TABLE || table[j] <= table[least])) least = j;
    table[least] = 0;
  }
  for (uint32_t j = 0; j < TABLE; j++) kept += table[j];
  cleaned c = clean(joints, weights, count, (supple_binding_options){.max_influences = most});
  uint32_t expected = most && positive > most ? most : positive;
  assert_repairs(&c.report, duplicates, negatives, fabs(sum - 1) > 1e-5, 0, positive - expected);
  assert_int_equal(c.n, expected);
  assert_true(c.sum == sum);
  uint32_t at = 0, best = TABLE;
  for (uint32_t j = 0; j < TABLE; j++) {
    if (table[j] > 0) assert_influence(&c, at++, j, table[j] / kept);
    if (table[j] > 0 && (best == TABLE || table[j] > table[best])) best = j;
  }
  assert_int_equal(c.list[c.pivot].joint, best);
  free(c.list);
}

static void long_lists_too(void **state) {
  (void)state;
  uint16_t joints[300];
  float weights[300];
  for (uint32_t i = 0; i < 300; i++) joints[i] = (uint16_t)(299 - i), weights[i] = (float)(i + 1);
  check_against_table(joints, weights, 300, 0);
  check_against_table(joints, weights, 300, 13);
  for (uint32_t i = 0; i < 300; i++) joints[i] = (uint16_t)(i % 100);
  check_against_table(joints, weights, 300, 0);
  check_against_table(joints, weights, 300, 99);
  uint64_t random = 7;
  for (uint32_t trial = 0; trial < 2000; trial++) {
    uint32_t count = 1 + (uint32_t)(random_bits(&random) >> 32) % 60;
    uint32_t spread = 1 + (uint32_t)(random_bits(&random) >> 32) % TABLE;
    for (uint32_t i = 0; i < count; i++) {
      joints[i] = (uint16_t)((random_bits(&random) >> 32) % spread);
      /* Few values, exact sums: ties, zeros and cancellation are common. */
      weights[i] = (float)((int)(random_bits(&random) >> 32) % 8 - 2) * 0.125f;
    }
    joints[0] = 0, weights[0] = 100;
    check_against_table(joints, weights, count, trial % 3 ? trial % 20 : 0);
  }
}

/* Time that grew with the square of the list's length would show here. */
static void as_many_as_there_are_joints(void **state) {
  (void)state;
  enum { ALL = 65536 };
  static uint16_t joints[2 * ALL];
  static float weights[2 * ALL];
  for (uint32_t i = 0; i < 2 * ALL; i++) {
    joints[i] = (uint16_t)(ALL - 1 - i % ALL);
    weights[i] = joints[i] == ALL - 1 ? 2 : 1;
  }
  cleaned c = clean(joints, weights, 2 * ALL, defaults);
  assert_int_equal(c.n, ALL);
  assert_int_equal(c.pivot, ALL - 1);
  assert_true(c.sum == 2.0 * ALL + 2);
  assert_repairs(&c.report, ALL, 0, 1, 0, 0);
  free(c.list);
  c = clean(joints, weights, 2 * ALL, (supple_binding_options){.max_influences = ALL / 2});
  assert_int_equal(c.n, ALL / 2);
  assert_int_equal(c.list[ALL / 2 - 2].joint, ALL / 2 - 2);
  assert_int_equal(c.list[ALL / 2 - 1].joint, ALL - 1);
  assert_int_equal(c.report.limited, ALL / 2);
  free(c.list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clean_ones_are_only_sorted),
      cmocka_unit_test(zeros_are_padding),
      cmocka_unit_test(a_joint_named_twice_is_merged),
      cmocka_unit_test(negatives_are_clipped),
      cmocka_unit_test(sums_off_by_more_than_1e_5_are_counted),
      cmocka_unit_test(without_weight_a_policy_decides),
      cmocka_unit_test(the_largest_k_stay),
      cmocka_unit_test(the_pivot_of_a_tie_is_the_lowest_joint),
      cmocka_unit_test(tiny_and_huge_weights_have_shares),
      cmocka_unit_test(long_lists_too),
      cmocka_unit_test(as_many_as_there_are_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
