/* test_write.c: the files that a document becomes, container by container. */
#include "document_text.h"

static bin numbers(size_t count) {
  bin b = {.size = 0};
  for (size_t i = 0; i < count; i++) put_u8(&b, 1, (const uint8_t[]){(uint8_t)i});
  return b;
}

static const char one_view[] =
    "{'asset':{'version':'2.0'}, 'buffers':[{'name':'b','byteLength':10}],"
    "'bufferViews':[{'buffer':0,'byteOffset':2,'byteLength':8}]}";

static void test_same(void **state) {
  (void)state;
  const bin b = numbers(10);
  supple_document *d = open_glb(&b, one_view);
  const glb_text source = make_glb(&b, one_view);
  written_bytes out = write_main(d, NULL);
  assert_int_equal(out.size, source.size);
  assert_memory_equal(out.data, source.bytes, source.size);
  free(out.data);
  free(source.bytes);
  supple_document_free(d);
}

static void test_glb_to_gltf(void **state) {
  (void)state;
  const bin b = numbers(10);
  supple_document *d = open_glb(&b, one_view);
  supple_written *written = lay_out(d, "x #1:.GLTF");
  assert_int_equal(written->file_count, 2);
  assert_string_equal(written->files[1].name, "x #1_.bin");
  written_bytes json = copy_file(written, 0), data = copy_file(written, 1);
  assert_int_equal(strncmp(json.data,
                           quoted("{'asset':{'version':'2.0'}, "
                                  "'buffers':[{'name':'b','byteLength':10,'uri':'x%20%231_.bin'}],'"
                                  "bufferViews':[{'buffer':0,'byteOffset':2,'byteLength':8}]}"),
                           json.size - 3),
                   0);
  assert_int_equal(data.size, 10);
  assert_memory_equal(data.data, b.bytes, 10);
  free(json.data);
  free(data.data);
  supple_written_free(written);
  supple_document_free(d);
}

/* Two data URIs, a fallback buffer without bytes in front, an image: one BIN chunk, all references moved. */
static void test_gltf_to_glb(void **state) {
  (void)state;
  supple_document *d = open_text(
      "{'asset':{'version':'2.0'},'buffers':[{'byteLength':64,'extensions':{'EXT_meshopt_"
      "compression':{'fallback':true}}},"
      "{'byteLength':5,'uri':'data:application/octet-stream;base64,AAECAwQ='},"
      "{'byteLength':3,'uri':'data:application/gltf-buffer;base64,CgsM'}],"
      "'bufferViews':[{'buffer':1,'byteLength':5},{'buffer':2,'byteOffset':1,'byteLength':2},"
      "{'buffer':0,'byteLength':64,'extensions':{'EXT_meshopt_compression':{'buffer':2,'byteLength'"
      ":3,'count':1}}}],"
      "'images':[{'uri':'data:image/png;base64,iVBORw0KGgo=','name':'i'},{'uri':'none.png'}]}");
  supple_written *written = lay_out(d, "a.glb");
  assert_int_equal(written->file_count, 2);
  assert_true(written->files[1].missing && written->files[1].unchanged);
  assert_string_equal(written->files[1].name, "none.png");
  written_bytes out = copy_file(written, 0);
  char *json = json_of_glb(&out);
  assert_string_equal(
      json,
      quoted(
          "{'asset':{'version':'2.0'},'buffers':[{'byteLength':20},"
          "{'byteLength':64,'extensions':{'EXT_meshopt_compression':{'fallback':true}}}],"
          "'bufferViews':[{'buffer':0,'byteLength':5},{'buffer':0,'byteOffset':9,'byteLength':2},"
          "{'buffer':1,'byteLength':64,'extensions':{'EXT_meshopt_compression':{'buffer':0,'"
          "byteLength':3,'count':1,'byteOffset':8}}},"
          "{'buffer':0,'byteOffset':12,'byteLength':8}],"
          "'images':[{'name':'i','bufferView':3,'mimeType':'image/png'},{'uri':'none.png'}]}"));
  free(json);
  assert_memory_equal(out.data + out.size - 20, "\0\1\2\3\4\0\0\0\xA\xB\xC\0\x89PNG\r\n\x1a\n", 20);
  free(out.data);
  supple_written_free(written);
  supple_document_free(d);
}

/* All buffers are data URIs: so is the new one; an edit alone moves nothing. */
static void test_data_uri(void **state) {
  (void)state;
  supple_document *d =
      open_text("{'buffers':[{'byteLength':3,'uri':'data:application/octet-stream;base64,CgsM'}]}");
  uint32_t view;
  fine(supple_document_set(d, 0, "x", "1", NULL, problem));
  expect_text(
      d, "{'buffers':[{'byteLength':3,'uri':'data:application/octet-stream;base64,CgsM'}],'x':1}");
  fine(supple_document_add_view(d, "\1\2\3\4", 4, &view, problem));
  fine(supple_document_add_view(d, "\5", 1, &view, problem));
  assert_int_equal(view, 1);
  expect_text(d, "{'buffers':[{'byteLength':3,'uri':'data:application/octet-stream;base64,CgsM'},"
                 "{'byteLength':5,'uri':'data:application/octet-stream;base64,AQIDBAU='}],'x':1,"
                 "'bufferViews':[{'buffer':1,'byteOffset':0,'byteLength':4},{'buffer':1,'"
                 "byteOffset':4,'byteLength':1}]}");
  supple_document_free(d);
}

/* Chunks that nobody knows stay in a .glb, and are counted where they have no place. */
static void test_chunks(void **state) {
  (void)state;
  bin b = numbers(10);
  glb_text glb = make_glb(&b, one_view);
  glb.bytes = realloc(glb.bytes, glb.size + 12);
  assert_non_null(glb.bytes);
  memcpy(glb.bytes + glb.size, "\4\0\0\0XTRAabcd", 12);
  glb.size += 12;
  write_u32(glb.bytes + 8, glb.size);
  supple_error error;
  supple_document *d = supple_document_load_memory(glb.bytes, glb.size, NULL, &error);
  assert_non_null(d);
  fine(supple_document_set(d, 0, "x", "1", NULL, problem));
  supple_written *written = lay_out(d, NULL);
  assert_int_equal(written->dropped_chunks, 0);
  written_bytes out = copy_file(written, 0);
  assert_memory_equal(out.data + out.size - 12, "\4\0\0\0XTRAabcd", 12);
  free(out.data);
  supple_written_free(written);
  written = lay_out(d, "a.gltf");
  assert_int_equal(written->dropped_chunks, 1);
  supple_written_free(written);
  supple_document_free(d);
  free(glb.bytes);
}

static void test_refusals(void **state) {
  (void)state;
  supple_error error;
  supple_document *d = open_text("{'buffers':[{'byteLength':3,'uri':'gone.bin'}]}");
  assert_null(supple_document_write(d, &(supple_write_options){.name = "a.glb"}, &error));
  assert_string_equal(error.pointer, "/buffers/0/uri");
  supple_written *written = lay_out(d, "a.gltf");
  written_bytes out = {0};
  assert_int_equal(supple_written_copy(written, 1, written_put, &out, &error), SUPPLE_ERROR_FILE);
  assert_int_equal(supple_written_copy(written, 2, written_put, &out, &error),
                   SUPPLE_ERROR_ARGUMENT);
  free(out.data);
  supple_written_free(written);
  supple_document_free(d);
  d = open_text("{'buffers':[{'byteLength':9,'uri':'data:;base64,CgsM'}]}");
  assert_null(supple_document_write(d, &(supple_write_options){.name = "a.glb"}, &error));
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),        cmocka_unit_test(test_glb_to_gltf),
      cmocka_unit_test(test_gltf_to_glb), cmocka_unit_test(test_data_uri),
      cmocka_unit_test(test_chunks),      cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
