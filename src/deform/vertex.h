/* vertex.h: the deformation of one vertex by each path, which the range loop and the measures share. */
#ifndef SUPPLEI_VERTEX_H
#define SUPPLEI_VERTEX_H

#include "frame.h"
#include "prepared.h"

/* v -> linear v + offset for one vertex's weights. */
typedef struct supplei_map {
  supplei_mat3f linear;
  supplei_vec3f offset;
} supplei_map;

/* One vertex's influences. */
typedef struct supplei_vertex {
  const uint16_t *joints;
  const float *weights;
  uint32_t count, pivot;
} supplei_vertex;

static inline supplei_vertex supplei_vertex_at(const supple_binding *b, uint32_t v) {
  uint32_t begin = b->offsets[v];
  return (supplei_vertex){b->joints + begin, b->weights + begin, b->offsets[v + 1] - begin,
                          b->pivots[v]};
}

/* The blended joint matrix, without the kept sum. */
supple_affine supplei_lbs_blend(const supple_prepared *p, const supplei_vertex *vertex);

/* What DQS blends for a vertex. */
typedef enum supplei_kind {
  SUPPLEI_KIND_RIGID,
  SUPPLEI_KIND_AFFINE,
  SUPPLEI_KIND_FIRST
} supplei_kind;

typedef struct supplei_blend {
  supplei_kind kind;
  float squared; /* |r|² */
  float real[4];
  float dual[4];         /* rigid, first */
  float numerator[4][4]; /* affine */
  supplei_mat3f stretch; /* first */
  float scale;           /* rigid */
} supplei_blend;

supplei_blend supplei_dqs_blend(const supple_prepared *p, const supplei_vertex *vertex);
supplei_vec3f supplei_dqs_point(const supplei_blend *blend, supplei_vec3f v);
/* The linear part. */
supplei_mat3f supplei_dqs_linear(const supplei_blend *blend);
/* v turned by the blended rotation alone. */
supplei_vec3f supplei_dqs_rotate(const supplei_blend *blend, supplei_vec3f v);

/* Below this |r|² the blend has no direction left, and LBS steps in. */
static const float supplei_least_squared = 1e-12f;

#endif
