/* prologue.h: the header that every source of the library includes first. It keeps the bit contract:
 * no contraction of multiply and add, no excess precision, no fast-math. */
#ifndef SUPPLEI_PROLOGUE_H
#define SUPPLEI_PROLOGUE_H

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
/* gcc ignores the standard pragma; in its default gnu11 mode it would contract on arm64. */
#pragma GCC optimize("fp-contract=off")
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

#endif
