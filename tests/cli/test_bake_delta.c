/* test_bake_delta.c: differences dense, sparse and none, read back against plain subtraction; damaged records. */
#include "cli/bake_delta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

enum { SMALL = 10, LARGE = 70000 }; /* with numbers of two and of four bytes */

static const float some[1] = {0};
static const supple_primitive sources[2] = {
    {.vertex_count = SMALL, .positions = some, .normals = some},
    {.vertex_count = LARGE, .positions = some}};
static bake_primitive parts[2] = {{.source = &sources[0], .first_vertex = 0},
                                  {.source = &sources[1], .first_vertex = SMALL}};
static const bake_plan plan = {.format = BAKE_GLB,
                               .primitives = parts,
                               .primitive_count = 2,
                               .vertex_count = SMALL + LARGE,
                               .normals = true};

enum { FLOATS = 6 * (SMALL + LARGE) };
static float base[FLOATS], plain[FLOATS];
static bake_record record;

static int prepare(void **state) {
  (void)state;
  record.capacity = bake_delta_most(&plan);
  record.data = malloc(record.capacity);
  for (size_t i = 0; i < FLOATS; i++) base[i] = (float)(i % 1000) * 0.25f;
  return record.data ? 0 : 1;
}
static int release(void **state) {
  (void)state;
  free(record.data);
  return 0;
}

static void encode(const float *from) {
  memset(record.data, 0xaa, record.capacity);
  bake_delta_encode(&plan, (const unsigned char *)from, (const unsigned char *)plain, &record);
  assert_true(record.size <= record.capacity);
}

/* The next chunk, and its values put back into a dense array. */
static bake_chunk next(uint32_t part, bake_stream stream, size_t *place, float *values) {
  bake_chunk chunk;
  const uint32_t n = sources[part].vertex_count;
  assert_true(bake_delta_chunk(&plan, part, stream, record.data, record.size, place, &chunk));
  memset(values, 0, 12 * (size_t)n);
  const unsigned char *floats = record.data + chunk.place, *numbers = floats + chunk.floats_size;
  uint32_t last = 0;
  for (uint32_t i = 0; i < chunk.count; i++) {
    uint32_t vertex = i;
    if (chunk.sparse && n <= 65536) vertex = (uint32_t)(numbers[2 * i] | numbers[2 * i + 1] << 8);
    if (chunk.sparse && n > 65536)
      memcpy(&vertex, numbers + 4 * (size_t)i, 4); /* little endian here */
    assert_true(vertex < n && (i == 0 || vertex > last));
    last = vertex;
    memcpy(values + 3 * (size_t)vertex, floats + 12 * (size_t)i, 12);
  }
  return chunk;
}

static float values[3 * LARGE];

static void assert_difference(size_t first, size_t vertices, const bake_chunk *chunk) {
  for (size_t i = 0; i < 3 * vertices; i++) {
    const float wanted = plain[first + i] - base[first + i];
    assert_true(values[i] == wanted);
    if (chunk->stream == BAKE_POSITIONS)
      assert_true(chunk->min[i % 3] <= wanted && chunk->max[i % 3] >= wanted);
  }
}

static void first_frame_is_itself(void **state) {
  (void)state;
  size_t place = 0;
  memcpy(plain, base, sizeof plain);
  encode(NULL);
  for (uint32_t part = 0; part < 2; part++) {
    const bake_chunk chunk = next(part, BAKE_POSITIONS, &place, values);
    assert_true(!chunk.sparse && chunk.count == sources[part].vertex_count);
    assert_memory_equal(values, plain + (part ? 3 * SMALL : 0), 12 * (size_t)chunk.count);
    if (part == 0) next(0, BAKE_NORMALS, &place, values);
  }
  assert_int_equal(place, record.size);
  assert_int_equal(record.size, record.capacity);
}

static void sparse_where_most_is_zero(void **state) {
  (void)state;
  size_t place = 0;
  memcpy(plain, base, sizeof plain);
  for (int v = 0; v < SMALL / 2; v++) plain[3 * (2 * v) + 1] += 0.5f; /* half of them: sparse */
  for (int v = 0; v < SMALL / 2 + 1; v++)
    plain[3 * (SMALL + LARGE + v)] -= 0.125f; /* more: dense */
  for (int v = 66000; v < 66010; v++) plain[3 * (SMALL + v) + 2] += (float)v;
  encode(base);
  bake_chunk chunk = next(0, BAKE_POSITIONS, &place, values);
  assert_true(chunk.sparse && chunk.count == SMALL / 2 && chunk.indices_size == 12);
  assert_true(chunk.min[1] == 0 && chunk.max[1] == 0.5f);
  assert_difference(0, SMALL, &chunk);
  chunk = next(0, BAKE_NORMALS, &place, values);
  assert_true(!chunk.sparse && chunk.count == SMALL);
  assert_difference(3 * (SMALL + LARGE), SMALL, &chunk);
  chunk = next(1, BAKE_POSITIONS, &place, values);
  assert_true(chunk.sparse && chunk.count == 10 && chunk.indices_size == 40);
  assert_true(chunk.min[2] == 0 && chunk.max[2] == 66009);
  assert_difference(3 * SMALL, LARGE, &chunk);
  assert_int_equal(place, record.size);
}

static void nothing_changed(void **state) {
  (void)state;
  size_t place = 0;
  memcpy(plain, base, sizeof plain);
  encode(base);
  const bake_chunk chunk = next(0, BAKE_POSITIONS, &place, values);
  assert_true(chunk.sparse && chunk.count == 0 && chunk.floats_size == 0 && chunk.indices_size == 0);
  assert_int_equal(record.size, 3 * BAKE_CHUNK_HEAD);
}

/* A record that is cut, or has another stream, is refused, never read beyond its end. */
static void damaged_records(void **state) {
  (void)state;
  bake_chunk chunk;
  memcpy(plain, base, sizeof plain);
  plain[0] += 1;
  encode(base);
  for (size_t size = 0; size < BAKE_CHUNK_HEAD + 16; size++) {
    size_t place = 0;
    unsigned char *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, record.data, size);
    assert_false(bake_delta_chunk(&plan, 0, BAKE_POSITIONS, copy, size, &place, &chunk));
    free(copy);
  }
  size_t place = 0;
  assert_false(bake_delta_chunk(&plan, 0, BAKE_NORMALS, record.data, record.size, &place, &chunk));
  place = record.size + 1;
  assert_false(bake_delta_chunk(&plan, 0, BAKE_POSITIONS, record.data, record.size, &place, &chunk));
  record.data[4] = 0xff; /* count */
  place = 0;
  assert_false(bake_delta_chunk(&plan, 0, BAKE_POSITIONS, record.data, record.size, &place, &chunk));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(first_frame_is_itself), cmocka_unit_test(sparse_where_most_is_zero),
      cmocka_unit_test(nothing_changed), cmocka_unit_test(damaged_records)};
  return cmocka_run_group_tests(tests, prepare, release);
}
