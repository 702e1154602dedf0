/* test_fix_weights.c: weights in a document: which accessors are rewritten, added, left alone. */
#include "tests/fix/fix_tests.h"

static const supple_fix_options weights_only = {.repairs = SUPPLE_REPAIR_WEIGHTS};

static void rewritten_in_place(void **state) {
  (void)state;
  strip s = clean_strip();
  s.weights[8] = 0.25f; /* of 0.75 in all */
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, weights_only);
  const supple_fix_action *action = action_of(report, "ACCESSOR_WEIGHTS_NON_NORMALIZED");
  assert_int_equal(report->action_count, 2); /* and its order */
  assert_true(action->done && action->count == 1 && strstr(action->text, "1 of 6 vertices"));
  assert_string_equal(action->pointer, "/meshes/0/primitives/0/attributes/WEIGHTS_0");
  assert_int_equal(supple_document_accessor_count(document), 7);
  float weights[24];
  uint32_t joints[24];
  assert_int_equal(supple_document_floats(document, 2, weights, NULL), SUPPLE_OK);
  assert_int_equal(supple_document_integers(document, 1, joints, NULL), SUPPLE_OK);
  assert_true(weights[8] == 0.5f / 0.75f && weights[9] == 0.25f / 0.75f && weights[12] == 0.5f);
  assert_true(joints[8] == 1 && joints[9] == 0 && joints[12] == 0);
  assert_true(report->largest_metres < 1e-6);
  assert_done_for_good(document, weights_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Another mesh names the weights with other joints: each of them gets what it needs. */
static void shared_by_others(void **state) {
  (void)state;
  strip s = clean_strip();
  s.weights[8] = 0.5f, s.weights[9] = 0.75f;
  s.nodes =
      "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b','translation':"
      "[0,1,0],'children':[3]},{'name':'c','translation':[0,1,0]},{'mesh':1,'skin':0,'name':'other'"
      "}";
  s.more = ",'extras':{'meshes':1}";
  glb_text glb = strip_file(&s);
  supple_error error;
  supple_document *document = supple_document_load_memory(glb.bytes, glb.size, NULL, &error);
  free(glb.bytes);
  assert_non_null(document);
  /* the second mesh: weights of the first as joints' partner, joints of its own */
  static const uint8_t own[24] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 1, 0, 0,
                                  2, 1, 0, 0, 2, 1, 0, 0, 2, 1, 0, 0};
  uint32_t added;
  const supple_accessor_data data = {.layout = {5121, 4, 1, false, 6}, .data = own, .target = 34962};
  assert_int_equal(supple_document_add_accessor(document, &data, &added, &error), SUPPLE_OK);
  assert_int_equal(added, 7);
  assert_int_equal(
      supple_document_insert(document, supple_document_find(document, "/meshes"), 1,
                             "{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":7,"
                             "\"WEIGHTS_0\":2},\"indices\":6}]}",
                             NULL, &error),
      SUPPLE_OK);
  supple_fix_report *report = fix_strip(document, weights_only);
  const uint32_t first =
      (uint32_t)number_at(document, "/meshes/0/primitives/0/attributes/WEIGHTS_0");
  const uint32_t second =
      (uint32_t)number_at(document, "/meshes/1/primitives/0/attributes/WEIGHTS_0");
  assert_true(first != second && (first > 7 || second > 7));
  uint32_t joints[24];
  assert_int_equal(supple_document_integers(
                       document,
                       (uint32_t)number_at(document, "/meshes/1/primitives/0/attributes/JOINTS_0"),
                       joints, NULL),
                   SUPPLE_OK);
  assert_true(joints[8] == 1 && joints[9] == 2);
  assert_true(report->largest_metres < 1e-6);
  assert_done_for_good(document, weights_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

static void two_sets_become_one(void **state) {
  (void)state;
  strip s = clean_strip();
  s.primitive = "";
  supple_document *document = open_strip(&s);
  supple_error error;
  /* the second set is the first again: every joint is named twice, and sums are 2 */
  const supple_value attributes =
      supple_document_find(document, "/meshes/0/primitives/0/attributes");
  assert_int_equal(supple_document_set(document, attributes, "JOINTS_1", "1", NULL, &error),
                   SUPPLE_OK);
  assert_int_equal(supple_document_set(document, attributes, "WEIGHTS_1", "2", NULL, &error),
                   SUPPLE_OK);
  supple_fix_report *report = fix_strip(document, weights_only);
  assert_int_equal(action_of(report, "ACCESSOR_JOINTS_INDEX_DUPLICATE")->count, 6);
  assert_int_equal(action_of(report, "SKINNING_SETS_EMPTY")->count, 1);
  assert_false(is_at(document, "/meshes/0/primitives/0/attributes/JOINTS_1"));
  assert_false(is_at(document, "/meshes/0/primitives/0/attributes/WEIGHTS_1"));
  assert_true(number_at(document, "/meshes/0/primitives/0/attributes/WEIGHTS_0") == 2);
  assert_true(report->largest_metres == 0);
  assert_done_for_good(document, weights_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* One influence a vertex: the clip decides which, and weights become 1. */
static void limited(void **state) {
  (void)state;
  strip s = clean_strip();
  s.weights[16] = 0.625f, s.weights[17] = 0.375f;
  supple_document *document = open_strip(&s);
  const supple_fix_options options = {.influences = 1};
  supple_fix_report *report = fix_strip(document, options);
  const supple_fix_action *action = action_of(report, "SKINNING_INFLUENCES_MANY");
  assert_int_equal(action->count, 4);
  float weights[24];
  assert_int_equal(supple_document_floats(document, 2, weights, NULL), SUPPLE_OK);
  for (int i = 0; i < 24; i++) assert_true(weights[i] == (i % 4 == 0 ? 1.0f : 0.0f));
  assert_true(report->largest_metres > 0.1 &&
              report->largest_metres <= report->truncated_metres + 1e-6);
  assert_false(report->range_of_motion);
  assert_int_equal(report->worst_clip, 0);
  assert_done_for_good(document, options);
  supple_fix_report_free(report);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rewritten_in_place),
      cmocka_unit_test(shared_by_others),
      cmocka_unit_test(two_sets_become_one),
      cmocka_unit_test(limited),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
