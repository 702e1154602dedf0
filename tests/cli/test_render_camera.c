/* test_render_camera.c: directions, what a fitted camera sees, and its matrix. */
#include "cli/render_camera.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

static void expect_vector(supple_vec3 got, double x, double y, double z) {
  const double off = supple_vec3_length(supple_vec3_subtract(got, supple_vec3_make(x, y, z)));
  if (!(off < 1e-12)) fail_msg("(%g, %g, %g), not (%g, %g, %g)", got.x, got.y, got.z, x, y, z);
}

static void directions(void **state) {
  (void)state;
  const render_camera front = render_camera_make(0, 0), left = render_camera_make(90, 0);
  expect_vector(front.right, 1, 0, 0);
  expect_vector(front.up, 0, 1, 0);
  expect_vector(front.back, 0, 0, 1);
  expect_vector(left.back, 1, 0, 0); /* glTF: +X is the asset's left */
  expect_vector(render_camera_make(0, 90).back, 0, 1, 0);
  for (int turn = -170; turn < 180; turn += 35)
    for (int tilt = -90; tilt <= 90; tilt += 30) {
      const render_camera c = render_camera_make(turn, tilt);
      expect_vector(supple_vec3_cross(c.right, c.up), c.back.x, c.back.y, c.back.z);
      assert_true(fabs(supple_vec3_length(c.right) - 1) < 1e-12);
      assert_true(fabs(supple_vec3_dot(c.right, c.up)) < 1e-12);
    }
}

/* Clip coordinates, by the matrix as OpenGL takes it. */
static void project(const render_camera *camera, supple_vec3 p, double at[3]) {
  float m[16];
  double clip[4];
  render_camera_matrix(camera, m);
  for (int r = 0; r < 4; r++)
    clip[r] =
        (double)m[r] * p.x + (double)m[4 + r] * p.y + (double)m[8 + r] * p.z + (double)m[12 + r];
  assert_true(clip[3] > 0);
  for (int r = 0; r < 3; r++) at[r] = clip[r] / clip[3];
}

static supple_vec3 corner(int which) {
  return supple_vec3_make(which & 1 ? 7 : 3, which & 2 ? 12 : 10, which & 4 ? 1 : -4);
}

static render_box box_of(const render_camera *camera) {
  render_box box = render_box_empty();
  for (int i = 0; i < 8; i++) render_box_add(&box, camera, corner(i));
  return box;
}

/* All of the box is in the picture, and reaches near to an edge of it. */
static void fitted(void **state) {
  (void)state;
  for (int turn = -150; turn < 180; turn += 55)
    for (int i = 0; i < 3; i++) {
      static const double aspects[3] = {0.5, 1, 2.4};
      render_camera camera = render_camera_make(turn, 20);
      const render_box box = box_of(&camera);
      render_camera_fit(&camera, &box, aspects[i], 1);
      double most = 0, at[3];
      for (int k = 0; k < 8; k++) {
        project(&camera, corner(k), at);
        assert_true(fabs(at[0]) < 0.95 && fabs(at[1]) < 0.95 && fabs(at[2]) < 1);
        most = fmax(most, fmax(fabs(at[0]), fabs(at[1])));
      }
      assert_true(most > 0.5);
      project(&camera, camera.target, at);
      assert_true(fabs(at[0]) < 1e-5 && fabs(at[1]) < 1e-5);
    }
}

static void zoomed(void **state) {
  (void)state;
  render_camera one = render_camera_make(25, 8), two = one;
  const render_box box = box_of(&one);
  double a[3], b[3];
  render_camera_fit(&one, &box, 1.5, 1);
  render_camera_fit(&two, &box, 1.5, 3);
  project(&one, corner(5), a);
  project(&two, corner(5), b);
  assert_true(fabs(b[0] - 3 * a[0]) < 1e-5 && fabs(b[1] - 3 * a[1]) < 1e-5);
}

static void aimed(void **state) {
  (void)state;
  render_camera camera = render_camera_make(40, -10);
  const render_box box = box_of(&camera);
  const supple_vec3 point = {4, 11, 0};
  double at[3];
  render_camera_aim(&camera, point, 0.5, &box, 1, 1);
  project(&camera, point, at);
  assert_true(fabs(at[0]) < 1e-5 && fabs(at[1]) < 1e-5);
  project(&camera, supple_vec3_add(point, supple_vec3_scale(camera.up, 0.5)), at);
  assert_true(at[1] > 0.7 && at[1] < 0.95);
  for (int k = 0; k < 8; k++) { /* nothing behind it is cut off */
    const supple_vec3 away = supple_vec3_subtract(corner(k), render_camera_eye(&camera));
    assert_true(-supple_vec3_dot(away, camera.back) < camera.most);
  }
}

/* One point, or none that is finite, still gives a camera. */
static void degenerate(void **state) {
  (void)state;
  render_camera camera = render_camera_make(0, 0);
  render_box box = render_box_empty();
  render_box_add(&box, &camera, supple_vec3_make((double)NAN, 0, 0));
  assert_true(box.low[0] > box.high[0]);
  render_box_add(&box, &camera, supple_vec3_make(1, 2, 3));
  render_camera_fit(&camera, &box, 1, 1);
  assert_true(camera.distance > 0 && camera.nearest > 0 && camera.most > camera.nearest);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(directions), cmocka_unit_test(fitted),     cmocka_unit_test(zoomed),
      cmocka_unit_test(aimed),      cmocka_unit_test(degenerate),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
