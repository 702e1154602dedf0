/* gltf_write.h: glTF 2.0 files from the library's own structs, for fixtures and posed meshes.
 *
 * Everything is described by plain data that the caller owns; the writer copies nothing and
 * keeps nothing. Numbers are written so that they read back as the same bits, whatever the
 * locale. */
#ifndef SUPPLE_CLI_GLTF_WRITE_H
#define SUPPLE_CLI_GLTF_WRITE_H

#include "output.h"

#include <supple/supple.h>

/* What the file holds; a zeroed one is an empty file. Indices (of nodes, meshes, skins,
 * materials, images) are those of the arrays here. Nodes: children follow from `parent`, those without
 * one are the scene's roots; cameras are left out. Primitives: any stream but positions may be
 * NULL; without indices they are drawn in the order of the vertices; influences may be any
 * number, and are padded to sets of four. Skins: `joints`, `inverse_binds` (NULL: left out,
 * identities), `skeleton` and `name` are written. Clips without a channel are left out, since
 * glTF has none. Images that a material uses go into the file, whole (their paths count for nothing).
 * Names are UTF-8; NULL and "" are not written. */
typedef struct cli_gltf {
  const supple_node *nodes;
  uint32_t node_count;
  const float *weights; /* morph weights at rest, as nodes' weight_begin and weight_count say */
  uint32_t weight_count;
  const supple_mesh *meshes;
  uint32_t mesh_count;
  const supple_skin *skins;
  uint32_t skin_count;
  const supple_clip *clips;
  uint32_t clip_count;
  const supple_material *materials;
  uint32_t material_count;
  const supple_image *images;
  uint32_t image_count;
  const char *copyright;
} cli_gltf;

typedef enum cli_gltf_format {
  CLI_GLTF_BINARY, /* .glb */
  CLI_GLTF_TEXT    /* .gltf, the buffer as a data URI */
} cli_gltf_format;

/* A node at the root, at the identity, with no mesh and no skin: what a node starts from. */
supple_node cli_gltf_node(const char *name);

/* Opaque, one-sided, without texture, metallic 0, roughness 0.6: what a material starts from. */
supple_material cli_gltf_material(const char *name, const float color[4]);

/* Whether the file can hold an image: its bytes are there, and glTF or one of its extensions knows its kind. */
bool cli_gltf_image_fits(const supple_image *image);

/* Binary unless the path ends in ".gltf" (in any case of letters). */
cli_gltf_format cli_gltf_format_of(const char *path);

/* Writes the file. On failure nothing has been written, and *error (may be NULL) has a pointer
 * to the place: SUPPLE_ERROR_ARGUMENT where an index points nowhere, a mesh has no primitive, a primitive
 * no vertex, or an image in use does not fit; SUPPLE_ERROR_NUMBER where a number is not finite; SUPPLE_ERROR_LIMIT
 * where the file would pass 4 GiB; SUPPLE_ERROR_MEMORY. Whether the bytes arrived,
 * cli_output_close tells. */
supple_result cli_gltf_write(cli_output *output, const cli_gltf *gltf, cli_gltf_format format,
                             supple_error *error);

#endif
