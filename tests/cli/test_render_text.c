/* test_render_text.c: letters and bars in a small picture, and outside of it. */
#include "cli/render_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 96 };

static render_image blank(void) {
  render_image image = {calloc((size_t)SIDE * SIDE, 4), SIDE, SIDE};
  assert_non_null(image.pixels);
  return image;
}

/* Pixels from x0 to x1 that ink covers. */
static int dark(const render_image *image, int x0, int x1) {
  int count = 0;
  for (int y = 0; y < SIDE; y++)
    for (int x = x0; x < x1; x++) {
      const unsigned char *p = image->pixels + 4 * (y * SIDE + x);
      count += p[3] > 200 && p[0] < 128;
    }
  return count;
}

static void widths(void **state) {
  (void)state;
  assert_true(render_text_width("", 2) == 0);
  assert_true(fabs(render_text_width("LBS", 2) - 34) < 1e-12);     /* 5 + 1 + 5 + 1 + 5 points */
  assert_true(fabs(render_text_width("\xc3\xa9", 1) - 5) < 1e-12); /* one character of two bytes */
}

static void letters(void **state) {
  (void)state;
  render_image image = blank();
  render_text(&image, 10, 10, 4, "I I");
  const int first = dark(&image, 0, 32), second = dark(&image, 52, SIDE);
  assert_true(first > 100); /* 7 points of 4 pixels, and bars above and below */
  assert_int_equal(first, second);
  assert_int_equal(dark(&image, 33, 52), 0);
  render_image_free(&image);
}

/* Every character shows something of its own. */
static void all_differ(void **state) {
  (void)state;
  enum { FIRST = 33, LAST = 126 };
  static unsigned char seen[LAST + 1][SIDE * SIDE];
  for (int c = FIRST; c <= LAST; c++) {
    const char text[2] = {(char)c, '\0'};
    render_image image = blank();
    render_text(&image, 8, 8, 3, text);
    for (int i = 0; i < SIDE * SIDE; i++) seen[c][i] = image.pixels[4 * i + 3] > 200;
    assert_true(dark(&image, 0, SIDE) > 2);
    render_image_free(&image);
    for (int other = FIRST; other < c; other++)
      if (memcmp(seen[c], seen[other], sizeof seen[c]) == 0)
        fail_msg("'%c' looks like '%c'", c, other);
  }
}

static void outside(void **state) {
  (void)state;
  render_image image = blank();
  render_text(&image, -300, 5, 2, "left");
  render_text(&image, 500, 500, 2, "right");
  assert_int_equal(dark(&image, 0, SIDE), 0);
  render_text(&image, -8, -4, 3, "cut");
  render_scale_bar(&image, -20, 60, 300, 2, "title", "0", "1");
  render_separator(&image, SIDE + 5);
  assert_true(dark(&image, 0, SIDE) > 10);
  render_image_free(&image);
}

static void bar(void **state) {
  (void)state;
  render_image image = blank();
  render_scale_bar(&image, 8, 20, 80, 1, "t", "0", "1");
  const int y = 20 + 7 + 4 + 2; /* title, gap, inside the bar */
  const unsigned char *first = image.pixels + 4 * (y * SIDE + 10), *last = first + 4 * 76;
  assert_true(first[0] > 180 && first[1] > 180 && first[2] > 180);
  assert_true(last[0] > 2 * last[1] && last[0] < 140);
  render_image_free(&image);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(widths), cmocka_unit_test(letters),
                                     cmocka_unit_test(all_differ), cmocka_unit_test(outside),
                                     cmocka_unit_test(bar)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
