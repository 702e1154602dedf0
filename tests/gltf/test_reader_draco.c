/* test_reader_draco.c: compressed primitives by a made-up decoder: what comes from it, and what does not. */
#include "fake_codecs.h"

#define ASSET                                                                                      \
  ",'bufferViews':[{'buffer':0,'byteLength':36}],'accessors':["                                    \
  "{'componentType':5126,'type':'VEC3','count':%u},{'componentType':5126,'type':'VEC3','count':3," \
  "'bufferView':0},{'componentType':5123,'type':'SCALAR','count':6},"                              \
  "{'componentType':5121,'type':'VEC4','count':3}],"                                               \
  "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':1%s},'indices':2%s,"              \
  "'extensions':{'KHR_draco_mesh_compression':{%s}}},"                                             \
  "{'attributes':{'POSITION':1},'mode':0}]}]"
#define IDS "'bufferView':0,'attributes':{'POSITION':4}"
#define PLACE "/meshes/0/primitives/0/extensions/KHR_draco_mesh_compression"

static bin nine_floats(void) {
  static const float values[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1};
  bin b = {.size = 0};
  put_f32(&b, 9, values);
  return b;
}

static void decoded(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  const supple_load_options options = {.codecs = &codecs};
  bin b = nine_floats();
  for (int strip = 0; strip < 2; strip++) {
    supple_asset *asset = load_with(&options, &b, ASSET, 3u, "", strip ? ",'mode':5" : "", IDS);
    const supple_primitive *p = asset->meshes[0].primitives;
    for (int i = 0; i < 9; i++) assert_true(p->positions[i] == (float)(40 + i));
    assert_memory_equal(p->normals, b.bytes, 36); /* not in the extension: as usual */
    assert_int_equal(p->topology, SUPPLE_TOPOLOGY_TRIANGLES);
    assert_int_equal(p->index_count, 6);
    for (uint32_t i = 0; i < 6; i++) assert_int_equal(p->indices[i], i % 3);
    assert_memory_equal(p[1].positions, b.bytes, 36); /* the next primitive is its own */
    assert_int_equal(asset->note_count, 0);
    supple_asset_free(asset);
  }
  assert_true(fake.opened == 2 && fake.closed == 2);
  const supple_load_options structure = {.codecs = &codecs, .structure_only = true};
  supple_asset_free(load_with(&structure, &b, ASSET, 3u, "", "", IDS));
  assert_int_equal(fake.opened, 2);
}

/* Where accessors say another number, the data counts. */
static void other_counts(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  const supple_load_options options = {.codecs = &codecs};
  bin b = nine_floats();
  supple_asset *asset = load_with(&options, &b, ASSET, 7u, "", "", IDS);
  assert_int_equal(asset->meshes[0].primitives[0].vertex_count, 3);
  assert_true(has_note(asset, "/meshes/0/primitives/0/attributes/POSITION", "the data counts"));
  supple_asset_free(asset);
}

static void refusals(void **state) {
  (void)state;
  fake_state fake;
  const supple_codecs codecs = fake_codecs(&fake);
  supple_load_options options = {.codecs = &codecs};
  bin b = nine_floats();
  const struct {
    supple_result says;
    const char *part;
  } results[] = {{SUPPLE_ERROR_FORMAT, "damaged"},
                 {SUPPLE_ERROR_UNSUPPORTED, "kind"},
                 {SUPPLE_ERROR_LIMIT, "limits.vertices"}};
  for (size_t i = 0; i < 3; i++) {
    fake.open_result = results[i].says;
    refuse_with(&options, &b, results[i].says, PLACE, results[i].part, ASSET, 3u, "", "", IDS);
  }
  fake.open_result = SUPPLE_OK;
  refuse_with(&options, &b, SUPPLE_ERROR_FORMAT, PLACE "/bufferView", "is missing", ASSET, 3u, "",
              "", "'attributes':{}");
  refuse_with(&options, &b, SUPPLE_ERROR_FORMAT, PLACE "/attributes", "is missing", ASSET, 3u, "",
              "", "'bufferView':0");
  refuse_with(&options, &b, SUPPLE_ERROR_FORMAT, PLACE, "mode 1", ASSET, 3u, "", ",'mode':1", IDS);
  refuse_with(&options, &b, SUPPLE_ERROR_FORMAT, PLACE "/attributes/POSITION", "unique id", ASSET,
              3u, "", "", "'bufferView':0,'attributes':{'POSITION':-1}");
  fake.read_result = SUPPLE_ERROR_FORMAT;
  refuse_with(&options, &b, SUPPLE_ERROR_FORMAT, PLACE "/attributes/POSITION", "no attribute 4",
              ASSET, 3u, "", "", IDS);
  fake.read_result = SUPPLE_OK;
  options.limits.vertices = 2;
  refuse_with(&options, &b, SUPPLE_ERROR_LIMIT, PLACE, "limits.vertices", ASSET, 3u, "", "", IDS);
  options.limits.vertices = 0;
  fake.points = 0;
  refuse_with(&options, &b, SUPPLE_ERROR_FORMAT, PLACE, "no vertex", ASSET, 3u, "", "", IDS);
  assert_int_equal(fake.opened, fake.closed); /* whatever happens */
}

static void without_decoder(void **state) {
  (void)state;
  bin b = nine_floats();
  refuse_with(NULL, &b, SUPPLE_ERROR_UNSUPPORTED, PLACE, "libdraco-dev", ASSET, 3u, "", "", IDS);
  refuse_with(NULL, &b, SUPPLE_ERROR_UNSUPPORTED, "/extensionsRequired/0", "libdraco-dev", "%s",
              ",'extensionsRequired':['KHR_draco_mesh_compression']");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(decoded), cmocka_unit_test(other_counts),
                                     cmocka_unit_test(refusals), cmocka_unit_test(without_decoder)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
