/* test_write_json.c: what new text looks like among old: lines, indentation, commas, as the file has them. */
#include "document_text.h"

static void test_indented(void **state) {
  (void)state;
  supple_document *d = open_text("{\n"
                                 "    'asset': {\n"
                                 "        'version': '2.0'\n"
                                 "    },\n"
                                 "    'nodes': [\n"
                                 "        {\n"
                                 "            'scale': [ 1, 2, 3 ]\n"
                                 "        }\n"
                                 "    ],\n"
                                 "    'empty': []\n"
                                 "}\n");
  fine(supple_document_set(d, supple_document_find(d, "/asset"), "extras",
                           quoted("{'a':[1,2],'b':{}}"), NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/nodes"), 0, "{}", NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/nodes"), 2, quoted("{'children':[0]}"),
                              NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/empty"), 0, quoted("{'x':1}"), NULL,
                              problem));
  fine(supple_document_replace(d, supple_document_find(d, "/nodes/1/scale/1"), "20", NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/nodes/1/scale"), 3, "4", NULL, problem));
  expect_text(d, "{\n"
                 "    'asset': {\n"
                 "        'version': '2.0',\n"
                 "        'extras': {\n"
                 "            'a': [1, 2],\n"
                 "            'b': {}\n"
                 "        }\n"
                 "    },\n"
                 "    'nodes': [\n"
                 "        {},\n"
                 "        {\n"
                 "            'scale': [ 1, 20, 3, 4 ]\n"
                 "        },\n"
                 "        {\n"
                 "            'children': [0]\n"
                 "        }\n"
                 "    ],\n"
                 "    'empty': [\n"
                 "        {\n"
                 "            'x': 1\n"
                 "        }\n"
                 "    ]\n"
                 "}\n");
  supple_document_free(d);
}

static void test_lines_of_numbers(void **state) {
  (void)state;
  supple_document *d = open_text("{\r\n\t'a':[\r\n\t\t1,\r\n\t\t2\r\n\t],\r\n\t'b':{}\r\n}");
  fine(supple_document_set(d, supple_document_find(d, "/b"), "c", "[3,4]", NULL, problem));
  fine(supple_document_remove(d, supple_document_find(d, "/a/1"), problem));
  expect_text(d, "{\r\n\t'a':[\r\n\t\t1\r\n\t],\r\n\t'b':{\r\n\t\t'c':[\r\n\t\t\t3,"
                 "\r\n\t\t\t4\r\n\t\t]\r\n\t}\r\n}");
  supple_document_free(d);
}

static void test_compact(void **state) {
  (void)state;
  supple_document *d = open_text(" {'a':[1,2],'b':[]}\n");
  fine(supple_document_set(d, 0, "c", quoted("{ 'x' : [ 1, {} ] }"), NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/b"), 0, "[ ]", NULL, problem));
  fine(supple_document_insert(d, supple_document_find(d, "/a"), 0, "0", NULL, problem));
  expect_text(d, " {'a':[0,1,2],'b':[[]],'c':{'x':[1,{}]}}\n");
  supple_document_free(d);
}

/* Odd white space of what is not touched stays, also beside what is. */
static void test_odd_space(void **state) {
  (void)state;
  supple_document *d = open_text("{ 'a'\t:1.50E+1 ,\n'b' : [ 1 , 2 ,3 ] , 'c':'\\u0041\\/' }");
  fine(supple_document_replace(d, supple_document_find(d, "/b/1"), "9", NULL, problem));
  expect_text(d, "{ 'a'\t:1.50E+1 ,\n'b' : [ 1 , 9,3 ] , 'c':'\\u0041\\/' }");
  fine(supple_document_remove(d, supple_document_find(d, "/b/0"), problem));
  fine(supple_document_remove(d, supple_document_find(d, "/c"), problem));
  expect_text(d, "{ 'a'\t:1.50E+1 ,\n'b' : [ 9,3 ] }");
  supple_document_free(d);
}

/* Deep nesting needs no stack. */
static void test_deep(void **state) {
  (void)state;
  enum { DEPTH = 50000 };
  static char text[2 * DEPTH + 8];
  memset(text, '[', DEPTH);
  text[DEPTH] = '1';
  memset(text + DEPTH + 1, ']', DEPTH);
  char *json = malloc(sizeof text + 16);
  assert_non_null(json);
  sprintf(json, "{\"a\":%s}", text);
  const supple_load_options options = {.limits = {.json_depth = 100000}};
  supple_error error;
  supple_document *d = supple_document_load_memory(json, strlen(json), &options, &error);
  if (!d) fail_msg("%s", error.message);
  supple_value at = supple_document_find(d, "/a");
  while (supple_document_count(d, at)) at = supple_document_child(d, at, 0);
  fine(supple_document_replace(d, at, "2", NULL, problem));
  const written_bytes out = write_main(d, "a.gltf");
  json[5 + DEPTH] = '2';
  assert_string_equal(out.data, json);
  free(out.data);
  free(json);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_indented),
                                     cmocka_unit_test(test_lines_of_numbers),
                                     cmocka_unit_test(test_compact),
                                     cmocka_unit_test(test_odd_space), cmocka_unit_test(test_deep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
