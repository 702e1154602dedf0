/* evaluate.c: one posed frame measured: sections, volume, edges, flipped triangles, deviation. */
#include "../base/prologue.h"

#include "measure_state.h"

#include "../base/memory.h"
#include "kept.h"

#include <math.h>

/* Scratch of one evaluation. */
typedef struct evaluation {
  const supple_measure *measure;
  const supple_measure_frame *frame;
  double *posed; /* [source_count][3] */
  double *rest;  /* likewise: the measure's own points, or the frame's morphed ones */
  bool own_rest;
  supplei_joint_turn *turns; /* [joint_count] */
} evaluation;

static supple_vec3 point_of(const double *points, uint32_t source) {
  const double *p = points + 3 * (size_t)source;
  return supple_vec3_make(p[0], p[1], p[2]);
}

static void gather(const supple_measure *m, const float *const *positions, double *points) {
  for (uint32_t p = 0; p < m->primitive_count; p++) {
    size_t begin = m->surface.begins[p], n = m->surface.begins[p + 1] - begin;
    for (size_t k = 0; k < 3 * n; k++) points[3 * begin + k] = (double)positions[p][k];
  }
}

/* ---- sections ---- */

static void section_points(const supple_measure *m, const supplei_section *section,
                           const double *points, supple_vec3 *out) {
  for (uint32_t i = 0; i < section->count; i++) {
    const supplei_point *point = &m->points[section->begin + i];
    supple_vec3 a = point_of(points, point->a), b = point_of(points, point->b);
    out[i] = supple_vec3_add(a, supple_vec3_scale(supple_vec3_subtract(b, a), point->t));
  }
}

/* The section's measures at rest: as built, or from the frame's morphed positions. */
static supplei_section rest_section(const evaluation *e, const supplei_section *section,
                                    const supplei_plane *plane, supple_vec3 *points) {
  supplei_section rest = *section;
  if (e->frame->rest) {
    section_points(e->measure, section, e->rest, points);
    supplei_shape shape = supplei_shape_of(points, section->count, plane);
    rest.area = supple_vec3_length(shape.area);
    rest.projected = fabs(supple_vec3_dot(shape.area, plane->axis));
    rest.least = shape.least;
    rest.most = shape.most;
  }
  return rest;
}

static double ratio(double value, double rest, double least) {
  return rest > least ? value / rest : (double)NAN;
}

static void measure_sections(const evaluation *e, uint32_t joint, supple_vec3 *points,
                             supple_joint_measure *out) {
  const supple_measure *m = e->measure;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    const supplei_section *section = &m->sections[(size_t)joint * SUPPLE_SECTION_COUNT + k];
    supplei_plane plane;
    if (section->count == 0 || !supplei_section_plane(m, joint, k, &plane)) continue;
    supplei_section rest = rest_section(e, section, &plane, points);
    double length = rest.scale, area = length * length;
    section_points(m, section, e->posed, points);
    supplei_pose_plane(m, joint, k, e->frame->palette, &plane);
    supplei_shape shape = supplei_shape_of(points, section->count, &plane);
    double least_area = 1e-10 * m->surface.diagonal * m->surface.diagonal;
    double size = ratio(supple_vec3_length(shape.area) / area, rest.area, least_area);
    out->section[k] = size;
    if (!isnan(size) && !(size >= out->worst)) { /* anything is below the NaN it starts with */
      out->worst = size;
      out->worst_offset = k;
    }
    if (k != SUPPLE_SECTION_AT_JOINT) continue;
    double least_length = 1e-5 * m->surface.diagonal;
    out->section_projected =
        ratio(fabs(supple_vec3_dot(shape.area, plane.axis)) / area, rest.projected, least_area);
    out->radius = ratio(shape.least / length, rest.least, least_length);
    out->bulge = ratio(shape.most / length, rest.most, least_length);
  }
}

/* ---- the whole instance ---- */

static void measure_edges(const evaluation *e, supple_instance_measure *out) {
  const supplei_surface *s = &e->measure->surface;
  const double *scales = e->measure->scales;
  double sum = 0, least = HUGE_VAL, most = 0;
  size_t n = 0;
  for (uint32_t t = 0; t < s->triangle_count; t++)
    for (uint32_t c = 0; c < 3; c++) {
      uint32_t a = s->corners[3 * (size_t)t + c], b = s->corners[3 * (size_t)t + (c + 1) % 3];
      double rest =
          supple_vec3_length(supple_vec3_subtract(point_of(e->rest, b), point_of(e->rest, a)));
      double posed =
          supple_vec3_length(supple_vec3_subtract(point_of(e->posed, b), point_of(e->posed, a)));
      if (!(rest > 0)) continue;
      double r = posed / (rest * (scales[a] + scales[b]) / 2);
      sum += r;
      least = fmin(least, r);
      most = fmax(most, r);
      n++;
    }
  if (n && !isnan(sum)) /* fmin and fmax would pass over a NaN */
    out->edge_mean = sum / (double)n, out->edge_least = least, out->edge_most = most;
}

double supplei_volume_of(const supplei_surface *s, const double *points) {
  double six = 0;
  supple_vec3 origin = {0, 0, 0};
  bool begun = false;
  for (uint32_t t = 0; t < s->triangle_count; t++) {
    if (!s->shells[t]) continue;
    if (!begun) origin = point_of(points, s->corners[3 * (size_t)t]); /* less cancellation */
    begun = true;
    supple_vec3 p[3];
    for (uint32_t c = 0; c < 3; c++) {
      uint32_t stands = s->sources[s->welded[s->corners[3 * (size_t)t + c]]];
      p[c] = supple_vec3_subtract(point_of(points, stands), origin);
    }
    six += s->shells[t] * supple_vec3_dot(p[0], supple_vec3_cross(p[1], p[2]));
  }
  return six / 6;
}

static void measure_volume(const evaluation *e, supple_instance_measure *out) {
  const supple_measure *m = e->measure;
  double rest = e->frame->rest ? supplei_volume_of(&m->surface, e->rest) : m->volume;
  double diagonal = m->surface.diagonal;
  if (m->volume > 1e-15 * diagonal * diagonal * diagonal && rest > 0)
    out->volume = supplei_volume_of(&m->surface, e->posed) / (rest * m->cube);
}

/* A triangle is flipped where its normal points against its rest normal turned by its vertices' joints (the
 * turns blended linearly, which has the direction of the mean). */
static uint32_t count_flipped(const evaluation *e) {
  const supple_measure *m = e->measure;
  const supplei_surface *s = &m->surface;
  uint32_t flipped = 0;
  for (uint32_t i = 0; i < m->bending_count; i++) {
    const uint32_t *corner = s->corners + 3 * (size_t)m->bending[i];
    supple_vec3 normals[2];
    for (int posed = 0; posed < 2; posed++) {
      const double *points = posed ? e->posed : e->rest;
      supple_vec3 a = point_of(points, corner[0]);
      normals[posed] = supple_vec3_cross(supple_vec3_subtract(point_of(points, corner[1]), a),
                                         supple_vec3_subtract(point_of(points, corner[2]), a));
    }
    supple_vec3 expected = {0, 0, 0};
    for (int c = 0; c < 3; c++)
      expected = supple_vec3_add(expected, supplei_turn_normal(m, e->turns, corner[c], normals[0]));
    double size = supple_vec3_length(expected);
    flipped += size > 1e-6 * supple_vec3_length(normals[0]) &&
               supple_vec3_dot(expected, normals[1]) < -1e-6 * size * supple_vec3_length(normals[1]);
  }
  return flipped;
}

static void measure_instance(const evaluation *e, double kept_below, supple_instance_measure *out) {
  double none = (double)NAN;
  *out = (supple_instance_measure){none, none, none, none, 0, kept_below};
  measure_edges(e, out);
  measure_volume(e, out);
  out->flipped = count_flipped(e);
}

static void clear(supple_joint_measure *joint) {
  double none = (double)NAN;
  *joint = (supple_joint_measure){.section_projected = none,
                                  .radius = none,
                                  .bulge = none,
                                  .worst = none,
                                  .worst_offset = SUPPLE_NONE,
                                  .kept = none,
                                  .own_kept = none};
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) joint->section[k] = none;
}

static uint32_t longest_section(const supple_measure *m) {
  uint32_t longest = 0;
  for (size_t i = 0; i < (size_t)m->joint_count * SUPPLE_SECTION_COUNT; i++)
    if (m->sections[i].count > longest) longest = m->sections[i].count;
  return longest;
}

static void evaluate(evaluation *e, supple_vec3 *loop, supple_instance_measure *instance,
                     supple_joint_measure *joints) {
  const supple_measure *m = e->measure;
  gather(m, e->frame->positions, e->posed);
  if (e->own_rest) gather(m, e->frame->rest, e->rest);
  supplei_turn_joints(m, e->frame->palette, e->turns);
  for (uint32_t j = 0; joints && j < m->joint_count; j++) {
    clear(&joints[j]);
    measure_sections(e, j, loop, &joints[j]);
  }
  double kept_below = supplei_measure_kept(m, e->frame->prepared, e->turns, joints);
  if (instance) measure_instance(e, kept_below, instance);
}

supple_result supple_measure_evaluate(const supple_measure *measure,
                                      const supple_measure_frame *frame,
                                      supple_instance_measure *instance,
                                      supple_joint_measure *joints) {
  const supple_measure *m = measure;
  const supple_allocator *a = &m->allocator;
  if (frame->palette->joint_count < m->joint_count) return SUPPLE_ERROR_ARGUMENT;
  size_t n = (size_t)m->surface.source_count * 3;
  uint32_t longest = longest_section(m);
  evaluation e = {.measure = m, .frame = frame, .own_rest = frame->rest != NULL};
  e.posed = supplei_allocate(a, n, sizeof *e.posed);
  e.rest = e.own_rest ? supplei_allocate(a, n, sizeof *e.rest) : m->surface.points;
  e.turns = supplei_allocate(a, m->joint_count, sizeof *e.turns);
  supple_vec3 *loop = supplei_allocate(a, longest, sizeof *loop);
  bool ok = e.posed && e.rest && e.turns && loop;
  if (ok) evaluate(&e, loop, instance, joints);
  supplei_release(a, e.posed, n, sizeof *e.posed);
  if (e.own_rest) supplei_release(a, e.rest, n, sizeof *e.rest);
  supplei_release(a, e.turns, m->joint_count, sizeof *e.turns);
  supplei_release(a, loop, longest, sizeof *loop);
  return ok ? SUPPLE_OK : SUPPLE_ERROR_MEMORY;
}

void supple_measure_deviation(const supple_measure *measure, const float *const *positions,
                              const float *const *reference, double *largest, double *rms) {
  double most = 0, sum = 0;
  size_t n = 0;
  for (uint32_t p = 0; p < measure->primitive_count; p++) {
    uint32_t count = measure->surface.begins[p + 1] - measure->surface.begins[p];
    for (size_t v = 0; v < count; v++) {
      double squares = 0;
      for (size_t c = 0; c < 3; c++) {
        double d = (double)positions[p][3 * v + c] - (double)reference[p][3 * v + c];
        squares += d * d;
      }
      if (squares > most) most = squares;
      sum += squares;
      n++;
    }
  }
  *largest = isnan(sum) ? sum : sqrt(most);
  *rms = n ? sqrt(sum / (double)n) : 0;
}
