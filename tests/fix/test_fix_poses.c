/* test_fix_poses.c: keys, times between them, and made up poses where there is no clip. */
#include "tests/fix/fix_tests.h"

#include <math.h>

#include "src/fix/fix_poses.h"

static supple_asset *strip_asset(bool clip) {
  strip s = clean_strip();
  supple_error error;
  supple_document *document = open_strip(&s);
  if (!clip)
    assert_int_equal(
        supple_document_remove(document, supple_document_find(document, "/animations"), NULL),
        SUPPLE_OK);
  supple_asset *asset = supple_document_asset(document, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  supple_document_free(document);
  return asset;
}

static void keys_and_between(void **state) {
  (void)state;
  supple_asset *asset = strip_asset(true);
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  supplei_poses poses;
  assert_int_equal(supplei_poses_create(&poses, asset, 2, false, NULL), SUPPLE_OK);
  assert_int_equal(poses.count, 3); /* as stored, two keys */
  assert_true(!poses.range && poses.frames[0].clip == SUPPLE_NONE && poses.frames[2].seconds == 1);
  supplei_poses_take(&poses, 2, asset, pose);
  /* b turned by 90 degrees: c, one above b in rest, is one beside it */
  assert_true(fabs(pose->worlds[3].m[0][3] + 1) < 1e-6 && fabs(pose->worlds[3].m[1][3] - 1) < 1e-6);
  supplei_poses_release(&poses);
  assert_int_equal(supplei_poses_create(&poses, asset, 8, false, NULL), SUPPLE_OK);
  assert_int_equal(poses.count, 1 + 2 + 3); /* eight for two keys: three after the first */
  for (uint32_t i = 0; i < 5; i++) assert_true(poses.frames[1 + i].seconds == i / 4.0);
  supplei_poses_release(&poses);
  assert_int_equal(supplei_poses_create(&poses, asset, 1000, false, NULL), SUPPLE_OK);
  assert_int_equal(poses.count, 1 + 2 + 7);
  supplei_poses_release(&poses);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
}

static void a_range_of_motion(void **state) {
  (void)state;
  supple_asset *asset = strip_asset(false);
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  supple_pose *again = supple_pose_create(&asset->skeleton, NULL, NULL);
  supplei_poses poses;
  assert_int_equal(supplei_poses_create(&poses, asset, 4, false, NULL), SUPPLE_OK);
  assert_true(poses.range && poses.count == 49);
  supplei_poses_take(&poses, 0, asset, pose);
  assert_true(pose->locals[1].rotation.w == 1);
  double largest = 0;
  for (uint32_t p = 1; p < poses.count; p++) {
    supplei_poses_take(&poses, p, asset, pose);
    supplei_poses_take(&poses, p, asset, again);
    assert_memory_equal(pose->locals, again->locals, 4 * sizeof *pose->locals);
    assert_true(pose->locals[0].rotation.w == 1); /* the skinned node is no joint */
    for (uint32_t n = 1; n < 4; n++) {
      const double angle = 2 * supple_acos(fabs(pose->locals[n].rotation.w)) * 180 / SUPPLE_PI;
      assert_true(angle > 0 && angle < 75.001);
      if (angle > largest) largest = angle;
    }
    assert_true(fabs(pose->locals[1].rotation.x - pose->locals[2].rotation.x) > 1e-9);
  }
  assert_true(largest > 60);
  supplei_poses_release(&poses);
  supple_pose_destroy(pose);
  supple_pose_destroy(again);
  supple_asset_free(asset);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(keys_and_between),
                                     cmocka_unit_test(a_range_of_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
