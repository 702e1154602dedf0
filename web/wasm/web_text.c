/* web_text.c: see web_text.h. */
#include "web_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(web_text *text, const char *bytes, size_t size) {
  if (text->failed) return;
  if (text->capacity - text->length <= size) {
    const size_t capacity = text->capacity * 2 + size + 256;
    char *data = realloc(text->data, capacity);
    if (!data) {
      text->failed = true;
      return;
    }
    text->data = data;
    text->capacity = capacity;
  }
  memcpy(text->data + text->length, bytes, size);
  text->length += size;
}

static void put_text(web_text *text, const char *bytes) { put(text, bytes, strlen(bytes)); }

/* Length of the valid UTF-8 sequence at s, 0 where it is none. */
static size_t sequence(const unsigned char *s) {
  if (s[0] < 0x80) return 1;
  const size_t length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
  if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
  for (size_t i = 1; i < length; i++)
    if ((s[i] & 0xc0) != 0x80) return 0;
  if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
      (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
    return 0;
  return length;
}

static void put_quoted(web_text *text, const char *value) {
  put_text(text, "\"");
  for (const unsigned char *s = (const unsigned char *)value; *s;) {
    const size_t length = sequence(s);
    if (!length) {
      put_text(text, "\xef\xbf\xbd");
      s++;
    } else if (*s < 0x20 || *s == '"' || *s == '\\') {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", *s);
      put_text(text, escape);
      s++;
    } else {
      put(text, (const char *)s, length);
      s += length;
    }
  }
  put_text(text, "\"");
}

static void begin(web_text *text, const char *key) {
  if (text->comma) put_text(text, ",");
  text->comma = true;
  if (!key) return;
  put_quoted(text, key);
  put_text(text, ":");
}

void web_object(web_text *text, const char *key) {
  begin(text, key);
  put_text(text, "{");
  text->comma = false;
}

void web_array(web_text *text, const char *key) {
  begin(text, key);
  put_text(text, "[");
  text->comma = false;
}

void web_end(web_text *text, char bracket) {
  put(text, &bracket, 1);
  text->comma = true;
}

void web_string(web_text *text, const char *key, const char *value) {
  begin(text, key);
  put_quoted(text, value ? value : "");
}

void web_number(web_text *text, const char *key, double value) {
  char digits[32];
  begin(text, key);
  if (!isfinite(value)) {
    put_text(text, "null");
    return;
  }
  snprintf(digits, sizeof digits, "%.17g", value);
  put_text(text, digits);
}

void web_index(web_text *text, const char *key, uint32_t value) {
  if (value == UINT32_MAX)
    web_number(text, key, NAN);
  else
    web_number(text, key, value);
}

void web_pointer(web_text *text, const char *key, const void *value) {
  web_number(text, key, (double)(uintptr_t)value);
}

void web_bool(web_text *text, const char *key, bool value) {
  begin(text, key);
  put_text(text, value ? "true" : "false");
}

char *web_finish(web_text *text) {
  put(text, "", 1);
  if (!text->failed) return text->data;
  free(text->data);
  return NULL;
}
