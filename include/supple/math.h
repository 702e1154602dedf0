/* math.h: vectors, quaternions, dual quaternions, affine maps, polar decomposition, trigonometry.
 *
 * All mathematics is in double precision; floats appear only in supple_affine, the kernels' matrix.
 * Poses and palettes are composed here and rounded once. Everything is a pure function of its
 * arguments, gives the same bits on every platform (contraction off, own trigonometry; only sqrt,
 * fabs, floor of the C library, which IEEE 754 defines exactly), and may be called from any thread.
 * (The inline functions are compiled in your source, by its settings: -ffp-contract=off for the same bits.)
 * Arguments are finite unless a comment says otherwise; angles are radians.
 *
 * Reference for dual quaternions: Kavan, Collins, Zara, O'Sullivan: "Skinning with Dual Quaternions",
 * I3D 2007; "Geometric Skinning with Approximate Dual Quaternion Blending", ACM TOG 2008. */
#ifndef SUPPLE_MATH_H
#define SUPPLE_MATH_H

#include "base.h"

#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SUPPLE_PI 3.14159265358979323846 /* pi, rounded to double */

/* A point or a direction. */
typedef struct supple_vec3 {
  double x, y, z; /* along the axes */
} supple_vec3;

/* x i + y j + z k + w. A rotation is a unit quaternion; q and -q are the same rotation. */
typedef struct supple_quat {
  double x, y, z, w; /* w is the scalar */
} supple_quat;

/* real + eps dual. A rigid motion (rotation q, then translation t) is {q, 1/2 (t, 0) q}. */
typedef struct supple_dual_quat {
  supple_quat real, dual; /* the rotation; half the translation times it */
} supple_dual_quat;

/* Three rows of three, row-major: v' = m v. */
typedef struct supple_mat3 {
  double m[3][3]; /* [row][column] */
} supple_mat3;

/* Three rows of four, row-major, translation in the fourth column: v' = m (v, 1). */
typedef struct supple_affine64 {
  double m[3][4]; /* [row][column] */
} supple_affine64;

/* The kernels' form of the same. */
typedef struct supple_affine {
  float m[3][4]; /* [row][column] */
} supple_affine;

/* Translation · rotation · scale, as a glTF node. */
typedef struct supple_transform {
  supple_vec3 translation; /* applied last */
  supple_quat rotation;    /* unit length, unless its maker says otherwise */
  supple_vec3 scale;       /* along the axes, applied first */
} supple_transform;

/* M = T · R · S: the rigid motion (translation, rotation) after the linear `stretch` about the origin.
 * `rotation` is always a proper rotation; a reflection is in `stretch`. */
typedef struct supple_split {
  supple_vec3 translation; /* T: the last column of M */
  supple_quat rotation;    /* R: unit length */
  supple_mat3 stretch;     /* S: what is left of M before the rotation */
  double scale; /* signed: the similarity closest to `stretch` is scale · identity; < 0 mirrors */
  double residual; /* largest entry of |stretch - scale · identity|; 0 where M is a similarity */
  int rank;        /* 0 to 3; below 3 the rotation was completed from the hint */
  bool mirrored;   /* det M < 0, or by the hint where rank < 3 */
} supple_split;

/* ---- trigonometry (trig.c) ----
 * Absolute errors against exact values, in units of DBL_EPSILON = 2^-52: sin, cos <= 1 for |x| <= 1e5
 * and <= 1e-16 |x| beyond; acos, atan2 <= 2. Non-finite input gives NaN. acos clamps to [-1, 1]. */
SUPPLE_API double supple_sin(double x);
SUPPLE_API double supple_cos(double x);
SUPPLE_API double supple_acos(double x);
SUPPLE_API double supple_atan2(double y, double x);

/* ---- vectors ---- */
/* The vector (x, y, z). */
static inline supple_vec3 supple_vec3_make(double x, double y, double z) {
  supple_vec3 v;
  v.x = x, v.y = y, v.z = z;
  return v;
}
/* a + b. */
static inline supple_vec3 supple_vec3_add(supple_vec3 a, supple_vec3 b) {
  return supple_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
/* a - b. */
static inline supple_vec3 supple_vec3_subtract(supple_vec3 a, supple_vec3 b) {
  return supple_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
/* s a. */
static inline supple_vec3 supple_vec3_scale(supple_vec3 a, double s) {
  return supple_vec3_make(a.x * s, a.y * s, a.z * s);
}
/* The sum of products. */
static inline double supple_vec3_dot(supple_vec3 a, supple_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
/* The cross product a × b: at right angles to both, right-handed. */
static inline supple_vec3 supple_vec3_cross(supple_vec3 a, supple_vec3 b) {
  return supple_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
/* Overflows where a component is above 1e154 in size. */
static inline double supple_vec3_length(supple_vec3 a) { return sqrt(supple_vec3_dot(a, a)); }
/* Unit vector along a, or `otherwise` where a has no direction (zero, or too small to square). */
static inline supple_vec3 supple_vec3_normalise(supple_vec3 a, supple_vec3 otherwise) {
  double length = supple_vec3_length(a);
  if (!(length < 1e150)) a = supple_vec3_scale(a, 1e-160), length = supple_vec3_length(a);
  /* Divided, not multiplied by the reciprocal: a unit vector along an axis stays exactly that. */
  return length > 1e-150 ? supple_vec3_make(a.x / length, a.y / length, a.z / length) : otherwise;
}

/* ---- quaternions ---- */
/* The quaternion x i + y j + z k + w. */
static inline supple_quat supple_quat_make(double x, double y, double z, double w) {
  supple_quat q;
  q.x = x, q.y = y, q.z = z, q.w = w;
  return q;
}
/* No turn: (0, 0, 0, 1). */
static inline supple_quat supple_quat_identity(void) { return supple_quat_make(0, 0, 0, 1); }
/* a + b. */
static inline supple_quat supple_quat_add(supple_quat a, supple_quat b) {
  return supple_quat_make(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
/* s a. */
static inline supple_quat supple_quat_scale(supple_quat a, double s) {
  return supple_quat_make(a.x * s, a.y * s, a.z * s, a.w * s);
}
/* The sum of products of the four components. */
static inline double supple_quat_dot(supple_quat a, supple_quat b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
/* q* = (-x, -y, -z, w): of a unit quaternion, the turn back. */
static inline supple_quat supple_quat_conjugate(supple_quat q) {
  return supple_quat_make(-q.x, -q.y, -q.z, q.w);
}
/* Hamilton product: as rotations, b first, then a. */
static inline supple_quat supple_quat_multiply(supple_quat a, supple_quat b) {
  return supple_quat_make(
      a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}
/* |q|, the length. */
static inline double supple_quat_norm(supple_quat q) { return sqrt(supple_quat_dot(q, q)); }
/* Unit quaternion along q; the identity where q is zero (or too small to square). NaN stays NaN. */
static inline supple_quat supple_quat_normalise(supple_quat q) {
  double norm = supple_quat_norm(q);
  if (!(norm < 1e150)) q = supple_quat_scale(q, 1e-160), norm = supple_quat_norm(q);
  return norm <= 1e-150 ? supple_quat_identity()
                        : supple_quat_make(q.x / norm, q.y / norm, q.z / norm, q.w / norm);
}
/* q^-1 = q* / |q|²; q must not be zero. */
static inline supple_quat supple_quat_inverse(supple_quat q) {
  return supple_quat_scale(supple_quat_conjugate(q), 1.0 / supple_quat_dot(q, q));
}
/* v turned by the unit quaternion q. */
static inline supple_vec3 supple_quat_rotate(supple_quat q, supple_vec3 v) {
  supple_vec3 u = supple_vec3_make(q.x, q.y, q.z);
  supple_vec3 t = supple_vec3_scale(supple_vec3_cross(u, v), 2.0);
  return supple_vec3_add(supple_vec3_add(v, supple_vec3_scale(t, q.w)), supple_vec3_cross(u, t));
}
/* Turn by `angle` about `axis` (any length but zero; the zero axis gives the identity). */
SUPPLE_API supple_quat supple_quat_from_axis_angle(supple_vec3 axis, double angle);
/* exp of any quaternion; of (v, 0): the turn by 2|v| about v. log is its inverse for q != 0: of a unit
 * quaternion, (axis · angle / 2, 0) with angle / 2 in [0, pi], above pi / 2 where q.w < 0: negate q
 * first for the short way. power = exp(t log q). */
SUPPLE_API supple_quat supple_quat_exp(supple_quat q);
SUPPLE_API supple_quat supple_quat_log(supple_quat q);
SUPPLE_API supple_quat supple_quat_power(supple_quat q, double t);
/* Spherical interpolation of unit quaternions by the short way; t outside [0, 1] extrapolates. Antipodal
 * keys (q, -q) do not turn. Falls back to a normalised lerp where the angle is below 1e-6. */
SUPPLE_API supple_quat supple_quat_slerp(supple_quat a, supple_quat b, double t);
/* Rotation of a rotation matrix (columns orthonormal, det > 0 up to rounding), largest component >= 0
 * (Shepperd 1978). */
SUPPLE_API supple_quat supple_quat_from_mat3(const supple_mat3 *rotation);
/* The rotation matrix of a unit quaternion. */
SUPPLE_API supple_mat3 supple_mat3_from_quat(supple_quat unit);

/* ---- dual quaternions (dual_quat.c) ---- */
/* No motion. */
SUPPLE_API supple_dual_quat supple_dual_quat_identity(void);
/* a + b. */
SUPPLE_API supple_dual_quat supple_dual_quat_add(supple_dual_quat a, supple_dual_quat b);
/* s a. */
SUPPLE_API supple_dual_quat supple_dual_quat_scale(supple_dual_quat a, double s);
/* As motions, b first, then a. */
SUPPLE_API supple_dual_quat supple_dual_quat_multiply(supple_dual_quat a, supple_dual_quat b);
/* The three conjugates: of the quaternions (real*, dual*), of the dual number (real, -dual), of both. */
SUPPLE_API supple_dual_quat supple_dual_quat_conjugate(supple_dual_quat a);
SUPPLE_API supple_dual_quat supple_dual_quat_dual_conjugate(supple_dual_quat a);
SUPPLE_API supple_dual_quat supple_dual_quat_full_conjugate(supple_dual_quat a);
/* |a| = real + eps dual: |real| and <real, dual> / |real|. The real part must not be zero. */
SUPPLE_API void supple_dual_quat_norm(supple_dual_quat a, double *real, double *dual);
/* a / |a|: unit real part, dual part orthogonal to it. A zero real part gives the identity. */
SUPPLE_API supple_dual_quat supple_dual_quat_normalise(supple_dual_quat a);
/* a^-1; the real part must not be zero. */
SUPPLE_API supple_dual_quat supple_dual_quat_inverse(supple_dual_quat a);
/* exp and log of screw motions (Kavan 2008, A.3): log of a unit dual quaternion is (axis, moment) halves
 * with angle / 2 in [0, pi], as of a quaternion; exp takes a dual quaternion whose scalars are zero.
 * power = exp(t log a). */
SUPPLE_API supple_dual_quat supple_dual_quat_exp(supple_dual_quat a);
SUPPLE_API supple_dual_quat supple_dual_quat_log(supple_dual_quat a);
SUPPLE_API supple_dual_quat supple_dual_quat_power(supple_dual_quat a, double t);
/* The motion "turn by the unit quaternion `rotation`, then move by `translation`", and back. */
SUPPLE_API supple_dual_quat supple_dual_quat_from_rigid(supple_quat rotation,
                                                        supple_vec3 translation);
SUPPLE_API void supple_dual_quat_to_rigid(supple_dual_quat unit, supple_quat *rotation,
                                          supple_vec3 *translation);
/* The same motion as a matrix. */
SUPPLE_API supple_affine64 supple_dual_quat_to_affine(supple_dual_quat unit);
/* The point moved. */
SUPPLE_API supple_vec3 supple_dual_quat_transform(supple_dual_quat unit, supple_vec3 point);
/* Blends of `count` unit dual quaternions with weights that sum to 1. Signs are resolved against the
 * first of the largest weight: an operand is negated where the dot product of the real parts is < -1e-6.
 *  dlb     linear, then normalised (Kavan 2007): the shortest path up to 8.15 degrees and 15.0 % of the
 *          pitch at a turn of 180 degrees between two, 0.92 degrees and 3.13 % at 90;
 *  dib     iterated: the exact weighted screw mean (Kavan 2008, 4.1), to `tolerance` (0 means 1e-12),
 *          in at most 64 rounds; *rounds may be NULL;
 *  sclerp  screw interpolation of two: a (a^-1 b)^t by the short way. */
SUPPLE_API supple_dual_quat supple_dual_quat_dlb(const supple_dual_quat *motions,
                                                 const double *weights, size_t count);
SUPPLE_API supple_dual_quat supple_dual_quat_dib(const supple_dual_quat *motions,
                                                 const double *weights, size_t count,
                                                 double tolerance, int *rounds);
SUPPLE_API supple_dual_quat supple_dual_quat_sclerp(supple_dual_quat a, supple_dual_quat b,
                                                    double t);

/* ---- 3×3 ---- */
/* The identity. */
SUPPLE_API supple_mat3 supple_mat3_identity(void);
/* a · b: b first, then a. */
SUPPLE_API supple_mat3 supple_mat3_multiply(const supple_mat3 *a, const supple_mat3 *b);
/* Rows become columns. */
SUPPLE_API supple_mat3 supple_mat3_transpose(const supple_mat3 *a);
/* Below zero where a mirrors. */
SUPPLE_API double supple_mat3_determinant(const supple_mat3 *a);
/* cof(a): the transposed adjugate, det(a) · a^-T where that exists. Normals transform by it. */
SUPPLE_API supple_mat3 supple_mat3_cofactor(const supple_mat3 *a);
/* a · v. */
SUPPLE_API supple_vec3 supple_mat3_apply(const supple_mat3 *a, supple_vec3 v);
/* a = u · diag(values) · vᵀ by one-sided Jacobi rotations; u and v orthogonal (either may reflect),
 * values >= 0, largest first. Accurate to 1e-15 of the largest for any finite input; for any other the
 * values are NaN, u and v identities. */
SUPPLE_API void supple_mat3_svd(const supple_mat3 *a, supple_mat3 *u, double values[3],
                                supple_mat3 *v);

/* ---- affine maps ---- */
/* The identity. */
SUPPLE_API supple_affine64 supple_affine64_identity(void);
/* a · b: b first, then a. */
SUPPLE_API supple_affine64 supple_affine64_multiply(const supple_affine64 *a,
                                                    const supple_affine64 *b);
/* False, and *inverse untouched, where the linear part is singular to working precision: its smallest
 * singular value is <= 1e-14 of its largest, or where the inverse overflows. */
SUPPLE_API bool supple_affine64_inverse(const supple_affine64 *a, supple_affine64 *inverse);
/* The first three columns. */
SUPPLE_API supple_mat3 supple_affine64_linear(const supple_affine64 *a);
/* The fourth column. */
SUPPLE_API supple_vec3 supple_affine64_translation(const supple_affine64 *a);
/* a · (point, 1). */
SUPPLE_API supple_vec3 supple_affine64_transform_point(const supple_affine64 *a, supple_vec3 point);
/* The linear part times the direction. */
SUPPLE_API supple_vec3 supple_affine64_transform_direction(const supple_affine64 *a,
                                                           supple_vec3 direction);
/* Whether all twelve numbers are finite. */
SUPPLE_API bool supple_affine64_is_finite(const supple_affine64 *a);
/* To and from the 16 numbers of a glTF matrix (column-major). The fourth row is not looked at. */
SUPPLE_API supple_affine64 supple_affine64_from_columns(const double columns[16]);
SUPPLE_API void supple_affine64_to_columns(const supple_affine64 *a, double columns[16]);
/* Rounded to float and back. A number that overflows becomes infinite; prepare refuses it. */
SUPPLE_API supple_affine supple_affine_from_double(const supple_affine64 *a);
SUPPLE_API supple_affine64 supple_affine_to_double(const supple_affine *a);

/* ---- translation, rotation, scale ---- */
/* Translation 0, no rotation, scale 1. */
SUPPLE_API supple_transform supple_transform_identity(void);
/* T · R · S; the rotation is normalised first (a zero one counts as the identity). */
SUPPLE_API supple_affine64 supple_transform_to_affine(const supple_transform *transform);
/* The TRS of a matrix that has one; a mirror goes into a negative x scale (as three.js), zero scales keep
 * the rotation of the remaining axes. False where the columns are not orthogonal within `tolerance`
 * (0 means 1e-6) of the product of their lengths: then *transform is the closest by columns and drops
 * the shear. */
SUPPLE_API bool supple_transform_from_affine(const supple_affine64 *matrix, double tolerance,
                                             supple_transform *transform);

/* ---- splits M = T · R · S (split.c) ----
 * polar: R is the orthogonal polar factor of M, of -M where M reflects: the rotation closest to M; S is
 * symmetric where rank is 3. Robust for singular and near-singular input (by SVD; compare Higham and
 * Noferini 2016). Where a singular value is <= 1e-6 of the largest (float palettes carry no more), the
 * missing axes are completed so that R is closest to the orthogonal hint (`hint`, reflected where
 * `hint_mirrored`): the limit of polar(M + e H), e -> 0. hint NULL means the identity, not mirrored.
 * Gram-Schmidt: R from the columns x, y, z in that order; S upper triangular. Degenerate matrices (rank
 * below 3) are kept whole in S, with R the hint. */
SUPPLE_API supple_split supple_split_polar(const supple_affine64 *matrix, const supple_quat *hint,
                                           bool hint_mirrored);
SUPPLE_API supple_split supple_split_gram_schmidt(const supple_affine64 *matrix,
                                                  const supple_quat *hint, bool hint_mirrored);

#ifdef __cplusplus
}
#endif
#endif
