/* test_rules_skins.c: joints, their common root, inverse bind matrices, and the scenes that must hold them. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("skins", 9);
}

/* Random forests: a common root is where the paths up from all joints meet, found here by walking. */
static void common_roots(void **state) {
  (void)state;
  enum { NODES = 40, ROUNDS = 60 };
  uint32_t seed = 7, with = 0;
  for (int round = 0; round < ROUNDS; round++) {
    uint32_t parents[NODES], joints[3];
    char text[8192] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[";
    for (uint32_t i = 0; i < NODES; i++) {
      seed = seed * 1664525 + 1013904223;
      parents[i] = i < 2 ? SUPPLE_NONE : (seed >> 8) % i;
    }
    for (uint32_t i = 0; i < NODES; i++) {
      bool some = false;
      strcat(text, i ? ",{" : "{");
      for (uint32_t k = 0; k < NODES; k++) {
        if (parents[k] != i) continue;
        sprintf(text + strlen(text), "%s%u", some ? "," : "\"children\":[", (unsigned)k);
        some = true;
      }
      strcat(text, some ? "]}" : "}");
    }
    for (int k = 0; k < 3; k++) {
      seed = seed * 1664525 + 1013904223;
      joints[k] = (seed >> 8) % NODES;
    }
    uint32_t skeleton = (seed >> 16) % NODES;
    sprintf(text + strlen(text), "],\"skins\":[{\"joints\":[%u,%u,%u],\"skeleton\":%u}]}",
            (unsigned)joints[0], (unsigned)joints[1], (unsigned)joints[2], (unsigned)skeleton);
    uint32_t above[NODES] = {0};
    for (int k = 0; k < 3; k++)
      for (uint32_t at = joints[k]; at != SUPPLE_NONE; at = parents[at]) above[at] |= 1u << k;
    bool common = false;
    for (uint32_t i = 0; i < NODES; i++) common |= above[i] == 7;
    supple_error error;
    supple_check_report *report = supple_check_memory(text, strlen(text), NULL, &error);
    assert_non_null(report);
    assert_int_equal(rule_cases_find(report, "SKIN_NO_COMMON_ROOT", "/skins/0/joints") != NULL,
                     !common);
    assert_int_equal(rule_cases_find(report, "SKIN_SKELETON_INVALID", "/skins/0/skeleton") != NULL,
                     above[skeleton] != 7);
    with += common;
    supple_check_report_free(report);
  }
  assert_true(with > ROUNDS / 10 && with < ROUNDS);
}

/* Joints on a chain of 50,000 nodes, many skins: no walk is long. */
static void deep_chain(void **state) {
  (void)state;
  enum { NODES = 50000, SKINS = 5000 };
  char *text = malloc(NODES * 24 + SKINS * 64 + 200);
  assert_non_null(text);
  size_t at = (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
  for (int i = 0; i < NODES - 1; i++)
    at += (size_t)sprintf(text + at, "{\"children\":[%d]},", i + 1);
  at += (size_t)sprintf(text + at, "{}],\"skins\":[");
  for (int i = 0; i < SKINS; i++)
    at += (size_t)sprintf(text + at, "%s{\"joints\":[%d,%d,%d],\"skeleton\":%d}", i ? "," : "",
                          NODES - 1, i + 1, NODES - 2 - i, i % 2 ? i + 1 : i + 2);
  strcpy(text + at, "]}");
  supple_error error;
  const supple_check_options options = {.structure_only = true};
  supple_check_report *report = supple_check_memory(text, strlen(text), &options, &error);
  assert_non_null(report);
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < report->finding_count; i++)
    wrong += strcmp(report->findings[i].code->name, "SKIN_SKELETON_INVALID") == 0;
  assert_int_equal(wrong, SKINS / 2);
  assert_null(rule_cases_find(report, "SKIN_NO_COMMON_ROOT", NULL));
  supple_check_report_free(report);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(common_roots),
                                     cmocka_unit_test(deep_chain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
