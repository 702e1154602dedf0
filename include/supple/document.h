/* document.h: a glTF file as it was written, to be looked at, changed and written back.
 *
 * A document keeps everything: keys it does not understand, their order, the text of numbers, white space,
 * the bytes of every buffer. What is not changed is written as it was read. Beside the JSON it can read
 * and replace accessors and bring the file into another container.
 *
 *   supple_document *document = supple_document_load("hero.glb", NULL, &error);
 *   supple_value node = supple_document_find(document, "/nodes/3");
 *   supple_document_set(document, node, "name", "\"wrist\"", NULL, &error);
 *   supple_written *written = supple_document_write(document, &(supple_write_options){.name = "new.glb"}, &error);
 *
 * A document loads wherever its container and its JSON are sound; what the JSON says is not judged
 * (supple_check does that), so functions that follow it fail with a message where it is wrong. One thread
 * at a time. */
#ifndef SUPPLE_DOCUMENT_H
#define SUPPLE_DOCUMENT_H

#include "gltf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* See above. */
typedef struct supple_document supple_document;

/* A value of the JSON: 0 is the whole text's. It stays the same value through edits until it or a value around
 * it is removed or replaced. SUPPLE_NONE: there is none; functions that read take it and answer "nothing". */
typedef uint32_t supple_value;

/* What a value is. */
typedef enum supple_value_type {
  SUPPLE_VALUE_NONE,   /* there is no such value */
  SUPPLE_VALUE_NULL,   /* null */
  SUPPLE_VALUE_FALSE,  /* false */
  SUPPLE_VALUE_TRUE,   /* true */
  SUPPLE_VALUE_NUMBER, /* a number */
  SUPPLE_VALUE_STRING, /* a string */
  SUPPLE_VALUE_ARRAY,  /* with supple_document_count items */
  SUPPLE_VALUE_OBJECT  /* with supple_document_count members */
} supple_value_type;

/* Loads a .gltf or .glb (told apart by content); of the options allocator, limits (file_bytes, json_…), reader,
 * allow_outside_uris and codecs (borrowed as long as the document) count. Files that it names are read when their
 * bytes are needed. NULL on failure. */
SUPPLE_API supple_document *supple_document_load(const char *path,
                                                 const supple_load_options *options,
                                                 supple_error *error);
/* The same from memory, which is copied. */
SUPPLE_API supple_document *supple_document_load_memory(const void *data, size_t size,
                                                        const supple_load_options *options,
                                                        supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_document_free(supple_document *document);

/* ---- reading the JSON ---- */

/* The value at a JSON pointer (RFC 6901); "" is the whole. */
SUPPLE_API supple_value supple_document_find(const supple_document *document, const char *pointer);
/* A member of an object by its key; SUPPLE_NONE where there is none or `object` is none. */
SUPPLE_API supple_value supple_document_member(const supple_document *document, supple_value object,
                                               const char *key);
/* The child number `index` of an array or object in O(1); SUPPLE_NONE past the end. */
SUPPLE_API supple_value supple_document_child(const supple_document *document,
                                              supple_value container, uint32_t index);
/* Children of an array or object, 0 for anything else. */
SUPPLE_API uint32_t supple_document_count(const supple_document *document, supple_value value);
/* See supple_value_type. */
SUPPLE_API supple_value_type supple_document_type(const supple_document *document,
                                                  supple_value value);
/* The nearest double. False where it is no number. */
SUPPLE_API bool supple_document_number(const supple_document *document, supple_value value,
                                       double *number);
/* A whole number below SUPPLE_NONE ("2.0" counts), SUPPLE_NONE for anything else. */
SUPPLE_API uint32_t supple_document_index(const supple_document *document, supple_value value);
/* The decoded UTF-8 of a string, NUL-terminated; borrowed as long as the document. NULL where it is no string.
 * U+0000 becomes U+FFFD. */
SUPPLE_API const char *supple_document_string(const supple_document *document, supple_value value);
/* The decoded key of an object's member, as above; "" for an array's item and the whole. */
SUPPLE_API const char *supple_document_key(const supple_document *document, supple_value value);
/* The container of a value, SUPPLE_NONE of the whole. */
SUPPLE_API supple_value supple_document_parent(const supple_document *document, supple_value value);
/* Its JSON pointer, NUL-terminated, cut at size; returns `out`. */
SUPPLE_API const char *supple_document_pointer(const supple_document *document, supple_value value,
                                               char *out, size_t size);

/* ---- changing the JSON ----
 * `json` is one complete JSON value as text; it is checked and copied. All fail (SUPPLE_ERROR_FORMAT,
 * _ARGUMENT, _MEMORY) without having changed anything. `out` (may be NULL) gets the new value. New text
 * follows the indentation around it. */

/* Sets an object's member: in its place where the key exists, else at the end. key is UTF-8. */
SUPPLE_API supple_result supple_document_set(supple_document *document, supple_value object,
                                             const char *key, const char *json, supple_value *out,
                                             supple_error *error);
/* Puts another value in the place of one; not of the whole. */
SUPPLE_API supple_result supple_document_replace(supple_document *document, supple_value value,
                                                 const char *json, supple_value *out,
                                                 supple_error *error);
/* Inserts into an array before its child number `index`; its count, or more, appends. */
SUPPLE_API supple_result supple_document_insert(supple_document *document, supple_value array,
                                                uint32_t index, const char *json, supple_value *out,
                                                supple_error *error);
/* Removes a member or an item. An array or object that becomes empty stays. Indices that other parts of the
 * file hold are not adjusted: see supple_document_prune. */
SUPPLE_API supple_result supple_document_remove(supple_document *document, supple_value value,
                                                supple_error *error);

/* ---- accessors ---- */

/* The type and place of an accessor's elements. */
typedef struct supple_accessor_layout {
  uint32_t component;    /* 5120 i8, 5121 u8, 5122 i16, 5123 u16, 5125 u32, 5126 f32 */
  uint8_t rows, columns; /* SCALAR 1, 1; VECn n, 1; MATn n, n */
  bool normalized;       /* integers stand for [0, 1] or [-1, 1] */
  uint32_t count;        /* of elements */
} supple_accessor_layout;

/* Delivers bytes begin … begin + size - 1 of new data while a document is written; any result but SUPPLE_OK
 * fails the writing. */
typedef supple_result supple_pull(void *user, uint64_t begin, void *out, size_t size);

/* New elements for an accessor, tightly packed as supple_accessor_layout says (matrices without padding
 * between columns: the writer adds it). Either data (copied), or pull (called when the document is written:
 * for more than fits into memory; matrices and bounds must then be as they have to stand in the file).  */
typedef struct supple_accessor_data {
  supple_accessor_layout layout; /* what they are */
  const void *data;              /* or NULL: pull */
  supple_pull *pull;             /* see above */
  void *user;                    /* handed to pull */
  bool bounds; /* write min and max: exact, computed from data (with pull: from min and max below) */
  double min[16], max[16]; /* with pull and bounds: column by column */
  uint32_t target; /* bufferView.target: 34962 (attributes), 34963 (indices), 0: none. Attribute elements are put
                      at multiples of four bytes by a byteStride */
  const char *name; /* accessor.name, or NULL */
} supple_accessor_data;

/* Accessors of the file. */
SUPPLE_API uint32_t supple_document_accessor_count(const supple_document *document);
/* What an accessor says of itself; fails where it is wrong or lies outside its buffer. */
SUPPLE_API supple_result supple_document_accessor(const supple_document *document, uint32_t index,
                                                  supple_accessor_layout *layout,
                                                  supple_error *error);
/* Its elements as floats [count][rows × columns], column by column, sparse and normalised integers resolved,
 * compressed views too (with codecs). */
SUPPLE_API supple_result supple_document_floats(supple_document *document, uint32_t index,
                                                float *out, supple_error *error);
/* Its elements as unsigned integers [count][rows], as stored; of unsigned component types. */
SUPPLE_API supple_result supple_document_integers(supple_document *document, uint32_t index,
                                                  uint32_t *out, supple_error *error);
/* A new accessor with a view of its own. *index becomes its number. */
SUPPLE_API supple_result supple_document_add_accessor(supple_document *document,
                                                      const supple_accessor_data *data,
                                                      uint32_t *index, supple_error *error);
/* New elements for an accessor that exists, in a view of their own: everybody who uses it sees them. Its name,
 * extras and what Supple does not understand stay; sparse goes; min and max are written where it had them or
 * data->bounds is set. */
SUPPLE_API supple_result supple_document_set_accessor(supple_document *document, uint32_t index,
                                                      const supple_accessor_data *data,
                                                      supple_error *error);
/* New bytes as a buffer view, for images and the like. */
SUPPLE_API supple_result supple_document_add_view(supple_document *document, const void *data,
                                                  size_t size, uint32_t *index, supple_error *error);
/* The bytes of an image, from its view, data URI or file; borrowed, as long as the document. */
SUPPLE_API supple_result supple_document_image(supple_document *document, uint32_t index,
                                               const void **data, size_t *size, supple_error *error);
/* Puts plain accessors in the place of all compressed data (EXT_/KHR_meshopt_compression,
 * KHR_draco_mesh_compression) by the codecs of the load options, and takes the extensions out. *changed (may
 * be NULL): how many views and primitives there were. */
SUPPLE_API supple_result supple_document_decompress(supple_document *document, uint32_t *changed,
                                                    supple_error *error);

/* ---- as a whole ---- */

/* What supple_document_prune removed. */
typedef struct supple_pruned {
  uint32_t accessors, views, buffers, meshes, skins, materials, textures, images, samplers, cameras,
      nodes, animations; /* how many of each */
  uint64_t bytes;        /* of buffers */
} supple_pruned;

/* Removes what nothing refers to, starting from scenes (all of them; where there are none, from all nodes), nodes in
 * them and above them, and animations of these nodes, and renumbers every index that glTF 2.0 and the ratified
 * extensions define, JSON pointers of KHR_animation_pointer too. Buffers lose the bytes that no view refers to. An
 * array that an extension unknown to Supple may index is left whole: *kept (may be NULL) names that extension, else
 * it becomes NULL; borrowed as long as the document. Fails without a change where an index is wrong. */
SUPPLE_API supple_result supple_document_prune(supple_document *document, supple_pruned *pruned,
                                               const char **kept, supple_error *error);

/* The asset that the document describes now, edits included. */
SUPPLE_API supple_asset *supple_document_asset(supple_document *document,
                                               const supple_load_options *options,
                                               supple_error *error);

/* How to write; zero means the default in brackets. */
typedef struct supple_write_options {
  const char *name; /* of the main file, without folder: its ending says .gltf or .glb [as it was read]; new
                       files beside it are named after it: "hero.bin" */
  bool keep_images; /* leave images that are files of their own as they are, in a .glb too [a .glb takes them in] */
} supple_write_options;

/* One file that makes up a written asset. */
typedef struct supple_written_file {
  const char *name; /* relative to the main file's folder; NULL: the main file */
  uint64_t size;    /* bytes */
  bool unchanged; /* a file that the document named, bytes as they were: needs to be written only where the
                       main file moves to another folder */
  bool missing; /* the document names it, but it cannot be read: nothing to copy (size is 0) */
} supple_written_file;

/* A document laid out to be written; borrows the document, which may not change meanwhile. */
typedef struct supple_written {
  const supple_written_file *files; /* [file_count]; the main one is the first */
  uint32_t file_count;              /* of files */
  uint32_t dropped_chunks; /* of a .glb that a .gltf has no place for, beside JSON and BIN */
} supple_written;

/* Lays out the files: a .gltf keeps its buffers as they are (files, data URIs), and what was put in becomes one more:
 * a data URI where all others are such, else a file named after the main one; a .glb that was a .gltf has one buffer,
 * images with it. Nothing is written yet. A container that does not change and a document without edits give the very
 * bytes that were read; edits alone change no other text.
 * SUPPLE_ERROR_LIMIT where a .glb would pass 4 GiB. */
SUPPLE_API supple_written *supple_document_write(supple_document *document,
                                                 const supple_write_options *options,
                                                 supple_error *error);
/* Hands the bytes of a file to `write` from first to last; a result of its own that is not SUPPLE_OK ends it. */
SUPPLE_API supple_result supple_written_copy(supple_written *written, uint32_t file,
                                             supple_result (*write)(void *user, const void *data,
                                                                    size_t size),
                                             void *user, supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_written_free(supple_written *written);

/* ---- skins ---- */

/* Writes a skin's inverse bind matrices (joint_count of them), a new accessor where it has none or shares it. */
SUPPLE_API supple_result supple_document_set_inverse_binds(supple_document *document, uint32_t skin,
                                                           const supple_affine64 *inverse_binds,
                                                           uint32_t joint_count,
                                                           supple_error *error);
/* Writes a node's rest transform as TRS (matrix NULL), or as a matrix; what equals the default is left out
 * unless it stood there, and numbers that read back the same stay as they are written. */
SUPPLE_API supple_result supple_document_set_node(supple_document *document, uint32_t node,
                                                  const supple_transform *transform,
                                                  const supple_affine64 *matrix,
                                                  supple_error *error);

#ifdef __cplusplus
}
#endif
#endif
