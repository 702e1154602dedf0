/* render_camera.c: directions, fitting, and the matrix of a camera. */
#include "render_camera.h"

/* Half of the vertical angle of view, 15 degrees, as a slope; and how much of the picture is used. */
static const double slope = 0.26794919243112270;
static const double filled = 0.86;

render_camera render_camera_make(double turn, double tilt) {
  const double a = turn * SUPPLE_PI / 180, b = tilt * SUPPLE_PI / 180;
  const double ca = supple_cos(a), sa = supple_sin(a), cb = supple_cos(b), sb = supple_sin(b);
  const render_camera camera = {
      .right = {ca, 0, -sa}, .up = {-sb * sa, cb, -sb * ca}, .back = {cb * sa, sb, cb * ca}};
  return camera;
}

render_box render_box_empty(void) {
  const render_box box = {{1, 1, 1}, {-1, -1, -1}};
  return box;
}

static void widen(render_box *box, const double low[3], const double high[3]) {
  const bool empty = box->low[0] > box->high[0];
  for (int axis = 0; axis < 3; axis++) {
    if (empty || low[axis] < box->low[axis]) box->low[axis] = low[axis];
    if (empty || high[axis] > box->high[axis]) box->high[axis] = high[axis];
  }
}

void render_box_add(render_box *box, const render_camera *camera, supple_vec3 point) {
  const double at[3] = {supple_vec3_dot(camera->right, point), supple_vec3_dot(camera->up, point),
                        supple_vec3_dot(camera->back, point)};
  if (isfinite(at[0]) && isfinite(at[1]) && isfinite(at[2])) widen(box, at, at);
}

void render_box_join(render_box *box, const render_box *other) {
  if (other->low[0] <= other->high[0]) widen(box, other->low, other->high);
}

/* The point with these coordinates along the camera's directions. */
static supple_vec3 place(const render_camera *camera, double x, double y, double z) {
  return supple_vec3_add(
      supple_vec3_add(supple_vec3_scale(camera->right, x), supple_vec3_scale(camera->up, y)),
      supple_vec3_scale(camera->back, z));
}

/* Depths that hold the box, seen from the camera's distance; a box without depth gets a little. */
static void set_depths(render_camera *camera, const render_box *box) {
  const double at = supple_vec3_dot(camera->back, camera->target);
  const double spare = 0.02 * camera->distance + 0.01 * (box->high[2] - box->low[2]);
  camera->most = camera->distance + at - box->low[2] + spare;
  camera->nearest = camera->distance + at - box->high[2] - spare;
  if (!(camera->nearest > 0.01 * camera->distance)) camera->nearest = 0.01 * camera->distance;
  if (!(camera->most > 1.01 * camera->distance)) camera->most = 1.01 * camera->distance;
}

static void set_slopes(render_camera *camera, double aspect, double zoom) {
  camera->slope_x = aspect * slope / zoom;
  camera->slope_y = slope / zoom;
}

void render_camera_fit(render_camera *camera, const render_box *box, double aspect, double zoom) {
  double half[3], middle[3];
  for (int axis = 0; axis < 3; axis++) {
    half[axis] = 0.5 * (box->high[axis] - box->low[axis]);
    middle[axis] = box->low[axis] + half[axis];
  }
  const double across = half[0] / (filled * aspect * slope), along = half[1] / (filled * slope);
  camera->target = place(camera, middle[0], middle[1], middle[2]);
  camera->distance = half[2] + (across > along ? across : along);
  if (!(camera->distance > 0)) camera->distance = 1; /* one point */
  set_slopes(camera, aspect, zoom);
  set_depths(camera, box);
}

void render_camera_aim(render_camera *camera, supple_vec3 point, double radius,
                       const render_box *box, double aspect, double zoom) {
  const double narrow = aspect < 1 ? aspect * slope : slope;
  camera->target = point;
  camera->distance = radius > 0 ? radius / (filled * narrow) : 1;
  set_slopes(camera, aspect, zoom);
  set_depths(camera, box);
}

supple_vec3 render_camera_eye(const render_camera *camera) {
  return supple_vec3_add(camera->target, supple_vec3_scale(camera->back, camera->distance));
}

void render_camera_matrix(const render_camera *camera, float matrix[16]) {
  const supple_vec3 eye = render_camera_eye(camera);
  const supple_vec3 axes[3] = {camera->right, camera->up, camera->back};
  const double n = camera->nearest, f = camera->most;
  double view[3][4];
  for (int r = 0; r < 3; r++) {
    view[r][0] = axes[r].x, view[r][1] = axes[r].y, view[r][2] = axes[r].z;
    view[r][3] = -supple_vec3_dot(axes[r], eye);
  }
  for (int c = 0; c < 4; c++) {
    matrix[4 * c] = (float)(view[0][c] / camera->slope_x);
    matrix[4 * c + 1] = (float)(view[1][c] / camera->slope_y);
    matrix[4 * c + 2] =
        (float)(-(f + n) / (f - n) * view[2][c] - (c == 3 ? 2 * f * n / (f - n) : 0));
    matrix[4 * c + 3] = (float)-view[2][c];
  }
}
