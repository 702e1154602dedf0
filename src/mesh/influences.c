/* influences.c: cleaning the raw influences of one vertex. */
#include "../base/prologue.h"

#include "influences.h"

#include <math.h>

/* Merges the raw list into joints ascending; a joint named twice gets the sum, in stored order. */
static uint32_t merge(const uint16_t *joints, const float *weights, uint32_t count,
                      supplei_influence *out, supple_binding_report *report) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (weights[i] == 0.0f) continue; /* padding */
    uint32_t at = n;
    while (at > 0 && out[at - 1].joint > joints[i]) at--;
    if (at > 0 && out[at - 1].joint == joints[i]) {
      out[at - 1].weight += (double)weights[i];
      report->duplicates++;
      continue;
    }
    for (uint32_t k = n; k > at; k--) out[k] = out[k - 1];
    out[at] = (supplei_influence){.weight = (double)weights[i], .joint = joints[i]};
    n++;
  }
  return n;
}

/* Drops what is not positive. */
static uint32_t clip(supplei_influence *list, uint32_t n, supple_binding_report *report) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (list[i].weight < 0) report->negatives++;
    if (list[i].weight > 0) list[kept++] = list[i];
  }
  return kept;
}

static uint32_t largest(const supplei_influence *list, uint32_t n) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < n; i++)
    if (list[i].weight > list[best].weight) best = i;
  return best;
}

/* Keeps the `most` largest, ties to the lowest joint; they stay in ascending order of joints. */
static uint32_t limit(supplei_influence *list, uint32_t n, uint32_t most, double sum,
                      supple_binding_report *report) {
  double dropped = 0;
  while (n > most) {
    uint32_t least = n - 1;
    for (uint32_t i = n - 1; i-- > 0;)
      if (list[i].weight < list[least].weight) least = i;
    dropped += list[least].weight;
    for (uint32_t i = least; i + 1 < n; i++) list[i] = list[i + 1];
    n--;
    report->limited++;
  }
  float share = (float)(dropped / sum);
  if (share > report->largest_dropped) report->largest_dropped = share;
  return n;
}

static double total(const supplei_influence *list, uint32_t n) {
  double sum = 0;
  for (uint32_t i = 0; i < n; i++) sum += list[i].weight;
  return sum;
}

/* Divides by the sum; what a float can't hold is dropped. */
static uint32_t normalise(supplei_influence *list, uint32_t n) {
  double sum = total(list, n);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    supplei_influence one = {.weight = list[i].weight / sum, .joint = list[i].joint};
    if ((float)one.weight > 0) list[kept++] = one;
  }
  return kept;
}

uint32_t supplei_influences_clean(const uint16_t *joints, const float *weights, uint32_t count,
                                  const supple_binding_options *options, supplei_influence *clean,
                                  uint32_t *pivot, double *sum, supple_binding_report *report) {
  uint32_t n = clip(clean, merge(joints, weights, count, clean, report), report);
  *pivot = 0;
  *sum = total(clean, n);
  if (n == 0) {
    report->unweighted++;
    if (options->unweighted == SUPPLE_UNWEIGHTED_REST || count == 0) return 0;
    clean[0] = (supplei_influence){.weight = 1, .joint = joints[0]};
    return 1;
  }
  if (fabs(*sum - 1.0) > 1e-5) report->renormalised++;
  if (options->max_influences && n > options->max_influences)
    n = limit(clean, n, options->max_influences, *sum, report);
  n = normalise(clean, n);
  *pivot = largest(clean, n);
  return n;
}
