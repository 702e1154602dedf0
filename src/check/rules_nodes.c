/* rules_nodes.c: nodes, their transforms and their tree; scenes. */
#include "../base/prologue.h"

#include "rules.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of a unit quaternion: what the coarsest type that may hold one (signed bytes) is off by. */
static const double unit_quaternion_tolerance = 0.00769;

/* ---- transforms ---- */

/* Matrices are judged in single precision, as viewers hold them; here in doubles that hold floats. Column-major. */
static bool is_identity(const double m[16]) {
  for (int i = 0; i < 16; i++)
    if (m[i] != (i % 5 ? 0 : 1)) return false;
  return true;
}

static double single(double x) { return (double)(float)x; }

static double determinant(const double m[16]) {
  return m[8] * (m[1] * m[6] - m[2] * m[5]) - m[9] * (m[0] * m[6] - m[2] * m[4]) +
         m[10] * (m[0] * m[5] - m[1] * m[4]);
}

/* The largest sum of absolute values of a column. */
static double largest_column(const double m[16]) {
  double largest = 0;
  for (int c = 0; c < 16; c += 4) {
    double sum = fabs(m[c]) + fabs(m[c + 1]) + fabs(m[c + 2]) + fabs(m[c + 3]);
    if (sum > largest) largest = sum;
  }
  return largest;
}

/* The quaternion of a rotation r[column][row]. */
static void quaternion_of(double r[3][3], double q[4]) {
  double trace = r[0][0] + r[1][1] + r[2][2];
  int i = r[0][0] < r[1][1] ? (r[1][1] < r[2][2] ? 2 : 1) : (r[0][0] < r[2][2] ? 2 : 0);
  int j = (i + 1) % 3, k = (i + 2) % 3;
  if (trace > 0) {
    double s = sqrt(trace + 1), half = 0.5 / s;
    q[3] = single(s * 0.5);
    q[0] = single((r[1][2] - r[2][1]) * half);
    q[1] = single((r[2][0] - r[0][2]) * half);
    q[2] = single((r[0][1] - r[1][0]) * half);
  } else {
    double s = sqrt(r[i][i] - r[j][j] - r[k][k] + 1), half = 0.5 / s;
    q[i] = single(s * 0.5);
    q[3] = single((r[j][k] - r[k][j]) * half);
    q[j] = single((r[i][j] + r[j][i]) * half);
    q[k] = single((r[i][k] + r[k][i]) * half);
  }
}

/* The matrix r[column][row] of a quaternion. */
static void matrix_of(const double q[4], double r[3][3]) {
  double x = q[0], y = q[1], z = q[2], w = q[3], x2 = x + x, y2 = y + y, z2 = z + z;
  r[0][0] = single(1 - (y * y2 + z * z2));
  r[0][1] = single(x * y2 + w * z2);
  r[0][2] = single(x * z2 - w * y2);
  r[1][0] = single(x * y2 - w * z2);
  r[1][1] = single(1 - (x * x2 + z * z2));
  r[1][2] = single(y * z2 + w * x2);
  r[2][0] = single(x * z2 + w * y2);
  r[2][1] = single(y * z2 - w * x2);
  r[2][2] = single(1 - (x * x2 + y * y2));
}

/* Whether translation, rotation and scale make it again. The measure is the validator's (the largest column of the
 * matrix and of what its parts compose to differ by less than 5e-5, all in single precision), so that both say the
 * same of matrices on the edge. */
static bool is_decomposable(const double m[16]) {
  if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1) return false;
  double det = determinant(m), rotation[3][3], q[4], scale[3], again[16];
  if (det == 0) return false;
  for (int c = 0; c < 3; c++) {
    double x = m[4 * c], y = m[4 * c + 1], z = m[4 * c + 2], length = sqrt(x * x + y * y + z * z);
    if (det < 0 && c == 0) length = -length;
    for (int r = 0; r < 3; r++) rotation[c][r] = single(m[4 * c + r] * (1 / length));
    scale[c] = single(length);
  }
  quaternion_of(rotation, q);
  matrix_of(q, rotation);
  memcpy(again, m, sizeof again);
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) again[4 * c + r] = single(rotation[c][r] * scale[c]);
  return fabs(largest_column(again) - largest_column(m)) < 0.00005;
}

static bool read_matrix(supplei_rules *rules, supplei_rules_node *node) {
  double m[16];
  supple_value matrix =
      supplei_rules_numbers(rules, node->value, "matrix", 16, -DBL_MAX, DBL_MAX, m);
  if (matrix == SUPPLE_NONE) return false;
  for (int i = 0; i < 16; i++) m[i] = single(m[i]);
  if (is_identity(m)) {
    supplei_rules_found(rules, SUPPLEI_CODE_NODE_MATRIX_DEFAULT, matrix,
                        "is the identity, which need not be written");
  } else {
    node->moved = true;
    if (!is_decomposable(m))
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_MATRIX_NON_TRS, matrix,
                          "cannot be made of translation, rotation and scale (determinant %.6g)",
                          determinant(m));
  }
  return true;
}

static void read_transform(supplei_rules *rules, supplei_rules_node *node) {
  static const char *const keys[3] = {"translation", "rotation", "scale"};
  static const uint32_t counts[3] = {3, 4, 3};
  bool parts = false;
  node->matrix = read_matrix(rules, node);
  for (int i = 0; i < 3; i++) {
    double n[4] = {0, 0, 0, 0}, range = i == 1 ? 1 : DBL_MAX;
    supple_value value =
        supplei_rules_numbers(rules, node->value, keys[i], counts[i], -range, range, n);
    if (value == SUPPLE_NONE) continue;
    parts = true;
    if (i == 1) {
      double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] + n[3] * n[3]);
      if (fabs(1 - length) > unit_quaternion_tolerance)
        supplei_rules_found(rules, SUPPLEI_CODE_ROTATION_NON_UNIT, value, "has length %.6g", length);
    }
    double rest = i == 2 ? 1 : 0;
    node->moved |= n[0] != rest || n[1] != rest || n[2] != rest || (i == 1 && n[3] != 1);
  }
  if (node->matrix && parts)
    supplei_rules_found_key(rules, SUPPLEI_CODE_NODE_MATRIX_TRS, node->value, "matrix",
                            "stands beside translation, rotation or scale");
}

/* ---- reading ---- */

static void read_node(supplei_rules *rules, supplei_rules_node *node) {
  static const char *const keys[] = {"camera",  "children", "skin",  "matrix",
                                     "mesh",    "rotation", "scale", "translation",
                                     "weights", "name",     NULL};
  supple_value value = node->value;
  supplei_rules_object(rules, value, keys);
  read_transform(rules, node);
  node->camera = supplei_rules_index(rules, value, "camera", false) != SUPPLE_NONE;
  node->children = supplei_rules_nodes(rules, value, "children", false);
  node->mesh = supplei_rules_index(rules, value, "mesh", false);
  node->skin = supplei_rules_index(rules, value, "skin", false);
  supple_value weights = supplei_rules_numbers(rules, value, "weights", 0, -DBL_MAX, DBL_MAX, NULL);
  if (node->mesh == SUPPLE_NONE && node->skin != SUPPLE_NONE)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNSATISFIED_DEPENDENCY, value, "skin",
                            "skin without mesh");
  node->weight_count = supple_document_count(rules->document, weights);
  if (node->mesh == SUPPLE_NONE && weights != SUPPLE_NONE)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNSATISFIED_DEPENDENCY, value, "weights",
                            "weights without mesh");
  supple_value extensions = supple_document_member(rules->document, value, "extensions"),
               extras = supple_document_member(rules->document, value, "extras");
  node->extended =
      supple_document_count(rules->document, extensions) ||
      (extras != SUPPLE_NONE && supple_document_type(rules->document, extras) != SUPPLE_VALUE_NULL);
}

void supplei_rules_read_nodes(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->node_array.count; i++)
    if (rules->nodes[i].value != SUPPLE_NONE) read_node(rules, &rules->nodes[i]);
}

/* ---- linking ---- */

static bool has_joints(const supplei_rules_mesh *mesh) {
  for (uint32_t i = 0; i < mesh->primitive_count; i++)
    if (mesh->primitives[i].set_count) return true;
  return false;
}

static void link_mesh(supplei_rules *rules, supplei_rules_node *node) {
  supplei_rules_mesh *mesh = &rules->meshes[node->mesh];
  mesh->used = true;
  if (!mesh->primitives) return;
  if (node->weight_count && node->weight_count != mesh->target_count)
    supplei_rules_found_key(rules, SUPPLEI_CODE_NODE_WEIGHTS_INVALID, node->value, "weights",
                            "has %u weights for %u morph targets", (unsigned)node->weight_count,
                            mesh->target_count == SUPPLE_NONE ? 0u : (unsigned)mesh->target_count);
  mesh->weights_needed |= !node->weight_count;
  bool with = has_joints(mesh);
  if (node->skin != SUPPLE_NONE && !with)
    supplei_rules_found(rules, SUPPLEI_CODE_NODE_SKIN_WITH_NON_SKINNED_MESH, node->value,
                        "has a skin, but mesh %u has no JOINTS_0 and WEIGHTS_0",
                        (unsigned)node->mesh);
  if (node->skin == SUPPLE_NONE && with)
    supplei_rules_found(rules, SUPPLEI_CODE_NODE_SKINNED_MESH_WITHOUT_SKIN, node->value,
                        "has no skin, but mesh %u has joints and weights", (unsigned)node->mesh);
}

static void link_children(supplei_rules *rules, uint32_t index) {
  supplei_rules_node *node = &rules->nodes[index];
  uint32_t count = supple_document_count(rules->document, node->children);
  for (uint32_t i = 0; i < count; i++) {
    supple_value item = supple_document_child(rules->document, node->children, i);
    uint32_t child = supplei_rules_node_of(rules, item);
    if (child == SUPPLE_NONE) continue;
    supplei_rules_node *below = &rules->nodes[child];
    if (below->parent != SUPPLE_NONE)
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_PARENT_OVERRIDE, item,
                          "node %u is already below node %u", (unsigned)child,
                          (unsigned)below->parent);
    below->parent = index;
    below->used = true;
  }
}

void supplei_rules_link_nodes(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->node_array.count; i++) {
    supplei_rules_node *node = &rules->nodes[i];
    if (node->value == SUPPLE_NONE) continue;
    if (!supplei_rules_resolve(rules, node->value, "skin", node->skin, &rules->skin_array, "skin"))
      node->skin = SUPPLE_NONE;
    else
      rules->skins[node->skin].used = true;
    if (supplei_rules_resolve(rules, node->value, "mesh", node->mesh, &rules->mesh_array, "mesh"))
      link_mesh(rules, node);
    else
      node->mesh = SUPPLE_NONE;
    link_children(rules, i);
  }
}

void supplei_rules_link_scenes(supplei_rules *rules) {
  static const char *const keys[] = {"nodes", "name", NULL};
  for (uint32_t i = 0; i < rules->scene_array.count; i++) {
    supple_value scene = supple_document_child(rules->document, rules->scene_array.value, i);
    if (supple_document_type(rules->document, scene) != SUPPLE_VALUE_OBJECT) continue;
    supplei_rules_object(rules, scene, keys);
    supple_value array = supplei_rules_nodes(rules, scene, "nodes", false);
    uint32_t count = supple_document_count(rules->document, array);
    for (uint32_t k = 0; k < count; k++) {
      supple_value item = supple_document_child(rules->document, array, k);
      uint32_t index = supplei_rules_node_of(rules, item);
      if (index == SUPPLE_NONE) continue;
      rules->nodes[index].used = true;
      if (rules->nodes[index].parent != SUPPLE_NONE)
        supplei_rules_found(rules, SUPPLEI_CODE_SCENE_NON_ROOT_NODE, item,
                            "node %u is no root: it is below node %u", (unsigned)index,
                            (unsigned)rules->nodes[index].parent);
    }
  }
  uint32_t scene = supplei_rules_index(rules, 0, "scene", false);
  supplei_rules_resolve(rules, 0, "scene", scene, &rules->scene_array, "scene");
}

/* ---- the tree ---- */

/* Marks who is part of a loop: walks up from every node, each node once. */
static void find_loops(supplei_rules *rules) {
  uint32_t count = rules->node_array.count;
  uint32_t *walk = supplei_rules_allocate(rules, count, sizeof *walk);
  bool *in_loop = supplei_rules_allocate(rules, count, sizeof *in_loop);
  if (!walk || !in_loop) return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t at = i;
    while (at != SUPPLE_NONE && !walk[at]) {
      walk[at] = i + 1;
      at = rules->nodes[at].parent;
    }
    if (at == SUPPLE_NONE || walk[at] != i + 1) continue;
    for (; !in_loop[at]; at = rules->nodes[at].parent) in_loop[at] = true;
  }
  for (uint32_t i = 0; i < count; i++)
    if (in_loop[i])
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_LOOP, rules->nodes[i].value, "is below itself");
}

void supplei_rules_judge_nodes(supplei_rules *rules) {
  find_loops(rules);
  for (uint32_t i = 0; i < rules->node_array.count; i++) {
    const supplei_rules_node *node = &rules->nodes[i];
    if (node->value == SUPPLE_NONE) continue;
    if (!node->joint && node->children == SUPPLE_NONE && node->mesh == SUPPLE_NONE &&
        !node->camera && !node->extended)
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_EMPTY, node->value,
                          "is no joint and has neither children nor a mesh");
    if (node->skin == SUPPLE_NONE) continue;
    if (node->parent != SUPPLE_NONE)
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_SKINNED_MESH_NON_ROOT, node->value,
                          "has a skin and is below node %u, whose transform does not move it",
                          (unsigned)node->parent);
    if (node->moved)
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_SKINNED_MESH_LOCAL_TRANSFORMS, node->value,
                          "has a skin and a transform of its own, which does not move it");
  }
}
