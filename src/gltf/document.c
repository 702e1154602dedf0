/* document.c: loading a document, and reading its JSON. */
#include "../base/prologue.h"

#include "document_state.h"

#include "file_read.h"
#include "loader.h"

#include <string.h>

static const supple_load_options no_options = {0};

/* ---- loading ---- */

static supple_result read_container(supple_document *document, supple_error *error) {
  const char *text = document->file;
  size_t size = document->file_size;
  if (!size) return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, 0, "the file is empty");
  document->is_glb = supplei_glb_is(text, size);
  if (document->is_glb) {
    const supple_result result = supplei_glb_parse(&document->glb, text, size, error);
    if (result) return result;
    text = (const char *)document->glb.json;
    size = document->glb.json_size;
  }
  const supplei_json_limits limits = {document->limits.json_values, document->limits.json_depth,
                                      document->glb.json_offset};
  supplei_tree *tree = &document->tree;
  supple_result result = supplei_tree_parse(tree, text, size, &limits, &document->allocator, error);
  if (result) return result;
  if (!supplei_tree_is(tree, 0, SUPPLEI_JSON_OBJECT))
    return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, limits.offset + tree->values[0].begin,
                        "the JSON of a glTF asset must be an object");
  const uint32_t first = supplei_document_item(document, "buffers", 0);
  if (document->glb.bin && supplei_tree_is(tree, first, SUPPLEI_JSON_OBJECT) &&
      supplei_tree_member(tree, first, "uri") == SUPPLE_NONE)
    document->bin_buffer = first;
  document->clean_revision = tree->revision;
  return SUPPLE_OK;
}

/* Takes over `file`. */
static supple_document *load(void *file, size_t size, const supple_load_options *options,
                             supple_error *error) {
  const supple_allocator allocator = supplei_allocator(&options->allocator);
  supple_document *document = supplei_allocate_zero(&allocator, 1, sizeof *document);
  if (!document) {
    supplei_release(&allocator, file, size, 1);
    supplei_fail_memory(error, sizeof *document, "the document");
    return NULL;
  }
  document->allocator = allocator;
  document->options = *options;
  document->limits = supplei_limits_complete(options->limits);
  document->file_bytes_left = document->limits.file_bytes;
  document->file = file;
  document->file_size = size;
  document->bin_buffer = document->new_buffer = SUPPLE_NONE;
  if (!read_container(document, error)) return document;
  supple_document_free(document);
  return NULL;
}

supple_document *supple_document_load_memory(const void *data, size_t size,
                                             const supple_load_options *options,
                                             supple_error *error) {
  if (!options) options = &no_options;
  const size_t limit = supplei_limits_complete(options->limits).file_bytes;
  if (error) memset(error, 0, sizeof *error);
  if (size > limit) {
    supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                 "the asset has %zu bytes, more than limits.file_bytes allows (%zu)", size, limit);
    return NULL;
  }
  if (!data && size) {
    supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "data is NULL");
    return NULL;
  }
  const supple_allocator allocator = supplei_allocator(&options->allocator);
  void *copy = supplei_allocate(&allocator, size, 1);
  if (!copy) {
    supplei_fail_memory(error, size, "a copy of the file");
    return NULL;
  }
  if (size) memcpy(copy, data, size);
  return load(copy, size, options, error);
}

/* The name without its folder, in which a drive counts. */
static const char *name_in(const char *path) {
  const char *name = path;
  for (const char *c = path; *c; c++) {
    if (*c == '/') name = c + 1;
#if defined(_WIN32)
    if (*c == '\\' || *c == ':') name = c + 1;
#endif
  }
  return name;
}

static char *copy_text(const supple_allocator *allocator, const char *text, size_t length) {
  char *copy = supplei_allocate(allocator, length + 1, 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

supple_document *supple_document_load(const char *path, const supple_load_options *options,
                                      supple_error *error) {
  if (!options) options = &no_options;
  if (error) memset(error, 0, sizeof *error);
  if (!path) {
    supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "path is NULL");
    return NULL;
  }
  const supple_allocator allocator = supplei_allocator(&options->allocator);
  const size_t limit = supplei_limits_complete(options->limits).file_bytes;
  void *data = NULL;
  size_t size = 0;
  if (supplei_file_read(path, limit, &allocator, &data, &size, error)) return NULL;
  supple_document *document = load(data, size, options, error);
  if (!document) return NULL;
  const char *name = name_in(path);
  const size_t folder = (size_t)(name - path), length = strlen(name);
  document->folder = copy_text(&allocator, path, folder);
  document->folder_size = folder + 1;
  document->name = copy_text(&allocator, name, length);
  document->name_size = length + 1;
  if (document->folder && document->name) return document;
  supplei_fail_memory(error, folder + length, "a path");
  supple_document_free(document);
  return NULL;
}

void supple_document_free(supple_document *document) {
  if (!document) return;
  const supple_allocator allocator = document->allocator;
  supplei_document_release_bytes(document);
  supplei_tree_release(&document->tree);
  supplei_release(&allocator, document->folder, document->folder_size, 1);
  supplei_release(&allocator, document->name, document->name_size, 1);
  supplei_release(&allocator, document->file, document->file_size, 1);
  supplei_release(&allocator, document, 1, sizeof *document);
}

/* ---- reading ---- */

uint32_t supplei_document_item(const supple_document *document, const char *table, uint32_t index) {
  const supplei_tree *tree = &document->tree;
  const uint32_t array = supplei_tree_member(tree, 0, table);
  return supplei_tree_is(tree, array, SUPPLEI_JSON_ARRAY) ? supplei_tree_child(tree, array, index)
                                                          : SUPPLE_NONE;
}

uint32_t supplei_document_table_count(const supple_document *document, const char *table) {
  const supplei_tree *tree = &document->tree;
  const uint32_t array = supplei_tree_member(tree, 0, table);
  return supplei_tree_is(tree, array, SUPPLEI_JSON_ARRAY) ? tree->values[array].count : 0;
}

uint32_t supplei_document_extension(const supplei_tree *tree, uint32_t value, const char *name) {
  return supplei_tree_member(tree, supplei_tree_member(tree, value, "extensions"), name);
}

bool supplei_document_changed(const supple_document *document) {
  return document->tree.revision != document->clean_revision;
}

supple_result supplei_document_unsigned(const supple_document *document, uint32_t object,
                                        const char *key, uint64_t least, uint64_t most,
                                        uint64_t *out, supple_error *error) {
  const uint32_t value = supplei_tree_member(&document->tree, object, key);
  uint64_t number;
  if (value == SUPPLE_NONE) return SUPPLE_OK;
  if (!supplei_tree_unsigned(&document->tree, value, most, &number) || number < least)
    return supplei_tree_fail(&document->tree, value, error, SUPPLE_ERROR_FORMAT,
                             "must be an integer from %llu to %llu", (unsigned long long)least,
                             (unsigned long long)most);
  *out = number;
  return SUPPLE_OK;
}

supple_result supplei_document_need(const supple_document *document, uint32_t object,
                                    const char *key, uint64_t least, uint64_t most, uint64_t *out,
                                    supple_error *error) {
  if (supplei_tree_member(&document->tree, object, key) == SUPPLE_NONE)
    return supplei_tree_fail(&document->tree, object, error, SUPPLE_ERROR_FORMAT,
                             "\"%s\" is missing", key);
  return supplei_document_unsigned(document, object, key, least, most, out, error);
}

supple_value supple_document_find(const supple_document *document, const char *pointer) {
  return pointer ? supplei_tree_find(&document->tree, pointer) : SUPPLE_NONE;
}

supple_value supple_document_member(const supple_document *document, supple_value object,
                                    const char *key) {
  return key ? supplei_tree_member(&document->tree, object, key) : SUPPLE_NONE;
}

supple_value supple_document_child(const supple_document *document, supple_value container,
                                   uint32_t index) {
  return supplei_tree_child(&document->tree, container, index);
}

uint32_t supple_document_count(const supple_document *document, supple_value value) {
  const supplei_value *v = supplei_value_at(&document->tree, value);
  return v ? v->count : 0;
}

supple_value_type supple_document_type(const supple_document *document, supple_value value) {
  const supplei_value *v = supplei_value_at(&document->tree, value);
  static const supple_value_type types[] = {
      [SUPPLEI_JSON_NULL] = SUPPLE_VALUE_NULL,     [SUPPLEI_JSON_FALSE] = SUPPLE_VALUE_FALSE,
      [SUPPLEI_JSON_TRUE] = SUPPLE_VALUE_TRUE,     [SUPPLEI_JSON_NUMBER] = SUPPLE_VALUE_NUMBER,
      [SUPPLEI_JSON_STRING] = SUPPLE_VALUE_STRING, [SUPPLEI_JSON_ARRAY] = SUPPLE_VALUE_ARRAY,
      [SUPPLEI_JSON_OBJECT] = SUPPLE_VALUE_OBJECT};
  return v ? types[v->type] : SUPPLE_VALUE_NONE;
}

bool supple_document_number(const supple_document *document, supple_value value, double *number) {
  return supplei_tree_number(&document->tree, value, number);
}

uint32_t supple_document_index(const supple_document *document, supple_value value) {
  uint64_t index;
  return supplei_tree_unsigned(&document->tree, value, SUPPLE_NONE - 1, &index) ? (uint32_t)index
                                                                                : SUPPLE_NONE;
}

const char *supple_document_string(const supple_document *document, supple_value value) {
  return supplei_tree_string(&document->tree, value);
}

const char *supple_document_key(const supple_document *document, supple_value value) {
  return supplei_tree_key(&document->tree, value);
}

supple_value supple_document_parent(const supple_document *document, supple_value value) {
  const supplei_value *v = supplei_value_at(&document->tree, value);
  return v ? v->parent : SUPPLE_NONE;
}

const char *supple_document_pointer(const supple_document *document, supple_value value, char *out,
                                    size_t size) {
  return supplei_tree_pointer(&document->tree, value, out, size);
}
