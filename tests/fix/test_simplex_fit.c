/* test_simplex_fit.c: weights on a simplex against problems whose answer is known, and against a fine grid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "src/fix/simplex_fit.h"

static double fit(const double *gram, uint32_t count, const uint32_t *set, uint32_t set_count,
                  const double *prior, double *weights) {
  double *numbers = calloc(supplei_simplex_numbers(count), sizeof *numbers);
  assert_non_null(numbers);
  const supplei_simplex simplex = supplei_simplex_place(count, numbers);
  const double form = supplei_simplex_fit(&simplex, gram, set, set_count, prior, weights);
  free(numbers);
  return form;
}

/* The point of a segment, and of a triangle, that is nearest to the origin. */
static void nearest_points(void **state) {
  (void)state;
  const uint32_t both[] = {0, 1, 2};
  double weights[3];
  /* points -1 and 3 on a line: the origin is 3 : 1 between them */
  const double line[4] = {1, -3, -3, 9};
  double form = fit(line, 2, both, 2, (double[]){0.5, 0.5}, weights);
  assert_true(fabs(weights[0] - 0.75) < 1e-9 && fabs(weights[1] - 0.25) < 1e-9 && form < 1e-12);
  /* points 1 and 3: all on the first */
  const double right[4] = {1, 3, 3, 9};
  form = fit(right, 2, both, 2, (double[]){0.5, 0.5}, weights);
  assert_true(weights[0] == 1 && weights[1] == 0 && fabs(form - 1) < 1e-12);
  /* a corner that is away: (1, 1), (1, -1), (5, 0): half and half of the first two */
  const double triangle[9] = {2, 0, 5, 0, 2, 5, 5, 5, 25};
  form = fit(triangle, 3, both, 3, (double[]){0.2, 0.2, 0.6}, weights);
  assert_true(fabs(weights[0] - 0.5) < 1e-9 && fabs(weights[1] - 0.5) < 1e-9 && weights[2] == 0);
  assert_true(fabs(form - 1) < 1e-9);
  /* only the last two may have weight */
  form = fit(triangle, 3, both + 1, 2, (double[]){0.2, 0.2, 0.6}, weights);
  assert_true(weights[0] == 0 && weights[1] == 1);
}

/* Where the form leaves it open, the prior decides. */
static void open_directions_follow_the_prior(void **state) {
  (void)state;
  const uint32_t all[] = {0, 1, 2};
  const double nothing[9] = {0}, same[9] = {4, 4, -4, 4, 4, -4, -4, -4, 4};
  double weights[3];
  fit(nothing, 3, all, 3, (double[]){0.2, 0.3, 0.5}, weights);
  assert_true(fabs(weights[0] - 0.2) < 1e-9 && fabs(weights[1] - 0.3) < 1e-9);
  /* the first two move alike: their sum is ½, and shared as the prior has it, 0.1 apart */
  fit(same, 3, all, 3, (double[]){0.2, 0.3, 0.5}, weights);
  assert_true(fabs(weights[2] - 0.5) < 1e-6 && fabs(weights[1] - weights[0] - 0.1) < 1e-3);
}

static uint32_t next(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

/* No point of a grid over the simplex is better. */
static void nothing_is_better(void **state) {
  (void)state;
  uint32_t seed = 3;
  for (int round = 0; round < 300; round++) {
    const uint32_t all[] = {0, 1, 2, 3};
    double gram[16] = {0}, weights[4], prior[4] = {0.25, 0.25, 0.25, 0.25};
    for (int f = 0; f < 1 + round % 6; f++) {
      double x[4];
      for (int i = 0; i < 4; i++) x[i] = (double)(next(&seed) >> 8) / 8388608 - 0.9;
      for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) gram[4 * i + k] += x[i] * x[k];
    }
    const double form = fit(gram, 4, all, 4, prior, weights);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
      assert_true(weights[i] >= 0);
      sum += weights[i];
    }
    assert_true(fabs(sum - 1) < 1e-12);
    for (int a = 0; a <= 20; a++)
      for (int b = 0; a + b <= 20; b++)
        for (int c = 0; a + b + c <= 20; c++) {
          const double w[4] = {a / 20.0, b / 20.0, c / 20.0, (20 - a - b - c) / 20.0};
          double other = 0;
          for (int i = 0; i < 4; i++)
            for (int k = 0; k < 4; k++) other += w[i] * gram[4 * i + k] * w[k];
          assert_true(form <= other + 1e-8);
        }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nearest_points),
      cmocka_unit_test(open_directions_follow_the_prior),
      cmocka_unit_test(nothing_is_better),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
