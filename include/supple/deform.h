/* deform.h: linear blend skinning and dual quaternion skinning of caller memory.
 *
 *   binding (once a mesh) + palette (once a frame) -> prepared (once a frame) -> jobs (any thread)
 *
 * The same bits come out whatever the split into ranges, the thread count, the compiler and the
 * instruction set, for finite input under round-to-nearest without flush-to-zero.
 *
 * LBS: v' = sum w (M v). DQS: with p = M v and q the orthogonal polar factor of M as a quaternion (of -M
 * where M reflects), r = sum w q, v' = vec((sum w p q) r*) / |r|^2, p as a pure quaternion. For rigid
 * joints that is dual quaternion linear blending (Kavan et al. 2007, 2008); for equal rotations it is LBS;
 * scale, shear and mirrors need no special case. docs/decisions.md derives it. */
#ifndef SUPPLE_DEFORM_H
#define SUPPLE_DEFORM_H

#include "base.h"
#include "mesh.h"
#include "rig.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How vertices follow their joints. */
typedef enum supple_method {
  SUPPLE_LBS, /* linear blend skinning */
  SUPPLE_DQS  /* dual quaternion skinning */
} supple_method;

/* How DQS treats joint matrices that are not rigid. */
typedef enum supple_scale {
  SUPPLE_SCALE_AFFINE, /* the formula above: any matrix, exact where one influence or equal rotations */
  SUPPLE_SCALE_FIRST, /* M = T R S: v is first moved by sum w S about the mesh origin, then by the blended
                          rigid motion (Kavan 2008, 4.2; OpenUSD) */
  SUPPLE_SCALE_NONE /* the rigid part T R alone */
} supple_scale;

/* Which of q and -q is blended. Per vertex: against the influence with the highest weight (the pivot; ties
 * to the lowest joint) one is negated where the dot product is < -1e-6; q is stored with its largest
 * component positive, so that a turn of exactly 180 degrees is defined. Per pose: each joint agrees with
 * its parent joint (with the first joint, in a palette without parents), so that the neighbours of a vertex
 * never disagree; |r| may vanish, then LBS steps in. */
typedef enum supple_signs {
  SUPPLE_SIGNS_PER_VERTEX, /* against the vertex's pivot */
  SUPPLE_SIGNS_PER_POSE    /* along the hierarchy */
} supple_signs;

/* How M = T R S is found (math.h: supple_split_polar, supple_split_gram_schmidt). */
typedef enum supple_split_method {
  SUPPLE_SPLIT_POLAR,       /* R is the rotation closest to M */
  SUPPLE_SPLIT_GRAM_SCHMIDT /* R from M's columns in their order */
} supple_split_method;

/* Zero means the default. */
typedef struct supple_prepared_options {
  supple_scale scale;        /* 0: affine */
  supple_signs signs;        /* 0: per vertex */
  supple_split_method split; /* how rotations are found; 0: polar */
  /* A joint within this share of the scale most joints have counts as rigid up to that scale, and vertices
   * of such joints alone take the shorter formula (8 numbers a joint, not 20). 0 means 2e-5; negative: no
   * joint does. */
  double rigid_tolerance;
  supple_allocator allocator; /* for the object; zeroed: malloc */
} supple_prepared_options;

/* What supple_prepared_update found, over all joints of the palette (LBS fills refused_joint alone). */
typedef struct supple_prepared_report {
  uint32_t refused_joint; /* the reason of SUPPLE_ERROR_NUMBER: its matrix is not finite, or too large for
                             the numbers of DQS in float; else SUPPLE_NONE */
  double common_scale; /* signed scale that most joints share */
  uint32_t rigid;      /* joints within rigid_tolerance of common_scale */
  uint32_t scaled;     /* similarities of another scale */
  uint32_t sheared;    /* neither: sheared, or scaled unevenly */
  uint32_t mirrored;   /* of all of them: those that reflect */
  uint32_t singular;   /* of all of them: rank below 3, rotation completed from the hierarchy */
} supple_prepared_report;

/* A palette made ready for one binding and method. One frame's state: update it from one thread, then any
 * number may deform from it until the next update. */
typedef struct supple_prepared supple_prepared;

/* For palettes that serve `binding` (borrowed; must outlive it). NULL when out of memory. */
SUPPLE_API supple_prepared *supple_prepared_create(const supple_binding *binding,
                                                   const supple_prepared_options *options,
                                                   supple_error *error);
/* No job may be using it. NULL is fine. */
SUPPLE_API void supple_prepared_destroy(supple_prepared *prepared);
/* Factors, signs and packed numbers for this frame; copies the palette. Allocates only where the palette has
 * more joints than any before it (SUPPLE_ERROR_MEMORY). Fails where the palette has fewer joints than the
 * binding uses or another binding is passed (SUPPLE_ERROR_ARGUMENT), or a matrix is not finite, be it used
 * or not (SUPPLE_ERROR_NUMBER, see refused_joint); then the object must be updated again before use. */
SUPPLE_API supple_result supple_prepared_update(supple_prepared *prepared,
                                                const supple_binding *binding,
                                                const supple_palette *palette, supple_method method);
/* What the last update found, also where it failed; valid until the next one. */
SUPPLE_API const supple_prepared_report *supple_prepared_found(const supple_prepared *prepared);

/* Normals, for L the linear part of v -> v' at the vertex's weights:
 *  cofactor  unit, by cof(L) sign(det L): exact for given weights; where that vanishes by L n, where that
 *            vanishes too as at rest; both counted;
 *  unit      unit, by L n (as most engines, normalised);
 *  linear    L n as it comes.
 * Tangents: by L t; but for `linear` made orthogonal to the new normal (where there is one) and unit length.
 * Their w is negated where det L < 0. A vertex without influence keeps all of its streams as they are. */
typedef enum supple_normals {
  SUPPLE_NORMALS_COFACTOR, /* by cof(L), unit */
  SUPPLE_NORMALS_UNIT,     /* by L, unit */
  SUPPLE_NORMALS_LINEAR    /* by L, as it comes */
} supple_normals;

/* Which kernels run. All give the same bits. Asking for one that this build or machine has not is
 * SUPPLE_ERROR_UNSUPPORTED. */
typedef enum supple_isa {
  SUPPLE_ISA_BEST,   /* the widest of this machine */
  SUPPLE_ISA_SCALAR, /* plain C */
  SUPPLE_ISA_SSE2,   /* x86-64 */
  SUPPLE_ISA_AVX2,   /* x86-64 */
  SUPPLE_ISA_AVX512, /* x86-64 with AVX-512F */
  SUPPLE_ISA_NEON,   /* arm64 */
  SUPPLE_ISA_WASM    /* WebAssembly with SIMD128, chosen at build time */
} supple_isa;

/* Whether jobs may ask for it here. */
SUPPLE_API bool supple_isa_available(supple_isa isa);
/* "best", "scalar", "sse2", … */
SUPPLE_API const char *supple_isa_text(supple_isa isa);

/* A deformation of caller memory. Streams of whole primitives: element i is vertex i of the binding. positions
 * and out_positions are needed; normals (3 floats) and tangents (4) where their outputs are set; an input
 * may be left out where the binding has a copy (its option `geometry`). Outputs may
 * not overlap inputs nor each other. */
typedef struct supple_job {
  const supple_prepared *prepared;            /* updated; borrowed */
  supple_stream positions, normals, tangents; /* at rest, or morphed */
  supple_out_stream out_positions, out_normals,
      out_tangents;           /* the last two: NULL where not wanted */
  supple_normals normal_mode; /* 0: cofactor */
  supple_isa isa;             /* 0: the best that the machine has */
} supple_job;

/* What happened to the vertices of a range; added to, so zero it first. */
typedef struct supple_deform_report {
  uint32_t fallbacks;        /* |r|^2 < 1e-12: LBS was used */
  uint32_t vanished_normals; /* cof(L) n vanished */
  uint32_t vanished_tangents; /* L t vanished or was parallel to the normal: any perpendicular was used */
} supple_deform_report;

/* Deforms vertices begin <= i < end; an empty range does nothing. Touches nothing outside the range, never
 * allocates, and may run in any number of threads at once on disjoint ranges. report may be NULL.
 * SUPPLE_ERROR_ARGUMENT where the job lacks a stream, the range exceeds the binding, or prepared was not
 * updated; nothing is written then. */
SUPPLE_API supple_result supple_deform_range(const supple_job *job, uint32_t begin, uint32_t end,
                                             supple_deform_report *report);
/* All vertices. */
SUPPLE_API supple_result supple_deform(const supple_job *job);

/* How the vertices of a range will be treated, without deforming them; added to. */
typedef struct supple_inspection {
  uint32_t rest;    /* no influence: they keep their rest position */
  uint32_t affine;  /* DQS: some joint is not rigid up to the common scale (20 numbers) */
  uint32_t flipped; /* DQS: influences negated against their vertex's pivot */
} supple_inspection;
/* Counts the vertices begin <= i < end; any thread. SUPPLE_ERROR_ARGUMENT as in supple_deform_range. */
SUPPLE_API supple_result supple_prepared_inspect(const supple_prepared *prepared, uint32_t begin,
                                                 uint32_t end, supple_inspection *inspection);

/* The linear part L of v -> v' at a vertex's weights, as the deformation computes it (in float). The identity
 * for a vertex without influence. */
SUPPLE_API supple_mat3 supple_prepared_linear(const supple_prepared *prepared, uint32_t vertex);

/* Morph targets, before skinning: out = base + sum weight · offset, targets in order, weights of 0 skipped.
 * Any of the outputs may be unset; an output whose base stream is absent in the primitive is not allowed
 * (SUPPLE_ERROR_ARGUMENT). Normals are not renormalised (skinning does it); tangents keep their w.
 * weights may be NULL (none); weight_count beyond target_count is ignored. */
SUPPLE_API supple_result supple_morph(const supple_primitive *primitive, const float *weights,
                                      uint32_t weight_count, supple_out_stream out_positions,
                                      supple_out_stream out_normals, supple_out_stream out_tangents);

#ifdef __cplusplus
}
#endif
#endif
