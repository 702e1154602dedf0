/* test_reader_animation.c: samplers, channels, and what is odd in keys. */
#include "asset_text.h"

#include <math.h>

/* Times 0, 1, 2.5 at byte 0; floats 0, 1, … 35 at 12; four signed bytes a key at 156. */
static bin keys(void) {
  static const float times[3] = {0, 1, 2.5f};
  static const int8_t bytes[12] = {0, 0, 0, 127, -127, 0, 0, 0, 127, 0, 0, 0};
  bin b = {.size = 0};
  put_f32(&b, 3, times);
  for (int i = 0; i < 36; i++) {
    float value = (float)i;
    put_f32(&b, 1, &value);
  }
  put_bytes(&b, bytes, sizeof bytes);
  return b;
}

static const char model[] =
    ",'bufferViews':[{'buffer':0,'byteLength':168},"
    "{'buffer':0,'byteOffset':156,'byteLength':12,'byteStride':4}],'accessors':["
    /* 0: times */
    "{'bufferView':0,'byteOffset':0,'componentType':5126,'type':'SCALAR','count':3},"
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':3}," /* 1: VEC3 */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC4','count':3}," /* 2: VEC4 */
    /* 3: VEC3 of cubic splines */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':9},"
    /* 4: two weights a key */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'SCALAR','count':6},"
    /* 5: bytes */
    "{'bufferView':1,'componentType':5120,'normalized':true,'type':'VEC4','count':3},"
    /* 6: VEC4 of cubic splines */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC4','count':9},"
    "{'bufferView':1,'componentType':5120,'type':'VEC4','count':3}," /* 7: bytes not normalised */
    /* 8: the first time */
    "{'bufferView':0,'byteOffset':0,'componentType':5126,'type':'SCALAR','count':1},"
    "{'componentType':5126,'type':'VEC3','count':3}," /* 9: morph positions */
    /* 10: one VEC3 */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':1},"
    /* 11: two times */
    "{'bufferView':0,'byteOffset':4,'componentType':5126,'type':'SCALAR','count':2},"
    /* 12: one cubic key */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':3},"
    /* 13: two cubic keys */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':6},"
    /* 14: bytes as VEC3 */
    "{'bufferView':1,'componentType':5120,'normalized':true,'type':'VEC3','count':3},"
    /* 15: two VEC3 */
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'type':'VEC3','count':2}],"
    "'meshes':[{'primitives':[{'attributes':{'POSITION':9},"
    "'targets':[{'POSITION':9},{'POSITION':9}]}]}],"
    "'nodes':[{},{'mesh':0},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"
    "'animations':[{'name':'a','samplers':[%s],'channels':[%s]}]";

#define TO(sampler, node, path)                                                                    \
  "{'sampler':" #sampler ",'target':{'node':" #node ",'path':'" path "'}}"

static void every_path_and_interpolation(void **state) {
  (void)state;
  bin b = keys();
  supple_asset *asset =
      load(&b, model,
           "{'input':0,'output':1},{'input':0,'output':2,'interpolation':'STEP'},{'input':0,'"
           "output':3,'interpolation':"
           "'CUBICSPLINE'},{'input':0,'output':4,'interpolation':'LINEAR'},{'input':0,'output':5}",
           TO(0, 0, "translation") "," TO(1, 0, "rotation") "," TO(2, 0, "scale") "," TO(
               3, 1, "weights") "," TO(4, 1, "rotation"));
  const supple_clip *clip = asset->clips;
  assert_int_equal(asset->clip_count, 1);
  assert_string_equal(clip->name, "a");
  assert_int_equal(clip->channel_count, 5);
  assert_true(clip->begin == 0 && clip->end == 2.5);
  static const struct {
    uint32_t node, width;
    supple_path path;
    supple_interpolation interpolation;
  } wanted[5] = {{0, 3, SUPPLE_PATH_TRANSLATION, SUPPLE_INTERPOLATION_LINEAR},
                 {0, 4, SUPPLE_PATH_ROTATION, SUPPLE_INTERPOLATION_STEP},
                 {0, 3, SUPPLE_PATH_SCALE, SUPPLE_INTERPOLATION_CUBIC_SPLINE},
                 {1, 2, SUPPLE_PATH_WEIGHTS, SUPPLE_INTERPOLATION_LINEAR},
                 {1, 4, SUPPLE_PATH_ROTATION, SUPPLE_INTERPOLATION_LINEAR}};
  for (int i = 0; i < 5; i++) {
    const supple_channel *c = &clip->channels[i];
    assert_true(c->node == wanted[i].node && c->width == wanted[i].width &&
                c->path == wanted[i].path && c->interpolation == wanted[i].interpolation &&
                c->key_count == 3);
    assert_memory_equal(c->times, b.bytes, 12);
    if (i < 4)
      assert_memory_equal(c->values, b.bytes + 12,
                          (c->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE ? 36 : 12) *
                              c->width);
  }
  const float bytes[12] = {0, 0, 0, 1, -1, 0, 0, 0, 1, 0, 0, 0};
  assert_memory_equal(clip->channels[4].values, bytes, sizeof bytes);
  supple_asset_free(asset);
}

static void what_is_ignored(void **state) {
  (void)state;
  bin b = keys();
  supple_asset *asset =
      load(&b, model, "{'input':0,'output':1},{'input':8,'output':10}",
           "{'sampler':0,'target':{'path':'scale'}},{'sampler':0,'target':{'path':'pointer','"
           "extensions':{}}}," TO(1, 0, "scale") "," TO(0, 0, "scale") "," TO(1, 2, "scale"));
  const supple_clip *clip = asset->clips;
  assert_int_equal(clip->channel_count,
                   2); /* no node, no known path, and a second one for a target */
  assert_true(clip->channels[0].node == 0 && clip->channels[0].key_count == 1 &&
              clip->channels[1].node == 2);
  assert_true(clip->begin == 0 && clip->end == 0); /* of the channels that count */
  assert_true(has_note(asset, "/animations/0/channels/1/target/path", "not known"));
  assert_true(has_note(asset, "/animations/0/channels/3", "the first counts"));
  assert_true(has_note(asset, "/animations/0/channels/4/target", "node 2, which has a matrix"));
  supple_asset_free(asset);
  asset = load(NULL, ",'animations':[{'samplers':[],'channels':[]}]");
  assert_true(asset->clips[0].channel_count == 0 && asset->clips[0].begin == 0 &&
              asset->clips[0].end == 0);
  assert_true(has_note(asset, "/animations/0", "no channels"));
  supple_asset_free(asset);
}

static void begin_and_end_over_all_channels(void **state) {
  (void)state;
  bin b = keys();
  supple_asset *asset = load(&b, model, "{'input':11,'output':15}", TO(0, 0, "scale"));
  assert_true(asset->clips[0].begin == 1 && asset->clips[0].end == 2.5);
  supple_asset_free(asset);
  asset = load(&b, model, "{'input':11,'output':15},{'input':8,'output':10}",
               TO(0, 0, "scale") "," TO(1, 1, "scale"));
  assert_true(asset->clips[0].begin == 0 && asset->clips[0].end == 2.5);
  supple_asset_free(asset);
}

static void odd_keys(void **state) {
  (void)state;
  bin b = keys();
  const float times[3] = {-1, 2, 2};
  memcpy(b.bytes, times, sizeof times);
  memset(b.bytes + 12, 0, 16);
  supple_asset *asset = load(&b, model, "{'input':0,'output':2}", TO(0, 0, "rotation"));
  const char *input = "/animations/0/samplers/0/input", *output = "/animations/0/samplers/0/output";
  assert_true(has_note(asset, input, "equal times at 1 keys, the first is 2"));
  assert_true(has_note(asset, input, "negative time"));
  assert_true(has_note(asset, output, "zero quaternions at 1 keys, the first is 0"));
  assert_true(has_note(asset, output, "unit length at 2 keys, the first is 1"));
  assert_true(asset->clips[0].begin == -1 &&
              asset->clips[0].channels[0].values[4] == 4); /* kept as they are */
  supple_asset_free(asset);
  /* a sampler that nothing uses is not looked at */
  asset = load(&b, model,
               "{'input':8,'output':10,'interpolation':'CUBICSPLINE'},{'input':0,'output':1}",
               TO(1, 0, "scale"));
  supple_asset_free(asset);
  b = keys();
  asset = load(&b, model,
               "{'input':8,'output':12,'interpolation':'CUBICSPLINE'},{'input':11,'output':13,'"
               "interpolation':"
               "'CUBICSPLINE'}",
               TO(0, 0, "scale") "," TO(1, 1, "scale"));
  assert_true(has_note(asset, "/animations/0/samplers/0", "one key"));
  assert_false(has_note(asset, "/animations/0/samplers/1", "one key"));
  assert_true(asset->clips[0].channels[0].key_count == 1);
  supple_asset_free(asset);
  asset = load(&b, model, "{'input':0,'output':14}", TO(0, 0, "translation"));
  assert_true(has_note(asset, output, "integers for a translation"));
  assert_true(asset->clips[0].channels[0].values[3] == -1);
  supple_asset_free(asset);
}

static void wrong_keys(void **state) {
  (void)state;
  bin b = keys();
  memcpy(b.bytes + 8, &(float){0.5f}, 4);
  refuse(&b, "/animations/0/samplers/0/input", "the time of key 2 (0.5) is before", model,
         "{'input':0,'output':1}", TO(0, 0, "scale"));
  const float bad[] = {INFINITY, NAN};
  for (int i = 0; i < 2; i++) {
    b = keys();
    memcpy(b.bytes + 4, &bad[i], 4);
    refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, "/animations/0/samplers/0/input", "key 1", model,
                "{'input':0,'output':1}", TO(0, 0, "scale"));
    b = keys();
    memcpy(b.bytes + 12 + 4 * 7, &bad[i], 4);
    refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, "/animations/0/samplers/0/output", "element 2",
                model, "{'input':0,'output':1}", TO(0, 0, "scale"));
  }
}

static void wrong_animations(void **state) {
  (void)state;
  static const struct {
    const char *samplers, *channels, *pointer, *part;
  } cases[] = {
      {"{'input':0,'output':1,'interpolation':'BEZIER'}", TO(0, 0, "scale"),
       "/samplers/0/interpolation", "LINEAR, STEP or CUBIC"},
      {"{'input':0,'output':1,'interpolation':1}", TO(0, 0, "scale"), "/samplers/0/interpolation",
       "a string"},
      {"{'output':1}", TO(0, 0, "scale"), "/samplers/0/input", "is missing"},
      {"{'input':0}", TO(0, 0, "scale"), "/samplers/0/output", "is missing"},
      {"{'input':1,'output':1}", TO(0, 0, "scale"), "/samplers/0/input", "VEC3; it must be SCALAR"},
      {"{'input':0,'output':99}", TO(0, 0, "scale"), "/samplers/0/output", "index 99"},
      {"{'input':0,'output':2}", TO(0, 0, "scale"), "/samplers/0/output", "VEC4; it must be VEC3"},
      {"{'input':0,'output':1}", TO(0, 0, "rotation"), "/samplers/0/output", "VEC3; it must be VEC4"},
      {"{'input':0,'output':7}", TO(0, 0, "rotation"), "/samplers/0/output", "is of int8"},
      {"{'input':0,'output':3}", TO(0, 0, "scale"), "/samplers/0/output",
       "has 9 elements; 3 are needed"},
      {"{'input':0,'output':1,'interpolation':'CUBICSPLINE'}", TO(0, 0, "scale"),
       "/samplers/0/output", "9 are needed"},
      {"{'input':8,'output':4}", TO(0, 1, "weights"), "/samplers/0/output", "2 are needed"},
      {"{'input':0,'output':4}", TO(0, 0, "weights"), "/channels/0/target",
       "node 0, which has no morph targets"},
      {"{'input':0,'output':1}", TO(0, 3, "scale"), "/channels/0/target/node", "only 3 nodes"},
      {"{'input':0,'output':1}", TO(1, 0, "scale"), "/channels/0/sampler", "only 1 samplers"},
      {"{'input':0,'output':1}", "{'target':{'node':0,'path':'scale'}}", "/channels/0/sampler",
       "is missing"},
      {"{'input':0,'output':1}", "{'sampler':0}", "/channels/0/target", "is missing"},
      {"{'input':0,'output':1}", "{'sampler':0,'target':{'node':0}}", "/channels/0/target/path",
       "is missing"},
      {"{'input':0,'output':1}", "7", "/channels/0", "an object"},
      {"7", "", "/samplers/0", "an object"}};
  bin b = keys();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char pointer[100];
    snprintf(pointer, sizeof pointer, "/animations/0%s", cases[i].pointer);
    refuse(&b, pointer, cases[i].part, model, cases[i].samplers, cases[i].channels);
  }
  refuse(NULL, "/animations/0/channels", "is missing", ",'animations':[{'samplers':[]}]");
  refuse(NULL, "/animations/0/samplers", "is missing", ",'animations':[{'channels':[]}]");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_path_and_interpolation),
                                     cmocka_unit_test(what_is_ignored),
                                     cmocka_unit_test(begin_and_end_over_all_channels),
                                     cmocka_unit_test(odd_keys),
                                     cmocka_unit_test(wrong_keys),
                                     cmocka_unit_test(wrong_animations)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
