/* test_json.c: what is JSON and what is not, spans, limits, keys, and hostile sizes. */
#include "asset_text.h"

#include "src/gltf/json.h"

static supplei_json json;
static supple_error error;

static supple_result parse_bytes(const char *text, size_t length) {
  memset(&error, 0x5A, sizeof error);
  return supplei_json_parse(&json, text, length, NULL, NULL, &error);
}
static supple_result parse(const char *text) { return parse_bytes(text, strlen(text)); }

static void what_is_json(void **state) {
  (void)state;
  static const char *const right[] = {
      "[]",
      "{}",
      " [ ] ",
      "\t{\n}\r",
      "0",
      "-0",
      "-1",
      "1e5",
      "1E+5",
      "1e-5",
      "0.5",
      "0e0",
      "123.456e+78",
      "1e99999",
      "true",
      "false",
      "null",
      "\"\"",
      "\"a\"",
      "\"\\u0000\"",
      "\"\\ud834\\udd1e\"",
      "\"\xC3\xA9\xE2\x82\xAC\xF0\x9D\x84\x9E\"",
      "\"\x7F\"",
      "\"\xEF\xBF\xBF\"",
      "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"",
      "[1,2,3]",
      "[[],{},[[]]]",
      "{\"a\":1,\"b\":[true,false,null]}",
      "{\"\":0}",
      "{\"a\":{\"a\":{\"a\":1}}}",
      "[\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"]",
      "[1 , 2]",
      "{\"a\" : 1 , \"b\" : 2}",
      "[\"\xEF\xBB\xBF\"]",
      "{\"a\":1,\"A\":2}",
      "[9223372036854775808, 1.7976931348623157e309]"};
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    if (parse(right[i])) fail_msg("%s: %s", right[i], error.message);
    supplei_json_release(&json);
  }
}

/* The byte is where the message must point. */
static void what_is_not(void **state) {
  (void)state;
  static const struct {
    const char *text;
    size_t byte;
  } wrong[] = {{"", 0},
               {"  ", 2},
               {"[", 1},
               {"]", 0},
               {"{", 1},
               {"}", 0},
               {"[1,]", 3},
               {"[,1]", 1},
               {"[1 2]", 3},
               {"[1}", 2},
               {"{\"a\":1]", 6},
               {"{\"a\"}", 4},
               {"{\"a\":}", 5},
               {"{a:1}", 1},
               {"{1:1}", 1},
               {"{\"a\":1,}", 7},
               {"{,}", 1},
               {"{\"a\" 1}", 5},
               {"{\"a\":1 \"b\":2}", 7},
               {"[1]]", 3},
               {"[1] x", 4},
               {"1 2", 2},
               {"[]{}", 2},
               {"00", 0},
               {"01", 0},
               {"-01", 1},
               {"-", 1},
               {"+1", 0},
               {".5", 0},
               {"1.", 2},
               {"1.e5", 2},
               {"1e", 2},
               {"1e+", 3},
               {"0x10", 1},
               {"1_000", 1},
               {"NaN", 0},
               {"Infinity", 0},
               {"-Infinity", 1},
               {"True", 0},
               {"tru", 0},
               {"nul", 0},
               {"truex", 4},
               {"'a'", 0},
               {"\"a", 0},
               {"\"a\\\"", 0},
               {"\"\\a\"", 1},
               {"\"\\u12g4\"", 1},
               {"\"\\ud800\"", 1},
               {"\"\\udc00\"", 1},
               {"\"\\ud800\\u0041\"", 1},
               {"\"a\nb\"", 2},
               {"\"\x01\"", 1},
               {"\"\x1F\"", 1},
               {"\"\x80\"", 1},
               {"\"ab\xC3\"", 3},
               {"\"\xC0\x80\"", 1},
               {"\"\xED\xA0\x80\"", 1},
               {"\"\xF4\x90\x80\x80\"", 1},
               {"\xEF\xBB\xBF[]", 0},
               {"// a\n1", 0},
               {"/* a */1", 0},
               {"[1,//\n2]", 3},
               {"\x0C[]", 0},
               {"\xC2\xA0[]", 0},
               {"[\"a\",\n4\n,1,", 11},
               {"{\"a\":\"b\",", 9},
               {"[1,\"", 3},
               {"{\"a\":1,\"a\":2}", 8},
               {"{\"ab\":1,\"x\":0,\"\\u0061b\":2}", 15},
               {"[{\"\":1,\"\":1}]", 8},
               {"\"12345678\x02\"", 9}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (parse(wrong[i].text) != SUPPLE_ERROR_FORMAT) fail_msg("accepted: %s", wrong[i].text);
    if (error.offset != wrong[i].byte)
      fail_msg("%s: byte %zu instead of %zu: %s", wrong[i].text, error.offset, wrong[i].byte,
               error.message);
    assert_null(json.nodes);
  }
  assert_int_equal(parse_bytes("[\"a\0b\"]", 7), SUPPLE_ERROR_FORMAT); /* NUL within a string */
  assert_int_equal(error.offset, 3);
  assert_int_equal(parse_bytes("[]\0", 3), SUPPLE_ERROR_FORMAT); /* and after the end */
  assert_int_equal(error.offset, 2);
}

static const char sample[] =
    "{\"name\" : \"a\\nb\", \"n\":[1.50,-2e3,[{}]],\"\\u0078\":{\"y\":true},\"z\":null}";

static void spans_keep_the_text(void **state) {
  (void)state;
  assert_int_equal(parse(sample), SUPPLE_OK);
  static const struct {
    const char *key, *value;
    supplei_json_type type;
    uint32_t count, next;
  } wanted[] = {{"", "", SUPPLEI_JSON_OBJECT, 4, 10},
                {"name", "a\\nb", SUPPLEI_JSON_STRING, 0, 2},
                {"n", "[1.50,-2e3,[{}]]", SUPPLEI_JSON_ARRAY, 3, 7},
                {"", "1.50", SUPPLEI_JSON_NUMBER, 0, 4},
                {"", "-2e3", SUPPLEI_JSON_NUMBER, 0, 5},
                {"", "[{}]", SUPPLEI_JSON_ARRAY, 1, 7},
                {"", "{}", SUPPLEI_JSON_OBJECT, 0, 7},
                {"\\u0078", "{\"y\":true}", SUPPLEI_JSON_OBJECT, 1, 9},
                {"y", "true", SUPPLEI_JSON_TRUE, 0, 9},
                {"z", "null", SUPPLEI_JSON_NULL, 0, 10}};
  assert_int_equal(json.count, 10);
  assert_true(sizeof(supplei_json_node) <= 28);
  for (uint32_t i = 0; i < 10; i++) {
    const supplei_json_node *n = &json.nodes[i];
    const char *value = i ? wanted[i].value : sample;
    assert_int_equal(n->type, wanted[i].type);
    assert_int_equal(n->count, wanted[i].count);
    assert_int_equal(n->next, wanted[i].next);
    assert_int_equal(n->key_length, strlen(wanted[i].key));
    assert_memory_equal(json.text + n->key, wanted[i].key, n->key_length);
    assert_int_equal(n->length, strlen(value));
    assert_memory_equal(json.text + n->begin, value, n->length);
  }
  assert_true(json.nodes[1].escaped && !json.nodes[1].key_escaped);
  assert_true(json.nodes[7].key_escaped && !json.nodes[8].key_escaped);
  supplei_json_release(&json);
}

static void every_cut_fails(void **state) {
  (void)state;
  for (size_t length = 0; length < strlen(sample); length++) {
    char *copy = malloc(length ? length : 1); /* a sanitizer sees a read beyond */
    memcpy(copy, sample, length);
    assert_int_equal(parse_bytes(copy, length), SUPPLE_ERROR_FORMAT);
    assert_true(error.offset <= length);
    free(copy);
  }
}

static void limits_are_named(void **state) {
  (void)state;
  const supplei_json_limits values = {.values = 3}, depth = {.depth = 2}, offset = {.offset = 1000};
  assert_int_equal(supplei_json_parse(&json, "[1,2]", 5, &values, NULL, &error), SUPPLE_OK);
  supplei_json_release(&json);
  assert_int_equal(supplei_json_parse(&json, "[1,2,3]", 7, &values, NULL, &error),
                   SUPPLE_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "limits.json_values"));
  assert_int_equal(error.offset, 5);
  assert_int_equal(supplei_json_parse(&json, "[{},1]", 6, &depth, NULL, &error), SUPPLE_OK);
  supplei_json_release(&json);
  assert_int_equal(supplei_json_parse(&json, "[{\"a\":[]}]", 10, &depth, NULL, &error),
                   SUPPLE_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "limits.json_depth"));
  assert_int_equal(error.offset, 6);
  /* Refused by its length alone: nothing is read of it. */
  assert_int_equal(supplei_json_parse(&json, "[]", UINT32_MAX, NULL, NULL, &error),
                   SUPPLE_ERROR_LIMIT);
  assert_non_null(strstr(error.message, "4 GiB"));
  assert_int_equal(supplei_json_parse(&json, "[x", 2, &offset, NULL, &error), SUPPLE_ERROR_FORMAT);
  assert_int_equal(error.offset, 1001);
}

static void depth_needs_no_stack(void **state) {
  (void)state;
  enum { DEPTH = 1000000 };
  char *text = malloc(2 * DEPTH);
  memset(text, '[', DEPTH);
  memset(text + DEPTH, ']', DEPTH);
  assert_int_equal(parse_bytes(text, 2 * DEPTH), SUPPLE_OK);
  assert_int_equal(json.count, DEPTH);
  assert_int_equal(json.nodes[0].length, 2 * DEPTH);
  supplei_json_release(&json);
  assert_int_equal(parse_bytes(text, 2 * DEPTH - 1), SUPPLE_ERROR_FORMAT);
  free(text);
}

/* An object of `count` keys, with `last` as its last one. */
static char *big_object(unsigned count, const char *last, size_t *length) {
  char *text = malloc(count * 40 + 100), *at = text;
  *at++ = '{';
  for (unsigned i = 0; i < count; i++) at += sprintf(at, "\"key %u\":%u,", i * 7919 % 1000003, i);
  at += sprintf(at, "\"%s\":0}", last);
  *length = (size_t)(at - text);
  return text;
}

static void equal_keys_of_big_objects(void **state) {
  (void)state;
  static const unsigned counts[] = {22, 23, 24, 25, 26, 1000, 200000};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    size_t length;
    char *text = big_object(counts[i], "new", &length);
    assert_int_equal(parse_bytes(text, length), SUPPLE_OK);
    assert_int_equal(json.nodes[0].count, counts[i] + 1);
    supplei_json_release(&json);
    free(text);
    text = big_object(counts[i], "key 0", &length);
    assert_int_equal(parse_bytes(text, length), SUPPLE_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "twice"));
    free(text);
    text = big_object(counts[i], "\\u006bey\\u00200", &length); /* "key 0" in escapes */
    assert_int_equal(parse_bytes(text, length), SUPPLE_ERROR_FORMAT);
    free(text);
  }
}

static void keys_compare_decoded(void **state) {
  (void)state;
  assert_int_equal(parse("{\"\xC3\xA9\":1,\"\\u00E9\":2}"), SUPPLE_ERROR_FORMAT);
  assert_int_equal(parse("{\"\\ud834\\udd1e\":1,\"\xF0\x9D\x84\x9E\":2}"), SUPPLE_ERROR_FORMAT);
  assert_int_equal(parse("{\"\\n\":1,\"\\u000a\":2}"), SUPPLE_ERROR_FORMAT);
  assert_int_equal(parse("{\"\\n\":1,\"n\":2,\"\\\\n\":3}"), SUPPLE_OK);
  supplei_json_release(&json);
}

static void failing_memory(void **state) {
  (void)state;
  size_t length;
  char *text = big_object(3000, "new", &length);
  ledger book;
  supple_allocator allocator = ledger_allocator(&book);
  assert_int_equal(supplei_json_parse(&json, text, length, NULL, &allocator, &error), SUPPLE_OK);
  supplei_json_release(&json);
  assert_int_equal(book.live, 0);
  size_t calls = book.calls;
  assert_true(calls >= 2); /* nodes, and space to sort */
  for (size_t fail = 1; fail <= calls; fail++) {
    allocator = ledger_allocator(&book);
    book.fail_at = fail;
    assert_int_equal(supplei_json_parse(&json, text, length, NULL, &allocator, &error),
                     SUPPLE_ERROR_MEMORY);
    assert_int_equal(book.live, 0);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_json),
                                     cmocka_unit_test(what_is_not),
                                     cmocka_unit_test(spans_keep_the_text),
                                     cmocka_unit_test(every_cut_fails),
                                     cmocka_unit_test(limits_are_named),
                                     cmocka_unit_test(depth_needs_no_stack),
                                     cmocka_unit_test(equal_keys_of_big_objects),
                                     cmocka_unit_test(keys_compare_decoded),
                                     cmocka_unit_test(failing_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
