/* fuzz.c: what the fuzz targets share. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fuzz_expect(bool fine, const char *promise) {
  if (fine) return;
  fprintf(stderr, "broken promise: %s\n", promise);
  abort();
}

/* ---- input ---- */

fuzz_input fuzz_split(const uint8_t *data, size_t size) {
  fuzz_input input = {.data = data, .size = size};
  if (size < 20 || memcmp(data, "glTF", 4) != 0) return input;
  const size_t length =
      data[8] | (size_t)data[9] << 8 | (size_t)data[10] << 16 | (size_t)data[11] << 24;
  if (length < 20 || length >= size) return input;
  input.size = length;
  input.options = data + length;
  input.option_count = size - length;
  return input;
}

uint32_t fuzz_option(fuzz_input *input, uint32_t count) {
  if (input->option_at == input->option_count) return 0;
  return input->options[input->option_at++] % count;
}

/* ---- memory ---- */

enum { HEADER = 16 };

static struct {
  size_t live, calls, fail_at;
  bool failed;
} books;

static void *allocate(void *user, size_t size) {
  (void)user;
  fuzz_expect(size > 0, "allocate is asked for more than 0 bytes");
  if (++books.calls == books.fail_at) {
    books.failed = true;
    return NULL;
  }
  char *memory = malloc(size + HEADER);
  if (!memory) return NULL;
  memcpy(memory, &size, sizeof size);
  memset(memory + HEADER, 0xA5, size < 256 ? size : 256);
  books.live++;
  return memory + HEADER;
}

static void release(void *user, void *memory, size_t size) {
  (void)user;
  size_t asked;
  char *start = (char *)memory - HEADER;
  memcpy(&asked, start, sizeof asked);
  fuzz_expect(asked == size, "release gets the size of its allocate");
  fuzz_expect(books.live > 0, "release gets what allocate gave");
  books.live--;
  free(start);
}

supple_allocator fuzz_allocator(uint32_t fail_at) {
  books.calls = 0;
  books.fail_at = fail_at;
  books.failed = false;
  return (supple_allocator){allocate, release, NULL};
}

bool fuzz_allocator_failed(void) { return books.failed; }

void fuzz_expect_no_memory(void) { fuzz_expect(books.live == 0, "all memory is released"); }

float *fuzz_floats(size_t count) {
  float *floats = malloc(count ? count * sizeof *floats : 1);
  if (!floats) abort();
  for (size_t i = 0; i < count; i++) floats[i] = -77.0f;
  return floats;
}

/* ---- loading ---- */

const supple_codecs *fuzz_codecs;

static size_t open_files;

/* Any file exists unless its name has a '!': as many bytes as its name's hash says. */
static supple_result read_file(void *user, const char *path, const void **data, size_t *size,
                               supple_error *error) {
  (void)user;
  uint32_t hash = 2166136261u;
  for (const char *c = path; *c; c++) {
    fuzz_expect((unsigned char)*c >= 0x20, "no control character in a path");
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  }
  if (strchr(path, '!')) {
    if (hash & 1) snprintf(error->message, sizeof error->message, "it is not there");
    return SUPPLE_ERROR_FILE;
  }
  *size = hash % 7 == 0 ? 0 : hash % 3000;
  unsigned char *bytes = malloc(*size ? *size : 1);
  if (!bytes) return SUPPLE_ERROR_MEMORY;
  for (size_t i = 0; i < *size; i++) bytes[i] = (unsigned char)(i % 4 == 3 ? 0x3F : i * 37);
  *data = bytes;
  open_files++;
  return SUPPLE_OK;
}

static void release_file(void *user, const void *data, size_t size) {
  (void)user, (void)size;
  open_files--;
  free((void *)(uintptr_t)data);
}

static bool has_control_character(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < 0x20 || *text == 0x7F) return true;
  return false;
}

void fuzz_expect_error(const supple_error *error, size_t file_size) {
  fuzz_expect(error->result > SUPPLE_OK && error->result <= SUPPLE_ERROR_NUMBER, "a known reason");
  fuzz_expect(memchr(error->message, 0, sizeof error->message) != NULL, "the message ends");
  fuzz_expect(memchr(error->pointer, 0, sizeof error->pointer) != NULL, "the pointer ends");
  fuzz_expect(strlen(error->message) > 10, "the message is a sentence");
  fuzz_expect(!has_control_character(error->message), "no control character in a message");
  fuzz_expect(error->offset == SIZE_MAX || error->offset <= file_size, "the byte is in the file");
  fuzz_expect(error->pointer[0] == 0 || error->pointer[0] == '/', "a JSON pointer starts with /");
}

const supple_limits fuzz_limits = {.file_bytes = 1 << 20,
                                   .memory_bytes = 1 << 22,
                                   .json_values = 20000,
                                   .json_depth = 64,
                                   .nodes = 600,
                                   .node_depth = 200,
                                   .vertices = 600,
                                   .joints = 64,
                                   .influence_sets = 4,
                                   .morph_targets = 8};

supple_asset *fuzz_load(fuzz_input *input) {
  const uint32_t switches = fuzz_option(input, 256);
  supple_load_options options = {.limits = fuzz_limits,
                                 .reader = {.read = switches & 8 ? NULL : read_file,
                                            .release = switches & 8 ? NULL : release_file},
                                 .allow_outside_uris = (switches & 1) != 0,
                                 .codecs = fuzz_codecs,
                                 .structure_only = (switches & 6) == 6,
                                 .image_files = (switches & 32) != 0};
  if (switches & 16) options.limits.memory_bytes = 64 * (size_t)fuzz_option(input, 256);
  options.allocator = fuzz_allocator(fuzz_option(input, 256));
  supple_error error;
  memset(&error, 0x5A, sizeof error);
  uint8_t *copy = malloc(input->size ? input->size : 1);
  if (!copy) abort();
  if (input->size) memcpy(copy, input->data, input->size);
  supple_asset *asset = supple_asset_load_memory(copy, input->size, &options, &error);
  free(copy); /* the asset must not need it any more */
  fuzz_expect(open_files == 0, "every file is released");
  if (!asset) {
    fuzz_expect_error(&error, input->size);
    fuzz_expect_no_memory();
    return NULL;
  }
  fuzz_check_asset(asset, options.structure_only);
  if (!options.structure_only) return asset;
  supple_asset_free(asset);
  fuzz_expect_no_memory();
  return NULL;
}
