/* order.c: the order of vertices in which neighbours share joints. */
#include "../base/prologue.h"

#include "order.h"

#include "../base/memory.h"
#include "../base/merge_sort.h"

#include <string.h>

static int compare(const void *context, uint64_t left, uint64_t right) {
  const supple_binding *b = context;
  uint32_t i = b->offsets[left], k = b->offsets[right];
  uint32_t end = b->offsets[left + 1], stop = b->offsets[right + 1];
  for (; i < end && k < stop; i++, k++)
    if (b->joints[i] != b->joints[k]) return b->joints[i] < b->joints[k] ? -1 : 1;
  return (i < end) - (k < stop);
}

/* Any lists, by comparison. */
static bool order_by_merging(const supple_binding *binding, uint32_t *order) {
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

/* One more than joint `place` of a vertex; 0 where its list is over, so that shorter ones come first. */
static uint32_t digit(const supple_binding *b, uint32_t vertex, uint32_t place) {
  uint32_t i = b->offsets[vertex] + place;
  return i < b->offsets[vertex + 1] ? b->joints[i] + 1u : 0;
}

/* Stable by one place of the lists; ends has room for joint_limit + 1. */
static void count_sort(const supple_binding *b, uint32_t place, const uint32_t *from, uint32_t *to,
                       uint32_t *ends) {
  uint32_t n = b->vertex_count, sum = 0;
  memset(ends, 0, ((size_t)b->joint_limit + 1) * sizeof *ends);
  for (uint32_t v = 0; v < n; v++) ends[digit(b, v, place)]++;
  for (uint32_t d = 0; d <= b->joint_limit; d++) ends[d] = sum += ends[d];
  for (uint32_t i = n; i-- > 0;) to[--ends[digit(b, from[i], place)]] = from[i];
}

/* Lists that are all short: counted place by place, the last one first. */
static bool order_by_counting(const supple_binding *binding, uint32_t *order) {
  const supple_allocator *a = &binding->allocator;
  uint32_t n = binding->vertex_count;
  uint32_t *scratch = supplei_allocate(a, n, sizeof *scratch);
  uint32_t *ends = supplei_allocate(a, (size_t)binding->joint_limit + 1, sizeof *ends);
  bool ok = scratch && ends;
  if (ok) {
    uint32_t *from = order, *to = scratch;
    for (uint32_t v = 0; v < n; v++) from[v] = v;
    for (uint32_t place = binding->report.most_influences; place-- > 0;) {
      count_sort(binding, place, from, to, ends);
      uint32_t *swap = from;
      from = to, to = swap;
    }
    if (from != order && n) memcpy(order, from, n * sizeof *order);
  }
  supplei_release(a, scratch, n, sizeof *scratch);
  supplei_release(a, ends, (size_t)binding->joint_limit + 1, sizeof *ends);
  return ok;
}

bool supplei_order_by_joints(const supple_binding *binding, uint32_t *order) {
  /* One long list would cost every vertex a pass, and more joints than vertices much the same. */
  bool few =
      binding->report.most_influences <= 8 && binding->joint_limit / 16 <= binding->vertex_count;
  return few ? order_by_counting(binding, order) : order_by_merging(binding, order);
}
