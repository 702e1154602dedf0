/* split_parts.h: the primitives of meshes that share skins, cut into parts of few joints. */
#ifndef SUPPLEI_SPLIT_PARTS_H
#define SUPPLEI_SPLIT_PARTS_H

#include "fix_json.h"
#include "partition_joints.h"

/* What is left of a primitive in a part. */
typedef struct supplei_split_piece {
  uint32_t now; /* its number among the primitives of the part's mesh; SUPPLE_NONE: nothing is left */
  const uint32_t *sources; /* [count] the old vertex of each new one, ascending; in the arena of the report */
  uint32_t count;
} supplei_split_piece;

/* A group: meshes and skins that instances join. Elements are triangles, lines or points. */
typedef struct supplei_split {
  supplei_fix *fix;
  const supple_asset *asset; /* as it is now */
  const bool *meshes;        /* [mesh_count] in the group */
  supplei_partition partition;
  uint16_t *joints; /* of all elements: the sets to partition */
  size_t joint_capacity;
  uint32_t *begins; /* [element_count + 1] */
  uint32_t element_count;
  uint32_t *first_elements;    /* [mesh_count] of its first primitive */
  uint32_t *first_primitives;  /* [mesh_count + 1] number of its first primitive among all */
  supplei_split_piece *pieces; /* [primitives of all meshes][part_count] */
  uint32_t *mesh_numbers;      /* [mesh_count][part_count] the mesh of a part; SUPPLE_NONE: none */
} supplei_split;

/* Finds the parts. SUPPLE_ERROR_LIMIT: *mesh, *primitive and *needed name an element that follows more joints than
 * may be. Release it in any case. */
supple_result supplei_split_find(supplei_split *split, uint32_t most, uint32_t *mesh,
                                 uint32_t *primitive, uint32_t *needed);
void supplei_split_release(supplei_split *split);
/* Writes the meshes of the parts: the first in the place of the old one, the others behind all meshes. */
supple_result supplei_split_write_meshes(supplei_split *split);

/* Vertices of one element. */
static inline uint32_t supplei_split_corners(const supple_primitive *primitive) {
  return primitive->topology == SUPPLE_TOPOLOGY_TRIANGLES ? 3
         : primitive->topology == SUPPLE_TOPOLOGY_LINES   ? 2
                                                          : 1;
}

/* Elements of a primitive. */
static inline uint32_t supplei_split_elements(const supple_primitive *primitive) {
  return primitive->index_count / supplei_split_corners(primitive);
}

/* ---- writing a piece (split_pieces.c) ---- */

/* The elements of an accessor at these vertices, bit by bit, as a new accessor. */
supple_result supplei_split_gather(supplei_fix *fix, uint32_t accessor, const uint32_t *vertices,
                                   uint32_t count, bool bounds, uint32_t *added);
/* Puts a primitive with the elements and vertices of a part: its JSON as it was, but for accessors. */
supple_result supplei_split_put_primitive(supplei_split *split, supplei_output *json, uint32_t mesh,
                                          uint32_t primitive, uint32_t part,
                                          const supplei_split_piece *piece);

#endif
