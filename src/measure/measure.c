/* measure.c: building a measure, and reading what it knows before any pose. */
#include "../base/prologue.h"

#include "measure_state.h"

#include "../base/error.h"
#include "../base/memory.h"

#include <math.h>
#include <string.h>

const char *supple_joint_status_text(supple_joint_status status) {
  switch (status) {
  case SUPPLE_JOINT_OK: return "ok";
  case SUPPLE_JOINT_RIGID: return "rigid";
  case SUPPLE_JOINT_UNWEIGHTED: return "unweighted";
  case SUPPLE_JOINT_OPEN: return "open";
  case SUPPLE_JOINT_OUTSIDE: return "outside";
  case SUPPLE_JOINT_AMBIGUOUS: return "ambiguous";
  case SUPPLE_JOINT_SKIPPED: return "skipped";
  }
  return "unknown";
}

double supple_section_offset(uint32_t k) {
  return (double)((int)k - SUPPLE_SECTION_AT_JOINT) * 0.15;
}

void supple_measure_destroy(supple_measure *measure) {
  if (!measure) return;
  supple_measure *m = measure;
  supple_allocator a = m->allocator;
  size_t joints = m->joint_count, sources = m->surface.source_count;
  size_t triangles = m->surface.triangle_count;
  supplei_release(&a, m->bindings, m->primitive_count, sizeof *m->bindings);
  supplei_release(&a, m->joints, joints, sizeof *m->joints);
  supplei_release(&a, m->weighted, joints, sizeof *m->weighted);
  supplei_release(&a, m->shared_above, joints, sizeof *m->shared_above);
  supplei_release(&a, m->sections, joints * SUPPLE_SECTION_COUNT, sizeof *m->sections);
  supplei_release(&a, m->points, m->point_capacity, sizeof *m->points);
  supplei_release(&a, m->areas, sources, sizeof *m->areas);
  supplei_release(&a, m->scales, sources, sizeof *m->scales);
  supplei_release(&a, m->blended, sources, sizeof *m->blended);
  supplei_release(&a, m->bending, triangles, sizeof *m->bending);
  supplei_surface_free(&m->surface);
  supplei_release(&a, m, 1, sizeof *m);
}

static bool create_surface(supple_measure *m, const supple_binding *const *bindings) {
  const supple_allocator *a = &m->allocator;
  bool *use = supplei_allocate_zero(a, m->primitive_count, sizeof *use);
  if (!use) return false;
  for (uint32_t p = 0; p < m->primitive_count; p++) {
    const supple_primitive *primitive = m->instance->primitives[p];
    m->bindings[p] = bindings[p];
    use[p] = bindings[p] && supple_binding_vertex_count(bindings[p]) == primitive->vertex_count;
  }
  bool ok = supplei_surface_create(&m->surface, m->instance->primitives, use, m->primitive_count,
                                   m->options.weld_tolerance, a);
  supplei_release(a, use, m->primitive_count, sizeof *use);
  return ok;
}

static bool allocate(supple_measure *m) {
  const supple_allocator *a = &m->allocator;
  size_t joints = m->joint_count;
  m->joints = supplei_allocate_zero(a, joints, sizeof *m->joints);
  m->weighted = supplei_allocate_zero(a, joints, sizeof *m->weighted);
  m->shared_above = supplei_allocate_zero(a, joints, sizeof *m->shared_above);
  m->sections = supplei_allocate_zero(a, joints * SUPPLE_SECTION_COUNT, sizeof *m->sections);
  m->areas = supplei_allocate_zero(a, m->surface.source_count, sizeof *m->areas);
  m->scales = supplei_allocate(a, m->surface.source_count, sizeof *m->scales);
  m->blended = supplei_allocate(a, m->surface.source_count, sizeof *m->blended);
  m->bending = supplei_allocate(a, m->surface.triangle_count, sizeof *m->bending);
  return m->joints && m->weighted && m->shared_above && m->sections && m->areas && m->scales &&
         m->blended && m->bending;
}

static supple_vec3 rest_point(const supplei_surface *s, uint32_t source) {
  const double *p = s->points + 3 * (size_t)source;
  return supple_vec3_make(p[0], p[1], p[2]);
}

/* What takes the volume of the closed shells to the scene: the cube of the scale, its mean over their area where
 * joints are scaled apart. */
static double shell_cube(const supple_measure *m) {
  const supplei_surface *s = &m->surface;
  double sum = 0, area = 0;
  for (uint32_t t = 0; t < s->triangle_count; t++)
    for (uint32_t c = 0; c < 3 && s->shells[t]; c++) {
      uint32_t v = s->corners[3 * (size_t)t + c];
      sum += m->areas[v] * m->scales[v] * m->scales[v] * m->scales[v];
      area += m->areas[v];
    }
  double cube = area > 0 ? sum / area : m->scale * m->scale * m->scale;
  return m->mirrored ? -cube : cube;
}

/* Areas, the rest volume, and which vertices and triangles bend at all. */
static void find_skin(supple_measure *m) {
  const supplei_surface *s = &m->surface;
  const uint16_t *joints;
  const float *weights;
  for (uint32_t v = 0; v < s->source_count; v++)
    if (supplei_source_influences(m, v, &joints, &weights) > 1) m->blended[m->blended_count++] = v;
  for (uint32_t t = 0; t < s->triangle_count; t++) {
    const uint32_t *corner = s->corners + 3 * (size_t)t;
    supple_vec3 a = rest_point(s, corner[0]);
    supple_vec3 ab = supple_vec3_subtract(rest_point(s, corner[1]), a);
    supple_vec3 ac = supple_vec3_subtract(rest_point(s, corner[2]), a);
    double area = supple_vec3_length(supple_vec3_cross(ab, ac)) / 2;
    if (!isfinite(area)) area = 0; /* a vertex that is nowhere must not spoil the sum */
    bool bends = false;
    for (int c = 0; c < 3; c++) {
      m->areas[corner[c]] += area / 3;
      bends |= supplei_source_influences(m, corner[c], &joints, &weights) > 1;
    }
    uint32_t first[3]; /* a triangle between two rigid parts bends too */
    for (int c = 0; c < 3; c++)
      first[c] =
          supplei_source_influences(m, corner[c], &joints, &weights) ? joints[0] : SUPPLE_NONE;
    bends |= first[0] != first[1] || first[1] != first[2];
    m->area += area;
    if (bends) m->bending[m->bending_count++] = t;
  }
  m->volume = supplei_volume_of(s, s->points);
  m->cube = shell_cube(m);
}

static bool fits(const supple_instance *instance, const supple_binding *const *bindings) {
  bool fit = true;
  for (uint32_t p = 0; p < instance->primitive_count; p++)
    fit &= !bindings[p] || (supple_binding_joint_limit(bindings[p]) <= instance->skin->joint_count &&
                            !supple_binding_order(bindings[p]));
  return fit;
}

supple_measure *supple_measure_create(const supple_skeleton *skeleton,
                                      const supple_instance *instance,
                                      const supple_binding *const *bindings,
                                      const supple_measure_options *options, supple_error *error) {
  if (!fits(instance, bindings)) {
    supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                 "a binding is sorted, or uses more joints than the instance's skin has");
    return NULL;
  }
  supple_allocator a = supplei_allocator(options ? &options->allocator : NULL);
  supple_measure *m = supplei_allocate_zero(&a, 1, sizeof *m);
  supple_error found = {0};
  bool ok = m != NULL;
  if (ok) {
    m->allocator = a;
    if (options) m->options = *options;
    if (m->options.threshold == 0) m->options.threshold = 0.75;
    if (m->options.weld_tolerance == 0) m->options.weld_tolerance = 1e-5;
    if (m->options.least_share == 0) m->options.least_share = 0.8;
    if (m->options.most_work == 0) m->options.most_work = 2e10;
    m->instance = instance;
    m->joint_count = instance->skin->joint_count;
    m->primitive_count = instance->primitive_count;
    m->bindings = supplei_allocate(&a, m->primitive_count, sizeof *m->bindings);
    ok = m->bindings && create_surface(m, bindings) && allocate(m);
  }
  ok = ok && supplei_measure_bones(m, skeleton, &found);
  if (ok) find_skin(m);
  if (ok && supplei_measure_cut(m)) return m;
  supple_measure_destroy(m);
  if (found.result == SUPPLE_OK || found.result == SUPPLE_ERROR_MEMORY)
    supplei_fail(error, SUPPLE_ERROR_MEMORY, NULL, SIZE_MAX, "out of memory for measuring the mesh");
  else if (error)
    *error = found; /* the skeleton is none */
  return NULL;
}

double supple_measure_threshold(const supple_measure *measure) {
  return measure->options.threshold;
}

uint32_t supple_measure_joint_count(const supple_measure *measure) { return measure->joint_count; }

const supple_measured_joint *supple_measure_joint(const supple_measure *measure, uint32_t joint) {
  return &measure->joints[joint];
}

double supple_measure_diagonal(const supple_measure *measure) {
  return measure->surface.diagonal * measure->scale;
}

static const supplei_section *section_at(const supple_measure *m, uint32_t joint, uint32_t k) {
  return &m->sections[(size_t)joint * SUPPLE_SECTION_COUNT + k];
}

double supple_measure_section_scale(const supple_measure *measure, uint32_t joint, uint32_t k) {
  const supplei_section *section = section_at(measure, joint, k);
  return section->count ? section->scale : measure->scale;
}

uint32_t supple_measure_section_size(const supple_measure *measure, uint32_t joint, uint32_t k) {
  return section_at(measure, joint, k)->count;
}

static supple_vec3 place(const supple_measure *m, uint32_t source, const float *const *positions) {
  if (!positions) return rest_point(&m->surface, source);
  uint32_t primitive = supplei_surface_primitive(&m->surface, source);
  const float *p = positions[primitive] + 3 * (size_t)(source - m->surface.begins[primitive]);
  return supple_vec3_make((double)p[0], (double)p[1], (double)p[2]);
}

void supple_measure_section_points(const supple_measure *measure, uint32_t joint, uint32_t k,
                                   const float *const *positions, supple_vec3 *xyz) {
  const supplei_section *section = section_at(measure, joint, k);
  for (uint32_t i = 0; i < section->count; i++) {
    const supplei_point *point = &measure->points[section->begin + i];
    supple_vec3 a = place(measure, point->a, positions), b = place(measure, point->b, positions);
    xyz[i] = supple_vec3_add(a, supple_vec3_scale(supple_vec3_subtract(b, a), point->t));
  }
}

void supplei_pose_plane(const supple_measure *m, uint32_t j, uint32_t k,
                        const supple_palette *palette, supplei_plane *plane) {
  const supple_measured_joint *joint = &m->joints[j];
  supple_affine64 own = supple_affine_to_double(&palette->matrices[j]), above = own;
  if (joint->parent < palette->joint_count && k <= SUPPLE_SECTION_AT_JOINT)
    above = supple_affine_to_double(&palette->matrices[joint->parent]);
  supple_vec3 zero = supple_vec3_make(0, 0, 0);
  supple_vec3 in =
      supple_vec3_normalise(supple_affine64_transform_direction(&above, joint->incoming), zero);
  supple_vec3 out =
      supple_vec3_normalise(supple_affine64_transform_direction(&own, joint->outgoing), zero);
  const supple_affine64 *carrier = k < SUPPLE_SECTION_AT_JOINT ? &above : &own;
  supple_vec3 axis = k < SUPPLE_SECTION_AT_JOINT   ? in
                     : k > SUPPLE_SECTION_AT_JOINT ? out
                                                   : supplei_bisector(in, out);
  plane->origin = supple_affine64_transform_point(carrier, plane->origin);
  supple_vec3 up = supple_affine64_transform_direction(carrier, plane->up);
  plane->axis = supple_vec3_normalise(axis, plane->axis);
  up = supple_vec3_subtract(up, supple_vec3_scale(plane->axis, supple_vec3_dot(up, plane->axis)));
  plane->up = supple_vec3_normalise(up, plane->up);
}

void supple_measure_section_frame(const supple_measure *measure, uint32_t joint, uint32_t k,
                                  const supple_palette *palette, supple_vec3 *origin,
                                  supple_vec3 *axis, supple_vec3 *up) {
  supplei_plane plane = {measure->joints[joint].position, {0, 1, 0}, {1, 0, 0}};
  if (supplei_section_plane(measure, joint, k, &plane) && palette)
    supplei_pose_plane(measure, joint, k, palette, &plane);
  *origin = plane.origin;
  *axis = plane.axis;
  *up = plane.up;
}

bool supple_measure_collapses(const supple_measure *measure, const supple_joint_measure *joint) {
  return joint->own_kept < measure->options.threshold || joint->worst < measure->options.threshold;
}
