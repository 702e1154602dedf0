/* glb.h: the container of binary glTF. */
#ifndef SUPPLEI_GLB_H
#define SUPPLEI_GLB_H

#include "../../include/supple/base.h"

/* What is odd in a container that can be read all the same. */
typedef enum supplei_glb_oddity {
  SUPPLEI_GLB_TRAILING = 1,    /* bytes after the length that the header names */
  SUPPLEI_GLB_UNALIGNED = 2,   /* a chunk's length is no multiple of four */
  SUPPLEI_GLB_NUL_PADDING = 4, /* the JSON is padded with NUL instead of spaces */
  SUPPLEI_GLB_BIN_LATE = 8,    /* other chunks stand between JSON and BIN */
  SUPPLEI_GLB_MORE_BIN = 16,   /* more than one BIN chunk: the first counts */
  SUPPLEI_GLB_STUB = 32        /* one to seven bytes after the last chunk, too few for another */
} supplei_glb_oddity;

typedef struct supplei_glb {
  const unsigned char *json, *bin; /* into the file; bin NULL where there is none */
  size_t json_size, bin_size;
  size_t json_offset; /* of the JSON in the file */
  size_t trailing;    /* bytes after the container */
  unsigned oddities;  /* of supplei_glb_oddity */
} supplei_glb;

/* Whether the data starts as a GLB does. */
bool supplei_glb_is(const void *data, size_t size);

/* Splits a GLB into its chunks, without copying. */
supple_result supplei_glb_parse(supplei_glb *glb, const void *data, size_t size,
                                supple_error *error);

#endif
