/* test_guard_pages.c: a deform call touches nothing but the elements of its range: every buffer ends at a page that
 * must not be touched, or starts after one, for every method, stride and instruction set. */
#if !defined(_WIN32)
#define _DEFAULT_SOURCE
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs.h"

#if !defined(_WIN32)

#include <sys/mman.h>
#include <unistd.h>

/* ---- buffers between guard pages ---- */

typedef struct guarded {
  unsigned char *map, *data; /* data: the first accessible byte that counts */
  size_t map_size, size;
} guarded;

/* `size` bytes; at_end: the byte after the last is forbidden, else the one before the first. */
static guarded guard(size_t size, bool at_end) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), inside = (size + page - 1) / page * page;
  guarded g = {.map_size = inside + 2 * page, .size = size};
  g.map = mmap(NULL, g.map_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert_true(g.map != MAP_FAILED);
  assert_int_equal(mprotect(g.map + page, inside, PROT_READ | PROT_WRITE), 0);
  g.data = g.map + page + (at_end ? inside - size : 0);
  memset(g.map + page, 0xB7, inside);
  return g;
}

static void unguard(guarded *g) {
  if (g->map) munmap(g->map, g->map_size);
  *g = (guarded){0};
}

static void make_read_only(const guarded *g) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  assert_int_equal(mprotect(g->map + page, g->map_size - 2 * page, PROT_READ), 0);
}

/* ---- streams ---- */

enum { POSITIONS, NORMALS, TANGENTS, KINDS };
static const size_t widths[KINDS] = {12, 12, 16}; /* bytes of an element */

/* One layout: what lies between elements, whether ends or starts are guarded, and which vertices are there at all. */
typedef struct layout {
  size_t padding;
  bool at_end;
  uint32_t begin, end;
} layout;

static size_t bytes_of(const layout *l, int kind) {
  const size_t stride = widths[kind] + l->padding;
  return l->end == l->begin ? 0 : (l->end - l->begin - 1) * stride + widths[kind];
}

/* A pointer to element 0 that would be there, were the elements before `begin` mapped. Through integers, since
 * it may lie outside of the mapping. */
static float *element_zero(const guarded *g, const layout *l, int kind) {
  return (float *)((uintptr_t)g->data - l->begin * (widths[kind] + l->padding));
}

typedef struct streams {
  guarded in[KINDS], out[KINDS];
} streams;

static streams make_streams(const rigs_mesh *mesh, const layout *l) {
  streams s = {0};
  const float *const from[KINDS] = {mesh->positions, mesh->normals, mesh->tangents};
  for (int k = 0; k < KINDS; k++) {
    const size_t stride = widths[k] + l->padding;
    s.in[k] = guard(bytes_of(l, k), l->at_end);
    s.out[k] = guard(bytes_of(l, k), l->at_end);
    for (uint32_t v = l->begin; v < l->end; v++)
      memcpy(s.in[k].data + (v - l->begin) * stride, from[k] + v * (widths[k] / 4), widths[k]);
    make_read_only(&s.in[k]);
  }
  return s;
}

static void free_streams(streams *s) {
  for (int k = 0; k < KINDS; k++) unguard(&s->in[k]), unguard(&s->out[k]);
}

static supple_job job_of(const streams *s, const layout *l, const supple_prepared *prepared,
                         supple_normals normals, supple_isa isa) {
  const size_t padding = l->padding;
  return (supple_job){.prepared = prepared,
                      .positions = {element_zero(&s->in[POSITIONS], l, POSITIONS), 12 + padding},
                      .normals = {element_zero(&s->in[NORMALS], l, NORMALS), 12 + padding},
                      .tangents = {element_zero(&s->in[TANGENTS], l, TANGENTS), 16 + padding},
                      .out_positions = {element_zero(&s->out[POSITIONS], l, POSITIONS), 12 + padding},
                      .out_normals = {element_zero(&s->out[NORMALS], l, NORMALS), 12 + padding},
                      .out_tangents = {element_zero(&s->out[TANGENTS], l, TANGENTS), 16 + padding},
                      .normal_mode = normals,
                      .isa = isa};
}

/* The same numbers as in plain buffers, and what lies between elements as it was. */
static void check_outputs(const streams *s, const layout *l, const rigs_result *wanted) {
  const float *const from[KINDS] = {wanted->positions, wanted->normals, wanted->tangents};
  for (int k = 0; k < KINDS; k++) {
    const size_t stride = widths[k] + l->padding;
    for (uint32_t v = l->begin; v < l->end; v++) {
      const unsigned char *at = s->out[k].data + (v - l->begin) * stride;
      assert_memory_equal(at, from[k] + v * (widths[k] / 4), widths[k]);
      for (size_t i = widths[k]; i < stride && v + 1 < l->end; i++) assert_int_equal(at[i], 0xB7);
    }
  }
}

/* ---- rigs ---- */

enum { VERTICES = 53, JOINTS = 7 };

/* Rigid joints, and among them a scaled, a sheared, a mirrored and a flat one where `odd`. */
static void fill_palette(rigs_palette *palette, rigs_random *random, bool odd) {
  memset(palette, 0, sizeof *palette);
  for (uint32_t j = 0; j < JOINTS; j++) {
    const reference_quaternion turn = rigs_rotation(random);
    const reference_vector move = rigs_vector(random, 2);
    reference_affine matrix = rigs_rigid(turn, move);
    if (odd && j >= 2) {
      reference_linear stretch = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
      if (j == 2) stretch.m[0][0] = stretch.m[1][1] = stretch.m[2][2] = 2;
      if (j == 3) stretch.m[0][1] = 0.75;
      if (j == 4) stretch.m[2][2] = -1;
      if (j == 5) stretch.m[1][1] = 0;
      matrix = rigs_stretched(turn, move, &stretch);
    }
    rigs_add(palette, &matrix, turn, odd && j == 4, j ? (j - 1) / 2 : SUPPLE_NONE);
  }
}

typedef struct mode {
  supple_method method;
  supple_scale scale;
  supple_signs signs;
} mode;

static const mode modes[] = {{SUPPLE_LBS, SUPPLE_SCALE_AFFINE, SUPPLE_SIGNS_PER_VERTEX},
                             {SUPPLE_DQS, SUPPLE_SCALE_AFFINE, SUPPLE_SIGNS_PER_VERTEX},
                             {SUPPLE_DQS, SUPPLE_SCALE_AFFINE, SUPPLE_SIGNS_PER_POSE},
                             {SUPPLE_DQS, SUPPLE_SCALE_FIRST, SUPPLE_SIGNS_PER_VERTEX},
                             {SUPPLE_DQS, SUPPLE_SCALE_NONE, SUPPLE_SIGNS_PER_VERTEX}};

static void check_job(const rigs_mesh *mesh, const supple_prepared *prepared,
                      const rigs_result *wanted, supple_normals normals) {
  static const size_t paddings[] = {0, 4, 20, 52};
  static const uint32_t ranges[][2] = {
      {0, VERTICES}, {0, 16}, {16, 32}, {5, 6}, {1, VERTICES}, {15, 33}, {VERTICES - 1, VERTICES},
      {0, 47}};
  for (size_t i = 0; i < sizeof paddings / sizeof *paddings; i++)
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
      for (int at_end = 0; at_end < 2; at_end++) {
        const layout l = {paddings[i], at_end != 0, ranges[r][0], ranges[r][1]};
        const supple_isa isa = (i + r) % 3 ? SUPPLE_ISA_BEST : SUPPLE_ISA_SCALAR;
        streams s = make_streams(mesh, &l);
        const supple_job job = job_of(&s, &l, prepared, normals, isa);
        supple_deform_report report = {0};
        assert_int_equal(supple_deform_range(&job, l.begin, l.end, &report), SUPPLE_OK);
        assert_int_equal(supple_deform_range(&job, l.begin, l.begin, &report),
                         SUPPLE_OK); /* touches nothing */
        check_outputs(&s, &l, wanted);
        free_streams(&s);
      }
}

static void every_method(void **state) {
  (void)state;
  rigs_random random = {20261130};
  for (uint32_t influences = 1; influences <= 9; influences += 4) {
    rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, influences, JOINTS);
    supple_binding *binding = rigs_bind(mesh, NULL);
    for (int odd = 0; odd < 2; odd++) {
      static rigs_palette rig;
      fill_palette(&rig, &random, odd != 0);
      supple_palette palette = rigs_view(&rig);
      for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        const supple_prepared_options options = {.scale = modes[m].scale, .signs = modes[m].signs};
        const supple_normals normals = (supple_normals)(m % 3);
        rigs_result *wanted =
            rigs_deform(mesh, binding, &palette, modes[m].method, &options, normals);
        supple_error error;
        supple_prepared *prepared = supple_prepared_create(binding, &options, &error);
        assert_non_null(prepared);
        assert_int_equal(supple_prepared_update(prepared, binding, &palette, modes[m].method),
                         SUPPLE_OK);
        check_job(mesh, prepared, wanted, normals);
        supple_prepared_destroy(prepared);
        rigs_result_destroy(wanted);
      }
    }
    supple_binding_destroy(binding);
    rigs_mesh_destroy(mesh);
  }
}

/* A stride of 0 reads one element, however many vertices there are. */
static void one_element_for_all(void **state) {
  (void)state;
  rigs_random random = {7};
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 4, JOINTS);
  supple_binding *binding = rigs_bind(mesh, NULL);
  static rigs_palette rig;
  fill_palette(&rig, &random, true);
  supple_palette palette = rigs_view(&rig);
  supple_error error;
  supple_prepared *prepared = supple_prepared_create(binding, NULL, &error);
  assert_non_null(prepared);
  assert_int_equal(supple_prepared_update(prepared, binding, &palette, SUPPLE_DQS), SUPPLE_OK);
  for (int at_end = 0; at_end < 2; at_end++) {
    const layout one = {0, at_end != 0, 0, 1}, all = {0, at_end != 0, 0, VERTICES};
    streams in = make_streams(mesh, &one), out = make_streams(mesh, &all);
    supple_job job = job_of(&out, &all, prepared, SUPPLE_NORMALS_COFACTOR, SUPPLE_ISA_BEST);
    job.positions = (supple_stream){(const float *)(const void *)in.in[POSITIONS].data, 0};
    job.normals = (supple_stream){(const float *)(const void *)in.in[NORMALS].data, 0};
    job.tangents = (supple_stream){(const float *)(const void *)in.in[TANGENTS].data, 0};
    assert_int_equal(supple_deform(&job), SUPPLE_OK);
    free_streams(&in), free_streams(&out);
  }
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  rigs_mesh_destroy(mesh);
}

/* Morph targets: the primitive's own streams, and outputs with strides. */
static void morph(void **state) {
  (void)state;
  rigs_random random = {9};
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 4, JOINTS);
  for (int at_end = 0; at_end < 2; at_end++)
    for (size_t padding = 0; padding <= 20; padding += 20) {
      const layout packed = {0, at_end != 0, 0, VERTICES},
                   apart = {padding, at_end != 0, 0, VERTICES};
      streams base = make_streams(mesh, &packed), offsets = make_streams(mesh, &packed),
              out = make_streams(mesh, &apart);
      guarded tangent_offsets = guard(12 * VERTICES, at_end != 0);
      memset(tangent_offsets.data, 0, tangent_offsets.size);
      const supple_morph_target target = {(const float *)(const void *)offsets.in[POSITIONS].data,
                                          (const float *)(const void *)offsets.in[NORMALS].data,
                                          (const float *)(const void *)tangent_offsets.data};
      const supple_primitive primitive = {
          .vertex_count = VERTICES,
          .positions = (const float *)(const void *)base.in[POSITIONS].data,
          .normals = (const float *)(const void *)base.in[NORMALS].data,
          .tangents = (const float *)(const void *)base.in[TANGENTS].data,
          .targets = &target,
          .target_count = 1};
      guarded weights = guard(sizeof(float), at_end != 0);
      memcpy(weights.data, &(const float){1}, sizeof(float));
      const supple_job to = job_of(&out, &apart, NULL, SUPPLE_NORMALS_COFACTOR, SUPPLE_ISA_BEST);
      assert_int_equal(supple_morph(&primitive, (const float *)(const void *)weights.data, 1,
                                    to.out_positions, to.out_normals, to.out_tangents),
                       SUPPLE_OK);
      for (uint32_t v = 0; v < VERTICES; v++)
        for (uint32_t c = 0; c < 3; c++) {
          float found;
          memcpy(&found, out.out[POSITIONS].data + v * (12 + padding) + 4 * c, 4);
          assert_true(found == 2 * mesh->positions[3 * v + c]);
        }
      unguard(&weights), unguard(&tangent_offsets);
      free_streams(&base), free_streams(&offsets), free_streams(&out);
    }
  rigs_mesh_destroy(mesh);
}

/* The binding copies what it needs from streams of exactly its size, and bounds read no further. */
static void binding_and_bounds(void **state) {
  (void)state;
  rigs_random random = {11};
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 5, JOINTS);
  for (int at_end = 0; at_end < 2; at_end++) {
    const layout l = {0, at_end != 0, 0, VERTICES};
    streams s = make_streams(mesh, &l);
    guarded joints = guard(sizeof(uint16_t) * 5 * VERTICES, at_end != 0);
    guarded weights = guard(sizeof(float) * 5 * VERTICES, at_end != 0);
    memcpy(joints.data, mesh->joints, joints.size);
    memcpy(weights.data, mesh->weights, weights.size);
    make_read_only(&joints), make_read_only(&weights);
    const supple_primitive primitive = {.vertex_count = VERTICES,
                                        .positions =
                                            (const float *)(const void *)s.in[POSITIONS].data,
                                        .influence_count = 5,
                                        .joints = (const uint16_t *)(const void *)joints.data,
                                        .weights = (const float *)(const void *)weights.data};
    supple_error error;
    supple_binding *binding = supple_binding_create(&primitive, NULL, &error);
    assert_non_null(binding);
    const supple_stream positions = {primitive.positions, 12};
    const supple_bounds box = supple_bounds_of(positions, VERTICES);
    assert_true(box.min[0] <= box.max[0]);
    unguard(&joints), unguard(&weights);
    free_streams(&s);
    assert_int_equal(supple_binding_vertex_count(binding), VERTICES); /* the primitive may go */
    supple_binding_destroy(binding);
  }
  rigs_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_method),
                                     cmocka_unit_test(one_element_for_all), cmocka_unit_test(morph),
                                     cmocka_unit_test(binding_and_bounds)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void no_guard_pages(void **state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_guard_pages)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
