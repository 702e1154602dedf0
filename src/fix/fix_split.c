/* fix_split.c: skins with few joints: meshes in parts, each with a node and a skin of its own. */
#include "../base/prologue.h"

#include "split_parts.h"

#include "../base/merge_sort.h"
#include "node_places.h"

#include <stdio.h>
#include <string.h>

/* What instances join; skins[s] is the group's number, by its lowest skin. */
typedef struct groups {
  uint32_t *skins; /* [skin_count] */
  bool *many;      /* [skin_count] of a group: a skin has too many joints */
  bool *meshes;    /* [mesh_count] of the group at hand */
} groups;

/* The traces before a group was split, by the node that carries them. */
typedef struct old_traces {
  supplei_trace *items; /* [count] */
  uint32_t *next;       /* [count] another one of its node, or SUPPLE_NONE */
  uint32_t *first;      /* [node_count] */
  uint32_t count, node_count;
} old_traces;

/* A group at work. */
typedef struct splitting {
  supplei_fix *fix;
  supplei_split split;
  uint32_t *skin_numbers; /* [skin_count][part_count] the skin of a part; SUPPLE_NONE: not made yet */
  bool *taken;            /* [skin_count] its own place is used by a part */
  const supplei_node_places *places; /* of the nodes that were there */
  old_traces old;
} splitting;

/* ---- groups ---- */

static uint32_t group_of(const groups *g, uint32_t skin) {
  while (g->skins[skin] != skin) skin = g->skins[skin] = g->skins[g->skins[skin]];
  return skin;
}

/* Skins of one mesh are in one group. */
static supple_result find_groups(groups *g, supplei_fix *fix, const supple_asset *asset) {
  uint32_t *first = supplei_allocate(&fix->allocator, asset->mesh_count, sizeof *first);
  if (!first) return supplei_fix_no_memory(fix, "meshes");
  for (uint32_t s = 0; s < asset->skin_count; s++) g->skins[s] = s;
  for (uint32_t m = 0; m < asset->mesh_count; m++) first[m] = SUPPLE_NONE;
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    const uint32_t mesh = asset->instances[i].mesh;
    const uint32_t skin = group_of(g, asset->instances[i].skin->index);
    if (first[mesh] == SUPPLE_NONE) first[mesh] = skin;
    const uint32_t other = group_of(g, first[mesh]);
    if (other < skin)
      g->skins[skin] = other;
    else
      g->skins[other] = skin;
  }
  supplei_release(&fix->allocator, first, asset->mesh_count, sizeof *first);
  return SUPPLE_OK;
}

/* Which groups have a skin in use that has too many joints. */
static void mark_many(groups *g, const supple_asset *asset, uint32_t most) {
  for (uint32_t i = 0; i < asset->instance_count; i++)
    if (asset->instances[i].skin->joint_count > most)
      g->many[group_of(g, asset->instances[i].skin->index)] = true;
}

/* Marks the meshes of a group. */
static void mark_meshes(groups *g, const supple_asset *asset, uint32_t group) {
  for (uint32_t m = 0; m < asset->mesh_count; m++) g->meshes[m] = false;
  for (uint32_t i = 0; i < asset->instance_count; i++)
    if (group_of(g, asset->instances[i].skin->index) == group)
      g->meshes[asset->instances[i].mesh] = true;
}

/* ---- skins ---- */

/* Joints of a part that the skin has: ascending, so what it has not are the last. */
static uint32_t joints_left(const supplei_partition *partition, const supple_skin *skin,
                            uint32_t part) {
  uint32_t count = 0;
  for (uint32_t i = partition->joint_begins[part]; i < partition->joint_begins[part + 1]; i++)
    count += partition->joints[i] < skin->joint_count;
  return count;
}

static supple_result set_inverse_binds(splitting *s, const supple_skin *skin, uint32_t number,
                                       uint32_t part, uint32_t count) {
  const supplei_partition *partition = &s->split.partition;
  const supple_allocator *a = &s->fix->allocator;
  supple_affine64 *binds = supplei_allocate(a, count, sizeof *binds);
  if (!binds) return supplei_fix_no_memory(s->fix, "inverse bind matrices");
  for (uint32_t i = 0; i < count; i++)
    binds[i] = skin->inverse_binds[partition->joints[partition->joint_begins[part] + i]];
  const supple_result result =
      supple_document_set_inverse_binds(s->fix->document, number, binds, count, s->fix->error);
  supplei_release(a, binds, count, sizeof *binds);
  return result;
}

/* Writes the skin of a part: in the place of the old one for the first part that needs it, else behind all. */
static supple_result make_skin(splitting *s, const supple_skin *skin, uint32_t part,
                               uint32_t *number) {
  static const char *const without[] = {"joints", "inverseBindMatrices", NULL};
  supple_document *document = s->fix->document;
  const supplei_partition *partition = &s->split.partition;
  const supple_value skins = supple_document_member(document, 0, "skins");
  const supple_value old = supple_document_child(document, skins, skin->index);
  const bool bound = supple_document_member(document, old, "inverseBindMatrices") != SUPPLE_NONE;
  uint32_t count = joints_left(partition, skin, part);
  const bool none = count == 0; /* static primitives: any joint will do */
  if (none) count = 1;
  supplei_output json = {.allocator = s->fix->allocator};
  if (s->taken[skin->index]) supplei_output_text(&json, "{\"joints\":");
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t joint = none ? 0 : partition->joints[partition->joint_begins[part] + i];
    supplei_output_text(&json, i ? "," : "[");
    supplei_fix_put_index(&json, skin->joints[joint]);
  }
  supplei_output_text(&json, "]");
  if (s->taken[skin->index]) {
    supplei_fix_put_members(&json, document, old, without, false);
    supplei_output_text(&json, "}");
  }
  supplei_output_put(&json, "", 1);
  supple_result result = json.failed ? supplei_fix_no_memory(s->fix, "skins") : SUPPLE_OK;
  *number = s->taken[skin->index] ? supple_document_count(document, skins) : skin->index;
  if (!result && s->taken[skin->index])
    result = supple_document_insert(document, skins, SUPPLE_NONE, json.data, NULL, s->fix->error);
  else if (!result)
    result = supple_document_set(document, old, "joints", json.data, NULL, s->fix->error);
  supplei_output_release(&json);
  s->taken[skin->index] = true;
  if (!result && bound && !none) result = set_inverse_binds(s, skin, *number, part, count);
  return result;
}

/* ---- nodes ---- */

static bool morphs(const supple_instance *instance) {
  for (uint32_t p = 0; p < instance->primitive_count; p++)
    if (instance->primitives[p]->target_count) return true;
  return false;
}

/* A copy of each channel of a node's morph weights, for another node. */
static supple_result copy_weight_channels(splitting *s, uint32_t from, uint32_t to) {
  static const char *const without_target[] = {"target", NULL}, *const without_node[] = {"node",
                                                                                         NULL};
  supple_document *document = s->fix->document;
  const supple_value animations = supple_document_member(document, 0, "animations");
  supple_result result = SUPPLE_OK;
  for (uint32_t a = 0; !result && a < supple_document_count(document, animations); a++) {
    const supple_value channels =
        supple_document_member(document, supple_document_child(document, animations, a), "channels");
    const uint32_t count = supple_document_count(document, channels);
    for (uint32_t c = 0; !result && c < count; c++) {
      const supple_value channel = supple_document_child(document, channels, c);
      const supple_value target = supple_document_member(document, channel, "target");
      const char *path =
          supple_document_string(document, supple_document_member(document, target, "path"));
      if (!path || strcmp(path, "weights") || supplei_fix_index(document, target, "node") != from)
        continue;
      supplei_output json = {.allocator = s->fix->allocator};
      supplei_output_text(&json, "{\"target\":{\"node\":");
      supplei_fix_put_index(&json, to);
      supplei_fix_put_members(&json, document, target, without_node, false);
      supplei_output_text(&json, "}");
      supplei_fix_put_members(&json, document, channel, without_target, false);
      supplei_output_put(&json, "}", 2);
      result = json.failed ? supplei_fix_no_memory(s->fix, "channels")
                           : supple_document_insert(document, channels, SUPPLE_NONE, json.data,
                                                    NULL, s->fix->error);
      supplei_output_release(&json);
    }
  }
  return result;
}

/* Puts a node beside another one: among the same children, and into the same scenes. */
static supple_result place_beside(splitting *s, uint32_t node, uint32_t beside) {
  supple_document *document = s->fix->document;
  const supple_value scenes = supple_document_member(document, 0, "scenes");
  const uint32_t parent = s->split.asset->skeleton.nodes[beside].parent;
  char text[16];
  snprintf(text, sizeof text, "%u", (unsigned)node);
  if (parent != SUPPLE_NONE)
    return supple_document_insert(
        document,
        supple_document_member(document, supplei_fix_item(document, "nodes", parent), "children"),
        SUPPLE_NONE, text, NULL, s->fix->error);
  supple_result result = SUPPLE_OK;
  uint32_t end, last = SUPPLE_NONE;
  for (uint32_t i = supplei_node_places_scenes(s->places, beside, &end); !result && i < end; i++) {
    const uint32_t scene = (uint32_t)s->places->scenes[i];
    if (scene == last) continue;
    last = scene;
    result = supple_document_insert(
        document,
        supple_document_member(document, supple_document_child(document, scenes, scene), "nodes"),
        SUPPLE_NONE, text, NULL, s->fix->error);
  }
  return result;
}

/* A node for another part of what `from` shows. */
static supple_result make_node(splitting *s, const supple_instance *instance, uint32_t mesh,
                               uint32_t skin, uint32_t which, uint32_t *made) {
  const uint32_t from = instance->node;
  supple_document *document = s->fix->document;
  const supple_value nodes = supple_document_member(document, 0, "nodes");
  const supple_value object = supple_document_child(document, nodes, from);
  const char *name =
      supple_document_string(document, supple_document_member(document, object, "name"));
  const supple_value weights = supple_document_member(document, object, "weights");
  const supple_value instancing = supple_document_member(
      document, supple_document_member(document, object, "extensions"), "EXT_mesh_gpu_instancing");
  supplei_output json = {.allocator = s->fix->allocator};
  char text[256];
  supplei_output_text(&json, "{\"mesh\":");
  supplei_fix_put_index(&json, mesh);
  supplei_fix_put_key(&json, "skin", false);
  supplei_fix_put_index(&json, skin);
  if (name && *name) {
    snprintf(text, sizeof text, "%.230s_part%u", name, (unsigned)which);
    supplei_fix_put_key(&json, "name", false);
    supplei_output_string(&json, text);
  }
  if (weights != SUPPLE_NONE) {
    supplei_fix_put_key(&json, "weights", false);
    supplei_fix_put_value(&json, document, weights);
  }
  if (instancing != SUPPLE_NONE) {
    supplei_output_text(&json, ",\"extensions\":{\"EXT_mesh_gpu_instancing\":");
    supplei_fix_put_value(&json, document, instancing);
    supplei_output_text(&json, "}");
  }
  supplei_output_put(&json, "}", 2);
  *made = supple_document_count(document, nodes);
  supple_result result =
      json.failed ? supplei_fix_no_memory(s->fix, "nodes")
                  : supple_document_insert(document, nodes, *made, json.data, NULL, s->fix->error);
  supplei_output_release(&json);
  if (!result) result = place_beside(s, *made, from);
  if (!result && morphs(instance)) result = copy_weight_channels(s, from, *made);
  return result;
}

/* ---- traces ---- */

/* No asset has so many: those beyond are not compared. */
enum { TRACES_MOST = 4000000 };

static supple_result trace_piece(splitting *s, const supple_instance *instance, uint32_t part,
                                 uint32_t node, const supplei_trace *old, uint32_t primitive,
                                 uint32_t now) {
  const supplei_split *split = &s->split;
  const size_t place = split->first_primitives[instance->mesh] + now;
  const supplei_split_piece *piece = &split->pieces[place * split->partition.part_count + part];
  if (piece->now == SUPPLE_NONE) return SUPPLE_OK;
  if (s->fix->trace_count >= TRACES_MOST) {
    s->fix->untraced = true;
    return SUPPLE_OK;
  }
  const supplei_trace trace = {old->instance, primitive,      node,
                               piece->now,    piece->sources, piece->count};
  return supplei_fix_trace(s->fix, &trace);
}

/* What a node showed is shown by one node a part. */
static supple_result trace_part(splitting *s, const supple_instance *instance, uint32_t part,
                                uint32_t node) {
  supple_result result = SUPPLE_OK;
  for (uint32_t t = s->old.first[instance->node]; !result && t != SUPPLE_NONE; t = s->old.next[t]) {
    const supplei_trace *old = &s->old.items[t];
    if (old->primitive != SUPPLE_NONE)
      result = trace_piece(s, instance, part, node, old, old->primitive, old->now);
    else
      for (uint32_t p = 0; !result && p < instance->primitive_count; p++)
        result = trace_piece(s, instance, part, node, old, p, p);
  }
  return result;
}

static void release_old(splitting *s) {
  const supple_allocator *a = &s->fix->allocator;
  supplei_release(a, s->old.items, s->old.count, sizeof *s->old.items);
  supplei_release(a, s->old.next, s->old.count, sizeof *s->old.next);
  supplei_release(a, s->old.first, s->old.node_count, sizeof *s->old.first);
}

/* Takes the traces away; those of nodes that nothing is done to stay. */
static supple_result take_traces(splitting *s, const bool *split) {
  supplei_fix *fix = s->fix;
  const supple_allocator *a = &fix->allocator;
  const uint32_t count = fix->trace_count, nodes = s->split.asset->skeleton.node_count;
  supple_result result = SUPPLE_OK;
  s->old = (old_traces){.count = count, .node_count = nodes};
  s->old.items = supplei_allocate(a, count, sizeof *s->old.items);
  s->old.next = supplei_allocate(a, count, sizeof *s->old.next);
  s->old.first = supplei_allocate(a, nodes, sizeof *s->old.first);
  if (!s->old.items || !s->old.next || !s->old.first) return supplei_fix_no_memory(fix, "parts");
  if (count) memcpy(s->old.items, fix->traces, count * sizeof *s->old.items);
  for (uint32_t n = 0; n < nodes; n++) s->old.first[n] = SUPPLE_NONE;
  fix->trace_count = 0;
  for (uint32_t t = 0; !result && t < count; t++)
    if (s->old.items[t].node >= nodes || !split[s->old.items[t].node])
      result = supplei_fix_trace(fix, &s->old.items[t]);
  for (uint32_t t = count; t-- > 0;) { /* the lists are in order */
    const uint32_t node = s->old.items[t].node;
    s->old.next[t] = node < nodes ? s->old.first[node] : SUPPLE_NONE;
    if (node < nodes) s->old.first[node] = t;
  }
  return result;
}

/* ---- one group, all groups ---- */

static int by_key(const void *context, uint64_t a, uint64_t b) {
  const uint64_t *keys = context;
  return keys[a] < keys[b] ? -1 : keys[a] > keys[b];
}

/* `traced`: its parts are to be compared. */
static supple_result split_instance(splitting *s, const supple_instance *instance, bool traced) {
  const supplei_split *split = &s->split;
  const uint32_t parts = split->partition.part_count;
  const supple_value object = supplei_fix_item(s->fix->document, "nodes", instance->node);
  uint32_t which = 0;
  supple_result result = SUPPLE_OK;
  for (uint32_t part = 0; !result && part < parts; part++) {
    const uint32_t mesh = split->mesh_numbers[(size_t)instance->mesh * parts + part];
    uint32_t *skin = &s->skin_numbers[(size_t)instance->skin->index * parts + part];
    uint32_t node = instance->node;
    if (mesh == SUPPLE_NONE) continue;
    if (*skin == SUPPLE_NONE) result = make_skin(s, instance->skin, part, skin);
    if (!result && ++which > 1)
      result = make_node(s, instance, mesh, *skin, which, &node);
    else if (!result && *skin != instance->skin->index)
      result = supplei_fix_set_index(s->fix, object, "skin", *skin);
    if (!result && traced) result = trace_part(s, instance, part, node);
  }
  return result;
}

/* first[i]: no instance before it has its mesh and skin, or its morph weights are its own. The parts of the others are
 * those of the first. */
static supple_result find_first(const splitting *s, bool *first) {
  const supple_asset *asset = s->split.asset;
  const supple_allocator *a = &s->fix->allocator;
  const uint32_t count = asset->instance_count;
  uint64_t *keys = supplei_allocate(a, count, sizeof *keys);
  uint64_t *order = supplei_allocate(a, count, 2 * sizeof *order);
  const bool fine = keys && order;
  for (uint32_t i = 0; fine && i < count; i++) {
    keys[i] = (uint64_t)asset->instances[i].mesh << 32 | asset->instances[i].skin->index;
    order[i] = i;
  }
  if (fine) supplei_merge_sort(order, order + count, count, by_key, keys);
  for (uint32_t i = 0; fine && i < count; i++)
    first[order[i]] =
        i == 0 || keys[order[i - 1]] != keys[order[i]] || morphs(&asset->instances[order[i]]);
  supplei_release(a, order, count, 2 * sizeof *order);
  supplei_release(a, keys, count, sizeof *keys);
  return fine ? SUPPLE_OK : supplei_fix_no_memory(s->fix, "parts");
}

/* Traces of nodes that were split come anew; the others stay. */
static supple_result split_instances(splitting *s) {
  const supple_allocator *a = &s->fix->allocator;
  const supple_asset *asset = s->split.asset;
  const size_t nodes = asset->skeleton.node_count, instances = asset->instance_count;
  bool *split = supplei_allocate_zero(a, nodes, sizeof *split);
  bool *first = supplei_allocate_zero(a, instances, sizeof *first);
  supple_result result =
      split && first ? find_first(s, first) : supplei_fix_no_memory(s->fix, "parts");
  for (size_t i = 0; !result && i < instances; i++)
    if (s->split.meshes[asset->instances[i].mesh]) split[asset->instances[i].node] = true;
  if (!result) result = take_traces(s, split);
  for (size_t i = 0; !result && i < instances; i++)
    if (s->split.meshes[asset->instances[i].mesh])
      result = split_instance(s, &asset->instances[i], first[i]);
  release_old(s);
  supplei_release(a, first, instances, sizeof *first);
  supplei_release(a, split, nodes, sizeof *split);
  return result;
}

static supple_result tell(splitting *s, const groups *g, uint32_t group, uint32_t most) {
  const supple_asset *asset = s->split.asset;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; !result && i < asset->skin_count; i++) {
    char pointer[48];
    uint32_t parts = 0, largest = 0;
    if (group_of(g, i) != group || asset->skins[i].joint_count <= most || !s->taken[i]) continue;
    for (uint32_t p = 0; p < s->split.partition.part_count; p++) {
      if (s->skin_numbers[(size_t)i * s->split.partition.part_count + p] == SUPPLE_NONE) continue;
      const uint32_t joints = joints_left(&s->split.partition, &asset->skins[i], p);
      parts++;
      if (joints > largest) largest = joints;
    }
    snprintf(pointer, sizeof pointer, "/skins/%u/joints", (unsigned)i);
    result =
        supplei_fix_did(s->fix, "SKINNING_JOINTS_MANY", pointer, parts,
                        "a skin of %u joints is %u of at most %u now; its meshes are cut, with "
                        "equal vertices on both sides",
                        (unsigned)asset->skins[i].joint_count, (unsigned)parts, (unsigned)largest);
  }
  return result;
}

static supple_result tell_impossible(supplei_fix *fix, uint32_t mesh, uint32_t primitive,
                                     uint32_t needed, uint32_t most) {
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/meshes/%u/primitives/%u", (unsigned)mesh, (unsigned)primitive);
  return supplei_fix_could_not(fix, "SKINNING_JOINTS_MANY", pointer, 1,
                               "one triangle follows %u joints: no skin of %u has them all; limit "
                               "the influences too, or allow more joints",
                               (unsigned)needed, (unsigned)most);
}

static supple_result split_group(supplei_fix *fix, const supple_asset *asset, const groups *g,
                                 uint32_t group, const supplei_node_places *places) {
  const uint32_t most = fix->options->max_joints;
  uint32_t mesh = 0, primitive = 0, needed = 0;
  splitting s = {
      .fix = fix, .split = {.fix = fix, .asset = asset, .meshes = g->meshes}, .places = places};
  supple_result result = supplei_split_find(&s.split, most, &mesh, &primitive, &needed);
  const size_t skins = asset->skin_count, parts = s.split.partition.part_count;
  if (result == SUPPLE_ERROR_LIMIT && needed > most)
    result = tell_impossible(fix, mesh, primitive, needed, most);
  else if (!result) {
    s.skin_numbers = supplei_allocate(&fix->allocator, skins * parts, sizeof *s.skin_numbers);
    s.taken = supplei_allocate_zero(&fix->allocator, skins, sizeof *s.taken);
    if (!s.skin_numbers || !s.taken) result = supplei_fix_no_memory(fix, "skins");
    for (size_t i = 0; !result && i < skins * parts; i++) s.skin_numbers[i] = SUPPLE_NONE;
    fix->deforms = true;
    if (!result) result = supplei_split_write_meshes(&s.split);
    if (!result) result = split_instances(&s);
    if (!result) result = tell(&s, g, group, most);
  }
  supplei_release(&fix->allocator, s.taken, skins, sizeof *s.taken);
  supplei_release(&fix->allocator, s.skin_numbers, skins * parts, sizeof *s.skin_numbers);
  supplei_split_release(&s.split);
  return result;
}

/* Compressed primitives cannot be cut. */
static supple_result decompress(supplei_fix *fix) {
  uint32_t count = 0;
  const supple_value used = supple_document_member(fix->document, 0, "extensionsUsed");
  bool draco = false;
  for (uint32_t i = 0; i < supple_document_count(fix->document, used); i++) {
    const char *name =
        supple_document_string(fix->document, supple_document_child(fix->document, used, i));
    draco |= name && !strcmp(name, "KHR_draco_mesh_compression");
  }
  if (!draco) return SUPPLE_OK;
  const supple_result result = supple_document_decompress(fix->document, &count, fix->error);
  if (result || !count) return result;
  return supplei_fix_did(fix, "", "", count,
                         "what was compressed is stored plainly now, since a part of it changes");
}

supple_result supplei_fix_split(supplei_fix *fix) {
  const uint32_t most = fix->options->max_joints;
  const supple_allocator *a = &fix->allocator;
  groups g = {0};
  supplei_node_places places = {0};
  bool first = true;
  supple_asset *asset = supple_document_asset(fix->document, &fix->options->load, fix->error);
  if (!asset) return fix->error->result;
  const uint32_t skins = asset->skin_count, meshes = asset->mesh_count;
  g.skins = supplei_allocate(a, skins, sizeof *g.skins);
  g.many = supplei_allocate_zero(a, skins, sizeof *g.many);
  g.meshes = supplei_allocate(a, meshes, sizeof *g.meshes);
  supple_result result =
      g.skins && g.many && g.meshes && supplei_node_places_find(&places, fix->document, asset, a)
          ? find_groups(&g, fix, asset)
          : supplei_fix_no_memory(fix, "skins");
  if (!result) mark_many(&g, asset, most);
  for (uint32_t s = 0; !result && s < skins; s++) {
    if (!g.many[s]) continue;
    mark_meshes(&g, asset, s);
    if (first) result = decompress(fix);
    first = false;
    if (!result) result = split_group(fix, asset, &g, s, &places);
  }
  supplei_node_places_release(&places);
  supplei_release(a, g.meshes, meshes, sizeof *g.meshes);
  supplei_release(a, g.many, skins, sizeof *g.many);
  supplei_release(a, g.skins, skins, sizeof *g.skins);
  supple_asset_free(asset);
  return result;
}
