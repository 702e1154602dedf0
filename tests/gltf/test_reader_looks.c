/* test_reader_looks.c: texture coordinates and colours in every type that glTF and KHR_mesh_quantization allow. */
#include "asset_text.h"

#include <math.h>

/* Two vertices: positions at 0, what is tested at 24. */
static bin two_vertices(const void *data, size_t size) {
  static const float positions[6] = {0, 0, 0, 1, 0, 0};
  bin b = {.size = 0};
  put_f32(&b, 6, positions);
  put_bytes(&b, data, size);
  return b;
}

#define ASSET                                                                                      \
  ",'bufferViews':[{'buffer':0,'byteLength':24},{'buffer':0,'byteOffset':24,'byteLength':%u,"      \
  "'byteStride':%u}],'accessors':[{'bufferView':0,'componentType':5126,'type':'VEC3','count':2},"  \
  "{'bufferView':1,'componentType':%u,'normalized':%s,'type':'%s','count':2}],"                    \
  "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0,'%s':1}}]}]"

typedef struct attribute {
  const void *data;
  unsigned stride, component;
  bool normalized;
  const char *type;
} attribute;

static supple_asset *load_attribute(const char *key, const attribute *a) {
  bin b = two_vertices(a->data, 2 * (size_t)a->stride);
  return load(&b, ASSET, 2 * a->stride, a->stride, a->component, a->normalized ? "true" : "false",
              a->type, key);
}

static const uint8_t bytes[8] = {0, 255, 51, 102, 255, 0, 204, 153};
static const uint16_t shorts[8] = {0, 65535, 13107, 26214, 65535, 0, 52428, 39321};
static const int8_t signs[8] = {127, -128, 0, 0, -127, 5, 0, 0};
static const int16_t wide_signs[4] = {32767, -32768, -32767, 5};
static const float floats[8] = {0, 1, 0.25f, 0.5f, -2, 3, 0.75f, 1};

static void check_uv(const attribute *a, const float wanted[4], bool quantised) {
  static const char place[] = "/meshes/0/primitives/0/attributes/TEXCOORD_0";
  supple_asset *asset = load_attribute("TEXCOORD_0", a);
  const supple_primitive *p = asset->meshes[0].primitives;
  assert_non_null(p->texcoords);
  assert_null(p->colors);
  assert_memory_equal(p->texcoords, wanted, 4 * sizeof(float));
  assert_int_equal(has_note(asset, place, "KHR_mesh_quantization"), quantised);
  supple_asset_free(asset);
}

static void texcoords(void **state) {
  (void)state;
  const float plain[4] = {0, 1, -2, 3}, unit[4] = {0, 1, 1, 0}, whole[4] = {0, 255, 255, 0};
  const float signed_unit[4] = {1, -1, -1, 5.0f / 127}, signed_whole[4] = {127, -128, -127, 5};
  const float wide_unit[4] = {1, -1, -1, 5.0f / 32767}, wide[4] = {32767, -32768, -32767, 5};
  const float wide_whole[4] = {0, 65535, 65535, 0};
  check_uv(&(attribute){floats, 16, 5126, false, "VEC2"}, plain, false);
  check_uv(&(attribute){bytes, 4, 5121, true, "VEC2"}, unit, false);
  check_uv(&(attribute){shorts, 8, 5123, true, "VEC2"}, unit, false);
  check_uv(&(attribute){bytes, 4, 5121, false, "VEC2"}, whole, true);
  check_uv(&(attribute){shorts, 8, 5123, false, "VEC2"}, wide_whole, true);
  check_uv(&(attribute){signs, 4, 5120, true, "VEC2"}, signed_unit, true);
  check_uv(&(attribute){signs, 4, 5120, false, "VEC2"}, signed_whole, true);
  check_uv(&(attribute){wide_signs, 4, 5122, true, "VEC2"}, wide_unit, true);
  check_uv(&(attribute){wide_signs, 4, 5122, false, "VEC2"}, wide, true);
}

static void check_color(const attribute *a, const float wanted[8]) {
  supple_asset *asset = load_attribute("COLOR_0", a);
  const supple_primitive *p = asset->meshes[0].primitives;
  assert_non_null(p->colors);
  assert_null(p->texcoords);
  assert_memory_equal(p->colors, wanted, 8 * sizeof(float));
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
}

static void colors(void **state) {
  (void)state;
  const float four[8] = {0, 1, 0.2f, 0.4f, 1, 0, 0.8f, 0.6f};
  const float three[8] = {0, 1, 0.2f, 1, 1, 0, 0.8f, 1};
  const float three_floats[8] = {0, 1, 0.25f, 1, -2, 3, 0.75f, 1};
  check_color(&(attribute){floats, 16, 5126, false, "VEC4"}, floats);
  check_color(&(attribute){floats, 16, 5126, false, "VEC3"}, three_floats);
  check_color(&(attribute){bytes, 4, 5121, true, "VEC4"}, four);
  check_color(&(attribute){bytes, 4, 5121, true, "VEC3"}, three);
  check_color(&(attribute){shorts, 8, 5123, true, "VEC4"}, four);
  check_color(&(attribute){shorts, 8, 5123, true, "VEC3"}, three);
}

static void refuse_attribute(const char *key, const attribute *a, const char *part) {
  bin b = two_vertices(a->data, 2 * (size_t)a->stride);
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/meshes/0/primitives/0/attributes/%s", key);
  refuse(&b, pointer, part, ASSET, 2 * a->stride, a->stride, a->component,
         a->normalized ? "true" : "false", a->type, key);
}

static void wrong(void **state) {
  (void)state;
  refuse_attribute("TEXCOORD_0", &(attribute){floats, 16, 5126, false, "VEC3"}, "must be VEC2");
  refuse_attribute("TEXCOORD_0", &(attribute){floats, 16, 5125, false, "VEC2"}, "is of uint32");
  refuse_attribute("COLOR_0", &(attribute){floats, 16, 5126, false, "VEC2"}, "must be VEC4");
  refuse_attribute("COLOR_0", &(attribute){bytes, 4, 5121, false, "VEC4"}, "is of uint8");
  bin b = two_vertices(floats, sizeof floats);
  refuse(&b, "/meshes/0/primitives/0/attributes/COLOR_0", "only 1 accessors", "%s",
         ",'bufferViews':[{'buffer':0,'byteLength':24}],'accessors':[{'bufferView':0,"
         "'componentType':5126,'type':'VEC3','count':2}],"
         "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'COLOR_0':1}}]}]");
  refuse(&b, "/meshes/0/primitives/0/attributes/TEXCOORD_0", "has 3 elements, but POSITION has 2",
         "%s",
         ",'bufferViews':[{'buffer':0,'byteLength':24}],'accessors':[{'bufferView':0,"
         "'componentType':5126,'type':'VEC3','count':2},"
         "{'componentType':5126,'type':'VEC2','count':3}],"
         "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'TEXCOORD_0':1}}]}]");
}

/* They move nothing, so what is not finite is told and kept. */
static void not_finite(void **state) {
  (void)state;
  const float bad[8] = {0, 0, 0, 0, 0, NAN, 0, 0};
  supple_asset *asset = load_attribute("COLOR_0", &(attribute){bad, 16, 5126, false, "VEC4"});
  assert_true(has_note(asset, "/meshes/0/primitives/0/attributes/COLOR_0", "vertex 1"));
  assert_true(isnan(asset->meshes[0].primitives[0].colors[5]));
  supple_asset_free(asset);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(texcoords), cmocka_unit_test(colors),
                                     cmocka_unit_test(wrong), cmocka_unit_test(not_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
