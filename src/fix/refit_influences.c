/* refit_influences.c: fewer influences for a vertex that move it as its many did: least squares over poses. */
#include "../base/prologue.h"

#include "refit_influences.h"

#include "../base/memory.h"
#include "../../include/supple/math.h"
#include "simplex_fit.h"

#include <math.h>
#include <string.h>

enum {
  SUBSETS_MOST = 260, /* all sets of joints are tried up to here */
  BEST = 6,           /* sets whose largest distance is looked at, best sum of squares first */
  ROUNDS = 24         /* of bringing the largest distance down */
};

/* How much below truncation's the largest distance must be: between the poses that are looked at, it differs. */
static const double MARGIN = 0.999;

/* What all spare poses together count for, as a share of the others: clips decide, but joints that none of them parts
 * keep their own weights, for clips that come later. */
static const double SPARE_SHARE = 0.002;

/* One vertex at work. d_j = x_j - p in every pose, p where all influences take it. */
typedef struct work {
  const supplei_refit *refit;
  uint32_t count, most, poses, main; /* main: poses that are not spare */
  double spare;                      /* what one spare pose counts */
  double most_turned; /* largest distance of truncation under dual quaternion skinning */
  double *away;       /* [poses][count][3] */
  double *gram;       /* [count][count] sums of d_j · d_k */
  double *weighted;   /* the same, poses weighted by emphasis */
  double *emphasis;   /* [poses] */
  double *errors;     /* [poses] squared distances of the last measure */
  double *fit, *candidate, *rounded, *best; /* [count] each */
  double *sets;                             /* [BEST][count] weights of the best sets */
  double scores[BEST];
  uint32_t set_count;
  uint32_t *chosen, *trial; /* [most] */
  supplei_simplex simplex;
} work;

static size_t numbers_needed(const supplei_refit *refit) {
  const size_t n = refit->count, f = refit->pose_count;
  return f * n * 3 + 2 * n * n + 2 * f + (4 + BEST) * n + 2 * n +
         supplei_simplex_numbers(refit->count);
}

static supple_result make_room(supplei_refit_scratch *scratch, size_t needed) {
  if (needed <= scratch->capacity) return SUPPLE_OK;
  supplei_refit_scratch_free(scratch);
  scratch->numbers = supplei_allocate(&scratch->allocator, needed, sizeof *scratch->numbers);
  if (!scratch->numbers) return SUPPLE_ERROR_MEMORY;
  scratch->capacity = needed;
  return SUPPLE_OK;
}

void supplei_refit_scratch_free(supplei_refit_scratch *scratch) {
  supplei_release(&scratch->allocator, scratch->numbers, scratch->capacity,
                  sizeof *scratch->numbers);
  scratch->numbers = NULL;
  scratch->capacity = 0;
}

static void lay_out(work *w, double *at) {
  const size_t n = w->count, f = w->poses;
  w->away = at, at += f * n * 3;
  w->gram = at, at += n * n;
  w->weighted = at, at += n * n;
  w->emphasis = at, at += f;
  w->errors = at, at += f;
  w->fit = at, at += n;
  w->candidate = at, at += n;
  w->rounded = at, at += n;
  w->best = at, at += n;
  w->sets = at, at += BEST * n;
  w->chosen = (uint32_t *)(void *)at, at += n;
  w->trial = (uint32_t *)(void *)at, at += n;
  w->simplex = supplei_simplex_place(w->count, at);
}

/* Where each joint would take the vertex, seen from where all of them take it. */
static void measure_away(work *w) {
  const uint32_t n = w->count;
  for (uint32_t f = 0; f < w->poses; f++) {
    const double *points = w->refit->points + (size_t)f * n * 3;
    double *away = w->away + (size_t)f * n * 3, target[3] = {0, 0, 0};
    for (uint32_t j = 0; j < n; j++)
      for (int c = 0; c < 3; c++) target[c] += w->refit->weights[j] * points[3 * j + (uint32_t)c];
    for (uint32_t j = 0; j < n; j++)
      for (int c = 0; c < 3; c++)
        away[3 * j + (uint32_t)c] = points[3 * j + (uint32_t)c] - target[c];
  }
}

static void make_gram(const work *w, const double *emphasis, double *gram) {
  const uint32_t n = w->count;
  memset(gram, 0, (size_t)n * n * sizeof *gram);
  for (uint32_t f = 0; f < w->poses; f++) {
    const double *a = w->away + (size_t)f * n * 3;
    const double e = emphasis ? emphasis[f] : f < w->main ? 1 : w->spare;
    for (uint32_t j = 0; j < n; j++) {
      const double x = e * a[3 * j], y = e * a[3 * j + 1], z = e * a[3 * j + 2];
      for (uint32_t k = 0; k <= j; k++)
        gram[j * n + k] += x * a[3 * k] + y * a[3 * k + 1] + z * a[3 * k + 2];
    }
  }
  for (uint32_t j = 0; j < n; j++)
    for (uint32_t k = 0; k < j; k++) gram[k * n + j] = gram[j * n + k];
}

/* The largest distance with these weights (any scale), as stored; squared ones of all poses into w->errors. */
static double largest_distance(work *w, const double *stored) {
  const uint32_t n = w->count;
  double sum = 0, most = 0;
  for (uint32_t j = 0; j < n; j++) sum += stored[j];
  for (uint32_t f = 0; f < w->poses; f++) {
    const double *away = w->away + (size_t)f * n * 3;
    double off[3] = {0, 0, 0};
    for (uint32_t j = 0; j < n; j++)
      if (stored[j] > 0)
        for (int c = 0; c < 3; c++) off[c] += stored[j] * away[3 * j + (uint32_t)c];
    w->errors[f] = (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) / (sum * sum);
    if (f < w->main && w->errors[f] > most) most = w->errors[f];
  }
  return sqrt(most);
}

/* Where dual quaternion skinning takes the vertex with these weights, of any scale: vec((sum w p q) r*) / |r|² with
 * r = sum w q, signs against the first of the largest weight. False: r vanishes. */
static bool turned_point(const work *w, uint32_t pose, const double *weights, double out[3]) {
  const double *points = w->refit->points + (size_t)pose * w->count * 3;
  const float *turns = w->refit->turns + (size_t)pose * w->count * 4;
  supple_quat real = {0, 0, 0, 0}, moved = {0, 0, 0, 0};
  uint32_t pivot = 0;
  for (uint32_t j = 1; j < w->count; j++)
    if (weights[j] > weights[pivot]) pivot = j;
  const float *p = turns + 4 * (size_t)pivot;
  for (uint32_t j = 0; j < w->count; j++) {
    if (!(weights[j] > 0)) continue;
    const float *t = turns + 4 * (size_t)j;
    const supple_quat q = supple_quat_make((double)t[0], (double)t[1], (double)t[2], (double)t[3]);
    const double dot =
        q.x * (double)p[0] + q.y * (double)p[1] + q.z * (double)p[2] + q.w * (double)p[3];
    const double weight = dot < -1e-6 ? -weights[j] : weights[j];
    const supple_quat at = supple_quat_make(points[3 * j], points[3 * j + 1], points[3 * j + 2], 0);
    real = supple_quat_add(real, supple_quat_scale(q, weight));
    moved = supple_quat_add(moved, supple_quat_scale(supple_quat_multiply(at, q), weight));
  }
  const double size = supple_quat_dot(real, real);
  if (!(size > 0)) return false;
  const supple_quat end = supple_quat_multiply(moved, supple_quat_conjugate(real));
  out[0] = end.x / size, out[1] = end.y / size, out[2] = end.z / size;
  return true;
}

/* The largest distance under dual quaternion skinning, spare poses left out. */
static double largest_turned(const work *w, const double *stored) {
  double most = 0;
  for (uint32_t f = 0; f < w->main && w->refit->turns; f++) {
    double a[3], b[3];
    if (!turned_point(w, f, w->refit->weights, a) || !turned_point(w, f, stored, b)) continue;
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    if (x * x + y * y + z * z > most) most = x * x + y * y + z * z;
  }
  return sqrt(most);
}

/* Keeps the best BEST sets by score; ties to the first come. */
static void keep_set(work *w, const double *weights, double score) {
  uint32_t at = w->set_count < BEST ? w->set_count : BEST;
  while (at > 0 && score < w->scores[at - 1]) at--;
  if (at >= BEST) return;
  const uint32_t last = w->set_count < BEST ? w->set_count++ : BEST - 1;
  for (uint32_t i = last; i > at; i--) {
    w->scores[i] = w->scores[i - 1];
    memcpy(w->sets + i * w->count, w->sets + (i - 1) * w->count, w->count * sizeof *w->sets);
  }
  w->scores[at] = score;
  memcpy(w->sets + at * w->count, weights, w->count * sizeof *w->sets);
}

static double try_set(work *w, const uint32_t *set) {
  const double score =
      supplei_simplex_fit(&w->simplex, w->gram, set, w->most, w->refit->weights, w->candidate);
  keep_set(w, w->candidate, score);
  return score;
}

/* The number of ways to choose `most` of `count`, or SUBSETS_MOST + 1. */
static uint32_t subset_count(uint32_t count, uint32_t most) {
  double ways = 1;
  for (uint32_t i = 1; i <= most && ways <= 1e9; i++) ways = ways * (count - most + i) / i;
  return ways <= SUBSETS_MOST ? (uint32_t)(ways + 0.5) : SUBSETS_MOST + 1;
}

static void try_all(work *w) {
  uint32_t *set = w->chosen;
  const uint32_t m = w->most, n = w->count;
  for (uint32_t i = 0; i < m; i++) set[i] = i;
  for (;;) {
    try_set(w, set);
    uint32_t at = m;
    while (at > 0 && set[at - 1] == n - m + at - 1) at--;
    if (at == 0) return;
    set[at - 1]++;
    for (uint32_t i = at; i < m; i++) set[i] = set[i - 1] + 1;
  }
}

static bool holds(const uint32_t *set, uint32_t count, uint32_t joint) {
  for (uint32_t i = 0; i < count; i++)
    if (set[i] == joint) return true;
  return false;
}

/* From the largest weights on, the exchange of one joint for another that helps most, as long as one does. */
static void try_exchanges(work *w) {
  const uint32_t m = w->most, n = w->count;
  for (uint32_t i = 0; i < m; i++) w->chosen[i] = i;
  double score = try_set(w, w->chosen);
  for (uint32_t round = 0; round < 2 * m + 2; round++) {
    uint32_t out = m, in = 0;
    for (uint32_t i = 0; i < m; i++)
      for (uint32_t j = 0; j < n; j++) {
        if (holds(w->chosen, m, j)) continue;
        memcpy(w->trial, w->chosen, m * sizeof *w->trial);
        w->trial[i] = j;
        const double other = try_set(w, w->trial);
        if (other < score * (1 - 1e-9)) score = other, out = i, in = j;
      }
    if (out == m) return;
    w->chosen[out] = in;
  }
}

/* The sum of squared distances of the last measure. */
static double sum_of_squares(const work *w) {
  double sum = 0;
  for (uint32_t f = 0; f < w->poses; f++) sum += (f < w->main ? 1 : w->spare) * w->errors[f];
  return sum;
}

/* Rounds, measures, and takes weights whose largest distance is not above `most`; the first are taken where `best`
 * is empty, later ones where their sum of squares is smaller. */
static bool consider(work *w, const double *weights, double most, double *best_squares) {
  supplei_quantise_weights(weights, w->count, w->refit->type, w->rounded);
  const double largest = largest_distance(w, w->rounded);
  const double squares = sum_of_squares(w);
  if (!(largest <= MARGIN * most) || !(squares < *best_squares)) return false;
  if (w->refit->turns && largest_turned(w, w->rounded) > w->most_turned) return false;
  memcpy(w->best, w->rounded, w->count * sizeof *w->best);
  *best_squares = squares;
  return true;
}

/* Where least squares has a larger largest distance than truncation: poses far off gain emphasis (Lawson 1961),
 * which leads to the smallest largest distance that the set has. */
static bool lower_largest(work *w, const double *weights, double most, double *best_squares) {
  uint32_t m = 0;
  for (uint32_t j = 0; j < w->count && m < w->most; j++)
    if (weights[j] > 0) w->trial[m++] = j;
  for (uint32_t f = 0; f < w->poses; f++) w->emphasis[f] = 1;
  memcpy(w->fit, weights, w->count * sizeof *w->fit);
  for (int round = 0; round < ROUNDS; round++) {
    const double largest = largest_distance(w, w->fit);
    if (!(largest > 0)) return false;
    double total = 0;
    for (uint32_t f = 0; f < w->main; f++) {
      w->emphasis[f] *= 0.02 + sqrt(w->errors[f]) / largest;
      total += w->emphasis[f];
    }
    for (uint32_t f = 0; f < w->main; f++) w->emphasis[f] /= total;
    for (uint32_t f = w->main; f < w->poses; f++) w->emphasis[f] = w->spare / w->main;
    make_gram(w, w->emphasis, w->weighted);
    supplei_simplex_fit(&w->simplex, w->weighted, w->trial, m, w->refit->weights, w->fit);
    memcpy(w->candidate, w->fit, w->count * sizeof *w->fit);
    if (consider(w, w->candidate, most, best_squares)) return true;
  }
  return false;
}

/* The largest `most` weights divided by their sum, rounded. */
static void truncate(work *w) {
  double sum = 0;
  for (uint32_t j = 0; j < w->most; j++) sum += w->refit->weights[j];
  for (uint32_t j = 0; j < w->count; j++)
    w->candidate[j] = j < w->most ? w->refit->weights[j] / sum : 0;
  supplei_quantise_weights(w->candidate, w->count, w->refit->type, w->rounded);
}

static bool improve(work *w, double truncated, double squares) {
  double best = squares;
  bool better = false;
  make_gram(w, NULL, w->gram);
  if (subset_count(w->count, w->most) <= SUBSETS_MOST)
    try_all(w);
  else
    try_exchanges(w);
  for (uint32_t i = 0; i < w->set_count && !better; i++)
    better = consider(w, w->sets + i * w->count, truncated, &best);
  for (uint32_t i = 0; i < w->set_count && !better; i++)
    better = lower_largest(w, w->sets + i * w->count, truncated, &best);
  return better;
}

supple_result supplei_refit_vertex(const supplei_refit *refit, supplei_refit_scratch *scratch,
                                   double *stored, supplei_refitted *result) {
  work w = {.refit = refit, .count = refit->count, .most = refit->most, .poses = refit->pose_count};
  w.main = w.poses - refit->spare_count;
  if (refit->spare_count) w.spare = SPARE_SHARE * w.main / refit->spare_count;
  supple_result room = make_room(scratch, numbers_needed(refit));
  if (room) return room;
  lay_out(&w, scratch->numbers);
  measure_away(&w);
  truncate(&w);
  memcpy(stored, w.rounded, w.count * sizeof *stored);
  result->truncated = result->largest = largest_distance(&w, stored);
  w.most_turned = largest_turned(&w, stored);
  result->refitted = result->truncated > 0 && improve(&w, result->truncated, sum_of_squares(&w));
  if (!result->refitted) return SUPPLE_OK;
  memcpy(stored, w.best, w.count * sizeof *stored);
  result->largest = largest_distance(&w, stored);
  return SUPPLE_OK;
}
