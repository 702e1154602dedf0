/* test_kernels_avx2.c: avx2 gives the bits of the reference. */
#include "tests/kernels/kernel_cases.h"

int main(void) { return kernel_cases_main(SUPPLE_ISA_AVX2); }
