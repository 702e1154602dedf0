/* order.c: the order of vertices in which neighbours share joints. */
#include "../base/prologue.h"

#include "order.h"

#include "../base/memory.h"
#include "../base/merge_sort.h"

static int compare(const void *context, uint64_t left, uint64_t right) {
  const supple_binding *b = context;
  uint32_t i = b->offsets[left], k = b->offsets[right];
  uint32_t end = b->offsets[left + 1], stop = b->offsets[right + 1];
  for (; i < end && k < stop; i++, k++)
    if (b->joints[i] != b->joints[k]) return b->joints[i] < b->joints[k] ? -1 : 1;
  return (i < end) - (k < stop);
}

bool supplei_order_by_joints(const supple_binding *binding, uint32_t *order) {
  const supple_allocator *a = &binding->allocator;
  uint32_t n = binding->vertex_count;
  uint64_t *items = supplei_allocate(a, n, sizeof *items);
  uint64_t *scratch = supplei_allocate(a, n, sizeof *scratch);
  bool ok = items && scratch;
  if (ok) {
    for (uint32_t v = 0; v < n; v++) items[v] = v;
    supplei_merge_sort(items, scratch, n, compare, binding);
    for (uint32_t v = 0; v < n; v++) order[v] = (uint32_t)items[v];
  }
  supplei_release(a, items, n, sizeof *items);
  supplei_release(a, scratch, n, sizeof *scratch);
  return ok;
}
