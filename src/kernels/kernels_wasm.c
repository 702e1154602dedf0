/* kernels_wasm.c: the kernels on WebAssembly's SIMD128. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_WASM)
#include <math.h>
#include <string.h>

#include "../simd/vf_wasm.h"

#include "kernels.inl"

#include "steps.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_wasm = {"wasm", lbs_in_steps, dqs_in_steps, VF_STREAM_ALIGN,
                                              fence};
#endif
