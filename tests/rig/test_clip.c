/* test_clip.c: channels at, between, before and after their keys, and clips on poses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rig_reference.h"

enum {
  LINEAR = SUPPLE_INTERPOLATION_LINEAR,
  STEP = SUPPLE_INTERPOLATION_STEP,
  CUBIC = SUPPLE_INTERPOLATION_CUBIC_SPLINE
};
enum {
  MOVE = SUPPLE_PATH_TRANSLATION,
  TURN = SUPPLE_PATH_ROTATION,
  GROW = SUPPLE_PATH_SCALE,
  MORPH = SUPPLE_PATH_WEIGHTS
};

static supple_channel make(int path, int interpolation, uint32_t keys, uint32_t width,
                           const float *times, const float *values) {
  return (supple_channel){
      0, (supple_path)path, (supple_interpolation)interpolation, keys, width, times, values};
}

static void assert_value(const supple_channel *channel, double seconds, const float *expected,
                         float tolerance) {
  float values[8] = {-99, -99, -99, -99, -99, -99, -99, -99};
  supple_channel_sample(channel, seconds, values);
  for (uint32_t i = 0; i < channel->width; i++)
    if (!(fabsf(values[i] - expected[i]) <= tolerance))
      fail_msg("at %g: component %u is %.9g, not %.9g", seconds, i, (double)values[i],
               (double)expected[i]);
  assert_true(values[channel->width] == -99.0f); /* not a float more */
}

static void linear(void **state) {
  (void)state;
  const float times[3] = {1, 2, 4}, values[9] = {0, 0, 0, 10, -2, 1, 0.1f, 0.2f, 0.3f};
  const supple_channel c = make(MOVE, LINEAR, 3, 3, times, values);
  assert_value(&c, 1, values, 0);
  assert_value(&c, 2, values + 3, 0);
  assert_value(&c, 4, values + 6, 0);
  assert_value(&c, -5, values, 0);
  assert_value(&c, 0.999, values, 0);
  assert_value(&c, 4.001, values + 6, 0);
  assert_value(&c, 1e300, values + 6, 0);
  assert_value(&c, 1.25, (float[]){2.5f, -0.5f, 0.25f}, 0);
  assert_value(&c, 3.5, (float[]){2.575f, -0.35f, 0.475f}, 1e-6f);
}

static void step(void **state) {
  (void)state;
  const float times[3] = {1, 2, 4}, values[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const supple_channel c = make(GROW, STEP, 3, 3, times, values);
  assert_value(&c, 0, values, 0);
  assert_value(&c, 1, values, 0);
  assert_value(&c, nextafter(2, 0), values, 0);
  assert_value(&c, 2, values + 3, 0);
  assert_value(&c, 3.999, values + 3, 0);
  assert_value(&c, 4, values + 6, 0);
  assert_value(&c, 5, values + 6, 0);
}

static void cubic_by_hand(void **state) {
  (void)state;
  /* in-tangent, value, out-tangent; the tangents count times the 2 seconds between the keys */
  const float times[2] = {1, 3};
  const float values[18] = {50, 50, 50, 0, 0, 2, 1, 0, 3, 0, -1, 3, 0, 0, 8, 60, 60, 60};
  const supple_channel c = make(MOVE, CUBIC, 2, 3, times, values);
  assert_value(&c, 1, values + 3, 0);
  assert_value(&c, 3, values + 12, 0);
  assert_value(&c, -1, values + 3, 0);
  assert_value(&c, 9, values + 12, 0);
  /* halfway: 2 (1/8 - 2/4 + 1/2) = 1/4 of the out-tangent, 2 (1/8 - 1/4) = -1/4 of the in-
   * tangent; the third component is the straight line 2 + 3 (s - 1) with its own slope */
  assert_value(&c, 2, (float[]){0.25f, 0.25f, 5}, 0);
  /* a quarter: 2 (1/64 - 2/16 + 1/4) = 9/32 and 2 (1/64 - 1/16) = -3/32 */
  assert_value(&c, 1.5, (float[]){0.28125f, 0.09375f, 3.5f}, 0);
}

/* A cubic polynomial is its own spline, on uneven keys too. */
static void cubic_reproduces_cubics(void **state) {
  (void)state;
  const float times[4] = {0, 0.5f, 2, 2.25f};
  float values[4 * 3 * 2];
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 2; i++) {
      const float s = times[k], a = i ? 1.0f : -2.0f;
      values[k * 6 + i] = values[k * 6 + 4 + i] = 3 * a * s * s - 4 * s + 1;
      values[k * 6 + 2 + i] = a * s * s * s - 2 * s * s + s - 0.5f;
    }
  const supple_channel c = make(MORPH, CUBIC, 4, 2, times, values);
  for (float s = 0; s <= 2.25f; s += 0.03125f)
    assert_value(&c, (double)s,
                 (float[]){-2 * s * s * s - 2 * s * s + s - 0.5f, s * s * s - 2 * s * s + s - 0.5f},
                 3e-5f);
}

static void single_keys_hold_for_ever(void **state) {
  (void)state;
  const float time = 3, tangents[9] = {9, 9, 9, 1, 2, 3, 9, 9, 9};
  for (int interpolation = LINEAR; interpolation <= CUBIC; interpolation++) {
    const supple_channel c =
        make(MOVE, interpolation, 1, 3, &time, interpolation == CUBIC ? tangents : tangents + 3);
    for (int s = -10; s < 10; s++) assert_value(&c, s, tangents + 3, 0);
  }
}

static void odd_times(void **state) {
  (void)state;
  const float times[3] = {1, 2, 3}, values[9] = {1, 1, 1, 2, 2, 2, 3, 3, 3};
  for (int interpolation = LINEAR; interpolation <= STEP; interpolation++) {
    const supple_channel c = make(MOVE, interpolation, 3, 3, times, values);
    assert_value(&c, (double)NAN, values, 0);
    assert_value(&c, (double)-INFINITY, values, 0);
    assert_value(&c, (double)INFINITY, values + 6, 0);
  }
  float untouched = 5;
  const supple_channel none = make(MORPH, LINEAR, 0, 1, NULL, NULL);
  supple_channel_sample(&none, 0, &untouched);
  assert_true(untouched == 5.0f);
}

static void search_agrees_with_a_scan(void **state) {
  (void)state;
  enum { KEYS = 999 };
  float times[KEYS], values[KEYS];
  uint64_t seed = 3;
  for (uint32_t k = 0; k < KEYS; k++) {
    times[k] = (k ? times[k - 1] : -20.0f) + (float)random_between(&seed, 0.001, 0.2);
    values[k] = (float)k;
  }
  for (uint32_t keys = 1; keys <= KEYS; keys = keys * 3 / 2 + 1) {
    const supple_channel c = make(MORPH, STEP, keys, 1, times, values);
    for (int i = 0; i < 400; i++) {
      const double s = i % 3 ? random_between(&seed, -21, (double)times[keys - 1] + 1)
                             : (double)times[random_bits(&seed) % keys];
      uint32_t key = 0;
      while (key + 1 < keys && (double)times[key + 1] <= s) key++;
      assert_value(&c, s, &values[key], 0);
    }
  }
}

static void slerp_by_hand(void **state) {
  (void)state;
  const float h = sqrtf(0.5f), times[2] = {0, 2};
  const float c = (float)cos(SUPPLE_PI / 8), s = (float)sin(SUPPLE_PI / 8);
  const float keys[8] = {0, 0, 0, 1, 0, 0, h, h}, long_way[8] = {0, 0, 0, 1, 0, 0, -h, -h};
  const supple_channel quarter = make(TURN, LINEAR, 2, 4, times, keys);
  const supple_channel same = make(TURN, LINEAR, 2, 4, times, long_way);
  assert_value(&quarter, 0, keys, 0);
  assert_value(&quarter, 1, (float[]){0, 0, s, c}, 1e-7f);
  assert_value(&same, 1, (float[]){0, 0, s, c}, 1e-7f);
  assert_value(&quarter, 2, keys + 4, 1e-7f);
  assert_value(&same, 2, long_way + 4, 1e-7f);
  assert_value(&quarter, 0.5,
               (float[]){0, 0, (float)sin(SUPPLE_PI / 16), (float)cos(SUPPLE_PI / 16)}, 1e-7f);
}

static void antipodal_keys_do_not_turn(void **state) {
  (void)state;
  const float times[2] = {0, 1}, keys[8] = {0.5f, 0.5f, -0.5f, 0.5f, -0.5f, -0.5f, 0.5f, -0.5f};
  const supple_channel c = make(TURN, LINEAR, 2, 4, times, keys);
  for (int i = 0; i < 16; i++) assert_value(&c, i / 16.0, keys, 1e-7f);
  assert_value(&c, 1, keys + 4, 1e-7f);
}

/* Independent: appendix C's slerp in long double on the keys as given, then normalised. */
static void reference_slerp(const float *a, const float *b, long double t, bool unit_first,
                            float out[4]) {
  long double u[4], v[4], nu = 0, nv = 0, dot = 0, norm = 0;
  for (int i = 0; i < 4; i++)
    nu += (long double)a[i] * (long double)a[i], nv += (long double)b[i] * (long double)b[i];
  for (int i = 0; i < 4; i++) {
    u[i] = (long double)a[i] / (unit_first ? sqrtl(nu) : 1);
    v[i] = (long double)b[i] / (unit_first ? sqrtl(nv) : 1);
    dot += u[i] * v[i];
  }
  const long double angle = acosl(fminl(fabsl(dot), 1));
  for (int i = 0; i < 4; i++) {
    if (angle > 1e-9L)
      u[i] = (sinl((1 - t) * angle) * u[i] + (dot < 0 ? -1 : 1) * sinl(t * angle) * v[i]) /
             sinl(angle);
    norm += u[i] * u[i];
  }
  for (int i = 0; i < 4; i++) out[i] = (float)(u[i] / sqrtl(norm));
}

static void slerp_matches_the_definition(void **state) {
  (void)state;
  const float times[2] = {0, 1};
  uint64_t seed = 11;
  for (int round = 0; round < 2000; round++) {
    float keys[8], expected[4];
    /* unit keys, keys a little off as real files have them, and keys of any length */
    const double length[2] = {round % 3 == 0   ? 1
                              : round % 3 == 1 ? random_between(&seed, 0.999, 1.001)
                                               : random_between(&seed, 2, 9),
                              round % 3 == 1 ? random_between(&seed, 0.999, 1.001) : 1};
    for (int k = 0; k < 2; k++) {
      supple_quat q = supple_quat_normalise(random_quat(&seed));
      q = supple_quat_scale(q, random_bits(&seed) % 2 ? length[k] : -length[k]);
      keys[k * 4] = (float)q.x, keys[k * 4 + 1] = (float)q.y;
      keys[k * 4 + 2] = (float)q.z, keys[k * 4 + 3] = (float)q.w;
    }
    const double t = random_between(&seed, 0.01, 0.99);
    reference_slerp(keys, keys + 4, (long double)t, round % 3 == 2, expected);
    const supple_channel c = make(TURN, LINEAR, 2, 4, times, keys);
    assert_value(&c, t, expected, 1.5e-7f);
  }
}

/* Keys of a published asset whose lengths are off by 2e-4: the value of slerp on them as they
 * are. */
static void keys_off_unit_length(void **state) {
  (void)state;
  const float times[2] = {1.5f, 2}, keys[8] = {0, 0, 0.707f, 0.707f, 0, 0, 0.383f, 0.924f};
  const supple_channel c = make(TURN, LINEAR, 2, 4, times, keys);
  float expected[4];
  reference_slerp(keys, keys + 4, 0.41L, false, expected);
  assert_value(&c, 1.705, expected, 6e-8f);
  const float unit = 1 / sqrtf(2);
  assert_value(&c, 1, (float[]){0, 0, unit, unit}, 6e-8f); /* end values are normalised, too */
}

static void nearby_keys(void **state) {
  (void)state;
  const float times[2] = {0, 1};
  for (float e = 1e-3f; e > 1e-9f; e /= 3) {
    const float keys[8] = {0, 0, 0, 1, e, 0, 0, 1};
    const supple_channel c = make(TURN, LINEAR, 2, 4, times, keys);
    float q[4];
    supple_channel_sample(&c, 0.25, q);
    assert_true(fabsf(q[0] - e / 4) <= 2e-7f * e && q[1] == 0 && q[2] == 0 &&
                fabsf(q[3] - 1) <= 1e-7f);
  }
}

static void zero_rotations_are_the_identity(void **state) {
  (void)state;
  const float h = sqrtf(0.5f), times[2] = {0, 1}, keys[8] = {0, 0, 0, 0, 0, 0, h, h};
  const float identity[4] = {0, 0, 0, 1};
  const float eighth[4] = {0, 0, (float)sin(SUPPLE_PI / 8), (float)cos(SUPPLE_PI / 8)};
  supple_channel c = make(TURN, LINEAR, 2, 4, times, keys);
  assert_value(&c, 0, identity, 0);
  assert_value(&c, 0.5, eighth, 1e-7f);
  c.interpolation = SUPPLE_INTERPOLATION_STEP;
  assert_value(&c, 0.9, identity, 0);
  /* a spline from q to -q passes through zero */
  const float through[24] = {0, 0, 0, 0, 1,  0, 0, 0, 0, 0, 0, 0,
                             0, 0, 0, 0, -1, 0, 0, 0, 0, 0, 0, 0};
  const supple_channel spline = make(TURN, CUBIC, 2, 4, times, through);
  assert_value(&spline, 0.25, (float[]){1, 0, 0, 0}, 0);
  assert_value(&spline, 0.5, identity, 0);
  assert_value(&spline, 0.75, (float[]){-1, 0, 0, 0}, 0);
}

static void cubic_rotations_are_normalised_after(void **state) {
  (void)state;
  const float times[2] = {0, 2};
  const float keys[24] = {9, 9, 9, 9, 0, 0, 0, 1, 0.5f, 0, 0, 0,
                          0, 0, 0, 0, 0, 0, 1, 0, 9,    9, 9, 9};
  const supple_channel c = make(TURN, CUBIC, 2, 4, times, keys);
  /* halfway (1/8, 0, 1/2, 1/2), of length sqrt(33/64) */
  const float n = sqrtf(33.0f / 64);
  assert_value(&c, 1, (float[]){0.125f / n, 0, 0.5f / n, 0.5f / n}, 1e-7f);
  assert_value(&c, 2, (float[]){0, 0, 1, 0}, 0);
}

static void rotations_are_unit(void **state) {
  (void)state;
  uint64_t seed = 5;
  float times[20], values[20 * 12];
  for (int round = 0; round < 30; round++) {
    for (int k = 0; k < 20; k++) times[k] = (float)k;
    for (int i = 0; i < 240; i++) values[i] = (float)random_between(&seed, -3, 3);
    const supple_channel c = make(TURN, round % 3, 20, 4, times, values);
    for (int i = 0; i < 50; i++) {
      float q[4];
      supple_channel_sample(&c, random_between(&seed, -1, 20), q);
      const double norm = sqrt((double)q[0] * (double)q[0] + (double)q[1] * (double)q[1] +
                               (double)q[2] * (double)q[2] + (double)q[3] * (double)q[3]);
      assert_true(fabs(norm - 1) < 2e-7);
    }
  }
}

static void weights(void **state) {
  (void)state;
  const float times[2] = {0, 1}, values[10] = {0, 0.25f, 1, 0, -1, 1, 0.75f, 1, 0.5f, 3};
  const supple_channel c = make(MORPH, LINEAR, 2, 5, times, values);
  assert_value(&c, 0.5, (float[]){0.5f, 0.5f, 1, 0.25f, 1}, 0);
}

/* ---- clips on poses ---- */

static void layers_do_not_disturb_each_other(void **state) {
  (void)state;
  supple_node nodes[2] = {plain_node(SUPPLE_NONE), plain_node(0)};
  nodes[0].rest.scale = supple_vec3_make(2, 2, 2);
  nodes[0].weight_count = 2;
  nodes[1].weight_begin = 2, nodes[1].weight_count = 1;
  const uint32_t order[2] = {0, 1};
  const float rest[3] = {0.5f, 0.5f, 0.5f};
  const supple_skeleton skeleton = {nodes, order, 2, rest, 3};
  const float times[2] = {0, 1}, moves[6] = {0, 0, 0, 8, 0, 0}, morphs[4] = {0, 0, 1, 2};
  const float turn[4] = {0, 0, 1, 1}, grow[3] = {3, 1, 1};
  const supple_channel below[2] = {make(MOVE, LINEAR, 2, 3, times, moves),
                                   make(MORPH, LINEAR, 2, 2, times, morphs)};
  supple_channel above[2] = {make(TURN, STEP, 1, 4, times, turn),
                             make(GROW, STEP, 1, 3, times, grow)};
  above[1].node = 1;
  const supple_clip walk = {"walk", 0, 1, below, 2}, wave = {"wave", 0, 0, above, 2};

  supple_pose *pose = supple_pose_create(&skeleton, NULL, NULL);
  assert_non_null(pose);
  supple_pose_sample(pose, &walk, 0.5);
  supple_pose_apply(pose, &wave, 0);
  assert_true(pose->worlds[0].m[0][0] == 2 && pose->worlds[0].m[0][3] == 4); /* not updated */
  supple_pose_update(pose);
  const matrix4 a = reference_world(pose, 0);
  assert_true(fabsl(a.m[1][0] - 2) < 1e-15L && a.m[0][3] == 4); /* the quarter turn, and still moved */
  for (uint32_t n = 0; n < 2; n++)
    assert_true(matrix4_distance(matrix4_from_affine(&pose->worlds[n]), reference_world(pose, n)) <
                1e-15);
  assert_true(pose->locals[1].scale.x == 3 && pose->locals[0].scale.x == 2);
  assert_true(pose->weights[0] == 0.5f && pose->weights[1] == 1.0f && pose->weights[2] == 0.5f);
  supple_pose_sample(pose, &wave, 0); /* forgets the walk */
  assert_true(pose->locals[0].translation.x == 0 && pose->weights[1] == 0.5f);
  supple_pose_destroy(pose);
}

static void animated_matrix_nodes_become_transforms(void **state) {
  (void)state;
  supple_node node = plain_node(SUPPLE_NONE);
  node.has_matrix = true;
  node.matrix = (supple_affine64){{{0, -2, 0, 1}, {2, 0, 0, 2}, {0, 0, 2, 3}}};
  assert_true(supple_transform_from_affine(&node.matrix, 0, &node.rest));
  node.weight_count = 1;
  const uint32_t order = 0;
  const float rest = 0, time = 0, three[3] = {5, 6, 7}, four[4] = {0, 0, 0, 1};
  const supple_skeleton skeleton = {&node, &order, 1, &rest, 1};
  const supple_channel channels[4] = {
      make(MOVE, LINEAR, 1, 3, &time, three), make(TURN, STEP, 1, 4, &time, four),
      make(GROW, LINEAR, 1, 3, &time, three), make(MORPH, STEP, 1, 1, &time, three)};
  const double expected[4][12] = {{0, -2, 0, 5, 2, 0, 0, 6, 0, 0, 2, 7},
                                  {2, 0, 0, 1, 0, 2, 0, 2, 0, 0, 2, 3},
                                  {0, -6, 0, 1, 5, 0, 0, 2, 0, 0, 7, 3},
                                  {0, -2, 0, 1, 2, 0, 0, 2, 0, 0, 2, 3}};
  supple_pose *pose = supple_pose_create(&skeleton, NULL, NULL);
  assert_non_null(pose);
  for (int c = 0; c < 4; c++) {
    const supple_clip clip = {"", 0, 0, &channels[c], 1};
    supple_pose_sample(pose, &clip, 0);
    assert_int_equal(pose->use_matrix[0], c == 3);
    for (int i = 0; i < 12; i++)
      assert_true(fabs(pose->worlds[0].m[i / 4][i % 4] - expected[c][i]) < 1e-14);
  }
  supple_pose_destroy(pose);
}

static void channels_that_do_not_fit_are_left_out(void **state) {
  (void)state;
  supple_node node = plain_node(SUPPLE_NONE);
  node.weight_count = 2;
  const uint32_t order = 0;
  const float rest[3] = {0, 0, 0}, time = 0, values[4] = {7, 7, 7, 7};
  const supple_skeleton skeleton = {&node, &order, 1, rest, 3};
  supple_channel channels[6] = {
      make(MOVE, LINEAR, 1, 3, &time, values), make(MOVE, LINEAR, 0, 3, NULL, NULL),
      make(MOVE, STEP, 1, 2, &time, values),   make(TURN, STEP, 1, 3, &time, values),
      make(GROW, STEP, 1, 4, &time, values),   make(MORPH, STEP, 1, 4, &time, values)};
  channels[0].node = 1; /* the skeleton has but one */
  const supple_clip clip = {"", 0, 0, channels, 6};
  supple_pose *pose = supple_pose_create(&skeleton, NULL, NULL);
  assert_non_null(pose);
  supple_pose_sample(pose, &clip, 0);
  assert_memory_equal(&pose->locals[0], &node.rest, sizeof node.rest);
  assert_true(pose->weights[0] == 7.0f && pose->weights[1] == 7.0f && pose->weights[2] == 0.0f);
  supple_pose_destroy(pose);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(linear),
      cmocka_unit_test(step),
      cmocka_unit_test(cubic_by_hand),
      cmocka_unit_test(cubic_reproduces_cubics),
      cmocka_unit_test(single_keys_hold_for_ever),
      cmocka_unit_test(odd_times),
      cmocka_unit_test(search_agrees_with_a_scan),
      cmocka_unit_test(slerp_by_hand),
      cmocka_unit_test(antipodal_keys_do_not_turn),
      cmocka_unit_test(slerp_matches_the_definition),
      cmocka_unit_test(keys_off_unit_length),
      cmocka_unit_test(nearby_keys),
      cmocka_unit_test(zero_rotations_are_the_identity),
      cmocka_unit_test(cubic_rotations_are_normalised_after),
      cmocka_unit_test(rotations_are_unit),
      cmocka_unit_test(weights),
      cmocka_unit_test(layers_do_not_disturb_each_other),
      cmocka_unit_test(animated_matrix_nodes_become_transforms),
      cmocka_unit_test(channels_that_do_not_fit_are_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
