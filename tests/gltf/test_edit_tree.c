/* test_edit_tree.c: random edits against a plain model of lists, edits taken back, and many edits of a big file. */
#include "document_text.h"

#include "src/gltf/document_state.h"

enum { KINDS = 5, MOST = 400 };

static uint32_t seed;
static uint32_t draw(uint32_t below) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)seed * below) >> 32);
}

/* The model: {"k0":[numbers],"k1":…} as plain arrays. */
typedef struct model {
  int numbers[KINDS][MOST];
  uint32_t counts[KINDS];
} model;

static void model_text(const model *m, char *out) {
  out += sprintf(out, "{");
  for (int k = 0; k < KINDS; k++) {
    out += sprintf(out, "%s\"k%d\":[", k ? "," : "", k);
    for (uint32_t i = 0; i < m->counts[k]; i++)
      out += sprintf(out, "%s%d", i ? "," : "", m->numbers[k][i]);
    out += sprintf(out, "]");
  }
  sprintf(out, "}");
}

static void edit(supple_document *d, model *m) {
  const int k = (int)draw(KINDS);
  char key[16], number[16];
  sprintf(key, "k%d", k);
  const int value = (int)draw(100000) - 50000;
  sprintf(number, "%d", value);
  const supple_value array = supple_document_member(d, 0, key);
  uint32_t *count = &m->counts[k];
  int *numbers = m->numbers[k];
  const uint32_t at = draw(*count + 1);
  if (draw(3) == 0 && *count < MOST) {
    fine(supple_document_insert(d, array, at, number, NULL, problem));
    memmove(numbers + at + 1, numbers + at, (*count - at) * sizeof *numbers);
    numbers[at] = value;
    ++*count;
  } else if (at < *count && draw(2)) {
    fine(supple_document_remove(d, supple_document_child(d, array, at), problem));
    memmove(numbers + at, numbers + at + 1, (*count - at - 1) * sizeof *numbers);
    --*count;
  } else if (at < *count) {
    fine(supple_document_replace(d, supple_document_child(d, array, at), number, NULL, problem));
    numbers[at] = value;
  }
}

static void expect_model(supple_document *d, const model *m) {
  static char text[1 << 15];
  model_text(m, text);
  const written_bytes out = write_main(d, "a.gltf");
  assert_string_equal(out.data, text);
  free(out.data);
  for (int k = 0; k < KINDS; k++) {
    char key[16], pointer[32], wanted[48];
    sprintf(key, "k%d", k);
    const supple_value array = supple_document_member(d, 0, key);
    assert_int_equal(supple_document_count(d, array), m->counts[k]);
    for (uint32_t i = 0; i < m->counts[k]; i++) {
      double number = 0;
      const supple_value child = supple_document_child(d, array, i);
      assert_true(supple_document_number(d, child, &number) && number == m->numbers[k][i]);
      sprintf(wanted, "/k%d/%u", k, (unsigned)i);
      assert_string_equal(supple_document_pointer(d, child, pointer, sizeof pointer), wanted);
    }
  }
}

static void test_random_edits(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 12; round++) {
    static model m, before;
    static char text[1 << 15];
    seed = round;
    for (int k = 0; k < KINDS; k++) {
      m.counts[k] = draw(60);
      for (uint32_t i = 0; i < m.counts[k]; i++) m.numbers[k][i] = (int)draw(1000);
    }
    model_text(&m, text);
    supple_error error;
    supple_document *d = supple_document_load_memory(text, strlen(text), NULL, &error);
    assert_non_null(d);
    expect_model(d, &m);
    for (int step = 0; step < 40; step++) {
      const bool back = draw(3) == 0;
      before = m;
      const uint32_t mark = supplei_tree_begin(&d->tree);
      const uint32_t inner = supplei_tree_begin(&d->tree);
      for (uint32_t n = draw(12); n > 0; n--) edit(d, &m);
      supplei_tree_end(&d->tree, inner, SUPPLE_OK);
      for (uint32_t n = draw(6); n > 0; n--) edit(d, &m);
      supplei_tree_end(&d->tree, mark, back ? SUPPLE_ERROR_MEMORY : SUPPLE_OK);
      if (back) m = before;
      expect_model(d, &m);
    }
    supple_document_free(d);
  }
}

/* An inner failure takes back the inner edits alone. */
static void test_nested(void **state) {
  (void)state;
  supple_document *d = open_text("{'a':1,'b':[2,3]}");
  supplei_tree *tree = &d->tree;
  const uint32_t outer = supplei_tree_begin(tree);
  fine(supple_document_set(d, 0, "a", "10", NULL, problem));
  const uint32_t inner = supplei_tree_begin(tree);
  fine(supple_document_remove(d, supple_document_find(d, "/b/0"), problem));
  fine(supple_document_remove(d, supple_document_find(d, "/b"), problem));
  fine(supple_document_set(d, 0, "c", "{}", NULL, problem));
  assert_int_equal(supplei_tree_end(tree, inner, SUPPLE_ERROR_FORMAT), SUPPLE_ERROR_FORMAT);
  assert_int_equal(supplei_tree_end(tree, outer, SUPPLE_OK), SUPPLE_OK);
  expect_text(d, "{'a':10,'b':[2,3]}");
  supple_document_free(d);
}

/* A million values, a hundred thousand edits of each kind: takes minutes where one of them is not O(1). */
static void test_many(void **state) {
  (void)state;
  enum { ITEMS = 200000, EDITS = 100000 };
  char *text = malloc((size_t)ITEMS * 40 + 100), *out = text;
  assert_non_null(text);
  out += sprintf(out, "{\"nodes\":[");
  for (uint32_t i = 0; i < ITEMS; i++)
    out += sprintf(out, "%s{\"name\":\"n\",\"mesh\":1,\"scale\":[1]}", i ? "," : "");
  sprintf(out, "]}");
  supple_error error;
  supple_document *d = supple_document_load_memory(text, strlen(text), NULL, &error);
  free(text);
  if (!d) fail_msg("%s", error.message);
  const supple_value nodes = supple_document_find(d, "/nodes");
  for (uint32_t i = 0; i < EDITS; i++) {
    const supple_value node = supple_document_child(d, nodes, (i * 7919u) % ITEMS);
    fine(supple_document_set(d, node, "mesh", "20", NULL, problem));
  }
  for (uint32_t i = 0; i < EDITS; i++)
    fine(supple_document_insert(d, nodes, SUPPLE_NONE, "{}", NULL, problem));
  for (uint32_t i = 0; i < EDITS; i++) /* every other one, from the front */
    fine(supple_document_remove(d, supple_document_child(d, nodes, i), problem));
  assert_int_equal(supple_document_count(d, nodes), ITEMS);
  uint32_t twenties = 0;
  for (uint32_t i = 0; i < supple_document_count(d, nodes); i++)
    twenties += supple_document_index(
                    d, supple_document_member(d, supple_document_child(d, nodes, i), "mesh")) == 20;
  const written_bytes written = write_main(d, "a.gltf");
  uint32_t found = 0;
  static const char mesh[] = "\"mesh\":20"; /* not by strstr, which a sanitizer makes quadratic */
  for (size_t at = 0; at + sizeof mesh <= written.size; at++)
    found += memcmp(written.data + at, mesh, sizeof mesh - 1) == 0;
  assert_int_equal(found, twenties);
  free(written.data);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_edits),
                                     cmocka_unit_test(test_nested), cmocka_unit_test(test_many)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
