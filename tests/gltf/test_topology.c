/* test_topology.c: strips, fans and loops against lists written by hand. */
#include "asset_text.h"

#include "src/gltf/topology.h"

typedef struct expectation {
  supplei_mode mode;
  supple_topology topology;
  uint32_t count, unused, total;
  uint32_t list[20];
} expectation;

static const expectation cases[] = {
    {SUPPLEI_MODE_POINTS, SUPPLE_TOPOLOGY_POINTS, 3, 0, 3, {0, 1, 2}},
    {SUPPLEI_MODE_LINES, SUPPLE_TOPOLOGY_LINES, 5, 1, 4, {0, 1, 2, 3}},
    {SUPPLEI_MODE_LINE_LOOP, SUPPLE_TOPOLOGY_LINES, 3, 0, 6, {0, 1, 1, 2, 2, 0}},
    {SUPPLEI_MODE_LINE_LOOP, SUPPLE_TOPOLOGY_LINES, 1, 1, 0, {0}},
    {SUPPLEI_MODE_LINE_STRIP, SUPPLE_TOPOLOGY_LINES, 4, 0, 6, {0, 1, 1, 2, 2, 3}},
    {SUPPLEI_MODE_LINE_STRIP, SUPPLE_TOPOLOGY_LINES, 1, 1, 0, {0}},
    {SUPPLEI_MODE_TRIANGLES, SUPPLE_TOPOLOGY_TRIANGLES, 8, 2, 6, {0, 1, 2, 3, 4, 5}},
    {SUPPLEI_MODE_TRIANGLES, SUPPLE_TOPOLOGY_TRIANGLES, 2, 2, 0, {0}},
    /* p_i = { v_i, v_(i + 1 + i mod 2), v_(i + 2 - i mod 2) } */
    {SUPPLEI_MODE_TRIANGLE_STRIP,
     SUPPLE_TOPOLOGY_TRIANGLES,
     6,
     0,
     12,
     {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4}},
    {SUPPLEI_MODE_TRIANGLE_STRIP, SUPPLE_TOPOLOGY_TRIANGLES, 2, 2, 0, {0}},
    /* p_i = { v_(i + 1), v_(i + 2), v_0 } */
    {SUPPLEI_MODE_TRIANGLE_FAN, SUPPLE_TOPOLOGY_TRIANGLES, 5, 0, 9, {1, 2, 0, 2, 3, 0, 3, 4, 0}},
    {SUPPLEI_MODE_TRIANGLE_FAN, SUPPLE_TOPOLOGY_TRIANGLES, 1, 1, 0, {0}}};

static void lists(void **state) {
  (void)state;
  static const uint32_t source[] = {10, 7, 25, 3, 99, 42, 8, 1};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const expectation *c = &cases[i];
    uint32_t unused = 77;
    assert_int_equal(supplei_topology_of(c->mode), c->topology);
    assert_int_equal(supplei_topology_count(c->mode, c->count, &unused), c->total);
    assert_int_equal(unused, c->unused);
    uint32_t *out = malloc((c->total + 1) * sizeof *out);
    out[c->total] = 12345;
    supplei_topology_unroll(c->mode, NULL, c->count, out);
    if (c->total) assert_memory_equal(out, c->list, c->total * sizeof *out);
    supplei_topology_unroll(c->mode, source, c->count, out);
    for (uint32_t k = 0; k < c->total; k++) assert_int_equal(out[k], source[c->list[k]]);
    assert_int_equal(out[c->total], 12345);
    free(out);
  }
}

/* Of a flat strip around the z axis every triangle turns the same way. */
static void winding_of_a_strip(void **state) {
  (void)state;
  uint32_t out[30];
  supplei_topology_unroll(SUPPLEI_MODE_TRIANGLE_STRIP, NULL, 12, out);
  for (int t = 0; t < 10; t++) {
    double x[3], y[3];
    for (int k = 0; k < 3; k++)
      x[k] = out[3 * t + k] / 2, y[k] = out[3 * t + k] % 2; /* up, right, up, … */
    double area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
    assert_true(area == -1);
  }
}

static void huge_counts_do_not_overflow(void **state) {
  (void)state;
  uint32_t unused;
  assert_true(supplei_topology_count(SUPPLEI_MODE_TRIANGLE_STRIP, UINT32_MAX, &unused) ==
              3 * UINT64_C(4294967293));
  assert_true(supplei_topology_count(SUPPLEI_MODE_LINE_LOOP, UINT32_MAX, &unused) ==
              2 * UINT64_C(4294967295));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists), cmocka_unit_test(winding_of_a_strip),
                                     cmocka_unit_test(huge_counts_do_not_overflow)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
