/* test_bake_part.c: parts read back as they were written; every byte of them is checked. */
#include "cli/bake_part.h"

#include "cli/bake_frame.h"
#include "cli/bake_shard.h"
#include "tests/cli/bake_small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = SUPPLE_SCRATCH "/small.gltf";
static const char out[] = SUPPLE_SCRATCH "/out.pc2";

enum { FRAMES = 7, SHARDS = 3, PART_MOST = 4096 };

static bake_small small = {.options = {.threads = 1, .output = out}};
static uint64_t inputs[2];
static char *paths[SHARDS];

static int put(void *user, uint32_t frame, const bake_record *record) {
  (void)frame;
  bake_part_frame(user, record);
  return CLI_FINE;
}

static void set_shard(uint32_t shard) {
  small.plan.shard = shard;
  small.plan.shard_count = SHARDS;
  bake_shard_range(FRAMES, shard, SHARDS, &small.plan.frame_begin, &small.plan.frame_end);
}

static void write_part(uint32_t shard) {
  bake_part_writer writer;
  set_shard(shard);
  cli_output *output = cli_output_open(paths[shard]);
  assert_non_null(output);
  bake_part_begin(&writer, output, &small.plan, inputs);
  assert_int_equal(bake_make_all(&small.plan, put, &writer), CLI_FINE);
  bake_part_end(&writer);
  assert_int_equal(cli_output_close(output), CLI_FINE);
}

static int prepare(void **state) {
  (void)state;
  if (!bake_small_make(&small, path, BAKE_PC2, FRAMES)) return 1;
  bake_inputs_hash(&small.plan, inputs);
  for (uint32_t i = 0; i < SHARDS; i++) paths[i] = bake_part_path(out, i, SHARDS);
  return 0;
}
static int release(void **state) {
  (void)state;
  for (uint32_t i = 0; i < SHARDS; i++) free(paths[i]);
  bake_small_free(&small);
  return 0;
}

typedef struct comparison {
  bake_maker *maker;
  bake_record record;
  uint32_t next;
} comparison;

static int compare(void *user, uint32_t frame, const bake_record *record) {
  comparison *c = user;
  assert_int_equal(frame, c->next++);
  assert_int_equal(bake_make_plain(c->maker, frame, &c->record), CLI_FINE);
  assert_int_equal(record->size, c->record.size);
  assert_memory_equal(record->data, c->record.data, record->size);
  return CLI_FINE;
}

static void parts_come_back(void **state) {
  (void)state;
  comparison c = {.maker = bake_maker_create(&small.plan)};
  assert_string_equal(paths[1], SUPPLE_SCRATCH "/out.pc2.part-2-of-3");
  for (uint32_t i = 0; i < SHARDS; i++) write_part(SHARDS - 1 - i);
  bake_parts *parts = bake_parts_open(&small.plan, SHARDS, inputs);
  assert_non_null(parts);
  assert_true(c.maker && bake_record_create(&c.record, &small.plan));
  assert_int_equal(bake_parts_read(parts, compare, &c), CLI_FINE);
  assert_int_equal(c.next, FRAMES);
  bake_parts_close(parts);
  bake_record_free(&c.record);
  bake_maker_free(c.maker);
}

static void store(const char *name, const unsigned char *bytes, size_t size) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  fclose(file);
}

static void every_byte_counts(void **state) {
  (void)state;
  unsigned char bytes[PART_MOST];
  write_part(1);
  FILE *file = fopen(paths[1], "rb");
  assert_non_null(file);
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert_int_equal(bake_part_check(&small.plan, inputs), BAKE_PART_FINE);
  for (size_t i = 0; i < size; i++) {
    bytes[i] ^= 0x40;
    store(paths[1], bytes, size);
    const bake_part_state found = bake_part_check(&small.plan, inputs);
    /* beyond the magic, the head says of what the part is */
    assert_int_equal(found, i >= 8 && i < 64 ? BAKE_PART_OTHER : BAKE_PART_DAMAGED);
    bytes[i] ^= 0x40;
  }
  for (size_t i = 0; i < size; i++) {
    store(paths[1], bytes, i);
    assert_int_equal(bake_part_check(&small.plan, inputs), BAKE_PART_DAMAGED);
  }
  store(paths[1], bytes, size);
  const uint64_t others[2] = {inputs[0], inputs[1] ^ 1};
  assert_int_equal(bake_part_check(&small.plan, others), BAKE_PART_OTHER);
  assert_int_equal(bake_part_check(&small.plan, inputs), BAKE_PART_FINE);
  remove(paths[1]);
  assert_int_equal(bake_part_check(&small.plan, inputs), BAKE_PART_MISSING);
  assert_null(bake_parts_open(&small.plan, SHARDS, inputs));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parts_come_back),
                                     cmocka_unit_test(every_byte_counts)};
  return cmocka_run_group_tests(tests, prepare, release);
}
