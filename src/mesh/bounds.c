/* bounds.c: tight boxes from vertices, and conservative posed boxes from one box a joint. */
#include "../base/prologue.h"

#include "binding.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const supple_bounds empty_box = {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};

static bool is_point(const float *point) {
  return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

static void include_point(supple_bounds *box, const float *point) {
  for (int c = 0; c < 3; c++) {
    box->min[c] = point[c] < box->min[c] ? point[c] : box->min[c];
    box->max[c] = point[c] > box->max[c] ? point[c] : box->max[c];
  }
}

static bool is_empty(const supple_bounds *box) { return !(box->min[0] <= box->max[0]); }

supple_bounds supple_bounds_of(supple_stream positions, uint32_t count) {
  supple_bounds box = empty_box;
  for (size_t i = 0; i < count; i++) {
    float point[3];
    memcpy(point, (const char *)positions.data + i * positions.stride, sizeof point);
    if (is_point(point)) include_point(&box, point);
  }
  return box;
}

supple_bounds supple_bounds_join(supple_bounds a, supple_bounds b) {
  if (is_empty(&a) || is_empty(&b)) return is_empty(&a) ? b : a; /* whatever numbers say so */
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
    const float *point = primitive->positions + 3 * (size_t)(b->order ? b->order[v] : v);
    if (!is_point(point)) continue;
    for (uint32_t i = b->offsets[v]; i < b->offsets[v + 1]; i++)
      include_point(&b->joint_boxes[b->joints[i]], point);
    if (b->offsets[v] == b->offsets[v + 1]) include_point(&b->rest_box, point);
  }
  for (uint32_t t = 0; t < b->target_count; t++) {
    const float *offsets = primitive->targets[t].positions;
    b->target_boxes[t] = empty_box;
    for (size_t v = 0; offsets && v < b->vertex_count; v++)
      if (is_point(offsets + 3 * v)) include_point(&b->target_boxes[t], offsets + 3 * v);
  }
}

typedef struct range {
  double lo[3], hi[3];
  double size[3]; /* of the largest term, which bounds the rounding */
} range;

/* Of the morph offsets of any vertex. */
static range morph_range(const supple_binding *b, const float *weights) {
  range out = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (uint32_t t = 0; weights && t < b->target_count; t++) {
    if (is_empty(&b->target_boxes[t])) continue;
    for (int c = 0; c < 3; c++) {
      double at_min = (double)weights[t] * (double)b->target_boxes[t].min[c];
      double at_max = (double)weights[t] * (double)b->target_boxes[t].max[c];
      out.lo[c] += fmin(at_min, at_max);
      out.hi[c] += fmax(at_min, at_max);
      out.size[c] += fmax(fabs(at_min), fabs(at_max));
    }
  }
  return out;
}

static void grow(range *all, const range *one) {
  for (int c = 0; c < 3; c++) {
    all->lo[c] = fmin(all->lo[c], one->lo[c]);
    all->hi[c] = fmax(all->hi[c], one->hi[c]);
    all->size[c] = fmax(all->size[c], one->size[c]);
  }
}

/* The box under the joint's matrix. */
static range transform(const supple_affine *m, const range *box) {
  range out;
  for (int r = 0; r < 3; r++) {
    out.lo[r] = out.hi[r] = (double)m->m[r][3];
    out.size[r] = fabs((double)m->m[r][3]);
    for (int c = 0; c < 3; c++) {
      double a = (double)m->m[r][c] * box->lo[c], b = (double)m->m[r][c] * box->hi[c];
      out.lo[r] += fmin(a, b);
      out.hi[r] += fmax(a, b);
      out.size[r] = fmax(out.size[r], fabs((double)m->m[r][c]) * box->size[c]);
    }
  }
  return out;
}

/* The box of a vertex group in the bind pose, morph offsets counted in. */
static range rest_range(const supple_bounds *box, const range *morph) {
  range out;
  for (int c = 0; c < 3; c++) {
    double least = (double)box->min[c], most = (double)box->max[c];
    out.lo[c] = least + morph->lo[c];
    out.hi[c] = most + morph->hi[c];
    out.size[c] = fmax(fabs(least), fabs(most)) + morph->size[c];
  }
  return out;
}

/* A kept sum s multiplies a convex combination: the hull over all s in use. */
static void apply_sums(const supple_binding *b, range *all) {
  double least = (double)b->least_sum, most = (double)b->most_sum;
  for (int c = 0; c < 3; c++) {
    all->lo[c] = fmin(all->lo[c] * least, all->lo[c] * most);
    all->hi[c] = fmax(all->hi[c] * least, all->hi[c] * most);
    all->size[c] *= most;
  }
}

supple_bounds supple_binding_bounds(const supple_binding *binding, const supple_palette *palette,
                                    const float *morph_weights) {
  range morph = morph_range(binding, morph_weights);
  range all = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {0, 0, 0}};
  double reach = 1;
  for (uint32_t j = 0; j < binding->joint_limit && j < palette->joint_count; j++) {
    if (is_empty(&binding->joint_boxes[j])) continue;
    range rest = rest_range(&binding->joint_boxes[j], &morph);
    for (int c = 0; c < 3; c++) reach = fmax(reach, fmax(fabs(rest.lo[c]), fabs(rest.hi[c])));
    range posed = transform(&palette->matrices[j], &rest);
    grow(&all, &posed);
  }
  if (binding->sums && all.lo[0] <= all.hi[0]) apply_sums(binding, &all);
  if (!is_empty(&binding->rest_box)) {
    range rest = rest_range(&binding->rest_box, &morph);
    grow(&all, &rest);
  }
  if (!(all.lo[0] <= all.hi[0])) return empty_box;
  /* Kernels round in float, and their weights sum to 1 only up to rounding: each of a coordinate's four terms
   * is a sum over the influences and is rounded some more times after it, so are the targets' offsets. Numbers
   * too small for a float's full precision are rounded by up to the smallest float, before coordinates and
   * kept sums multiply them. */
  double roundings =
      (double)binding->report.most_influences + 2.0 * (double)binding->target_count + 16;
  double smallest = roundings * (double)FLT_TRUE_MIN * reach *
                    (binding->sums ? fmax((double)binding->most_sum, 1) : 1);
  supple_bounds box;
  for (int c = 0; c < 3; c++) {
    double slack = 2 * (double)FLT_EPSILON * roundings * all.size[c];
    if (all.size[c] > 0) slack += smallest;
    box.min[c] = (float)(all.lo[c] - slack);
    box.max[c] = (float)(all.hi[c] + slack);
  }
  return box;
}
