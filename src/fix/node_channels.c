/* node_channels.c: the channels of all clips, node by node. */
#include "../base/prologue.h"

#include "node_channels.h"

void supplei_node_channels_release(supplei_node_channels *list) {
  const supple_allocator *a = &list->allocator;
  if (!a->release) return;
  supplei_release(a, list->items, list->count, sizeof *list->items);
  supplei_release(a, list->begins, (size_t)list->node_count + 2, sizeof *list->begins);
  *list = (supplei_node_channels){0};
}

bool supplei_node_channels_list(supplei_node_channels *list, const supple_asset *asset,
                                const supple_allocator *allocator) {
  uint64_t count = 0;
  for (uint32_t c = 0; c < asset->clip_count; c++) count += asset->clips[c].channel_count;
  *list = (supplei_node_channels){.allocator = supplei_allocator(allocator),
                                  .node_count = asset->skeleton.node_count};
  if (count >= SUPPLE_NONE) return false;
  list->count = (uint32_t)count;
  list->items = supplei_allocate(&list->allocator, list->count, sizeof *list->items);
  list->begins =
      supplei_allocate_zero(&list->allocator, (size_t)list->node_count + 2, sizeof *list->begins);
  if (!list->items || !list->begins) return false;
  /* First begins[n + 2] counts those of n; then begins[n + 1] is where they begin, and, once they are put, where they
   * end. */
  for (uint32_t c = 0; c < asset->clip_count; c++)
    for (uint32_t i = 0; i < asset->clips[c].channel_count; i++)
      list->begins[asset->clips[c].channels[i].node + 2]++;
  for (uint32_t n = 2; n < list->node_count + 2; n++) list->begins[n] += list->begins[n - 1];
  for (uint32_t c = 0; c < asset->clip_count; c++)
    for (uint32_t i = 0; i < asset->clips[c].channel_count; i++)
      list->items[list->begins[asset->clips[c].channels[i].node + 1]++] = (uint64_t)c << 32 | i;
  return true;
}
