/* test_reader_influences.c: sets of joints and weights, joined, checked, and told about. */
#include "asset_text.h"

#include <math.h>

/* Two vertices. Joints: four uint8 a vertex at 0 and 8, four uint16 at 16. Weights: floats at 32
 * and 64, uint8 at 96, uint16 at 104. */
typedef struct influences {
  uint8_t joints[2][2][4];
  uint16_t wide[2][4];
  float weights[2][2][4];
  uint8_t small[2][4];
  uint16_t middle[2][4];
} influences;

static const influences good = {
    .joints = {{{0, 1, 2, 0}, {2, 1, 0, 0}}, {{1, 0, 0, 0}, {0, 0, 2, 0}}},
    .wide = {{2, 1, 0, 0}, {1, 0, 0, 2}},
    .weights = {{{0.5f, 0.25f, 0, 0}, {1, 0, 0, 0}}, {{0.25f, 0, 0, 0}, {0, 0, 0, 0}}},
    .small = {{255, 0, 0, 0}, {51, 204, 0, 0}},
    .middle = {{65535, 0, 0, 0}, {13107, 52428, 0, 0}}};

/* Accessors: 0 positions; 1, 2, 3 joints; 4, 5, 6, 7 weights; 8 to 10 odd ones. */
static const char model[] =
    ",'bufferViews':[{'buffer':0,'byteLength':120}],'accessors':["
    "{'componentType':5126,'type':'VEC3','count':2},"
    "{'bufferView':0,'byteOffset':0,'componentType':5121,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':8,'componentType':5121,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':16,'componentType':5123,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':32,'componentType':5126,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':64,'componentType':5126,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':96,'componentType':5121,"
    "'type':'VEC4','count':2,'normalized':true},"
    "{'bufferView':0,'byteOffset':104,'componentType':5123,"
    "'type':'VEC4','count':2,'normalized':true},"
    "{'bufferView':0,'byteOffset':96,'componentType':5121,'type':'VEC4','count':2},"
    "{'bufferView':0,'byteOffset':0,'componentType':5121,'type':'VEC4','count':1},"
    "{'bufferView':0,'byteOffset':0,'componentType':5121,"
    "'type':'VEC4','count':2,'normalized':true}],"
    "'meshes':[{'primitives':[{'mode':0,'attributes':{'POSITION':0%s}}]}],"
    "'nodes':[{'mesh':0,'skin':0},{'children':[2,3]},{},{}],'skins':[{'joints':[1,2,3]}]";

static bin bin_of(const influences *values) {
  bin b = {.size = 0};
  put_bytes(&b, values, 120);
  return b;
}

static const char *const at = "/meshes/0/primitives/0/attributes";

static void one_set_of_every_type(void **state) {
  (void)state;
  bin b = bin_of(&good);
  static const char *const attributes[] = {
      ",'JOINTS_0':1,'WEIGHTS_0':4", ",'JOINTS_0':3,'WEIGHTS_0':6", ",'JOINTS_0':3,'WEIGHTS_0':7"};
  for (int i = 0; i < 3; i++) {
    supple_asset *asset = load(&b, model, attributes[i]);
    assert_int_equal(asset->instance_count, 1);
    const supple_primitive *p = asset->instances[0].primitives[0];
    assert_int_equal(p->influence_count, 4);
    for (int k = 0; k < 8; k++) {
      uint16_t joint = i == 0 ? good.joints[0][k / 4][k % 4] : good.wide[k / 4][k % 4];
      float weight = i == 0   ? good.weights[0][k / 4][k % 4]
                     : i == 1 ? (float)good.small[k / 4][k % 4] / 255.0f
                              : (float)good.middle[k / 4][k % 4] / 65535.0f;
      assert_int_equal(p->joints[k], joint);
      assert_true(p->weights[k] == weight);
    }
    supple_asset_free(asset);
  }
}

/* The binding adds up the weights of a joint named twice: 1 and -1 leave nothing, and then the first joint named
 * moves the vertex, which must be in the skin although its own weight is 0. */
static void weights_that_cancel(void **state) {
  (void)state;
  influences odd = good;
  memcpy(odd.joints[0][0], (const uint8_t[]){9, 1, 1, 0}, 4);
  memcpy(odd.weights[0][0], (const float[]){0, 1, -1, 0}, 16);
  bin b = bin_of(&odd);
  refuse(&b, at, "vertex 0 uses joint 9, but skin 0 has only 3", model,
         ",'JOINTS_0':1,'WEIGHTS_0':4");
  odd.weights[0][0][2] = 0; /* a joint without weight beside others may be anything */
  b = bin_of(&odd);
  supple_asset_free(load(&b, model, ",'JOINTS_0':1,'WEIGHTS_0':4"));
}

static void two_sets_are_joined(void **state) {
  (void)state;
  bin b = bin_of(&good);
  supple_asset *asset = load(&b, model, ",'WEIGHTS_1':5,'JOINTS_0':1,'JOINTS_1':2,'WEIGHTS_0':4");
  const supple_primitive *p = asset->instances[0].primitives[0];
  assert_int_equal(p->influence_count, 8);
  const uint16_t joints[16] = {0, 1, 2, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 2, 0};
  const float weights[16] = {0.5f, 0.25f, 0, 0, 0.25f, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
  assert_memory_equal(p->joints, joints, sizeof joints);
  assert_memory_equal(p->weights, weights, sizeof weights);
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
}

static void wrong_sets(void **state) {
  (void)state;
  bin b = bin_of(&good);
  static const struct {
    const char *attributes, *below, *part;
  } cases[] = {
      {",'JOINTS_0':1", "", "1 sets of JOINTS_n, but 0 of WEIGHTS_n"},
      {",'WEIGHTS_0':4", "", "0 sets of JOINTS_n, but 1 of WEIGHTS_n"},
      {",'JOINTS_0':1,'WEIGHTS_0':4,'WEIGHTS_1':5", "", "1 sets of JOINTS_n, but 2"},
      {",'JOINTS_1':1,'WEIGHTS_1':4", "", "no JOINTS_0"},
      {",'JOINTS_0':1,'JOINTS_2':1,'WEIGHTS_0':4,'WEIGHTS_1':4", "", "no JOINTS_1"},
      {",'JOINTS_0':1,'JOINTS_00':1,'WEIGHTS_0':4,'WEIGHTS_1':4", "", "no JOINTS_1"},
      {",'JOINTS_0':4,'WEIGHTS_0':4", "/JOINTS_0", "is of float"},
      {",'JOINTS_0':1,'WEIGHTS_0':8", "/WEIGHTS_0", "is of uint8"},
      {",'JOINTS_0':0,'WEIGHTS_0':4", "/JOINTS_0", "VEC3; it must be VEC4"},
      {",'JOINTS_0':9,'WEIGHTS_0':4", "/JOINTS_0", "accessor 9 has 1 elements, but POSITION has 2"},
      {",'JOINTS_0':1,'WEIGHTS_0':99", "/WEIGHTS_0", "index 99"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char pointer[100];
    snprintf(pointer, sizeof pointer, "%s%s", at, cases[i].below);
    refuse(&b, pointer, cases[i].part, model, cases[i].attributes);
  }
  supple_asset *asset = load(&b, model, ",'JOINTS_0':10,'WEIGHTS_0':4");
  assert_true(has_note(asset, "/accessors/10", "normalised"));
  assert_int_equal(asset->meshes[0].primitives[0].joints[2], 2);
  supple_asset_free(asset);
}

static void weights_must_be_finite(void **state) {
  (void)state;
  const float bad[] = {INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 3; i++) {
    influences values = good;
    values.weights[1][1][3] = bad[i];
    bin b = bin_of(&values);
    refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, "/meshes/0/primitives/0/attributes/WEIGHTS_1",
                "vertex 1", model, ",'JOINTS_0':1,'WEIGHTS_0':4,'JOINTS_1':2,'WEIGHTS_1':5");
  }
}

static void joints_beyond_the_skin(void **state) {
  (void)state;
  const char *one = ",'JOINTS_0':1,'WEIGHTS_0':4";
  influences values = good;
  values.joints[0][0][1] = 3; /* has weight */
  bin b = bin_of(&values);
  refuse(&b, at, "vertex 0 uses joint 3, but skin 0 has only 3", model, one);
  values = good;
  values.joints[0][1][2] = 200; /* has none */
  b = bin_of(&values);
  supple_asset_free(load(&b, model, one));
  values.weights[0][1][0] =
      0; /* now the vertex has no weight, and belongs to the first joint it names */
  b = bin_of(&values);
  supple_asset_free(load(&b, model, one));
  values.joints[0][1][0] = 3;
  b = bin_of(&values);
  refuse(&b, at, "vertex 1 uses joint 3", model, one);
  values = good;
  values.wide[1][1] = 65535;
  b = bin_of(&values);
  refuse(&b, at, "vertex 1 uses joint 65535", model, ",'JOINTS_0':3,'WEIGHTS_0':6");
}

static void what_is_odd_is_noted(void **state) {
  (void)state;
  influences values = good;
  values.weights[0][0][0] = -0.5f;
  values.weights[0][1][0] = 0;
  bin b = bin_of(&values);
  supple_asset *asset = load(&b, model, ",'JOINTS_0':1,'WEIGHTS_0':4");
  assert_true(has_note(asset, at, "negative weights at 1 vertices, the first is 0"));
  assert_true(has_note(asset, at, "do not sum to 1 at 1 vertices, the first is 0 (0.25)"));
  assert_true(has_note(asset, at, "no weight at 1 vertices, the first is 1"));
  assert_true(asset->meshes[0].primitives[0].weights[0] == -0.5f); /* nothing was repaired */
  supple_asset_free(asset);
}

static void limits(void **state) {
  (void)state;
  bin b = bin_of(&good);
  const char *two = ",'JOINTS_0':1,'WEIGHTS_0':4,'JOINTS_1':2,'WEIGHTS_1':5";
  const supple_load_options one_set = {.limits = {.influence_sets = 1}},
                            two_sets = {.limits = {.influence_sets = 2}};
  supple_asset_free(load_with(&two_sets, &b, model, two));
  refuse_with(&one_set, &b, SUPPLE_ERROR_LIMIT, at, "limits.influence_sets", model, two);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_set_of_every_type),  cmocka_unit_test(two_sets_are_joined),
      cmocka_unit_test(weights_that_cancel),    cmocka_unit_test(wrong_sets),
      cmocka_unit_test(weights_must_be_finite), cmocka_unit_test(joints_beyond_the_skin),
      cmocka_unit_test(what_is_odd_is_noted),   cmocka_unit_test(limits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
