/* test_decimal.c: decimal text against strtod in the C locale, and against numbers known
 * exactly. */
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/gltf/decimal.h"

static double parse(const char *text) { return supplei_decimal_to_double(text, strlen(text)); }

static void assert_same(const char *text, double got, double wanted) {
  if (memcmp(&got, &wanted, sizeof got) != 0)
    fail_msg("%.60s: %a instead of %a", text, got, wanted);
}

static void known_numbers(void **state) {
  (void)state;
  const struct {
    const char *text;
    double value;
  } cases[] = {{"0", 0},
               {"-0", -0.0},
               {"-0.0e7", -0.0},
               {"0e99999999999999999999", 0},
               {"1", 1},
               {"0.1", 0x1.999999999999ap-4},
               {"-2.5", -2.5},
               {"1e22", 1e22},
               {"123456789012345678", 0x1.b69b4ba630f35p+56},
               /* the smallest normal and subnormal numbers, and halves of the latter */
               {"2.2250738585072014e-308", 0x1p-1022},
               {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
               {"4.9406564584124654e-324", 0x1p-1074},
               {"2.4703282292062328e-324", 0x1p-1074},
               {"2.4703282292062327e-324", 0},
               {"-2.4703282292062327e-324", -0.0},
               {"1e-400", 0},
               /* the largest, and where it turns into an infinity */
               {"1.7976931348623157e308", 0x1.fffffffffffffp+1023},
               {"1.7976931348623158e308", 0x1.fffffffffffffp+1023},
               {"1.7976931348623159e308", HUGE_VAL},
               {"1e309", HUGE_VAL},
               {"-1e999999", -HUGE_VAL},
               /* ties go to even: 2^53 + 1 and 2^53 + 3 */
               {"9007199254740993", 0x1p53},
               {"9007199254740995", 0x1.0000000000002p53},
               {"9007199254740993.0000000000000000000000000000000001", 0x1.0000000000001p53},
               {"9007199254740992.9999999999999999999999999999999999", 0x1p53},
               {"1.00000000000000011102230246251565404236316680908203125", 1},
               {"1.00000000000000011102230246251565404236316680908203124", 1},
               {"1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p0},
               {"100000000000000000000000e-23", 1},
               {"0.00000000000000000001e20", 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_same(cases[i].text, parse(cases[i].text), cases[i].value);
}

static void many_digits(void **state) {
  (void)state;
  static char text[3000];
  /* 1 and a half unit in the last place, then zeros, then a one that breaks the tie */
  strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
  size_t length = strlen(text);
  memset(text + length, '0', 1500);
  text[length + 1500] = 0;
  assert_same(text, parse(text), 1);
  text[length + 1500] = '1';
  text[length + 1501] = 0;
  assert_same(text, parse(text), 0x1.0000000000001p0);
  /* 0.000…1 with an exponent that undoes it, and 1000…0 likewise */
  memset(text, '0', sizeof text);
  memcpy(text, "0.", 2);
  strcpy(text + 2001, "1e2000");
  assert_same(text, parse(text), 1);
  memset(text, '0', sizeof text);
  text[0] = '7';
  strcpy(text + 1001, "e-1000");
  assert_same(text, parse(text), 7);
}

static uint64_t next_random(uint64_t *seed) {
  *seed ^= *seed << 13, *seed ^= *seed >> 7, *seed ^= *seed << 17;
  return *seed;
}

static void random_numbers_as_strtod(void **state) {
  (void)state;
  uint64_t seed = 0x9E3779B97F4A7C15;
  setlocale(LC_ALL, "C");
  for (int i = 0; i < 100000; i++) {
    char text[900];
    uint64_t a = next_random(&seed), b = next_random(&seed);
    int choice = (int)(next_random(&seed) % 6), exponent = (int)(next_random(&seed) % 80) - 40;
    double any;
    memcpy(&any, &a, sizeof any);
    if (choice == 0)
      snprintf(text, sizeof text, "%.17g", isfinite(any) ? any : 1);
    else if (choice == 1)
      snprintf(text, sizeof text, "%llu.%llue%d", (unsigned long long)(a % 1000),
               (unsigned long long)b, exponent);
    else if (choice == 2)
      snprintf(text, sizeof text, "%llu%llue%d", (unsigned long long)a, (unsigned long long)b,
               9 * exponent);
    else if (choice == 3)
      snprintf(text, sizeof text, "%.*g", 800, isfinite(any) ? any : 1);
    else if (choice == 4)
      snprintf(text, sizeof text, "%.*f", (int)(b % 20), (double)(a % 1000000) / 999);
    else
      snprintf(text, sizeof text, "%llue-%d", (unsigned long long)(a >> b % 64), 320 + exponent / 2);
    if (strpbrk(text, "in")) continue;
    assert_same(text, parse(text), strtod(text, NULL));
  }
}

/* Numbers exactly between two doubles, and a digit to either side of them. */
static void ties_as_strtod(void **state) {
  (void)state;
  uint64_t seed = 88172645463325252;
  for (int i = 0; i < 20000; i++) {
    uint64_t mantissa = (next_random(&seed) >> 11) | UINT64_C(1) << 52;
    int exponent = (int)(next_random(&seed) % 8);
    char text[80];
    unsigned long long tie = (unsigned long long)(2 * mantissa + 1);
    snprintf(text, sizeof text, "%llu%s", tie, exponent % 2 ? ".000000000000000000000000001" : "");
    assert_same(text, parse(text), strtod(text, NULL));
    snprintf(text, sizeof text, "%llu.9999999999999999999999999", tie - 1);
    assert_same(text, parse(text), strtod(text, NULL));
  }
}

static void no_locale_matters(void **state) {
  (void)state;
  static const char *const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "pt_BR.UTF-8"};
  bool found = false;
  for (size_t i = 0; i < 4 && !found; i++) found = setlocale(LC_ALL, locales[i]) != NULL;
  assert_same("1.5", parse("1.5"), 1.5);
  setlocale(LC_ALL, "C");
  if (!found) {
    print_message("no locale with a decimal comma is installed: skipped\n");
    skip();
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(known_numbers), cmocka_unit_test(many_digits),
                                     cmocka_unit_test(random_numbers_as_strtod),
                                     cmocka_unit_test(ties_as_strtod),
                                     cmocka_unit_test(no_locale_matters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
