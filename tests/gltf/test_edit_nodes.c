/* test_edit_nodes.c: rest transforms: what is written, and which number texts stay. */
#include "document_text.h"

#include <math.h>

static const supple_transform identity = {{0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1}};

static void test_transform(void **state) {
  (void)state;
  supple_document *d = open_text("{'nodes':[{'name':'a'},{'translation':[1.0,2e0,3],'scale':[1,1."
                                 "00,1]},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}]}");
  supple_transform t = identity;
  fine(supple_document_set_node(d, 0, &t, NULL, problem));
  t.translation.x = 1, t.translation.y = 2, t.translation.z = 0.1;
  fine(supple_document_set_node(d, 1, &t, NULL, problem));
  t.rotation.w = 0, t.rotation.y = -1;
  fine(supple_document_set_node(d, 2, &t, NULL, problem));
  expect_text(d, "{'nodes':[{'name':'a'},{'translation':[1.0,2e0,0.1],'scale':[1,1.00,1]},{'"
                 "translation':[1,2,0.1],'rotation':[0,-1,0,0]}]}");
  supple_document_free(d);
}

static void test_matrix(void **state) {
  (void)state;
  supple_document *d = open_text("{'nodes':[{'rotation':[0,0,0,1]},{'matrix':[1,0,0,0,0,1.0,0,0,0,"
                                 "0,1,0,0,0,0,1]},{'matrix':[1,2]}]}");
  supple_affine64 m = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0.5}}};
  for (uint32_t i = 0; i < 3; i++) fine(supple_document_set_node(d, i, NULL, &m, problem));
  expect_text(d, "{'nodes':[{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0.5,1]},{'matrix':[1,0,0,0,0,1."
                 "0,0,0,0,0,1,0,0,0,0.5,1]},{'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0.5,1]}]}");
  supple_error error;
  assert_int_equal(supple_document_set_node(d, 9, NULL, &m, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set_node(d, 0, &identity, &m, &error), SUPPLE_ERROR_ARGUMENT);
  assert_int_equal(supple_document_set_node(d, 0, NULL, NULL, &error), SUPPLE_ERROR_ARGUMENT);
  m.m[0][0] = (double)NAN;
  assert_int_equal(supple_document_set_node(d, 0, NULL, &m, &error), SUPPLE_ERROR_NUMBER);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_transform),
                                     cmocka_unit_test(test_matrix)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
