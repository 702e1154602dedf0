/* test_fixture_figure.c: the figure is whole, symmetric, weighted without leaks, and moves as
 * told. */
#include "fixture_checks.h"

#include "cli/fixture_body.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { JOINTS = 24 };

/* It takes a moment to build: once for all tests. */
static cli_fixture *shared;

static int set_up(void **state) {
  (void)state;
  shared = cli_fixture_create(cli_fixture_find("figure"));
  return shared ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  cli_fixture_free(shared);
  return 0;
}

static const cli_fixture *figure(void) { return shared; }

static uint32_t joint_named(const cli_fixture *fixture, const char *name) {
  for (uint32_t k = 0; k < fixture->joint_count; k++) {
    if (strcmp(fixture->nodes[k].name, name) == 0) return k;
  }
  fail_msg("there is no joint %s", name);
  return 0;
}

static supple_vec3 rest_place(const cli_fixture *fixture, uint32_t joint) {
  supple_vec3 place = supple_vec3_make(0, 0, 0);
  for (uint32_t k = joint; k != SUPPLE_NONE; k = fixture->nodes[k].parent) {
    place = supple_vec3_add(place, fixture->nodes[k].rest.translation);
  }
  return place;
}

static void test_is_sound(void **state) {
  (void)state;
  check_fixture("figure", true);
}

static void test_size(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  const supple_primitive *primitive = &fixture->primitive;
  assert_int_equal(fixture->joint_count, JOINTS);
  assert_in_range(primitive->vertex_count, 28000, 32000);
  /* A sphere, as surfaces go: V − E + F = 2, of two triangles for three edges. */
  assert_int_equal(2 * primitive->vertex_count - primitive->index_count / 3, 4);
  supple_bounds box =
      supple_bounds_of((supple_stream){fixture->positions, 12}, primitive->vertex_count);
  assert_true(fabs((double)box.max[1] - 1.75) < 0.01 && fabs((double)box.min[1]) < 0.003);
  mesh_facts facts = mesh_facts_of(primitive);
  assert_true(facts.volume > 0.04 && facts.volume < 0.09); /* 40 to 90 litres */
}

static void test_same_bits_everywhere(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  const supple_primitive *p = &fixture->primitive;
  uint64_t hashes[3] = {fixture_hash(p->positions, (size_t)12 * p->vertex_count),
                        fixture_hash(p->weights, (size_t)16 * p->vertex_count),
                        fixture_hash(p->indices, (size_t)4 * p->index_count)};
  /* Change these with the shape: they say that compilers and machines agree. */
  static const uint64_t wanted[3] = {0x4b21835913f2a9ddu, 0xd0cce040e82fd3e5u, 0xea995b9efc142db0u};
  for (size_t i = 0; i < 3; i++) assert_int_equal(hashes[i], wanted[i]);
}

/* The weight that a vertex gives to a joint. */
static float weight_on(const supple_primitive *primitive, uint32_t vertex, uint32_t joint) {
  float weight = 0;
  for (uint32_t k = 0; k < 4; k++) {
    size_t at = (size_t)4 * vertex + k;
    if (primitive->joints[at] == joint) weight += primitive->weights[at];
  }
  return weight;
}

static uint32_t twin(const cli_fixture *fixture, uint32_t joint) {
  char name[32];
  strncpy(name, fixture->nodes[joint].name, sizeof name - 1);
  name[sizeof name - 1] = 0;
  size_t length = strlen(name);
  if (length < 2 || name[length - 2] != '.') return joint;
  name[length - 1] = name[length - 1] == 'L' ? 'R' : 'L';
  return joint_named(fixture, name);
}

static void test_is_symmetric(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  uint32_t half = fixture->primitive.vertex_count / 2, twins[JOINTS];
  for (uint32_t k = 0; k < JOINTS; k++) {
    twins[k] = twin(fixture, k);
    supple_vec3 a = rest_place(fixture, k), b = rest_place(fixture, twins[k]);
    assert_true(a.x == -b.x && a.y == b.y && a.z == b.z);
    assert_true(fixture->nodes[k].name[strlen(fixture->nodes[k].name) - 1] != 'L' || a.x > 0);
  }
  for (uint32_t i = 0; i < half; i++) {
    const float *p = fixture->positions + (size_t)3 * i, *q = p + (size_t)3 * half;
    const float *n = fixture->normals + (size_t)3 * i, *m = n + (size_t)3 * half;
    assert_true(p[0] == -q[0] && p[1] == q[1] && p[2] == q[2]);
    assert_true(n[0] == -m[0] && n[1] == m[1] && n[2] == m[2]);
    for (uint32_t k = 0; k < 4; k++) {
      uint16_t joint = fixture->joints[4 * (size_t)i + k];
      assert_true(weight_on(&fixture->primitive, i, joint) ==
                  weight_on(&fixture->primitive, half + i, twins[joint]));
    }
  }
}

/* Joints with weight hang together in the hierarchy: all but one have their parent among them. */
static void test_only_neighbours_blend(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  for (uint32_t i = 0; i < fixture->primitive.vertex_count; i++) {
    uint32_t count = checked_influences(&fixture->primitive, i, JOINTS), roots = 0;
    const uint16_t *joints = fixture->joints + (size_t)4 * i;
    for (uint32_t a = 0; a < count; a++) {
      bool parent_there = false;
      for (uint32_t b = 0; b < count; b++)
        parent_there |= fixture->nodes[joints[a]].parent == joints[b];
      roots += !parent_there;
    }
    assert_int_equal(roots, 1);
  }
}

static void test_nothing_leaks(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  for (uint32_t i = 0; i < fixture->primitive.vertex_count; i++) {
    const float *p = fixture->positions + (size_t)3 * i;
    const uint16_t *joints = fixture->joints + (size_t)4 * i;
    for (uint32_t k = 0; k < 4; k++) {
      if (fixture->weights[4 * (size_t)i + k] == 0) continue;
      const char *name = fixture->nodes[joints[k]].name;
      char side = name[strlen(name) - 2] == '.' ? name[strlen(name) - 1] : 0;
      if (side) assert_int_equal(side, p[0] > 0 ? 'L' : 'R');
      bool arm = strstr(name, "arm") || strstr(name, "hand") || strstr(name, "fingers");
      bool leg = strstr(name, "thigh") || strstr(name, "shin") || strstr(name, "foot") ||
                 strstr(name, "toes");
      if (arm) assert_true(p[1] > 0.85f && (p[0] > 0.1f || p[0] < -0.1f));
      if (leg) assert_true(p[1] < 1.02f && p[0] < 0.2f && p[0] > -0.2f);
      if (strcmp(name, "head") == 0 || strcmp(name, "neck") == 0) assert_true(p[1] > 1.38f);
    }
  }
}

/* Weights change slowly: by about a third at most along an edge of the mesh (about 9 mm). */
static void test_weights_are_smooth(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  const supple_primitive *primitive = &fixture->primitive;
  for (uint32_t i = 0; i < primitive->index_count; i++) {
    uint32_t a = primitive->indices[i], b = primitive->indices[i % 3 == 2 ? i - 2 : i + 1];
    for (uint32_t k = 0; k < 4; k++) {
      uint16_t joint = primitive->joints[(size_t)4 * a + k];
      float step = weight_on(primitive, a, joint) - weight_on(primitive, b, joint);
      assert_true(step < 0.36f);
    }
  }
}

static void test_joints_are_inside(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  for (uint32_t k = 0; k < JOINTS; k++)
    assert_true(cli_body_field(rest_place(fixture, k)) < -0.008);
}

/* Degrees that a joint has turned at the end of the clip. */
static double turned(const cli_fixture *fixture, const char *name) {
  uint32_t joint = joint_named(fixture, name);
  for (uint32_t i = 0; i < fixture->clips[0].channel_count; i++) {
    const supple_channel *channel = &fixture->clips[0].channels[i];
    if (channel->node != joint) continue;
    const float *v = channel->values + (size_t)4 * (channel->key_count - 1);
    return 360 / SUPPLE_PI * supple_acos(fabs((double)v[3]));
  }
  return 0;
}

static void test_moves(void **state) {
  (void)state;
  const cli_fixture *fixture = figure();
  assert_int_equal(fixture->gltf.clip_count, 1);
  assert_string_equal(fixture->clips[0].name, "move");
  assert_true(fabs(turned(fixture, "hand.L") - 170) < 0.01);
  assert_true(fabs(turned(fixture, "hand.R") - 150) < 0.01);
  assert_true(fabs(turned(fixture, "neck") - 90) < 0.01);
  assert_true(turned(fixture, "forearm.L") > 89 && turned(fixture, "forearm.R") > 89);
  assert_true(turned(fixture, "shin.L") > 89 && turned(fixture, "shin.R") > 89);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_sound),
      cmocka_unit_test(test_size),
      cmocka_unit_test(test_same_bits_everywhere),
      cmocka_unit_test(test_is_symmetric),
      cmocka_unit_test(test_only_neighbours_blend),
      cmocka_unit_test(test_nothing_leaks),
      cmocka_unit_test(test_weights_are_smooth),
      cmocka_unit_test(test_joints_are_inside),
      cmocka_unit_test(test_moves),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
