/* write_manual.c: write_manual FOLDER: writes FOLDER/man1/NAME.1.scd and
 * FOLDER/completions/NAME. */
#include "manual.h"

#include "fixture.h"

#include <string.h>

const cli_option *manual_option(const cli_command *command, size_t index) {
  const cli_grammar grammar = {command->shared, command->own_options, command->own_option_count};
  return cli_options_list(&grammar, index);
}

void manual_text(FILE *out, const char *text, const char *special) {
  for (; *text; text++) {
    if (strchr(special, *text)) fputc('\\', out);
    fputc(*text == '\n' ? ' ' : *text, out);
  }
}

const char *manual_argument_word(const cli_command *command, size_t index) {
  return strcmp(command->name, "fixture") == 0 ? cli_fixtures[index].name : NULL;
}

/* The file FOLDER/NAME, or NULL and a message. */
static FILE *create(const char *folder, const char *name) {
  char path[4096];
  const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = length > 0 && (size_t)length < sizeof path ? fopen(path, "wb") : NULL;
  if (!out) fprintf(stderr, "write_manual: cannot write %s/%s\n", folder, name);
  return out;
}

static bool finish(FILE *out) {
  const bool failed = ferror(out) != 0;
  return fclose(out) == 0 && !failed;
}

static bool write_with(const char *folder, const char *name, void (*write)(FILE *out)) {
  FILE *out = create(folder, name);
  if (!out) return false;
  write(out);
  return finish(out);
}

static bool write_command(const char *folder, const cli_command *command) {
  char name[128];
  snprintf(name, sizeof name, "man1/supple-%s.1.scd", command->name);
  FILE *out = create(folder, name);
  if (!out) return false;
  manual_write_command(out, command);
  return finish(out);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: write_manual FOLDER\n");
    return 2;
  }
  bool fine = write_with(argv[1], "man1/supple.1.scd", manual_write_general) &&
              write_with(argv[1], "completions/supple.bash", completion_write_bash) &&
              write_with(argv[1], "completions/_supple", completion_write_zsh) &&
              write_with(argv[1], "completions/supple.fish", completion_write_fish);
  for (const cli_command *const *command = cli_commands; fine && *command; command++)
    fine = write_command(argv[1], *command);
  return fine ? 0 : 1;
}
