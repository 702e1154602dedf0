/* write_buffers.c: one buffer made of many: for a .glb, and for bytes that were put in. */
#include "../base/prologue.h"

#include "write_plan.h"

#include <stdio.h>
#include <string.h>

/* What becomes of a buffer. */
typedef struct buffer_fate {
  bool merged;
  uint32_t index;  /* its number afterwards */
  uint64_t offset; /* of its bytes in the merged one */
} buffer_fate;

typedef struct merger {
  supplei_plan *plan;
  supplei_tree *tree; /* the shadow's */
  buffer_fate *fates;
  uint32_t count;
  uint32_t place; /* of the merged buffer afterwards */
  uint32_t first; /* the first that is merged, or SUPPLE_NONE */
} merger;

/* ---- which ---- */

static bool is_merged(const supplei_plan *plan, supplei_buffer_kind kind) {
  if (kind == SUPPLEI_BUFFER_BIN || kind == SUPPLEI_BUFFER_NEW) return true;
  return kind != SUPPLEI_BUFFER_NONE && plan->to_glb && !plan->document->is_glb;
}

static void decide(merger *m) {
  const supplei_plan *plan = m->plan;
  m->first = SUPPLE_NONE;
  for (uint32_t i = 0; i < m->count; i++) {
    m->fates[i].merged = is_merged(plan, supplei_buffer_kind_of(plan->document, i));
    if (m->fates[i].merged && m->first == SUPPLE_NONE) m->first = i;
  }
  m->place = plan->to_glb || m->first == SUPPLE_NONE ? 0 : m->first;
  const bool front = plan->to_glb && m->first != SUPPLE_NONE;
  uint32_t next = front ? 1 : 0;
  for (uint32_t i = 0; i < m->count; i++) {
    buffer_fate *fate = &m->fates[i];
    if (!fate->merged) {
      fate->index = next++;
      continue;
    }
    fate->index = m->place;
    if (!front && i == m->first) next++;
  }
}

/* ---- the bytes ---- */

static supple_result add_segments(supplei_plan *plan) {
  const supple_document *document = plan->document;
  const uint64_t base = plan->merged.size;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < document->segment_count && !result; i++) {
    const supplei_segment *segment = &document->segments[i];
    const uint64_t gap = base + segment->offset - plan->merged.size;
    if (gap) result = supplei_parts_add(plan, &plan->merged, NULL, gap, SUPPLE_NONE);
    if (!result) result = supplei_parts_add(plan, &plan->merged, segment->data, segment->size, i);
  }
  return result;
}

static supple_result add_bytes(merger *m, uint32_t index) {
  supplei_plan *plan = m->plan;
  supple_document *document = plan->document;
  supple_result result = supplei_parts_align(plan, &plan->merged);
  m->fates[index].offset = plan->merged.size;
  if (result) return result;
  if (supplei_buffer_kind_of(document, index) == SUPPLEI_BUFFER_NEW) return add_segments(plan);
  const unsigned char *data = NULL;
  uint64_t size = 0;
  result = supplei_document_need(document, supplei_document_item(document, "buffers", index),
                                 "byteLength", 1, UINT64_C(1) << 53, &size, plan->error);
  if (!result) result = supplei_document_bytes(document, index, 0, size, &data, plan->error);
  return result ? result : supplei_parts_add(plan, &plan->merged, data, size, SUPPLE_NONE);
}

/* ---- the views ---- */

/* Moves what names a buffer and an offset in it: a view, or the extension that compresses one. */
static supple_result move_reference(merger *m, uint32_t object) {
  supplei_tree *tree = m->tree;
  uint64_t buffer, offset = 0;
  if (!supplei_tree_unsigned(tree, supplei_tree_member(tree, object, "buffer"), SUPPLE_NONE - 1,
                             &buffer) ||
      buffer >= m->count)
    return SUPPLE_OK; /* wrong before, and wrong after */
  const buffer_fate *fate = &m->fates[buffer];
  supple_result result =
      supplei_tree_set_unsigned(tree, object, "buffer", fate->index, m->plan->error);
  if (result || !fate->offset) return result;
  const uint32_t value = supplei_tree_member(tree, object, "byteOffset");
  if (value != SUPPLE_NONE && !supplei_tree_unsigned(tree, value, UINT64_C(1) << 53, &offset))
    return SUPPLE_OK;
  return supplei_tree_set_unsigned(tree, object, "byteOffset", offset + fate->offset,
                                   m->plan->error);
}

static supple_result move_views(merger *m) {
  static const char *const codecs[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
  const uint32_t count = supplei_document_table_count(&m->plan->shadow, "bufferViews");
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++) {
    const uint32_t view = supplei_document_item(&m->plan->shadow, "bufferViews", i);
    result = move_reference(m, view);
    for (int k = 0; k < 2 && !result; k++) {
      const uint32_t codec = supplei_document_extension(m->tree, view, codecs[k]);
      if (codec != SUPPLE_NONE) result = move_reference(m, codec);
    }
  }
  return result;
}

/* ---- images ---- */

static const char *sniff(const unsigned char *data, size_t size) {
  static const struct {
    const char *type, *magic;
    size_t at, length;
  } kinds[] = {{"image/png", "\x89PNG\r\n\x1a\n", 0, 8},
               {"image/jpeg", "\xFF\xD8\xFF", 0, 3},
               {"image/webp", "WEBP", 8, 4},
               {"image/ktx2", "\xABKTX 20\xBB", 0, 8},
               {"image/avif", "ftypavif", 4, 8},
               {"image/vnd-ms.dds", "DDS ", 0, 4}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (size >= kinds[i].at + kinds[i].length &&
        memcmp(data + kinds[i].at, kinds[i].magic, kinds[i].length) == 0)
      return kinds[i].type;
  return NULL;
}

/* The type that the file or the data URI names, into type[64]; "" where there is none. */
static void named_type(const char *uri, char *type) {
  type[0] = 0;
  if (!supplei_document_is_data(uri)) return;
  const size_t length = strcspn(uri + 5, ";,");
  if (length == 0 || length >= 64) return;
  memcpy(type, uri + 5, length);
  type[length] = 0;
}

static supple_result image_view(merger *m, uint64_t offset, uint64_t size, uint32_t *view) {
  supplei_tree *tree = m->tree;
  char json[120];
  uint32_t views = supplei_tree_member(tree, 0, "bufferViews");
  supple_result result = SUPPLE_OK;
  if (views == SUPPLE_NONE)
    result = supplei_tree_set(tree, 0, "bufferViews", "[]", &views, m->plan->error);
  if (result) return result;
  snprintf(json, sizeof json, "{\"buffer\":%u,\"byteOffset\":%llu,\"byteLength\":%llu}",
           (unsigned)m->place, (unsigned long long)offset, (unsigned long long)size);
  *view = tree->values[views].count;
  return supplei_tree_insert(tree, views, SUPPLE_NONE, json, NULL, m->plan->error);
}

/* Takes an image in; one that cannot be had, or is of no known type, stays as it is. */
static supple_result take_image(merger *m, uint32_t image) {
  supplei_plan *plan = m->plan;
  supplei_tree *tree = m->tree;
  const uint32_t uri = supplei_tree_member(tree, image, "uri");
  const char *text = supplei_tree_string(tree, uri);
  const unsigned char *data = NULL;
  size_t size = 0;
  char type[64];
  uint32_t view;
  if (!text || (plan->options->keep_images && !supplei_document_is_data(text))) return SUPPLE_OK;
  supple_error ignored = {0};
  supple_result result = supplei_document_resource(plan->document, uri, &data, &size, &ignored);
  if (result == SUPPLE_ERROR_MEMORY || result == SUPPLE_ERROR_LIMIT)
    return supplei_fail(plan->error, result, ignored.pointer, SIZE_MAX, "%s", ignored.message);
  if (result || !size) return SUPPLE_OK;
  const bool has_type = supplei_tree_member(tree, image, "mimeType") != SUPPLE_NONE;
  const char *found = sniff(data, size);
  named_type(text, type);
  if (!found && type[0]) found = type;
  if (!found && !has_type) return SUPPLE_OK;
  result = supplei_parts_align(plan, &plan->merged);
  if (!result) result = image_view(m, plan->merged.size, size, &view);
  if (!result) result = supplei_parts_add(plan, &plan->merged, data, size, SUPPLE_NONE);
  if (!result) result = supplei_tree_remove(tree, uri, plan->error);
  if (!result) result = supplei_tree_set_unsigned(tree, image, "bufferView", view, plan->error);
  if (!result && !has_type)
    result = supplei_tree_set_string(tree, image, "mimeType", found, plan->error);
  return result;
}

static supple_result take_images(merger *m) {
  const uint32_t count = supplei_document_table_count(&m->plan->shadow, "images");
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    result = take_image(m, supplei_document_item(&m->plan->shadow, "images", i));
  return result;
}

/* ---- the array of buffers ---- */

/* Takes the merged buffers but the first out, and brings that to its place. */
static supple_result update_buffers(merger *m, uint32_t *keeper) {
  supplei_plan *plan = m->plan;
  supplei_tree *tree = m->tree;
  uint32_t buffers = supplei_tree_member(tree, 0, "buffers");
  supple_result result = SUPPLE_OK;
  *keeper = SUPPLE_NONE;
  if (!plan->merged.size) return SUPPLE_OK;
  for (uint32_t i = m->count; i-- > 0 && !result;)
    if (m->fates[i].merged && i != m->first)
      result = supplei_tree_remove(tree, supplei_tree_child(tree, buffers, i), plan->error);
  if (!result && buffers == SUPPLE_NONE)
    result = supplei_tree_set(tree, 0, "buffers", "[]", &buffers, plan->error);
  if (result) return result;
  if (m->first != SUPPLE_NONE && m->first != m->place)
    result = supplei_tree_remove(tree, supplei_tree_child(tree, buffers, m->first), plan->error);
  if (!result && (m->first == SUPPLE_NONE || m->first != m->place))
    result = supplei_tree_insert(tree, buffers, m->place, "{\"byteLength\":1}", NULL, plan->error);
  if (result) return result;
  *keeper = supplei_tree_child(tree, buffers, m->place);
  return supplei_tree_set_unsigned(tree, *keeper, "byteLength", plan->merged.size, plan->error);
}

supple_result supplei_plan_buffers(supplei_plan *plan, uint32_t *keeper) {
  supplei_tree *tree = &plan->shadow.tree;
  merger m = {.plan = plan, .tree = tree};
  m.count = supplei_document_table_count(plan->document, "buffers");
  m.fates = supplei_arena_allocate(&plan->arena, m.count, sizeof *m.fates);
  if (!m.fates) return supplei_fail_memory(plan->error, m.count * sizeof *m.fates, "the buffers");
  decide(&m);
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < m.count && !result; i++)
    if (m.fates[i].merged) result = add_bytes(&m, i);
  if (!result) result = move_views(&m);
  /* The new buffer must be the first; without one to grow, others would have to move: images stay. */
  const bool can_take = m.first != SUPPLE_NONE || m.count == 0;
  if (!result && plan->to_glb && !plan->document->is_glb && can_take) result = take_images(&m);
  return result ? result : update_buffers(&m, keeper);
}
