/* fix_same.h: what of a repaired asset deformation cannot tell from what it was: the same numbers lead to the same
 * vertices, bit by bit, in every pose. */
#ifndef SUPPLEI_FIX_SAME_H
#define SUPPLEI_FIX_SAME_H

#include "../../include/supple/gltf.h"
#include "../base/memory.h"

/* Two states of an asset, the second with more nodes behind. */
typedef struct supplei_same {
  supple_allocator allocator;
  const supple_asset *before, *after;
  uint8_t *moved; /* [before's node_count] its world may differ in some pose */
  uint32_t *skins; /* [before's skin_count] the skin of `after` that it was compared with last, or SUPPLE_NONE */
  uint8_t *skin_same; /* the outcome */
  uint32_t *first;    /* [before's mesh_count + 1] the number of each mesh's first primitive */
  const supple_primitive **others; /* [primitives] what it was compared with last, or NULL */
  uint8_t *primitive_same;         /* the outcome */
  const supple_primitive *const *
      *meshes; /* [before's mesh_count] the primitives that it was compared with last, or NULL */
  uint8_t *mesh_same; /* the outcome */
} supplei_same;

/* False: out of memory. Release it in any case. */
bool supplei_same_open(supplei_same *same, const supple_asset *before, const supple_asset *after,
                       const supple_allocator *allocator);
void supplei_same_release(supplei_same *same);
/* Whether the skins have equal joint matrices in every pose. */
bool supplei_same_skins(supplei_same *same, const supple_skin *before, const supple_skin *after);
/* Whether primitives have equal positions, morph targets and influences. */
bool supplei_same_primitives(supplei_same *same, const supple_primitive *before,
                             const supple_primitive *after);
/* The same of all primitives of two instances' meshes. */
bool supplei_same_meshes(supplei_same *same, const supple_instance *before,
                         const supple_instance *after);

#endif
