/* edit_accessors.c: new data for a document: accessors, views, inverse bind matrices. */
#include "../base/prologue.h"

#include "document_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the buffer that takes new bytes ---- */

/* Appends a text to a top-level array, which is made where there is none; *index is its place. */
static supple_result append_item(supple_document *document, const char *table, const char *json,
                                 uint32_t *index, uint32_t *value, supple_error *error) {
  supplei_tree *tree = &document->tree;
  uint32_t array = supplei_tree_member(tree, 0, table);
  supple_result result = SUPPLE_OK;
  if (array == SUPPLE_NONE) result = supplei_tree_set(tree, 0, table, "[]", &array, error);
  if (result) return result;
  if (!supplei_tree_is(tree, array, SUPPLEI_JSON_ARRAY))
    return supplei_tree_fail(tree, array, error, SUPPLE_ERROR_FORMAT, "must be an array");
  *index = tree->values[array].count;
  return supplei_tree_insert(tree, array, SUPPLE_NONE, json, value, error);
}

/* Whether the buffer that takes new bytes is still in the file. */
static bool has_new_buffer(const supple_document *document) {
  return supplei_value_at(&document->tree, document->new_buffer) != NULL;
}

static supple_result grow_buffer(supple_document *document, uint64_t size, uint32_t *index,
                                 supple_error *error) {
  supplei_tree *tree = &document->tree;
  char json[64];
  if (!has_new_buffer(document)) {
    snprintf(json, sizeof json, "{\"byteLength\":%llu}", (unsigned long long)size);
    return append_item(document, "buffers", json, index, &document->new_buffer, error);
  }
  *index = supplei_tree_index_of(tree, document->new_buffer);
  return supplei_tree_set_unsigned(tree, document->new_buffer, "byteLength", size, error);
}

static supple_result put_view(supple_document *document, const supplei_segment *segment,
                              uint32_t byte_stride, uint32_t target, uint32_t *view,
                              supple_error *error) {
  char json[200];
  uint32_t buffer;
  supple_result result = grow_buffer(document, segment->offset + segment->size, &buffer, error);
  if (result) return result;
  int used = snprintf(json, sizeof json, "{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu",
                      (unsigned)buffer, (unsigned long long)segment->offset,
                      (unsigned long long)segment->size);
  if (byte_stride)
    used += snprintf(json + used, sizeof json - (size_t)used, ",\"byteStride\":%u",
                     (unsigned)byte_stride);
  if (target)
    used += snprintf(json + used, sizeof json - (size_t)used, ",\"target\":%u", (unsigned)target);
  snprintf(json + used, sizeof json - (size_t)used, "}");
  return append_item(document, "bufferViews", json, view, NULL, error);
}

static void release_segments(supple_document *document, uint32_t from) {
  for (uint32_t i = from; i < document->segment_count; i++)
    if (document->segments[i].owned)
      supplei_release(&document->allocator, (void *)document->segments[i].data,
                      document->segments[i].owned, 1);
  document->segment_count = from;
}

supplei_document_mark supplei_document_begin(supple_document *document) {
  if (!document->tree.open && !has_new_buffer(document)) { /* an edit took it away */
    release_segments(document, 0);
    document->new_size = 0;
    document->new_buffer = SUPPLE_NONE;
  }
  const supplei_document_mark mark = {supplei_tree_begin(&document->tree), document->new_buffer,
                                      document->segment_count, document->new_size};
  return mark;
}

supple_result supplei_document_end(supple_document *document, const supplei_document_mark *mark,
                                   supple_result result) {
  supplei_tree_end(&document->tree, mark->tree, result);
  if (!result) return result;
  release_segments(document, mark->segment_count);
  document->new_buffer = mark->new_buffer;
  document->new_size = mark->new_size;
  return result;
}

supple_result supplei_document_put(supple_document *document, supplei_segment *segment,
                                   uint32_t byte_stride, uint32_t target, uint32_t *view,
                                   supple_error *error) {
  void *segments = document->segments;
  supple_result result = supplei_grow(&document->allocator, &segments, &document->segment_capacity,
                                      document->segment_count, document->segment_count + 1,
                                      sizeof *document->segments, error);
  document->segments = segments;
  if (result) return result;
  segment->offset = (document->new_size + 3) / 4 * 4;
  const supplei_document_mark mark = supplei_document_begin(document);
  result = put_view(document, segment, byte_stride, target, view, error);
  if (supplei_document_end(document, &mark, result)) return result;
  document->segments[document->segment_count++] = *segment;
  document->new_size = segment->offset + segment->size;
  return SUPPLE_OK;
}

supple_result supple_document_add_view(supple_document *document, const void *data, size_t size,
                                       uint32_t *index, supple_error *error) {
  if (!data || !size || size > UINT32_MAX)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "a view needs data, of at most 4 GiB");
  unsigned char *copy = supplei_allocate(&document->allocator, size, 1);
  if (!copy) return supplei_fail_memory(error, size, "a buffer view");
  memcpy(copy, data, size);
  supplei_segment segment = {.size = size, .data = copy, .owned = size};
  uint32_t view;
  const supple_result result = supplei_document_put(document, &segment, 0, 0, &view, error);
  if (result)
    supplei_release(&document->allocator, copy, size, 1);
  else if (index)
    *index = view;
  return result;
}

/* ---- elements ---- */

static supple_result check_data(const supple_accessor_data *data, supple_error *error) {
  const supple_accessor_layout *l = &data->layout;
  const char *wrong = NULL;
  if (!supplei_component_size((supplei_component)l->component))
    wrong = "component";
  else if (!supplei_type_name(l->rows, l->columns))
    wrong = "rows and columns";
  else if (!l->count || l->count == SUPPLE_NONE)
    wrong = "count";
  else if (l->normalized && (l->component == SUPPLEI_F32 || l->component == SUPPLEI_U32))
    wrong = "normalized";
  else if (!data->data == !data->pull)
    wrong = "data or pull (one of them)";
  else if (data->target && data->target != 34962 && data->target != 34963)
    wrong = "target";
  return wrong ? supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                              "the new data's %s cannot be so", wrong)
               : SUPPLE_OK;
}

/* How the elements stand in the file. */
typedef struct arrangement {
  size_t component, packed; /* bytes of a component, of an element without padding */
  size_t element;           /* with padding between columns */
  size_t stride;
  uint32_t byte_stride; /* to be written; 0: none */
} arrangement;

static arrangement arrange(const supple_accessor_data *data) {
  const supple_accessor_layout *l = &data->layout;
  const supplei_component component = (supplei_component)l->component;
  arrangement a = {.component = supplei_component_size(component)};
  a.packed = a.component * l->rows * l->columns;
  a.element = a.stride = supplei_element_size(component, l->rows, l->columns);
  if (data->target == 34962 && a.element % 4) {
    a.stride = (a.element + 3) / 4 * 4;
    a.byte_stride = (uint32_t)a.stride;
  }
  return a;
}

/* Copies tightly packed elements to where they stand in the file; gaps are zero already. */
static void place(const arrangement *a, const supple_accessor_data *data, unsigned char *out) {
  const supple_accessor_layout *l = &data->layout;
  const unsigned char *from = data->data;
  const size_t column = a->component * l->rows, step = a->element / l->columns;
  if (a->packed == a->stride) {
    memcpy(out, from, a->packed * l->count);
    return;
  }
  for (size_t i = 0; i < l->count; i++)
    for (size_t c = 0; c < l->columns; c++)
      memcpy(out + i * a->stride + c * step, from + i * a->packed + c * column, column);
}

static supple_result make_segment(supple_document *document, const supple_accessor_data *data,
                                  const arrangement *a, supplei_segment *segment,
                                  supple_error *error) {
  *segment = (supplei_segment){.size = (uint64_t)a->stride * data->layout.count,
                               .pull = data->pull,
                               .user = data->user,
                               .count = data->layout.count,
                               .tight = (uint32_t)a->element,
                               .stride = (uint32_t)a->stride};
  if (data->pull) return SUPPLE_OK;
  unsigned char *copy = segment->size > SIZE_MAX / 2
                            ? NULL
                            : supplei_allocate_zero(&document->allocator, (size_t)segment->size, 1);
  if (!copy) return supplei_fail_memory(error, (size_t)segment->size, "the data of an accessor");
  place(a, data, copy);
  segment->data = copy;
  segment->owned = (size_t)segment->size;
  return SUPPLE_OK;
}

/* ---- bounds ---- */

static double component_at(const unsigned char *p, supplei_component component) {
  int16_t i16;
  uint16_t u16;
  uint32_t u32;
  float f32;
  switch (component) {
  case SUPPLEI_I8: return (double)(signed char)*p;
  case SUPPLEI_U8: return (double)*p;
  case SUPPLEI_I16: return memcpy(&i16, p, sizeof i16), (double)i16;
  case SUPPLEI_U16: return memcpy(&u16, p, sizeof u16), (double)u16;
  case SUPPLEI_U32: return memcpy(&u32, p, sizeof u32), (double)u32;
  case SUPPLEI_F32: break;
  }
  memcpy(&f32, p, sizeof f32);
  return (double)f32;
}

static void find_bounds(const supple_accessor_data *data, const arrangement *a, double *min,
                        double *max) {
  const size_t width = (size_t)data->layout.rows * data->layout.columns;
  const unsigned char *p = data->data;
  for (size_t k = 0; k < width; k++) min[k] = HUGE_VAL, max[k] = -HUGE_VAL;
  for (size_t i = 0; i < data->layout.count; i++)
    for (size_t k = 0; k < width; k++, p += a->component) {
      const double value = component_at(p, (supplei_component)data->layout.component);
      if (value < min[k]) min[k] = value;
      if (value > max[k]) max[k] = value;
    }
}

static supple_result bounds_text(const double *values, size_t count, char *text,
                                 supple_error *error) {
  char number[SUPPLEI_NUMBER_TEXT];
  size_t used = 0;
  for (size_t k = 0; k < count; k++) {
    if (!isfinite(values[k]))
      return supplei_fail(error, SUPPLE_ERROR_NUMBER, NULL, SIZE_MAX,
                          "bounds of data that is not finite");
    text[used++] = k ? ',' : '[';
    const char *digits = supplei_number_text(values[k], number);
    memcpy(text + used, digits, strlen(digits));
    used += strlen(digits);
  }
  text[used++] = ']';
  text[used] = 0;
  return SUPPLE_OK;
}

/* ---- accessors ---- */

/* min and max as text; both are wanted or neither. */
typedef struct bounds_texts {
  bool wanted;
  char min[16 * SUPPLEI_NUMBER_TEXT + 20], max[16 * SUPPLEI_NUMBER_TEXT + 20];
} bounds_texts;

static supple_result make_bounds(const supple_accessor_data *data, const arrangement *a,
                                 bool wanted, bounds_texts *texts, supple_error *error) {
  const size_t width = (size_t)data->layout.rows * data->layout.columns;
  double min[16], max[16];
  texts->wanted = data->bounds || (wanted && data->data);
  if (!texts->wanted) return SUPPLE_OK;
  if (data->data) {
    find_bounds(data, a, min, max);
  } else {
    memcpy(min, data->min, sizeof min);
    memcpy(max, data->max, sizeof max);
  }
  const supple_result result = bounds_text(min, width, texts->min, error);
  return result ? result : bounds_text(max, width, texts->max, error);
}

/* Writes all that `data` says into an accessor. */
static supple_result describe(supple_document *document, uint32_t accessor, uint32_t view,
                              const supple_accessor_data *data, const bounds_texts *bounds,
                              supple_error *error) {
  supplei_tree *tree = &document->tree;
  char type[16];
  snprintf(type, sizeof type, "\"%s\"", supplei_type_name(data->layout.rows, data->layout.columns));
  supple_result result = supplei_tree_set_unsigned(tree, accessor, "bufferView", view, error);
  if (!result) result = supplei_tree_remove_member(tree, accessor, "byteOffset", error);
  if (!result) result = supplei_tree_remove_member(tree, accessor, "sparse", error);
  if (!result)
    result =
        supplei_tree_set_unsigned(tree, accessor, "componentType", data->layout.component, error);
  if (!result && data->layout.normalized)
    result = supplei_tree_set(tree, accessor, "normalized", "true", NULL, error);
  else if (!result)
    result = supplei_tree_remove_member(tree, accessor, "normalized", error);
  if (!result)
    result = supplei_tree_set_unsigned(tree, accessor, "count", data->layout.count, error);
  if (!result && !supplei_tree_equals(tree, supplei_tree_member(tree, accessor, "type"),
                                      supplei_type_name(data->layout.rows, data->layout.columns)))
    result = supplei_tree_set(tree, accessor, "type", type, NULL, error);
  for (int i = 0; i < 2 && !result; i++) {
    const char *key = i ? "max" : "min";
    if (bounds->wanted)
      result = supplei_tree_set(tree, accessor, key, i ? bounds->max : bounds->min, NULL, error);
    else
      result = supplei_tree_remove_member(tree, accessor, key, error);
  }
  if (!result && data->name)
    result = supplei_tree_set_string(tree, accessor, "name", data->name, error);
  return result;
}

/* New elements for an accessor (a value), in a view of their own. */
static supple_result fill_accessor(supple_document *document, uint32_t accessor,
                                   const supple_accessor_data *data, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  const arrangement a = arrange(data);
  const bool had = supplei_tree_member(tree, accessor, "min") != SUPPLE_NONE ||
                   supplei_tree_member(tree, accessor, "max") != SUPPLE_NONE;
  bounds_texts bounds;
  supplei_segment segment;
  uint32_t view;
  supple_result result = make_bounds(data, &a, had, &bounds, error);
  if (!result) result = make_segment(document, data, &a, &segment, error);
  if (result) return result;
  result = supplei_document_put(document, &segment, a.byte_stride, data->target, &view, error);
  if (result) {
    supplei_release(&document->allocator, (void *)segment.data, segment.owned, 1);
    return result;
  }
  return describe(document, accessor, view, data, &bounds, error);
}

supple_result supple_document_add_accessor(supple_document *document,
                                           const supple_accessor_data *data, uint32_t *index,
                                           supple_error *error) {
  supple_result result = check_data(data, error);
  if (result) return result;
  uint32_t number = 0, accessor;
  const supplei_document_mark mark = supplei_document_begin(document);
  result = append_item(document, "accessors", "{}", &number, &accessor, error);
  if (!result) result = fill_accessor(document, accessor, data, error);
  if (!supplei_document_end(document, &mark, result) && index) *index = number;
  return result;
}

supple_result supple_document_set_accessor(supple_document *document, uint32_t index,
                                           const supple_accessor_data *data, supple_error *error) {
  const uint32_t accessor = supplei_document_item(document, "accessors", index);
  supple_result result = check_data(data, error);
  if (result) return result;
  if (!supplei_tree_is(&document->tree, accessor, SUPPLEI_JSON_OBJECT))
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "there is no accessor %u",
                        (unsigned)index);
  if (supplei_document_is_draco(document, index))
    return supplei_tree_fail(&document->tree, accessor, error, SUPPLE_ERROR_UNSUPPORTED,
                             "is compressed (KHR_draco_mesh_compression); decompress the document "
                             "first");
  const supplei_document_mark mark = supplei_document_begin(document);
  result = fill_accessor(document, accessor, data, error);
  return supplei_document_end(document, &mark, result);
}

/* ---- inverse bind matrices ---- */

/* How many skins use an accessor. */
static uint32_t count_users(const supple_document *document, uint64_t accessor) {
  const supplei_tree *tree = &document->tree;
  uint32_t users = 0;
  for (uint32_t i = 0; i < supplei_document_table_count(document, "skins"); i++) {
    uint64_t index;
    const uint32_t skin = supplei_document_item(document, "skins", i);
    users += supplei_tree_unsigned(tree, supplei_tree_member(tree, skin, "inverseBindMatrices"),
                                   SUPPLE_NONE, &index) &&
             index == accessor;
  }
  return users;
}

/* To be released as 16 floats for each matrix. */
static supple_result matrices_as_floats(supple_document *document, const supple_affine64 *matrices,
                                        uint32_t count, float **out, supple_error *error) {
  float *values = *out = supplei_allocate(&document->allocator, count, 16 * sizeof *values);
  if (!values) return supplei_fail_memory(error, 64 * (size_t)count, "inverse bind matrices");
  for (uint32_t k = 0; k < count; k++) {
    double columns[16];
    supple_affine64_to_columns(&matrices[k], columns);
    for (int i = 0; i < 16; i++) {
      values[16 * (size_t)k + (size_t)i] = (float)columns[i];
      if (isfinite((float)columns[i])) continue;
      supplei_release(&document->allocator, values, count, 16 * sizeof *values);
      return supplei_fail(error, SUPPLE_ERROR_NUMBER, NULL, SIZE_MAX,
                          "the inverse bind matrix of joint %u is not finite", (unsigned)k);
    }
  }
  return SUPPLE_OK;
}

supple_result supple_document_set_inverse_binds(supple_document *document, uint32_t skin,
                                                const supple_affine64 *inverse_binds,
                                                uint32_t joint_count, supple_error *error) {
  supplei_tree *tree = &document->tree;
  const uint32_t object = supplei_document_item(document, "skins", skin);
  const uint32_t joints = supplei_tree_member(tree, object, "joints");
  if (!supplei_tree_is(tree, joints, SUPPLEI_JSON_ARRAY) || !joint_count ||
      tree->values[joints].count != joint_count)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "there is no skin %u with %u joints", (unsigned)skin, (unsigned)joint_count);
  float *values;
  supple_result result = matrices_as_floats(document, inverse_binds, joint_count, &values, error);
  if (result) return result;
  const supple_accessor_data data = {
      .layout = {.component = SUPPLEI_F32, .rows = 4, .columns = 4, .count = joint_count},
      .data = values};
  uint64_t accessor = 0;
  const uint32_t user = supplei_tree_member(tree, object, "inverseBindMatrices");
  const bool own = supplei_tree_unsigned(tree, user, SUPPLE_NONE - 1, &accessor) &&
                   count_users(document, accessor) == 1;
  if (own) {
    result = supple_document_set_accessor(document, (uint32_t)accessor, &data, error);
  } else {
    uint32_t index = 0;
    const supplei_document_mark mark = supplei_document_begin(document);
    result = supple_document_add_accessor(document, &data, &index, error);
    if (!result)
      result = supplei_tree_set_unsigned(tree, object, "inverseBindMatrices", index, error);
    result = supplei_document_end(document, &mark, result);
  }
  supplei_release(&document->allocator, values, joint_count, 16 * sizeof *values);
  return result;
}
