/* fixture_shear.c: the fixture "shear", a tube through joints that no rotation describes.
 *
 * Of a chain of eight joints along Y one is scaled unevenly; the next ones are turned below it,
 * so they are sheared (glTF allows no shear in a node of its own), at rest and more so in
 * motion; one mirrors at rest, so its inverse bind matrix does too; one grows flat in motion,
 * one passes through zero into a mirror, and the last one shrinks to a point. An armature above
 * them all is turned and scaled, as exporters do. At rest all joint matrices are identities. */
#include "fixture.h"

enum {
  JOINTS = 8,
  ARMATURE = JOINTS,
  SEGMENTS = 24,
  CAP = 6,
  BODY = 96,
  RINGS = 2 * CAP + BODY + 1,
  STEPS = 8
};
static const double radius = 0.25, length = 3.2;

typedef struct joint {
  const char *name;
  supple_vec3 axis;             /* of its turn at rest, and of its sway */
  double turn, sway;            /* degrees */
  supple_vec3 scale, end_scale; /* at rest, and at the end of the sway */
  bool as_matrix;               /* at rest; such a node is not animated */
} joint;

static const joint joints[JOINTS] = {
    {"root", {0, 0, 1}, 0, 10, {1, 1, 1}, {1, 1, 1}, false},
    {"uneven", {0, 0, 1}, 0, -25, {1.5, 1, 0.6}, {1.1, 1.2, 1.6}, false},
    {"sheared", {0.6, 0, 0.8}, 35, 30, {1, 1, 1}, {1, 1, 1}, false},
    {"matrix", {0, 1, 0}, 25, 0, {0.8, 1.25, 1.1}, {0.8, 1.25, 1.1}, true},
    {"mirrored", {0.8, 0, -0.6}, -30, -35, {-1, 1, 1}, {-1, 1, 1}, false},
    {"flat", {1, 0, 0}, -20, 25, {1, 1, 1}, {1, 1, 0}, false},
    {"flipped", {0, 0, 1}, 15, -20, {1, 1, 1}, {-0.8, 1, 1}, false},
    {"vanishing", {1, 0, 0}, 0, 20, {1, 1, 1}, {0, 0, 0}, false},
};

static supple_affine64 local_of(const supple_node *node) {
  return node->has_matrix ? node->matrix : supple_transform_to_affine(&node->rest);
}

/* Places every joint on the tube's axis, whatever its parents do to their space. */
static void put_joints(cli_fixture *f, double first, double spacing) {
  cli_fixture_place(f, ARMATURE, "armature", SUPPLE_NONE, supple_vec3_make(0.1, 0, -0.05));
  f->nodes[ARMATURE].rest.rotation = cli_fixture_turn(supple_vec3_make(1, 0, 0), -90);
  f->nodes[ARMATURE].rest.scale = supple_vec3_make(0.01, 0.01, 0.01);
  supple_affine64 world = local_of(&f->nodes[ARMATURE]);
  for (uint32_t k = 0; k < JOINTS; k++) {
    const joint *j = &joints[k];
    supple_affine64 inverse = supple_affine64_identity();
    supple_affine64_inverse(&world, &inverse);
    supple_vec3 place = supple_vec3_make(0, first + spacing * k, 0);
    cli_fixture_place(f, k, j->name, k ? k - 1 : ARMATURE,
                      supple_affine64_transform_point(&inverse, place));
    f->nodes[k].rest.rotation = cli_fixture_turn(j->axis, j->turn);
    f->nodes[k].rest.scale = j->scale;
    if (j->as_matrix) {
      f->nodes[k].matrix = supple_transform_to_affine(&f->nodes[k].rest);
      f->nodes[k].has_matrix = true;
    }
    supple_affine64 local = local_of(&f->nodes[k]);
    world = supple_affine64_multiply(&world, &local);
  }
}

static double mix(double a, double b, double t) { return a + (b - a) * t; }

static bool add_sway(cli_fixture *f) {
  supple_clip *clip = cli_fixture_clip(f, "sway", 2 * JOINTS);
  const float *times = cli_fixture_times(f, STEPS);
  for (uint32_t k = 0; k < JOINTS; k++) {
    const joint *j = &joints[k];
    if (j->as_matrix) continue;
    float *rotations = cli_fixture_channel(f, clip, k, SUPPLE_PATH_ROTATION, times, STEPS + 1);
    if (!rotations) return false;
    for (uint32_t i = 0; i <= STEPS; i++) {
      cli_fixture_store_quat(rotations + (size_t)4 * i,
                             cli_fixture_turn(j->axis, j->turn + j->sway * i / STEPS));
    }
    const supple_vec3 *a = &j->scale, *b = &j->end_scale;
    if (a->x == b->x && a->y == b->y && a->z == b->z) continue;
    float *scales = cli_fixture_channel(f, clip, k, SUPPLE_PATH_SCALE, times, STEPS + 1);
    if (!scales) return false;
    for (uint32_t i = 0; i <= STEPS; i++) {
      double t = (double)i / STEPS;
      scales[3 * i] = (float)mix(a->x, b->x, t);
      scales[3 * i + 1] = (float)mix(a->y, b->y, t);
      scales[3 * i + 2] = (float)mix(a->z, b->z, t);
    }
  }
  return true;
}

bool cli_fixture_build_shear(cli_fixture *f) {
  static const float color[3] = {0.52f, 0.34f, 0.60f};
  cli_fixture_ring rings[RINGS];
  cli_fixture_size size = {.joint_count = JOINTS, .extra_nodes = 1, .influence_count = 4};
  cli_fixture_rod(rings, radius, length, CAP, BODY);
  cli_fixture_revolve_size(rings, RINGS, SEGMENTS, &size);
  if (!cli_fixture_begin(f, "shear", &size, color)) return false;
  double spacing = length / JOINTS, first = -length / 2 + spacing / 2;
  put_joints(f, first, spacing);
  cli_fixture_bind(f);
  cli_fixture_revolve(f, rings, RINGS, SEGMENTS, CLI_DIAGONALS_WITH);
  for (uint32_t i = 0; i < size.vertex_count; i++) {
    double weights[JOINTS];
    double along = ((double)f->positions[(size_t)3 * i + 1] - first) / spacing;
    for (uint32_t k = 0; k < JOINTS; k++) {
      /* Each joint rules around its own place, and reaches 1.6 joints far. */
      double distance = fabs(along - k) / 1.6;
      weights[k] = cli_fixture_smoothstep(0, 1, 1 - distance);
    }
    cli_fixture_weigh(f, i, weights);
  }
  return add_sway(f);
}
