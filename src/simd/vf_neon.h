/* vf_neon.h: the vector facade on arm64's NEON, four lanes. See vf_scalar.h. */
#ifndef SUPPLEI_VF_NEON_H
#define SUPPLEI_VF_NEON_H

#include <stdint.h>

#include <arm_neon.h>

enum { VF_LANES = 4, VF_STREAM_ALIGN = 0 };
typedef float32x4_t vf;
typedef uint32x4_t vm;

static inline vf vf_set(float a) { return vdupq_n_f32(a); }
static inline vf vf_load(const float *p) { return vld1q_f32(p); }
static inline vf vf_add(vf a, vf b) { return vaddq_f32(a, b); }
static inline vf vf_sub(vf a, vf b) { return vsubq_f32(a, b); }
static inline vf vf_mul(vf a, vf b) { return vmulq_f32(a, b); }
static inline vf vf_div(vf a, vf b) { return vdivq_f32(a, b); }
static inline vf vf_sqrt(vf a) { return vsqrtq_f32(a); }
static inline vf vf_neg(vf a) { return vnegq_f32(a); }
static inline vm vf_less(vf a, vf b) { return vcltq_f32(a, b); }
static inline vm vm_and(vm a, vm b) { return vandq_u32(a, b); }
static inline vm vm_or(vm a, vm b) { return vorrq_u32(a, b); }
static inline uint32_t vm_bits(vm m) {
  static const uint32_t bits[4] = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(m, vld1q_u32(bits)));
}
static inline vf vf_select(vm m, vf a, vf b) { return vbslq_f32(m, a, b); }
static inline void vf_load3(const float *p, vf *x, vf *y, vf *z) {
  float32x4x3_t v = vld3q_f32(p);
  *x = v.val[0], *y = v.val[1], *z = v.val[2];
}
static inline void vf_store3(float *p, vf x, vf y, vf z) {
  vst3q_f32(p, (float32x4x3_t){{x, y, z}});
}
static inline void vf_stream3(float *p, vf x, vf y, vf z) { vf_store3(p, x, y, z); }
static inline void vf_fence(void) {}
static inline void vf_load4(const float *p, vf *x, vf *y, vf *z, vf *w) {
  float32x4x4_t v = vld4q_f32(p);
  *x = v.val[0], *y = v.val[1], *z = v.val[2], *w = v.val[3];
}
static inline void vf_store4(float *p, vf x, vf y, vf z, vf w) {
  vst4q_f32(p, (float32x4x4_t){{x, y, z, w}});
}

/* Four floats, whatever VF_LANES is. */
typedef float32x4_t vq;
static inline vq vq_set(float a) { return vdupq_n_f32(a); }
static inline vq vq_load(const float *p) { return vld1q_f32(p); }
static inline void vq_store(float *p, vq a) { vst1q_f32(p, a); }
static inline vq vq_add(vq a, vq b) { return vaddq_f32(a, b); }
static inline vq vq_mul(vq a, vq b) { return vmulq_f32(a, b); }

#include "octs_pair.h"

#endif
