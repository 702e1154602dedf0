/* test_stored_zip.c: the bytes of zip files: heads, alignment, names, many entries. (Python reads them in
 * test_command_skin.py and test_command_convert.py.) */
#include "cli/stored_zip.h"

#include "cli/checksum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static uint32_t number(const unsigned char *at, int size) {
  uint32_t value = 0;
  for (int i = size; i-- > 0;) value = value << 8 | at[i];
  return value;
}

/* Checks the entry at *place, and moves *place behind it. */
static void check_entry(const unsigned char *zip, size_t *place, uint32_t alignment,
                        const char *name, const char *data) {
  const unsigned char *at = zip + *place;
  const uint32_t size = (uint32_t)strlen(data), length = number(at + 26, 2),
                 extra = number(at + 28, 2);
  assert_memory_equal(at, "PK\3\4", 4);
  assert_int_equal(number(at + 8, 2), 0); /* stored */
  assert_int_equal(number(at + 14, 4), cli_crc32(0, data, size));
  assert_true(number(at + 18, 4) == size && number(at + 22, 4) == size);
  assert_int_equal(length, strlen(name));
  assert_memory_equal(at + 30, name, length);
  if (extra) assert_int_equal(number(at + 30 + length + 2, 2), extra - 4);
  assert_int_equal((*place + 30 + length + extra) % alignment, 0);
  assert_true(extra < alignment + 4);
  assert_memory_equal(at + 30 + length + extra, data, size);
  *place += 30 + length + extra + size;
}

static void entries(void **state) {
  (void)state;
  enum { COUNT = 100 }; /* of all lengths of padding */
  static char names[COUNT][110];
  for (uint32_t alignment = 1; alignment <= 64; alignment *= 8) {
    cli_output *output = cli_output_open_memory();
    cli_zip *zip = cli_zip_create(output, alignment, "x");
    size_t size, place = 0;
    for (int i = 0; i < COUNT; i++) {
      memset(names[i], 'n', (size_t)i + 1);
      memcpy(names[i], i % 2 ? "\xc3\xa4" : "ae", i > 1 ? 2 : 0);
      assert_int_equal(cli_zip_add(zip, names[i], "data and more", (size_t)(i % 14)), CLI_FINE);
    }
    cli_zip_end(zip);
    cli_zip_free(zip);
    const unsigned char *bytes = (const unsigned char *)cli_output_contents(output, &size);
    const unsigned char *end = bytes + size - 22;
    for (int i = 0; i < COUNT; i++) {
      char data[16] = "data and more";
      data[i % 14] = 0;
      const size_t begin = place;
      check_entry(bytes, &place, alignment, names[i], data);
      assert_int_equal(number(bytes + begin + 6, 2), i > 1 && i % 2 ? 1 << 11 : 0); /* UTF-8 */
    }
    assert_memory_equal(end, "PK\5\6", 4);
    assert_int_equal(number(end + 10, 2), COUNT);
    assert_int_equal(number(end + 16, 4), place); /* the directory */
    assert_int_equal(number(end + 12, 4), (size_t)(end - bytes) - place);
    const unsigned char *at = bytes + place;
    for (int i = 0; i < COUNT; i++, at += 46 + number(at + 28, 2)) {
      assert_memory_equal(at, "PK\1\2", 4);
      const unsigned char *local = bytes + number(at + 42, 4);
      assert_memory_equal(local + 4, at + 6, 24); /* version to the length of the name */
      assert_int_equal(number(at + 30, 2), 0);
    }
    assert_ptr_equal(at, end);
    cli_output_abandon(output);
  }
}

static void refusals(void **state) {
  (void)state;
  char name[300];
  cli_output *output = cli_output_open_memory();
  cli_zip *zip = cli_zip_create(output, 64, "x.usdz");
  memset(name, 'n', sizeof name);
  name[sizeof name - 1] = 0;
  assert_int_equal(cli_zip_add(zip, name, "", 0), CLI_FAILED);
  assert_int_equal(cli_zip_add(zip, "large", "", UINT32_MAX), CLI_FAILED); /* it is not looked at */
  size_t size = 1;
  assert_non_null(cli_output_contents(output, &size));
  assert_int_equal(size, 0);
  cli_zip_free(zip);
  cli_zip_free(NULL);
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(entries), cmocka_unit_test(refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
