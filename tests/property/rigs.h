/* rigs.h: what the property tests share: random numbers, meshes, palettes, and one call that
 * deforms. */
#ifndef RIGS_H
#define RIGS_H

#include <supple/supple.h>

#include "tests/reference/reference.h"

#define RIGS_MOST_JOINTS 48

/* ---- random numbers: the same on every platform ----
 * Only where no two calls share an expression: C leaves the order of arguments to the compiler. */
typedef struct rigs_random {
  uint64_t state;
} rigs_random;
double rigs_uniform(rigs_random *random, double low, double high);
uint32_t rigs_below(rigs_random *random, uint32_t limit);
reference_quaternion rigs_rotation(rigs_random *random);                     /* any */
reference_quaternion rigs_small_rotation(rigs_random *random, double most);  /* radians */
reference_vector rigs_between(rigs_random *random, double low, double high); /* each of x, y, z */
reference_vector rigs_vector(rigs_random *random, double half_width);

/* ---- meshes ---- */
typedef struct rigs_mesh {
  uint32_t vertex_count, influence_count;
  float *positions, *normals, *tangents, *weights;
  uint16_t *joints;
} rigs_mesh;
/* Random positions within ±1, unit normals and tangents, good weights of `influence_count`
 * different joints below joint_count (all of them where there are fewer). */
rigs_mesh *rigs_mesh_create(rigs_random *random, uint32_t vertex_count, uint32_t influence_count,
                            uint32_t joint_count);
void rigs_mesh_destroy(rigs_mesh *mesh);
supple_primitive rigs_primitive(const rigs_mesh *mesh);
reference_vector rigs_position(const rigs_mesh *mesh, uint32_t vertex);
/* Fails the test where the binding cannot be made. */
supple_binding *rigs_bind(const rigs_mesh *mesh, const supple_binding_options *options);

/* ---- palettes made by hand ---- */
typedef struct rigs_palette {
  supple_affine matrices[RIGS_MOST_JOINTS];
  supple_quat rotations[RIGS_MOST_JOINTS];
  uint8_t mirrored[RIGS_MOST_JOINTS];
  uint32_t parents[RIGS_MOST_JOINTS];
  reference_joint joints[RIGS_MOST_JOINTS]; /* the same, in double as the matrices were rounded */
  uint32_t count;
} rigs_palette;
/* Joint number `count` more: matrix (rounded to float), the rotation that would complete it, its
 * parent. */
void rigs_add(rigs_palette *palette, const reference_affine *matrix, reference_quaternion rotation,
              bool mirrored, uint32_t parent);
/* As the library sees it: all pointers into `palette`. */
supple_palette rigs_view(rigs_palette *palette);
/* The same from a palette that the library composed. */
void rigs_copy(const supple_palette *from, rigs_palette *to);
reference_affine rigs_rigid(reference_quaternion rotation, reference_vector translation);
reference_affine rigs_stretched(reference_quaternion rotation, reference_vector translation,
                                const reference_linear *stretch);

/* ---- deforming ---- */
typedef struct rigs_result {
  uint32_t vertex_count;
  float *positions, *normals, *tangents;
  supple_deform_report report;
  supple_prepared_report found;
  supple_inspection inspection;
} rigs_result;
/* Prepares, deforms everything, and fails the test where that fails. */
rigs_result *rigs_deform(const rigs_mesh *mesh, const supple_binding *binding,
                         const supple_palette *palette, supple_method method,
                         const supple_prepared_options *options, supple_normals normals);
void rigs_result_destroy(rigs_result *result);
reference_vector rigs_result_position(const rigs_result *result, uint32_t vertex);
/* Largest distance of two results, vertex by vertex. */
double rigs_distance(const rigs_result *a, const rigs_result *b);
bool rigs_same_bits(const rigs_result *a, const rigs_result *b);
bool rigs_finite(const rigs_result *result);
/* Prints the largest error and the bound, and fails the test where it is not within. */
void rigs_expect(const char *what, double error, double bound);

#endif
