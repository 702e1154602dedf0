/* buffers.c: the bytes of glTF buffers, from the GLB, a data URI, or another file. */
#include "../base/prologue.h"

#include "buffers.h"

#include "file_read.h"
#include "uri.h"

#include <string.h>

supple_result supplei_buffer_length(supplei_loader *loader, uint32_t index, uint64_t *length) {
  supplei_buffer *buffer = &loader->buffer_data[index];
  uint32_t object = loader->buffers.items[index], node;
  if (!buffer->known) {
    supple_result result = supplei_require(loader, object, "byteLength", SUPPLEI_JSON_NUMBER, &node);
    if (!result)
      result =
          supplei_get_unsigned(loader, object, "byteLength", 1, UINT64_C(1) << 53, &buffer->length);
    if (result) return result;
    buffer->uri = supplei_json_member(&loader->json, object, "uri");
    buffer->known = true;
  }
  *length = buffer->length;
  return SUPPLE_OK;
}

static bool is_glb_chunk(const supplei_loader *loader, uint32_t index) {
  return index == 0 && loader->glb.bin && loader->buffer_data[0].uri == SUPPLE_NONE;
}

static bool is_given(const supplei_loader *loader, uint32_t index) {
  return index < loader->given_count && loader->given[index].data;
}

bool supplei_buffer_has_source(const supplei_loader *loader, uint32_t index) {
  return is_given(loader, index) || is_glb_chunk(loader, index) ||
         loader->buffer_data[index].uri != SUPPLE_NONE;
}

supple_result supplei_uri_wrong(supplei_loader *loader, uint32_t node, const supple_error *error) {
  return supplei_loader_fail(loader, node, error->result, "%s", error->message);
}

static supple_result open_data_uri(supplei_loader *loader, uint32_t node, const char *uri,
                                   size_t length, supplei_buffer *buffer) {
  supple_error error;
  size_t size = 0;
  if (supplei_uri_data(uri, length, NULL, &size, &error))
    return supplei_uri_wrong(loader, node, &error);
  /* No limit of its own: it is shorter than its text, which is part of a file that was judged. */
  unsigned char *data = supplei_allocate(&loader->allocator, size, 1);
  if (!data) return supplei_fail_memory(loader->error, size, "a data URI");
  buffer->data = buffer->owned = data;
  buffer->size = buffer->owned_size = size;
  if (supplei_uri_data(uri, length, data, &size, &error))
    return supplei_uri_wrong(loader, node, &error);
  return SUPPLE_OK;
}

static supple_result read_by_callback(supplei_loader *loader, uint32_t node, const char *path,
                                      supplei_buffer *buffer) {
  const supple_reader *reader = &loader->options->reader;
  const void *data = NULL;
  size_t size = 0;
  supple_error error = {0};
  supple_result result = reader->read(reader->user, path, &data, &size, &error);
  if (result) {
    if (error.message[0])
      return supplei_loader_fail(loader, node, result, "\"%.150s\": %.200s", path, error.message);
    return supplei_loader_fail(loader, node, result, "\"%.150s\" cannot be read: %s", path,
                               supple_result_text(result));
  }
  buffer->from_reader = data, buffer->from_reader_size = size;
  buffer->data = data, buffer->size = data ? size : 0;
  if (size > loader->file_bytes_left)
    return supplei_loader_fail(loader, node, SUPPLE_ERROR_LIMIT,
                               "\"%.150s\" has %zu bytes, more than limits.file_bytes leaves (%zu)",
                               path, size, loader->file_bytes_left);
  loader->file_bytes_left -= size;
  return SUPPLE_OK;
}

static supple_result read_beside(supplei_loader *loader, uint32_t node, const char *path,
                                 supplei_buffer *buffer) {
  bool absolute = path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
  size_t folder = absolute ? 0 : strlen(loader->folder), length = strlen(path);
  char *full = supplei_loader_scratch(loader, folder + length + 1, 1, "a path");
  if (!full) return supplei_loader_memory_result(loader);
  memcpy(full, loader->folder, folder);
  memcpy(full + folder, path, length + 1);
  void *data;
  size_t size;
  supple_error error;
  supple_result result =
      supplei_file_read(full, loader->file_bytes_left, &loader->allocator, &data, &size, &error);
  if (result)
    return supplei_loader_fail(loader, node, result, "\"%.150s\": %.200s", path, error.message);
  buffer->data = buffer->owned = data;
  buffer->size = buffer->owned_size = size;
  loader->file_bytes_left -= size;
  return SUPPLE_OK;
}

supple_result supplei_file_open(supplei_loader *loader, uint32_t node, const char *path,
                                supplei_buffer *file) {
  if (loader->options->reader.read) return read_by_callback(loader, node, path, file);
  if (loader->folder) return read_beside(loader, node, path, file);
  return supplei_loader_fail(
      loader, node, SUPPLE_ERROR_FILE,
      "\"%.150s\" cannot be read: the asset came from memory, without a reader", path);
}

void supplei_file_release(supplei_loader *loader, supplei_buffer *file) {
  const supple_reader *reader = &loader->options->reader;
  if (file->from_reader && reader->release)
    reader->release(reader->user, file->from_reader, file->from_reader_size);
  supplei_release(&loader->allocator, file->owned, file->owned_size, 1);
  *file = (supplei_buffer){0};
}

supple_result supplei_uri_text(supplei_loader *loader, uint32_t node, const char **uri,
                               size_t *length) {
  if (supplei_node(loader, node)->type != SUPPLEI_JSON_STRING)
    return supplei_loader_wrong(loader, node, "must be a string");
  const supplei_json_node *span = supplei_node(loader, node);
  *uri = loader->json.text + span->begin;
  *length = span->length;
  if (span->escaped) {
    char *decoded = supplei_loader_scratch(loader, *length + 1, 1, "a URI");
    if (!decoded) return supplei_loader_memory_result(loader);
    *length = supplei_json_string(&loader->json, node, decoded);
    *uri = decoded;
  }
  return SUPPLE_OK;
}

static supple_result open_uri(supplei_loader *loader, uint32_t node, supplei_buffer *buffer) {
  const char *uri = NULL;
  size_t length = 0;
  supple_result result = supplei_uri_text(loader, node, &uri, &length);
  if (result) return result;
  if (supplei_uri_is_data(uri, length)) return open_data_uri(loader, node, uri, length, buffer);

  char *path = supplei_loader_scratch(loader, length + 1, 1, "a path");
  if (!path) return supplei_loader_memory_result(loader);
  bool raw;
  supple_error error;
  if (supplei_uri_path(uri, length, loader->options->allow_outside_uris, path, &raw, &error))
    return supplei_uri_wrong(loader, node, &error);
  if (raw)
    supplei_loader_note(loader, node, "has characters that a URI must escape; read as they are");
  return supplei_file_open(loader, node, path, buffer);
}

static supple_result open_source(supplei_loader *loader, uint32_t index, supplei_buffer *buffer) {
  uint32_t object = loader->buffers.items[index];
  if (is_given(loader, index)) {
    buffer->data = loader->given[index].data;
    buffer->size = loader->given[index].size;
    return SUPPLE_OK;
  }
  if (buffer->uri != SUPPLE_NONE) return open_uri(loader, buffer->uri, buffer);
  if (!is_glb_chunk(loader, index))
    return supplei_loader_wrong(loader, object, "has no \"uri\", and there is no BIN chunk for it");
  buffer->data = loader->glb.bin;
  buffer->size = loader->glb.bin_size;
  if (buffer->length < buffer->size && buffer->size - buffer->length > 3)
    supplei_loader_note(loader, object, "the BIN chunk has %zu bytes more than byteLength says",
                        buffer->size - (size_t)buffer->length);
  return SUPPLE_OK;
}

supple_result supplei_buffer_open(supplei_loader *loader, uint32_t index,
                                  const unsigned char **data) {
  supplei_buffer *buffer = &loader->buffer_data[index];
  uint64_t length;
  if (!buffer->data) {
    supple_result result = supplei_buffer_length(loader, index, &length);
    if (!result) result = open_source(loader, index, buffer);
    if (result) return result;
    if (buffer->size < buffer->length)
      return supplei_loader_wrong(loader, loader->buffers.items[index],
                                  "byteLength is %llu, but there are only %zu bytes",
                                  (unsigned long long)buffer->length, buffer->size);
  }
  *data = buffer->data;
  return SUPPLE_OK;
}

void supplei_buffers_close(supplei_loader *loader) {
  for (uint32_t i = 0; loader->buffer_data && i < loader->buffers.count; i++)
    supplei_file_release(loader, &loader->buffer_data[i]);
}
