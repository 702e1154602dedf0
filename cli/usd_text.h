/* usd_text.h: the words of a .usda file: prims, strings, identifiers, arrays.
 *
 * One value a line, as OpenUSD itself writes, so that readers that look at lines read it too. */
#ifndef SUPPLE_CLI_USD_TEXT_H
#define SUPPLE_CLI_USD_TEXT_H

#include "output.h"

#include <supple/supple.h>

typedef struct cli_usd_text {
  cli_output *output;
  uint32_t depth; /* prims that are open */
} cli_usd_text;

/* Four spaces for each open prim. */
void cli_usd_indent(const cli_usd_text *text);
/* A line of text and integers. */
void cli_usd_line(const cli_usd_text *text, const char *format, ...) CLI_PRINTF(2, 3);

/* Opens `def TYPE "identifier"`. display: what the file calls it, written as displayName where it says more than
 * the identifier; NULL or "": nothing. schemas: "\"A\", \"B\"", or NULL. */
void cli_usd_open(cli_usd_text *text, const char *type, const char *identifier, const char *display,
                  const char *schemas);
/* Closes the innermost one. */
void cli_usd_close(cli_usd_text *text);

/* A string with its quotes. Control characters become spaces, invalid UTF-8 U+FFFD. */
void cli_usd_string(cli_output *output, const char *text);

/* A number that reads back as the same float or double; what is not finite is 0. */
void cli_usd_float(cli_output *output, float value);
void cli_usd_double(cli_output *output, double value);
/* (a, b, c), of `width` floats. */
void cli_usd_tuple(cli_output *output, const float *values, uint32_t width);
/* [(a, b, c), …]; [a, b, …] where width is 1. */
void cli_usd_tuples(cli_output *output, const float *values, size_t count, uint32_t width);
/* USD's matrices take row vectors: the rows written are the columns of `matrix`. */
void cli_usd_matrix(cli_output *output, const supple_affine64 *matrix);
/* A time code, without an exponent, to a millionth. */
void cli_usd_time(cli_output *output, double code);

/* `declaration = [...]` with its interpolation, a line of its own each: tuples as above. */
void cli_usd_primvar(const cli_usd_text *text, const char *declaration, const float *values,
                     size_t count, uint32_t width, const char *interpolation);
/* The metadata that ends the line of an array: interpolation, and elementSize where it is not 0. */
void cli_usd_interpolation(const cli_usd_text *text, const char *interpolation,
                           uint32_t element_size);

#endif
