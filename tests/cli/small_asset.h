/* small_asset.h: a square tube on two joints, as a .gltf file, for the tests of the command. */
#ifndef SUPPLE_TESTS_SMALL_ASSET_H
#define SUPPLE_TESTS_SMALL_ASSET_H

#include <stdbool.h>

/* Twelve vertices: square rings of half width 0.5 at y = 0, 1, 2 (ring by ring, (x, z) = (+,+), (-,+), (-,-),
 * (+,-)), closed by two triangles at each end; normals point away from the axis. Ring 0 belongs to joint 0,
 * ring 2 to joint 1, ring 1 to both by halves. Joint "root" is node 1 at the origin, "tip" is node 2, its
 * child, 1 above; node 0, "tube", moved by (7, 7, 7), has the mesh. Clips: "turn" turns tip about Y from 0
 * to 180 degrees in a second (keys at 0, 0.25, 1); one without a name moves root by 2 along x in two seconds;
 * "grow" makes the morph weight go from 0 to 1 in a second (target: x + 0.5).
 * `broken` puts a weight's sum to 2 in vertex 0. Returns whether the file was written. */
bool small_asset_write(const char *path, bool broken);

/* A file without skins: one triangle. */
bool small_asset_write_plain(const char *path);

#endif
