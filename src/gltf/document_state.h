/* document_state.h: what the parts of a document share: its JSON, the bytes of its buffers, what was put in. */
#ifndef SUPPLEI_DOCUMENT_STATE_H
#define SUPPLEI_DOCUMENT_STATE_H

#include "document_tree.h"
#include "elements.h"
#include "glb.h"

/* The bytes that a "uri" leads to, read once; they live as long as the document. */
typedef struct supplei_resource {
  uint32_t uri; /* the value */
  const unsigned char *data;
  size_t size;
  void *owned; /* to release by the allocator */
  size_t owned_size;
  const void *from_reader; /* to release by options.reader */
  size_t from_reader_size;
} supplei_resource;

/* New bytes in the buffer that takes them all: `count` elements of `tight` bytes, `stride` bytes apart. */
typedef struct supplei_segment {
  uint64_t offset;           /* in the buffer, a multiple of four */
  uint64_t size;             /* there */
  const unsigned char *data; /* as it stands there; NULL: pull */
  size_t owned; /* bytes of data to release; 0: they belong to a resource or the file */
  supple_pull *pull;
  void *user;
  uint64_t count;
  uint32_t tight, stride;
  uint64_t origin; /* while buffers are pruned: offset before */
} supplei_segment;

/* From values to numbers, by open addressing; SUPPLE_NONE is no key. */
typedef struct supplei_map {
  uint32_t *keys, *items;
  uint32_t capacity, count;
} supplei_map;

/* The compressed mesh that was opened last: its accessors tend to be read one after the other. */
typedef struct supplei_open_draco {
  bool open;
  void *mesh; /* the codec's */
  uint32_t points, indices;
  const unsigned char *data; /* what it was opened from, at a revision of the tree */
  uint64_t size, revision;
} supplei_open_draco;

struct supple_document {
  supple_allocator allocator;
  supple_limits limits;        /* without zeros */
  supple_load_options options; /* as given */
  size_t file_bytes_left;      /* of limits.file_bytes, for files that it names */
  char *folder, *name;         /* of the file; NULL: from memory */
  size_t folder_size, name_size;
  void *file; /* as it was read */
  size_t file_size;
  bool is_glb;
  supplei_glb glb; /* json and bin: into file */
  supplei_tree tree;
  uint64_t clean_revision; /* of the tree as it was read */
  uint32_t bin_buffer;     /* the buffer (a value) whose bytes are the BIN chunk, or SUPPLE_NONE */
  uint32_t new_buffer;     /* the buffer that takes new bytes, or SUPPLE_NONE: none yet */
  uint64_t new_size;       /* its bytes */
  bool pruned_data_uris;   /* data URIs became new bytes, and all buffers were such */
  supplei_segment *segments; /* by offset */
  uint32_t segment_count, segment_capacity;
  supplei_resource *resources;
  uint32_t resource_count, resource_capacity;
  supplei_map resource_of;           /* by the value of the uri */
  struct supplei_unpacked *unpacked; /* what was decompressed (decompress.h) */
  uint32_t unpacked_count, unpacked_capacity;
  size_t unpacked_bytes;   /* of it, which limits.memory_bytes bounds */
  supplei_map unpacked_of; /* by the value that says how it is compressed */
  supplei_open_draco draco;
};

/* ---- the JSON ---- */

/* Number `index` of a top-level array, SUPPLE_NONE where there is none. */
uint32_t supplei_document_item(const supple_document *document, const char *table, uint32_t index);
uint32_t supplei_document_table_count(const supple_document *document, const char *table);
/* extensions.NAME of a value. */
uint32_t supplei_document_extension(const supplei_tree *tree, uint32_t value, const char *name);
/* Whether anything in it differs from what was read. */
bool supplei_document_changed(const supple_document *document);
/* A member that is a whole number from `least` to `most`; absent: *out keeps its value. */
supple_result supplei_document_unsigned(const supple_document *document, uint32_t object,
                                        const char *key, uint64_t least, uint64_t most,
                                        uint64_t *out, supple_error *error);
/* The same; absent is an error. */
supple_result supplei_document_need(const supple_document *document, uint32_t object,
                                    const char *key, uint64_t least, uint64_t most, uint64_t *out,
                                    supple_error *error);

/* ---- bytes (document_bytes.c) ---- */

typedef enum supplei_buffer_kind {
  SUPPLEI_BUFFER_NONE, /* it has no bytes (the fallback of compressed views) */
  SUPPLEI_BUFFER_BIN,  /* the BIN chunk */
  SUPPLEI_BUFFER_NEW,  /* what was put in */
  SUPPLEI_BUFFER_DATA, /* a data URI */
  SUPPLEI_BUFFER_FILE  /* a file of its own */
} supplei_buffer_kind;

supplei_buffer_kind supplei_buffer_kind_of(const supple_document *document, uint32_t buffer);
/* Whether a URI is a data URI. */
bool supplei_document_is_data(const char *uri);
/* The bytes of a uri, a string. */
supple_result supplei_document_resource(supple_document *document, uint32_t uri,
                                        const unsigned char **data, size_t *size,
                                        supple_error *error);
/* The file that a uri names, percent-decoded, relative to the document, to be released with `capacity`; *path
 * NULL: it is a data URI. */
supple_result supplei_document_path(const supple_document *document, uint32_t uri, char **path,
                                    size_t *capacity, supple_error *error);
/* Bytes of a buffer, which must have them all; borrowed as long as the document, or until it changes. */
supple_result supplei_document_bytes(supple_document *document, uint32_t buffer, uint64_t offset,
                                     uint64_t size, const unsigned char **data, supple_error *error);
/* The bytes of a segment, pulled where they must be. */
supple_result supplei_segment_bytes(supple_document *document, uint32_t segment,
                                    const unsigned char **data, supple_error *error);
/* Pulls a part of a segment: `count` elements from `first`, as they stand in the buffer, into out[count × stride].
 */
supple_result supplei_segment_pull(const supplei_segment *segment, uint64_t first, uint64_t count,
                                   unsigned char *out);
void supplei_document_release_bytes(supple_document *document);

uint32_t supplei_map_get(const supplei_map *map, uint32_t key);
supple_result supplei_map_set(supplei_map *map, uint32_t key, uint32_t item,
                              const supple_allocator *allocator, supple_error *error);
void supplei_map_release(supplei_map *map, const supple_allocator *allocator);

/* ---- views and accessors (document_accessors.c) ---- */

typedef struct supplei_document_view {
  uint32_t value, buffer;          /* the view; the number of its buffer */
  uint64_t offset, length, stride; /* stride 0: none */
  uint32_t compressed;             /* the extension that compresses it (a value), or SUPPLE_NONE */
} supplei_document_view;

supple_result supplei_document_view_read(const supple_document *document, uint32_t user,
                                         uint32_t index, supplei_document_view *view,
                                         supple_error *error);
/* What an accessor says, checked against its view; *elements has no data yet. */
typedef struct supplei_document_array {
  uint32_t value; /* the accessor */
  supplei_elements elements;
  uint32_t view;            /* SUPPLE_NONE: zeros */
  uint64_t offset;          /* in the view */
  uint32_t sparse_views[2]; /* of indices and values */
  uint64_t sparse_offsets[2];
} supplei_document_array;

supple_result supplei_document_array_read(const supple_document *document, uint32_t index,
                                          supplei_document_array *array, supple_error *error);
/* The same with its bytes: elements can be decoded. */
supple_result supplei_document_array_open(supple_document *document, uint32_t index,
                                          supplei_document_array *array, supple_error *error);
/* The JSON type of rows × columns ("VEC3"), NULL where there is none. */
const char *supplei_type_name(unsigned rows, unsigned columns);

/* ---- compressed data (decompress.c) ---- */

/* The bytes of a compressed view as it would be without compression; borrowed as long as the document. */
supple_result supplei_document_view_decompress(supple_document *document,
                                               const supplei_document_view *view,
                                               const unsigned char **data, supple_error *error);
/* The elements of an accessor whose bytes are in compressed primitives (KHR_draco_mesh_compression): sets
 * elements->data. Leaves it NULL where no primitive uses the accessor so. */
supple_result supplei_document_draco_elements(supple_document *document, uint32_t accessor,
                                              supplei_elements *elements, supple_error *error);
/* Whether a primitive's accessors, by name, are compressed. */
bool supplei_document_is_draco(const supple_document *document, uint32_t accessor);
/* Closes the compressed mesh that was opened last. */
void supplei_document_close_draco(supple_document *document);
/* Releases what was decompressed. */
void supplei_document_release_unpacked(supple_document *document);

/* ---- new bytes (edit_accessors.c) ---- */

/* Edits until the matching end are one, new bytes included: where `result` is not SUPPLE_OK all of them are taken
 * back. Returns result. They nest. */
typedef struct supplei_document_mark {
  uint32_t tree, new_buffer, segment_count;
  uint64_t new_size;
} supplei_document_mark;
supplei_document_mark supplei_document_begin(supple_document *document);
supple_result supplei_document_end(supple_document *document, const supplei_document_mark *mark,
                                   supple_result result);

/* Puts a segment (without offset) into the new buffer and makes a view of it; takes over its data only on
 * success. byte_stride 0 and target 0: none. */
supple_result supplei_document_put(supple_document *document, supplei_segment *segment,
                                   uint32_t byte_stride, uint32_t target, uint32_t *view,
                                   supple_error *error);

#endif
