/* decompress.c: a document without compressed data. */
#include "../base/prologue.h"

#include "decompress.h"

#include <string.h>

/* ---- what was decompressed ---- */

const unsigned char *supplei_unpacked_find(const supple_document *document, uint32_t value,
                                           const uint64_t stamp[SUPPLEI_STAMP]) {
  const uint32_t item = supplei_map_get(&document->unpacked_of, value);
  if (item == SUPPLE_NONE) return NULL;
  const supplei_unpacked *found = &document->unpacked[item];
  return memcmp(found->stamp, stamp, sizeof found->stamp) == 0 ? found->data : NULL;
}

supple_result supplei_unpacked_allocate(supple_document *document, uint32_t value, uint64_t count,
                                        size_t size, unsigned char **data, supple_error *error) {
  const size_t limit = document->limits.memory_bytes, used = document->unpacked_bytes;
  const size_t left = used < limit ? limit - used : 0;
  *data = NULL;
  if (count > left / size)
    return supplei_tree_fail(&document->tree, value, error, SUPPLE_ERROR_LIMIT,
                             "%llu elements of %zu bytes, decompressed, take more than "
                             "limits.memory_bytes leaves (%zu)",
                             (unsigned long long)count, size, left);
  *data = supplei_allocate_zero(&document->allocator, (size_t)count, size);
  if (!*data) return supplei_fail_memory(error, (size_t)count * size, "decompressed data");
  document->unpacked_bytes += (size_t)count * size;
  return SUPPLE_OK;
}

void supplei_unpacked_release(supple_document *document, unsigned char *data, size_t size) {
  if (!data) return;
  supplei_release(&document->allocator, data, size, 1);
  document->unpacked_bytes -= size;
}

supple_result supplei_unpacked_keep(supple_document *document, const supplei_unpacked *unpacked,
                                    supple_error *error) {
  void *items = document->unpacked;
  supple_result result = supplei_grow(&document->allocator, &items, &document->unpacked_capacity,
                                      document->unpacked_count, document->unpacked_count + 1,
                                      sizeof *document->unpacked, error);
  document->unpacked = items;
  if (!result)
    result = supplei_map_set(&document->unpacked_of, unpacked->value, document->unpacked_count,
                             &document->allocator, error);
  if (!result) document->unpacked[document->unpacked_count++] = *unpacked;
  return result;
}

void supplei_document_release_unpacked(supple_document *document) {
  supplei_document_close_draco(document);
  for (uint32_t i = 0; i < document->unpacked_count; i++)
    supplei_unpacked_release(document, document->unpacked[i].data, document->unpacked[i].size);
  supplei_release(&document->allocator, document->unpacked, document->unpacked_capacity,
                  sizeof *document->unpacked);
  supplei_map_release(&document->unpacked_of, &document->allocator);
  document->unpacked = NULL;
  document->unpacked_count = document->unpacked_capacity = 0;
}

/* ---- extensions ---- */

supple_result supplei_decompress_drop(supple_document *document, uint32_t object, const char *name,
                                      supple_error *error) {
  supplei_tree *tree = &document->tree;
  const uint32_t extensions = supplei_tree_member(tree, object, "extensions");
  if (supplei_tree_member(tree, extensions, name) == SUPPLE_NONE) return SUPPLE_OK;
  const supple_result result = supplei_tree_remove_member(tree, extensions, name, error);
  if (result || supplei_value_at(tree, extensions)->count) return result;
  return supplei_tree_remove(tree, extensions, error);
}

/* Takes the names out of extensionsUsed or extensionsRequired. */
static supple_result drop_names(supple_document *document, const char *key, supple_error *error) {
  static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression",
                                      "KHR_draco_mesh_compression"};
  supplei_tree *tree = &document->tree;
  const uint32_t array = supplei_tree_member(tree, 0, key);
  supple_result result = SUPPLE_OK;
  if (!supplei_tree_is(tree, array, SUPPLEI_JSON_ARRAY)) return SUPPLE_OK;
  for (uint32_t i = supplei_value_at(tree, array)->count; i-- > 0 && !result;) {
    const uint32_t name = supplei_tree_child(tree, array, i);
    bool ours = false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
      ours |= supplei_tree_equals(tree, name, names[k]);
    if (ours) result = supplei_tree_remove(tree, name, error);
  }
  if (result || supplei_value_at(tree, array)->count) return result;
  return supplei_tree_remove(tree, array, error); /* glTF has no empty arrays */
}

/* ---- all of it ---- */

static supple_result decompress(supple_document *document, uint32_t *changed, supple_error *error) {
  supple_result result = supplei_decompress_views(document, changed, error);
  if (!result) result = supplei_decompress_primitives(document, changed, error);
  if (!result) result = drop_names(document, "extensionsUsed", error);
  if (!result) result = drop_names(document, "extensionsRequired", error);
  return result;
}

supple_result supple_document_decompress(supple_document *document, uint32_t *changed,
                                         supple_error *error) {
  uint32_t count = 0;
  const supplei_document_mark mark = supplei_document_begin(document);
  const supple_result result =
      supplei_document_end(document, &mark, decompress(document, &count, error));
  if (changed) *changed = result ? 0 : count;
  return result;
}
