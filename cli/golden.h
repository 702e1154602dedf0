/* golden.h: known results of the library, as hashes of their bits, to tell on any machine whether its bits are
 * right.
 *
 * A row is one deformer with one set of streams, or one part of the mathematics. Its input is built by
 * integer arithmetic, so that nothing but the library can make a difference. golden_values.h holds the hash
 * of each row; `supple bench --verify --print` writes that file anew. */
#ifndef SUPPLE_CLI_GOLDEN_H
#define SUPPLE_CLI_GOLDEN_H

#include <supple/supple.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ---- the hash: FNV-1a over little-endian bytes, on every machine ---- */

typedef struct cli_golden_hash {
  uint64_t state;
  bool finite; /* every number was: NaN's bits are the machine's own affair */
} cli_golden_hash;

static inline cli_golden_hash cli_golden_hash_start(void) {
  const cli_golden_hash hash = {0xcbf29ce484222325u, true};
  return hash;
}
static inline void cli_golden_hash_u64(cli_golden_hash *hash, uint64_t value) {
  for (int i = 0; i < 8; i++)
    hash->state = (hash->state ^ (value >> (8 * i) & 0xff)) * 0x100000001b3u;
}
static inline void cli_golden_hash_u32(cli_golden_hash *hash, uint32_t value) {
  for (int i = 0; i < 4; i++)
    hash->state = (hash->state ^ (value >> (8 * i) & 0xff)) * 0x100000001b3u;
}
static inline void cli_golden_hash_floats(cli_golden_hash *hash, const float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    if ((bits >> 23 & 0xff) == 0xff) hash->finite = false;
    cli_golden_hash_u32(hash, bits);
  }
}
static inline void cli_golden_hash_doubles(cli_golden_hash *hash, const double *values,
                                           size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    if ((bits >> 52 & 0x7ff) == 0x7ff) hash->finite = false;
    cli_golden_hash_u64(hash, bits);
  }
}

/* ---- numbers for the input ---- */

typedef struct cli_golden_random {
  uint64_t state;
} cli_golden_random;

/* 24 bits. No two calls in one expression: C leaves their order to the compiler. */
static inline uint32_t cli_golden_bits(cli_golden_random *random) {
  random->state = random->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random->state >> 40);
}
/* A multiple of 2^-23 in [-1, 1): exact as float and double. */
static inline double cli_golden_signed(cli_golden_random *random) {
  const int32_t value = (int32_t)cli_golden_bits(random) - (1 << 23);
  return (double)value * 0x1p-23;
}

/* ---- the rows ---- */

enum { CLI_GOLDEN_NAME = 48 };

/* Deforms vertices 0 <= i < count of the job, in whatever ranges and threads; report as
 * supple_deform_range's. */
typedef supple_result cli_golden_deform(void *user, const supple_job *job, uint32_t count,
                                        supple_deform_report *report);

/* How to run a row; all give the same hash. Zeros: at once, tightly packed, by the best kernels. */
typedef struct cli_golden_way {
  supple_isa isa;
  uint32_t gap;              /* floats between vertices, in inputs and outputs; at most 16 */
  bool sort;                 /* by a sorted binding */
  bool geometry;             /* from the binding's own copy of the geometry */
  cli_golden_deform *deform; /* NULL: supple_deform_range */
  void *user;
} cli_golden_way;

uint32_t cli_golden_count(void);
/* "dqs-first pnt-cofactor", "trigonometry", …: row < cli_golden_count(). */
void cli_golden_name(uint32_t row, char name[CLI_GOLDEN_NAME]);
/* Whether the row deforms, so that the way matters. */
bool cli_golden_is_deformation(uint32_t row);
/* The recorded hash; false where none was recorded. */
bool cli_golden_expected(uint32_t row, uint64_t *hash);
/* The hash in this build. SUPPLE_ERROR_MEMORY, or SUPPLE_ERROR_NUMBER where a result is not finite. */
supple_result cli_golden_compute(uint32_t row, const cli_golden_way *way, uint64_t *hash);

/* ---- the parts beside deformation (golden_parts.c) ---- */

typedef supple_result cli_golden_part(cli_golden_hash *hash);

typedef struct cli_golden_part_row {
  const char *name;
  cli_golden_part *compute;
} cli_golden_part_row;

/* Ends with a NULL name. */
extern const cli_golden_part_row cli_golden_parts[];

#endif
