/* test_bits.c: the bits of a vertex depend on its own influences, position and frame alone: not
 * on the split of the range, its place, its neighbours, padding, or where the numbers lie in
 * memory. */
#include "tests/property/rigs.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES 211
#define JOINTS 24
#define SENTINEL 0x7f

/* One way of deforming. */
typedef struct way {
  const char *name;
  supple_method method;
  supple_prepared_options options;
  supple_normals normals;
} way;

static const way ways[] = {
    {.name = "lbs"},
    {.name = "lbs, unit", .normals = SUPPLE_NORMALS_UNIT},
    {.name = "lbs, linear", .normals = SUPPLE_NORMALS_LINEAR},
    {.name = "dqs", .method = SUPPLE_DQS},
    {.name = "dqs, unit", .method = SUPPLE_DQS, .normals = SUPPLE_NORMALS_UNIT},
    {.name = "dqs, linear", .method = SUPPLE_DQS, .normals = SUPPLE_NORMALS_LINEAR},
    {.name = "dqs, 20 numbers", .method = SUPPLE_DQS, .options = {.rigid_tolerance = -1}},
    {.name = "dqs, per pose", .method = SUPPLE_DQS, .options = {.signs = SUPPLE_SIGNS_PER_POSE}},
    {.name = "dqs, first", .method = SUPPLE_DQS, .options = {.scale = SUPPLE_SCALE_FIRST}},
    {.name = "dqs, none", .method = SUPPLE_DQS, .options = {.scale = SUPPLE_SCALE_NONE}},
    {.name = "dqs, Gram-Schmidt",
     .method = SUPPLE_DQS,
     .options = {.split = SUPPLE_SPLIT_GRAM_SCHMIDT}},
};
#define WAYS (sizeof ways / sizeof *ways)

/* Rigid, common scale 1, and some that are sheared, mirrored or flat, so that both forms of DQS
 * occur. */
static void build(rigs_palette *palette) {
  rigs_random random = {31};
  palette->count = 0;
  for (uint32_t j = 0; j < JOINTS; j++) {
    reference_quaternion turn = rigs_rotation(&random);
    reference_linear stretch = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (j % 8 == 5) stretch.m[0][1] = 0.4, stretch.m[2][2] = 1.3;
    if (j % 8 == 6) stretch.m[1][1] = -1;
    if (j % 8 == 7) stretch.m[2][2] = 0;
    reference_affine matrix = rigs_stretched(turn, rigs_vector(&random, 1), &stretch);
    rigs_add(palette, &matrix, turn, j % 8 == 6, j ? (j - 1) / 2 : SUPPLE_NONE);
  }
}

/* Vertices with 1 to 13 influences, some without any weight. */
static rigs_mesh *build_mesh(void) {
  rigs_random random = {32};
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 13, JOINTS);
  for (uint32_t v = 0; v < VERTICES; v++)
    for (uint32_t i = 0; i < 13; i++)
      if (i > v % 14 || v % 14 == 13) mesh->weights[13 * v + i] = 0;
  for (uint32_t v = 0; v < VERTICES; v += 10)
    for (uint32_t i = 1; i < 13; i++) /* ties for the pivot */
      if (mesh->weights[13 * v + i] > 0) mesh->weights[13 * v + i] = mesh->weights[13 * v];
  return mesh;
}

static rigs_result *skin(const rigs_mesh *mesh, const way *w) {
  rigs_palette palette;
  build(&palette);
  supple_palette view = rigs_view(&palette);
  supple_binding *binding = rigs_bind(mesh, NULL);
  rigs_result *result = rigs_deform(mesh, binding, &view, w->method, &w->options, w->normals);
  supple_binding_destroy(binding);
  return result;
}

static bool same_vertex(const rigs_result *a, uint32_t va, const rigs_result *b, uint32_t vb) {
  return memcmp(a->positions + 3 * va, b->positions + 3 * vb, 3 * sizeof(float)) == 0 &&
         memcmp(a->normals + 3 * va, b->normals + 3 * vb, 3 * sizeof(float)) == 0 &&
         memcmp(a->tangents + 4 * va, b->tangents + 4 * vb, 4 * sizeof(float)) == 0;
}

/* Vertices `order[i]` of a mesh, `count` of them, with `influences` slots each. */
static rigs_mesh *pick(const rigs_mesh *mesh, const uint32_t *order, uint32_t count,
                       uint32_t influences) {
  rigs_random random = {0};
  rigs_mesh *picked = rigs_mesh_create(&random, count, influences, JOINTS);
  uint32_t k = mesh->influence_count;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t v = order[i];
    memcpy(picked->positions + 3 * i, mesh->positions + 3 * v, 3 * sizeof(float));
    memcpy(picked->normals + 3 * i, mesh->normals + 3 * v, 3 * sizeof(float));
    memcpy(picked->tangents + 4 * i, mesh->tangents + 4 * v, 4 * sizeof(float));
    memcpy(picked->joints + (size_t)influences * i, mesh->joints + (size_t)k * v,
           k * sizeof(uint16_t));
    memcpy(picked->weights + (size_t)influences * i, mesh->weights + (size_t)k * v,
           k * sizeof(float));
    for (uint32_t s = k; s < influences; s++) picked->weights[(size_t)influences * i + s] = 0;
  }
  return picked;
}

/* ---- ranges ---- */

typedef struct output {
  float positions[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4];
} output;

typedef struct setup {
  rigs_palette palette;
  supple_palette view;
  supple_binding *binding;
  supple_prepared *prepared;
  supple_job job;
  output out;
} setup;

static void set_up(setup *s, const rigs_mesh *mesh, const way *w) {
  memset(s, 0, sizeof *s);
  build(&s->palette);
  s->view = rigs_view(&s->palette);
  s->binding = rigs_bind(mesh, NULL);
  s->prepared = supple_prepared_create(s->binding, &w->options, NULL);
  assert_non_null(s->prepared);
  assert_int_equal(supple_prepared_update(s->prepared, s->binding, &s->view, w->method), SUPPLE_OK);
  s->job.prepared = s->prepared;
  s->job.positions.data = mesh->positions, s->job.positions.stride = 12;
  s->job.normals.data = mesh->normals, s->job.normals.stride = 12;
  s->job.tangents.data = mesh->tangents, s->job.tangents.stride = 16;
  s->job.out_positions.data = s->out.positions[0], s->job.out_positions.stride = 12;
  s->job.out_normals.data = s->out.normals[0], s->job.out_normals.stride = 12;
  s->job.out_tangents.data = s->out.tangents[0], s->job.out_tangents.stride = 16;
  s->job.normal_mode = w->normals;
  memset(&s->out, SENTINEL, sizeof s->out);
}

static void tear_down(setup *s) {
  supple_prepared_destroy(s->prepared);
  supple_binding_destroy(s->binding);
}

static void assert_untouched(const void *memory, size_t size) {
  const unsigned char *bytes = memory;
  for (size_t i = 0; i < size; i++) assert_int_equal(bytes[i], SENTINEL);
}

static void assert_rows(const output *out, const rigs_result *whole, uint32_t begin, uint32_t end) {
  size_t count = end - begin;
  assert_memory_equal(out->positions[begin], whole->positions + 3 * begin, count * 12);
  assert_memory_equal(out->normals[begin], whole->normals + 3 * begin, count * 12);
  assert_memory_equal(out->tangents[begin], whole->tangents + 4 * begin, count * 16);
}

static void test_any_split(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  rigs_random random = {1};
  for (size_t w = 0; w < WAYS; w++) {
    rigs_result *whole = skin(mesh, &ways[w]);
    for (int round = 0; round < 12; round++) {
      setup s;
      set_up(&s, mesh, &ways[w]);
      supple_deform_report report = {0, 0, 0};
      uint32_t step = round < 4 ? (uint32_t)round * 15 + 1 : 0; /* 1, 16, 31, 46, then random */
      for (uint32_t begin = 0; begin < VERTICES;) {
        uint32_t end = begin + (step ? step : rigs_below(&random, 50)); /* empty ones, too */
        end = end > VERTICES ? VERTICES : end;
        assert_int_equal(supple_deform_range(&s.job, begin, end, &report), SUPPLE_OK);
        begin = end;
      }
      assert_rows(&s.out, whole, 0, VERTICES);
      assert_memory_equal(&report, &whole->report, sizeof report);
      tear_down(&s);
    }
    rigs_result_destroy(whole);
  }
  rigs_mesh_destroy(mesh);
}

/* Every begin and end near the edges of blocks of 16: right inside, untouched outside. */
static void test_nothing_outside_the_range(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  const uint32_t places[] = {0,  1,   7,   15,  16,  17,  31,  32, 33,
                             64, 100, 192, 207, 208, 209, 210, 211};
  const size_t count = sizeof places / sizeof *places;
  for (size_t w = 0; w < WAYS; w++) {
    rigs_result *whole = skin(mesh, &ways[w]);
    setup s;
    set_up(&s, mesh, &ways[w]);
    for (size_t a = 0; a < count; a++)
      for (size_t b = a; b < count; b++) {
        uint32_t begin = places[a], end = places[b];
        memset(&s.out, SENTINEL, sizeof s.out);
        assert_int_equal(supple_deform_range(&s.job, begin, end, NULL), SUPPLE_OK);
        assert_untouched(s.out.positions, begin * sizeof *s.out.positions);
        assert_untouched(s.out.positions + end, (VERTICES - end) * sizeof *s.out.positions);
        assert_untouched(s.out.normals, begin * sizeof *s.out.normals);
        assert_untouched(s.out.normals + end, (VERTICES - end) * sizeof *s.out.normals);
        assert_untouched(s.out.tangents, begin * sizeof *s.out.tangents);
        assert_untouched(s.out.tangents + end, (VERTICES - end) * sizeof *s.out.tangents);
        assert_rows(&s.out, whole, begin, end);
      }
    tear_down(&s);
    rigs_result_destroy(whole);
  }
  rigs_mesh_destroy(mesh);
}

/* A range that isn't inside the mesh, and missing streams: refused, nothing written. */
static void test_wrong_jobs_write_nothing(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  setup s;
  set_up(&s, mesh, &ways[3]);
  supple_job job = s.job;
  assert_int_equal(supple_deform_range(&job, 0, VERTICES + 1, NULL), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_deform_range(&job, 5, UINT32_MAX, NULL), SUPPLE_ERROR_ARGUMENT);
  job.positions.data = NULL;
  assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
  job = s.job, job.out_positions.data = NULL;
  assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
  job = s.job, job.normals.data = NULL;
  assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
  job = s.job, job.tangents.data = NULL;
  assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
  assert_untouched(&s.out, sizeof s.out);
  tear_down(&s);
  rigs_mesh_destroy(mesh);
}

/* ---- memory ---- */

#define WIDE 17 /* floats from one vertex to the next */

/* All streams interleaved in one buffer, at an odd stride; a gap between them must stay as it
 * was. */
static void check_interleaved(const rigs_mesh *mesh, const way *w) {
  static float in[VERTICES * WIDE + 1], out[VERTICES * WIDE + 1], copy[VERTICES * WIDE + 1];
  rigs_result *whole = skin(mesh, w);
  setup s;
  set_up(&s, mesh, w);
  memset(in, 0x55, sizeof in);
  memset(out, SENTINEL, sizeof out);
  for (uint32_t v = 0; v < VERTICES; v++) {
    memcpy(in + WIDE * v + 1, mesh->positions + 3 * v, 12);
    memcpy(in + WIDE * v + 5, mesh->normals + 3 * v, 12);
    memcpy(in + WIDE * v + 10, mesh->tangents + 4 * v, 16);
  }
  memcpy(copy, in, sizeof in);
  s.job.positions.data = in + 1, s.job.normals.data = in + 5, s.job.tangents.data = in + 10;
  s.job.out_positions.data = out + 9, s.job.out_normals.data = out + 1,
  s.job.out_tangents.data = out + 5;
  s.job.positions.stride = s.job.normals.stride = s.job.tangents.stride = WIDE * sizeof(float);
  s.job.out_positions.stride = s.job.out_normals.stride = s.job.out_tangents.stride =
      WIDE * sizeof(float);
  assert_int_equal(supple_deform(&s.job), SUPPLE_OK);
  assert_memory_equal(in, copy, sizeof in);
  assert_untouched(out, sizeof(float));
  for (uint32_t v = 0; v < VERTICES; v++) {
    assert_memory_equal(out + WIDE * v + 9, whole->positions + 3 * v, 12);
    assert_memory_equal(out + WIDE * v + 1, whole->normals + 3 * v, 12);
    assert_memory_equal(out + WIDE * v + 5, whole->tangents + 4 * v, 16);
    assert_untouched(out + WIDE * v + 4, sizeof(float));
    assert_untouched(out + WIDE * v + 12, (WIDE - 11) * sizeof(float));
  }
  tear_down(&s);
  rigs_result_destroy(whole);
}

static void test_strides_and_interleaving(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  for (size_t w = 0; w < WAYS; w++) check_interleaved(mesh, &ways[w]);
  rigs_mesh_destroy(mesh);
}

/* Positions come out the same whether or not normals and tangents do. */
static void test_outputs_do_not_depend_on_each_other(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  for (size_t w = 0; w < WAYS; w++) {
    rigs_result *whole = skin(mesh, &ways[w]);
    for (int without = 0; without < 3; without++) {
      setup s;
      set_up(&s, mesh, &ways[w]);
      if (without != 1) s.job.tangents.data = NULL, s.job.out_tangents.data = NULL;
      if (without == 2) s.job.normals.data = NULL, s.job.out_normals.data = NULL;
      assert_int_equal(supple_deform(&s.job), SUPPLE_OK);
      assert_memory_equal(s.out.positions, whole->positions, sizeof s.out.positions);
      if (without < 2) assert_memory_equal(s.out.normals, whole->normals, sizeof s.out.normals);
      if (without == 0) assert_untouched(s.out.tangents, sizeof s.out.tangents);
      tear_down(&s);
    }
    rigs_result_destroy(whole);
  }
  rigs_mesh_destroy(mesh);
}

static void test_inputs_are_not_touched(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  uint32_t order[VERTICES];
  for (uint32_t v = 0; v < VERTICES; v++) order[v] = v;
  rigs_mesh *copy = pick(mesh, order, VERTICES, 13);
  rigs_palette before, after;
  build(&before), build(&after);
  for (size_t w = 0; w < WAYS; w++) {
    supple_binding *binding = rigs_bind(mesh, NULL);
    supple_palette view = rigs_view(&after);
    rigs_result_destroy(
        rigs_deform(mesh, binding, &view, ways[w].method, &ways[w].options, ways[w].normals));
    supple_binding_destroy(binding);
  }
  assert_memory_equal(mesh->positions, copy->positions, VERTICES * 12);
  assert_memory_equal(mesh->normals, copy->normals, VERTICES * 12);
  assert_memory_equal(mesh->tangents, copy->tangents, VERTICES * 16);
  assert_memory_equal(mesh->weights, copy->weights, VERTICES * 13 * sizeof(float));
  assert_memory_equal(mesh->joints, copy->joints, VERTICES * 13 * sizeof(uint16_t));
  assert_memory_equal(before.matrices, after.matrices, sizeof(supple_affine) * JOINTS);
  assert_memory_equal(before.rotations, after.rotations, sizeof(supple_quat) * JOINTS);
  assert_memory_equal(before.mirrored, after.mirrored, JOINTS);
  rigs_mesh_destroy(mesh);
  rigs_mesh_destroy(copy);
}

/* The primitive may go once it is bound, the palette once the frame is prepared. */
static void test_prepared_keeps_its_own(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  rigs_result *whole = skin(mesh, &ways[3]);
  setup s;
  set_up(&s, mesh, &ways[3]);
  memset(&s.palette, 0, sizeof s.palette);
  memset(mesh->weights, 0, VERTICES * 13 * sizeof(float));
  memset(mesh->joints, 0, VERTICES * 13 * sizeof(uint16_t));
  assert_int_equal(supple_deform(&s.job), SUPPLE_OK);
  assert_rows(&s.out, whole, 0, VERTICES);
  tear_down(&s);
  rigs_result_destroy(whole);
  rigs_mesh_destroy(mesh);
}

/* ---- neighbours ---- */

static void shuffle(rigs_random *random, uint32_t *order, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  for (uint32_t i = count; i-- > 1;) {
    uint32_t j = rigs_below(random, i + 1), swap = order[i];
    order[i] = order[j];
    order[j] = swap;
  }
}

static void test_any_order(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  rigs_random random = {2};
  for (int round = 0; round < 6; round++) {
    uint32_t order[VERTICES];
    shuffle(&random, order, VERTICES);
    rigs_mesh *permuted = pick(mesh, order, VERTICES, 13);
    for (size_t w = 0; w < WAYS; w++) {
      rigs_result *a = skin(mesh, &ways[w]), *b = skin(permuted, &ways[w]);
      for (uint32_t i = 0; i < VERTICES; i++)
        if (!same_vertex(b, i, a, order[i]))
          fail_msg("%s: vertex %u differs at place %u", ways[w].name, order[i], i);
      rigs_result_destroy(a);
      rigs_result_destroy(b);
    }
    rigs_mesh_destroy(permuted);
  }
  rigs_mesh_destroy(mesh);
}

/* Each vertex alone, and among 16 copies of another. */
static void test_any_neighbours(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  for (size_t w = 0; w < WAYS; w++) {
    rigs_result *whole = skin(mesh, &ways[w]);
    for (uint32_t v = 0; v < VERTICES; v += 3) {
      uint32_t order[33];
      for (uint32_t i = 0; i < 33; i++) order[i] = i == 20 ? v : (v * 7 + 3) % VERTICES;
      rigs_mesh *alone = pick(mesh, &v, 1, 13), *among = pick(mesh, order, 33, 13);
      rigs_result *a = skin(alone, &ways[w]), *b = skin(among, &ways[w]);
      assert_true(same_vertex(a, 0, whole, v));
      assert_true(same_vertex(b, 20, whole, v));
      rigs_result_destroy(a);
      rigs_result_destroy(b);
      rigs_mesh_destroy(alone);
      rigs_mesh_destroy(among);
    }
    rigs_result_destroy(whole);
  }
  rigs_mesh_destroy(mesh);
}

/* Slots without weight, whatever joint they name, and a weight given in two exact halves. */
static void test_padding_changes_nothing(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  uint32_t order[VERTICES];
  for (uint32_t v = 0; v < VERTICES; v++) order[v] = v;
  rigs_mesh *padded = pick(mesh, order, VERTICES, 16);
  for (uint32_t v = 0; v < VERTICES; v++) {
    uint16_t *joints = padded->joints + 16 * v;
    float *weights = padded->weights + 16 * v;
    joints[13] = (uint16_t)(v % JOINTS), joints[14] = 65535, joints[15] = joints[0];
    if (v % 2) {
      weights[15] = weights[0] / 2;
      weights[0] /= 2;
    }
  }
  for (size_t w = 0; w < WAYS; w++) {
    rigs_result *a = skin(mesh, &ways[w]), *b = skin(padded, &ways[w]);
    if (!rigs_same_bits(a, b)) fail_msg("%s: padding changes bits", ways[w].name);
    rigs_result_destroy(a);
    rigs_result_destroy(b);
  }
  rigs_mesh_destroy(mesh);
  rigs_mesh_destroy(padded);
}

/* The influences of a vertex in any order: sums take joints in ascending order. */
static void test_slots_in_any_order(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  rigs_random random = {3};
  uint32_t order[VERTICES], slots[13];
  for (uint32_t v = 0; v < VERTICES; v++) order[v] = v;
  rigs_mesh *mixed = pick(mesh, order, VERTICES, 13);
  for (uint32_t v = 0; v < VERTICES; v++) {
    shuffle(&random, slots, 13);
    float sum = 0;
    for (uint32_t i = 0; i < 13; i++) {
      sum += mesh->weights[13 * v + i];
      mixed->joints[13 * v + i] = mesh->joints[13 * v + slots[i]];
      mixed->weights[13 * v + i] = mesh->weights[13 * v + slots[i]];
    }
    if (!(sum > 0)) /* the first joint named is the one that counts */
      memcpy(mixed->joints + 13 * v, mesh->joints + 13 * v, 13 * sizeof(uint16_t));
  }
  for (size_t w = 0; w < WAYS; w++) {
    rigs_result *a = skin(mesh, &ways[w]), *b = skin(mixed, &ways[w]);
    assert_true(rigs_same_bits(a, b));
    rigs_result_destroy(a);
    rigs_result_destroy(b);
  }
  rigs_mesh_destroy(mesh);
  rigs_mesh_destroy(mixed);
}

/* Every instruction set that this machine has, in one piece and in odd ranges. */
static void test_instruction_sets(void **state) {
  (void)state;
  rigs_mesh *mesh = build_mesh();
  int available = 0;
  for (int isa = 0; isa <= SUPPLE_ISA_WASM; isa++) {
    if (!supple_isa_available((supple_isa)isa)) continue;
    available++;
    for (size_t w = 0; w < WAYS; w++) {
      rigs_result *whole = skin(mesh, &ways[w]);
      setup s;
      set_up(&s, mesh, &ways[w]);
      s.job.isa = (supple_isa)isa;
      supple_deform_report report = {0, 0, 0};
      assert_int_equal(supple_deform_range(&s.job, 0, VERTICES, &report), SUPPLE_OK);
      assert_rows(&s.out, whole, 0, VERTICES);
      assert_memory_equal(&report, &whole->report, sizeof report);
      memset(&s.out, SENTINEL, sizeof s.out);
      for (uint32_t begin = 0; begin < VERTICES; begin += 37) {
        uint32_t end = begin + 37 < VERTICES ? begin + 37 : VERTICES;
        assert_int_equal(supple_deform_range(&s.job, begin, end, NULL), SUPPLE_OK);
      }
      assert_rows(&s.out, whole, 0, VERTICES);
      tear_down(&s);
      rigs_result_destroy(whole);
    }
  }
  assert_true(available >= 2); /* the best, and the scalar one by name */
  rigs_mesh_destroy(mesh);
}

/* What is not a number in one vertex stays there, whatever its neighbours in a block. */
static void test_bad_numbers_stay_alone(void **state) {
  (void)state;
  rigs_mesh *good = build_mesh(), *bad = build_mesh();
  const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e-45f};
  for (uint32_t v = 3; v < VERTICES; v += 7) {
    float value = values[v / 7 % 6];
    if (v % 2) bad->positions[3 * v + v % 3] = value;
    if (v % 3) bad->normals[3 * v + v % 3] = value;
    if (v % 5) bad->tangents[4 * v + v % 4] = value;
  }
  for (int isa = 0; isa <= SUPPLE_ISA_WASM; isa++) {
    if (!supple_isa_available((supple_isa)isa)) continue;
    for (size_t w = 0; w < WAYS; w++) {
      rigs_result *whole = skin(good, &ways[w]);
      setup s;
      set_up(&s, bad, &ways[w]);
      s.job.isa = (supple_isa)isa;
      assert_int_equal(supple_deform(&s.job), SUPPLE_OK);
      for (uint32_t v = 0; v < VERTICES; v++)
        if (v % 7 != 3) assert_rows(&s.out, whole, v, v + 1);
      tear_down(&s);
      rigs_result_destroy(whole);
    }
  }
  rigs_mesh_destroy(good);
  rigs_mesh_destroy(bad);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_any_split),
      cmocka_unit_test(test_nothing_outside_the_range),
      cmocka_unit_test(test_wrong_jobs_write_nothing),
      cmocka_unit_test(test_strides_and_interleaving),
      cmocka_unit_test(test_outputs_do_not_depend_on_each_other),
      cmocka_unit_test(test_inputs_are_not_touched),
      cmocka_unit_test(test_prepared_keeps_its_own),
      cmocka_unit_test(test_any_order),
      cmocka_unit_test(test_any_neighbours),
      cmocka_unit_test(test_padding_changes_nothing),
      cmocka_unit_test(test_slots_in_any_order),
      cmocka_unit_test(test_instruction_sets),
      cmocka_unit_test(test_bad_numbers_stay_alone),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
