/* test_golden_parts.c: the golden rows beside deformation run, repeat themselves, and give finite numbers. */
#include "cli/golden.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static cli_golden_hash run(const cli_golden_part_row *part) {
  cli_golden_hash hash = cli_golden_hash_start();
  const supple_result result = part->compute(&hash);
  if (result) fail_msg("%s: %s", part->name, supple_result_text(result));
  return hash;
}

static void parts_repeat_themselves(void **state) {
  (void)state;
  const uint64_t empty = cli_golden_hash_start().state;
  for (const cli_golden_part_row *part = cli_golden_parts; part->name; part++) {
    const cli_golden_hash first = run(part), second = run(part);
    assert_true(first.finite);
    assert_true(first.state != empty);
    assert_true(first.state == second.state);
  }
}

/* What came before is part of the hash. */
static void parts_go_on_from_the_hash(void **state) {
  (void)state;
  for (const cli_golden_part_row *part = cli_golden_parts; part->name; part++) {
    cli_golden_hash hash = cli_golden_hash_start();
    cli_golden_hash_u32(&hash, 1);
    assert_int_equal(part->compute(&hash), SUPPLE_OK);
    assert_true(hash.state != run(part).state);
  }
}

static void random_numbers_are_exact(void **state) {
  (void)state;
  cli_golden_random random = {5};
  double least = 1, most = -1;
  for (int i = 0; i < 10000; i++) {
    const double number = cli_golden_signed(&random);
    assert_true(number >= -1 && number < 1);
    assert_true((double)(float)number == number);
    assert_true(number * 0x1p23 == (double)(int32_t)(number * 0x1p23));
    least = number < least ? number : least;
    most = number > most ? number : most;
  }
  assert_true(least < -0.99 && most > 0.99);
  random.state = 0; /* state 1442695040888963407 = 0x14057b7ef767814f */
  assert_int_equal(cli_golden_bits(&random), 0x14057b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_repeat_themselves),
      cmocka_unit_test(parts_go_on_from_the_hash),
      cmocka_unit_test(random_numbers_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
