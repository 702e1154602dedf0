/* test_svd.c: singular values: reconstruction, orthogonality, order, extremes. */
#include "tests/math/numbers.h"

#include <float.h>
#include <inttypes.h>
#include <string.h>

/* |u diag vᵀ - a| in parts of the largest singular value, in long double. By Weyl's theorem no
 * singular value is off by more (times 3, the bound of a norm by the largest entry). */
static double reconstruction_error(const supple_mat3 *a, const supple_mat3 *u,
                                   const double values[3], const supple_mat3 *v) {
  long double largest = 0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      long double sum = 0;
      for (int k = 0; k < 3; k++)
        sum += (long double)u->m[i][k] * (long double)values[k] * (long double)v->m[j][k];
      const long double off = fabsl(sum - (long double)a->m[i][j]);
      if (!(off <= largest)) largest = off;
    }
  }
  return values[0] > 0 ? (double)(largest / (long double)values[0]) : (double)largest;
}

static void check(const supple_mat3 *a) {
  supple_mat3 u, v;
  double values[3];
  supple_mat3_svd(a, &u, values, &v);
  assert_true(values[0] >= values[1] && values[1] >= values[2] && values[2] >= 0);
  assert_at_most(reconstruction_error(a, &u, values, &v), 1e-15);
  assert_at_most(orthogonality_error(&u), 2e-15);
  assert_at_most(orthogonality_error(&v), 2e-15);
}

static void random_matrices(void **state) {
  (void)state;
  numbers n = {1};
  for (int i = 0; i < 50000; i++) {
    supple_mat3 a = numbers_mat3(&n);
    if (i % 3 == 0) /* entries of wildly different size */
      for (int j = 0; j < 9; j++) a.m[j / 3][j % 3] *= numbers_magnitude(&n, -20, 20);
    check(&a);
  }
}

static void known_values_of_any_size(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 30000; i++) {
    const supple_mat3 left = numbers_rotation(&n), right = numbers_rotation(&n);
    const double size = i % 2 ? 1 : numbers_magnitude(&n, -290, 290);
    double s[3] = {1, i % 5 ? numbers_magnitude(&n, -18, 0) : 1, 0};
    s[2] = i % 7 ? s[1] * numbers_in(&n, 0, 1) : s[1];
    const supple_mat3 a = with_values(&left, s[0] * size, s[1] * size, s[2] * size, &right);
    check(&a);
    supple_mat3 u, v;
    double values[3];
    supple_mat3_svd(&a, &u, values, &v);
    for (int k = 0; k < 3; k++) assert_at_most(fabs(values[k] - s[k] * size), 3e-15 * size);
  }
}

static void singular_matrices(void **state) {
  (void)state;
  numbers n = {3};
  const supple_mat3 zero = diagonal(0, 0, 0);
  check(&zero);
  for (int i = 0; i < 20000; i++) {
    const supple_vec3 p = numbers_vec3(&n, 1), q = numbers_vec3(&n, 1);
    const double p_parts[3] = {p.x, p.y, p.z}, q_parts[3] = {q.x, q.y, q.z};
    supple_mat3 a; /* rank 1, up to rounding; exactly where i % 4 == 0 */
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        a.m[r][c] = i % 4 ? p_parts[r] * q_parts[c] : floor(4 * p_parts[r]) * floor(4 * q_parts[c]);
    check(&a);
    for (int r = 0; r < 3; r++) a.m[r][i % 3] = 0; /* a zero column */
    check(&a);
    a = numbers_mat3(&n);
    for (int r = 0; r < 3; r++) a.m[r][1] = a.m[r][0]; /* equal columns */
    check(&a);
    for (int c = 0; c < 3; c++) a.m[i % 3][c] = 0; /* and a zero row */
    check(&a);
  }
  const supple_mat3 ones = {{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}};
  check(&ones);
}

static void special_matrices(void **state) {
  (void)state;
  const double ends[] = {0, 1, -1, 0x1p-1074, DBL_MIN, 1e-160, 1e-155, 1e155, DBL_MAX / 4, -1e-300};
  numbers n = {4};
  for (int i = 0; i < 50000; i++) {
    supple_mat3 a;
    for (int j = 0; j < 9; j++) a.m[j / 3][j % 3] = ends[numbers_bits(&n) % 10];
    check(&a);
  }
  numbers m = {5};
  for (int i = 0; i < 2000; i++) { /* a rotation is its own u vᵀ */
    const supple_mat3 r = numbers_rotation(&m);
    supple_mat3 u, v;
    double values[3];
    supple_mat3_svd(&r, &u, values, &v);
    for (int k = 0; k < 3; k++) assert_at_most(fabs(values[k] - 1), 1e-15);
  }
}

/* A small value whose column stands apart is found to its own precision. */
static void small_columns_keep_their_digits(void **state) {
  (void)state;
  numbers n = {6};
  for (int i = 0; i < 5000; i++) {
    const supple_mat3 r = numbers_rotation(&n);
    const supple_mat3 d = diagonal(1, 1e-8, 1e-100);
    const supple_mat3 a = supple_mat3_multiply(&r, &d);
    supple_mat3 u, v;
    double values[3];
    supple_mat3_svd(&a, &u, values, &v);
    assert_at_most(fabs(values[1] / 1e-8 - 1), 1e-14);
    assert_at_most(fabs(values[2] / 1e-100 - 1), 1e-14);
  }
}

static void not_a_number_in_not_a_number_out(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    supple_mat3 a = supple_mat3_identity(), u, v;
    a.m[1][2] = i ? (double)INFINITY : (double)NAN;
    double values[3];
    supple_mat3_svd(&a, &u, values, &v);
    assert_true(isnan(values[0]) && isnan(values[1]) && isnan(values[2]));
    assert_at_most(orthogonality_error(&u) + orthogonality_error(&v), 0);
  }
}

static void results_have_these_bits(void **state) {
  (void)state;
  numbers n = {7};
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < 5000; i++) {
    const supple_mat3 a = numbers_mat3(&n);
    struct {
      supple_mat3 u, v;
      double values[3];
    } result;
    supple_mat3_svd(&a, &result.u, result.values, &result.v);
    uint64_t words[sizeof result / sizeof(uint64_t)];
    memcpy(words, &result, sizeof words);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      hash = (hash ^ words[k]) * 0x100000001b3u;
  }
  if (hash != UINT64_C(0xabb0ddd1e4a2c258)) print_error("hash 0x%016" PRIx64 "\n", hash);
  assert_true(hash == UINT64_C(0xabb0ddd1e4a2c258));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_matrices),
      cmocka_unit_test(known_values_of_any_size),
      cmocka_unit_test(singular_matrices),
      cmocka_unit_test(special_matrices),
      cmocka_unit_test(small_columns_keep_their_digits),
      cmocka_unit_test(not_a_number_in_not_a_number_out),
      cmocka_unit_test(results_have_these_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
