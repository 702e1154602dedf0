/* test_bench_plain.c: the plain loops skin, at every level that the machine has. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/bench_plain.h"

#include <math.h>
#include <string.h>

enum { VERTICES = 37, JOINTS = 2 };

/* Joint 0 rests, joint 1 turns by 90 degrees about Y and moves up by 2. */
static const float matrices[12 * JOINTS] = {1, 0, 0, 0, 0, 1, 0, 0, 0,  0, 1, 0,
                                            0, 0, 1, 0, 0, 1, 0, 2, -1, 0, 0, 0};

static void check(supple_isa isa, uint32_t count, supple_method method) {
  static float positions[3 * VERTICES], normals[3 * VERTICES], tangents[4 * VERTICES],
      weights[8 * VERTICES];
  static float out_positions[3 * VERTICES], out_normals[3 * VERTICES], out_tangents[4 * VERTICES];
  static uint16_t joints[8 * VERTICES];
  const float half = sqrtf(0.5f);
  const float dual_quats[8 * JOINTS] = {0, 0,    0, 1,    0, 0,    0, 0,
                                        0, half, 0, half, 0, half, 0, -half};
  memset(weights, 0, sizeof weights);
  memset(joints, 0, sizeof joints);
  for (uint32_t v = 0; v < VERTICES; v++) {
    positions[3 * v] = normals[3 * v] = tangents[4 * v + 2] = 1;
    tangents[4 * v + 3] = -1;
    joints[count * v + 1] = 1;
    weights[count * v] = weights[count * v + 1] = 0.5f;
  }
  const cli_bench_plain plain = {VERTICES,   count,         positions,   normals,
                                 tangents,   weights,       joints,      matrices,
                                 dual_quats, out_positions, out_normals, out_tangents};
  cli_bench_plain_run(&plain, method, isa);
  const float x = method == SUPPLE_DQS ? half : 0.5f;
  for (uint32_t v = 0; v < VERTICES; v++) {
    assert_true(fabsf(out_positions[3 * v] - x) < 1e-6f &&
                fabsf(out_positions[3 * v + 1] - 1) < 1e-6f &&
                fabsf(out_positions[3 * v + 2] + x) < 1e-6f);
    assert_true(fabsf(out_normals[3 * v] - x) < 1e-6f && fabsf(out_normals[3 * v + 1]) < 1e-6f);
    assert_true(fabsf(out_tangents[4 * v] - x) < 1e-6f &&
                fabsf(out_tangents[4 * v + 2] - x) < 1e-6f && out_tangents[4 * v + 3] == -1.0f);
  }
}

static void test_levels(void **state) {
  (void)state;
  uint32_t levels = 0;
  for (int isa = SUPPLE_ISA_SCALAR; isa <= SUPPLE_ISA_WASM; isa++) {
    if (!cli_bench_plain_has((supple_isa)isa)) continue;
    levels++;
    for (uint32_t count = 2; count <= 8; count++) { /* 4 and 8 have loops of their own */
      check((supple_isa)isa, count, SUPPLE_LBS);
      check((supple_isa)isa, count, SUPPLE_DQS);
    }
  }
  assert_true(levels > 0);
}

static void test_copy(void **state) {
  (void)state;
  static _Alignas(64) unsigned char from[300], to[300];
  for (size_t i = 0; i < sizeof from; i++) from[i] = (unsigned char)(i * 7 + 1);
  for (size_t size = 0; size < sizeof from; size += 37) {
    memset(to, 0, sizeof to);
    cli_bench_copy(to, from, size);
    assert_memory_equal(to, from, size);
    assert_int_equal(to[size], 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_copy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
