/* practice_strict.c: what the proposals for strict skinning ask beyond glTF 2.0 (KHR_skin_strict,
 * KHR_skeleton_bone, STAIK_skeletons): one skeleton a skin, whole, named, bound as it rests. */
#include "../base/prologue.h"

#include "practice.h"

#include <math.h>
#include <stdio.h>

/* The tree of nodes, prepared to find common roots fast. */
typedef struct node_tree {
  const supple_node *nodes;
  uint32_t *depths,
      *jumps; /* a parent, or an ancestor far above (Myers' skew-binary jumps); itself at a root */
  uint32_t *begins,
      *ends; /* the nodes of a subtree are those whose begin lies in [begin, end) of its root */
  uint32_t *owners; /* the first skin that has the node among its joints, or SUPPLE_NONE */
  uint32_t *memory; /* of all five */
} node_tree;

enum { ARRAYS = 5 };

static bool open_tree(const supplei_practice *practice, node_tree *tree) {
  const supple_skeleton *skeleton = &practice->asset->skeleton;
  size_t count = skeleton->node_count;
  tree->nodes = skeleton->nodes;
  tree->memory = supplei_allocate_zero(practice->allocator, count, ARRAYS * sizeof(uint32_t));
  if (!tree->memory) return false;
  tree->depths = tree->memory, tree->jumps = tree->memory + count;
  tree->begins = tree->memory + 2 * count, tree->ends = tree->memory + 3 * count;
  tree->owners = tree->memory + 4 * count;
  for (size_t i = count; i-- > 0;) { /* ends: sizes of subtrees first */
    uint32_t node = skeleton->order[i], parent = skeleton->nodes[node].parent;
    tree->ends[node]++;
    if (parent != SUPPLE_NONE) tree->ends[parent] += tree->ends[node];
    tree->owners[node] = SUPPLE_NONE;
  }
  uint32_t roots = 0;
  uint32_t *next =
      tree->depths; /* where the next child's subtree begins, until the depths are known */
  for (size_t i = 0; i < count; i++) {
    uint32_t node = skeleton->order[i], parent = skeleton->nodes[node].parent;
    uint32_t *place = parent == SUPPLE_NONE ? &roots : &next[parent];
    tree->begins[node] = *place;
    *place += tree->ends[node];
    next[node] = tree->begins[node] + 1;
    tree->ends[node] += tree->begins[node];
  }
  for (size_t i = 0; i < count; i++) {
    uint32_t node = skeleton->order[i], parent = skeleton->nodes[node].parent;
    if (parent == SUPPLE_NONE) {
      tree->depths[node] = 0, tree->jumps[node] = node;
      continue;
    }
    uint32_t jump = tree->jumps[parent], *depths = tree->depths;
    depths[node] = depths[parent] + 1;
    bool even = depths[parent] - depths[jump] == depths[jump] - depths[tree->jumps[jump]];
    tree->jumps[node] = even ? tree->jumps[jump] : parent;
  }
  return true;
}

static bool is_below(const node_tree *tree, uint32_t node, uint32_t root) {
  return tree->begins[node] >= tree->begins[root] && tree->begins[node] < tree->ends[root];
}

/* The lowest node above (or equal to) both, or SUPPLE_NONE. */
static uint32_t common_root(const node_tree *tree, uint32_t a, uint32_t b) {
  while (!is_below(tree, b, a)) {
    if (tree->nodes[a].parent == SUPPLE_NONE) return SUPPLE_NONE;
    a = is_below(tree, b, tree->jumps[a]) ? tree->nodes[a].parent : tree->jumps[a];
  }
  return a;
}

static uint32_t root_of(const node_tree *tree, const supple_skin *skin) {
  uint32_t root = skin->joint_count ? skin->joints[0] : SUPPLE_NONE;
  for (uint32_t k = 1; k < skin->joint_count && root != SUPPLE_NONE; k++)
    root = common_root(tree, root, skin->joints[k]);
  return root;
}

/* ---- rules ---- */

typedef struct strict_skin {
  supplei_practice *practice;
  const node_tree *tree;
  const supple_skin *skin;
  char pointer[64];
} strict_skin;

static void look_at_skeleton(const strict_skin *s) {
  const supple_asset *asset = s->practice->asset;
  uint32_t root = root_of(s->tree, s->skin), named = s->skin->skeleton, outside = 0, first = 0;
  char of[SUPPLEI_WORDS], is[SUPPLEI_WORDS] = "there is none";
  if (root != SUPPLE_NONE) supplei_practice_node(asset, root, is);
  if (named == SUPPLE_NONE) {
    supplei_check_found(s->practice->check, SUPPLEI_CODE_SKINNING_STRICT_SKELETON_MISSING,
                        s->pointer, supplei_practice_count(0),
                        "no skeleton is named; the lowest common root of the joints is %s", is);
    return;
  }
  for (uint32_t k = s->skin->joint_count; k-- > 0;)
    if (!is_below(s->tree, s->skin->joints[k], named)) outside++, first = s->skin->joints[k];
  if (outside)
    supplei_check_found(s->practice->check, SUPPLEI_CODE_SKINNING_STRICT_JOINT_OUTSIDE, s->pointer,
                        supplei_practice_count(outside),
                        "%u of %u joints are not below the skeleton, the first is %s",
                        (unsigned)outside, (unsigned)s->skin->joint_count,
                        supplei_practice_node(asset, first, of));
  if (named != root)
    supplei_check_found(s->practice->check, SUPPLEI_CODE_SKINNING_STRICT_SKELETON_ROOT, s->pointer,
                        supplei_practice_count(0),
                        "the skeleton is %s, but the lowest common root of the joints: %s",
                        supplei_practice_node(asset, named, of), is);
}

/* Joints of one skin make one tree, with nothing between a joint and the next. */
static void look_at_tree(const strict_skin *s) {
  const supple_skin *skin = s->skin;
  uint32_t tops = 0, gaps = 0, late = 0;
  for (uint32_t k = 0; k < skin->joint_count; k++) {
    uint32_t parent = skin->parents[k];
    if (parent == SUPPLE_NONE) {
      tops++;
      continue;
    }
    gaps += s->tree->nodes[skin->joints[k]].parent != skin->joints[parent];
    late += parent > k;
  }
  if (tops > 1 || gaps)
    supplei_check_found(
        s->practice->check, SUPPLEI_CODE_SKINNING_STRICT_JOINTS_APART, s->pointer,
        supplei_practice_count(tops > 1 ? tops - 1 + gaps : gaps),
        "the joints are not one tree: %u have no joint above them, %u have other nodes "
        "between themselves and the joint above",
        (unsigned)tops, (unsigned)gaps);
  if (late)
    supplei_check_found(s->practice->check, SUPPLEI_CODE_SKINNING_STRICT_JOINT_ORDER, s->pointer,
                        supplei_practice_count(late),
                        "%u of %u joints come before the joint above them", (unsigned)late,
                        (unsigned)skin->joint_count);
}

static bool is_scaled(const supplei_practice *practice, uint32_t node) {
  supple_vec3 scale = practice->asset->skeleton.nodes[node].rest.scale;
  return fabs(scale.x - 1) > 1e-4 || fabs(scale.y - 1) > 1e-4 || fabs(scale.z - 1) > 1e-4 ||
         (practice->animated[node] & SUPPLEI_RESCALED);
}

static void look_at_joints(const strict_skin *s) {
  const supplei_practice *practice = s->practice;
  uint32_t scaled = 0, matrices = 0, shared = 0, unnamed = 0, other = SUPPLE_NONE;
  for (uint32_t k = 0; k < s->skin->joint_count; k++) {
    uint32_t node = s->skin->joints[k], *owner = &s->tree->owners[node];
    scaled += is_scaled(practice, node);
    matrices += s->tree->nodes[node].has_matrix;
    unnamed += s->tree->nodes[node].name[0] == '\0';
    if (*owner == SUPPLE_NONE) *owner = s->skin->index;
    if (*owner != s->skin->index) shared++, other = *owner;
  }
  supplei_check *check = practice->check;
  unsigned count = s->skin->joint_count;
  if (scaled)
    supplei_check_found(check, SUPPLEI_CODE_SKINNING_STRICT_JOINT_SCALED, s->pointer,
                        supplei_practice_count(scaled),
                        "%u of %u joints have, or are given by a clip, a scale other than 1",
                        (unsigned)scaled, count);
  if (matrices)
    supplei_check_found(check, SUPPLEI_CODE_SKINNING_STRICT_JOINT_MATRIX, s->pointer,
                        supplei_practice_count(matrices), "%u of %u joints have a matrix, not TRS",
                        (unsigned)matrices, count);
  if (shared)
    supplei_check_found(check, SUPPLEI_CODE_SKINNING_STRICT_SKELETON_SHARED, s->pointer,
                        supplei_practice_count(shared), "%u of %u joints belong to skin %u too",
                        (unsigned)shared, count, (unsigned)other);
  if (unnamed)
    supplei_check_found(check, SUPPLEI_CODE_SKINNING_STRICT_NAMES, s->pointer,
                        supplei_practice_count(unnamed), "%u of %u joints have no name",
                        (unsigned)unnamed, count);
}

static void look_at_skin(const strict_skin *s) {
  const supple_document *document = s->practice->check->document;
  supple_value skin =
      supple_document_child(document, supple_document_member(document, 0, "skins"), s->skin->index);
  look_at_skeleton(s);
  look_at_tree(s);
  look_at_joints(s);
  if (supple_document_member(document, skin, "inverseBindMatrices") == SUPPLE_NONE)
    supplei_check_found(s->practice->check, SUPPLEI_CODE_SKINNING_STRICT_INVERSE_BINDS, s->pointer,
                        supplei_practice_count(0), "no inverse bind matrices");
}

/* A skinned node is a root, and not moved. */
static void look_at_node(supplei_practice *practice, uint32_t index) {
  const supple_node *node = &practice->asset->skeleton.nodes[index];
  const supple_affine64 local =
      node->has_matrix ? node->matrix : supple_transform_to_affine(&node->rest);
  const supple_affine64 identity = supple_affine64_identity();
  bool moved = practice->clips[index] != 0;
  char pointer[64], name[SUPPLEI_WORDS];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) moved |= fabs(local.m[r][c] - identity.m[r][c]) > 1e-6;
  if (node->parent == SUPPLE_NONE && !moved) return;
  snprintf(pointer, sizeof pointer, "/nodes/%u", (unsigned)index);
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_STRICT_NODE, pointer,
                      supplei_practice_count(0), "%s has a skin and %s",
                      supplei_practice_node(practice->asset, index, name),
                      node->parent == SUPPLE_NONE ? "a transform"
                      : moved                     ? "a transform and a parent"
                                                  : "a parent");
}

void supplei_practice_strict(supplei_practice *practice) {
  const supple_asset *asset = practice->asset;
  node_tree tree = {0};
  if (open_tree(practice, &tree)) {
    for (uint32_t i = 0; i < asset->skin_count; i++) {
      strict_skin s = {.practice = practice, .tree = &tree, .skin = &asset->skins[i]};
      snprintf(s.pointer, sizeof s.pointer, "/skins/%u", (unsigned)i);
      look_at_skin(&s);
    }
    for (uint32_t i = 0; i < asset->instance_count; i++)
      look_at_node(practice, asset->instances[i].node);
  } else if (!practice->check->result) {
    practice->check->result = SUPPLE_ERROR_MEMORY;
  }
  supplei_release(practice->allocator, tree.memory, asset->skeleton.node_count,
                  ARRAYS * sizeof(uint32_t));
}
