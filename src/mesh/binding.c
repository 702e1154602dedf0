/* binding.c: compiles a primitive's influences once for every skin and frame. */
#include "../base/prologue.h"

#include "binding.h"

#include "../base/error.h"
#include "../base/memory.h"
#include "influences.h"
#include "order.h"

#include <float.h>
#include <math.h>
#include <string.h>

void supple_binding_destroy(supple_binding *binding) {
  if (!binding) return;
  supple_allocator a = binding->allocator;
  size_t n = binding->vertex_count;
  supplei_release(&a, binding->offsets, n + 1, sizeof *binding->offsets);
  supplei_release(&a, binding->joints, binding->capacity, sizeof *binding->joints);
  supplei_release(&a, binding->weights, binding->capacity, sizeof *binding->weights);
  supplei_release(&a, binding->pivots, n, sizeof *binding->pivots);
  supplei_release(&a, binding->sums, n, sizeof *binding->sums);
  supplei_release(&a, binding->joint_boxes, binding->joint_limit, sizeof *binding->joint_boxes);
  supplei_release(&a, binding->target_boxes, binding->target_count, sizeof *binding->target_boxes);
  supplei_release(&a, binding->order, n, sizeof *binding->order);
  supplei_blocks_free(binding);
  supplei_release(&a, binding, 1, sizeof *binding);
}

/* How many influences can remain at most: the weights that are not zero, at least one a vertex. */
static supple_result count_influences(const supple_primitive *primitive, uint32_t *capacity,
                                      supple_error *error) {
  uint64_t total = 0;
  size_t k = primitive->influence_count;
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    uint32_t n = 0;
    for (size_t i = 0; i < k; i++) {
      float w = primitive->weights[v * k + i];
      if (!isfinite(w))
        return supplei_fail(error, SUPPLE_ERROR_NUMBER, NULL, SIZE_MAX,
                            "weight %zu of vertex %zu is not finite; set it to a number", i, v);
      n += w != 0.0f;
    }
    total += n ? n : 1;
  }
  if (total > UINT32_MAX)
    return supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                        "more than 4294967295 influences in one primitive; split the mesh");
  *capacity = (uint32_t)total;
  return SUPPLE_OK;
}

static bool allocate(supple_binding *b) {
  const supple_allocator *a = &b->allocator;
  b->offsets = supplei_allocate(a, (size_t)b->vertex_count + 1, sizeof *b->offsets);
  b->joints = supplei_allocate(a, b->capacity, sizeof *b->joints);
  b->weights = supplei_allocate(a, b->capacity, sizeof *b->weights);
  b->pivots = supplei_allocate(a, b->vertex_count, sizeof *b->pivots);
  return b->offsets && b->joints && b->weights && b->pivots;
}

/* Finite weights may have a sum that is not, as a float. */
static float float_sum(double sum) { return sum < (double)FLT_MAX ? (float)sum : FLT_MAX; }

static void note_sum(supple_binding_report *report, double sum, bool first) {
  float s = float_sum(sum);
  if (first || s < report->smallest_sum) report->smallest_sum = s;
  if (first || s > report->largest_sum) report->largest_sum = s;
}

static void keep_sum(supple_binding *b, uint32_t v, float sum) {
  b->sums[v] = sum;
  if (v == 0 || sum < b->least_sum) b->least_sum = sum;
  if (v == 0 || sum > b->most_sum) b->most_sum = sum;
}

static void fill(supple_binding *b, const supple_primitive *primitive,
                 const supple_binding_options *options, supplei_influence *scratch) {
  size_t k = primitive->influence_count;
  uint32_t at = 0, limit = 0;
  supple_binding_report *report = &b->report;
  for (uint32_t v = 0; v < b->vertex_count; v++) {
    uint32_t pivot;
    double sum;
    uint32_t n = supplei_influences_clean(primitive->joints + v * k, primitive->weights + v * k,
                                          (uint32_t)k, options, scratch, &pivot, &sum, report);
    note_sum(report, sum, v == 0);
    b->offsets[v] = at;
    b->pivots[v] = (uint16_t)pivot;
    if (b->sums) keep_sum(b, v, sum > 0 ? float_sum(sum) : 1.0f);
    for (uint32_t i = 0; i < n; i++, at++) {
      b->joints[at] = scratch[i].joint;
      b->weights[at] = (float)scratch[i].weight;
      if (scratch[i].joint >= limit) limit = scratch[i].joint + 1u;
    }
    if (n > report->most_influences) report->most_influences = n;
  }
  b->offsets[b->vertex_count] = at;
  b->joint_limit = limit;
  report->vertices = b->vertex_count;
  report->influences = at;
  if (!b->vertex_count) report->smallest_sum = report->largest_sum = 1;
}

/* Rewrites the influences, vertices in the order of `order`. */
static void permute(supple_binding *b, const supple_binding *from) {
  uint32_t at = 0;
  for (uint32_t v = 0; v < b->vertex_count; v++) {
    uint32_t old = b->order[v], begin = from->offsets[old], n = from->offsets[old + 1] - begin;
    b->offsets[v] = at;
    b->pivots[v] = from->pivots[old];
    if (b->sums) b->sums[v] = from->sums[old];
    if (n) {
      memcpy(b->joints + at, from->joints + begin, n * sizeof *b->joints);
      memcpy(b->weights + at, from->weights + begin, n * sizeof *b->weights);
    }
    at += n;
  }
  b->offsets[b->vertex_count] = at;
}

static bool sort(supple_binding *b) {
  const supple_allocator *a = &b->allocator;
  supple_binding old = *b;
  b->offsets = NULL, b->joints = NULL, b->weights = NULL, b->pivots = NULL, b->sums = NULL;
  b->order = supplei_allocate(a, b->vertex_count, sizeof *b->order);
  bool ok = b->order && allocate(b) && supplei_order_by_joints(&old, b->order);
  if (ok && old.sums)
    ok = (b->sums = supplei_allocate(a, b->vertex_count, sizeof *b->sums)) != NULL;
  if (ok) permute(b, &old);
  supplei_release(a, old.offsets, (size_t)b->vertex_count + 1, sizeof *old.offsets);
  supplei_release(a, old.joints, b->capacity, sizeof *old.joints);
  supplei_release(a, old.weights, b->capacity, sizeof *old.weights);
  supplei_release(a, old.pivots, b->vertex_count, sizeof *old.pivots);
  supplei_release(a, old.sums, b->vertex_count, sizeof *old.sums);
  return ok;
}

static supple_result compile(supple_binding *b, const supple_primitive *primitive,
                             const supple_binding_options *options, supple_error *error) {
  const supple_allocator *a = &b->allocator;
  size_t k = primitive->influence_count;
  supple_result result = count_influences(primitive, &b->capacity, error);
  if (result) return result;
  supplei_influence *scratch = supplei_allocate(a, k, sizeof *scratch);
  bool ok = scratch && allocate(b);
  if (ok && options->weights == SUPPLE_WEIGHTS_KEEP)
    ok = (b->sums = supplei_allocate(a, b->vertex_count, sizeof *b->sums)) != NULL;
  if (ok) {
    fill(b, primitive, options, scratch);
    ok = (!options->sort || sort(b)) && supplei_blocks_compile(b, primitive, options->geometry);
  }
  if (ok) {
    b->joint_boxes = supplei_allocate(a, b->joint_limit, sizeof *b->joint_boxes);
    b->target_count = primitive->target_count;
    b->target_boxes = supplei_allocate(a, b->target_count, sizeof *b->target_boxes);
    ok = b->joint_boxes && b->target_boxes;
  }
  supplei_release(a, scratch, k, sizeof *scratch);
  if (!ok)
    return supplei_fail_memory(error, (size_t)b->capacity * 6 + (size_t)b->vertex_count * 10,
                               "a binding");
  supplei_binding_measure_boxes(b, primitive);
  return SUPPLE_OK;
}

supple_binding *supple_binding_create(const supple_primitive *primitive,
                                      const supple_binding_options *options, supple_error *error) {
  static const supple_binding_options defaults;
  if (!options) options = &defaults;
  if (!primitive->influence_count || !primitive->joints || !primitive->weights) {
    supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                 "the primitive has no influences (JOINTS_0 and WEIGHTS_0)");
    return NULL;
  }
  supple_allocator a = supplei_allocator(&options->allocator);
  supple_binding *b = supplei_allocate_zero(&a, 1, sizeof *b);
  if (!b) {
    supplei_fail_memory(error, sizeof *b, "a binding");
    return NULL;
  }
  b->allocator = a;
  b->vertex_count = primitive->vertex_count;
  supplei_kernels_select_all(b->kernels);
  if (compile(b, primitive, options, error) != SUPPLE_OK) {
    supple_binding_destroy(b);
    return NULL;
  }
  return b;
}

uint32_t supple_binding_vertex_count(const supple_binding *binding) {
  return binding->vertex_count;
}

uint32_t supple_binding_joint_limit(const supple_binding *binding) { return binding->joint_limit; }

uint32_t supple_binding_influences(const supple_binding *binding, uint32_t vertex,
                                   const uint16_t **joints, const float **weights) {
  uint32_t begin = binding->offsets[vertex];
  *joints = binding->joints + begin;
  *weights = binding->weights + begin;
  return binding->offsets[vertex + 1] - begin;
}

const uint32_t *supple_binding_order(const supple_binding *binding) { return binding->order; }

float supple_binding_sum(const supple_binding *binding, uint32_t vertex) {
  return binding->sums ? binding->sums[vertex] : 1.0f;
}

const supple_binding_report *supple_binding_cleaning(const supple_binding *binding) {
  return &binding->report;
}
