/* affine.c: 3×3 matrices, affine maps, and translation · rotation · scale. */
#include "../base/prologue.h"

#include "../../include/supple/math.h"
#include "mat3.h"

supple_mat3 supple_mat3_identity(void) {
  const supple_mat3 m = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  return m;
}

supple_mat3 supple_mat3_multiply(const supple_mat3 *a, const supple_mat3 *b) {
  supple_mat3 product;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      product.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
  return product;
}

supple_mat3 supple_mat3_transpose(const supple_mat3 *a) {
  supple_mat3 transpose;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) transpose.m[i][j] = a->m[j][i];
  return transpose;
}

supple_mat3 supple_mat3_cofactor(const supple_mat3 *a) {
  const double(*m)[3] = a->m;
  const supple_mat3 cofactor = {
      {{m[1][1] * m[2][2] - m[1][2] * m[2][1], m[1][2] * m[2][0] - m[1][0] * m[2][2],
        m[1][0] * m[2][1] - m[1][1] * m[2][0]},
       {m[2][1] * m[0][2] - m[2][2] * m[0][1], m[2][2] * m[0][0] - m[2][0] * m[0][2],
        m[2][0] * m[0][1] - m[2][1] * m[0][0]},
       {m[0][1] * m[1][2] - m[0][2] * m[1][1], m[0][2] * m[1][0] - m[0][0] * m[1][2],
        m[0][0] * m[1][1] - m[0][1] * m[1][0]}}};
  return cofactor;
}

double supple_mat3_determinant(const supple_mat3 *a) {
  const double(*m)[3] = a->m;
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) +
         m[0][1] * (m[1][2] * m[2][0] - m[1][0] * m[2][2]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

supple_vec3 supple_mat3_apply(const supple_mat3 *a, supple_vec3 v) {
  return supple_vec3_make(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                          a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                          a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

bool supplei_mat3_is_finite(const supple_mat3 *a) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (!isfinite(a->m[i][j])) return false;
  return true;
}

int supplei_mat3_exponent(const supple_mat3 *a) {
  double largest = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      if (fabs(a->m[i][j]) > largest) largest = fabs(a->m[i][j]);
  int exponent;
  (void)frexp(largest, &exponent);
  return exponent;
}

supple_mat3 supplei_mat3_scaled(const supple_mat3 *a, int exponent) {
  supple_mat3 scaled;
  const bool one_factor = exponent > -1000 && exponent < 1000;
  const double factor = one_factor ? ldexp(1.0, exponent) : 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      scaled.m[i][j] = one_factor ? a->m[i][j] * factor : ldexp(a->m[i][j], exponent);
  return scaled;
}

static double square_sum(const supple_mat3 *a) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += a->m[i][j] * a->m[i][j];
  return sum;
}

double supplei_mat3_condition(const supple_mat3 *a, const supple_mat3 *cofactor, double determinant) {
  const double size = sqrt(square_sum(a));
  /* Of a nearly singular matrix both numbers may be nothing but rounding, and their ratio small. */
  if (!(fabs(determinant) > 1e-6 * (size * size * size)) || fabs(determinant) < 1e-250)
    return (double)INFINITY;
  const double condition = size * sqrt(square_sum(cofactor)) / fabs(determinant);
  return isfinite(condition) ? condition : (double)INFINITY;
}

supple_affine64 supple_affine64_identity(void) {
  const supple_affine64 a = {{{1.0, 0.0, 0.0, 0.0}, {0.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}}};
  return a;
}

supple_affine64 supple_affine64_multiply(const supple_affine64 *a, const supple_affine64 *b) {
  supple_affine64 product;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 4; j++)
      product.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
    product.m[i][3] += a->m[i][3];
  }
  return product;
}

supple_mat3 supple_affine64_linear(const supple_affine64 *a) {
  supple_mat3 linear;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) linear.m[i][j] = a->m[i][j];
  return linear;
}

supple_vec3 supple_affine64_translation(const supple_affine64 *a) {
  return supple_vec3_make(a->m[0][3], a->m[1][3], a->m[2][3]);
}

static supple_affine64 affine_of(const supple_mat3 *linear, supple_vec3 translation) {
  supple_affine64 a;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] = linear->m[i][j];
  a.m[0][3] = translation.x, a.m[1][3] = translation.y, a.m[2][3] = translation.z;
  return a;
}

/* v · diag(values)^-1 · uᵀ, or false where the values span too much. */
static bool invert_by_svd(const supple_mat3 *a, supple_mat3 *inverse) {
  supple_mat3 u, v;
  double values[3];
  supple_mat3_svd(a, &u, values, &v);
  if (!(values[2] > 1e-14 * values[0])) return false;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      inverse->m[i][j] = v.m[i][0] / values[0] * u.m[j][0] + v.m[i][1] / values[1] * u.m[j][1] +
                         v.m[i][2] / values[2] * u.m[j][2];
  return true;
}

bool supple_affine64_inverse(const supple_affine64 *a, supple_affine64 *inverse) {
  const supple_mat3 linear = supple_affine64_linear(a);
  const supple_mat3 cofactor = supple_mat3_cofactor(&linear);
  const double determinant = supple_mat3_determinant(&linear);
  supple_mat3 result;
  /* Cramer's rule is as good as any while the matrix is well-conditioned; its error grows with the
   * square of the condition number, that of the singular value decomposition does not. */
  if (supplei_mat3_condition(&linear, &cofactor, determinant) < 100.0) {
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) result.m[i][j] = cofactor.m[j][i] / determinant;
  } else if (!invert_by_svd(&linear, &result)) {
    return false;
  }
  const supple_vec3 moved = supple_mat3_apply(&result, supple_affine64_translation(a));
  const supple_affine64 candidate = affine_of(&result, supple_vec3_scale(moved, -1.0));
  if (!supple_affine64_is_finite(&candidate)) return false;
  *inverse = candidate;
  return true;
}

supple_vec3 supple_affine64_transform_point(const supple_affine64 *a, supple_vec3 p) {
  return supple_vec3_make(a->m[0][0] * p.x + a->m[0][1] * p.y + a->m[0][2] * p.z + a->m[0][3],
                          a->m[1][0] * p.x + a->m[1][1] * p.y + a->m[1][2] * p.z + a->m[1][3],
                          a->m[2][0] * p.x + a->m[2][1] * p.y + a->m[2][2] * p.z + a->m[2][3]);
}

supple_vec3 supple_affine64_transform_direction(const supple_affine64 *a, supple_vec3 d) {
  return supple_vec3_make(a->m[0][0] * d.x + a->m[0][1] * d.y + a->m[0][2] * d.z,
                          a->m[1][0] * d.x + a->m[1][1] * d.y + a->m[1][2] * d.z,
                          a->m[2][0] * d.x + a->m[2][1] * d.y + a->m[2][2] * d.z);
}

bool supple_affine64_is_finite(const supple_affine64 *a) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      if (!isfinite(a->m[i][j])) return false;
  return true;
}

supple_affine64 supple_affine64_from_columns(const double columns[16]) {
  supple_affine64 a;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) a.m[i][j] = columns[4 * j + i];
  return a;
}

void supple_affine64_to_columns(const supple_affine64 *a, double columns[16]) {
  for (int j = 0; j < 4; j++) {
    for (int i = 0; i < 3; i++) columns[4 * j + i] = a->m[i][j];
    columns[4 * j + 3] = j == 3 ? 1.0 : 0.0;
  }
}

supple_affine supple_affine_from_double(const supple_affine64 *a) {
  supple_affine rounded;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) rounded.m[i][j] = (float)a->m[i][j];
  return rounded;
}

supple_affine64 supple_affine_to_double(const supple_affine *a) {
  supple_affine64 wide;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) wide.m[i][j] = (double)a->m[i][j];
  return wide;
}

supple_transform supple_transform_identity(void) {
  supple_transform t;
  t.translation = supple_vec3_make(0.0, 0.0, 0.0);
  t.rotation = supple_quat_identity();
  t.scale = supple_vec3_make(1.0, 1.0, 1.0);
  return t;
}

supple_affine64 supple_transform_to_affine(const supple_transform *transform) {
  const double scale[3] = {transform->scale.x, transform->scale.y, transform->scale.z};
  supple_mat3 linear = supple_mat3_from_quat(supple_quat_normalise(transform->rotation));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) linear.m[i][j] *= scale[j];
  return affine_of(&linear, transform->translation);
}

static supple_vec3 column_of(const supple_mat3 *a, int j) {
  return supple_vec3_make(a->m[0][j], a->m[1][j], a->m[2][j]);
}

static void set_column(supple_mat3 *a, int j, supple_vec3 v) {
  a->m[0][j] = v.x, a->m[1][j] = v.y, a->m[2][j] = v.z;
}

/* Makes the columns of `a` unit vectors, zero ones apart; says their lengths, of which each may
 * span the whole range of double. */
static void normalise_columns(supple_mat3 *a, double lengths[3]) {
  for (int j = 0; j < 3; j++) {
    supple_vec3 c = column_of(a, j);
    double largest = fabs(c.x);
    if (fabs(c.y) > largest) largest = fabs(c.y);
    if (fabs(c.z) > largest) largest = fabs(c.z);
    int exponent;
    (void)frexp(largest, &exponent);
    c = supple_vec3_make(ldexp(c.x, -exponent), ldexp(c.y, -exponent), ldexp(c.z, -exponent));
    const double length = supple_vec3_length(c);
    lengths[j] = ldexp(length, exponent);
    if (length > 0.0) set_column(a, j, supple_vec3_scale(c, 1.0 / length));
  }
}

/* Fills the zero columns of a matrix whose other columns have length 1, so that it is a rotation
 * where those are orthogonal: a lone axis is turned from its place the short way. */
static void fill_columns(supple_mat3 *a, const double lengths[3]) {
  int zeros = 0, zero = 0, kept = 0;
  for (int j = 0; j < 3; j++) {
    if (lengths[j] > 0.0)
      kept = j;
    else
      zeros++, zero = j;
  }
  if (zeros == 1) {
    const supple_vec3 cross =
        supple_vec3_cross(column_of(a, (zero + 1) % 3), column_of(a, (zero + 2) % 3));
    set_column(a, zero, cross);
  } else if (zeros == 2) {
    const supple_vec3 axis = column_of(a, kept);
    const supple_vec3 from = supple_vec3_make(kept == 0, kept == 1, kept == 2);
    const supple_vec3 cross = supple_vec3_cross(from, axis);
    const double dot = supple_vec3_dot(from, axis);
    /* 1 + dot, without cancellation near half a turn. */
    const double w = dot < 0.0 ? supple_vec3_dot(cross, cross) / (1.0 - dot) : 1.0 + dot;
    supple_quat q = supple_quat_make(cross.x, cross.y, cross.z, w);
    if (supple_quat_dot(q, q) < 1e-200) /* opposite: half a turn about the next axis */
      q = supple_quat_make(kept == 2, kept == 0, kept == 1, 0.0);
    *a = supple_mat3_from_quat(supple_quat_normalise(q));
  } else if (zeros == 3) {
    *a = supple_mat3_identity();
  }
}

bool supple_transform_from_affine(const supple_affine64 *matrix, double tolerance,
                                  supple_transform *transform) {
  const double limit = tolerance > 0.0 ? tolerance : 1e-6;
  supple_mat3 axes = supple_affine64_linear(matrix);
  double lengths[3];
  normalise_columns(&axes, lengths);
  double skew = 0.0;
  for (int i = 0; i < 3; i++) {
    const double dot = supple_vec3_dot(column_of(&axes, i), column_of(&axes, (i + 1) % 3));
    if (fabs(dot) > skew) skew = fabs(dot);
  }
  fill_columns(&axes, lengths);
  if (supple_mat3_determinant(&axes) < 0.0) {
    lengths[0] = -lengths[0];
    set_column(&axes, 0, supple_vec3_scale(column_of(&axes, 0), -1.0));
  }
  const supple_affine64 unit = affine_of(&axes, supple_vec3_make(0.0, 0.0, 0.0));
  transform->translation = supple_affine64_translation(matrix);
  transform->rotation = supple_split_polar(&unit, NULL, false).rotation;
  transform->scale = supple_vec3_make(lengths[0], lengths[1], lengths[2]);
  return skew <= limit;
}
