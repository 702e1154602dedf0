/* bake_delta.h: a frame for a morph target: what differs from the first frame, as accessors have it.
 *
 * A record holds one chunk for each stream of each primitive of the plan: positions, then normals and tangents where
 * the primitive has them. A chunk is a head and, multiples of four bytes each, for a dense one count × width floats;
 * for a sparse one the floats of the `count` vertices that differ, then their numbers (u16 where the primitive has
 * no more than 65,536 vertices, else u32). Everything is little endian. */
#ifndef SUPPLE_CLI_BAKE_DELTA_H
#define SUPPLE_CLI_BAKE_DELTA_H

#include "bake.h"

typedef enum bake_stream { BAKE_POSITIONS, BAKE_NORMALS, BAKE_TANGENTS } bake_stream;

/* One chunk, as it is told from its head. */
typedef struct bake_chunk {
  bake_stream stream;
  bool sparse;
  uint32_t count;                   /* of vertices it holds: all, or those that differ (may be 0) */
  float min[3], max[3];             /* of the stream, the zeros included; positions alone */
  size_t place;                     /* of its floats in the record */
  size_t floats_size, indices_size; /* bytes; indices 0 where dense */
} bake_chunk;

enum { BAKE_CHUNK_HEAD = 32 };

/* The size of the largest record. */
size_t bake_delta_most(const bake_plan *plan);
/* plain − base of each vertex, streams as bake_record says but floats as the machine has them; base NULL: the plain frame
 * itself, dense. */
void bake_delta_encode(const bake_plan *plan, const unsigned char *base, const unsigned char *plain,
                       bake_record *record);
/* Whether primitive `part` has the stream in records of the plan. */
bool bake_delta_has(const bake_plan *plan, uint32_t part, bake_stream stream);
/* Reads the chunk whose head begins at *place of a record's first `size` bytes, and moves *place to the next one;
 * false where it is none of that primitive and stream. */
bool bake_delta_chunk(const bake_plan *plan, uint32_t part, bake_stream stream,
                      const unsigned char *record, size_t size, size_t *place, bake_chunk *chunk);

#endif
