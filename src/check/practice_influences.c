/* practice_influences.c: weights that do not sum to 1, influences beyond four, vertices without any, and sets that
 * readers of JOINTS_0 miss. */
#include "../base/prologue.h"

#include "practice.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SET_WIDTH = 4 };
/* As the binding's: what is nearer to 1 moves nothing by more than the rounding of floats. */
static const double SUM_TOLERANCE = 1e-5;

/* ---- lists ---- */

static bool add(supplei_practice *practice, supplei_vertices *list, const supplei_mover *mover,
                uint32_t vertex) {
  if (!list->items) {
    list->capacity = mover->primitive->vertex_count;
    list->items = supplei_allocate(practice->allocator, list->capacity, sizeof *list->items);
    if (!list->items) return false;
  }
  list->items[list->count++] = vertex;
  return true;
}

static void release_list(const supplei_practice *practice, supplei_vertices *list) {
  supplei_release(practice->allocator, list->items, list->capacity, sizeof *list->items);
  *list = (supplei_vertices){0};
}

/* ---- readings ---- */

static bool open_reading(supplei_practice *practice, supplei_reading *reading,
                         const supple_primitive *primitive, uint32_t most) {
  const supple_binding_options options = {.max_influences = most, .allocator = *practice->allocator};
  reading->binding = supple_binding_create(primitive, &options, NULL);
  return reading->binding != NULL;
}

static void close_reading(supplei_reading *reading) {
  supple_binding_destroy(reading->binding);
  *reading = (supplei_reading){0};
}

/* What readers of JOINTS_0 and WEIGHTS_0 alone see. */
static bool open_first(supplei_practice *practice, supplei_mover *mover) {
  supple_primitive primitive = *mover->primitive;
  size_t count = (size_t)primitive.vertex_count * SET_WIDTH, stride = primitive.influence_count;
  mover->first_weights = supplei_allocate(practice->allocator, count, sizeof(float));
  mover->first_joints = supplei_allocate(practice->allocator, count, sizeof(uint16_t));
  if (!mover->first_weights || !mover->first_joints) return false;
  for (size_t i = 0; i < count; i++) {
    size_t from = i / SET_WIDTH * stride + i % SET_WIDTH;
    mover->first_weights[i] = primitive.weights[from];
    mover->first_joints[i] = primitive.joints[from];
  }
  primitive.influence_count = SET_WIDTH;
  primitive.weights = mover->first_weights;
  primitive.joints = mover->first_joints;
  return open_reading(practice, &mover->first, &primitive, 0);
}

/* ---- vertices ---- */

/* Weight of the four largest cleaned influences; all of them sum to 1. */
static double largest_four(const float *weights, uint32_t count) {
  double top[SET_WIDTH] = {0}, sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    double weight = (double)weights[i];
    for (int k = 0; k < SET_WIDTH; k++)
      if (weight > top[k]) {
        double smaller = top[k];
        top[k] = weight;
        weight = smaller;
      }
  }
  for (int k = 0; k < SET_WIDTH; k++) sum += top[k];
  return sum;
}

static bool look_at_vertex(supplei_practice *practice, supplei_mover *mover, uint32_t vertex) {
  const supple_primitive *primitive = mover->primitive;
  const float *raw = primitive->weights + (size_t)vertex * primitive->influence_count;
  double sum = 0, in_first = 0;
  for (uint32_t i = 0; i < primitive->influence_count; i++) {
    if (!(raw[i] > 0)) continue;
    sum += (double)raw[i];
    if (i < SET_WIDTH) in_first += (double)raw[i];
    if (i / SET_WIDTH >= mover->used_sets) mover->used_sets = i / SET_WIDTH + 1;
  }
  if (!(sum > 0)) return add(practice, &mover->unweighted, mover, vertex);
  bool fine = true;
  if (fabs(sum - 1) > SUM_TOLERANCE) {
    mover->least_sum = fmin(mover->least_sum, sum);
    mover->most_sum = fmax(mover->most_sum, sum);
    fine = add(practice, &mover->off, mover, vertex);
  }
  if (mover->sets < 2) return fine;
  const uint16_t *joints;
  const float *weights;
  uint32_t count = supple_binding_influences(mover->all.binding, vertex, &joints, &weights);
  double largest = largest_four(weights, count);
  if (count > mover->most_influences) mover->most_influences = count;
  if (count > SET_WIDTH) {
    mover->largest_dropped = fmax(mover->largest_dropped, 1 - largest);
    fine = fine && add(practice, &mover->many, mover, vertex);
  }
  if (in_first / sum < largest - SUM_TOLERANCE)
    fine = fine && add(practice, &mover->misplaced, mover, vertex);
  return fine;
}

static bool add_joint(supplei_practice *practice, supplei_mesh_use *use, uint16_t joint) {
  if (use->count == use->capacity) {
    const uint32_t capacity = 2 * use->capacity + 16;
    uint16_t *joints = supplei_allocate(practice->allocator, capacity, sizeof *joints);
    if (!joints) return false;
    if (use->count) memcpy(joints, use->joints, use->count * sizeof *joints);
    supplei_release(practice->allocator, use->joints, use->capacity, sizeof *joints);
    use->joints = joints;
    use->capacity = capacity;
  }
  use->joints[use->count++] = joint;
  practice->joint_seen[joint] = 1;
  return true;
}

static bool list_used(supplei_practice *practice, const supplei_mover *mover, supplei_mesh_use *use) {
  const supple_binding *binding = mover->all.binding;
  const uint16_t *joints;
  const float *weights;
  bool fine = true;
  for (uint32_t v = 0; fine && v < supple_binding_vertex_count(binding); v++)
    for (uint32_t i = supple_binding_influences(binding, v, &joints, &weights); i-- > 0;)
      if (!practice->joint_seen[joints[i]]) fine = fine && add_joint(practice, use, joints[i]);
  return fine;
}

bool supplei_influences_open(supplei_practice *practice, supplei_mover *mover,
                             supplei_mesh_use *use) {
  const supple_primitive *primitive = mover->primitive;
  const supple_stream positions = {primitive->positions, 3 * sizeof(float)};
  mover->box = supple_bounds_of(positions, primitive->vertex_count);
  mover->sets = primitive->influence_count / SET_WIDTH;
  mover->least_sum = HUGE_VAL;
  bool fine = open_reading(practice, &mover->all, primitive, 0) && list_used(practice, mover, use);
  for (uint32_t v = 0; fine && v < primitive->vertex_count; v++)
    fine = look_at_vertex(practice, mover, v);
  if (fine && mover->many.count)
    fine = open_reading(practice, &mover->largest, primitive, SET_WIDTH);
  if (fine && mover->misplaced.count) fine = open_first(practice, mover);
  return fine;
}

void supplei_influences_close(supplei_practice *practice, supplei_mover *mover) {
  if (!mover->primitive) return;
  size_t count = (size_t)mover->primitive->vertex_count * SET_WIDTH;
  close_reading(&mover->all);
  close_reading(&mover->largest);
  close_reading(&mover->first);
  supplei_release(practice->allocator, mover->first_weights, count, sizeof(float));
  supplei_release(practice->allocator, mover->first_joints, count, sizeof(uint16_t));
  release_list(practice, &mover->off);
  release_list(practice, &mover->unweighted);
  release_list(practice, &mover->many);
  release_list(practice, &mover->misplaced);
}

/* ---- findings ---- */

static void tell_sums(supplei_practice *practice, const supplei_mover *mover, const char *pointer) {
  const supplei_worst *moved = &mover->off_moved;
  char least[SUPPLEI_WORDS], most[SUPPLEI_WORDS], way[SUPPLEI_WORDS], when[SUPPLEI_WORDS];
  char share[SUPPLEI_WORDS];
  double largest = fmax(fabs(mover->least_sum - 1), fabs(mover->most_sum - 1));
  supplei_check_found(
      practice->check, SUPPLEI_CODE_SKINNING_WEIGHT_SUMS, pointer,
      (supplei_extent){mover->off.count, moved->metres},
      "the weights of %u of %u vertices sum to %s … %s; as stored they move vertex %u by %s from "
      "where "
      "normalised ones put it, %s, and any of them by up to %s %% of its distance from the origin",
      (unsigned)mover->off.count, (unsigned)mover->primitive->vertex_count,
      supplei_practice_number(mover->least_sum, 6, least),
      supplei_practice_number(mover->most_sum, 6, most), (unsigned)moved->index,
      supplei_practice_metres(moved->metres, way),
      supplei_practice_when(practice->asset, moved, when),
      supplei_practice_number(100 * largest, 2, share));
}

static void tell_unweighted(supplei_practice *practice, const supplei_mover *mover,
                            const char *pointer) {
  const supplei_worst *rest = &mover->unweighted_rest, *origin = &mover->unweighted_origin;
  char from_rest[SUPPLEI_WORDS], from_origin[SUPPLEI_WORDS];
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_VERTICES_UNWEIGHTED, pointer,
                      (supplei_extent){mover->unweighted.count, fmax(rest->metres, origin->metres)},
                      "%u of %u vertices have no weight, the first is %u; viewers that leave them "
                      "where the mesh has them "
                      "show them up to %s from those that give them to the first joint they name, "
                      "viewers that collapse them "
                      "to the origin up to %s",
                      (unsigned)mover->unweighted.count, (unsigned)mover->primitive->vertex_count,
                      (unsigned)mover->unweighted.items[0],
                      supplei_practice_metres(rest->metres, from_rest),
                      supplei_practice_metres(origin->metres, from_origin));
}

static void tell_many(supplei_practice *practice, const supplei_mover *mover, const char *pointer) {
  const supplei_worst *moved = &mover->largest_moved;
  char way[SUPPLEI_WORDS], when[SUPPLEI_WORDS], share[SUPPLEI_WORDS];
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_INFLUENCES_MANY, pointer,
                      (supplei_extent){mover->many.count, moved->metres},
                      "%u of %u vertices have more than 4 influences, up to %u; dropping all but "
                      "the 4 largest, at most %s %% "
                      "of a vertex's weight, moves vertex %u by %s, %s",
                      (unsigned)mover->many.count, (unsigned)mover->primitive->vertex_count,
                      (unsigned)mover->most_influences,
                      supplei_practice_number(100 * mover->largest_dropped, 2, share),
                      (unsigned)moved->index, supplei_practice_metres(moved->metres, way),
                      supplei_practice_when(practice->asset, moved, when));
}

static void tell_misplaced(supplei_practice *practice, const supplei_mover *mover,
                           const char *pointer) {
  const supplei_worst *moved = &mover->first_moved;
  char way[SUPPLEI_WORDS], when[SUPPLEI_WORDS];
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_SETS_UNORDERED, pointer,
                      (supplei_extent){mover->misplaced.count, moved->metres},
                      "JOINTS_0 does not hold the largest weights of %u of %u vertices, the first "
                      "is %u; reading it alone moves "
                      "vertex %u by %s, %s",
                      (unsigned)mover->misplaced.count, (unsigned)mover->primitive->vertex_count,
                      (unsigned)mover->misplaced.items[0], (unsigned)moved->index,
                      supplei_practice_metres(moved->metres, way),
                      supplei_practice_when(practice->asset, moved, when));
}

void supplei_influences_tell(supplei_practice *practice, const supplei_mover *mover) {
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/meshes/%u/primitives/%u", (unsigned)mover->primitive->mesh,
           (unsigned)mover->primitive->index);
  if (mover->off.count) tell_sums(practice, mover, pointer);
  if (mover->unweighted.count) tell_unweighted(practice, mover, pointer);
  if (mover->many.count) tell_many(practice, mover, pointer);
  if (mover->misplaced.count) tell_misplaced(practice, mover, pointer);
  if (mover->used_sets && mover->used_sets < mover->sets)
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_SETS_EMPTY, pointer,
                        supplei_practice_count(mover->sets - mover->used_sets),
                        "of %u sets of influences the last %u carry no weight",
                        (unsigned)mover->sets, (unsigned)(mover->sets - mover->used_sets));
}
