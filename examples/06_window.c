/* 06_window.c: a window that shows an asset, deformed on the GPU by the library's own shaders.
 *
 * Concept. A shader that deforms is text for a given method, language and number of influences;
 * the library hands it out and packs what it reads: influences once a mesh, a palette once a
 * frame. Nothing is deformed on the CPU.
 *
 * Usage. 06_window FILE.glb [FRAMES]
 * Keys: space switches between LBS and DQS, C plays the next clip, Q quits. Drag to turn, wheel to
 * come closer. With FRAMES it quits after so many, spread over the clip, and prints how much of the
 * window the asset covers in the last one under each method.
 *
 * Implementation. OpenGL 3.3: the palette is a texture, drawing is one call a primitive. A short
 * fragment shader shades by the normal that the library's vertex shader gives. */
#include <supple/supple.h>

#define SDL_MAIN_HANDLED
#include <SDL.h>
#include <epoxy/gl.h>

#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 2, WIDTH = 960, HEIGHT = 640, PALETTE_WIDTH = 1024 };

/* A primitive on the GPU, and its palette of the frame. */
typedef struct part {
  const supple_instance *instance;
  supple_binding *binding;
  supple_prepared *prepared;
  supple_palette *palette;
  GLuint array;
  GLsizei index_count;
} part;

typedef struct viewer {
  supple_asset *asset;
  supple_pose *pose;
  part *parts;
  uint32_t part_count;
  GLuint programs[METHODS], palette; /* the last a texture */
  float *packed;
  size_t packed_size;
  supple_method method;
  uint32_t clip;
  double seconds, turn, tilt, distance, size, middle[3];
  bool quit;
} viewer;

static void fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static const char *const fragment =
    "#version 330 core\n"
    "in vec3 supple_position, supple_normal;\n"
    "out vec4 color;\n"
    "uniform vec3 eye;\n"
    "void main() {\n"
    "  vec3 v = normalize(eye - supple_position);\n"
    "  vec3 flat_normal = cross(dFdx(supple_position), dFdy(supple_position));\n"
    "  vec3 n = normalize(dot(supple_normal, supple_normal) > 0.0 ? supple_normal : flat_normal);\n"
    "  if (dot(n, v) < 0.0) n = -n;\n"
    "  float light = 0.25 + 0.25 * (0.5 + 0.5 * n.y) + 0.6 * max(dot(n, v), 0.0);\n"
    "  color = vec4(pow(vec3(0.75, 0.5, 0.4) * light, vec3(1.0 / 2.2)), 1.0);\n"
    "}\n";

static GLuint compile(GLenum stage, const char *text) {
  const GLuint shader = glCreateShader(stage);
  GLint fine;
  char log[1000];
  glShaderSource(shader, 1, &text, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  glGetShaderInfoLog(shader, sizeof log, NULL, log);
  if (!fine) fail("shader", log);
  return shader;
}

/* Zero means what is wanted here: GLSL 3.30, the vertex stage, four influences, the palette in a texture. */
static GLuint make_program(supple_method method) {
  const supple_shader_options options = {.method = method};
  supple_error error;
  size_t size;
  if (supple_shader_source(&options, NULL, 0, &size, &error)) fail("shader", error.message);
  char *text = malloc(size + 1);
  if (!text || supple_shader_source(&options, text, size + 1, NULL, &error))
    fail("shader", "memory");
  const GLuint program = glCreateProgram();
  glAttachShader(program, compile(GL_VERTEX_SHADER, text));
  glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
  glLinkProgram(program);
  free(text);
  return program;
}

static void attribute(GLuint location, GLint width, const void *data, size_t size, bool integer) {
  GLuint buffer;
  glGenBuffers(1, &buffer);
  glBindBuffer(GL_ARRAY_BUFFER, buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)size, data, GL_STATIC_DRAW);
  glEnableVertexAttribArray(location);
  if (integer)
    glVertexAttribIPointer(location, width, GL_UNSIGNED_INT, 0, NULL);
  else
    glVertexAttribPointer(location, width, GL_FLOAT, GL_FALSE, 0, NULL);
}

static void upload(part *one, const supple_primitive *primitive, const supple_instance *instance) {
  const supple_binding_options four = {.max_influences = 4};
  const size_t n = primitive->vertex_count;
  supple_error error = {.message = "out of memory"};
  one->instance = instance;
  one->binding = supple_binding_create(primitive, &four, &error);
  one->prepared = one->binding ? supple_prepared_create(one->binding, NULL, &error) : NULL;
  one->palette =
      supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, &error);
  const supple_shader_attributes packed = {
      .influences = 4, .joints = malloc(16 * n), .weights = malloc(16 * n)};
  if (!one->prepared || !one->palette || !packed.joints || !packed.weights ||
      supple_shader_attributes_pack(one->binding, &packed, &error))
    fail("mesh", error.message);
  glGenVertexArrays(1, &one->array);
  glBindVertexArray(one->array);
  attribute(0, 3, primitive->positions, 12 * n, false);
  if (primitive->normals) attribute(1, 3, primitive->normals, 12 * n, false);
  attribute(3, 4, packed.joints, 16 * n, true);
  attribute(4, 4, packed.weights, 16 * n, false);
  free(packed.joints), free(packed.weights);
  GLuint indices;
  glGenBuffers(1, &indices);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
  one->index_count = (GLsizei)primitive->index_count;
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(4 * (size_t)primitive->index_count),
               primitive->indices, GL_STATIC_DRAW);
}

/* The parts, and the box that they fill at rest. */
static void upload_all(viewer *v) {
  supple_bounds box = {{1, 1, 1}, {-1, -1, -1}};
  uint32_t most = 0;
  for (uint32_t i = 0; i < v->asset->instance_count; i++)
    most += v->asset->instances[i].primitive_count;
  v->parts = calloc(most + 1, sizeof *v->parts);
  if (!v->parts) fail("parts", "out of memory");
  for (uint32_t i = 0; i < v->asset->instance_count; i++)
    for (uint32_t p = 0; p < v->asset->instances[i].primitive_count; p++) {
      const supple_primitive *primitive = v->asset->instances[i].primitives[p];
      if (primitive->influence_count == 0 || primitive->topology != SUPPLE_TOPOLOGY_TRIANGLES)
        continue;
      part *one = &v->parts[v->part_count++];
      upload(one, primitive, &v->asset->instances[i]);
      supple_palette_compose(one->palette, v->pose, one->instance);
      box = supple_bounds_join(box, supple_binding_bounds(one->binding, one->palette, NULL));
    }
  if (v->part_count == 0) fail("asset", "no skinned triangles");
  for (int i = 0; i < 3; i++) {
    v->middle[i] = 0.5 * ((double)box.min[i] + (double)box.max[i]);
    v->size += (double)box.max[i] - (double)box.min[i];
  }
  v->distance = 0.85 * v->size;
  glGenTextures(1, &v->palette);
  glBindTexture(GL_TEXTURE_2D, v->palette);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

static void upload_palette(viewer *v, part *one) {
  const supple_shader_options options = {.method = v->method};
  const supple_palette_layout layout = supple_shader_layout(&options);
  supple_palette_compose(one->palette, v->pose, one->instance);
  if (supple_prepared_update(one->prepared, one->binding, one->palette, v->method))
    fail("pose", "a joint's matrix is not finite");
  const uint32_t joints = supple_shader_joint_count(one->prepared);
  const size_t size = supple_shader_palette_size(layout, joints, PALETTE_WIDTH);
  if (size > v->packed_size) {
    free(v->packed);
    v->packed = malloc(size);
    v->packed_size = size;
  }
  if (!v->packed || supple_shader_palette_pack(one->prepared, layout, v->packed, size, NULL))
    fail("palette", "it cannot be packed");
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, PALETTE_WIDTH, (GLsizei)(size / 16 / PALETTE_WIDTH), 0,
               GL_RGBA, GL_FLOAT, v->packed);
}

/* Projection times view, column-major, and the eye. */
static void camera(const viewer *v, float aspect, float matrix[16], float eye[3]) {
  const double ca = supple_cos(v->turn), sa = supple_sin(v->turn);
  const double cb = supple_cos(v->tilt), sb = supple_sin(v->tilt);
  const double axes[3][3] = {{ca, 0, -sa}, {-sb * sa, cb, -sb * ca}, {cb * sa, sb, cb * ca}};
  const double near = 0.01 * v->distance, far = v->distance + 4 * v->size, slope = 0.32;
  double rows[3][4];
  for (int r = 0; r < 3; r++) {
    rows[r][3] = r == 2 ? -v->distance : 0;
    for (int c = 0; c < 3; c++) rows[r][c] = axes[r][c], rows[r][3] -= axes[r][c] * v->middle[c];
    eye[r] = (float)(v->middle[r] + axes[2][r] * v->distance);
  }
  for (int c = 0; c < 4; c++) {
    matrix[4 * c] = (float)(rows[0][c] / slope) / aspect;
    matrix[4 * c + 1] = (float)(rows[1][c] / slope);
    matrix[4 * c + 2] = (float)(-(far + near) / (far - near) * rows[2][c] -
                                (c == 3 ? 2 * far * near / (far - near) : 0));
    matrix[4 * c + 3] = (float)-rows[2][c];
  }
}

static void draw(viewer *v, int width, int height) {
  const GLuint program = v->programs[v->method];
  float matrix[16], eye[3];
  camera(v, (float)width / (float)height, matrix, eye);
  if (v->asset->clip_count)
    supple_pose_sample(v->pose, &v->asset->clips[v->clip],
                       v->asset->clips[v->clip].begin + v->seconds);
  glViewport(0, 0, width, height);
  glClearColor(0.90f, 0.91f, 0.93f, 1);
  glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
  glEnable(GL_DEPTH_TEST);
  glUseProgram(program);
  glUniformMatrix4fv(glGetUniformLocation(program, "supple_clip_from_scene"), 1, GL_FALSE, matrix);
  glUniform3fv(glGetUniformLocation(program, "eye"), 1, eye);
  for (uint32_t i = 0; i < v->part_count; i++) {
    upload_palette(v, &v->parts[i]);
    glBindVertexArray(v->parts[i].array);
    glDrawElements(GL_TRIANGLES, v->parts[i].index_count, GL_UNSIGNED_INT, NULL);
  }
}

static void handle(viewer *v, const SDL_Event *event) {
  if (event->type == SDL_QUIT) v->quit = true;
  if (event->type == SDL_MOUSEWHEEL) v->distance *= event->wheel.y > 0 ? 0.9 : 1.1;
  if (event->type == SDL_MOUSEMOTION && event->motion.state) {
    v->turn -= 0.01 * event->motion.xrel;
    v->tilt += 0.01 * event->motion.yrel;
  }
  const SDL_Keycode key = event->type == SDL_KEYDOWN ? event->key.keysym.sym : SDLK_UNKNOWN;
  if (key == SDLK_ESCAPE || key == SDLK_q) v->quit = true;
  if (key == SDLK_SPACE) v->method = v->method == SUPPLE_LBS ? SUPPLE_DQS : SUPPLE_LBS;
  if (key == SDLK_c && v->asset->clip_count) v->clip = (v->clip + 1) % v->asset->clip_count;
}

/* How much of the window is not background. */
static double coverage(int width, int height) {
  unsigned char *pixels = malloc((size_t)width * (size_t)height * 4);
  size_t covered = 0;
  if (!pixels) fail("pixels", "memory");
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
  for (size_t i = 0; i < (size_t)width * (size_t)height; i++) covered += pixels[4 * i + 2] < 225;
  free(pixels);
  return (double)covered / width / height;
}

int main(int argc, char **argv) {
  if (argc < 2) return fprintf(stderr, "usage: %s FILE.glb [FRAMES]\n", argv[0]), 2;
  supple_error error;
  viewer v = {.method = SUPPLE_DQS, .turn = 0.4, .tilt = 0.15};
  v.asset = supple_asset_load(argv[1], NULL, &error);
  v.pose = v.asset ? supple_pose_create(&v.asset->skeleton, NULL, &error) : NULL;
  if (!v.pose) fail(argv[1], error.message);
  if (SDL_Init(SDL_INIT_VIDEO)) fail("SDL", SDL_GetError());
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
  SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
  SDL_Window *window = SDL_CreateWindow("supple", SDL_WINDOWPOS_UNDEFINED, SDL_WINDOWPOS_UNDEFINED,
                                        WIDTH, HEIGHT, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
  if (!window || !SDL_GL_CreateContext(window)) fail("SDL", SDL_GetError());
  for (int m = 0; m < METHODS; m++) v.programs[m] = make_program((supple_method)m);
  upload_all(&v);
  const long frames = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
  for (long frame = 0; !v.quit && (!frames || frame < frames); frame++) {
    int width, height;
    SDL_Event event;
    while (SDL_PollEvent(&event)) handle(&v, &event);
    SDL_GL_GetDrawableSize(window, &width, &height);
    const supple_clip *clip = v.asset->clip_count ? &v.asset->clips[v.clip] : NULL;
    const double length = clip ? clip->end - clip->begin : 0;
    const double clock = (double)SDL_GetTicks64() / 1000;
    if (length > 0) v.seconds = clock - length * floor(clock / length);
    if (frames > 1) v.seconds = length * (double)frame / (double)(frames - 1);
    draw(&v, width, height);
    for (int m = 0; frame + 1 == frames && m < METHODS; m++) {
      v.method = (supple_method)m;
      draw(&v, width, height);
      printf("%s covers %.1f %%\n", m ? "dqs" : "lbs", 100 * coverage(width, height));
    }
    SDL_GL_SwapWindow(window);
  }
  for (uint32_t i = 0; i < v.part_count; i++) {
    supple_palette_destroy(v.parts[i].palette);
    supple_prepared_destroy(v.parts[i].prepared);
    supple_binding_destroy(v.parts[i].binding);
  }
  free(v.parts), free(v.packed);
  supple_pose_destroy(v.pose);
  supple_asset_free(v.asset);
  SDL_Quit();
  return 0;
}
