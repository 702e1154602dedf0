/* fix_compare.c: how far a repaired document's vertices are from where they were, in every pose.
 *
 * Pose by pose, skin by skin, primitive by primitive, in buffers for the largest one. Instances that deformation cannot
 * tell apart are looked at once, and what no repair can have moved not at all. */
#include "../base/prologue.h"

#include "fix_state.h"

#include "../base/merge_sort.h"
#include "../deform/prepared.h"
#include "fix_poses.h"
#include "fix_same.h"

#include <math.h>
#include <string.h>

enum { TIMES_A_CLIP = 120, METHODS = 2 };

/* What one comparison may take, in vertices that one method moves once: some seconds. Beyond, fewer poses are looked at,
 * evenly, and where even one is too much, as many primitives as there is room for. */
static const uint64_t MOST_WORK = 1000000000;
/* What a node takes to be posed, a joint to be prepared by both methods, a primitive to be begun. */
enum { NODE_WORK = 30, JOINT_WORK = 200, PRIMITIVE_WORK = 100 };

/* Primitives of an instance as it was, and of one as it is, that show the same. */
typedef struct pair {
  uint32_t before, after;  /* instances */
  uint32_t primitive, now; /* SUPPLE_NONE: all, each with that of its number */
  const uint32_t *sources; /* as in the trace */
  uint32_t source_count;
  bool moved;  /* all of it, by a repair, perhaps */
  bool needed; /* something in it has to be looked at */
} pair;

/* One state of the asset. */
typedef struct side {
  const supple_asset *asset;
  uint32_t most_influences;
  supple_pose *pose;
  supple_palette *palette;
  const supple_skin *composed; /* what the palette holds of the pose */
  uint32_t *first;             /* [mesh_count + 1] the number of each mesh's first primitive */
  supple_binding **bindings;   /* [primitives] made when needed */
  uint8_t *morphs;             /* [node_count] a clip moves its morph weights */
  float *out[METHODS];         /* of the primitive at hand; NULL: another side's */
  bool fine[METHODS];          /* out holds it */
} side;

typedef struct comparison {
  supplei_fix *fix;
  supple_fix_report *report;
  supple_allocator allocator;
  supplei_poses poses;
  supplei_same same;
  side before, truncated, after; /* truncated: as it was, with the smallest weights dropped */
  pair *pairs;
  uint32_t pair_count, pair_capacity;
  uint32_t most_vertices, most_joints; /* of one primitive, of one skin */
  supple_prepared *prepared;           /* serves one after the other */
  float *rest;
  uint64_t pose_work;  /* of one pose */
  uint32_t pose_count; /* that are looked at */
  bool out_of_memory;
} comparison;

/* ---- the two states ---- */

static void close_side(comparison *c, side *s) {
  const supple_allocator *a = &c->allocator;
  if (!s->asset) return;
  const uint32_t primitives = s->first ? s->first[s->asset->mesh_count] : 0;
  for (uint32_t i = 0; s->bindings && i < primitives; i++) supple_binding_destroy(s->bindings[i]);
  supplei_release(a, s->bindings, primitives, sizeof(supple_binding *));
  supplei_release(a, s->first, (size_t)s->asset->mesh_count + 1, sizeof *s->first);
  supplei_release(a, s->morphs, s->asset->skeleton.node_count, 1);
  for (int m = 0; m < METHODS; m++)
    supplei_release(a, s->out[m], c->most_vertices, 3 * sizeof(float));
  supple_palette_destroy(s->palette);
  supple_pose_destroy(s->pose);
}

static void mark_morphs(side *s) {
  for (uint32_t c = 0; c < s->asset->clip_count; c++)
    for (uint32_t i = 0; i < s->asset->clips[c].channel_count; i++) {
      const supple_channel *channel = &s->asset->clips[c].channels[i];
      if (channel->path == SUPPLE_PATH_WEIGHTS) s->morphs[channel->node] = 1;
    }
}

/* What knowing the pairs takes. */
static bool open_side(comparison *c, side *s, const supple_asset *asset, uint32_t most_influences) {
  const supple_allocator *a = &c->allocator;
  uint64_t primitives = 0;
  s->asset = asset;
  s->most_influences = most_influences;
  s->first = supplei_allocate_zero(a, (size_t)asset->mesh_count + 1, sizeof *s->first);
  for (uint32_t m = 0; s->first && m < asset->mesh_count; m++) {
    s->first[m] = (uint32_t)primitives;
    primitives += asset->meshes[m].primitive_count;
  }
  if (!s->first || primitives >= SUPPLE_NONE) return false;
  s->first[asset->mesh_count] = (uint32_t)primitives;
  s->bindings = supplei_allocate_zero(a, (size_t)primitives, sizeof(supple_binding *));
  s->morphs = supplei_allocate_zero(a, asset->skeleton.node_count, 1);
  if (!s->bindings || !s->morphs) return false;
  mark_morphs(s);
  return true;
}

/* What deforming takes. */
static bool open_buffers(comparison *c, side *s, const side *like) {
  const supple_allocator *a = &c->allocator;
  if (!like) {
    s->pose = supple_pose_create(&s->asset->skeleton, a, NULL);
    s->palette = supple_palette_create(c->most_joints, SUPPLE_SPACE_SCENE, a, NULL);
    if (!s->pose || !s->palette) return false;
  }
  for (int m = 0; m < METHODS; m++) {
    s->out[m] = supplei_allocate(a, c->most_vertices, 3 * sizeof(float));
    if (!s->out[m]) return false;
  }
  return true;
}

static const supple_binding *binding_of(comparison *c, side *s, const supple_primitive *primitive) {
  supple_binding **binding = &s->bindings[s->first[primitive->mesh] + primitive->index];
  const supple_binding_options options = {.max_influences = s->most_influences,
                                          .allocator = c->allocator};
  if (!*binding) *binding = supple_binding_create(primitive, &options, NULL);
  c->out_of_memory |= !*binding;
  return *binding;
}

/* ---- pairs ---- */

/* The instance of a node, or SUPPLE_NONE. They are in the order of nodes. */
static uint32_t instance_of(const supple_asset *asset, uint32_t node) {
  uint32_t begin = 0, end = asset->instance_count;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (asset->instances[middle].node < node)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin < asset->instance_count && asset->instances[begin].node == node ? begin : SUPPLE_NONE;
}

static int order_of(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static bool mesh_morphs(const supple_instance *instance) {
  for (uint32_t p = 0; p < instance->primitive_count; p++)
    if (instance->primitives[p]->target_count) return true;
  return false;
}

/* 0: two instances of one mesh have equal morph weights in every pose. */
static int compare_morphs(const side *s, uint32_t a, uint32_t b) {
  const supple_instance *p = &s->asset->instances[a], *q = &s->asset->instances[b];
  if (p->node == q->node || !mesh_morphs(p)) return 0;
  const supple_node *m = &s->asset->skeleton.nodes[p->node], *n = &s->asset->skeleton.nodes[q->node];
  const int order = order_of(s->morphs[p->node], s->morphs[q->node]);
  if (order || s->morphs[p->node]) return order ? order : order_of(p->node, q->node);
  if (m->weight_count != n->weight_count) return order_of(m->weight_count, n->weight_count);
  const float *weights = s->asset->skeleton.weights;
  if (!weights || !m->weight_count) return 0;
  return memcmp(weights + m->weight_begin, weights + n->weight_begin,
                m->weight_count * sizeof *weights);
}

/* 0: two instances look the same to deformation. Those of one skin come together. */
static int compare_instances(const side *s, uint32_t a, uint32_t b) {
  const supple_instance *p = &s->asset->instances[a], *q = &s->asset->instances[b];
  int order = order_of(p->skin->index, q->skin->index);
  if (!order) order = order_of(p->mesh, q->mesh);
  return order ? order : compare_morphs(s, a, b);
}

static int compare_pairs(const void *context, uint64_t a, uint64_t b) {
  const comparison *c = context;
  const pair *p = &c->pairs[a], *q = &c->pairs[b];
  int order = compare_instances(&c->before, p->before, q->before);
  if (!order) order = order_of(p->primitive, q->primitive);
  if (!order) order = compare_instances(&c->after, p->after, q->after);
  if (!order) order = order_of(p->now, q->now);
  return order ? order : order_of((uintptr_t)p->sources, (uintptr_t)q->sources);
}

static const supple_primitive *primitive_of(const side *s, uint32_t instance, uint32_t primitive) {
  const supple_instance *i = &s->asset->instances[instance];
  return primitive < i->primitive_count ? i->primitives[primitive] : NULL;
}

static bool add_pairs(comparison *c) {
  const supplei_fix *fix = c->fix;
  c->pairs = supplei_allocate(&c->allocator, fix->trace_count, sizeof *c->pairs);
  c->pair_capacity = fix->trace_count;
  if (!c->pairs) return false;
  for (uint32_t t = 0; t < fix->trace_count; t++) {
    const supplei_trace *trace = &fix->traces[t];
    const uint32_t after = instance_of(c->after.asset, trace->node);
    const bool whole = trace->primitive == SUPPLE_NONE;
    if (after == SUPPLE_NONE || (!whole && !primitive_of(&c->after, after, trace->now))) continue;
    c->pairs[c->pair_count++] =
        (pair){trace->instance, after,          trace->primitive,
               trace->now,      trace->sources, trace->sources ? trace->source_count : 0,
               false,           false};
  }
  return true;
}

/* Sorts them, and keeps one of those that are alike. */
static bool sort_pairs(comparison *c) {
  const supple_allocator *a = &c->allocator;
  const uint32_t count = c->pair_count;
  uint64_t *order = supplei_allocate(a, count, 2 * sizeof *order);
  pair *sorted = supplei_allocate(a, c->pair_capacity, sizeof *sorted);
  const bool fine = order && sorted;
  if (fine) {
    for (uint32_t i = 0; i < count; i++) order[i] = i;
    supplei_merge_sort(order, order + count, count, compare_pairs, c);
    c->pair_count = 0;
    for (uint32_t i = 0; i < count; i++)
      if (i == 0 || compare_pairs(c, order[i - 1], order[i]) != 0)
        sorted[c->pair_count++] = c->pairs[order[i]];
    pair *swap = c->pairs;
    c->pairs = sorted;
    sorted = swap;
  }
  supplei_release(a, sorted, c->pair_capacity, sizeof *sorted);
  supplei_release(a, order, count, 2 * sizeof *order);
  return fine;
}

/* ---- which primitives of a pair have to be looked at ---- */

/* Whether the instances' morph weights are the same in every pose. */
static bool same_morphs(const comparison *c, const pair *p) {
  const supple_instance *a = &c->before.asset->instances[p->before],
                        *b = &c->after.asset->instances[p->after];
  const supple_skeleton *before = &c->before.asset->skeleton, *after = &c->after.asset->skeleton;
  const supple_node *m = &before->nodes[a->node], *n = &after->nodes[b->node];
  if (!mesh_morphs(a) && !mesh_morphs(b)) return true;
  if (c->before.morphs[a->node] || c->after.morphs[b->node]) return false;
  return m->weight_count == n->weight_count &&
         (!m->weight_count ||
          (before->weights && after->weights &&
           memcmp(before->weights + m->weight_begin, after->weights + n->weight_begin,
                  m->weight_count * sizeof *before->weights) == 0));
}

static bool primitive_moved(comparison *c, const pair *p, const supple_primitive *a,
                            const supple_primitive *b) {
  return p->moved || !supplei_same_primitives(&c->same, a, b);
}

/* Whether dropping the smallest weights changes a primitive. */
static bool is_truncated(comparison *c, const supple_primitive *primitive) {
  if (!c->truncated.asset) return false;
  const supple_binding *binding = binding_of(c, &c->truncated, primitive);
  return binding && supple_binding_cleaning(binding)->limited != 0;
}

/* The primitives of a pair, one after the other; *next begins at 0. Those without influences are left out. */
static bool next_primitives(const comparison *c, const pair *p, uint32_t *next,
                            const supple_primitive **before, const supple_primitive **after) {
  for (;;) {
    const uint32_t index = (*next)++;
    const bool whole = p->primitive == SUPPLE_NONE;
    if (!whole && index) return false;
    *before = primitive_of(&c->before, p->before, whole ? index : p->primitive);
    *after = primitive_of(&c->after, p->after, whole ? index : p->now);
    if (!*before) return false;
    if ((*before)->influence_count && (*before)->vertex_count) return true;
  }
}

/* ---- deforming ---- */

static const float *rest_of(comparison *c, const side *s, const supple_pose *pose,
                            uint32_t instance, const supple_primitive *primitive) {
  const supple_node *node = &s->asset->skeleton.nodes[s->asset->instances[instance].node];
  if (!primitive->target_count) return primitive->positions;
  return supple_morph(primitive, pose->weights + node->weight_begin, node->weight_count,
                      (supple_out_stream){c->rest, 12}, (supple_out_stream){NULL, 0},
                      (supple_out_stream){NULL, 0})
             ? NULL
             : c->rest;
}

/* By a binding of `s` and the pose of `posed`, which are one side but for the truncated one. */
static void deform_primitive(comparison *c, side *s, side *posed, uint32_t instance,
                             const supple_primitive *primitive, int methods) {
  const supple_instance *shown = &posed->asset->instances[instance];
  for (int m = 0; m < METHODS; m++) s->fine[m] = false;
  const supple_binding *binding = binding_of(c, s, primitive);
  if (!binding || !supplei_prepared_serve(c->prepared, binding)) {
    c->out_of_memory = true;
    return;
  }
  if (posed->composed != shown->skin) supple_palette_compose(posed->palette, posed->pose, shown);
  posed->composed = shown->skin;
  const float *rest = rest_of(c, posed, posed->pose, instance, primitive);
  for (int m = 0; rest && m < methods; m++) {
    supple_result result =
        supple_prepared_update(c->prepared, binding, posed->palette, m ? SUPPLE_DQS : SUPPLE_LBS);
    if (!result)
      result = supple_deform(&(supple_job){
          .prepared = c->prepared, .positions = {rest, 12}, .out_positions = {s->out[m], 12}});
    s->fine[m] = !result;
    c->out_of_memory |= result == SUPPLE_ERROR_MEMORY;
  }
}

/* ---- distances ---- */

static double squared_distance(const float *a, const float *b) {
  const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1],
               z = (double)a[2] - (double)b[2];
  return x * x + y * y + z * z;
}

/* The largest distance between vertices of two sides; NaN where one of them cannot be deformed. */
static double distance(const side *a, const side *b, int method, const uint32_t *sources,
                       uint32_t count) {
  const float *p = a->out[method], *q = b->out[method];
  double most = 0;
  if (!a->fine[method] || !b->fine[method]) return (double)NAN;
  for (uint32_t v = 0; v < count; v++) {
    const uint32_t source = sources ? sources[v] : v;
    const double square = squared_distance(p + 3 * (size_t)source, q + 3 * (size_t)v);
    if (square > most) most = square;
  }
  return sqrt(most);
}

static void offer(comparison *c, uint32_t pose, double metres) {
  if (!(metres > c->report->largest_metres)) return;
  const bool in_clip = pose < c->poses.frame_count;
  c->report->largest_metres = metres;
  c->report->worst_clip = in_clip ? c->poses.frames[pose].clip : SUPPLE_NONE;
  c->report->worst_seconds = in_clip ? c->poses.frames[pose].seconds : 0;
}

static void compare_primitive(comparison *c, const pair *p, uint32_t pose,
                              const supple_primitive *a, const supple_primitive *b) {
  const uint32_t count = p->sources ? p->source_count : a->vertex_count;
  const bool moved =
      b && b->influence_count && b->vertex_count >= count && count && primitive_moved(c, p, a, b);
  const bool truncated = is_truncated(c, a);
  if (!moved && !truncated) return;
  deform_primitive(c, &c->before, &c->before, p->before, a, METHODS);
  if (moved) deform_primitive(c, &c->after, &c->after, p->after, b, METHODS);
  for (int m = 0; moved && m < METHODS; m++)
    offer(c, pose, distance(&c->before, &c->after, m, p->sources, count));
  if (truncated) deform_primitive(c, &c->truncated, &c->before, p->before, a, METHODS);
  for (int m = 0; truncated && m < METHODS; m++) {
    const double metres = distance(&c->before, &c->truncated, m, NULL, a->vertex_count);
    if (metres > c->report->truncated_metres) c->report->truncated_metres = metres;
  }
}

/* ---- how much there is to do ---- */

static uint64_t work_of(const comparison *c, const pair *p, const supple_primitive *a) {
  const uint64_t joints = c->before.asset->instances[p->before].skin->joint_count;
  const uint64_t sides = c->truncated.asset ? 3 : 2;
  return sides * (METHODS * (uint64_t)a->vertex_count + JOINT_WORK * joints + PRIMITIVE_WORK);
}

/* Marks the pairs that have to be looked at, and measures what a pose takes. */
static void weigh_pairs(comparison *c) {
  c->pose_work = NODE_WORK * ((uint64_t)c->before.asset->skeleton.node_count +
                              c->after.asset->skeleton.node_count);
  for (uint32_t i = 0; i < c->pair_count && !c->out_of_memory; i++) {
    pair *p = &c->pairs[i];
    const supple_instance *before = &c->before.asset->instances[p->before],
                          *after = &c->after.asset->instances[p->after];
    const supple_primitive *a, *b;
    p->moved = p->sources || !same_morphs(c, p) ||
               !supplei_same_skins(&c->same, before->skin, after->skin);
    if (!p->moved && !c->truncated.asset && supplei_same_meshes(&c->same, before, after)) continue;
    for (uint32_t next = 0; c->pose_work <= MOST_WORK && next_primitives(c, p, &next, &a, &b);) {
      const bool needed = (b && primitive_moved(c, p, a, b)) || is_truncated(c, a);
      p->needed |= needed;
      c->pose_work += needed ? work_of(c, p, a) : 1;
    }
    p->needed |= c->pose_work > MOST_WORK; /* nobody has looked */
  }
}

/* Of all poses so many that there is time for; the first and the last, and evenly between. */
static void choose_poses(comparison *c) {
  const uint64_t most = MOST_WORK / c->pose_work;
  bool any = false;
  for (uint32_t i = 0; i < c->pair_count; i++) any |= c->pairs[i].needed;
  c->report->moments = c->poses.count;
  c->report->compared_moments = !any || most >= c->poses.count ? c->poses.count
                                : most < 2                     ? 1
                                                               : (uint32_t)most;
  c->report->incomplete = c->fix->untraced || c->pose_work > MOST_WORK;
  c->pose_count = any ? c->report->compared_moments : 0;
}

static uint32_t pose_at(const comparison *c, uint32_t index) {
  if (c->pose_count == c->poses.count || !index) return index;
  return (uint32_t)((uint64_t)index * (c->poses.count - 1) / (c->pose_count - 1));
}

/* ---- all of it ---- */

static void take_pose(comparison *c, side *s, uint32_t pose) {
  supplei_poses_take(&c->poses, pose, s->asset, s->pose);
  s->composed = NULL;
}

static void compare_pose(comparison *c, uint32_t pose) {
  uint64_t work = 0;
  take_pose(c, &c->before, pose);
  take_pose(c, &c->after, pose);
  for (uint32_t i = 0; i < c->pair_count; i++) {
    const pair *p = &c->pairs[i];
    const supple_primitive *a, *b;
    for (uint32_t next = 0; p->needed && next_primitives(c, p, &next, &a, &b);) {
      work += c->report->incomplete ? work_of(c, p, a) : 0;
      if (c->out_of_memory || work > MOST_WORK) return;
      compare_primitive(c, p, pose, a, b);
    }
  }
}

/* Of what was there, with the nodes as stored. */
static double diagonal_of(comparison *c) {
  supple_bounds box = {{1, 1, 1}, {0, 0, 0}};
  uint64_t work = 0;
  take_pose(c, &c->before, 0);
  for (uint32_t i = 0; i < c->pair_count; i++) {
    const pair *p = &c->pairs[i];
    const supple_primitive *a, *b;
    const bool again = i && c->pairs[i - 1].primitive == p->primitive &&
                       compare_instances(&c->before, c->pairs[i - 1].before, p->before) == 0;
    for (uint32_t next = 0; !again && next_primitives(c, p, &next, &a, &b);) {
      work += work_of(c, p, a);
      if (c->out_of_memory || work > MOST_WORK) break;
      deform_primitive(c, &c->before, &c->before, p->before, a, 1);
      if (c->before.fine[0])
        box = supple_bounds_join(
            box, supple_bounds_of((supple_stream){c->before.out[0], 12}, a->vertex_count));
    }
  }
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const double length = (double)box.max[i] - (double)box.min[i];
    sum += length > 0 ? length * length : 0;
  }
  return sqrt(sum);
}

static void measure_most(comparison *c, const supple_asset *asset) {
  for (uint32_t m = 0; m < asset->mesh_count; m++)
    for (uint32_t p = 0; p < asset->meshes[m].primitive_count; p++)
      if (asset->meshes[m].primitives[p].vertex_count > c->most_vertices)
        c->most_vertices = asset->meshes[m].primitives[p].vertex_count;
  for (uint32_t s = 0; s < asset->skin_count; s++)
    if (asset->skins[s].joint_count > c->most_joints) c->most_joints = asset->skins[s].joint_count;
}

static bool open_deforming(comparison *c) {
  const supple_allocator *a = &c->allocator;
  const supple_prepared_options options = {.allocator = *a};
  const supple_primitive *first, *other;
  uint32_t next = 0, pair_at = 0;
  bool found = false;
  for (; !found && pair_at < c->pair_count; pair_at++)
    for (next = 0; !found && next_primitives(c, &c->pairs[pair_at], &next, &first, &other);)
      found = true;
  const supple_binding *binding = found ? binding_of(c, &c->before, first) : NULL;
  if (binding) c->prepared = supple_prepared_create(binding, &options, NULL);
  c->rest = supplei_allocate(a, c->most_vertices, 3 * sizeof(float));
  return c->prepared && c->rest && open_buffers(c, &c->before, NULL) &&
         open_buffers(c, &c->after, NULL) &&
         (!c->truncated.asset || open_buffers(c, &c->truncated, &c->before));
}

static bool compare_all(comparison *c) {
  weigh_pairs(c);
  if (c->out_of_memory) return false;
  choose_poses(c);
  c->report->range_of_motion = c->poses.range;
  if (!c->pose_count) return true;
  if (!open_deforming(c)) return false;
  for (uint32_t i = 0; i < c->pose_count && !c->out_of_memory; i++) compare_pose(c, pose_at(c, i));
  const double diagonal = c->report->largest_metres > 0 ? diagonal_of(c) : 0;
  c->report->largest_share = diagonal > 0 ? c->report->largest_metres / diagonal : 0;
  return !c->out_of_memory;
}

static void close_all(comparison *c) {
  const supple_allocator *a = &c->allocator;
  supple_prepared_destroy(c->prepared);
  supplei_release(a, c->rest, c->rest ? c->most_vertices : 0, 3 * sizeof(float));
  close_side(c, &c->truncated);
  close_side(c, &c->after);
  close_side(c, &c->before);
  supplei_release(a, c->pairs, c->pair_capacity, sizeof *c->pairs);
  supplei_same_release(&c->same);
  supplei_poses_release(&c->poses);
}

supple_result supplei_fix_compare(supplei_fix *fix, supple_fix_report *report) {
  report->worst_clip = SUPPLE_NONE;
  if (!fix->deforms || !fix->trace_count) return SUPPLE_OK;
  supple_asset *asset = supple_document_asset(fix->document, &fix->options->load, fix->error);
  if (!asset) return fix->error ? fix->error->result : SUPPLE_ERROR_FORMAT;
  comparison c = {.fix = fix, .report = report, .allocator = fix->allocator};
  const uint32_t most = fix->options->influences;
  measure_most(&c, fix->before);
  measure_most(&c, asset);
  const bool fine =
      !supplei_poses_create(&c.poses, fix->before, TIMES_A_CLIP, false, &fix->allocator) &&
      supplei_same_open(&c.same, fix->before, asset, &fix->allocator) &&
      open_side(&c, &c.before, fix->before, 0) && open_side(&c, &c.after, asset, 0) &&
      (!most || open_side(&c, &c.truncated, fix->before, most)) && add_pairs(&c) &&
      sort_pairs(&c) && compare_all(&c);
  close_all(&c);
  supple_asset_free(asset);
  return fine ? SUPPLE_OK : supplei_fix_no_memory(fix, "comparing poses");
}
