/* test_rules_animations.c: animations, their channels and samplers. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("animations", 12);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
