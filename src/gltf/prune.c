/* prune.c: taking out of a document what nothing refers to. */
#include "../base/prologue.h"

#include "prune_bytes.h"
#include "prune_references.h"

#include <stdio.h>
#include <string.h>

typedef struct pruner {
  supple_document *document;
  supplei_tree *tree;
  supple_error *error;
  supplei_arena arena;
  uint32_t counts[SUPPLEI_PRUNE_KINDS];
  uint32_t *places[SUPPLEI_PRUNE_KINDS]; /* SUPPLE_NONE: nothing refers to it; later: its new number */
  uint64_t *waiting; /* kept, and their references not yet looked at: kind, number */
  size_t waiting_count;
  uint32_t *parents; /* of nodes */
  uint32_t unknown;  /* kinds that are left whole */
} pruner;

/* ---- marking ---- */

static void mark(pruner *p, supplei_prune_kind kind, uint32_t index) {
  if (p->places[kind][index] != SUPPLE_NONE) return;
  p->places[kind][index] = 0;
  p->waiting[p->waiting_count++] = (uint64_t)kind << 32 | index;
}

static supple_result mark_reference(void *user, supplei_prune_kind kind, uint32_t value) {
  pruner *p = user;
  uint64_t number;
  if (kind == SUPPLEI_PRUNE_ROOT) {
    const char *pointer = supplei_tree_string(p->tree, value);
    uint32_t index;
    size_t length;
    if (pointer && supplei_prune_pointer(pointer, &kind, &index, &length) && index < p->counts[kind])
      mark(p, kind, index);
    return SUPPLE_OK;
  }
  if (!supplei_tree_unsigned(p->tree, value, SUPPLE_NONE - 1, &number))
    return supplei_tree_fail(p->tree, value, p->error, SUPPLE_ERROR_FORMAT,
                             "must be an index (an integer, 0 or more)");
  if (number >= p->counts[kind])
    return supplei_tree_fail(p->tree, value, p->error, SUPPLE_ERROR_FORMAT,
                             "index %llu, but there are only %u %s", (unsigned long long)number,
                             (unsigned)p->counts[kind], supplei_prune_table(kind));
  mark(p, kind, (uint32_t)number);
  return SUPPLE_OK;
}

static uint32_t item(const pruner *p, supplei_prune_kind kind, uint32_t index) {
  return supplei_document_item(p->document, supplei_prune_table(kind), index);
}

static supple_result follow_all(pruner *p) {
  supple_result result = SUPPLE_OK;
  while (p->waiting_count && !result) {
    const uint64_t next = p->waiting[--p->waiting_count];
    const supplei_prune_kind kind = (supplei_prune_kind)(next >> 32);
    const uint32_t index = (uint32_t)next;
    result = supplei_prune_references(p->tree, kind, item(p, kind, index), mark_reference, p);
    /* Where a joint is depends on all above it. */
    if (!result && kind == SUPPLEI_PRUNE_NODE && p->parents[index] != SUPPLE_NONE)
      mark(p, SUPPLEI_PRUNE_NODE, p->parents[index]);
  }
  return result;
}

static supple_result prepare(pruner *p) {
  size_t total = 0;
  for (int k = 0; k < SUPPLEI_PRUNE_KINDS; k++) {
    const char *table = supplei_prune_table((supplei_prune_kind)k);
    p->counts[k] = supplei_document_table_count(p->document, table);
    total += p->counts[k];
    p->places[k] = supplei_arena_allocate(&p->arena, p->counts[k], sizeof **p->places);
    if (!p->places[k]) return supplei_fail_memory(p->error, 4 * (size_t)p->counts[k], "marks");
    memset(p->places[k], 0xFF, p->counts[k] * sizeof **p->places);
  }
  p->waiting = supplei_arena_allocate(&p->arena, total, sizeof *p->waiting);
  p->parents = supplei_arena_allocate(&p->arena, p->counts[SUPPLEI_PRUNE_NODE], sizeof *p->parents);
  if (!p->waiting || !p->parents) return supplei_fail_memory(p->error, 8 * total, "marks");
  memset(p->parents, 0xFF, p->counts[SUPPLEI_PRUNE_NODE] * sizeof *p->parents);
  for (uint32_t i = 0; i < p->counts[SUPPLEI_PRUNE_NODE]; i++) {
    const uint32_t children =
        supplei_tree_member(p->tree, item(p, SUPPLEI_PRUNE_NODE, i), "children");
    uint64_t child;
    for (uint32_t k = 0, value; (value = supplei_tree_child(p->tree, children, k)) != SUPPLE_NONE;
         k++)
      if (supplei_tree_unsigned(p->tree, value, SUPPLE_NONE - 1, &child) &&
          child < p->counts[SUPPLEI_PRUNE_NODE])
        p->parents[child] = i;
  }
  return SUPPLE_OK;
}

/* Extensions that are listed, and those that stand somewhere all the same. */
static void find_unknown(pruner *p, const char **kept) {
  const supplei_tree *tree = p->tree;
  const uint32_t used = supplei_tree_member(tree, 0, "extensionsUsed");
  *kept = NULL;
  for (uint32_t i = 1; i < tree->count; i++) {
    if (!supplei_value_at(tree, i) || tree->values[i].parent == SUPPLE_NONE) continue;
    const uint32_t parent = tree->values[i].parent;
    const char *name = NULL;
    if (parent == used)
      name = supplei_tree_string(tree, i);
    else if (supplei_tree_is(tree, parent, SUPPLEI_JSON_OBJECT) &&
             strcmp(supplei_tree_key(tree, parent), "extensions") == 0)
      name = supplei_tree_key(tree, i);
    const uint32_t kinds = name ? supplei_prune_unknown(name) : 0;
    if (kinds & ~p->unknown) *kept = name;
    p->unknown |= kinds;
  }
}

/* Of an animation only what moves kept nodes counts; pointers keep what they point to. */
static supple_result mark_animated(pruner *p) {
  const uint32_t count = supplei_document_table_count(p->document, "animations");
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++) {
    const uint32_t channels =
        supplei_tree_member(p->tree, item(p, SUPPLEI_PRUNE_ANIMATION, i), "channels");
    for (uint32_t k = 0, channel;
         !result && (channel = supplei_tree_child(p->tree, channels, k)) != SUPPLE_NONE; k++) {
      const uint32_t target = supplei_tree_member(p->tree, channel, "target");
      const uint32_t extension =
          supplei_document_extension(p->tree, target, "KHR_animation_pointer");
      const uint32_t pointer = supplei_tree_member(p->tree, extension, "pointer");
      if (pointer != SUPPLE_NONE) result = mark_reference(p, SUPPLEI_PRUNE_ROOT, pointer);
    }
  }
  return result;
}

static supple_result mark_used(pruner *p) {
  const uint32_t scenes = supplei_document_table_count(p->document, "scenes");
  supple_result result = supplei_prune_references(p->tree, SUPPLEI_PRUNE_ROOT, 0, mark_reference, p);
  for (uint32_t i = 0; i < scenes && !result; i++)
    result = supplei_prune_references(p->tree, SUPPLEI_PRUNE_SCENE, item(p, SUPPLEI_PRUNE_SCENE, i),
                                      mark_reference, p);
  for (int k = 0; k < SUPPLEI_PRUNE_KINDS; k++) {
    const bool whole = p->unknown >> k & 1 || (k == SUPPLEI_PRUNE_NODE && !scenes);
    for (uint32_t i = 0; whole && i < p->counts[k]; i++) mark(p, (supplei_prune_kind)k, i);
  }
  if (!result) result = mark_animated(p);
  return result ? result : follow_all(p);
}

/* ---- animations ---- */

/* Whether a channel moves a node that goes. */
static bool is_idle(const pruner *p, uint32_t channel) {
  uint64_t node;
  const uint32_t target = supplei_tree_member(p->tree, channel, "target");
  return supplei_tree_unsigned(p->tree, supplei_tree_member(p->tree, target, "node"),
                               SUPPLE_NONE - 1, &node) &&
         node < p->counts[SUPPLEI_PRUNE_NODE] && p->places[SUPPLEI_PRUNE_NODE][node] == SUPPLE_NONE;
}

/* Removes samplers that no channel names, and renumbers. */
static supple_result prune_samplers(pruner *p, uint32_t animation) {
  supplei_tree *tree = p->tree;
  const uint32_t samplers = supplei_tree_member(tree, animation, "samplers");
  const uint32_t channels = supplei_tree_member(tree, animation, "channels");
  if (!supplei_tree_is(tree, samplers, SUPPLEI_JSON_ARRAY)) return SUPPLE_OK;
  const uint32_t count = tree->values[samplers].count;
  uint32_t *places = supplei_arena_allocate(&p->arena, count, sizeof *places), next = 0;
  if (!places) return supplei_fail_memory(p->error, 4 * (size_t)count, "marks");
  uint64_t index;
  for (uint32_t k = 0, channel; (channel = supplei_tree_child(tree, channels, k)) != SUPPLE_NONE;
       k++)
    if (supplei_tree_unsigned(tree, supplei_tree_member(tree, channel, "sampler"), SUPPLE_NONE,
                              &index) &&
        index < count)
      places[index] = 1;
  for (uint32_t i = 0; i < count; i++) places[i] = places[i] ? next++ : SUPPLE_NONE;
  supple_result result = SUPPLE_OK;
  for (uint32_t k = 0, channel;
       !result && (channel = supplei_tree_child(tree, channels, k)) != SUPPLE_NONE; k++)
    if (supplei_tree_unsigned(tree, supplei_tree_member(tree, channel, "sampler"), SUPPLE_NONE,
                              &index) &&
        index < count)
      result = supplei_tree_set_unsigned(tree, channel, "sampler", places[index], p->error);
  for (uint32_t i = count; i-- > 0 && !result;)
    if (places[i] == SUPPLE_NONE)
      result = supplei_tree_remove(tree, supplei_tree_child(tree, samplers, i), p->error);
  return result;
}

static supple_result prune_animations(pruner *p, uint32_t *removed) {
  supplei_tree *tree = p->tree;
  const uint32_t table = supplei_tree_member(tree, 0, "animations");
  supple_result result = SUPPLE_OK;
  if (!supplei_tree_is(tree, table, SUPPLEI_JSON_ARRAY)) return SUPPLE_OK;
  for (uint32_t i = tree->values[table].count; i-- > 0 && !result;) {
    const uint32_t animation = supplei_tree_child(tree, table, i);
    const uint32_t channels = supplei_tree_member(tree, animation, "channels");
    const uint32_t before =
        supplei_tree_is(tree, channels, SUPPLEI_JSON_ARRAY) ? tree->values[channels].count : 0;
    for (uint32_t k = before; k-- > 0 && !result;)
      if (is_idle(p, supplei_tree_child(tree, channels, k)))
        result = supplei_tree_remove(tree, supplei_tree_child(tree, channels, k), p->error);
    if (result) break;
    if (before && !tree->values[channels].count) {
      result = supplei_tree_remove(tree, animation, p->error);
      ++*removed;
    } else if (before) {
      result = prune_samplers(p, animation);
    }
  }
  if (!result && !tree->values[table].count) result = supplei_tree_remove(tree, table, p->error);
  return result;
}

/* Accessors of the animations that are left. */
static supple_result mark_animations(pruner *p) {
  const uint32_t count = supplei_document_table_count(p->document, "animations");
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    result = supplei_prune_references(p->tree, SUPPLEI_PRUNE_ANIMATION,
                                      item(p, SUPPLEI_PRUNE_ANIMATION, i), mark_reference, p);
  return result ? result : follow_all(p);
}

/* ---- renumbering ---- */

static supple_result renumber_pointer(pruner *p, uint32_t value) {
  const char *pointer = supplei_tree_string(p->tree, value);
  supplei_prune_kind kind;
  uint32_t index;
  size_t length;
  if (!pointer || !supplei_prune_pointer(pointer, &kind, &index, &length) ||
      index >= p->counts[kind] || p->places[kind][index] == index)
    return SUPPLE_OK;
  supplei_output text = {.allocator = p->document->allocator};
  char head[40];
  supplei_output quoted = {.allocator = p->document->allocator};
  snprintf(head, sizeof head, "/%s/%u", supplei_prune_table(kind), (unsigned)p->places[kind][index]);
  supplei_output_text(&text, head);
  supplei_output_put(&text, pointer + length, strlen(pointer + length) + 1);
  if (!text.failed) supplei_output_string(&quoted, text.data);
  supplei_output_put(&quoted, "", 1);
  const supple_result result =
      text.failed || quoted.failed
          ? supplei_fail_memory(p->error, strlen(pointer), "a pointer")
          : supplei_tree_replace(p->tree, value, quoted.data, NULL, p->error);
  supplei_output_release(&text);
  supplei_output_release(&quoted);
  return result;
}

static supple_result renumber(void *user, supplei_prune_kind kind, uint32_t value) {
  pruner *p = user;
  uint64_t number;
  char text[16];
  if (kind == SUPPLEI_PRUNE_ROOT) return renumber_pointer(p, value);
  if (!supplei_tree_unsigned(p->tree, value, SUPPLE_NONE - 1, &number) ||
      number >= p->counts[kind] || p->places[kind][number] == number)
    return SUPPLE_OK;
  snprintf(text, sizeof text, "%u", (unsigned)p->places[kind][number]);
  return supplei_tree_replace(p->tree, value, text, NULL, p->error);
}

static supple_result renumber_table(pruner *p, supplei_prune_kind kind) {
  const uint32_t count = supplei_document_table_count(p->document, supplei_prune_table(kind));
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    if (kind >= SUPPLEI_PRUNE_KINDS || p->places[kind][i] != SUPPLE_NONE)
      result = supplei_prune_references(p->tree, kind, item(p, kind, i), renumber, p);
  return result;
}

static supple_result renumber_all(pruner *p) {
  bool moved = false;
  for (int k = 0; k < SUPPLEI_PRUNE_KINDS; k++) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < p->counts[k]; i++)
      if (p->places[k][i] != SUPPLE_NONE) p->places[k][i] = next++;
    moved |= next != p->counts[k];
  }
  if (!moved) return SUPPLE_OK;
  supple_result result = supplei_prune_references(p->tree, SUPPLEI_PRUNE_ROOT, 0, renumber, p);
  for (int k = 0; k <= SUPPLEI_PRUNE_ANIMATION && !result; k++)
    result = renumber_table(p, (supplei_prune_kind)k);
  return result;
}

static supple_result remove_unused(pruner *p, uint32_t removed[SUPPLEI_PRUNE_KINDS]) {
  supplei_tree *tree = p->tree;
  for (int k = 0; k < SUPPLEI_PRUNE_KINDS; k++) {
    const uint32_t table = supplei_tree_member(tree, 0, supplei_prune_table((supplei_prune_kind)k));
    supple_result result = SUPPLE_OK;
    for (uint32_t i = p->counts[k]; i-- > 0 && !result;)
      if (p->places[k][i] == SUPPLE_NONE) {
        result = supplei_tree_remove(tree, supplei_tree_child(tree, table, i), p->error);
        removed[k]++;
      }
    if (!result && removed[k] && removed[k] == p->counts[k])
      result = supplei_tree_remove(tree, table, p->error);
    if (result) return result;
  }
  return SUPPLE_OK;
}

/* ---- as a whole ---- */

/* Where the buffer of the BIN chunk is gone, the one that is first now (the fallback of compressed views, say) does not
 * stand for that chunk. */
static void forget_bin(supple_document *document) {
  if (!supplei_value_at(&document->tree, document->bin_buffer)) document->bin_buffer = SUPPLE_NONE;
}

static supple_result prune(pruner *p, supple_pruned *pruned) {
  uint32_t removed[SUPPLEI_PRUNE_KINDS] = {0};
  supple_result result = prepare(p);
  if (!result) result = mark_used(p);
  if (!result) result = prune_animations(p, &pruned->animations);
  if (!result) result = mark_animations(p);
  for (uint32_t i = 0; i < p->counts[SUPPLEI_PRUNE_BUFFER] && !result; i++) {
    uint64_t size;
    if (p->places[SUPPLEI_PRUNE_BUFFER][i] == SUPPLE_NONE &&
        supplei_tree_unsigned(
            p->tree, supplei_tree_member(p->tree, item(p, SUPPLEI_PRUNE_BUFFER, i), "byteLength"),
            UINT64_C(1) << 53, &size))
      pruned->bytes += size;
  }
  if (!result) result = renumber_all(p);
  if (!result) result = remove_unused(p, removed);
  pruned->accessors = removed[SUPPLEI_PRUNE_ACCESSOR];
  pruned->views = removed[SUPPLEI_PRUNE_VIEW];
  pruned->buffers = removed[SUPPLEI_PRUNE_BUFFER];
  pruned->meshes = removed[SUPPLEI_PRUNE_MESH];
  pruned->skins = removed[SUPPLEI_PRUNE_SKIN];
  pruned->materials = removed[SUPPLEI_PRUNE_MATERIAL];
  pruned->textures = removed[SUPPLEI_PRUNE_TEXTURE];
  pruned->images = removed[SUPPLEI_PRUNE_IMAGE];
  pruned->samplers = removed[SUPPLEI_PRUNE_SAMPLER];
  pruned->cameras = removed[SUPPLEI_PRUNE_CAMERA];
  pruned->nodes = removed[SUPPLEI_PRUNE_NODE];
  if (!result && !(p->unknown >> SUPPLEI_PRUNE_BUFFER & 1))
    result = supplei_prune_bytes(p->document, &pruned->bytes, p->error);
  return result;
}

supple_result supple_document_prune(supple_document *document, supple_pruned *pruned,
                                    const char **kept, supple_error *error) {
  supple_pruned counted = {0};
  const char *extension = NULL;
  pruner p = {.document = document, .tree = &document->tree, .error = error};
  supplei_arena_init(&p.arena, &document->allocator, 0);
  find_unknown(&p, &extension);
  const supplei_document_mark begun = supplei_document_begin(document);
  supple_result result = prune(&p, &counted);
  result = supplei_document_end(document, &begun, result);
  supplei_arena_free(&p.arena);
  if (result) return result;
  forget_bin(document);
  if (pruned) *pruned = counted;
  if (kept) *kept = extension;
  return SUPPLE_OK;
}
