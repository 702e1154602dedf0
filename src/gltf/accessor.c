/* accessor.c: glTF accessors, checked against their views and buffers. */
#include "../base/prologue.h"

#include "accessor.h"

#include "buffers.h"

#include <string.h>

static const uint64_t largest_integer = UINT64_C(1) << 53;

/* ---- shape ---- */

static const struct {
  const char *name;
  uint8_t rows, columns;
} type_table[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                  {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};

static supple_result read_type(supplei_loader *loader, supplei_accessor *accessor) {
  uint32_t node;
  supple_result result = supplei_require(loader, accessor->node, "type", SUPPLEI_JSON_STRING, &node);
  if (result) return result;
  for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++) {
    if (!supplei_json_equals(&loader->json, node, type_table[i].name)) continue;
    accessor->elements.rows = type_table[i].rows;
    accessor->elements.columns = type_table[i].columns;
    return SUPPLE_OK;
  }
  return supplei_loader_wrong(loader, node, "must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
}

static supple_result read_component(supplei_loader *loader, uint32_t object, supplei_component *out) {
  uint32_t node;
  supple_result result =
      supplei_require(loader, object, "componentType", SUPPLEI_JSON_NUMBER, &node);
  if (result) return result;
  uint64_t value = 0;
  supplei_json_unsigned(&loader->json, node, 1 << 16, &value);
  *out = (supplei_component)value;
  if (value <= 1 << 16 && supplei_component_size(*out)) return SUPPLE_OK;
  return supplei_loader_wrong(loader, node, "must be 5120, 5121, 5122, 5123, 5125 or 5126");
}

supplei_type supplei_accessor_type(const supplei_accessor *accessor) {
  bool normalized = accessor->elements.normalized;
  switch (accessor->elements.component) {
  case SUPPLEI_I8: return normalized ? SUPPLEI_TYPE_I8_NORMALIZED : SUPPLEI_TYPE_I8;
  case SUPPLEI_U8: return normalized ? SUPPLEI_TYPE_U8_NORMALIZED : SUPPLEI_TYPE_U8;
  case SUPPLEI_I16: return normalized ? SUPPLEI_TYPE_I16_NORMALIZED : SUPPLEI_TYPE_I16;
  case SUPPLEI_U16: return normalized ? SUPPLEI_TYPE_U16_NORMALIZED : SUPPLEI_TYPE_U16;
  case SUPPLEI_U32: return SUPPLEI_TYPE_U32;
  case SUPPLEI_F32: break;
  }
  return SUPPLEI_TYPE_F32;
}

static const char *component_name(const supplei_elements *elements) {
  switch (elements->component) {
  case SUPPLEI_I8: return elements->normalized ? "normalised int8" : "int8";
  case SUPPLEI_U8: return elements->normalized ? "normalised uint8" : "uint8";
  case SUPPLEI_I16: return elements->normalized ? "normalised int16" : "int16";
  case SUPPLEI_U16: return elements->normalized ? "normalised uint16" : "uint16";
  case SUPPLEI_U32: return "uint32";
  case SUPPLEI_F32: break;
  }
  return "float";
}

static const char *shape_name(unsigned rows, unsigned columns) {
  for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
    if (type_table[i].rows == rows && type_table[i].columns == columns) return type_table[i].name;
  return "?";
}

static supple_result check_shape(supplei_loader *loader, uint32_t user,
                                 const supplei_accessor *accessor, supplei_shape shape) {
  const supplei_elements *e = &accessor->elements;
  if (shape.rows && (e->rows != shape.rows || e->columns != shape.columns))
    return supplei_loader_wrong(loader, user, "accessor %u is %s; it must be %s",
                                (unsigned)accessor->index, shape_name(e->rows, e->columns),
                                shape_name(shape.rows, shape.columns));
  if (shape.types && !(supplei_accessor_type(accessor) & shape.types))
    return supplei_loader_wrong(loader, user, "accessor %u is of %s, which is not allowed here",
                                (unsigned)accessor->index, component_name(e));
  return SUPPLE_OK;
}

/* ---- views ---- */

static supple_result read_view(supplei_loader *loader, uint32_t index, supplei_view **out) {
  supplei_view *v = *out = &loader->view_data[index];
  uint32_t node;
  uint64_t size = 0;
  if (v->known) return SUPPLE_OK;
  v->node = loader->views.items[index];
  supple_result result = supplei_require(loader, v->node, "buffer", SUPPLEI_JSON_NUMBER, &node);
  if (!result)
    result = supplei_read_index(loader, node, loader->buffers.count, "buffers", &v->buffer);
  if (!result) result = supplei_require(loader, v->node, "byteLength", SUPPLEI_JSON_NUMBER, &node);
  if (!result)
    result = supplei_get_unsigned(loader, v->node, "byteLength", 1, largest_integer, &v->length);
  if (!result)
    result = supplei_get_unsigned(loader, v->node, "byteOffset", 0, largest_integer, &v->offset);
  if (!result) result = supplei_get_unsigned(loader, v->node, "byteStride", 4, 252, &v->stride);
  if (!result) result = supplei_buffer_length(loader, v->buffer, &size);
  if (result) return result;
  if (v->offset > size || v->length > size - v->offset)
    return supplei_loader_wrong(loader, v->node, "bytes %llu to %llu of a buffer that has %llu",
                                (unsigned long long)v->offset,
                                (unsigned long long)v->offset + v->length, (unsigned long long)size);
  if ((result = supplei_meshopt_read(loader, v))) return result;
  v->known = true;
  return SUPPLE_OK;
}

/* Checks that `count` elements lie in a view and are aligned as glTF demands. */
static supple_result check_range(supplei_loader *loader, uint32_t user, const supplei_view *v,
                                 uint64_t offset, uint64_t stride, uint64_t count, uint64_t element,
                                 uint64_t component) {
  if (offset % component || (v->offset + offset) % component || stride % component)
    return supplei_loader_wrong(
        loader, user, "its elements do not lie at multiples of their component's %u bytes",
        (unsigned)component);
  if (stride < element)
    return supplei_loader_wrong(loader, v->node,
                                "byteStride %llu is less than the %llu bytes of an element",
                                (unsigned long long)stride, (unsigned long long)element);
  uint64_t bytes = stride * (count - 1) + element; /* < 2^40 */
  if (offset > v->length || bytes > v->length - offset)
    return supplei_loader_wrong(
        loader, user, "needs %llu bytes from byte %llu of a view that has %llu",
        (unsigned long long)bytes, (unsigned long long)offset, (unsigned long long)v->length);
  return SUPPLE_OK;
}

/* The bytes of a view. Where nothing can decompress it, what the file may have in the place of compressed bytes. */
static supple_result open_view(supplei_loader *loader, uint32_t index, const unsigned char **data) {
  supplei_view *v;
  supple_result result = read_view(loader, index, &v);
  if (result) return result;
  const supple_codecs *codecs = loader->options->codecs;
  if (v->codec && codecs && codecs->meshopt) return supplei_meshopt_unpack(loader, v, data);
  if (v->codec && !supplei_buffer_has_source(loader, v->buffer))
    return supplei_loader_fail(loader, v->node, SUPPLE_ERROR_UNSUPPORTED, SUPPLEI_NEEDS_MESHOPT,
                               v->codec);
  result = supplei_buffer_open(loader, v->buffer, data);
  if (!result) *data += v->offset;
  return result;
}

supple_result supplei_view_bytes(supplei_loader *loader, uint32_t index, const unsigned char **data,
                                 size_t *size) {
  supplei_view *v;
  supple_result result = read_view(loader, index, &v);
  if (!result && data) result = open_view(loader, index, data);
  if (!result) *size = (size_t)v->length;
  return result;
}

/* ---- sparse ---- */

static supple_result read_sparse_part(supplei_loader *loader, uint32_t sparse, const char *key,
                                      supplei_sparse_part *part) {
  uint32_t node;
  supple_result result = supplei_require(loader, sparse, key, SUPPLEI_JSON_OBJECT, &part->node);
  if (!result)
    result = supplei_require(loader, part->node, "bufferView", SUPPLEI_JSON_NUMBER, &node);
  if (!result)
    result = supplei_read_index(loader, node, loader->views.count, "bufferViews", &part->view);
  if (!result)
    result =
        supplei_get_unsigned(loader, part->node, "byteOffset", 0, largest_integer, &part->offset);
  return result;
}

static supple_result check_sparse_part(supplei_loader *loader, const supplei_sparse_part *part,
                                       uint64_t count, uint64_t element, uint64_t component) {
  supplei_view *v;
  supple_result result = read_view(loader, part->view, &v);
  return result
             ? result
             : check_range(loader, part->node, v, part->offset, element, count, element, component);
}

static supple_result read_sparse(supplei_loader *loader, supplei_accessor *accessor) {
  uint32_t sparse, node;
  uint64_t count = 0;
  supplei_elements *e = &accessor->elements;
  supple_result result = supplei_get(loader, accessor->node, "sparse", SUPPLEI_JSON_OBJECT, &sparse);
  if (result || sparse == SUPPLE_NONE) return result;
  result = supplei_require(loader, sparse, "count", SUPPLEI_JSON_NUMBER, &node);
  if (!result) result = supplei_get_unsigned(loader, sparse, "count", 1, e->count, &count);
  if (!result) result = read_sparse_part(loader, sparse, "indices", &accessor->indices);
  if (!result) result = read_component(loader, accessor->indices.node, &e->sparse_component);
  if (!result) result = read_sparse_part(loader, sparse, "values", &accessor->values);
  if (result) return result;
  if (e->sparse_component != SUPPLEI_U8 && e->sparse_component != SUPPLEI_U16 &&
      e->sparse_component != SUPPLEI_U32)
    return supplei_loader_wrong(loader, accessor->indices.node,
                                "componentType must be 5121, 5123 or 5125");
  size_t index_size = supplei_component_size(e->sparse_component);
  result = check_sparse_part(loader, &accessor->indices, count, index_size, index_size);
  if (!result)
    result = check_sparse_part(loader, &accessor->values, count,
                               supplei_element_size(e->component, e->rows, e->columns),
                               supplei_component_size(e->component));
  if (!result) e->sparse_count = (uint32_t)count;
  return result;
}

static supple_result open_sparse(supplei_loader *loader, supplei_accessor *accessor) {
  supplei_elements *e = &accessor->elements;
  const unsigned char *data = NULL;
  supple_result result = open_view(loader, accessor->indices.view, &data);
  if (result) return result;
  e->sparse_indices = data + accessor->indices.offset;
  if ((result = open_view(loader, accessor->values.view, &data))) return result;
  e->sparse_values = data + accessor->values.offset;
  uint32_t least = 0;
  for (uint32_t k = 0; k < e->sparse_count; k++) {
    uint32_t at = supplei_sparse_index(e, k);
    if (at >= e->count)
      return supplei_loader_wrong(loader, accessor->indices.node,
                                  "index %u of an accessor with %u elements", (unsigned)at,
                                  (unsigned)e->count);
    if (at < least)
      return supplei_loader_wrong(loader, accessor->indices.node, "not strictly ascending at %u",
                                  (unsigned)k);
    least = at + 1;
  }
  return SUPPLE_OK;
}

/* ---- accessors ---- */

static supple_result read_numbers(supplei_loader *loader, supplei_accessor *accessor) {
  uint32_t node;
  uint64_t count = 0;
  supple_result result =
      supplei_require(loader, accessor->node, "count", SUPPLEI_JSON_NUMBER, &node);
  if (!result)
    result = supplei_get_unsigned(loader, accessor->node, "count", 1, UINT32_MAX - 1, &count);
  if (!result)
    result = supplei_get_bool(loader, accessor->node, "normalized", &accessor->elements.normalized);
  if (!result)
    result = supplei_get_unsigned(loader, accessor->node, "byteOffset", 0, largest_integer,
                                  &accessor->offset);
  if (!result)
    result = supplei_get_index(loader, accessor->node, "bufferView", loader->views.count,
                               "bufferViews", &accessor->view);
  accessor->elements.count = (uint32_t)count;
  return result;
}

static supple_result read_accessor(supplei_loader *loader, supplei_accessor *accessor) {
  supplei_elements *e = &accessor->elements;
  supple_result result = read_component(loader, accessor->node, &e->component);
  if (!result) result = read_type(loader, accessor);
  if (!result) result = read_numbers(loader, accessor);
  if (result) return result;
  size_t size = supplei_element_size(e->component, e->rows, e->columns);
  e->stride = size;
  if (accessor->view != SUPPLE_NONE) {
    supplei_view *v;
    if ((result = read_view(loader, accessor->view, &v))) return result;
    if (v->stride) e->stride = (size_t)v->stride;
    result = check_range(loader, accessor->node, v, accessor->offset, e->stride, e->count, size,
                         supplei_component_size(e->component));
  }
  return result ? result : read_sparse(loader, accessor);
}

supple_result supplei_accessor_read(supplei_loader *loader, uint32_t user, uint32_t index,
                                    supplei_shape shape, supplei_accessor **out) {
  supplei_accessor *accessor = *out = &loader->accessor_data[index];
  if (!accessor->known) {
    accessor->index = index;
    accessor->node = loader->accessors.items[index];
    accessor->view = SUPPLE_NONE;
    supple_result result = read_accessor(loader, accessor);
    if (result) return result;
    accessor->known = true;
  }
  return check_shape(loader, user, accessor, shape);
}

supple_result supplei_accessor_get(supplei_loader *loader, uint32_t object, const char *key,
                                   supplei_shape shape, supplei_accessor **accessor) {
  uint32_t user = supplei_json_member(&loader->json, object, key), index;
  *accessor = NULL;
  if (user == SUPPLE_NONE) return SUPPLE_OK;
  supple_result result = supplei_draco_attribute(loader, object, key, user, accessor);
  if (result) return result;
  if (*accessor) return check_shape(loader, user, *accessor, shape);
  result = supplei_read_index(loader, user, loader->accessors.count, "accessors", &index);
  return result ? result : supplei_accessor_read(loader, user, index, shape, accessor);
}

supple_result supplei_accessor_open(supplei_loader *loader, supplei_accessor *accessor) {
  supplei_elements *e = &accessor->elements;
  supple_result result = SUPPLE_OK;
  if (accessor->opened) return SUPPLE_OK;
  if (accessor->view != SUPPLE_NONE) {
    result = open_view(loader, accessor->view, &e->data);
    if (!result) e->data += accessor->offset;
  }
  if (!result && e->sparse_count) result = open_sparse(loader, accessor);
  accessor->opened = !result;
  return result;
}

supple_result supplei_accessor_supply(supplei_loader *loader, supplei_accessor *accessor,
                                      const unsigned char *data) {
  supplei_elements *e = &accessor->elements;
  e->data = data;
  e->stride = supplei_element_size(e->component, e->rows, e->columns);
  supple_result result = e->sparse_count ? open_sparse(loader, accessor) : SUPPLE_OK;
  accessor->opened = !result;
  return result;
}

supple_result supplei_accessor_floats(supplei_loader *loader, supplei_accessor *accessor) {
  const supplei_elements *e = &accessor->elements;
  if (accessor->floats) return SUPPLE_OK;
  supple_result result = supplei_accessor_open(loader, accessor);
  if (result) return result;
  size_t width = (size_t)e->rows * e->columns, element = width * sizeof(float);
  const char *what = "the values of an accessor";
  float *values = loader->options->structure_only
                      ? supplei_loader_scratch(loader, e->count, element, what)
                      : supplei_loader_allocate(loader, e->count, element, what);
  if (!values) return supplei_loader_memory_result(loader);
  supplei_elements_to_floats(e, values, width);
  size_t count = e->count * width;
  accessor->first_non_finite =
      e->component == SUPPLEI_F32 ? supplei_first_non_finite(values, count) : count;
  if (accessor->first_non_finite == count) accessor->first_non_finite = SIZE_MAX;
  accessor->floats = values;
  return SUPPLE_OK;
}

supple_result supplei_accessors_prepare(supplei_loader *loader) {
  loader->buffer_data = supplei_loader_scratch(loader, loader->buffers.count,
                                               sizeof *loader->buffer_data, "the buffers");
  if (loader->buffer_data)
    loader->view_data =
        supplei_loader_scratch(loader, loader->views.count, sizeof *loader->view_data, "the views");
  if (loader->view_data)
    loader->accessor_data = supplei_loader_scratch(loader, loader->accessors.count,
                                                   sizeof *loader->accessor_data, "the accessors");
  return loader->accessor_data ? SUPPLE_OK : supplei_loader_memory_result(loader);
}
