/* test_elements.c: every component type, strides, matrices, sparse parts, and the search for the
 * infinite. */
#include "asset_text.h"

#include <math.h>

#include "src/gltf/elements.h"

static void sizes(void **state) {
  (void)state;
  assert_int_equal(supplei_component_size(SUPPLEI_I8), 1);
  assert_int_equal(supplei_component_size(SUPPLEI_U16), 2);
  assert_int_equal(supplei_component_size(SUPPLEI_F32), 4);
  assert_int_equal(supplei_component_size((supplei_component)5124), 0);
  assert_int_equal(supplei_element_size(SUPPLEI_F32, 3, 1), 12);
  assert_int_equal(supplei_element_size(SUPPLEI_U8, 3, 1), 3);
  assert_int_equal(supplei_element_size(SUPPLEI_F32, 4, 4), 64);
  /* the paddings of the specification: columns start at multiples of four */
  assert_int_equal(supplei_element_size(SUPPLEI_U8, 2, 2), 8);
  assert_int_equal(supplei_element_size(SUPPLEI_U8, 3, 3), 12);
  assert_int_equal(supplei_element_size(SUPPLEI_I16, 3, 3), 24);
  assert_int_equal(supplei_element_size(SUPPLEI_I16, 2, 2), 8);
}

/* All values of the small types, against the formulas of the specification in double precision. */
static void every_integer(void **state) {
  (void)state;
  static const struct {
    supplei_component component;
    int low, high;
    double divisor;
  } types[] = {{SUPPLEI_I8, -128, 127, 127},
               {SUPPLEI_U8, 0, 255, 255},
               {SUPPLEI_I16, -32768, 32767, 32767},
               {SUPPLEI_U16, 0, 65535, 65535}};
  static unsigned char data[4 * 65536 + 1];
  static float out[65536];
  for (size_t t = 0; t < 4; t++) {
    size_t size = supplei_component_size(types[t].component),
           count = (size_t)(types[t].high - types[t].low + 1);
    for (size_t i = 0; i < count; i++) { /* two apart, from an odd address */
      unsigned bits = (unsigned)(types[t].low + (int)i);
      for (size_t k = 0; k < size; k++) data[1 + i * 2 * size + k] = (unsigned char)(bits >> 8 * k);
    }
    supplei_elements e = {.data = data + 1,
                          .stride = 2 * size,
                          .count = (uint32_t)count,
                          .component = types[t].component,
                          .rows = 1,
                          .columns = 1};
    supplei_elements_to_floats(&e, out, 1);
    for (size_t i = 0; i < count; i++) assert_true(out[i] == (float)(types[t].low + (int)i));
    e.normalized = true;
    supplei_elements_to_floats(&e, out, 1);
    for (size_t i = 0; i < count; i++) {
      double value = (types[t].low + (int)i) / types[t].divisor;
      assert_true(out[i] == (float)(value < -1 ? -1 : value));
    }
    assert_true(out[0] == (types[t].low < 0 ? -1.0f : 0.0f) && out[count - 1] == 1.0f);
  }
}

static void large_integers_and_floats(void **state) {
  (void)state;
  const uint32_t integers[] = {0, 1, 16777216, 4294967295u};
  const float floats[] = {-0.0f, 1e-45f, INFINITY, 3.5f};
  float out[8];
  supplei_elements e = {.data = (const unsigned char *)integers,
                        .stride = 4,
                        .count = 4,
                        .component = SUPPLEI_U32,
                        .rows = 1,
                        .columns = 1};
  supplei_elements_to_floats(&e, out, 1);
  assert_true(out[2] == 16777216.0f && out[3] == 4294967296.0f);
  e.data = (const unsigned char *)floats;
  e.component = SUPPLEI_F32;
  supplei_elements_to_floats(&e, out, 1); /* copied as one */
  assert_memory_equal(out, floats, sizeof floats);
  supplei_elements_to_floats(&e, out, 2); /* one by one */
  for (int i = 0; i < 4; i++) assert_memory_equal(&out[2 * i], &floats[i], 4);
  e.data = NULL;
  supplei_elements_to_floats(&e, out, 1);
  for (int i = 0; i < 4; i++) assert_true(out[i] == 0 && !signbit(out[i]));
}

static void vectors_with_room_between(void **state) {
  (void)state;
  uint8_t data[20];
  float out[10];
  for (int i = 0; i < 10; i++) out[i] = -7;
  for (int i = 0; i < 20; i++) data[i] = (uint8_t)i;
  supplei_elements e = {
      .data = data, .stride = 8, .count = 2, .component = SUPPLEI_U8, .rows = 3, .columns = 1};
  supplei_elements_to_floats(&e, out, 5);
  const float wanted[10] = {0, 1, 2, -7, -7, 8, 9, 10, -7, -7};
  assert_memory_equal(out, wanted, sizeof wanted);
}

static void matrices_lose_their_padding(void **state) {
  (void)state;
  const uint8_t bytes[12] = {1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9, 99};
  const uint16_t shorts[12] = {1, 2, 3, 99, 4, 5, 6, 99, 7, 8, 9, 99};
  float out[9];
  supplei_elements e = {
      .data = bytes, .stride = 12, .count = 1, .component = SUPPLEI_U8, .rows = 3, .columns = 3};
  supplei_elements_to_floats(&e, out, 9);
  for (int i = 0; i < 9; i++) assert_true(out[i] == (float)(i + 1));
  e.data = (const unsigned char *)shorts, e.stride = 24, e.component = SUPPLEI_U16;
  supplei_elements_to_floats(&e, out, 9);
  for (int i = 0; i < 9; i++) assert_true(out[i] == (float)(i + 1));
}

static void integers(void **state) {
  (void)state;
  const uint8_t u8[] = {1, 2, 3, 255, 4, 5, 6, 7};
  const uint16_t u16[] = {1, 65535, 300, 4};
  const uint32_t u32[] = {70000, 4294967295u};
  uint32_t wide[8];
  uint16_t narrow[8];
  supplei_elements e = {
      .data = u8, .stride = 4, .count = 2, .component = SUPPLEI_U8, .rows = 4, .columns = 1};
  supplei_elements_to_u32(&e, wide, 4);
  supplei_elements_to_u16(&e, narrow, 4);
  for (int i = 0; i < 8; i++) assert_true(wide[i] == u8[i] && narrow[i] == u8[i]);
  e = (supplei_elements){.data = (const unsigned char *)u16,
                         .stride = 2,
                         .count = 4,
                         .component = SUPPLEI_U16,
                         .rows = 1,
                         .columns = 1};
  supplei_elements_to_u32(&e, wide, 2);
  supplei_elements_to_u16(&e, narrow, 1);
  for (int i = 0; i < 4; i++) assert_true(wide[2 * i] == u16[i] && narrow[i] == u16[i]);
  e = (supplei_elements){.data = (const unsigned char *)u32,
                         .stride = 4,
                         .count = 2,
                         .component = SUPPLEI_U32,
                         .rows = 1,
                         .columns = 1};
  supplei_elements_to_u32(&e, wide, 1);
  assert_true(wide[0] == 70000 && wide[1] == 4294967295u);
  e.data = NULL;
  supplei_elements_to_u32(&e, wide, 1);
  assert_true(wide[0] == 0 && wide[1] == 0);
}

static void sparse_parts(void **state) {
  (void)state;
  const uint8_t base[] = {10, 11, 12, 13, 14, 15}, values[] = {1, 2, 3, 4};
  const uint8_t at8[] = {0, 2};
  const uint16_t at16[] = {0, 2};
  const uint32_t at32[] = {0, 2};
  const float wanted[] = {1, 2, 12, 13, 3, 4}, alone[] = {1, 2, 0, 0, 3, 4};
  const supplei_component types[] = {SUPPLEI_U8, SUPPLEI_U16, SUPPLEI_U32};
  const void *const indices[] = {at8, at16, at32};
  for (int i = 0; i < 3; i++) {
    float out[6];
    uint32_t wide[6];
    uint16_t narrow[6];
    supplei_elements e = {.data = base,
                          .stride = 2,
                          .count = 3,
                          .component = SUPPLEI_U8,
                          .rows = 2,
                          .columns = 1,
                          .sparse_count = 2,
                          .sparse_component = types[i],
                          .sparse_indices = indices[i],
                          .sparse_values = values};
    supplei_elements_to_floats(&e, out, 2);
    supplei_elements_to_u32(&e, wide, 2);
    supplei_elements_to_u16(&e, narrow, 2);
    for (int k = 0; k < 6; k++)
      assert_true(out[k] == wanted[k] && (float)wide[k] == out[k] && (float)narrow[k] == out[k]);
    e.data = NULL; /* nothing but the sparse part */
    supplei_elements_to_floats(&e, out, 2);
    assert_memory_equal(out, alone, sizeof alone);
    assert_int_equal(supplei_sparse_index(&e, 1), 2);
  }
}

static void the_first_that_is_not_finite(void **state) {
  (void)state;
  static float values[1000];
  const float bad[] = {INFINITY, -INFINITY, NAN};
  for (size_t i = 0; i < 1000; i++) values[i] = i % 2 ? 3.4028235e38f : -1e-45f;
  assert_int_equal(supplei_first_non_finite(values, 1000), 1000);
  assert_int_equal(supplei_first_non_finite(values, 0), 0);
  for (size_t i = 0; i < 1000; i++) {
    float kept = values[i];
    values[i] = bad[i % 3];
    assert_int_equal(supplei_first_non_finite(values, 1000), i);
    assert_int_equal(supplei_first_non_finite(values, i), i); /* not beyond the end */
    values[i] = kept;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(sizes),
                                     cmocka_unit_test(every_integer),
                                     cmocka_unit_test(large_integers_and_floats),
                                     cmocka_unit_test(vectors_with_room_between),
                                     cmocka_unit_test(matrices_lose_their_padding),
                                     cmocka_unit_test(integers),
                                     cmocka_unit_test(sparse_parts),
                                     cmocka_unit_test(the_first_that_is_not_finite)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
