/* sort.h: numbers in ascending order, in place. */
#ifndef SUPPLEI_SORT_H
#define SUPPLEI_SORT_H

#include <stdint.h>

/* Shell's sort: no recursion, no scratch memory. NaN is not allowed. */
void supplei_sort(double *values, uint32_t count);

#endif
