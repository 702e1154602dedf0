/* test_document_accessors.c: accessors that are read, and each way in which one can be wrong. */
#include "document_text.h"

static const char *accessor(const char *members) {
  static char text[1000];
  snprintf(
      text, sizeof text,
      "{'buffers':[{'byteLength':32,'uri':'data:;base64,"
      "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='}],"
      "'bufferViews':[{'buffer':0,'byteLength':32},{'buffer':0,'byteOffset':2,'byteLength':30,'"
      "byteStride':8},{'buffer':5,'byteLength':1},{'buffer':0,'byteOffset':30,'byteLength':3}],"
      "'accessors':[{%s}]}",
      members);
  return text;
}

static void test_read(void **state) {
  (void)state;
  static const struct {
    const char *members;
    supple_accessor_layout layout;
    float values[4];
  } cases[] = {
      {"'bufferView':0,'byteOffset':4,'componentType':5121,'count':2,'type':'VEC2'}, {'x':1",
       {5121, 2, 1, false, 2},
       {4, 5, 6, 7}},
      {"'bufferView':1,'componentType':5123,'count':2,'type':'SCALAR'",
       {5123, 1, 1, false, 2},
       {0x0302, 0x0B0A}},
      {"'bufferView':0,'componentType':5121,'normalized':true,'count':1,'type':'MAT2'",
       {5121, 2, 2, true, 1},
       {0, 1 / 255.0f, 4 / 255.0f, 5 / 255.0f}},
      {"'componentType':5126,'count':1,'type':'VEC4'", {5126, 4, 1, false, 1}, {0, 0, 0, 0}},
      {"'componentType':5121,'count':3,'type':'SCALAR','sparse':{'count':1,'indices':{'bufferView':"
       "0,'byteOffset':2,'componentType':5121},'values':{'bufferView':0,'byteOffset':9}}",
       {5121, 1, 1, false, 3},
       {0, 0, 9}}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    supple_document *d = open_text(accessor(cases[i].members));
    supple_accessor_layout layout;
    float values[16];
    fine(supple_document_accessor(d, 0, &layout, problem));
    const supple_accessor_layout *wanted = &cases[i].layout;
    assert_true(layout.component == wanted->component && layout.rows == wanted->rows &&
                layout.columns == wanted->columns && layout.normalized == wanted->normalized &&
                layout.count == wanted->count);
    fine(supple_document_floats(d, 0, values, problem));
    for (uint32_t k = 0; k < layout.count * layout.rows * layout.columns; k++)
      assert_true(values[k] == cases[i].values[k]);
    supple_document_free(d);
  }
}

static void test_wrong(void **state) {
  (void)state;
  static const struct {
    const char *members, *pointer;
  } cases[] = {
      {"'count':1,'type':'VEC2'", "/accessors/0"},
      {"'componentType':5124,'count':1,'type':'VEC2'", "/accessors/0/componentType"},
      {"'componentType':5121,'count':0,'type':'VEC2'", "/accessors/0/count"},
      {"'componentType':5121,'count':1,'type':'VEC9'", "/accessors/0/type"},
      {"'componentType':5121,'count':1,'type':'VEC2','normalized':1", "/accessors/0/normalized"},
      {"'componentType':5121,'count':1,'type':'VEC2','bufferView':9", "/accessors/0/bufferView"},
      {"'componentType':5121,'count':1,'type':'VEC2','bufferView':2", "/bufferViews/2/buffer"},
      {"'componentType':5121,'count':1,'type':'VEC2','bufferView':3", "/bufferViews/3"},
      {"'componentType':5126,'count':1,'type':'VEC2','bufferView':1", "/accessors/0"},
      {"'componentType':5121,'count':17,'type':'VEC2','bufferView':0", "/accessors/0"},
      {"'componentType':5121,'count':2,'type':'SCALAR','sparse':{'count':1,'indices':{'bufferView':"
       "0,'byteOffset':2,'componentType':5121},'values':{'bufferView':0}}",
       "/accessors/0"},
      {"'componentType':5121,'count':2,'type':'SCALAR','sparse':{'count':3}",
       "/accessors/0/sparse/count"},
      {"'componentType':5121,'count':2,'type':'SCALAR','sparse':{'count':1}",
       "/accessors/0/sparse"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    supple_document *d = open_text(accessor(cases[i].members));
    float values[64];
    supple_error error;
    assert_int_equal(supple_document_floats(d, 0, values, &error), SUPPLE_ERROR_FORMAT);
    if (strcmp(error.pointer, cases[i].pointer) != 0)
      fail_msg("%s: %s", cases[i].members, error.message);
    assert_int_equal(supple_document_floats(d, 1, values, &error), SUPPLE_ERROR_ARGUMENT);
    supple_document_free(d);
  }
  supple_document *d = open_text(accessor("'componentType':5126,'count':1,'type':'VEC2'"));
  uint32_t integers[2];
  supple_error error;
  assert_int_equal(supple_document_integers(d, 0, integers, &error), SUPPLE_ERROR_ARGUMENT);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_wrong)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
