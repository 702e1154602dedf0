/* edit.c: the public edits of a document's JSON. */
#include "../base/prologue.h"

#include "document_state.h"

supple_result supple_document_set(supple_document *document, supple_value object, const char *key,
                                  const char *json, supple_value *out, supple_error *error) {
  return supplei_tree_set(&document->tree, object, key, json, out, error);
}

supple_result supple_document_replace(supple_document *document, supple_value value,
                                      const char *json, supple_value *out, supple_error *error) {
  return supplei_tree_replace(&document->tree, value, json, out, error);
}

supple_result supple_document_insert(supple_document *document, supple_value array, uint32_t index,
                                     const char *json, supple_value *out, supple_error *error) {
  return supplei_tree_insert(&document->tree, array, index, json, out, error);
}

supple_result supple_document_remove(supple_document *document, supple_value value,
                                     supple_error *error) {
  return supplei_tree_remove(&document->tree, value, error);
}
