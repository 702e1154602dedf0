/* deform/target.c: bindings, palettes, deformation, morph targets, bounds and measures of a loaded asset, with
 * the options of each from the input: the same bits whole, in parts and in plain C, and boxes that hold. */
#include "../fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PRIMITIVES = 4 };

/* What one run uses; everything is 0 where the input says nothing. */
typedef struct plan {
  supple_binding_options binding;
  supple_prepared_options prepared;
  supple_method method;
  supple_normals normals;
  supple_space space;
  bool morphed, measured, shared_stride;
  double at; /* share of the clip */
  uint32_t clip, fail_at;
} plan;

typedef struct scene {
  const supple_asset *asset;
  const supple_instance *instance;
  supple_pose *pose;
  supple_palette *palette;
  supple_binding *bindings[MOST_PRIMITIVES];
  supple_prepared *prepared[MOST_PRIMITIVES];
  float *rest[MOST_PRIMITIVES], *deformed[MOST_PRIMITIVES];
  uint32_t count; /* of primitives that are used */
} scene;

static plan make_plan(fuzz_input *input, const supple_asset *asset) {
  plan p = {0};
  p.clip = fuzz_option(input, asset->clip_count + 1);
  p.at = (double)fuzz_option(input, 256) / 128.0 - 0.25;
  p.method = (supple_method)fuzz_option(input, 2);
  const uint32_t modes = fuzz_option(input, 256);
  p.prepared.scale = (supple_scale)(modes % 3);
  p.prepared.signs = (supple_signs)(modes / 3 % 2);
  p.prepared.split = (supple_split_method)(modes / 6 % 2);
  p.prepared.rigid_tolerance = (const double[]){0, -1, 1e-3}[modes / 12 % 3];
  p.normals = (supple_normals)(modes / 36 % 3);
  const uint32_t cleaning = fuzz_option(input, 256);
  p.binding.weights = (supple_weights)(cleaning & 1);
  p.binding.unweighted = (supple_unweighted)(cleaning >> 1 & 1);
  p.binding.max_influences = cleaning >> 2 & 7;
  const uint32_t parts = fuzz_option(input, 256);
  p.space = parts & 1 ? SUPPLE_SPACE_MESH : SUPPLE_SPACE_SCENE;
  p.morphed = parts & 2;
  p.measured = !(parts & 4);
  p.shared_stride = parts & 8;
  p.fail_at = fuzz_option(input, 64);
  return p;
}

static supple_stream in(const float *data, size_t width) {
  return (supple_stream){data, data ? width * sizeof *data : 0};
}
static supple_out_stream out(float *data, size_t width) {
  return (supple_out_stream){data, data ? width * sizeof *data : 0};
}

static bool all_finite(const float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

/* ---- morph targets ---- */

static void morph(scene *s, uint32_t p) {
  const supple_primitive *primitive = s->instance->primitives[p];
  const supple_node *node = &s->asset->skeleton.nodes[s->instance->node];
  const size_t n = primitive->vertex_count;
  float *normals = primitive->normals ? fuzz_floats(3 * n) : NULL;
  float *tangents = primitive->tangents ? fuzz_floats(4 * n) : NULL;
  const supple_result result =
      supple_morph(primitive, s->pose->weights + node->weight_begin, node->weight_count,
                   out(s->rest[p], 3), out(normals, 3), out(tangents, 4));
  fuzz_expect(result == SUPPLE_OK, "any primitive can be morphed");
  free(normals);
  free(tangents);
}

/* ---- deforming ---- */

typedef struct streams {
  float *positions, *normals, *tangents;
} streams;

static streams make_streams(const supple_primitive *primitive) {
  const size_t n = primitive->vertex_count;
  return (streams){fuzz_floats(3 * n), primitive->normals ? fuzz_floats(3 * n) : NULL,
                   primitive->tangents ? fuzz_floats(4 * n) : NULL};
}

static void free_streams(streams *s) {
  free(s->positions);
  free(s->normals);
  free(s->tangents);
}

static supple_job make_job(const scene *s, uint32_t p, const plan *how, const streams *to) {
  const supple_primitive *primitive = s->instance->primitives[p];
  supple_job job = {.prepared = s->prepared[p],
                    .positions = in(s->rest[p], 3),
                    .normals = in(to->normals ? primitive->normals : NULL, 3),
                    .tangents = in(to->tangents ? primitive->tangents : NULL, 4),
                    .out_positions = out(to->positions, 3),
                    .out_normals = out(to->normals, 3),
                    .out_tangents = out(to->tangents, 4),
                    .normal_mode = how->normals};
  if (how->shared_stride) job.normals.stride = job.tangents.stride = 0;
  return job;
}

static void expect_same(const float *a, const float *b, size_t count) {
  if (!a) return;
  for (size_t i = 0; i < count; i++) /* NaN's sign and payload are nobody's promise */
    fuzz_expect((isnan(a[i]) && isnan(b[i])) || memcmp(&a[i], &b[i], sizeof *a) == 0,
                "the same bits whole, in parts, and in plain C");
}

/* A box is promised for LBS, of what is finite. */
static void check_bounds(const scene *s, uint32_t p, const plan *how, const streams *found) {
  const supple_primitive *primitive = s->instance->primitives[p];
  const supple_node *node = &s->asset->skeleton.nodes[s->instance->node];
  const size_t n = primitive->vertex_count;
  const float *weights =
      how->morphed && node->weight_count ? s->pose->weights + node->weight_begin : NULL;
  const supple_bounds box = supple_binding_bounds(s->bindings[p], s->palette, weights);
  const supple_bounds tight = supple_bounds_of(in(found->positions, 3), (uint32_t)n);
  (void)supple_bounds_join(box, tight);
  if (how->method != SUPPLE_LBS || n == 0 || !all_finite(found->positions, 3 * n)) return;
  for (int c = 0; c < 3; c++)
    fuzz_expect(box.min[c] <= tight.min[c] && box.max[c] >= tight.max[c],
                "a box holds what LBS deforms");
}

static void deform(scene *s, uint32_t p, const plan *how) {
  const supple_primitive *primitive = s->instance->primitives[p];
  const uint32_t n = primitive->vertex_count, middle = n / 3;
  streams whole = make_streams(primitive), parts = make_streams(primitive);
  supple_job job = make_job(s, p, how, &whole);
  supple_deform_report report = {0}, again = {0};
  supple_inspection inspection = {0};
  fuzz_expect(supple_deform_range(&job, 0, n, &report) == SUPPLE_OK, "what is prepared deforms");
  job = make_job(s, p, how, &parts);
  fuzz_expect(supple_deform_range(&job, middle, n, &again) == SUPPLE_OK, "in parts too");
  fuzz_expect(middle == 0 || parts.positions[3 * (size_t)middle - 1] == -77.0f,
              "nothing before the range");
  job.isa = SUPPLE_ISA_SCALAR;
  fuzz_expect(supple_deform_range(&job, 0, middle, &again) == SUPPLE_OK, "and in plain C");
  fuzz_expect(memcmp(&report, &again, sizeof report) == 0, "a report adds up");
  expect_same(whole.positions, parts.positions, 3 * (size_t)n);
  expect_same(whole.normals, parts.normals, 3 * (size_t)n);
  expect_same(whole.tangents, parts.tangents, 4 * (size_t)n);
  fuzz_expect(supple_prepared_inspect(s->prepared[p], 0, n, &inspection) == SUPPLE_OK,
              "it can be inspected");
  fuzz_expect(inspection.rest <= n && inspection.affine <= n, "vertices are counted once");
  if (n) (void)supple_prepared_linear(s->prepared[p], n - 1);
  check_bounds(s, p, how, &whole);
  memcpy(s->deformed[p], whole.positions, 12 * (size_t)n);
  free_streams(&whole);
  free_streams(&parts);
}

/* Binds and prepares; false: it cannot be deformed, for a reason that was given. */
static bool prepare(scene *s, uint32_t p, const plan *how) {
  const supple_primitive *primitive = s->instance->primitives[p];
  supple_error error;
  s->bindings[p] = supple_binding_create(primitive, &how->binding, &error);
  if (!s->bindings[p]) {
    fuzz_expect(fuzz_allocator_failed(), "any loaded influences can be bound");
    fuzz_expect_error(&error, SIZE_MAX);
    return false;
  }
  fuzz_expect(supple_binding_joint_limit(s->bindings[p]) <= s->instance->skin->joint_count,
              "a binding fits its skin");
  s->prepared[p] = supple_prepared_create(s->bindings[p], &how->prepared, &error);
  if (!s->prepared[p]) return fuzz_expect(fuzz_allocator_failed(), "it can be prepared"), false;
  const supple_result result =
      supple_prepared_update(s->prepared[p], s->bindings[p], s->palette, how->method);
  const supple_prepared_report *found = supple_prepared_found(s->prepared[p]);
  if (result == SUPPLE_ERROR_MEMORY)
    return fuzz_expect(fuzz_allocator_failed(), "memory did not end"), false;
  if (result == SUPPLE_ERROR_NUMBER) {
    fuzz_expect(found->refused_joint < s->palette->joint_count, "the joint is named");
    const float *m = s->palette->matrices[found->refused_joint].m[0];
    bool huge = false; /* not finite, or products of its numbers may not be */
    for (int i = 0; i < 12; i++) huge |= !(fabsf(m[i]) < 1e37f);
    fuzz_expect(huge, "and has a reason");
    return false;
  }
  fuzz_expect(result == SUPPLE_OK, "a palette of the skin is taken");
  return true;
}

/* ---- measuring ---- */

static void draw(const scene *s, const supple_measure *measure, uint32_t joint) {
  supple_vec3 points[2048], origin, axis, up;
  for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++) {
    const uint32_t size = supple_measure_section_size(measure, joint, k);
    supple_measure_section_frame(measure, joint, k, s->palette, &origin, &axis, &up);
    fuzz_expect(supple_measure_joint(measure, joint)->sections[k] == (size > 0),
                "sections are told");
    if (size == 0 || size > 2048) continue;
    supple_measure_section_points(measure, joint, k, (const float *const *)s->deformed, points);
    supple_measure_section_points(measure, joint, k, NULL, points);
  }
}

static void measure_all(const scene *s, const supple_allocator *allocator) {
  const supple_measure_options options = {.allocator = *allocator};
  supple_error error;
  supple_measure *measure =
      supple_measure_create(&s->asset->skeleton, s->instance,
                            (const supple_binding *const *)s->bindings, &options, &error);
  if (!measure) {
    fuzz_expect_error(&error, SIZE_MAX);
    fuzz_expect(error.result != SUPPLE_ERROR_MEMORY || fuzz_allocator_failed(),
                "memory did not end");
    return;
  }
  supple_instance_measure whole;
  supple_joint_measure joints[64];
  const supple_measure_frame frame = {s->palette, (const supple_prepared *const *)s->prepared,
                                      (const float *const *)s->deformed,
                                      (const float *const *)s->rest};
  const supple_result result = supple_measure_evaluate(measure, &frame, &whole, joints);
  fuzz_expect(result == SUPPLE_OK || fuzz_allocator_failed(), "what is measured can be evaluated");
  const uint32_t count = supple_measure_joint_count(measure);
  for (uint32_t j = 0; j < count && result == SUPPLE_OK; j++) {
    fuzz_expect(joints[j].worst_offset == SUPPLE_NONE ||
                    joints[j].worst_offset < SUPPLE_SECTION_COUNT,
                "the worst is one of the sections");
    (void)supple_measure_collapses(measure, &joints[j]);
    if (j < 8) draw(s, measure, j);
  }
  double largest, rms;
  supple_measure_deviation(measure, (const float *const *)s->deformed,
                           (const float *const *)s->rest, &largest, &rms);
  supple_measure_destroy(measure);
}

/* ---- one instance ---- */

static void close_scene(scene *s) {
  for (uint32_t p = 0; p < s->count; p++) {
    supple_prepared_destroy(s->prepared[p]);
    supple_binding_destroy(s->bindings[p]);
    free(s->rest[p]);
    free(s->deformed[p]);
  }
  supple_palette_destroy(s->palette);
  supple_pose_destroy(s->pose);
}

static bool open_scene(scene *s, const plan *how) {
  const supple_asset *asset = s->asset;
  supple_error error;
  s->pose = supple_pose_create(&asset->skeleton, &how->binding.allocator, &error);
  s->palette = supple_palette_create(s->instance->skin->joint_count, how->space,
                                     &how->binding.allocator, &error);
  if (!s->pose || !s->palette)
    return fuzz_expect(fuzz_allocator_failed(), "memory did not end"), false;
  if (how->clip) {
    const supple_clip *clip = &asset->clips[how->clip - 1];
    supple_pose_sample(s->pose, clip, clip->begin + (clip->end - clip->begin) * how->at);
  }
  supple_palette_compose(s->palette, s->pose, s->instance);
  return true;
}

static void run(const supple_asset *asset, const supple_instance *instance, const plan *how) {
  scene s = {.asset = asset, .instance = instance};
  bool fine = open_scene(&s, how);
  for (uint32_t p = 0; p < instance->primitive_count && p < MOST_PRIMITIVES && fine; p++) {
    const supple_primitive *primitive = instance->primitives[p];
    const size_t floats = 3 * (size_t)primitive->vertex_count;
    s.rest[p] = fuzz_floats(floats);
    s.deformed[p] = fuzz_floats(floats);
    s.count = p + 1;
    memcpy(s.rest[p], primitive->positions, floats * sizeof(float));
    if (how->morphed) morph(&s, p);
    fine = prepare(&s, p, how);
    if (fine) deform(&s, p, how);
  }
  if (fine && how->measured && instance->primitive_count <= MOST_PRIMITIVES)
    measure_all(&s, &how->binding.allocator);
  close_scene(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = fuzz_split(data, size);
  supple_asset *asset = fuzz_load(&input);
  if (!asset) return 0;
  plan how = make_plan(&input, asset);
  for (uint32_t i = 0; i < asset->instance_count && i < 3; i++) {
    how.binding.allocator = how.prepared.allocator = fuzz_allocator(how.fail_at);
    run(asset, &asset->instances[i], &how);
  }
  supple_asset_free(asset);
  fuzz_expect_no_memory();
  return 0;
}
