/* test_rules_data.c: what accessors hold, element by element. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("data", 20);
}

/* Keys 0, 1, 1, 0.5, -1, 2 in one file: what is counted, and what is said. */
static void times(void **state) {
  (void)state;
  bin b = {.size = 0};
  put_f32(&b, 6, (const float[]){0, 1, 1, 0.5f, -1, 2});
  put_f32(&b, 18, (const float[18]){0});
  glb_text glb = make_glb(
      &b, "{'asset':{'version':'2.0'},'nodes':[{}],'buffers':[{'byteLength':96}],'bufferViews':["
          "{'buffer':0,'byteLength':24},{'buffer':0,'byteOffset':24,'byteLength':72}],"
          "'accessors':[{'bufferView':0,'componentType':5126,'count':6,'type':'SCALAR','min':[0],"
          "'max':[1.5]},{'bufferView':1,'componentType':5126,'count':6,'type':'VEC3'}],"
          "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'scale'}}],"
          "'samplers':[{'input':0,'output':1}]}]}");
  supple_error error;
  supple_check_report *report = supple_check_memory(glb.bytes, glb.size, NULL, &error);
  assert_non_null(report);
  const char *input = "/animations/0/samplers/0/input";
  const supple_finding *found =
      rule_cases_find(report, "ACCESSOR_ANIMATION_INPUT_NON_INCREASING", input);
  assert_non_null(found);
  assert_int_equal(found->count, 2);
  assert_string_equal(found->text,
                      "2 of 6 times not above the one before; the first is number 2: 1");
  found = rule_cases_find(report, "ACCESSOR_ANIMATION_INPUT_NEGATIVE", input);
  assert_non_null(found);
  assert_int_equal(found->count, 1);
  found = rule_cases_find(report, "ACCESSOR_MIN_MISMATCH", "/accessors/0/min/0");
  assert_non_null(found);
  assert_string_equal(found->text, "is 0, but the minimum of the data is -1");
  found = rule_cases_find(report, "ACCESSOR_ELEMENT_OUT_OF_MAX_BOUND", "/accessors/0/max/0");
  assert_non_null(found);
  assert_int_equal(found->count, 1);
  supple_check_report_free(report);
  free(glb.bytes);
}

/* Normalised rotations: byte 127 is 1, byte 126 is short of it by more than may be (0.00787 against 0.00769). */
static void normalised_rotations(void **state) {
  (void)state;
  for (unsigned last = 126; last <= 127; last++) {
    bin b = {.size = 0};
    put_f32(&b, 1, (const float[]){0});
    put_u8(&b, 4, (const uint8_t[]){0, 0, 0, (uint8_t)last});
    glb_text glb = make_glb(
        &b, "{'asset':{'version':'2.0'},'nodes':[{}],'buffers':[{'byteLength':8}],'bufferViews':["
            "{'buffer':0,'byteLength':4},{'buffer':0,'byteOffset':4,'byteLength':4}],"
            "'accessors':[{'bufferView':0,'componentType':5126,'count':1,'type':'SCALAR','min':[0],"
            "'max':[0]},{'bufferView':1,'componentType':5120,'count':1,'type':'VEC4',"
            "'normalized':true}],"
            "'animations':[{'channels':[{'sampler':0,'target':{'node':0,'path':'rotation'}}],"
            "'samplers':[{'input':0,'output':1}]}]}");
    supple_error error;
    supple_check_report *report = supple_check_memory(glb.bytes, glb.size, NULL, &error);
    assert_non_null(report);
    assert_int_equal(report->counts[SUPPLE_SEVERITY_ERROR], last == 126);
    supple_check_report_free(report);
    free(glb.bytes);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(times),
                                     cmocka_unit_test(normalised_rotations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
