/* golden_parts.c: the golden rows beside deformation: mathematics, poses, palettes, morphing, bindings. */
/* Some of the mathematics is inline in its header: here it must not be contracted either. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-tree-vectorize")
#endif

#include "golden.h"

#include "golden_rig.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 400, NODES = 12, KEYS = 5, MORPHS = 3 };

/* ---- random arguments; one call a statement ---- */

static supple_vec3 random_vector(cli_golden_random *random) {
  supple_vec3 v;
  v.x = cli_golden_signed(random);
  v.y = cli_golden_signed(random);
  v.z = cli_golden_signed(random);
  return v;
}

static supple_quat random_quat(cli_golden_random *random) {
  supple_quat q;
  q.x = cli_golden_signed(random);
  q.y = cli_golden_signed(random);
  q.z = cli_golden_signed(random);
  q.w = cli_golden_signed(random);
  return q;
}

static supple_quat random_rotation(cli_golden_random *random) {
  const supple_vec3 axis = random_vector(random);
  return supple_quat_from_axis_angle(axis, 3.1 * cli_golden_signed(random));
}

/* Any matrix; every fifth of lower rank, every seventh with columns of very different lengths. */
static supple_affine64 random_affine(cli_golden_random *random, uint32_t round) {
  supple_affine64 m;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) m.m[r][c] = cli_golden_signed(random);
  if (round % 5 == 0)
    for (int c = 0; c < 3; c++) m.m[2][c] = round % 2 ? m.m[1][c] : 0;
  if (round % 7 == 0)
    for (int r = 0; r < 3; r++) m.m[r][round % 3] *= 0x1p-16;
  return m;
}

/* ---- mathematics ---- */

static void hash_double(cli_golden_hash *hash, double value) {
  cli_golden_hash_doubles(hash, &value, 1);
}

static void hash_quat(cli_golden_hash *hash, supple_quat q) {
  const double values[4] = {q.x, q.y, q.z, q.w};
  cli_golden_hash_doubles(hash, values, 4);
}

static void hash_dual_quat(cli_golden_hash *hash, supple_dual_quat d) {
  hash_quat(hash, d.real);
  hash_quat(hash, d.dual);
}

static supple_result trigonometry(cli_golden_hash *hash) {
  cli_golden_random random = {1};
  for (uint32_t i = 0; i < 4 * ROUNDS; i++) {
    double x = cli_golden_signed(&random);
    const double y = cli_golden_signed(&random);
    hash_double(hash, supple_acos(x));
    hash_double(hash, supple_atan2(y, x));
    for (uint32_t k = 0; k < i % 48; k++) x *= 2; /* up to 2^47 */
    hash_double(hash, supple_sin(x));
    hash_double(hash, supple_cos(x));
  }
  static const double special[] = {0,          -0.0,          1,      -1,  0.5,    SUPPLE_PI,
                                   -SUPPLE_PI, SUPPLE_PI / 2, 1e-300, 1e5, 100001, 1e22,
                                   0x1p+1000};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
    hash_double(hash, supple_sin(special[i]));
    hash_double(hash, supple_cos(special[i]));
    hash_double(hash, supple_acos(special[i]));
    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
      hash_double(hash, supple_atan2(special[i], special[k]));
  }
  return SUPPLE_OK;
}

static supple_result quaternions(cli_golden_hash *hash) {
  cli_golden_random random = {2};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const supple_quat any = random_quat(&random);
    const supple_quat a = random_rotation(&random);
    const supple_quat b = random_rotation(&random);
    const double t = cli_golden_signed(&random);
    const supple_mat3 m = supple_mat3_from_quat(a);
    hash_quat(hash, supple_quat_exp(any));
    hash_quat(hash, supple_quat_log(any));
    hash_quat(hash, supple_quat_power(a, t));
    hash_quat(hash, supple_quat_slerp(a, b, t));
    hash_quat(hash, supple_quat_multiply(a, b));
    hash_quat(hash, supple_quat_from_mat3(&m));
    cli_golden_hash_doubles(hash, m.m[0], 9);
  }
  return SUPPLE_OK;
}

static supple_result dual_quaternions(cli_golden_hash *hash) {
  cli_golden_random random = {3};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    supple_dual_quat motions[4];
    double weights[4];
    for (int k = 0; k < 4; k++) {
      const supple_quat rotation = random_rotation(&random);
      const supple_vec3 translation = random_vector(&random);
      motions[k] = supple_dual_quat_from_rigid(rotation, translation);
      weights[k] = (double)(cli_golden_bits(&random) % 255 + 1);
    }
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += weights[k];
    for (int k = 0; k < 4; k++) weights[k] /= sum;
    const double t = cli_golden_signed(&random);
    const supple_affine64 m = supple_dual_quat_to_affine(motions[0]);
    hash_dual_quat(hash, supple_dual_quat_multiply(motions[0], motions[1]));
    hash_dual_quat(hash, supple_dual_quat_power(motions[0], t));
    hash_dual_quat(hash, supple_dual_quat_sclerp(motions[0], motions[1], t));
    hash_dual_quat(hash, supple_dual_quat_dlb(motions, weights, 4));
    hash_dual_quat(hash, supple_dual_quat_dib(motions, weights, 4, 1e-9, NULL));
    cli_golden_hash_doubles(hash, m.m[0], 12);
  }
  return SUPPLE_OK;
}

static supple_result affine_maps(cli_golden_hash *hash) {
  cli_golden_random random = {4};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const supple_affine64 a = random_affine(&random, i + 1);
    const supple_affine64 b = random_affine(&random, i + 2);
    const supple_affine64 product = supple_affine64_multiply(&a, &b);
    const supple_affine rounded = supple_affine_from_double(&product);
    supple_affine64 inverse = supple_affine64_identity();
    const bool regular = supple_affine64_inverse(&a, &inverse);
    supple_transform transform = supple_transform_identity();
    const bool orthogonal = supple_transform_from_affine(&a, 0, &transform);
    cli_golden_hash_doubles(hash, product.m[0], 12);
    cli_golden_hash_floats(hash, rounded.m[0], 12);
    cli_golden_hash_doubles(hash, inverse.m[0], 12);
    cli_golden_hash_u32(hash, (regular ? 1u : 0u) + (orthogonal ? 2u : 0u));
    hash_quat(hash, transform.rotation);
  }
  return SUPPLE_OK;
}

static supple_result singular_values(cli_golden_hash *hash) {
  cli_golden_random random = {5};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const supple_affine64 m = random_affine(&random, i);
    const supple_mat3 linear = supple_affine64_linear(&m);
    supple_mat3 u, v;
    double values[3];
    supple_mat3_svd(&linear, &u, values, &v);
    cli_golden_hash_doubles(hash, values, 3);
    cli_golden_hash_doubles(hash, u.m[0], 9);
    cli_golden_hash_doubles(hash, v.m[0], 9);
  }
  return SUPPLE_OK;
}

static supple_result splits(cli_golden_hash *hash, bool polar) {
  cli_golden_random random = {6};
  for (uint32_t i = 0; i < ROUNDS; i++) {
    const supple_affine64 m = random_affine(&random, i);
    const supple_quat hint = random_rotation(&random);
    const supple_quat *use = i % 3 ? &hint : NULL;
    const supple_split s =
        polar ? supple_split_polar(&m, use, i % 2) : supple_split_gram_schmidt(&m, use, i % 2);
    hash_quat(hash, s.rotation);
    cli_golden_hash_doubles(hash, s.stretch.m[0], 9);
    hash_double(hash, s.scale);
    hash_double(hash, s.residual);
    cli_golden_hash_u32(hash, (uint32_t)s.rank + (s.mirrored ? 8u : 0u));
  }
  return SUPPLE_OK;
}

static supple_result polar_splits(cli_golden_hash *hash) { return splits(hash, true); }
static supple_result gram_schmidt_splits(cli_golden_hash *hash) { return splits(hash, false); }

/* ---- poses and palettes ---- */

/* A chain with branches; node 5 has a sheared matrix, node 7 mirrors; every node is animated in one of the
 * paths, by one of the interpolations. */
typedef struct scene {
  supple_node nodes[NODES];
  uint32_t order[NODES], joints[NODES], parents[NODES];
  float weights[MORPHS], times[KEYS], values[NODES][3 * KEYS * 4];
  supple_affine64 inverse_binds[NODES];
  supple_channel channels[NODES];
  supple_skeleton skeleton;
  supple_skin skin;
  supple_instance instance;
  supple_clip clip;
} scene;

static void build_node(scene *s, uint32_t n, cli_golden_random *random) {
  supple_node *node = &s->nodes[n];
  node->name = "";
  node->parent = n ? (n - 1) / 2 : SUPPLE_NONE;
  node->mesh = node->skin = node->camera = SUPPLE_NONE;
  node->rest.translation = random_vector(random);
  node->rest.rotation = random_rotation(random);
  node->rest.scale = supple_vec3_make(n == 7 ? -1 : 1, n % 4 == 3 ? 1.5 : 1, 1);
  node->has_matrix = n == 5;
  node->matrix = random_affine(random, 1);
  s->order[n] = n;
  s->joints[n] = n;
  s->parents[n] = node->parent;
  s->inverse_binds[n] = random_affine(random, 1);
}

static void build_channel(scene *s, uint32_t n, cli_golden_random *random) {
  static const uint32_t widths[4] = {3, 4, 3, MORPHS};
  supple_channel *channel = &s->channels[n];
  channel->node = n;
  channel->path = n == 0 ? SUPPLE_PATH_WEIGHTS : (supple_path)(n % 3);
  channel->interpolation = (supple_interpolation)(n / 3 % 3);
  channel->width = widths[channel->path];
  channel->key_count = KEYS;
  channel->times = s->times;
  channel->values = s->values[n];
  for (int i = 0; i < 3 * KEYS * 4; i++) s->values[n][i] = (float)cli_golden_signed(random);
}

static void build_scene(scene *s) {
  cli_golden_random random = {7};
  memset(s, 0, sizeof *s);
  for (uint32_t n = 0; n < NODES; n++) build_node(s, n, &random);
  s->nodes[0].weight_count = MORPHS;
  for (int i = 0; i < KEYS; i++) s->times[i] = (float)(i * i) / 8.0f;
  for (int i = 0; i < MORPHS; i++) s->weights[i] = (float)cli_golden_signed(&random);
  for (uint32_t n = 0; n < NODES; n++) build_channel(s, n, &random);
  s->skeleton = (supple_skeleton){s->nodes, s->order, NODES, s->weights, MORPHS};
  s->skin.name = "";
  s->skin.joint_count = NODES;
  s->skin.joints = s->joints;
  s->skin.inverse_binds = s->inverse_binds;
  s->skin.parents = s->parents;
  s->skin.skeleton = SUPPLE_NONE;
  s->instance.node = 3;
  s->instance.skin = &s->skin;
  s->clip = (supple_clip){"", 0, (double)s->times[KEYS - 1], s->channels, NODES};
}

static void hash_pose(cli_golden_hash *hash, const supple_pose *pose) {
  for (uint32_t n = 0; n < NODES; n++) {
    hash_quat(hash, pose->locals[n].rotation);
    cli_golden_hash_doubles(hash, pose->worlds[n].m[0], 12);
    hash_quat(hash, pose->rotations[n]);
    cli_golden_hash_u32(hash, pose->mirrored[n] ? 1 : 0);
  }
  cli_golden_hash_floats(hash, pose->weights, MORPHS);
}

static void hash_palette(cli_golden_hash *hash, const supple_palette *palette) {
  for (uint32_t j = 0; j < palette->joint_count; j++) {
    cli_golden_hash_floats(hash, palette->matrices[j].m[0], 12);
    hash_quat(hash, palette->rotations[j]);
    cli_golden_hash_u32(hash, palette->mirrored[j] ? 1 : 0);
  }
}

/* Before, between, on and after the keys. */
static supple_result sample_all(cli_golden_hash *hash, supple_palette *palette) {
  scene *s = malloc(sizeof *s);
  if (!s) return SUPPLE_ERROR_MEMORY;
  build_scene(s);
  supple_pose *pose = supple_pose_create(&s->skeleton, NULL, NULL);
  for (int i = -1; pose && i < 40; i++) {
    supple_pose_sample(pose, &s->clip, i / 16.0);
    if (palette)
      hash_palette(hash, supple_palette_compose(palette, pose, &s->instance));
    else
      hash_pose(hash, pose);
  }
  const supple_result result = pose ? SUPPLE_OK : SUPPLE_ERROR_MEMORY;
  supple_pose_destroy(pose);
  free(s);
  return result;
}

static supple_result poses(cli_golden_hash *hash) { return sample_all(hash, NULL); }

static supple_result palettes(cli_golden_hash *hash, supple_space space) {
  supple_palette *palette = supple_palette_create(NODES, space, NULL, NULL);
  const supple_result result = palette ? sample_all(hash, palette) : SUPPLE_ERROR_MEMORY;
  supple_palette_destroy(palette);
  return result;
}

static supple_result scene_palettes(cli_golden_hash *hash) {
  return palettes(hash, SUPPLE_SPACE_SCENE);
}
static supple_result mesh_palettes(cli_golden_hash *hash) {
  return palettes(hash, SUPPLE_SPACE_MESH);
}

/* ---- morphing and bindings ---- */

typedef struct shape {
  cli_golden_rig rig;
  float offsets[MORPHS][3][CLI_GOLDEN_VERTICES][3];
  supple_morph_target targets[MORPHS];
  float positions[CLI_GOLDEN_VERTICES][3], normals[CLI_GOLDEN_VERTICES][3];
  float tangents[CLI_GOLDEN_VERTICES][4];
  supple_primitive primitive;
} shape;

static const float morph_weights[MORPHS] = {0.3f, 0, -1.7f};

static shape *create_shape(cli_golden_kind kind) {
  cli_golden_random random = {8};
  shape *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  cli_golden_rig_build(&s->rig, kind);
  float *offsets = &s->offsets[0][0][0][0];
  for (size_t i = 0; i < sizeof s->offsets / sizeof(float); i++)
    offsets[i] = (float)cli_golden_signed(&random);
  for (int t = 0; t < MORPHS; t++)
    s->targets[t] = (supple_morph_target){s->offsets[t][0][0], s->offsets[t][1][0],
                                          t == 0 ? NULL : s->offsets[t][2][0]};
  s->primitive = cli_golden_rig_primitive(&s->rig);
  s->primitive.targets = s->targets;
  s->primitive.target_count = MORPHS;
  return s;
}

static supple_result morph(cli_golden_hash *hash, bool normals, bool tangents) {
  shape *s = create_shape(CLI_GOLDEN_REST);
  if (!s) return SUPPLE_ERROR_MEMORY;
  const supple_result result =
      supple_morph(&s->primitive, morph_weights, MORPHS, (supple_out_stream){s->positions[0], 12},
                   (supple_out_stream){normals ? s->normals[0] : NULL, 12},
                   (supple_out_stream){tangents ? s->tangents[0] : NULL, 16});
  cli_golden_hash_floats(hash, s->positions[0], 3 * CLI_GOLDEN_VERTICES);
  cli_golden_hash_floats(hash, s->normals[0], 3 * CLI_GOLDEN_VERTICES);
  cli_golden_hash_floats(hash, s->tangents[0], 4 * CLI_GOLDEN_VERTICES);
  free(s);
  return result;
}

static supple_result morph_p(cli_golden_hash *hash) { return morph(hash, false, false); }
static supple_result morph_pn(cli_golden_hash *hash) { return morph(hash, true, false); }
static supple_result morph_pnt(cli_golden_hash *hash) { return morph(hash, true, true); }

static void hash_binding(cli_golden_hash *hash, const supple_binding *binding) {
  for (uint32_t v = 0; v < CLI_GOLDEN_VERTICES; v++) {
    const uint16_t *joints;
    const float *weights;
    const float sum = supple_binding_sum(binding, v);
    const uint32_t count = supple_binding_influences(binding, v, &joints, &weights);
    for (uint32_t i = 0; i < count; i++) cli_golden_hash_u32(hash, joints[i]);
    cli_golden_hash_floats(hash, weights, count);
    cli_golden_hash_floats(hash, &sum, 1);
  }
}

static supple_result influences(cli_golden_hash *hash) {
  shape *s = create_shape(CLI_GOLDEN_REST);
  if (!s) return SUPPLE_ERROR_MEMORY;
  static const supple_binding_options options[] = {
      {.max_influences = 0},
      {.weights = SUPPLE_WEIGHTS_KEEP, .unweighted = SUPPLE_UNWEIGHTED_REST},
      {.max_influences = 4},
  };
  supple_result result = SUPPLE_OK;
  for (size_t i = 0; i < sizeof options / sizeof *options && !result; i++) {
    supple_binding *binding = supple_binding_create(&s->primitive, &options[i], NULL);
    if (binding)
      hash_binding(hash, binding);
    else
      result = SUPPLE_ERROR_MEMORY;
    supple_binding_destroy(binding);
  }
  free(s);
  return result;
}

static supple_result bounds(cli_golden_hash *hash) {
  for (int kind = 0; kind < CLI_GOLDEN_KINDS; kind++) {
    shape *s = create_shape((cli_golden_kind)kind);
    supple_binding *binding = s ? supple_binding_create(&s->primitive, NULL, NULL) : NULL;
    if (binding) {
      const supple_palette palette = cli_golden_rig_palette(&s->rig);
      const supple_bounds box = supple_binding_bounds(binding, &palette, morph_weights);
      cli_golden_hash_floats(hash, box.min, 3);
      cli_golden_hash_floats(hash, box.max, 3);
    }
    supple_binding_destroy(binding);
    free(s);
    if (!binding) return SUPPLE_ERROR_MEMORY;
  }
  return SUPPLE_OK;
}

const cli_golden_part_row cli_golden_parts[] = {
    {"morph p", morph_p},
    {"morph pn", morph_pn},
    {"morph pnt", morph_pnt},
    {"influences", influences},
    {"bounds", bounds},
    {"poses", poses},
    {"palettes in the scene", scene_palettes},
    {"palettes in mesh space", mesh_palettes},
    {"trigonometry", trigonometry},
    {"quaternions", quaternions},
    {"dual quaternions", dual_quaternions},
    {"affine maps", affine_maps},
    {"singular values", singular_values},
    {"polar splits", polar_splits},
    {"Gram-Schmidt splits", gram_schmidt_splits},
    {NULL, NULL},
};
