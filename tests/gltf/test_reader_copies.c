/* test_reader_copies.c: EXT_mesh_gpu_instancing composed, and what it may not say. */
#include "asset_text.h"

#include <math.h>

/* Positions at 0 (1 vertex), joints at 12, weights at 16, then two of each: translations at 32, rotations at 56,
 * scales at 88, three scalars at 112. */
static bin parts(void) {
  static const float position[3] = {1, 2, 3}, weights[4] = {1, 0, 0, 0};
  static const uint8_t joints[4] = {0};
  static const float moves[6] = {0, 0, 0, 10, 20, 30};
  static const float turns[8] = {0, 0, 0, 1,
                                 0, 0, 3, 3}; /* the second: 90 degrees about Z, too long */
  static const float scales[6] = {1, 1, 1, 2, 4, -8};
  static const float own[3] = {7, 7, 7};
  bin b = {.size = 0};
  put_f32(&b, 3, position);
  put_u8(&b, 4, joints);
  put_f32(&b, 4, weights);
  put_f32(&b, 6, moves);
  put_f32(&b, 8, turns);
  put_f32(&b, 6, scales);
  put_f32(&b, 3, own);
  return b;
}

#define ASSET                                                                                      \
  ",'bufferViews':[{'buffer':0,'byteLength':124}],'accessors':["                                   \
  "{'bufferView':0,'componentType':5126,'type':'VEC3','count':1},"                                 \
  "{'bufferView':0,'byteOffset':12,'componentType':5121,'type':'VEC4','count':1},"                 \
  "{'bufferView':0,'byteOffset':16,'componentType':5126,'type':'VEC4','count':1},"                 \
  "{'bufferView':0,'byteOffset':32,'componentType':5126,'type':'VEC3','count':2},"                 \
  "{'bufferView':0,'byteOffset':56,'componentType':5126,'type':'VEC4','count':2},"                 \
  "{'bufferView':0,'byteOffset':88,'componentType':5126,'type':'VEC3','count':2},"                 \
  "{'bufferView':0,'byteOffset':112,'componentType':5126,'type':'SCALAR','count':3},"              \
  "{'componentType':5126,'type':'VEC3','count':2}],"                                               \
  "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}]}]," \
  "'skins':[{'joints':[1]}],"                                                                      \
  "'extensionsRequired':['EXT_mesh_gpu_instancing'],"                                              \
  "'nodes':[{'mesh':0,'skin':0,'extensions':{'EXT_mesh_gpu_instancing':{%s}}},{},"                 \
  "{'mesh':0,'skin':0}]"
#define PLACE "/nodes/0/extensions/EXT_mesh_gpu_instancing/attributes"

static void composed(void **state) {
  (void)state;
  bin b = parts();
  supple_asset *asset = load(&b, ASSET, "'attributes':{'TRANSLATION':3,'ROTATION':4,'SCALE':5}");
  assert_int_equal(asset->instance_count, 2);
  const supple_instance *drawn = &asset->instances[0];
  assert_int_equal(drawn->copy_count, 2);
  /* x to y, y to -x, after the scale. */
  const double wanted[3][4] = {{0, -4, 0, 10}, {2, 0, 0, 20}, {0, 0, -8, 30}};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      assert_true(drawn->copies[0].m[r][c] == (r == c ? 1 : 0));
      assert_true(fabs(drawn->copies[1].m[r][c] - wanted[r][c]) < 1e-12);
    }
  assert_true(has_note(asset, PLACE "/ROTATION", "1 rotations are not unit length"));
  assert_true(asset->instances[1].copy_count == 0 && !asset->instances[1].copies);
  supple_asset_free(asset);
  asset = load(&b, ASSET, "'attributes':{'_OWN':5}"); /* moves nothing, but says how many */
  assert_true(asset->instances[0].copy_count == 2 && asset->instances[0].copies[1].m[0][0] == 1);
  supple_asset_free(asset);
  asset = load(&b, ASSET, "'attributes':{'SCALE':7}"); /* an accessor without view: zeros */
  assert_true(asset->instances[0].copies[1].m[1][1] == 0);
  supple_asset_free(asset);
  asset = load(&b, ASSET, "'attributes':{}");
  assert_true(asset->instances[0].copy_count == 0 && has_note(asset, PLACE, "drawn once"));
  supple_asset_free(asset);
  const supple_load_options structure = {.structure_only = true};
  asset = load_with(&structure, &b, ASSET, "'attributes':{'TRANSLATION':3}");
  assert_true(asset->instances[0].copy_count == 2 && !asset->instances[0].copies);
  supple_asset_free(asset);
}

static void refusals(void **state) {
  (void)state;
  bin b = parts();
  refuse(&b, PLACE, "is missing", ASSET, "");
  refuse(&b, PLACE, "must be an object", ASSET, "'attributes':3");
  refuse(&b, PLACE "/TRANSLATION", "only 8 accessors", ASSET, "'attributes':{'TRANSLATION':8}");
  refuse(&b, PLACE "/TRANSLATION", "must be VEC3", ASSET, "'attributes':{'TRANSLATION':4}");
  refuse(&b, PLACE "/ROTATION", "must be VEC4", ASSET, "'attributes':{'ROTATION':3}");
  refuse(&b, PLACE "/ROTATION", "uint8, which is not allowed", ASSET, "'attributes':{'ROTATION':1}");
  refuse(&b, PLACE "/_OWN", "3 elements, but others here have 2", ASSET,
         "'attributes':{'SCALE':5,'_OWN':6}");
  const float bad = NAN;
  memcpy(b.bytes + 32 + 16, &bad, sizeof bad);
  refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, PLACE "/TRANSLATION", "copy 1 is not finite", ASSET,
              "'attributes':{'TRANSLATION':3}");
  b = parts();
  const supple_load_options little = {.limits = {.memory_bytes = 60000}};
  refuse_with(&little, &b, SUPPLE_ERROR_LIMIT, "", "limits.memory_bytes",
              ",'accessors':[{'componentType':5126,'type':'VEC3','count':100000},"
              "{'componentType':5126,'type':'VEC3','count':1},{'componentType':5121,'type':'VEC4',"
              "'count':1},{'componentType':5126,'type':'VEC4','count':1}],'meshes':[{'primitives':["
              "{'mode':0,'attributes':{'POSITION':1,'JOINTS_0':2,'WEIGHTS_0':3}}]}],"
              "'skins':[{'joints':[1]}],'nodes':[{'mesh':0,'skin':0,'extensions':"
              "{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':0}}}},{}]");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(composed), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
