/* bake_plan.h: which frames of which vertices a bake has, from the options. */
#ifndef SUPPLE_CLI_BAKE_PLAN_H
#define SUPPLE_CLI_BAKE_PLAN_H

#include "bake.h"

/* The options of `bake` alone. */
typedef struct bake_options {
  bool given;
  uint32_t frames; /* 0: not given */
  double fps;      /* 0: not given */
  bool bounds, join, keep_parts;
  const char *shard; /* or NULL */
  int interpolation; /* 0 linear, 1 step */
  double start_frame;
} bake_options;

/* Format by the path's ending (or --bounds), before anything is loaded; CLI_USAGE where the ending is unknown, or
 * options do not go together. */
int bake_choose_format(const cli_options *shared, const bake_options *own, bake_format *format);

/* Everything else, once the file is loaded. Free the plan whatever comes back. */
int bake_plan_make(bake_plan *plan, const cli_stage *stage, const bake_options *own,
                   bake_format format);
void bake_plan_free(bake_plan *plan);

/* The times of a clip from begin to end: `frames` of them evenly spaced, ends included; else fps a second from begin
 * on, the last not after end (30 where fps is 0 too). A clip of no length has one. CLI_USAGE where there would be
 * more than BAKE_FRAMES_MOST. *times is the caller's to free. */
int bake_times(double begin, double end, uint32_t frames, double fps, double **times,
               uint32_t *count);

#endif
