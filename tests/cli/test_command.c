/* test_command.c: the table of commands. (What commands do is tested by scripts.) */
#include "cli/command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

static void every_command_is_whole(void **state) {
  (void)state;
  for (int i = 0; cli_commands[i]; i++) {
    const cli_command *c = cli_commands[i];
    assert_non_null(c->function);
    assert_true(c->name[0] && c->summary[0] && c->usage[0] && c->description[0]);
    assert_true(c->summary[strlen(c->summary) - 1] != '.');
    assert_true(c->least_files <= c->most_files);
    for (int k = 0; k < i; k++) assert_string_not_equal(c->name, cli_commands[k]->name);
  }
}

static void every_option_is_known_once(void **state) {
  (void)state;
  for (int i = 0; cli_commands[i]; i++) {
    const cli_command *c = cli_commands[i];
    const cli_grammar grammar = {c->shared, c->own_options, c->own_option_count};
    const cli_option *option;
    for (size_t n = 0; (option = cli_options_list(&grammar, n)) != NULL; n++) {
      for (size_t k = 0; k < n; k++)
        assert_string_not_equal(option->name, cli_options_list(&grammar, k)->name);
      if (n >= c->own_option_count) continue;
      /* own options must not write outside the command's struct, nor over its first member */
      assert_true(option->offset < c->own_size && option->given < c->own_size);
      assert_true(option->offset >= sizeof(bool) || option->kind == CLI_CUSTOM);
    }
  }
}

static int run(const char *a, const char *b) {
  char words[3][64] = {"supple", "", ""};
  char *argv[4] = {words[0], words[1], words[2], NULL};
  int argc = 1;
  if (a) memcpy(words[argc++], a, strlen(a) + 1);
  if (b) memcpy(words[argc++], b, strlen(b) + 1);
  return cli_run(argc, argv);
}

static void wrong_usage_is_two(void **state) {
  (void)state;
  assert_int_equal(run(NULL, NULL), CLI_USAGE);
  assert_int_equal(run("skim", NULL), CLI_USAGE);
  assert_int_equal(run("--frobnicate", NULL), CLI_USAGE);
  assert_int_equal(run("skin", NULL), CLI_USAGE);
  assert_int_equal(run("info", "--frobnicate"), CLI_USAGE);
  assert_int_equal(run("help", "skim"), CLI_USAGE);
}

static void complaints_return_their_code(void **state) {
  (void)state;
  assert_int_equal(cli_complain(CLI_FAILED, "a %s", "test"), CLI_FAILED);
  cli_note("a remark with \x1b an escape");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_command_is_whole),
      cmocka_unit_test(every_option_is_known_once),
      cmocka_unit_test(wrong_usage_is_two),
      cmocka_unit_test(complaints_return_their_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
