/* test_render_image.c: PNG there and back; what cannot be decoded. */
#include "cli/render_image.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(CLI_HAS_GL)

int main(void) {
  printf("skipped: built without libpng (Debian: libpng-dev libepoxy-dev libegl-dev)\n");
  return 77;
}

#else

enum { WIDTH = 37, HEIGHT = 11 };

static render_image picture(bool opaque) {
  render_image image = {malloc((size_t)WIDTH * HEIGHT * 4), WIDTH, HEIGHT};
  assert_non_null(image.pixels);
  for (size_t i = 0; i < (size_t)WIDTH * HEIGHT * 4; i++)
    image.pixels[i] = opaque && i % 4 == 3 ? 255 : (unsigned char)(i * i / 7 + i);
  return image;
}

static cli_output *encode(const render_image *image, const char **bytes, size_t *size) {
  cli_output *output = cli_output_open_memory();
  assert_non_null(output);
  render_image_write_png(output, image);
  *bytes = cli_output_contents(output, size);
  assert_non_null(*bytes);
  return output;
}

static void there_and_back(void **state) {
  (void)state;
  for (int opaque = 0; opaque < 2; opaque++) {
    render_image image = picture(opaque), back;
    char message[200];
    const char *bytes;
    size_t size;
    cli_output *output = encode(&image, &bytes, &size);
    assert_int_equal(bytes[25], opaque ? 2 : 6); /* the colour type of IHDR */
    assert_true(render_image_decode(bytes, size, &back, message, sizeof message));
    assert_int_equal(back.width, WIDTH);
    assert_int_equal(back.height, HEIGHT);
    assert_memory_equal(back.pixels, image.pixels, (size_t)WIDTH * HEIGHT * 4);
    cli_output_abandon(output);
    render_image_free(&back);
    render_image_free(&image);
  }
}

static void damaged(void **state) {
  (void)state;
  render_image image = picture(false), back;
  char message[200];
  const char *bytes;
  size_t size;
  cli_output *output = encode(&image, &bytes, &size);
  for (size_t length = 0; length < size - 12; length += 1 + length / 9) {
    char *cut = malloc(length + 1);
    assert_non_null(cut);
    memcpy(cut, bytes, length);
    if (render_image_decode(cut, length, &back, message, sizeof message))
      render_image_free(&back); /* libpng may show what there is */
    else
      assert_true(strlen(message) > 5);
    assert_null(back.pixels);
    free(cut);
  }
  static const char *const others[] = {"", "GIF89a", "\xff\xd8\xff\xe0 not really", "RIFFxxxxWEBP"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    assert_false(render_image_decode(others[i], strlen(others[i]), &back, message, sizeof message));
    assert_null(back.pixels);
    assert_true(strlen(message) > 5);
  }
  cli_output_abandon(output);
  render_image_free(&image);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(damaged)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
