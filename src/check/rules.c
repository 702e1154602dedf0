/* rules.c: the rules of the glTF 2.0 specification that concern skins, one part after another; the header. */
#include "../base/prologue.h"

#include "rules.h"

#include "../base/merge_sort.h"
#include "../gltf/document_state.h"

#include <string.h>

/* ---- memory ---- */

void *supplei_rules_allocate(supplei_rules *rules, size_t count, size_t size) {
  void *memory = supplei_arena_allocate(&rules->scratch, count, size);
  if (!memory) rules->check->result = SUPPLE_ERROR_MEMORY;
  return memory;
}

/* ---- extensions ---- */

/* [A-Z0-9]+_[A-Za-z0-9_]+ */
static bool has_name_format(const char *name) {
  static const char capitals[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                    all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_abcdefghijklmnopqrstuvwxyz";
  size_t prefix = strspn(name, capitals);
  return prefix && name[prefix] == '_' && name[prefix + 1] &&
         !name[prefix + 1 + strspn(name + prefix + 1, all)];
}

static int compare_names(const void *context, uint64_t a, uint64_t b) {
  const char *const *names = context;
  return strcmp(names[a], names[b]);
}

/* An array of different texts; the names, in order of the file, and how many there are. */
static const char **read_names(supplei_rules *rules, const char *key, uint32_t *count) {
  supple_value array = supplei_rules_typed(rules, 0, key, SUPPLE_VALUE_ARRAY, false);
  uint32_t items = supple_document_count(rules->document, array);
  *count = 0;
  if (array != SUPPLE_NONE && !items)
    supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, array, "is empty");
  const char **names = supplei_rules_allocate(rules, items, sizeof *names);
  uint64_t *order = supplei_rules_allocate(rules, items, 2 * sizeof *order);
  if (!names || !order) return NULL;
  for (uint32_t i = 0; i < items; i++) {
    supple_value item = supple_document_child(rules->document, array, i);
    names[i] = supple_document_string(rules->document, item);
    order[i] = i;
    if (names[i]) continue;
    supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_TYPE_MISMATCH, item, "must be a string");
    names[i] = "";
  }
  *count = items;
  supplei_merge_sort(order, order + items, items, compare_names, names);
  for (uint32_t i = 1; i < items; i++)
    if (*names[order[i]] && strcmp(names[order[i - 1]], names[order[i]]) == 0)
      supplei_rules_found(rules, SUPPLEI_CODE_DUPLICATE_ELEMENTS,
                          supple_document_child(rules->document, array, (uint32_t)order[i]),
                          "\"%.64s\" is in the list already", names[order[i]]);
  return names;
}

static const char **sorted_names(supplei_rules *rules, const char **names, uint32_t count) {
  const char **sorted = supplei_rules_allocate(rules, count, sizeof *sorted);
  uint64_t *order = supplei_rules_allocate(rules, count, 2 * sizeof *order);
  if (!names || !sorted || !order) return NULL;
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  supplei_merge_sort(order, order + count, count, compare_names, names);
  for (uint32_t i = 0; i < count; i++) sorted[i] = names[order[i]];
  return sorted;
}

static bool is_in(const char *const *names, uint32_t count, const char *name) {
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

static void read_extensions(supplei_rules *rules) {
  uint32_t used_count, required_count;
  if (supple_document_member(rules->document, 0, "extensionsRequired") != SUPPLE_NONE &&
      supple_document_member(rules->document, 0, "extensionsUsed") == SUPPLE_NONE)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNSATISFIED_DEPENDENCY, 0, "extensionsRequired",
                            "extensionsRequired without extensionsUsed");
  const char **used = read_names(rules, "extensionsUsed", &used_count);
  const char **required = read_names(rules, "extensionsRequired", &required_count);
  const char **declared = used ? sorted_names(rules, used, used_count) : NULL;
  if (!declared || !required) return;
  rules->declared = declared;
  rules->declared_count = used_count;
  rules->quantized = is_in(used, used_count, "KHR_mesh_quantization");
  supple_value used_array = supple_document_member(rules->document, 0, "extensionsUsed"),
               required_array = supple_document_member(rules->document, 0, "extensionsRequired");
  for (uint32_t i = 0; i < used_count; i++) {
    supple_value item = supple_document_child(rules->document, used_array, i);
    if (*used[i] && !has_name_format(used[i]))
      supplei_rules_found(rules, SUPPLEI_CODE_INVALID_EXTENSION_NAME_FORMAT, item,
                          "\"%.64s\" is not PREFIX_name", used[i]);
    if (strcmp(used[i], "KHR_mesh_quantization") == 0 && !is_in(required, required_count, used[i]))
      supplei_rules_found(rules, SUPPLEI_CODE_NON_REQUIRED_EXTENSION, item,
                          "KHR_mesh_quantization must be in extensionsRequired too");
  }
  for (uint32_t i = 0; i < required_count; i++)
    if (*required[i] && !supplei_rules_declares(rules, required[i]))
      supplei_rules_found(rules, SUPPLEI_CODE_UNUSED_EXTENSION_REQUIRED,
                          supple_document_child(rules->document, required_array, i),
                          "\"%.64s\" is required, but not in extensionsUsed", required[i]);
}

/* ---- the header ---- */

/* "2.0" */
static bool parse_version(const char *text, uint32_t version[2]) {
  for (int i = 0; i < 2; i++) {
    size_t digits = strspn(text, "0123456789");
    if (!digits || text[digits] != (i ? 0 : '.')) return false;
    version[i] = 0;
    for (size_t k = 0; k < digits; k++)
      version[i] = version[i] < 100000000 ? version[i] * 10 + (uint32_t)(text[k] - '0') : version[i];
    text += digits + 1;
  }
  return true;
}

static bool read_version(supplei_rules *rules, supple_value asset, const char *key, bool required,
                         uint32_t version[2]) {
  const char *text = supplei_rules_text(rules, asset, key, NULL, required);
  if (!text) return false;
  if (parse_version(text, version)) return true;
  supplei_rules_found_key(rules, SUPPLEI_CODE_PATTERN_MISMATCH, asset, key,
                          "\"%.32s\" is not a version like \"2.0\"", text);
  return false;
}

/* False where the file is of another major version: the rest cannot be judged. */
static bool read_asset(supplei_rules *rules) {
  static const char *const keys[] = {"copyright",  "generator", "version",
                                     "minVersion", "name",      NULL};
  uint32_t version[2] = {2, 0}, least[2];
  supple_value asset = supplei_rules_typed(rules, 0, "asset", SUPPLE_VALUE_OBJECT, true);
  if (asset == SUPPLE_NONE) return true;
  supplei_rules_object(rules, asset, keys);
  supplei_rules_text(rules, asset, "copyright", NULL, false);
  supplei_rules_text(rules, asset, "generator", NULL, false);
  bool known = read_version(rules, asset, "version", true, version);
  if (read_version(rules, asset, "minVersion", false, least) && known &&
      (least[0] > version[0] || (least[0] == version[0] && least[1] > version[1])))
    supplei_rules_found_key(rules, SUPPLEI_CODE_ASSET_MIN_VERSION_GREATER_THAN_VERSION, asset,
                            "minVersion", "is %u.%u, but version is %u.%u", (unsigned)least[0],
                            (unsigned)least[1], (unsigned)version[0], (unsigned)version[1]);
  if (version[0] != 2)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNKNOWN_ASSET_MAJOR_VERSION, asset, "version",
                            "is %u.%u; only 2.0 is known", (unsigned)version[0],
                            (unsigned)version[1]);
  else if (version[1] > 0)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNKNOWN_ASSET_MINOR_VERSION, asset, "version",
                            "is 2.%u; only 2.0 is known", (unsigned)version[1]);
  return version[0] == 2;
}

/* ---- tables ---- */

static supplei_rules_array read_array(supplei_rules *rules, const char *key) {
  supple_value value = supple_document_member(rules->document, 0, key);
  supplei_rules_array array = {value, supple_document_count(rules->document, value)};
  supple_value_type type = supple_document_type(rules->document, value);
  if (value == SUPPLE_NONE) return array;
  if (type != SUPPLE_VALUE_ARRAY) {
    supplei_rules_found(rules, SUPPLEI_CODE_TYPE_MISMATCH, value, "must be an array");
    return (supplei_rules_array){SUPPLE_NONE, 0};
  }
  if (!array.count) supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, value, "is empty");
  for (uint32_t i = 0; i < array.count; i++) {
    supple_value item = supple_document_child(rules->document, value, i);
    if (supple_document_type(rules->document, item) != SUPPLE_VALUE_OBJECT)
      supplei_rules_found(rules, SUPPLEI_CODE_TYPE_MISMATCH, item, "must be an object");
  }
  return array;
}

static supple_value object_of(const supplei_rules *rules, const supplei_rules_array *array,
                              uint32_t index) {
  supple_value item = supple_document_child(rules->document, array->value, index);
  return supple_document_type(rules->document, item) == SUPPLE_VALUE_OBJECT ? item : SUPPLE_NONE;
}

static void read_arrays(supplei_rules *rules) {
  rules->accessor_array = read_array(rules, "accessors");
  rules->animation_array = read_array(rules, "animations");
  rules->buffer_array = read_array(rules, "buffers");
  rules->view_array = read_array(rules, "bufferViews");
  rules->image_array = read_array(rules, "images");
  rules->material_array = read_array(rules, "materials");
  rules->mesh_array = read_array(rules, "meshes");
  rules->node_array = read_array(rules, "nodes");
  rules->scene_array = read_array(rules, "scenes");
  rules->skin_array = read_array(rules, "skins");
  read_array(rules, "cameras");
  read_array(rules, "samplers");
  read_array(rules, "textures");
}

/* Everything unknown, before it is read. */
static bool prepare_objects(supplei_rules *rules) {
  rules->buffers = supplei_rules_allocate(rules, rules->buffer_array.count, sizeof *rules->buffers);
  rules->views = supplei_rules_allocate(rules, rules->view_array.count, sizeof *rules->views);
  rules->accessors =
      supplei_rules_allocate(rules, rules->accessor_array.count, sizeof *rules->accessors);
  rules->meshes = supplei_rules_allocate(rules, rules->mesh_array.count, sizeof *rules->meshes);
  rules->nodes = supplei_rules_allocate(rules, rules->node_array.count, sizeof *rules->nodes);
  rules->skins = supplei_rules_allocate(rules, rules->skin_array.count, sizeof *rules->skins);
  rules->stamps = supplei_rules_allocate(rules, rules->node_array.count, sizeof *rules->stamps);
  if (rules->check->result) return false;
  for (uint32_t i = 0; i < rules->buffer_array.count; i++)
    rules->buffers[i] =
        (supplei_rules_buffer){.value = object_of(rules, &rules->buffer_array, i), .length = -1};
  for (uint32_t i = 0; i < rules->view_array.count; i++)
    rules->views[i] = (supplei_rules_view){.value = object_of(rules, &rules->view_array, i),
                                           .buffer = SUPPLE_NONE,
                                           .offset = -1,
                                           .length = -1,
                                           .stride = -1};
  for (uint32_t i = 0; i < rules->accessor_array.count; i++)
    rules->accessors[i] =
        (supplei_rules_accessor){.value = object_of(rules, &rules->accessor_array, i),
                                 .min = SUPPLE_NONE,
                                 .max = SUPPLE_NONE,
                                 .view = SUPPLE_NONE,
                                 .count = -1,
                                 .sparse = SUPPLE_NONE,
                                 .sparse_indices_view = SUPPLE_NONE,
                                 .sparse_values_view = SUPPLE_NONE};
  for (uint32_t i = 0; i < rules->mesh_array.count; i++)
    rules->meshes[i] = (supplei_rules_mesh){.value = object_of(rules, &rules->mesh_array, i),
                                            .target_count = SUPPLE_NONE,
                                            .joint_limit = SUPPLE_NONE,
                                            .limiting_skin = SUPPLE_NONE};
  for (uint32_t i = 0; i < rules->node_array.count; i++)
    rules->nodes[i] = (supplei_rules_node){.value = object_of(rules, &rules->node_array, i),
                                           .children = SUPPLE_NONE,
                                           .mesh = SUPPLE_NONE,
                                           .skin = SUPPLE_NONE,
                                           .parent = SUPPLE_NONE};
  for (uint32_t i = 0; i < rules->skin_array.count; i++)
    rules->skins[i] = (supplei_rules_skin){.value = object_of(rules, &rules->skin_array, i),
                                           .joints = SUPPLE_NONE,
                                           .inverse_binds = SUPPLE_NONE,
                                           .skeleton = SUPPLE_NONE};
  return true;
}

/* ---- who else uses things ---- */

/* Images, and what extensions that Supple knows refer to: of these only the references are looked at. */
static void link_others(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->image_array.count; i++) {
    supple_value image = object_of(rules, &rules->image_array, i);
    uint32_t view = supple_document_index(
        rules->document, supple_document_member(rules->document, image, "bufferView"));
    if (image != SUPPLE_NONE &&
        supplei_rules_resolve(rules, image, "bufferView", view, &rules->view_array, "buffer view"))
      supplei_rules_use_view(rules, view, SUPPLEI_USE_IMAGE, image, "bufferView");
  }
  for (uint32_t i = 0; i < rules->node_array.count; i++) {
    supple_value extensions =
                     supple_document_member(rules->document, rules->nodes[i].value, "extensions"),
                 instancing =
                     supple_document_member(rules->document, extensions, "EXT_mesh_gpu_instancing"),
                 attributes = supple_document_member(rules->document, instancing, "attributes");
    uint32_t count = supple_document_count(rules->document, attributes);
    for (uint32_t k = 0; k < count; k++) {
      uint32_t accessor = supple_document_index(
          rules->document, supple_document_child(rules->document, attributes, k));
      if (accessor < rules->accessor_array.count) rules->accessors[accessor].used = true;
    }
  }
}

static void tell_unused(supplei_rules *rules, supple_value value, bool used) {
  if (value != SUPPLE_NONE && !used)
    supplei_rules_found(rules, SUPPLEI_CODE_UNUSED_OBJECT, value, "nothing refers to it");
}

static void find_unused(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->accessor_array.count; i++)
    tell_unused(rules, rules->accessors[i].value, rules->accessors[i].used);
  for (uint32_t i = 0; i < rules->buffer_array.count; i++)
    tell_unused(rules, rules->buffers[i].value, rules->buffers[i].used);
  for (uint32_t i = 0; i < rules->view_array.count; i++)
    tell_unused(rules, rules->views[i].value, rules->views[i].used);
  for (uint32_t i = 0; i < rules->mesh_array.count; i++) {
    const supplei_rules_mesh *mesh = &rules->meshes[i];
    tell_unused(rules, mesh->value, mesh->used);
    if (mesh->used && mesh->weights && !mesh->weights_needed)
      supplei_rules_found_key(rules, SUPPLEI_CODE_UNUSED_MESH_WEIGHTS, mesh->value, "weights",
                              "every node that draws the mesh has weights of its own");
  }
  for (uint32_t i = 0; i < rules->node_array.count; i++)
    tell_unused(rules, rules->nodes[i].value, rules->nodes[i].used);
  for (uint32_t i = 0; i < rules->skin_array.count; i++)
    tell_unused(rules, rules->skins[i].value, rules->skins[i].used);
}

/* ---- the whole ---- */

static void read_objects(supplei_rules *rules) {
  supplei_rules_read_buffers(rules);
  supplei_rules_read_accessors(rules);
  supplei_rules_read_meshes(rules);
  supplei_rules_read_nodes(rules);
  supplei_rules_read_skins(rules);
}

/* In the validator's order, which says who of two users is the first. */
static void link_objects(supplei_rules *rules) {
  supplei_rules_link_views(rules);
  supplei_rules_link_accessors(rules);
  link_others(rules);
  supplei_rules_link_meshes(rules);
  supplei_rules_link_nodes(rules);
  supplei_rules_link_skins(rules);
  supplei_rules_animations(rules);
  supplei_rules_link_scenes(rules);
  supplei_rules_judge_nodes(rules);
  find_unused(rules);
}

static void run(supplei_rules *rules) {
  static const char *const keys[] = {"extensionsUsed", "extensionsRequired",
                                     "accessors",      "animations",
                                     "asset",          "buffers",
                                     "bufferViews",    "cameras",
                                     "images",         "materials",
                                     "meshes",         "nodes",
                                     "samplers",       "scene",
                                     "scenes",         "skins",
                                     "textures",       NULL};
  read_extensions(rules);
  supplei_rules_object(rules, 0, keys);
  if (!read_asset(rules)) return;
  read_arrays(rules);
  if (!prepare_objects(rules)) return;
  rules->work_left = rules->check->document->limits.memory_bytes / 4;
  read_objects(rules);
  link_objects(rules);
  if (rules->check->options->structure_only || rules->check->salvaged) return;
  supplei_rules_open_buffers(rules);
  supplei_rules_data(rules);
  supplei_rules_influences(rules);
}

void supplei_check_rules(supplei_check *check) {
  supplei_rules rules = {.check = check, .document = check->document};
  supplei_arena_init(&rules.scratch, &check->allocator, 0);
  run(&rules);
  supplei_arena_free(&rules.scratch);
}
