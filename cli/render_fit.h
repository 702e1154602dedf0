/* render_fit.h: what a camera has to show: every vertex at every moment under every method; and the place of a joint. */
#ifndef SUPPLE_CLI_RENDER_FIT_H
#define SUPPLE_CLI_RENDER_FIT_H

#include "render_camera.h"
#include "render_scene.h"

typedef struct render_fit {
  render_box box; /* in the camera's directions */
  double deviation; /* the largest distance of a vertex from where the first method has it, in metres */
} render_fit;

/* Deforms all of the scene on `threads` threads. The same whatever their number. CLI_FAILED where a pose cannot be
 * deformed, no vertex is finite, or memory runs out; it was reported. */
int render_fit_find(const cli_stage *stage, const render_scene *scene, const render_camera *camera,
                    const cli_moment *moments, uint32_t moment_count, const supple_method *methods,
                    uint32_t method_count, uint32_t threads, render_fit *fit);

/* A joint to be looked at. */
typedef struct render_place {
  supple_vec3 position; /* of the moment, in the scene */
  double radius; /* of a sphere that holds what bends there, and as much of its bones as shows the bend */
  double turn; /* from where it is seen best: across its bone, from outside the body */
} render_place;

/* Where a node is in a moment, and how much around it is worth seeing; box: all there is, in the directions of a camera
 * without turn and tilt. */
int render_place_find(const cli_stage *stage, const cli_moment *moment, uint32_t node,
                      const render_box *box, render_place *place);

#endif
