/* test_fixture_ring.c: the ring has the published numbers, under LBS and DQS written out here. */
#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SEGMENTS = 12, VERTICES = 60 };

static cli_fixture *ring(void) {
  cli_fixture *fixture = cli_fixture_create(cli_fixture_find("ring"));
  assert_non_null(fixture);
  return fixture;
}

static void test_is_sound(void **state) {
  (void)state;
  check_fixture("ring", false);
}

static void test_counts_weights_and_places(void **state) {
  (void)state;
  cli_fixture *fixture = ring();
  assert_int_equal(fixture->primitive.vertex_count, VERTICES);
  assert_int_equal(fixture->primitive.index_count, 3 * 96);
  static const float first[5] = {1, 1, 0.5f, 1, 1};
  static const uint16_t joints[5] = {0, 0, 0, 1, 1};
  for (uint32_t i = 0; i < VERTICES; i++) {
    const float *p = fixture->positions + (size_t)3 * i;
    assert_true((double)p[1] == (double)(i / SEGMENTS) - 2);
    assert_true(fabs(sqrt((double)p[0] * (double)p[0] + (double)p[2] * (double)p[2]) - 0.5) < 1e-7);
    assert_true(fixture->weights[4 * (size_t)i] == first[i / SEGMENTS]);
    assert_int_equal(fixture->joints[4 * (size_t)i], joints[i / SEGMENTS]);
  }
  supple_vec3 elbow = fixture->nodes[1].rest.translation, root = fixture->nodes[0].rest.translation;
  assert_true(root.y + elbow.y == 0 && elbow.x == 0 && elbow.z == 0);
  cli_fixture_free(fixture);
}

/* A half turn about Y of vertices with weight 0, ½ or 1: LBS lets the middle fall onto the axis,
 * DQS turns it by a quarter. */
static void pose(const cli_fixture *fixture, bool dqs, supple_vec3 posed[VERTICES]) {
  for (uint32_t i = 0; i < VERTICES; i++) {
    const float *p = fixture->positions + (size_t)3 * i;
    double x = (double)p[0], y = (double)p[1], z = (double)p[2];
    if (i / SEGMENTS > 2) x = -x, z = -z;
    if (i / SEGMENTS == 2 && !dqs) x = z = 0;
    if (i / SEGMENTS == 2 && dqs) {
      double old = x;
      x = z; /* +90 degrees: z to x, x to −z */
      z = -old;
    }
    posed[i] = supple_vec3_make(x, y, z);
  }
}

static double mean_edge_ratio(const cli_fixture *fixture, const supple_vec3 *posed) {
  double sum = 0;
  for (uint32_t i = 0; i < fixture->primitive.index_count; i++) {
    uint32_t a = fixture->indices[i], b = fixture->indices[i % 3 == 2 ? i - 2 : i + 1];
    const float *p = fixture->positions + (size_t)3 * a, *q = fixture->positions + (size_t)3 * b;
    supple_vec3 rest = supple_vec3_make((double)p[0] - (double)q[0], (double)p[1] - (double)q[1],
                                        (double)p[2] - (double)q[2]);
    sum += supple_vec3_length(supple_vec3_subtract(posed[a], posed[b])) / supple_vec3_length(rest);
  }
  return sum / fixture->primitive.index_count;
}

static void test_facts(void **state) {
  (void)state;
  cli_fixture *fixture = ring();
  assert_int_equal(fixture->gltf.clip_count, 1);
  assert_string_equal(fixture->clips[0].name, "twist-180");
  const supple_channel *channel = &fixture->clips[0].channels[0];
  const float *end = channel->values + (size_t)4 * (channel->key_count - 1);
  assert_true(end[0] == 0 && end[1] == 1 && end[2] == 0 && end[3] == 0);
  assert_true(channel->values[5] > 0); /* it starts in the positive sense */
  supple_vec3 posed[VERTICES];
  pose(fixture, false, posed);
  assert_true(fabs(mean_edge_ratio(fixture, posed) - 0.95007) < 0.000005);
  pose(fixture, true, posed);
  assert_true(fabs(mean_edge_ratio(fixture, posed) - 1.05119) < 0.000005);
  cli_fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_sound),
      cmocka_unit_test(test_counts_weights_and_places),
      cmocka_unit_test(test_facts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
