/* test_workspace.c: posing and deforming a tube, against positions computed here. */
#include "cli/stage.h"
#include "cli/threads.h"
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

static int write_files(void **state) {
  (void)state;
  return small_asset_write(small, false) ? 0 : 1;
}

static cli_workspace *start(const cli_options *options, cli_stage **stage, bool normals) {
  static const supple_method methods[2] = {SUPPLE_LBS, SUPPLE_DQS};
  int exit_code;
  *stage = cli_stage_load(small, options, &exit_code);
  assert_non_null(*stage);
  cli_workspace *work = cli_workspace_create(*stage, methods, 2);
  assert_non_null(work);
  work->want_normals = normals;
  return work;
}

static void finish(cli_workspace *work, cli_stage *stage) {
  cli_workspace_free(work);
  cli_stage_free(stage);
}

/* Vertex v of the tube with its rings turned about Y by 0, `middle` and `top`, and scaled across by
 * 1, `shrink`, 1. */
static void check_tube(const float *positions, double middle, double top, double shrink,
                       double shift) {
  static const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  const double angle[3] = {0, middle, top}, scale[3] = {1, shrink, 1};
  for (int v = 0; v < 12; v++) {
    const int ring = v / 4;
    const double x = 0.5 * corner[v % 4][0] + shift, z = 0.5 * corner[v % 4][1];
    const double c = cos(angle[ring]) * scale[ring], s = sin(angle[ring]) * scale[ring];
    const double wanted[3] = {c * x + s * z, ring, -s * x + c * z};
    for (int i = 0; i < 3; i++)
      if (fabs((double)positions[3 * v + i] - wanted[i]) > 2e-6)
        fail_msg("vertex %d, axis %d: %g, not %g", v, i, (double)positions[3 * v + i], wanted[i]);
  }
}

static void deform_both(cli_workspace *work, const cli_moment *moment) {
  cli_workspace_pose(work, moment);
  assert_int_equal(cli_workspace_enter(work, 0), CLI_FINE);
  for (uint32_t m = 0; m < 2; m++) assert_int_equal(cli_workspace_deform(work, m), CLI_FINE);
}

/* Joint "tip" turned by a about Y: the middle ring, half and half, turns by a / 2; linear blending shrinks it
 * by cos(a / 2). */
static void deforms_by_clips(void **state) {
  (void)state;
  const cli_options options = {0};
  cli_stage *stage;
  cli_workspace *work = start(&options, &stage, true);
  const cli_moment rest = {.clip = SUPPLE_NONE};
  deform_both(work, &rest);
  check_tube(work->positions[0][0], 0, 0, 1, 0);
  check_tube(work->positions[1][0], 0, 0, 1, 0);
  const cli_moment quarter = {.clip = 0, .seconds = 0.25};
  deform_both(work, &quarter);
  const double a = SUPPLE_PI / 4;
  check_tube(work->positions[0][0], a / 2, a, cos(a / 2), 0);
  check_tube(work->positions[1][0], a / 2, a, 1, 0);
  const double n = hypot((double)work->normals[1][0][0], (double)work->normals[1][0][2]);
  assert_true(fabs(n - 1) < 1e-6);
  assert_null(work->tangents[0][0]);
  const cli_moment late = {.clip = 0, .seconds = 5};
  deform_both(work, &late);
  check_tube(work->positions[1][0], SUPPLE_PI / 2, SUPPLE_PI, 1, 0);
  finish(work, stage);
}

static void morphs_come_first(void **state) {
  (void)state;
  const cli_options options = {0};
  cli_stage *stage;
  cli_workspace *work = start(&options, &stage, false);
  const cli_moment grown = {.clip = 2, .seconds = 0.5};
  deform_both(work, &grown);
  check_tube(work->positions[0][0], 0, 0, 1, 0.25);
  check_tube(work->rest[0], 0, 0, 1, 0.25);
  assert_null(work->normals[0][0]);
  finish(work, stage);
}

static void turns_by_hand(void **state) {
  (void)state;
  const char *texts[] = {"tip:twist=60"};
  const cli_options options = {.poses = texts, .pose_count = 1};
  cli_stage *stage;
  cli_workspace *work = start(&options, &stage, false);
  const cli_moment rest = {.clip = SUPPLE_NONE};
  const double a = SUPPLE_PI / 3;
  deform_both(work, &rest);
  check_tube(work->positions[1][0], a / 2, a, 1, 0);
  /* more turns come on top, and the same moment again does not add up */
  cli_turn more = stage->turns[0];
  more.twist = SUPPLE_PI / 6;
  const cli_moment further = {.clip = SUPPLE_NONE, .turns = &more, .turn_count = 1};
  for (int i = 0; i < 2; i++) {
    deform_both(work, &further);
    check_tube(work->positions[1][0], SUPPLE_PI / 4, SUPPLE_PI / 2, 1, 0);
  }
  deform_both(work, &rest);
  check_tube(work->positions[1][0], a / 2, a, 1, 0);
  finish(work, stage);
}

static void mesh_space_is_relative_to_the_node(void **state) {
  (void)state;
  const cli_options options = {.space = SUPPLE_SPACE_MESH};
  cli_stage *stage;
  cli_workspace *work = start(&options, &stage, false);
  const cli_moment rest = {.clip = SUPPLE_NONE};
  deform_both(work, &rest);
  for (int v = 0; v < 12; v++)
    for (int i = 0; i < 3; i++) /* the node stands at (7, 7, 7) */
      assert_true(fabsf(work->positions[0][0][3 * v + i] + 7 - work->rest[0][3 * v + i]) < 2e-6f);
  finish(work, stage);
}

static void bad_matrices_are_refused(void **state) {
  (void)state;
  const cli_options options = {0};
  cli_stage *stage;
  cli_workspace *work = start(&options, &stage, false);
  const cli_moment rest = {.clip = SUPPLE_NONE};
  cli_workspace_pose(work, &rest);
  work->pose->locals[2].translation.x = 1e300; /* too large for a float */
  supple_pose_update(work->pose);
  assert_int_equal(cli_workspace_enter(work, 0), CLI_FINE);
  assert_int_equal(cli_workspace_deform(work, 0), CLI_FAILED);
  assert_int_equal(cli_workspace_deform(work, 1), CLI_FAILED);
  finish(work, stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deforms_by_clips),
      cmocka_unit_test(morphs_come_first),
      cmocka_unit_test(turns_by_hand),
      cmocka_unit_test(mesh_space_is_relative_to_the_node),
      cmocka_unit_test(bad_matrices_are_refused),
  };
  return cmocka_run_group_tests(tests, write_files, NULL);
}
