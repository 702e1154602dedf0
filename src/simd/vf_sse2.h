/* vf_sse2.h: the vector facade on SSE2, four lanes. See vf_scalar.h. */
#ifndef SUPPLEI_VF_SSE2_H
#define SUPPLEI_VF_SSE2_H

#include <stdint.h>

#include <immintrin.h>

enum { VF_LANES = 4, VF_STREAM_ALIGN = 16 };
typedef __m128 vf;
typedef __m128 vm;

static inline vf vf_set(float a) { return _mm_set1_ps(a); }
static inline vf vf_load(const float *p) { return _mm_loadu_ps(p); }
static inline vf vf_add(vf a, vf b) { return _mm_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm_div_ps(a, b); }
static inline vf vf_sqrt(vf a) { return _mm_sqrt_ps(a); }
static inline vf vf_neg(vf a) { return _mm_xor_ps(a, _mm_set1_ps(-0.0f)); }
static inline vm vf_less(vf a, vf b) { return _mm_cmplt_ps(a, b); }
static inline vm vm_and(vm a, vm b) { return _mm_and_ps(a, b); }
static inline vm vm_or(vm a, vm b) { return _mm_or_ps(a, b); }
static inline uint32_t vm_bits(vm m) { return (uint32_t)_mm_movemask_ps(m); }
static inline vf vf_select(vm m, vf a, vf b) {
  return _mm_or_ps(_mm_and_ps(m, a), _mm_andnot_ps(m, b));
}
static inline void vf_load3(const float *p, vf *x, vf *y, vf *z) {
  vf a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8);
  vf xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
  vf yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  *x = _mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  *y = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  *z = _mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}
/* The three vectors of VF_LANES × (x, y, z) as they stand in memory. */
static inline void vf_interleave3(vf x, vf y, vf z, vf out[3]) {
  vf xy = _mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
  vf yz = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
  vf zx = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
  out[0] = _mm_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));
  out[1] = _mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  out[2] = _mm_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));
}
static inline void vf_store3(float *p, vf x, vf y, vf z) {
  vf out[3];
  vf_interleave3(x, y, z, out);
  for (int i = 0; i < 3; i++) _mm_storeu_ps(p + 4 * i, out[i]);
}
static inline void vf_stream3(float *p, vf x, vf y, vf z) {
  vf out[3];
  vf_interleave3(x, y, z, out);
  for (int i = 0; i < 3; i++) _mm_stream_ps(p + 4 * i, out[i]);
}
static inline void vf_fence(void) { _mm_sfence(); }
static inline void vf_load4(const float *p, vf *x, vf *y, vf *z, vf *w) {
  vf a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8), d = _mm_loadu_ps(p + 12);
  _MM_TRANSPOSE4_PS(a, b, c, d);
  *x = a, *y = b, *z = c, *w = d;
}
static inline void vf_store4(float *p, vf x, vf y, vf z, vf w) {
  _MM_TRANSPOSE4_PS(x, y, z, w);
  _mm_storeu_ps(p, x);
  _mm_storeu_ps(p + 4, y);
  _mm_storeu_ps(p + 8, z);
  _mm_storeu_ps(p + 12, w);
}

#include "quads_x86.h"
#include "octs_pair.h"

#endif
