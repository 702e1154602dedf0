/* write.c: a document laid out as files, and the bytes of these. */
#include "../base/prologue.h"

#include "write_plan.h"

#include <stdio.h>
#include <string.h>

enum { GLB_HEADER = 12, CHUNK_HEADER = 8 };
static const uint32_t chunk_bin = 0x004E4942;

/* ---- parts and files ---- */

supple_result supplei_parts_add(supplei_plan *plan, supplei_parts *parts, const void *data,
                                uint64_t size, uint32_t segment) {
  if (!size) return SUPPLE_OK;
  void *items = parts->items;
  const supple_result result = supplei_grow(&plan->allocator, &items, &parts->capacity, parts->count,
                                            parts->count + 1, sizeof *parts->items, plan->error);
  parts->items = items;
  if (result) return result;
  parts->items[parts->count++] = (supplei_part){data, size, segment};
  parts->size += size;
  return SUPPLE_OK;
}

supple_result supplei_parts_align(supplei_plan *plan, supplei_parts *parts) {
  return supplei_parts_add(plan, parts, NULL, (4 - parts->size % 4) % 4, SUPPLE_NONE);
}

supple_result supplei_plan_file(supplei_plan *plan, supple_written_file file, uint32_t uri) {
  void *files = plan->files, *sources = plan->sources;
  supple_result result =
      supplei_grow(&plan->allocator, &files, &plan->file_capacity, plan->file_count,
                   plan->file_count + 1, sizeof *plan->files, plan->error);
  plan->files = files;
  if (!result)
    result = supplei_grow(&plan->allocator, &sources, &plan->source_capacity, plan->file_count,
                          plan->file_count + 1, sizeof *plan->sources, plan->error);
  plan->sources = sources;
  if (result) return result;
  const uint32_t first = plan->parts_taken;
  if (uri == SUPPLE_NONE) plan->parts_taken = plan->parts.count;
  plan->files[plan->file_count] = file;
  plan->sources[plan->file_count++] =
      (supplei_written_source){first, plan->parts_taken - first, uri};
  return SUPPLE_OK;
}

/* All parts of one row behind those of another. */
static supple_result append_parts(supplei_plan *plan, supplei_parts *to, const supplei_parts *from) {
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < from->count && !result; i++)
    result = supplei_parts_add(plan, to, from->items[i].data, from->items[i].size,
                               from->items[i].segment);
  return result;
}

/* ---- the main file ---- */

static void put_u32(unsigned char *to, uint64_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> 8 * i);
}

static uint32_t get_u32(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* Chunks beside JSON and BIN, as they stand; `parts` NULL: only *count is told. */
static supple_result other_chunks(supplei_plan *plan, supplei_parts *parts, uint32_t *count) {
  const supple_document *document = plan->document;
  const unsigned char *bytes = document->file;
  supple_result result = SUPPLE_OK;
  *count = 0;
  if (!document->is_glb) return SUPPLE_OK;
  const size_t length = get_u32(bytes + 8); /* all was checked when it was loaded */
  bool bin = false;
  for (size_t at = GLB_HEADER; length - at >= CHUNK_HEADER && !result;) {
    const size_t size = CHUNK_HEADER + get_u32(bytes + at);
    const bool is_bin = !bin && get_u32(bytes + at + 4) == chunk_bin;
    if (at > GLB_HEADER && !is_bin) {
      ++*count;
      if (parts) result = supplei_parts_add(plan, parts, bytes + at, size, SUPPLE_NONE);
    }
    bin |= is_bin;
    at += size;
  }
  return result;
}

static supple_result main_glb(supplei_plan *plan) {
  static const char spaces[4] = "   ";
  const uint64_t json = (plan->text.size + 3) / 4 * 4, bin = (plan->merged.size + 3) / 4 * 4;
  supplei_parts others = {0};
  uint32_t ignored;
  unsigned char *header = supplei_arena_allocate(&plan->arena, 1, 32);
  if (!header) return supplei_fail_memory(plan->error, 32, "the header of the GLB");
  supple_result result = other_chunks(plan, &others, &ignored);
  const uint64_t total =
      GLB_HEADER + CHUNK_HEADER + json + (bin ? CHUNK_HEADER + bin : 0) + others.size;
  if (!result && total > UINT32_MAX)
    result = supplei_fail(plan->error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                          "the .glb would have %llu bytes, and can have 4 GiB at most: write a "
                          ".gltf",
                          (unsigned long long)total);
  memcpy(header, "glTF", 4);
  put_u32(header + 4, 2);
  put_u32(header + 8, total);
  put_u32(header + 12, json);
  memcpy(header + 16, "JSON", 4);
  put_u32(header + 20, bin);
  memcpy(header + 24, "BIN", 4); /* with its NUL */
  supplei_parts *parts = &plan->parts;
  if (!result) result = supplei_parts_add(plan, parts, header, 20, SUPPLE_NONE);
  if (!result)
    result = supplei_parts_add(plan, parts, plan->text.data, plan->text.size, SUPPLE_NONE);
  if (!result) result = supplei_parts_add(plan, parts, spaces, json - plan->text.size, SUPPLE_NONE);
  if (!result && bin) {
    result = supplei_parts_add(plan, parts, header + 20, 8, SUPPLE_NONE);
    if (!result) result = append_parts(plan, parts, &plan->merged);
    if (!result) result = supplei_parts_align(plan, parts);
  }
  if (!result) result = append_parts(plan, parts, &others);
  supplei_release(&plan->allocator, others.items, others.capacity, sizeof *others.items);
  return result ? result
                : supplei_plan_file(plan, (supple_written_file){.size = total}, SUPPLE_NONE);
}

/* ---- a data URI ---- */

typedef struct base64 {
  supplei_output *output;
  unsigned char rest[3];
  size_t count;
} base64;

static void put_group(base64 *b, size_t count) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const uint32_t bits = (uint32_t)b->rest[0] << 16 | (uint32_t)b->rest[1] << 8 | b->rest[2];
  char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63],
                  digits[bits & 63]};
  if (count < 3) text[3] = '=';
  if (count < 2) text[2] = '=';
  supplei_output_put(b->output, text, 4);
}

static supple_result put_base64(void *user, const void *data, size_t size) {
  base64 *b = user;
  const unsigned char *bytes = data;
  for (size_t i = 0; i < size; i++) {
    b->rest[b->count++] = bytes[i];
    if (b->count < 3) continue;
    put_group(b, 3);
    b->count = 0;
  }
  return b->output->failed ? SUPPLE_ERROR_MEMORY : SUPPLE_OK;
}

/* ---- copying ---- */

typedef supple_result write_function(void *user, const void *data, size_t size);

static supple_result write_failed(supple_error *error, supple_result result) {
  return supplei_fail(error, result, NULL, SIZE_MAX, "the writing failed: %s",
                      supple_result_text(result));
}

static supple_result copy_zeros(uint64_t size, write_function *write, void *user) {
  static const unsigned char zeros[256];
  supple_result result = SUPPLE_OK;
  for (uint64_t left = size; left && !result;) {
    const size_t n = left < sizeof zeros ? (size_t)left : sizeof zeros;
    result = write(user, zeros, n);
    left -= n;
  }
  return result;
}

/* Pulls a segment by pieces of about a megabyte. */
static supple_result copy_segment(const supplei_plan *plan, uint32_t index, write_function *write,
                                  void *user, supple_error *error) {
  enum { PIECE = 1 << 20 };
  const supplei_segment *segment = &plan->document->segments[index];
  const uint64_t most = PIECE / segment->stride ? PIECE / segment->stride : 1;
  const uint64_t piece = most < segment->count ? most : segment->count;
  const size_t bytes = (size_t)piece * segment->stride;
  unsigned char *memory = supplei_allocate(&plan->allocator, bytes, 1);
  if (!memory) return supplei_fail_memory(error, bytes, "new data");
  supple_result result = SUPPLE_OK;
  for (uint64_t first = 0; first < segment->count && !result; first += piece) {
    const uint64_t left = segment->count - first, count = left < piece ? left : piece;
    result = supplei_segment_pull(segment, first, count, memory);
    if (result)
      supplei_fail(error, result, NULL, SIZE_MAX, "new data could not be had: %s",
                   supple_result_text(result));
    else if ((result = write(user, memory, (size_t)count * segment->stride)))
      write_failed(error, result);
  }
  supplei_release(&plan->allocator, memory, bytes, 1);
  return result;
}

static supple_result copy_parts(const supplei_plan *plan, const supplei_part *parts, uint32_t count,
                                write_function *write, void *user, supple_error *error) {
  for (uint32_t i = 0; i < count; i++) {
    const supplei_part *part = &parts[i];
    supple_result result;
    if (!part->data && part->segment != SUPPLE_NONE)
      result = copy_segment(plan, part->segment, write, user, error);
    else if ((result = part->data ? write(user, part->data, (size_t)part->size)
                                  : copy_zeros(part->size, write, user)))
      write_failed(error, result);
    if (result) return result;
  }
  return SUPPLE_OK;
}

supple_result supple_written_copy(supple_written *written, uint32_t file,
                                  supple_result (*write)(void *user, const void *data, size_t size),
                                  void *user, supple_error *error) {
  const supplei_plan *plan = (const supplei_plan *)written;
  if (file >= plan->file_count || !write)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX, "there is no file %u",
                        (unsigned)file);
  const supplei_written_source *source = &plan->sources[file];
  if (source->uri == SUPPLE_NONE)
    return copy_parts(plan, plan->parts.items + source->first, source->count, write, user, error);
  const unsigned char *data;
  size_t size;
  supple_result result = supplei_document_resource(plan->document, source->uri, &data, &size, error);
  if (!result && size && (result = write(user, data, size))) write_failed(error, result);
  return result;
}

/* ---- laying out ---- */

/* Whether the name ends so, in any case. */
static bool ends_with(const char *name, const char *ending) {
  const size_t length = strlen(name), n = strlen(ending);
  if (length < n) return false;
  for (size_t i = 0; i < n; i++) {
    const char c = name[length - n + i];
    if ((c >= 'A' && c <= 'Z' ? (char)(c + 32) : c) != ending[i]) return false;
  }
  return true;
}

static void choose_container(supplei_plan *plan) {
  const supple_document *document = plan->document;
  plan->name = plan->options->name ? plan->options->name : document->name;
  if (!plan->name || !plan->name[0]) plan->name = document->is_glb ? "asset.glb" : "asset.gltf";
  plan->to_glb =
      ends_with(plan->name, ".glb") || (document->is_glb && !ends_with(plan->name, ".gltf"));
  plan->verbatim = plan->to_glb == document->is_glb && !supplei_document_changed(document);
}

/* Whether what is put in goes into the JSON: every other buffer is there. */
static bool wants_data_uri(const supplei_plan *plan) {
  const supple_document *document = plan->document;
  const uint32_t count = supplei_document_table_count(document, "buffers");
  bool any = false;
  if (document->is_glb) return false;
  for (uint32_t i = 0; i < count; i++) {
    const supplei_buffer_kind kind = supplei_buffer_kind_of(document, i);
    if (kind == SUPPLEI_BUFFER_FILE) return false;
    any |= kind == SUPPLEI_BUFFER_DATA;
  }
  return any || document->pruned_data_uris;
}

static supple_result set_data_uri(supplei_plan *plan, uint32_t keeper) {
  supplei_output text = {.allocator = plan->allocator};
  base64 b = {.output = &text};
  supplei_output_text(&text, "\"data:application/octet-stream;base64,");
  supple_result result =
      copy_parts(plan, plan->merged.items, plan->merged.count, put_base64, &b, plan->error);
  if (b.count) {
    memset(b.rest + b.count, 0, 3 - b.count);
    put_group(&b, b.count);
  }
  supplei_output_put(&text, "\"", 2);
  if (!result && text.failed)
    result = supplei_fail_memory(plan->error, text.capacity, "a data URI");
  if (!result && text.size >= UINT32_MAX)
    result = supplei_fail(plan->error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                          "the new data is too large for a data URI: write a .glb");
  if (!result)
    result = supplei_tree_set(&plan->shadow.tree, keeper, "uri", text.data, NULL, plan->error);
  supplei_output_release(&text);
  return result;
}

/* The merged buffer of a .gltf: a file of its own, listed last, or a data URI. */
static supple_result give_uri(supplei_plan *plan, uint32_t keeper, const char **bin_name) {
  if (keeper == SUPPLE_NONE || plan->to_glb) return SUPPLE_OK;
  if (wants_data_uri(plan)) return set_data_uri(plan, keeper);
  const char *uri;
  const supple_result result = supplei_plan_bin_name(plan, bin_name, &uri);
  return result ? result
                : supplei_tree_set_string(&plan->shadow.tree, keeper, "uri", uri, plan->error);
}

/* The names are listed first, for the new one to differ from them; the main file is the first of all. */
static supple_result lay_out_changed(supplei_plan *plan) {
  uint32_t keeper = SUPPLE_NONE;
  const char *bin_name = NULL;
  supple_result result = supplei_tree_copy(&plan->shadow.tree, &plan->document->tree, plan->error);
  if (result) return result;
  plan->has_shadow = true;
  result = supplei_plan_buffers(plan, &keeper);
  if (!result && keeper != SUPPLE_NONE && plan->to_glb)
    result = supplei_tree_remove_member(&plan->shadow.tree, keeper, "uri", plan->error);
  if (!result) result = supplei_plan_names(plan);
  if (!result) result = give_uri(plan, keeper, &bin_name);
  if (!result) result = supplei_tree_write(&plan->shadow.tree, &plan->text, plan->error);
  const uint32_t named = plan->file_count;
  if (!result && plan->to_glb) {
    result = main_glb(plan);
  } else if (!result) {
    result = supplei_parts_add(plan, &plan->parts, plan->text.data, plan->text.size, SUPPLE_NONE);
    if (!result)
      result = supplei_plan_file(plan, (supple_written_file){.size = plan->text.size}, SUPPLE_NONE);
  }
  if (!result && bin_name) {
    result = append_parts(plan, &plan->parts, &plan->merged);
    if (!result)
      result = supplei_plan_file(
          plan, (supple_written_file){.name = bin_name, .size = plan->merged.size}, SUPPLE_NONE);
  }
  if (result) return result;
  /* From [named…, main, bin] to [main, bin, named…]. */
  supple_written_file files[2];
  supplei_written_source sources[2];
  const uint32_t made = plan->file_count - named;
  memcpy(files, plan->files + named, made * sizeof *files);
  memcpy(sources, plan->sources + named, made * sizeof *sources);
  memmove(plan->files + made, plan->files, named * sizeof *files);
  memmove(plan->sources + made, plan->sources, named * sizeof *sources);
  memcpy(plan->files, files, made * sizeof *files);
  memcpy(plan->sources, sources, made * sizeof *sources);
  return SUPPLE_OK;
}

static supple_result lay_out(supplei_plan *plan) {
  supple_document *document = plan->document;
  uint32_t dropped = 0;
  choose_container(plan);
  plan->shadow = *document;
  if (!plan->verbatim) {
    supple_result result = lay_out_changed(plan);
    if (!result && !plan->to_glb) result = other_chunks(plan, NULL, &dropped);
    plan->written.dropped_chunks = dropped;
    return result;
  }
  supple_result result =
      supplei_parts_add(plan, &plan->parts, document->file, document->file_size, SUPPLE_NONE);
  if (!result)
    result =
        supplei_plan_file(plan, (supple_written_file){.size = document->file_size}, SUPPLE_NONE);
  return result ? result : supplei_plan_names(plan);
}

supple_written *supple_document_write(supple_document *document,
                                      const supple_write_options *options, supple_error *error) {
  static const supple_write_options none = {0};
  if (error) memset(error, 0, sizeof *error);
  supplei_plan *plan = supplei_allocate_zero(&document->allocator, 1, sizeof *plan);
  if (!plan) {
    supplei_fail_memory(error, sizeof *plan, "a plan of the files");
    return NULL;
  }
  plan->document = document;
  plan->allocator = document->allocator;
  plan->options = options ? options : &none;
  plan->error = error;
  plan->text.allocator = document->allocator;
  supplei_arena_init(&plan->arena, &plan->allocator, 0);
  const supple_result result = lay_out(plan);
  if (plan->has_shadow) supplei_tree_release(&plan->shadow.tree);
  supplei_release(&plan->allocator, plan->merged.items, plan->merged.capacity,
                  sizeof *plan->merged.items);
  plan->merged = (supplei_parts){0};
  plan->written.files = plan->files;
  plan->written.file_count = plan->file_count;
  if (!result) return &plan->written;
  supple_written_free(&plan->written);
  return NULL;
}

void supple_written_free(supple_written *written) {
  if (!written) return;
  supplei_plan *plan = (supplei_plan *)written;
  const supple_allocator allocator = plan->allocator;
  supplei_output_release(&plan->text);
  supplei_release(&allocator, plan->parts.items, plan->parts.capacity, sizeof *plan->parts.items);
  supplei_release(&allocator, plan->files, plan->file_capacity, sizeof *plan->files);
  supplei_release(&allocator, plan->sources, plan->source_capacity, sizeof *plan->sources);
  supplei_arena_free(&plan->arena);
  supplei_release(&allocator, plan, 1, sizeof *plan);
}
