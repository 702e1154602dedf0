/* vf_scalar.h: the vector facade in plain C, one lane wide. The other vf_*.h define the same names:
 *
 *   vf, VF_LANES                 a vector of floats, and how many
 *   vm                           a mask, one bit of truth a lane
 *   vf_set vf_load               one number in all lanes; VF_LANES numbers from any address
 *   vf_add … vf_sqrt             IEEE 754 exactly, lane by lane, never contracted
 *   vf_less vm_and vm_or vm_bits comparison (false for NaN); bit i of vm_bits is lane i
 *   vf_select(m, a, b)           a where m, else b
 *   vf_load3 vf_store3 vf_stream3   VF_LANES × (x, y, z) in memory, as three vectors; stream: past the
 *                                cache where the address allows it (a multiple of VF_STREAM_ALIGN bytes)
 *   vf_load4 vf_store4           the same for (x, y, z, w)
 *   vq_* vo_*                    four and eight floats, whatever VF_LANES is; vo_store writes two halves */
#ifndef SUPPLEI_VF_SCALAR_H
#define SUPPLEI_VF_SCALAR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { VF_LANES = 1, VF_STREAM_ALIGN = 0 }; /* 0: cannot stream */
typedef float vf;
typedef bool vm;

static inline vf vf_set(float a) { return a; }
static inline vf vf_load(const float *p) { return *p; }
static inline vf vf_add(vf a, vf b) { return a + b; }
static inline vf vf_sub(vf a, vf b) { return a - b; }
static inline vf vf_mul(vf a, vf b) { return a * b; }
static inline vf vf_div(vf a, vf b) { return a / b; }
static inline vf vf_sqrt(vf a) { return sqrtf(a); }
static inline vf vf_neg(vf a) { return -a; }
static inline vm vf_less(vf a, vf b) { return a < b; }
static inline vm vm_and(vm a, vm b) { return a && b; }
static inline vm vm_or(vm a, vm b) { return a || b; }
static inline uint32_t vm_bits(vm m) { return m; }
static inline vf vf_select(vm m, vf a, vf b) { return m ? a : b; }
static inline void vf_load3(const float *p, vf *x, vf *y, vf *z) {
  *x = p[0], *y = p[1], *z = p[2];
}
static inline void vf_store3(float *p, vf x, vf y, vf z) { p[0] = x, p[1] = y, p[2] = z; }
static inline void vf_stream3(float *p, vf x, vf y, vf z) { vf_store3(p, x, y, z); }
static inline void vf_fence(void) {}
static inline void vf_load4(const float *p, vf *x, vf *y, vf *z, vf *w) {
  *x = p[0], *y = p[1], *z = p[2], *w = p[3];
}
static inline void vf_store4(float *p, vf x, vf y, vf z, vf w) {
  p[0] = x, p[1] = y, p[2] = z, p[3] = w;
}

/* Four floats, whatever VF_LANES is. */
typedef struct vq {
  float f[4];
} vq;
static inline vq vq_set(float a) { return (vq){{a, a, a, a}}; }
static inline vq vq_load(const float *p) { return (vq){{p[0], p[1], p[2], p[3]}}; }
static inline void vq_store(float *p, vq a) {
  for (int i = 0; i < 4; i++) p[i] = a.f[i];
}
static inline vq vq_add(vq a, vq b) {
  return (vq){{a.f[0] + b.f[0], a.f[1] + b.f[1], a.f[2] + b.f[2], a.f[3] + b.f[3]}};
}
static inline vq vq_mul(vq a, vq b) {
  return (vq){{a.f[0] * b.f[0], a.f[1] * b.f[1], a.f[2] * b.f[2], a.f[3] * b.f[3]}};
}

#include "octs_pair.h"

#endif
