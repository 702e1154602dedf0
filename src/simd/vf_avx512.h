/* vf_avx512.h: the vector facade on AVX-512F, sixteen lanes. See vf_scalar.h. */
#ifndef SUPPLEI_VF_AVX512_H
#define SUPPLEI_VF_AVX512_H

#include <stdint.h>

#include <immintrin.h>

enum { VF_LANES = 16, VF_STREAM_ALIGN = 64 };
typedef __m512 vf;
typedef __mmask16 vm;

static inline vf vf_set(float a) { return _mm512_set1_ps(a); }
static inline vf vf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline vf vf_add(vf a, vf b) { return _mm512_add_ps(a, b); }
static inline vf vf_sub(vf a, vf b) { return _mm512_sub_ps(a, b); }
static inline vf vf_mul(vf a, vf b) { return _mm512_mul_ps(a, b); }
static inline vf vf_div(vf a, vf b) { return _mm512_div_ps(a, b); }
static inline vf vf_sqrt(vf a) { return _mm512_sqrt_ps(a); }
static inline vf vf_neg(vf a) {
  return _mm512_castsi512_ps(
      _mm512_xor_si512(_mm512_castps_si512(a), _mm512_set1_epi32((int)0x80000000u)));
}
static inline vm vf_less(vf a, vf b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline vm vm_and(vm a, vm b) { return (vm)(a & b); }
static inline vm vm_or(vm a, vm b) { return (vm)(a | b); }
static inline uint32_t vm_bits(vm m) { return m; }
static inline vf vf_select(vm m, vf a, vf b) { return _mm512_mask_blend_ps(m, b, a); }

/* Lane i of the result is number index[i] of a (0 to 15) and b (16 to 31). */
static inline vf vf_pick(vf a, vf b, __m512i index) { return _mm512_permutex2var_ps(a, index, b); }

static inline void vf_load3(const float *p, vf *x, vf *y, vf *z) {
  vf a = _mm512_loadu_ps(p), b = _mm512_loadu_ps(p + 16), c = _mm512_loadu_ps(p + 32);
  const __m512i x0 = _mm512_setr_epi32(0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
  const __m512i x1 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29);
  const __m512i y0 = _mm512_setr_epi32(1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
  const __m512i y1 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30);
  const __m512i z0 = _mm512_setr_epi32(2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
  const __m512i z1 = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31);
  *x = vf_pick(vf_pick(a, b, x0), c, x1);
  *y = vf_pick(vf_pick(a, b, y0), c, y1);
  *z = vf_pick(vf_pick(a, b, z0), c, z1);
}
/* The three vectors of VF_LANES × (x, y, z) as they stand in memory. */
static inline void vf_interleave3(vf x, vf y, vf z, vf out[3]) {
  const __m512i a0 = _mm512_setr_epi32(0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5);
  const __m512i a1 = _mm512_setr_epi32(0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15);
  const __m512i b0 = _mm512_setr_epi32(21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26);
  const __m512i b1 = _mm512_setr_epi32(0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15);
  const __m512i c0 = _mm512_setr_epi32(0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0);
  const __m512i c1 = _mm512_setr_epi32(26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31);
  out[0] = vf_pick(vf_pick(x, y, a0), z, a1);
  out[1] = vf_pick(vf_pick(x, y, b0), z, b1);
  out[2] = vf_pick(vf_pick(x, y, c0), z, c1);
}
static inline void vf_store3(float *p, vf x, vf y, vf z) {
  vf out[3];
  vf_interleave3(x, y, z, out);
  for (int i = 0; i < 3; i++) _mm512_storeu_ps(p + 16 * i, out[i]);
}
static inline void vf_stream3(float *p, vf x, vf y, vf z) {
  vf out[3];
  vf_interleave3(x, y, z, out);
  for (int i = 0; i < 3; i++) _mm512_stream_ps(p + 16 * i, out[i]);
}
static inline void vf_fence(void) { _mm_sfence(); }
/* 4×4 transposes in all quarters. */
static inline void vf_transpose4(vf *a, vf *b, vf *c, vf *d) {
  vf ab0 = _mm512_unpacklo_ps(*a, *b), ab1 = _mm512_unpackhi_ps(*a, *b);
  vf cd0 = _mm512_unpacklo_ps(*c, *d), cd1 = _mm512_unpackhi_ps(*c, *d);
  *a = _mm512_shuffle_ps(ab0, cd0, _MM_SHUFFLE(1, 0, 1, 0));
  *b = _mm512_shuffle_ps(ab0, cd0, _MM_SHUFFLE(3, 2, 3, 2));
  *c = _mm512_shuffle_ps(ab1, cd1, _MM_SHUFFLE(1, 0, 1, 0));
  *d = _mm512_shuffle_ps(ab1, cd1, _MM_SHUFFLE(3, 2, 3, 2));
}
/* Exchanges rows and columns of the 4×4 matrix of quarters. */
static inline void vf_transpose_quarters(vf *a, vf *b, vf *c, vf *d) {
  vf ab0 = _mm512_shuffle_f32x4(*a, *b, _MM_SHUFFLE(1, 0, 1, 0));
  vf ab1 = _mm512_shuffle_f32x4(*a, *b, _MM_SHUFFLE(3, 2, 3, 2));
  vf cd0 = _mm512_shuffle_f32x4(*c, *d, _MM_SHUFFLE(1, 0, 1, 0));
  vf cd1 = _mm512_shuffle_f32x4(*c, *d, _MM_SHUFFLE(3, 2, 3, 2));
  *a = _mm512_shuffle_f32x4(ab0, cd0, _MM_SHUFFLE(2, 0, 2, 0));
  *b = _mm512_shuffle_f32x4(ab0, cd0, _MM_SHUFFLE(3, 1, 3, 1));
  *c = _mm512_shuffle_f32x4(ab1, cd1, _MM_SHUFFLE(2, 0, 2, 0));
  *d = _mm512_shuffle_f32x4(ab1, cd1, _MM_SHUFFLE(3, 1, 3, 1));
}
static inline void vf_load4(const float *p, vf *x, vf *y, vf *z, vf *w) {
  *x = vf_load(p), *y = vf_load(p + 16), *z = vf_load(p + 32), *w = vf_load(p + 48);
  vf_transpose_quarters(x, y, z, w);
  vf_transpose4(x, y, z, w);
}
static inline void vf_store4(float *p, vf x, vf y, vf z, vf w) {
  vf_transpose4(&x, &y, &z, &w);
  vf_transpose_quarters(&x, &y, &z, &w);
  _mm512_storeu_ps(p, x);
  _mm512_storeu_ps(p + 16, y);
  _mm512_storeu_ps(p + 32, z);
  _mm512_storeu_ps(p + 48, w);
}

#include "quads_x86.h"
#include "octs_avx.h"

#endif
