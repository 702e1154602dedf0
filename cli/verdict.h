/* verdict.h: which joints collapse, and where each is at its worst.
 *
 * A joint here is a node of the file: instances that share joints (body, clothes) share its row. How much it
 * keeps in a frame under a method is the smaller of own_kept (what its own turn leaves of the vertices that it
 * shares) and the smallest section; it collapses where that is below the threshold. A joint that shares
 * vertices of which none was ever its own, and that has no section, is not measured: nothing bends there on
 * its account. */
#ifndef SUPPLE_CLI_VERDICT_H
#define SUPPLE_CLI_VERDICT_H

#include "compare.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct verdict_joint {
  uint32_t node;
  uint32_t instance, joint;   /* where it is at its worst; else the first instance that has it */
  supple_joint_status status; /* over the instances that have it: ok, ambiguous, open, outside, rigid,
                                 unweighted, the first of these that one has */
  bool measured;              /* the numbers below exist */
  size_t frame;               /* where the least of all methods keeps least */
  double keeps[CLI_METHODS_MOST]; /* there; NaN where it does not exist */
  double section; /* there: the smallest section of all methods, NaN where there is none */
  double lowest[CLI_METHODS_MOST]; /* over all frames and instances */
  size_t lowest_frame[CLI_METHODS_MOST];
  bool collapses[CLI_METHODS_MOST];
  bool bad; /* under any method */
} verdict_joint;

/* Joints that collapse, worst first; then the measured others, likewise; then the rest as in the file. Of joints
 * that keep the same (two that keep nothing) the one with the smallest section comes first. */
typedef struct verdict {
  verdict_joint *joints;
  uint32_t joint_count;
  uint32_t bad_count;
  uint32_t measured_count;
  uint32_t collapsing[CLI_METHODS_MOST]; /* how many under each method */
} verdict;

/* How much a joint keeps: NaN where neither number exists. */
double verdict_keeps(const compared_joint *joint);
/* NULL: out of memory, which was reported. */
verdict *verdict_reach(const comparison *results);
void verdict_free(verdict *all);

/* The joint that keeps least under a method, or NULL where none was measured. */
const verdict_joint *verdict_lowest(const verdict *all, uint32_t method);
/* "3 of 52 joints collapse under LBS", "none of 52 joints collapses under LBS"; long names of the method
 * where `title`. Returns text. */
const char *verdict_count_text(const comparison *results, const verdict *all, uint32_t method,
                               bool title, char *text, size_t size);

/* compare_table.c: the verdict as a table for a terminal. */
void compare_print_table(cli_output *output, const comparison *results, const verdict *all);

#endif
