/* test_shader_pack.c: palettes, influences, morph targets and vertices, byte by byte, and what is refused. */
#include <supple/shader.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/deform/deform_tests.h"

/* ---- palettes ---- */

static void test_sizes(void **state) {
  (void)state;
  assert_int_equal(sizeof(supple_shader_vertex_parameters), 80);
  assert_int_equal(sizeof(supple_shader_compute_parameters), 32);
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_ROWS, 5, 0), 240);
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_DUAL, 5, 0), 160);
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_AFFINE, 5, 0), 320);
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_ROWS, 5, 16),
                   256); /* 15 texels, one row */
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_AFFINE, 5, 16), 512); /* 20: two rows */
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_AFFINE, 4, 16), 256);
  assert_int_equal(supple_shader_palette_size(SUPPLE_PALETTE_ROWS, 0, 16), 0);
}

/* Two joints: one moved by (1, 2, 3), one turned by half a turn about Y and moved. */
typedef struct pair {
  supple_affine matrices[2];
  supple_palette palette;
  supple_binding *binding;
} pair;

static void make_pair(pair *p, float scale) {
  static const uint16_t joints[4] = {0, 1, 1, 0};
  static const float weights[4] = {0.25f, 0.75f, 1, 0};
  p->matrices[0] = translated(diagonal(scale, scale, scale), 1, 2, 3);
  p->matrices[1] = translated(turned(0, 1, 0, 180, (double)scale), 0, 4, 0);
  p->palette = palette_of(p->matrices, 2);
  p->binding = bind(2, 2, joints, weights);
}

static void test_rows(void **state) {
  (void)state;
  pair p;
  make_pair(&p, 1);
  float out[32];
  for (int method = 0; method < 2; method++) {
    supple_prepared *prepared = prepare(p.binding, &p.palette, (supple_method)method);
    memset(out, 0x7f, sizeof out);
    assert_int_equal(
        supple_shader_palette_pack(prepared, SUPPLE_PALETTE_ROWS, out, sizeof out, NULL), SUPPLE_OK);
    assert_memory_equal(out, p.matrices, sizeof p.matrices);
    for (int i = 24; i < 32; i++) assert_true(out[i] == 0);
    assert_int_equal(supple_shader_joint_count(prepared), 2);
    supple_prepared_destroy(prepared);
  }
  supple_binding_destroy(p.binding);
}

static void test_dual(void **state) {
  (void)state;
  pair p;
  make_pair(&p, 2);
  float out[16];
  supple_prepared *prepared = prepare(p.binding, &p.palette, SUPPLE_DQS);
  assert_int_equal(supple_shader_palette_pack(prepared, SUPPLE_PALETTE_DUAL, out, sizeof out, NULL),
                   SUPPLE_OK);
  assert_close(supple_shader_scale(prepared), 2, 1e-6);
  /* dual = (t, 0) · real / 2; for no turn that is t / 2, for half a turn about Y (0, 4, 0) · j / 2 = -2 */
  static const float expected[16] = {0, 0, 0, 1, 0.5f, 1, 1.5f, 0, 0, 1, 0, 0, 0, 0, 0, -2};
  for (int i = 0; i < 16; i++) assert_close(out[i], expected[i], 1e-6);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(p.binding);
}

static void test_affine(void **state) {
  (void)state;
  pair p;
  make_pair(&p, 1);
  p.matrices[1] = diagonal(3, -1, 2); /* of -M the polar factor: (-1, 1, -1), half a turn about Y */
  float out[32];
  supple_prepared *prepared = prepare(p.binding, &p.palette, SUPPLE_DQS);
  assert_int_equal(
      supple_shader_palette_pack(prepared, SUPPLE_PALETTE_AFFINE, out, sizeof out, NULL), SUPPLE_OK);
  assert_memory_equal(out, &p.matrices[0], 48);
  assert_memory_equal(out + 16, &p.matrices[1], 48);
  static const float quats[2][4] = {{0, 0, 0, 1}, {0, 1, 0, 0}};
  for (int k = 0; k < 4; k++) {
    assert_close(out[12 + k], quats[0][k], 1e-6);
    assert_close(out[28 + k], quats[1][k], 1e-6);
  }
  supple_error error;
  assert_int_equal(supple_shader_palette_pack(prepared, SUPPLE_PALETTE_DUAL, out, sizeof out, &error),
                   SUPPLE_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "joint 1"));
  supple_prepared_destroy(prepared);
  supple_binding_destroy(p.binding);
}

static void test_rigid_part(void **state) {
  (void)state;
  pair p;
  make_pair(&p, 1);
  p.matrices[1] = translated(diagonal(3, 1, 2), 0, 0, 8);
  float out[16];
  supple_prepared *prepared = prepare_with(p.binding, &p.palette, SUPPLE_DQS,
                                           (supple_prepared_options){.scale = SUPPLE_SCALE_NONE});
  assert_int_equal(supple_shader_palette_pack(prepared, SUPPLE_PALETTE_DUAL, out, sizeof out, NULL),
                   SUPPLE_OK);
  assert_true(supple_shader_scale(prepared) == 1);
  assert_close(out[8 + 3], 1, 1e-6);
  assert_close(out[12 + 2], 4, 1e-6);
  float more[32];
  supple_error error;
  assert_int_equal(
      supple_shader_palette_pack(prepared, SUPPLE_PALETTE_AFFINE, more, sizeof more, &error),
      SUPPLE_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "'none'"));
  supple_prepared_destroy(prepared);
  prepared = prepare_with(p.binding, &p.palette, SUPPLE_DQS,
                          (supple_prepared_options){.scale = SUPPLE_SCALE_FIRST});
  for (int layout = SUPPLE_PALETTE_DUAL; layout <= SUPPLE_PALETTE_AFFINE; layout++) {
    assert_int_equal(supple_shader_palette_pack(prepared, (supple_palette_layout)layout, more,
                                                sizeof more, &error),
                     SUPPLE_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "'first'"));
  }
  assert_int_equal(
      supple_shader_palette_pack(prepared, SUPPLE_PALETTE_ROWS, more, sizeof more, NULL), SUPPLE_OK);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(p.binding);
}

static void test_palette_refused(void **state) {
  (void)state;
  pair p;
  make_pair(&p, 1);
  float out[64];
  supple_error error;
  supple_prepared *prepared = prepare(p.binding, &p.palette, SUPPLE_LBS);
  assert_int_equal(
      supple_shader_palette_pack(prepared, SUPPLE_PALETTE_AFFINE, out, sizeof out, &error),
      SUPPLE_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "DQS"));
  assert_int_equal(supple_shader_palette_pack(prepared, SUPPLE_PALETTE_ROWS, out, 95, &error),
                   SUPPLE_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "96"));
  assert_int_equal(supple_shader_palette_pack(prepared, SUPPLE_PALETTE_ROWS, out, 96, NULL),
                   SUPPLE_OK);
  supple_prepared_destroy(prepared);
  prepared = supple_prepared_create(p.binding, NULL, NULL);
  assert_non_null(prepared);
  assert_int_equal(supple_shader_joint_count(prepared), 0);
  assert_int_equal(supple_shader_palette_pack(prepared, SUPPLE_PALETTE_ROWS, out, sizeof out, NULL),
                   SUPPLE_ERROR_ARGUMENT);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(p.binding);
}

/* ---- influences ---- */

static const uint16_t five_joints[10] = {7, 300, 2, 9, 4, 1, 0, 0, 0, 0};
static const float five_weights[10] = {0.1f, 0.2f, 0.3f, 0.15f, 0.25f, 1, 0, 0, 0, 0};

static void test_attributes(void **state) {
  (void)state;
  supple_binding *binding = bind(2, 5, five_joints, five_weights);
  uint16_t joints[2][8];
  float weights[2][10];
  memset(weights, 0, sizeof weights);
  supple_shader_attributes a = {.influences = 8,
                                .joint_number = SUPPLE_SHADER_NUMBER_U16,
                                .joints = joints,
                                .weights = weights,
                                .weight_stride = 40};
  assert_int_equal(supple_shader_attributes_pack(binding, &a, NULL), SUPPLE_OK);
  static const uint16_t expected_joints[2][8] = {{2, 4, 7, 9, 300}, {1}};
  static const float expected_weights[5] = {0.3f, 0.25f, 0.1f, 0.15f, 0.2f};
  assert_memory_equal(joints, expected_joints, sizeof joints);
  for (int i = 0; i < 5; i++) assert_close(weights[0][i], expected_weights[i], 1e-6);
  assert_true(weights[0][5] == 0 && weights[0][7] == 0 && weights[1][0] == 1 && weights[1][1] == 0);
  supple_binding_destroy(binding);
}

static void test_attributes_refused(void **state) {
  (void)state;
  supple_binding *binding = bind(2, 5, five_joints, five_weights);
  uint32_t joints[16];
  float weights[16];
  supple_error error;
  supple_shader_attributes a = {.influences = 4, .joints = joints, .weights = weights};
  assert_int_equal(supple_shader_attributes_pack(binding, &a, &error), SUPPLE_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "vertex 0 has 5"));
  a.influences = 8, a.joint_number = SUPPLE_SHADER_NUMBER_U8;
  assert_int_equal(supple_shader_attributes_pack(binding, &a, &error), SUPPLE_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "joint 300"));
  a.joint_number = SUPPLE_SHADER_NUMBER_FULL, a.joint_stride = 31;
  assert_int_equal(supple_shader_attributes_pack(binding, &a, &error), SUPPLE_ERROR_ARGUMENT);
  a.joint_stride = 0, a.influences = 5;
  assert_int_equal(supple_shader_attributes_pack(binding, &a, &error), SUPPLE_ERROR_ARGUMENT);
  supple_binding_destroy(binding);
}

/* Rounded weights sum to exactly one, whatever they are. */
static void test_rounded_weights(void **state) {
  (void)state;
  enum { VERTICES = 200 };
  static uint16_t joints[VERTICES * 8];
  static float weights[VERTICES * 8];
  uint32_t random = 1;
  for (int i = 0; i < VERTICES * 8; i++) {
    random = random * 1664525u + 1013904223u;
    joints[i] = (uint16_t)(i % 8);
    weights[i] = (float)(random >> 8) * 0x1p-24f;
    if (i % 16 < 8) weights[i] = 1; /* eight eighths */
  }
  supple_binding *binding = bind(VERTICES, 8, joints, weights);
  static uint8_t packed_joints[VERTICES][8], bytes[VERTICES][8];
  static uint16_t halves[VERTICES][8];
  supple_shader_attributes a = {.influences = 8,
                                .joint_number = SUPPLE_SHADER_NUMBER_U8,
                                .weight_number = SUPPLE_SHADER_NUMBER_U8,
                                .joints = packed_joints,
                                .weights = bytes};
  assert_int_equal(supple_shader_attributes_pack(binding, &a, NULL), SUPPLE_OK);
  a.weight_number = SUPPLE_SHADER_NUMBER_U16, a.weights = halves;
  assert_int_equal(supple_shader_attributes_pack(binding, &a, NULL), SUPPLE_OK);
  for (uint32_t v = 0; v < VERTICES; v++) {
    const uint16_t *own_joints;
    const float *own;
    assert_int_equal(supple_binding_influences(binding, v, &own_joints, &own), 8);
    uint32_t sums[2] = {0};
    for (int i = 0; i < 8; i++) {
      sums[0] += bytes[v][i], sums[1] += halves[v][i];
      assert_close((float)bytes[v][i] / 255, own[i], 5.0 / 255);
      assert_close((float)halves[v][i] / 65535, own[i], 5.0 / 65535);
      assert_int_equal(packed_joints[v][i], i);
    }
    assert_int_equal(sums[0], 255);
    assert_int_equal(sums[1], 65535);
  }
  supple_binding_destroy(binding);
}

static void test_kept_sums(void **state) {
  (void)state;
  static const uint16_t joints[4] = {0, 1, 0, 1};
  static const float weights[4] = {0.25f, 0.25f, 1, 0.5f};
  supple_binding *binding =
      bind_with(2, 2, joints, weights, (supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP});
  uint32_t packed[2][4];
  float kept[2][4];
  supple_shader_attributes a = {.influences = 4, .joints = packed, .weights = kept};
  assert_int_equal(supple_shader_attributes_pack(binding, &a, NULL), SUPPLE_OK);
  assert_close(kept[0][0], 0.25, 1e-7);
  assert_close(kept[1][0], 1, 1e-6);
  assert_close(kept[1][1], 0.5, 1e-6);
  supple_error error;
  a.weight_number = SUPPLE_SHADER_NUMBER_U8;
  assert_int_equal(supple_shader_attributes_pack(binding, &a, &error), SUPPLE_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "vertex 1"));
  supple_binding_destroy(binding);
}

typedef struct packed_pair {
  uint32_t joint;
  float weight;
} packed_pair;

static void test_pairs(void **state) {
  (void)state;
  supple_binding *binding = bind(2, 5, five_joints, five_weights);
  packed_pair pairs[16];
  uint32_t ranges[2][2];
  assert_int_equal(supple_shader_pairs_size(binding, 0, 0), 6 * 8);
  assert_int_equal(supple_shader_pairs_size(binding, 0, 4), 8 * 8);
  assert_int_equal(supple_shader_pairs_size(binding, 8, 0), 16 * 8);
  memset(pairs, 0x7f, sizeof pairs);
  assert_int_equal(supple_shader_pairs_pack(binding, 0, pairs, 64, ranges, NULL), SUPPLE_OK);
  static const uint32_t expected[6] = {2, 4, 7, 9, 300, 1};
  for (int i = 0; i < 6; i++) assert_int_equal(pairs[i].joint, expected[i]);
  assert_close(pairs[4].weight, 0.2, 1e-6);
  assert_true(pairs[5].weight == 1);
  assert_true(pairs[6].joint == 0 && pairs[7].weight == 0 && pairs[8].joint == 0x7f7f7f7f);
  assert_true(ranges[0][0] == 0 && ranges[0][1] == 5 && ranges[1][0] == 5 && ranges[1][1] == 1);
  assert_int_equal(supple_shader_pairs_pack(binding, 8, pairs, sizeof pairs, NULL, NULL), SUPPLE_OK);
  assert_true(pairs[5].joint == 0 && pairs[5].weight == 0 && pairs[8].joint == 1 &&
              pairs[8].weight == 1);
  supple_error error;
  assert_int_equal(supple_shader_pairs_pack(binding, 4, pairs, sizeof pairs, NULL, &error),
                   SUPPLE_ERROR_LIMIT);
  assert_int_equal(supple_shader_pairs_pack(binding, 8, pairs, 127, NULL, &error),
                   SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_pairs_pack(binding, 5, pairs, sizeof pairs, NULL, &error),
                   SUPPLE_ERROR_ARGUMENT);
  supple_binding_destroy(binding);
}

/* ---- morph targets and vertices ---- */

static void test_targets(void **state) {
  (void)state;
  static const float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {7, 8, 9, 10, 11, 12};
  static const supple_morph_target targets[2] = {{.positions = a, .normals = b}, {.normals = a}};
  supple_primitive primitive = {.vertex_count = 2, .targets = targets, .target_count = 2};
  static const uint32_t order[2] = {1, 0};
  float out[36];
  assert_int_equal(supple_shader_targets_size(&primitive, 2, 0), 128);
  assert_int_equal(supple_shader_targets_size(&primitive, 2, 3), 144);
  memset(out, 0x7f, sizeof out);
  assert_int_equal(supple_shader_targets_pack(&primitive, 2, order, out, 144), SUPPLE_OK);
  static const float expected[36] = {4, 5, 6, 0, 10, 11, 12, 0, 1, 2, 3, 0, 7, 8, 9, 0,
                                     0, 0, 0, 0, 4,  5,  6,  0, 0, 0, 0, 0, 1, 2, 3, 0};
  assert_memory_equal(out, expected, sizeof expected);
  assert_int_equal(supple_shader_targets_pack(&primitive, 1, NULL, out, 64), SUPPLE_OK);
  assert_memory_equal(out, a, 12);
  assert_int_equal(supple_shader_targets_pack(&primitive, 2, NULL, out, 127), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_targets_pack(&primitive, 0, NULL, out, 144), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_targets_pack(&primitive, 4, NULL, out, 144), SUPPLE_ERROR_ARGUMENT);
}

static void test_rest(void **state) {
  (void)state;
  static const float positions[6] = {1, 2, 3, 4, 5, 6}, tangents[8] = {1, 0, 0, 1, 0, 1, 0, -1};
  supple_primitive primitive = {.vertex_count = 2, .positions = positions, .tangents = tangents};
  static const uint32_t order[2] = {1, 0};
  float out[24];
  memset(out, 0, sizeof out);
  out[11] = 42;
  assert_int_equal(supple_shader_rest_pack(&primitive, 3, order, out, 12), SUPPLE_OK);
  static const float expected[24] = {4, 5, 6, 0, 0, 0, 0, 1, 0, -1, 0, 42,
                                     1, 2, 3, 0, 0, 0, 1, 0, 0, 1,  0, 0};
  assert_memory_equal(out, expected, sizeof out);
  assert_int_equal(supple_shader_rest_pack(&primitive, 1, NULL, out, 3), SUPPLE_OK);
  assert_memory_equal(out, positions, sizeof positions);
  assert_int_equal(supple_shader_rest_pack(&primitive, 2, NULL, out, 5), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_rest_pack(&primitive, 3, NULL, out, 9), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_shader_rest_pack(&primitive, 4, NULL, out, 12), SUPPLE_ERROR_ARGUMENT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sizes),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_dual),
      cmocka_unit_test(test_affine),
      cmocka_unit_test(test_rigid_part),
      cmocka_unit_test(test_palette_refused),
      cmocka_unit_test(test_attributes),
      cmocka_unit_test(test_attributes_refused),
      cmocka_unit_test(test_rounded_weights),
      cmocka_unit_test(test_kept_sums),
      cmocka_unit_test(test_pairs),
      cmocka_unit_test(test_targets),
      cmocka_unit_test(test_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
