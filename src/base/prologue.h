/* prologue.h: the header that every source of the library includes first. It keeps the bit contract:
 * no contraction of multiply and add, no excess precision, no fast-math. */
#ifndef SUPPLEI_PROLOGUE_H
#define SUPPLEI_PROLOGUE_H

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
/* gcc ignores the standard pragma; in its default gnu11 mode it would contract on arm64. */
#pragma GCC optimize("fp-contract=off")
/* The vectoriser of gcc 12 and later makes fused multiply-add-subtracts all the same, where it compiles for a
 * machine that has them: so for this source it has not. */
#if defined(__FMA__)
#pragma GCC target("no-fma")
#endif
#if defined(__FMA4__)
#pragma GCC target("no-fma4")
#endif
#if defined(__AVX512F__)
#pragma GCC target("no-avx512f")
#endif
#endif

#if defined(__FAST_MATH__)
#error "Supple must not be built with -ffast-math: it promises the same bits everywhere."
#endif

#include <float.h>
/* 16 widens _Float16 alone (gcc with AVX512-FP16): float and double are as they should be. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#error "Supple needs FLT_EVAL_METHOD 0 (on 32-bit x86: -msse2 -mfpmath=sse)."
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__MINGW32__) && (defined(__x86_64__) || defined(__i386__))
/* Where the compiler does not put the instruction itself, sqrt() of this C library goes by way of 80 bits and
 * rounds twice. */
#include <emmintrin.h>
#include <math.h>
static inline double supplei_sqrt(double x) {
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(x), _mm_set_sd(x)));
}
#define sqrt supplei_sqrt
#endif

#endif
