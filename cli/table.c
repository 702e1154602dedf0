/* table.c: cells in columns that fit, on a terminal or in a file. */
#include "print.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_MOST = 48, COLUMNS_MOST = 32 };

struct cli_table {
  char formats[COLUMNS_MOST + 1];
  size_t columns;
  char **cells; /* row after row; NULL where a row ended early */
  size_t count, capacity;
  bool failed; /* memory ran out for a cell */
};

cli_table *cli_table_create(const char *formats) {
  cli_table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  snprintf(table->formats, sizeof table->formats, "%s", formats);
  table->columns = strlen(table->formats);
  return table;
}

/* A copy safe for a terminal, at most CELL_MOST columns wide. */
static char *copy_cell(const char *text) {
  cli_output *output = cli_output_open_memory();
  if (!output) return NULL;
  cli_plain_text(output, text);
  const char *clean = cli_output_contents(output, NULL);
  char *copy = NULL;
  if (clean) {
    const char *end = clean + strlen(clean);
    const bool cut = cli_text_width(clean) > CELL_MOST;
    char *kept = malloc((size_t)(end - clean) + 4);
    if (kept) {
      size_t length = (size_t)(end - clean);
      memcpy(kept, clean, length + 1);
      if (cut) {
        const char *at = kept, *last = kept;
        size_t width = 0;
        while (*at && width < CELL_MOST - 1) {
          const char *start = at;
          cli_utf8_next(&at);
          char one[8] = {0};
          memcpy(one, start, (size_t)(at - start));
          width += cli_text_width(one);
          if (width <= CELL_MOST - 1) last = at;
        }
        memcpy(kept + (last - kept), "\xe2\x80\xa6", 4);
      }
    }
    copy = kept;
  }
  cli_output_abandon(output);
  return copy;
}

static void add(cli_table *table, char *cell) {
  if (table->count == table->capacity) {
    const size_t capacity = table->capacity ? 2 * table->capacity : 64;
    char **cells =
        capacity > SIZE_MAX / sizeof *cells ? NULL : realloc(table->cells, capacity * sizeof *cells);
    if (!cells) {
      free(cell);
      table->failed = true;
      return;
    }
    table->cells = cells;
    table->capacity = capacity;
  }
  table->cells[table->count++] = cell;
}

void cli_table_cell(cli_table *table, const char *text) {
  if (!table) return;
  char *cell = copy_cell(text);
  if (!cell) table->failed = true;
  add(table, cell);
}

void cli_table_format(cli_table *table, const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  cli_table_cell(table, text);
}

void cli_table_fixed(cli_table *table, double value, int decimals, const char *unit) {
  char text[CLI_NUMBER_TEXT];
  cli_fixed_text(value, decimals, text);
  if (unit && unit[0] && value - value == 0)
    cli_table_format(table, "%s %s", text, unit);
  else
    cli_table_cell(table, text);
}

void cli_table_end_row(cli_table *table) {
  if (!table) return;
  while (table->count % table->columns != 0 && !table->failed) add(table, NULL);
}

static size_t width_of(const char *cell) { return cell ? cli_text_width(cell) : 0; }

static void print_row(const cli_table *table, char *const *row, const size_t *widths,
                      cli_output *output, size_t indent) {
  size_t last = 0; /* nothing but line ends after the last cell with text */
  for (size_t c = 0; c < table->columns; c++)
    if (width_of(row[c])) last = c + 1;
  if (last) cli_output_format(output, "%*s", (int)indent, "");
  for (size_t c = 0; c < last; c++) {
    const size_t width = width_of(row[c]);
    const int padding = (int)(widths[c] - width);
    if (table->formats[c] == 'r') cli_output_format(output, "%*s", padding, "");
    if (row[c]) cli_output_text(output, row[c]);
    if (c + 1 == last) break;
    if (table->formats[c] != 'r') cli_output_format(output, "%*s", padding, "");
    cli_output_text(output, "  ");
  }
  cli_output_text(output, "\n");
}

void cli_table_print(cli_table *table, cli_output *output, size_t indent) {
  if (!table) {
    cli_output_no_memory(output);
    return;
  }
  size_t widths[COLUMNS_MOST] = {0};
  cli_table_end_row(table);
  if (table->failed) cli_output_no_memory(output); /* nothing of it is printed then */
  for (size_t i = 0; i < table->count; i++) {
    const size_t width = width_of(table->cells[i]);
    if (width > widths[i % table->columns]) widths[i % table->columns] = width;
  }
  for (size_t i = 0; i + table->columns <= table->count; i += table->columns)
    print_row(table, table->cells + i, widths, output, indent);
  for (size_t i = 0; i < table->count; i++) free(table->cells[i]);
  free(table->cells);
  free(table);
}
