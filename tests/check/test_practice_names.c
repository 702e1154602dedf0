/* test_practice_names.c: names of joints that are missing, used twice, or changed by viewers. */
#include "practice_tests.h"

static rig named(const char *nodes) {
  rig r = clean_rig();
  r.nodes = nodes;
  return r;
}

#define NODES(a, b, c)                                                                             \
  "[{'name':'" a "','children':[1]},{'name':'" b                                                   \
  "','translation':[0,1,0],'children':[2]},{'name':'" c                                            \
  "','translation':[0,1,0]},{'name':'a','mesh':0,'skin':0}]"

static void missing(void **state) {
  (void)state;
  rig r = named("[{'name':'a','children':[1]},{'translation':[0,1,0],'children':[2]},"
                "{'name':'','translation':[0,1,0]},{'mesh':0,'skin':0}]");
  expect(&r, &(expected){"SKINNING_NAME_MISSING", "/nodes/1", 2, (double)NAN,
                         "2 of 3 joints have no name, the first: node 1"});
  expect_not(&r, "SKINNING_NAME_DUPLICATE");
  expect_not(&r, "SKINNING_NAME_COLLISION");
}

static void twice(void **state) {
  (void)state;
  rig r = named(NODES("x", "y", "x"));
  expect(&r, &(expected){"SKINNING_NAME_DUPLICATE", "/nodes/0", 2, (double)NAN,
                         "\"x\" (node 0) and \"x\" (node 2)"});
  expect_not(&r, "SKINNING_NAME_COLLISION");
  r = named(NODES("x", "x", "x"));
  expect(&r, &(expected){"SKINNING_NAME_DUPLICATE", "/nodes/0", 3, (double)NAN, "3 of 3 joints"});
  r = named(NODES("a", "b", "c")); /* node 3, which is no joint, is called a too */
  expect_not(&r, "SKINNING_NAME_DUPLICATE");
}

static void unsafe(void **state) {
  (void)state;
  rig r = named(NODES("arm.L", "arm L", "arm"));
  expect(&r, &(expected){"SKINNING_NAME_UNSAFE", "/nodes/0", 2, (double)NAN, "\"arm.L\" (node 0)"});
  static const char *const changed[] = {
      "[x]",           "a:b", "a/b", "a\\tb", "\xC2\xA0x", "x\xE2\x80\x83y", "x\xE3\x80\x80y",
      "\xEF\xBB\xBFx", "..."};
  static const char *const kept[] = {"x_y-z",        "\xC2\xA1x", "\xE2\x80\x8B",
                                     "\xE3\x80\x81", "(x)",       "x\\\\y"};
  char nodes[512];
  for (size_t i = 0; i < sizeof changed / sizeof *changed; i++) {
    snprintf(nodes, sizeof nodes, NODES("%s", "b", "c"), changed[i]);
    r = named(nodes);
    expect(&r, &(expected){"SKINNING_NAME_UNSAFE", "/nodes/0", 1, (double)NAN, "1 of 3"});
  }
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
    snprintf(nodes, sizeof nodes, NODES("%s", "b", "c"), kept[i]);
    r = named(nodes);
    expect_not(&r, "SKINNING_NAME_UNSAFE");
  }
}

static void collisions(void **state) {
  (void)state;
  rig r = named(NODES("arm.L", "armL", "b"));
  expect(&r, &(expected){"SKINNING_NAME_COLLISION", "/nodes/0", 2, (double)NAN,
                         "\"arm.L\" (node 0) and \"armL\" (node 1)"});
  expect_not(&r, "SKINNING_NAME_DUPLICATE");
  r = named(NODES("arm.L", "armL", "armL"));
  expect(&r, &(expected){"SKINNING_NAME_COLLISION", "/nodes/0", 3, (double)NAN, "3 of 3"});
  expect(&r, &(expected){"SKINNING_NAME_DUPLICATE", "/nodes/1", 2, (double)NAN, "2 of 3"});
  r = named(NODES("arm.L", "arm_L", "arm L")); /* "armL", "arm_L", "arm_L" */
  expect(&r, &(expected){"SKINNING_NAME_COLLISION", "/nodes/2", 2, (double)NAN, "2 of 3"});
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(missing), cmocka_unit_test(twice),
                                     cmocka_unit_test(unsafe), cmocka_unit_test(collisions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
