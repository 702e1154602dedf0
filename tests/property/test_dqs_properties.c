/* test_dqs_properties.c: what the formula of dual quaternion skinning promises, each promise by
 * itself with its error. Singular joints have their own tests in test_singular_joints.c. */
#include "tests/property/rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES 203
#define PI 3.14159265358979323846

static const reference_vector origin = {0, 0, 0};
static const reference_quaternion no_turn = {0, 0, 0, 1};

static rigs_result *skin(const rigs_mesh *mesh, rigs_palette *palette, supple_method method,
                         const supple_prepared_options *options) {
  supple_binding *binding = rigs_bind(mesh, NULL);
  supple_palette view = rigs_view(palette);
  rigs_result *result = rigs_deform(mesh, binding, &view, method, options, SUPPLE_NORMALS_COFACTOR);
  supple_binding_destroy(binding);
  return result;
}

/* What rounding is relative to: the largest |M| |v| + |t|. */
static double size_of(const rigs_palette *palette) {
  double size = 0;
  for (uint32_t j = 0; j < palette->count; j++) {
    const reference_affine *m = &palette->joints[j].matrix;
    reference_linear linear = reference_linear_of(m);
    reference_vector t = {m->m[0][3], m->m[1][3], m->m[2][3]};
    size = fmax(size, reference_size(&linear) * sqrt(3) + reference_length(t));
  }
  return size;
}

static void add_rigid(rigs_palette *palette, reference_quaternion turn,
                      reference_vector translation) {
  reference_affine matrix = rigs_rigid(turn, translation);
  rigs_add(palette, &matrix, turn, false, palette->count ? palette->count - 1 : SUPPLE_NONE);
}

static void add_random_rigid(rigs_random *random, rigs_palette *palette, double most) {
  reference_quaternion turn = rigs_rotation(random);
  add_rigid(palette, turn, rigs_vector(random, most));
}

static reference_linear diagonal(double x, double y, double z) {
  reference_linear d = {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
  return d;
}

/* Symmetric with eigenvalues between 0.3 and 2. */
static reference_linear random_stretch(rigs_random *random) {
  reference_linear axes = reference_rotation(rigs_rotation(random));
  reference_linear back = reference_transposed(&axes);
  reference_vector s = rigs_between(random, 0.3, 2);
  reference_linear values = diagonal(s.x, s.y, s.z);
  reference_linear half = reference_linear_product(&axes, &values);
  return reference_linear_product(&half, &back);
}

/* Rigid, stretched, sheared, mirrored and flat joints in turn. */
static void add_any(rigs_random *random, rigs_palette *palette) {
  uint32_t kind = palette->count % 5;
  reference_quaternion turn = rigs_rotation(random);
  reference_linear stretch = kind == 0 ? diagonal(1, 1, 1) : random_stretch(random);
  bool mirrored = kind == 3;
  if (mirrored)
    for (int i = 0; i < 9; i++) stretch.m[i / 3][i % 3] *= -1;
  if (kind == 4) stretch = diagonal(1, 0, 0.7);
  reference_affine matrix = rigs_stretched(turn, rigs_vector(random, 1), &stretch);
  rigs_add(palette, &matrix, turn, mirrored, palette->count ? palette->count - 1 : SUPPLE_NONE);
}

/* ---- rigid joints: Kavan's dual quaternion linear blending ---- */

typedef struct dual_quaternion {
  reference_quaternion real, dual;
} dual_quaternion;

/* real = rotation, dual = 1/2 t real (Kavan et al. 2007, 3.3). */
static dual_quaternion dual_quaternion_of(reference_quaternion rotation, reference_vector t) {
  reference_quaternion half = {t.x / 2, t.y / 2, t.z / 2, 0};
  dual_quaternion q = {rotation, reference_product(half, rotation)};
  return q;
}

static void add_weighted(reference_quaternion *to, reference_quaternion q, double w) {
  to->x += w * q.x, to->y += w * q.y, to->z += w * q.z, to->w += w * q.w;
}

/* Algorithm 1 of Kavan et al. 2008, with the signs against the highest weight. */
static reference_vector kavan(const dual_quaternion *joints, const reference_influence *influences,
                              size_t count, reference_vector v) {
  size_t pivot = 0;
  dual_quaternion b = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  for (size_t i = 1; i < count; i++)
    if (influences[i].weight > influences[pivot].weight) pivot = i;
  for (size_t i = 0; i < count; i++) {
    const dual_quaternion *q = &joints[influences[i].joint];
    double dot = reference_quaternion_dot(q->real, joints[influences[pivot].joint].real);
    double w = dot < 0 ? -influences[i].weight : influences[i].weight;
    add_weighted(&b.real, q->real, w);
    add_weighted(&b.dual, q->dual, w);
  }
  double norm = sqrt(reference_quaternion_dot(b.real, b.real));
  reference_vector d0 = {b.real.x / norm, b.real.y / norm, b.real.z / norm};
  reference_vector de = {b.dual.x / norm, b.dual.y / norm, b.dual.z / norm};
  double a0 = b.real.w / norm, ae = b.dual.w / norm;
  reference_vector inner = reference_sum(reference_cross(d0, v), reference_scaled(v, a0));
  reference_vector turned = reference_sum(v, reference_scaled(reference_cross(d0, inner), 2));
  reference_vector moved =
      reference_sum(reference_difference(reference_scaled(de, a0), reference_scaled(d0, ae)),
                    reference_cross(d0, de));
  return reference_sum(turned, reference_scaled(moved, 2));
}

static void test_rigid_joints_blend_as_kavan(void **state) {
  (void)state;
  double worst[2] = {0, 0};
  for (uint32_t influences = 1; influences <= 9; influences++) {
    rigs_random random = {influences};
    rigs_palette palette = {.count = 0};
    dual_quaternion joints[20];
    for (uint32_t j = 0; j < 20; j++) {
      reference_quaternion turn = rigs_rotation(&random);
      reference_vector t = rigs_vector(&random, 2);
      joints[j] = dual_quaternion_of(turn, t);
      add_rigid(&palette, turn, t);
    }
    rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, influences, 20);
    for (int path = 0; path < 2; path++) {
      supple_prepared_options options = {.rigid_tolerance = path ? -1 : 0};
      rigs_result *result = skin(mesh, &palette, SUPPLE_DQS, &options);
      for (uint32_t v = 0; v < VERTICES; v++) {
        reference_influence cleaned[16];
        size_t at = (size_t)v * influences;
        size_t count = reference_clean(mesh->joints + at, mesh->weights + at, influences, false,
                                       false, 0, cleaned);
        reference_vector expected = kavan(joints, cleaned, count, rigs_position(mesh, v));
        reference_vector off = reference_difference(rigs_result_position(result, v), expected);
        worst[path] = fmax(worst[path], reference_length(off) / size_of(&palette));
      }
      rigs_result_destroy(result);
    }
    rigs_mesh_destroy(mesh);
  }
  rigs_expect("against dual quaternion linear blending, 8 numbers", worst[0], 1e-6);
  rigs_expect("against dual quaternion linear blending, 20 numbers", worst[1], 1e-6);
}

/* ---- one influence, equal rotations ---- */

static void test_one_influence_is_the_matrix(void **state) {
  (void)state;
  rigs_random random = {11};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 20; j++) add_any(&random, &palette);
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 1, 20);
  rigs_result *dqs = skin(mesh, &palette, SUPPLE_DQS, NULL),
              *lbs = skin(mesh, &palette, SUPPLE_LBS, NULL);
  double worst = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    reference_vector expected =
        reference_moved(&palette.joints[mesh->joints[v]].matrix, rigs_position(mesh, v));
    reference_vector off = reference_difference(rigs_result_position(dqs, v), expected);
    worst = fmax(worst, reference_length(off));
  }
  rigs_expect("one influence against M v", worst / size_of(&palette), 5e-7);
  rigs_expect("one influence, DQS against LBS", rigs_distance(dqs, lbs), 1e-6);
  rigs_result_destroy(dqs);
  rigs_result_destroy(lbs);
  rigs_mesh_destroy(mesh);
}

static void test_equal_rotations_are_lbs(void **state) {
  (void)state;
  double worst = 0;
  for (uint64_t seed = 0; seed < 8; seed++) {
    rigs_random random = {seed};
    rigs_palette palette = {.count = 0};
    reference_quaternion turn = rigs_rotation(&random);
    for (int j = 0; j < 12; j++) {
      reference_linear stretch = random_stretch(&random);
      for (int i = 0; j % 3 == 2 && i < 9; i++) /* a point reflection has the same rotation */
        stretch.m[i / 3][i % 3] *= -1;
      reference_affine matrix = rigs_stretched(turn, rigs_vector(&random, 1), &stretch);
      rigs_add(&palette, &matrix, turn, j % 3 == 2, SUPPLE_NONE);
    }
    rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 1 + (uint32_t)seed, 12);
    rigs_result *dqs = skin(mesh, &palette, SUPPLE_DQS, NULL),
                *lbs = skin(mesh, &palette, SUPPLE_LBS, NULL);
    worst = fmax(worst, rigs_distance(dqs, lbs) / size_of(&palette));
    rigs_result_destroy(dqs);
    rigs_result_destroy(lbs);
    rigs_mesh_destroy(mesh);
  }
  rigs_expect("equal rotations, DQS against LBS", worst, 1e-6);
}

/* ---- similarities ---- */

/* s R + t, or -s R + t. Rotation and mirror as hints see it. */
static reference_affine random_similarity(rigs_random *random, bool mirror,
                                          reference_quaternion *turn) {
  double s = rigs_uniform(random, 0.2, 4) * (mirror ? -1 : 1);
  reference_linear scale = diagonal(s, s, s);
  *turn = rigs_rotation(random);
  return rigs_stretched(*turn, rigs_vector(random, 1), &scale);
}

static double scene_error(uint64_t seed, bool mirror) {
  rigs_random random = {seed};
  rigs_palette palette = {.count = 0}, moved = {.count = 0};
  reference_quaternion turn;
  reference_affine scene = random_similarity(&random, mirror, &turn);
  for (int j = 0; j < 15; j++) {
    add_any(&random, &palette);
    const reference_joint *joint = &palette.joints[j];
    reference_affine matrix = reference_affine_product(&scene, &joint->matrix);
    rigs_add(&moved, &matrix, reference_product(turn, joint->hint), joint->hint_mirrored != mirror,
             joint->parent);
  }
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 4, 15);
  rigs_result *before = skin(mesh, &palette, SUPPLE_DQS, NULL),
              *after = skin(mesh, &moved, SUPPLE_DQS, NULL);
  double worst = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    reference_vector expected = reference_moved(&scene, rigs_result_position(before, v));
    reference_vector off = reference_difference(rigs_result_position(after, v), expected);
    worst = fmax(worst, reference_length(off));
  }
  rigs_result_destroy(before);
  rigs_result_destroy(after);
  rigs_mesh_destroy(mesh);
  reference_linear linear = reference_linear_of(&scene);
  return worst / fmax(size_of(&moved), size_of(&palette) * reference_size(&linear));
}

static void test_scene_similarities_commute(void **state) {
  (void)state;
  double worst[2] = {0, 0};
  for (uint64_t seed = 0; seed < 12; seed++)
    worst[seed % 2] = fmax(worst[seed % 2], scene_error(seed, seed % 2));
  rigs_expect("scene turned, scaled, moved", worst[0], 2e-6);
  rigs_expect("scene mirrored as well", worst[1], 2e-6);
}

static double rest_error(uint64_t seed, bool mirror) {
  rigs_random random = {seed};
  rigs_palette palette = {.count = 0}, moved = {.count = 0};
  reference_quaternion turn;
  reference_affine rest = random_similarity(&random, mirror, &turn);
  reference_affine back = reference_affine_inverse(&rest);
  for (int j = 0; j < 15; j++) {
    add_any(&random, &palette);
    const reference_joint *joint = &palette.joints[j];
    reference_affine matrix = reference_affine_product(&joint->matrix, &rest);
    rigs_add(&moved, &matrix, reference_product(joint->hint, turn), joint->hint_mirrored != mirror,
             joint->parent);
  }
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 4, 15);
  rigs_result *before = skin(mesh, &palette, SUPPLE_DQS, NULL);
  double size = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    reference_vector p = reference_moved(&back, rigs_position(mesh, v));
    float *to = mesh->positions + 3 * (size_t)v;
    to[0] = (float)p.x, to[1] = (float)p.y, to[2] = (float)p.z;
    size = fmax(size, reference_length(p));
  }
  rigs_result *after = skin(mesh, &moved, SUPPLE_DQS, NULL);
  double worst = rigs_distance(before, after) / (size_of(&moved) * fmax(size, 1));
  rigs_result_destroy(before);
  rigs_result_destroy(after);
  rigs_mesh_destroy(mesh);
  return worst;
}

static void test_rest_similarities_commute(void **state) {
  (void)state;
  double worst[2] = {0, 0};
  for (uint64_t seed = 0; seed < 12; seed++)
    worst[seed % 2] = fmax(worst[seed % 2], rest_error(seed, seed % 2));
  rigs_expect("rest space turned, scaled, moved", worst[0], 2e-6);
  rigs_expect("rest space mirrored as well", worst[1], 2e-6);
}

/* ---- signs ---- */

/* A mesh on two joints whose weights of joint 1 run from 0 to 1, the middle among them. */
static rigs_mesh *ramp_mesh(rigs_random *random, uint32_t count, bool swapped) {
  rigs_mesh *mesh = rigs_mesh_create(random, count, 2, 2);
  for (uint32_t v = 0; v < count; v++) {
    float w = (float)v / (float)(count - 1);
    mesh->joints[2 * v] = swapped, mesh->joints[2 * v + 1] = !swapped;
    mesh->weights[2 * v] = 1.0f - w, mesh->weights[2 * v + 1] = w;
  }
  return mesh;
}

/* Largest distance to the turn by 2 atan2(w sin, 1 - w + w cos) about the axis: the way there
 * through all weights w, in the sense of `angle`. */
static double turn_error(const rigs_mesh *mesh, const rigs_result *result, reference_vector axis,
                         double angle) {
  double worst = 0;
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    double w = (double)mesh->weights[2 * v + 1];
    double half = atan2(w * sin(angle / 2), 1 - w + w * cos(angle / 2));
    reference_linear turn = reference_rotation(reference_turn(axis.x, axis.y, axis.z, 2 * half));
    reference_vector expected = reference_turned(&turn, rigs_position(mesh, v));
    worst = fmax(worst,
                 reference_length(reference_difference(rigs_result_position(result, v), expected)));
  }
  return worst;
}

static rigs_result *turn_ramp(reference_vector axis, double angle, bool swapped, rigs_mesh **mesh) {
  rigs_random random = {5};
  rigs_palette palette = {.count = 0};
  reference_quaternion turn = reference_turn(axis.x, axis.y, axis.z, angle);
  add_rigid(&palette, swapped ? turn : no_turn, origin);
  add_rigid(&palette, swapped ? no_turn : turn, origin);
  *mesh = ramp_mesh(&random, 65, swapped);
  return skin(*mesh, &palette, SUPPLE_DQS, NULL);
}

static void test_half_turns_are_defined(void **state) {
  (void)state;
  const reference_vector axes[] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},     {-1, 0, 0},
                                   {0, -1, 0}, {0, 0, -1}, {0.8, 0.6, 0}, {0.3, 0.2, -0.8}};
  double worst = 0;
  for (size_t a = 0; a < sizeof axes / sizeof *axes; a++) {
    rigs_mesh *mesh, *other;
    rigs_result *result = turn_ramp(axes[a], PI, false, &mesh),
                *swapped = turn_ramp(axes[a], PI, true, &other);
    /* The largest component of the axis counts as positive. */
    reference_vector n = axes[a];
    double largest = fabs(n.x) > fabs(n.y) ? n.x : n.y;
    largest = fabs(n.z) > fabs(largest) ? n.z : largest;
    worst = fmax(worst, turn_error(mesh, result, n, largest < 0 ? -PI : PI));
    assert_true(rigs_finite(result));
    assert_true(rigs_same_bits(result, swapped)); /* whichever joint is listed first */
    rigs_result_destroy(result);
    rigs_result_destroy(swapped);
    rigs_mesh_destroy(mesh);
    rigs_mesh_destroy(other);
  }
  rigs_expect("exactly 180 degrees, all weights", worst, 1e-6);
}

static void test_half_turns_survive_rounding(void **state) {
  (void)state;
  double worst = 0;
  const reference_vector axis = {0, 1, 0};
  for (int k = -4; k <= 4; k++) {
    rigs_mesh *mesh;
    rigs_result *result = turn_ramp(axis, PI + k * 2e-7, false, &mesh);
    worst = fmax(worst, turn_error(mesh, result, axis, PI));
    rigs_result_destroy(result);
    rigs_mesh_destroy(mesh);
  }
  rigs_expect("180 degrees within 8e-7 radians: one sense of turning", worst, 4e-6);
  worst = 0;
  for (int side = 0; side < 2; side++) { /* beyond, the short way */
    double angle = PI + (side ? 1e-4 : -1e-4);
    rigs_mesh *mesh;
    rigs_result *result = turn_ramp(axis, angle, false, &mesh);
    worst = fmax(worst, turn_error(mesh, result, axis, side ? angle - 2 * PI : angle));
    rigs_result_destroy(result);
    rigs_mesh_destroy(mesh);
  }
  rigs_expect("180 degrees +- 1e-4 radians: the short way", worst, 1e-6);
}

/* Half turns about an axis that itself goes round: stored quaternions change sign between
 * neighbours, the rotations do not. */
static void test_antipodal_quaternions(void **state) {
  (void)state;
  rigs_random random = {3};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 40; j++) {
    double angle = PI * j / 40;
    add_rigid(&palette, reference_turn(cos(angle), sin(angle), 0, PI), origin);
  }
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 3, 40);
  for (uint32_t i = 0; i < VERTICES * 3;
       i++) /* neighbours of neighbours, without the seam of the circle */
    if (mesh->joints[i] < 3) mesh->joints[i] = (uint16_t)(20 + mesh->joints[i]);
  for (uint32_t v = 0; v < VERTICES; v++)
    for (uint32_t i = 1; i < 3; i++)
      if (abs(mesh->joints[3 * v + i] - mesh->joints[3 * v]) > 2)
        mesh->joints[3 * v + i] = mesh->joints[3 * v];
  rigs_result *dqs = skin(mesh, &palette, SUPPLE_DQS, NULL),
              *lbs = skin(mesh, &palette, SUPPLE_LBS, NULL);
  assert_true(dqs->inspection.flipped > 0);
  /* Three rotations 9 degrees apart: LBS is off by less than 1 - cos 9 degrees of the radius. */
  rigs_expect("antipodal neighbours, DQS against LBS", rigs_distance(dqs, lbs), 0.0123 * sqrt(3));
  rigs_result_destroy(dqs);
  rigs_result_destroy(lbs);
  rigs_mesh_destroy(mesh);
}

/* A chain of four joints turned by 120 degrees each about X: the last is back where it began, as
 * -1. */
static void chain_of_turns(rigs_palette *palette) {
  palette->count = 0;
  for (int j = 0; j < 4; j++)
    add_rigid(palette, reference_turn(1, 0, 0, j * 2 * PI / 3), reference_vector_of(0, 0, 0.25 * j));
}

static void test_vanishing_blends_fall_back(void **state) {
  (void)state;
  rigs_random random = {9};
  rigs_palette palette;
  chain_of_turns(&palette);
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 2, 4);
  uint32_t opposite = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    bool both = v % 3 == 0;
    opposite += both;
    mesh->joints[2 * v] = (uint16_t)(both ? 0 : v % 4);
    mesh->joints[2 * v + 1] = (uint16_t)(both ? 3 : v % 4);
    mesh->weights[2 * v] = mesh->weights[2 * v + 1] = 0.5f;
  }
  supple_prepared_options options = {.signs = SUPPLE_SIGNS_PER_POSE};
  rigs_result *pose = skin(mesh, &palette, SUPPLE_DQS, &options),
              *lbs = skin(mesh, &palette, SUPPLE_LBS, NULL);
  rigs_result *vertex = skin(mesh, &palette, SUPPLE_DQS, NULL);
  assert_int_equal(pose->report.fallbacks, opposite);
  assert_int_equal(vertex->report.fallbacks, 0);
  assert_int_equal(lbs->report.fallbacks, 0);
  assert_true(rigs_finite(pose));
  rigs_expect("vanishing |r|: DQS against LBS", rigs_distance(pose, lbs), 1e-6);
  rigs_expect("per vertex the same joints blend", rigs_distance(vertex, lbs), 1e-6); /* -1 is 1 */
  rigs_result_destroy(pose);
  rigs_result_destroy(vertex);
  rigs_result_destroy(lbs);
  rigs_mesh_destroy(mesh);
}

/* |r| is the difference of two opposite weights here: LBS below 1e-6 alone. */
static void test_small_blends_do_not_fall_back(void **state) {
  (void)state;
  rigs_random random = {9};
  rigs_palette palette;
  chain_of_turns(&palette);
  rigs_mesh *mesh = rigs_mesh_create(&random, 4, 2, 4);
  const float more[4] = {0, 0x1p-22f, 0x1p-18f, 0x1p-10f}; /* |r| = 0, 5e-7, 8e-6, 2e-3 */
  for (uint32_t v = 0; v < 4; v++) {
    mesh->joints[2 * v] = 0, mesh->joints[2 * v + 1] = 3;
    mesh->weights[2 * v] = 0.5f + more[v], mesh->weights[2 * v + 1] = 0.5f - more[v];
  }
  supple_prepared_options options = {.signs = SUPPLE_SIGNS_PER_POSE};
  rigs_result *result = skin(mesh, &palette, SUPPLE_DQS, &options);
  assert_int_equal(result->report.fallbacks, 2);
  assert_true(rigs_finite(result));
  rigs_result_destroy(result);
  rigs_mesh_destroy(mesh);
}

/* Per pose, a twist that goes on past 180 degrees along a chain is not taken back at one vertex. */
static void test_signs_per_pose_follow_the_chain(void **state) {
  (void)state;
  rigs_random random = {9};
  rigs_palette palette;
  chain_of_turns(&palette);
  rigs_mesh *mesh = ramp_mesh(&random, 33, false);
  for (uint32_t v = 0; v < 33; v++) /* joints 0 and 2: 240 degrees apart */
    mesh->joints[2 * v + 1] = 2;
  for (uint32_t j = 0; j < 4; j++) palette.matrices[j].m[2][3] = 0;
  supple_prepared_options options = {.signs = SUPPLE_SIGNS_PER_POSE};
  rigs_result *pose = skin(mesh, &palette, SUPPLE_DQS, &options),
              *vertex = skin(mesh, &palette, SUPPLE_DQS, NULL);
  const reference_vector axis = {1, 0, 0};
  rigs_expect("per pose: 240 degrees the way of the chain",
              turn_error(mesh, pose, axis, 4 * PI / 3), 1e-6);
  rigs_expect("per vertex: 120 degrees back", turn_error(mesh, vertex, axis, -2 * PI / 3), 1e-6);
  rigs_result_destroy(pose);
  rigs_result_destroy(vertex);
  rigs_mesh_destroy(mesh);
}

/* ---- the two forms of the formula ---- */

static void test_eight_numbers_equal_twenty(void **state) {
  (void)state;
  const double scales[] = {1, 0.037, 250, -1, -0.5};
  double worst = 0, worst_normal = 0;
  for (size_t k = 0; k < sizeof scales / sizeof *scales; k++) {
    rigs_random random = {k};
    rigs_palette palette = {.count = 0};
    reference_linear scale = diagonal(scales[k], scales[k], scales[k]);
    for (int j = 0; j < 16; j++) {
      reference_quaternion turn = rigs_rotation(&random);
      reference_affine matrix = rigs_stretched(turn, rigs_vector(&random, 2), &scale);
      rigs_add(&palette, &matrix, turn, scales[k] < 0, SUPPLE_NONE);
    }
    rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 4, 16);
    supple_prepared_options options = {.rigid_tolerance = -1};
    rigs_result *eight = skin(mesh, &palette, SUPPLE_DQS, NULL),
                *twenty = skin(mesh, &palette, SUPPLE_DQS, &options);
    assert_int_equal(eight->inspection.affine, 0);
    assert_int_equal(twenty->inspection.affine, VERTICES);
    assert_int_equal(eight->found.rigid, 16);
    assert_int_equal(twenty->found.rigid, 0);
    assert_true(fabs(eight->found.common_scale / scales[k] - 1) < 1e-6);
    worst = fmax(worst, rigs_distance(eight, twenty) / size_of(&palette));
    for (uint32_t i = 0; i < 3 * VERTICES; i++)
      worst_normal =
          fmax(worst_normal, fabs((double)eight->normals[i] - (double)twenty->normals[i]));
    rigs_result_destroy(eight);
    rigs_result_destroy(twenty);
    rigs_mesh_destroy(mesh);
  }
  rigs_expect("8 numbers against 20, positions", worst, 1e-6);
  rigs_expect("8 numbers against 20, unit normals", worst_normal, 4e-6);
}

/* Scales a little off the common one: within the tolerance the shorter form, beyond it the exact
 * one. */
static void test_tolerance_of_the_common_scale(void **state) {
  (void)state;
  rigs_random random = {13};
  rigs_palette palette = {.count = 0};
  const double scales[] = {1, 1, 1, 1, 1.00001, 1.0001, 0.9999, 1.001};
  for (int j = 0; j < 8; j++) {
    reference_linear scale = diagonal(scales[j], scales[j], scales[j]);
    reference_quaternion turn = rigs_rotation(&random);
    reference_affine matrix = rigs_stretched(turn, rigs_vector(&random, 1), &scale);
    rigs_add(&palette, &matrix, turn, false, SUPPLE_NONE);
  }
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 1, 8);
  supple_prepared_options loose = {.rigid_tolerance = 2e-3};
  rigs_result *usual = skin(mesh, &palette, SUPPLE_DQS, NULL);
  rigs_result *rigid = skin(mesh, &palette, SUPPLE_DQS, &loose);
  assert_int_equal(usual->found.rigid, 5);
  assert_int_equal(usual->found.scaled, 3);
  assert_int_equal(rigid->found.rigid, 8);
  assert_int_equal(rigid->inspection.affine, 0);
  double outside = 0, within = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    uint32_t joint = mesh->joints[v];
    reference_vector expected =
        reference_moved(&palette.joints[joint].matrix, rigs_position(mesh, v));
    double off = reference_length(reference_difference(rigs_result_position(usual, v), expected));
    if (joint > 4) outside = fmax(outside, off);
    if (joint == 4) within = fmax(within, off);
  }
  rigs_expect("beyond the tolerance: exact", outside, 1e-6);
  rigs_expect("within the tolerance: off by less than it", within, 2e-5 * sqrt(3));
  rigs_result_destroy(usual);
  rigs_result_destroy(rigid);
  rigs_mesh_destroy(mesh);
}

/* A vertex takes the form that its own joints need, not that of its neighbours. */
static void test_choice_of_form_is_per_vertex(void **state) {
  (void)state;
  rigs_random random = {1};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 12; j++)
    if (j % 4 == 3) {
      reference_linear stretch = random_stretch(&random);
      reference_quaternion turn = rigs_rotation(&random);
      reference_affine matrix = rigs_stretched(turn, origin, &stretch);
      rigs_add(&palette, &matrix, turn, false, SUPPLE_NONE);
    } else {
      add_random_rigid(&random, &palette, 1);
    }
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 2, 12);
  uint32_t affine = 0;
  for (uint32_t v = 0; v < VERTICES; v++)
    affine += mesh->joints[2 * v] % 4 == 3 || mesh->joints[2 * v + 1] % 4 == 3;
  rigs_result *result = skin(mesh, &palette, SUPPLE_DQS, NULL);
  assert_int_equal(result->inspection.affine, affine);
  assert_int_equal(result->found.rigid, 9);
  assert_int_equal(result->found.sheared, 3);
  rigs_result_destroy(result);
  rigs_mesh_destroy(mesh);
}

/* ---- bind pose, mutual distances, sums ---- */

static void test_bind_pose_is_the_identity(void **state) {
  (void)state;
  rigs_random random = {21};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 12; j++) { /* world · inverse bind, with all that rounds */
    reference_quaternion turn = rigs_rotation(&random);
    reference_linear stretch = random_stretch(&random);
    reference_affine world = rigs_stretched(turn, rigs_vector(&random, 2), &stretch);
    reference_affine back = reference_affine_inverse(&world);
    reference_affine matrix = reference_affine_product(&world, &back);
    rigs_add(&palette, &matrix, no_turn, false, j ? (uint32_t)j - 1 : SUPPLE_NONE);
  }
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 5, 12);
  double worst = 0, worst_normal = 0;
  for (int method = 0; method < 13; method++) {
    supple_prepared_options options = {.scale = (supple_scale)((method + 2) % 3),
                                       .signs = (supple_signs)(method / 3 % 2),
                                       .split = (supple_split_method)(method / 6 % 2)};
    options.rigid_tolerance = method % 2 ? -1 : 0;
    rigs_result *result = skin(mesh, &palette, method ? SUPPLE_DQS : SUPPLE_LBS, &options);
    for (uint32_t i = 0; i < 3 * VERTICES; i++) {
      worst = fmax(worst, fabs((double)result->positions[i] - (double)mesh->positions[i]));
      double off = fabs((double)result->normals[i] - (double)mesh->normals[i]);
      worst_normal = fmax(worst_normal, off);
    }
    rigs_result_destroy(result);
  }
  rigs_expect("bind pose against rest, positions", worst, 3e-7);
  rigs_expect("bind pose against rest, normals", worst_normal, 5e-7);
  rigs_mesh_destroy(mesh);
}

static void test_equal_weights_keep_distances(void **state) {
  (void)state;
  double least = 1, most = 1;
  for (uint64_t seed = 0; seed < 20; seed++) {
    rigs_random random = {seed};
    rigs_palette palette = {.count = 0};
    for (int j = 0; j < 4; j++) add_random_rigid(&random, &palette, 0.5);
    rigs_mesh *mesh = rigs_mesh_create(&random, 12, 4, 4);
    for (uint32_t v = 1; v < 12; v++) {
      memcpy(mesh->joints + 4 * v, mesh->joints, 4 * sizeof *mesh->joints);
      memcpy(mesh->weights + 4 * v, mesh->weights, 4 * sizeof *mesh->weights);
    }
    rigs_result *result = skin(mesh, &palette, SUPPLE_DQS, NULL);
    for (uint32_t a = 0; a < 12; a++)
      for (uint32_t b = 0; b < a; b++) {
        double rest =
            reference_length(reference_difference(rigs_position(mesh, a), rigs_position(mesh, b)));
        reference_vector d =
            reference_difference(rigs_result_position(result, a), rigs_result_position(result, b));
        if (rest < 0.5) /* rounding of the coordinates, not of the ratio */
          continue;
        least = fmin(least, reference_length(d) / rest);
        most = fmax(most, reference_length(d) / rest);
      }
    rigs_result_destroy(result);
    rigs_mesh_destroy(mesh);
  }
  rigs_expect("equal weights: distances shrink by", 1 - least, 1e-6);
  rigs_expect("equal weights: distances grow by", most - 1, 1e-6);
}

static void test_sum_of_weights_does_not_matter(void **state) {
  (void)state;
  rigs_random random = {4};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 15; j++) add_any(&random, &palette);
  rigs_mesh *mesh = rigs_mesh_create(&random, VERTICES, 4, 15);
  rigs_result *whole = skin(mesh, &palette, SUPPLE_DQS, NULL),
              *lbs = skin(mesh, &palette, SUPPLE_LBS, NULL);
  double factors[VERTICES], worst = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    factors[v] = rigs_uniform(&random, 0.1, 5);
    for (uint32_t i = 0; i < 4; i++) mesh->weights[4 * v + i] *= (float)factors[v];
  }
  supple_binding_options keep = {.weights = SUPPLE_WEIGHTS_KEEP};
  supple_binding *binding = rigs_bind(mesh, &keep);
  supple_palette view = rigs_view(&palette);
  rigs_result *dqs = rigs_deform(mesh, binding, &view, SUPPLE_DQS, NULL, SUPPLE_NORMALS_COFACTOR);
  rigs_result *scaled = rigs_deform(mesh, binding, &view, SUPPLE_LBS, NULL, SUPPLE_NORMALS_COFACTOR);
  rigs_expect("DQS with sums from 0.1 to 5", rigs_distance(dqs, whole) / size_of(&palette), 1e-6);
  for (uint32_t v = 0; v < VERTICES; v++) {
    reference_vector expected = reference_scaled(rigs_result_position(lbs, v), factors[v]);
    reference_vector off = reference_difference(rigs_result_position(scaled, v), expected);
    worst = fmax(worst, reference_length(off) / (factors[v] * size_of(&palette)));
  }
  rigs_expect("LBS grows with the sum", worst, 1e-6);
  supple_binding_destroy(binding);
  rigs_result_destroy(whole);
  rigs_result_destroy(lbs);
  rigs_result_destroy(dqs);
  rigs_result_destroy(scaled);
  rigs_mesh_destroy(mesh);
}

/* ---- what is refused ---- */

static void refuse(supple_method method, float value, int row, int at) {
  rigs_random random = {2};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 5; j++) add_random_rigid(&random, &palette, 1);
  rigs_mesh *mesh = rigs_mesh_create(&random, 20, 2, 5);
  supple_binding *binding = rigs_bind(mesh, NULL);
  supple_prepared *prepared = supple_prepared_create(binding, NULL, NULL);
  assert_non_null(prepared);
  supple_palette view = rigs_view(&palette);
  float good = palette.matrices[3].m[row][at];
  palette.matrices[3].m[row][at] = value;
  assert_int_equal(supple_prepared_update(prepared, binding, &view, method), SUPPLE_ERROR_NUMBER);
  assert_int_equal(supple_prepared_found(prepared)->refused_joint, 3);
  float out[60];
  for (int i = 0; i < 60; i++) out[i] = 77;
  supple_job job = {
      .prepared = prepared, .positions = {mesh->positions, 12}, .out_positions = {out, 12}};
  assert_int_equal(supple_deform(&job), SUPPLE_ERROR_ARGUMENT);
  for (int i = 0; i < 60; i++) assert_true(out[i] >= 77 && out[i] <= 77);
  palette.matrices[3].m[row][at] = good;
  assert_int_equal(supple_prepared_update(prepared, binding, &view, method), SUPPLE_OK);
  assert_int_equal(supple_prepared_found(prepared)->refused_joint, SUPPLE_NONE);
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  rigs_mesh_destroy(mesh);
}

static void test_non_finite_matrices_are_refused(void **state) {
  (void)state;
  const float values[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 36; k++) {
    refuse(SUPPLE_LBS, values[k % 3], k / 12, k / 3 % 4);
    refuse(SUPPLE_DQS, values[k % 3], k / 12, k / 3 % 4);
  }
}

static void test_too_few_joints_are_refused(void **state) {
  (void)state;
  rigs_random random = {2};
  rigs_palette palette = {.count = 0};
  for (int j = 0; j < 4; j++) add_rigid(&palette, rigs_rotation(&random), origin);
  rigs_mesh *mesh = rigs_mesh_create(&random, 20, 2, 5);
  supple_binding *binding = rigs_bind(mesh, NULL), *other = rigs_bind(mesh, NULL);
  supple_prepared *prepared = supple_prepared_create(binding, NULL, NULL);
  supple_palette view = rigs_view(&palette);
  assert_int_equal(supple_binding_joint_limit(binding), 5);
  assert_int_equal(supple_prepared_update(prepared, binding, &view, SUPPLE_DQS),
                   SUPPLE_ERROR_ARGUMENT);
  add_rigid(&palette, no_turn, origin);
  view = rigs_view(&palette);
  assert_int_equal(supple_prepared_update(prepared, other, &view, SUPPLE_DQS),
                   SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_prepared_update(prepared, binding, &view, SUPPLE_DQS), SUPPLE_OK);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  supple_binding_destroy(other);
  rigs_mesh_destroy(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rigid_joints_blend_as_kavan),
      cmocka_unit_test(test_one_influence_is_the_matrix),
      cmocka_unit_test(test_equal_rotations_are_lbs),
      cmocka_unit_test(test_scene_similarities_commute),
      cmocka_unit_test(test_rest_similarities_commute),
      cmocka_unit_test(test_half_turns_are_defined),
      cmocka_unit_test(test_half_turns_survive_rounding),
      cmocka_unit_test(test_antipodal_quaternions),
      cmocka_unit_test(test_vanishing_blends_fall_back),
      cmocka_unit_test(test_small_blends_do_not_fall_back),
      cmocka_unit_test(test_signs_per_pose_follow_the_chain),
      cmocka_unit_test(test_eight_numbers_equal_twenty),
      cmocka_unit_test(test_tolerance_of_the_common_scale),
      cmocka_unit_test(test_choice_of_form_is_per_vertex),
      cmocka_unit_test(test_bind_pose_is_the_identity),
      cmocka_unit_test(test_equal_weights_keep_distances),
      cmocka_unit_test(test_sum_of_weights_does_not_matter),
      cmocka_unit_test(test_non_finite_matrices_are_refused),
      cmocka_unit_test(test_too_few_joints_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
