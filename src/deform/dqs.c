/* dqs.c: dual quaternion skinning of one vertex: the reference of the kernels, operation by operation.
 *
 * r = sum w q, v' = vec((sum w p q) r*) / |r|^2 with p = M v. For joints M = s Q that reduces to 8 numbers:
 * with d = sum w (T, 0) q / 2, (v0, w0) the real and (ve, we) the dual part, x = s v,
 * v' = x + 2 / |r|^2 (v0 × (v0 × x + w0 x) + w0 ve - we v0 + v0 × ve): Kavan et al. 2008, algorithm 1, with
 * the division left to the end. For all other joints p q is linear in (v, 1), so that 16 numbers a joint
 * are blended beside the 4 of q. */
#include "../base/prologue.h"

#include "vertex.h"

static void blend_rigid(const supple_prepared *p, const supplei_vertex *vertex, supplei_blend *b) {
  const float *pivot = p->rigid[vertex->joints[vertex->pivot]].real;
  for (uint32_t i = 0; i < vertex->count; i++) {
    const supplei_rigid *joint = &p->rigid[vertex->joints[i]];
    float w = supplei_signed_weight(p, vertex->joints, vertex->weights, i, pivot);
    for (int k = 0; k < 4; k++) b->real[k] += w * joint->real[k];
    for (int k = 0; k < 4; k++) b->dual[k] += w * joint->dual[k];
  }
}

static void blend_affine(const supple_prepared *p, const supplei_vertex *vertex, supplei_blend *b) {
  const float *pivot = p->rigid[vertex->joints[vertex->pivot]].real;
  for (uint32_t i = 0; i < vertex->count; i++) {
    const supplei_affine_quat *joint = &p->affine[vertex->joints[i]];
    float w = supplei_signed_weight(p, vertex->joints, vertex->weights, i, pivot);
    for (int k = 0; k < 16; k++) (&b->numerator[0][0])[k] += w * (&joint->numerator[0][0])[k];
    for (int k = 0; k < 4; k++) b->real[k] += w * joint->real[k];
  }
}

/* Kavan 2008, 4.2: the scales are blended linearly, apart from the motions. */
static void blend_stretch(const supple_prepared *p, const supplei_vertex *vertex, supplei_blend *b) {
  for (uint32_t i = 0; i < vertex->count; i++)
    for (int k = 0; k < 9; k++)
      (&b->stretch.m[0][0])[k] += vertex->weights[i] * (&p->stretch[vertex->joints[i]].m[0][0])[k];
}

supplei_blend supplei_dqs_blend(const supple_prepared *p, const supplei_vertex *vertex) {
  supplei_blend b = {.scale = p->scale};
  if (p->path == SUPPLEI_PATH_AFFINE && !supplei_all_rigid(p, vertex->joints, vertex->count)) {
    b.kind = SUPPLEI_KIND_AFFINE;
    blend_affine(p, vertex, &b);
  } else {
    b.kind = p->path == SUPPLEI_PATH_FIRST ? SUPPLEI_KIND_FIRST : SUPPLEI_KIND_RIGID;
    blend_rigid(p, vertex, &b);
    if (b.kind == SUPPLEI_KIND_FIRST) blend_stretch(p, vertex, &b);
  }
  b.squared = supplei_dot4(b.real, b.real);
  return b;
}

/* v0 × v + w0 v */
static supplei_vec3f half_turn(const supplei_blend *b, supplei_vec3f v) {
  supplei_vec3f u = {b->real[0], b->real[1], b->real[2]};
  return supplei_vec3f_add(supplei_vec3f_cross(u, v), supplei_vec3f_scale(v, b->real[3]));
}

supplei_vec3f supplei_dqs_rotate(const supplei_blend *b, supplei_vec3f v) {
  supplei_vec3f u = {b->real[0], b->real[1], b->real[2]};
  supplei_vec3f turned = supplei_vec3f_cross(u, half_turn(b, v));
  return supplei_vec3f_add(v, supplei_vec3f_scale(turned, 2.0f / b->squared));
}

/* x turned and moved. */
static supplei_vec3f rigid_point(const supplei_blend *b, supplei_vec3f x) {
  supplei_vec3f u = {b->real[0], b->real[1], b->real[2]}, ve = {b->dual[0], b->dual[1], b->dual[2]};
  supplei_vec3f moved =
      supplei_vec3f_add(supplei_vec3f_subtract(supplei_vec3f_scale(ve, b->real[3]),
                                               supplei_vec3f_scale(u, b->dual[3])),
                        supplei_vec3f_cross(u, ve));
  supplei_vec3f sum = supplei_vec3f_add(supplei_vec3f_cross(u, half_turn(b, x)), moved);
  return supplei_vec3f_add(x, supplei_vec3f_scale(sum, 2.0f / b->squared));
}

/* vec(a r*) / |r|², a = (a_v, a_w). */
static supplei_vec3f divide(const supplei_blend *b, supplei_vec3f a, float aw) {
  supplei_vec3f r = {b->real[0], b->real[1], b->real[2]};
  supplei_vec3f sum =
      supplei_vec3f_subtract(supplei_vec3f_scale(a, b->real[3]), supplei_vec3f_scale(r, aw));
  sum = supplei_vec3f_subtract(sum, supplei_vec3f_cross(a, r));
  return supplei_vec3f_scale(sum, 1.0f / b->squared);
}

static float numerator_row(const float row[4], supplei_vec3f v) {
  return row[0] * v.x + row[1] * v.y + row[2] * v.z + row[3];
}

supplei_vec3f supplei_dqs_point(const supplei_blend *b, supplei_vec3f v) {
  switch (b->kind) {
  case SUPPLEI_KIND_AFFINE: {
    supplei_vec3f a = {numerator_row(b->numerator[0], v), numerator_row(b->numerator[1], v),
                       numerator_row(b->numerator[2], v)};
    return divide(b, a, numerator_row(b->numerator[3], v));
  }
  case SUPPLEI_KIND_FIRST: v = supplei_mat3f_apply(&b->stretch, v); break;
  case SUPPLEI_KIND_RIGID: v = supplei_vec3f_scale(v, b->scale); break;
  }
  return rigid_point(b, v);
}

static supplei_vec3f linear_column(const supplei_blend *b, int c) {
  supplei_vec3f unit = {c == 0 ? 1.0f : 0.0f, c == 1 ? 1.0f : 0.0f, c == 2 ? 1.0f : 0.0f};
  switch (b->kind) {
  case SUPPLEI_KIND_AFFINE:
    return divide(b, (supplei_vec3f){b->numerator[0][c], b->numerator[1][c], b->numerator[2][c]},
                  b->numerator[3][c]);
  case SUPPLEI_KIND_FIRST:
    return supplei_dqs_rotate(
        b, (supplei_vec3f){b->stretch.m[0][c], b->stretch.m[1][c], b->stretch.m[2][c]});
  case SUPPLEI_KIND_RIGID: break;
  }
  return supplei_vec3f_scale(supplei_dqs_rotate(b, unit), b->scale);
}

supplei_mat3f supplei_dqs_linear(const supplei_blend *b) {
  supplei_mat3f linear;
  for (int c = 0; c < 3; c++) {
    supplei_vec3f column = linear_column(b, c);
    linear.m[0][c] = column.x, linear.m[1][c] = column.y, linear.m[2][c] = column.z;
  }
  return linear;
}
