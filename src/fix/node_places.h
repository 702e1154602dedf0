/* node_places.h: where the nodes of a document stand: among whose children, below which root, in which scenes. */
#ifndef SUPPLEI_NODE_PLACES_H
#define SUPPLEI_NODE_PLACES_H

#include "../../include/supple/document.h"
#include "../base/memory.h"

typedef struct supplei_node_places {
  supple_allocator allocator;
  uint32_t node_count, scene_entries;
  uint32_t *roots;     /* [node_count] the root above a node, or itself */
  supple_value *items; /* [node_count] its number among its parent's children, or SUPPLE_NONE */
  uint64_t *scenes;    /* [scene_entries] node << 32 | scene, ascending */
} supplei_node_places;

/* The document as it is now, and the asset that it is. False: out of memory. Release it in any case. */
bool supplei_node_places_find(supplei_node_places *places, const supple_document *document,
                              const supple_asset *asset, const supple_allocator *allocator);
void supplei_node_places_release(supplei_node_places *places);
/* The scenes that name a node: entries begin … *end - 1; their lower halves. Returns begin. */
uint32_t supplei_node_places_scenes(const supplei_node_places *places, uint32_t node, uint32_t *end);
/* Whether the scene names the node. */
bool supplei_node_places_holds(const supplei_node_places *places, uint32_t node, uint32_t scene);

#endif
