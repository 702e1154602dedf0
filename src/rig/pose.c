/* pose.c: one frame's local transforms, and the worlds that follow from them. */
#include "../base/prologue.h"

#include "../../include/supple/rig.h"

#include "../base/error.h"
#include "../base/memory.h"

#include <string.h>

/* Everything below walks `order` and trusts it, so it is looked at once. `seen`: a zero a node. */
static supple_result check_skeleton(const supple_skeleton *skeleton, uint8_t *seen,
                                    supple_error *error) {
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    const uint32_t n = skeleton->order[i];
    if (n >= skeleton->node_count || seen[n])
      return supplei_fail(
          error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
          "entry %u of the skeleton's order is node %u, which it %s; list every node once", i, n,
          n < skeleton->node_count ? "names twice" : "does not have");
    const supple_node *node = &skeleton->nodes[n];
    if (node->parent != SUPPLE_NONE && (node->parent >= skeleton->node_count || !seen[node->parent]))
      return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                          "parent %u of node %u does not come before it in the skeleton's order",
                          node->parent, n);
    if (node->weight_begin > skeleton->weight_count ||
        node->weight_count > skeleton->weight_count - node->weight_begin)
      return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                          "the morph weights of node %u exceed the skeleton's %u", n,
                          skeleton->weight_count);
    seen[n] = 1;
  }
  return SUPPLE_OK;
}

/* The arrays are NULL where they could not be had; supple_pose_destroy takes such a pose. */
static supple_pose *allocate(const supple_skeleton *skeleton, const supple_allocator *memory) {
  supple_pose *pose = supplei_allocate_zero(memory, 1, sizeof *pose);
  if (!pose) return NULL;
  const size_t nodes = skeleton->node_count;
  pose->skeleton = skeleton;
  pose->allocator = *memory;
  pose->locals = supplei_allocate(memory, nodes, sizeof *pose->locals);
  pose->use_matrix = supplei_allocate_zero(memory, nodes, sizeof *pose->use_matrix);
  pose->weights = supplei_allocate(memory, skeleton->weight_count, sizeof *pose->weights);
  pose->worlds = supplei_allocate(memory, nodes, sizeof *pose->worlds);
  pose->rotations = supplei_allocate(memory, nodes, sizeof *pose->rotations);
  pose->mirrored = supplei_allocate_zero(memory, nodes, sizeof *pose->mirrored);
  return pose;
}

static size_t byte_count(const supple_skeleton *skeleton) {
  const size_t a_node = sizeof(supple_transform) + sizeof(supple_affine64) + sizeof(supple_quat) + 2;
  return sizeof(supple_pose) + skeleton->node_count * a_node +
         skeleton->weight_count * sizeof(float);
}

supple_pose *supple_pose_create(const supple_skeleton *skeleton, const supple_allocator *allocator,
                                supple_error *error) {
  const supple_allocator memory = supplei_allocator(allocator);
  supple_pose *pose = allocate(skeleton, &memory);
  if (!pose || !pose->locals || !pose->use_matrix || !pose->weights || !pose->worlds ||
      !pose->rotations || !pose->mirrored) {
    supplei_fail_memory(error, byte_count(skeleton), "a pose");
    supple_pose_destroy(pose);
    return NULL;
  }
  if (check_skeleton(skeleton, pose->mirrored, error) != SUPPLE_OK) {
    supple_pose_destroy(pose);
    return NULL;
  }
  supple_pose_rest(pose);
  return pose;
}

void supple_pose_destroy(supple_pose *pose) {
  if (!pose) return;
  const supple_allocator memory = pose->allocator;
  const size_t nodes = pose->skeleton->node_count, weights = pose->skeleton->weight_count;
  supplei_release(&memory, pose->mirrored, nodes, sizeof *pose->mirrored);
  supplei_release(&memory, pose->rotations, nodes, sizeof *pose->rotations);
  supplei_release(&memory, pose->worlds, nodes, sizeof *pose->worlds);
  supplei_release(&memory, pose->weights, weights, sizeof *pose->weights);
  supplei_release(&memory, pose->use_matrix, nodes, sizeof *pose->use_matrix);
  supplei_release(&memory, pose->locals, nodes, sizeof *pose->locals);
  supplei_release(&memory, pose, 1, sizeof *pose);
}

static void reset(supple_pose *pose) {
  const supple_skeleton *skeleton = pose->skeleton;
  for (uint32_t n = 0; n < skeleton->node_count; n++) {
    pose->locals[n] = skeleton->nodes[n].rest;
    pose->use_matrix[n] = skeleton->nodes[n].has_matrix;
  }
  const size_t weights = skeleton->weight_count * sizeof *pose->weights;
  if (skeleton->weights)
    memcpy(pose->weights, skeleton->weights, weights);
  else
    memset(pose->weights, 0, weights);
}

void supple_pose_rest(supple_pose *pose) {
  reset(pose);
  supple_pose_update(pose);
}

void supple_pose_sample(supple_pose *pose, const supple_clip *clip, double seconds) {
  reset(pose);
  supple_pose_apply(pose, clip, seconds);
  supple_pose_update(pose);
}

/* What a node's own transform does to orientation: its orthogonal polar factor, negated where it
 * mirrors. */
typedef struct turn {
  supple_quat rotation;
  bool mirrored;
} turn;

/* The polar factor of R · S is R · sign(S) for a diagonal S, with zero taken as positive: the
 * limit of scales that shrink to it. Up to the sign that `mirrored` carries, sign(S) is a half
 * turn about the axis whose sign differs from the other two, if one does. */
static turn turn_of_transform(const supple_transform *local) {
  const supple_quat rotation = supple_quat_normalise(local->rotation);
  const bool x = local->scale.x < 0, y = local->scale.y < 0, z = local->scale.z < 0;
  supple_quat half = supple_quat_identity();
  if (x != y && x != z) half = supple_quat_make(1, 0, 0, 0);
  if (y != x && y != z) half = supple_quat_make(0, 1, 0, 0);
  if (z != x && z != y) half = supple_quat_make(0, 0, 1, 0);
  return (turn){supple_quat_multiply(rotation, half), x ^ y ^ z};
}

static turn turn_of_matrix(const supple_affine64 *matrix) {
  if (!supple_affine64_is_finite(matrix)) return (turn){supple_quat_identity(), false};
  const supple_split split = supple_split_polar(matrix, NULL, false);
  return (turn){split.rotation, split.mirrored};
}

void supple_pose_update(supple_pose *pose) {
  const supple_skeleton *skeleton = pose->skeleton;
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    const uint32_t n = skeleton->order[i], parent = skeleton->nodes[n].parent;
    const bool by_matrix = pose->use_matrix[n];
    const supple_affine64 local =
        by_matrix ? skeleton->nodes[n].matrix : supple_transform_to_affine(&pose->locals[n]);
    const turn own = by_matrix ? turn_of_matrix(&local) : turn_of_transform(&pose->locals[n]);
    if (parent == SUPPLE_NONE) {
      pose->worlds[n] = local;
      pose->rotations[n] = own.rotation;
      pose->mirrored[n] = own.mirrored;
    } else {
      pose->worlds[n] = supple_affine64_multiply(&pose->worlds[parent], &local);
      /* Normalised at each step, or the length would drift along a deep chain. */
      pose->rotations[n] =
          supple_quat_normalise(supple_quat_multiply(pose->rotations[parent], own.rotation));
      pose->mirrored[n] = (pose->mirrored[parent] != 0) != own.mirrored;
    }
  }
}
