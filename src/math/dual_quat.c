/* dual_quat.c: dual quaternions: algebra, screw motions, blends. */
#include "../base/prologue.h"

#include "../../include/supple/math.h"
#include "trig.h"

/* Below it, the dot product with the pivot makes the other sign the short way; above it, rounding
 * at a turn of 180 degrees shall not decide. */
static const double sign_threshold = -1e-6;

static supple_dual_quat make(supple_quat real, supple_quat dual) {
  supple_dual_quat a;
  a.real = real, a.dual = dual;
  return a;
}

static supple_vec3 vector_of(supple_quat q) { return supple_vec3_make(q.x, q.y, q.z); }

static supple_quat pure(supple_vec3 v) { return supple_quat_make(v.x, v.y, v.z, 0.0); }

static supple_quat subtract(supple_quat a, supple_quat b) {
  return supple_quat_make(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

supple_dual_quat supple_dual_quat_identity(void) {
  return make(supple_quat_identity(), supple_quat_make(0.0, 0.0, 0.0, 0.0));
}

supple_dual_quat supple_dual_quat_add(supple_dual_quat a, supple_dual_quat b) {
  return make(supple_quat_add(a.real, b.real), supple_quat_add(a.dual, b.dual));
}

supple_dual_quat supple_dual_quat_scale(supple_dual_quat a, double s) {
  return make(supple_quat_scale(a.real, s), supple_quat_scale(a.dual, s));
}

supple_dual_quat supple_dual_quat_multiply(supple_dual_quat a, supple_dual_quat b) {
  return make(
      supple_quat_multiply(a.real, b.real),
      supple_quat_add(supple_quat_multiply(a.real, b.dual), supple_quat_multiply(a.dual, b.real)));
}

supple_dual_quat supple_dual_quat_conjugate(supple_dual_quat a) {
  return make(supple_quat_conjugate(a.real), supple_quat_conjugate(a.dual));
}

supple_dual_quat supple_dual_quat_dual_conjugate(supple_dual_quat a) {
  return make(a.real, supple_quat_scale(a.dual, -1.0));
}

supple_dual_quat supple_dual_quat_full_conjugate(supple_dual_quat a) {
  return supple_dual_quat_dual_conjugate(supple_dual_quat_conjugate(a));
}

void supple_dual_quat_norm(supple_dual_quat a, double *real, double *dual) {
  *real = supple_quat_norm(a.real);
  *dual = supple_quat_dot(a.real, a.dual) / *real;
}

supple_dual_quat supple_dual_quat_normalise(supple_dual_quat a) {
  const double norm = supple_quat_norm(a.real);
  if (norm <= 1e-150) return supple_dual_quat_identity();
  const supple_quat real = supple_quat_normalise(a.real);
  const supple_quat dual = supple_quat_scale(a.dual, 1.0 / norm);
  /* a / |a| takes from the dual part what lies along the real one. */
  return make(real, subtract(dual, supple_quat_scale(real, supple_quat_dot(real, dual))));
}

supple_dual_quat supple_dual_quat_inverse(supple_dual_quat a) {
  const supple_quat real = supple_quat_inverse(a.real);
  const supple_quat dual = supple_quat_multiply(supple_quat_multiply(real, a.dual), real);
  return make(real, supple_quat_scale(dual, -1.0));
}

/* For v of length h: f = sin h / h, and g = f'(h) / h = (cos h - f) / h². */
static void sinc_and_slope(double h, double *f, double *g) {
  if (h < 0.05) { /* both series, where the closed form of g would cancel */
    const double z = h * h;
    *f = 1.0 - z / 6.0 * (1.0 - z / 20.0 * (1.0 - z / 42.0 * (1.0 - z / 72.0)));
    *g = -1.0 / 3.0 + z * (1.0 / 30.0 - z * (1.0 / 840.0 - z * (1.0 / 45360.0)));
    return;
  }
  double sine, cosine;
  supplei_sin_cos(h, &sine, &cosine);
  *f = sine / h;
  *g = (cosine - *f) / (h * h);
}

/* Let the motion be v + eps m. Its dual length is h + eps <v, m> / h, and exp = cos + v f(h) of
 * that dual number: by Taylor's theorem for dual numbers the dual part is (m f + v g <v, m>, -f
 * <v, m>). Nothing is divided by h, so small turns and pure translations need no case of their
 * own. */
supple_dual_quat supple_dual_quat_exp(supple_dual_quat a) {
  const supple_vec3 v = vector_of(a.real), m = vector_of(a.dual);
  const double h = supple_vec3_length(v), along = supple_vec3_dot(v, m);
  double f, g;
  sinc_and_slope(h, &f, &g);
  const supple_vec3 dual = supple_vec3_add(supple_vec3_scale(m, f), supple_vec3_scale(v, g * along));
  const supple_vec3 real = supple_vec3_scale(v, f);
  return make(supple_quat_make(real.x, real.y, real.z, supple_cos(h)),
              supple_quat_make(dual.x, dual.y, dual.z, -f * along));
}

/* The equations of exp, solved for v and m. */
supple_dual_quat supple_dual_quat_log(supple_dual_quat a) {
  const supple_vec3 sine_axis = vector_of(a.real), d = vector_of(a.dual);
  const double sine = supple_vec3_length(sine_axis);
  const double h = supple_atan2(sine, a.real.w);
  if (!(sine > 0.0)) {
    if (a.real.w > 0.0) return make(pure(sine_axis), pure(d));
    /* -1: a whole turn, about the axis it moves along (any axis if it does not move). */
    const supple_vec3 axis = supple_vec3_normalise(d, supple_vec3_make(1.0, 0.0, 0.0));
    return make(pure(supple_vec3_scale(axis, h)), pure(supple_vec3_scale(d, -1.0)));
  }
  double f, g;
  sinc_and_slope(h, &f, &g);
  const supple_vec3 v = supple_vec3_scale(sine_axis, 1.0 / f);
  const double along = -a.dual.w / f;
  const supple_vec3 m = supple_vec3_subtract(d, supple_vec3_scale(v, g * along));
  return make(pure(v), pure(supple_vec3_scale(m, 1.0 / f)));
}

supple_dual_quat supple_dual_quat_power(supple_dual_quat a, double t) {
  return supple_dual_quat_exp(supple_dual_quat_scale(supple_dual_quat_log(a), t));
}

supple_dual_quat supple_dual_quat_from_rigid(supple_quat rotation, supple_vec3 translation) {
  return make(rotation, supple_quat_scale(supple_quat_multiply(pure(translation), rotation), 0.5));
}

void supple_dual_quat_to_rigid(supple_dual_quat unit, supple_quat *rotation,
                               supple_vec3 *translation) {
  const supple_quat t = supple_quat_multiply(unit.dual, supple_quat_conjugate(unit.real));
  *rotation = unit.real;
  *translation = supple_vec3_scale(vector_of(t), 2.0);
}

supple_affine64 supple_dual_quat_to_affine(supple_dual_quat unit) {
  supple_quat rotation;
  supple_vec3 t;
  supple_dual_quat_to_rigid(unit, &rotation, &t);
  const supple_mat3 r = supple_mat3_from_quat(rotation);
  const supple_affine64 a = {{{r.m[0][0], r.m[0][1], r.m[0][2], t.x},
                              {r.m[1][0], r.m[1][1], r.m[1][2], t.y},
                              {r.m[2][0], r.m[2][1], r.m[2][2], t.z}}};
  return a;
}

supple_vec3 supple_dual_quat_transform(supple_dual_quat unit, supple_vec3 point) {
  supple_quat rotation;
  supple_vec3 t;
  supple_dual_quat_to_rigid(unit, &rotation, &t);
  return supple_vec3_add(supple_quat_rotate(rotation, point), t);
}

/* The operand whose sign the others follow: the first of the largest weight. */
static size_t pivot_of(const double *weights, size_t count) {
  size_t pivot = 0;
  for (size_t i = 1; i < count; i++)
    if (weights[i] > weights[pivot]) pivot = i;
  return pivot;
}

static supple_dual_quat same_sign(supple_quat pivot, supple_dual_quat a) {
  return supple_quat_dot(pivot, a.real) < sign_threshold ? supple_dual_quat_scale(a, -1.0) : a;
}

supple_dual_quat supple_dual_quat_dlb(const supple_dual_quat *motions, const double *weights,
                                      size_t count) {
  if (count == 0) return supple_dual_quat_identity();
  const supple_quat pivot = motions[pivot_of(weights, count)].real;
  const supple_quat zero = {0.0, 0.0, 0.0, 0.0};
  supple_dual_quat sum = make(zero, zero);
  for (size_t i = 0; i < count; i++)
    sum =
        supple_dual_quat_add(sum, supple_dual_quat_scale(same_sign(pivot, motions[i]), weights[i]));
  return supple_dual_quat_normalise(sum);
}

/* b <- b exp(sum w log(b* a)) from the linear blend on: each round steps to the weighted mean of
 * the motions as screws seen from b. Ends where the step is within the tolerance. */
supple_dual_quat supple_dual_quat_dib(const supple_dual_quat *motions, const double *weights,
                                      size_t count, double tolerance, int *rounds) {
  enum { most_rounds = 64 };
  const double limit = tolerance > 0.0 ? tolerance : 1e-12;
  supple_dual_quat blend = supple_dual_quat_dlb(motions, weights, count);
  const supple_quat zero = {0.0, 0.0, 0.0, 0.0};
  const supple_quat pivot = count ? motions[pivot_of(weights, count)].real : zero;
  int round = 0;
  for (bool settled = count == 0; !settled && round < most_rounds; round++) {
    const supple_dual_quat inverse = supple_dual_quat_conjugate(blend);
    supple_dual_quat step = make(zero, zero);
    for (size_t i = 0; i < count; i++) {
      const supple_dual_quat seen = supple_dual_quat_multiply(inverse, same_sign(pivot, motions[i]));
      step = supple_dual_quat_add(step,
                                  supple_dual_quat_scale(supple_dual_quat_log(seen), weights[i]));
    }
    blend = supple_dual_quat_normalise(supple_dual_quat_multiply(blend, supple_dual_quat_exp(step)));
    /* The dual part rounds in proportion to the distance it stands for. */
    settled = supple_quat_norm(step.real) <= limit &&
              supple_quat_norm(step.dual) <= limit * (1.0 + supple_quat_norm(blend.dual));
  }
  if (rounds) *rounds = round;
  return blend;
}

supple_dual_quat supple_dual_quat_sclerp(supple_dual_quat a, supple_dual_quat b, double t) {
  const supple_dual_quat turn =
      supple_dual_quat_multiply(supple_dual_quat_conjugate(a), same_sign(a.real, b));
  return supple_dual_quat_multiply(a, supple_dual_quat_power(turn, t));
}
