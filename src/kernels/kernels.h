/* kernels.h: what the deformation hands to a kernel. Kernels know nothing of bindings, palettes and jobs.
 *
 * A block is 16 consecutive vertices that share one ascending list of joints; weights are stored [joint][lane],
 * 0 where a vertex does not use a joint. A kernel computes whole blocks and says which lanes it could not
 * (a direction that vanished, a scale out of float's reach): those are done again, vertex by vertex, by the
 * reference in src/deform, which also counts them. */
#ifndef SUPPLEI_KERNELS_H
#define SUPPLEI_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUPPLEI_BLOCK = 16 };

typedef enum supplei_kernel_normals {
  SUPPLEI_KERNEL_COFACTOR,
  SUPPLEI_KERNEL_UNIT,
  SUPPLEI_KERNEL_LINEAR
} supplei_kernel_normals;

/* A stream of the caller: `data` NULL in input means the compiled one, in output none. stride in bytes. */
typedef struct supplei_kernel_stream {
  const char *data;
  size_t stride;
} supplei_kernel_stream;

typedef struct supplei_kernel_out {
  char *data;
  size_t stride;
  bool stream; /* past the cache: data is aligned for it and packed */
} supplei_kernel_out;

/* SUPPLEI_SMALL: where vertices are few and bytes count (web/wasm/build.sh). Then there are neither kernels nor blocks:
 * the reference in src/deform deforms every vertex. */
#if defined(SUPPLEI_SMALL)
enum { SUPPLEI_BY_BLOCKS = false };
#else
enum { SUPPLEI_BY_BLOCKS = true };
#endif

#if defined(__GNUC__) && !defined(SUPPLEI_SMALL)
#define SUPPLEI_INLINE static inline __attribute__((always_inline))
#define SUPPLEI_APART static __attribute__((noinline)) /* rare: one copy, not one a variant */
#else
#define SUPPLEI_INLINE static inline
#define SUPPLEI_APART static
#endif

/* How the blocks of a mesh are stored; block b's joints are joints[begins[b] … begins[b + 1]). */
typedef struct supplei_kernel_blocks {
  const uint32_t *begins;
  const uint16_t *joints;
  const float *weights;   /* [joint of a block][16] */
  const uint16_t *pivots; /* [block][16] joint with the highest weight of each vertex */
  /* Blocks of too many joints have none of the above but pivots: their vertices are summed one by one. */
  const uint8_t *wide;           /* [block] */
  const uint32_t *vertex_begins; /* [vertex + 1] into the next two */
  const uint16_t *vertex_joints; /* ascending within a vertex */
  const float *vertex_weights;
  const float *sums;                /* [vertex], or NULL */
  const float *positions, *normals; /* compiled: [block][3][16], or NULL */
  const float *tangents;            /* [block][4][16] */
} supplei_kernel_blocks;

/* Joint numbers: `agreed` have their signs resolved along a tree, `stored` not; see doubtful. */
typedef struct supplei_kernel_job {
  supplei_kernel_blocks blocks;
  const float *matrices;                      /* [joint][12], for LBS */
  const float *agreed_rigid, *stored_rigid;   /* [joint][8] */
  const float *agreed_affine, *stored_affine; /* [joint][20], or NULL where all joints are rigid */
  const uint8_t *is_rigid;                    /* [joint] */
  const uint8_t *doubtful; /* [block] non-zero: signs are resolved lane by lane; NULL: no block */
  /* Not below the squared Frobenius norm of any joint matrix (LBS: of any blend), and large enough that a
   * direction which passes the test with it proves L to be within the reference's reach: |L n|² > 1e-12
   * bound |n|² proves |L|² > 1e-12 bound, so 100 at least; |cof(L) n|² > 1e-12 bound² |n|² proves
   * |L|² > 1e-6 bound, so 1e-4 at least. 0: unknown. */
  float unit_bound, cofactor_bound;
  bool per_pose; /* the stored signs are final: none is resolved by vertex */
  float scale;   /* of the rigid numbers */
  supplei_kernel_normals mode;
  supplei_kernel_stream positions, normals, tangents;
  supplei_kernel_out out_positions, out_normals, out_tangents;
} supplei_kernel_job;

/* Computes blocks begin <= b < end, all of 16 whole vertices, and sets again[b - begin]: bit i for lane i. */
typedef void supplei_kernel(const supplei_kernel_job *job, uint32_t begin, uint32_t end,
                            uint16_t *again);

typedef struct supplei_kernels {
  const char *name;
  supplei_kernel *lbs, *dqs;
  size_t stream_align; /* of an output that may be streamed, in bytes; 0: never */
  void (*fence)(void); /* after streaming */
} supplei_kernels;

extern const supplei_kernels supplei_kernels_scalar;
#if defined(__x86_64__) && defined(__GNUC__)
#define SUPPLEI_HAS_X86 1
extern const supplei_kernels supplei_kernels_sse2, supplei_kernels_avx2, supplei_kernels_avx512;
#elif defined(__aarch64__) && defined(__GNUC__)
#define SUPPLEI_HAS_NEON 1
extern const supplei_kernels supplei_kernels_neon;
#elif defined(__wasm_simd128__)
#define SUPPLEI_HAS_WASM 1
extern const supplei_kernels supplei_kernels_wasm;
#endif

/* The instruction sets, in the order of supple_isa (deform.h). */
enum {
  SUPPLEI_ISA_BEST,
  SUPPLEI_ISA_SCALAR,
  SUPPLEI_ISA_SSE2,
  SUPPLEI_ISA_AVX2,
  SUPPLEI_ISA_AVX512,
  SUPPLEI_ISA_NEON,
  SUPPLEI_ISA_WASM,
  SUPPLEI_ISA_COUNT
};

/* The kernels of an instruction set, or NULL where this build or this machine has it not. Best: the widest.
 * Asks the processor: microseconds; keep the answer. */
const supplei_kernels *supplei_kernels_select(int isa);
/* The same of all of them, asking once. */
void supplei_kernels_select_all(const supplei_kernels *kernels[SUPPLEI_ISA_COUNT]);

#endif
