/* tidy_influences.c: the stored influences of one vertex as glTF wants them. */
#include "../base/prologue.h"

#include "tidy_influences.h"

#include <math.h>

double supplei_weight_one(supplei_weight_type type) {
  return type == SUPPLEI_WEIGHT_U8 ? 255 : type == SUPPLEI_WEIGHT_U16 ? 65535 : 1;
}

bool supplei_weights_sum_fine(const supplei_stored_influence *list, uint32_t count,
                              supplei_weight_type type) {
  double sum = 0;
  float rounded = 0;
  uint32_t used = 0;
  for (uint32_t i = 0; i < count; i++) {
    sum += list[i].weight;
    rounded += (float)list[i].weight;
    used += list[i].weight != 0;
  }
  if (type != SUPPLEI_WEIGHT_F32) return sum == supplei_weight_one(type);
  const double most = 2e-7 * used;
  return fabs(sum - 1) <= most && fabs((double)rounded - 1) <= most;
}

/* Units of the integer types that are still to be given out go to the largest remainders; equal ones in the order
 * of the list, so that equal vertices stay equal. */
static void give_remainders(const double *weights, uint32_t count, double one, double left,
                            double *stored) {
  while (left >= 1) {
    uint32_t best = 0;
    double most = -1;
    for (uint32_t i = 0; i < count; i++) {
      const double remainder = weights[i] * one - stored[i];
      if (remainder > most) best = i, most = remainder;
    }
    stored[best] += 1, left -= 1;
  }
}

void supplei_quantise_weights(const double *weights, uint32_t count, supplei_weight_type type,
                              double *stored) {
  const double one = supplei_weight_one(type);
  double given = 0;
  for (uint32_t i = 0; i < count; i++) {
    stored[i] = type == SUPPLEI_WEIGHT_F32 ? (double)(float)weights[i] : floor(weights[i] * one);
    given += stored[i];
  }
  if (type == SUPPLEI_WEIGHT_F32) return;
  give_remainders(weights, count, one, one - given, stored);
  /* Rounding up in the products may have given out one too many. */
  for (uint32_t i = count; given > one && i-- > 0;)
    if (stored[i] > 0) stored[i] -= 1, given -= 1;
}

/* Drops zeros and adds up what a joint named twice has, where it is named first. */
static uint32_t merge(supplei_stored_influence *list, uint32_t count, bool *twice) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (list[i].weight == 0) continue;
    uint32_t at = 0;
    while (at < kept && list[at].joint != list[i].joint) at++;
    if (at < kept)
      list[at].weight += list[i].weight, *twice = true;
    else
      list[kept++] = list[i];
  }
  return kept;
}

static uint32_t clip(supplei_stored_influence *list, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (list[i].weight > 0) list[kept++] = list[i];
  return kept;
}

/* Largest first; equal ones stay in their order. */
static void order(supplei_stored_influence *list, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    const supplei_stored_influence one = list[i];
    uint32_t at = i;
    for (; at > 0 && list[at - 1].weight < one.weight; at--) list[at] = list[at - 1];
    list[at] = one;
  }
}

/* Shares of the sum, stored; returns how many are left. */
static uint32_t normalise(supplei_stored_influence *list, uint32_t count, supplei_weight_type type) {
  const double one = supplei_weight_one(type);
  double sum = 0, given = 0;
  for (uint32_t i = 0; i < count; i++) sum += list[i].weight;
  for (uint32_t i = 0; i < count; i++) {
    double share = list[i].weight / sum * one;
    if (type == SUPPLEI_WEIGHT_F32) share = (double)(float)share;
    list[i].weight = share;
    given += floor(share);
  }
  if (type == SUPPLEI_WEIGHT_F32) return clip(list, count);
  /* By largest remainder, in place: the fractions are what is compared. */
  for (double left = one - given; left >= 1; left -= 1) {
    uint32_t best = 0;
    double most = -1;
    for (uint32_t i = 0; i < count; i++) {
      const double fraction = list[i].weight - floor(list[i].weight);
      if (fraction > most) best = i, most = fraction;
    }
    list[best].weight = floor(list[best].weight) + 1;
  }
  for (uint32_t i = 0; i < count; i++) list[i].weight = floor(list[i].weight);
  return clip(list, count);
}

/* What is wrong with the list as it stands, but for joints named twice. */
static bool survey(const supplei_stored_influence *list, uint32_t count, supplei_weight_type type,
                   supplei_tidy_report *report) {
  bool zero = false, negative = false, unordered = false, off = false;
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    zero |= list[i].weight == 0 && list[i].joint != 0;
    negative |= list[i].weight < 0;
    unordered |= i > 0 && list[i - 1].weight < list[i].weight;
    sum += list[i].weight;
  }
  off = sum > 0 && !supplei_weights_sum_fine(list, count, type);
  if (off) {
    sum /= supplei_weight_one(type);
    report->off++;
    if (report->off == 1 || fabs(sum - 1) > fabs(report->worst_sum - 1)) report->worst_sum = sum;
  }
  report->zeros += zero;
  report->negatives += negative;
  report->unordered += unordered;
  return zero || negative || unordered || off;
}

uint32_t supplei_tidy_vertex(supplei_stored_influence *list, uint32_t count,
                             supplei_weight_type type, supplei_tidy_report *report) {
  const uint16_t first = list[0].joint;
  bool twice = false, changed = survey(list, count, type, report);
  uint32_t n = clip(list, merge(list, count, &twice));
  report->duplicates += twice;
  if (n == 0) {
    list[n++] = (supplei_stored_influence){supplei_weight_one(type), first};
    report->unweighted++;
    changed = true;
  }
  if (type == SUPPLEI_WEIGHT_F32 && twice)
    for (uint32_t i = 0; i < n; i++) list[i].weight = (double)(float)list[i].weight;
  order(list, n);
  if (!supplei_weights_sum_fine(list, n, type)) n = normalise(list, n, type);
  for (uint32_t i = n; i < count; i++) list[i] = (supplei_stored_influence){0, 0};
  report->vertices++;
  report->changed += changed || twice;
  if (n > report->most) report->most = n;
  return n;
}
