/* kernels_scalar.c: the kernels in plain C. */
#include "../base/prologue.h"

#include "kernels.h"

#include <math.h>
#include <string.h>

#include "../simd/vf_scalar.h"

#include "kernels.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_scalar = {"scalar", lbs, dqs, VF_STREAM_ALIGN, fence};
