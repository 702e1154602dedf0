/* decimal.h: decimal text to the nearest double, whatever the locale. */
#ifndef SUPPLEI_DECIMAL_H
#define SUPPLEI_DECIMAL_H

#include <stddef.h>

/* `text` is a number by the grammar of JSON. Correctly rounded (half to even) for any number of
 * digits; too large gives an infinity, too small a zero, each with its sign. */
double supplei_decimal_to_double(const char *text, size_t length);

#endif
