/* weld.c: which points are the same: a hash of grid cells a few tolerances wide, or of the points as they are
 * where nothing but equal ones weld. */
#include "../base/prologue.h"

#include "weld.h"

#include "../base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct grid {
  const double *points;
  double low[3], cell, tolerance; /* cell 0: points as they are */
  uint32_t *heads;                /* [mask + 1] welded point, or SUPPLE_NONE */
  uint32_t *nexts;                /* [count] by welded point */
  uint32_t *first;
  uint32_t mask;
} grid;

static bool finite3(const double *p) { return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]); }

static uint32_t hash(const int64_t cell[3], uint32_t mask) {
  uint64_t h = (uint64_t)cell[0] * 0x9E3779B97F4A7C15u ^ (uint64_t)cell[1] * 0xC2B2AE3D27D4EB4Fu ^
               (uint64_t)cell[2] * 0x165667B19E3779F9u;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9u;
  return (uint32_t)(h >> 32) & mask;
}

static int64_t cell_of(const grid *g, double x, int c) {
  if (g->cell == 0) {
    int64_t bits;
    x += 0.0; /* -0 equals 0 */
    memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  return (int64_t)floor((x - g->low[c]) / g->cell);
}

/* The earliest welded point within tolerance, looking into every cell that the tolerance reaches. */
static uint32_t find(const grid *g, const double *p) {
  int64_t lo[3], hi[3], at[3];
  uint32_t best = SUPPLE_NONE;
  for (int c = 0; c < 3; c++) {
    /* A little more, since the sum rounds. */
    double rounding = 2 * DBL_EPSILON * (fabs(p[c]) + g->tolerance);
    double reach = g->tolerance + fmin(g->tolerance, rounding);
    lo[c] = cell_of(g, p[c] - reach, c);
    hi[c] = cell_of(g, p[c] + reach, c);
  }
  for (at[0] = lo[0]; at[0] <= hi[0]; at[0]++)
    for (at[1] = lo[1]; at[1] <= hi[1]; at[1]++)
      for (at[2] = lo[2]; at[2] <= hi[2]; at[2]++)
        for (uint32_t i = g->heads[hash(at, g->mask)]; i != SUPPLE_NONE; i = g->nexts[i]) {
          const double *q = g->points + 3 * (size_t)g->first[i];
          double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2];
          if (i < best && x * x + y * y + z * z <= g->tolerance * g->tolerance) best = i;
        }
  return best;
}

static void insert(grid *g, uint32_t i, const double *p) {
  int64_t at[3] = {cell_of(g, p[0], 0), cell_of(g, p[1], 1), cell_of(g, p[2], 2)};
  uint32_t *head = &g->heads[hash(at, g->mask)];
  g->nexts[i] = *head;
  *head = i;
}

static void set_grid(grid *g, uint32_t count) {
  double high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX}, extent = 0;
  for (int c = 0; c < 3; c++) g->low[c] = DBL_MAX;
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < 3 && finite3(g->points + 3 * i); c++) {
      g->low[c] = fmin(g->low[c], g->points[3 * i + (size_t)c]);
      high[c] = fmax(high[c], g->points[3 * i + (size_t)c]);
    }
  for (int c = 0; c < 3; c++) extent = fmax(extent, high[c] - g->low[c]);
  if (!(g->tolerance > 0)) g->tolerance = 0;
  if (g->tolerance > 2 * extent) g->tolerance = 2 * extent; /* that reaches every point */
  /* At most 2^48 cells an axis, so that cell numbers stay exact; never narrower than the tolerance. */
  g->cell = g->tolerance > 0 ? fmax(4 * g->tolerance, extent * 0x1p-48) : 0;
}

uint32_t supplei_weld(const double *points, uint32_t count, double tolerance, uint32_t *welded,
                      uint32_t *first, const supple_allocator *allocator) {
  grid g = {.points = points, .tolerance = tolerance, .first = first};
  size_t buckets = 16;
  while (buckets < count) buckets *= 2;
  g.mask = (uint32_t)(buckets - 1);
  g.heads = supplei_allocate(allocator, buckets, sizeof *g.heads);
  g.nexts = supplei_allocate(allocator, count, sizeof *g.nexts);
  uint32_t made = SUPPLE_NONE;
  if (g.heads && g.nexts) {
    memset(g.heads, 0xFF, buckets * sizeof *g.heads);
    set_grid(&g, count);
    made = 0;
    for (uint32_t v = 0; v < count; v++) {
      const double *p = points + 3 * (size_t)v;
      bool finite = finite3(p);
      uint32_t same = finite ? find(&g, p) : SUPPLE_NONE;
      if (same == SUPPLE_NONE) {
        same = made++;
        first[same] = v;
        if (finite) insert(&g, same, p);
      }
      welded[v] = same;
    }
  }
  supplei_release(allocator, g.heads, buckets, sizeof *g.heads);
  supplei_release(allocator, g.nexts, count, sizeof *g.nexts);
  return made;
}
