/* test_rules.c: the header, extensions, what nothing refers to; how much is looked at. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("header", 14);
}

/* The JSON alone: faults of the data are not looked for. */
static void structure_only(void **state) {
  (void)state;
  const supple_check_options options = {.structure_only = true};
  supple_check_report *report = rule_cases_check("/buffers/0", "uri", "'missing.bin'", &options);
  assert_int_equal(report->counts[SUPPLE_SEVERITY_ERROR], 0);
  supple_check_report_free(report);
  report = rule_cases_check("/buffers/0", "uri", "'missing.bin'", NULL);
  assert_false(report->loads);
  assert_non_null(rule_cases_find(report, "IO_ERROR", "/buffers/0/uri"));
  supple_check_report_free(report);
}

/* A file that the loader refuses is looked at to its end. */
static void many_faults(void **state) {
  (void)state;
  const char *json =
      "{'asset':{'version':'2.0'},'nodes':[{'skin':3,'children':[0]},{'matrix':[1]},5],"
      "'skins':[{'joints':[]},{'joints':[7],'skeleton':-1}],'accessors':[{'type':'VEC3'}],"
      "'meshes':[{'primitives':[{'attributes':{'JOINTS_0':0}}]}],'animations':{}}";
  static const char *const expected[][2] = {
      {"UNSATISFIED_DEPENDENCY", "/nodes/0/skin"},
      {"UNRESOLVED_REFERENCE", "/nodes/0/skin"},
      {"NODE_LOOP", "/nodes/0"},
      {"ARRAY_LENGTH_NOT_IN_LIST", "/nodes/1/matrix"},
      {"TYPE_MISMATCH", "/nodes/2"},
      {"EMPTY_ENTITY", "/skins/0/joints"},
      {"UNRESOLVED_REFERENCE", "/skins/1/joints/0"},
      {"INVALID_INDEX", "/skins/1/skeleton"},
      {"UNDEFINED_PROPERTY", "/accessors/0"},
      {"MESH_PRIMITIVE_NO_POSITION", "/meshes/0/primitives/0/attributes"},
      {"MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", "/meshes/0/primitives/0/attributes"},
      {"TYPE_MISMATCH", "/animations"},
      {"UNUSED_OBJECT", "/skins/0"}};
  char text[1024];
  supple_error error;
  rule_cases_json(json, text, sizeof text);
  supple_check_report *report = supple_check_memory(text, strlen(text), NULL, &error);
  assert_non_null(report);
  assert_false(report->loads);
  assert_true(report->refused[0]);
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (!rule_cases_find(report, expected[i][0], expected[i][1]))
      fail_msg("%s was not found at %s", expected[i][0], expected[i][1]);
  supple_check_report_free(report);
}

/* A thousand accessors over the same bytes, each of millions of elements, cost no more than a limit. */
static void overlapping_data(void **state) {
  (void)state;
  enum { ACCESSORS = 1000, BYTES = 1 << 20 };
  char *text = malloc(ACCESSORS * 120 + 1000);
  unsigned char *data = calloc(BYTES, 1);
  assert_true(text && data);
  size_t at = (size_t)sprintf(text,
                              "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":%d}],"
                              "\"bufferViews\":[{\"buffer\":0,\"byteLength\":%d}],\"accessors\":[",
                              BYTES, BYTES);
  for (int i = 0; i < ACCESSORS; i++)
    at += (size_t)sprintf(text + at,
                          "%s{\"bufferView\":0,\"componentType\":5126,\"count\":%d,\"type\":"
                          "\"SCALAR\"}",
                          i ? "," : "", BYTES / 4);
  at += (size_t)sprintf(text + at, "]}");
  while (at % 4) text[at++] = ' ';
  unsigned char *glb = calloc(at + BYTES + 28, 1);
  assert_non_null(glb);
  memcpy(glb, "glTF\2\0\0\0", 8);
  write_u32(glb + 8, at + BYTES + 28);
  write_u32(glb + 12, at);
  memcpy(glb + 16, "JSON", 4);
  memcpy(glb + 20, text, at);
  write_u32(glb + 20 + at, BYTES);
  memcpy(glb + 24 + at, "BIN\0", 4);
  supple_error error;
  const supple_check_options options = {.load.limits.memory_bytes = 1 << 24};
  supple_check_report *report = supple_check_memory(glb, at + BYTES + 28, &options, &error);
  assert_non_null(report);
  assert_non_null(rule_cases_find(report, "SKINNING_CHECK_INCOMPLETE", ""));
  assert_int_equal(report->counts[SUPPLE_SEVERITY_ERROR], 0);
  supple_check_report_free(report);
  free(glb);
  free(data);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(structure_only),
                                     cmocka_unit_test(many_faults),
                                     cmocka_unit_test(overlapping_data)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
