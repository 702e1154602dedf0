/* test_document.c: what can be loaded, from memory and from files, and what is refused. */
#include "document_text.h"

static void refuse_text(const char *json, supple_result result, const char *part) {
  supple_error error;
  const char *text = quoted(json);
  assert_null(supple_document_load_memory(text, strlen(text), NULL, &error));
  assert_int_equal(error.result, result);
  if (!strstr(error.message, part)) fail_msg("%s", error.message);
}

static void test_refused(void **state) {
  (void)state;
  refuse_text("", SUPPLE_ERROR_FORMAT, "empty");
  refuse_text("[]", SUPPLE_ERROR_FORMAT, "must be an object");
  refuse_text("{'a':1,'a':2}", SUPPLE_ERROR_FORMAT, "twice");
  refuse_text("glTF", SUPPLE_ERROR_FORMAT, "header");
  supple_error error;
  assert_null(supple_document_load_memory(NULL, 3, NULL, &error));
  assert_null(supple_document_load(NULL, NULL, &error));
  assert_null(supple_document_load("no such file.glb", NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_FILE);
  const supple_load_options few = {.limits = {.file_bytes = 4, .json_values = 3}};
  assert_null(supple_document_load_memory("{    }", 6, &few, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_LIMIT);
  supple_document_free(NULL);
}

/* What the JSON says is not judged: nonsense loads, and is written as it was. */
static void test_nonsense(void **state) {
  (void)state;
  static const char *const texts[] = {"{}", "{'buffers':7,'accessors':{'a':1},'nodes':[1,null]}",
                                      "{'accessors':[1],'images':[{}],'skins':[{'joints':'x'}]}"};
  supple_error error;
  float value;
  const void *data;
  size_t size;
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    supple_document *d = open_text(texts[i]);
    assert_int_not_equal(supple_document_floats(d, 0, &value, &error), SUPPLE_OK);
    assert_int_not_equal(supple_document_image(d, 0, &data, &size, &error), SUPPLE_OK);
    assert_int_equal(supple_document_accessor_count(d), i == 2);
    expect_text(d, texts[i]);
    supple_document_free(d);
  }
}

static void write_file(const char *name, const void *data, size_t size) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static void test_files(void **state) {
  (void)state;
  const char *text = quoted(
      "{'buffers':[{'byteLength':4,'uri':'d%20b.bin'}],'bufferViews':[{'buffer':0,'byteLength':4}],"
      "'accessors':[{'bufferView':0,'componentType':5121,'count':4,'type':'SCALAR'}]}");
  write_file(SUPPLE_SCRATCH "/document.gltf", text, strlen(text));
  write_file(SUPPLE_SCRATCH "/d b.bin", "\1\2\3\4", 4);
  supple_error error;
  supple_document *d = supple_document_load(SUPPLE_SCRATCH "/document.gltf", NULL, &error);
  if (!d) fail_msg("%s", error.message);
  supple_written *written = lay_out(d, NULL);
  assert_int_equal(written->file_count, 2);
  assert_string_equal(written->files[1].name, "d b.bin");
  assert_true(written->files[1].unchanged && !written->files[1].missing &&
              written->files[1].size == 4);
  written_bytes out = copy_file(written, 1);
  assert_memory_equal(out.data, "\1\2\3\4", 4);
  free(out.data);
  supple_written_free(written);
  uint32_t values[4];
  fine(supple_document_integers(d, 0, values, problem));
  assert_int_equal(values[3], 4);
  fine(supple_document_add_view(d, "new", 3, NULL, problem));
  written = lay_out(d, "D B.gltf"); /* its file must not be the other, where case does not count */
  assert_int_equal(written->file_count, 3);
  assert_string_equal(written->files[1].name, "D B-1.bin");
  assert_string_equal(written->files[2].name, "d b.bin");
  supple_written_free(written);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_refused),
                                     cmocka_unit_test(test_nonsense), cmocka_unit_test(test_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
