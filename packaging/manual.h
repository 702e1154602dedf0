/* manual.h: manual pages and shell completions, from the command's own table of options. */
#ifndef SUPPLE_PACKAGING_MANUAL_H
#define SUPPLE_PACKAGING_MANUAL_H

#include "command.h"

#include <stdio.h>

/* Option number `index` of a command in the order of its help, or NULL past the end. */
const cli_option *manual_option(const cli_command *command, size_t index);

/* Text with a backslash before each of `special`; a line break is printed as a space. */
void manual_text(FILE *out, const char *text, const char *special);

/* What a command's first argument may be, where that is one of a few words; NULL where it is a file. */
const char *manual_argument_word(const cli_command *command, size_t index);

/* scdoc sources: supple(1), and the page of one command. */
void manual_write_general(FILE *out);
void manual_write_command(FILE *out, const cli_command *command);

void completion_write_bash(FILE *out);
void completion_write_zsh(FILE *out);
void completion_write_fish(FILE *out);

#endif
