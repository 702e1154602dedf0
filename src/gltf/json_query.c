/* json_query.c: reading values out of the JSON tree. */
#include "../base/prologue.h"

#include "decimal.h"
#include "json.h"
#include "json_text.h"

#include <stdio.h>
#include <string.h>

/* The decoded text of a span into out[length]; returns its bytes. */
static size_t decode(const char *text, size_t length, bool escaped, char *out) {
  if (!escaped) {
    if (length) memcpy(out, text, length);
    return length;
  }
  size_t written = 0;
  for (size_t i = 0; i < length;) {
    const char *backslash = memchr(text + i, '\\', length - i);
    size_t plain = backslash ? (size_t)(backslash - text) - i : length - i;
    memmove(out + written, text + i, plain);
    written += plain, i += plain;
    if (!backslash) break;
    uint32_t code = 0;
    size_t n = supplei_json_escape((const unsigned char *)text + i, length - i, &code);
    written += supplei_utf8_write(code, out + written);
    i += n ? n : 1; /* escapes were checked while parsing */
  }
  return written;
}

/* How many characters of `text`, which is plain ASCII, a span starts with; *whole: it has no
 * more. */
static size_t common_length(const char *span, size_t span_length, const char *text, bool *whole) {
  size_t at = 0, i = 0;
  while (i < span_length && text[at]) {
    uint32_t code = (unsigned char)span[i];
    size_t n = 1;
    if (span[i] == '\\')
      n = supplei_json_escape((const unsigned char *)span + i, span_length - i, &code);
    if (!n || code != (unsigned char)text[at]) break;
    at++;
    i += n;
  }
  *whole = i == span_length;
  return at;
}

/* Whether a span means `text`. */
static bool span_equals(const char *span, size_t span_length, bool escaped, const char *text,
                        size_t length) {
  if (!escaped) return span_length == length && memcmp(span, text, length) == 0;
  bool whole;
  return common_length(span, span_length, text, &whole) == length && whole;
}

uint32_t supplei_json_member(const supplei_json *json, uint32_t object, const char *key) {
  const supplei_json_node *nodes = json->nodes;
  if (nodes[object].type != SUPPLEI_JSON_OBJECT) return SUPPLE_NONE;
  size_t length = strlen(key);
  uint32_t child = object + 1;
  for (uint32_t i = 0; i < nodes[object].count; i++, child = nodes[child].next)
    if (span_equals(json->text + nodes[child].key, nodes[child].key_length,
                    nodes[child].key_escaped, key, length))
      return child;
  return SUPPLE_NONE;
}

bool supplei_json_key_starts(const supplei_json *json, uint32_t node, const char *prefix) {
  const supplei_json_node *n = &json->nodes[node];
  bool whole;
  return common_length(json->text + n->key, n->key_length, prefix, &whole) == strlen(prefix);
}

bool supplei_json_equals(const supplei_json *json, uint32_t node, const char *text) {
  const supplei_json_node *n = &json->nodes[node];
  return n->type == SUPPLEI_JSON_STRING &&
         span_equals(json->text + n->begin, n->length, n->escaped, text, strlen(text));
}

bool supplei_json_number(const supplei_json *json, uint32_t node, double *value) {
  const supplei_json_node *n = &json->nodes[node];
  if (n->type != SUPPLEI_JSON_NUMBER) return false;
  *value = supplei_decimal_to_double(json->text + n->begin, n->length);
  return true;
}

bool supplei_json_unsigned(const supplei_json *json, uint32_t node, uint64_t largest,
                           uint64_t *value) {
  const supplei_json_node *n = &json->nodes[node];
  if (n->type != SUPPLEI_JSON_NUMBER) return false;
  const char *text = json->text + n->begin;
  uint64_t whole = 0;
  size_t i = 0;
  for (; i < n->length && i < 16 && text[i] >= '0' && text[i] <= '9'; i++)
    whole = whole * 10 + (uint64_t)(text[i] - '0');
  if (i < n->length) { /* a sign, a fraction, an exponent, or too many digits to be in range */
    double number = supplei_decimal_to_double(text, n->length);
    if (!(number >= 0 && number <= 9007199254740992.0)) return false;
    whole = (uint64_t)number;
    if ((double)whole != number) return false;
  }
  if (whole > largest) return false;
  *value = whole;
  return true;
}

size_t supplei_json_string(const supplei_json *json, uint32_t node, char *out) {
  const supplei_json_node *n = &json->nodes[node];
  return n->type == SUPPLEI_JSON_STRING ? decode(json->text + n->begin, n->length, n->escaped, out)
                                        : 0;
}

/* ---- pointers ---- */

typedef struct writer {
  char *out;
  size_t size, used;
} writer;

static void put(writer *w, char c) {
  if (w->used + 1 < w->size) w->out[w->used++] = c;
}

static void put_key(writer *w, const supplei_json *json, const supplei_json_node *node) {
  const char *text = json->text + node->key;
  for (size_t i = 0; i < node->key_length && w->used + 1 < w->size;) {
    char bytes[4] = {text[i]};
    size_t n = 1, count = 1;
    uint32_t code = 0;
    if (text[i] == '\\' &&
        (n = supplei_json_escape((const unsigned char *)text + i, node->key_length - i, &code)))
      count = supplei_utf8_write(code, bytes);
    for (size_t k = 0; k < count; k++) {
      if (bytes[k] == '~' || bytes[k] == '/')
        put(w, '~'), put(w, bytes[k] == '~' ? '0' : '1');
      else
        put(w, bytes[k]);
    }
    i += n ? n : 1;
  }
}

void supplei_json_pointer(const supplei_json *json, uint32_t node, char *out, size_t size) {
  writer w = {.out = out, .size = size};
  uint32_t at = 0;
  while (node != at && node < json->count) {
    const supplei_json_node *container = &json->nodes[at];
    bool object = container->type == SUPPLEI_JSON_OBJECT;
    uint32_t child = at + 1, index = 0;
    while (json->nodes[child].next <= node) child = json->nodes[child].next, index++;
    put(&w, '/');
    if (object) {
      put_key(&w, json, &json->nodes[child]);
    } else {
      char digits[16];
      snprintf(digits, sizeof digits, "%u", (unsigned)index);
      for (const char *d = digits; *d; d++) put(&w, *d);
    }
    at = child;
  }
  if (size) out[w.used] = 0;
}
