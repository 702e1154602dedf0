/* corpus_text.h: reading the corpus' own lists in the tests. */
#ifndef CORPUS_TEXT_H
#define CORPUS_TEXT_H

#include "asset_text.h"

#include "src/base/memory.h"
#include "src/gltf/file_read.h"
#include "src/gltf/json.h"

/* A JSON list of the corpus. */
typedef struct corpus_list {
  void *data;
  size_t size;
  supplei_json json;
} corpus_list;

/* False, with a message, where there is no corpus. */
static inline bool open_list(corpus_list *list, const char *name) {
  supple_allocator allocator = supplei_allocator(NULL);
  char path[1000];
  supple_error error;
  snprintf(path, sizeof path, "%s/%s", SUPPLE_CORPUS, name);
  if (supplei_file_read(path, SIZE_MAX, &allocator, &list->data, &list->size, &error)) {
    print_message("%s: %s; skipped\n", path, error.message);
    return false;
  }
  if (supplei_json_parse(&list->json, list->data, list->size, NULL, NULL, &error))
    fail_msg("%s: %s", path, error.message);
  return true;
}

static inline void close_list(corpus_list *list) {
  supplei_json_release(&list->json);
  free(list->data);
}

/* A string member into text[200], "" where there is none. */
static inline const char *list_text(const corpus_list *list, uint32_t object, const char *key,
                                    char text[200]) {
  uint32_t node = supplei_json_member(&list->json, object, key);
  size_t n = 0;
  if (node != SUPPLE_NONE && list->json.nodes[node].length < 200)
    n = supplei_json_string(&list->json, node, text);
  text[n] = 0;
  return text;
}

/* A number member; it must be there. */
static inline double list_number(const corpus_list *list, uint32_t object, const char *key) {
  uint32_t node = supplei_json_member(&list->json, object, key);
  double value = 0;
  if (node == SUPPLE_NONE || !supplei_json_number(&list->json, node, &value))
    fail_msg("no number %s", key);
  return value;
}

#endif
