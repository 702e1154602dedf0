/* rules_accessors.c: what accessors say, and whether it fits their views. */
#include "../base/prologue.h"

#include "rules.h"

#include "../gltf/elements.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

static const int64_t largest_integer = INT64_C(1) << 53;
static const uint32_t components[] = {5120, 5121, 5122, 5123, 5125, 5126, 0};
static const uint32_t index_components[] = {5121, 5123, 5125, 0};
static const struct {
  const char *name;
  uint8_t rows, columns;
} shapes[] = {{"SCALAR", 1, 1}, {"VEC2", 2, 1}, {"VEC3", 3, 1}, {"VEC4", 4, 1},
              {"MAT2", 2, 2},   {"MAT3", 3, 3}, {"MAT4", 4, 4}};
enum { SHAPE_COUNT = sizeof shapes / sizeof *shapes };

/* ---- reading ---- */

static void read_shape(supplei_rules *rules, supplei_rules_accessor *accessor) {
  const char *names[SHAPE_COUNT + 1] = {0};
  for (size_t i = 0; i < SHAPE_COUNT; i++) names[i] = shapes[i].name;
  const char *type = supplei_rules_text(rules, accessor->value, "type", names, true);
  for (size_t i = 0; type && i < SHAPE_COUNT; i++)
    if (strcmp(type, shapes[i].name) == 0) {
      accessor->rows = shapes[i].rows;
      accessor->columns = shapes[i].columns;
    }
}

/* Bounds of integers must be integers that the type can hold. */
static supple_value read_whole_bounds(supplei_rules *rules, const supplei_rules_accessor *accessor,
                                      const char *key) {
  supple_value array = supplei_rules_typed(rules, accessor->value, key, SUPPLE_VALUE_ARRAY, false);
  if (array == SUPPLE_NONE) return array;
  uint32_t count = supple_document_count(rules->document, array);
  unsigned bits = 8 * (unsigned)supplei_component_size((supplei_component)accessor->component);
  bool is_signed = accessor->component == SUPPLEI_I8 || accessor->component == SUPPLEI_I16;
  double span = (double)(UINT64_C(1) << bits), smallest = is_signed ? -span / 2 : 0;
  if (count != (uint32_t)(accessor->rows * accessor->columns)) {
    supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_LENGTH_NOT_IN_LIST, array,
                        "has %u numbers instead of %u", (unsigned)count,
                        (unsigned)(accessor->rows * accessor->columns));
    return SUPPLE_NONE;
  }
  bool wrong = false;
  for (uint32_t i = 0; i < count; i++) {
    double number = 0;
    supple_value item = supple_document_child(rules->document, array, i);
    bool is_whole = supple_document_number(rules->document, item, &number) &&
                    number >= -9007199254740992.0 && number <= 9007199254740992.0 &&
                    (double)(int64_t)number == number;
    if (is_whole && number >= smallest && number < smallest + span) continue;
    if (is_whole)
      supplei_rules_found(rules, SUPPLEI_CODE_INVALID_GL_VALUE, array,
                          "%.17g cannot be stored in the accessor's component type", number);
    else
      supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_TYPE_MISMATCH, array,
                          "item %u is no whole number", (unsigned)i);
    wrong = true;
  }
  return wrong ? SUPPLE_NONE : array;
}

static supple_value read_bounds(supplei_rules *rules, const supplei_rules_accessor *accessor,
                                const char *key) {
  if (!accessor->component || !accessor->rows) return SUPPLE_NONE;
  return accessor->component == SUPPLEI_F32
             ? supplei_rules_numbers(rules, accessor->value, key,
                                     (uint32_t)(accessor->rows * accessor->columns), -DBL_MAX,
                                     DBL_MAX, NULL)
             : read_whole_bounds(rules, accessor, key);
}

static void read_sparse(supplei_rules *rules, supplei_rules_accessor *accessor) {
  static const char *const sparse_keys[] = {"count", "indices", "values", NULL},
                           *const indices_keys[] = {"bufferView", "byteOffset", "componentType",
                                                    NULL},
                           *const values_keys[] = {"bufferView", "byteOffset", NULL};
  supple_value sparse =
      supplei_rules_typed(rules, accessor->value, "sparse", SUPPLE_VALUE_OBJECT, false);
  if (sparse == SUPPLE_NONE) return;
  supplei_rules_object(rules, sparse, sparse_keys);
  accessor->sparse_count =
      supplei_rules_integer(rules, sparse, "count", 1, largest_integer, SUPPLEI_REQUIRED);
  supple_value indices = supplei_rules_typed(rules, sparse, "indices", SUPPLE_VALUE_OBJECT, true),
               values = supplei_rules_typed(rules, sparse, "values", SUPPLE_VALUE_OBJECT, true);
  if (indices != SUPPLE_NONE) {
    supplei_rules_object(rules, indices, indices_keys);
    accessor->sparse_indices_view = supplei_rules_index(rules, indices, "bufferView", true);
    accessor->sparse_indices_offset =
        supplei_rules_integer(rules, indices, "byteOffset", 0, largest_integer, 0);
    accessor->sparse_component =
        supplei_rules_choice(rules, indices, "componentType", index_components, true);
  }
  if (values != SUPPLE_NONE) {
    supplei_rules_object(rules, values, values_keys);
    accessor->sparse_values_view = supplei_rules_index(rules, values, "bufferView", true);
    accessor->sparse_values_offset =
        supplei_rules_integer(rules, values, "byteOffset", 0, largest_integer, 0);
  }
  if (accessor->sparse_count != -1 && indices != SUPPLE_NONE && values != SUPPLE_NONE)
    accessor->sparse = sparse;
}

static void read_accessor(supplei_rules *rules, supplei_rules_accessor *accessor) {
  static const char *const keys[] = {"bufferView", "byteOffset", "componentType", "count",  "type",
                                     "normalized", "max",        "min",           "sparse", "name",
                                     NULL};
  supple_value value = accessor->value;
  supplei_rules_object(rules, value, keys);
  accessor->view = supplei_rules_index(rules, value, "bufferView", false);
  if (accessor->view != SUPPLE_NONE)
    accessor->offset = supplei_rules_integer(rules, value, "byteOffset", 0, largest_integer, 0);
  else if (supple_document_member(rules->document, value, "byteOffset") != SUPPLE_NONE)
    supplei_rules_found_key(rules, SUPPLEI_CODE_UNSATISFIED_DEPENDENCY, value, "byteOffset",
                            "byteOffset without bufferView");
  accessor->component = supplei_rules_choice(rules, value, "componentType", components, true);
  accessor->count =
      supplei_rules_integer(rules, value, "count", 1, largest_integer, SUPPLEI_REQUIRED);
  read_shape(rules, accessor);
  accessor->normalized = supplei_rules_bool(rules, value, "normalized");
  accessor->min = read_bounds(rules, accessor, "min");
  accessor->max = read_bounds(rules, accessor, "max");
  read_sparse(rules, accessor);
  if (accessor->normalized &&
      (accessor->component == SUPPLEI_F32 || accessor->component == SUPPLEI_U32))
    supplei_rules_found_key(rules, SUPPLEI_CODE_ACCESSOR_NORMALIZED_INVALID, value, "normalized",
                            "normalized, but not of bytes or shorts");
  if (accessor->columns > 1 && accessor->offset != -1 && accessor->offset % 4)
    supplei_rules_found_key(rules, SUPPLEI_CODE_ACCESSOR_MATRIX_ALIGNMENT, value, "byteOffset",
                            "matrices start at byte %lld of the view, which is no multiple of 4",
                            (long long)accessor->offset);
}

void supplei_rules_read_accessors(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->accessor_array.count; i++)
    if (rules->accessors[i].value != SUPPLE_NONE) read_accessor(rules, &rules->accessors[i]);
}

/* ---- linking ---- */

/* Whether `bytes` bytes from `offset` lie in a view at a multiple of `component`; told at `object`. */
static void check_range(supplei_rules *rules, supple_value object, int64_t offset,
                        uint32_t component, double bytes, uint32_t index) {
  const supplei_rules_view *view = &rules->views[index];
  if (offset == -1) return;
  if (offset % component)
    supplei_rules_found_key(rules, SUPPLEI_CODE_ACCESSOR_OFFSET_ALIGNMENT, object, "byteOffset",
                            "is %lld, which is no multiple of the component's %u bytes",
                            (long long)offset, (unsigned)component);
  if (view->offset == -1) return;
  if ((view->offset + offset) % component)
    supplei_rules_found(rules, SUPPLEI_CODE_ACCESSOR_TOTAL_OFFSET_ALIGNMENT, object,
                        "starts at byte %lld of its buffer, which is no multiple of the "
                        "component's %u bytes",
                        (long long)(view->offset + offset), (unsigned)component);
  if (view->length == -1) return;
  if (offset > view->length)
    supplei_rules_found_key(rules, SUPPLEI_CODE_ACCESSOR_TOO_LONG, object, "byteOffset",
                            "is %lld, but view %u has only %lld bytes", (long long)offset,
                            (unsigned)index, (long long)view->length);
  else if ((double)offset + bytes > (double)view->length)
    supplei_rules_found(rules, SUPPLEI_CODE_ACCESSOR_TOO_LONG, object,
                        "needs %.0f bytes from byte %lld of view %u, which has only %lld", bytes,
                        (long long)offset, (unsigned)index, (long long)view->length);
}

static void link_sparse_part(supplei_rules *rules, supplei_rules_accessor *accessor, const char *key,
                             uint32_t *index, int64_t offset, uint32_t component, uint32_t size) {
  supple_value part = supple_document_member(rules->document, accessor->sparse, key);
  if (!supplei_rules_resolve(rules, part, "bufferView", *index, &rules->view_array, "buffer view")) {
    *index = SUPPLE_NONE;
    return;
  }
  supplei_rules_use_view(rules, *index, SUPPLEI_USE_OTHER, part, "bufferView");
  if (rules->views[*index].stride != -1)
    supplei_rules_found_key(rules, SUPPLEI_CODE_BUFFER_VIEW_INVALID_BYTE_STRIDE, part, "bufferView",
                            "a view of sparse data must not have a stride");
  if (component)
    check_range(rules, part, offset, component, (double)size * (double)accessor->sparse_count,
                *index);
}

static void link_accessor(supplei_rules *rules, supplei_rules_accessor *accessor) {
  bool known = accessor->component && accessor->count != -1 && accessor->rows;
  bool has_view =
      accessor->view < rules->view_array.count && rules->views[accessor->view].value != SUPPLE_NONE;
  if (!known) {
    if (!has_view) accessor->view = SUPPLE_NONE;
    return;
  }
  uint32_t component = (uint32_t)supplei_component_size((supplei_component)accessor->component);
  size_t element = supplei_element_size((supplei_component)accessor->component, accessor->rows,
                                        accessor->columns);
  if (!supplei_rules_resolve(rules, accessor->value, "bufferView", accessor->view,
                             &rules->view_array, "buffer view")) {
    accessor->view = SUPPLE_NONE;
  } else {
    supplei_rules_view *view = &rules->views[accessor->view];
    view->used = true;
    if (view->stride != -1 && view->stride < (int64_t)element)
      supplei_rules_found(rules, SUPPLEI_CODE_ACCESSOR_SMALL_BYTESTRIDE, accessor->value,
                          "its view has a stride of %lld, but its elements have %zu bytes",
                          (long long)view->stride, element);
    double stride = view->stride != -1 ? (double)view->stride : (double)element;
    check_range(rules, accessor->value, accessor->offset, component,
                stride * ((double)accessor->count - 1) + (double)element, accessor->view);
  }
  if (accessor->sparse == SUPPLE_NONE) return;
  if (accessor->sparse_count > accessor->count)
    supplei_rules_found_key(rules, SUPPLEI_CODE_ACCESSOR_SPARSE_COUNT_OUT_OF_RANGE,
                            accessor->sparse, "count", "replaces %lld elements of %lld",
                            (long long)accessor->sparse_count, (long long)accessor->count);
  uint32_t index_size =
      accessor->sparse_component
          ? (uint32_t)supplei_component_size((supplei_component)accessor->sparse_component)
          : 0;
  link_sparse_part(rules, accessor, "indices", &accessor->sparse_indices_view,
                   accessor->sparse_indices_offset, index_size, index_size);
  link_sparse_part(rules, accessor, "values", &accessor->sparse_values_view,
                   accessor->sparse_values_offset, component,
                   component * accessor->rows * accessor->columns);
}

void supplei_rules_link_accessors(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->accessor_array.count; i++)
    if (rules->accessors[i].value != SUPPLE_NONE) link_accessor(rules, &rules->accessors[i]);
}

/* ---- users ---- */

static const char *use_text(supplei_rules_use use) {
  switch (use) {
  case SUPPLEI_USE_VERTICES: return "a vertex attribute";
  case SUPPLEI_USE_INDICES: return "indices";
  case SUPPLEI_USE_INVERSE_BINDS: return "inverse bind matrices";
  case SUPPLEI_USE_KEY_TIMES: return "times of keys";
  case SUPPLEI_USE_KEY_VALUES: return "values of keys";
  case SUPPLEI_USE_IMAGE:
  case SUPPLEI_USE_OTHER:
  case SUPPLEI_USE_NONE: break;
  }
  return "something else";
}

void supplei_rules_use_accessor(supplei_rules *rules, uint32_t index, supplei_rules_use use,
                                supple_value object, const char *key) {
  supplei_rules_accessor *accessor = &rules->accessors[index];
  accessor->used = true;
  if (accessor->use == SUPPLEI_USE_NONE)
    accessor->use = use;
  else if (accessor->use != use)
    supplei_rules_found_key(rules, SUPPLEI_CODE_ACCESSOR_USAGE_OVERRIDE, object, key,
                            "takes accessor %u for %s, which elsewhere is %s", (unsigned)index,
                            use_text(use), use_text(accessor->use));
  supplei_rules_use view_use =
      use == SUPPLEI_USE_KEY_TIMES || use == SUPPLEI_USE_KEY_VALUES ? SUPPLEI_USE_OTHER : use;
  supplei_rules_use_view(rules, accessor->view, view_use, object, key);
}

const char *supplei_rules_format(const supplei_rules_accessor *accessor, char *out) {
  static const char *const names[] = {"int8", "uint8", "int16", "uint16", "", "uint32", "float"};
  const char *shape = "unknown shape", *component = "unknown type";
  for (size_t i = 0; i < SHAPE_COUNT; i++)
    if (accessor->rows == shapes[i].rows && accessor->columns == shapes[i].columns)
      shape = shapes[i].name;
  if (accessor->component) component = names[accessor->component - SUPPLEI_I8];
  snprintf(out, 64, "%s of %s%s", shape, accessor->normalized ? "normalised " : "", component);
  return out;
}

supplei_rules_wish *supplei_rules_wish_for(supplei_rules *rules, uint32_t index,
                                           supplei_rules_look look, supple_value user) {
  supplei_rules_wish *wish = supplei_rules_allocate(rules, 1, sizeof *wish);
  if (!wish) return NULL;
  *wish = (supplei_rules_wish){
      .next = rules->accessors[index].wishes, .user = user, .look = look, .vertices = -1};
  rules->accessors[index].wishes = wish;
  return wish;
}
