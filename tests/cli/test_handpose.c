/* test_handpose.c: turning joints by hand, against matrices written out here. */
#include "cli/handpose.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static void near_vector(supple_vec3 a, double x, double y, double z) {
  if (fabs(a.x - x) + fabs(a.y - y) + fabs(a.z - z) > 1e-12)
    fail_msg("(%g, %g, %g) is not (%g, %g, %g)", a.x, a.y, a.z, x, y, z);
}

/* v turned about the unit axis by Rodrigues' formula. */
static supple_vec3 rodrigues(supple_vec3 axis, double angle, supple_vec3 v) {
  const double c = cos(angle), s = sin(angle);
  const double d = axis.x * v.x + axis.y * v.y + axis.z * v.z;
  const supple_vec3 n = {axis.y * v.z - axis.z * v.y, axis.z * v.x - axis.x * v.z,
                         axis.x * v.y - axis.y * v.x};
  const supple_vec3 r = {c * v.x + s * n.x + (1 - c) * d * axis.x,
                         c * v.y + s * n.y + (1 - c) * d * axis.y,
                         c * v.z + s * n.z + (1 - c) * d * axis.z};
  return r;
}

static void axes_of_a_bone(void **state) {
  (void)state;
  const cli_axes up = cli_axes_from_bone(supple_vec3_make(0, 3, 0));
  near_vector(up.twist, 0, 1, 0);
  near_vector(up.bend, 0, 0, 1);
  near_vector(up.side, 1, 0, 0);
  const cli_axes none = cli_axes_from_bone(supple_vec3_make(0, 0, 0));
  near_vector(none.twist, 0, 1, 0);
  /* 24 degrees from Z: X takes its place; 26 degrees: Z */
  const cli_axes close =
      cli_axes_from_bone(supple_vec3_make(0, sin(24 * pi / 180), -cos(24 * pi / 180)));
  near_vector(close.bend, 1, 0, 0);
  const cli_axes far =
      cli_axes_from_bone(supple_vec3_make(0, sin(26 * pi / 180), cos(26 * pi / 180)));
  near_vector(far.bend, 0, -cos(26 * pi / 180), sin(26 * pi / 180));
}

static void axes_are_right_handed(void **state) {
  (void)state;
  for (int i = 0; i < 1000; i++) {
    const supple_vec3 bone = {sin(i * 1.7), cos(i * 2.3), sin(i * 0.7 + 1)};
    const cli_axes a = cli_axes_from_bone(bone);
    assert_true(fabs(supple_vec3_dot(a.twist, a.bend)) < 1e-12);
    assert_true(fabs(supple_vec3_dot(a.bend, a.bend) - 1) < 1e-12);
    const supple_vec3 side = supple_vec3_cross(a.twist, a.bend);
    near_vector(a.side, side.x, side.y, side.z);
    assert_true(supple_vec3_dot(a.twist, bone) > 0);
  }
}

/* A pose of two nodes. */
static supple_node nodes[2];
static const uint32_t order[2] = {0, 1};
static const supple_skeleton skeleton = {nodes, order, 2, NULL, 0};

static supple_pose *make_pose(supple_vec3 scale) {
  for (int i = 0; i < 2; i++) {
    memset(&nodes[i], 0, sizeof nodes[i]);
    nodes[i].name = "";
    nodes[i].parent = i ? 0 : SUPPLE_NONE;
    nodes[i].mesh = nodes[i].skin = nodes[i].camera = SUPPLE_NONE;
    nodes[i].rest = supple_transform_identity();
  }
  nodes[1].rest.translation = supple_vec3_make(1, 2, 3);
  nodes[1].rest.rotation = supple_quat_from_axis_angle(supple_vec3_make(1, 2, -1), 0.7);
  nodes[1].rest.scale = scale;
  supple_pose *pose = supple_pose_create(&skeleton, NULL, NULL);
  assert_non_null(pose);
  return pose;
}

/* With a uniform scale, mirrored or not, the world matrix must be rest · bend · side · twist. */
static void turns_compose_in_the_joints_space(void **state) {
  (void)state;
  static const double scales[][3] = {{1, 1, 1}, {2, 2, 2}, {-1, 1, 1}, {1, 1, -2}, {-1, -1, -1}};
  const supple_vec3 p = {0.3, -0.4, 0.9};
  for (size_t i = 0; i < sizeof scales / sizeof scales[0]; i++) {
    const supple_vec3 scale = {scales[i][0], scales[i][1], scales[i][2]};
    if (fabs(fabs(scale.x) - fabs(scale.z)) > 0) continue;
    supple_pose *pose = make_pose(scale);
    const supple_affine64 rest = pose->worlds[1];
    cli_turn turn = {.node = 1, .twist = 0.5, .bend = -1.2, .side = 0.4};
    turn.axes = cli_axes_from_bone(supple_vec3_make(0.3, 0.8, 0.2));
    cli_turn_apply(pose, &turn);
    supple_pose_update(pose);
    supple_vec3 q = rodrigues(turn.axes.twist, turn.twist, p);
    q = rodrigues(turn.axes.side, turn.side, q);
    q = rodrigues(turn.axes.bend, turn.bend, q);
    q = supple_affine64_transform_point(&rest, q);
    const supple_vec3 got = supple_affine64_transform_point(&pose->worlds[1], p);
    near_vector(got, q.x, q.y, q.z);
    supple_pose_destroy(pose);
  }
}

/* With an uneven scale a twist still leaves the bone where it was. */
static void a_twist_keeps_the_bone(void **state) {
  (void)state;
  supple_pose *pose = make_pose(supple_vec3_make(1, 3, 0.5));
  const supple_vec3 bone = {0.3, 0.8, 0.2};
  const supple_vec3 before = supple_affine64_transform_point(&pose->worlds[1], bone);
  const cli_turn turn = {.node = 1, .axes = cli_axes_from_bone(bone), .twist = 2};
  cli_turn_apply(pose, &turn);
  supple_pose_update(pose);
  const supple_vec3 after = supple_affine64_transform_point(&pose->worlds[1], bone);
  near_vector(after, before.x, before.y, before.z);
  supple_pose_destroy(pose);
}

static void no_angle_changes_nothing(void **state) {
  (void)state;
  supple_pose *pose = make_pose(supple_vec3_make(1, 1, 1));
  pose->use_matrix[1] = 1;
  const cli_turn turn = {.node = 1, .axes = cli_axes_from_bone(supple_vec3_make(1, 0, 0))};
  cli_turn_apply(pose, &turn);
  assert_int_equal(pose->use_matrix[1], 1);
  supple_pose_destroy(pose);
}

static void text_of_poses(void **state) {
  (void)state;
  cli_turn turn;
  size_t length;
  char message[128];
  assert_true(cli_turn_parse("mixamorig:Arm:bend=90,twist=-45.5", &turn, &length, message, 128));
  assert_int_equal(length, 13);
  assert_true(fabs(turn.bend - pi / 2) < 1e-15 && fabs(turn.twist + 45.5 * pi / 180) < 1e-15);
  assert_true(turn.side == 0 && turn.node == SUPPLE_NONE);
  static const char *const bad[] = {
      "a",         "",           ":twist=1",          "a:",          "a:twist", "a:twist=",
      "a:twist=x", "a:twist=1,", "a:twist=1,twist=2", "a:twist=nan", "a:roll=2"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    message[0] = '\0';
    assert_false(cli_turn_parse(bad[i], &turn, &length, message, sizeof message));
    assert_true(message[0] != '\0');
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axes_of_a_bone),
      cmocka_unit_test(axes_are_right_handed),
      cmocka_unit_test(turns_compose_in_the_joints_space),
      cmocka_unit_test(a_twist_keeps_the_bone),
      cmocka_unit_test(no_angle_changes_nothing),
      cmocka_unit_test(text_of_poses),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
