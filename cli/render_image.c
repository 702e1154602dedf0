/* render_image.c: PNG by libpng, JPEG by libjpeg; without them nothing. */
#include "render_image.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(CLI_HAS_GL) /* which comes with libpng */
#include <png.h>
#endif
#if defined(CLI_HAS_JPEG)
#include <jpeglib.h>
#endif

/* A texture of more pixels than this is refused: decoded it would take a gigabyte. */
#define PIXELS_MOST ((uint64_t)1 << 28)

void render_image_free(render_image *image) {
  free(image->pixels);
  memset(image, 0, sizeof *image);
}

/* ---- PNG ---- */

#if defined(CLI_HAS_GL)

static bool decode_png(const void *data, size_t size, render_image *image, char *message,
                       size_t message_size) {
  png_image png;
  memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_memory(&png, data, size)) {
    snprintf(message, message_size, "libpng: %s", png.message);
    return false;
  }
  png.format = PNG_FORMAT_RGBA;
  if ((uint64_t)png.width * png.height <= PIXELS_MOST)
    image->pixels = malloc((size_t)png.width * png.height * 4 + 1);
  if (!image->pixels) {
    png_image_free(&png);
    snprintf(message, message_size, "it is too large");
    return false;
  }
  image->width = png.width;
  image->height = png.height;
  if (png_image_finish_read(&png, NULL, image->pixels, 0, NULL)) return true;
  snprintf(message, message_size, "libpng: %s", png.message);
  render_image_free(image);
  return false;
}

typedef struct png_run {
  cli_output *output;
  jmp_buf fault;
} png_run;

static void write_bytes(png_structp png, png_bytep data, size_t size) {
  const png_run *run = png_get_io_ptr(png);
  cli_output_write(run->output, data, size);
}

static void flush_nothing(png_structp png) { (void)png; }

static void png_fault(png_structp png, png_const_charp text) {
  png_run *run = png_get_error_ptr(png);
  (void)text;
  longjmp(run->fault, 1);
}

static void png_remark(png_structp png, png_const_charp text) { (void)png, (void)text; }

static bool is_opaque(const render_image *image) {
  const size_t count = (size_t)image->width * image->height;
  for (size_t i = 0; i < count; i++)
    if (image->pixels[4 * i + 3] != 255) return false;
  return true;
}

static void write_rows(png_structp png, png_infop info, const render_image *image) {
  const bool opaque = is_opaque(image);
  png_set_IHDR(png, info, image->width, image->height, 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
  png_write_info(png, info);
  if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER); /* drops the fourth byte */
  for (uint32_t y = 0; y < image->height; y++)
    png_write_row(png, image->pixels + (size_t)y * image->width * 4);
  png_write_end(png, info);
}

void render_image_write_png(cli_output *output, const render_image *image) {
  png_run run = {.output = output};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &run, png_fault, png_remark);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  if (!info) {
    png_destroy_write_struct(&png, NULL);
    cli_output_no_memory(output);
    return;
  }
  png_set_write_fn(png, &run, write_bytes, flush_nothing);
  if (setjmp(run.fault) == 0)
    write_rows(png, info, image);
  else
    cli_output_no_memory(output); /* nothing else can go wrong here */
  png_destroy_write_struct(&png, &info);
}

#else

static bool decode_png(const void *data, size_t size, render_image *image, char *message,
                       size_t message_size) {
  (void)data, (void)size, (void)image;
  snprintf(message, message_size, "this build has no libpng (Debian: libpng-dev)");
  return false;
}

void render_image_write_png(cli_output *output, const render_image *image) {
  (void)image;
  cli_output_no_memory(output); /* nothing draws in such a build */
}

#endif

/* ---- JPEG ---- */

#if defined(CLI_HAS_JPEG)

typedef struct jpeg_fault {
  struct jpeg_error_mgr base;
  jmp_buf place;
  char *message;
  size_t message_size;
} jpeg_fault;

static void leave_jpeg(j_common_ptr jpeg) {
  jpeg_fault *fault = (jpeg_fault *)(void *)jpeg->err;
  char text[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, text);
  snprintf(fault->message, fault->message_size, "libjpeg: %s", text);
  longjmp(fault->place, 1);
}

static void ignore_jpeg(j_common_ptr jpeg, int level) { (void)jpeg, (void)level; }

/* From RGB to RGBA in place, from the end. */
static void spread(unsigned char *row, uint32_t width) {
  for (uint32_t x = width; x-- > 0;) {
    const unsigned char r = row[3 * x], g = row[3 * x + 1], b = row[3 * x + 2];
    row[4 * x] = r, row[4 * x + 1] = g, row[4 * x + 2] = b, row[4 * x + 3] = 255;
  }
}

static bool decode_jpeg(const void *data, size_t size, render_image *image, char *message,
                        size_t message_size) {
  struct jpeg_decompress_struct jpeg;
  jpeg_fault fault = {.message = message, .message_size = message_size};
  memset(&jpeg, 0, sizeof jpeg);
  jpeg.err = jpeg_std_error(&fault.base);
  fault.base.error_exit = leave_jpeg;
  fault.base.emit_message = ignore_jpeg;
  if (setjmp(fault.place)) {
    jpeg_destroy_decompress(&jpeg);
    render_image_free(image);
    return false;
  }
  jpeg_create_decompress(&jpeg);
  jpeg_mem_src(&jpeg, data, (unsigned long)size);
  jpeg_read_header(&jpeg, TRUE);
  jpeg.out_color_space = JCS_RGB;
  jpeg.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&jpeg);
  if ((uint64_t)jpeg.output_width * jpeg.output_height <= PIXELS_MOST)
    image->pixels = malloc((size_t)jpeg.output_width * jpeg.output_height * 4 + 1);
  if (!image->pixels) {
    snprintf(message, message_size, "it is too large");
    jpeg_destroy_decompress(&jpeg);
    return false;
  }
  image->width = jpeg.output_width;
  image->height = jpeg.output_height;
  while (jpeg.output_scanline < jpeg.output_height) {
    unsigned char *row = image->pixels + (size_t)jpeg.output_scanline * image->width * 4;
    jpeg_read_scanlines(&jpeg, &row, 1);
    spread(row, image->width);
  }
  jpeg_finish_decompress(&jpeg);
  jpeg_destroy_decompress(&jpeg);
  return true;
}

#else

static bool decode_jpeg(const void *data, size_t size, render_image *image, char *message,
                        size_t message_size) {
  (void)data, (void)size, (void)image;
  snprintf(message, message_size, "this build has no libjpeg (Debian: libjpeg-dev)");
  return false;
}

#endif

bool render_image_decode(const void *data, size_t size, render_image *image, char *message,
                         size_t message_size) {
  static const unsigned char png[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  static const unsigned char jpeg[3] = {0xff, 0xd8, 0xff};
  memset(image, 0, sizeof *image);
  if (size >= sizeof png && memcmp(data, png, sizeof png) == 0)
    return decode_png(data, size, image, message, message_size);
  if (size >= sizeof jpeg && memcmp(data, jpeg, sizeof jpeg) == 0)
    return decode_jpeg(data, size, image, message, message_size);
  snprintf(message, message_size, "it is not PNG or JPEG");
  return false;
}
