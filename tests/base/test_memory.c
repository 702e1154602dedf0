/* test_memory.c: sizes that overflow, the caller's allocator, and the arena's alignment, growth and limit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "src/base/memory.h"

/* An allocator that counts, checks that sizes come back as they went, and fails when told. */
enum { MOST_LIVE = 4096 };
typedef struct ledger {
  void *memory[MOST_LIVE];
  size_t size[MOST_LIVE];
  size_t live, live_bytes, calls, fail_at; /* fail_at: the call that returns NULL, from 1; 0: none */
  bool wrong;
} ledger;

static void *ledger_allocate(void *user, size_t size) {
  ledger *book = user;
  if (++book->calls == book->fail_at || size > SIZE_MAX / 2) return NULL;
  void *memory = malloc(size);
  if (!memory || book->live == MOST_LIVE) abort();
  memset(memory, 0xA5, size); /* never zero by chance */
  book->memory[book->live] = memory;
  book->size[book->live++] = size;
  book->live_bytes += size;
  return memory;
}

static void ledger_release(void *user, void *memory, size_t size) {
  ledger *book = user;
  for (size_t i = 0; i < book->live; i++) {
    if (book->memory[i] != memory) continue;
    if (book->size[i] != size) book->wrong = true;
    book->live_bytes -= book->size[i];
    book->memory[i] = book->memory[--book->live];
    book->size[i] = book->size[book->live];
    free(memory);
    return;
  }
  book->wrong = true;
}

static supple_allocator ledger_allocator(ledger *book) {
  memset(book, 0, sizeof *book);
  return (supple_allocator){ledger_allocate, ledger_release, book};
}

static bool all_zero(const void *memory, size_t size) {
  const unsigned char *bytes = memory;
  for (size_t i = 0; i < size; i++)
    if (bytes[i]) return false;
  return true;
}

static void no_allocator_means_malloc(void **state) {
  (void)state;
  supple_allocator zeroed = {NULL, NULL, NULL};
  const supple_allocator *given[] = {NULL, &zeroed};
  for (size_t i = 0; i < 2; i++) {
    supple_allocator allocator = supplei_allocator(given[i]);
    char *memory = supplei_allocate_zero(&allocator, 100, 8);
    assert_non_null(memory);
    assert_true(all_zero(memory, 800));
    memory[799] = 1;
    supplei_release(&allocator, memory, 100, 8);
  }
}

static void sizes_come_back_as_they_went(void **state) {
  (void)state;
  ledger book;
  supple_allocator allocator = ledger_allocator(&book), used = supplei_allocator(&allocator);
  assert_ptr_equal(used.user, &book);
  static const size_t shapes[][2] = {{1, 1}, {3, 12}, {0, 8}, {8, 0}, {0, 0}, {1000, 64}};
  void *memory[6];
  for (size_t i = 0; i < 6; i++) {
    memory[i] = i % 2 ? supplei_allocate_zero(&used, shapes[i][0], shapes[i][1])
                      : supplei_allocate(&used, shapes[i][0], shapes[i][1]);
    assert_non_null(memory[i]); /* a zero size gives a valid pointer */
    if (i % 2) assert_true(all_zero(memory[i], shapes[i][0] * shapes[i][1]));
  }
  assert_int_equal(book.live, 6);
  for (size_t i = 0; i < 6; i++) supplei_release(&used, memory[i], shapes[i][0], shapes[i][1]);
  supplei_release(&used, NULL, 5, 5);
  assert_int_equal(book.live, 0);
  assert_false(book.wrong);
}

static void overflow_never_reaches_the_allocator(void **state) {
  (void)state;
  ledger book;
  supple_allocator allocator = ledger_allocator(&book);
  static const size_t shapes[][2] = {
      {SIZE_MAX, 1},         {SIZE_MAX, SIZE_MAX}, {SIZE_MAX / 2 + 1, 2},
      {2, SIZE_MAX / 2 + 1}, {SIZE_MAX / 8, 9},
  };
  supplei_arena arena;
  supplei_arena_init(&arena, &allocator, 0);
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    assert_null(supplei_allocate(&allocator, shapes[i][0], shapes[i][1]));
    assert_null(supplei_allocate_zero(&allocator, shapes[i][0], shapes[i][1]));
    assert_null(supplei_arena_allocate(&arena, shapes[i][0], shapes[i][1]));
    assert_false(arena.limit_met);
  }
  assert_null(supplei_arena_text(&arena, "x", SIZE_MAX));
  assert_int_equal(book.calls, 0);
  /* No overflow in the product, but in what the arena would add. */
  for (size_t less = 0; less < 300; less++)
    assert_null(supplei_arena_allocate(&arena, 1, SIZE_MAX - less));
  assert_int_equal(book.live, 0);
  supplei_arena_free(&arena);
}

static void arena_memory_is_cleared_aligned_and_apart(void **state) {
  (void)state;
  ledger book;
  supple_allocator allocator = ledger_allocator(&book);
  supplei_arena arena;
  supplei_arena_init(&arena, &allocator, 0);
  enum { COUNT = 3000 };
  static unsigned char *memory[COUNT];
  static size_t size[COUNT];
  uint32_t random = 1;
  for (size_t i = 0; i < COUNT; i++) {
    random = random * 1664525u + 1013904223u;
    size[i] = i % 97 == 0 ? 20000 + random % 50000 : random >> 16 & 255;
    memory[i] = supplei_arena_allocate(&arena, size[i], 1);
    assert_non_null(memory[i]);
    assert_int_equal((uintptr_t)memory[i] % 16, 0);
    assert_true(all_zero(memory[i], size[i]));
    memset(memory[i], (int)(i % 251) + 1, size[i]);
  }
  for (size_t i = 0; i < COUNT; i++) /* nobody wrote over anybody */
    for (size_t at = 0; at < size[i]; at++)
      if (memory[i][at] != i % 251 + 1) fail_msg("allocation %zu was overwritten at %zu", i, at);
  assert_int_equal(arena.total, book.live_bytes);
  assert_true(book.calls < COUNT / 10); /* it is an arena */
  supplei_arena_free(&arena);
  assert_int_equal(book.live, 0);
  assert_false(book.wrong);
  supplei_arena_free(&arena); /* once more does nothing */
  assert_false(book.wrong);
}

static void arena_wastes_little(void **state) {
  (void)state;
  ledger book;
  supple_allocator allocator = ledger_allocator(&book);
  supplei_arena arena;
  supplei_arena_init(&arena, &allocator, 0);
  size_t asked = 0;
  for (int i = 0; i < 200;
       i++) { /* big and small in turn: the big ones must not waste the open block */
    assert_non_null(supplei_arena_allocate(&arena, 100000, 1));
    assert_non_null(supplei_arena_allocate(&arena, 32, 1));
    asked += 100032;
  }
  assert_true(arena.total < asked + asked / 4);
  assert_true(arena.total >= asked);
  supplei_arena_free(&arena);
}

static void arena_limit_is_told_from_lack_of_memory(void **state) {
  (void)state;
  ledger book;
  supple_allocator allocator = ledger_allocator(&book);
  supplei_arena arena;
  supplei_arena_init(&arena, &allocator, 100000);
  assert_null(supplei_arena_allocate(&arena, 1, 100001));
  assert_true(arena.limit_met);
  assert_int_equal(book.calls, 0); /* refused before it is asked for */

  assert_non_null(supplei_arena_allocate(&arena, 1, 50000));
  assert_false(arena.limit_met);
  while (supplei_arena_allocate(&arena, 1, 1000)) assert_true(book.live_bytes <= 100000);
  assert_true(arena.limit_met);
  assert_true(arena.total <= 100000 && arena.total == book.live_bytes);

  arena.limit = 0;
  book.fail_at = book.calls + 1;
  assert_null(supplei_arena_allocate(&arena, 1, 200000));
  assert_false(arena.limit_met);
  assert_non_null(supplei_arena_allocate(&arena, 1, 200000)); /* usable after a failure */
  supplei_arena_free(&arena);
  assert_int_equal(book.live, 0);
  assert_false(book.wrong);
}

static void failing_allocator_is_survived(void **state) {
  (void)state;
  for (size_t fail_at = 1; fail_at < 12; fail_at++) {
    ledger book;
    supple_allocator allocator = ledger_allocator(&book);
    book.fail_at = fail_at;
    supplei_arena arena;
    supplei_arena_init(&arena, &allocator, 0);
    size_t failures = 0;
    for (int i = 0; i < 60; i++)
      if (!supplei_arena_allocate(&arena, 3000, 1)) failures++;
    assert_int_equal(failures, book.calls >= fail_at);
    assert_false(arena.limit_met);
    supplei_arena_free(&arena);
    assert_int_equal(book.live, 0);
    assert_false(book.wrong);
  }
  ledger book;
  supple_allocator allocator = ledger_allocator(&book);
  book.fail_at = 1;
  assert_null(supplei_allocate_zero(&allocator, 10, 10));
}

static void texts_are_copied_and_terminated(void **state) {
  (void)state;
  supplei_arena arena;
  supplei_arena_init(&arena, NULL, 0);
  char *text = supplei_arena_text(&arena, "wrist.L and more", 7);
  assert_string_equal(text, "wrist.L");
  char *empty = supplei_arena_text(&arena, NULL, 0);
  assert_string_equal(empty, "");
  assert_ptr_not_equal(text, empty);
  char *holed = supplei_arena_text(&arena, "a\0b", 3);
  assert_memory_equal(holed, "a\0b", 4);
  supplei_arena_free(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_allocator_means_malloc),
      cmocka_unit_test(sizes_come_back_as_they_went),
      cmocka_unit_test(overflow_never_reaches_the_allocator),
      cmocka_unit_test(arena_memory_is_cleared_aligned_and_apart),
      cmocka_unit_test(arena_wastes_little),
      cmocka_unit_test(arena_limit_is_told_from_lack_of_memory),
      cmocka_unit_test(failing_allocator_is_survived),
      cmocka_unit_test(texts_are_copied_and_terminated),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
