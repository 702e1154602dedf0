/* practice_nodes.c: skinned nodes that channels move or instances multiply, and primitives without normals. */
#include "../base/prologue.h"

#include "practice.h"

#include <stdio.h>

static void look_at_instance(supplei_practice *practice, const supple_instance *instance) {
  const supple_asset *asset = practice->asset;
  char pointer[64], name[SUPPLEI_WORDS];
  snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)instance->node);
  supplei_practice_node(asset, instance->node, name);
  if (practice->clips[instance->node])
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_NODE_ANIMATED, pointer,
                        supplei_practice_count(practice->clips[instance->node]),
                        "%u of %u clips move %s, which has a skin: its joints alone place the mesh",
                        (unsigned)practice->clips[instance->node], (unsigned)asset->clip_count,
                        name);
  if (instance->copies)
    supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_INSTANCED, pointer,
                        supplei_practice_count(instance->copy_count),
                        "%s has a skin and %u instances by EXT_mesh_gpu_instancing", name,
                        (unsigned)instance->copy_count);
}

static void look_at_normals(supplei_practice *practice, const supplei_mover *mover) {
  const supple_asset *asset = practice->asset;
  const supple_primitive *primitive = mover->primitive;
  bool unlit = primitive->material != SUPPLE_NONE && asset->materials[primitive->material].unlit;
  char pointer[64];
  if (primitive->normals || unlit || primitive->topology != SUPPLE_TOPOLOGY_TRIANGLES) return;
  snprintf(pointer, sizeof pointer, "/meshes/%u/primitives/%u", (unsigned)primitive->mesh,
           (unsigned)primitive->index);
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_NORMALS_MISSING, pointer,
                      supplei_practice_count(primitive->vertex_count),
                      "no NORMAL for %u skinned vertices", (unsigned)primitive->vertex_count);
}

void supplei_practice_nodes(supplei_practice *practice) {
  const supple_asset *asset = practice->asset;
  for (uint32_t i = 0; i < asset->instance_count; i++)
    look_at_instance(practice, &asset->instances[i]);
  for (uint32_t i = 0; i < practice->first_mover[asset->mesh_count]; i++)
    if (practice->movers[i].primitive) look_at_normals(practice, &practice->movers[i]);
}
