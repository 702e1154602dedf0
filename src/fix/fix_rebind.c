/* fix_rebind.c: inverse bind matrices that are missing or singular, from the nodes as stored. */
#include "../base/prologue.h"

#include "fix_state.h"

#include <math.h>
#include <stdio.h>

/* One skin at work. */
typedef struct rebinding {
  supplei_fix *fix;
  const supple_skin *skin;
  const supple_pose *pose;   /* at rest */
  supple_affine64 reference; /* world of the nodes that show it */
  bool missing;              /* the file has no matrices */
  supple_affine64 *inverse_binds;
  uint32_t replaced, refused; /* joints */
  uint32_t first, first_refused;
} rebinding;

static bool same_matrix(const supple_affine64 *a, const supple_affine64 *b) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++)
      if (a->m[r][c] != b->m[r][c]) return false;
  return true;
}

/* Where the mesh is bound: where its node would show it, if all nodes that show it agree, else the scene. */
static supple_affine64 find_reference(const supplei_fix *fix, const supple_skin *skin,
                                      const supple_pose *pose) {
  supple_affine64 found = supple_affine64_identity();
  bool any = false;
  for (uint32_t i = 0; i < fix->before->instance_count; i++) {
    const supple_instance *instance = &fix->before->instances[i];
    if (instance->skin->index != skin->index) continue;
    const supple_affine64 *world = &pose->worlds[instance->node];
    if (any && !same_matrix(&found, world)) return supple_affine64_identity();
    found = *world;
    any = true;
  }
  return found;
}

static void rebind_joint(rebinding *r, uint32_t joint) {
  supple_affine64 inverse;
  r->inverse_binds[joint] = r->skin->inverse_binds[joint];
  if (!r->missing && supple_affine64_inverse(&r->inverse_binds[joint], &inverse)) return;
  if (!supple_affine64_inverse(&r->pose->worlds[r->skin->joints[joint]], &inverse)) {
    if (!r->refused++) r->first_refused = joint;
    return;
  }
  const supple_affine64 made = supple_affine64_multiply(&inverse, &r->reference);
  if (same_matrix(&made, &r->inverse_binds[joint])) return;
  r->inverse_binds[joint] = made;
  if (!r->replaced++) r->first = joint;
}

/* Where a vertex is at rest with these inverse bind matrices, blended linearly. */
static supple_vec3 rest_position(const rebinding *r, const supple_primitive *primitive, uint32_t v,
                                 const supple_affine64 *inverse_binds) {
  const float *p = primitive->positions + 3 * (size_t)v;
  const supple_vec3 at = supple_vec3_make((double)p[0], (double)p[1], (double)p[2]);
  supple_vec3 sum = supple_vec3_make(0, 0, 0);
  double total = 0;
  for (uint32_t k = 0; k < primitive->influence_count; k++) {
    const size_t i = (size_t)v * primitive->influence_count + k;
    const double weight = (double)primitive->weights[i];
    if (!(weight > 0) || primitive->joints[i] >= r->skin->joint_count) continue;
    const uint16_t joint = primitive->joints[i];
    const supple_vec3 bound = supple_affine64_transform_point(&inverse_binds[joint], at);
    const supple_vec3 moved =
        supple_affine64_transform_point(&r->pose->worlds[r->skin->joints[joint]], bound);
    sum = supple_vec3_add(sum, supple_vec3_scale(moved, weight));
    total += weight;
  }
  return total > 0 ? supple_vec3_scale(sum, 1 / total) : at;
}

static double largest_move(const rebinding *r) {
  double most = 0;
  for (uint32_t i = 0; i < r->fix->before->instance_count; i++) {
    const supple_instance *instance = &r->fix->before->instances[i];
    if (instance->skin->index != r->skin->index) continue;
    for (uint32_t p = 0; p < instance->primitive_count; p++)
      for (uint32_t v = 0; v < instance->primitives[p]->vertex_count; v++) {
        const supple_vec3 a = rest_position(r, instance->primitives[p], v, r->skin->inverse_binds);
        const supple_vec3 b = rest_position(r, instance->primitives[p], v, r->inverse_binds);
        const double way = supple_vec3_length(supple_vec3_subtract(a, b));
        if (way > most) most = way;
      }
  }
  return most;
}

static supple_result tell(const rebinding *r) {
  char pointer[64], number[SUPPLEI_FIX_NUMBER];
  supple_result result = SUPPLE_OK;
  snprintf(pointer, sizeof pointer, "/skins/%u%s", (unsigned)r->skin->index,
           r->missing ? "" : "/inverseBindMatrices");
  if (r->replaced)
    result = supplei_fix_did(
        r->fix, r->missing ? "SKINNING_INVERSE_BINDS_MISSING" : "SKINNING_INVERSE_BIND_SINGULAR",
        pointer, r->replaced,
        "inverse bind matrices of %u of %u joints, the first is node %u, are those of the nodes as "
        "stored; with these, vertices move by up to %s m",
        (unsigned)r->replaced, (unsigned)r->skin->joint_count, (unsigned)r->skin->joints[r->first],
        supplei_fix_number(largest_move(r), number));
  if (!result && r->refused)
    result = supplei_fix_could_not(
        r->fix, r->missing ? "SKINNING_INVERSE_BINDS_MISSING" : "SKINNING_INVERSE_BIND_SINGULAR",
        pointer, r->refused,
        "%u joints, the first is node %u, have no size at rest: no inverse bind matrix follows",
        (unsigned)r->refused, (unsigned)r->skin->joints[r->first_refused]);
  return result;
}

static supple_result rebind_skin(supplei_fix *fix, uint32_t index, const supple_pose *pose) {
  char pointer[64];
  const supple_skin *skin = &fix->before->skins[index];
  snprintf(pointer, sizeof pointer, "/skins/%u/inverseBindMatrices", (unsigned)index);
  rebinding r = {.fix = fix, .skin = skin, .pose = pose};
  r.missing = supple_document_find(fix->document, pointer) == SUPPLE_NONE;
  r.reference = find_reference(fix, skin, pose);
  r.inverse_binds = supplei_allocate(&fix->allocator, skin->joint_count, sizeof *r.inverse_binds);
  if (!r.inverse_binds) return supplei_fix_no_memory(fix, "inverse bind matrices");
  for (uint32_t k = 0; k < skin->joint_count; k++) rebind_joint(&r, k);
  supple_result result = tell(&r);
  if (!result && r.replaced) {
    fix->deforms = true;
    result = supple_document_set_inverse_binds(fix->document, index, r.inverse_binds,
                                               skin->joint_count, fix->error);
  }
  supplei_release(&fix->allocator, r.inverse_binds, skin->joint_count, sizeof *r.inverse_binds);
  return result;
}

supple_result supplei_fix_rebind(supplei_fix *fix) {
  supple_pose *pose = supple_pose_create(&fix->before->skeleton, &fix->allocator, fix->error);
  if (!pose) return fix->error->result;
  supple_result result = SUPPLE_OK;
  for (uint32_t s = 0; !result && s < fix->before->skin_count; s++)
    result = rebind_skin(fix, s, pose);
  supple_pose_destroy(pose);
  return result;
}
