/* quads_x86.h: vq of the facade on x86-64: four floats. */
#ifndef SUPPLEI_QUADS_X86_H
#define SUPPLEI_QUADS_X86_H

#include <immintrin.h>

typedef __m128 vq;
static inline vq vq_set(float a) { return _mm_set1_ps(a); }
static inline vq vq_load(const float *p) { return _mm_loadu_ps(p); }
static inline void vq_store(float *p, vq a) { _mm_storeu_ps(p, a); }
static inline vq vq_add(vq a, vq b) { return _mm_add_ps(a, b); }
static inline vq vq_mul(vq a, vq b) { return _mm_mul_ps(a, b); }

#endif
