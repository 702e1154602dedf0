/* fixture_body.c: the human figure as a field.
 *
 * The body is a smooth union of lofts (ellipses along an axis whose centre and radii follow
 * cubic curves through stations), ellipsoids and round cones. What comes in pairs is evaluated
 * for p and for its mirror image, so that the field is even in x without a crease in the middle. */
#include "fixture_body.h"

/* The ellipse of a loft at a place along its axis: centre and radii along the two cross
 * directions. */
typedef struct station {
  double along, centre[2], radius[2];
} station;

typedef struct loft {
  supple_vec3 origin, axis, across[2]; /* orthonormal */
  double cap;                          /* how far the ends reach out, over the smaller radius */
  const station *stations;
  uint32_t count;
  supple_vec3 least, most; /* a box around it */
} loft;

/* ---- shapes ---- */

static double square(double x) { return x * x; }

/* Quadratic smooth minimum: as min where a and b are k apart, k / 4 below where they are equal. */
static double join(double a, double b, double k) {
  double h = k - fabs(a - b);
  double least = a < b ? a : b;
  return h > 0 ? least - h * h / (4 * k) : least;
}

static double carve(double a, double b, double k) { return -join(-a, b, k); }

/* From scaled coordinates q = p / radius: first-order distance to the ellipsoid |q| = 1. */
static double ellipsoid_distance(const double q[3], const double radius[3]) {
  double k0 = sqrt(square(q[0]) + square(q[1]) + square(q[2]));
  double k1 = sqrt(square(q[0] / radius[0]) + square(q[1] / radius[1]) + square(q[2] / radius[2]));
  if (k1 < 1e-9) return -0.01;
  return k0 * (k0 - 1) / k1;
}

static double ellipsoid(supple_vec3 p, supple_vec3 centre, double rx, double ry, double rz) {
  const double radius[3] = {rx, ry, rz};
  const double q[3] = {(p.x - centre.x) / rx, (p.y - centre.y) / ry, (p.z - centre.z) / rz};
  return ellipsoid_distance(q, radius);
}

/* A capsule whose radius changes linearly: not an exact distance, but 0 on a cone with round
 * ends. */
static double cone(supple_vec3 p, supple_vec3 a, supple_vec3 b, double ra, double rb) {
  supple_vec3 ab = supple_vec3_subtract(b, a), ap = supple_vec3_subtract(p, a);
  double t = supple_vec3_dot(ap, ab) / supple_vec3_dot(ab, ab);
  t = t < 0 ? 0 : t > 1 ? 1 : t;
  return supple_vec3_length(supple_vec3_subtract(ap, supple_vec3_scale(ab, t))) -
         (ra + (rb - ra) * t);
}

/* One coordinate of a station, by its place in {centre 0, centre 1, radius 0, radius 1}. */
static double of(const station *s, int k) { return k < 2 ? s->centre[k] : s->radius[k - 2]; }

/* Cubic Hermite curve through the stations, slopes as Catmull and Rom (the parabola's at uneven
 * steps), and level at the ends, where the caps take over. */
static double slope(const loft *l, uint32_t i, int k) {
  if (i == 0 || i + 1 == l->count) return 0;
  const station *s = &l->stations[i];
  double before = s[0].along - s[-1].along, after = s[1].along - s[0].along;
  double low = (of(&s[0], k) - of(&s[-1], k)) / before;
  double high = (of(&s[1], k) - of(&s[0], k)) / after;
  return (low * after + high * before) / (before + after);
}

static void ellipse_at(const loft *l, double along, double ellipse[4]) {
  uint32_t i = 0;
  while (i + 2 < l->count && along > l->stations[i + 1].along) i++;
  const station *a = &l->stations[i], *b = a + 1;
  double step = b->along - a->along, t = (along - a->along) / step;
  double t2 = t * t, t3 = t2 * t;
  for (int k = 0; k < 4; k++) {
    ellipse[k] = (2 * t3 - 3 * t2 + 1) * of(a, k) + (3 * t2 - 2 * t3) * of(b, k) +
                 step * ((t3 - 2 * t2 + t) * slope(l, i, k) + (t3 - t2) * slope(l, i + 1, k));
  }
}

static const double far_away = 1, reach = 0.1; /* nothing is blended over more than `reach` */

static bool outside(supple_vec3 p, supple_vec3 least, supple_vec3 most) {
  return p.x < least.x - reach || p.x > most.x + reach || p.y < least.y - reach ||
         p.y > most.y + reach || p.z < least.z - reach || p.z > most.z + reach;
}

static double loft_distance(const loft *l, supple_vec3 p) {
  if (outside(p, l->least, l->most)) return far_away;
  supple_vec3 q = supple_vec3_subtract(p, l->origin);
  double along = supple_vec3_dot(q, l->axis), ellipse[4];
  double begin = l->stations[0].along, end = l->stations[l->count - 1].along;
  double inside = along < begin ? begin : along > end ? end : along;
  ellipse_at(l, inside, ellipse);
  double least = ellipse[2] < ellipse[3] ? ellipse[2] : ellipse[3];
  const double radius[3] = {ellipse[2], ellipse[3], least * l->cap};
  const double scaled[3] = {(supple_vec3_dot(q, l->across[0]) - ellipse[0]) / radius[0],
                            (supple_vec3_dot(q, l->across[1]) - ellipse[1]) / radius[1],
                            (along - inside) / radius[2]};
  return ellipsoid_distance(scaled, radius);
}

/* ---- the body ---- */

/* Along +Y, across X and Z: from the crotch to inside the head. */
static const station trunk_stations[] = {
    {0.810, {0, -0.008}, {0.082, 0.066}}, {0.855, {0, -0.008}, {0.120, 0.085}},
    {0.900, {0, -0.008}, {0.139, 0.096}}, {0.960, {0, -0.006}, {0.142, 0.100}},
    {1.070, {0, 0.004}, {0.127, 0.090}},  {1.160, {0, 0.004}, {0.134, 0.095}},
    {1.270, {0, -0.004}, {0.157, 0.106}}, {1.350, {0, -0.012}, {0.165, 0.102}},
    {1.410, {0, -0.020}, {0.145, 0.082}}, {1.450, {0, -0.026}, {0.090, 0.063}},
    {1.485, {0, -0.022}, {0.058, 0.056}}, {1.530, {0, -0.012}, {0.051, 0.053}},
    {1.600, {0, -0.004}, {0.050, 0.054}},
};

/* Along the arm, across "up and out" and Z: shoulder, elbow, wrist, mitten. */
static const station arm_stations[] = {
    {-0.015, {-0.006, 0}, {0.046, 0.050}}, {0.065, {0.001, 0.001}, {0.051, 0.055}},
    {0.150, {0, 0.002}, {0.045, 0.049}},   {0.230, {0, 0.000}, {0.040, 0.043}},
    {0.285, {0, -0.002}, {0.037, 0.037}},  {0.340, {0.001, 0.000}, {0.040, 0.039}},
    {0.400, {0, 0.000}, {0.036, 0.036}},   {0.470, {0, 0.000}, {0.028, 0.030}},
    {0.530, {0, 0.000}, {0.0215, 0.027}},  {0.565, {0, 0.002}, {0.0200, 0.033}},
    {0.605, {0, 0.001}, {0.0205, 0.040}},  {0.645, {-0.001, 0}, {0.0190, 0.039}},
    {0.690, {-0.004, 0}, {0.0165, 0.033}}, {0.730, {-0.008, 0}, {0.0125, 0.020}},
};

/* Along -Y from the hip joint, across X and Z: thigh, knee, calf, heel. */
static const station leg_stations[] = {
    {-0.055, {0.080, -0.012}, {0.030, 0.036}}, {-0.010, {0.085, -0.011}, {0.056, 0.067}},
    {0.045, {0.088, -0.010}, {0.071, 0.082}},  {0.110, {0.090, -0.008}, {0.076, 0.086}},
    {0.200, {0.092, -0.003}, {0.073, 0.079}},  {0.320, {0.092, 0.003}, {0.061, 0.066}},
    {0.410, {0.091, 0.006}, {0.051, 0.055}},   {0.460, {0.091, 0.008}, {0.048, 0.053}},
    {0.520, {0.092, -0.002}, {0.046, 0.050}},  {0.600, {0.094, -0.016}, {0.050, 0.055}},
    {0.700, {0.094, -0.020}, {0.040, 0.044}},  {0.800, {0.093, -0.020}, {0.030, 0.035}},
    {0.850, {0.093, -0.020}, {0.030, 0.036}},  {0.890, {0.093, -0.022}, {0.031, 0.038}},
};

/* Along +Z from the heel, across X and Y. */
static const station foot_stations[] = {
    {0.000, {0.093, 0.032}, {0.024, 0.030}}, {0.050, {0.093, 0.038}, {0.030, 0.040}},
    {0.110, {0.094, 0.035}, {0.034, 0.041}}, {0.170, {0.098, 0.022}, {0.042, 0.029}},
    {0.215, {0.099, 0.016}, {0.041, 0.021}}, {0.245, {0.097, 0.013}, {0.032, 0.015}},
};

#define HALF_ROOT 0.70710678118654752440
#define STATIONS(list) .stations = (list), .count = sizeof(list) / sizeof *(list)

static const loft trunk = {.axis = {0, 1, 0},
                           .across = {{1, 0, 0}, {0, 0, 1}},
                           .cap = 0.6,
                           .least = {-0.17, 0.73, -0.13},
                           .most = {0.17, 1.65, 0.12},
                           STATIONS(trunk_stations)};
static const loft arm = {.origin = {0.180, 1.398, -0.020},
                         .axis = {HALF_ROOT, -HALF_ROOT, 0},
                         .across = {{HALF_ROOT, HALF_ROOT, 0}, {0, 0, 1}},
                         .cap = 1.5,
                         .least = {0.09, 0.87, -0.08},
                         .most = {0.70, 1.48, 0.06},
                         STATIONS(arm_stations)};
static const loft leg = {.origin = {0, 0.93, 0},
                         .axis = {0, -1, 0},
                         .across = {{1, 0, 0}, {0, 0, 1}},
                         .cap = 0.8,
                         .least = {0.01, 0, -0.10},
                         .most = {0.18, 1.02, 0.09},
                         STATIONS(leg_stations)};
static const loft foot = {.origin = {0, 0, -0.070},
                          .axis = {0, 0, 1},
                          .across = {{1, 0, 0}, {0, 1, 0}},
                          .cap = 1,
                          .least = {0.05, -0.01, -0.10},
                          .most = {0.15, 0.08, 0.20},
                          STATIONS(foot_stations)};

supple_vec3 cli_body_shoulder(void) { return arm.origin; }
supple_vec3 cli_body_arm_direction(void) { return arm.axis; }

static double trunk_distance(supple_vec3 p, supple_vec3 mirrored) {
  static const supple_vec3 least = {-0.2, 0.7, -0.2}, most = {0.2, 1.65, 0.2};
  if (outside(p, least, most)) return far_away;
  static const supple_vec3 breast = {0.075, 1.312, 0.052}, seat = {0.072, 0.880, -0.060};
  double breasts = join(ellipsoid(p, breast, 0.074, 0.055, 0.037),
                        ellipsoid(mirrored, breast, 0.074, 0.055, 0.037), 0.03);
  double seats = join(ellipsoid(p, seat, 0.072, 0.080, 0.058),
                      ellipsoid(mirrored, seat, 0.072, 0.080, 0.058), 0.03);
  /* From the neck down to the shoulder. */
  static const supple_vec3 nape = {0.030, 1.440, -0.030}, shoulder = {0.150, 1.408, -0.022};
  double yoke = join(cone(p, nape, shoulder, 0.045, 0.044),
                     cone(mirrored, nape, shoulder, 0.045, 0.044), 0.03);
  return join(join(join(loft_distance(&trunk, p), yoke, 0.04), breasts, 0.05), seats, 0.05);
}

static double head_distance(supple_vec3 p, supple_vec3 mirrored) {
  static const supple_vec3 least = {-0.09, 1.5, -0.11}, most = {0.09, 1.76, 0.13};
  if (outside(p, least, most)) return far_away;
  static const supple_vec3 skull = {0, 1.655, -0.010}, jaw = {0, 1.578, 0.032};
  static const supple_vec3 bridge = {0, 1.636, 0.080}, tip = {0, 1.608, 0.096};
  static const supple_vec3 ear = {0.074, 1.622, -0.006}, eye = {0.033, 1.640, 0.106};
  double head =
      join(ellipsoid(p, skull, 0.074, 0.095, 0.094), ellipsoid(p, jaw, 0.050, 0.056, 0.060), 0.04);
  double eyes = join(ellipsoid(p, eye, 0.022, 0.014, 0.026),
                     ellipsoid(mirrored, eye, 0.022, 0.014, 0.026), 0.01);
  double ears = join(ellipsoid(p, ear, 0.011, 0.030, 0.019),
                     ellipsoid(mirrored, ear, 0.011, 0.030, 0.019), 0.01);
  head = carve(head, eyes, 0.02);
  head = join(head, cone(p, bridge, tip, 0.008, 0.011), 0.016);
  return join(head, ears, 0.012);
}

static double arm_distance(supple_vec3 p) {
  if (outside(p, arm.least, arm.most)) return far_away;
  supple_vec3 q = supple_vec3_subtract(p, arm.origin);
  supple_vec3 local =
      supple_vec3_make(supple_vec3_dot(q, arm.axis), supple_vec3_dot(q, arm.across[0]), q.z);
  static const supple_vec3 root = {0.570, -0.004, 0.024}, knuckle = {0.612, -0.006, 0.056},
                           tip = {0.641, -0.010, 0.068};
  double thumb = join(cone(local, root, knuckle, 0.016, 0.0125),
                      cone(local, knuckle, tip, 0.0125, 0.0095), 0.006);
  return join(loft_distance(&arm, p), thumb, 0.014);
}

static double leg_distance(supple_vec3 p) {
  return join(loft_distance(&leg, p), loft_distance(&foot, p), 0.03);
}

double cli_body_field(supple_vec3 p) {
  /* Exact negation: what is computed for one side of a pair is what the other computes at the
   * mirror image. */
  supple_vec3 mirrored = supple_vec3_make(-p.x, p.y, p.z);
  double arms = join(arm_distance(p), arm_distance(mirrored), 0.01);
  double legs = join(leg_distance(p), leg_distance(mirrored), 0.02);
  double body = join(trunk_distance(p, mirrored), head_distance(p, mirrored), 0.03);
  body = join(body, arms, 0.05);
  body = join(body, legs, 0.060);
  return carve(body, p.y, 0.008); /* soles are flat */
}
