/* command.h: the table of commands. One declaration gives parsing, checks, --help, and all that manual
 * pages and shell completions need.
 *
 * A command is one file command_NAME.c that defines `const cli_command cli_command_NAME`, listed in
 * command.c. Its function gets parsed options and files, prints data to outputs (output.h) and messages by
 * cli_complain, and returns an exit code. */
#ifndef SUPPLE_CLI_COMMAND_H
#define SUPPLE_CLI_COMMAND_H

#include "options.h"

#include <stdbool.h>
#include <stddef.h>

/* MinGW's own printf is the GNU one, but gcc takes it for Microsoft's. */
#if defined(__MINGW32__) && !defined(__clang__)
#define CLI_PRINTF(text, first) __attribute__((format(gnu_printf, text, first)))
#elif defined(__GNUC__)
#define CLI_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define CLI_PRINTF(text, first)
#endif

enum cli_exit {
  CLI_FINE = 0,
  CLI_FAILED = 1, /* the asset has faults, or the work failed */
  CLI_USAGE = 2   /* wrong usage */
};

struct cli_command;

/* One run of a command. `own` is the command's own struct (own_size bytes: a copy of own_defaults, then
 * what its own options set). files: what was given besides options; their number was checked. */
typedef struct cli_invocation {
  const struct cli_command *command;
  cli_options options;
  void *own;
  const char *const *files;
  size_t file_count;
} cli_invocation;

typedef struct cli_command {
  const char *name;
  const char *summary;     /* one line, no full stop; for the list of commands */
  const char *usage;       /* after the name: "FILE -o OUT" */
  const char *description; /* paragraphs parted by empty lines, wrapped when they are printed; one that
                              begins with a space stays as it is */
  uint32_t shared;         /* CLI_USES_… of options.h, or-ed: the shared options that it takes */
  const cli_option *own_options; /* its own, in the order of --help */
  size_t own_option_count;
  size_t own_size; /* of the struct that own_options point into; its FIRST member is a bool */
  const void *own_defaults; /* own_size bytes, or NULL: zeros */
  uint32_t least_files, most_files;
  int (*function)(const cli_invocation *invocation); /* an exit code */
} cli_command;

/* All commands, in the order of the help; ends with NULL. */
extern const cli_command *const cli_commands[];

/* Runs the command line: argv[0] is the program. Returns the exit code. */
int cli_run(int argc, char **argv);

/* "supple COMMAND: text" and a newline on stderr; COMMAND is the one that runs. Text is a sentence without
 * its full stop. Returns exit_code, so that a caller can say: return cli_complain(CLI_FAILED, …). Control
 * characters in what is printed become '?'. Any thread may call it. */
int cli_complain(int exit_code, const char *format, ...) CLI_PRINTF(2, 3);

/* As cli_complain, worded as a remark: "supple COMMAND: note: text". */
void cli_note(const char *format, ...) CLI_PRINTF(1, 2);

#endif
