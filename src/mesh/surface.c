/* surface.c: the triangles of an instance's primitives, welded by position and joined, with their shells. */
#include "../base/prologue.h"

#include "surface.h"

#include "../base/memory.h"
#include "weld.h"

#include <float.h>
#include <math.h>

void supplei_surface_free(supplei_surface *s) {
  const supple_allocator *a = &s->allocator;
  size_t n = s->source_count, corners = s->corner_capacity;
  if (!a->release) return;
  supplei_release(a, s->begins, (size_t)s->primitive_count + 1, sizeof *s->begins);
  supplei_release(a, s->welded, n, sizeof *s->welded);
  supplei_release(a, s->sources, n, sizeof *s->sources);
  supplei_release(a, s->points, n * 3, sizeof *s->points);
  supplei_release(a, s->corners, corners, sizeof *s->corners);
  supplei_release(a, s->shells, corners / 3, sizeof *s->shells);
  *s = (supplei_surface){0};
}

static bool is_used(const supple_primitive *p, const bool *use, uint32_t i) {
  return use[i] && p->topology == SUPPLE_TOPOLOGY_TRIANGLES && p->positions && p->indices;
}

static bool count(supplei_surface *s, const supple_primitive *const *primitives, const bool *use) {
  uint64_t vertices = 0, corners = 0;
  for (uint32_t i = 0; i < s->primitive_count; i++) {
    s->begins[i] = (uint32_t)vertices;
    if (!is_used(primitives[i], use, i)) continue;
    vertices += primitives[i]->vertex_count;
    corners += primitives[i]->index_count / 3 * 3;
    if (vertices >= SUPPLE_NONE || corners >= SUPPLE_NONE) return false;
  }
  s->begins[s->primitive_count] = s->source_count = (uint32_t)vertices;
  s->corner_capacity = (uint32_t)corners;
  return true;
}

static void fill_points(supplei_surface *s, const supple_primitive *const *primitives) {
  double low[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, high[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
  for (uint32_t i = 0; i < s->primitive_count; i++)
    for (size_t k = 0; k < 3 * (size_t)(s->begins[i + 1] - s->begins[i]); k++) {
      double x = (double)primitives[i]->positions[k];
      s->points[3 * (size_t)s->begins[i] + k] = x;
      if (!isfinite(x)) continue;
      low[k % 3] = fmin(low[k % 3], x);
      high[k % 3] = fmax(high[k % 3], x);
    }
  double squares = 0;
  for (int c = 0; c < 3; c++)
    if (high[c] > low[c]) squares += (high[c] - low[c]) * (high[c] - low[c]);
  s->diagonal = sqrt(squares);
}

static void fill_triangles(supplei_surface *s, const supple_primitive *const *primitives) {
  for (uint32_t i = 0; i < s->primitive_count; i++) {
    if (s->begins[i + 1] == s->begins[i]) continue;
    for (uint32_t k = 0; k + 2 < primitives[i]->index_count; k += 3) {
      uint32_t corner[3], w[3];
      for (uint32_t c = 0; c < 3; c++) {
        corner[c] = s->begins[i] + primitives[i]->indices[k + c];
        w[c] = s->welded[corner[c]];
      }
      if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) continue;
      for (uint32_t c = 0; c < 3; c++) s->corners[3 * (size_t)s->triangle_count + c] = corner[c];
      s->triangle_count++;
    }
  }
}

/* ---- shells: triangles connected by edges; closed where each edge is walked as often either way ---- */

typedef struct edge {
  uint32_t low, high;
  uint32_t triangle; /* the first one seen, or SUPPLE_NONE: an empty slot */
  int32_t balance;
} edge;

static uint32_t root_of(uint32_t *roots, uint32_t t) {
  while (roots[t] != t) t = roots[t] = roots[roots[t]];
  return t;
}

static edge *edge_slot(edge *edges, size_t mask, uint32_t low, uint32_t high) {
  uint64_t h = (uint64_t)low << 32 | high;
  h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9u;
  h = (h ^ h >> 27) * 0x94D049BB133111EBu;
  size_t at = (size_t)(h ^ h >> 31) & mask; /* a fan's edges share one end: every bit has to count */
  while (edges[at].triangle != SUPPLE_NONE && (edges[at].low != low || edges[at].high != high))
    at = (at + 1) & mask;
  return &edges[at];
}

static void connect(const supplei_surface *s, edge *edges, size_t mask, uint32_t *roots) {
  for (uint32_t t = 0; t < s->triangle_count; t++)
    for (uint32_t c = 0; c < 3; c++) {
      uint32_t a = s->welded[s->corners[3 * (size_t)t + c]];
      uint32_t b = s->welded[s->corners[3 * (size_t)t + (c + 1) % 3]];
      edge *e = edge_slot(edges, mask, a < b ? a : b, a < b ? b : a);
      if (e->triangle == SUPPLE_NONE)
        *e = (edge){.low = a < b ? a : b, .high = a < b ? b : a, .triangle = t};
      e->balance += a < b ? 1 : -1;
      uint32_t one = root_of(roots, t), other = root_of(roots, e->triangle);
      if (one < other) roots[other] = one; /* the lowest triangle stands for the shell */
      if (other < one) roots[one] = other;
    }
}

/* Of the tetrahedron from a corner of the shell's first triangle; *size bounds the terms of its sum. */
static double corner_volume(const supplei_surface *s, uint32_t first, uint32_t t, double *size) {
  const double *o = s->points + 3 * (size_t)s->corners[3 * (size_t)first];
  double p[3][3];
  *size = 1;
  for (size_t c = 0; c < 3; c++) {
    const double *q = s->points + 3 * (size_t)s->sources[s->welded[s->corners[3 * (size_t)t + c]]];
    for (size_t k = 0; k < 3; k++) p[c][k] = q[k] - o[k];
    *size *= fabs(p[c][0]) + fabs(p[c][1]) + fabs(p[c][2]);
  }
  return (p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
          p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
          p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0])) /
         6;
}

typedef struct shell_volume {
  double signed_volume, size;
} shell_volume;

/* The sign of a shell's volume; 0 where that is rounding, as of a sheet with two sides. */
static int8_t sign_of(shell_volume shell) {
  double least = 4 * DBL_EPSILON * shell.size;
  return shell.signed_volume > least ? 1 : shell.signed_volume < -least ? -1 : 0;
}

static void mark(supplei_surface *s, const edge *edges, size_t slots, uint32_t *roots,
                 shell_volume *volumes) {
  for (uint32_t t = 0; t < s->triangle_count; t++) volumes[t] = (shell_volume){0, 0};
  for (uint32_t t = 0; t < s->triangle_count; t++) {
    uint32_t root = root_of(roots, t);
    double size;
    volumes[root].signed_volume += corner_volume(s, root, t, &size);
    volumes[root].size += size;
  }
  for (uint32_t t = 0; t < s->triangle_count; t++)
    s->shells[t] = sign_of(volumes[t]); /* right at the roots */
  for (size_t i = 0; i < slots; i++)
    if (edges[i].triangle != SUPPLE_NONE && edges[i].balance != 0)
      s->shells[root_of(roots, edges[i].triangle)] = 0;
  for (uint32_t t = 0; t < s->triangle_count; t++) s->shells[t] = s->shells[root_of(roots, t)];
}

static bool find_shells(supplei_surface *s) {
  const supple_allocator *a = &s->allocator;
  size_t slots = 16, n = s->triangle_count;
  while (slots < 2 * 3 * n) slots *= 2;
  edge *edges = supplei_allocate(a, slots, sizeof *edges);
  uint32_t *roots = supplei_allocate(a, n, sizeof *roots);
  shell_volume *volumes = supplei_allocate(a, n, sizeof *volumes);
  bool ok = edges && roots && volumes;
  if (ok) {
    for (size_t i = 0; i < slots; i++) edges[i] = (edge){.triangle = SUPPLE_NONE};
    for (uint32_t t = 0; t < s->triangle_count; t++) roots[t] = t;
    connect(s, edges, slots - 1, roots);
    mark(s, edges, slots, roots, volumes);
  }
  supplei_release(a, edges, slots, sizeof *edges);
  supplei_release(a, roots, n, sizeof *roots);
  supplei_release(a, volumes, n, sizeof *volumes);
  return ok;
}

bool supplei_surface_create(supplei_surface *surface, const supple_primitive *const *primitives,
                            const bool *use, uint32_t primitive_count, double tolerance,
                            const supple_allocator *allocator) {
  supplei_surface *s = surface;
  *s = (supplei_surface){.allocator = supplei_allocator(allocator),
                         .primitive_count = primitive_count};
  const supple_allocator *a = &s->allocator;
  s->begins = supplei_allocate_zero(a, (size_t)primitive_count + 1, sizeof *s->begins);
  if (!s->begins || !count(s, primitives, use)) return false;
  size_t n = s->source_count, corners = s->corner_capacity;
  s->welded = supplei_allocate(a, n, sizeof *s->welded);
  s->sources = supplei_allocate(a, n, sizeof *s->sources);
  s->points = supplei_allocate(a, n * 3, sizeof *s->points);
  s->corners = supplei_allocate(a, corners, sizeof *s->corners);
  s->shells = supplei_allocate(a, corners / 3, sizeof *s->shells);
  if (!s->welded || !s->sources || !s->points || !s->corners || !s->shells) return false;
  fill_points(s, primitives);
  s->welded_count =
      supplei_weld(s->points, s->source_count, tolerance * s->diagonal, s->welded, s->sources, a);
  if (s->welded_count == SUPPLE_NONE) return false;
  fill_triangles(s, primitives);
  return find_shells(s);
}

uint32_t supplei_surface_primitive(const supplei_surface *surface, uint32_t source) {
  uint32_t low = 0, high = surface->primitive_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (surface->begins[middle] <= source)
      low = middle;
    else
      high = middle;
  }
  return low;
}
