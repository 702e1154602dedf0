/* test_split_pieces.c: elements of every type are gathered bit by bit; indices and joints are renumbered. */
#include "tests/fix/fix_at_work.h"

#include "src/fix/split_parts.h"

static void gather(fix_at_work *work, supple_accessor_layout layout, const void *data, size_t size) {
  static const uint32_t vertices[3] = {4, 0, 4};
  uint32_t from, to;
  const size_t element = size / layout.count;
  const supple_accessor_data what = {.layout = layout, .data = data, .target = 34962};
  assert_int_equal(supple_document_add_accessor(work->fix.document, &what, &from, &work->error),
                   SUPPLE_OK);
  assert_int_equal(supplei_split_gather(&work->fix, from, vertices, 3, false, &to), SUPPLE_OK);
  supple_accessor_layout found;
  assert_int_equal(supple_document_accessor(work->fix.document, to, &found, &work->error),
                   SUPPLE_OK);
  assert_true(found.component == layout.component && found.rows == layout.rows &&
              found.normalized == layout.normalized && found.count == 3);
  /* gathered again from itself and written: compare with the bytes wanted */
  char wanted[3 * 64];
  assert_true(element <= 64);
  for (int v = 0; v < 3; v++)
    memcpy(wanted + (size_t)v * element, (const char *)data + vertices[v] * element, element);
  uint32_t direct;
  supple_accessor_data same = what;
  same.layout.count = 3;
  same.data = wanted;
  assert_int_equal(supple_document_add_accessor(work->fix.document, &same, &direct, &work->error),
                   SUPPLE_OK);
  float a[3 * 16], b[3 * 16];
  assert_int_equal(supple_document_floats(work->fix.document, to, a, &work->error), SUPPLE_OK);
  assert_int_equal(supple_document_floats(work->fix.document, direct, b, &work->error), SUPPLE_OK);
  assert_memory_equal(a, b, 3 * (size_t)layout.rows * sizeof(float));
}

static void every_type(void **state) {
  (void)state;
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  static const int8_t i8[20] = {-127, 3, 0, 127, [16] = 5, -6, 7, -8};
  static const uint8_t u8[20] = {255, 3, 0, 127, [16] = 5, 250, 7, 128};
  static const int16_t i16[20] = {-32767, 3, 0, 127, [16] = 5, -6, 7, 32767};
  static const uint16_t u16[20] = {65535, 3, 0, 127, [16] = 5, 32768, 7, 8};
  static const uint32_t u32[5] = {4294967295u, 0, 0, 0, 16777217};
  static const float f32[15] = {0.1f, -0.0f, 1e-40f, [12] = 3e38f, 2, -1};
  for (int normalized = 0; normalized < 2; normalized++) {
    gather(&work, (supple_accessor_layout){5120, 4, 1, normalized, 5}, i8, sizeof i8);
    gather(&work, (supple_accessor_layout){5121, 4, 1, normalized, 5}, u8, sizeof u8);
    gather(&work, (supple_accessor_layout){5122, 4, 1, normalized, 5}, i16, sizeof i16);
    gather(&work, (supple_accessor_layout){5123, 4, 1, normalized, 5}, u16, sizeof u16);
  }
  gather(&work, (supple_accessor_layout){5126, 3, 1, false, 5}, f32, sizeof f32);
  /* integers of 32 bits do not fit into floats */
  uint32_t from, to, out[2];
  const supple_accessor_data ids = {.layout = {5125, 1, 1, false, 5}, .data = u32};
  assert_int_equal(supple_document_add_accessor(work.fix.document, &ids, &from, &work.error),
                   SUPPLE_OK);
  assert_int_equal(supplei_split_gather(&work.fix, from, (uint32_t[]){4, 0}, 2, true, &to),
                   SUPPLE_OK);
  assert_int_equal(supple_document_integers(work.fix.document, to, out, &work.error), SUPPLE_OK);
  assert_true(out[0] == 16777217 && out[1] == 4294967295u);
  close_work(&work);
}

static void a_primitive(void **state) {
  (void)state;
  fix_at_work work;
  strip s = clean_strip();
  open_work(&work, open_strip(&s));
  const bool meshes[1] = {true};
  supplei_split split = {.fix = &work.fix, .asset = work.fix.before, .meshes = meshes};
  uint32_t mesh, primitive, needed;
  assert_int_equal(supplei_split_find(&split, 3, &mesh, &primitive, &needed), SUPPLE_OK);
  static const uint32_t all[6] = {0, 1, 2, 3, 4, 5};
  const supplei_split_piece piece = {0, all, 6};
  supplei_output json = {.allocator = work.fix.allocator};
  assert_int_equal(supplei_split_put_primitive(&split, &json, 0, 0, 0, &piece), SUPPLE_OK);
  supplei_output_put(&json, "", 1);
  assert_string_equal(
      json.data, "{\"attributes\":{\"POSITION\":7,\"JOINTS_0\":8,\"WEIGHTS_0\":9},\"indices\":10}");
  uint32_t indices[12], joints[24];
  static const uint32_t same[12] = {0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4};
  assert_int_equal(supple_document_integers(work.fix.document, 10, indices, &work.error), SUPPLE_OK);
  assert_memory_equal(indices, same, sizeof same);
  assert_int_equal(supple_document_integers(work.fix.document, 8, joints, &work.error), SUPPLE_OK);
  for (int i = 0; i < 24; i++) assert_int_equal(joints[i], s.joints[i]);
  assert_true(number_at(work.fix.document, "/accessors/7/max/1") == 2);
  supplei_output_release(&json);
  supplei_split_release(&split);
  close_work(&work);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_type), cmocka_unit_test(a_primitive)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
