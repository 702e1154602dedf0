/* rules_buffers.c: buffers and their views. */
#include "../base/prologue.h"

#include "rules.h"

#include "../gltf/document_state.h"
#include "../gltf/uri.h"

#include <string.h>

static const int64_t largest_integer = INT64_C(1) << 53;

/* ---- buffers ---- */

static bool starts_with(const char *text, const char *prefix) {
  for (; *prefix; text++, prefix++) {
    char c = *text >= 'A' && *text <= 'Z' ? (char)(*text - 'A' + 'a') : *text;
    if (c != *prefix) return false;
  }
  return true;
}

static void check_data_uri(supplei_rules *rules, supple_value uri, const char *text) {
  const char *type = text + strlen("data:");
  size_t length = strcspn(type, ";,");
  static const char *const types[] = {"application/octet-stream", "application/gltf-buffer"};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (length == strlen(types[i]) && starts_with(type, types[i])) return;
  supplei_rules_found(rules, SUPPLEI_CODE_BUFFER_DATA_URI_MIME_TYPE_INVALID, uri,
                      "has the media type \"%.*s\"", length < 64 ? (int)length : 64, type);
}

static bool has_scheme(const char *text) {
  size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.");
  return length && text[length] == ':';
}

static void check_uri(supplei_rules *rules, supple_value buffer) {
  const char *text = supplei_rules_text(rules, buffer, "uri", NULL, false);
  if (!text) return;
  supple_value uri = supple_document_member(rules->document, buffer, "uri");
  bool glb = rules->check->document->is_glb, data = supplei_uri_is_data(text, strlen(text));
  if (glb)
    supplei_rules_found(rules, data ? SUPPLEI_CODE_DATA_URI_GLB : SUPPLEI_CODE_URI_GLB, uri,
                        data ? "holds its bytes as text inside a GLB"
                             : "names a file beside the GLB");
  if (data)
    check_data_uri(rules, uri, text);
  else if (has_scheme(text) || text[0] == '/')
    supplei_rules_found(rules, SUPPLEI_CODE_NON_RELATIVE_URI, uri, "\"%.64s\" is not relative",
                        text);
}

void supplei_rules_read_buffers(supplei_rules *rules) {
  static const char *const buffer_keys[] = {"uri", "byteLength", "name", NULL};
  static const char *const view_keys[] = {"buffer", "byteOffset", "byteLength", "byteStride",
                                          "target", "name",       NULL};
  static const uint32_t targets[] = {34962, 34963, 0};
  for (uint32_t i = 0; i < rules->buffer_array.count; i++) {
    supplei_rules_buffer *buffer = &rules->buffers[i];
    if (buffer->value == SUPPLE_NONE) continue;
    supplei_rules_object(rules, buffer->value, buffer_keys);
    buffer->length = supplei_rules_integer(rules, buffer->value, "byteLength", 1, largest_integer,
                                           SUPPLEI_REQUIRED);
    check_uri(rules, buffer->value);
  }
  for (uint32_t i = 0; i < rules->view_array.count; i++) {
    supplei_rules_view *view = &rules->views[i];
    supple_value value = view->value;
    if (value == SUPPLE_NONE) continue;
    supplei_rules_object(rules, value, view_keys);
    view->length =
        supplei_rules_integer(rules, value, "byteLength", 1, largest_integer, SUPPLEI_REQUIRED);
    view->stride = supplei_rules_integer(rules, value, "byteStride", 4, 252, -1);
    uint32_t target = supplei_rules_choice(rules, value, "target", targets, false);
    if (view->stride != -1 && view->length != -1 && view->stride > view->length)
      supplei_rules_found_key(rules, SUPPLEI_CODE_BUFFER_VIEW_TOO_BIG_BYTE_STRIDE, value,
                              "byteStride", "is %lld, but the view has only %lld bytes",
                              (long long)view->stride, (long long)view->length);
    if (view->stride != -1 && view->stride % 4)
      supplei_rules_found_key(rules, SUPPLEI_CODE_VALUE_MULTIPLE_OF, value, "byteStride",
                              "is %lld, which is no multiple of 4", (long long)view->stride);
    if (view->stride != -1 && target == 34963)
      supplei_rules_found_key(rules, SUPPLEI_CODE_BUFFER_VIEW_INVALID_BYTE_STRIDE, value,
                              "byteStride", "a view of indices must not have a stride");
    view->use = target == 34962   ? SUPPLEI_USE_VERTICES
                : target == 34963 ? SUPPLEI_USE_INDICES
                                  : SUPPLEI_USE_NONE;
    view->buffer = supplei_rules_index(rules, value, "buffer", true);
    view->offset = supplei_rules_integer(rules, value, "byteOffset", 0, largest_integer, 0);
    supple_value extensions = supple_document_member(rules->document, value, "extensions");
    view->compressed = supple_document_member(rules->document, extensions,
                                              "EXT_meshopt_compression") != SUPPLE_NONE ||
                       supple_document_member(rules->document, extensions,
                                              "KHR_meshopt_compression") != SUPPLE_NONE;
  }
}

/* ---- views ---- */

static void link_codec(supplei_rules *rules, supple_value view) {
  static const char *const codecs[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  supple_value extensions = supple_document_member(rules->document, view, "extensions");
  for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++) {
    supple_value codec = supple_document_member(rules->document, extensions, codecs[i]);
    uint32_t buffer = supple_document_index(
        rules->document, supple_document_member(rules->document, codec, "buffer"));
    if (buffer < rules->buffer_array.count) rules->buffers[buffer].used = true;
  }
}

void supplei_rules_link_views(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->view_array.count; i++) {
    supplei_rules_view *view = &rules->views[i];
    if (view->value == SUPPLE_NONE) continue;
    if (view->compressed) link_codec(rules, view->value);
    if (!supplei_rules_resolve(rules, view->value, "buffer", view->buffer, &rules->buffer_array,
                               "buffer")) {
      view->buffer = SUPPLE_NONE;
      continue;
    }
    supplei_rules_buffer *buffer = &rules->buffers[view->buffer];
    buffer->used = true;
    if (buffer->length == -1) continue;
    const char *key = view->offset >= buffer->length                 ? "byteOffset"
                      : view->offset + view->length > buffer->length ? "byteLength"
                                                                     : NULL;
    if (key)
      supplei_rules_found_key(rules, SUPPLEI_CODE_BUFFER_VIEW_TOO_LONG, view->value, key,
                              "bytes %lld to %lld of buffer %u, which has %lld",
                              (long long)view->offset, (long long)(view->offset + view->length),
                              (unsigned)view->buffer, (long long)buffer->length);
  }
}

static const char *use_text(supplei_rules_use use) {
  switch (use) {
  case SUPPLEI_USE_VERTICES: return "vertices";
  case SUPPLEI_USE_INDICES: return "indices";
  case SUPPLEI_USE_INVERSE_BINDS: return "inverse bind matrices";
  case SUPPLEI_USE_IMAGE: return "an image";
  case SUPPLEI_USE_OTHER:
  case SUPPLEI_USE_KEY_TIMES:
  case SUPPLEI_USE_KEY_VALUES:
  case SUPPLEI_USE_NONE: break;
  }
  return "other data";
}

void supplei_rules_use_view(supplei_rules *rules, uint32_t index, supplei_rules_use use,
                            supple_value object, const char *key) {
  if (index >= rules->view_array.count) return;
  supplei_rules_view *view = &rules->views[index];
  view->used = true;
  if (view->use == SUPPLEI_USE_NONE) {
    view->use = use;
    if (use == SUPPLEI_USE_VERTICES || use == SUPPLEI_USE_INDICES)
      supplei_rules_found_key(rules, SUPPLEI_CODE_BUFFER_VIEW_TARGET_MISSING, object, key,
                              "view %u holds %s, but has no target", (unsigned)index, use_text(use));
  } else if (view->use != use) {
    supplei_rules_found_key(rules, SUPPLEI_CODE_BUFFER_VIEW_TARGET_OVERRIDE, object, key,
                            "takes view %u for %s, which is for %s", (unsigned)index, use_text(use),
                            use_text(view->use));
  }
}

/* ---- bytes ---- */

/* False where memory ran out. */
static bool note_failure(supplei_rules *rules, supple_result result) {
  if (result == SUPPLE_ERROR_MEMORY) rules->check->result = result;
  return result != SUPPLE_ERROR_MEMORY;
}

/* What a URI leads to. */
static void open_uri(supplei_rules *rules, supplei_rules_buffer *buffer, bool data_uri) {
  supple_value uri = supple_document_member(rules->document, buffer->value, "uri");
  supple_error error = {0};
  supple_result result =
      supplei_document_resource(rules->check->document, uri, &buffer->data, &buffer->size, &error);
  if (!result) return;
  buffer->data = NULL;
  if (!note_failure(rules, result)) return;
  const char *text = error.message;
  size_t pointer = strlen(error.pointer);
  if (pointer && strncmp(text, error.pointer, pointer) == 0 && text[pointer] == ':')
    text += pointer + 2;
  supplei_rules_found(rules, data_uri ? SUPPLEI_CODE_INVALID_URI : SUPPLEI_CODE_IO_ERROR, uri, "%s",
                      text);
}

static void open_buffer(supplei_rules *rules, uint32_t index) {
  supplei_rules_buffer *buffer = &rules->buffers[index];
  supple_document *document = rules->check->document;
  supplei_buffer_kind kind = supplei_buffer_kind_of(document, index);
  if (kind == SUPPLEI_BUFFER_NEW) return;
  if (kind == SUPPLEI_BUFFER_BIN) {
    buffer->data = document->glb.bin;
    buffer->size = document->glb.bin_size;
  } else if (kind != SUPPLEI_BUFFER_NONE) {
    if (supple_document_string(document, supple_document_member(document, buffer->value, "uri")))
      open_uri(rules, buffer, kind == SUPPLEI_BUFFER_DATA);
  } else if (index == 0 && document->is_glb && buffer->length != -1) {
    supplei_rules_found(rules, SUPPLEI_CODE_BUFFER_MISSING_GLB_DATA, buffer->value,
                        "has no uri, and there is no BIN chunk");
  }
  if (!buffer->data || buffer->length == -1) return;
  if ((double)buffer->size < (double)buffer->length)
    supplei_rules_found(rules, SUPPLEI_CODE_BUFFER_BYTE_LENGTH_MISMATCH, buffer->value,
                        "says it has %lld bytes, but there are only %zu", (long long)buffer->length,
                        buffer->size);
  else if (kind == SUPPLEI_BUFFER_BIN && buffer->size > (size_t)buffer->length + 3)
    supplei_rules_found(rules, SUPPLEI_CODE_BUFFER_GLB_CHUNK_TOO_BIG, buffer->value,
                        "says it has %lld bytes, but the BIN chunk has %zu",
                        (long long)buffer->length, buffer->size);
}

void supplei_rules_open_buffers(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->buffer_array.count; i++) {
    if (rules->buffers[i].value == SUPPLE_NONE) continue;
    open_buffer(rules, i);
    rules->work_left += 8 * (uint64_t)rules->buffers[i].size;
  }
}

const unsigned char *supplei_rules_view_bytes(supplei_rules *rules, uint32_t index) {
  supplei_rules_view *view = &rules->views[index];
  supple_document *document = rules->check->document;
  const unsigned char *data = NULL;
  supple_result result = SUPPLE_ERROR_FORMAT;
  if (view->failed || view->offset == -1 || view->length == -1 ||
      view->buffer >= rules->buffer_array.count)
    return NULL;
  if (view->compressed) {
    supplei_document_view compressed;
    result = supplei_document_view_read(document, view->value, index, &compressed, NULL);
    if (!result) result = supplei_document_view_decompress(document, &compressed, &data, NULL);
  } else {
    const supplei_rules_buffer *buffer = &rules->buffers[view->buffer];
    bool fits = buffer->length != -1 && view->offset + view->length <= buffer->length;
    if (fits)
      result = supplei_document_bytes(document, view->buffer, (uint64_t)view->offset,
                                      (uint64_t)view->length, &data, NULL);
  }
  note_failure(rules, result);
  view->failed = result != SUPPLE_OK;
  return result ? NULL : data;
}
