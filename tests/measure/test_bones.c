/* test_bones.c: where joints and bones are in the bind pose, what they share, and the scale of rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/measure_state.h"
#include "tests/measure/shapes.h"

#include <math.h>

/* A shape that gives chosen pairs of joints shared vertices: a triangle, its corners weighed a : b. */
static void share(shape *s, uint16_t a, double weight, uint16_t b) {
  uint32_t first = shape_vertex(s, 0, 0, 0);
  shape_vertex(s, 1, 0, 0);
  shape_vertex(s, 0, 1, 0);
  for (uint32_t v = first; v < first + 3; v++) shape_weigh(s, v, a, weight, b);
  shape_triangle(s, first, first + 1, first + 2);
}

static void expect_vector(supple_vec3 a, double x, double y, double z) {
  near(a.x, x, 1e-9);
  near(a.y, y, 1e-9);
  near(a.z, z, 1e-9);
}

static void runs_to_the_child_that_shares_most(void **state) {
  (void)state;
  shape *s = shape_create();
  share(s, 0, 0.5, 1);
  share(s, 1, 0.9, 2); /* shares 0.1 a vertex */
  share(s, 1, 0.3, 3); /* 0.3 */
  share(s, 1, 0.8, 4); /* 0.2 */
  share(s, 2, 0.5, 4); /* siblings: of no account */
  rig r;
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&r, 0, 0, 2, 0);
  rig_joint(&r, 1, 1, 2, 0);
  rig_joint(&r, 1, 0, 2, 3);
  rig_joint(&r, 1, -1, 2, 0);
  rig_joint(&r, SUPPLE_NONE, 9, 9, 9); /* alone */
  rig_shape(&r, s);
  rig_build(&r, NULL);
  const supple_measured_joint *j = rig_joint_of(&r, 1);
  assert_int_equal(j->parent, 0);
  assert_int_equal(j->child, 3);
  expect_vector(j->position, 0, 2, 0);
  expect_vector(j->incoming, 0, 1, 0);
  expect_vector(j->outgoing, 0, 0, 1);
  near(j->incoming_length, 2, 1e-12);
  near(j->outgoing_length, 3, 1e-12);
  near(r.measure->shared_above[2], 0.3, 1e-6);
  near(r.measure->shared_above[3], 0.9, 1e-6);
  near(r.measure->shared_above[4], 0.6, 1e-6);
  j = rig_joint_of(&r, 0); /* a root begins with the outgoing bone */
  assert_true(j->parent == SUPPLE_NONE && j->child == 1);
  expect_vector(j->incoming, 0, 1, 0);
  near(j->incoming_length, 2, 1e-12);
  j = rig_joint_of(&r, 4); /* a leaf continues the incoming one */
  assert_true(j->parent == 1 && j->child == SUPPLE_NONE);
  expect_vector(j->outgoing, -1, 0, 0);
  near(j->outgoing_length, 1, 1e-12);
  j = rig_joint_of(&r, 5);
  assert_true(j->parent == SUPPLE_NONE && j->child == SUPPLE_NONE && !j->shared);
  expect_vector(j->incoming, 0, 0, 0);
  assert_true(j->incoming_length == 0 && j->outgoing_length == 0 && !r.measure->weighted[5]);
  supplei_plane plane;
  assert_false(supplei_section_plane(r.measure, 5, SUPPLE_SECTION_AT_JOINT, &plane));
  rig_unbuild(&r);
  shape_destroy(s);
}

static void passes_over_bones_of_no_length(void **state) {
  (void)state;
  shape *s = shape_create();
  share(s, 0, 0.5, 1);
  share(s, 3, 0.5, 4);
  rig r;
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&r, 0, 0, 1, 0);
  rig_joint(&r, 1, 0, 1, 0);
  rig_joint(&r, 2, 0, 1, 1e-9);
  rig_joint(&r, 3, 2, 1, 0);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  for (uint32_t k = 1; k < 4; k++) {
    assert_int_equal(rig_joint_of(&r, k)->parent, 0);
    assert_int_equal(rig_joint_of(&r, k)->child, 4);
    expect_vector(rig_joint_of(&r, k)->incoming, 0, 1, 0);
    expect_vector(rig_joint_of(&r, k)->outgoing, 1, 0, 0);
  }
  assert_int_equal(rig_joint_of(&r, 4)->parent, 3);
  rig_unbuild(&r);
  /* All joints in one place: no bones at all. */
  rig_start(&r);
  for (uint32_t k = 0; k < 5; k++) rig_joint(&r, k ? k - 1 : SUPPLE_NONE, 3, 3, 3);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  for (uint32_t k = 0; k < 5; k++) {
    assert_true(rig_joint_of(&r, k)->parent == SUPPLE_NONE &&
                rig_joint_of(&r, k)->child == SUPPLE_NONE);
    assert_true(rig_joint_of(&r, k)->outgoing_length == 0);
  }
  assert_int_equal(rig_joint_of(&r, 1)->status, SUPPLE_JOINT_OUTSIDE);
  rig_unbuild(&r);
  shape_destroy(s);
}

/* A helper in the joint's own place that shares most is passed over for the child that makes a bone. */
static void a_helper_in_place_is_no_child(void **state) {
  (void)state;
  shape *s = shape_create();
  share(s, 1, 0.5, 2);
  share(s, 1, 0.9, 3);
  share(s, 1, 0.8, 4);
  rig r;
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&r, 0, 0, 1, 0);
  rig_joint(&r, 1, 0, 1, 0); /* the helper */
  rig_joint(&r, 1, 1, 1, 0);
  rig_joint(&r, 1, 0, 1, 2);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  assert_int_equal(rig_joint_of(&r, 1)->child, 4);
  expect_vector(rig_joint_of(&r, 1)->outgoing, 0, 0, 1);
  near(rig_joint_of(&r, 1)->outgoing_length, 2, 1e-12);
  rig_unbuild(&r);
  rig_joint(&r, 2, 0, 4, 0); /* but where the bone goes on from the helper, that is it */
  rig_build(&r, NULL);
  assert_int_equal(rig_joint_of(&r, 1)->child, 5);
  near(rig_joint_of(&r, 1)->outgoing_length, 3, 1e-12);
  rig_unbuild(&r);
  shape_destroy(s);
}

static void positions_are_those_of_the_bind_pose(void **state) {
  (void)state;
  shape *s = shape_create();
  share(s, 0, 0.5, 1);
  share(s, 1, 0.5, 2);
  rig r;
  rig_start(&r);
  for (uint32_t k = 0; k < 3; k++) rig_joint(&r, k ? k - 1 : SUPPLE_NONE, 0, 0, 0);
  supple_transform binds[3] = {
      {{1, 2, 3}, supple_quat_from_axis_angle(supple_vec3_make(1, 2, 3), 2), {2, 2, 2}},
      {{4, -5, 6}, supple_quat_from_axis_angle(supple_vec3_make(3, -1, 0), 1), {0.01, 1, -7}},
      {{0, 0, 0}, supple_quat_identity(), {1, 1, 1}}};
  for (int k = 0; k < 3; k++) {
    supple_affine64 bind = supple_transform_to_affine(&binds[k]);
    assert_true(supple_affine64_inverse(&bind, &r.inverse_binds[k]));
  }
  for (int c = 0; c < 4; c++) r.inverse_binds[2].m[1][c] = 0; /* singular: nowhere */
  rig_shape(&r, s);
  rig_build(&r, NULL);
  expect_vector(rig_joint_of(&r, 0)->position, 1, 2, 3);
  expect_vector(rig_joint_of(&r, 1)->position, 4, -5, 6);
  assert_true(isnan(rig_joint_of(&r, 2)->position.x));
  assert_int_equal(rig_joint_of(&r, 0)->child, 1);
  near(rig_joint_of(&r, 0)->outgoing_length, sqrt(9 + 49 + 9), 1e-9);
  /* No bone begins or ends nowhere. */
  assert_int_equal(rig_joint_of(&r, 1)->child, SUPPLE_NONE);
  assert_int_equal(rig_joint_of(&r, 2)->parent, SUPPLE_NONE);
  assert_int_equal(rig_joint_of(&r, 2)->status, SUPPLE_JOINT_OUTSIDE);
  rig_evaluate(&r, SUPPLE_LBS, NULL);
  assert_true(isfinite(r.each[2].kept)); /* which needs no bone */
  rig_unbuild(&r);
  r.inverse_binds[0].m[0][0] = (double)NAN;
  rig_build(&r, NULL);
  assert_true(isnan(rig_joint_of(&r, 0)->position.y));
  rig_unbuild(&r);
  shape_destroy(s);
}

static void planes_stand_on_the_bones(void **state) {
  (void)state;
  shape *s = shape_create();
  share(s, 0, 0.5, 1);
  share(s, 1, 0.5, 2);
  rig r;
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&r, 0, 0, 2, 0);
  rig_joint(&r, 1, 0, 2, 4); /* bent by 90 degrees in the bind pose */
  rig_shape(&r, s);
  rig_build(&r, NULL);
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    supplei_plane plane;
    assert_true(supplei_section_plane(r.measure, 1, k, &plane));
    double offset = -0.6 + 0.15 * k;
    if (k < 4)
      expect_vector(plane.origin, 0, 2 + 2 * offset, 0), expect_vector(plane.axis, 0, 1, 0);
    if (k > 4) expect_vector(plane.origin, 0, 2, 4 * offset), expect_vector(plane.axis, 0, 0, 1);
    if (k == 4) {
      expect_vector(plane.origin, 0, 2, 0);
      expect_vector(plane.axis, 0, sqrt(0.5), sqrt(0.5));
    }
    near(supple_vec3_dot(plane.up, plane.axis), 0, 1e-12);
    near(supple_vec3_length(plane.up), 1, 1e-12);
  }
  rig_unbuild(&r);
  /* Folded back on itself there is no bisector: the outgoing bone instead. */
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&r, 0, 0, 2, 0);
  rig_joint(&r, 1, 0, 1, 0);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  supplei_plane plane;
  assert_true(supplei_section_plane(r.measure, 1, SUPPLE_SECTION_AT_JOINT, &plane));
  expect_vector(plane.axis, 0, -1, 0);
  rig_deform(&r, SUPPLE_LBS, NULL);
  supplei_pose_plane(r.measure, 1, SUPPLE_SECTION_AT_JOINT, r.palette, &plane);
  expect_vector(plane.axis, 0, -1, 0);
  rig_unbuild(&r);
  expect_vector(supplei_bisector(supple_vec3_make(0, 1, 0), supple_vec3_make(1e-4, -1, 0)), 1e-4,
                -1, 0);
  expect_vector(supplei_bisector(supple_vec3_make(0, 1, 0), supple_vec3_make(0, 0, -1)), 0,
                sqrt(0.5), -sqrt(0.5));
  shape_destroy(s);
}

static double scale_of(double root, const double *joints, uint32_t count, bool *mirrored) {
  shape *s = shape_create();
  for (uint16_t k = 0; k + 1u < count; k++) share(s, k, 0.5, (uint16_t)(k + 1));
  rig r;
  rig_start(&r);
  for (uint32_t k = 0; k < count; k++) rig_joint(&r, SUPPLE_NONE, k, 0, 0);
  r.nodes[0].rest.scale = supple_vec3_make(root, fabs(root), fabs(root));
  for (uint32_t k = 0; k < count; k++)
    r.nodes[k + 1].rest.scale = supple_vec3_make(joints[k], fabs(joints[k]), fabs(joints[k]));
  rig_shape(&r, s);
  rig_build(&r, NULL);
  double scale = r.measure->scale;
  *mirrored = r.measure->mirrored;
  near(supple_measure_diagonal(r.measure), sqrt(2) * scale, 1e-6 * scale);
  rig_unbuild(&r);
  shape_destroy(s);
  return scale;
}

static void scale_is_what_most_joints_have(void **state) {
  (void)state;
  bool mirrored;
  static const double ones[] = {1, 1, 1}, odd[] = {0.1, 7, 1, 0, 1, 1};
  static const double most[] = {1, -1, -1}, few[] = {1, -1, 1}, none[] = {0, 0};
  static const double roots[] = {1, 0.01, 100, 1e-9, 1e9, 0.7, 3};
  for (int i = 0; i < 7; i++) {
    near(scale_of(roots[i], ones, 3, &mirrored), roots[i], 1e-6 * roots[i]);
    assert_false(mirrored);
    near(scale_of(-roots[i], ones, 3, &mirrored), roots[i], 1e-6 * roots[i]);
    assert_true(mirrored);
  }
  near(scale_of(2, odd, 6, &mirrored), 2, 1e-6);
  near(scale_of(2, most, 3, &mirrored), 2, 1e-6);
  assert_true(mirrored);
  near(scale_of(2, few, 3, &mirrored), 2, 1e-6);
  assert_false(mirrored);
  assert_true(scale_of(2, none, 2, &mirrored) == 1 && !mirrored);
}

/* Parents of the caller's making that go round in a circle, or nowhere, end and do not crash. */
static void strange_parents_end(void **state) {
  (void)state;
  static const uint32_t parents[][4] = {{1, 2, 3, 0}, {0, 1, 2, 3}, {1, 0, 77, 4}, {3, 0, 1, 2}};
  for (int i = 0; i < 4; i++)
    for (int together = 0; together < 2; together++) {
      shape *s = shape_create();
      shape_tube(
          s, &(tube){.y0 = -1, .y1 = 5, .rx = 0.3, .rz = 0.3, .top = 1, .around = 8, .along = 24});
      for (uint16_t k = 0; k < 3; k++)
        shape_blend(s, 8 * (6 * k + 3u), k, k + 1, k, (uint16_t)(k + 1));
      rig r;
      rig_start(&r);
      for (uint32_t k = 0; k < 4; k++) rig_joint(&r, SUPPLE_NONE, 0, together ? 0 : k, 0);
      for (uint32_t k = 0; k < 4; k++) r.parents[k] = parents[i][k];
      rig_shape(&r, s);
      rig_build(&r, NULL);
      rig_evaluate(&r, SUPPLE_DQS, NULL);
      rig_unbuild(&r);
      shape_destroy(s);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_to_the_child_that_shares_most),
      cmocka_unit_test(passes_over_bones_of_no_length),
      cmocka_unit_test(a_helper_in_place_is_no_child),
      cmocka_unit_test(positions_are_those_of_the_bind_pose),
      cmocka_unit_test(planes_stand_on_the_bones),
      cmocka_unit_test(scale_is_what_most_joints_have),
      cmocka_unit_test(strange_parents_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
