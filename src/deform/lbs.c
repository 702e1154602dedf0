/* lbs.c: linear blend skinning of one vertex. */
#include "../base/prologue.h"

#include "vertex.h"

supple_affine supplei_lbs_blend(const supple_prepared *p, const supplei_vertex *vertex) {
  supple_affine sum = {{{0}}};
  for (uint32_t i = 0; i < vertex->count; i++) {
    const float *m = &p->matrices[vertex->joints[i]].m[0][0];
    float w = vertex->weights[i];
    for (int k = 0; k < 12; k++) (&sum.m[0][0])[k] += w * m[k];
  }
  return sum;
}
