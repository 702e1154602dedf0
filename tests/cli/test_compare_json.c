/* test_compare_json.c: the JSON of a comparison: its keys in order, its numbers, and where null stands. */
#include "cli/compare.h"
#include "fabricated.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* The JSON without spaces and line ends outside strings. */
static char *print(const comparison *results) {
  cli_output *output = cli_output_open_memory();
  compare_print_json(output, results);
  size_t size, length = 0;
  const char *text = cli_output_contents(output, &size);
  char *compact = malloc(size + 1);
  assert_non_null(compact);
  bool quoted = false;
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) quoted = !quoted;
    if (quoted || (text[i] != ' ' && text[i] != '\n')) compact[length++] = text[i];
  }
  compact[length] = 0;
  cli_output_close(output);
  return compact;
}

static void expect_part(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("not in the JSON: %s", part);
}

static void starts_as_designed(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  char *text = print(fabricated_comparison(made));
  (void)state;
  static const char start[] =
      "{\"file\":\"some/where/"
      "he\\u003cr>o.glb\",\"methods\":[\"lbs\",\"dqs\"],\"threshold\":0.75,\"clips\":["
      "{\"clip\":\"Wave\",\"times\":[0,0.25,0.5,0.75,1],\"instances\":[{\"node\":0,\"skin\":0,"
      "\"volume\":{\"lbs\":[1,";
  assert_int_equal(strncmp(text, start, sizeof start - 1), 0);
  free(text);
  fabricated_free(made);
}

static void nulls(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  char *text = print(fabricated_comparison(made));
  (void)state;
  expect_part(text, "{\"node\":8,\"skin\":0,\"volume\":null,\"edges\":{\"lbs\":{\"mean\":[1,");
  expect_part(
      text, "{\"joint\":0,\"name\":\"root\",\"status\":\"rigid\",\"at_joint\":null,\"worst\":null,"
            "\"kept\":{\"lbs\":[null,null,null,null,null],\"dqs\":[null,null,null,null,null]},"
            "\"own_kept\":{\"lbs\":[null,null,null,null,null],"
            "\"dqs\":[null,null,null,null,null]}}");
  expect_part(
      text,
      "{\"joint\":3,\"name\":\"\\u003cimg src=x onerror=alert(1)>\\\"'&\\u001b[31m\","
      "\"status\":\"ambiguous\",\"at_joint\":null,\"worst\":null,\"kept\":{\"lbs\":[1,0.75,0.5,");
  expect_part(text, "{\"joint\":6,\"name\":\"idle\",\"status\":\"unweighted\"");
  free(text);
  fabricated_free(made);
}

static void numbers(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  char *text = print(results), part[200];
  (void)state;
  /* wrist.L: its worst stands at the joint only in the middle, where the smallest is. */
  expect_part(
      text,
      "{\"joint\":2,\"name\":\"wrist.L\",\"status\":\"ok\",\"at_joint\":{\"section\":{\"lbs\":[1,");
  expect_part(text,
              "\"worst\":{\"offset\":0,\"section\":{\"lbs\":[1,0.656,0.312,0.656,1],\"dqs\":[1,");
  snprintf(part, sizeof part,
           "\"flipped\":{\"lbs\":[0,3,3,3,3],\"dqs\":[0,0,0,0,0]},\"kept_below\":{\"lbs\":[0,");
  expect_part(text, part);
  /* The diagonal is 2: 0.0013 m of it. */
  expect_part(text, "\"deviation\":{\"dqs\":{\"max\":[0,");
  expect_part(text, "\"max_metres\":[0,");
  const double metres = 0.1 * (1 - 0.987);
  const char *deviation = strstr(text, "\"deviation\":{\"dqs\":{\"max\":[0,");
  double second, middle;
  assert_int_equal(sscanf(strchr(deviation, '[') + 1, "0,%lf,%lf", &second, &middle), 2);
  assert_float_equal(middle, metres / 2, 1e-8);
  assert_float_equal(second, metres / 4, 1e-8);
  assert_int_equal(
      sscanf(strstr(text, "\"max_metres\":["), "\"max_metres\":[0,%lf,%lf", &second, &middle), 2);
  assert_float_equal(middle, metres, 1e-8);
  free(text);
  fabricated_free(made);
}

static void not_finite(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  results->instances[0].results[2].worst = INFINITY; /* first frame, LBS, wrist.L */
  results->instances[0].results[3].own_kept = NAN;   /* the one after it */
  results->instances[0].frames[0].edge_most = NAN;
  char *text = print(results);
  (void)state;
  expect_part(text, "\"section\":{\"lbs\":[null,0.656,0.312,0.656,1]");
  expect_part(text, "\"own_kept\":{\"lbs\":[null,0.75,0.5,0.75,1],\"dqs\":[1,");
  expect_part(text, "\"max\":[null,");
  assert_null(strstr(text, "nan"));
  assert_null(strstr(text, "inf"));
  free(text);
  fabricated_free(made);
}

static void poses_of_the_range(void **state) {
  fabricated *made = fabricated_create(FABRICATED_RANGE);
  char *text = print(fabricated_comparison(made));
  (void)state;
  expect_part(text,
              "{\"clip\":\"wrist.L\",\"times\":[0,1,2],\"poses\":[\"twist 90°\",\"twist 180°\","
              "\"bend 90°\"],\"instances\":[");
  free(text);
  fabricated_free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(starts_as_designed),
      cmocka_unit_test(nulls),
      cmocka_unit_test(numbers),
      cmocka_unit_test(not_finite),
      cmocka_unit_test(poses_of_the_range),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
