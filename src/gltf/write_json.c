/* write_json.c: the text of an edited document: what was not touched as it stood, what is new in the style of what
 * stands around it. */
#include "../base/prologue.h"

#include "document_tree.h"

#include "json_text.h"

#include <stdio.h>
#include <string.h>

/* ---- output ---- */

void supplei_output_put(supplei_output *output, const void *data, size_t size) {
  if (output->failed || !size) return;
  if (size > output->capacity - output->size) {
    size_t capacity = output->capacity ? output->capacity : 64;
    while (capacity - output->size < size) {
      if (capacity > SIZE_MAX / 2) return (void)(output->failed = true);
      capacity *= 2;
    }
    char *memory = supplei_allocate(&output->allocator, capacity, 1);
    if (!memory) return (void)(output->failed = true);
    if (output->size) memcpy(memory, output->data, output->size);
    supplei_release(&output->allocator, output->data, output->capacity, 1);
    output->data = memory;
    output->capacity = capacity;
  }
  memcpy(output->data + output->size, data, size);
  output->size += size;
}

void supplei_output_text(supplei_output *output, const char *text) {
  supplei_output_put(output, text, strlen(text));
}

void supplei_output_string(supplei_output *output, const char *text) {
  const unsigned char *s = (const unsigned char *)text;
  supplei_output_put(output, "\"", 1);
  for (size_t left = strlen(text); left;) {
    size_t n = supplei_utf8_length(s, left);
    char escape[8];
    if (!n) {
      supplei_output_text(output, "\xEF\xBF\xBD");
      n = 1;
    } else if (*s == '"' || *s == '\\') {
      escape[0] = '\\';
      escape[1] = (char)*s;
      supplei_output_put(output, escape, 2);
    } else if (*s < 0x20) {
      snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*s);
      supplei_output_put(output, escape, 6);
    } else {
      supplei_output_put(output, s, n);
    }
    s += n, left -= n;
  }
  supplei_output_put(output, "\"", 1);
}

void supplei_output_release(supplei_output *output) {
  supplei_release(&output->allocator, output->data, output->capacity, 1);
  output->data = NULL;
  output->size = output->capacity = 0;
}

/* ---- the file's style ---- */

typedef struct span {
  const char *text;
  size_t length;
} span;

typedef struct style {
  bool lines;        /* objects have a line for each member */
  bool number_lines; /* arrays of numbers too */
  span newline;      /* "\n" or "\r\n" */
  span unit;         /* one level of indentation */
  span colon;        /* between key and value */
  span comma;        /* after the ',' of what stands on one line */
} style;

static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

static span space_after(const char *text, size_t length, size_t at) {
  size_t end = at;
  while (end < length && is_space(text[end])) end++;
  return (span){text + at, end - at};
}

static span space_before(const char *text, size_t at) {
  size_t begin = at;
  while (begin && is_space(text[begin - 1])) begin--;
  return (span){text + begin, at - begin};
}

static bool has_line(span space) { return memchr(space.text, '\n', space.length) != NULL; }

/* What follows the last line feed. */
static span line_indent(span space) {
  size_t begin = space.length;
  while (begin && space.text[begin - 1] != '\n') begin--;
  return (span){space.text + begin, space.length - begin};
}

static bool is_container(const supplei_value *v) {
  return v->type == SUPPLEI_JSON_ARRAY || v->type == SUPPLEI_JSON_OBJECT;
}

/* How the first array of two or more numbers is written. Values of text 0 never lose their spans. */
static void find_number_style(const supplei_tree *tree, style *found) {
  const supplei_source *file = &tree->sources[0];
  for (uint32_t i = 0; i + 2 < tree->source_count0; i++) {
    const supplei_value *array = &tree->values[i], *first = array + 1, *second = array + 2;
    if (array->type != SUPPLEI_JSON_ARRAY || first->type != SUPPLEI_JSON_NUMBER ||
        second->type != SUPPLEI_JSON_NUMBER || second->begin >= array->begin + array->length)
      continue;
    const span lead = space_after(file->text, file->length, array->begin + 1);
    const span next = space_before(file->text, second->begin);
    found->number_lines = has_line(lead);
    if (!has_line(next)) found->comma = next;
    return;
  }
}

static style find_style(const supplei_tree *tree) {
  const supplei_source *file = &tree->sources[0];
  const supplei_value *root = &tree->values[0];
  style found = {.newline = {"\n", 1}, .unit = {"  ", 2}, .colon = {":", 1}, .comma = {"", 0}};
  if (tree->source_count0 < 2 || root->type != SUPPLEI_JSON_OBJECT) return found;
  const supplei_value *member = &tree->values[1];
  const span lead = space_after(file->text, file->length, root->begin + 1);
  found.lines = has_line(lead);
  const size_t key_end = (size_t)member->key + member->key_length + 1;
  size_t value = member->begin;
  if (member->type == SUPPLEI_JSON_STRING) value--;
  found.colon = (span){file->text + key_end, value - key_end};
  if (!found.lines) return find_number_style(tree, &found), found;
  const char *feed = memchr(lead.text, '\n', lead.length);
  if (feed > lead.text && feed[-1] == '\r') found.newline = (span){"\r\n", 2};
  found.unit = line_indent(lead);
  found.comma = (span){" ", 1};
  find_number_style(tree, &found);
  return found;
}

/* ---- writing ---- */

/* Indentation: that of a line of the file, and some levels more. */
typedef struct indent {
  span base;
  uint32_t levels;
} indent;

/* A container that is being written. */
typedef struct frame {
  uint32_t value, next; /* next: the child to write */
  bool original;        /* of text 0 */
  bool flat;            /* what is new in it stands on one line */
  indent around;        /* of the line it began on */
  span first, later;    /* original: what stood before its first child, and before others */
} frame;

typedef struct writer {
  const supplei_tree *tree;
  supplei_output *output;
  style style;
  frame *frames;
  uint32_t depth, capacity;
  supple_error *error;
} writer;

static void put(writer *w, span text) { supplei_output_put(w->output, text.text, text.length); }

static void put_line(writer *w, indent at) {
  put(w, w->style.newline);
  put(w, at.base);
  for (uint32_t i = 0; i < at.levels; i++) put(w, w->style.unit);
}

/* The text of a value as it was read. */
static void put_source(writer *w, const supplei_value *v) {
  const char *text = w->tree->sources[v->text].text + v->begin;
  if (v->type == SUPPLEI_JSON_STRING)
    supplei_output_put(w->output, text - 1, (size_t)v->length + 2);
  else
    supplei_output_put(w->output, text, v->length);
}

/* Whether a child stands where it stood in the file, though its value may be new. */
static bool is_anchored(const frame *f, const supplei_value *child) {
  return f->original && child->anchor != SUPPLE_NONE;
}

static bool was_first(const writer *w, const supplei_value *child) {
  const char *text = w->tree->sources[0].text;
  const span lead = space_before(text, child->anchor);
  return lead.text[-1] != ',';
}

/* Whether a new container takes a line for each child. */
static bool wants_lines(const writer *w, uint32_t value) {
  const supplei_value *v = &w->tree->values[value];
  if (!w->style.lines) return false;
  if (v->type == SUPPLEI_JSON_OBJECT || w->style.number_lines) return true;
  for (uint32_t i = 0; i < v->count; i++)
    if (is_container(&w->tree->values[supplei_tree_child(w->tree, value, i)])) return true;
  return false;
}

/* What stands before the children of a container of the file. */
static void find_leads(const writer *w, frame *f) {
  const supplei_source *file = &w->tree->sources[0];
  const supplei_value *v = &w->tree->values[f->value];
  f->first = space_after(file->text, file->length, (size_t)v->begin + 1);
  const bool was_empty = f->first.text + f->first.length == file->text + v->begin + v->length - 1;
  if (was_empty) { /* as if it were new */
    f->original = false;
    f->flat = f->flat || !wants_lines(w, f->value);
    return;
  }
  f->later = f->first;
  if (!has_line(f->first)) {
    f->later = w->style.comma;
    f->flat = true;
  }
  for (uint32_t i = 0; i < v->count; i++) {
    const supplei_value *child = &w->tree->values[supplei_tree_child(w->tree, f->value, i)];
    if (child->anchor == SUPPLE_NONE || was_first(w, child)) continue;
    f->later = space_before(file->text, child->anchor);
    break;
  }
}

static supple_result enter(writer *w, uint32_t value, indent around, bool flat) {
  const supplei_value *v = &w->tree->values[value];
  void *frames = w->frames;
  const supple_result result = supplei_grow(&w->tree->allocator, &frames, &w->capacity, w->depth,
                                            w->depth + 1, sizeof *w->frames, w->error);
  w->frames = frames;
  if (result) return result;
  frame *f = &w->frames[w->depth++];
  *f = (frame){.value = value, .around = around, .flat = flat, .original = v->text == 0};
  supplei_output_text(w->output, v->type == SUPPLEI_JSON_ARRAY ? "[" : "{");
  if (f->original)
    find_leads(w, f);
  else
    f->flat = flat || !wants_lines(w, value);
  return SUPPLE_OK;
}

/* What stands between a child of the file and the comma after it: rarely anything. */
static void put_trail(writer *w, const frame *f, const supplei_value *child) {
  const supplei_source *file = &w->tree->sources[0];
  if (!is_anchored(f, child) || child->text != 0) return;
  const size_t end = (size_t)child->begin + child->length + (child->type == SUPPLEI_JSON_STRING);
  const span trail = space_after(file->text, file->length, end);
  if (trail.length && trail.text[trail.length] == ',') put(w, trail);
}

/* The space before child number i; returns the indentation of its line. */
static indent put_lead(writer *w, const frame *f, const supplei_value *child, uint32_t i) {
  if (!f->original) {
    const indent inside = {f->around.base, f->around.levels + 1};
    if (f->flat) {
      if (i) put(w, w->style.comma);
      return f->around;
    }
    put_line(w, inside);
    return inside;
  }
  span lead = i ? f->later : f->first;
  if (is_anchored(f, child) && was_first(w, child) == (i == 0))
    lead = space_before(w->tree->sources[0].text, child->anchor);
  put(w, lead);
  return has_line(lead) ? (indent){line_indent(lead), 0} : f->around;
}

static void put_key(writer *w, const frame *f, const supplei_value *child) {
  const supplei_source *source = &w->tree->sources[child->key_text];
  supplei_output_put(w->output, source->text + child->key - 1, (size_t)child->key_length + 2);
  if (!is_anchored(f, child)) return put(w, w->style.colon);
  const size_t key_end = (size_t)child->key + child->key_length + 1;
  const span before = space_after(source->text, source->length, key_end);
  const span after = space_after(source->text, source->length, key_end + before.length + 1);
  put(w, (span){before.text, before.length + 1 + after.length});
}

static supple_result put_value(writer *w, uint32_t value, indent around, bool flat) {
  const supplei_value *v = &w->tree->values[value];
  if (is_container(v) && (v->text != 0 || v->flags & SUPPLEI_VALUE_CHANGED))
    return enter(w, value, around, flat);
  put_source(w, v);
  return SUPPLE_OK;
}

static void leave(writer *w) {
  const frame *f = &w->frames[--w->depth];
  const supplei_value *v = &w->tree->values[f->value];
  const supplei_source *file = &w->tree->sources[0];
  if (v->count && f->original)
    put(w, space_before(file->text, (size_t)v->begin + v->length - 1));
  else if (v->count && !f->flat)
    put_line(w, f->around);
  supplei_output_text(w->output, v->type == SUPPLEI_JSON_ARRAY ? "]" : "}");
}

static supple_result step(writer *w) {
  frame *f = &w->frames[w->depth - 1];
  const supplei_tree *tree = w->tree;
  const supplei_value *container = &tree->values[f->value];
  if (f->next == container->count) return leave(w), SUPPLE_OK;
  const uint32_t i = f->next++, id = supplei_tree_child(tree, f->value, i);
  const supplei_value *child = &tree->values[id];
  if (i) {
    put_trail(w, f, &tree->values[supplei_tree_child(tree, f->value, i - 1)]);
    supplei_output_text(w->output, ",");
  }
  const indent line = put_lead(w, f, child, i);
  if (container->type == SUPPLEI_JSON_OBJECT) put_key(w, f, child);
  return put_value(w, id, line, f->flat && !(child->text == 0));
}

supple_result supplei_tree_write(const supplei_tree *tree, supplei_output *output,
                                 supple_error *error) {
  writer w = {.tree = tree, .output = output, .error = error};
  const supplei_source *file = &tree->sources[0];
  const supplei_value *root = &tree->values[0];
  w.style = find_style(tree);
  supplei_output_put(output, file->text, root->begin - (root->type == SUPPLEI_JSON_STRING));
  const span start = space_before(file->text, root->begin);
  supple_result result = put_value(&w, 0, (indent){line_indent(start), 0}, false);
  while (w.depth && !result) result = step(&w);
  const size_t end = (size_t)root->begin + root->length + (root->type == SUPPLEI_JSON_STRING);
  supplei_output_put(output, file->text + end, file->length - end);
  supplei_release(&tree->allocator, w.frames, w.capacity, sizeof *w.frames);
  if (!result && output->failed)
    result = supplei_fail_memory(error, output->capacity, "the text of the JSON");
  return result;
}
