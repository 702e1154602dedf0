/* test_gl_skin.c: what comes back from the GPU is what supple_deform says, for four, eight and more influences. */
#include "cli/gl_draw.h"
#include "cli/gl_skin.h"
#include "cli/stage.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#if !defined(CLI_HAS_GL)

int main(void) {
  printf("skipped: built without libepoxy, EGL and libpng\n");
  return 77;
}

#else

enum { VERTICES = 40, JOINTS = 24 };

/* Vertices on a line that share `width` joints each. */
typedef struct line {
  float positions[3 * VERTICES], normals[3 * VERTICES], weights[12 * VERTICES];
  uint16_t joints[12 * VERTICES];
  supple_primitive primitive;
} line;

static void make_line(line *l, uint32_t width, bool normals) {
  for (uint32_t v = 0; v < VERTICES; v++) {
    for (uint32_t c = 0; c < 3; c++) {
      l->positions[3 * v + c] = (float)v * 0.1f + (float)c * 0.3f;
      l->normals[3 * v + c] = c == v % 3 ? 1.0f : 0.0f;
    }
    for (uint32_t k = 0; k < width; k++) {
      l->joints[width * v + k] = (uint16_t)((v * 5 + k * 3) % JOINTS); /* all different: 3 k < 36 */
      l->weights[width * v + k] = 1.0f / (float)(1 + k + v % 3);
    }
  }
  l->primitive = (supple_primitive){.vertex_count = VERTICES,
                                    .positions = l->positions,
                                    .normals = normals ? l->normals : NULL,
                                    .influence_count = width,
                                    .joints = l->joints,
                                    .weights = l->weights};
}

static supple_palette *make_palette(void) {
  supple_palette *palette = supple_palette_create(JOINTS, SUPPLE_SPACE_SCENE, NULL, NULL);
  assert_non_null(palette);
  palette->joint_count = JOINTS;
  for (int j = 0; j < JOINTS; j++) {
    const supple_vec3 axis = {1, j % 5, j % 3};
    const supple_transform turn = {{j * 0.05, 0.1, -j * 0.02},
                                   supple_quat_from_axis_angle(axis, 0.09 * j),
                                   {1, 1 + 0.01 * j, 1}};
    const supple_affine64 matrix = supple_transform_to_affine(&turn);
    palette->matrices[j] = supple_affine_from_double(&matrix);
    palette->rotations[j] = turn.rotation;
    palette->mirrored[j] = 0;
  }
  return palette;
}

static void compare(gl_skinner *skinner, line *l, const supple_palette *palette,
                    supple_method method) {
  supple_binding *binding = supple_binding_create(&l->primitive, NULL, NULL);
  supple_prepared *prepared = supple_prepared_create(binding, NULL, NULL);
  static float positions[3 * VERTICES], normals[3 * VERTICES];
  gl_rest rest;
  GLuint posed;
  assert_non_null(prepared);
  assert_int_equal(supple_prepared_update(prepared, binding, palette, method), SUPPLE_OK);
  const supple_job job = {.prepared = prepared,
                          .positions = {l->positions, 12},
                          .normals = {l->primitive.normals, 12},
                          .out_positions = {positions, 12},
                          .out_normals = {l->primitive.normals ? normals : NULL, 12}};
  assert_int_equal(supple_deform(&job), SUPPLE_OK);
  assert_true(gl_rest_make(&rest, &l->primitive, binding));
  const size_t width = (size_t)gl_skin_stride(&rest) / sizeof(float);
  glGenBuffers(1, &posed);
  glBindBuffer(GL_ARRAY_BUFFER, posed);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(VERTICES * width * sizeof(float)), NULL,
               GL_STREAM_READ);
  assert_true(gl_skin(skinner, &rest, prepared, method, posed));
  static float back[6 * VERTICES];
  glBindBuffer(GL_ARRAY_BUFFER, posed);
  glGetBufferSubData(GL_ARRAY_BUFFER, 0, (GLsizeiptr)(VERTICES * width * sizeof(float)), back);
  for (size_t v = 0; v < VERTICES; v++)
    for (size_t c = 0; c < width; c++) {
      const double wanted = (double)(c < 3 ? positions[3 * v + c] : normals[3 * v + c - 3]);
      const double off = fabs((double)back[v * width + c] - wanted);
      if (!(off < (c < 3 ? 2e-6 * 8 : 1e-4)))
        fail_msg("vertex %zu, number %zu is off by %g", v, c, off);
    }
  glDeleteBuffers(1, &posed);
  gl_rest_free(&rest);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
}

static void as_on_the_cpu(void **state) {
  (void)state;
  char message[512];
  gl_context *context = gl_context_open(message, sizeof message);
  assert_non_null(context);
  uint32_t samples = 1;
  gl_canvas *canvas = gl_canvas_create(4, 4, &samples);
  assert_non_null(canvas);
  gl_skinner *skinner = gl_skinner_create(SUPPLE_SCALE_AFFINE, SUPPLE_SIGNS_PER_VERTEX);
  supple_palette *palette = make_palette();
  assert_non_null(skinner);
  for (uint32_t width = 4; width <= 8; width += 1) {
    line *l = calloc(1, sizeof *l);
    assert_non_null(l);
    make_line(l, width == 7 ? 12 : width, width != 5);
    if (width == 7) l->primitive.influence_count = 12;
    /* joints that repeat after 8 are merged by cleaning; up to 12 stay distinct: 24 joints in steps of 3 give 8 */
    for (uint32_t k = 8; width == 7 && k < 12; k++)
      for (uint32_t v = 0; v < VERTICES; v++)
        l->joints[12 * v + k] = (uint16_t)((v * 5 + (k - 8) * 3 + 1) % JOINTS);
    compare(skinner, l, palette, SUPPLE_LBS);
    compare(skinner, l, palette, SUPPLE_DQS);
    free(l);
  }
  assert_false(gl_skinner_can(SUPPLE_SCALE_FIRST));
  supple_palette_destroy(palette);
  gl_skinner_free(skinner);
  gl_canvas_free(canvas);
  gl_context_close(context);
}

int main(void) {
  char message[512];
  gl_context *context = gl_context_open(message, sizeof message);
  if (!context) {
    printf("skipped: %s\n", message);
    return 77;
  }
  gl_context_close(context);
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_cpu)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
