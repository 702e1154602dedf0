/* test_options.c: parsing options, and finding what was meant. */
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

typedef struct own_values {
  bool given;
  double share;
  uint32_t count;
  bool loud, share_given;
  int colour;
} own_values;

static const cli_option own_options[] = {
    {.name = "share",
     .argument = "P",
     .kind = CLI_NUMBER,
     .least = 0,
     .most = 100,
     .offset = offsetof(own_values, share),
     .given = offsetof(own_values, share_given),
     .help = "a share"},
    {.name = "count",
     .letter = 'c',
     .argument = "N",
     .kind = CLI_COUNT,
     .least = 1,
     .most = 10,
     .offset = offsetof(own_values, count),
     .help = "a count"},
    {.name = "loud",
     .letter = 'l',
     .kind = CLI_FLAG,
     .offset = offsetof(own_values, loud),
     .help = "be loud"},
    {.name = "colour",
     .argument = "red|green|blue",
     .kind = CLI_CHOICE,
     .offset = offsetof(own_values, colour),
     .help = "a colour"},
};

typedef struct parsed {
  bool fine;
  cli_options options;
  own_values own;
  const char *files[16];
  size_t file_count;
  char message[256];
} parsed;

/* Parses a line split at spaces, against everything. */
static parsed parse(const char *line) {
  static char copy[512];
  char *arguments[16];
  size_t count = 0;
  parsed p = {0};
  const cli_grammar grammar = {UINT32_MAX, own_options, 4};
  snprintf(copy, sizeof copy, "%s", line);
  for (char *at = copy; *at && count < 16;) {
    arguments[count++] = at;
    while (*at && *at != ' ') at++;
    if (*at) *at++ = '\0';
  }
  p.fine = cli_options_parse(&grammar, arguments, count, &p.options, &p.own, p.files, &p.file_count,
                             p.message, sizeof p.message);
  return p;
}

static void refused(const char *line, const char *part) {
  parsed p = parse(line);
  if (p.fine || !strstr(p.message, part))
    fail_msg("'%s': expected '%s', got '%s'", line, part, p.fine ? "success" : p.message);
  cli_options_free(&p.options);
}

static void both_forms_of_values(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    const parsed p = parse(i ? "a.glb --time=0.5 --clip=Walk --method=lbs -oout.json --json"
                             : "--time 0.5 a.glb --clip Walk --method lbs -o out.json --json");
    assert_true(p.fine);
    assert_true(p.options.time_given && p.options.time == 0.5);
    assert_string_equal(p.options.clip, "Walk");
    assert_true(p.options.method_given);
    assert_int_equal(p.options.method, SUPPLE_LBS);
    assert_string_equal(p.options.output, "out.json");
    assert_true(p.options.json);
    assert_false(p.options.rest);
    assert_int_equal(p.file_count, 1);
    assert_string_equal(p.files[0], "a.glb");
  }
}

static void own_options_reach_their_struct(void **state) {
  (void)state;
  const parsed p = parse("--share 12.5 -lc7 --colour=blue");
  assert_true(p.fine);
  assert_true(p.own.share == 12.5 && p.own.share_given && p.own.loud && p.own.given);
  assert_int_equal(p.own.count, 7);
  assert_int_equal(p.own.colour, 2);
  assert_false(p.options.given);
  const parsed none = parse("");
  assert_true(none.fine && !none.own.given && !none.own.share_given && none.file_count == 0);
}

static void dashes(void **state) {
  (void)state;
  const parsed p = parse("- --json -- --rest -x");
  assert_true(p.fine && p.options.json && !p.options.rest);
  assert_int_equal(p.file_count, 3);
  assert_string_equal(p.files[0], "-");
  assert_string_equal(p.files[1], "--rest");
  assert_string_equal(p.files[2], "-x");
}

static void negative_values_are_values(void **state) {
  (void)state;
  const parsed p = parse("--time -1.5 --rigid-tolerance=-1");
  assert_true(p.fine && p.options.time == -1.5 && p.options.rigid_tolerance == -1);
}

static void methods(void **state) {
  (void)state;
  const parsed p = parse("--methods dqs,lbs");
  assert_true(p.fine);
  assert_int_equal(p.options.method_count, 2);
  assert_int_equal(p.options.methods[0], SUPPLE_DQS);
  assert_int_equal(p.options.methods[1], SUPPLE_LBS);
  refused("--methods lbs,lbs", "named twice");
  refused("--methods lbs,", "no method ''");
  refused("--methods foo", "no method 'foo'");
}

static void poses_are_kept_in_order(void **state) {
  (void)state;
  parsed p = parse("--pose a:twist=90 --pose b:c:bend=-5,side=2");
  assert_true(p.fine);
  assert_int_equal(p.options.pose_count, 2);
  assert_string_equal(p.options.poses[0], "a:twist=90");
  assert_string_equal(p.options.poses[1], "b:c:bend=-5,side=2");
  cli_options_free(&p.options);
  refused("--pose a:turn=5", "none of twist");
  refused("--pose a", "JOINT:twist");
}

static void limits(void **state) {
  (void)state;
  const parsed p = parse("--limit-nodes 12 --limit-file-bytes 3M --limit-memory-bytes=5 "
                         "--allow-outside-uris");
  assert_true(p.fine && p.options.allow_outside_uris);
  assert_int_equal(p.options.limits.nodes, 12);
  assert_int_equal(p.options.limits.file_bytes, 3 * 1024 * 1024);
  assert_int_equal(p.options.limits.memory_bytes, 5);
  refused("--limit-file-bytes 99999999999999999999999", "number of bytes");
  refused("--limit-file-bytes 17179869184G", "number of bytes");
  refused("--limit-file-bytes 5MB", "number of bytes");
  refused("--limit-file-bytes 0", "number of bytes");
  refused("--limit-nodes 4294967296", "whole number");
  refused("--limit-nodes 1.5", "whole number");
}

static void mistakes_are_told(void **state) {
  (void)state;
  refused("--tmie 3", "'--time'");
  refused("--tiem=3", "'--time'");
  refused("--frobnicate", "there is no option '--frobnicate'");
  refused("-q", "there is no option '-q'");
  refused("--time", "needs a value");
  refused("-o", "needs a value");
  refused("--time soon", "--time needs a number");
  refused("--time nan", "--time needs a number");
  refused("--time inf", "--time needs a number");
  refused("--time 0x10", "--time needs a number");
  refused("--time=", "--time needs a number");
  refused("--time 1,5", "--time needs a number");
  refused("--share 101", "from 0 to 100");
  refused("--frames 0", "from 1 to 1000000");
  refused("--frames +5", "whole number");
  refused("--json=yes", "takes no value");
  refused("--method cor", "one of lbs|dqs, not 'cor'");
  refused("--clip=", "needs a NAME");
}

static void options_not_taken_are_unknown(void **state) {
  (void)state;
  char *arguments[] = {"--time", "1"};
  const cli_grammar grammar = {CLI_USES_JSON, NULL, 0};
  cli_options options;
  const char *files[3];
  size_t file_count;
  char message[128];
  assert_false(cli_options_parse(&grammar, arguments, 2, &options, NULL, files, &file_count,
                                 message, sizeof message));
  assert_non_null(strstr(message, "there is no option '--time'"));
}

static void every_option_is_described(void **state) {
  (void)state;
  const cli_grammar grammar = {UINT32_MAX, own_options, 4};
  const cli_option *option;
  bool letters[128] = {false};
  size_t count = 0;
  for (; (option = cli_options_list(&grammar, count)) != NULL; count++) {
    assert_true(option->name[0] && option->help[0]);
    assert_true((option->kind == CLI_FLAG) == (option->argument == NULL));
    assert_true((option->kind == CLI_CUSTOM) == (option->parse != NULL));
    for (size_t i = 0; i < count; i++)
      assert_string_not_equal(option->name, cli_options_list(&grammar, i)->name);
    if (!option->letter) continue;
    assert_false(letters[(int)option->letter]);
    letters[(int)option->letter] = true;
  }
  assert_true(count > 30);
}

static void numbers(void **state) {
  (void)state;
  double x = 7;
  assert_true(cli_parse_number("-12.5e-1zz", 8, &x) && x == -1.25);
  assert_true(cli_parse_number(".5", 2, &x) && x == 0.5);
  static const char *const bad[] = {"",   ".",  "e5",    "1e",       "--1",
                                    "1 ", " 1", "1e999", "infinity", "1_0"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    assert_false(cli_parse_number(bad[i], strlen(bad[i]), &x));
}

static void distances(void **state) {
  (void)state;
  assert_int_equal(cli_edit_distance("kitten", "sitting", 9), 3);
  assert_int_equal(cli_edit_distance("", "abc", 9), 3);
  assert_int_equal(cli_edit_distance("abc", "", 9), 3);
  assert_int_equal(cli_edit_distance("time", "tmie", 9), 1);
  assert_int_equal(cli_edit_distance("Wrist.L", "wrist.l", 9), 0);
  assert_int_equal(cli_edit_distance("abc", "xyz", 1), 2);
}

static void nearest_names(void **state) {
  (void)state;
  char text[256];
  cli_nearest nearest = {0};
  static const char *const names[] = {"hip", "knee.L", "knee.R", "ankle.L", "mixamorig:LeftKnee"};
  for (int i = 0; i < 5; i++) cli_nearest_offer(&nearest, "kne.L", names[i]);
  assert_string_equal(nearest.names[0], "knee.L");
  assert_string_equal(nearest.names[1], "knee.R");
  cli_nearest part = {0};
  for (int i = 0; i < 5; i++) cli_nearest_offer(&part, "LeftKnee", names[i]);
  assert_string_equal(cli_nearest_text(&part, text, sizeof text),
                      "; did you mean 'mixamorig:LeftKnee'?");
  cli_nearest none = {0};
  cli_nearest_offer(&none, "spine", "hip");
  cli_nearest_offer(&none, "spine", "");
  assert_string_equal(cli_nearest_text(&none, text, sizeof text), "");
  cli_nearest three = {.prefix = "--"};
  cli_nearest_offer(&three, "ab", "ac");
  cli_nearest_offer(&three, "ab", "ad");
  cli_nearest_offer(&three, "ab", "ad");
  cli_nearest_offer(&three, "ab", "ab");
  cli_nearest_offer(&three, "ab", "ax");
  assert_string_equal(cli_nearest_text(&three, text, sizeof text),
                      "; did you mean '--ab', '--ac' or '--ad'?");
  assert_true(strlen(cli_nearest_text(&three, text, 20)) < 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(both_forms_of_values),
      cmocka_unit_test(own_options_reach_their_struct),
      cmocka_unit_test(dashes),
      cmocka_unit_test(negative_values_are_values),
      cmocka_unit_test(methods),
      cmocka_unit_test(poses_are_kept_in_order),
      cmocka_unit_test(limits),
      cmocka_unit_test(mistakes_are_told),
      cmocka_unit_test(options_not_taken_are_unknown),
      cmocka_unit_test(every_option_is_described),
      cmocka_unit_test(numbers),
      cmocka_unit_test(distances),
      cmocka_unit_test(nearest_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
