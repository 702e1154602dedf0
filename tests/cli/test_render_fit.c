/* test_render_fit.c: boxes of the small asset's clips, and where its joint is. */
#include "cli/render_fit.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const char small[] = SUPPLE_SCRATCH "/small.gltf";

/* The top ring turns through 45 degrees (a key), so its corners reach sqrt(1/2); they stand from y = 0 to 2. */
static void boxes(void **state) {
  (void)state;
  static const supple_method methods[2] = {SUPPLE_LBS, SUPPLE_DQS};
  static const cli_moment moments[3] = {
      {.clip = 0, .seconds = 0}, {.clip = 0, .seconds = 0.5}, {.clip = 0, .seconds = 1}};
  const render_camera camera = render_camera_make(0, 0);
  const cli_options options = {0};
  int exit_code;
  assert_true(small_asset_write(small, false));
  cli_stage *stage = cli_stage_load(small, &options, &exit_code);
  render_scene scene;
  assert_non_null(stage);
  assert_int_equal(render_scene_make(stage, &scene), CLI_FINE);
  for (uint32_t threads = 1; threads <= 3; threads++) {
    render_fit fit, one;
    assert_int_equal(render_fit_find(stage, &scene, &camera, moments, 3, methods, 2, threads, &fit),
                     CLI_FINE);
    const double reach = sqrt(0.5);
    const double wanted[6] = {-reach, 0, -reach, reach, 2, reach};
    for (int i = 0; i < 6; i++)
      assert_true(fabs((i < 3 ? fit.box.low[i] : fit.box.high[i - 3]) - wanted[i]) < 1e-5);
    assert_int_equal(render_fit_find(stage, &scene, &camera, moments, 3, methods, 1, threads, &one),
                     CLI_FINE);
    assert_true(one.deviation == 0);
  }
  render_scene_free(&scene);
  cli_stage_free(stage);
}

/* The second joint stands at (0, 1, 0). */
static void place(void **state) {
  (void)state;
  const cli_options options = {0};
  const cli_moment rest = {.clip = SUPPLE_NONE};
  const render_box box = {{-1, 0, -1}, {1, 2, 1}};
  int exit_code;
  cli_stage *stage = cli_stage_load(small, &options, &exit_code);
  render_place found;
  assert_non_null(stage);
  const supple_skin *skin = stage->instances[0].instance->skin;
  assert_int_equal(render_place_find(stage, &rest, skin->joints[1], &box, &found), CLI_FINE);
  assert_true(fabs(found.position.x) < 1e-9 && fabs(found.position.y - 1) < 1e-9);
  assert_true(found.radius > 0.2 && found.radius < 2);
  cli_stage_free(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(place)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
