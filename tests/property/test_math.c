/* test_math.c: laws that the mathematics must keep, whatever the numbers. */
#include "tests/math/numbers.h"

static supple_dual_quat any_dual_quat(numbers *n) {
  const supple_quat real = supple_quat_scale(numbers_quat(n), numbers_in(n, 0.1, 2));
  const supple_dual_quat a = {real, supple_quat_scale(numbers_quat(n), numbers_in(n, 0, 2))};
  return a;
}

static void quaternions_are_a_division_ring(void **state) {
  (void)state;
  numbers n = {1};
  for (int i = 0; i < 10000; i++) {
    const supple_quat a = any_dual_quat(&n).real, b = any_dual_quat(&n).real,
                      c = any_dual_quat(&n).real;
    const supple_quat ab = supple_quat_multiply(a, b);
    assert_at_most(quat_difference(supple_quat_multiply(ab, c),
                                   supple_quat_multiply(a, supple_quat_multiply(b, c))),
                   1e-14);
    assert_at_most(quat_difference(supple_quat_multiply(a, supple_quat_add(b, c)),
                                   supple_quat_add(ab, supple_quat_multiply(a, c))),
                   1e-14);
    assert_at_most(
        quat_difference(supple_quat_conjugate(ab),
                        supple_quat_multiply(supple_quat_conjugate(b), supple_quat_conjugate(a))),
        1e-15);
    assert_at_most(fabs(supple_quat_norm(ab) - supple_quat_norm(a) * supple_quat_norm(b)), 4e-15);
    assert_at_most(
        quat_difference(supple_quat_multiply(a, supple_quat_inverse(a)), supple_quat_identity()),
        2e-15);
    assert_at_most(
        fabs(supple_quat_dot(a, b) - supple_quat_multiply(a, supple_quat_conjugate(b)).w), 2e-15);
  }
}

static void rotations_compose_and_keep_lengths(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 10000; i++) {
    const supple_quat a = numbers_quat(&n), b = numbers_quat(&n);
    const supple_vec3 v = numbers_vec3(&n, 2), w = numbers_vec3(&n, 2);
    assert_at_most(vec3_difference(supple_quat_rotate(supple_quat_multiply(a, b), v),
                                   supple_quat_rotate(a, supple_quat_rotate(b, v))),
                   1e-14);
    const supple_vec3 av = supple_quat_rotate(a, v), aw = supple_quat_rotate(a, w);
    assert_at_most(fabs(supple_vec3_dot(av, aw) - supple_vec3_dot(v, w)), 2e-14);
    assert_at_most(
        vec3_difference(supple_vec3_cross(av, aw), supple_quat_rotate(a, supple_vec3_cross(v, w))),
        2e-14);
    const supple_mat3 ma = supple_mat3_from_quat(a), mb = supple_mat3_from_quat(b);
    const supple_mat3 product = supple_mat3_multiply(&ma, &mb);
    assert_at_most(rotation_difference(supple_quat_from_mat3(&product), supple_quat_multiply(a, b)),
                   2e-15);
    /* the two signs turn alike */
    assert_at_most(vec3_difference(supple_quat_rotate(supple_quat_scale(a, -1), v), av), 0);
  }
}

static void dual_quaternions_are_an_algebra(void **state) {
  (void)state;
  numbers n = {3};
  for (int i = 0; i < 10000; i++) {
    const supple_dual_quat a = any_dual_quat(&n), b = any_dual_quat(&n), c = any_dual_quat(&n);
    const supple_dual_quat ab = supple_dual_quat_multiply(a, b);
    assert_at_most(
        dual_quat_difference(supple_dual_quat_multiply(ab, c),
                             supple_dual_quat_multiply(a, supple_dual_quat_multiply(b, c))),
        4e-14);
    assert_at_most(dual_quat_difference(supple_dual_quat_multiply(a, supple_dual_quat_add(b, c)),
                                        supple_dual_quat_add(ab, supple_dual_quat_multiply(a, c))),
                   2e-14);
    /* two conjugates turn products round, the dual one keeps them */
    assert_at_most(dual_quat_difference(supple_dual_quat_conjugate(ab),
                                        supple_dual_quat_multiply(supple_dual_quat_conjugate(b),
                                                                  supple_dual_quat_conjugate(a))),
                   4e-15);
    assert_at_most(
        dual_quat_difference(supple_dual_quat_full_conjugate(ab),
                             supple_dual_quat_multiply(supple_dual_quat_full_conjugate(b),
                                                       supple_dual_quat_full_conjugate(a))),
        4e-15);
    assert_at_most(
        dual_quat_difference(supple_dual_quat_dual_conjugate(ab),
                             supple_dual_quat_multiply(supple_dual_quat_dual_conjugate(a),
                                                       supple_dual_quat_dual_conjugate(b))),
        4e-15);
    /* norms multiply, as dual numbers */
    double real_a, dual_a, real_b, dual_b, real_ab, dual_ab;
    supple_dual_quat_norm(a, &real_a, &dual_a);
    supple_dual_quat_norm(b, &real_b, &dual_b);
    supple_dual_quat_norm(ab, &real_ab, &dual_ab);
    assert_at_most(fabs(real_ab - real_a * real_b), 4e-15);
    assert_at_most(fabs(dual_ab - (real_a * dual_b + dual_a * real_b)), 2e-14);
  }
}

/* Moving all operands moves the blend, from the left and from the right: it depends on no
 * origin. */
static void blends_commute_with_motions(void **state) {
  (void)state;
  numbers n = {4};
  for (int i = 0; i < 3000; i++) {
    supple_dual_quat motions[3], left[3], right[3];
    const supple_dual_quat g = numbers_motion(&n, 3), h = numbers_motion(&n, 3);
    const supple_dual_quat base = numbers_motion(&n, 2);
    double weights[3] = {numbers_in(&n, 0.4, 0.6), 0.3, 0};
    weights[2] = 1 - weights[0] - weights[1];
    for (int k = 0; k < 3; k++) {
      const supple_vec3 axis = numbers_vec3(&n, 1);
      const supple_quat q = supple_quat_from_axis_angle(axis, numbers_in(&n, 0, 1.4));
      motions[k] =
          supple_dual_quat_multiply(base, supple_dual_quat_from_rigid(q, numbers_vec3(&n, 1)));
      if (i & (1 << k)) motions[k] = supple_dual_quat_scale(motions[k], -1);
      left[k] = supple_dual_quat_multiply(g, motions[k]);
      right[k] = supple_dual_quat_multiply(motions[k], h);
    }
    const supple_dual_quat dlb = supple_dual_quat_dlb(motions, weights, 3);
    assert_at_most(motion_difference(supple_dual_quat_dlb(left, weights, 3),
                                     supple_dual_quat_multiply(g, dlb)),
                   4e-14);
    assert_at_most(motion_difference(supple_dual_quat_dlb(right, weights, 3),
                                     supple_dual_quat_multiply(dlb, h)),
                   4e-14);
    const supple_dual_quat dib = supple_dual_quat_dib(motions, weights, 3, 0, NULL);
    assert_at_most(motion_difference(supple_dual_quat_dib(left, weights, 3, 0, NULL),
                                     supple_dual_quat_multiply(g, dib)),
                   2e-11);
    assert_at_most(motion_difference(supple_dual_quat_dib(right, weights, 3, 0, NULL),
                                     supple_dual_quat_multiply(dib, h)),
                   2e-11);
    const double t = weights[0];
    const supple_dual_quat screw = supple_dual_quat_sclerp(motions[0], motions[1], t);
    assert_at_most(motion_difference(supple_dual_quat_sclerp(left[0], left[1], t),
                                     supple_dual_quat_multiply(g, screw)),
                   4e-14);
    assert_at_most(motion_difference(supple_dual_quat_sclerp(right[0], right[1], t),
                                     supple_dual_quat_multiply(screw, h)),
                   4e-14);
    /* and are unit */
    double norm, dual;
    supple_dual_quat_norm(dlb, &norm, &dual);
    assert_at_most(fabs(norm - 1) + fabs(dual), 4e-15);
  }
}

/* For any two motions, DLB stays within the bounds that hold for the turn between them. */
static void linear_blend_keeps_its_bounds(void **state) {
  (void)state;
  numbers n = {5};
  for (int i = 0; i < 20000; i++) {
    const double most_angle = i % 2 ? SUPPLE_PI : SUPPLE_PI / 2;
    const supple_vec3 axis = supple_vec3_normalise(numbers_vec3(&n, 1), supple_vec3_make(1, 0, 0));
    const supple_quat q = supple_quat_from_axis_angle(axis, numbers_in(&n, 0, most_angle));
    const supple_dual_quat a = numbers_motion(&n, 2);
    const supple_dual_quat b =
        supple_dual_quat_multiply(a, supple_dual_quat_from_rigid(q, numbers_vec3(&n, 1)));
    const double t = numbers_in(&n, 0, 1), weights[2] = {1 - t, t};
    const supple_dual_quat pair[2] = {a, b};
    const supple_dual_quat exact = supple_dual_quat_sclerp(a, b, t);
    const supple_dual_quat off = supple_dual_quat_multiply(supple_dual_quat_inverse(exact),
                                                           supple_dual_quat_dlb(pair, weights, 2));
    /* Both turn about and slide along one axis, so what is off is a screw about it too. */
    const supple_dual_quat relative = supple_dual_quat_multiply(supple_dual_quat_inverse(a), b);
    supple_quat turn;
    supple_vec3 whole, slide;
    supple_dual_quat_to_rigid(off, &turn, &slide);
    const double sine = supple_vec3_length(supple_vec3_make(turn.x, turn.y, turn.z));
    assert_at_most(2 * atan2(sine, fabs(turn.w)) * 180 / SUPPLE_PI, i % 2 ? 8.15 : 0.93);
    supple_dual_quat_to_rigid(relative, &turn, &whole);
    assert_at_most(fabs(supple_vec3_dot(slide, axis)),
                   (i % 2 ? 0.1502 : 0.0314) * fabs(supple_vec3_dot(whole, axis)) + 1e-14);
  }
}

static void affine_maps_are_a_group(void **state) {
  (void)state;
  numbers n = {6};
  for (int i = 0; i < 10000; i++) {
    supple_affine64 a, b, c;
    supple_affine64 *const all[3] = {&a, &b, &c};
    for (int k = 0; k < 3; k++)
      for (int j = 0; j < 12; j++) all[k]->m[j / 4][j % 4] = numbers_in(&n, -1, 1);
    const supple_affine64 ab = supple_affine64_multiply(&a, &b);
    const supple_affine64 bc = supple_affine64_multiply(&b, &c);
    const supple_affine64 left = supple_affine64_multiply(&ab, &c);
    const supple_affine64 right = supple_affine64_multiply(&a, &bc);
    assert_at_most(affine_difference(&left, &right), 1e-14);
    const supple_vec3 p = numbers_vec3(&n, 1);
    const supple_vec3 bp = supple_affine64_transform_point(&b, p);
    assert_at_most(vec3_difference(supple_affine64_transform_point(&ab, p),
                                   supple_affine64_transform_point(&a, bp)),
                   1e-14);
    supple_affine64 inverse_a, inverse_b, inverse_ab;
    if (!supple_affine64_inverse(&a, &inverse_a) || !supple_affine64_inverse(&b, &inverse_b))
      continue;
    const supple_mat3 linear_a = supple_affine64_linear(&inverse_a);
    const supple_mat3 linear_b = supple_affine64_linear(&inverse_b);
    const double size = (1 + mat3_largest(&linear_a)) * (1 + mat3_largest(&linear_b));
    if (size > 1e4) continue; /* both sides would be rounding */
    assert_true(supple_affine64_inverse(&ab, &inverse_ab));
    const supple_affine64 expected = supple_affine64_multiply(&inverse_b, &inverse_a);
    assert_at_most(affine_difference(&inverse_ab, &expected), 1e-14 * size * size);
    const double det_a = supple_mat3_determinant(&linear_a);
    const supple_mat3 forward = supple_affine64_linear(&a);
    assert_at_most(fabs(det_a * supple_mat3_determinant(&forward) - 1), 1e-12 * size);
  }
}

static void cofactors_multiply_and_transform_normals(void **state) {
  (void)state;
  numbers n = {7};
  for (int i = 0; i < 10000; i++) {
    const supple_mat3 a = numbers_mat3(&n), b = numbers_mat3(&n);
    const supple_mat3 ab = supple_mat3_multiply(&a, &b), cofactor_ab = supple_mat3_cofactor(&ab);
    const supple_mat3 cofactor_a = supple_mat3_cofactor(&a), cofactor_b = supple_mat3_cofactor(&b);
    const supple_mat3 product = supple_mat3_multiply(&cofactor_a, &cofactor_b);
    assert_at_most(mat3_difference(&product, &cofactor_ab), 1e-14);
    assert_at_most(fabs(supple_mat3_determinant(&ab) -
                        supple_mat3_determinant(&a) * supple_mat3_determinant(&b)),
                   1e-14);
    /* what is orthogonal to a normal stays so */
    const supple_vec3 normal = numbers_vec3(&n, 1);
    const supple_vec3 tangent = supple_vec3_cross(normal, numbers_vec3(&n, 1));
    assert_at_most(fabs(supple_vec3_dot(supple_mat3_apply(&cofactor_a, normal),
                                        supple_mat3_apply(&a, tangent))),
                   1e-14);
  }
}

/* polar(a M b) = a polar(M) b for rotations a, b; polar(s M) = polar(M) for s > 0, mirrored for s
 * < 0. */
static void polar_commutes_with_similarities(void **state) {
  (void)state;
  numbers n = {8};
  for (int i = 0; i < 10000; i++) {
    supple_mat3 m = numbers_mat3(&n);
    if (i % 4 == 0) /* singular: then with the hint moved along */
      for (int j = 0; j < 3; j++) m.m[j][2] = i % 8 ? m.m[j][1] : 0;
    const supple_quat qa = numbers_quat(&n), qb = numbers_quat(&n), hint = numbers_quat(&n);
    const supple_mat3 a = supple_mat3_from_quat(qa), b = supple_mat3_from_quat(qb);
    const double s = (i % 3 ? 1 : -1) * numbers_magnitude(&n, -20, 20);
    supple_mat3 am = supple_mat3_multiply(&a, &m), moved = supple_mat3_multiply(&am, &b);
    for (int j = 0; j < 9; j++) moved.m[j / 3][j % 3] *= s;
    const supple_quat moved_hint = supple_quat_multiply(supple_quat_multiply(qa, hint), qb);
    const supple_affine64 map = linear_map(&m), moved_map = linear_map(&moved);
    const supple_split split = supple_split_polar(&map, &hint, false);
    const supple_split other = supple_split_polar(&moved_map, &moved_hint, s < 0);
    supple_mat3 u, v;
    double values[3];
    supple_mat3_svd(&m, &u, values, &v);
    const double gap = values[1] + (split.rank == 3 ? values[2] : 0);
    if (values[1] < 1e-3 || fabs(values[2] - 1e-6 * values[0]) < 1e-9) continue;
    const supple_quat expected = supple_quat_multiply(supple_quat_multiply(qa, split.rotation), qb);
    const supple_vec3 u3 = {u.m[0][2], u.m[1][2], u.m[2][2]};
    const supple_vec3 v3 = {v.m[0][2], v.m[1][2], v.m[2][2]};
    if (split.rank == 2 && fabs(supple_vec3_dot(u3, supple_quat_rotate(hint, v3))) < 1e-6)
      continue; /* the hint is of no help */
    assert_int_equal(other.rank, split.rank);
    assert_int_equal(other.mirrored, split.mirrored != (s < 0));
    assert_at_most(rotation_difference(other.rotation, expected), 1e-14 / gap);
    assert_at_most(fabs(other.scale - s * split.scale), 1e-14 * fabs(s) / gap);
  }
}

/* No rotation is closer to M (of -M where it mirrors) than R: try those around it. */
static void polar_is_the_closest_rotation(void **state) {
  (void)state;
  numbers n = {9};
  for (int i = 0; i < 3000; i++) {
    const supple_mat3 m = numbers_mat3(&n);
    const supple_affine64 a = linear_map(&m);
    const supple_split split = supple_split_polar(&a, NULL, false);
    const double sign = split.mirrored ? -1 : 1;
    double best = 0;
    for (int trial = 0; trial < 50; trial++) {
      const supple_quat turn = supple_quat_from_axis_angle(
          numbers_vec3(&n, 1), trial ? numbers_magnitude(&n, -6, 0.49) : 0);
      const supple_mat3 r = supple_mat3_from_quat(supple_quat_multiply(turn, split.rotation));
      double along = 0; /* |M - r|² = const - 2 <M, r> */
      for (int j = 0; j < 9; j++) along += sign * m.m[j / 3][j % 3] * r.m[j / 3][j % 3];
      if (trial == 0) best = along;
      assert_true(along <= best + 4e-15);
    }
  }
}

static void splits_agree_on_rigid_scaled_maps(void **state) {
  (void)state;
  numbers n = {10};
  for (int i = 0; i < 5000; i++) {
    supple_transform t;
    t.rotation = numbers_quat(&n);
    t.translation = numbers_vec3(&n, 3);
    const double s = numbers_in(&n, 0.1, 3);
    t.scale = supple_vec3_make(s, s, s);
    const supple_affine64 a = supple_transform_to_affine(&t);
    const supple_split polar = supple_split_polar(&a, NULL, false);
    const supple_split columns = supple_split_gram_schmidt(&a, NULL, false);
    supple_transform back;
    assert_true(supple_transform_from_affine(&a, 0, &back));
    assert_at_most(rotation_difference(polar.rotation, t.rotation), 1e-15);
    assert_at_most(rotation_difference(columns.rotation, t.rotation), 1e-15);
    assert_at_most(rotation_difference(back.rotation, t.rotation), 1e-15);
    assert_at_most(fabs(polar.scale - s) + fabs(columns.scale - s), 4e-15);
    /* and with what a dual quaternion makes of it */
    supple_affine64 rigid = a;
    for (int j = 0; j < 9; j++) rigid.m[j / 3][j % 3] /= s;
    const supple_affine64 motion =
        supple_dual_quat_to_affine(supple_dual_quat_from_rigid(polar.rotation, polar.translation));
    assert_at_most(affine_difference(&motion, &rigid), 4e-15);
  }
}

static void angles_obey_their_identities(void **state) {
  (void)state;
  numbers n = {11};
  for (int i = 0; i < 100000; i++) {
    const double a = numbers_in(&n, -100, 100), b = numbers_in(&n, -3, 3);
    const double sa = supple_sin(a), ca = supple_cos(a), sb = supple_sin(b), cb = supple_cos(b);
    assert_at_most(fabs(supple_sin(b) - 2 * supple_sin(b / 2) * supple_cos(b / 2)), 1e-15);
    assert_at_most(fabs(sa * sa + ca * ca - 1), 1e-15);
    assert_at_most(fabs(supple_atan2(sb, cb) - b), 1e-15);
    assert_at_most(fabs(supple_cos(supple_acos(b / 3)) - b / 3), 1e-15);
    const double sum = a < 0 && b < 0 ? -3 * (SUPPLE_PI / 2) : SUPPLE_PI / 2;
    assert_at_most(fabs(supple_atan2(a, b) + supple_atan2(b, a) - sum), 2e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(quaternions_are_a_division_ring),
      cmocka_unit_test(rotations_compose_and_keep_lengths),
      cmocka_unit_test(dual_quaternions_are_an_algebra),
      cmocka_unit_test(blends_commute_with_motions),
      cmocka_unit_test(linear_blend_keeps_its_bounds),
      cmocka_unit_test(affine_maps_are_a_group),
      cmocka_unit_test(cofactors_multiply_and_transform_normals),
      cmocka_unit_test(polar_commutes_with_similarities),
      cmocka_unit_test(polar_is_the_closest_rotation),
      cmocka_unit_test(splits_agree_on_rigid_scaled_maps),
      cmocka_unit_test(angles_obey_their_identities),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
