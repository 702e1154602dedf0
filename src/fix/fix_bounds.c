/* fix_bounds.c: min and max of positions, and of every other accessor that has them, exactly. */
#include "../base/prologue.h"

#include "../gltf/document_state.h"
#include "fix_json.h"

#include <math.h>
#include <stdio.h>

enum { COMPONENTS_MOST = 16 };

/* One accessor at work. */
typedef struct bounding {
  supplei_fix *fix;
  uint32_t accessor, components;
  bool required; /* POSITION, or the keys of a sampler: must have bounds */
  double min[COMPONENTS_MOST], max[COMPONENTS_MOST];
} bounding;

/* ---- which accessors must have bounds ---- */

static void need(const supple_document *document, supple_value value, uint8_t *needed,
                 uint32_t count) {
  const uint32_t index = supple_document_index(document, value);
  if (index < count) needed[index] = 1;
}

static void need_positions(const supple_document *document, supple_value primitive, uint8_t *needed,
                           uint32_t count) {
  const supple_value attributes = supple_document_member(document, primitive, "attributes");
  const supple_value targets = supple_document_member(document, primitive, "targets");
  need(document, supple_document_member(document, attributes, "POSITION"), needed, count);
  for (uint32_t t = 0; t < supple_document_count(document, targets); t++)
    need(document,
         supple_document_member(document, supple_document_child(document, targets, t), "POSITION"),
         needed, count);
}

static void find_needed(const supple_document *document, uint8_t *needed, uint32_t count) {
  const supple_value meshes = supple_document_member(document, 0, "meshes");
  for (uint32_t m = 0; m < supple_document_count(document, meshes); m++) {
    const supple_value primitives =
        supple_document_member(document, supple_document_child(document, meshes, m), "primitives");
    for (uint32_t p = 0; p < supple_document_count(document, primitives); p++)
      need_positions(document, supple_document_child(document, primitives, p), needed, count);
  }
  const supple_value animations = supple_document_member(document, 0, "animations");
  for (uint32_t a = 0; a < supple_document_count(document, animations); a++) {
    const supple_value samplers =
        supple_document_member(document, supple_document_child(document, animations, a), "samplers");
    for (uint32_t s = 0; s < supple_document_count(document, samplers); s++)
      need(document,
           supple_document_member(document, supple_document_child(document, samplers, s), "input"),
           needed, count);
  }
}

/* ---- the bounds of one ---- */

static void widen(bounding *b, uint32_t component, double value) {
  if (value < b->min[component]) b->min[component] = value;
  if (value > b->max[component]) b->max[component] = value;
}

/* As stored: bounds of normalised integers are those of the integers. False: no memory. */
static bool measure(bounding *b, supplei_elements *elements) {
  const supple_allocator *a = &b->fix->allocator;
  const size_t total = (size_t)elements->count * b->components;
  for (uint32_t c = 0; c < b->components; c++) b->min[c] = HUGE_VAL, b->max[c] = -HUGE_VAL;
  elements->normalized = false;
  if (elements->component == SUPPLEI_U32 && elements->columns == 1) {
    uint32_t *values = supplei_allocate(a, total, sizeof *values);
    if (!values) return false;
    supplei_elements_to_u32(elements, values, b->components);
    for (size_t i = 0; i < total; i++) widen(b, (uint32_t)(i % b->components), (double)values[i]);
    supplei_release(a, values, total, sizeof *values);
    return true;
  }
  float *values = supplei_allocate(a, total, sizeof *values);
  if (!values) return false;
  supplei_elements_to_floats(elements, values, b->components);
  for (size_t i = 0; i < total; i++) widen(b, (uint32_t)(i % b->components), (double)values[i]);
  supplei_release(a, values, total, sizeof *values);
  return true;
}

/* Whether min or max says what it should. Text is compared as the float that it stands for. */
static bool is_exact(const bounding *b, supple_value array, const double *values) {
  const supple_document *document = b->fix->document;
  if (supple_document_count(document, array) != b->components) return false;
  for (uint32_t c = 0; c < b->components; c++) {
    double stated;
    if (!supple_document_number(document, supple_document_child(document, array, c), &stated))
      return false;
    if (stated != values[c] && (double)(float)stated != values[c]) return false;
  }
  return true;
}

static supple_result write_bounds(const bounding *b, supple_value object, const char *key,
                                  const double *values) {
  supplei_output json = {.allocator = b->fix->allocator};
  char text[SUPPLEI_NUMBER_TEXT];
  supplei_output_text(&json, "[");
  for (uint32_t c = 0; c < b->components; c++) {
    if (c) supplei_output_text(&json, ",");
    supplei_output_text(&json, supplei_number_text(values[c], text));
  }
  supplei_output_put(&json, "]", 2);
  const supple_result result = json.failed ? supplei_fix_no_memory(b->fix, "bounds")
                                           : supple_document_set(b->fix->document, object, key,
                                                                 json.data, NULL, b->fix->error);
  supplei_output_release(&json);
  return result;
}

static supple_result tell(const bounding *b, bool smaller, bool larger, bool absent) {
  char pointer[48];
  snprintf(pointer, sizeof pointer, "/accessors/%u%s", (unsigned)b->accessor,
           absent    ? ""
           : smaller ? "/min"
                     : "/max");
  return supplei_fix_did(b->fix,
                         absent    ? "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS"
                         : smaller ? "ACCESSOR_MIN_MISMATCH"
                                   : "ACCESSOR_MAX_MISMATCH",
                         pointer, 1,
                         absent              ? "min and max are there now"
                         : smaller && larger ? "min and max are exactly those of the elements now"
                                             : "%s is exactly that of the elements now",
                         smaller ? "min" : "max");
}

static supple_result fix_accessor(bounding *b, supple_value object) {
  supple_document *document = b->fix->document;
  supplei_document_array array;
  supple_result result = supplei_document_array_open(document, b->accessor, &array, NULL);
  if (result == SUPPLE_ERROR_MEMORY) return supplei_fix_no_memory(b->fix, "bounds");
  if (result)
    return SUPPLE_OK; /* broken, and nothing that is shown uses it: the loader took the file */
  b->components = (uint32_t)array.elements.rows * array.elements.columns;
  if (!array.elements.count || b->components > COMPONENTS_MOST) return SUPPLE_OK;
  if (!measure(b, &array.elements)) return supplei_fix_no_memory(b->fix, "bounds");
  const supple_value min = supple_document_member(document, object, "min");
  const supple_value max = supple_document_member(document, object, "max");
  bool finite = true;
  for (uint32_t c = 0; c < b->components; c++) finite &= isfinite(b->min[c]) && isfinite(b->max[c]);
  if (!finite) return SUPPLE_OK; /* there are no such bounds in JSON */
  const bool smaller = (min != SUPPLE_NONE || b->required) && !is_exact(b, min, b->min);
  const bool larger = (max != SUPPLE_NONE || b->required) && !is_exact(b, max, b->max);
  if (smaller) result = write_bounds(b, object, "min", b->min);
  if (!result && larger) result = write_bounds(b, object, "max", b->max);
  if (result || (!smaller && !larger)) return result;
  return tell(b, smaller, larger, min == SUPPLE_NONE && max == SUPPLE_NONE);
}

supple_result supplei_fix_bounds(supplei_fix *fix) {
  const uint32_t count = supple_document_accessor_count(fix->document);
  uint8_t *needed = supplei_allocate_zero(&fix->allocator, count, 1);
  if (!needed) return supplei_fix_no_memory(fix, "bounds");
  supple_result result = SUPPLE_OK;
  find_needed(fix->document, needed, count);
  for (uint32_t i = 0; !result && i < count; i++) {
    const supple_value object = supplei_fix_item(fix->document, "accessors", i);
    const bool stated = supple_document_member(fix->document, object, "min") != SUPPLE_NONE ||
                        supple_document_member(fix->document, object, "max") != SUPPLE_NONE;
    bounding b = {.fix = fix, .accessor = i, .required = needed[i] != 0};
    if (stated || b.required) result = fix_accessor(&b, object);
  }
  supplei_release(&fix->allocator, needed, count, 1);
  return result;
}
