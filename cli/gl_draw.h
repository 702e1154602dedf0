/* gl_draw.h: the passes of a picture: background, shaded surfaces, wires, thick lines; and reading it back. Only in
 * builds with CLI_HAS_GL. */
#ifndef SUPPLE_CLI_GL_DRAW_H
#define SUPPLE_CLI_GL_DRAW_H

#include "gl_context.h"
#include "render_camera.h"
#include "render_image.h"

#include <supple/supple.h>

#if defined(CLI_HAS_GL)

/* Programs and the framebuffer. */
typedef struct gl_canvas gl_canvas;

/* width × height pixels of `samples` samples each; *samples becomes what there is. NULL: it failed and was reported. */
gl_canvas *gl_canvas_create(uint32_t width, uint32_t height, uint32_t *samples);
void gl_canvas_free(gl_canvas *canvas);

/* What a surface is coloured by. */
typedef enum gl_heat {
  GL_HEAT_NONE,     /* its material */
  GL_HEAT_DISTANCE, /* how far a vertex is from where the reference has it, in units of `most` */
  GL_HEAT_LOSS      /* 1 - what a vertex keeps */
} gl_heat;

/* Vertex attributes of one part under one method: gl_canvas_array fills it. */
typedef struct gl_vertices {
  GLuint posed;     /* buffer: positions, or positions and normals by turns */
  GLsizei stride;   /* of posed */
  bool has_normals; /* in posed, behind the position */
  GLuint normals;   /* buffer of their own, else 0 */
  GLuint texcoords; /* buffers, or 0 */
  GLuint colors;
  GLuint reference; /* positions that distances are measured from, strided as `posed`; or 0 */
  GLuint kept;      /* what each vertex keeps; or 0 */
  GLuint indices;
} gl_vertices;
GLuint gl_canvas_array(const gl_vertices *vertices);

/* One draw of one part. */
typedef struct gl_surface {
  GLuint array;
  GLenum mode; /* GL_TRIANGLES, GL_LINES or GL_POINTS */
  GLsizei index_count;
  bool has_normals, has_colors, has_texcoords;
  const supple_material *material; /* NULL: clay */
  GLuint texture;                  /* 0: none */
  gl_heat heat;
  double most;           /* of GL_HEAT_DISTANCE */
  supple_affine64 scene; /* to the scene from what the buffers hold */
  bool mirrored;         /* what is drawn faces the other way */
} gl_surface;

/* Where drawing goes, and from where it is seen: a part of the picture, from its left edge; clears it. backdrop: 0 a
 * soft gradient, 1 the colour (sRGB), 2 nothing (transparent). */
void gl_canvas_panel(gl_canvas *canvas, uint32_t left, uint32_t width, const render_camera *camera,
                     int backdrop, const unsigned char color[3]);
/* Draws what is opaque of a surface, or (blended) what is not. */
void gl_canvas_surface(gl_canvas *canvas, const gl_surface *surface, bool blended, bool wired);
/* Draws the edges of its triangles. */
void gl_canvas_wire(gl_canvas *canvas, const gl_surface *surface);
/* A closed line through points of the scene, `width` pixels thick; what is hidden shows faintly. sRGB. False: memory ran
 * out, which was reported. */
bool gl_canvas_loop(gl_canvas *canvas, const supple_vec3 *points, uint32_t count, double width,
                    const unsigned char color[3]);
/* The picture into image, whose pixels have room for it. False: it failed and was reported. */
bool gl_canvas_read(gl_canvas *canvas, render_image *image);

/* Uploads a picture as a texture that wraps as the material says. */
GLuint gl_texture_make(const render_image *image, const supple_texture *texture);

#endif

/* The colours of heat maps, from none to all of it, sRGB. */
enum { RENDER_RAMP = 5 };
extern const unsigned char render_ramp[RENDER_RAMP][3];

#endif
