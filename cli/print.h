/* print.h: JSON, numbers, tables and progress, independent of the locale. */
#ifndef SUPPLE_CLI_PRINT_H
#define SUPPLE_CLI_PRINT_H

#include "output.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- numbers ---- */
enum { CLI_NUMBER_TEXT = 40 };
/* The shortest text (up to 9 digits for a float, 17 for a double) that reads back as the same number:
 * "0.1", "1e-07", "-0". Not finite: "null". Returns text, which has CLI_NUMBER_TEXT bytes. */
const char *cli_float_text(float value, char *text);
const char *cli_double_text(double value, char *text);
/* With `decimals` (0 to 17) digits after the point: "31.20". Not finite: "–" (an en dash). -0.00 loses its
 * sign. Huge values fall back on cli_double_text. */
const char *cli_fixed_text(double value, int decimals, char *text);

/* ---- JSON ---- */
/* Writes strictly valid JSON; puts commas and, where asked, indents. Zero depth at the end or it is a bug.
 *
 *   cli_json json = cli_json_start(output, true);
 *   cli_json_object(&json, NULL);
 *   cli_json_text(&json, "file", path);
 *   cli_json_array(&json, "times");  cli_json_double(&json, NULL, 0.5);  cli_json_end(&json);
 *   cli_json_end(&json);
 */
enum { CLI_JSON_DEPTH = 32 };
typedef struct cli_json {
  cli_output *output;
  bool indent; /* objects on lines of their own; arrays of numbers always on one */
  uint32_t depth;
  bool is_array[CLI_JSON_DEPTH]; /* what is open */
  bool filled[CLI_JSON_DEPTH];   /* it has a member: a comma comes first */
  bool broken[CLI_JSON_DEPTH];   /* a member stands on a line of its own */
} cli_json;

cli_json cli_json_start(cli_output *output, bool indent);
/* `key` is the member's name, NULL in an array and at the top. */
void cli_json_object(cli_json *json, const char *key);
void cli_json_array(cli_json *json, const char *key);
/* Closes the innermost object or array; the outermost one ends the line. */
void cli_json_end(cli_json *json);
void cli_json_text(cli_json *json, const char *key, const char *text); /* NULL: null */
void cli_json_float(cli_json *json, const char *key, float value);     /* not finite: null */
void cli_json_double(cli_json *json, const char *key, double value);   /* not finite: null */
void cli_json_integer(cli_json *json, const char *key, int64_t value);
void cli_json_index(cli_json *json, const char *key, uint32_t value); /* SUPPLE_NONE: null */
void cli_json_bool(cli_json *json, const char *key, bool value);
void cli_json_null(cli_json *json, const char *key);
/* "key":[…] in one call. */
void cli_json_floats(cli_json *json, const char *key, const float *values, size_t count);
void cli_json_doubles(cli_json *json, const char *key, const double *values, size_t count);

/* Text as a JSON string with its quotes: control characters, quotes and backslashes escaped; invalid UTF-8
 * becomes U+FFFD; '<', U+2028 and U+2029 are escaped too, so that it may stand in a script of a page. */
void cli_json_quote(cli_output *output, const char *text);
/* Text for HTML or SVG, in content or in an attribute with double quotes: & < > " ' escaped, control
 * characters and invalid UTF-8 become U+FFFD. */
void cli_html_text(cli_output *output, const char *text);
/* Text for a terminal: control characters (escape sequences too) and invalid UTF-8 become '?'. */
void cli_plain_text(cli_output *output, const char *text);

/* Decodes one character of UTF-8 from a NUL-terminated text and steps over it; U+FFFD for one bad byte. */
uint32_t cli_utf8_next(const char **text);
/* Columns on a terminal: combining marks take none, East Asian wide characters and emoji two. */
size_t cli_text_width(const char *text);

/* ---- tables ---- */
/* Collects cells, then prints them in columns that fit. Column formats, one letter each: 'l' left, 'r'
 * right. Cells are copied; rows may be shorter than the header. Cells longer than 48 columns are cut ("…"). */
typedef struct cli_table cli_table;
cli_table *cli_table_create(const char *formats); /* NULL: out of memory; every function takes NULL */
void cli_table_cell(cli_table *table,
                    const char *text); /* the next cell; wraps to the next row when full */
void cli_table_format(cli_table *table, const char *format, ...)
    CLI_PRINTF(2, 3); /* text and integers */
void cli_table_fixed(cli_table *table, double value, int decimals, const char *unit); /* "31.2 %" */
void cli_table_end_row(cli_table *table);
/* Prints rows with two spaces between columns, each row after `indent` spaces, and frees. Fails the output where
 * memory ran out for any of it. */
void cli_table_print(cli_table *table, cli_output *output, size_t indent);

/* ---- progress ---- */
/* "label: 12 / 60" on stderr where that is a terminal, at most ten times a second; done == total clears the
 * line. One thread at a time (cli_parallel does it for you). */
void cli_progress(const char *label, uint32_t done, uint32_t total);

#endif
