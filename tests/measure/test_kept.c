/* test_kept.c: kept by formula and by singular values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/measure/kept.h"
#include "tests/measure/shapes.h"

#include <math.h>
#include <string.h>

/* A square of two triangles: two corners of joint 0 alone, two shared by joints 0 and 1. Both joints are in the
 * origin of their own nodes, so that the palette is what a test makes it. */
typedef struct pair {
  rig r;
  shape *s;
} pair;

static void pair_make(pair *p, double weight) {
  p->s = shape_create();
  for (int k = 0; k < 4; k++) shape_vertex(p->s, k & 1, 0, k >> 1);
  shape_quad(p->s, 0, 2, 3, 1);
  shape_weigh(p->s, 2, 0, weight, 1);
  shape_weigh(p->s, 3, 0, weight, 1);
  rig_start(&p->r);
  rig_joint(&p->r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&p->r, SUPPLE_NONE, 0, 0, 0);
  rig_shape(&p->r, p->s);
  rig_build(&p->r, NULL);
}

static void pair_drop(pair *p) {
  rig_unbuild(&p->r);
  shape_destroy(p->s);
}

static void set(rig *r, uint32_t joint, double x, double y, double z) {
  r->pose->locals[joint + 1].scale = supple_vec3_make(x, y, z);
}

static double kept(rig *r, supple_method method) {
  rig_evaluate(r, method, NULL);
  near(r->each[0].kept, r->each[1].kept, 0); /* it is the same vertices that they share */
  return r->each[1].kept;
}

/* Two rotations blended by 1 - w and w: along the axis nothing is lost, across it |1 - w + w exp(i a)|. */
static void turns_lose_by_formula(void **state) {
  (void)state;
  static const double axes[][3] = {{0, 1, 0}, {1, 0, 0}, {0.3, -0.5, 0.7}};
  static const double weights[] = {0.5, 0.25, 0.9};
  for (int i = 0; i < 3; i++) {
    pair p;
    pair_make(&p, weights[i]);
    for (int k = 0; k < 3; k++)
      for (int degrees = -180; degrees <= 180; degrees += 15) {
        double w = 1 - (double)(float)weights[i], a = degrees * SUPPLE_PI / 180;
        rig_turn(&p.r, 1, axes[k][0], axes[k][1], axes[k][2], degrees);
        double expected = (1 - w) * (1 - w) + w * w + 2 * w * (1 - w) * cos(a);
        if (weights[i] == 0.5) near(expected, cos(a / 2) * cos(a / 2), 1e-12);
        near(kept(&p.r, SUPPLE_LBS), expected, 1e-6);
        near(p.r.all.kept_below, expected < 0.75 ? 0.5 : 0, 1e-6); /* half the square is shared */
        near(kept(&p.r, SUPPLE_DQS), 1, 1e-6);
        assert_true(p.r.all.kept_below == 0);
      }
    pair_drop(&p);
  }
}

static void motions_and_scales_lose_nothing(void **state) {
  (void)state;
  pair p;
  pair_make(&p, 0.4);
  near(kept(&p.r, SUPPLE_LBS), 1, 1e-6);
  p.r.pose->locals[2].translation = supple_vec3_make(100, -3, 8); /* stretches, does not thin */
  near(kept(&p.r, SUPPLE_LBS), 1, 1e-6);
  near(kept(&p.r, SUPPLE_DQS), 1, 1e-6);
  supple_pose_rest(p.r.pose);
  static const double scales[][3] = {
      {3, 3, 3},  {1e-3, 1e-3, 1e-3}, {1, 1, 5},    {0.1, 1, 1},           {2, 3, 0.5},
      {-1, 1, 1}, {1, -2, -3},        {-1, -1, -1}, {1e-12, 1e-12, 1e-12}, {1e12, 1e12, 1e12}};
  for (int i = 0; i < 10; i++)
    for (int turned = 0; turned < 2; turned++) {
      for (uint32_t j = 0; j < 2; j++) {
        set(&p.r, j, scales[i][0], scales[i][1], scales[i][2]);
        rig_turn(&p.r, j, 1, 2, 3, turned ? 77 : 0);
      }
      near(kept(&p.r, SUPPLE_LBS), 1, 3e-6);
      near(kept(&p.r, SUPPLE_DQS), 1, 3e-6);
    }
  pair_drop(&p);
}

static void zero_scale_is_no_loss_and_no_nan(void **state) {
  (void)state;
  pair p;
  pair_make(&p, 0.5);
  for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
    set(&p.r, 0, 0, 0, 0), set(&p.r, 1, 0, 0, 0);
    near(kept(&p.r, (supple_method)method), 1, 0);
    set(&p.r, 0, 1, 0, 0),
        set(&p.r, 1, 1, 0, 0); /* to a line: the section is nothing, as it should be */
    near(kept(&p.r, (supple_method)method), 1, 0);
    set(&p.r, 0, 1, 1, 1),
        set(&p.r, 1, 0, 0, 0); /* one shrinks to nothing: half of it is asked for */
    near(kept(&p.r, (supple_method)method), 1, 1e-6);
    set(&p.r, 0, 1, 0, 1), set(&p.r, 1, 1, 0, 1); /* to a plane: 1 · 0 over 1 · 0 */
    near(kept(&p.r, (supple_method)method), 1, 0);
  }
  /* A mirror against none: a plane is left of the middle, and that is a loss. */
  set(&p.r, 0, 1, 1, 1), set(&p.r, 1, -1, 1, 1);
  near(kept(&p.r, SUPPLE_LBS), 0, 1e-6);
  near(p.r.all.kept_below, 0.5, 1e-6);
  set(&p.r, 1, -1, -1, -1); /* nothing at all is left */
  near(kept(&p.r, SUPPLE_LBS), 0, 0);
  pair_drop(&p);
}

static uint64_t bits = 88172645463325252u;
static double uniform(double low, double high) {
  bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
  return low + (high - low) * (double)(bits >> 11) * 0x1p-53;
}

/* Any matrices: against singular values. The loss is of the product of the two smaller. */
static void agrees_with_singular_values(void **state) {
  (void)state;
  pair p;
  pair_make(&p, 0.3);
  double weights[2] = {(double)0.3f, (double)0.7f};
  for (int round = 0; round < 300; round++) {
    supple_mat3 blended = {{{0}}}, u, v;
    double values[3], breadth = 0;
    double size = pow(10, uniform(-4, 4));
    for (uint32_t j = 0; j < 2; j++) {
      supple_mat3 one;
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++)
          p.r.palette->matrices[j].m[r][c] = (float)(size * uniform(-1, 1));
      for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
          one.m[r][c] = (double)p.r.palette->matrices[j].m[r][c];
          blended.m[r][c] += weights[j] * one.m[r][c];
        }
      supple_mat3_svd(&one, &u, values, &v);
      breadth += weights[j] * sqrt(values[1] * values[2]);
    }
    supple_mat3_svd(&blended, &u, values, &v);
    assert_int_equal(
        supple_prepared_update(p.r.prepared[0], p.r.bindings[0], p.r.palette, SUPPLE_LBS), 0);
    supple_measure_frame frame = rig_frame(&p.r, NULL);
    assert_int_equal(supple_measure_evaluate(p.r.measure, &frame, NULL, p.r.each), SUPPLE_OK);
    double expected = values[1] * values[2] / (breadth * breadth);
    near(p.r.each[1].kept, expected, 1e-4 * (1 + expected));
  }
  pair_drop(&p);
}

/* Each joint has the worst of its own vertices; the instance's share is of area. */
static void takes_the_worst_vertex(void **state) {
  (void)state;
  shape *s = shape_create();
  for (int k = 0; k < 8; k++) shape_vertex(s, k & 1, 0, k >> 1);
  for (uint32_t k = 0; k < 3; k++) shape_quad(s, 2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1);
  for (uint32_t v = 2; v < 4; v++) shape_weigh(s, v, 0, 0.75, 1);
  for (uint32_t v = 4; v < 6; v++) shape_weigh(s, v, 1, 0.5, 2);
  for (uint32_t v = 6; v < 8; v++) shape_weigh(s, v, 3, 1, 0);
  rig r;
  rig_start(&r);
  for (uint32_t j = 0; j < 4; j++) rig_joint(&r, SUPPLE_NONE, 0, 0, 0);
  rig_shape(&r, s);
  rig_build(&r, &(supple_measure_options){.threshold = 0.5});
  rig_turn(&r, 1, 0, 1, 0, 90);
  rig_turn(&r, 2, 0, 1, 0, -30); /* 120 degrees from joint 1 */
  rig_evaluate(&r, SUPPLE_LBS, NULL);
  near(r.each[0].kept, 0.75 * 0.75 + 0.25 * 0.25, 1e-6);
  near(r.each[1].kept, 0.25, 1e-6);
  near(r.each[2].kept, 0.25, 1e-6);
  assert_true(isnan(r.each[3].kept)); /* it shares no vertex */
  assert_false(rig_joint_of(&r, 3)->shared);
  assert_true(supple_measure_collapses(r.measure, &r.each[1]));
  assert_false(supple_measure_collapses(r.measure, &r.each[0]));
  near(r.all.kept_below, 1.0 / 3, 1e-6);

  /* Vertex by vertex; the first two and the last two are one joint's. */
  const supple_measure_frame frame = rig_frame(&r, NULL);
  double kept[8];
  assert_int_equal(supple_measure_kept(r.measure, &frame, 0, kept), SUPPLE_OK);
  static const double expected[] = {1, 0.625, 0.25, 1};
  for (int v = 0; v < 8; v++) near(kept[v], expected[v / 2], 1e-6);
  assert_int_equal(supple_measure_kept(r.measure, &frame, 1, kept), SUPPLE_ERROR_ARGUMENT);
  rig_unbuild(&r);
  shape_destroy(s);
}

/* ---- whose a vertex is ---- */

/* A chain of three joints in one place, and beside them a sibling of the second and a joint of its own. Two
 * vertices are of joints 0, 1, 2 by 0.25, 0.25, 0.5, two of joints 0 and 1 by halves, two of joints 1, 2 and 3
 * by 0.5, 0.25, 0.25, two of joint 4 alone. */
typedef struct chain {
  rig r;
  shape *s;
} chain;

static void weigh(shape *s, uint32_t vertex, const double *weights, uint16_t first) {
  for (uint32_t k = 0; k < 3; k++) {
    const size_t at = (size_t)SHAPE_INFLUENCES * vertex + k;
    s->joints[at] = (uint16_t)(first + k);
    s->weights[at] = (float)weights[k];
  }
}

static void chain_make(chain *c) {
  static const double three[3] = {0.25, 0.25, 0.5}, others[3] = {0.5, 0.25, 0.25};
  c->s = shape_create();
  for (int k = 0; k < 8; k++) shape_vertex(c->s, k & 1, 0, k >> 1);
  for (uint32_t k = 0; k < 3; k++) shape_quad(c->s, 2 * k, 2 * k + 2, 2 * k + 3, 2 * k + 1);
  for (uint32_t v = 0; v < 2; v++) {
    weigh(c->s, v, three, 0);
    shape_weigh(c->s, 2 + v, 0, 0.5, 1);
    weigh(c->s, 4 + v, others, 1);
    shape_weigh(c->s, 6 + v, 4, 1, 0);
  }
  rig_start(&c->r);
  rig_joint(&c->r, SUPPLE_NONE, 0, 0, 0);
  rig_joint(&c->r, 0, 0, 0, 0);
  rig_joint(&c->r, 1, 0, 0, 0);
  rig_joint(&c->r, 0, 0, 0, 0);
  rig_joint(&c->r, SUPPLE_NONE, 0, 0, 0);
  rig_shape(&c->r, c->s);
  rig_build(&c->r, NULL);
}

static void chain_drop(chain *c) {
  rig_unbuild(&c->r);
  shape_destroy(c->s);
}

/* What turns about Y by these degrees, each by its weight, keeps. */
static double blend_about_y(int count, const double *weights, const double *degrees) {
  double x = 0, y = 0;
  for (int k = 0; k < count; k++) {
    x += weights[k] * cos(degrees[k] * SUPPLE_PI / 180);
    y += weights[k] * sin(degrees[k] * SUPPLE_PI / 180);
  }
  return x * x + y * y;
}

static void turn_about_y(rig *r, double root, double middle, double tip, double sibling) {
  const double degrees[4] = {root, middle, tip, sibling};
  for (uint32_t j = 0; j < 4; j++) rig_turn(r, j, 0, 1, 0, degrees[j]);
  rig_evaluate(r, SUPPLE_LBS, NULL);
}

static void own_is_whose_turn_is_most(void **state) {
  (void)state;
  chain c;
  chain_make(&c);
  const supple_joint_measure *each = c.r.each;
  /* The root's turn is nobody's bending, however far it goes; 1 turns by 20 and 2 by 100 against it. */
  turn_about_y(&c.r, 137, 20, 100, 0);
  const double three = blend_about_y(3, (double[]){0.25, 0.25, 0.5}, (double[]){0, 20, 120});
  const double two = blend_about_y(2, (double[]){0.5, 0.5}, (double[]){0, 20});
  const double others = blend_about_y(3, (double[]){0.5, 0.25, 0.25}, (double[]){20, 120, 0});
  near(each[0].kept, fmin(three, two), 1e-6);
  near(each[1].kept, fmin(three, others), 1e-6);
  near(each[2].kept, fmin(three, others), 1e-6);
  near(each[3].kept, others, 1e-6);
  assert_true(isnan(each[0].own_kept));
  near(each[1].own_kept, two, 1e-6); /* of the vertices that it shares with 0 alone */
  near(each[2].own_kept, fmin(three, others), 1e-6);
  assert_true(isnan(each[3].own_kept));
  assert_true(isnan(each[4].kept) && isnan(each[4].own_kept));
  assert_true(each[1].kept < 0.75 && each[3].kept < 0.75);
  assert_false(supple_measure_collapses(c.r.measure, &each[1]));
  assert_true(supple_measure_collapses(c.r.measure, &each[2]));
  assert_false(supple_measure_collapses(c.r.measure, &each[3]));
  chain_drop(&c);
}

static void own_changes_from_frame_to_frame(void **state) {
  (void)state;
  chain c;
  chain_make(&c);
  const supple_joint_measure *each = c.r.each;
  turn_about_y(&c.r, 0, 90, 30, 0);
  const double first = each[0].kept;
  near(each[1].own_kept, fmin(each[1].kept, first), 1e-6);
  assert_true(isnan(each[2].own_kept) && isnan(each[3].own_kept));
  /* Back by more than 180 degrees is a turn of less: 1 by 20, 2 by 40 (as -320), 3 by 60. */
  turn_about_y(&c.r, 10, 20, -320, 60);
  assert_true(!isnan(each[3].own_kept));
  near(each[3].own_kept, blend_about_y(3, (double[]){0.5, 0.25, 0.25}, (double[]){20, 60, 60}),
       1e-6);
  near(each[2].own_kept, blend_about_y(3, (double[]){0.25, 0.25, 0.5}, (double[]){0, 20, 60}), 1e-6);
  near(each[1].own_kept, blend_about_y(2, (double[]){0.5, 0.5}, (double[]){0, 20}), 1e-6);
  chain_drop(&c);
}

static void own_of_ties_is_the_first(void **state) {
  (void)state;
  chain c;
  chain_make(&c);
  const supple_joint_measure *each = c.r.each;
  turn_about_y(&c.r, 0, 0, 0, 0); /* at rest nothing turns: the lowest number, root or not */
  near(each[0].own_kept, 1, 1e-6);
  near(each[1].own_kept, 1, 1e-6);
  assert_true(isnan(each[2].own_kept) && isnan(each[3].own_kept));
  turn_about_y(&c.r, 0, 50, 0, 50); /* two siblings by one matrix */
  near(each[1].own_kept, blend_about_y(2, (double[]){0.5, 0.5}, (double[]){0, 50}), 1e-6);
  assert_true(isnan(each[2].own_kept) && isnan(each[3].own_kept));
  pair p;
  pair_make(&p, 0.5); /* two roots turn against nothing */
  rig_turn(&p.r, 1, 0, 1, 0, 180);
  near(kept(&p.r, SUPPLE_LBS), 0, 1e-6);
  near(p.r.each[0].own_kept, 0, 1e-6);
  assert_true(isnan(p.r.each[1].own_kept));
  pair_drop(&p);
  chain_drop(&c);
}

/* Any turns: every vertex is somebody's, so the least own_kept of all is the least kept, and none is below. */
static void own_leaves_no_vertex_out(void **state) {
  (void)state;
  chain c;
  chain_make(&c);
  for (int round = 0; round < 200; round++) {
    for (uint32_t j = 0; j < 4; j++)
      rig_turn(&c.r, j, uniform(-1, 1), uniform(-1, 1), uniform(0.1, 1), uniform(-180, 180));
    rig_evaluate(&c.r, round % 2 ? SUPPLE_LBS : SUPPLE_DQS, NULL);
    double least = 2, own = 2;
    for (uint32_t j = 0; j < 4; j++) {
      const supple_joint_measure *one = &c.r.each[j];
      least = fmin(least, one->kept);
      if (isnan(one->own_kept)) continue;
      assert_true(one->own_kept >= one->kept);
      own = fmin(own, one->own_kept);
    }
    near(own, least, 0);
  }
  chain_drop(&c);
}

/* A palette that is refused gives no number, rather than a good one. */
static void no_matrix_no_number(void **state) {
  (void)state;
  pair p;
  pair_make(&p, 0.5);
  rig_deform(&p.r, SUPPLE_LBS, NULL);
  p.r.palette->matrices[1].m[0][0] = (float)NAN;
  assert_int_equal(supple_prepared_update(p.r.prepared[0], p.r.bindings[0], p.r.palette, SUPPLE_DQS),
                   SUPPLE_ERROR_NUMBER);
  supple_measure_frame frame = rig_frame(&p.r, NULL);
  assert_int_equal(supple_measure_evaluate(p.r.measure, &frame, &p.r.all, p.r.each), SUPPLE_OK);
  assert_true(isnan(p.r.each[0].kept) && isnan(p.r.each[1].kept));
  assert_true(isnan(p.r.each[0].own_kept) && isnan(p.r.each[1].own_kept));
  pair_drop(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(turns_lose_by_formula),
      cmocka_unit_test(motions_and_scales_lose_nothing),
      cmocka_unit_test(zero_scale_is_no_loss_and_no_nan),
      cmocka_unit_test(agrees_with_singular_values),
      cmocka_unit_test(takes_the_worst_vertex),
      cmocka_unit_test(own_is_whose_turn_is_most),
      cmocka_unit_test(own_changes_from_frame_to_frame),
      cmocka_unit_test(own_of_ties_is_the_first),
      cmocka_unit_test(own_leaves_no_vertex_out),
      cmocka_unit_test(no_matrix_no_number),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
