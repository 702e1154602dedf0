/* test_lbs.c: the blended matrix: exact where floats are, joints in ascending order from +0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/deform/vertex.h"
#include "tests/deform/deform_tests.h"

static void the_weighted_mean_of_matrices(void **state) {
  (void)state;
  supple_affine matrices[3] = {identity(),
                               {{{2, 4, 6, 8}, {-2, 0, 10, 1}, {0.5f, 0.25f, 3, 100}}},
                               {{{-4, 1, 1, 1}, {1, -4, 1, 1}, {1, 1, -4, 1}}}};
  supple_binding *b =
      bind(2, 3, (uint16_t[]){1, 2, 0, 1, 1, 1}, (float[]){0.25f, 0.25f, 0.5f, 0, 1, 0});
  supple_palette palette = palette_of(matrices, 3);
  supple_prepared *p = prepare(b, &palette, SUPPLE_LBS);
  supplei_vertex vertex = supplei_vertex_at(b, 0);
  supple_affine blended = supplei_lbs_blend(p, &vertex);
  const supple_affine expected = {
      {{0, 1.25f, 1.75f, 2.25f}, {-0.25f, -0.5f, 2.75f, 0.5f}, {0.375f, 0.3125f, 0.25f, 25.25f}}};
  assert_memory_equal(&blended, &expected, sizeof expected);
  vertex = supplei_vertex_at(b, 1);
  blended = supplei_lbs_blend(p, &vertex);
  assert_memory_equal(&blended, &matrices[1], sizeof blended);
  const float positions[] = {1, 2, 4, 1, 1, 1};
  float out[6];
  deform_points(p, positions, out, 2);
  assert_point(out, 11.75, 10.25, 27.25, 0);
  assert_point(out + 3, 20, 9, 103.75, 0);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* 1e8 + 1 - 1e8 depends on the order: it is that of the joints, however they were stored. */
static void joints_ascending(void **state) {
  (void)state;
  supple_affine matrices[4];
  const float translations[] = {1e8f, 3, -1e8f, 3};
  for (int j = 0; j < 4; j++) matrices[j] = translated(identity(), translations[j], 0, 0);
  static const uint16_t orders[][4] = {{0, 1, 2, 3}, {3, 2, 1, 0}, {1, 3, 0, 2}};
  const float quarter[] = {0.25f, 0.25f, 0.25f, 0.25f};
  for (int k = 0; k < 3; k++) {
    supple_binding *b = bind(1, 4, orders[k], quarter);
    supple_palette palette = palette_of(matrices, 4);
    supple_prepared *p = prepare(b, &palette, SUPPLE_LBS);
    supplei_vertex vertex = supplei_vertex_at(b, 0);
    /* 2.5e7 + 0.75 is rounded to 2.5e7 (its neighbours are 2 apart); 0.75 comes after. */
    assert_true(supplei_lbs_blend(p, &vertex).m[0][3] == 0.75f);
    supple_prepared_destroy(p);
    supple_binding_destroy(b);
  }
}

static void the_sum_starts_at_plus_zero(void **state) {
  (void)state;
  supple_affine matrix = diagonal(-0.0f, -0.0f, -0.0f);
  supple_binding *b = bind(1, 1, (uint16_t[]){0}, (float[]){1});
  supple_palette palette = palette_of(&matrix, 1);
  supple_prepared *p = prepare(b, &palette, SUPPLE_LBS);
  supplei_vertex vertex = supplei_vertex_at(b, 0);
  supple_affine blended = supplei_lbs_blend(p, &vertex);
  const supple_affine zero = {{{0}}};
  assert_memory_equal(&blended, &zero, sizeof zero);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* The candy wrapper: half of each of two joints, turned by 180 degrees against each other. */
static void a_half_turn_collapses(void **state) {
  (void)state;
  supple_affine matrices[2] = {identity(), diagonal(-1, 1, -1)};
  supple_binding *b = bind(2, 2, (uint16_t[]){0, 1, 0, 1}, (float[]){0.5f, 0.5f, 0.75f, 0.25f});
  supple_palette palette = palette_of(matrices, 2);
  supple_prepared *p = prepare(b, &palette, SUPPLE_LBS);
  const float positions[] = {1, 5, 0.5f, 1, 5, 0.5f};
  float out[6];
  deform_points(p, positions, out, 2);
  assert_point(out, 0, 5, 0, 0);
  assert_point(out + 3, 0.5, 5, 0.25, 0);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* The kept sum multiplies the result, not the blend. */
static void kept_sums_multiply(void **state) {
  (void)state;
  supple_affine matrices[2] = {translated(identity(), 1, 0, 0), translated(identity(), 0, 1, 0)};
  supple_binding *b = bind_with(2, 2, (uint16_t[]){0, 1, 0, 1}, (float[]){1, 1, 0.25f, 0.25f},
                                (supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP});
  supple_palette palette = palette_of(matrices, 2);
  supple_prepared *p = prepare(b, &palette, SUPPLE_LBS);
  const float positions[] = {1, 2, 3, 1, 2, 3};
  float out[6];
  deform_points(p, positions, out, 2);
  assert_point(out, 3, 5, 6, 0);
  assert_point(out + 3, 0.75, 1.25, 1.5, 0);
  supple_mat3 linear = supple_prepared_linear(p, 0);
  assert_true(linear.m[0][0] == 2 && linear.m[1][1] == 2 && linear.m[0][1] == 0);
  /* DQS does not depend on it. */
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
  deform_points(p, positions, out, 2);
  assert_point(out, 1.5, 2.5, 3, 1e-6);
  assert_point(out + 3, 1.5, 2.5, 3, 1e-6);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_weighted_mean_of_matrices),
      cmocka_unit_test(joints_ascending),
      cmocka_unit_test(the_sum_starts_at_plus_zero),
      cmocka_unit_test(a_half_turn_collapses),
      cmocka_unit_test(kept_sums_multiply),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
