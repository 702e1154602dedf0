/* test_document_bytes.c: bytes by every way that a file has for them, and every truncation, bit flip and failing
 * allocation of a small document. */
#include "document_text.h"

static const char small[] =
    "{'asset':{'version':'2.0'},'scenes':[{'nodes':[0]}],'nodes':[{'mesh':0}],'meshes':[{'"
    "primitives':[{'attributes':{'POSITION':0}}]}],"
    "'accessors':[{'bufferView':0,'componentType':5121,'count':2,'type':'VEC3'},{'componentType':"
    "5126,'count':2,'type':'SCALAR',"
    "'sparse':{'count':1,'indices':{'bufferView':1,'componentType':5121},'values':{'bufferView':2}}"
    "}],"
    "'bufferViews':[{'buffer':0,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':1},{'"
    "buffer':0,'byteOffset':12,'byteLength':4},"
    "{'buffer':1,'byteLength':3}],'images':[{'bufferView':3},{'uri':'data:;base64,AQID'}],"
    "'buffers':[{'byteLength':16},{'byteLength':3,'uri':'data:;base64,CgsM'}]}";

static bin small_bin(void) {
  bin b = {.size = 0};
  const uint8_t bytes[12] = {1, 2, 3, 4, 5, 6, 0, 0, 1, 0, 0, 0};
  put_u8(&b, 12, bytes);
  put_f32(&b, 1, (const float[]){2.5f});
  return b;
}

static void test_sources(void **state) {
  (void)state;
  const bin b = small_bin();
  supple_document *d = open_glb(&b, small);
  float values[6];
  const void *data;
  size_t size;
  fine(supple_document_floats(d, 1, values, problem));
  assert_true(values[0] == 0 && values[1] == 2.5f);
  fine(supple_document_image(d, 0, &data, &size, problem));
  assert_true(size == 3 && memcmp(data, "\xA\xB\xC", 3) == 0);
  fine(supple_document_image(d, 1, &data, &size, problem));
  assert_true(size == 3 && memcmp(data, "\1\2\3", 3) == 0);
  supple_error error;
  assert_int_equal(supple_document_image(d, 2, &data, &size, &error), SUPPLE_ERROR_ARGUMENT);
  fine(supple_document_set(d, supple_document_find(d, "/images/0"), "bufferView", "9", NULL,
                           problem));
  assert_int_equal(supple_document_image(d, 0, &data, &size, &error), SUPPLE_ERROR_FORMAT);
  assert_string_equal(error.pointer, "/images/0/bufferView");
  supple_document_free(d);
}

/* Everything that can be done with a document; what it says does not matter. */
static void use(supple_document *d) {
  supple_error error;
  float values[4096];
  uint32_t index;
  const void *data;
  size_t size;
  supple_accessor_layout layout;
  for (uint32_t i = 0; i < supple_document_accessor_count(d) && i < 8; i++)
    if (!supple_document_accessor(d, i, &layout, &error) && layout.count < 256)
      (void)supple_document_floats(d, i, values, &error);
  (void)supple_document_image(d, 0, &data, &size, &error);
  (void)supple_document_image(d, 1, &data, &size, &error);
  const supple_accessor_data new_data = {
      .layout = {5121, 3, 1, false, 2}, .data = "abcdef", .target = 34962, .bounds = true};
  (void)supple_document_set_accessor(d, 0, &new_data, &error);
  (void)supple_document_add_accessor(d, &new_data, &index, &error);
  (void)supple_document_decompress(d, NULL, &error);
  static const char *const names[] = {"a.glb", "a.gltf", NULL};
  for (int round = 0; round < 2; round++) {
    for (int i = 0; i < 3; i++) {
      supple_written *written =
          supple_document_write(d, &(supple_write_options){.name = names[i]}, &error);
      for (uint32_t f = 0; written && f < written->file_count; f++) {
        written_bytes out = {0};
        (void)supple_written_copy(written, f, written_put, &out, &error);
        free(out.data);
      }
      supple_written_free(written);
    }
    supple_asset_free(supple_document_asset(d, NULL, &error));
    (void)supple_document_prune(d, NULL, NULL, &error);
  }
}

static void test_broken(void **state) {
  (void)state;
  const bin b = small_bin();
  const glb_text glb = make_glb(&b, small);
  supple_error error;
  for (size_t size = 0; size < glb.size; size++) {
    unsigned char *cut = malloc(size + 1);
    assert_non_null(cut);
    memcpy(cut, glb.bytes, size);
    assert_null(supple_document_load_memory(cut, size, NULL, &error));
    assert_true(error.message[0]);
    free(cut);
  }
  uint32_t loaded = 0;
  for (size_t bit = 0; bit < 8 * glb.size; bit += 3) {
    glb.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
    supple_document *d = supple_document_load_memory(glb.bytes, glb.size, NULL, &error);
    if (d) use(d);
    loaded += d != NULL;
    supple_document_free(d);
    glb.bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
  }
  assert_true(loaded > 500);
  free(glb.bytes);
}

/* No allocation that fails is lost, nothing leaks, and what failed has changed nothing. */
static void test_failing_allocations(void **state) {
  (void)state;
  const bin b = small_bin();
  const glb_text glb = make_glb(&b, small);
  supple_error error;
  bool done = false;
  for (size_t fail_at = 1; !done; fail_at++) {
    ledger book;
    const supple_load_options options = {.allocator = ledger_allocator(&book)};
    book.fail_at = fail_at;
    supple_document *d = supple_document_load_memory(glb.bytes, glb.size, &options, &error);
    if (d) {
      use(d);
      done = book.calls < fail_at;
      supple_document_free(d);
    } else {
      assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
    }
    assert_int_equal(book.live, 0);
  }
  /* One edit at a time: the text stays as it was. */
  for (int what = 0; what < 5; what++) {
    done = false;
    for (size_t fail_at = 1; !done; fail_at++) {
      ledger book;
      const supple_load_options options = {.allocator = ledger_allocator(&book)};
      supple_document *d = supple_document_load_memory(glb.bytes, glb.size, &options, &error);
      assert_non_null(d);
      book.calls = 0;
      book.fail_at = fail_at;
      const supple_accessor_data data = {.layout = {5121, 3, 1, false, 2}, .data = "abcdef"};
      const supple_affine64 m = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
      supple_result result = SUPPLE_OK;
      if (what == 0) result = supple_document_set_accessor(d, 0, &data, &error);
      if (what == 1) result = supple_document_add_accessor(d, &data, NULL, &error);
      if (what == 2) result = supple_document_prune(d, NULL, NULL, &error);
      if (what == 3) result = supple_document_set_node(d, 0, NULL, &m, &error);
      if (what == 4) result = supple_document_set(d, 0, "new", "[{}]", NULL, &error);
      done = !result;
      book.fail_at = 0;
      if (result) {
        assert_int_equal(result, SUPPLE_ERROR_MEMORY);
        written_bytes out = write_main(d, NULL);
        char *json = json_of_glb(&out);
        assert_string_equal(json, quoted(small));
        free(json);
        free(out.data);
      }
      supple_document_free(d);
      assert_int_equal(book.live, 0);
    }
  }
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_sources), cmocka_unit_test(test_broken),
                                     cmocka_unit_test(test_failing_allocations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
