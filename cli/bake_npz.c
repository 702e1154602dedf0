/* bake_npz.c: NumPy arrays written frame by frame.
 *
 * Zip as in PKWARE's APPNOTE 6.3.9, entries stored; zip64 (4.3.14, 4.3.15, 4.5.3) where sizes or places pass 32
 * bits. Sizes are known from the start, so that each array has its place and frames go to theirs; only the
 * checksums of the arrays that grow are filled in at the end. */
#include "bake_npz.h"

#include "bake_frame.h"
#include "checksum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES_MOST = 8, HEADER_MOST = 512, ALIGNMENT = 64 };

typedef struct zip_entry {
  char name[32];
  unsigned char header[HEADER_MOST]; /* of the .npy */
  size_t header_size;
  uint64_t place, size; /* of the local header; of header and data */
  uint64_t data, done;  /* where the data begins; how much was written */
  uint32_t crc;
  bool large; /* its sizes go to the zip64 field */
} zip_entry;

struct bake_npz {
  cli_output *output;
  const bake_plan *plan;
  bool zip64;
  zip_entry entries[ENTRIES_MOST];
  uint32_t count;
  uint64_t end; /* of what has its place so far */
};

/* ---- zip ---- */

static void write_u64(cli_output *output, uint64_t value) {
  cli_output_u32(output, (uint32_t)(value & 0xffffffffu));
  cli_output_u32(output, (uint32_t)(value >> 32));
}

static bool past_32_bits(uint64_t value) { return value >= UINT32_MAX; }

/* Version needed, flags, method, time and date (1 January 1980: results do not depend on the day), checksum. */
static void write_common(cli_output *output, const zip_entry *entry, bool large, size_t extra) {
  cli_output_u16(output, large ? 45 : 20);
  cli_output_u16(output, 0);
  cli_output_u16(output, 0);
  cli_output_u16(output, 0);
  cli_output_u16(output, 0x21);
  cli_output_u32(output, entry->crc);
  cli_output_u32(output, entry->large ? UINT32_MAX : (uint32_t)entry->size);
  cli_output_u32(output, entry->large ? UINT32_MAX : (uint32_t)entry->size);
  cli_output_u16(output, (uint16_t)strlen(entry->name));
  cli_output_u16(output, (uint16_t)extra);
}

/* The two sizes, which are the same, as a zip64 field holds them. */
static void write_sizes(cli_output *output, const zip_entry *entry) {
  write_u64(output, entry->size);
  write_u64(output, entry->size);
}

static size_t local_size(const zip_entry *entry) {
  return 30 + strlen(entry->name) + (entry->large ? 20 : 0);
}

static void write_local(cli_output *output, const zip_entry *entry) {
  cli_output_u32(output, 0x04034b50);
  write_common(output, entry, entry->large, entry->large ? 20 : 0);
  cli_output_text(output, entry->name);
  if (entry->large) {
    cli_output_u16(output, 1);
    cli_output_u16(output, 16);
    write_sizes(output, entry);
  }
  cli_output_write(output, entry->header, entry->header_size);
}

static void write_central(cli_output *output, const zip_entry *entry, bool zip64) {
  const bool far = zip64 || past_32_bits(entry->place);
  const size_t field = (entry->large ? 16u : 0u) + (far ? 8u : 0u);
  cli_output_u32(output, 0x02014b50);
  cli_output_u16(output, 45); /* made by */
  write_common(output, entry, field != 0, field ? field + 4 : 0);
  cli_output_u16(output, 0); /* comment */
  cli_output_u16(output, 0); /* disk */
  cli_output_u16(output, 0); /* internal attributes */
  cli_output_u32(output, 0); /* external attributes */
  cli_output_u32(output, far ? UINT32_MAX : (uint32_t)entry->place);
  cli_output_text(output, entry->name);
  if (!field) return;
  cli_output_u16(output, 1);
  cli_output_u16(output, (uint16_t)field);
  if (entry->large) write_sizes(output, entry);
  if (far) write_u64(output, entry->place);
}

static void write_directory(const bake_npz *npz) {
  cli_output *output = npz->output;
  const uint64_t start = npz->end;
  cli_output_seek(output, start);
  for (uint32_t i = 0; i < npz->count; i++) write_central(output, &npz->entries[i], npz->zip64);
  const uint64_t size = cli_output_tell(output) - start;
  const bool far = npz->zip64 || past_32_bits(start) || past_32_bits(size);
  if (far) {
    cli_output_u32(output, 0x06064b50);
    write_u64(output, 44); /* bytes that follow */
    cli_output_u16(output, 45);
    cli_output_u16(output, 45);
    write_u64(output, 0); /* disks */
    write_u64(output, npz->count);
    write_u64(output, npz->count);
    write_u64(output, size);
    write_u64(output, start);
    cli_output_u32(output, 0x07064b50);
    cli_output_u32(output, 0);
    write_u64(output, start + size);
    cli_output_u32(output, 1);
  }
  cli_output_u32(output, 0x06054b50);
  cli_output_u32(output, 0); /* disks */
  cli_output_u16(output, (uint16_t)npz->count);
  cli_output_u16(output, (uint16_t)npz->count);
  cli_output_u32(output, far ? UINT32_MAX : (uint32_t)size);
  cli_output_u32(output, far ? UINT32_MAX : (uint32_t)start);
  cli_output_u16(output, 0); /* comment */
}

/* ---- arrays ---- */

/* Magic, version 1.0, and a header with spaces up to `place`, a multiple of 64 in the file. */
static void make_header(zip_entry *entry, const char *type, const char *shape) {
  char text[HEADER_MOST - 10];
  const uint64_t begin = entry->place + local_size(entry);
  memset(text, ' ', sizeof text);
  const int wrote =
      snprintf(text, 256, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", type, shape);
  text[wrote] = ' ';
  const uint64_t end = (begin + 10 + (uint64_t)wrote + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  const size_t length = (size_t)(end - begin) - 10;
  text[length - 1] = '\n';
  memcpy(entry->header, "\x93NUMPY\x01\x00", 8);
  entry->header[8] = (unsigned char)(length & 0xff);
  entry->header[9] = (unsigned char)(length >> 8);
  memcpy(entry->header + 10, text, length);
  entry->header_size = length + 10;
}

/* Gives an array of `size` bytes its place. */
static zip_entry *add_entry(bake_npz *npz, const char *name, const char *type, const char *shape,
                            uint64_t size) {
  zip_entry *entry = &npz->entries[npz->count++];
  snprintf(entry->name, sizeof entry->name, "%s.npy", name);
  entry->place = npz->end;
  entry->large = npz->zip64 || past_32_bits(size + HEADER_MOST);
  make_header(entry, type, shape);
  entry->size = entry->header_size + size;
  entry->data = entry->place + local_size(entry) + entry->header_size;
  entry->crc = cli_crc32(0, entry->header, entry->header_size);
  npz->end = entry->data + size;
  return entry;
}

/* An array that is there as a whole. */
static void write_entry(const bake_npz *npz, zip_entry *entry, const cli_output *content) {
  size_t size = 0;
  const char *data = cli_output_contents(content, &size);
  if (!data) {
    cli_output_no_memory(npz->output);
    return;
  }
  entry->crc = cli_crc32(entry->crc, data, size);
  write_local(npz->output, entry);
  cli_output_write(npz->output, data, size);
}

static void write_double(cli_output *output, double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  write_u64(output, bits);
}

static uint32_t triangles_of(const supple_primitive *source) {
  return source->topology == SUPPLE_TOPOLOGY_TRIANGLES ? source->index_count / 3 : 0;
}

static void write_triangles(cli_output *out, const bake_plan *plan) {
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const bake_primitive *part = &plan->primitives[i];
    for (size_t k = 0; k < 3 * (size_t)triangles_of(part->source); k++)
      cli_output_u32(out, (uint32_t)part->first_vertex + part->source->indices[k]);
  }
}

static void write_offsets(cli_output *out, const bake_plan *plan, bool triangles) {
  uint64_t sum = 0;
  write_u64(out, 0);
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const supple_primitive *source = plan->primitives[i].source;
    write_u64(out, sum += triangles ? triangles_of(source) : source->vertex_count);
  }
}

static void write_primitives(cli_output *out, const bake_plan *plan) {
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const bake_primitive *part = &plan->primitives[i];
    cli_output_u32(out, plan->stage->instances[part->instance].instance->node);
    cli_output_u32(out, part->source->mesh);
    cli_output_u32(out, part->source->index);
  }
}

typedef enum small_array {
  TIMES,
  TRIANGLES,
  PRIMITIVES,
  VERTEX_OFFSETS,
  TRIANGLE_OFFSETS
} small_array;

static bool write_small(bake_npz *npz, small_array which) {
  static const char *const names[] = {"times", "triangles", "primitives", "vertex_offsets",
                                      "triangle_offsets"};
  static const char *const types[] = {"<f8", "<u4", "<u4", "<u8", "<u8"};
  const bake_plan *plan = npz->plan;
  cli_output *out = cli_output_open_memory();
  char shape[64];
  size_t size = 0;
  if (!out) return false;
  if (which == TIMES)
    for (uint32_t i = 0; i < plan->frame_count; i++) write_double(out, plan->times[i]);
  if (which == TRIANGLES) write_triangles(out, plan);
  if (which == PRIMITIVES) write_primitives(out, plan);
  if (which >= VERTEX_OFFSETS) write_offsets(out, plan, which == TRIANGLE_OFFSETS);
  const bool rows = which == TRIANGLES || which == PRIMITIVES;
  if (cli_output_contents(out, &size)) {
    snprintf(shape, sizeof shape, rows ? "%zu, 3" : "%zu,", size / (rows ? 12 : 8));
    write_entry(npz, add_entry(npz, names[which], types[which], shape, size), out);
  } else {
    cli_output_no_memory(npz->output);
  }
  cli_output_abandon(out);
  return true;
}

/* ---- the interface ---- */

bake_npz *bake_npz_begin(cli_output *output, const bake_plan *plan, bool zip64) {
  bake_npz *npz = calloc(1, sizeof *npz);
  if (!npz) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  npz->output = output;
  npz->plan = plan;
  npz->zip64 = zip64;
  for (int i = TIMES; i <= TRIANGLE_OFFSETS; i++)
    if (!write_small(npz, (small_array)i)) {
      bake_npz_abandon(npz);
      return NULL;
    }
  const uint64_t frame = 12 * (uint64_t)plan->vertex_count;
  char shape[64];
  snprintf(shape, sizeof shape, "%u, %zu, 3", plan->frame_count, plan->vertex_count);
  write_local(output, add_entry(npz, "positions", "<f4", shape, frame * plan->frame_count));
  if (plan->normals) {
    zip_entry *entry = add_entry(npz, "normals", "<f4", shape, frame * plan->frame_count);
    cli_output_seek(output, entry->place);
    write_local(output, entry);
  }
  return npz;
}

static void append(bake_npz *npz, zip_entry *entry, const unsigned char *data, size_t size,
                   uint32_t crc) {
  if (cli_output_tell(npz->output) != entry->data + entry->done)
    cli_output_seek(npz->output, entry->data + entry->done);
  cli_output_write(npz->output, data, size);
  entry->crc = cli_crc32_join(entry->crc, crc, size);
  entry->done += size;
}

void bake_npz_frame(bake_npz *npz, const bake_record *record) {
  const size_t size = 12 * npz->plan->vertex_count;
  zip_entry *entry = &npz->entries[TRIANGLE_OFFSETS + 1];
  append(npz, entry, record->data, size, record->crcs[0]);
  if (npz->plan->normals) append(npz, entry + 1, record->data + size, size, record->crcs[1]);
}

void bake_npz_end(bake_npz *npz) {
  for (uint32_t i = TRIANGLE_OFFSETS + 1; i < npz->count; i++) {
    cli_output_seek(npz->output, npz->entries[i].place);
    write_local(npz->output, &npz->entries[i]);
  }
  write_directory(npz);
  free(npz);
}

void bake_npz_abandon(bake_npz *npz) { free(npz); }
