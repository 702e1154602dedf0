/* octs_avx.h: vo of the facade where a register holds eight floats. Comes after vq. */
#ifndef SUPPLEI_OCTS_AVX_H
#define SUPPLEI_OCTS_AVX_H

typedef __m256 vo;
static inline vo vo_set(float a) { return _mm256_set1_ps(a); }
static inline vo vo_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void vo_store(float *low, float *high, vo a) {
  _mm_storeu_ps(low, _mm256_castps256_ps128(a));
  _mm_storeu_ps(high, _mm256_extractf128_ps(a, 1));
}
static inline vo vo_add(vo a, vo b) { return _mm256_add_ps(a, b); }
static inline vo vo_mul(vo a, vo b) { return _mm256_mul_ps(a, b); }
static inline vq vo_low(vo a) { return _mm256_castps256_ps128(a); }

#endif
