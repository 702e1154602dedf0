/* bake_pc2.h: PointCache2 files, as 3ds Max writes them and Blender's Mesh Cache modifier reads them.
 *
 * Little endian: "POINTCACHE2\0", version 1, number of points (i32), start frame (f32), frames a sample (f32, 1),
 * number of samples (i32); then the samples, x y z of each point. */
#ifndef SUPPLE_CLI_BAKE_PC2_H
#define SUPPLE_CLI_BAKE_PC2_H

#include "bake.h"

enum { BAKE_PC2_HEAD = 32 };

void bake_pc2_begin(cli_output *output, const bake_plan *plan);
void bake_pc2_frame(cli_output *output, const bake_record *record);

#endif
