/* test_usd_skeleton.c: 16-bit floats; joints, folds and gauges of a skeleton made by hand: whatever USD gets, world
 * times the inverse of bind is what glTF says. */
#include "cli/usd_skeleton.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

/* Every 16-bit float is its own nearest, and what lies between two goes to the nearer one. */
static void halves(void **state) {
  (void)state;
  double before = 0;
  for (int exponent = 0; exponent < 31; exponent++)
    for (int mantissa = 0; mantissa < 1024; mantissa++) {
      const double value = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
      assert_true(cli_usd_half(value) == value);
      assert_true(cli_usd_half(-value) == -value);
      const double middle = before + (value - before) / 2;
      if (value > 0) {
        assert_true(cli_usd_half(middle * (1 - 1e-9)) == before);
        assert_true(cli_usd_half(middle * (1 + 1e-9)) == value);
        assert_true(cli_usd_half(middle) == (mantissa % 2 ? before : value)); /* ties to even */
      }
      before = value;
    }
  assert_true(cli_usd_half(65519) == 65504 && isinf(cli_usd_half(65520)));
}

/* ---- a rig ---- */

enum { NODES = 6, JOINTS = 3 };
/* 0 still, turned and scaled by 0.01 -> 1 joint -> 2 moved by a clip -> 3 joint, unevenly scaled -> 4 still, at rest a
 * mirror -> 5 joint, sheared, nothing below */
static supple_node nodes[NODES];
static const uint32_t order[NODES] = {0, 1, 2, 3, 4, 5}, joints[JOINTS] = {5, 1, 3};
static const uint32_t parents[JOINTS] = {2, SUPPLE_NONE, 1};
static supple_affine64 inverse_binds[JOINTS];
static const float times[2] = {0, 1};
static const float turns[8] = {0, 0, 0, 1, 0.6f, 0, 0, 0.8f}, moves[6] = {0, 0, 0, 1, 2, 3};
static supple_channel channels[3];
static supple_clip clip;
static supple_skin skin;
static supple_asset asset;

static void make_rig(void) {
  memset(&asset, 0, sizeof asset);
  for (uint32_t n = 0; n < NODES; n++) {
    nodes[n] = (supple_node){.name = n == 3 ? "a joint" : "node",
                             .parent = n == 0 ? SUPPLE_NONE : n - 1,
                             .mesh = SUPPLE_NONE,
                             .skin = SUPPLE_NONE,
                             .camera = SUPPLE_NONE,
                             .rest = supple_transform_identity()};
    nodes[n].rest.translation = supple_vec3_make(n + 1.0, 0.5, -0.25 * n);
    nodes[n].rest.rotation = supple_quat_from_axis_angle(supple_vec3_make(1, n, -1), 0.3 + n);
  }
  nodes[0].rest.scale = supple_vec3_make(0.01, 0.01, 0.01);
  nodes[3].rest.scale = supple_vec3_make(1, 1.5, 0.75);
  nodes[4].rest.scale = supple_vec3_make(-3, -3, -3);
  nodes[5].has_matrix = true;
  nodes[5].matrix = (supple_affine64){{{1, 0.3, 0, 2}, {0, 1.7, -0.2, 1}, {0.1, 0, 1, 0}}};
  channels[0] = (supple_channel){.node = 2,
                                 .path = SUPPLE_PATH_ROTATION,
                                 .key_count = 2,
                                 .width = 4,
                                 .times = times,
                                 .values = turns};
  channels[1] = (supple_channel){.node = 1,
                                 .path = SUPPLE_PATH_TRANSLATION,
                                 .key_count = 2,
                                 .width = 3,
                                 .times = times,
                                 .values = moves};
  channels[2] = (supple_channel){.node = 3,
                                 .path = SUPPLE_PATH_ROTATION,
                                 .key_count = 2,
                                 .width = 4,
                                 .times = times,
                                 .values = turns};
  clip = (supple_clip){.name = "c", .end = 1, .channels = channels, .channel_count = 3};
  for (uint32_t k = 0; k < JOINTS; k++) {
    const supple_transform bind = {supple_vec3_make(k, -1, 2),
                                   supple_quat_from_axis_angle(supple_vec3_make(0, 1, k), 1.1),
                                   supple_vec3_make(1 + k, 2, 1)};
    inverse_binds[k] = supple_transform_to_affine(&bind);
  }
  skin = (supple_skin){.name = "",
                       .joint_count = JOINTS,
                       .joints = joints,
                       .inverse_binds = inverse_binds,
                       .parents = parents,
                       .skeleton = SUPPLE_NONE,
                       .skinning_method = ""};
  asset.skeleton = (supple_skeleton){.nodes = nodes, .order = order, .node_count = NODES};
  asset.skins = &skin, asset.skin_count = 1;
  asset.clips = &clip, asset.clip_count = 1;
}

/* As USD composes it from the written transforms. */
static void check_pose(cli_usd_skeleton *skeleton, const supple_pose *pose) {
  supple_affine64 worlds[NODES + 1];
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    const cli_usd_joint *joint = &skeleton->joints[j];
    supple_transform local;
    assert_true(cli_usd_joint_local(skeleton, pose, j, &local));
    worlds[j] = supple_transform_to_affine(&local);
    assert_true(joint->parent == SUPPLE_NONE || joint->parent < j);
    if (joint->parent != SUPPLE_NONE)
      worlds[j] = supple_affine64_multiply(&worlds[joint->parent], &worlds[j]);
    if (joint->slot == SUPPLE_NONE) continue;
    supple_affine64 inverse;
    assert_true(supple_affine64_inverse(&joint->bind, &inverse));
    const supple_affine64 got = supple_affine64_multiply(&worlds[j], &inverse);
    const supple_affine64 wanted =
        supple_affine64_multiply(&pose->worlds[joint->node], &inverse_binds[joint->slot]);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) assert_true(fabs(got.m[r][c] - wanted.m[r][c]) < 1e-11);
  }
}

static void rig_to_usd(void **state) {
  (void)state;
  make_rig();
  cli_usd_rig rig;
  cli_usd_skeleton skeleton;
  assert_true(cli_usd_rig_make(&rig, &asset));
  assert_true(cli_usd_skeleton_make(&skeleton, &rig, &skin, false));
  supple_pose *pose = supple_pose_create(&asset.skeleton, NULL, NULL);
  assert_non_null(pose);
  cli_usd_skeleton_look(&skeleton, &rig, pose);
  for (int i = 0; i <= 4; i++) {
    supple_pose_sample(pose, &clip, i / 4.0);
    cli_usd_skeleton_look(&skeleton, &rig, pose);
  }
  supple_pose_rest(pose);
  cli_usd_skeleton_settle(&skeleton, pose);
  /* node 0 and 4 are folded, 2 is not: it moves */
  assert_int_equal(skeleton.joint_count, 4);
  static const uint32_t wanted_nodes[4] = {1, 2, 3, 5}, wanted_slots[4] = {1, SUPPLE_NONE, 2, 0};
  static const char *const paths[4] = {"node", "node/node_2", "node/node_2/a_joint",
                                       "node/node_2/a_joint/node_3"};
  for (uint32_t j = 0; j < 4; j++) {
    assert_int_equal(skeleton.joints[j].node, wanted_nodes[j]);
    assert_int_equal(skeleton.joints[j].slot, wanted_slots[j]);
    assert_string_equal(skeleton.joints[j].path, paths[j]);
  }
  /* 0.01 and the shear need more than 16 bits, and are gone from what is animated */
  supple_transform local;
  cli_usd_joint_local(&skeleton, pose, 0, &local);
  assert_true(fabs(local.scale.x - 1) < 1e-12);
  cli_usd_joint_local(&skeleton, pose, 3, &local);
  assert_true(fabs(local.scale.x - 1) < 1e-12 && fabs(local.scale.y - 1) < 1e-12);
  assert_int_equal(skeleton.loss.sheared, 0);
  check_pose(&skeleton, pose);
  for (int i = 0; i <= 4; i++) {
    supple_pose_sample(pose, &clip, i / 4.0);
    check_pose(&skeleton, pose);
  }
  for (uint32_t n = 0; n < NODES; n++) assert_int_equal(rig.joints[n], SUPPLE_NONE);
  supple_pose_destroy(pose);
  cli_usd_skeleton_clear(&skeleton);
  cli_usd_rig_clear(&rig);
}

/* Several roots get one above them that never moves, so do vertices that follow no joint. */
static void one_root(void **state) {
  (void)state;
  make_rig();
  nodes[3].parent = SUPPLE_NONE;
  for (int with_rest = 0; with_rest < 2; with_rest++) {
    cli_usd_rig rig;
    cli_usd_skeleton skeleton;
    assert_true(cli_usd_rig_make(&rig, &asset));
    assert_true(cli_usd_skeleton_make(&skeleton, &rig, &skin, with_rest != 0));
    assert_int_equal(skeleton.rest_joint, 0);
    assert_int_equal(skeleton.joints[0].node, SUPPLE_NONE);
    assert_int_equal(skeleton.joints[0].parent, SUPPLE_NONE);
    for (uint32_t j = 1; j < skeleton.joint_count; j++) assert_true(skeleton.joints[j].parent < j);
    for (uint32_t k = 0; k < JOINTS; k++)
      assert_int_equal(skeleton.joints[skeleton.of_slot[k]].slot, k);
    cli_usd_skeleton_clear(&skeleton);
    cli_usd_rig_clear(&rig);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(halves), cmocka_unit_test(rig_to_usd),
                                     cmocka_unit_test(one_root)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
