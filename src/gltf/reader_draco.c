/* reader_draco.c: primitives that KHR_draco_mesh_compression compresses.
 *
 * What is decoded of a primitive stands in accessors of its own, copies of those that the file names: another
 * primitive may name the same ones with other data. */
#include "../base/prologue.h"

#include "accessor.h"
#include "topology.h"

static const char extension_name[] = "KHR_draco_mesh_compression";

/* What was decoded. */
typedef struct draco_part {
  uint32_t user; /* the JSON node that names the accessor */
  supplei_accessor accessor;
  struct draco_part *next;
} draco_part;

struct supplei_draco {
  uint32_t node, attributes,
      ids;    /* JSON: the extension, the primitive's attributes, the extension's */
  void *mesh; /* of the codec */
  uint32_t point_count, index_count;
  draco_part *parts;
  supplei_accessor *indices; /* NULL: not yet */
};

/* ---- opening ---- */

/* Without a decoder: is there something else in the place of everything that is compressed? */
static supple_result check_fallback(supplei_loader *loader, uint32_t attributes, uint32_t node,
                                    uint32_t ids) {
  static const supplei_shape any = {0};
  static const char *const keys[] = {"POSITION", "NORMAL", "TANGENT", "JOINTS_0", "WEIGHTS_0"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    supplei_accessor *accessor;
    if (ids != SUPPLE_NONE && supplei_json_member(&loader->json, ids, keys[i]) == SUPPLE_NONE)
      continue;
    supple_result result = supplei_accessor_get(loader, attributes, keys[i], any, &accessor);
    if (result) return result;
    if (accessor && accessor->view == SUPPLE_NONE && !accessor->elements.sparse_count)
      return supplei_loader_fail(loader, node, SUPPLE_ERROR_UNSUPPORTED, SUPPLEI_NEEDS_DRACO,
                                 extension_name);
  }
  return SUPPLE_OK;
}

/* Why the codec did not open `size` bytes. */
static supple_result fail_open(supplei_loader *loader, uint32_t node, supple_result result,
                               size_t size, size_t most_triangles) {
  switch (result) {
  case SUPPLE_ERROR_MEMORY: return supplei_fail_memory(loader->error, size, "a Draco mesh");
  case SUPPLE_ERROR_LIMIT:
    return supplei_loader_fail(loader, node, result,
                               "more vertices than limits.vertices allows (%u), or more triangles "
                               "(%zu) than limits.memory_bytes does",
                               (unsigned)loader->limits.vertices, most_triangles);
  case SUPPLE_ERROR_UNSUPPORTED:
    return supplei_loader_fail(loader, node, result,
                               "its compressed data is of a kind that the decoder does not know");
  default: return supplei_loader_wrong(loader, node, "its compressed data is damaged");
  }
}

static supple_result open_mesh(supplei_loader *loader, uint32_t primitive,
                               struct supplei_draco *draco) {
  const supple_codecs *codecs = loader->options->codecs;
  const unsigned char *data = NULL;
  uint32_t node, view;
  uint64_t mode = SUPPLEI_MODE_TRIANGLES;
  size_t size = 0;
  supple_result result = supplei_get_unsigned(loader, primitive, "mode", 0, 6, &mode);
  if (!result && mode != SUPPLEI_MODE_TRIANGLES && mode != SUPPLEI_MODE_TRIANGLE_STRIP)
    return supplei_loader_wrong(loader, draco->node,
                                "compresses a primitive of mode %u; only 4 and 5 can be",
                                (unsigned)mode);
  if (!result)
    result = supplei_require(loader, draco->node, "bufferView", SUPPLEI_JSON_NUMBER, &node);
  if (!result) result = supplei_read_index(loader, node, loader->views.count, "bufferViews", &view);
  if (!result) result = supplei_view_bytes(loader, view, &data, &size);
  if (result) return result;
  /* A decoder needs some 64 bytes a triangle besides what comes out. */
  const size_t limit = loader->limits.memory_bytes, used = loader->arena.total;
  const size_t triangles = used < limit ? (limit - used) / 64 : 0;
  draco->point_count = loader->limits.vertices;
  draco->index_count = triangles < UINT32_MAX / 3 ? 3 * (uint32_t)triangles : UINT32_MAX;
  result = codecs->draco_open(codecs->user, data, size, &draco->mesh, &draco->point_count,
                              &draco->index_count);
  if (result) {
    draco->mesh = NULL;
    return fail_open(loader, draco->node, result, size, triangles);
  }
  if (draco->point_count > loader->limits.vertices)
    return fail_open(loader, draco->node, SUPPLE_ERROR_LIMIT, size, triangles);
  if (!draco->point_count || draco->index_count % 3)
    return supplei_loader_wrong(loader, draco->node, "its compressed data has no vertex");
  return SUPPLE_OK;
}

supple_result supplei_draco_begin(supplei_loader *loader, uint32_t primitive, uint32_t attributes) {
  const supple_codecs *codecs = loader->options->codecs;
  uint32_t ids, node = supplei_extension(loader, primitive, extension_name);
  if (node == SUPPLE_NONE || loader->options->structure_only) return SUPPLE_OK;
  if (supplei_node(loader, node)->type != SUPPLEI_JSON_OBJECT)
    return supplei_loader_wrong(loader, node, "must be an object");
  supple_result result = supplei_get(loader, node, "attributes", SUPPLEI_JSON_OBJECT, &ids);
  if (result) return result;
  if (!codecs || !codecs->draco_open) return check_fallback(loader, attributes, node, ids);
  result = supplei_require(loader, node, "attributes", SUPPLEI_JSON_OBJECT, &ids);
  if (result) return result;
  struct supplei_draco *draco = supplei_loader_scratch(loader, 1, sizeof *draco, "a Draco mesh");
  if (!draco) return supplei_loader_memory_result(loader);
  *draco = (struct supplei_draco){.node = node, .attributes = attributes, .ids = ids};
  loader->draco = draco;
  return open_mesh(loader, primitive, draco);
}

void supplei_draco_end(supplei_loader *loader) {
  const supple_codecs *codecs = loader->options->codecs;
  if (loader->draco && loader->draco->mesh) codecs->draco_close(codecs->user, loader->draco->mesh);
  loader->draco = NULL;
}

/* ---- decoding ---- */

static supple_result read_values(supplei_loader *loader, uint32_t node, uint32_t attribute,
                                 supplei_elements *e, unsigned char **out) {
  const supple_codecs *codecs = loader->options->codecs;
  size_t size = supplei_element_size(e->component, e->rows, e->columns);
  *out = supplei_loader_unpacked(loader, node, e->count, size, "a Draco attribute");
  if (!*out) return supplei_loader_memory_result(loader);
  supple_result result =
      codecs->draco_read(codecs->user, loader->draco->mesh, attribute, (uint32_t)e->component,
                         e->rows * (uint32_t)e->columns, *out);
  if (result == SUPPLE_ERROR_MEMORY)
    return supplei_fail_memory(loader->error, size * e->count, "a Draco attribute");
  if (!result) return SUPPLE_OK;
  if (attribute == SUPPLE_NONE)
    return supplei_loader_wrong(loader, node, "its compressed data has no triangles");
  return supplei_loader_wrong(
      loader, node,
      "the compressed data has no attribute %u with %u components that fit the "
      "accessor's componentType %u",
      (unsigned)attribute, (unsigned)(e->rows * e->columns), (unsigned)e->component);
}

/* An accessor of the primitive's own in the place of the one that `user` names. */
static supple_result decode_attribute(supplei_loader *loader, uint32_t user, uint32_t id,
                                      draco_part *part) {
  static const supplei_shape any = {0};
  supplei_accessor *named;
  uint32_t index;
  uint64_t attribute;
  unsigned char *data = NULL;
  if (!supplei_json_unsigned(&loader->json, id, UINT32_MAX - 1, &attribute))
    return supplei_loader_wrong(loader, id, "must be the unique id of an attribute");
  supple_result result =
      supplei_read_index(loader, user, loader->accessors.count, "accessors", &index);
  if (!result) result = supplei_accessor_read(loader, user, index, any, &named);
  if (result) return result;
  part->user = user;
  part->accessor = *named;
  part->accessor.opened = false;
  part->accessor.floats = NULL;
  supplei_elements *e = &part->accessor.elements;
  if (e->columns != 1)
    return supplei_loader_wrong(loader, user, "accessor %u has matrices, which Draco has not",
                                (unsigned)index);
  if (e->count != loader->draco->point_count)
    supplei_loader_note(loader, user,
                        "accessor %u has %u elements, but the compressed data %u; the data counts",
                        (unsigned)index, (unsigned)e->count, (unsigned)loader->draco->point_count);
  e->count = loader->draco->point_count;
  result = read_values(loader, id, (uint32_t)attribute, e, &data);
  return result ? result : supplei_accessor_supply(loader, &part->accessor, data);
}

supple_result supplei_draco_attribute(supplei_loader *loader, uint32_t object, const char *key,
                                      uint32_t user, supplei_accessor **accessor) {
  struct supplei_draco *draco = loader->draco;
  *accessor = NULL;
  if (!draco || object != draco->attributes) return SUPPLE_OK;
  for (draco_part *part = draco->parts; part; part = part->next)
    if (part->user == user) {
      *accessor = &part->accessor;
      return SUPPLE_OK;
    }
  uint32_t id = supplei_json_member(&loader->json, draco->ids, key);
  if (id == SUPPLE_NONE) return SUPPLE_OK;
  draco_part *part = supplei_loader_scratch(loader, 1, sizeof *part, "a Draco attribute");
  if (!part) return supplei_loader_memory_result(loader);
  supple_result result = decode_attribute(loader, user, id, part);
  if (result) return result;
  part->next = draco->parts;
  draco->parts = part;
  *accessor = &part->accessor;
  return SUPPLE_OK;
}

supple_result supplei_draco_indices(supplei_loader *loader, supplei_accessor **accessor) {
  struct supplei_draco *draco = loader->draco;
  unsigned char *data = NULL;
  *accessor = NULL;
  if (!draco || !draco->index_count) return SUPPLE_OK;
  if (!draco->indices) {
    supplei_accessor *indices =
        supplei_loader_scratch(loader, 1, sizeof *indices, "the indices of a Draco mesh");
    if (!indices) return supplei_loader_memory_result(loader);
    indices->known = true;
    indices->index = indices->view = SUPPLE_NONE;
    indices->elements = (supplei_elements){
        .count = draco->index_count, .component = SUPPLEI_U32, .rows = 1, .columns = 1};
    supple_result result = read_values(loader, draco->node, SUPPLE_NONE, &indices->elements, &data);
    if (!result) result = supplei_accessor_supply(loader, indices, data);
    if (result) return result;
    draco->indices = indices;
  }
  *accessor = draco->indices;
  return SUPPLE_OK;
}
