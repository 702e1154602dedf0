/* fix_same.c: what of a repaired asset deformation cannot tell from what it was. */
#include "../base/prologue.h"

#include "fix_same.h"

#include "node_channels.h"

#include <string.h>

static bool equal(const void *a, const void *b, size_t count, size_t size) {
  return a == b || (a && b && (!count || memcmp(a, b, count * size) == 0));
}

/* ---- nodes ---- */

static bool equal_channels(const supple_channel *a, const supple_channel *b) {
  const size_t times = a->key_count, cubic = a->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE;
  return a->path == b->path && a->interpolation == b->interpolation &&
         a->key_count == b->key_count && a->width == b->width &&
         equal(a->times, b->times, times, sizeof *a->times) &&
         equal(a->values, b->values, times * a->width * (cubic ? 3 : 1), sizeof *a->values);
}

/* Whether the clips do the same to a node. */
static bool animated_alike(const supplei_same *same, const supplei_node_channels *a,
                           const supplei_node_channels *b, uint32_t node) {
  const uint32_t count = a->begins[node + 1] - a->begins[node];
  if (b->begins[node + 1] - b->begins[node] != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    const uint64_t p = a->items[a->begins[node] + i], q = b->items[b->begins[node] + i];
    if (p >> 32 != q >> 32) return false;
    if (!equal_channels(&same->before->clips[p >> 32].channels[(uint32_t)p],
                        &same->after->clips[q >> 32].channels[(uint32_t)q]))
      return false;
  }
  return true;
}

static bool equal_nodes(const supple_node *a, const supple_node *b) {
  return a->parent == b->parent && a->has_matrix == b->has_matrix &&
         equal(&a->rest, &b->rest, 1, sizeof a->rest) &&
         (!a->has_matrix || equal(&a->matrix, &b->matrix, 1, sizeof a->matrix));
}

static bool mark_moved(supplei_same *same) {
  const supple_skeleton *before = &same->before->skeleton, *after = &same->after->skeleton;
  supplei_node_channels a, b = {0};
  const bool fine = supplei_node_channels_list(&a, same->before, &same->allocator) &&
                    supplei_node_channels_list(&b, same->after, &same->allocator);
  for (uint32_t i = 0; fine && i < before->node_count; i++) {
    const uint32_t n = before->order[i], parent = before->nodes[n].parent;
    same->moved[n] = n >= after->node_count || (parent != SUPPLE_NONE && same->moved[parent]) ||
                     !equal_nodes(&before->nodes[n], &after->nodes[n]) ||
                     !animated_alike(same, &a, &b, n);
  }
  supplei_node_channels_release(&a);
  supplei_node_channels_release(&b);
  return fine;
}

/* ---- the whole ---- */

bool supplei_same_open(supplei_same *same, const supple_asset *before, const supple_asset *after,
                       const supple_allocator *allocator) {
  *same =
      (supplei_same){.allocator = supplei_allocator(allocator), .before = before, .after = after};
  const supple_allocator *a = &same->allocator;
  const size_t meshes = before->mesh_count;
  uint64_t primitives = 0;
  same->first = supplei_allocate_zero(a, meshes + 1, sizeof *same->first);
  for (size_t m = 0; same->first && m < meshes; m++) {
    same->first[m] = (uint32_t)primitives;
    primitives += before->meshes[m].primitive_count;
  }
  if (!same->first || primitives >= SUPPLE_NONE) return false;
  same->first[meshes] = (uint32_t)primitives;
  same->moved = supplei_allocate(a, before->skeleton.node_count, 1);
  same->skins = supplei_allocate(a, before->skin_count, sizeof *same->skins);
  same->skin_same = supplei_allocate_zero(a, before->skin_count, 1);
  same->others = supplei_allocate_zero(a, (size_t)primitives, sizeof *same->others);
  same->primitive_same = supplei_allocate_zero(a, (size_t)primitives, 1);
  same->meshes = supplei_allocate_zero(a, meshes, sizeof *same->meshes);
  same->mesh_same = supplei_allocate_zero(a, meshes, 1);
  if (!same->meshes || !same->mesh_same) return false;
  if (!same->moved || !same->skins || !same->skin_same || !same->others || !same->primitive_same)
    return false;
  for (uint32_t s = 0; s < before->skin_count; s++) same->skins[s] = SUPPLE_NONE;
  return mark_moved(same);
}

void supplei_same_release(supplei_same *same) {
  const supple_allocator *a = &same->allocator;
  if (!same->first) return;
  const size_t meshes = same->before->mesh_count, primitives = same->first[meshes];
  supplei_release(a, same->mesh_same, meshes, 1);
  supplei_release(a, same->meshes, meshes, sizeof *same->meshes);
  supplei_release(a, same->primitive_same, primitives, 1);
  supplei_release(a, same->others, primitives, sizeof *same->others);
  supplei_release(a, same->skin_same, same->before->skin_count, 1);
  supplei_release(a, same->skins, same->before->skin_count, sizeof *same->skins);
  supplei_release(a, same->moved, same->before->skeleton.node_count, 1);
  supplei_release(a, same->first, meshes + 1, sizeof *same->first);
  *same = (supplei_same){0};
}

static bool compare_skins(const supplei_same *same, const supple_skin *a, const supple_skin *b) {
  if (a->joint_count != b->joint_count ||
      !equal(a->joints, b->joints, a->joint_count, sizeof *a->joints) ||
      !equal(a->inverse_binds, b->inverse_binds, a->joint_count, sizeof *a->inverse_binds))
    return false;
  for (uint32_t k = 0; k < a->joint_count; k++)
    if (same->moved[a->joints[k]]) return false;
  return true;
}

bool supplei_same_skins(supplei_same *same, const supple_skin *before, const supple_skin *after) {
  if (same->skins[before->index] != after->index) {
    same->skins[before->index] = after->index;
    same->skin_same[before->index] = compare_skins(same, before, after);
  }
  return same->skin_same[before->index] != 0;
}

static bool compare_primitives(const supple_primitive *a, const supple_primitive *b) {
  const size_t count = a->vertex_count, influences = count * a->influence_count;
  if (a->vertex_count != b->vertex_count || a->influence_count != b->influence_count ||
      a->target_count != b->target_count ||
      !equal(a->positions, b->positions, 3 * count, sizeof *a->positions) ||
      !equal(a->joints, b->joints, influences, sizeof *a->joints) ||
      !equal(a->weights, b->weights, influences, sizeof *a->weights))
    return false;
  for (uint32_t t = 0; t < a->target_count; t++)
    if (!equal(a->targets[t].positions, b->targets[t].positions, 3 * count,
               sizeof *a->targets->positions))
      return false;
  return true;
}

bool supplei_same_primitives(supplei_same *same, const supple_primitive *before,
                             const supple_primitive *after) {
  const uint32_t index = same->first[before->mesh] + before->index;
  if (same->others[index] != after) {
    same->others[index] = after;
    same->primitive_same[index] = compare_primitives(before, after);
  }
  return same->primitive_same[index] != 0;
}

bool supplei_same_meshes(supplei_same *same, const supple_instance *before,
                         const supple_instance *after) {
  const uint32_t mesh = before->mesh;
  if (same->meshes[mesh] == after->primitives) return same->mesh_same[mesh] != 0;
  bool equal_all = before->primitive_count == after->primitive_count;
  for (uint32_t p = 0; equal_all && p < before->primitive_count; p++)
    equal_all = supplei_same_primitives(same, before->primitives[p], after->primitives[p]);
  same->meshes[mesh] = after->primitives;
  same->mesh_same[mesh] = equal_all;
  return equal_all;
}
