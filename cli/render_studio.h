/* render_studio.h: a stage with a camera in front of it: everything uploaded once, then one picture a moment, method
 * beside method. */
#ifndef SUPPLE_CLI_RENDER_STUDIO_H
#define SUPPLE_CLI_RENDER_STUDIO_H

#include "render_camera.h"
#include "render_image.h"
#include "render_scene.h"

/* What surfaces are coloured by. */
typedef enum render_heat {
  RENDER_HEAT_NONE,      /* their material */
  RENDER_HEAT_DEVIATION, /* distance from the first method */
  RENDER_HEAT_KEPT       /* what each vertex keeps */
} render_heat;

typedef enum render_backdrop { RENDER_GRADIENT, RENDER_COLOR, RENDER_TRANSPARENT } render_backdrop;

/* How a picture looks. */
typedef struct render_look {
  uint32_t width, height; /* of the whole picture */
  uint32_t samples;       /* a pixel */
  render_backdrop backdrop;
  unsigned char color[3]; /* of RENDER_COLOR, sRGB */
  render_heat heat;
  double heat_most;     /* metres of deviation that are the last colour */
  bool wireframe;       /* edges of triangles, too */
  bool labels;          /* the methods' names, and the scale of a heat map */
  bool quiet;           /* say nothing of textures that cannot be drawn */
  uint32_t sections[2]; /* instance and joint whose sections are drawn; SUPPLE_NONE: none */
} render_look;

/* One picture's width, of so many methods side by side. */
uint32_t render_panel_width(const render_look *look, uint32_t method_count);

typedef struct render_studio render_studio;

/* Opens OpenGL and uploads the scene, with its textures where the stage was loaded with image_files. measures: one an
 * instance, for sections and kept, else NULL. All is borrowed and must outlive the studio. NULL: where there is no
 * OpenGL, message says so and nothing was reported; otherwise message is "" and the reason was reported. */
render_studio *render_studio_open(const cli_stage *stage, const render_scene *scene,
                                  const render_look *look, const supple_method *methods,
                                  uint32_t method_count, supple_measure *const *measures,
                                  char *message, size_t size);
/* NULL is fine. */
void render_studio_close(render_studio *studio);
/* What draws, and with how many samples a pixel. */
const char *render_studio_renderer(const render_studio *studio, uint32_t *samples);
/* Shows other sections from now on (SUPPLE_NONE: none). */
void render_studio_sections(render_studio *studio, uint32_t instance, uint32_t joint);

/* Draws a moment into image, whose pixels have room for width × height. CLI_FINE, or CLI_FAILED and reported. */
int render_studio_shoot(render_studio *studio, const cli_moment *moment,
                        const render_camera *camera, render_image *image);

#endif
