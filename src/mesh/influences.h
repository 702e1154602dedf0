/* influences.h: cleaning the raw influences of one vertex. */
#ifndef SUPPLEI_INFLUENCES_H
#define SUPPLEI_INFLUENCES_H

#include "../../include/supple/mesh.h"

typedef struct supplei_influence {
  double weight;
  uint32_t place; /* in the raw list */
  uint16_t joint;
} supplei_influence;

/* Cleans `count` raw influences of a vertex into `clean`, room for `count`: joints ascending, weights
 * positive, summing to 1. Returns how many remain, *pivot is the place of the highest, *sum what the stored
 * ones summed up to (0: unweighted). Adds the repairs to *report. */
uint32_t supplei_influences_clean(const uint16_t *joints, const float *weights, uint32_t count,
                                  const supple_binding_options *options, supplei_influence *clean,
                                  uint32_t *pivot, double *sum, supple_binding_report *report);

#endif
