/* bake_npz.h: NumPy arrays of whole clips, in a zip without compression that may be larger than 4 GiB.
 *
 *   positions [frames, vertices, 3] f4, normals (the same, where there are any), times [frames] f8,
 *   triangles [n, 3] u4 (of the vertices numbered through), and one row or number for each primitive:
 *   primitives [p, 3] u4 (node, mesh, primitive), vertex_offsets [p + 1] u8, triangle_offsets [p + 1] u8
 *
 * The data of every array begins at a multiple of 64 bytes of the file, so that programs may map it into memory. */
#ifndef SUPPLE_CLI_BAKE_NPZ_H
#define SUPPLE_CLI_BAKE_NPZ_H

#include "bake.h"

typedef struct bake_npz bake_npz;

/* Writes everything but the frames. zip64: its structures even where nothing needs them, for tests. The output must
 * be able to seek. NULL: out of memory, reported. */
bake_npz *bake_npz_begin(cli_output *output, const bake_plan *plan, bool zip64);
/* The next frame. */
void bake_npz_frame(bake_npz *npz, const bake_record *record);
/* Checksums and the zip's directory; frees. */
void bake_npz_end(bake_npz *npz);
/* Frees, where something failed. NULL is fine. */
void bake_npz_abandon(bake_npz *npz);

#endif
