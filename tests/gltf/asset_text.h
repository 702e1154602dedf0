/* asset_text.h: small assets as text in the tests of the glTF reader.
 *
 * JSON is written with ' for ", and every value of the BIN chunk is put there by the test
 * itself. */
#ifndef ASSET_TEXT_H
#define ASSET_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <supple/gltf.h>

/* ---- the bytes of buffer 0 ---- */

typedef struct bin {
  unsigned char bytes[16384];
  size_t size;
} bin;

static inline void put_bytes(bin *b, const void *data, size_t size) {
  assert_true(b->size + size <= sizeof b->bytes);
  memcpy(b->bytes + b->size, data, size);
  b->size += size;
}
static inline void put_f32(bin *b, size_t count, const float *values) {
  put_bytes(b, values, count * sizeof *values);
}
static inline void put_u8(bin *b, size_t count, const uint8_t *values) {
  put_bytes(b, values, count);
}
static inline void put_u16(bin *b, size_t count, const uint16_t *values) {
  put_bytes(b, values, count * sizeof *values);
}
static inline void put_u32(bin *b, size_t count, const uint32_t *values) {
  put_bytes(b, values, count * sizeof *values);
}

/* ---- the asset ---- */

typedef struct glb_text {
  unsigned char *bytes;
  size_t size;
} glb_text;

static inline void write_u32(unsigned char *to, size_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
}

/* A GLB of the formatted JSON; `b` NULL: no BIN chunk. Free bytes. */
static inline glb_text make_glb(const bin *b, const char *json) {
  size_t length = strlen(json), padded = (length + 3) / 4 * 4;
  size_t bin_size = b ? (b->size + 3) / 4 * 4 : 0;
  glb_text out = {.size = 20 + padded + (b ? 8 + bin_size : 0)};
  out.bytes = calloc(out.size, 1);
  assert_non_null(out.bytes);
  memcpy(out.bytes, "glTF", 4);
  write_u32(out.bytes + 4, 2);
  write_u32(out.bytes + 8, out.size);
  write_u32(out.bytes + 12, padded);
  memcpy(out.bytes + 16, "JSON", 4);
  memset(out.bytes + 20, ' ', padded);
  for (size_t i = 0; i < length; i++)
    out.bytes[20 + i] = (unsigned char)(json[i] == '\'' ? '"' : json[i]);
  if (!b) return out;
  write_u32(out.bytes + 20 + padded, bin_size);
  memcpy(out.bytes + 24 + padded, "BIN", 3);
  memcpy(out.bytes + 28 + padded, b->bytes, b->size);
  return out;
}

/* '{asset, buffers, …' in front of the formatted rest of the JSON object, loaded. */
static inline supple_asset *load_options(const bin *b, const supple_load_options *options,
                                         supple_error *error, const char *format, va_list arguments) {
  static char json[1 << 18];
  int head = snprintf(json, sizeof json, "{'asset':{'version':'2.0'}");
  if (b)
    head += snprintf(json + head, sizeof json - (size_t)head, ",'buffers':[{'byteLength':%u}]",
                     (unsigned)b->size);
  int rest = vsnprintf(json + head, sizeof json - (size_t)head, format, arguments);
  assert_true(rest >= 0 && (size_t)(head + rest) + 2 < sizeof json);
  strcat(json, "}");
  glb_text glb = make_glb(b, json);
  memset(error, 0x5A, sizeof *error);
  supple_asset *asset = supple_asset_load_memory(glb.bytes, glb.size, options, error);
  free(glb.bytes);
  return asset;
}

/* Loads, and must not fail. `format` goes on after the asset and buffers, starting with ','. */
static inline supple_asset *load_with(const supple_load_options *options, const bin *b,
                                      const char *format, ...) {
  supple_error error;
  va_list arguments;
  va_start(arguments, format);
  supple_asset *asset = load_options(b, options, &error, format, arguments);
  va_end(arguments);
  if (!asset) fail_msg("refused: %s", error.message);
  return asset;
}
static inline supple_asset *load(const bin *b, const char *format, ...) {
  supple_error error;
  va_list arguments;
  va_start(arguments, format);
  supple_asset *asset = load_options(b, NULL, &error, format, arguments);
  va_end(arguments);
  if (!asset) fail_msg("refused: %s", error.message);
  return asset;
}

static inline void check_error(const supple_error *error, supple_result result, const char *pointer,
                               const char *part) {
  if (error->result != result || strcmp(error->pointer, pointer) != 0 ||
      !strstr(error->message, part))
    fail_msg("got %d at \"%s\": %s\nwanted %d at \"%s\": …%s…", (int)error->result, error->pointer,
             error->message, (int)result, pointer, part);
  if (pointer[0]) assert_memory_equal(error->message, pointer, strlen(pointer));
}

/* Must fail with this result at this JSON pointer, and a message that has `part`. */
static inline void refuse_with(const supple_load_options *options, const bin *b,
                               supple_result result, const char *pointer, const char *part,
                               const char *format, ...) {
  supple_error error;
  va_list arguments;
  va_start(arguments, format);
  supple_asset *asset = load_options(b, options, &error, format, arguments);
  va_end(arguments);
  if (asset) fail_msg("accepted: %s (wanted: %s)", format, part);
  check_error(&error, result, pointer, part);
}
static inline void refuse(const bin *b, const char *pointer, const char *part, const char *format,
                          ...) {
  supple_error error;
  va_list arguments;
  va_start(arguments, format);
  supple_asset *asset = load_options(b, NULL, &error, format, arguments);
  va_end(arguments);
  if (asset) fail_msg("accepted: %s (wanted: %s)", format, part);
  check_error(&error, SUPPLE_ERROR_FORMAT, pointer, part);
}

/* Whether the asset has a note at this pointer that has this text. */
static inline bool has_note(const supple_asset *asset, const char *pointer, const char *part) {
  for (uint32_t i = 0; i < asset->note_count; i++)
    if (strcmp(asset->notes[i].pointer, pointer) == 0 && strstr(asset->notes[i].text, part))
      return true;
  return false;
}

/* ---- an allocator that counts, checks sizes, and fails when told ---- */

typedef struct ledger {
  size_t calls, fail_at; /* fail_at: the call that returns NULL, from 1; 0: none */
  size_t live, live_bytes;
} ledger;

static inline void *ledger_allocate(void *user, size_t size) {
  ledger *book = user;
  if (++book->calls == book->fail_at) return NULL;
  size_t *memory = malloc(size + 16);
  if (!memory) return NULL;
  memory[0] = size;
  book->live++;
  book->live_bytes += size;
  return (char *)memory + 16;
}
static inline void ledger_release(void *user, void *memory, size_t size) {
  ledger *book = user;
  char *start = (char *)memory - 16;
  assert_int_equal(*(size_t *)(void *)start, size);
  book->live--;
  book->live_bytes -= size;
  free(start);
}
static inline supple_allocator ledger_allocator(ledger *book) {
  memset(book, 0, sizeof *book);
  return (supple_allocator){ledger_allocate, ledger_release, book};
}

#endif
