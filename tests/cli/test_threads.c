/* test_threads.c: the parallel loop. */
#include "cli/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { STEPS = 5000 };

typedef struct counts {
  uint32_t done[STEPS];        /* each step writes its own element */
  uint32_t by_worker[256];     /* each thread its own */
  uint32_t fail_from, fail_at; /* steps that return an error */
} counts;

static int count_step(void *user, uint32_t index, uint32_t worker) {
  counts *c = user;
  c->done[index]++;
  c->by_worker[worker]++;
  if (index == c->fail_at) return 7;
  return index >= c->fail_from ? 9 : 0;
}

static void every_step_once(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads < 300; threads = threads * 3 + 1) {
    static counts c;
    memset(&c, 0, sizeof c);
    c.fail_from = c.fail_at = UINT32_MAX;
    assert_int_equal(cli_parallel(STEPS, threads, count_step, &c, NULL), 0);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < STEPS; i++) assert_int_equal(c.done[i], 1);
    for (uint32_t i = 0; i < 256; i++) {
      sum += c.by_worker[i];
      if (i >= threads) assert_int_equal(c.by_worker[i], 0);
    }
    assert_int_equal(sum, STEPS);
  }
}

static void nothing_to_do(void **state) {
  (void)state;
  assert_int_equal(cli_parallel(0, 4, count_step, NULL, NULL), 0);
}

static void the_lowest_failure_wins(void **state) {
  (void)state;
  for (int round = 0; round < 50; round++) {
    static counts c;
    memset(&c, 0, sizeof c);
    c.fail_at = 100;
    c.fail_from = 101;
    assert_int_equal(cli_parallel(STEPS, 4, count_step, &c, NULL), 7);
    for (uint32_t i = 0; i <= 100; i++) assert_int_equal(c.done[i], 1);
    assert_int_equal(c.done[STEPS - 1], 0);
  }
}

static void counting_threads(void **state) {
  (void)state;
  assert_int_equal(cli_thread_count(3), 3);
  assert_int_equal(cli_thread_count(100000), 256);
  assert_true(cli_thread_count(0) >= 1 && cli_thread_count(0) <= 256);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_once),
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(the_lowest_failure_wins),
      cmocka_unit_test(counting_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
