/* view_page.c: the built page of `supple view` as text. */
#include "view_page.h"

#include <stdlib.h>

#if defined(CLI_HAS_PAGE)

bool view_page_is_here(void) { return true; }

char *view_page_text(size_t *size) {
  char *text = malloc(view_page_size + 1);
  if (!text) return NULL;
  for (size_t i = 0; i < view_page_size; i++)
    text[i] = (char)(unsigned char)(view_page_numbers[i / 8] >> (56 - 8 * (i % 8)) & 0xff);
  text[view_page_size] = '\0';
  *size = view_page_size;
  return text;
}

#else /* the command compiled without cmake/view_page.cmake */

bool view_page_is_here(void) { return false; }

char *view_page_text(size_t *size) {
  *size = 0;
  return NULL;
}

#endif
