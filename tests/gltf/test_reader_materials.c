/* test_reader_materials.c: factors, textures, samplers, and what they are where nothing is said. */
#include "asset_text.h"

#define IMAGES ",'images':[{'uri':'a.png'},{'uri':'b.png'},{'uri':'c.png'}]"

static void check_defaults(const supple_material *material) {
  const float white[4] = {1, 1, 1, 1}, black[3] = {0, 0, 0};
  const supple_texture *t = &material->base_color_texture;
  assert_memory_equal(material->base_color, white, sizeof white);
  assert_memory_equal(material->emissive, black, sizeof black);
  assert_true(material->metallic == 1 && material->roughness == 1);
  assert_true(material->alpha_mode == SUPPLE_ALPHA_OPAQUE && material->alpha_cutoff == 0.5f);
  assert_true(!material->double_sided && !material->unlit);
  assert_int_equal(t->image, SUPPLE_NONE);
  assert_true(t->wrap_s == 10497 && t->wrap_t == 10497 && !t->nearest && t->texcoord == 0);
  assert_true(t->offset[0] == 0 && t->offset[1] == 0 && t->rotation == 0);
  assert_true(t->scale[0] == 1 && t->scale[1] == 1);
}

static void factors(void **state) {
  (void)state;
  supple_asset *asset = load(
      NULL, ",'materials':[{'name':'skin','pbrMetallicRoughness':{'baseColorFactor':[0.5,0.25,0,1],"
            "'metallicFactor':0.25,'roughnessFactor':0.75},'emissiveFactor':[1,0.5,0],"
            "'alphaMode':'MASK','alphaCutoff':0.125,'doubleSided':true,"
            "'extensions':{'KHR_materials_unlit':{}}},{},{'pbrMetallicRoughness':{}},"
            "{'alphaMode':'BLEND'},{'alphaMode':'OPAQUE'}]");
  assert_int_equal(asset->material_count, 5);
  const supple_material *first = &asset->materials[0];
  const float color[4] = {0.5f, 0.25f, 0, 1}, emissive[3] = {1, 0.5f, 0};
  assert_string_equal(first->name, "skin");
  assert_memory_equal(first->base_color, color, sizeof color);
  assert_memory_equal(first->emissive, emissive, sizeof emissive);
  assert_true(first->metallic == 0.25f && first->roughness == 0.75f);
  assert_true(first->alpha_mode == SUPPLE_ALPHA_MASK && first->alpha_cutoff == 0.125f);
  assert_true(first->double_sided && first->unlit);
  check_defaults(&asset->materials[1]);
  check_defaults(&asset->materials[2]);
  assert_int_equal(asset->materials[3].alpha_mode, SUPPLE_ALPHA_BLEND);
  check_defaults(&asset->materials[4]);
  supple_asset_free(asset);
}

static void textures(void **state) {
  (void)state;
  supple_asset *asset =
      load(NULL, IMAGES ",'samplers':[{'magFilter':9728,'wrapS':33071,'wrapT':33648},{}],"
                        "'textures':[{'source':1,'sampler':0},{'source':2,'sampler':1},{},"
                        "{'extensions':{'KHR_texture_basisu':{'source':2}}},"
                        "{'source':0,'extensions':{'EXT_texture_webp':{'source':2}}}],"
                        "'materials':["
                        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'texCoord':1}}},"
                        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':1,'texCoord':1,"
                        "'extensions':{'KHR_texture_transform':{'offset':[0.5,-1],'rotation':0.25,"
                        "'scale':[2,4],'texCoord':3}}}}},"
                        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':2}}},"
                        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':3}}},"
                        "{'pbrMetallicRoughness':{'baseColorTexture':{'index':4}}}]");
  const supple_texture *t = &asset->materials[0].base_color_texture;
  assert_true(t->image == 1 && t->texcoord == 1 && t->nearest);
  assert_true(t->wrap_s == 33071 && t->wrap_t == 33648 && t->scale[0] == 1);
  t = &asset->materials[1].base_color_texture;
  assert_true(t->image == 2 && t->texcoord == 3 && !t->nearest && t->wrap_s == 10497);
  assert_true(t->offset[0] == 0.5f && t->offset[1] == -1 && t->rotation == 0.25f);
  assert_true(t->scale[0] == 2 && t->scale[1] == 4);
  check_defaults(&asset->materials[2]);
  assert_int_equal(asset->materials[3].base_color_texture.image, 2);
  assert_int_equal(asset->materials[4].base_color_texture.image, 0);
  supple_asset_free(asset);
}

static void wrong_textures(void **state) {
  (void)state;
  refuse(NULL, "/textures/0/source", "only 3 images", IMAGES ",'textures':[{'source':3}]");
  refuse(NULL, "/textures/0/sampler", "only 0 samplers", IMAGES ",'textures':[{'sampler':0}]");
  refuse(NULL, "/textures/0/extensions/EXT_texture_webp/source", "only 3 images",
         IMAGES ",'textures':[{'extensions':{'EXT_texture_webp':{'source':4}}}]");
  refuse(NULL, "/samplers/0/magFilter", "9728 or 9729", ",'samplers':[{'magFilter':9987}]");
  refuse(NULL, "/samplers/0/wrapS", "10497", ",'samplers':[{'wrapS':10496}]");
  refuse(NULL, "/samplers/0/wrapT", "10497", ",'samplers':[{'wrapT':'REPEAT'}]");
}

static void wrong_materials(void **state) {
  (void)state;
  const char *pbr = ",'textures':[{}],'materials':[{'pbrMetallicRoughness':{%s}}]";
#define PBR "/materials/0/pbrMetallicRoughness"
  refuse(NULL, PBR "/baseColorFactor", "3 numbers instead of 4", pbr, "'baseColorFactor':[1,1,1]");
  refuse(NULL, PBR "/metallicFactor", "must be a number", pbr, "'metallicFactor':'1'");
  refuse(NULL, PBR "/baseColorTexture", "must be an object", pbr, "'baseColorTexture':0");
  refuse(NULL, PBR "/baseColorTexture/index", "is missing", pbr, "'baseColorTexture':{}");
  refuse(NULL, PBR "/baseColorTexture/index", "only 1 textures", pbr,
         "'baseColorTexture':{'index':1}");
  refuse(NULL, PBR "/baseColorTexture/texCoord", "must be an integer", pbr,
         "'baseColorTexture':{'index':0,'texCoord':-1}");
  refuse_with(NULL, NULL, SUPPLE_ERROR_NUMBER, PBR "/roughnessFactor", "too large", pbr,
              "'roughnessFactor':1e39"); /* finite as a double, not as a float */
  refuse_with(NULL, NULL, SUPPLE_ERROR_NUMBER, PBR "/baseColorFactor/2", "too large", pbr,
              "'baseColorFactor':[0,0,-1e39,0]");
  refuse(NULL, PBR "/baseColorTexture/extensions/KHR_texture_transform/scale",
         "1 numbers instead of 2", pbr,
         "'baseColorTexture':{'index':0,'extensions':{'KHR_texture_transform':{'scale':[1]}}}");
  refuse(NULL, "/materials/0/alphaMode", "OPAQUE, MASK or BLEND",
         ",'materials':[{'alphaMode':'mask'}]");
  refuse(NULL, "/materials/0/doubleSided", "true or false", ",'materials':[{'doubleSided':1}]");
  refuse(NULL, "/materials/0/emissiveFactor", "instead of 3",
         ",'materials':[{'emissiveFactor':[1]}]");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(factors), cmocka_unit_test(textures),
                                     cmocka_unit_test(wrong_textures),
                                     cmocka_unit_test(wrong_materials)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
