/* reader.c: loading an asset: bytes to JSON, JSON to the parts, the parts to one arena. */
#include "../base/prologue.h"

#include "buffers.h"
#include "file_read.h"
#include "loader.h"

#include <string.h>

/* The asset and the arena that it lies in. */
typedef struct owned_asset {
  supple_asset asset; /* first: its address is the whole's */
  supplei_arena arena;
} owned_asset;

static const supple_load_options no_options = {0};

static uint32_t or_u32(uint32_t value, uint32_t otherwise) { return value ? value : otherwise; }
static size_t or_size(size_t value, size_t otherwise) { return value ? value : otherwise; }

supple_limits supplei_limits_complete(supple_limits limits) {
  limits.file_bytes = or_size(limits.file_bytes, UINT32_MAX);
  limits.memory_bytes = or_size(limits.memory_bytes, (size_t)1 << 30);
  limits.json_values = or_u32(limits.json_values, 10000000);
  limits.json_depth = or_u32(limits.json_depth, 1000);
  limits.nodes = or_u32(limits.nodes, 1000000);
  limits.node_depth = or_u32(limits.node_depth, 100000);
  limits.vertices = or_u32(limits.vertices, 100000000);
  limits.joints = or_u32(limits.joints, 65535);
  limits.influence_sets = or_u32(limits.influence_sets, 64);
  limits.morph_targets = or_u32(limits.morph_targets, 4096);
  return limits;
}

static void note_oddities(supplei_loader *loader) {
  unsigned oddities = loader->glb.oddities;
  if (oddities & SUPPLEI_GLB_TRAILING)
    supplei_loader_note(loader, SUPPLE_NONE, "%zu bytes after the end of the GLB; ignored",
                        loader->glb.trailing);
  if (oddities & SUPPLEI_GLB_STUB)
    supplei_loader_note(loader, SUPPLE_NONE, "a few bytes after the last chunk of the GLB; ignored");
  if (oddities & SUPPLEI_GLB_UNALIGNED)
    supplei_loader_note(loader, SUPPLE_NONE, "the length of a GLB chunk is no multiple of four");
  if (oddities & SUPPLEI_GLB_NUL_PADDING)
    supplei_loader_note(loader, SUPPLE_NONE,
                        "the JSON of the GLB is padded with NUL instead of spaces");
  if (oddities & SUPPLEI_GLB_BIN_LATE)
    supplei_loader_note(loader, SUPPLE_NONE, "the BIN chunk of the GLB is not the second chunk");
  if (oddities & SUPPLEI_GLB_MORE_BIN)
    supplei_loader_note(loader, SUPPLE_NONE, "more than one BIN chunk in the GLB; the first counts");
}

static supple_result parse_text(supplei_loader *loader, const void *data, size_t size,
                                const supplei_glb *glb) {
  const char *text = data;
  if (!size) return supplei_fail(loader->error, SUPPLE_ERROR_FORMAT, NULL, 0, "the file is empty");
  if (glb) {
    loader->glb = *glb;
  } else if (supplei_glb_is(data, size)) {
    supple_result result = supplei_glb_parse(&loader->glb, data, size, loader->error);
    if (result) return result;
    text = (const char *)loader->glb.json;
    size = loader->glb.json_size;
  }
  supplei_json_limits limits = {loader->limits.json_values, loader->limits.json_depth,
                                loader->glb.json_offset};
  return supplei_json_parse(&loader->json, text, size, &limits, &loader->allocator, loader->error);
}

static supple_result read_parts(supplei_loader *loader) {
  static supple_result (*const parts[])(supplei_loader *) = {
      supplei_read_header,    supplei_read_tables,    supplei_read_images,    supplei_read_textures,
      supplei_read_materials, supplei_read_meshes,    supplei_read_nodes,     supplei_read_scenes,
      supplei_read_skins,     supplei_read_instances, supplei_read_animations};
  supple_result result = SUPPLE_OK;
  for (size_t i = 0; i < sizeof parts / sizeof *parts && !result; i++) result = parts[i](loader);
  return result ? result : supplei_loader_finish_notes(loader);
}

static supple_result load(supplei_loader *loader, const void *data, size_t size,
                          const supplei_glb *glb) {
  supple_result result = parse_text(loader, data, size, glb);
  if (result) return result;
  owned_asset *owned = supplei_loader_allocate(loader, 1, sizeof *owned, "the asset");
  if (!owned) return supplei_loader_memory_result(loader);
  loader->asset = &owned->asset;
  loader->asset->scene = SUPPLE_NONE;
  note_oddities(loader);
  if ((result = read_parts(loader))) return result;
  owned->asset.memory_bytes = loader->arena.total;
  owned->arena = loader->arena;
  return SUPPLE_OK;
}

supple_asset *supplei_asset_load(const void *data, size_t size, const supplei_origin *origin,
                                 const supple_load_options *options, supple_error *error) {
  supple_error local;
  supplei_loader loader = {.options = options,
                           .allocator = supplei_allocator(&options->allocator),
                           .limits = supplei_limits_complete(options->limits),
                           .folder = origin->folder,
                           .given = origin->given,
                           .given_count = origin->given_count,
                           .error = error ? error : &local};
  loader.file_bytes_left = loader.limits.file_bytes;
  memset(loader.error, 0, sizeof *loader.error);
  supplei_arena_init(&loader.arena, &loader.allocator, loader.limits.memory_bytes);
  supplei_arena_init(&loader.scratch, &loader.allocator, 0);
  supple_result result = load(&loader, data, size, origin->glb);
  supplei_buffers_close(&loader);
  supplei_arena_free(&loader.scratch);
  supplei_json_release(&loader.json);
  if (!result) return loader.asset;
  supplei_arena_free(&loader.arena);
  return NULL;
}

supple_asset *supple_asset_load_memory(const void *data, size_t size,
                                       const supple_load_options *options, supple_error *error) {
  if (!options) options = &no_options;
  size_t limit = supplei_limits_complete(options->limits).file_bytes;
  if (size > limit) {
    supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                 "the asset has %zu bytes, more than limits.file_bytes allows (%zu)", size, limit);
    return NULL;
  }
  if (!data && size) {
    supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "data is NULL");
    return NULL;
  }
  return supplei_asset_load(data, size, &(supplei_origin){0}, options, error);
}

/* Up to and with the last separator; "" where there is none. */
static size_t folder_length(const char *path) {
  size_t length = strlen(path);
#if defined(_WIN32)
  while (length && path[length - 1] != '/' && path[length - 1] != '\\' && path[length - 1] != ':')
    length--;
#else
  while (length && path[length - 1] != '/') length--;
#endif
  return length;
}

supple_asset *supple_asset_load(const char *path, const supple_load_options *options,
                                supple_error *error) {
  if (!options) options = &no_options;
  if (!path) {
    supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "path is NULL");
    return NULL;
  }
  supple_allocator allocator = supplei_allocator(&options->allocator);
  size_t limit = supplei_limits_complete(options->limits).file_bytes, size = 0,
         length = folder_length(path);
  void *data = NULL;
  if (supplei_file_read(path, limit, &allocator, &data, &size, error)) return NULL;
  supple_asset *asset = NULL;
  char *folder = supplei_allocate(&allocator, length + 1, 1);
  if (folder) {
    memcpy(folder, path, length);
    folder[length] = 0;
    asset = supplei_asset_load(data, size, &(supplei_origin){.folder = folder}, options, error);
  } else {
    supplei_fail_memory(error, length + 1, "a path");
  }
  supplei_release(&allocator, folder, length + 1, 1);
  supplei_release(&allocator, data, size, 1);
  return asset;
}

void supple_asset_free(supple_asset *asset) {
  if (!asset) return;
  supplei_arena arena = ((owned_asset *)asset)->arena;
  supplei_arena_free(&arena);
}
