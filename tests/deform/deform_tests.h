/* deform_tests.h: small bindings, matrices and palettes for the tests of deformation. Include after
 * cmocka.h. */
#ifndef DEFORM_TESTS_H
#define DEFORM_TESTS_H

#include <supple/deform.h>

#include "tests/mesh/mesh_tests.h"

/* A binding of vertices that have `influence_count` influences each. */
static inline supple_binding *bind_with(uint32_t vertex_count, uint32_t influence_count,
                                        const uint16_t *joints, const float *weights,
                                        supple_binding_options options) {
  supple_primitive primitive = {.vertex_count = vertex_count,
                                .influence_count = influence_count,
                                .joints = joints,
                                .weights = weights};
  supple_binding *binding = supple_binding_create(&primitive, &options, NULL);
  assert_non_null(binding);
  return binding;
}

static inline supple_binding *bind(uint32_t vertex_count, uint32_t influence_count,
                                   const uint16_t *joints, const float *weights) {
  return bind_with(vertex_count, influence_count, joints, weights,
                   (supple_binding_options){.max_influences = 0});
}

/* ---- matrices ---- */
static inline supple_affine matrix_of(const supple_affine64 *a) {
  return supple_affine_from_double(a);
}

static inline supple_affine identity(void) {
  return (supple_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static inline supple_affine diagonal(float x, float y, float z) {
  return (supple_affine){{{x, 0, 0, 0}, {0, y, 0, 0}, {0, 0, z, 0}}};
}

static inline supple_affine translated(supple_affine a, float x, float y, float z) {
  a.m[0][3] += x, a.m[1][3] += y, a.m[2][3] += z;
  return a;
}

/* `scale` times the turn by `degrees` about (x, y, z). */
static inline supple_affine turned(double x, double y, double z, double degrees, double scale) {
  supple_quat q = supple_quat_from_axis_angle(supple_vec3_make(x, y, z), degrees * SUPPLE_PI / 180);
  supple_mat3 m = supple_mat3_from_quat(q);
  supple_affine out = {{{0}}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) out.m[r][c] = (float)(m.m[r][c] * scale);
  return out;
}

static inline supple_palette palette_of(supple_affine *matrices, uint32_t count) {
  return (supple_palette){.joint_count = count, .matrices = matrices};
}

static inline supple_prepared *prepare_with(const supple_binding *binding,
                                            const supple_palette *palette, supple_method method,
                                            supple_prepared_options options) {
  supple_prepared *p = supple_prepared_create(binding, &options, NULL);
  assert_non_null(p);
  assert_int_equal(supple_prepared_update(p, binding, palette, method), SUPPLE_OK);
  return p;
}

static inline supple_prepared *prepare(const supple_binding *binding, const supple_palette *palette,
                                       supple_method method) {
  return prepare_with(binding, palette, method, (supple_prepared_options){.rigid_tolerance = 0});
}

/* Tightly packed positions. */
static inline supple_deform_report deform_points(const supple_prepared *p, const float *positions,
                                                 float *out, uint32_t count) {
  supple_deform_report report = {0};
  supple_job job = {.prepared = p, .positions = {positions, 12}, .out_positions = {out, 12}};
  assert_int_equal(supple_deform_range(&job, 0, count, &report), SUPPLE_OK);
  return report;
}

static inline void assert_point(const float *p, double x, double y, double z, double tolerance) {
  assert_close(p[0], x, tolerance);
  assert_close(p[1], y, tolerance);
  assert_close(p[2], z, tolerance);
}

#endif
