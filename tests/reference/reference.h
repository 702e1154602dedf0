/* reference.h: what deformation has to compute, in double precision, straight from the formulas.
 *
 * Written from the definitions alone and by other algorithms than the library's: it shares no
 * code, type or header with it, is slow on purpose, and says beside every answer how close the
 * input was to a place where the definition itself jumps, so that a comparison can leave out
 * those places and no others. */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REFERENCE_NONE UINT32_MAX

typedef struct reference_vector {
  double x, y, z;
} reference_vector;

/* x i + y j + z k + w */
typedef struct reference_quaternion {
  double x, y, z, w;
} reference_quaternion;

typedef struct reference_linear {
  double m[3][3];
} reference_linear;

/* v' = m (v, 1) */
typedef struct reference_affine {
  double m[3][4];
} reference_affine;

/* ---- algebra ---- */
reference_vector reference_vector_of(double x, double y, double z);
reference_vector reference_sum(reference_vector a, reference_vector b);
reference_vector reference_difference(reference_vector a, reference_vector b);
reference_vector reference_scaled(reference_vector a, double s);
reference_vector reference_cross(reference_vector a, reference_vector b);
double reference_dot(reference_vector a, reference_vector b);
double reference_length(reference_vector a);
reference_quaternion reference_product(reference_quaternion a, reference_quaternion b);
reference_quaternion reference_turn(double axis_x, double axis_y, double axis_z, double angle);
reference_quaternion reference_unit(reference_quaternion q);
double reference_quaternion_dot(reference_quaternion a, reference_quaternion b);
reference_linear reference_rotation(reference_quaternion unit);
reference_linear reference_linear_product(const reference_linear *a, const reference_linear *b);
reference_linear reference_transposed(const reference_linear *a);
double reference_determinant(const reference_linear *a);
double reference_size(const reference_linear *a); /* Frobenius norm */
reference_vector reference_turned(const reference_linear *a, reference_vector v);
reference_affine reference_affine_of(const reference_linear *linear, reference_vector translation);
reference_linear reference_linear_of(const reference_affine *a);
reference_affine reference_affine_product(const reference_affine *a, const reference_affine *b);
reference_affine reference_affine_inverse(const reference_affine *a); /* must be regular */
reference_vector reference_moved(const reference_affine *a, reference_vector v);
/* Translation · rotation · scale of a glTF node. */
reference_affine reference_node(reference_vector translation, reference_quaternion rotation,
                                reference_vector scale);

/* ---- influences ---- */
typedef struct reference_influence {
  uint32_t joint;
  double weight;
} reference_influence;

/* Cleans the `count` raw influences of one vertex: a joint named twice is merged, what is not
 * positive then is dropped; the `most` largest are kept (0: all; ties to the lowest joint); they
 * are scaled to sum 1, or where `keep` to the sum before any was dropped. Without any weight:
 * the first joint named, or nothing where `rest`. Joints ascending into cleaned[count]; returns
 * how many. */
size_t reference_clean(const uint16_t *joints, const float *weights, size_t count, bool keep,
                       bool rest, size_t most, reference_influence *cleaned);

/* ---- joints ---- */
typedef struct reference_joint {
  reference_affine matrix;
  reference_quaternion hint; /* completes the rotation of a singular matrix */
  bool hint_mirrored;
  uint32_t parent; /* for signs per pose, or REFERENCE_NONE */
} reference_joint;

typedef enum reference_method {
  REFERENCE_LBS,
  REFERENCE_DQS_AFFINE,
  REFERENCE_DQS_FIRST,
  REFERENCE_DQS_NONE
} reference_method;

typedef struct reference_settings {
  reference_method method;
  bool signs_per_pose;
  bool gram_schmidt;
} reference_settings;

/* M = T R S, and the quaternion of R with its sign. The margins are distances to places where
 * the definition jumps; 1 is far. */
typedef struct reference_factor {
  reference_linear rotation, stretch;
  reference_quaternion quaternion;
  int rank;
  bool mirrored;
  double rank_margin;      /* of a singular value to the threshold of 1e-6, as a share of it */
  double hint_margin;      /* of the completion to undecided */
  double component_margin; /* of the quaternion's largest component to the next of other sign */
  double parent_margin;    /* signs per pose: of the dot product to -1e-6, over all joints above */
  bool signed_by_parent;
} reference_factor;

/* The orthogonal polar factor of a, completed by the hint where its rank is below 3. Newton's
 * iteration in Higham's form; singular input as the limit of polar(a + e hint), e -> 0, by
 * extrapolation. */
reference_linear reference_polar(const reference_linear *a, const reference_linear *hint, int *rank,
                                 double *rank_margin, double *hint_margin);
/* Rotation matrix to quaternion, largest component positive. */
reference_quaternion reference_quaternion_of(const reference_linear *rotation,
                                             double *component_margin);

/* factors[count] of all joints. */
void reference_prepare(const reference_joint *joints, uint32_t count,
                       const reference_settings *settings, reference_factor *factors);

/* ---- vertices ---- */
typedef struct reference_vertex {
  reference_vector position;
  reference_linear linear; /* of v -> v' at these weights */
  double determinant;      /* of linear */
  double size; /* largest |M| |v| + |t| of its joints: what rounding errors are relative to */
  double linear_size;     /* largest |M| */
  double blend;           /* |r| for weights of sum 1; 1 for LBS: errors grow by its inverse */
  double sign_margin;     /* of the decisions on signs to undecided; 1 is far */
  double singular_margin; /* smallest rank and hint margin of its joints */
  uint32_t flipped;       /* influences negated against the pivot */
  bool fallback;          /* |r|^2 below 1e-12: LBS */
} reference_vertex;

/* Deforms one vertex by its cleaned influences (none: it stays). */
void reference_deform(const reference_joint *joints, const reference_factor *factors,
                      const reference_settings *settings, const reference_influence *influences,
                      size_t count, reference_vector position, reference_vertex *vertex);

typedef enum reference_normals {
  REFERENCE_COFACTOR,
  REFERENCE_UNIT,
  REFERENCE_LINEAR
} reference_normals;

/* The posed normal. *margin: how far the vector that gives the direction is from vanishing,
 * relative to linear_size to the power it has. */
reference_vector reference_normal(const reference_vertex *vertex, reference_normals mode,
                                  reference_vector normal, double *margin);
/* The posed tangent; new_normal NULL where there is none. *margin as for normals. */
reference_vector reference_tangent(const reference_vertex *vertex, reference_normals mode,
                                   reference_vector tangent, const reference_vector *new_normal,
                                   double *margin);

#endif
