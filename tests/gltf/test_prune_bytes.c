/* test_prune_bytes.c: buffers lose what no view refers to; shared and overlapping views keep their bytes. */
#include "document_text.h"

static void expect_view(supple_document *d, uint32_t view, const char *bytes, uint32_t size) {
  char pointer[64], json[120];
  uint32_t values[64];
  snprintf(pointer, sizeof pointer,
           "{\"bufferView\":%u,\"componentType\":5121,\"count\":%u,\"type\":\"SCALAR\"}",
           (unsigned)view, (unsigned)size);
  strcpy(json, pointer);
  supple_value accessors = supple_document_find(d, "/accessors");
  if (accessors == SUPPLE_NONE)
    fine(supple_document_set(d, 0, "accessors", "[]", &accessors, problem));
  fine(supple_document_insert(d, accessors, SUPPLE_NONE, json, NULL, problem));
  fine(supple_document_integers(d, supple_document_count(d, accessors) - 1, values, problem));
  for (uint32_t i = 0; i < size; i++) assert_int_equal(values[i], (unsigned char)bytes[i]);
  fine(supple_document_remove(
      d, supple_document_child(d, accessors, supple_document_count(d, accessors) - 1), problem));
  fine(supple_document_remove(d, accessors, problem));
}

/* Images hold on to views. */
static const char text[] =
    "{'scenes':[{}],'extensionsUsed':['VRM'],'buffers':[{'byteLength':64}],'images':[{'bufferView':"
    "0},{'bufferView':1},{'bufferView':2},{'bufferView':4}],"
    "'bufferViews':[{'buffer':0,'byteOffset':9,'byteLength':6},{'buffer':0,'byteOffset':12,'"
    "byteLength':8},"
    "{'buffer':0,'byteOffset':40,'byteLength':3},{'buffer':0,'byteOffset':50,'byteLength':2},{'"
    "buffer':0,'byteOffset':60,'byteLength':4}]}";

static void test_holes(void **state) {
  (void)state;
  bin b = {.size = 0};
  for (uint8_t i = 0; i < 64; i++) put_u8(&b, 1, &i);
  supple_document *d = open_glb(&b, text);
  uint32_t added;
  fine(supple_document_add_view(d, "nobody", 6, NULL, problem));
  fine(supple_document_add_view(d, "wanted", 6, &added, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/images"), 9, quoted("{'bufferView':6}"),
                              NULL, problem));
  assert_int_equal(added, 6);
  supple_pruned pruned;
  fine(supple_document_prune(d, &pruned, NULL, problem));
  assert_int_equal(pruned.views, 2);
  assert_int_equal(pruned.bytes,
                   64 + 14 - (6 + 2 + 12 + 4 + 4)); /* "wanted", ranges 8-20, 40-43, 60-64 */
  for (int round = 0; round < 2; round++) {
    expect_view(d, 0, "\x9\xA\xB\xC\xD\xE", 6);
    expect_view(d, 1, "\xC\xD\xE\xF\x10\x11\x12\x13", 8);
    expect_view(d, 2, "\x28\x29\x2A", 3);
    expect_view(d, 3, "\x3C\x3D\x3E\x3F", 4);
    expect_view(d, 4, "wanted", 6);
    fine(supple_document_prune(d, &pruned, NULL, problem));
    assert_true(!pruned.views && !pruned.bytes && !pruned.buffers);
  }
  written_bytes out = write_main(d, "a.glb");
  supple_error error;
  supple_document *again = supple_document_load_memory(out.data, out.size, NULL, &error);
  assert_non_null(again);
  assert_int_equal(supple_document_count(again, supple_document_find(again, "/buffers")), 1);
  expect_view(again, 1, "\xC\xD\xE\xF\x10\x11\x12\x13", 8);
  expect_view(again, 4, "wanted", 6);
  supple_document_free(again);
  free(out.data);
  supple_document_free(d);
}

/* Data URIs stay data URIs. */
static void test_data_uri(void **state) {
  (void)state;
  supple_document *d = open_text("{'scenes':[{}],'buffers':[{'byteLength':12,'uri':'data:;base64,"
                                 "AAAAAAECAwQAAAAA','name':'n'}],"
                                 "'bufferViews':[{'buffer':0,'byteOffset':4,'byteLength':4}],'"
                                 "images':[{'bufferView':0}],'extensionsUsed':['VRM']}");
  supple_pruned pruned;
  fine(supple_document_prune(d, &pruned, NULL, problem));
  assert_int_equal(pruned.bytes, 8);
  expect_text(d, "{'scenes':[{}],'buffers':[{'byteLength':4,'name':'n','uri':'data:application/"
                 "octet-stream;base64,AQIDBA=='}],"
                 "'bufferViews':[{'buffer':0,'byteOffset':0,'byteLength':4}],'images':[{'"
                 "bufferView':0}],'extensionsUsed':['VRM']}");
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_holes), cmocka_unit_test(test_data_uri)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
