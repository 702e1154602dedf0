/* test_fix_same.c: what deformation cannot tell apart is what leads to the same vertices in every pose. */
#include "tests/fix/fix_tests.h"

#include "src/fix/fix_same.h"

typedef struct states {
  supple_document *document;
  supple_asset *before, *after;
  supplei_same same;
} states;

/* The strip, and the strip with one member set ("" is the whole file). */
static void open_states(states *s, const char *object, const char *key, const char *json) {
  supple_error error;
  const strip plain = clean_strip();
  s->document = open_strip(&plain);
  s->before = supple_document_asset(s->document, NULL, &error);
  if (!s->before) fail_msg("%s", error.message);
  if (object && supple_document_set(s->document, supple_document_find(s->document, object), key,
                                    json, NULL, &error))
    fail_msg("%s", error.message);
  s->after = supple_document_asset(s->document, NULL, &error);
  if (!s->after) fail_msg("%s", error.message);
  assert_true(supplei_same_open(&s->same, s->before, s->after, NULL));
}

static void close_states(states *s) {
  supplei_same_release(&s->same);
  supple_asset_free(s->after);
  supple_asset_free(s->before);
  supple_document_free(s->document);
}

static void expect(const char *object, const char *key, const char *json, bool skins,
                   bool primitives) {
  states s;
  open_states(&s, object, key, json);
  for (int i = 0; i < 2; i++) { /* the second answer is remembered */
    assert_int_equal(supplei_same_skins(&s.same, &s.before->skins[0], &s.after->skins[0]), skins);
    assert_int_equal(supplei_same_primitives(&s.same, &s.before->meshes[0].primitives[0],
                                             &s.after->meshes[0].primitives[0]),
                     primitives);
    assert_int_equal(supplei_same_meshes(&s.same, &s.before->instances[0], &s.after->instances[0]),
                     primitives);
  }
  close_states(&s);
}

static void nothing_changed(void **state) {
  (void)state;
  expect(NULL, NULL, NULL, true, true);
  expect("/nodes/0", "translation", "[1,2,3]", true, true); /* the skinned node moves nothing */
  expect("/nodes/3", "name", "\"other\"", true, true);
  expect("", "extras", "{}", true, true);
}

static void joints_moved(void **state) {
  (void)state;
  expect("/nodes/3", "translation", "[0,1.5,0]", false, true);
  expect("/nodes/1", "scale", "[2,2,2]", false, true);     /* above the joints that it moves */
  expect("/nodes/2", "rotation", "[0,0,0,1]", true, true); /* what it is without */
}

static void skins_changed(void **state) {
  (void)state;
  expect("/skins/0", "joints", "[1,3,2]", false, true);
  expect("/animations/0/channels/0/target", "node", "3", false, true);
  expect("/animations/0/channels/0/target", "node", "0", false, true);
  expect("/animations/0/samplers/0", "interpolation", "\"STEP\"", false, true);
}

static void primitives_changed(void **state) {
  (void)state;
  expect("/meshes/0/primitives/0/attributes", "POSITION", "0", true, true);
  expect("/accessors/2", "byteOffset", "112", true,
         false); /* other weights: those of the next vertices */
  expect("/accessors/0", "byteOffset", "4", true, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_changed),
      cmocka_unit_test(joints_moved),
      cmocka_unit_test(skins_changed),
      cmocka_unit_test(primitives_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
