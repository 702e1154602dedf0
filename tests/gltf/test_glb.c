/* test_glb.c: the container: chunks, oddities that are told, and everything that is refused. */
#include "asset_text.h"

#include "src/gltf/glb.h"

typedef struct container {
  unsigned char bytes[256];
  size_t size;
} container;

static void add(container *c, const void *data, size_t size) {
  memcpy(c->bytes + c->size, data, size);
  c->size += size;
}
static void add_u32(container *c, size_t value) {
  write_u32(c->bytes + c->size, value);
  c->size += 4;
}
static void add_chunk(container *c, const char *type, size_t size, const char *data) {
  add_u32(c, size);
  add(c, type, 4);
  add(c, data, size);
}
/* The header, with the length that the container has at the end. */
static void start(container *c) {
  *c = (container){.size = 0};
  add(c, "glTF", 4);
  add_u32(c, 2);
  add_u32(c, 0);
}
static void finish(container *c) { write_u32(c->bytes + 8, c->size); }

static supplei_glb glb;
static supple_error error;

static supple_result parse(const container *c) {
  unsigned char *copy = malloc(c->size ? c->size : 1); /* a sanitizer sees a read beyond */
  memcpy(copy, c->bytes, c->size);
  memset(&error, 0x5A, sizeof error);
  supple_result result = supplei_glb_parse(&glb, copy, c->size, &error);
  if (!result) { /* to pointers into the container, which lives on */
    glb.json = c->bytes + (glb.json - copy);
    if (glb.bin) glb.bin = c->bytes + (glb.bin - copy);
  }
  free(copy);
  return result;
}

static void plain(container *c) {
  start(c);
  add_chunk(c, "JSON", 4, "{}  ");
  add_chunk(c, "BIN\0", 8, "12345678");
  finish(c);
}

static void chunks(void **state) {
  (void)state;
  container c;
  plain(&c);
  assert_true(supplei_glb_is(c.bytes, c.size));
  assert_false(supplei_glb_is("glT", 3) || supplei_glb_is("{}  ", 4));
  assert_int_equal(parse(&c), SUPPLE_OK);
  assert_int_equal(glb.json_size, 4);
  assert_int_equal(glb.json_offset, 20);
  assert_ptr_equal(glb.json, c.bytes + 20);
  assert_int_equal(glb.bin_size, 8);
  assert_memory_equal(glb.bin, "12345678", 8);
  assert_int_equal(glb.oddities, 0);

  start(&c);
  add_chunk(&c, "JSON", 4, "{}  ");
  finish(&c);
  assert_int_equal(parse(&c), SUPPLE_OK);
  assert_null(glb.bin);
}

static void oddities(void **state) {
  (void)state;
  container c;
  plain(&c);
  add(&c, "garbage", 7);
  assert_int_equal(parse(&c), SUPPLE_OK);
  assert_int_equal(glb.oddities, SUPPLEI_GLB_TRAILING);
  assert_int_equal(glb.trailing, 7);

  plain(&c);
  add(&c, "stub", 4);
  finish(&c);
  assert_int_equal(parse(&c), SUPPLE_OK);
  assert_int_equal(glb.oddities, SUPPLEI_GLB_STUB);

  start(&c);
  add_chunk(&c, "JSON", 5, "{} \0\0");
  add_chunk(&c, "what", 4, "ever");
  add_chunk(&c, "BIN\0", 4, "1234");
  add_chunk(&c, "BIN\0", 4, "5678");
  finish(&c);
  assert_int_equal(parse(&c), SUPPLE_OK);
  assert_int_equal(glb.oddities, SUPPLEI_GLB_UNALIGNED | SUPPLEI_GLB_NUL_PADDING |
                                     SUPPLEI_GLB_BIN_LATE | SUPPLEI_GLB_MORE_BIN);
  assert_int_equal(glb.json_size, 3);
  assert_memory_equal(glb.bin, "1234", 4);
}

static void check_refused(const container *c, supple_result result, size_t offset, const char *part) {
  if (parse(c) != result || error.offset != offset || !strstr(error.message, part))
    fail_msg("%d, byte %zu: %s (wanted %zu: %s)", (int)error.result, error.offset, error.message,
             offset, part);
}

static void what_is_refused(void **state) {
  (void)state;
  container c;
  plain(&c);
  write_u32(c.bytes + 4, 1);
  check_refused(&c, SUPPLE_ERROR_UNSUPPORTED, 4, "version 1");
  plain(&c);
  write_u32(c.bytes + 8, c.size + 1);
  check_refused(&c, SUPPLE_ERROR_FORMAT, 8, "cut off");
  plain(&c);
  write_u32(c.bytes + 8, 19);
  check_refused(&c, SUPPLE_ERROR_FORMAT, 8, "too few");
  plain(&c);
  write_u32(c.bytes + 8, 20); /* ends where the JSON should start */
  check_refused(&c, SUPPLE_ERROR_FORMAT, 12, "only 0 are left");
  plain(&c);
  write_u32(c.bytes + 24, 0xFFFFFFFC);
  check_refused(&c, SUPPLE_ERROR_FORMAT, 24, "4294967292");
  plain(&c);
  memcpy(c.bytes + 16, "BIN", 4);
  check_refused(&c, SUPPLE_ERROR_FORMAT, 12, "before the JSON");
  plain(&c);
  memcpy(c.bytes + 16, "ABCD", 4);
  check_refused(&c, SUPPLE_ERROR_FORMAT, 12, "must be JSON");
  plain(&c);
  memcpy(c.bytes + 28, "JSON", 4);
  check_refused(&c, SUPPLE_ERROR_FORMAT, 24, "second JSON");
}

static void every_cut_is_refused(void **state) {
  (void)state;
  container whole, c;
  plain(&whole);
  for (c = whole; c.size-- > 0;) {
    assert_int_not_equal(parse(&c), SUPPLE_OK);
    container mended = c; /* also with a length that fits: only at the end of the JSON is it whole */
    if (mended.size >= 12) finish(&mended);
    bool stub = mended.size >= 24 && mended.size < 32;
    assert_int_equal(parse(&mended) == SUPPLE_OK, stub);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(chunks), cmocka_unit_test(oddities),
                                     cmocka_unit_test(what_is_refused),
                                     cmocka_unit_test(every_cut_is_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
