/* agree.c: signs that agree along a spanning tree of the joints that share vertices.
 *
 * DQS flips an influence where its stored quaternion has a dot product below -1e-6 with the pivot's. Flipping
 * joints once a frame so that neighbours in a tree agree makes that test unnecessary wherever every
 * (pivot, other) pair of a block has a dot product above 1e-6 after the flips: before them it was above 1e-6
 * too, or below -1e-6 and would have been flipped, so the vertex gets the same blend up to one sign for
 * all. The other blocks are marked doubtful, and the kernels test their lanes. */
#include "../base/prologue.h"

#include "prepared.h"

#include <string.h>

/* Walks the graph of pairs from every joint not yet visited, breadth first. */
static void walk(supple_prepared *p) {
  const supplei_blocks *blocks = &p->binding->blocks;
  for (uint32_t j = 0; j < p->joint_count; j++) p->flips[j] = 0;
  for (uint32_t start = 0; start < p->binding->joint_limit; start++) {
    if (p->flips[start] != 0) continue;
    uint32_t head = 0, tail = 0;
    p->flips[start] = 1;
    p->chain[tail++] = start;
    while (head < tail) {
      uint32_t joint = p->chain[head++];
      for (uint32_t e = blocks->edge_begins[joint]; e < blocks->edge_begins[joint + 1]; e++) {
        uint16_t next = blocks->neighbours[e];
        if (p->flips[next] != 0) continue;
        bool apart = supplei_dot4(p->rigid[joint].real, p->rigid[next].real) < 0;
        p->flips[next] = apart ? -p->flips[joint] : p->flips[joint];
        p->chain[tail++] = next;
      }
    }
  }
}

static void mark_doubtful(supple_prepared *p) {
  const supplei_blocks *blocks = &p->binding->blocks;
  if (blocks->count) memset(p->doubtful, 0, blocks->count);
  for (uint32_t i = 0; i < blocks->pair_count; i++) {
    uint16_t a = blocks->pairs[i][0], b = blocks->pairs[i][1];
    float dot = supplei_dot4(p->rigid[a].real, p->rigid[b].real) * (p->flips[a] * p->flips[b]);
    if (dot > 1e-6f) continue;
    p->any_doubtful = true;
    for (uint32_t k = blocks->pair_begins[i]; k < blocks->pair_begins[i + 1]; k++)
      p->doubtful[blocks->pair_blocks[k]] = 1;
  }
}

void supplei_prepared_agree(supple_prepared *p) {
  p->any_doubtful = false;
  if (!SUPPLEI_BY_BLOCKS) return; /* the kernels' matter */
  bool per_vertex = p->options.signs == SUPPLE_SIGNS_PER_VERTEX;
  if (per_vertex) {
    walk(p);
    mark_doubtful(p);
  }
  for (uint32_t j = 0; j < p->joint_count; j++) {
    p->agreed_rigid[j] = p->rigid[j];
    if (p->path == SUPPLEI_PATH_AFFINE) p->agreed_affine[j] = p->affine[j];
    if (!per_vertex || p->flips[j] >= 0) continue;
    float *rigid = p->agreed_rigid[j].real, *affine = &p->agreed_affine[j].numerator[0][0];
    for (int k = 0; k < 8; k++) rigid[k] = -rigid[k];
    for (int k = 0; k < 20 && p->path == SUPPLEI_PATH_AFFINE; k++) affine[k] = -affine[k];
  }
}
