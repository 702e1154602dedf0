/* test_order.c: the order in which neighbours share joints: by lists, shorter first, stable. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include <supple/mesh.h>

#include "src/mesh/order.h"
#include "tests/mesh/mesh_tests.h"

/* A binding as far as the order looks at it. */
typedef struct lists {
  uint32_t vertex_count, influence_count;
  uint16_t *joints;
  float *weights;
} lists;

static supple_binding *bind(const lists *l, supple_binding_options options) {
  supple_primitive primitive = {.vertex_count = l->vertex_count,
                                .influence_count = l->influence_count,
                                .joints = l->joints,
                                .weights = l->weights};
  supple_binding *b = supple_binding_create(&primitive, &options, NULL);
  assert_non_null(b);
  return b;
}

static void lists_are_compared_joint_by_joint(void **state) {
  (void)state;
  uint16_t joints[] = {7,     0, 0, /* {7} */
                       2,     5, 0, /* {2, 5} */
                       5,     2, 9, /* {2, 5, 9} */
                       2,     0, 0, /* {2} */
                       1,     9, 0, /* {1, 9} */
                       0,     0, 0, /* {} */
                       5,     2, 0, /* {2, 5} again: after the first */
                       2,     0, 0, /* {2} again */
                       65535, 1, 0};
  float weights[] = {1, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1, 1,
                     0, 0, 0, 0, 3, 1, 0, 5, 0, 0, 1, 1, 0};
  lists l = {9, 3, joints, weights};
  supple_binding *b = bind(&l, (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST});
  uint32_t order[9];
  assert_true(supplei_order_by_joints(b, order));
  static const uint32_t expected[9] = {5, 4, 8, 3, 7, 1, 6, 2, 0};
  assert_memory_equal(order, expected, sizeof expected);
  supple_binding_destroy(b);
}

static int compare_lists(const supple_binding *b, uint32_t left, uint32_t right) {
  const uint16_t *l, *r;
  const float *unused;
  uint32_t nl = supple_binding_influences(b, left, &l, &unused);
  uint32_t nr = supple_binding_influences(b, right, &r, &unused);
  for (uint32_t i = 0; i < nl && i < nr; i++)
    if (l[i] != r[i]) return l[i] < r[i] ? -1 : 1;
  return nl < nr ? -1 : nl > nr;
}

/* Every neighbour pair is in order, ties by number, nobody twice: that determines the order. */
static void check(const supple_binding *b) {
  uint32_t n = supple_binding_vertex_count(b);
  uint32_t *order = malloc((n + 1) * sizeof *order);
  uint8_t *seen = calloc(n + 1, 1);
  assert_true(order && seen);
  assert_true(supplei_order_by_joints(b, order));
  for (uint32_t i = 0; i < n; i++) {
    assert_true(order[i] < n && !seen[order[i]]);
    seen[order[i]] = 1;
    int c = i ? compare_lists(b, order[i - 1], order[i]) : -1;
    assert_true(c < 0 || (c == 0 && order[i - 1] < order[i]));
  }
  free(order);
  free(seen);
}

static void random_lists(void **state) {
  (void)state;
  uint64_t random = 61;
  static const uint32_t counts[] = {1, 4, 8, 9, 13}; /* counted up to 8, merged above */
  static const uint32_t limits[] = {3, 40, 65536};   /* counted, and merged where few vertices */
  for (int k = 0; k < 5; k++)
    for (int j = 0; j < 3; j++)
      for (uint32_t n = 0; n < 5000; n = n * 4 + 1) {
        lists l = {n, counts[k], calloc((size_t)n * counts[k] + 1, 2),
                   calloc((size_t)n * counts[k] + 1, 4)};
        assert_true(l.joints && l.weights);
        for (uint32_t i = 0; i < n * counts[k]; i++) {
          l.joints[i] = (uint16_t)(random_bits(&random) % limits[j]);
          l.weights[i] = random_bits(&random) % 3 ? 0.5f : 0;
        }
        if (n) l.joints[0] = (uint16_t)(limits[j] - 1), l.weights[0] = 1;
        supple_binding *b = bind(&l, (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST});
        check(b);
        supple_binding_destroy(b);
        free(l.joints);
        free(l.weights);
      }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lists_are_compared_joint_by_joint),
                                     cmocka_unit_test(random_lists)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
