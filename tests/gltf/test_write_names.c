/* test_write_names.c: the files that a document names, each once, and those that only look so. */
#include "document_text.h"

static void test_names(void **state) {
  (void)state;
  supple_document *d =
      open_text("{'buffers':[{'byteLength':1,'uri':'b.bin'},{'byteLength':1,'uri':'a%2Bx.bin'}],"
                "'images':[{'uri':'t/1.png'},{'uri':'b.bin'},{'uri':'../out.png'},{'uri':'https://"
                "example.org/x.png'},{'name':'uri'}],"
                "'extensions':{'XX':{'uri':'sound.ogg','list':[{'uri':7}]}}}");
  supple_written *written = lay_out(d, "main.gltf");
  static const char *const wanted[] = {NULL, "b.bin", "a+x.bin", "t/1.png"};
  assert_int_equal(written->file_count, 4);
  for (uint32_t i = 1; i < 4; i++) {
    assert_string_equal(written->files[i].name, wanted[i]);
    assert_true(written->files[i].unchanged && written->files[i].missing && !written->files[i].size);
  }
  supple_written_free(written);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
