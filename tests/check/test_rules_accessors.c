/* test_rules_accessors.c: what accessors say, and whether it fits their views. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("accessors", 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
