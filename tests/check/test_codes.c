/* test_codes.c: the table of codes: complete, in whole sentences, and every code with a case. */
#include "rule_cases.h"

#include <ctype.h>

static void table(void **state) {
  (void)state;
  uint32_t count = 0;
  const supple_code *code;
  for (; (code = supple_check_code(count)); count++) {
    for (const char *c = code->name; *c; c++)
      if (!isupper((unsigned char)*c) && !isdigit((unsigned char)*c) && *c != '_')
        fail_msg("%s is no name", code->name);
    const char *const sentences[2] = {code->meaning, code->consequence};
    for (int i = 0; i < 2; i++) {
      size_t length = sentences[i] ? strlen(sentences[i]) : 0;
      if (length < 5 || sentences[i][length - 1] != '.')
        fail_msg("%s: \"%s\" is no sentence", code->name, sentences[i]);
    }
    if (code->fix[0] && strcmp(code->fix, "default") != 0 && strncmp(code->fix, "--", 2) != 0)
      fail_msg("%s: fix \"%s\"", code->name, code->fix);
    for (uint32_t i = 0; i < count; i++)
      assert_string_not_equal(supple_check_code(i)->name, code->name);
  }
  assert_true(count > 150);
  assert_null(supple_check_code(count));
  assert_null(supple_check_code(UINT32_MAX));
}

/* What test_rules_container.c, test_rules_buffers.c and test_rules.c show instead. */
static bool has_its_own_test(const char *name) {
  static const char *const names[] = {"INVALID_JSON", "BUFFER_GLB_CHUNK_TOO_BIG",
                                      "BUFFER_MISSING_GLB_DATA", "DATA_URI_GLB", "URI_GLB"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return strncmp(name, "GLB_", 4) == 0;
}

static void every_code_has_a_case(void **state) {
  (void)state;
  const supple_code *code;
  for (uint32_t i = 0; (code = supple_check_code(i)); i++)
    if (strncmp(code->name, "SKINNING_", 9) != 0 && !has_its_own_test(code->name) &&
        !rule_cases_have(code->name))
      fail_msg("no case is for %s", code->name);
}

static void severities(void **state) {
  (void)state;
  assert_string_equal(supple_severity_text(SUPPLE_SEVERITY_ERROR), "error");
  assert_string_equal(supple_severity_text(SUPPLE_SEVERITY_WARNING), "warning");
  assert_string_equal(supple_severity_text(SUPPLE_SEVERITY_INFORMATION), "information");
  assert_string_equal(supple_severity_text(SUPPLE_SEVERITY_HINT), "hint");
  assert_string_equal(supple_severity_text((supple_severity)7), "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(table),
                                     cmocka_unit_test(every_code_has_a_case),
                                     cmocka_unit_test(severities)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
