/* select.c: which kernels this machine can run. */
#include "../base/prologue.h"

#include "kernels.h"

#if defined(SUPPLEI_HAS_X86)
#include <cpuid.h>

/* What the processor has and the system saves the registers of, as bits by supplei_isa. A virtual machine takes up to
 * tens of microseconds for each question, so it is asked three. */
static unsigned ask_x86(void) {
  unsigned a, b, c, d, low, high, found = 0;
  if (__get_cpuid_max(0, NULL) < 7) return 0;
  __cpuid(1, a, b, c, d);
  if (!(c & bit_OSXSAVE)) return 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  __cpuid_count(7, 0, a, b, c, d);
  if ((low & 0x6) == 0x6 && (b & bit_AVX2)) found |= 1u << SUPPLEI_ISA_AVX2;
  if ((low & 0xE6) == 0xE6 && (b & bit_AVX512F)) found |= 1u << SUPPLEI_ISA_AVX512;
  return found;
}
#endif

/* has: of what has to be asked for. */
static const supplei_kernels *of_isa(int isa, unsigned has) {
  (void)has;
  switch (isa) {
  case SUPPLEI_ISA_SCALAR: return &supplei_kernels_scalar;
#if defined(SUPPLEI_HAS_X86)
  case SUPPLEI_ISA_SSE2: return &supplei_kernels_sse2;
  case SUPPLEI_ISA_AVX2: return has >> isa & 1 ? &supplei_kernels_avx2 : NULL;
  case SUPPLEI_ISA_AVX512: return has >> isa & 1 ? &supplei_kernels_avx512 : NULL;
#elif defined(SUPPLEI_HAS_NEON)
  case SUPPLEI_ISA_NEON: return &supplei_kernels_neon;
#elif defined(SUPPLEI_HAS_WASM)
  case SUPPLEI_ISA_WASM: return &supplei_kernels_wasm;
#endif
  default: return NULL;
  }
}

void supplei_kernels_select_all(const supplei_kernels *kernels[SUPPLEI_ISA_COUNT]) {
#if defined(SUPPLEI_HAS_X86)
  const unsigned has = ask_x86();
#else
  const unsigned has = 0;
#endif
  kernels[SUPPLEI_ISA_BEST] = NULL;
  for (int isa = 0; isa < SUPPLEI_ISA_COUNT; isa++) {
    if (isa == SUPPLEI_ISA_BEST) continue;
    kernels[isa] = of_isa(isa, has);
    if (kernels[isa]) kernels[SUPPLEI_ISA_BEST] = kernels[isa]; /* the widest come last */
  }
}

const supplei_kernels *supplei_kernels_select(int isa) {
  const supplei_kernels *kernels[SUPPLEI_ISA_COUNT];
  supplei_kernels_select_all(kernels);
  return isa >= 0 && isa < SUPPLEI_ISA_COUNT ? kernels[isa] : NULL;
}
