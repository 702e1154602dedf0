/* test_node_channels.c: channels of all clips, node by node. */
#include "tests/fix/fix_tests.h"

#include "src/fix/node_channels.h"

static void by_node(void **state) {
  (void)state;
  supple_node nodes[4] = {{0}};
  const supple_channel first[] = {{.node = 2, .path = SUPPLE_PATH_SCALE},
                                  {.node = 0},
                                  {.node = 2, .path = SUPPLE_PATH_ROTATION}};
  const supple_channel second[] = {{.node = 3}, {.node = 2}};
  const supple_clip clips[] = {{.channels = first, .channel_count = 3},
                               {.name = "", .channel_count = 0},
                               {.channels = second, .channel_count = 2}};
  const supple_asset asset = {
      .skeleton = {.nodes = nodes, .node_count = 4}, .clips = clips, .clip_count = 3};
  supplei_node_channels list;
  assert_true(supplei_node_channels_list(&list, &asset, NULL));
  static const uint32_t begins[5] = {0, 1, 1, 4, 5};
  static const uint64_t items[5] = {1, 0, 2, UINT64_C(2) << 32 | 1, UINT64_C(2) << 32};
  assert_int_equal(list.count, 5);
  assert_memory_equal(list.begins, begins, sizeof begins);
  assert_memory_equal(list.items, items, sizeof items);
  supplei_node_channels_release(&list);
  supplei_node_channels_release(&list); /* once more is fine */
}

static void none(void **state) {
  (void)state;
  const supple_asset asset = {.skeleton = {.node_count = 0}};
  supplei_node_channels list;
  assert_true(supplei_node_channels_list(&list, &asset, NULL));
  assert_int_equal(list.count, 0);
  assert_int_equal(list.begins[0], 0);
  supplei_node_channels_release(&list);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(by_node), cmocka_unit_test(none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
