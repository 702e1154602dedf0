/* tidy_influences.h: the stored influences of one vertex as glTF wants them. */
#ifndef SUPPLEI_TIDY_INFLUENCES_H
#define SUPPLEI_TIDY_INFLUENCES_H

#include <stdbool.h>
#include <stdint.h>

/* How weights are stored, by glTF's component type. */
typedef enum supplei_weight_type {
  SUPPLEI_WEIGHT_U8 = 5121,  /* 255 is 1 */
  SUPPLEI_WEIGHT_U16 = 5123, /* 65,535 is 1 */
  SUPPLEI_WEIGHT_F32 = 5126  /* as it is */
} supplei_weight_type;

/* Joints and weights of one vertex, in units of the type: whole numbers, or floats. */
typedef struct supplei_stored_influence {
  double weight;
  uint16_t joint;
} supplei_stored_influence;

/* What was wrong, in vertices. */
typedef struct supplei_tidy_report {
  uint32_t vertices;   /* looked at */
  uint32_t changed;    /* any of the following */
  uint32_t off;        /* the sum is not 1 */
  uint32_t duplicates; /* a joint is named twice with weight */
  uint32_t zeros;      /* a joint other than 0 is named without weight */
  uint32_t negatives;  /* a weight is below zero */
  uint32_t unweighted; /* no weight is above zero */
  uint32_t unordered;  /* not largest first, or a gap */
  uint32_t most;       /* influences of one vertex afterwards */
  double worst_sum;    /* the sum that is farthest from 1 */
} supplei_tidy_report;

/* What 1 is in units of the type. */
double supplei_weight_one(supplei_weight_type type);

/* Tidies list[count] in place: a joint named twice is merged, what is not positive is dropped, largest first
 * (equal ones as they stood), weights whose sum is off are divided by it; what is left over is {0, 0}. A vertex
 * without weight gets weight 1 for the first joint named, as everywhere in Supple. Returns how many influences there
 * are (at least 1); adds to *report. What is tidy does not change. count is at least 1. */
uint32_t supplei_tidy_vertex(supplei_stored_influence *list, uint32_t count,
                             supplei_weight_type type, supplei_tidy_report *report);

/* Rounds weights that sum to 1 to what can be stored: whole numbers by largest remainder, so that the sum is
 * exact. Positive weights may become 0. */
void supplei_quantise_weights(const double *weights, uint32_t count, supplei_weight_type type,
                              double *stored);

/* Whether the sum of stored weights is 1 as the specification and the Khronos validator want it: exactly for whole
 * numbers, within 2e-7 for each weight that is not 0 for floats (summed in double and in float). */
bool supplei_weights_sum_fine(const supplei_stored_influence *list, uint32_t count,
                              supplei_weight_type type);

#endif
