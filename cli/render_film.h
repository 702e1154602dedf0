/* render_film.h: pictures in a row as GIF or MP4, encoded by ffmpeg while the next one is drawn. */
#ifndef SUPPLE_CLI_RENDER_FILM_H
#define SUPPLE_CLI_RENDER_FILM_H

#include "render_image.h"

typedef enum render_film_format { RENDER_GIF, RENDER_MP4 } render_film_format;

typedef struct render_film render_film;

/* Starts ffmpeg, which writes to the place of `output` (a file that cli_output_open made). frame_count decides how a
 * GIF's colours are chosen. NULL: ffmpeg is not installed, or the output cannot be sought in; it was reported. */
render_film *render_film_open(cli_output *output, render_film_format format, uint32_t width,
                              uint32_t height, double fps, uint32_t frame_count);
/* Hands over the next picture. CLI_FAILED where ffmpeg ended early, which was reported. */
int render_film_add(render_film *film, const render_image *image);
/* Ends the film and waits for ffmpeg; the output is then whole, to be closed or abandoned. CLI_FAILED where ffmpeg
 * failed, which was reported. */
int render_film_close(render_film *film);

#endif
