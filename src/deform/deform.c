/* deform.c: a job over a range of vertices, and what can be asked of a prepared palette by vertex. */
#include "../base/prologue.h"

#include "vertex.h"

#include "../kernels/kernels.h"

#include <string.h>

typedef struct element {
  supplei_vec3f position, normal, tangent;
  float handedness;
} element;

/* From the caller's stream, or the binding's copy. */
static supplei_vec3f read3(const supple_stream *stream, const float *compiled, size_t vertex) {
  supplei_vec3f v;
  if (!stream->data) {
    const float *p = compiled + vertex / SUPPLEI_BLOCK * 3 * SUPPLEI_BLOCK + vertex % SUPPLEI_BLOCK;
    return (supplei_vec3f){p[0], p[SUPPLEI_BLOCK], p[2 * SUPPLEI_BLOCK]};
  }
  memcpy(&v, (const char *)stream->data + vertex * stream->stride, sizeof v);
  return v;
}

static void read4(const supple_stream *stream, const float *compiled, size_t vertex, element *e) {
  if (!stream->data) {
    const float *p = compiled + vertex / SUPPLEI_BLOCK * 4 * SUPPLEI_BLOCK + vertex % SUPPLEI_BLOCK;
    e->tangent = (supplei_vec3f){p[0], p[SUPPLEI_BLOCK], p[2 * SUPPLEI_BLOCK]};
    e->handedness = p[3 * SUPPLEI_BLOCK];
    return;
  }
  const char *at = (const char *)stream->data + vertex * stream->stride;
  memcpy(&e->tangent, at, sizeof e->tangent);
  memcpy(&e->handedness, at + sizeof e->tangent, sizeof e->handedness);
}

/* + 0 turns -0 into +0: the sign of a blended quaternion as a whole, which may depend on the way the signs
 * were found, must not show. */
static void write3(const supple_out_stream *stream, size_t vertex, supplei_vec3f v) {
  v = (supplei_vec3f){v.x + 0.0f, v.y + 0.0f, v.z + 0.0f};
  memcpy((char *)stream->data + vertex * stream->stride, &v, sizeof v);
}

static element read_element(const supple_job *job, size_t vertex) {
  float *const *compiled = job->prepared->binding->blocks.geometry;
  element e = {.position = read3(&job->positions, compiled[0], vertex)};
  if (job->out_normals.data) e.normal = read3(&job->normals, compiled[1], vertex);
  if (job->out_tangents.data) read4(&job->tangents, compiled[2], vertex, &e);
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

/* The same for joints rigid up to the common scale: L = scale · rotation. */
static void turn_frame(const supple_job *job, const supplei_blend *blend, element *e,
                       supple_deform_report *report) {
  bool linear = job->normal_mode == SUPPLE_NORMALS_LINEAR;
  float sign = blend->scale < 0 ? -1.0f : 1.0f, factor = linear ? blend->scale : sign;
  const supplei_vec3f *normal = NULL;
  if (job->out_normals.data) {
    supplei_vec3f turned = supplei_dqs_rotate(blend, e->normal);
    e->normal = linear ? supplei_vec3f_scale(turned, factor)
                       : supplei_turned_normal(turned, e->normal, sign, job->normal_mode, report);
    normal = &e->normal;
  }
  if (job->out_tangents.data) {
    supplei_vec3f moved = supplei_vec3f_scale(supplei_dqs_rotate(blend, e->tangent), factor);
    e->tangent = linear ? moved : supplei_tangent_beside(moved, e->tangent, 1.0f, normal, report);
    if (blend->scale < 0) e->handedness = -e->handedness;
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
      if (frame && blend.kind == SUPPLEI_KIND_RIGID) {
        turn_frame(job, &blend, &e, report);
      } else if (frame) {
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

static bool has_streams(const supple_stream *in, const float *compiled,
                        const supple_out_stream *out, size_t size) {
  return !out->data || ((in->data || compiled) && out->stride >= size);
}

static bool is_complete(const supple_job *job, uint32_t begin, uint32_t end) {
  const supple_prepared *p = job->prepared;
  float *const *compiled = p->binding->blocks.geometry;
  return p->path != SUPPLEI_PATH_NONE && (unsigned)job->isa <= SUPPLE_ISA_WASM && begin <= end &&
         end <= p->binding->vertex_count && job->out_positions.data &&
         has_streams(&job->positions, compiled[0], &job->out_positions, 12) &&
         has_streams(&job->normals, compiled[1], &job->out_normals, 12) &&
         has_streams(&job->tangents, compiled[2], &job->out_tangents, 16);
}

/* An output too large for any cache goes past it, where its address allows. */
static supplei_kernel_out kernel_out(const supple_out_stream *out, const supplei_kernels *kernels,
                                     uint32_t vertex_count) {
  const size_t beyond_cache = (size_t)8 << 20;
  bool stream = out->data && kernels->stream_align && out->stride == 12 &&
                (uintptr_t)out->data % kernels->stream_align == 0 &&
                (size_t)vertex_count * 12 >= beyond_cache;
  return (supplei_kernel_out){(char *)out->data, out->stride, stream};
}

static supplei_kernel_stream kernel_in(const supple_stream *in) {
  return (supplei_kernel_stream){(const char *)in->data, in->stride};
}

static supplei_kernel_job kernel_job(const supple_job *job, const supplei_kernels *kernels) {
  const supple_prepared *p = job->prepared;
  const supplei_blocks *b = &p->binding->blocks;
  bool affine = p->path == SUPPLEI_PATH_AFFINE && p->report.rigid < p->joint_count;
  uint32_t n = p->binding->vertex_count;
  /* Kept sums multiply L beyond the bound. */
  bool bounded = p->bound < HUGE_VALF && (p->path != SUPPLEI_PATH_LBS || !p->binding->sums);
  return (supplei_kernel_job){
      .unit_bound = !bounded         ? 0
                    : p->bound > 100 ? p->bound
                                     : 100,
      .cofactor_bound = !bounded           ? 0
                        : p->bound > 1e-4f ? p->bound
                                           : 1e-4f,
      .blocks = {.begins = b->begins,
                 .joints = b->joints,
                 .weights = b->weights,
                 .pivots = b->pivots,
                 .wide = b->wide,
                 .vertex_begins = p->binding->offsets,
                 .vertex_joints = p->binding->joints,
                 .vertex_weights = p->binding->weights,
                 .sums = p->path == SUPPLEI_PATH_LBS ? p->binding->sums : NULL,
                 .positions = b->geometry[0],
                 .normals = b->geometry[1],
                 .tangents = b->geometry[2]},
      .matrices = &p->matrices[0].m[0][0],
      .agreed_rigid = p->agreed_rigid[0].real,
      .stored_rigid = p->rigid[0].real,
      .agreed_affine = affine ? &p->agreed_affine[0].numerator[0][0] : NULL,
      .stored_affine = affine ? &p->affine[0].numerator[0][0] : NULL,
      .is_rigid = p->is_rigid,
      .doubtful = p->path != SUPPLEI_PATH_LBS && p->any_doubtful ? p->doubtful : NULL,
      .per_pose = p->options.signs == SUPPLE_SIGNS_PER_POSE,
      .scale = p->scale,
      .mode = job->normal_mode == SUPPLE_NORMALS_COFACTOR ? SUPPLEI_KERNEL_COFACTOR
              : job->normal_mode == SUPPLE_NORMALS_UNIT   ? SUPPLEI_KERNEL_UNIT
                                                          : SUPPLEI_KERNEL_LINEAR,
      .positions = kernel_in(&job->positions),
      .normals = kernel_in(&job->normals),
      .tangents = kernel_in(&job->tangents),
      .out_positions = kernel_out(&job->out_positions, kernels, n),
      .out_normals = kernel_out(&job->out_normals, kernels, n),
      .out_tangents = {(char *)job->out_tangents.data, job->out_tangents.stride, false}};
}

/* The lanes of a block that a kernel left. */
static void deform_lanes(const supple_job *job, uint32_t block, uint32_t lanes,
                         supple_deform_report *report) {
  for (uint32_t lane = 0; lane < SUPPLEI_BLOCK; lane++)
    if (lanes >> lane & 1) deform_vertex(job, block * SUPPLEI_BLOCK + lane, report);
}

/* Whole blocks begin <= b < end. */
static void deform_blocks(const supple_job *job, const supplei_kernels *kernels, uint32_t begin,
                          uint32_t end, supple_deform_report *report) {
  enum { MOST = 64 };
  const supplei_blocks *blocks = &job->prepared->binding->blocks;
  supplei_kernel_job work = kernel_job(job, kernels);
  supplei_kernel *kernel = job->prepared->path == SUPPLEI_PATH_LBS ? kernels->lbs : kernels->dqs;
  uint16_t again[MOST];
  for (uint32_t b = begin; b < end; b += MOST) {
    uint32_t stop = end - b < MOST ? end : b + MOST;
    kernel(&work, b, stop, again);
    for (uint32_t k = b; k < stop; k++) {
      uint32_t lanes = again[k - b] | blocks->special[k];
      if (lanes) deform_lanes(job, k, lanes, report);
    }
    if (end - b < MOST) break; /* b + MOST may not fit */
  }
  if (work.out_positions.stream || work.out_normals.stream) kernels->fence();
}

static void deform_vertices(const supple_job *job, uint32_t begin, uint32_t end,
                            supple_deform_report *report) {
  for (uint32_t v = begin; v < end; v++) deform_vertex(job, v, report);
}

supple_result supple_deform_range(const supple_job *job, uint32_t begin, uint32_t end,
                                  supple_deform_report *report) {
  if (!job->prepared) return SUPPLE_ERROR_ARGUMENT;
  const supple_binding *binding = job->prepared->binding;
  if (begin == end && end <= binding->vertex_count) return SUPPLE_OK;
  if (!is_complete(job, begin, end)) return SUPPLE_ERROR_ARGUMENT;
  const supplei_kernels *kernels =
      (unsigned)job->isa < SUPPLEI_ISA_COUNT ? binding->kernels[job->isa] : NULL;
  if (!kernels) return SUPPLE_ERROR_UNSUPPORTED;
  supple_deform_report unwanted = {0};
  if (!report) report = &unwanted;
  uint32_t first = begin / SUPPLEI_BLOCK + (begin % SUPPLEI_BLOCK != 0), last = end / SUPPLEI_BLOCK;
  if (!SUPPLEI_BY_BLOCKS || first >= last || job->prepared->path == SUPPLEI_PATH_FIRST) {
    deform_vertices(job, begin, end, report);
    return SUPPLE_OK;
  }
  deform_vertices(job, begin, first * SUPPLEI_BLOCK, report);
  deform_blocks(job, kernels, first, last, report);
  deform_vertices(job, last * SUPPLEI_BLOCK, end, report);
  return SUPPLE_OK;
}

bool supple_isa_available(supple_isa isa) { return supplei_kernels_select((int)isa) != NULL; }

const char *supple_isa_text(supple_isa isa) {
  switch (isa) {
  case SUPPLE_ISA_BEST: return "best";
  case SUPPLE_ISA_SCALAR: return "scalar";
  case SUPPLE_ISA_SSE2: return "sse2";
  case SUPPLE_ISA_AVX2: return "avx2";
  case SUPPLE_ISA_AVX512: return "avx512";
  case SUPPLE_ISA_NEON: return "neon";
  case SUPPLE_ISA_WASM: return "wasm";
  }
  return "unknown";
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
    inspection->affine +=
        p->path == SUPPLEI_PATH_AFFINE && !supplei_all_rigid(p, vertex.joints, vertex.count);
    const float *pivot = p->rigid[vertex.joints[vertex.pivot]].real;
    for (uint32_t i = 0; i < vertex.count; i++)
      inspection->flipped += supplei_signed_weight(p, vertex.joints, vertex.weights, i, pivot) < 0;
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
