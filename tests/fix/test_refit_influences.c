/* test_refit_influences.c: fewer influences move a vertex as near as may be, and never farther than the largest do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/memory.h"
#include "src/fix/refit_influences.h"

static supplei_refit_scratch scratch(void) {
  supplei_refit_scratch s = {.capacity = 0};
  s.allocator = supplei_allocator(NULL);
  return s;
}

static uint32_t next(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }
static double random_number(uint32_t *state) { return (double)(next(state) >> 8) / 8388608 - 1; }

/* The largest distance of two sets of weights, of any scale, over all poses. */
static double apart(const double *points, uint32_t poses, uint32_t count, const double *a,
                    const double *b) {
  double most = 0, sum_a = 0, sum_b = 0;
  for (uint32_t j = 0; j < count; j++) sum_a += a[j], sum_b += b[j];
  for (uint32_t f = 0; f < poses; f++) {
    double square = 0;
    for (uint32_t c = 0; c < 3; c++) {
      double off = 0;
      for (uint32_t j = 0; j < count; j++)
        off += (a[j] / sum_a - b[j] / sum_b) * points[(f * count + j) * 3 + c];
      square += off * off;
    }
    if (square > most) most = square;
  }
  return sqrt(most);
}

/* Two joints that move alike are one: three of four influences lose nothing. */
static void joints_that_move_alike_are_one(void **state) {
  (void)state;
  double points[10 * 4 * 3], stored[4];
  uint32_t seed = 1;
  for (int f = 0; f < 10; f++)
    for (int j = 0; j < 4; j++)
      for (int c = 0; c < 3; c++)
        points[(f * 4 + j) * 3 + c] = j == 3 ? points[f * 12 + c] : random_number(&seed);
  const double weights[4] = {0.3, 0.3, 0.25, 0.15};
  const supplei_refit refit = {4, 3, weights, 10, 0, points, NULL, SUPPLEI_WEIGHT_F32};
  supplei_refit_scratch s = scratch();
  supplei_refitted result;
  assert_int_equal(supplei_refit_vertex(&refit, &s, stored, &result), SUPPLE_OK);
  assert_true(result.refitted && result.truncated > 0.05 && result.largest < 1e-6);
  assert_true(fabs(stored[0] + stored[3] - 0.45) < 1e-6 && (stored[0] == 0 || stored[3] == 0));
  supplei_refit_scratch_free(&s);
}

/* Random vertices, 5 to 14 influences to 4 (all sets, and by exchange), of all types: what is promised holds. */
static void never_worse_often_much_better(void **state) {
  (void)state;
  const supplei_weight_type types[] = {SUPPLEI_WEIGHT_F32, SUPPLEI_WEIGHT_U8, SUPPLEI_WEIGHT_U16};
  supplei_refit_scratch s = scratch();
  uint32_t seed = 9, better = 0, rounds = 240;
  double ratio = 0;
  for (uint32_t round = 0; round < rounds; round++) {
    const uint32_t count = 5 + round % 10, poses = 1 + round % 40, most = 4;
    double *points = malloc((size_t)poses * count * 3 * sizeof *points);
    double weights[14], cut[14], cut_stored[14], stored[14], sum = 0, cut_sum = 0, total = 0;
    for (uint32_t i = 0; i < poses * count * 3; i++) points[i] = random_number(&seed);
    for (uint32_t j = 0; j < count; j++) sum += weights[j] = 1.0 / (1 + j) + 0.01;
    for (uint32_t j = 0; j < count; j++) weights[j] /= sum;
    for (uint32_t j = 0; j < most; j++) cut_sum += weights[j];
    for (uint32_t j = 0; j < count; j++) cut[j] = j < most ? weights[j] / cut_sum : 0;
    const supplei_refit refit = {count, most, weights, poses, 0, points, NULL, types[round % 3]};
    supplei_quantise_weights(cut, count, refit.type, cut_stored);
    supplei_refitted result;
    assert_int_equal(supplei_refit_vertex(&refit, &s, stored, &result), SUPPLE_OK);
    uint32_t used = 0;
    for (uint32_t j = 0; j < count; j++) {
      assert_true(stored[j] >= 0);
      used += stored[j] > 0;
      total += stored[j];
    }
    assert_true(used >= 1 && used <= most);
    const double one = supplei_weight_one(refit.type);
    assert_true(fabs(total / one - 1) < (refit.type == SUPPLEI_WEIGHT_F32 ? 3e-7 : 1e-12));
    const double with = apart(points, poses, count, stored, weights);
    const double without = apart(points, poses, count, cut_stored, weights);
    assert_true(fabs(with - result.largest) < 1e-9 && fabs(without - result.truncated) < 1e-9);
    assert_true(with <= without);
    better += with < without;
    ratio += with / without;
    free(points);
  }
  assert_true(better > rounds * 9 / 10);
  assert_true(ratio / rounds < 0.9); /* random ways have little in common */
  supplei_refit_scratch_free(&s);
}

/* Bits do not depend on what the memory held before. */
static void the_same_problem_the_same_bits(void **state) {
  (void)state;
  supplei_refit_scratch a = scratch(), b = scratch();
  double points[20 * 7 * 3], weights[7], first[7], second[7];
  uint32_t seed = 77;
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) points[i] = random_number(&seed);
  for (int j = 0; j < 7; j++) weights[j] = (8 - j) / 35.0;
  const supplei_refit refit = {7, 4, weights, 20, 0, points, NULL, SUPPLEI_WEIGHT_F32};
  supplei_refitted result;
  assert_int_equal(supplei_refit_vertex(&refit, &a, first, &result), SUPPLE_OK);
  /* a scratch that other problems left behind changes nothing */
  double other[20 * 7 * 3], spare[7];
  for (size_t i = 0; i < sizeof other / sizeof *other; i++) other[i] = random_number(&seed);
  const supplei_refit different = {7, 2, weights, 20, 0, other, NULL, SUPPLEI_WEIGHT_U8};
  assert_int_equal(supplei_refit_vertex(&different, &b, spare, &result), SUPPLE_OK);
  assert_int_equal(supplei_refit_vertex(&refit, &b, second, &result), SUPPLE_OK);
  assert_memory_equal(first, second, sizeof first);
  supplei_refit_scratch_free(&a);
  supplei_refit_scratch_free(&b);
}

/* Two joints that no clip parts: spare poses, in which they part, decide which of them stays, and by how much the others
 * make up for it; the clip's poses lose next to nothing. */
static void spare_poses_settle_what_is_open(void **state) {
  (void)state;
  supplei_refit_scratch s = scratch();
  double points[4 * 3 * 3], stored[3], alone[3];
  const double weights[3] = {0.4, 0.35, 0.25};
  uint32_t seed = 11;
  for (size_t i = 0; i < sizeof points / sizeof *points; i++) points[i] = random_number(&seed);
  for (int c = 0; c < 3;
       c++) { /* joint 2 goes with joint 1 in the first pose, with joint 0 in the others */
    points[6 + c] = points[3 + c];
    for (int f = 1; f < 4; f++) points[9 * f + 6 + c] = points[9 * f + c];
  }
  supplei_refitted result;
  const supplei_refit with = {3, 2, weights, 4, 3, points, NULL, SUPPLEI_WEIGHT_F32};
  const supplei_refit without = {3, 2, weights, 1, 0, points, NULL, SUPPLEI_WEIGHT_F32};
  assert_int_equal(supplei_refit_vertex(&without, &s, alone, &result), SUPPLE_OK);
  assert_true(result.largest < 1e-6);
  assert_int_equal(supplei_refit_vertex(&with, &s, stored, &result), SUPPLE_OK);
  assert_true(result.largest < 0.1 * result.truncated && result.largest > 1e-6);
  assert_true(stored[0] > 0.4 && stored[0] < 0.45);
  supplei_refit_scratch_free(&s);
}

/* Without poses, or where nothing moves, the largest weights stay. */
static void nothing_to_go_by(void **state) {
  (void)state;
  supplei_refit_scratch s = scratch();
  const double weights[3] = {0.5, 0.3, 0.2}, still[9] = {1, 2, 3, 1, 2, 3, 1, 2, 3};
  double stored[3];
  supplei_refitted result;
  const supplei_refit none = {3, 2, weights, 0, 0, still, NULL, SUPPLEI_WEIGHT_F32};
  const supplei_refit rest = {3, 2, weights, 1, 0, still, NULL, SUPPLEI_WEIGHT_F32};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(supplei_refit_vertex(i ? &rest : &none, &s, stored, &result), SUPPLE_OK);
    assert_true(stored[0] == (double)0.625f && stored[1] == (double)0.375f && stored[2] == 0);
    assert_true(result.largest < 1e-6);
  }
  supplei_refit_scratch_free(&s);
}

static void *no_memory(void *user, size_t size) {
  (void)user, (void)size;
  return NULL;
}
static void release_none(void *user, void *memory, size_t size) {
  (void)user, (void)memory, (void)size;
}

static void without_memory(void **state) {
  (void)state;
  supplei_refit_scratch s = {.allocator = {no_memory, release_none, NULL}};
  const double weights[2] = {0.5, 0.5}, points[6] = {0};
  double stored[2];
  supplei_refitted result;
  const supplei_refit refit = {2, 1, weights, 1, 0, points, NULL, SUPPLEI_WEIGHT_F32};
  assert_int_equal(supplei_refit_vertex(&refit, &s, stored, &result), SUPPLE_ERROR_MEMORY);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(joints_that_move_alike_are_one),
      cmocka_unit_test(never_worse_often_much_better),
      cmocka_unit_test(the_same_problem_the_same_bits),
      cmocka_unit_test(spare_poses_settle_what_is_open),
      cmocka_unit_test(nothing_to_go_by),
      cmocka_unit_test(without_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
