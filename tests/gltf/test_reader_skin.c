/* test_reader_skin.c: joints, their parents within the skin, inverse bind matrices, instances. */
#include "asset_text.h"

#include <math.h>

static void joints_and_parents(void **state) {
  (void)state;
  /* 0 -> 1 -> 2 -> 3, 2 -> 4, 0 -> 5; node 2 is no joint */
  supple_asset *asset = load(
      NULL,
      ",'nodes':[{'children':[1,5]},{'children':[2]},{'children':[3,4]},{},{},{}],"
      "'skins':[{'name':'s','joints':[4,1,0,3,5],'skeleton':0},{'joints':[3]},{'joints':[5,4]}]");
  const supple_skin *s = asset->skins;
  assert_int_equal(asset->skin_count, 3);
  assert_string_equal(s[0].name, "s");
  assert_int_equal(s[0].joint_count, 5);
  const uint32_t joints[5] = {4, 1, 0, 3, 5}, parents[5] = {1, 2, SUPPLE_NONE, 1, 2};
  assert_memory_equal(s[0].joints, joints, sizeof joints);
  assert_memory_equal(s[0].parents, parents, sizeof parents);
  assert_true(s[0].index == 0 && s[2].index == 2 && s[0].skeleton == 0 &&
              s[1].skeleton == SUPPLE_NONE);
  assert_int_equal(s[1].parents[0], SUPPLE_NONE);
  assert_true(s[2].parents[0] == SUPPLE_NONE && s[2].parents[1] == SUPPLE_NONE);
  for (uint32_t i = 0; i < 5; i++) { /* without matrices they are identities */
    const double identity[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
    assert_memory_equal(s[0].inverse_binds[i].m, identity, sizeof identity);
  }
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
}

/* Random trees and skins, against parents found by climbing. */
static void parents_by_climbing(void **state) {
  (void)state;
  uint32_t seed = 12345;
  for (int round = 0; round < 30; round++) {
    enum { COUNT = 60 };
    char children[COUNT][400], json[COUNT * 420], joints[400] = "";
    uint32_t label[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) children[i][0] = 0, label[i] = i * 7 % COUNT;
    for (uint32_t i = 1; i < COUNT; i++) { /* node label[i] hangs from an earlier label */
      seed = seed * 1664525 + 1013904223;
      char *list = children[label[(seed >> 8) % i]];
      sprintf(list + strlen(list), "%s%u", list[0] ? "," : "", (unsigned)label[i]);
    }
    strcpy(json, ",'nodes':[");
    for (uint32_t i = 0; i < COUNT; i++)
      sprintf(json + strlen(json), "%s{'children':[%s]}", i ? "," : "", children[i]);
    for (uint32_t i = 0; i < COUNT; i++) {
      seed = seed * 1664525 + 1013904223;
      if (seed >> 31)
        sprintf(joints + strlen(joints), "%s%u", joints[0] ? "," : "", (unsigned)((i * 11) % COUNT));
    }
    supple_asset *asset = load(NULL, "%s],'skins':[{'joints':[%s]}]", json, joints);
    const supple_skin *skin = &asset->skins[0];
    for (uint32_t k = 0; k < skin->joint_count; k++) {
      uint32_t wanted = SUPPLE_NONE, node = asset->skeleton.nodes[skin->joints[k]].parent;
      for (; node != SUPPLE_NONE && wanted == SUPPLE_NONE; node = asset->skeleton.nodes[node].parent)
        for (uint32_t q = 0; q < skin->joint_count; q++)
          if (skin->joints[q] == node) wanted = q;
      assert_int_equal(skin->parents[k], wanted);
    }
    supple_asset_free(asset);
  }
}

static void odd_skins(void **state) {
  (void)state;
  supple_asset *asset =
      load(NULL, ",'nodes':[{},{'children':[2]},{}],'skins':[{'joints':[0,1],'skeleton':1}]");
  assert_true(has_note(asset, "/skins/0/joints", "no common root"));
  assert_true(has_note(asset, "/skins/0/skeleton", "node 1 is not above joint 0"));
  assert_int_equal(asset->skins[0].skeleton, 1);
  supple_asset_free(asset);
}

static void skinning_methods(void **state) {
  (void)state;
  supple_asset *asset =
      load(NULL, ",'nodes':[{}],'skins':[{'joints':[0]},"
                 "{'joints':[0],'extras':{'skinningMethod':'dualQuaternion'}},"
                 "{'joints':[0],'extras':{'a':1,'skinningMethod':'classicLinear'}},"
                 "{'joints':[0],'extras':{}},{'joints':[0],'extras':'dualQuaternion'},"
                 "{'joints':[0],'extras':['skinningMethod']}]");
  static const char *const wanted[] = {"", "dualQuaternion", "classicLinear", "", "", ""};
  assert_int_equal(asset->skin_count, 6);
  for (uint32_t i = 0; i < 6; i++) assert_string_equal(asset->skins[i].skinning_method, wanted[i]);
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
  asset = load(NULL, ",'nodes':[{}],'skins':["
                     "{'joints':[0],'extras':{'skinningMethod':'dualquaternion'}},"
                     "{'joints':[0],'extras':{'skinningMethod':'dualQuaternion '}},"
                     "{'joints':[0],'extras':{'skinningMethod':null}},"
                     "{'joints':[0],'extras':{'skinningMethod':['classicLinear']}}]");
  for (uint32_t i = 0; i < 4; i++) {
    char pointer[64];
    sprintf(pointer, "/skins/%u/extras/skinningMethod", (unsigned)i);
    assert_true(has_note(asset, pointer, "is neither \"classicLinear\" nor \"dualQuaternion\""));
    assert_string_equal(asset->skins[i].skinning_method, "");
  }
  assert_int_equal(asset->note_count, 4);
  supple_asset_free(asset);
}

static void wrong_skins(void **state) {
  (void)state;
  refuse(NULL, "/skins/0/joints", "is missing", ",'nodes':[{}],'skins':[{}]");
  refuse(NULL, "/skins/0/joints", "is empty", ",'nodes':[{}],'skins':[{'joints':[]}]");
  refuse(NULL, "/skins/0/joints", "names node 1 twice (joints 0 and 2)",
         ",'nodes':[{},{}],'skins':[{'joints':[1,0,1]}]");
  refuse(NULL, "/skins/0/joints/1", "index 2", ",'nodes':[{},{}],'skins':[{'joints':[1,2]}]");
  refuse(NULL, "/skins/0/skeleton", "index 9",
         ",'nodes':[{},{}],'skins':[{'joints':[1],'skeleton':9}]");
  const supple_load_options two = {.limits = {.joints = 2}};
  supple_asset_free(
      load_with(&two, NULL, ",'nodes':[{'children':[1]},{}],'skins':[{'joints':[0,1]}]"));
  refuse_with(&two, NULL, SUPPLE_ERROR_LIMIT, "/skins/0/joints", "limits.joints",
              ",'nodes':[{},{},{}],'skins':[{'joints':[0,1,2]}]");
}

/* ---- inverse bind matrices ---- */

#define BOUND                                                                                      \
  ",'bufferViews':[{'buffer':0,'byteLength':%u}],'accessors':[{'bufferView':0,'componentType':"    \
  "5126,'type':'MAT4',"                                                                            \
  "'count':%u}],'nodes':[{'children':[1]},{}],'skins':[{'joints':[0,1],'inverseBindMatrices':0}]"

static const float sheared[16] = {1, 2, 3, 0, 0.5f, 4, 5, 0, 6, 7, 8, 0, 9, 10, 11, 1},
                   unit[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static bin two_matrices(const float *first, const float *second) {
  bin b = {.size = 0};
  put_f32(&b, 16, first);
  put_f32(&b, 16, second);
  return b;
}

static void inverse_bind_matrices(void **state) {
  (void)state;
  bin b = two_matrices(sheared, unit);
  put_f32(&b, 16, sheared); /* more than joints are fine */
  supple_asset *asset = load(&b, BOUND, 192, 3);
  const double wanted[3][4] = {{1, 0.5, 6, 9}, {2, 4, 7, 10}, {3, 5, 8, 11}};
  assert_memory_equal(asset->skins[0].inverse_binds[0].m, wanted, sizeof wanted);
  assert_true(asset->skins[0].inverse_binds[1].m[1][1] == 1);
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
  refuse(&b, "/skins/0/inverseBindMatrices", "has 1 matrices for 2 joints", BOUND, 192, 1);
}

static void odd_matrices(void **state) {
  (void)state;
  const float zero[16] = {0}, flat[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  bin b = two_matrices(zero, flat);
  supple_asset *asset = load(&b, BOUND, 128, 2);
  assert_true(has_note(asset, "/skins/0/inverseBindMatrices", "joint 0 is singular"));
  assert_true(has_note(asset, "/skins/0/inverseBindMatrices", "joint 1 is singular"));
  supple_asset_free(asset);
  float projective[16];
  for (int i = 3; i < 16; i += 4) {
    memcpy(projective, unit, sizeof unit);
    projective[i] += 0.01f;
    b = two_matrices(unit, projective);
    refuse(&b, "/skins/0/inverseBindMatrices", "joint 1 must be 0, 0, 0, 1", BOUND, 128, 2);
    projective[i] = NAN;
    b = two_matrices(unit, projective);
    refuse_with(NULL, &b, SUPPLE_ERROR_NUMBER, "/skins/0/inverseBindMatrices",
                "joint 1 is not finite", BOUND, 128, 2);
  }
}

static void sparse_matrices(void **state) {
  (void)state;
  bin b = two_matrices(sheared, unit);
  static const uint32_t at[2] = {1, 5}; /* the second lies beyond the joints */
  put_u32(&b, 2, at);
  supple_asset *asset =
      load(&b, ",'bufferViews':[{'buffer':0,'byteLength':136}],'accessors':[{'componentType':5126,'"
               "type':'MAT4','count':6,'sparse':"
               "{'count':2,'indices':{'bufferView':0,'byteOffset':128,'componentType':5125},'"
               "values':{'bufferView':0}}}],"
               "'nodes':[{'children':[1]},{}],'skins':[{'joints':[0,1],'inverseBindMatrices':0}]");
  assert_true(asset->skins[0].inverse_binds[0].m[0][0] == 0 &&
              asset->skins[0].inverse_binds[1].m[0][3] == 9);
  supple_asset_free(asset);
}

/* ---- instances ---- */

static void instances_in_the_order_of_nodes(void **state) {
  (void)state;
  const char *model =
      ",'accessors':[{'componentType':5126,'type':'VEC3','count':3},{'componentType':5121,'type':'"
      "VEC4','count':3},"
      "{'componentType':5126,'type':'VEC4','count':3}],'meshes':[{'primitives':[%s]},{'primitives':"
      "[%s,%s]}],"
      "'nodes':[{'mesh':1,'skin':0},{'mesh':0},{'mesh':0,'skin':1},{'mesh':1,'skin':1},{}],"
      "'skins':[{'joints':[1]},{'joints':[4,3]}]";
  const char *bound = "{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2}}",
             *loose = "{'attributes':{'POSITION':0}}";
  supple_asset *asset = load(NULL, model, bound, bound, bound);
  assert_int_equal(asset->instance_count, 3);
  const uint32_t nodes[3] = {0, 2, 3}, meshes[3] = {1, 0, 1}, skins[3] = {0, 1, 1};
  for (uint32_t i = 0; i < 3; i++) {
    const supple_instance *n = &asset->instances[i];
    assert_true(n->node == nodes[i] && n->mesh == meshes[i] && n->skin == &asset->skins[skins[i]]);
    assert_int_equal(n->primitive_count, meshes[i] + 1);
    for (uint32_t k = 0; k < n->primitive_count; k++)
      assert_ptr_equal(n->primitives[k], &asset->meshes[meshes[i]].primitives[k]);
  }
  supple_asset_free(asset);
  refuse(NULL, "/nodes/0", "primitive 1 of mesh 1 has no JOINTS_0", model, bound, bound, loose);
  refuse(NULL, "/nodes/2", "primitive 0 of mesh 0 has no JOINTS_0", model, loose, bound, bound);
  refuse(NULL, "/nodes/2", "has no POSITION", model, "{'attributes':{'JOINTS_0':1,'WEIGHTS_0':2}}",
         bound, bound);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(joints_and_parents),
                                     cmocka_unit_test(parents_by_climbing),
                                     cmocka_unit_test(odd_skins),
                                     cmocka_unit_test(wrong_skins),
                                     cmocka_unit_test(skinning_methods),
                                     cmocka_unit_test(inverse_bind_matrices),
                                     cmocka_unit_test(odd_matrices),
                                     cmocka_unit_test(sparse_matrices),
                                     cmocka_unit_test(instances_in_the_order_of_nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
