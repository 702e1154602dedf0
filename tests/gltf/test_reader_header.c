/* test_reader_header.c: versions and extensions. */
#include "asset_text.h"

static supple_error error;

static supple_asset *load_asset(const char *json) {
  glb_text glb = make_glb(NULL, json);
  memset(&error, 0x5A, sizeof error);
  supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, NULL, &error);
  free(glb.bytes);
  return asset;
}

static void versions(void **state) {
  (void)state;
  static const struct {
    const char *asset;
    supple_result result;
    const char *pointer;
  } cases[] = {
      {"{'version':'2.0'}", SUPPLE_OK, ""},
      {"{'version':'2.1'}", SUPPLE_OK, ""},
      {"{'version':'2.99','minVersion':'2.0'}", SUPPLE_OK, ""},
      {"{'version':'2.1','minVersion':'2.1'}", SUPPLE_ERROR_UNSUPPORTED, "/asset/minVersion"},
      {"{'version':'1.0'}", SUPPLE_ERROR_UNSUPPORTED, "/asset/version"},
      {"{'version':'3.0'}", SUPPLE_ERROR_UNSUPPORTED, "/asset/version"},
      {"{'version':'20.0'}", SUPPLE_ERROR_UNSUPPORTED, "/asset/version"},
      {"{'version':'2'}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':'2.'}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':'.0'}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':'2.0.1'}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':'2.0 '}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':''}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':2.0}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"{'version':'2.0','minVersion':'x'}", SUPPLE_ERROR_FORMAT, "/asset/minVersion"},
      {"{}", SUPPLE_ERROR_FORMAT, "/asset/version"},
      {"[]", SUPPLE_ERROR_FORMAT, "/asset"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char json[200];
    snprintf(json, sizeof json, "{'asset':%s}", cases[i].asset);
    supple_asset *asset = load_asset(json);
    assert_int_equal(asset != NULL, cases[i].result == SUPPLE_OK);
    if (!asset) check_error(&error, cases[i].result, cases[i].pointer, "");
    supple_asset_free(asset);
  }
  assert_null(load_asset("{}"));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/asset", "is missing");
  assert_null(load_asset("  [1]"));
  assert_true(error.result == SUPPLE_ERROR_FORMAT &&
              error.offset == 22); /* after the headers of the GLB */
}

static void texts(void **state) {
  (void)state;
  supple_asset *asset =
      load_asset("{'asset':{'version':'2.0','generator':'a tool','copyright':'\xC2\xA9'}}");
  assert_non_null(asset);
  assert_string_equal(asset->version, "2.0");
  assert_string_equal(asset->generator, "a tool");
  assert_string_equal(asset->copyright, "\xC2\xA9");
  assert_int_equal(asset->scene, SUPPLE_NONE);
  supple_asset_free(asset);
  asset = load_asset("{'asset':{'version':'2.0'}}");
  assert_true(!asset->generator[0] && !asset->copyright[0] && asset->skeleton.node_count == 0);
  assert_true(asset->memory_bytes >= sizeof *asset);
  supple_asset_free(asset);
}

static void extensions(void **state) {
  (void)state;
  supple_asset *asset = load(NULL, ",'extensionsUsed':['KHR_mesh_quantization','NO_such_thing'],"
                                   "'extensionsRequired':['KHR_mesh_quantization']");
  assert_int_equal(asset->extension_count, 2);
  assert_string_equal(asset->extensions_used[1], "NO_such_thing");
  supple_asset_free(asset);
  static const char *const harmless[] = {"KHR_materials_unlit",
                                         "KHR_materials_pbrSpecularGlossiness",
                                         "KHR_texture_transform",
                                         "KHR_texture_basisu",
                                         "EXT_mesh_gpu_instancing",
                                         "EXT_texture_webp",
                                         "KHR_lights_punctual",
                                         "KHR_animation_pointer",
                                         "VRM",
                                         "VRMC_vrm",
                                         "VRMC_springBone"};
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    supple_asset_free(load(NULL, ",'extensionsRequired':['%s']", harmless[i]));
  static const char *const needed[] = {"NO_such_thing",          "VRM2",
                                       "KHR_mesh_quantization2", "KHR_material",
                                       "EXT_mesh_gpu_instancin", ""};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    refuse_with(NULL, NULL, SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/1",
                "needs the extension", ",'extensionsRequired':['VRM','%s']", needed[i]);
  refuse_with(
      NULL, NULL, SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0",
      "needs Draco mesh decompression (KHR_draco_mesh_compression), which this build has not",
      ",'extensionsRequired':['KHR_draco_mesh_compression']");
  refuse_with(NULL, NULL, SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0",
              "needs meshopt decompression", ",'extensionsRequired':['EXT_meshopt_compression']");
  refuse(NULL, "/extensionsUsed/0", "must be a string", ",'extensionsUsed':[1]");
  refuse(NULL, "/extensionsRequired", "must be an array", ",'extensionsRequired':'x'");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(versions), cmocka_unit_test(texts),
                                     cmocka_unit_test(extensions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
