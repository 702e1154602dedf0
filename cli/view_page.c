/* view_page.c: the built page of `supple view` as text. */
#include "view_page.h"

#include <stdlib.h>

#if defined(CLI_HAS_PAGE)

bool view_page_is_here(void) { return true; }

static char *text_of(const uint64_t *numbers, size_t bytes, size_t *size) {
  char *text = malloc(bytes + 1);
  if (!text) return NULL;
  for (size_t i = 0; i < bytes; i++)
    text[i] = (char)(unsigned char)(numbers[i / 8] >> (56 - 8 * (i % 8)) & 0xff);
  text[bytes] = '\0';
  *size = bytes;
  return text;
}

char *view_page_text(size_t *size) { return text_of(view_page_numbers, view_page_size, size); }
char *view_basis_text(size_t *size) { return text_of(view_basis_numbers, view_basis_size, size); }

#else /* the command compiled without cmake/view_page.cmake */

bool view_page_is_here(void) { return false; }

char *view_page_text(size_t *size) {
  *size = 0;
  return NULL;
}

char *view_basis_text(size_t *size) { return view_page_text(size); }

#endif
