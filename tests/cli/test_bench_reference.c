/* test_bench_reference.c: the double reference of the benchmark, by cases that are known in closed form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench_reference.h"

#include <math.h>

static cli_bench_joint joint(double angle, supple_vec3 axis, supple_vec3 scale, supple_vec3 move) {
  supple_transform t = supple_transform_identity();
  t.rotation = supple_quat_from_axis_angle(axis, angle);
  t.scale = scale;
  t.translation = move;
  const supple_affine64 exact = supple_transform_to_affine(&t);
  const supple_affine matrix = supple_affine_from_double(&exact);
  return cli_bench_joint_of(&matrix);
}

static const supple_vec3 along_y = {0, 1, 0}, one = {1, 1, 1}, nowhere = {0, 0, 0};
static const cli_bench_vertex rest = {
    .position = {1, 0, 0}, .normal = {1, 0, 0}, .tangent = {0, 0, 1, 1}};

static void near(double a, double b) { assert_true(fabs(a - b) < 2e-6); }

static void test_factor(void **state) {
  (void)state;
  const cli_bench_joint j = joint(1, along_y, (supple_vec3){2, 0.5, 3}, nowhere);
  near(j.q[1], sin(0.5));
  near(j.q[3], cos(0.5));
  near(j.q[0], 0);
  const cli_bench_joint mirrored = joint(1, along_y, (supple_vec3){-1, -1, -1}, nowhere);
  near(mirrored.q[1], sin(0.5));
  near(mirrored.q[3], cos(0.5));
}

/* Half and half between 0 and 90 degrees about Y: LBS shrinks by cos 45, DQS turns by 45. */
static void test_quarter_turn(void **state) {
  (void)state;
  const cli_bench_joint joints[2] = {joint(0, along_y, one, nowhere),
                                     joint(SUPPLE_PI / 2, along_y, one, nowhere)};
  static const uint16_t indices[] = {0, 1};
  static const float weights[] = {0.5f, 0.5f};
  cli_bench_blend blend = {
      .method = SUPPLE_LBS, .joints = joints, .count = 2, .indices = indices, .weights = weights};
  cli_bench_vertex v = cli_bench_reference(&blend, SUPPLE_NORMALS_LINEAR, &rest);
  near(v.position[0], 0.5);
  near(v.position[2], -0.5);
  near(v.normal[0], 0.5);
  blend.method = SUPPLE_DQS;
  v = cli_bench_reference(&blend, SUPPLE_NORMALS_COFACTOR, &rest);
  near(v.position[0], sqrt(0.5));
  near(v.position[2], -sqrt(0.5));
  near(v.normal[0], sqrt(0.5));
  near(v.tangent[0], sqrt(0.5));
  near(v.trust, 1);
}

/* Against the largest or the first influence: three turns about Y, of which the first and the last are far apart. */
static void test_signs(void **state) {
  (void)state;
  const cli_bench_joint joints[3] = {joint(-1.7, along_y, one, nowhere),
                                     joint(0, along_y, one, nowhere),
                                     joint(1.7, along_y, one, nowhere)};
  static const uint16_t indices[] = {0, 1, 2};
  static const float weights[] = {0.3f, 0.4f, 0.3f};
  cli_bench_blend blend = {
      .method = SUPPLE_DQS, .joints = joints, .count = 3, .indices = indices, .weights = weights};
  cli_bench_vertex v = cli_bench_reference(&blend, SUPPLE_NORMALS_LINEAR, &rest);
  near(v.position[0], 1); /* the middle: no turn */
  blend.pivot = CLI_BENCH_AGAINST_FIRST;
  v = cli_bench_reference(&blend, SUPPLE_NORMALS_LINEAR, &rest);
  const double x = 0.4 + 0 * cos(0.85),
               y = -0.6 * sin(0.85); /* r = (y, x) about Y; the last one negated */
  near(v.position[0], (x * x - y * y) / (x * x + y * y));
}

/* Squeezed to a half along X: a normal between X and Z leans towards X by cofactor, away from it by the matrix. */
static void test_normals(void **state) {
  (void)state;
  const cli_bench_joint squeezed = joint(0, along_y, (supple_vec3){0.5, 1, 1}, nowhere);
  static const uint16_t indices[] = {0};
  static const float weights[] = {1};
  const cli_bench_blend blend = {
      .method = SUPPLE_LBS, .joints = &squeezed, .count = 1, .indices = indices, .weights = weights};
  const cli_bench_vertex leaning = {.normal = {1, 0, 1}, .tangent = {0, 1, 0, -1}};
  cli_bench_vertex v = cli_bench_reference(&blend, SUPPLE_NORMALS_COFACTOR, &leaning);
  near(v.normal[0], 1 / sqrt(1.25));
  near(v.normal[2], 0.5 / sqrt(1.25));
  near(v.tangent[3], -1);
  v = cli_bench_reference(&blend, SUPPLE_NORMALS_UNIT, &leaning);
  near(v.normal[0], 0.5 / sqrt(1.25));
  v = cli_bench_reference(&blend, SUPPLE_NORMALS_LINEAR, &leaning);
  near(v.normal[0], 0.5);
  near(v.normal[2], 1);
}

static void test_at_rest(void **state) {
  (void)state;
  const cli_bench_blend none = {.method = SUPPLE_DQS};
  const cli_bench_vertex v = cli_bench_reference(&none, SUPPLE_NORMALS_COFACTOR, &rest);
  near(v.position[0], 1);
  near(v.tangent[2], 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_factor),  cmocka_unit_test(test_quarter_turn),
      cmocka_unit_test(test_signs),   cmocka_unit_test(test_normals),
      cmocka_unit_test(test_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
