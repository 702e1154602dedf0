/* test_json_query.c: members, numbers, strings and pointers. */
#include "asset_text.h"

#include <math.h>

#include "src/gltf/json.h"

static supplei_json json;

static void parse(const char *text) {
  supple_error error;
  if (supplei_json_parse(&json, text, strlen(text), NULL, NULL, &error))
    fail_msg("%s", error.message);
}

static void members(void **state) {
  (void)state;
  parse("{\"a\":{\"b\":[1,{\"deep\":0}],\"c\":2},\"\\u0062\\/"
        "\":3,\"bb\":4,\"\":5,\"JOINTS_\\u0030\":6}");
  uint32_t a = supplei_json_member(&json, 0, "a");
  assert_int_equal(a, 1);
  assert_int_equal(supplei_json_member(&json, a, "c"), 6);
  assert_int_equal(supplei_json_member(&json, 0, "c"), SUPPLE_NONE);
  assert_int_equal(supplei_json_member(&json, 0, "deep"), SUPPLE_NONE);
  assert_int_equal(supplei_json_member(&json, 0, "b/"), 7);
  assert_int_equal(supplei_json_member(&json, 0, "b"), SUPPLE_NONE);
  assert_int_equal(supplei_json_member(&json, 0, "bb"), 8);
  assert_int_equal(supplei_json_member(&json, 0, ""), 9);
  assert_int_equal(supplei_json_member(&json, 2, "x"), SUPPLE_NONE); /* an array */
  assert_int_equal(supplei_json_member(&json, 3, "x"), SUPPLE_NONE); /* a number */
  assert_int_equal(supplei_json_member(&json, 0, "JOINTS_0"), 10);
  assert_true(supplei_json_key_starts(&json, 10, "JOINTS_"));
  assert_true(supplei_json_key_starts(&json, 10, "JOINTS_0"));
  assert_false(supplei_json_key_starts(&json, 10, "JOINTS_01"));
  assert_false(supplei_json_key_starts(&json, 8, "JOINTS_"));
  supplei_json_release(&json);
}

static void equality(void **state) {
  (void)state;
  parse("[\"VEC3\",\"V\\u0045C3\",\"VEC\",\"VEC33\",7,\"\",\"\xC3\xA9\"]");
  assert_true(supplei_json_equals(&json, 1, "VEC3") && supplei_json_equals(&json, 2, "VEC3"));
  assert_false(supplei_json_equals(&json, 3, "VEC3") || supplei_json_equals(&json, 4, "VEC3"));
  assert_false(supplei_json_equals(&json, 5, "7"));
  assert_true(supplei_json_equals(&json, 6, ""));
  assert_false(supplei_json_equals(&json, 7, "e"));
  supplei_json_release(&json);
}

static void numbers(void **state) {
  (void)state;
  parse("[0.1,-12,1e400,\"1\",null]");
  double value = 0;
  assert_true(supplei_json_number(&json, 1, &value) && value == 0.1);
  assert_true(supplei_json_number(&json, 2, &value) && value == -12);
  assert_true(supplei_json_number(&json, 3, &value) && isinf(value));
  assert_false(supplei_json_number(&json, 4, &value) || supplei_json_number(&json, 5, &value));
  supplei_json_release(&json);
}

static void unsigned_integers(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint64_t largest;
    long long value; /* -1: refused */
  } cases[] = {{"0", 10, 0},
               {"10", 10, 10},
               {"11", 10, -1},
               {"-1", 10, -1},
               {"-0", 10, 0},
               {"1.0", 10, 1},
               {"1e1", 10, 10},
               {"50e-1", 10, 5},
               {"1.5", 10, -1},
               {"0.1e1", 10, 1},
               {"1e-1", 10, -1},
               {"4294967295", UINT32_MAX, 4294967295},
               {"4294967296", UINT32_MAX, -1},
               {"9007199254740992", UINT64_C(1) << 53, 9007199254740992},
               {"9007199254740993.5", UINT64_C(1) << 53, -1},
               {"18446744073709551616", UINT64_C(1) << 53, -1},
               {"18446744073709551617", 10, -1},
               {"1e30", 10, -1},
               {"1e400", 10, -1},
               {"\"1\"", 10, -1},
               {"true", 10, -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    uint64_t value = 77;
    parse(cases[i].text);
    bool accepted = supplei_json_unsigned(&json, 0, cases[i].largest, &value);
    if (accepted != (cases[i].value >= 0) || value != (accepted ? (uint64_t)cases[i].value : 77))
      fail_msg("%s: %d, %llu", cases[i].text, accepted, (unsigned long long)value);
    supplei_json_release(&json);
  }
}

static void strings(void **state) {
  (void)state;
  static const struct {
    const char *text, *value;
    size_t length;
  } cases[] = {{"\"\"", "", 0},
               {"\"abc\"", "abc", 3},
               {"\"a\\u0000b\"", "a\0b", 3},
               {"\"\\\\\\\"\\n\\/\"", "\\\"\n/", 4},
               {"\"x\\u20acy\"", "x\xE2\x82\xACy", 5},
               {"\"\\ud83d\\ude00\"", "\xF0\x9F\x98\x80", 4},
               {"\"\xC3\xA9\\u00e9\"", "\xC3\xA9\xC3\xA9", 4}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    parse(cases[i].text);
    char *out = malloc(json.nodes[0].length + 1);
    assert_int_equal(supplei_json_string(&json, 0, out), cases[i].length);
    assert_memory_equal(out, cases[i].value, cases[i].length);
    free(out);
    supplei_json_release(&json);
  }
}

static void pointers(void **state) {
  (void)state;
  parse("{\"skins\":[{\"joints\":[4,5]},{\"a/"
        "b~c\":{\"\\u00e9\":1}}],\"x\":[[],[0,[7]]],\"\":{\"\":2}}");
  static const char *const wanted[] = {"",
                                       "/skins",
                                       "/skins/0",
                                       "/skins/0/joints",
                                       "/skins/0/joints/0",
                                       "/skins/0/joints/1",
                                       "/skins/1",
                                       "/skins/1/a~1b~0c",
                                       "/skins/1/a~1b~0c/\xC3\xA9",
                                       "/x",
                                       "/x/0",
                                       "/x/1",
                                       "/x/1/0",
                                       "/x/1/1",
                                       "/x/1/1/0",
                                       "/",
                                       "//"};
  assert_int_equal(json.count, 17);
  for (uint32_t i = 0; i < json.count; i++) {
    char pointer[64];
    supplei_json_pointer(&json, i, pointer, sizeof pointer);
    assert_string_equal(pointer, wanted[i]);
    char small[8];
    supplei_json_pointer(&json, i, small, sizeof small); /* cut, never beyond */
    assert_int_equal(strncmp(small, wanted[i], 7), 0);
  }
  supplei_json_release(&json);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(members), cmocka_unit_test(equality),
                                     cmocka_unit_test(numbers), cmocka_unit_test(unsigned_integers),
                                     cmocka_unit_test(strings), cmocka_unit_test(pointers)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
