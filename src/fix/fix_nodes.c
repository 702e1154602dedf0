/* fix_nodes.c: skinned nodes to the root of their scenes, at the identity, without channels. */
#include "../base/prologue.h"

#include "fix_json.h"
#include "node_channels.h"
#include "node_places.h"

#include <stdio.h>
#include <string.h>

/* What a node is needed for beside its mesh, as bits. */
enum {
  NODE_JOINT = 1,    /* a skin names it, as joint or as skeleton */
  NODE_ANIMATED = 2, /* channels move it */
  NODE_POINTED = 4   /* by KHR_animation_pointer */
};

/* The first and the last key of a clip, and those of what is left without the node that has them. */
typedef struct clip_ends {
  uint32_t first_node, last_node; /* SUPPLE_NONE: of morph weights, which are never left out */
  double first, other_first, last, other_last;
} clip_ends;

/* No asset has so many scenes that each of its skinned nodes is at the root of all of them. */
enum { SCENE_ENTRIES_MOST = 4000000 };

typedef struct nodes_fix {
  supplei_fix *fix;
  supple_document *document;
  uint8_t *needs;      /* [node_count] as it was */
  uint32_t node_count; /* as it was */
  const char *unknown; /* an extension of the whole file that may name nodes, or NULL */
  supplei_node_channels channels;
  clip_ends *ends; /* [clip_count] */
  supplei_node_places places;
  uint8_t *shown;         /* [node_count] 1: a node above decides whether it is shown */
  uint8_t *dropped;       /* [node_count] 1: its channels go */
  uint32_t *moved_to;     /* [node_count] the node that got its mesh, or SUPPLE_NONE */
  uint32_t changed;       /* nodes of the last two */
  uint32_t scene_entries; /* put in so far */
} nodes_fix;

static const char *const local_keys[] = {"matrix", "translation", "rotation", "scale"};

/* ---- looking ---- */

static bool starts(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Whether an extension of the whole file may hold numbers of nodes: not where it is known not to. */
static bool may_name_nodes(const char *extension) {
  static const char *const harmless[] = {"KHR_lights_punctual",
                                         "KHR_materials_",
                                         "KHR_texture_",
                                         "EXT_texture_",
                                         "KHR_xmp",
                                         "KHR_mesh_",
                                         "KHR_draco_",
                                         "EXT_meshopt_",
                                         "KHR_meshopt_",
                                         "EXT_lights_image_based"};
  for (size_t i = 0; i < sizeof harmless / sizeof harmless[0]; i++)
    if (starts(extension, harmless[i])) return false;
  return true;
}

static void mark(nodes_fix *f, uint32_t node, uint8_t need) {
  if (node < f->node_count) f->needs[node] |= need;
}

static void survey_skins(nodes_fix *f) {
  const supple_value skins = supple_document_member(f->document, 0, "skins");
  for (uint32_t s = 0; s < supple_document_count(f->document, skins); s++) {
    const supple_value skin = supple_document_child(f->document, skins, s);
    const supple_value joints = supple_document_member(f->document, skin, "joints");
    mark(f, supplei_fix_index(f->document, skin, "skeleton"), NODE_JOINT);
    for (uint32_t k = 0; k < supple_document_count(f->document, joints); k++)
      mark(f, supple_document_index(f->document, supple_document_child(f->document, joints, k)),
           NODE_JOINT);
  }
}

/* The pointer of KHR_animation_pointer: the node that it speaks of and what follows ("/weights"), or NULL. */
static const char *pointed(const supple_document *document, supple_value target, uint32_t *node) {
  const supple_value extension = supple_document_member(
      document, supple_document_member(document, target, "extensions"), "KHR_animation_pointer");
  const char *text =
      supple_document_string(document, supple_document_member(document, extension, "pointer"));
  if (!text || !starts(text, "/nodes/")) return NULL;
  uint64_t number = 0;
  for (text += strlen("/nodes/"); *text >= '0' && *text <= '9' && number < SUPPLE_NONE; text++)
    number = 10 * number + (uint64_t)(*text - '0');
  *node = number < SUPPLE_NONE ? (uint32_t)number : SUPPLE_NONE;
  return text;
}

/* Whether a channel moves a node by its transform: what need that is, else 0. */
static uint8_t moves(const supple_document *document, supple_value channel, uint32_t *node) {
  const supple_value target = supple_document_member(document, channel, "target");
  const char *path =
      supple_document_string(document, supple_document_member(document, target, "path"));
  *node = supplei_fix_index(document, target, "node");
  if (path && (!strcmp(path, "translation") || !strcmp(path, "rotation") || !strcmp(path, "scale")))
    return NODE_ANIMATED;
  const char *rest = pointed(document, target, node);
  return rest && !starts(rest, "/weights") ? NODE_POINTED : 0;
}

static supple_value channels_of(const supple_document *document, uint32_t animation) {
  return supple_document_member(document, supplei_fix_item(document, "animations", animation),
                                "channels");
}

static uint32_t animation_count(const supple_document *document) {
  return supple_document_count(document, supple_document_member(document, 0, "animations"));
}

static void survey_channels(nodes_fix *f) {
  for (uint32_t a = 0; a < animation_count(f->document); a++) {
    const supple_value channels = channels_of(f->document, a);
    for (uint32_t c = 0; c < supple_document_count(f->document, channels); c++) {
      uint32_t node;
      const uint8_t need =
          moves(f->document, supple_document_child(f->document, channels, c), &node);
      mark(f, node, need);
    }
  }
}

static void survey_extensions(nodes_fix *f) {
  const supple_value extensions = supple_document_member(f->document, 0, "extensions");
  for (uint32_t i = 0; i < supple_document_count(f->document, extensions); i++) {
    const char *key =
        supple_document_key(f->document, supple_document_child(f->document, extensions, i));
    if (!may_name_nodes(key)) continue;
    f->unknown = supplei_arena_text(&f->fix->arena, key, strlen(key));
    if (!f->unknown) f->unknown = "an extension";
    return;
  }
}

static bool has_extension(const nodes_fix *f, uint32_t node, const char *name) {
  const supple_value object = supplei_fix_item(f->document, "nodes", node);
  return supple_document_member(f->document,
                                supple_document_member(f->document, object, "extensions"),
                                name) != SUPPLE_NONE;
}

/* An extension of the node that may depend on where it is, or NULL. */
static const char *strange_extension(const nodes_fix *f, supple_value object) {
  static const char *const fine[] = {"KHR_lights_punctual", "KHR_node_visibility",
                                     "KHR_node_selectability", "KHR_node_hoverability",
                                     "KHR_xmp_json_ld"};
  const supple_value extensions = supple_document_member(f->document, object, "extensions");
  for (uint32_t i = 0; i < supple_document_count(f->document, extensions); i++) {
    const char *key =
        supple_document_key(f->document, supple_document_child(f->document, extensions, i));
    bool known = false;
    for (size_t k = 0; k < sizeof fine / sizeof fine[0]; k++) known |= !strcmp(key, fine[k]);
    if (!known) return key;
  }
  return NULL;
}

static uint32_t parent_of(const nodes_fix *f, uint32_t node) {
  return f->fix->before->skeleton.nodes[node].parent;
}

/* Whether a node above decides what is shown. */
static void mark_shown(nodes_fix *f) {
  for (uint32_t i = 0; i < f->node_count; i++) {
    const uint32_t node = f->fix->before->skeleton.order[i], parent = parent_of(f, node);
    f->shown[node] = parent != SUPPLE_NONE &&
                     (f->shown[parent] || has_extension(f, parent, "KHR_node_visibility") ||
                      has_extension(f, parent, "MSFT_lod"));
  }
}

static bool is_local(const nodes_fix *f, supple_value object) {
  for (size_t i = 0; i < sizeof local_keys / sizeof local_keys[0]; i++)
    if (supple_document_member(f->document, object, local_keys[i]) != SUPPLE_NONE) return true;
  return false;
}

static void find_ends(const supple_clip *clip, clip_ends *ends) {
  bool any = false, other_first = false, other_last = false;
  for (int round = 0; round < 2; round++) /* the ends, then those of the others */
    for (uint32_t i = 0; i < clip->channel_count; i++) {
      const supple_channel *channel = &clip->channels[i];
      const uint32_t node = channel->path == SUPPLE_PATH_WEIGHTS ? SUPPLE_NONE : channel->node;
      const double first = (double)channel->times[0];
      const double last = (double)channel->times[channel->key_count - 1];
      if (round == 0) {
        if (!any || first < ends->first) ends->first = first, ends->first_node = node;
        if (!any || last > ends->last) ends->last = last, ends->last_node = node;
        any = true;
        continue;
      }
      if (node != ends->first_node && (!other_first || first < ends->other_first))
        ends->other_first = first, other_first = true;
      if (node != ends->last_node && (!other_last || last > ends->other_last))
        ends->other_last = last, other_last = true;
    }
}

/* Whether clips keep a channel, and their first and last key, without those that move the node. */
static bool channels_can_go(const nodes_fix *f, uint32_t node) {
  if (f->needs[node] & NODE_POINTED) return false;
  const supple_asset *asset = f->fix->before;
  const supplei_node_channels *list = &f->channels;
  for (uint32_t i = list->begins[node]; i < list->begins[node + 1];) {
    const uint32_t number = (uint32_t)(list->items[i] >> 32);
    const supple_clip *clip = &asset->clips[number];
    const clip_ends *ends = &f->ends[number];
    uint32_t moving = 0;
    for (; i < list->begins[node + 1] && list->items[i] >> 32 == number; i++)
      moving += clip->channels[(uint32_t)list->items[i]].path != SUPPLE_PATH_WEIGHTS;
    if (!moving) continue;
    if (moving == clip->channel_count) return false;
    if ((ends->first_node == node ? ends->other_first : ends->first) != clip->begin ||
        (ends->last_node == node ? ends->other_last : ends->last) != clip->end)
      return false;
  }
  return true;
}

/* ---- changing ---- */

/* Channels of a node's morph weights follow the mesh. */
static supple_result move_channel(nodes_fix *f, supple_value target) {
  const char *path =
      supple_document_string(f->document, supple_document_member(f->document, target, "path"));
  uint32_t node = supplei_fix_index(f->document, target, "node");
  if (path && !strcmp(path, "weights") && node < f->node_count && f->moved_to[node] != SUPPLE_NONE)
    return supplei_fix_set_index(f->fix, target, "node", f->moved_to[node]);
  const char *rest = pointed(f->document, target, &node);
  if (!rest || node >= f->node_count || f->moved_to[node] == SUPPLE_NONE ||
      !starts(rest, "/weights"))
    return SUPPLE_OK;
  char text[128];
  snprintf(text, sizeof text, "\"/nodes/%u%.64s\"", (unsigned)f->moved_to[node], rest);
  const supple_value extension =
      supple_document_member(f->document, supple_document_member(f->document, target, "extensions"),
                             "KHR_animation_pointer");
  return supple_document_set(f->document, extension, "pointer", text, NULL, f->fix->error);
}

/* Samplers that only channels used that went, go too: 1 in gone[count] are those that lost one. */
static supple_result drop_samplers(nodes_fix *f, supple_value animation, supple_value channels,
                                   uint8_t *gone, uint32_t *numbers, uint32_t count) {
  const supple_value samplers = supple_document_member(f->document, animation, "samplers");
  const uint32_t left = supple_document_count(f->document, channels);
  supple_result result = SUPPLE_OK;
  uint32_t kept = 0;
  for (uint32_t c = 0; c < left; c++) {
    const uint32_t sampler =
        supplei_fix_index(f->document, supple_document_child(f->document, channels, c), "sampler");
    if (sampler < count) gone[sampler] = 0;
  }
  for (uint32_t s = 0; s < count; s++) {
    numbers[s] = kept;
    kept += !gone[s];
  }
  for (uint32_t s = count; !result && s-- > 0;)
    if (gone[s])
      result = supple_document_remove(f->document, supple_document_child(f->document, samplers, s),
                                      f->fix->error);
  for (uint32_t c = 0; !result && kept < count && c < left; c++) {
    const supple_value channel = supple_document_child(f->document, channels, c);
    const uint32_t sampler = supplei_fix_index(f->document, channel, "sampler");
    if (sampler < count && numbers[sampler] != sampler)
      result = supplei_fix_set_index(f->fix, channel, "sampler", numbers[sampler]);
  }
  return result;
}

static bool goes(const nodes_fix *f, supple_value channel) {
  uint32_t node;
  return moves(f->document, channel, &node) == NODE_ANIMATED && node < f->node_count &&
         f->dropped[node];
}

static supple_result drop_channels(nodes_fix *f, supple_value animation, supple_value channels) {
  const supple_allocator *a = &f->fix->allocator;
  const uint32_t count =
      supple_document_count(f->document, supple_document_member(f->document, animation, "samplers"));
  uint8_t *gone = supplei_allocate_zero(a, count, sizeof *gone);
  uint32_t *numbers = supplei_allocate(a, count, sizeof *numbers);
  supple_result result = gone && numbers ? SUPPLE_OK : supplei_fix_no_memory(f->fix, "channels");
  for (uint32_t c = supple_document_count(f->document, channels); !result && c-- > 0;) {
    const supple_value channel = supple_document_child(f->document, channels, c);
    if (!goes(f, channel)) continue;
    const uint32_t sampler = supplei_fix_index(f->document, channel, "sampler");
    if (sampler < count) gone[sampler] = 1;
    result = supple_document_remove(f->document, channel, f->fix->error);
  }
  if (!result) result = drop_samplers(f, animation, channels, gone, numbers, count);
  supplei_release(a, numbers, count, sizeof *numbers);
  supplei_release(a, gone, count, sizeof *gone);
  return result;
}

/* What the nodes that were moved want of the channels, all at once. */
static supple_result change_channels(nodes_fix *f) {
  supple_result result = SUPPLE_OK;
  for (uint32_t a = 0; !result && f->changed && a < animation_count(f->document); a++) {
    const supple_value animation = supplei_fix_item(f->document, "animations", a);
    const supple_value channels = supple_document_member(f->document, animation, "channels");
    bool any = false;
    for (uint32_t c = 0; !result && c < supple_document_count(f->document, channels); c++) {
      const supple_value channel = supple_document_child(f->document, channels, c);
      any |= goes(f, channel);
      result = move_channel(f, supple_document_member(f->document, channel, "target"));
    }
    if (!result && any) result = drop_channels(f, animation, channels);
  }
  return result;
}

/* Node `node` becomes a root of every scene that shows `shown`. */
static supple_result add_to_scenes(nodes_fix *f, uint32_t node, uint32_t shown) {
  const supple_value scenes = supple_document_member(f->document, 0, "scenes");
  supple_result result = SUPPLE_OK;
  uint32_t end, last = SUPPLE_NONE;
  char text[16];
  snprintf(text, sizeof text, "%u", (unsigned)node);
  uint32_t at = supplei_node_places_scenes(&f->places, f->places.roots[shown], &end);
  for (; !result && at < end; at++) {
    const uint32_t scene = (uint32_t)f->places.scenes[at];
    if (scene == last || supplei_node_places_holds(&f->places, node, scene)) continue;
    const supple_value nodes = supple_document_member(
        f->document, supple_document_child(f->document, scenes, scene), "nodes");
    result = supple_document_insert(f->document, nodes, SUPPLE_NONE, text, NULL, f->fix->error);
    f->scene_entries++;
    last = scene;
  }
  return result;
}

static supple_result detach(nodes_fix *f, uint32_t node) {
  const supple_value item = f->places.items[node];
  if (parent_of(f, node) == SUPPLE_NONE || item == SUPPLE_NONE) return SUPPLE_OK;
  const supple_value object = supplei_fix_item(f->document, "nodes", parent_of(f, node));
  const supple_value children = supple_document_member(f->document, object, "children");
  /* glTF has no empty arrays. */
  return supple_document_remove(f->document,
                                supple_document_count(f->document, children) == 1 ? children : item,
                                f->fix->error);
}

static supple_result move_in_place(nodes_fix *f, uint32_t node, supple_value object) {
  supple_result result = add_to_scenes(f, node, node);
  if (!result) result = detach(f, node);
  for (size_t i = 0; !result && i < sizeof local_keys / sizeof local_keys[0]; i++)
    result = supplei_fix_remove(f->fix, object, local_keys[i]);
  f->dropped[node] = (f->needs[node] & NODE_ANIMATED) != 0;
  f->changed += f->dropped[node];
  return result;
}

/* A new node at the root gets mesh, skin and morph weights; the node stays where it is, for what else depends on
 * it. */
static supple_result move_out(nodes_fix *f, uint32_t instance, supple_value object, uint32_t *made) {
  static const char *const moved[] = {"mesh", "skin", "weights"};
  const uint32_t node = f->fix->before->instances[instance].node;
  supplei_output json = {.allocator = f->fix->allocator};
  const char *name =
      supple_document_string(f->document, supple_document_member(f->document, object, "name"));
  char text[256];
  bool first = true;
  supplei_output_text(&json, "{");
  if (name && *name) {
    snprintf(text, sizeof text, "%.240s_mesh", name);
    supplei_fix_put_key(&json, "name", true);
    supplei_output_string(&json, text);
    first = false;
  }
  for (int i = 0; i < 3; i++) {
    const supple_value member = supple_document_member(f->document, object, moved[i]);
    if (member == SUPPLE_NONE) continue;
    supplei_fix_put_key(&json, moved[i], first);
    supplei_fix_put_value(&json, f->document, member);
    first = false;
  }
  supplei_output_put(&json, "}", 2);
  const supple_value nodes = supple_document_member(f->document, 0, "nodes");
  *made = supple_document_count(f->document, nodes);
  supple_result result = json.failed ? supplei_fix_no_memory(f->fix, "nodes")
                                     : supple_document_insert(f->document, nodes, *made, json.data,
                                                              NULL, f->fix->error);
  supplei_output_release(&json);
  for (int i = 0; !result && i < 3; i++) result = supplei_fix_remove(f->fix, object, moved[i]);
  if (!result) result = add_to_scenes(f, *made, node);
  f->moved_to[node] = *made;
  f->changed++;
  /* Traces are still one an instance, in their order. */
  if (instance < f->fix->trace_count && f->fix->traces[instance].node == node)
    f->fix->traces[instance].node = *made;
  return result;
}

/* ---- one node ---- */

/* Tells what a viewer finds wrong, and how it is mended. */
static supple_result tell(nodes_fix *f, uint32_t node, bool non_root, bool local, bool animated,
                          const char *how) {
  char pointer[32];
  supple_result result = SUPPLE_OK;
  snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)node);
  if (non_root)
    result = supplei_fix_did(f->fix, "NODE_SKINNED_MESH_NON_ROOT", pointer, 1,
                             "the skinned mesh is at the root of its scene, %s", how);
  if (!result && local)
    result = supplei_fix_did(f->fix, "NODE_SKINNED_MESH_LOCAL_TRANSFORMS", pointer, 1,
                             "the skinned mesh is at the identity, %s", how);
  if (!result && animated)
    result = supplei_fix_did(f->fix, "ANIMATION_CHANNEL_TARGET_NODE_SKIN", pointer, 1,
                             "no channel moves the skinned mesh any more, %s", how);
  return result;
}

static supple_result cannot(nodes_fix *f, uint32_t node, bool non_root, bool local, const char *why,
                            const char *name) {
  char pointer[32];
  const char *code = non_root ? "NODE_SKINNED_MESH_NON_ROOT"
                     : local  ? "NODE_SKINNED_MESH_LOCAL_TRANSFORMS"
                              : "ANIMATION_CHANNEL_TARGET_NODE_SKIN";
  snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)node);
  return supplei_fix_could_not(f->fix, code, pointer, 1, "the node stays as it is: %s%.128s", why,
                               name);
}

/* Whether it would have to be named by more scenes than anybody has. */
static bool too_many_scenes(const nodes_fix *f, uint32_t node) {
  uint32_t end;
  const uint32_t begin = supplei_node_places_scenes(&f->places, f->places.roots[node], &end);
  return end - begin > SCENE_ENTRIES_MOST - f->scene_entries;
}

static supple_result fix_node(nodes_fix *f, uint32_t instance) {
  const uint32_t node = f->fix->before->instances[instance].node;
  const supple_value object = supplei_fix_item(f->document, "nodes", node);
  const bool non_root = parent_of(f, node) != SUPPLE_NONE, local = is_local(f, object);
  const bool animated = (f->needs[node] & (NODE_ANIMATED | NODE_POINTED)) != 0;
  if (!non_root && !local && !animated) return SUPPLE_OK;
  const char *strange = strange_extension(f, object);
  if (strange)
    return cannot(f, node, non_root, local, "its place may matter to its extension ", strange);
  if (f->shown[node])
    return cannot(f, node, non_root, local, "a node above decides whether it is shown", "");
  if (too_many_scenes(f, node))
    return cannot(f, node, non_root, local, "too many scenes would have to name it", "");
  const bool needed =
      supple_document_count(f->document, supple_document_member(f->document, object, "children")) ||
      supple_document_member(f->document, object, "camera") != SUPPLE_NONE ||
      has_extension(f, node, "KHR_lights_punctual") || f->needs[node] & NODE_JOINT;
  supple_result result;
  if (!needed && (!animated || channels_can_go(f, node))) {
    result = move_in_place(f, node, object);
    return result ? result : tell(f, node, non_root, local, animated, "where nothing moves it");
  }
  if (f->unknown)
    return cannot(f, node, non_root, local,
                  "it is needed as it is for its children, channels or the like, and its mesh may "
                  "be named by ",
                  f->unknown);
  uint32_t made;
  char how[96];
  result = move_out(f, instance, object, &made);
  snprintf(how, sizeof how, "as node %u; this one stays for what else depends on it",
           (unsigned)made);
  return result ? result : tell(f, node, non_root, local, animated, how);
}

static bool open_nodes(nodes_fix *f) {
  const supple_allocator *a = &f->fix->allocator;
  const supple_asset *asset = f->fix->before;
  f->needs = supplei_allocate_zero(a, f->node_count, sizeof *f->needs);
  f->shown = supplei_allocate_zero(a, f->node_count, sizeof *f->shown);
  f->dropped = supplei_allocate_zero(a, f->node_count, sizeof *f->dropped);
  f->moved_to = supplei_allocate(a, f->node_count, sizeof *f->moved_to);
  f->ends = supplei_allocate_zero(a, asset->clip_count, sizeof *f->ends);
  if (!f->needs || !f->shown || !f->dropped || !f->moved_to || !f->ends ||
      !supplei_node_channels_list(&f->channels, asset, a) ||
      !supplei_node_places_find(&f->places, f->document, asset, a))
    return false;
  for (uint32_t n = 0; n < f->node_count; n++) f->moved_to[n] = SUPPLE_NONE;
  for (uint32_t c = 0; c < asset->clip_count; c++) find_ends(&asset->clips[c], &f->ends[c]);
  return true;
}

static void close_nodes(nodes_fix *f) {
  const supple_allocator *a = &f->fix->allocator;
  supplei_node_places_release(&f->places);
  supplei_node_channels_release(&f->channels);
  supplei_release(a, f->ends, f->fix->before->clip_count, sizeof *f->ends);
  supplei_release(a, f->moved_to, f->node_count, sizeof *f->moved_to);
  supplei_release(a, f->dropped, f->node_count, sizeof *f->dropped);
  supplei_release(a, f->shown, f->node_count, sizeof *f->shown);
  supplei_release(a, f->needs, f->node_count, sizeof *f->needs);
}

supple_result supplei_fix_nodes(supplei_fix *fix) {
  nodes_fix f = {
      .fix = fix, .document = fix->document, .node_count = fix->before->skeleton.node_count};
  supple_result result = open_nodes(&f) ? SUPPLE_OK : supplei_fix_no_memory(fix, "nodes");
  const uint32_t actions = fix->action_count;
  if (!result) {
    survey_skins(&f);
    survey_channels(&f);
    survey_extensions(&f);
    mark_shown(&f);
  }
  for (uint32_t i = 0; !result && i < fix->before->instance_count; i++) result = fix_node(&f, i);
  if (!result) result = change_channels(&f);
  fix->deforms |= fix->action_count > actions;
  close_nodes(&f);
  return result;
}
