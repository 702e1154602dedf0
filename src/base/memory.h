/* memory.h: the allocator in use, overflow-safe sizes, and the arena an asset lives in. */
#ifndef SUPPLEI_MEMORY_H
#define SUPPLEI_MEMORY_H

#include "../../include/supple/base.h"

/* `allocator` may be NULL or zeroed: malloc and free. */
supple_allocator supplei_allocator(const supple_allocator *allocator);

/* count * size bytes, not cleared; NULL on overflow or when out of memory. A zero size gives a valid
 * pointer. supplei_allocate_zero clears. Release with the same count and size; NULL is fine. */
void *supplei_allocate(const supple_allocator *allocator, size_t count, size_t size);
void *supplei_allocate_zero(const supple_allocator *allocator, size_t count, size_t size);
void supplei_release(const supple_allocator *allocator, void *memory, size_t count, size_t size);

/* One arena, one free: blocks grow geometrically, big requests get their own. `limit` bounds the sum of
 * all blocks in bytes (0: none). */
typedef struct supplei_arena_block supplei_arena_block;
typedef struct supplei_arena {
  supple_allocator allocator;
  supplei_arena_block *blocks;
  size_t limit, total;
  bool limit_met; /* the last NULL was the limit's doing, not the allocator's */
} supplei_arena;

void supplei_arena_init(supplei_arena *arena, const supple_allocator *allocator, size_t limit);
/* count * size bytes, 16-aligned, cleared; NULL on overflow, at the limit, or when out of memory. */
void *supplei_arena_allocate(supplei_arena *arena, size_t count, size_t size);
/* A NUL-terminated copy of `length` bytes. */
char *supplei_arena_text(supplei_arena *arena, const char *text, size_t length);
void supplei_arena_free(supplei_arena *arena);

#endif
