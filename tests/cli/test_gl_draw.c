/* test_gl_draw.c: panels, a line, and reading back: which pixels get which colour. */
#include "cli/gl_draw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#if !defined(CLI_HAS_GL)

int main(void) {
  printf("skipped: built without libepoxy, EGL and libpng\n");
  return 77;
}

#else

enum { WIDTH = 64, HEIGHT = 32 };

static const unsigned char *at(const render_image *image, int x, int y) {
  return image->pixels + 4 * ((size_t)y * WIDTH + (size_t)x);
}

static void expect(const render_image *image, int x, int y, int r, int g, int b, int a) {
  const unsigned char *p = at(image, x, y);
  const int wanted[4] = {r, g, b, a};
  for (int c = 0; c < 4; c++)
    if (abs(p[c] - wanted[c]) > 1)
      fail_msg("(%d, %d) is %d %d %d %d, not %d %d %d %d", x, y, p[0], p[1], p[2], p[3], r, g, b, a);
}

static render_camera camera_of(double high) {
  render_camera camera = render_camera_make(0, 0);
  const render_box box = {{-1, -high, -1}, {1, high, 1}};
  render_camera_fit(&camera, &box, 1, 1);
  return camera;
}

static void panels_and_lines(void **state) {
  (void)state;
  static const unsigned char teal[3] = {10, 120, 130}, red[3] = {250, 20, 30};
  char message[512];
  gl_context *context = gl_context_open(message, sizeof message);
  uint32_t samples = 4;
  render_image image = {malloc((size_t)WIDTH * HEIGHT * 4), WIDTH, HEIGHT};
  assert_true(context && image.pixels);
  gl_canvas *canvas = gl_canvas_create(WIDTH, HEIGHT, &samples);
  assert_non_null(canvas);
  assert_true(samples >= 1 && samples <= 4);
  const render_camera camera = camera_of(1);
  gl_canvas_panel(canvas, 0, 32, &camera, 1, teal);
  gl_canvas_panel(canvas, 32, 32, &camera, 2, teal);
  /* a flat loop in the lower half of the right panel: rows count from the top */
  const supple_vec3 loop[2] = {{-5, -0.5, 0}, {5, -0.5, 0}};
  assert_true(gl_canvas_loop(canvas, loop, 2, 4, red));
  assert_true(gl_canvas_read(canvas, &image));
  expect(&image, 5, 3, 10, 120, 130, 255); /* the colour is sRGB on the way in and out */
  expect(&image, 40, 3, 0, 0, 0, 0);
  int rows = 0, first = HEIGHT;
  for (int y = HEIGHT - 1; y >= 0; y--)
    if (at(&image, 48, y)[3] > 200 && at(&image, 48, y)[0] > 240) rows++, first = y;
  assert_true(rows >= 3 && rows <= 5);
  assert_true(first > HEIGHT / 2);
  expect(&image, 16, first + 1, 10, 120, 130, 255); /* the line stays in its panel */
  gl_canvas_panel(canvas, 0, WIDTH, &camera, 0, teal);
  assert_true(gl_canvas_read(canvas, &image));
  assert_true(at(&image, 32, 14)[1] > at(&image, 0, 31)[1] + 10); /* brighter in the middle */
  gl_canvas_free(canvas);
  gl_context_close(context);
  render_image_free(&image);
}

static void too_large(void **state) {
  (void)state;
  char message[512];
  gl_context *context = gl_context_open(message, sizeof message);
  uint32_t samples = 1;
  assert_non_null(context);
  assert_null(gl_canvas_create(1u << 20, 16, &samples));
  gl_context_close(context);
}

int main(void) {
  char message[512];
  gl_context *context = gl_context_open(message, sizeof message);
  if (!context) {
    printf("skipped: %s\n", message);
    return 77;
  }
  gl_context_close(context);
  const struct CMUnitTest tests[] = {cmocka_unit_test(panels_and_lines),
                                     cmocka_unit_test(too_large)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
