/* render_scene.h: what is drawn of an asset: the primitives of its default scene, skinned or not. */
#ifndef SUPPLE_CLI_RENDER_SCENE_H
#define SUPPLE_CLI_RENDER_SCENE_H

#include "stage.h"

/* A primitive where it is drawn. */
typedef struct render_part {
  const supple_primitive *primitive;
  const supple_material *material; /* NULL: none */
  uint32_t node;                   /* that carries it */
  uint32_t instance; /* of the stage, or SUPPLE_NONE: the node's world transform moves it, nothing else */
  uint32_t slot; /* of the primitive in its mesh */
  bool skinned;  /* it is of an instance and has influences */
} render_part;

typedef struct render_scene {
  render_part *parts; /* instances first, in the file's order */
  uint32_t part_count;
  uint64_t triangle_count; /* of all parts, copies not counted */
} render_scene;

/* Lists them. Nodes outside the default scene are left out, where there is one that shows anything. CLI_FAILED where
 * there is nothing to draw or memory runs out, which was reported. Borrows the stage. */
int render_scene_make(const cli_stage *stage, render_scene *scene);
void render_scene_free(render_scene *scene);

#endif
