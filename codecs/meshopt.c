/* meshopt.c: EXT_meshopt_compression and KHR_meshopt_compression by meshoptimizer. */
#include "decoders.h"

#include <meshoptimizer.h>

#include <string.h>

/* The first byte of the data says the codec in its upper half, the version in its lower one. */
enum { VERTICES = 0xA0, TRIANGLES = 0xE0, SEQUENCE = 0xD0 };

static int newest_version(int kind) {
  if (kind == VERTICES) return MESHOPTIMIZER_VERSION >= 230 ? 1 : 0;
  return 1;
}

/* ---- the filter COLOR of KHR_meshopt_compression, which older versions of the library have not ----
 *
 * Y, Co, Cg and alpha of an element have K bits each, Co and Cg with sign. Alpha has one bit less, shifted up by one:
 * the highest bit set in it says K. The sums are scaled from K bits to all of them and rounded. */

static uint32_t scaled(int32_t value, float scale, float most) {
  const float x = (float)value * scale + 0.5f;
  return x >= most ? (uint32_t)most : x > 0 ? (uint32_t)x : 0; /* damaged data may pass the ends */
}

/* One element of 4 components of `bits` bits, as unsigned numbers, in place. */
static void decode_color(uint32_t c[4], unsigned bits) {
  const int32_t sign = (int32_t)1 << (bits - 1);
  const int32_t y = (int32_t)c[0], co = (int32_t)(c[1] ^ (uint32_t)sign) - sign,
                cg = (int32_t)(c[2] ^ (uint32_t)sign) - sign;
  uint32_t mask = c[3];
  for (unsigned shift = 1; shift < 16; shift *= 2) mask |= mask >> shift;
  const float most = (float)(((uint32_t)1 << bits) - 1);
  const float scale = mask ? most / (float)mask : 0;
  const uint32_t alpha = (c[3] << 1 & mask) | (c[3] & 1);
  c[0] = scaled(y + co - cg, scale, most);
  c[1] = scaled(y + cg, scale, most);
  c[2] = scaled(y - co - cg, scale, most);
  c[3] = scaled((int32_t)alpha, scale, most);
}

static void filter_colors(void *out, size_t count, size_t stride) {
  uint8_t *bytes = out;
  uint32_t c[4];
  for (size_t i = 0; i < count; i++, bytes += stride) {
    for (size_t k = 0; k < 4; k++)
      c[k] = stride == 4 ? bytes[k] : bytes[2 * k] | (uint32_t)bytes[2 * k + 1] << 8;
    decode_color(c, stride == 4 ? 8 : 16);
    for (size_t k = 0; k < 4; k++) {
      bytes[stride == 4 ? k : 2 * k] = (uint8_t)c[k];
      if (stride == 8) bytes[2 * k + 1] = (uint8_t)(c[k] >> 8);
    }
  }
}

static supple_result filter_vertices(const char *filter, void *out, size_t count, size_t stride) {
  if (strcmp(filter, "NONE") == 0) return SUPPLE_OK;
  if (strcmp(filter, "OCTAHEDRAL") == 0 && (stride == 4 || stride == 8))
    meshopt_decodeFilterOct(out, count, stride);
  else if (strcmp(filter, "QUATERNION") == 0 && stride == 8)
    meshopt_decodeFilterQuat(out, count, stride);
  else if (strcmp(filter, "EXPONENTIAL") == 0 && stride % 4 == 0)
    meshopt_decodeFilterExp(out, count, stride);
  else if (strcmp(filter, "COLOR") == 0 && (stride == 4 || stride == 8))
    filter_colors(out, count, stride);
  else
    return SUPPLE_ERROR_UNSUPPORTED;
  return SUPPLE_OK;
}

/* What the functions of the library only assert, or leave to undefined behaviour, is checked here. */
static supple_result check(const unsigned char *data, size_t size, int kind, size_t count,
                           size_t stride) {
  if (!size || !count || count > SIZE_MAX / 256) return SUPPLE_ERROR_FORMAT;
  if ((data[0] & 0xF0) != kind) return SUPPLE_ERROR_FORMAT;
  if ((data[0] & 0x0F) > newest_version(kind)) return SUPPLE_ERROR_UNSUPPORTED;
  if (kind == VERTICES)
    return stride > 0 && stride <= 256 && stride % 4 == 0 ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
  return stride == 2 || stride == 4 ? SUPPLE_OK : SUPPLE_ERROR_FORMAT;
}

supple_result supplei_codecs_meshopt(void *user, const void *data, size_t size, const char *mode,
                                     const char *filter, size_t count, size_t stride, void *out) {
  const int kind = strcmp(mode, "ATTRIBUTES") == 0  ? VERTICES
                   : strcmp(mode, "TRIANGLES") == 0 ? TRIANGLES
                   : strcmp(mode, "INDICES") == 0   ? SEQUENCE
                                                    : 0;
  (void)user;
  if (!kind) return SUPPLE_ERROR_UNSUPPORTED;
  const supple_result result = check(data, size, kind, count, stride);
  if (result) return result;
  if (kind == VERTICES) {
    if (meshopt_decodeVertexBuffer(out, count, stride, data, size)) return SUPPLE_ERROR_FORMAT;
    return filter_vertices(filter, out, count, stride);
  }
  if (strcmp(filter, "NONE") != 0) return SUPPLE_ERROR_UNSUPPORTED;
  if (kind == TRIANGLES)
    return count % 3 || meshopt_decodeIndexBuffer(out, count, stride, data, size)
               ? SUPPLE_ERROR_FORMAT
               : SUPPLE_OK;
  return meshopt_decodeIndexSequence(out, count, stride, data, size) ? SUPPLE_ERROR_FORMAT
                                                                     : SUPPLE_OK;
}
