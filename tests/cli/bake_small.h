/* bake_small.h: the plan of a small bake, for the tests of its parts. */
#ifndef SUPPLE_TESTS_BAKE_SMALL_H
#define SUPPLE_TESTS_BAKE_SMALL_H

#include "cli/bake_plan.h"

/* Clip "turn" of small_asset.h, written to `path`, in so many frames. Options may be changed before: they are borrowed
 * by the stage. Both are freed by bake_small_free. NULL where it cannot be made. */
typedef struct bake_small {
  cli_options options;
  bake_options own;
  cli_stage *stage;
  bake_plan plan;
} bake_small;

bool bake_small_make(bake_small *small, const char *path, bake_format format, uint32_t frames);
void bake_small_free(bake_small *small);

#endif
