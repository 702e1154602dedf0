/* gpu_files.h: cases as files, for programs that are not in C to run them. */
#ifndef GPU_FILES_H
#define GPU_FILES_H

#include "tests/gpu/gpu_cases.h"

/* PATH.bin: 16 u32 {vertex_count, joint_count, morph_count, streams, influences, width, 8-byte pairs, 16-byte palette
 * texels, 16-byte target texels, scale as float, stride of rest, 0 …}, then rest, ranges, pairs, palette, targets,
 * morph weights, joints and weights (8 a vertex each). */
bool gpu_case_write(const gpu_case *one, const char *path);
/* Reads what another program wrote: float [vertex_count][GPU_STREAM]. NULL, with a message, where it has not. */
float *gpu_case_read(const gpu_case *one, const char *path);
bool gpu_text_write(const char *path, const char *text);

#endif
