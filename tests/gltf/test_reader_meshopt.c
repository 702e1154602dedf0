/* test_reader_meshopt.c: compressed views with and without a decoder, and what they may not say. */
#include "fake_codecs.h"

/* 60 bytes of head, then three positions as "compressed" data. */
static bin packed(void) {
  static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0.5f};
  static const uint8_t head[60] = {0};
  bin b = {.size = 0};
  put_u8(&b, 60, head);
  put_f32(&b, 9, positions);
  return b;
}

#define ASSET                                                                                      \
  "{'asset':{'version':'2.0'},'buffers':[{'byteLength':96},{'byteLength':36%s}],"                  \
  "'bufferViews':[{'buffer':1,'byteLength':36,'extensions':{'%s':{%s}}}],"                         \
  "'accessors':[{'componentType':5126,'type':'VEC3','count':3,'bufferView':0}],"                   \
  "'meshes':[{'primitives':[{'attributes':{'POSITION':0}},{'attributes':{'POSITION':0}}]}]%s}"
#define WELL "'buffer':0,'byteLength':96,'byteStride':12,'count':3,'mode':'ATTRIBUTES'"
#define PLACE "/bufferViews/0/extensions/EXT_meshopt_compression"

static supple_error error;

static supple_asset *load_packed(const supple_load_options *options, const char *fallback,
                                 const char *name, const char *says, const char *more) {
  bin b = packed();
  char json[2000];
  snprintf(json, sizeof json, ASSET, fallback, name, says, more);
  glb_text glb = make_glb(&b, json);
  memset(&error, 0x5A, sizeof error);
  supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, options, &error);
  free(glb.bytes);
  return asset;
}

static void decoded(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  const supple_load_options options = {.codecs = &codecs};
  bin b = packed();
  static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  for (uint32_t i = 0; i < 2; i++) {
    supple_asset *asset = load_packed(&options, "", names[i], WELL,
                                      i ? ",'extensionsRequired':['KHR_meshopt_compression']" : "");
    if (!asset) fail_msg("%s", error.message);
    assert_memory_equal(asset->meshes[0].primitives[1].positions, b.bytes + 60, 36);
    assert_int_equal(fake.unpacked, i + 1); /* once, however many use it */
    supple_asset_free(asset);
  }
}

static void without_decoder(void **state) {
  (void)state;
  assert_null(load_packed(NULL, "", "EXT_meshopt_compression", WELL, ""));
  check_error(&error, SUPPLE_ERROR_UNSUPPORTED, "/bufferViews/0", "libmeshoptimizer-dev");
  assert_null(load_packed(NULL, "", "EXT_meshopt_compression", WELL,
                          ",'extensionsRequired':['EXT_meshopt_compression']"));
  check_error(&error, SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0", "libmeshoptimizer-dev");
  /* beside uncompressed data: three zero vectors */
  supple_asset *asset =
      load_packed(NULL, ",'uri':'data:;base64,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'",
                  "EXT_meshopt_compression", WELL, "");
  if (!asset) fail_msg("%s", error.message);
  const float zeros[9] = {0};
  assert_memory_equal(asset->meshes[0].primitives[0].positions, zeros, sizeof zeros);
  supple_asset_free(asset);
}

static void damaged(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_load_options options = {.codecs = &codecs};
  fake.meshopt_result = SUPPLE_ERROR_FORMAT;
  assert_null(load_packed(&options, "", "EXT_meshopt_compression", WELL, ""));
  check_error(&error, SUPPLE_ERROR_FORMAT, PLACE, "damaged");
  fake.meshopt_result = SUPPLE_ERROR_UNSUPPORTED;
  assert_null(load_packed(&options, "", "EXT_meshopt_compression", WELL, ""));
  check_error(&error, SUPPLE_ERROR_UNSUPPORTED, PLACE, "not known to the decoder");
  fake.meshopt_result = SUPPLE_ERROR_MEMORY;
  assert_null(load_packed(&options, "", "EXT_meshopt_compression", WELL, ""));
  assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
  fake.meshopt_result = SUPPLE_OK;
  bool limited = false;
  for (size_t bytes = 500; bytes < 20000 && !limited; bytes += 12) {
    options.limits.memory_bytes = bytes;
    supple_asset *asset = load_packed(&options, "", "EXT_meshopt_compression", WELL, "");
    if (!asset) {
      assert_int_equal(error.result, SUPPLE_ERROR_LIMIT);
      limited = strstr(error.message, "decompressed, takes more") != NULL;
    }
    supple_asset_free(asset);
  }
  assert_true(limited);
}

static void wrong(void **state) {
  (void)state;
  static const struct {
    const char *says, *pointer, *part;
  } cases[] = {{"", PLACE "/buffer", "is missing"},
               {"'buffer':2,'byteLength':96,'byteStride':12,'count':3,'mode':'ATTRIBUTES'",
                PLACE "/buffer", "only 2 buffers"},
               {"'buffer':0,'byteLength':97,'byteStride':12,'count':3,'mode':'ATTRIBUTES'", PLACE,
                "bytes 0 to 97"},
               {"'buffer':0,'byteLength':96,'byteStride':12,'count':3", PLACE "/mode", "is missing"},
               {"'buffer':0,'byteLength':96,'byteStride':12,'count':3,'mode':'POINTS'",
                PLACE "/mode", "is no mode"},
               {WELL ",'filter':'SEPIA'", PLACE "/filter", "is no filter"},
               {"'buffer':0,'byteLength':96,'byteStride':12,'count':4,'mode':'ATTRIBUTES'", PLACE,
                "count times byteStride"},
               {WELL ",'filter':'QUATERNION'", PLACE, "must be 8"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_null(load_packed(NULL, "", "EXT_meshopt_compression", cases[i].says, ""));
    check_error(&error, SUPPLE_ERROR_FORMAT, cases[i].pointer, cases[i].part);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(decoded), cmocka_unit_test(without_decoder),
                                     cmocka_unit_test(damaged), cmocka_unit_test(wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
