/* test_split.c: polar and Gram-Schmidt splits of regular, singular and mirrored matrices. */
#include "tests/math/numbers.h"

#include <inttypes.h>
#include <string.h>

typedef supple_split split_function(const supple_affine64 *, const supple_quat *, bool);
static split_function *const both[2] = {supple_split_polar, supple_split_gram_schmidt};

/* v · diag(x, y, z) · vᵀ: a stretch along the axes of v. */
static supple_mat3 stretch(const supple_mat3 *v, double x, double y, double z) {
  return with_values(v, x, y, z, v);
}

static supple_split polar(const supple_mat3 *m, const supple_quat *hint, bool hint_mirrored) {
  const supple_affine64 a = linear_map(m);
  return supple_split_polar(&a, hint, hint_mirrored);
}

/* What any split must be: a unit quaternion, T · R · S = M, and the numbers that describe S. */
static void check_split(const supple_affine64 *a, const supple_split *split) {
  const supple_mat3 m = supple_affine64_linear(a), r = supple_mat3_from_quat(split->rotation);
  const supple_mat3 back = supple_mat3_multiply(&r, &split->stretch);
  assert_at_most(mat3_difference(&back, &m), 5e-15 * mat3_largest(&m));
  assert_at_most(fabs(supple_quat_norm(split->rotation) - 1), 4e-16);
  assert_at_most(vec3_difference(split->translation, supple_affine64_translation(a)), 0);
  const double(*s)[3] = (const double(*)[3])split->stretch.m;
  assert_at_most(fabs(split->scale - (s[0][0] + s[1][1] + s[2][2]) / 3),
                 1e-15 * mat3_largest(&split->stretch));
  const supple_mat3 similar = diagonal(split->scale, split->scale, split->scale);
  assert_true(mat3_difference(&split->stretch, &similar) == split->residual);
  assert_in_range(split->rank, 0, 3);
}

static void polar_finds_the_rotation(void **state) {
  (void)state;
  numbers n = {1};
  for (int i = 0; i < 50000; i++) {
    const supple_quat q = numbers_quat(&n), unrelated = numbers_quat(&n);
    const supple_mat3 r = supple_mat3_from_quat(q), v = numbers_rotation(&n);
    /* Well-conditioned ones (Newton), bad ones (singular values), and where they meet. */
    const double least = i % 2 ? numbers_magnitude(&n, -5.5, 0) : numbers_in(&n, 0.05, 1);
    const double middle = numbers_in(&n, least, 1);
    const bool mirrored = i % 3 == 0;
    const double size = (mirrored ? -1 : 1) * (i % 5 ? 1 : numbers_magnitude(&n, -30, 30));
    const supple_mat3 s = stretch(&v, size, size * middle, size * least);
    const supple_mat3 m = supple_mat3_multiply(&r, &s);
    const supple_split split = polar(&m, &unrelated, i % 7 == 0);
    const supple_affine64 a = linear_map(&m);
    check_split(&a, &split);
    assert_int_equal(split.rank, 3);
    assert_int_equal(split.mirrored, mirrored);
    /* The polar factor moves by the error of m over the sum of the smaller values. */
    assert_at_most(rotation_difference(split.rotation, q), 1e-15 + 1e-15 / (middle + least));
    assert_at_most(mat3_difference(&split.stretch, &s), 4e-15 * fabs(size));
    for (int j = 0; j < 3; j++)
      assert_true(split.stretch.m[j][(j + 1) % 3] == split.stretch.m[(j + 1) % 3][j]);
    assert_at_most(fabs(split.scale - size * (1 + middle + least) / 3), 2e-15 * fabs(size));
    assert_true((split.scale < 0) == mirrored);
  }
}

/* Of the two ways to the factor the choice must not show: across the border, with what is known of
 * the factor to compare with, both are within 1e-14. */
static void both_ways_agree_where_they_meet(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 30000; i++) {
    const supple_quat q = numbers_quat(&n);
    const supple_mat3 r = supple_mat3_from_quat(q), v = numbers_rotation(&n);
    /* 16 is where the Frobenius condition turns: about 1 : 1 : 11 or 1 : 11 : 11 */
    const double least = 1 / numbers_in(&n, 7, 18), middle = i % 2 ? 1 : least;
    const supple_mat3 s = stretch(&v, 1, middle, least);
    const supple_mat3 m = supple_mat3_multiply(&r, &s);
    assert_at_most(rotation_difference(polar(&m, NULL, false).rotation, q), 1e-14);
  }
}

static void polar_of_similarities(void **state) {
  (void)state;
  numbers n = {3};
  for (int i = 0; i < 10000; i++) {
    const supple_quat q = numbers_quat(&n);
    const supple_mat3 r = supple_mat3_from_quat(q);
    const double most = i % 3 ? 3 : 300;
    const double size = (i % 2 ? -1 : 1) * numbers_magnitude(&n, -most, most);
    const supple_mat3 d = diagonal(size, size, size), m = supple_mat3_multiply(&r, &d);
    const supple_split split = polar(&m, NULL, false);
    assert_at_most(rotation_difference(split.rotation, q), 1e-15);
    assert_at_most(fabs(split.scale / size - 1), 2e-15);
    assert_at_most(split.residual, 3e-15 * fabs(size));
    assert_int_equal(split.mirrored, i % 2);
    /* exactly one where nothing happens */
    const supple_split rest = polar(&d, NULL, false);
    assert_true(rest.rotation.w == 1 && rest.scale == size && rest.residual == 0);
  }
}

/* Frobenius distance of an orthogonal matrix to the hint. */
static double distance(const supple_mat3 *a, const supple_mat3 *b) {
  double sum = 0;
  for (int i = 0; i < 9; i++) {
    const double off = a->m[i / 3][i % 3] - b->m[i / 3][i % 3];
    sum += off * off;
  }
  return sqrt(sum);
}

static supple_mat3 orthogonal_of(const supple_split *split) {
  supple_mat3 q = supple_mat3_from_quat(split->rotation);
  for (int i = 0; split->mirrored && i < 9; i++) q.m[i / 3][i % 3] = -q.m[i / 3][i % 3];
  return q;
}

/* All orthogonal factors of a singular u · diag · vᵀ are u · (block) · vᵀ with any orthogonal
 * block for the zeros: none of them may be closer to the hint. Turn the found one by steps and
 * flips. */
static void completion_is_the_closest_to_the_hint(void **state) {
  (void)state;
  numbers n = {4};
  for (int i = 0; i < 3000; i++) {
    const supple_mat3 u = numbers_rotation(&n), v = numbers_rotation(&n);
    const int rank = i % 3;
    const double size = numbers_magnitude(&n, -30, 30);
    const supple_mat3 m = with_values(&u, rank > 0 ? size : 0, rank > 1 ? -size / 3 : 0, 0, &v);
    const supple_quat hint = numbers_quat(&n);
    const bool hint_mirrored = i & 1;
    supple_mat3 h = supple_mat3_from_quat(hint);
    for (int j = 0; hint_mirrored && j < 9; j++) h.m[j / 3][j % 3] = -h.m[j / 3][j % 3];
    const supple_split split = polar(&m, &hint, hint_mirrored);
    const supple_affine64 a = linear_map(&m);
    check_split(&a, &split);
    assert_int_equal(split.rank, rank);
    const supple_mat3 found = orthogonal_of(&split);
    const double best = distance(&found, &h);
    if (rank == 0) {
      assert_at_most(best, 2e-15);
      assert_int_equal(split.mirrored, hint_mirrored);
    }
    /* It is a polar factor: found · (mᵀ m)^(1/2) = m. */
    const supple_mat3 root = stretch(&v, rank > 0 ? size : 0, rank > 1 ? size / 3 : 0, 0);
    const supple_mat3 product = supple_mat3_multiply(&found, &root);
    assert_at_most(mat3_difference(&product, &m), 3e-15 * size);
    for (int step = 0; step < 200; step++) {
      const supple_vec3 free_axis = {v.m[0][0], v.m[1][0], v.m[2][0]};
      const supple_quat turn = rank == 0 ? numbers_quat(&n)
                               : rank == 1
                                   ? supple_quat_from_axis_angle(free_axis, step * (SUPPLE_PI / 50))
                                   : supple_quat_identity();
      supple_mat3 other = supple_mat3_from_quat(turn);
      if (step >= 100) { /* and a mirror in the plane orthogonal to the last axis */
        const supple_mat3 mirror = stretch(&v, 1, 1, -1);
        other = supple_mat3_multiply(&mirror, &other);
      }
      other = supple_mat3_multiply(&found, &other);
      assert_true(distance(&other, &h) >= best - 1e-14);
    }
  }
}

/* ... and the limit of polar(m + e h), as the header says. */
static void completion_is_the_limit_towards_the_hint(void **state) {
  (void)state;
  numbers n = {5};
  for (int i = 0; i < 3000; i++) {
    const supple_mat3 u = numbers_rotation(&n), v = numbers_rotation(&n);
    const supple_mat3 m = with_values(&u, 1, i % 2 ? 0.5 : 0, 0, &v);
    const supple_quat hint = numbers_quat(&n);
    const bool mirrored = i & 2;
    const supple_mat3 h = supple_mat3_from_quat(hint);
    const supple_split limit = polar(&m, &hint, mirrored);
    supple_mat3 near_m = m;
    const double e = mirrored ? -1e-4 : 1e-4;
    for (int j = 0; j < 9; j++) near_m.m[j / 3][j % 3] += e * h.m[j / 3][j % 3];
    const supple_split near_limit = polar(&near_m, &hint, mirrored);
    if (near_limit.rank < 3) continue; /* the hint adds next to nothing to the missing axes */
    assert_int_equal(limit.mirrored, near_limit.mirrored);
    const double small = fabs(supple_mat3_determinant(&near_m)) / (i % 2 ? 1e-4 : 1e-8);
    assert_at_most(rotation_difference(limit.rotation, near_limit.rotation), 1e-3 / small);
  }
}

/* A joint in the pose `hint`, one, two or all of whose scales shrink to zero, and on to a
 * mirror with the mirrored hint: the rotation stays what it is, through the threshold and at
 * zero itself. */
static void rotation_stays_while_scales_vanish(void **state) {
  (void)state;
  numbers n = {6};
  for (int i = 0; i < 500; i++) {
    const supple_quat q = numbers_quat(&n);
    const supple_mat3 r = supple_mat3_from_quat(q);
    for (int vanishing = 1; vanishing <= 7; vanishing++) {
      for (int step = 0; step < 40; step++) {
        const double e = step < 39 ? pow(10, -0.5 * step) : 0;
        const supple_mat3 s =
            diagonal(vanishing & 1 ? e : 1, vanishing & 2 ? e : 1.2, vanishing & 4 ? e : 0.7);
        supple_mat3 m = supple_mat3_multiply(&r, &s);
        const bool two = vanishing != 1 && vanishing != 2 && vanishing != 4 && vanishing != 7;
        const double bound = 2e-15 + (two && e > 0 ? fmin(2e-15 / e, 4e-9) : 0);
        supple_split split = polar(&m, &q, false);
        assert_false(split.mirrored);
        assert_at_most(rotation_difference(split.rotation, q), bound);
        for (int j = 0; j < 9; j++) m.m[j / 3][j % 3] = -m.m[j / 3][j % 3];
        split = polar(&m, &q, true);
        assert_true(split.mirrored);
        assert_at_most(rotation_difference(split.rotation, q), bound);
      }
    }
  }
}

static void rank_counts_values_above_a_millionth(void **state) {
  (void)state;
  const double scales[] = {1, 1e-30, 1e30, 1e-300, 1e300, 0x1p-1000};
  for (int i = 0; i < 6; i++) {
    const double s = scales[i];
    const double values[][3] = {{s, s, s},        {s, s, 1.1e-6 * s},      {s, s, 0.9e-6 * s},
                                {s, 2e-6 * s, 0}, {s, 1e-7 * s, 1e-7 * s}, {0, 0, 0}};
    const int rank[] = {3, 3, 2, 2, 1, 0};
    for (int k = 0; k < 6; k++) {
      const supple_mat3 m = diagonal(values[k][2], values[k][0], -values[k][1]);
      const supple_affine64 a = linear_map(&m);
      for (int f = 0; f < 2; f++) {
        const supple_split split = both[f](&a, NULL, false);
        assert_int_equal(split.rank, rank[k]);
        check_split(&a, &split);
      }
    }
  }
}

/* The hint is orthogonal to what is there, or opposes it: no direction is better, but one is
 * chosen, and it is the orientation of the hint. */
static void completion_without_help_is_defined(void **state) {
  (void)state;
  const supple_mat3 u[] = {{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}}, {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}};
  for (int k = 0; k < 2; k++) {
    for (int mirrored = 0; mirrored < 2; mirrored++) {
      for (int rank = 1; rank <= 2; rank++) {
        const supple_mat3 d = diagonal(2, rank > 1 ? 1.5 : 0, 0);
        const supple_mat3 m = supple_mat3_multiply(&u[k], &d);
        const supple_split split = polar(&m, NULL, mirrored);
        assert_int_equal(split.rank, rank);
        assert_int_equal(split.mirrored, mirrored);
        const supple_affine64 a = linear_map(&m);
        check_split(&a, &split);
      }
    }
  }
  /* Rank 1 against the hint: the flip in the plane of the axis that is turned round least. */
  const supple_mat3 back = diagonal(-1, 0, 0);
  const supple_split split = polar(&back, NULL, false);
  const supple_mat3 q = orthogonal_of(&split), expected = diagonal(-1, 1, 1);
  assert_at_most(mat3_difference(&q, &expected), 1e-15);
  assert_true(split.mirrored);
}

static void gram_schmidt_keeps_the_first_column(void **state) {
  (void)state;
  numbers n = {7};
  for (int i = 0; i < 30000; i++) {
    const supple_quat q = numbers_quat(&n);
    const supple_mat3 r = supple_mat3_from_quat(q);
    const double size = i % 3 ? 1 : numbers_magnitude(&n, -30, 30);
    const double sign = i % 2 ? -1 : 1;
    supple_mat3 s = diagonal(0, 0, 0);
    for (int j = 0; j < 3; j++) {
      s.m[j][j] = sign * size * numbers_in(&n, 0.05, 1);
      for (int k = j + 1; k < 3; k++) s.m[j][k] = size * numbers_in(&n, -1, 1);
    }
    const supple_mat3 m = supple_mat3_multiply(&r, &s);
    supple_affine64 a = linear_map(&m);
    a.m[0][3] = 5, a.m[2][3] = -3;
    const supple_split split = supple_split_gram_schmidt(&a, NULL, false);
    check_split(&a, &split);
    assert_int_equal(split.rank, 3);
    assert_int_equal(split.mirrored, sign < 0);
    assert_at_most(rotation_difference(split.rotation, q), 1e-12);
    assert_true(split.stretch.m[1][0] == 0 && split.stretch.m[2][0] == 0 &&
                split.stretch.m[2][1] == 0);
    for (int j = 0; j < 3; j++) assert_true(split.stretch.m[j][j] * sign > 0);
  }
}

/* A pure stretch does not turn; Gram-Schmidt says it does, by as much as this. */
static void gram_schmidt_turns_under_stretch(void **state) {
  (void)state;
  const struct { double ratio, degrees; } known[] = {{1.5, 13.3}, {2, 22.5}, {4, 42.9}, {10, 64.7}};
  for (int k = 0; k < 4; k++) {
    double most[2] = {0, 0};
    numbers n = {8};
    for (int i = 0; i < 4000; i++) {
      const supple_mat3 v = numbers_rotation(&n);
      const double middle = numbers_in(&n, 1, known[k].ratio);
      const supple_mat3 s = stretch(&v, known[k].ratio, middle, 1);
      const supple_affine64 a = linear_map(&s);
      for (int f = 0; f < 2; f++) {
        const supple_quat q = both[f](&a, NULL, false).rotation;
        const double sine = supple_vec3_length(supple_vec3_make(q.x, q.y, q.z));
        const double degrees = 2 * atan2(sine, fabs(q.w)) * 180 / SUPPLE_PI;
        if (degrees > most[f]) most[f] = degrees;
      }
    }
    assert_at_most(most[0], 1e-13);
    assert_true(most[1] > 0.9 * known[k].degrees && most[1] < known[k].degrees + 0.1);
  }
}

static void gram_schmidt_keeps_degenerate_matrices_whole(void **state) {
  (void)state;
  numbers n = {9};
  for (int i = 0; i < 3000; i++) {
    const supple_mat3 u = numbers_rotation(&n), v = numbers_rotation(&n);
    const double least = i % 2 ? 1e-9 * (i % 3) : 0;
    const supple_mat3 m = with_values(&u, i % 3 ? 1 : 0, i % 3 == 2, least, &v);
    const supple_affine64 a = linear_map(&m);
    const supple_quat hint = numbers_quat(&n);
    const supple_split split = supple_split_gram_schmidt(&a, &hint, i & 1);
    check_split(&a, &split);
    assert_int_equal(split.rank, i % 3);
    assert_int_equal(split.mirrored, i & 1);
    assert_at_most(quat_difference(split.rotation, hint), 4e-16);
    const supple_split plain = supple_split_gram_schmidt(&a, NULL, false);
    assert_at_most(quat_difference(plain.rotation, supple_quat_identity()), 0);
    assert_at_most(mat3_difference(&plain.stretch, &m), 0);
  }
}

static void odd_hints(void **state) {
  (void)state;
  const supple_affine64 zero = {{{0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}};
  const supple_quat none = {0, 0, 0, 0}, long_one = {0, 0, 30, 40};
  for (int f = 0; f < 2; f++) {
    supple_split split = both[f](&zero, &none, false);
    assert_at_most(quat_difference(split.rotation, supple_quat_identity()), 0);
    assert_true(split.scale == 0 && split.residual == 0 && split.rank == 0);
    assert_true(split.translation.z == 3);
    split = both[f](&zero, &long_one, true);
    assert_at_most(quat_difference(split.rotation, supple_quat_make(0, 0, 0.6, 0.8)), 2e-16);
    assert_true(split.mirrored);
  }
}

static void not_finite_ends_and_tells(void **state) {
  (void)state;
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int i = 0; i < 27; i++) {
    supple_affine64 a = supple_affine64_identity();
    a.m[i / 9][i % 3] = bad[i / 3 % 3];
    for (int f = 0; f < 2; f++) {
      const supple_split split = both[f](&a, NULL, false);
      assert_int_equal(split.rank, 0);
      assert_true(!isfinite(split.residual));
      assert_at_most(quat_difference(split.rotation, supple_quat_identity()), 0);
    }
  }
}

static void results_have_these_bits(void **state) {
  (void)state;
  numbers n = {10};
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < 6000; i++) {
    supple_mat3 m = numbers_mat3(&n);
    for (int j = 0; i % 3 == 1 && j < 3; j++) m.m[j][1] *= 0x1p-15;
    for (int j = 0; i % 3 == 2 && j < 3; j++) m.m[j][1] = m.m[j][0];
    const supple_quat hint = numbers_quat(&n);
    const supple_affine64 a = linear_map(&m);
    const supple_split split = both[i & 1](&a, &hint, i & 2);
    double results[13];
    memcpy(results, &split.rotation, sizeof split.rotation);
    memcpy(results + 4, &split.stretch, sizeof split.stretch);
    uint64_t words[13];
    memcpy(words, results, sizeof words);
    for (int k = 0; k < 13; k++) hash = (hash ^ words[k]) * 0x100000001b3u;
  }
  if (hash != UINT64_C(0x6664cd7088c1536b)) print_error("hash 0x%016" PRIx64 "\n", hash);
  assert_true(hash == UINT64_C(0x6664cd7088c1536b));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polar_finds_the_rotation),
      cmocka_unit_test(both_ways_agree_where_they_meet),
      cmocka_unit_test(polar_of_similarities),
      cmocka_unit_test(completion_is_the_closest_to_the_hint),
      cmocka_unit_test(completion_is_the_limit_towards_the_hint),
      cmocka_unit_test(rotation_stays_while_scales_vanish),
      cmocka_unit_test(rank_counts_values_above_a_millionth),
      cmocka_unit_test(completion_without_help_is_defined),
      cmocka_unit_test(gram_schmidt_keeps_the_first_column),
      cmocka_unit_test(gram_schmidt_turns_under_stretch),
      cmocka_unit_test(gram_schmidt_keeps_degenerate_matrices_whole),
      cmocka_unit_test(odd_hints),
      cmocka_unit_test(not_finite_ends_and_tells),
      cmocka_unit_test(results_have_these_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
