/* test_meshopt_rules.c: what a compressed view may say. */
#include "src/gltf/meshopt_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { ATTRIBUTES, TRIANGLES, INDICES };
enum { NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL, COLOR };

static void check(uint32_t mode, uint32_t filter, uint64_t stride, uint64_t count, const char *part) {
  const supplei_meshopt m = {
      .length = 4096, .stride = stride, .count = count, .mode = mode, .filter = filter};
  const char *fault = supplei_meshopt_fault(&m, stride * count, 0);
  if (!part && fault) fail_msg("refused: %s", fault);
  if (part && (!fault || !strstr(fault, part))) fail_msg("%s; wanted %s", fault, part);
}

static void strides_and_filters(void **state) {
  (void)state;
  check(ATTRIBUTES, NONE, 4, 10, NULL);
  check(ATTRIBUTES, NONE, 256, 10, NULL);
  check(ATTRIBUTES, NONE, 6, 10, "multiple of 4");
  check(ATTRIBUTES, NONE, 260, 10, "multiple of 4");
  check(ATTRIBUTES, OCTAHEDRAL, 4, 10, NULL);
  check(ATTRIBUTES, OCTAHEDRAL, 8, 10, NULL);
  check(ATTRIBUTES, OCTAHEDRAL, 12, 10, "OCTAHEDRAL");
  check(ATTRIBUTES, COLOR, 12, 10, "COLOR");
  check(ATTRIBUTES, QUATERNION, 8, 10, NULL);
  check(ATTRIBUTES, QUATERNION, 4, 10, "QUATERNION");
  check(ATTRIBUTES, EXPONENTIAL, 20, 10, NULL);
  check(TRIANGLES, NONE, 2, 9, NULL);
  check(TRIANGLES, NONE, 4, 9, NULL);
  check(TRIANGLES, NONE, 8, 9, "2 or 4");
  check(TRIANGLES, NONE, 2, 10, "multiple of 3");
  check(TRIANGLES, OCTAHEDRAL, 4, 9, "only mode ATTRIBUTES");
  check(INDICES, NONE, 2, 10, NULL);
  check(INDICES, NONE, 1, 10, "2 or 4");
}

static void sizes(void **state) {
  (void)state;
  supplei_meshopt m = {.length = 100, .stride = 4, .count = 10};
  assert_null(supplei_meshopt_fault(&m, 40, 4));
  assert_non_null(supplei_meshopt_fault(&m, 40, 8));
  assert_non_null(supplei_meshopt_fault(&m, 44, 0));
  assert_non_null(supplei_meshopt_fault(&m, 36, 0));
  m.count = UINT64_MAX / 2; /* times stride it would wrap to a small number */
  assert_non_null(supplei_meshopt_fault(&m, 0xFFFFFFFFFFFFFFFCu, 0));
  /* more elements than so few bytes can say */
  m = (supplei_meshopt){.length = 100, .stride = 4, .count = 1 << 20, .mode = INDICES};
  assert_non_null(supplei_meshopt_fault(&m, 4 << 20, 0));
  m.mode = TRIANGLES, m.count = 3 << 18;
  assert_non_null(supplei_meshopt_fault(&m, 12 << 18, 0));
  m.mode = ATTRIBUTES, m.count = 1 << 20;
  assert_non_null(supplei_meshopt_fault(&m, 4 << 20, 0));
  m.length = 1 << 14;
  assert_null(supplei_meshopt_fault(&m, 4 << 20, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(strides_and_filters), cmocka_unit_test(sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
