/* test_practice_skins.c: joints, inverse bind matrices, and skins that are alike. */
#include "practice_tests.h"

static void many_joints(void **state) {
  (void)state;
  static const struct {
    int count;
    const char *part;
  } cases[] = {{64, NULL},
               {65, "65 joints, more than the 64"},
               {129, "more than the 128"},
               {257, "more than the 256"},
               {1025, "more than the 1024"}};
  static char nodes[40000], skins[20000];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int n = snprintf(nodes, sizeof nodes, "[{'mesh':0,'skin':0}"),
        s = snprintf(skins, sizeof skins, "[{'joints':[1");
    for (int k = 1; k <= cases[i].count; k++) {
      n += snprintf(nodes + n, sizeof nodes - (size_t)n, ",{'name':'%d'}", k);
      if (k > 1) s += snprintf(skins + s, sizeof skins - (size_t)s, ",%d", k);
    }
    strcat(nodes, "]"), strcat(skins, "]}]");
    rig r = clean_rig();
    r.nodes = nodes;
    r.skins = skins;
    if (cases[i].part)
      expect(&r, &(expected){"SKINNING_JOINTS_MANY", "/skins/0", (uint32_t)cases[i].count,
                             (double)NAN, cases[i].part});
    else
      expect_not(&r, "SKINNING_JOINTS_MANY");
  }
}

static void unused(void **state) {
  (void)state;
  rig r = clean_rig();
  r.joints[0][1][0] = r.joints[0][2][0] = r.joints[0][3][0] = 0;
  r.joints[0][3][1] = 1;
  r.weights[0][3][0] = 1, r.weights[0][3][1] = 0; /* named, but without weight */
  expect(&r, &(expected){"SKINNING_JOINTS_UNUSED", "/skins/0", 2, (double)NAN,
                         "2 of 3 joints move no vertex, the first is \"b\""});
  r = clean_rig(); /* a skin that nothing uses is not judged so */
  r.skins = "[{'joints':[0,1,2],'inverseBindMatrices':3,'skeleton':0},{'joints':[0,1,2],'"
            "inverseBindMatrices':3}]";
  expect_not(&r, "SKINNING_JOINTS_UNUSED");
}

static void twins(void **state) {
  (void)state;
  rig r = clean_rig();
  r.skins =
      "[{'joints':[2,1,0],'inverseBindMatrices':3},{'joints':[0,1,2],'inverseBindMatrices':3},"
      "{'joints':[0,1,2],'inverseBindMatrices':3,'name':'another'},{'joints':[0,1,2]},"
      "{'joints':[0,1,2],'inverseBindMatrices':3}]";
  expect(&r, &(expected){"SKINNING_SKIN_DUPLICATE", "/skins/1", 2, (double)NAN,
                         "2 others, skins 2 to 4, have the same 3 joints"});
  r.skins = "[{'joints':[0,1,2],'inverseBindMatrices':3},{'joints':[0,1,2]},{'joints':[0,1],'"
            "inverseBindMatrices':3}]";
  expect_not(&r, "SKINNING_SKIN_DUPLICATE");
}

static void shared(void **state) {
  (void)state;
  rig r = clean_rig();
  r.skins =
      "[{'joints':[0,1,2],'inverseBindMatrices':3},{'joints':[2,1,0],'inverseBindMatrices':3}]";
  expect(&r,
         &(expected){"SKINNING_INVERSE_BINDS_SHARED", "/skins/0/inverseBindMatrices", 1, (double)NAN,
                     "skin 1 with other joints has the same inverse bind matrices, accessor 3"});
  r.skins = "[{'joints':[0,1,2],'inverseBindMatrices':3},{'joints':[0,1,2],'inverseBindMatrices':3}"
            ",{'joints':[0]},"
            "{'joints':[1]}]";
  expect_not(&r, "SKINNING_INVERSE_BINDS_SHARED");
}

static void missing_and_singular(void **state) {
  (void)state;
  rig r = clean_rig();
  r.skins = "[{'joints':[0,1,2],'skeleton':0}]";
  expect(&r, &(expected){"SKINNING_INVERSE_BINDS_MISSING", "/skins/0", 3, (double)NAN,
                         "no inverse bind matrices"});
  r = clean_rig();
  r.inverse_binds[1][0] = 0;
  expect(&r, &(expected){"SKINNING_INVERSE_BIND_SINGULAR", "/skins/0", 1, (double)NAN,
                         "1 of 3 inverse bind matrices have no inverse, "
                         "the first that of joint 1, \"b\""});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(many_joints), cmocka_unit_test(unused),
                                     cmocka_unit_test(twins), cmocka_unit_test(shared),
                                     cmocka_unit_test(missing_and_singular)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
