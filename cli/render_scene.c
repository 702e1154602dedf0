/* render_scene.c: the list of primitives that a picture shows. */
#include "render_scene.h"

#include <stdlib.h>
#include <string.h>

/* shown[node]: it stands below a root of the default scene. Without such a scene every node is shown. */
static void find_shown(const supple_asset *asset, bool *shown) {
  const supple_skeleton *skeleton = &asset->skeleton;
  const bool all = asset->scene >= asset->scene_count;
  for (uint32_t i = 0; i < skeleton->node_count; i++) shown[i] = all;
  if (all) return;
  const supple_scene *scene = &asset->scenes[asset->scene];
  for (uint32_t i = 0; i < scene->node_count; i++) shown[scene->nodes[i]] = true;
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    const uint32_t node = skeleton->order[i], parent = skeleton->nodes[node].parent;
    if (parent != SUPPLE_NONE && shown[parent]) shown[node] = true;
  }
}

static bool is_drawn(const supple_primitive *primitive) {
  return primitive->positions && primitive->vertex_count && primitive->index_count;
}

static void add(const cli_stage *stage, render_scene *scene, render_part part) {
  const supple_asset *asset = stage->asset;
  if (!is_drawn(part.primitive)) return;
  if (part.primitive->material < asset->material_count)
    part.material = &asset->materials[part.primitive->material];
  if (scene->parts) scene->parts[scene->part_count] = part;
  scene->part_count++;
  if (part.primitive->topology == SUPPLE_TOPOLOGY_TRIANGLES)
    scene->triangle_count += part.primitive->index_count / 3;
}

/* Counts, and where there is room lists, what the shown nodes carry. */
static void list(const cli_stage *stage, const bool *shown, render_scene *scene) {
  const supple_asset *asset = stage->asset;
  scene->part_count = 0;
  scene->triangle_count = 0;
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const supple_instance *instance = stage->instances[i].instance;
    if (!shown[instance->node]) continue;
    for (uint32_t p = 0; p < instance->primitive_count; p++)
      add(stage, scene,
          (render_part){.primitive = instance->primitives[p],
                        .node = instance->node,
                        .instance = i,
                        .slot = p,
                        .skinned = stage->instances[i].bindings[p] != NULL});
  }
  for (uint32_t node = 0; node < asset->skeleton.node_count; node++) {
    const supple_node *one = &asset->skeleton.nodes[node];
    if (!shown[node] || one->skin != SUPPLE_NONE || one->mesh >= asset->mesh_count) continue;
    for (uint32_t p = 0; p < asset->meshes[one->mesh].primitive_count; p++)
      add(stage, scene,
          (render_part){.primitive = &asset->meshes[one->mesh].primitives[p],
                        .node = node,
                        .instance = SUPPLE_NONE,
                        .slot = p});
  }
}

int render_scene_make(const cli_stage *stage, render_scene *scene) {
  const uint32_t node_count = stage->asset->skeleton.node_count;
  memset(scene, 0, sizeof *scene);
  bool *shown = malloc(((size_t)node_count + 1) * sizeof *shown);
  if (!shown) return cli_complain(CLI_FAILED, "out of memory");
  find_shown(stage->asset, shown);
  list(stage, shown, scene);
  if (scene->part_count == 0) { /* the default scene is empty: show what there is */
    for (uint32_t i = 0; i < node_count; i++) shown[i] = true;
    list(stage, shown, scene);
  }
  int exit_code = CLI_FINE;
  if (scene->part_count == 0) {
    exit_code = cli_complain(CLI_FAILED, "%s: there is nothing to draw: no mesh with vertices",
                             stage->path);
  } else {
    scene->parts = malloc(scene->part_count * sizeof *scene->parts);
    if (scene->parts)
      list(stage, shown, scene);
    else
      exit_code = cli_complain(CLI_FAILED, "out of memory");
  }
  free(shown);
  return exit_code;
}

void render_scene_free(render_scene *scene) {
  free(scene->parts);
  memset(scene, 0, sizeof *scene);
}
