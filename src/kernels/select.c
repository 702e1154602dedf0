/* select.c: which kernels this machine can run. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_X86)
#include <cpuid.h>

/* Whether the processor has it and the system saves its registers. */
static bool has_x86(int isa) {
  unsigned a, b, c, d;
  if (isa == SUPPLEI_ISA_SSE2) return true; /* part of x86-64 */
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE)) return false;
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  bool ymm = (low & 0x6) == 0x6, zmm = (low & 0xE6) == 0xE6;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
  return isa == SUPPLEI_ISA_AVX2 ? ymm && (b & bit_AVX2) : zmm && (b & bit_AVX512F);
}
#endif

static const supplei_kernels *of_isa(int isa) {
  switch (isa) {
  case SUPPLEI_ISA_SCALAR: return &supplei_kernels_scalar;
#if defined(SUPPLEI_HAS_X86)
  case SUPPLEI_ISA_SSE2: return &supplei_kernels_sse2;
  case SUPPLEI_ISA_AVX2: return has_x86(isa) ? &supplei_kernels_avx2 : NULL;
  case SUPPLEI_ISA_AVX512: return has_x86(isa) ? &supplei_kernels_avx512 : NULL;
#elif defined(SUPPLEI_HAS_NEON)
  case SUPPLEI_ISA_NEON: return &supplei_kernels_neon;
#elif defined(SUPPLEI_HAS_WASM)
  case SUPPLEI_ISA_WASM: return &supplei_kernels_wasm;
#endif
  default: return NULL;
  }
}

const supplei_kernels *supplei_kernels_select(int isa) {
  if (isa != SUPPLEI_ISA_BEST) return of_isa(isa);
  for (int best = SUPPLEI_ISA_COUNT - 1; best > SUPPLEI_ISA_SCALAR; best--) {
    const supplei_kernels *kernels = of_isa(best);
    if (kernels) return kernels;
  }
  return of_isa(SUPPLEI_ISA_SCALAR);
}
