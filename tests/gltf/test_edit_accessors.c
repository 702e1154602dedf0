/* test_edit_accessors.c: new data: what stands in the JSON and in the buffer, and what is read back. */
#include "document_text.h"

#include <math.h>

static const char start[] =
    "{'asset':{'version':'2.0'},'buffers':[{'byteLength':48}],"
    "'bufferViews':[{'buffer':0,'byteLength':48,'byteStride':24}],'accessors':["
    "{'bufferView':0,'componentType':5126,'count':2,'type':'VEC3','min':[0,1,2],'max':[6,7,8],'"
    "extras':{'k':1}},"
    "{'bufferView':0,'byteOffset':12,'componentType':5126,'count':2,'type':'VEC3'}],"
    "'skins':[{'joints':[0,0]},{'joints':[0],'inverseBindMatrices':2},{'joints':[0],'"
    "inverseBindMatrices':2}]}";

static supple_document *open_start(void) {
  static bin b;
  float values[12];
  b.size = 0;
  for (int i = 0; i < 12; i++) values[i] = (float)i;
  put_f32(&b, 12, values);
  return open_glb(&b, start);
}

static void expect_floats(supple_document *d, uint32_t accessor, const float *wanted,
                          uint32_t count) {
  float values[64];
  fine(supple_document_floats(d, accessor, values, problem));
  for (uint32_t i = 0; i < count; i++) assert_true(values[i] == wanted[i]);
}

/* Interleaved neighbours stay as they are; the accessor keeps what is not understood. */
static void test_set(void **state) {
  (void)state;
  supple_document *d = open_start();
  const float values[9] = {1, -2, 3, 0.1f, 5, 6, 7, 8, -9};
  const float old[6] = {3, 4, 5, 9, 10, 11};
  fine(supple_document_set_accessor(
      d, 0,
      &(supple_accessor_data){
          .layout = {5126, 3, 1, false, 3}, .data = values, .target = 34962, .name = "new"},
      problem));
  expect_floats(d, 0, values, 9);
  expect_floats(d, 1, old, 6);
  written_bytes out = write_main(d, "a.glb");
  char *json = json_of_glb(&out);
  assert_non_null(strstr(json, quoted("'buffers':[{'byteLength':84}]")));
  assert_non_null(
      strstr(json, quoted("{'buffer':0,'byteOffset':48,'byteLength':36,'target':34962}")));
  assert_non_null(strstr(
      json, quoted("{'bufferView':1,'componentType':5126,'count':3,'type':'VEC3','min':[0."
                   "10000000149011612,-2,-9],'max':[7,8,6],'extras':{'k':1},'name':'new'}")));
  free(json);
  supple_error error;
  supple_document *again = supple_document_load_memory(out.data, out.size, NULL, &error);
  assert_non_null(again);
  expect_floats(again, 0, values, 9);
  expect_floats(again, 1, old, 6);
  supple_document_free(again);
  free(out.data);
  supple_document_free(d);
}

/* Three bytes of an attribute take four; a column of a byte matrix begins at a multiple of four. */
static void test_padding(void **state) {
  (void)state;
  supple_document *d = open_text("{'asset':{'version':'2.0'}}");
  const unsigned char bytes[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  uint32_t colors = 9, matrices = 9, tight = 9;
  fine(supple_document_add_accessor(
      d,
      &(supple_accessor_data){
          .layout = {5121, 3, 1, true, 2}, .data = bytes, .target = 34962, .bounds = true},
      &colors, problem));
  fine(supple_document_add_accessor(
      d, &(supple_accessor_data){.layout = {5121, 3, 3, false, 1}, .data = bytes}, &matrices,
      problem));
  fine(supple_document_add_accessor(
      d, &(supple_accessor_data){.layout = {5121, 3, 1, false, 1}, .data = bytes, .bounds = true},
      &tight, problem));
  assert_true(colors == 0 && matrices == 1 && tight == 2);
  supple_written *written = lay_out(d, "a.gltf");
  assert_int_equal(written->file_count, 2);
  assert_string_equal(written->files[1].name, "a.bin");
  written_bytes json = copy_file(written, 0), data = copy_file(written, 1);
  assert_string_equal(
      json.data, quoted("{'asset':{'version':'2.0'},'accessors':["
                        "{'bufferView':0,'componentType':5121,'normalized':true,'count':2,'type':'"
                        "VEC3','min':[1,2,3],'max':[4,5,6]},"
                        "{'bufferView':1,'componentType':5121,'count':1,'type':'MAT3'},"
                        "{'bufferView':2,'componentType':5121,'count':1,'type':'VEC3','min':[1,2,3]"
                        ",'max':[1,2,3]}],"
                        "'buffers':[{'byteLength':23,'uri':'a.bin'}],'bufferViews':["
                        "{'buffer':0,'byteOffset':0,'byteLength':8,'byteStride':4,'target':34962},"
                        "{'buffer':0,'byteOffset':8,'byteLength':12},{'buffer':0,'byteOffset':20,'"
                        "byteLength':3}]}"));
  const unsigned char wanted[23] = {1, 2, 3, 0, 4, 5, 6, 0, 1, 2, 3, 0,
                                    4, 5, 6, 0, 7, 8, 9, 0, 1, 2, 3};
  assert_memory_equal(data.data, wanted, 23);
  const float matrix[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  expect_floats(d, matrices, matrix, 9);
  uint32_t integers[3];
  fine(supple_document_integers(d, tight, integers, problem));
  assert_true(integers[0] == 1 && integers[2] == 3);
  free(json.data);
  free(data.data);
  supple_written_free(written);
  supple_document_free(d);
}

typedef struct puller {
  uint32_t calls;
  size_t largest;
  bool fails;
} puller;

static supple_result pull_ramp(void *user, uint64_t begin, void *out, size_t size) {
  puller *p = user;
  p->calls++;
  if (size > p->largest) p->largest = size;
  if (p->fails) return SUPPLE_ERROR_FILE;
  for (size_t i = 0; i < size; i++) ((unsigned char *)out)[i] = (unsigned char)((begin + i) % 251);
  return SUPPLE_OK;
}

/* Pulled in pieces while it is written; padding is the writer's. */
static void test_pull(void **state) {
  (void)state;
  enum { COUNT = 1000000 };
  supple_document *d = open_text("{'asset':{'version':'2.0'}}");
  puller p = {0};
  uint32_t index;
  fine(supple_document_add_accessor(d,
                                    &(supple_accessor_data){.layout = {5121, 3, 1, true, COUNT},
                                                            .pull = pull_ramp,
                                                            .user = &p,
                                                            .target = 34962,
                                                            .bounds = true,
                                                            .max = {250, 250, 250}},
                                    &index, problem));
  supple_written *written = lay_out(d, "a.glb");
  assert_int_equal(p.calls, 0);
  written_bytes out = copy_file(written, 0);
  assert_true(p.calls >= 3 && p.largest <= 1 << 20);
  uint32_t json;
  memcpy(&json, out.data + 12, 4);
  const unsigned char *data = (const unsigned char *)out.data + 20 + json + 8;
  for (uint32_t i = 0; i < COUNT; i++)
    for (uint32_t c = 0; c < 4; c++)
      assert_int_equal(data[4 * i + c], c == 3 ? 0 : (3 * i + c) % 251);
  free(out.data);
  p.fails = true;
  supple_error error;
  out = (written_bytes){0};
  assert_int_equal(supple_written_copy(written, 0, written_put, &out, &error), SUPPLE_ERROR_FILE);
  free(out.data);
  supple_written_free(written);
  float *values = malloc(COUNT * 12);
  assert_non_null(values);
  assert_int_equal(supple_document_floats(d, index, values, &error), SUPPLE_ERROR_FILE);
  p.fails = false;
  fine(supple_document_floats(d, index, values, problem));
  assert_true(values[3] == 3.0f / 255.0f);
  free(values);
  supple_document_free(d);
}

static void test_inverse_binds(void **state) {
  (void)state;
  supple_document *d = open_start();
  supple_affine64 m[2] = {{{{1, 0, 0, 2}, {0, 1, 0, 3}, {0, 0, 1, 4}}},
                          {{{5, 0, 0, 0}, {0, 5, 0, 0}, {0, 0, 5, 0.25}}}};
  const float columns[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 3, 4, 1};
  const float identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
  uint32_t index;
  fine(supple_document_add_accessor(
      d, &(supple_accessor_data){.layout = {5126, 4, 4, false, 1}, .data = identity}, &index,
      problem));
  assert_int_equal(index, 2);
  fine(supple_document_set_inverse_binds(d, 0, m, 2, problem)); /* had none: accessor 3 */
  fine(supple_document_set_inverse_binds(d, 1, m, 1, problem)); /* shared: accessor 4 */
  fine(supple_document_set_inverse_binds(d, 2, m, 1, problem)); /* now its own: 2 */
  assert_int_equal(
      supple_document_index(d, supple_document_find(d, "/skins/0/inverseBindMatrices")), 3);
  assert_int_equal(
      supple_document_index(d, supple_document_find(d, "/skins/1/inverseBindMatrices")), 4);
  assert_int_equal(
      supple_document_index(d, supple_document_find(d, "/skins/2/inverseBindMatrices")), 2);
  for (uint32_t i = 2; i < 5; i++) expect_floats(d, i, columns, 16);
  supple_error error;
  assert_int_equal(supple_document_set_inverse_binds(d, 0, m, 1, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set_inverse_binds(d, 7, m, 1, &error), SUPPLE_ERROR_ARGUMENT);
  m[0].m[1][2] = 1e300;
  assert_int_equal(supple_document_set_inverse_binds(d, 0, m, 2, &error), SUPPLE_ERROR_NUMBER);
  supple_document_free(d);
}

static void test_refusals(void **state) {
  (void)state;
  supple_document *d = open_start();
  written_bytes before = write_main(d, "a.glb");
  const float values[4] = {NAN, 1, INFINITY, 2};
  const supple_accessor_data good = {.layout = {5126, 4, 1, false, 1}, .data = values};
  supple_accessor_data bad[8];
  for (int i = 0; i < 8; i++) bad[i] = good;
  bad[0].layout.component = 5124;
  bad[1].layout.rows = 5;
  bad[2].layout.count = 0;
  bad[3].layout.normalized = true;
  bad[4].data = NULL;
  bad[5].pull = pull_ramp;
  bad[6].target = 1;
  bad[7].bounds = true; /* of what is not finite */
  supple_error error;
  for (int i = 0; i < 8; i++) {
    const supple_result wanted = i == 7 ? SUPPLE_ERROR_NUMBER : SUPPLE_ERROR_ARGUMENT;
    assert_int_equal(supple_document_add_accessor(d, &bad[i], NULL, &error), wanted);
    assert_int_equal(supple_document_set_accessor(d, 1, &bad[i], &error), wanted);
  }
  assert_int_equal(supple_document_set_accessor(d, 9, &good, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_add_view(d, NULL, 4, NULL, &error), SUPPLE_ERROR_ARGUMENT);
  written_bytes after = write_main(d, "a.glb");
  assert_int_equal(before.size, after.size);
  assert_memory_equal(before.data, after.data, after.size);
  free(before.data);
  free(after.data);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_set), cmocka_unit_test(test_padding), cmocka_unit_test(test_pull),
      cmocka_unit_test(test_inverse_binds), cmocka_unit_test(test_refusals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
