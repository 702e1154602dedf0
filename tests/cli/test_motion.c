/* test_motion.c: the frames that a comparison looks at. */
#include "cli/compare.h"
#include "small_asset.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const char path[] = SUPPLE_SCRATCH "/motion.gltf";

static cli_stage *load(const cli_options *options) {
  int code;
  assert_true(small_asset_write(path, false));
  cli_stage *stage = cli_stage_load(path, options, &code);
  assert_non_null(stage);
  return stage;
}

static void all_clips(void **state) {
  const cli_options options = {0};
  cli_stage *stage = load(&options);
  int code;
  motion_plan *all = motion_from_clips(stage, &code);
  (void)state;
  assert_non_null(all);
  assert_false(all->range);
  assert_int_equal(all->clip_count, 3);
  assert_string_equal(all->clips[0].name, "turn");
  assert_string_equal(all->clips[1].name, "#1");
  assert_string_equal(all->clips[2].name, "grow");
  assert_int_equal(all->clips[0].time_count, 3); /* its keys: 0, 0.25, 1 */
  assert_float_equal(all->clips[0].times[1], 0.25, 1e-9);
  size_t frames = 0;
  for (uint32_t c = 0; c < all->clip_count; c++) {
    assert_int_equal(all->clips[c].first_frame, frames);
    for (uint32_t t = 0; t < all->clips[c].time_count; t++, frames++) {
      const cli_moment moment = motion_moment(all, frames);
      assert_int_equal(motion_find(all, frames), c);
      assert_int_equal(moment.clip, c);
      assert_int_equal(moment.turn_count, 0);
      assert_float_equal(moment.seconds, all->clips[c].times[t], 0);
    }
  }
  assert_int_equal(all->frame_count, frames);
  char text[64];
  assert_string_equal(motion_when(all, 1, text, sizeof text), "0.25 s");
  motion_free(all);
  cli_stage_free(stage);
}

static void chosen_clip_and_frames(void **state) {
  const cli_options options = {.clip = "turn", .frames = 5};
  cli_stage *stage = load(&options);
  int code;
  motion_plan *all = motion_from_clips(stage, &code);
  (void)state;
  assert_non_null(all);
  assert_int_equal(all->clip_count, 1);
  assert_int_equal(all->frame_count, 5);
  assert_float_equal(all->clips[0].times[4], 1, 1e-9);
  motion_free(all);
  cli_stage_free(stage);
}

static void unknown_clip(void **state) {
  const cli_options options = {.clip = "tern"};
  cli_stage *stage = load(&options);
  int code = 0;
  (void)state;
  assert_null(motion_from_clips(stage, &code));
  assert_int_equal(code, CLI_USAGE);
  cli_stage_free(stage);
}

static void one_moment(void **state) {
  const char *poses[] = {"tip:twist=90"};
  const cli_options rest = {.rest = true}, posed = {.poses = poses, .pose_count = 1};
  char text[64];
  int code;
  (void)state;
  cli_stage *stage = load(&rest);
  motion_plan *all = motion_from_clips(stage, &code);
  assert_non_null(all);
  assert_int_equal(all->frame_count, 1);
  assert_string_equal(all->clips[0].name, "stored pose");
  assert_int_equal(motion_moment(all, 0).clip, SUPPLE_NONE);
  assert_string_equal(motion_when(all, 0, text, sizeof text), "–");
  motion_free(all);
  cli_stage_free(stage);
  stage = load(&posed);
  all = motion_from_clips(stage, &code);
  assert_non_null(all);
  assert_string_equal(all->clips[0].name, "given pose");
  motion_free(all);
  cli_stage_free(stage);
}

static void range_of_motion(void **state) {
  static const double twists[5] = {90, -90, 180, 0, 0}, bends[5] = {0, 0, 0, 90, 120};
  const cli_options options = {0};
  cli_stage *stage = load(&options);
  supple_measure **measures = compare_measures(stage, 0.75, 1);
  int code;
  (void)state;
  assert_non_null(measures);
  motion_plan *all = motion_from_range(stage, (const supple_measure *const *)measures, &code);
  assert_non_null(all);
  assert_true(all->range);
  /* Turning the one root turns everything: only tip bends. */
  assert_int_equal(all->clip_count, 1);
  assert_string_equal(all->clips[0].name, "tip");
  assert_int_equal(all->frame_count, 5);
  for (size_t f = 0; f < 5; f++) {
    const cli_moment moment = motion_moment(all, f);
    assert_int_equal(moment.clip, SUPPLE_NONE);
    assert_int_equal(moment.turn_count, 1);
    assert_int_equal(moment.turns[0].node, 2);
    const double twist = moment.turns[0].twist * (180 / SUPPLE_PI);
    const double bend = moment.turns[0].bend * (180 / SUPPLE_PI);
    assert_float_equal(twist, twists[f], 1e-4);
    assert_float_equal(bend, bends[f], 1e-4);
    assert_float_equal(fabs(moment.turns[0].axes.twist.y), 1, 1e-6);
  }
  char text[64];
  assert_string_equal(motion_when(all, 2, text, sizeof text), "twist 180°");
  motion_free(all);
  compare_measures_free(measures, stage->instance_count);
  cli_stage_free(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_clips),       cmocka_unit_test(chosen_clip_and_frames),
      cmocka_unit_test(unknown_clip),    cmocka_unit_test(one_moment),
      cmocka_unit_test(range_of_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
