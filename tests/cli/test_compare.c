/* test_compare.c: a small tube measured: numbers by hand, the same whatever the number of threads. */
#include "cli/compare.h"
#include "small_asset.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const char path[] = SUPPLE_SCRATCH "/compare.gltf";
static const supple_method both[] = {SUPPLE_LBS, SUPPLE_DQS};
static const supple_method twice[] = {SUPPLE_DQS, SUPPLE_LBS};

/* Everything of one run. */
typedef struct run_state {
  cli_options options;
  cli_stage *stage;
  supple_measure **measures;
  motion_plan *motion;
  comparison *results;
} run_state;

static void start(run_state *run, const supple_method *methods, uint32_t threads) {
  int code;
  assert_true(small_asset_write(path, false));
  run->stage = cli_stage_load(path, &run->options, &code);
  assert_non_null(run->stage);
  run->measures = compare_measures(run->stage, 0.75, threads);
  assert_non_null(run->measures);
  run->motion = motion_from_clips(run->stage, &code);
  assert_non_null(run->motion);
  run->results = compare_run(run->stage, run->motion, run->measures, methods, 2, 0.75, threads);
  assert_non_null(run->results);
}

static void finish(run_state *run) {
  compare_free(run->results);
  motion_free(run->motion);
  compare_measures_free(run->measures, run->stage->instance_count);
  cli_stage_free(run->stage);
}

static void half_a_turn(void **state) {
  run_state run = {.options = {.clip = "turn"}};
  start(&run, both, 1);
  (void)state;
  /* At 1 s the middle ring's corners are the mean of (x, z) and (−x, −z): the axis; under dual
   * quaternions they turn by 90 degrees. Nothing else moves in its own ring. */
  const compared_joint *lbs = compared_joint_at(run.results, 0, 2, 0, 1);
  const compared_joint *dqs = compared_joint_at(run.results, 0, 2, 1, 1);
  assert_float_equal(lbs->kept, 0, 1e-5);
  assert_float_equal(dqs->kept, 1, 1e-5);
  assert_float_equal(lbs->section, 0, 1e-5);
  assert_float_equal(dqs->section, 1, 1e-5);
  assert_float_equal(lbs->worst, 0, 1e-5);
  assert_int_equal(lbs->worst_offset, SUPPLE_SECTION_AT_JOINT);
  assert_float_equal(lbs->own_kept, 0, 1e-5);
  assert_float_equal(dqs->own_kept, 1, 1e-5);
  /* The ring bends by the joint that turns, not by its parent. */
  assert_float_equal(compared_joint_at(run.results, 0, 2, 0, 0)->kept, 0, 1e-5);
  assert_true(isnan(compared_joint_at(run.results, 0, 2, 0, 0)->own_kept));
  /* A corner goes from the axis to the corner: √½ m. */
  const double farthest = sqrt(0.5);
  const compared_frame *frame = compared_frame_at(run.results, 0, 2, 1);
  assert_float_equal(frame->deviation, farthest, 1e-5);
  /* Four of twelve vertices are that far away. */
  const double rms = sqrt(4 * 0.5 / 12);
  assert_float_equal(frame->deviation_rms, rms, 1e-5);
  assert_float_equal(compared_frame_at(run.results, 0, 2, 0)->deviation, 0, 0);
  /* At the first key nothing is turned. */
  assert_float_equal(compared_joint_at(run.results, 0, 0, 0, 1)->kept, 1, 1e-5);
  assert_float_equal(compared_joint_at(run.results, 0, 0, 0, 1)->section, 1, 1e-5);
  assert_float_equal(compared_frame_at(run.results, 0, 0, 1)->volume, 1, 1e-5);
  finish(&run);
}

static void known_before_any_pose(void **state) {
  run_state run = {0};
  start(&run, both, 1);
  (void)state;
  const compared_instance *one = &run.results->instances[0];
  const double diagonal = sqrt(1 + 4 + 1);
  assert_int_equal(run.results->instance_count, 1);
  assert_float_equal(one->diagonal, diagonal, 1e-5);
  assert_int_equal(one->triangle_count, 20); /* four sides of two quads, two ends */
  assert_int_equal(one->cleaning[0].vertices, 12);
  assert_int_equal(one->joints[1].status, SUPPLE_JOINT_OK);
  assert_true(one->joints[1].shared);
  finish(&run);
}

static void turns_against_the_parent(void **state) {
  static const double twists[] = {0, 45, 180};
  run_state run = {.options = {.clip = "turn"}};
  start(&run, both, 1);
  (void)state;
  for (size_t f = 0; f < 3; f++) {
    assert_float_equal(compared_turn_at(run.results, 0, f, 1), twists[f], 1e-3);
    assert_true(isnan(compared_turn_at(run.results, 0, f, 0))); /* it has no parent */
  }
  finish(&run);
  /* Twist and bend together: half angles' cosines multiply. What turns both joints changes nothing. */
  const char *poses[] = {"root:twist=70", "tip:twist=60,bend=-90"};
  run_state posed = {.options = {.clip = "turn", .poses = poses, .pose_count = 2}};
  start(&posed, both, 1);
  const double angle = 2 * acos(cos(SUPPLE_PI / 6) * cos(SUPPLE_PI / 4)) * 180 / SUPPLE_PI;
  assert_float_equal(compared_turn_at(posed.results, 0, 0, 1), angle, 1e-3);
  finish(&posed);
}

static void order_of_methods(void **state) {
  run_state forth = {.options = {.clip = "turn"}}, back = {.options = {.clip = "turn"}};
  start(&forth, both, 1);
  start(&back, twice, 1);
  (void)state;
  for (size_t f = 0; f < forth.motion->frame_count; f++) {
    assert_memory_equal(compared_joint_at(forth.results, 0, f, 0, 1),
                        compared_joint_at(back.results, 0, f, 1, 1), sizeof(compared_joint));
    assert_float_equal(compared_frame_at(forth.results, 0, f, 1)->deviation,
                       compared_frame_at(back.results, 0, f, 1)->deviation, 0);
  }
  finish(&forth);
  finish(&back);
}

static void any_number_of_threads(void **state) {
  run_state one = {.options = {.frames = 50}}, three = {.options = {.frames = 50}};
  start(&one, both, 1);
  start(&three, both, 3);
  (void)state;
  const size_t joints = one.motion->frame_count * 2 * 2, frames = one.motion->frame_count * 2;
  assert_memory_equal(one.results->instances[0].results, three.results->instances[0].results,
                      joints * sizeof(compared_joint));
  assert_memory_equal(one.results->instances[0].frames, three.results->instances[0].frames,
                      frames * sizeof(compared_frame));
  finish(&one);
  finish(&three);
}

static double area_of(const double *points, uint32_t count) {
  double twice_area = 0;
  for (uint32_t i = 0; i < count; i++) {
    const double *a = points + 2 * i, *b = points + 2 * ((i + 1) % count);
    twice_area += a[0] * b[1] - a[1] * b[0];
  }
  return fabs(twice_area) / 2;
}

static void outlines(void **state) {
  run_state run = {.options = {.clip = "turn"}};
  start(&run, both, 1);
  (void)state;
  compared_outline drawn[2] = {
      {.instance = 0, .joint = 1, .offset = SUPPLE_SECTION_AT_JOINT, .frame = 2},
      {.instance = 0, .joint = 1, .offset = SUPPLE_NONE, .frame = 2}};
  assert_int_equal(compare_outlines(run.results, run.stage, run.measures, drawn, 2, 2), CLI_FINE);
  assert_true(drawn[0].point_count >= 4);
  assert_int_equal(drawn[1].point_count, 0);
  /* The square of 1 m by 1 m, nothing, and the square turned. */
  assert_float_equal(area_of(drawn[0].rest, drawn[0].point_count), 1, 1e-5);
  assert_float_equal(area_of(drawn[0].posed[0], drawn[0].point_count), 0, 1e-5);
  assert_float_equal(area_of(drawn[0].posed[1], drawn[0].point_count), 1, 1e-5);
  compare_outlines_free(drawn, 2);
  finish(&run);
}

static void names_of_methods(void **state) {
  (void)state;
  assert_string_equal(compare_method_title(SUPPLE_LBS), "linear blend skinning");
  assert_string_equal(compare_method_title(SUPPLE_DQS), "dual quaternion skinning");
  assert_string_equal(compare_method_short(SUPPLE_LBS), "LBS");
  assert_string_equal(compare_method_short(SUPPLE_DQS), "DQS");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(half_a_turn),
      cmocka_unit_test(known_before_any_pose),
      cmocka_unit_test(order_of_methods),
      cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(outlines),
      cmocka_unit_test(names_of_methods),
      cmocka_unit_test(turns_against_the_parent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
