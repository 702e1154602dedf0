/* topology.h: strips, fans and loops unrolled to lists. */
#ifndef SUPPLEI_TOPOLOGY_H
#define SUPPLEI_TOPOLOGY_H

#include "../../include/supple/mesh.h"

/* primitive.mode, as glTF numbers it. */
typedef enum supplei_mode {
  SUPPLEI_MODE_POINTS,
  SUPPLEI_MODE_LINES,
  SUPPLEI_MODE_LINE_LOOP,
  SUPPLEI_MODE_LINE_STRIP,
  SUPPLEI_MODE_TRIANGLES,
  SUPPLEI_MODE_TRIANGLE_STRIP,
  SUPPLEI_MODE_TRIANGLE_FAN
} supplei_mode;

supple_topology supplei_topology_of(supplei_mode mode);

/* Indices that `count` of them unroll to, whole triangles or lines only. *unused: of the source,
 * those that complete none. */
uint64_t supplei_topology_count(supplei_mode mode, uint32_t count, uint32_t *unused);

/* Writes them. source NULL means 0, 1, 2, …; else out may be source where the mode is a list
 * already. Triangles keep the winding that glTF 2.0, section 3.7.2.1, gives them. */
void supplei_topology_unroll(supplei_mode mode, const uint32_t *source, uint32_t count,
                             uint32_t *out);

#endif
