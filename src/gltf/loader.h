/* loader.h: what the parts of the glTF reader share while they read one file. */
#ifndef SUPPLEI_LOADER_H
#define SUPPLEI_LOADER_H

#include "../../include/supple/gltf.h"
#include "../base/error.h"
#include "../base/memory.h"
#include "elements.h"
#include "glb.h"
#include "json.h"

/* The objects of one of glTF's top-level arrays. */
typedef struct supplei_table {
  const uint32_t *items; /* JSON nodes */
  uint32_t count;
} supplei_table;

/* One of the file's buffers. */
typedef struct supplei_buffer {
  bool known;                /* length and uri were read */
  uint64_t length;           /* byteLength */
  uint32_t uri;              /* JSON node, or SUPPLE_NONE */
  const unsigned char *data; /* NULL: nothing has needed its bytes yet */
  size_t size;               /* at least length */
  void *owned;               /* to release by the allocator, owned_size bytes */
  size_t owned_size;
  const void *from_reader; /* to release by options.reader */
  size_t from_reader_size;
} supplei_buffer;

/* A mesh beside its public part. */
typedef struct supplei_mesh_facts {
  uint32_t target_count;
  uint32_t joint_limit;  /* one more than the largest joint in use */
  bool all_influenced;   /* every primitive has joints and weights */
  const double *weights; /* mesh.weights, or NULL */
  const supple_primitive *const *pointers;
} supplei_mesh_facts;

enum { SUPPLEI_NOTE_LIMIT = 256, SUPPLEI_NOTE_KINDS = 64, SUPPLEI_NOTES_PER_KIND = 8 };

typedef struct supplei_note_kind {
  const char *format;
  uint32_t count;
} supplei_note_kind;

/* The bytes of a buffer that the caller has already. */
typedef struct supplei_given {
  const unsigned char *data; /* NULL: not this one */
  size_t size;
} supplei_given;

/* Where an asset comes from, beside its bytes. */
typedef struct supplei_origin {
  const char *folder;     /* with its last '/', of external files; NULL: loaded from memory */
  const supplei_glb *glb; /* NULL: the bytes are a whole file; else the JSON of this container */
  const supplei_given *given; /* [given_count], by the number of the buffer */
  uint32_t given_count;
} supplei_origin;

typedef struct supplei_loader {
  supple_allocator allocator;
  supple_limits limits;               /* without zeros */
  const supple_load_options *options; /* never NULL */
  size_t file_bytes_left;     /* of limits.file_bytes: a small asset may name one big file often */
  const char *folder;         /* of the file, with its last '/', or NULL: loaded from memory */
  const supplei_given *given; /* [given_count] */
  uint32_t given_count;
  supple_error *error;
  supplei_json json;
  supplei_glb glb;

  supplei_arena arena;   /* becomes the asset's */
  supplei_arena scratch; /* gone after loading */
  supple_asset *asset;

  supplei_table accessors, views, buffers, nodes, meshes, skins, scenes, animations, materials,
      textures, images, samplers, cameras;
  /* What was read of these objects so far. Each is read once, however many refer to it: an
   * object may have a million members, and be named a million times. */
  supplei_buffer *buffer_data;            /* [buffers.count] */
  struct supplei_view *view_data;         /* [views.count], accessor.h */
  struct supplei_accessor *accessor_data; /* [accessors.count], accessor.h */
  supplei_mesh_facts *mesh_facts;         /* [meshes.count] */
  struct supplei_draco *draco;  /* of the primitive being read, or NULL (reader_draco.c) */
  size_t unpacked_bytes;        /* of decompressed data so far */
  supple_texture *texture_data; /* [textures.count] without what materials add */
  bool quantized;               /* KHR_mesh_quantization is in extensionsUsed */
  uint32_t *positions;          /* [nodes.count] place of each node in skeleton.order */
  uint32_t *subtree_sizes; /* [nodes.count] it and all below it, which follow it in the order */
  uint32_t *roots;         /* [nodes.count] the root above it, or itself */

  supple_note *notes; /* [SUPPLEI_NOTE_LIMIT] */
  uint32_t note_count;
  bool note_lost; /* memory ran out for one; the error says so */
  supplei_note_kind note_kinds[SUPPLEI_NOTE_KINDS];
} supplei_loader;

/* ---- messages ---- */

/* Fails with the JSON pointer of a node (SUPPLE_NONE: none). */
supple_result supplei_loader_fail(supplei_loader *loader, uint32_t node, supple_result result,
                                  const char *format, ...) SUPPLEI_PRINTF(4, 5);
/* SUPPLE_ERROR_FORMAT, the usual case. */
supple_result supplei_loader_wrong(supplei_loader *loader, uint32_t node, const char *format, ...)
    SUPPLEI_PRINTF(3, 4);
#if defined(__clang_analyzer__)
/* What the analyser cannot see from here: it never returns SUPPLE_OK. */
#define supplei_loader_wrong(...) (supplei_loader_wrong(__VA_ARGS__), SUPPLE_ERROR_FORMAT)
#endif
/* Something odd and how it was taken. Beyond a few of one kind (one format) only their number is
 * told. */
void supplei_loader_note(supplei_loader *loader, uint32_t node, const char *format, ...)
    SUPPLEI_PRINTF(3, 4);
/* Hands the notes to the asset; fails where memory ran out for one. */
supple_result supplei_loader_finish_notes(supplei_loader *loader);

/* ---- memory: NULL with the error filled ---- */
void *supplei_loader_allocate(supplei_loader *loader, size_t count, size_t size, const char *what);
void *supplei_loader_scratch(supplei_loader *loader, size_t count, size_t size, const char *what);
/* Scratch for decompressed data, which limits.memory_bytes bounds too; the error is at `node`. */
void *supplei_loader_unpacked(supplei_loader *loader, uint32_t node, uint64_t count, size_t size,
                              const char *what);
/* The result to return after one of these gave NULL. */
static inline supple_result supplei_loader_memory_result(const supplei_loader *loader) {
  return loader->error->result ? loader->error->result : SUPPLE_ERROR_MEMORY;
}

/* ---- properties: where one is absent, *out keeps its value ---- */

/* The JSON node of a property of the given type, SUPPLE_NONE where absent. */
supple_result supplei_get(supplei_loader *loader, uint32_t object, const char *key,
                          supplei_json_type type, uint32_t *out);
/* The same; absent is an error. */
supple_result supplei_require(supplei_loader *loader, uint32_t object, const char *key,
                              supplei_json_type type, uint32_t *out);
/* An index below `count` of the array that `what` names ("nodes"). */
supple_result supplei_get_index(supplei_loader *loader, uint32_t object, const char *key,
                                uint32_t count, const char *what, uint32_t *out);
supple_result supplei_read_index(supplei_loader *loader, uint32_t node, uint32_t count,
                                 const char *what, uint32_t *out);
supple_result supplei_get_unsigned(supplei_loader *loader, uint32_t object, const char *key,
                                   uint64_t smallest, uint64_t largest, uint64_t *out);
supple_result supplei_get_bool(supplei_loader *loader, uint32_t object, const char *key, bool *out);
/* An array of exactly `count` finite numbers; *present may be NULL. */
supple_result supplei_get_numbers(supplei_loader *loader, uint32_t object, const char *key,
                                  double *out, uint32_t count, bool *present);
supple_result supplei_read_number(supplei_loader *loader, uint32_t node, double *out);
/* The same as floats, which they must fit. count 1: a plain number, no array. */
supple_result supplei_get_floats(supplei_loader *loader, uint32_t object, const char *key,
                                 float *out, uint32_t count);
/* The arena's copy of a string, "" where absent; U+0000 becomes U+FFFD. */
supple_result supplei_get_string(supplei_loader *loader, uint32_t object, const char *key,
                                 const char **out);
supple_result supplei_copy_string(supplei_loader *loader, uint32_t node, const char **out);
/* extensions.NAME of an object, SUPPLE_NONE where absent. */
uint32_t supplei_extension(const supplei_loader *loader, uint32_t object, const char *name);

static inline const supplei_json_node *supplei_node(const supplei_loader *loader, uint32_t node) {
  return &loader->json.nodes[node];
}

/* ---- loading (reader.c) ---- */

/* The defaults where a limit is zero. */
supple_limits supplei_limits_complete(supple_limits limits);
/* options is not NULL; data and what the origin names are borrowed during the call. */
supple_asset *supplei_asset_load(const void *data, size_t size, const supplei_origin *origin,
                                 const supple_load_options *options, supple_error *error);

/* ---- the parts (reader_*.c), in the order in which they run ---- */
supple_result supplei_read_header(supplei_loader *loader); /* asset, extensions */
supple_result supplei_read_tables(supplei_loader *loader); /* top-level arrays */
supple_result supplei_read_images(supplei_loader *loader);
supple_result supplei_read_textures(supplei_loader *loader); /* and samplers */
supple_result supplei_read_materials(supplei_loader *loader);
supple_result supplei_read_meshes(supplei_loader *loader);
supple_result supplei_read_nodes(supplei_loader *loader);
supple_result supplei_order_nodes(supplei_loader *loader); /* called by the one before */
supple_result supplei_read_scenes(supplei_loader *loader);
supple_result supplei_read_skins(supplei_loader *loader);
supple_result supplei_read_instances(supplei_loader *loader);
/* The copies of an instance, from the JSON node of its node; called by the one before. */
supple_result supplei_read_copies(supplei_loader *loader, uint32_t object,
                                  supple_instance *instance);
supple_result supplei_read_animations(supplei_loader *loader);

#endif
