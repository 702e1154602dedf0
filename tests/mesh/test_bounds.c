/* test_bounds.c: boxes of points, and posed boxes that hold every vertex without being loose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include <supple/deform.h>

#include "tests/mesh/mesh_tests.h"

static bool is_empty(const supple_bounds *box) {
  return box->min[0] > box->max[0] && box->min[1] > box->max[1] && box->min[2] > box->max[2];
}

static void assert_box(supple_bounds box, float x0, float y0, float z0, float x1, float y1,
                       float z1) {
  assert_true(box.min[0] == x0 && box.min[1] == y0 && box.min[2] == z0);
  assert_true(box.max[0] == x1 && box.max[1] == y1 && box.max[2] == z1);
}

static void boxes_of_points(void **state) {
  (void)state;
  const float points[] = {1, 2, 3, 9, -1, 5, 0, 9, 4, 4, 4, 9};
  assert_box(supple_bounds_of((supple_stream){points, 16}, 3), -1, 2, 0, 4, 5, 4);
  assert_box(supple_bounds_of((supple_stream){points, 16}, 1), 1, 2, 3, 1, 2, 3);
  assert_box(supple_bounds_of((supple_stream){points, 0}, 1000), 1, 2, 3, 1, 2, 3);
  supple_bounds none = supple_bounds_of((supple_stream){NULL, 12}, 0);
  assert_true(is_empty(&none));
  /* A point that is not finite is no point. */
  const float bad[] = {NAN, 50, 50, 1, 1, 1, 50, INFINITY, 50, 2, 2, 2, 50, 50, -INFINITY};
  assert_box(supple_bounds_of((supple_stream){bad, 12}, 5), 1, 1, 1, 2, 2, 2);
  none = supple_bounds_of((supple_stream){bad, 12}, 1);
  assert_true(is_empty(&none));
}

static void boxes_join(void **state) {
  (void)state;
  const float a[] = {0, 0, 0, 1, 1, 1}, b[] = {-1, 0.5f, 3, 0.5f, 0.5f, 3};
  supple_bounds box_a = supple_bounds_of((supple_stream){a, 12}, 2);
  supple_bounds box_b = supple_bounds_of((supple_stream){b, 12}, 2);
  supple_bounds none = supple_bounds_of((supple_stream){a, 12}, 0);
  assert_box(supple_bounds_join(box_a, box_b), -1, 0, 0, 1, 1, 3);
  assert_box(supple_bounds_join(none, box_b), -1, 0.5f, 3, 0.5f, 0.5f, 3);
  assert_box(supple_bounds_join(box_b, none), -1, 0.5f, 3, 0.5f, 0.5f, 3);
  const supple_bounds inverted = {{1, 1, 1}, {-1, -1, -1}}; /* empty too, and inside neither box */
  assert_box(supple_bounds_join(inverted, (supple_bounds){{5, 5, 5}, {6, 6, 6}}), 5, 5, 5, 6, 6, 6);
  assert_box(supple_bounds_join((supple_bounds){{5, 5, 5}, {6, 6, 6}}, inverted), 5, 5, 5, 6, 6, 6);
  none = supple_bounds_join(none, none);
  assert_true(is_empty(&none));
}

/* ---- posed: a random mesh ---- */

enum { VERTICES = 200, SETS = 6, JOINTS = 7, TARGETS = 3 };

typedef struct mesh {
  uint16_t joints[VERTICES * SETS];
  float weights[VERTICES * SETS], positions[VERTICES * 3], offsets[TARGETS][VERTICES * 3];
  supple_morph_target targets[TARGETS];
  supple_primitive primitive;
  float morph_weights[TARGETS];
  supple_affine matrices[JOINTS];
  supple_palette palette;
} mesh;

static void fill_mesh(mesh *m, uint64_t *random, double size, double offset, bool sums_differ) {
  for (uint32_t i = 0; i < VERTICES * SETS; i++) {
    m->joints[i] = (uint16_t)((random_bits(random) >> 32) % JOINTS);
    m->weights[i] = random_float(random, -0.2, 1);
  }
  for (uint32_t v = 0; v < VERTICES; v++) {
    double sum = 0;
    for (uint32_t i = 0; i < SETS; i++) sum += fmax((double)m->weights[v * SETS + i], 0);
    for (uint32_t i = 0; i < SETS && !sums_differ && sum > 0; i++)
      m->weights[v * SETS + i] = (float)((double)m->weights[v * SETS + i] / sum);
    for (uint32_t i = 0; i < SETS && v % 17 == 0; i++) m->weights[v * SETS + i] = 0;
  }
  for (uint32_t i = 0; i < VERTICES * 3; i++)
    m->positions[i] = random_float(random, offset - size, offset + size);
  for (uint32_t t = 0; t < TARGETS; t++) {
    for (uint32_t i = 0; i < VERTICES * 3; i++)
      m->offsets[t][i] = random_float(random, -size, size);
    m->targets[t] = (supple_morph_target){.positions = t == 1 ? NULL : m->offsets[t]};
    m->morph_weights[t] = random_float(random, -1, 1);
  }
  for (uint32_t j = 0; j < JOINTS; j++)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++) m->matrices[j].m[r][c] = random_float(random, -2, 2);
  m->palette = (supple_palette){.joint_count = JOINTS, .matrices = m->matrices};
  m->primitive = (supple_primitive){.vertex_count = VERTICES,
                                    .positions = m->positions,
                                    .influence_count = SETS,
                                    .joints = m->joints,
                                    .weights = m->weights,
                                    .targets = m->targets,
                                    .target_count = TARGETS};
}

/* The tight box of what LBS makes of the mesh. */
static supple_bounds tight_box(const mesh *m, const supple_binding *binding, const float *morph) {
  static float rest[VERTICES * 3], posed[VERTICES * 3];
  supple_stream positions = {m->positions, 12};
  if (morph) {
    supple_out_stream out = {rest, 12}, unset = {NULL, 0};
    assert_int_equal(supple_morph(&m->primitive, morph, TARGETS, out, unset, unset), SUPPLE_OK);
    positions.data = rest;
  }
  supple_prepared *prepared = supple_prepared_create(binding, NULL, NULL);
  assert_non_null(prepared);
  assert_int_equal(supple_prepared_update(prepared, binding, &m->palette, SUPPLE_LBS), SUPPLE_OK);
  supple_job job = {.prepared = prepared, .positions = positions, .out_positions = {posed, 12}};
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  supple_prepared_destroy(prepared);
  return supple_bounds_of((supple_stream){posed, 12}, VERTICES);
}

static void assert_holds(const supple_bounds *box, const supple_bounds *tight) {
  for (int c = 0; c < 3; c++) {
    assert_true(box->min[c] <= tight->min[c]);
    assert_true(box->max[c] >= tight->max[c]);
  }
}

static void posed_boxes_hold_every_vertex(void **state) {
  (void)state;
  static mesh m;
  uint64_t random = 11;
  for (uint32_t trial = 0; trial < 400; trial++) {
    bool keep = trial % 2, morphed = trial / 2 % 2, rest = trial / 4 % 2, far = trial / 8 % 2;
    fill_mesh(&m, &random, 1, far ? 1e4 : 0, keep);
    if (trial % 5 == 0) m.positions[3] = NAN, m.positions[3 * 40 + 1] = INFINITY;
    supple_binding_options options = {
        .weights = keep ? SUPPLE_WEIGHTS_KEEP : SUPPLE_WEIGHTS_NORMALISE,
        .unweighted = rest ? SUPPLE_UNWEIGHTED_REST : SUPPLE_UNWEIGHTED_FIRST_JOINT,
        .max_influences = trial % 7};
    supple_binding *binding = supple_binding_create(&m.primitive, &options, NULL);
    assert_non_null(binding);
    const float *morph = morphed ? m.morph_weights : NULL;
    supple_bounds box = supple_binding_bounds(binding, &m.palette, morph);
    supple_bounds tight = tight_box(&m, binding, morph);
    assert_holds(&box, &tight);
    supple_binding_destroy(binding);
  }
}

/* The corners of each joint's rest box under its matrix, in double. */
static void posed_boxes_are_no_looser_than_the_joints_boxes(void **state) {
  (void)state;
  static mesh m;
  uint64_t random = 12;
  for (uint32_t trial = 0; trial < 50; trial++) {
    fill_mesh(&m, &random, 1, 3, false);
    supple_binding *binding = supple_binding_create(&m.primitive, NULL, NULL);
    assert_non_null(binding);
    double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9};
    for (uint32_t j = 0; j < JOINTS; j++) {
      double box[2][3] = {{1e9, 1e9, 1e9}, {-1e9, -1e9, -1e9}};
      for (uint32_t v = 0; v < VERTICES; v++) {
        const uint16_t *joints;
        const float *weights;
        uint32_t n = supple_binding_influences(binding, v, &joints, &weights);
        for (uint32_t i = 0; i < n; i++)
          for (int c = 0; c < 3 && joints[i] == j; c++) {
            box[0][c] = fmin(box[0][c], (double)m.positions[3 * v + (uint32_t)c]);
            box[1][c] = fmax(box[1][c], (double)m.positions[3 * v + (uint32_t)c]);
          }
      }
      for (int corner = 0; corner < 8; corner++)
        for (int r = 0; r < 3; r++) {
          double x = (double)m.matrices[j].m[r][3];
          for (int c = 0; c < 3; c++) x += (double)m.matrices[j].m[r][c] * box[corner >> c & 1][c];
          low[r] = fmin(low[r], x), high[r] = fmax(high[r], x);
        }
    }
    supple_bounds box = supple_binding_bounds(binding, &m.palette, NULL);
    for (int c = 0; c < 3; c++) {
      assert_close(box.min[c], low[c], 2e-4); /* terms of size 8, eight kinds of rounding a term */
      assert_close(box.max[c], high[c], 2e-4);
    }
    supple_binding_destroy(binding);
  }
}

static const supple_affine identity = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

static void assert_near_box(supple_bounds box, supple_bounds expected, double slack) {
  assert_holds(&box, &expected);
  for (int c = 0; c < 3; c++) {
    assert_close(box.min[c], expected.min[c], slack);
    assert_close(box.max[c], expected.max[c], slack);
  }
}

/* Vertex 0 at (1, 2, 3) has a sum of 0.5, vertex 1 at (-1, 0, 1) of 2, vertex 2 at (9, 9, 9) none.
 * */
static void kept_sums_and_rest_vertices(void **state) {
  (void)state;
  const float positions[] = {1, 2, 3, -1, 0, 1, 9, 9, 9};
  supple_primitive primitive = {.vertex_count = 3,
                                .positions = positions,
                                .influence_count = 1,
                                .joints = (uint16_t[]){0, 0, 1},
                                .weights = (float[]){0.5f, 2, 0}};
  supple_affine matrices[2] = {identity, identity};
  matrices[1].m[0][3] = 100;
  supple_palette palette = {.joint_count = 2, .matrices = matrices};
  supple_binding *b = supple_binding_create(
      &primitive, &(supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST}, NULL);
  assert_near_box(supple_binding_bounds(b, &palette, NULL), (supple_bounds){{-1, 0, 1}, {9, 9, 9}},
                  1e-4);
  supple_binding_destroy(b);
  b = supple_binding_create(&primitive, NULL, NULL);
  assert_near_box(supple_binding_bounds(b, &palette, NULL),
                  (supple_bounds){{-1, 0, 1}, {109, 9, 9}}, 2e-3);
  supple_binding_destroy(b);
  /* From half to twice the box of both. */
  b = supple_binding_create(&primitive,
                            &(supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP,
                                                      .unweighted = SUPPLE_UNWEIGHTED_REST},
                            NULL);
  assert_near_box(supple_binding_bounds(b, &palette, NULL),
                  (supple_bounds){{-2, 0, 0.5f}, {9, 9, 9}}, 1e-4);
  supple_binding_destroy(b);
}

static void one_axis_does_not_widen_another(void **state) {
  (void)state;
  const float positions[] = {-1, 0, 0, 1, 0, 0};
  supple_primitive primitive = {.vertex_count = 2,
                                .positions = positions,
                                .influence_count = 1,
                                .joints = (uint16_t[]){0, 0},
                                .weights = (float[]){1, 1}};
  supple_affine matrix = identity;
  matrix.m[1][3] = 1e6f;
  supple_palette palette = {.joint_count = 1, .matrices = &matrix};
  supple_binding *b = supple_binding_create(&primitive, NULL, NULL);
  supple_bounds box = supple_binding_bounds(b, &palette, NULL);
  assert_close(box.min[0], -1, 1e-5);
  assert_close(box.max[0], 1, 1e-5);
  assert_close(box.min[1], 1e6, 10);
  assert_true(box.min[2] == 0 && box.max[2] == 0);
  supple_binding_destroy(b);
}

/* Offsets that cancel leave the rounding of their size. */
static void morphs_that_cancel(void **state) {
  (void)state;
  static mesh m;
  uint64_t random = 13;
  for (uint32_t trial = 0; trial < 50; trial++) {
    fill_mesh(&m, &random, 1, 0, false);
    for (uint32_t i = 0; i < VERTICES * 3; i++)
      m.offsets[0][i] = 1e6f, m.offsets[2][i] = trial % 2 ? -1e6f : 0.1f * (float)i;
    m.morph_weights[0] = 1, m.morph_weights[2] = 1;
    supple_binding_options options = {.unweighted = SUPPLE_UNWEIGHTED_REST};
    supple_binding *binding = supple_binding_create(&m.primitive, &options, NULL);
    assert_non_null(binding);
    supple_bounds box = supple_binding_bounds(binding, &m.palette, m.morph_weights);
    supple_bounds tight = tight_box(&m, binding, m.morph_weights);
    assert_holds(&box, &tight);
    supple_binding_destroy(binding);
  }
}

static void boxes_of_nothing(void **state) {
  (void)state;
  supple_affine matrix = identity;
  supple_palette palette = {.joint_count = 1, .matrices = &matrix};
  supple_primitive primitive = {
      .vertex_count = 1, .influence_count = 1, .joints = (uint16_t[]){0}, .weights = (float[]){1}};
  const float bad[] = {1, NAN, 1};
  for (int k = 0; k < 3; k++) { /* no positions, none that is finite, no vertices */
    primitive.positions = k ? bad : NULL;
    primitive.vertex_count = k < 2;
    supple_binding *b = supple_binding_create(
        &primitive, &(supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP}, NULL);
    supple_bounds box = supple_binding_bounds(b, &palette, NULL);
    assert_true(is_empty(&box));
    supple_binding_destroy(b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_of_points),
      cmocka_unit_test(boxes_join),
      cmocka_unit_test(posed_boxes_hold_every_vertex),
      cmocka_unit_test(posed_boxes_are_no_looser_than_the_joints_boxes),
      cmocka_unit_test(kept_sums_and_rest_vertices),
      cmocka_unit_test(one_axis_does_not_widen_another),
      cmocka_unit_test(morphs_that_cancel),
      cmocka_unit_test(boxes_of_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
