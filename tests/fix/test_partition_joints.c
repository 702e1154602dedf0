/* test_partition_joints.c: parts hold their sets, are small enough and few. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "src/fix/partition_joints.h"

static bool holds(const supplei_partition *p, uint32_t part, uint16_t joint) {
  for (uint32_t i = p->joint_begins[part]; i < p->joint_begins[part + 1]; i++)
    if (p->joints[i] == joint) return true;
  return false;
}

static void check(const supplei_partition *p, const supplei_joint_sets *sets, uint32_t most) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < sets->count; i++) {
    assert_true(p->parts[i] < p->part_count && p->parts[i] <= next);
    if (p->parts[i] == next) next++;
    for (uint32_t k = sets->begins[i]; k < sets->begins[i + 1]; k++)
      assert_true(holds(p, p->parts[i], sets->joints[k]));
  }
  assert_int_equal(next, p->part_count);
  for (uint32_t part = 0; part < p->part_count; part++) {
    assert_true(p->joint_begins[part + 1] - p->joint_begins[part] <= most);
    for (uint32_t i = p->joint_begins[part] + 1; i < p->joint_begins[part + 1]; i++)
      assert_true(p->joints[i - 1] < p->joints[i]);
  }
}

/* Triangles of a tube on a chain of 40 joints, two joints each: parts of 8 joints cover 7 links each, so 39 links
 * need 6 of them. */
static void a_chain(void **state) {
  (void)state;
  uint16_t joints[2 * 39 * 5];
  uint32_t begins[39 * 5 + 1], culprit;
  for (uint32_t i = 0; i < 39 * 5; i++) {
    joints[2 * i] = (uint16_t)(i / 5), joints[2 * i + 1] = (uint16_t)(i / 5 + 1);
    begins[i] = 2 * i;
  }
  begins[39 * 5] = 2 * 39 * 5;
  const supplei_joint_sets sets = {joints, begins, 39 * 5};
  supplei_partition p;
  assert_int_equal(supplei_partition_joints(&p, &sets, 8, NULL, &culprit), SUPPLE_OK);
  check(&p, &sets, 8);
  assert_int_equal(p.part_count, 6);
  supplei_partition_free(&p);
  assert_int_equal(supplei_partition_joints(&p, &sets, 40, NULL, &culprit), SUPPLE_OK);
  assert_int_equal(p.part_count, 1);
  supplei_partition_free(&p);
}

static uint32_t next_random(uint32_t *state) {
  return (*state = *state * 1664525u + 1013904223u) >> 8;
}

static void random_sets(void **state) {
  (void)state;
  uint32_t seed = 4, culprit;
  for (uint32_t round = 0; round < 60; round++) {
    const uint32_t count = 1 + next_random(&seed) % 300, most = 6 + round % 20;
    uint16_t *joints = malloc(count * 6 * sizeof *joints);
    uint32_t *begins = malloc((count + 1) * sizeof *begins), at = 0;
    for (uint32_t i = 0; i < count; i++) {
      begins[i] = at;
      uint32_t joint = next_random(&seed) % (round % 2 ? 60000 : 50);
      for (uint32_t k = next_random(&seed) % 7; k > 0; k--) {
        joints[at++] = (uint16_t)joint;
        joint += 1 + next_random(&seed) % 4;
      }
    }
    begins[count] = at;
    const supplei_joint_sets sets = {joints, begins, count};
    supplei_partition p;
    assert_int_equal(supplei_partition_joints(&p, &sets, most, NULL, &culprit), SUPPLE_OK);
    check(&p, &sets, most);
    supplei_partition_free(&p);
    free(joints);
    free(begins);
  }
}

static void too_large_a_set(void **state) {
  (void)state;
  const uint16_t joints[] = {1, 2, 1, 2, 3};
  const uint32_t begins[] = {0, 2, 5};
  const supplei_joint_sets sets = {joints, begins, 2};
  uint32_t culprit = 9;
  supplei_partition p;
  assert_int_equal(supplei_partition_joints(&p, &sets, 2, NULL, &culprit), SUPPLE_ERROR_LIMIT);
  assert_int_equal(culprit, 1);
  supplei_partition_free(&p);
}

static void empty_ones(void **state) {
  (void)state;
  const uint32_t begins[] = {0, 0};
  const supplei_joint_sets one = {NULL, begins, 1}, none = {NULL, begins, 0};
  uint32_t culprit;
  supplei_partition p;
  assert_int_equal(supplei_partition_joints(&p, &one, 4, NULL, &culprit), SUPPLE_OK);
  assert_int_equal(p.part_count, 1);
  assert_int_equal(p.joint_begins[1], 0);
  supplei_partition_free(&p);
  assert_int_equal(supplei_partition_joints(&p, &none, 4, NULL, &culprit), SUPPLE_OK);
  assert_int_equal(p.part_count, 0);
  supplei_partition_free(&p);
}

static void *fail_at(void *user, size_t size) { return (*(int *)user)-- > 0 ? malloc(size) : NULL; }
static void release(void *user, void *memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  const uint16_t joints[] = {0, 1, 2, 3, 4, 5};
  const uint32_t begins[] = {0, 2, 4, 6};
  const supplei_joint_sets sets = {joints, begins, 3};
  supple_result result = SUPPLE_ERROR_MEMORY;
  int most = 0;
  for (; result && most < 100; most++) {
    int left = most;
    uint32_t culprit;
    const supple_allocator allocator = {fail_at, release, &left};
    supplei_partition p;
    result = supplei_partition_joints(&p, &sets, 2, &allocator, &culprit);
    assert_true(result == SUPPLE_OK || result == SUPPLE_ERROR_MEMORY);
    left = 100;
    supplei_partition_free(&p);
  }
  assert_true(most > 5 && result == SUPPLE_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain),
      cmocka_unit_test(random_sets),
      cmocka_unit_test(too_large_a_set),
      cmocka_unit_test(empty_ones),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
