/* test_reference_agreement.c: palettes, cleaning and deformation against the double-precision
 * reference, on random rigs: nested scale, shear, mirrors and zero scales, 1 to 13 influences,
 * awkward weights. */
#include "tests/property/rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VERTICES 117
#define SEEDS 6
#define MOST_NODES (RIGS_MOST_JOINTS + 2)

/* Bounds, relative to the size of what is added up (reference_vertex.size and linear_size), and
 * growing with 1 / |r| where rotations cancel: about 8 ulp of float. */
#define POSITION_BOUND 1e-6
#define LINEAR_BOUND 1e-6
/* A direction is off by the error of its vector over the vector's length; beyond this it is not
 * compared. */
#define LARGEST_DIRECTION_BOUND 1e-2

typedef enum rig_kind {
  RIG_RIGID,
  RIG_COMMON_SCALE,
  RIG_SCALED,
  RIG_UNEVEN,
  RIG_MIRRORED,
  RIG_SHEARED,
  RIG_SINGULAR,
  RIG_MIXED,
  RIG_KINDS
} rig_kind;

static const char *const kind_names[RIG_KINDS] = {"rigid",           "common scale", "scaled",
                                                  "unevenly scaled", "mirrored",     "sheared",
                                                  "singular",        "mixed"};

/* A scene: a root above the joints, the joints, and the skinned node beside them. Nodes are
 * stored in the reverse of their order, and the skin lists joints in yet another. */
typedef struct scene {
  supple_node nodes[MOST_NODES];
  uint32_t order[MOST_NODES];
  reference_affine worlds[MOST_NODES]; /* of the pose, by node */
  /* products of the polar factors of the locals, negated where they mirror */
  reference_quaternion rotations[MOST_NODES];
  bool mirrored[MOST_NODES];
  reference_affine binds[RIGS_MOST_JOINTS]; /* inverse bind matrices, by joint */
  reference_quaternion bind_turns[RIGS_MOST_JOINTS];
  supple_affine64 inverse_binds[RIGS_MOST_JOINTS];
  uint32_t joints[RIGS_MOST_JOINTS], parents[RIGS_MOST_JOINTS];
  uint32_t joint_count, node_count;
  bool rigid_bind;
  supple_skeleton skeleton;
  supple_skin skin;
  supple_instance instance;
  supple_pose *pose;
  supple_palette *palette;
} scene;

static supple_vec3 to_vec3(reference_vector v) { return supple_vec3_make(v.x, v.y, v.z); }

static supple_affine64 to_affine64(const reference_affine *a) {
  supple_affine64 b;
  memcpy(b.m, a->m, sizeof b.m);
  return b;
}

static reference_vector random_scale(rigs_random *random, rig_kind kind) {
  double s = rigs_uniform(random, 0.6, 1.5);
  reference_vector even = {s, s, s};
  reference_vector uneven = rigs_between(random, 0.5, 1.6);
  uint32_t chance = rigs_below(random, 4);
  switch (kind) {
  case RIG_SCALED: return even;
  case RIG_UNEVEN: return uneven;
  case RIG_MIRRORED:
    if (chance == 0) return reference_vector_of(-1, 1, 1);
    return chance == 1 ? reference_scaled(even, -1) : reference_vector_of(1, 1, 1);
  case RIG_SINGULAR:
    if (chance == 0) return reference_vector_of(1, 0, 1);
    if (chance == 1)
      return rigs_below(random, 3) ? reference_vector_of(0, 0, uneven.x)
                                   : reference_vector_of(0, 0, 0);
    return chance == 2 ? reference_vector_of(-1, 1, 1) : reference_vector_of(1, 1, 1);
  case RIG_MIXED:
    if (chance == 0) return reference_vector_of(uneven.x, -uneven.y, uneven.z);
    return chance == 1 ? even : uneven;
  default: return reference_vector_of(1, 1, 1);
  }
}

static reference_quaternion random_turn(rigs_random *random) {
  reference_quaternion half = {0, 0, 0, 0};
  switch (rigs_below(random, 8)) {
  case 0: /* exactly half a turn */ half.x = 1; return half;
  case 1: half.z = 1; return half;
  case 2:
  case 3: return rigs_rotation(random);
  default: return rigs_small_rotation(random, 1);
  }
}

/* The local transform of one node in the pose, stored into node and pose alike. */
static reference_affine random_local(rigs_random *random, rig_kind kind, scene *s, uint32_t node,
                                     reference_quaternion *turn) {
  reference_vector translation = rigs_vector(random, 0.5), scale = random_scale(random, kind);
  *turn = random_turn(random);
  reference_affine local = reference_node(translation, *turn, scale);
  supple_node *stored = &s->nodes[node];
  stored->has_matrix = (kind == RIG_SHEARED || kind == RIG_MIXED) && rigs_below(random, 3) == 0;
  stored->rest.translation = to_vec3(translation);
  stored->rest.rotation = supple_quat_make(turn->x, turn->y, turn->z, turn->w);
  stored->rest.scale = to_vec3(scale);
  if (stored->has_matrix) {
    reference_vector by = rigs_vector(random, 0.4);
    reference_linear shear = {{{1, by.x, by.y}, {0, 1, by.z}, {0, 0, 1}}};
    reference_affine sheared = reference_affine_of(&shear, reference_vector_of(0, 0, 0));
    local = reference_affine_product(&local, &sheared);
    stored->matrix = to_affine64(&local);
  }
  return local;
}

/* The polar factor of a local transform, negated where it mirrors; a zero scale leaves the
 * node's turn. */
static reference_quaternion turn_of(const reference_affine *local, reference_quaternion turn,
                                    bool *mirrored) {
  reference_linear linear = reference_linear_of(local), hint = reference_rotation(turn);
  int rank;
  double margin;
  reference_linear factor = reference_polar(&linear, &hint, &rank, &margin, &margin);
  *mirrored = reference_determinant(&factor) < 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) factor.m[i][j] *= *mirrored ? -1 : 1;
  return reference_quaternion_of(&factor, &margin);
}

static void add_node(rigs_random *random, rig_kind kind, scene *s, uint32_t rank, uint32_t parent) {
  uint32_t node = s->node_count - 1 - rank;
  s->nodes[node].name = "";
  s->nodes[node].parent = parent;
  s->nodes[node].mesh = s->nodes[node].skin = s->nodes[node].camera = SUPPLE_NONE;
  s->order[rank] = node;
  reference_quaternion turn;
  reference_affine local = random_local(random, kind, s, node, &turn);
  s->worlds[node] = local;
  s->rotations[node] = turn_of(&local, turn, &s->mirrored[node]);
  if (parent == SUPPLE_NONE) return;
  s->worlds[node] = reference_affine_product(&s->worlds[parent], &local);
  s->rotations[node] = reference_product(s->rotations[parent], s->rotations[node]);
  s->mirrored[node] = s->mirrored[node] != s->mirrored[parent];
}

static void random_bind(rigs_random *random, rig_kind kind, scene *s, uint32_t joint) {
  s->bind_turns[joint] = rigs_rotation(random);
  reference_vector one = {1, 1, 1};
  reference_vector scale = s->rigid_bind ? one : random_scale(random, RIG_UNEVEN);
  reference_affine bind = reference_node(rigs_vector(random, 1), s->bind_turns[joint], scale);
  s->binds[joint] = reference_affine_inverse(&bind);
  if (kind == RIG_COMMON_SCALE) { /* as dequantisation hides in inverse bind matrices */
    reference_linear grid = {{{0.037, 0, 0}, {0, 0.037, 0}, {0, 0, 0.037}}};
    reference_affine dequantise = reference_affine_of(&grid, reference_vector_of(0.5, -0.25, 0.1));
    s->binds[joint] = reference_affine_product(&s->binds[joint], &dequantise);
  }
  s->inverse_binds[joint] = to_affine64(&s->binds[joint]);
}

static void build_joints(rigs_random *random, rig_kind kind, scene *s) {
  uint32_t joint_of_rank[RIGS_MOST_JOINTS];
  uint32_t step = s->joint_count % 5 ? 5 : 7; /* joint number of the k-th node below the root */
  if (s->joint_count % step == 0) step = 1;
  for (uint32_t k = 0; k < s->joint_count; k++) {
    uint32_t joint = (uint32_t)(((uint64_t)k * step + 1) % s->joint_count);
    uint32_t above = k ? rigs_below(random, k) : 0;
    if (k && rigs_below(random, 2)) above = k - 1;
    uint32_t parent = k ? s->joints[joint_of_rank[above]] : s->order[0];
    joint_of_rank[k] = joint;
    s->parents[joint] = k ? joint_of_rank[above] : SUPPLE_NONE;
    s->joints[joint] = s->node_count - 2 - k;
    add_node(random, kind, s, k + 1, parent);
    random_bind(random, kind, s, joint);
  }
}

static scene *scene_create(rig_kind kind, uint64_t seed, supple_space space) {
  scene *s = calloc(1, sizeof *s);
  assert_non_null(s);
  rigs_random random = {seed * 1000 + (uint64_t)kind};
  s->joint_count = 1 + rigs_below(&random, RIGS_MOST_JOINTS);
  if (seed == 0) s->joint_count = 2;
  s->node_count = s->joint_count + 2;
  s->rigid_bind = kind != RIG_MIXED && kind != RIG_UNEVEN;
  add_node(&random, kind == RIG_SINGULAR ? RIG_RIGID : kind, s, 0, SUPPLE_NONE);
  build_joints(&random, kind, s);
  add_node(&random, RIG_UNEVEN, s, s->node_count - 1, s->order[0]);
  uint32_t skinned = s->order[s->node_count - 1];
  s->nodes[skinned].mesh = s->nodes[skinned].skin = 0;
  s->skeleton.nodes = s->nodes;
  s->skeleton.order = s->order;
  s->skeleton.node_count = s->node_count;
  s->skin.name = "";
  s->skin.joint_count = s->joint_count;
  s->skin.joints = s->joints;
  s->skin.inverse_binds = s->inverse_binds;
  s->skin.parents = s->parents;
  s->skin.skeleton = SUPPLE_NONE;
  s->instance.node = skinned;
  s->instance.skin = &s->skin;
  s->pose = supple_pose_create(&s->skeleton, NULL, NULL);
  s->palette = supple_palette_create(s->joint_count, space, NULL, NULL);
  assert_non_null(s->pose);
  assert_non_null(s->palette);
  assert_ptr_equal(supple_palette_compose(s->palette, s->pose, &s->instance), s->palette);
  return s;
}

static void scene_destroy(scene *s) {
  supple_pose_destroy(s->pose);
  supple_palette_destroy(s->palette);
  free(s);
}

/* ---- palettes ---- */

static double matrix_error(const scene *s, uint32_t joint) {
  const reference_affine *world = &s->worlds[s->joints[joint]];
  reference_affine matrix = reference_affine_product(world, &s->binds[joint]);
  if (s->palette->space == SUPPLE_SPACE_MESH) {
    reference_affine back = reference_affine_inverse(&s->worlds[s->instance.node]);
    matrix = reference_affine_product(&back, &matrix);
  }
  double largest = 0;
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      double expected = matrix.m[i][k], scale = fmax(fabs(expected), 1e-6);
      largest = fmax(largest, fabs((double)s->palette->matrices[joint].m[i][k] - expected) / scale);
    }
  return largest;
}

static reference_quaternion inverse_turn(reference_quaternion q) {
  reference_quaternion inverse = {-q.x, -q.y, -q.z, q.w};
  return inverse;
}

/* The rotation of a joint from bind pose to pose, by the rotations of the hierarchy alone. */
static double rotation_error(const scene *s, uint32_t joint) {
  uint32_t node = s->joints[joint];
  reference_quaternion turn =
      reference_product(s->rotations[node], inverse_turn(s->bind_turns[joint]));
  bool mirrored = s->mirrored[node];
  if (s->palette->space == SUPPLE_SPACE_MESH) {
    turn = reference_product(inverse_turn(s->rotations[s->instance.node]), turn);
    mirrored = mirrored != s->mirrored[s->instance.node];
  }
  const supple_quat *q = &s->palette->rotations[joint];
  reference_quaternion found = {q->x, q->y, q->z, q->w};
  assert_int_equal(s->palette->mirrored[joint] != 0, mirrored);
  return 1 - fabs(reference_quaternion_dot(turn, found));
}

static void test_palettes(void **state) {
  (void)state;
  double worst_matrix = 0, worst_rotation = 0;
  for (int kind = 0; kind < RIG_KINDS; kind++)
    for (uint64_t seed = 0; seed < 2 * SEEDS; seed++) {
      supple_space space = seed % 2 ? SUPPLE_SPACE_MESH : SUPPLE_SPACE_SCENE;
      scene *s = scene_create((rig_kind)kind, seed, space);
      for (uint32_t j = 0; j < s->joint_count; j++) {
        worst_matrix = fmax(worst_matrix, matrix_error(s, j));
        if (s->rigid_bind) worst_rotation = fmax(worst_rotation, rotation_error(s, j));
      }
      scene_destroy(s);
    }
  rigs_expect("joint matrices, relative", worst_matrix, 6.0e-8); /* one rounding to float */
  rigs_expect("rotations of the hierarchy, 1 - |cos|", worst_rotation, 1e-13);
}

/* ---- influences ---- */

static void scale_weights(float *weights, uint32_t k, double factor) {
  for (uint32_t i = 0; i < k; i++) weights[i] *= (float)factor;
}

/* One defect of the k influences of a vertex. */
static void spoil_vertex(rigs_random *random, uint16_t *joints, float *weights, uint32_t k) {
  uint32_t slot = rigs_below(random, k), other = rigs_below(random, k);
  switch (rigs_below(random, 9)) {
  case 0:
    if (joints[other] != 65535) joints[slot] = joints[other];
    break;
  case 1: weights[slot] = -weights[slot]; break;
  case 2: /* nothing may look at the joint of a zero weight, unless it is all there is */
    weights[slot] = 0;
    joints[slot] = slot ? 65535 : joints[slot];
    break;
  case 3: scale_weights(weights, k, rigs_uniform(random, 1.5, 3)); break;
  case 4: /* exact ties */
    for (uint32_t i = 0; i < k; i++) weights[i] = joints[i] == 65535 ? 0 : 1.0f / (float)k;
    break;
  case 5: /* no weight at all */
    for (uint32_t i = 0; i < k; i++) weights[i] = i % 2 ? -0.25f : 0.0f;
    break;
  case 6: scale_weights(weights, k, 0.1); break;
  default: break;
  }
}

/* Spoils good weights: duplicates, negatives, zeros, sums that are not one, ties, none at all. */
static void spoil(rigs_random *random, rigs_mesh *mesh) {
  uint32_t k = mesh->influence_count;
  for (uint32_t v = 0; v < mesh->vertex_count; v++)
    for (uint32_t n = 1 + v % 3; n > 0; n--)
      spoil_vertex(random, mesh->joints + (size_t)v * k, mesh->weights + (size_t)v * k, k);
}

static double cleaning_error(const supple_binding *binding, uint32_t vertex,
                             const reference_influence *expected, size_t count) {
  const uint16_t *joints = NULL;
  const float *weights = NULL;
  uint32_t found = supple_binding_influences(binding, vertex, &joints, &weights);
  assert_int_equal(found, count);
  double largest = 0, sum = 0;
  for (size_t i = 0; i < count; i++) sum += expected[i].weight;
  for (size_t i = 0; i < count; i++) {
    double weight = expected[i].weight / sum;
    assert_int_equal(joints[i], expected[i].joint);
    largest = fmax(largest, fabs((double)weights[i] - weight) / weight);
  }
  if (count) largest = fmax(largest, fabs((double)supple_binding_sum(binding, vertex) - sum) / sum);
  return largest;
}

/* ---- deformation ---- */

typedef struct tally {
  double positions, directions, linears, cleaning; /* largest error over its bound */
  double worst_normal; /* largest angle where nothing is ill-conditioned */
  uint64_t compared, jumps, thin_blends, directions_compared, directions_skipped;
} tally;

typedef struct trial {
  const scene *s;
  const rigs_mesh *mesh;
  const supple_binding *binding;
  const supple_binding_options *cleaning;
  rigs_palette *palette;
  reference_settings settings;
  supple_normals normals;
  double rigid_tolerance;
  tally *tally;
} trial;

static reference_vector load(const float *at) {
  return reference_vector_of((double)at[0], (double)at[1], (double)at[2]);
}

static void note(double *largest, double error, double bound) {
  double ratio = error / bound;
  if (!(ratio <= *largest)) *largest = ratio;
}

static double distance(reference_vector a, reference_vector b) {
  return reference_length(reference_difference(a, b));
}

/* The posed tangent: direction to within the bound, handedness exactly. */
static void compare_tangent(const trial *t, const rigs_result *result,
                            const reference_vertex *vertex, uint32_t v,
                            const reference_vector *normal, double normal_bound, bool sided) {
  double margin, error = LINEAR_BOUND / vertex->blend;
  const float *in = t->mesh->tangents + 4 * (size_t)v, *out = result->tangents + 4 * (size_t)v;
  reference_normals mode = (reference_normals)t->normals;
  reference_vector expected = reference_tangent(vertex, mode, load(in), normal, &margin);
  if (mode == REFERENCE_LINEAR) {
    note(&t->tally->directions, distance(load(out), expected), error * vertex->linear_size);
  } else {
    double bound = 2 * (error + normal_bound) / margin;
    if (bound > LARGEST_DIRECTION_BOUND) {
      t->tally->directions_skipped++;
      return;
    }
    note(&t->tally->directions, distance(load(out), expected), bound);
  }
  if (sided) assert_true((out[3] < 0) == ((in[3] < 0) != (vertex->determinant < 0)));
}

static void compare_directions(const trial *t, const rigs_result *result,
                               const reference_vertex *vertex, uint32_t v) {
  double margin, error = LINEAR_BOUND / vertex->blend;
  reference_normals mode = (reference_normals)t->normals;
  reference_vector found = load(result->normals + 3 * (size_t)v);
  reference_vector expected =
      reference_normal(vertex, mode, load(t->mesh->normals + 3 * (size_t)v), &margin);
  /* The sign of det L is not decided where L is singular within its error. */
  bool sided = fabs(vertex->determinant) > 4 * error * pow(vertex->linear_size, 3);
  if (mode == REFERENCE_LINEAR) {
    note(&t->tally->directions, distance(found, expected), error * vertex->linear_size);
    compare_tangent(t, result, vertex, v, NULL, 0, sided);
    return;
  }
  double bound = 2 * error / margin;
  if (bound > LARGEST_DIRECTION_BOUND) {
    t->tally->directions_skipped++;
    return;
  }
  if (!sided && reference_dot(found, expected) < 0) expected = reference_scaled(expected, -1);
  double angle = distance(found, expected);
  note(&t->tally->directions, angle, bound);
  if (margin > 0.05 && vertex->blend > 0.25)
    t->tally->worst_normal = fmax(t->tally->worst_normal, angle);
  t->tally->directions_compared++;
  compare_tangent(t, result, vertex, v, &expected, bound, sided);
}

static void compare_vertex(const trial *t, const rigs_result *result,
                           const supple_prepared *prepared, const reference_vertex *vertex,
                           uint32_t v) {
  /* Where the definition jumps between the two neighbours that rounding cannot tell apart: a dot
   * product at -1e-6, weights that nearly tie for the pivot, a singular value at the rank
   * threshold. */
  if (vertex->sign_margin < 5e-7 || vertex->singular_margin < 1e-2) {
    t->tally->jumps++;
    return;
  }
  if (vertex->blend < 1e-4 && !vertex->fallback) {
    t->tally->thin_blends++;
    return;
  }
  reference_vertex known = *vertex;
  if (vertex->fallback) known.blend = 1;
  t->tally->compared++;
  double error = distance(rigs_result_position(result, v), known.position);
  note(&t->tally->positions, error, POSITION_BOUND * known.size / known.blend);
  supple_mat3 linear = supple_prepared_linear(prepared, v);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      note(&t->tally->linears, fabs(linear.m[i][j] - known.linear.m[i][j]),
           LINEAR_BOUND * known.linear_size / known.blend);
  compare_directions(t, result, &known, v);
}

static supple_prepared *prepare(const trial *t) {
  supple_prepared_options options;
  memset(&options, 0, sizeof options);
  options.scale = t->settings.method == REFERENCE_DQS_FIRST  ? SUPPLE_SCALE_FIRST
                  : t->settings.method == REFERENCE_DQS_NONE ? SUPPLE_SCALE_NONE
                                                             : SUPPLE_SCALE_AFFINE;
  options.signs = t->settings.signs_per_pose ? SUPPLE_SIGNS_PER_POSE : SUPPLE_SIGNS_PER_VERTEX;
  options.split = t->settings.gram_schmidt ? SUPPLE_SPLIT_GRAM_SCHMIDT : SUPPLE_SPLIT_POLAR;
  options.rigid_tolerance = t->rigid_tolerance;
  supple_prepared *prepared = supple_prepared_create(t->binding, &options, NULL);
  assert_non_null(prepared);
  supple_method method = t->settings.method == REFERENCE_LBS ? SUPPLE_LBS : SUPPLE_DQS;
  assert_int_equal(supple_prepared_update(prepared, t->binding, t->s->palette, method), SUPPLE_OK);
  return prepared;
}

static void compare_found(const trial *t, const supple_prepared *prepared,
                          const reference_factor *factors) {
  const supple_prepared_report *found = supple_prepared_found(prepared);
  assert_int_equal(found->refused_joint, SUPPLE_NONE);
  if (t->settings.method == REFERENCE_LBS) return;
  uint32_t singular = 0, mirrored = 0;
  for (uint32_t j = 0; j < t->palette->count; j++) {
    if (factors[j].rank_margin < 1e-2 || factors[j].hint_margin < 1e-2) return;
    singular += factors[j].rank < 3;
    mirrored += factors[j].mirrored;
  }
  assert_int_equal(found->singular, singular);
  if (!t->settings.gram_schmidt || singular == 0) assert_int_equal(found->mirrored, mirrored);
  assert_int_equal(found->rigid + found->scaled + found->sheared, t->palette->count);
}

static void run(const trial *t) {
  supple_prepared *prepared = prepare(t);
  reference_factor factors[RIGS_MOST_JOINTS];
  reference_prepare(t->palette->joints, t->palette->count, &t->settings, factors);
  compare_found(t, prepared, factors);
  rigs_result result;
  float positions[VERTICES][3], normals[VERTICES][3], tangents[VERTICES][4];
  memset(&result, 0, sizeof result);
  result.positions = positions[0], result.normals = normals[0], result.tangents = tangents[0];
  supple_job job = {.prepared = prepared,
                    .positions = {t->mesh->positions, 12},
                    .normals = {t->mesh->normals, 12},
                    .tangents = {t->mesh->tangents, 16},
                    .out_positions = {positions[0], 12},
                    .out_normals = {normals[0], 12},
                    .out_tangents = {tangents[0], 16},
                    .normal_mode = t->normals};
  assert_int_equal(supple_deform_range(&job, 0, VERTICES, &result.report), SUPPLE_OK);
  supple_inspection inspection = {0, 0, 0};
  assert_int_equal(supple_prepared_inspect(prepared, 0, VERTICES, &inspection), SUPPLE_OK);
  uint32_t fallbacks = 0, undecided = 0, flipped = 0, rest = 0;
  for (uint32_t v = 0; v < VERTICES; v++) {
    reference_influence influences[16];
    reference_vertex vertex;
    uint32_t k = t->mesh->influence_count;
    size_t count = reference_clean(t->mesh->joints + (size_t)v * k, t->mesh->weights + (size_t)v * k,
                                   k, t->cleaning->weights == SUPPLE_WEIGHTS_KEEP,
                                   t->cleaning->unweighted == SUPPLE_UNWEIGHTED_REST,
                                   t->cleaning->max_influences, influences);
    note(&t->tally->cleaning, cleaning_error(t->binding, v, influences, count), 1e-7);
    reference_deform(t->palette->joints, factors, &t->settings, influences, count,
                     rigs_position(t->mesh, v), &vertex);
    if (count == 0)
      assert_memory_equal(positions[v], t->mesh->positions + 3 * (size_t)v, sizeof positions[v]);
    compare_vertex(t, &result, prepared, &vertex, v);
    fallbacks += vertex.fallback;
    flipped += vertex.flipped;
    rest += count == 0;
    undecided += vertex.sign_margin < 5e-7 || vertex.blend < 1e-4 || vertex.singular_margin < 1e-2;
  }
  assert_int_equal(inspection.rest, rest);
  if (undecided == 0) {
    assert_int_equal(result.report.fallbacks, fallbacks);
    if (!t->settings.signs_per_pose) assert_int_equal(inspection.flipped, flipped);
  }
  supple_prepared_destroy(prepared);
}

static void run_normals(trial *t) {
  for (int normals = 0; normals < 3; normals++) {
    t->normals = (supple_normals)normals;
    run(t);
  }
}

/* All methods and modes on one rig and mesh. */
static void run_methods(trial *t) {
  memset(&t->settings, 0, sizeof t->settings);
  run_normals(t);
  for (int method = REFERENCE_DQS_AFFINE; method <= REFERENCE_DQS_NONE; method++)
    for (int mode = 0; mode < 8; mode++) {
      t->settings.method = (reference_method)method;
      t->settings.signs_per_pose = mode & 1;
      t->settings.gram_schmidt = (mode & 2) != 0;
      t->rigid_tolerance = mode & 4 ? -1 : 0;
      run_normals(t);
    }
}

static void run_kind(rig_kind kind, tally *sum) {
  for (uint32_t seed = 0; seed < SEEDS; seed++) {
    rigs_random random = {77 * seed + (uint64_t)kind};
    scene *s = scene_create(kind, seed, seed % 2 ? SUPPLE_SPACE_MESH : SUPPLE_SPACE_SCENE);
    rigs_palette palette;
    rigs_copy(s->palette, &palette);
    rigs_mesh *mesh =
        rigs_mesh_create(&random, VERTICES, 1 + (seed * 4 + (uint32_t)kind) % 13, s->joint_count);
    if (seed != 1) spoil(&random, mesh);
    supple_binding_options cleaning;
    memset(&cleaning, 0, sizeof cleaning);
    cleaning.weights = seed % 3 == 0 ? SUPPLE_WEIGHTS_KEEP : SUPPLE_WEIGHTS_NORMALISE;
    cleaning.unweighted = seed % 2 ? SUPPLE_UNWEIGHTED_REST : SUPPLE_UNWEIGHTED_FIRST_JOINT;
    cleaning.max_influences = seed % 4 == 3 ? 4 : 0;
    supple_binding *binding = rigs_bind(mesh, &cleaning);
    trial t = {.s = s,
               .mesh = mesh,
               .binding = binding,
               .cleaning = &cleaning,
               .palette = &palette,
               .tally = sum};
    run_methods(&t);
    supple_binding_destroy(binding);
    rigs_mesh_destroy(mesh);
    scene_destroy(s);
  }
}

static void check_kind(rig_kind kind) {
  tally sum;
  memset(&sum, 0, sizeof sum);
  run_kind(kind, &sum);
  print_message(
      "  %s: %llu vertices compared; left out: %llu at jumps, %llu where rotations cancel; "
      "%llu normals compared, %llu directions left out\n",
      kind_names[kind], (unsigned long long)sum.compared, (unsigned long long)sum.jumps,
      (unsigned long long)sum.thin_blends, (unsigned long long)sum.directions_compared,
      (unsigned long long)sum.directions_skipped);
  rigs_expect("positions, error over bound", sum.positions, 1);
  rigs_expect("linear parts, error over bound", sum.linears, 1);
  rigs_expect("normals and tangents, error over bound", sum.directions, 1);
  rigs_expect("cleaned weights, error over bound", sum.cleaning, 1);
  rigs_expect("well-conditioned normals, distance", sum.worst_normal, 1e-4);
  uint64_t all = sum.compared + sum.jumps + sum.thin_blends;
  assert_true(sum.compared * 100 > all * (kind == RIG_SINGULAR ? 75 : 97));
  assert_true(sum.directions_compared * 100 > (sum.directions_compared + sum.directions_skipped) *
                                                  (kind == RIG_SINGULAR ? 25 : 90));
}

static void test_rigid(void **state) { (void)state, check_kind(RIG_RIGID); }
static void test_common_scale(void **state) { (void)state, check_kind(RIG_COMMON_SCALE); }
static void test_scaled(void **state) { (void)state, check_kind(RIG_SCALED); }
static void test_uneven(void **state) { (void)state, check_kind(RIG_UNEVEN); }
static void test_mirrored(void **state) { (void)state, check_kind(RIG_MIRRORED); }
static void test_sheared(void **state) { (void)state, check_kind(RIG_SHEARED); }
static void test_singular(void **state) { (void)state, check_kind(RIG_SINGULAR); }
static void test_mixed(void **state) { (void)state, check_kind(RIG_MIXED); }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_palettes),     cmocka_unit_test(test_rigid),
      cmocka_unit_test(test_common_scale), cmocka_unit_test(test_scaled),
      cmocka_unit_test(test_uneven),       cmocka_unit_test(test_mirrored),
      cmocka_unit_test(test_sheared),      cmocka_unit_test(test_singular),
      cmocka_unit_test(test_mixed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
