/* bench_plain.c: skinning one vertex at a time in plain C, the contestant of every figure.
 *
 * The build compiles this file up to three times, with contraction allowed: as it stands, and with
 * CLI_BENCH_LEVEL defined as avx2 or avx512 and the flags of that level; these add their loops alone. */
#include "bench_plain.h"

#include <math.h>
#include <string.h>

#if defined(__GNUC__)
#define BENCH_INLINE static inline __attribute__((always_inline))
#else
#define BENCH_INLINE static inline
#endif

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#ifdef CLI_BENCH_LEVEL
#define NAMED(name) JOIN(name, CLI_BENCH_LEVEL)
#else
#define NAMED(name) JOIN(name, base)
#endif

void cli_bench_plain_lbs_base(const cli_bench_plain *plain);
void cli_bench_plain_dqs_base(const cli_bench_plain *plain);
void cli_bench_plain_lbs_avx2(const cli_bench_plain *plain);
void cli_bench_plain_dqs_avx2(const cli_bench_plain *plain);
void cli_bench_plain_lbs_avx512(const cli_bench_plain *plain);
void cli_bench_plain_dqs_avx512(const cli_bench_plain *plain);

/* ---- LBS ---- */

BENCH_INLINE void turn_by_matrix(const float m[12], const float *v, float *restrict out, float one) {
  const float x = v[0], y = v[1], z = v[2];
  for (int r = 0; r < 3; r++)
    out[r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3] * one;
}

BENCH_INLINE void lbs_loop(const cli_bench_plain *plain, uint32_t count, bool normals,
                           bool tangents) {
  const float *restrict weights = plain->weights, *restrict matrices = plain->matrices;
  const uint16_t *restrict joints = plain->joints;
  for (size_t v = 0; v < plain->vertex_count; v++) {
    float m[12] = {0};
    for (size_t k = 0; k < count; k++) {
      const float w = weights[count * v + k];
      const float *a = matrices + 12 * (size_t)joints[count * v + k];
      for (int i = 0; i < 12; i++) m[i] += w * a[i];
    }
    turn_by_matrix(m, plain->positions + 3 * v, plain->out_positions + 3 * v, 1);
    if (normals) turn_by_matrix(m, plain->normals + 3 * v, plain->out_normals + 3 * v, 0);
    if (tangents) {
      turn_by_matrix(m, plain->tangents + 4 * v, plain->out_tangents + 4 * v, 0);
      plain->out_tangents[4 * v + 3] = plain->tangents[4 * v + 3];
    }
  }
}

BENCH_INLINE void lbs_streams(const cli_bench_plain *plain, uint32_t count) {
  if (plain->out_tangents)
    lbs_loop(plain, count, true, true);
  else if (plain->out_normals)
    lbs_loop(plain, count, true, false);
  else
    lbs_loop(plain, count, false, false);
}

void NAMED(cli_bench_plain_lbs_)(const cli_bench_plain *plain) {
  if (plain->influence_count == 4)
    lbs_streams(plain, 4);
  else if (plain->influence_count == 8)
    lbs_streams(plain, 8);
  else
    lbs_streams(plain, plain->influence_count);
}

/* ---- DQS: Kavan et al. 2007, each influence against the first ---- */

BENCH_INLINE void blend_dual_quats(const cli_bench_plain *plain, uint32_t count, size_t v,
                                   float q[8]) {
  const uint16_t *joints = plain->joints + count * v;
  const float *first = plain->dual_quats + 8 * (size_t)joints[0];
  for (size_t k = 0; k < count; k++) {
    float w = plain->weights[count * v + k];
    const float *a = plain->dual_quats + 8 * (size_t)joints[k];
    const float dot = first[0] * a[0] + first[1] * a[1] + first[2] * a[2] + first[3] * a[3];
    if (dot < 0) w = -w;
    for (int i = 0; i < 8; i++) q[i] += w * a[i];
  }
  const float scale = 1 / sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 8; i++) q[i] *= scale;
}

BENCH_INLINE void turn_by_quat(const float q[8], const float *v, float out[3]) {
  const float x = v[0], y = v[1], z = v[2];
  const float cx = q[1] * z - q[2] * y + q[3] * x, cy = q[2] * x - q[0] * z + q[3] * y,
              cz = q[0] * y - q[1] * x + q[3] * z;
  out[0] = x + 2 * (q[1] * cz - q[2] * cy);
  out[1] = y + 2 * (q[2] * cx - q[0] * cz);
  out[2] = z + 2 * (q[0] * cy - q[1] * cx);
}

BENCH_INLINE void dqs_loop(const cli_bench_plain *plain, uint32_t count, bool normals,
                           bool tangents) {
  for (size_t v = 0; v < plain->vertex_count; v++) {
    float q[8] = {0}, out[3];
    blend_dual_quats(plain, count, v, q);
    turn_by_quat(q, plain->positions + 3 * v, out);
    float *position = plain->out_positions + 3 * v;
    position[0] = out[0] + 2 * (q[3] * q[4] - q[7] * q[0] + q[1] * q[6] - q[2] * q[5]);
    position[1] = out[1] + 2 * (q[3] * q[5] - q[7] * q[1] + q[2] * q[4] - q[0] * q[6]);
    position[2] = out[2] + 2 * (q[3] * q[6] - q[7] * q[2] + q[0] * q[5] - q[1] * q[4]);
    if (normals) {
      turn_by_quat(q, plain->normals + 3 * v, out);
      for (int i = 0; i < 3; i++) plain->out_normals[3 * v + (size_t)i] = out[i];
    }
    if (tangents) {
      turn_by_quat(q, plain->tangents + 4 * v, out);
      for (int i = 0; i < 3; i++) plain->out_tangents[4 * v + (size_t)i] = out[i];
      plain->out_tangents[4 * v + 3] = plain->tangents[4 * v + 3];
    }
  }
}

BENCH_INLINE void dqs_streams(const cli_bench_plain *plain, uint32_t count) {
  if (plain->out_tangents)
    dqs_loop(plain, count, true, true);
  else if (plain->out_normals)
    dqs_loop(plain, count, true, false);
  else
    dqs_loop(plain, count, false, false);
}

void NAMED(cli_bench_plain_dqs_)(const cli_bench_plain *plain) {
  if (plain->influence_count == 4)
    dqs_streams(plain, 4);
  else if (plain->influence_count == 8)
    dqs_streams(plain, 8);
  else
    dqs_streams(plain, plain->influence_count);
}

#ifndef CLI_BENCH_LEVEL
/* ---- which ---- */

#if defined(__SSE2__)
#include <emmintrin.h>
static const supple_isa base_isa = SUPPLE_ISA_SSE2;
#elif defined(__aarch64__)
static const supple_isa base_isa = SUPPLE_ISA_NEON;
#else
static const supple_isa base_isa = SUPPLE_ISA_SCALAR;
#endif

bool cli_bench_plain_has(supple_isa isa) {
#ifdef CLI_BENCH_LEVELS
  if (isa == SUPPLE_ISA_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (isa == SUPPLE_ISA_AVX512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("fma");
#endif
  return isa == base_isa;
}

void cli_bench_plain_run(const cli_bench_plain *plain, supple_method method, supple_isa isa) {
  const bool dqs = method == SUPPLE_DQS;
#ifdef CLI_BENCH_LEVELS
  if (isa == SUPPLE_ISA_AVX2) {
    (dqs ? cli_bench_plain_dqs_avx2 : cli_bench_plain_lbs_avx2)(plain);
    return;
  }
  if (isa == SUPPLE_ISA_AVX512) {
    (dqs ? cli_bench_plain_dqs_avx512 : cli_bench_plain_lbs_avx512)(plain);
    return;
  }
#endif
  (void)isa;
  (dqs ? cli_bench_plain_dqs_base : cli_bench_plain_lbs_base)(plain);
}

void cli_bench_copy(void *to, const void *from, size_t size) {
#if defined(__SSE2__)
  const size_t whole = size / 64 * 64;
  for (size_t i = 0; i < whole; i += 64) {
    const __m128i *in = (const __m128i *)(const void *)((const char *)from + i);
    __m128i *out = (__m128i *)(void *)((char *)to + i);
    const __m128i a = _mm_load_si128(in), b = _mm_load_si128(in + 1), c = _mm_load_si128(in + 2),
                  d = _mm_load_si128(in + 3);
    _mm_stream_si128(out, a);
    _mm_stream_si128(out + 1, b);
    _mm_stream_si128(out + 2, c);
    _mm_stream_si128(out + 3, d);
  }
  _mm_sfence();
  memcpy((char *)to + whole, (const char *)from + whole, size - whole);
#else
  memcpy(to, from, size);
#endif
}
#endif
