/* rules_skins.c: joints, their common root, inverse bind matrices, and the scenes that must hold them. */
#include "../base/prologue.h"

#include "rules.h"

#include "../gltf/elements.h"

/* ---- reading ---- */

void supplei_rules_read_skins(supplei_rules *rules) {
  static const char *const keys[] = {"inverseBindMatrices", "skeleton", "joints", "name", NULL};
  for (uint32_t i = 0; i < rules->skin_array.count; i++) {
    supplei_rules_skin *skin = &rules->skins[i];
    if (skin->value == SUPPLE_NONE) continue;
    supplei_rules_object(rules, skin->value, keys);
    skin->inverse_binds = supplei_rules_index(rules, skin->value, "inverseBindMatrices", false);
    skin->skeleton = supplei_rules_index(rules, skin->value, "skeleton", false);
    skin->joints = supplei_rules_nodes(rules, skin->value, "joints", true);
  }
}

/* ---- trees ---- */

/* The tree of nodes: for each its depth, its root, and an ancestor far up, so that any ancestor is reached in
 * O(log depth) steps (Myers, "An applicative random-access stack", 1983). */
typedef struct ancestry {
  uint32_t *depths;        /* SUPPLE_NONE: in or below a loop */
  uint32_t *roots, *jumps; /* the root of a loop is one of its nodes */
} ancestry;

static void place_node(const supplei_rules *rules, ancestry *tree, uint32_t node) {
  uint32_t parent = rules->nodes[node].parent;
  if (parent == SUPPLE_NONE) {
    tree->roots[node] = tree->jumps[node] = node;
    return;
  }
  uint32_t jump = tree->jumps[parent], next = tree->jumps[jump];
  bool even = tree->depths[parent] - tree->depths[jump] == tree->depths[jump] - tree->depths[next];
  tree->depths[node] = tree->depths[parent] + 1;
  tree->roots[node] = tree->roots[parent];
  tree->jumps[node] = even ? next : parent;
}

static bool build_tree(supplei_rules *rules, ancestry *tree) {
  uint32_t count = rules->node_array.count;
  tree->depths = supplei_rules_allocate(rules, count, sizeof *tree->depths);
  tree->roots = supplei_rules_allocate(rules, count, sizeof *tree->roots);
  tree->jumps = supplei_rules_allocate(rules, count, sizeof *tree->jumps);
  uint32_t *path = supplei_rules_allocate(rules, count, sizeof *path);
  uint8_t *state = supplei_rules_allocate(rules, count, 1); /* 0 new, 1 on the way, 2 known */
  if (!tree->depths || !tree->roots || !tree->jumps || !path || !state) return false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t length = 0, at = i;
    for (; at != SUPPLE_NONE && !state[at]; at = rules->nodes[at].parent) {
      state[at] = 1;
      path[length++] = at;
    }
    bool loop = at != SUPPLE_NONE && (state[at] == 1 || tree->depths[at] == SUPPLE_NONE);
    const uint32_t loop_root = loop && state[at] == 2 ? tree->roots[at] : at;
    while (length--) {
      state[path[length]] = 2;
      if (loop) {
        tree->depths[path[length]] = SUPPLE_NONE;
        tree->roots[path[length]] = loop_root;
      } else {
        place_node(rules, tree, path[length]);
      }
    }
  }
  return true;
}

/* The ancestor at a depth, which is not below it. */
static uint32_t ancestor_at(const supplei_rules *rules, const ancestry *tree, uint32_t node,
                            uint32_t depth) {
  while (tree->depths[node] > depth)
    node = tree->depths[tree->jumps[node]] >= depth ? tree->jumps[node] : rules->nodes[node].parent;
  return node;
}

static uint32_t common_ancestor(const supplei_rules *rules, const ancestry *tree, uint32_t a,
                                uint32_t b) {
  if (tree->roots[a] != tree->roots[b]) return SUPPLE_NONE;
  uint32_t depth = tree->depths[a] < tree->depths[b] ? tree->depths[a] : tree->depths[b];
  a = ancestor_at(rules, tree, a, depth);
  b = ancestor_at(rules, tree, b, depth);
  while (a != b) {
    bool far = tree->jumps[a] != tree->jumps[b];
    a = far ? tree->jumps[a] : rules->nodes[a].parent;
    b = far ? tree->jumps[b] : rules->nodes[b].parent;
  }
  return a;
}

/* ---- linking ---- */

/* The nearest common ancestor of the joints, SUPPLE_NONE where there is none. */
static uint32_t link_joints(supplei_rules *rules, const ancestry *tree,
                            const supplei_rules_skin *skin, bool *known) {
  uint32_t count = supple_document_count(rules->document, skin->joints), common = SUPPLE_NONE;
  uint32_t root = SUPPLE_NONE;
  bool apart = false, loop = false;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t joint =
        supplei_rules_node_of(rules, supple_document_child(rules->document, skin->joints, i));
    if (joint == SUPPLE_NONE) continue;
    rules->nodes[joint].joint = rules->nodes[joint].used = true;
    loop |= tree->depths[joint] == SUPPLE_NONE;
    apart |= root != SUPPLE_NONE && root != tree->roots[joint];
    if (root == SUPPLE_NONE) common = joint;
    if (!loop && !apart) common = common_ancestor(rules, tree, common, joint);
    root = tree->roots[joint];
  }
  *known = apart || !loop;
  if ((apart || root == SUPPLE_NONE) && skin->joints != SUPPLE_NONE)
    supplei_rules_found(rules, SUPPLEI_CODE_SKIN_NO_COMMON_ROOT, skin->joints,
                        "%u joints, which are not below one node", (unsigned)count);
  return apart || loop ? SUPPLE_NONE : common;
}

static void link_inverse_binds(supplei_rules *rules, const supplei_rules_skin *skin) {
  if (!supplei_rules_resolve(rules, skin->value, "inverseBindMatrices", skin->inverse_binds,
                             &rules->accessor_array, "accessor"))
    return;
  const supplei_rules_accessor *accessor = &rules->accessors[skin->inverse_binds];
  supple_value item = supple_document_member(rules->document, skin->value, "inverseBindMatrices");
  supplei_rules_use_accessor(rules, skin->inverse_binds, SUPPLEI_USE_INVERSE_BINDS, skin->value,
                             "inverseBindMatrices");
  if (accessor->view != SUPPLE_NONE && rules->views[accessor->view].stride != -1)
    supplei_rules_found(rules, SUPPLEI_CODE_SKIN_IBM_ACCESSOR_WITH_BYTESTRIDE, item,
                        "view %u has a byteStride", (unsigned)accessor->view);
  char format[64];
  if (accessor->rows == 4 && accessor->columns == 4 && accessor->component == SUPPLEI_F32 &&
      !accessor->normalized)
    supplei_rules_wish_for(rules, skin->inverse_binds, SUPPLEI_LOOK_INVERSE_BINDS, item);
  else
    supplei_rules_found(rules, SUPPLEI_CODE_SKIN_IBM_INVALID_FORMAT, item,
                        "is %s; it must be MAT4 of float", supplei_rules_format(accessor, format));
  uint32_t joints = supple_document_count(rules->document, skin->joints);
  if (skin->joints != SUPPLE_NONE && accessor->count < (int64_t)joints)
    supplei_rules_found(rules, SUPPLEI_CODE_INVALID_IBM_ACCESSOR_COUNT, item,
                        "has %lld matrices for %u joints", (long long)accessor->count,
                        (unsigned)joints);
}

static bool is_ancestor(const supplei_rules *rules, const ancestry *tree, uint32_t above,
                        uint32_t node) {
  if (tree->depths[above] == SUPPLE_NONE || tree->depths[above] > tree->depths[node]) return false;
  return ancestor_at(rules, tree, node, tree->depths[above]) == above;
}

/* ---- scenes ---- */

/* The scenes that list each node, ascending. */
typedef struct listings {
  uint32_t *begins; /* [nodes + 2] */
  uint32_t *scenes;
  bool inner; /* some list nodes that are no roots */
} listings;

/* Counts them, then writes them. */
static bool collect_scenes(supplei_rules *rules, listings *out) {
  uint32_t nodes = rules->node_array.count;
  out->begins = supplei_rules_allocate(rules, (size_t)nodes + 2, sizeof *out->begins);
  if (!out->begins) return false;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t s = 0; s < rules->scene_array.count; s++) {
      supple_value scene = supple_document_child(rules->document, rules->scene_array.value, s),
                   array = supple_document_member(rules->document, scene, "nodes");
      uint32_t count = supple_document_count(rules->document, array);
      for (uint32_t i = 0; i < count; i++) {
        uint32_t node =
            supplei_rules_index_of(rules, supple_document_child(rules->document, array, i));
        if (node >= nodes) continue;
        if (rules->nodes[node].parent != SUPPLE_NONE) out->inner = true;
        if (pass)
          out->scenes[out->begins[node + 1]++] = s;
        else
          out->begins[node + 2]++;
      }
    }
    if (pass) break;
    for (uint32_t i = 2; i < nodes + 2; i++) out->begins[i] += out->begins[i - 1];
    out->scenes = supplei_rules_allocate(rules, out->begins[nodes + 1], sizeof *out->scenes);
    if (!out->scenes) return false;
  }
  return true;
}

/* A scene that lists one node but not another, SUPPLE_NONE where there is none. */
static uint32_t scene_without(supplei_rules *rules, const listings *in, uint32_t node,
                              uint32_t other) {
  uint32_t b = in->begins[other];
  for (uint32_t a = in->begins[node]; a < in->begins[node + 1]; a++) {
    while (b < in->begins[other + 1] && in->scenes[b] < in->scenes[a]) b++;
    if (b == in->begins[other + 1] || in->scenes[b] != in->scenes[a]) return in->scenes[a];
    if (!supplei_rules_afford(rules, 1)) break;
  }
  return SUPPLE_NONE;
}

/* Every scene that holds a skinned node must hold its joints. */
static void check_scenes(supplei_rules *rules, const ancestry *tree, const uint32_t *commons) {
  listings in = {0};
  if (!collect_scenes(rules, &in)) return;
  for (uint32_t i = 0; i < rules->node_array.count; i++) {
    uint32_t skin = rules->nodes[i].skin, scene = SUPPLE_NONE;
    if (skin == SUPPLE_NONE || commons[skin] == SUPPLE_NONE || tree->depths[i] == SUPPLE_NONE)
      continue;
    uint32_t root = tree->roots[commons[skin]], above = in.inner ? i : tree->roots[i];
    for (; above != SUPPLE_NONE && scene == SUPPLE_NONE; above = rules->nodes[above].parent)
      if (supplei_rules_afford(rules, 1)) scene = scene_without(rules, &in, above, root);
    if (scene != SUPPLE_NONE)
      supplei_rules_found(rules, SUPPLEI_CODE_NODE_SKIN_NO_SCENE, rules->nodes[i].value,
                          "is in scene %u, but the joints of skin %u are not", (unsigned)scene,
                          (unsigned)skin);
  }
}

/* Meshes with joints are looked at with the smallest skin that they are used with. */
static void find_limits(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->node_array.count; i++) {
    const supplei_rules_node *node = &rules->nodes[i];
    if (node->mesh == SUPPLE_NONE || node->skin == SUPPLE_NONE) continue;
    supple_value joints = rules->skins[node->skin].joints;
    uint32_t count = supple_document_count(rules->document, joints);
    supplei_rules_mesh *mesh = &rules->meshes[node->mesh];
    if (joints == SUPPLE_NONE || count >= mesh->joint_limit) continue;
    mesh->joint_limit = count;
    mesh->limiting_skin = node->skin;
  }
}

void supplei_rules_link_skins(supplei_rules *rules) {
  ancestry tree;
  uint32_t count = rules->skin_array.count;
  uint32_t *commons = supplei_rules_allocate(rules, count, sizeof *commons);
  if (!build_tree(rules, &tree) || !commons) return;
  for (uint32_t i = 0; i < count; i++) {
    supplei_rules_skin *skin = &rules->skins[i];
    commons[i] = SUPPLE_NONE;
    if (skin->value == SUPPLE_NONE) continue;
    bool known;
    commons[i] = link_joints(rules, &tree, skin, &known);
    link_inverse_binds(rules, skin);
    if (supplei_rules_resolve(rules, skin->value, "skeleton", skin->skeleton, &rules->node_array,
                              "node") &&
        known &&
        (commons[i] == SUPPLE_NONE || !is_ancestor(rules, &tree, skin->skeleton, commons[i])))
      supplei_rules_found_key(rules, SUPPLEI_CODE_SKIN_SKELETON_INVALID, skin->value, "skeleton",
                              "node %u is not above all joints", (unsigned)skin->skeleton);
  }
  find_limits(rules);
  check_scenes(rules, &tree, commons);
}
