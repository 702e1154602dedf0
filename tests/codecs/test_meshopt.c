/* test_meshopt.c: every mode and filter of meshoptimizer against another build of it, and data that is damaged. */
#include "meshopt_samples.h"

#include <supple/codecs.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* In memory that ends where the data ends, for a sanitizer to see what goes beyond. */
static supple_result decode(const meshopt_sample *s, size_t size, unsigned char *out) {
  unsigned char *exact = malloc(size + !size);
  assert_non_null(exact);
  memcpy(exact, s->packed, size);
  const supple_result result =
      supple_codecs_all()->meshopt(NULL, exact, size, s->mode, s->filter, s->count, s->stride, out);
  free(exact);
  return result;
}

static void modes_and_filters(void **state) {
  (void)state;
  for (size_t i = 0; i < SAMPLES; i++) {
    const meshopt_sample *s = &samples[i];
    unsigned char *out = calloc(s->count, s->stride);
    const supple_result result = decode(s, s->packed_size, out);
    /* The newer version is decoded, or refused as what it is. */
    if (i == NEWER && result == SUPPLE_ERROR_UNSUPPORTED) {
      free(out);
      continue;
    }
    assert_int_equal(result, SUPPLE_OK);
    if (memcmp(out, s->plain, s->count * s->stride) != 0) fail_msg("sample %zu differs", i);
    free(out);
  }
}

static void cut_short(void **state) {
  (void)state;
  for (size_t i = 0; i < SAMPLES; i++) {
    unsigned char *out = calloc(samples[i].count, samples[i].stride);
    for (size_t size = 0; size < samples[i].packed_size; size++)
      assert_true(decode(&samples[i], size, out) != SUPPLE_OK);
    free(out);
  }
}

/* Any byte replaced: it may decode to something, but never beyond its memory. */
static void damaged(void **state) {
  (void)state;
  for (size_t i = 0; i < SAMPLES; i++) {
    const meshopt_sample *s = &samples[i];
    unsigned char copy[256], *out = calloc(s->count, s->stride);
    assert_true(s->packed_size <= sizeof copy);
    for (size_t at = 0; at < s->packed_size; at++)
      for (unsigned value = 0; value < 256; value += 17) {
        memcpy(copy, s->packed, s->packed_size);
        copy[at] = (unsigned char)value;
        meshopt_sample changed = *s;
        changed.packed = copy;
        const supple_result result = decode(&changed, s->packed_size, out);
        assert_true(result == SUPPLE_OK || result == SUPPLE_ERROR_FORMAT ||
                    result == SUPPLE_ERROR_UNSUPPORTED);
      }
    free(out);
  }
}

static void what_is_asked_for(void **state) {
  (void)state;
  const supple_codecs *all = supple_codecs_all();
  const meshopt_sample *s = &samples[0];
  unsigned char out[4096];
  assert_int_equal(all->meshopt(NULL, s->packed, s->packed_size, "POINTS", "NONE", 5, 8, out),
                   SUPPLE_ERROR_UNSUPPORTED);
  assert_int_equal(all->meshopt(NULL, s->packed, s->packed_size, s->mode, "SEPIA", 5, 8, out),
                   SUPPLE_ERROR_UNSUPPORTED);
  assert_int_equal(all->meshopt(NULL, s->packed, s->packed_size, s->mode, "NONE", 5, 6, out),
                   SUPPLE_ERROR_FORMAT);
  assert_int_equal(all->meshopt(NULL, s->packed, s->packed_size, s->mode, "NONE", 5, 260, out),
                   SUPPLE_ERROR_FORMAT);
  assert_int_equal(all->meshopt(NULL, s->packed, s->packed_size, s->mode, "NONE", 0, 8, out),
                   SUPPLE_ERROR_FORMAT);
  assert_int_equal(all->meshopt(NULL, s->packed, s->packed_size, "TRIANGLES", "NONE", 6, 2, out),
                   SUPPLE_ERROR_FORMAT); /* data of another mode */
}

int main(void) {
  if (!supple_codecs_all()->meshopt) {
    print_message("skipped: this build has no meshoptimizer (libmeshoptimizer-dev)\n");
    return 77;
  }
  const struct CMUnitTest tests[] = {cmocka_unit_test(modes_and_filters),
                                     cmocka_unit_test(cut_short), cmocka_unit_test(damaged),
                                     cmocka_unit_test(what_is_asked_for)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
