/* merge_sort.h: a stable sort that no input can make slow. */
#ifndef SUPPLEI_MERGE_SORT_H
#define SUPPLEI_MERGE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* < 0, 0, > 0 as a comes before, with or after b. */
typedef int supplei_compare(const void *context, uint64_t a, uint64_t b);

/* Sorts items[count] with room for as many in scratch; O(count log count) comparisons. compare
 * NULL: ascending. */
void supplei_merge_sort(uint64_t *items, uint64_t *scratch, size_t count, supplei_compare *compare,
                        const void *context);

#endif
