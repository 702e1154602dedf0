/* document_tree.c: the JSON of a document as a tree: making it, and finding one's way in it. */
#include "../base/prologue.h"

#include "document_tree.h"

#include "decimal.h"
#include "json_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- making ---- */

supple_result supplei_grow(const supple_allocator *allocator, void **items, uint32_t *capacity,
                           uint32_t used, uint32_t needed, size_t size, supple_error *error) {
  if (needed <= *capacity) return SUPPLE_OK;
  uint64_t wanted = (uint64_t)*capacity * 2;
  if (wanted < needed) wanted = needed;
  if (wanted < 8) wanted = 8;
  if (wanted > SUPPLE_NONE - 1) wanted = SUPPLE_NONE - 1;
  if (wanted < needed)
    return supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX, "the document is too large");
  void *memory = supplei_allocate(allocator, (size_t)wanted, size);
  if (!memory) return supplei_fail_memory(error, (size_t)wanted * size, "the document");
  if (used) memcpy(memory, *items, used * size);
  supplei_release(allocator, *items, *capacity, size);
  *items = memory;
  *capacity = (uint32_t)wanted;
  return SUPPLE_OK;
}

static void adopt_value(supplei_tree *tree, uint32_t text, const supplei_json_node *from,
                        uint32_t id) {
  supplei_value *value = &tree->values[id];
  *value = (supplei_value){.key_text = text,
                           .key = from->key,
                           .key_length = from->key_length,
                           .text = text,
                           .begin = from->begin,
                           .length = from->length,
                           .anchor = from->begin,
                           .parent = SUPPLE_NONE,
                           .count = from->count,
                           .type = from->type};
  if (from->type == SUPPLEI_JSON_STRING) value->anchor--;
  if (from->key_escaped) value->flags |= SUPPLEI_VALUE_KEY_ESCAPED;
  if (from->escaped) value->flags |= SUPPLEI_VALUE_ESCAPED;
}

supple_result supplei_tree_adopt(supplei_tree *tree, uint32_t text, const supplei_json *json,
                                 uint32_t *root, supple_error *error) {
  const uint32_t base = tree->count;
  if (json->count > SUPPLE_NONE - 1 - base)
    return supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX, "the document is too large");
  void *values = tree->values, *pool = tree->pool;
  supple_result result = supplei_grow(&tree->allocator, &values, &tree->capacity, tree->count,
                                      base + json->count, sizeof *tree->values, error);
  tree->values = values;
  if (!result)
    result = supplei_grow(&tree->allocator, &pool, &tree->pool_capacity, tree->pool_count,
                          tree->pool_count + json->count, sizeof *tree->pool, error);
  tree->pool = pool;
  if (result) return result;
  for (uint32_t i = 0; i < json->count; i++) adopt_value(tree, text, &json->nodes[i], base + i);
  for (uint32_t i = 0; i < json->count; i++) {
    const supplei_json_node *from = &json->nodes[i];
    const bool object = from->type == SUPPLEI_JSON_OBJECT;
    tree->values[base + i].children = tree->pool_count;
    uint32_t child = i + 1;
    for (uint32_t k = 0; k < from->count; k++, child = json->nodes[child].next) {
      supplei_value *value = &tree->values[base + child];
      tree->pool[tree->pool_count++] = base + child;
      value->parent = base + i;
      value->slot = k;
      if (object) value->anchor = value->key - 1;
    }
  }
  tree->count = base + json->count;
  *root = base;
  return SUPPLE_OK;
}

supple_result supplei_tree_parse(supplei_tree *tree, const char *text, size_t length,
                                 const supplei_json_limits *limits,
                                 const supple_allocator *allocator, supple_error *error) {
  *tree = (supplei_tree){.allocator = supplei_allocator(allocator), .depth_limit = limits->depth};
  supplei_arena_init(&tree->arena, &tree->allocator, 0);
  supplei_json json;
  supple_result result = supplei_json_parse(&json, text, length, limits, &tree->allocator, error);
  if (result) return result;
  void *sources = NULL;
  result = supplei_grow(&tree->allocator, &sources, &tree->source_capacity, 0, 1,
                        sizeof *tree->sources, error);
  tree->sources = sources;
  if (!result) {
    char *twin = supplei_allocate(&tree->allocator, length + 1, 1);
    if (twin)
      tree->sources[tree->source_count++] = (supplei_source){text, twin, (uint32_t)length};
    else
      result = supplei_fail_memory(error, length + 1, "the strings of the JSON");
  }
  uint32_t root;
  if (!result) result = supplei_tree_adopt(tree, 0, &json, &root, error);
  tree->source_count0 = tree->count;
  supplei_json_release(&json);
  if (result) supplei_tree_release(tree);
  return result;
}

void supplei_tree_release(supplei_tree *tree) {
  const supple_allocator *allocator = &tree->allocator;
  if (!allocator->release) return;
  /* A copy borrows the texts. */
  if (tree->source_count && tree->sources[0].twin && !tree->borrows)
    supplei_release(allocator, tree->sources[0].twin, (size_t)tree->sources[0].length + 1, 1);
  for (uint32_t i = 0; i < tree->list_count; i++) {
    supplei_release(allocator, tree->lists[i].items, tree->lists[i].capacity, sizeof(uint32_t));
    supplei_member_index_release(&tree->lists[i].index, allocator);
  }
  supplei_release(allocator, tree->sources, tree->source_capacity, sizeof *tree->sources);
  supplei_release(allocator, tree->values, tree->capacity, sizeof *tree->values);
  supplei_release(allocator, tree->pool, tree->pool_capacity, sizeof *tree->pool);
  supplei_release(allocator, tree->lists, tree->list_capacity, sizeof *tree->lists);
  supplei_release(allocator, tree->steps, tree->step_capacity, sizeof *tree->steps);
  supplei_arena_free(&tree->arena);
  *tree = (supplei_tree){0};
}

static void *copy_items(const supple_allocator *allocator, const void *items, uint32_t used,
                        uint32_t capacity, size_t size, bool *fine) {
  if (!capacity) return NULL;
  void *copy = supplei_allocate(allocator, capacity, size);
  if (copy && used) memcpy(copy, items, used * size);
  *fine &= copy != NULL;
  return copy;
}

supple_result supplei_tree_copy(supplei_tree *copy, const supplei_tree *tree, supple_error *error) {
  const supple_allocator *allocator = &tree->allocator;
  bool fine = true;
  *copy = *tree;
  copy->borrows = true;
  copy->open = copy->step_count = copy->step_capacity = 0;
  copy->steps = NULL;
  supplei_arena_init(&copy->arena, allocator, 0);
  copy->sources = copy_items(allocator, tree->sources, tree->source_count, tree->source_capacity,
                             sizeof *tree->sources, &fine);
  copy->values =
      copy_items(allocator, tree->values, tree->count, tree->capacity, sizeof *tree->values, &fine);
  copy->pool = copy_items(allocator, tree->pool, tree->pool_count, tree->pool_capacity,
                          sizeof *tree->pool, &fine);
  copy->lists = copy_items(allocator, tree->lists, tree->list_count, tree->list_capacity,
                           sizeof *tree->lists, &fine);
  if (!copy->sources) copy->source_count = copy->source_capacity = 0;
  if (!copy->values) copy->capacity = 0;
  if (!copy->pool) copy->pool_capacity = 0;
  if (!copy->lists) copy->list_count = copy->list_capacity = 0;
  for (uint32_t i = 0; i < copy->list_count; i++) {
    supplei_list *list = &copy->lists[i];
    list->items = copy_items(allocator, list->items, list->capacity, list->capacity,
                             sizeof *list->items, &fine);
    if (!list->items) list->capacity = 0;
    list->index = (supplei_member_index){0};
  }
  if (fine) return SUPPLE_OK;
  supplei_tree_release(copy);
  return supplei_fail_memory(error, (size_t)tree->capacity * sizeof *tree->values,
                             "a copy of the document");
}

/* ---- values ---- */

const supplei_value *supplei_value_at(const supplei_tree *tree, uint32_t value) {
  if (value >= tree->count || tree->values[value].flags & SUPPLEI_VALUE_DEAD) return NULL;
  return &tree->values[value];
}

bool supplei_tree_is(const supplei_tree *tree, uint32_t value, supplei_json_type type) {
  const supplei_value *v = supplei_value_at(tree, value);
  return v && v->type == type;
}

uint32_t supplei_tree_child(const supplei_tree *tree, uint32_t container, uint32_t index) {
  const supplei_value *v = supplei_value_at(tree, container);
  if (!v || index >= v->count) return SUPPLE_NONE;
  if (!(v->flags & SUPPLEI_VALUE_LISTED)) return tree->pool[v->children + index];
  const supplei_list *list = &tree->lists[v->children];
  return list->items[index < list->gap_begin ? index : index + list->gap];
}

/* Whether a slot of a list holds the value. */
static bool holds(const supplei_list *list, uint32_t slot, uint32_t value) {
  const bool in_gap = slot >= list->gap_begin && slot < list->gap_begin + list->gap;
  return slot < list->capacity && !in_gap && list->items[slot] == value;
}

uint32_t supplei_tree_index_of(const supplei_tree *tree, uint32_t value) {
  supplei_value *v = &tree->values[value];
  const supplei_value *container = &tree->values[v->parent];
  if (!(container->flags & SUPPLEI_VALUE_LISTED)) return v->slot;
  const supplei_list *list = &tree->lists[container->children];
  /* It was told where it is, or is a gap's length away from that, or must be looked for. */
  const uint32_t guesses[] = {v->slot, v->slot + list->gap, v->slot - list->gap,
                              v->slot + list->moved_by, v->slot - list->moved_by};
  uint32_t slot = SUPPLE_NONE;
  for (size_t i = 0; i < sizeof guesses / sizeof *guesses && slot == SUPPLE_NONE; i++)
    if (holds(list, guesses[i], value)) slot = guesses[i];
  for (uint32_t i = 0; i < list->capacity && slot == SUPPLE_NONE; i++)
    if (list->items[i] == value && holds(list, i, value)) slot = i;
  v->slot = slot;
  return slot < list->gap_begin ? slot : slot - list->gap;
}

/* ---- strings ---- */

/* Decodes a span into the twin of its text, NUL-terminated: never longer than the span. */
static const char *decode(const supplei_source *source, uint32_t begin, uint32_t length,
                          bool escaped) {
  const char *from = source->text + begin;
  char *to = source->twin + begin;
  size_t used = 0;
  if (!escaped) {
    memcpy(to, from, length);
    used = length;
  }
  for (size_t i = 0; escaped && i < length;) {
    if (from[i] != '\\') {
      to[used++] = from[i++];
      continue;
    }
    uint32_t code = 0;
    const size_t n = supplei_json_escape((const unsigned char *)from + i, length - i, &code);
    used += supplei_utf8_write(code ? code : 0xFFFD, to + used);
    i += n ? n : 1; /* escapes were checked while parsing */
  }
  to[used] = 0;
  return to;
}

const char *supplei_tree_string(const supplei_tree *tree, uint32_t value) {
  if (!supplei_tree_is(tree, value, SUPPLEI_JSON_STRING)) return NULL;
  supplei_value *v = &tree->values[value];
  const supplei_source *source = &tree->sources[v->text];
  if (v->flags & SUPPLEI_VALUE_DECODED) return source->twin + v->begin;
  v->flags |= SUPPLEI_VALUE_DECODED;
  return decode(source, v->begin, v->length, v->flags & SUPPLEI_VALUE_ESCAPED);
}

static bool has_key(const supplei_tree *tree, const supplei_value *v) {
  return v->parent != SUPPLE_NONE && tree->values[v->parent].type == SUPPLEI_JSON_OBJECT;
}

const char *supplei_tree_key(const supplei_tree *tree, uint32_t value) {
  if (!supplei_value_at(tree, value) || !has_key(tree, &tree->values[value])) return "";
  return supplei_tree_key_text(tree, value);
}

const char *supplei_tree_key_text(const supplei_tree *tree, uint32_t value) {
  supplei_value *v = &tree->values[value];
  const supplei_source *source = &tree->sources[v->key_text];
  if (v->flags & SUPPLEI_VALUE_KEY_DECODED) return source->twin + v->key;
  v->flags |= SUPPLEI_VALUE_KEY_DECODED;
  return decode(source, v->key, v->key_length, v->flags & SUPPLEI_VALUE_KEY_ESCAPED);
}

bool supplei_tree_equals(const supplei_tree *tree, uint32_t value, const char *text) {
  const char *string = supplei_tree_string(tree, value);
  return string && strcmp(string, text) == 0;
}

static bool key_equals(const supplei_tree *tree, uint32_t value, const char *key, size_t length) {
  const supplei_value *v = &tree->values[value];
  if (v->flags & SUPPLEI_VALUE_KEY_ESCAPED) return strcmp(supplei_tree_key(tree, value), key) == 0;
  return v->key_length == length &&
         memcmp(tree->sources[v->key_text].text + v->key, key, length) == 0;
}

/* The index of a big object, once so much was looked at that it pays; NULL: there is none. What it takes is no part of
 * what the tree says, so that reading may make it. */
static const supplei_member_index *index_of_members(const supplei_tree *tree, uint32_t object) {
  enum { FEW = 64, PAYS = 16 };
  const supplei_value *v = &tree->values[object];
  if (v->flags & SUPPLEI_VALUE_LISTED && tree->lists[v->children].index.count)
    return &tree->lists[v->children].index;
  if (v->count < FEW) return NULL;
  supplei_tree *made = (supplei_tree *)tree;
  made->looked_at += v->count;
  if (tree->looked_at < PAYS * (uint64_t)tree->count) return NULL;
  if (supplei_tree_open_list(made, object, NULL)) return NULL;
  supplei_member_index *index = &tree->lists[tree->values[object].children].index;
  if (supplei_member_index_make(index, tree, object)) return index;
  supplei_member_index_release(index, &tree->allocator);
  return NULL;
}

uint32_t supplei_tree_member(const supplei_tree *tree, uint32_t object, const char *key) {
  const supplei_value *v = supplei_value_at(tree, object);
  if (!v || v->type != SUPPLEI_JSON_OBJECT) return SUPPLE_NONE;
  const size_t length = strlen(key);
  const supplei_member_index *index = index_of_members(tree, object);
  if (index) return supplei_member_index_find(index, tree, key, length);
  for (uint32_t i = 0; i < v->count; i++) {
    const uint32_t child = supplei_tree_child(tree, object, i);
    if (key_equals(tree, child, key, length)) return child;
  }
  return SUPPLE_NONE;
}

/* ---- pointers ---- */

/* The next token of a JSON pointer, decoded into token[size]; false where it is too long or malformed. */
static bool next_token(const char **pointer, char *token, size_t size) {
  const char *from = *pointer + 1;
  size_t used = 0;
  for (; *from && *from != '/'; from++) {
    char c = *from;
    if (c == '~') {
      from++;
      if (*from != '0' && *from != '1') return false;
      c = *from == '0' ? '~' : '/';
    }
    if (used + 1 >= size) return false;
    token[used++] = c;
  }
  token[used] = 0;
  *pointer = from;
  return true;
}

/* An array index: digits without a leading zero. */
static uint32_t token_index(const char *token) {
  uint64_t index = 0;
  if (!token[0] || (token[0] == '0' && token[1])) return SUPPLE_NONE;
  for (; *token; token++) {
    if (*token < '0' || *token > '9') return SUPPLE_NONE;
    index = index * 10 + (uint64_t)(*token - '0');
    if (index >= SUPPLE_NONE) return SUPPLE_NONE;
  }
  return (uint32_t)index;
}

uint32_t supplei_tree_find(const supplei_tree *tree, const char *pointer) {
  char token[512]; /* a longer key can be reached by supple_document_child */
  uint32_t value = 0;
  while (*pointer && value != SUPPLE_NONE) {
    if (*pointer != '/' || !next_token(&pointer, token, sizeof token)) return SUPPLE_NONE;
    if (supplei_tree_is(tree, value, SUPPLEI_JSON_OBJECT))
      value = supplei_tree_member(tree, value, token);
    else
      value = supplei_tree_child(tree, value, token_index(token));
  }
  return value;
}

/* Puts text before what stands at out + at, as much of it as fits behind out; from its end. */
static size_t put_before(char *out, size_t at, const char *text, size_t length, bool escape) {
  for (size_t i = length; i-- > 0;) {
    char c = text[i];
    if (escape && (c == '~' || c == '/')) {
      if (at) out[--at] = c == '~' ? '0' : '1';
      c = '~';
    }
    if (at) out[--at] = c;
  }
  return at;
}

/* Bytes that a value adds to the pointer. */
static size_t step_length(const supplei_tree *tree, uint32_t value) {
  const supplei_value *v = &tree->values[value];
  size_t length = 1;
  if (!has_key(tree, v)) {
    for (uint32_t index = supplei_tree_index_of(tree, value); index > 9; index /= 10) length++;
    return length + 1;
  }
  for (const char *key = supplei_tree_key(tree, value); *key; key++)
    length += *key == '~' || *key == '/' ? 2 : 1;
  return length;
}

const char *supplei_tree_pointer(const supplei_tree *tree, uint32_t value, char *out, size_t size) {
  if (!size) return out;
  out[0] = 0;
  if (!supplei_value_at(tree, value)) return out;
  size_t length = 0;
  for (uint32_t at = value; tree->values[at].parent != SUPPLE_NONE; at = tree->values[at].parent)
    length += step_length(tree, at);
  /* From the end backwards; what is past `size` is left out. */
  size_t end = length;
  if (length < size) out[length] = 0;
  for (uint32_t at = value; tree->values[at].parent != SUPPLE_NONE; at = tree->values[at].parent) {
    char digits[16];
    const char *step = digits;
    if (has_key(tree, &tree->values[at]))
      step = supplei_tree_key(tree, at);
    else
      snprintf(digits, sizeof digits, "%u", (unsigned)supplei_tree_index_of(tree, at));
    const size_t begin = end - step_length(tree, at);
    if (end < size) {
      const size_t first = put_before(out, end, step, strlen(step), step != digits);
      out[first - 1] = '/';
    } else if (begin < size - 1) { /* its head only */
      size_t used = begin;
      out[used++] = '/';
      for (; *step && used + 1 < size; step++) {
        const bool escape = step != digits && (*step == '~' || *step == '/');
        if (escape && used + 2 >= size) break;
        if (escape) out[used++] = '~';
        out[used++] = escape ? (*step == '~' ? '0' : '1') : *step;
      }
      out[used] = 0;
    } else if (begin == size - 1) {
      out[begin] = 0;
    }
    end = begin;
  }
  return out;
}

supple_result supplei_tree_fail(const supplei_tree *tree, uint32_t value, supple_error *error,
                                supple_result result, const char *format, ...) {
  char pointer[192], text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return supplei_fail(error, result, supplei_tree_pointer(tree, value, pointer, sizeof pointer),
                      SIZE_MAX, "%s", text);
}

/* ---- numbers ---- */

bool supplei_tree_number(const supplei_tree *tree, uint32_t value, double *number) {
  const supplei_value *v = supplei_value_at(tree, value);
  if (!v || v->type != SUPPLEI_JSON_NUMBER) return false;
  *number = supplei_decimal_to_double(tree->sources[v->text].text + v->begin, v->length);
  return true;
}

bool supplei_tree_unsigned(const supplei_tree *tree, uint32_t value, uint64_t largest,
                           uint64_t *out) {
  double number;
  if (!supplei_tree_number(tree, value, &number)) return false;
  if (!(number >= 0 && number <= 9007199254740992.0)) return false;
  const uint64_t whole = (uint64_t)number;
  if ((double)whole != number || whole > largest) return false;
  *out = whole;
  return true;
}
