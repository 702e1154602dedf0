/* test_fix_rebind.c: inverse bind matrices from the nodes as stored. */
#include "tests/fix/fix_tests.h"

#include <math.h>

static const supple_fix_options rebind_only = {.repairs = SUPPLE_REPAIR_REBIND};

static void read_binds(supple_document *document, float binds[48]) {
  assert_int_equal(
      supple_document_floats(
          document, (uint32_t)number_at(document, "/skins/0/inverseBindMatrices"), binds, NULL),
      SUPPLE_OK);
}

static void only_singular_ones(void **state) {
  (void)state;
  strip s = clean_strip();
  s.binds[13] = 5; /* odd, but it has an inverse: it stays */
  memset(s.binds + 16, 0, 12 * sizeof *s.binds);
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, rebind_only);
  const supple_fix_action *action = action_of(report, "SKINNING_INVERSE_BIND_SINGULAR");
  assert_int_equal(action->count, 1);

  assert_true(strstr(action->text, "the first is node 2") &&
              strstr(action->text, "vertices move by up to"));
  float binds[48];
  read_binds(document, binds);
  assert_true(binds[13] == 5 && binds[16] == 1 && binds[29] == -1 && binds[45] == -2);
  assert_true(report->largest_metres > 0.4);
  assert_done_for_good(document, rebind_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Missing ones bind the mesh where its node would have shown it. */
static void missing_ones(void **state) {
  (void)state;
  strip s = clean_strip();
  s.skins = "{'joints':[1,2,3]}";
  s.nodes =
      "{'name':'skinned','mesh':0,'skin':0,'translation':[0,0,3]},{'name':'a','children':[2]},{'"
      "name':'b',"
      "'translation':[0,1,0],'children':[3]},{'name':'c','translation':[0,1,0],'scale':[2,2,2]}";
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, rebind_only);
  assert_int_equal(action_of(report, "SKINNING_INVERSE_BINDS_MISSING")->count, 3);
  float binds[48];
  read_binds(document, binds);
  assert_true(binds[14] == 3 && binds[29] == -1 && binds[30] == 3);
  assert_true(binds[32] == 0.5f && binds[45] == -1 && binds[46] == 1.5f);
  assert_done_for_good(document, rebind_only);
  supple_fix_report_free(report);
  supple_document_free(document);
}

static void joints_without_size(void **state) {
  (void)state;
  strip s = clean_strip();
  s.skins = "{'joints':[1,2,3]}";
  s.nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2]},{'name':'b','"
            "translation':[0,1,0],"
            "'children':[3]},{'name':'c','translation':[0,1,0],'scale':[0,0,0]}";
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, rebind_only);
  bool refused = false;
  for (uint32_t i = 0; i < report->action_count; i++)
    refused |= !report->actions[i].done && report->actions[i].count == 1 &&
               strstr(report->actions[i].text, "node 3") != NULL;
  assert_true(refused);
  supple_fix_report_free(report);
  supple_document_free(document);
}

/* Without a fault nothing is done, whatever the pose. */
static void nothing_to_do(void **state) {
  (void)state;
  strip s = clean_strip();
  supple_document *document = open_strip(&s);
  supple_fix_report *report = fix_strip(document, rebind_only);
  assert_int_equal(report->action_count, 0);
  supple_fix_report_free(report);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_singular_ones),
      cmocka_unit_test(missing_ones),
      cmocka_unit_test(joints_without_size),
      cmocka_unit_test(nothing_to_do),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
