/* palette.c: one matrix a joint, from a pose and a skin. */
#include "../base/prologue.h"

#include "../../include/supple/rig.h"

#include "../base/error.h"
#include "../base/memory.h"

#include <string.h>

/* A map and what it does to orientation: its rotation, and whether it mirrors. The pairs
 * multiply. */
typedef struct motion {
  supple_affine64 map;
  supple_quat rotation;
  bool mirrored;
} motion;

/* What create hands out. A palette's joint_count follows the skin composed last; the room stays.
 * The inverse binds seen last save their polar factors, which would be nearly all the time of
 * composing. */
typedef struct roomy_palette {
  supple_palette palette;
  uint32_t room;
  motion *binds; /* [room] */
} roomy_palette;

static motion identity_motion(void) {
  return (motion){supple_affine64_identity(), supple_quat_identity(), false};
}

static void store(supple_palette *palette, uint32_t joint, const motion *value) {
  palette->matrices[joint] = supple_affine_from_double(&value->map);
  palette->rotations[joint] = value->rotation;
  palette->mirrored[joint] = value->mirrored;
}

supple_palette *supple_palette_create(uint32_t joint_count, supple_space space,
                                      const supple_allocator *allocator, supple_error *error) {
  const supple_allocator memory = supplei_allocator(allocator);
  roomy_palette *roomy = supplei_allocate_zero(&memory, 1, sizeof *roomy);
  supple_palette *palette = roomy ? &roomy->palette : NULL;
  if (roomy) {
    roomy->room = joint_count;
    palette->joint_count = joint_count;
    palette->space = space;
    palette->allocator = memory;
    palette->matrices = supplei_allocate(&memory, joint_count, sizeof *palette->matrices);
    palette->rotations = supplei_allocate(&memory, joint_count, sizeof *palette->rotations);
    palette->mirrored = supplei_allocate(&memory, joint_count, sizeof *palette->mirrored);
    roomy->binds = supplei_allocate(&memory, joint_count, sizeof *roomy->binds);
  }
  if (!palette || !palette->matrices || !palette->rotations || !palette->mirrored || !roomy->binds) {
    const size_t a_joint = sizeof(supple_affine) + sizeof(supple_quat) + 1 + sizeof(motion);
    supplei_fail_memory(error, sizeof *roomy + joint_count * a_joint, "a palette");
    supple_palette_destroy(palette);
    return NULL;
  }
  const motion identity = identity_motion();
  for (uint32_t k = 0; k < joint_count; k++)
    store(palette, k, &identity), roomy->binds[k] = identity;
  return palette;
}

void supple_palette_destroy(supple_palette *palette) {
  if (!palette) return;
  roomy_palette *roomy = (roomy_palette *)palette;
  const supple_allocator memory = palette->allocator;
  supplei_release(&memory, roomy->binds, roomy->room, sizeof *roomy->binds);
  supplei_release(&memory, palette->mirrored, roomy->room, sizeof *palette->mirrored);
  supplei_release(&memory, palette->rotations, roomy->room, sizeof *palette->rotations);
  supplei_release(&memory, palette->matrices, roomy->room, sizeof *palette->matrices);
  supplei_release(&memory, roomy, 1, sizeof *roomy);
}

/* Stands for a node that is not there: supple_prepared_update refuses it and names the joint. */
static motion no_motion(void) {
  motion none = identity_motion();
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++) none.map.m[row][column] = (double)NAN;
  return none;
}

static motion multiply(const motion *a, const motion *b) {
  return (motion){supple_affine64_multiply(&a->map, &b->map),
                  supple_quat_multiply(a->rotation, b->rotation), a->mirrored != b->mirrored};
}

static motion motion_of_node(const supple_pose *pose, uint32_t node) {
  if (node >= pose->skeleton->node_count) return no_motion();
  return (motion){pose->worlds[node], pose->rotations[node], pose->mirrored[node] != 0};
}

/* By the bits, so that it does not matter whose matrix it was or whether it was written to
 * since. */
static bool same_matrix(const supple_affine64 *a, const supple_affine64 *b) {
  return memcmp(a->m, b->m, sizeof a->m) == 0;
}

static motion motion_of_matrix(const supple_affine64 *matrix) {
  motion of = {*matrix, supple_quat_identity(), false};
  if (!supple_affine64_is_finite(matrix)) return of;
  const supple_split split = supple_split_polar(matrix, NULL, false);
  of.rotation = split.rotation;
  of.mirrored = split.mirrored;
  return of;
}

/* The inverse of the skinned node's world. */
static motion reference_inverse(const supple_pose *pose, uint32_t node) {
  const motion world = motion_of_node(pose, node);
  if (!supple_affine64_is_finite(&world.map)) return no_motion();
  motion inverse = {.rotation = supple_quat_conjugate(world.rotation), .mirrored = world.mirrored};
  return supple_affine64_inverse(&world.map, &inverse.map) ? inverse : identity_motion();
}

const supple_palette *supple_palette_compose(supple_palette *palette, const supple_pose *pose,
                                             const supple_instance *instance) {
  const supple_skin *skin = instance->skin;
  roomy_palette *roomy = (roomy_palette *)palette;
  const bool has_room = skin->joint_count <= roomy->room;
  const bool relative = palette->space == SUPPLE_SPACE_MESH;
  const motion reference = relative ? reference_inverse(pose, instance->node) : identity_motion();
  palette->joint_count = has_room ? skin->joint_count : 0; /* too few joints: refused by prepare */
  palette->parents = skin->parents;
  for (uint32_t k = 0; k < palette->joint_count; k++) {
    motion joint = motion_of_node(pose, skin->joints[k]);
    if (relative) joint = multiply(&reference, &joint);
    motion *bind = &roomy->binds[k];
    if (!same_matrix(&bind->map, &skin->inverse_binds[k]))
      *bind = motion_of_matrix(&skin->inverse_binds[k]);
    joint = multiply(&joint, bind);
    store(palette, k, &joint);
  }
  return palette;
}
