/* test_fix_print.c: what is said of repairs, as text and as JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "cli/fix_print.h"

static const supple_fix_action actions[] = {
    {"ACCESSOR_MIN_MISMATCH", "/accessors/0/min", "min is \033exact", 1, true},
    {"SKINNING_JOINTS_MANY", "/skins/0", "cannot be", 3, false},
    {"", "", "plain", 1, true},
};

static const char *printed(cli_output *output, const fix_outcome *outcome, bool json) {
  if (json)
    fix_print_json(output, outcome);
  else
    fix_print_text(output, outcome);
  size_t size;
  const char *text = cli_output_contents(output, &size);
  assert_non_null(text);
  return text;
}

static void as_text(void **state) {
  (void)state;
  const supple_fix_report report = {.actions = actions,
                                    .action_count = 3,
                                    .largest_metres = 0.25,
                                    .largest_share = 0.125,
                                    .truncated_metres = 0.5,
                                    .worst_seconds = 1.5};
  const fix_outcome outcome = {.file = "a.glb",
                               .written = "b.glb",
                               .report = &report,
                               .influences = 4,
                               .worst_clip = "Walk",
                               .pruned = true,
                               .dropped = {.accessors = 2, .bytes = 96},
                               .kept = "X_ext"};
  cli_output *output = cli_output_open_memory();
  const char *text = printed(output, &outcome, false);
  assert_string_equal(
      text, "a.glb: 2 repairs, 1 not done\n"
            "  /accessors/0/min: min is ?exact [ACCESSOR_MIN_MISMATCH]\n"
            "  not done: /skins/0: cannot be [SKINNING_JOINTS_MANY]\n"
            "  plain\n"
            "  vertices move by at most 0.25 m (12.5 % of the size), over all clips: in Walk at "
            "1.50 s\n"
            "  dropping the smallest weights would move them by 0.5 m\n"
            "  left out, since nothing uses them: 2 accessors (96 bytes)\n"
            "  what X_ext may refer to is kept\n"
            "  written: b.glb\n");
  assert_int_equal(fix_refused(&report), 1);
  cli_output_abandon(output);
}

/* What was not compared is said. */
static void a_part_of_the_moments(void **state) {
  (void)state;
  supple_fix_report report = {.actions = actions,
                              .action_count = 1,
                              .worst_clip = SUPPLE_NONE,
                              .moments = 900,
                              .compared_moments = 12};
  const fix_outcome outcome = {.file = "a.glb", .report = &report};
  cli_output *output = cli_output_open_memory();
  const char *text = printed(output, &outcome, false);
  assert_non_null(strstr(text,
                         "  no vertex moves, over all clips, under lbs and dqs\n"
                         "  compared at 12 of 900 moments: all of them would take too long\n"));
  cli_output_abandon(output);
  report.incomplete = true;
  report.compared_moments = 1;
  output = cli_output_open_memory();
  text = printed(output, &outcome, false);
  assert_non_null(strstr(text, "no vertex moves, over a part of the clips, under"));
  assert_non_null(strstr(text, "at 1 of 900 moments, and not at all primitives: all"));
  cli_output_abandon(output);
  output = cli_output_open_memory();
  text = printed(output, &outcome, true);
  assert_non_null(strstr(text, "\"moments\": 900,"));
  assert_non_null(strstr(text, "\"compared_moments\": 1,"));
  assert_non_null(strstr(text, "\"incomplete\": true,"));
  cli_output_abandon(output);
}

static void many_of_a_kind(void **state) {
  (void)state;
  static supple_fix_action many[9];
  for (int i = 0; i < 9; i++)
    many[i] = (supple_fix_action){"SKINNING_NAME_UNSAFE", "/nodes/1", "renamed", 1, true};
  const supple_fix_report report = {.actions = many, .action_count = 9, .range_of_motion = true};
  fix_outcome outcome = {.file = "a.glb", .report = &report};
  cli_output *output = cli_output_open_memory();
  const char *text = printed(output, &outcome, false);
  assert_non_null(strstr(text, "… and 3 more of these kinds"));
  assert_non_null(strstr(text, "no vertex moves, over a range of motion, under lbs and dqs\n"));
  assert_null(strstr(text, "written"));
  cli_output_abandon(output);
  outcome.all = true;
  output = cli_output_open_memory();
  assert_null(strstr(printed(output, &outcome, false), "more of these"));
  cli_output_abandon(output);
}

static void as_json(void **state) {
  (void)state;
  const supple_fix_report report = {
      .actions = actions + 1, .action_count = 1, .largest_metres = 0.25, .worst_clip = SUPPLE_NONE};
  const fix_outcome outcome = {.file = "a.glb", .report = &report};
  cli_output *output = cli_output_open_memory();
  const char *text = printed(output, &outcome, true);
  static const char *const parts[] = {"\"file\": \"a.glb\"",
                                      "\"written\": null",
                                      "\"done\": false",
                                      "\"code\": \"SKINNING_JOINTS_MANY\"",
                                      "\"count\": 3",
                                      "\"largest_metres\": 0.25",
                                      "\"truncated_metres\": null",
                                      "\"worst_clip\": null",
                                      "\"worst_seconds\": null",
                                      "\"pruned\": null"};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (!strstr(text, parts[i])) fail_msg("no %s in %s", parts[i], text);
  cli_output_abandon(output);
}

static void nothing_done(void **state) {
  (void)state;
  const supple_fix_report report = {.worst_clip = SUPPLE_NONE};
  const fix_outcome outcome = {.file = "a.glb", .written = "b.glb", .report = &report};
  cli_output *output = cli_output_open_memory();
  assert_string_equal(printed(output, &outcome, false),
                      "a.glb: nothing to repair\n  written: b.glb\n");
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(as_text),        cmocka_unit_test(a_part_of_the_moments),
      cmocka_unit_test(many_of_a_kind), cmocka_unit_test(as_json),
      cmocka_unit_test(nothing_done),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
