/* rig_reference.h: what the tests of rig share: an independent composition in long double, random
 * numbers, and an allocator that counts and fails. */
#ifndef RIG_REFERENCE_H
#define RIG_REFERENCE_H

#include <supple/rig.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix4 {
  long double m[4][4];
} matrix4;

static inline matrix4 matrix4_identity(void) {
  matrix4 r;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) r.m[i][j] = i == j;
  return r;
}

static inline matrix4 matrix4_multiply(matrix4 a, matrix4 b) {
  matrix4 r;
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      r.m[i][j] = 0;
      for (int k = 0; k < 4; k++) r.m[i][j] += a.m[i][k] * b.m[k][j];
    }
  return r;
}

static inline matrix4 matrix4_from_affine(const supple_affine64 *a) {
  matrix4 r = matrix4_identity();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) r.m[i][j] = (long double)a->m[i][j];
  return r;
}

/* The textbook rotation matrix of q / |q|. */
static inline matrix4 matrix4_from_quat(supple_quat q) {
  const long double x = (long double)q.x, y = (long double)q.y, z = (long double)q.z,
                    w = (long double)q.w, n = x * x + y * y + z * z + w * w, s = n > 0 ? 2 / n : 0;
  matrix4 r = matrix4_identity();
  r.m[0][0] -= s * (y * y + z * z), r.m[0][1] = s * (x * y - z * w), r.m[0][2] = s * (x * z + y * w);
  r.m[1][0] = s * (x * y + z * w), r.m[1][1] -= s * (x * x + z * z), r.m[1][2] = s * (y * z - x * w);
  r.m[2][0] = s * (x * z - y * w), r.m[2][1] = s * (y * z + x * w), r.m[2][2] -= s * (x * x + y * y);
  return r;
}

static inline matrix4 matrix4_from_transform(const supple_transform *t) {
  matrix4 translation = matrix4_identity(), scale = matrix4_identity();
  translation.m[0][3] = (long double)t->translation.x;
  translation.m[1][3] = (long double)t->translation.y;
  translation.m[2][3] = (long double)t->translation.z;
  scale.m[0][0] = (long double)t->scale.x;
  scale.m[1][1] = (long double)t->scale.y;
  scale.m[2][2] = (long double)t->scale.z;
  return matrix4_multiply(translation, matrix4_multiply(matrix4_from_quat(t->rotation), scale));
}

/* Gauss-Jordan with pivots; the matrix must be regular. */
static inline matrix4 matrix4_inverse(matrix4 a) {
  matrix4 r = matrix4_identity();
  for (int c = 0; c < 4; c++) {
    int pivot = c;
    for (int i = c + 1; i < 4; i++)
      if (fabsl(a.m[i][c]) > fabsl(a.m[pivot][c])) pivot = i;
    for (int j = 0; j < 4; j++) {
      const long double t = a.m[c][j], u = r.m[c][j];
      a.m[c][j] = a.m[pivot][j], a.m[pivot][j] = t;
      r.m[c][j] = r.m[pivot][j], r.m[pivot][j] = u;
    }
    const long double d = a.m[c][c];
    for (int j = 0; j < 4; j++) a.m[c][j] /= d, r.m[c][j] /= d;
    for (int i = 0; i < 4; i++) {
      const long double f = i == c ? 0 : a.m[i][c];
      for (int j = 0; j < 4; j++) a.m[i][j] -= f * a.m[c][j], r.m[i][j] -= f * r.m[c][j];
    }
  }
  return r;
}

/* The orthogonal polar factor of the linear part, reflections included, by Newton's iteration
 * X <- (X + X^-T) / 2; the linear part must be regular. */
static inline matrix4 matrix4_polar(matrix4 a) {
  for (int i = 0; i < 3; i++) a.m[i][3] = 0;
  for (int round = 0; round < 60; round++) {
    const matrix4 inverse = matrix4_inverse(a);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) a.m[i][j] = (a.m[i][j] + inverse.m[j][i]) / 2;
  }
  return a;
}

static inline long double matrix4_determinant(matrix4 a) {
  return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1]) -
         a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0]) +
         a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);
}

/* Largest difference of the upper three rows, relative to the largest entry of b (1 at least). */
static inline double matrix4_distance(matrix4 a, matrix4 b) {
  long double worst = 0, largest = 1;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      const long double d = fabsl(a.m[i][j] - b.m[i][j]);
      if (!(d <= worst)) worst = d; /* keeps NaN */
      if (fabsl(b.m[i][j]) > largest) largest = fabsl(b.m[i][j]);
    }
  return (double)(worst / largest);
}

/* The orthogonal matrix that a rotation and a mirror flag stand for: R, or -R. */
static inline matrix4 matrix4_of_turn(supple_quat rotation, bool mirrored) {
  matrix4 r = matrix4_from_quat(rotation);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r.m[i][j] = mirrored ? -r.m[i][j] : r.m[i][j];
  return r;
}

/* The world of a node, straight from the definition: its own local under that of every ancestor. */
static inline matrix4 reference_world(const supple_pose *pose, uint32_t node) {
  matrix4 world = matrix4_identity();
  for (; node != SUPPLE_NONE; node = pose->skeleton->nodes[node].parent)
    world = matrix4_multiply(pose->use_matrix[node]
                                 ? matrix4_from_affine(&pose->skeleton->nodes[node].matrix)
                                 : matrix4_from_transform(&pose->locals[node]),
                             world);
  return world;
}

/* ---- random numbers: the same on every run ---- */
static inline uint32_t random_bits(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*state >> 32);
}
static inline double random_between(uint64_t *state, double low, double high) {
  return low + (high - low) * ((double)random_bits(state) / 4294967296.0);
}
static inline supple_vec3 random_vec3(uint64_t *state, double low, double high) {
  const double x = random_between(state, low, high), y = random_between(state, low, high);
  return supple_vec3_make(x, y, random_between(state, low, high));
}
static inline supple_quat random_quat(uint64_t *state) {
  const supple_vec3 v = random_vec3(state, -1, 1);
  return supple_quat_make(v.x, v.y, v.z, random_between(state, 0.1, 1));
}

/* ---- building rigs ---- */
static inline supple_node plain_node(uint32_t parent) {
  supple_node node = {
      .name = "", .parent = parent, .mesh = SUPPLE_NONE, .skin = SUPPLE_NONE, .camera = SUPPLE_NONE};
  node.rest.rotation = supple_quat_make(0, 0, 0, 1);
  node.rest.scale = supple_vec3_make(1, 1, 1);
  for (int i = 0; i < 3; i++) node.matrix.m[i][i] = 1;
  return node;
}

enum { RANDOM_NODES = 40 };

/* A random forest whose indices are shuffled against its order. Scales may be negative; some
 * nodes have a sheared matrix where `matrices`. */
typedef struct random_rig {
  supple_node nodes[RANDOM_NODES];
  uint32_t order[RANDOM_NODES];
  supple_skeleton skeleton;
} random_rig;

static inline void random_rig_make(random_rig *rig, uint64_t *state, bool matrices) {
  for (uint32_t i = 0; i < RANDOM_NODES; i++) rig->order[i] = i;
  for (uint32_t i = RANDOM_NODES - 1; i > 0; i--) {
    const uint32_t j = random_bits(state) % (i + 1), t = rig->order[i];
    rig->order[i] = rig->order[j], rig->order[j] = t;
  }
  for (uint32_t i = 0; i < RANDOM_NODES; i++) {
    const bool root = i == 0 || random_bits(state) % 16 == 0;
    supple_node *node = &rig->nodes[rig->order[i]];
    *node =
        plain_node(root ? SUPPLE_NONE : rig->order[i - 1 - random_bits(state) % (i < 4 ? i : 4)]);
    node->rest.translation = random_vec3(state, -2, 2);
    node->rest.rotation = random_quat(state);
    node->rest.scale = random_vec3(state, 0.6, 1.6);
    if (random_bits(state) % 3 == 0) node->rest.scale.x *= -1;
    if (random_bits(state) % 3 == 0) node->rest.scale.y *= -1;
    if (random_bits(state) % 3 == 0) node->rest.scale.z *= -1;
    node->has_matrix = matrices && random_bits(state) % 4 == 0;
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 4; c++)
        node->matrix.m[r][c] = random_between(state, -0.3, 0.3) + (r == c ? 1 : 0);
    if (random_bits(state) % 2) node->matrix.m[2][2] *= -1;
  }
  rig->skeleton =
      (supple_skeleton){.nodes = rig->nodes, .order = rig->order, .node_count = RANDOM_NODES};
}

/* ---- memory: counts what lives, fails the `fail_at`-th call (from 0) ---- */
typedef struct counting_memory {
  size_t live_blocks, live_bytes, calls, fail_at;
} counting_memory;

static inline void *counting_allocate(void *user, size_t size) {
  counting_memory *memory = user;
  if (memory->calls++ == memory->fail_at) return NULL;
  memory->live_blocks++, memory->live_bytes += size;
  void *block = malloc(size);
  if (block) memset(block, 0xA5, size);
  return block;
}
static inline void counting_release(void *user, void *block, size_t size) {
  counting_memory *memory = user;
  memory->live_blocks--, memory->live_bytes -= size;
  free(block);
}
static inline supple_allocator counting_allocator(counting_memory *memory) {
  return (supple_allocator){counting_allocate, counting_release, memory};
}

#endif
