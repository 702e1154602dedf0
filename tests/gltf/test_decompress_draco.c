/* test_decompress_draco.c: compressed primitives of a document: read, replaced, and accessors that several share. */
#include "fake_codecs.h"

#include <supple/document.h>

#define DRACO(view)                                                                                \
  "{'KHR_draco_mesh_compression':{'bufferView':" view ",'attributes':{'POSITION':4}}}"
#define ASSET                                                                                      \
  "{'asset':{'version':'2.0'},'extensionsUsed':['KHR_draco_mesh_compression'],"                    \
  "'extensionsRequired':['KHR_draco_mesh_compression'],'buffers':[{'byteLength':36}],"             \
  "'bufferViews':[{'buffer':0,'byteLength':16},{'buffer':0,'byteOffset':16,'byteLength':20}],"     \
  "'accessors':[{'componentType':5126,'type':'VEC3','count':%d,'min':[0,0,0],'max':[1,1,1]},"      \
  "{'componentType':5121,'type':'SCALAR','count':6}],"                                             \
  "'meshes':[{'primitives':["                                                                      \
  "{'attributes':{'POSITION':0},'indices':1,'mode':4,'extensions':" DRACO(                         \
      "0") "},"                                                                                    \
           "{'attributes':{'POSITION':0},'indices':1,'extensions':" DRACO("1") "}]}]}"

static supple_document *load_document(const supple_codecs *codecs, int count) {
  static const float values[9] = {0};
  bin b = {.size = 0};
  char json[2000];
  supple_error error;
  put_f32(&b, 9, values);
  snprintf(json, sizeof json, ASSET, count);
  glb_text glb = make_glb(&b, json);
  const supple_load_options options = {.codecs = codecs};
  supple_document *document = supple_document_load_memory(glb.bytes, glb.size, &options, &error);
  if (!document) fail_msg("%s", error.message);
  free(glb.bytes);
  return document;
}

static void check_positions(supple_document *document, uint32_t accessor) {
  float out[9];
  supple_error error;
  if (supple_document_floats(document, accessor, out, &error)) fail_msg("%s", error.message);
  for (int i = 0; i < 9; i++) assert_true(out[i] == (float)(40 + i));
}

static void read_as_they_are(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_error error;
  supple_document *document = load_document(&codecs, 3);
  uint32_t indices[6];
  check_positions(document, 0);
  check_positions(document, 0);
  assert_int_equal(fake.opened, 1);
  assert_int_equal(supple_document_integers(document, 1, indices, NULL), SUPPLE_OK);
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(indices[i], i % 3);
  assert_int_equal(fake.opened, 1); /* one mesh, both accessors */
  assert_int_equal(fake.closed, 0);
  supple_document_free(document);
  assert_int_equal(fake.closed, 1);
  document = load_document(&codecs, 7); /* as many as the caller made room for, or none */
  float out[21];
  assert_int_equal(supple_document_floats(document, 0, out, &error), SUPPLE_ERROR_FORMAT);
  assert_non_null(strstr(error.message, "7 elements, but the compressed data 3"));
  supple_document_free(document);
  document = load_document(NULL, 3);
  assert_int_equal(supple_document_floats(document, 0, out, &error), SUPPLE_ERROR_UNSUPPORTED);
  assert_non_null(strstr(error.message, "libdraco-dev"));
  assert_int_equal(supple_document_decompress(document, NULL, &error), SUPPLE_ERROR_UNSUPPORTED);
  supple_document_free(document);
}

/* Another mesh, an edit and a failure each end the one that is open; there are never two. */
static void one_is_open(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  uint32_t indices[6];
  float out[9];
  supple_document *document = load_document(&codecs, 3);
  check_positions(document, 0);
  if (supple_document_set(document, 0, "extras", "1", NULL, NULL)) fail_msg("extras");
  assert_int_equal(supple_document_integers(document, 1, indices, NULL), SUPPLE_OK);
  assert_true(fake.opened == 2 && fake.closed == 1);
  supple_document_free(document);
  assert_int_equal(fake.closed, 2);
  document = load_document(&codecs, 3);
  fake.read_result = SUPPLE_ERROR_FORMAT; /* it stays open, and what failed is asked again */
  assert_int_equal(supple_document_floats(document, 0, out, NULL), SUPPLE_ERROR_FORMAT);
  fake.read_result = SUPPLE_OK;
  check_positions(document, 0);
  assert_true(fake.opened == 3 && fake.closed == 2);
  if (supple_document_set(document, 0, "extras", "2", NULL, NULL)) fail_msg("extras");
  fake.open_result = SUPPLE_ERROR_MEMORY;
  assert_int_equal(supple_document_integers(document, 1, indices, NULL), SUPPLE_ERROR_MEMORY);
  assert_true(fake.opened == 3 && fake.closed == 3);
  fake.open_result = SUPPLE_OK;
  fake.points = 0; /* nothing to draw: refused, and not kept */
  assert_int_equal(supple_document_integers(document, 1, indices, NULL), SUPPLE_ERROR_LIMIT);
  assert_true(fake.opened == 4 && fake.closed == 4);
  fake.points = 3;
  check_positions(document, 0); /* decoded before: no need to open anything */
  assert_int_equal(fake.opened, 4);
  supple_document_free(document);
  assert_int_equal(fake.closed, 4);
}

static uint32_t index_at(supple_document *document, const char *pointer) {
  return supple_document_index(document, supple_document_find(document, pointer));
}

static void replaced(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_error error;
  supple_document *document = load_document(&codecs, 7);
  uint32_t changed;
  if (supple_document_decompress(document, &changed, &error)) fail_msg("%s", error.message);
  assert_int_equal(changed, 2);
  assert_int_equal(fake.opened, fake.closed);
  assert_int_equal(supple_document_find(document, "/extensionsUsed"), SUPPLE_NONE);
  assert_int_equal(supple_document_find(document, "/extensionsRequired"), SUPPLE_NONE);
  assert_int_equal(supple_document_find(document, "/meshes/0/primitives/0/extensions"), SUPPLE_NONE);
  /* Each primitive has its own accessors now, with the count of the data, exact bounds, and narrow indices. */
  assert_int_equal(supple_document_accessor_count(document), 4);
  const uint32_t first = index_at(document, "/meshes/0/primitives/0/attributes/POSITION");
  const uint32_t second = index_at(document, "/meshes/0/primitives/1/attributes/POSITION");
  assert_true(first == 0 && second >= 2);
  check_positions(document, first);
  check_positions(document, second);
  assert_int_equal(index_at(document, "/accessors/0/count"), 3);
  assert_int_equal(index_at(document, "/accessors/0/min/0"), 40);
  assert_int_equal(index_at(document, "/accessors/0/max/2"), 48);
  assert_int_equal(index_at(document, "/accessors/1/componentType"), 5121);
  uint32_t indices[6];
  assert_int_equal(supple_document_integers(document,
                                            index_at(document, "/meshes/0/primitives/1/indices"),
                                            indices, NULL),
                   SUPPLE_OK);
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(indices[i], i % 3);
  supple_asset *asset = supple_document_asset(document, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  assert_int_equal(asset->meshes[0].primitives[1].vertex_count, 3);
  supple_asset_free(asset);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(read_as_they_are),
                                     cmocka_unit_test(one_is_open), cmocka_unit_test(replaced)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
