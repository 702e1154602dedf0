/* posed_bounds.h: the boxes that an asset's skinned vertices fill: at rest, and over each clip. */
#ifndef SUPPLE_CLI_POSED_BOUNDS_H
#define SUPPLE_CLI_POSED_BOUNDS_H

#include "stage.h"

/* Tight, from every vertex at every time that cli_clip_times gives. Empty (min > max) without vertices. Of
 * copies (EXT_mesh_gpu_instancing) the boxes around the moved box count. */
typedef struct cli_posed_bounds {
  supple_bounds rest;   /* nodes as stored, --pose applied */
  supple_bounds posed;  /* over all clips; at rest where there is none */
  supple_bounds *clips; /* [clip_count] */
  uint32_t *times;      /* [clip_count] how many times were looked at */
  uint32_t clip_count;
} cli_posed_bounds;

/* clip: look at this one alone, the others stay empty; SUPPLE_NONE: at all. CLI_FINE, or an exit code with the reason
 * reported. Free it whatever comes back. */
int cli_posed_bounds_find(const cli_stage *stage, supple_method method, uint32_t clip,
                          cli_posed_bounds *bounds);
void cli_posed_bounds_free(cli_posed_bounds *bounds);

#endif
