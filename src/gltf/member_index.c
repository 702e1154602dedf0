/* member_index.c: the members of a big object in the order of their keys. */
#include "../base/prologue.h"

#include "member_index.h"

#include "../base/merge_sort.h"
#include "document_tree.h"

#include <string.h>

/* ---- keys ---- */

static const char *key_of(const supplei_tree *tree, uint32_t value, size_t *length) {
  const supplei_value *v = &tree->values[value];
  if (v->flags & SUPPLEI_VALUE_KEY_ESCAPED) {
    const char *key = supplei_tree_key_text(tree, value);
    *length = strlen(key);
    return key;
  }
  *length = v->key_length;
  return tree->sources[v->key_text].text + v->key;
}

static int compare_texts(const char *a, size_t a_length, const char *b, size_t b_length) {
  const size_t shorter = a_length < b_length ? a_length : b_length;
  const int order = shorter ? memcmp(a, b, shorter) : 0;
  return order ? order : (a_length > b_length) - (a_length < b_length);
}

static int compare_values(const supplei_tree *tree, uint32_t a, uint32_t b) {
  size_t a_length, b_length;
  const char *a_key = key_of(tree, a, &a_length), *b_key = key_of(tree, b, &b_length);
  return compare_texts(a_key, a_length, b_key, b_length);
}

static int by_key(const void *context, uint64_t a, uint64_t b) {
  return compare_values(context, (uint32_t)a, (uint32_t)b);
}

static bool is_member(const supplei_tree *tree, uint32_t value) {
  return !(tree->values[value].flags & (SUPPLEI_VALUE_OUT | SUPPLEI_VALUE_DEAD));
}

/* ---- runs ---- */

/* The length of the run that begins at `begin`: the highest power of two in what is left. */
static uint32_t run_length(const supplei_member_index *index, uint32_t begin) {
  uint32_t length = 1;
  while (length <= (index->count - begin) / 2) length *= 2;
  return length;
}

/* The first place in a run whose key is not before this one. */
static uint32_t lower_bound(const supplei_member_index *index, const supplei_tree *tree,
                            uint32_t begin, uint32_t length, const char *key, size_t key_length) {
  uint32_t end = begin + length;
  while (begin < end) {
    const uint32_t middle = begin + (end - begin) / 2;
    size_t n;
    const char *other = key_of(tree, index->items[middle], &n);
    if (compare_texts(other, n, key, key_length) < 0)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

static bool has_key(const supplei_member_index *index, const supplei_tree *tree, uint32_t at,
                    const char *key, size_t length) {
  size_t n;
  const char *other = key_of(tree, index->items[at], &n);
  return n == length && memcmp(other, key, n) == 0;
}

/* ---- finding ---- */

uint32_t supplei_member_index_find(const supplei_member_index *index, const supplei_tree *tree,
                                   const char *key, size_t length) {
  for (uint32_t begin = 0, n; begin < index->count; begin += n) {
    n = run_length(index, begin);
    uint32_t at = lower_bound(index, tree, begin, n, key, length);
    for (; at < begin + n && has_key(index, tree, at, key, length); at++)
      if (is_member(tree, index->items[at])) return index->items[at];
  }
  return SUPPLE_NONE;
}

/* Where `before` stands, or (SUPPLE_NONE) a value of this key that is no member now; else the count. */
static uint32_t place_for(const supplei_member_index *index, const supplei_tree *tree,
                          uint32_t before, uint32_t now) {
  size_t length;
  const char *key = key_of(tree, now, &length);
  for (uint32_t begin = 0, n; begin < index->count; begin += n) {
    n = run_length(index, begin);
    uint32_t at = lower_bound(index, tree, begin, n, key, length);
    for (; at < begin + n && has_key(index, tree, at, key, length); at++) {
      const uint32_t there = index->items[at];
      if (before == SUPPLE_NONE ? there == now || !is_member(tree, there) : there == before)
        return at;
    }
  }
  return index->count;
}

/* ---- changing ---- */

static bool reserve(supplei_member_index *index, const supple_allocator *allocator,
                    uint32_t capacity) {
  if (capacity <= index->capacity) return true;
  uint32_t *items = supplei_allocate(allocator, capacity, sizeof *items);
  uint32_t *scratch = supplei_allocate(allocator, capacity, sizeof *scratch);
  if (items && scratch) {
    if (index->count) memcpy(items, index->items, index->count * sizeof *items);
    supplei_release(allocator, index->items, index->capacity, sizeof *items);
    supplei_release(allocator, index->scratch, index->capacity, sizeof *scratch);
    index->items = items;
    index->scratch = scratch;
    index->capacity = capacity;
    return true;
  }
  supplei_release(allocator, items, capacity, sizeof *items);
  supplei_release(allocator, scratch, capacity, sizeof *scratch);
  return false;
}

/* Two runs of one length, the second of which ends at `end`, become one. */
static void merge_last(supplei_member_index *index, const supplei_tree *tree, uint32_t end,
                       uint32_t length) {
  const uint32_t begin = end - 2 * length, middle = end - length;
  uint32_t a = begin, b = middle;
  for (uint32_t i = begin; i < end; i++) {
    const bool first =
        b == end || (a < middle && compare_values(tree, index->items[a], index->items[b]) <= 0);
    index->scratch[i] = index->items[first ? a++ : b++];
  }
  memcpy(index->items + begin, index->scratch + begin, 2 * (size_t)length * sizeof *index->items);
}

bool supplei_member_index_put(supplei_member_index *index, const supplei_tree *tree,
                              uint32_t before, uint32_t now) {
  const uint32_t at = place_for(index, tree, before, now);
  if (at < index->count) {
    index->items[at] = now;
    return true;
  }
  if (before != SUPPLE_NONE || index->count > UINT32_MAX / 4) return false;
  if (at == index->capacity && !reserve(index, &tree->allocator, 2 * at + 8)) return false;
  index->items[index->count++] = now;
  /* A run of one, merged with those that are as long as what is merged so far. */
  for (uint32_t length = 1; at & length; length *= 2) merge_last(index, tree, at + 1, length);
  return true;
}

bool supplei_member_index_make(supplei_member_index *index, const supplei_tree *tree,
                               uint32_t object) {
  const supple_allocator *allocator = &tree->allocator;
  const uint32_t count = tree->values[object].count;
  *index = (supplei_member_index){0};
  uint64_t *order = supplei_allocate(allocator, count, 2 * sizeof *order);
  const bool fine = order && reserve(index, allocator, count);
  if (fine) {
    for (uint32_t i = 0; i < count; i++) order[i] = supplei_tree_child(tree, object, i);
    supplei_merge_sort(order, order + count, count, by_key, tree);
    for (uint32_t i = 0; i < count; i++) index->items[i] = (uint32_t)order[i];
    index->count = count; /* any cut of what is sorted is sorted: the runs are there */
  }
  supplei_release(allocator, order, count, 2 * sizeof *order);
  return fine;
}

void supplei_member_index_release(supplei_member_index *index, const supple_allocator *allocator) {
  supplei_release(allocator, index->items, index->capacity, sizeof *index->items);
  supplei_release(allocator, index->scratch, index->capacity, sizeof *index->scratch);
  *index = (supplei_member_index){0};
}
