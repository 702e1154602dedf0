/* test_split_parts.c: which triangles belong together, and the meshes that are made of them. */
#include "tests/fix/fix_at_work.h"

#include "src/fix/split_parts.h"

static strip two_halves(void) {
  strip s = clean_strip();
  for (int v = 2; v < 4; v++) {
    s.joints[4 * v] = 1, s.joints[4 * v + 1] = 0;
    s.weights[4 * v] = 1, s.weights[4 * v + 1] = 0;
  }
  return s;
}

static void parts_and_meshes(void **state) {
  (void)state;
  fix_at_work work;
  strip s = two_halves();
  open_work(&work, open_strip(&s));
  const bool meshes[1] = {true};
  supplei_split split = {.fix = &work.fix, .asset = work.fix.before, .meshes = meshes};
  uint32_t mesh, primitive, needed;
  assert_int_equal(supplei_split_find(&split, 2, &mesh, &primitive, &needed), SUPPLE_OK);
  assert_int_equal(split.element_count, 4);
  assert_int_equal(split.partition.part_count, 2);
  static const uint32_t parts[4] = {0, 0, 1, 1};
  assert_memory_equal(split.partition.parts, parts, sizeof parts);
  assert_int_equal(supplei_split_write_meshes(&split), SUPPLE_OK);
  assert_true(split.mesh_numbers[0] == 0 && split.mesh_numbers[1] == 1);
  static const uint32_t low[4] = {0, 1, 2, 3}, high[4] = {2, 3, 4, 5};
  assert_true(split.pieces[0].now == 0 && split.pieces[0].count == 4 && split.pieces[1].count == 4);
  assert_memory_equal(split.pieces[0].sources, low, sizeof low);
  assert_memory_equal(split.pieces[1].sources, high, sizeof high);
  supplei_split_release(&split);
  close_work(&work);
}

static void the_culprit(void **state) {
  (void)state;
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  const bool meshes[1] = {true};
  supplei_split split = {.fix = &work.fix, .asset = work.fix.before, .meshes = meshes};
  uint32_t mesh = 9, primitive = 9, needed = 0;
  assert_int_equal(supplei_split_find(&split, 2, &mesh, &primitive, &needed), SUPPLE_ERROR_LIMIT);
  assert_true(mesh == 0 && primitive == 0 && needed == 3);
  supplei_split_release(&split);
  close_work(&work);
}

/* Strips come unrolled; lines and points are elements of their own. */
static void elements(void **state) {
  (void)state;
  static const char *const modes[] = {",'mode':5", ",'mode':1", ",'mode':0"};
  static const uint32_t counts[] = {10, 6, 12}, corners[] = {3, 2, 1};
  for (int i = 0; i < 3; i++) {
    fix_at_work work;
    strip s = clean_strip();
    s.primitive = modes[i];
    open_work(&work, open_strip(&s));
    const supple_primitive *p = work.fix.before->meshes[0].primitives;
    assert_int_equal(supplei_split_corners(p), corners[i]);
    assert_true(supplei_split_elements(p) <= counts[i] && supplei_split_elements(p) >= counts[i] / 3);
    close_work(&work);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parts_and_meshes),
      cmocka_unit_test(the_culprit),
      cmocka_unit_test(elements),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
