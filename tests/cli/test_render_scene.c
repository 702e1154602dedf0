/* test_render_scene.c: which primitives are drawn: skinned ones, and those that are not. */
#include "cli/render_scene.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char small[] = SUPPLE_SCRATCH "/small.gltf";
static const char plain[] = SUPPLE_SCRATCH "/plain.gltf";

static void skinned(void **state) {
  (void)state;
  const cli_options options = {0};
  int exit_code;
  render_scene scene;
  assert_true(small_asset_write(small, false));
  cli_stage *stage = cli_stage_load(small, &options, &exit_code);
  assert_non_null(stage);
  assert_int_equal(render_scene_make(stage, &scene), CLI_FINE);
  assert_int_equal(scene.part_count, stage->instances[0].instance->primitive_count);
  for (uint32_t i = 0; i < scene.part_count; i++) {
    assert_true(scene.parts[i].skinned);
    assert_int_equal(scene.parts[i].instance, 0);
    assert_int_equal(scene.parts[i].slot, i);
    assert_ptr_equal(scene.parts[i].primitive, stage->instances[0].instance->primitives[i]);
  }
  assert_true(scene.triangle_count > 0);
  render_scene_free(&scene);
  cli_stage_free(stage);
}

static void not_skinned(void **state) {
  (void)state;
  const cli_options options = {0};
  int exit_code;
  render_scene scene;
  assert_true(small_asset_write_plain(plain));
  cli_stage *stage = cli_stage_load(plain, &options, &exit_code);
  assert_non_null(stage);
  assert_int_equal(render_scene_make(stage, &scene), CLI_FINE);
  assert_true(scene.part_count > 0);
  for (uint32_t i = 0; i < scene.part_count; i++) {
    assert_false(scene.parts[i].skinned);
    assert_int_equal(scene.parts[i].instance, SUPPLE_NONE);
  }
  render_scene_free(&scene);
  cli_stage_free(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(skinned), cmocka_unit_test(not_skinned)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
