/* test_threads.c: the parallel loops. */
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

/* ---- in order ---- */

enum { WINDOW = 5 };

typedef struct order {
  uint32_t window, taken;
  uint32_t held[WINDOW]; /* index + 1 that was made into a slot and not taken yet */
  uint32_t make_fails, take_fails;
} order;

static int make_step(void *user, uint32_t index, uint32_t worker) {
  order *o = user;
  (void)worker;
  if (index >= o->make_fails) return 8;
  assert_int_equal(o->held[index % o->window], 0); /* whoever had the slot was taken */
  o->held[index % o->window] = index + 1;
  return 0;
}

static int take_step(void *user, uint32_t index, uint32_t worker) {
  order *o = user;
  (void)worker;
  assert_int_equal(index, o->taken);
  assert_int_equal(o->held[index % o->window], index + 1);
  o->held[index % o->window] = 0;
  o->taken++;
  return index == o->take_fails ? 9 : 0;
}

static int run_order(order *o, uint32_t count, uint32_t threads, uint32_t window) {
  o->window = window;
  o->taken = 0;
  memset(o->held, 0, sizeof o->held);
  return cli_ordered(count, threads, window, make_step, take_step, o, NULL);
}

static void taken_in_order(void **state) {
  (void)state;
  order o = {.make_fails = UINT32_MAX, .take_fails = UINT32_MAX};
  for (uint32_t threads = 1; threads < 20; threads += 3)
    for (uint32_t window = 1; window <= WINDOW; window++) {
      assert_int_equal(run_order(&o, 700, threads, window), 0);
      assert_int_equal(o.taken, 700);
    }
  assert_int_equal(run_order(&o, 0, 4, 2), 0);
  assert_int_equal(run_order(&o, 1, 4, 2), 0);
  assert_int_equal(o.taken, 1);
}

/* All below the step that fails is taken, nothing after it, and the loop ends. */
static void order_stops(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads < 9; threads++)
    for (uint32_t at = 0; at < 60; at += 7) {
      order o = {.make_fails = at, .take_fails = UINT32_MAX};
      assert_int_equal(run_order(&o, 300, threads, WINDOW), 8);
      assert_int_equal(o.taken, at);
      o.make_fails = UINT32_MAX;
      o.take_fails = at;
      assert_int_equal(run_order(&o, 300, threads, 3), 9);
      assert_int_equal(o.taken, at + 1);
      o.make_fails = at + 2;
      assert_int_equal(run_order(&o, 300, threads, WINDOW), 9); /* the lower one counts */
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
      cmocka_unit_test(taken_in_order),
      cmocka_unit_test(order_stops),
      cmocka_unit_test(counting_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
