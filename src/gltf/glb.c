/* glb.c: the container of binary glTF (glTF 2.0, "GLB File Format Specification"). */
#include "../base/prologue.h"

#include "glb.h"

#include "../base/error.h"

#include <string.h>

enum { HEADER_SIZE = 12, CHUNK_HEADER_SIZE = 8 };
static const uint32_t chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;

static uint32_t read_u32(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

bool supplei_glb_is(const void *data, size_t size) {
  return size >= 4 && memcmp(data, "glTF", 4) == 0;
}

static supple_result fail_at(supple_error *error, size_t at, const char *what) {
  return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, at, "%s", what);
}

static supple_result check_header(supplei_glb *glb, const unsigned char *bytes, size_t size,
                                  size_t *length, supple_error *error) {
  if (size < HEADER_SIZE) return fail_at(error, size, "the GLB ends within its header");
  uint32_t version = read_u32(bytes + 4);
  if (version != 2)
    return supplei_fail(error, SUPPLE_ERROR_UNSUPPORTED, NULL, 4,
                        "GLB version %u; only 2 can be read", (unsigned)version);
  *length = read_u32(bytes + 8);
  if (*length > size)
    return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, 8,
                        "the GLB says it has %zu bytes, but the file has only %zu: it is cut off",
                        *length, size);
  if (*length < HEADER_SIZE + CHUNK_HEADER_SIZE)
    return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, 8,
                        "the GLB says it has %zu bytes, too few for a JSON chunk", *length);
  glb->trailing = size - *length;
  if (glb->trailing) glb->oddities |= SUPPLEI_GLB_TRAILING;
  return SUPPLE_OK;
}

static supple_result take_chunk(supplei_glb *glb, uint32_t type, const unsigned char *data,
                                size_t size, size_t at, uint32_t index, supple_error *error) {
  if (index == 0) {
    if (type != chunk_json)
      return fail_at(error, at,
                     type == chunk_bin ? "the BIN chunk stands before the JSON chunk"
                                       : "the first chunk of a GLB must be JSON");
    glb->json = data;
    glb->json_size = size;
    glb->json_offset = at + CHUNK_HEADER_SIZE;
    while (glb->json_size && !data[glb->json_size - 1]) {
      glb->json_size--;
      glb->oddities |= SUPPLEI_GLB_NUL_PADDING;
    }
  } else if (type == chunk_json) {
    return fail_at(error, at, "a GLB must not have a second JSON chunk");
  } else if (type == chunk_bin) {
    if (glb->bin) {
      glb->oddities |= SUPPLEI_GLB_MORE_BIN;
      return SUPPLE_OK;
    }
    if (index != 1) glb->oddities |= SUPPLEI_GLB_BIN_LATE;
    glb->bin = data;
    glb->bin_size = size;
  }
  return SUPPLE_OK; /* chunks of other types are to be ignored */
}

supple_result supplei_glb_parse(supplei_glb *glb, const void *data, size_t size,
                                supple_error *error) {
  const unsigned char *bytes = data;
  size_t length = 0, at = HEADER_SIZE;
  *glb = (supplei_glb){0};
  supple_result result = check_header(glb, bytes, size, &length, error);
  if (result) return result;
  for (uint32_t index = 0; at < length; index++) {
    if (length - at < CHUNK_HEADER_SIZE) {
      glb->oddities |= SUPPLEI_GLB_STUB;
      break;
    }
    size_t chunk = read_u32(bytes + at), left = length - at - CHUNK_HEADER_SIZE;
    if (chunk > left)
      return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, at,
                          "a GLB chunk says it has %zu bytes, but only %zu are left", chunk, left);
    if (chunk % 4) glb->oddities |= SUPPLEI_GLB_UNALIGNED;
    result = take_chunk(glb, read_u32(bytes + at + 4), bytes + at + CHUNK_HEADER_SIZE, chunk, at,
                        index, error);
    if (result) return result;
    at += CHUNK_HEADER_SIZE + chunk;
  }
  return SUPPLE_OK;
}
