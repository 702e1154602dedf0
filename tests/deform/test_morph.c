/* test_morph.c: morph targets on every stream, strides, absent streams, order, and refused
 * arguments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/deform/deform_tests.h"

static const float positions[] = {1, 2, 3, 4, 5, 6};
static const float normals[] = {0, 0, 1, 0, 1, 0};
static const float tangents[] = {1, 0, 0, -1, 0, 0, 1, 1};
static const float offsets_a[] = {1, 0, 0, 0, 1, 0};
static const float offsets_b[] = {8, 8, 8, -8, -8, -8};
static const float offsets_c[] = {0, 4, 0, 0, 0, 4};

/* Target 0 has all three, 1 positions alone, 2 normals and tangents. */
static const supple_morph_target targets[] = {
    {offsets_a, offsets_b, offsets_c}, {offsets_b, NULL, NULL}, {NULL, offsets_a, offsets_a}};

static supple_primitive some_primitive(void) {
  return (supple_primitive){.vertex_count = 2,
                            .positions = positions,
                            .normals = normals,
                            .tangents = tangents,
                            .targets = targets,
                            .target_count = 3};
}

static const supple_out_stream unset;

static void every_stream_is_morphed(void **state) {
  (void)state;
  supple_primitive primitive = some_primitive();
  float p[6], n[6], t[8];
  supple_out_stream out_p = {p, 12}, out_n = {n, 12}, out_t = {t, 16};
  assert_int_equal(supple_morph(&primitive, (float[]){0.5f, -0.25f, 2}, 3, out_p, out_n, out_t),
                   SUPPLE_OK);
  assert_memory_equal(p, ((float[]){-0.5f, 0, 1, 6, 7.5f, 8}), sizeof p);
  assert_memory_equal(n, ((float[]){6, 4, 5, -4, -1, -4}), sizeof n);     /* not renormalised */
  assert_memory_equal(t, ((float[]){3, 2, 0, -1, 0, 2, 3, 1}), sizeof t); /* w stays */
}

static void weights_that_are_not_there(void **state) {
  (void)state;
  supple_primitive primitive = some_primitive();
  float p[6];
  supple_out_stream out = {p, 12};
  assert_int_equal(supple_morph(&primitive, NULL, 0, out, unset, unset), SUPPLE_OK);
  assert_memory_equal(p, positions, sizeof p);
  assert_int_equal(supple_morph(&primitive, NULL, 3, out, unset, unset), SUPPLE_OK);
  assert_memory_equal(p, positions, sizeof p);
  assert_int_equal(supple_morph(&primitive, (float[]){1}, 1, out, unset, unset), SUPPLE_OK);
  assert_memory_equal(p, ((float[]){2, 2, 3, 4, 6, 6}), sizeof p);
  /* Beyond the targets they are ignored. */
  assert_int_equal(supple_morph(&primitive, (float[]){1, 0, 0, 9, 9}, 5, out, unset, unset),
                   SUPPLE_OK);
  assert_memory_equal(p, ((float[]){2, 2, 3, 4, 6, 6}), sizeof p);
  primitive.targets = NULL, primitive.target_count = 0;
  assert_int_equal(supple_morph(&primitive, (float[]){1}, 1, out, unset, unset), SUPPLE_OK);
  assert_memory_equal(p, positions, sizeof p);
}

/* A weight of 0 skips its target, whatever is in it; offsets are added in order. */
static void order_and_zeros(void **state) {
  (void)state;
  const float bad[] = {NAN, INFINITY, 0, 0, 0, 0}, big[] = {1e8f, 0, 0, 0, 0, 0},
              back[] = {-1e8f, 0, 0, 0, 0, 0}, small[] = {3, 0, 0, 0, 0, 0};
  const supple_morph_target ordered[] = {
      {.positions = bad}, {.positions = big}, {.positions = small}, {.positions = back}};
  supple_primitive primitive = some_primitive();
  primitive.targets = ordered, primitive.target_count = 4;
  float p[6];
  supple_out_stream out = {p, 12};
  assert_int_equal(supple_morph(&primitive, (float[]){0, 1, 1, 1}, 4, out, unset, unset), SUPPLE_OK);
  volatile float expected = 1 + 1e8f;
  expected = expected + 3;
  expected = expected - 1e8f;
  assert_true(p[0] == expected && expected != 4);
  assert_true(p[1] == 2 && p[3] == 4);
  assert_int_equal(supple_morph(&primitive, (float[]){-0.0f, 0, 1, 0}, 4, out, unset, unset),
                   SUPPLE_OK);
  assert_true(p[0] == 4 && p[1] == 2);
}

static void strides_and_places_between(void **state) {
  (void)state;
  supple_primitive primitive = some_primitive();
  float vertices[2 * 12];
  for (int i = 0; i < 24; i++) vertices[i] = 77;
  supple_out_stream p = {vertices, 48}, n = {vertices + 4, 48}, t = {vertices + 7, 48};
  assert_int_equal(supple_morph(&primitive, (float[]){1}, 1, p, n, t), SUPPLE_OK);
  assert_memory_equal(vertices, ((float[]){2, 2, 3, 77, 8,  8,  9,  1, 4, 0, -1, 77,
                                           4, 6, 6, 77, -8, -7, -8, 0, 0, 5, 1,  77}),
                      sizeof vertices);
}

static void what_is_refused_writes_nothing(void **state) {
  (void)state;
  supple_primitive primitive = some_primitive();
  float p[8] = {7, 7, 7, 7, 7, 7, 7, 7}, n[8], t[8];
  memcpy(n, p, sizeof p), memcpy(t, p, sizeof p);
  const supple_out_stream out_p = {p, 12}, out_n = {n, 12}, out_t = {t, 16};
  const float weight = 1;
  for (int k = 0; k < 6; k++) {
    supple_primitive bad = primitive;
    supple_out_stream bad_p = out_p, bad_n = out_n, bad_t = out_t;
    if (k == 0) bad.positions = NULL;
    if (k == 1) bad.normals = NULL;
    if (k == 2) bad.tangents = NULL;
    if (k == 3) bad_p.stride = 11;
    if (k == 4) bad_n.stride = 0;
    if (k == 5) bad_t.stride = 12;
    assert_int_equal(supple_morph(&bad, &weight, 1, bad_p, bad_n, bad_t), SUPPLE_ERROR_ARGUMENT);
    for (int i = 0; i < 8; i++) assert_true(p[i] == 7 && n[i] == 7 && t[i] == 7);
  }
  primitive.normals = NULL; /* where no normals are wanted, none are needed */
  assert_int_equal(supple_morph(&primitive, &weight, 1, out_p, unset, out_t), SUPPLE_OK);
  assert_int_equal(supple_morph(&primitive, &weight, 1, unset, unset, unset), SUPPLE_OK);
  assert_true(n[0] == 7 && p[0] == 2 && t[0] == 1 && t[1] == 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_stream_is_morphed),
      cmocka_unit_test(weights_that_are_not_there),
      cmocka_unit_test(order_and_zeros),
      cmocka_unit_test(strides_and_places_between),
      cmocka_unit_test(what_is_refused_writes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
