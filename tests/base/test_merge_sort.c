/* test_merge_sort.c: order, stability, and the number of comparisons. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/merge_sort.h"

enum { MOST = 3000 };
static uint64_t items[MOST], scratch[MOST];
static size_t comparisons;

static int by_upper_half(const void *context, uint64_t a, uint64_t b) {
  assert_ptr_equal(context, scratch);
  comparisons++;
  return a >> 32 < b >> 32 ? -1 : a >> 32 > b >> 32;
}

static void sorts_and_keeps_the_order_of_equals(void **state) {
  (void)state;
  for (size_t count = 0; count < 300; count += count < 20 ? 1 : 37) {
    uint64_t sum = 0, seed = count + 1;
    for (size_t i = 0; i < count; i++) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      items[i] = (seed >> 60) << 32 | i; /* sixteen keys, so many are equal */
      sum += items[i];
    }
    supplei_merge_sort(items, scratch, count, by_upper_half, scratch);
    for (size_t i = 0; i < count; i++) {
      if (i) assert_true(items[i - 1] < items[i]); /* key, then place: stable */
      sum -= items[i];
    }
    assert_int_equal(sum, 0);
  }
}

static void without_a_comparison_ascending(void **state) {
  (void)state;
  uint64_t values[] = {5, UINT64_MAX, 0, 7, 7, 1}, space[6];
  const uint64_t wanted[] = {0, 1, 5, 7, 7, UINT64_MAX};
  supplei_merge_sort(values, space, 6, NULL, NULL);
  assert_memory_equal(values, wanted, sizeof values);
}

static void no_input_is_slow(void **state) {
  (void)state;
  for (int kind = 0; kind < 4; kind++) {
    for (size_t i = 0; i < MOST; i++)
      items[i] = (kind == 0   ? i
                  : kind == 1 ? MOST - i
                  : kind == 2 ? 0
                  : i % 2     ? i
                              : MOST - i)
                 << 32;
    comparisons = 0;
    supplei_merge_sort(items, scratch, MOST, by_upper_half, scratch);
    assert_true(comparisons <= MOST * 12); /* 2^12 > MOST */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sorts_and_keeps_the_order_of_equals),
                                     cmocka_unit_test(without_a_comparison_ascending),
                                     cmocka_unit_test(no_input_is_slow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
