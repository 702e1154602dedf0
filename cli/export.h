/* export.h: posed vertices as files: .json .npz .obj .ply .glb .gltf. */
#ifndef SUPPLE_CLI_EXPORT_H
#define SUPPLE_CLI_EXPORT_H

#include "checksum.h"
#include "output.h"

#include <supple/supple.h>

/* One primitive of one instance, posed. normals and tangents may be NULL. */
typedef struct cli_posed {
  uint32_t node;
  const char *name; /* the node's, "" where it has none */
  const supple_primitive *source;
  const float *positions, *normals, *tangents;
  uint32_t copy, copies; /* which one of how many that the instance is drawn as; 0, 0: drawn once */
} cli_posed;

typedef enum cli_export_format {
  CLI_EXPORT_JSON,
  CLI_EXPORT_NPZ, /* uncompressed zip of NumPy arrays node3_primitive0_positions, …_normals, …_triangles */
  CLI_EXPORT_OBJ,
  CLI_EXPORT_PLY, /* binary little endian, everything in one list */
  CLI_EXPORT_GLTF /* .glb or .gltf: static meshes, with what is known of their materials */
} cli_export_format;

/* Format of a path by its ending, in any case of letters; false: none of them. */
bool cli_export_format_of(const char *path, cli_export_format *format);

/* Writes all primitives, which come in the order of the file, those of a node together, copy by copy. `path` tells .glb
 * from .gltf. Reports what fails and returns an exit code; closing the output stays with the caller. */
int cli_export(cli_output *output, const char *path, cli_export_format format,
               const supple_asset *asset, const cli_posed *posed, uint32_t count);

#endif
