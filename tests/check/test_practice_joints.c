/* test_practice_joints.c: joints that scale, mirror, vanish or shear, against values derived by hand.
 *
 * b is changed, so c below it too; M is what both make of (x, y): seen from y = 1. A rigid motion, which is all that
 * plain dual quaternions know, keeps M's translation and its turn. */
#include "practice_tests.h"

static rig with_b(const char *transform) {
  static char nodes[400];
  rig r = clean_rig();
  snprintf(nodes, sizeof nodes,
           "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2],%s},"
           "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]",
           transform);
  r.nodes = nodes;
  return r;
}

static void scaled(void **state) {
  (void)state;
  /* M: (x, y) -> (2x, 2y - 1); rigid: (x, y - 1): of (1, 2) they are (1, 2) apart */
  rig r = with_b("'scale':[2,2,2]");
  expect(&r, &(expected){"SKINNING_JOINTS_SCALED", "/skins/0", 2, sqrt(5),
                         "2 of 3 joints in use are scaled, by 2 … 2"});
  expect_not(&r, "SKINNING_JOINTS_STRETCHED");
  expect_not(&r, "SKINNING_WORLD_SHEARED");
  r = with_b("'scale':[1.0005,1.0005,1.0005]");
  expect_not(&r, "SKINNING_JOINTS_SCALED");
  /* all by one scale */
  r = clean_rig();
  r.nodes = "[{'name':'a','children':[1],'scale':[0.5,0.5,0.5]},{'name':'b','translation':[0,1,0],'"
            "children':[2]},"
            "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]";
  expect(&r, &(expected){"SKINNING_JOINTS_SCALED", "/skins/0", 3, sqrt(5) / 2,
                         "all of them always by 0.5"});
}

static void stretched(void **state) {
  (void)state;
  rig r = with_b("'scale':[1,2,1]"); /* M: (x, 2y - 1); rigid: (x, y - 1): (1, 2) is 2 apart */
  expect(&r, &(expected){"SKINNING_JOINTS_STRETCHED", "/skins/0", 2, 2,
                         "one axis by up to 2 times another"});
  expect_not(&r, "SKINNING_JOINTS_SCALED");
  expect_not(&r, "SKINNING_WORLD_SHEARED");
  r = clean_rig(); /* only in a clip */
  r.clips = "[{'name':'grow','samplers':[{'input':7,'output':10}],'channels':[{'sampler':0,'target'"
            ":{'node':1,'path':"
            "'scale'}}]}]";
  expect(&r, &(expected){"SKINNING_JOINTS_STRETCHED", "/skins/0", 2, 2, "in clip \"grow\" at 1 s"});
}

static void mirrored(void **state) {
  (void)state;
  /* M: (-x, y); -M turns by 180° about x: (x, -y). Of (1, 2): (-1, 2) and (1, -2) */
  rig r = with_b("'scale':[-1,1,1]");
  expect(&r, &(expected){"SKINNING_JOINTS_MIRRORED", "/skins/0", 2, sqrt(20),
                         "2 of 3 joints in use are mirrored, first \"b\""});
  expect_not(&r, "SKINNING_JOINTS_STRETCHED");
  r = with_b("'scale':[-1,-1,1]"); /* a turn */
  expect_not(&r, "SKINNING_JOINTS_MIRRORED");
}

static void singular(void **state) {
  (void)state;
  rig r = with_b("'scale':[1,0,1]"); /* M: (x, 1); rigid: (x, y + 1): of (1, 2) they are 2 apart */
  expect(&r, &(expected){"SKINNING_JOINTS_SINGULAR", "/skins/0", 2, 2,
                         "scaled to nothing along an axis, first \"b\""});
  expect_not(&r, "SKINNING_WORLD_SHEARED");
  expect_not(&r, "SKINNING_JOINTS_STRETCHED");
}

static void sheared(void **state) {
  (void)state;
  /* b scales x by 2, c below it turns by 45°: columns (√2, √½) and (-√2, √½), both √2.5 long; the nearest axes at
   * right angles are at 45°. (1, 2) is (1, 0) from c, and belongs to it by half. */
  rig r = clean_rig();
  r.nodes = "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'scale':[2,1,1],'"
            "children':[2]},"
            "{'name':'c','translation':[0,1,0],'rotation':[0,0,0.38268343236509,0.92387953251129]},"
            "{'name':'skinned','mesh':0,'skin':0}]";
  double x = sqrt(2) - sqrt(1.25), y = sqrt(0.5) - sqrt(1.25);
  expect(&r, &(expected){"SKINNING_WORLD_SHEARED", "/skins/0", 1, sqrt(x * x + y * y) / 2,
                         "1 of 3 joints in use shear, by up to 36.9°"});
  r.nodes = "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'scale':[2,2,2],'"
            "children':[2]},"
            "{'name':'c','translation':[0,1,0],'rotation':[0,0,0.38268343236509,0.92387953251129]},"
            "{'name':'skinned','mesh':0,'skin':0}]";
  expect_not(&r, "SKINNING_WORLD_SHEARED");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(scaled), cmocka_unit_test(stretched),
                                     cmocka_unit_test(mirrored), cmocka_unit_test(singular),
                                     cmocka_unit_test(sheared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
