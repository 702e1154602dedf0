/* bake_gltf.h: a baked clip as a .glb: the source without the skins, its skinned meshes as morph targets. */
#ifndef SUPPLE_CLI_BAKE_GLTF_H
#define SUPPLE_CLI_BAKE_GLTF_H

#include "bake_part.h"

/* Writes plan->output from all frames. Reports what fails and returns an exit code. */
int bake_gltf_write(const bake_plan *plan, bake_parts *parts);

#endif
