/* stored_zip.c: zip files without compression. */
#include "stored_zip.h"

#include "checksum.h"

#include <stdlib.h>
#include <string.h>

enum {
  VERSION = 20,
  DATE = 0x21,    /* 1 January 1980 */
  UTF8 = 1 << 11, /* flag: of the name */
  LOCAL = 30,     /* bytes before a name */
  ENTRIES_MOST = 65535,
  PADDING_ID = 0x1986, /* of an extra field that only pads: what OpenUSD's writer uses */
  NAME_MOST = 256
};

typedef struct zip_entry {
  char name[NAME_MOST];
  uint32_t crc, size, offset;
} zip_entry;

struct cli_zip {
  cli_output *output;
  const char *path;
  uint32_t alignment;
  zip_entry *entries;
  uint32_t count, capacity;
};

cli_zip *cli_zip_create(cli_output *output, uint32_t alignment, const char *path) {
  cli_zip *zip = calloc(1, sizeof *zip);
  if (!zip) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  zip->output = output;
  zip->alignment = alignment;
  zip->path = path;
  return zip;
}

void cli_zip_free(cli_zip *zip) {
  if (!zip) return;
  free(zip->entries);
  free(zip);
}

static uint16_t flags_of(const zip_entry *entry) {
  for (const char *c = entry->name; *c; c++)
    if ((unsigned char)*c >= 0x80) return UTF8;
  return 0;
}

static void write_common(cli_output *output, const zip_entry *entry, size_t extra) {
  cli_output_u16(output, VERSION);
  cli_output_u16(output, flags_of(entry));
  cli_output_u16(output, 0); /* stored */
  cli_output_u16(output, 0); /* time */
  cli_output_u16(output, DATE);
  cli_output_u32(output, entry->crc);
  cli_output_u32(output, entry->size); /* compressed */
  cli_output_u32(output, entry->size);
  cli_output_u16(output, (uint16_t)strlen(entry->name));
  cli_output_u16(output, (uint16_t)extra);
}

/* Bytes of an extra field that brings the data to its place: none, or four and more. */
static size_t padding_of(const cli_zip *zip, const zip_entry *entry) {
  const uint64_t begin = (uint64_t)entry->offset + LOCAL + strlen(entry->name);
  size_t missing = (size_t)((zip->alignment - begin % zip->alignment) % zip->alignment);
  while (missing && missing < 4) missing += zip->alignment;
  return missing;
}

static void write_local(const cli_zip *zip, const zip_entry *entry, size_t padding) {
  cli_output *output = zip->output;
  cli_output_u32(output, 0x04034b50);
  write_common(output, entry, padding);
  cli_output_text(output, entry->name);
  if (!padding) return;
  cli_output_u16(output, PADDING_ID);
  cli_output_u16(output, (uint16_t)(padding - 4));
  for (size_t i = 4; i < padding; i++) cli_output_write(output, "", 1);
}

static bool make_room(cli_zip *zip) {
  if (zip->count < zip->capacity) return true;
  const uint32_t capacity = zip->capacity ? 2 * zip->capacity : 16;
  zip_entry *entries = realloc(zip->entries, capacity * sizeof *entries);
  if (!entries) return false;
  zip->entries = entries;
  zip->capacity = capacity;
  return true;
}

int cli_zip_add(cli_zip *zip, const char *name, const void *data, size_t size) {
  const uint64_t offset = cli_output_tell(zip->output);
  enum { HEADS = 16384 }; /* more than the entry's two heads with their padding */
  if (zip->count >= ENTRIES_MOST)
    return cli_complain(CLI_FAILED, "%s: a zip file holds %d entries at most", zip->path,
                        (int)ENTRIES_MOST);
  if (size > UINT32_MAX - HEADS || offset + size > UINT32_MAX - HEADS)
    return cli_complain(CLI_FAILED, "%s would pass 4 GiB", zip->path);
  if (strlen(name) >= NAME_MOST)
    return cli_complain(CLI_FAILED, "%s: the name %.40s… is too long for a zip file here",
                        zip->path, name);
  if (!make_room(zip)) return cli_complain(CLI_FAILED, "out of memory");
  zip_entry *entry = &zip->entries[zip->count++];
  strcpy(entry->name, name);
  entry->crc = cli_crc32(0, data, size);
  entry->size = (uint32_t)size;
  entry->offset = (uint32_t)offset;
  write_local(zip, entry, padding_of(zip, entry));
  cli_output_write(zip->output, data, size);
  return CLI_FINE;
}

int cli_zip_add_contents(cli_zip *zip, const char *name, const cli_output *contents) {
  size_t size = 0;
  const char *data = cli_output_contents(contents, &size);
  return data ? cli_zip_add(zip, name, data, size) : cli_complain(CLI_FAILED, "out of memory");
}

void cli_zip_end(cli_zip *zip) {
  cli_output *output = zip->output;
  const uint64_t start = cli_output_tell(output);
  for (uint32_t i = 0; i < zip->count; i++) {
    const zip_entry *entry = &zip->entries[i];
    cli_output_u32(output, 0x02014b50);
    cli_output_u16(output, VERSION); /* made by */
    write_common(output, entry, 0);
    cli_output_u16(output, 0); /* comment */
    cli_output_u16(output, 0); /* disk */
    cli_output_u16(output, 0); /* internal attributes */
    cli_output_u32(output, 0); /* external attributes */
    cli_output_u32(output, entry->offset);
    cli_output_text(output, entry->name);
  }
  const uint64_t size = cli_output_tell(output) - start;
  cli_output_u32(output, 0x06054b50);
  cli_output_u32(output, 0); /* disks */
  cli_output_u16(output, (uint16_t)zip->count);
  cli_output_u16(output, (uint16_t)zip->count);
  cli_output_u32(output, (uint32_t)size);
  cli_output_u32(output, (uint32_t)start);
  cli_output_u16(output, 0); /* comment */
}
