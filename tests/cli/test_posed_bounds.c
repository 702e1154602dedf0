/* test_posed_bounds.c: the boxes of a tube that turns, moves and grows. */
#include "cli/posed_bounds.h"
#include "tests/cli/small_asset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static const char small[] = SUPPLE_SCRATCH "/small.gltf";
static const char plain[] = SUPPLE_SCRATCH "/plain.gltf";

static void check_box(const supple_bounds *box, double x0, double z0, double x1, double z1) {
  const double wanted[6] = {x0, 0, z0, x1, 2, z1};
  for (int i = 0; i < 6; i++) {
    const double got = (double)(i < 3 ? box->min[i] : box->max[i - 3]);
    if (fabs(got - wanted[i]) > 1e-5) fail_msg("number %d is %g, not %g", i, got, wanted[i]);
  }
}

/* The top ring turns through 45 degrees (a key), so its corners reach sqrt(1/2). */
static void boxes_of_clips(void **state) {
  (void)state;
  const double reach = sqrt(0.5);
  assert_true(small_asset_write(small, false));
  for (uint32_t threads = 1; threads <= 3; threads++)
    for (int method = 0; method < 2; method++) {
      const cli_options options = {.threads = threads};
      int exit_code;
      cli_posed_bounds bounds;
      cli_stage *stage = cli_stage_load(small, &options, &exit_code);
      assert_non_null(stage);
      assert_int_equal(cli_posed_bounds_find(stage, (supple_method)method, SUPPLE_NONE, &bounds),
                       CLI_FINE);
      assert_int_equal(bounds.clip_count, 3);
      assert_int_equal(bounds.times[0], 3);
      assert_int_equal(bounds.times[1], 2);
      check_box(&bounds.rest, -0.5, -0.5, 0.5, 0.5);
      check_box(&bounds.clips[0], -reach, -reach, reach, reach);
      check_box(&bounds.clips[1], -0.5, -0.5, 2.5, 0.5);
      check_box(&bounds.clips[2], -0.5, -0.5, 1, 0.5);
      check_box(&bounds.posed, -reach, -reach, 2.5, reach);
      cli_posed_bounds_free(&bounds);
      cli_stage_free(stage);
    }
}

static void nothing_skinned_is_empty(void **state) {
  (void)state;
  const cli_options options = {0};
  int exit_code;
  cli_posed_bounds bounds;
  assert_true(small_asset_write_plain(plain));
  cli_stage *stage = cli_stage_load(plain, &options, &exit_code);
  assert_non_null(stage);
  assert_int_equal(cli_posed_bounds_find(stage, SUPPLE_LBS, SUPPLE_NONE, &bounds), CLI_FINE);
  assert_true(bounds.posed.min[0] > bounds.posed.max[0]);
  cli_posed_bounds_free(&bounds);
  cli_stage_free(stage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_clips),
      cmocka_unit_test(nothing_skinned_is_empty),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
