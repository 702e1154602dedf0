/* practice_poses.c: the walk through all frames: every primitive deformed as different readers of it would. */
#include "../base/prologue.h"

#include "practice.h"

#include "../deform/prepared.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* FRAMES a clip, fewer where the vertices and nodes of all frames would be more than WORK. */
enum { FRAMES = 60, WORK = 40000000, NODE_WORK = 20 };
/* Where even two frames a clip are more than this (no asset, but a file made to be slow), the walk ends early. */
static const uint64_t MOST_WORK = 1000000000;
/* What it takes to begin a primitive, and to prepare a joint by linear blending, to judge one, and by dual quaternions. */
enum { PRIMITIVE_WORK = 100, JOINT_WORK = 4, JUDGE_WORK = 10, TURN_WORK = 100 };
/* Shares of a model's diagonal below which nothing is told: of what rounding does, and of what shows. */
static const double ROUNDING = 1e-5, VISIBLE = 1e-2;

/* Buffers of the walk. */
typedef struct walk {
  supplei_practice *practice;
  supple_pose *pose, *flat; /* flat: without shear; made when needed */
  supple_prepared *prepared,
      *rigid;                /* they serve one binding after the other; rigid knows no scale */
  supplei_frame posed_frame; /* what the pose holds */
  bool is_posed;
  uint64_t skin_work;          /* of a frame */
  size_t most_vertices;        /* of one primitive */
  float *rest, *posed, *other; /* [most_vertices][3] each */
  const supplei_frame *frame;
  uint64_t work; /* done so far */
  bool ended_early;
  bool out_of_memory;
} walk;

static supple_vec3 point_at(const float *points, uint32_t vertex) {
  const float *p = points + 3 * (size_t)vertex;
  return supple_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

static double way(supple_vec3 a, supple_vec3 b) {
  return supple_vec3_length(supple_vec3_subtract(a, b));
}

/* ---- deforming ---- */

static bool is_morphed(const walk *w, const supple_instance *instance,
                       const supple_primitive *primitive, const float **weights, uint32_t *count) {
  const supple_node *node = &w->practice->asset->skeleton.nodes[instance->node];
  if (!primitive->target_count || !w->pose->weights) return false;
  *weights = w->pose->weights + node->weight_begin;
  *count = node->weight_count;
  for (uint32_t i = 0; i < *count; i++)
    if ((*weights)[i] != 0) return true;
  return false;
}

/* The positions that the skin moves, in this frame. */
static const float *rest_of(const walk *w, const supple_instance *instance,
                            const supple_primitive *primitive) {
  const float *weights;
  uint32_t count;
  const supple_out_stream out = {w->rest, 3 * sizeof(float)}, none = {NULL, 0};
  if (is_morphed(w, instance, primitive, &weights, &count) &&
      supple_morph(primitive, weights, count, out, none, none) == SUPPLE_OK)
    return w->rest;
  return primitive->positions;
}

static bool deform_by(walk *w, const supplei_reading *reading, supple_prepared *prepared,
                      const supple_palette *palette, supple_method method, const float *rest,
                      float *out) {
  const bool serves = supplei_prepared_serve(prepared, reading->binding);
  supple_result result = serves ? supple_prepared_update(prepared, reading->binding, palette, method)
                                : SUPPLE_ERROR_MEMORY;
  w->work += palette->joint_count * (method == SUPPLE_LBS ? (uint64_t)JOINT_WORK : TURN_WORK);
  const supple_job job = {.prepared = prepared,
                          .positions = {rest, 3 * sizeof(float)},
                          .out_positions = {out, 3 * sizeof(float)}};
  if (!result) result = supple_deform(&job);
  w->out_of_memory |= result == SUPPLE_ERROR_MEMORY;
  return result == SUPPLE_OK;
}

static bool deform(walk *w, const supplei_reading *reading, const supple_palette *palette,
                   const float *rest, float *out) {
  return deform_by(w, reading, w->prepared, palette, SUPPLE_LBS, rest, out);
}

/* ---- what goes how far ---- */

static void compare_some(const walk *w, const supplei_vertices *list, supplei_worst *worst) {
  for (uint32_t i = 0; i < list->count; i++)
    supplei_worst_offer(worst,
                        way(point_at(w->posed, list->items[i]), point_at(w->other, list->items[i])),
                        w->frame, list->items[i]);
}

static void compare_all(const walk *w, uint32_t count, supplei_worst *worst) {
  for (uint32_t v = 0; v < count; v++)
    supplei_worst_offer(worst, way(point_at(w->posed, v), point_at(w->other, v)), w->frame, v);
}

/* LBS with the weights as stored is that with normalised ones times their sum. */
static void look_at_sums(const walk *w, supplei_mover *mover) {
  const supple_primitive *primitive = mover->primitive;
  for (uint32_t i = 0; i < mover->off.count; i++) {
    uint32_t vertex = mover->off.items[i];
    const float *raw = primitive->weights + (size_t)vertex * primitive->influence_count;
    double sum = 0;
    for (uint32_t k = 0; k < primitive->influence_count; k++)
      if (raw[k] > 0) sum += (double)raw[k];
    double moved = fabs(sum - 1) * supple_vec3_length(point_at(w->posed, vertex));
    supplei_worst_offer(&mover->off_moved, moved, w->frame, vertex);
  }
}

static void look_at_unweighted(const walk *w, supplei_mover *mover, const float *rest) {
  for (uint32_t i = 0; i < mover->unweighted.count; i++) {
    uint32_t vertex = mover->unweighted.items[i];
    supple_vec3 posed = point_at(w->posed, vertex);
    supplei_worst_offer(&mover->unweighted_rest, way(posed, point_at(rest, vertex)), w->frame,
                        vertex);
    supplei_worst_offer(&mover->unweighted_origin, supple_vec3_length(posed), w->frame, vertex);
  }
}

static double outside(double x, float least, float most) {
  return x < (double)least ? x - (double)least : x > (double)most ? x - (double)most : 0;
}

/* How far the node's own world would carry the vertices, and how far they are from the box of their positions
 * that it carries. */
static void look_at_node(walk *w, uint32_t instance, supplei_mover *mover) {
  const supple_affine64 world = w->pose->worlds[w->practice->asset->instances[instance].node];
  supple_affine64 inverse;
  w->work += mover->primitive->vertex_count;
  bool invertible = supple_affine64_is_finite(&world) && supple_affine64_inverse(&world, &inverse);
  const supple_bounds *box = &mover->box;
  for (uint32_t v = 0; v < mover->primitive->vertex_count; v++) {
    supple_vec3 p = point_at(w->posed, v);
    supple_vec3 moved = supple_affine64_transform_point(&world, p);
    supplei_worst_offer(&w->practice->instances[instance].applied, way(moved, p), w->frame, v);
    if (!invertible) continue;
    supple_vec3 q = supple_affine64_transform_point(&inverse, p);
    supple_vec3 d = supple_vec3_make(outside(q.x, box->min[0], box->max[0]),
                                     outside(q.y, box->min[1], box->max[1]),
                                     outside(q.z, box->min[2], box->max[2]));
    if (d.x == 0 && d.y == 0 && d.z == 0) continue;
    d = supple_affine64_transform_direction(&world, d);
    supplei_worst_offer(&mover->outside, supple_vec3_length(d), w->frame, v);
  }
}

static bool same_world(const walk *w, uint32_t a, uint32_t b) {
  const supple_instance *instances = w->practice->asset->instances;
  return memcmp(&w->pose->worlds[instances[a].node], &w->pose->worlds[instances[b].node],
                sizeof *w->pose->worlds) == 0;
}

/* The same for all instances that deformation cannot tell apart; `first` is the first of them. Most have one world. */
static void look_at_nodes(walk *w, uint32_t first, supplei_mover *mover) {
  supplei_instance_use *uses = w->practice->instances;
  supplei_worst seen = {0}; /* for the world of `like`, of this primitive in this frame */
  uint32_t like = SUPPLE_NONE;
  for (uint32_t i = first; i != SUPPLE_NONE && w->work <= MOST_WORK; i = uses[i].twin) {
    if (like == SUPPLE_NONE || !same_world(w, like, i)) {
      const supplei_worst before = uses[i].applied;
      uses[i].applied = (supplei_worst){0};
      look_at_node(w, i, mover);
      seen = uses[i].applied;
      uses[i].applied = before;
      like = i;
    }
    w->work++;
    supplei_worst_offer(&uses[i].applied, seen.metres, w->frame, seen.index);
  }
}

static double diagonal_of(const supple_bounds *box) {
  supple_vec3 d = supple_vec3_make((double)box->max[0] - (double)box->min[0],
                                   (double)box->max[1] - (double)box->min[1],
                                   (double)box->max[2] - (double)box->min[2]);
  return box->min[0] <= box->max[0] ? supple_vec3_length(d) : 0;
}

/* The first frame: how large the model is, and how far from where it was bound. */
static void look_at_rest(walk *w, uint32_t index, const supplei_mover *mover, const float *rest) {
  const supple_instance *instance = &w->practice->asset->instances[index];
  supplei_skin_use *use = &w->practice->skins[instance->skin->index];
  uint32_t count = mover->primitive->vertex_count;
  const supple_stream stream = {w->posed, 3 * sizeof(float)};
  supple_bounds box = supple_bounds_of(stream, count);
  supplei_instance_use *state = &w->practice->instances[index];
  state->diagonal = fmax(state->diagonal, diagonal_of(&box));
  if (use->bound == SUPPLE_NONE)
    use->bound = supplei_joints_common(use, &mover->box, &use->rest_joints);
  if (use->bound == SUPPLE_NONE || !use->rest_joints) return;
  const supple_affine64 bound = supple_affine_to_double(&use->palette->matrices[use->bound]);
  for (uint32_t v = 0; v < count; v++) {
    supple_vec3 p = supple_affine64_transform_point(&bound, point_at(rest, v));
    supplei_worst_offer(&use->rest, way(p, point_at(w->posed, v)), w->frame, v);
  }
}

/* ---- frames ---- */

static void walk_primitive(walk *w, uint32_t index, supplei_mover *mover) {
  const supple_instance *instance = &w->practice->asset->instances[index];
  supplei_skin_use *use = &w->practice->skins[instance->skin->index];
  const float *rest = rest_of(w, instance, mover->primitive);
  w->work += PRIMITIVE_WORK;
  if (!deform(w, &mover->all, use->palette, rest, w->posed)) {
    uint32_t joint = supple_prepared_found(w->prepared)->refused_joint;
    if (joint != SUPPLE_NONE) supplei_worst_offer(&use->refused, 1, w->frame, joint);
    return;
  }
  if (w->frame->clip == SUPPLE_NONE) look_at_rest(w, index, mover, rest);
  look_at_sums(w, mover);
  look_at_unweighted(w, mover, rest);
  look_at_nodes(w, index, mover);
  if (mover->largest.binding && deform(w, &mover->largest, use->palette, rest, w->other))
    compare_some(w, &mover->many, &mover->largest_moved);
  if (mover->first.binding && deform(w, &mover->first, use->palette, rest, w->other))
    compare_some(w, &mover->misplaced, &mover->first_moved);
  if (use->sheared && use->flat && deform(w, &mover->all, use->flat, rest, w->other))
    compare_all(w, mover->primitive->vertex_count, &use->shear);
}

/* Palettes of worlds without shear, for the skins that shear in this frame. */
static void flatten(walk *w) {
  supplei_practice *practice = w->practice;
  bool flat = false;
  for (uint32_t s = 0; s < practice->asset->skin_count && !w->out_of_memory; s++) {
    supplei_skin_use *use = &practice->skins[s];
    if (!use->instance || !use->sheared) continue;
    if (!w->flat)
      w->flat = supple_pose_create(&practice->asset->skeleton, practice->allocator, NULL);
    if (!use->flat)
      use->flat = supple_palette_create(use->instance->skin->joint_count, SUPPLE_SPACE_SCENE,
                                        practice->allocator, NULL);
    w->out_of_memory = !w->flat || !use->flat;
    if (w->out_of_memory) return;
    if (!flat) supplei_joints_flatten(w->pose, w->flat);
    flat = true;
    supple_palette_compose(use->flat, w->flat, use->instance);
  }
}

static void take_frame(walk *w, const supplei_frame *frame) {
  w->frame = frame;
  if (w->is_posed && w->posed_frame.clip == frame->clip && w->posed_frame.seconds == frame->seconds)
    return;
  supplei_frames_pose(w->pose, w->practice->asset, frame);
  w->work += (uint64_t)w->practice->asset->skeleton.node_count * NODE_WORK;
  w->posed_frame = *frame;
  w->is_posed = true;
}

static void walk_frame(walk *w, const supplei_frame *frame) {
  const supple_asset *asset = w->practice->asset;
  take_frame(w, frame);
  supplei_joints_look(w->practice, w->pose, frame);
  w->work += w->skin_work;
  flatten(w);
  for (uint32_t i = 0; i < asset->instance_count; i++)
    for (uint32_t p = 0; w->practice->instances[i].first && p < asset->instances[i].primitive_count;
         p++) {
      if (w->out_of_memory || w->work > MOST_WORK) return;
      uint32_t first = w->practice->first_mover[asset->instances[i].mesh];
      supplei_mover *mover = &w->practice->movers[first + p];
      if (mover->primitive) walk_primitive(w, i, mover);
    }
}

/* ---- dual quaternions that know no scale ---- */

static double gap_of(walk *w, const supplei_mover *mover, const supple_instance *instance) {
  const supple_palette *palette = w->practice->skins[instance->skin->index].palette;
  const float *rest = rest_of(w, instance, mover->primitive);
  supplei_worst worst = {0};
  w->work += 2 * (uint64_t)mover->primitive->vertex_count + PRIMITIVE_WORK;
  if (deform_by(w, &mover->all, w->prepared, palette, SUPPLE_DQS, rest, w->posed) &&
      deform_by(w, &mover->all, w->rigid, palette, SUPPLE_DQS, rest, w->other))
    compare_all(w, mover->primitive->vertex_count, &worst);
  else
    worst.metres = (double)NAN;
  return worst.metres;
}

/* The largest gap of all instances of a skin in a frame. */
static double rigid_gap(walk *w, const supplei_skin_use *use, const supplei_frame *frame) {
  const supple_asset *asset = w->practice->asset;
  double most = (double)NAN;
  if (w->work > MOST_WORK) {
    w->ended_early = true;
    return most;
  }
  take_frame(w, frame);
  supple_palette_compose(use->palette, w->pose, use->instance);
  for (uint32_t i = (uint32_t)(use->instance - asset->instances); i != SUPPLE_NONE;
       i = w->practice->instances[i].next) {
    const supple_instance *instance = &asset->instances[i];
    for (uint32_t p = 0; w->practice->instances[i].first && p < instance->primitive_count &&
                         w->work <= MOST_WORK && !w->out_of_memory;
         p++) {
      const supplei_mover *mover =
          &w->practice->movers[w->practice->first_mover[instance->mesh] + p];
      if (mover->primitive) most = fmax(most, gap_of(w, mover, instance));
    }
  }
  w->ended_early |= w->work > MOST_WORK;
  return most;
}

/* ---- findings ---- */

static void tell_rest(supplei_practice *practice, const supplei_skin_use *use) {
  char pointer[64], metres[SUPPLEI_WORDS];
  uint32_t joints = use->rest_joints;
  snprintf(pointer, sizeof pointer, "/skins/%u", (unsigned)use->instance->skin->index);
  supplei_practice_metres(use->rest.metres, metres);
  supplei_check_found(
      practice->check, SUPPLEI_CODE_SKINNING_REST_NOT_BIND, pointer,
      (supplei_extent){joints, use->rest.metres},
      "with the nodes as stored %u of %u joints in use are not where they were bound, and "
      "vertices up to %s from the bind pose",
      (unsigned)joints, (unsigned)use->used_count, metres);
  if (practice->check->options->strict)
    supplei_check_found(
        practice->check, SUPPLEI_CODE_SKINNING_STRICT_REST_POSE, pointer,
        (supplei_extent){joints, use->rest.metres},
        "the nodes as stored are not the bind pose: %u joints differ, vertices by up to %s",
        (unsigned)joints, metres);
}

static void tell_skin(walk *w, supplei_skin_use *use) {
  supplei_practice *practice = w->practice;
  const supple_skin *skin = use->instance->skin;
  double metres[SUPPLEI_TROUBLE_COUNT], diagonal = 0;
  for (uint32_t i = (uint32_t)(use->instance - practice->asset->instances); i != SUPPLE_NONE;
       i = practice->instances[i].next)
    diagonal = fmax(diagonal, practice->instances[i].diagonal);
  if (!(use->shear.metres > ROUNDING * diagonal)) use->shear.metres = 0;
  for (int k = 0; k < SUPPLEI_TROUBLE_COUNT; k++)
    metres[k] = use->worst[k].metres > 0 ? rigid_gap(w, use, &use->worst[k].frame) : (double)NAN;
  supplei_joints_tell(practice, use, metres);
  if (use->rest.metres > 10 * ROUNDING * diagonal) tell_rest(practice, use);
  if (use->refused.metres > 0) {
    char pointer[64], name[SUPPLEI_WORDS], when[SUPPLEI_WORDS];
    snprintf(pointer, sizeof pointer, "/skins/%u", (unsigned)skin->index);
    supplei_check_found(
        practice->check, SUPPLEI_CODE_SKINNING_POSE_NOT_FINITE, pointer, supplei_practice_count(0),
        "the matrix of joint %u, %s, is not finite %s", (unsigned)use->refused.index,
        supplei_practice_node(practice->asset, skin->joints[use->refused.index], name),
        supplei_practice_when(practice->asset, &use->refused, when));
  }
}

static void tell_outside(supplei_practice *practice, const supplei_mover *mover) {
  char pointer[96], metres[SUPPLEI_WORDS], when[SUPPLEI_WORDS];
  snprintf(pointer, sizeof pointer, "/meshes/%u/primitives/%u", (unsigned)mover->primitive->mesh,
           (unsigned)mover->primitive->index);
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_BOUNDS_EXCEEDED, pointer,
                      (supplei_extent){1, mover->outside.metres},
                      "vertices leave the box of POSITION by up to %s, %s",
                      supplei_practice_metres(mover->outside.metres, metres),
                      supplei_practice_when(practice->asset, &mover->outside, when));
}

static void tell_applied(supplei_practice *practice, uint32_t index) {
  const supplei_worst *applied = &practice->instances[index].applied;
  uint32_t node = practice->asset->instances[index].node;
  char pointer[64], name[SUPPLEI_WORDS], metres[SUPPLEI_WORDS], when[SUPPLEI_WORDS];
  snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)node);
  supplei_check_found(
      practice->check, SUPPLEI_CODE_SKINNING_NODE_MOVED, pointer,
      (supplei_extent){1, applied->metres},
      "the world transform of %s, which has a skin, is not the identity; applied on top it "
      "moves vertices by up to %s, %s",
      supplei_practice_node(practice->asset, node, name),
      supplei_practice_metres(applied->metres, metres),
      supplei_practice_when(practice->asset, applied, when));
}

static void tell(walk *w) {
  supplei_practice *practice = w->practice;
  const supple_asset *asset = practice->asset;
  for (uint32_t i = 0; i < asset->instance_count; i++) /* at rest, twins are as large */
    if (practice->instances[i].twin != SUPPLE_NONE)
      practice->instances[practice->instances[i].twin].diagonal = practice->instances[i].diagonal;
  for (uint32_t s = 0; s < asset->skin_count; s++)
    if (practice->skins[s].instance) tell_skin(w, &practice->skins[s]);
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    const supplei_instance_use *use = &practice->instances[i];
    if (use->applied.metres > ROUNDING * use->diagonal) tell_applied(practice, i);
  }
  for (uint32_t i = 0; i < practice->first_mover[asset->mesh_count]; i++) {
    const supplei_mover *mover = &practice->movers[i];
    if (!mover->primitive) continue;
    supplei_influences_tell(practice, mover);
    if (mover->outside.metres > VISIBLE * diagonal_of(&mover->box)) tell_outside(practice, mover);
  }
}

/* ---- the whole ---- */

/* Vertices of all instances, and nodes: what a frame costs (less, where twins are many, but never more). */
static bool work_of(walk *w, uint64_t *work) {
  const supple_asset *asset = w->practice->asset;
  const supple_allocator *a = w->practice->allocator;
  uint64_t *meshes = supplei_allocate_zero(a, asset->mesh_count, sizeof *meshes);
  if (!meshes) return false;
  for (uint32_t m = 0; m < asset->mesh_count; m++)
    for (uint32_t p = 0; p < asset->meshes[m].primitive_count; p++) {
      const uint32_t count = asset->meshes[m].primitives[p].vertex_count;
      meshes[m] += count;
      if (w->practice->movers[w->practice->first_mover[m] + p].primitive && count > w->most_vertices)
        w->most_vertices = count;
    }
  *work = 1 + (uint64_t)asset->skeleton.node_count * NODE_WORK;
  for (uint32_t i = 0; i < asset->instance_count; i++) *work += meshes[asset->instances[i].mesh];
  supplei_release(a, meshes, asset->mesh_count, sizeof *meshes);
  return true;
}

static uint32_t frames_of_clip(const walk *w, uint64_t work) {
  uint64_t clips = w->practice->asset->clip_count ? w->practice->asset->clip_count : 1;
  uint64_t most = WORK / work / clips;
  return most > FRAMES ? FRAMES : most < 2 ? 2 : (uint32_t)most;
}

static void tell_early_end(const walk *w, uint32_t done, uint32_t count) {
  if (done < count)
    supplei_check_found(w->practice->check, SUPPLEI_CODE_SKINNING_CHECK_INCOMPLETE, "",
                        supplei_practice_count(0),
                        "vertices were looked at in %u of %u moments: what the skins, meshes and "
                        "clips add up to is too much",
                        (unsigned)done, (unsigned)count);
  else if (w->ended_early)
    supplei_check_found(w->practice->check, SUPPLEI_CODE_SKINNING_CHECK_INCOMPLETE, "",
                        supplei_practice_count(0),
                        "joints of some skins were not looked at by dual quaternions: what the "
                        "skins and meshes add up to is too much");
}

static bool open_walk(walk *w) {
  supplei_practice *practice = w->practice;
  const supple_allocator *a = practice->allocator;
  const supplei_mover *any = NULL;
  const uint32_t movers = practice->first_mover[practice->asset->mesh_count];
  for (uint32_t i = 0; i < movers && !any; i++)
    if (practice->movers[i].primitive) any = &practice->movers[i];
  if (any) {
    const supple_prepared_options plain = {.allocator = *a},
                                  rigid = {.scale = SUPPLE_SCALE_NONE, .allocator = *a};
    w->prepared = supple_prepared_create(any->all.binding, &plain, NULL);
    w->rigid = supple_prepared_create(any->all.binding, &rigid, NULL);
    if (!w->prepared || !w->rigid) return false;
  }
  for (uint32_t s = 0; s < practice->asset->skin_count; s++)
    if (practice->skins[s].instance)
      w->skin_work += JUDGE_WORK * (uint64_t)practice->asset->skins[s].joint_count;
  w->pose = supple_pose_create(&practice->asset->skeleton, a, NULL);
  w->rest = supplei_allocate(a, w->most_vertices, 3 * sizeof(float));
  w->posed = supplei_allocate(a, w->most_vertices, 3 * sizeof(float));
  w->other = supplei_allocate(a, w->most_vertices, 3 * sizeof(float));
  return w->pose && w->rest && w->posed && w->other;
}

static void close_walk(walk *w) {
  const supple_allocator *a = w->practice->allocator;
  supplei_release(a, w->other, w->most_vertices, 3 * sizeof(float));
  supplei_release(a, w->posed, w->most_vertices, 3 * sizeof(float));
  supplei_release(a, w->rest, w->most_vertices, 3 * sizeof(float));
  supple_prepared_destroy(w->rigid);
  supple_prepared_destroy(w->prepared);
  supple_pose_destroy(w->flat);
  supple_pose_destroy(w->pose);
}

void supplei_practice_poses(supplei_practice *practice) {
  walk w = {.practice = practice};
  supplei_frames frames = {.allocator = *practice->allocator};
  uint64_t work = 0;
  uint32_t done = 0;
  if (!practice->asset->instance_count) return;
  w.out_of_memory = !work_of(&w, &work) ||
                    supplei_frames_create(&frames, practice->asset, frames_of_clip(&w, work),
                                          practice->allocator) != SUPPLE_OK ||
                    !open_walk(&w);
  while (done < frames.count && !w.out_of_memory && w.work <= MOST_WORK) {
    walk_frame(&w, &frames.items[done]);
    done += w.work <= MOST_WORK; /* the last one was not looked at as a whole */
  }
  if (!w.out_of_memory) {
    w.work =
        w.work > MOST_WORK ? MOST_WORK / 2 : w.work / 2; /* there is always time for the joints */
    tell(&w);
    tell_early_end(&w, done, frames.count);
  }
  if (w.out_of_memory && !practice->check->result) practice->check->result = SUPPLE_ERROR_MEMORY;
  close_walk(&w);
  supplei_frames_release(&frames);
}
