/* split_parts.c: the primitives of meshes that share skins, cut into parts of few joints. */
#include "../base/prologue.h"

#include "split_parts.h"

#include <string.h>

/* ---- the joints of elements ---- */

/* Puts a joint into an ascending list, once. */
static uint32_t put_joint(uint16_t *list, uint32_t count, uint16_t joint) {
  uint32_t at = count;
  while (at > 0 && list[at - 1] > joint) at--;
  if (at > 0 && list[at - 1] == joint) return count;
  memmove(list + at + 1, list + at, (count - at) * sizeof *list);
  list[at] = joint;
  return count + 1;
}

static uint32_t put_vertex(const supple_primitive *primitive, uint32_t vertex, uint16_t *list,
                           uint32_t count) {
  const uint32_t width = primitive->influence_count;
  const uint16_t *joints = primitive->joints + (size_t)vertex * width;
  const float *weights = primitive->weights + (size_t)vertex * width;
  bool any = false;
  for (uint32_t k = 0; k < width; k++) {
    if (weights[k] == 0) continue;
    count = put_joint(list, count, joints[k]);
    any |= weights[k] > 0;
  }
  if (!any && width) count = put_joint(list, count, joints[0]);
  return count;
}

static supple_result count_elements(supplei_split *split) {
  const supple_asset *asset = split->asset;
  uint64_t elements = 0, joints = 0;
  uint32_t primitives = 0;
  for (uint32_t m = 0; m < asset->mesh_count; m++) {
    split->first_primitives[m] = primitives;
    split->first_elements[m] = (uint32_t)elements;
    primitives += asset->meshes[m].primitive_count;
    for (uint32_t p = 0; split->meshes[m] && p < asset->meshes[m].primitive_count; p++) {
      const supple_primitive *primitive = &asset->meshes[m].primitives[p];
      elements += supplei_split_elements(primitive);
      joints += (uint64_t)primitive->index_count * (primitive->influence_count + 1);
    }
    if (elements >= SUPPLE_NONE || joints >= SUPPLE_NONE)
      return supplei_fail(split->fix->error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                          "meshes of more than 4 billion influences cannot be split");
  }
  split->first_primitives[asset->mesh_count] = primitives;
  split->element_count = (uint32_t)elements;
  split->joint_capacity = (size_t)joints;
  return SUPPLE_OK;
}

static void gather_joints(supplei_split *split) {
  uint32_t at = 0, element = 0;
  for (uint32_t m = 0; m < split->asset->mesh_count; m++)
    for (uint32_t p = 0; split->meshes[m] && p < split->asset->meshes[m].primitive_count; p++) {
      const supple_primitive *primitive = &split->asset->meshes[m].primitives[p];
      const uint32_t corners = supplei_split_corners(primitive),
                     count = supplei_split_elements(primitive);
      for (uint32_t e = 0; e < count; e++) {
        uint32_t n = 0;
        for (uint32_t c = 0; c < corners; c++)
          n = put_vertex(primitive, primitive->indices[(size_t)e * corners + c], split->joints + at,
                         n);
        split->begins[element++] = at;
        at += n;
      }
    }
  split->begins[element] = at;
}

static void name_culprit(const supplei_split *split, uint32_t element, uint32_t *mesh,
                         uint32_t *primitive, uint32_t *needed) {
  *needed = split->begins[element + 1] - split->begins[element];
  for (uint32_t m = 0; m < split->asset->mesh_count; m++) {
    uint32_t first = split->first_elements[m];
    for (uint32_t p = 0; split->meshes[m] && p < split->asset->meshes[m].primitive_count; p++) {
      const uint32_t count = supplei_split_elements(&split->asset->meshes[m].primitives[p]);
      if (element >= first && element - first < count) {
        *mesh = m, *primitive = p;
        return;
      }
      first += count;
    }
  }
}

static bool allocate_tables(supplei_split *split) {
  const supple_allocator *a = &split->fix->allocator;
  const size_t meshes = split->asset->mesh_count;
  const size_t primitives = split->first_primitives[meshes];
  const size_t parts = split->partition.part_count;
  split->pieces = supplei_allocate_zero(a, primitives * parts, sizeof *split->pieces);
  split->mesh_numbers = supplei_allocate(a, meshes * parts, sizeof *split->mesh_numbers);
  if (!split->pieces || !split->mesh_numbers) return false;
  for (size_t i = 0; i < primitives * parts; i++) split->pieces[i].now = SUPPLE_NONE;
  for (size_t i = 0; i < meshes * parts; i++) split->mesh_numbers[i] = SUPPLE_NONE;
  return true;
}

supple_result supplei_split_find(supplei_split *split, uint32_t most, uint32_t *mesh,
                                 uint32_t *primitive, uint32_t *needed) {
  const supple_allocator *a = &split->fix->allocator;
  const size_t meshes = split->asset->mesh_count;
  split->first_elements = supplei_allocate(a, meshes, sizeof *split->first_elements);
  split->first_primitives = supplei_allocate_zero(a, meshes + 1, sizeof *split->first_primitives);
  if (!split->first_elements || !split->first_primitives)
    return supplei_fix_no_memory(split->fix, "primitives");
  supple_result result = count_elements(split);
  if (result) return result;
  split->joints = supplei_allocate(a, split->joint_capacity, sizeof *split->joints);
  split->begins = supplei_allocate(a, (size_t)split->element_count + 1, sizeof *split->begins);
  if (!split->joints || !split->begins) return supplei_fix_no_memory(split->fix, "triangles");
  gather_joints(split);
  const supplei_joint_sets sets = {split->joints, split->begins, split->element_count};
  uint32_t culprit = 0;
  result = supplei_partition_joints(&split->partition, &sets, most, a, &culprit);
  if (result == SUPPLE_ERROR_LIMIT) name_culprit(split, culprit, mesh, primitive, needed);
  if (result == SUPPLE_ERROR_MEMORY) supplei_fix_no_memory(split->fix, "triangles");
  if (result) return result;
  return allocate_tables(split) ? SUPPLE_OK : supplei_fix_no_memory(split->fix, "parts");
}

void supplei_split_release(supplei_split *split) {
  const supple_allocator *a = &split->fix->allocator;
  const size_t meshes = split->asset->mesh_count, parts = split->partition.part_count;
  const size_t primitives = split->first_primitives ? split->first_primitives[meshes] : 0;
  supplei_release(a, split->mesh_numbers, meshes * parts, sizeof *split->mesh_numbers);
  supplei_release(a, split->pieces, primitives * parts, sizeof *split->pieces);
  supplei_release(a, split->begins, (size_t)split->element_count + 1, sizeof *split->begins);
  supplei_release(a, split->joints, split->joint_capacity, sizeof *split->joints);
  supplei_release(a, split->first_primitives, meshes + 1, sizeof *split->first_primitives);
  supplei_release(a, split->first_elements, meshes, sizeof *split->first_elements);
  if (split->partition.allocator.allocate) supplei_partition_free(&split->partition);
}

/* ---- meshes ---- */

/* The vertices of a primitive that elements of a part use, ascending. */
static supple_result find_sources(supplei_split *split, const supple_primitive *primitive,
                                  uint32_t first_element, uint32_t part, uint8_t *used,
                                  supplei_split_piece *piece) {
  const uint32_t corners = supplei_split_corners(primitive),
                 elements = supplei_split_elements(primitive);
  memset(used, 0, primitive->vertex_count);
  for (uint32_t e = 0; e < elements; e++)
    if (split->partition.parts[first_element + e] == part)
      for (uint32_t c = 0; c < corners; c++) used[primitive->indices[(size_t)e * corners + c]] = 1;
  for (uint32_t v = 0; v < primitive->vertex_count; v++) piece->count += used[v];
  if (!piece->count) return SUPPLE_OK;
  uint32_t *sources =
      supplei_arena_allocate(&split->fix->arena, piece->count, sizeof *piece->sources);
  if (!sources) return supplei_fix_no_memory(split->fix, "vertices");
  uint32_t at = 0;
  for (uint32_t v = 0; v < primitive->vertex_count; v++)
    if (used[v]) sources[at++] = v;
  piece->sources = sources;
  return SUPPLE_OK;
}

/* The primitives of a part of a mesh; *count 0: there is none. */
static supple_result put_primitives(supplei_split *split, uint32_t mesh, uint32_t part,
                                    supplei_output *json, uint32_t *count) {
  const supple_mesh *from = &split->asset->meshes[mesh];
  const uint32_t parts = split->partition.part_count;
  uint32_t element = split->first_elements[mesh];
  supple_result result = SUPPLE_OK;
  *count = 0;
  for (uint32_t p = 0; !result && p < from->primitive_count; p++) {
    const supple_primitive *primitive = &from->primitives[p];
    supplei_split_piece *piece =
        &split->pieces[((size_t)split->first_primitives[mesh] + p) * parts + part];
    uint8_t *used = supplei_allocate(&split->fix->allocator, primitive->vertex_count, 1);
    if (!used) return supplei_fix_no_memory(split->fix, "vertices");
    result = find_sources(split, primitive, element, part, used, piece);
    supplei_release(&split->fix->allocator, used, primitive->vertex_count, 1);
    element += supplei_split_elements(primitive);
    if (result || !piece->count) continue;
    piece->now = (*count)++;
    if (piece->now) supplei_output_text(json, ",");
    result = supplei_split_put_primitive(split, json, mesh, p, part, piece);
  }
  return result;
}

/* The first part that something of the mesh is left in takes the mesh's place; since pieces are written from the
 * primitives as they were, that one is put there at the end. */
static supple_result write_mesh(supplei_split *split, uint32_t mesh) {
  static const char *const without[] = {"primitives", NULL};
  supple_document *document = split->fix->document;
  const supple_value meshes = supple_document_member(document, 0, "meshes");
  const uint32_t parts = split->partition.part_count;
  supplei_output first = {.allocator = split->fix->allocator};
  supple_result result = SUPPLE_OK;
  bool any = false;
  for (uint32_t part = 0; !result && part < parts; part++) {
    supplei_output json = {.allocator = split->fix->allocator};
    uint32_t count;
    const supple_value object = supple_document_child(document, meshes, mesh);
    supplei_output_text(&json, any ? "{\"primitives\":[" : "[");
    result = put_primitives(split, mesh, part, &json, &count);
    supplei_output_text(&json, "]");
    if (any) {
      supplei_fix_put_members(&json, document, object, without, false);
      supplei_output_text(&json, "}");
    }
    supplei_output_put(&json, "", 1);
    if (!result && json.failed) result = supplei_fix_no_memory(split->fix, "meshes");
    if (!result && count && any) {
      split->mesh_numbers[(size_t)mesh * parts + part] = supple_document_count(document, meshes);
      result =
          supple_document_insert(document, meshes, SUPPLE_NONE, json.data, NULL, split->fix->error);
    } else if (!result && count) {
      split->mesh_numbers[(size_t)mesh * parts + part] = mesh;
      first = json;
      any = true;
      continue;
    }
    supplei_output_release(&json);
  }
  if (!result && any)
    result = supple_document_set(document, supple_document_child(document, meshes, mesh),
                                 "primitives", first.data, NULL, split->fix->error);
  supplei_output_release(&first);
  return result;
}

supple_result supplei_split_write_meshes(supplei_split *split) {
  supple_result result = SUPPLE_OK;
  for (uint32_t m = 0; !result && m < split->asset->mesh_count; m++)
    if (split->meshes[m]) result = write_mesh(split, m);
  return result;
}
