/* document_text.h: small documents as text in the tests of editing and writing: JSON with ' for ". */
#ifndef DOCUMENT_TEXT_H
#define DOCUMENT_TEXT_H

#include "asset_text.h"

#include <supple/document.h>

/* ' to " in a buffer of the test's own. */
static inline const char *quoted(const char *text) {
  static char buffers[8][1 << 16];
  static int next;
  char *out = buffers[next++ % 8];
  assert_true(strlen(text) < sizeof buffers[0]);
  strcpy(out, text);
  for (char *c = out; *c; c++)
    if (*c == '\'') *c = '"';
  return out;
}

static inline supple_document *open_text(const char *json) {
  supple_error error;
  const char *text = quoted(json);
  supple_document *document = supple_document_load_memory(text, strlen(text), NULL, &error);
  if (!document) fail_msg("refused: %s", error.message);
  return document;
}

/* A GLB of the text and bytes. */
static inline supple_document *open_glb(const bin *b, const char *json) {
  supple_error error;
  const glb_text glb = make_glb(b, json);
  supple_document *document = supple_document_load_memory(glb.bytes, glb.size, NULL, &error);
  free(glb.bytes);
  if (!document) fail_msg("refused: %s", error.message);
  return document;
}

#define fine(call)                                                                                 \
  do {                                                                                             \
    supple_error error_;                                                                           \
    memset(&error_, 0, sizeof error_);                                                             \
    supple_error *problem = &error_;                                                               \
    if (call) fail_msg("%s:%d: %s", __FILE__, __LINE__, error_.message);                           \
  } while (0)

/* One file of what was written; a NUL follows its bytes. Free data. */
typedef struct written_bytes {
  char *data;
  size_t size, capacity;
} written_bytes;

static inline supple_result written_put(void *user, const void *data, size_t size) {
  written_bytes *out = user;
  if (out->size + size + 1 > out->capacity) {
    out->capacity = 2 * (out->size + size + 1);
    out->data = realloc(out->data, out->capacity);
    assert_non_null(out->data);
  }
  memcpy(out->data + out->size, data, size);
  out->size += size;
  out->data[out->size] = 0;
  return SUPPLE_OK;
}

static inline written_bytes copy_file(supple_written *written, uint32_t file) {
  written_bytes out = {0};
  assert_true(file < written->file_count);
  fine(supple_written_copy(written, file, written_put, &out, problem));
  assert_int_equal(out.size, written->files[file].size);
  return out;
}

static inline supple_written *lay_out(supple_document *document, const char *name) {
  supple_error error;
  memset(&error, 0, sizeof error);
  supple_written *written =
      supple_document_write(document, &(supple_write_options){.name = name}, &error);
  if (!written) fail_msg("not written: %s", error.message);
  return written;
}

/* The main file under that name. */
static inline written_bytes write_main(supple_document *document, const char *name) {
  supple_written *written = lay_out(document, name);
  const written_bytes out = copy_file(written, 0);
  supple_written_free(written);
  return out;
}

/* The document, as .gltf, must be this text (' for "). */
static inline void expect_text(supple_document *document, const char *json) {
  const written_bytes out = write_main(document, "a.gltf");
  assert_string_equal(out.data, quoted(json));
  free(out.data);
}

/* The JSON of a GLB, NUL-terminated, padding removed. Free it. */
static inline char *json_of_glb(const written_bytes *glb) {
  assert_true(glb->size >= 20 && memcmp(glb->data, "glTF", 4) == 0);
  uint32_t size;
  memcpy(&size, glb->data + 12, 4);
  assert_true(size <= glb->size - 20);
  while (size && glb->data[20 + size - 1] == ' ') size--;
  char *out = malloc((size_t)size + 1);
  assert_non_null(out);
  memcpy(out, glb->data + 20, size);
  out[size] = 0;
  return out;
}

#endif
