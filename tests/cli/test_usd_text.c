/* test_usd_text.c: strings, numbers, matrices and prims of a .usda file. */
#include "cli/usd_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static cli_output *output;

static int begin(void **state) {
  (void)state;
  output = cli_output_open_memory();
  return output ? 0 : 1;
}

static int end(void **state) {
  (void)state;
  cli_output_abandon(output);
  return 0;
}

static void holds(const char *expected) {
  size_t size;
  const char *text = cli_output_contents(output, &size);
  assert_non_null(text);
  assert_string_equal(text, expected);
  assert_int_equal(size, strlen(expected));
}

static void strings(void **state) {
  (void)state;
  cli_usd_string(output, "a \"b\" \\ @c@ <d>");
  cli_usd_string(output, "\x01\n\x7f\xc2\x85\xe2\x80\xa8");
  cli_usd_string(output, "\xff\xc3\xa9\xe3\x81\x82\xf0\x9f\xa6\x8a");
  holds("\"a \\\"b\\\" \\\\ @c@ <d>\""
        "\"     \""
        "\"\xef\xbf\xbd\xc3\xa9\xe3\x81\x82\xf0\x9f\xa6\x8a\"");
}

static void numbers(void **state) {
  (void)state;
  const float values[] = {0.1f, -2, 1e-7f, (float)INFINITY, 3, 4};
  cli_usd_tuples(output, values, 2, 3);
  cli_usd_tuples(output, values, 2, 1);
  cli_usd_tuples(output, values, 0, 3);
  cli_usd_double(output, 1.0 / 3);
  holds("[(0.1, -2, 1e-07), (0, 3, 4)][0.1, -2][]0.3333333333333333");
}

static void times(void **state) {
  (void)state;
  const double codes[] = {0, 10, 12.5, 11.999, 1e-6, -3.25, 100};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
    cli_usd_time(output, codes[i]);
    cli_output_text(output, " ");
  }
  holds("0 10 12.5 11.999 0.000001 -3.25 100 ");
}

/* Rows of USD's matrices are columns of ours, the translation is the last one. */
static void matrices(void **state) {
  (void)state;
  const supple_affine64 matrix = {{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, -0.0}}};
  cli_usd_matrix(output, &matrix);
  holds("((1, 5, 9, 0), (2, 6, 10, 0), (3, 7, 11, 0), (4, 8, 0, 1))");
}

static void prims(void **state) {
  (void)state;
  cli_usd_text text = {output, 0};
  const float weights[] = {0.5f, 1};
  cli_usd_open(&text, "Mesh", "a", "A \"b\"", "\"SkelBindingAPI\"");
  cli_usd_open(&text, "Scope", "b", "b", NULL);
  cli_usd_line(&text, "int x = %u", 3u);
  cli_usd_close(&text);
  cli_usd_primvar(&text, "float[] w", weights, 2, 1, "vertex");
  cli_output_text(output, "    int[] j = []");
  cli_usd_interpolation(&text, "vertex", 4);
  cli_usd_close(&text);
  assert_int_equal(text.depth, 0);
  holds("def Mesh \"a\" (\n"
        "    displayName = \"A \\\"b\\\"\"\n"
        "    prepend apiSchemas = [\"SkelBindingAPI\"]\n"
        ")\n"
        "{\n"
        "    def Scope \"b\"\n"
        "    {\n"
        "        int x = 3\n"
        "    }\n"
        "    float[] w = [0.5, 1] (\n"
        "        interpolation = \"vertex\"\n"
        "    )\n"
        "    int[] j = [] (\n"
        "        elementSize = 4\n"
        "        interpolation = \"vertex\"\n"
        "    )\n"
        "}\n");
}

/* A hundred thousand nested nodes must not write a line of as many blanks. */
static void deep(void **state) {
  (void)state;
  const cli_usd_text text = {output, 100000};
  cli_usd_indent(&text);
  assert_true(cli_output_tell(output) < 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(strings, begin, end),
      cmocka_unit_test_setup_teardown(numbers, begin, end),
      cmocka_unit_test_setup_teardown(times, begin, end),
      cmocka_unit_test_setup_teardown(matrices, begin, end),
      cmocka_unit_test_setup_teardown(prims, begin, end),
      cmocka_unit_test_setup_teardown(deep, begin, end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
