/* test_prune.c: what goes, what stays, and what is renumbered. */
#include "document_text.h"

static void test_everything(void **state) {
  (void)state;
  supple_document *d = open_text(
      "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[2]}],"
      "'nodes':[{'mesh':0},{'name':'alone'},{'mesh':1,'skin':1,'children':[3]},{'name':'j'},{'name'"
      ":'above','children':[5]},{'name':'k'}],"
      "'meshes':[{'primitives':[{'attributes':{'POSITION':0},'material':0}]},"
      "{'primitives':[{'attributes':{'POSITION':1,'NORMAL':3},'indices':4,'material':1,'targets':[{"
      "'POSITION':5}],"
      "'extensions':{'KHR_materials_variants':{'mappings':[{'material':2,'variants':[0]}]}}}]}],"
      "'materials':[{},{'pbrMetallicRoughness':{'baseColorTexture':{'index':1,'extensions':{'KHR_"
      "texture_transform':{}}}}},"
      "{'extensions':{'KHR_materials_clearcoat':{'clearcoatTexture':{'index':2}}}},{}],"
      "'textures':[{'source':0},{'source':1,'sampler':1},{'extensions':{'KHR_texture_basisu':{'"
      "source':2}}}],"
      "'images':[{'uri':'a'},{'uri':'b'},{'uri':'c'}],'samplers':[{},{}],'cameras':[{}],"
      "'skins':[{'joints':[1]},{'joints':[3,5],'inverseBindMatrices':2}],"
      "'accessors':[{},{'sparse':{'indices':{'bufferView':1},'values':{'bufferView':2}}},{'"
      "bufferView':3},{},{},{},{},{'bufferView':4},{}],"
      "'bufferViews':[{'buffer':0,'byteLength':4},{'buffer':0,'byteLength':4},{'buffer':0,'"
      "byteLength':4},{'buffer':0,'byteLength':4},{'buffer':0,'byteLength':4}],"
      "'buffers':[{'byteLength':4},{'byteLength':100}],"
      "'animations':[{'channels':[{'sampler':1,'target':{'node':3}},{'sampler':0,'target':{'node':"
      "0}}],'samplers':[{'input':6,'output':6},{'input':7,'output':8}]},"
      "{'channels':[{'sampler':0,'target':{'node':1}}],'samplers':[{'input':6,'output':6}]},"
      "{'channels':[{'sampler':0,'target':{'extensions':{'KHR_animation_pointer':{'pointer':'/"
      "materials/3/alphaCutoff'}}}}],'samplers':[{'input':7,'output':8}]}]}");
  supple_pruned pruned;
  const char *kept;
  fine(supple_document_prune(d, &pruned, &kept, problem));
  assert_null(kept);
  expect_text(
      d, "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],"
         "'nodes':[{'mesh':0,'skin':0,'children':[1]},{'name':'j'},{'name':'above','children':[3]},"
         "{'name':'k'}],"
         "'meshes':[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':2},'indices':3,'material':"
         "0,'targets':[{'POSITION':4}],"
         "'extensions':{'KHR_materials_variants':{'mappings':[{'material':1,'variants':[0]}]}}}]}],"
         "'materials':[{'pbrMetallicRoughness':{'baseColorTexture':{'index':0,'extensions':{'KHR_"
         "texture_transform':{}}}}},"
         "{'extensions':{'KHR_materials_clearcoat':{'clearcoatTexture':{'index':1}}}},{}],"
         "'textures':[{'source':0,'sampler':0},{'extensions':{'KHR_texture_basisu':{'source':1}}}],"
         "'images':[{'uri':'b'},{'uri':'c'}],'samplers':[{}],"
         "'skins':[{'joints':[1,3],'inverseBindMatrices':1}],"
         "'accessors':[{'sparse':{'indices':{'bufferView':0},'values':{'bufferView':1}}},{'"
         "bufferView':2},{},{},{},{'bufferView':3},{}],"
         "'bufferViews':[{'buffer':0,'byteLength':4},{'buffer':0,'byteLength':4},{'buffer':0,'"
         "byteLength':4},{'buffer':0,'byteLength':4}],"
         "'buffers':[{'byteLength':4}],"
         "'animations':[{'channels':[{'sampler':0,'target':{'node':1}}],'samplers':[{'input':5,'"
         "output':6}]},"
         "{'channels':[{'sampler':0,'target':{'extensions':{'KHR_animation_pointer':{'pointer':'/"
         "materials/2/alphaCutoff'}}}}],'samplers':[{'input':5,'output':6}]}]}");
  assert_true(pruned.nodes == 2 && pruned.meshes == 1 && pruned.skins == 1 && pruned.materials == 1);
  assert_true(pruned.textures == 1 && pruned.images == 1 && pruned.samplers == 1 &&
              pruned.cameras == 1);
  assert_true(pruned.accessors == 2 && pruned.views == 1 && pruned.buffers == 1 &&
              pruned.bytes == 100);
  assert_int_equal(pruned.animations, 1);
  fine(supple_document_prune(d, &pruned, &kept, problem)); /* again: nothing */
  assert_true(!pruned.nodes && !pruned.accessors && !pruned.bytes);
  supple_document_free(d);
}

static void test_unknown_extension(void **state) {
  (void)state;
  static const char text[] = "{'asset':{'version':'2.0'},'scenes':[{}],'nodes':[{}],'accessors':[{}"
                             "],'meshes':[{'extensions':{'XX_new':{}}}]}";
  supple_document *d = open_text(text);
  supple_pruned pruned;
  const char *kept = NULL;
  fine(supple_document_prune(d, &pruned, &kept, problem));
  assert_string_equal(kept, "XX_new");
  expect_text(d, text);
  supple_document_free(d);
  d = open_text(
      "{'extensionsUsed':['VRM'],'scenes':[{}],'nodes':[{}],'accessors':[{}],'cameras':[{}]}");
  fine(supple_document_prune(d, &pruned, &kept, problem));
  assert_string_equal(kept, "VRM");
  expect_text(d, "{'extensionsUsed':['VRM'],'scenes':[{}],'nodes':[{}]}");
  supple_document_free(d);
}

static void test_wrong_index(void **state) {
  (void)state;
  static const char text[] = "{'scenes':[{'nodes':[0]}],'nodes':[{'mesh':3},{}],'cameras':[{}]}";
  supple_document *d = open_text(text);
  supple_error error;
  assert_int_equal(supple_document_prune(d, NULL, NULL, &error), SUPPLE_ERROR_FORMAT);
  assert_string_equal(error.pointer, "/nodes/0/mesh");
  expect_text(d, text);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_everything),
                                     cmocka_unit_test(test_unknown_extension),
                                     cmocka_unit_test(test_wrong_index)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
