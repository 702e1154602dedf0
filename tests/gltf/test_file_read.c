/* test_file_read.c: whole files, limits, and what is no file. */
#include "asset_text.h"

#include "src/base/memory.h"
#include "src/gltf/file_read.h"

static const char *const name = SUPPLE_SCRATCH "/caf\xC3\xA9.bin";

static void write_file(const char *path, const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, size, file), size);
  fclose(file);
}

static void whole_files(void **state) {
  (void)state;
  static unsigned char content[70000];
  for (size_t i = 0; i < sizeof content; i++) content[i] = (unsigned char)(i * 7 % 251);
  static const size_t sizes[] = {0, 1, 4095, 4096, sizeof content};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    ledger book;
    supple_allocator allocator = ledger_allocator(&book);
    void *data;
    size_t size;
    supple_error error;
    write_file(name, content, sizes[i]);
    assert_int_equal(supplei_file_read(name, sizes[i], &allocator, &data, &size, &error), SUPPLE_OK);
    assert_int_equal(size, sizes[i]);
    assert_memory_equal(data, content, size);
    supplei_release(&allocator, data, size, 1);
    assert_int_equal(book.live, 0);
    if (!sizes[i]) continue;
    assert_int_equal(supplei_file_read(name, sizes[i] - 1, &allocator, &data, &size, &error),
                     SUPPLE_ERROR_LIMIT);
    assert_non_null(strstr(error.message, "limits.file_bytes"));
    book.fail_at = book.calls + 1;
    assert_int_equal(supplei_file_read(name, sizes[i], &allocator, &data, &size, &error),
                     SUPPLE_ERROR_MEMORY);
    assert_int_equal(book.live, 0);
    assert_null(data);
  }
  remove(name);
}

static void what_is_no_file(void **state) {
  (void)state;
  supple_allocator allocator = supplei_allocator(NULL);
  void *data;
  size_t size;
  supple_error error;
  assert_int_equal(supplei_file_read(SUPPLE_SCRATCH "/missing", 99, &allocator, &data, &size, &error),
                   SUPPLE_ERROR_FILE);
  assert_non_null(strstr(error.message, "cannot open"));
  assert_int_equal(supplei_file_read(SUPPLE_SCRATCH, 99, &allocator, &data, &size, &error),
                   SUPPLE_ERROR_FILE);
#if defined(__linux__)
  assert_non_null(strstr(error.message, "folder"));
  assert_int_equal(supplei_file_read("/dev/zero", 99, &allocator, &data, &size, &error),
                   SUPPLE_ERROR_FILE);
  assert_non_null(strstr(error.message, "not a regular file"));
#endif
}

/* Memory for a file is asked for once its size is known: the moment to cut it. */
static void *cut_the_file(void *user, size_t size) {
  (void)user;
  write_file(name, "short", 5);
  return malloc(size);
}
static void free_memory(void *user, void *memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

static void files_that_shrink(void **state) {
  (void)state;
#if defined(_WIN32)
  skip(); /* one name of the file is UTF-8, the other is not */
#endif
  const supple_allocator allocator = {cut_the_file, free_memory, NULL};
  void *data;
  size_t size;
  supple_error error;
  static const char zeros[5000];
  write_file(name, zeros, sizeof zeros);
  assert_int_equal(supplei_file_read(name, sizeof zeros, &allocator, &data, &size, &error),
                   SUPPLE_ERROR_FILE);
  assert_non_null(strstr(error.message, "shrank"));
  assert_null(data);
  remove(name);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(whole_files),
                                     cmocka_unit_test(what_is_no_file),
                                     cmocka_unit_test(files_that_shrink)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
