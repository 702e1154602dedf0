/* 04_measure.c: which joints collapse, measured under both methods.
 *
 * Concept. A supple_measure holds what stays: the welded surface of an instance and the cross-
 * sections of its joints. It evaluates frames: a palette, its prepared forms, and the deformed
 * positions. Results are ratios to rest; a number that does not exist is NaN, and the joint's
 * status says why.
 *
 * Usage. 04_measure FILE.glb: prints, for the last moment of each clip, the volume and every
 * joint that has a cross-section.
 *
 * Implementation. One instance of at most PRIMITIVES primitives, to keep the arrays plain;
 * morph targets are not applied. */
#include <supple/supple.h>

#include <stdio.h>
#include <stdlib.h>

enum { PRIMITIVES = 16 };
static supple_binding *bindings[PRIMITIVES];
static supple_prepared *prepared[PRIMITIVES];
static float *positions[PRIMITIVES];

/* Deforms the instance and measures it. */
static bool evaluate(const supple_instance *instance, const supple_measure *measure,
                     const supple_palette *palette, supple_method method,
                     supple_instance_measure *whole, supple_joint_measure *joints) {
  for (uint32_t k = 0; k < instance->primitive_count; k++) {
    const supple_job job = {.prepared = prepared[k],
                            .positions = {instance->primitives[k]->positions, 3 * sizeof(float)},
                            .out_positions = {positions[k], 3 * sizeof(float)}};
    if (supple_prepared_update(prepared[k], bindings[k], palette, method)) return false;
    if (supple_deform(&job)) return false;
  }
  const supple_measure_frame frame = {.palette = palette,
                                      .prepared = (const supple_prepared *const *)prepared,
                                      .positions = (const float *const *)positions};
  return supple_measure_evaluate(measure, &frame, whole, joints) == SUPPLE_OK;
}

int main(int argc, char **argv) {
  if (argc != 2) return fprintf(stderr, "usage: %s FILE.glb\n", argv[0]), 2;
  supple_error error = {.message = "out of memory"};
  supple_asset *asset = supple_asset_load(argv[1], NULL, &error);
  if (!asset) return fprintf(stderr, "%s: %s\n", argv[1], error.message), 1;
  if (!asset->instance_count || asset->instances[0].primitive_count > PRIMITIVES)
    return fprintf(stderr, "%s: nothing for this example\n", argv[1]), 1;

  const supple_instance *instance = &asset->instances[0];
  const uint32_t joint_count = instance->skin->joint_count;
  bool fine = true;
  for (uint32_t k = 0; fine && k < instance->primitive_count; k++) {
    bindings[k] = supple_binding_create(instance->primitives[k], NULL, &error);
    prepared[k] = bindings[k] ? supple_prepared_create(bindings[k], NULL, &error) : NULL;
    positions[k] = malloc((size_t)instance->primitives[k]->vertex_count * 3 * sizeof(float));
    fine = prepared[k] && positions[k];
  }
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, &error);
  supple_palette *palette = supple_palette_create(joint_count, SUPPLE_SPACE_SCENE, NULL, &error);
  supple_joint_measure *joints = calloc(2 * (size_t)joint_count, sizeof *joints), *lbs = joints,
                       *dqs = joints;
  if (joints) dqs += joint_count;
  supple_measure *measure =
      fine ? supple_measure_create(&asset->skeleton, instance,
                                   (const supple_binding *const *)bindings, NULL, &error)
           : NULL;
  fine = pose && palette && joints && measure;
  if (!fine) fprintf(stderr, "%s: %s\n", argv[1], error.message);
  for (uint32_t c = 0; fine && c < asset->clip_count; c++) {
    supple_instance_measure by_lbs, by_dqs;
    supple_pose_sample(pose, &asset->clips[c], asset->clips[c].end);
    supple_palette_compose(palette, pose, instance);
    fine = evaluate(instance, measure, palette, SUPPLE_LBS, &by_lbs, lbs) &&
           evaluate(instance, measure, palette, SUPPLE_DQS, &by_dqs, dqs);
    if (!fine) break;
    printf("%s: volume lbs %.3f %%, dqs %.3f %%\n", asset->clips[c].name, 100 * by_lbs.volume,
           100 * by_dqs.volume);
    for (uint32_t j = 0; j < joint_count; j++)
      if (supple_measure_joint(measure, j)->sections[SUPPLE_SECTION_AT_JOINT])
        printf("  %s: section lbs %.2f %%, dqs %.2f %%%s\n",
               asset->skeleton.nodes[instance->skin->joints[j]].name,
               100 * lbs[j].section[SUPPLE_SECTION_AT_JOINT],
               100 * dqs[j].section[SUPPLE_SECTION_AT_JOINT],
               supple_measure_collapses(measure, &lbs[j]) ? ", collapses under lbs" : "");
  }
  supple_measure_destroy(measure);
  free(joints);
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
  for (uint32_t k = 0; k < PRIMITIVES; k++) {
    free(positions[k]);
    supple_prepared_destroy(prepared[k]);
    supple_binding_destroy(bindings[k]);
  }
  supple_asset_free(asset);
  return fine ? 0 : 1;
}
