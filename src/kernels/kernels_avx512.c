/* kernels_avx512.c: the kernels on AVX-512. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_X86)
#if !defined(__clang__)
#pragma GCC target("avx512f")
#endif
#include <math.h>
#include <string.h>

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#endif
#include "../simd/vf_avx512.h"

#include "kernels.inl"

static void fence(void) { vf_fence(); }

const supplei_kernels supplei_kernels_avx512 = {"avx512", lbs, dqs, VF_STREAM_ALIGN, fence};
#if defined(__clang__)
#pragma clang attribute pop
#endif
#endif
