/* test_blocks.c: influences by blocks of 16 vertices: lists, weights by lane, pivots, wide blocks, lanes without
 * influence, geometry, and the pairs of joints with their graph. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include <supple/mesh.h>

#include "src/mesh/binding.h"
#include "tests/mesh/mesh_tests.h"

enum { SETS = 2 };

static supple_binding *bind(uint32_t vertex_count, uint32_t sets, const uint16_t *joints,
                            const float *weights, supple_binding_options options) {
  supple_primitive primitive = {
      .vertex_count = vertex_count, .influence_count = sets, .joints = joints, .weights = weights};
  supple_binding *b = supple_binding_create(&primitive, &options, NULL);
  assert_non_null(b);
  return b;
}

/* 35 vertices: block 0 uses joints 3, 4 and 9, block 1 joint 2 alone, three vertices are left over. */
enum { VERTICES = 35 };
static void some_influences(uint16_t joints[VERTICES * SETS], float weights[VERTICES * SETS]) {
  for (int v = 0; v < VERTICES; v++) {
    joints[2 * v] = v < 16 ? 9 : v < 32 ? 2 : 11, joints[2 * v + 1] = 3;
    weights[2 * v] = 1, weights[2 * v + 1] = 0;
  }
  weights[2 * 1 + 1] = 3;                        /* vertex 1: 3 with 3/4, 9 with 1/4 */
  joints[2 * 5] = 4;                             /* vertex 5: 4 alone */
  joints[2 * 6 + 1] = 4, weights[2 * 6 + 1] = 1; /* vertex 6: 4 and 9, half each: the pivot is 4 */
  weights[2 * 7] = 0;                            /* vertex 7: none */
  weights[2 * 31] = 0;                           /* and the last of block 1 */
}

static void lists_and_lanes(void **state) {
  (void)state;
  uint16_t joints[VERTICES * SETS];
  float weights[VERTICES * SETS];
  some_influences(joints, weights);
  supple_binding *b = bind(VERTICES, SETS, joints, weights,
                           (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST});
  const supplei_blocks *s = &b->blocks;
  assert_int_equal(s->count, 2); /* the last three vertices are no block */
  assert_int_equal(s->total, 4);
  assert_memory_equal(s->begins, ((uint32_t[]){0, 3, 4}), 12);
  assert_memory_equal(s->joints, ((uint16_t[]){3, 4, 9, 2}), 8);
  assert_int_equal((uintptr_t)s->weights % 64, 0);
  float expected[4][16] = {{0}};
  for (int lane = 0; lane < 16; lane++) expected[2][lane] = 1, expected[3][lane] = 1;
  expected[0][1] = 0.75f, expected[2][1] = 0.25f;
  expected[1][5] = 1, expected[2][5] = 0;
  expected[1][6] = 0.5f, expected[2][6] = 0.5f;
  expected[2][7] = 0, expected[3][15] = 0;
  for (int row = 0; row < 4; row++)
    for (int lane = 0; lane < 16; lane++)
      assert_true(s->weights[row * 16 + lane] == expected[row][lane]);
  uint16_t pivots[32];
  for (int v = 0; v < 32; v++) pivots[v] = v < 16 ? 9 : 2;
  pivots[1] = 3, pivots[5] = pivots[6] = 4, pivots[7] = pivots[31] = 0;
  assert_memory_equal(s->pivots, pivots, sizeof pivots);
  assert_int_equal(s->wide[0] | s->wide[1], 0);
  assert_int_equal(s->special[0], 1 << 7);
  assert_int_equal(s->special[1], 1 << 15);
  /* Pairs (pivot, other): vertex 1 has (3, 9), vertex 6 has (4, 9). The graph has both directions. */
  assert_int_equal(s->pair_count, 2);
  assert_int_equal(s->pair_block_count, 2);
  assert_memory_equal(s->pairs, ((uint16_t[]){3, 9, 4, 9}), 8);
  assert_memory_equal(s->pair_begins, ((uint32_t[]){0, 1, 2}), 12);
  assert_memory_equal(s->pair_blocks, ((uint32_t[]){0, 0}), 8);
  assert_int_equal(b->joint_limit, 12);
  static const uint32_t begins[13] = {0, 0, 0, 0, 1, 2, 2, 2, 2, 2, 4, 4, 4};
  assert_memory_equal(s->edge_begins, begins, sizeof begins);
  assert_memory_equal(s->neighbours, ((uint16_t[]){9, 9, 3, 4}), 8);
  for (int i = 0; i < 3; i++) assert_null(s->geometry[i]);
  supple_binding_destroy(b);
}

/* Block k has k + 11 joints: 11, 12, 13, 14. */
static void wide_from_thirteen_joints_on(void **state) {
  (void)state;
  uint16_t joints[64];
  float weights[64];
  for (int v = 0; v < 64; v++) {
    int most = v / 16 + 11;
    joints[v] = (uint16_t)(100 * (v / 16) + v % 16 % most), weights[v] = 1;
  }
  supple_binding *b = bind(64, 1, joints, weights, (supple_binding_options){.max_influences = 0});
  const supplei_blocks *s = &b->blocks;
  assert_memory_equal(s->wide, ((uint8_t[]){0, 0, 1, 1}), 4);
  assert_memory_equal(s->begins, ((uint32_t[]){0, 11, 23, 23, 23}), 20);
  assert_int_equal(s->total, 23);
  for (int i = 0; i < 12; i++) assert_int_equal(s->joints[11 + i], 100 + i);
  assert_memory_equal(s->pivots, joints, sizeof joints); /* of wide blocks, too */
  assert_int_equal(s->pair_count, 0);
  supple_binding_destroy(b);
  /* A wide block brings no pairs; the same two influences in a narrow one do. */
  uint16_t both[64];
  float shares[64];
  for (int i = 0; i < 64; i++) {
    both[i] = (uint16_t)(i < 32 ? i : 50 + i % 2);
    shares[i] = i % 2 ? 1 : 2;
  }
  b = bind(32, 2, both, shares, (supple_binding_options){.max_influences = 0});
  assert_memory_equal(b->blocks.wide, ((uint8_t[]){1, 0}), 2);
  assert_int_equal(b->blocks.pair_count, 1);
  assert_memory_equal(b->blocks.pairs, ((uint16_t[]){50, 51}), 4);
  assert_int_equal(b->blocks.pair_blocks[0], 1);
  supple_binding_destroy(b);
}

/* Blocks and pairs of random meshes, found again from the influences alone. */
static void check_blocks(const supple_binding *b) {
  const supplei_blocks *s = &b->blocks;
  for (uint32_t block = 0; block < s->count; block++) {
    uint32_t begin = s->begins[block], n = s->begins[block + 1] - begin, used = 0;
    for (uint32_t i = 1; i < n; i++) assert_true(s->joints[begin + i - 1] < s->joints[begin + i]);
    for (uint32_t lane = 0; lane < 16; lane++) {
      const uint16_t *joints;
      const float *weights;
      uint32_t vertex = block * 16 + lane;
      uint32_t count = supple_binding_influences(b, vertex, &joints, &weights), met = 0;
      assert_int_equal(s->special[block] >> lane & 1, count == 0);
      if (count) assert_int_equal(s->pivots[vertex], joints[b->pivots[vertex]]);
      for (uint32_t i = 0; i < n; i++) {
        float w = s->weights[(size_t)(begin + i) * 16 + lane];
        if (w == 0) continue;
        used |= 1u << i;
        assert_true(met < count && joints[met] == s->joints[begin + i] && weights[met] == w);
        met++;
      }
      if (!s->wide[block]) assert_int_equal(met, count);
    }
    assert_int_equal(used, (1u << n) - 1);
  }
}

static bool block_has_pair(const supple_binding *b, uint32_t block, uint16_t pivot, uint16_t other) {
  for (uint32_t v = block * 16; v < block * 16 + 16; v++) {
    const uint16_t *joints;
    const float *weights;
    uint32_t count = supple_binding_influences(b, v, &joints, &weights);
    for (uint32_t i = 0; i < count; i++)
      if (joints[b->pivots[v]] == pivot && joints[i] == other && other != pivot) return true;
  }
  return false;
}

static void check_pairs(const supple_binding *b) {
  const supplei_blocks *s = &b->blocks;
  uint32_t at = 0, edges = 0;
  for (uint32_t pivot = 0; pivot < b->joint_limit; pivot++)
    for (uint32_t other = 0; other < b->joint_limit; other++) {
      uint32_t first = at;
      bool listed = false;
      for (uint32_t p = 0; p < s->pair_count; p++)
        if (s->pairs[p][0] == pivot && s->pairs[p][1] == other) {
          assert_false(listed);
          assert_int_equal(s->pair_begins[p], at);
          listed = true;
        }
      for (uint32_t block = 0; block < s->count; block++)
        if (!s->wide[block] && block_has_pair(b, block, (uint16_t)pivot, (uint16_t)other)) {
          assert_true(at < s->pair_block_count);
          assert_int_equal(s->pair_blocks[at++], block);
        }
      assert_int_equal(listed, at > first);
      if (!listed) continue;
      bool found = false, back = false;
      for (uint32_t e = s->edge_begins[pivot]; e < s->edge_begins[pivot + 1]; e++)
        found |= s->neighbours[e] == other;
      for (uint32_t e = s->edge_begins[other]; e < s->edge_begins[other + 1]; e++)
        back |= s->neighbours[e] == pivot;
      assert_true(found && back);
      edges += 2;
    }
  assert_int_equal(at, s->pair_block_count);
  assert_int_equal(s->pair_begins[s->pair_count], at);
  assert_int_equal(s->edge_begins[b->joint_limit], edges);
}

static void random_meshes(void **state) {
  (void)state;
  enum { MANY = 16 * 9 + 5, MOST = 6 };
  static uint16_t joints[MANY * MOST];
  static float weights[MANY * MOST];
  uint64_t random = 62;
  for (uint32_t round = 0; round < 60; round++) {
    uint32_t sets = 1 + round % MOST, spread = 1 + (uint32_t)(random_bits(&random) % 20);
    uint32_t n = round < 40 ? MANY : (uint32_t)(random_bits(&random) % 40);
    for (uint32_t i = 0; i < n * sets; i++) {
      joints[i] = (uint16_t)(random_bits(&random) % spread + i / sets / 20);
      weights[i] = random_bits(&random) % 4 ? random_float(&random, -0.1, 1) : 0;
    }
    supple_binding *b =
        bind(n, sets, joints, weights,
             (supple_binding_options){.unweighted = SUPPLE_UNWEIGHTED_REST, .sort = round % 2});
    assert_int_equal(b->blocks.count, n / 16);
    check_blocks(b);
    check_pairs(b);
    supple_binding_destroy(b);
  }
}

/* ---- geometry ---- */

static void check_stream(const supple_binding *b, int which, const float *from, uint32_t width) {
  const float *found = b->blocks.geometry[which];
  uint32_t n = b->vertex_count;
  assert_non_null(found);
  assert_int_equal((uintptr_t)found % 64, 0);
  for (uint32_t v = 0; v < (n + 15) / 16 * 16; v++) {
    uint32_t vertex = v < n ? v : n - 1; /* padding repeats the last one */
    if (b->order) vertex = b->order[vertex];
    for (uint32_t c = 0; c < width; c++)
      assert_true(found[(v / 16 * width + c) * 16 + v % 16] == from[vertex * width + c]);
  }
}

static void geometry_by_lanes(void **state) {
  (void)state;
  static const uint32_t counts[] = {1, 15, 16, 17, 35, 48};
  float streams[3][48 * 4];
  uint16_t joints[48];
  float weights[48];
  for (int i = 0; i < 48 * 4; i++)
    for (int k = 0; k < 3; k++) streams[k][i] = (float)(1000 * k + i);
  for (int v = 0; v < 48; v++) joints[v] = (uint16_t)(v * 7 % 5), weights[v] = 1;
  for (int k = 0; k < 12; k++) {
    supple_primitive primitive = {.vertex_count = counts[k / 2],
                                  .positions = streams[0],
                                  .normals = streams[1],
                                  .tangents = streams[2],
                                  .influence_count = 1,
                                  .joints = joints,
                                  .weights = weights};
    supple_binding_options options = {.geometry = true, .sort = k % 2};
    supple_binding *b = supple_binding_create(&primitive, &options, NULL);
    assert_non_null(b);
    assert_int_equal(b->order != NULL, k % 2);
    check_stream(b, 0, streams[0], 3);
    check_stream(b, 1, streams[1], 3);
    check_stream(b, 2, streams[2], 4);
    supple_binding_destroy(b);
    primitive.normals = NULL; /* what the primitive has not */
    b = supple_binding_create(&primitive, &options, NULL);
    assert_non_null(b);
    assert_null(b->blocks.geometry[1]);
    check_stream(b, 2, streams[2], 4);
    supple_binding_destroy(b);
  }
  supple_primitive none = {
      .positions = streams[0], .influence_count = 1, .joints = joints, .weights = weights};
  supple_binding_options options = {.geometry = true, .sort = true};
  supple_binding *b = supple_binding_create(&none, &options, NULL);
  assert_non_null(b);
  assert_int_equal(b->blocks.count, 0);
  assert_null(b->blocks.geometry[0]);
  supple_binding_destroy(b);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  uint16_t joints[VERTICES * SETS];
  float weights[VERTICES * SETS], floats[VERTICES * 4] = {0};
  some_influences(joints, weights);
  supple_primitive primitive = {.vertex_count = VERTICES,
                                .positions = floats,
                                .normals = floats,
                                .tangents = floats,
                                .influence_count = SETS,
                                .joints = joints,
                                .weights = weights};
  for (int keep = 0; keep < 2; keep++) {
    size_t failures = 0;
    for (bool made = false; !made; failures++) {
      ledger book = {.fail_at = failures + 1};
      supple_binding_options options = {.weights =
                                            keep ? SUPPLE_WEIGHTS_KEEP : SUPPLE_WEIGHTS_NORMALISE,
                                        .sort = true,
                                        .geometry = true,
                                        .allocator = ledger_allocator(&book)};
      supple_error error = {.result = SUPPLE_OK};
      supple_binding *b = supple_binding_create(&primitive, &options, &error);
      made = b != NULL;
      assert_int_equal(error.result, made ? SUPPLE_OK : SUPPLE_ERROR_MEMORY);
      supple_binding_destroy(b);
      assert_int_equal(book.live, 0);
      assert_false(book.wrong);
      assert_true(failures < 100);
    }
    assert_true(failures > 25);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lists_and_lanes),
      cmocka_unit_test(wide_from_thirteen_joints_on),
      cmocka_unit_test(random_meshes),
      cmocka_unit_test(geometry_by_lanes),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
