/* bake_strip.c: taking skins out of a document.
 *
 * In the scene's space vertices are where they are seen, so they need a node that moves nothing: the skinned node
 * itself where it stands at the root, at the identity, and no channel moves it, else a new one. Joints stay as nodes,
 * and the clip keeps moving them: what is attached to them goes on following. */
#include "bake_strip.h"

#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MOST = 4000 };

/* One edit after the other; the first failure stops all. */
typedef struct editor {
  supple_document *document;
  const bake_plan *plan;
  bake_place *places;
  supple_error error;
  supple_result result;
} editor;

int bake_complain_of(const bake_plan *plan, const supple_error *error) {
  return cli_complain_of_file(plan->stage->path, error);
}

static bool fine(editor *e, supple_result result) {
  if (e->result == SUPPLE_OK) e->result = result;
  return e->result == SUPPLE_OK;
}

static bool fail(editor *e, supple_result result, const char *message) {
  e->error = (supple_error){.result = result, .offset = SIZE_MAX};
  snprintf(e->error.message, sizeof e->error.message, "%s", message);
  return fine(e, result);
}

/* The text that an output of memory holds; NULL: out of memory. */
static const char *text_of(editor *e, const cli_output *output) {
  const char *text = output ? cli_output_contents(output, NULL) : NULL;
  if (!text) fail(e, SUPPLE_ERROR_MEMORY, "out of memory");
  return text;
}

/* ---- JSON as text ---- */

static void copy_key(cli_output *out, const char *key, bool first) {
  if (!first) cli_output_text(out, ",");
  cli_json_quote(out, key);
  cli_output_text(out, ":");
}

/* Writes a value; keys of it and below that `leave_out` names (a NULL-ended list, or NULL) stay away at the top. */
static void copy_value(editor *e, cli_output *out, supple_value value, const char *const *leave_out,
                       uint32_t depth) {
  const supple_document *document = e->document;
  const supple_value_type type = supple_document_type(document, value);
  char number[CLI_NUMBER_TEXT];
  double n = 0;
  if (depth > DEPTH_MOST) {
    fail(e, SUPPLE_ERROR_LIMIT, "its JSON is nested too deeply to be copied");
    return;
  }
  switch (type) {
  case SUPPLE_VALUE_NONE:
  case SUPPLE_VALUE_NULL: cli_output_text(out, "null"); return;
  case SUPPLE_VALUE_FALSE: cli_output_text(out, "false"); return;
  case SUPPLE_VALUE_TRUE: cli_output_text(out, "true"); return;
  case SUPPLE_VALUE_NUMBER:
    supple_document_number(document, value, &n);
    cli_output_text(out, cli_double_text(n, number));
    return;
  case SUPPLE_VALUE_STRING: cli_json_quote(out, supple_document_string(document, value)); return;
  case SUPPLE_VALUE_ARRAY:
  case SUPPLE_VALUE_OBJECT: break;
  }
  const bool object = type == SUPPLE_VALUE_OBJECT;
  bool first = true;
  cli_output_text(out, object ? "{" : "[");
  for (uint32_t i = 0; i < supple_document_count(document, value); i++) {
    const supple_value child = supple_document_child(document, value, i);
    bool left_out = false;
    for (const char *const *name = leave_out; object && name && *name; name++)
      left_out |= strcmp(supple_document_key(document, child), *name) == 0;
    if (left_out) continue;
    if (object)
      copy_key(out, supple_document_key(document, child), first);
    else if (!first)
      cli_output_text(out, ",");
    copy_value(e, out, child, NULL, depth + 1);
    first = false;
  }
  cli_output_text(out, object ? "}" : "]");
}

static supple_value member(const editor *e, supple_value object, const char *key) {
  return supple_document_member(e->document, object, key);
}

static supple_value item(const editor *e, const char *table, uint32_t index) {
  return supple_document_child(e->document, member(e, 0, table), index);
}

static void remove_member(editor *e, supple_value object, const char *key) {
  const supple_value value = member(e, object, key);
  if (e->result == SUPPLE_OK && value != SUPPLE_NONE)
    fine(e, supple_document_remove(e->document, value, &e->error));
}

static void set_number(editor *e, supple_value object, const char *key, uint32_t number) {
  char text[16];
  snprintf(text, sizeof text, "%u", number);
  if (e->result == SUPPLE_OK)
    fine(e, supple_document_set(e->document, object, key, text, NULL, &e->error));
}

/* ---- meshes ---- */

static bool is_replaced(const char *attribute) {
  return strcmp(attribute, "POSITION") == 0 || strcmp(attribute, "NORMAL") == 0 ||
         strcmp(attribute, "TANGENT") == 0 || strncmp(attribute, "JOINTS_", 7) == 0 ||
         strncmp(attribute, "WEIGHTS_", 8) == 0;
}

static void copy_attributes(editor *e, cli_output *out, supple_value attributes) {
  bool first = true;
  cli_output_text(out, "{");
  for (uint32_t i = 0; i < supple_document_count(e->document, attributes); i++) {
    const supple_value child = supple_document_child(e->document, attributes, i);
    if (is_replaced(supple_document_key(e->document, child))) continue;
    copy_key(out, supple_document_key(e->document, child), first);
    copy_value(e, out, child, NULL, 0);
    first = false;
  }
  cli_output_text(out, "}");
}

static void copy_primitive(editor *e, cli_output *out, supple_value primitive) {
  bool first = true;
  cli_output_text(out, "{");
  for (uint32_t i = 0; i < supple_document_count(e->document, primitive); i++) {
    const supple_value child = supple_document_child(e->document, primitive, i);
    const char *key = supple_document_key(e->document, child);
    if (strcmp(key, "targets") == 0) continue;
    copy_key(out, key, first);
    if (strcmp(key, "attributes") == 0)
      copy_attributes(e, out, child);
    else
      copy_value(e, out, child, NULL, 0);
    first = false;
  }
  cli_output_text(out, "}");
}

static void copy_primitives(editor *e, cli_output *out, supple_value primitives, uint32_t instance) {
  const bake_plan *plan = e->plan;
  bool first = true;
  cli_output_text(out, "[");
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    if (plan->primitives[i].instance != instance) continue;
    if (!first) cli_output_text(out, ",");
    copy_primitive(
        e, out, supple_document_child(e->document, primitives, plan->primitives[i].source->index));
    first = false;
  }
  cli_output_text(out, "]");
}

/* A mesh of its own for an instance; its number in *index. */
static void add_mesh(editor *e, uint32_t instance, uint32_t *index) {
  static const char *const no_names[] = {"targetNames", NULL};
  const uint32_t number = e->plan->stage->instances[instance].instance->mesh;
  const supple_value meshes = member(e, 0, "meshes"), mesh = item(e, "meshes", number);
  cli_output *out = cli_output_open_memory();
  bool first = true;
  if (out) cli_output_text(out, "{");
  for (uint32_t i = 0; out && i < supple_document_count(e->document, mesh); i++) {
    const supple_value child = supple_document_child(e->document, mesh, i);
    const char *key = supple_document_key(e->document, child);
    if (strcmp(key, "weights") == 0) continue;
    copy_key(out, key, first);
    if (strcmp(key, "primitives") == 0)
      copy_primitives(e, out, child, instance);
    else
      copy_value(e, out, child, strcmp(key, "extras") == 0 ? no_names : NULL, 0);
    first = false;
  }
  if (out) cli_output_text(out, "}");
  const char *text = text_of(e, out);
  supple_value added = SUPPLE_NONE;
  *index = supple_document_count(e->document, meshes);
  if (text && e->result == SUPPLE_OK)
    fine(e, supple_document_insert(e->document, meshes, SUPPLE_NONE, text, &added, &e->error));
  e->places[instance].primitives = member(e, added, "primitives");
  cli_output_abandon(out);
}

/* ---- nodes ---- */

static uint32_t root_of(const supple_skeleton *skeleton, uint32_t node) {
  while (skeleton->nodes[node].parent != SUPPLE_NONE) node = skeleton->nodes[node].parent;
  return node;
}

static bool stands_still(const editor *e, uint32_t node) {
  const supple_asset *asset = e->plan->stage->asset;
  const supple_node *n = &asset->skeleton.nodes[node];
  const supple_affine64 identity = supple_affine64_identity();
  const supple_affine64 rest = n->has_matrix ? n->matrix : supple_transform_to_affine(&n->rest);
  if (n->parent != SUPPLE_NONE) return false;
  for (int row = 0; row < 3; row++)
    for (int column = 0; column < 4; column++)
      if (rest.m[row][column] != identity.m[row][column]) return false;
  if (e->plan->clip == SUPPLE_NONE) return true;
  const supple_clip *clip = &asset->clips[e->plan->clip];
  for (uint32_t i = 0; i < clip->channel_count; i++)
    if (clip->channels[i].node == node && clip->channels[i].path != SUPPLE_PATH_WEIGHTS)
      return false;
  return true;
}

/* Whether some scene shows the node, whose root is given. */
static bool is_in_scene(const supple_scene *scene, uint32_t root) {
  for (uint32_t i = 0; i < scene->node_count; i++)
    if (scene->nodes[i] == root) return true;
  return false;
}

static bool is_seen(const supple_asset *asset, uint32_t root) {
  for (uint32_t s = 0; s < asset->scene_count; s++)
    if (is_in_scene(&asset->scenes[s], root)) return true;
  return asset->scene_count == 0;
}

/* A node at the root with the mesh, and with the copies of the one that it stands for. */
static void add_node(editor *e, uint32_t instance, uint32_t mesh) {
  static const char copies[] = "EXT_mesh_gpu_instancing";
  const supple_asset *asset = e->plan->stage->asset;
  const uint32_t node = e->plan->stage->instances[instance].instance->node;
  const supple_value nodes = member(e, 0, "nodes"), old = item(e, "nodes", node);
  const supple_value extensions = member(e, old, "extensions");
  char name[256], number[16];
  cli_output *out = cli_output_open_memory();
  if (out) {
    snprintf(name, sizeof name, "%.200s_baked", cli_node_name(asset, node, number, sizeof number));
    cli_output_text(out, "{\"name\":");
    cli_json_quote(out, name);
    cli_output_format(out, ",\"mesh\":%u", mesh);
    if (member(e, extensions, copies) != SUPPLE_NONE) {
      cli_output_format(out, ",\"extensions\":{\"%s\":", copies);
      copy_value(e, out, member(e, extensions, copies), NULL, 0);
      cli_output_text(out, "}");
      remove_member(e, extensions, copies);
      if (supple_document_count(e->document, extensions) == 0) remove_member(e, old, "extensions");
    }
    cli_output_text(out, "}");
  }
  const char *text = text_of(e, out);
  const uint32_t added = supple_document_count(e->document, nodes);
  if (text && e->result == SUPPLE_OK)
    fine(e, supple_document_insert(e->document, nodes, SUPPLE_NONE, text, NULL, &e->error));
  cli_output_abandon(out);
  snprintf(number, sizeof number, "%u", added);
  for (uint32_t s = 0; s < asset->scene_count && e->result == SUPPLE_OK; s++)
    if (is_in_scene(&asset->scenes[s], root_of(&asset->skeleton, node)))
      fine(e, supple_document_insert(e->document, member(e, item(e, "scenes", s), "nodes"),
                                     SUPPLE_NONE, number, NULL, &e->error));
  remove_member(e, old, "mesh");
  e->places[instance].node = added;
}

static void place_instance(editor *e, uint32_t instance) {
  const cli_stage *stage = e->plan->stage;
  const uint32_t node = stage->instances[instance].instance->node;
  const supple_value value = item(e, "nodes", node);
  const bool own = stage->options->space == SUPPLE_SPACE_MESH || stands_still(e, node);
  bake_place *place = &e->places[instance];
  uint32_t mesh = 0;
  place->node = node;
  place->left_out = !is_seen(stage->asset, root_of(&stage->asset->skeleton, node));
  if (place->left_out) {
    cli_note("node %u is in no scene: left out", node);
    remove_member(e, value, "mesh");
  } else {
    add_mesh(e, instance, &mesh);
    if (own)
      set_number(e, value, "mesh", mesh);
    else
      add_node(e, instance, mesh);
  }
  remove_member(e, value, "skin");
  remove_member(e, value, "weights");
}

/* What has no primitive to be baked stays as it is. */
static bool is_baked(const bake_plan *plan, uint32_t instance) {
  for (uint32_t i = 0; i < plan->primitive_count; i++)
    if (plan->primitives[i].instance == instance) return true;
  return false;
}

/* ---- animations ---- */

/* Weights of a baked node are in its frames. */
static bool channel_stays(const editor *e, supple_value channel) {
  const cli_stage *stage = e->plan->stage;
  const supple_value target = member(e, channel, "target");
  const char *path = supple_document_string(e->document, member(e, target, "path"));
  const uint32_t node = supple_document_index(e->document, member(e, target, "node"));
  if (!path || strcmp(path, "weights") != 0) return true;
  for (uint32_t i = 0; i < stage->instance_count; i++)
    if (stage->instances[i].instance->node == node) return false;
  return true;
}

/* A channel with its sampler as the number of the ones copied so far. */
static void copy_channel(editor *e, cli_output *channels, cli_output *samplers,
                         supple_value animation, supple_value channel, uint32_t number) {
  static const char *const without[] = {"sampler", NULL};
  const uint32_t sampler = supple_document_index(e->document, member(e, channel, "sampler"));
  cli_output *rest = cli_output_open_memory();
  if (rest) copy_value(e, rest, channel, without, 0);
  const char *text = text_of(e, rest);
  const bool empty = !text || strcmp(text, "{}") == 0;
  cli_output_format(channels, "%s{\"sampler\":%u", number ? "," : "", number);
  cli_output_text(channels, empty ? "}" : ",");
  if (!empty) cli_output_text(channels, text + 1);
  if (number) cli_output_text(samplers, ",");
  copy_value(e, samplers,
             supple_document_child(e->document, member(e, animation, "samplers"), sampler), NULL, 0);
  cli_output_abandon(rest);
}

/* The members of the clip but channels and samplers, and channels open. */
static void begin_clip(editor *e, cli_output *out, supple_value animation) {
  bool first = true;
  cli_output_text(out, "[{");
  for (uint32_t i = 0; i < supple_document_count(e->document, animation); i++) {
    const supple_value child = supple_document_child(e->document, animation, i);
    const char *key = supple_document_key(e->document, child);
    if (strcmp(key, "channels") == 0 || strcmp(key, "samplers") == 0) continue;
    copy_key(out, key, first);
    copy_value(e, out, child, NULL, 0);
    first = false;
  }
  copy_key(out, "channels", first);
  cli_output_text(out, "[");
}

/* The clip alone; where nothing of it stays, an animation that the frames will fill. */
static void keep_clip(editor *e) {
  const supple_value animation = item(e, "animations", e->plan->clip);
  const supple_value channels = member(e, animation, "channels");
  cli_output *all = cli_output_open_memory(), *samplers = cli_output_open_memory();
  uint32_t kept = 0;
  if (all && samplers) {
    begin_clip(e, all, animation);
    for (uint32_t i = 0; i < supple_document_count(e->document, channels); i++) {
      const supple_value channel = supple_document_child(e->document, channels, i);
      if (channel_stays(e, channel)) copy_channel(e, all, samplers, animation, channel, kept++);
    }
  }
  const char *text = text_of(e, samplers);
  if (text && all) {
    cli_output_text(all, "],\"samplers\":[");
    cli_output_text(all, text);
    cli_output_text(all, "]}]");
  }
  text = text_of(e, all);
  if (text && e->result == SUPPLE_OK)
    fine(e, supple_document_set(e->document, 0, "animations", text, NULL, &e->error));
  cli_output_abandon(all);
  cli_output_abandon(samplers);
}

/* Nodes that the clip moves stand as it has them at the pose's time. */
static void pose_nodes(editor *e) {
  const bake_plan *plan = e->plan;
  const supple_asset *asset = plan->stage->asset;
  if (plan->clip == SUPPLE_NONE) return;
  const supple_clip *clip = &asset->clips[plan->clip];
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, &e->error);
  if (!pose) {
    fail(e, SUPPLE_ERROR_MEMORY, "out of memory");
    return;
  }
  supple_pose_sample(pose, clip, plan->times[0]);
  for (uint32_t i = 0; i < clip->channel_count && e->result == SUPPLE_OK; i++) {
    const uint32_t node = clip->channels[i].node;
    if (clip->channels[i].path == SUPPLE_PATH_WEIGHTS || pose->use_matrix[node]) continue;
    fine(e, supple_document_set_node(e->document, node, &pose->locals[node], NULL, &e->error));
  }
  supple_pose_destroy(pose);
}

/* ---- all of it ---- */

int bake_strip(supple_document *document, const bake_plan *plan, bake_place *places) {
  editor e = {.document = document, .plan = plan, .places = places};
  const char *kept = NULL;
  fine(&e, supple_document_decompress(document, NULL, &e.error));
  for (uint32_t i = 0; e.result == SUPPLE_OK && i < plan->stage->instance_count; i++) {
    places[i].left_out = !is_baked(plan, i);
    if (!places[i].left_out) place_instance(&e, i);
  }
  if (e.result == SUPPLE_OK && plan->frame_count > 1) {
    keep_clip(&e);
  } else if (e.result == SUPPLE_OK) {
    pose_nodes(&e);
    remove_member(&e, 0, "animations");
  }
  if (e.result == SUPPLE_OK) fine(&e, supple_document_prune(document, NULL, &kept, &e.error));
  if (e.result == SUPPLE_OK && kept)
    cli_note("what %s may use was not looked through for what is unused", kept);
  return e.result == SUPPLE_OK ? CLI_FINE : bake_complain_of(plan, &e.error);
}
