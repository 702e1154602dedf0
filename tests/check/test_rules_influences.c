/* test_rules_influences.c: joints and weights, vertex by vertex. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("influences", 9);
}

enum { VERTICES = 300, JOINTS = 5 };

/* A mesh of VERTICES points with one set of influences: bytes as joints, floats or normalised bytes as weights. */
static supple_check_report *check_mesh(const uint8_t (*joints)[4], const float (*weights)[4],
                                       const uint8_t (*bytes)[4]) {
  bin b = {.size = 0};
  for (int i = 0; i < VERTICES; i++) put_f32(&b, 3, (const float[]){0, 0, 0});
  put_u8(&b, 4 * VERTICES, joints[0]);
  if (weights)
    put_f32(&b, 4 * VERTICES, weights[0]);
  else
    put_u8(&b, 4 * VERTICES, bytes[0]);
  char json[2048];
  snprintf(
      json, sizeof json,
      "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0,1]}],'buffers':[{'byteLength':%u}],"
      "'nodes':[{'mesh':0,'skin':0},{'children':[2,3,4,5]},{},{},{},{}],'skins':[{'joints':[1,2,3,"
      "4,"
      "5]}],'bufferViews':[{'buffer':0,'byteLength':%d,'target':34962},{'buffer':0,'byteOffset':%d,"
      "'byteLength':%d,'target':34962},{'buffer':0,'byteOffset':%d,'byteLength':%d,'target':34962}]"
      ","
      "'accessors':[{'bufferView':0,'componentType':5126,'count':%d,'type':'VEC3','min':[0,0,0],"
      "'max':[0,0,0]},{'bufferView':1,'componentType':5121,'count':%d,'type':'VEC4'},"
      "{'bufferView':2,'componentType':%s,'count':%d,'type':'VEC4'}],'meshes':[{'primitives':["
      "{'mode':0,'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}]}",
      (unsigned)b.size, VERTICES * 12, VERTICES * 12, VERTICES * 4, VERTICES * 16,
      VERTICES * (weights ? 16 : 4), VERTICES, VERTICES,
      weights ? "5126" : "5121,'normalized':true", VERTICES);
  glb_text glb = make_glb(&b, json);
  supple_error error;
  supple_check_report *report = supple_check_memory(glb.bytes, glb.size, NULL, &error);
  if (!report) fail_msg("%s", error.message);
  free(glb.bytes);
  return report;
}

static const char joints_at[] = "/meshes/0/primitives/0/attributes/JOINTS_0",
                  weights_at[] = "/meshes/0/primitives/0/attributes/WEIGHTS_0";

static uint32_t count_of(const supple_check_report *report, const char *code, const char *pointer) {
  const supple_finding *finding = rule_cases_find(report, code, pointer);
  return finding ? finding->count : 0;
}

/* Random influences, counted here by the rules' words. */
static void counts(void **state) {
  (void)state;
  static uint8_t joints[VERTICES][4];
  static float weights[VERTICES][4];
  uint32_t seed = 99, outside = 0, duplicate = 0, negative = 0, zero = 0, sums = 0;
  static const float some[] = {0, 0.25f, 0.5f, 1, -0.25f};
  for (int i = 0; i < VERTICES; i++) {
    float sum = 0;
    for (int k = 0; k < 4; k++) {
      seed = seed * 1664525 + 1013904223;
      joints[i][k] = (uint8_t)((seed >> 10) % (JOINTS + 1));
      weights[i][k] = some[(seed >> 20) % 5];
      if (joints[i][k] == JOINTS) {
        outside++;
        continue;
      }
      bool again = false;
      for (int j = 0; j < k; j++) again |= joints[i][j] == joints[i][k] && weights[i][j] != 0.0f;
      if (weights[i][k] == 0.0f) zero += joints[i][k] != 0;
      if (weights[i][k] < 0) negative++;
      if (weights[i][k] != 0.0f && again) duplicate++;
      if (weights[i][k] > 0 && !again) sum += weights[i][k];
    }
    sums += sum != 1.0f;
  }
  supple_check_report *report =
      check_mesh((const uint8_t(*)[4])joints, (const float(*)[4])weights, NULL);
  assert_true(outside && duplicate && negative && zero && sums && sums < VERTICES);
  assert_int_equal(count_of(report, "ACCESSOR_JOINTS_INDEX_OOB", joints_at), outside);
  assert_int_equal(count_of(report, "ACCESSOR_JOINTS_INDEX_DUPLICATE", joints_at), duplicate);
  assert_int_equal(count_of(report, "ACCESSOR_JOINTS_USED_ZERO_WEIGHT", joints_at), zero);
  assert_int_equal(count_of(report, "ACCESSOR_WEIGHTS_NEGATIVE", weights_at), negative);
  assert_int_equal(count_of(report, "ACCESSOR_WEIGHTS_NON_NORMALIZED", weights_at), sums);
  supple_check_report_free(report);
}

/* Sums of n weights may be off by n times 2e-7; of bytes they must be 255. */
static void tolerance(void **state) {
  (void)state;
  static uint8_t joints[VERTICES][4], bytes[VERTICES][4];
  static float weights[VERTICES][4];
  for (int i = 0; i < VERTICES; i++) {
    for (int k = 0; k < 4; k++) joints[i][k] = (uint8_t)k;
    const float off = i == 7 ? 9e-7f : 5e-7f;
    weights[i][0] = weights[i][1] = weights[i][2] = 0.25f;
    weights[i][3] = 0.25f + off;
    bytes[i][0] = bytes[i][1] = bytes[i][2] = 64;
    bytes[i][3] = (uint8_t)(i % 3 ? 63 : 62);
  }
  supple_check_report *report =
      check_mesh((const uint8_t(*)[4])joints, (const float(*)[4])weights, NULL);
  const supple_finding *found =
      rule_cases_find(report, "ACCESSOR_WEIGHTS_NON_NORMALIZED", weights_at);
  assert_non_null(found);
  assert_int_equal(found->count, 1);
  assert_non_null(strstr(found->text, "of vertex 7"));
  supple_check_report_free(report);
  report = check_mesh((const uint8_t(*)[4])joints, NULL, (const uint8_t(*)[4])bytes);
  assert_int_equal(count_of(report, "ACCESSOR_WEIGHTS_NON_NORMALIZED", weights_at), VERTICES / 3);
  supple_check_report_free(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(counts),
                                     cmocka_unit_test(tolerance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
