/* test_table.c: columns that fit. */
#include "cli/print.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

static void expect(cli_table *table, size_t indent, const char *wanted) {
  cli_output *output = cli_output_open_memory();
  cli_table_print(table, output, indent);
  assert_string_equal(cli_output_contents(output, NULL), wanted);
  cli_output_abandon(output);
}

static void columns_are_aligned(void **state) {
  (void)state;
  cli_table *table = cli_table_create("lrl");
  cli_table_cell(table, "joint");
  cli_table_cell(table, "kept");
  cli_table_end_row(table);
  cli_table_cell(table, "Gr\xc3\xbc\xc3\x9f\x65");
  cli_table_fixed(table, 31.25, 1, "%");
  cli_table_cell(table, "x");
  cli_table_cell(table, "\xe6\x89\x8b");
  cli_table_fixed(table, (double)NAN, 1, "%");
  cli_table_format(table, "%d%s", 5, "!");
  expect(table, 2,
         "  joint    kept\n"
         "  Gr\xc3\xbc\xc3\x9f\x65  31.2 %  x\n"
         "  \xe6\x89\x8b          \xe2\x80\x93  5!\n");
}

static void cells_are_cut_and_cleaned(void **state) {
  (void)state;
  char name[101];
  memset(name, 'a', 100);
  name[100] = '\0';
  name[3] = '\x1b';
  cli_table *table = cli_table_create("l");
  cli_table_cell(table, name);
  char wanted[64];
  memset(wanted, 'a', 47);
  wanted[3] = '?';
  memcpy(wanted + 47, "\xe2\x80\xa6\n", 5);
  expect(table, 0, wanted);
}

static void nothing_prints_nothing(void **state) {
  (void)state;
  expect(cli_table_create("ll"), 2, "");
  cli_table_cell(NULL, "x");
  cli_table_end_row(NULL);
  cli_output *output = cli_output_open_memory();
  cli_table_print(NULL, output, 0);
  assert_true(cli_output_failed(output)); /* out of memory is no empty table */
  cli_output_abandon(output);
}

static void many_rows(void **state) {
  (void)state;
  cli_table *table = cli_table_create("r");
  cli_output *output = cli_output_open_memory();
  size_t size;
  for (int i = 0; i < 1000; i++) cli_table_format(table, "%d", i);
  cli_table_print(table, output, 0);
  assert_non_null(cli_output_contents(output, &size));
  assert_int_equal(size, 4000);
  cli_output_abandon(output);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(columns_are_aligned),
      cmocka_unit_test(cells_are_cut_and_cleaned),
      cmocka_unit_test(nothing_prints_nothing),
      cmocka_unit_test(many_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
