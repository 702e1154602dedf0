/* fake_codecs.h: decoders for the tests of the reader: meshopt data is the plain bytes behind a head that only a
 * length pads, Draco data says three points, and what it is asked to do. */
#ifndef FAKE_CODECS_H
#define FAKE_CODECS_H

#include "asset_text.h"

typedef struct fake_state {
  supple_result meshopt_result, open_result, read_result;
  uint32_t unpacked, opened, closed, points, indices;
} fake_state;

/* The last count × stride bytes. */
static inline supple_result fake_meshopt(void *user, const void *data, size_t size,
                                         const char *mode, const char *filter, size_t count,
                                         size_t stride, void *out) {
  fake_state *state = user;
  (void)mode, (void)filter;
  state->unpacked++;
  if (state->meshopt_result) return state->meshopt_result;
  if (size < count * stride) return SUPPLE_ERROR_FORMAT;
  memcpy(out, (const unsigned char *)data + size - count * stride, count * stride);
  return SUPPLE_OK;
}

static inline supple_result fake_open(void *user, const void *data, size_t size, void **mesh,
                                      uint32_t *points, uint32_t *indices) {
  fake_state *state = user;
  (void)data, (void)size;
  *mesh = NULL;
  if (state->open_result) return state->open_result;
  if (state->points > *points || state->indices > *indices) return SUPPLE_ERROR_LIMIT;
  *points = state->points, *indices = state->indices;
  *mesh = state;
  state->opened++;
  return SUPPLE_OK;
}

/* Numbers k of attribute a: 10 a + k as floats, k as bytes; indices 0, 1, 2, … modulo the points. */
static inline supple_result fake_read(void *user, void *mesh, uint32_t attribute, uint32_t type,
                                      uint32_t components, void *out) {
  fake_state *state = user;
  assert_ptr_equal(mesh, state);
  if (state->read_result) return state->read_result;
  if (attribute == SUPPLE_NONE) {
    assert_int_equal(type, 5125);
    for (uint32_t i = 0; i < state->indices; i++) ((uint32_t *)out)[i] = i % state->points;
    return SUPPLE_OK;
  }
  for (uint32_t i = 0; i < state->points * components; i++) {
    if (type == 5126)
      ((float *)out)[i] = (float)(10 * attribute + i);
    else if (type == 5121)
      ((uint8_t *)out)[i] = (uint8_t)i;
    else
      return SUPPLE_ERROR_FORMAT;
  }
  return SUPPLE_OK;
}

static inline void fake_close(void *user, void *mesh) {
  assert_ptr_equal(mesh, user);
  ((fake_state *)user)->closed++;
}

static inline supple_codecs fake_codecs(fake_state *state) {
  memset(state, 0, sizeof *state);
  state->points = 3;
  state->indices = 6;
  return (supple_codecs){fake_meshopt, fake_open, fake_read, fake_close, state};
}

#endif
