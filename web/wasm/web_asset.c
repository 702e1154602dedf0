/* web_asset.c: loading an asset, and telling JavaScript what is in it. */
#include "web.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

supple_error web_error;

#define WEB_IMPORT(name) __attribute__((import_module("supple"), import_name(name)))

/* The bytes of an external file by its path (UTF-8, decoded): an address made by web_allocate and *size, or 0. */
WEB_IMPORT("read_file") void *web_read_file(const char *path, size_t length, size_t *size);
/* One compressed buffer view into out[count * stride]: 0, or what went wrong. */
WEB_IMPORT("decode_meshopt")
int web_decode_meshopt(const void *data, size_t size, const char *mode, const char *filter,
                       size_t count, size_t stride, void *out);
/* Opens a Draco mesh: a handle above 0, or 0. */
WEB_IMPORT("draco_open")
uint32_t web_draco_open(const void *data, size_t size, uint32_t *points, uint32_t *indices);
WEB_IMPORT("draco_read")
int web_draco_read(uint32_t mesh, uint32_t attribute, uint32_t component_type, uint32_t components,
                   void *out, size_t size);
WEB_IMPORT("draco_close") void web_draco_close(uint32_t mesh);

/* ---- memory and errors ---- */

WEB_EXPORT void *web_allocate(size_t size) { return malloc(size ? size : 1); }
WEB_EXPORT void web_free(void *memory) { free(memory); }
WEB_EXPORT const char *web_error_message(void) { return web_error.message; }
WEB_EXPORT const char *web_error_pointer(void) { return web_error.pointer; }
WEB_EXPORT const char *web_version(void) { return supple_version(); }
WEB_EXPORT const char *web_isa(void) {
  return supple_isa_text(supple_isa_available(SUPPLE_ISA_WASM) ? SUPPLE_ISA_WASM
                                                               : SUPPLE_ISA_SCALAR);
}

/* ---- external files and codecs ---- */

static supple_result read_file(void *user, const char *path, const void **data, size_t *size,
                               supple_error *error) {
  (void)user;
  *data = web_read_file(path, strlen(path), size);
  if (*data) return SUPPLE_OK;
  if (error)
    snprintf(error->message, sizeof error->message,
             "the file '%s' was not given: load the asset together with the files that it names",
             path);
  return SUPPLE_ERROR_FILE;
}

static void release_file(void *user, const void *data, size_t size) {
  (void)user;
  (void)size;
  free((void *)(uintptr_t)data);
}

static supple_result meshopt(void *user, const void *data, size_t size, const char *mode,
                             const char *filter, size_t count, size_t stride, void *out) {
  (void)user;
  return web_decode_meshopt(data, size, mode, filter, count, stride, out) ? SUPPLE_ERROR_FORMAT
                                                                          : SUPPLE_OK;
}

static supple_result draco_open(void *user, const void *data, size_t size, void **mesh,
                                uint32_t *point_count, uint32_t *index_count) {
  (void)user;
  const uint32_t handle = web_draco_open(data, size, point_count, index_count);
  *mesh = (void *)(uintptr_t)handle;
  return handle ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
}

static size_t component_bytes(uint32_t type) {
  return type == 5125 || type == 5126 ? 4 : type == 5122 || type == 5123 ? 2 : 1;
}

static supple_result draco_read(void *user, void *mesh, uint32_t attribute, uint32_t component_type,
                                uint32_t components, void *out) {
  (void)user;
  return web_draco_read((uint32_t)(uintptr_t)mesh, attribute, component_type, components, out,
                        component_bytes(component_type))
             ? SUPPLE_ERROR_FORMAT
             : SUPPLE_OK;
}

static void draco_close(void *user, void *mesh) {
  (void)user;
  web_draco_close((uint32_t)(uintptr_t)mesh);
}

enum { HAS_MESHOPT = 1, HAS_DRACO = 2, STRUCTURE_ONLY = 4, OUTSIDE_URIS = 8 };

supple_load_options web_load_options(uint32_t flags) {
  static supple_codecs codecs[4]; /* by which decoders JavaScript has ready */
  supple_codecs *chosen = &codecs[flags & 3];
  if (flags & HAS_MESHOPT) chosen->meshopt = meshopt;
  if (flags & HAS_DRACO) {
    chosen->draco_open = draco_open;
    chosen->draco_read = draco_read;
    chosen->draco_close = draco_close;
  }
  return (supple_load_options){.reader = {.read = read_file, .release = release_file},
                               .codecs = chosen,
                               .structure_only = (flags & STRUCTURE_ONLY) != 0,
                               .allow_outside_uris = (flags & OUTSIDE_URIS) != 0};
}

WEB_EXPORT supple_asset *web_asset_load(const void *data, size_t size, uint32_t flags) {
  const supple_load_options options = web_load_options(flags);
  return supple_asset_load_memory(data, size, &options, &web_error);
}
WEB_EXPORT void web_asset_free(supple_asset *asset) { supple_asset_free(asset); }

/* ---- what is in it, as JSON ---- */

static void describe_nodes(web_text *text, const supple_asset *asset) {
  web_array(text, "nodes");
  for (uint32_t i = 0; i < asset->skeleton.node_count; i++) {
    const supple_node *node = &asset->skeleton.nodes[i];
    web_object(text, NULL);
    web_string(text, "name", node->name);
    web_index(text, "parent", node->parent);
    web_index(text, "mesh", node->mesh);
    web_index(text, "skin", node->skin);
    web_number(text, "weightBegin", node->weight_begin);
    web_number(text, "weightCount", node->weight_count);
    web_end(text, '}');
  }
  web_end(text, ']');
}

static void describe_primitive(web_text *text, const supple_primitive *primitive) {
  web_object(text, NULL);
  web_number(text, "topology", primitive->topology);
  web_number(text, "vertexCount", primitive->vertex_count);
  web_number(text, "indexCount", primitive->index_count);
  web_number(text, "influenceCount", primitive->influence_count);
  web_number(text, "targetCount", primitive->target_count);
  web_index(text, "material", primitive->material);
  web_pointer(text, "positions", primitive->positions);
  web_pointer(text, "normals", primitive->normals);
  web_pointer(text, "tangents", primitive->tangents);
  web_pointer(text, "texcoords", primitive->texcoords);
  web_pointer(text, "colors", primitive->colors);
  web_pointer(text, "indices", primitive->indices);
  web_pointer(text, "joints", primitive->joints);
  web_pointer(text, "weights", primitive->weights);
  web_end(text, '}');
}

static void describe_meshes(web_text *text, const supple_asset *asset) {
  web_array(text, "meshes");
  for (uint32_t i = 0; i < asset->mesh_count; i++) {
    const supple_mesh *mesh = &asset->meshes[i];
    web_object(text, NULL);
    web_string(text, "name", mesh->name);
    web_array(text, "primitives");
    for (uint32_t k = 0; k < mesh->primitive_count; k++)
      describe_primitive(text, &mesh->primitives[k]);
    web_end(text, ']');
    web_end(text, '}');
  }
  web_end(text, ']');
}

static void describe_skins(web_text *text, const supple_asset *asset) {
  web_array(text, "skins");
  for (uint32_t i = 0; i < asset->skin_count; i++) {
    const supple_skin *skin = &asset->skins[i];
    web_object(text, NULL);
    web_string(text, "name", skin->name);
    web_string(text, "method", skin->skinning_method);
    web_pointer(text, "inverseBinds", skin->inverse_binds);
    web_array(text, "joints");
    for (uint32_t k = 0; k < skin->joint_count; k++) web_number(text, NULL, skin->joints[k]);
    web_end(text, ']');
    web_array(text, "parents");
    for (uint32_t k = 0; k < skin->joint_count; k++) web_index(text, NULL, skin->parents[k]);
    web_end(text, ']');
    web_end(text, '}');
  }
  web_end(text, ']');
}

static void describe_rest(web_text *text, const supple_asset *asset) {
  web_array(text, "instances");
  for (uint32_t i = 0; i < asset->instance_count; i++) {
    const supple_instance *instance = &asset->instances[i];
    web_object(text, NULL);
    web_number(text, "node", instance->node);
    web_number(text, "mesh", instance->mesh);
    web_number(text, "skin", instance->skin->index);
    web_end(text, '}');
  }
  web_end(text, ']');
  web_array(text, "clips");
  for (uint32_t i = 0; i < asset->clip_count; i++) {
    web_object(text, NULL);
    web_string(text, "name", asset->clips[i].name);
    web_number(text, "begin", asset->clips[i].begin);
    web_number(text, "end", asset->clips[i].end);
    web_end(text, '}');
  }
  web_end(text, ']');
  web_array(text, "extensions");
  for (uint32_t i = 0; i < asset->extension_count; i++)
    web_string(text, NULL, asset->extensions_used[i]);
  web_end(text, ']');
  web_array(text, "notes");
  for (uint32_t i = 0; i < asset->note_count; i++) {
    web_object(text, NULL);
    web_string(text, "pointer", asset->notes[i].pointer);
    web_string(text, "text", asset->notes[i].text);
    web_end(text, '}');
  }
  web_end(text, ']');
}

/* Everything but the streams, which it gives the addresses of; free it with web_free. */
WEB_EXPORT char *web_asset_describe(const supple_asset *asset) {
  web_text text = {0};
  web_object(&text, NULL);
  web_string(&text, "generator", asset->generator);
  web_index(&text, "scene", asset->scene);
  web_number(&text, "memoryBytes", (double)asset->memory_bytes);
  describe_nodes(&text, asset);
  describe_meshes(&text, asset);
  describe_skins(&text, asset);
  describe_rest(&text, asset);
  web_end(&text, '}');
  return web_finish(&text);
}
