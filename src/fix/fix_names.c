/* fix_names.c: joints' names present, unique, and such that three.js leaves them alone. */
#include "../base/prologue.h"

#include "fix_json.h"

#include <stdio.h>
#include <string.h>

/* A name in use; `next` is the first suffix not tried yet. */
typedef struct taken_name {
  const char *name; /* NULL: free */
  uint32_t next;
  bool joint; /* a joint has it; else it only must not be given to one */
} taken_name;

typedef struct names_fix {
  supplei_fix *fix;
  supple_document *document;
  uint8_t *is_joint;  /* [node_count] */
  const char **names; /* [node_count] as they are; "" where there is none */
  uint8_t *pending;   /* [node_count] joints to be renamed */
  uint32_t node_count;
  taken_name *table; /* open addressing */
  uint32_t table_size;
} names_fix;

/* ---- what three.js makes of a name ---- */

/* Bytes of the white space (JavaScript's \s) at text; 0: there is none. */
static size_t white_space(const char *text) {
  static const char *const wide[] = {"\xC2\xA0",     "\xE1\x9A\x80", "\xE2\x80\x80", "\xE2\x80\x81",
                                     "\xE2\x80\x82", "\xE2\x80\x83", "\xE2\x80\x84", "\xE2\x80\x85",
                                     "\xE2\x80\x86", "\xE2\x80\x87", "\xE2\x80\x88", "\xE2\x80\x89",
                                     "\xE2\x80\x8A", "\xE2\x80\xA8", "\xE2\x80\xA9", "\xE2\x80\xAF",
                                     "\xE2\x81\x9F", "\xE3\x80\x80", "\xEF\xBB\xBF"};
  if (*text == ' ' || (*text >= '\t' && *text <= '\r')) return 1;
  for (size_t i = 0; (unsigned char)*text >= 0xC2 && i < sizeof wide / sizeof wide[0]; i++)
    if (!strncmp(text, wide[i], strlen(wide[i]))) return strlen(wide[i]);
  return 0;
}

/* White space becomes "_", []. : and / are left out. Room for as many bytes as the name has, and a NUL. */
static void clean(const char *name, char *out) {
  while (*name) {
    const size_t space = white_space(name);
    if (space)
      *out++ = '_';
    else if (!strchr("[].:/", *name))
      *out++ = *name;
    name += space ? space : 1;
  }
  *out = '\0';
}

static bool is_safe(const char *name) {
  for (; *name; name++)
    if (white_space(name) || strchr("[].:/", *name)) return false;
  return true;
}

/* ---- names in use ---- */

/* FNV-1a, Fowler, Noll, Vo. */
static uint32_t hash(const char *name) {
  uint32_t h = 2166136261u;
  for (; *name; name++) h = (h ^ (unsigned char)*name) * 16777619u;
  return h;
}

static taken_name *look_up(const names_fix *f, const char *name) {
  uint32_t at = hash(name) & (f->table_size - 1);
  while (f->table[at].name && strcmp(f->table[at].name, name) != 0)
    at = (at + 1) & (f->table_size - 1);
  return &f->table[at];
}

static void take(names_fix *f, const char *name, bool joint) {
  taken_name *entry = look_up(f, name);
  entry->name = name;
  entry->joint |= joint;
}

/* ---- looking ---- */

static supple_result read_names(names_fix *f) {
  for (uint32_t n = 0; n < f->node_count; n++) {
    const char *name = supple_document_string(
        f->document,
        supple_document_member(f->document, supplei_fix_item(f->document, "nodes", n), "name"));
    f->names[n] = name ? supplei_arena_text(&f->fix->arena, name, strlen(name)) : "";
    if (!f->names[n]) return supplei_fix_no_memory(f->fix, "names");
  }
  const supple_value skins = supple_document_member(f->document, 0, "skins");
  for (uint32_t s = 0; s < supple_document_count(f->document, skins); s++) {
    const supple_value joints =
        supple_document_member(f->document, supple_document_child(f->document, skins, s), "joints");
    for (uint32_t k = 0; k < supple_document_count(f->document, joints); k++) {
      const uint32_t node =
          supple_document_index(f->document, supple_document_child(f->document, joints, k));
      if (node < f->node_count) f->is_joint[node] = 1;
    }
  }
  return SUPPLE_OK;
}

/* The first joint of a name that is fine keeps it. */
static void keep_fine_ones(names_fix *f) {
  for (uint32_t n = 0; n < f->node_count; n++) {
    if (!f->is_joint[n]) continue;
    const char *name = f->names[n];
    f->pending[n] = !*name || !is_safe(name) || look_up(f, name)->name;
    if (!f->pending[n]) take(f, name, true);
  }
  for (uint32_t n = 0; n < f->node_count; n++)
    if (!f->is_joint[n] && *f->names[n]) take(f, f->names[n], false);
}

/* ---- renaming ---- */

/* A free name: the base itself, or with a suffix. In the arena; NULL: no memory. */
static const char *free_name(names_fix *f, const char *base) {
  taken_name *entry = look_up(f, base);
  const size_t size = strlen(base) + 16;
  char *name = supplei_arena_allocate(&f->fix->arena, size, 1);
  if (!name) return NULL;
  snprintf(name, size, "%s", base);
  while (look_up(f, name)->name) snprintf(name, size, "%s_%u", base, (unsigned)++entry->next);
  take(f, name, true);
  return name;
}

static supple_result rename_node(names_fix *f, uint32_t node) {
  const char *was = f->names[node];
  supplei_fix *fix = f->fix;
  char pointer[48];
  char *base = supplei_arena_allocate(&fix->arena, strlen(was) + 24, 1);
  if (!base) return supplei_fix_no_memory(fix, "names");
  clean(was, base);
  if (!*base) snprintf(base, 24, "joint_%u", (unsigned)node);
  const char *now = free_name(f, base);
  supplei_output json = {.allocator = fix->allocator};
  if (now) supplei_output_string(&json, now);
  supplei_output_put(&json, "", 1);
  supple_result result = SUPPLE_OK;
  if (!now || json.failed)
    result = supplei_fix_no_memory(fix, "names");
  else
    result = supple_document_set(f->document, supplei_fix_item(f->document, "nodes", node), "name",
                                 json.data, NULL, fix->error);
  supplei_output_release(&json);
  if (result) return result;
  snprintf(pointer, sizeof pointer, *was ? "/nodes/%u/name" : "/nodes/%u", (unsigned)node);
  if (!*was)
    return supplei_fix_did(fix, "SKINNING_NAME_MISSING", pointer, 1,
                           "the joint is named \"%.160s\"", now);
  return supplei_fix_did(fix, is_safe(was) ? "SKINNING_NAME_DUPLICATE" : "SKINNING_NAME_UNSAFE",
                         pointer, 1, "\"%.160s\" is \"%.160s\" now", was, now);
}

static supple_result rename_all(names_fix *f) {
  supple_result result = read_names(f);
  if (result) return result;
  keep_fine_ones(f);
  for (uint32_t n = 0; !result && n < f->node_count; n++)
    if (f->pending[n]) result = rename_node(f, n);
  return result;
}

supple_result supplei_fix_names(supplei_fix *fix) {
  names_fix f = {.fix = fix, .document = fix->document};
  const supple_allocator *a = &fix->allocator;
  f.node_count =
      supple_document_count(fix->document, supple_document_member(fix->document, 0, "nodes"));
  f.table_size = 16;
  /* Every node's name and a new one for every joint, at most two thirds full. */
  while (f.table_size / 3 < f.node_count && f.table_size < UINT32_MAX / 2 + 1) f.table_size *= 2;
  f.is_joint = supplei_allocate_zero(a, f.node_count, 1);
  f.pending = supplei_allocate_zero(a, f.node_count, 1);
  f.names = supplei_allocate(a, f.node_count, sizeof *f.names);
  f.table = supplei_allocate_zero(a, f.table_size, sizeof *f.table);
  const bool fine = f.is_joint && f.pending && f.names && f.table;
  const supple_result result = fine ? rename_all(&f) : supplei_fix_no_memory(fix, "names");
  supplei_release(a, f.table, f.table_size, sizeof *f.table);
  supplei_release(a, f.names, f.node_count, sizeof *f.names);
  supplei_release(a, f.pending, f.node_count, 1);
  supplei_release(a, f.is_joint, f.node_count, 1);
  return result;
}
