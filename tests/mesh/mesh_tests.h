/* mesh_tests.h: an allocator that counts and fails, random numbers, and comparing, for the tests of
 * meshes and deformation. Include after cmocka.h. */
#ifndef MESH_TESTS_H
#define MESH_TESTS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <supple/base.h>

/* ---- memory: sizes have to come back as they went; call `fail_at` (from 1) returns NULL ---- */
typedef struct ledger {
  size_t live, calls, fail_at;
  bool wrong;
} ledger;

enum { LEDGER_HEADER = 16 };

static inline void *ledger_allocate(void *user, size_t size) {
  ledger *book = user;
  if (++book->calls == book->fail_at) return NULL;
  char *block = malloc(size + LEDGER_HEADER);
  if (!block) return NULL;
  memcpy(block, &size, sizeof size);
  memset(block + LEDGER_HEADER, 0xA5, size); /* never zero by chance */
  book->live++;
  return block + LEDGER_HEADER;
}

static inline void ledger_release(void *user, void *memory, size_t size) {
  ledger *book = user;
  char *block = (char *)memory - LEDGER_HEADER;
  if (memcmp(block, &size, sizeof size) != 0 || book->live == 0) book->wrong = true;
  book->live--;
  free(block);
}

static inline supple_allocator ledger_allocator(ledger *book) {
  return (supple_allocator){ledger_allocate, ledger_release, book};
}

/* ---- random numbers (xorshift64*, Vigna 2016) ---- */
static inline uint64_t random_bits(uint64_t *state) {
  *state ^= *state >> 12, *state ^= *state << 25, *state ^= *state >> 27;
  return *state * 0x2545F4914F6CDD1Du;
}
static inline double random_between(uint64_t *state, double low, double high) {
  return low + (high - low) * (double)(random_bits(state) >> 11) * 0x1p-53;
}
static inline float random_float(uint64_t *state, double low, double high) {
  return (float)random_between(state, low, high);
}

/* ---- comparing ---- */
#define assert_close(actual, expected, tolerance)                                                  \
  close_enough((double)(actual), (double)(expected), tolerance, #actual, __FILE__, __LINE__)

static inline void close_enough(double actual, double expected, double tolerance, const char *what,
                                const char *file, int line) {
  if (fabs(actual - expected) <= tolerance) return;
  print_error("%s is %.17g, not %.17g within %g\n", what, actual, expected, tolerance);
  _fail(file, line);
}

#endif
