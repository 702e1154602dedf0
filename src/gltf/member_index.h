/* member_index.h: the members of a big object in the order of their keys, so that one is found among a hundred thousand
 * without looking at each.
 *
 * Sorted runs, the longest first, whose lengths are the powers of two that the count is made of: one key more merges
 * the shortest of them. So neither many keys nor keys chosen with care make it slow, as they would a hash. A key that
 * was there once stays; whether its latest value is a member now, the value knows. */
#ifndef SUPPLEI_MEMBER_INDEX_H
#define SUPPLEI_MEMBER_INDEX_H

#include "../base/memory.h"

typedef struct supplei_member_index {
  uint32_t *items;   /* [count] values */
  uint32_t *scratch; /* [capacity], for merging */
  uint32_t count, capacity;
} supplei_member_index;

struct supplei_tree;

/* All members of an object, in their order; false where memory runs out: the index is then empty. */
bool supplei_member_index_make(supplei_member_index *index, const struct supplei_tree *tree,
                               uint32_t object);
void supplei_member_index_release(supplei_member_index *index, const supple_allocator *allocator);
/* The member with this key (`length` bytes), or SUPPLE_NONE; of several the first. */
uint32_t supplei_member_index_find(const supplei_member_index *index,
                                   const struct supplei_tree *tree, const char *key, size_t length);
/* `now`, which has its key, stands for what `before` stood for, which may be SUPPLE_NONE: for a value that became a
 * member. False where memory runs out, or `before` is not there: the index is of no more use. */
bool supplei_member_index_put(supplei_member_index *index, const struct supplei_tree *tree,
                              uint32_t before, uint32_t now);

#endif
