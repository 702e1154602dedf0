/* test_practice_strict.c: the proposals for strict skinning. */
#include "practice_tests.h"

static rig strict_rig(const char *nodes, const char *skins) {
  rig r = clean_rig();
  r.strict = true;
  if (nodes) r.nodes = nodes;
  if (skins) r.skins = skins;
  return r;
}

#define SKIN "/skins/0"
#define BONES                                                                                      \
  "{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},{'name':'c','"    \
  "translation':[0,1,0]}"

static void clean(void **state) {
  (void)state;
  rig r = strict_rig(NULL, NULL);
  supple_check_report *report = check_rig(&r);
  for (uint32_t i = 0; i < report->finding_count; i++)
    if (strncmp(report->findings[i].code->name, "SKINNING_", 9) == 0)
      fail_msg("%s: %s", report->findings[i].code->name, report->findings[i].text);
  supple_check_report_free(report);
  r.skins = "[{'joints':[0,1,2],'inverseBindMatrices':3}]";
  r.strict = false; /* only where asked for */
  expect_not(&r, "SKINNING_STRICT_SKELETON_MISSING");
}

static void skeleton(void **state) {
  (void)state;
  rig r = strict_rig(NULL, "[{'joints':[0,1,2],'inverseBindMatrices':3}]");
  expect(&r, &(expected){"SKINNING_STRICT_SKELETON_MISSING", SKIN, 1, (double)NAN,
                         "the lowest common root of the joints is \"a\" (node 0)"});
  r = strict_rig("[" BONES ",{'name':'skinned','mesh':0,'skin':0},{'name':'above','children':[0]}]",
                 "[{'joints':[0,1,2],'inverseBindMatrices':3,'skeleton':4}]");
  expect(&r, &(expected){"SKINNING_STRICT_SKELETON_ROOT", SKIN, 1, (double)NAN,
                         "the skeleton is \"above\" (node 4)"});
  expect_not(&r, "SKINNING_STRICT_JOINT_OUTSIDE");
  r = strict_rig(NULL, "[{'joints':[0,1,2],'inverseBindMatrices':3,'skeleton':1}]");
  expect(&r, &(expected){"SKINNING_STRICT_JOINT_OUTSIDE", SKIN, 1, (double)NAN,
                         "1 of 3 joints are not below the skeleton, the first is \"a\""});
}

/* The common root of two branches, in a tree whose order and depths are mixed. */
static void common_roots(void **state) {
  (void)state;
  static const char *const tree = "[{'name':'0','children':[4]},{'name':'1'},{'name':'2','children'"
                                  ":[1,5]},{'name':'skinned','mesh':0,'skin':0},"
                                  "{'name':'4','children':[2,7]},{'name':'5','children':[6]},{'"
                                  "name':'6'},{'name':'7','children':[8,9]},"
                                  "{'name':'8'},{'name':'9'},{'name':'10'}]";
  static const struct {
    const char *joints, *root;
  } cases[] = {{"[1,6,5]", "\"2\""}, {"[6,8,1]", "\"4\""}, {"[8,9,7]", "\"7\""},
               {"[6,5,1]", "\"2\""}, {"[9,0,6]", "\"0\""}, {"[6,10,5]", "there is none"},
               {"[6,2,1]", "\"2\""}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char skins[128];
    snprintf(skins, sizeof skins, "[{'joints':%s,'inverseBindMatrices':3}]", cases[i].joints);
    rig r = strict_rig(tree, skins);
    supple_check_report *report = check_rig(&r);
    const supple_finding *f = find_code(report, "SKINNING_STRICT_SKELETON_MISSING");
    assert_non_null(f);
    if (!strstr(f->text, cases[i].root))
      fail_msg("%s: %s, not %s", cases[i].joints, f->text, cases[i].root);
    supple_check_report_free(report);
  }
}

static void joints(void **state) {
  (void)state;
  rig r =
      strict_rig("[{'name':'a','children':[4]},{'name':'b','translation':[0,1,0],'children':[2]},"
                 "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0},"
                 "{'name':'between','children':[1]}]",
                 NULL);
  expect(&r, &(expected){"SKINNING_STRICT_JOINTS_APART", SKIN, 1, (double)NAN,
                         "1 have no joint above them, 1 have other nodes"});
  r = strict_rig("[{'name':'a'},{'name':'b','translation':[0,1,0],'children':[2]},{'name':'c','"
                 "translation':[0,1,0]},"
                 "{'name':'skinned','mesh':0,'skin':0},{'name':'root','children':[0,1]}]",
                 NULL);
  expect(&r, &(expected){"SKINNING_STRICT_JOINTS_APART", SKIN, 1, (double)NAN,
                         "2 have no joint above them"});
  r = strict_rig(NULL, "[{'joints':[0,2,1],'inverseBindMatrices':3,'skeleton':0}]");
  expect(&r, &(expected){"SKINNING_STRICT_JOINT_ORDER", SKIN, 1, (double)NAN,
                         "1 of 3 joints come before"});
  r = strict_rig(
      "[{'name':'a','children':[1]},{'children':[2],'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,1,0,1]},"
      "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]",
      NULL);
  expect(&r, &(expected){"SKINNING_STRICT_JOINT_MATRIX", SKIN, 1, (double)NAN,
                         "1 of 3 joints have a matrix"});
  expect(&r,
         &(expected){"SKINNING_STRICT_NAMES", SKIN, 1, (double)NAN, "1 of 3 joints have no name"});
}

static void scales(void **state) {
  (void)state;
  static const char *const grow =
      "[{'samplers':[{'input':7,'output':10}],'channels':[{'sampler':0,'target':{'node':1,"
      "'path':'scale'}}]}]";
  rig r = strict_rig(NULL, NULL);
  r.clips = grow;
  expect(&r, &(expected){"SKINNING_STRICT_JOINT_SCALED", SKIN, 1, (double)NAN, "1 of 3"});
  r.scales[1][1] = 1; /* keys that say 1 */
  expect_not(&r, "SKINNING_STRICT_JOINT_SCALED");
  r = strict_rig("[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2],'"
                 "scale':[1,1,2]},"
                 "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]",
                 NULL);
  expect(&r, &(expected){"SKINNING_STRICT_JOINT_SCALED", SKIN, 1, (double)NAN, "1 of 3"});
}

static void skins(void **state) {
  (void)state;
  rig r = strict_rig(NULL, "[{'joints':[0,1,2],'inverseBindMatrices':3,'skeleton':0},"
                           "{'joints':[1,2],'inverseBindMatrices':3,'skeleton':1}]");
  expect(&r, &(expected){"SKINNING_STRICT_SKELETON_SHARED", "/skins/1", 2, (double)NAN,
                         "2 of 2 joints belong to skin 0 too"});
  r = strict_rig(NULL, "[{'joints':[0,1,2],'skeleton':0}]");
  expect(&r, &(expected){"SKINNING_STRICT_INVERSE_BINDS", SKIN, 1, (double)NAN,
                         "no inverse bind matrices"});
  r = strict_rig("[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},"
                 "{'name':'c','translation':[0,1.5,0]},{'name':'skinned','mesh':0,'skin':0}]",
                 NULL);
  expect(&r, &(expected){"SKINNING_STRICT_REST_POSE", SKIN, 1, 0.5, "1 joints differ"});
}

static void nodes(void **state) {
  (void)state;
  rig r = strict_rig("[" BONES ",{'name':'skinned','mesh':0,'skin':0,'scale':[1,2,1]}]", NULL);
  expect(&r, &(expected){"SKINNING_STRICT_NODE", "/nodes/3", 1, (double)NAN,
                         "\"skinned\" (node 3) has a skin and a transform"});
  r = strict_rig("[" BONES ",{'name':'skinned','mesh':0,'skin':0},{'children':[3]}]", NULL);
  expect(&r,
         &(expected){"SKINNING_STRICT_NODE", "/nodes/3", 1, (double)NAN, "has a skin and a parent"});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(clean),        cmocka_unit_test(skeleton),
                                     cmocka_unit_test(common_roots), cmocka_unit_test(joints),
                                     cmocka_unit_test(scales),       cmocka_unit_test(skins),
                                     cmocka_unit_test(nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
