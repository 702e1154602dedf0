/* json_text.c: UTF-8 and the escapes of JSON strings. */
#include "../base/prologue.h"

#include "json_text.h"

#include <string.h>

size_t supplei_utf8_length(const unsigned char *s, size_t left) {
  if (s[0] < 0x80) return 1;
  unsigned low = 0x80, high = 0xBF; /* the range of the second byte */
  size_t n;
  if (s[0] >= 0xC2 && s[0] <= 0xDF) {
    n = 2;
  } else if (s[0] >= 0xE0 && s[0] <= 0xEF) {
    n = 3;
    if (s[0] == 0xE0) low = 0xA0;
    if (s[0] == 0xED) high = 0x9F;
  } else if (s[0] >= 0xF0 && s[0] <= 0xF4) {
    n = 4;
    if (s[0] == 0xF0) low = 0x90;
    if (s[0] == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (n > left || s[1] < low || s[1] > high) return 0;
  for (size_t i = 2; i < n; i++)
    if ((s[i] & 0xC0) != 0x80) return 0;
  return n;
}

int supplei_hex_digit(unsigned char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* The four hex digits of a \u escape, -1 where they are not that. */
static int32_t hex_four(const unsigned char *s, size_t left) {
  if (left < 4) return -1;
  int32_t value = 0;
  for (int i = 0; i < 4; i++) {
    int digit = supplei_hex_digit(s[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

size_t supplei_json_escape(const unsigned char *s, size_t left, uint32_t *code) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  if (left < 2) return 0;
  if (s[1] != 'u') {
    const char *found = s[1] ? strchr(letters, s[1]) : NULL;
    if (!found) return 0;
    *code = (uint32_t)meanings[found - letters];
    return 2;
  }
  int32_t first = hex_four(s + 2, left - 2);
  if (first < 0) return 0;
  *code = (uint32_t)first;
  if (first < 0xD800 || first > 0xDFFF) return 6;
  if (first > 0xDBFF || left < 12 || s[6] != '\\' || s[7] != 'u') return 0;
  int32_t second = hex_four(s + 8, left - 8);
  if (second < 0xDC00 || second > 0xDFFF) return 0;
  *code = 0x10000 + ((uint32_t)(first - 0xD800) << 10) + (uint32_t)(second - 0xDC00);
  return 12;
}

size_t supplei_utf8_write(uint32_t code, char *out) {
  if (code < 0x80) {
    out[0] = (char)code;
    return 1;
  }
  size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = n - 1; i > 0; i--, code >>= 6) out[i] = (char)(0x80 | (code & 0x3F));
  out[0] = (char)((0xF00u >> n & 0xF0) | code);
  return n;
}
