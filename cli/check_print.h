/* check_print.h: what the checker found, as text and as JSON. */
#ifndef SUPPLE_CLI_CHECK_PRINT_H
#define SUPPLE_CLI_CHECK_PRINT_H

#include "print.h"

#include <supple/check.h>

enum { CLI_SEVERITIES = 4 };

/* What of a report is shown. */
typedef struct cli_check_view {
  supple_severity least; /* findings less severe than this are left out, but counted */
  bool verbose;          /* text: what viewers do, and what mends it */
  bool all;              /* text: every finding, however many there are of a code */
  const bool *ignored;   /* by the number of the code; NULL: none */
} cli_check_view;

/* One file checked. */
typedef struct cli_checked {
  const char *path;
  const supple_check_report *report; /* NULL: it could not be read */
  const char *unread;                /* why, else NULL */
} cli_checked;

/* Findings by severity, ignored ones left out. */
void cli_check_count(const supple_check_report *report, const cli_check_view *view,
                     uint32_t counts[CLI_SEVERITIES]);
/* "2 errors, 1 warning", or "nothing found". Returns text. */
const char *cli_check_counts_text(const uint32_t counts[CLI_SEVERITIES], char *text, size_t size);
/* A line for the file, then its findings: of each code the first ten, unless all are wanted, and how many more. */
void cli_check_print(cli_output *output, const cli_checked *checked, const cli_check_view *view);
/* One object of an array. */
void cli_check_json(cli_json *json, const cli_checked *checked, const cli_check_view *view);
/* All codes. */
void cli_check_print_codes(cli_output *output, bool verbose);
void cli_check_json_codes(cli_output *output);

#endif
