/* simplex_fit.c: weights that are not negative and sum to 1 with the smallest quadratic form. */
#include "../base/prologue.h"

#include "simplex_fit.h"

#include <math.h>
#include <string.h>

size_t supplei_simplex_numbers(uint32_t count) { return (size_t)count * count + 4 * (size_t)count; }

supplei_simplex supplei_simplex_place(uint32_t count, double *numbers) {
  supplei_simplex simplex = {.count = count, .factor = numbers};
  numbers += (size_t)count * count;
  simplex.ones = numbers, numbers += count;
  simplex.pulled = numbers, numbers += count;
  simplex.step = numbers, numbers += count;
  simplex.set = (uint32_t *)(void *)numbers;
  return simplex;
}

static double regularity(const double *gram, uint32_t count) {
  double trace = 0;
  for (uint32_t j = 0; j < count; j++) trace += gram[j * count + j];
  return trace > 0 ? 1e-10 * trace / count : 1;
}

/* Cholesky of gram + e over the free members; lower triangle. */
static void factorise(const supplei_simplex *s, const double *gram, uint32_t n, double e) {
  double *l = s->factor;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k <= i; k++) {
      double sum = gram[s->set[i] * s->count + s->set[k]] + (i == k ? e : 0);
      for (uint32_t m = 0; m < k; m++) sum -= l[i * n + m] * l[k * n + m];
      if (i == k)
        l[i * n + i] = sqrt(sum > e * 1e-6 ? sum : e * 1e-6);
      else
        l[i * n + k] = sum / l[k * n + k];
    }
}

static void solve(const supplei_simplex *s, uint32_t n, double *x) {
  const double *l = s->factor;
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t m = 0; m < i; m++) x[i] -= l[i * n + m] * x[m];
    x[i] /= l[i * n + i];
  }
  for (uint32_t i = n; i-- > 0;) {
    for (uint32_t m = i + 1; m < n; m++) x[i] -= l[m * n + i] * x[m];
    x[i] /= l[i * n + i];
  }
}

/* The minimum with the free members alone, whatever their sign, into s->step. */
static void unbounded(const supplei_simplex *s, const double *gram, uint32_t n, double e,
                      const double *prior) {
  double sum_ones = 0, sum_pulled = 0;
  factorise(s, gram, n, e);
  for (uint32_t i = 0; i < n; i++) s->ones[i] = 1, s->pulled[i] = e * prior[s->set[i]];
  solve(s, n, s->ones);
  solve(s, n, s->pulled);
  for (uint32_t i = 0; i < n; i++) sum_ones += s->ones[i], sum_pulled += s->pulled[i];
  for (uint32_t i = 0; i < n; i++)
    s->step[i] = s->pulled[i] + s->ones[i] * (1 - sum_pulled) / sum_ones;
}

/* From weights towards s->step as far as none is negative; those at zero leave. Returns how many stay free. */
static uint32_t go(const supplei_simplex *s, uint32_t n, double *weights) {
  double reach = 1;
  uint32_t first = n;
  for (uint32_t i = 0; i < n; i++) {
    const double from = weights[s->set[i]];
    if (s->step[i] >= 0) continue;
    const double share = from / (from - s->step[i]);
    if (share < reach || first == n) reach = share, first = i;
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < n; i++) {
    double *weight = &weights[s->set[i]];
    *weight = first == n ? s->step[i] : *weight + reach * (s->step[i] - *weight);
    if (i == first || (first < n && *weight <= 0)) *weight = 0;
    if (*weight > 0 || (first == n && *weight == 0)) s->set[kept++] = s->set[i];
  }
  return kept;
}

/* Gradient of the form with respect to weight j. */
static double slope(const supplei_simplex *s, const double *gram, uint32_t j, double e,
                    const double *prior, const double *weights, const uint32_t *set,
                    uint32_t set_count) {
  double sum = e * (weights[j] - prior[j]);
  for (uint32_t i = 0; i < set_count; i++) sum += gram[j * s->count + set[i]] * weights[set[i]];
  return sum;
}

/* The member held at zero whose release lowers the form most, or SIZE_MAX. */
static size_t release(const supplei_simplex *s, const double *gram, double e, const double *prior,
                      const double *weights, const uint32_t *set, uint32_t set_count) {
  double level = 0, least = 0, size = 0;
  size_t best = SIZE_MAX;
  for (uint32_t i = 0; i < set_count; i++) {
    const double weight = weights[set[i]];
    if (weight > 0) level += weight * slope(s, gram, set[i], e, prior, weights, set, set_count);
    size += gram[set[i] * s->count + set[i]];
  }
  for (uint32_t i = 0; i < set_count; i++) {
    if (weights[set[i]] > 0) continue;
    const double gain = slope(s, gram, set[i], e, prior, weights, set, set_count) - level;
    if (gain < least) least = gain, best = i;
  }
  return least < -1e-13 * size ? best : SIZE_MAX;
}

double supplei_simplex_fit(const supplei_simplex *s, const double *gram, const uint32_t *set,
                           uint32_t set_count, const double *prior, double *weights) {
  const double e = regularity(gram, s->count);
  double sum = 0;
  uint32_t n = 0;
  memset(weights, 0, s->count * sizeof *weights);
  for (uint32_t i = 0; i < set_count; i++) sum += prior[set[i]];
  for (uint32_t i = 0; i < set_count; i++) {
    weights[set[i]] = sum > 0 ? prior[set[i]] / sum : 1.0 / set_count;
    if (weights[set[i]] > 0) s->set[n++] = set[i];
  }
  for (uint32_t round = 0; round < 4 * set_count + 8; round++) {
    unbounded(s, gram, n, e, prior);
    const uint32_t kept = go(s, n, weights);
    if (kept < n) {
      n = kept;
      continue;
    }
    const size_t one = release(s, gram, e, prior, weights, set, set_count);
    if (one == SIZE_MAX) break;
    s->set[n++] = set[one];
  }
  double form = 0;
  sum = 0;
  for (uint32_t i = 0; i < set_count; i++) sum += weights[set[i]];
  for (uint32_t i = 0; i < set_count; i++) weights[set[i]] /= sum;
  for (uint32_t i = 0; i < set_count; i++)
    for (uint32_t k = 0; k < set_count; k++)
      form += weights[set[i]] * gram[set[i] * s->count + set[k]] * weights[set[k]];
  return form;
}
