/* test_influence_users.c: which primitives share their influences. */
#include "tests/fix/fix_at_work.h"

#include "src/fix/influence_users.h"

static supple_document *three_primitives(void) {
  strip s = clean_strip();
  supple_document *document = open_strip(&s);
  /* the same influences with other indices; other positions; other joints; none */
  static const char *const more[] = {
      "{\"attributes\":{\"JOINTS_0\":1,\"POSITION\":0,\"WEIGHTS_0\":2}}",
      "{\"attributes\":{\"POSITION\":7,\"JOINTS_0\":1,\"WEIGHTS_0\":2}}",
      "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":8,\"WEIGHTS_0\":2}}",
      "{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}"};
  for (int i = 0; i < 2; i++)
    assert_int_equal(
        supple_document_insert(
            document, supple_document_find(document, "/accessors"), SUPPLE_NONE,
            i ? "{\"bufferView\":0,\"byteOffset\":72,\"componentType\":5121,\"count\":6,\"type\":"
                "\"VEC4\"}"
              : "{\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"}",
            NULL, NULL),
        SUPPLE_OK);
  for (int i = 0; i < 4; i++)
    assert_int_equal(supple_document_insert(
                         document,
                         supple_document_find(document, i < 3 ? "/meshes/0/primitives" : "/meshes"),
                         SUPPLE_NONE, more[i], NULL, NULL),
                     SUPPLE_OK);
  return document;
}

static void groups(void **state) {
  (void)state;
  for (int geometry = 0; geometry < 2; geometry++) {
    fix_at_work work;
    supplei_influence_users users;
    open_work(&work, three_primitives());
    assert_int_equal(supplei_influence_users_find(&users, &work.fix, geometry), SUPPLE_OK);
    assert_int_equal(users.count, 4);
    uint32_t ends[4], count = 0;
    for (uint32_t at = 0; at < users.count; at = ends[count - 1])
      ends[count++] = supplei_influence_users_end(&users, at);
    assert_int_equal(count, geometry ? 3 : 2);
    assert_int_equal(ends[0], geometry ? 2 : 3);
    assert_true(users.items[0].set_count == 1 && users.items[0].primitive == 0 &&
                users.items[1].primitive == 1);
    assert_int_equal(users.items[3].primitive, 3);
    assert_true(users.pool[users.items[3].key] == 8 && users.pool[users.items[3].key + 1] == 2);
    supplei_influence_users_release(&users);
    close_work(&work);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(groups)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
