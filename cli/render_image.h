/* render_image.h: pictures as arrays of RGBA, 8 bits each, sRGB, rows from the top; read from PNG and JPEG, written as
 * PNG. */
#ifndef SUPPLE_CLI_RENDER_IMAGE_H
#define SUPPLE_CLI_RENDER_IMAGE_H

#include "output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct render_image {
  unsigned char *pixels; /* [height][width][4]; owned */
  uint32_t width, height;
} render_image;

/* Decodes a PNG or JPEG, told apart by its bytes. False: it cannot, with a reason ("it is not PNG or JPEG"). */
bool render_image_decode(const void *data, size_t size, render_image *image, char *message,
                         size_t message_size);
void render_image_free(render_image *image);

/* Writes it as PNG, without alpha where every pixel is opaque. The same bytes for the same picture, as long as
 * libpng and zlib stay the same. Fails the output where memory runs out. */
void render_image_write_png(cli_output *output, const render_image *image);

#endif
