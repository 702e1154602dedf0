/* write_number.c: the shortest text of a number that reads back as the same number, whatever the locale. */
#include "../base/prologue.h"

#include "document_tree.h"

#include "decimal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* d.ddd · 10^exponent */
typedef struct digits {
  char text[24];
  int count, exponent;
} digits;

/* Only digits are taken from printf: its decimal point follows the locale. */
static void take_digits(digits *d, const char *printed) {
  d->count = 0;
  for (; *printed && *printed != 'e'; printed++)
    if (*printed >= '0' && *printed <= '9') d->text[d->count++] = *printed;
  d->exponent = *printed ? atoi(printed + 1) : 0;
  while (d->count > 1 && d->text[d->count - 1] == '0') d->count--;
}

/* Plain from 1e-5 to 1e16, else with an exponent. */
static void lay_out(const digits *d, char *out) {
  const int point = d->exponent + 1; /* digits before the point */
  if (point > 16 || point < -4) {
    *out++ = d->text[0];
    if (d->count > 1) *out++ = '.';
    memcpy(out, d->text + 1, (size_t)d->count - 1);
    out += d->count - 1;
    snprintf(out, 8, "e%d", d->exponent);
    return;
  }
  if (point <= 0) {
    *out++ = '0';
    *out++ = '.';
    for (int i = point; i < 0; i++) *out++ = '0';
  }
  for (int i = 0; i < d->count || i < point; i++) {
    if (i == point && i > 0) *out++ = '.';
    *out++ = i < d->count ? d->text[i] : '0';
  }
  *out = 0;
}

const char *supplei_number_text(double value, char text[SUPPLEI_NUMBER_TEXT]) {
  char printed[40];
  digits d;
  if (value == 0) return strcpy(text, "0");
  char *out = text;
  if (value < 0) *out++ = '-';
  const double size = value < 0 ? -value : value;
  /* Up to 15 digits always come back as they were, so the 15 without their zeros are the shortest, if any. */
  for (int n = size < DBL_MIN ? 1 : 15; n <= 17; n++) {
    snprintf(printed, sizeof printed, "%.*e", n - 1, size);
    take_digits(&d, printed);
    lay_out(&d, out);
    if (supplei_decimal_to_double(out, strlen(out)) == size) break;
  }
  return text;
}
