/* test_rules_schema.c: properties that are missing, of another type, or out of range. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("schema", 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
