/* test_reader_nodes.c: transforms, references, and morph weights of nodes. */
#include "asset_text.h"

#include <math.h>

static void transforms(void **state) {
  (void)state;
  supple_asset *asset = load(
      NULL, ",'nodes':[{},{'translation':[1,2,3.25],'scale':[0,-1,2]},{'rotation':[0,0,3e0,4]}]");
  const supple_node *nodes = asset->skeleton.nodes;
  assert_int_equal(asset->skeleton.node_count, 3);
  assert_true(nodes[0].rest.rotation.w == 1 && nodes[0].rest.scale.x == 1 &&
              nodes[0].rest.translation.z == 0);
  assert_true(nodes[1].rest.translation.x == 1 && nodes[1].rest.translation.z == 3.25);
  assert_true(nodes[1].rest.scale.x == 0 && nodes[1].rest.scale.y == -1 &&
              nodes[1].rest.scale.z == 2);
  assert_true(fabs(nodes[2].rest.rotation.z - 0.6) < 1e-15 &&
              fabs(nodes[2].rest.rotation.w - 0.8) < 1e-15);
  assert_true(!nodes[0].has_matrix && nodes[0].mesh == SUPPLE_NONE && nodes[0].skin == SUPPLE_NONE &&
              nodes[0].camera == SUPPLE_NONE && nodes[0].parent == SUPPLE_NONE);
  assert_int_equal(asset->note_count, 1);
  assert_true(has_note(asset, "/nodes/2/rotation", "length 5"));
  supple_asset_free(asset);

  asset = load(NULL, ",'nodes':[{'rotation':[0,0,0,0]},{'rotation':[0.0005,0,0,1.0005]}]");
  assert_true(asset->skeleton.nodes[0].rest.rotation.w == 1);
  assert_int_equal(asset->note_count, 1); /* rounding is no oddity */
  supple_asset_free(asset);
}

static void matrices(void **state) {
  (void)state;
  /* column-major: x to y, y to -x, twice as long; then moved */
  supple_asset *asset =
      load(NULL, ",'nodes':[{'matrix':[0,2,0,0,-2,0,0,0,0,0,2,0,5,6,7,1]},"
                 "{'matrix':[1,0,0,0,0.5,1,0,0,0,0,1,0,0,0,0,1]},"
                 "{'matrix':[1,0,0,1e-7,0,1,0,0,0,0,1,0,0,0,0,1],'scale':[2,2,2]}]");
  const supple_node *n = asset->skeleton.nodes;
  const double wanted[3][4] = {{0, -2, 0, 5}, {2, 0, 0, 6}, {0, 0, 2, 7}};
  assert_true(n[0].has_matrix);
  assert_memory_equal(n[0].matrix.m, wanted, sizeof wanted);
  assert_true(fabs(n[0].rest.scale.x - 2) < 1e-12 && n[0].rest.translation.y == 6);
  assert_true(fabs(fabs(n[0].rest.rotation.z) - sqrt(0.5)) < 1e-12 &&
              n[0].rest.rotation.z * n[0].rest.rotation.w > 0);
  assert_true(n[1].has_matrix && n[1].matrix.m[0][1] == 0.5);
  assert_true(has_note(asset, "/nodes/1/matrix", "shears"));
  assert_true(has_note(asset, "/nodes/2", "the matrix counts"));
  assert_true(n[2].has_matrix && n[2].matrix.m[0][0] == 1);
  supple_asset_free(asset);
  refuse(NULL, "/nodes/0/matrix", "fourth row",
         ",'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0.1,0,0,0,1]}]");
  refuse(NULL, "/nodes/0/matrix", "fourth row",
         ",'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,2]}]");
  refuse(NULL, "/nodes/0/matrix", "15 numbers",
         ",'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0]}]");
}

static void references(void **state) {
  (void)state;
  supple_asset *asset =
      load(NULL, ",'cameras':[{},{}],'nodes':[{'camera':1},{'skin':0}],'skins':[{'joints':[0]}]");
  assert_int_equal(asset->skeleton.nodes[0].camera, 1);
  assert_int_equal(asset->skeleton.nodes[1].skin, 0);
  assert_int_equal(asset->instance_count, 0);
  assert_true(has_note(asset, "/nodes/1", "no mesh"));
  supple_asset_free(asset);
  refuse(NULL, "/nodes/0/mesh", "only 0 meshes", ",'nodes':[{'mesh':0}]");
  refuse(NULL, "/nodes/0/skin", "only 0 skins", ",'nodes':[{'skin':0}]");
  refuse(NULL, "/nodes/0/camera", "only 0 cameras", ",'nodes':[{'camera':0}]");
}

/* One triangle of zeros with two targets. */
#define MORPHED                                                                                    \
  ",'accessors':[{'componentType':5126,'type':'VEC3','count':3}],'meshes':[{%s'primitives':[{'"    \
  "attributes':"                                                                                   \
  "{'POSITION':0},'targets':[{'POSITION':0},{'POSITION':0}]}]}],'nodes':[%s]"

static void morph_weights(void **state) {
  (void)state;
  supple_asset *asset = load(NULL, MORPHED, "'weights':[0.25,0.75],",
                             "{},{'mesh':0},{'mesh':0,'weights':[1,-2]},{'mesh':0}");
  const supple_skeleton *s = &asset->skeleton;
  const float wanted[6] = {0.25f, 0.75f, 1, -2, 0.25f, 0.75f};
  assert_int_equal(s->weight_count, 6);
  assert_memory_equal(s->weights, wanted, sizeof wanted);
  for (uint32_t i = 1; i < 4; i++)
    assert_true(s->nodes[i].weight_begin == 2 * (i - 1) && s->nodes[i].weight_count == 2);
  assert_int_equal(s->nodes[0].weight_count, 0);
  supple_asset_free(asset);

  asset = load(NULL, MORPHED, "", "{'mesh':0},{'weights':[1]}");
  assert_true(asset->skeleton.weight_count == 2 && asset->skeleton.weights[0] == 0);
  assert_true(has_note(asset, "/nodes/1/weights", "without mesh"));
  supple_asset_free(asset);
  refuse(NULL, "/nodes/0/weights", "1 weights for 2 morph targets", MORPHED, "",
         "{'mesh':0,'weights':[1]}");
  refuse(NULL, "/nodes/0/weights", "3 weights for 2 morph targets", MORPHED, "",
         "{'mesh':0,'weights':[1,2,3]}");
  refuse(NULL, "/nodes/0/weights/0", "must be a number", MORPHED, "",
         "{'mesh':0,'weights':['1',2]}");
  refuse(NULL, "/meshes/0/weights", "1 weights for 2 morph targets", MORPHED, "'weights':[1],",
         "{}");
}

static void limits(void **state) {
  (void)state;
  const supple_load_options two = {.limits = {.nodes = 2}};
  supple_asset_free(load_with(&two, NULL, ",'nodes':[{},{}]"));
  refuse_with(&two, NULL, SUPPLE_ERROR_LIMIT, "", "limits.nodes", ",'nodes':[{},{},{}]");
}

/* 65,536 nodes of one mesh with as many morph targets: one weight too many for a u32. */
static void more_weights_than_can_be_counted(void **state) {
  (void)state;
  enum { COUNT = 65536 };
  static char json[1 << 20];
  const supple_load_options options = {.limits = {.morph_targets = COUNT}};
  char *at = json;
  at +=
      sprintf(at, "{'asset':{'version':'2.0'},'accessors':[{'componentType':5126,'type':'VEC3',"
                  "'count':3}],'meshes':[{'primitives':[{'attributes':{'POSITION':0},'targets':[");
  for (int i = 0; i < COUNT; i++) at += sprintf(at, i ? ",{}" : "{}");
  at += sprintf(at, "]}]}],'nodes':[");
  for (int i = 0; i < COUNT; i++) at += sprintf(at, i ? ",{'mesh':0}" : "{'mesh':0}");
  at += sprintf(at, "]}");
  assert_true(at < json + sizeof json);
  supple_error error;
  glb_text glb = make_glb(NULL, json);
  assert_null(supple_asset_load_memory(glb.bytes, glb.size, &options, &error));
  check_error(&error, SUPPLE_ERROR_LIMIT, "/nodes/65535", "more morph weights");
  free(glb.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(transforms), cmocka_unit_test(matrices),
      cmocka_unit_test(references), cmocka_unit_test(morph_weights),
      cmocka_unit_test(limits),     cmocka_unit_test(more_weights_than_can_be_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
