/* sections.c: cuts the bind pose around every joint and keeps the loop that encloses the bone. */
#include "../base/prologue.h"

#include "measure_state.h"

#include "../base/memory.h"

#include <math.h>
#include <string.h>

/* One crossed edge of the surface, welded ends low < high, and the two neighbours along its loop. */
typedef struct crossing {
  uint32_t low, high;
  uint32_t links[2]; /* SUPPLE_NONE: none */
  bool visited;
  supplei_point point;
} crossing;

/* Buffers for one cut after another. */
typedef struct cutter {
  supple_measure *measure;
  double work;   /* points and triangles looked at */
  double *sides; /* [welded_count] distance from the plane */
  bool *own;     /* [joint_count] */
  crossing *crossings;
  uint32_t crossing_count, crossing_capacity;
  uint32_t *slots; /* hash of crossings by edge */
  uint32_t slot_count;
  uint32_t *loop;      /* [crossing_capacity] crossings of the loop walked last */
  supple_vec3 *places; /* [crossing_capacity] and where they are */
} cutter;

static bool reserve_crossings(cutter *c, uint32_t needed) {
  const supple_allocator *a = &c->measure->allocator;
  if (needed <= c->crossing_capacity) return true;
  uint32_t old = c->crossing_capacity, grown = old < 256 ? 512 : old * 2;
  if (old > UINT32_MAX / 8) return false; /* before slot_count could overflow */
  crossing *crossings = supplei_allocate(a, grown, sizeof *crossings);
  uint32_t *slots = supplei_allocate(a, (size_t)grown * 2, sizeof *slots);
  uint32_t *loop = supplei_allocate(a, grown, sizeof *loop);
  supple_vec3 *places = supplei_allocate(a, grown, sizeof *places);
  bool ok = crossings && slots && loop && places;
  if (ok && old) memcpy(crossings, c->crossings, old * sizeof *crossings);
  supplei_release(a, ok ? c->crossings : crossings, ok ? old : grown, sizeof *crossings);
  supplei_release(a, ok ? c->slots : slots, ok ? c->slot_count : (size_t)grown * 2, sizeof *slots);
  supplei_release(a, ok ? c->loop : loop, ok ? old : grown, sizeof *loop);
  supplei_release(a, ok ? c->places : places, ok ? old : grown, sizeof *places);
  if (!ok) return false;
  c->crossings = crossings, c->slots = slots, c->loop = loop, c->places = places;
  c->crossing_capacity = grown;
  c->slot_count = grown * 2;
  return true;
}

static uint32_t *slot_of(const cutter *c, uint32_t low, uint32_t high) {
  uint64_t h = ((uint64_t)low << 32 | high) * 0x9E3779B97F4A7C15u;
  h = (h ^ h >> 29) * 0xBF58476D1CE4E5B9u; /* grids of vertices would share their low bits */
  uint32_t at = (uint32_t)(h >> 32) % c->slot_count;
  while (c->slots[at] != SUPPLE_NONE &&
         (c->crossings[c->slots[at]].low != low || c->crossings[c->slots[at]].high != high))
    at = at + 1 == c->slot_count ? 0 : at + 1;
  return &c->slots[at];
}

static void rehash(cutter *c) {
  memset(c->slots, 0xFF, c->slot_count * sizeof *c->slots);
  for (uint32_t i = 0; i < c->crossing_count; i++)
    *slot_of(c, c->crossings[i].low, c->crossings[i].high) = i;
}

/* The crossing on the edge between welded points a and b, made where it is new. */
static uint32_t crossing_on(cutter *c, uint32_t a, uint32_t b) {
  uint32_t low = a < b ? a : b, high = a < b ? b : a;
  uint32_t *slot = slot_of(c, low, high);
  if (*slot != SUPPLE_NONE) return *slot;
  const uint32_t *sources = c->measure->surface.sources;
  double from = c->sides[low], to = c->sides[high];
  crossing made = {.low = low, .high = high, .links = {SUPPLE_NONE, SUPPLE_NONE}};
  made.point = (supplei_point){.a = sources[low], .b = sources[high], .t = from / (from - to)};
  *slot = c->crossing_count;
  c->crossings[c->crossing_count] = made;
  return c->crossing_count++;
}

/* Where more than two pieces meet on one edge the surface is no surface: the third stays unlinked. The same
 * piece twice is one (a triangle stored twice, or back to back for two sides). */
static void link(cutter *c, uint32_t from, uint32_t to) {
  crossing *a = &c->crossings[from], *b = &c->crossings[to];
  if (a->links[0] == to || a->links[1] == to) return;
  uint32_t *free_a = a->links[0] == SUPPLE_NONE ? &a->links[0] : &a->links[1];
  uint32_t *free_b = b->links[0] == SUPPLE_NONE ? &b->links[0] : &b->links[1];
  if (*free_a != SUPPLE_NONE || *free_b != SUPPLE_NONE) return;
  *free_a = to;
  *free_b = from;
}

static void measure_sides(cutter *c, const supplei_plane *plane) {
  const supplei_surface *s = &c->measure->surface;
  for (uint32_t w = 0; w < s->welded_count; w++) {
    const double *p = s->points + 3 * (size_t)s->sources[w];
    supple_vec3 d = supple_vec3_subtract(supple_vec3_make(p[0], p[1], p[2]), plane->origin);
    c->sides[w] = supple_vec3_dot(d, plane->axis);
  }
}

/* All pieces of the cut. A point on the plane counts as above it, so every cut triangle has two crossings. */
static bool find_crossings(cutter *c) {
  const supplei_surface *s = &c->measure->surface;
  c->crossing_count = 0;
  if (!reserve_crossings(c, 2)) return false;
  rehash(c);
  for (uint32_t t = 0; t < s->triangle_count; t++) {
    uint32_t w[3], found[3], n = 0;
    for (uint32_t k = 0; k < 3; k++) w[k] = s->welded[s->corners[3 * (size_t)t + k]];
    bool above[3] = {c->sides[w[0]] >= 0, c->sides[w[1]] >= 0, c->sides[w[2]] >= 0};
    if (above[0] == above[1] && above[1] == above[2]) continue;
    if (c->crossing_count + 2 > c->crossing_capacity) {
      if (!reserve_crossings(c, c->crossing_count + 2)) return false;
      rehash(c);
    }
    for (uint32_t k = 0; k < 3; k++)
      if (above[k] != above[(k + 1) % 3]) found[n++] = crossing_on(c, w[k], w[(k + 1) % 3]);
    link(c, found[0], found[1]);
  }
  return true;
}

/* Follows the links from `start` into c->loop; true where they come back to it. */
static bool walk(cutter *c, uint32_t start, uint32_t *count) {
  uint32_t n = 0, before = SUPPLE_NONE, at = start;
  while (at != SUPPLE_NONE && !c->crossings[at].visited) {
    crossing *here = &c->crossings[at];
    here->visited = true;
    c->loop[n++] = at;
    uint32_t next = here->links[0] == before ? here->links[1] : here->links[0];
    before = at;
    at = next;
  }
  *count = n;
  return at == start && n >= 3;
}

static void place(const cutter *c, uint32_t count) {
  const double *points = c->measure->surface.points;
  for (uint32_t i = 0; i < count; i++) {
    const supplei_point *p = &c->crossings[c->loop[i]].point;
    const double *a = points + 3 * (size_t)p->a, *b = points + 3 * (size_t)p->b;
    c->places[i] = supple_vec3_make(a[0] + p->t * (b[0] - a[0]), a[1] + p->t * (b[1] - a[1]),
                                    a[2] + p->t * (b[2] - a[2]));
  }
}

/* Does the loop go around the plane's origin? By the winding number of its projection. */
static bool encloses(const cutter *c, uint32_t count, const supplei_plane *plane) {
  supple_vec3 side = supple_vec3_cross(plane->axis, plane->up);
  int winding = 0;
  supple_vec3 d = supple_vec3_subtract(c->places[count - 1], plane->origin);
  double x0 = supple_vec3_dot(d, plane->up), y0 = supple_vec3_dot(d, side);
  for (uint32_t i = 0; i < count; i++) {
    d = supple_vec3_subtract(c->places[i], plane->origin);
    double x1 = supple_vec3_dot(d, plane->up), y1 = supple_vec3_dot(d, side);
    double turn = x0 * y1 - x1 * y0;
    if (y0 <= 0 && y1 > 0 && turn > 0) winding++;
    if (y0 > 0 && y1 <= 0 && turn < 0) winding--;
    x0 = x1, y0 = y1;
  }
  return winding != 0;
}

/* How much of a source vertex's weight is the joint's own. */
static double own_weight(const cutter *c, uint32_t source) {
  const uint16_t *joints;
  const float *weights;
  uint32_t n = supplei_source_influences(c->measure, source, &joints, &weights);
  double own = 0;
  for (uint32_t i = 0; i < n; i++)
    if (joints[i] < c->measure->joint_count && c->own[joints[i]]) own += (double)weights[i];
  return own;
}

/* How much of the loop's weight is the joint's own, by length. */
static double own_share(const cutter *c, uint32_t count) {
  double own = 0, all = 0;
  for (uint32_t i = 0; i < count; i++) {
    supple_vec3 before = c->places[i ? i - 1 : count - 1],
                after = c->places[i + 1 < count ? i + 1 : 0];
    double length = supple_vec3_length(supple_vec3_subtract(c->places[i], before)) +
                    supple_vec3_length(supple_vec3_subtract(after, c->places[i]));
    const supplei_point *p = &c->crossings[c->loop[i]].point;
    double a = own_weight(c, p->a), b = own_weight(c, p->b);
    own += length * (a + p->t * (b - a));
    all += length;
  }
  return all > 0 ? own / all : 0;
}

/* The scale of the loop with the nodes as stored. */
static double mean_scale(const cutter *c, uint32_t count) {
  const double *scales = c->measure->scales;
  double sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    const supplei_point *p = &c->crossings[c->loop[i]].point;
    sum += scales[p->a] + p->t * (scales[p->b] - scales[p->a]);
  }
  return sum / count;
}

static bool keep(cutter *c, supplei_section *section, uint32_t count) {
  supple_measure *m = c->measure;
  if (count > m->point_capacity - m->point_count) {
    if (m->point_count > UINT32_MAX / 4 || count > UINT32_MAX / 4) return false;
    uint32_t grown = m->point_capacity < 512 ? 1024 : m->point_capacity * 2;
    while (grown < m->point_count + count) grown *= 2;
    supplei_point *points = supplei_allocate(&m->allocator, grown, sizeof *points);
    if (!points) return false;
    if (m->point_count) memcpy(points, m->points, m->point_count * sizeof *points);
    supplei_release(&m->allocator, m->points, m->point_capacity, sizeof *points);
    m->points = points;
    m->point_capacity = grown;
  }
  section->begin = m->point_count;
  section->count = count;
  for (uint32_t i = 0; i < count; i++) m->points[m->point_count++] = c->crossings[c->loop[i]].point;
  return true;
}

typedef struct found {
  bool closed, enclosing, owned;
} found;

/* The best loop of one cut: enclosing the bone, with the largest own share, then the largest area. */
static bool cut(cutter *c, const supplei_plane *plane, supplei_section *section, found *any) {
  supple_measure *m = c->measure;
  c->work += (double)m->surface.welded_count + (double)m->surface.triangle_count;
  measure_sides(c, plane);
  if (!find_crossings(c)) return false;
  double best_share = -1, best_area = 0;
  uint32_t mark = m->point_count;
  for (uint32_t i = 0; i < c->crossing_count; i++) {
    uint32_t count;
    if (c->crossings[i].visited || !walk(c, i, &count)) continue;
    any->closed = true;
    place(c, count);
    if (!encloses(c, count, plane)) continue;
    any->enclosing = true;
    double share = own_share(c, count);
    supplei_shape shape = supplei_shape_of(c->places, count, plane);
    double area = supple_vec3_length(shape.area);
    double least = 1e-10 * m->surface.diagonal * m->surface.diagonal;
    bool better = share > best_share + 1e-9 || (share > best_share - 1e-9 && area > best_area);
    if (share < m->options.least_share || !(area > least) || !better) continue;
    best_share = share;
    best_area = area;
    m->point_count = mark;
    if (!keep(c, section, count)) return false;
    section->area = area;
    section->projected = fabs(supple_vec3_dot(shape.area, plane->axis));
    section->least = shape.least;
    section->most = shape.most;
    section->scale = mean_scale(c, count);
    any->owned = true;
  }
  return true;
}

/* The joints whose weight counts as own around joint j: itself, the ends of its bones, the joints passed over
 * between them, and helpers (twist joints) that lie on one of the two bones. */
static void mark_own(cutter *c, uint32_t j, bool value) {
  const supple_measure *m = c->measure;
  const uint32_t *parents = m->instance->skin->parents;
  const supple_measured_joint *joint = &m->joints[j];
  c->own[j] = value;
  uint32_t steps = 0; /* of a root the joints above may go round in a circle */
  for (uint32_t k = j; k != joint->parent && k < m->joint_count; k = parents[k]) {
    if (steps++ > SUPPLEI_MOST_PASSED_OVER) break;
    c->own[k] = value;
  }
  for (uint32_t k = joint->child; k != j && k < m->joint_count; k = parents[k]) c->own[k] = value;
  if (joint->parent < m->joint_count) c->own[joint->parent] = value;
}

enum { MOST_JOINTS_FOR_HELPERS = 4096 }; /* the search is quadratic; no real rig comes near */

static bool lies_on(const supple_measure *m, uint32_t k, supple_vec3 begin, supple_vec3 along,
                    double length) {
  supple_vec3 d = supple_vec3_subtract(m->joints[k].position, begin);
  double t = supple_vec3_dot(d, along);
  supple_vec3 off = supple_vec3_subtract(d, supple_vec3_scale(along, t));
  return t >= -0.05 * length && t <= 1.05 * length && supple_vec3_length(off) <= 0.1 * length;
}

static void mark_helpers(cutter *c, uint32_t j, bool value) {
  const supple_measure *m = c->measure;
  const uint32_t *parents = m->instance->skin->parents;
  const supple_measured_joint *joint = &m->joints[j];
  supple_vec3 start = supple_vec3_subtract(
      joint->position, supple_vec3_scale(joint->incoming, joint->incoming_length));
  if (m->joint_count > MOST_JOINTS_FOR_HELPERS) return;
  for (uint32_t k = 0; k < m->joint_count; k++) {
    bool beside = joint->parent < m->joint_count && parents[k] == joint->parent;
    bool below = parents[k] == j;
    if ((beside && lies_on(m, k, start, joint->incoming, joint->incoming_length)) ||
        (below && lies_on(m, k, joint->position, joint->outgoing, joint->outgoing_length)))
      c->own[k] = value;
  }
}

static bool cut_joint(cutter *c, uint32_t j) {
  supple_measure *m = c->measure;
  supple_measured_joint *joint = &m->joints[j];
  found any = {0};
  if (!m->weighted[j])
    joint->status = SUPPLE_JOINT_UNWEIGHTED;
  else if (!joint->shared)
    joint->status = SUPPLE_JOINT_RIGID;
  else if (c->work > m->options.most_work)
    joint->status = SUPPLE_JOINT_SKIPPED;
  else {
    mark_own(c, j, true);
    mark_helpers(c, j, true);
    bool has_bone = true;
    for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT && has_bone; k++) {
      supplei_plane plane;
      has_bone = supplei_section_plane(m, j, k, &plane);
      supplei_section *section = &m->sections[j * SUPPLE_SECTION_COUNT + k];
      if (has_bone && !cut(c, &plane, section, &any)) return false;
      joint->sections[k] = section->count > 0;
    }
    mark_own(c, j, false);
    mark_helpers(c, j, false);
    joint->status = any.owned                 ? SUPPLE_JOINT_OK
                    : any.enclosing           ? SUPPLE_JOINT_AMBIGUOUS
                    : any.closed || !has_bone ? SUPPLE_JOINT_OUTSIDE
                                              : SUPPLE_JOINT_OPEN;
  }
  return true;
}

bool supplei_measure_cut(supple_measure *m) {
  const supple_allocator *a = &m->allocator;
  cutter c = {.measure = m};
  size_t welded = m->surface.welded_count;
  c.sides = supplei_allocate(a, welded, sizeof *c.sides);
  c.own = supplei_allocate_zero(a, m->joint_count, sizeof *c.own);
  bool ok = c.sides && c.own;
  for (uint32_t j = 0; ok && j < m->joint_count; j++) ok = cut_joint(&c, j);
  supplei_release(a, c.sides, welded, sizeof *c.sides);
  supplei_release(a, c.own, m->joint_count, sizeof *c.own);
  supplei_release(a, c.crossings, c.crossing_capacity, sizeof *c.crossings);
  supplei_release(a, c.slots, c.slot_count, sizeof *c.slots);
  supplei_release(a, c.loop, c.crossing_capacity, sizeof *c.loop);
  supplei_release(a, c.places, c.crossing_capacity, sizeof *c.places);
  return ok;
}
