/* bench_plain.h: what `supple bench` runs against: skinning as a careful programmer writes it, one vertex at
 * a time in plain C, compiled for each level of the machine; and a copy that passes by the cache. */
#ifndef SUPPLE_CLI_BENCH_PLAIN_H
#define SUPPLE_CLI_BENCH_PLAIN_H

#include <supple/supple.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tightly packed arrays of vertex_count vertices; normals and tangents with their outputs, or NULL. */
typedef struct cli_bench_plain {
  uint32_t vertex_count, influence_count;
  const float *positions, *normals, *tangents, *weights;
  const uint16_t *joints;
  const float *matrices;   /* 12 a joint, for LBS */
  const float *dual_quats; /* 8 a joint, real then dual, for DQS: rigid joints only */
  float *out_positions, *out_normals, *out_tangents;
} cli_bench_plain;

/* Whether the loops were compiled for `isa` and this machine runs it. What every machine of the kind has is
 * SSE2, NEON, or elsewhere scalar. */
bool cli_bench_plain_has(supple_isa isa);
/* Normals and tangents by the linear part as they come; tangents keep their w. */
void cli_bench_plain_run(const cli_bench_plain *plain, supple_method method, supple_isa isa);
/* memcpy with stores that pass by the cache, where the machine has them; 16-byte aligned. */
void cli_bench_copy(void *to, const void *from, size_t size);

#endif
