/* test_fixture_shear.c: the shear fixture is as nasty as it says. */
#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { UNEVEN = 1, SHEARED, MATRIX, MIRRORED, FLAT, FLIPPED, VANISHING, JOINTS };

static void test_is_sound(void **state) {
  (void)state;
  check_fixture("shear", true);
}

static supple_split split_of(const supple_affine *matrix) {
  supple_affine64 exact = supple_affine_to_double(matrix);
  return supple_split_polar(&exact, NULL, false);
}

/* How far a split is from a similarity, as a share of its size. */
static double unevenness(const supple_split *split) {
  return split->residual / (fabs(split->scale) + split->residual);
}

static void test_sways_into_every_kind(void **state) {
  (void)state;
  cli_fixture *fixture = cli_fixture_create(cli_fixture_find("shear"));
  assert_non_null(fixture);
  supple_asset *asset = fixture_asset(fixture, CLI_GLTF_BINARY);
  const supple_instance *instance = &asset->instances[0];
  assert_int_equal(instance->skin->joint_count, JOINTS);
  assert_true(asset->skeleton.nodes[MATRIX].has_matrix);
  assert_string_equal(asset->clips[0].name, "sway");
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  supple_palette *palette = supple_palette_create(JOINTS, SUPPLE_SPACE_SCENE, NULL, NULL);
  assert_non_null(pose);
  assert_non_null(palette);

  supple_pose_sample(pose, &asset->clips[0], 1);
  supple_palette_compose(palette, pose, instance);
  supple_split root = split_of(&palette->matrices[0]);
  assert_true(unevenness(&root) < 1e-5);
  for (uint32_t k = UNEVEN; k <= MIRRORED; k++) {
    supple_split split = split_of(&palette->matrices[k]);
    assert_true(unevenness(&split) > 0.1);
    assert_int_equal(split.rank, 3);
    assert_false(split.mirrored);
  }
  assert_int_equal(split_of(&palette->matrices[FLAT]).rank, 2);
  assert_int_equal(split_of(&palette->matrices[FLIPPED]).rank, 2);
  assert_int_equal(split_of(&palette->matrices[VANISHING]).rank, 0);

  /* The flipped joint mirrors once its scale has passed zero, and not before. */
  supple_pose_sample(pose, &asset->clips[0], 0.5);
  supple_palette_compose(palette, pose, instance);
  assert_false(split_of(&palette->matrices[FLIPPED]).mirrored);
  supple_pose_sample(pose, &asset->clips[0], 0.75);
  supple_palette_compose(palette, pose, instance);
  assert_true(split_of(&palette->matrices[FLIPPED]).mirrored);

  /* One inverse bind matrix mirrors for the joint and those below it. */
  for (uint32_t k = 0; k < JOINTS; k++) {
    supple_mat3 linear = supple_affine64_linear(&instance->skin->inverse_binds[k]);
    assert_int_equal(supple_mat3_determinant(&linear) < 0, k >= MIRRORED);
  }
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  cli_fixture_free(fixture);
}

static void test_blends_up_to_four_neighbours(void **state) {
  (void)state;
  cli_fixture *fixture = cli_fixture_create(cli_fixture_find("shear"));
  assert_non_null(fixture);
  uint32_t most = 0;
  for (uint32_t i = 0; i < fixture->primitive.vertex_count; i++) {
    uint32_t count = checked_influences(&fixture->primitive, i, JOINTS);
    const uint16_t *joints = fixture->joints + (size_t)4 * i;
    for (uint32_t a = 0; a < count; a++) assert_true(abs(joints[a] - joints[0]) < 4);
    if (count > most) most = count;
  }
  assert_true(most >= 3);
  cli_fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_sound),
      cmocka_unit_test(test_sways_into_every_kind),
      cmocka_unit_test(test_blends_up_to_four_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
