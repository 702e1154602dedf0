/* test_golden_rig.c: the rigs of the golden rows hold what they are there for. */
#include "cli/golden_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

typedef struct found {
  supple_prepared_report joints;
  supple_inspection vertices;
  supple_deform_report deformed;
} found;

/* What DQS finds in a rig. */
static found look(cli_golden_kind kind, supple_signs signs) {
  static cli_golden_rig rig;
  static float out[3][4 * CLI_GOLDEN_VERTICES];
  found f;
  memset(&f, 0, sizeof f);
  cli_golden_rig_build(&rig, kind);
  const supple_primitive primitive = cli_golden_rig_primitive(&rig);
  const supple_palette palette = cli_golden_rig_palette(&rig);
  const supple_binding_options binding_options = {.unweighted = SUPPLE_UNWEIGHTED_REST};
  const supple_prepared_options options = {.signs = signs};
  supple_binding *binding = supple_binding_create(&primitive, &binding_options, NULL);
  assert_non_null(binding);
  supple_prepared *prepared = supple_prepared_create(binding, &options, NULL);
  assert_non_null(prepared);
  assert_int_equal(supple_prepared_update(prepared, binding, &palette, SUPPLE_DQS), SUPPLE_OK);
  f.joints = *supple_prepared_found(prepared);
  assert_int_equal(supple_prepared_inspect(prepared, 0, CLI_GOLDEN_VERTICES, &f.vertices),
                   SUPPLE_OK);
  supple_job job;
  memset(&job, 0, sizeof job);
  job.prepared = prepared;
  job.positions = (supple_stream){rig.positions[0], 12};
  job.normals = (supple_stream){rig.normals[0], 12};
  job.tangents = (supple_stream){rig.tangents[0], 16};
  job.out_positions = (supple_out_stream){out[0], 12};
  job.out_normals = (supple_out_stream){out[1], 12};
  job.out_tangents = (supple_out_stream){out[2], 16};
  assert_int_equal(supple_deform_range(&job, 0, CLI_GOLDEN_VERTICES, &f.deformed), SUPPLE_OK);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  return f;
}

static void influences_are_of_every_kind(void **state) {
  (void)state;
  static cli_golden_rig rig;
  cli_golden_rig_build(&rig, CLI_GOLDEN_REST);
  const supple_primitive primitive = cli_golden_rig_primitive(&rig);
  supple_binding *binding = supple_binding_create(&primitive, NULL, NULL);
  assert_non_null(binding);
  const supple_binding_report *report = supple_binding_cleaning(binding);
  assert_true(report->duplicates > 10);
  assert_true(report->negatives > 3);
  assert_true(report->unweighted > 5);
  assert_true(report->renormalised > 100);
  assert_true(report->smallest_sum < 0.5f && report->largest_sum > 3.0f);
  uint32_t counts[CLI_GOLDEN_INFLUENCES + 1] = {0};
  for (uint32_t v = 0; v < CLI_GOLDEN_VERTICES; v++) {
    const uint16_t *joints;
    const float *weights;
    counts[supple_binding_influences(binding, v, &joints, &weights)]++;
  }
  assert_int_equal(counts[0], 0);
  for (int i = 1; i <= CLI_GOLDEN_INFLUENCES; i++) assert_true(counts[i] > 0);
  supple_binding_destroy(binding);
}

static void joints_are_of_every_kind(void **state) {
  (void)state;
  const uint32_t all = CLI_GOLDEN_JOINTS;
  const cli_golden_kind rigid[] = {CLI_GOLDEN_REST, CLI_GOLDEN_SMALL, CLI_GOLDEN_LARGE,
                                   CLI_GOLDEN_HALF_TURNS, CLI_GOLDEN_THIRDS};
  for (size_t i = 0; i < sizeof rigid / sizeof *rigid; i++) {
    const found f = look(rigid[i], SUPPLE_SIGNS_PER_VERTEX);
    assert_int_equal(f.joints.rigid, all);
    assert_true(fabs(f.joints.common_scale - 1) < 1e-6);
  }
  const found common = look(CLI_GOLDEN_COMMON, SUPPLE_SIGNS_PER_VERTEX);
  assert_int_equal(common.joints.rigid, all);
  assert_true(fabs(common.joints.common_scale - 0.0254) < 1e-7);
  const found reflected = look(CLI_GOLDEN_REFLECTED, SUPPLE_SIGNS_PER_VERTEX);
  assert_int_equal(reflected.joints.rigid, all);
  assert_int_equal(reflected.joints.mirrored, all);
  assert_int_equal(look(CLI_GOLDEN_SCALED, SUPPLE_SIGNS_PER_VERTEX).joints.scaled, all / 2);
  assert_int_equal(look(CLI_GOLDEN_SHEARED, SUPPLE_SIGNS_PER_VERTEX).joints.sheared, all);
  assert_int_equal(look(CLI_GOLDEN_MIRRORED, SUPPLE_SIGNS_PER_VERTEX).joints.mirrored, all / 3);
  assert_int_equal(look(CLI_GOLDEN_SINGULAR, SUPPLE_SIGNS_PER_VERTEX).joints.singular, all * 3 / 4);
  assert_int_equal(look(CLI_GOLDEN_EXTREME, SUPPLE_SIGNS_PER_VERTEX).joints.scaled, all * 3 / 4);
  const found mixed = look(CLI_GOLDEN_MIXED, SUPPLE_SIGNS_PER_VERTEX);
  assert_int_equal(mixed.joints.rigid, all * 5 / 8);
  assert_true(mixed.joints.sheared > 0 && mixed.joints.singular > 0 && mixed.joints.mirrored > 0);
}

static void every_path_is_taken(void **state) {
  (void)state;
  const found large = look(CLI_GOLDEN_LARGE, SUPPLE_SIGNS_PER_VERTEX);
  assert_true(large.vertices.flipped > 50);
  assert_int_equal(large.vertices.affine, 0);
  assert_true(large.vertices.rest > 5);
  const found mixed = look(CLI_GOLDEN_MIXED, SUPPLE_SIGNS_PER_VERTEX);
  assert_true(mixed.vertices.affine > 50);
  assert_true(mixed.vertices.affine + mixed.vertices.rest < CLI_GOLDEN_VERTICES - 10);
  assert_int_equal(look(CLI_GOLDEN_THIRDS, SUPPLE_SIGNS_PER_VERTEX).deformed.fallbacks, 0);
  assert_true(look(CLI_GOLDEN_THIRDS, SUPPLE_SIGNS_PER_POSE).deformed.fallbacks > 5);
  assert_true(look(CLI_GOLDEN_SINGULAR, SUPPLE_SIGNS_PER_VERTEX).deformed.vanished_normals > 5);
  assert_true(look(CLI_GOLDEN_SINGULAR, SUPPLE_SIGNS_PER_VERTEX).deformed.vanished_tangents > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(influences_are_of_every_kind),
      cmocka_unit_test(joints_are_of_every_kind),
      cmocka_unit_test(every_path_is_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
