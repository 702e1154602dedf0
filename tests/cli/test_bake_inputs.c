/* test_bake_inputs.c: whatever changes a frame changes the hash of its inputs; what does not, does not. */
#include "cli/bake_part.h"
#include "tests/cli/bake_small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static const char path[] = SUPPLE_SCRATCH "/small.gltf";
static bake_small small;
static uint64_t original[2];

static int prepare(void **state) {
  (void)state;
  if (!bake_small_make(&small, path, BAKE_NPZ, 5)) return 1;
  bake_inputs_hash(&small.plan, original);
  return 0;
}
static int release(void **state) {
  (void)state;
  bake_small_free(&small);
  return 0;
}

static bool differs(void) {
  uint64_t found[2];
  bake_inputs_hash(&small.plan, found);
  return found[0] != original[0] && found[1] != original[1];
}

/* Turns one bit of something that the plan leads to, asks, and turns it back. The asset is constant for everybody
 * else. */
static void expect_bit_counts(const void *data, size_t size) {
  unsigned char *bytes = (unsigned char *)(uintptr_t)data;
  for (size_t i = 0; i < size; i += size / 7 + 1) {
    bytes[i] ^= 1;
    assert_true(differs());
    bytes[i] ^= 1;
  }
  assert_false(differs());
}

static void the_asset(void **state) {
  (void)state;
  const supple_asset *asset = small.stage->asset;
  const supple_primitive *source = small.plan.primitives[0].source;
  const supple_skin *skin = small.stage->instances[0].instance->skin;
  const supple_clip *clip = &asset->clips[small.plan.clip];
  const size_t n = source->vertex_count;
  expect_bit_counts(source->positions, 12 * n);
  expect_bit_counts(source->normals, 12 * n);
  expect_bit_counts(source->joints, 2 * n * source->influence_count);
  expect_bit_counts(source->weights, 4 * n * source->influence_count);
  assert_true(source->target_count > 0);
  expect_bit_counts(source->targets[0].positions, 12 * n);
  expect_bit_counts(skin->joints, 4 * skin->joint_count);
  expect_bit_counts(skin->inverse_binds, sizeof *skin->inverse_binds * skin->joint_count);
  for (uint32_t i = 0; i < asset->skeleton.node_count; i++) {
    expect_bit_counts(&asset->skeleton.nodes[i].rest, sizeof asset->skeleton.nodes[i].rest);
    expect_bit_counts(&asset->skeleton.nodes[i].parent, 4);
  }
  assert_true(asset->skeleton.weight_count > 0);
  expect_bit_counts(asset->skeleton.weights, 4 * asset->skeleton.weight_count);
  for (uint32_t i = 0; i < clip->channel_count; i++) {
    const supple_channel *channel = &clip->channels[i];
    expect_bit_counts(channel->times, 4 * channel->key_count);
    expect_bit_counts(channel->values, 4 * (size_t)channel->key_count * channel->width);
    expect_bit_counts(&channel->node, 4);
  }
}

static void the_options(void **state) {
  (void)state;
  int *const choices[] = {&small.options.scale,   &small.options.signs,   &small.options.split,
                          &small.options.normals, &small.options.weights, &small.options.unweighted,
                          &small.options.space};
  for (size_t i = 0; i < sizeof choices / sizeof choices[0]; i++) {
    *choices[i] ^= 1;
    assert_true(differs());
    *choices[i] ^= 1;
  }
  small.options.max_influences = 2;
  assert_true(differs());
  small.options.max_influences = 0;
  small.options.rigid_tolerance = 1e-3;
  assert_true(differs());
  small.options.rigid_tolerance = 0;
  small.plan.method = SUPPLE_LBS;
  assert_true(differs());
  small.plan.method = SUPPLE_DQS;
  small.plan.format = BAKE_PC2;
  assert_true(differs());
  small.plan.format = BAKE_NPZ;
  expect_bit_counts(small.plan.times, sizeof(double) * small.plan.frame_count);
  small.plan.frame_count--;
  assert_true(differs());
  small.plan.frame_count++;
  assert_false(differs());
}

static void what_changes_no_frame(void **state) {
  (void)state;
  small.options.threads = 7;
  small.options.verbose = true;
  small.plan.output = "elsewhere.npz";
  small.plan.start_frame = 5;
  small.plan.shard = 1;
  small.plan.shard_count = 2;
  assert_false(differs());
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_asset), cmocka_unit_test(the_options),
                                     cmocka_unit_test(what_changes_no_frame)};
  return cmocka_run_group_tests(tests, prepare, release);
}
