/* reader_hierarchy.c: the order of the nodes, parents first, and the scenes. */
#include "../base/prologue.h"

#include "loader.h"

/* Children of node i are links[i].first, then links[child].next, ..., in the order of their
 * indices. */
typedef struct link {
  uint32_t first, next;
} link;

static link *link_children(supplei_loader *loader) {
  const supple_node *nodes = loader->asset->skeleton.nodes;
  uint32_t count = loader->nodes.count;
  link *links = supplei_loader_scratch(loader, count, sizeof *links, "the hierarchy");
  if (!links) return NULL;
  for (uint32_t i = 0; i < count; i++) links[i] = (link){SUPPLE_NONE, SUPPLE_NONE};
  for (uint32_t i = count; i-- > 0;) {
    uint32_t parent = nodes[i].parent;
    if (parent == SUPPLE_NONE) continue;
    links[i].next = links[parent].first;
    links[parent].first = i;
  }
  return links;
}

/* Nodes that no root reaches hang from a cycle; going up from one ends on it. */
static supple_result fail_cycle(supplei_loader *loader, uint32_t placed) {
  const supple_node *nodes = loader->asset->skeleton.nodes;
  uint32_t node = 0;
  while (loader->positions[node] != SUPPLE_NONE) node++;
  for (uint32_t i = 0; i < loader->nodes.count - placed; i++) node = nodes[node].parent;
  return supplei_loader_wrong(loader, loader->nodes.items[node], "node %u is its own ancestor",
                              (unsigned)node);
}

/* Depth first without recursion: down by the links, up by the parents. */
static supple_result walk(supplei_loader *loader, uint32_t root, const link *links, uint32_t *order,
                          uint32_t *placed) {
  const supple_node *nodes = loader->asset->skeleton.nodes;
  uint32_t node = root, depth = 0;
  for (;;) {
    loader->positions[node] = *placed;
    loader->roots[node] = root;
    order[(*placed)++] = node;
    if (++depth > loader->limits.node_depth)
      return supplei_loader_fail(loader, loader->nodes.items[node], SUPPLE_ERROR_LIMIT,
                                 "deeper in the hierarchy than limits.node_depth allows (%u)",
                                 (unsigned)loader->limits.node_depth);
    if (links[node].first != SUPPLE_NONE) {
      node = links[node].first;
      continue;
    }
    for (;;) {
      depth--;
      loader->subtree_sizes[node] = *placed - loader->positions[node];
      if (node == root) return SUPPLE_OK;
      if (links[node].next != SUPPLE_NONE) break;
      node = nodes[node].parent;
    }
    node = links[node].next;
  }
}

supple_result supplei_order_nodes(supplei_loader *loader) {
  uint32_t count = loader->nodes.count, placed = 0;
  supple_skeleton *skeleton = &loader->asset->skeleton;
  uint32_t *order = supplei_loader_allocate(loader, count, sizeof *order, "the order of the nodes");
  const link *links = order ? link_children(loader) : NULL;
  uint32_t *facts =
      links ? supplei_loader_scratch(loader, count, 3 * sizeof *facts, "the hierarchy") : NULL;
  if (!facts) return supplei_loader_memory_result(loader);
  loader->positions = facts;
  loader->subtree_sizes = facts + count;
  loader->roots = facts + 2 * (size_t)count;
  for (uint32_t i = 0; i < count; i++) loader->positions[i] = SUPPLE_NONE;
  skeleton->order = order;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    if (skeleton->nodes[i].parent == SUPPLE_NONE) result = walk(loader, i, links, order, &placed);
  if (result) return result;
  return placed < count ? fail_cycle(loader, placed) : SUPPLE_OK;
}

/* ---- scenes ---- */

static supple_result read_scene(supplei_loader *loader, uint32_t object, supple_scene *scene) {
  uint32_t array;
  supple_result result = supplei_get_string(loader, object, "name", &scene->name);
  if (!result) result = supplei_get(loader, object, "nodes", SUPPLEI_JSON_ARRAY, &array);
  if (result || array == SUPPLE_NONE) return result;
  uint32_t count = supplei_node(loader, array)->count, json = array + 1;
  uint32_t *roots = supplei_loader_allocate(loader, count, sizeof *roots, "the nodes of a scene");
  if (!roots) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count; i++, json = supplei_node(loader, json)->next) {
    if ((result = supplei_read_index(loader, json, loader->nodes.count, "nodes", &roots[i])))
      return result;
    if (loader->asset->skeleton.nodes[roots[i]].parent != SUPPLE_NONE)
      supplei_loader_note(loader, json, "node %u is no root, since node %u is its parent",
                          (unsigned)roots[i],
                          (unsigned)loader->asset->skeleton.nodes[roots[i]].parent);
  }
  scene->nodes = roots;
  scene->node_count = count;
  return SUPPLE_OK;
}

supple_result supplei_read_scenes(supplei_loader *loader) {
  uint32_t count = loader->scenes.count;
  supple_scene *scenes = supplei_loader_allocate(loader, count, sizeof *scenes, "the scenes");
  if (!scenes) return supplei_loader_memory_result(loader);
  supple_result result =
      supplei_get_index(loader, 0, "scene", count, "scenes", &loader->asset->scene);
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_scene(loader, loader->scenes.items[i], &scenes[i]);
  loader->asset->scenes = scenes;
  loader->asset->scene_count = count;
  return result;
}
