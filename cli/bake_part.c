/* bake_part.c: part files, written and read back with checks. */
#if !defined(_WIN32)
#define _FILE_OFFSET_BITS 64 /* parts may be larger than 2 GiB where longs have 32 bits */
#endif
#include "bake_part.h"

#include "bake_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 64, RECORD_HEAD = 24, END = 24, VERSION = 1 };

struct bake_parts {
  const bake_plan *plan;
  uint32_t count;
  char **paths; /* [count] */
  FILE *file; /* of the part read last: there may be more parts than files that a process may open */
  uint32_t opened;
  uint64_t inputs[2];
};

static void store_u32(unsigned char *at, uint32_t value) {
  for (int i = 0; i < 4; i++) at[i] = (unsigned char)(value >> 8 * i & 0xff);
}
static void store_u64(unsigned char *at, uint64_t value) {
  store_u32(at, (uint32_t)(value & 0xffffffffu));
  store_u32(at + 4, (uint32_t)(value >> 32));
}
static uint64_t load_u64(const unsigned char *at) {
  uint64_t value = 0;
  for (int i = 7; i >= 0; i--) value = value << 8 | at[i];
  return value;
}

char *bake_part_path(const char *output, uint32_t shard, uint32_t shard_count) {
  const size_t size = strlen(output) + 64;
  char *path = malloc(size);
  if (path)
    snprintf(path, size, "%s.part-%u-of-%u", output, shard + 1, shard_count);
  else
    cli_complain(CLI_FAILED, "out of memory");
  return path;
}

/* ---- writing ---- */

static void make_head(unsigned char head[HEAD], const bake_plan *plan, uint32_t shard,
                      uint32_t shard_count, const uint64_t inputs[2]) {
  memset(head, 0, HEAD);
  memcpy(head, "SUPPLEPT", 8);
  store_u32(head + 8, VERSION);
  store_u32(head + 12, (uint32_t)plan->format);
  store_u64(head + 16, inputs[0]);
  store_u64(head + 24, inputs[1]);
  store_u32(head + 32, shard);
  store_u32(head + 36, shard_count);
  store_u32(head + 40, plan->frame_count);
}

static void make_end(unsigned char end[END], const cli_hash *hash) {
  uint64_t sums[2];
  cli_hash_result(hash, sums);
  memcpy(end, "SUPPLEND", 8);
  store_u64(end + 8, sums[0]);
  store_u64(end + 16, sums[1]);
}

static void make_record_head(unsigned char head[RECORD_HEAD], const bake_record *record) {
  cli_hash hash = cli_hash_start();
  uint64_t sums[2];
  cli_hash_add(&hash, record->data, record->size);
  cli_hash_result(&hash, sums);
  store_u64(head, record->size);
  store_u64(head + 8, sums[0]);
  store_u64(head + 16, sums[1]);
}

void bake_part_begin(bake_part_writer *writer, cli_output *output, const bake_plan *plan,
                     const uint64_t inputs[2]) {
  unsigned char head[HEAD];
  make_head(head, plan, plan->shard, plan->shard_count, inputs);
  writer->output = output;
  writer->hash = cli_hash_start();
  cli_hash_add(&writer->hash, head, HEAD);
  cli_output_write(output, head, HEAD);
}

void bake_part_frame(bake_part_writer *writer, const bake_record *record) {
  unsigned char head[RECORD_HEAD];
  make_record_head(head, record);
  cli_hash_add(&writer->hash, head, RECORD_HEAD);
  cli_output_write(writer->output, head, RECORD_HEAD);
  cli_output_write(writer->output, record->data, record->size);
}

void bake_part_end(bake_part_writer *writer) {
  unsigned char end[END];
  make_end(end, &writer->hash);
  cli_output_write(writer->output, end, END);
}

/* ---- reading ---- */

/* Bytes of a part's file; false where they cannot be read. */
static bool read_bytes(bake_parts *parts, uint32_t part, uint64_t place, void *data, size_t size) {
  if (!parts->file || parts->opened != part) {
    if (parts->file) fclose(parts->file);
    parts->file = parts->paths[part] ? fopen(parts->paths[part], "rb") : NULL;
    parts->opened = part;
  }
  return parts->file && cli_file_seek(parts->file, place) &&
         fread(data, 1, size, parts->file) == size;
}

/* The head of a part against what it should be. */
static bake_part_state check_head(const bake_plan *plan, uint32_t shard, uint32_t shard_count,
                                  const uint64_t inputs[2], const unsigned char head[HEAD]) {
  unsigned char wanted[HEAD];
  make_head(wanted, plan, shard, shard_count, inputs);
  if (memcmp(head, wanted, HEAD) == 0) return BAKE_PART_FINE;
  return memcmp(head, wanted, 8) == 0 ? BAKE_PART_OTHER : BAKE_PART_DAMAGED;
}

/* Reads one part from its beginning to its end; a sink may be absent. *exit_code is the sink's. */
static bake_part_state read_part(bake_parts *parts, uint32_t part, bake_record *record,
                                 bake_sink *sink, void *user, int *exit_code) {
  unsigned char head[HEAD], record_head[RECORD_HEAD], found[RECORD_HEAD], end[END], wanted_end[END];
  uint64_t place = HEAD;
  uint32_t begin, finish;
  cli_hash hash = cli_hash_start();
  begin = (uint32_t)((uint64_t)parts->plan->frame_count * part / parts->count);
  finish = (uint32_t)((uint64_t)parts->plan->frame_count * ((uint64_t)part + 1) / parts->count);
  if (!read_bytes(parts, part, 0, head, HEAD)) return BAKE_PART_DAMAGED;
  const bake_part_state state = check_head(parts->plan, part, parts->count, parts->inputs, head);
  if (state != BAKE_PART_FINE) return state;
  cli_hash_add(&hash, head, HEAD);
  for (uint32_t frame = begin; frame < finish; frame++) {
    if (!read_bytes(parts, part, place, record_head, RECORD_HEAD)) return BAKE_PART_DAMAGED;
    const uint64_t size = load_u64(record_head);
    place += RECORD_HEAD;
    if (size > record->capacity || !read_bytes(parts, part, place, record->data, (size_t)size))
      return BAKE_PART_DAMAGED;
    record->size = (size_t)size;
    make_record_head(found, record);
    if (memcmp(found, record_head, RECORD_HEAD) != 0) return BAKE_PART_DAMAGED;
    cli_hash_add(&hash, record_head, RECORD_HEAD);
    if (sink) {
      bake_record_sum(parts->plan, record);
      *exit_code = sink(user, frame, record);
      if (*exit_code != CLI_FINE) return BAKE_PART_FINE;
    }
    place += size;
  }
  make_end(wanted_end, &hash);
  const bool fine = read_bytes(parts, part, place, end, END) && memcmp(end, wanted_end, END) == 0;
  return fine ? BAKE_PART_FINE : BAKE_PART_DAMAGED;
}

/* Reports what is wrong with a part, and what to do. */
static int complain_of(const bake_parts *parts, uint32_t part, bake_part_state state) {
  static const char *const words[] = {
      "", "is missing", "is damaged or cut short",
      "was baked from other inputs, other options or by another version"};
  return cli_complain(CLI_FAILED,
                      "%s %s: make it by the same command with --shard %u/%u instead of --join",
                      parts->paths[part], words[state], part + 1, parts->count);
}

static bake_parts *create_parts(const bake_plan *plan, uint32_t count, const uint64_t inputs[2]) {
  bake_parts *parts = calloc(1, sizeof *parts);
  if (parts) {
    parts->plan = plan;
    parts->count = count;
    memcpy(parts->inputs, inputs, sizeof parts->inputs);
    parts->paths = calloc(count, sizeof(char *));
    if (parts->paths) return parts;
  }
  cli_complain(CLI_FAILED, "out of memory");
  bake_parts_close(parts);
  return NULL;
}

bake_part_state bake_part_check(const bake_plan *plan, const uint64_t inputs[2]) {
  bake_part_state state = BAKE_PART_MISSING;
  bake_record record;
  unsigned char first;
  int exit_code = CLI_FINE;
  bake_parts *parts = create_parts(plan, plan->shard_count, inputs);
  if (!parts) return BAKE_PART_MISSING;
  parts->paths[plan->shard] = bake_part_path(plan->output, plan->shard, plan->shard_count);
  if (!read_bytes(parts, plan->shard, 0, &first, 1)) {
    if (parts->file) state = BAKE_PART_DAMAGED;
  } else if (bake_record_create(&record, plan)) {
    state = read_part(parts, plan->shard, &record, NULL, NULL, &exit_code);
    bake_record_free(&record);
  }
  bake_parts_close(parts);
  return state;
}

bake_parts *bake_parts_open(const bake_plan *plan, uint32_t shard_count, const uint64_t inputs[2]) {
  bake_parts *parts = create_parts(plan, shard_count, inputs);
  bool fine = parts != NULL;
  for (uint32_t i = 0; parts && i < shard_count; i++) {
    unsigned char head[HEAD];
    bake_part_state state = BAKE_PART_MISSING;
    parts->paths[i] = bake_part_path(plan->output, i, shard_count);
    if (!parts->paths[i]) {
      fine = false;
      break;
    }
    if (read_bytes(parts, i, 0, head, HEAD))
      state = check_head(plan, i, shard_count, inputs, head);
    else if (parts->file)
      state = BAKE_PART_DAMAGED;
    if (state == BAKE_PART_FINE) continue;
    complain_of(parts, i, state);
    fine = false;
  }
  if (fine) return parts;
  bake_parts_close(parts);
  return NULL;
}

void bake_parts_close(bake_parts *parts) {
  if (!parts) return;
  if (parts->file) fclose(parts->file);
  for (uint32_t i = 0; parts->paths && i < parts->count; i++) free(parts->paths[i]);
  free(parts->paths);
  free(parts);
}

int bake_parts_read(bake_parts *parts, bake_sink *sink, void *user) {
  bake_record record;
  int exit_code = CLI_FINE;
  if (!bake_record_create(&record, parts->plan)) return CLI_FAILED;
  for (uint32_t i = 0; exit_code == CLI_FINE && i < parts->count; i++) {
    const bake_part_state state = read_part(parts, i, &record, sink, user, &exit_code);
    if (state != BAKE_PART_FINE) exit_code = complain_of(parts, i, state);
  }
  bake_record_free(&record);
  return exit_code;
}

void bake_parts_remove(const bake_parts *parts) {
  for (uint32_t i = 0; i < parts->count; i++)
    if (parts->paths[i] && remove(parts->paths[i]) != 0)
      cli_note("%s could not be removed", parts->paths[i]);
}
