/* test_fixture_tube.c: the tube moves every vertex by all twelve joints, and turns once around. */
#include "fixture_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { JOINTS = 12 };

static cli_fixture *tube(void) {
  cli_fixture *fixture = cli_fixture_create(cli_fixture_find("tube"));
  assert_non_null(fixture);
  return fixture;
}

static void test_is_sound(void **state) {
  (void)state;
  check_fixture("tube", true);
}

static void test_has_three_full_sets(void **state) {
  (void)state;
  cli_fixture *fixture = tube();
  assert_int_equal(fixture->joint_count, JOINTS);
  assert_int_equal(fixture->primitive.influence_count, 12);
  for (uint32_t i = 0; i < fixture->primitive.vertex_count; i++) {
    assert_int_equal(checked_influences(&fixture->primitive, i, JOINTS), JOINTS);
  }
  cli_fixture_free(fixture);
}

static void test_binding_keeps_them(void **state) {
  (void)state;
  cli_fixture *fixture = tube();
  supple_binding *binding = supple_binding_create(&fixture->primitive, NULL, NULL);
  assert_non_null(binding);
  const supple_binding_report *report = supple_binding_cleaning(binding);
  assert_int_equal(report->influences, JOINTS * fixture->primitive.vertex_count);
  assert_int_equal(
      report->duplicates + report->negatives + report->renormalised + report->unweighted, 0);
  supple_binding_destroy(binding);
  cli_fixture_free(fixture);
}

static void test_turns_once_around(void **state) {
  (void)state;
  cli_fixture *fixture = tube();
  assert_string_equal(fixture->clips[0].name, "twist-360");
  assert_int_equal(fixture->clips[0].channel_count, JOINTS - 1);
  supple_quat whole = supple_quat_identity();
  double angles = 0;
  for (uint32_t i = 0; i < JOINTS - 1; i++) {
    const supple_channel *channel = &fixture->clips[0].channels[i];
    assert_int_equal(channel->node, i + 1);
    const float *v = channel->values + (size_t)4 * (channel->key_count - 1);
    supple_quat q = supple_quat_make((double)v[0], (double)v[1], (double)v[2], (double)v[3]);
    angles += 2 * supple_atan2(q.y, q.w);
    whole = supple_quat_multiply(whole, q);
  }
  assert_true(fabs(angles - 2 * SUPPLE_PI) < 1e-5);
  assert_true(fabs(whole.w + 1) < 1e-5); /* all the way: q has become −1 */
  cli_fixture_free(fixture);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_sound),
      cmocka_unit_test(test_has_three_full_sets),
      cmocka_unit_test(test_binding_keeps_them),
      cmocka_unit_test(test_turns_once_around),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
