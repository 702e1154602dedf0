/* bench_reference.h: one vertex in double precision, by the definitions alone: what timed outputs must agree with. */
#ifndef SUPPLE_CLI_BENCH_REFERENCE_H
#define SUPPLE_CLI_BENCH_REFERENCE_H

#include <supple/supple.h>

#include <stdint.h>

/* A joint: its matrix, and the rotation closest to it (to its negative, where it mirrors). */
typedef struct cli_bench_joint {
  double m[3][4], q[4]; /* q: x, y, z, w; the largest positive */
} cli_bench_joint;

typedef struct cli_bench_vertex {
  double position[3], normal[3], tangent[4];
  double trust; /* below 1: the normal is that much worse defined (it is the rest of a cancellation) */
} cli_bench_vertex;

/* Of a matrix of full rank. */
cli_bench_joint cli_bench_joint_of(const supple_affine *matrix);
/* What agrees with the sign of which influence: against the largest, as the library, or the first. */
typedef enum cli_bench_pivot { CLI_BENCH_AGAINST_LARGEST, CLI_BENCH_AGAINST_FIRST } cli_bench_pivot;

/* Influences of a vertex: they sum to 1; of none it stays at rest. */
typedef struct cli_bench_blend {
  supple_method method;
  cli_bench_pivot pivot;
  const cli_bench_joint *joints;
  uint32_t count;
  const uint16_t *indices;
  const float *weights;
} cli_bench_blend;

cli_bench_vertex cli_bench_reference(const cli_bench_blend *blend, supple_normals mode,
                                     const cli_bench_vertex *rest);

#endif
