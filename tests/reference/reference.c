/* reference.c: the independent double-precision deformer. See reference.h. */
#include "tests/reference/reference.h"

#include <math.h>
#include <string.h>

/* ---- algebra ---- */

reference_vector reference_vector_of(double x, double y, double z) {
  reference_vector v = {x, y, z};
  return v;
}

reference_vector reference_sum(reference_vector a, reference_vector b) {
  return reference_vector_of(a.x + b.x, a.y + b.y, a.z + b.z);
}

reference_vector reference_difference(reference_vector a, reference_vector b) {
  return reference_vector_of(a.x - b.x, a.y - b.y, a.z - b.z);
}

reference_vector reference_scaled(reference_vector a, double s) {
  return reference_vector_of(s * a.x, s * a.y, s * a.z);
}

reference_vector reference_cross(reference_vector a, reference_vector b) {
  return reference_vector_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

double reference_dot(reference_vector a, reference_vector b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

double reference_length(reference_vector a) { return sqrt(reference_dot(a, a)); }

/* (a, s)(b, t) = (s b + t a + a × b, s t - a · b) */
reference_quaternion reference_product(reference_quaternion a, reference_quaternion b) {
  reference_vector u = {a.x, a.y, a.z}, v = {b.x, b.y, b.z};
  reference_vector w = reference_sum(
      reference_sum(reference_scaled(v, a.w), reference_scaled(u, b.w)), reference_cross(u, v));
  reference_quaternion q = {w.x, w.y, w.z, a.w * b.w - reference_dot(u, v)};
  return q;
}

reference_quaternion reference_turn(double axis_x, double axis_y, double axis_z, double angle) {
  double length = sqrt(axis_x * axis_x + axis_y * axis_y + axis_z * axis_z);
  double s = sin(angle / 2) / length;
  reference_quaternion q = {axis_x * s, axis_y * s, axis_z * s, cos(angle / 2)};
  return q;
}

double reference_quaternion_dot(reference_quaternion a, reference_quaternion b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

reference_quaternion reference_unit(reference_quaternion q) {
  double norm = sqrt(reference_quaternion_dot(q, q));
  reference_quaternion unit = {q.x / norm, q.y / norm, q.z / norm, q.w / norm};
  return unit;
}

static reference_quaternion conjugate(reference_quaternion q) {
  reference_quaternion c = {-q.x, -q.y, -q.z, q.w};
  return c;
}

/* Column k is the image of axis k: q e q*. */
reference_linear reference_rotation(reference_quaternion unit) {
  reference_linear rotation;
  for (int k = 0; k < 3; k++) {
    reference_quaternion axis = {k == 0, k == 1, k == 2, 0};
    reference_quaternion image = reference_product(reference_product(unit, axis), conjugate(unit));
    rotation.m[0][k] = image.x;
    rotation.m[1][k] = image.y;
    rotation.m[2][k] = image.z;
  }
  return rotation;
}

reference_linear reference_linear_product(const reference_linear *a, const reference_linear *b) {
  reference_linear c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      c.m[i][j] = a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j] + a->m[i][2] * b->m[2][j];
  return c;
}

reference_linear reference_transposed(const reference_linear *a) {
  reference_linear t;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) t.m[i][j] = a->m[j][i];
  return t;
}

static reference_vector column(const reference_linear *a, int k) {
  return reference_vector_of(a->m[0][k], a->m[1][k], a->m[2][k]);
}

static reference_linear from_columns(reference_vector x, reference_vector y, reference_vector z) {
  reference_linear a = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  return a;
}

/* The columns of cof(a) are cross products of the columns of a. */
static reference_linear cofactor(const reference_linear *a) {
  reference_vector x = column(a, 0), y = column(a, 1), z = column(a, 2);
  return from_columns(reference_cross(y, z), reference_cross(z, x), reference_cross(x, y));
}

double reference_determinant(const reference_linear *a) {
  return reference_dot(column(a, 0), reference_cross(column(a, 1), column(a, 2)));
}

double reference_size(const reference_linear *a) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += a->m[i][j] * a->m[i][j];
  return sqrt(sum);
}

reference_vector reference_turned(const reference_linear *a, reference_vector v) {
  return reference_vector_of(a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                             a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                             a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z);
}

reference_affine reference_affine_of(const reference_linear *linear, reference_vector translation) {
  reference_affine a;
  const double t[3] = {translation.x, translation.y, translation.z};
  for (int i = 0; i < 3; i++) {
    memcpy(a.m[i], linear->m[i], sizeof linear->m[i]);
    a.m[i][3] = t[i];
  }
  return a;
}

reference_linear reference_linear_of(const reference_affine *a) {
  reference_linear linear;
  for (int i = 0; i < 3; i++) memcpy(linear.m[i], a->m[i], sizeof linear.m[i]);
  return linear;
}

static reference_vector translation_of(const reference_affine *a) {
  return reference_vector_of(a->m[0][3], a->m[1][3], a->m[2][3]);
}

reference_vector reference_moved(const reference_affine *a, reference_vector v) {
  reference_linear linear = reference_linear_of(a);
  return reference_sum(reference_turned(&linear, v), translation_of(a));
}

reference_affine reference_affine_product(const reference_affine *a, const reference_affine *b) {
  reference_linear p = reference_linear_of(a), q = reference_linear_of(b);
  reference_linear linear = reference_linear_product(&p, &q);
  return reference_affine_of(&linear, reference_moved(a, translation_of(b)));
}

reference_affine reference_affine_inverse(const reference_affine *a) {
  reference_linear linear = reference_linear_of(a);
  reference_linear cofactors = cofactor(&linear);
  reference_linear inverse = reference_transposed(&cofactors);
  double determinant = reference_determinant(&linear);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) inverse.m[i][j] /= determinant;
  reference_vector back = reference_turned(&inverse, translation_of(a));
  return reference_affine_of(&inverse, reference_scaled(back, -1));
}

reference_affine reference_node(reference_vector translation, reference_quaternion rotation,
                                reference_vector scale) {
  reference_linear turn = reference_rotation(reference_unit(rotation));
  reference_linear linear = from_columns(reference_scaled(column(&turn, 0), scale.x),
                                         reference_scaled(column(&turn, 1), scale.y),
                                         reference_scaled(column(&turn, 2), scale.z));
  return reference_affine_of(&linear, translation);
}

/* ---- influences ---- */

static void merge(reference_influence *list, size_t *count, uint32_t joint, double weight) {
  size_t at = 0;
  while (at < *count && list[at].joint < joint) at++;
  if (at < *count && list[at].joint == joint) {
    list[at].weight += weight;
    return;
  }
  memmove(list + at + 1, list + at, (*count - at) * sizeof *list);
  list[at].joint = joint;
  list[at].weight = weight;
  ++*count;
}

static void drop_smallest(reference_influence *list, size_t *count) {
  size_t smallest = 0;
  for (size_t i = 1; i < *count; i++)
    if (list[i].weight <= list[smallest].weight) smallest = i;
  memmove(list + smallest, list + smallest + 1, (*count - smallest - 1) * sizeof *list);
  --*count;
}

static double sum_of(const reference_influence *list, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += list[i].weight;
  return sum;
}

size_t reference_clean(const uint16_t *joints, const float *weights, size_t count, bool keep,
                       bool rest, size_t most, reference_influence *cleaned) {
  size_t named = 0, kept = 0;
  for (size_t i = 0; i < count; i++)
    if (weights[i] < 0 || weights[i] > 0) merge(cleaned, &named, joints[i], (double)weights[i]);
  for (size_t i = 0; i < named; i++)
    if (cleaned[i].weight > 0) cleaned[kept++] = cleaned[i];
  if (kept == 0) {
    if (rest || count == 0) return 0;
    cleaned[0].joint = joints[0];
    cleaned[0].weight = 1;
    return 1;
  }
  double wanted = keep ? sum_of(cleaned, kept) : 1;
  while (most && kept > most) drop_smallest(cleaned, &kept);
  double sum = sum_of(cleaned, kept);
  for (size_t i = 0; i < kept; i++) cleaned[i].weight *= wanted / sum;
  return kept;
}

/* ---- polar factor ---- */

typedef struct extended {
  long double m[3][3];
} extended;

static extended widen(const reference_linear *a, double scale) {
  extended e;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) e.m[i][j] = (long double)a->m[i][j] * (long double)scale;
  return e;
}

static extended extended_cofactor(const extended *a) {
  extended c;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      int p = (i + 1) % 3, q = (i + 2) % 3, r = (j + 1) % 3, s = (j + 2) % 3;
      c.m[i][j] = a->m[p][r] * a->m[q][s] - a->m[p][s] * a->m[q][r];
    }
  return c;
}

static long double extended_norm(const extended *a) {
  long double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += a->m[i][j] * a->m[i][j];
  return sqrtl(sum);
}

/* X <- (g X + X^-T / g) / 2 with g = sqrt(|X^-1| / |X|) (Higham 1986). Regular input alone. */
static extended newton(extended x) {
  for (int round = 0; round < 100; round++) {
    extended inverse = extended_cofactor(&x);
    long double determinant =
        x.m[0][0] * inverse.m[0][0] + x.m[0][1] * inverse.m[0][1] + x.m[0][2] * inverse.m[0][2];
    long double change = 0;
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) inverse.m[i][j] /= determinant;
    long double g = sqrtl(extended_norm(&inverse) / extended_norm(&x));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        long double next = (g * x.m[i][j] + inverse.m[i][j] / g) / 2;
        change = fmaxl(change, fabsl(next - x.m[i][j]));
        x.m[i][j] = next;
      }
    if (change < 1e-17L) break;
  }
  return x;
}

/* Eigenvectors (columns of v) and eigenvalues of the symmetric a by cyclic Jacobi rotations. */
static void symmetric_eigen(extended a, long double values[3], extended *v) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) v->m[i][j] = i == j;
  for (int sweep = 0; sweep < 60; sweep++)
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (a.m[p][q] == 0) continue;
        long double angle = atan2l(2 * a.m[p][q], a.m[q][q] - a.m[p][p]) / 2;
        long double c = cosl(angle), s = sinl(angle);
        for (int k = 0; k < 3; k++) {
          long double x = a.m[k][p], y = a.m[k][q], e = v->m[k][p], f = v->m[k][q];
          a.m[k][p] = c * x - s * y, a.m[k][q] = s * x + c * y;
          v->m[k][p] = c * e - s * f, v->m[k][q] = s * e + c * f;
        }
        for (int k = 0; k < 3; k++) {
          long double x = a.m[p][k], y = a.m[q][k];
          a.m[p][k] = c * x - s * y, a.m[q][k] = s * x + c * y;
        }
        a.m[p][q] = a.m[q][p] = 0;
      }
  for (int k = 0; k < 3; k++) values[k] = a.m[k][k];
}

/* Singular values, largest first, and right singular vectors of a: the eigenvectors of aᵀa. */
static void right_singular(const extended *a, long double values[3], extended *v) {
  extended gram, unsorted;
  long double squares[3];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      gram.m[i][j] = a->m[0][i] * a->m[0][j] + a->m[1][i] * a->m[1][j] + a->m[2][i] * a->m[2][j];
  symmetric_eigen(gram, squares, &unsorted);
  int order[3] = {0, 1, 2};
  for (int i = 0; i < 2; i++)
    for (int j = i + 1; j < 3; j++)
      if (squares[order[j]] > squares[order[i]]) {
        int swap = order[i];
        order[i] = order[j];
        order[j] = swap;
      }
  for (int k = 0; k < 3; k++) {
    values[k] = sqrtl(fmaxl(squares[order[k]], 0));
    for (int i = 0; i < 3; i++) v->m[i][k] = unsorted.m[i][order[k]];
  }
}

/* How decided the completion of a matrix of rank 1 or 2 is: 1 where it keeps the hint, 0 where
 * the two completions are equally close to it. For rank 2 that is |u·Hv| of the missing pair of
 * axes, for rank 1 of the present one (the complementary minor of an orthogonal matrix). */
static double completion_margin(const extended *a, const extended *v, const extended *hint,
                                int rank) {
  long double images[2][3] = {{0}}, u[3];
  for (int k = 0; k < rank; k++)
    for (int i = 0; i < 3; i++)
      images[k][i] = a->m[i][0] * v->m[0][k] + a->m[i][1] * v->m[1][k] + a->m[i][2] * v->m[2][k];
  for (int i = 0; i < 3; i++) {
    int p = (i + 1) % 3, q = (i + 2) % 3;
    u[i] = rank == 1 ? images[0][i] : images[0][p] * images[1][q] - images[0][q] * images[1][p];
  }
  int axis = rank == 1 ? 0 : 2;
  long double norm = sqrtl(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += u[i] / norm * hint->m[i][j] * v->m[j][axis];
  return fabs((double)sum);
}

/* lim polar(t + e h): linear in e at first, so two values of e remove the first order. */
static extended limit_polar(const extended *truncated, const extended *hint) {
  const long double e = 1e-8L;
  extended once = *truncated, twice = *truncated;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      once.m[i][j] += e * hint->m[i][j];
      twice.m[i][j] += 2 * e * hint->m[i][j];
    }
  once = newton(once);
  twice = newton(twice);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) once.m[i][j] = 2 * once.m[i][j] - twice.m[i][j];
  return newton(once);
}

reference_linear reference_polar(const reference_linear *a, const reference_linear *hint, int *rank,
                                 double *rank_margin, double *hint_margin) {
  double size = reference_size(a);
  *rank = 0;
  *rank_margin = *hint_margin = 1;
  if (!(size > 0)) return *hint;
  extended scaled = widen(a, 1 / size), v, target = widen(hint, 1);
  long double values[3];
  right_singular(&scaled, values, &v);
  for (int k = 0; k < 3; k++) {
    double ratio = (double)(values[k] / values[0]);
    *rank += ratio > 1e-6;
    *rank_margin = fmin(*rank_margin, fabs(ratio - 1e-6) / 1e-6);
  }
  extended factor;
  if (*rank == 3) {
    factor = newton(scaled);
  } else {
    extended truncated = {{{0}}};
    for (int k = 0; k < *rank; k++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          for (int l = 0; l < 3; l++) truncated.m[i][j] += scaled.m[i][l] * v.m[l][k] * v.m[j][k];
    *hint_margin = completion_margin(&scaled, &v, &target, *rank);
    factor = limit_polar(&truncated, &target);
  }
  reference_linear result;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) result.m[i][j] = (double)factor.m[i][j];
  return result;
}

/* The rotation gives all products of two components, 4 q qᵀ; the column of the largest square is
 * q times that component. */
reference_quaternion reference_quaternion_of(const reference_linear *rotation,
                                             double *component_margin) {
  const double(*r)[3] = rotation->m;
  double products[4][4];
  double trace = r[0][0] + r[1][1] + r[2][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      products[i][j] = i == j ? 1 + 2 * r[i][i] - trace : r[i][j] + r[j][i];
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    products[i][3] = products[3][i] = r[k][j] - r[j][k];
  }
  products[3][3] = 1 + trace;
  int best = 3;
  for (int i = 0; i < 3; i++)
    if (products[i][i] > products[best][best]) best = i;
  reference_quaternion q = {products[best][0], products[best][1], products[best][2],
                            products[best][3]};
  q = reference_unit(q);
  const double parts[4] = {q.x, q.y, q.z, q.w};
  *component_margin = 1;
  for (int i = 0; i < 4; i++)
    if (i != best && parts[i] < 0)
      *component_margin = fmin(*component_margin, fabs(parts[best]) - fabs(parts[i]));
  return q;
}

/* ---- joints ---- */

static reference_linear negated(const reference_linear *a) {
  reference_linear n;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) n.m[i][j] = -a->m[i][j];
  return n;
}

/* Orthonormal columns from x, y, z in that order: z is what is left, so that it reflects where a
 * does. */
static reference_linear gram_schmidt(const reference_linear *a) {
  reference_vector x = column(a, 0), y = column(a, 1), z = column(a, 2);
  x = reference_scaled(x, 1 / reference_length(x));
  y = reference_difference(y, reference_scaled(x, reference_dot(x, y)));
  y = reference_scaled(y, 1 / reference_length(y));
  reference_vector side = reference_cross(x, y);
  return from_columns(x, y, reference_scaled(side, reference_dot(side, z) < 0 ? -1 : 1));
}

static void factorise(const reference_joint *joint, bool by_gram_schmidt, reference_factor *factor) {
  reference_linear linear = reference_linear_of(&joint->matrix);
  reference_linear hint = reference_rotation(reference_unit(joint->hint));
  reference_linear proper_hint = hint;
  if (joint->hint_mirrored) hint = negated(&hint);
  reference_linear orthogonal =
      reference_polar(&linear, &hint, &factor->rank, &factor->rank_margin, &factor->hint_margin);
  if (by_gram_schmidt) orthogonal = factor->rank == 3 ? gram_schmidt(&linear) : proper_hint;
  factor->mirrored = reference_determinant(&orthogonal) < 0;
  factor->rotation = factor->mirrored ? negated(&orthogonal) : orthogonal;
  reference_linear back = reference_transposed(&factor->rotation);
  factor->stretch = reference_linear_product(&back, &linear);
  factor->quaternion = reference_quaternion_of(&factor->rotation, &factor->component_margin);
  factor->parent_margin = 1;
  factor->signed_by_parent = false;
}

static reference_quaternion opposite(reference_quaternion q) {
  reference_quaternion n = {-q.x, -q.y, -q.z, -q.w};
  return n;
}

/* The margin of one decision on a sign: near the threshold it is the distance to it; within the
 * band that is not negated, the stored signs matter and so do the margins of both. */
static double decision_margin(double dot, const reference_factor *a, const reference_factor *b) {
  double margin = fabs(dot + 1e-6);
  if (fabs(dot) < 1e-5) margin = fmin(margin, fmin(a->component_margin, b->component_margin));
  return margin;
}

/* Parents first, whatever the order of the joints. */
static void agree_with_parent(const reference_joint *joints, uint32_t j, reference_factor *factors) {
  reference_factor *factor = &factors[j];
  if (factor->signed_by_parent || joints[j].parent == REFERENCE_NONE) return;
  const reference_factor *parent = &factors[joints[j].parent];
  agree_with_parent(joints, joints[j].parent, factors);
  double dot = reference_quaternion_dot(factor->quaternion, parent->quaternion);
  factor->parent_margin = fmin(parent->parent_margin, decision_margin(dot, factor, parent));
  if (dot < -1e-6) factor->quaternion = opposite(factor->quaternion);
  factor->signed_by_parent = true;
}

void reference_prepare(const reference_joint *joints, uint32_t count,
                       const reference_settings *settings, reference_factor *factors) {
  for (uint32_t j = 0; j < count; j++) factorise(&joints[j], settings->gram_schmidt, &factors[j]);
  for (uint32_t j = 0; j < count && settings->signs_per_pose; j++)
    agree_with_parent(joints, j, factors);
}

/* ---- vertices ---- */

static reference_affine rigid_part(const reference_joint *joint, const reference_factor *factor) {
  return reference_affine_of(&factor->rotation, translation_of(&joint->matrix));
}

/* vec((sum w p q) r*) / |r|^2 where p = M v + s t: s = 1 gives the image of a point, 0 of a
 * direction. */
static reference_vector blended(const reference_affine *matrices,
                                const reference_quaternion *quaternions, const double *weights,
                                size_t count, reference_vector v, bool point) {
  reference_quaternion r = {0, 0, 0, 0}, sum = {0, 0, 0, 0};
  for (size_t i = 0; i < count; i++) {
    reference_linear linear = reference_linear_of(&matrices[i]);
    reference_vector p = point ? reference_moved(&matrices[i], v) : reference_turned(&linear, v);
    reference_quaternion pure = {p.x, p.y, p.z, 0}, q = quaternions[i];
    reference_quaternion term = reference_product(pure, q);
    double w = weights[i];
    r.x += w * q.x, r.y += w * q.y, r.z += w * q.z, r.w += w * q.w;
    sum.x += w * term.x, sum.y += w * term.y, sum.z += w * term.z, sum.w += w * term.w;
  }
  reference_quaternion result = reference_product(sum, conjugate(r));
  return reference_scaled(reference_vector_of(result.x, result.y, result.z),
                          1 / reference_quaternion_dot(r, r));
}

#define MOST_INFLUENCES 64

typedef struct blend {
  reference_affine matrices[MOST_INFLUENCES]; /* what moves the vertex: M, or its rigid part */
  reference_quaternion quaternions[MOST_INFLUENCES];
  double weights[MOST_INFLUENCES];
  size_t count;
} blend;

/* The signs of the influences against the pivot. */
static void resolve_signs(const reference_factor *factors, const reference_influence *influences,
                          blend *b, reference_vertex *vertex) {
  size_t pivot = 0;
  for (size_t i = 1; i < b->count; i++)
    if (influences[i].weight > influences[pivot].weight) pivot = i;
  const reference_factor *most = &factors[influences[pivot].joint];
  for (size_t i = 0; i < b->count; i++) {
    const reference_factor *factor = &factors[influences[i].joint];
    double difference =
        fabs(influences[i].weight - influences[pivot].weight) / influences[pivot].weight;
    if (i != pivot && difference > 0) /* a tie is decided, nearly a tie may round to one */
      vertex->sign_margin = fmin(vertex->sign_margin, difference);
    double dot = reference_quaternion_dot(factor->quaternion, most->quaternion);
    if (i != pivot)
      vertex->sign_margin = fmin(vertex->sign_margin, decision_margin(dot, factor, most));
    b->quaternions[i] = dot < -1e-6 ? opposite(factor->quaternion) : factor->quaternion;
    vertex->flipped += dot < -1e-6;
  }
}

static void collect(const reference_joint *joints, const reference_factor *factors,
                    const reference_settings *settings, const reference_influence *influences,
                    reference_vector position, blend *b, reference_vertex *vertex) {
  double sum = sum_of(influences, b->count);
  for (size_t i = 0; i < b->count; i++) {
    const reference_joint *joint = &joints[influences[i].joint];
    const reference_factor *factor = &factors[influences[i].joint];
    reference_linear linear = reference_linear_of(&joint->matrix);
    double size = fmax(reference_size(&linear), settings->method == REFERENCE_DQS_NONE ? 1 : 0);
    vertex->linear_size = fmax(vertex->linear_size, size);
    vertex->size = fmax(vertex->size, size * reference_length(position) +
                                          reference_length(translation_of(&joint->matrix)));
    b->weights[i] =
        settings->method == REFERENCE_LBS ? influences[i].weight : influences[i].weight / sum;
    bool rigid = settings->method == REFERENCE_DQS_FIRST || settings->method == REFERENCE_DQS_NONE;
    b->matrices[i] = rigid ? rigid_part(joint, factor) : joint->matrix;
    b->quaternions[i] = factor->quaternion;
    if (settings->method == REFERENCE_LBS) continue;
    vertex->singular_margin =
        fmin(vertex->singular_margin, fmin(factor->rank_margin, factor->hint_margin));
    if (settings->signs_per_pose)
      vertex->sign_margin = fmin(vertex->sign_margin, factor->parent_margin);
  }
}

static void by_lbs(const reference_joint *joints, const reference_influence *influences,
                   const blend *b, reference_vector position, reference_vertex *vertex) {
  vertex->position = reference_vector_of(0, 0, 0);
  memset(&vertex->linear, 0, sizeof vertex->linear);
  for (size_t k = 0; k < b->count; k++) {
    const reference_affine *matrix = &joints[influences[k].joint].matrix;
    reference_vector p = reference_moved(matrix, position);
    vertex->position = reference_sum(vertex->position, reference_scaled(p, b->weights[k]));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) vertex->linear.m[i][j] += b->weights[k] * matrix->m[i][j];
  }
}

static void by_dqs(const reference_factor *factors, const reference_settings *settings,
                   const reference_influence *influences, const blend *b, reference_vector position,
                   reference_vertex *vertex) {
  reference_linear first = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  if (settings->method == REFERENCE_DQS_FIRST) {
    memset(&first, 0, sizeof first);
    for (size_t k = 0; k < b->count; k++)
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          first.m[i][j] += b->weights[k] * factors[influences[k].joint].stretch.m[i][j];
  }
  vertex->position = blended(b->matrices, b->quaternions, b->weights, b->count,
                             reference_turned(&first, position), true);
  reference_vector columns[3];
  for (int k = 0; k < 3; k++)
    columns[k] =
        blended(b->matrices, b->quaternions, b->weights, b->count, column(&first, k), false);
  vertex->linear = from_columns(columns[0], columns[1], columns[2]);
}

void reference_deform(const reference_joint *joints, const reference_factor *factors,
                      const reference_settings *settings, const reference_influence *influences,
                      size_t count, reference_vector position, reference_vertex *vertex) {
  memset(vertex, 0, sizeof *vertex);
  vertex->sign_margin = vertex->singular_margin = vertex->blend = 1;
  if (count == 0 || count > MOST_INFLUENCES) {
    vertex->position = position;
    vertex->linear = reference_rotation(reference_turn(1, 0, 0, 0));
    vertex->determinant = vertex->linear_size = 1;
    vertex->size = reference_length(position);
    return;
  }
  blend b;
  b.count = count;
  collect(joints, factors, settings, influences, position, &b, vertex);
  if (settings->method == REFERENCE_LBS) {
    by_lbs(joints, influences, &b, position, vertex);
    double sum = sum_of(influences, count);
    vertex->size *= fmax(sum, 1);
    vertex->linear_size *= fmax(sum, 1);
  } else {
    if (!settings->signs_per_pose) resolve_signs(factors, influences, &b, vertex);
    reference_quaternion r = {0, 0, 0, 0};
    for (size_t i = 0; i < count; i++) {
      reference_quaternion q = b.quaternions[i];
      double w = b.weights[i];
      r.x += w * q.x, r.y += w * q.y, r.z += w * q.z, r.w += w * q.w;
    }
    vertex->blend = sqrt(reference_quaternion_dot(r, r));
    vertex->fallback = vertex->blend * vertex->blend < 1e-12;
    if (vertex->fallback)
      by_lbs(joints, influences, &b, position, vertex);
    else
      by_dqs(factors, settings, influences, &b, position, vertex);
  }
  vertex->determinant = reference_determinant(&vertex->linear);
}

/* ---- normals and tangents ---- */

static reference_vector unit_or(reference_vector v, reference_vector otherwise) {
  double length = reference_length(v);
  return length > 0 ? reference_scaled(v, 1 / length) : otherwise;
}

reference_vector reference_normal(const reference_vertex *vertex, reference_normals mode,
                                  reference_vector normal, double *margin) {
  double length = reference_length(normal);
  reference_vector moved = reference_turned(&vertex->linear, normal);
  *margin = reference_length(moved) / (length * vertex->linear_size);
  if (mode == REFERENCE_LINEAR) return moved;
  if (mode == REFERENCE_UNIT) return unit_or(moved, normal);
  reference_linear cofactors = cofactor(&vertex->linear);
  reference_vector turned = reference_turned(&cofactors, normal);
  *margin =
      reference_length(turned) / (length * vertex->linear_size * reference_size(&vertex->linear));
  return unit_or(reference_scaled(turned, vertex->determinant < 0 ? -1 : 1), normal);
}

reference_vector reference_tangent(const reference_vertex *vertex, reference_normals mode,
                                   reference_vector tangent, const reference_vector *new_normal,
                                   double *margin) {
  reference_vector moved = reference_turned(&vertex->linear, tangent);
  double length = reference_length(tangent) * vertex->linear_size;
  *margin = reference_length(moved) / length;
  if (mode == REFERENCE_LINEAR) return moved;
  if (new_normal)
    moved = reference_difference(moved,
                                 reference_scaled(*new_normal, reference_dot(moved, *new_normal)));
  *margin = reference_length(moved) / length;
  return unit_or(moved, tangent);
}
