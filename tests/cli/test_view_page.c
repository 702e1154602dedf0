/* test_view_page.c: the page in the command is cli/view_page.html, byte by byte. */
#include "cli/view_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_bytes(void **state) {
  (void)state;
  if (!view_page_is_here()) skip();
  FILE *file = fopen(SUPPLE_SOURCE_DIR "/cli/view_page.html", "rb");
  assert_non_null(file);
  assert_int_equal(fseek(file, 0, SEEK_END), 0);
  const long length = ftell(file);
  assert_true(length > 0);
  rewind(file);
  char *wanted = malloc((size_t)length);
  assert_non_null(wanted);
  assert_int_equal(fread(wanted, 1, (size_t)length, file), (size_t)length);
  fclose(file);
  size_t size = 0;
  char *page = view_page_text(&size);
  assert_non_null(page);
  assert_int_equal(size, (size_t)length);
  assert_memory_equal(page, wanted, size);
  assert_int_equal(page[size], '\0');
  assert_non_null(strstr(page, "id=\"supple-asset\""));
  free(page);
  free(wanted);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
