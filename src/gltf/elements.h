/* elements.h: decoding typed, strided, sparse arrays into floats and integers. */
#ifndef SUPPLEI_ELEMENTS_H
#define SUPPLEI_ELEMENTS_H

#include "../../include/supple/base.h"

/* The numbers of OpenGL, as glTF stores them. */
typedef enum supplei_component {
  SUPPLEI_I8 = 5120,
  SUPPLEI_U8 = 5121,
  SUPPLEI_I16 = 5122,
  SUPPLEI_U16 = 5123,
  SUPPLEI_U32 = 5125,
  SUPPLEI_F32 = 5126
} supplei_component;

/* Memory that was checked to hold what this says. Nothing needs to be aligned. */
typedef struct supplei_elements {
  const unsigned char *data; /* NULL: all zero */
  size_t stride;             /* bytes from one element to the next */
  uint32_t count;
  supplei_component component;
  uint8_t rows, columns; /* of a matrix; vectors and scalars have one column */
  bool normalized;       /* integers stand for [0, 1] or [-1, 1] */
  uint32_t sparse_count;
  supplei_component sparse_component;  /* of the indices: unsigned */
  const unsigned char *sparse_indices; /* strictly ascending, < count */
  const unsigned char *sparse_values;  /* tightly packed elements of the same type */
} supplei_elements;

size_t supplei_component_size(supplei_component component);
/* Bytes of one element; columns of matrices start at multiples of four. */
size_t supplei_element_size(supplei_component component, unsigned rows, unsigned columns);

/* Converts every component, matrices column by column without padding. out_stride is in floats,
 * at least rows * columns. Normalised integers follow glTF 2.0, section 3.6.2.2: c / 255, max(c
 * / 127, -1), … */
void supplei_elements_to_floats(const supplei_elements *elements, float *out, size_t out_stride);

/* The same for unsigned integers of one column, as stored. */
void supplei_elements_to_u32(const supplei_elements *elements, uint32_t *out, size_t out_stride);
void supplei_elements_to_u16(const supplei_elements *elements, uint16_t *out, size_t out_stride);

/* The k-th index of the sparse part. */
uint32_t supplei_sparse_index(const supplei_elements *elements, uint32_t k);

/* The first of count floats that is not finite, or count. */
size_t supplei_first_non_finite(const float *values, size_t count);

#endif
