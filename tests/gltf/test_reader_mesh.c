/* test_reader_mesh.c: vertex streams, quantised and not, and what a mesh must have. */
#include "asset_text.h"

#include <math.h>

/* Three vertices: positions at 0, normals at 36, tangents at 72, 12 signed bytes each vertex at
 * 120. */
static bin three_vertices(void) {
  static const float positions[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                     normals[9] = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                     tangents[12] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, -1};
  static const int8_t bytes[36] = {127, -127, -128, 0, 0,   0,   127, 0, 1, 2,  3,  4,
                                   64,  0,    0,    0, 0,   127, 0,   0, 5, 6,  7,  8,
                                   -1,  1,    0,    0, 127, 0,   0,   0, 9, 10, 11, 12};
  bin b = {.size = 0};
  put_f32(&b, 9, positions);
  put_f32(&b, 9, normals);
  put_f32(&b, 12, tangents);
  put_bytes(&b, bytes, sizeof bytes);
  return b;
}

#define VIEWS                                                                                      \
  "'bufferViews':[{'buffer':0,'byteLength':120},{'buffer':0,'byteOffset':120,'byteLength':36,'"    \
  "byteStride':12}]"
#define ACCESSORS                                                                                  \
  "'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':3},"                    \
  "{'bufferView':0,'byteOffset':36,'componentType':5126,'type':'VEC3','count':3},"                 \
  "{'bufferView':0,'byteOffset':72,'componentType':5126,'type':'VEC4','count':3},"                 \
  "{'bufferView':1,'componentType':5120,'type':'VEC3','count':3},"                                 \
  "{'bufferView':1,'componentType':5120,'normalized':true,'type':'VEC3','count':3},"               \
  "{'bufferView':1,'byteOffset':4,'componentType':5120,'normalized':true,'type':'VEC4','count':3}" \
  ","                                                                                              \
  "{'componentType':5126,'type':'VEC3','count':2}]"
#define MESH "," VIEWS "," ACCESSORS ",'materials':[{}],'meshes':[{'name':'m','primitives':[%s]}]"

static void streams(void **state) {
  (void)state;
  bin b = three_vertices();
  supple_asset *asset = load(
      &b,
      MESH, "{'attributes':{'POSITION':0}},{'material':0,'attributes':{'POSITION':0,'NORMAL':1,'TANGENT':2}}");
  assert_int_equal(asset->mesh_count, 1);
  assert_string_equal(asset->meshes[0].name, "m");
  assert_int_equal(asset->meshes[0].primitive_count, 2);
  const supple_primitive *p = asset->meshes[0].primitives;
  assert_true(p[0].mesh == 0 && p[0].index == 0 && p[1].index == 1);
  assert_true(p[0].material == SUPPLE_NONE && p[1].material == 0);
  assert_int_equal(p[0].vertex_count, 3);
  assert_null(p[0].normals);
  assert_null(p[0].tangents);
  assert_memory_equal(p[1].positions, b.bytes, 36);
  assert_memory_equal(p[1].normals, b.bytes + 36, 36);
  assert_memory_equal(p[1].tangents, b.bytes + 72, 48);
  assert_true(p[1].influence_count == 0 && !p[1].joints && !p[1].weights && !p[1].targets);
  supple_asset_free(asset);
}

static void quantised_streams(void **state) {
  (void)state;
  bin b = three_vertices();
  supple_asset *asset =
      load(&b, MESH ",'extensionsUsed':['KHR_mesh_quantization']",
           "{'attributes':{'POSITION':3,'NORMAL':4,'TANGENT':5}},{'attributes':{'POSITION':4}}");
  const supple_primitive *p = asset->meshes[0].primitives;
  const float plain[9] = {127, -127, -128, 64, 0, 0, -1, 1, 0};
  assert_memory_equal(p[0].positions, plain, sizeof plain);
  const float scaled[9] = {1, -1, -1, 64.0f / 127, 0, 0, -1.0f / 127, 1.0f / 127, 0};
  assert_memory_equal(p[0].normals, scaled, sizeof scaled);
  assert_memory_equal(p[1].positions, scaled, sizeof scaled);
  assert_true(p[0].tangents[2] == 1 && p[0].tangents[3] == 0 && p[0].tangents[5] == 1);
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
  asset = load(&b, MESH, "{'attributes':{'POSITION':3}}");
  assert_true(has_note(asset, "/meshes/0/primitives/0/attributes/POSITION", "KHR_mesh_quantization"));
  supple_asset_free(asset);
  refuse(&b, "/meshes/0/primitives/0/attributes/NORMAL", "is of int8", MESH,
         "{'attributes':{'POSITION':0,'NORMAL':3}}");
}

static void wrong_meshes(void **state) {
  (void)state;
  bin b = three_vertices();
  refuse(NULL, "/meshes/0/primitives", "is missing", ",'meshes':[{}]");
  refuse(NULL, "/meshes/0/primitives", "is empty", ",'meshes':[{'primitives':[]}]");
  refuse(NULL, "/meshes/0/primitives/0", "must be an object", ",'meshes':[{'primitives':[1]}]");
  refuse(NULL, "/meshes/0/primitives/0/attributes", "is missing", ",'meshes':[{'primitives':[{}]}]");
  refuse(&b, "/meshes/0/primitives/0/attributes/NORMAL",
         "accessor 6 has 2 elements, but POSITION has 3", MESH,
         "{'attributes':{'POSITION':0,'NORMAL':6}}");
  refuse(&b, "/meshes/0/primitives/0/attributes/TANGENT", "VEC3; it must be VEC4", MESH,
         "{'attributes':{'POSITION':0,'TANGENT':1}}");
  refuse(&b, "/meshes/0/primitives/0/attributes/POSITION", "only 7 accessors", MESH,
         "{'attributes':{'POSITION':7}}");
  refuse(&b, "/meshes/0/primitives/0/material", "only 1 materials", MESH,
         "{'material':1,'attributes':{'POSITION':0}}");
}

static void without_positions(void **state) {
  (void)state;
  bin b = three_vertices();
  supple_asset *asset = load(&b, MESH, "{'attributes':{'NORMAL':1}}");
  const supple_primitive *p = asset->meshes[0].primitives;
  assert_true(p->vertex_count == 0 && p->index_count == 0 && !p->positions && !p->normals);
  assert_true(has_note(asset, "/meshes/0/primitives/0/attributes", "no POSITION"));
  supple_asset_free(asset);
}

static void not_finite(void **state) {
  (void)state;
  const float bad[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    bin b = three_vertices();
    memcpy(b.bytes + 4 * 5, &bad[i], 4); /* z of vertex 1 */
    refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, "/meshes/0/primitives/0/attributes/POSITION",
                "vertex 1 is not finite", MESH, "{'attributes':{'POSITION':0}}");
    b = three_vertices();
    memcpy(b.bytes + 36 + 4 * 8, &bad[i], 4);
    supple_asset *asset = load(&b, MESH, "{'attributes':{'POSITION':0,'NORMAL':1}}");
    assert_true(has_note(asset, "/meshes/0/primitives/0/attributes/NORMAL", "vertex 2"));
    supple_asset_free(asset);
  }
}

static void draco(void **state) {
  (void)state;
  bin b = three_vertices();
  const char *extension = "'extensions':{'KHR_draco_mesh_compression':{}}";
  supple_asset_free(load(
      &b, MESH, "{'attributes':{'POSITION':0},'extensions':{'KHR_draco_mesh_compression':{}}}"));
  refuse_with(NULL, &b, SUPPLE_ERROR_UNSUPPORTED,
              "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression",
              "needs Draco mesh decompression",
              ",'accessors':[{'componentType':5126,'type':'VEC3','count':3}],'meshes':[{'"
              "primitives':[{'attributes':"
              "{'POSITION':0},%s}]}]",
              extension);
}

static void limits(void **state) {
  (void)state;
  bin b = three_vertices();
  const supple_load_options two = {.limits = {.vertices = 2}}, three = {.limits = {.vertices = 3}};
  supple_asset_free(load_with(&three, &b, MESH, "{'attributes':{'POSITION':0}}"));
  refuse_with(&two, &b, SUPPLE_ERROR_LIMIT, "/meshes/0/primitives/0/attributes", "limits.vertices",
              MESH, "{'attributes':{'POSITION':0}}");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams),      cmocka_unit_test(quantised_streams),
      cmocka_unit_test(wrong_meshes), cmocka_unit_test(without_positions),
      cmocka_unit_test(not_finite),   cmocka_unit_test(draco),
      cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
