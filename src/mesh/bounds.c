/* bounds.c: tight boxes from vertices, and conservative posed boxes from one box a joint. */
#include "../base/prologue.h"

#include "binding.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const supple_bounds empty_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static void include_point(supple_bounds *box, const float *point) {
  if (!isfinite(point[0]) || !isfinite(point[1]) || !isfinite(point[2])) return;
  for (int c = 0; c < 3; c++) {
    if (point[c] < box->min[c]) box->min[c] = point[c];
    if (point[c] > box->max[c]) box->max[c] = point[c];
  }
}

static bool is_empty(const supple_bounds *box) { return !(box->min[0] <= box->max[0]); }

supple_bounds supple_bounds_of(supple_stream positions, uint32_t count) {
  supple_bounds box = empty_box;
  const char *at = (const char *)positions.data;
  for (uint32_t i = 0; i < count; i++, at += positions.stride) {
    float point[3];
    memcpy(point, at, sizeof point);
    include_point(&box, point);
  }
  return box;
}

supple_bounds supple_bounds_join(supple_bounds a, supple_bounds b) {
  for (int c = 0; c < 3; c++) {
    if (b.min[c] < a.min[c]) a.min[c] = b.min[c];
    if (b.max[c] > a.max[c]) a.max[c] = b.max[c];
  }
  return a;
}

void supplei_binding_measure_boxes(supple_binding *b, const supple_primitive *primitive) {
  for (uint32_t j = 0; j < b->joint_limit; j++) b->joint_boxes[j] = empty_box;
  b->rest_box = empty_box;
  for (uint32_t v = 0; primitive->positions && v < b->vertex_count; v++) {
    const float *point = primitive->positions + 3 * (size_t)v;
    for (uint32_t i = b->offsets[v]; i < b->offsets[v + 1]; i++)
      include_point(&b->joint_boxes[b->joints[i]], point);
    if (b->offsets[v] == b->offsets[v + 1]) include_point(&b->rest_box, point);
  }
  for (uint32_t t = 0; t < b->target_count; t++) {
    const float *offsets = primitive->targets[t].positions;
    b->target_boxes[t] = empty_box;
    for (uint32_t v = 0; offsets && v < b->vertex_count; v++)
      include_point(&b->target_boxes[t], offsets + 3 * (size_t)v);
  }
}

/* Adds to lo and hi the range of the morph offsets: each target between nothing and all of it, since a
 * vertex of a box may have any of them. */
static void morph_range(const supple_binding *b, const float *weights, double lo[3], double hi[3]) {
  for (uint32_t t = 0; weights && t < b->target_count; t++) {
    if (is_empty(&b->target_boxes[t])) continue;
    for (int c = 0; c < 3; c++) {
      double at_min = (double)weights[t] * (double)b->target_boxes[t].min[c];
      double at_max = (double)weights[t] * (double)b->target_boxes[t].max[c];
      lo[c] += fmin(at_min, at_max);
      hi[c] += fmax(at_min, at_max);
    }
  }
}

typedef struct range {
  double lo[3], hi[3];
} range;

static void grow(range *all, const range *one) {
  for (int c = 0; c < 3; c++) {
    all->lo[c] = fmin(all->lo[c], one->lo[c]);
    all->hi[c] = fmax(all->hi[c], one->hi[c]);
  }
}

/* The box under the joint's matrix, with the size of its largest term, which bounds the rounding. */
static range transform(const supple_affine *m, const range *box, double *size) {
  range out;
  for (int r = 0; r < 3; r++) {
    out.lo[r] = out.hi[r] = (double)m->m[r][3];
    *size = fmax(*size, fabs((double)m->m[r][3]));
    for (int c = 0; c < 3; c++) {
      double a = (double)m->m[r][c] * box->lo[c], b = (double)m->m[r][c] * box->hi[c];
      out.lo[r] += fmin(a, b);
      out.hi[r] += fmax(a, b);
      *size = fmax(*size, fmax(fabs(a), fabs(b)));
    }
  }
  return out;
}

/* The box of a vertex group in the bind pose, morph offsets counted in. */
static range rest_range(const supple_bounds *box, const double lo[3], const double hi[3]) {
  range out;
  for (int c = 0; c < 3; c++) {
    out.lo[c] = (double)box->min[c] + lo[c];
    out.hi[c] = (double)box->max[c] + hi[c];
  }
  return out;
}

/* A kept sum s multiplies a convex combination: the hull over all s in use. */
static void apply_sums(const supple_binding *b, range *all) {
  double least = (double)b->least_sum, most = (double)b->most_sum;
  for (int c = 0; c < 3; c++) {
    all->lo[c] = fmin(all->lo[c] * least, all->lo[c] * most);
    all->hi[c] = fmax(all->hi[c] * least, all->hi[c] * most);
  }
}

supple_bounds supple_binding_bounds(const supple_binding *binding, const supple_palette *palette,
                                    const float *morph_weights) {
  double lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0}, size = 0;
  morph_range(binding, morph_weights, lo, hi);
  range all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
  for (uint32_t j = 0; j < binding->joint_limit && j < palette->joint_count; j++) {
    if (is_empty(&binding->joint_boxes[j])) continue;
    range rest = rest_range(&binding->joint_boxes[j], lo, hi);
    range posed = transform(&palette->matrices[j], &rest, &size);
    grow(&all, &posed);
  }
  if (binding->sums && all.lo[0] <= all.hi[0]) {
    apply_sums(binding, &all);
    size *= fmax((double)binding->most_sum, 1.0);
  }
  if (!is_empty(&binding->rest_box)) {
    range rest = rest_range(&binding->rest_box, lo, hi);
    grow(&all, &rest);
  }
  if (!(all.lo[0] <= all.hi[0])) return empty_box;
  /* Kernels round in float, and their weights sum to 1 only up to rounding. */
  double slack = 1e-5 * (size + fmax(fabs(all.lo[0]), fabs(all.hi[0])));
  supple_bounds box;
  for (int c = 0; c < 3; c++) {
    box.min[c] = (float)(all.lo[c] - slack);
    box.max[c] = (float)(all.hi[c] + slack);
  }
  return box;
}
