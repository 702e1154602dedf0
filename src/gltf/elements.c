/* elements.c: decoding typed, strided, sparse arrays into floats and integers. */
#include "../base/prologue.h"

#include "elements.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__) &&                                    \
    __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#error "Accessors are little-endian, and so must be the machine."
#endif

size_t supplei_component_size(supplei_component component) {
  switch (component) {
  case SUPPLEI_I8:
  case SUPPLEI_U8: return 1;
  case SUPPLEI_I16:
  case SUPPLEI_U16: return 2;
  case SUPPLEI_U32:
  case SUPPLEI_F32: return 4;
  }
  return 0;
}

static size_t column_size(supplei_component component, unsigned rows, unsigned columns) {
  size_t size = rows * supplei_component_size(component);
  return columns > 1 ? (size + 3) / 4 * 4 : size;
}

size_t supplei_element_size(supplei_component component, unsigned rows, unsigned columns) {
  return columns * column_size(component, rows, columns);
}

/* One component; `component` and `normalized` are constants wherever this is inlined. */
static inline float load_float(const unsigned char *p, supplei_component component, bool normalized) {
  switch (component) {
  case SUPPLEI_I8: {
    float value = (float)(signed char)*p;
    if (!normalized) return value;
    return value < -127.0f ? -1.0f : value / 127.0f;
  }
  case SUPPLEI_U8: return normalized ? (float)*p / 255.0f : (float)*p;
  case SUPPLEI_I16: {
    int16_t integer;
    memcpy(&integer, p, sizeof integer);
    if (!normalized) return (float)integer;
    return integer < -32767 ? -1.0f : (float)integer / 32767.0f;
  }
  case SUPPLEI_U16: {
    uint16_t integer;
    memcpy(&integer, p, sizeof integer);
    return normalized ? (float)integer / 65535.0f : (float)integer;
  }
  case SUPPLEI_U32: {
    uint32_t integer;
    memcpy(&integer, p, sizeof integer);
    return (float)integer;
  }
  case SUPPLEI_F32: {
    float value;
    memcpy(&value, p, sizeof value);
    return value;
  }
  }
  return 0;
}

static inline uint32_t load_unsigned(const unsigned char *p, supplei_component component) {
  if (component == SUPPLEI_U8) return *p;
  if (component == SUPPLEI_U16) {
    uint16_t integer;
    memcpy(&integer, p, sizeof integer);
    return integer;
  }
  uint32_t integer;
  memcpy(&integer, p, sizeof integer);
  return integer;
}

/* ---- floats ---- */

typedef struct run {
  const unsigned char *data;
  size_t stride, count;
  unsigned rows, columns;
  float *out;
  size_t out_stride;
} run;

static inline void convert(const run *r, supplei_component component, bool normalized) {
  size_t size = supplei_component_size(component),
         column = column_size(component, r->rows, r->columns);
  for (size_t i = 0; i < r->count; i++) {
    const unsigned char *p = r->data + i * r->stride;
    float *out = r->out + i * r->out_stride;
    for (unsigned c = 0; c < r->columns; c++)
      for (unsigned k = 0; k < r->rows; k++)
        out[c * r->rows + k] = load_float(p + c * column + k * size, component, normalized);
  }
}

static void convert_run(const run *r, supplei_component component, bool normalized) {
  switch (component) {
  case SUPPLEI_I8: normalized ? convert(r, SUPPLEI_I8, true) : convert(r, SUPPLEI_I8, false); break;
  case SUPPLEI_U8: normalized ? convert(r, SUPPLEI_U8, true) : convert(r, SUPPLEI_U8, false); break;
  case SUPPLEI_I16:
    normalized ? convert(r, SUPPLEI_I16, true) : convert(r, SUPPLEI_I16, false);
    break;
  case SUPPLEI_U16:
    normalized ? convert(r, SUPPLEI_U16, true) : convert(r, SUPPLEI_U16, false);
    break;
  case SUPPLEI_U32: convert(r, SUPPLEI_U32, false); break;
  case SUPPLEI_F32: convert(r, SUPPLEI_F32, false); break;
  }
}

void supplei_elements_to_floats(const supplei_elements *e, float *out, size_t out_stride) {
  size_t width = (size_t)e->rows * e->columns;
  run all = {e->data, e->stride, e->count, e->rows, e->columns, out, out_stride};
  if (!e->data) {
    for (size_t i = 0; i < e->count; i++) memset(out + i * out_stride, 0, width * sizeof *out);
  } else if (e->component == SUPPLEI_F32 && e->stride == width * sizeof *out && out_stride == width) {
    memcpy(out, e->data, e->count * e->stride);
  } else {
    convert_run(&all, e->component, e->normalized);
  }
  size_t size = supplei_element_size(e->component, e->rows, e->columns);
  for (uint32_t k = 0; k < e->sparse_count; k++) {
    run one = {e->sparse_values + k * size,
               size,
               1,
               e->rows,
               e->columns,
               out + supplei_sparse_index(e, k) * out_stride,
               out_stride};
    convert_run(&one, e->component, e->normalized);
  }
}

/* ---- integers ---- */

uint32_t supplei_sparse_index(const supplei_elements *e, uint32_t k) {
  size_t size = supplei_component_size(e->sparse_component);
  return load_unsigned(e->sparse_indices + k * size, e->sparse_component);
}

static inline void copy_u32(const supplei_elements *e, supplei_component component, uint32_t *out,
                            size_t out_stride) {
  size_t size = supplei_component_size(component);
  for (size_t i = 0; i < e->count; i++)
    for (unsigned k = 0; k < e->rows; k++)
      out[i * out_stride + k] = load_unsigned(e->data + i * e->stride + k * size, component);
}

void supplei_elements_to_u32(const supplei_elements *e, uint32_t *out, size_t out_stride) {
  if (!e->data)
    for (size_t i = 0; i < e->count; i++) memset(out + i * out_stride, 0, e->rows * sizeof *out);
  else if (e->component == SUPPLEI_U8)
    copy_u32(e, SUPPLEI_U8, out, out_stride);
  else if (e->component == SUPPLEI_U16)
    copy_u32(e, SUPPLEI_U16, out, out_stride);
  else
    copy_u32(e, SUPPLEI_U32, out, out_stride);
  size_t size = supplei_component_size(e->component);
  for (uint32_t k = 0; k < e->sparse_count; k++)
    for (unsigned row = 0; row < e->rows; row++)
      out[supplei_sparse_index(e, k) * out_stride + row] =
          load_unsigned(e->sparse_values + (k * (size_t)e->rows + row) * size, e->component);
}

static inline void copy_u16(const supplei_elements *e, supplei_component component, uint16_t *out,
                            size_t out_stride) {
  size_t size = supplei_component_size(component);
  for (size_t i = 0; i < e->count; i++)
    for (unsigned k = 0; k < e->rows; k++)
      out[i * out_stride + k] =
          (uint16_t)load_unsigned(e->data + i * e->stride + k * size, component);
}

void supplei_elements_to_u16(const supplei_elements *e, uint16_t *out, size_t out_stride) {
  if (!e->data)
    for (size_t i = 0; i < e->count; i++) memset(out + i * out_stride, 0, e->rows * sizeof *out);
  else if (e->component == SUPPLEI_U8)
    copy_u16(e, SUPPLEI_U8, out, out_stride);
  else
    copy_u16(e, SUPPLEI_U16, out, out_stride);
  size_t size = supplei_component_size(e->component);
  for (uint32_t k = 0; k < e->sparse_count; k++)
    for (unsigned row = 0; row < e->rows; row++)
      out[supplei_sparse_index(e, k) * out_stride + row] = (uint16_t)load_unsigned(
          e->sparse_values + (k * (size_t)e->rows + row) * size, e->component);
}

/* ---- checks ---- */

static bool is_finite_bits(const float *value) {
  uint32_t bits;
  memcpy(&bits, value, sizeof bits);
  return (bits & 0x7F800000) != 0x7F800000;
}

size_t supplei_first_non_finite(const float *values, size_t count) {
  enum { BLOCK = 256 }; /* without a branch inside, so that it compiles to vector code */
  size_t at = 0;
  for (; count - at >= BLOCK; at += BLOCK) {
    uint32_t bad = 0;
    for (size_t i = 0; i < BLOCK; i++) {
      uint32_t bits;
      memcpy(&bits, values + at + i, sizeof bits);
      bad |= (uint32_t)((bits & 0x7F800000) == 0x7F800000);
    }
    if (bad) break;
  }
  while (at < count && is_finite_bits(values + at)) at++;
  return at;
}
