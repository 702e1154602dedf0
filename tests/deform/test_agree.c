/* test_agree.c: signs along the tree of joints that share vertices, and which blocks may trust them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "src/deform/prepared.h"
#include "tests/deform/deform_tests.h"

enum { MOST_BLOCKS = 40, JOINTS = 24, SETS = 4 };

/* One block of 16 vertices for each pair, the pivot first: 3/4 and 1/4. */
static supple_binding *bind_pairs(const uint16_t (*pairs)[2], uint32_t count) {
  static uint16_t joints[MOST_BLOCKS * 16 * 2];
  static float weights[MOST_BLOCKS * 16 * 2];
  for (uint32_t v = 0; v < count * 16; v++) {
    memcpy(joints + 2 * v, pairs[v / 16], 4);
    weights[2 * v] = 0.75f, weights[2 * v + 1] = 0.25f;
  }
  return bind(count * 16, 2, joints, weights);
}

static supple_affine about_z(double degrees) { return turned(0, 0, 1, degrees, 1); }

static void assert_flips(const supple_prepared *p, const int *expected, uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    assert_true(p->flips[j] == (float)expected[j]);
    for (int k = 0; k < 4; k++) {
      float sign = expected[j] < 0 ? -1.0f : 1.0f; /* 0: no vertex uses it */
      assert_true(p->agreed_rigid[j].real[k] == sign * p->rigid[j].real[k]);
      assert_true(p->agreed_rigid[j].dual[k] == sign * p->rigid[j].dual[k]);
    }
  }
}

static void assert_doubtful(const supple_prepared *p, const uint8_t *expected, uint32_t count) {
  uint8_t any = 0;
  for (uint32_t k = 0; k < count; k++) {
    assert_int_equal(p->doubtful[k], expected[k]);
    any |= expected[k];
  }
  assert_int_equal(p->any_doubtful, any);
}

/* About z by 0, 100, 200 and 300 degrees the stored quaternions (z, w) are (0, 1), (.77, .64), (.98, -.17)
 * and (-.5, .87): only the last two are apart. */
static void chains_agree(void **state) {
  (void)state;
  static const uint16_t pairs[3][2] = {{0, 1}, {2, 1}, {2, 3}};
  supple_affine matrices[5];
  for (int j = 0; j < 5; j++) matrices[j] = translated(about_z(100.0 * j), 1, 2, 3);
  supple_palette palette = palette_of(matrices, 5);
  supple_binding *b = bind_pairs(pairs, 3);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_int_equal(b->joint_limit, 4); /* the palette's last joint has no vertex */
  assert_flips(p, (int[]){1, 1, 1, -1, 0}, 5);
  assert_doubtful(p, (uint8_t[]){0, 0, 0}, 3);
  /* The next frame starts anew. */
  for (int j = 0; j < 5; j++) matrices[j] = about_z(0);
  assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
  assert_flips(p, (int[]){1, 1, 1, 1, 0}, 5);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* The same closed: all the way round the signs cannot agree. From joint 0 on, breadth first, 1 and 3 follow 0,
 * 2 follows 1; so (2, 3) stays apart, and its block alone is in doubt. */
static void a_cycle_leaves_one_pair_in_doubt(void **state) {
  (void)state;
  static const uint16_t pairs[5][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 1}};
  supple_affine matrices[4];
  for (int j = 0; j < 4; j++) matrices[j] = about_z(100.0 * j);
  supple_palette palette = palette_of(matrices, 4);
  supple_binding *b = bind_pairs(pairs, 5);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_flips(p, (int[]){1, 1, 1, 1}, 4);
  assert_doubtful(p, (uint8_t[]){0, 0, 1, 0, 0}, 5);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* Two trees and a joint on its own. Turns by -89 and -91 degrees are next to each other, but their largest
 * components are w and z, so that they are stored with opposite signs. */
static void trees_are_apart(void **state) {
  (void)state;
  static const uint16_t pairs[3][2] = {{1, 4}, {2, 5}, {3, 3}};
  supple_affine matrices[6] = {about_z(0),   about_z(-89), about_z(-91),
                               about_z(-91), about_z(-91), about_z(-89)};
  supple_palette palette = palette_of(matrices, 6);
  supple_binding *b = bind_pairs(pairs, 3);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_true(supplei_dot4(p->rigid[1].real, p->rigid[4].real) < -0.99f);
  assert_flips(p, (int[]){1, 1, 1, 1, -1, -1}, 6);
  assert_doubtful(p, (uint8_t[]){0, 0, 0}, 3);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* Dot products of the half angle's cosine: 0, 8.7e-7, -8.7e-7, 8.7e-5. */
static void half_turns_are_in_doubt(void **state) {
  (void)state;
  static const uint16_t pairs[5][2] = {{0, 1}, {2, 0}, {0, 3}, {0, 4}, {5, 0}};
  supple_affine matrices[6] = {identity(),        diagonal(1, -1, -1), about_z(179.9999),
                               about_z(180.0001), about_z(179.99),     about_z(180.01)};
  supple_palette palette = palette_of(matrices, 6);
  supple_binding *b = bind_pairs(pairs, 5);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_true(supplei_dot4(p->rigid[0].real, p->rigid[1].real) == 0);
  assert_doubtful(p, (uint8_t[]){1, 1, 1, 0, 0}, 5);
  assert_true(p->flips[4] == 1 && p->flips[5] == -1);
  supple_prepared_destroy(p);
  /* Once a pose there is nothing to doubt, and the stored signs are final. */
  p = prepare_with(b, &palette, SUPPLE_DQS,
                   (supple_prepared_options){.signs = SUPPLE_SIGNS_PER_POSE});
  assert_false(p->any_doubtful);
  assert_memory_equal(p->agreed_rigid, p->rigid, 6 * sizeof *p->rigid);
  assert_memory_equal(p->agreed_affine, p->affine, 6 * sizeof *p->affine);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

static void all_twenty_numbers_flip(void **state) {
  (void)state;
  static const uint16_t pairs[1][2] = {{0, 1}};
  supple_affine matrices[2] = {about_z(-89), translated(about_z(-91), 1, 2, 3)};
  matrices[1].m[0][2] = 0.5f;
  supple_palette palette = palette_of(matrices, 2);
  supple_binding *b = bind_pairs(pairs, 1);
  supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
  assert_flips(p, (int[]){1, -1}, 2);
  assert_memory_equal(&p->agreed_affine[0], &p->affine[0], sizeof *p->affine);
  const float *agreed = &p->agreed_affine[1].numerator[0][0],
              *stored = &p->affine[1].numerator[0][0];
  for (int k = 0; k < 16; k++) assert_true(agreed[k] == -stored[k]);
  for (int k = 0; k < 4; k++) assert_true(p->agreed_affine[1].real[k] == -p->affine[1].real[k]);
  supple_prepared_destroy(p);
  supple_binding_destroy(b);
}

/* ---- the argument: where a block is trusted, each vertex's own flips are the tree's, but for one sign ---- */

static float own_flip(const supple_prepared *p, uint16_t pivot, uint16_t joint) {
  return supplei_dot4(p->rigid[pivot].real, p->rigid[joint].real) < -1e-6f ? -1.0f : 1.0f;
}

/* Counts trusted and doubtful blocks. */
static void check_trust(const supple_prepared *p, uint32_t counts[2]) {
  const supple_binding *b = p->binding;
  for (uint32_t block = 0; block < b->blocks.count; block++) {
    bool in_doubt = false;
    if (b->blocks.wide[block]) continue; /* vertex by vertex in any case */
    for (uint32_t v = block * 16; v < block * 16 + 16; v++) {
      const uint16_t *joints;
      const float *weights;
      uint32_t n = supple_binding_influences(b, v, &joints, &weights);
      uint16_t pivot = joints[b->pivots[v]];
      float common = own_flip(p, pivot, joints[0]) * p->flips[joints[0]];
      for (uint32_t i = 0; i < n; i++) {
        float dot = supplei_dot4(p->rigid[pivot].real, p->rigid[joints[i]].real);
        in_doubt |= dot * p->flips[pivot] * p->flips[joints[i]] <= 1e-6f;
        if (!p->doubtful[block])
          assert_true(own_flip(p, pivot, joints[i]) * p->flips[joints[i]] == common);
      }
    }
    assert_int_equal(p->doubtful[block], in_doubt); /* those, and no more */
    counts[in_doubt]++;
  }
}

static void trusted_blocks_have_the_flips_of_their_vertices(void **state) {
  (void)state;
  static uint16_t joints[MOST_BLOCKS * 16 * SETS];
  static float weights[MOST_BLOCKS * 16 * SETS];
  uint64_t random = 63;
  uint32_t counts[2] = {0, 0};
  for (int round = 0; round < 300; round++) {
    uint32_t spread = 2 + (uint32_t)round % 5, n = MOST_BLOCKS * 16;
    for (uint32_t i = 0; i < n * SETS; i++) {
      joints[i] = (uint16_t)((i / SETS / 48 * 2 + random_bits(&random) % spread) % JOINTS);
      weights[i] = random_float(&random, 0.01, 1);
    }
    supple_affine matrices[JOINTS];
    double turn = random_between(&random, 60, 360), x = 0, y = 0, z = 1;
    for (int j = 0; j < JOINTS; j++) {
      if (round % 4) x = random_between(&random, -1, 1), y = random_between(&random, -1, 1);
      if (round % 4) z = random_between(&random, -1, 1);
      double degrees = round % 7 ? random_between(&random, -turn, turn)
                                 : 45.0 * (double)(random_bits(&random) % 8);
      matrices[j] = turned(x, y, z, degrees, 1);
    }
    supple_palette palette = palette_of(matrices, JOINTS);
    supple_binding *b = bind(n, SETS, joints, weights);
    supple_prepared *p = prepare(b, &palette, SUPPLE_DQS);
    check_trust(p, counts);
    supple_prepared_destroy(p);
    supple_binding_destroy(b);
  }
  print_message("%u blocks trusted, %u in doubt\n", counts[0], counts[1]);
  assert_true(counts[0] > 1000 && counts[1] > 1000);
}

/* ---- memory ---- */

static void every_allocation_may_fail(void **state) {
  (void)state;
  static const uint16_t pairs[2][2] = {{0, 1}, {1, 2}};
  supple_affine matrices[9];
  for (int j = 0; j < 9; j++) matrices[j] = about_z(100.0 * j);
  supple_palette palette = palette_of(matrices, 3), large = palette_of(matrices, 9);
  supple_binding *b = bind_pairs(pairs, 2);
  size_t failures = 0, grown = 0;
  for (size_t n = 1, made = 0; !made; n++) {
    ledger book = {.fail_at = n};
    supple_prepared_options options = {.allocator = ledger_allocator(&book)};
    supple_error error = {.result = SUPPLE_OK};
    supple_prepared *p = supple_prepared_create(b, &options, &error);
    if (!p) {
      assert_int_equal(error.result, SUPPLE_ERROR_MEMORY);
      failures++;
    } else {
      assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
      supple_result result = supple_prepared_update(p, b, &large, SUPPLE_DQS);
      made = result == SUPPLE_OK;
      if (!made) {
        assert_int_equal(result, SUPPLE_ERROR_MEMORY);
        grown++;
        assert_int_equal(supple_prepared_update(p, b, &palette, SUPPLE_DQS), SUPPLE_OK);
      }
      assert_flips(p, (int[]){1, 1, 1}, 3);
    }
    supple_prepared_destroy(p);
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
  }
  assert_true(failures > 11 && grown > 10);
  supple_binding_destroy(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chains_agree),
      cmocka_unit_test(a_cycle_leaves_one_pair_in_doubt),
      cmocka_unit_test(trees_are_apart),
      cmocka_unit_test(half_turns_are_in_doubt),
      cmocka_unit_test(all_twenty_numbers_flip),
      cmocka_unit_test(trusted_blocks_have_the_flips_of_their_vertices),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
