/* test_usd_names.c: identifiers are valid and each is given once. */
#include "cli/usd_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static void valid(void **state) {
  (void)state;
  static const char *const cases[][2] = {
      {"Hips", "Hips"},
      {"mixamorig:Left Arm.001", "mixamorig_Left_Arm_001"},
      {"3rd", "_3rd"},
      {"..a..", "a"},
      {"_x_", "_x_"},
      {"\xe3\x81\x82", "other_7"},
      {"___", "other_7"},
      {"", "other_7"},
      {"\xc3\xa9tage 2", "tage_2"},
      {"a/b\"c{d}\n", "a_b_c_d"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cli_usd_names *names = cli_usd_names_create();
    assert_non_null(names);
    assert_string_equal(cli_usd_names_take_numbered(names, cases[i][0], "other", 7), cases[i][1]);
    cli_usd_names_free(names);
  }
}

static void once(void **state) {
  (void)state;
  cli_usd_names *names = cli_usd_names_create();
  assert_non_null(names);
  assert_true(cli_usd_names_reserve(names, "Materials"));
  assert_true(cli_usd_names_reserve(names, "Materials"));
  assert_string_equal(cli_usd_names_take(names, "Materials", "x"), "Materials_2");
  assert_string_equal(cli_usd_names_take(names, "a_2", "x"), "a_2");
  assert_string_equal(cli_usd_names_take(names, "a", "x"), "a");
  assert_string_equal(cli_usd_names_take(names, "a", "x"), "a_3");
  assert_string_equal(cli_usd_names_take(names, "A", "x"), "A");
  cli_usd_names_free(names);
}

static void many(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  static const char *given[COUNT];
  char long_name[400];
  memset(long_name, 'y', sizeof long_name);
  long_name[sizeof long_name - 1] = '\0';
  cli_usd_names *names = cli_usd_names_create();
  assert_non_null(names);
  for (uint32_t i = 0; i < COUNT; i++) {
    given[i] = cli_usd_names_take(names, i % 2 ? long_name : "joint", "x");
    assert_non_null(given[i]);
    assert_true(strlen(given[i]) < 112);
  }
  char expected[128];
  for (uint32_t i = 2; i < COUNT; i += 2) {
    snprintf(expected, sizeof expected, "joint_%u", i / 2 + 1);
    assert_string_equal(given[i], expected);
  }
  for (uint32_t i = 3; i < COUNT; i += 2) assert_string_not_equal(given[i], given[i - 2]);
  cli_usd_names_free(names);
  cli_usd_names_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(valid), cmocka_unit_test(once),
                                     cmocka_unit_test(many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
