/* document/target.c: any bytes as a document: edited, read, pruned and written without a step outside; written text is
 * JSON that loads again, and an edit that fails changes nothing. The bytes after a GLB choose the edits. */
#include "../fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { EDITS = 12, MOST_VALUES = 4096 };

typedef struct bytes {
  uint8_t *data;
  size_t size, capacity;
} bytes;

static supple_result put(void *user, const void *data, size_t size) {
  bytes *out = user;
  if (out->size + size > out->capacity) {
    out->capacity = 2 * (out->size + size);
    uint8_t *larger = realloc(out->data, out->capacity);
    if (!larger) abort();
    out->data = larger;
  }
  memcpy(out->data + out->size, data, size);
  out->size += size;
  return SUPPLE_OK;
}

/* The main file under a name; false where it is refused. */
static bool write_document(supple_document *document, const char *name, bytes *out) {
  supple_error error;
  supple_written *written =
      supple_document_write(document, &(supple_write_options){.name = name}, &error);
  if (!written) {
    fuzz_expect_error(&error, SIZE_MAX);
    return false;
  }
  bool fine = true;
  for (uint32_t i = 0; i < written->file_count && fine; i++) {
    bytes other = {0};
    fine = !supple_written_copy(written, i, put, i ? &other : out, &error);
    fuzz_expect(!fine || (i ? &other : out)->size == written->files[i].size,
                "the size that was said");
    free(other.data);
    fine |= written->files[i].unchanged; /* which need not be there */
  }
  supple_written_free(written);
  return fine;
}

/* A value anywhere, by going down as the options say. */
static supple_value choose(const supple_document *document, fuzz_input *input) {
  supple_value value = 0;
  for (int depth = 0; depth < 5; depth++) {
    const uint32_t count = supple_document_count(document, value);
    if (!count) break;
    const uint32_t which = fuzz_option(input, 256);
    if (which == 255) break;
    value = supple_document_child(document, value, which % count);
  }
  return value;
}

static void edit(supple_document *document, fuzz_input *input) {
  static const char *const texts[] = {"0", "[1,2]", "{\"a\":[]}", "\"x\\n\"",
                                      "{", "-1e3",  "null",       "4294967295"};
  static const char *const keys[] = {"buffer", "bufferView", "count", "uri",
                                     "a\"b",   "byteOffset", "nodes", "extensions"};
  const uint32_t what = fuzz_option(input, 8);
  const supple_value value = choose(document, input);
  const char *text = texts[fuzz_option(input, 8)];
  const uint8_t data[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const supple_accessor_data elements = {
      .layout = {5121, 3, 1, false, 4}, .data = data, .bounds = true, .target = 34962};
  const supple_affine64 matrix = {{{1, 0, 0, 1}, {0, 1, 0, 2}, {0, 0, 1, 3}}};
  supple_error error;
  supple_result result = SUPPLE_OK;
  if (what == 0)
    result = supple_document_set(document, value, keys[fuzz_option(input, 8)], text, NULL, &error);
  if (what == 1) result = supple_document_replace(document, value, text, NULL, &error);
  if (what == 2)
    result = supple_document_insert(document, value, fuzz_option(input, 4), text, NULL, &error);
  if (what == 3) result = supple_document_remove(document, value, &error);
  if (what == 4) result = supple_document_add_accessor(document, &elements, NULL, &error);
  if (what == 5)
    result = supple_document_set_accessor(document, fuzz_option(input, 4), &elements, &error);
  if (what == 6)
    result = supple_document_set_node(document, fuzz_option(input, 4), NULL, &matrix, &error);
  if (what == 7) result = supple_document_prune(document, NULL, NULL, &error);
  if (result) fuzz_expect_error(&error, SIZE_MAX);
}

static void read_all(supple_document *document) {
  const uint32_t count = supple_document_accessor_count(document);
  supple_error error;
  for (uint32_t i = 0; i < count && i < 32; i++) {
    supple_accessor_layout layout;
    if (supple_document_accessor(document, i, &layout, &error) || layout.count > MOST_VALUES)
      continue;
    float *values = fuzz_floats((size_t)layout.count * layout.rows * layout.columns);
    if (supple_document_floats(document, i, values, &error)) fuzz_expect_error(&error, SIZE_MAX);
    free(values);
  }
  const void *data;
  size_t size;
  if (supple_document_image(document, 0, &data, &size, &error)) fuzz_expect_error(&error, SIZE_MAX);
}

/* What was written is a document again, and says the same when it is written once more. */
static void expect_written(supple_document *document, const char *name,
                           const supple_load_options *options) {
  bytes first = {0}, second = {0};
  supple_error error;
  if (write_document(document, name, &first)) {
    supple_document *again = supple_document_load_memory(first.data, first.size, options, &error);
    fuzz_expect(again || fuzz_allocator_failed() || error.result == SUPPLE_ERROR_LIMIT,
                "what was written loads");
    if (again && write_document(again, NULL, &second))
      fuzz_expect(first.size == second.size && memcmp(first.data, second.data, first.size) == 0,
                  "a document without edits is written as it was");
    supple_document_free(again);
  }
  free(first.data);
  free(second.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = fuzz_split(data, size);
  const uint32_t failing = fuzz_option(&input, 256);
  const supple_load_options options = {.allocator =
                                           fuzz_allocator(failing > 127 ? 2 * (failing - 127) : 0),
                                       .limits = {.json_values = 1 << 16, .memory_bytes = 1 << 24}};
  supple_error error;
  supple_document *document = supple_document_load_memory(input.data, input.size, &options, &error);
  if (!document) {
    fuzz_expect_error(&error, input.size);
    fuzz_expect_no_memory();
    return 0;
  }
  for (uint32_t i = fuzz_option(&input, EDITS); i > 0; i--) edit(document, &input);
  read_all(document);
  expect_written(document, "a.glb", &options);
  expect_written(document, "a.gltf", &options);
  supple_asset_free(supple_document_asset(document, NULL, &error));
  supple_document_free(document);
  fuzz_expect_no_memory();
  return 0;
}
