/* test_singular_joints.c: joints scaled to nothing along one, two or three axes: finite, and the
 * limit of what small scales give. */
#include "tests/property/rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES 151
#define JOINTS 6

static rigs_result *skin(const rigs_mesh *mesh, const supple_palette *palette, supple_method method,
                         const supple_prepared_options *options, supple_normals normals) {
  supple_binding *binding = rigs_bind(mesh, NULL);
  rigs_result *result = rigs_deform(mesh, binding, palette, method, options, normals);
  supple_binding_destroy(binding);
  return result;
}

/* Rigid joints, and two whose local axes in `flat` (bits) are scaled by s: R · B diag Bᵀ, with
 * the axes B turned against the coordinates; one of the two mirrored. */
static void build(uint64_t seed, unsigned flat, double s, rigs_palette *palette) {
  rigs_random random = {seed};
  palette->count = 0;
  for (uint32_t j = 0; j < JOINTS; j++) {
    reference_quaternion turn = rigs_rotation(&random);
    reference_linear axes = reference_rotation(rigs_rotation(&random));
    reference_linear back = reference_transposed(&axes), stretch = {{{0}}};
    bool squeezed = j == 1 || j == 4, mirrored = j == 4;
    for (int i = 0; i < 3; i++) {
      stretch.m[i][i] = squeezed && (flat >> i & 1) ? s : 1 - 0.2 * i * squeezed;
      stretch.m[i][i] *= mirrored ? -1 : 1;
    }
    stretch = reference_linear_product(&axes, &stretch);
    stretch = reference_linear_product(&stretch, &back);
    reference_affine matrix = rigs_stretched(turn, rigs_vector(&random, 1), &stretch);
    rigs_add(palette, &matrix, turn, mirrored, j ? j - 1 : SUPPLE_NONE);
  }
}

static int axes_in(unsigned flat) { return (int)((flat & 1) + (flat >> 1 & 1) + (flat >> 2 & 1)); }

/* Largest distance, per unit of scale, between the pose with small scales and that with none. */
static double jump(unsigned flat, double s, const supple_prepared_options *options) {
  double worst = 0;
  for (uint64_t seed = 0; seed < 5; seed++) {
    rigs_random random = {seed + 100};
    rigs_palette zero, small;
    build(seed, flat, 0, &zero);
    build(seed, flat, s, &small);
    rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 1 + (uint32_t)seed % 4, JOINTS);
    supple_palette at_zero = rigs_view(&zero), at_small = rigs_view(&small);
    rigs_result *a = skin(mesh, &at_zero, SUPPLE_DQS, options, SUPPLE_NORMALS_COFACTOR);
    rigs_result *b = skin(mesh, &at_small, SUPPLE_DQS, options, SUPPLE_NORMALS_COFACTOR);
    assert_true(rigs_finite(a));
    assert_true(rigs_finite(b));
    assert_int_equal(a->found.singular, 2);
    assert_int_equal(a->found.mirrored, 1);
    worst = fmax(worst, rigs_distance(a, b));
    rigs_result_destroy(a);
    rigs_result_destroy(b);
    rigs_mesh_destroy(mesh);
  }
  return worst;
}

static void check_limit(int axes, supple_scale scale) {
  char what[80];
  for (int power = 1; power <= 9; power++) {
    double s = pow(10, -power), worst = 0;
    for (unsigned flat = 1; flat < 8; flat++) {
      supple_prepared_options options = {.scale = scale};
      if (axes_in(flat) == axes) worst = fmax(worst, jump(flat, s, &options));
    }
    /* |M(s) - M(0)| = s, vertices within sqrt(3), |r| above 1/4. */
    double bound = scale == SUPPLE_SCALE_NONE ? 2e-6 : 4 * sqrt(3) * s + 2e-6;
    /* Rounding the matrix to float turns two small axes in their plane by up to 2^-24 |M| / s:
     * above the rank threshold the rotation is the matrix's, with that error. */
    if (axes == 2 && power <= 6) bound += sqrt(3) * 0x1p-24 / s;
    snprintf(what, sizeof what, "%d axes scaled by 1e-%d against 0, scale mode %d", axes, power,
             (int)scale);
    rigs_expect(what, worst, bound);
  }
}

static void test_one_axis(void **state) { (void)state, check_limit(1, SUPPLE_SCALE_AFFINE); }
static void test_two_axes(void **state) { (void)state, check_limit(2, SUPPLE_SCALE_AFFINE); }
static void test_three_axes(void **state) { (void)state, check_limit(3, SUPPLE_SCALE_AFFINE); }
static void test_scale_first(void **state) { (void)state, check_limit(2, SUPPLE_SCALE_FIRST); }
static void test_scale_none(void **state) { (void)state, check_limit(1, SUPPLE_SCALE_NONE); }

/* ---- through a hierarchy ---- */

/* A chain of three nodes with scale s on some axes of the second, bound where it stands
 * unscaled. */
typedef struct chain {
  supple_node nodes[3];
  uint32_t order[3], joints[3], parents[3];
  supple_affine64 inverse_binds[3];
  supple_skeleton skeleton;
  supple_skin skin;
  supple_instance instance;
} chain;

static const double chain_turns[3][4] = {
    {0.2, 0.1, -0.3, 0.9}, {-0.4, 0.5, 0.1, 0.7}, {0.6, -0.2, 0.3, 0.6}};

static void chain_init(chain *c) {
  memset(c, 0, sizeof *c);
  for (uint32_t j = 0; j < 3; j++) {
    supple_node *node = &c->nodes[j];
    node->name = "";
    node->parent = c->parents[j] = j ? j - 1 : SUPPLE_NONE;
    node->mesh = node->skin = node->camera = SUPPLE_NONE;
    node->rest = supple_transform_identity();
    node->rest.translation.y = j ? 0.5 : -0.5;
    c->order[j] = c->joints[j] = j;
    c->inverse_binds[j] = supple_affine64_identity();
    c->inverse_binds[j].m[1][3] = 0.5 - 0.5 * j;
  }
  c->skeleton.nodes = c->nodes;
  c->skeleton.order = c->order;
  c->skeleton.node_count = 3;
  c->skin.name = "";
  c->skin.joint_count = 3;
  c->skin.joints = c->joints;
  c->skin.inverse_binds = c->inverse_binds;
  c->skin.parents = c->parents;
  c->skin.skeleton = SUPPLE_NONE;
  c->instance.skin = &c->skin;
}

static rigs_result *pose_chain(const chain *c, const rigs_mesh *mesh, unsigned flat, double s) {
  supple_pose *pose = supple_pose_create(&c->skeleton, NULL, NULL);
  supple_palette *palette = supple_palette_create(3, SUPPLE_SPACE_SCENE, NULL, NULL);
  assert_non_null(pose);
  assert_non_null(palette);
  for (int j = 0; j < 3; j++) {
    const double *q = chain_turns[j];
    pose->locals[j].rotation = supple_quat_normalise(supple_quat_make(q[0], q[1], q[2], q[3]));
  }
  pose->locals[1].scale.x = flat & 1 ? s : 1;
  pose->locals[1].scale.y = flat & 2 ? s : 1.2;
  pose->locals[1].scale.z = flat & 4 ? s : 0.9;
  supple_pose_update(pose);
  supple_palette_compose(palette, pose, &c->instance);
  rigs_result *result = skin(mesh, palette, SUPPLE_DQS, NULL, SUPPLE_NORMALS_COFACTOR);
  supple_palette_destroy(palette);
  supple_pose_destroy(pose);
  return result;
}

/* Under a flat parent the child's matrix is flat too, and its rotation must come from the
 * hierarchy. A child under an uneven parent shears, so its polar factor at a small scale is not
 * the product of rotations unless all axes shrink together: there the limit must be met,
 * elsewhere the result must be finite. */
static void test_flat_parents(void **state) {
  (void)state;
  chain c;
  chain_init(&c);
  rigs_random random = {8};
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 3, 3);
  double worst = 0;
  for (unsigned flat = 1; flat < 8; flat++) {
    rigs_result *zero = pose_chain(&c, mesh, flat, 0), *small = pose_chain(&c, mesh, flat, 1e-5);
    assert_true(rigs_finite(zero));
    assert_true(rigs_finite(small));
    assert_int_equal(zero->found.singular, 2);
    if (flat == 7) worst = rigs_distance(zero, small);
    rigs_result_destroy(zero);
    rigs_result_destroy(small);
  }
  rigs_expect("all of a parent's axes at 1e-5 against 0", worst, 1e-4);
  /* A joint without children shrinks by itself along any axes. */
  for (uint32_t i = 0; i < 3 * VERTICES; i++)
    mesh->joints[i] = mesh->joints[i] == 2 ? 0 : mesh->joints[i];
  for (unsigned flat = 1; flat < 8; flat++) {
    rigs_result *zero = pose_chain(&c, mesh, flat, 0), *small = pose_chain(&c, mesh, flat, 1e-5);
    worst = fmax(worst, rigs_distance(zero, small));
    rigs_result_destroy(zero);
    rigs_result_destroy(small);
  }
  rigs_expect("some of a joint's axes at 1e-5 against 0", worst, 1e-4);
  rigs_mesh_destroy(mesh);
}

/* ---- without hints, and what becomes of normals ---- */

static void test_without_hints(void **state) {
  (void)state;
  double worst = 0;
  for (unsigned flat = 1; flat < 8; flat++) {
    rigs_random random = {flat};
    rigs_palette palette;
    build(flat, flat, 0, &palette);
    supple_palette view = rigs_view(&palette);
    view.rotations = NULL;
    view.mirrored = NULL;
    view.parents = NULL;
    for (int signs = 0; signs < 2; signs++) {
      supple_prepared_options options = {.signs = (supple_signs)signs};
      rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 1 + 2 * (uint32_t)signs, JOINTS);
      rigs_result *dqs = skin(mesh, &view, SUPPLE_DQS, &options, SUPPLE_NORMALS_COFACTOR);
      rigs_result *lbs = skin(mesh, &view, SUPPLE_LBS, &options, SUPPLE_NORMALS_COFACTOR);
      assert_true(rigs_finite(dqs));
      assert_true(rigs_finite(lbs));
      if (mesh->influence_count == 1) worst = fmax(worst, rigs_distance(dqs, lbs));
      rigs_result_destroy(dqs);
      rigs_result_destroy(lbs);
      rigs_mesh_destroy(mesh);
    }
  }
  rigs_expect("one influence, no hints, DQS against LBS", worst, 1e-6);
}

static void check_units(const rigs_result *result) {
  for (uint32_t v = 0; v < VERTICES; v++) {
    const float *n = result->normals + 3 * (size_t)v, *t = result->tangents + 4 * (size_t)v;
    reference_vector normal = {(double)n[0], (double)n[1], (double)n[2]};
    reference_vector tangent = {(double)t[0], (double)t[1], (double)t[2]};
    assert_true(fabs(reference_length(normal) - 1) < 1e-6);
    assert_true(fabs(reference_length(tangent) - 1) < 1e-6);
    assert_true(fabs(reference_dot(normal, tangent)) <
                1e-5); /* flat joints bring them close together */
    assert_true(fabs(fabs((double)t[3]) - 1) < 1e-9);
  }
}

/* One influence each: joint 0 is scaled to nothing along `axes` axes of z, y, x. */
static rigs_result *flatten(int axes, const rigs_mesh *mesh, supple_method method,
                            supple_normals normals) {
  rigs_palette palette = {.count = 0};
  reference_quaternion turn = reference_turn(0.3, -0.5, 0.4, 1.1);
  reference_linear stretch = {{{axes > 2 ? 0 : 1, 0, 0}, {0, axes > 1 ? 0 : 1, 0}, {0, 0, 0}}};
  reference_affine matrix = rigs_stretched(turn, reference_vector_of(0, 0, 0), &stretch);
  rigs_add(&palette, &matrix, turn, false, SUPPLE_NONE);
  supple_palette view = rigs_view(&palette);
  return skin(mesh, &view, method, NULL, normals);
}

static void test_normals_of_flat_joints(void **state) {
  (void)state;
  rigs_random random = {6};
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 1, 1);
  for (int method = 0; method < 2; method++)
    for (int normals = 0; normals < 2; normals++)
      for (int axes = 1; axes <= 3; axes++) {
        rigs_result *result = flatten(axes, mesh, (supple_method)method, (supple_normals)normals);
        assert_true(rigs_finite(result));
        check_units(result);
        if (normals == SUPPLE_NORMALS_COFACTOR && axes > 1)
          assert_int_equal(result->report.vanished_normals, VERTICES);
        if (normals == SUPPLE_NORMALS_COFACTOR && axes == 1)
          assert_true(result->report.vanished_normals < VERTICES / 10);
        if (axes == 3) { /* nothing to go by: as at rest, and any perpendicular tangent */
          assert_memory_equal(result->normals, mesh->normals, 3 * sizeof(float)); /* unit already */
          assert_int_equal(result->report.vanished_tangents, VERTICES);
        }
        rigs_result_destroy(result);
      }
  rigs_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_axis),      cmocka_unit_test(test_two_axes),
      cmocka_unit_test(test_three_axes),    cmocka_unit_test(test_scale_first),
      cmocka_unit_test(test_scale_none),    cmocka_unit_test(test_flat_parents),
      cmocka_unit_test(test_without_hints), cmocka_unit_test(test_normals_of_flat_joints),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
