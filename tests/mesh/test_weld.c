/* test_weld.c: which points weld: tolerance borders, order, chains, what is no number, far from the
 * origin. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "src/base/memory.h"
#include "src/mesh/weld.h"
#include "tests/mesh/mesh_tests.h"

enum { MOST = 200000 };
static double points[3 * MOST];
static uint32_t welded[MOST], first[MOST];

static uint32_t weld(uint32_t count, double tolerance) {
  supple_allocator allocator = supplei_allocator(NULL);
  memset(welded, 0xA5, sizeof welded);
  memset(first, 0xA5, sizeof first);
  uint32_t made = supplei_weld(points, count, tolerance, welded, first, &allocator);
  assert_true(made <= count);
  for (uint32_t i = 0; i < count; i++) assert_true(welded[i] < made);
  for (uint32_t i = 0; i < made; i++) {
    assert_true(first[i] < count && welded[first[i]] == i);
    assert_true(i == 0 || first[i - 1] < first[i]); /* numbered as they come */
  }
  return made;
}

static void set(uint32_t i, double x, double y, double z) {
  points[3 * i] = x, points[3 * i + 1] = y, points[3 * i + 2] = z;
}

static void assert_welded(uint32_t count, const uint32_t *expected) {
  for (uint32_t i = 0; i < count; i++) assert_int_equal(welded[i], expected[i]);
}

static void equal_points_weld_at_any_tolerance(void **state) {
  (void)state;
  set(0, 1, 2, 3), set(1, 0.0, 0, 0), set(2, 1, 2, 3), set(3, -0.0, 0.0, -0.0), set(4, 1, 2, 3);
  static const double tolerances[] = {0, -1, (double)NAN, DBL_MIN, 1e-300, 1e-20, 1e-5, 1};
  for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
    assert_int_equal(weld(5, tolerances[i]), 2);
    assert_welded(5, (uint32_t[]){0, 1, 0, 1, 0});
    assert_int_equal(first[1], 1);
  }
  set(2, 1, nextafter(2, 3), 3);
  assert_int_equal(weld(5, 0), 3);
  assert_welded(5, (uint32_t[]){0, 1, 2, 1, 0});
  assert_int_equal(weld(5, 1e-15), 2);
  assert_int_equal(weld(5, HUGE_VAL), 1);
  assert_int_equal(weld(5, 1e300), 1);
  assert_int_equal(weld(5, 1), 2);
  assert_int_equal(weld(5, 3.75), 1); /* sqrt(14) apart */
  assert_int_equal(weld(0, 1), 0);
  assert_int_equal(weld(1, 1), 1);
}

/* At the tolerance: welded; one step further: not. In every direction along the axes, from many
 * places, so that every side of a cell is met. */
static void the_tolerance_is_a_border(void **state) {
  (void)state;
  const double tolerance = 0.25;
  uint32_t count = 0;
  for (uint32_t i = 0; i < 4000; i++)
    for (int c = 0; c < 3; c++) {
      double at = i * 5.0 + (i % 64) / 64.0, other[3] = {at, at, at};
      other[c] += (i % 2 ? 1 : -1) * (i % 4 < 2 ? tolerance : tolerance + 0x1p-30);
      set(count++, at + 1e6 * c, at, at);
      set(count++, other[0] + 1e6 * c, other[1], other[2]);
    }
  uint32_t expected = 0;
  weld(count, tolerance);
  for (uint32_t k = 0; k < count; k += 2) {
    assert_int_equal(welded[k], expected++);
    if (k / 6 % 4 >= 2) expected++;
    assert_int_equal(welded[k + 1], expected - 1);
  }
  /* A ball, not a cube. */
  set(0, 0, 0, 0), set(1, 0.2, 0.2, 0), set(2, 0.17, 0.17, 0);
  assert_int_equal(weld(3, 0.25), 2);
  assert_welded(3, (uint32_t[]){0, 1, 0}); /* though closer to the second */
}

static void chains_do_not_creep(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 10; i++) set(i, 0.9 * i, 0, 0);
  assert_int_equal(weld(10, 1), 5);
  assert_welded(10, (uint32_t[]){0, 0, 1, 1, 2, 2, 3, 3, 4, 4});
  /* Order decides: the middle first takes both ends. */
  set(0, 0.9, 0, 0), set(1, 0, 0, 0), set(2, 1.8, 0, 0);
  assert_int_equal(weld(3, 1), 1);
}

static void the_earliest_wins(void **state) {
  (void)state;
  set(0, 0, 0, 0), set(1, 1.5, 0, 0), set(2, 1.4, 0, 0), set(3, 0.75, 0, 0), set(4, 0.75, 0, 0);
  assert_int_equal(weld(5, 1), 2);
  assert_welded(5, (uint32_t[]){0, 1, 1, 0, 0});
  set(0, 1.5, 0, 0), set(1, 0, 0, 0);
  assert_int_equal(weld(5, 1), 2);
  assert_welded(5, (uint32_t[]){0, 1, 0, 0, 0});
}

static void what_is_no_number_stays_apart(void **state) {
  (void)state;
  set(0, (double)NAN, 0, 0), set(1, 1, 1, 1), set(2, (double)NAN, 0, 0), set(3, HUGE_VAL, 1, 1);
  set(4, HUGE_VAL, 1, 1), set(5, 1, -HUGE_VAL, 1), set(6, 1, 1, 1);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(weld(7, (double[]){0, 1e-5, 1, HUGE_VAL}[k]), 6);
    assert_welded(7, (uint32_t[]){0, 1, 2, 3, 4, 5, 1});
  }
  assert_int_equal(weld(1, 1), 1);
}

static void far_from_the_origin(void **state) {
  (void)state;
  static const double places[] = {1e6, -1e6, 3e12, 1e-30, 1e30};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    double at = places[k], step = fabs(at) * 0x1p-20;
    for (uint32_t i = 0; i < 1000; i++) {
      set(2 * i, at + i * step, at, at);
      set(2 * i + 1, at + i * step, at + step / 8, at);
    }
    assert_int_equal(weld(2000, step / 4), 1000);
    for (uint32_t i = 0; i < 2000; i++) assert_int_equal(welded[i], i / 2);
    assert_int_equal(weld(2000, step / 16), 2000);
    assert_int_equal(weld(2000, step * 1e-9), 2000);
    assert_int_equal(weld(2000, 0), 2000);
  }
}

/* Against all pairs. */
static void as_by_all_pairs(void **state) {
  (void)state;
  uint64_t random = 21;
  for (uint32_t trial = 0; trial < 300; trial++) {
    uint32_t count = 1 + (uint32_t)(random_bits(&random) >> 32) % 150, made = 0;
    double size = trial % 3 ? 1 : 0.1, tolerance = random_between(&random, 0, 0.4);
    static uint32_t expected[150], stands[150];
    for (uint32_t i = 0; i < 3 * count; i++)
      points[i] = (double)random_float(&random, -size, size) + (trial % 5 ? 0 : 1e5);
    for (uint32_t i = 0; i < count; i++) {
      expected[i] = made;
      for (uint32_t k = made; k-- > 0;) {
        const double *p = points + 3 * i, *q = points + 3 * stands[k];
        double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
        if (x * x + y * y + z * z <= tolerance * tolerance) expected[i] = k;
      }
      if (expected[i] == made) stands[made++] = i;
    }
    assert_int_equal(weld(count, tolerance), made);
    assert_welded(count, expected);
  }
}

/* 100,000 points twice, in shapes that would take all pairs if cells were chosen badly: a cube, a
 * line, the cube with one point far away, all in one place. */
static void a_large_mesh(void **state) {
  (void)state;
  enum { HALF = MOST / 2 };
  for (int shape = 0; shape < 4; shape++) {
    uint64_t random = 22;
    for (uint32_t i = 0; i < HALF; i++) {
      double x = (double)i * 1e-5;
      if (shape == 1)
        set(i, x, 0, 0);
      else if (shape == 3)
        set(i, 1, 2, 3);
      else
        set(i, x, random_between(&random, 0, 1), random_between(&random, 0, 1));
    }
    if (shape == 2) set(HALF - 1, 1e30, 0, 0);
    memcpy(points + 3 * HALF, points, 3 * HALF * sizeof *points);
    uint32_t expected = shape == 3 ? 1 : HALF;
    assert_int_equal(weld(2 * HALF, 0), expected);
    if (shape != 2) assert_int_equal(weld(2 * HALF, 1e-7), expected);
    for (uint32_t i = 0; i < 2 * HALF; i++) assert_int_equal(welded[i], shape == 3 ? 0 : i % HALF);
    if (shape == 2) assert_int_equal(weld(2 * HALF, 1e25), 2);
  }
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 100; i++) set(i, i % 50, 0, 0);
  for (size_t fail_at = 1;; fail_at++) {
    ledger book = {.fail_at = fail_at};
    supple_allocator allocator = ledger_allocator(&book);
    uint32_t made = supplei_weld(points, 100, 0.1, welded, first, &allocator);
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
    if (made == 50) break;
    assert_int_equal(made, SUPPLE_NONE);
    assert_true(fail_at < 10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_points_weld_at_any_tolerance),
      cmocka_unit_test(the_tolerance_is_a_border),
      cmocka_unit_test(chains_do_not_creep),
      cmocka_unit_test(the_earliest_wins),
      cmocka_unit_test(what_is_no_number_stays_apart),
      cmocka_unit_test(far_from_the_origin),
      cmocka_unit_test(as_by_all_pairs),
      cmocka_unit_test(a_large_mesh),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
