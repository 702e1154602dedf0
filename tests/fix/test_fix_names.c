/* test_fix_names.c: joints' names are what three.js would make of them, and unique. */
#include "tests/fix/fix_tests.h"

static const supple_fix_options names_only = {.repairs = SUPPLE_REPAIR_NAMES};

static supple_document *named(const char *a, const char *b, const char *c, const char *other,
                              supple_fix_report **report) {
  static char nodes[1024];
  strip s = clean_strip();
  snprintf(nodes, sizeof nodes,
           "{'name':'%s','mesh':0,'skin':0},{'name':'%s','children':[2]},{'name':'%s','translation'"
           ":[0,1,0],"
           "'children':[3]},{'name':'%s','translation':[0,1,0]}",
           other, a, b, c);
  s.nodes = nodes;
  supple_document *document = open_strip(&s);
  *report = fix_strip(document, names_only);
  return document;
}

static void assert_names(const char *a, const char *b, const char *c, const char *other,
                         const char *now_a, const char *now_b, const char *now_c) {
  supple_fix_report *report;
  supple_document *document = named(a, b, c, other, &report);
  assert_text_at(document, "/nodes/0/name", other);
  assert_text_at(document, "/nodes/1/name", now_a);
  assert_text_at(document, "/nodes/2/name", now_b);
  assert_text_at(document, "/nodes/3/name", now_c);
  assert_int_equal(report->action_count,
                   !!strcmp(a, now_a) + !!strcmp(b, now_b) + !!strcmp(c, now_c));
  assert_done_for_good(document, names_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

static void renamed(void **state) {
  (void)state;
  assert_names("a", "b", "c", "a.b", "a", "b", "c");
  assert_names("mixamorig:Hips", "Arm.L", "x[1]/y z", "s", "mixamorigHips", "ArmL", "x1y_z");
  assert_names("a", "a", "a", "s", "a", "a_1", "a_2");
  /* the one that is fine keeps its name, whatever stands before it */
  assert_names("wrist.L", "wristL", "wrist:L", "s", "wristL_1", "wristL", "wristL_2");
  assert_names("", "...", "joint_1", "s", "joint_1_1", "joint_2", "joint_1");
  /* no joint is given the name of another node */
  assert_names("s.", "s..", "c", "s", "s_1", "s_2", "c");
  assert_names("a\xC2\xA0"
               "b",
               "\xE3\x80\x80", "\xC3\xA9t\xC3\xA9", "s", "a_b", "_", "\xC3\xA9t\xC3\xA9");
}

static void told(void **state) {
  (void)state;
  supple_fix_report *report;
  supple_document *document = named("", "b.", "c", "s", &report);
  const supple_fix_action *missing = action_of(report, "SKINNING_NAME_MISSING");
  assert_string_equal(missing->pointer, "/nodes/1");
  const supple_fix_action *unsafe = action_of(report, "SKINNING_NAME_UNSAFE");
  assert_string_equal(unsafe->pointer, "/nodes/2/name");
  assert_string_equal(unsafe->text, "\"b.\" is \"b\" now");
  supple_fix_report_free(report);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(renamed), cmocka_unit_test(told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
