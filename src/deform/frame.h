/* frame.h: what becomes of a normal and a tangent under the linear part of a deformation, in float and in a
 * fixed order of operations, so that every instruction set gives the same bits. */
#ifndef SUPPLEI_FRAME_H
#define SUPPLEI_FRAME_H

#include "../../include/supple/deform.h"
#include "prepared.h"

#include <float.h>
#include <math.h>

typedef struct supplei_vec3f {
  float x, y, z;
} supplei_vec3f;

static inline supplei_vec3f supplei_vec3f_scale(supplei_vec3f a, float s) {
  return (supplei_vec3f){a.x * s, a.y * s, a.z * s};
}
static inline supplei_vec3f supplei_vec3f_add(supplei_vec3f a, supplei_vec3f b) {
  return (supplei_vec3f){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline supplei_vec3f supplei_vec3f_subtract(supplei_vec3f a, supplei_vec3f b) {
  return (supplei_vec3f){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline float supplei_vec3f_dot(supplei_vec3f a, supplei_vec3f b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline supplei_vec3f supplei_vec3f_cross(supplei_vec3f a, supplei_vec3f b) {
  return (supplei_vec3f){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline supplei_vec3f supplei_mat3f_row(const supplei_mat3f *a, int r) {
  return (supplei_vec3f){a->m[r][0], a->m[r][1], a->m[r][2]};
}
static inline supplei_vec3f supplei_mat3f_apply(const supplei_mat3f *a, supplei_vec3f v) {
  return (supplei_vec3f){supplei_vec3f_dot(supplei_mat3f_row(a, 0), v),
                         supplei_vec3f_dot(supplei_mat3f_row(a, 1), v),
                         supplei_vec3f_dot(supplei_mat3f_row(a, 2), v)};
}

/* L with what both need of it. `matrix` is L as it is; the rest is of L times a power of two that brings
 * extreme scales into reach, since squares of squares would leave the range of float. */
typedef struct supplei_linear {
  supplei_mat3f matrix, scaled, cofactor;
  float determinant;
  float size; /* squared Frobenius norm */
} supplei_linear;

static inline float supplei_mat3f_size(const supplei_mat3f *a) {
  supplei_vec3f r0 = supplei_mat3f_row(a, 0), r1 = supplei_mat3f_row(a, 1),
                r2 = supplei_mat3f_row(a, 2);
  return supplei_vec3f_dot(r0, r0) + supplei_vec3f_dot(r1, r1) + supplei_vec3f_dot(r2, r2);
}

/* Exactly a times the power of two that makes its largest entry lie in [1/2, 1); a where it is zero. */
static inline supplei_mat3f supplei_mat3f_rescale(const supplei_mat3f *a) {
  float largest = 0;
  supplei_mat3f scaled = *a;
  int exponent = 0;
  for (int k = 0; k < 9; k++) {
    float entry = fabsf(a->m[k / 3][k % 3]);
    if (entry > largest) largest = entry;
  }
  (void)frexp((double)largest, &exponent);
  for (int k = 0; k < 9; k++)
    scaled.m[k / 3][k % 3] = (float)ldexp((double)a->m[k / 3][k % 3], -exponent);
  return scaled;
}

static inline supplei_linear supplei_linear_of(const supplei_mat3f *matrix) {
  supplei_linear l = {.matrix = *matrix, .scaled = *matrix, .size = supplei_mat3f_size(matrix)};
  if (!(l.size >= 1e-10f && l.size <= 1e10f)) {
    l.scaled = supplei_mat3f_rescale(matrix);
    l.size = supplei_mat3f_size(&l.scaled);
  }
  supplei_vec3f r0 = supplei_mat3f_row(&l.scaled, 0), r1 = supplei_mat3f_row(&l.scaled, 1),
                r2 = supplei_mat3f_row(&l.scaled, 2);
  supplei_vec3f c[3] = {supplei_vec3f_cross(r1, r2), supplei_vec3f_cross(r2, r0),
                        supplei_vec3f_cross(r0, r1)};
  for (int r = 0; r < 3; r++)
    l.cofactor.m[r][0] = c[r].x, l.cofactor.m[r][1] = c[r].y, l.cofactor.m[r][2] = c[r].z;
  l.determinant = supplei_vec3f_dot(r0, c[0]);
  return l;
}

/* Squared length below which a vector of this squared size has vanished in rounding. */
static inline bool supplei_is_direction(float squared, float size) {
  return squared > 1e-12f * size && squared <= FLT_MAX;
}

/* The new normal; see supple_normals. */
static inline supplei_vec3f supplei_deform_normal(const supplei_linear *l, supplei_vec3f n,
                                                  supple_normals mode, supple_deform_report *report) {
  if (mode == SUPPLE_NORMALS_LINEAR) return supplei_mat3f_apply(&l->matrix, n);
  supplei_vec3f by_linear = supplei_mat3f_apply(&l->scaled, n);
  float own = supplei_vec3f_dot(n, n);
  if (mode == SUPPLE_NORMALS_COFACTOR) {
    supplei_vec3f c = supplei_mat3f_apply(&l->cofactor, n);
    float cc = supplei_vec3f_dot(c, c);
    if (supplei_is_direction(cc, l->size * l->size * own)) {
      float length = sqrtf(cc);
      return supplei_vec3f_scale(c, (l->determinant < 0 ? -1.0f : 1.0f) / length);
    }
    report->vanished_normals++;
  }
  float bb = supplei_vec3f_dot(by_linear, by_linear);
  if (supplei_is_direction(bb, l->size * own))
    return supplei_vec3f_scale(by_linear, 1.0f / sqrtf(bb));
  return own > 0 && own <= FLT_MAX ? supplei_vec3f_scale(n, 1.0f / sqrtf(own)) : n;
}

/* A unit vector perpendicular to the unit vector n: from the axis it is furthest from. */
static inline supplei_vec3f supplei_perpendicular(supplei_vec3f n) {
  float x = fabsf(n.x), y = fabsf(n.y), z = fabsf(n.z);
  supplei_vec3f axis = {x <= y && x <= z ? 1.0f : 0.0f, y < x && y <= z ? 1.0f : 0.0f, 0};
  if (axis.x == 0 && axis.y == 0) axis.z = 1;
  supplei_vec3f p = supplei_vec3f_cross(n, axis);
  float pp = supplei_vec3f_dot(p, p);
  return pp > 0 ? supplei_vec3f_scale(p, 1.0f / sqrtf(pp)) : axis;
}

/* The direction of a moved tangent beside the new normal n (NULL: there is none), at unit length; `size` is
 * the squared length that a unit tangent may have after moving. */
static inline supplei_vec3f supplei_tangent_beside(supplei_vec3f moved, supplei_vec3f t, float size,
                                                   const supplei_vec3f *n,
                                                   supple_deform_report *report) {
  float before = supplei_vec3f_dot(moved, moved);
  bool direction = supplei_is_direction(before, supplei_vec3f_dot(t, t) * size);
  if (n)
    moved = supplei_vec3f_subtract(moved, supplei_vec3f_scale(*n, supplei_vec3f_dot(*n, moved)));
  float after = supplei_vec3f_dot(moved, moved);
  /* What little is left of a tangent within 1/1000 of the normal would be rounding. */
  if (direction && after > 1e-6f * before) return supplei_vec3f_scale(moved, 1.0f / sqrtf(after));
  report->vanished_tangents++;
  return n ? supplei_perpendicular(*n) : t;
}

/* The new tangent's direction under L; n is the new normal, or NULL where there is none. */
static inline supplei_vec3f supplei_deform_tangent(const supplei_linear *l, supplei_vec3f t,
                                                   const supplei_vec3f *n, supple_normals mode,
                                                   supple_deform_report *report) {
  if (mode == SUPPLE_NORMALS_LINEAR) return supplei_mat3f_apply(&l->matrix, t);
  return supplei_tangent_beside(supplei_mat3f_apply(&l->scaled, t), t, l->size, n, report);
}

/* The new normal where L is a rotation times a scale of this sign; `turned` is n rotated. */
static inline supplei_vec3f supplei_turned_normal(supplei_vec3f turned, supplei_vec3f n, float sign,
                                                  supple_normals mode, supple_deform_report *report) {
  float own = supplei_vec3f_dot(n, n), nn = supplei_vec3f_dot(turned, turned);
  if (supplei_is_direction(nn, own)) return supplei_vec3f_scale(turned, sign / sqrtf(nn));
  report->vanished_normals += mode == SUPPLE_NORMALS_COFACTOR;
  return own > 0 && own <= FLT_MAX ? supplei_vec3f_scale(n, 1.0f / sqrtf(own)) : n;
}

#endif
