/* test_sort.c: sorting numbers in place, against the C library's sort. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/sort.h"

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void sorts_like_qsort(void **state) {
  (void)state;
  enum { MOST = 3000 };
  static double values[MOST], expected[MOST];
  uint32_t seed = 1;
  for (uint32_t count = 0; count < MOST; count = count < 40 ? count + 1 : count * 2 + 1) {
    for (uint32_t range = 1; range <= 1000000; range *= 1000) { /* few and many equal ones */
      for (uint32_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        values[i] = (double)(seed >> 8 & 0xFFFFF) / 7 - 50000;
        if (range < 1000) values[i] = (double)(seed >> 28);
      }
      memcpy(expected, values, count * sizeof *values);
      if (count) qsort(expected, count, sizeof *expected, ascending);
      supplei_sort(values, count);
      if (count) assert_memory_equal(values, expected, count * sizeof *values);
    }
  }
}

static void sorts_the_sorted_and_the_reversed(void **state) {
  (void)state;
  double up[257], down[257];
  for (int i = 0; i < 257; i++) up[i] = i, down[i] = 256 - i;
  supplei_sort(up, 257);
  supplei_sort(down, 257);
  for (int i = 0; i < 257; i++) {
    assert_true(up[i] == i);
    assert_true(down[i] == i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_like_qsort),
                                     cmocka_unit_test(sorts_the_sorted_and_the_reversed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
