/* reader_looks.c: texture coordinates and colours of a primitive's vertices, which move nothing. */
#include "../base/prologue.h"

#include "accessor.h"
#include "primitive_reader.h"

static const unsigned normalized = SUPPLEI_TYPE_U8_NORMALIZED | SUPPLEI_TYPE_U16_NORMALIZED;

/* Colours with three components get an alpha of 1. */
static supple_result add_alpha(supplei_loader *loader, const float *rgb,
                               supple_primitive *primitive) {
  const size_t count = primitive->vertex_count;
  float *rgba = supplei_loader_allocate(loader, count, 4 * sizeof *rgba, "colours");
  if (!rgba) return supplei_loader_memory_result(loader);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < 3; k++) rgba[4 * i + k] = rgb[3 * i + k];
    rgba[4 * i + 3] = 1;
  }
  primitive->colors = rgba;
  return SUPPLE_OK;
}

static supple_result read_colors(supplei_loader *loader, uint32_t attributes,
                                 supple_primitive *primitive) {
  static const supplei_shape any = {0};
  supplei_stream_rule rule = {"COLOR_0", 4, 0, false, normalized};
  supplei_accessor *accessor;
  supple_result result = supplei_accessor_get(loader, attributes, rule.key, any, &accessor);
  if (result || !accessor) return result;
  if (accessor->elements.rows == 3) rule.width = 3;
  const float *values = NULL;
  result = supplei_read_stream(loader, attributes, &rule, primitive->vertex_count, &values);
  if (result || !values) return result;
  if (rule.width == 3) return add_alpha(loader, values, primitive);
  primitive->colors = values;
  return SUPPLE_OK;
}

supple_result supplei_read_looks(supplei_loader *loader, uint32_t attributes,
                                 supple_primitive *primitive) {
  static const supplei_stream_rule texcoord = {"TEXCOORD_0", 2,
                                               SUPPLEI_TYPE_I8 | SUPPLEI_TYPE_I8_NORMALIZED |
                                                   SUPPLEI_TYPE_I16 | SUPPLEI_TYPE_I16_NORMALIZED |
                                                   SUPPLEI_TYPE_U8 | SUPPLEI_TYPE_U16,
                                               false, normalized};
  supple_result result = supplei_read_stream(loader, attributes, &texcoord, primitive->vertex_count,
                                             &primitive->texcoords);
  return result ? result : read_colors(loader, attributes, primitive);
}
