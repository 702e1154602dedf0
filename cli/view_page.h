/* view_page.h: the built page of `supple view`, view_page.html, and view_basis.html, which goes into it where the asset has
 * KTX2 textures: the build puts both into the command. */
#ifndef SUPPLE_CLI_VIEW_PAGE_H
#define SUPPLE_CLI_VIEW_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Written by cmake/view_page.cmake, where CLI_HAS_PAGE is defined: eight bytes a number, the first one highest. */
extern const uint64_t view_page_numbers[], view_basis_numbers[];
extern const size_t view_page_size, view_basis_size; /* in bytes */

/* Whether this build carries the page. */
bool view_page_is_here(void);
/* The page, or what decodes KTX2 textures in it, as text, NUL-terminated, to be freed by the caller. NULL where memory ran
 * out or there is no page. */
char *view_page_text(size_t *size);
char *view_basis_text(size_t *size);

#endif
