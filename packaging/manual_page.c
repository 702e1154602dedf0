/* manual_page.c: manual pages as scdoc sources. */
#include "manual.h"

#include <string.h>

/* What scdoc would take as markup, anywhere in a line. */
#define SPECIAL "\\*_#`~[]|<>"

static void write_option(FILE *out, const cli_option *option) {
  if (option->letter) fprintf(out, "*-%c*, ", option->letter);
  fprintf(out, "*--%s*", option->name);
  if (option->argument) {
    fputs(" _", out);
    manual_text(out, option->argument, SPECIAL);
    fputc('_', out);
  }
  fputs("\n\t", out);
  manual_text(out, option->help, SPECIAL);
  fputs("\n\n", out);
}

/* Paragraphs; indented lines are kept as they are. A paragraph becomes one line: scdoc leaves a full stop at
 * the beginning of a line to roff, which would take it for a request. */
static void write_description(FILE *out, const char *text) {
  enum { BLANK, PROSE, LITERAL } before = BLANK;
  while (*text) {
    const char *end = strchr(text, '\n');
    const size_t length = end ? (size_t)(end - text) : strlen(text);
    const bool literal = length > 0 && text[0] == ' ';
    if (before == LITERAL && !literal) fputs("```\n\n", out);
    if (before != LITERAL && literal) fputs(before == PROSE ? "\n\n```\n" : "```\n", out);
    if (before == PROSE && !literal) fputs(length ? " " : "\n\n", out);
    for (size_t i = 0; i < length; i++) {
      const char letter[2] = {text[i], '\0'};
      /* a dash that begins a paragraph would begin a list */
      manual_text(out, letter, literal ? "" : before != PROSE && i == 0 ? SPECIAL "-" : SPECIAL);
    }
    if (literal) fputc('\n', out);
    before = literal ? LITERAL : length ? PROSE : BLANK;
    text += length + (end != NULL);
  }
  fputs(before == LITERAL ? "```\n" : "\n", out);
}

static void write_exit_status(FILE *out) {
  fputs("# EXIT STATUS\n\n"
        "*0*\n\tfine\n\n"
        "*1*\n\tthe asset has faults, or the work failed\n\n"
        "*2*\n\twrong usage\n\n",
        out);
}

void manual_write_command(FILE *out, const cli_command *command) {
  fprintf(out, "supple-%s(1)\n\n# NAME\n\nsupple-%s - ", command->name, command->name);
  manual_text(out, command->summary, SPECIAL);
  fprintf(out, "\n\n# SYNOPSIS\n\n*supple %s* ", command->name);
  manual_text(out, command->usage, SPECIAL);
  fputs("\n\n# DESCRIPTION\n\n", out);
  write_description(out, command->description);
  fputs("\n# OPTIONS\n\n", out);
  const cli_option *option;
  for (size_t i = 0; (option = manual_option(command, i)) != NULL; i++) write_option(out, option);
  write_exit_status(out);
  fputs("# SEE ALSO\n\n*supple*(1)\n", out);
}

void manual_write_general(FILE *out) {
  fputs("supple(1)\n\n"
        "# NAME\n\n"
        "supple - skinned meshes that bend and twist without collapsing\n\n"
        "# SYNOPSIS\n\n"
        "*supple* _COMMAND_ \\[options\\] _FILE_...\n\n"
        "# DESCRIPTION\n\n"
        "Supple deforms the skinned meshes of glTF 2.0 assets (.glb, or .gltf with its files) by "
        "linear\n"
        "blend skinning and by dual quaternion skinning, and measures where they collapse.\n\n"
        "Data goes to stdout, messages go to stderr, and *-* stands for stdin or stdout. Times are "
        "in\n"
        "seconds, angles in degrees, distances in metres.\n\n"
        "# COMMANDS\n\n",
        out);
  for (const cli_command *const *command = cli_commands; *command; command++) {
    fprintf(out, "*supple-%s*(1)\n\t", (*command)->name);
    manual_text(out, (*command)->summary, SPECIAL);
    fputs("\n\n", out);
  }
  fputs("*supple help* _COMMAND_\n\tprint the options of a command\n\n"
        "# OPTIONS\n\n"
        "*-h*, *--help*\n\tprint the list of commands; after a command, its options\n\n"
        "*--version*\n\tprint the version\n\n",
        out);
  write_exit_status(out);
  fputs("# SEE ALSO\n\n", out);
  for (const cli_command *const *command = cli_commands; *command; command++)
    fprintf(out, "%s*supple-%s*(1)", command == cli_commands ? "" : ", ", (*command)->name);
  fputs("\n", out);
}
