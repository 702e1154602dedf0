/* usd_text.c: the words of a .usda file. */
#include "usd_text.h"

#include "print.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- lines and prims ---- */

void cli_usd_indent(const cli_usd_text *text) {
  const uint32_t deepest = 24; /* files may nest a hundred thousand nodes */
  for (uint32_t i = 0; i < text->depth && i < deepest; i++)
    cli_output_write(text->output, "    ", 4);
}

void cli_usd_line(const cli_usd_text *text, const char *format, ...) {
  char line[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  cli_usd_indent(text);
  cli_output_text(text->output, line);
  cli_output_text(text->output, "\n");
}

void cli_usd_open(cli_usd_text *text, const char *type, const char *identifier, const char *display,
                  const char *schemas) {
  const bool named = display && display[0] && strcmp(display, identifier) != 0;
  cli_usd_indent(text);
  cli_output_format(text->output, "def %s \"%s\"", type, identifier);
  if (named || schemas) {
    cli_output_text(text->output, " (\n");
    text->depth++;
    if (named) {
      cli_usd_indent(text);
      cli_output_text(text->output, "displayName = ");
      cli_usd_string(text->output, display);
      cli_output_text(text->output, "\n");
    }
    if (schemas) cli_usd_line(text, "prepend apiSchemas = [%s]", schemas);
    text->depth--;
    cli_usd_indent(text);
    cli_output_text(text->output, ")");
  }
  cli_output_text(text->output, "\n");
  cli_usd_line(text, "{");
  text->depth++;
}

void cli_usd_close(cli_usd_text *text) {
  text->depth--;
  cli_usd_line(text, "}");
}

/* ---- strings ---- */

static void put_utf8(cli_output *output, uint32_t c) {
  char bytes[4];
  size_t size = 0;
  if (c < 0x80) {
    bytes[size++] = (char)c;
  } else if (c < 0x800) {
    bytes[size++] = (char)(0xC0 | c >> 6);
    bytes[size++] = (char)(0x80 | (c & 0x3F));
  } else {
    if (c >= 0x10000) bytes[size++] = (char)(0xF0 | c >> 18);
    bytes[size++] = (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3F) : 0xE0 | c >> 12);
    bytes[size++] = (char)(0x80 | (c >> 6 & 0x3F));
    bytes[size++] = (char)(0x80 | (c & 0x3F));
  }
  cli_output_write(output, bytes, size);
}

void cli_usd_string(cli_output *output, const char *text) {
  cli_output_text(output, "\"");
  while (*text) {
    const uint32_t c = cli_utf8_next(&text);
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029;
    if (c == '"' || c == '\\') cli_output_text(output, "\\");
    put_utf8(output, control ? ' ' : c);
  }
  cli_output_text(output, "\"");
}

/* ---- numbers ---- */

void cli_usd_float(cli_output *output, float value) {
  char text[CLI_NUMBER_TEXT];
  cli_output_text(output, isfinite(value) ? cli_float_text(value, text) : "0");
}

void cli_usd_double(cli_output *output, double value) {
  char text[CLI_NUMBER_TEXT];
  cli_output_text(output, isfinite(value) ? cli_double_text(value, text) : "0");
}

void cli_usd_tuple(cli_output *output, const float *values, uint32_t width) {
  for (uint32_t i = 0; i < width; i++) {
    cli_output_text(output, i == 0 ? "(" : ", ");
    cli_usd_float(output, values[i]);
  }
  cli_output_text(output, ")");
}

void cli_usd_tuples(cli_output *output, const float *values, size_t count, uint32_t width) {
  cli_output_text(output, "[");
  for (size_t i = 0; i < count; i++) {
    if (i) cli_output_text(output, ", ");
    if (width == 1)
      cli_usd_float(output, values[i]);
    else
      cli_usd_tuple(output, values + i * width, width);
  }
  cli_output_text(output, "]");
}

void cli_usd_matrix(cli_output *output, const supple_affine64 *matrix) {
  cli_output_text(output, "(");
  for (int column = 0; column < 4; column++) {
    cli_output_text(output, column == 0 ? "(" : ", (");
    for (int row = 0; row < 3; row++) {
      /* + 0.0: no "-0" */
      cli_usd_double(output, matrix->m[row][column] + 0.0);
      cli_output_text(output, ", ");
    }
    cli_output_text(output, column == 3 ? "1)" : "0)");
  }
  cli_output_text(output, ")");
}

void cli_usd_time(cli_output *output, double code) {
  char text[CLI_NUMBER_TEXT];
  cli_fixed_text(code, 6, text);
  char *end = text + strlen(text);
  if (strchr(text, '.') && !strchr(text, 'e')) {
    while (end[-1] == '0') *--end = '\0';
    if (end[-1] == '.') *--end = '\0';
  }
  cli_output_text(output, text);
}

/* ---- primvars ---- */

void cli_usd_interpolation(const cli_usd_text *text, const char *interpolation,
                           uint32_t element_size) {
  cli_usd_text inside = *text;
  inside.depth++;
  cli_output_text(text->output, " (\n");
  if (element_size) cli_usd_line(&inside, "elementSize = %u", element_size);
  cli_usd_line(&inside, "interpolation = \"%s\"", interpolation);
  cli_usd_line(text, ")");
}

void cli_usd_primvar(const cli_usd_text *text, const char *declaration, const float *values,
                     size_t count, uint32_t width, const char *interpolation) {
  cli_usd_indent(text);
  cli_output_format(text->output, "%s = ", declaration);
  cli_usd_tuples(text->output, values, count, width);
  cli_usd_interpolation(text, interpolation, 0);
}
