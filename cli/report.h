/* report.h: a comparison as one self-contained HTML page. */
#ifndef SUPPLE_CLI_REPORT_H
#define SUPPLE_CLI_REPORT_H

#include "verdict.h"

/* How many joints are drawn; the others stand in the table. */
enum { REPORT_DRAWN = 24 };

/* outlines[count]: of the first `count` joints of the verdict, in its order. The page needs no network and
 * no script; names from the file are escaped. */
void report_print(cli_output *output, const comparison *results, const verdict *all,
                  const compared_outline *outlines, uint32_t count);

#endif
