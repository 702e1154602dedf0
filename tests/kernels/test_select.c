/* test_select.c: which kernels are chosen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "src/kernels/kernels.h"
#include "supple/deform.h"

static void numbers_are_those_of_the_public_header(void **state) {
  (void)state;
  assert_int_equal(SUPPLEI_ISA_BEST, SUPPLE_ISA_BEST);
  assert_int_equal(SUPPLEI_ISA_SCALAR, SUPPLE_ISA_SCALAR);
  assert_int_equal(SUPPLEI_ISA_SSE2, SUPPLE_ISA_SSE2);
  assert_int_equal(SUPPLEI_ISA_AVX2, SUPPLE_ISA_AVX2);
  assert_int_equal(SUPPLEI_ISA_AVX512, SUPPLE_ISA_AVX512);
  assert_int_equal(SUPPLEI_ISA_NEON, SUPPLE_ISA_NEON);
  assert_int_equal(SUPPLEI_ISA_WASM, SUPPLE_ISA_WASM);
  assert_int_equal(SUPPLEI_ISA_COUNT, SUPPLE_ISA_WASM + 1);
}

static void names_fit_and_the_widest_is_best(void **state) {
  (void)state;
  const supplei_kernels *widest = NULL;
  for (int isa = SUPPLEI_ISA_SCALAR; isa < SUPPLEI_ISA_COUNT; isa++) {
    const supplei_kernels *kernels = supplei_kernels_select(isa);
    assert_int_equal(supple_isa_available((supple_isa)isa), kernels != NULL);
    if (!kernels) continue;
    assert_string_equal(kernels->name, supple_isa_text((supple_isa)isa));
    widest = kernels;
  }
  assert_ptr_equal(supplei_kernels_select(SUPPLEI_ISA_BEST), widest);
  const supplei_kernels *all[SUPPLEI_ISA_COUNT];
  supplei_kernels_select_all(all);
  for (int isa = 0; isa < SUPPLEI_ISA_COUNT; isa++)
    assert_ptr_equal(all[isa], supplei_kernels_select(isa));
  assert_non_null(supplei_kernels_select(SUPPLEI_ISA_SCALAR));
  assert_null(supplei_kernels_select(SUPPLEI_ISA_COUNT));
  assert_null(supplei_kernels_select(-1));
#if defined(__x86_64__)
  assert_non_null(supplei_kernels_select(SUPPLEI_ISA_SSE2));
  assert_null(supplei_kernels_select(SUPPLEI_ISA_NEON));
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_those_of_the_public_header),
                                     cmocka_unit_test(names_fit_and_the_widest_is_best)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
