/* test_reader_indices.c: indices of every type and mode, checked against the vertices. */
#include "asset_text.h"

/* Four vertices; indices as uint8 at 0, uint16 at 8, uint32 at 24, floats at 56. */
static bin with_indices(size_t count, const uint32_t *indices) {
  bin b = {.size = 56};
  for (size_t i = 0; i < count; i++) {
    b.bytes[i] = (unsigned char)indices[i];
    memcpy(b.bytes + 8 + 2 * i, &(uint16_t){(uint16_t)indices[i]}, 2);
    memcpy(b.bytes + 24 + 4 * i, &indices[i], 4);
  }
  return b;
}

#define MODEL                                                                                      \
  ",'bufferViews':[{'buffer':0,'byteLength':56}],'accessors':[{'componentType':5126,'type':'VEC3'" \
  ",'count':4},"                                                                                   \
  "{'bufferView':0,'componentType':5121,'type':'SCALAR','count':%u},"                              \
  "{'bufferView':0,'byteOffset':8,'componentType':5123,'type':'SCALAR','count':%u},"               \
  "{'bufferView':0,'byteOffset':24,'componentType':5125,'type':'SCALAR','count':%u},"              \
  "{'bufferView':0,'componentType':5126,'type':'SCALAR','count':1}],"                              \
  "'meshes':[{'primitives':[{'attributes':{'POSITION':0}%s}]}]"

static void check(uint32_t count, const uint32_t *indices, const char *mode,
                  supple_topology topology, uint32_t wanted_count, const uint32_t *wanted) {
  bin b = with_indices(count, indices);
  for (int type = 1; type <= 3; type++) {
    char rest[60];
    snprintf(rest, sizeof rest, ",'indices':%d%s", type, mode);
    supple_asset *asset = load(&b, MODEL, count, count, count, rest);
    const supple_primitive *p = &asset->meshes[0].primitives[0];
    assert_int_equal(p->topology, topology);
    assert_int_equal(p->index_count, wanted_count);
    assert_memory_equal(p->indices, wanted, wanted_count * sizeof *wanted);
    supple_asset_free(asset);
  }
}

static void every_type_and_mode(void **state) {
  (void)state;
  const uint32_t six[] = {3, 1, 0, 0, 2, 3};
  check(6, six, "", SUPPLE_TOPOLOGY_TRIANGLES, 6, six);
  check(6, six, ",'mode':4", SUPPLE_TOPOLOGY_TRIANGLES, 6, six);
  check(6, six, ",'mode':0", SUPPLE_TOPOLOGY_POINTS, 6, six);
  check(6, six, ",'mode':1", SUPPLE_TOPOLOGY_LINES, 6, six);
  check(3, six, ",'mode':2", SUPPLE_TOPOLOGY_LINES, 6, (uint32_t[]){3, 1, 1, 0, 0, 3});
  check(3, six, ",'mode':3", SUPPLE_TOPOLOGY_LINES, 4, (uint32_t[]){3, 1, 1, 0});
  check(6, six, ",'mode':5", SUPPLE_TOPOLOGY_TRIANGLES, 12,
        (uint32_t[]){3, 1, 0, 1, 0, 0, 0, 0, 2, 0, 3, 2});
  check(4, six, ",'mode':6", SUPPLE_TOPOLOGY_TRIANGLES, 6, (uint32_t[]){1, 0, 3, 0, 0, 3});
}

static void without_indices(void **state) {
  (void)state;
  bin b = with_indices(0, NULL);
  supple_asset *asset = load(&b, MODEL, 1, 1, 1, "");
  const supple_primitive *p = &asset->meshes[0].primitives[0];
  const uint32_t one[] = {0, 1, 2}, strip[] = {0, 1, 2, 1, 3, 2};
  assert_int_equal(p->index_count, 3);
  assert_memory_equal(p->indices, one, sizeof one);
  assert_true(has_note(asset, "/meshes/0/primitives/0", "last 1 indices"));
  supple_asset_free(asset);
  asset = load(&b, MODEL, 1, 1, 1, ",'mode':5");
  p = &asset->meshes[0].primitives[0];
  assert_int_equal(p->index_count, 6);
  assert_memory_equal(p->indices, strip, sizeof strip);
  supple_asset_free(asset);
}

static void incomplete_lists(void **state) {
  (void)state;
  const uint32_t five[] = {0, 1, 2, 3, 0};
  bin b = with_indices(5, five);
  supple_asset *asset = load(&b, MODEL, 5, 5, 5, ",'indices':1");
  assert_int_equal(asset->meshes[0].primitives[0].index_count, 3);
  assert_true(has_note(asset, "/meshes/0/primitives/0", "last 2 indices"));
  supple_asset_free(asset);
  asset = load(&b, MODEL, 2, 2, 2, ",'indices':1");
  assert_int_equal(asset->meshes[0].primitives[0].index_count, 0);
  supple_asset_free(asset);
  const uint32_t wrong[] = {0, 1, 2, 3, 4}; /* the dropped ones are checked too */
  b = with_indices(5, wrong);
  refuse(&b, "/meshes/0/primitives/0/indices", "index 4 at 4", MODEL, 5, 5, 5, ",'indices':1");
}

static void indices_beyond_the_vertices(void **state) {
  (void)state;
  const uint32_t beyond[] = {0, 4, 2}, restart[] = {0, 1, UINT32_MAX};
  static const char *const modes[] = {"", ",'mode':5"};
  for (int type = 1; type <= 3; type++) {
    for (int mode = 0; mode < 2; mode++) {
      char rest[60];
      snprintf(rest, sizeof rest, ",'indices':%d%s", type, modes[mode]);
      bin b = with_indices(3, beyond);
      refuse(&b, "/meshes/0/primitives/0/indices", "index 4 at 1, but there are only 4 vertices",
             MODEL, 3, 3, 3, rest);
      b = with_indices(3, restart);
      refuse(&b, "/meshes/0/primitives/0/indices", "restart", MODEL, 3, 3, 3, rest);
    }
  }
}

/* An accessor without a view costs the file nothing, and a strip has three indices for each. */
static void more_than_can_be_counted(void **state) {
  (void)state;
  refuse_with(NULL, NULL, SUPPLE_ERROR_LIMIT, "/meshes/0/primitives/0", "4294967298 indices",
              ",'accessors':[{'componentType':5126,'type':'VEC3','count':4},"
              "{'componentType':5125,'type':'SCALAR','count':1431655768}],"
              "'meshes':[{'primitives':[{'mode':5,'indices':1,'attributes':{'POSITION':0}}]}]");
}

static void wrong_properties(void **state) {
  (void)state;
  bin b = with_indices(0, NULL);
  refuse(&b, "/meshes/0/primitives/0/mode", "from 0 to 6", MODEL, 1, 1, 1, ",'mode':7");
  refuse(&b, "/meshes/0/primitives/0/mode", "from 0 to 6", MODEL, 1, 1, 1, ",'mode':-1");
  refuse(&b, "/meshes/0/primitives/0/indices", "is of float", MODEL, 1, 1, 1, ",'indices':4");
  refuse(&b, "/meshes/0/primitives/0/indices", "VEC3; it must be SCALAR", MODEL, 1, 1, 1,
         ",'indices':0");
  refuse(&b, "/meshes/0/primitives/0/indices", "index 5", MODEL, 1, 1, 1, ",'indices':5");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_type_and_mode),      cmocka_unit_test(without_indices),
      cmocka_unit_test(incomplete_lists),         cmocka_unit_test(indices_beyond_the_vertices),
      cmocka_unit_test(more_than_can_be_counted), cmocka_unit_test(wrong_properties)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
