/* codecs.h: decoders of compressed meshes, in a library of their own (libsupple-codecs): they link meshoptimizer and
 * Draco, which the core does without.
 *
 *   supple_load_options options = {.codecs = supple_codecs_all()};
 *   supple_asset *asset = supple_asset_load("small.glb", &options, &error); */
#ifndef SUPPLE_CODECS_H
#define SUPPLE_CODECS_H

#include "gltf.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All decoders of this build; functions of those that it has not are NULL. Constant: any thread may use it. */
SUPPLE_API const supple_codecs *supple_codecs_all(void);

/* A decoder and the extensions that it serves. */
typedef struct supple_codec_info {
  const char *name;       /* "meshoptimizer", "Draco" */
  const char *extensions; /* "EXT_meshopt_compression, KHR_meshopt_compression" */
  const char *package;    /* Debian's, to build with */
  const char *version;    /* of the library, "" where this build has not got it */
} supple_codec_info;

/* Number `index` of the decoders that there can be, built in or not; NULL past the end. */
SUPPLE_API const supple_codec_info *supple_codecs_info(uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
