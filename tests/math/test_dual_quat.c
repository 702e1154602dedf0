/* test_dual_quat.c: dual quaternions as motions, screws and blends. */
#include "tests/math/numbers.h"

/* A turn by `angle` about the line through `point` along the unit vector `axis`, and a slide along
 * it, built from matrices' ingredients alone: t = p - R p + slide · axis. */
static supple_dual_quat screw(supple_vec3 axis, supple_vec3 point, double angle, double slide) {
  const supple_quat q = supple_quat_from_axis_angle(axis, angle);
  const supple_vec3 t = supple_vec3_add(supple_vec3_subtract(point, supple_quat_rotate(q, point)),
                                        supple_vec3_scale(axis, slide));
  return supple_dual_quat_from_rigid(q, t);
}

static supple_vec3 unit_vector(numbers *n) {
  return supple_quat_rotate(numbers_quat(n), supple_vec3_make(1, 0, 0));
}

static void rigid_motion_and_back(void **state) {
  (void)state;
  numbers n = {1};
  for (int i = 0; i < 20000; i++) {
    const supple_quat q = numbers_quat(&n);
    const supple_vec3 t = numbers_vec3(&n, 10), p = numbers_vec3(&n, 3);
    const supple_dual_quat a = supple_dual_quat_from_rigid(q, t);
    supple_quat rotation;
    supple_vec3 translation;
    supple_dual_quat_to_rigid(a, &rotation, &translation);
    assert_at_most(quat_difference(rotation, q), 0);
    assert_at_most(vec3_difference(translation, t), 2e-14);
    const supple_vec3 expected = supple_vec3_add(supple_quat_rotate(q, p), t);
    assert_at_most(vec3_difference(supple_dual_quat_transform(a, p), expected), 2e-14);
    const supple_affine64 m = supple_dual_quat_to_affine(a);
    assert_at_most(vec3_difference(supple_affine64_transform_point(&m, p), expected), 2e-14);
    /* unit: |real| = 1, <real, dual> = 0 */
    double norm, dual_norm;
    supple_dual_quat_norm(a, &norm, &dual_norm);
    assert_at_most(fabs(norm - 1), 4e-16);
    assert_at_most(fabs(dual_norm), 4e-15);
  }
}

/* The definition: a point is 1 + eps p; the motion is a (1 + eps p) a^, with both conjugates. */
static void transform_is_the_sandwich(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 10000; i++) {
    const supple_dual_quat a = numbers_motion(&n, 3);
    const supple_vec3 p = numbers_vec3(&n, 3);
    const supple_dual_quat point = {{0, 0, 0, 1}, {p.x, p.y, p.z, 0}};
    const supple_dual_quat moved = supple_dual_quat_multiply(supple_dual_quat_multiply(a, point),
                                                             supple_dual_quat_full_conjugate(a));
    const supple_vec3 got = supple_dual_quat_transform(a, p);
    const supple_dual_quat expected = {{0, 0, 0, 1}, {got.x, got.y, got.z, 0}};
    assert_at_most(dual_quat_difference(moved, expected), 2e-14);
  }
}

static void product_is_composition(void **state) {
  (void)state;
  numbers n = {3};
  for (int i = 0; i < 10000; i++) {
    const supple_dual_quat a = numbers_motion(&n, 3), b = numbers_motion(&n, 3);
    const supple_affine64 ma = supple_dual_quat_to_affine(a), mb = supple_dual_quat_to_affine(b);
    const supple_affine64 expected = supple_affine64_multiply(&ma, &mb);
    const supple_affine64 got = supple_dual_quat_to_affine(supple_dual_quat_multiply(a, b));
    assert_at_most(affine_difference(&got, &expected), 2e-14);
  }
}

static void norm_and_inverse_of_any(void **state) {
  (void)state;
  numbers n = {4};
  for (int i = 0; i < 20000; i++) {
    const supple_dual_quat a = {supple_quat_scale(numbers_quat(&n), numbers_in(&n, 0.2, 5)),
                                supple_quat_scale(numbers_quat(&n), numbers_in(&n, 0, 5))};
    /* |a|² = a a*, whose vector parts vanish */
    double real, dual;
    supple_dual_quat_norm(a, &real, &dual);
    const supple_dual_quat square = supple_dual_quat_multiply(a, supple_dual_quat_conjugate(a));
    const supple_dual_quat expected = {{0, 0, 0, real * real}, {0, 0, 0, 2 * real * dual}};
    assert_at_most(dual_quat_difference(square, expected), 4e-14);
    const supple_dual_quat inverse = supple_dual_quat_inverse(a);
    const supple_dual_quat one = supple_dual_quat_multiply(a, inverse);
    assert_at_most(dual_quat_difference(one, supple_dual_quat_identity()), 2e-13);
    /* a = |a| · normalised */
    const supple_dual_quat unit = supple_dual_quat_normalise(a);
    const supple_dual_quat magnitude = {{0, 0, 0, real}, {0, 0, 0, dual}};
    assert_at_most(dual_quat_difference(supple_dual_quat_multiply(magnitude, unit), a), 1e-14);
    assert_at_most(fabs(supple_quat_dot(unit.real, unit.dual)), 1e-14);
  }
  const supple_dual_quat zero_real = {{0, 0, 0, 0}, {1, 2, 3, 4}};
  assert_at_most(
      dual_quat_difference(supple_dual_quat_normalise(zero_real), supple_dual_quat_identity()), 0);
}

/* exp by its power series over products of dual quaternions. */
static supple_dual_quat exp_by_series(supple_dual_quat a) {
  supple_dual_quat sum = supple_dual_quat_identity(), term = sum;
  for (int k = 1; k < 60; k++) {
    term = supple_dual_quat_scale(supple_dual_quat_multiply(term, a), 1.0 / k);
    sum = supple_dual_quat_add(sum, term);
  }
  return sum;
}

static void exp_is_its_power_series(void **state) {
  (void)state;
  numbers n = {5};
  for (int i = 0; i < 10000; i++) {
    const double sizes[] = {3, 0.1, 0.03, 1e-3, 1e-9, 0};
    const supple_vec3 v = numbers_vec3(&n, sizes[i % 6]), m = numbers_vec3(&n, 2);
    const supple_dual_quat a = {{v.x, v.y, v.z, 0}, {m.x, m.y, m.z, 0}};
    const supple_dual_quat expected = exp_by_series(a);
    assert_at_most(dual_quat_difference(supple_dual_quat_exp(a), expected), i % 6 ? 2e-15 : 1e-12);
  }
}

static void log_is_the_inverse_of_exp(void **state) {
  (void)state;
  numbers n = {6};
  for (int i = 0; i < 30000; i++) {
    const supple_dual_quat a = numbers_motion(&n, 3);
    const double sine = supple_vec3_length(supple_vec3_make(a.real.x, a.real.y, a.real.z));
    const double from_minus_one = a.real.w < 0 ? 1 / (sine * sine) : 1;
    assert_at_most(dual_quat_difference(supple_dual_quat_exp(supple_dual_quat_log(a)), a),
                   2e-14 * from_minus_one);
    const double angle = i % 2 ? numbers_in(&n, 0, SUPPLE_PI) : numbers_magnitude(&n, -12, 0);
    const supple_vec3 axis = unit_vector(&n), point = numbers_vec3(&n, 2);
    const double slide = numbers_in(&n, -2, 2);
    /* The halves: angle/2 · axis + eps (slide/2 · axis + angle/2 · point × axis). */
    const supple_dual_quat l = supple_dual_quat_log(screw(axis, point, angle, slide));
    const supple_vec3 v = supple_vec3_scale(axis, angle / 2);
    const supple_vec3 m =
        supple_vec3_add(supple_vec3_scale(axis, slide / 2), supple_vec3_cross(point, v));
    const supple_dual_quat expected = {{v.x, v.y, v.z, 0}, {m.x, m.y, m.z, 0}};
    assert_at_most(dual_quat_difference(l, expected), 1e-14);
  }
}

static void log_of_pure_translations_and_whole_turns(void **state) {
  (void)state;
  numbers n = {7};
  for (int i = 0; i < 1000; i++) {
    const supple_vec3 t = numbers_vec3(&n, 5);
    const supple_dual_quat slide = supple_dual_quat_from_rigid(supple_quat_identity(), t);
    const supple_dual_quat half =
        supple_dual_quat_from_rigid(supple_quat_identity(), supple_vec3_scale(t, 0.5));
    assert_at_most(dual_quat_difference(supple_dual_quat_power(slide, 0.5), half), 1e-15);
    const supple_dual_quat turned = supple_dual_quat_scale(slide, -1);
    assert_at_most(dual_quat_difference(supple_dual_quat_exp(supple_dual_quat_log(turned)), turned),
                   1e-14);
  }
  const supple_dual_quat minus_one = supple_dual_quat_scale(supple_dual_quat_identity(), -1);
  assert_at_most(
      dual_quat_difference(supple_dual_quat_exp(supple_dual_quat_log(minus_one)), minus_one), 1e-15);
}

static void power_follows_the_screw(void **state) {
  (void)state;
  numbers n = {8};
  for (int i = 0; i < 20000; i++) {
    const supple_vec3 axis = unit_vector(&n), point = numbers_vec3(&n, 2);
    const double angle = numbers_in(&n, 0, SUPPLE_PI), slide = numbers_in(&n, -2, 2);
    const double t = numbers_in(&n, -2, 2);
    const supple_dual_quat expected = screw(axis, point, t * angle, t * slide);
    const supple_dual_quat got = supple_dual_quat_power(screw(axis, point, angle, slide), t);
    assert_at_most(dual_quat_difference(got, expected), 3e-14);
  }
}

static void sclerp_is_the_exact_screw(void **state) {
  (void)state;
  numbers n = {9};
  for (int i = 0; i < 20000; i++) {
    const supple_dual_quat a = numbers_motion(&n, 2);
    const supple_vec3 axis = unit_vector(&n), point = numbers_vec3(&n, 2);
    const double angle = i % 10 ? numbers_in(&n, 0, SUPPLE_PI) : SUPPLE_PI;
    const double slide = numbers_in(&n, -2, 2), t = numbers_in(&n, 0, 1);
    supple_dual_quat b = supple_dual_quat_multiply(a, screw(axis, point, angle, slide));
    if (i % 2 && angle < 3.14) b = supple_dual_quat_scale(b, -1);
    const supple_dual_quat expected =
        supple_dual_quat_multiply(a, screw(axis, point, t * angle, t * slide));
    assert_at_most(dual_quat_difference(supple_dual_quat_sclerp(a, b, t), expected), 4e-14);
    assert_at_most(dual_quat_difference(supple_dual_quat_sclerp(a, b, 0), a), 1e-14);
    assert_at_most(motion_difference(supple_dual_quat_sclerp(a, b, 1), b), 4e-14);
  }
}

static void blends_of_one_or_equal_motions_are_it(void **state) {
  (void)state;
  numbers n = {10};
  for (int i = 0; i < 2000; i++) {
    const supple_dual_quat a = numbers_motion(&n, 2);
    const supple_dual_quat same[3] = {a, supple_dual_quat_scale(a, -1), a};
    const double weights[3] = {0.2, 0.5, 0.3}, one[1] = {1};
    int rounds = -1;
    assert_at_most(motion_difference(supple_dual_quat_dlb(same, weights, 3), a), 2e-15);
    assert_at_most(motion_difference(supple_dual_quat_dlb(same, one, 1), a), 2e-15);
    assert_at_most(motion_difference(supple_dual_quat_dib(same, weights, 3, 0, &rounds), a), 4e-15);
    assert_int_equal(rounds, 1);
    assert_at_most(motion_difference(supple_dual_quat_dib(same, one, 1, 0, NULL), a), 4e-15);
  }
  int rounds = -1;
  assert_at_most(
      dual_quat_difference(supple_dual_quat_dlb(NULL, NULL, 0), supple_dual_quat_identity()), 0);
  assert_at_most(dual_quat_difference(supple_dual_quat_dib(NULL, NULL, 0, 0, &rounds),
                                      supple_dual_quat_identity()),
                 0);
  assert_int_equal(rounds, 0);
}

/* Against the first of the largest weight; half a turn, whose dot product rounds to either side of
 * zero, is not flipped. */
static void signs_follow_the_pivot(void **state) {
  (void)state;
  const supple_vec3 z = {0, 0, 1}, origin = {0, 0, 0};
  const supple_dual_quat at_rest = supple_dual_quat_identity();
  for (int ulps = -3; ulps <= 3; ulps++) {
    const double angle = SUPPLE_PI + ulps * 4e-16;
    const supple_dual_quat pair[2] = {at_rest, screw(z, origin, angle, 0)};
    const double halves[2] = {0.5, 0.5};
    const supple_dual_quat quarter = screw(z, origin, SUPPLE_PI / 2, 0);
    assert_at_most(dual_quat_difference(supple_dual_quat_dlb(pair, halves, 2), quarter), 2e-15);
    assert_at_most(dual_quat_difference(supple_dual_quat_sclerp(pair[0], pair[1], 0.5), quarter),
                   2e-15);
  }
  /* Three about z at 0, 170 and 340 degrees: which way the third goes depends on the pivot. */
  const double degree = SUPPLE_PI / 180;
  const supple_dual_quat three[3] = {at_rest, screw(z, origin, 170 * degree, 0),
                                     screw(z, origin, 340 * degree, 0)};
  const double first[3] = {0.4, 0.3, 0.3}, second[3] = {0.3, 0.4, 0.3};
  double half_sine = 0.3 * sin(85 * degree) - 0.3 * sin(170 * degree);
  double half_cosine = 0.4 + 0.3 * cos(85 * degree) - 0.3 * cos(170 * degree);
  supple_dual_quat expected = screw(z, origin, 2 * atan2(half_sine, half_cosine), 0);
  assert_at_most(motion_difference(supple_dual_quat_dlb(three, first, 3), expected), 1e-15);
  half_sine = 0.4 * sin(85 * degree) + 0.3 * sin(170 * degree);
  half_cosine = 0.3 + 0.4 * cos(85 * degree) + 0.3 * cos(170 * degree);
  expected = screw(z, origin, 2 * atan2(half_sine, half_cosine), 0);
  assert_at_most(motion_difference(supple_dual_quat_dlb(three, second, 3), expected), 1e-15);
}

/* The largest departure of DLB from the exact screw over t: of the angle in degrees, of the slide
 * in parts of the whole. */
static void scan_departure(double angle, double *degrees, double *pitch) {
  const supple_vec3 axis = {0, 0.6, 0.8}, point = {0.3, -1, 2};
  const supple_dual_quat pair[2] = {supple_dual_quat_identity(), screw(axis, point, angle, 1.0)};
  *degrees = *pitch = 0;
  for (int i = 0; i <= 10000; i++) {
    const double t = i / 10000.0, weights[2] = {1 - t, t};
    supple_quat q;
    supple_vec3 moved;
    supple_dual_quat_to_rigid(supple_dual_quat_dlb(pair, weights, 2), &q, &moved);
    if (q.w < 0) q = supple_quat_scale(q, -1.0);
    const double sine = supple_vec3_dot(axis, supple_vec3_make(q.x, q.y, q.z));
    const double turned = 2 * atan2(sine, q.w), slid = supple_vec3_dot(axis, moved);
    const double off = fabs(turned - t * angle) * 180 / SUPPLE_PI;
    if (off > *degrees) *degrees = off;
    if (fabs(slid - t) > *pitch) *pitch = fabs(slid - t);
    /* It stays on the axis of the exact screw. */
    const supple_vec3 on_axis = supple_vec3_add(
        supple_vec3_subtract(point, supple_quat_rotate(q, point)), supple_vec3_scale(axis, slid));
    assert_at_most(vec3_difference(moved, on_axis), 3e-15);
  }
}

/* The figures that the header states; compare the bounds of Kavan et al. 2007. */
static void linear_blending_departs_by_the_known_figures(void **state) {
  (void)state;
  double degrees, pitch;
  scan_departure(SUPPLE_PI, &degrees, &pitch);
  assert_true(fabs(degrees - 8.149) < 0.002 && fabs(pitch - 0.1501) < 0.0002);
  scan_departure(SUPPLE_PI / 2, &degrees, &pitch);
  assert_true(fabs(degrees - 0.92) < 0.005 && fabs(pitch - 0.0313) < 0.0001);
  scan_departure(SUPPLE_PI / 3, &degrees, &pitch);
  assert_true(fabs(degrees - 0.27) < 0.005 && fabs(pitch - 0.0135) < 0.0001);
}

static void iterated_blend_of_two_is_sclerp(void **state) {
  (void)state;
  numbers n = {11};
  for (int i = 0; i < 4000; i++) {
    const supple_dual_quat a = numbers_motion(&n, 2);
    const supple_dual_quat b = supple_dual_quat_multiply(
        a, screw(unit_vector(&n), numbers_vec3(&n, 2), numbers_in(&n, 0, 3.14), 1.0));
    const supple_dual_quat pair[2] = {a, b};
    const double t = numbers_in(&n, 0, 1), weights[2] = {1 - t, t};
    int rounds;
    const supple_dual_quat got = supple_dual_quat_dib(pair, weights, 2, 0, &rounds);
    assert_at_most(motion_difference(got, supple_dual_quat_sclerp(a, b, t)), 1e-11);
    assert_in_range(rounds, 1, 12);
  }
}

/* sum w log(b* a_i) = 0 defines the mean of several motions. */
static void iterated_blend_is_the_weighted_mean(void **state) {
  (void)state;
  numbers n = {12};
  int most = 0;
  for (int i = 0; i < 4000; i++) {
    supple_dual_quat motions[4];
    double weights[4], sum = 0;
    const supple_dual_quat centre = numbers_motion(&n, 5);
    for (int k = 0; k < 4; k++) {
      const supple_dual_quat turn =
          screw(unit_vector(&n), numbers_vec3(&n, 2), numbers_in(&n, 0, 1.5), 0.5);
      motions[k] = supple_dual_quat_multiply(centre, turn);
      sum += weights[k] = numbers_in(&n, 0.01, 1);
    }
    for (int k = 0; k < 4; k++) weights[k] /= sum;
    int rounds;
    const supple_dual_quat mean = supple_dual_quat_dib(motions, weights, 4, 0, &rounds);
    if (rounds > most) most = rounds;
    supple_dual_quat rest = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    for (int k = 0; k < 4; k++) {
      supple_dual_quat seen = supple_dual_quat_multiply(supple_dual_quat_inverse(mean), motions[k]);
      if (seen.real.w < 0) seen = supple_dual_quat_scale(seen, -1.0);
      rest = supple_dual_quat_add(rest,
                                  supple_dual_quat_scale(supple_dual_quat_log(seen), weights[k]));
    }
    assert_at_most(supple_quat_norm(rest.real) + supple_quat_norm(rest.dual), 2e-11);
    /* A loose tolerance ends earlier. */
    int few;
    (void)supple_dual_quat_dib(motions, weights, 4, 1e-3, &few);
    assert_true(few <= rounds);
  }
  assert_in_range(most, 3, 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_motion_and_back),
      cmocka_unit_test(transform_is_the_sandwich),
      cmocka_unit_test(product_is_composition),
      cmocka_unit_test(norm_and_inverse_of_any),
      cmocka_unit_test(exp_is_its_power_series),
      cmocka_unit_test(log_is_the_inverse_of_exp),
      cmocka_unit_test(log_of_pure_translations_and_whole_turns),
      cmocka_unit_test(power_follows_the_screw),
      cmocka_unit_test(sclerp_is_the_exact_screw),
      cmocka_unit_test(blends_of_one_or_equal_motions_are_it),
      cmocka_unit_test(signs_follow_the_pivot),
      cmocka_unit_test(linear_blending_departs_by_the_known_figures),
      cmocka_unit_test(iterated_blend_of_two_is_sclerp),
      cmocka_unit_test(iterated_blend_is_the_weighted_mean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
