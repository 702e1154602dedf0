/* test_member_index.c: members of big objects, found by their keys, against looking at each. */
#include "document_text.h"

#include "src/gltf/document_state.h"

static uint32_t seed;
static uint32_t draw(uint32_t below) {
  seed = seed * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)seed * below) >> 32);
}

/* {"k0":0,"k1":1,…}, every third key with an escape. */
static supple_document *open_big(uint32_t count) {
  char *text = malloc((size_t)count * 40 + 16), *out = text;
  assert_non_null(text);
  out += sprintf(out, "{");
  for (uint32_t i = 0; i < count; i++)
    out += sprintf(out, "%s\"%s%u\":%u", i ? "," : "", i % 3 ? "k" : "\\u006b", (unsigned)i,
                   (unsigned)i);
  sprintf(out, "}");
  supple_error error;
  supple_document *d = supple_document_load_memory(text, strlen(text), NULL, &error);
  if (!d) fail_msg("%s", error.message);
  free(text);
  return d;
}

static uint32_t look(const supplei_member_index *index, const supplei_tree *tree, const char *key) {
  return supplei_member_index_find(index, tree, key, strlen(key));
}

static void finds_what_is_there(void **state) {
  (void)state;
  char key[32];
  for (uint32_t count = 1; count < 300; count += 1 + count / 3) {
    supplei_member_index index;
    supple_document *d = open_big(count);
    assert_true(supplei_member_index_make(&index, &d->tree, 0));
    assert_int_equal(index.count, count);
    for (uint32_t i = 0; i < count; i++) {
      sprintf(key, "k%u", (unsigned)i);
      assert_int_equal(look(&index, &d->tree, key), supple_document_child(d, 0, i));
    }
    assert_int_equal(look(&index, &d->tree, ""), SUPPLE_NONE);
    assert_int_equal(look(&index, &d->tree, "k"), SUPPLE_NONE);
    assert_int_equal(look(&index, &d->tree, "zz"), SUPPLE_NONE);
    sprintf(key, "k%u", (unsigned)count);
    assert_int_equal(look(&index, &d->tree, key), SUPPLE_NONE);
    supplei_member_index_release(&index, &d->tree.allocator);
    supple_document_free(d);
  }
}

/* Keys that come one by one, in an order of their own. */
static void keys_are_added(void **state) {
  (void)state;
  enum { COUNT = 1000 };
  char key[32];
  supplei_member_index index = {0};
  supple_document *d = open_big(COUNT);
  for (uint32_t i = 0; i < COUNT; i++) {
    const uint32_t at = i * 389 % COUNT;
    assert_true(
        supplei_member_index_put(&index, &d->tree, SUPPLE_NONE, supple_document_child(d, 0, at)));
    assert_int_equal(index.count, i + 1);
    for (uint32_t k = 0; k < COUNT; k += 1 + k / 5) {
      const uint32_t other = k * 389 % COUNT;
      sprintf(key, "k%u", (unsigned)other);
      assert_int_equal(look(&index, &d->tree, key),
                       k <= i ? supple_document_child(d, 0, other) : SUPPLE_NONE);
    }
  }
  const uint32_t first = supple_document_child(d, 0, 0);
  assert_true(supplei_member_index_put(&index, &d->tree, first, first)); /* stands for itself */
  assert_int_equal(index.count, COUNT);
  supplei_member_index_release(&index, &d->tree.allocator);
  assert_false(supplei_member_index_put(&index, &d->tree, first, first)); /* it is not there */
  supple_document_free(d);
}

/* ---- a document against a plain list ---- */

enum { KEYS = 400 };

typedef struct model {
  uint32_t keys[KEYS], numbers[KEYS], count; /* members in order */
} model;

static uint32_t find_in(const model *m, uint32_t key) {
  uint32_t i = 0;
  while (i < m->count && m->keys[i] != key) i++;
  return i;
}

static void edit(supple_document *d, model *m) {
  char key[32], number[32];
  const uint32_t k = draw(KEYS), value = draw(100000), at = find_in(m, k);
  sprintf(key, "k%u", (unsigned)k);
  sprintf(number, "%u", (unsigned)value);
  if (draw(3)) {
    fine(supple_document_set(d, 0, key, number, NULL, problem));
    m->keys[at] = k;
    m->numbers[at] = value;
    m->count += at == m->count;
  } else if (at < m->count) {
    fine(supple_document_remove(d, supple_document_member(d, 0, key), problem));
    m->count--;
    memmove(m->keys + at, m->keys + at + 1, (m->count - at) * sizeof *m->keys);
    memmove(m->numbers + at, m->numbers + at + 1, (m->count - at) * sizeof *m->numbers);
  }
}

static void expect_model(const supple_document *d, const model *m) {
  char key[32];
  assert_int_equal(supple_document_count(d, 0), m->count);
  for (uint32_t i = 0; i < m->count; i++) {
    const supple_value child = supple_document_child(d, 0, i);
    double number = 0;
    sprintf(key, "k%u", (unsigned)m->keys[i]);
    assert_string_equal(supple_document_key(d, child), key);
    assert_int_equal(supple_document_member(d, 0, key), child);
    assert_true(supple_document_number(d, child, &number) && number == m->numbers[i]);
  }
  for (uint32_t k = 0; k < KEYS; k++) {
    sprintf(key, "k%u", (unsigned)k);
    if (find_in(m, k) == m->count) assert_int_equal(supple_document_member(d, 0, key), SUPPLE_NONE);
  }
}

static void follows_edits(void **state) {
  (void)state;
  for (uint32_t round = 0; round < 4; round++) {
    static model m, before;
    seed = round;
    supple_document *d = open_big(KEYS / 2);
    m.count = KEYS / 2;
    for (uint32_t i = 0; i < m.count; i++) m.keys[i] = m.numbers[i] = i;
    for (int step = 0; step < 30; step++) {
      const bool back = draw(3) == 0;
      before = m;
      const uint32_t mark = supplei_tree_begin(&d->tree);
      for (uint32_t n = draw(30); n > 0; n--) edit(d, &m);
      supplei_tree_end(&d->tree, mark, back ? SUPPLE_ERROR_MEMORY : SUPPLE_OK);
      if (back) m = before;
      expect_model(d, &m);
    }
    assert_true(d->tree.values[0].flags & SUPPLEI_VALUE_LISTED);
    assert_true(d->tree.lists[d->tree.values[0].children].index.count >= m.count); /* it was used */
    supplei_tree copy; /* finds its own */
    assert_int_equal(supplei_tree_copy(&copy, &d->tree, NULL), SUPPLE_OK);
    assert_int_equal(supplei_tree_set(&copy, 0, "k1", "7", NULL, NULL), SUPPLE_OK);
    assert_true(supplei_tree_member(&copy, 0, "k1") != SUPPLE_NONE);
    expect_model(d, &m);
    supplei_tree_release(&copy);
    supple_document_free(d);
  }
}

/* Reading alone makes the index too, and changes nothing that is written. */
static void reading_leaves_the_text(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  char key[32];
  supple_document *d = open_big(COUNT);
  const written_bytes plain = write_main(d, "a.gltf");
  for (uint32_t i = 0; i < COUNT; i++) {
    sprintf(key, "k%u", (unsigned)(i * 7919u % COUNT));
    assert_int_equal(supple_document_member(d, 0, key),
                     supple_document_child(d, 0, i * 7919u % COUNT));
  }
  assert_true(d->tree.values[0].flags & SUPPLEI_VALUE_LISTED);
  const written_bytes looked = write_main(d, "a.gltf");
  assert_int_equal(plain.size, looked.size);
  assert_memory_equal(plain.data, looked.data, plain.size);
  free(plain.data);
  free(looked.data);
  supple_document_free(d);
}

/* Takes an age where a member is looked for by looking at each. */
static void a_hundred_thousand(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  char key[32], number[32];
  supple_document *d = open_text("{'a':{}}");
  const supple_value object = supple_document_find(d, "/a");
  for (uint32_t round = 0; round < 2; round++) /* new, then in the place of the old */
    for (uint32_t i = 0; i < COUNT; i++) {
      sprintf(key, "%u", (unsigned)(i * 7919u % COUNT));
      sprintf(number, "%u", (unsigned)(i + round));
      fine(supple_document_set(d, object, key, number, NULL, problem));
    }
  assert_int_equal(supple_document_count(d, object), COUNT);
  for (uint32_t i = 0; i < COUNT; i += 20) { /* out, and some in again, at the end */
    sprintf(key, "/a/%u", (unsigned)i);
    fine(supple_document_remove(d, supple_document_find(d, key), problem));
    if (i % 100 == 0) fine(supple_document_set(d, object, key + 3, "true", NULL, problem));
  }
  assert_int_equal(supple_document_count(d, object), COUNT - COUNT / 20 + COUNT / 100);
  uint32_t there = 0;
  for (uint32_t i = 0; i < COUNT; i++) {
    double value = -1;
    sprintf(key, "%u", (unsigned)i);
    const supple_value member = supple_document_member(d, object, key);
    there += member != SUPPLE_NONE;
    if (i % 20 == 0) continue;
    assert_true(supple_document_number(d, member, &value));
    assert_true((uint32_t)(value - 1) * 7919u % COUNT == i);
  }
  assert_int_equal(there, COUNT - COUNT / 20 + COUNT / 100);
  supple_document_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_what_is_there), cmocka_unit_test(keys_are_added),
      cmocka_unit_test(follows_edits),       cmocka_unit_test(reading_leaves_the_text),
      cmocka_unit_test(a_hundred_thousand),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
