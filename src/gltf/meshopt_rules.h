/* meshopt_rules.h: the rules of EXT_meshopt_compression and KHR_meshopt_compression, and the call of the decoder. */
#ifndef SUPPLEI_MESHOPT_RULES_H
#define SUPPLEI_MESHOPT_RULES_H

#include "../../include/supple/gltf.h"

/* Formats of the errors where a decoder is missing; %s is the extension. The npm package has its decoders from npm. */
#if defined(__wasm__)
#define SUPPLEI_NEEDS_MESHOPT                                                                      \
  "needs meshopt decompression (%s), which is not here: install npm's meshoptimizer"
#define SUPPLEI_NEEDS_DRACO                                                                        \
  "needs Draco mesh decompression (%s), which is not here: install npm's draco3dgltf"
#else
#define SUPPLEI_NEEDS_MESHOPT                                                                      \
  "needs meshopt decompression (%s), which this build has not: build libsupple-codecs with "       \
  "meshoptimizer (Debian: libmeshoptimizer-dev)"
#define SUPPLEI_NEEDS_DRACO                                                                        \
  "needs Draco mesh decompression (%s), which this build has not: build libsupple-codecs with "    \
  "Draco (Debian: libdraco-dev)"
#endif

/* "EXT_meshopt_compression", "KHR_meshopt_compression", NULL. */
extern const char *const supplei_meshopt_names[3];
/* "ATTRIBUTES", "TRIANGLES", "INDICES", NULL; "NONE", "OCTAHEDRAL", "QUATERNION", "EXPONENTIAL", "COLOR", NULL. */
extern const char *const supplei_meshopt_modes[4];
extern const char *const supplei_meshopt_filters[6];

/* How a view is compressed. */
typedef struct supplei_meshopt {
  uint32_t buffer;         /* that has the compressed bytes */
  uint64_t offset, length; /* of them */
  uint64_t stride, count;  /* of the elements */
  uint32_t mode, filter;   /* in the lists above */
} supplei_meshopt;

/* What breaks a rule, as a sentence, or NULL. view_stride 0: none. Nothing of it may be decoded otherwise. */
const char *supplei_meshopt_fault(const supplei_meshopt *meshopt, uint64_t view_length,
                                  uint64_t view_stride);

/* Decodes into out[count × stride]. SUPPLE_ERROR_FORMAT: the data is damaged; SUPPLE_ERROR_UNSUPPORTED: the decoder
 * does not know its version or filter. */
supple_result supplei_meshopt_decode(const supplei_meshopt *meshopt, const supple_codecs *codecs,
                                     const unsigned char *data, unsigned char *out);

#endif
