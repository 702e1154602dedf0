/* test_node_places.c: roots, children and scenes of nodes. */
#include "tests/fix/fix_tests.h"

#include "src/fix/node_places.h"

static void where_they_stand(void **state) {
  (void)state;
  strip s = clean_strip();
  s.more = ",'x':0";
  s.nodes = "{'name':'skinned','mesh':0,'skin':0},{'name':'a','children':[2,4]},{'name':'b',"
            "'children':[3]},{'name':'c'},{'name':'d'}";
  supple_document *document = open_strip(&s);
  supple_error error;
  assert_int_equal(supple_document_insert(document, supple_document_find(document, "/scenes"),
                                          SUPPLE_NONE, "{\"nodes\":[1]}", NULL, &error),
                   SUPPLE_OK);
  assert_int_equal(supple_document_insert(document, supple_document_find(document, "/scenes"),
                                          SUPPLE_NONE, "{}", NULL, &error),
                   SUPPLE_OK);
  supple_asset *asset = supple_document_asset(document, NULL, &error);
  if (!asset) fail_msg("%s", error.message);
  supplei_node_places places;
  assert_true(supplei_node_places_find(&places, document, asset, NULL));
  static const uint32_t roots[5] = {0, 1, 1, 1, 1};
  assert_memory_equal(places.roots, roots, sizeof roots);
  assert_int_equal(places.items[0], SUPPLE_NONE);
  assert_int_equal(places.items[2], supple_document_find(document, "/nodes/1/children/0"));
  assert_int_equal(places.items[3], supple_document_find(document, "/nodes/2/children/0"));
  assert_int_equal(places.items[4], supple_document_find(document, "/nodes/1/children/1"));
  uint32_t end, begin = supplei_node_places_scenes(&places, 1, &end);
  assert_int_equal(end - begin, 2); /* nodes 0 and 1 in the first, 1 in the second */
  assert_int_equal((uint32_t)places.scenes[begin], 0);
  assert_int_equal((uint32_t)places.scenes[begin + 1], 1);
  begin = supplei_node_places_scenes(&places, 3, &end);
  assert_int_equal(begin, end);
  assert_true(supplei_node_places_holds(&places, 0, 0));
  assert_false(supplei_node_places_holds(&places, 0, 1));
  assert_false(supplei_node_places_holds(&places, 1, 2));
  supplei_node_places_release(&places);
  supplei_node_places_release(&places);
  supple_asset_free(asset);
  supple_document_free(document);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(where_they_stand)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
