/* fabricated.h: comparisons made up by arithmetic, so that printing them is tested without any asset. */
#ifndef SUPPLE_TESTS_FABRICATED_H
#define SUPPLE_TESTS_FABRICATED_H

#include "cli/verdict.h"

/* Seven joints in a chain, two instances of one skin, methods LBS and DQS.
 *
 *   joint  node  name          status       least LBS  least DQS
 *   0      1     root          rigid
 *   1      2     upper         ok           0.9        0.99
 *   2      3     wrist.L       ok           0.312      0.987     at 0.5 s of Wave, first instance
 *   3      4     <hostile>     ambiguous    0.5 kept   0.95      at 0.5 s of Wave; no section
 *   4      5     手首           ok           0.7        0.99      likewise
 *   5      6     ""            open         0.8 kept   0.96
 *   6      7     idle          unweighted
 *
 * Numbers fall from 1 at both ends of each clip to these in its middle; in the second clip and the second
 * instance they fall half as far. The first instance has a volume. own_kept is kept. Joint j turns from 0 to
 * 50 j degrees in the middle of each clip; the root has no turn. Every number is exact in its formula, see
 * fabricated_number. */
typedef enum fabricated_kind {
  FABRICATED_CLIPS,  /* "Wave", 0 to 1 s in 5 times, and a hostile name, 0 to 2 s in 3 times */
  FABRICATED_RANGE,  /* the same as a range of motion of two joints, three poses each */
  FABRICATED_FINE,   /* as CLIPS, but nothing falls below 0.9 */
  FABRICATED_NOTHING /* as CLIPS, but every joint is rigid */
} fabricated_kind;

#define FABRICATED_HOSTILE "<img src=x onerror=alert(1)>\"'&\x1b[31m"

enum { FABRICATED_JOINTS = 7, FABRICATED_INSTANCES = 2 };

typedef struct fabricated fabricated;
fabricated *fabricated_create(fabricated_kind kind);
comparison *fabricated_comparison(fabricated *made);
/* Outlines of the verdict's bad joints: circles, squeezed as they collapse. count of them. */
compared_outline *fabricated_outlines(fabricated *made, const verdict *all, uint32_t *count);
void fabricated_free(fabricated *made);

/* 1 − (1 − least) · hump, with hump 0 at the ends of a clip and 1 in its middle. */
double fabricated_number(double least, uint32_t time, uint32_t time_count);

#endif
