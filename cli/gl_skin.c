/* gl_skin.c: transform feedback through the shaders of <supple/shader.h>. */
#include "gl_skin.h"

#include "command.h"

#include <stdlib.h>
#include <string.h>

#if defined(CLI_HAS_GL)

enum { METHODS = 2, INFLUENCES = 3, TEXTURE_WIDTH = 1024 };

struct gl_skinner {
  supple_scale scale;
  supple_signs signs;
  GLuint programs[METHODS][INFLUENCES][2]; /* the last by whether there are normals */
  GLuint palette;                          /* texture */
  float *packed;                           /* what it gets */
  size_t packed_size;
};

static bool out_of_memory(void) {
  cli_complain(CLI_FAILED, "out of memory");
  return false;
}

/* ---- one primitive ---- */

static GLuint make_buffer(const void *data, size_t size) {
  GLuint buffer = 0;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
  return buffer;
}

/* Texels without filtering, as the shaders fetch them. */
static GLuint make_texture(void) {
  GLuint texture = 0;
  glGenTextures(1, &texture);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  return texture;
}

static void integers(GLuint location, GLint width, GLsizei stride, size_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribIPointer(location, width, GL_UNSIGNED_INT, stride, (const void *)offset);
}

static void floats(GLuint location, GLint width, GLsizei stride, size_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, stride, (const void *)offset);
}

/* Four or eight joints and weights a vertex. */
static bool upload_attributes(gl_rest *rest, const supple_binding *binding) {
  const uint32_t width = rest->influences == SUPPLE_SHADER_FOUR ? 4 : 8;
  const size_t count = (size_t)rest->vertex_count * width;
  const GLsizei stride = (GLsizei)(width * sizeof(float));
  uint32_t *joints = malloc(count * sizeof *joints + 1);
  float *weights = malloc(count * sizeof *weights + 1);
  const supple_shader_attributes attributes = {
      .influences = width, .joints = joints, .weights = weights};
  supple_error error = {.message = "out of memory"};
  const bool fine =
      joints && weights && supple_shader_attributes_pack(binding, &attributes, &error) == SUPPLE_OK;
  if (fine) {
    rest->buffers[0] = make_buffer(joints, count * sizeof *joints);
    for (uint32_t half = 0; half < width / 4; half++)
      integers(3 + 2 * half, 4, stride, half * 4 * sizeof(uint32_t));
    rest->buffers[1] = make_buffer(weights, count * sizeof *weights);
    for (uint32_t half = 0; half < width / 4; half++)
      floats(4 + 2 * half, 4, stride, half * 4 * sizeof(float));
  } else {
    cli_complain(CLI_FAILED, "influences: %s", error.message);
  }
  free(joints);
  free(weights);
  return fine;
}

/* Each vertex's own number of influences: a range of a texture. */
static bool upload_pairs(gl_rest *rest, const supple_binding *binding) {
  const size_t size = supple_shader_pairs_size(binding, 0, TEXTURE_WIDTH);
  uint32_t(*ranges)[2] = malloc(rest->vertex_count * sizeof *ranges + 1);
  void *pairs = size ? malloc(size) : NULL;
  supple_error error = {.message = "out of memory"};
  const bool fine = ranges && pairs &&
                    supple_shader_pairs_pack(binding, 0, pairs, size, ranges, &error) == SUPPLE_OK;
  if (fine) {
    rest->buffers[0] = make_buffer(ranges, rest->vertex_count * sizeof *ranges);
    integers(3, 2, 2 * sizeof(uint32_t), 0);
    rest->pairs = make_texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32UI, TEXTURE_WIDTH, (GLsizei)(size / 8 / TEXTURE_WIDTH), 0,
                 GL_RG_INTEGER, GL_UNSIGNED_INT, pairs);
  } else {
    cli_complain(CLI_FAILED, "influences: %s", error.message);
  }
  free(ranges);
  free(pairs);
  return fine;
}

bool gl_rest_make(gl_rest *rest, const supple_primitive *primitive, const supple_binding *binding) {
  const uint32_t most = supple_binding_cleaning(binding)->most_influences;
  const size_t size = (size_t)primitive->vertex_count * 3 * sizeof(float);
  memset(rest, 0, sizeof *rest);
  rest->vertex_count = primitive->vertex_count;
  rest->influences = most <= 4   ? SUPPLE_SHADER_FOUR
                     : most <= 8 ? SUPPLE_SHADER_EIGHT
                                 : SUPPLE_SHADER_ANY;
  glGenVertexArrays(1, &rest->array);
  glBindVertexArray(rest->array);
  rest->positions = make_buffer(primitive->positions, size);
  floats(0, 3, 0, 0);
  if (primitive->normals) {
    rest->normals = make_buffer(primitive->normals, size);
    floats(1, 3, 0, 0);
  }
  const bool fine = rest->influences == SUPPLE_SHADER_ANY ? upload_pairs(rest, binding)
                                                          : upload_attributes(rest, binding);
  glBindVertexArray(0);
  return fine && gl_fine("uploading a mesh");
}

void gl_rest_free(gl_rest *rest) {
  glDeleteBuffers(1, &rest->positions); /* 0 is passed over */
  glDeleteBuffers(1, &rest->normals);
  glDeleteBuffers(4, rest->buffers);
  glDeleteTextures(1, &rest->pairs);
  glDeleteVertexArrays(1, &rest->array);
  memset(rest, 0, sizeof *rest);
}

GLsizei gl_skin_stride(const gl_rest *rest) {
  return (GLsizei)((rest->normals ? 6 : 3) * sizeof(float));
}

/* ---- programs ---- */

bool gl_skinner_can(supple_scale scale) { return scale != SUPPLE_SCALE_FIRST; }

gl_skinner *gl_skinner_create(supple_scale scale, supple_signs signs) {
  gl_skinner *skinner = calloc(1, sizeof *skinner);
  if (!skinner) {
    out_of_memory();
    return NULL;
  }
  skinner->scale = scale;
  skinner->signs = signs;
  skinner->palette = make_texture();
  return skinner;
}

void gl_skinner_free(gl_skinner *skinner) {
  if (!skinner) return;
  for (int m = 0; m < METHODS; m++)
    for (int i = 0; i < INFLUENCES; i++)
      for (int n = 0; n < 2; n++)
        if (skinner->programs[m][i][n]) glDeleteProgram(skinner->programs[m][i][n]);
  glDeleteTextures(1, &skinner->palette);
  free(skinner->packed);
  free(skinner);
}

static supple_shader_options options_of(const gl_skinner *skinner, const gl_rest *rest,
                                        supple_method method) {
  return (supple_shader_options){.language = SUPPLE_SHADER_GLSL_330,
                                 .stage = SUPPLE_SHADER_VERTEX,
                                 .method = method,
                                 .scale = skinner->scale,
                                 .signs = skinner->signs,
                                 .influences = rest->influences,
                                 .positions_only = rest->normals == 0};
}

static GLuint make_program(const supple_shader_options *options) {
  static const char *const captured[2] = {"supple_position", "supple_normal"};
  size_t size = 0;
  supple_error error = {.message = "out of memory"};
  char *text = NULL;
  GLuint program = 0;
  if (supple_shader_source(options, NULL, 0, &size, &error) == SUPPLE_OK &&
      (text = malloc(size + 1)) != NULL &&
      supple_shader_source(options, text, size + 1, &size, &error) == SUPPLE_OK)
    program = gl_program(text, NULL, captured, options->positions_only ? 1 : 2);
  else
    cli_complain(CLI_FAILED, "shaders: %s", error.message);
  free(text);
  if (!program) return 0;
  glUseProgram(program);
  glUniform1i(glGetUniformLocation(program, "supple_palette"), 0);
  if (options->influences == SUPPLE_SHADER_ANY)
    glUniform1i(glGetUniformLocation(program, "supple_influences"), 1);
  return program;
}

/* ---- a frame ---- */

static bool upload_palette(gl_skinner *skinner, const supple_shader_options *options,
                           const supple_prepared *prepared) {
  const supple_palette_layout layout = supple_shader_layout(options);
  const size_t size =
      supple_shader_palette_size(layout, supple_shader_joint_count(prepared), TEXTURE_WIDTH);
  supple_error error;
  if (size > skinner->packed_size) {
    float *packed = realloc(skinner->packed, size);
    if (!packed) return out_of_memory();
    skinner->packed = packed;
    skinner->packed_size = size;
  }
  if (supple_shader_palette_pack(prepared, layout, skinner->packed, size, &error) != SUPPLE_OK) {
    cli_complain(CLI_FAILED, "palette: %s", error.message);
    return false;
  }
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, skinner->palette);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, TEXTURE_WIDTH, (GLsizei)(size / 16 / TEXTURE_WIDTH), 0,
               GL_RGBA, GL_FLOAT, skinner->packed);
  return true;
}

bool gl_skin(gl_skinner *skinner, const gl_rest *rest, const supple_prepared *prepared,
             supple_method method, GLuint posed) {
  const supple_shader_options options = options_of(skinner, rest, method);
  GLuint *program = &skinner->programs[method][rest->influences][rest->normals != 0];
  if (!*program && !(*program = make_program(&options))) return false;
  if (!upload_palette(skinner, &options, prepared)) return false;
  glUseProgram(*program);
  const GLint scale = glGetUniformLocation(*program, "supple_scale");
  if (scale >= 0) glUniform1f(scale, supple_shader_scale(prepared));
  if (rest->pairs) {
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, rest->pairs);
    glActiveTexture(GL_TEXTURE0);
  }
  glBindVertexArray(rest->array);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, posed);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, (GLsizei)rest->vertex_count);
  glEndTransformFeedback();
  glDisable(GL_RASTERIZER_DISCARD);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
  glBindVertexArray(0);
  return gl_fine("deforming on the GPU");
}

#else

typedef int gl_skin_is_left_out; /* ISO C wants something in every source */

#endif
