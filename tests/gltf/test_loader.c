/* test_loader.c: notes, the pointers of messages, strings, and typed properties. */
#include "asset_text.h"

static void notes_of_one_kind_are_counted(void **state) {
  (void)state;
  static char nodes[1 << 16];
  nodes[0] = 0;
  for (int i = 0; i < 300; i++)
    strcat(nodes, i ? ",{'rotation':[0,0,0,2]}" : "{'rotation':[0,0,0,2]}");
  supple_asset *asset = load(NULL, ",'nodes':[%s,{'skin':0}],'skins':[{'joints':[0]}]", nodes);
  assert_int_equal(asset->note_count, 10); /* eight, one of another kind, and how many more */
  assert_true(has_note(asset, "/nodes/7/rotation", "length 2"));
  assert_false(has_note(asset, "/nodes/8/rotation", ""));
  assert_true(has_note(asset, "/nodes/300", "no mesh"));
  assert_true(has_note(asset, "", "292 more"));
  supple_asset_free(asset);
}

static void strings(void **state) {
  (void)state;
  supple_asset *asset = load(NULL, ",'nodes':[{'name':'a\\u0000b\\u0000'},{'name':'\\ud83d\\ude00 "
                                   "\\n'},{},{'name':''}],'scenes':[{'name':'s'}]");
  assert_string_equal(asset->skeleton.nodes[0].name, "a\xEF\xBF\xBD"
                                                     "b\xEF\xBF\xBD");
  assert_string_equal(asset->skeleton.nodes[1].name, "\xF0\x9F\x98\x80 \n");
  assert_string_equal(asset->skeleton.nodes[2].name, "");
  assert_string_equal(asset->skeleton.nodes[3].name, "");
  assert_string_equal(asset->scenes[0].name, "s");
  supple_asset_free(asset);
  refuse(NULL, "/nodes/0/name", "must be a string", ",'nodes':[{'name':1}]");
}

static void types(void **state) {
  (void)state;
  refuse(NULL, "/nodes", "must be an array", ",'nodes':{}");
  refuse(NULL, "/nodes/1", "must be an object", ",'nodes':[{},[]]");
  refuse(NULL, "/nodes/0/children", "must be an array", ",'nodes':[{'children':0}]");
  refuse(NULL, "/nodes/0/children/0", "must be an index", ",'nodes':[{'children':['1']}]");
  refuse(NULL, "/nodes/0/children/0", "must be an index", ",'nodes':[{'children':[0.5]}]");
  refuse(NULL, "/nodes/0/children/0", "must be an index", ",'nodes':[{'children':[-1]}]");
  refuse(NULL, "/nodes/0/children/0", "index 1, but there are only 1 nodes",
         ",'nodes':[{'children':[1]}]");
  refuse(NULL, "/nodes/0/children/0", "index 4294967296", ",'nodes':[{'children':[4294967296]}]");
  refuse(NULL, "/nodes/0/translation", "2 numbers instead of 3", ",'nodes':[{'translation':[1,2]}]");
  refuse(NULL, "/nodes/0/translation/1", "must be a number", ",'nodes':[{'translation':[1,[2],3]}]");
  refuse_with(NULL, NULL, SUPPLE_ERROR_NUMBER, "/nodes/0/translation/2", "too large",
              ",'nodes':[{'translation':[1,2,1e999]}]");
  refuse(NULL, "/scene", "index 0, but there are only 0 scenes", ",'scene':0");
}

/* A pointer too long for the error is cut, and the message still says what is wrong. */
static void long_pointers(void **state) {
  (void)state;
  char key[401];
  memset(key, 'k', 400);
  key[400] = 0;
  supple_error error;
  char json[1000];
  snprintf(json, sizeof json,
           "{'asset':{'version':'2.0'},'skins':[{'joints':{'%s':1}}],'nodes':[{}]}", key);
  glb_text glb = make_glb(NULL, json);
  assert_null(supple_asset_load_memory(glb.bytes, glb.size, NULL, &error));
  check_error(&error, SUPPLE_ERROR_FORMAT, "/skins/0/joints", "must be an array");
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(notes_of_one_kind_are_counted),
                                     cmocka_unit_test(strings), cmocka_unit_test(types),
                                     cmocka_unit_test(long_pointers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
