/* fix_poses.h: the poses that a repair is judged by: the nodes as stored, every clip at its keys, or, where there is
 * no clip, a range of motion. */
#ifndef SUPPLEI_FIX_POSES_H
#define SUPPLEI_FIX_POSES_H

#include "../check/frames.h"

typedef struct supplei_poses {
  supple_allocator allocator;
  supplei_frame *frames; /* [frame_count] the first is the nodes as stored */
  uint32_t frame_count;
  uint32_t count;    /* of all poses: frames, then those of the range */
  bool range;        /* there are made up ones, behind the frames */
  uint8_t *is_joint; /* [node_count] where there is a range: what is turned */
  uint32_t node_count;
} supplei_poses;

/* At most `most` times of each clip: its keys, and where there is room for more, times between them. Without clips, and
 * where `range` is set, 48 more poses in which every joint is turned, each time about another axis, by up to 75
 * degrees. */
supple_result supplei_poses_create(supplei_poses *poses, const supple_asset *asset, uint32_t most,
                                   bool range, const supple_allocator *allocator);
void supplei_poses_release(supplei_poses *poses);
/* Takes pose `index` of all nodes, updated. `asset` may be a later state of the one that the poses were made
 * for, with more nodes behind and the same clips. */
void supplei_poses_take(const supplei_poses *poses, uint32_t index, const supple_asset *asset,
                        supple_pose *pose);

#endif
