/* test_dqs.c: dual quaternion skinning by hand: single joints, known blends, signs, scale modes,
 * the fallback. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "src/deform/vertex.h"
#include "tests/deform/deform_tests.h"

enum { MOST = 8 };
typedef struct outcome {
  float out[3 * MOST];
  supple_deform_report report;
  supple_inspection inspection;
} outcome;

/* Deforms `count` vertices of `sets` influences each. */
static outcome skin(uint32_t count, uint32_t sets, const uint16_t *joints, const float *weights,
                    const supple_palette *palette, supple_prepared_options options,
                    const float *positions) {
  assert_true(count <= MOST);
  outcome o = {.out = {0}};
  supple_binding *b = bind(count, sets, joints, weights);
  supple_prepared *p = prepare_with(b, palette, SUPPLE_DQS, options);
  o.report = deform_points(p, positions, o.out, count);
  assert_int_equal(supple_prepared_inspect(p, 0, count, &o.inspection), SUPPLE_OK);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
  return o;
}

static const supple_prepared_options defaults,
    no_rigid = {.rigid_tolerance = -1}, first = {.scale = SUPPLE_SCALE_FIRST},
    none = {.scale = SUPPLE_SCALE_NONE}, per_pose = {.signs = SUPPLE_SIGNS_PER_POSE};

/* One influence gives M v, whatever M is. */
static void one_influence_is_the_matrix(void **state) {
  (void)state;
  supple_affine matrices[MOST] = {translated(turned(1, 2, 3, 100, 1), 1, -2, 3),
                                  translated(turned(0, 1, 0, 33, 2), 0, 0, 5),
                                  {{{1, 0.5f, 0, 1}, {0, 2, -0.25f, 2}, {0.125f, 0, 3, 3}}},
                                  diagonal(-1, 1, 1),
                                  {{{-1, 0.5f, 0, 1}, {0, 2, -0.25f, 2}, {0.125f, 0, 3, 3}}},
                                  translated(diagonal(1, 0, 2), 3, 4, 5),
                                  translated(diagonal(0, 0, 0), 7, 8, 9),
                                  turned(3, 2, 1, 180, 0.01)};
  const uint16_t joints[MOST] = {0, 1, 2, 3, 4, 5, 6, 7};
  const float ones[MOST] = {1, 1, 1, 1, 1, 1, 1, 1};
  float positions[3 * MOST];
  for (int i = 0; i < 3 * MOST; i++) positions[i] = (float)(i % 3 + 1) * (i % 2 ? -0.5f : 0.75f);
  supple_palette palette = palette_of(matrices, MOST);
  const supple_prepared_options options[] = {
      defaults, no_rigid, per_pose, {.split = SUPPLE_SPLIT_GRAM_SCHMIDT}, first};
  for (int k = 0; k < 5; k++) {
    outcome o = skin(MOST, 1, joints, ones, &palette, options[k], positions);
    for (int j = 0; j < MOST; j++) {
      double expected[3];
      for (int r = 0; r < 3; r++) {
        expected[r] = (double)matrices[j].m[r][3];
        for (int c = 0; c < 3; c++)
          expected[r] += (double)matrices[j].m[r][c] * (double)positions[3 * j + c];
      }
      assert_point(o.out + 3 * j, expected[0], expected[1], expected[2], 4e-6);
    }
    assert_int_equal(o.report.fallbacks, 0);
    assert_int_equal(o.inspection.flipped, 0);
  }
}

/* Half of the identity and half of a turn is half the turn; where nothing turns, translations are
 * blended linearly. */
static void known_blends(void **state) {
  (void)state;
  const uint16_t joints[] = {0, 1, 0, 1};
  const float weights[] = {0.5f, 0.5f, 0.75f, 0.25f}, positions[] = {1, 0, 0, 1, 0, 0};
  static const double angles[] = {30, 90, 120, 179};
  for (int path = 0; path < 2; path++) {
    const supple_prepared_options options = path ? no_rigid : defaults;
    for (int k = 0; k < 4; k++) {
      supple_affine matrices[2] = {identity(), translated(turned(0, 0, 1, angles[k], 1), 0, 0, 2)};
      supple_palette palette = palette_of(matrices, 2);
      outcome o = skin(2, 2, joints, weights, &palette, options, positions);
      for (int v = 0; v < 2; v++) {
        /* r = (w0 + w1 c) + w1 s k, in c, s of half the angle; of the translation along the axis
         * survives (w1 w0 c + w1²) / |r|². */
        double w0 = (double)weights[2 * v], w1 = (double)weights[2 * v + 1];
        double half = angles[k] * SUPPLE_PI / 360, c = cos(half), s = sin(half);
        double real = w0 + w1 * c, vector = w1 * s, turn = 2 * atan2(vector, real);
        double squared = real * real + vector * vector;
        double rise = 2 * (w1 * w0 * c + w1 * w1) / squared;
        assert_point(o.out + 3 * v, cos(turn), sin(turn), rise, 2e-6);
      }
      assert_close(atan2((double)o.out[1], (double)o.out[0]), angles[k] * SUPPLE_PI / 360, 2e-6);
      assert_int_equal(o.inspection.affine, path ? 2 : 0);
    }
    supple_affine moves[2] = {translated(identity(), 4, 0, 0), translated(identity(), 0, 8, -4)};
    supple_palette palette = palette_of(moves, 2);
    outcome o = skin(2, 2, joints, weights, &palette, options, positions);
    assert_point(o.out, 3, 4, -2, 1e-6);
    assert_point(o.out + 3, 4, 2, -1, 1e-6);
  }
}

static void half_a_turn_is_defined(void **state) {
  (void)state;
  const float axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int path = 0; path < 2; path++)
    for (int a = 0; a < 3; a++)
      for (int swapped = 0; swapped < 2; swapped++) {
        const float *axis = axes[a];
        supple_affine matrices[2] = {identity(), identity()};
        for (int r = 0; r < 3; r++) matrices[!swapped].m[r][r] = axis[r] > 0 ? 1.0f : -1.0f;
        supple_palette palette = palette_of(matrices, 2);
        const float position[3] = {axes[(a + 1) % 3][0], axes[(a + 1) % 3][1], axes[(a + 1) % 3][2]};
        outcome o = skin(1, 2, (uint16_t[]){0, 1}, (float[]){0.5f, 0.5f}, &palette,
                         path ? no_rigid : defaults, position);
        /* A quarter turn about the axis in the positive sense, since its quaternion is stored as
         * +axis. */
        const float *to = axes[(a + 2) % 3];
        assert_point(o.out, (double)to[0], (double)to[1], (double)to[2], 1e-6);
        assert_int_equal(o.inspection.flipped, 0);
      }
}

/* Joint 1 is a turn by 240 degrees, stored as (s, -c) in (z, w): against joint 0 it is turned
 * round, so that the blend goes the short way, by -60 degrees. The pivot is not turned. */
static void the_short_way_from_the_pivot(void **state) {
  (void)state;
  supple_affine matrices[2] = {identity(), turned(0, 0, 1, 240, 1)};
  supple_palette palette = palette_of(matrices, 2);
  const float positions[] = {1, 0, 0, 1, 0, 0};
  for (int path = 0; path < 2; path++) {
    outcome o = skin(2, 2, (uint16_t[]){0, 1, 1, 0}, (float[]){0.5f, 0.5f, 0.5f, 0.5f}, &palette,
                     path ? no_rigid : defaults, positions);
    for (int v = 0; v < 2; v++) assert_point(o.out + 3 * v, 0.5, -sqrt(0.75), 0, 1e-6);
    assert_int_equal(o.inspection.flipped, 2);
  }
}

/* Joints 0, 120 and 240 degrees; the pivot decides who is turned round: against 240 it is 0. */
static void the_highest_weight_is_the_pivot(void **state) {
  (void)state;
  supple_affine matrices[3] = {identity(), turned(0, 0, 1, 120, 1), turned(0, 0, 1, 240, 1)};
  supple_palette palette = palette_of(matrices, 3);
  const float positions[] = {1, 0, 0, 1, 0, 0, 1, 0, 0};
  const uint16_t joints[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  const float weights[] = {0.5f, 0.25f, 0.25f, 0.25f, 0.5f, 0.25f, 0.25f, 0.25f, 0.5f};
  /* (z, w) of the blends: 0 + 120 - 240; 0 + 120 + 240; -0 + 120 + 240. */
  const double s = sqrt(0.75), c = 0.5;
  const double blends[3][2] = {{0.25 * s - 0.25 * s, 0.5 + 0.25 * c + 0.25 * c},
                               {0.5 * s + 0.25 * s, 0.25 + 0.5 * c - 0.25 * c},
                               {0.25 * s + 0.5 * s, -0.25 + 0.25 * c - 0.5 * c}};
  for (int path = 0; path < 2; path++) {
    outcome o = skin(3, 3, joints, weights, &palette, path ? no_rigid : defaults, positions);
    for (int v = 0; v < 3; v++) {
      double turn = 2 * atan2(blends[v][0], blends[v][1]);
      assert_point(o.out + 3 * v, cos(turn), sin(turn), 0, 1e-6);
    }
    assert_int_equal(o.inspection.flipped, 2);
  }
}

/* The scale that all joints share goes with 8 numbers; so does a mirror. */
static void common_scales(void **state) {
  (void)state;
  static const double scales[] = {0.01, 250, -3};
  const float positions[] = {1, 2, 3};
  for (int k = 0; k < 3; k++) {
    supple_affine matrices[2] = {translated(turned(0, 0, 1, 10, scales[k]), 1, 2, 3),
                                 translated(turned(0, 0, 1, 70, scales[k]), 1, 2, 3)};
    supple_palette palette = palette_of(matrices, 2);
    outcome eight =
        skin(1, 2, (uint16_t[]){0, 1}, (float[]){0.5f, 0.5f}, &palette, defaults, positions);
    outcome twenty =
        skin(1, 2, (uint16_t[]){0, 1}, (float[]){0.5f, 0.5f}, &palette, no_rigid, positions);
    assert_int_equal(eight.inspection.affine, 0);
    assert_int_equal(twenty.inspection.affine, 1);
    /* Both joints move the origin to (1, 2, 3), so does their blend: it is the turn by 40 degrees,
     * then that. */
    double c = cos(40 * SUPPLE_PI / 180), s = sin(40 * SUPPLE_PI / 180), a = scales[k];
    double tolerance = 1e-6 * fmax(1, fabs(a)) * 4;
    double x = 1 + a * (c - 2 * s), y = 2 + a * (s + 2 * c), z = 3 + a * 3;
    assert_point(eight.out, x, y, z, tolerance);
    assert_point(twenty.out, x, y, z, tolerance);
  }
}

/* Each vertex chooses by its own joints. */
static void rigid_and_affine_side_by_side(void **state) {
  (void)state;
  supple_affine matrices[3] = {identity(), turned(0, 1, 0, 90, 1), diagonal(1, 3, 1)};
  supple_palette palette = palette_of(matrices, 3);
  const uint16_t joints[] = {0, 1, 0, 2, 2, 1};
  const float weights[] = {0.5f, 0.5f, 0.75f, 0.25f, 1, 0},
              positions[] = {0, 1, 0, 0, 1, 0, 0, 1, 0};
  outcome o = skin(3, 2, joints, weights, &palette, defaults, positions);
  assert_point(o.out, 0, 1, 0, 1e-6);
  assert_point(o.out + 3, 0, 1.5, 0, 1e-6); /* equal rotations: LBS */
  assert_point(o.out + 6, 0, 3, 0, 1e-6);
  assert_int_equal(o.inspection.affine, 2);
  assert_int_equal(o.inspection.rest, 0);
}

static void scale_modes(void **state) {
  (void)state;
  /* Joint 1 turns by 90 degrees about z after a stretch of x by 3, and moves by 2 along z. */
  supple_affine matrices[2] = {identity(), {{{0, -1, 0, 0}, {3, 0, 0, 0}, {0, 0, 1, 2}}}};
  supple_palette palette = palette_of(matrices, 2);
  const float positions[] = {1, 0, 0, 1, 0, 0};
  const uint16_t joints[] = {0, 1, 1, 0};
  const float weights[] = {0.5f, 0.5f, 1, 0};
  outcome o = skin(2, 2, joints, weights, &palette, none, positions);
  assert_point(o.out, sqrt(0.5), sqrt(0.5), 1, 1e-6);
  assert_point(o.out + 3, 0, 1, 2, 1e-6);
  o = skin(2, 2, joints, weights, &palette, first, positions);
  assert_point(o.out, 2 * sqrt(0.5), 2 * sqrt(0.5), 1, 1e-6); /* x is stretched to (1 + 3) / 2 */
  assert_point(o.out + 3, 0, 3, 2, 1e-6);
  assert_int_equal(o.inspection.affine, 0);
  /* A common scale is not that of `none`. */
  supple_affine large[2] = {diagonal(2, 2, 2), diagonal(2, 2, 2)};
  palette = palette_of(large, 2);
  o = skin(2, 2, joints, weights, &palette, none, positions);
  assert_point(o.out, 1, 0, 0, 1e-6);
  o = skin(2, 2, joints, weights, &palette, first, positions);
  assert_point(o.out, 2, 0, 0, 1e-6);
}

/* r = sum w q and sum w p q in double, in the definition's words. */
static void the_affine_formula(void **state) {
  (void)state;
  uint64_t random = 41;
  for (int trial = 0; trial < 300; trial++) {
    supple_affine matrices[3];
    float weights[3], position[3];
    const uint16_t joints[3] = {0, 1, 2};
    for (int j = 0; j < 3; j++) {
      /* Near a turn by at most 45 degrees, so that all w are the largest component. */
      matrices[j] = turned(random_between(&random, -1, 1), random_between(&random, -1, 1), 1,
                           random_between(&random, -45, 45), 1);
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) matrices[j].m[r][c] += random_float(&random, -0.2, 0.2);
      weights[j] = random_float(&random, 0.1, 1), position[j] = random_float(&random, -1, 1);
    }
    supple_palette palette = palette_of(matrices, 3);
    outcome o = skin(1, 3, joints, weights, &palette, defaults, position);
    supple_quat r = {0, 0, 0, 0}, a = {0, 0, 0, 0};
    for (int j = 0; j < 3; j++) {
      supple_affine64 m = supple_affine_to_double(&matrices[j]);
      supple_vec3 moved = supple_affine64_transform_point(
          &m, supple_vec3_make((double)position[0], (double)position[1], (double)position[2]));
      supple_quat q = supple_split_polar(&m, NULL, false).rotation;
      if (q.w < 0) q = supple_quat_scale(q, -1);
      supple_quat p = {moved.x, moved.y, moved.z, 0};
      r = supple_quat_add(r, supple_quat_scale(q, (double)weights[j]));
      a = supple_quat_add(a, supple_quat_scale(supple_quat_multiply(p, q), (double)weights[j]));
    }
    supple_quat v = supple_quat_scale(supple_quat_multiply(a, supple_quat_conjugate(r)),
                                      1 / supple_quat_dot(r, r));
    assert_point(o.out, v.x, v.y, v.z, 2e-6);
    assert_int_equal(o.inspection.affine, 1);
  }
}

/* Round a circle of joints the last disagrees with the first: halfway between them nothing is left.
 * */
static void the_fallback_is_lbs(void **state) {
  (void)state;
  supple_affine matrices[4] = {translated(identity(), 2, 0, 0), turned(0, 0, 1, 120, 1),
                               turned(0, 0, 1, 240, 1), translated(identity(), 0, 4, 0)};
  supple_palette palette = palette_of(matrices, 4);
  palette.parents = (const uint32_t[]){SUPPLE_NONE, 0, 1, 2};
  const uint16_t joints[] = {0, 3, 0, 3, 0, 3};
  const float positions[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  const float weights[] = {0.5f, 0.5f, 0.75f, 0.25f, 0.5000004f, 0.4999996f};
  for (int path = 0; path < 2; path++) {
    supple_prepared_options options = per_pose;
    options.rigid_tolerance = path ? -1 : 0;
    outcome o = skin(3, 2, joints, weights, &palette, options, positions);
    assert_point(o.out, 2, 3, 1, 1e-6);
    /* The weights 0.75 and -0.25 over their sum. */
    assert_point(o.out + 3, 1 + 2 * 1.5, 1 - 4 * 0.5, 1, 2e-6);
    assert_point(o.out + 6, 2, 3, 1, 1e-5); /* |r| = 8e-7 */
    assert_int_equal(o.report.fallbacks, 2);
    assert_int_equal(o.inspection.flipped, 0);
    /* Per vertex there is none. */
    options.signs = SUPPLE_SIGNS_PER_VERTEX;
    o = skin(3, 2, joints, weights, &palette, options, positions);
    assert_point(o.out, 2, 3, 1, 1e-6);
    assert_int_equal(o.report.fallbacks, 0);
  }
}

static void the_order_of_stored_influences_does_not_matter(void **state) {
  (void)state;
  supple_affine matrices[4];
  for (int j = 0; j < 4; j++)
    matrices[j] = translated(turned(1, j, 2, 40 * j, 1), 1, (float)j, 0.1f);
  matrices[3].m[1][1] += 0.5f;
  supple_palette palette = palette_of(matrices, 4);
  const float weights[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.4f, 0.2f, 0.1f, 0.3f},
              positions[] = {1, 2, 3, 1, 2, 3};
  for (int path = 0; path < 3; path++) {
    const supple_prepared_options options = path == 0 ? defaults : path == 1 ? first : none;
    outcome o =
        skin(2, 4, (uint16_t[]){0, 1, 2, 3, 3, 1, 0, 2}, weights, &palette, options, positions);
    assert_memory_equal(o.out, o.out + 3, 3 * sizeof(float));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_influence_is_the_matrix),
      cmocka_unit_test(known_blends),
      cmocka_unit_test(half_a_turn_is_defined),
      cmocka_unit_test(the_short_way_from_the_pivot),
      cmocka_unit_test(the_highest_weight_is_the_pivot),
      cmocka_unit_test(common_scales),
      cmocka_unit_test(rigid_and_affine_side_by_side),
      cmocka_unit_test(scale_modes),
      cmocka_unit_test(the_affine_formula),
      cmocka_unit_test(the_fallback_is_lbs),
      cmocka_unit_test(the_order_of_stored_influences_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
