/* meshopt_rules.c: the rules of EXT_meshopt_compression and KHR_meshopt_compression, and the call of the decoder. */
#include "../base/prologue.h"

#include "meshopt_rules.h"

enum { ATTRIBUTES, TRIANGLES, INDICES };
enum { NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL, COLOR };

const char *const supplei_meshopt_names[3] = {"EXT_meshopt_compression", "KHR_meshopt_compression",
                                              NULL};
const char *const supplei_meshopt_modes[4] = {"ATTRIBUTES", "TRIANGLES", "INDICES", NULL};
const char *const supplei_meshopt_filters[6] = {"NONE",        "OCTAHEDRAL", "QUATERNION",
                                                "EXPONENTIAL", "COLOR",      NULL};

static const char *stride_fault(const supplei_meshopt *m) {
  if (m->mode == ATTRIBUTES)
    return !m->stride || m->stride % 4 || m->stride > 256
               ? "byteStride of mode ATTRIBUTES must be a multiple of 4, from 4 to 256"
               : NULL;
  return m->stride != 2 && m->stride != 4
             ? "byteStride of the modes TRIANGLES and INDICES must be 2 or 4"
             : NULL;
}

static const char *filter_fault(const supplei_meshopt *m) {
  if (m->filter != NONE && m->mode != ATTRIBUTES) return "only mode ATTRIBUTES can have a filter";
  if ((m->filter == OCTAHEDRAL || m->filter == COLOR) && m->stride != 4 && m->stride != 8)
    return "byteStride of the filters OCTAHEDRAL and COLOR must be 4 or 8";
  if (m->filter == QUATERNION && m->stride != 8)
    return "byteStride of the filter QUATERNION must be 8";
  return NULL;
}

/* The least bytes that so many elements can take. Of attributes a block of at most 256 needs two bits for each byte
 * of an element (version 1; 0 needs more); of triangles, as of indices, each a byte. All have a header and a tail. */
static uint64_t least_length(const supplei_meshopt *m) {
  if (m->mode == TRIANGLES) return 17 + m->count / 3;
  if (m->mode == INDICES) return 5 + m->count;
  return 1 + (m->count + 255) / 256 * (m->stride / 4) + m->stride;
}

const char *supplei_meshopt_fault(const supplei_meshopt *m, uint64_t view_length,
                                  uint64_t view_stride) {
  const char *fault = stride_fault(m);
  if (!fault) fault = filter_fault(m);
  if (fault) return fault;
  if (m->count > view_length / m->stride || m->count * m->stride != view_length)
    return "count times byteStride is not the byteLength of the view";
  if (view_stride && view_stride != m->stride) return "byteStride is not that of the view";
  if (m->mode == TRIANGLES && m->count % 3)
    return "count of mode TRIANGLES must be a multiple of 3";
  if (least_length(m) > m->length) return "so few bytes cannot hold so many elements";
  return NULL;
}

supple_result supplei_meshopt_decode(const supplei_meshopt *m, const supple_codecs *codecs,
                                     const unsigned char *data, unsigned char *out) {
  supple_result result =
      codecs->meshopt(codecs->user, data, (size_t)m->length, supplei_meshopt_modes[m->mode],
                      supplei_meshopt_filters[m->filter], (size_t)m->count, (size_t)m->stride, out);
  if (!result || result == SUPPLE_ERROR_UNSUPPORTED || result == SUPPLE_ERROR_MEMORY) return result;
  return SUPPLE_ERROR_FORMAT;
}
