/* fix_poses.c: the poses that a repair is judged by. */
#include "../base/prologue.h"

#include "fix_poses.h"

#include "../base/memory.h"

enum { RANGE_POSES = 48, BETWEEN_MOST = 7 };
static const double LARGEST_TURN = 75 * SUPPLE_PI / 180;

/* Three numbers in [-1, 1) for a joint in a pose, the same on every machine (splitmix64, Steele et al. 2014). */
static void chance(uint32_t pose, uint32_t node, double out[3]) {
  uint64_t state = ((uint64_t)pose << 32 | node) * 0xD1342543DE82EF95u;
  for (int i = 0; i < 3; i++) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    out[i] = (double)((z ^ z >> 31) >> 11) / 4503599627370496.0 - 1;
  }
}

static void turn(supple_pose *pose, uint32_t index, uint32_t node) {
  double r[3];
  chance(index, node, r);
  const supple_vec3 axis = supple_vec3_make(r[0], r[1], r[2]);
  const double size = supple_vec3_length(axis);
  const double angle = LARGEST_TURN * (size < 1 ? size : 1);
  const supple_quat by = supple_quat_from_axis_angle(axis, angle);
  pose->use_matrix[node] = 0;
  pose->locals[node].rotation =
      supple_quat_multiply(supple_quat_normalise(pose->locals[node].rotation), by);
}

/* Times between the keys of a clip that has room for more: as many after each. Frames of a clip follow each other. */
static uint32_t between(const supplei_frames *keys, uint32_t index, uint32_t most) {
  const uint32_t clip = keys->items[index].clip;
  uint32_t first = index, end = index;
  while (first > 0 && keys->items[first - 1].clip == clip) first--;
  while (end < keys->count && keys->items[end].clip == clip) end++;
  if (clip == SUPPLE_NONE || index + 1 == end) return 0;
  const uint32_t room = most / (end - first);
  return room < 2 ? 0 : room - 1 < BETWEEN_MOST ? room - 1 : BETWEEN_MOST;
}

static supple_result fill_frames(supplei_poses *poses, const supplei_frames *keys, uint32_t most) {
  uint64_t count = 0;
  uint32_t at = 0;
  for (uint32_t i = 0; i < keys->count; i++) count += 1 + between(keys, i, most);
  if (count > UINT32_MAX / 2) return SUPPLE_ERROR_MEMORY;
  poses->frames = supplei_allocate(&poses->allocator, (size_t)count, sizeof *poses->frames);
  if (!poses->frames) return SUPPLE_ERROR_MEMORY;
  poses->count = poses->frame_count = (uint32_t)count;
  for (uint32_t i = 0; i < keys->count; i++) {
    const uint32_t more = between(keys, i, most);
    poses->frames[at++] = keys->items[i];
    for (uint32_t k = 1; k <= more; k++) {
      const double begin = keys->items[i].seconds, end = keys->items[i + 1].seconds;
      poses->frames[at++] =
          (supplei_frame){keys->items[i].clip, begin + (end - begin) * k / (more + 1)};
    }
  }
  return SUPPLE_OK;
}

static supple_result mark_joints(supplei_poses *poses, const supple_asset *asset) {
  poses->node_count = asset->skeleton.node_count;
  poses->is_joint = supplei_allocate_zero(&poses->allocator, poses->node_count, 1);
  if (!poses->is_joint) return SUPPLE_ERROR_MEMORY;
  for (uint32_t s = 0; s < asset->skin_count; s++)
    for (uint32_t k = 0; k < asset->skins[s].joint_count; k++)
      poses->is_joint[asset->skins[s].joints[k]] = 1;
  poses->range = true;
  poses->count += RANGE_POSES;
  return SUPPLE_OK;
}

supple_result supplei_poses_create(supplei_poses *poses, const supple_asset *asset, uint32_t most,
                                   bool range, const supple_allocator *allocator) {
  supplei_frames keys;
  *poses = (supplei_poses){.allocator = supplei_allocator(allocator)};
  supple_result result = supplei_frames_create(&keys, asset, most, &poses->allocator);
  if (result) return result;
  result = fill_frames(poses, &keys, most);
  supplei_frames_release(&keys);
  if (!result && (range || !asset->clip_count)) result = mark_joints(poses, asset);
  if (result) supplei_poses_release(poses);
  return result;
}

void supplei_poses_release(supplei_poses *poses) {
  supplei_release(&poses->allocator, poses->frames, poses->frame_count, sizeof *poses->frames);
  supplei_release(&poses->allocator, poses->is_joint, poses->node_count, 1);
  poses->frames = NULL;
  poses->is_joint = NULL;
  poses->count = poses->frame_count = 0;
}

void supplei_poses_take(const supplei_poses *poses, uint32_t index, const supple_asset *asset,
                        supple_pose *pose) {
  if (index < poses->frame_count) {
    supplei_frames_pose(pose, asset, &poses->frames[index]);
    return;
  }
  supple_pose_rest(pose);
  for (uint32_t n = 0; n < poses->node_count; n++)
    if (poses->is_joint[n]) turn(pose, index, n);
  supple_pose_update(pose);
}
