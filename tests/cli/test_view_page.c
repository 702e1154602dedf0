/* test_view_page.c: the page in the command is cli/view_page.html, and what goes into it for KTX2 textures is
 * cli/view_basis.html, byte by byte. */
#include "cli/view_page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check_text(const char *path, char *(*text)(size_t *size), const char *mark) {
  FILE *file = fopen(path, "rb");
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
  char *page = text(&size);
  assert_non_null(page);
  assert_int_equal(size, (size_t)length);
  assert_memory_equal(page, wanted, size);
  assert_int_equal(page[size], '\0');
  assert_int_equal(strlen(page), size);
  assert_non_null(strstr(page, mark));
  free(page);
  free(wanted);
}

static void test_bytes(void **state) {
  (void)state;
  if (!view_page_is_here()) skip();
  check_text(SUPPLE_SOURCE_DIR "/cli/view_page.html", view_page_text, "id=\"supple-asset\"");
  check_text(SUPPLE_SOURCE_DIR "/cli/view_basis.html", view_basis_text, "function suppleBasis");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
