/* write_names.c: the files that a written document names, and a name for a new one. */
#include "../base/prologue.h"

#include "write_plan.h"

#include "../base/merge_sort.h"
#include "file_read.h"

#include <string.h>

/* ---- files that are named ---- */

/* A uri of buffers or images must lead to a file; others may mean anything. */
static bool is_core(const supplei_tree *tree, uint32_t uri) {
  const uint32_t object = tree->values[uri].parent, array = tree->values[object].parent;
  if (array == SUPPLE_NONE || tree->values[array].parent != 0) return false;
  const char *key = supplei_tree_key(tree, array);
  return strcmp(key, "buffers") == 0 || strcmp(key, "images") == 0;
}

/* How large the file is; fails where it cannot be opened. */
static supple_result size_of(supplei_plan *plan, uint32_t uri, const char *path, uint64_t *size,
                             supple_error *said) {
  supple_document *document = plan->document;
  const uint32_t found = supplei_map_get(&document->resource_of, uri);
  if (found != SUPPLE_NONE) {
    *size = document->resources[found].size;
    return SUPPLE_OK;
  }
  if (document->options.reader.read || !document->folder) {
    const unsigned char *data;
    size_t bytes = 0;
    const supple_result result = supplei_document_resource(document, uri, &data, &bytes, said);
    *size = bytes;
    return result;
  }
  const bool absolute = path[0] == '/' || path[0] == '\\' || (path[0] && path[1] == ':');
  const size_t folder = absolute ? 0 : strlen(document->folder), length = strlen(path);
  char *full = supplei_allocate(&document->allocator, folder + length + 1, 1);
  if (!full) return supplei_fail_memory(said, folder + length + 1, "a path");
  memcpy(full, document->folder, folder);
  memcpy(full + folder, path, length + 1);
  const supple_result result = supplei_file_size(full, &document->allocator, size, said);
  supplei_release(&document->allocator, full, folder + length + 1, 1);
  return result;
}

static supple_result add_named(supplei_plan *plan, uint32_t uri) {
  char *path = NULL;
  size_t capacity = 0;
  supple_error said = {0};
  const bool core = is_core(&plan->shadow.tree, uri);
  supple_result result = supplei_document_path(&plan->shadow, uri, &path, &capacity, &said);
  if (result == SUPPLE_ERROR_MEMORY) return supplei_fail_memory(plan->error, capacity, "a path");
  if (result || !path) return SUPPLE_OK; /* nothing that could be copied */
  supple_written_file file = {.unchanged = true};
  result = size_of(plan, uri, path, &file.size, &said);
  file.missing = result != SUPPLE_OK;
  if (result == SUPPLE_ERROR_MEMORY) {
    supplei_fail_memory(plan->error, capacity, "a file");
  } else if (core || !result) {
    result = SUPPLE_OK;
    file.name = supplei_arena_text(&plan->arena, path, strlen(path));
    if (!file.name) result = supplei_fail_memory(plan->error, capacity, "the name of a file");
    if (!result) result = supplei_plan_file(plan, file, uri);
  } else {
    result = SUPPLE_OK;
  }
  supplei_release(&plan->allocator, path, capacity, 1);
  return result;
}

static int compare_names(const void *context, uint64_t a, uint64_t b) {
  const supple_written_file *files = context;
  const int order = strcmp(files[a].name, files[b].name);
  return order ? order : a < b ? -1 : a > b;
}

/* Each name once, in the order of the file. */
static supple_result drop_repeated(supplei_plan *plan, uint32_t from) {
  const uint32_t count = plan->file_count - from;
  if (count < 2) return SUPPLE_OK;
  uint64_t *order = supplei_allocate(&plan->allocator, count, 2 * sizeof *order);
  if (!order) return supplei_fail_memory(plan->error, 16 * (size_t)count, "the names of files");
  supple_written_file *files = plan->files + from;
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  supplei_merge_sort(order, order + count, count, compare_names, files);
  /* Repetitions lose their names while names are still compared: so first marked by size. */
  for (uint32_t i = count - 1; i > 0; i--)
    if (strcmp(files[order[i]].name, files[order[i - 1]].name) == 0) files[order[i]].name = NULL;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!files[i].name) continue;
    files[kept] = files[i];
    plan->sources[from + kept++] = plan->sources[from + i];
  }
  plan->file_count = from + kept;
  supplei_release(&plan->allocator, order, count, 2 * sizeof *order);
  return SUPPLE_OK;
}

supple_result supplei_plan_names(supplei_plan *plan) {
  const supplei_tree *tree = &plan->shadow.tree;
  const uint32_t from = plan->file_count;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 1; i < tree->count && !result; i++)
    if (supplei_tree_is(tree, i, SUPPLEI_JSON_STRING) &&
        strcmp(supplei_tree_key(tree, i), "uri") == 0)
      result = add_named(plan, i);
  return result ? result : drop_repeated(plan, from);
}

/* ---- a new name ---- */

/* Whether two names may be one file where letters' case does not count. */
static bool same_name(const char *a, const char *b) {
  for (;; a++, b++) {
    const char x = *a >= 'A' && *a <= 'Z' ? (char)(*a + 32) : *a;
    const char y = *b >= 'A' && *b <= 'Z' ? (char)(*b + 32) : *b;
    if (x != y) return false;
    if (!x) return true;
  }
}

static bool is_taken(const supplei_plan *plan, const char *name) {
  for (uint32_t i = 0; i < plan->file_count; i++)
    if (plan->files[i].name && same_name(plan->files[i].name, name)) return true;
  return same_name(plan->name, name);
}

/* The name as a URI: everything but letters, digits and "-._~" as %XX. */
static const char *encode(supplei_plan *plan, const char *name) {
  static const char hex[] = "0123456789ABCDEF";
  char *uri = supplei_arena_allocate(&plan->arena, strlen(name) + 1, 3), *out = uri;
  if (!uri) return NULL;
  for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
    const bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
                       (*c >= '0' && *c <= '9') || strchr("-._~", *c);
    if (plain) {
      *out++ = (char)*c;
      continue;
    }
    *out++ = '%';
    *out++ = hex[*c >> 4];
    *out++ = hex[*c & 15];
  }
  *out = 0;
  return uri;
}

supple_result supplei_plan_bin_name(supplei_plan *plan, const char **name, const char **uri) {
  const char *dot = strrchr(plan->name, '.');
  const size_t stem = dot && dot != plan->name ? (size_t)(dot - plan->name) : strlen(plan->name);
  char *out = supplei_arena_allocate(&plan->arena, stem + 20, 1);
  if (!out) return supplei_fail_memory(plan->error, stem + 20, "the name of a file");
  memcpy(out, plan->name, stem);
  for (size_t i = 0; i < stem; i++) /* what a reader would refuse in a URI */
    if ((unsigned char)out[i] < 0x20 || out[i] == 0x7F || out[i] == ':' || out[i] == '\\')
      out[i] = '_';
  uint32_t number = 0;
  do {
    char digits[16] = "";
    size_t used = 0;
    for (uint32_t n = number; n; n /= 10) digits[used++] = (char)('0' + n % 10);
    size_t at = stem;
    if (number) out[at++] = '-';
    while (used) out[at++] = digits[--used];
    memcpy(out + at, ".bin", 5);
    number++;
  } while (is_taken(plan, out));
  *name = out;
  *uri = encode(plan, out);
  return *uri ? SUPPLE_OK : supplei_fail_memory(plan->error, stem, "the name of a file");
}
