/* document_accessors.c: views and accessors of a document as it is now. */
#include "../base/prologue.h"

#include "document_state.h"

#include <string.h>

static const uint64_t largest_integer = UINT64_C(1) << 53;

static const struct {
  const char *name;
  uint8_t rows, columns;
} type_table[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
                  {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};

const char *supplei_type_name(unsigned rows, unsigned columns) {
  for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++)
    if (type_table[i].rows == rows && type_table[i].columns == columns) return type_table[i].name;
  return NULL;
}

/* ---- views ---- */

supple_result supplei_document_view_read(const supple_document *document, uint32_t user,
                                         uint32_t index, supplei_document_view *view,
                                         supple_error *error) {
  static const char *const codecs[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  const supplei_tree *tree = &document->tree;
  uint64_t buffer = 0, size = 0;
  *view = (supplei_document_view){.compressed = SUPPLE_NONE};
  view->value = supplei_document_item(document, "bufferViews", index);
  if (view->value == SUPPLE_NONE)
    return supplei_tree_fail(tree, user, error, SUPPLE_ERROR_FORMAT,
                             "index %u, but there are only %u bufferViews", (unsigned)index,
                             (unsigned)supplei_document_table_count(document, "bufferViews"));
  const uint32_t value = view->value;
  supple_result result =
      supplei_document_need(document, value, "buffer", 0, SUPPLE_NONE - 1, &buffer, error);
  if (!result)
    result = supplei_document_need(document, value, "byteLength", 1, largest_integer, &view->length,
                                   error);
  if (!result)
    result = supplei_document_unsigned(document, value, "byteOffset", 0, largest_integer,
                                       &view->offset, error);
  if (!result)
    result = supplei_document_unsigned(document, value, "byteStride", 4, 252, &view->stride, error);
  if (result) return result;
  view->buffer = (uint32_t)buffer;
  const uint32_t object = supplei_document_item(document, "buffers", view->buffer);
  if (object == SUPPLE_NONE)
    return supplei_tree_fail(tree, supplei_tree_member(tree, value, "buffer"), error,
                             SUPPLE_ERROR_FORMAT, "index %u, but there are only %u buffers",
                             (unsigned)view->buffer,
                             (unsigned)supplei_document_table_count(document, "buffers"));
  result = supplei_document_need(document, object, "byteLength", 1, largest_integer, &size, error);
  if (result) return result;
  if (view->offset > size || view->length > size - view->offset)
    return supplei_tree_fail(
        tree, value, error, SUPPLE_ERROR_FORMAT, "bytes %llu to %llu of a buffer that has %llu",
        (unsigned long long)view->offset, (unsigned long long)view->offset + view->length,
        (unsigned long long)size);
  for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
    const uint32_t codec = supplei_document_extension(tree, value, codecs[i]);
    if (codec != SUPPLE_NONE) view->compressed = codec;
  }
  return SUPPLE_OK;
}

static supple_result view_bytes(supple_document *document, uint32_t user, uint32_t index,
                                const unsigned char **data, supple_error *error) {
  supplei_document_view view;
  supple_result result = supplei_document_view_read(document, user, index, &view, error);
  if (result) return result;
  if (view.compressed != SUPPLE_NONE)
    return supplei_document_view_decompress(document, &view, data, error);
  return supplei_document_bytes(document, view.buffer, view.offset, view.length, data, error);
}

/* Whether `count` elements lie in a view, aligned as glTF demands. */
static supple_result check_range(const supple_document *document, uint32_t user,
                                 const supplei_document_view *view, uint64_t offset,
                                 uint64_t stride, uint64_t count, uint64_t element,
                                 uint64_t component, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  if (offset % component || (view->offset + offset) % component || stride % component)
    return supplei_tree_fail(tree, user, error, SUPPLE_ERROR_FORMAT,
                             "its elements do not lie at multiples of their component's %u bytes",
                             (unsigned)component);
  if (stride < element)
    return supplei_tree_fail(tree, view->value, error, SUPPLE_ERROR_FORMAT,
                             "byteStride %llu is less than the %llu bytes of an element",
                             (unsigned long long)stride, (unsigned long long)element);
  const uint64_t bytes = stride * (count - 1) + element; /* < 2^40 */
  if (offset > view->length || bytes > view->length - offset)
    return supplei_tree_fail(tree, user, error, SUPPLE_ERROR_FORMAT,
                             "needs %llu bytes from byte %llu of a view that has %llu",
                             (unsigned long long)bytes, (unsigned long long)offset,
                             (unsigned long long)view->length);
  return SUPPLE_OK;
}

/* ---- accessors ---- */

static supple_result read_component(const supple_document *document, uint32_t object,
                                    supplei_component *component, supple_error *error) {
  uint64_t number = 0;
  const supple_result result =
      supplei_document_need(document, object, "componentType", 5120, 5126, &number, error);
  if (result) return result;
  *component = (supplei_component)number;
  if (supplei_component_size(*component)) return SUPPLE_OK;
  return supplei_tree_fail(&document->tree,
                           supplei_tree_member(&document->tree, object, "componentType"), error,
                           SUPPLE_ERROR_FORMAT, "must be 5120, 5121, 5122, 5123, 5125 or 5126");
}

static supple_result read_type(const supple_document *document, supplei_document_array *array,
                               supple_error *error) {
  const supplei_tree *tree = &document->tree;
  const uint32_t value = supplei_tree_member(tree, array->value, "type");
  for (size_t i = 0; i < sizeof type_table / sizeof *type_table; i++) {
    if (!supplei_tree_equals(tree, value, type_table[i].name)) continue;
    array->elements.rows = type_table[i].rows;
    array->elements.columns = type_table[i].columns;
    return SUPPLE_OK;
  }
  return supplei_tree_fail(tree, value == SUPPLE_NONE ? array->value : value, error,
                           SUPPLE_ERROR_FORMAT,
                           "type must be SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4");
}

static supple_result read_sparse_part(const supple_document *document, uint32_t sparse, int part,
                                      supplei_document_array *array, supple_error *error) {
  static const char *const keys[] = {"indices", "values"};
  const supplei_tree *tree = &document->tree;
  supplei_elements *e = &array->elements;
  const uint32_t object = supplei_tree_member(tree, sparse, keys[part]);
  uint64_t index = 0, *offset = &array->sparse_offsets[part];
  supplei_document_view view;
  supplei_component component = e->component;
  supple_result result = SUPPLE_OK;
  if (object == SUPPLE_NONE)
    return supplei_tree_fail(tree, sparse, error, SUPPLE_ERROR_FORMAT, "\"%s\" is missing",
                             keys[part]);
  if (part == 0) result = read_component(document, object, &component, error);
  if (!result && part == 0 && component != SUPPLEI_U8 && component != SUPPLEI_U16 &&
      component != SUPPLEI_U32)
    result = supplei_tree_fail(tree, object, error, SUPPLE_ERROR_FORMAT,
                               "componentType must be 5121, 5123 or 5125");
  if (part == 0) e->sparse_component = component;
  if (!result)
    result =
        supplei_document_need(document, object, "bufferView", 0, SUPPLE_NONE - 1, &index, error);
  if (!result)
    result = supplei_document_unsigned(document, object, "byteOffset", 0, largest_integer, offset,
                                       error);
  if (!result)
    result = supplei_document_view_read(document, supplei_tree_member(tree, object, "bufferView"),
                                        (uint32_t)index, &view, error);
  if (result) return result;
  array->sparse_views[part] = (uint32_t)index;
  const size_t size = part == 0 ? supplei_component_size(component)
                                : supplei_element_size(component, e->rows, e->columns);
  return check_range(document, object, &view, *offset, size, e->sparse_count, size,
                     supplei_component_size(component), error);
}

static supple_result read_sparse(const supple_document *document, supplei_document_array *array,
                                 supple_error *error) {
  const supplei_tree *tree = &document->tree;
  supplei_elements *e = &array->elements;
  const uint32_t sparse = supplei_tree_member(tree, array->value, "sparse");
  uint64_t count = 0;
  if (sparse == SUPPLE_NONE) return SUPPLE_OK;
  supple_result result =
      supplei_document_need(document, sparse, "count", 1, e->count, &count, error);
  e->sparse_count = (uint32_t)count;
  if (!result) result = read_sparse_part(document, sparse, 0, array, error);
  if (!result) result = read_sparse_part(document, sparse, 1, array, error);
  return result;
}

static supple_result read_shape(const supple_document *document, supplei_document_array *array,
                                supple_error *error) {
  const supplei_tree *tree = &document->tree;
  supplei_elements *e = &array->elements;
  uint64_t count = 0;
  const uint32_t normalized = supplei_tree_member(tree, array->value, "normalized");
  supple_result result = read_component(document, array->value, &e->component, error);
  if (!result) result = read_type(document, array, error);
  if (!result)
    result =
        supplei_document_need(document, array->value, "count", 1, SUPPLE_NONE - 1, &count, error);
  if (!result)
    result = supplei_document_unsigned(document, array->value, "byteOffset", 0, largest_integer,
                                       &array->offset, error);
  if (!result && normalized != SUPPLE_NONE && !supplei_tree_is(tree, normalized, SUPPLEI_JSON_TRUE) &&
      !supplei_tree_is(tree, normalized, SUPPLEI_JSON_FALSE))
    result =
        supplei_tree_fail(tree, normalized, error, SUPPLE_ERROR_FORMAT, "must be true or false");
  e->count = (uint32_t)count;
  e->normalized = supplei_tree_is(tree, normalized, SUPPLEI_JSON_TRUE);
  return result;
}

supple_result supplei_document_array_read(const supple_document *document, uint32_t index,
                                          supplei_document_array *array, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  supplei_elements *e = &array->elements;
  *array = (supplei_document_array){.view = SUPPLE_NONE};
  array->value = supplei_document_item(document, "accessors", index);
  if (array->value == SUPPLE_NONE)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "there is no accessor %u",
                        (unsigned)index);
  supple_result result = read_shape(document, array, error);
  if (result) return result;
  const size_t size = supplei_element_size(e->component, e->rows, e->columns);
  e->stride = size;
  const uint32_t user = supplei_tree_member(tree, array->value, "bufferView");
  if (user != SUPPLE_NONE) {
    uint64_t number = 0;
    supplei_document_view view;
    result = supplei_document_need(document, array->value, "bufferView", 0, SUPPLE_NONE - 1,
                                   &number, error);
    if (!result)
      result = supplei_document_view_read(document, user, (uint32_t)number, &view, error);
    if (result) return result;
    array->view = (uint32_t)number;
    if (view.stride) e->stride = (size_t)view.stride;
    result = check_range(document, array->value, &view, array->offset, e->stride, e->count, size,
                         supplei_component_size(e->component), error);
  }
  return result ? result : read_sparse(document, array, error);
}

static supple_result open_sparse(supple_document *document, supplei_document_array *array,
                                 supple_error *error) {
  supplei_elements *e = &array->elements;
  const unsigned char *data = NULL;
  supple_result result = view_bytes(document, array->value, array->sparse_views[0], &data, error);
  if (result) return result;
  e->sparse_indices = data + array->sparse_offsets[0];
  result = view_bytes(document, array->value, array->sparse_views[1], &data, error);
  if (result) return result;
  e->sparse_values = data + array->sparse_offsets[1];
  uint32_t least = 0;
  for (uint32_t k = 0; k < e->sparse_count; k++) {
    const uint32_t at = supplei_sparse_index(e, k);
    if (at >= e->count || at < least)
      return supplei_tree_fail(
          &document->tree, array->value, error, SUPPLE_ERROR_FORMAT,
          at >= e->count
              ? "sparse index number %u (%u) is beyond its %u elements"
              : "sparse index number %u (%u) is not above the one before (of %u elements)",
          (unsigned)k, (unsigned)at, (unsigned)e->count);
    least = at + 1;
  }
  return SUPPLE_OK;
}

supple_result supplei_document_array_open(supple_document *document, uint32_t index,
                                          supplei_document_array *array, supple_error *error) {
  supple_result result = supplei_document_array_read(document, index, array, error);
  supplei_elements *e = &array->elements;
  if (result) return result;
  if (array->view != SUPPLE_NONE) {
    result = view_bytes(document, array->value, array->view, &e->data, error);
    if (!result) e->data += array->offset;
  } else {
    result = supplei_document_draco_elements(document, index, e, error);
  }
  if (!result && e->sparse_count) result = open_sparse(document, array, error);
  return result;
}

/* ---- public ---- */

uint32_t supple_document_accessor_count(const supple_document *document) {
  return supplei_document_table_count(document, "accessors");
}

supple_result supple_document_accessor(const supple_document *document, uint32_t index,
                                       supple_accessor_layout *layout, supple_error *error) {
  supplei_document_array array;
  const supple_result result = supplei_document_array_read(document, index, &array, error);
  if (result) return result;
  const supplei_elements *e = &array.elements;
  *layout = (supple_accessor_layout){.component = (uint32_t)e->component,
                                     .rows = e->rows,
                                     .columns = e->columns,
                                     .normalized = e->normalized,
                                     .count = e->count};
  return SUPPLE_OK;
}

supple_result supple_document_floats(supple_document *document, uint32_t index, float *out,
                                     supple_error *error) {
  supplei_document_array array;
  const supple_result result = supplei_document_array_open(document, index, &array, error);
  if (result) return result;
  supplei_elements_to_floats(&array.elements, out,
                             (size_t)array.elements.rows * array.elements.columns);
  return SUPPLE_OK;
}

supple_result supple_document_integers(supple_document *document, uint32_t index, uint32_t *out,
                                       supple_error *error) {
  supplei_document_array array;
  const supple_result result = supplei_document_array_open(document, index, &array, error);
  if (result) return result;
  const supplei_elements *e = &array.elements;
  if (e->columns != 1 ||
      (e->component != SUPPLEI_U8 && e->component != SUPPLEI_U16 && e->component != SUPPLEI_U32))
    return supplei_tree_fail(&document->tree, array.value, error, SUPPLE_ERROR_ARGUMENT,
                             "is not of unsigned integers");
  supplei_elements_to_u32(e, out, e->rows);
  return SUPPLE_OK;
}
