/* test_error.c: result texts, and the one sentence of an error. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/error.h"

static void version_is_that_of_the_headers(void **state) {
  (void)state;
  char expected[32];
  snprintf(expected, sizeof expected, "%d.%d.%d", SUPPLE_VERSION_MAJOR, SUPPLE_VERSION_MINOR,
           SUPPLE_VERSION_PATCH);
  assert_string_equal(supple_version(), expected);
  assert_string_equal(SUPPLE_VERSION_TEXT, expected);
}

static void every_result_has_its_own_text(void **state) {
  (void)state;
  for (int a = SUPPLE_OK; a <= SUPPLE_ERROR_NUMBER; a++) {
    const char *text = supple_result_text((supple_result)a);
    assert_non_null(text);
    assert_true(strlen(text) > 3);
    assert_string_not_equal(text, "unknown result");
    for (int b = SUPPLE_OK; b < a; b++)
      assert_string_not_equal(text, supple_result_text((supple_result)b));
  }
  assert_int_equal(SUPPLE_OK, 0);
  assert_string_equal(supple_result_text((supple_result)(SUPPLE_ERROR_NUMBER + 1)),
                      "unknown result");
  assert_string_equal(supple_result_text((supple_result)99), "unknown result");
}

static void place_comes_first(void **state) {
  (void)state;
  supple_error error;
  supple_result result =
      supplei_fail(&error, SUPPLE_ERROR_FORMAT, "/skins/0", SIZE_MAX, "joint %d of %s", 7, "hero");
  assert_int_equal(result, SUPPLE_ERROR_FORMAT);
  assert_int_equal(error.result, SUPPLE_ERROR_FORMAT);
  assert_true(error.offset == SIZE_MAX);
  assert_string_equal(error.pointer, "/skins/0");
  assert_string_equal(error.message, "/skins/0: joint 7 of hero");

  supplei_fail(&error, SUPPLE_ERROR_FORMAT, NULL, 12, "no digit");
  assert_true(error.offset == 12);
  assert_string_equal(error.pointer, "");
  assert_string_equal(error.message, "byte 12: no digit");

  /* A pointer says more than the byte. */
  supplei_fail(&error, SUPPLE_ERROR_FORMAT, "/nodes", 12, "x");
  assert_true(error.offset == 12);
  assert_string_equal(error.message, "/nodes: x");

  supplei_fail(&error, SUPPLE_ERROR_LIMIT, "", SIZE_MAX, "too deep");
  assert_string_equal(error.message, "too deep");
}

static void error_may_be_absent(void **state) {
  (void)state;
  assert_int_equal(supplei_fail(NULL, SUPPLE_ERROR_FILE, "/a", 1, "x %s", "y"), SUPPLE_ERROR_FILE);
  assert_int_equal(supplei_fail_memory(NULL, 10, "pose"), SUPPLE_ERROR_MEMORY);
}

static void memory_error_says_how_much_and_what_for(void **state) {
  (void)state;
  supple_error error;
  assert_int_equal(supplei_fail_memory(&error, 4096, "the pose"), SUPPLE_ERROR_MEMORY);
  assert_string_equal(error.message, "out of memory (4096 bytes for the pose)");
}

/* Asserts what the message of `text` becomes. */
static void cleans_to(const char *text, const char *expected) {
  supple_error error;
  supplei_fail(&error, SUPPLE_ERROR_FORMAT, NULL, SIZE_MAX, "%s", text);
  assert_string_equal(error.message, expected);
}

static void messages_are_fit_for_a_terminal(void **state) {
  (void)state;
  cleans_to("plain", "plain");
  cleans_to("a\x1b[31mb\nc\td\x7f", "a?[31mb?c?d?");
  cleans_to("\xC2\x9B"
            "31m",
            "?31m"); /* the one-character escape, U+009B */
  cleans_to("\xC2\xA0", "\xC2\xA0");
  cleans_to("gr\xC3\xBC\xC3\x9F", "gr\xC3\xBC\xC3\x9F");
  cleans_to("\xE2\x82\xAC \xF0\x9F\x98\x80", "\xE2\x82\xAC \xF0\x9F\x98\x80");
  cleans_to("\xFF\xFE", "??");
  cleans_to("a\xC3", "a?");         /* cut short */
  cleans_to("\xC0\xAF", "??");      /* overlong '/' */
  cleans_to("\xE0\x80\xAF", "???"); /* overlong, three bytes */
  cleans_to("\xED\xA0\x80", "???"); /* a surrogate */
  cleans_to("\xF0\x80\x80\x80", "????");
  cleans_to("\xF4\x90\x80\x80", "????"); /* above U+10FFFF */
  cleans_to("\xF4\x8F\xBF\xBF", "\xF4\x8F\xBF\xBF");
  cleans_to("\x80z", "?z");

  supple_error error;
  supplei_fail(&error, SUPPLE_ERROR_FORMAT, "/a\nb", SIZE_MAX, "x");
  assert_string_equal(error.pointer, "/a?b");
  assert_string_equal(error.message, "/a?b: x");
}

/* A text of `count` times the sequence, after `shift` letters. */
static const char *repeated(char *text, size_t shift, const char *sequence, size_t count) {
  size_t length = strlen(sequence), at = 0;
  for (; at < shift; at++) text[at] = 'x';
  for (size_t i = 0; i < count; i++, at += length) memcpy(text + at, sequence, length);
  text[at] = 0;
  return text;
}

static void long_text_is_cut_at_a_whole_character(void **state) {
  (void)state;
  static char text[8192];
  const char *euro = "\xE2\x82\xAC";
  for (size_t shift = 0; shift < 6; shift++) {
    repeated(text, shift, euro, 1000);
    supple_error error;
    supplei_fail(&error, SUPPLE_ERROR_FORMAT, text, SIZE_MAX, "%s", text);

    size_t capacity = sizeof error.pointer - 1, length = strlen(error.pointer);
    assert_true(length <= capacity && length + 3 > capacity);
    assert_memory_equal(error.pointer, text, shift);
    assert_int_equal((length - shift) % 3, 0);
    assert_null(strchr(error.pointer, '?'));

    capacity = sizeof error.message - 1, length = strlen(error.message);
    assert_true(length <= capacity && length + 3 > capacity);
    assert_null(strchr(error.message, '?'));
  }
}

static void long_pointer_leaves_room_for_the_text(void **state) {
  (void)state;
  static char text[8192];
  supple_error error;
  supplei_fail(&error, SUPPLE_ERROR_FORMAT, repeated(text, 8000, "", 0), SIZE_MAX, "the text");
  assert_non_null(strstr(error.message, "x: the text"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_is_that_of_the_headers),
      cmocka_unit_test(every_result_has_its_own_text),
      cmocka_unit_test(place_comes_first),
      cmocka_unit_test(error_may_be_absent),
      cmocka_unit_test(memory_error_says_how_much_and_what_for),
      cmocka_unit_test(messages_are_fit_for_a_terminal),
      cmocka_unit_test(long_text_is_cut_at_a_whole_character),
      cmocka_unit_test(long_pointer_leaves_room_for_the_text),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
