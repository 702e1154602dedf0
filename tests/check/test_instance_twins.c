/* test_instance_twins.c: which skinned nodes deformation cannot tell apart. */
#include "src/check/instance_twins.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { COUNT = 8 };

static void expect(const supple_asset *asset, const uint32_t wanted[COUNT]) {
  uint32_t first[COUNT];
  assert_true(supplei_instance_twins(asset, first, NULL));
  for (uint32_t i = 0; i < COUNT; i++)
    if (first[i] != wanted[i])
      fail_msg("instance %u: %u instead of %u", (unsigned)i, (unsigned)first[i],
               (unsigned)wanted[i]);
}

static void twins(void **state) {
  (void)state;
  const supple_primitive plain = {.mesh = 0}, morphing = {.mesh = 1, .target_count = 1};
  const supple_primitive *shown[2] = {&plain, &morphing};
  const supple_mesh meshes[2] = {{"", &plain, 1}, {"", &morphing, 1}};
  const supple_skin skins[2] = {{.index = 0}, {.index = 1}};
  static const uint32_t mesh_of[COUNT] = {0, 1, 0, 0, 1, 1, 0, 1};
  static const uint32_t skin_of[COUNT] = {0, 0, 1, 0, 0, 0, 1, 0};
  float weights[COUNT] = {0, 0.5f, 1, 2, 0.5f, 0.25f, 3, 0.5f};
  supple_node nodes[COUNT];
  supple_instance instances[COUNT];
  memset(nodes, 0, sizeof nodes);
  for (uint32_t i = 0; i < COUNT; i++) {
    nodes[i].weight_begin = i;
    nodes[i].weight_count = 1;
    instances[i] = (supple_instance){.node = i,
                                     .mesh = mesh_of[i],
                                     .skin = &skins[skin_of[i]],
                                     .primitives = &shown[mesh_of[i]],
                                     .primitive_count = 1};
  }
  supple_asset asset = {.skeleton = {.nodes = nodes, .node_count = COUNT, .weights = weights},
                        .meshes = meshes,
                        .mesh_count = 2,
                        .skins = skins,
                        .skin_count = 2,
                        .instances = instances,
                        .instance_count = COUNT};
  /* weights part those that morph, and no others */
  expect(&asset, (const uint32_t[COUNT]){0, 1, 2, 0, 1, 5, 2, 1});
  const supple_channel channel = {.node = 4, .path = SUPPLE_PATH_WEIGHTS};
  const supple_clip clip = {.name = "", .channels = &channel, .channel_count = 1};
  asset.clips = &clip;
  asset.clip_count = 1;
  expect(&asset, (const uint32_t[COUNT]){0, 1, 2, 0, 4, 5, 2, 1});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(twins)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
