/* binding.h: what is inside a binding, for the deformers and the measures. */
#ifndef SUPPLEI_BINDING_H
#define SUPPLEI_BINDING_H

#include "../../include/supple/mesh.h"
#include "../kernels/kernels.h"
#include "blocks.h"

/* Influences by vertex: those of vertex v are offsets[v] <= i < offsets[v + 1], joints ascending. */
struct supple_binding {
  supple_allocator allocator;
  uint32_t vertex_count;
  uint32_t joint_limit;
  uint32_t capacity; /* influences that there is memory for */
  uint32_t *offsets; /* [vertex_count + 1] */
  uint16_t *joints;
  float *weights;   /* sum 1 */
  uint16_t *pivots; /* [vertex_count] which of the vertex's influences has the highest weight */
  float *sums;      /* [vertex_count] under SUPPLE_WEIGHTS_KEEP, else NULL: every sum is 1 */
  float least_sum, most_sum;
  supple_bounds *joint_boxes;  /* [joint_limit] rest box of the vertices each joint moves */
  supple_bounds rest_box;      /* of the vertices without influence */
  supple_bounds *target_boxes; /* [target_count] of the position offsets */
  uint32_t target_count;
  uint32_t *order; /* [vertex_count] the primitive's vertex, where sorted; else NULL */
  const supplei_kernels
      *kernels[SUPPLEI_ISA_COUNT]; /* those of this machine, else NULL; asking takes microseconds */
  supplei_blocks blocks;
  supple_binding_report report;
};

/* Boxes for supple_binding_bounds; needs the influences in place. */
void supplei_binding_measure_boxes(supple_binding *binding, const supple_primitive *primitive);

#endif
