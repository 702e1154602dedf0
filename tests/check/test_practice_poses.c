/* test_practice_poses.c: the walk through all frames: rest poses, boxes, skinned nodes, and what real files move. */
#include "practice_tests.h"

#include <supple/supple.h>

static void rest(void **state) {
  (void)state;
  rig r = clean_rig();
  r.nodes = "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},"
            "{'name':'c','translation':[0,1.5,0]},{'name':'skinned','mesh':0,'skin':0}]";
  expect(&r, &(expected){"SKINNING_REST_NOT_BIND", "/skins/0", 1, 0.5, "1 of 3 joints in use"});
  r.nodes = "[{'name':'a','children':[1],'translation':[5,6,7]},{'name':'b','translation':[0,1,0],'"
            "children':[2]},"
            "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]";
  expect_not(&r, "SKINNING_REST_NOT_BIND"); /* bound elsewhere, but in that pose */
}

static void box(void **state) {
  (void)state;
  rig r = clean_rig();
  r.clips = MOVE_A; /* x from 0 … 1 to 3 … 4 */
  expect(&r, &(expected){"SKINNING_BOUNDS_EXCEEDED", "/meshes/0/primitives/0", 1, 3,
                         "by up to 3 m, in clip \"move\" at 1 s"});
  /* a box that moves along: the skinned node is where a goes at its farthest */
  r.nodes = "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},"
            "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0,'translation':["
            "1,0,0]}]";
  expect(&r,
         &(expected){"SKINNING_BOUNDS_EXCEEDED", "/meshes/0/primitives/0", 1, 2, "by up to 2 m"});
  r.clips = TURN_B; /* (1, 2, 0) to (-1, 2, 0), (0, 2, 0) to (-1, 1, 0): out of x 1 … 2 by 2 */
  expect(&r,
         &(expected){"SKINNING_BOUNDS_EXCEEDED", "/meshes/0/primitives/0", 1, 2, "by up to 2 m"});
}

static void node(void **state) {
  (void)state;
  rig r = clean_rig();
  r.nodes = "[{'name':'a','children':[1]},{'name':'b','translation':[0,1,0],'children':[2]},"
            "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0},"
            "{'children':[3],'translation':[0,0,5]}]";
  expect(&r, &(expected){"SKINNING_NODE_MOVED", "/nodes/3", 1, 5, "\"skinned\" (node 3)"});
  r.nodes = "[{'name':'a','children':[1,3]},{'name':'b','translation':[0,1,0],'children':[2]},"
            "{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]";
  expect_not(&r, "SKINNING_NODE_MOVED");
  r.clips = MOVE_A; /* its parent */
  expect(&r, &(expected){"SKINNING_NODE_MOVED", "/nodes/3", 1, 3, "in clip \"move\" at 1 s"});
}

static void not_finite(void **state) {
  (void)state;
  rig r = clean_rig();
  r.nodes =
      "[{'name':'a','children':[1],'scale':[1e30,1,1]},{'name':'b','translation':[0,1,0],'scale':["
      "1e30,1,1],"
      "'children':[2]},{'name':'c','translation':[0,1,0]},{'name':'skinned','mesh':0,'skin':0}]";
  expect(&r, &(expected){"SKINNING_POSE_NOT_FINITE", "/skins/0", 1, (double)NAN,
                         "joint 1, \"b\" (node 1), is not finite with the nodes"});
}

/* Targets move before the skin does. */
static void morphed(void **state) {
  (void)state;
  rig r = clean_rig();
  r.weights[0][3][1] = 0.4f;
  r.meshes = "[{'primitives':[{'attributes':{'POSITION':0,'NORMAL':6,'JOINTS_0':1,'WEIGHTS_0':2},'"
             "indices':11,"
             "'targets':[{'POSITION':0}]}]}]";
  r.clips = "[{'samplers':[{'input':7,'output':7}],'channels':[{'sampler':0,'target':{'node':3,'"
            "path':'weights'}}]}]";
  expect(&r, &(expected){"SKINNING_WEIGHT_SUMS", "/meshes/0/primitives/0", 1, 0.1 * sqrt(20),
                         "in clip 0 at 1 s"});
}

/* ---- real files, against the library's own options ---- */

static void farthest(const supple_asset *asset, const supple_instance *instance, uint32_t p,
                     const supple_binding_options *options, double *most) {
  const supple_primitive *primitive = instance->primitives[p];
  supple_binding *bindings[2] = {supple_binding_create(primitive, NULL, NULL),
                                 supple_binding_create(primitive, options, NULL)};
  float *posed[2];
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  supple_palette *palette =
      supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, NULL);
  supple_prepared *prepared[2];
  for (int b = 0; b < 2; b++) {
    prepared[b] = supple_prepared_create(bindings[b], NULL, NULL);
    posed[b] = malloc((size_t)primitive->vertex_count * 12);
  }
  for (uint32_t c = 0; c < asset->clip_count; c++)
    for (uint32_t n = 0; n < asset->clips[c].channel_count; n++)
      for (uint32_t k = 0; n == 0 && k < asset->clips[c].channels[n].key_count; k++) {
        supple_pose_sample(pose, &asset->clips[c], (double)asset->clips[c].channels[n].times[k]);
        supple_palette_compose(palette, pose, instance);
        for (int b = 0; b < 2; b++) {
          assert_int_equal(supple_prepared_update(prepared[b], bindings[b], palette, SUPPLE_LBS),
                           SUPPLE_OK);
          assert_int_equal(supple_deform(&(supple_job){.prepared = prepared[b],
                                                       .positions = {primitive->positions, 12},
                                                       .out_positions = {posed[b], 12}}),
                           SUPPLE_OK);
        }
        for (uint32_t v = 0; v < primitive->vertex_count; v++) {
          double squares = 0;
          for (int i = 0; i < 3; i++) {
            double d = (double)posed[0][3 * v + (uint32_t)i] - (double)posed[1][3 * v + (uint32_t)i];
            squares += d * d;
          }
          *most = fmax(*most, sqrt(squares));
        }
      }
  for (int b = 0; b < 2; b++) {
    supple_prepared_destroy(prepared[b]);
    supple_binding_destroy(bindings[b]);
    free(posed[b]);
  }
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
}

/* The farthest of all findings of a code, and of the whole file under other options of the binding; how many
 * vertices. Every channel of these files has the same keys, fewer than a check's frames. */
static void compare_file(const char *file, const char *code, const supple_binding_options *options,
                         uint32_t vertices) {
  char path[1024];
  snprintf(path, sizeof path, "%s/assets/%s", SUPPLE_CORPUS, file);
  supple_asset *asset = supple_asset_load(path, NULL, NULL);
  if (!asset) {
    print_message("skipped: there is no %s\n", path);
    skip();
  }
  double most = 0, said = 0;
  uint32_t count = 0;
  for (uint32_t i = 0; i < asset->instance_count; i++)
    for (uint32_t p = 0; p < asset->instances[i].primitive_count; p++)
      if (asset->instances[i].primitives[p]->influence_count)
        farthest(asset, &asset->instances[i], p, options, &most);
  supple_asset_free(asset);
  supple_check_report *report = supple_check_file(path, NULL, NULL);
  assert_non_null(report);
  for (uint32_t i = 0; i < report->finding_count; i++)
    if (strcmp(report->findings[i].code->name, code) == 0) {
      said = fmax(said, report->findings[i].metres);
      count += report->findings[i].count;
    }
  supple_check_report_free(report);
  if (count != vertices || !(fabs(said - most) <= 1e-5 * most))
    fail_msg("%s: %u vertices, %.9g m; wanted %u, %.9g m", file, count, said, vertices, most);
}

static void robot(void **state) {
  (void)state;
  compare_file("threejs-models/RobotExpressive.glb", "SKINNING_WEIGHT_SUMS",
               &(supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP}, 752);
}

static void eight_influences(void **state) {
  (void)state;
  compare_file("derived/RiggedFigure-blender-8infl.glb", "SKINNING_INFLUENCES_MANY",
               &(supple_binding_options){.max_influences = 4}, 312);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rest),
                                     cmocka_unit_test(box),
                                     cmocka_unit_test(node),
                                     cmocka_unit_test(not_finite),
                                     cmocka_unit_test(morphed),
                                     cmocka_unit_test(robot),
                                     cmocka_unit_test(eight_influences)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
