/* limit_influences.h: fewer influences for the vertices of a primitive, fitted to the poses of its instances. */
#ifndef SUPPLEI_LIMIT_INFLUENCES_H
#define SUPPLEI_LIMIT_INFLUENCES_H

#include "fix_poses.h"
#include "refit_influences.h"

/* The joint matrices and morph weights of one instance in every pose. */
typedef struct supplei_posed_instance {
  supple_affine *matrices; /* [pose_count][joint_count]; NULL: not made yet */
  float *turns; /* [pose_count][joint_count][4] rotations: the orthogonal polar factors of the matrices */
  float *weights; /* [pose_count][weight_count] */
  uint32_t joint_count, weight_count;
} supplei_posed_instance;

/* What limiting did, in vertices. */
typedef struct supplei_limit_report {
  uint32_t limited;          /* had more influences than may be */
  uint32_t refitted;         /* of these: other weights than the largest, scaled */
  double truncated, largest; /* the largest distances, without and with refitting */
} supplei_limit_report;

typedef struct supplei_limiter {
  supple_allocator allocator;
  const supple_asset *asset;
  uint32_t most; /* influences */
  supplei_poses poses;
  supplei_posed_instance *instances; /* [asset->instance_count] */
  uint32_t *chosen; /* [chosen_count] instances that show the primitive at hand; room for all */
  uint32_t chosen_count;
  double *points, *weights, *stored; /* of one vertex */
  float *turns;
  size_t point_capacity;
  uint32_t weight_capacity;
  supplei_refit_scratch scratch;
} supplei_limiter;

/* Borrows the asset. Close it in any case. */
supple_result supplei_limiter_open(supplei_limiter *limiter, const supple_asset *asset,
                                   uint32_t most, const supple_allocator *allocator);
void supplei_limiter_close(supplei_limiter *limiter);
/* The primitives that come next are those of these meshes ([mesh_count] of the asset): all of their instances count. */
supple_result supplei_limiter_choose(supplei_limiter *limiter, const bool *meshes);
/* Limits the tidy list[count] of a vertex; returns in *left how many influences stay. Vertices with equal positions,
 * morph offsets and influences get equal ones. */
supple_result supplei_limiter_vertex(supplei_limiter *limiter, const supple_primitive *primitive,
                                     uint32_t vertex, supplei_stored_influence *list,
                                     uint32_t count, supplei_weight_type type, uint32_t *left,
                                     supplei_limit_report *report);

#endif
