/* split_pieces.c: what is left of a primitive in a part, with accessors of its own. */
#include "../base/prologue.h"

#include "../gltf/document_state.h"
#include "split_parts.h"

#include <stdio.h>
#include <string.h>

enum { SET_WIDTH = 4, TARGET_ATTRIBUTES = 34962, TARGET_INDICES = 34963 };

/* ---- accessors ---- */

/* One number as it is stored: of the small types from its value as a float, which is exact; of the others as it is. */
static void store(void *out, supplei_component component, const void *number) {
  float value = 0;
  if (component == SUPPLEI_F32 || component == SUPPLEI_U32) {
    memcpy(out, number, 4);
    return;
  }
  memcpy(&value, number, sizeof value);
  const int whole = (int)value;
  const int16_t wide = (int16_t)whole;
  const uint16_t unsigned_wide = (uint16_t)whole;
  const int8_t narrow = (int8_t)whole;
  const uint8_t unsigned_narrow = (uint8_t)whole;
  switch (component) {
  case SUPPLEI_I8: memcpy(out, &narrow, sizeof narrow); break;
  case SUPPLEI_U8: memcpy(out, &unsigned_narrow, sizeof unsigned_narrow); break;
  case SUPPLEI_I16: memcpy(out, &wide, sizeof wide); break;
  default: memcpy(out, &unsigned_wide, sizeof unsigned_wide); break;
  }
}

/* All elements as stored, four bytes a number: floats, or unsigned integers of 32 bits. */
static void decode(supplei_elements elements, void *numbers, size_t width) {
  elements.normalized = false;
  if (elements.component == SUPPLEI_U32 && elements.columns == 1)
    supplei_elements_to_u32(&elements, numbers, width);
  else
    supplei_elements_to_floats(&elements, numbers, width);
}

supple_result supplei_split_gather(supplei_fix *fix, uint32_t accessor, const uint32_t *vertices,
                                   uint32_t count, bool bounds, uint32_t *added) {
  supplei_document_array array;
  supple_result result = supplei_document_array_open(fix->document, accessor, &array, fix->error);
  if (result) return result;
  const supplei_elements *e = &array.elements;
  const size_t width = (size_t)e->rows * e->columns, size = supplei_component_size(e->component);
  float *numbers = supplei_allocate(&fix->allocator, e->count * width, sizeof *numbers);
  unsigned char *data = supplei_allocate(&fix->allocator, count * width, size);
  if (numbers && data) {
    decode(*e, numbers, width);
    for (uint32_t v = 0; v < count && vertices[v] < e->count; v++)
      for (size_t c = 0; c < width; c++)
        store(data + (v * width + c) * size, e->component, &numbers[vertices[v] * width + c]);
    const supple_accessor_data what = {
        .layout = {e->component, e->rows, e->columns, e->normalized, count},
        .data = data,
        .bounds = bounds,
        .target = TARGET_ATTRIBUTES};
    result = supple_document_add_accessor(fix->document, &what, added, fix->error);
  } else {
    result = supplei_fix_no_memory(fix, "vertices");
  }
  supplei_release(&fix->allocator, data, count * width, size);
  supplei_release(&fix->allocator, numbers, array.elements.count * width, sizeof *numbers);
  return result;
}

/* The place of a joint among those of a part; joints of elements in it are there. */
static uint32_t place_of(const supplei_partition *partition, uint32_t part, uint16_t joint) {
  uint32_t begin = partition->joint_begins[part], end = partition->joint_begins[part + 1];
  while (begin + 1 < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (partition->joints[middle] <= joint)
      begin = middle;
    else
      end = middle;
  }
  return begin - partition->joint_begins[part];
}

/* A set of joints, numbered as the part numbers them. A joint without weight becomes 0, but for the first of a vertex
 * that has none at all, which it belongs to. */
static supple_result add_joints(supplei_split *split, const supple_primitive *primitive,
                                uint32_t accessor, uint32_t set, uint32_t part,
                                const supplei_split_piece *piece, uint32_t *added) {
  supplei_fix *fix = split->fix;
  supple_accessor_layout layout;
  supple_result result = supple_document_accessor(fix->document, accessor, &layout, fix->error);
  if (result) return result;
  const size_t size = layout.component == SUPPLEI_U8 ? 1 : 2,
               count = (size_t)piece->count * SET_WIDTH;
  unsigned char *data = supplei_allocate(&fix->allocator, count, size);
  if (!data) return supplei_fix_no_memory(fix, "joints");
  for (size_t i = 0; i < count; i++) {
    const uint32_t width = primitive->influence_count;
    const uint32_t slot = set * SET_WIDTH + (uint32_t)(i % SET_WIDTH);
    const float *weights = primitive->weights + (size_t)piece->sources[i / SET_WIDTH] * width;
    const uint16_t *joints = primitive->joints + (size_t)piece->sources[i / SET_WIDTH] * width;
    bool belongs = weights[slot] != 0;
    if (slot == 0 && !belongs) {
      belongs = true;
      for (uint32_t k = 0; k < width; k++) belongs &= !(weights[k] > 0);
    }
    const float place = belongs ? (float)place_of(&split->partition, part, joints[slot]) : 0;
    store(data + i * size, size == 1 ? SUPPLEI_U8 : SUPPLEI_U16, &place);
  }
  layout.count = piece->count;
  layout.component = size == 1 ? SUPPLEI_U8 : SUPPLEI_U16;
  layout.normalized = false;
  const supple_accessor_data what = {.layout = layout, .data = data, .target = TARGET_ATTRIBUTES};
  result = supple_document_add_accessor(fix->document, &what, added, fix->error);
  supplei_release(&fix->allocator, data, count, size);
  return result;
}

static uint32_t new_vertex(const supplei_split_piece *piece, uint32_t source) {
  uint32_t begin = 0, end = piece->count;
  while (begin + 1 < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    if (piece->sources[middle] <= source)
      begin = middle;
    else
      end = middle;
  }
  return begin;
}

static supple_result add_indices(supplei_split *split, const supple_primitive *primitive,
                                 uint32_t first_element, uint32_t part,
                                 const supplei_split_piece *piece, uint32_t *added) {
  supplei_fix *fix = split->fix;
  const uint32_t corners = supplei_split_corners(primitive);
  const bool wide = piece->count > 65535; /* 65,535 itself restarts strips */
  const size_t size = wide ? 4 : 2;
  unsigned char *data = supplei_allocate(&fix->allocator, primitive->index_count, size);
  if (!data) return supplei_fix_no_memory(fix, "indices");
  uint32_t count = 0;
  for (uint32_t i = 0; i < primitive->index_count / corners * corners; i++) {
    if (split->partition.parts[first_element + i / corners] != part) continue;
    const uint32_t vertex = new_vertex(piece, primitive->indices[i]);
    const uint16_t narrow = (uint16_t)vertex;
    if (wide)
      memcpy(data + count * size, &vertex, size);
    else
      memcpy(data + count * size, &narrow, size);
    count++;
  }
  const supple_accessor_data what = {.layout = {wide ? SUPPLEI_U32 : SUPPLEI_U16, 1, 1, false, count},
                                     .data = data,
                                     .target = TARGET_INDICES};
  const supple_result result = supple_document_add_accessor(fix->document, &what, added, fix->error);
  supplei_release(&fix->allocator, data, primitive->index_count, size);
  return result;
}

/* ---- JSON ---- */

/* The attributes of a primitive or a target with new accessors. `joints`: JOINTS_n are renumbered. */
static supple_result put_attributes(supplei_split *split, supplei_output *json,
                                    supple_value attributes, const supple_primitive *primitive,
                                    uint32_t part, const supplei_split_piece *piece, bool joints) {
  const supple_document *document = split->fix->document;
  supple_result result = SUPPLE_OK;
  supplei_output_text(json, "{");
  for (uint32_t i = 0; !result && i < supple_document_count(document, attributes); i++) {
    const supple_value member = supple_document_child(document, attributes, i);
    const char *key = supple_document_key(document, member);
    const uint32_t accessor = supple_document_index(document, member);
    uint32_t added = 0;
    supplei_fix_put_key(json, key, i == 0);
    unsigned set = 0;
    for (const char *digit = key + (joints && !strncmp(key, "JOINTS_", 7) ? 7 : strlen(key));
         *digit >= '0' && *digit <= '9'; digit++)
      set = 10 * set + (unsigned)(*digit - '0');
    if (joints && !strncmp(key, "JOINTS_", 7) && set * SET_WIDTH < primitive->influence_count)
      result = add_joints(split, primitive, accessor, set, part, piece, &added);
    else
      result = supplei_split_gather(split->fix, accessor, piece->sources, piece->count,
                                    !strcmp(key, "POSITION"), &added);
    supplei_fix_put_index(json, added);
  }
  supplei_output_text(json, "}");
  return result;
}

static supple_result put_targets(supplei_split *split, supplei_output *json, supple_value object,
                                 const supple_primitive *primitive, uint32_t part,
                                 const supplei_split_piece *piece) {
  const supple_document *document = split->fix->document;
  const supple_value targets = supple_document_member(document, object, "targets");
  supple_result result = SUPPLE_OK;
  if (targets == SUPPLE_NONE) return SUPPLE_OK;
  supplei_fix_put_key(json, "targets", false);
  supplei_output_text(json, "[");
  for (uint32_t t = 0; !result && t < supple_document_count(document, targets); t++) {
    if (t) supplei_output_text(json, ",");
    result = put_attributes(split, json, supple_document_child(document, targets, t), primitive,
                            part, piece, false);
  }
  supplei_output_text(json, "]");
  return result;
}

supple_result supplei_split_put_primitive(supplei_split *split, supplei_output *json, uint32_t mesh,
                                          uint32_t primitive, uint32_t part,
                                          const supplei_split_piece *piece) {
  static const char *const without[] = {"attributes", "indices", "targets", "mode", NULL};
  const supple_document *document = split->fix->document;
  const supple_value object = supplei_fix_primitive(document, mesh, primitive);
  const supple_mesh *from = &split->asset->meshes[mesh];
  const supple_primitive *source = &from->primitives[primitive];
  uint32_t element = split->first_elements[mesh], indices = 0;
  for (uint32_t p = 0; p < primitive; p++) element += supplei_split_elements(&from->primitives[p]);
  supplei_output_text(json, "{\"attributes\":");
  supple_result result =
      put_attributes(split, json, supple_document_member(document, object, "attributes"), source,
                     part, piece, true);
  if (!result) result = add_indices(split, source, element, part, piece, &indices);
  supplei_fix_put_key(json, "indices", false);
  supplei_fix_put_index(json, indices);
  if (source->topology != SUPPLE_TOPOLOGY_TRIANGLES)
    supplei_output_text(json,
                        source->topology == SUPPLE_TOPOLOGY_LINES ? ",\"mode\":1" : ",\"mode\":0");
  if (!result) result = put_targets(split, json, object, source, part, piece);
  supplei_fix_put_members(json, document, object, without, false);
  supplei_output_text(json, "}");
  return result;
}
