/* reader_nodes.c: nodes: transforms, morph weights, references. */
#include "../base/prologue.h"

#include "loader.h"

/* ---- transforms ---- */

static supple_result read_matrix(supplei_loader *loader, uint32_t object, const double columns[16],
                                 supple_node *node) {
  static const double last_row[4] = {0, 0, 0, 1};
  uint32_t json = supplei_json_member(&loader->json, object, "matrix");
  for (int c = 0; c < 4; c++)
    if (fabs(columns[4 * c + 3] - last_row[c]) > 1e-6)
      return supplei_loader_wrong(loader, json,
                                  "the fourth row must be 0, 0, 0, 1: it is projective");
  node->has_matrix = true;
  node->matrix = supple_affine64_from_columns(columns);
  if (!supple_transform_from_affine(&node->matrix, 0, &node->rest))
    supplei_loader_note(loader, json, "the matrix shears; kept until an animation sets the node");
  return SUPPLE_OK;
}

static supple_result read_transform(supplei_loader *loader, uint32_t object, supple_node *node) {
  double matrix[16], t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
  bool has_matrix, has_t, has_r, has_s;
  supple_result result = supplei_get_numbers(loader, object, "matrix", matrix, 16, &has_matrix);
  if (!result) result = supplei_get_numbers(loader, object, "translation", t, 3, &has_t);
  if (!result) result = supplei_get_numbers(loader, object, "rotation", r, 4, &has_r);
  if (!result) result = supplei_get_numbers(loader, object, "scale", s, 3, &has_s);
  if (result) return result;
  if (has_matrix && (has_t || has_r || has_s))
    supplei_loader_note(loader, object,
                        "has a matrix and translation, rotation or scale; the matrix counts");
  if (has_matrix) return read_matrix(loader, object, matrix, node);

  supple_quat rotation = supple_quat_make(r[0], r[1], r[2], r[3]);
  double norm = supple_quat_norm(rotation);
  if (fabs(norm - 1) > 1e-3)
    supplei_loader_note(loader, supplei_json_member(&loader->json, object, "rotation"),
                        "the rotation has length %g; it is normalised (zero: no rotation)", norm);
  node->rest.translation = supple_vec3_make(t[0], t[1], t[2]);
  node->rest.rotation = supple_quat_normalise(rotation);
  node->rest.scale = supple_vec3_make(s[0], s[1], s[2]);
  return SUPPLE_OK;
}

/* ---- references ---- */

static supple_result read_references(supplei_loader *loader, uint32_t object, supple_node *node) {
  node->mesh = node->skin = node->camera = SUPPLE_NONE;
  supple_result result =
      supplei_get_index(loader, object, "mesh", loader->meshes.count, "meshes", &node->mesh);
  if (!result)
    result = supplei_get_index(loader, object, "skin", loader->skins.count, "skins", &node->skin);
  if (!result)
    result = supplei_get_index(loader, object, "camera", loader->cameras.count, "cameras",
                               &node->camera);
  if (!result && node->skin != SUPPLE_NONE && node->mesh == SUPPLE_NONE)
    supplei_loader_note(loader, object, "has a skin but no mesh; nothing is deformed by it here");
  return result;
}

/* Sets the parents of the children; a second parent, or the node itself, is an error. */
static supple_result read_children(supplei_loader *loader, uint32_t index, supple_node *nodes) {
  uint32_t array;
  supple_result result =
      supplei_get(loader, loader->nodes.items[index], "children", SUPPLEI_JSON_ARRAY, &array);
  if (result || array == SUPPLE_NONE) return result;
  uint32_t count = supplei_node(loader, array)->count, json = array + 1;
  for (uint32_t i = 0; i < count; i++, json = supplei_node(loader, json)->next) {
    uint32_t child;
    if ((result = supplei_read_index(loader, json, loader->nodes.count, "nodes", &child)))
      return result;
    if (child == index)
      return supplei_loader_wrong(loader, json, "node %u is its own child", (unsigned)child);
    if (nodes[child].parent != SUPPLE_NONE)
      return supplei_loader_wrong(loader, json, "node %u already is a child of node %u",
                                  (unsigned)child, (unsigned)nodes[child].parent);
    nodes[child].parent = index;
  }
  return SUPPLE_OK;
}

/* ---- morph weights ---- */

/* The node's place in the weights of all nodes; how many it has is its mesh's targets. */
static supple_result reserve_weights(supplei_loader *loader, uint32_t index, supple_node *node,
                                     uint64_t *total) {
  uint32_t array, object = loader->nodes.items[index];
  supple_result result = supplei_get(loader, object, "weights", SUPPLEI_JSON_ARRAY, &array);
  if (result) return result;
  uint32_t targets = node->mesh == SUPPLE_NONE ? 0 : loader->mesh_facts[node->mesh].target_count;
  node->weight_begin = (uint32_t)*total;
  node->weight_count = targets;
  *total += targets;
  if (array == SUPPLE_NONE) return SUPPLE_OK;
  uint32_t count = supplei_node(loader, array)->count;
  if (count && node->mesh == SUPPLE_NONE)
    supplei_loader_note(loader, array, "weights of a node without mesh; ignored");
  else if (count != targets)
    return supplei_loader_wrong(loader, array, "has %u weights for %u morph targets",
                                (unsigned)count, (unsigned)targets);
  return SUPPLE_OK;
}

static supple_result read_weights(supplei_loader *loader, uint32_t index, const supple_node *node,
                                  float *weights) {
  if (!node->weight_count) return SUPPLE_OK;
  const double *of_mesh = loader->mesh_facts[node->mesh].weights;
  for (uint32_t i = 0; of_mesh && i < node->weight_count; i++) weights[i] = (float)of_mesh[i];
  uint32_t array = supplei_json_member(&loader->json, loader->nodes.items[index], "weights");
  if (array == SUPPLE_NONE) return SUPPLE_OK;
  for (uint32_t i = 0; i < node->weight_count; i++) { /* numbers are one node each */
    double weight;
    supple_result result = supplei_read_number(loader, array + 1 + i, &weight);
    if (result) return result;
    weights[i] = (float)weight;
  }
  return SUPPLE_OK;
}

static supple_result read_all_weights(supplei_loader *loader, supple_node *nodes) {
  uint64_t total = 0;
  uint32_t count = loader->nodes.count;
  supple_skeleton *skeleton = &loader->asset->skeleton;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++) {
    result = reserve_weights(loader, i, &nodes[i], &total);
    if (!result && total > UINT32_MAX)
      result = supplei_loader_fail(loader, loader->nodes.items[i], SUPPLE_ERROR_LIMIT,
                                   "more morph weights than can be counted");
  }
  if (result) return result;
  float *weights = supplei_loader_allocate(loader, (size_t)total, sizeof *weights, "morph weights");
  if (!weights) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_weights(loader, i, &nodes[i], weights + nodes[i].weight_begin);
  skeleton->weights = weights;
  skeleton->weight_count = (uint32_t)total;
  return result;
}

/* ---- all nodes ---- */

supple_result supplei_read_nodes(supplei_loader *loader) {
  uint32_t count = loader->nodes.count;
  if (count > loader->limits.nodes)
    return supplei_loader_fail(loader, SUPPLE_NONE, SUPPLE_ERROR_LIMIT,
                               "%u nodes, more than limits.nodes allows (%u)", (unsigned)count,
                               (unsigned)loader->limits.nodes);
  supple_node *nodes = supplei_loader_allocate(loader, count, sizeof *nodes, "the nodes");
  if (!nodes) return supplei_loader_memory_result(loader);
  loader->asset->skeleton.nodes = nodes;
  loader->asset->skeleton.node_count = count;
  for (uint32_t i = 0; i < count; i++) nodes[i].parent = SUPPLE_NONE;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t object = loader->nodes.items[i];
    supple_result result = supplei_get_string(loader, object, "name", &nodes[i].name);
    if (!result) result = read_references(loader, object, &nodes[i]);
    if (!result) result = read_transform(loader, object, &nodes[i]);
    if (!result) result = read_children(loader, i, nodes);
    if (result) return result;
  }
  supple_result result = read_all_weights(loader, nodes);
  return result ? result : supplei_order_nodes(loader);
}
