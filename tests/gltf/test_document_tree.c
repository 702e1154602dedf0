/* test_document_tree.c: finding one's way in a document's JSON. */
#include "document_text.h"

static const char text[] =
    "{'asset':{'version':'2.0'},'a~b':{'c/d':[1,2.0,-3,1e2,0.5,'x',true,false,null,{},[]]},"
    "'\\u0041\\n':'\\ud83d\\ude00\\u0000z','':{'':7}}";

static void test_values(void **state) {
  (void)state;
  supple_document *d = open_text(text);
  const supple_value array = supple_document_find(d, "/a~0b/c~1d");
  assert_int_equal(supple_document_type(d, array), SUPPLE_VALUE_ARRAY);
  assert_int_equal(supple_document_count(d, array), 11);
  static const supple_value_type types[] = {
      SUPPLE_VALUE_NUMBER, SUPPLE_VALUE_NUMBER, SUPPLE_VALUE_NUMBER, SUPPLE_VALUE_NUMBER,
      SUPPLE_VALUE_NUMBER, SUPPLE_VALUE_STRING, SUPPLE_VALUE_TRUE,   SUPPLE_VALUE_FALSE,
      SUPPLE_VALUE_NULL,   SUPPLE_VALUE_OBJECT, SUPPLE_VALUE_ARRAY};
  static const uint32_t indices[] = {1, 2, SUPPLE_NONE, 100, SUPPLE_NONE, SUPPLE_NONE};
  for (uint32_t i = 0; i < 11; i++) {
    const supple_value child = supple_document_child(d, array, i);
    assert_int_equal(supple_document_type(d, child), types[i]);
    assert_int_equal(supple_document_parent(d, child), array);
    if (i < 6) assert_int_equal(supple_document_index(d, child), indices[i]);
    assert_string_equal(supple_document_key(d, child), "");
  }
  assert_int_equal(supple_document_child(d, array, 11), SUPPLE_NONE);
  double number = 0;
  assert_true(supple_document_number(d, supple_document_child(d, array, 4), &number));
  assert_true(number == 0.5);
  assert_false(supple_document_number(d, supple_document_child(d, array, 5), &number));
  assert_string_equal(supple_document_string(d, supple_document_child(d, array, 5)), "x");
  assert_null(supple_document_string(d, supple_document_child(d, array, 4)));
  supple_document_free(d);
}

static void test_strings_and_keys(void **state) {
  (void)state;
  supple_document *d = open_text(text);
  const supple_value escaped = supple_document_member(d, 0, "A\n");
  assert_string_equal(supple_document_string(d, escaped), "\xF0\x9F\x98\x80\xEF\xBF\xBDz");
  assert_string_equal(supple_document_key(d, escaped), "A\n");
  assert_string_equal(supple_document_string(d, escaped), "\xF0\x9F\x98\x80\xEF\xBF\xBDz");
  assert_int_equal(supple_document_index(d, supple_document_find(d, "//")), 7);
  assert_int_equal(supple_document_find(d, ""), 0);
  static const char *const nowhere[] = {
      "a",  "/x",    "/a~0b/c~1d/11",   "/a~0b/c~1d/-", "/a~0b/c~1d/01",
      "/~", "/a~2b", "/asset/version/0"};
  for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
    assert_int_equal(supple_document_find(d, nowhere[i]), SUPPLE_NONE);
  supple_document_free(d);
}

static void test_pointers(void **state) {
  (void)state;
  supple_document *d = open_text(text);
  static const char *const pointers[] = {"", "/asset/version", "/a~0b/c~1d/10", "/a~0b/c~1d/9",
                                         "//"};
  for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++) {
    char out[64];
    const supple_value value = supple_document_find(d, pointers[i]);
    assert_string_equal(supple_document_pointer(d, value, out, sizeof out), pointers[i]);
    for (size_t size = 1; size <= strlen(pointers[i]) + 1; size++) { /* cut, but a beginning */
      memset(out, 'x', sizeof out);
      supple_document_pointer(d, value, out, size);
      assert_true(strlen(out) < size);
      assert_memory_equal(out, pointers[i], strlen(out));
      assert_true(strlen(out) + 2 >= size || strlen(out) == strlen(pointers[i]));
      assert_int_equal(out[size], 'x');
    }
  }
  supple_document_free(d);
}

static void test_nothing(void **state) {
  (void)state;
  supple_document *d = open_text("{}");
  char out[8];
  double number;
  assert_int_equal(supple_document_type(d, SUPPLE_NONE), SUPPLE_VALUE_NONE);
  assert_int_equal(supple_document_type(d, 12345), SUPPLE_VALUE_NONE);
  assert_int_equal(supple_document_count(d, SUPPLE_NONE), 0);
  assert_int_equal(supple_document_member(d, SUPPLE_NONE, "a"), SUPPLE_NONE);
  assert_int_equal(supple_document_child(d, SUPPLE_NONE, 0), SUPPLE_NONE);
  assert_int_equal(supple_document_index(d, SUPPLE_NONE), SUPPLE_NONE);
  assert_int_equal(supple_document_parent(d, SUPPLE_NONE), SUPPLE_NONE);
  assert_int_equal(supple_document_parent(d, 0), SUPPLE_NONE);
  assert_null(supple_document_string(d, SUPPLE_NONE));
  assert_string_equal(supple_document_key(d, SUPPLE_NONE), "");
  assert_string_equal(supple_document_key(d, 0), "");
  assert_false(supple_document_number(d, SUPPLE_NONE, &number));
  assert_string_equal(supple_document_pointer(d, SUPPLE_NONE, out, sizeof out), "");
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_values), cmocka_unit_test(test_strings_and_keys),
      cmocka_unit_test(test_pointers), cmocka_unit_test(test_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
