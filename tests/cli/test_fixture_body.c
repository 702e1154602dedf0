/* test_fixture_body.c: the field of the human figure: even, measured, of plausible proportions. */
#include "cli/fixture_body.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static double at(double x, double y, double z) { return cli_body_field(supple_vec3_make(x, y, z)); }

static void test_is_even_bit_by_bit(void **state) {
  (void)state;
  for (int i = 0; i < 20000; i++) {
    double x = 0.8 * ((i * 7919) % 1009) / 1009, y = 1.8 * ((i * 104729) % 2003) / 2003;
    double z = 0.4 * ((i * 15485) % 997) / 997 - 0.2;
    assert_true(at(x, y, z) == at(-x, y, z));
  }
}

static void test_inside_and_outside(void **state) {
  (void)state;
  assert_true(at(0, 1.1, 0) < -0.05);      /* belly */
  assert_true(at(0, 1.66, 0) < -0.05);     /* skull */
  assert_true(at(0, 0.6, 0) > 0.01);       /* between the legs */
  assert_true(at(0.25, 1.1, 0) > 0.05);    /* between arm and trunk */
  assert_true(at(0.09, -0.01, 0) > 0.005); /* under the sole */
  assert_true(at(0, 2, 0) > 0.1 && at(3, 1, 0) > 0.1);
}

/* From a point inside, in steps of a tenth of a millimetre, to where the field turns positive. */
static double reach(supple_vec3 from, supple_vec3 direction) {
  double length = 0;
  while (cli_body_field(supple_vec3_add(from, supple_vec3_scale(direction, length))) < 0 &&
         length < 1) {
    length += 1e-4;
  }
  return length;
}

static supple_vec3 along_arm(double length) {
  return supple_vec3_add(cli_body_shoulder(), supple_vec3_scale(cli_body_arm_direction(), length));
}

static void test_is_slender_where_it_bends(void **state) {
  (void)state;
  supple_vec3 x = supple_vec3_make(1, 0, 0), z = supple_vec3_make(0, 0, 1);
  double neck = reach(supple_vec3_make(0, 1.525, -0.012), x);
  double wrist = reach(along_arm(cli_body_wrist - 0.01), z);
  double forearm = reach(along_arm(cli_body_elbow + 0.06), z);
  double knee = reach(supple_vec3_make(0.092, 0.46, 0.005), x);
  double thigh = reach(supple_vec3_make(0.092, 0.70, 0), x);
  assert_true(neck > 0.045 && neck < 0.065);
  assert_true(wrist > 0.022 && wrist < 0.034);
  assert_true(forearm > wrist && forearm < 0.05);
  assert_true(knee > 0.04 && knee < 0.06 && thigh > knee && thigh < 0.1);
}

/* Where it is 0 the gradient is about 1 long, so that it measures distances near the skin. */
static void test_measures_distance(void **state) {
  (void)state;
  for (int i = 0; i < 64; i++) {
    double height = 0.1 + 1.6 * i / 64, h = 1e-4;
    supple_vec3 skin = supple_vec3_make(
        0.09, height,
        reach(supple_vec3_make(0.09, height, -0.01), supple_vec3_make(0, 0, 1)) - 0.01);
    if (fabs(cli_body_field(skin)) > 1e-3) continue; /* it began outside */
    double gx = (at(skin.x + h, skin.y, skin.z) - at(skin.x - h, skin.y, skin.z)) / (2 * h);
    double gy = (at(skin.x, skin.y + h, skin.z) - at(skin.x, skin.y - h, skin.z)) / (2 * h);
    double gz = (at(skin.x, skin.y, skin.z + h) - at(skin.x, skin.y, skin.z - h)) / (2 * h);
    double length = sqrt(gx * gx + gy * gy + gz * gz);
    assert_true(length > 0.8 && length < 1.25);
  }
}

static void test_arm_frame(void **state) {
  (void)state;
  supple_vec3 direction = cli_body_arm_direction();
  assert_true(fabs(supple_vec3_length(direction) - 1) < 1e-15);
  assert_true(direction.x > 0 && direction.y < 0 && direction.z == 0);
  assert_true(cli_body_field(cli_body_shoulder()) < -0.03);
  assert_true(cli_body_elbow < cli_body_wrist && cli_body_wrist < cli_body_knuckles);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_is_even_bit_by_bit),
      cmocka_unit_test(test_inside_and_outside),
      cmocka_unit_test(test_is_slender_where_it_bends),
      cmocka_unit_test(test_measures_distance),
      cmocka_unit_test(test_arm_frame),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
