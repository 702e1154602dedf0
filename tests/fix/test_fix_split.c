/* test_fix_split.c: skins of few joints: parts with nodes and skins of their own, and equal vertices at cuts. */
#include "tests/fix/fix_tests.h"

static const supple_fix_options two = {.repairs = SUPPLE_REPAIR_NONE, .max_joints = 2};

/* Joints 0, 1 of the first ring, 1, 2 of the last; the ring between follows 0 and 1, so that the upper triangles
 * need three: its weights are made joint 1's alone. */
static strip two_halves(void) {
  strip s = clean_strip();
  for (int v = 2; v < 4; v++) {
    s.joints[4 * v] = 1, s.joints[4 * v + 1] = 0;
    s.weights[4 * v] = 1, s.weights[4 * v + 1] = 0;
  }
  return s;
}

static void two_parts(void **state) {
  (void)state;
  strip s = two_halves();
  s.primitive = ",'targets':[{'POSITION':0}],'material':0,'extras':{'a':[1,'\\u00e9']}";
  s.more = ",'materials':[{'name':'m'}]";
  s.channels = ",{'sampler':1,'target':{'node':0,'path':'weights'}}";
  supple_document *document = open_strip(&s);
  assert_int_equal(supple_document_insert(document,
                                          supple_document_find(document, "/animations/0/samplers"),
                                          1, "{\"input\":4,\"output\":4}", NULL, NULL),
                   SUPPLE_OK);
  supple_fix_report *report = fix_strip(document, two);
  const supple_fix_action *action = action_of(report, "SKINNING_JOINTS_MANY");
  assert_int_equal(action->count, 2);
  assert_true(report->largest_metres < 1e-6);
  /* the first stays in its place, the second is new */
  assert_true(number_at(document, "/nodes/0/skin") == 0 && number_at(document, "/nodes/4/skin") == 1);
  assert_text_at(document, "/nodes/4/name", "skinned_part2");
  assert_true(number_at(document, "/nodes/4/mesh") == 1 &&
              number_at(document, "/scenes/0/nodes/2") == 4);
  assert_true(number_at(document, "/skins/0/joints/0") == 1 &&
              number_at(document, "/skins/0/joints/1") == 2);
  assert_true(number_at(document, "/skins/1/joints/0") == 2 &&
              number_at(document, "/skins/1/joints/1") == 3);
  assert_false(is_at(document, "/skins/0/joints/2") || is_at(document, "/skins/1/joints/2"));
  assert_true(number_at(document, "/animations/0/channels/2/target/node") == 4);
  for (int m = 0; m < 2; m++) {
    char pointer[96];
    snprintf(pointer, sizeof pointer, "/meshes/%d/primitives/0/material", m);
    assert_true(number_at(document, pointer) == 0);
    snprintf(pointer, sizeof pointer, "/meshes/%d/primitives/0/extras/a/1", m);
    assert_text_at(document, pointer, "\xC3\xA9");
    snprintf(pointer, sizeof pointer, "/meshes/%d/primitives/0/targets/0/POSITION", m);
    assert_true(is_at(document, pointer));
  }
  /* the ring between is in both, bit by bit */
  supple_error error;
  supple_asset *asset = supple_document_asset(document, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  const supple_primitive *low = asset->meshes[0].primitives, *high = asset->meshes[1].primitives;
  assert_true(low->vertex_count == 4 && high->vertex_count == 4 && low->index_count == 6 &&
              high->index_count == 6);
  assert_memory_equal(low->positions, s.positions, 12 * sizeof(float));
  assert_memory_equal(high->positions, s.positions + 6, 12 * sizeof(float));
  assert_memory_equal(low->weights + 8, high->weights, 8 * sizeof(float));
  static const uint16_t lower[16] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1},
                        upper[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1};
  assert_memory_equal(low->joints, lower, sizeof lower);
  assert_memory_equal(high->joints, upper, sizeof upper);
  assert_true(asset->skins[1].inverse_binds[1].m[1][3] == -2);
  supple_asset_free(asset);
  assert_done_for_good(document, two);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* A triangle of three joints has no place in a skin of two: nothing is done, and it is said. */
static void impossible(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, two);
  assert_int_equal(report->action_count, 1);
  assert_false(report->actions[0].done);
  assert_string_equal(report->actions[0].pointer, "/meshes/0/primitives/0");
  assert_non_null(strstr(report->actions[0].text, "follows 3 joints"));
  assert_false(is_at(document, "/nodes/4"));
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Two nodes share mesh and skin, a third shows the mesh by another skin: parts of meshes are shared as well. */
static void shared_meshes(void **state) {
  (void)state;
  strip s = two_halves();
  s.nodes =
      "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b','translation':["
      "0,1,0],"
      "'children':[3]},{'name':'c','translation':[0,1,0]},{'mesh':0,'skin':0},{'mesh':0,'skin':1}";
  s.skins = "{'joints':[1,2,3],'inverseBindMatrices':3},{'joints':[3,1,2],'inverseBindMatrices':3,'"
            "name':'other'}";
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, two);
  assert_true(report->largest_metres < 1e-6);
  assert_true(is_at(document, "/meshes/1") && !is_at(document, "/meshes/2"));
  assert_true(is_at(document, "/skins/3") && !is_at(document, "/skins/4"));
  assert_text_at(document, "/skins/3/name", "other");
  assert_true(is_at(document, "/nodes/8") && !is_at(document, "/nodes/9"));
  assert_true(number_at(document, "/nodes/8/mesh") == 1 && number_at(document, "/nodes/8/skin") == 3);
  assert_true(number_at(document, "/skins/3/joints/0") == 1 &&
              number_at(document, "/skins/3/joints/1") == 2);
  assert_done_for_good(document, two);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Joints that nothing uses leave the skin; there is nothing to cut. */
static void unused_joints_leave(void **state) {
  (void)state;
  strip s = clean_strip();
  s.nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2,4]},{'name':'b','"
            "translation':[0,1,0],"
            "'children':[3]},{'name':'c','translation':[0,1,0]},{'name':'d'}";
  s.skins = "{'joints':[1,2,3,4]}";
  supple_document *document = open_strip(&s);
  const supple_fix_options three = {.repairs = SUPPLE_REPAIR_NONE, .max_joints = 3};
  supple_fix_report *report = fix_strip(document, three);
  assert_true(report->largest_metres < 1e-6);
  assert_false(is_at(document, "/skins/0/joints/3") || is_at(document, "/meshes/1") ||
               is_at(document, "/nodes/5"));
  assert_done_for_good(document, three);
  supple_fix_report_free(report);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_parts),
      cmocka_unit_test(impossible),
      cmocka_unit_test(shared_meshes),
      cmocka_unit_test(unused_joints_leave),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
