/* gpu_time.c: the time that LBS and DQS take on this machine's GPU, against how fast it copies memory.
 *
 *   gpu_time [VERTICES…]          default: 1000000 16000000
 *
 * OpenGL 4.3 without a window (EGL). Positions and normals, four influences, 64 joints; the vertex stage reads
 * 16-bit joints and weights, compute 8 bytes an influence. Results are verified against supple_deform, then
 * timed by the GPU's own clock (software renderers: by the wall clock): the median of nine runs. Bandwidth counts
 * what is read and written once a vertex, not the palette. Prints a table for docs/performance.md. */
#include <supple/supple.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "clock.h"

enum { CHUNK = 65536, JOINTS = 64, INFLUENCES = 4, STRIDE = 6, RUNS = 9 };

static _Noreturn void stop(const char *why) {
  fprintf(stderr, "gpu_time: %s\n", why);
  exit(1);
}

static void *get(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (!memory) stop("out of memory");
  return memory;
}

static void open_context(void) {
  const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
  const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                            4,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_PROFILE_MASK,
                            EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                            EGL_NONE};
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLDeviceEXT device;
  EGLConfig config;
  EGLint count = 0;
  /* A real device first, then whatever there is. */
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
      eglQueryDevicesEXT(1, &device, &count) && count > 0)
    display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, NULL);
  if (display == EGL_NO_DISPLAY) display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL) ||
      !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) ||
      count < 1)
    stop("there is no OpenGL by EGL here");
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
  if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
    stop("there is no OpenGL 4.3 here");
  GLuint framebuffer, colour; /* a draw needs one */
  glGenFramebuffers(1, &framebuffer);
  glGenRenderbuffers(1, &colour);
  glBindRenderbuffer(GL_RENDERBUFFER, colour);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 4, 4);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
}

/* ---- the mesh: one chunk, as often as is needed ---- */

typedef struct mesh {
  float *rest;                /* [CHUNK][STRIDE] position, normal */
  uint16_t *joints, *weights; /* [CHUNK][INFLUENCES] */
  uint32_t *pairs;            /* [CHUNK][INFLUENCES][2] */
  supple_binding *binding;
  supple_palette *palette;
} mesh;

/* A tube along a chain: neighbours share joints, as on real meshes. */
static void fill_primitive(float *positions, float *normals, uint16_t *joints, float *weights) {
  for (uint32_t v = 0; v < CHUNK; v++) {
    double along = (double)v / CHUNK * (JOINTS - INFLUENCES), angle = (double)v * 0.1;
    float normal[3] = {(float)supple_cos(angle), 0, (float)supple_sin(angle)};
    const uint32_t first = (uint32_t)along;
    for (uint32_t k = 0; k < 3; k++)
      normals[3 * v + k] = normal[k], positions[3 * v + k] = normal[k] * 0.3f;
    positions[3 * v + 1] = (float)along;
    for (uint32_t i = 0; i < INFLUENCES; i++) {
      joints[INFLUENCES * v + i] = (uint16_t)(first + i);
      weights[INFLUENCES * v + i] = (float)(1.1 - fabs(along - first - i + 1) / INFLUENCES);
    }
  }
}

static void fill_palette(supple_palette *palette) {
  palette->joint_count = JOINTS;
  for (uint32_t j = 0; j < JOINTS; j++) {
    const supple_quat q = supple_quat_from_axis_angle(supple_vec3_make(0.2, 1, 0), 0.3 * j);
    const supple_affine64 m = supple_dual_quat_to_affine(
        supple_dual_quat_from_rigid(q, supple_vec3_make(0.01 * j, 0, 0.02 * j)));
    palette->matrices[j] = supple_affine_from_double(&m);
  }
  palette->rotations = NULL, palette->mirrored = NULL;
}

static mesh make_mesh(void) {
  mesh m;
  float *positions = get(CHUNK * 3, 4), *normals = get(CHUNK * 3, 4),
        *weights = get(CHUNK * INFLUENCES, 4);
  uint16_t *joints = get(CHUNK * INFLUENCES, 2);
  fill_primitive(positions, normals, joints, weights);
  const supple_primitive primitive = {.vertex_count = CHUNK,
                                      .positions = positions,
                                      .normals = normals,
                                      .influence_count = INFLUENCES,
                                      .joints = joints,
                                      .weights = weights};
  m.binding = supple_binding_create(&primitive, NULL, NULL);
  m.palette = supple_palette_create(JOINTS, SUPPLE_SPACE_SCENE, NULL, NULL);
  if (!m.binding || !m.palette) stop("out of memory");
  fill_palette(m.palette);
  m.rest = get(CHUNK * STRIDE, 4), m.joints = joints, m.weights = get(CHUNK * INFLUENCES, 2);
  m.pairs = get(CHUNK * INFLUENCES, 8);
  const supple_shader_attributes attributes = {.influences = INFLUENCES,
                                               .joint_number = SUPPLE_SHADER_NUMBER_U16,
                                               .weight_number = SUPPLE_SHADER_NUMBER_U16,
                                               .joints = joints,
                                               .weights = m.weights};
  if (supple_shader_rest_pack(&primitive, 2, NULL, m.rest, STRIDE) ||
      supple_shader_attributes_pack(m.binding, &attributes, NULL) ||
      supple_shader_pairs_pack(m.binding, INFLUENCES, m.pairs, CHUNK * INFLUENCES * 8, NULL, NULL))
    stop("the mesh cannot be packed");
  free(positions), free(normals), free(weights);
  return m;
}

static GLuint make_buffer(GLenum target, const void *chunk, size_t chunk_size, uint32_t vertices) {
  GLuint buffer;
  const size_t element = chunk_size / CHUNK;
  glGenBuffers(1, &buffer);
  glBindBuffer(target, buffer);
  glBufferData(target, (GLsizeiptr)(element * vertices), NULL, GL_STATIC_DRAW);
  for (uint32_t v = 0; chunk && v < vertices; v += CHUNK) {
    const uint32_t count = vertices - v < CHUNK ? vertices - v : CHUNK;
    glBufferSubData(target, (GLintptr)(element * v), (GLsizeiptr)(element * count), chunk);
  }
  if (glGetError()) stop("the GPU has no memory for so many vertices");
  return buffer;
}

/* ---- programs ---- */

typedef struct deformer {
  const char *name;
  supple_method method;
  supple_scale scale;
} deformer;

static GLuint make_program(const deformer *variant, supple_shader_stage stage) {
  const supple_shader_options options = {.language = SUPPLE_SHADER_GLSL_430,
                                         .stage = stage,
                                         .method = variant->method,
                                         .scale = variant->scale};
  size_t size;
  if (supple_shader_source(&options, NULL, 0, &size, NULL)) stop("no such shader");
  char *text = get(size + 1, 1);
  supple_shader_source(&options, text, size + 1, &size, NULL);
  const GLuint shader = glCreateShader(stage == SUPPLE_SHADER_VERTEX ? GL_VERTEX_SHADER
                                                                     : GL_COMPUTE_SHADER),
               program = glCreateProgram();
  const char *const lines = text;
  GLint fine = 0;
  glShaderSource(shader, 1, &lines, NULL);
  glCompileShader(shader);
  glAttachShader(program, shader);
  glLinkProgram(program);
  glGetProgramiv(program, GL_LINK_STATUS, &fine);
  if (!fine) stop("a shader does not link");
  glDeleteShader(shader);
  free(text);
  return program;
}

static void set_count(GLuint program, const char *name, uint32_t value) {
  const GLint at = glGetUniformLocation(program, name);
  if (at >= 0) glUniform1ui(at, value);
}

/* The palette in storage buffer 1, and the parameters. */
static GLuint bind_palette(GLuint program, const mesh *m, const deformer *variant) {
  const supple_shader_options options = {.method = variant->method, .scale = variant->scale};
  const supple_prepared_options prepared_options = {.scale = variant->scale};
  supple_prepared *prepared = supple_prepared_create(m->binding, &prepared_options, NULL);
  const size_t size = supple_shader_palette_size(supple_shader_layout(&options), JOINTS, 0);
  float *palette = get(size, 1);
  if (!prepared || supple_prepared_update(prepared, m->binding, m->palette, variant->method) ||
      supple_shader_palette_pack(prepared, supple_shader_layout(&options), palette, size, NULL))
    stop("the palette cannot be packed");
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
  glBufferData(GL_SHADER_STORAGE_BUFFER, (GLsizeiptr)size, palette, GL_STATIC_DRAW);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, buffer);
  const GLint scale = glGetUniformLocation(program, "supple_scale");
  if (scale >= 0) glUniform1f(scale, supple_shader_scale(prepared));
  supple_prepared_destroy(prepared);
  free(palette);
  return buffer;
}

/* ---- time ---- */

typedef void work(void *user);

/* Software renderers work in threads that their queries do not see: of them the wall clock tells. */
static bool is_software(void) {
  const char *name = (const char *)glGetString(GL_RENDERER);
  return strstr(name, "llvmpipe") || strstr(name, "softpipe") || strstr(name, "SwiftShader");
}

/* Median seconds of the GPU, after one run to warm up. */
static double time_of(work *what, void *user) {
  double seconds[RUNS];
  const bool software = is_software();
  GLuint query;
  glGenQueries(1, &query);
  what(user);
  glFinish();
  for (int i = 0; i < RUNS; i++) {
    GLuint64 nanoseconds = 0;
    const double start = clock_seconds();
    glBeginQuery(GL_TIME_ELAPSED, query);
    what(user);
    glEndQuery(GL_TIME_ELAPSED);
    glFinish();
    glGetQueryObjectui64v(query, GL_QUERY_RESULT, &nanoseconds);
    seconds[i] = software ? clock_seconds() - start : (double)nanoseconds * 1e-9;
  }
  glDeleteQueries(1, &query);
  return clock_median(seconds, RUNS);
}

typedef struct copy {
  GLuint from, to;
  size_t size;
} copy;

static void run_copy(void *user) {
  const copy *c = user;
  glBindBuffer(GL_COPY_READ_BUFFER, c->from);
  glBindBuffer(GL_COPY_WRITE_BUFFER, c->to);
  glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, (GLsizeiptr)c->size);
}

static void run_dispatch(void *user) {
  const uint32_t *groups = user;
  glDispatchCompute(groups[0], groups[1], 1);
}

static void run_draw(void *user) {
  const uint32_t *vertices = user;
  glDrawArrays(GL_POINTS, 0, (GLsizei)*vertices);
}

/* ---- one size ---- */

typedef struct bench {
  const mesh *mesh;
  uint32_t vertices;
  GLuint rest, posed, pairs, joints, weights;
  double copied; /* bytes a second, read and written */
} bench;

static void verify(const bench *b, const deformer *variant) {
  float *expected = get(CHUNK * STRIDE, 4), *posed = get(CHUNK * STRIDE, 4);
  const uint32_t count = b->vertices < CHUNK ? b->vertices : CHUNK;
  const supple_prepared_options options = {.scale = variant->scale};
  supple_prepared *prepared = supple_prepared_create(b->mesh->binding, &options, NULL);
  if (!prepared ||
      supple_prepared_update(prepared, b->mesh->binding, b->mesh->palette, variant->method))
    stop("out of memory");
  const supple_job job = {.prepared = prepared,
                          .positions = {b->mesh->rest, STRIDE * 4},
                          .normals = {b->mesh->rest + 3, STRIDE * 4},
                          .out_positions = {expected, STRIDE * 4},
                          .out_normals = {expected + 3, STRIDE * 4}};
  if (supple_deform(&job)) stop("supple_deform fails");
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glBindBuffer(GL_COPY_READ_BUFFER, b->posed);
  glGetBufferSubData(GL_COPY_READ_BUFFER, 0, (GLsizeiptr)(count * STRIDE * 4), posed);
  for (uint32_t i = 0; i < count * STRIDE; i++)
    if (!(fabs((double)posed[i] - (double)expected[i]) < (i % STRIDE < 3 ? 2e-6 * JOINTS : 1e-4)))
      stop("the GPU's result is not that of supple_deform");
  supple_prepared_destroy(prepared);
  free(expected), free(posed);
}

static void report(const bench *b, const deformer *variant, const char *stage, double seconds,
                   uint32_t bytes) {
  const double rate = bytes * (double)b->vertices / seconds;
  printf("| %u | %s | %s | %.3f | %.3f | %.0f | %.1f | %.0f %% |\n", (unsigned)b->vertices,
         variant->name, stage, seconds * 1e3, seconds * 1e9 / b->vertices,
         b->vertices / seconds * 1e-6, rate * 1e-9, rate / b->copied * 100);
}

static void time_compute(const bench *b, const deformer *variant) {
  const GLuint program = make_program(variant, SUPPLE_SHADER_COMPUTE);
  glUseProgram(program);
  const GLuint palette = bind_palette(program, b->mesh, variant);
  uint32_t groups[2] = {(b->vertices + 63) / 64, 1};
  if (groups[0] > 32768) groups[1] = (groups[0] + 32767) / 32768, groups[0] = 32768;
  set_count(program, "supple_vertex_count", b->vertices);
  set_count(program, "supple_rest_stride", STRIDE);
  set_count(program, "supple_posed_stride", STRIDE);
  set_count(program, "supple_row", groups[0] * 64);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 2, b->pairs);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 4, b->rest);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 5, b->posed);
  run_dispatch(groups);
  verify(b, variant);
  report(b, variant, "compute", time_of(run_dispatch, groups), 2 * STRIDE * 4 + INFLUENCES * 8);
  glDeleteBuffers(1, &palette);
  glDeleteProgram(program);
}

/* Points far outside the picture: the vertex stage runs, and nothing is drawn. */
static void time_vertex(const bench *b, const deformer *variant) {
  static const float outside[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1e4f, 0, 0, 1};
  const GLuint program = make_program(variant, SUPPLE_SHADER_VERTEX);
  GLuint array;
  uint32_t vertices = b->vertices;
  glUseProgram(program);
  const GLuint palette = bind_palette(program, b->mesh, variant);
  glUniformMatrix4fv(glGetUniformLocation(program, "supple_clip_from_scene"), 1, GL_FALSE, outside);
  glGenVertexArrays(1, &array);
  glBindVertexArray(array);
  for (GLuint i = 0; i < 5; i++)
    if (i != 2) glEnableVertexAttribArray(i);
  glBindBuffer(GL_ARRAY_BUFFER, b->rest);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, STRIDE * 4, (const void *)0);
  glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, STRIDE * 4, (const void *)12);
  glBindBuffer(GL_ARRAY_BUFFER, b->joints);
  glVertexAttribIPointer(3, INFLUENCES, GL_UNSIGNED_SHORT, INFLUENCES * 2, (const void *)0);
  glBindBuffer(GL_ARRAY_BUFFER, b->weights);
  glVertexAttribPointer(4, INFLUENCES, GL_UNSIGNED_SHORT, GL_TRUE, INFLUENCES * 2, (const void *)0);
  report(b, variant, "vertex", time_of(run_draw, &vertices), STRIDE * 4 + INFLUENCES * 4);
  glDeleteVertexArrays(1, &array);
  glDeleteBuffers(1, &palette);
  glDeleteProgram(program);
}

static void run_size(const mesh *m, uint32_t vertices) {
  static const deformer variants[] = {{"LBS", SUPPLE_LBS, SUPPLE_SCALE_AFFINE},
                                      {"DQS rigid", SUPPLE_DQS, SUPPLE_SCALE_NONE},
                                      {"DQS affine", SUPPLE_DQS, SUPPLE_SCALE_AFFINE}};
  const size_t row = STRIDE * 4;
  bench b = {.mesh = m, .vertices = vertices};
  b.rest = make_buffer(GL_ARRAY_BUFFER, m->rest, CHUNK * row, vertices);
  b.posed = make_buffer(GL_ARRAY_BUFFER, NULL, CHUNK * row, vertices);
  b.pairs = make_buffer(GL_ARRAY_BUFFER, m->pairs, CHUNK * INFLUENCES * 8, vertices);
  b.joints = make_buffer(GL_ARRAY_BUFFER, m->joints, CHUNK * INFLUENCES * 2, vertices);
  b.weights = make_buffer(GL_ARRAY_BUFFER, m->weights, CHUNK * INFLUENCES * 2, vertices);
  copy c = {b.rest, b.posed, row * vertices};
  b.copied = 2 * (double)c.size / time_of(run_copy, &c);
  printf("| %u | copy | | | | | %.1f | 100 %% |\n", (unsigned)vertices, b.copied * 1e-9);
  for (int i = 0; i < 3; i++) {
    time_vertex(&b, &variants[i]);
    time_compute(&b, &variants[i]);
  }
  const GLuint buffers[5] = {b.rest, b.posed, b.pairs, b.joints, b.weights};
  glDeleteBuffers(5, buffers);
}

int main(int argc, char **argv) {
  open_context();
  mesh m = make_mesh();
  clock_print_machine();
  printf("%s, OpenGL %s; supple %s\n\n"
         "| vertices | method | stage | ms | ns a vertex | M vertices/s | GB/s | of copying |\n"
         "|---:|---|---|---:|---:|---:|---:|---:|\n",
         (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION),
         supple_version());
  for (int i = 1; i < argc; i++) {
    const unsigned long vertices = strtoul(argv[i], NULL, 10);
    if (vertices < 1 || vertices > 100000000) stop("vertices are 1 to 100000000");
    run_size(&m, (uint32_t)vertices);
  }
  if (argc < 2) {
    run_size(&m, 1000000);
    run_size(&m, 16000000);
  }
  return 0;
}
