/* gl_draw.c: programs, the framebuffer, and the passes. */
#include "gl_draw.h"

#include "command.h"
#include "gl_shaders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* From "as at rest" to "all of it lost": a light grey, yellow, orange, red, dark red. */
const unsigned char render_ramp[RENDER_RAMP][3] = {{0xcd, 0xd2, 0xda},
                                                   {0xf7, 0xd1, 0x5a},
                                                   {0xee, 0x86, 0x36},
                                                   {0xcb, 0x2c, 0x31},
                                                   {0x5e, 0x0b, 0x25}};

#if defined(CLI_HAS_GL)

struct gl_canvas {
  uint32_t width, height;
  GLuint frame, color, depth;           /* multisampled */
  GLuint resolved, resolved_color;      /* one sample */
  GLuint surface, wire, line, backdrop; /* programs */
  GLuint line_array, line_buffer;
  GLuint white; /* texture */
  /* of the panel */
  uint32_t left, panel_width;
  render_camera camera;
  float matrix[16];
};

/* sRGB, 0 to 255, as linear light. */
static float linear(unsigned char value) {
  const double c = value / 255.0;
  return (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
}

static GLint at(GLuint program, const char *name) { return glGetUniformLocation(program, name); }

/* ---- the canvas ---- */

static bool make_frames(gl_canvas *canvas, uint32_t samples) {
  const GLsizei w = (GLsizei)canvas->width, h = (GLsizei)canvas->height, s = (GLsizei)samples;
  GLuint buffers[3];
  glGenRenderbuffers(3, buffers);
  canvas->color = buffers[0], canvas->depth = buffers[1], canvas->resolved_color = buffers[2];
  glBindRenderbuffer(GL_RENDERBUFFER, canvas->color);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, s, GL_SRGB8_ALPHA8, w, h);
  glBindRenderbuffer(GL_RENDERBUFFER, canvas->depth);
  glRenderbufferStorageMultisample(GL_RENDERBUFFER, s, GL_DEPTH_COMPONENT24, w, h);
  glBindRenderbuffer(GL_RENDERBUFFER, canvas->resolved_color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB8_ALPHA8, w, h);
  glGenFramebuffers(1, &canvas->resolved);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->resolved);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                            canvas->resolved_color);
  const bool first = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glGenFramebuffers(1, &canvas->frame);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->frame);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, canvas->color);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, canvas->depth);
  const bool second = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  return gl_fine("a picture of this size") && first && second;
}

static bool make_programs(gl_canvas *canvas) {
  static const unsigned char white[4] = {255, 255, 255, 255};
  canvas->surface = gl_program(gl_surface_vertex, gl_surface_fragment, NULL, 0);
  canvas->wire = gl_program(gl_wire_vertex, gl_plain_fragment, NULL, 0);
  canvas->line = gl_program(gl_line_vertex, gl_plain_fragment, NULL, 0);
  canvas->backdrop = gl_program(gl_backdrop_vertex, gl_backdrop_fragment, NULL, 0);
  if (!canvas->surface || !canvas->wire || !canvas->line || !canvas->backdrop) return false;
  float ramp[RENDER_RAMP][3];
  for (int i = 0; i < RENDER_RAMP; i++)
    for (int c = 0; c < 3; c++) ramp[i][c] = linear(render_ramp[i][c]);
  glUseProgram(canvas->surface);
  glUniform3fv(at(canvas->surface, "ramp"), RENDER_RAMP, ramp[0]);
  glUniform1i(at(canvas->surface, "base_texture"), 0);
  glGenVertexArrays(1, &canvas->line_array);
  glBindVertexArray(canvas->line_array);
  glGenBuffers(1, &canvas->line_buffer);
  glBindBuffer(GL_ARRAY_BUFFER, canvas->line_buffer);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);
  glGenTextures(1, &canvas->white);
  glBindTexture(GL_TEXTURE_2D, canvas->white);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
  return gl_fine("preparing to draw");
}

static bool fits(uint32_t width, uint32_t height) {
  GLint most = 0, view[2] = {0, 0};
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, view);
  const GLint across = most < view[0] ? most : view[0], along = most < view[1] ? most : view[1];
  if (width <= (uint32_t)across && height <= (uint32_t)along) return true;
  cli_complain(CLI_FAILED, "a picture of %u × %u is larger than OpenGL can draw here (%d × %d)",
               width, height, (int)across, (int)along);
  return false;
}

gl_canvas *gl_canvas_create(uint32_t width, uint32_t height, uint32_t *samples) {
  GLint most = 1;
  if (!fits(width, height)) return NULL;
  gl_canvas *canvas = calloc(1, sizeof *canvas);
  if (!canvas) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  if (*samples > (uint32_t)most) *samples = (uint32_t)most;
  canvas->width = width;
  canvas->height = height;
  /* one sample is asked for as none: 1 would be rounded up */
  if (!make_frames(canvas, *samples > 1 ? *samples : 0) || !make_programs(canvas)) {
    gl_canvas_free(canvas);
    return NULL;
  }
  return canvas;
}

void gl_canvas_free(gl_canvas *canvas) {
  if (!canvas) return;
  const GLuint programs[4] = {canvas->surface, canvas->wire, canvas->line, canvas->backdrop};
  const GLuint frames[2] = {canvas->frame, canvas->resolved};
  const GLuint buffers[3] = {canvas->color, canvas->depth, canvas->resolved_color};
  for (int i = 0; i < 4; i++)
    if (programs[i]) glDeleteProgram(programs[i]);
  glDeleteFramebuffers(2, frames);
  glDeleteRenderbuffers(3, buffers);
  glDeleteVertexArrays(1, &canvas->line_array);
  glDeleteBuffers(1, &canvas->line_buffer);
  glDeleteTextures(1, &canvas->white);
  free(canvas);
}

void gl_canvas_panel(gl_canvas *canvas, uint32_t left, uint32_t width, const render_camera *camera,
                     int backdrop, const unsigned char color[3]) {
  canvas->left = left;
  canvas->panel_width = width;
  canvas->camera = *camera;
  render_camera_matrix(camera, canvas->matrix);
  glBindFramebuffer(GL_FRAMEBUFFER, canvas->frame);
  glEnable(GL_FRAMEBUFFER_SRGB);
  glEnable(GL_SCISSOR_TEST);
  glViewport((GLint)left, 0, (GLsizei)width, (GLsizei)canvas->height);
  glScissor((GLint)left, 0, (GLsizei)width, (GLsizei)canvas->height);
  glDepthMask(GL_TRUE);
  if (backdrop == 1)
    glClearColor(linear(color[0]), linear(color[1]), linear(color[2]), 1.0f);
  else
    glClearColor(0, 0, 0, 0);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  if (backdrop != 0) return;
  glUseProgram(canvas->backdrop);
  glUniform3f(at(canvas->backdrop, "inner"), 0.945f, 0.949f, 0.957f);
  glUniform3f(at(canvas->backdrop, "outer"), 0.757f, 0.776f, 0.804f);
  glBindVertexArray(canvas->line_array);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  glDisable(GL_CULL_FACE);
  glDisableVertexAttribArray(0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glEnableVertexAttribArray(0);
}

/* ---- vertex arrays and textures ---- */

static void attribute(GLuint location, GLint width, GLuint buffer, GLsizei stride, size_t offset) {
  if (!buffer) return;
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, stride, (const void *)offset);
}

GLuint gl_canvas_array(const gl_vertices *vertices) {
  GLuint array = 0;
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  attribute(0, 3, vertices->posed, vertices->stride, 0);
  if (vertices->has_normals)
    attribute(1, 3, vertices->posed, vertices->stride, 3 * sizeof(float));
  else
    attribute(1, 3, vertices->normals, 0, 0);
  attribute(2, 2, vertices->texcoords, 0, 0);
  attribute(3, 4, vertices->colors, 0, 0);
  attribute(4, 3, vertices->reference, vertices->stride, 0);
  attribute(5, 1, vertices->kept, 0, 0);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, vertices->indices);
  glBindVertexArray(0);
  return array;
}

static GLint wrapped(uint32_t wrap) {
  return wrap == 33071 ? GL_CLAMP_TO_EDGE : wrap == 33648 ? GL_MIRRORED_REPEAT : GL_REPEAT;
}

GLuint gl_texture_make(const render_image *image, const supple_texture *texture) {
  GLint most = 0;
  GLuint name = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (image->width > (uint32_t)most || image->height > (uint32_t)most) return 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8_ALPHA8, (GLsizei)image->width, (GLsizei)image->height, 0,
               GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
  glGenerateMipmap(GL_TEXTURE_2D);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrapped(texture->wrap_s));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrapped(texture->wrap_t));
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, texture->nearest ? GL_NEAREST : GL_LINEAR);
  return name;
}

/* ---- surfaces ---- */

static void set_matrices(GLuint program, const gl_canvas *canvas, const gl_surface *surface) {
  float scene[16], normal[9];
  const supple_mat3 linear_part = supple_affine64_linear(&surface->scene);
  const supple_mat3 cofactor = supple_mat3_cofactor(&linear_part);
  const double sign = supple_mat3_determinant(&linear_part) < 0 ? -1 : 1;
  double columns[16];
  supple_affine64_to_columns(&surface->scene, columns);
  for (int i = 0; i < 16; i++) scene[i] = (float)columns[i];
  for (int c = 0; c < 3; c++)
    for (int r = 0; r < 3; r++) normal[3 * c + r] = (float)(sign * cofactor.m[r][c]);
  glUniformMatrix4fv(at(program, "clip_from_scene"), 1, GL_FALSE, canvas->matrix);
  glUniformMatrix4fv(at(program, "scene_from_part"), 1, GL_FALSE, scene);
  glUniformMatrix3fv(at(program, "normal_from_part"), 1, GL_FALSE, normal);
}

static void set_camera(GLuint program, const render_camera *camera) {
  const supple_vec3 eye = render_camera_eye(camera);
  const supple_vec3 axes[3] = {camera->right, camera->up, camera->back};
  float columns[9];
  for (int c = 0; c < 3; c++) {
    columns[3 * c] = (float)axes[c].x;
    columns[3 * c + 1] = (float)axes[c].y;
    columns[3 * c + 2] = (float)axes[c].z;
  }
  glUniformMatrix3fv(at(program, "camera"), 1, GL_FALSE, columns);
  glUniform3f(at(program, "eye"), (float)eye.x, (float)eye.y, (float)eye.z);
}

/* KHR_texture_transform: offset · rotation · scale. */
static void set_texture(GLuint program, const gl_canvas *canvas, const gl_surface *surface) {
  static const supple_texture plain = {.scale = {1, 1}};
  const supple_texture *texture =
      surface->material && surface->texture ? &surface->material->base_color_texture : &plain;
  const double turn = (double)texture->rotation;
  const float c = (float)supple_cos(turn), s = (float)supple_sin(turn);
  const float matrix[4] = {c * texture->scale[0], -s * texture->scale[0], s * texture->scale[1],
                           c * texture->scale[1]};
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, surface->texture ? surface->texture : canvas->white);
  glUniform1i(at(program, "has_texture"), surface->texture != 0 && surface->has_texcoords);
  glUniformMatrix2fv(at(program, "texture_matrix"), 1, GL_FALSE, matrix);
  glUniform2fv(at(program, "texture_offset"), 1, texture->offset);
}

/* What a primitive without material looks like: clay, not the white of the specification, which has no shades left
 * for light. */
static const supple_material clay = {
    .base_color = {0.62f, 0.60f, 0.57f, 1}, .roughness = 0.75f, .double_sided = true};

static void set_material(GLuint program, const supple_material *m, gl_heat heat, bool blended) {
  glUniform4fv(at(program, "base_color"), 1, m->base_color);
  glUniform3fv(at(program, "emissive"), 1, m->emissive);
  glUniform1f(at(program, "metallic"), m->metallic);
  glUniform1f(at(program, "roughness"), m->roughness);
  glUniform1f(at(program, "cutoff"), m->alpha_cutoff);
  glUniform1i(at(program, "unlit"), m->unlit);
  glUniform1i(at(program, "heat"), (GLint)heat);
  const int pass = m->alpha_mode == SUPPLE_ALPHA_MASK    ? 1
                   : m->alpha_mode == SUPPLE_ALPHA_BLEND ? (blended ? 3 : 2)
                                                         : 0;
  glUniform1i(at(program, "alpha_pass"), pass);
}

void gl_canvas_surface(gl_canvas *canvas, const gl_surface *surface, bool blended, bool wired) {
  const supple_material *material = surface->material ? surface->material : &clay;
  if (blended && material->alpha_mode != SUPPLE_ALPHA_BLEND) return;
  const GLuint program = canvas->surface;
  glUseProgram(program);
  set_matrices(program, canvas, surface);
  set_camera(program, &canvas->camera);
  set_texture(program, canvas, surface);
  set_material(program, material, surface->heat, blended);
  glUniform1f(at(program, "most"), surface->most > 0 ? (float)surface->most : 1.0f);
  glUniform1i(at(program, "flat_normals"), !surface->has_normals);
  glUniform1f(at(program, "facing"), surface->mode == GL_TRIANGLES ? 1.0f : 0.0f);
  glBindVertexArray(surface->array);
  if (!surface->has_colors) glVertexAttrib4f(3, 1, 1, 1, 1);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDepthMask(!blended);
  if (blended) glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glFrontFace(surface->mirrored ? GL_CW : GL_CCW);
  if (!material->double_sided) glEnable(GL_CULL_FACE);
  if (wired) glEnable(GL_POLYGON_OFFSET_FILL);
  glPolygonOffset(1.0f, 1.0f);
  glDrawElements(surface->mode, surface->index_count, GL_UNSIGNED_INT, NULL);
  glDisable(GL_POLYGON_OFFSET_FILL);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
}

/* Premultiplied and linear from sRGB. */
static void set_plain(GLuint program, const unsigned char color[3], float alpha) {
  glUniform4f(at(program, "plain_color"), linear(color[0]) * alpha, linear(color[1]) * alpha,
              linear(color[2]) * alpha, alpha);
}

void gl_canvas_wire(gl_canvas *canvas, const gl_surface *surface) {
  static const unsigned char ink[3] = {0x12, 0x1a, 0x26};
  if (surface->mode != GL_TRIANGLES) return;
  glUseProgram(canvas->wire);
  set_matrices(canvas->wire, canvas, surface);
  set_plain(canvas->wire, ink, 0.5f);
  glBindVertexArray(surface->array);
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LEQUAL);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
  glFrontFace(surface->mirrored ? GL_CW : GL_CCW);
  if (surface->material && !surface->material->double_sided) glEnable(GL_CULL_FACE);
  glDrawElements(GL_TRIANGLES, surface->index_count, GL_UNSIGNED_INT, NULL);
  glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
  glDisable(GL_CULL_FACE);
  glDisable(GL_BLEND);
}

/* ---- thick lines ---- */

/* A point in clip space; behind the eye w <= 0. */
static void project(const gl_canvas *canvas, supple_vec3 p, double clip[4]) {
  const float *m = canvas->matrix;
  for (int r = 0; r < 4; r++)
    clip[r] =
        (double)m[r] * p.x + (double)m[4 + r] * p.y + (double)m[8 + r] * p.z + (double)m[12 + r];
}

/* One piece as two triangles, a little longer than it is, so that joints close. Drawn at w = 1. */
static int quad(const gl_canvas *canvas, supple_vec3 from, supple_vec3 to, double width, float *out) {
  const supple_vec3 eye = render_camera_eye(&canvas->camera);
  const double lift = 0.004; /* towards the eye, before the surface that it lies on */
  double a[4], b[4];
  project(canvas, supple_vec3_add(from, supple_vec3_scale(supple_vec3_subtract(eye, from), lift)),
          a);
  project(canvas, supple_vec3_add(to, supple_vec3_scale(supple_vec3_subtract(eye, to), lift)), b);
  if (!(a[3] > 0 && b[3] > 0)) return 0;
  for (int i = 0; i < 3; i++) a[i] /= a[3], b[i] /= b[3];
  const double pixel_x = 2.0 / canvas->panel_width, pixel_y = 2.0 / canvas->height;
  double dx = (b[0] - a[0]) / pixel_x, dy = (b[1] - a[1]) / pixel_y;
  const double length = sqrt(dx * dx + dy * dy);
  if (!(length > 0)) return 0;
  dx *= 0.5 * width / length, dy *= 0.5 * width / length;
  for (int k = 0; k < 6; k++) {
    const bool end = k == 1 || k == 2 || k == 4;
    const double side = k == 2 || k == 4 || k == 5 ? 1 : -1, along = end ? 0.5 : -0.5;
    const double *p = end ? b : a;
    out[4 * k] = (float)(p[0] + (along * dx - side * dy) * pixel_x);
    out[4 * k + 1] = (float)(p[1] + (along * dy + side * dx) * pixel_y);
    out[4 * k + 2] = (float)p[2];
    out[4 * k + 3] = 1;
  }
  return 6;
}

bool gl_canvas_loop(gl_canvas *canvas, const supple_vec3 *points, uint32_t count, double width,
                    const unsigned char color[3]) {
  float *out = malloc((size_t)count * 24 * sizeof *out + 1);
  if (!out) {
    cli_complain(CLI_FAILED, "out of memory");
    return false;
  }
  int vertices = 0;
  for (uint32_t i = 0; i < count; i++)
    vertices +=
        quad(canvas, points[i], points[i + 1 < count ? i + 1 : 0], width, out + 4 * vertices);
  glUseProgram(canvas->line);
  glBindVertexArray(canvas->line_array);
  glBindBuffer(GL_ARRAY_BUFFER, canvas->line_buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(16 * (size_t)vertices), out, GL_STREAM_DRAW);
  glEnable(GL_DEPTH_TEST);
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glDepthFunc(GL_GREATER);
  set_plain(canvas->line, color, 0.18f);
  glDrawArrays(GL_TRIANGLES, 0, vertices);
  glDepthFunc(GL_LEQUAL);
  set_plain(canvas->line, color, 1.0f);
  glDrawArrays(GL_TRIANGLES, 0, vertices);
  glDisable(GL_BLEND);
  free(out);
  return true;
}

/* ---- reading back ---- */

/* From premultiplied linear light, stored as sRGB, to straight alpha: edges of transparent pictures. */
static void straighten(unsigned char *p) {
  if (p[3] == 255 || p[3] == 0) return;
  for (int c = 0; c < 3; c++) {
    const double light = (double)linear(p[c]) * 255.0 / p[3];
    const double bounded = light < 1 ? light : 1;
    const double s = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * pow(bounded, 1 / 2.4) - 0.055;
    p[c] = (unsigned char)(255.0 * s + 0.5);
  }
}

bool gl_canvas_read(gl_canvas *canvas, render_image *image) {
  const GLint w = (GLint)canvas->width, h = (GLint)canvas->height;
  const size_t row = (size_t)canvas->width * 4;
  glDisable(GL_SCISSOR_TEST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->frame);
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, canvas->resolved);
  glBlitFramebuffer(0, 0, w, h, 0, 0, w, h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, canvas->resolved);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, image->pixels);
  if (!gl_fine("reading the picture")) return false;
  for (uint32_t y = 0; y < canvas->height / 2; y++) { /* OpenGL counts rows from below */
    unsigned char *a = image->pixels + y * row, *b = image->pixels + (canvas->height - 1 - y) * row;
    for (size_t i = 0; i < row; i++) {
      const unsigned char other = a[i];
      a[i] = b[i];
      b[i] = other;
    }
  }
  for (size_t i = 0; i < row * canvas->height; i += 4) straighten(image->pixels + i);
  return true;
}

#endif
