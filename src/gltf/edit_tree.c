/* edit_tree.c: edits of a document's JSON, one by one or many as one that can be taken back. */
#include "../base/prologue.h"

#include "document_tree.h"

#include "json_text.h"

#include <stdio.h>
#include <string.h>

/* ---- lists ---- */

/* Moves the gap of a list so that it begins at `index`. Values that move are told where they went, unless they
 * are many: they are found again by looking. */
static void move_gap(supplei_tree *tree, supplei_list *list, uint32_t index) {
  enum { MANY = 4096 };
  const uint32_t gap = list->gap, from = list->gap_begin;
  list->gap_begin = index;
  if (!gap || index == from) return;
  const uint32_t moved = index < from ? from - index : index - from;
  uint32_t *to = list->items + (index < from ? index + gap : from);
  memmove(to, list->items + (index < from ? index : from + gap), moved * sizeof *to);
  if (moved > MANY) {
    list->moved_by = gap;
    return;
  }
  for (uint32_t i = 0; i < moved; i++) tree->values[to[i]].slot = (uint32_t)(to + i - list->items);
}

static supple_result make_room(supplei_tree *tree, supplei_list *list, uint32_t count,
                               supple_error *error) {
  if (list->gap) return SUPPLE_OK;
  move_gap(tree, list, count); /* nothing but a number: there is no gap */
  void *items = list->items;
  const supple_result result = supplei_grow(&tree->allocator, &items, &list->capacity, count,
                                            count + 1, sizeof *list->items, error);
  list->items = items;
  list->gap = list->capacity - count;
  return result;
}

supple_result supplei_tree_open_list(supplei_tree *tree, uint32_t container, supple_error *error) {
  supplei_value *v = &tree->values[container];
  if (v->flags & SUPPLEI_VALUE_LISTED)
    return make_room(tree, &tree->lists[v->children], v->count, error);
  void *lists = tree->lists;
  supple_result result =
      supplei_grow(&tree->allocator, &lists, &tree->list_capacity, tree->list_count,
                   tree->list_count + 1, sizeof *tree->lists, error);
  tree->lists = lists;
  if (result) return result;
  supplei_list list = {0};
  void *items = NULL;
  result = supplei_grow(&tree->allocator, &items, &list.capacity, 0, v->count + 1,
                        sizeof *list.items, error);
  if (result) return result;
  list.items = items;
  if (v->count) memcpy(list.items, tree->pool + v->children, v->count * sizeof *list.items);
  list.gap_begin = v->count;
  list.gap = list.capacity - v->count;
  tree->lists[tree->list_count] = list;
  v->children = tree->list_count++;
  v->flags |= SUPPLEI_VALUE_LISTED;
  return SUPPLE_OK;
}

/* `now` is a member instead of `before`, or (SUPPLE_NONE) a new one: the index follows, where there is one. */
static void tell_index(supplei_tree *tree, const supplei_value *container, uint32_t before,
                       uint32_t now) {
  tree->values[now].flags &= (uint8_t)~SUPPLEI_VALUE_OUT;
  if (!(container->flags & SUPPLEI_VALUE_LISTED)) return;
  supplei_member_index *index = &tree->lists[container->children].index;
  if (index->count && !supplei_member_index_put(index, tree, before, now))
    supplei_member_index_release(index, &tree->allocator);
}

/* The list has room. */
static void put_child(supplei_tree *tree, uint32_t container, uint32_t index, uint32_t value) {
  supplei_value *v = &tree->values[container];
  supplei_list *list = &tree->lists[v->children];
  move_gap(tree, list, index);
  list->items[list->gap_begin] = value;
  tree->values[value].slot = list->gap_begin++;
  list->gap--;
  v->count++;
  tell_index(tree, v, SUPPLE_NONE, value);
}

static void take_child(supplei_tree *tree, uint32_t container, uint32_t index) {
  supplei_value *v = &tree->values[container];
  supplei_list *list = &tree->lists[v->children];
  tree->values[supplei_tree_child(tree, container, index)].flags |= SUPPLEI_VALUE_OUT;
  if (index + 1 == list->gap_begin) {
    list->gap_begin--;
  } else {
    move_gap(tree, list, index);
  }
  list->gap++;
  v->count--;
}

static void exchange_child(supplei_tree *tree, uint32_t before, uint32_t now) {
  const uint32_t container = tree->values[before].parent,
                 index = supplei_tree_index_of(tree, before);
  const supplei_value *v = &tree->values[container];
  if (v->flags & SUPPLEI_VALUE_LISTED) {
    const supplei_list *list = &tree->lists[v->children];
    list->items[index < list->gap_begin ? index : index + list->gap] = now;
  } else {
    tree->pool[v->children + index] = now;
  }
  tree->values[now].slot = tree->values[before].slot;
  tree->values[before].flags |= SUPPLEI_VALUE_OUT;
  tell_index(tree, v, before, now);
}

/* ---- steps ---- */

/* Marks a value and all in it as removed. */
static void bury(supplei_tree *tree, uint32_t root) {
  uint32_t at = root;
  for (;;) {
    supplei_value *v = &tree->values[at];
    if (v->count) { /* its last child first; what is done is no longer counted */
      at = supplei_tree_child(tree, at, v->count - 1);
      v->count--;
      continue;
    }
    v->flags |= SUPPLEI_VALUE_DEAD;
    if (at == root) return;
    at = v->parent;
  }
}

static supple_result reserve_step(supplei_tree *tree, supple_error *error) {
  void *steps = tree->steps;
  const supple_result result =
      supplei_grow(&tree->allocator, &steps, &tree->step_capacity, tree->step_count,
                   tree->step_count + 1, sizeof *tree->steps, error);
  tree->steps = steps;
  return result;
}

static void mark_changed(supplei_tree *tree, uint32_t value) {
  tree->revision++;
  while (value != SUPPLE_NONE && !(tree->values[value].flags & SUPPLEI_VALUE_CHANGED)) {
    tree->values[value].flags |= SUPPLEI_VALUE_CHANGED;
    value = tree->values[value].parent;
  }
}

static void take_back(supplei_tree *tree, const supplei_step *step) {
  switch (step->kind) {
  case SUPPLEI_STEP_REPLACED:
    exchange_child(tree, step->now, step->before);
    bury(tree, step->now);
    break;
  case SUPPLEI_STEP_INSERTED:
    take_child(tree, tree->values[step->now].parent, supplei_tree_index_of(tree, step->now));
    bury(tree, step->now);
    break;
  case SUPPLEI_STEP_REMOVED:
    put_child(tree, tree->values[step->before].parent, step->index, step->before);
    break;
  }
}

/* What was removed can now never come back. A value that was put in and removed again is buried once. */
static void settle(supplei_tree *tree) {
  for (uint32_t i = 0; i < tree->step_count; i++) {
    const supplei_step *step = &tree->steps[i];
    if (step->kind != SUPPLEI_STEP_INSERTED && supplei_value_at(tree, step->before))
      bury(tree, step->before);
  }
  tree->step_count = 0;
}

uint32_t supplei_tree_begin(supplei_tree *tree) {
  tree->open++;
  return tree->step_count;
}

supple_result supplei_tree_end(supplei_tree *tree, uint32_t mark, supple_result result) {
  if (result) {
    while (tree->step_count > mark) take_back(tree, &tree->steps[--tree->step_count]);
    tree->revision++;
  }
  if (--tree->open == 0) settle(tree);
  return result;
}

/* ---- new values ---- */

static uint32_t depth_of(const supplei_tree *tree, uint32_t value) {
  uint32_t depth = 1;
  while ((value = tree->values[value].parent) != SUPPLE_NONE) depth++;
  return depth;
}

/* Checks a text and makes it a value that has no place yet. */
static supple_result make_value(supplei_tree *tree, uint32_t container, const char *json,
                                uint32_t *out, supple_error *error) {
  const supple_allocator *allocator = &tree->allocator;
  const size_t length = strlen(json);
  const uint32_t depth = depth_of(tree, container);
  const bool full = tree->depth_limit && depth >= tree->depth_limit;
  const supplei_json_limits limits = {0,
                                      full                ? 1
                                      : tree->depth_limit ? tree->depth_limit - depth
                                                          : 0,
                                      0};
  supplei_json parsed;
  supple_result result = supplei_json_parse(&parsed, json, length, &limits, allocator, error);
  if (result) return result;
  if (full &&
      (parsed.nodes[0].type == SUPPLEI_JSON_ARRAY || parsed.nodes[0].type == SUPPLEI_JSON_OBJECT))
    result = supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                          "nested deeper than limits.json_depth allows (%u)",
                          (unsigned)tree->depth_limit);
  void *sources = tree->sources;
  if (!result)
    result = supplei_grow(allocator, &sources, &tree->source_capacity, tree->source_count,
                          tree->source_count + 1, sizeof *tree->sources, error);
  tree->sources = sources;
  char *copy = NULL;
  if (!result && !(copy = supplei_arena_allocate(&tree->arena, length + 1, 2)))
    result = supplei_fail_memory(error, 2 * length + 2, "a text in the JSON");
  if (!result) {
    memcpy(copy, json, length);
    tree->sources[tree->source_count++] =
        (supplei_source){copy, copy + length + 1, (uint32_t)length};
    result = supplei_tree_adopt(tree, tree->source_count - 1, &parsed, out, error);
  }
  supplei_json_release(&parsed);
  if (!result) tree->values[*out].anchor = SUPPLE_NONE;
  return result;
}

/* Gives a value the key of a member that is new. */
static supple_result make_key(supplei_tree *tree, uint32_t value, const char *key,
                              supple_error *error) {
  supplei_output escaped = {.allocator = tree->allocator};
  supplei_output_string(&escaped, key);
  void *sources = tree->sources;
  supple_result result =
      supplei_grow(&tree->allocator, &sources, &tree->source_capacity, tree->source_count,
                   tree->source_count + 1, sizeof *tree->sources, error);
  tree->sources = sources;
  char *copy = NULL;
  if (!result && !escaped.failed) copy = supplei_arena_allocate(&tree->arena, escaped.size + 1, 2);
  if (!result && !copy) result = supplei_fail_memory(error, strlen(key), "a key in the JSON");
  if (!result) {
    const uint32_t length = (uint32_t)escaped.size;
    memcpy(copy, escaped.data, length);
    tree->sources[tree->source_count] = (supplei_source){copy, copy + length + 1, length};
    supplei_value *v = &tree->values[value];
    v->key_text = tree->source_count++;
    v->key = 1;
    v->key_length = length - 2;
    if (memchr(copy, '\\', length)) v->flags |= SUPPLEI_VALUE_KEY_ESCAPED;
  }
  supplei_output_release(&escaped);
  return result;
}

/* Puts a value into a container that has a list with room. */
static void attach(supplei_tree *tree, uint32_t container, uint32_t index, uint32_t value) {
  tree->values[value].parent = container;
  put_child(tree, container, index, value);
  tree->steps[tree->step_count++] =
      (supplei_step){.kind = SUPPLEI_STEP_INSERTED, .now = value, .before = SUPPLE_NONE};
  mark_changed(tree, container);
  if (!tree->open) settle(tree);
}

/* ---- edits ---- */

static supple_result wrong(supple_error *error, const char *what) {
  return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "%s", what);
}

static bool is_text(const char *json) { return json && strlen(json) < UINT32_MAX / 2; }

static bool is_utf8(const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  for (size_t left = strlen(text), n; left; s += n, left -= n)
    if (!(n = supplei_utf8_length(s, left))) return false;
  return true;
}

supple_result supplei_tree_replace(supplei_tree *tree, uint32_t value, const char *json,
                                   uint32_t *out, supple_error *error) {
  const supplei_value *v = supplei_value_at(tree, value);
  if (!v) return wrong(error, "there is no value to replace");
  if (v->parent == SUPPLE_NONE)
    return wrong(error, "the whole JSON cannot be replaced: load another document");
  if (!is_text(json)) return wrong(error, "the text of the value is NULL or too long");
  const uint32_t container = v->parent;
  uint32_t now;
  supple_result result = reserve_step(tree, error);
  if (!result) result = make_value(tree, container, json, &now, error);
  if (result) return result;
  const supplei_value *before = &tree->values[value];
  supplei_value *after = &tree->values[now];
  const uint8_t keep = SUPPLEI_VALUE_KEY_ESCAPED | SUPPLEI_VALUE_KEY_DECODED;
  after->parent = container;
  after->anchor = before->anchor;
  after->key_text = before->key_text;
  after->key = before->key;
  after->key_length = before->key_length;
  after->flags = (uint8_t)((after->flags & ~keep) | (before->flags & keep));
  exchange_child(tree, value, now);
  tree->steps[tree->step_count++] =
      (supplei_step){.kind = SUPPLEI_STEP_REPLACED, .before = value, .now = now};
  mark_changed(tree, container);
  if (!tree->open) settle(tree);
  if (out) *out = now;
  return SUPPLE_OK;
}

supple_result supplei_tree_insert(supplei_tree *tree, uint32_t array, uint32_t index,
                                  const char *json, uint32_t *out, supple_error *error) {
  if (!supplei_tree_is(tree, array, SUPPLEI_JSON_ARRAY))
    return wrong(error, "there is no array to insert into");
  if (!is_text(json)) return wrong(error, "the text of the value is NULL or too long");
  uint32_t now;
  supple_result result = reserve_step(tree, error);
  if (!result) result = supplei_tree_open_list(tree, array, error);
  if (!result) result = make_value(tree, array, json, &now, error);
  if (result) return result;
  const uint32_t count = tree->values[array].count;
  attach(tree, array, index < count ? index : count, now);
  if (out) *out = now;
  return SUPPLE_OK;
}

supple_result supplei_tree_set(supplei_tree *tree, uint32_t object, const char *key,
                               const char *json, uint32_t *out, supple_error *error) {
  if (!supplei_tree_is(tree, object, SUPPLEI_JSON_OBJECT))
    return wrong(error, "there is no object to set a member of");
  if (!is_text(key) || !is_utf8(key)) return wrong(error, "the key is NULL or not UTF-8");
  const uint32_t existing = supplei_tree_member(tree, object, key);
  if (existing != SUPPLE_NONE) return supplei_tree_replace(tree, existing, json, out, error);
  if (!is_text(json)) return wrong(error, "the text of the value is NULL or too long");
  uint32_t now;
  supple_result result = reserve_step(tree, error);
  if (!result) result = supplei_tree_open_list(tree, object, error);
  if (!result) result = make_value(tree, object, json, &now, error);
  if (!result) result = make_key(tree, now, key, error);
  if (result) return result;
  attach(tree, object, tree->values[object].count, now);
  if (out) *out = now;
  return SUPPLE_OK;
}

supple_result supplei_tree_remove(supplei_tree *tree, uint32_t value, supple_error *error) {
  const supplei_value *v = supplei_value_at(tree, value);
  if (!v || v->parent == SUPPLE_NONE)
    return wrong(error, v ? "the whole JSON cannot be removed" : "there is no value to remove");
  const uint32_t container = v->parent;
  supple_result result = reserve_step(tree, error);
  if (!result) result = supplei_tree_open_list(tree, container, error);
  if (result) return result;
  const uint32_t index = supplei_tree_index_of(tree, value);
  take_child(tree, container, index);
  tree->steps[tree->step_count++] =
      (supplei_step){.kind = SUPPLEI_STEP_REMOVED, .before = value, .index = index};
  mark_changed(tree, container);
  if (!tree->open) settle(tree);
  return SUPPLE_OK;
}

supple_result supplei_tree_remove_member(supplei_tree *tree, uint32_t object, const char *key,
                                         supple_error *error) {
  const uint32_t value = supplei_tree_member(tree, object, key);
  return value == SUPPLE_NONE ? SUPPLE_OK : supplei_tree_remove(tree, value, error);
}

supple_result supplei_tree_set_unsigned(supplei_tree *tree, uint32_t object, const char *key,
                                        uint64_t value, supple_error *error) {
  char text[24];
  uint64_t old;
  if (supplei_tree_unsigned(tree, supplei_tree_member(tree, object, key), UINT64_C(1) << 53, &old) &&
      old == value)
    return SUPPLE_OK; /* as it is written: perhaps "2.0" */
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  return supplei_tree_set(tree, object, key, text, NULL, error);
}

supple_result supplei_tree_set_string(supplei_tree *tree, uint32_t object, const char *key,
                                      const char *text, supple_error *error) {
  if (supplei_tree_equals(tree, supplei_tree_member(tree, object, key), text)) return SUPPLE_OK;
  supplei_output escaped = {.allocator = tree->allocator};
  supplei_output_string(&escaped, text);
  supplei_output_put(&escaped, "", 1);
  const supple_result result =
      escaped.failed ? supplei_fail_memory(error, strlen(text), "a string in the JSON")
                     : supplei_tree_set(tree, object, key, escaped.data, NULL, error);
  supplei_output_release(&escaped);
  return result;
}
