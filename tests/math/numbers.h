/* numbers.h: random numbers, rotations and matrices for the tests of the mathematics. */
#ifndef SUPPLE_TESTS_NUMBERS_H
#define SUPPLE_TESTS_NUMBERS_H

/* Inputs of golden hashes are computed here too: no contraction in the tests either. */
#include "src/base/prologue.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <supple/math.h>

/* SplitMix64: every test starts its own sequence. */
typedef struct numbers {
  uint64_t state;
} numbers;

static inline uint64_t numbers_bits(numbers *n) {
  uint64_t z = n->state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double numbers_in(numbers *n, double low, double high) {
  return low + (high - low) * ((double)(numbers_bits(n) >> 11) * 0x1p-53);
}

/* 10^u, u uniform in [low, high). */
static inline double numbers_magnitude(numbers *n, double low, double high) {
  return pow(10.0, numbers_in(n, low, high));
}

static inline supple_vec3 numbers_vec3(numbers *n, double size) {
  const double x = numbers_in(n, -size, size), y = numbers_in(n, -size, size);
  return supple_vec3_make(x, y, numbers_in(n, -size, size));
}

/* Uniform in the unit ball of four dimensions, projected: a uniformly distributed rotation. */
static inline supple_quat numbers_quat(numbers *n) {
  for (;;) {
    supple_quat q;
    q.x = numbers_in(n, -1, 1), q.y = numbers_in(n, -1, 1);
    q.z = numbers_in(n, -1, 1), q.w = numbers_in(n, -1, 1);
    const double norm = supple_quat_norm(q);
    if (norm > 0.1 && norm < 1.0) return supple_quat_scale(q, 1.0 / norm);
  }
}

static inline supple_mat3 numbers_rotation(numbers *n) {
  return supple_mat3_from_quat(numbers_quat(n));
}

static inline supple_dual_quat numbers_motion(numbers *n, double distance) {
  const supple_quat q = numbers_quat(n);
  return supple_dual_quat_from_rigid(q, numbers_vec3(n, distance));
}

static inline supple_mat3 numbers_mat3(numbers *n) {
  supple_mat3 m;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) m.m[i][j] = numbers_in(n, -1, 1);
  return m;
}

static inline supple_mat3 diagonal(double x, double y, double z) {
  const supple_mat3 m = {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}};
  return m;
}

/* a · diag(x, y, z) · bᵀ */
static inline supple_mat3 with_values(const supple_mat3 *a, double x, double y, double z,
                                      const supple_mat3 *b) {
  const supple_mat3 d = diagonal(x, y, z), t = supple_mat3_transpose(b);
  const supple_mat3 ad = supple_mat3_multiply(a, &d);
  return supple_mat3_multiply(&ad, &t);
}

static inline supple_affine64 linear_map(const supple_mat3 *m) {
  supple_affine64 a = supple_affine64_identity();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) a.m[i][j] = m->m[i][j];
  return a;
}

/* The largest difference of any two entries; NaN counts as infinite. */
static inline double difference_of(const double *a, const double *b, size_t count) {
  double largest = 0;
  for (size_t i = 0; i < count; i++) {
    const double off = fabs(a[i] - b[i]);
    if (!(off <= largest)) largest = off;
    if (off != off) return (double)INFINITY;
  }
  return largest;
}
static inline double mat3_difference(const supple_mat3 *a, const supple_mat3 *b) {
  return difference_of(&a->m[0][0], &b->m[0][0], 9);
}
static inline double affine_difference(const supple_affine64 *a, const supple_affine64 *b) {
  return difference_of(&a->m[0][0], &b->m[0][0], 12);
}
static inline double vec3_difference(supple_vec3 a, supple_vec3 b) {
  return difference_of(&a.x, &b.x, 3);
}
static inline double quat_difference(supple_quat a, supple_quat b) {
  return difference_of(&a.x, &b.x, 4);
}
static inline double dual_quat_difference(supple_dual_quat a, supple_dual_quat b) {
  const double real = quat_difference(a.real, b.real), dual = quat_difference(a.dual, b.dual);
  return real > dual ? real : dual;
}
/* As motions: a and -a are the same. */
static inline double motion_difference(supple_dual_quat a, supple_dual_quat b) {
  const double same = dual_quat_difference(a, b);
  const double other = dual_quat_difference(a, supple_dual_quat_scale(b, -1.0));
  return same < other ? same : other;
}
static inline double rotation_difference(supple_quat a, supple_quat b) {
  const double same = quat_difference(a, b);
  const double other = quat_difference(a, supple_quat_scale(b, -1.0));
  return same < other ? same : other;
}

static inline double mat3_largest(const supple_mat3 *a) {
  const supple_mat3 zero = diagonal(0, 0, 0);
  return mat3_difference(a, &zero);
}

/* |aᵀ a - identity| */
static inline double orthogonality_error(const supple_mat3 *a) {
  const supple_mat3 t = supple_mat3_transpose(a), product = supple_mat3_multiply(&t, a);
  const supple_mat3 identity = diagonal(1, 1, 1);
  return mat3_difference(&product, &identity);
}

/* Fails, saying both numbers, unless value <= limit. */
#define assert_at_most(value, limit)                                                               \
  assert_at_most_in((value), (limit), #value " <= " #limit, __FILE__, __LINE__)
static inline void assert_at_most_in(double value, double limit, const char *text, const char *file,
                                     int line) {
  if (!(value <= limit)) print_error("%s:%d: %s: %.17g > %.17g\n", file, line, text, value, limit);
  if (!(value <= limit)) fail();
}

#endif
