/* memory.c: the allocator in use, overflow-safe sizes, and the arena. */
#include "prologue.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

static void *default_allocate(void *user, size_t size) {
  (void)user;
  return malloc(size);
}

static void default_release(void *user, void *memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

supple_allocator supplei_allocator(const supple_allocator *allocator) {
  if (allocator && allocator->allocate) return *allocator;
  return (supple_allocator){default_allocate, default_release, NULL};
}

static bool multiply(size_t count, size_t size, size_t *bytes) {
  if (size && count > (SIZE_MAX - 64) / size) return false;
  *bytes = count && size ? count * size : 1;
  return true;
}

void *supplei_allocate(const supple_allocator *allocator, size_t count, size_t size) {
  size_t bytes;
  return multiply(count, size, &bytes) ? allocator->allocate(allocator->user, bytes) : NULL;
}

void *supplei_allocate_zero(const supple_allocator *allocator, size_t count, size_t size) {
  void *memory = supplei_allocate(allocator, count, size);
  if (memory) memset(memory, 0, count * size);
  return memory;
}

void supplei_release(const supple_allocator *allocator, void *memory, size_t count, size_t size) {
  size_t bytes;
  if (memory && multiply(count, size, &bytes)) allocator->release(allocator->user, memory, bytes);
}

struct supplei_arena_block {
  supplei_arena_block *next;
  size_t size, used; /* in bytes, this header counted in */
};

enum { ARENA_ALIGN = 16, ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20 };
static const size_t header_size =
    (sizeof(supplei_arena_block) + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;

void supplei_arena_init(supplei_arena *arena, const supple_allocator *allocator, size_t limit) {
  *arena = (supplei_arena){.allocator = supplei_allocator(allocator), .limit = limit};
}

static supplei_arena_block *add_block(supplei_arena *arena, size_t needed) {
  size_t size = arena->blocks ? arena->total : ARENA_FIRST; /* doubles the arena */
  if (size > ARENA_LARGEST) size = ARENA_LARGEST;
  bool own = needed > size / 2;
  if (own) size = needed;
  if (arena->limit && (arena->total > arena->limit || size > arena->limit - arena->total)) {
    arena->limit_met = true;
    return NULL;
  }
  supplei_arena_block *block = supplei_allocate(&arena->allocator, 1, size);
  if (!block) return NULL;
  *block = (supplei_arena_block){.size = size, .used = header_size};
  arena->total += size;
  if (own && arena->blocks) { /* keep filling the block at the head */
    block->next = arena->blocks->next;
    arena->blocks->next = block;
  } else {
    block->next = arena->blocks;
    arena->blocks = block;
  }
  return block;
}

void *supplei_arena_allocate(supplei_arena *arena, size_t count, size_t size) {
  size_t bytes;
  arena->limit_met = false;
  if (!multiply(count, size, &bytes) || bytes > SIZE_MAX - 4 * header_size) return NULL;
  bytes = (bytes + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
  supplei_arena_block *block = arena->blocks;
  if (!block || block->size - block->used < bytes) block = add_block(arena, header_size + bytes);
  if (!block) return NULL;
  void *memory = (char *)block + block->used;
  block->used += bytes;
  return memset(memory, 0, bytes);
}

char *supplei_arena_text(supplei_arena *arena, const char *text, size_t length) {
  char *copy = length < SIZE_MAX ? supplei_arena_allocate(arena, length + 1, 1) : NULL;
  if (copy && length) memcpy(copy, text, length);
  return copy;
}

void supplei_arena_free(supplei_arena *arena) {
  supplei_arena_block *block = arena->blocks;
  while (block) {
    supplei_arena_block *next = block->next;
    supplei_release(&arena->allocator, block, 1, block->size);
    block = next;
  }
  arena->blocks = NULL;
  arena->total = 0;
}
