/* copies.c: the copies of an instance that EXT_mesh_gpu_instancing draws. */
#include "copies.h"

#include <math.h>

uint32_t cli_copy_count(const supple_instance *instance) {
  return instance->copies && instance->copy_count ? instance->copy_count : 1;
}

supple_affine64 cli_copy_matrix(const supple_instance *instance, uint32_t copy,
                                const supple_pose *pose, supple_space space) {
  if (!instance->copies || copy >= instance->copy_count) return supple_affine64_identity();
  const supple_affine64 *moved = &instance->copies[copy], *world = &pose->worlds[instance->node];
  supple_affine64 inverse;
  /* Copies are of the scene: from mesh space there and back. A singular node has no mesh space. */
  if (space == SUPPLE_SPACE_SCENE || !supple_affine64_inverse(world, &inverse)) return *moved;
  const supple_affine64 scene = supple_affine64_multiply(moved, world);
  return supple_affine64_multiply(&inverse, &scene);
}

static supple_vec3 load(const float *v) {
  return supple_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

static void store(float *v, supple_vec3 a) {
  v[0] = (float)a.x, v[1] = (float)a.y, v[2] = (float)a.z;
}

static supple_vec3 turned(const supple_mat3 *m, supple_vec3 a) {
  return supple_vec3_make(m->m[0][0] * a.x + m->m[0][1] * a.y + m->m[0][2] * a.z,
                          m->m[1][0] * a.x + m->m[1][1] * a.y + m->m[1][2] * a.z,
                          m->m[2][0] * a.x + m->m[2][1] * a.y + m->m[2][2] * a.z);
}

/* The direction of `a`, where it has one, at the length of `like`. */
static supple_vec3 lengthened(supple_vec3 a, supple_vec3 like) {
  const double length = supple_vec3_length(like);
  const supple_vec3 zero = {0, 0, 0};
  const supple_vec3 unit = supple_vec3_normalise(a, zero);
  return supple_vec3_dot(unit, unit) > 0 ? supple_vec3_scale(unit, length) : like;
}

static supple_vec3 without_part_along(supple_vec3 a, supple_vec3 normal) {
  const double square = supple_vec3_dot(normal, normal);
  if (!(square > 0)) return a;
  return supple_vec3_subtract(a, supple_vec3_scale(normal, supple_vec3_dot(a, normal) / square));
}

void cli_copy_move(const supple_affine64 *matrix, size_t count, float *positions, float *normals,
                   float *tangents) {
  const supple_mat3 linear = supple_affine64_linear(matrix);
  const supple_mat3 cofactor = supple_mat3_cofactor(&linear);
  const double sign = supple_mat3_determinant(&linear) < 0 ? -1 : 1;
  for (size_t i = 0; i < count; i++) {
    float *p = positions + 3 * i;
    store(p, supple_affine64_transform_point(matrix, load(p)));
    if (normals) {
      const supple_vec3 n = load(normals + 3 * i);
      store(normals + 3 * i, lengthened(supple_vec3_scale(turned(&cofactor, n), sign), n));
    }
    if (!tangents) continue;
    const supple_vec3 t = load(tangents + 4 * i);
    supple_vec3 moved = turned(&linear, t);
    if (normals) moved = without_part_along(moved, load(normals + 3 * i));
    store(tangents + 4 * i, lengthened(moved, t));
    if (sign < 0) tangents[4 * i + 3] = -tangents[4 * i + 3];
  }
}

supple_bounds cli_copy_bounds(const supple_affine64 *matrix, supple_bounds box) {
  supple_bounds out = {{1, 1, 1}, {-1, -1, -1}};
  if (!(box.min[0] <= box.max[0])) return box;
  for (int corner = 0; corner < 8; corner++) {
    float p[3];
    for (int axis = 0; axis < 3; axis++)
      p[axis] = corner >> axis & 1 ? box.max[axis] : box.min[axis];
    cli_copy_move(matrix, 1, p, NULL, NULL);
    const supple_stream stream = {p, 3 * sizeof(float)};
    out = supple_bounds_join(out, supple_bounds_of(stream, 1));
  }
  return out;
}
