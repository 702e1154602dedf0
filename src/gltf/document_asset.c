/* document_asset.c: the asset that a document describes as it is now. */
#include "../base/prologue.h"

#include "document_state.h"

#include "loader.h"

#include <string.h>

/* All bytes of the buffer that takes new ones, in one piece. */
static supple_result gather_new(supple_document *document, unsigned char *out, supple_error *error) {
  memset(out, 0, (size_t)document->new_size);
  for (uint32_t i = 0; i < document->segment_count; i++) {
    const supplei_segment *segment = &document->segments[i];
    unsigned char *to = out + segment->offset;
    if (segment->data) {
      memcpy(to, segment->data, (size_t)segment->size);
      continue;
    }
    const supple_result result = supplei_segment_pull(segment, 0, segment->count, to);
    if (result)
      return supplei_fail(error, result, NULL, SIZE_MAX, "new data could not be had: %s",
                          supple_result_text(result));
  }
  return SUPPLE_OK;
}

/* What the asset is made of. */
typedef struct state {
  supplei_output text;
  supplei_given *given;
  uint32_t count;
  unsigned char *added; /* document->new_size bytes */
} state;

static supple_result collect(supple_document *document, state *s, supple_error *error) {
  supple_result result = supplei_tree_write(&document->tree, &s->text, error);
  if (result) return result;
  s->count = supplei_document_table_count(document, "buffers");
  s->given = supplei_allocate_zero(&document->allocator, s->count, sizeof *s->given);
  if (!s->given) return supplei_fail_memory(error, s->count * sizeof *s->given, "the buffers");
  for (uint32_t i = 0; i < s->count && !result; i++) {
    const supplei_buffer_kind kind = supplei_buffer_kind_of(document, i);
    supplei_given *given = &s->given[i];
    if (kind == SUPPLEI_BUFFER_BIN)
      *given = (supplei_given){document->glb.bin, document->glb.bin_size};
    if (kind == SUPPLEI_BUFFER_DATA || kind == SUPPLEI_BUFFER_FILE) { /* where it was read already */
      const uint32_t uri =
          supplei_tree_member(&document->tree, supplei_document_item(document, "buffers", i), "uri");
      const uint32_t found = supplei_map_get(&document->resource_of, uri);
      if (found != SUPPLE_NONE)
        *given = (supplei_given){document->resources[found].data, document->resources[found].size};
    }
    if (kind != SUPPLEI_BUFFER_NEW) continue;
    s->added = document->new_size > SIZE_MAX / 2
                   ? NULL
                   : supplei_allocate(&document->allocator, (size_t)document->new_size, 1);
    if (!s->added) return supplei_fail_memory(error, (size_t)document->new_size, "the new data");
    result = gather_new(document, s->added, error);
    *given = (supplei_given){s->added, (size_t)document->new_size};
  }
  return result;
}

supple_asset *supple_document_asset(supple_document *document, const supple_load_options *options,
                                    supple_error *error) {
  supple_load_options combined = options ? *options : document->options;
  if (!combined.reader.read) combined.reader = document->options.reader;
  if (!combined.codecs) combined.codecs = document->options.codecs;
  if (error) memset(error, 0, sizeof *error);
  supplei_origin origin = {.folder = document->folder};
  if (!supplei_document_changed(document))
    return supplei_asset_load(document->file, document->file_size, &origin, &combined, error);
  state s = {.text = {.allocator = document->allocator}};
  const supplei_glb none = {0};
  supple_asset *asset = NULL;
  if (!collect(document, &s, error)) {
    origin.glb = document->is_glb ? &document->glb : &none;
    origin.given = s.given;
    origin.given_count = s.count;
    asset = supplei_asset_load(s.text.data, s.text.size, &origin, &combined, error);
  }
  supplei_output_release(&s.text);
  supplei_release(&document->allocator, s.given, s.count, sizeof *s.given);
  supplei_release(&document->allocator, s.added, (size_t)document->new_size, 1);
  return asset;
}
