/* decompress_views.c: buffer views of a document that meshoptimizer compresses. */
#include "../base/prologue.h"

#include "decompress.h"

#include <string.h>

static const uint64_t largest_integer = UINT64_C(1) << 53;

/* ---- how they are compressed ---- */

static supple_result read_word(const supple_document *document, uint32_t object, const char *key,
                               const char *const *words, uint32_t *out, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  const uint32_t value = supplei_tree_member(tree, object, key);
  if (value == SUPPLE_NONE) return SUPPLE_OK;
  for (uint32_t i = 0; words[i]; i++)
    if (supplei_tree_equals(tree, value, words[i])) {
      *out = i;
      return SUPPLE_OK;
    }
  return supplei_tree_fail(tree, value, error, SUPPLE_ERROR_FORMAT, "is no %s that is known", key);
}

static supple_result read_meshopt(const supple_document *document, const supplei_document_view *view,
                                  supplei_meshopt *m, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  const uint32_t object = view->compressed;
  uint64_t buffer = 0;
  *m = (supplei_meshopt){0};
  supple_result result =
      supplei_document_need(document, object, "buffer", 0, SUPPLE_NONE - 1, &buffer, error);
  if (!result)
    result = supplei_document_need(document, object, "byteLength", 1, largest_integer, &m->length,
                                   error);
  if (!result)
    result = supplei_document_unsigned(document, object, "byteOffset", 0, largest_integer,
                                       &m->offset, error);
  if (!result)
    result = supplei_document_need(document, object, "byteStride", 1, 256, &m->stride, error);
  if (!result)
    result = supplei_document_need(document, object, "count", 1, largest_integer, &m->count, error);
  if (!result && supplei_tree_member(tree, object, "mode") == SUPPLE_NONE)
    return supplei_tree_fail(tree, object, error, SUPPLE_ERROR_FORMAT, "\"mode\" is missing");
  if (!result) result = read_word(document, object, "mode", supplei_meshopt_modes, &m->mode, error);
  if (!result)
    result = read_word(document, object, "filter", supplei_meshopt_filters, &m->filter, error);
  if (result) return result;
  m->buffer = (uint32_t)buffer;
  const char *fault = supplei_meshopt_fault(m, view->length, view->stride);
  if (fault) return supplei_tree_fail(tree, object, error, SUPPLE_ERROR_FORMAT, "%s", fault);
  return SUPPLE_OK;
}

/* ---- decoding ---- */

/* Into data[view->length], which is there. */
static supple_result unpack(supple_document *document, const supplei_document_view *view,
                            const supplei_meshopt *m, unsigned char *data, supple_error *error) {
  const unsigned char *packed;
  supple_result result =
      supplei_document_bytes(document, m->buffer, m->offset, m->length, &packed, error);
  if (!result)
    result = supplei_meshopt_decode(m, document->options.codecs, packed, data);
  else
    return result;
  if (result == SUPPLE_ERROR_MEMORY)
    return supplei_fail_memory(error, (size_t)view->length, "a view");
  if (result)
    return supplei_tree_fail(
        &document->tree, view->compressed, error, result,
        result == SUPPLE_ERROR_UNSUPPORTED
            ? "mode %s with filter %s is not known to the decoder of this build"
            : "its compressed data (mode %s, filter %s) is damaged",
        supplei_meshopt_modes[m->mode], supplei_meshopt_filters[m->filter]);
  return SUPPLE_OK;
}

static bool has_decoder(const supple_document *document) {
  return document->options.codecs && document->options.codecs->meshopt;
}

/* Without a decoder: what the file has in the place of the compressed bytes. */
static supple_result fallback_bytes(supple_document *document, const supplei_document_view *view,
                                    const unsigned char **data, supple_error *error) {
  const uint32_t buffer = supplei_document_item(document, "buffers", view->buffer);
  if (supplei_buffer_kind_of(document, buffer) != SUPPLEI_BUFFER_NONE)
    return supplei_document_bytes(document, view->buffer, view->offset, view->length, data, error);
  return supplei_tree_fail(&document->tree, view->value, error, SUPPLE_ERROR_UNSUPPORTED,
                           SUPPLEI_NEEDS_MESHOPT,
                           supplei_tree_key(&document->tree, view->compressed));
}

supple_result supplei_document_view_decompress(supple_document *document,
                                               const supplei_document_view *view,
                                               const unsigned char **data, supple_error *error) {
  supplei_meshopt m;
  if (!has_decoder(document)) return fallback_bytes(document, view, data, error);
  supple_result result = read_meshopt(document, view, &m, error);
  if (result) return result;
  supplei_unpacked unpacked = {
      .value = view->compressed,
      .stamp = {m.buffer, m.offset, m.length, m.stride, m.count, m.mode, m.filter},
      .size = (size_t)view->length};
  *data = supplei_unpacked_find(document, unpacked.value, unpacked.stamp);
  if (*data) return SUPPLE_OK;
  result = supplei_unpacked_allocate(document, view->compressed, m.count, (size_t)m.stride,
                                     &unpacked.data, error);
  if (!result) result = unpack(document, view, &m, unpacked.data, error);
  if (!result) result = supplei_unpacked_keep(document, &unpacked, error);
  if (result)
    supplei_unpacked_release(document, unpacked.data, unpacked.size);
  else
    *data = unpacked.data;
  return result;
}

/* ---- in the place of the compressed ones ---- */

/* Makes a view be the new one, the last, which goes. */
static supple_result take_place(supple_document *document, uint32_t view, uint32_t index,
                                supple_error *error) {
  supplei_tree *tree = &document->tree;
  const uint32_t last = supplei_document_item(document, "bufferViews", index);
  uint64_t buffer = 0, offset = 0;
  supplei_tree_unsigned(tree, supplei_tree_member(tree, last, "buffer"), SUPPLE_NONE, &buffer);
  supplei_tree_unsigned(tree, supplei_tree_member(tree, last, "byteOffset"), largest_integer,
                        &offset);
  supple_result result = supplei_tree_set_unsigned(tree, view, "buffer", buffer, error);
  if (!result)
    result = offset ? supplei_tree_set_unsigned(tree, view, "byteOffset", offset, error)
                    : supplei_tree_remove_member(tree, view, "byteOffset", error);
  return result ? result : supplei_tree_remove(tree, last, error);
}

static supple_result replace_view(supple_document *document, const supplei_document_view *view,
                                  supple_error *error) {
  const unsigned char *data = NULL;
  uint32_t added;
  supple_result result = supplei_document_view_decompress(document, view, &data, error);
  if (result) return result;
  const size_t size = (size_t)view->length;
  unsigned char *copy = supplei_allocate(&document->allocator, size, 1);
  if (!copy) return supplei_fail_memory(error, size, "a buffer view");
  memcpy(copy, data, size);
  supplei_segment segment = {.size = size, .data = copy, .owned = size};
  result = supplei_document_put(document, &segment, 0, 0, &added, error);
  if (result) {
    supplei_release(&document->allocator, copy, size, 1);
    return result;
  }
  result = take_place(document, view->value, added, error);
  for (uint32_t i = 0; supplei_meshopt_names[i] && !result; i++)
    result = supplei_decompress_drop(document, view->value, supplei_meshopt_names[i], error);
  return result;
}

/* ---- buffers that nothing needs any more ---- */

/* Marks the buffers that views name. */
static void mark_buffers(const supple_document *document, bool *used, uint32_t count) {
  const supplei_tree *tree = &document->tree;
  for (uint32_t i = 0; i < supplei_document_table_count(document, "bufferViews"); i++) {
    const uint32_t view = supplei_document_item(document, "bufferViews", i);
    uint64_t buffer;
    if (supplei_tree_unsigned(tree, supplei_tree_member(tree, view, "buffer"), SUPPLE_NONE, &buffer) &&
        buffer < count)
      used[buffer] = true;
  }
}

static supple_result renumber_views(supple_document *document, const uint32_t *numbers,
                                    uint32_t count, supple_error *error) {
  supplei_tree *tree = &document->tree;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < supplei_document_table_count(document, "bufferViews") && !result; i++) {
    const uint32_t view = supplei_document_item(document, "bufferViews", i);
    uint64_t buffer;
    if (supplei_tree_unsigned(tree, supplei_tree_member(tree, view, "buffer"), SUPPLE_NONE, &buffer) &&
        buffer < count && numbers[buffer] != buffer)
      result = supplei_tree_set_unsigned(tree, view, "buffer", numbers[buffer], error);
  }
  return result;
}

/* Removes those of the `before` first buffers that views named, themselves or by the extension, and do no more. */
static supple_result drop_buffers(supple_document *document, const bool *before, uint32_t count,
                                  supple_error *error) {
  const uint32_t total = supplei_document_table_count(document, "buffers");
  bool *used = supplei_allocate_zero(&document->allocator, total, sizeof *used);
  uint32_t *numbers = supplei_allocate_zero(&document->allocator, total, sizeof *numbers);
  supple_result result = SUPPLE_OK;
  if (used && numbers) {
    uint32_t kept = 0;
    mark_buffers(document, used, total);
    for (uint32_t i = 0; i < total; i++) {
      used[i] |= i >= count || !before[i];
      numbers[i] = used[i] ? kept++ : SUPPLE_NONE;
    }
    if (kept < total) result = renumber_views(document, numbers, total, error);
    for (uint32_t i = total; i-- > 0 && !result;)
      if (!used[i])
        result = supplei_tree_remove(&document->tree, supplei_document_item(document, "buffers", i),
                                     error);
  } else {
    result = supplei_fail_memory(error, total * sizeof *numbers, "the buffers");
  }
  supplei_release(&document->allocator, used, total, sizeof *used);
  supplei_release(&document->allocator, numbers, total, sizeof *numbers);
  return result;
}

/* All compressed views; involved[count]: buffers that they name. */
static supple_result replace_views(supple_document *document, bool *involved, uint32_t count,
                                   uint32_t *changed, supple_error *error) {
  const uint32_t views = supplei_document_table_count(document, "bufferViews");
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < views && !result; i++) {
    supplei_document_view view;
    uint64_t buffer;
    result = supplei_document_view_read(document, SUPPLE_NONE, i, &view, error);
    if (result || view.compressed == SUPPLE_NONE) continue;
    if (supplei_tree_unsigned(&document->tree,
                              supplei_tree_member(&document->tree, view.compressed, "buffer"),
                              SUPPLE_NONE, &buffer) &&
        buffer < count)
      involved[buffer] = true;
    if (view.buffer < count) involved[view.buffer] = true;
    result = replace_view(document, &view, error);
    ++*changed;
  }
  return result;
}

static bool has_compressed(const supple_document *document) {
  const supplei_tree *tree = &document->tree;
  for (uint32_t i = 0; i < supplei_document_table_count(document, "bufferViews"); i++) {
    const uint32_t view = supplei_document_item(document, "bufferViews", i);
    for (uint32_t k = 0; supplei_meshopt_names[k]; k++)
      if (supplei_document_extension(tree, view, supplei_meshopt_names[k]) != SUPPLE_NONE)
        return true;
  }
  return false;
}

supple_result supplei_decompress_views(supple_document *document, uint32_t *changed,
                                       supple_error *error) {
  if (!has_compressed(document)) return SUPPLE_OK;
  const uint32_t count = supplei_document_table_count(document, "buffers");
  bool *involved = supplei_allocate_zero(&document->allocator, count, sizeof *involved);
  if (!involved) return supplei_fail_memory(error, count, "the buffers");
  supple_result result = replace_views(document, involved, count, changed, error);
  if (!result) result = drop_buffers(document, involved, count, error);
  for (uint32_t i = 0; i < supplei_document_table_count(document, "buffers") && !result; i++)
    for (uint32_t k = 0; supplei_meshopt_names[k] && !result; k++)
      result = supplei_decompress_drop(document, supplei_document_item(document, "buffers", i),
                                       supplei_meshopt_names[k], error);
  supplei_release(&document->allocator, involved, count, sizeof *involved);
  return result;
}
