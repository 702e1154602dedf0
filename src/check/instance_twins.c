/* instance_twins.c: skinned nodes that deformation cannot tell apart. */
#include "../base/prologue.h"

#include "instance_twins.h"

#include "../base/memory.h"
#include "../base/merge_sort.h"

#include <string.h>

typedef struct twins {
  const supple_asset *asset;
  uint8_t *morphs;      /* [mesh_count] it has targets */
  uint8_t *morph_moved; /* [node_count] a clip moves its morph weights */
} twins;

static int order_of(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare(const void *context, uint64_t a, uint64_t b) {
  const twins *t = context;
  const supple_skeleton *skeleton = &t->asset->skeleton;
  const supple_instance *p = &t->asset->instances[a], *q = &t->asset->instances[b];
  int order = order_of(p->mesh, q->mesh);
  if (!order) order = order_of(p->skin->index, q->skin->index);
  if (order || !t->morphs[p->mesh]) return order;
  order = order_of(t->morph_moved[p->node], t->morph_moved[q->node]);
  if (order || t->morph_moved[p->node]) return order ? order : order_of(p->node, q->node);
  const supple_node *m = &skeleton->nodes[p->node], *n = &skeleton->nodes[q->node];
  if (m->weight_count != n->weight_count) return order_of(m->weight_count, n->weight_count);
  if (!m->weight_count || !skeleton->weights) return 0;
  return memcmp(skeleton->weights + m->weight_begin, skeleton->weights + n->weight_begin,
                m->weight_count * sizeof *skeleton->weights);
}

static void mark(const twins *t) {
  const supple_asset *asset = t->asset;
  for (uint32_t m = 0; m < asset->mesh_count; m++)
    for (uint32_t p = 0; p < asset->meshes[m].primitive_count; p++)
      t->morphs[m] |= asset->meshes[m].primitives[p].target_count != 0;
  for (uint32_t c = 0; c < asset->clip_count; c++)
    for (uint32_t i = 0; i < asset->clips[c].channel_count; i++)
      if (asset->clips[c].channels[i].path == SUPPLE_PATH_WEIGHTS)
        t->morph_moved[asset->clips[c].channels[i].node] = 1;
}

bool supplei_instance_twins(const supple_asset *asset, uint32_t *first,
                            const supple_allocator *allocator) {
  const supple_allocator a = supplei_allocator(allocator);
  const size_t count = asset->instance_count;
  twins t = {.asset = asset};
  t.morphs = supplei_allocate_zero(&a, asset->mesh_count, 1);
  t.morph_moved = supplei_allocate_zero(&a, asset->skeleton.node_count, 1);
  uint64_t *order = supplei_allocate(&a, count, 2 * sizeof *order);
  const bool fine = t.morphs && t.morph_moved && order;
  if (fine) {
    mark(&t);
    for (size_t i = 0; i < count; i++) order[i] = i;
    supplei_merge_sort(order, order + count, count, compare, &t); /* stable: the first comes first */
    for (size_t i = 0; i < count; i++)
      first[order[i]] =
          i && compare(&t, order[i - 1], order[i]) == 0 ? first[order[i - 1]] : (uint32_t)order[i];
  }
  supplei_release(&a, order, count, 2 * sizeof *order);
  supplei_release(&a, t.morph_moved, asset->skeleton.node_count, 1);
  supplei_release(&a, t.morphs, asset->mesh_count, 1);
  return fine;
}
