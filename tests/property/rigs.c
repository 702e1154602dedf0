/* rigs.c: random numbers, meshes, palettes and deforming for the property tests. See rigs.h. */
#include "tests/property/rigs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- random numbers ---- */

/* SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t next(rigs_random *random) {
  uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double rigs_uniform(rigs_random *random, double low, double high) {
  double unit = (double)(next(random) >> 11) * 0x1p-53;
  return low + (high - low) * unit;
}

uint32_t rigs_below(rigs_random *random, uint32_t limit) {
  return (uint32_t)(next(random) % limit);
}

reference_quaternion rigs_rotation(rigs_random *random) {
  for (;;) {
    reference_vector v = rigs_vector(random, 1);
    reference_quaternion q = {v.x, v.y, v.z, rigs_uniform(random, -1, 1)};
    double square = reference_quaternion_dot(q, q);
    if (square > 0.01 && square < 1) return reference_unit(q);
  }
}

reference_quaternion rigs_small_rotation(rigs_random *random, double most) {
  reference_quaternion q = rigs_rotation(random);
  return reference_turn(q.x, q.y, q.z, rigs_uniform(random, 0, most));
}

reference_vector rigs_between(rigs_random *random, double low, double high) {
  double x = rigs_uniform(random, low, high);
  double y = rigs_uniform(random, low, high);
  return reference_vector_of(x, y, rigs_uniform(random, low, high));
}

reference_vector rigs_vector(rigs_random *random, double half_width) {
  return rigs_between(random, -half_width, half_width);
}

/* ---- meshes ---- */

static void *zeroed(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  assert_non_null(memory);
  return memory;
}

static void store(float *to, reference_vector v) {
  to[0] = (float)v.x;
  to[1] = (float)v.y;
  to[2] = (float)v.z;
}

static void random_influences(rigs_random *random, rigs_mesh *mesh, uint32_t vertex,
                              uint32_t joint_count) {
  uint16_t *joints = mesh->joints + (size_t)vertex * mesh->influence_count;
  float *weights = mesh->weights + (size_t)vertex * mesh->influence_count;
  double values[RIGS_MOST_JOINTS], sum = 0;
  uint32_t start = rigs_below(random, joint_count), used = mesh->influence_count;
  if (used > joint_count) used = joint_count;
  for (uint32_t i = 0; i < used; i++) sum += values[i] = rigs_uniform(random, 0.05, 1);
  for (uint32_t i = 0; i < used; i++) { /* neighbours in the list, so that blocks share joints */
    joints[i] = (uint16_t)((start + i) % joint_count);
    weights[i] = (float)(values[i] / sum);
  }
}

rigs_mesh *rigs_mesh_create(rigs_random *random, uint32_t vertex_count, uint32_t influence_count,
                            uint32_t joint_count) {
  rigs_mesh *mesh = zeroed(1, sizeof *mesh);
  size_t slots = (size_t)vertex_count * influence_count;
  mesh->vertex_count = vertex_count;
  mesh->influence_count = influence_count;
  mesh->positions = zeroed(vertex_count, 3 * sizeof(float));
  mesh->normals = zeroed(vertex_count, 3 * sizeof(float));
  mesh->tangents = zeroed(vertex_count, 4 * sizeof(float));
  mesh->weights = zeroed(slots, sizeof(float));
  mesh->joints = zeroed(slots, sizeof(uint16_t));
  for (uint32_t v = 0; v < vertex_count; v++) {
    reference_linear frame = reference_rotation(rigs_rotation(random));
    store(mesh->positions + 3 * (size_t)v, rigs_vector(random, 1));
    store(mesh->normals + 3 * (size_t)v, reference_turned(&frame, reference_vector_of(0, 0, 1)));
    store(mesh->tangents + 4 * (size_t)v, reference_turned(&frame, reference_vector_of(1, 0, 0)));
    mesh->tangents[4 * (size_t)v + 3] = v % 2 ? -1.0f : 1.0f;
    random_influences(random, mesh, v, joint_count);
  }
  return mesh;
}

void rigs_mesh_destroy(rigs_mesh *mesh) {
  free(mesh->positions);
  free(mesh->normals);
  free(mesh->tangents);
  free(mesh->weights);
  free(mesh->joints);
  free(mesh);
}

supple_primitive rigs_primitive(const rigs_mesh *mesh) {
  supple_primitive primitive;
  memset(&primitive, 0, sizeof primitive);
  primitive.vertex_count = mesh->vertex_count;
  primitive.positions = mesh->positions;
  primitive.normals = mesh->normals;
  primitive.tangents = mesh->tangents;
  primitive.influence_count = mesh->influence_count;
  primitive.joints = mesh->joints;
  primitive.weights = mesh->weights;
  primitive.material = SUPPLE_NONE;
  return primitive;
}

reference_vector rigs_position(const rigs_mesh *mesh, uint32_t vertex) {
  const float *p = mesh->positions + 3 * (size_t)vertex;
  return reference_vector_of((double)p[0], (double)p[1], (double)p[2]);
}

supple_binding *rigs_bind(const rigs_mesh *mesh, const supple_binding_options *options) {
  supple_primitive primitive = rigs_primitive(mesh);
  supple_error error;
  memset(&error, 0, sizeof error);
  supple_binding *binding = supple_binding_create(&primitive, options, &error);
  if (!binding) fail_msg("no binding: %s", error.message);
  return binding;
}

/* ---- palettes ---- */

void rigs_add(rigs_palette *palette, const reference_affine *matrix, reference_quaternion rotation,
              bool mirrored, uint32_t parent) {
  assert_true(palette->count < RIGS_MOST_JOINTS);
  uint32_t j = palette->count++;
  reference_joint *joint = &palette->joints[j];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      palette->matrices[j].m[i][k] = (float)matrix->m[i][k];
      joint->matrix.m[i][k] = (double)palette->matrices[j].m[i][k];
    }
  palette->rotations[j] = supple_quat_make(rotation.x, rotation.y, rotation.z, rotation.w);
  palette->mirrored[j] = mirrored;
  palette->parents[j] = parent;
  joint->hint = rotation;
  joint->hint_mirrored = mirrored;
  joint->parent = parent;
}

supple_palette rigs_view(rigs_palette *palette) {
  supple_palette view;
  memset(&view, 0, sizeof view);
  view.joint_count = palette->count;
  view.matrices = palette->matrices;
  view.rotations = palette->rotations;
  view.mirrored = palette->mirrored;
  view.parents = palette->parents;
  return view;
}

void rigs_copy(const supple_palette *from, rigs_palette *to) {
  memset(to, 0, sizeof *to);
  for (uint32_t j = 0; j < from->joint_count; j++) {
    reference_affine matrix;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 4; k++) matrix.m[i][k] = (double)from->matrices[j].m[i][k];
    const supple_quat *q = &from->rotations[j];
    reference_quaternion rotation = {q->x, q->y, q->z, q->w};
    rigs_add(to, &matrix, rotation, from->mirrored[j] != 0, from->parents[j]);
  }
}

reference_affine rigs_rigid(reference_quaternion rotation, reference_vector translation) {
  reference_linear turn = reference_rotation(rotation);
  return reference_affine_of(&turn, translation);
}

reference_affine rigs_stretched(reference_quaternion rotation, reference_vector translation,
                                const reference_linear *stretch) {
  reference_linear turn = reference_rotation(rotation);
  reference_linear linear = reference_linear_product(&turn, stretch);
  return reference_affine_of(&linear, translation);
}

/* ---- deforming ---- */

rigs_result *rigs_deform(const rigs_mesh *mesh, const supple_binding *binding,
                         const supple_palette *palette, supple_method method,
                         const supple_prepared_options *options, supple_normals normals) {
  rigs_result *result = zeroed(1, sizeof *result);
  uint32_t count = mesh->vertex_count;
  result->vertex_count = count;
  result->positions = zeroed(count, 3 * sizeof(float));
  result->normals = zeroed(count, 3 * sizeof(float));
  result->tangents = zeroed(count, 4 * sizeof(float));
  supple_prepared *prepared = supple_prepared_create(binding, options, NULL);
  assert_non_null(prepared);
  assert_int_equal(supple_prepared_update(prepared, binding, palette, method), SUPPLE_OK);
  supple_job job;
  memset(&job, 0, sizeof job);
  job.prepared = prepared;
  job.positions.data = mesh->positions, job.positions.stride = 3 * sizeof(float);
  job.normals.data = mesh->normals, job.normals.stride = 3 * sizeof(float);
  job.tangents.data = mesh->tangents, job.tangents.stride = 4 * sizeof(float);
  job.out_positions.data = result->positions, job.out_positions.stride = 3 * sizeof(float);
  job.out_normals.data = result->normals, job.out_normals.stride = 3 * sizeof(float);
  job.out_tangents.data = result->tangents, job.out_tangents.stride = 4 * sizeof(float);
  job.normal_mode = normals;
  assert_int_equal(supple_deform_range(&job, 0, count, &result->report), SUPPLE_OK);
  assert_int_equal(supple_prepared_inspect(prepared, 0, count, &result->inspection), SUPPLE_OK);
  result->found = *supple_prepared_found(prepared);
  supple_prepared_destroy(prepared);
  return result;
}

void rigs_result_destroy(rigs_result *result) {
  free(result->positions);
  free(result->normals);
  free(result->tangents);
  free(result);
}

reference_vector rigs_result_position(const rigs_result *result, uint32_t vertex) {
  const float *p = result->positions + 3 * (size_t)vertex;
  return reference_vector_of((double)p[0], (double)p[1], (double)p[2]);
}

double rigs_distance(const rigs_result *a, const rigs_result *b) {
  double largest = 0;
  for (uint32_t v = 0; v < a->vertex_count; v++) {
    reference_vector d =
        reference_difference(rigs_result_position(a, v), rigs_result_position(b, v));
    double distance = reference_length(d);
    if (isnan(distance)) return distance;
    largest = fmax(largest, distance);
  }
  return largest;
}

bool rigs_same_bits(const rigs_result *a, const rigs_result *b) {
  size_t count = a->vertex_count;
  return memcmp(a->positions, b->positions, 3 * count * sizeof(float)) == 0 &&
         memcmp(a->normals, b->normals, 3 * count * sizeof(float)) == 0 &&
         memcmp(a->tangents, b->tangents, 4 * count * sizeof(float)) == 0;
}

bool rigs_finite(const rigs_result *result) {
  bool finite = true;
  for (size_t i = 0; i < 3 * (size_t)result->vertex_count; i++)
    finite = finite && isfinite(result->positions[i]) && isfinite(result->normals[i]);
  for (size_t i = 0; i < 4 * (size_t)result->vertex_count; i++)
    finite = finite && isfinite(result->tangents[i]);
  return finite;
}

void rigs_expect(const char *what, double error, double bound) {
  print_message("  %-60s %.3g (bound %.3g)\n", what, error, bound);
  if (!(error <= bound)) fail_msg("%s: %.6g exceeds %.3g", what, error, bound);
}
