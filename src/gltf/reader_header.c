/* reader_header.c: the asset's version, the extensions it needs, and its top-level arrays. */
#include "../base/prologue.h"

#include "accessor.h"
#include "meshopt_rules.h"

#include <string.h>

/* ---- version ---- */

/* "MAJOR.MINOR" of plain digits. */
static bool parse_version(const char *text, uint32_t *major, uint32_t *minor) {
  uint32_t *parts[2] = {major, minor};
  for (int i = 0; i < 2; i++) {
    size_t digits = 0;
    *parts[i] = 0;
    for (; *text >= '0' && *text <= '9'; text++, digits++)
      if (*parts[i] < 100000) *parts[i] = *parts[i] * 10 + (uint32_t)(*text - '0');
    if (!digits || *text != (i == 0 ? '.' : '\0')) return false;
    text += i == 0;
  }
  return true;
}

static supple_result check_version(supplei_loader *loader, uint32_t object, const char *key,
                                   const char *text, bool minimum) {
  uint32_t node = supplei_json_member(&loader->json, object, key), major, minor;
  if (!parse_version(text, &major, &minor))
    return supplei_loader_wrong(loader, node, "must be a version like \"2.0\"");
  if (major != 2 || (minimum && minor > 0))
    return supplei_loader_fail(loader, node, SUPPLE_ERROR_UNSUPPORTED,
                               "glTF %u.%u; only 2.0 and what is compatible with it can be read",
                               (unsigned)major, (unsigned)minor);
  return SUPPLE_OK;
}

static supple_result read_asset(supplei_loader *loader) {
  uint32_t object, node;
  const char *minimum;
  supple_asset *asset = loader->asset;
  supple_result result = supplei_require(loader, 0, "asset", SUPPLEI_JSON_OBJECT, &object);
  if (!result) result = supplei_require(loader, object, "version", SUPPLEI_JSON_STRING, &node);
  if (!result) result = supplei_get_string(loader, object, "version", &asset->version);
  if (!result) result = supplei_get_string(loader, object, "minVersion", &minimum);
  if (!result) result = supplei_get_string(loader, object, "generator", &asset->generator);
  if (!result) result = supplei_get_string(loader, object, "copyright", &asset->copyright);
  if (!result) result = check_version(loader, object, "version", asset->version, false);
  if (!result && minimum[0]) result = check_version(loader, object, "minVersion", minimum, true);
  return result;
}

/* ---- extensions ---- */

/* Extensions that cannot move a vertex or a joint, and those that are read. '*' ends a prefix. */
static bool is_harmless(const char *name) {
  static const char *const names[] = {"KHR_mesh_quantization",
                                      "EXT_mesh_gpu_instancing",
                                      "KHR_materials_*",
                                      "KHR_texture_*",
                                      "KHR_lights_*",
                                      "KHR_xmp*",
                                      "KHR_techniques_webgl",
                                      "KHR_animation_pointer",
                                      "KHR_node_visibility",
                                      "KHR_node_hoverability",
                                      "KHR_node_selectability",
                                      "KHR_audio*",
                                      "EXT_texture_*",
                                      "EXT_lights_*",
                                      "EXT_materials_*",
                                      "EXT_mesh_features",
                                      "EXT_instance_features",
                                      "EXT_structural_metadata",
                                      "MSFT_texture_dds",
                                      "MSFT_packing_*",
                                      "ADOBE_materials_*",
                                      "CESIUM_primitive_outline",
                                      "FB_ngon_encoding",
                                      "GODOT_*",
                                      "VRM",
                                      "VRMC_*"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t n = strcspn(names[i], "*");
    if (strncmp(name, names[i], n) == 0 && (names[i][n] == '*' || !name[n])) return true;
  }
  return false;
}

static supple_result check_required(supplei_loader *loader, uint32_t node, const char *name) {
  bool draco = strcmp(name, "KHR_draco_mesh_compression") == 0;
  bool meshopt =
      strcmp(name, "EXT_meshopt_compression") == 0 || strcmp(name, "KHR_meshopt_compression") == 0;
  const supple_codecs *codecs = loader->options->codecs;
  if (draco && !(codecs && codecs->draco_open))
    return supplei_loader_fail(loader, node, SUPPLE_ERROR_UNSUPPORTED, SUPPLEI_NEEDS_DRACO, name);
  if (meshopt && !(codecs && codecs->meshopt))
    return supplei_loader_fail(loader, node, SUPPLE_ERROR_UNSUPPORTED, SUPPLEI_NEEDS_MESHOPT, name);
  if (draco || meshopt) return SUPPLE_OK;
  if (is_harmless(name)) return SUPPLE_OK;
  return supplei_loader_fail(loader, node, SUPPLE_ERROR_UNSUPPORTED,
                             "needs the extension %s, which this build does not know", name);
}

static supple_result read_names(supplei_loader *loader, const char *key, const char ***names,
                                uint32_t *count, uint32_t *array) {
  supple_result result = supplei_get(loader, 0, key, SUPPLEI_JSON_ARRAY, array);
  *count = 0;
  if (result || *array == SUPPLE_NONE) return result;
  uint32_t total = supplei_node(loader, *array)->count, node = *array + 1;
  *names = supplei_loader_allocate(loader, total, sizeof **names, "the names of extensions");
  if (!*names) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < total; i++, node = supplei_node(loader, node)->next) {
    if (supplei_node(loader, node)->type != SUPPLEI_JSON_STRING)
      return supplei_loader_wrong(loader, node, "must be a string");
    if ((result = supplei_copy_string(loader, node, &(*names)[i]))) return result;
  }
  *count = total;
  return SUPPLE_OK;
}

static supple_result read_extensions(supplei_loader *loader) {
  const char **used = NULL, **required = NULL;
  uint32_t used_count, required_count, array;
  supple_result result = read_names(loader, "extensionsUsed", &used, &used_count, &array);
  if (result) return result;
  loader->asset->extensions_used = used;
  loader->asset->extension_count = used_count;
  for (uint32_t i = 0; i < used_count; i++)
    loader->quantized |= strcmp(used[i], "KHR_mesh_quantization") == 0;
  result = read_names(loader, "extensionsRequired", &required, &required_count, &array);
  for (uint32_t i = 0; i < required_count && !result; i++) /* strings are one node each */
    result = check_required(loader, array + 1 + i, required[i]);
  return result;
}

supple_result supplei_read_header(supplei_loader *loader) {
  if (supplei_node(loader, 0)->type != SUPPLEI_JSON_OBJECT)
    return supplei_fail(loader->error, SUPPLE_ERROR_FORMAT, NULL,
                        loader->glb.json_offset + supplei_node(loader, 0)->begin,
                        "the JSON of a glTF asset must be an object");
  supple_result result = read_asset(loader);
  return result ? result : read_extensions(loader);
}

/* ---- top-level arrays ---- */

static supple_result read_table(supplei_loader *loader, const char *key, supplei_table *table) {
  uint32_t array;
  supple_result result = supplei_get(loader, 0, key, SUPPLEI_JSON_ARRAY, &array);
  if (result || array == SUPPLE_NONE) return result;
  uint32_t count = supplei_node(loader, array)->count, node = array + 1;
  uint32_t *items = supplei_loader_scratch(loader, count, sizeof *items, "a table of objects");
  if (!items) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count; i++, node = supplei_node(loader, node)->next) {
    if (supplei_node(loader, node)->type != SUPPLEI_JSON_OBJECT)
      return supplei_loader_wrong(loader, node, "must be an object");
    items[i] = node;
  }
  *table = (supplei_table){items, count};
  return SUPPLE_OK;
}

supple_result supplei_read_tables(supplei_loader *loader) {
  const struct {
    const char *key;
    supplei_table *table;
  } tables[] = {{"accessors", &loader->accessors}, {"bufferViews", &loader->views},
                {"buffers", &loader->buffers},     {"nodes", &loader->nodes},
                {"meshes", &loader->meshes},       {"skins", &loader->skins},
                {"scenes", &loader->scenes},       {"animations", &loader->animations},
                {"materials", &loader->materials}, {"cameras", &loader->cameras},
                {"textures", &loader->textures},   {"images", &loader->images},
                {"samplers", &loader->samplers}};
  supple_result result = SUPPLE_OK;
  for (size_t i = 0; i < sizeof tables / sizeof *tables && !result; i++)
    result = read_table(loader, tables[i].key, tables[i].table);
  return result ? result : supplei_accessors_prepare(loader);
}
