/* kernels_scalar.c: the kernels in plain C. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_SMALL)
const supplei_kernels supplei_kernels_scalar = {.name = "scalar"};
#else
#include <math.h>
#include <string.h>

#include "../simd/vf_scalar.h"

#include "kernels.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_scalar = {"scalar", lbs, dqs, VF_STREAM_ALIGN, fence};
#endif
