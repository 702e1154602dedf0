/* vf_avx2.h: the vector facade on AVX2, eight lanes. See vf_scalar.h. */
#ifndef SUPPLEI_VF_AVX2_H
#define SUPPLEI_VF_AVX2_H

#include <stdint.h>

#include <immintrin.h>

enum { VF_LANES = 8, VF_STREAM_ALIGN = 32 };
typedef __m256 vf;
typedef __m256 vm;

static inline vf vf_set(float a) { return _mm256_set1_ps(a); }
static inline vf vf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline vf vf_add(vf a, vf b) { return _mm256_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm256_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm256_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm256_div_ps(a, b); }
static inline vf vf_sqrt(vf a) { return _mm256_sqrt_ps(a); }
static inline vf vf_neg(vf a) { return _mm256_xor_ps(a, _mm256_set1_ps(-0.0f)); }
static inline vm vf_less(vf a, vf b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline vm vm_and(vm a, vm b) { return _mm256_and_ps(a, b); }
static inline vm vm_or(vm a, vm b) { return _mm256_or_ps(a, b); }
static inline uint32_t vm_bits(vm m) { return (uint32_t)_mm256_movemask_ps(m); }
static inline vf vf_select(vm m, vf a, vf b) { return _mm256_blendv_ps(b, a, m); }

/* Four numbers at p in the low half, four at q in the high one. */
static inline vf vf_halves(const float *p, const float *q) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(q), 1);
}
static inline void vf_load3(const float *p, vf *x, vf *y, vf *z) {
  vf a = vf_halves(p, p + 12), b = vf_halves(p + 4, p + 16), c = vf_halves(p + 8, p + 20);
  vf xy = _mm256_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2));
  vf yz = _mm256_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
  *x = _mm256_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0));
  *y = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  *z = _mm256_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1));
}
/* The three vectors of VF_LANES × (x, y, z) as they stand in memory. */
static inline void vf_interleave3(vf x, vf y, vf z, vf out[3]) {
  vf xy = _mm256_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0));
  vf yz = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 1, 3, 1));
  vf zx = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 1, 2, 0));
  vf a = _mm256_shuffle_ps(xy, zx, _MM_SHUFFLE(2, 0, 2, 0));
  vf b = _mm256_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0));
  vf c = _mm256_shuffle_ps(zx, yz, _MM_SHUFFLE(3, 1, 3, 1));
  out[0] = _mm256_permute2f128_ps(a, b, 0x20);
  out[1] = _mm256_blend_ps(c, a, 0xF0);
  out[2] = _mm256_permute2f128_ps(b, c, 0x31);
}
static inline void vf_store3(float *p, vf x, vf y, vf z) {
  vf out[3];
  vf_interleave3(x, y, z, out);
  for (int i = 0; i < 3; i++) _mm256_storeu_ps(p + 8 * i, out[i]);
}
static inline void vf_stream3(float *p, vf x, vf y, vf z) {
  vf out[3];
  vf_interleave3(x, y, z, out);
  for (int i = 0; i < 3; i++) _mm256_stream_ps(p + 8 * i, out[i]);
}
static inline void vf_fence(void) { _mm_sfence(); }
/* 4×4 transposes in both halves. */
static inline void vf_transpose4(vf *a, vf *b, vf *c, vf *d) {
  vf ab0 = _mm256_unpacklo_ps(*a, *b), ab1 = _mm256_unpackhi_ps(*a, *b);
  vf cd0 = _mm256_unpacklo_ps(*c, *d), cd1 = _mm256_unpackhi_ps(*c, *d);
  *a = _mm256_shuffle_ps(ab0, cd0, _MM_SHUFFLE(1, 0, 1, 0));
  *b = _mm256_shuffle_ps(ab0, cd0, _MM_SHUFFLE(3, 2, 3, 2));
  *c = _mm256_shuffle_ps(ab1, cd1, _MM_SHUFFLE(1, 0, 1, 0));
  *d = _mm256_shuffle_ps(ab1, cd1, _MM_SHUFFLE(3, 2, 3, 2));
}
static inline void vf_load4(const float *p, vf *x, vf *y, vf *z, vf *w) {
  *x = vf_halves(p, p + 16), *y = vf_halves(p + 4, p + 20);
  *z = vf_halves(p + 8, p + 24), *w = vf_halves(p + 12, p + 28);
  vf_transpose4(x, y, z, w);
}
static inline void vf_store4(float *p, vf x, vf y, vf z, vf w) {
  vf_transpose4(&x, &y, &z, &w);
  _mm256_storeu_ps(p, _mm256_permute2f128_ps(x, y, 0x20));
  _mm256_storeu_ps(p + 8, _mm256_permute2f128_ps(z, w, 0x20));
  _mm256_storeu_ps(p + 16, _mm256_permute2f128_ps(x, y, 0x31));
  _mm256_storeu_ps(p + 24, _mm256_permute2f128_ps(z, w, 0x31));
}

#include "quads_x86.h"
#include "octs_avx.h"

#endif
