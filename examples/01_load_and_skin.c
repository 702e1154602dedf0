/* 01_load_and_skin.c: a glTF file, posed and deformed, as a Wavefront OBJ on stdout.
 *
 * Concept. An asset is everything read from a file. A binding is a mesh's weights, compiled
 * once. A pose is one frame of the nodes, a palette is one frame of a skin's joint matrices,
 * and a prepared palette is what a deformer reads. Deforming writes plain floats into your own
 * memory.
 *
 * Usage. 01_load_and_skin FILE.glb [SECONDS] > posed.obj
 *
 * Implementation. The first clip is sampled at the given time; without a clip the nodes stay
 * at rest. Every primitive of every skinned node becomes one object of the OBJ file. */
#include <supple/supple.h>

#include <stdio.h>
#include <stdlib.h>

/* Prints one deformed primitive; OBJ counts vertices through the whole file, from 1. */
static void print_object(const supple_primitive *primitive, const float *xyz, uint32_t *first) {
  printf("o mesh%u_primitive%u\n", primitive->mesh, primitive->index);
  for (uint32_t i = 0; i < primitive->vertex_count; i++)
    printf("v %.9g %.9g %.9g\n", (double)xyz[3 * i], (double)xyz[3 * i + 1], (double)xyz[3 * i + 2]);
  if (primitive->topology == SUPPLE_TOPOLOGY_TRIANGLES)
    for (uint32_t i = 0; i + 2 < primitive->index_count; i += 3)
      printf("f %u %u %u\n", *first + primitive->indices[i], *first + primitive->indices[i + 1],
             *first + primitive->indices[i + 2]);
  *first += primitive->vertex_count;
}

/* Deforms one primitive by dual quaternions and prints it. */
static bool skin(const supple_primitive *primitive, const supple_palette *palette, uint32_t *first) {
  supple_error error = {.message = "out of memory"};
  supple_binding *binding = supple_binding_create(primitive, NULL, &error);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, NULL, &error) : NULL;
  float *xyz = malloc((size_t)primitive->vertex_count * 3 * sizeof *xyz);
  const size_t stride = 3 * sizeof *xyz;
  const supple_job job = {.prepared = prepared,
                          .positions = {primitive->positions, stride},
                          .out_positions = {xyz, stride}};
  supple_result result = SUPPLE_ERROR_MEMORY;
  if (prepared && xyz) {
    result = supple_prepared_update(prepared, binding, palette, SUPPLE_DQS);
    if (!result) result = supple_deform(&job);
    snprintf(error.message, sizeof error.message, "%s", supple_result_text(result));
  }
  if (result)
    fprintf(stderr, "mesh %u: %s\n", primitive->mesh, error.message);
  else
    print_object(primitive, xyz, first);
  free(xyz);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  return result == SUPPLE_OK;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: %s FILE.glb [SECONDS] > posed.obj\n", argv[0]), 2;
  supple_error error;
  supple_asset *asset = supple_asset_load(argv[1], NULL, &error);
  if (!asset) return fprintf(stderr, "%s: %s\n", argv[1], error.message), 1;

  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, &error);
  if (pose && asset->clip_count)
    supple_pose_sample(pose, &asset->clips[0], argc > 2 ? atof(argv[2]) : 0);
  bool fine = pose != NULL;
  uint32_t first = 1;
  for (uint32_t i = 0; fine && i < asset->instance_count; i++) {
    const supple_instance *instance = &asset->instances[i];
    supple_palette *palette =
        supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, &error);
    fine = palette != NULL;
    if (fine) supple_palette_compose(palette, pose, instance);
    for (uint32_t k = 0; fine && k < instance->primitive_count; k++)
      fine = skin(instance->primitives[k], palette, &first);
    supple_palette_destroy(palette);
  }
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  return fine ? 0 : 1;
}
