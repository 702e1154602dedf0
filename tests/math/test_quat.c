/* test_quat.c: quaternions against the definitions, matrices and the long double C library. */
#include "tests/math/numbers.h"

static void axis_and_angle_of_any_length(void **state) {
  (void)state;
  numbers n = {1};
  for (int i = 0; i < 20000; i++) {
    const supple_vec3 axis = numbers_vec3(&n, 1);
    const double angle = numbers_in(&n, -20, 20);
    const long double length = sqrtl((long double)axis.x * (long double)axis.x +
                                     (long double)axis.y * (long double)axis.y +
                                     (long double)axis.z * (long double)axis.z);
    const long double s = sinl((long double)angle / 2) / length;
    const supple_quat expected =
        supple_quat_make((double)((long double)axis.x * s), (double)((long double)axis.y * s),
                         (double)((long double)axis.z * s), (double)cosl((long double)angle / 2));
    assert_at_most(quat_difference(supple_quat_from_axis_angle(axis, angle), expected), 5e-16);
    const double size = ldexp(1.0, i % 2000 - 1000);
    const supple_quat scaled = supple_quat_from_axis_angle(supple_vec3_scale(axis, size), angle);
    assert_at_most(quat_difference(scaled, expected), 5e-16);
  }
  const supple_vec3 zero = {0, 0, 0}, tiny = {0, 0x1p-1074, 0}, huge = {1.7e308, 1.7e308, 0};
  assert_at_most(quat_difference(supple_quat_from_axis_angle(zero, 2.0), supple_quat_identity()), 0);
  assert_at_most(
      quat_difference(supple_quat_from_axis_angle(tiny, SUPPLE_PI), supple_quat_make(0, 1, 0, 0)),
      1e-16);
  assert_at_most(quat_difference(supple_quat_from_axis_angle(huge, SUPPLE_PI),
                                 supple_quat_make(sqrt(0.5), sqrt(0.5), 0, 0)),
                 2e-16);
}

/* A quarter turn about each axis takes the next axis to the one after: right-handed. */
static void turns_are_right_handed(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const supple_vec3 axis = supple_vec3_make(k == 0, k == 1, k == 2);
    const supple_vec3 next = supple_vec3_make(k == 2, k == 0, k == 1);
    const supple_vec3 after = supple_vec3_make(k == 1, k == 2, k == 0);
    const supple_quat q = supple_quat_from_axis_angle(axis, SUPPLE_PI / 2);
    const supple_mat3 m = supple_mat3_from_quat(q);
    assert_at_most(vec3_difference(supple_quat_rotate(q, next), after), 4e-16);
    assert_at_most(vec3_difference(supple_mat3_apply(&m, next), after), 4e-16);
  }
}

/* e^q by its power series, in long double. */
static supple_quat exp_by_series(supple_quat q) {
  long double sum[4] = {0, 0, 0, 1}, term[4] = {0, 0, 0, 1};
  const long double x = (long double)q.x, y = (long double)q.y, z = (long double)q.z,
                    w = (long double)q.w;
  for (int k = 1; k < 80; k++) {
    const long double a = term[0], b = term[1], c = term[2], d = term[3], f = 1.0L / k;
    term[0] = f * (d * x + a * w + b * z - c * y);
    term[1] = f * (d * y - a * z + b * w + c * x);
    term[2] = f * (d * z + a * y - b * x + c * w);
    term[3] = f * (d * w - a * x - b * y - c * z);
    for (int i = 0; i < 4; i++) sum[i] += term[i];
  }
  return supple_quat_make((double)sum[0], (double)sum[1], (double)sum[2], (double)sum[3]);
}

static void exp_is_its_power_series(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 20000; i++) {
    const supple_vec3 v = numbers_vec3(&n, i % 2 ? 3 : 1e-5);
    const supple_quat q = supple_quat_make(v.x, v.y, v.z, i % 3 ? numbers_in(&n, -2, 2) : 0);
    const supple_quat expected = exp_by_series(q);
    assert_at_most(quat_difference(supple_quat_exp(q), expected), 1e-14);
  }
  const supple_quat zero = {0, 0, 0, 0}, tiny = {1e-300, 0, 0, 0};
  assert_at_most(quat_difference(supple_quat_exp(zero), supple_quat_identity()), 0);
  assert_true(supple_quat_exp(tiny).x == 1e-300);
}

static void log_is_the_inverse_of_exp(void **state) {
  (void)state;
  numbers n = {3};
  for (int i = 0; i < 50000; i++) {
    /* any quaternion, both signs of w */
    const double size = numbers_magnitude(&n, -20, 20);
    const supple_quat q = supple_quat_scale(numbers_quat(&n), size);
    const supple_quat back = supple_quat_exp(supple_quat_log(q));
    assert_at_most(quat_difference(back, q), 3e-14 * size);
    /* and the other way, with the half-angle below pi */
    supple_vec3 v = numbers_vec3(&n, 1);
    v = supple_vec3_scale(v, numbers_in(&n, 1e-8, 3.0) / supple_vec3_length(v));
    const supple_quat l = supple_quat_make(v.x, v.y, v.z, numbers_in(&n, -3, 3));
    assert_at_most(quat_difference(supple_quat_log(supple_quat_exp(l)), l), 4e-14);
  }
  const supple_quat one = supple_quat_log(supple_quat_identity());
  assert_true(one.x == 0 && one.y == 0 && one.z == 0 && one.w == 0);
  const supple_quat minus_one = supple_quat_log(supple_quat_make(0, 0, 0, -1));
  assert_true(supple_quat_norm(minus_one) == SUPPLE_PI && minus_one.w == 0);
  const supple_quat turn =
      supple_quat_log(supple_quat_from_axis_angle(supple_vec3_make(0, 2, 0), 1.25));
  assert_at_most(quat_difference(turn, supple_quat_make(0, 0.625, 0, 0)), 2e-16);
}

static void power_multiplies_the_angle(void **state) {
  (void)state;
  numbers n = {4};
  for (int i = 0; i < 20000; i++) {
    const supple_vec3 axis = numbers_vec3(&n, 1);
    const double angle = numbers_in(&n, 1e-6, 6.28), t = numbers_in(&n, -3, 3);
    const supple_quat q = supple_quat_from_axis_angle(axis, angle);
    const double near_minus_one = 1 + 1 / (6.2832 - angle);
    assert_at_most(
        quat_difference(supple_quat_power(q, t), supple_quat_from_axis_angle(axis, t * angle)),
        2e-15 * near_minus_one);
    const supple_quat cube = supple_quat_multiply(supple_quat_multiply(q, q), q);
    assert_at_most(quat_difference(supple_quat_power(q, 3.0), cube), 6e-15 * near_minus_one);
    assert_at_most(quat_difference(supple_quat_power(q, -1.0), supple_quat_inverse(q)), 2e-15);
  }
}

static void slerp_goes_the_short_way_at_constant_speed(void **state) {
  (void)state;
  numbers n = {5};
  for (int i = 0; i < 30000; i++) {
    const supple_quat a = numbers_quat(&n);
    const double angle = i % 4 ? numbers_in(&n, 0, 3.1415) : numbers_magnitude(&n, -12, -3);
    const supple_vec3 axis = numbers_vec3(&n, 1);
    supple_quat b = supple_quat_multiply(a, supple_quat_from_axis_angle(axis, angle));
    if (i & 1) b = supple_quat_scale(b, -1);
    const double t = i % 3 ? numbers_in(&n, 0, 1) : numbers_in(&n, -2, 3);
    const supple_quat expected =
        supple_quat_multiply(a, supple_quat_from_axis_angle(axis, t * angle));
    const supple_quat got = supple_quat_slerp(a, b, t);
    assert_at_most(quat_difference(got, expected), 4e-15);
    assert_at_most(fabs(supple_quat_norm(got) - 1), 3e-15);
    assert_at_most(quat_difference(supple_quat_slerp(a, b, 0), a), 5e-16);
    assert_at_most(rotation_difference(supple_quat_slerp(a, b, 1), b), 5e-16);
    const supple_quat same = supple_quat_slerp(a, supple_quat_scale(a, -1), t);
    assert_at_most(quat_difference(same, a), 5e-16);
  }
}

/* At exactly 180 degrees either way is short; it must still be a turn, whatever the rounding. */
static void slerp_of_half_a_turn_is_defined(void **state) {
  (void)state;
  numbers n = {6};
  for (int i = 0; i < 10000; i++) {
    const supple_quat a = numbers_quat(&n);
    const supple_vec3 axis = numbers_vec3(&n, 1);
    const supple_quat b = supple_quat_multiply(a, supple_quat_from_axis_angle(axis, SUPPLE_PI));
    const supple_quat half =
        supple_quat_multiply(a, supple_quat_from_axis_angle(axis, SUPPLE_PI / 2));
    assert_at_most(quat_difference(supple_quat_slerp(a, b, 0.5), half), 2e-15);
  }
}

static void matrix_is_the_rotation(void **state) {
  (void)state;
  numbers n = {7};
  for (int i = 0; i < 30000; i++) {
    const supple_quat q = numbers_quat(&n);
    const supple_vec3 v = numbers_vec3(&n, 1);
    const supple_mat3 m = supple_mat3_from_quat(q);
    /* the definition: q (v, 0) q* */
    const supple_quat sandwich = supple_quat_multiply(
        supple_quat_multiply(q, supple_quat_make(v.x, v.y, v.z, 0)), supple_quat_conjugate(q));
    const supple_vec3 expected = supple_vec3_make(sandwich.x, sandwich.y, sandwich.z);
    assert_at_most(fabs(sandwich.w), 1e-15);
    assert_at_most(vec3_difference(supple_mat3_apply(&m, v), expected), 3e-15);
    assert_at_most(vec3_difference(supple_quat_rotate(q, v), expected), 3e-15);
    assert_at_most(orthogonality_error(&m), 4e-15);
    assert_at_most(fabs(supple_mat3_determinant(&m) - 1), 4e-15);
  }
}

static void matrix_to_quaternion_and_back(void **state) {
  (void)state;
  numbers n = {8};
  for (int i = 0; i < 60000; i++) {
    supple_quat q = numbers_quat(&n);
    if (i % 3 == 0) { /* half turns and near ones, where the trace is no help */
      const supple_vec3 axis = numbers_vec3(&n, 1);
      q = supple_quat_from_axis_angle(axis, SUPPLE_PI + numbers_in(&n, -1e-9, 1e-9));
    }
    const supple_mat3 m = supple_mat3_from_quat(q);
    const supple_quat back = supple_quat_from_mat3(&m);
    assert_at_most(rotation_difference(back, q), 8e-16);
    assert_at_most(fabs(supple_quat_norm(back) - 1), 4e-16);
    const double parts[4] = {back.x, back.y, back.z, back.w};
    double largest = 0;
    for (int k = 0; k < 4; k++)
      if (fabs(parts[k]) > fabs(largest)) largest = parts[k];
    assert_true(largest >= 0.5 - 1e-15);
  }
  const double d[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
  for (int k = 0; k < 4; k++) {
    const supple_mat3 m = diagonal(d[k][0], d[k][1], d[k][2]);
    const supple_quat q = supple_quat_from_mat3(&m);
    assert_at_most(quat_difference(q, supple_quat_make(k == 1, k == 2, k == 3, k == 0)), 0);
  }
}

static void normalise_at_the_extremes(void **state) {
  (void)state;
  const supple_vec3 x = {1, 0, 0}, y = {0, 1, 0}, zero = {0, 0, 0};
  const supple_vec3 huge = {1.5e308, 0, 0}, small = {1e-140, 0, 0};
  const supple_vec3 diagonal_huge = {1e200, 1e200, 0};
  assert_at_most(vec3_difference(supple_vec3_normalise(huge, y), x), 1e-15);
  assert_at_most(vec3_difference(supple_vec3_normalise(small, y), x), 1e-15);
  assert_at_most(vec3_difference(supple_vec3_normalise(zero, y), y), 0);
  assert_at_most(fabs(supple_vec3_length(supple_vec3_normalise(diagonal_huge, y)) - 1), 1e-15);
  const supple_quat q = supple_quat_normalise(supple_quat_make(0, 3e300, 0, 4e300));
  assert_at_most(quat_difference(q, supple_quat_make(0, 0.6, 0, 0.8)), 1e-15);
  assert_at_most(
      quat_difference(supple_quat_normalise(supple_quat_make(0, 0, 0, 0)), supple_quat_identity()),
      0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axis_and_angle_of_any_length),
      cmocka_unit_test(turns_are_right_handed),
      cmocka_unit_test(exp_is_its_power_series),
      cmocka_unit_test(log_is_the_inverse_of_exp),
      cmocka_unit_test(power_multiplies_the_angle),
      cmocka_unit_test(slerp_goes_the_short_way_at_constant_speed),
      cmocka_unit_test(slerp_of_half_a_turn_is_defined),
      cmocka_unit_test(matrix_is_the_rotation),
      cmocka_unit_test(matrix_to_quaternion_and_back),
      cmocka_unit_test(normalise_at_the_extremes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
