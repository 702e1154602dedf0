/* bake_strip.h: a document made ready to take baked meshes: without skins, without what the frames replace. */
#ifndef SUPPLE_CLI_BAKE_STRIP_H
#define SUPPLE_CLI_BAKE_STRIP_H

#include "bake.h"

/* Where an instance's baked mesh is in the document. */
typedef struct bake_place {
  bool left_out; /* its node is in no scene */
  uint32_t node; /* that shows the mesh */
  supple_value primitives; /* of the mesh: only those that are baked, in order, without positions and normals */
} bake_place;

/* Gives each instance a mesh of its own with what its primitives keep (indices, materials, texture coordinates,
 * colours) and a node at the root that shows it (in mesh space its own node), takes the skins out, leaves of the
 * animations only the clip, as animation 0 (for one pose none: nodes stand as the clip has them then), and drops
 * what nothing uses any more. places: [instance_count] of the stage. Reports what fails. */
int bake_strip(supple_document *document, const bake_plan *plan, bake_place *places);

/* Reports an error of the library about the plan's file. CLI_FAILED. */
int bake_complain_of(const bake_plan *plan, const supple_error *error);

#endif
