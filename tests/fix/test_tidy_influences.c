/* test_tidy_influences.c: what is tidy stays, what is not becomes so, and sums are as the validator wants them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/fix/tidy_influences.h"

typedef supplei_stored_influence one;

static uint32_t tidy(one *list, uint32_t count, supplei_weight_type type,
                     supplei_tidy_report *report) {
  memset(report, 0, sizeof *report);
  return supplei_tidy_vertex(list, count, type, report);
}

static void assert_list(const one *list, uint32_t count, const one *wanted) {
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(list[i].joint, wanted[i].joint);
    assert_true(list[i].weight == wanted[i].weight);
  }
}

static void tidy_ones_stay(void **state) {
  (void)state;
  supplei_tidy_report report;
  one list[4] = {{0.5, 7}, {0.25, 3}, {0.25, 9}, {0, 0}}, before[4];
  memcpy(before, list, sizeof list);
  assert_int_equal(tidy(list, 4, SUPPLEI_WEIGHT_F32, &report), 3);
  assert_list(list, 4, before);
  assert_int_equal(report.changed, 0);
  assert_int_equal(report.vertices, 1);
  assert_int_equal(report.most, 3);
}

/* A float sum may be off by 2e-7 for each weight: then the weights stay as they are. */
static void nearly_one_is_one(void **state) {
  (void)state;
  supplei_tidy_report report;
  one near[2] = {{(double)0.7f, 0}, {(double)0.3f, 1}},
      far[2] = {{(double)0.7f, 0}, {(double)0.2999f, 1}};
  tidy(near, 2, SUPPLEI_WEIGHT_F32, &report);
  assert_int_equal(report.changed, 0);
  assert_true(near[1].weight == (double)0.3f);
  tidy(far, 2, SUPPLEI_WEIGHT_F32, &report);
  assert_int_equal(report.off, 1);
  assert_true(fabs(report.worst_sum - 0.9999) < 1e-6);
  assert_true(far[0].weight == (double)(float)((double)0.7f / ((double)0.7f + (double)0.2999f)));
}

static void every_fault_is_mended_and_counted(void **state) {
  (void)state;
  supplei_tidy_report report;
  one twice[4] = {{0.25, 4}, {0.5, 1}, {0.25, 4}, {0, 0}};
  assert_int_equal(tidy(twice, 4, SUPPLEI_WEIGHT_F32, &report), 2);
  assert_list(twice, 4, (one[]){{0.5, 4}, {0.5, 1}, {0, 0}, {0, 0}});
  assert_int_equal(report.duplicates, 1);
  assert_int_equal(report.off, 0);
  one zero[4] = {{1, 2}, {0, 8}, {0, 0}, {0, 0}};
  assert_int_equal(tidy(zero, 4, SUPPLEI_WEIGHT_F32, &report), 1);
  assert_list(zero, 4, (one[]){{1, 2}, {0, 0}, {0, 0}, {0, 0}});
  assert_int_equal(report.zeros, 1);
  one order[4] = {{0.25, 2}, {0, 0}, {0.75, 8}, {0, 0}};
  assert_int_equal(tidy(order, 4, SUPPLEI_WEIGHT_F32, &report), 2);
  assert_list(order, 4, (one[]){{0.75, 8}, {0.25, 2}, {0, 0}, {0, 0}});
  assert_int_equal(report.unordered, 1);
  one negative[4] = {{1, 2}, {-0.5, 8}, {0, 0}, {0, 0}};
  assert_int_equal(tidy(negative, 4, SUPPLEI_WEIGHT_F32, &report), 1);
  assert_list(negative, 4, (one[]){{1, 2}, {0, 0}, {0, 0}, {0, 0}});
  assert_int_equal(report.negatives, 1);
  one none[4] = {{0, 5}, {0, 8}, {-1, 3}, {0, 0}};
  assert_int_equal(tidy(none, 4, SUPPLEI_WEIGHT_U8, &report), 1);
  assert_list(none, 4, (one[]){{255, 5}, {0, 0}, {0, 0}, {0, 0}});
  assert_int_equal(report.unweighted, 1);
}

/* 255 shared by three in equal parts of 3 : 3 : 1 of 7: 109.28, 109.28, 36.43; the unit left goes to the last. */
static void whole_numbers_by_largest_remainder(void **state) {
  (void)state;
  supplei_tidy_report report;
  one list[4] = {{3, 1}, {3, 2}, {1, 3}, {0, 0}};
  assert_int_equal(tidy(list, 4, SUPPLEI_WEIGHT_U8, &report), 3);
  assert_list(list, 4, (one[]){{109, 1}, {109, 2}, {37, 3}, {0, 0}});
  one tiny[3] = {{60000, 1}, {60000, 2}, {1, 3}};
  assert_int_equal(tidy(tiny, 3, SUPPLEI_WEIGHT_U16, &report), 3);
  assert_list(tiny, 3, (one[]){{32767, 1}, {32767, 2}, {1, 3}});
  one lost[3] = {{30000, 1}, {30000, 2}, {1, 3}};
  tidy(lost, 3, SUPPLEI_WEIGHT_U8, &report);
  assert_list(lost, 3, (one[]){{128, 1}, {127, 2}, {0, 0}});
}

static uint32_t next(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

/* Random lists of all types: a second time changes nothing, sums are fine, shares are kept. */
static void again_changes_nothing(void **state) {
  (void)state;
  uint32_t seed = 5;
  const supplei_weight_type types[] = {SUPPLEI_WEIGHT_U8, SUPPLEI_WEIGHT_U16, SUPPLEI_WEIGHT_F32};
  for (int round = 0; round < 30000; round++) {
    const supplei_weight_type type = types[round % 3];
    supplei_tidy_report report;
    one list[12], again[12];
    const uint32_t count = 4 * (1 + next(&seed) / 1431655766u);
    double by_joint[8] = {0}, total = 0;
    for (uint32_t i = 0; i < count; i++) {
      const uint32_t r = next(&seed) >> 8;
      list[i].joint = (uint16_t)(next(&seed) >> 29);
      list[i].weight = r % 3 == 0 ? 0
                       : type == SUPPLEI_WEIGHT_F32
                           ? (double)(float)((r % 1000 - (r % 7 == 1 ? 500.0 : 0)) / 300.0)
                           : (double)(r % (type == SUPPLEI_WEIGHT_U8 ? 256 : 65536));
      by_joint[list[i].joint] += list[i].weight;
    }
    for (int j = 0; j < 8; j++) total += by_joint[j] > 0 ? by_joint[j] : 0;
    const uint32_t n = tidy(list, count, type, &report);
    assert_true(n >= 1 && n <= count);
    assert_true(supplei_weights_sum_fine(list, count, type));
    const double one_is = supplei_weight_one(type);
    for (uint32_t i = 0; i < n; i++) {
      assert_true(list[i].weight > 0 && (i == 0 || list[i - 1].weight >= list[i].weight));
      if (total > 0)
        assert_true(fabs(list[i].weight / one_is - by_joint[list[i].joint] / total) <
                    (type == SUPPLEI_WEIGHT_F32 ? 3e-7 : 1 / one_is));
    }
    memcpy(again, list, sizeof list);
    assert_int_equal(tidy(again, count, type, &report), n);
    assert_int_equal(report.changed, 0);
    assert_list(again, count, list);
  }
}

static void rounding_shares(void **state) {
  (void)state;
  double stored[3];
  supplei_quantise_weights((double[]){0.5, 0.3, 0.2}, 3, SUPPLEI_WEIGHT_U8, stored);
  assert_true(stored[0] == 128 && stored[1] == 76 && stored[2] == 51); /* 127.5, 76.5, 51 */
  supplei_quantise_weights((double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}, 3, SUPPLEI_WEIGHT_U16, stored);
  assert_true(stored[0] + stored[1] + stored[2] == 65535);
  supplei_quantise_weights((double[]){0.1, 0.9, 0}, 3, SUPPLEI_WEIGHT_F32, stored);
  assert_true(stored[0] == (double)0.1f && stored[1] == (double)0.9f && stored[2] == 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tidy_ones_stay),
      cmocka_unit_test(nearly_one_is_one),
      cmocka_unit_test(every_fault_is_mended_and_counted),
      cmocka_unit_test(whole_numbers_by_largest_remainder),
      cmocka_unit_test(again_changes_nothing),
      cmocka_unit_test(rounding_shares),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
