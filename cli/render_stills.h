/* render_stills.h: pictures for a comparison's page: the worst joints, each at its worst moment, method beside method. */
#ifndef SUPPLE_CLI_RENDER_STILLS_H
#define SUPPLE_CLI_RENDER_STILLS_H

#include "compare.h"

enum { RENDER_STILLS = 6 }; /* as many joints unless told */

/* Draws the first `most` outlines' joints and moments into their `picture`. CLI_FINE, also where there is no OpenGL: then
 * `why` says so and the pictures stay unset; else why is "". CLI_FAILED where drawing failed, which was reported. */
int render_stills(const comparison *results, const cli_stage *stage,
                  supple_measure *const *measures, compared_outline *outlines, uint32_t count,
                  uint32_t most, uint32_t threads, char *why, size_t size);

#endif
