/* test_rules_meshes.c: meshes, their primitives, attributes, indices and morph targets. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("meshes", 24);
}

/* KHR_mesh_quantization allows positions of integers, but no other joints or weights. */
static void quantized(void **state) {
  (void)state;
  static const char file[] =
      "{'asset':{'version':'2.0'},%s'accessors':[{'componentType':5122,'count':3,'type':'VEC3',"
      "'min':[0,0,0],'max':[0,0,0]},{'componentType':5122,'count':3,'type':'VEC4'}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':1}}]}]}";
  static const char *const extension[2] = {
      "",
      "'extensionsUsed':['KHR_mesh_quantization'],'extensionsRequired':['KHR_mesh_quantization'],"};
  for (int i = 0; i < 2; i++) {
    char text[1024], json[1024];
    supple_error error;
    snprintf(text, sizeof text, file, extension[i]);
    rule_cases_json(text, json, sizeof json);
    supple_check_report *report = supple_check_memory(json, strlen(json), NULL, &error);
    assert_non_null(report);
    const char *code = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
               *in = "/meshes/0/primitives/0/attributes/";
    static const char *const names[] = {"POSITION", "JOINTS_0", "WEIGHTS_0"};
    for (int k = 0; k < 3; k++) {
      char pointer[64];
      snprintf(pointer, sizeof pointer, "%s%s", in, names[k]);
      assert_int_equal(rule_cases_find(report, code, pointer) != NULL, k > 0 || i == 0);
    }
    supple_check_report_free(report);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(quantized)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
