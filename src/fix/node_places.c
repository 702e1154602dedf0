/* node_places.c: where the nodes of a document stand. */
#include "../base/prologue.h"

#include "node_places.h"

#include "../base/merge_sort.h"

void supplei_node_places_release(supplei_node_places *places) {
  const supple_allocator *a = &places->allocator;
  if (!a->release) return;
  supplei_release(a, places->roots, places->node_count, sizeof *places->roots);
  supplei_release(a, places->items, places->node_count, sizeof *places->items);
  supplei_release(a, places->scenes, (size_t)places->scene_entries, 2 * sizeof *places->scenes);
  *places = (supplei_node_places){0};
}

static void find_roots(supplei_node_places *places, const supple_skeleton *skeleton) {
  for (uint32_t i = 0; i < places->node_count; i++) {
    const uint32_t node = skeleton->order[i], parent = skeleton->nodes[node].parent;
    places->roots[node] = parent == SUPPLE_NONE ? node : places->roots[parent];
  }
}

static void find_items(supplei_node_places *places, const supple_document *document) {
  const supple_value nodes = supple_document_member(document, 0, "nodes");
  for (uint32_t n = 0; n < places->node_count; n++) places->items[n] = SUPPLE_NONE;
  for (uint32_t n = 0; n < places->node_count; n++) {
    const supple_value children =
        supple_document_member(document, supple_document_child(document, nodes, n), "children");
    for (uint32_t i = 0; i < supple_document_count(document, children); i++) {
      const supple_value item = supple_document_child(document, children, i);
      const uint32_t child = supple_document_index(document, item);
      if (child < places->node_count) places->items[child] = item;
    }
  }
}

static supple_value nodes_of(const supple_document *document, supple_value scenes, uint32_t scene) {
  return supple_document_member(document, supple_document_child(document, scenes, scene), "nodes");
}

static bool find_scenes(supplei_node_places *places, const supple_document *document) {
  const supple_value scenes = supple_document_member(document, 0, "scenes");
  const uint32_t count = supple_document_count(document, scenes);
  uint64_t entries = 0;
  uint32_t at = 0;
  for (uint32_t s = 0; s < count; s++)
    entries += supple_document_count(document, nodes_of(document, scenes, s));
  if (entries >= SUPPLE_NONE) return false;
  places->scene_entries = (uint32_t)entries;
  places->scenes = supplei_allocate(&places->allocator, (size_t)entries, 2 * sizeof *places->scenes);
  if (!places->scenes) return false;
  for (uint32_t s = 0; s < count; s++) {
    const supple_value nodes = nodes_of(document, scenes, s);
    for (uint32_t i = 0; i < supple_document_count(document, nodes); i++)
      places->scenes[at++] =
          (uint64_t)supple_document_index(document, supple_document_child(document, nodes, i))
              << 32 |
          s;
  }
  supplei_merge_sort(places->scenes, places->scenes + entries, (size_t)entries, NULL, NULL);
  return true;
}

bool supplei_node_places_find(supplei_node_places *places, const supple_document *document,
                              const supple_asset *asset, const supple_allocator *allocator) {
  *places = (supplei_node_places){.allocator = supplei_allocator(allocator),
                                  .node_count = asset->skeleton.node_count};
  const supple_allocator *a = &places->allocator;
  places->roots = supplei_allocate(a, places->node_count, sizeof *places->roots);
  places->items = supplei_allocate(a, places->node_count, sizeof *places->items);
  if (!places->roots || !places->items || !find_scenes(places, document)) return false;
  find_roots(places, &asset->skeleton);
  find_items(places, document);
  return true;
}

/* The first entry that is not below. */
static uint32_t lower_bound(const supplei_node_places *places, uint64_t entry) {
  uint32_t begin = 0, end = places->scene_entries;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (places->scenes[middle] < entry)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

uint32_t supplei_node_places_scenes(const supplei_node_places *places, uint32_t node, uint32_t *end) {
  *end = lower_bound(places, ((uint64_t)node + 1) << 32);
  return lower_bound(places, (uint64_t)node << 32);
}

bool supplei_node_places_holds(const supplei_node_places *places, uint32_t node, uint32_t scene) {
  const uint64_t entry = (uint64_t)node << 32 | scene;
  const uint32_t at = lower_bound(places, entry);
  return at < places->scene_entries && places->scenes[at] == entry;
}
