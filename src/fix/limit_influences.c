/* limit_influences.c: fewer influences for the vertices of a primitive, fitted to the poses of its instances. */
#include "../base/prologue.h"

#include "limit_influences.h"

#include "../base/memory.h"

#include <math.h>
#include <string.h>

/* Poses of all clips together that are looked at, and matrices of one instance that are kept. */
enum { POSES_WANTED = 720, TIMES_LEAST = 4, TIMES_MOST = 360, MATRICES_MOST = 4000000 };

static uint32_t times_a_clip(const supple_asset *asset) {
  uint32_t joints = 1, clips = asset->clip_count ? asset->clip_count : 1;
  for (uint32_t s = 0; s < asset->skin_count; s++)
    if (asset->skins[s].joint_count > joints) joints = asset->skins[s].joint_count;
  uint32_t wanted = POSES_WANTED / clips;
  if (wanted > TIMES_MOST) wanted = TIMES_MOST;
  if (wanted > MATRICES_MOST / joints / clips) wanted = MATRICES_MOST / joints / clips;
  return wanted > TIMES_LEAST ? wanted : TIMES_LEAST;
}

supple_result supplei_limiter_open(supplei_limiter *limiter, const supple_asset *asset,
                                   uint32_t most, const supple_allocator *allocator) {
  *limiter =
      (supplei_limiter){.allocator = supplei_allocator(allocator), .asset = asset, .most = most};
  limiter->scratch.allocator = limiter->allocator;
  supple_result result =
      supplei_poses_create(&limiter->poses, asset, times_a_clip(asset), true, &limiter->allocator);
  if (result) return result;
  limiter->instances =
      supplei_allocate_zero(&limiter->allocator, asset->instance_count, sizeof *limiter->instances);
  limiter->chosen =
      supplei_allocate(&limiter->allocator, asset->instance_count, sizeof *limiter->chosen);
  return limiter->instances && limiter->chosen ? SUPPLE_OK : SUPPLE_ERROR_MEMORY;
}

static void release_instance(const supplei_limiter *limiter, supplei_posed_instance *posed) {
  const size_t poses = limiter->poses.count;
  supplei_release(&limiter->allocator, posed->matrices, poses * posed->joint_count,
                  sizeof *posed->matrices);
  supplei_release(&limiter->allocator, posed->turns, poses * posed->joint_count,
                  4 * sizeof *posed->turns);
  supplei_release(&limiter->allocator, posed->weights, poses * posed->weight_count,
                  sizeof *posed->weights);
  *posed = (supplei_posed_instance){0};
}

static void release_vertex(supplei_limiter *limiter) {
  const supple_allocator *a = &limiter->allocator;
  supplei_release(a, limiter->points, limiter->point_capacity, sizeof *limiter->points);
  supplei_release(a, limiter->turns, limiter->turns ? limiter->point_capacity / 3 : 0,
                  4 * sizeof *limiter->turns);
  limiter->turns = NULL;
  supplei_release(a, limiter->weights, limiter->weight_capacity, sizeof *limiter->weights);
  supplei_release(a, limiter->stored, limiter->weight_capacity, sizeof *limiter->stored);
  limiter->points = limiter->weights = limiter->stored = NULL;
  limiter->point_capacity = limiter->weight_capacity = 0;
}

void supplei_limiter_close(supplei_limiter *limiter) {
  if (!limiter->asset) return;
  const uint32_t count = limiter->asset->instance_count;
  for (uint32_t i = 0; limiter->instances && i < count; i++)
    release_instance(limiter, &limiter->instances[i]);
  release_vertex(limiter);
  supplei_refit_scratch_free(&limiter->scratch);
  supplei_release(&limiter->allocator, limiter->instances, count, sizeof *limiter->instances);
  supplei_release(&limiter->allocator, limiter->chosen, count, sizeof *limiter->chosen);
  if (limiter->poses.count) supplei_poses_release(&limiter->poses);
  *limiter = (supplei_limiter){0};
}

static void find_turns(const supple_palette *palette, float *turns) {
  for (uint32_t k = 0; k < palette->joint_count; k++, turns += 4) {
    const supple_affine64 matrix = supple_affine_to_double(&palette->matrices[k]);
    supple_quat q = supple_quat_identity();
    if (supple_affine64_is_finite(&matrix))
      q = supple_split_polar(&matrix, &palette->rotations[k], palette->mirrored[k] != 0).rotation;
    turns[0] = (float)q.x, turns[1] = (float)q.y, turns[2] = (float)q.z, turns[3] = (float)q.w;
  }
}

static supple_result pose_instance(supplei_limiter *limiter, uint32_t index, supple_pose *pose) {
  const supple_instance *instance = &limiter->asset->instances[index];
  const supple_node *node = &limiter->asset->skeleton.nodes[instance->node];
  supplei_posed_instance *posed = &limiter->instances[index];
  const size_t poses = limiter->poses.count, joints = instance->skin->joint_count;
  const supple_allocator *a = &limiter->allocator;
  posed->joint_count = instance->skin->joint_count;
  posed->weight_count = node->weight_count;
  posed->matrices = supplei_allocate(a, poses * joints, sizeof *posed->matrices);
  posed->turns = supplei_allocate(a, poses * joints, 4 * sizeof *posed->turns);
  posed->weights = supplei_allocate(a, poses * node->weight_count, sizeof *posed->weights);
  supple_palette *palette = supple_palette_create(posed->joint_count, SUPPLE_SPACE_SCENE, a, NULL);
  const bool fine = posed->matrices && posed->turns && posed->weights && palette;
  for (uint32_t p = 0; fine && p < poses; p++) {
    supplei_poses_take(&limiter->poses, p, limiter->asset, pose);
    supple_palette_compose(palette, pose, instance);
    memcpy(posed->matrices + p * joints, palette->matrices, joints * sizeof *posed->matrices);
    find_turns(palette, posed->turns + 4 * p * joints);
    if (node->weight_count)
      memcpy(posed->weights + (size_t)p * node->weight_count, pose->weights + node->weight_begin,
             node->weight_count * sizeof *posed->weights);
  }
  supple_palette_destroy(palette);
  if (!fine) release_instance(limiter, posed);
  return fine ? SUPPLE_OK : SUPPLE_ERROR_MEMORY;
}

supple_result supplei_limiter_choose(supplei_limiter *limiter, const bool *meshes) {
  supple_result result = SUPPLE_OK;
  supple_pose *pose = supple_pose_create(&limiter->asset->skeleton, &limiter->allocator, NULL);
  if (!pose) return SUPPLE_ERROR_MEMORY;
  limiter->chosen_count = 0;
  for (uint32_t i = 0; !result && i < limiter->asset->instance_count; i++) {
    if (!meshes[limiter->asset->instances[i].mesh]) {
      /* Only those at hand are kept: many instances would take much memory. */
      release_instance(limiter, &limiter->instances[i]);
      continue;
    }
    if (!limiter->instances[i].matrices) result = pose_instance(limiter, i, pose);
    limiter->chosen[limiter->chosen_count++] = i;
  }
  supple_pose_destroy(pose);
  return result;
}

static bool make_room(supplei_limiter *limiter, uint32_t count) {
  size_t poses = (size_t)limiter->poses.count * limiter->chosen_count;
  if (poses == 0) poses = 1;
  if (limiter->point_capacity >= poses * count * 3 && limiter->weight_capacity >= count)
    return true;
  release_vertex(limiter);
  const supple_allocator *a = &limiter->allocator;
  limiter->points = supplei_allocate(a, poses * count * 3, sizeof *limiter->points);
  if (limiter->points) limiter->point_capacity = poses * count * 3;
  if (limiter->points)
    limiter->turns = supplei_allocate(a, poses * count, 4 * sizeof *limiter->turns);
  limiter->weights = supplei_allocate(a, count, sizeof *limiter->weights);
  limiter->stored = supplei_allocate(a, count, sizeof *limiter->stored);
  if (limiter->weights && limiter->stored) {
    limiter->weight_capacity = count;
    return limiter->points && limiter->turns;
  }
  supplei_release(a, limiter->weights, count, sizeof *limiter->weights);
  supplei_release(a, limiter->stored, count, sizeof *limiter->stored);
  limiter->weights = limiter->stored = NULL;
  return false;
}

/* A vertex at rest, morphed as in a pose. */
static void morphed(const supple_primitive *primitive, uint32_t vertex, const float *weights,
                    uint32_t weight_count, double at[3]) {
  for (uint32_t c = 0; c < 3; c++) at[c] = (double)primitive->positions[3 * (size_t)vertex + c];
  for (uint32_t t = 0; t < primitive->target_count && t < weight_count; t++) {
    const float *offsets = primitive->targets[t].positions;
    if (!offsets || weights[t] == 0) continue;
    for (uint32_t c = 0; c < 3; c++)
      at[c] += (double)weights[t] * (double)offsets[3 * (size_t)vertex + c];
  }
}

/* Where the joints of the list take the vertex in poses begin … end - 1 of all instances at hand, behind `poses` others;
 * returns how many there are then. Poses with numbers that are not finite are left out. */
static uint32_t gather_points(const supplei_limiter *limiter, const supple_primitive *primitive,
                              uint32_t vertex, const supplei_stored_influence *list, uint32_t count,
                              uint32_t begin, uint32_t end, uint32_t poses) {
  for (uint32_t i = 0; i < limiter->chosen_count; i++) {
    const supplei_posed_instance *posed = &limiter->instances[limiter->chosen[i]];
    for (uint32_t p = begin; p < end; p++) {
      double at[3], sum = 0;
      double *points = limiter->points + (size_t)poses * count * 3;
      morphed(primitive, vertex, posed->weights + (size_t)p * posed->weight_count,
              posed->weight_count, at);
      for (uint32_t j = 0; j < count; j++) {
        if (list[j].joint >= posed->joint_count) return 0;
        memcpy(limiter->turns + 4 * ((size_t)poses * count + j),
               posed->turns + 4 * ((size_t)p * posed->joint_count + list[j].joint),
               4 * sizeof *limiter->turns);
        const supple_affine *m = &posed->matrices[(size_t)p * posed->joint_count + list[j].joint];
        for (uint32_t r = 0; r < 3; r++) {
          const float *row = m->m[r];
          const double value = (double)row[0] * at[0] + (double)row[1] * at[1] +
                               (double)row[2] * at[2] + (double)row[3];
          points[3 * j + r] = value;
          sum += fabs(value);
        }
      }
      poses += isfinite(sum) != 0;
    }
  }
  return poses;
}

/* Largest first, ties to the lowest joint: the same problem wherever the vertex stands. */
static void sort_by_weight(supplei_stored_influence *list, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const supplei_stored_influence one = list[i];
    uint32_t at = i;
    for (; at > 0 && (list[at - 1].weight < one.weight ||
                      (list[at - 1].weight == one.weight && list[at - 1].joint > one.joint));
         at--)
      list[at] = list[at - 1];
    list[at] = one;
  }
}

supple_result supplei_limiter_vertex(supplei_limiter *limiter, const supple_primitive *primitive,
                                     uint32_t vertex, supplei_stored_influence *list,
                                     uint32_t count, supplei_weight_type type, uint32_t *left,
                                     supplei_limit_report *report) {
  *left = count;
  if (count <= limiter->most) return SUPPLE_OK;
  if (!make_room(limiter, count)) return SUPPLE_ERROR_MEMORY;
  double sum = 0;
  sort_by_weight(list, count);
  for (uint32_t j = 0; j < count; j++) sum += list[j].weight;
  for (uint32_t j = 0; j < count; j++) limiter->weights[j] = list[j].weight / sum;
  /* Without clips, the made up poses are all there is to go by. */
  const bool clips = limiter->asset->clip_count != 0;
  const uint32_t whole = limiter->poses.count;
  const uint32_t first = clips ? limiter->poses.frame_count : whole;
  const uint32_t own = gather_points(limiter, primitive, vertex, list, count, 0, first, 0);
  const uint32_t all =
      own ? gather_points(limiter, primitive, vertex, list, count, first, whole, own) : 0;
  const supplei_refit refit = {
      .count = count,
      .most = limiter->most,
      .weights = limiter->weights,
      .points = limiter->points,
      .turns = limiter->turns,
      .pose_count = all,
      .spare_count = all - own,
      .type = type,
  };
  supplei_refitted refitted;
  const supple_result result =
      supplei_refit_vertex(&refit, &limiter->scratch, limiter->stored, &refitted);
  if (result) return result;
  for (uint32_t j = 0; j < count; j++) list[j].weight = limiter->stored[j];
  sort_by_weight(list, count);
  *left = 0;
  for (uint32_t j = 0; j < count; j++)
    if (list[j].weight > 0)
      ++*left;
    else
      list[j] = (supplei_stored_influence){0, 0};
  report->limited++;
  report->refitted += refitted.refitted;
  if (refitted.truncated > report->truncated) report->truncated = refitted.truncated;
  if (refitted.largest > report->largest) report->largest = refitted.largest;
  return SUPPLE_OK;
}
