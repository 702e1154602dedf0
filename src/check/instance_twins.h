/* instance_twins.h: skinned nodes that deformation cannot tell apart. */
#ifndef SUPPLEI_INSTANCE_TWINS_H
#define SUPPLEI_INSTANCE_TWINS_H

#include "../../include/supple/gltf.h"

/* first[i]: the first instance with the mesh, the skin and, where its mesh morphs, the weights (which no clip moves) of
 * instance i: all of them are at the same places in the scene in every pose. False: out of memory. */
bool supplei_instance_twins(const supple_asset *asset, uint32_t *first,
                            const supple_allocator *allocator);

#endif
