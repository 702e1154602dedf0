/* test_reader_targets.c: morph targets. */
#include "asset_text.h"

#include <math.h>

/* Two vertices: floats 0 to 11, then signed bytes. */
static bin offsets(void) {
  bin b = {.size = 0};
  for (int i = 0; i < 12; i++) {
    float value = (float)i;
    put_f32(&b, 1, &value);
  }
  static const int8_t bytes[8] = {127, 0, -127, 0, 1, 2, 3, 0};
  put_bytes(&b, bytes, sizeof bytes);
  return b;
}

#define MODEL                                                                                      \
  ",'extensionsUsed':['KHR_mesh_quantization'],'bufferViews':[{'buffer':0,'byteLength':48},"       \
  "{'buffer':0,'byteOffset':48,'byteLength':8,'byteStride':4}],'accessors':["                      \
  "{'bufferView':0,'componentType':5126,'type':'VEC3','count':2},"                                 \
  "{'bufferView':0,'byteOffset':24,'componentType':5126,'type':'VEC3','count':2},"                 \
  "{'bufferView':1,'componentType':5120,'normalized':true,'type':'VEC3','count':2},"               \
  "{'bufferView':1,'componentType':5120,'type':'VEC3','count':2},"                                 \
  "{'componentType':5126,'type':'VEC3','count':3},{'componentType':5126,'type':'VEC4','count':2}]" \
  ","                                                                                              \
  "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0},'targets':[%s]}%s]}]"

static void targets(void **state) {
  (void)state;
  bin b = offsets();
  supple_asset *asset = load(
      &b, MODEL,
      "{'POSITION':1},{'NORMAL':1,'TANGENT':0,'TEXCOORD_0':99},{},{'POSITION':3,'NORMAL':2}", "");
  const supple_primitive *p = &asset->meshes[0].primitives[0];
  assert_int_equal(p->target_count, 4);
  assert_memory_equal(p->targets[0].positions, b.bytes + 24, 24);
  assert_true(!p->targets[0].normals && !p->targets[0].tangents);
  assert_memory_equal(p->targets[1].normals, b.bytes + 24, 24);
  assert_memory_equal(p->targets[1].tangents, b.bytes, 24);
  assert_true(!p->targets[1].positions && !p->targets[2].positions);
  const float plain[6] = {127, 0, -127, 1, 2, 3},
              scaled[6] = {1, 0, -1, 1.0f / 127, 2.0f / 127, 3.0f / 127};
  assert_memory_equal(p->targets[3].positions, plain, sizeof plain);
  assert_memory_equal(p->targets[3].normals, scaled, sizeof scaled);
  supple_asset_free(asset);
  asset = load(&b, MODEL, "", "");
  assert_true(asset->meshes[0].primitives[0].target_count == 0 &&
              !asset->meshes[0].primitives[0].targets);
  supple_asset_free(asset);
}

static void wrong_targets(void **state) {
  (void)state;
  bin b = offsets();
  const char *at = "/meshes/0/primitives/0/targets/0";
  refuse(&b, at, "must be an object", MODEL, "7", "");
  refuse(&b, "/meshes/0/primitives/0/targets/0/POSITION",
         "accessor 4 has 3 elements, but POSITION has 2", MODEL, "{'POSITION':4}", "");
  refuse(&b, "/meshes/0/primitives/0/targets/0/TANGENT", "VEC4; it must be VEC3", MODEL,
         "{'TANGENT':5}", "");
  refuse(&b, "/meshes/0/primitives/0/targets/0/NORMAL", "is of int8", MODEL, "{'NORMAL':3}", "");
  refuse(&b, "/meshes/0/primitives/1", "has 0 morph targets, but the first primitive has 1", MODEL,
         "{}", ",{'attributes':{'POSITION':0}}");
  memcpy(b.bytes + 44, &(float){NAN}, 4);
  refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, "/meshes/0/primitives/0/targets/0/POSITION",
              "vertex 1", MODEL, "{'POSITION':1}", "");
  supple_asset *asset = load(&b, MODEL, "{'TANGENT':1},{'NORMAL':1}", "");
  assert_true(has_note(asset, "/meshes/0/primitives/0/targets/0/TANGENT", "vertex 1"));
  assert_true(has_note(asset, "/meshes/0/primitives/0/targets/1/NORMAL", "vertex 1"));
  supple_asset_free(asset);
}

static void limits(void **state) {
  (void)state;
  bin b = offsets();
  const supple_load_options two = {.limits = {.morph_targets = 2}};
  supple_asset_free(load_with(&two, &b, MODEL, "{},{}", ""));
  refuse_with(&two, &b, SUPPLE_ERROR_LIMIT, "/meshes/0/primitives/0/targets",
              "limits.morph_targets", MODEL, "{},{},{}", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(targets), cmocka_unit_test(wrong_targets),
                                     cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
