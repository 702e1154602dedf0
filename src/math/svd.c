/* svd.c: singular value decomposition of 3×3 matrices by one-sided Jacobi rotations. */
#include "../base/prologue.h"

#include "../../include/supple/math.h"
#include "mat3.h"

/* Up to 7 are what random matrices take, 13 those whose entries span the whole range of double. */
enum { most_sweeps = 20 };

/* Three columns, so that a rotation of two of them is simple to write. */
typedef struct columns {
  supple_vec3 c[3];
} columns;

static columns columns_of(const supple_mat3 *a) {
  columns result;
  for (int j = 0; j < 3; j++) result.c[j] = supple_vec3_make(a->m[0][j], a->m[1][j], a->m[2][j]);
  return result;
}

static supple_mat3 from_columns(const columns *a) {
  supple_mat3 result;
  for (int j = 0; j < 3; j++)
    result.m[0][j] = a->c[j].x, result.m[1][j] = a->c[j].y, result.m[2][j] = a->c[j].z;
  return result;
}

static void rotate(columns *a, int p, int q, double cosine, double sine) {
  const supple_vec3 x = a->c[p], y = a->c[q];
  a->c[p] = supple_vec3_subtract(supple_vec3_scale(x, cosine), supple_vec3_scale(y, sine));
  a->c[q] = supple_vec3_add(supple_vec3_scale(x, sine), supple_vec3_scale(y, cosine));
}

static void swap(columns *a, int p, int q) {
  const supple_vec3 x = a->c[p];
  a->c[p] = a->c[q], a->c[q] = x;
}

/* Turns columns p and q of w (and of v) so that they are orthogonal; false where they were,
 * or nearly so. */
static bool orthogonalise(columns *w, columns *v, int p, int q) {
  const double alpha = supple_vec3_dot(w->c[p], w->c[p]);
  const double beta = supple_vec3_dot(w->c[q], w->c[q]);
  const double gamma = supple_vec3_dot(w->c[p], w->c[q]);
  /* Squares this small have lost digits; the columns are zero beside the largest. */
  if (alpha < 1e-290 || beta < 1e-290) return false;
  /* Relative to both columns, so that small singular values keep their vectors. */
  const double cosine_of_angle = fabs(gamma) / (sqrt(alpha) * sqrt(beta));
  if (cosine_of_angle <= 0x1p-52) return false;
  const double zeta = (beta - alpha) / (2.0 * gamma);
  if (!isfinite(zeta)) return false;
  /* The smaller root of t² + 2 zeta t - 1 = 0 (Rutishauser). */
  const double root = fabs(zeta) < 1e150 ? sqrt(1.0 + zeta * zeta) : fabs(zeta);
  const double tangent = (zeta >= 0.0 ? 1.0 : -1.0) / (fabs(zeta) + root);
  const double cosine = 1.0 / sqrt(1.0 + tangent * tangent);
  const double sine = cosine * tangent;
  rotate(w, p, q, cosine, sine);
  rotate(v, p, q, cosine, sine);
  /* A few rounding errors apart, another turn would only shuffle them, perhaps for ever. */
  return cosine_of_angle > 0x1p-49;
}

/* A unit vector orthogonal to the unit vector a, away from the axis where a is largest. */
static supple_vec3 any_orthogonal(supple_vec3 a) {
  const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
  supple_vec3 axis = supple_vec3_make(0.0, 0.0, 1.0);
  if (x <= y && x <= z)
    axis = supple_vec3_make(1.0, 0.0, 0.0);
  else if (y <= z)
    axis = supple_vec3_make(0.0, 1.0, 0.0);
  return supple_vec3_normalise(supple_vec3_cross(a, axis), axis);
}

static supple_vec3 without(supple_vec3 a, supple_vec3 unit) {
  return supple_vec3_subtract(a, supple_vec3_scale(unit, supple_vec3_dot(a, unit)));
}

/* An orthonormal triad along orthogonal vectors w, largest first; those too small to have a
 * direction get one. Orthogonal to rounding even where w is so only in relation to its longest. */
static columns triad(const columns *w) {
  columns u;
  u.c[0] = supple_vec3_normalise(w->c[0], supple_vec3_make(1.0, 0.0, 0.0));
  supple_vec3 second = supple_vec3_normalise(w->c[1], supple_vec3_make(0.0, 0.0, 0.0));
  second = without(without(second, u.c[0]), u.c[0]);
  u.c[1] = supple_vec3_length(second) > 0.5
               ? supple_vec3_normalise(second, supple_vec3_make(0.0, 0.0, 0.0))
               : any_orthogonal(u.c[0]);
  const supple_vec3 third = supple_vec3_cross(u.c[0], u.c[1]);
  u.c[2] = supple_vec3_dot(third, w->c[2]) < 0.0 ? supple_vec3_scale(third, -1.0) : third;
  return u;
}

void supple_mat3_svd(const supple_mat3 *a, supple_mat3 *u, double values[3], supple_mat3 *v) {
  if (!supplei_mat3_is_finite(a)) {
    *u = *v = supple_mat3_identity();
    values[0] = values[1] = values[2] = (double)NAN;
    return;
  }
  const int exponent = supplei_mat3_exponent(a);
  const supple_mat3 scaled = supplei_mat3_scaled(a, -exponent);
  const supple_mat3 identity = supple_mat3_identity();
  columns w = columns_of(&scaled), turned = columns_of(&identity);
  bool moved = true;
  for (int sweep = 0; moved && sweep < most_sweeps; sweep++) {
    moved = orthogonalise(&w, &turned, 0, 1);
    moved = orthogonalise(&w, &turned, 0, 2) || moved;
    moved = orthogonalise(&w, &turned, 1, 2) || moved;
  }
  double lengths[3];
  for (int j = 0; j < 3; j++) lengths[j] = supple_vec3_length(w.c[j]);
  for (int i = 0; i < 3; i++) { /* three bubble steps: (0,1), (1,2), (0,1) */
    const int p = i == 1 ? 1 : 0;
    if (lengths[p] < lengths[p + 1]) {
      const double length = lengths[p];
      lengths[p] = lengths[p + 1], lengths[p + 1] = length;
      swap(&w, p, p + 1);
      swap(&turned, p, p + 1);
    }
  }
  const columns left = triad(&w), right = triad(&turned);
  for (int j = 0; j < 3; j++) values[j] = ldexp(lengths[j], exponent);
  *u = from_columns(&left);
  *v = from_columns(&right);
}
