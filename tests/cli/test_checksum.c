/* test_checksum.c: CRC-32 against its definition, bit by bit; pieces joined; what the hash tells apart. */
#include "cli/checksum.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

enum { SIZE = 20000 };
static unsigned char bytes[SIZE];

static int fill(void **state) {
  uint32_t x = 1;
  (void)state;
  for (int i = 0; i < SIZE; i++) {
    x = x * 1664525u + 1013904223u;
    bytes[i] = (unsigned char)(x >> 24);
  }
  return 0;
}

/* ISO 3309: the remainder of a division, one bit after the other. */
static uint32_t slow_crc(const unsigned char *data, size_t size) {
  uint32_t crc = 0xffffffffu;
  for (size_t i = 0; i < size; i++)
    for (int bit = 0; bit < 8; bit++) {
      const uint32_t low = (crc ^ (uint32_t)data[i] >> bit) & 1;
      crc = crc >> 1 ^ (low ? 0xedb88320u : 0);
    }
  return ~crc;
}

static void crc_is_the_remainder(void **state) {
  (void)state;
  assert_int_equal(cli_crc32(0, "123456789", 9), 0xcbf43926u); /* the check value */
  assert_int_equal(slow_crc((const unsigned char *)"123456789", 9), 0xcbf43926u);
  assert_int_equal(cli_crc32(0, "", 0), 0);
  const size_t sizes[] = {1, 7, 8, 9, 63, 4095, 4096, 4097, 4103, 4104, 9999, SIZE - 3};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    for (size_t shift = 0; shift < 3; shift++)
      assert_int_equal(cli_crc32(0, bytes + shift, sizes[i]), slow_crc(bytes + shift, sizes[i]));
}

static void pieces_follow_or_join(void **state) {
  (void)state;
  const uint32_t whole = cli_crc32(0, bytes, SIZE);
  const size_t cuts[] = {0, 1, 5, 4096, 10000, SIZE - 1, SIZE};
  for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
    const size_t cut = cuts[i];
    const uint32_t a = cli_crc32(0, bytes, cut), b = cli_crc32(0, bytes + cut, SIZE - cut);
    assert_int_equal(cli_crc32(a, bytes + cut, SIZE - cut), whole);
    assert_int_equal(cli_crc32_join(a, b, SIZE - cut), whole);
  }
  uint32_t many = 0;
  for (size_t i = 0; i < SIZE; i += 250)
    many = cli_crc32_join(many, cli_crc32(0, bytes + i, 250), 250);
  assert_int_equal(many, whole);
}

static void hash_of(const void *data, size_t size, uint64_t result[2]) {
  cli_hash hash = cli_hash_start();
  cli_hash_add(&hash, data, size);
  cli_hash_result(&hash, result);
}

static void hash_tells_apart(void **state) {
  (void)state;
  uint64_t whole[2], other[2];
  hash_of(bytes, 1000, whole);
  hash_of(bytes, 1000, other);
  assert_memory_equal(whole, other, sizeof whole);
  for (size_t bit = 0; bit < 8000; bit++) {
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    hash_of(bytes, 1000, other);
    bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    assert_true(whole[0] != other[0] && whole[1] != other[1]);
  }
  for (size_t size = 0; size < 1000; size++) {
    hash_of(bytes, size, other);
    assert_true(whole[0] != other[0] && whole[1] != other[1]);
  }
}

/* Where one piece ends and the next begins counts too, and zeros count. */
static void pieces_do_not_run_together(void **state) {
  (void)state;
  uint64_t results[4][2];
  static const char *const pieces[4][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}};
  for (int i = 0; i < 4; i++) {
    cli_hash hash = cli_hash_start();
    for (int k = 0; k < 2; k++) cli_hash_add(&hash, pieces[i][k], strlen(pieces[i][k]));
    cli_hash_result(&hash, results[i]);
    for (int k = 0; k < i; k++) assert_memory_not_equal(results[i], results[k], sizeof results[i]);
  }
  static const unsigned char zeros[64] = {0};
  for (size_t a = 0; a < 64; a++)
    for (size_t b = 0; b < a; b++) {
      hash_of(zeros, a, results[0]);
      hash_of(zeros, b, results[1]);
      assert_memory_not_equal(results[0], results[1], sizeof results[0]);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(crc_is_the_remainder),
      cmocka_unit_test(pieces_follow_or_join),
      cmocka_unit_test(hash_tells_apart),
      cmocka_unit_test(pieces_do_not_run_together),
  };
  return cmocka_run_group_tests(tests, fill, NULL);
}
