/* test_numbers.c: numbers as text: they read back, they are as short as can be, they look as said. */
#include "cli/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 88172645463325252u;

static uint64_t random_bits(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed;
}

/* Digits without leading and trailing zeros, up to the exponent. */
static int significant(const char *text) {
  int count = 0, zeros = 0;
  for (; *text && *text != 'e'; text++) {
    if (*text < '0' || *text > '9') continue;
    if (*text == '0') {
      zeros += count > 0;
    } else {
      count += zeros + 1;
      zeros = 0;
    }
  }
  return count;
}

static void check_float(float value) {
  char text[CLI_NUMBER_TEXT], brute[64];
  cli_float_text(value, text);
  const float back = strtof(text, NULL);
  if (memcmp(&back, &value, sizeof back) != 0) fail_msg("%.9g became '%s'", (double)value, text);
  int shortest = 1;
  for (; shortest <= 9; shortest++) {
    snprintf(brute, sizeof brute, "%.*e", shortest - 1, (double)value);
    if (strtof(brute, NULL) == value) break;
  }
  if (significant(text) > shortest) fail_msg("'%s' could be '%s'", text, brute);
}

static void floats_read_back_and_are_short(void **state) {
  (void)state;
  for (int i = 0; i < 200000; i++) {
    const uint32_t bits = (uint32_t)(random_bits() >> 20);
    float value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value)) check_float(value);
  }
  for (int i = 0; i < 200000; i++) { /* sizes as in meshes, where the fast way works */
    const double unit = (double)(random_bits() >> 11) * 0x1p-53;
    check_float((float)((unit - 0.5) * pow(10.0, (double)(random_bits() % 16) - 6.0)));
  }
  for (int e = -45; e < 39; e++)
    for (int d = 1; d < 100; d++) {
      const float power = (float)(d * pow(10.0, e));
      if (!isfinite(power)) continue;
      check_float(power);
      check_float(nextafterf(power, 0.0f));
      check_float(nextafterf(power, HUGE_VALF) < HUGE_VALF ? nextafterf(power, HUGE_VALF) : power);
    }
  for (int e = -149; e < 128; e++) check_float(ldexpf(1.0f, e));
}

static void doubles_read_back_and_are_short(void **state) {
  (void)state;
  char text[CLI_NUMBER_TEXT], brute[64];
  for (int i = 0; i < 50000; i++) {
    const uint64_t bits = random_bits();
    double value;
    memcpy(&value, &bits, sizeof value);
    if (i % 2) value = (double)(random_bits() % 100000) / 1000.0;
    if (!isfinite(value)) continue;
    cli_double_text(value, text);
    assert_true(strtod(text, NULL) == value);
    int shortest = 1;
    for (; shortest <= 17; shortest++) {
      snprintf(brute, sizeof brute, "%.*e", shortest - 1, value);
      if (strtod(brute, NULL) == value) break;
    }
    if (significant(text) > shortest) fail_msg("'%s' could be '%s'", text, brute);
  }
}

static void numbers_look_as_said(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{0, "0"},           {-0.0, "-0"},
               {1, "1"},           {-1.5, "-1.5"},
               {0.1, "0.1"},       {100, "100"},
               {1234.5, "1234.5"}, {0.0001, "0.0001"},
               {0.00001, "1e-05"}, {1e15, "1000000000000000"},
               {1e16, "1e+16"},    {1.25e20, "1.25e+20"},
               {1e-7, "1e-07"},    {-2.5e-10, "-2.5e-10"}};
  char text[CLI_NUMBER_TEXT];
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_string_equal(cli_double_text(cases[i].value, text), cases[i].text);
    /* 1e15 is no float, and its shortest text is not that of 1e15 as a double */
    assert_string_equal(cli_float_text((float)cases[i].value, text), cases[i].text);
  }
  assert_string_equal(cli_double_text(1.0 / 3.0, text), "0.3333333333333333");
  assert_string_equal(cli_float_text(1.0f / 3.0f, text), "0.33333334");
  assert_string_equal(cli_float_text(16777216.0f, text), "16777216");
  assert_string_equal(cli_double_text(1.7976931348623157e308, text), "1.7976931348623157e+308");
  assert_string_equal(cli_double_text(5e-324, text), "5e-324");
}

static void what_is_not_finite(void **state) {
  (void)state;
  char text[CLI_NUMBER_TEXT];
  const double bad[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
  for (int i = 0; i < 3; i++) {
    assert_string_equal(cli_double_text(bad[i], text), "null");
    assert_string_equal(cli_float_text((float)bad[i], text), "null");
    assert_string_equal(cli_fixed_text(bad[i], 2, text), "\xe2\x80\x93");
  }
}

static void fixed_decimals(void **state) {
  (void)state;
  char text[CLI_NUMBER_TEXT];
  assert_string_equal(cli_fixed_text(31.2, 2, text), "31.20");
  assert_string_equal(cli_fixed_text(-0.001, 2, text), "0.00");
  assert_string_equal(cli_fixed_text(-0.006, 2, text), "-0.01");
  assert_string_equal(cli_fixed_text(99.96, 1, text), "100.0");
  assert_string_equal(cli_fixed_text(5, 0, text), "5");
  assert_string_equal(cli_fixed_text(1e300, 3, text), "1e+300");
  assert_true(strlen(cli_fixed_text(-999999999999999.0, 17, text)) < CLI_NUMBER_TEXT);
}

static void the_locale_does_not_show(void **state) {
  (void)state;
  static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
  char text[CLI_NUMBER_TEXT];
  bool any = false;
  for (int i = 0; i < 4; i++) {
    if (!setlocale(LC_NUMERIC, names[i])) continue;
    any = true;
    assert_string_equal(cli_double_text(1234.5, text), "1234.5");
    assert_string_equal(cli_double_text(1.0 / 3.0, text), "0.3333333333333333");
    assert_string_equal(cli_float_text(1.17549435e-38f, text), "1.1754944e-38");
    assert_string_equal(cli_fixed_text(31.2, 2, text), "31.20");
    setlocale(LC_NUMERIC, "C");
  }
  if (!any) skip(); /* no locale with another decimal point is installed */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats_read_back_and_are_short),
      cmocka_unit_test(doubles_read_back_and_are_short),
      cmocka_unit_test(numbers_look_as_said),
      cmocka_unit_test(what_is_not_finite),
      cmocka_unit_test(fixed_decimals),
      cmocka_unit_test(the_locale_does_not_show),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
