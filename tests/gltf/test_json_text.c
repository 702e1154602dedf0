/* test_json_text.c: UTF-8 of every character, everything that is not UTF-8, and escapes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "src/gltf/json_text.h"

static size_t length_of(const char *text, size_t left) {
  return supplei_utf8_length((const unsigned char *)text, left);
}

static void every_character_comes_back(void **state) {
  (void)state;
  for (uint32_t code = 1; code <= 0x10FFFF; code++) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    char out[4];
    size_t n = supplei_utf8_write(code, out);
    size_t wanted = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (n != wanted || length_of(out, n) != n) fail_msg("U+%04X", (unsigned)code);
    for (size_t cut = 1; cut < n; cut++) assert_int_equal(length_of(out, cut), 0);
    uint32_t back = n == 1 ? (unsigned char)out[0] : (unsigned char)out[0] & (0x7Fu >> n);
    for (size_t i = 1; i < n; i++) back = back << 6 | ((unsigned char)out[i] & 0x3F);
    assert_int_equal(back, code);
  }
}

static void what_is_not_utf8(void **state) {
  (void)state;
  static const char *const wrong[] = {"\x80",
                                      "\xBF",
                                      "\xC0\x80",
                                      "\xC1\xBF",
                                      "\xC2\x41",
                                      "\xE0\x80\x80",
                                      "\xE0\x9F\xBF", /* overlong */
                                      "\xED\xA0\x80",
                                      "\xED\xBF\xBF", /* surrogates */
                                      "\xF0\x80\x80\x80",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xE2\x82\x41",
                                      "\xF0\x9F\x98\x41",
                                      "\xFE",
                                      "\xFF"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    assert_int_equal(length_of(wrong[i], strlen(wrong[i])), 0);
}

/* What the escape means, or -1; it must take all of the text. */
static long escape(const char *text) {
  uint32_t code = 0;
  size_t n = supplei_json_escape((const unsigned char *)text, strlen(text), &code);
  return n == strlen(text) ? (long)code : -1;
}

static void escapes(void **state) {
  (void)state;
  assert_int_equal(escape("\\n"), '\n');
  assert_int_equal(escape("\\b"), '\b');
  assert_int_equal(escape("\\f"), '\f');
  assert_int_equal(escape("\\r"), '\r');
  assert_int_equal(escape("\\t"), '\t');
  assert_int_equal(escape("\\/"), '/');
  assert_int_equal(escape("\\\\"), '\\');
  assert_int_equal(escape("\\\""), '"');
  assert_int_equal(escape("\\u0000"), 0);
  assert_int_equal(escape("\\u00e9"), 0xE9);
  assert_int_equal(escape("\\uFfFe"), 0xFFFE);
  assert_int_equal(escape("\\uD834\\uDD1E"), 0x1D11E);
  assert_int_equal(escape("\\uDBFF\\uDFFF"), 0x10FFFF);
  static const char *const wrong[] = {
      "\\",           "\\a",     "\\'",     "\\u12",          "\\u12g4",
      "\\x41",        "\\ud834", "\\udd1e", "\\ud834\\u0041", "\\ud834\\ud834",
      "\\ud834xdd1e", "\\U0041"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_int_equal(escape(wrong[i]), -1);
}

static void hex_digits(void **state) {
  (void)state;
  for (int c = 0; c < 256; c++) {
    const char *all = "0123456789abcdefABCDEF", *at = c ? strchr(all, c) : NULL;
    int wanted = !at ? -1 : at - all < 16 ? (int)(at - all) : (int)(at - all) - 6;
    assert_int_equal(supplei_hex_digit((unsigned char)c), wanted);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_character_comes_back),
                                     cmocka_unit_test(what_is_not_utf8), cmocka_unit_test(escapes),
                                     cmocka_unit_test(hex_digits)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
