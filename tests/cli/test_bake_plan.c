/* test_bake_plan.c: which times a clip is baked at, and what is baked. */
#include "cli/bake_plan.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void assert_times(double begin, double end, uint32_t frames, double fps,
                         const double *wanted, uint32_t count) {
  double *times;
  uint32_t found;
  assert_int_equal(bake_times(begin, end, frames, fps, &times, &found), CLI_FINE);
  assert_int_equal(found, count);
  for (uint32_t i = 0; i < count; i++) assert_true(fabs(times[i] - wanted[i]) < 1e-12);
  assert_true(times[count - 1] <= end);
  free(times);
}

static void evenly_spaced(void **state) {
  (void)state;
  assert_times(1, 3, 5, 0, (const double[]){1, 1.5, 2, 2.5, 3}, 5);
  assert_times(0, 1, 2, 0, (const double[]){0, 1}, 2);
  assert_times(2, 3, 1, 0, (const double[]){2}, 1);
  assert_times(2, 2, 9, 0, (const double[]){2}, 1);
  assert_times(0, 0, 0, 0, (const double[]){0}, 1);
}

static void by_rate(void **state) {
  (void)state;
  assert_times(0.5, 1.5, 0, 4, (const double[]){0.5, 0.75, 1, 1.25, 1.5}, 5);
  assert_times(0, 1, 0, 1.5, (const double[]){0, 2.0 / 3.0}, 2);
  assert_times(0, 0.1, 0, 1, (const double[]){0}, 1);
  /* 0.7 s as a float is 0.69999999; 21 frames at 30 a second still end there */
  double *times;
  uint32_t count;
  assert_int_equal(bake_times(0, (double)0.7f, 0, 30, &times, &count), CLI_FINE);
  assert_int_equal(count, 22);
  assert_true(times[21] == (double)0.7f);
  free(times);
  assert_int_equal(bake_times(0, 2, 0, 0, &times, &count), CLI_FINE);
  assert_int_equal(count, 61); /* 30 a second unless told */
  free(times);
}

static void not_too_many(void **state) {
  (void)state;
  double *times = NULL;
  uint32_t count;
  assert_int_equal(bake_times(0, 1e6, 0, 30, &times, &count), CLI_USAGE);
  assert_int_equal(bake_times(0, 1e30, 0, 1, &times, &count), CLI_USAGE);
  assert_int_equal(bake_times(0, 999999, 0, 1, &times, &count), CLI_FINE);
  assert_int_equal(count, 1000000);
  free(times);
}

static void formats(void **state) {
  (void)state;
  static const struct {
    const char *path;
    bool rest;
    int exit_code;
    bake_format format;
  } cases[] = {{"a.pc2", false, CLI_FINE, BAKE_PC2},   {"a.PC2", true, CLI_FINE, BAKE_PC2},
               {"b/c.npz", false, CLI_FINE, BAKE_NPZ}, {"a.glb", false, CLI_FINE, BAKE_GLB},
               {"a.glb", true, CLI_FINE, BAKE_GLB},    {"a.obj", true, CLI_FINE, BAKE_STATIC},
               {"a.ply", true, CLI_FINE, BAKE_STATIC}, {"a.obj", false, CLI_USAGE, BAKE_PC2},
               {"a.gltf", true, CLI_USAGE, BAKE_PC2},  {"a.gltf", false, CLI_USAGE, BAKE_PC2},
               {"pc2", false, CLI_USAGE, BAKE_PC2},    {"a.fbx", false, CLI_USAGE, BAKE_PC2}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const cli_options shared = {.output = cases[i].path, .rest = cases[i].rest};
    const bake_options own = {0};
    bake_format format;
    assert_int_equal(bake_choose_format(&shared, &own, &format), cases[i].exit_code);
    if (cases[i].exit_code == CLI_FINE) assert_int_equal(format, cases[i].format);
  }
}

static void what_is_baked(void **state) {
  (void)state;
  static const char path[] = SUPPLE_SCRATCH "/small.gltf";
  assert_true(small_asset_write(path, false));
  int exit_code;
  const cli_options options = {.clip = "turn", .output = "x.pc2"};
  cli_stage *stage = cli_stage_load(path, &options, &exit_code);
  assert_non_null(stage);
  const bake_options own = {.frames = 10, .shard = "2/3", .interpolation = 1, .start_frame = 7};
  bake_plan plan;
  static const bake_format all[] = {BAKE_PC2, BAKE_NPZ, BAKE_GLB, BAKE_BOUNDS};
  for (int i = 0; i < 4; i++) {
    assert_int_equal(bake_plan_make(&plan, stage, &own, all[i]), CLI_FINE);
    assert_int_equal(plan.frame_count, 10);
    assert_true(plan.frame_begin == 3 && plan.frame_end == 6);
    assert_true(plan.shard == 1 && plan.shard_count == 3 && plan.step && plan.start_frame == 7);
    assert_int_equal(plan.method, SUPPLE_DQS);
    assert_true(plan.primitive_count == 1 && plan.vertex_count == 12);
    assert_true(plan.normals == (all[i] == BAKE_NPZ || all[i] == BAKE_GLB));
    assert_false(plan.tangents);
    bake_plan_free(&plan);
  }
  cli_stage_free(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(evenly_spaced), cmocka_unit_test(by_rate),
                                     cmocka_unit_test(not_too_many), cmocka_unit_test(formats),
                                     cmocka_unit_test(what_is_baked)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
