/* document_bytes.c: the bytes of a document's buffers and images: from the GLB, data URIs, files, and those that
 * were put in. */
#include "../base/prologue.h"

#include "document_state.h"

#include "file_read.h"
#include "uri.h"

#include <string.h>

/* ---- a map ---- */

static uint32_t hash(uint32_t key) { return key * 0x9E3779B1u; }

uint32_t supplei_map_get(const supplei_map *map, uint32_t key) {
  if (!map->capacity) return SUPPLE_NONE;
  for (uint32_t i = hash(key) & (map->capacity - 1);; i = (i + 1) & (map->capacity - 1)) {
    if (map->keys[i] == key) return map->items[i];
    if (map->keys[i] == SUPPLE_NONE) return SUPPLE_NONE;
  }
}

static void put(supplei_map *map, uint32_t key, uint32_t item) {
  uint32_t i = hash(key) & (map->capacity - 1);
  while (map->keys[i] != SUPPLE_NONE && map->keys[i] != key) i = (i + 1) & (map->capacity - 1);
  map->count += map->keys[i] == SUPPLE_NONE;
  map->keys[i] = key;
  map->items[i] = item;
}

supple_result supplei_map_set(supplei_map *map, uint32_t key, uint32_t item,
                              const supple_allocator *allocator, supple_error *error) {
  if (map->count >= map->capacity / 2) {
    supplei_map larger = {.capacity = map->capacity ? 2 * map->capacity : 16};
    larger.keys = supplei_allocate(allocator, larger.capacity, sizeof *larger.keys);
    larger.items = supplei_allocate(allocator, larger.capacity, sizeof *larger.items);
    if (!larger.keys || !larger.items) {
      supplei_map_release(&larger, allocator);
      return supplei_fail_memory(error, 8 * (size_t)map->capacity, "a table of the document");
    }
    memset(larger.keys, 0xFF, larger.capacity * sizeof *larger.keys);
    for (uint32_t i = 0; i < map->capacity; i++)
      if (map->keys[i] != SUPPLE_NONE) put(&larger, map->keys[i], map->items[i]);
    supplei_map_release(map, allocator);
    *map = larger;
  }
  put(map, key, item);
  return SUPPLE_OK;
}

void supplei_map_release(supplei_map *map, const supple_allocator *allocator) {
  supplei_release(allocator, map->keys, map->capacity, sizeof *map->keys);
  supplei_release(allocator, map->items, map->capacity, sizeof *map->items);
  *map = (supplei_map){0};
}

/* ---- files and data URIs ---- */

/* Only the beginning is looked at: the text may be long, and this is asked often. */
bool supplei_document_is_data(const char *uri) {
  size_t length = 0;
  while (length < 5 && uri[length]) length++;
  return supplei_uri_is_data(uri, length);
}

/* Says again at a value what an error without a place said. */
static supple_result say_at(const supple_document *document, uint32_t value,
                            const supple_error *said, supple_error *error) {
  return supplei_tree_fail(&document->tree, value, error, said->result, "%s", said->message);
}

supple_result supplei_document_path(const supple_document *document, uint32_t uri, char **path,
                                    size_t *capacity, supple_error *error) {
  const char *text = supplei_tree_string(&document->tree, uri);
  *path = NULL;
  *capacity = 0;
  if (!text)
    return supplei_tree_fail(&document->tree, uri, error, SUPPLE_ERROR_FORMAT, "must be a string");
  if (supplei_document_is_data(text)) return SUPPLE_OK;
  const size_t length = strlen(text);
  char *out = supplei_allocate(&document->allocator, length + 1, 1);
  if (!out) return supplei_fail_memory(error, length + 1, "a path");
  bool raw;
  supple_error said;
  if (supplei_uri_path(text, length, document->options.allow_outside_uris, out, &raw, &said)) {
    supplei_release(&document->allocator, out, length + 1, 1);
    return say_at(document, uri, &said, error);
  }
  *path = out;
  *capacity = length + 1;
  return SUPPLE_OK;
}

static supple_result read_data_uri(supple_document *document, supplei_resource *resource,
                                   supple_error *error) {
  const char *text = supplei_tree_string(&document->tree, resource->uri);
  const size_t length = strlen(text);
  size_t size = 0;
  supple_error said;
  if (supplei_uri_data(text, length, NULL, &size, &said))
    return say_at(document, resource->uri, &said, error);
  unsigned char *data = supplei_allocate(&document->allocator, size, 1);
  if (!data) return supplei_fail_memory(error, size, "a data URI");
  if (supplei_uri_data(text, length, data, &size, &said)) {
    supplei_release(&document->allocator, data, size, 1);
    return say_at(document, resource->uri, &said, error);
  }
  resource->data = resource->owned = data;
  resource->size = resource->owned_size = size;
  return SUPPLE_OK;
}

static supple_result read_by_callback(const supple_document *document, const char *path,
                                      supplei_resource *resource, supple_error *error) {
  const supple_reader *reader = &document->options.reader;
  const void *data = NULL;
  size_t size = 0;
  supple_error said = {0};
  const supple_result result = reader->read(reader->user, path, &data, &size, &said);
  if (result)
    return supplei_tree_fail(&document->tree, resource->uri, error, result, "\"%.150s\": %.200s",
                             path, said.message[0] ? said.message : supple_result_text(result));
  resource->from_reader = data;
  resource->from_reader_size = size;
  resource->data = data ? data : (const void *)"";
  resource->size = data ? size : 0;
  return SUPPLE_OK;
}

static supple_result read_beside(const supple_document *document, const char *path,
                                 supplei_resource *resource, supple_error *error) {
  const bool absolute = path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
  const size_t folder = absolute ? 0 : strlen(document->folder), length = strlen(path);
  char *full = supplei_allocate(&document->allocator, folder + length + 1, 1);
  if (!full) return supplei_fail_memory(error, folder + length + 1, "a path");
  memcpy(full, document->folder, folder);
  memcpy(full + folder, path, length + 1);
  void *data = NULL;
  size_t size = 0;
  supple_error said;
  const supple_result result =
      supplei_file_read(full, document->file_bytes_left, &document->allocator, &data, &size, &said);
  supplei_release(&document->allocator, full, folder + length + 1, 1);
  if (result)
    return supplei_tree_fail(&document->tree, resource->uri, error, result, "\"%.150s\": %.200s",
                             path, said.message);
  resource->data = resource->owned = data;
  resource->size = resource->owned_size = size;
  return SUPPLE_OK;
}

static void release_resource(const supple_document *document, supplei_resource *resource) {
  const supple_reader *reader = &document->options.reader;
  if (resource->from_reader && reader->release)
    reader->release(reader->user, resource->from_reader, resource->from_reader_size);
  supplei_release(&document->allocator, resource->owned, resource->owned_size, 1);
  *resource = (supplei_resource){0};
}

static supple_result read_file(supple_document *document, const char *path,
                               supplei_resource *resource, supple_error *error) {
  supple_result result;
  if (document->options.reader.read)
    result = read_by_callback(document, path, resource, error);
  else if (document->folder)
    result = read_beside(document, path, resource, error);
  else
    result = supplei_tree_fail(&document->tree, resource->uri, error, SUPPLE_ERROR_FILE,
                               "\"%.150s\" cannot be read: the document came from memory, without "
                               "a reader",
                               path);
  if (result) return result;
  if (resource->size > document->file_bytes_left)
    return supplei_tree_fail(&document->tree, resource->uri, error, SUPPLE_ERROR_LIMIT,
                             "\"%.150s\" has %zu bytes, more than limits.file_bytes leaves (%zu)",
                             path, resource->size, document->file_bytes_left);
  document->file_bytes_left -= resource->size;
  return SUPPLE_OK;
}

static supple_result read_resource(supple_document *document, supplei_resource *resource,
                                   supple_error *error) {
  char *path;
  size_t capacity;
  supple_result result = supplei_document_path(document, resource->uri, &path, &capacity, error);
  if (result) return result;
  result =
      path ? read_file(document, path, resource, error) : read_data_uri(document, resource, error);
  supplei_release(&document->allocator, path, capacity, 1);
  if (result) release_resource(document, resource);
  return result;
}

supple_result supplei_document_resource(supple_document *document, uint32_t uri,
                                        const unsigned char **data, size_t *size,
                                        supple_error *error) {
  uint32_t found = supplei_map_get(&document->resource_of, uri);
  if (found == SUPPLE_NONE) {
    supplei_resource resource = {.uri = uri};
    void *resources = document->resources;
    supple_result result = supplei_grow(&document->allocator, &resources,
                                        &document->resource_capacity, document->resource_count,
                                        document->resource_count + 1, sizeof resource, error);
    document->resources = resources;
    if (!result) result = read_resource(document, &resource, error);
    if (result) return result;
    found = document->resource_count;
    result = supplei_map_set(&document->resource_of, uri, found, &document->allocator, error);
    if (result) return release_resource(document, &resource), result;
    document->resources[document->resource_count++] = resource;
  }
  *data = document->resources[found].data;
  *size = document->resources[found].size;
  return SUPPLE_OK;
}

/* ---- buffers ---- */

supplei_buffer_kind supplei_buffer_kind_of(const supple_document *document, uint32_t index) {
  const supplei_tree *tree = &document->tree;
  const uint32_t buffer = supplei_document_item(document, "buffers", index);
  const uint32_t uri = supplei_tree_member(tree, buffer, "uri");
  if (buffer == SUPPLE_NONE) return SUPPLEI_BUFFER_NONE;
  if (uri != SUPPLE_NONE) {
    const char *text = supplei_tree_string(tree, uri);
    return text && supplei_document_is_data(text) ? SUPPLEI_BUFFER_DATA : SUPPLEI_BUFFER_FILE;
  }
  if (buffer == document->new_buffer) return SUPPLEI_BUFFER_NEW;
  if (buffer == document->bin_buffer) return SUPPLEI_BUFFER_BIN;
  /* The first buffer was put in anew by an edit: it stands for the BIN chunk as before. */
  const bool lost =
      document->bin_buffer != SUPPLE_NONE && !supplei_value_at(tree, document->bin_buffer);
  return index == 0 && lost ? SUPPLEI_BUFFER_BIN : SUPPLEI_BUFFER_NONE;
}

supple_result supplei_segment_pull(const supplei_segment *segment, uint64_t first, uint64_t count,
                                   unsigned char *out) {
  const size_t tight = segment->tight, stride = segment->stride;
  const supple_result result =
      segment->pull(segment->user, first * tight, out, (size_t)(count * tight));
  if (result || tight == stride) return result;
  for (size_t i = (size_t)count; i-- > 0;) { /* spread apart, the last first */
    memmove(out + i * stride, out + i * tight, tight);
    memset(out + i * stride + tight, 0, stride - tight);
  }
  return SUPPLE_OK;
}

supple_result supplei_segment_bytes(supple_document *document, uint32_t index,
                                    const unsigned char **data, supple_error *error) {
  supplei_segment *segment = &document->segments[index];
  if (!segment->data) {
    const size_t size = (size_t)segment->size;
    unsigned char *memory =
        segment->size > SIZE_MAX / 2 ? NULL : supplei_allocate(&document->allocator, size, 1);
    if (!memory) return supplei_fail_memory(error, size, "the data of an accessor");
    const supple_result result = supplei_segment_pull(segment, 0, segment->count, memory);
    if (result) {
      supplei_release(&document->allocator, memory, size, 1);
      return supplei_fail(error, result, NULL, SIZE_MAX, "new data could not be had: %s",
                          supple_result_text(result));
    }
    segment->data = memory;
    segment->owned = size;
  }
  *data = segment->data;
  return SUPPLE_OK;
}

/* The last segment that begins at or before an offset. */
static uint32_t segment_at(const supple_document *document, uint64_t offset) {
  uint32_t low = 0, high = document->segment_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (document->segments[middle].offset <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static supple_result new_bytes(supple_document *document, uint64_t offset, uint64_t size,
                               const unsigned char **data, supple_error *error) {
  const uint32_t index = segment_at(document, offset);
  const supplei_segment *segment = &document->segments[index];
  if (offset < segment->offset || offset - segment->offset > segment->size ||
      size > segment->size - (offset - segment->offset))
    return supplei_fail(error, SUPPLE_ERROR_UNSUPPORTED, NULL, SIZE_MAX,
                        "a view of bytes that were put in one by one");
  const supple_result result = supplei_segment_bytes(document, index, data, error);
  if (!result) *data += offset - segment->offset;
  return result;
}

supple_result supplei_document_bytes(supple_document *document, uint32_t index, uint64_t offset,
                                     uint64_t size, const unsigned char **data, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  const uint32_t buffer = supplei_document_item(document, "buffers", index);
  const unsigned char *bytes = NULL;
  size_t has = 0;
  supple_result result = SUPPLE_OK;
  switch (supplei_buffer_kind_of(document, index)) {
  case SUPPLEI_BUFFER_NONE:
    return supplei_tree_fail(tree, buffer, error, SUPPLE_ERROR_FORMAT,
                             "has no \"uri\", and there is no BIN chunk for it");
  case SUPPLEI_BUFFER_NEW: return new_bytes(document, offset, size, data, error);
  case SUPPLEI_BUFFER_BIN:
    bytes = document->glb.bin;
    has = document->glb.bin_size;
    break;
  case SUPPLEI_BUFFER_DATA:
  case SUPPLEI_BUFFER_FILE:
    result = supplei_document_resource(document, supplei_tree_member(tree, buffer, "uri"), &bytes,
                                       &has, error);
    break;
  }
  if (result) return result;
  if (offset > has || size > has - offset)
    return supplei_tree_fail(tree, buffer, error, SUPPLE_ERROR_FORMAT,
                             "bytes %llu to %llu are needed, but there are only %zu",
                             (unsigned long long)offset, (unsigned long long)(offset + size), has);
  *data = bytes + offset;
  return SUPPLE_OK;
}

void supplei_document_release_bytes(supple_document *document) {
  const supple_allocator *allocator = &document->allocator;
  for (uint32_t i = 0; i < document->resource_count; i++)
    release_resource(document, &document->resources[i]);
  for (uint32_t i = 0; i < document->segment_count; i++)
    if (document->segments[i].owned)
      supplei_release(allocator, (void *)document->segments[i].data, document->segments[i].owned, 1);
  supplei_release(allocator, document->resources, document->resource_capacity,
                  sizeof *document->resources);
  supplei_release(allocator, document->segments, document->segment_capacity,
                  sizeof *document->segments);
  supplei_map_release(&document->resource_of, allocator);
  supplei_document_release_unpacked(document);
}

/* ---- images ---- */

supple_result supple_document_image(supple_document *document, uint32_t index, const void **data,
                                    size_t *size, supple_error *error) {
  const supplei_tree *tree = &document->tree;
  const uint32_t image = supplei_document_item(document, "images", index);
  if (image == SUPPLE_NONE)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "there is no image %u",
                        (unsigned)index);
  const uint32_t uri = supplei_tree_member(tree, image, "uri");
  const uint32_t view_value = supplei_tree_member(tree, image, "bufferView");
  const unsigned char *bytes = NULL;
  supple_result result;
  if (uri != SUPPLE_NONE) {
    result = supplei_document_resource(document, uri, &bytes, size, error);
  } else {
    supplei_document_view view;
    uint64_t number = 0;
    if (view_value == SUPPLE_NONE)
      return supplei_tree_fail(tree, image, error, SUPPLE_ERROR_FORMAT,
                               "has neither \"uri\" nor \"bufferView\"");
    result =
        supplei_document_need(document, image, "bufferView", 0, SUPPLE_NONE - 1, &number, error);
    if (!result)
      result = supplei_document_view_read(document, view_value, (uint32_t)number, &view, error);
    if (!result && view.compressed != SUPPLE_NONE)
      result = supplei_document_view_decompress(document, &view, &bytes, error);
    else if (!result)
      result =
          supplei_document_bytes(document, view.buffer, view.offset, view.length, &bytes, error);
    if (!result) *size = (size_t)view.length;
  }
  *data = bytes;
  return result;
}
