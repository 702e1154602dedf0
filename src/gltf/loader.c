/* loader.c: messages, memory and properties for the parts of the glTF reader. */
#include "../base/prologue.h"

#include "loader.h"

#include "json_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POINTER_SIZE = 192, TEXT_SIZE = 400 };

/* ---- messages ---- */

static supple_result fail_text(supplei_loader *loader, uint32_t node, supple_result result,
                               const char *text) {
  char pointer[POINTER_SIZE] = "";
  if (node != SUPPLE_NONE) supplei_json_pointer(&loader->json, node, pointer, sizeof pointer);
  return supplei_fail(loader->error, result, pointer, SIZE_MAX, "%s", text);
}

supple_result supplei_loader_fail(supplei_loader *loader, uint32_t node, supple_result result,
                                  const char *format, ...) {
  char text[TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return fail_text(loader, node, result, text);
}

#undef supplei_loader_wrong
supple_result supplei_loader_wrong(supplei_loader *loader, uint32_t node, const char *format, ...) {
  char text[TEXT_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return fail_text(loader, node, SUPPLE_ERROR_FORMAT, text);
}

static supplei_note_kind *kind_of(supplei_loader *loader, const char *format) {
  supplei_note_kind *kinds = loader->note_kinds;
  for (uint32_t i = 0; i < SUPPLEI_NOTE_KINDS; i++) {
    if (!kinds[i].format) kinds[i].format = format;
    if (kinds[i].format == format) return &kinds[i];
  }
  return NULL;
}

static const char *copy_text(supplei_loader *loader, const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = supplei_loader_allocate(loader, size, 1, "a note");
  return copy ? memcpy(copy, text, size) : NULL;
}

static void add_note(supplei_loader *loader, const char *pointer, const char *text) {
  if (!loader->notes)
    loader->notes =
        supplei_loader_allocate(loader, SUPPLEI_NOTE_LIMIT, sizeof *loader->notes, "the notes");
  supple_note note = {0};
  if (loader->notes) note.pointer = copy_text(loader, pointer);
  if (note.pointer) note.text = copy_text(loader, text);
  if (note.text)
    loader->notes[loader->note_count++] = note;
  else
    loader->note_lost = true;
}

void supplei_loader_note(supplei_loader *loader, uint32_t node, const char *format, ...) {
  supplei_note_kind *kind = kind_of(loader, format);
  if (!kind || kind->count++ >= SUPPLEI_NOTES_PER_KIND) return;
  if (loader->note_count + SUPPLEI_NOTE_KINDS >= SUPPLEI_NOTE_LIMIT) return;
  char pointer[POINTER_SIZE] = "", text[TEXT_SIZE];
  if (node != SUPPLE_NONE) supplei_json_pointer(&loader->json, node, pointer, sizeof pointer);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  add_note(loader, pointer, text);
}

/* The start of a format up to its first conversion, to say what kind of note was left out. */
static void say_how_many_more(supplei_loader *loader, const supplei_note_kind *kind) {
  char text[TEXT_SIZE];
  snprintf(text, sizeof text, "%u more notes like \"%.*s…\"",
           (unsigned)(kind->count - SUPPLEI_NOTES_PER_KIND), (int)strcspn(kind->format, "%"),
           kind->format);
  add_note(loader, "", text);
}

supple_result supplei_loader_finish_notes(supplei_loader *loader) {
  for (uint32_t i = 0; i < SUPPLEI_NOTE_KINDS && loader->note_kinds[i].format; i++)
    if (loader->note_kinds[i].count > SUPPLEI_NOTES_PER_KIND)
      say_how_many_more(loader, &loader->note_kinds[i]);
  loader->asset->notes = loader->notes;
  loader->asset->note_count = loader->note_count;
  return loader->note_lost ? supplei_loader_memory_result(loader) : SUPPLE_OK;
}

/* ---- memory ---- */

static void *allocate(supplei_loader *loader, supplei_arena *arena, size_t count, size_t size,
                      const char *what) {
  void *memory = supplei_arena_allocate(arena, count, size);
  if (memory) return memory;
  size_t bytes = size && count > SIZE_MAX / size ? SIZE_MAX : count * size;
  if (arena->limit_met)
    supplei_fail(
        loader->error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
        "the asset needs more memory than limits.memory_bytes allows (%zu; %zu more for %s)",
        arena->limit, bytes, what);
  else
    supplei_fail_memory(loader->error, bytes, what);
  return NULL;
}

void *supplei_loader_allocate(supplei_loader *loader, size_t count, size_t size, const char *what) {
  return allocate(loader, &loader->arena, count, size, what);
}

void *supplei_loader_scratch(supplei_loader *loader, size_t count, size_t size, const char *what) {
  return allocate(loader, &loader->scratch, count, size, what);
}

void *supplei_loader_unpacked(supplei_loader *loader, uint32_t node, uint64_t count, size_t size,
                              const char *what) {
  const size_t limit = loader->limits.memory_bytes, used = loader->arena.total;
  size_t left = used < limit ? limit - used : 0;
  left = loader->unpacked_bytes < left ? left - loader->unpacked_bytes : 0;
  if (count > left / size) {
    supplei_loader_fail(loader, node, SUPPLE_ERROR_LIMIT,
                        "%s of %llu elements of %zu bytes, decompressed, takes more than "
                        "limits.memory_bytes leaves (%zu)",
                        what, (unsigned long long)count, size, left);
    return NULL;
  }
  void *memory = supplei_loader_scratch(loader, (size_t)count, size, what);
  if (memory) loader->unpacked_bytes += (size_t)count * size;
  return memory;
}

/* ---- properties ---- */

static const char *type_name(supplei_json_type type) {
  switch (type) {
  case SUPPLEI_JSON_NUMBER: return "a number";
  case SUPPLEI_JSON_STRING: return "a string";
  case SUPPLEI_JSON_ARRAY: return "an array";
  case SUPPLEI_JSON_OBJECT: return "an object";
  case SUPPLEI_JSON_NULL:
  case SUPPLEI_JSON_FALSE:
  case SUPPLEI_JSON_TRUE: break;
  }
  return "true or false";
}

supple_result supplei_get(supplei_loader *loader, uint32_t object, const char *key,
                          supplei_json_type type, uint32_t *out) {
  *out = supplei_json_member(&loader->json, object, key);
  if (*out == SUPPLE_NONE || supplei_node(loader, *out)->type == type) return SUPPLE_OK;
  return supplei_loader_wrong(loader, *out, "must be %s", type_name(type));
}

supple_result supplei_require(supplei_loader *loader, uint32_t object, const char *key,
                              supplei_json_type type, uint32_t *out) {
  supple_result result = supplei_get(loader, object, key, type, out);
  if (result || *out != SUPPLE_NONE) return result;
  char pointer[POINTER_SIZE];
  supplei_json_pointer(&loader->json, object, pointer, sizeof pointer);
  size_t used = strlen(pointer);
  snprintf(pointer + used, sizeof pointer - used, "/%s", key);
  return supplei_fail(loader->error, SUPPLE_ERROR_FORMAT, pointer, SIZE_MAX, "is missing");
}

supple_result supplei_read_index(supplei_loader *loader, uint32_t node, uint32_t count,
                                 const char *what, uint32_t *out) {
  uint64_t value;
  if (!supplei_json_unsigned(&loader->json, node, UINT64_C(1) << 53, &value))
    return supplei_loader_wrong(loader, node, "must be an index (an integer, 0 or more)");
  if (value >= count)
    return supplei_loader_wrong(loader, node, "index %llu, but there are only %u %s",
                                (unsigned long long)value, (unsigned)count, what);
  *out = (uint32_t)value;
  return SUPPLE_OK;
}

supple_result supplei_get_index(supplei_loader *loader, uint32_t object, const char *key,
                                uint32_t count, const char *what, uint32_t *out) {
  uint32_t node = supplei_json_member(&loader->json, object, key);
  return node == SUPPLE_NONE ? SUPPLE_OK : supplei_read_index(loader, node, count, what, out);
}

supple_result supplei_get_unsigned(supplei_loader *loader, uint32_t object, const char *key,
                                   uint64_t smallest, uint64_t largest, uint64_t *out) {
  uint32_t node = supplei_json_member(&loader->json, object, key);
  if (node == SUPPLE_NONE) return SUPPLE_OK;
  uint64_t value = 0;
  if (!supplei_json_unsigned(&loader->json, node, largest, &value) || value < smallest)
    return supplei_loader_wrong(loader, node, "must be an integer from %llu to %llu",
                                (unsigned long long)smallest, (unsigned long long)largest);
  *out = value;
  return SUPPLE_OK;
}

supple_result supplei_get_bool(supplei_loader *loader, uint32_t object, const char *key, bool *out) {
  uint32_t node = supplei_json_member(&loader->json, object, key);
  if (node == SUPPLE_NONE) return SUPPLE_OK;
  uint8_t type = supplei_node(loader, node)->type;
  if (type != SUPPLEI_JSON_TRUE && type != SUPPLEI_JSON_FALSE)
    return supplei_loader_wrong(loader, node, "must be %s", type_name(SUPPLEI_JSON_TRUE));
  *out = type == SUPPLEI_JSON_TRUE;
  return SUPPLE_OK;
}

supple_result supplei_read_number(supplei_loader *loader, uint32_t node, double *out) {
  if (!supplei_json_number(&loader->json, node, out))
    return supplei_loader_wrong(loader, node, "must be %s", type_name(SUPPLEI_JSON_NUMBER));
  if (!isfinite(*out))
    return supplei_loader_fail(loader, node, SUPPLE_ERROR_NUMBER, "is too large for a number");
  return SUPPLE_OK;
}

supple_result supplei_get_numbers(supplei_loader *loader, uint32_t object, const char *key,
                                  double *out, uint32_t count, bool *present) {
  uint32_t array;
  supple_result result = supplei_get(loader, object, key, SUPPLEI_JSON_ARRAY, &array);
  if (present) *present = array != SUPPLE_NONE;
  if (result || array == SUPPLE_NONE) return result;
  if (supplei_node(loader, array)->count != count)
    return supplei_loader_wrong(loader, array, "has %u numbers instead of %u",
                                (unsigned)supplei_node(loader, array)->count, (unsigned)count);
  for (uint32_t i = 0; i < count && !result; i++) /* numbers are one node each */
    result = supplei_read_number(loader, array + 1 + i, out + i);
  return result;
}

supple_result supplei_get_floats(supplei_loader *loader, uint32_t object, const char *key,
                                 float *out, uint32_t count) {
  enum { MOST = 4 };
  double numbers[MOST];
  bool present = true;
  uint32_t node = supplei_json_member(&loader->json, object, key);
  if (node == SUPPLE_NONE || count > MOST) return SUPPLE_OK;
  supple_result result = count == 1
                             ? supplei_read_number(loader, node, numbers)
                             : supplei_get_numbers(loader, object, key, numbers, count, &present);
  for (uint32_t i = 0; i < count && !result; i++) {
    out[i] = (float)numbers[i];
    if (!isfinite(out[i]))
      result = supplei_loader_fail(loader, count == 1 ? node : node + 1 + i, SUPPLE_ERROR_NUMBER,
                                   "is too large for a number");
  }
  return result;
}

supple_result supplei_copy_string(supplei_loader *loader, uint32_t node, const char **out) {
  const supplei_json_node *n = supplei_node(loader, node);
  /* An escaped NUL has six bytes, its replacement three. */
  char *copy = supplei_loader_allocate(loader, (size_t)n->length + 1, 1, "a string");
  if (!copy) return supplei_loader_memory_result(loader);
  size_t length = supplei_json_string(&loader->json, node, copy), nuls = 0;
  for (size_t i = 0; i < length; i++) nuls += !copy[i];
  for (size_t i = length, to = length + 2 * nuls; nuls && i-- > 0;) {
    if (copy[i]) {
      copy[--to] = copy[i];
    } else {
      memcpy(copy + (to -= 3), "\xEF\xBF\xBD", 3);
      nuls--;
    }
  }
  *out = copy;
  return SUPPLE_OK;
}

supple_result supplei_get_string(supplei_loader *loader, uint32_t object, const char *key,
                                 const char **out) {
  uint32_t node;
  supple_result result = supplei_get(loader, object, key, SUPPLEI_JSON_STRING, &node);
  *out = "";
  return result || node == SUPPLE_NONE ? result : supplei_copy_string(loader, node, out);
}

uint32_t supplei_extension(const supplei_loader *loader, uint32_t object, const char *name) {
  uint32_t extensions = supplei_json_member(&loader->json, object, "extensions");
  return extensions == SUPPLE_NONE ? SUPPLE_NONE
                                   : supplei_json_member(&loader->json, extensions, name);
}
