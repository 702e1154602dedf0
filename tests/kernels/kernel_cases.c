/* kernel_cases.c: rigs and jobs on which every instruction set must give the reference's bits. A range of one
 * vertex never holds a whole block, so it always goes through the reference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kernels/kernel_cases.h"

enum { JOINTS = 24, VERTICES = 16 * 23 + 7, MOST_INFLUENCES = 13 };

static uint32_t seed;
static double uniform(double low, double high) {
  seed = seed * 1664525u + 1013904223u;
  return low + (high - low) * ((double)(seed >> 8) / 16777216.0);
}

/* How joints are posed. */
enum {
  RIGID,
  LARGE,
  HALF_TURNS,
  SCALED,
  SOME_SCALED,
  SHEARED,
  MIRRORED,
  FLAT,
  TINY,
  HUGE_SCALE,
  POSES
};

static supple_affine64 random_motion(double turn, double scale) {
  supple_transform t = supple_transform_identity();
  t.rotation = supple_quat_from_axis_angle(
      supple_vec3_make(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)), uniform(-turn, turn));
  t.translation = supple_vec3_make(uniform(-2, 2), uniform(-2, 2), uniform(-2, 2));
  t.scale = supple_vec3_make(scale, scale, scale);
  return supple_transform_to_affine(&t);
}

static void pose_joint(int pose, uint32_t joint, supple_affine *out) {
  double common = pose == SCALED ? 0.01 : pose == TINY ? 1e-11 : pose == HUGE_SCALE ? 1e11 : 1;
  if (pose == MIRRORED) common = -1.5;
  supple_affine64 m = random_motion(pose == LARGE || pose == MIRRORED ? 3.1 : 0.9, common);
  if (pose == HALF_TURNS) {
    supple_transform t = supple_transform_identity();
    double axis[3] = {joint % 3 == 0, joint % 3 == 1, joint % 3 == 2};
    t.rotation = supple_quat_from_axis_angle(supple_vec3_make(axis[0], axis[1], axis[2]),
                                             joint % 2 ? SUPPLE_PI : 0);
    m = supple_transform_to_affine(&t);
  }
  if (pose == SHEARED || (pose == SOME_SCALED && joint % 5 == 2))
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) m.m[r][c] += uniform(-0.4, 0.4);
  if (pose == FLAT && joint % 3 == 0)
    for (int r = 0; r < 3; r++) m.m[r][joint % 2] = 0;
  *out = supple_affine_from_double(&m);
}

typedef struct mesh {
  supple_primitive primitive;
  float positions[VERTICES * 3], normals[VERTICES * 3], tangents[VERTICES * 4];
  uint16_t joints[VERTICES * MOST_INFLUENCES];
  float weights[VERTICES * MOST_INFLUENCES];
} mesh;

/* Vertices in runs that share joints (spread 3), or with any joints (spread JOINTS): wide blocks. */
static void make_mesh(mesh *m, uint32_t influences, uint32_t spread) {
  memset(m, 0, sizeof *m);
  for (uint32_t v = 0; v < VERTICES; v++) {
    for (int c = 0; c < 3; c++) {
      m->positions[3 * v + (uint32_t)c] = (float)uniform(-1, 1);
      m->normals[3 * v + (uint32_t)c] = v % 41 == 7 ? 0.0f : (float)uniform(-1, 1);
      m->tangents[4 * v + (uint32_t)c] = (float)uniform(-1, 1);
    }
    if (v % 29 == 3) memcpy(m->tangents + 4 * v, m->normals + 3 * v, 12); /* parallel */
    m->tangents[4 * v + 3] = v % 2 ? 1.0f : -1.0f;
    for (uint32_t i = 0; i < influences; i++) {
      uint32_t base = spread < JOINTS ? v / 37 * 2 : 0;
      m->joints[v * influences + i] = (uint16_t)((base + (uint32_t)uniform(0, spread)) % JOINTS);
      m->weights[v * influences + i] = v % 31 == 5 ? 0.0f : (float)uniform(0, 1);
    }
  }
  m->primitive = (supple_primitive){.vertex_count = VERTICES,
                                    .positions = m->positions,
                                    .normals = m->normals,
                                    .tangents = m->tangents,
                                    .influence_count = influences,
                                    .joints = m->joints,
                                    .weights = m->weights};
}

typedef struct streams {
  float packed[VERTICES * 10];
} streams;

/* packed: three arrays in a row; else one interleaved array of 10 floats a vertex. */
static supple_job make_job(const supple_prepared *prepared, const mesh *m, streams *out,
                           uint32_t variant) {
  bool interleaved = variant & 1, compiled = variant & 2;
  size_t stride = interleaved ? 40 : 12, four = interleaved ? 40 : 16;
  uint32_t wanted = variant / 4 % 4; /* p, pn, pnt, pt */
  supple_job job = {.prepared = prepared, .normal_mode = (supple_normals)(variant / 16 % 3)};
  if (!compiled) {
    job.positions = (supple_stream){m->positions, 12};
    job.normals = (supple_stream){m->normals, 12};
    job.tangents = (supple_stream){m->tangents, 16};
  }
  job.out_positions = (supple_out_stream){out->packed, stride};
  if (wanted == 1 || wanted == 2)
    job.out_normals = (supple_out_stream){out->packed + (interleaved ? 3 : 3 * VERTICES), stride};
  if (wanted >= 2)
    job.out_tangents = (supple_out_stream){out->packed + (interleaved ? 6 : 6 * VERTICES), four};
  return job;
}

static uint32_t compare_job(const supple_prepared *prepared, const mesh *m, supple_isa isa,
                            uint32_t variant, const char *what) {
  static streams expected, found;
  memset(&expected, 0x55, sizeof expected);
  memset(&found, 0x55, sizeof found);
  supple_deform_report one = {0}, other = {0};
  supple_job job = make_job(prepared, m, &expected, variant);
  job.isa = SUPPLE_ISA_SCALAR;
  for (uint32_t v = 0; v < VERTICES; v++)
    if (supple_deform_range(&job, v, v + 1, &one)) return 1;
  job = make_job(prepared, m, &found, variant);
  job.isa = isa;
  if (supple_deform_range(&job, 0, VERTICES, &other)) return 1;
  uint32_t wrong = memcmp(&one, &other, sizeof one) != 0;
  if (wrong) printf("%s variant %u: the reports differ\n", what, variant);
  for (uint32_t k = 0; k < VERTICES * 10; k++)
    if (memcmp(&expected.packed[k], &found.packed[k], sizeof(float)) != 0 && wrong++ < 3)
      printf("%s variant %u number %u: %.9g, not %.9g\n", what, variant, k, (double)found.packed[k],
             (double)expected.packed[k]);
  return wrong;
}

static uint32_t compare_pose(const supple_binding *binding, const mesh *m, supple_isa isa, int pose,
                             uint32_t binding_case, uint32_t *vertices) {
  static supple_affine matrices[JOINTS];
  supple_palette palette = {.joint_count = JOINTS, .matrices = matrices};
  for (uint32_t j = 0; j < JOINTS; j++) pose_joint(pose, j, &matrices[j]);
  uint32_t wrong = 0;
  for (uint32_t o = 0; o < 5; o++) {
    supple_prepared_options options = {.scale = o == 2 ? SUPPLE_SCALE_NONE : SUPPLE_SCALE_AFFINE,
                                       .signs =
                                           o == 3 ? SUPPLE_SIGNS_PER_POSE : SUPPLE_SIGNS_PER_VERTEX,
                                       .rigid_tolerance = o == 4 ? -1 : 0};
    supple_prepared *prepared = supple_prepared_create(binding, &options, NULL);
    if (!prepared ||
        supple_prepared_update(prepared, binding, &palette, o ? SUPPLE_DQS : SUPPLE_LBS))
      wrong++;
    char what[64];
    snprintf(what, sizeof what, "pose %d binding %u options %u", pose, binding_case, o);
    for (uint32_t variant = 0; prepared && variant < 48; variant++) {
      wrong += compare_job(prepared, m, isa, variant, what);
      *vertices += VERTICES;
    }
    supple_prepared_destroy(prepared);
  }
  return wrong;
}

uint32_t kernel_cases_compare(supple_isa isa, uint32_t *vertices) {
  static mesh m;
  static const struct {
    uint32_t influences, spread;
    supple_binding_options options;
  } bindings[] = {
      {4, 3, {.geometry = true}},
      {1, 3, {.geometry = true, .weights = SUPPLE_WEIGHTS_KEEP}},
      {4, 5, {.geometry = true, .unweighted = SUPPLE_UNWEIGHTED_REST}},
      {13, 9, {.geometry = true, .weights = SUPPLE_WEIGHTS_KEEP}},
      {4, JOINTS, {.geometry = true}},
      {4, JOINTS, {.geometry = true, .sort = true, .unweighted = SUPPLE_UNWEIGHTED_REST}}};
  uint32_t wrong = 0;
  seed = 7;
  *vertices = 0;
  for (uint32_t b = 0; b < sizeof bindings / sizeof *bindings; b++) {
    make_mesh(&m, bindings[b].influences, bindings[b].spread);
    supple_binding *binding = supple_binding_create(&m.primitive, &bindings[b].options, NULL);
    for (int pose = 0; binding && pose < POSES; pose++)
      wrong += compare_pose(binding, &m, isa, pose, b, vertices);
    wrong += !binding;
    supple_binding_destroy(binding);
  }
  return wrong;
}

static supple_isa tested;

static void gives_the_bits_of_the_reference(void **state) {
  (void)state;
  if (!supple_isa_available(tested)) {
    printf("this machine or build has no %s: skipped\n", supple_isa_text(tested));
    skip();
  }
  uint32_t vertices;
  assert_int_equal(kernel_cases_compare(tested, &vertices), 0);
  printf("%s: %u vertices, every bit equal\n", supple_isa_text(tested), vertices);
}

int kernel_cases_main(supple_isa isa) {
  tested = isa;
  const struct CMUnitTest tests[] = {cmocka_unit_test(gives_the_bits_of_the_reference)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
