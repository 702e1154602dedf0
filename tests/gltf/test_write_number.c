/* test_write_number.c: the shortest text of doubles: known cases, and random ones read back by the C library. */
#include "asset_text.h"

#include "src/gltf/document_tree.h"

static void expect_number(double value, const char *text) {
  char out[SUPPLEI_NUMBER_TEXT];
  assert_string_equal(supplei_number_text(value, out), text);
}

static void test_known(void **state) {
  (void)state;
  expect_number(0, "0");
  expect_number(-0.0, "0");
  expect_number(1, "1");
  expect_number(-1, "-1");
  expect_number(0.1, "0.1");
  expect_number((double)0.1f, "0.10000000149011612");
  expect_number(1e15, "1000000000000000");
  expect_number(1e16, "1e16");
  expect_number(123456.789, "123456.789");
  expect_number(0.00012, "0.00012");
  expect_number(1.5e-7, "1.5e-7");
  expect_number(1e100, "1e100");
  expect_number(9007199254740993.0, "9007199254740992");
  expect_number(5e-324, "5e-324");
  expect_number(1.7976931348623157e308, "1.7976931348623157e308");
}

static void test_random(void **state) {
  (void)state;
  uint64_t bits = 88172645463325252u;
  for (int i = 0; i < 20000; i++) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    double value;
    char out[SUPPLEI_NUMBER_TEXT];
    memcpy(&value, &bits, sizeof value);
    if (!(value - value == 0)) continue;
    supplei_number_text(value, out);
    assert_true(strtod(out, NULL) == value);
    assert_true(strlen(out) < SUPPLEI_NUMBER_TEXT - 1);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_random)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
