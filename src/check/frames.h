/* frames.h: the moments at which a checker or repairer looks at an asset: the nodes as stored, then every clip at
 * its keys. */
#ifndef SUPPLEI_FRAMES_H
#define SUPPLEI_FRAMES_H

#include "../../include/supple/gltf.h"

typedef struct supplei_frame {
  uint32_t clip; /* SUPPLE_NONE: the nodes as stored */
  double seconds;
} supplei_frame;

typedef struct supplei_frames {
  supplei_frame *items;
  uint32_t count, capacity;
  supple_allocator allocator;
} supplei_frames;

/* The first is the nodes as stored. Of each clip at most `most` times: every key of any channel in order, or
 * evenly spaced ones, ends included, where there are more. */
supple_result supplei_frames_create(supplei_frames *frames, const supple_asset *asset,
                                    uint32_t most, const supple_allocator *allocator);
void supplei_frames_release(supplei_frames *frames);
/* Poses all nodes for a frame, updated. */
void supplei_frames_pose(supple_pose *pose, const supple_asset *asset, const supplei_frame *frame);

#endif
