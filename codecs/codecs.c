/* codecs.c: which decoders this build has. */
#include "decoders.h"

static const supple_codecs all = {
#if defined(SUPPLE_HAS_MESHOPT)
    .meshopt = supplei_codecs_meshopt,
#endif
#if defined(SUPPLE_HAS_DRACO)
    .draco_open = supplei_codecs_draco_open,
    .draco_read = supplei_codecs_draco_read,
    .draco_close = supplei_codecs_draco_close,
#endif
    .user = NULL};

const supple_codecs *supple_codecs_all(void) { return &all; }

const supple_codec_info *supple_codecs_info(uint32_t index) {
  static const supple_codec_info infos[] = {
      {"meshoptimizer", "EXT_meshopt_compression, KHR_meshopt_compression", "libmeshoptimizer-dev",
#if defined(SUPPLE_HAS_MESHOPT)
       SUPPLE_MESHOPT_VERSION
#else
       ""
#endif
      },
      {"Draco", "KHR_draco_mesh_compression", "libdraco-dev",
#if defined(SUPPLE_HAS_DRACO)
       SUPPLE_DRACO_VERSION
#else
       ""
#endif
      }};
  return index < sizeof infos / sizeof *infos ? &infos[index] : NULL;
}
