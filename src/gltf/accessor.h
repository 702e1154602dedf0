/* accessor.h: glTF accessors, checked against their views and buffers. */
#ifndef SUPPLEI_ACCESSOR_H
#define SUPPLEI_ACCESSOR_H

#include "loader.h"
#include "meshopt_rules.h"

/* A buffer view. */
typedef struct supplei_view {
  bool known; /* it was read */
  uint32_t node, buffer;
  uint64_t offset, length, stride; /* stride 0: none */
  const char *codec;               /* the extension that compresses it, or NULL */
  uint32_t codec_node;
  supplei_meshopt meshopt;
  const unsigned char *unpacked; /* decompressed, NULL: not yet */
} supplei_view;

/* The `indices` or `values` of a sparse accessor. */
typedef struct supplei_sparse_part {
  uint32_t node, view;
  uint64_t offset; /* in the view */
} supplei_sparse_part;

/* An accessor. Once known, what the JSON says is checked; once opened, so is what the buffers
 * hold, and `elements` can be decoded. */
typedef struct supplei_accessor {
  bool known, opened;
  uint32_t index, node;
  supplei_elements elements;
  uint32_t view;   /* SUPPLE_NONE: zeros */
  uint64_t offset; /* in the view */
  supplei_sparse_part indices, values;
  /* decoded to floats: */
  const float *floats;     /* NULL: not yet */
  size_t first_non_finite; /* among them, or SIZE_MAX */
  bool checked_times;      /* their order was looked at */
  bool checked_rotations;  /* their lengths were looked at */
} supplei_accessor;

/* Which elements a use allows; 0 in types, or in rows, means any. */
typedef struct supplei_shape {
  uint8_t rows, columns;
  unsigned types; /* of supplei_type */
} supplei_shape;

typedef enum supplei_type {
  SUPPLEI_TYPE_F32 = 1,
  SUPPLEI_TYPE_U8 = 2,
  SUPPLEI_TYPE_U16 = 4,
  SUPPLEI_TYPE_U32 = 8,
  SUPPLEI_TYPE_I8 = 16,
  SUPPLEI_TYPE_I16 = 32,
  SUPPLEI_TYPE_U8_NORMALIZED = 64,
  SUPPLEI_TYPE_U16_NORMALIZED = 128,
  SUPPLEI_TYPE_I8_NORMALIZED = 256,
  SUPPLEI_TYPE_I16_NORMALIZED = 512
} supplei_type;

/* Room for what accessors, views and buffers will tell. */
supple_result supplei_accessors_prepare(supplei_loader *loader);

/* Accessor `index`, read; `user` is the JSON node that names it and that errors about its shape
 * name. */
supple_result supplei_accessor_read(supplei_loader *loader, uint32_t user, uint32_t index,
                                    supplei_shape shape, supplei_accessor **accessor);

/* The accessor that a property of `object` names; NULL where absent. */
supple_result supplei_accessor_get(supplei_loader *loader, uint32_t object, const char *key,
                                   supplei_shape shape, supplei_accessor **accessor);

/* Its supplei_type. */
supplei_type supplei_accessor_type(const supplei_accessor *accessor);

/* Opens the buffers: accessor->elements can then be decoded. */
supple_result supplei_accessor_open(supplei_loader *loader, supplei_accessor *accessor);

/* The bytes of a buffer view as they are (images); NULL `data`: it is only checked. */
supple_result supplei_view_bytes(supplei_loader *loader, uint32_t index, const unsigned char **data,
                                 size_t *size);

/* ---- compressed views (reader_meshopt.c) ---- */

/* What an extension says of a view whose numbers are known, checked. */
supple_result supplei_meshopt_read(supplei_loader *loader, supplei_view *view);
/* Its bytes, decompressed once. options.codecs must have the decoder. */
supple_result supplei_meshopt_unpack(supplei_loader *loader, supplei_view *view,
                                     const unsigned char **data);

/* ---- compressed primitives (reader_draco.c) ---- */

/* Opens what KHR_draco_mesh_compression compresses of a primitive: until supplei_draco_end the accessors of its
 * attributes and its indices are what is decoded. Does nothing without the extension, under structure_only, and
 * where there is no decoder but uncompressed data. */
supple_result supplei_draco_begin(supplei_loader *loader, uint32_t primitive, uint32_t attributes);
void supplei_draco_end(supplei_loader *loader);
/* The accessor in the place of `attributes`' member `user`, which has the key; NULL: none. */
supple_result supplei_draco_attribute(supplei_loader *loader, uint32_t object, const char *key,
                                      uint32_t user, supplei_accessor **accessor);
/* The indices, three a triangle; NULL: it is not compressed. */
supple_result supplei_draco_indices(supplei_loader *loader, supplei_accessor **accessor);

/* ---- opening ---- */

/* `data` counts as the elements of an accessor that is known, tightly packed; sparse ones go on top. */
supple_result supplei_accessor_supply(supplei_loader *loader, supplei_accessor *accessor,
                                      const unsigned char *data);

/* Opened, and decoded to tightly packed floats that all who ask for the accessor share. */
supple_result supplei_accessor_floats(supplei_loader *loader, supplei_accessor *accessor);

#endif
