/* output.h: where data goes: a buffered stream to a file, to stdout or to memory, that remembers failure.
 *
 * A file is written beside its place under a temporary name and renamed over it by cli_output_close, so
 * that OUT is whole or untouched; the temporary file is removed by cli_output_abandon, on failure, at exit,
 * and when SIGINT or SIGTERM end the program. Writing functions may be called after a failure: they then do
 * nothing; cli_output_close reports it once. One thread at a time. */
#ifndef SUPPLE_CLI_OUTPUT_H
#define SUPPLE_CLI_OUTPUT_H

#include "command.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct cli_output cli_output;

/* fseek from the beginning, beyond 2 GiB too. */
bool cli_file_seek(FILE *file, uint64_t place);

/* Whether a path ends so, letters in either case; `ending` in small letters: ".glb". */
bool cli_path_ends(const char *path, const char *ending);

/* "-" is stdout. NULL: it could not be opened, which was reported (exit with CLI_FAILED). */
cli_output *cli_output_open(const char *path);
/* From now on files are written beside their places, counted, said ("would write OUT (N bytes)", on stderr), and
 * removed; what is no regular file is refused. stdout is as ever. Set by --dry-run before anything is opened. */
void cli_output_rehearse(bool rehearse);
bool cli_output_rehearses(void);
/* Into memory, for tests and for data inside data. */
cli_output *cli_output_open_memory(void);
/* The name of the temporary file that cli_output_close will move into place, for another program to write to (nothing else
 * may then be written to the output); NULL where there is none: stdout, memory, pipes and devices. */
const char *cli_output_place(const cli_output *output);
/* What an output of memory holds so far, NUL-terminated; NULL where memory ran out. */
const char *cli_output_contents(const cli_output *output, size_t *size);

void cli_output_write(cli_output *output, const void *data, size_t size);
void cli_output_text(cli_output *output, const char *text);
/* printf, for text and integers: floating point would follow the locale, print.h has it. */
void cli_output_format(cli_output *output, const char *format, ...) CLI_PRINTF(2, 3);
/* Little endian, whatever the machine. */
void cli_output_u16(cli_output *output, uint16_t value);
void cli_output_u32(cli_output *output, uint32_t value);
void cli_output_f32(cli_output *output, float value);

bool cli_output_failed(const cli_output *output);
/* Fails it because memory ran out for what was to be written. */
void cli_output_no_memory(cli_output *output);
/* Bytes written so far (of a file after cli_output_seek: the place of the next one). */
uint64_t cli_output_tell(const cli_output *output);
/* The next byte goes to this place of the file. What cannot seek (pipes, stdout, memory) fails. */
void cli_output_seek(cli_output *output, uint64_t place);
/* Whether it shows on a terminal. */
bool cli_output_is_terminal(const cli_output *output);

/* Flushes and closes a file, whose place cli_output_close then takes: several files appear once all of them are
 * whole. Nothing may be written after it. False: it failed, which cli_output_close reports. */
bool cli_output_complete(cli_output *output);
/* Flushes, renames into place, frees. CLI_FINE, or CLI_FAILED with the reason reported. */
int cli_output_close(cli_output *output);
/* Frees, and leaves nothing behind (what went to stdout has gone). NULL is fine. */
void cli_output_abandon(cli_output *output);

/* Called once by main: temporary files are removed at exit and on signals; EPIPE comes back as an error. */
void cli_output_guard(void);

#endif
