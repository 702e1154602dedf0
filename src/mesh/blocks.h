/* blocks.h: a binding's influences by blocks of 16 vertices, as the kernels read them. */
#ifndef SUPPLEI_BLOCKS_H
#define SUPPLEI_BLOCKS_H

#include "../../include/supple/mesh.h"
#include "../kernels/kernels.h"

/* More joints than this and a block is cheaper vertex by vertex. */
enum { SUPPLEI_BLOCK_MOST_JOINTS = 12 };

/* Only whole blocks are compiled; the vertices after the last one are deformed one by one. */
typedef struct supplei_blocks {
  uint32_t count;
  uint32_t total;   /* joints of all blocks */
  uint32_t *begins; /* [count + 1]; nothing for a wide block */
  uint16_t *joints; /* [total] */
  float *weights;   /* [total][16], aligned to 64 bytes within weight_memory */
  void *weight_memory;
  uint16_t *pivots;  /* [count][16] */
  uint8_t *wide;     /* [count] non-zero: more than SUPPLEI_BLOCK_MOST_JOINTS */
  uint16_t *special; /* [count] bit i: vertex i has no influence */
  float *geometry[3]; /* positions, normals, tangents: [blocks, the last one padded][3 or 4][16], or NULL */
  void *geometry_memory[3];
  size_t geometry_rows[3]; /* of 64 bytes, allocated */
  /* The (pivot, other) pairs of joints that vertices of narrow blocks have, and which blocks have them. */
  uint32_t pair_count, pair_block_count;
  uint16_t (*pairs)[2];
  uint32_t *pair_begins; /* [pair_count + 1] into pair_blocks */
  uint32_t *pair_blocks;
  /* The same pairs as a graph: neighbours of joint j are neighbours[edge_begins[j] … edge_begins[j + 1]). */
  uint32_t *edge_begins; /* [joint_limit + 1] */
  uint16_t *neighbours;
} supplei_blocks;

struct supple_binding;
/* Fill binding->blocks from its influences; geometry from the primitive where `geometry`. */
bool supplei_blocks_compile(struct supple_binding *binding, const supple_primitive *primitive,
                            bool geometry);
void supplei_blocks_free(struct supple_binding *binding);

#endif
