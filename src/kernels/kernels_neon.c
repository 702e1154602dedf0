/* kernels_neon.c: the kernels on arm64's NEON. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_NEON)
#include <math.h>
#include <string.h>

#include "../simd/vf_neon.h"

#include "kernels.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_neon = {"neon", lbs, dqs, VF_STREAM_ALIGN, fence};
#endif
