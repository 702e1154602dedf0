/* test_export_npz.c: the bytes of an .npz, and the checksum. (Python reads one in test_command_skin.py.) */
#include "cli/export_npz.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void checksum(void **state) {
  (void)state;
  /* the check value of CRC-32/ISO-HDLC */
  assert_int_equal(cli_crc32(0, "123456789", 9), 0xcbf43926u);
  assert_int_equal(cli_crc32(cli_crc32(0, "1234", 4), "56789", 5), 0xcbf43926u);
  assert_int_equal(cli_crc32(0, "", 0), 0);
}

static uint32_t u32(const char *at) {
  const unsigned char *b = (const unsigned char *)at;
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void arrays(void **state) {
  (void)state;
  static const float positions[6] = {1, 2, 3, 4, 5, 6};
  static const uint32_t triangle[3] = {0, 1, 1};
  const supple_primitive source = {
      .index = 2, .vertex_count = 2, .indices = triangle, .index_count = 3};
  const cli_posed posed = {.node = 3, .name = "x", .source = &source, .positions = positions};
  cli_output *output = cli_output_open_memory();
  size_t size;
  assert_int_equal(cli_export_npz(output, &posed, 1), CLI_FINE);
  const char *data = cli_output_contents(output, &size);
  static const char name[] = "node3_primitive2_positions.npy";
  assert_memory_equal(data, "PK\3\4", 4);
  assert_memory_equal(data + 30, name, strlen(name));
  const char *npy = data + 30 + strlen(name);
  const uint32_t length = u32(data + 18);
  assert_int_equal(length, 128 + 24);
  assert_int_equal(u32(data + 22), length);
  assert_int_equal(cli_crc32(0, npy, length), u32(data + 14));
  assert_memory_equal(
      npy, "\x93NUMPY\1\0\x76\0{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 64);
  assert_int_equal(npy[127], '\n');
  assert_memory_equal(npy + 128, positions, sizeof positions);
  /* the end record: two entries, and where their list is */
  const char *end = data + size - 22;
  assert_memory_equal(end, "PK\5\6", 4);
  assert_int_equal(u32(end + 8), 2 << 16 | 2);
  assert_int_equal(u32(end + 12) + u32(end + 16) + 22, size);
  assert_memory_equal(data + u32(end + 16), "PK\1\2", 4);
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(checksum),
      cmocka_unit_test(arrays),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
