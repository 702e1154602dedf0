/* export_npz.c: NumPy arrays (.npy, version 1.0) in an uncompressed zip.
 *
 * Zip as in PKWARE's APPNOTE 6.3, stored entries; 32-bit sizes, so larger files are refused. */
#include "export_npz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct zip_entry {
  char name[64];
  uint32_t crc, size, offset;
} zip_entry;

typedef struct zip {
  cli_output *output;
  zip_entry *entries;
  uint32_t count, capacity;
} zip;

enum { ZIP_VERSION = 20, ZIP_DATE = 0x21 /* 1 January 1980: results do not depend on the day */ };

static void write_common(cli_output *output, const zip_entry *entry) {
  cli_output_u16(output, ZIP_VERSION);
  cli_output_u16(output, 0); /* flags */
  cli_output_u16(output, 0); /* stored */
  cli_output_u16(output, 0); /* time */
  cli_output_u16(output, ZIP_DATE);
  cli_output_u32(output, entry->crc);
  cli_output_u32(output, entry->size); /* compressed */
  cli_output_u32(output, entry->size);
  cli_output_u16(output, (uint16_t)strlen(entry->name));
  cli_output_u16(output, 0); /* extra field */
}

static int add_entry(zip *z, const char *name, const cli_output *content) {
  size_t size = 0;
  const char *data = cli_output_contents(content, &size);
  if (!data || z->count == z->capacity) return cli_complain(CLI_FAILED, "out of memory");
  if (z->count >= 65535)
    return cli_complain(CLI_FAILED, "more arrays than an .npz holds here (65535)");
  zip_entry *entry = &z->entries[z->count];
  const uint64_t offset = cli_output_tell(z->output);
  if (offset + size + 256 > UINT32_MAX)
    return cli_complain(CLI_FAILED, "the .npz would pass 4 GiB");
  snprintf(entry->name, sizeof entry->name, "%s", name);
  entry->crc = cli_crc32(0, data, size);
  entry->size = (uint32_t)size;
  entry->offset = (uint32_t)offset;
  cli_output_u32(z->output, 0x04034b50);
  write_common(z->output, entry);
  cli_output_text(z->output, entry->name);
  cli_output_write(z->output, data, size);
  z->count++;
  return CLI_FINE;
}

static void write_directory(const zip *z) {
  const uint64_t start = cli_output_tell(z->output);
  for (uint32_t i = 0; i < z->count; i++) {
    const zip_entry *entry = &z->entries[i];
    cli_output_u32(z->output, 0x02014b50);
    cli_output_u16(z->output, ZIP_VERSION); /* made by */
    write_common(z->output, entry);
    cli_output_u16(z->output, 0); /* comment */
    cli_output_u16(z->output, 0); /* disk */
    cli_output_u16(z->output, 0); /* internal attributes */
    cli_output_u32(z->output, 0); /* external attributes */
    cli_output_u32(z->output, entry->offset);
    cli_output_text(z->output, entry->name);
  }
  const uint64_t size = cli_output_tell(z->output) - start;
  cli_output_u32(z->output, 0x06054b50);
  cli_output_u32(z->output, 0); /* disks */
  cli_output_u16(z->output, (uint16_t)z->count);
  cli_output_u16(z->output, (uint16_t)z->count);
  cli_output_u32(z->output, (uint32_t)size);
  cli_output_u32(z->output, (uint32_t)start);
  cli_output_u16(z->output, 0); /* comment */
}

/* The magic, and a header padded with spaces to a multiple of 64 bytes. */
static void npy_header(cli_output *npy, const char *type, size_t rows, size_t columns) {
  char text[192];
  memset(text, ' ', sizeof text);
  int wrote = snprintf(text, sizeof text - 64,
                       "{'descr': '%s', 'fortran_order': False, 'shape': (%zu, %zu), }", type, rows,
                       columns);
  text[wrote] = ' ';
  const size_t length = (10 + (size_t)wrote + 1 + 63) / 64 * 64 - 10;
  text[length - 1] = '\n';
  cli_output_write(npy, "\x93NUMPY\x01\x00", 8);
  cli_output_u16(npy, (uint16_t)length);
  cli_output_write(npy, text, length);
}

static int add_floats(zip *z, const char *name, const float *values, size_t rows, size_t columns) {
  if (!values) return CLI_FINE;
  cli_output *npy = cli_output_open_memory();
  if (!npy) return CLI_FAILED;
  npy_header(npy, "<f4", rows, columns);
  for (size_t i = 0; i < rows * columns; i++) cli_output_f32(npy, values[i]);
  const int exit_code = add_entry(z, name, npy);
  cli_output_abandon(npy);
  return exit_code;
}

static int add_triangles(zip *z, const char *name, const supple_primitive *source) {
  if (source->topology != SUPPLE_TOPOLOGY_TRIANGLES) return CLI_FINE;
  cli_output *npy = cli_output_open_memory();
  if (!npy) return CLI_FAILED;
  npy_header(npy, "<u4", source->index_count / 3, 3);
  for (size_t i = 0; i < source->index_count / 3 * 3; i++) cli_output_u32(npy, source->indices[i]);
  const int exit_code = add_entry(z, name, npy);
  cli_output_abandon(npy);
  return exit_code;
}

static int add_primitive(zip *z, const cli_posed *posed) {
  const size_t rows = posed->source->vertex_count;
  static const char *const kinds[] = {"positions", "normals", "tangents", "triangles"};
  char names[4][64], copy[24] = "";
  if (posed->copies) snprintf(copy, sizeof copy, "_copy%u", posed->copy);
  for (int i = 0; i < 4; i++)
    snprintf(names[i], sizeof names[i], "node%u_primitive%u%s_%s.npy", posed->node,
             posed->source->index, copy, kinds[i]);
  int exit_code = add_floats(z, names[0], posed->positions, rows, 3);
  if (exit_code == CLI_FINE) exit_code = add_floats(z, names[1], posed->normals, rows, 3);
  if (exit_code == CLI_FINE) exit_code = add_floats(z, names[2], posed->tangents, rows, 4);
  if (exit_code == CLI_FINE) exit_code = add_triangles(z, names[3], posed->source);
  return exit_code;
}

int cli_export_npz(cli_output *output, const cli_posed *posed, uint32_t count) {
  zip z = {output, calloc(4 * (size_t)count + 1, sizeof *z.entries), 0, 4 * count};
  int exit_code = z.entries ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; exit_code == CLI_FINE && i < count; i++)
    exit_code = add_primitive(&z, &posed[i]);
  if (exit_code == CLI_FINE) write_directory(&z);
  free(z.entries);
  return exit_code;
}
