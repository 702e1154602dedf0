/* uri.c: the URIs of glTF buffers: data URIs (RFC 2397), and which file names are safe (RFC
 * 3986). */
#include "../base/prologue.h"

#include "uri.h"

#include "../base/error.h"
#include "json_text.h"

#include <string.h>

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static bool starts_with(const char *text, size_t length, const char *start) {
  size_t n = strlen(start);
  if (length < n) return false;
  for (size_t i = 0; i < n; i++)
    if (lower(text[i]) != start[i]) return false;
  return true;
}

static supple_result malformed(supple_error *error, const char *what) {
  return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, SIZE_MAX, "%s", what);
}

/* ---- data URIs ---- */

bool supplei_uri_is_data(const char *uri, size_t length) {
  return starts_with(uri, length, "data:");
}

static int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* text holds whole groups of four but for the last, padding removed. */
static supple_result decode_base64(const char *text, size_t length, unsigned char *out,
                                   supple_error *error) {
  int digits[256];
  for (int c = 0; c < 256; c++) digits[c] = base64_digit((char)c);
  uint32_t bits = 0;
  for (size_t i = 0; i < length; i++) {
    int digit = digits[(unsigned char)text[i]];
    if (digit < 0)
      return supplei_fail(error, SUPPLE_ERROR_FORMAT, NULL, SIZE_MAX,
                          "byte 0x%02X in the base64 of a data URI (character %zu of it)",
                          (unsigned)(unsigned char)text[i], i);
    bits = bits << 6 | (uint32_t)digit;
    if (i % 4 == 1) *out++ = (unsigned char)(bits >> 4);
    if (i % 4 == 2) *out++ = (unsigned char)(bits >> 2);
    if (i % 4 == 3) *out++ = (unsigned char)bits;
  }
  uint32_t unused = length % 4 == 2 ? bits & 15 : length % 4 == 3 ? bits & 3 : 0;
  if (unused) return malformed(error, "the base64 of a data URI ends in bits that are not zero");
  return SUPPLE_OK;
}

supple_result supplei_uri_data(const char *uri, size_t length, unsigned char *out, size_t *size,
                               supple_error *error) {
  const char *comma = memchr(uri, ',', length);
  if (!comma) return malformed(error, "a data URI without ','");
  size_t head = (size_t)(comma - uri);
  if (head < 7 || !starts_with(comma - 7, 7, ";base64"))
    return malformed(error, "a data URI that is not base64");
  const char *text = comma + 1;
  size_t count = length - head - 1;
  if (count && count % 4 == 0) { /* '=' only where it completes the last group of four */
    if (text[count - 1] == '=') count--;
    if (text[count - 1] == '=' && count % 4 == 3) count--;
  }
  if (count % 4 == 1) return malformed(error, "the base64 of a data URI has a wrong length");
  *size = count / 4 * 3 + (count % 4 ? count % 4 - 1 : 0);
  return out ? decode_base64(text, count, out, error) : SUPPLE_OK;
}

/* ---- paths ---- */

static supple_result refuse(supple_error *error, const char *path, const char *why, bool can_allow) {
  return supplei_fail(error, SUPPLE_ERROR_FILE, NULL, SIZE_MAX,
                      "the file \"%.200s\" is refused: %s%s", path, why,
                      can_allow ? " (allow_outside_uris would allow it)" : "");
}

/* "scheme:", RFC 3986; a single letter is a drive instead. */
static bool has_scheme(const char *uri, size_t length) {
  size_t i = 0;
  for (; i < length; i++) {
    char c = lower(uri[i]);
    bool letter = c >= 'a' && c <= 'z';
    bool other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
    if (!letter && (!other || i == 0)) break;
  }
  return i > 1 && i < length && uri[i] == ':';
}

/* Whether a character may stand in a path unescaped; all beyond ASCII may (as IRIs do). */
static bool is_plain(char c) {
  return (unsigned char)c >= 0x80 || lower(c) != c || (c >= 'a' && c <= 'z') ||
         (c >= '0' && c <= '9') || (c && strchr("-._~!$&'()*+,;=:@/", c));
}

static supple_result percent_decode(const char *uri, size_t length, char *out, bool *raw,
                                    supple_error *error) {
  size_t used = 0;
  *raw = false;
  for (size_t i = 0; i < length; i++) {
    if (uri[i] != '%') {
      *raw |= !is_plain(uri[i]);
      out[used++] = uri[i];
      continue;
    }
    int high = i + 1 < length ? supplei_hex_digit((unsigned char)uri[i + 1]) : -1;
    int low = i + 2 < length ? supplei_hex_digit((unsigned char)uri[i + 2]) : -1;
    if (high < 0 || low < 0) return malformed(error, "'%' without two hex digits in a URI");
    out[used++] = (char)(high * 16 + low);
    i += 2;
  }
  out[used] = 0;
  for (size_t i = 0; i < used;) {
    if ((unsigned char)out[i] < 0x20 || out[i] == 0x7F)
      return refuse(error, out, "it has a NUL or control character", false);
    size_t n = supplei_utf8_length((const unsigned char *)out + i, used - i);
    if (!n) return refuse(error, out, "it is not UTF-8", false);
    i += n;
  }
  return used ? SUPPLE_OK : malformed(error, "an empty URI");
}

/* Only dots and spaces, at least two dots: Windows drops trailing spaces and dots. */
static bool is_parent(const char *segment, size_t length) {
  size_t dots = 0;
  for (size_t i = 0; i < length; i++) {
    if (segment[i] != '.' && segment[i] != ' ') return false;
    dots += segment[i] == '.';
  }
  return dots >= 2;
}

/* CON, NUL, COM1, … with any extension are devices on Windows. */
static bool is_device(const char *segment, size_t length) {
  size_t stem = 0;
  while (stem < length && segment[stem] != '.') stem++;
  while (stem && segment[stem - 1] == ' ') stem--;
  static const char *const names[] = {"con", "prn", "aux", "nul", "conin$", "conout$"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (stem == strlen(names[i]) && starts_with(segment, stem, names[i])) return true;
  return stem == 4 && (starts_with(segment, stem, "com") || starts_with(segment, stem, "lpt")) &&
         segment[3] >= '1' && segment[3] <= '9';
}

supple_result supplei_uri_path(const char *uri, size_t length, bool allow_outside, char *out,
                               bool *raw, supple_error *error) {
  supple_result result = percent_decode(uri, length, out, raw, error);
  if (result) return result;
  if (has_scheme(uri, length))
    return refuse(error, out, "only files can be read, and none fetched", false);
  if (starts_with(out, strlen(out), "//")) return refuse(error, out, "it names a host", false);
  if (allow_outside) return SUPPLE_OK;
  if (out[0] == '/') return refuse(error, out, "an absolute path", true);
  if (out[1] == ':') return refuse(error, out, "a drive letter", true);
  if (strchr(out, '\\')) return refuse(error, out, "it has a '\\'", true);
  if (strchr(out, ':')) return refuse(error, out, "it has a ':'", true);
  for (const char *segment = out; segment; segment = strchr(segment, '/')) {
    segment += *segment == '/';
    size_t n = strcspn(segment, "/");
    if (is_parent(segment, n)) return refuse(error, out, "it leaves the folder of the asset", true);
    if (is_device(segment, n)) return refuse(error, out, "a device name on Windows", true);
    if (!segment[n]) break;
  }
  return SUPPLE_OK;
}
