/* test_practice_nodes.c: skinned nodes that clips move or instances multiply, and missing normals. */
#include "practice_tests.h"

static void animated(void **state) {
  (void)state;
  rig r = clean_rig();
  r.clips = "[{'samplers':[{'input':7,'output':9}],'channels':[{'sampler':0,'target':{'node':3,'"
            "path':'translation'}},"
            "{'sampler':0,'target':{'node':3,'path':'scale'}}]},"
            "{'samplers':[{'input':7,'output':9}],'channels':[{'sampler':0,'target':{'node':0,'"
            "path':'translation'}}]}]";
  expect(&r, &(expected){"SKINNING_NODE_ANIMATED", "/nodes/3", 1, (double)NAN,
                         "1 of 2 clips move \"skinned\" (node 3)"});
  r.clips = MOVE_A;
  expect_not(&r, "SKINNING_NODE_ANIMATED");
  /* morph weights are no transform */
  r.meshes = "[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':6,'JOINTS_0':1,'WEIGHTS_0':2},'"
             "indices':11,"
             "'targets':[{'POSITION':0}]}]}]";
  r.clips = "[{'samplers':[{'input':7,'output':7}],'channels':[{'sampler':0,'target':{'node':3,'"
            "path':'weights'}}]}]";
  expect_not(&r, "SKINNING_NODE_ANIMATED");
}

static void instanced(void **state) {
  (void)state;
  rig r = clean_rig();
  r.nodes = "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},"
            "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0,'extensions':"
            "{'EXT_mesh_gpu_instancing':{'attributes':{'TRANSLATION':9}}}}]";
  r.more = ",'extensionsUsed':['EXT_mesh_gpu_instancing']";
  expect(&r, &(expected){"SKINNING_INSTANCED", "/nodes/3", 2, (double)NAN, "2 instances"});
}

static void without_normals(void **state) {
  (void)state;
  rig r = clean_rig();
  r.meshes = "[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':11,"
             "'material':0}]}]";
  r.more = ",'materials':[{}]";
  expect(&r, &(expected){"SKINNING_NORMALS_MISSING", "/meshes/0/primitives/0", 4, (double)NAN,
                         "4 skinned vertices"});
  r.more = ",'materials':[{'extensions':{'KHR_materials_unlit':{}}}],'extensionsUsed':['KHR_"
           "materials_unlit']";
  expect_not(&r, "SKINNING_NORMALS_MISSING");
  r.more = ",'materials':[{}]";
  r.meshes = "[{'primitives':[{'attributes':{'POSITION':0,'JOINTS_0':1,'WEIGHTS_0':2},'indices':11,"
             "'mode':0}]}]";
  expect_not(&r, "SKINNING_NORMALS_MISSING"); /* points */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(animated), cmocka_unit_test(instanced),
                                     cmocka_unit_test(without_normals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
