/* bake_gltf.h: a baked clip as a .glb: the source without the skins, its skinned meshes as morph targets. */
#ifndef SUPPLE_CLI_BAKE_GLTF_H
#define SUPPLE_CLI_BAKE_GLTF_H

#include "bake.h"

typedef struct bake_gltf bake_gltf;

/* Lays plan->output out. NULL: it failed, which was reported. */
bake_gltf *bake_gltf_begin(const bake_plan *plan);
/* The next frame; a bake_sink, `user` is the bake_gltf. */
int bake_gltf_frame(void *user, uint32_t frame, const bake_record *record);
/* exit_code CLI_FINE: writes everything else. Another (the frames failed): nothing is left behind. Frees; reports what
 * fails in the output, and returns the code. */
int bake_gltf_end(bake_gltf *gltf, int exit_code);

#endif
