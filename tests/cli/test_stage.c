/* test_stage.c: loading, names, times, --pose. */
#include "cli/stage.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char small[] = SUPPLE_SCRATCH "/small.gltf";
static const char broken[] = SUPPLE_SCRATCH "/broken.gltf";
static const char plain[] = SUPPLE_SCRATCH "/plain.gltf";

static int write_files(void **state) {
  (void)state;
  return small_asset_write(small, false) && small_asset_write(broken, true) &&
                 small_asset_write_plain(plain)
             ? 0
             : 1;
}

static cli_stage *load(const char *path, const cli_options *options, int wanted) {
  int exit_code = -1;
  cli_stage *stage = cli_stage_load(path, options, &exit_code);
  assert_int_equal(exit_code, wanted);
  assert_true((stage != NULL) == (wanted == CLI_FINE));
  return stage;
}

static void loads_and_cleans(void **state) {
  (void)state;
  const cli_options options = {0};
  cli_stage *stage = load(small, &options, CLI_FINE);
  assert_int_equal(stage->instance_count, 1);
  assert_int_equal(stage->instances[0].vertex_count, 12);
  assert_true(stage->instances[0].morphs);
  assert_non_null(stage->instances[0].bindings[0]);
  assert_int_equal(supple_binding_cleaning(stage->instances[0].bindings[0])->renormalised, 0);
  cli_stage_print_repairs(stage);
  cli_stage_free(stage);
  stage = load(broken, &options, CLI_FINE);
  assert_int_equal(supple_binding_cleaning(stage->instances[0].bindings[0])->renormalised, 1);
  cli_stage_print_repairs(stage);
  cli_stage_free(stage);
  stage = load(plain, &options, CLI_FINE);
  assert_int_equal(stage->instance_count, 0);
  cli_stage_free(stage);
  cli_stage_free(NULL);
}

static void options_reach_the_reader(void **state) {
  (void)state;
  cli_options options = {0};
  load(SUPPLE_SCRATCH "/none.gltf", &options, CLI_FAILED);
  options.limits.nodes = 2;
  load(small, &options, CLI_FAILED);
  options.limits.nodes = 3;
  cli_stage_free(load(small, &options, CLI_FINE));
}

static void finds_clips(void **state) {
  (void)state;
  cli_options options = {0};
  cli_stage *stage = load(small, &options, CLI_FINE);
  uint32_t clip = 5;
  assert_int_equal(cli_find_clip(stage->asset, &options, &clip), CLI_FINE);
  assert_int_equal(clip, SUPPLE_NONE);
  static const struct {
    const char *text;
    int code;
    uint32_t clip;
  } cases[] = {{"turn", 0, 0}, {"#1", 0, 1},  {"grow", 0, 2}, {"#3", 2, 0},         {"Turn", 2, 0},
               {"#", 2, 0},    {"#-1", 2, 0}, {"#x", 2, 0},   {"#4294967296", 2, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    options.clip = cases[i].text;
    assert_int_equal(cli_find_clip(stage->asset, &options, &clip), cases[i].code);
    if (cases[i].code == 0) assert_int_equal(clip, cases[i].clip);
  }
  char text[32];
  assert_string_equal(cli_clip_name(stage->asset, 0, text, sizeof text), "turn");
  assert_string_equal(cli_clip_name(stage->asset, 1, text, sizeof text), "#1");
  assert_string_equal(cli_node_name(stage->asset, 2, text, sizeof text), "tip");
  cli_stage_free(stage);
}

static void finds_joints(void **state) {
  (void)state;
  const cli_options options = {0};
  cli_stage *stage = load(small, &options, CLI_FINE);
  uint32_t node = 9;
  assert_int_equal(cli_find_joint(stage->asset, "tip", 3, &node), CLI_FINE);
  assert_int_equal(node, 2);
  assert_int_equal(cli_find_joint(stage->asset, "tube", 4, &node), CLI_FINE);
  assert_int_equal(node, 0);
  assert_int_equal(cli_find_joint(stage->asset, "#1", 2, &node), CLI_FINE);
  assert_int_equal(node, 1);
  assert_int_equal(cli_find_joint(stage->asset, "#3", 2, &node), CLI_USAGE);
  assert_int_equal(cli_find_joint(stage->asset, "ti", 2, &node), CLI_USAGE);
  assert_int_equal(cli_find_joint(stage->asset, "", 0, &node), CLI_USAGE);
  cli_stage_free(stage);
}

static void chooses_moments(void **state) {
  (void)state;
  cli_options options = {0};
  cli_stage *stage = load(small, &options, CLI_FINE);
  cli_moment moment;
  assert_int_equal(cli_choose_moment(stage->asset, &options, &moment), CLI_FINE);
  assert_int_equal(moment.clip, SUPPLE_NONE);
  options.clip = "turn";
  assert_int_equal(cli_choose_moment(stage->asset, &options, &moment), CLI_FINE);
  assert_true(moment.clip == 0 && moment.seconds == 0);
  options.time = 0.5, options.time_given = true;
  assert_int_equal(cli_choose_moment(stage->asset, &options, &moment), CLI_FINE);
  assert_true(moment.seconds == 0.5);
  options.rest = true;
  assert_int_equal(cli_choose_moment(stage->asset, &options, &moment), CLI_USAGE);
  options.rest = false, options.clip = NULL; /* three clips: which? */
  assert_int_equal(cli_choose_moment(stage->asset, &options, &moment), CLI_USAGE);
  cli_stage_free(stage);
}

static void expect_times(const supple_clip *clip, const cli_options *options, uint32_t wanted,
                         double first, double second, double last) {
  double *times;
  uint32_t count;
  assert_int_equal(cli_clip_times(clip, options, &times, &count), CLI_FINE);
  assert_int_equal(count, wanted);
  assert_true(times[0] == first && times[count > 1] == second && times[count - 1] == last);
  for (uint32_t i = 1; i < count; i++) assert_true(times[i] > times[i - 1]);
  free(times);
}

static void times_of_clips(void **state) {
  (void)state;
  cli_options options = {0};
  cli_stage *stage = load(small, &options, CLI_FINE);
  const supple_clip *clip = &stage->asset->clips[0];
  expect_times(clip, &options, 3, 0, 0.25, 1);
  options.frames = 5;
  expect_times(clip, &options, 5, 0, 0.25, 1);
  options.frames = 1;
  expect_times(clip, &options, 1, 0, 0, 0);
  options.time = 9, options.time_given = true;
  expect_times(clip, &options, 1, 9, 9, 9);
  cli_stage_free(stage);

  /* two channels with 100 keys each: 199 distinct ones, hence 120 even steps */
  float a[100], b[100];
  const cli_options none = {0};
  for (int i = 0; i < 100; i++) a[i] = (float)i, b[i] = (float)i + (i ? 0.5f : 0.0f);
  const supple_channel channels[2] = {{.key_count = 100, .times = a},
                                      {.key_count = 100, .times = b}};
  supple_clip made = {"", 0, 99.5, channels, 2};
  expect_times(&made, &none, 120, 0, 99.5 / 119, 99.5);
  made.channel_count = 1;
  made.end = 99;
  expect_times(&made, &none, 100, 0, 1, 99);
  const supple_clip empty = {"", 0, 0, NULL, 0};
  expect_times(&empty, &none, 1, 0, 0, 0);
  options.time_given = false, options.frames = 7;
  expect_times(&empty, &options, 1, 0, 0, 0);
}

static void poses_are_resolved(void **state) {
  (void)state;
  const char *texts[] = {"tip:twist=90", "#1:bend=-30,side=10"};
  cli_options options = {.poses = texts, .pose_count = 2};
  cli_stage *stage = load(small, &options, CLI_FINE);
  assert_int_equal(stage->turn_count, 2);
  assert_int_equal(stage->turns[0].node, 2);
  assert_int_equal(stage->turns[1].node, 1);
  for (int i = 0; i < 2; i++) { /* both bones run up along Y */
    assert_true(fabs(stage->turns[i].axes.twist.y - 1) < 1e-9);
    assert_true(fabs(stage->turns[i].axes.bend.z - 1) < 1e-9);
  }
  assert_true(fabs(stage->turns[1].bend + 30 * SUPPLE_PI / 180) < 1e-12);
  cli_stage_free(stage);
  texts[1] = "tipp:twist=3";
  load(small, &options, CLI_USAGE);
  texts[1] = "tube:twist=3"; /* no joint of a skin, but a node */
  cli_stage_free(load(small, &options, CLI_FINE));
}

/* Those of one mesh and skin, unless they morph, are copied, or stand in a space of their own. */
static void twins(void **state) {
  (void)state;
  static const uint32_t alike[6] = {0, 1, 0, 3, 4, 0}, alone[6] = {0, 1, 2, 3, 4, 5};
  const supple_skin skins[2] = {{.index = 0}, {.index = 1}};
  const supple_affine64 copy = {{{0}}};
  supple_instance instances[6];
  cli_stage_instance staged[6];
  cli_options options = {.space = SUPPLE_SPACE_SCENE};
  for (uint32_t i = 0; i < 6; i++) {
    instances[i] = (supple_instance){.mesh = 0, .skin = &skins[i == 1]};
    staged[i] = (cli_stage_instance){.instance = &instances[i], .morphs = i == 3};
  }
  instances[4].copies = &copy;
  const cli_stage stage = {.options = &options, .instances = staged, .instance_count = 6};
  uint32_t *twin = cli_stage_twins(&stage);
  assert_non_null(twin);
  assert_memory_equal(twin, alike, sizeof alike);
  free(twin);
  options.space = SUPPLE_SPACE_MESH;
  twin = cli_stage_twins(&stage);
  assert_non_null(twin);
  assert_memory_equal(twin, alone, sizeof alone);
  free(twin);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_and_cleans),
      cmocka_unit_test(twins),
      cmocka_unit_test(options_reach_the_reader),
      cmocka_unit_test(finds_clips),
      cmocka_unit_test(finds_joints),
      cmocka_unit_test(chooses_moments),
      cmocka_unit_test(times_of_clips),
      cmocka_unit_test(poses_are_resolved),
  };
  return cmocka_run_group_tests(tests, write_files, NULL);
}
