/* test_fix_nodes.c: skinned nodes go to the root, at the identity, and everything else stays where it is. */
#include "tests/fix/fix_tests.h"

static const supple_fix_options nodes_only = {.repairs = SUPPLE_REPAIR_NODES};

static supple_document *fixed(const strip *s, supple_fix_report **report) {
  supple_document *document = open_strip(s);
  *report = fix_strip(document, nodes_only);
  assert_true((*report)->largest_metres == 0);
  return document;
}

static void close_all(supple_document *document, supple_fix_report *report) {
  assert_done_for_good(document, nodes_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

static void in_place(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_fix_report *report;
  s.nodes = "{'name':'skinned','mesh':0,'skin':0,'scale':[2,2,2],'rotation':[0,0,0,1],'extras':{'k'"
            ":1.50}},"
            "{'name':'a','children':[2,4]},{'name':'b','translation':[0,1,0],'children':[3]},"
            "{'name':'c','translation':[0,1,0]},{'name':'low','mesh':0,'skin':0,'matrix':[1,0,0,0,"
            "0,1,0,0,0,0,1,0,1,2,3,1]}";
  supple_document *document = fixed(&s, &report);
  assert_false(is_at(document, "/nodes/0/scale") || is_at(document, "/nodes/0/rotation"));
  assert_true(number_at(document, "/nodes/0/extras/k") == 1.5);
  assert_false(is_at(document, "/nodes/4/matrix") || is_at(document, "/nodes/1/children/1"));
  assert_true(number_at(document, "/scenes/0/nodes/2") == 4);
  assert_string_equal(action_of(report, "NODE_SKINNED_MESH_NON_ROOT")->pointer, "/nodes/4");
  assert_int_equal(report->action_count, 3);
  close_all(document, report);
}

/* Its only child: glTF has no empty arrays. */
static void last_child(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_fix_report *report;
  s.nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b','"
            "translation':[0,1,0],"
            "'children':[3]},{'name':'c','translation':[0,1,0],'children':[4]},{'mesh':0,'skin':0}";
  supple_document *document = fixed(&s, &report);
  assert_false(is_at(document, "/nodes/3/children"));
  close_all(document, report);
}

static void a_channel_of_many_goes(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_fix_report *report;
  s.channels = ",{'sampler':0,'target':{'node':0,'path':'rotation'}}";
  supple_document *document = fixed(&s, &report);
  assert_false(is_at(document, "/animations/0/channels/1"));
  assert_true(is_at(document, "/animations/0/channels/0") &&
              is_at(document, "/animations/0/samplers/0"));
  assert_true(is_at(document, "/nodes/0/mesh") && !is_at(document, "/nodes/4"));
  assert_string_equal(action_of(report, "ANIMATION_CHANNEL_TARGET_NODE_SKIN")->pointer, "/nodes/0");
  close_all(document, report);
}

/* A joint, a parent, a camera: the node stays, and its mesh moves to a new one. */
static void needed_ones_stay(void **state) {
  (void)state;
  static const char *const nodes[] = {"{'name':'skinned','mesh':0,'skin':0,'translation':[1,0,0],'"
                                      "weights':[0.5],'children':[4]},{'name':'a','children':[2]},"
                                      "{'name':'b','translation':[0,1,0],'children':[3]},{'name':'"
                                      "c','translation':[0,1,0]},{'name':'hat'}",
                                      "{'name':'skinned','mesh':0,'skin':0,'translation':[1,0,0],'"
                                      "weights':[0.5],'camera':0},{'name':'a','children':[2]},"
                                      "{'name':'b','translation':[0,1,0],'children':[3]},{'name':'"
                                      "c','translation':[0,1,0]},{'name':'hat'}",
                                      "{'name':'skinned','mesh':0,'skin':0,'translation':[1,0,0],'"
                                      "weights':[0.5]},{'name':'a','children':[2]},"
                                      "{'name':'b','translation':[0,1,0],'children':[3]},{'name':'"
                                      "c','translation':[0,1,0]},{'mesh':0,'skin':1}"};
  for (int i = 0; i < 3; i++) {
    strip s = clean_strip();
    supple_fix_report *report;
    s.nodes = nodes[i];
    s.primitive = ",'targets':[{'POSITION':0}]";
    s.channels = ",{'sampler':1,'target':{'node':0,'path':'weights'}}";
    if (i == 1) s.more = ",'cameras':[{'type':'perspective','perspective':{'yfov':1,'znear':0.1}}]";
    if (i == 2) s.skins = "{'joints':[1,2,3],'inverseBindMatrices':3},{'joints':[0,1,2]}";
    supple_document *document = open_strip(&s);
    assert_int_equal(
        supple_document_insert(document, supple_document_find(document, "/animations/0/samplers"),
                               1, "{\"input\":4,\"output\":4}", NULL, NULL),
        SUPPLE_OK);
    report = fix_strip(document, nodes_only);
    assert_true(report->largest_metres == 0);
    assert_text_at(document, "/nodes/0/name", "skinned");
    assert_true(is_at(document, "/nodes/0/translation") && !is_at(document, "/nodes/0/mesh") &&
                !is_at(document, "/nodes/0/skin") && !is_at(document, "/nodes/0/weights"));
    assert_text_at(document, "/nodes/5/name", "skinned_mesh");
    assert_true(number_at(document, "/nodes/5/weights/0") == 0.5);
    assert_true(number_at(document, "/animations/0/channels/1/target/node") == 5);
    assert_true(number_at(document, "/scenes/0/nodes/2") == 5);
    close_all(document, report);
  }
}

/* A clip of nothing else must not vanish, nor get shorter. */
static void clips_keep_their_length(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_fix_report *report;
  s.more = ",'extras':0";
  supple_document *document = open_strip(&s);
  assert_int_equal(
      supple_document_insert(document, supple_document_find(document, "/animations"), 1,
                             "{\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":"
                             "\"rotation\"}}],\"samplers\":[{\"input\":4,\"output\":5}]}",
                             NULL, NULL),
      SUPPLE_OK);
  report = fix_strip(document, nodes_only);
  assert_true(number_at(document, "/animations/1/channels/0/target/node") == 0);
  assert_true(is_at(document, "/nodes/4/mesh") && !is_at(document, "/nodes/0/mesh"));
  close_all(document, report);
}

static void what_cannot_be(void **state) {
  (void)state;
  static const struct {
    const char *nodes, *more, *part;
  } cases[] = {
      {"{'name':'skinned','mesh':0,'skin':0,'scale':[2,2,2],'extensions':{'X_odd':{}}},", "",
       "X_odd"},
      {"{'name':'skinned','mesh':0,'skin':0,'scale':[2,2,2],'children':[4]},",
       ",'extensions':{'VRM':{}}", "VRM"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static char nodes[1024];
    strip s = clean_strip();
    supple_fix_report *report;
    snprintf(nodes, sizeof nodes,
             "%s{'name':'a','children':[2]},{'name':'b','translation':[0,1,0],'children':[3]},"
             "{'name':'c','translation':[0,1,0]},{'name':'d'}",
             cases[i].nodes);
    s.nodes = nodes;
    s.more = cases[i].more;
    supple_document *document = fixed(&s, &report);
    assert_int_equal(report->action_count, 1);
    assert_false(report->actions[0].done);
    assert_non_null(strstr(report->actions[0].text, cases[i].part));
    assert_true(is_at(document, "/nodes/0/scale"));
    close_all(document, report);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_place),
      cmocka_unit_test(last_child),
      cmocka_unit_test(a_channel_of_many_goes),
      cmocka_unit_test(needed_ones_stay),
      cmocka_unit_test(clips_keep_their_length),
      cmocka_unit_test(what_cannot_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
