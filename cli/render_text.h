/* render_text.h: letters, bars and separators drawn into a picture: a bitmap font of 5 × 7 points whose neighbours are
 * joined by round strokes, so that it is smooth at any size. */
#ifndef SUPPLE_CLI_RENDER_TEXT_H
#define SUPPLE_CLI_RENDER_TEXT_H

#include "render_image.h"

/* Pixels that a text takes at `point` pixels a point of the font: its letters are 7 points high. */
double render_text_width(const char *text, double point);
/* Writes it with its upper left corner at (x, y), in ink with a halo around it, so that it can be read on anything.
 * Characters other than ASCII show as '?'. What is outside the picture is left out. */
void render_text(render_image *image, double x, double y, double point, const char *text);

/* A bar of the colours of heat maps, from left to right, with a text below each end and one above it. */
void render_scale_bar(render_image *image, double x, double y, double width, double point,
                      const char *title, const char *left, const char *right);
/* An upright line of one pixel between two panels. */
void render_separator(render_image *image, uint32_t x);

#endif
