/* test_binding.c: what a binding holds and reports, what it refuses, and every allocation failing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include <supple/mesh.h>

#include "src/mesh/binding.h"
#include "tests/mesh/mesh_tests.h"

/* Six vertices of four influences: clean, one joint twice, a negative and a sum of 2, none, five
 * joints in all, and a tie. */
enum { VERTICES = 6, SETS = 4 };
static const uint16_t some_joints[VERTICES * SETS] = {
    0, 0, 0, 0, /* */
    3, 1, 3, 0, /* */
    2, 4, 1, 0, /* */
    9, 1, 2, 3, /* */
    4, 3, 2, 1, /* */
    7, 6, 0, 0,
};
static const float some_weights[VERTICES * SETS] = {
    1,      0,     0,      0,      /* */
    0.25f,  0.5f,  0.25f,  0,      /* */
    1.5f,   -1,    0.5f,   0,      /* */
    0,      0,     0,      0,      /* */
    0.125f, 0.25f, 0.125f, 0.375f, /* */
    0.5f,   0.5f,  0,      0,
};

static supple_primitive some_primitive(void) {
  return (supple_primitive){.vertex_count = VERTICES,
                            .influence_count = SETS,
                            .joints = some_joints,
                            .weights = some_weights};
}

static supple_binding *bind(const supple_primitive *primitive, supple_binding_options options) {
  supple_error error = {.message = "none"};
  supple_binding *binding = supple_binding_create(primitive, &options, &error);
  if (!binding) fail_msg("%s", error.message);
  return binding;
}

static void assert_vertex(const supple_binding *binding, uint32_t vertex, uint32_t count,
                          const uint16_t *joints, const float *weights) {
  const uint16_t *found_joints;
  const float *found_weights;
  assert_int_equal(supple_binding_influences(binding, vertex, &found_joints, &found_weights), count);
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(found_joints[i], joints[i]);
    assert_true(found_weights[i] == weights[i]);
  }
}

static void influences_are_cleaned(void **state) {
  (void)state;
  supple_primitive primitive = some_primitive();
  supple_binding *b = supple_binding_create(&primitive, NULL, NULL);
  assert_non_null(b);
  assert_int_equal(supple_binding_vertex_count(b), VERTICES);
  assert_int_equal(supple_binding_joint_limit(b), 10); /* the vertex without weight names joint 9 */
  assert_vertex(b, 0, 1, (uint16_t[]){0}, (float[]){1});
  assert_vertex(b, 1, 2, (uint16_t[]){1, 3}, (float[]){0.5f, 0.5f});
  assert_vertex(b, 2, 2, (uint16_t[]){1, 2}, (float[]){0.25f, 0.75f});
  assert_vertex(b, 3, 1, (uint16_t[]){9}, (float[]){1});
  const float sum = 0.875f;
  assert_vertex(b, 4, 4, (uint16_t[]){1, 2, 3, 4},
                (float[]){0.375f / sum, 0.125f / sum, 0.25f / sum, 0.125f / sum});
  assert_vertex(b, 5, 2, (uint16_t[]){6, 7}, (float[]){0.5f, 0.5f});
  static const uint16_t pivots[] = {0, 0, 1, 0, 0, 0};
  assert_memory_equal(b->pivots, pivots, sizeof pivots);
  for (uint32_t v = 0; v < VERTICES; v++) assert_true(supple_binding_sum(b, v) == 1);
  const supple_binding_report *r = supple_binding_cleaning(b);
  assert_int_equal(r->vertices, VERTICES);
  assert_int_equal(r->influences, 12);
  assert_int_equal(r->most_influences, 4);
  assert_int_equal(r->duplicates, 1);
  assert_int_equal(r->negatives, 1);
  assert_int_equal(r->renormalised, 2);
  assert_int_equal(r->unweighted, 1);
  assert_int_equal(r->limited, 0);
  assert_true(r->smallest_sum == 0);
  assert_true(r->largest_sum == 2);
  assert_true(r->largest_dropped == 0);
  supple_binding_destroy(b);
}

static void options_choose(void **state) {
  (void)state;
  supple_primitive primitive = some_primitive();
  supple_binding *b = bind(&primitive, (supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP,
                                                                .unweighted = SUPPLE_UNWEIGHTED_REST,
                                                                .max_influences = 1});
  assert_int_equal(supple_binding_joint_limit(b), 7);
  static const uint16_t joints[] = {0, 1, 2, 0, 1, 6};
  /* As stored: negatives clipped, nothing dropped. */
  static const float sums[] = {1, 1, 2, 1, 0.875f, 1};
  for (uint32_t v = 0; v < VERTICES; v++) {
    assert_vertex(b, v, v != 3, &joints[v], (float[]){1});
    assert_true(supple_binding_sum(b, v) == sums[v]);
  }
  const supple_binding_report *r = supple_binding_cleaning(b);
  assert_int_equal(r->influences, 5);
  assert_int_equal(r->most_influences, 1);
  assert_int_equal(r->limited, 6);
  assert_close(r->largest_dropped, 0.5 / 0.875, 1e-7);
  assert_true(r->smallest_sum == 0);
  assert_true(r->largest_sum == 2);
  supple_binding_destroy(b);
}

/* Vertices by their lists {0}, {1,2}, {1,2,3,4}, {1,3}, {6,7}, {9}; everything else moves along. */
static void sorted_by_joints(void **state) {
  (void)state;
  static const uint32_t order[VERTICES] = {0, 2, 4, 1, 5, 3};
  float positions[VERTICES * 3];
  for (int i = 0; i < VERTICES * 3; i++) positions[i] = (float)i;
  supple_primitive primitive = some_primitive();
  primitive.positions = positions;
  for (int keep = 0; keep < 2; keep++) {
    supple_binding_options options = {.weights =
                                          keep ? SUPPLE_WEIGHTS_KEEP : SUPPLE_WEIGHTS_NORMALISE};
    supple_binding *plain = bind(&primitive, options);
    options.sort = options.geometry = true;
    supple_binding *sorted = bind(&primitive, options);
    assert_null(supple_binding_order(plain));
    assert_memory_equal(supple_binding_order(sorted), order, sizeof order);
    for (uint32_t v = 0; v < VERTICES; v++) {
      const uint16_t *joints;
      const float *weights;
      uint32_t n = supple_binding_influences(plain, order[v], &joints, &weights);
      assert_vertex(sorted, v, n, joints, weights);
      assert_int_equal(sorted->pivots[v], plain->pivots[order[v]]);
      assert_true(supple_binding_sum(sorted, v) == supple_binding_sum(plain, order[v]));
      for (uint32_t c = 0; c < 3; c++)
        assert_true(sorted->blocks.geometry[0][c * 16 + v] == positions[3 * order[v] + c]);
    }
    assert_memory_equal(supple_binding_cleaning(sorted), supple_binding_cleaning(plain),
                        sizeof(supple_binding_report));
    assert_int_equal(supple_binding_joint_limit(sorted), 10);
    assert_memory_equal(sorted->joint_boxes, plain->joint_boxes, 10 * sizeof *plain->joint_boxes);
    assert_null(plain->blocks.geometry[0]);
    assert_null(sorted->blocks.geometry[1]); /* the primitive has no normals */
    supple_binding_destroy(plain);
    supple_binding_destroy(sorted);
  }
}

static void kept_sums_are_finite(void **state) {
  (void)state;
  supple_primitive primitive = {.vertex_count = 2,
                                .influence_count = 2,
                                .joints = (uint16_t[]){0, 1, 0, 1},
                                .weights = (float[]){FLT_MAX, FLT_MAX, 0x1p-149f, 0}};
  supple_binding *b = bind(&primitive, (supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP});
  assert_vertex(b, 0, 2, (uint16_t[]){0, 1}, (float[]){0.5f, 0.5f});
  assert_vertex(b, 1, 1, (uint16_t[]){0}, (float[]){1});
  assert_true(supple_binding_sum(b, 0) == FLT_MAX);
  assert_true(supple_binding_sum(b, 1) == 0x1p-149f);
  assert_true(supple_binding_cleaning(b)->largest_sum == FLT_MAX);
  supple_binding_destroy(b);
}

static void nothing_of_the_primitive_is_borrowed(void **state) {
  (void)state;
  uint16_t joints[VERTICES * SETS];
  float weights[VERTICES * SETS], positions[VERTICES * 3] = {0}, offsets[VERTICES * 3] = {0};
  memcpy(joints, some_joints, sizeof joints);
  memcpy(weights, some_weights, sizeof weights);
  supple_morph_target target = {.positions = offsets};
  supple_primitive primitive = some_primitive();
  primitive.joints = joints, primitive.weights = weights, primitive.positions = positions;
  primitive.targets = &target, primitive.target_count = 1;
  supple_binding *b = bind(&primitive, (supple_binding_options){.max_influences = 0});
  memset(joints, 0xFF, sizeof joints);
  memset(weights, 0xFF, sizeof weights);
  memset(positions, 0xFF, sizeof positions);
  memset(&target, 0xFF, sizeof target);
  memset(&primitive, 0xFF, sizeof primitive);
  assert_vertex(b, 2, 2, (uint16_t[]){1, 2}, (float[]){0.25f, 0.75f});
  supple_affine matrices[10];
  for (int j = 0; j < 10; j++)
    matrices[j] = (supple_affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
  supple_palette palette = {.joint_count = 10, .matrices = matrices};
  supple_bounds box = supple_binding_bounds(b, &palette, (float[]){1});
  for (int c = 0; c < 3; c++) assert_true(box.min[c] == 0 && box.max[c] == 0);
  supple_binding_destroy(b);
}

static void borders(void **state) {
  (void)state;
  supple_primitive none = {.influence_count = 1, .joints = some_joints, .weights = some_weights};
  supple_binding *b = bind(&none, (supple_binding_options){.weights = SUPPLE_WEIGHTS_KEEP});
  assert_int_equal(supple_binding_vertex_count(b), 0);
  assert_int_equal(supple_binding_joint_limit(b), 0);
  const supple_binding_report *r = supple_binding_cleaning(b);
  assert_int_equal(r->vertices, 0);
  assert_int_equal(r->influences, 0);
  assert_true(r->smallest_sum == 1 && r->largest_sum == 1);
  supple_binding_destroy(b);

  /* All joints that 16 bits name; a vertex without influence alone. */
  supple_primitive last = {.vertex_count = 1,
                           .influence_count = 1,
                           .joints = (uint16_t[]){65535},
                           .weights = (float[]){0}};
  b = bind(&last, (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_FIRST_JOINT});
  assert_int_equal(supple_binding_joint_limit(b), 65536);
  supple_binding_destroy(b);
  b = bind(&last, (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST});
  assert_int_equal(supple_binding_joint_limit(b), 0);
  assert_vertex(b, 0, 0, NULL, NULL);
  supple_binding_destroy(b);
  supple_binding_destroy(NULL);
}

static void many_influences(void **state) {
  (void)state;
  enum { MANY = 300 };
  uint16_t joints[2 * MANY];
  float weights[2 * MANY];
  for (uint32_t i = 0; i < 2 * MANY; i++)
    joints[i] = (uint16_t)(MANY - 1 - i % MANY), weights[i] = 1.0f / MANY;
  supple_primitive primitive = {
      .vertex_count = 2, .influence_count = MANY, .joints = joints, .weights = weights};
  supple_binding *b = bind(&primitive, (supple_binding_options){.max_influences = 0});
  const uint16_t *found_joints;
  const float *found_weights;
  for (uint32_t v = 0; v < 2; v++) {
    double sum = 0;
    assert_int_equal(supple_binding_influences(b, v, &found_joints, &found_weights), MANY);
    for (uint32_t i = 0; i < MANY; i++) {
      assert_int_equal(found_joints[i], i);
      sum += (double)found_weights[i];
    }
    assert_close(sum, 1, 1e-6);
  }
  assert_int_equal(supple_binding_cleaning(b)->most_influences, MANY);
  supple_binding_destroy(b);
}

static void what_is_refused(void **state) {
  (void)state;
  supple_error error = {.message = "none"};
  supple_primitive good = some_primitive(), bad = good;
  bad.influence_count = 0;
  assert_null(supple_binding_create(&bad, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  assert_non_null(strstr(error.message, "no influences"));
  bad = good, bad.joints = NULL;
  assert_null(supple_binding_create(&bad, NULL, &error));
  assert_int_equal(error.result, SUPPLE_ERROR_ARGUMENT);
  bad = good, bad.weights = NULL;
  assert_null(supple_binding_create(&bad, NULL, NULL));
  static const float no_numbers[] = {NAN, INFINITY, -INFINITY};
  for (size_t i = 0; i < 3; i++) {
    float weights[VERTICES * SETS];
    memcpy(weights, some_weights, sizeof weights);
    weights[4 * SETS + 3] = no_numbers[i];
    bad = good, bad.weights = weights;
    ledger book = {0};
    supple_binding_options options = {.allocator = ledger_allocator(&book)};
    assert_null(supple_binding_create(&bad, &options, &error));
    assert_int_equal(error.result, SUPPLE_ERROR_NUMBER);
    assert_non_null(strstr(error.message, "weight 3 of vertex 4"));
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
  }
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  const float offsets[VERTICES * 3] = {0};
  const supple_morph_target targets[2] = {{.positions = offsets}, {.normals = offsets}};
  supple_primitive primitive = some_primitive();
  primitive.positions = offsets, primitive.targets = targets, primitive.target_count = 2;
  for (int keep = 0; keep < 2; keep++) {
    size_t failures = 0;
    for (bool made = false; !made; failures++) {
      ledger book = {.fail_at = failures + 1};
      supple_binding_options options = {.weights =
                                            keep ? SUPPLE_WEIGHTS_KEEP : SUPPLE_WEIGHTS_NORMALISE,
                                        .allocator = ledger_allocator(&book)};
      supple_error error = {.result = SUPPLE_OK};
      supple_binding *b = supple_binding_create(&primitive, &options, &error);
      made = b != NULL;
      assert_int_equal(error.result, made ? SUPPLE_OK : SUPPLE_ERROR_MEMORY);
      if (!made) assert_non_null(strstr(error.message, "out of memory"));
      supple_binding_destroy(b);
      assert_int_equal(book.live, 0);
      assert_false(book.wrong);
      assert_true(failures < 50);
    }
    assert_true(failures > 5);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(influences_are_cleaned),
      cmocka_unit_test(options_choose),
      cmocka_unit_test(sorted_by_joints),
      cmocka_unit_test(kept_sums_are_finite),
      cmocka_unit_test(nothing_of_the_primitive_is_borrowed),
      cmocka_unit_test(borders),
      cmocka_unit_test(many_influences),
      cmocka_unit_test(what_is_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
