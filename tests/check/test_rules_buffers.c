/* test_rules_buffers.c: buffers and their views. */
#include "rule_cases.h"

static void cases(void **state) {
  (void)state;
  rule_cases_run("buffers", 13);
}

static void check_glb(const char *buffer, size_t bin_size, const char *code, const char *pointer) {
  char json[512];
  bin b = {.size = bin_size};
  snprintf(json, sizeof json, "{'asset':{'version':'2.0'},'buffers':[%s]}", buffer);
  glb_text glb = make_glb(bin_size ? &b : NULL, json);
  supple_error error;
  supple_check_report *report = supple_check_memory(glb.bytes, glb.size, NULL, &error);
  assert_non_null(report);
  static const char *const codes[] = {"URI_GLB", "DATA_URI_GLB", "BUFFER_MISSING_GLB_DATA",
                                      "BUFFER_GLB_CHUNK_TOO_BIG", "BUFFER_BYTE_LENGTH_MISMATCH"};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    const bool expected = code && strcmp(code, codes[i]) == 0;
    if ((rule_cases_find(report, codes[i], expected ? pointer : NULL) != NULL) != expected)
      fail_msg("%s: %s", buffer, codes[i]);
  }
  supple_check_report_free(report);
  free(glb.bytes);
}

static void buffers_of_a_glb(void **state) {
  (void)state;
  check_glb("{'byteLength':13}", 16, NULL, NULL);
  check_glb("{'byteLength':12}", 16, "BUFFER_GLB_CHUNK_TOO_BIG", "/buffers/0");
  check_glb("{'byteLength':17}", 16, "BUFFER_BYTE_LENGTH_MISMATCH", "/buffers/0");
  check_glb("{'byteLength':16}", 0, "BUFFER_MISSING_GLB_DATA", "/buffers/0");
  check_glb("{'byteLength':1,'uri':'a.bin'}", 0, "URI_GLB", "/buffers/0/uri");
  check_glb("{'byteLength':1,'uri':'data:application/gltf-buffer;base64,AAAA'}", 0, "DATA_URI_GLB",
            "/buffers/0/uri");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cases), cmocka_unit_test(buffers_of_a_glb)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
