/* prepared.h: what is inside a prepared palette, for the deformers and the measures. */
#ifndef SUPPLEI_PREPARED_H
#define SUPPLEI_PREPARED_H

#include "../../include/supple/deform.h"
#include "../mesh/binding.h"

/* 8 numbers: the blended rotation, and half the translation times it. */
typedef struct supplei_rigid {
  float real[4], dual[4];
} supplei_rigid;

/* 20 numbers: p q = numerator (v, 1), rows x, y, z, w; and q. */
typedef struct supplei_affine_quat {
  float numerator[4][4];
  float real[4];
} supplei_affine_quat;

typedef struct supplei_mat3f {
  float m[3][3];
} supplei_mat3f;

/* How the vertices of one method and scale mode are computed. */
typedef enum supplei_path {
  SUPPLEI_PATH_NONE, /* not updated */
  SUPPLEI_PATH_LBS,
  SUPPLEI_PATH_AFFINE, /* per vertex: rigid numbers where all its joints are, else affine ones */
  SUPPLEI_PATH_FIRST,
  SUPPLEI_PATH_RIGID
} supplei_path;

struct supple_prepared {
  supple_allocator allocator;
  const supple_binding *binding;
  supple_prepared_options options;
  uint32_t joint_count, capacity; /* of the palette; that there is memory for */
  supplei_path path;
  float scale; /* the signed common scale of the rigid numbers */
  float bound; /* not below the squared Frobenius norm of any matrix; infinite where that is out of reach */
  supple_affine *matrices;
  supplei_rigid *rigid;
  supplei_affine_quat *affine;
  supplei_mat3f *stretch; /* SUPPLE_SCALE_FIRST */
  uint8_t *is_rigid;
  /* For the kernels: the same numbers with signs that agree along a spanning tree of the binding's pairs, and
   * the blocks that have a pair for which they do not. */
  supplei_rigid *agreed_rigid;
  supplei_affine_quat *agreed_affine;
  uint8_t *doubtful; /* [block_count] */
  uint32_t block_count;
  bool any_doubtful;
  supple_split *splits; /* scratch of the update */
  double *order;        /* scratch: scales, sorted */
  uint32_t *chain;      /* scratch of the walks along joints */
  float *flips;         /* scratch: +1 or -1 a joint, 0 while not visited */
  supple_prepared_report report;
};

static inline float supplei_dot4(const float a[4], const float b[4]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/* From now on for palettes that serve this binding, as if it had been created for it: one serves many bindings, one
 * after the other, with the memory of the largest. False: out of memory, and it serves none. */
bool supplei_prepared_serve(supple_prepared *prepared, const supple_binding *binding);

/* agree.c: fills agreed_rigid, agreed_affine, doubtful from rigid and affine. */
void supplei_prepared_agree(supple_prepared *prepared);

/* The weight of influence i, negated where its quaternion is on the other side from the pivot's. */
static inline float supplei_signed_weight(const supple_prepared *p, const uint16_t *joints,
                                          const float *weights, uint32_t i, const float *pivot) {
  if (p->options.signs == SUPPLE_SIGNS_PER_POSE) return weights[i];
  return supplei_dot4(pivot, p->rigid[joints[i]].real) < -1e-6f ? -weights[i] : weights[i];
}

/* Does every joint of the vertex's influences take the rigid numbers? */
static inline bool supplei_all_rigid(const supple_prepared *p, const uint16_t *joints,
                                     uint32_t count) {
  bool all = true;
  for (uint32_t i = 0; i < count; i++) all &= p->is_rigid[joints[i]] != 0;
  return all;
}

#endif
