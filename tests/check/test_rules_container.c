/* test_rules_container.c: what is wrong with a GLB, or with the JSON as text. */
#include "rule_cases.h"

static const char plain[] = "{'asset':{'version':'2.0'}}";

/* A GLB of JSON and four bytes: header 0 to 11, JSON chunk 12 to 47 (28 bytes), BIN chunk 48 to 59. */
static glb_text make(void) {
  bin b = {.size = 4};
  glb_text glb = make_glb(&b, plain);
  assert_int_equal(glb.size, 60);
  return glb;
}

/* Exactly these codes, apart from what nothing refers to. */
static void expect(const void *data, size_t size, const char *codes) {
  supple_error error;
  supple_check_report *report = supple_check_memory(data, size, NULL, &error);
  if (!report) fail_msg("%s: %s", codes, error.message);
  char found[1000] = "";
  for (uint32_t i = 0; i < report->finding_count; i++) {
    const supple_finding *finding = &report->findings[i];
    assert_string_equal(finding->pointer, "");
    sprintf(found + strlen(found), "%s%s", found[0] ? " " : "", finding->code->name);
  }
  assert_string_equal(found, codes);
  assert_int_equal(report->loads, !report->refused[0]);
  supple_check_report_free(report);
}

static void chunks(void **state) {
  (void)state;
  glb_text glb = make();
  unsigned char *data = glb.bytes;
  expect(data, 60, "");
  write_u32(data + 4, 1);
  expect(data, 60, "GLB_INVALID_VERSION");
  write_u32(data + 4, 2);
  write_u32(data + 8, 12);
  expect(data, 60, "GLB_LENGTH_TOO_SMALL GLB_EXTRA_DATA");
  write_u32(data + 8, 64);
  expect(data, 60, "GLB_LENGTH_MISMATCH");
  write_u32(data + 8, 56);
  expect(data, 60, "GLB_CHUNK_TOO_BIG GLB_LENGTH_MISMATCH");
  write_u32(data + 8, 60);
  memcpy(data + 52, "JSON", 4);
  expect(data, 60, "GLB_DUPLICATE_CHUNK");
  memcpy(data + 52, "WHAT", 4);
  expect(data, 60, "GLB_UNKNOWN_CHUNK_TYPE");
  memcpy(data + 52, "BIN\0", 4);
  memcpy(data + 16, "BIN\0", 4);
  expect(data, 60, "GLB_UNEXPECTED_FIRST_CHUNK GLB_DUPLICATE_CHUNK");
  memcpy(data + 16, "JSON", 4);
  write_u32(data + 48, 8);
  expect(data, 60, "GLB_CHUNK_TOO_BIG GLB_UNEXPECTED_END_OF_CHUNK_DATA");
  write_u32(data + 48, 3);
  expect(data, 60, "GLB_CHUNK_LENGTH_UNALIGNED GLB_UNEXPECTED_END_OF_CHUNK_HEADER");
  free(data);
}

/* Chunks of no bytes, in a wrong place, and bytes after the end. */
static void odd_chunks(void **state) {
  (void)state;
  glb_text glb = make();
  unsigned char data[80] = {0};
  memcpy(data, glb.bytes, 60);
  expect(data, 64, "GLB_EXTRA_DATA");
  memcpy(data + 52, "WHAT", 4);
  memcpy(data + 64, "BIN\0", 4);
  write_u32(data + 8, 68);
  expect(data, 68, "GLB_UNEXPECTED_BIN_CHUNK GLB_UNKNOWN_CHUNK_TYPE GLB_EMPTY_BIN_CHUNK");
  memcpy(data, glb.bytes, 20);
  write_u32(data + 8, 20);
  write_u32(data + 12, 0);
  expect(data, 20, "GLB_EMPTY_CHUNK INVALID_JSON");
  free(glb.bytes);
}

static void cut_off(void **state) {
  (void)state;
  glb_text glb = make();
  expect(glb.bytes, 11, "GLB_UNEXPECTED_END_OF_HEADER");
  expect(glb.bytes, 4, "GLB_UNEXPECTED_END_OF_HEADER");
  expect(glb.bytes, 12, "GLB_LENGTH_MISMATCH");
  expect(glb.bytes, 19, "GLB_UNEXPECTED_END_OF_CHUNK_HEADER");
  expect(glb.bytes, 20, "GLB_UNEXPECTED_END_OF_CHUNK_DATA");
  expect(glb.bytes, 40, "GLB_UNEXPECTED_END_OF_CHUNK_DATA");
  expect(glb.bytes, 48, "GLB_LENGTH_MISMATCH");
  expect("glTX\2\0\0\0\14\0\0\0", 12, "GLB_INVALID_MAGIC");
  free(glb.bytes);
}

/* What a damaged GLB says is looked at all the same, where its JSON is whole; its bytes are not. */
static void salvage(void **state) {
  (void)state;
  bin b = {.size = 4};
  glb_text glb = make_glb(
      &b, "{'asset':{'version':'2.0'},'skins':[{'joints':[]}],'buffers':[{'byteLength':4}]}");
  supple_error error;
  supple_check_report *report = supple_check_memory(glb.bytes, glb.size - 2, NULL, &error);
  assert_non_null(report);
  assert_false(report->loads);
  assert_true(report->refused[0]);
  assert_non_null(rule_cases_find(report, "GLB_UNEXPECTED_END_OF_CHUNK_DATA", ""));
  assert_non_null(rule_cases_find(report, "EMPTY_ENTITY", "/skins/0/joints"));
  assert_null(rule_cases_find(report, "BUFFER_MISSING_GLB_DATA", NULL));
  supple_check_report_free(report);
  free(glb.bytes);
}

static void json(void **state) {
  (void)state;
  expect("", 0, "INVALID_JSON");
  expect(NULL, 0, "INVALID_JSON");
  expect("{", 1, "INVALID_JSON");
  expect("{\"asset\":NaN}", 13, "INVALID_JSON");
  expect("{\"a\":1,\"a\":2}", 13, "INVALID_JSON");
  expect("{\"a\":\"\xFF\"}", 9, "INVALID_JSON");
  expect("[]", 2, "TYPE_MISMATCH");
  expect("\xEF\xBB\xBF{\"asset\":{\"version\":\"2.0\"}}", 30, "INVALID_JSON");
  glb_text glb = make(); /* padded with NUL */
  assert_int_equal(glb.bytes[47], ' ');
  glb.bytes[47] = 0;
  expect(glb.bytes, glb.size, "INVALID_JSON");
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chunks), cmocka_unit_test(odd_chunks),
                                     cmocka_unit_test(cut_off), cmocka_unit_test(salvage),
                                     cmocka_unit_test(json)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
