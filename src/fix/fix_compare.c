/* fix_compare.c: how far a repaired document's vertices are from where they were, in every pose. */
#include "../base/prologue.h"

#include "fix_state.h"

#include "../../include/supple/deform.h"
#include "fix_poses.h"

#include <math.h>

enum { TIMES_A_CLIP = 120 };

/* One skinned primitive of one state of the asset. */
typedef struct mover {
  const supple_instance *instance;
  const supple_primitive *primitive;
  supple_binding *binding; /* NULL: it has no influences, or its matrices are not finite now */
  bool shared;             /* the binding is another's */
  supple_prepared *prepared;
  float *rest; /* morphed; NULL: nothing morphs */
  float *out;
  bool fine; /* out holds this pose */
} mover;

/* One state: as it was, as it was with the smallest weights dropped, as it is. */
typedef struct side {
  const supple_asset *asset;
  supple_allocator allocator;
  uint32_t most_influences;
  supple_pose *pose;
  supple_palette *palette;
  mover *movers;    /* instance by instance */
  uint32_t *begins; /* [instance_count + 1] */
  uint32_t count;
} side;

static void close_side(side *s) {
  const supple_allocator *a = &s->allocator;
  for (uint32_t i = 0; s->movers && i < s->count; i++) {
    mover *m = &s->movers[i];
    supple_prepared_destroy(m->prepared);
    if (!m->shared) supple_binding_destroy(m->binding);
    if (!m->primitive) continue;
    supplei_release(a, m->rest, m->primitive->vertex_count, 3 * sizeof(float));
    supplei_release(a, m->out, m->primitive->vertex_count, 3 * sizeof(float));
  }
  supplei_release(a, s->movers, s->count, sizeof *s->movers);
  if (s->asset)
    supplei_release(a, s->begins, (size_t)s->asset->instance_count + 1, sizeof *s->begins);
  supple_palette_destroy(s->palette);
  supple_pose_destroy(s->pose);
}

static bool find_binding(side *s, mover *m, uint32_t before) {
  for (uint32_t i = 0; i < before; i++)
    if (s->movers[i].primitive == m->primitive && s->movers[i].binding) {
      m->binding = s->movers[i].binding;
      m->shared = true;
      return true;
    }
  const supple_binding_options options = {.max_influences = s->most_influences,
                                          .allocator = s->allocator};
  m->binding = supple_binding_create(m->primitive, &options, NULL);
  return m->binding != NULL;
}

static bool open_mover(side *s, uint32_t index) {
  mover *m = &s->movers[index];
  const supple_primitive *p = m->primitive;
  const supple_prepared_options options = {.allocator = s->allocator};
  if (!p->influence_count || !p->vertex_count) return true;
  if (!find_binding(s, m, index)) return false;
  m->prepared = supple_prepared_create(m->binding, &options, NULL);
  m->out = supplei_allocate(&s->allocator, p->vertex_count, 3 * sizeof(float));
  if (p->target_count) {
    m->rest = supplei_allocate(&s->allocator, p->vertex_count, 3 * sizeof(float));
    if (!m->rest) return false;
  }
  return m->prepared && m->out;
}

static bool open_side(side *s, const supple_asset *asset, const supple_allocator *allocator,
                      uint32_t most_influences) {
  uint32_t joints = 1;
  *s = (side){.asset = asset, .allocator = *allocator, .most_influences = most_influences};
  s->begins = supplei_allocate(allocator, (size_t)asset->instance_count + 1, sizeof *s->begins);
  if (!s->begins) return false;
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    s->begins[i] = s->count;
    s->count += asset->instances[i].primitive_count;
    if (asset->instances[i].skin->joint_count > joints)
      joints = asset->instances[i].skin->joint_count;
  }
  s->begins[asset->instance_count] = s->count;
  s->movers = supplei_allocate_zero(allocator, s->count, sizeof *s->movers);
  s->pose = supple_pose_create(&asset->skeleton, allocator, NULL);
  s->palette = supple_palette_create(joints, SUPPLE_SPACE_SCENE, allocator, NULL);
  if (!s->movers || !s->pose || !s->palette) return false;
  for (uint32_t i = 0; i < asset->instance_count; i++)
    for (uint32_t p = 0; p < asset->instances[i].primitive_count; p++) {
      mover *m = &s->movers[s->begins[i] + p];
      m->instance = &asset->instances[i];
      m->primitive = asset->instances[i].primitives[p];
      if (!open_mover(s, s->begins[i] + p)) return false;
    }
  return true;
}

static void deform(const side *s, mover *m, supple_method method) {
  const supple_primitive *p = m->primitive;
  m->fine = false;
  if (!m->binding || supple_prepared_update(m->prepared, m->binding, s->palette, method)) return;
  const float *rest = p->positions;
  if (m->rest) {
    const supple_node *node = &s->asset->skeleton.nodes[m->instance->node];
    if (supple_morph(p, s->pose->weights + node->weight_begin, node->weight_count,
                     (supple_out_stream){m->rest, 12}, (supple_out_stream){NULL, 0},
                     (supple_out_stream){NULL, 0}))
      return;
    rest = m->rest;
  }
  m->fine = !supple_deform(&(supple_job){
      .prepared = m->prepared, .positions = {rest, 12}, .out_positions = {m->out, 12}});
}

static void deform_all(side *s, supple_method method) {
  for (uint32_t i = 0; i < s->asset->instance_count; i++) {
    if (s->begins[i] == s->begins[i + 1]) continue;
    supple_palette_compose(s->palette, s->pose, &s->asset->instances[i]);
    for (uint32_t m = s->begins[i]; m < s->begins[i + 1]; m++) deform(s, &s->movers[m], method);
  }
}

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

static double squared_distance(const float *a, const float *b) {
  const double x = (double)a[0] - (double)b[0], y = (double)a[1] - (double)b[1],
               z = (double)a[2] - (double)b[2];
  return x * x + y * y + z * z;
}

/* The largest distance between what a trace joins; NaN where one of them cannot be deformed. */
static double compare_movers(const mover *a, const mover *b, const supplei_trace *trace) {
  double most = 0;
  if (!a->fine || !b->fine) return (double)NAN;
  const uint32_t count = trace && trace->sources ? trace->source_count : a->primitive->vertex_count;
  if (b->primitive->vertex_count < count) return (double)NAN;
  for (uint32_t v = 0; v < count; v++) {
    const uint32_t source = trace && trace->sources ? trace->sources[v] : v;
    const double square = squared_distance(a->out + 3 * (size_t)source, b->out + 3 * (size_t)v);
    if (square > most) most = square;
  }
  return sqrt(most);
}

typedef struct comparison {
  supplei_fix *fix;
  supplei_poses poses;
  side before, truncated, after;
  supple_fix_report *report;
} comparison;

static void compare_pose(comparison *c, uint32_t pose) {
  const supplei_fix *fix = c->fix;
  for (uint32_t t = 0; t < fix->trace_count; t++) {
    const supplei_trace *trace = &fix->traces[t];
    const uint32_t instance = instance_of(c->after.asset, trace->node);
    if (instance == SUPPLE_NONE) continue;
    const uint32_t at = c->after.begins[instance] + trace->now;
    if (at >= c->after.begins[instance + 1]) continue;
    const mover *a = &c->before.movers[c->before.begins[trace->instance] + trace->primitive];
    const double metres = compare_movers(a, &c->after.movers[at], trace);
    if (!(metres > c->report->largest_metres)) continue;
    c->report->largest_metres = metres;
    const bool in_clip = pose < c->poses.frame_count;
    c->report->worst_clip = in_clip ? c->poses.frames[pose].clip : SUPPLE_NONE;
    c->report->worst_seconds = in_clip ? c->poses.frames[pose].seconds : 0;
  }
  if (!c->truncated.asset) return;
  for (uint32_t m = 0; m < c->before.count; m++) {
    const double metres = compare_movers(&c->before.movers[m], &c->truncated.movers[m], NULL);
    if (metres > c->report->truncated_metres) c->report->truncated_metres = metres;
  }
}

static double diagonal_of(const side *s) {
  supple_bounds box = {{1, 1, 1}, {0, 0, 0}};
  for (uint32_t m = 0; m < s->count; m++)
    if (s->movers[m].fine)
      box = supple_bounds_join(box, supple_bounds_of((supple_stream){s->movers[m].out, 12},
                                                     s->movers[m].primitive->vertex_count));
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const double length = (double)box.max[i] - (double)box.min[i];
    sum += length > 0 ? length * length : 0;
  }
  return sqrt(sum);
}

static void compare_all(comparison *c) {
  side *sides[] = {&c->before, &c->after, &c->truncated};
  double diagonal = 0;
  for (uint32_t pose = 0; pose < c->poses.count; pose++) {
    for (int i = 0; i < 3; i++)
      if (sides[i]->asset) supplei_poses_take(&c->poses, pose, sides[i]->asset, sides[i]->pose);
    for (int method = SUPPLE_LBS; method <= SUPPLE_DQS; method++) {
      for (int i = 0; i < 3; i++)
        if (sides[i]->asset) deform_all(sides[i], (supple_method)method);
      if (pose == 0 && method == SUPPLE_LBS) diagonal = diagonal_of(&c->before);
      compare_pose(c, pose);
    }
  }
  c->report->largest_share = diagonal > 0 ? c->report->largest_metres / diagonal : 0;
  c->report->range_of_motion = c->poses.range;
}

supple_result supplei_fix_compare(supplei_fix *fix, supple_fix_report *report) {
  report->worst_clip = SUPPLE_NONE;
  if (!fix->deforms || !fix->trace_count) return SUPPLE_OK;
  supple_asset *asset = supple_document_asset(fix->document, &fix->options->load, fix->error);
  if (!asset) return fix->error ? fix->error->result : SUPPLE_ERROR_FORMAT;
  comparison c = {.fix = fix, .report = report};
  supple_result result =
      supplei_poses_create(&c.poses, fix->before, TIMES_A_CLIP, false, &fix->allocator);
  const uint32_t most = fix->options->influences;
  const bool fine = !result && open_side(&c.before, fix->before, &fix->allocator, 0) &&
                    open_side(&c.after, asset, &fix->allocator, 0) &&
                    (!most || open_side(&c.truncated, fix->before, &fix->allocator, most));
  if (fine) compare_all(&c);
  close_side(&c.truncated);
  close_side(&c.after);
  close_side(&c.before);
  supplei_poses_release(&c.poses);
  supple_asset_free(asset);
  return fine ? SUPPLE_OK : supplei_fix_no_memory(fix, "comparing poses");
}
