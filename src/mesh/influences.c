/* influences.c: cleaning the raw influences of one vertex. */
#include "../base/prologue.h"

#include "influences.h"

#include <math.h>

/* Joints ascending; a joint named twice stays in stored order. */
static bool by_joint(const supplei_influence *a, const supplei_influence *b) {
  return a->joint < b->joint || (a->joint == b->joint && a->place < b->place);
}

/* Largest weight first, ties to the lowest joint. */
static bool by_weight(const supplei_influence *a, const supplei_influence *b) {
  return a->weight > b->weight || (a->weight == b->weight && a->joint < b->joint);
}

/* By insertion, as lists are short; in Shell's steps where one is not. Both orders are total, so the result
 * does not depend on the steps. */
static void sort(supplei_influence *list, uint32_t n,
                 bool (*before)(const supplei_influence *, const supplei_influence *)) {
  for (uint32_t gap = n > 16 ? n / 2 : 1; gap > 0; gap = gap > 2 ? gap * 5 / 11 : gap / 2)
    for (uint32_t i = gap; i < n; i++) {
      supplei_influence one = list[i];
      uint32_t at = i;
      for (; at >= gap && before(&one, &list[at - gap]); at -= gap) list[at] = list[at - gap];
      list[at] = one;
    }
}

/* Merges the raw list into joints ascending; a joint named twice gets the sum, in stored order. */
static uint32_t merge(const uint16_t *joints, const float *weights, uint32_t count,
                      supplei_influence *out, supple_binding_report *report) {
  uint32_t n = 0, merged = 0;
  for (uint32_t i = 0; i < count; i++)
    if (weights[i] != 0.0f) /* else padding */
      out[n++] = (supplei_influence){(double)weights[i], i, joints[i]};
  sort(out, n, by_joint);
  for (uint32_t i = 0; i < n; i++) {
    if (merged > 0 && out[merged - 1].joint == out[i].joint) {
      out[merged - 1].weight += out[i].weight;
      report->duplicates++;
    } else {
      out[merged++] = out[i];
    }
  }
  return merged;
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

/* Keeps the `most` largest, ties to the lowest joint; joints ascending. */
static uint32_t limit(supplei_influence *list, uint32_t n, uint32_t most, double sum,
                      supple_binding_report *report) {
  double dropped = 0;
  sort(list, n, by_weight);
  for (uint32_t i = n; i-- > most;) dropped += list[i].weight;
  report->limited += n - most;
  sort(list, most, by_joint);
  float share = (float)(dropped / sum);
  if (share > report->largest_dropped) report->largest_dropped = share;
  return most;
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
    supplei_influence one = list[i];
    one.weight /= sum;
    if ((float)one.weight > 0) list[kept++] = one;
  }
  return kept;
}

/* ---- the common case: a few positive weights, no joint twice, nothing to drop ---- */

enum { FEW = 16 };

static void exchange(uint32_t *low, uint32_t *high) {
  uint32_t a = *low, b = *high;
  *low = a < b ? a : b;
  *high = a < b ? b : a;
}

/* Ascending; four keys, the most common number, without a branch that depends on them. */
static void sort_keys(uint32_t *keys, uint32_t n) {
  if (n == 4) {
    exchange(&keys[0], &keys[1]), exchange(&keys[2], &keys[3]);
    exchange(&keys[0], &keys[2]), exchange(&keys[1], &keys[3]);
    exchange(&keys[1], &keys[2]);
    return;
  }
  for (uint32_t i = 1; i < n; i++) {
    uint32_t key = keys[i], at = i;
    for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
    keys[at] = key;
  }
}

/* As the general way below, number by number, in one pass. 0: it is not the common case, and nothing has been
 * touched but `clean`. */
static uint32_t clean_few(const uint16_t *joints, const float *weights, uint32_t count,
                          supplei_influence *clean, uint32_t *pivot, double *sum) {
  uint32_t keys[FEW], n = 0;
  bool fine = true;
  for (uint32_t i = 0; i < count; i++) {
    fine &= weights[i] >= 0;
    keys[n] = (uint32_t)joints[i] << 16 | i;
    n += weights[i] > 0;
  }
  sort_keys(keys, n);
  double total_weight = 0, most = 0;
  for (uint32_t i = 0; i < n; i++) {
    clean[i] = (supplei_influence){(double)weights[keys[i] & 0xFFFF], 0, (uint16_t)(keys[i] >> 16)};
    fine &= i == 0 || clean[i].joint != clean[i - 1].joint;
    total_weight += clean[i].weight;
  }
  *pivot = 0;
  for (uint32_t i = 0; i < n; i++) {
    double share = clean[i].weight / total_weight;
    fine &= (float)share > 0;
    *pivot = share > most ? i : *pivot;
    most = share > most ? share : most;
    clean[i].weight = share;
  }
  *sum = total_weight;
  return fine ? n : 0;
}

static uint32_t clean_any(const uint16_t *joints, const float *weights, uint32_t count,
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

uint32_t supplei_influences_clean(const uint16_t *joints, const float *weights, uint32_t count,
                                  const supple_binding_options *options, supplei_influence *clean,
                                  uint32_t *pivot, double *sum, supple_binding_report *report) {
  uint32_t n = count <= FEW ? clean_few(joints, weights, count, clean, pivot, sum) : 0;
  if (n == 0 || (options->max_influences && n > options->max_influences))
    return clean_any(joints, weights, count, options, clean, pivot, sum, report);
  if (fabs(*sum - 1.0) > 1e-5) report->renormalised++;
  return n;
}
