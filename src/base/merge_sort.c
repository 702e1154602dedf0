/* merge_sort.c: a stable sort that no input can make slow. */
#include "prologue.h"

#include "merge_sort.h"

#include <string.h>

static int ascending(const void *context, uint64_t a, uint64_t b) {
  (void)context;
  return a < b ? -1 : a > b;
}

static void merge(const uint64_t *from, size_t middle, size_t count, uint64_t *to,
                  supplei_compare *compare, const void *context) {
  size_t a = 0, b = middle;
  for (size_t i = 0; i < count; i++) {
    bool first = b == count || (a < middle && compare(context, from[a], from[b]) <= 0);
    to[i] = first ? from[a++] : from[b++];
  }
}

void supplei_merge_sort(uint64_t *items, uint64_t *scratch, size_t count, supplei_compare *compare,
                        const void *context) {
  if (!compare) compare = ascending;
  uint64_t *from = items, *to = scratch;
  for (size_t run = 1; run < count; run *= 2) {
    for (size_t begin = 0; begin < count; begin += 2 * run) {
      size_t left = count - begin;
      merge(from + begin, left < run ? left : run, left < 2 * run ? left : 2 * run, to + begin,
            compare, context);
    }
    uint64_t *swap = from;
    from = to, to = swap;
  }
  if (from != items && count) memcpy(items, from, count * sizeof *items);
}
