/* kept.c: how much of its cross-section a vertex keeps, with no topology at all: the product of the two
 * smaller singular values of L, over that of a rigid or scaled motion. */
#include "../base/prologue.h"

#include "kept.h"

#include "../base/memory.h"

#include <math.h>

void supplei_turn_joints(const supple_measure *m, const supple_palette *palette,
                         supplei_joint_turn *turns) {
  for (uint32_t j = 0; j < m->joint_count; j++) {
    supple_affine64 matrix = supple_affine_to_double(&palette->matrices[j]);
    supple_split split =
        supple_split_polar(&matrix, palette->rotations ? &palette->rotations[j] : NULL,
                           palette->mirrored && palette->mirrored[j]);
    supple_mat3 linear = supple_affine64_linear(&matrix), u, v;
    double values[3];
    supple_mat3_svd(&linear, &u, values, &v);
    turns[j].rotation = supple_mat3_from_quat(split.rotation);
    turns[j].breadth = sqrt(values[1] * values[2]);
    turns[j].quat = split.rotation;
  }
  for (uint32_t j = 0; j < m->joint_count; j++) {
    uint32_t parent = m->instance->skin->parents[j];
    turns[j].turn =
        parent < m->joint_count ? 1 - fabs(supple_quat_dot(turns[j].quat, turns[parent].quat)) : 0;
  }
}

supple_vec3 supplei_turn_normal(const supple_measure *m, const supplei_joint_turn *turns,
                                uint32_t source, supple_vec3 normal) {
  const uint16_t *joints;
  const float *weights;
  uint32_t n = supplei_source_influences(m, source, &joints, &weights);
  supple_vec3 sum = {0, 0, 0};
  for (uint32_t i = 0; i < n; i++) {
    supple_vec3 turned = supple_mat3_apply(&turns[joints[i]].rotation, normal);
    sum = supple_vec3_add(sum, supple_vec3_scale(turned, (double)weights[i]));
  }
  return n ? sum : normal;
}

/* The product of the two smaller singular values of L: |det L| over the largest, which is the root of the
 * largest eigenvalue of LᵀL (Smith 1961, in closed form). */
static double smaller_product(const supple_mat3 *l) {
  double c[3][3];
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++)
      c[r][k] = l->m[0][r] * l->m[0][k] + l->m[1][r] * l->m[1][k] + l->m[2][r] * l->m[2][k];
  double mean = (c[0][0] + c[1][1] + c[2][2]) / 3;
  double off = c[0][1] * c[0][1] + c[0][2] * c[0][2] + c[1][2] * c[1][2];
  supple_mat3 b = {{{c[0][0] - mean, c[0][1], c[0][2]},
                    {c[1][0], c[1][1] - mean, c[1][2]},
                    {c[2][0], c[2][1], c[2][2] - mean}}};
  double squares = b.m[0][0] * b.m[0][0] + b.m[1][1] * b.m[1][1] + b.m[2][2] * b.m[2][2] + 2 * off;
  double p = sqrt(squares / 6), largest = mean;
  if (p > 1e-12 * mean) {
    double half = supple_mat3_determinant(&b) / (p * p * p) / 2;
    largest = mean + 2 * p * supple_cos(supple_acos(half) / 3);
  }
  return largest <= 0 ? 0 : fabs(supple_mat3_determinant(l)) / sqrt(largest); /* NaN stays NaN */
}

static double kept_at(const supple_prepared *prepared, uint32_t vertex,
                      const supplei_joint_turn *turns, const uint16_t *joints, const float *weights,
                      uint32_t count) {
  double breadth = 0;
  for (uint32_t i = 0; i < count; i++) breadth += (double)weights[i] * turns[joints[i]].breadth;
  if (breadth <= 1e-30) return 1; /* scaled to nothing: as it should be */
  supple_mat3 linear = supple_prepared_linear(prepared, vertex);
  return smaller_product(&linear) / (breadth * breadth);
}

static void lower(double *least, double value) {
  if (!(value >= *least)) *least = value; /* anything is below the NaN it starts with */
}

/* Of a vertex's joints the one that turns most against its parent: where it bends. */
static uint32_t bending_joint(const supplei_joint_turn *turns, const uint16_t *joints,
                              uint32_t count) {
  uint32_t most = 0;
  for (uint32_t i = 1; i < count; i++)
    if (turns[joints[i]].turn > turns[joints[most]].turn) most = i;
  return joints[most];
}

double supplei_measure_kept(const supple_measure *m, const supple_prepared *const *prepared,
                            const supplei_joint_turn *turns, supple_joint_measure *joints) {
  double below = 0;
  uint32_t primitive = 0;
  for (uint32_t i = 0; i < m->blended_count; i++) {
    uint32_t source = m->blended[i];
    while (source >= m->surface.begins[primitive + 1]) primitive++;
    uint32_t vertex = source - m->surface.begins[primitive];
    const uint16_t *names;
    const float *weights;
    uint32_t n = supple_binding_influences(m->bindings[primitive], vertex, &names, &weights);
    double kept = kept_at(prepared[primitive], vertex, turns, names, weights, n);
    if (kept < m->options.threshold) below += m->areas[source];
    if (!joints || isnan(kept)) continue;
    for (uint32_t k = 0; k < n; k++) lower(&joints[names[k]].kept, kept);
    lower(&joints[bending_joint(turns, names, n)].own_kept, kept);
  }
  return m->area > 0 ? below / m->area : 0;
}

supple_result supple_measure_kept(const supple_measure *measure, const supple_measure_frame *frame,
                                  uint32_t primitive, double *kept) {
  const supple_measure *m = measure;
  if (frame->palette->joint_count < m->joint_count || primitive >= m->instance->primitive_count)
    return SUPPLE_ERROR_ARGUMENT;
  const uint32_t count = m->instance->primitives[primitive]->vertex_count;
  const uint32_t begin = m->surface.begins[primitive], end = m->surface.begins[primitive + 1];
  for (uint32_t i = 0; i < count; i++) kept[i] = 1;
  if (end - begin != count) return SUPPLE_OK; /* left out */
  supplei_joint_turn *turns = supplei_allocate(&m->allocator, m->joint_count, sizeof *turns);
  if (!turns) return SUPPLE_ERROR_MEMORY;
  supplei_turn_joints(m, frame->palette, turns);
  for (uint32_t i = 0; i < m->blended_count; i++) {
    if (m->blended[i] < begin || m->blended[i] >= end) continue;
    const uint32_t vertex = m->blended[i] - begin;
    const uint16_t *joints;
    const float *weights;
    uint32_t n = supple_binding_influences(m->bindings[primitive], vertex, &joints, &weights);
    kept[vertex] = kept_at(frame->prepared[primitive], vertex, turns, joints, weights, n);
  }
  supplei_release(&m->allocator, turns, m->joint_count, sizeof *turns);
  return SUPPLE_OK;
}
