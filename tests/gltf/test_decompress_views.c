/* test_decompress_views.c: compressed views of a document: read, replaced, and the buffers that go with them. */
#include "fake_codecs.h"

#include <supple/document.h>

/* Two compressed views from buffer 0 in the place of buffer 1, and a plain one in buffer 2. */
#define ASSET                                                                                      \
  "{'asset':{'version':'2.0'},'extensionsUsed':['EXT_meshopt_compression','X_y'],"                 \
  "'extensionsRequired':['EXT_meshopt_compression'],"                                              \
  "'buffers':[{'byteLength':96},"                                                                  \
  "{'byteLength':48,'extensions':{'EXT_meshopt_compression':{'fallback':true}}},"                  \
  "{'byteLength':4,'uri':'data:;base64,AQIDBA=='}],"                                               \
  "'bufferViews':[{'buffer':2,'byteLength':4},"                                                    \
  "{'buffer':1,'byteLength':36,'target':34962,'extensions':{'EXT_meshopt_compression':"            \
  "{'buffer':0,'byteLength':96,'byteStride':12,'count':3,'mode':'ATTRIBUTES'}}},"                  \
  "{'buffer':1,'byteOffset':36,'byteLength':12,'extensions':{'X_y':{},'EXT_meshopt_compression':"  \
  "{'buffer':0,'byteOffset':%d,'byteLength':36,'byteStride':12,'count':1,'mode':'ATTRIBUTES'}}}]," \
  "'accessors':[{'bufferView':1,'componentType':5126,'type':'VEC3','count':3},"                    \
  "{'bufferView':2,'componentType':5126,'type':'VEC3','count':1}]}"

static float values[24];

static supple_document *load_document(const supple_codecs *codecs, int offset) {
  bin b = {.size = 0};
  char json[2000];
  supple_error error;
  for (int i = 0; i < 24; i++) values[i] = (float)i;
  put_f32(&b, 24, values);
  snprintf(json, sizeof json, ASSET, offset);
  glb_text glb = make_glb(&b, json);
  const supple_load_options options = {.codecs = codecs};
  supple_document *document = supple_document_load_memory(glb.bytes, glb.size, &options, &error);
  if (!document) fail_msg("%s", error.message);
  free(glb.bytes);
  return document;
}

static void read_as_they_are(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_document *document = load_document(&codecs, 0);
  float out[9];
  for (int i = 0; i < 2; i++) {
    assert_int_equal(supple_document_floats(document, 0, out, NULL), SUPPLE_OK);
    assert_memory_equal(out, values + 15, 36);
  }
  assert_int_equal(supple_document_floats(document, 1, out, NULL), SUPPLE_OK);
  assert_memory_equal(out, values + 6, 12);
  assert_int_equal(fake.unpacked, 2); /* each once */
  supple_document_free(document);
}

static void replaced(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_document *document = load_document(&codecs, 0);
  supple_error error;
  uint32_t changed;
  if (supple_document_decompress(document, &changed, &error)) fail_msg("%s", error.message);
  assert_int_equal(changed, 2);
  assert_int_equal(supple_document_find(document, "/extensionsRequired"), SUPPLE_NONE);
  assert_string_equal(
      supple_document_string(document, supple_document_find(document, "/extensionsUsed/0")), "X_y");
  assert_int_equal(
      supple_document_count(document, supple_document_find(document, "/extensionsUsed")), 1);
  /* compressed bytes and fallback are gone; the data URI became the first buffer */
  assert_int_equal(supple_document_count(document, supple_document_find(document, "/buffers")), 2);
  assert_int_equal(
      supple_document_index(document, supple_document_find(document, "/bufferViews/0/buffer")), 0);
  assert_int_equal(
      supple_document_index(document, supple_document_find(document, "/bufferViews/1/buffer")), 1);
  assert_int_equal(supple_document_count(document, supple_document_find(document, "/bufferViews")),
                   3);
  assert_int_equal(supple_document_find(document, "/bufferViews/1/extensions"), SUPPLE_NONE);
  assert_int_equal(
      supple_document_index(document, supple_document_find(document, "/bufferViews/1/target")),
      34962);
  assert_int_equal(supple_document_type(
                       document, supple_document_find(document, "/bufferViews/2/extensions/X_y")),
                   SUPPLE_VALUE_OBJECT);
  float out[9];
  fake.meshopt_result = SUPPLE_ERROR_FORMAT; /* nothing asks it any more */
  assert_int_equal(supple_document_floats(document, 0, out, NULL), SUPPLE_OK);
  assert_memory_equal(out, values + 15, 36);
  assert_int_equal(supple_document_floats(document, 1, out, NULL), SUPPLE_OK);
  assert_memory_equal(out, values + 6, 12);
  supple_document_free(document);
}

static void all_or_nothing(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_error error;
  uint32_t changed = 9;
  supple_document *document = load_document(&codecs, 80); /* the second lies beyond its buffer */
  assert_true(supple_document_decompress(document, &changed, &error) != SUPPLE_OK);
  assert_int_equal(changed, 0);
  assert_int_equal(
      supple_document_type(document, supple_document_find(document, "/bufferViews/1/extensions")),
      SUPPLE_VALUE_OBJECT);
  assert_int_equal(supple_document_count(document, supple_document_find(document, "/buffers")), 3);
  supple_document_free(document);
  document = load_document(NULL, 0);
  assert_int_equal(supple_document_decompress(document, NULL, &error), SUPPLE_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "libmeshoptimizer-dev"));
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(read_as_they_are), cmocka_unit_test(replaced),
                                     cmocka_unit_test(all_or_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
