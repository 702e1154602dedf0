/* test_golden.c: the golden rows in this build: what was recorded, whatever the split, the threads, the memory
 * layout and the kernels. */
#include "cli/golden.h"
#include "cli/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_of(uint32_t row, const cli_golden_way *way) {
  uint64_t hash = 0;
  char name[CLI_GOLDEN_NAME];
  cli_golden_name(row, name);
  const supple_result result = cli_golden_compute(row, way, &hash);
  if (result) fail_msg("%s: %s", name, supple_result_text(result));
  return hash;
}

static void assert_expected(uint32_t row, const cli_golden_way *way, const char *what) {
  uint64_t expected;
  char name[CLI_GOLDEN_NAME];
  cli_golden_name(row, name);
  if (!cli_golden_expected(row, &expected)) fail_msg("%s: no hash is recorded", name);
  const uint64_t hash = hash_of(row, way);
  if (hash != expected)
    fail_msg("%s, %s: 0x%08lx%08lx, not 0x%08lx%08lx", name, what, (unsigned long)(hash >> 32),
             (unsigned long)(hash & 0xffffffffu), (unsigned long)(expected >> 32),
             (unsigned long)(expected & 0xffffffffu));
}

/* ---- the machinery ---- */

/* FNV-1a's own test vectors: the empty text, "a", and four bytes read as little endian. */
static void hash_is_fnv(void **state) {
  (void)state;
  cli_golden_hash hash = cli_golden_hash_start();
  assert_true(hash.state == 0xcbf29ce484222325u);
  cli_golden_hash_u32(&hash, 0x6f6f6663u); /* "cfoo" */
  uint64_t expected = 0xcbf29ce484222325u;
  for (const char *c = "cfoo"; *c; c++) expected = (expected ^ (uint64_t)*c) * 1099511628211u;
  assert_true(hash.state == expected);
}

static void hash_sees_every_bit(void **state) {
  (void)state;
  const float values[3] = {1, 2, 3};
  for (int i = 0; i < 3; i++) {
    float changed[3];
    memcpy(changed, values, sizeof changed);
    changed[i] += changed[i] * 0x1p-23f;
    cli_golden_hash a = cli_golden_hash_start(), b = cli_golden_hash_start();
    cli_golden_hash_floats(&a, values, 3);
    cli_golden_hash_floats(&b, changed, 3);
    assert_true(a.state != b.state);
  }
  const float zeros[2] = {0.0f, -0.0f};
  cli_golden_hash a = cli_golden_hash_start(), b = cli_golden_hash_start();
  cli_golden_hash_floats(&a, zeros, 1);
  cli_golden_hash_floats(&b, zeros + 1, 1);
  assert_true(a.state != b.state);
}

static void hash_notes_what_is_not_finite(void **state) {
  (void)state;
  const float float_infinity = (float)HUGE_VAL;
  const double infinity = -HUGE_VAL, largest = 1.7e308;
  cli_golden_hash a = cli_golden_hash_start(), b = cli_golden_hash_start();
  cli_golden_hash_doubles(&a, &largest, 1);
  assert_true(a.finite);
  cli_golden_hash_doubles(&a, &infinity, 1);
  assert_false(a.finite);
  cli_golden_hash_floats(&b, &float_infinity, 1);
  assert_false(b.finite);
}

static void rows_have_names_of_their_own(void **state) {
  (void)state;
  assert_true(cli_golden_count() > 90);
  for (uint32_t row = 0; row < cli_golden_count(); row++) {
    char name[CLI_GOLDEN_NAME], other[CLI_GOLDEN_NAME];
    cli_golden_name(row, name);
    assert_true(strlen(name) > 0 && strlen(name) < CLI_GOLDEN_NAME - 1);
    for (uint32_t i = 0; i < row; i++) {
      cli_golden_name(i, other);
      assert_string_not_equal(name, other);
    }
  }
}

/* Every deformer, sign mode, scale mode and normals mode makes a difference, or a row would prove nothing. */
static void rows_differ(void **state) {
  (void)state;
  uint64_t hashes[512];
  const uint32_t count = cli_golden_count();
  assert_true(count <= 512);
  for (uint32_t row = 0; row < count; row++) {
    hashes[row] = hash_of(row, NULL);
    for (uint32_t i = 0; i < row; i++)
      if (hashes[i] == hashes[row])
        fail_msg("rows %u and %u are alike", (unsigned)i, (unsigned)row);
  }
}

/* ---- the bits ---- */

/* Each of several ways takes every fourth row or so, from another one on. */
enum { SHARE = 4 };

static void bits_are_those_recorded(void **state) {
  (void)state;
  for (uint32_t row = 0; row < cli_golden_count(); row++) assert_expected(row, NULL, "as it is");
}

static void all_kernels_agree(void **state) {
  (void)state;
  for (int isa = SUPPLE_ISA_SCALAR; isa <= SUPPLE_ISA_WASM; isa++) {
    const cli_golden_way way = {.isa = (supple_isa)isa};
    if (!supple_isa_available(way.isa)) continue;
    for (uint32_t row = (uint32_t)isa % 2; row < cli_golden_count(); row += 2)
      if (cli_golden_is_deformation(row)) assert_expected(row, &way, supple_isa_text(way.isa));
  }
}

static void bindings_agree(void **state) {
  (void)state;
  static const cli_golden_way ways[] = {
      {.sort = true}, {.geometry = true}, {.sort = true, .geometry = true}};
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
    for (uint32_t row = (uint32_t)i; row < cli_golden_count(); row += SHARE - 1)
      if (cli_golden_is_deformation(row)) assert_expected(row, &ways[i], "by another binding");
}

static void layout_in_memory_does_not_matter(void **state) {
  (void)state;
  static const uint32_t gaps[] = {1, 6, 15};
  for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
    const cli_golden_way way = {.gap = gaps[i]};
    for (uint32_t row = (uint32_t)i; row < cli_golden_count(); row += SHARE - 1)
      if (cli_golden_is_deformation(row)) assert_expected(row, &way, "interleaved");
  }
}

static void add_report(supple_deform_report *sum, const supple_deform_report *part) {
  sum->fallbacks += part->fallbacks;
  sum->vanished_normals += part->vanished_normals;
  sum->vanished_tangents += part->vanished_tangents;
}

/* Ranges of the given size, and of a growing one where it is 0, the last first. */
static supple_result deform_in_ranges(void *user, const supple_job *job, uint32_t count,
                                      supple_deform_report *report) {
  const uint32_t *step = user;
  uint32_t end = count, size = *step ? *step : 1;
  while (end > 0) {
    const uint32_t begin = end > size ? end - size : 0;
    const supple_result result = supple_deform_range(job, begin, end, report);
    if (result) return result;
    end = begin;
    if (*step == 0) size = size * 2 + 1;
  }
  return SUPPLE_OK;
}

static void any_split_agrees(void **state) {
  (void)state;
  uint32_t steps[] = {0, 1, 15, 16, 17, 100};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const cli_golden_way way = {.deform = deform_in_ranges, .user = &steps[i]};
    for (uint32_t row = (uint32_t)i % SHARE; row < cli_golden_count(); row += SHARE)
      if (cli_golden_is_deformation(row)) assert_expected(row, &way, "split");
  }
}

enum { PIECE = 23, MOST_THREADS = 16 };

typedef struct crew {
  const supple_job *job;
  uint32_t count, threads;
  supple_deform_report reports[MOST_THREADS];
} crew;

static int deform_piece(void *user, uint32_t index, uint32_t worker) {
  crew *c = user;
  const uint32_t begin = index * PIECE;
  const uint32_t end = begin + PIECE < c->count ? begin + PIECE : c->count;
  return (int)supple_deform_range(c->job, begin, end, &c->reports[worker]);
}

static supple_result deform_in_threads(void *user, const supple_job *job, uint32_t count,
                                       supple_deform_report *report) {
  crew *c = user;
  c->job = job;
  c->count = count;
  memset(c->reports, 0, sizeof c->reports);
  const int result = cli_parallel((count + PIECE - 1) / PIECE, c->threads, deform_piece, c, NULL);
  for (int i = 0; i < MOST_THREADS; i++) add_report(report, &c->reports[i]);
  return (supple_result)result;
}

static void any_number_of_threads_agrees(void **state) {
  (void)state;
  static const uint32_t numbers[] = {2, 5, MOST_THREADS};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    crew c = {.threads = numbers[i]};
    const cli_golden_way way = {.deform = deform_in_threads, .user = &c};
    for (uint32_t row = (uint32_t)i; row < cli_golden_count(); row += SHARE)
      if (cli_golden_is_deformation(row)) assert_expected(row, &way, "in threads");
  }
}

/* It must be able to fail: a result off by one unit in the last place of one coordinate. */
static supple_result deform_wrongly(void *user, const supple_job *job, uint32_t count,
                                    supple_deform_report *report) {
  (void)user;
  const supple_result result = supple_deform_range(job, 0, count, report);
  float *number = job->out_positions.data;
  uint32_t bits;
  memcpy(&bits, number, sizeof bits);
  bits ^= 1;
  memcpy(number, &bits, sizeof bits);
  return result;
}

static void one_wrong_bit_is_seen(void **state) {
  (void)state;
  uint64_t expected;
  const cli_golden_way way = {.deform = deform_wrongly};
  assert_true(cli_golden_expected(0, &expected));
  assert_true(hash_of(0, &way) != expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hash_is_fnv),
      cmocka_unit_test(hash_sees_every_bit),
      cmocka_unit_test(hash_notes_what_is_not_finite),
      cmocka_unit_test(rows_have_names_of_their_own),
      cmocka_unit_test(rows_differ),
      cmocka_unit_test(bits_are_those_recorded),
      cmocka_unit_test(all_kernels_agree),
      cmocka_unit_test(bindings_agree),
      cmocka_unit_test(layout_in_memory_does_not_matter),
      cmocka_unit_test(any_split_agrees),
      cmocka_unit_test(any_number_of_threads_agrees),
      cmocka_unit_test(one_wrong_bit_is_seen),
  };
  const struct CMUnitTest threaded[] = {cmocka_unit_test(any_number_of_threads_agrees)};
  const char *sanitizers = getenv("SUPPLE_SANITIZE");
  if (sanitizers && strstr(sanitizers, "thread")) /* slow, and it looks at threads alone */
    return cmocka_run_group_tests(threaded, NULL, NULL);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
