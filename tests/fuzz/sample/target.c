/* sample/target.c: every clip of a loaded asset at many times, and the palettes of its skins. */
#include "../fuzz.h"

#include <math.h>

static void check_pose(const supple_pose *pose) {
  for (uint32_t i = 0; i < pose->skeleton->node_count; i++) {
    const supple_quat q = pose->rotations[i];
    const double length = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    fuzz_expect(fabs(length - 1) < 1e-9, "rotations are unit, whatever the matrices");
  }
}

static void compose(const supple_asset *asset, const supple_pose *pose, supple_palette *palette) {
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    supple_palette_compose(palette, pose, &asset->instances[i]);
    fuzz_expect(palette->joint_count == asset->instances[i].skin->joint_count,
                "a palette has its skin's joints");
  }
}

static void sample(const supple_asset *asset, supple_pose *pose, supple_palette *const palettes[2]) {
  static const double steps[] = {0, 0.25, 0.5, 1, -1, 3};
  for (uint32_t c = 0; c < asset->clip_count && c < 6; c++) {
    const supple_clip *clip = &asset->clips[c];
    const double span = clip->end - clip->begin;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
      supple_pose_sample(pose, clip, clip->begin + span * steps[k]);
      check_pose(pose);
      compose(asset, pose, palettes[k % 2]);
    }
    if (clip->channel_count) supple_pose_sample(pose, clip, (double)clip->channels[0].times[0]);
    supple_pose_sample(pose, clip, (double)INFINITY);
    supple_pose_sample(pose, clip, -(double)INFINITY);
    supple_pose_sample(pose, clip, (double)NAN);
    supple_pose_apply(pose, &asset->clips[0], 0.125);
    supple_pose_update(pose);
    check_pose(pose);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = fuzz_split(data, size);
  supple_asset *asset = fuzz_load(&input);
  if (!asset) return 0;
  const supple_allocator allocator = fuzz_allocator(fuzz_option(&input, 12));
  supple_error error;
  supple_pose *pose = supple_pose_create(&asset->skeleton, &allocator, &error);
  supple_palette *palettes[2];
  for (int i = 0; i < 2; i++)
    palettes[i] =
        supple_palette_create(64, i ? SUPPLE_SPACE_MESH : SUPPLE_SPACE_SCENE, &allocator, &error);
  fuzz_expect((pose && palettes[0] && palettes[1]) || fuzz_allocator_failed(),
              "a pose of any asset");
  if (pose && palettes[0] && palettes[1]) {
    check_pose(pose);
    compose(asset, pose, palettes[0]);
    sample(asset, pose, palettes);
  } else {
    fuzz_expect_error(&error, size);
  }
  for (int i = 0; i < 2; i++) supple_palette_destroy(palettes[i]);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  fuzz_expect_no_memory();
  return 0;
}
