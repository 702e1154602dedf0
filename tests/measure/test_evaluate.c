/* test_evaluate.c: posed frames measured, against formulas; what must not change the numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/measure_state.h"
#include "tests/measure/shapes.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { AT = SUPPLE_SECTION_AT_JOINT };

/* ---- sections ---- */

/* A twist by a: a ring of weight w shrinks to |1 - w + w exp(i a)| under LBS, and only turns under DQS. */
static void twists_by_formula(void **state) {
  (void)state;
  shape *s = arm_shape(64, 120);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  for (int degrees = 0; degrees <= 180; degrees += 30) {
    double a = degrees * SUPPLE_PI / 180, worst = 1;
    rig_turn(&r, 1, 0, 1, 0, degrees);
    rig_evaluate(&r, SUPPLE_LBS, NULL);
    for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) { /* all nine planes are in rings */
      double w = smoothstep(-0.38, 0.38, 1.3 * (-0.6 + 0.15 * k));
      double square = (1 - w) * (1 - w) + w * w + 2 * w * (1 - w) * cos(a);
      near(rig_section(&r, 1, k), square, 2e-6);
      worst = fmin(worst, square);
    }
    near(r.each[1].worst, worst, 2e-6);
    if (degrees) assert_int_equal(r.each[1].worst_offset, AT);
    near(r.each[1].section_projected, cos(a / 2) * cos(a / 2), 2e-6);
    near(r.each[1].radius, cos(a / 2), 2e-6);
    near(r.each[1].bulge, cos(a / 2), 2e-6);
    assert_int_equal(supple_measure_collapses(r.measure, &r.each[1]), degrees > 60);
    rig_evaluate(&r, SUPPLE_DQS, NULL);
    for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) near(rig_section(&r, 1, k), 1, 2e-6);
    near(r.each[1].radius, 1, 2e-6);
    near(r.each[1].kept, 1, 2e-6);
    assert_true(r.all.kept_below == 0);
  }
  near(r.all.volume, 0.99904, 1e-5);
  rig_evaluate(&r, SUPPLE_LBS, NULL);
  near(r.all.volume, 0.84948, 1e-5);
  rig_unbuild(&r);
  shape_destroy(s);
}

/* A ring that stays with the lower joint while the upper one bends: its size stays, its shadow does not. */
static void tilt_is_in_the_projection_alone(void **state) {
  (void)state;
  shape *s = arm_shape(32, 26);
  shape_blend(s, 0, 0.05, 0.9, 0, 1);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  for (int degrees = 0; degrees <= 120; degrees += 30) {
    rig_turn(&r, 1, 1, 0, 0, degrees);
    rig_evaluate(&r, SUPPLE_DQS, NULL);
    near(rig_section(&r, 1, AT), 1, 1e-6);
    near(r.each[1].section_projected, cos(degrees * SUPPLE_PI / 360), 1e-6);
    near(r.each[1].bulge, 1, 1e-6); /* across the bend */
    /* In the bend the ring is nearer to the bisector by the same cosine. */
    near(r.each[1].radius, cos(degrees * SUPPLE_PI / 360), 1e-5);
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

/* ---- volume, edges, flipped triangles ---- */

static void build_free(rig *r, const shape *s) {
  rig_start(r);
  rig_joint(r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(r, SUPPLE_NONE, 0, 0, 0);
  rig_shape(r, s);
  rig_build(r, NULL);
}

static void volume_is_of_closed_shells(void **state) {
  (void)state;
  for (int inside_out = 0; inside_out < 2; inside_out++)
    for (int open = 0; open < 2; open++) {
      shape *s = shape_create();
      rig r;
      shape_box(s, supple_vec3_make(0, 0, 0), supple_vec3_make(1, 2, 3)); /* 6 */
      uint32_t mark = s->vertex_count;
      uint32_t corner = s->index_count;
      shape_box(s, supple_vec3_make(5, 0, 0), supple_vec3_make(6, 1, 1)); /* 1 */
      for (uint32_t v = mark; v < s->vertex_count; v++) shape_weigh(s, v, 1, 1, 0);
      if (inside_out) shape_reverse(s, corner);
      if (open) s->index_count -= 3;
      build_free(&r, s);
      rig_evaluate(&r, SUPPLE_LBS, NULL);
      near(r.all.volume, 1, 1e-6);
      r.pose->locals[2].scale = supple_vec3_make(2, 2, 2);
      rig_evaluate(&r, SUPPLE_LBS, NULL);
      near(r.all.volume, open ? 1 : 14.0 / 7, 1e-6);
      r.pose->locals[2].scale = supple_vec3_make(-1, 1, 1); /* turned inside out by its pose */
      rig_evaluate(&r, SUPPLE_LBS, NULL);
      near(r.all.volume, open ? 1 : 5.0 / 7, 1e-6);
      rig_unbuild(&r);
      if (open)
        s->index_count =
            3 * 11; /* one triangle of the first box is missing, and all of the second */
      build_free(&r, s);
      rig_evaluate(&r, SUPPLE_LBS, NULL);
      assert_int_equal(isnan(r.all.volume) != 0, open);
      rig_unbuild(&r);
      shape_destroy(s);
    }
}

static void edges_are_posed_over_rest(void **state) {
  (void)state;
  shape *s = shape_create();
  shape_vertex(s, 0, 0, 0), shape_vertex(s, 4, 0, 0), shape_vertex(s, 0, 3, 0);
  shape_triangle(s, 0, 1, 2);
  shape_weigh(s, 2, 1, 1, 0);
  rig r;
  build_free(&r, s);
  r.pose->locals[2].translation = supple_vec3_make(0, -2, 0); /* 4, 5, 3 become 4, √17, 1 */
  rig_evaluate(&r, SUPPLE_LBS, NULL);
  near(r.all.edge_mean, (1 + sqrt(17) / 5 + 1.0 / 3) / 3, 1e-6);
  near(r.all.edge_least, 1.0 / 3, 1e-6);
  near(r.all.edge_most, 1, 1e-6);
  r.pose->locals[1].scale = r.pose->locals[2].scale = supple_vec3_make(2, 2, 2);
  r.pose->locals[2].translation = supple_vec3_make(0, 0, 0);
  rig_evaluate(&r, SUPPLE_DQS, NULL); /* scale of a pose is no rest: it is measured */
  near(r.all.edge_mean, 2, 1e-6);
  near(r.all.edge_most, 2, 1e-6);
  rig_unbuild(&r);
  shape_destroy(s);
}

static uint32_t flips(rig *r) {
  uint32_t flipped[2];
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    rig_evaluate(r, (supple_method)method, NULL);
    flipped[method] = r->all.flipped;
  }
  assert_int_equal(flipped[0], flipped[1]);
  return flipped[0];
}

static void counts_flipped_triangles(void **state) {
  (void)state;
  shape *s = shape_create(); /* a strip of six triangles, its last row on joint 1 */
  for (int k = 0; k < 8; k++) shape_vertex(s, k & 1, k >> 1, 0);
  for (uint32_t k = 0; k < 3; k++) shape_quad(s, 2 * k, 2 * k + 1, 2 * k + 3, 2 * k + 2);
  shape_weigh(s, 6, 1, 1, 0);
  shape_weigh(s, 7, 1, 1, 0);
  rig r;
  build_free(&r, s);
  assert_int_equal(flips(&r), 0);
  r.pose->locals[2].translation = supple_vec3_make(0, -1.5, 0); /* over the row before it */
  assert_int_equal(flips(&r), 2);
  r.pose->locals[2].translation = supple_vec3_make(0, -0.5, 0); /* only closer */
  assert_int_equal(flips(&r), 0);
  r.pose->locals[2].translation = supple_vec3_make(0, -1, 0); /* flat: not against */
  assert_int_equal(flips(&r), 0);
  supple_pose_rest(r.pose);
  r.pose->locals[2].translation = supple_vec3_make(0, 0.5, 0);
  for (int degrees = -170; degrees <= 170; degrees += 20) { /* wherever the whole thing turns */
    rig_turn(&r, 1, 1, 2, 3, degrees);
    rig_turn(&r, 0, 1, 2, 3, degrees);
    r.pose->locals[2].translation = supple_quat_rotate(
        r.pose->locals[2].rotation, supple_vec3_make(0, degrees % 40 == 10 ? -1.5 : 1, 0));
    assert_int_equal(flips(&r), degrees % 40 == 10 ? 2 : 0);
    for (int mirror = 0; mirror < 3; mirror++) { /* and mirrored */
      double *scale = mirror == 0   ? &r.pose->locals[0].scale.x
                      : mirror == 1 ? &r.pose->locals[0].scale.y
                                    : &r.pose->locals[0].scale.z;
      *scale = -2;
      assert_int_equal(flips(&r), degrees % 40 == 10 ? 2 : 0);
      *scale = 1;
    }
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

/* Half turns about X of joints that have less than half of the weight do not turn the triangle over. */
static void blends_turns_by_weight(void **state) {
  (void)state;
  shape *s = shape_create();
  shape_vertex(s, 0, 0, 0), shape_vertex(s, 1, 0, 0), shape_vertex(s, 0, 1, 0);
  shape_triangle(s, 0, 1, 2);
  for (uint32_t v = 0; v < 3; v++)
    for (uint16_t k = 0; k < 3; k++) {
      s->weights[4 * v + k] = k ? 0.2f : 0.6f;
      s->joints[4 * v + k] = k;
    }
  rig r;
  rig_start(&r);
  for (int j = 0; j < 3; j++) rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_shape(&r, s);
  rig_build(&r, NULL);
  rig_turn(&r, 1, 1, 0, 0, 180);
  rig_turn(&r, 2, 1, 0, 0, 180);
  assert_int_equal(flips(&r), 0);
  rig_unbuild(&r);
  shape_destroy(s);
}

/* ---- what must not change the numbers ---- */

typedef struct numbers {
  supple_instance_measure all;
  supple_joint_measure elbow;
} numbers;

static void same(double a, double b, double bound) {
  if (isnan(a) && isnan(b)) return;
  near(a, b, bound);
}

static void expect_same(const numbers *a, const numbers *b, double bound) {
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++)
    same(a->elbow.section[k], b->elbow.section[k], bound);
  same(a->elbow.section_projected, b->elbow.section_projected, bound);
  same(a->elbow.radius, b->elbow.radius, bound * 3);
  same(a->elbow.bulge, b->elbow.bulge, bound);
  same(a->elbow.worst, b->elbow.worst, bound);
  same(a->elbow.kept, b->elbow.kept, bound);
  assert_int_equal(a->elbow.worst_offset, b->elbow.worst_offset);
  same(a->all.volume, b->all.volume, bound);
  same(a->all.edge_mean, b->all.edge_mean, bound);
  same(a->all.edge_least, b->all.edge_least, bound * 10);
  same(a->all.edge_most, b->all.edge_most, bound * 10);
  same(a->all.kept_below, b->all.kept_below, 1e-6);
  assert_int_equal(a->all.flipped, b->all.flipped);
}

/* Twisted and bent: a pose in which everything is at work. */
static numbers twisted(rig *r, supple_method method, const float *const *rest) {
  rig_turn(r, 1, 0.9, 1.3, 0.1, 111);
  rig_evaluate(r, method, rest);
  return (numbers){r->all, r->each[1]};
}

static shape *oval_arm(bool seam) {
  shape *s = shape_create();
  shape_tube(s, &(tube){.y0 = -1.3,
                        .y1 = 1.3,
                        .rx = 0.3,
                        .rz = 0.2,
                        .top = 1,
                        .around = 24,
                        .along = 41,
                        .capped = true,
                        .seam = seam});
  shape_blend(s, 0, -0.38, 0.38, 0, 1);
  return s;
}

static void split_meshes_give_the_same(void **state) {
  (void)state;
  shape *whole = oval_arm(false), *seam = oval_arm(true);
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    rig r;
    arm_rig(&r, whole);
    rig_build(&r, NULL);
    numbers expected = twisted(&r, (supple_method)method, NULL), got;
    rig_unbuild(&r);
    arm_rig(&r, seam);
    rig_build(&r, NULL);
    got = twisted(&r, (supple_method)method, NULL);
    rig_unbuild(&r);
    expect_same(&got, &expected, 2e-6);
    arm_rig(&r, whole);
    rig_shape(&r, whole);
    r.primitives[0].index_count = 3 * 555;
    r.primitives[1].indices += 3 * 555, r.primitives[1].index_count -= 3 * 555;
    rig_build(&r, NULL);
    got = twisted(&r, (supple_method)method, NULL);
    rig_unbuild(&r);
    expect_same(&got, &expected, 2e-6);
  }
  shape_destroy(whole);
  shape_destroy(seam);
}

static void roots_change_nothing(void **state) {
  (void)state;
  static const struct {
    double scale[3], move[3], turn, bound;
  } roots[] = {{{0.01, 0.01, 0.01}, {0, 0, 0}, 0, 1e-5}, {{100, 100, 100}, {0, 0, 0}, 0, 1e-5},
               {{-1, 1, 1}, {0, 0, 0}, 0, 1e-5},         {{2, 2, -2}, {1, 2, 3}, 50, 1e-5},
               {{-3, -3, -3}, {0, 0, 0}, 0, 1e-5},       {{1, 1, 1}, {0, 0, 0}, 133, 1e-5},
               {{1, 1, 1}, {1000, -500, 200}, 20, 5e-3}}; /* floats are coarse there */
  shape *s = oval_arm(false);
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    rig r;
    arm_rig(&r, s);
    rig_build(&r, NULL);
    numbers expected = twisted(&r, (supple_method)method, NULL);
    rig_unbuild(&r);
    for (int i = 0; i < 7; i++) {
      supple_transform *root = &r.nodes[0].rest;
      root->scale = supple_vec3_make(roots[i].scale[0], roots[i].scale[1], roots[i].scale[2]);
      root->translation = supple_vec3_make(roots[i].move[0], roots[i].move[1], roots[i].move[2]);
      root->rotation = supple_quat_from_axis_angle(supple_vec3_make(1, 1, 2), roots[i].turn);
      rig_build(&r, NULL);
      numbers got = twisted(&r, (supple_method)method, NULL);
      near(supple_measure_diagonal(r.measure), fabs(roots[i].scale[1]) * sqrt(0.36 + 0.16 + 6.76),
           1e-5 * fabs(roots[i].scale[1]));
      expect_same(&got, &expected, roots[i].bound);
      rig_unbuild(&r);
    }
  }
  shape_destroy(s);
}

/* As quantised files do it: positions in some box of integers, the inverse bind matrices bring them back. */
static void hidden_dequantisation_changes_nothing(void **state) {
  (void)state;
  static const double sizes[] = {1.0 / 32767, 1000, -0.001};
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    shape *s = oval_arm(false);
    rig r;
    arm_rig(&r, s);
    rig_build(&r, NULL);
    numbers expected = twisted(&r, (supple_method)method, NULL);
    rig_unbuild(&r);
    shape_destroy(s);
    for (int i = 0; i < 3; i++) {
      s = oval_arm(false);
      arm_rig(&r, s);
      supple_affine64 out = supple_affine64_identity(), back; /* mesh space to metres */
      for (int c = 0; c < 3; c++) out.m[c][c] = sizes[i], out.m[c][3] = 0.5 * c - 0.5;
      assert_true(supple_affine64_inverse(&out, &back));
      shape_move(s, 0, &back);
      for (int j = 0; j < 2; j++)
        r.inverse_binds[j] = supple_affine64_multiply(&r.inverse_binds[j], &out);
      rig_build(&r, NULL);
      numbers got = twisted(&r, (supple_method)method, NULL);
      near(supple_measure_diagonal(r.measure), sqrt(0.36 + 0.16 + 6.76), 1e-4);
      expect_same(&got, &expected, 2e-5);
      rig_unbuild(&r);
      shape_destroy(s);
    }
  }
}

/* Rest is what the frame says: a morph that widens the mesh is not measured, its pose is. */
static void morphs_are_rest(void **state) {
  (void)state;
  shape *thin = oval_arm(false), *wide = oval_arm(false);
  for (uint32_t v = 0; v < wide->vertex_count; v++) {
    wide->positions[3 * (size_t)v] *= 1.5f;
    wide->positions[3 * (size_t)v + 2] *= 2.5f;
  }
  const float *rest[] = {wide->positions};
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    rig r;
    arm_rig(&r, wide);
    rig_build(&r, NULL);
    numbers expected = twisted(&r, (supple_method)method, NULL);
    rig_unbuild(&r);
    arm_rig(&r, thin);
    rig_build(&r, NULL);
    rig_evaluate(&r, (supple_method)method, rest);
    near(rig_section(&r, 1, AT), 1, 1e-6);
    near(r.each[1].radius, 1, 1e-5);
    near(r.all.volume, 1, 1e-6);
    near(r.all.edge_most, 1, 1e-5);
    numbers got = twisted(&r, (supple_method)method, rest);
    got.all.kept_below = expected.all.kept_below; /* whose areas are those of the bind pose */
    expect_same(&got, &expected, 2e-5);
    rig_unbuild(&r);
  }
  shape_destroy(thin);
  shape_destroy(wide);
}

static void rest_is_one_in_everything(void **state) {
  (void)state;
  shape *s = oval_arm(true);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    rig_evaluate(&r, (supple_method)method, NULL);
    for (uint32_t j = 0; j < 2; j++) {
      for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
        if (rig_joint_of(&r, j)->sections[k])
          near(rig_section(&r, j, k), 1, 1e-6);
        else
          assert_true(isnan(rig_section(&r, j, k)));
      }
      near(r.each[j].kept, 1, 1e-6);
      near(r.each[j].worst, 1, 1e-6);
    }
    near(r.each[1].radius, 1, 1e-6);
    near(r.each[1].bulge, 1, 1e-6);
    near(r.each[1].section_projected, 1, 1e-6);
    near(r.all.volume, 1, 1e-6);
    near(r.all.edge_mean, 1, 1e-6);
    near(r.all.edge_least, 1, 1e-5);
    near(r.all.edge_most, 1, 1e-5);
    assert_true(r.all.flipped == 0 && r.all.kept_below == 0);
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

/* ---- trouble ---- */

static void nan_positions_give_nan(void **state) {
  (void)state;
  static const float bad[] = {(float)NAN, (float)INFINITY, -(float)INFINITY};
  shape *s = oval_arm(false);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  for (int b = 0; b < 3; b++)
    for (int all = 0; all < 2; all++) {
      rig_deform(&r, SUPPLE_DQS, NULL);
      for (uint32_t c = 0; c < 24; c++)
        r.posed[0][3 * (24 * 20 + c) + c % 3] = bad[b]; /* next to the joint */
      for (uint32_t k = 0; all && k < 3 * s->vertex_count; k++) r.posed[0][k] = bad[b];
      supple_measure_frame frame = rig_frame(&r, NULL);
      assert_int_equal(supple_measure_evaluate(r.measure, &frame, &r.all, r.each), SUPPLE_OK);
      assert_true(!isfinite(rig_section(&r, 1, AT)) && !isfinite(r.each[1].section_projected));
      assert_true(isnan(r.each[1].radius) && isnan(r.each[1].bulge));
      assert_true(!isfinite(r.all.volume) && !isfinite(r.all.edge_mean));
      if (b == 0) assert_true(isnan(r.all.edge_least) && isnan(r.all.edge_most));
      if (!all)
        near(r.each[1].worst, 1, 1e-5); /* of the sections that there are */
      else
        assert_true(!isfinite(r.each[1].worst));
      double largest, rms;
      supple_measure_deviation(r.measure, frame.positions, (const float *const[]){s->positions},
                               &largest, &rms);
      assert_true(!isfinite(largest) && !isfinite(rms));
      if (b == 0) assert_true(isnan(largest) && isnan(rms));
    }
  rig_unbuild(&r);
  shape_destroy(s);
}

static void answers_what_is_asked_for(void **state) {
  (void)state;
  shape *s = oval_arm(false);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  numbers expected = twisted(&r, SUPPLE_LBS, NULL), got = {0};
  supple_joint_measure joints[2];
  supple_measure_frame frame = rig_frame(&r, NULL);
  assert_int_equal(supple_measure_evaluate(r.measure, &frame, &got.all, NULL), SUPPLE_OK);
  assert_int_equal(supple_measure_evaluate(r.measure, &frame, NULL, joints), SUPPLE_OK);
  assert_int_equal(supple_measure_evaluate(r.measure, &frame, NULL, NULL), SUPPLE_OK);
  got.elbow = joints[1];
  expect_same(&got, &expected, 0);
  supple_palette *small = supple_palette_create(1, SUPPLE_SPACE_SCENE, NULL, NULL);
  assert_non_null(small);
  frame.palette = small;
  assert_int_equal(supple_measure_evaluate(r.measure, &frame, &got.all, joints),
                   SUPPLE_ERROR_ARGUMENT);
  supple_palette_destroy(small);
  supple_palette own = {.joint_count = 2, .matrices = r.palette->matrices}; /* nothing but matrices */
  frame.palette = &own;
  assert_int_equal(supple_measure_evaluate(r.measure, &frame, &got.all, joints), SUPPLE_OK);
  got.elbow = joints[1];
  expect_same(&got, &expected, 0);
  rig_unbuild(&r);
  shape_destroy(s);
}

static void survives_failing_memory(void **state) {
  (void)state;
  shape *s = oval_arm(false);
  const float *rest[] = {s->positions};
  rig r;
  arm_rig(&r, s);
  meter m = {.fail_at = SIZE_MAX};
  rig_build(&r, &(supple_measure_options){.allocator = meter_allocator(&m)});
  twisted(&r, SUPPLE_LBS, NULL);
  for (int once = 0; once < 2; once++)
    for (int morphed = 0; morphed < 2; morphed++) {
      size_t before = m.live, n = 0;
      supple_measure_frame frame = rig_frame(&r, morphed ? rest : NULL);
      supple_result result;
      do {
        m.requests = 0, m.fail_at = n++, m.once = once;
        result = supple_measure_evaluate(r.measure, &frame, &r.all, r.each);
        assert_true(result == SUPPLE_OK || result == SUPPLE_ERROR_MEMORY);
        assert_true(m.live == before && m.wrong == 0 && n < 20);
      } while (result != SUPPLE_OK);
      assert_int_equal(n, morphed ? 5 : 4);
    }
  rig_unbuild(&r);
  assert_true(m.live == 0 && m.wrong == 0);
  shape_destroy(s);
}

typedef struct reader {
  const rig *r;
  supple_instance_measure all;
  supple_joint_measure each[2];
  bool same;
} reader;

static void *read_often(void *argument) {
  reader *me = argument;
  supple_measure_frame frame = rig_frame(me->r, NULL);
  me->same = true;
  for (int i = 0; i < 20; i++) {
    me->same &= supple_measure_evaluate(me->r->measure, &frame, &me->all, me->each) == SUPPLE_OK;
    me->same &= memcmp(&me->all, &me->r->all, sizeof me->all) == 0;
    for (int j = 0; j < 2; j++)
      me->same &=
          memcmp(me->each[j].section, me->r->each[j].section, sizeof me->each[j].section) == 0 &&
          me->each[j].kept == me->r->each[j].kept;
  }
  return NULL;
}

static void threads_read_the_same(void **state) {
  (void)state;
  shape *s = oval_arm(false);
  rig r;
  arm_rig(&r, s);
  rig_build(&r, NULL);
  memset(&r.all, 0, sizeof r.all); /* padding too */
  twisted(&r, SUPPLE_DQS, NULL);
  pthread_t threads[4];
  reader readers[4];
  memset(readers, 0, sizeof readers);
  for (int i = 0; i < 4; i++) {
    readers[i].r = &r;
    assert_int_equal(pthread_create(&threads[i], NULL, read_often, &readers[i]), 0);
  }
  for (int i = 0; i < 4; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(readers[i].same);
  }
  rig_unbuild(&r);
  shape_destroy(s);
}

static void deviation_is_of_vertices(void **state) {
  (void)state;
  shape *a = shape_create(), *b = shape_create();
  shape_box(a, supple_vec3_make(0, 0, 0), supple_vec3_make(1, 1, 1));
  shape_box(b, supple_vec3_make(0, 0, 0), supple_vec3_make(1, 1, 1));
  rig r;
  rig_start(&r);
  rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_shape(&r, a);
  rig_shape(&r, b);
  rig_build(&r, NULL);
  rig_deform(&r, SUPPLE_LBS, NULL);
  const float *reference[] = {a->positions, b->positions};
  double largest = 9, rms = 9;
  supple_measure_deviation(r.measure, (const float *const *)r.posed, reference, &largest, &rms);
  assert_true(largest == 0 && rms == 0);
  r.posed[1][3 * 5] += 3, r.posed[1][3 * 5 + 1] -= 4; /* one of 16 by 5 */
  r.posed[0][2] += 2;                                 /* another by 2 */
  supple_measure_deviation(r.measure, (const float *const *)r.posed, reference, &largest, &rms);
  near(largest, 5, 1e-6);
  near(rms, sqrt(29.0 / 16), 1e-6);
  rig_unbuild(&r);
  shape_destroy(a);
  shape_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twists_by_formula),
      cmocka_unit_test(tilt_is_in_the_projection_alone),
      cmocka_unit_test(volume_is_of_closed_shells),
      cmocka_unit_test(edges_are_posed_over_rest),
      cmocka_unit_test(counts_flipped_triangles),
      cmocka_unit_test(blends_turns_by_weight),
      cmocka_unit_test(split_meshes_give_the_same),
      cmocka_unit_test(roots_change_nothing),
      cmocka_unit_test(hidden_dequantisation_changes_nothing),
      cmocka_unit_test(morphs_are_rest),
      cmocka_unit_test(rest_is_one_in_everything),
      cmocka_unit_test(nan_positions_give_nan),
      cmocka_unit_test(answers_what_is_asked_for),
      cmocka_unit_test(survives_failing_memory),
      cmocka_unit_test(threads_read_the_same),
      cmocka_unit_test(deviation_is_of_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
