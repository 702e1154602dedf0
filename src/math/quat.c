/* quat.c: quaternions: axis and angle, exponential, interpolation, matrices. */
#include "../base/prologue.h"

#include "../../include/supple/math.h"
#include "trig.h"

/* Below this angle sin(a t) / sin(a) is t to double precision, so lerp and slerp are the same. */
static const double slerp_smallest_angle = 1e-6;

/* How negative a dot product must be for the other sign to be the short way. At a turn of exactly
 * 180 degrees rounding would decide otherwise. */
static const double sign_threshold = -1e-6;

static double largest_of(double x, double y, double z) {
  const double a = fabs(x), b = fabs(y), c = fabs(z);
  const double ab = a > b ? a : b;
  return ab > c ? ab : c;
}

supple_quat supple_quat_from_axis_angle(supple_vec3 axis, double angle) {
  const double largest = largest_of(axis.x, axis.y, axis.z);
  if (!(largest > 0.0)) return supple_quat_identity();
  /* Divide, for 1 / largest may overflow; then the square of the length lies in [1, 3]. */
  const supple_vec3 direction =
      supple_vec3_make(axis.x / largest, axis.y / largest, axis.z / largest);
  double sine, cosine;
  supplei_sin_cos(0.5 * angle, &sine, &cosine);
  const double s = sine / supple_vec3_length(direction);
  return supple_quat_make(direction.x * s, direction.y * s, direction.z * s, cosine);
}

supple_quat supple_quat_exp(supple_quat q) {
  const double half_angle = supple_vec3_length(supple_vec3_make(q.x, q.y, q.z));
  double sine, cosine;
  supplei_sin_cos(half_angle, &sine, &cosine);
  const double s = half_angle > 0.0 ? sine / half_angle : 1.0;
  const double magnitude = q.w == 0.0 ? 1.0 : supplei_exp(q.w);
  return supple_quat_scale(supple_quat_make(q.x * s, q.y * s, q.z * s, cosine), magnitude);
}

supple_quat supple_quat_log(supple_quat q) {
  const double norm = supple_quat_norm(q);
  const double sine = supple_vec3_length(supple_vec3_make(q.x, q.y, q.z));
  const double half_angle = supple_atan2(sine, q.w);
  /* Of -1 every axis is right; x is as good as any. */
  if (!(sine > 0.0)) return supple_quat_make(half_angle, 0.0, 0.0, supplei_log(norm));
  const double s = half_angle / sine;
  return supple_quat_make(q.x * s, q.y * s, q.z * s, supplei_log(norm));
}

supple_quat supple_quat_power(supple_quat q, double t) {
  return supple_quat_exp(supple_quat_scale(supple_quat_log(q), t));
}

supple_quat supple_quat_slerp(supple_quat a, supple_quat b, double t) {
  if (supple_quat_dot(a, b) < sign_threshold) b = supple_quat_scale(b, -1.0);
  /* The arc cosine of the dot product would lose half the digits of a small angle. */
  const supple_quat difference = supple_quat_add(b, supple_quat_scale(a, -1.0));
  const double angle =
      2.0 * supple_atan2(supple_quat_norm(difference), supple_quat_norm(supple_quat_add(a, b)));
  if (angle < slerp_smallest_angle)
    return supple_quat_normalise(supple_quat_add(a, supple_quat_scale(difference, t)));
  const double sine = supple_sin(angle);
  return supple_quat_add(supple_quat_scale(a, supple_sin((1.0 - t) * angle) / sine),
                         supple_quat_scale(b, supple_sin(t * angle) / sine));
}

supple_quat supple_quat_from_mat3(const supple_mat3 *rotation) {
  const double(*m)[3] = rotation->m;
  const double trace = m[0][0] + m[1][1] + m[2][2];
  /* Shepperd: start from the largest of the four, so that nothing is divided by a small number. */
  supple_quat q;
  if (trace >= m[0][0] && trace >= m[1][1] && trace >= m[2][2]) {
    q = supple_quat_make(m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1.0 + trace);
  } else if (m[0][0] >= m[1][1] && m[0][0] >= m[2][2]) {
    q = supple_quat_make(1.0 + 2.0 * m[0][0] - trace, m[0][1] + m[1][0], m[0][2] + m[2][0],
                         m[2][1] - m[1][2]);
  } else if (m[1][1] >= m[2][2]) {
    q = supple_quat_make(m[0][1] + m[1][0], 1.0 + 2.0 * m[1][1] - trace, m[1][2] + m[2][1],
                         m[0][2] - m[2][0]);
  } else {
    q = supple_quat_make(m[0][2] + m[2][0], m[1][2] + m[2][1], 1.0 + 2.0 * m[2][2] - trace,
                         m[1][0] - m[0][1]);
  }
  return supple_quat_normalise(q);
}

supple_mat3 supple_mat3_from_quat(supple_quat q) {
  const double x2 = q.x + q.x, y2 = q.y + q.y, z2 = q.z + q.z;
  const double xx = q.x * x2, yy = q.y * y2, zz = q.z * z2;
  const double xy = q.x * y2, xz = q.x * z2, yz = q.y * z2;
  const double wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
  const supple_mat3 m = {{{1.0 - (yy + zz), xy - wz, xz + wy},
                          {xy + wz, 1.0 - (xx + zz), yz - wx},
                          {xz - wy, yz + wx, 1.0 - (xx + yy)}}};
  return m;
}
