/* reader_meshopt.c: buffer views that EXT_meshopt_compression or KHR_meshopt_compression compresses. */
#include "../base/prologue.h"

#include "accessor.h"
#include "buffers.h"

static const uint64_t largest_integer = UINT64_C(1) << 53;

/* A string among known words; *out keeps its value where it is absent. */
static supple_result read_word(supplei_loader *loader, uint32_t object, const char *key,
                               const char *const *words, const char *what, uint32_t *out) {
  uint32_t node;
  supple_result result = supplei_get(loader, object, key, SUPPLEI_JSON_STRING, &node);
  if (result || node == SUPPLE_NONE) return result;
  for (uint32_t i = 0; words[i]; i++)
    if (supplei_json_equals(&loader->json, node, words[i])) {
      *out = i;
      return SUPPLE_OK;
    }
  return supplei_loader_wrong(loader, node, "is no %s that is known", what);
}

static supple_result read_numbers(supplei_loader *loader, supplei_view *v) {
  static const char *const needed[] = {"buffer", "byteLength", "byteStride", "count"};
  supplei_meshopt *m = &v->meshopt;
  uint32_t node, object = v->codec_node;
  supple_result result = SUPPLE_OK;
  for (size_t i = 0; i < sizeof needed / sizeof *needed && !result; i++)
    result = supplei_require(loader, object, needed[i], SUPPLEI_JSON_NUMBER, &node);
  if (!result)
    result =
        supplei_get_index(loader, object, "buffer", loader->buffers.count, "buffers", &m->buffer);
  if (!result)
    result = supplei_get_unsigned(loader, object, "byteLength", 1, largest_integer, &m->length);
  if (!result)
    result = supplei_get_unsigned(loader, object, "byteOffset", 0, largest_integer, &m->offset);
  if (!result) result = supplei_get_unsigned(loader, object, "byteStride", 1, 256, &m->stride);
  if (!result)
    result = supplei_get_unsigned(loader, object, "count", 1, largest_integer, &m->count);
  return result;
}

supple_result supplei_meshopt_read(supplei_loader *loader, supplei_view *v) {
  for (uint32_t i = 0; supplei_meshopt_names[i] && !v->codec; i++) {
    v->codec_node = supplei_extension(loader, v->node, supplei_meshopt_names[i]);
    if (v->codec_node != SUPPLE_NONE) v->codec = supplei_meshopt_names[i];
  }
  if (!v->codec) return SUPPLE_OK;
  supplei_meshopt *m = &v->meshopt;
  uint32_t node, object = v->codec_node;
  uint64_t size = 0;
  if (supplei_node(loader, object)->type != SUPPLEI_JSON_OBJECT)
    return supplei_loader_wrong(loader, object, "must be an object");
  supple_result result = read_numbers(loader, v);
  if (!result) result = supplei_require(loader, object, "mode", SUPPLEI_JSON_STRING, &node);
  if (!result) result = read_word(loader, object, "mode", supplei_meshopt_modes, "mode", &m->mode);
  if (!result)
    result = read_word(loader, object, "filter", supplei_meshopt_filters, "filter", &m->filter);
  if (!result) result = supplei_buffer_length(loader, m->buffer, &size);
  if (result) return result;
  if (m->offset > size || m->length > size - m->offset)
    return supplei_loader_wrong(loader, object, "bytes %llu to %llu of a buffer that has %llu",
                                (unsigned long long)m->offset,
                                (unsigned long long)(m->offset + m->length),
                                (unsigned long long)size);
  const char *fault = supplei_meshopt_fault(m, v->length, v->stride);
  return fault ? supplei_loader_wrong(loader, object, "%s", fault) : SUPPLE_OK;
}

supple_result supplei_meshopt_unpack(supplei_loader *loader, supplei_view *v,
                                     const unsigned char **data) {
  const supplei_meshopt *m = &v->meshopt;
  const unsigned char *packed;
  if (!v->unpacked) {
    supple_result result = supplei_buffer_open(loader, m->buffer, &packed);
    if (result) return result;
    unsigned char *out =
        supplei_loader_unpacked(loader, v->codec_node, m->count, (size_t)m->stride, "a view");
    if (!out) return supplei_loader_memory_result(loader);
    result = supplei_meshopt_decode(m, loader->options->codecs, packed + m->offset, out);
    if (result == SUPPLE_ERROR_UNSUPPORTED)
      return supplei_loader_fail(
          loader, v->codec_node, result,
          "mode %s with filter %s, in the version that the data has, is not known "
          "to the decoder of this build",
          supplei_meshopt_modes[m->mode], supplei_meshopt_filters[m->filter]);
    if (result == SUPPLE_ERROR_MEMORY)
      return supplei_fail_memory(loader->error, (size_t)v->length, "a view");
    if (result)
      return supplei_loader_wrong(loader, v->codec_node, "its compressed data is damaged");
    v->unpacked = out;
  }
  *data = v->unpacked;
  return SUPPLE_OK;
}
