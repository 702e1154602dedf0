/* vf_wasm.h: the vector facade on WebAssembly's SIMD128, four lanes. See vf_scalar.h. */
#ifndef SUPPLEI_VF_WASM_H
#define SUPPLEI_VF_WASM_H

#include <stdint.h>

#include <wasm_simd128.h>

enum { VF_LANES = 4, VF_STREAM_ALIGN = 0 };
typedef v128_t vf;
typedef v128_t vm;

static inline vf vf_set(float a) { return wasm_f32x4_splat(a); }
static inline vf vf_load(const float *p) { return wasm_v128_load(p); }
static inline void vf_store(float *p, vf a) { wasm_v128_store(p, a); }
static inline vf vf_add(vf a, vf b) { return wasm_f32x4_add(a, b); }
static inline vf vf_sub(vf a, vf b) { return wasm_f32x4_sub(a, b); }
static inline vf vf_mul(vf a, vf b) { return wasm_f32x4_mul(a, b); }
static inline vf vf_div(vf a, vf b) { return wasm_f32x4_div(a, b); }
static inline vf vf_sqrt(vf a) { return wasm_f32x4_sqrt(a); }
static inline vf vf_neg(vf a) { return wasm_f32x4_neg(a); }
static inline vm vf_less(vf a, vf b) { return wasm_f32x4_lt(a, b); }
static inline vm vm_and(vm a, vm b) { return wasm_v128_and(a, b); }
static inline vm vm_or(vm a, vm b) { return wasm_v128_or(a, b); }
static inline uint32_t vm_bits(vm m) { return wasm_i32x4_bitmask(m); }
static inline vf vf_select(vm m, vf a, vf b) { return wasm_v128_bitselect(a, b, m); }
static inline void vf_load3(const float *p, vf *x, vf *y, vf *z) {
  vf a = wasm_v128_load(p), b = wasm_v128_load(p + 4), c = wasm_v128_load(p + 8);
  vf xy = wasm_i32x4_shuffle(b, c, 2, 3, 5, 6);
  vf yz = wasm_i32x4_shuffle(a, b, 1, 2, 4, 5);
  *x = wasm_i32x4_shuffle(a, xy, 0, 3, 4, 6);
  *y = wasm_i32x4_shuffle(yz, xy, 0, 2, 5, 7);
  *z = wasm_i32x4_shuffle(yz, c, 1, 3, 4, 7);
}
static inline void vf_store3(float *p, vf x, vf y, vf z) {
  vf xy = wasm_i32x4_shuffle(x, y, 0, 2, 4, 6);
  vf yz = wasm_i32x4_shuffle(y, z, 1, 3, 5, 7);
  vf zx = wasm_i32x4_shuffle(z, x, 0, 2, 5, 7);
  wasm_v128_store(p, wasm_i32x4_shuffle(xy, zx, 0, 2, 4, 6));
  wasm_v128_store(p + 4, wasm_i32x4_shuffle(yz, xy, 0, 2, 5, 7));
  wasm_v128_store(p + 8, wasm_i32x4_shuffle(zx, yz, 1, 3, 5, 7));
}
static inline void vf_stream3(float *p, vf x, vf y, vf z) { vf_store3(p, x, y, z); }
static inline void vf_fence(void) {}
static inline void vf_transpose4(vf *a, vf *b, vf *c, vf *d) {
  vf ab0 = wasm_i32x4_shuffle(*a, *b, 0, 4, 1, 5), ab1 = wasm_i32x4_shuffle(*a, *b, 2, 6, 3, 7);
  vf cd0 = wasm_i32x4_shuffle(*c, *d, 0, 4, 1, 5), cd1 = wasm_i32x4_shuffle(*c, *d, 2, 6, 3, 7);
  *a = wasm_i32x4_shuffle(ab0, cd0, 0, 1, 4, 5);
  *b = wasm_i32x4_shuffle(ab0, cd0, 2, 3, 6, 7);
  *c = wasm_i32x4_shuffle(ab1, cd1, 0, 1, 4, 5);
  *d = wasm_i32x4_shuffle(ab1, cd1, 2, 3, 6, 7);
}
static inline void vf_load4(const float *p, vf *x, vf *y, vf *z, vf *w) {
  *x = vf_load(p), *y = vf_load(p + 4), *z = vf_load(p + 8), *w = vf_load(p + 12);
  vf_transpose4(x, y, z, w);
}
static inline void vf_store4(float *p, vf x, vf y, vf z, vf w) {
  vf_transpose4(&x, &y, &z, &w);
  wasm_v128_store(p, x);
  wasm_v128_store(p + 4, y);
  wasm_v128_store(p + 8, z);
  wasm_v128_store(p + 12, w);
}

/* Four floats, whatever VF_LANES is. */
typedef v128_t vq;
static inline vq vq_set(float a) { return wasm_f32x4_splat(a); }
static inline vq vq_load(const float *p) { return wasm_v128_load(p); }
static inline void vq_store(float *p, vq a) { wasm_v128_store(p, a); }
static inline vq vq_add(vq a, vq b) { return wasm_f32x4_add(a, b); }
static inline vq vq_mul(vq a, vq b) { return wasm_f32x4_mul(a, b); }

#include "octs_pair.h"

#endif
