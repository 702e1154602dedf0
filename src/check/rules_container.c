/* rules_container.c: what is wrong with a GLB (glTF 2.0, "GLB File Format Specification"), or with the JSON as text. */
#include "../base/prologue.h"

#include "check_state.h"

#include "../gltf/glb.h"
#include "../gltf/json.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { HEADER_SIZE = 12, CHUNK_HEADER_SIZE = 8, TEXT_SIZE = 400 };
static const uint32_t chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;

static uint32_t read_u32(const unsigned char *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* A finding at a byte of the file. */
static void found_byte(supplei_check *check, supplei_code code, size_t byte, const char *format,
                       ...) SUPPLEI_PRINTF(4, 5);
static void found_byte(supplei_check *check, supplei_code code, size_t byte, const char *format,
                       ...) {
  char text[TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  supplei_check_found(check, code, "", (supplei_extent){1, (double)NAN}, "byte %zu: %s", byte, text);
}

/* ---- GLB ---- */

typedef struct glb_walk {
  uint32_t length, chunk; /* of the whole as declared; the number of the next chunk */
  bool json, bin;         /* seen */
} glb_walk;

static void check_chunk_header(supplei_check *check, glb_walk *walk, size_t at, uint32_t size,
                               uint32_t type) {
  if (size % 4)
    found_byte(check, SUPPLEI_CODE_GLB_CHUNK_LENGTH_UNALIGNED, at,
               "a chunk has %u bytes, which is no multiple of 4", (unsigned)size);
  if ((double)at + CHUNK_HEADER_SIZE + size > walk->length)
    found_byte(check, SUPPLEI_CODE_GLB_CHUNK_TOO_BIG, at,
               "a chunk of %u bytes ends after the %u bytes that the GLB says it has",
               (unsigned)size, (unsigned)walk->length);
  if (walk->chunk == 0 && type != chunk_json)
    found_byte(check, SUPPLEI_CODE_GLB_UNEXPECTED_FIRST_CHUNK, at,
               "the first chunk is of type 0x%08x; it must be JSON", (unsigned)type);
  if (type == chunk_bin && walk->chunk > 1 && !walk->bin)
    found_byte(check, SUPPLEI_CODE_GLB_UNEXPECTED_BIN_CHUNK, at,
               "the BIN chunk is number %u; it must be the second", (unsigned)walk->chunk);
  bool *seen = type == chunk_json ? &walk->json : type == chunk_bin ? &walk->bin : NULL;
  if (!seen)
    found_byte(check, SUPPLEI_CODE_GLB_UNKNOWN_CHUNK_TYPE, at, "a chunk of type 0x%08x",
               (unsigned)type);
  if (!size && type == chunk_json)
    found_byte(check, SUPPLEI_CODE_GLB_EMPTY_CHUNK, at, "the JSON chunk is empty");
  if (!size && type == chunk_bin)
    found_byte(check, SUPPLEI_CODE_GLB_EMPTY_BIN_CHUNK, at, "the BIN chunk is empty");
  if (seen && *seen)
    found_byte(check, SUPPLEI_CODE_GLB_DUPLICATE_CHUNK, at, "a second %s chunk",
               type == chunk_json ? "JSON" : "BIN");
  if (seen) *seen = true;
}

/* The bytes of the first chunk, if they are there and JSON. */
static void take_json(const supplei_check *check, size_t at, uint32_t size, uint32_t type,
                      uint32_t number, supplei_check_text *json) {
  if (number || type != chunk_json || size > check->size - at) return;
  json->text = (const char *)check->data + at;
  json->length = size;
  json->offset = at;
}

static void walk_chunks(supplei_check *check, glb_walk *walk, supplei_check_text *json) {
  size_t at = HEADER_SIZE, size = check->size;
  while (at != size) {
    if (at == walk->length) {
      found_byte(check, SUPPLEI_CODE_GLB_EXTRA_DATA, at, "%zu bytes after the end of the GLB",
                 size - at);
      return;
    }
    if (size - at < CHUNK_HEADER_SIZE) {
      found_byte(check, SUPPLEI_CODE_GLB_UNEXPECTED_END_OF_CHUNK_HEADER, size,
                 "the file ends within the header of a chunk");
      return;
    }
    uint32_t bytes = read_u32(check->data + at), type = read_u32(check->data + at + 4);
    check_chunk_header(check, walk, at, bytes, type);
    at += CHUNK_HEADER_SIZE;
    take_json(check, at, bytes, type, walk->chunk++, json);
    if (bytes > size - at) {
      found_byte(check, SUPPLEI_CODE_GLB_UNEXPECTED_END_OF_CHUNK_DATA, size,
                 "the file ends within a chunk of %u bytes", (unsigned)bytes);
      return;
    }
    at += bytes;
  }
  if (at != walk->length)
    found_byte(check, SUPPLEI_CODE_GLB_LENGTH_MISMATCH, at,
               "the GLB says it has %u bytes, but the file has %zu", (unsigned)walk->length, at);
}

static void check_glb(supplei_check *check, supplei_check_text *json) {
  if (check->size < HEADER_SIZE) {
    found_byte(check, SUPPLEI_CODE_GLB_UNEXPECTED_END_OF_HEADER, check->size,
               "the file ends within the header of the GLB");
    return;
  }
  uint32_t version = read_u32(check->data + 4);
  if (version != 2) {
    found_byte(check, SUPPLEI_CODE_GLB_INVALID_VERSION, 4, "GLB version %u; it must be 2",
               (unsigned)version);
    return;
  }
  glb_walk walk = {.length = read_u32(check->data + 8)};
  if (walk.length <= HEADER_SIZE)
    found_byte(check, SUPPLEI_CODE_GLB_LENGTH_TOO_SMALL, 8, "the GLB says it has %u bytes",
               (unsigned)walk.length);
  walk_chunks(check, &walk, json);
}

/* ---- JSON ---- */

static void check_json(supplei_check *check, supplei_check_text *json) {
  const supple_limits *limits = &check->options->load.limits;
  supplei_json_limits json_limits = {limits->json_values ? limits->json_values : 10000000,
                                     limits->json_depth ? limits->json_depth : 1000, json->offset};
  supplei_json parsed;
  supple_error error = {0};
  supple_result result = supplei_json_parse(&parsed, json->text, json->length, &json_limits,
                                            &check->allocator, &error);
  if (result == SUPPLE_ERROR_MEMORY) {
    check->result = result;
  } else if (result) {
    supplei_check_found(check, SUPPLEI_CODE_INVALID_JSON, "", (supplei_extent){1, (double)NAN},
                        "%s", error.message);
  } else {
    json->sound = parsed.nodes[0].type == SUPPLEI_JSON_OBJECT;
    if (!json->sound)
      supplei_check_found(check, SUPPLEI_CODE_TYPE_MISMATCH, "", (supplei_extent){1, (double)NAN},
                          "the JSON of a glTF asset must be an object");
    supplei_json_release(&parsed);
  }
}

void supplei_check_container(supplei_check *check, supplei_check_text *json) {
  *json = (supplei_check_text){0};
  if (supplei_glb_is(check->data, check->size)) {
    check_glb(check, json);
  } else if (check->size && check->data[0] == 'g') {
    found_byte(check, SUPPLEI_CODE_GLB_INVALID_MAGIC, 0,
               "starts like a GLB, but not with the four letters glTF");
  } else {
    json->text = (const char *)check->data;
    json->length = check->size;
  }
  if (check->document || !json->text) {
    json->sound = check->document != NULL;
  } else {
    size_t padding = 0;
    while (json->offset && padding < json->length && !json->text[json->length - 1 - padding])
      padding++;
    json->length -= padding;
    check_json(check, json);
    json->length += padding;
  }
  if (json->offset && json->length && !json->text[json->length - 1])
    supplei_check_found(check, SUPPLEI_CODE_INVALID_JSON, "", (supplei_extent){1, (double)NAN},
                        "the JSON chunk is padded with NUL; it must be padded with spaces");
  while (json->offset && json->length && !json->text[json->length - 1]) json->length--;
}
