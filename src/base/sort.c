/* sort.c: numbers in ascending order, in place. */
#include "prologue.h"

#include "sort.h"

void supplei_sort(double *values, uint32_t count) {
  for (uint32_t gap = count / 2; gap > 0; gap = gap > 2 ? (uint32_t)(gap / 2.2) : gap / 2)
    for (uint32_t i = gap; i < count; i++) {
      double value = values[i];
      uint32_t k = i;
      for (; k >= gap && values[k - gap] > value; k -= gap) values[k] = values[k - gap];
      values[k] = value;
    }
}
