/* error.c: results as text, errors as one sentence. */
#include "prologue.h"

#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *supple_version(void) { return SUPPLE_VERSION_TEXT; }

const char *supple_result_text(supple_result result) {
  switch (result) {
  case SUPPLE_OK: return "success";
  case SUPPLE_ERROR_ARGUMENT: return "wrong argument";
  case SUPPLE_ERROR_MEMORY: return "out of memory";
  case SUPPLE_ERROR_FILE: return "file cannot be read or written";
  case SUPPLE_ERROR_FORMAT: return "data breaks a rule of its format";
  case SUPPLE_ERROR_LIMIT: return "a limit was met";
  case SUPPLE_ERROR_UNSUPPORTED: return "not supported by this build";
  case SUPPLE_ERROR_NUMBER: return "a number is not finite";
  }
  return "unknown result";
}

/* Length of the valid UTF-8 sequence at s (`left` bytes remain), 0 where it is invalid. */
static size_t utf8_length(const unsigned char *s, size_t left) {
  size_t n = s[0] < 0x80                   ? 1
             : s[0] >= 0xC2 && s[0] < 0xE0 ? 2
             : (s[0] & 0xF0) == 0xE0       ? 3
             : s[0] >= 0xF0 && s[0] < 0xF5 ? 4
                                           : 0;
  if (!n || n > left) return 0;
  for (size_t i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  if (n == 3 && ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] >= 0xA0))) return 0;
  if (n == 4 && ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] >= 0x90))) return 0;
  return n;
}

/* Makes text fit for a terminal: no control characters, no broken UTF-8, cut only between characters. */
static void clean(char *text) {
  size_t length = strlen(text), out = 0;
  for (size_t i = 0; i < length;) {
    size_t n = utf8_length((const unsigned char *)text + i, length - i);
    bool control = n == 1 && ((unsigned char)text[i] < 0x20 || text[i] == 0x7F);
    if (n == 2 && (unsigned char)text[i] == 0xC2 && (unsigned char)text[i + 1] < 0xA0)
      control = true;
    if (n == 0 || control) {
      text[out++] = '?';
      i += n ? n : 1;
    } else {
      memmove(text + out, text + i, n);
      out += n, i += n;
    }
  }
  text[out] = 0;
}

/* Drops the part of a character that a full buffer left at the end of its text. */
static void cut_whole(char *text, size_t capacity) {
  size_t length = strlen(text), begin = length;
  if (length + 1 < capacity) return;
  while (begin > 0 && length - begin < 3 && ((unsigned char)text[begin - 1] & 0xC0) == 0x80)
    begin--;
  if (begin == 0 || (unsigned char)text[begin - 1] < 0xC0) return;
  begin--;
  unsigned char lead = (unsigned char)text[begin];
  size_t whole = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (length - begin < whole) text[begin] = 0;
}

supple_result supplei_fail(supple_error *error, supple_result result, const char *pointer,
                           size_t offset, const char *format, ...) {
  if (!error) return result;
  memset(error, 0, sizeof *error);
  error->result = result;
  error->offset = offset;
  if (pointer) snprintf(error->pointer, sizeof error->pointer, "%s", pointer);
  cut_whole(error->pointer, sizeof error->pointer);
  clean(error->pointer);
  size_t used = 0;
  if (error->pointer[0])
    used = (size_t)snprintf(error->message, sizeof error->message, "%s: ", error->pointer);
  else if (offset != SIZE_MAX)
    used = (size_t)snprintf(error->message, sizeof error->message, "byte %zu: ", offset);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->message + used, sizeof error->message - used, format, arguments);
  va_end(arguments);
  cut_whole(error->message, sizeof error->message);
  clean(error->message);
  return result;
}

supple_result supplei_fail_memory(supple_error *error, size_t bytes, const char *what) {
  return supplei_fail(error, SUPPLE_ERROR_MEMORY, NULL, SIZE_MAX,
                      "out of memory (%zu bytes for %s)", bytes, what);
}
