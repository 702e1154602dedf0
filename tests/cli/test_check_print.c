/* test_check_print.c: findings as text and as JSON. */
#include "cli/check_print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The first code of a severity. */
static const supple_code *code_of(supple_severity severity) {
  uint32_t i = 0;
  while (supple_check_code(i) && supple_check_code(i)->severity != severity) i++;
  assert_non_null(supple_check_code(i));
  return supple_check_code(i);
}

static uint32_t number_of(const supple_code *code) {
  uint32_t i = 0;
  while (supple_check_code(i) != code) i++;
  return i;
}

static void expect_text(const cli_checked *checked, const cli_check_view *view, const char *wanted) {
  cli_output *output = cli_output_open_memory();
  cli_check_print(output, checked, view);
  assert_string_equal(cli_output_contents(output, NULL), wanted);
  cli_output_abandon(output);
}

static void counts(void **state) {
  (void)state;
  char text[160];
  assert_string_equal(cli_check_counts_text((const uint32_t[]){0, 0, 0, 0}, text, sizeof text),
                      "nothing found");
  assert_string_equal(cli_check_counts_text((const uint32_t[]){1, 2, 3, 1}, text, sizeof text),
                      "1 error, 2 warnings, 3 information, 1 hint");
  assert_string_equal(cli_check_counts_text((const uint32_t[]){0, 1, 0, 2}, text, sizeof text),
                      "1 warning, 2 hints");
}

static const supple_finding *two_findings(void) {
  static supple_finding findings[2];
  static const supple_code first = {
      "FIRST", SUPPLE_SEVERITY_ERROR, "It is so.", "They fall.", "default", false};
  static const supple_code second = {
      "SECOND", SUPPLE_SEVERITY_INFORMATION, "Be so.", "Nothing.", "", false};
  findings[0] = (supple_finding){&first, "/nodes/1\x1b",
                                 "a text that goes on and on until a line of a hundred columns "
                                 "is full and another one has to be begun",
                                 2, 0.5};
  findings[1] = (supple_finding){&second, "", "short", 1, (double)NAN};
  return findings;
}

static void text(void **state) {
  (void)state;
  const supple_check_report report = {.findings = two_findings(), .finding_count = 2, .loads = true};
  const cli_checked checked = {"a\nb.glb", &report, NULL};
  cli_check_view view = {.least = SUPPLE_SEVERITY_HINT};
  expect_text(&checked, &view,
              "a?b.glb: 1 error, 1 information\n"
              "  error        FIRST  /nodes/1?\n"
              "    a text that goes on and on until a line of a hundred columns is full and "
              "another one has to be\n"
              "    begun\n"
              "  information  SECOND\n"
              "    short\n");
  view.least = SUPPLE_SEVERITY_ERROR; /* less is counted alone */
  view.verbose = true;
  expect_text(&checked, &view,
              "a?b.glb: 1 error, 1 information\n"
              "  error        FIRST  /nodes/1?\n"
              "    a text that goes on and on until a line of a hundred columns is full and "
              "another one has to be\n"
              "    begun\n"
              "    rule: It is so.\n"
              "    viewers: They fall.\n"
              "    fix: supple fix\n");
}

/* Ten of a code, then how many more, right after them; other codes between them count for themselves. */
static void many_of_a_code(void **state) {
  (void)state;
  static const supple_code often = {"OFTEN", SUPPLE_SEVERITY_WARNING, "", "", "", false};
  static const supple_code seldom = {"SELDOM", SUPPLE_SEVERITY_WARNING, "", "", "", false};
  enum { COUNT = 25 };
  supple_finding findings[COUNT + 10];
  char wanted[4096] = "", pointers[COUNT][24];
  cli_output *output;
  uint32_t count = 0;
  for (int i = 0; i < COUNT; i++) { /* every other one of the first twenty is seldom's */
    snprintf(pointers[i], sizeof pointers[i], "/nodes/%d", i);
    findings[count++] = (supple_finding){&often, pointers[i], "so", 1, (double)NAN};
    if (i < 10) findings[count++] = (supple_finding){&seldom, "", "once", 1, (double)NAN};
  }
  const supple_check_report report = {.findings = findings, .finding_count = count, .loads = true};
  const cli_checked checked = {"x", &report, NULL};
  cli_check_view view = {.least = SUPPLE_SEVERITY_HINT};
  size_t used = (size_t)sprintf(wanted, "x: 35 warnings\n");
  for (int i = 0; i < 10; i++) {
    used += (size_t)sprintf(wanted + used, "  warning      OFTEN  /nodes/%d\n    so\n", i);
    if (i == 9)
      used += (size_t)sprintf(wanted + used, "    … and 15 more like it (--all shows them)\n");
    used += (size_t)sprintf(wanted + used, "  warning      SELDOM\n    once\n");
  }
  expect_text(&checked, &view, wanted);
  view.all = true;
  output = cli_output_open_memory();
  cli_check_print(output, &checked, &view);
  const char *text = cli_output_contents(output, NULL);
  assert_non_null(strstr(text, "OFTEN  /nodes/24\n"));
  assert_null(strstr(text, "more like it"));
  cli_output_abandon(output);
  view.all = false; /* what is as many as fit has no rest */
  const supple_check_report ten = {.findings = findings, .finding_count = 20, .loads = true};
  output = cli_output_open_memory();
  cli_check_print(output, &(cli_checked){"x", &ten, NULL}, &view);
  assert_null(strstr(cli_output_contents(output, NULL), "more like it"));
  cli_output_abandon(output);
  output = cli_output_open_memory(); /* JSON has all of them */
  cli_json writer = cli_json_start(output, false);
  cli_check_json(&writer, &checked, &view);
  uint32_t listed = 0;
  for (const char *at = cli_output_contents(output, NULL); (at = strstr(at, "\"code\":\"OFTEN\""));
       at++)
    listed++;
  assert_int_equal(listed, COUNT);
  cli_output_abandon(output);
}

static void refused(void **state) {
  (void)state;
  const supple_check_report report = {.refused = "/nodes: not so"};
  const cli_check_view view = {.least = SUPPLE_SEVERITY_HINT};
  expect_text(&(cli_checked){"x", &report, NULL}, &view,
              "x: nothing found\n  refused by the loader: /nodes: not so\n");
  expect_text(&(cli_checked){"x", NULL, "no such file"}, &view, "x: not checked: no such file\n");
}

static void ignored(void **state) {
  (void)state;
  static bool numbers[4096];
  const supple_code *error = code_of(SUPPLE_SEVERITY_ERROR),
                    *warning = code_of(SUPPLE_SEVERITY_WARNING);
  const supple_finding findings[3] = {
      {error, "", "a", 1, 0}, {warning, "", "b", 1, 0}, {error, "", "c", 1, 0}};
  const supple_check_report report = {.findings = findings, .finding_count = 3, .loads = true};
  numbers[number_of(error)] = true;
  const cli_check_view view = {.least = SUPPLE_SEVERITY_HINT, .ignored = numbers};
  uint32_t found[CLI_SEVERITIES];
  cli_check_count(&report, &view, found);
  assert_true(found[0] == 0 && found[1] == 1);
  cli_output *output = cli_output_open_memory();
  cli_check_print(output, &(cli_checked){"x", &report, NULL}, &view);
  assert_non_null(strstr(cli_output_contents(output, NULL), warning->name));
  assert_null(strstr(cli_output_contents(output, NULL), error->name));
  cli_output_abandon(output);
}

static void json(void **state) {
  (void)state;
  const supple_check_report report = {.findings = two_findings(), .finding_count = 2, .loads = true};
  const cli_check_view view = {.least = SUPPLE_SEVERITY_ERROR};
  cli_output *output = cli_output_open_memory();
  cli_json writer = cli_json_start(output, false);
  cli_check_json(&writer, &(cli_checked){"x", &report, NULL}, &view);
  assert_string_equal(
      cli_output_contents(output, NULL),
      "{\"file\":\"x\",\"loads\":true,\"refused\":null,\"counts\":{\"error\":1,\"warning\":0,"
      "\"information\":1,\"hint\":0},"
      "\"findings\":[{\"code\":\"FIRST\",\"severity\":\"error\",\"pointer\":\"/nodes/"
      "1\\u001b\",\"text\":\"a text that goes on "
      "and on until a line of a hundred columns is full and another one has to be "
      "begun\",\"count\":2,\"metres\":0.5,"
      "\"meaning\":\"It is so.\",\"consequence\":\"They fall.\",\"fix\":\"default\"}]}\n");
  cli_output_abandon(output);
}

static void codes(void **state) {
  (void)state;
  uint32_t count = 0;
  while (supple_check_code(count)) count++;
  cli_output *output = cli_output_open_memory();
  cli_check_print_codes(output, false);
  const char *at = cli_output_contents(output, NULL);
  for (uint32_t i = 0; i < count; i++) { /* each, in order */
    at = strstr(at, supple_check_code(i)->name);
    if (!at) fail_msg("%s is not listed", supple_check_code(i)->name);
  }
  cli_output_abandon(output);
  assert_true(count > 40 && count <= 512); /* what command_check.c has room for */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(counts),         cmocka_unit_test(text),
                                     cmocka_unit_test(many_of_a_code), cmocka_unit_test(refused),
                                     cmocka_unit_test(ignored),        cmocka_unit_test(json),
                                     cmocka_unit_test(codes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
