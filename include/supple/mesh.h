/* mesh.h: primitives, and the binding that compiles their influences once for every frame.
 *
 * A supple_primitive is plain data: the glTF reader fills it, or your own code does (zero-initialise, set
 * vertex_count, positions, influence_count, joints, weights; the rest as you have it). */
#ifndef SUPPLE_MESH_H
#define SUPPLE_MESH_H

#include "base.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the indices of a primitive join. */
typedef enum supple_topology {
  SUPPLE_TOPOLOGY_TRIANGLES, /* strips and fans are unrolled by the reader */
  SUPPLE_TOPOLOGY_LINES,     /* loaded and deformed, not measured */
  SUPPLE_TOPOLOGY_POINTS     /* as lines */
} supple_topology;

/* Offsets of one morph target, three floats a vertex each; NULL where it has none. (Tangents' w stays.) */
typedef struct supple_morph_target {
  const float *positions, *normals, *tangents; /* [vertex_count][3] each */
} supple_morph_target;

/* Vertex streams, tightly packed, in the file's vertex order; NULL where absent. */
typedef struct supple_primitive {
  uint32_t mesh, index;     /* in the file: mesh, and primitive within it */
  supple_topology topology; /* what indices join */
  uint32_t vertex_count;    /* of every stream */
  const float *positions;   /* [vertex_count][3] */
  const float *normals;     /* [vertex_count][3] */
  const float *tangents;    /* [vertex_count][4], w = handedness */
  const float *texcoords;   /* [vertex_count][2], TEXCOORD_0; not deformed */
  const float *colors;      /* [vertex_count][4], COLOR_0, linear; not deformed */
  const uint32_t *indices; /* triangles, three a triangle (lines: two, points: one); < vertex_count */
  uint32_t index_count;    /* of indices */
  uint32_t influence_count; /* a vertex; 4 × the number of JOINTS_n sets in glTF; any number */
  const uint16_t *joints;   /* [vertex_count][influence_count], raw as stored */
  const float *weights;     /* [vertex_count][influence_count], finite */
  const supple_morph_target *targets; /* [target_count] */
  uint32_t target_count;              /* morph targets; 0: none */
  uint32_t material;                  /* SUPPLE_NONE where absent */
} supple_primitive;

/* What becomes of weights that do not sum to 1. */
typedef enum supple_weights {
  SUPPLE_WEIGHTS_NORMALISE, /* divide by their sum */
  SUPPLE_WEIGHTS_KEEP       /* as stored; LBS only, since DQS does not depend on the sum */
} supple_weights;

/* What a vertex without positive weight does. */
typedef enum supple_unweighted {
  SUPPLE_UNWEIGHTED_FIRST_JOINT, /* a vertex without weight belongs to the first joint it names */
  SUPPLE_UNWEIGHTED_REST         /* it keeps its rest position */
} supple_unweighted;

/* Zero means the default. */
typedef struct supple_binding_options {
  supple_weights weights;       /* 0: normalise */
  supple_unweighted unweighted; /* 0: the first joint */
  uint32_t max_influences;      /* keep the largest so many; 0: all */
  /* Number the binding's vertices so that neighbours share joints: deformation gets faster where the file's
   * order is poor. Streams of a job, and every vertex number that has to do with the binding, then follow
   * supple_binding_order; reorder your vertices and indices by it once. */
  bool sort;
  /* Copy the primitive's positions, normals and tangents in the kernels' own layout: jobs may leave these
   * streams unset, which is the fastest input. Not for meshes that morph. */
  bool geometry;
  supple_allocator allocator; /* for the binding; zeroed: malloc */
} supple_binding_options;

/* What cleaning did, in vertices unless it says influences. */
typedef struct supple_binding_report {
  uint32_t vertices;        /* of the primitive */
  uint32_t influences;      /* in all, after cleaning */
  uint32_t most_influences; /* of one vertex, after cleaning */
  uint32_t duplicates;      /* influences merged: a joint named twice with weight */
  uint32_t negatives;       /* influences clipped: weight below zero */
  uint32_t renormalised;    /* sum off by more than 1e-5: it was divided (or, KEEP, kept) */
  uint32_t unweighted;      /* no positive weight */
  uint32_t limited;         /* influences dropped by max_influences */
  float smallest_sum,
      largest_sum;       /* of the weights as stored, negatives clipped; 1, 1 for no vertex */
  float largest_dropped; /* largest share of a vertex's weight that max_influences dropped */
} supple_binding_report;

/* The influences of one primitive, cleaned (design: merged, clipped, zeros dropped, normalised) and
 * compiled for the kernels. Serves every skin and frame. Immutable: any thread may read it. Copies what it
 * needs: the primitive may go. */
typedef struct supple_binding supple_binding;

/* Fails (NULL) where the primitive has no influences, a weight is not finite, or memory runs out. Takes
 * O(vertices × influences). */
SUPPLE_API supple_binding *supple_binding_create(const supple_primitive *primitive,
                                                 const supple_binding_options *options,
                                                 supple_error *error);
/* Nothing prepared for it may be used any more. NULL is fine. */
SUPPLE_API void supple_binding_destroy(supple_binding *binding);
/* As the primitive's. */
SUPPLE_API uint32_t supple_binding_vertex_count(const supple_binding *binding);
/* One more than the largest joint in use: a palette must have as many. */
SUPPLE_API uint32_t supple_binding_joint_limit(const supple_binding *binding);
/* The cleaned influences of a vertex, joints ascending, weights summing to 1 up to rounding (whatever the
 * options: a kept sum is applied by LBS afterwards); returns how many. 0: it keeps its rest position. */
SUPPLE_API uint32_t supple_binding_influences(const supple_binding *binding, uint32_t vertex,
                                              const uint16_t **joints, const float **weights);
/* The order of a sorted binding: its vertex i is the primitive's vertex order[i]. NULL where it was not sorted:
 * the order of the primitive. As long as the binding. */
SUPPLE_API const uint32_t *supple_binding_order(const supple_binding *binding);
/* What LBS multiplies the result by: 1, or the sum of the stored weights under SUPPLE_WEIGHTS_KEEP. */
SUPPLE_API float supple_binding_sum(const supple_binding *binding, uint32_t vertex);
/* What cleaning did; lives as long as the binding. */
SUPPLE_API const supple_binding_report *supple_binding_cleaning(const supple_binding *binding);

/* Box of `count` points. The empty box (min > max) for none. Points with a coordinate that is
 * not finite are skipped. */
SUPPLE_API supple_bounds supple_bounds_of(supple_stream positions, uint32_t count);
/* The smallest box that holds both. */
SUPPLE_API supple_bounds supple_bounds_join(supple_bounds a, supple_bounds b);
/* A box that holds every LBS-deformed vertex of the binding: the union of each joint's rest box under its
 * matrix, so O(joints), not O(vertices); never smaller than the tight box of supple_bounds_of. Morph
 * weights (NULL: none) widen the boxes by the targets' extents. Joints beyond the palette, and matrices that
 * are not finite, are left out. Not for DQS, which may bulge. */
SUPPLE_API supple_bounds supple_binding_bounds(const supple_binding *binding,
                                               const supple_palette *palette,
                                               const float *morph_weights);

#ifdef __cplusplus
}
#endif
#endif
