/* test_render_plan.c: options of render read, and clips cut into frames. */
#include "cli/render_plan.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static const char small[] = SUPPLE_SCRATCH "/small.gltf";

static void sizes(void **state) {
  (void)state;
  char message[200];
  uint32_t size[2];
  assert_true(render_parse_size(size, "640x48", message, sizeof message));
  assert_int_equal(size[0], 640);
  assert_int_equal(size[1], 48);
  assert_true(render_parse_size(size, "16384X1", message, sizeof message));
  static const char *const wrong[] = {"",     "640",   "640x", "x48",     "0x48",
                                      "48x0", "4x4x4", "4 x4", "16385x1", "1x999999999999",
                                      "-4x4", "4.5x4"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (render_parse_size(size, wrong[i], message, sizeof message))
      fail_msg("%s is a size", wrong[i]);
}

static void backgrounds(void **state) {
  (void)state;
  char message[200];
  render_own own = {.given = false};
  assert_true(render_parse_background(&own.background, "#0aF", message, sizeof message));
  assert_memory_equal(own.background.color, "\x00\xaa\xff", 3);
  assert_true(render_parse_background(&own.background, "#123456", message, sizeof message));
  assert_memory_equal(own.background.color, "\x12\x34\x56", 3);
  assert_int_equal(own.background.kind, RENDER_COLOR);
  assert_true(render_parse_background(&own.background, "none", message, sizeof message));
  assert_int_equal(own.background.kind, RENDER_TRANSPARENT);
  assert_true(render_parse_background(&own.background, "gradient", message, sizeof message));
  assert_int_equal(own.background.kind, RENDER_GRADIENT);
  static const char *const wrong[] = {"", "#12", "#12345g", "123456", "#1234567", "red-ish"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_false(render_parse_background(&own.background, wrong[i], message, sizeof message));
}

static void kinds(void **state) {
  (void)state;
  render_kind kind;
  assert_true(render_kind_of("a.b/c.MP4", &kind) && kind == RENDER_KIND_MP4);
  assert_true(render_kind_of("x.gif", &kind) && kind == RENDER_KIND_GIF);
  assert_true(render_kind_of("-", &kind) && kind == RENDER_KIND_PNG);
  assert_false(render_kind_of("png", &kind));
  assert_false(render_kind_of("x.png.txt", &kind));
}

static void expect_plan(cli_options options, const render_own *own, render_kind kind,
                        uint32_t count, double fps, double first, double last) {
  int exit_code;
  render_plan plan;
  cli_stage *stage = cli_stage_load(small, &options, &exit_code);
  assert_non_null(stage);
  assert_int_equal(render_plan_make(stage, own, kind, NULL, &plan), CLI_FINE);
  if (plan.moment_count != count || fabs(plan.fps - fps) > 1e-9)
    fail_msg("%u frames at %g, not %u at %g", plan.moment_count, plan.fps, count, fps);
  assert_true(fabs(plan.moments[0].seconds - first) < 1e-9);
  assert_true(fabs(plan.moments[count - 1].seconds - last) < 1e-9);
  assert_true(plan.framed_count >= 1);
  render_plan_free(&plan);
  cli_stage_free(stage);
}

/* Clips of small_asset: #0 has keys at 0, 1/4 and 1 second, so it lasts one second. */
static void plans(void **state) {
  (void)state;
  const render_own plain = {.fps = 30}, ten = {.fps = 10, .fps_given = true};
  assert_true(small_asset_write(small, false));
  expect_plan((cli_options){.clip = "#0"}, &plain, RENDER_KIND_MP4, 31, 30, 0, 1);
  expect_plan((cli_options){.clip = "#0"}, &plain, RENDER_KIND_GIF, 26, 25, 0, 1);
  expect_plan((cli_options){.clip = "#0"}, &ten, RENDER_KIND_GIF, 11, 10, 0, 1);
  expect_plan((cli_options){.clip = "#0", .frames = 5}, &plain, RENDER_KIND_GIF, 5, 4, 0, 1);
  expect_plan((cli_options){.clip = "#0", .frames = 5}, &ten, RENDER_KIND_GIF, 5, 10, 0, 1);
  expect_plan((cli_options){.clip = "#0", .frames = 1}, &ten, RENDER_KIND_GIF, 1, 10, 0, 0);
  expect_plan((cli_options){.clip = "#0", .time = 0.25, .time_given = true}, &plain,
              RENDER_KIND_PNG, 1, 1, 0.25, 0.25);
}

/* A picture of a clip is framed by all of its keys. */
static void framed(void **state) {
  (void)state;
  const cli_options options = {.clip = "#0", .time = 0.25, .time_given = true};
  const render_own own = {.fps = 30};
  int exit_code;
  render_plan plan;
  cli_stage *stage = cli_stage_load(small, &options, &exit_code);
  assert_non_null(stage);
  assert_int_equal(render_plan_make(stage, &own, RENDER_KIND_PNG, NULL, &plan), CLI_FINE);
  assert_int_equal(plan.framed_count, 4);
  assert_true(fabs(plan.framed[0].seconds - 0.25) < 1e-9 && fabs(plan.framed[3].seconds - 1) < 1e-9);
  render_plan_free(&plan);
  cli_stage_free(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes), cmocka_unit_test(backgrounds),
                                     cmocka_unit_test(kinds), cmocka_unit_test(plans),
                                     cmocka_unit_test(framed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
