/* test_fixture_arm.c: the arm has the published numbers, under LBS and DQS written out here. */
#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEGMENTS = 64, ELBOW_RING = 1 + SEGMENTS + 60 * SEGMENTS };

/* Both joints pivot at the origin, so a pose is one rotation: LBS mixes v and q v, DQS turns by the
 * normalised mix of 1 and q. */
static supple_vec3 pose_vertex(supple_vec3 v, double second, supple_quat q, bool dqs) {
  if (dqs) {
    supple_quat mix = supple_quat_add(supple_quat_make(0, 0, 0, 1 - second),
                                      supple_quat_scale(q, q.w < -1e-6 ? -second : second));
    return supple_quat_rotate(supple_quat_normalise(mix), v);
  }
  return supple_vec3_add(supple_vec3_scale(v, 1 - second),
                         supple_vec3_scale(supple_quat_rotate(q, v), second));
}

static supple_vec3 *pose(const cli_fixture *fixture, supple_quat q, bool dqs) {
  const supple_primitive *primitive = &fixture->primitive;
  supple_vec3 *posed = malloc(primitive->vertex_count * sizeof *posed);
  assert_non_null(posed);
  for (uint32_t i = 0; i < primitive->vertex_count; i++) {
    const float *p = primitive->positions + (size_t)3 * i;
    double second = 0;
    for (size_t k = 0; k < 4; k++) {
      if (primitive->joints[4 * (size_t)i + k] == 1)
        second += (double)primitive->weights[4 * (size_t)i + k];
    }
    supple_vec3 v = supple_vec3_make((double)p[0], (double)p[1], (double)p[2]);
    posed[i] = pose_vertex(v, second, q, dqs);
  }
  return posed;
}

static double volume(const cli_fixture *fixture, const supple_vec3 *posed) {
  double sum = 0;
  for (uint32_t i = 0; i < fixture->primitive.index_count; i += 3) {
    const uint32_t *t = fixture->indices + i;
    sum += supple_vec3_dot(posed[t[0]], supple_vec3_cross(posed[t[1]], posed[t[2]])) / 6;
  }
  return sum;
}

static supple_vec3 section(const supple_vec3 *posed) {
  supple_vec3 sum = supple_vec3_make(0, 0, 0);
  for (uint32_t i = 0; i < SEGMENTS; i++) {
    supple_vec3 a = posed[ELBOW_RING + i], b = posed[ELBOW_RING + (i + 1) % SEGMENTS];
    sum = supple_vec3_add(sum, supple_vec3_scale(supple_vec3_cross(a, b), 0.5));
  }
  return sum;
}

/* Percent of rest: |vector area| of the elbow's ring, the same along the bisector, volume. */
static void measure(const cli_fixture *fixture, supple_quat q, bool dqs, double figures[3]) {
  supple_vec3 *rest = pose(fixture, supple_quat_identity(), false), *posed = pose(fixture, q, dqs);
  supple_vec3 up = supple_vec3_make(0, 1, 0), area = section(posed);
  supple_vec3 bisector = supple_vec3_normalise(supple_vec3_add(up, supple_quat_rotate(q, up)), up);
  double whole = supple_vec3_length(section(rest));
  figures[0] = 100 * supple_vec3_length(area) / whole;
  figures[1] = 100 * fabs(supple_vec3_dot(area, bisector)) / whole;
  figures[2] = 100 * volume(fixture, posed) / volume(fixture, rest);
  free(rest);
  free(posed);
}

static cli_fixture *arm(void) {
  cli_fixture *fixture = cli_fixture_create(cli_fixture_find("arm"));
  assert_non_null(fixture);
  return fixture;
}

static void test_is_sound(void **state) {
  (void)state;
  check_fixture("arm", true);
}

static void test_counts_and_places(void **state) {
  (void)state;
  cli_fixture *fixture = arm();
  assert_int_equal(fixture->primitive.index_count / 3, 15488);
  assert_int_equal(fixture->joint_count, 2);
  supple_bounds box =
      supple_bounds_of((supple_stream){fixture->positions, 12}, fixture->primitive.vertex_count);
  assert_true(box.min[1] == -1.3f && box.max[1] == 1.3f);
  assert_true(box.min[0] == -0.3f && box.max[0] == 0.3f);
  for (uint32_t i = 0; i < SEGMENTS; i++) {
    size_t vertex = ELBOW_RING + i;
    assert_true(fixture->positions[3 * vertex + 1] == 0);
    assert_true(fixture->weights[4 * vertex] == 0.5f && fixture->weights[4 * vertex + 1] == 0.5f);
  }
  cli_fixture_free(fixture);
}

static void test_weights_are_the_smoothstep(void **state) {
  (void)state;
  cli_fixture *fixture = arm();
  for (uint32_t i = 0; i < fixture->primitive.vertex_count; i++) {
    double t = ((double)fixture->positions[(size_t)3 * i + 1] + 0.38) / 0.76;
    double wanted = t < 0 ? 0 : t > 1 ? 1 : t * t * (3 - 2 * t), second = 0;
    for (size_t k = 0; k < 4; k++) {
      if (fixture->joints[4 * (size_t)i + k] == 1)
        second += (double)fixture->weights[4 * (size_t)i + k];
    }
    assert_true(fabs(second - wanted) < 1e-7);
  }
  cli_fixture_free(fixture);
}

static supple_quat last_key(const supple_clip *clip) {
  const supple_channel *channel = &clip->channels[0];
  assert_int_equal(channel->node, 1);
  assert_true(channel->times[0] == 0 && channel->times[channel->key_count - 1] == 1);
  const float *v = channel->values + (size_t)4 * (channel->key_count - 1);
  return supple_quat_make((double)v[0], (double)v[1], (double)v[2], (double)v[3]);
}

static void test_facts(void **state) {
  (void)state;
  /* section, projected (0: not told), volume; LBS, then DQS */
  static const struct {
    const char *clip;
    double lbs[3], dqs[3];
  } facts[] = {{"twist-180", {0.00, 0, 84.948}, {100.00, 0, 99.904}},
               {"bend-129", {43.05, 0, 93.853}, {100.00, 0, 99.962}},
               {"twist-90-bend-100", {40.49, 32.14, 92.457}, {100.00, 92.81, 99.952}}};
  cli_fixture *fixture = arm();
  assert_int_equal(fixture->gltf.clip_count, 3);
  for (size_t i = 0; i < 3; i++) {
    assert_string_equal(fixture->clips[i].name, facts[i].clip);
    supple_quat q = last_key(&fixture->clips[i]);
    for (int dqs = 0; dqs < 2; dqs++) {
      const double *wanted = dqs ? facts[i].dqs : facts[i].lbs;
      double figures[3];
      measure(fixture, q, dqs, figures);
      assert_true(fabs(figures[0] - wanted[0]) < 0.0051);
      if (wanted[1] > 0) assert_true(fabs(figures[1] - wanted[1]) < 0.0051);
      assert_true(fabs(figures[2] - wanted[2]) < 0.00051);
    }
  }
  cli_fixture_free(fixture);
}

static void test_twist_is_exact_and_steady(void **state) {
  (void)state;
  cli_fixture *fixture = arm();
  supple_quat end = last_key(&fixture->clips[0]);
  assert_true(end.x == 0 && end.y == 1 && end.z == 0 && end.w == 0);
  for (int i = 0; i <= 20; i++) {
    float q[4];
    supple_channel_sample(&fixture->clips[0].channels[0], i / 20.0, q);
    double angle = 2 * supple_atan2((double)q[1], (double)q[3]);
    assert_true(fabs(angle - SUPPLE_PI * i / 20) < 1e-6);
  }
  cli_fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_sound),
      cmocka_unit_test(test_counts_and_places),
      cmocka_unit_test(test_weights_are_the_smoothstep),
      cmocka_unit_test(test_facts),
      cmocka_unit_test(test_twist_is_exact_and_steady),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
