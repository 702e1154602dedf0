/* numbers.c: the shortest text of a number that reads back as the same number.
 *
 * Digits come from the C library's printf with as few digits as read back, or, for most floats, from exact
 * enough arithmetic in double, which is thirty times as fast. Only digits are taken from printf, so that
 * its decimal point, which follows the locale, never shows. */
#include "print.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 0.d1d2d3… · 10^exponent, no trailing zeros. */
typedef struct decimal {
  char digits[20];
  int count;
  int exponent;
  bool negative;
} decimal;

static void strip_zeros(decimal *d) {
  while (d->count > 1 && d->digits[d->count - 1] == '0') d->count--;
}

/* As Python prints: plain from 1e-4 to 1e16, else with an exponent of at least two digits; no ".0". */
static const char *lay_out(const decimal *d, char *text) {
  char *at = text;
  if (d->negative) *at++ = '-';
  const int point = d->exponent; /* digits before the point */
  if (point > 16 || point < -3) {
    *at++ = d->digits[0];
    if (d->count > 1) {
      *at++ = '.';
      memcpy(at, d->digits + 1, (size_t)d->count - 1);
      at += d->count - 1;
    }
    snprintf(at, 16, "e%c%02d", point - 1 < 0 ? '-' : '+', abs(point - 1));
    return text;
  }
  if (point <= 0) {
    *at++ = '0';
    *at++ = '.';
    for (int i = point; i < 0; i++) *at++ = '0';
    memcpy(at, d->digits, (size_t)d->count);
    at += d->count;
  } else {
    for (int i = 0; i < point || i < d->count; i++) {
      if (i == point) *at++ = '.';
      *at++ = i < d->count ? d->digits[i] : '0';
    }
  }
  *at = '\0';
  return text;
}

/* Reads "-d.ddde-XX" as printf wrote it, whatever its decimal point. */
static void from_printf(decimal *d, const char *text) {
  d->negative = *text == '-';
  d->count = 0;
  for (; *text && *text != 'e'; text++)
    if (*text >= '0' && *text <= '9') d->digits[d->count++] = *text;
  d->exponent = (*text ? atoi(text + 1) : 0) + 1;
  strip_zeros(d);
}

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* Whether a double is exactly between two floats: rounding it once more could go the wrong way. */
static bool is_midpoint(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits & 0x1fffffffu) == 0x10000000u;
}

/* The fast way, for 1e-6 <= |value| < 1e9: `value` scaled by an exact power of ten to n digits before the
 * point, rounded, divided back. The quotient is the nearest double to the decimal, so it rounds to the
 * float that the decimal reads as, unless it is a midpoint of two floats. */
static bool fast_float(float value, decimal *d) {
  const double size = fabs((double)value);
  if (!(size >= 1e-6 && size < 1e9)) return false;
  int exponent = -5; /* 10^(exponent - 1) <= size < 10^exponent */
  while (size >= (exponent >= 0 ? powers[exponent] : 1.0 / powers[-exponent])) exponent++;
  for (int n = 6; n <= 9; n++) {
    const int shift = n - exponent; /* -3 to 14 */
    double scaled = shift >= 0 ? size * powers[shift] : size / powers[-shift];
    scaled = floor(scaled + 0.5);
    const double back = shift >= 0 ? scaled / powers[shift] : scaled * powers[-shift];
    if (is_midpoint(back)) return false;
    if ((float)back != (float)size) continue;
    if (scaled >= powers[n]) return false; /* 9.9…e5 became 1e6: leave it to printf */
    uint64_t whole = (uint64_t)scaled;
    for (int i = n - 1; i >= 0; i--, whole /= 10) d->digits[i] = (char)('0' + whole % 10);
    d->count = n;
    d->exponent = exponent;
    d->negative = value < 0.0f;
    if (d->digits[0] == '0') return false;
    strip_zeros(d);
    return true;
  }
  return false;
}

const char *cli_float_text(float value, char *text) {
  decimal d;
  char digits[48];
  if (!isfinite(value)) return strcpy(text, "null");
  if (value == 0.0f) return strcpy(text, signbit(value) ? "-0" : "0");
  if (!fast_float(value, &d)) {
    /* FLT_DIG is 6: a shorter text that reads back is the six digits without their zeros. Not so below
     * the smallest normal float, where digits run out. */
    for (int n = fabsf(value) < FLT_MIN ? 1 : 6; n <= 9; n++) {
      snprintf(digits, sizeof digits, "%.*e", n - 1, (double)value);
      if (strtof(digits, NULL) == value) break;
    }
    from_printf(&d, digits);
  }
  return lay_out(&d, text);
}

const char *cli_double_text(double value, char *text) {
  decimal d;
  char digits[48];
  if (!isfinite(value)) return strcpy(text, "null");
  if (value == 0.0) return strcpy(text, signbit(value) ? "-0" : "0");
  for (int n = fabs(value) < DBL_MIN ? 1 : 15; n <= 17; n++) {
    snprintf(digits, sizeof digits, "%.*e", n - 1, value);
    if (strtod(digits, NULL) == value) break;
  }
  from_printf(&d, digits);
  return lay_out(&d, text);
}

const char *cli_fixed_text(double value, int decimals, char *text) {
  char buffer[64];
  if (!isfinite(value)) return strcpy(text, "\xe2\x80\x93");
  if (fabs(value) >= 1e15 || decimals < 0 || decimals > 17) return cli_double_text(value, text);
  snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
  char *at = text;
  bool zero = true, point = false;
  for (const char *c = buffer; *c; c++) {
    if (*c >= '0' && *c <= '9') {
      zero = zero && *c == '0';
      *at++ = *c;
      point = false;
    } else if (*c == '-') {
      *at++ = '-';
    } else if (!point) { /* the locale's point may be several bytes */
      *at++ = '.';
      point = true;
    }
  }
  *at = '\0';
  if (zero && text[0] == '-') memmove(text, text + 1, strlen(text));
  return text;
}
