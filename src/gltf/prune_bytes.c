/* prune_bytes.c: taking bytes out of buffers that no view refers to. */
#include "../base/prologue.h"

#include "prune_bytes.h"

#include "../base/merge_sort.h"

#include <string.h>

/* Bytes of a buffer that something refers to: from a multiple of four. */
typedef struct used_range {
  uint64_t begin, end;
  uint64_t moved; /* where it begins afterwards */
} used_range;

/* Who refers to bytes: a view, or the extension that compresses one. */
typedef struct byte_user {
  uint32_t value, buffer;
  uint64_t begin, end;
} byte_user;

/* What becomes of a buffer. */
typedef struct byte_buffer {
  uint32_t value;
  supplei_buffer_kind kind;
  uint64_t size;
  used_range *ranges; /* ascending, apart */
  uint32_t count;
  bool moved; /* its ranges go into the new buffer */
} byte_buffer;

typedef struct mover {
  supple_document *document;
  supplei_tree *tree;
  supple_error *error;
  supplei_arena arena;
  byte_buffer *buffers;
  uint32_t buffer_count;
  byte_user *users;
  uint32_t user_count;
  supplei_segment *segments; /* of the new buffer afterwards */
  uint32_t segment_count, segment_capacity;
  uint32_t kept_count; /* of segments: those that it had before come first */
  uint64_t size;       /* of all */
} mover;

static supple_result no_memory(const mover *m) {
  return supplei_fail_memory(m->error, 64 * (size_t)m->user_count, "the views");
}

/* ---- who uses what ---- */

static supple_result add_user(mover *m, uint32_t value) {
  const supple_document *document = m->document;
  uint64_t buffer = 0, offset = 0, length = 0;
  supple_result result =
      supplei_document_need(document, value, "buffer", 0, SUPPLE_NONE - 1, &buffer, m->error);
  if (!result)
    result = supplei_document_need(document, value, "byteLength", 0, UINT64_C(1) << 53, &length,
                                   m->error);
  if (!result)
    result = supplei_document_unsigned(document, value, "byteOffset", 0, UINT64_C(1) << 53, &offset,
                                       m->error);
  if (result) return result;
  if (buffer >= m->buffer_count || offset > m->buffers[buffer].size ||
      length > m->buffers[buffer].size - offset)
    return supplei_tree_fail(m->tree, value, m->error, SUPPLE_ERROR_FORMAT,
                             "lies outside its buffer");
  m->users[m->user_count++] = (byte_user){value, (uint32_t)buffer, offset, offset + length};
  return SUPPLE_OK;
}

static supple_result find_users(mover *m) {
  static const char *const codecs[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  const uint32_t views = supplei_document_table_count(m->document, "bufferViews");
  m->users = supplei_arena_allocate(&m->arena, views, 3 * sizeof *m->users);
  if (!m->users) return no_memory(m);
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < views && !result; i++) {
    const uint32_t view = supplei_document_item(m->document, "bufferViews", i);
    result = add_user(m, view);
    for (int k = 0; k < 2 && !result; k++) {
      const uint32_t codec = supplei_document_extension(m->tree, view, codecs[k]);
      if (codec != SUPPLE_NONE) result = add_user(m, codec);
    }
  }
  return result;
}

static supple_result find_buffers(mover *m) {
  m->buffer_count = supplei_document_table_count(m->document, "buffers");
  m->buffers = supplei_arena_allocate(&m->arena, m->buffer_count, sizeof *m->buffers);
  if (!m->buffers) return no_memory(m);
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < m->buffer_count && !result; i++) {
    byte_buffer *buffer = &m->buffers[i];
    buffer->value = supplei_document_item(m->document, "buffers", i);
    buffer->kind = supplei_buffer_kind_of(m->document, i);
    result = supplei_document_need(m->document, buffer->value, "byteLength", 0, UINT64_C(1) << 53,
                                   &buffer->size, m->error);
  }
  return result;
}

/* ---- ranges ---- */

static int compare_users(const void *context, uint64_t a, uint64_t b) {
  const byte_user *x = (const byte_user *)context + a, *y = (const byte_user *)context + b;
  if (x->buffer != y->buffer) return x->buffer < y->buffer ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static supple_result find_ranges(mover *m) {
  uint64_t *order = supplei_arena_allocate(&m->arena, m->user_count, 2 * sizeof *order);
  used_range *ranges = supplei_arena_allocate(&m->arena, m->user_count, sizeof *ranges);
  if (!order || !ranges) return no_memory(m);
  for (uint32_t i = 0; i < m->user_count; i++) order[i] = i;
  supplei_merge_sort(order, order + m->user_count, m->user_count, compare_users, m->users);
  for (uint32_t i = 0; i < m->user_count; i++) {
    const byte_user *user = &m->users[order[i]];
    byte_buffer *buffer = &m->buffers[user->buffer];
    const uint64_t begin = user->begin / 4 * 4;
    used_range *last = buffer->count ? &buffer->ranges[buffer->count - 1] : NULL;
    if (last && begin <= (last->end + 3) / 4 * 4) {
      if (user->end > last->end) last->end = user->end;
      continue;
    }
    if (!buffer->count) buffer->ranges = ranges + i;
    buffer->ranges[buffer->count++] = (used_range){.begin = begin, .end = user->end};
  }
  return SUPPLE_OK;
}

/* Whether a buffer has bytes to spare, padding to a multiple of four aside. */
static bool has_holes(const byte_buffer *buffer) {
  uint64_t used = 0;
  if (buffer->kind == SUPPLEI_BUFFER_NONE || !buffer->count) return false;
  for (uint32_t i = 0; i < buffer->count; i++)
    used += (buffer->ranges[i].end - buffer->ranges[i].begin + 3) / 4 * 4;
  return used < buffer->size / 4 * 4;
}

/* ---- moving ---- */

static void add_segment(mover *m, supplei_segment segment) {
  segment.offset = (m->size + 3) / 4 * 4;
  m->segments[m->segment_count++] = segment;
  m->size = segment.offset + segment.size;
}

/* The new buffer keeps the segments that are used, each as a whole. */
static void keep_segments(mover *m, const byte_buffer *buffer) {
  const supple_document *document = m->document;
  uint32_t r = 0;
  for (uint32_t i = 0; i < document->segment_count; i++) {
    const supplei_segment *segment = &document->segments[i];
    const uint64_t end = segment->offset + segment->size;
    while (r < buffer->count && buffer->ranges[r].end <= segment->offset) r++;
    if (r == buffer->count || buffer->ranges[r].begin >= end) continue;
    supplei_segment kept = *segment;
    kept.origin = segment->offset;
    add_segment(m, kept);
    m->kept_count++;
  }
}

/* Where a byte of the new buffer goes: with its segment. */
static uint64_t moved_in_new(const mover *m, uint64_t at) {
  const supple_document *document = m->document;
  uint32_t low = 0, high = document->segment_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (document->segments[middle].offset <= at)
      low = middle;
    else
      high = middle;
  }
  const supplei_segment *old = &document->segments[low];
  low = 0, high = m->kept_count; /* the kept ones stand first, in the same order */
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (m->segments[middle].origin < old->offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low < m->kept_count ? m->segments[low].offset + (at - old->offset) : at;
}

static supple_result move_ranges(mover *m, uint32_t index) {
  byte_buffer *buffer = &m->buffers[index];
  for (uint32_t i = 0; i < buffer->count; i++) {
    used_range *range = &buffer->ranges[i];
    const unsigned char *data = NULL;
    const uint64_t size = range->end - range->begin;
    const supple_result result =
        supplei_document_bytes(m->document, index, range->begin, size, &data, m->error);
    if (result) return result;
    add_segment(m, (supplei_segment){.size = size, .data = data});
    range->moved = m->segments[m->segment_count - 1].offset;
  }
  return SUPPLE_OK;
}

static uint64_t moved_in_range(const byte_buffer *buffer, uint64_t at) {
  uint32_t low = 0, high = buffer->count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (buffer->ranges[middle].begin <= at)
      low = middle;
    else
      high = middle;
  }
  return buffer->ranges[low].moved + (at - buffer->ranges[low].begin);
}

static supple_result set_offset(const mover *m, uint32_t object, uint64_t offset) {
  if (!offset && supplei_tree_member(m->tree, object, "byteOffset") == SUPPLE_NONE)
    return SUPPLE_OK;
  return supplei_tree_set_unsigned(m->tree, object, "byteOffset", offset, m->error);
}

/* Tells views where their bytes are; the buffers that were emptied are still there. */
static supple_result move_users(const mover *m, uint32_t keeper) {
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < m->user_count && !result; i++) {
    const byte_user *user = &m->users[i];
    const byte_buffer *buffer = &m->buffers[user->buffer];
    const bool is_new = buffer->kind == SUPPLEI_BUFFER_NEW;
    if (!buffer->moved && !is_new) continue;
    result = set_offset(m, user->value,
                        is_new ? moved_in_new(m, user->begin) : moved_in_range(buffer, user->begin));
    if (!result)
      result = supplei_tree_set_unsigned(m->tree, user->value, "buffer", keeper, m->error);
  }
  return result;
}

/* Takes the emptied buffers out, and renumbers the others. */
static supple_result drop_buffers(const mover *m, uint32_t keeper) {
  const uint32_t table = supplei_tree_member(m->tree, 0, "buffers");
  uint32_t *places =
      supplei_arena_allocate((supplei_arena *)&m->arena, m->buffer_count, sizeof *places);
  if (!places) return no_memory(m);
  uint32_t next = 0;
  for (uint32_t i = 0; i < m->buffer_count; i++)
    places[i] = m->buffers[i].moved && i != keeper ? SUPPLE_NONE : next++;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < m->user_count && !result; i++) {
    const byte_buffer *buffer = &m->buffers[m->users[i].buffer];
    const bool away = buffer->moved || buffer->kind == SUPPLEI_BUFFER_NEW;
    result = supplei_tree_set_unsigned(m->tree, m->users[i].value, "buffer",
                                       places[away ? keeper : m->users[i].buffer], m->error);
  }
  for (uint32_t i = m->buffer_count; i-- > 0 && !result;)
    if (places[i] == SUPPLE_NONE)
      result = supplei_tree_remove(m->tree, supplei_tree_child(m->tree, table, i), m->error);
  return result;
}

static supple_result move_all(mover *m, uint32_t keeper) {
  supple_document *document = m->document;
  supple_result result = SUPPLE_OK;
  m->segment_capacity = document->segment_count + m->user_count;
  m->segments = supplei_allocate(&document->allocator, m->segment_capacity, sizeof *m->segments);
  if (!m->segments) return no_memory(m);
  for (uint32_t i = 0; i < m->buffer_count; i++)
    if (m->buffers[i].kind == SUPPLEI_BUFFER_NEW) keep_segments(m, &m->buffers[i]);
  for (uint32_t i = 0; i < m->buffer_count && !result; i++)
    if (m->buffers[i].moved) result = move_ranges(m, i);
  const uint32_t value = m->buffers[keeper].value;
  if (!result) result = move_users(m, keeper);
  if (!result) result = drop_buffers(m, keeper);
  if (!result) result = supplei_tree_remove_member(m->tree, value, "uri", m->error);
  return result ? result
                : supplei_tree_set_unsigned(m->tree, value, "byteLength", m->size, m->error);
}

/* ---- as a whole ---- */

/* Releases what no segment needs any more, and takes the new ones over. */
static void take_over(mover *m, uint32_t keeper) {
  supple_document *document = m->document;
  uint32_t k = 0;
  bool data = false, other = false;
  for (uint32_t i = 0; i < document->segment_count; i++) {
    supplei_segment *old = &document->segments[i];
    const bool kept = k < m->kept_count && m->segments[k].origin == old->offset;
    k += kept;
    if (!kept && old->owned)
      supplei_release(&document->allocator, (void *)old->data, old->owned, 1);
  }
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    data |= m->buffers[i].moved && m->buffers[i].kind == SUPPLEI_BUFFER_DATA;
    other |= m->buffers[i].moved && m->buffers[i].kind != SUPPLEI_BUFFER_DATA;
  }
  document->pruned_data_uris |= data && !other;
  supplei_release(&document->allocator, document->segments, document->segment_capacity,
                  sizeof *document->segments);
  document->segments = m->segments;
  document->segment_count = m->segment_count;
  document->segment_capacity = m->segment_capacity;
  document->new_size = m->size;
  document->new_buffer = m->buffers[keeper].value;
}

static supple_result compact(mover *m, uint64_t *bytes) {
  supple_document *document = m->document;
  supple_result result = find_buffers(m);
  if (!result) result = find_users(m);
  if (!result) result = find_ranges(m);
  if (result) return result;
  uint32_t keeper = SUPPLE_NONE;
  uint64_t before = 0;
  bool any = false;
  for (uint32_t i = 0; i < m->buffer_count; i++) {
    byte_buffer *buffer = &m->buffers[i];
    const bool is_new = buffer->kind == SUPPLEI_BUFFER_NEW, holes = has_holes(buffer);
    any |= holes;
    buffer->moved = holes && !is_new;
    if (is_new || (buffer->moved && keeper == SUPPLE_NONE)) keeper = i;
    if (is_new || buffer->moved) before += buffer->size;
  }
  if (!any) return SUPPLE_OK;
  result = move_all(m, keeper);
  if (result) {
    supplei_release(&document->allocator, m->segments, m->segment_capacity, sizeof *m->segments);
    return result;
  }
  take_over(m, keeper);
  *bytes += before - m->size;
  return SUPPLE_OK;
}

supple_result supplei_prune_bytes(supple_document *document, uint64_t *bytes, supple_error *error) {
  mover m = {.document = document, .tree = &document->tree, .error = error};
  supplei_arena_init(&m.arena, &document->allocator, 0);
  const supple_result result = compact(&m, bytes);
  supplei_arena_free(&m.arena);
  return result;
}
