/* command.c: the table of commands, help, messages, and the run of one command line. */
#include "command.h"

#include "output.h"

#if defined(CLI_HAS_CODECS)
#include <supple/codecs.h>
#endif

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const cli_command cli_command_info, cli_command_joints, cli_command_skin, cli_command_bake,
    cli_command_check, cli_command_fix, cli_command_convert, cli_command_compare,
    cli_command_fixture, cli_command_bench, cli_command_shader, cli_command_render, cli_command_view;

const cli_command *const cli_commands[] = {&cli_command_compare, &cli_command_view,
                                           &cli_command_info,    &cli_command_joints,
                                           &cli_command_skin,    &cli_command_check,
                                           &cli_command_fix,     &cli_command_render,
                                           &cli_command_bake,    &cli_command_convert,
                                           &cli_command_fixture, &cli_command_shader,
                                           &cli_command_bench,   NULL};

/* The command that runs, for messages: set before any thread starts. */
static const char *running = "";

/* ---- messages ---- */

static void say(const char *kind, const char *format, va_list arguments) {
  char text[2048], line[2200];
  vsnprintf(text, sizeof text, format, arguments);
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
  /* one write a line, so that threads' lines do not mix */
  snprintf(line, sizeof line, "supple%s%s: %s%s\n", *running ? " " : "", running, kind, text);
  fputs(line, stderr);
}

int cli_complain(int exit_code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("", format, arguments);
  va_end(arguments);
  return exit_code;
}

void cli_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say("note: ", format, arguments);
  va_end(arguments);
}

/* ---- help ---- */

static cli_grammar grammar_of(const cli_command *command) {
  const cli_grammar grammar = {command->shared, command->own_options, command->own_option_count};
  return grammar;
}

/* Words of text from `column` on, further lines indented by `indent`; a line break in text is a space. */
static void print_wrapped(cli_output *output, const char *text, size_t column, size_t indent) {
  enum { WIDTH = 79 };
  bool first = true;
  while (*text) {
    const size_t length = strcspn(text, " \n");
    if (!first && column + 1 + length > WIDTH) {
      cli_output_format(output, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!first) {
      cli_output_text(output, " ");
      column++;
    }
    cli_output_write(output, text, length);
    column += length;
    text += length + (text[length] != '\0');
    first = false;
  }
  cli_output_text(output, "\n");
}

/* Paragraphs, which an empty line parts; one that begins with a space is an example and stays as it is. */
static void print_paragraphs(cli_output *output, const char *text) {
  while (*text) {
    const char *end = strstr(text, "\n\n");
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    char *paragraph = malloc(length + 1);
    if (!paragraph) return;
    memcpy(paragraph, text, length);
    paragraph[length] = '\0';
    if (length && paragraph[length - 1] == '\n') paragraph[length - 1] = '\0';
    if (*text == ' ')
      cli_output_format(output, "%s\n", paragraph);
    else
      print_wrapped(output, paragraph, 0, 0);
    free(paragraph);
    text += length;
    while (*text == '\n') text++;
    if (*text) cli_output_text(output, "\n");
  }
}

static void print_general_help(cli_output *output) {
  enum { COLUMN = 13 };
  cli_output_text(output, "Supple makes skinned meshes bend and twist without collapsing.\n\n"
                          "usage: supple COMMAND [options] FILE...\n\n");
  for (const cli_command *const *command = cli_commands; *command; command++) {
    cli_output_format(output, "  %-*s", COLUMN - 2, (*command)->name);
    print_wrapped(output, (*command)->summary, COLUMN, COLUMN);
  }
  cli_output_text(output,
                  "\n"
                  "  supple COMMAND --help   all about one command\n"
                  "  supple --version        the version\n\n"
                  "Data goes to stdout, messages to stderr. Exit status: 0 fine, 1 the asset\n"
                  "has faults or the work failed, 2 wrong usage.\n");
}

static void print_option_help(cli_output *output, const cli_option *option) {
  enum { COLUMN = 26 };
  char head[128], letter[8] = "    ";
  if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
  const int length = snprintf(head, sizeof head, "  %s--%s%s%s", letter, option->name,
                              option->argument ? " " : "", option->argument ? option->argument : "");
  cli_output_text(output, head);
  if (length + 2 <= COLUMN)
    cli_output_format(output, "%*s", COLUMN - length, "");
  else
    cli_output_format(output, "\n%*s", COLUMN, "");
  print_wrapped(output, option->help, COLUMN, COLUMN);
}

static void print_command_help(cli_output *output, const cli_command *command) {
  const cli_grammar grammar = grammar_of(command);
  cli_output_format(output, "supple %s: ", command->name);
  print_wrapped(output, command->summary, strlen("supple : ") + strlen(command->name), 2);
  cli_output_format(output, "\nusage: supple %s ", command->name);
  print_wrapped(output, command->usage, strlen("usage: supple  ") + strlen(command->name), 4);
  cli_output_text(output, "\n");
  print_paragraphs(output, command->description);
  cli_output_text(output, "\noptions:\n");
  const cli_option *option;
  for (size_t i = 0; (option = cli_options_list(&grammar, i)) != NULL; i++)
    print_option_help(output, option);
}

static int help_on_stdout(const cli_command *command) {
  cli_output *output = cli_output_open("-");
  if (!output) return CLI_FAILED;
  if (command)
    print_command_help(output, command);
  else
    print_general_help(output);
  return cli_output_close(output);
}

/* ---- running ---- */

static const cli_command *find_command(const char *name) {
  for (const cli_command *const *command = cli_commands; *command; command++)
    if (strcmp((*command)->name, name) == 0) return *command;
  char near[256];
  cli_nearest nearest = {0};
  for (const cli_command *const *command = cli_commands; *command; command++)
    cli_nearest_offer(&nearest, name, (*command)->name);
  cli_complain(CLI_USAGE, "there is no command '%.60s'%s", name,
               cli_nearest_text(&nearest, near, sizeof near));
  if (near[0] == '\0') fputs("supple --help lists the commands.\n", stderr);
  return NULL;
}

static int check_files(const cli_command *command, size_t count) {
  if (count >= command->least_files && count <= command->most_files) return CLI_FINE;
  return cli_complain(CLI_USAGE, "%s; usage: supple %s %s",
                      count < command->least_files ? "an argument is missing" : "too many arguments",
                      command->name, command->usage);
}

static int run_command(const cli_command *command, char *const *arguments, size_t count) {
  const cli_grammar grammar = grammar_of(command);
  cli_invocation invocation = {.command = command};
  const char **files = calloc(count + 1, sizeof *files);
  void *own = calloc(1, command->own_size + 1);
  int exit_code = CLI_USAGE;
  char message[512];
  running = command->name;
  if (!files || !own) {
    exit_code = cli_complain(CLI_FAILED, "out of memory");
  } else {
    if (command->own_defaults) memcpy(own, command->own_defaults, command->own_size);
    const bool parsed = cli_options_parse(&grammar, arguments, count, &invocation.options, own,
                                          files, &invocation.file_count, message, sizeof message);
    invocation.own = own;
    invocation.files = files;
    if (!parsed) {
      exit_code =
          cli_complain(invocation.options.out_of_memory ? CLI_FAILED : CLI_USAGE, "%s", message);
    } else if (invocation.options.help) {
      exit_code = help_on_stdout(command);
    } else {
      exit_code = check_files(command, invocation.file_count);
      cli_output_rehearse(invocation.options.dry_run);
      if (exit_code == CLI_FINE) exit_code = command->function(&invocation);
    }
    cli_options_free(&invocation.options);
  }
  free(files);
  free(own);
  return exit_code;
}

static int run_help(int argc, char **argv) {
  if (argc > 3) return cli_complain(CLI_USAGE, "help takes one command");
  if (argc < 3) return help_on_stdout(NULL);
  const cli_command *command = find_command(argv[2]);
  return command ? help_on_stdout(command) : CLI_USAGE;
}

/* Which compressed meshes can be read: "codecs: meshoptimizer 0.18, no Draco (libdraco-dev)". */
static void print_codecs(cli_output *output) {
#if defined(CLI_HAS_CODECS)
  const supple_codec_info *info;
  for (uint32_t i = 0; (info = supple_codecs_info(i)) != NULL; i++) {
    cli_output_text(output, i ? ", " : "codecs: ");
    if (info->version[0])
      cli_output_format(output, "%s %s", info->name, info->version);
    else
      cli_output_format(output, "no %s (%s)", info->name, info->package);
  }
  cli_output_text(output, "\n");
#else
  cli_output_text(output, "codecs: none\n");
#endif
}

static int print_version(void) {
  cli_output *output = cli_output_open("-");
  if (!output) return CLI_FAILED;
  cli_output_format(output, "supple %s\n", supple_version());
  print_codecs(output);
  return cli_output_close(output);
}

int cli_run(int argc, char **argv) {
  running = "";
  if (argc < 2) {
    cli_output *output = cli_output_open_memory();
    if (!output) return CLI_USAGE;
    print_general_help(output);
    size_t size;
    const char *text = cli_output_contents(output, &size);
    if (text) fwrite(text, 1, size, stderr);
    cli_output_abandon(output);
    return CLI_USAGE;
  }
  const char *word = argv[1];
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) return help_on_stdout(NULL);
  if (strcmp(word, "--version") == 0) return print_version();
  if (strcmp(word, "help") == 0) return run_help(argc, argv);
  if (word[0] == '-')
    return cli_complain(CLI_USAGE,
                        "'%.60s' is not an option here; usage: supple COMMAND [options] "
                        "FILE... (supple --help lists the commands)",
                        word);
  const cli_command *command = find_command(word);
  return command ? run_command(command, argv + 2, (size_t)argc - 2) : CLI_USAGE;
}
