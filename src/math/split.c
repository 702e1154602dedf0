/* split.c: the splits M = T · R · S, by polar decomposition and by Gram-Schmidt. */
#include "../base/prologue.h"

#include "../../include/supple/math.h"
#include "mat3.h"

/* Singular values up to this part of the largest count as zero: float palettes carry no more. */
static const double rank_threshold = 1e-6;

/* Up to this condition number Newton's iteration is within 1e-14 of the decomposition by singular
 * values, at a fraction of its cost. Beyond, the latter decides. */
static const double newton_condition = 16.0;

static double frobenius(const supple_mat3 *a) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += a->m[i][j] * a->m[i][j];
  return sqrt(sum);
}

static supple_mat3 negated(const supple_mat3 *a) {
  supple_mat3 result;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) result.m[i][j] = -a->m[i][j];
  return result;
}

/* The orthogonal polar factor of a well-conditioned matrix: X <- (g X + X^-T / g) / 2, with g =
 * 1 in the end (Higham 1986). X^-T = cof(X) / det(X). Below condition 16 it takes 6 rounds at
 * most. */
static supple_mat3 newton_polar(const supple_mat3 *a) {
  supple_mat3 x = *a;
  for (int round = 0; round < 20; round++) {
    const supple_mat3 cofactor = supple_mat3_cofactor(&x);
    const double determinant = supple_mat3_determinant(&x);
    const double ratio = frobenius(&cofactor) / (frobenius(&x) * fabs(determinant));
    const double g = sqrt(ratio);
    const double from_x = 0.5 * g, from_inverse = 0.5 / (g * determinant);
    double change = 0.0;
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        const double next = from_x * x.m[i][j] + from_inverse * cofactor.m[i][j];
        change += (next - x.m[i][j]) * (next - x.m[i][j]);
        x.m[i][j] = next;
      }
    }
    if (change < 1e-18) break; /* converges quadratically: what is left is below 1e-18 */
  }
  return x;
}

/* sum over k in [begin, end) of u_k v_kᵀ, added to q. */
static void add_outer(supple_mat3 *q, const supple_mat3 *u, const supple_mat3 *v, int begin,
                      int end) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = begin; k < end; k++) q->m[i][j] += u->m[i][k] * v->m[j][k];
}

/* u_aᵀ h v_b of columns a and b. */
static double element(const supple_mat3 *u, const supple_mat3 *h, const supple_mat3 *v, int a,
                      int b) {
  double sum = 0.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += u->m[i][a] * h->m[i][j] * v->m[j][b];
  return sum;
}

/* The sign of det(u h vᵀ), that is, of the orientation the hint has between u and v. */
static bool hint_keeps_orientation(const supple_mat3 *u, const supple_mat3 *v, const supple_mat3 *h) {
  return supple_mat3_determinant(u) * supple_mat3_determinant(v) * supple_mat3_determinant(h) > 0.0;
}

/* Rank 2: the missing axis is u_3, with the sign of what the hint has there; where that is none, so
 * that the whole has the orientation of the hint. */
static void complete_axis(supple_mat3 *q, const supple_mat3 *u, const supple_mat3 *v,
                          const supple_mat3 *h) {
  const double k = element(u, h, v, 2, 2);
  double sign = k < 0.0 ? -1.0 : 1.0;
  if (fabs(k) <= 1e-12) sign = hint_keeps_orientation(u, v, h) ? 1.0 : -1.0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) q->m[i][j] += sign * u->m[i][2] * v->m[j][2];
}

/* Rank 1: the polar factor of the 2×2 matrix k = u_2ᵀ h v_2. Its singular values are 1 and |u_1ᵀ h
 * v_1|, so the nearest rotation and the nearest reflection exist; the closer one is right. Where
 * both are as close, the orientation of the hint decides. */
static void complete_plane(supple_mat3 *q, const supple_mat3 *u, const supple_mat3 *v,
                           const supple_mat3 *h) {
  const double k11 = element(u, h, v, 1, 1), k12 = element(u, h, v, 1, 2);
  const double k21 = element(u, h, v, 2, 1), k22 = element(u, h, v, 2, 2);
  const double turn_cosine = k11 + k22, turn_sine = k21 - k12;
  const double flip_cosine = k11 - k22, flip_sine = k21 + k12;
  const double turn = sqrt(turn_cosine * turn_cosine + turn_sine * turn_sine);
  const double flip = sqrt(flip_cosine * flip_cosine + flip_sine * flip_sine);
  bool turns = turn > flip;
  if (fabs(turn - flip) <= 1e-12) turns = hint_keeps_orientation(u, v, h);
  const double c = turns ? turn_cosine / turn : flip_cosine / flip;
  const double s = turns ? turn_sine / turn : flip_sine / flip;
  const double p[2][2] = {{c, turns ? -s : s}, {s, turns ? c : -c}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) q->m[i][j] += p[a][b] * u->m[i][a + 1] * v->m[j][b + 1];
}

static supple_quat hint_rotation(const supple_quat *hint) {
  return hint ? supple_quat_normalise(*hint) : supple_quat_identity();
}

/* The orthogonal polar factor (det ±1) of a scaled matrix by singular values, and its rank. */
static supple_mat3 svd_polar(const supple_mat3 *a, const supple_quat *hint, bool hint_mirrored,
                             int *rank) {
  supple_mat3 u, v, q = {{{0.0}}};
  double values[3];
  supple_mat3_svd(a, &u, values, &v);
  *rank = 0;
  while (*rank < 3 && values[*rank] > rank_threshold * values[0]) ++*rank;
  supple_mat3 h = supple_mat3_from_quat(hint_rotation(hint));
  if (hint_mirrored) h = negated(&h);
  if (*rank == 0) return h;
  add_outer(&q, &u, &v, 0, *rank);
  if (*rank == 2) complete_axis(&q, &u, &v, &h);
  if (*rank == 1) complete_plane(&q, &u, &v, &h);
  return q;
}

/* What S = R^-1 M says: the closest similarity, and how far off it is. */
static void describe_stretch(supple_split *split) {
  double(*s)[3] = split->stretch.m;
  /* A third of the trace, exact where all three are the same. */
  split->scale = s[0][0] + ((s[1][1] - s[0][0]) + (s[2][2] - s[0][0])) / 3.0;
  split->residual = 0.0;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      const double off = fabs(s[i][j] - (i == j ? split->scale : 0.0));
      if (off > split->residual || isnan(off)) split->residual = off;
    }
  }
}

/* The part that both splits share: M scaled into range, and whether Newton and Gram-Schmidt may
 * trust it. False where M is not finite; the split then keeps M whole. */
typedef struct scaled_linear {
  supple_mat3 m;
  int exponent;
  bool well_conditioned, mirrored;
} scaled_linear;

static bool begin_split(const supple_affine64 *matrix, const supple_quat *hint, bool hint_mirrored,
                        supple_split *split, scaled_linear *scaled) {
  const supple_mat3 linear = supple_affine64_linear(matrix);
  split->translation = supple_affine64_translation(matrix);
  split->rotation = hint_rotation(hint);
  split->stretch = linear;
  split->rank = 0;
  split->mirrored = hint_mirrored;
  if (!supplei_mat3_is_finite(&linear)) {
    describe_stretch(split);
    return false;
  }
  scaled->exponent = supplei_mat3_exponent(&linear);
  scaled->m = supplei_mat3_scaled(&linear, -scaled->exponent);
  const supple_mat3 cofactor = supple_mat3_cofactor(&scaled->m);
  const double determinant = supple_mat3_determinant(&scaled->m);
  scaled->well_conditioned =
      supplei_mat3_condition(&scaled->m, &cofactor, determinant) < newton_condition;
  scaled->mirrored = determinant < 0.0;
  return true;
}

/* S from the rotation as it was rounded to a quaternion, so that R · S is M. */
static supple_mat3 stretch_of(supple_quat rotation, const supple_mat3 *m) {
  const supple_mat3 inverse = supple_mat3_from_quat(supple_quat_conjugate(rotation));
  return supple_mat3_multiply(&inverse, m);
}

supple_split supple_split_polar(const supple_affine64 *matrix, const supple_quat *hint,
                                bool hint_mirrored) {
  supple_split split;
  scaled_linear scaled;
  if (!begin_split(matrix, hint, hint_mirrored, &split, &scaled)) return split;
  split.rank = 3;
  supple_mat3 q = scaled.well_conditioned ? newton_polar(&scaled.m)
                                          : svd_polar(&scaled.m, hint, hint_mirrored, &split.rank);
  split.mirrored = supple_mat3_determinant(&q) < 0.0;
  if (split.mirrored) q = negated(&q);
  if (split.rank > 0) split.rotation = supple_quat_from_mat3(&q);
  supple_mat3 s = stretch_of(split.rotation, &scaled.m);
  if (split.rank == 3) { /* symmetric but for rounding */
    s.m[0][1] = s.m[1][0] = 0.5 * (s.m[0][1] + s.m[1][0]);
    s.m[0][2] = s.m[2][0] = 0.5 * (s.m[0][2] + s.m[2][0]);
    s.m[1][2] = s.m[2][1] = 0.5 * (s.m[1][2] + s.m[2][1]);
  }
  split.stretch = supplei_mat3_scaled(&s, scaled.exponent);
  describe_stretch(&split);
  return split;
}

static supple_vec3 column_of(const supple_mat3 *a, int j) {
  return supple_vec3_make(a->m[0][j], a->m[1][j], a->m[2][j]);
}

static supple_vec3 without(supple_vec3 a, supple_vec3 unit) {
  return supple_vec3_subtract(a, supple_vec3_scale(unit, supple_vec3_dot(a, unit)));
}

/* The rotation whose first axis is along the first column and whose second is in the plane of the
 * first two, of the matrix of rank 3 or of its negative. */
static supple_mat3 gram_schmidt(const supple_mat3 *m, bool negative) {
  const supple_vec3 zero = {0.0, 0.0, 0.0};
  const supple_vec3 x = supple_vec3_normalise(column_of(m, 0), zero);
  /* Twice is enough to be orthogonal to rounding (Kahan, Parlett). */
  supple_vec3 y = supple_vec3_normalise(without(column_of(m, 1), x), zero);
  y = supple_vec3_normalise(without(y, x), zero);
  const supple_vec3 z = supple_vec3_cross(x, y);
  const double sign = negative ? -1.0 : 1.0;
  const supple_mat3 rotation = {
      {{sign * x.x, sign * y.x, z.x}, {sign * x.y, sign * y.y, z.y}, {sign * x.z, sign * y.z, z.z}}};
  return rotation;
}

supple_split supple_split_gram_schmidt(const supple_affine64 *matrix, const supple_quat *hint,
                                       bool hint_mirrored) {
  supple_split split;
  scaled_linear scaled;
  if (!begin_split(matrix, hint, hint_mirrored, &split, &scaled)) return split;
  split.rank = 3;
  bool mirrored = scaled.mirrored;
  if (!scaled.well_conditioned) {
    const supple_mat3 q = svd_polar(&scaled.m, hint, hint_mirrored, &split.rank);
    mirrored = supple_mat3_determinant(&q) < 0.0; /* det M may be lost in rounding */
  }
  supple_mat3 s;
  if (split.rank == 3) {
    const supple_mat3 rotation = gram_schmidt(&scaled.m, mirrored);
    split.rotation = supple_quat_from_mat3(&rotation);
    split.mirrored = mirrored;
    s = stretch_of(split.rotation, &scaled.m);
    s.m[1][0] = s.m[2][0] = s.m[2][1] = 0.0; /* but for rounding */
  } else {
    s = stretch_of(split.rotation, &scaled.m);
  }
  split.stretch = supplei_mat3_scaled(&s, scaled.exponent);
  describe_stretch(&split);
  return split;
}
