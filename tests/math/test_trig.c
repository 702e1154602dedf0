/* test_trig.c: the error bounds of the trigonometry, against the long double of the C library. */
#include "tests/math/numbers.h"

#include <inttypes.h>
#include <string.h>

#include "src/math/trig.h"

static const double epsilon = 0x1p-52;

static double error_against(double value, long double exact) {
  return (double)fabsl((long double)value - exact);
}

static void sine_and_cosine_keep_their_bound(void **state) {
  (void)state;
  numbers n = {1};
  static const double sizes[] = {1e-8, 1, 3, 10, 1e3, 1e5, 1.1e5, 1e6, 1e9, 1e15};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    for (int i = 0; i < 40000; i++) {
      const double x = numbers_in(&n, -sizes[s], sizes[s]);
      assert_at_most(error_against(supple_sin(x), sinl((long double)x)), epsilon);
      assert_at_most(error_against(supple_cos(x), cosl((long double)x)), epsilon);
    }
  }
}

/* From a computation with 1,200 digits. 0x1.6ac5b262ca1ffp+849 is among the doubles closest to a
 * multiple of pi/2. */
static void sine_of_hard_and_huge_arguments(void **state) {
  (void)state;
  static const struct {
    double x, sine, cosine;
  } known[] = {
      {0x1.6ac5b262ca1ffp+849, 0x1.0000000000000p+0, -0x1.14ae72e6ba22fp-61},
      {0x1.0p+1023, 0x1.205248cbdb760p-1, -0x1.a719f26c232bfp-1},
      {0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8, -0x1.fffe62ecfab75p-1},
      {0x1.0p+60, -0x1.a94adab06665cp-1, -0x1.1d146047d6947p-1},
      {0x1.921fb54442d18p+40, -0x1.1a62632db1824p-14, 0x1.ffffffec88318p-1},
      {0x1.0p+200, -0x1.ea642f4f78780p-2, -0x1.c17843662ee23p-1},
      {0x1.86a0p+16, 0x1.24daa9c527e96p-5, -0x1.ffac3841b3da7p-1},
      {0x1.86a0000000001p+16, 0x1.24daa9c3283d3p-5, -0x1.ffac3841b4ff5p-1},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    assert_at_most(fabs(supple_sin(known[i].x) - known[i].sine), epsilon);
    assert_at_most(fabs(supple_cos(known[i].x) - known[i].cosine), epsilon);
    assert_at_most(fabs(supple_sin(-known[i].x) + known[i].sine), epsilon);
    assert_at_most(fabs(supple_cos(-known[i].x) - known[i].cosine), epsilon);
  }
}

static void sine_near_multiples_of_half_pi_is_relative(void **state) {
  (void)state;
  for (int k = 1; k < 3000; k++) {
    const double x = (double)k * (SUPPLE_PI / 2);
    const long double sine = sinl((long double)x), cosine = cosl((long double)x);
    const long double small = k % 2 ? cosine : sine;
    const double got = k % 2 ? supple_cos(x) : supple_sin(x);
    assert_at_most(error_against(got, small), 4 * epsilon * (double)fabsl(small));
  }
}

static void sine_keeps_symmetries_exactly(void **state) {
  (void)state;
  numbers n = {2};
  for (int i = 0; i < 20000; i++) {
    const double x = numbers_magnitude(&n, -300, 300);
    assert_true(supple_sin(-x) == -supple_sin(x));
    assert_true(supple_cos(-x) == supple_cos(x));
    double sine, cosine;
    supplei_sin_cos(x, &sine, &cosine);
    assert_true(sine == supple_sin(x) && cosine == supple_cos(x));
    assert_at_most(fabs(sine * sine + cosine * cosine - 1), 4 * epsilon);
  }
  assert_true(supple_sin(0.0) == 0 && supple_cos(0.0) == 1);
  assert_true(supple_sin(0x1p-1074) == 0x1p-1074);
}

static void arc_functions_keep_their_bound(void **state) {
  (void)state;
  numbers n = {3};
  for (int i = 0; i < 200000; i++) {
    double x = numbers_in(&n, -1, 1);
    const double y = numbers_in(&n, -1, 1) * (i % 3 ? 1 : 1e-4);
    assert_at_most(error_against(supple_acos(x), acosl((long double)x)), 2 * epsilon);
    if (i % 5 == 0) x = ldexp(x, (int)numbers_in(&n, -60, 60));
    assert_at_most(error_against(supple_atan2(y, x), atan2l((long double)y, (long double)x)),
                   2 * epsilon);
  }
  for (int i = 0; i < 4000; i++) { /* acos where its slope is infinite */
    const double x = 1 - ldexp(numbers_in(&n, 0, 1), -(i % 53));
    assert_at_most(error_against(supple_acos(x), acosl((long double)x)), 2 * epsilon);
    assert_at_most(error_against(supple_acos(-x), acosl(-(long double)x)), 2 * epsilon);
  }
}

static void arc_functions_at_the_extremes(void **state) {
  (void)state;
  static const double ends[] = {0.0,  -0.0,  0x1p-1074, -0x1p-1074, 1e-310,   1e-200, 1.0,
                                -1.0, 1e200, -1e200,    1.7e308,    -1.7e308, 5e-324, 3.0};
  const size_t count = sizeof ends / sizeof *ends;
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < count; j++) {
      const double got = supple_atan2(ends[i], ends[j]);
      assert_at_most(error_against(got, atan2l((long double)ends[i], (long double)ends[j])),
                     2 * epsilon);
      assert_int_equal(!!signbit(got), !!signbit(ends[i]));
    }
  }
  assert_true(supple_acos(1.0) == 0 && supple_acos(1.5) == 0 && supple_acos(1e300) == 0);
  assert_true(supple_acos(-1.0) == SUPPLE_PI && supple_acos(-2.0) == SUPPLE_PI);
}

static void not_a_number_for_what_is_not_finite(void **state) {
  (void)state;
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int i = 0; i < 3; i++) {
    assert_true(isnan(supple_sin(bad[i])) && isnan(supple_cos(bad[i])));
    assert_true(isnan(supple_acos(bad[i])));
    assert_true(isnan(supple_atan2(bad[i], 1.0)) && isnan(supple_atan2(1.0, bad[i])));
    assert_true(isnan(supplei_log(bad[i])));
  }
  assert_true(isnan(supplei_exp((double)NAN)));
  assert_true(isnan(supplei_log(0.0)) && isnan(supplei_log(-1.0)));
}

static void exponential_and_logarithm(void **state) {
  (void)state;
  numbers n = {4};
  for (int i = 0; i < 100000; i++) {
    const double x = numbers_in(&n, -700, 700);
    const long double e = expl((long double)x);
    assert_at_most((double)fabsl(((long double)supplei_exp(x) - e) / e), 2 * epsilon);
    const double y = i % 2 ? numbers_in(&n, 0.4, 2.5) : numbers_magnitude(&n, -307, 308);
    const long double l = logl((long double)y);
    assert_at_most(error_against(supplei_log(y), l), 2 * epsilon * (double)fabsl(l));
  }
  assert_true(supplei_exp(0.0) == 1 && supplei_log(1.0) == 0);
  assert_true(isinf(supplei_exp(1e300)) && supplei_exp(-1e300) == 0);
  assert_true(supplei_exp(-740.0) > 0 && supplei_log(0x1p-1074) < -744);
}

/* The same bits on every platform and compiler: FNV-1a over results. */
static void results_have_these_bits(void **state) {
  (void)state;
  numbers n = {5};
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < 20000; i++) {
    /* From integers: pow() of the C library may differ. */
    const double x = ldexp(numbers_in(&n, -1, 1), i % 200 - 60);
    const double y = numbers_in(&n, -1, 1);
    const double results[] = {supple_sin(x),  supple_cos(x),  supple_atan2(y, x),
                              supple_acos(y), supplei_exp(y), supplei_log(fabs(x))};
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {
      uint64_t bits;
      memcpy(&bits, &results[k], sizeof bits);
      hash = (hash ^ bits) * 0x100000001b3u;
    }
  }
  if (hash != UINT64_C(0x3f3c578f6418bccb)) print_error("hash 0x%016" PRIx64 "\n", hash);
  assert_true(hash == UINT64_C(0x3f3c578f6418bccb));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sine_and_cosine_keep_their_bound),
      cmocka_unit_test(sine_of_hard_and_huge_arguments),
      cmocka_unit_test(sine_near_multiples_of_half_pi_is_relative),
      cmocka_unit_test(sine_keeps_symmetries_exactly),
      cmocka_unit_test(arc_functions_keep_their_bound),
      cmocka_unit_test(arc_functions_at_the_extremes),
      cmocka_unit_test(not_a_number_for_what_is_not_finite),
      cmocka_unit_test(exponential_and_logarithm),
      cmocka_unit_test(results_have_these_bits),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
