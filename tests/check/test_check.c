/* test_check.c: checking a file: what a report is, its order, and that nothing breaks it. */
#include "rule_cases.h"

/* ---- reports ---- */

static void order(void **state) {
  (void)state;
  char text[1000];
  supple_error error;
  rule_cases_json("{'nodes':[{'foo':1},{},{'translation':[1]}],'asset':{'version':'2.0','x':1},"
                  "'skins':[{'joints':[20]},{'joints':[]}],'x':1}",
                  text, sizeof text);
  supple_check_report *report = supple_check_memory(text, strlen(text), NULL, &error);
  assert_non_null(report);
  static const char *const expected[] = {"ARRAY_LENGTH_NOT_IN_LIST /nodes/2/translation",
                                         "SKIN_NO_COMMON_ROOT /skins/0/joints",
                                         "UNRESOLVED_REFERENCE /skins/0/joints/0",
                                         "EMPTY_ENTITY /skins/1/joints",
                                         "UNEXPECTED_PROPERTY /nodes/0/foo",
                                         "UNEXPECTED_PROPERTY /asset/x",
                                         "UNEXPECTED_PROPERTY /x",
                                         "NODE_EMPTY /nodes/0",
                                         "UNUSED_OBJECT /nodes/0",
                                         "NODE_EMPTY /nodes/1",
                                         "UNUSED_OBJECT /nodes/1",
                                         "NODE_EMPTY /nodes/2",
                                         "UNUSED_OBJECT /nodes/2",
                                         "UNUSED_OBJECT /skins/0",
                                         "UNUSED_OBJECT /skins/1"};
  assert_int_equal(report->finding_count, sizeof expected / sizeof *expected);
  uint32_t counts[4] = {0};
  for (uint32_t i = 0; i < report->finding_count; i++) {
    char line[200];
    snprintf(line, sizeof line, "%s %s", report->findings[i].code->name,
             report->findings[i].pointer);
    assert_string_equal(line, expected[i]);
    counts[report->findings[i].code->severity]++;
  }
  assert_memory_equal(counts, report->counts, sizeof counts);
  supple_check_report_free(report);
  supple_check_report_free(NULL);
}

/* Item 10 comes after item 9. */
static void numbers_in_order(void **state) {
  (void)state;
  char text[1000] = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[0,0,0,0,0,0,0,0,0,0,0,0]}";
  supple_error error;
  supple_check_report *report = supple_check_memory(text, strlen(text), NULL, &error);
  assert_non_null(report);
  assert_int_equal(report->finding_count, 12);
  for (uint32_t i = 0; i < 12; i++) {
    char pointer[32];
    snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)i);
    assert_string_equal(report->findings[i].pointer, pointer);
  }
  supple_check_report_free(report);
}

/* Texts of the file may hold anything; what is said of them can be printed. */
static void printable(void **state) {
  (void)state;
  const char *text = "{\"asset\":{\"version\":\"\\u001b[31m\\u00e9\"}}";
  supple_error error;
  supple_check_report *report = supple_check_memory(text, strlen(text), NULL, &error);
  const supple_finding *finding = rule_cases_find(report, "PATTERN_MISMATCH", "/asset/version");
  assert_non_null(finding);
  assert_string_equal(finding->text, "\"?[31m\xC3\xA9\" is not a version like \"2.0\"");
  supple_check_report_free(report);
}

static void no_file(void **state) {
  (void)state;
  supple_error error = {0};
  assert_null(supple_check_file("/no/such/file.glb", NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_FILE);
  assert_true(error.message[0]);
  assert_null(supple_check_file(NULL, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_null(supple_check_document(NULL, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_null(supple_check_memory(NULL, 7, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  const supple_check_options options = {.load.limits.json_values = 2};
  assert_null(supple_check_memory("{\"a\":[1,2,3]}", 13, &options, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_LIMIT);
  assert_null(supple_check_file("/no/such/file.glb", NULL, NULL));
}

/* A file, its bytes and its document are told the same. */
static void three_ways(void **state) {
  (void)state;
  const char *path = SUPPLE_SOURCE_DIR "/tests/check/cases/base.gltf";
  supple_error error;
  supple_document *document = supple_document_load(path, NULL, &error);
  supple_check_report *file = supple_check_file(path, NULL, &error),
                      *edited = supple_check_document(document, NULL, &error);
  assert_true(file && edited && file->loads && edited->loads);
  assert_int_equal(file->finding_count, edited->finding_count);
  for (uint32_t i = 0; i < file->finding_count; i++) {
    assert_ptr_equal(file->findings[i].code, edited->findings[i].code);
    assert_string_equal(file->findings[i].text, edited->findings[i].text);
  }
  supple_check_report_free(file);
  supple_check_report_free(edited);
  assert_false(supple_document_set(document, supple_document_find(document, "/skins/0"), "joints",
                                   "[]", NULL, &error));
  edited = supple_check_document(document, NULL, &error);
  assert_non_null(rule_cases_find(edited, "EMPTY_ENTITY", "/skins/0/joints"));
  assert_false(edited->loads);
  supple_check_report_free(edited);
  supple_document_free(document);
}

/* ---- nothing breaks it ---- */

static glb_text small_glb(void) {
  bin b = {.size = 0};
  put_f32(&b, 9, (const float[]){0, 0, 0, 1, 0, 0, 0, 1, 0});
  put_u8(&b, 12, (const uint8_t[12]){0, 1});
  put_f32(&b, 12, (const float[]){0.5f, 0.5f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
  put_f32(&b, 8, (const float[]){0, 1, 0, 0, 0, 1, 0, 0});
  return make_glb(
      &b,
      "{'asset':{'version':'2.0'},'buffers':[{'byteLength':128}],'bufferViews':[{'buffer':0,"
      "'byteLength':36},{'buffer':0,'byteOffset':36,'byteLength':12},{'buffer':0,'byteOffset':48,"
      "'byteLength':48},{'buffer':0,'byteOffset':96,'byteLength':8},{'buffer':0,'byteOffset':104,"
      "'byteLength':24}],'accessors':[{'bufferView':0,'componentType':5126,'count':3,'type':'VEC3',"
      "'min':[0,0,0],'max':[1,1,0]},{'bufferView':1,'componentType':5121,'count':3,'type':'VEC4'},"
      "{'bufferView':2,'componentType':5126,'count':3,'type':'VEC4'},{'bufferView':3,"
      "'componentType':5126,'count':2,'type':'SCALAR','min':[0],'max':[1]},{'bufferView':4,"
      "'componentType':5126,'count':2,'type':'VEC3'}],'nodes':[{'mesh':0,'skin':0},{'children':[2]}"
      ","
      "{}],'scenes':[{'nodes':[0,1]}],'meshes':[{'primitives':[{'attributes':{'POSITION':0,"
      "'JOINTS_0':1,'WEIGHTS_0':2}}]}],'skins':[{'joints':[1,2]}],'animations':[{'samplers':"
      "[{'input':3,'output':4}],'channels':[{'sampler':0,'target':{'node':2,'path':"
      "'translation'}}]}]}");
}

static uint32_t errors_of(const void *data, size_t size) {
  supple_error error;
  supple_check_report *report = supple_check_memory(data, size, NULL, &error);
  if (!report) fail_msg("%zu bytes: %s", size, error.message);
  uint32_t errors = report->counts[SUPPLE_SEVERITY_ERROR];
  supple_check_report_free(report);
  return errors;
}

/* Every truncation of a GLB without a fault has one. */
static void truncations(void **state) {
  (void)state;
  glb_text glb = small_glb();
  assert_int_equal(errors_of(glb.bytes, glb.size), 0);
  for (size_t size = 0; size < glb.size; size++) {
    unsigned char *cut = malloc(size ? size : 1);
    assert_non_null(cut);
    memcpy(cut, glb.bytes, size);
    assert_true(errors_of(cut, size) > 0);
    free(cut);
  }
  free(glb.bytes);
}

static void random_bytes(void **state) {
  (void)state;
  glb_text glb = small_glb();
  unsigned char *copy = malloc(glb.size);
  assert_non_null(copy);
  uint32_t seed = 5;
  static const char some[] = "0123456789-.\",:[]{}eJOINTS_";
  for (int round = 0; round < 4000; round++) {
    memcpy(copy, glb.bytes, glb.size);
    for (int k = 0; k < 1 + round % 3; k++) {
      seed = seed * 1664525 + 1013904223;
      uint32_t at = (seed >> 8) % (uint32_t)glb.size;
      seed = seed * 1664525 + 1013904223;
      copy[at] = round % 2 ? (unsigned char)(seed >> 24)
                           : (unsigned char)some[(seed >> 16) % (sizeof some - 1)];
    }
    errors_of(copy, glb.size);
  }
  free(copy);
  free(glb.bytes);
}

/* The n-th allocation fails, for every n: an error that says so, and nothing is lost. */
static void failing_memory(void **state) {
  (void)state;
  glb_text glb = small_glb();
  ledger book;
  supple_check_options options = {.load.allocator = ledger_allocator(&book)};
  size_t size = glb.size;
  for (int damaged = 0; damaged < 2; damaged++, size -= 2) {
    for (size_t fail_at = 1;; fail_at++) {
      supple_error error = {0};
      book.calls = 0;
      book.fail_at = fail_at;
      supple_check_report *report = supple_check_memory(glb.bytes, size, &options, &error);
      const bool failed = book.calls >= fail_at;
      if (!failed) assert_non_null(report);
      if (failed && report) fail_msg("allocation %zu failed, and nobody said so", fail_at);
      if (failed) assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
      supple_check_report_free(report);
      assert_int_equal(book.live, 0);
      if (!failed) break;
    }
  }
  free(glb.bytes);
}

/* Everything in the corpus that the loader must refuse has a fault (for the validator, an interpolation that glTF
 * does not know is a warning). */
static void broken_corpus(void **state) {
  (void)state;
  supple_error error;
  supple_document *list = NULL;
  FILE *file = fopen(SUPPLE_CORPUS "/broken/broken.json", "rb");
  if (!file) {
    print_message("skipped: no corpus at " SUPPLE_CORPUS "\n");
    return;
  }
  static char text[1 << 16] = "{\"files\":";
  size_t length = strlen(text);
  length += fread(text + length, 1, sizeof text - length - 2, file);
  fclose(file);
  text[length] = '}';
  list = supple_document_load_memory(text, length + 1, NULL, &error);
  if (!list) fail_msg("%s", error.message);
  supple_value files = supple_document_find(list, "/files");
  uint32_t refused = 0;
  for (uint32_t i = 0; i < supple_document_count(list, files); i++) {
    supple_value item = supple_document_child(list, files, i);
    char path[500];
    snprintf(path, sizeof path, SUPPLE_CORPUS "/%s", rule_cases_member(list, item, "file"));
    supple_check_report *report = supple_check_file(path, NULL, &error);
    if (!report && error.result != SUPPLE_ERROR_LIMIT) fail_msg("%s: %s", path, error.message);
    if (report && strcmp(rule_cases_member(list, item, "expect"), "error") == 0) {
      refused++;
      assert_false(report->loads);
      if (!report->counts[SUPPLE_SEVERITY_ERROR] && !report->counts[SUPPLE_SEVERITY_WARNING])
        fail_msg("%s has no fault", path);
    }
    supple_check_report_free(report);
  }
  assert_true(refused > 20);
  supple_document_free(list);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order),        cmocka_unit_test(numbers_in_order),
      cmocka_unit_test(printable),    cmocka_unit_test(no_file),
      cmocka_unit_test(three_ways),   cmocka_unit_test(truncations),
      cmocka_unit_test(random_bytes), cmocka_unit_test(failing_memory),
      cmocka_unit_test(broken_corpus)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
