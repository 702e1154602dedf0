/* fix_print.h: what was repaired, as text and as JSON. */
#ifndef SUPPLE_CLI_FIX_PRINT_H
#define SUPPLE_CLI_FIX_PRINT_H

#include "print.h"

#include <supple/supple.h>

/* One run on one file. */
typedef struct fix_outcome {
  const char *file, *written; /* paths; written NULL: nothing was (--dry-run) */
  const supple_fix_report *report;
  uint32_t influences;    /* as asked for; 0: not */
  const char *worst_clip; /* name of report->worst_clip, NULL: none */
  bool pruned;            /* the next two count */
  supple_pruned dropped;
  const char *kept; /* the extension because of which something stays, or NULL */
  bool all;         /* every action, however many of a kind */
} fix_outcome;

/* How many actions could not be done. */
uint32_t fix_refused(const supple_fix_report *report);

void fix_print_text(cli_output *output, const fix_outcome *outcome);
void fix_print_json(cli_output *output, const fix_outcome *outcome);

#endif
