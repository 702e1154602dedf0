/* test_loops.c: vector area and distances of loops known by formula. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/measure_state.h"
#include "tests/measure/shapes.h"

#include <math.h>

static const supplei_plane flat = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}};

static void expect_vector(supple_vec3 a, double x, double y, double z, double bound) {
  near(a.x, x, bound);
  near(a.y, y, bound);
  near(a.z, z, bound);
}

static void measures_a_rectangle(void **state) {
  (void)state;
  supple_vec3 p[4] = {{-1, -2, 0}, {1, -2, 0}, {1, 2, 0}, {-1, 2, 0}};
  supplei_shape got = supplei_shape_of(p, 4, &flat);
  expect_vector(got.area, 0, 0, 8, 1e-15);
  near(got.least, sqrt(5), 1e-15); /* of the points, not of the edges between them */
  near(got.most, sqrt(5), 1e-15);
  supple_vec3 back[4] = {p[3], p[2], p[1], p[0]};
  expect_vector(supplei_shape_of(back, 4, &flat).area, 0, 0, -8, 1e-15);
  for (int start = 1; start < 4; start++) { /* wherever it begins */
    supple_vec3 from[4];
    for (int i = 0; i < 4; i++) from[i] = p[(i + start) % 4];
    expect_vector(supplei_shape_of(from, 4, &flat).area, 0, 0, 8, 1e-15);
  }
  /* Distances are from the axis, wherever along it, and whichever point of it is the origin. */
  supplei_plane beside = {{1, 0, 17}, {0, 0, 1}, {1, 0, 0}};
  got = supplei_shape_of(p, 4, &beside);
  near(got.least, 2, 1e-14);
  near(got.most, sqrt(8), 1e-14);
}

static void tilted_loops_keep_their_size(void **state) {
  (void)state;
  supple_quat turn = supple_quat_from_axis_angle(supple_vec3_make(1, 0, 0), SUPPLE_PI / 4);
  supple_vec3 p[64], far[64];
  for (int i = 0; i < 64; i++) {
    double a = 2 * SUPPLE_PI * i / 64;
    p[i] = supple_quat_rotate(turn, supple_vec3_make(cos(a), sin(a), 0));
    far[i] = supple_vec3_add(p[i], supple_vec3_make(1e6, -2e6, 3e6));
  }
  double area = ellipse_polygon(1, 1, 64);
  expect_vector(supplei_shape_of(p, 64, &flat).area, 0, -area * sqrt(0.5), area * sqrt(0.5), 1e-13);
  expect_vector(supplei_shape_of(far, 64, &flat).area, 0, -area * sqrt(0.5), area * sqrt(0.5), 1e-8);
}

static void odd_loops(void **state) {
  (void)state;
  supple_vec3 eight[4] = {{-1, -1, 0}, {1, 1, 0}, {1, -1, 0}, {-1, 1, 0}}; /* two halves cancel */
  expect_vector(supplei_shape_of(eight, 4, &flat).area, 0, 0, 0, 1e-15);
  /* A saddle: each component is the area of its shadow on that plane. */
  supple_vec3 saddle[4] = {{-1, -1, 1}, {1, -1, -1}, {1, 1, 1}, {-1, 1, -1}};
  expect_vector(supplei_shape_of(saddle, 4, &flat).area, 0, 0, 4, 1e-15);
  supple_vec3 twice[8];
  for (int i = 0; i < 8; i++) twice[i] = saddle[i % 4];
  expect_vector(supplei_shape_of(twice, 8, &flat).area, 0, 0, 8, 1e-15);
  supple_vec3 same[5] = {{3, 4, 5}, {3, 4, 5}, {3, 4, 5}, {3, 4, 5}, {3, 4, 5}};
  supplei_shape point = supplei_shape_of(same, 5, &flat);
  expect_vector(point.area, 0, 0, 0, 0);
  near(point.least, 5, 1e-15);
  expect_vector(supplei_shape_of(same, 1, &flat).area, 0, 0, 0, 0);
  expect_vector(supplei_shape_of(NULL, 0, &flat).area, 0, 0, 0, 0);
}

static void what_is_no_number_stays_none(void **state) {
  (void)state;
  static const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int i = 0; i < 4; i++)
    for (int b = 0; b < 3; b++) {
      supple_vec3 p[4] = {{-1, -2, 0}, {1, -2, 0}, {1, 2, 0}, {-1, 2, 0}};
      p[i].y = bad[b];
      supplei_shape got = supplei_shape_of(p, 4, &flat);
      assert_true(!isfinite(supple_vec3_length(got.area)));
      assert_true(isnan(got.least) && isnan(got.most));
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(measures_a_rectangle),
      cmocka_unit_test(tilted_loops_keep_their_size),
      cmocka_unit_test(odd_loops),
      cmocka_unit_test(what_is_no_number_stays_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
