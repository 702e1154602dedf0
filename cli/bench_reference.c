/* bench_reference.c: linear and dual quaternion skinning of one vertex in double precision. */
#include "bench_reference.h"

#include <math.h>
#include <string.h>

static double dot3(const double a[3], const double b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double determinant(double m[3][3]) {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

/* Of each element the signed minor: the inverse, transposed, times the determinant. */
static void cofactors(double m[3][3], double out[3][3]) {
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      const int a = (r + 1) % 3, b = (r + 2) % 3, d = (c + 1) % 3, e = (c + 2) % 3;
      out[r][c] = m[a][d] * m[b][e] - m[a][e] * m[b][d];
    }
}

/* Newton's iteration for the orthogonal polar factor: X <- (X + X^-T) / 2 (Higham 1986). */
static void orthogonal_factor(double x[3][3]) {
  for (int step = 0; step < 60; step++) {
    double cofactor[3][3], moved = 0;
    cofactors(x, cofactor);
    const double det = determinant(x);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) {
        const double next = 0.5 * (x[r][c] + cofactor[r][c] / det);
        moved = fmax(moved, fabs(next - x[r][c]));
        x[r][c] = next;
      }
    if (moved < 1e-15) break;
  }
}

/* Any rotation's quaternion: the matrix q q^T is linear in it, and its largest column is q. */
static void quat_of(double r[3][3], double q[4]) {
  const double t = r[0][0] + r[1][1] + r[2][2];
  double k[4][4];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) k[i][j] = i == j ? 1 + 2 * r[i][i] - t : r[i][j] + r[j][i];
  k[3][3] = 1 + t;
  k[0][3] = k[3][0] = r[2][1] - r[1][2];
  k[1][3] = k[3][1] = r[0][2] - r[2][0];
  k[2][3] = k[3][2] = r[1][0] - r[0][1];
  int largest = 0;
  for (int i = 1; i < 4; i++)
    if (k[i][i] > k[largest][largest]) largest = i;
  double length = 0;
  for (int i = 0; i < 4; i++) length += k[largest][i] * k[largest][i];
  for (int i = 0; i < 4; i++) q[i] = k[largest][i] / sqrt(length);
}

cli_bench_joint cli_bench_joint_of(const supple_affine *matrix) {
  cli_bench_joint joint;
  double x[3][3];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) {
      joint.m[r][c] = (double)matrix->m[r][c];
      if (c < 3) x[r][c] = joint.m[r][c];
    }
  const double sign = determinant(x) < 0 ? -1 : 1;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) x[r][c] *= sign;
  orthogonal_factor(x);
  quat_of(x, joint.q);
  return joint;
}

static void quat_multiply(const double a[4], const double b[4], double out[4]) {
  out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
  out[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
  out[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
  out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static double sign_of(const cli_bench_blend *b, uint32_t i) {
  uint32_t pivot = 0;
  for (uint32_t k = 1; k < b->count && b->pivot == CLI_BENCH_AGAINST_LARGEST; k++)
    if (b->weights[k] > b->weights[pivot]) pivot = k;
  const double *p = b->joints[b->indices[pivot]].q, *q = b->joints[b->indices[i]].q;
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] < -1e-6 ? -1 : 1;
}

/* The deformation at this vertex's weights, of (v, last): affine in v. */
static void deform(const cli_bench_blend *b, const double v[3], double last, double out[3]) {
  double r[4] = {0}, sum[4] = {0}, linear[3] = {0};
  for (uint32_t i = 0; i < b->count; i++) {
    const cli_bench_joint *joint = &b->joints[b->indices[i]];
    const double w = (double)b->weights[i], signed_weight = w * sign_of(b, i);
    double p[4] = {0}, pq[4];
    for (int k = 0; k < 3; k++) {
      p[k] = dot3(joint->m[k], v) + joint->m[k][3] * last;
      linear[k] += w * p[k];
    }
    quat_multiply(p, joint->q, pq);
    for (int k = 0; k < 4; k++) {
      r[k] += signed_weight * joint->q[k];
      sum[k] += signed_weight * pq[k];
    }
  }
  memcpy(out, linear, sizeof linear);
  if (b->method == SUPPLE_LBS) return;
  const double conjugate[4] = {-r[0], -r[1], -r[2], r[3]};
  double turned[4];
  quat_multiply(sum, conjugate, turned);
  const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3];
  for (int k = 0; k < 3; k++) out[k] = turned[k] / square;
}

static double unit(double v[3]) {
  const double length = sqrt(dot3(v, v));
  for (int k = 0; k < 3 && length > 0; k++) v[k] /= length;
  return length;
}

static void frame(double l[3][3], supple_normals mode, const cli_bench_vertex *rest,
                  cli_bench_vertex *out) {
  double cofactor[3][3], largest = 0;
  const double det = determinant(l);
  cofactors(l, cofactor);
  for (int r = 0; r < 3; r++) largest = fmax(largest, dot3(l[r], l[r]));
  for (int r = 0; r < 3; r++) {
    out->normal[r] = mode == SUPPLE_NORMALS_COFACTOR
                         ? dot3(cofactor[r], rest->normal) * (det < 0 ? -1 : 1)
                         : dot3(l[r], rest->normal);
    out->tangent[r] = dot3(l[r], rest->tangent);
  }
  out->tangent[3] = rest->tangent[3] * (det < 0 ? -1 : 1);
  out->trust = fmin(1, fabs(det) / (largest * sqrt(largest)));
  if (mode == SUPPLE_NORMALS_LINEAR) return;
  const double length = unit(out->normal);
  out->trust =
      fmin(out->trust, length / (mode == SUPPLE_NORMALS_COFACTOR ? largest : sqrt(largest)));
  const double along = dot3(out->tangent, out->normal);
  for (int k = 0; k < 3; k++) out->tangent[k] -= along * out->normal[k];
  out->trust = fmin(out->trust, unit(out->tangent) / sqrt(largest));
}

cli_bench_vertex cli_bench_reference(const cli_bench_blend *blend, supple_normals mode,
                                     const cli_bench_vertex *rest) {
  cli_bench_vertex out = *rest;
  out.trust = 1;
  if (!blend->count) return out;
  double l[3][3];
  deform(blend, rest->position, 1, out.position);
  for (int c = 0; c < 3; c++) {
    const double axis[3] = {c == 0, c == 1, c == 2};
    double column[3];
    deform(blend, axis, 0, column);
    for (int r = 0; r < 3; r++) l[r][c] = column[r];
  }
  frame(l, mode, rest, &out);
  return out;
}
