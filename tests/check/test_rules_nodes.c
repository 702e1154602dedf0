/* test_rules_nodes.c: nodes, their transforms and their tree; scenes. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("nodes", 18);
}

/* Matrices that turn, stretch and mirror can be taken apart; sheared ones cannot. */
static void matrices(void **state) {
  (void)state;
  static const struct {
    const char *json;
    bool apart;
  } rows[] = {{"[0,2,0,0,-3,0,0,0,0,0,4,0,5,6,7,1]", true},        /* a quarter turn, scaled */
              {"[-1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]", true},        /* a mirror */
              {"[-1,0,0,0,0,-1,0,0,0,0,1,0,0,0,0,1]", true},       /* a half turn: no trace */
              {"[100,0,0,0,0,100,0,0,0,0,100,0,1e6,0,0,1]", true}, /* large */
              {"[0.36,0.48,-0.8,0,-0.8,0.6,0,0,0.48,0.64,0.6,0,0,0,0,1]", true},
              {"[1,0,0,0,0.001,1,0,0,0,0,1,0,0,0,0,1]", false}, /* a little shear */
              {"[1,0,0,0,0,1,0,0,0,0,0,0,0,0,0,1]", false}};    /* flat */
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    supple_check_report *report = rule_cases_check("/nodes/6", "matrix", rows[i].json, NULL);
    const bool found = rule_cases_find(report, "NODE_MATRIX_NON_TRS", "/nodes/6/matrix");
    if (found == rows[i].apart) fail_msg("%s", rows[i].json);
    supple_check_report_free(report);
  }
}

/* All nodes of a loop are told, and none that only hangs from it. */
static void loops(void **state) {
  (void)state;
  supple_check_report *report = rule_cases_check("/nodes/3", "children", "[1]", NULL);
  static const int in_loop[7] = {0, 1, 1, 1, 0, 0, 0};
  for (int i = 0; i < 7; i++) {
    char pointer[32];
    snprintf(pointer, sizeof pointer, "/nodes/%d", i);
    assert_int_equal(rule_cases_find(report, "NODE_LOOP", pointer) != NULL, in_loop[i]);
  }
  supple_check_report_free(report);
}

/* A rotation may be off by what signed bytes are off by (0.00769). */
static void unit_rotations(void **state) {
  (void)state;
  supple_check_report *report = rule_cases_check("/nodes/3", "rotation", "[0,0,0,0.9924]", NULL);
  assert_null(rule_cases_find(report, "ROTATION_NON_UNIT", NULL));
  supple_check_report_free(report);
  report = rule_cases_check("/nodes/3", "rotation", "[0,0,0,0.9922]", NULL);
  assert_non_null(rule_cases_find(report, "ROTATION_NON_UNIT", NULL));
  supple_check_report_free(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(matrices),
                                     cmocka_unit_test(loops), cmocka_unit_test(unit_rotations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
