/* kernels_sse2.c: the kernels on SSE2. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_X86)
#if !defined(__clang__)
#pragma GCC target("sse2")
#endif
#include <math.h>
#include <string.h>

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("sse2"))), apply_to = function)
#endif
#include "../simd/vf_sse2.h"

#include "kernels.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_sse2 = {"sse2", lbs, dqs, VF_STREAM_ALIGN, fence};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
