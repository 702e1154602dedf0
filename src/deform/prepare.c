/* prepare.c: a palette made ready for a binding: polar factors, signs, packed numbers. */
#include "../base/prologue.h"

#include "prepared.h"

#include "../base/error.h"
#include "../base/memory.h"
#include "../base/sort.h"

#include <math.h>
#include <string.h>

static const double default_tolerance = 2e-5;

static void release_joints(supple_prepared *p) {
  const supple_allocator *a = &p->allocator;
  size_t n = p->capacity;
  supplei_release(a, p->matrices, n, sizeof *p->matrices);
  supplei_release(a, p->rigid, n, sizeof *p->rigid);
  supplei_release(a, p->affine, n, sizeof *p->affine);
  supplei_release(a, p->stretch, n, sizeof *p->stretch);
  supplei_release(a, p->is_rigid, n, sizeof *p->is_rigid);
  supplei_release(a, p->splits, n, sizeof *p->splits);
  supplei_release(a, p->order, n, sizeof *p->order);
  supplei_release(a, p->chain, n, sizeof *p->chain);
  supplei_release(a, p->flips, n, sizeof *p->flips);
  supplei_release(a, p->agreed_affine, n, sizeof *p->agreed_affine);
  supplei_release(a, p->agreed_rigid, n, sizeof *p->agreed_rigid);
  p->matrices = NULL, p->rigid = NULL, p->affine = NULL, p->stretch = NULL;
  p->is_rigid = NULL, p->splits = NULL, p->order = NULL, p->chain = NULL;
  p->agreed_rigid = NULL, p->agreed_affine = NULL, p->flips = NULL;
  p->capacity = p->joint_count = 0;
}

static bool allocate_joints(supple_prepared *p, uint32_t n) {
  const supple_allocator *a = &p->allocator;
  p->capacity = n;
  p->matrices = supplei_allocate(a, n, sizeof *p->matrices);
  p->rigid = supplei_allocate(a, n, sizeof *p->rigid);
  p->affine = supplei_allocate(a, n, sizeof *p->affine);
  p->stretch = supplei_allocate(a, n, sizeof *p->stretch);
  p->is_rigid = supplei_allocate(a, n, sizeof *p->is_rigid);
  p->splits = supplei_allocate(a, n, sizeof *p->splits);
  p->order = supplei_allocate(a, n, sizeof *p->order);
  p->chain = supplei_allocate(a, n, sizeof *p->chain);
  p->flips = supplei_allocate(a, n, sizeof *p->flips);
  p->agreed_affine = supplei_allocate(a, n, sizeof *p->agreed_affine);
  p->agreed_rigid = supplei_allocate(a, n, sizeof *p->agreed_rigid);
  return p->matrices && p->rigid && p->affine && p->stretch && p->is_rigid && p->splits &&
         p->order && p->chain && p->agreed_rigid && p->agreed_affine && p->flips;
}

void supple_prepared_destroy(supple_prepared *prepared) {
  if (!prepared) return;
  supple_allocator a = prepared->allocator;
  release_joints(prepared);
  supplei_release(&a, prepared->doubtful, prepared->block_count, sizeof *prepared->doubtful);
  supplei_release(&a, prepared, 1, sizeof *prepared);
}

supple_prepared *supple_prepared_create(const supple_binding *binding,
                                        const supple_prepared_options *options, supple_error *error) {
  supple_allocator a = supplei_allocator(options ? &options->allocator : NULL);
  supple_prepared *p = supplei_allocate_zero(&a, 1, sizeof *p);
  if (!p) {
    supplei_fail_memory(error, sizeof *p, "a prepared palette");
    return NULL;
  }
  p->allocator = a;
  p->binding = binding;
  if (options) p->options = *options;
  if (p->options.rigid_tolerance == 0) p->options.rigid_tolerance = default_tolerance;
  p->report.refused_joint = SUPPLE_NONE;
  p->block_count = binding->blocks.count;
  p->doubtful = supplei_allocate(&a, p->block_count, sizeof *p->doubtful);
  if (p->doubtful && allocate_joints(p, binding->joint_limit)) return p;
  supple_prepared_destroy(p);
  supplei_fail_memory(error, (size_t)binding->joint_limit * 400, "a prepared palette");
  return NULL;
}

bool supplei_prepared_serve(supple_prepared *p, const supple_binding *binding) {
  const uint32_t blocks = binding->blocks.count;
  p->path = SUPPLEI_PATH_NONE;
  p->binding = binding;
  if (blocks == p->block_count) return true;
  supplei_release(&p->allocator, p->doubtful, p->block_count, sizeof *p->doubtful);
  p->doubtful = supplei_allocate(&p->allocator, blocks, sizeof *p->doubtful);
  p->block_count = p->doubtful ? blocks : 0;
  if (!p->doubtful) p->binding = NULL;
  return p->doubtful != NULL;
}

static supple_result reserve(supple_prepared *p, uint32_t joint_count) {
  if (joint_count > p->capacity) {
    release_joints(p);
    if (!allocate_joints(p, joint_count)) {
      release_joints(p);
      return SUPPLE_ERROR_MEMORY;
    }
  }
  p->joint_count = joint_count;
  return SUPPLE_OK;
}

static bool are_finite(const float *values, size_t count) {
  float sum = 0; /* 0 times a finite number is 0, else NaN */
  for (size_t i = 0; i < count; i++) sum += 0.0f * values[i];
  return sum == 0;
}

/* What the caller's palette has to complete a singular matrix with; nothing where that is no number. */
static const supple_quat *hint_of(const supple_palette *palette, uint32_t j) {
  const supple_quat *q = palette->rotations ? &palette->rotations[j] : NULL;
  return q && isfinite(q->x) && isfinite(q->y) && isfinite(q->z) && isfinite(q->w) ? q : NULL;
}

static void split_all(supple_prepared *p, const supple_palette *palette) {
  for (uint32_t j = 0; j < p->joint_count; j++) {
    supple_affine64 m = supple_affine_to_double(&palette->matrices[j]);
    const supple_quat *hint = hint_of(palette, j);
    bool mirrored = palette->mirrored && palette->mirrored[j];
    p->splits[j] = p->options.split == SUPPLE_SPLIT_POLAR
                       ? supple_split_polar(&m, hint, mirrored)
                       : supple_split_gram_schmidt(&m, hint, mirrored);
    /* The stored sign: largest component positive, w before x, y, z where equal. */
    supple_quat q = p->splits[j].rotation;
    double largest = q.w;
    if (fabs(q.x) > fabs(largest)) largest = q.x;
    if (fabs(q.y) > fabs(largest)) largest = q.y;
    if (fabs(q.z) > fabs(largest)) largest = q.z;
    if (largest < 0) p->splits[j].rotation = supple_quat_scale(q, -1);
  }
}

/* Makes every joint agree with its parent; without parents, with the first joint. Chains are walked with
 * a stack, since a joint may come before its parent; a cycle in a caller's table ends the walk. */
static void sign_per_pose(supple_prepared *p, const uint32_t *parents) {
  uint8_t *done = p->is_rigid; /* free until classify */
  memset(done, 0, p->joint_count);
  for (uint32_t j = 0; j < p->joint_count; j++) {
    uint32_t depth = 0, at = j;
    while (at < p->joint_count && !done[at] && depth < p->joint_count) {
      p->chain[depth++] = at;
      at = parents ? parents[at] : at ? 0 : SUPPLE_NONE;
    }
    while (depth > 0) {
      uint32_t joint = p->chain[--depth];
      uint32_t parent = parents ? parents[joint] : joint ? 0 : SUPPLE_NONE;
      if (done[joint]) continue;
      done[joint] = 1;
      if (parent >= p->joint_count) continue;
      supple_quat *q = &p->splits[joint].rotation;
      if (supple_quat_dot(*q, p->splits[parent].rotation) < -1e-6) *q = supple_quat_scale(*q, -1);
    }
  }
}

/* The signed scale that most joints share: the fullest window of relative width `tolerance` over the sorted
 * scales of the similarities, its middle; the lowest such window where several are as full. */
static double common_scale(supple_prepared *p, double tolerance) {
  uint32_t n = 0, best = 0, best_begin = 0;
  for (uint32_t j = 0; j < p->joint_count; j++) {
    const supple_split *s = &p->splits[j];
    if (s->rank == 3 && s->residual <= tolerance * fabs(s->scale)) p->order[n++] = s->scale;
  }
  if (n == 0) return 1;
  supplei_sort(p->order, n);
  for (uint32_t begin = 0, end = 0; begin < n; begin++) {
    if (end < begin) end = begin;
    while (end < n && p->order[end] - p->order[begin] <= tolerance * fabs(p->order[begin])) end++;
    if (end - begin > best) best = end - begin, best_begin = begin;
  }
  return best ? p->order[best_begin + best / 2] : 1;
}

static void classify(supple_prepared *p) {
  double tolerance = p->options.rigid_tolerance < 0 ? default_tolerance : p->options.rigid_tolerance;
  supple_prepared_report *report = &p->report;
  double scale = report->common_scale = common_scale(p, tolerance);
  /* Floats have to hold the scale to all their digits. */
  bool none = p->options.rigid_tolerance < 0 || fabs(scale) < (double)FLT_MIN ||
              fabs(scale) > (double)FLT_MAX;
  p->scale = none ? 1 : (float)scale;
  for (uint32_t j = 0; j < p->joint_count; j++) {
    const supple_split *s = &p->splits[j];
    double similar = s->rank == 3 ? tolerance * fabs(s->scale) : -1;
    bool rigid =
        !none && s->rank == 3 && s->residual + fabs(s->scale - scale) <= tolerance * fabs(scale);
    p->is_rigid[j] = rigid;
    report->rigid += rigid;
    report->scaled += !rigid && s->residual <= similar;
    report->sheared += !rigid && s->residual > similar;
    report->mirrored += s->mirrored;
    report->singular += s->rank < 3;
  }
}

static void pack_quat(supple_quat q, float out[4]) {
  out[0] = (float)q.x, out[1] = (float)q.y, out[2] = (float)q.z, out[3] = (float)q.w;
}

/* Column c of the 4×4 block: the pure quaternion of M's column c, times q. */
static void pack_affine(const supple_affine *m, supple_quat q, supplei_affine_quat *out) {
  for (int c = 0; c < 4; c++) {
    supple_quat column =
        supple_quat_make((double)m->m[0][c], (double)m->m[1][c], (double)m->m[2][c], 0);
    supple_quat product = supple_quat_multiply(column, q);
    out->numerator[0][c] = (float)product.x;
    out->numerator[1][c] = (float)product.y;
    out->numerator[2][c] = (float)product.z;
    out->numerator[3][c] = (float)product.w;
  }
  pack_quat(q, out->real);
}

/* The first joint whose numbers no float holds (its matrix has entries near the largest), or SUPPLE_NONE. */
static uint32_t pack(supple_prepared *p) {
  for (uint32_t j = 0; j < p->joint_count; j++) {
    const supple_split *s = &p->splits[j];
    supple_dual_quat motion = supple_dual_quat_from_rigid(s->rotation, s->translation);
    pack_quat(motion.real, p->rigid[j].real);
    pack_quat(motion.dual, p->rigid[j].dual);
    if (p->path == SUPPLEI_PATH_AFFINE) pack_affine(&p->matrices[j], s->rotation, &p->affine[j]);
    for (int r = 0; p->path == SUPPLEI_PATH_FIRST && r < 3; r++)
      for (int c = 0; c < 3; c++) p->stretch[j].m[r][c] = (float)s->stretch.m[r][c];
    if (!are_finite(p->rigid[j].dual, 4) ||
        (p->path == SUPPLEI_PATH_AFFINE && !are_finite(p->affine[j].numerator[0], 16)) ||
        (p->path == SUPPLEI_PATH_FIRST && !are_finite(p->stretch[j].m[0], 9)))
      return j;
  }
  return SUPPLE_NONE;
}

/* A thousandth more than the largest squared norm: blends are rounded. */
static float bound_of(const supple_prepared *p) {
  double most = 0;
  for (uint32_t j = 0; j < p->joint_count; j++) {
    double squares = 0;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++)
        squares += (double)p->matrices[j].m[r][c] * (double)p->matrices[j].m[r][c];
    if (squares > most) most = squares;
  }
  return most < 1e9 ? (float)(most * 1.001) : HUGE_VALF;
}

supple_result supple_prepared_update(supple_prepared *prepared, const supple_binding *binding,
                                     const supple_palette *palette, supple_method method) {
  supple_prepared *p = prepared;
  p->path = SUPPLEI_PATH_NONE;
  p->report = (supple_prepared_report){.refused_joint = SUPPLE_NONE, .common_scale = 1};
  if (binding != p->binding || palette->joint_count < binding->joint_limit)
    return SUPPLE_ERROR_ARGUMENT;
  for (uint32_t j = 0; j < palette->joint_count; j++)
    if (!are_finite(palette->matrices[j].m[0], 12)) {
      p->report.refused_joint = j;
      return SUPPLE_ERROR_NUMBER;
    }
  supple_result result = reserve(p, palette->joint_count);
  if (result) return result;
  if (p->joint_count) memcpy(p->matrices, palette->matrices, p->joint_count * sizeof *p->matrices);
  p->bound = bound_of(p);
  if (method == SUPPLE_LBS) {
    p->path = SUPPLEI_PATH_LBS;
    return SUPPLE_OK;
  }
  split_all(p, palette);
  if (p->options.signs == SUPPLE_SIGNS_PER_POSE) sign_per_pose(p, palette->parents);
  classify(p);
  p->path = p->options.scale == SUPPLE_SCALE_AFFINE  ? SUPPLEI_PATH_AFFINE
            : p->options.scale == SUPPLE_SCALE_FIRST ? SUPPLEI_PATH_FIRST
                                                     : SUPPLEI_PATH_RIGID;
  if (p->path == SUPPLEI_PATH_RIGID) p->scale = 1;
  p->report.refused_joint = pack(p);
  if (p->report.refused_joint != SUPPLE_NONE) {
    p->path = SUPPLEI_PATH_NONE;
    return SUPPLE_ERROR_NUMBER;
  }
  if (p->path != SUPPLEI_PATH_FIRST) supplei_prepared_agree(p);
  return SUPPLE_OK;
}

const supple_prepared_report *supple_prepared_found(const supple_prepared *prepared) {
  return &prepared->report;
}
