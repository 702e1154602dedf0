/* test_gl_context.c: opening OpenGL, again and again, and shaders that do not compile. */
#include "cli/gl_context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#if !defined(CLI_HAS_GL)

int main(void) {
  char message[512];
  if (gl_context_open(message, sizeof message) || !strstr(message, "libepoxy-dev")) return 1;
  gl_context_close(NULL);
  printf("skipped: %s\n", message);
  return 77;
}

#else

static const char vertex[] = "#version 330 core\nlayout(location = 0) in vec3 at; out vec3 twice;\n"
                             "void main() { twice = 2.0 * at; gl_Position = vec4(at, 1.0); }\n";

static void again_and_again(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    char message[512];
    gl_context *context = gl_context_open(message, sizeof message);
    assert_non_null(context);
    assert_true(strlen(gl_context_renderer(context)) > 2);
    assert_true(gl_fine("nothing"));
    gl_context_close(context);
  }
}

static void programs(void **state) {
  (void)state;
  static const char *const captured[1] = {"twice"}, *const absent[1] = {"thrice"};
  char message[512];
  gl_context *context = gl_context_open(message, sizeof message);
  assert_non_null(context);
  const GLuint program = gl_program(vertex, NULL, captured, 1);
  assert_int_not_equal(program, 0);
  glDeleteProgram(program);
  assert_int_equal(gl_program("#version 330 core\nvoid main() { nonsense; }\n", NULL, NULL, 0), 0);
  assert_int_equal(gl_program(vertex, NULL, absent, 1), 0);
  glEnable(0x12345678u);
  assert_false(gl_fine("something wrong"));
  assert_true(gl_fine("nothing any more"));
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(again_and_again), cmocka_unit_test(programs)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
