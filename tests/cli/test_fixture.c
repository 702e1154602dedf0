/* test_fixture.c: what the builders of fixtures share. */
#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_find(void **state) {
  (void)state;
  static const char *const names[] = {"arm", "ring", "shear", "tube", "figure"};
  size_t count = 0;
  while (cli_fixtures[count].name) count++;
  assert_int_equal(count, 5);
  for (size_t i = 0; i < 5; i++) {
    const cli_fixture_kind *kind = cli_fixture_find(names[i]);
    assert_non_null(kind);
    assert_string_equal(kind->name, names[i]);
    assert_true(strlen(kind->summary) > 0);
  }
  assert_null(cli_fixture_find("Arm"));
  assert_null(cli_fixture_find(""));
}

static bool build_nothing(cli_fixture *fixture) {
  cli_fixture_allocate(fixture, 4, 4);
  return false;
}

static void test_failing_builder(void **state) {
  (void)state;
  const cli_fixture_kind kind = {"nothing", "fails", build_nothing};
  assert_null(cli_fixture_create(&kind));
  cli_fixture_free(NULL);
}

static void test_allocate(void **state) {
  (void)state;
  cli_fixture *fixture = cli_fixture_create(cli_fixture_find("ring"));
  assert_non_null(fixture);
  assert_null(cli_fixture_allocate(fixture, SIZE_MAX / 8, 16));
  assert_null(cli_fixture_allocate(fixture, SIZE_MAX, 1));
  unsigned char *bytes = cli_fixture_allocate(fixture, 3, 5);
  assert_non_null(bytes);
  for (size_t i = 0; i < 15; i++) assert_int_equal(bytes[i], 0);
  assert_int_equal((uintptr_t)bytes % 8, 0);
  assert_non_null(cli_fixture_allocate(fixture, 0, 4));
  cli_fixture_free(fixture);
}

static void test_smoothstep(void **state) {
  (void)state;
  assert_true(cli_fixture_smoothstep(2, 4, 1) == 0 && cli_fixture_smoothstep(2, 4, 2) == 0);
  assert_true(cli_fixture_smoothstep(2, 4, 3) == 0.5);
  assert_true(cli_fixture_smoothstep(2, 4, 2.5) == 0.15625); /* 3/16 − 2/64 */
  assert_true(cli_fixture_smoothstep(2, 4, 4) == 1 && cli_fixture_smoothstep(2, 4, 9) == 1);
}

static void test_turn(void **state) {
  (void)state;
  supple_vec3 y = supple_vec3_make(0, 1, 0);
  supple_quat half = cli_fixture_turn(y, 180), back = cli_fixture_turn(y, -180);
  assert_true(half.w == 0 && half.y == 1 && back.w == 0 && back.y == -1);
  supple_quat whole = cli_fixture_turn(y, 360), none = cli_fixture_turn(y, 0);
  assert_true(whole.y == 0 && whole.w == -1 && none.y == 0 && none.w == 1);
  supple_quat quarter = cli_fixture_turn(y, 90);
  assert_true(fabs(quarter.y - sqrt(0.5)) < 1e-15 && fabs(quarter.w - sqrt(0.5)) < 1e-15);
  float stored[4];
  cli_fixture_store_quat(stored, supple_quat_make(1, 2, 3, 4));
  for (int k = 0; k < 4; k++) assert_true(stored[k] == (float)(k + 1));
}

/* A fixture of six joints and two vertices, to be weighed. */
static bool build_small(cli_fixture *fixture) {
  static const float color[3] = {1, 1, 1};
  const cli_fixture_size size = {.joint_count = 6,
                                 .extra_nodes = 1,
                                 .vertex_count = 2,
                                 .triangle_count = 1,
                                 .influence_count = 4};
  return cli_fixture_begin(fixture, "small", &size, color);
}

static void test_weigh(void **state) {
  (void)state;
  const cli_fixture_kind kind = {"small", "", build_small};
  cli_fixture *f = cli_fixture_create(&kind);
  assert_non_null(f);
  cli_fixture_weigh(f, 0, (double[]){1, 4, 0, 2, 1, 1});
  static const uint16_t joints[4] = {1, 3, 0, 4}; /* ties to the lower joint */
  static const float weights[4] = {0.5f, 0.25f, 0.125f, 0.125f};
  assert_memory_equal(f->joints, joints, sizeof joints);
  assert_memory_equal(f->weights, weights, sizeof weights);
  cli_fixture_weigh(f, 1, (double[]){0, 0, 3, 0, 0, 0});
  assert_true(f->weights[4] == 1 && f->weights[5] == 0 && f->joints[4] == 2 && f->joints[5] == 0);
  cli_fixture_free(f);
}

static void test_weights_sum_to_one_in_floats(void **state) {
  (void)state;
  const cli_fixture_kind kind = {"small", "", build_small};
  cli_fixture *f = cli_fixture_create(&kind);
  assert_non_null(f);
  for (int i = 1; i < 500; i++) {
    cli_fixture_weigh(f, 0, (double[]){i % 7, i % 11, i % 13, 1.0 / i, i % 3, i % 5});
    checked_influences(&f->primitive, 0, 6);
    float sum = 0;
    for (size_t k = 4; k-- > 0;) sum += f->weights[k];
    assert_true(fabs((double)sum - 1) < 1.3e-7);
  }
  cli_fixture_weigh(f, 0, (double[]){1, 1, 1, 0, 0, 0});
  checked_influences(&f->primitive, 0, 6);
  cli_fixture_free(f);
}

static void test_begin_and_bind(void **state) {
  (void)state;
  const cli_fixture_kind kind = {"small", "", build_small};
  cli_fixture *f = cli_fixture_create(&kind);
  assert_non_null(f);
  assert_int_equal(f->gltf.node_count, 8);
  assert_int_equal(f->nodes[7].mesh, 0);
  assert_int_equal(f->nodes[7].skin, 0);
  /* node 6 is no joint: the skin's parents see through it */
  cli_fixture_place(f, 0, "a", SUPPLE_NONE, supple_vec3_make(1, 0, 0));
  cli_fixture_place(f, 6, "between", 0, supple_vec3_make(0, 2, 0));
  cli_fixture_place(f, 1, "b", 6, supple_vec3_make(0, 0, 3));
  f->nodes[6].rest.scale = supple_vec3_make(2, 2, 2);
  cli_fixture_bind(f);
  assert_int_equal(f->parents[0], SUPPLE_NONE);
  assert_int_equal(f->parents[1], 0);
  supple_vec3 origin =
      supple_affine64_transform_point(&f->inverse_binds[1], supple_vec3_make(1, 2, 6));
  assert_true(supple_vec3_length(origin) < 1e-15);
  cli_fixture_free(f);
}

static void test_clips(void **state) {
  (void)state;
  const cli_fixture_kind kind = {"small", "", build_small};
  cli_fixture *f = cli_fixture_create(&kind);
  assert_non_null(f);
  float *times = cli_fixture_times(f, 3);
  assert_true(times[0] == 0 && times[1] == 1.0f / 3 && times[3] == 1);
  supple_clip *clip = cli_fixture_clip(f, "c", 2);
  assert_non_null(cli_fixture_channel(f, clip, 2, SUPPLE_PATH_ROTATION, times, 4));
  assert_non_null(cli_fixture_channel(f, clip, 1, SUPPLE_PATH_SCALE, times, 4));
  assert_int_equal(clip->channel_count, 2);
  assert_int_equal(clip->channels[0].width, 4);
  assert_int_equal(clip->channels[1].width, 3);
  assert_int_equal(clip->channels[1].node, 1);
  for (int i = 1; i < CLI_FIXTURE_CLIPS; i++) assert_non_null(cli_fixture_clip(f, "d", 1));
  assert_null(cli_fixture_clip(f, "one too many", 1));
  assert_null(cli_fixture_channel(f, NULL, 0, SUPPLE_PATH_SCALE, times, 4));
  cli_fixture_free(f);
}

static cli_fixture_diagonals wanted;

static bool build_barrel(cli_fixture *f) {
  static const float color[3] = {1, 1, 1};
  const cli_fixture_ring rings[4] = {
      {-1, 0, -1, false}, {-1, 1, -1, false}, {-1, 1, 0, true}, {1, 1, 0, false}};
  cli_fixture_size size = {.joint_count = 1, .influence_count = 4};
  cli_fixture_revolve_size(rings, 4, 8, &size);
  assert_int_equal(size.vertex_count, 25);
  assert_int_equal(size.triangle_count, 8 + 16);
  if (!cli_fixture_begin(f, "barrel", &size, color)) return false;
  cli_fixture_revolve(f, rings, 4, 8, wanted);
  return true;
}

static void test_revolve(void **state) {
  (void)state;
  const cli_fixture_kind kind = {"barrel", "", build_barrel};
  for (int against = 0; against < 2; against++) {
    wanted = against ? CLI_DIAGONALS_AGAINST : CLI_DIAGONALS_WITH;
    cli_fixture *f = cli_fixture_create(&kind);
    assert_non_null(f);
    mesh_facts facts = mesh_facts_of(&f->primitive);
    assert_int_equal(facts.repeated, 0);
    assert_int_equal(facts.open, 8); /* the upper rim */
    assert_int_equal(facts.inward, 0);
    /* The second vertex of the side is a positive turn about +Y from the first, at +X: towards
     * −Z. */
    assert_true(f->positions[3 * 9] == 1 && f->positions[3 * 10 + 2] < -0.7f);
    /* Of the first quad of the side, after 8 triangles: vertices 9, 10 below and 17, 18 above. */
    const uint32_t *quad = f->indices + 24;
    uint32_t diagonal[2] = {against ? 10 : 9, against ? 17 : 18};
    for (int t = 0; t < 2; t++) {
      int found = 0;
      for (int k = 0; k < 3; k++)
        found += quad[3 * t + k] == diagonal[0] || quad[3 * t + k] == diagonal[1];
      assert_int_equal(found, 2);
    }
    cli_fixture_free(f);
  }
}

static void test_rod(void **state) {
  (void)state;
  cli_fixture_ring rings[32];
  uint32_t count = cli_fixture_rod(rings, 0.5, 3, 4, 10);
  assert_int_equal(count, 19);
  assert_true(rings[0].radius == 0 && rings[18].radius == 0);
  assert_true(fabs(rings[0].y + 1.5) < 1e-15 && fabs(rings[18].y - 1.5) < 1e-15);
  for (uint32_t i = 1; i < count; i++) assert_true(rings[i].y > rings[i - 1].y);
  for (uint32_t i = 0; i < count; i++) {
    /* On the sphere of an end the normal is the direction from its centre. */
    double beyond = fabs(rings[i].y) - 1;
    if (beyond < 1e-12)
      assert_true(rings[i].radius == 0.5 && rings[i].rise == 0);
    else
      assert_true(fabs(fabs(rings[i].rise) - beyond / 0.5) < 1e-12);
    if (beyond >= 1e-12) {
      assert_true(fabs(rings[i].radius * rings[i].radius + beyond * beyond - 0.25) < 1e-12);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_find),
      cmocka_unit_test(test_failing_builder),
      cmocka_unit_test(test_allocate),
      cmocka_unit_test(test_smoothstep),
      cmocka_unit_test(test_turn),
      cmocka_unit_test(test_weigh),
      cmocka_unit_test(test_weights_sum_to_one_in_floats),
      cmocka_unit_test(test_begin_and_bind),
      cmocka_unit_test(test_clips),
      cmocka_unit_test(test_revolve),
      cmocka_unit_test(test_rod),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
