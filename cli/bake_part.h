/* bake_part.h: part files: the frames of one shard, with what tells whether they are whole and of these inputs.
 *
 * Little endian: a head of 64 bytes (magic, version, format, hash of the inputs, shard, frames), the records (size,
 * checksum, data), and an end of 24 bytes (magic, checksum of the heads). Only the same version of Supple reads it. */
#ifndef SUPPLE_CLI_BAKE_PART_H
#define SUPPLE_CLI_BAKE_PART_H

#include "bake.h"
#include "checksum.h"

/* A hash of all that the frames depend on: vertices, influences, skins, nodes, the clip, times and options, whatever
 * the file is called and however it is stored. */
void bake_inputs_hash(const bake_plan *plan, uint64_t result[2]);

/* "OUT.part-3-of-16" for shard 2. NULL: out of memory, reported. The caller frees it. */
char *bake_part_path(const char *output, uint32_t shard, uint32_t shard_count);

/* ---- writing ---- */

typedef struct bake_part_writer {
  cli_output *output;
  cli_hash hash;
} bake_part_writer;

void bake_part_begin(bake_part_writer *writer, cli_output *output, const bake_plan *plan,
                     const uint64_t inputs[2]);
void bake_part_frame(bake_part_writer *writer, const bake_record *record);
void bake_part_end(bake_part_writer *writer);

/* ---- reading ---- */

/* All parts of an output, in the order of frames. */
typedef struct bake_parts bake_parts;

typedef enum bake_part_state {
  BAKE_PART_FINE,
  BAKE_PART_MISSING,
  BAKE_PART_DAMAGED,
  BAKE_PART_OTHER
} bake_part_state;

/* Whether the part of the plan's shard is there, reading all of it. Only running out of memory is reported, and is
 * BAKE_PART_MISSING. */
bake_part_state bake_part_check(const bake_plan *plan, const uint64_t inputs[2]);

/* Opens the parts of `shard_count` shards of the plan's output, and reports each that is missing, cut short or of other
 * inputs, with what to do. NULL where there is one. */
bake_parts *bake_parts_open(const bake_plan *plan, uint32_t shard_count, const uint64_t inputs[2]);
void bake_parts_close(bake_parts *parts);

/* Hands every record to the sink, checked. CLI_FAILED where a part is damaged: reported. */
int bake_parts_read(bake_parts *parts, bake_sink *sink, void *user);
/* Removes the files. */
void bake_parts_remove(const bake_parts *parts);

#endif
