/* node_channels.h: the channels of all clips, node by node. */
#ifndef SUPPLEI_NODE_CHANNELS_H
#define SUPPLEI_NODE_CHANNELS_H

#include "../../include/supple/gltf.h"
#include "../base/memory.h"

/* Those of node n are items[begins[n]] … items[begins[n + 1] - 1], in the order of the file. */
typedef struct supplei_node_channels {
  supple_allocator allocator;
  uint64_t *items;  /* [count] clip << 32 | channel */
  uint32_t *begins; /* [node_count + 2] */
  uint32_t node_count, count;
} supplei_node_channels;

/* False: out of memory. Release it in any case. */
bool supplei_node_channels_list(supplei_node_channels *list, const supple_asset *asset,
                                const supple_allocator *allocator);
void supplei_node_channels_release(supplei_node_channels *list);

#endif
