/* bake_bounds.h: boxes of the posed vertices, printed frame by frame. */
#ifndef SUPPLE_CLI_BAKE_BOUNDS_H
#define SUPPLE_CLI_BAKE_BOUNDS_H

#include "bake.h"

/* Prints a table, or JSON with --json, to stdout: each frame as it is made, then all of them together. */
int bake_bounds_print(const bake_plan *plan);

#endif
