/* bones.c: where the joints and bones of an instance are in its bind pose, and what they share. */
#include "../base/prologue.h"

#include "measure_state.h"

#include "../base/memory.h"
#include "../base/sort.h"

#include <math.h>

uint32_t supplei_source_influences(const supple_measure *m, uint32_t source,
                                   const uint16_t **joints, const float **weights) {
  uint32_t primitive = supplei_surface_primitive(&m->surface, source);
  return supple_binding_influences(m->bindings[primitive], source - m->surface.begins[primitive],
                                   joints, weights);
}

/* The weight of one joint in a list of them, ascending; 0 where it is not in it. */
static float weight_of(uint32_t joint, const uint16_t *joints, const float *weights, uint32_t count) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (joints[middle] < joint)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && joints[low] == joint ? weights[low] : 0;
}

static bool is_joint(const supple_measure *m, uint32_t j) { return j < m->joint_count; }

/* Which joints have weight, which share vertices, and how much with their parent. */
static void find_shares(supple_measure *m) {
  const uint32_t *parents = m->instance->skin->parents;
  for (uint32_t v = 0; v < m->surface.source_count; v++) {
    const uint16_t *joints;
    const float *weights;
    uint32_t n = supplei_source_influences(m, v, &joints, &weights);
    for (uint32_t i = 0; i < n; i++) {
      if (!is_joint(m, joints[i])) continue;
      m->weighted[joints[i]] = true;
      if (n > 1) m->joints[joints[i]].shared = true;
      float above = weight_of(parents[joints[i]], joints, weights, n);
      m->shared_above[joints[i]] += (double)(above < weights[i] ? above : weights[i]);
    }
  }
}

/* The joint's origin in mesh space at bind time; NaN where the inverse bind matrix is singular, so that no
 * bone begins or ends there. */
static supple_vec3 bind_position(const supple_skin *skin, uint32_t joint) {
  supple_affine64 bind;
  if (!supple_affine64_is_finite(&skin->inverse_binds[joint]) ||
      !supple_affine64_inverse(&skin->inverse_binds[joint], &bind))
    return supple_vec3_make((double)NAN, (double)NAN, (double)NAN);
  return supple_affine64_translation(&bind);
}

/* Unit direction and length of a -> b; false where they are in one place. */
static bool direction(const supple_measure *m, uint32_t a, uint32_t b, supple_vec3 *unit,
                      double *length) {
  supple_vec3 d = supple_vec3_subtract(m->joints[b].position, m->joints[a].position);
  *length = supple_vec3_length(d);
  *unit = supple_vec3_normalise(d, supple_vec3_make(0, 0, 0));
  return *length > 1e-6 * m->surface.diagonal && *length > 0; /* false for NaN */
}

/* The child that shares the most weight with its parent: best[joint] for all joints at once. */
static void find_best_children(const supple_measure *m, uint32_t *best) {
  const uint32_t *parents = m->instance->skin->parents;
  for (uint32_t j = 0; j < m->joint_count; j++) best[j] = SUPPLE_NONE;
  for (uint32_t j = 0; j < m->joint_count; j++) {
    uint32_t parent = parents[j];
    if (!is_joint(m, parent)) continue;
    if (best[parent] == SUPPLE_NONE || m->shared_above[j] > m->shared_above[best[parent]])
      best[parent] = j;
  }
}

/* The outgoing bone down, the incoming one up; joints in the same place are passed over. */
static void find_bones(supple_measure *m, const uint32_t *best) {
  const uint32_t *parents = m->instance->skin->parents;
  for (uint32_t j = 0; j < m->joint_count; j++) {
    supple_measured_joint *joint = &m->joints[j];
    uint32_t steps = 0;
    for (uint32_t k = best[j]; is_joint(m, k) && steps++ < SUPPLEI_MOST_PASSED_OVER; k = best[k])
      if (direction(m, j, k, &joint->outgoing, &joint->outgoing_length)) {
        joint->child = k;
        break;
      }
    steps = 0;
    for (uint32_t k = parents[j]; is_joint(m, k) && steps++ < SUPPLEI_MOST_PASSED_OVER;
         k = parents[k])
      if (direction(m, k, j, &joint->incoming, &joint->incoming_length)) {
        joint->parent = k;
        break;
      }
  }
}

/* Where the best child is a leaf in the joint's own place (a helper), the best of the others. */
static void find_other_children(supple_measure *m) {
  const uint32_t *parents = m->instance->skin->parents;
  for (uint32_t k = 0; k < m->joint_count; k++) {
    uint32_t parent = parents[k];
    supple_vec3 unit;
    double length;
    if (!is_joint(m, parent)) continue;
    supple_measured_joint *joint = &m->joints[parent];
    bool better = joint->child == SUPPLE_NONE ||
                  (parents[joint->child] == parent && /* else it was found past the helper */
                   m->shared_above[k] > m->shared_above[joint->child]);
    if (!better || !direction(m, parent, k, &unit, &length)) continue;
    joint->child = k;
    joint->outgoing = unit;
    joint->outgoing_length = length;
  }
}

/* A leaf continues the incoming bone, a root begins with the outgoing one. */
static void complete_bones(supple_measure *m) {
  for (uint32_t j = 0; j < m->joint_count; j++) {
    supple_measured_joint *joint = &m->joints[j];
    if (joint->child == SUPPLE_NONE) {
      joint->outgoing = joint->parent == SUPPLE_NONE ? supple_vec3_make(0, 0, 0) : joint->incoming;
      joint->outgoing_length = joint->parent == SUPPLE_NONE ? 0 : joint->incoming_length;
    }
    if (joint->parent == SUPPLE_NONE) {
      joint->incoming = joint->outgoing;
      joint->incoming_length = joint->outgoing_length;
    }
  }
}

static double cube_root(double x) {
  if (!(x > 0)) return 0;
  int exponent;
  double y = frexp(x, &exponent);
  double root = ldexp(1.0, (exponent + 2) / 3);
  for (int i = 0; i < 40; i++) root -= (root - ldexp(y, exponent) / (root * root)) / 3;
  return root;
}

/* The scale of each joint's matrix with the nodes as stored: the cube root of |det|. Those without one (not in
 * use, singular, not finite) get the median of the others, which is the instance's own. */
static void find_scales(supple_measure *m, const supple_palette *palette, double *scales,
                        double *sorted) {
  uint32_t n = 0, mirrors = 0;
  for (uint32_t j = 0; j < m->joint_count; j++) {
    supple_affine64 matrix = supple_affine_to_double(&palette->matrices[j]);
    supple_mat3 linear = supple_affine64_linear(&matrix);
    double det = supple_mat3_determinant(&linear);
    scales[j] = 0;
    if (!m->weighted[j] || !isfinite(det) || det == 0) continue;
    mirrors += det < 0;
    sorted[n++] = scales[j] = cube_root(fabs(det));
  }
  supplei_sort(sorted, n);
  m->scale = n ? sorted[n / 2] : 1;
  m->mirrored = mirrors > n / 2;
  for (uint32_t j = 0; j < m->joint_count; j++)
    if (scales[j] == 0) scales[j] = m->scale;
}

/* The scale of each vertex: its joints', blended. */
static void blend_scales(supple_measure *m, const double *scales) {
  for (uint32_t v = 0; v < m->surface.source_count; v++) {
    const uint16_t *joints;
    const float *weights;
    uint32_t n = supplei_source_influences(m, v, &joints, &weights);
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < n; i++) {
      sum += (double)weights[i] * scales[joints[i]];
      all += (double)weights[i];
    }
    m->scales[v] = all > 0 ? sum / all : m->scale;
  }
}

static bool find_rest(supple_measure *m, const supple_skeleton *skeleton, double *scales,
                      double *sorted, supple_error *error) {
  supple_pose *pose = supple_pose_create(skeleton, &m->allocator, error);
  supple_palette *palette =
      pose ? supple_palette_create(m->joint_count, SUPPLE_SPACE_SCENE, &m->allocator, error) : NULL;
  bool ok = palette != NULL;
  if (ok) {
    supple_palette_compose(palette, pose, m->instance);
    find_scales(m, palette, scales, sorted);
    blend_scales(m, scales);
  }
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
  return ok;
}

bool supplei_measure_bones(supple_measure *m, const supple_skeleton *skeleton, supple_error *error) {
  const supple_allocator *a = &m->allocator;
  uint32_t n = m->joint_count;
  uint32_t *best = supplei_allocate(a, n, sizeof *best);
  double *scales = supplei_allocate(a, n, sizeof *scales);
  double *sorted = supplei_allocate(a, n, sizeof *sorted);
  bool ok = best && scales && sorted;
  if (ok) {
    find_shares(m);
    find_best_children(m, best);
    for (uint32_t j = 0; j < n; j++) {
      m->joints[j].parent = m->joints[j].child = SUPPLE_NONE;
      m->joints[j].position = bind_position(m->instance->skin, j);
    }
    find_bones(m, best);
    find_other_children(m);
    complete_bones(m);
    ok = find_rest(m, skeleton, scales, sorted, error);
  }
  supplei_release(a, best, n, sizeof *best);
  supplei_release(a, scales, n, sizeof *scales);
  supplei_release(a, sorted, n, sizeof *sorted);
  return ok;
}

supple_vec3 supplei_bisector(supple_vec3 incoming, supple_vec3 outgoing) {
  supple_vec3 sum = supple_vec3_add(incoming, outgoing);
  return supple_vec3_length(sum) > 1e-3 ? supple_vec3_normalise(sum, outgoing) : outgoing;
}

bool supplei_section_plane(const supple_measure *m, uint32_t j, uint32_t k, supplei_plane *plane) {
  const supple_measured_joint *joint = &m->joints[j];
  if (!(joint->outgoing_length > 0) || !(joint->incoming_length > 0)) return false;
  supple_vec3 axis = k < SUPPLE_SECTION_AT_JOINT ? joint->incoming
                     : k > SUPPLE_SECTION_AT_JOINT
                         ? joint->outgoing
                         : supplei_bisector(joint->incoming, joint->outgoing);
  double length = k < SUPPLE_SECTION_AT_JOINT ? joint->incoming_length : joint->outgoing_length;
  plane->axis = axis;
  plane->origin =
      supple_vec3_add(joint->position, supple_vec3_scale(axis, supple_section_offset(k) * length));
  double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
  supple_vec3 far = supple_vec3_make(0, 0, 0); /* the axis furthest from the bone */
  if (x <= y && x <= z)
    far.x = 1;
  else if (y <= z)
    far.y = 1;
  else
    far.z = 1;
  plane->up = supple_vec3_normalise(supple_vec3_cross(supple_vec3_cross(axis, far), axis), far);
  return true;
}
