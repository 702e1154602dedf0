/* deform.c: a job over a range of vertices, and what can be asked of a prepared palette by vertex. */
#include "../base/prologue.h"

#include "vertex.h"

#include <string.h>

typedef struct element {
  supplei_vec3f position, normal, tangent;
  float handedness;
} element;

static supplei_vec3f read3(const supple_stream *stream, size_t vertex) {
  supplei_vec3f v;
  memcpy(&v, (const char *)stream->data + vertex * stream->stride, sizeof v);
  return v;
}

/* + 0 turns -0 into +0: the sign of a blended quaternion as a whole, which may depend on the way the signs
 * were found, must not show. */
static void write3(const supple_out_stream *stream, size_t vertex, supplei_vec3f v) {
  v = (supplei_vec3f){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
  memcpy((char *)stream->data + vertex * stream->stride, &v, sizeof v);
}

static element read_element(const supple_job *job, size_t vertex) {
  element e = {.position = read3(&job->positions, vertex)};
  if (job->out_normals.data) e.normal = read3(&job->normals, vertex);
  if (job->out_tangents.data) {
    e.tangent = read3(&job->tangents, vertex);
    memcpy(&e.handedness,
           (const char *)job->tangents.data + vertex * job->tangents.stride + sizeof e.tangent,
           sizeof e.handedness);
  }
  return e;
}

static void write_element(const supple_job *job, size_t vertex, const element *e) {
  write3(&job->out_positions, vertex, e->position);
  if (job->out_normals.data) write3(&job->out_normals, vertex, e->normal);
  if (job->out_tangents.data) {
    write3(&job->out_tangents, vertex, e->tangent);
    memcpy((char *)job->out_tangents.data + vertex * job->out_tangents.stride + sizeof e->tangent,
           &e->handedness, sizeof e->handedness);
  }
}

/* Normal and tangent by the linear part. */
static void deform_frame(const supple_job *job, const supplei_mat3f *linear, element *e,
                         supple_deform_report *report) {
  supplei_linear l = supplei_linear_of(linear);
  const supplei_vec3f *normal = NULL;
  if (job->out_normals.data) {
    e->normal = supplei_deform_normal(&l, e->normal, job->normal_mode, report);
    normal = &e->normal;
  }
  if (job->out_tangents.data) {
    e->tangent = supplei_deform_tangent(&l, e->tangent, normal, job->normal_mode, report);
    if (l.determinant < 0) e->handedness = -e->handedness;
  }
}

/* The affine map of LBS, the kept sum multiplied in. */
static supplei_mat3f lbs_linear(const supple_affine *m, float sum) {
  supplei_mat3f linear;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) linear.m[r][c] = m->m[r][c] * sum;
  return linear;
}

static supplei_vec3f lbs_point(const supple_affine *m, supplei_vec3f v, float sum) {
  const float *a = m->m[0], *b = m->m[1], *c = m->m[2];
  return (supplei_vec3f){(a[0] * v.x + a[1] * v.y + a[2] * v.z + a[3]) * sum,
                         (b[0] * v.x + b[1] * v.y + b[2] * v.z + b[3]) * sum,
                         (c[0] * v.x + c[1] * v.y + c[2] * v.z + c[3]) * sum};
}

static void deform_vertex(const supple_job *job, uint32_t index, supple_deform_report *report) {
  const supple_prepared *p = job->prepared;
  supplei_vertex vertex = supplei_vertex_at(p->binding, index);
  element e = read_element(job, index);
  bool frame = job->out_normals.data || job->out_tangents.data;
  supplei_mat3f linear;
  if (vertex.count == 0) {
    write_element(job, index, &e);
    return;
  }
  if (p->path != SUPPLEI_PATH_LBS) {
    supplei_blend blend = supplei_dqs_blend(p, &vertex);
    if (blend.squared >= supplei_least_squared) {
      e.position = supplei_dqs_point(&blend, e.position);
      if (frame) {
        linear = supplei_dqs_linear(&blend);
        deform_frame(job, &linear, &e, report);
      }
      write_element(job, index, &e);
      return;
    }
    report->fallbacks++;
  }
  supple_affine m = supplei_lbs_blend(p, &vertex);
  float sum = p->path == SUPPLEI_PATH_LBS ? supple_binding_sum(p->binding, index) : 1.0f;
  e.position = lbs_point(&m, e.position, sum);
  if (frame) {
    linear = lbs_linear(&m, sum);
    deform_frame(job, &linear, &e, report);
  }
  write_element(job, index, &e);
}

static bool is_complete(const supple_job *job, uint32_t begin, uint32_t end) {
  const supple_prepared *p = job->prepared;
  return p && p->path != SUPPLEI_PATH_NONE && begin <= end && end <= p->binding->vertex_count &&
         job->positions.data && job->out_positions.data && job->out_positions.stride >= 12 &&
         (!job->out_normals.data || (job->normals.data && job->out_normals.stride >= 12)) &&
         (!job->out_tangents.data || (job->tangents.data && job->out_tangents.stride >= 16)) &&
         (job->isa == SUPPLE_ISA_BEST || job->isa == SUPPLE_ISA_SCALAR);
}

supple_result supple_deform_range(const supple_job *job, uint32_t begin, uint32_t end,
                                  supple_deform_report *report) {
  if (!job->prepared || (begin == end && end <= job->prepared->binding->vertex_count))
    return job->prepared ? SUPPLE_OK : SUPPLE_ERROR_ARGUMENT;
  if (!is_complete(job, begin, end)) return SUPPLE_ERROR_ARGUMENT;
  supple_deform_report unwanted = {0};
  for (uint32_t v = begin; v < end; v++) deform_vertex(job, v, report ? report : &unwanted);
  return SUPPLE_OK;
}

supple_result supple_deform(const supple_job *job) {
  if (!job->prepared) return SUPPLE_ERROR_ARGUMENT;
  return supple_deform_range(job, 0, job->prepared->binding->vertex_count, NULL);
}

supple_result supple_prepared_inspect(const supple_prepared *prepared, uint32_t begin, uint32_t end,
                                      supple_inspection *inspection) {
  const supple_prepared *p = prepared;
  if (p->path == SUPPLEI_PATH_NONE || begin > end || end > p->binding->vertex_count)
    return SUPPLE_ERROR_ARGUMENT;
  for (uint32_t v = begin; v < end; v++) {
    supplei_vertex vertex = supplei_vertex_at(p->binding, v);
    inspection->rest += vertex.count == 0;
    if (vertex.count == 0 || p->path == SUPPLEI_PATH_LBS) continue;
    inspection->affine += p->path == SUPPLEI_PATH_AFFINE &&
                          !supplei_all_rigid(p, vertex.joints, vertex.count);
    const float *pivot = p->rigid[vertex.joints[vertex.pivot]].real;
    for (uint32_t i = 0; i < vertex.count; i++)
      inspection->flipped +=
          supplei_signed_weight(p, vertex.joints, vertex.weights, i, pivot) < 0;
  }
  return SUPPLE_OK;
}

supple_mat3 supple_prepared_linear(const supple_prepared *prepared, uint32_t vertex) {
  const supple_prepared *p = prepared;
  supplei_vertex at = supplei_vertex_at(p->binding, vertex);
  if (at.count == 0 || p->path == SUPPLEI_PATH_NONE) return supple_mat3_identity();
  supplei_mat3f linear;
  supplei_blend blend;
  if (p->path != SUPPLEI_PATH_LBS &&
      (blend = supplei_dqs_blend(p, &at)).squared >= supplei_least_squared) {
    linear = supplei_dqs_linear(&blend);
  } else {
    supple_affine m = supplei_lbs_blend(p, &at);
    float sum = p->path == SUPPLEI_PATH_LBS ? supple_binding_sum(p->binding, vertex) : 1.0f;
    linear = lbs_linear(&m, sum);
  }
  supple_mat3 out;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) out.m[r][c] = (double)linear.m[r][c];
  return out;
}
