/* test_affine.c: 3×3 matrices, affine maps and their inverses, translation · rotation · scale. */
#include "tests/math/numbers.h"

#include <float.h>
#include <string.h>

static void cofactor_and_determinant(void **state) {
  (void)state;
  numbers n = {1};
  for (int i = 0; i < 20000; i++) {
    const supple_mat3 a = numbers_mat3(&n);
    const supple_mat3 cofactor = supple_mat3_cofactor(&a);
    const supple_mat3 t = supple_mat3_transpose(&a);
    const double det = supple_mat3_determinant(&a);
    /* aᵀ cof(a) = det(a) · identity, from either side */
    const supple_mat3 product = supple_mat3_multiply(&t, &cofactor);
    const supple_mat3 expected = diagonal(det, det, det);
    assert_at_most(mat3_difference(&product, &expected), 2e-15);
    /* det = x · (y × z) of the columns */
    const supple_vec3 x = {a.m[0][0], a.m[1][0], a.m[2][0]}, y = {a.m[0][1], a.m[1][1], a.m[2][1]};
    const supple_vec3 z = {a.m[0][2], a.m[1][2], a.m[2][2]};
    assert_at_most(fabs(supple_vec3_dot(x, supple_vec3_cross(y, z)) - det), 2e-15);
    /* areas: a u × a v = cof(a) (u × v) */
    const supple_vec3 u = numbers_vec3(&n, 1), v = numbers_vec3(&n, 1);
    const supple_vec3 area = supple_vec3_cross(supple_mat3_apply(&a, u), supple_mat3_apply(&a, v));
    assert_at_most(vec3_difference(area, supple_mat3_apply(&cofactor, supple_vec3_cross(u, v))),
                   1e-14);
  }
  const supple_mat3 rank_one = {{{1, 2, 3}, {2, 4, 6}, {3, 6, 9}}};
  const supple_mat3 cofactor = supple_mat3_cofactor(&rank_one);
  assert_true(mat3_largest(&cofactor) == 0 && supple_mat3_determinant(&rank_one) == 0);
}

static void products_by_hand(void **state) {
  (void)state;
  const supple_affine64 a = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
  const supple_affine64 b = {{{2, 0, 1, -1}, {0, 3, 0, 5}, {1, 0, -2, 2}}};
  const supple_affine64 expected = {{{5, 6, -5, 19}, {17, 18, -9, 47}, {29, 30, -13, 75}}};
  const supple_affine64 got = supple_affine64_multiply(&a, &b);
  assert_at_most(affine_difference(&got, &expected), 0);
  const supple_vec3 p = {1, -2, 3};
  assert_at_most(
      vec3_difference(supple_affine64_transform_point(&a, p), supple_vec3_make(10, 22, 34)), 0);
  assert_at_most(
      vec3_difference(supple_affine64_transform_direction(&a, p), supple_vec3_make(6, 14, 22)), 0);
  assert_at_most(vec3_difference(supple_affine64_translation(&a), supple_vec3_make(4, 8, 12)), 0);
  const supple_mat3 linear = supple_affine64_linear(&a);
  const supple_mat3 expected_linear = {{{1, 2, 3}, {5, 6, 7}, {9, 10, 11}}};
  assert_at_most(mat3_difference(&linear, &expected_linear), 0);
  const supple_affine64 one = supple_affine64_identity();
  const supple_affine64 left = supple_affine64_multiply(&one, &a);
  const supple_affine64 right = supple_affine64_multiply(&a, &one);
  assert_at_most(affine_difference(&left, &a), 0);
  assert_at_most(affine_difference(&right, &a), 0);
}

static void columns_as_gltf(void **state) {
  (void)state;
  const double columns[16] = {1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9, 99, 10, 11, 12, 99};
  const supple_affine64 a = supple_affine64_from_columns(columns);
  const supple_affine64 expected = {{{1, 4, 7, 10}, {2, 5, 8, 11}, {3, 6, 9, 12}}};
  assert_at_most(affine_difference(&a, &expected), 0);
  double back[16];
  supple_affine64_to_columns(&a, back);
  const double whole[16] = {1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9, 0, 10, 11, 12, 1};
  assert_at_most(difference_of(back, whole, 16), 0);
}

static void floats_are_rounded_once(void **state) {
  (void)state;
  supple_affine64 a = supple_affine64_identity();
  a.m[0][0] = 1 + 0x1p-24;               /* ties to even: 1 */
  a.m[0][1] = 1 + 0x1p-24 + 0x1p-50;     /* just above: up */
  a.m[1][3] = 1e300, a.m[2][3] = -1e300; /* overflow */
  a.m[1][0] = 0x1p-149;
  const supple_affine rounded = supple_affine_from_double(&a);
  assert_true(rounded.m[0][0] == 1.0f && rounded.m[0][1] == 1.0f + FLT_EPSILON);
  assert_true(isinf(rounded.m[1][3]) && rounded.m[1][3] > 0 && rounded.m[2][3] < 0);
  assert_true(rounded.m[1][0] == 0x1p-149f);
  const supple_affine64 back = supple_affine_to_double(&rounded);
  assert_true(back.m[0][1] == 1 + 0x1p-23 && back.m[1][0] == 0x1p-149 && back.m[2][2] == 1);
  assert_false(supple_affine64_is_finite(&back));
  assert_true(supple_affine64_is_finite(&a));
  a.m[2][3] = (double)NAN;
  assert_false(supple_affine64_is_finite(&a));
}

static void inverse_of_any_condition(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 20000; i++) {
    const supple_mat3 u = numbers_rotation(&n), v = numbers_rotation(&n);
    const double size = ldexp(1.0, (int)numbers_in(&n, -200, 200));
    const double least = numbers_magnitude(&n, -12, 0), middle = numbers_in(&n, least, 1);
    const double sign = i % 2 ? -1 : 1;
    const supple_mat3 m = with_values(&u, size, sign * size * middle, size * least, &v);
    supple_affine64 a = linear_map(&m), inverse;
    const supple_vec3 t = numbers_vec3(&n, size);
    a.m[0][3] = t.x, a.m[1][3] = t.y, a.m[2][3] = t.z;
    assert_true(supple_affine64_inverse(&a, &inverse));
    /* The exact inverse is known but for the rounding of m. */
    const supple_mat3 expected = with_values(&v, 1, sign / middle, 1 / least, &u);
    const supple_mat3 linear = supple_affine64_linear(&inverse);
    supple_mat3 got;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) got.m[r][c] = linear.m[r][c] * size;
    assert_at_most(mat3_difference(&got, &expected), 6e-15 / (least * least));
    const supple_affine64 one = supple_affine64_multiply(&a, &inverse);
    const supple_affine64 identity = supple_affine64_identity();
    const supple_mat3 product = supple_affine64_linear(&one);
    const supple_mat3 identity3 = supple_affine64_linear(&identity);
    assert_at_most(mat3_difference(&product, &identity3), 2e-15 / least);
  }
}

static void inverse_of_scales_is_exact(void **state) {
  (void)state;
  const double scales[] = {1, 2, 0.5, -4, 0x1p-40, 0x1p300, -0x1p-300};
  for (int i = 0; i < 7; i++) {
    const supple_mat3 m = diagonal(scales[i], scales[i] * 2, -scales[i]);
    supple_affine64 a = linear_map(&m), inverse;
    a.m[0][3] = 3;
    assert_true(supple_affine64_inverse(&a, &inverse));
    const supple_mat3 half = diagonal(1 / scales[i], 0.5 / scales[i], -1 / scales[i]);
    supple_affine64 expected = linear_map(&half);
    expected.m[0][3] = -3 / scales[i];
    assert_at_most(affine_difference(&inverse, &expected), 0);
  }
  const supple_mat3 uneven = diagonal(1, 1e-13, 1e-3);
  const supple_affine64 a = linear_map(&uneven);
  supple_affine64 inverse;
  assert_true(supple_affine64_inverse(&a, &inverse));
  assert_at_most(fabs(inverse.m[1][1] - 1e13), 1e-2);
}

static void inverse_refuses_singular_matrices(void **state) {
  (void)state;
  numbers n = {3};
  const supple_affine64 untouched = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}};
  for (int i = 0; i < 2000; i++) {
    const supple_mat3 u = numbers_rotation(&n), v = numbers_rotation(&n);
    const double size = numbers_magnitude(&n, -100, 100);
    const double values[][3] = {{1, 1, 0}, {1, 0, 0}, {0, 0, 0}, {1, 1, 3e-15}, {1, 1e-16, 1e-16}};
    const double *s = values[i % 5];
    const supple_mat3 m = with_values(&u, s[0] * size, s[1] * size, s[2] * size, &v);
    const supple_affine64 a = linear_map(&m);
    supple_affine64 inverse = untouched;
    assert_false(supple_affine64_inverse(&a, &inverse));
    assert_at_most(affine_difference(&inverse, &untouched), 0);
  }
  supple_affine64 a = supple_affine64_identity(), inverse = untouched;
  a.m[0][0] = (double)NAN;
  assert_false(supple_affine64_inverse(&a, &inverse));
  a.m[0][0] = (double)INFINITY;
  assert_false(supple_affine64_inverse(&a, &inverse));
  const supple_mat3 tiny = diagonal(1e-310, 1e-310, 1e-310); /* the inverse overflows */
  a = linear_map(&tiny);
  assert_false(supple_affine64_inverse(&a, &inverse));
  assert_at_most(affine_difference(&inverse, &untouched), 0);
}

static void transform_is_translation_rotation_scale(void **state) {
  (void)state;
  numbers n = {4};
  for (int i = 0; i < 10000; i++) {
    supple_transform t;
    t.translation = numbers_vec3(&n, 5);
    t.rotation = supple_quat_scale(numbers_quat(&n), numbers_in(&n, 0.5, 2)); /* not unit */
    t.scale = numbers_vec3(&n, 3);
    const supple_vec3 p = numbers_vec3(&n, 1);
    const supple_vec3 scaled = {p.x * t.scale.x, p.y * t.scale.y, p.z * t.scale.z};
    const supple_vec3 expected = supple_vec3_add(
        supple_quat_rotate(supple_quat_normalise(t.rotation), scaled), t.translation);
    const supple_affine64 m = supple_transform_to_affine(&t);
    assert_at_most(vec3_difference(supple_affine64_transform_point(&m, p), expected), 1e-14);
  }
  supple_transform zero = supple_transform_identity();
  zero.rotation = supple_quat_make(0, 0, 0, 0);
  const supple_affine64 m = supple_transform_to_affine(&zero);
  const supple_affine64 identity = supple_affine64_identity();
  assert_at_most(affine_difference(&m, &identity), 0);
}

static void transform_of_a_matrix_that_has_one(void **state) {
  (void)state;
  numbers n = {5};
  for (int i = 0; i < 20000; i++) {
    supple_transform t, got;
    t.translation = numbers_vec3(&n, 5);
    t.rotation = numbers_quat(&n);
    const double size = i % 2 ? 1 : numbers_magnitude(&n, -30, 30);
    t.scale.x = size * numbers_magnitude(&n, -6, 2);
    t.scale.y = size * numbers_magnitude(&n, -6, 2);
    t.scale.z = size * numbers_magnitude(&n, -6, 2);
    if (i % 3 == 0) t.scale.x = -t.scale.x; /* the canonical mirror comes back as it was */
    const supple_affine64 m = supple_transform_to_affine(&t);
    assert_true(supple_transform_from_affine(&m, 0, &got));
    assert_at_most(vec3_difference(got.translation, t.translation), 0);
    assert_at_most(rotation_difference(got.rotation, t.rotation), 2e-15);
    assert_at_most(fabs(got.scale.x / t.scale.x - 1), 2e-15);
    assert_at_most(fabs(got.scale.y / t.scale.y - 1), 2e-15);
    assert_at_most(fabs(got.scale.z / t.scale.z - 1), 2e-15);
    /* any other signs: the matrix is the same */
    t.scale.y = i & 4 ? -t.scale.y : t.scale.y;
    t.scale.z = i & 8 ? -t.scale.z : t.scale.z;
    const supple_affine64 signed_m = supple_transform_to_affine(&t);
    assert_true(supple_transform_from_affine(&signed_m, 0, &got));
    assert_true(got.scale.y > 0 && got.scale.z > 0);
    const supple_affine64 back = supple_transform_to_affine(&got);
    const supple_mat3 linear = supple_affine64_linear(&signed_m);
    assert_at_most(affine_difference(&back, &signed_m), 4e-15 * mat3_largest(&linear));
  }
}

static void zero_scales_keep_the_other_axes(void **state) {
  (void)state;
  numbers n = {6};
  for (int i = 0; i < 7000; i++) {
    const int zeros = i % 7 + 1; /* bits: which scales are zero */
    supple_transform t, got;
    t.translation = numbers_vec3(&n, 5);
    t.rotation = numbers_quat(&n);
    t.scale = supple_vec3_make(zeros & 1 ? 0 : numbers_in(&n, 0.1, 3),
                               zeros & 2 ? 0 : numbers_in(&n, 0.1, 3),
                               zeros & 4 ? 0 : numbers_in(&n, 0.1, 3));
    const supple_affine64 m = supple_transform_to_affine(&t);
    assert_true(supple_transform_from_affine(&m, 0, &got));
    assert_at_most(vec3_difference(got.scale, t.scale), 5e-15);
    const supple_affine64 back = supple_transform_to_affine(&got);
    assert_at_most(affine_difference(&back, &m), 5e-15);
    assert_at_most(fabs(supple_quat_norm(got.rotation) - 1), 4e-16);
    if (zeros == 1 || zeros == 2 || zeros == 4) /* one zero leaves no freedom */
      assert_at_most(rotation_difference(got.rotation, t.rotation), 2e-15);
    if (zeros == 7) assert_at_most(quat_difference(got.rotation, supple_quat_identity()), 0);
  }
  /* A lone axis that points (almost) backwards. */
  for (int k = 0; k < 3; k++) {
    const double tilts[] = {0, 1e-300, 1e-16, 1e-9, 1e-5};
    for (int i = 0; i < 5; i++) {
      supple_affine64 m = supple_affine64_identity();
      for (int j = 0; j < 3; j++) m.m[j][j] = 0;
      m.m[k][k] = -2, m.m[(k + 1) % 3][k] = 2 * tilts[i];
      supple_transform got;
      assert_true(supple_transform_from_affine(&m, 0, &got));
      const supple_affine64 back = supple_transform_to_affine(&got);
      assert_at_most(affine_difference(&back, &m), 1e-15);
    }
  }
}

static void shear_is_told_and_dropped(void **state) {
  (void)state;
  supple_affine64 m = supple_affine64_identity();
  supple_transform got;
  m.m[0][1] = 0.5e-6;
  assert_true(supple_transform_from_affine(&m, 0, &got));
  m.m[0][1] = 2e-6;
  assert_false(supple_transform_from_affine(&m, 0, &got));
  assert_true(supple_transform_from_affine(&m, 1e-5, &got));
  m.m[0][1] = 1;
  m.m[1][3] = 7;
  assert_false(supple_transform_from_affine(&m, 0, &got));
  assert_at_most(fabs(supple_quat_norm(got.rotation) - 1), 4e-16);
  assert_at_most(vec3_difference(got.scale, supple_vec3_make(1, sqrt(2), 1)), 4e-16);
  assert_true(got.translation.y == 7);
  /* Columns x and (x + y) / sqrt 2: the closest axes are x and y, both turned back by 22.5
   * degrees. */
  const supple_quat expected =
      supple_quat_from_axis_angle(supple_vec3_make(0, 0, 1), -SUPPLE_PI / 8);
  assert_at_most(rotation_difference(got.rotation, expected), 4e-16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cofactor_and_determinant),
      cmocka_unit_test(products_by_hand),
      cmocka_unit_test(columns_as_gltf),
      cmocka_unit_test(floats_are_rounded_once),
      cmocka_unit_test(inverse_of_any_condition),
      cmocka_unit_test(inverse_of_scales_is_exact),
      cmocka_unit_test(inverse_refuses_singular_matrices),
      cmocka_unit_test(transform_is_translation_rotation_scale),
      cmocka_unit_test(transform_of_a_matrix_that_has_one),
      cmocka_unit_test(zero_scales_keep_the_other_axes),
      cmocka_unit_test(shear_is_told_and_dropped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
