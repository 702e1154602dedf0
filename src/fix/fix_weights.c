/* fix_weights.c: influences of every primitive made tidy, and fewer where asked. */
#include "../base/prologue.h"

#include "fix_json.h"
#include "influence_users.h"
#include "limit_influences.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SET_WIDTH = 4, JOINTS_U16 = 5123, TARGET_ATTRIBUTES = 34962 };

/* The primitives of one group at work. */
typedef struct group {
  supplei_fix *fix;
  const supple_asset *asset;           /* as it is now: inverse bind matrices may have changed */
  const supplei_influence_user *users; /* [user_count] */
  uint32_t user_count;
  const uint32_t *accessors;         /* of each set: joints, weights */
  const supple_primitive *primitive; /* one of them */
  uint32_t sets, width, vertices;    /* width: influences a vertex */
  supplei_weight_type type;
  bool mixed;                           /* sets differ in their types */
  supplei_stored_influence *influences; /* [vertices][width] */
  supplei_tidy_report tidy;
  supplei_limit_report limit;
  uint32_t *uses; /* [use_count] how often each accessor is named; none is counted that a group added */
  uint32_t use_count;
  bool *plain; /* nothing is compressed any more */
} group;

/* ---- reading ---- */

static supple_result survey_types(group *g) {
  g->type = SUPPLEI_WEIGHT_U8;
  for (uint32_t s = 0; s < g->sets; s++) {
    supple_accessor_layout weights;
    const supple_result result = supple_document_accessor(g->fix->document, g->accessors[2 * s + 1],
                                                          &weights, g->fix->error);
    if (result) return result;
    /* 5121 < 5123 < 5126: the widest has the largest number. */
    if (s && weights.component != (uint32_t)g->type) g->mixed = true;
    if (weights.component > (uint32_t)g->type) g->type = (supplei_weight_type)weights.component;
  }
  return SUPPLE_OK;
}

static supplei_stored_influence stored_of(const group *g, size_t at) {
  const double weight = (double)g->primitive->weights[at];
  const double one = supplei_weight_one(g->type);
  const bool whole = g->type != SUPPLEI_WEIGHT_F32;
  return (supplei_stored_influence){whole ? floor(weight * one + 0.5) : weight,
                                    g->primitive->joints[at]};
}

static void read_influences(group *g) {
  const size_t count = (size_t)g->vertices * g->width;
  for (size_t i = 0; i < count; i++) g->influences[i] = stored_of(g, i);
}

/* ---- writing ---- */

/* Whether a set (its joints, or its weights) is not as it was read. */
static bool changed(const group *g, uint32_t set, bool joints) {
  for (uint32_t v = 0; v < g->vertices; v++)
    for (uint32_t k = set * SET_WIDTH; k < (set + 1) * SET_WIDTH; k++) {
      const size_t at = (size_t)v * g->width + k;
      const supplei_stored_influence now = g->influences[at], was = stored_of(g, at);
      if (joints ? now.joint != was.joint : now.weight != was.weight) return true;
    }
  return false;
}

static void put_element(void *data, size_t at, uint32_t component, double value) {
  if (component == SUPPLEI_WEIGHT_F32)
    ((float *)data)[at] = (float)value;
  else if (component == SUPPLEI_WEIGHT_U16)
    ((uint16_t *)data)[at] = (uint16_t)value;
  else
    ((uint8_t *)data)[at] = (uint8_t)value; /* which fits: joint_component, supplei_weight_one */
}

/* Joints of a set keep their type where they fit into it. */
static uint32_t joint_component(const group *g, uint32_t set, uint32_t component) {
  if (component == JOINTS_U16) return component;
  for (uint32_t v = 0; v < g->vertices; v++)
    for (uint32_t k = set * SET_WIDTH; k < (set + 1) * SET_WIDTH; k++)
      if (g->influences[(size_t)v * g->width + k].joint > UINT8_MAX) return JOINTS_U16;
  return component;
}

static supple_result point_users(group *g, const char *key, uint32_t accessor) {
  supple_result result = SUPPLE_OK;
  for (uint32_t u = 0; !result && u < g->user_count; u++)
    result = supplei_fix_set_index(g->fix, g->users[u].attributes, key, accessor);
  return result;
}

/* New elements in the place of the old ones where nobody else names the accessor; else a new accessor. */
static supple_result write_set(group *g, uint32_t set, bool joints) {
  const uint32_t accessor = g->accessors[2 * set + !joints];
  supple_accessor_layout layout;
  supple_result result =
      supple_document_accessor(g->fix->document, accessor, &layout, g->fix->error);
  if (result) return result;
  layout.component = joints ? joint_component(g, set, layout.component) : (uint32_t)g->type;
  layout.normalized = !joints && g->type != SUPPLEI_WEIGHT_F32;
  const size_t size = layout.component == SUPPLEI_WEIGHT_F32   ? 4
                      : layout.component == SUPPLEI_WEIGHT_U16 ? 2
                                                               : 1;
  const size_t count = (size_t)g->vertices * SET_WIDTH;
  void *data = supplei_allocate(&g->fix->allocator, count, size);
  if (!data) return supplei_fix_no_memory(g->fix, "influences");
  for (size_t i = 0; i < count; i++) {
    const supplei_stored_influence *one =
        &g->influences[i / SET_WIDTH * g->width + set * SET_WIDTH + i % SET_WIDTH];
    put_element(data, i, layout.component, joints ? (double)one->joint : one->weight);
  }
  const supple_accessor_data what = {.layout = layout, .data = data, .target = TARGET_ATTRIBUTES};
  if (g->uses[accessor] == g->user_count) {
    result = supple_document_set_accessor(g->fix->document, accessor, &what, g->fix->error);
  } else {
    uint32_t added;
    char key[24];
    snprintf(key, sizeof key, joints ? "JOINTS_%u" : "WEIGHTS_%u", (unsigned)set);
    result = supple_document_add_accessor(g->fix->document, &what, &added, g->fix->error);
    if (!result) result = point_users(g, key, added);
    g->uses[accessor] -= g->user_count;
  }
  supplei_release(&g->fix->allocator, data, count, size);
  return result;
}

static supple_result drop_set(group *g, uint32_t set) {
  supple_result result = SUPPLE_OK;
  char joints[24], weights[24];
  snprintf(joints, sizeof joints, "JOINTS_%u", (unsigned)set);
  snprintf(weights, sizeof weights, "WEIGHTS_%u", (unsigned)set);
  for (uint32_t u = 0; !result && u < g->user_count; u++) {
    result = supplei_fix_remove(g->fix, g->users[u].attributes, joints);
    if (!result) result = supplei_fix_remove(g->fix, g->users[u].attributes, weights);
  }
  g->uses[g->accessors[2 * set]] -= g->user_count;
  g->uses[g->accessors[2 * set + 1]] -= g->user_count;
  return result;
}

static supple_result decompress(group *g) {
  uint32_t count = 0;
  supple_result result = supple_document_decompress(g->fix->document, &count, g->fix->error);
  if (result || !count) return result;
  return supplei_fix_did(g->fix, "", "", count,
                         "what was compressed is stored plainly now, since a part of it changes");
}

static supple_result write_group(group *g) {
  const uint32_t needed = (g->tidy.most + SET_WIDTH - 1) / SET_WIDTH;
  bool any = needed < g->sets, draco = false;
  for (uint32_t s = 0; s < needed && !any; s++) any = changed(g, s, true) || changed(g, s, false);
  if (!any) return SUPPLE_OK;
  for (uint32_t u = 0; u < g->user_count; u++) draco |= g->users[u].draco;
  supple_result result = draco && !*g->plain ? decompress(g) : SUPPLE_OK;
  if (draco && !*g->plain) {
    *g->plain = true;
    memset(g->uses, 0, g->use_count * sizeof *g->uses);
    supplei_fix_count_uses(g->fix->document, g->uses, g->use_count);
  }
  g->fix->deforms = true;
  for (uint32_t s = 0; !result && s < needed; s++) {
    if (g->mixed || changed(g, s, true)) result = write_set(g, s, true);
    if (!result && (g->mixed || changed(g, s, false))) result = write_set(g, s, false);
  }
  for (uint32_t s = needed; !result && s < g->sets; s++) result = drop_set(g, s);
  return result;
}

/* ---- telling ---- */

static supple_result tell_tidied(const group *g, const char *weights, const char *joints) {
  const supplei_tidy_report *t = &g->tidy;
  supplei_fix *fix = g->fix;
  char number[SUPPLEI_FIX_NUMBER];
  supple_result result = SUPPLE_OK;
  if (t->off)
    result = supplei_fix_did(
        fix, "ACCESSOR_WEIGHTS_NON_NORMALIZED", weights, t->off,
        "weights of %u of %u vertices are divided by their sum (the worst: %s)", (unsigned)t->off,
        (unsigned)t->vertices, supplei_fix_number(t->worst_sum, number));
  if (!result && t->negatives)
    result =
        supplei_fix_did(fix, "ACCESSOR_WEIGHTS_NEGATIVE", weights, t->negatives,
                        "weights below zero are taken out of %u vertices", (unsigned)t->negatives);
  if (!result && t->duplicates)
    result = supplei_fix_did(fix, "ACCESSOR_JOINTS_INDEX_DUPLICATE", joints, t->duplicates,
                             "a joint that %u vertices name twice is named once, with the sum",
                             (unsigned)t->duplicates);
  if (!result && t->zeros)
    result =
        supplei_fix_did(fix, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", joints, t->zeros,
                        "joints without weight are taken out of %u vertices", (unsigned)t->zeros);
  if (!result && t->unweighted)
    result = supplei_fix_did(
        fix, "SKINNING_VERTICES_UNWEIGHTED", weights, t->unweighted,
        "%u vertices without weight belong to the first joint that they name, with weight 1",
        (unsigned)t->unweighted);
  if (!result && t->unordered)
    result = supplei_fix_did(
        fix, g->sets > 1 ? "SKINNING_SETS_UNORDERED" : "", weights, t->unordered,
        "influences of %u vertices are put in order, the largest first", (unsigned)t->unordered);
  return result;
}

static supple_result tell_limited(const group *g, const char *weights) {
  char with[SUPPLEI_FIX_NUMBER], without[SUPPLEI_FIX_NUMBER];
  return supplei_fix_did(
      g->fix, "SKINNING_INFLUENCES_MANY", weights, g->limit.limited,
      "%u of %u vertices are limited to %u influences, %u of them refitted: at most %s m off "
      "under linear blending, where dropping the smallest weights gives %s m",
      (unsigned)g->limit.limited, (unsigned)g->vertices, (unsigned)g->fix->options->influences,
      (unsigned)g->limit.refitted, supplei_fix_number(g->limit.largest, with),
      supplei_fix_number(g->limit.truncated, without));
}

static supple_result tell(const group *g) {
  char weights[96], joints[96];
  const supplei_influence_user *first = g->users;
  for (uint32_t u = 1; u < g->user_count; u++)
    if (g->users[u].mesh < first->mesh ||
        (g->users[u].mesh == first->mesh && g->users[u].primitive < first->primitive))
      first = &g->users[u];
  snprintf(weights, sizeof weights, "/meshes/%u/primitives/%u/attributes/WEIGHTS_0",
           (unsigned)first->mesh, (unsigned)first->primitive);
  snprintf(joints, sizeof joints, "/meshes/%u/primitives/%u/attributes/JOINTS_0",
           (unsigned)first->mesh, (unsigned)first->primitive);
  supple_result result = tell_tidied(g, weights, joints);
  const uint32_t needed = (g->tidy.most + SET_WIDTH - 1) / SET_WIDTH;
  if (!result && g->limit.limited) result = tell_limited(g, weights);
  if (!result && needed < g->sets)
    result = supplei_fix_did(g->fix, "SKINNING_SETS_EMPTY", joints, g->sets - needed,
                             "%u of %u sets of influences are left, the others are empty",
                             (unsigned)needed, (unsigned)g->sets);
  return result;
}

/* ---- a group, all groups ---- */

static supple_result limit_group(group *g, supplei_limiter *limiter) {
  bool *meshes = supplei_allocate_zero(&g->fix->allocator, g->asset->mesh_count, sizeof *meshes);
  if (!meshes) return supplei_fix_no_memory(g->fix, "meshes");
  for (uint32_t u = 0; u < g->user_count; u++) meshes[g->users[u].mesh] = true;
  supple_result result = supplei_limiter_choose(limiter, meshes);
  supplei_release(&g->fix->allocator, meshes, g->asset->mesh_count, sizeof *meshes);
  g->tidy.most = 0;
  for (uint32_t v = 0; !result && v < g->vertices; v++) {
    supplei_stored_influence *list = g->influences + (size_t)v * g->width;
    uint32_t count = 0;
    while (count < g->width && list[count].weight > 0) count++;
    result =
        supplei_limiter_vertex(limiter, g->primitive, v, list, count, g->type, &count, &g->limit);
    if (count > g->tidy.most) g->tidy.most = count;
  }
  return result == SUPPLE_ERROR_MEMORY ? supplei_fix_no_memory(g->fix, "poses") : result;
}

static supple_result fix_group(group *g, supplei_limiter *limiter) {
  supple_result result = survey_types(g);
  if (result) return result;
  const size_t count = (size_t)g->vertices * g->width;
  g->influences = supplei_allocate(&g->fix->allocator, count, sizeof *g->influences);
  if (!g->influences) return supplei_fix_no_memory(g->fix, "influences");
  read_influences(g);
  for (uint32_t v = 0; v < g->vertices; v++)
    supplei_tidy_vertex(g->influences + (size_t)v * g->width, g->width, g->type, &g->tidy);
  if (limiter->most && g->tidy.most > limiter->most) result = limit_group(g, limiter);
  if (!result) result = write_group(g);
  if (!result) result = tell(g);
  supplei_release(&g->fix->allocator, g->influences, count, sizeof *g->influences);
  return result;
}

static supple_result fix_groups(supplei_fix *fix, const supple_asset *asset,
                                const supplei_influence_users *users, supplei_limiter *limiter) {
  const uint32_t use_count = supple_document_accessor_count(fix->document);
  uint32_t *uses = supplei_allocate_zero(&fix->allocator, use_count, sizeof *uses);
  bool plain = false;
  supple_result result = uses ? SUPPLE_OK : supplei_fix_no_memory(fix, "accessors");
  if (uses) supplei_fix_count_uses(fix->document, uses, use_count);
  for (uint32_t begin = 0, end; !result && begin < users->count; begin = end) {
    const supplei_influence_user *first = &users->items[begin];
    end = supplei_influence_users_end(users, begin);
    group g = {.fix = fix,
               .asset = asset,
               .users = first,
               .user_count = end - begin,
               .accessors = users->pool + first->key,
               .primitive = &asset->meshes[first->mesh].primitives[first->primitive],
               .sets = first->set_count,
               .width = first->set_count * SET_WIDTH,
               .uses = uses,
               .use_count = use_count,
               .plain = &plain};
    g.vertices = g.primitive->vertex_count;
    if (g.vertices) result = fix_group(&g, limiter);
  }
  supplei_release(&fix->allocator, uses, use_count, sizeof *uses);
  return result;
}

supple_result supplei_fix_weights(supplei_fix *fix) {
  const uint32_t most = fix->options->influences;
  supplei_influence_users users;
  supplei_limiter limiter = {0};
  supple_asset *now = NULL;
  const supple_asset *asset = fix->before;
  supple_result result = supplei_influence_users_find(&users, fix, most != 0);
  if (!result && fix->deforms && most) {
    asset = now = supple_document_asset(fix->document, &fix->options->load, fix->error);
    if (!now) result = fix->error->result;
  }
  if (!result && most && supplei_limiter_open(&limiter, asset, most, &fix->allocator))
    result = supplei_fix_no_memory(fix, "poses");
  if (!result) result = fix_groups(fix, asset, &users, &limiter);
  supplei_limiter_close(&limiter);
  supplei_influence_users_release(&users);
  supple_asset_free(now);
  return result;
}
