/* motion.h: what a comparison looks at: clips at their times, or a range of motion made by hand.
 *
 * The range of motion bends every joint that can bend, one at a time, from the nodes as stored (and --pose):
 * twisted by 90, -90 and 180 degrees, bent by 90 and 120. Each joint is one clip named after it, and each
 * of its poses one time of that clip, a second apart. */
#ifndef SUPPLE_CLI_MOTION_H
#define SUPPLE_CLI_MOTION_H

#include "handpose.h"
#include "stage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One clip, and where it is looked at. */
typedef struct motion_clip {
  char *name;                /* to be shown; owned */
  uint32_t clip;             /* of the asset, or SUPPLE_NONE: the nodes as stored */
  double *times;             /* seconds; owned */
  uint32_t time_count;       /* at least 1 */
  size_t first_frame;        /* the number of its first time among all times of all clips */
  const char *const *labels; /* one a time, or NULL: "twist 90°" */
  cli_turn *turns;           /* one a time on top of the pose, or NULL; owned */
} motion_clip;

typedef struct motion_plan {
  motion_clip *clips;
  uint32_t clip_count;
  size_t frame_count; /* times of all clips */
  bool range;         /* made by hand, not read from the file */
} motion_plan;

/* The clips of the file as the options say: all, or --clip; --rest (and --pose alone) is one clip
 * of one moment, "stored pose" or "given pose". A file without clips gives none (clip_count 0).
 * NULL where --clip names none or memory runs out: *exit_code says which. */
motion_plan *motion_from_clips(const cli_stage *stage, int *exit_code);
/* The range of motion of every joint that shares vertices with another, by the measures of the
 * stage's instances; where none does, the stored pose as above. NULL where memory runs out. */
motion_plan *motion_from_range(const cli_stage *stage, const supple_measure *const *measures,
                               int *exit_code);
void motion_free(motion_plan *all);

/* The clip that a frame belongs to; frame < frame_count. */
uint32_t motion_find(const motion_plan *all, size_t frame);
/* Whether it is a moment of a clip (or of a range of motion), not the one pose given or stored. */
bool motion_is_clip(const motion_plan *all, size_t frame);
/* What cli_workspace_pose needs for it. Borrows. */
cli_moment motion_moment(const motion_plan *all, size_t frame);
/* "0.83 s", or the pose's label; 64 bytes suffice. Returns text. */
const char *motion_when(const motion_plan *all, size_t frame, char *text, size_t size);

#endif
