/* test_bake_folder.c: part files are told by their names, in any folder. */
#include "cli/bake_folder.h"
#include "cli/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT SUPPLE_SCRATCH "/hero.pc2"

static void touch(const char *path) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  fclose(file);
}
static bool exists(const char *path) {
  FILE *file = fopen(path, "rb");
  if (file) fclose(file);
  return file != NULL;
}

static void counting(void **state) {
  (void)state;
  uint32_t count = 0;
  assert_int_equal(bake_count_shards(OUT, &count), CLI_FAILED);
  /* names that look like parts, and are none */
  static const char *const others[] = {OUT ".part-0-of-3",
                                       OUT ".part-4-of-3",
                                       OUT ".part-1-of-",
                                       OUT ".part-1-of-3x",
                                       OUT ".part--of-3",
                                       OUT ".part-1-3",
                                       OUT ".part-2-of-5.12-0.tmp",
                                       SUPPLE_SCRATCH "/xhero.pc2.part-1-of-9",
                                       SUPPLE_SCRATCH "/hero.pc.part-1-of-9",
                                       OUT ".part-1-of-99999999999"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) touch(others[i]);
  assert_int_equal(bake_count_shards(OUT, &count), CLI_FAILED);
  touch(OUT ".part-7-of-12");
  assert_int_equal(bake_count_shards(OUT, &count), CLI_FINE);
  assert_int_equal(count, 12);
  touch(OUT ".part-12-of-12");
  assert_int_equal(bake_count_shards(OUT, &count), CLI_FINE);
  touch(OUT ".part-1-of-1");
  assert_int_equal(bake_count_shards(OUT, &count), CLI_FAILED);
  remove(OUT ".part-1-of-1");
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) remove(others[i]);
  assert_int_equal(bake_count_shards(SUPPLE_SCRATCH "/none/hero.pc2", &count), CLI_FAILED);
}

static void unfinished(void **state) {
  (void)state;
  static const char *const goes[] = {OUT ".part-1-of-12.1-0.tmp", OUT ".part-3-of-12.99-17.tmp"};
  static const char *const stays[] = {OUT ".part-3-of-11.99-17.tmp", OUT ".part-3-of-12.tmp",
                                      OUT ".part-3-of-12.a.tmp",     OUT ".part-3-of-12.1-0.tmp2",
                                      OUT ".part-7-of-12",           OUT ".1-0.tmp"};
  for (size_t i = 0; i < 2; i++) touch(goes[i]);
  for (size_t i = 0; i < 6; i++) touch(stays[i]);
  bake_remove_unfinished(OUT, 12);
  for (size_t i = 0; i < 2; i++) assert_false(exists(goes[i]));
  for (size_t i = 0; i < 6; i++) assert_true(exists(stays[i]));
  for (size_t i = 0; i < 6; i++) remove(stays[i]);
}

static int prepare(void **state) {
  (void)state;
  return system("rm -f '" SUPPLE_SCRATCH "'/*hero*") == 0 ? 0 : 1;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counting), cmocka_unit_test(unfinished)};
  return cmocka_run_group_tests(tests, prepare, NULL);
}
