/* test_uri.c: base64 of every length, and which paths are refused. */
#include "asset_text.h"

#include "src/gltf/uri.h"

static supple_error error;

/* RFC 4648, written the slow way. */
static void encode(const unsigned char *data, size_t size, bool padded, char *out) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t bit = 0; bit < 8 * size; bit += 6) {
    unsigned digit = 0;
    for (size_t k = bit; k < bit + 6; k++)
      digit = digit * 2 + (k < 8 * size ? (unsigned)data[k / 8] >> (7 - k % 8) & 1u : 0u);
    *out++ = letters[digit];
  }
  for (size_t i = 0; padded && (size + i) % 3; i++) *out++ = '=';
  *out = 0;
}

static void base64_of_every_length(void **state) {
  (void)state;
  for (size_t size = 0; size < 70; size++) {
    for (int padded = 0; padded < 2; padded++) {
      unsigned char data[70], *out = malloc(size + 1);
      char uri[200] = "data:application/octet-stream;base64,";
      for (size_t i = 0; i < size; i++) data[i] = (unsigned char)(i * 37 + size * 11);
      encode(data, size, padded, uri + strlen(uri));
      size_t got = 99;
      assert_true(supplei_uri_is_data(uri, strlen(uri)));
      assert_int_equal(supplei_uri_data(uri, strlen(uri), NULL, &got, &error), SUPPLE_OK);
      assert_int_equal(got, size);
      out[size] = 0x77;
      assert_int_equal(supplei_uri_data(uri, strlen(uri), out, &got, &error), SUPPLE_OK);
      assert_memory_equal(out, data, size);
      assert_int_equal(out[size], 0x77);
      free(out);
    }
  }
}

static void other_data_uris(void **state) {
  (void)state;
  static const char *const right[] = {"data:;base64,AAAA", "DATA:;BASE64,AAAA",
                                      "data:image/png;charset=x;base64,AAAA", "data:;base64,",
                                      "data:;base64,/+8="};
  static const char *const wrong[] = {
      "data:;base64",       "data:,AAAA",         "data:base64,AAAA",      "data:;base64,A",
      "data:;base64,AAAAA", "data:;base64,AA=A",  "data:;base64,AAA=AAAA", "data:;base64,A===",
      "data:;base64,====",  "data:;base64,AA==A", "data:;base64,AA=",      "data:;base64,AAA==",
      "data:;base64,AA-_",  "data:;base64,AA A",  "data:;base64,AAA\n",    "data:;base64,AB==",
      "data:;base64,AAB=",  "data:;base64,A%41A"};
  unsigned char out[64];
  size_t size;
  for (size_t i = 0; i < sizeof right / sizeof *right; i++)
    if (supplei_uri_data(right[i], strlen(right[i]), out, &size, &error))
      fail_msg("%s: %s", right[i], error.message);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    if (supplei_uri_data(wrong[i], strlen(wrong[i]), out, &size, &error) != SUPPLE_ERROR_FORMAT)
      fail_msg("accepted %s", wrong[i]);
  assert_false(supplei_uri_is_data("dat", 3) || supplei_uri_is_data("x.data:", 7));
}

static void plain_paths(void **state) {
  (void)state;
  static const struct {
    const char *uri, *path;
    bool raw;
  } cases[] = {{"a.bin", "a.bin", false},
               {"AZaz09/@.bin", "AZaz09/@.bin", false},
               {"sub/a-b_c~1.bin", "sub/a-b_c~1.bin", false},
               {"./a", "./a", false},
               {"a%20b.bin", "a b.bin", false},
               {"a b.bin", "a b.bin", true},
               {"%C3%A9.bin", "\xC3\xA9.bin", false},
               {"\xC3\xA9.bin", "\xC3\xA9.bin", false},
               {"%41%2f%42", "A/B", false},
               {"a..b", "a..b", false},
               {"...a", "...a", false},
               {"a?b", "a?b", true},
               {"a#b", "a#b", true},
               {"a//b", "a//b", false},
               {"console.bin", "console.bin", false},
               {"com.bin", "com.bin", false},
               {"com0", "com0", false},
               {"100%25.bin", "100%.bin", false},
               {"dir/", "dir/", false},
               {"a\"b", "a\"b", true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *path = malloc(strlen(cases[i].uri) + 1);
    bool raw;
    if (supplei_uri_path(cases[i].uri, strlen(cases[i].uri), false, path, &raw, &error))
      fail_msg("%s: %s", cases[i].uri, error.message);
    assert_string_equal(path, cases[i].path);
    assert_int_equal(raw, cases[i].raw);
    free(path);
  }
}

static void refused_unless_allowed(void **state) {
  (void)state;
  static const char *const uris[] = {
      "/etc/passwd", "%2Fetc",          "../a",   "a/../b", "a/..",         "..",    "%2e%2e/a",
      "a/%2E./b",    "..%2fa",          ".. /a",  ".../a",  "a/. .",        "a\\b",  "..\\a",
      "%5c%5chost",  "\\\\host\\share", "C:%5Cx", "c:/x",   "dir/a:stream", "CON",   "con.bin",
      "sub/NUL",     "sub/nul.tar.gz",  "aux /x", "COM1",   "lpt9.txt",     "CONIN$"};
  for (size_t i = 0; i < sizeof uris / sizeof *uris; i++) {
    char path[64];
    bool raw;
    if (supplei_uri_path(uris[i], strlen(uris[i]), false, path, &raw, &error) != SUPPLE_ERROR_FILE)
      fail_msg("accepted %s", uris[i]);
    assert_non_null(strstr(error.message, "refused"));
    if (!strstr(error.message, "allow_outside_uris")) fail_msg("%s: %s", uris[i], error.message);
    assert_int_equal(supplei_uri_path(uris[i], strlen(uris[i]), true, path, &raw, &error),
                     SUPPLE_OK);
  }
}

static void always_refused(void **state) {
  (void)state;
  static const struct {
    const char *uri;
    supple_result result;
  } cases[] = {{"http://host/a", SUPPLE_ERROR_FILE},
               {"HTTPS://host/a", SUPPLE_ERROR_FILE},
               {"file:///etc/passwd", SUPPLE_ERROR_FILE},
               {"blob:abc", SUPPLE_ERROR_FILE},
               {"x-y+z.1:abc", SUPPLE_ERROR_FILE},
               {"//host/share", SUPPLE_ERROR_FILE},
               {"a%00.bin", SUPPLE_ERROR_FILE},
               {"a%0a", SUPPLE_ERROR_FILE},
               {"a\tb", SUPPLE_ERROR_FILE},
               {"a%7F", SUPPLE_ERROR_FILE},
               {"%FF", SUPPLE_ERROR_FILE},
               {"%C0%AE%C0%AE/a", SUPPLE_ERROR_FILE},
               {"", SUPPLE_ERROR_FORMAT},
               {"a%", SUPPLE_ERROR_FORMAT},
               {"a%2", SUPPLE_ERROR_FORMAT},
               {"a%zz", SUPPLE_ERROR_FORMAT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (int allow = 0; allow < 2; allow++) {
      char path[64];
      bool raw;
      supple_result result =
          supplei_uri_path(cases[i].uri, strlen(cases[i].uri), allow, path, &raw, &error);
      if (result != cases[i].result) fail_msg("%s: %d", cases[i].uri, (int)result);
      assert_null(strstr(error.message, "allow_outside_uris"));
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(base64_of_every_length), cmocka_unit_test(other_data_uris),
      cmocka_unit_test(plain_paths), cmocka_unit_test(refused_unless_allowed),
      cmocka_unit_test(always_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
