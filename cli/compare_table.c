/* compare_table.c: the verdict as text for a terminal: one sentence, then the joints, worst first. */
#include "verdict.h"

#include "print.h"

#include <math.h>
#include <stdio.h>

enum { MOST_ROWS = 60, FEW_ROWS = 5 };

static void print_heading(cli_output *output, const comparison *results, const verdict *all) {
  char text[160], number[CLI_NUMBER_TEXT];
  cli_plain_text(output, results->file);
  cli_output_format(output, ": %s", verdict_count_text(results, all, 0, false, text, sizeof text));
  for (uint32_t m = 1; m < results->method_count; m++)
    if (all->collapsing[m])
      cli_output_format(output, ", %u under %s", (unsigned)all->collapsing[m],
                        compare_method_short(results->methods[m]));
  const double percent = 100.0 * results->threshold;
  cli_output_format(output, " (cross-section kept < %s %%)\n",
                    cli_fixed_text(percent, percent == floor(percent) ? 0 : 1, number));
}

static void print_row(cli_table *table, const comparison *results, const verdict_joint *row) {
  char name[256], when[64];
  cli_table_cell(table, cli_node_name(results->asset, row->node, name, sizeof name));
  cli_table_cell(table, results->motion->clips[motion_find(results->motion, row->frame)].name);
  cli_table_cell(table, motion_when(results->motion, row->frame, when, sizeof when));
  for (uint32_t m = 0; m < results->method_count; m++)
    cli_table_fixed(table, 100.0 * row->keeps[m], 1, "%");
  cli_table_end_row(table);
}

static void print_rows(cli_output *output, const comparison *results, const verdict *all,
                       uint32_t count) {
  char formats[4 + CLI_METHODS_MOST] = "lll", title[32];
  for (uint32_t m = 0; m < results->method_count; m++) formats[3 + m] = 'r';
  cli_table *table = cli_table_create(formats);
  cli_table_cell(table, "joint");
  cli_table_cell(table, results->motion->range ? "turned" : "clip");
  cli_table_cell(table, "at");
  for (uint32_t m = 0; m < results->method_count; m++) {
    snprintf(title, sizeof title, "%s%s",
             m ? "" : "kept: ", compare_method_short(results->methods[m]));
    cli_table_cell(table, title);
  }
  cli_table_end_row(table);
  for (uint32_t i = 0; i < count; i++) print_row(table, results, &all->joints[i]);
  cli_table_print(table, output, 0);
}

/* What the table does not show, so that nothing is silently absent. */
static void print_rest(cli_output *output, const verdict *all) {
  static const supple_joint_status kinds[] = {SUPPLE_JOINT_AMBIGUOUS,  SUPPLE_JOINT_OPEN,
                                              SUPPLE_JOINT_OUTSIDE,    SUPPLE_JOINT_RIGID,
                                              SUPPLE_JOINT_UNWEIGHTED, SUPPLE_JOINT_SKIPPED};
  const char *before = "no cross-section of their own: ";
  bool any = false;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->joint_count; i++) count += all->joints[i].status == kinds[k];
    if (!count) continue;
    cli_output_format(output, "%s%u %s", any ? ", " : before, (unsigned)count,
                      supple_joint_status_text(kinds[k]));
    any = true;
  }
  if (any) cli_output_text(output, "\n");
}

void compare_print_table(cli_output *output, const comparison *results, const verdict *all) {
  print_heading(output, results, all);
  const uint32_t wanted = all->bad_count                   ? all->bad_count
                          : all->measured_count < FEW_ROWS ? all->measured_count
                                                           : (uint32_t)FEW_ROWS;
  const uint32_t count = wanted < MOST_ROWS ? wanted : (uint32_t)MOST_ROWS;
  if (count) {
    if (!all->bad_count) cli_output_text(output, "those that keep least:\n");
    print_rows(output, results, all, count);
  }
  if (wanted > count)
    cli_output_format(output, "and %u more (--json has all)\n", (unsigned)(wanted - count));
  print_rest(output, all);
}
