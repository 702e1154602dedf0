/* document_tree.h: the JSON of a document as values that can be edited: spans into the text that was read and
 * into texts that were put in later. What was not touched is written as it stood.
 *
 * Children of a value lie in one shared pool until the value is edited; then it gets a list of its own with a gap,
 * so that a child is found in O(1) and edits in order cost O(1) each. */
#ifndef SUPPLEI_DOCUMENT_TREE_H
#define SUPPLEI_DOCUMENT_TREE_H

#include "../../include/supple/document.h"
#include "../base/error.h"
#include "../base/memory.h"
#include "json.h"
#include "member_index.h"

enum {
  SUPPLEI_VALUE_KEY_ESCAPED = 1, /* a backslash in the key */
  SUPPLEI_VALUE_ESCAPED = 2,     /* a backslash in the string */
  SUPPLEI_VALUE_KEY_DECODED = 4, /* the decoded key stands in the text's twin */
  SUPPLEI_VALUE_DECODED = 8,     /* so does the decoded string */
  SUPPLEI_VALUE_CHANGED = 16,    /* it is not as its text says: it or a value in it was edited */
  SUPPLEI_VALUE_LISTED = 32,     /* its children are in a list of its own */
  SUPPLEI_VALUE_DEAD = 64,       /* removed */
  SUPPLEI_VALUE_OUT = 128        /* taken out, but an edit that is taken back may put it in again */
};

/* A value. Text 0 is the file's. */
typedef struct supplei_value {
  uint32_t key_text, key, key_length; /* the span of its key between the quotes */
  uint32_t text, begin, length;       /* the span of the value; of a string, between the quotes */
  uint32_t anchor; /* where its item (key or value) begins in its container's text; SUPPLE_NONE: put in later */
  uint32_t parent;          /* SUPPLE_NONE: the whole */
  uint32_t slot;            /* its place among the children: exact in the pool, a guess in a list */
  uint32_t count, children; /* the first in the pool, or the number of the list */
  uint8_t type;             /* supplei_json_type */
  uint8_t flags;
} supplei_value;

/* A text and its twin of the same length, where strings are decoded to, NUL over the closing quote. */
typedef struct supplei_source {
  const char *text;
  char *twin;
  uint32_t length;
} supplei_source;

/* Children with a gap: item i is items[i], past the gap items[i + gap]. */
typedef struct supplei_list {
  uint32_t *items;
  uint32_t capacity, gap_begin, gap;
  uint32_t moved_by;          /* the gap when many items moved without being told */
  supplei_member_index index; /* of a big object, once many members were looked for; else empty */
} supplei_list;

/* One step that can be taken back. */
typedef enum supplei_step_kind {
  SUPPLEI_STEP_REPLACED, /* `now` stands where `before` stood */
  SUPPLEI_STEP_INSERTED, /* `now` is new */
  SUPPLEI_STEP_REMOVED   /* `before` stood at `index` */
} supplei_step_kind;
typedef struct supplei_step {
  supplei_step_kind kind;
  uint32_t before, now, index;
} supplei_step;

typedef struct supplei_tree {
  supple_allocator allocator;
  uint32_t depth_limit;
  supplei_arena arena; /* texts put in later */
  supplei_source *sources;
  uint32_t source_count, source_capacity;
  supplei_value *values;
  uint32_t count, capacity;
  uint32_t *pool;
  uint32_t pool_count, pool_capacity;
  supplei_list *lists;
  uint32_t list_count, list_capacity;
  supplei_step *steps; /* since the outermost supplei_tree_begin */
  uint32_t step_count, step_capacity;
  uint32_t open;          /* supplei_tree_begin not yet ended */
  bool borrows;           /* a copy: text 0 and its twin are another tree's */
  uint64_t revision;      /* changes with every edit */
  uint64_t looked_at;     /* keys of big objects, one by one */
  uint32_t source_count0; /* values of text 0: the first of all */
} supplei_tree;

/* ---- making ---- */

/* text is borrowed; limits as supplei_json_parse. After failure *tree is empty. */
supple_result supplei_tree_parse(supplei_tree *tree, const char *text, size_t length,
                                 const supplei_json_limits *limits,
                                 const supple_allocator *allocator, supple_error *error);
/* A copy whose edits do not touch the first; borrows its texts (and decodes into their twins). */
supple_result supplei_tree_copy(supplei_tree *copy, const supplei_tree *tree, supple_error *error);
void supplei_tree_release(supplei_tree *tree);
/* Adds the values of a parsed text as source number `text`; the first is *root, without a parent. */
supple_result supplei_tree_adopt(supplei_tree *tree, uint32_t text, const supplei_json *json,
                                 uint32_t *root, supple_error *error);
/* Makes *items, of *capacity, hold `needed`. */
supple_result supplei_grow(const supple_allocator *allocator, void **items, uint32_t *capacity,
                           uint32_t used, uint32_t needed, size_t size, supple_error *error);

/* ---- reading: SUPPLE_NONE and dead values have nothing ---- */

/* NULL where there is no such value. */
const supplei_value *supplei_value_at(const supplei_tree *tree, uint32_t value);
uint32_t supplei_tree_child(const supplei_tree *tree, uint32_t container, uint32_t index);
uint32_t supplei_tree_member(const supplei_tree *tree, uint32_t object, const char *key);
uint32_t supplei_tree_find(const supplei_tree *tree, const char *pointer);
/* Its place among its parent's children. */
uint32_t supplei_tree_index_of(const supplei_tree *tree, uint32_t value);
const char *supplei_tree_string(const supplei_tree *tree, uint32_t value);
const char *supplei_tree_key(const supplei_tree *tree, uint32_t value);
/* The same of a value that was made a member, even if it is none any more. */
const char *supplei_tree_key_text(const supplei_tree *tree, uint32_t value);
bool supplei_tree_number(const supplei_tree *tree, uint32_t value, double *number);
/* A whole number in [0, largest <= 2^53]. */
bool supplei_tree_unsigned(const supplei_tree *tree, uint32_t value, uint64_t largest,
                           uint64_t *out);
const char *supplei_tree_pointer(const supplei_tree *tree, uint32_t value, char *out, size_t size);
bool supplei_tree_is(const supplei_tree *tree, uint32_t value, supplei_json_type type);
/* Whether it is a string equal to text. */
bool supplei_tree_equals(const supplei_tree *tree, uint32_t value, const char *text);
/* Fails with the value's pointer. */
supple_result supplei_tree_fail(const supplei_tree *tree, uint32_t value, supple_error *error,
                                supple_result result, const char *format, ...) SUPPLEI_PRINTF(5, 6);

/* ---- editing (edit_tree.c): as the public functions say ---- */

/* Gives a container a list of its own with room for one more child. */
supple_result supplei_tree_open_list(supplei_tree *tree, uint32_t container, supple_error *error);

supple_result supplei_tree_set(supplei_tree *tree, uint32_t object, const char *key,
                               const char *json, uint32_t *out, supple_error *error);
supple_result supplei_tree_replace(supplei_tree *tree, uint32_t value, const char *json,
                                   uint32_t *out, supple_error *error);
supple_result supplei_tree_insert(supplei_tree *tree, uint32_t array, uint32_t index,
                                  const char *json, uint32_t *out, supple_error *error);
supple_result supplei_tree_remove(supplei_tree *tree, uint32_t value, supple_error *error);
/* Removes a member where there is one. */
supple_result supplei_tree_remove_member(supplei_tree *tree, uint32_t object, const char *key,
                                         supple_error *error);
/* Sets a member to a whole number, to a number, to a string (escaped here). */
supple_result supplei_tree_set_unsigned(supplei_tree *tree, uint32_t object, const char *key,
                                        uint64_t value, supple_error *error);
supple_result supplei_tree_set_string(supplei_tree *tree, uint32_t object, const char *key,
                                      const char *text, supple_error *error);

/* Edits until the matching end, which gets the mark, are one: where `result` is not SUPPLE_OK all of them are
 * taken back. Returns result. They nest. */
uint32_t supplei_tree_begin(supplei_tree *tree);
supple_result supplei_tree_end(supplei_tree *tree, uint32_t mark, supple_result result);

/* ---- writing (write_json.c) ---- */

/* Text that grows; `failed`: memory ran out, and what is put is lost. */
typedef struct supplei_output {
  supple_allocator allocator;
  char *data;
  size_t size, capacity;
  bool failed;
} supplei_output;

void supplei_output_put(supplei_output *output, const void *data, size_t size);
void supplei_output_text(supplei_output *output, const char *text);
/* A JSON string with its quotes; invalid UTF-8 becomes U+FFFD. */
void supplei_output_string(supplei_output *output, const char *text);
void supplei_output_release(supplei_output *output);
/* The text of the whole, or of one value as it would stand there. */
supple_result supplei_tree_write(const supplei_tree *tree, supplei_output *output,
                                 supple_error *error);

/* ---- numbers (write_number.c) ---- */

enum { SUPPLEI_NUMBER_TEXT = 40 };
/* The shortest text that reads back as the same double; 0 for −0, which must be finite. Returns text. */
const char *supplei_number_text(double value, char text[SUPPLEI_NUMBER_TEXT]);

#endif
