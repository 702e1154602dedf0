/* test_deform.c: jobs: strides, ranges, refused arguments, rest vertices, normals and tangents, and
 * what can be asked by vertex. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "tests/deform/deform_tests.h"

/* Vertices that use every kind of joint, and one at rest (the last but one). */
enum { VERTICES = 7, SETS = 2, JOINTS = 4 };
static const uint16_t some_joints[VERTICES * SETS] = {0, 1, 1, 2, 2, 3, 3, 0, 1, 1, 0, 0, 2, 2};
static const float some_weights[VERTICES * SETS] = {0.5f, 0.5f, 0.75f, 0.25f, 0.375f, 0.625f, 0.5f,
                                                    0.5f, 1,    0,     0,     0,      1,      0};
enum { REST = 5 };

typedef struct scene {
  supple_binding *binding;
  supple_affine matrices[JOINTS];
  supple_palette palette;
  supple_prepared *prepared;
  /* position 3, normal 3, tangent 4, and 2 more that are nobody's */
  float vertices[VERTICES][12];
} scene;

static void make_scene(scene *s, supple_method method, supple_prepared_options options) {
  uint64_t random = 51;
  s->binding = bind_with(VERTICES, SETS, some_joints, some_weights,
                         (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST});
  s->matrices[0] = translated(turned(1, 2, 3, 50, 1), 1, 0, 2);
  s->matrices[1] = turned(-1, 0, 1, 110, 1);
  s->matrices[2] = turned(0, 1, 1, 80, 1);
  s->matrices[2].m[0][1] += 0.5f, s->matrices[2].m[2][2] += 0.75f;
  s->matrices[3] = translated(turned(0, 1, 0, 20, 2), 0, 3, 0);
  s->palette = palette_of(s->matrices, JOINTS);
  s->prepared = prepare_with(s->binding, &s->palette, method, options);
  for (int v = 0; v < VERTICES; v++) {
    float *p = s->vertices[v];
    for (int k = 0; k < 12; k++) p[k] = random_float(&random, -1, 1);
    double n = sqrt((double)(p[3] * p[3] + p[4] * p[4] + p[5] * p[5]));
    for (int k = 3; k < 6; k++) p[k] = (float)((double)p[k] / n);
    p[9] = v % 2 ? 1.0f : -1.0f;
  }
}

static void free_scene(scene *s) {
  supple_prepared_destroy(s->prepared);
  supple_binding_destroy(s->binding);
}

static supple_job job_of(const scene *s, float (*out)[12]) {
  return (supple_job){.prepared = s->prepared,
                      .positions = {s->vertices[0], 48},
                      .normals = {s->vertices[0] + 3, 48},
                      .tangents = {s->vertices[0] + 6, 48},
                      .out_positions = {out[0], 48},
                      .out_normals = {out[0] + 3, 48},
                      .out_tangents = {out[0] + 6, 48}};
}

static void fill(float (*out)[12]) {
  for (int v = 0; v < VERTICES; v++)
    for (int k = 0; k < 12; k++) out[v][k] = 77;
}

static bool is_untouched(const float *out, int count) {
  for (int k = 0; k < count; k++)
    if (out[k] != 77) return false;
  return true;
}

/* ---- instruction sets ---- */

static void names_of_instruction_sets(void **state) {
  (void)state;
  static const char *const names[] = {"best", "scalar", "sse2", "avx2", "avx512", "neon", "wasm"};
  for (int isa = 0; isa <= SUPPLE_ISA_WASM; isa++)
    assert_string_equal(supple_isa_text((supple_isa)isa), names[isa]);
  assert_string_equal(supple_isa_text((supple_isa)99), "unknown");
  assert_true(supple_isa_available(SUPPLE_ISA_BEST) && supple_isa_available(SUPPLE_ISA_SCALAR));
}

/* ---- streams and ranges ---- */

static void the_layout_does_not_matter(void **state) {
  (void)state;
  for (int method = 0; method < 2; method++) {
    scene s;
    make_scene(&s, method ? SUPPLE_DQS : SUPPLE_LBS, (supple_prepared_options){.split = 0});
    float out[VERTICES][12], positions[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4];
    fill(out);
    supple_job job = job_of(&s, out);
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    job.out_positions = (supple_out_stream){positions[0], 12};
    job.out_normals = (supple_out_stream){normals[0], 12};
    job.out_tangents = (supple_out_stream){tangents[0], 16};
    job.isa = SUPPLE_ISA_SCALAR;
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    for (int v = 0; v < VERTICES; v++) {
      assert_memory_equal(out[v], positions[v], 12);
      assert_memory_equal(out[v] + 3, normals[v], 12);
      assert_memory_equal(out[v] + 6, tangents[v], 16);
      assert_true(is_untouched(out[v] + 10, 2));
    }
    /* What is wanted does not change it. */
    float alone[VERTICES][3];
    job = (supple_job){
        .prepared = s.prepared, .positions = {s.vertices[0], 48}, .out_positions = {alone[0], 12}};
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    assert_memory_equal(alone, positions, sizeof alone);
    job.normals = (supple_stream){s.vertices[0] + 3, 48};
    job.out_normals = (supple_out_stream){alone[0], 12};
    job.out_positions = (supple_out_stream){positions[0], 12};
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    assert_memory_equal(alone, normals, sizeof alone);
    free_scene(&s);
  }
}

static void one_element_for_all(void **state) {
  (void)state;
  scene s;
  make_scene(&s, SUPPLE_DQS, (supple_prepared_options){.split = 0});
  float out[VERTICES][12], same[VERTICES][12];
  for (int v = 1; v < VERTICES; v++) memcpy(s.vertices[v], s.vertices[0], sizeof s.vertices[0]);
  supple_job job = job_of(&s, out);
  fill(out), fill(same);
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  job = job_of(&s, same);
  job.positions.stride = job.normals.stride = job.tangents.stride = 0;
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  assert_memory_equal(out, same, sizeof out);
  free_scene(&s);
}

/* Any split gives the same bits, and touches its own vertices alone. */
static void ranges(void **state) {
  (void)state;
  scene s;
  make_scene(&s, SUPPLE_DQS, (supple_prepared_options){.split = 0});
  float whole[VERTICES][12], out[VERTICES][12];
  fill(whole);
  supple_job job = job_of(&s, whole);
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  for (uint32_t begin = 0; begin <= VERTICES; begin++)
    for (uint32_t end = begin; end <= VERTICES; end++) {
      fill(out);
      job = job_of(&s, out);
      assert_int_equal(supple_deform_range(&job, begin, end, NULL), SUPPLE_OK);
      for (uint32_t v = 0; v < VERTICES; v++) {
        if (v >= begin && v < end)
          assert_memory_equal(out[v], whole[v], sizeof out[v]);
        else
          assert_true(is_untouched(out[v], 12));
      }
    }
  free_scene(&s);
}

/* Outputs of 8 MiB and more are written past the cache where their address is a multiple of the vector's size:
 * the same bits, and nothing beside them. Of so many vertices a few blocks are deformed. */
static void large_outputs(void **state) {
  (void)state;
  enum { MANY = 700000, SOME = 200, BEGIN = 5, END = 185 };
  static uint16_t joints[MANY * SETS];
  static float weights[MANY * SETS], positions[SOME * 3], normals[SOME * 3];
  static _Alignas(64) float aligned[2][SOME * 3], moved[2][SOME * 3 + 1];
  scene s;
  make_scene(&s, SUPPLE_LBS, (supple_prepared_options){.split = 0});
  supple_binding_destroy(s.binding);
  supple_prepared_destroy(s.prepared);
  for (int i = 0; i < MANY * SETS; i++)
    joints[i] = some_joints[i % 10], weights[i] = some_weights[i % 10];
  for (int v = 0; v < SOME; v++) {
    memcpy(positions + 3 * v, s.vertices[v % VERTICES], 12);
    memcpy(normals + 3 * v, s.vertices[v % VERTICES] + 3, 12);
  }
  s.binding = bind(MANY, SETS, joints, weights);
  for (int method = 0; method < 2; method++) {
    s.prepared = prepare(s.binding, &s.palette, method ? SUPPLE_DQS : SUPPLE_LBS);
    for (int isa = 0; isa <= SUPPLE_ISA_WASM; isa++) {
      if (!supple_isa_available((supple_isa)isa)) continue;
      for (int k = 0; k < 2; k++) {
        for (int i = 0; i < SOME * 3; i++) aligned[k][i] = moved[k][i] = 77;
        moved[k][SOME * 3] = 77;
      }
      supple_job job = {.prepared = s.prepared,
                        .positions = {positions, 12},
                        .normals = {normals, 12},
                        .out_positions = {aligned[0], 12},
                        .out_normals = {aligned[1], 12},
                        .isa = (supple_isa)isa};
      assert_int_equal(supple_deform_range(&job, BEGIN, END, NULL), SUPPLE_OK);
      job.out_positions.data = moved[0] + 1;
      job.out_normals.data = moved[1] + 1;
      assert_int_equal(supple_deform_range(&job, BEGIN, END, NULL), SUPPLE_OK);
      for (int k = 0; k < 2; k++) {
        assert_memory_equal(aligned[k], moved[k] + 1, sizeof aligned[k]);
        assert_true(is_untouched(aligned[k], BEGIN * 3));
        assert_false(is_untouched(aligned[k] + BEGIN * 3, 1));
        assert_false(is_untouched(aligned[k] + END * 3 - 1, 1));
        assert_true(is_untouched(aligned[k] + END * 3, (SOME - END) * 3));
      }
    }
    supple_prepared_destroy(s.prepared);
  }
  supple_binding_destroy(s.binding);
}

/* Streams that the binding has a copy of may be left out, alone or together; the others may not. */
static void compiled_inputs(void **state) {
  (void)state;
  enum { MANY = 21, FLOATS = MANY * 10 };
  uint16_t joints[MANY * SETS];
  float weights[MANY * SETS], in[FLOATS], whole[FLOATS], out[FLOATS];
  uint64_t random = 53;
  for (int i = 0; i < FLOATS; i++) in[i] = random_float(&random, -1, 1);
  for (int i = 0; i < MANY * SETS; i++)
    joints[i] = some_joints[i % 14], weights[i] = some_weights[i % 14];
  scene s;
  make_scene(&s, SUPPLE_LBS, (supple_prepared_options){.split = 0});
  for (int has = 0; has < 8; has++) {
    supple_primitive primitive = {.vertex_count = MANY,
                                  .positions = has & 1 ? in : NULL,
                                  .normals = has & 2 ? in + 3 * MANY : NULL,
                                  .tangents = has & 4 ? in + 6 * MANY : NULL,
                                  .influence_count = SETS,
                                  .joints = joints,
                                  .weights = weights};
    supple_binding *b =
        supple_binding_create(&primitive, &(supple_binding_options){.geometry = true}, NULL);
    assert_non_null(b);
    supple_prepared *p = prepare(b, &s.palette, SUPPLE_DQS);
    for (int given = 0; given < 8; given++) {
      for (int i = 0; i < FLOATS; i++) whole[i] = out[i] = 77;
      supple_job job = {.prepared = p,
                        .positions = {in, 12},
                        .normals = {in + 3 * MANY, 12},
                        .tangents = {in + 6 * MANY, 16},
                        .out_positions = {whole, 12},
                        .out_normals = {whole + 3 * MANY, 12},
                        .out_tangents = {whole + 6 * MANY, 16}};
      assert_int_equal(supple_deform(&job), SUPPLE_OK);
      job.out_positions.data = out, job.out_normals.data = out + 3 * MANY;
      job.out_tangents.data = out + 6 * MANY;
      if (!(given & 1)) job.positions = (supple_stream){NULL, 0};
      if (!(given & 2)) job.normals = (supple_stream){NULL, 0};
      if (!(given & 4)) job.tangents = (supple_stream){NULL, 0};
      bool complete = (has | given) == 7;
      assert_int_equal(supple_deform(&job), complete ? SUPPLE_OK : SUPPLE_ERROR_ARGUMENT);
      if (complete)
        assert_memory_equal(out, whole, sizeof out);
      else
        assert_true(is_untouched(out, FLOATS));
    }
    supple_prepared_destroy(p);
    supple_binding_destroy(b);
  }
  free_scene(&s);
}

static void missing_instruction_sets(void **state) {
  (void)state;
  scene s;
  make_scene(&s, SUPPLE_DQS, (supple_prepared_options){.split = 0});
  float whole[VERTICES][12], out[VERTICES][12];
  fill(whole);
  supple_job job = job_of(&s, whole);
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  int missing = 0;
  for (int isa = 0; isa <= SUPPLE_ISA_WASM; isa++) {
    bool here = supple_isa_available((supple_isa)isa);
    fill(out);
    job = job_of(&s, out);
    job.isa = (supple_isa)isa;
    assert_int_equal(supple_deform(&job), here ? SUPPLE_OK : SUPPLE_ERROR_UNSUPPORTED);
    if (here)
      assert_memory_equal(out, whole, sizeof out);
    else
      assert_true(is_untouched(out[0], VERTICES * 12));
    missing += !here;
  }
  assert_true(missing > 0); /* no machine has those of another */
  static const int wrong[] = {-1, SUPPLE_ISA_WASM + 1, 1 << 20};
  for (int k = 0; k < 3; k++) {
    job.isa = (supple_isa)wrong[k];
    assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
    assert_false(supple_isa_available(job.isa));
  }
  free_scene(&s);
}

static void wrong_arguments_write_nothing(void **state) {
  (void)state;
  scene s;
  make_scene(&s, SUPPLE_LBS, (supple_prepared_options){.split = 0});
  supple_prepared *fresh = supple_prepared_create(s.binding, NULL, NULL);
  float out[VERTICES][12];
  fill(out);
  supple_deform_report report = {5, 6, 7};
  for (int k = 0; k < 12; k++) {
    supple_job job = job_of(&s, out);
    uint32_t begin = 0, end = VERTICES;
    if (k == 0) job.prepared = NULL;
    if (k == 1) job.positions.data = NULL;
    if (k == 2) job.out_positions.data = NULL;
    if (k == 3) job.normals.data = NULL;
    if (k == 4) job.tangents.data = NULL;
    if (k == 5) job.out_positions.stride = 8;
    if (k == 6) job.out_normals.stride = 11;
    if (k == 7) job.out_tangents.stride = 12;
    if (k == 8) job.prepared = fresh;
    if (k == 9) job.isa = (supple_isa)99;
    if (k == 10) begin = 3, end = 2;
    if (k == 11) begin = VERTICES - 1, end = VERTICES + 1;
    assert_int_equal(supple_deform_range(&job, begin, end, &report), SUPPLE_ERROR_ARGUMENT);
    if (k < 10) assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
    assert_true(is_untouched(out[0], VERTICES * 12));
    assert_true(report.fallbacks == 5 && report.vanished_normals == 6 &&
                report.vanished_tangents == 7);
  }
  supple_job job = job_of(&s, out);
  assert_int_equal(supple_deform_range(&job, VERTICES + 1, VERTICES + 1, NULL),
                   SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_deform_range(&job, VERTICES, VERTICES, NULL), SUPPLE_OK);
  assert_int_equal(supple_deform_range(&job, 2, 2, &report), SUPPLE_OK);
  assert_true(is_untouched(out[0], VERTICES * 12));
  supple_prepared_destroy(fresh);
  free_scene(&s);
}

static void rest_vertices_are_copied(void **state) {
  (void)state;
  for (int method = 0; method < 2; method++) {
    scene s;
    make_scene(&s, method ? SUPPLE_DQS : SUPPLE_LBS, (supple_prepared_options){.split = 0});
    float out[VERTICES][12];
    s.vertices[REST][3] = 5; /* not unit length: it is not looked at */
    supple_job job = job_of(&s, out);
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    assert_memory_equal(out[REST], s.vertices[REST], 10 * sizeof(float));
    supple_mat3 linear = supple_prepared_linear(s.prepared, REST), one = supple_mat3_identity();
    assert_memory_equal(&linear, &one, sizeof one);
    supple_inspection inspection = {.rest = 10};
    assert_int_equal(supple_prepared_inspect(s.prepared, 0, VERTICES, &inspection), SUPPLE_OK);
    assert_int_equal(inspection.rest, 11); /* added to */
    assert_int_equal(inspection.affine, method ? 4 : 0);
    assert_int_equal(supple_prepared_inspect(s.prepared, REST, REST, &inspection), SUPPLE_OK);
    assert_int_equal(inspection.rest, 11);
    assert_int_equal(supple_prepared_inspect(s.prepared, 2, 1, &inspection), SUPPLE_ERROR_ARGUMENT);
    assert_int_equal(supple_prepared_inspect(s.prepared, 0, VERTICES + 1, &inspection),
                     SUPPLE_ERROR_ARGUMENT);
    free_scene(&s);
  }
}

/* The sign of the blended quaternion as a whole must not show: no -0 comes out. */
static void no_negative_zeros(void **state) {
  (void)state;
  supple_binding *b = bind(1, 1, (uint16_t[]){0}, (float[]){1});
  const float zeros[4] = {-0.0f, -0.0f, -0.0f, -0.0f};
  for (int method = 0; method < 2; method++)
    for (int k = 0; k < 4; k++) {
      supple_affine matrix = k == 0   ? identity()
                             : k == 1 ? diagonal(-1, -1, 1)
                             : k == 2 ? diagonal(-1, -1, -1)
                                      : diagonal(1, 2, 3);
      supple_palette palette = palette_of(&matrix, 1);
      supple_prepared *p = prepare(b, &palette, method ? SUPPLE_DQS : SUPPLE_LBS);
      float position[3], normal[3], tangent[4];
      supple_job job = {.prepared = p,
                        .positions = {zeros, 12},
                        .normals = {zeros, 12},
                        .tangents = {zeros, 16},
                        .out_positions = {position, 12},
                        .out_normals = {normal, 12},
                        .out_tangents = {tangent, 16}};
      assert_int_equal(supple_deform(&job), SUPPLE_OK);
      for (int c = 0; c < 3; c++)
        assert_false(signbit(position[c]) || signbit(normal[c]) || signbit(tangent[c]));
      supple_prepared_destroy(p);
    }
  supple_binding_destroy(b);
}

/* ---- normals and tangents: one vertex of one joint, whose matrix is L ---- */

typedef struct frame {
  float position[3], normal[3], tangent[4];
  supple_deform_report report;
} frame;

static frame deform_frame(supple_affine matrix, supple_method method, supple_normals mode,
                          const float *normal, const float *tangent) {
  frame f = {.position = {0}};
  const float position[3] = {0, 0, 0};
  supple_binding *b = bind(1, 1, (uint16_t[]){0}, (float[]){1});
  supple_palette palette = palette_of(&matrix, 1);
  supple_prepared *p = prepare(b, &palette, method);
  supple_job job = {.prepared = p,
                    .positions = {position, 12},
                    .normals = {normal, 12},
                    .tangents = {tangent, 16},
                    .out_positions = {f.position, 12},
                    .out_normals = {normal ? f.normal : NULL, 12},
                    .out_tangents = {tangent ? f.tangent : NULL, 16},
                    .normal_mode = mode};
  assert_int_equal(supple_deform_range(&job, 0, 1, &f.report), SUPPLE_OK);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
  return f;
}

static void normals_by_each_mode(void **state) {
  (void)state;
  const float slope[3] = {0.6f, 0.8f, 0}, along[4] = {-0.8f, 0.6f, 0, 1};
  for (int method = 0; method < 2; method++) {
    supple_method m = method ? SUPPLE_DQS : SUPPLE_LBS;
    /* diag(2, 1, 1): cof = diag(1, 2, 2). */
    frame f = deform_frame(diagonal(2, 1, 1), m, SUPPLE_NORMALS_COFACTOR, slope, along);
    double n = sqrt(0.36 + 2.56);
    assert_point(f.normal, 0.6 / n, 1.6 / n, 0, 1e-6);
    assert_point(f.tangent, -1.6 / n, 0.6 / n, 0, 1e-6); /* L t is orthogonal already */
    assert_true(f.tangent[3] == 1);
    f = deform_frame(diagonal(2, 1, 1), m, SUPPLE_NORMALS_UNIT, slope, along);
    n = sqrt(1.44 + 0.64);
    assert_point(f.normal, 1.2 / n, 0.8 / n, 0, 1e-6);
    assert_point(f.tangent, -0.8 / n, 1.2 / n, 0, 1e-6); /* the tangent is made orthogonal */
    f = deform_frame(diagonal(2, 1, 1), m, SUPPLE_NORMALS_LINEAR, slope, along);
    assert_point(f.normal, 1.2, 0.8, 0, 1e-6);
    assert_point(f.tangent, -1.6, 0.6, 0, 1e-6);
    assert_true(f.report.vanished_normals == 0 && f.report.vanished_tangents == 0);
    /* Without normals, tangents are only made unit length. */
    f = deform_frame(diagonal(2, 1, 1), m, SUPPLE_NORMALS_COFACTOR, NULL, along);
    n = sqrt(2.56 + 0.36);
    assert_point(f.tangent, -1.6 / n, 0.6 / n, 0, 1e-6);
    /* And normals alone. */
    f = deform_frame(turned(0, 0, 1, 90, 7), m, SUPPLE_NORMALS_COFACTOR, slope, NULL);
    assert_point(f.normal, -0.8, 0.6, 0, 1e-6);
    assert_true(f.tangent[3] == 0);
    /* Lengths of the input do not matter. */
    const float long_slope[3] = {6, 8, 0}, short_along[4] = {-0.08f, 0.06f, 0, -1};
    f = deform_frame(diagonal(2, 1, 1), m, SUPPLE_NORMALS_COFACTOR, long_slope, short_along);
    n = sqrt(0.36 + 2.56);
    assert_point(f.normal, 0.6 / n, 1.6 / n, 0, 1e-6);
    assert_point(f.tangent, -1.6 / n, 0.6 / n, 0, 1e-6);
    assert_true(f.tangent[3] == -1);
  }
}

/* diag(-2, 1, 1): cof sign(det) = diag(-1, 2, 2) up to the scale. */
static void mirrors_turn_the_handedness(void **state) {
  (void)state;
  const float slope[3] = {0.6f, 0.8f, 0}, along[4] = {-0.8f, 0.6f, 0, 1};
  for (int method = 0; method < 2; method++)
    for (int mode = 0; mode < 3; mode++) {
      frame f = deform_frame(diagonal(-2, 1, 1), method ? SUPPLE_DQS : SUPPLE_LBS,
                             (supple_normals)mode, slope, along);
      assert_true(f.tangent[3] == -1);
      double n = sqrt(0.36 + 2.56);
      if (mode == SUPPLE_NORMALS_COFACTOR) assert_point(f.normal, -0.6 / n, 1.6 / n, 0, 1e-6);
      if (mode == SUPPLE_NORMALS_COFACTOR) assert_point(f.tangent, 1.6 / n, 0.6 / n, 0, 1e-6);
      if (mode == SUPPLE_NORMALS_LINEAR) assert_point(f.normal, -1.2, 0.8, 0, 1e-6);
      f = deform_frame(diagonal(-2, -1, 1), method ? SUPPLE_DQS : SUPPLE_LBS, (supple_normals)mode,
                       slope, along);
      assert_true(f.tangent[3] == 1);
    }
  /* The whole mirror -1 leaves normals pointing out: n' = -n. */
  frame f = deform_frame(diagonal(-1, -1, -1), SUPPLE_DQS, SUPPLE_NORMALS_COFACTOR, slope, along);
  assert_point(f.normal, -0.6, -0.8, 0, 1e-6);
  assert_true(f.tangent[3] == -1);
}

/* diag(1, 1, 0) flattens onto the plane z = 0: cof = diag(0, 0, 1). diag(1, 0, 0): cof = 0. */
static void what_vanishes(void **state) {
  (void)state;
  const float x[4] = {1, 0, 0, 1}, z[4] = {0, 0, 2, 1};
  for (int method = 0; method < 2; method++) {
    supple_method m = method ? SUPPLE_DQS : SUPPLE_LBS;
    frame f = deform_frame(diagonal(1, 1, 0), m, SUPPLE_NORMALS_COFACTOR, z, x);
    assert_point(f.normal, 0, 0, 1, 1e-6);
    assert_point(f.tangent, 1, 0, 0, 1e-6);
    assert_int_equal(f.report.vanished_normals, 0);
    /* cof n vanishes: L n; the tangent too is lost: any perpendicular. */
    f = deform_frame(diagonal(1, 1, 0), m, SUPPLE_NORMALS_COFACTOR, x, z);
    assert_point(f.normal, 1, 0, 0, 1e-6);
    assert_int_equal(f.report.vanished_normals, 1);
    assert_int_equal(f.report.vanished_tangents, 1);
    assert_close(f.tangent[0], 0, 1e-6);
    assert_close(f.tangent[1] * f.tangent[1] + f.tangent[2] * f.tangent[2], 1, 1e-6);
    /* L n vanishes as well: as at rest, unit length. */
    f = deform_frame(diagonal(1, 0, 0), m, SUPPLE_NORMALS_COFACTOR, z, x);
    assert_point(f.normal, 0, 0, 1, 1e-6);
    assert_int_equal(f.report.vanished_normals, 1);
    assert_point(f.tangent, 1, 0, 0, 1e-6);
    assert_int_equal(f.report.vanished_tangents, 0);
    f = deform_frame(diagonal(0, 0, 0), m, SUPPLE_NORMALS_UNIT, z, x);
    assert_point(f.normal, 0, 0, 1, 1e-6);
    assert_int_equal(f.report.vanished_normals, 0); /* of the cofactor alone */
    assert_int_equal(f.report.vanished_tangents, 1);
    assert_close(f.tangent[2], 0, 1e-6);
    assert_point(f.position, 0, 0, 0, 0);
    /* A tangent along the normal. */
    f = deform_frame(identity(), m, SUPPLE_NORMALS_COFACTOR, x, x);
    assert_int_equal(f.report.vanished_tangents, 1);
    assert_close(f.tangent[0], 0, 1e-6);
    /* Linear: as it comes, and nothing counts. */
    f = deform_frame(diagonal(0, 0, 0), m, SUPPLE_NORMALS_LINEAR, z, x);
    assert_point(f.normal, 0, 0, 0, 0);
    assert_true(f.report.vanished_normals == 0 && f.report.vanished_tangents == 0);
  }
}

/* Perpendiculars of normals in all directions are unit and orthogonal. */
static void vanished_tangents_are_orthonormal(void **state) {
  (void)state;
  uint64_t random = 52;
  for (int k = 0; k < 60; k++) {
    float n[4] = {(float)(k % 3 - 1), (float)(k / 3 % 3 - 1), (float)(k / 9 % 3 - 1), 1};
    for (int c = 0; c < 3 && k >= 27; c++) n[c] = random_float(&random, -1, 1);
    if (k == 13) continue; /* zero */
    frame f = deform_frame(turned(1, 2, 3, 40, 1), SUPPLE_DQS, SUPPLE_NORMALS_COFACTOR, n, n);
    assert_int_equal(f.report.vanished_tangents, 1);
    double dot = 0, square = 0;
    for (int c = 0; c < 3; c++) {
      dot += (double)f.normal[c] * (double)f.tangent[c];
      square += (double)f.tangent[c] * (double)f.tangent[c];
    }
    assert_close(dot, 0, 1e-6);
    assert_close(square, 1, 1e-6);
  }
}

/* Scales that real files carry (millimetres, dequantisation) and far beyond. */
static void directions_at_any_scale(void **state) {
  (void)state;
  const float slope[3] = {0.6f, 0.8f, 0}, along[4] = {-0.8f, 0.6f, 0, 1};
  const double n = sqrt(0.36 + 2.56);
  for (int exponent = -60; exponent <= 60; exponent += 4) {
    float a = ldexpf(1, exponent);
    for (int method = 0; method < 2; method++) {
      frame f = deform_frame(diagonal(2 * a, a, a), method ? SUPPLE_DQS : SUPPLE_LBS,
                             SUPPLE_NORMALS_COFACTOR, slope, along);
      assert_point(f.normal, 0.6 / n, 1.6 / n, 0, 1e-6);
      assert_point(f.tangent, -1.6 / n, 0.6 / n, 0, 1e-6);
      assert_true(f.report.vanished_normals == 0 && f.report.vanished_tangents == 0);
    }
  }
}

static void zero_and_bad_normals_do_no_harm(void **state) {
  (void)state;
  const float zero[4] = {0, 0, 0, 1}, bad[4] = {NAN, 1, INFINITY, 1}, x[4] = {1, 0, 0, 1};
  for (int mode = 0; mode < 3; mode++) {
    frame f = deform_frame(diagonal(1, 2, 3), SUPPLE_DQS, (supple_normals)mode, zero, x);
    assert_point(f.normal, 0, 0, 0, 0);
    assert_point(f.tangent, 1, 0, 0, 1e-6);
    f = deform_frame(diagonal(1, 2, 3), SUPPLE_DQS, (supple_normals)mode, x, zero);
    assert_point(f.normal, 1, 0, 0, 1e-6);
    f = deform_frame(diagonal(1, 2, 3), SUPPLE_LBS, (supple_normals)mode, bad, bad);
    assert_point(f.position, 0, 0, 0, 0);
  }
}

/* ---- the linear part ---- */

/* v -> v' is affine, so differences over 2 are exact but for rounding. */
static void check_linear(const scene *s) {
  for (uint32_t v = 0; v < VERTICES; v++) {
    supple_mat3 linear = supple_prepared_linear(s->prepared, v);
    for (int c = 0; c < 3; c++) {
      float at[2][VERTICES][3], moved[2][VERTICES][3];
      for (int side = 0; side < 2; side++) {
        memset(at[side], 0, sizeof at[side]);
        at[side][v][c] = side ? 1 : -1;
        deform_points(s->prepared, at[side][0], moved[side][0], VERTICES);
      }
      for (int r = 0; r < 3; r++)
        assert_close(linear.m[r][c], ((double)moved[1][v][r] - (double)moved[0][v][r]) / 2, 3e-6);
    }
  }
}

static void the_linear_part_is_the_derivative(void **state) {
  (void)state;
  const supple_prepared_options options[] = {
      {.scale = SUPPLE_SCALE_AFFINE},
      {.scale = SUPPLE_SCALE_FIRST},
      {.scale = SUPPLE_SCALE_NONE},
      {.rigid_tolerance = -1},
      {.signs = SUPPLE_SIGNS_PER_POSE},
      {.split = SUPPLE_SPLIT_GRAM_SCHMIDT, .scale = SUPPLE_SCALE_FIRST}};
  for (int k = 0; k < 6; k++)
    for (int method = 0; method < 2; method++) {
      scene s;
      make_scene(&s, method ? SUPPLE_DQS : SUPPLE_LBS, options[k]);
      check_linear(&s);
      free_scene(&s);
    }
  scene s;
  make_scene(&s, SUPPLE_DQS, options[0]);
  supple_prepared *fresh = supple_prepared_create(s.binding, NULL, NULL);
  supple_mat3 linear = supple_prepared_linear(fresh, 0), one = supple_mat3_identity();
  assert_memory_equal(&linear, &one, sizeof one); /* not updated */
  supple_prepared_destroy(fresh);
  free_scene(&s);
}

/* The blended normal is that of the blended linear part. */
static void normals_are_those_of_the_linear_part(void **state) {
  (void)state;
  for (int method = 0; method < 2; method++) {
    scene s;
    make_scene(&s, method ? SUPPLE_DQS : SUPPLE_LBS, (supple_prepared_options){.split = 0});
    float out[VERTICES][12];
    supple_job job = job_of(&s, out);
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    for (uint32_t v = 0; v < VERTICES; v++) {
      if (v == REST) continue;
      supple_mat3 linear = supple_prepared_linear(s.prepared, v),
                  cofactor = supple_mat3_cofactor(&linear);
      const float *n = s.vertices[v] + 3, *t = s.vertices[v] + 6;
      supple_vec3 zero = {0, 0, 0};
      supple_vec3 normal =
          supple_mat3_apply(&cofactor, supple_vec3_make((double)n[0], (double)n[1], (double)n[2]));
      bool mirrors = supple_mat3_determinant(&linear) < 0;
      normal = supple_vec3_normalise(supple_vec3_scale(normal, mirrors ? -1 : 1), zero);
      supple_vec3 tangent =
          supple_mat3_apply(&linear, supple_vec3_make((double)t[0], (double)t[1], (double)t[2]));
      tangent = supple_vec3_subtract(tangent,
                                     supple_vec3_scale(normal, supple_vec3_dot(normal, tangent)));
      tangent = supple_vec3_normalise(tangent, zero);
      assert_point(out[v] + 3, normal.x, normal.y, normal.z, 5e-6);
      assert_point(out[v] + 6, tangent.x, tangent.y, tangent.z, 1e-5);
      assert_true(out[v][9] == (mirrors ? -t[3] : t[3]));
    }
    free_scene(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_of_instruction_sets),
      cmocka_unit_test(the_layout_does_not_matter),
      cmocka_unit_test(one_element_for_all),
      cmocka_unit_test(ranges),
      cmocka_unit_test(large_outputs),
      cmocka_unit_test(compiled_inputs),
      cmocka_unit_test(missing_instruction_sets),
      cmocka_unit_test(wrong_arguments_write_nothing),
      cmocka_unit_test(rest_vertices_are_copied),
      cmocka_unit_test(no_negative_zeros),
      cmocka_unit_test(normals_by_each_mode),
      cmocka_unit_test(mirrors_turn_the_handedness),
      cmocka_unit_test(what_vanishes),
      cmocka_unit_test(vanished_tangents_are_orthonormal),
      cmocka_unit_test(directions_at_any_scale),
      cmocka_unit_test(zero_and_bad_normals_do_no_harm),
      cmocka_unit_test(the_linear_part_is_the_derivative),
      cmocka_unit_test(normals_are_those_of_the_linear_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
