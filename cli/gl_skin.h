/* gl_skin.h: vertices deformed on the GPU by the library's own shaders, once a frame, into buffers that any number of
 * passes then draw. Only in builds with CLI_HAS_GL. */
#ifndef SUPPLE_CLI_GL_SKIN_H
#define SUPPLE_CLI_GL_SKIN_H

#include "gl_context.h"

#include <supple/supple.h>

#if defined(CLI_HAS_GL)

/* What the shaders read of one primitive: its vertices at rest and its influences. */
typedef struct gl_rest {
  GLuint positions, normals; /* buffers, tightly packed; normals 0: it has none */
  uint32_t vertex_count;
  supple_shader_influences influences;
  GLuint buffers[4]; /* joints and weights of four or eight, or ranges */
  GLuint pairs;      /* texture, for any number of influences */
  GLuint array;      /* all of it as vertex attributes */
} gl_rest;

/* Uploads; morphed primitives replace the contents of positions and normals later. Reports what fails. */
bool gl_rest_make(gl_rest *rest, const supple_primitive *primitive, const supple_binding *binding);
void gl_rest_free(gl_rest *rest);

/* The programs made so far, and the palette. */
typedef struct gl_skinner gl_skinner;

/* scale and signs as the prepared palettes have them. Whether there is a shader for that: gl_skinner_can. */
gl_skinner *gl_skinner_create(supple_scale scale, supple_signs signs);
void gl_skinner_free(gl_skinner *skinner);
bool gl_skinner_can(supple_scale scale);

/* Deforms into `posed`, a buffer of vertex_count × gl_skin_stride(rest) bytes: position, then normal where it has one.
 * prepared was updated for `method`; a framebuffer has to be bound, although nothing is drawn (a gl_canvas is one).
 * Reports what fails. */
bool gl_skin(gl_skinner *skinner, const gl_rest *rest, const supple_prepared *prepared,
             supple_method method, GLuint posed);
GLsizei gl_skin_stride(const gl_rest *rest);

#endif
#endif
