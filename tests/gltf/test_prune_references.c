/* test_prune_references.c: JSON pointers into tables, and which extensions are known. */
#include "asset_text.h"

#include "src/gltf/prune_references.h"

static void test_pointers(void **state) {
  (void)state;
  supplei_prune_kind kind;
  uint32_t index;
  size_t length;
  assert_true(supplei_prune_pointer("/nodes/12/rotation", &kind, &index, &length));
  assert_true(kind == SUPPLEI_PRUNE_NODE && index == 12 && length == 9);
  assert_true(supplei_prune_pointer("/materials/0", &kind, &index, &length));
  assert_true(kind == SUPPLEI_PRUNE_MATERIAL && index == 0 && length == 12);
  static const char *const elsewhere[] = {"",
                                          "nodes/1",
                                          "/nodes",
                                          "/nodes/",
                                          "/nodes/x",
                                          "/node/1",
                                          "/nodes/1x",
                                          "/nodes/99999999999",
                                          "/extensions/KHR_lights_punctual/lights/0/color"};
  for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
    assert_false(supplei_prune_pointer(elsewhere[i], &kind, &index, &length));
}

static void test_extensions(void **state) {
  (void)state;
  assert_int_equal(supplei_prune_unknown("KHR_texture_transform"), 0);
  assert_int_equal(supplei_prune_unknown("KHR_texture_transform2"), (1u << SUPPLEI_PRUNE_KINDS) - 1);
  const uint32_t avatar = supplei_prune_unknown("VRMC_vrm");
  assert_true(avatar >> SUPPLEI_PRUNE_NODE & 1);
  assert_false(avatar >> SUPPLEI_PRUNE_VIEW & 1);
  assert_int_equal(supplei_prune_unknown("VRM"), avatar);
  assert_string_equal(supplei_prune_table(SUPPLEI_PRUNE_ANIMATION), "animations");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pointers),
                                     cmocka_unit_test(test_extensions)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
