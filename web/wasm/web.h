/* web.h: what the parts of the WebAssembly interface share.
 *
 * Everything that JavaScript calls is a WEB_EXPORT function on numbers: addresses of objects and of arrays in
 * this memory. Addresses of arrays stay what they are until the object that gave them is freed; views on the
 * memory have to be taken anew after any call that may allocate. A function that fails returns 0 (or -1)
 * and web_error_message says why. */
#ifndef SUPPLE_WEB_H
#define SUPPLE_WEB_H

#include "web_text.h"

#include <supple/supple.h>

#define WEB_EXPORT /* build.sh finds exports by this word */

/* The last failure. */
extern supple_error web_error;

/* How to load: codecs and external files come from JavaScript (the imports of web_host.c). */
supple_load_options web_load_options(uint32_t flags);

/* An instance, ready to be deformed by any method: bindings, a palette, and output for each method. */
typedef struct web_skinned {
  const supple_asset *asset;
  const supple_instance *instance;
  const supple_binding **bindings; /* [primitive_count], NULL where it has no influences */
  supple_palette *palette;
  float **morphed; /* [primitive_count] positions, NULL where nothing morphs */
  float **morphed_normals;
  float **morphed_tangents;
  supple_prepared **prepared[2]; /* by method, [primitive_count] */
  float **positions[2], **normals[2], **tangents[2];
  supple_deform_report deformed[2]; /* of the last deformation */
} web_skinned;

#endif
