/* test_compare_table.c: the table for a terminal, letter by letter. */
#include "cli/print.h"
#include "cli/verdict.h"
#include "fabricated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static void expect(fabricated *made, const char *wanted) {
  comparison *results = fabricated_comparison(made);
  verdict *all = verdict_reach(results);
  cli_output *output = cli_output_open_memory();
  compare_print_table(output, results, all);
  size_t size;
  assert_string_equal(cli_output_contents(output, &size), wanted);
  cli_output_close(output);
  verdict_free(all);
  fabricated_free(made);
}

static void clips(void **state) {
  (void)state;
  /* The hostile name loses its escape character; the wide one counts two columns a character. */
  expect(fabricated_create(FABRICATED_CLIPS),
         "some/where/he<r>o.glb: 3 of 7 joints collapse under LBS (cross-section kept < 75 %)\n"
         "joint                                 clip  at      kept: LBS     DQS\n"
         "wrist.L                               Wave  0.50 s     31.2 %  98.7 %\n"
         "<img src=x onerror=alert(1)>\"'&?[31m  Wave  0.50 s     50.0 %  95.0 %\n"
         "手首                                  Wave  0.50 s     70.0 %  99.0 %\n"
         "no cross-section of their own: 1 ambiguous, 1 open, 1 rigid, 1 unweighted\n");
}

static void range(void **state) {
  (void)state;
  expect(fabricated_create(FABRICATED_RANGE),
         "some/where/he<r>o.glb: 3 of 7 joints collapse under LBS (cross-section kept < 75 %)\n"
         "joint                                 turned   at          kept: LBS     DQS\n"
         "wrist.L                               wrist.L  twist 180°     31.2 %  98.7 %\n"
         "<img src=x onerror=alert(1)>\"'&?[31m  wrist.L  twist 180°     50.0 %  95.0 %\n"
         "手首                                  wrist.L  twist 180°     70.0 %  99.0 %\n"
         "no cross-section of their own: 1 ambiguous, 1 open, 1 rigid, 1 unweighted\n");
}

static void fine(void **state) {
  (void)state;
  expect(fabricated_create(FABRICATED_FINE),
         "some/where/he<r>o.glb: none of 7 joints collapses under LBS (cross-section kept < 75 %)\n"
         "those that keep least:\n"
         "joint                                 clip  at      kept: LBS     DQS\n"
         "wrist.L                               Wave  0.50 s     93.1 %  99.9 %\n"
         "<img src=x onerror=alert(1)>\"'&?[31m  Wave  0.50 s     95.0 %  99.5 %\n"
         "手首                                  Wave  0.50 s     97.0 %  99.9 %\n"
         "node 6                                Wave  0.50 s     98.0 %  99.6 %\n"
         "upper                                 Wave  0.50 s     99.0 %  99.9 %\n"
         "no cross-section of their own: 1 ambiguous, 1 open, 1 rigid, 1 unweighted\n");
}

static void nothing(void **state) {
  (void)state;
  expect(fabricated_create(FABRICATED_NOTHING),
         "some/where/he<r>o.glb: none of 7 joints collapses under LBS (cross-section kept < 75 %)\n"
         "no cross-section of their own: 7 rigid\n");
}

static void other_methods_too(void **state) {
  fabricated *made = fabricated_create(FABRICATED_CLIPS);
  comparison *results = fabricated_comparison(made);
  (void)state;
  results->threshold = 0.955;
  verdict *all = verdict_reach(results);
  cli_output *output = cli_output_open_memory();
  compare_print_table(output, results, all);
  size_t size;
  const char *text = cli_output_contents(output, &size);
  assert_non_null(strstr(text, ": 5 of 7 joints collapse under LBS, 1 under DQS "
                               "(cross-section kept < 95.5 %)\n"));
  cli_output_close(output);
  verdict_free(all);
  fabricated_free(made);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(clips),
      cmocka_unit_test(range),
      cmocka_unit_test(fine),
      cmocka_unit_test(nothing),
      cmocka_unit_test(other_methods_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
