/* kernels_avx2.c: the kernels on AVX2. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_X86)
#if !defined(__clang__)
#pragma GCC target("avx2")
#endif
#include <math.h>
#include <string.h>

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#endif
#include "../simd/vf_avx2.h"

#include "kernels.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_avx2 = {"avx2", lbs, dqs, VF_STREAM_ALIGN, fence};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
