/* test_write_buffers.c: which buffers are merged, and which images are taken in. */
#include "document_text.h"

static const char with_images[] = "{'buffers':[{'byteLength':3,'uri':'data:;base64,CgsM'}],'images'"
                                  ":[{'uri':'data:image/x-own;base64,AQ=='},"
                                  "{'uri':'data:;base64,AQ=='},{'uri':'data:;base64,/9j/"
                                  "4AAQ','mimeType':'image/mine'},{'uri':'a.png'}]}";

static supple_result read_image(void *user, const char *path, const void **data, size_t *size,
                                supple_error *error) {
  (void)user, (void)error;
  if (strcmp(path, "a.png") != 0) return SUPPLE_ERROR_FILE;
  *data = "RIFF....WEBPxyz";
  *size = 15;
  return SUPPLE_OK;
}

static char *glb_json(bool keep) {
  supple_error error;
  const char *text = quoted(with_images);
  const supple_load_options options = {.reader = {.read = read_image}};
  supple_document *d = supple_document_load_memory(text, strlen(text), &options, &error);
  assert_non_null(d);
  supple_written *written = supple_document_write(
      d, &(supple_write_options){.name = "a.glb", .keep_images = keep}, &error);
  if (!written) fail_msg("%s", error.message);
  assert_int_equal(written->file_count, keep ? 2 : 1);
  written_bytes out = copy_file(written, 0);
  char *json = json_of_glb(&out);
  free(out.data);
  supple_written_free(written);
  supple_document_free(d);
  return json;
}

static void test_images(void **state) {
  (void)state;
  char *json = glb_json(false);
  assert_string_equal(
      json,
      quoted("{'buffers':[{'byteLength':31}],'images':[{'bufferView':0,'mimeType':'image/x-own'},"
             "{'uri':'data:;base64,AQ=='},{'mimeType':'image/mine','bufferView':1},"
             "{'bufferView':2,'mimeType':'image/webp'}],"
             "'bufferViews':[{'buffer':0,'byteOffset':4,'byteLength':1},{'buffer':0,'byteOffset':8,"
             "'byteLength':6},"
             "{'buffer':0,'byteOffset':16,'byteLength':15}]}"));
  free(json);
  json = glb_json(true);
  assert_non_null(strstr(json, quoted("{'uri':'a.png'}]")));
  free(json);
}

/* A .glb with a file beside its BIN chunk keeps it. */
static void test_file_beside_bin(void **state) {
  (void)state;
  bin b = {.size = 0};
  put_u8(&b, 4, (const uint8_t[]){1, 2, 3, 4});
  supple_document *d = open_glb(&b, "{'buffers':[{'byteLength':4},{'byteLength':9,'uri':'gone.bin'}"
                                    "],'bufferViews':[{'buffer':1,'byteLength':9}]}");
  fine(supple_document_add_view(d, "new", 3, NULL, problem));
  written_bytes out = write_main(d, NULL);
  char *json = json_of_glb(&out);
  assert_string_equal(
      json, quoted("{'buffers':[{'byteLength':7},{'byteLength':9,'uri':'gone.bin'}],'bufferViews':["
                   "{'buffer':1,'byteLength':9},{'buffer':0,'byteOffset':4,'byteLength':3}]}"));
  assert_memory_equal(out.data + out.size - 8, "\1\2\3\4new\0", 8);
  free(json);
  free(out.data);
  supple_document_free(d);
}

/* New bytes of a .glb without a BIN chunk become its first buffer; the others move. */
static void test_no_bin(void **state) {
  (void)state;
  supple_document *d = open_glb(NULL, "{'buffers':[{'byteLength':9,'uri':'gone.bin'}],'bufferViews'"
                                      ":[{'buffer':0,'byteLength':9}]}");
  fine(supple_document_add_view(d, "new", 3, NULL, problem));
  written_bytes out = write_main(d, NULL);
  char *json = json_of_glb(&out);
  assert_string_equal(
      json, quoted("{'buffers':[{'byteLength':3},{'byteLength':9,'uri':'gone.bin'}],'bufferViews':["
                   "{'buffer':1,'byteLength':9},{'buffer':0,'byteOffset':0,'byteLength':3}]}"));
  free(json);
  free(out.data);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_images),
                                     cmocka_unit_test(test_file_beside_bin),
                                     cmocka_unit_test(test_no_bin)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
