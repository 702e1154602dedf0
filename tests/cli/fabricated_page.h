/* fabricated_page.h: one part of the report of a made-up comparison, as text. */
#ifndef SUPPLE_TESTS_FABRICATED_PAGE_H
#define SUPPLE_TESTS_FABRICATED_PAGE_H

#include "cli/report_parts.h"
#include "fabricated.h"

typedef struct fabricated_page {
  fabricated *made;
  comparison *results;
  verdict *all;
  report_page page; /* writes to memory */
} fabricated_page;

void fabricated_page_open(fabricated_page *one, fabricated_kind kind);
/* What was written so far. */
const char *fabricated_page_text(const fabricated_page *one);
void fabricated_page_close(fabricated_page *one);

/* How often `part` stands in `text`. */
unsigned fabricated_count(const char *text, const char *part);
/* Whether every tag that opens is closed again, in order; and nothing of a hostile name is a tag. */
bool fabricated_is_balanced(const char *text);

#endif
