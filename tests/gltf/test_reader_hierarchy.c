/* test_reader_hierarchy.c: parents, the order, cycles, depth, scenes. */
#include "asset_text.h"

static void parents_come_first(void **state) {
  (void)state;
  /*      4        6
   *    /   \
   *   2     0
   *  / \     \
   * 5   1     3   */
  supple_asset *asset =
      load(NULL, ",'nodes':[{'children':[3]},{},{'children':[5,1]},{},{'children':[2,0]},{},{}]");
  const supple_skeleton *s = &asset->skeleton;
  const uint32_t parents[7] = {4, 2, 4, 0, SUPPLE_NONE, 2, SUPPLE_NONE};
  bool seen[7] = {false};
  for (uint32_t i = 0; i < 7; i++) {
    uint32_t node = s->order[i];
    assert_true(node < 7 && !seen[node]);
    seen[node] = true;
    assert_int_equal(s->nodes[node].parent, parents[node]);
    assert_true(parents[node] == SUPPLE_NONE || seen[parents[node]]);
  }
  supple_asset_free(asset);
}

static void what_is_no_tree(void **state) {
  (void)state;
  refuse(NULL, "/nodes/0/children/0", "its own child", ",'nodes':[{'children':[0]}]");
  refuse(NULL, "/nodes/1/children/0", "already is a child of node 0",
         ",'nodes':[{'children':[2]},{'children':[2]},{}]");
  refuse(NULL, "/nodes/0/children/1", "already is a child of node 0",
         ",'nodes':[{'children':[1,1]},{}]");
  refuse(NULL, "/nodes/0", "its own ancestor", ",'nodes':[{'children':[1]},{'children':[0]}]");
  refuse(NULL, "/nodes/2", "its own ancestor",
         ",'nodes':[{},{'children':[]},{'children':[3]},{'children':[4]},{'children':[2]}]");
}

/* Text of a chain of `count` nodes, each the child of the one before. */
static char *chain(unsigned count) {
  char *text = malloc(30 * (size_t)count + 100), *at = text;
  at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
  for (unsigned i = 1; i < count; i++) at += sprintf(at, "{\"children\":[%u]},", i);
  sprintf(at, "{}]}");
  return text;
}

static void depth(void **state) {
  (void)state;
  supple_error error;
  char *text = chain(100000);
  supple_asset *asset = supple_asset_load_memory(text, strlen(text), NULL, &error);
  assert_non_null(asset);
  for (uint32_t i = 0; i < 100000; i++) assert_int_equal(asset->skeleton.order[i], i);
  supple_asset_free(asset);
  free(text);
  text = chain(100001);
  assert_null(supple_asset_load_memory(text, strlen(text), NULL, &error));
  check_error(&error, SUPPLE_ERROR_LIMIT, "/nodes/100000", "limits.node_depth");
  const supple_load_options deeper = {.limits = {.node_depth = 100001}};
  asset = supple_asset_load_memory(text, strlen(text), &deeper, &error);
  assert_non_null(asset);
  supple_asset_free(asset);
  free(text);
}

static void scenes(void **state) {
  (void)state;
  supple_asset *asset = load(
      NULL, ",'scene':1,'scenes':[{'name':'a','nodes':[0,2]},{}],'nodes':[{'children':[1]},{},{}]");
  assert_int_equal(asset->scene_count, 2);
  assert_int_equal(asset->scene, 1);
  assert_string_equal(asset->scenes[0].name, "a");
  assert_int_equal(asset->scenes[0].node_count, 2);
  assert_int_equal(asset->scenes[0].nodes[1], 2);
  assert_int_equal(asset->scenes[1].node_count, 0);
  assert_int_equal(asset->note_count, 0);
  supple_asset_free(asset);
  asset = load(NULL, ",'scenes':[{'nodes':[1]}],'nodes':[{'children':[1]},{}]");
  assert_int_equal(asset->scene, SUPPLE_NONE);
  assert_true(has_note(asset, "/scenes/0/nodes/0", "no root"));
  supple_asset_free(asset);
  refuse(NULL, "/scene", "only 1 scenes", ",'scene':1,'scenes':[{}]");
  refuse(NULL, "/scenes/0/nodes/0", "only 0 nodes", ",'scenes':[{'nodes':[0]}]");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parents_come_first),
                                     cmocka_unit_test(what_is_no_tree), cmocka_unit_test(depth),
                                     cmocka_unit_test(scenes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
