/* test_edit.c: edits of the JSON as a caller sees them: texts worked out by hand, values that stay, what is refused. */
#include "document_text.h"

static void test_set_and_replace(void **state) {
  (void)state;
  supple_document *d = open_text("{ 'a' : 1 , 'b':[1, 2,3] ,'c':{}}");
  supple_value out = 0;
  fine(supple_document_set(d, 0, "a", "2.50", &out, problem));
  assert_int_equal(supple_document_find(d, "/a"), out);
  fine(supple_document_set(d, 0, "n\"\n\xC3\xA4", " [ 1 , { } ] ", NULL, problem));
  fine(supple_document_replace(d, supple_document_find(d, "/b/1"), "true", NULL, problem));
  fine(supple_document_set(d, supple_document_find(d, "/c"), "x", "null", NULL, problem));
  expect_text(d,
              "{ 'a' : 2.50, 'b':[1, true,3] ,'c':{'x' : null}, 'n\\'\\u000a\xC3\xA4' : [1, {}]}");
  assert_string_equal(supple_document_key(d, supple_document_member(d, 0, "n\"\n\xC3\xA4")),
                      "n\"\n\xC3\xA4");
  supple_document_free(d);
}

static void test_insert_and_remove(void **state) {
  (void)state;
  supple_document *d = open_text("{'a':[10,11,12,13]}");
  const supple_value array = supple_document_find(d, "/a"),
                     twelve = supple_document_find(d, "/a/2");
  fine(supple_document_insert(d, array, 0, "9", NULL, problem));
  fine(supple_document_insert(d, array, 99, "14", NULL, problem));
  fine(supple_document_insert(d, array, 3, "11.5", NULL, problem));
  expect_text(d, "{'a':[9,10,11,11.5,12,13,14]}");
  char out[16];
  assert_string_equal(supple_document_pointer(d, twelve, out, sizeof out), "/a/4");
  fine(supple_document_remove(d, supple_document_find(d, "/a/0"), problem));
  fine(supple_document_remove(d, supple_document_find(d, "/a/5"), problem));
  assert_string_equal(supple_document_pointer(d, twelve, out, sizeof out), "/a/3");
  expect_text(d, "{'a':[10,11,11.5,12,13]}");
  while (supple_document_count(d, array))
    fine(supple_document_remove(
        d, supple_document_child(d, array, 1 % supple_document_count(d, array)), problem));
  expect_text(d, "{'a':[]}");
  assert_int_equal(supple_document_type(d, twelve), SUPPLE_VALUE_NONE);
  fine(supple_document_insert(d, array, 0, quoted("{'b':1}"), NULL, problem));
  expect_text(d, "{'a':[{'b':1}]}");
  supple_document_free(d);
}

static void test_values_that_die(void **state) {
  (void)state;
  supple_document *d = open_text("{'a':{'b':[1,{'c':2}]},'d':3}");
  const supple_value c = supple_document_find(d, "/a/b/1/c"), b = supple_document_find(d, "/a/b"),
                     last = supple_document_find(d, "/d");
  fine(supple_document_replace(d, supple_document_find(d, "/a/b/0"), "[4]", NULL, problem));
  assert_int_equal(supple_document_index(d, c), 2);
  fine(supple_document_set(d, 0, "a", "0", NULL, problem));
  assert_int_equal(supple_document_type(d, c), SUPPLE_VALUE_NONE);
  assert_int_equal(supple_document_count(d, b), 0);
  assert_int_equal(supple_document_index(d, last), 3);
  supple_error error;
  assert_int_equal(supple_document_remove(d, c, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_insert(d, b, 0, "1", NULL, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set(d, b, "x", "1", NULL, &error), SUPPLE_ERROR_ARGUMENT);
  expect_text(d, "{'a':0,'d':3}");
  supple_document_free(d);
}

static void test_refusals(void **state) {
  (void)state;
  supple_document *d = open_text("{'a':[1],'b':{'c':1}}");
  supple_error error;
  static const char *const texts[] = {"", "1 2", "{", "[1,]", "nul", "+1", "{'a':1,'a':2}", "\xFF"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *text = quoted(texts[i]);
    assert_int_equal(supple_document_set(d, 0, "a", text, NULL, &error), SUPPLE_ERROR_FORMAT);
    assert_int_equal(supple_document_set(d, 0, "new", text, NULL, &error), SUPPLE_ERROR_FORMAT);
    assert_int_equal(supple_document_insert(d, supple_document_find(d, "/a"), 0, text, NULL, &error),
                     SUPPLE_ERROR_FORMAT);
    assert_int_equal(supple_document_replace(d, supple_document_find(d, "/b"), text, NULL, &error),
                     SUPPLE_ERROR_FORMAT);
  }
  assert_int_equal(supple_document_set(d, 0, "\xFF", "1", NULL, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set(d, 0, NULL, "1", NULL, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set(d, 0, "x", NULL, NULL, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_replace(d, 0, "{}", NULL, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_remove(d, 0, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_insert(d, 0, 0, "1", NULL, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set(d, supple_document_find(d, "/a"), "x", "1", NULL, &error),
                   SUPPLE_ERROR_ARGUMENT);
  expect_text(d, "{'a':[1],'b':{'c':1}}");
  supple_document_free(d);
}

static void test_depth(void **state) {
  (void)state;
  const char *text = quoted("{'a':[[1]]}");
  supple_error error;
  const supple_load_options options = {.limits = {.json_depth = 3}};
  supple_document *d = supple_document_load_memory(text, strlen(text), &options, &error);
  assert_non_null(d);
  const supple_value inner = supple_document_find(d, "/a/0");
  assert_int_equal(supple_document_insert(d, inner, 0, "[]", NULL, &error), SUPPLE_ERROR_LIMIT);
  fine(supple_document_insert(d, inner, 0, "2", NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/a"), 0, "[3]", NULL, problem));
  assert_int_equal(supple_document_set(d, 0, "b", "[[[]]]", NULL, &error), SUPPLE_ERROR_LIMIT);
  expect_text(d, "{'a':[[3],[2,1]]}");
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_set_and_replace),
                                     cmocka_unit_test(test_insert_and_remove),
                                     cmocka_unit_test(test_values_that_die),
                                     cmocka_unit_test(test_refusals), cmocka_unit_test(test_depth)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
