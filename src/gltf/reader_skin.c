/* reader_skin.c: skins, and the nodes that they deform. */
#include "../base/prologue.h"

#include "accessor.h"
#include "../base/merge_sort.h"
#include "primitive_reader.h"

/* ---- inverse bind matrices ---- */

/* The fourth row must be 0, 0, 0, 1; a matrix of nothing but zeros only is singular. */
static bool is_projective(const float m[16]) {
  bool any = false;
  for (int i = 0; i < 16; i++) any |= m[i] != 0;
  return any && (fabsf(m[3]) > 1e-4f || fabsf(m[7]) > 1e-4f || fabsf(m[11]) > 1e-4f ||
                 fabsf(m[15] - 1) > 1e-4f);
}

static supple_result convert_matrix(supplei_loader *loader, uint32_t user, uint32_t joint,
                                    const float m[16], supple_affine64 *out) {
  if (supplei_first_non_finite(m, 16) < 16)
    return supplei_loader_fail(loader, user, SUPPLE_ERROR_NUMBER,
                               "the matrix of joint %u is not finite", (unsigned)joint);
  if (is_projective(m))
    return supplei_loader_wrong(loader, user,
                                "the fourth row of the matrix of joint %u must be 0, 0, 0, 1",
                                (unsigned)joint);
  double columns[16];
  for (int i = 0; i < 16; i++) columns[i] = (double)m[i];
  *out = supple_affine64_from_columns(columns);
  supple_affine64 inverse;
  if (!supple_affine64_inverse(out, &inverse))
    supplei_loader_note(loader, user, "the matrix of joint %u is singular; kept as it is",
                        (unsigned)joint);
  return SUPPLE_OK;
}

/* The first `count` of elements: many skins may share an accessor that is much longer than they
 * need. */
static supplei_elements first_elements(supplei_elements elements, uint32_t count) {
  uint32_t low = 0, high = elements.sparse_count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (supplei_sparse_index(&elements, middle) < count)
      low = middle + 1;
    else
      high = middle;
  }
  elements.sparse_count = low;
  elements.count = count;
  return elements;
}

static supple_result read_inverse_binds(supplei_loader *loader, uint32_t object, supple_skin *skin) {
  static const supplei_shape shape = {4, 4, SUPPLEI_TYPE_F32};
  supple_affine64 *matrices =
      supplei_loader_allocate(loader, skin->joint_count, sizeof *matrices, "inverse bind matrices");
  if (!matrices) return supplei_loader_memory_result(loader);
  skin->inverse_binds = matrices;
  for (uint32_t i = 0; i < skin->joint_count; i++) matrices[i] = supple_affine64_identity();

  supplei_accessor *accessor;
  supple_result result =
      supplei_accessor_get(loader, object, "inverseBindMatrices", shape, &accessor);
  if (result || !accessor) return result;
  uint32_t user = supplei_json_member(&loader->json, object, "inverseBindMatrices");
  if (accessor->elements.count < skin->joint_count)
    return supplei_loader_wrong(loader, user, "accessor %u has %u matrices for %u joints",
                                (unsigned)accessor->index, (unsigned)accessor->elements.count,
                                (unsigned)skin->joint_count);
  if ((result = supplei_accessor_open(loader, accessor))) return result;
  supplei_elements used = first_elements(accessor->elements, skin->joint_count);
  float *values = supplei_allocate(&loader->allocator, used.count, 16 * sizeof *values);
  if (!values) return supplei_fail_memory(loader->error, 64 * (size_t)used.count, "matrices");
  supplei_elements_to_floats(&used, values, 16);
  for (uint32_t i = 0; i < used.count && !result; i++)
    result = convert_matrix(loader, user, i, values + 16 * (size_t)i, &matrices[i]);
  supplei_release(&loader->allocator, values, used.count, 16 * sizeof *values);
  return result;
}

/* ---- joints ---- */

static supple_result read_joints(supplei_loader *loader, uint32_t object, supple_skin *skin) {
  uint32_t array;
  supple_result result = supplei_require(loader, object, "joints", SUPPLEI_JSON_ARRAY, &array);
  if (result) return result;
  uint32_t count = supplei_node(loader, array)->count, json = array + 1;
  if (!count)
    return supplei_loader_wrong(loader, array, "is empty; a skin needs at least one joint");
  if (count > loader->limits.joints)
    return supplei_loader_fail(loader, array, SUPPLE_ERROR_LIMIT,
                               "%u joints, more than limits.joints allows (%u)", (unsigned)count,
                               (unsigned)loader->limits.joints);
  uint32_t *joints = supplei_loader_allocate(loader, count, sizeof *joints, "the joints of a skin");
  if (!joints) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count && !result; i++, json = supplei_node(loader, json)->next)
    result = supplei_read_index(loader, json, loader->nodes.count, "nodes", &joints[i]);
  skin->joints = joints;
  skin->joint_count = count;
  return result;
}

static bool is_below(const supplei_loader *loader, uint32_t node, uint32_t ancestor) {
  return loader->positions[node] - loader->positions[ancestor] < loader->subtree_sizes[ancestor];
}

/* Finds the parent of every joint within the skin, duplicates, and whether the joints have a
 * common root. In the order of the hierarchy a subtree is one range, so the joints above the
 * current one are a stack. */
static supple_result relate_joints(supplei_loader *loader, uint32_t object, supple_skin *skin,
                                   uint64_t *sorted, uint32_t *parents) {
  uint32_t count = skin->joint_count;
  uint64_t *stack = sorted + count; /* once sorted, the space for sorting is free */
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = (uint64_t)loader->positions[skin->joints[i]] << 32 | i;
  supplei_merge_sort(sorted, stack, count, NULL, NULL);
  uint32_t depth = 0;
  bool common = true;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t joint = (uint32_t)sorted[i], node = skin->joints[joint];
    if (i && sorted[i - 1] >> 32 == sorted[i] >> 32)
      return supplei_loader_wrong(loader, supplei_json_member(&loader->json, object, "joints"),
                                  "names node %u twice (joints %u and %u)", (unsigned)node,
                                  (unsigned)(uint32_t)sorted[i - 1], (unsigned)joint);
    while (depth && !is_below(loader, node, skin->joints[stack[depth - 1]])) depth--;
    parents[joint] = depth ? (uint32_t)stack[depth - 1] : SUPPLE_NONE;
    stack[depth++] = joint;
    common &= loader->roots[node] == loader->roots[skin->joints[0]];
  }
  if (!common)
    supplei_loader_note(loader, supplei_json_member(&loader->json, object, "joints"),
                        "the joints have no common root; each is taken as it is");
  return SUPPLE_OK;
}

static supple_result read_parents(supplei_loader *loader, uint32_t object, supple_skin *skin) {
  uint32_t count = skin->joint_count;
  uint32_t *parents =
      supplei_loader_allocate(loader, count, sizeof *parents, "the joints of a skin");
  if (!parents) return supplei_loader_memory_result(loader);
  skin->parents = parents;
  uint64_t *sorted = supplei_allocate(&loader->allocator, count, 2 * sizeof *sorted);
  if (!sorted)
    return supplei_fail_memory(loader->error, 16 * (size_t)count, "the joints of a skin");
  supple_result result = relate_joints(loader, object, skin, sorted, parents);
  supplei_release(&loader->allocator, sorted, count, 2 * sizeof *sorted);
  return result;
}

static supple_result read_skeleton(supplei_loader *loader, uint32_t object, supple_skin *skin) {
  skin->skeleton = SUPPLE_NONE;
  supple_result result =
      supplei_get_index(loader, object, "skeleton", loader->nodes.count, "nodes", &skin->skeleton);
  if (result || skin->skeleton == SUPPLE_NONE) return result;
  for (uint32_t i = 0; i < skin->joint_count; i++) {
    if (is_below(loader, skin->joints[i], skin->skeleton)) continue;
    supplei_loader_note(loader, supplei_json_member(&loader->json, object, "skeleton"),
                        "node %u is not above joint %u; ignored", (unsigned)skin->skeleton,
                        (unsigned)i);
    break;
  }
  return SUPPLE_OK;
}

/* extras.skinningMethod, in the words of UsdSkel. Extras may hold anything, so nothing in them is refused. */
static void read_skinning_method(supplei_loader *loader, uint32_t object, supple_skin *skin) {
  static const char *const known[] = {"classicLinear", "dualQuaternion"};
  skin->skinning_method = "";
  uint32_t extras = supplei_json_member(&loader->json, object, "extras");
  if (extras == SUPPLE_NONE || supplei_node(loader, extras)->type != SUPPLEI_JSON_OBJECT) return;
  uint32_t method = supplei_json_member(&loader->json, extras, "skinningMethod");
  if (method == SUPPLE_NONE) return;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (supplei_json_equals(&loader->json, method, known[i])) {
      skin->skinning_method = known[i];
      return;
    }
  supplei_loader_note(loader, method,
                      "is neither \"classicLinear\" nor \"dualQuaternion\"; ignored");
}

supple_result supplei_read_skins(supplei_loader *loader) {
  uint32_t count = loader->skins.count;
  supple_skin *skins = supplei_loader_allocate(loader, count, sizeof *skins, "the skins");
  if (!skins) return supplei_loader_memory_result(loader);
  loader->asset->skins = skins;
  loader->asset->skin_count = count;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++) {
    uint32_t object = loader->skins.items[i];
    skins[i].index = i;
    result = supplei_get_string(loader, object, "name", &skins[i].name);
    if (!result) result = read_joints(loader, object, &skins[i]);
    if (!result) result = read_parents(loader, object, &skins[i]);
    if (!result) result = read_skeleton(loader, object, &skins[i]);
    if (!result) result = read_inverse_binds(loader, object, &skins[i]);
    if (!result) read_skinning_method(loader, object, &skins[i]);
  }
  return result;
}

/* ---- instances ---- */

static supple_result check_instance(supplei_loader *loader, uint32_t node, const supple_node *n) {
  const supple_mesh *mesh = &loader->asset->meshes[n->mesh];
  const supplei_mesh_facts *facts = &loader->mesh_facts[n->mesh];
  const supple_skin *skin = &loader->asset->skins[n->skin];
  for (uint32_t i = 0; !facts->all_influenced && i < mesh->primitive_count; i++)
    if (!mesh->primitives[i].influence_count)
      return supplei_loader_wrong(
          loader, loader->nodes.items[node], "has a skin, but primitive %u of mesh %u has no %s",
          (unsigned)i, (unsigned)n->mesh,
          mesh->primitives[i].vertex_count ? "JOINTS_0 and WEIGHTS_0" : "POSITION");
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0;
       facts->joint_limit > skin->joint_count && i < mesh->primitive_count && !result; i++)
    result = supplei_fail_joint(loader, &mesh->primitives[i], skin->joint_count, skin->index);
  return result;
}

supple_result supplei_read_instances(supplei_loader *loader) {
  const supple_skeleton *skeleton = &loader->asset->skeleton;
  uint32_t count = 0;
  for (uint32_t i = 0; i < skeleton->node_count; i++)
    count += skeleton->nodes[i].mesh != SUPPLE_NONE && skeleton->nodes[i].skin != SUPPLE_NONE;
  supple_instance *instances =
      supplei_loader_allocate(loader, count, sizeof *instances, "instances");
  if (!instances) return supplei_loader_memory_result(loader);
  loader->asset->instances = instances;
  loader->asset->instance_count = count;
  for (uint32_t i = 0, at = 0; i < skeleton->node_count; i++) {
    const supple_node *node = &skeleton->nodes[i];
    if (node->mesh == SUPPLE_NONE || node->skin == SUPPLE_NONE) continue;
    supple_result result = check_instance(loader, i, node);
    if (result) return result;
    instances[at] =
        (supple_instance){.node = i,
                          .mesh = node->mesh,
                          .skin = &loader->asset->skins[node->skin],
                          .primitives = loader->mesh_facts[node->mesh].pointers,
                          .primitive_count = loader->asset->meshes[node->mesh].primitive_count};
    if ((result = supplei_read_copies(loader, loader->nodes.items[i], &instances[at++])))
      return result;
  }
  return SUPPLE_OK;
}
