/* test_gl.c: the GLSL shaders run by OpenGL, without a window, against supple_deform: transform feedback in 3.3,
 * 4.3 and ES 3.0, compute in 4.3. Skipped where there is no libepoxy or no EGL. */
#include "tests/gpu/gpu_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if !defined(SUPPLE_HAS_EPOXY)

int main(void) {
  printf("skipped: built without libepoxy (Debian: libepoxy-dev, libegl-dev)\n");
  return 77;
}

#else

#include <epoxy/egl.h>
#include <epoxy/gl.h>

/* ---- a context without a window ---- */

typedef struct context {
  EGLDisplay display;
  EGLContext context;
} context;

static bool open_context(context *c, bool es, int major, int minor) {
  const EGLint config_wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                                  es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
  const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                         major,
                         EGL_CONTEXT_MINOR_VERSION,
                         minor,
                         EGL_CONTEXT_OPENGL_PROFILE_MASK,
                         EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                         EGL_NONE};
  const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, major, EGL_CONTEXT_MINOR_VERSION, minor,
                          EGL_NONE};
  EGLConfig config;
  EGLint count = 0;
  *c = (context){EGL_NO_DISPLAY, EGL_NO_CONTEXT};
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    c->display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
  if (c->display == EGL_NO_DISPLAY) c->display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (c->display == EGL_NO_DISPLAY || !eglInitialize(c->display, NULL, NULL)) return false;
  if (!eglBindAPI(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return false;
  if (!eglChooseConfig(c->display, config_wanted, &config, 1, &count) || count < 1) return false;
  c->context = eglCreateContext(c->display, config, EGL_NO_CONTEXT, es ? plain : core);
  return c->context != EGL_NO_CONTEXT &&
         eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context);
}

static void close_context(context *c) {
  if (c->display == EGL_NO_DISPLAY) return;
  eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (c->context != EGL_NO_CONTEXT) eglDestroyContext(c->display, c->context);
  eglTerminate(c->display);
}

/* A draw needs a whole framebuffer, even where nothing is rasterised. */
static void bind_framebuffer(void) {
  GLuint framebuffer, colour;
  glGenFramebuffers(1, &framebuffer);
  glGenRenderbuffers(1, &colour);
  glBindRenderbuffer(GL_RENDERBUFFER, colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
}

/* ---- programs ---- */

typedef struct run {
  supple_shader_language language;
  supple_shader_stage stage;
  supple_shader_memory memories[2]; /* taken in turn */
  uint32_t turn;
  gpu_worst worst;
} run;

static GLuint compile(GLenum kind, const char *text, const char *name) {
  GLuint shader = glCreateShader(kind);
  GLint fine = 0;
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine) return shader;
  char log[2000] = "";
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  printf("%s does not compile:\n%s\n%s\n", name, log, text);
  return 0;
}

static GLuint link_program(const run *r, const gpu_case *one, const char *text) {
  static const char *const outputs[] = {"supple_position", "supple_normal", "supple_tangent"};
  static const char *const nothing = "#version 300 es\nprecision mediump float;\nout vec4 colour;\n"
                                     "void main() { colour = vec4(1.0); }\n";
  bool compute = r->stage == SUPPLE_SHADER_COMPUTE;
  GLuint shader = compile(compute ? GL_COMPUTE_SHADER : GL_VERTEX_SHADER, text, one->name);
  if (!shader) return 0;
  GLuint program = glCreateProgram(), fragment = 0;
  GLint fine = 0;
  glAttachShader(program, shader);
  if (r->language == SUPPLE_SHADER_GLSL_ES_300) {
    fragment = compile(GL_FRAGMENT_SHADER, nothing, "nothing");
    glAttachShader(program, fragment);
  }
  if (!compute)
    glTransformFeedbackVaryings(program, (GLsizei)one->streams, outputs, GL_INTERLEAVED_ATTRIBS);
  glLinkProgram(program);
  glDeleteShader(shader);
  if (fragment) glDeleteShader(fragment);
  glGetProgramiv(program, GL_LINK_STATUS, &fine);
  if (fine) return program;
  char log[2000] = "";
  glGetProgramInfoLog(program, sizeof log, NULL, log);
  printf("%s does not link:\n%s\n", one->name, log);
  glDeleteProgram(program);
  return 0;
}

/* ---- what it reads ---- */

enum { MOST_OBJECTS = 16 };

typedef struct objects {
  GLuint buffers[MOST_OBJECTS], textures[MOST_OBJECTS];
  int buffer_count, texture_count;
} objects;

static GLuint make_buffer(objects *o, GLenum target, const void *data, size_t size) {
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBuffer(target, buffer);
  glBufferData(target, (GLsizeiptr)(size ? size : 16), size ? data : NULL, GL_STATIC_DRAW);
  return o->buffers[o->buffer_count++] = buffer;
}

/* Texels in rows of 64, the last filled up with zeros. */
static void make_texture(objects *o, GLuint program, const char *name, const void *data,
                         size_t size, size_t texel) {
  enum { WIDTH = 64 };
  size_t rows = size ? (size / texel + WIDTH - 1) / WIDTH : 1;
  char *padded = calloc(rows * WIDTH, texel);
  GLint at = glGetUniformLocation(program, name);
  if (!padded) abort();
  if (size) memcpy(padded, data, size);
  GLuint texture;
  glGenTextures(1, &texture);
  glActiveTexture(GL_TEXTURE0 + (GLenum)o->texture_count);
  glBindTexture(GL_TEXTURE_2D, texture);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  if (texel == 16)
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, WIDTH, (GLsizei)rows, 0, GL_RGBA, GL_FLOAT, padded);
  else
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG32UI, WIDTH, (GLsizei)rows, 0, GL_RG_INTEGER,
                 GL_UNSIGNED_INT, padded);
  if (at >= 0) glUniform1i(at, o->texture_count);
  o->textures[o->texture_count++] = texture;
  free(padded);
}

static void set_count(GLuint program, const char *name, uint32_t value) {
  GLint at = glGetUniformLocation(program, name);
  if (at >= 0) glUniform1ui(at, value);
}

static void bind_storage(objects *o, GLuint binding, const void *data, size_t size) {
  GLuint buffer = make_buffer(o, GL_SHADER_STORAGE_BUFFER, data, size);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, buffer);
}

static void bind_palette(objects *o, GLuint program, const gpu_case *one,
                         supple_shader_memory memory) {
  size_t size = supple_shader_palette_size(supple_shader_layout(&one->options), one->joint_count, 0);
  if (memory == SUPPLE_SHADER_TEXTURE) {
    make_texture(o, program, "supple_palette", one->palette, size, 16);
  } else if (memory == SUPPLE_SHADER_STORAGE) {
    bind_storage(o, 1, one->palette, size);
  } else {
    GLuint block = glGetUniformBlockIndex(program, "supple_palette_block");
    void *whole = calloc(1, 16384);
    if (!whole) abort();
    memcpy(whole, one->palette, size);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, make_buffer(o, GL_UNIFORM_BUFFER, whole, 16384));
    glUniformBlockBinding(program, block, 1);
    free(whole);
  }
}

/* Palette, influences, morph targets and parameters. */
static void bind_inputs(objects *o, GLuint program, const gpu_case *one, const run *r,
                        supple_shader_memory memory) {
  bool small = r->language == SUPPLE_SHADER_GLSL_330 || r->language == SUPPLE_SHADER_GLSL_ES_300;
  static const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  glUseProgram(program);
  bind_palette(o, program, one, memory);
  if (small && one->influences == 0)
    make_texture(o, program, "supple_influences", one->pairs, one->pairs_size, 8);
  else if (!small)
    bind_storage(o, 2, one->pairs, one->pairs_size);
  if (one->options.morph && small) {
    make_texture(o, program, "supple_morph_targets", one->targets, one->targets_size, 16);
    glUniform1fv(glGetUniformLocation(program, "supple_morph_weights"), (GLsizei)one->morph_count,
                 one->morph_weights);
  } else if (one->options.morph) {
    bind_storage(o, 6, one->targets, one->targets_size);
    bind_storage(o, 7, one->morph_weights, one->morph_count * sizeof(float));
  }
  GLint scale = glGetUniformLocation(program, "supple_scale"),
        clip = glGetUniformLocation(program, "supple_clip_from_scene");
  if (scale >= 0) glUniform1f(scale, one->scale);
  if (clip >= 0) glUniformMatrix4fv(clip, 1, GL_FALSE, identity);
  set_count(program, "supple_vertex_count", one->vertex_count);
  set_count(program, "supple_morph_count", one->morph_count);
  set_count(program, "supple_rest_stride", GPU_STREAM);
  set_count(program, "supple_posed_stride", gpu_case_width(one));
}

static void attribute(objects *o, GLuint location, GLint width, const void *data, size_t stride,
                      size_t offset, size_t size, bool integer) {
  make_buffer(o, GL_ARRAY_BUFFER, data, size);
  glEnableVertexAttribArray(location);
  if (integer)
    glVertexAttribIPointer(location, width, GL_UNSIGNED_INT, (GLsizei)stride, (const void *)offset);
  else
    glVertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, (GLsizei)stride,
                          (const void *)offset);
}

static void bind_attributes(objects *o, const gpu_case *one) {
  size_t n = one->vertex_count, stride = GPU_STREAM * sizeof(float);
  attribute(o, 0, 3, one->rest, stride, 0, n * stride, false);
  attribute(o, 1, 3, one->rest, stride, 12, n * stride, false);
  attribute(o, 2, 4, one->rest, stride, 24, n * stride, false);
  if (one->influences == 0) {
    attribute(o, 3, 2, one->ranges, 8, 0, n * 8, true);
    return;
  }
  size_t row = one->influences * 4;
  attribute(o, 3, 4, one->joints, row, 0, n * row, true);
  attribute(o, 4, 4, one->weights, row, 0, n * row, false);
  if (one->influences < 8) return;
  attribute(o, 5, 4, one->joints, row, 16, n * row, true);
  attribute(o, 6, 4, one->weights, row, 16, n * row, false);
}

/* ---- running ---- */

static void run_vertex(objects *o, const gpu_case *one) {
  GLuint out = make_buffer(o, GL_TRANSFORM_FEEDBACK_BUFFER, NULL,
                           (size_t)one->vertex_count * gpu_case_width(one) * sizeof(float));
  glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER,
               (GLsizeiptr)(one->vertex_count * gpu_case_width(one) * sizeof(float)), NULL,
               GL_STREAM_READ);
  bind_attributes(o, one);
  glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, out);
  glEnable(GL_RASTERIZER_DISCARD);
  glBeginTransformFeedback(GL_POINTS);
  glDrawArrays(GL_POINTS, 0, (GLsizei)one->vertex_count);
  glEndTransformFeedback();
  glBindBuffer(GL_COPY_READ_BUFFER, out);
}

static void run_compute(objects *o, GLuint program, const gpu_case *one) {
  size_t n = one->vertex_count;
  bind_storage(o, 3, one->ranges, n * 8);
  bind_storage(o, 4, one->rest, n * GPU_STREAM * sizeof(float));
  GLuint out = make_buffer(o, GL_SHADER_STORAGE_BUFFER, NULL, 0);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)(n * gpu_case_width(one) * sizeof(float)),
               NULL, GL_STREAM_READ);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, out);
  GLuint columns = 2; /* several rows of groups, as large meshes need */
  set_count(program, "supple_row", 64 * columns);
  glDispatchCompute(columns, (GLuint)((n + 64 * columns - 1) / (64 * columns)), 1);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_COPY_READ_BUFFER, out);
}

static bool read_back(const gpu_case *one, float *posed) {
  uint32_t width = gpu_case_width(one);
  const float *data =
      glMapBufferRange(GL_COPY_READ_BUFFER, 0,
                       (GLsizeiptr)(one->vertex_count * width * sizeof(float)), GL_MAP_READ_BIT);
  for (uint32_t v = 0; v < one->vertex_count && data; v++)
    memcpy(posed + (size_t)v * GPU_STREAM, data + (size_t)v * width, width * sizeof(float));
  if (data) glUnmapBuffer(GL_COPY_READ_BUFFER);
  return data != NULL;
}

static bool run_program(const run *r, GLuint program, const gpu_case *one,
                        supple_shader_memory memory, float *posed) {
  objects o = {.buffer_count = 0};
  GLuint array;
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  bind_inputs(&o, program, one, r, memory);
  if (r->stage == SUPPLE_SHADER_COMPUTE)
    run_compute(&o, program, one);
  else
    run_vertex(&o, one);
  bool fine = read_back(one, posed);
  GLenum error = glGetError();
  if (error) printf("%s: GL error 0x%x\n", one->name, (unsigned)error);
  glDeleteVertexArrays(1, &array);
  glDeleteBuffers(o.buffer_count, o.buffers);
  glDeleteTextures(o.texture_count, o.textures);
  glDeleteProgram(program);
  return fine && !error;
}

static bool visit(void *user, const gpu_case *one) {
  run *r = user;
  supple_shader_memory memory = r->memories[r->turn++ % 2];
  size_t size = 0;
  char *text = gpu_case_source(one, r->language, r->stage, memory, &size);
  if (!text) return false;
  GLuint program = link_program(r, one, text);
  free(text);
  if (!program) return false;
  float *posed = calloc((size_t)one->vertex_count * GPU_STREAM, sizeof(float));
  if (!posed) abort();
  bool fine = run_program(r, program, one, memory, posed) && gpu_case_check(one, posed, &r->worst);
  free(posed);
  return fine;
}

/* 0: fine; 1: not; 77: no such context here. Each run takes other cases, together all of them. */
static int try_run(run r, uint32_t first, bool es, int major, int minor, const char *name) {
  static const gpu_places places = {SUPPLE_CORPUS, SUPPLE_COMMAND, SUPPLE_SCRATCH};
  context c;
  int status = 77;
  if (open_context(&c, es, major, minor)) {
    bind_framebuffer();
    status = gpu_cases_visit(&places, 6, first, visit, &r) ? 0 : 1;
    printf("%s on %s: %u cases, %llu vertices (%llu in doubt): position %.3g of the size, normal "
           "%.3g, "
           "tangent %.3g\n",
           name, (const char *)glGetString(GL_RENDERER), (unsigned)r.worst.cases,
           (unsigned long long)r.worst.vertices, (unsigned long long)r.worst.doubts,
           r.worst.position, r.worst.normal, r.worst.tangent);
  } else {
    printf("%s: skipped: no such context\n", name);
  }
  close_context(&c);
  return status;
}

int main(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  run runs[4] = {{.language = SUPPLE_SHADER_GLSL_330,
                  .memories = {SUPPLE_SHADER_TEXTURE, SUPPLE_SHADER_UNIFORM}},
                 {.language = SUPPLE_SHADER_GLSL_430,
                  .memories = {SUPPLE_SHADER_STORAGE, SUPPLE_SHADER_TEXTURE}},
                 {.language = SUPPLE_SHADER_GLSL_430,
                  .memories = {SUPPLE_SHADER_STORAGE, SUPPLE_SHADER_UNIFORM}},
                 {.language = SUPPLE_SHADER_GLSL_ES_300,
                  .memories = {SUPPLE_SHADER_TEXTURE, SUPPLE_SHADER_UNIFORM}}};
  runs[2].stage = SUPPLE_SHADER_COMPUTE;
  const int status[4] = {try_run(runs[0], 0, false, 3, 3, "GLSL 3.30, vertex"),
                         try_run(runs[1], 1, false, 4, 3, "GLSL 4.30, vertex"),
                         try_run(runs[2], 2, false, 4, 3, "GLSL 4.30, compute"),
                         try_run(runs[3], 3, true, 3, 0, "GLSL ES 3.00, vertex")};
  bool ran = false;
  for (int i = 0; i < 4; i++) {
    if (status[i] == 1) return 1;
    ran |= status[i] == 0;
  }
  return ran ? 0 : 77;
}

#endif
