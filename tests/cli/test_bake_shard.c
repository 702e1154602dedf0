/* test_bake_shard.c: shards by number, and which frames they have. (By environment: test_command_bake.py.) */
#include "cli/bake_shard.h"
#include "cli/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void numbers_count_from_one(void **state) {
  (void)state;
  uint32_t shard, count;
  assert_int_equal(bake_shard_parse("1/1", &shard, &count), CLI_FINE);
  assert_true(shard == 0 && count == 1);
  assert_int_equal(bake_shard_parse("3/16", &shard, &count), CLI_FINE);
  assert_true(shard == 2 && count == 16);
  assert_int_equal(bake_shard_parse("100000/100000", &shard, &count), CLI_FINE);
  assert_true(shard == 99999 && count == 100000);
  static const char *const wrong[] = {"",
                                      "/",
                                      "1",
                                      "1/",
                                      "/2",
                                      "0/2",
                                      "3/2",
                                      "1/0",
                                      "1/2 ",
                                      " 1/2",
                                      "1/2/",
                                      "+1/2",
                                      "1.5/2",
                                      "auto/",
                                      "automatic",
                                      "1/100001",
                                      "99999999999999999999/3"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
    assert_int_equal(bake_shard_parse(wrong[i], &shard, &count), CLI_USAGE);
}

/* Every frame is in one shard, in order, and no shard has two more than another. */
static void shards_part_the_frames(void **state) {
  (void)state;
  static const uint32_t frames[] = {1, 2, 3, 10, 97, 1000, 1000000};
  static const uint32_t counts[] = {1, 2, 3, 7, 16, 1000, 100000};
  for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++)
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
      uint32_t next = 0, least = UINT32_MAX, most = 0;
      for (uint32_t shard = 0; shard < counts[c]; shard++) {
        uint32_t begin, end;
        bake_shard_range(frames[f], shard, counts[c], &begin, &end);
        assert_true(begin == next && end >= begin);
        next = end;
        if (end - begin < least) least = end - begin;
        if (end - begin > most) most = end - begin;
      }
      assert_int_equal(next, frames[f]);
      assert_true(most - least <= 1);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_count_from_one),
                                     cmocka_unit_test(shards_part_the_frames)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
