/* fix_json.c: small questions to a document, and copies of its values, for the repairs. */
#include "../base/prologue.h"

#include "fix_json.h"

#include <stdio.h>
#include <string.h>

uint32_t supplei_fix_index(const supple_document *document, supple_value object, const char *key) {
  return supple_document_index(document, supple_document_member(document, object, key));
}

supple_value supplei_fix_item(const supple_document *document, const char *array, uint32_t index) {
  return supple_document_child(document, supple_document_member(document, 0, array), index);
}

supple_value supplei_fix_primitive(const supple_document *document, uint32_t mesh,
                                   uint32_t primitive) {
  const supple_value object = supplei_fix_item(document, "meshes", mesh);
  return supple_document_child(document, supple_document_member(document, object, "primitives"),
                               primitive);
}

supple_result supplei_fix_remove(supplei_fix *fix, supple_value object, const char *key) {
  const supple_value member = supple_document_member(fix->document, object, key);
  return member == SUPPLE_NONE ? SUPPLE_OK
                               : supple_document_remove(fix->document, member, fix->error);
}

supple_result supplei_fix_set_index(supplei_fix *fix, supple_value object, const char *key,
                                    uint32_t index) {
  char text[16];
  snprintf(text, sizeof text, "%u", (unsigned)index);
  return supple_document_set(fix->document, object, key, text, NULL, fix->error);
}

/* ---- uses of accessors ---- */

typedef struct use_counts {
  const supple_document *document;
  uint32_t *uses, count;
} use_counts;

static void use(const use_counts *c, supple_value value) {
  const uint32_t index = supple_document_index(c->document, value);
  if (index < c->count) c->uses[index]++;
}

static void use_members(const use_counts *c, supple_value object) {
  for (uint32_t i = 0; i < supple_document_count(c->document, object); i++)
    use(c, supple_document_child(c->document, object, i));
}

static void use_primitive(const use_counts *c, supple_value primitive) {
  use_members(c, supple_document_member(c->document, primitive, "attributes"));
  use(c, supple_document_member(c->document, primitive, "indices"));
  const supple_value targets = supple_document_member(c->document, primitive, "targets");
  for (uint32_t t = 0; t < supple_document_count(c->document, targets); t++)
    use_members(c, supple_document_child(c->document, targets, t));
}

static void use_meshes(const use_counts *c) {
  const supple_value meshes = supple_document_member(c->document, 0, "meshes");
  for (uint32_t m = 0; m < supple_document_count(c->document, meshes); m++) {
    const supple_value primitives = supple_document_member(
        c->document, supple_document_child(c->document, meshes, m), "primitives");
    for (uint32_t p = 0; p < supple_document_count(c->document, primitives); p++)
      use_primitive(c, supple_document_child(c->document, primitives, p));
  }
}

static void use_animations(const use_counts *c) {
  const supple_value animations = supple_document_member(c->document, 0, "animations");
  for (uint32_t a = 0; a < supple_document_count(c->document, animations); a++) {
    const supple_value samplers = supple_document_member(
        c->document, supple_document_child(c->document, animations, a), "samplers");
    for (uint32_t s = 0; s < supple_document_count(c->document, samplers); s++) {
      const supple_value sampler = supple_document_child(c->document, samplers, s);
      use(c, supple_document_member(c->document, sampler, "input"));
      use(c, supple_document_member(c->document, sampler, "output"));
    }
  }
}

void supplei_fix_count_uses(const supple_document *document, uint32_t *uses, uint32_t count) {
  const use_counts c = {document, uses, count};
  const supple_value skins = supple_document_member(document, 0, "skins");
  const supple_value nodes = supple_document_member(document, 0, "nodes");
  use_meshes(&c);
  use_animations(&c);
  for (uint32_t s = 0; s < supple_document_count(document, skins); s++)
    use(&c, supple_document_member(document, supple_document_child(document, skins, s),
                                   "inverseBindMatrices"));
  for (uint32_t n = 0; n < supple_document_count(document, nodes); n++) {
    const supple_value extensions =
        supple_document_member(document, supple_document_child(document, nodes, n), "extensions");
    const supple_value instancing =
        supple_document_member(document, extensions, "EXT_mesh_gpu_instancing");
    use_members(&c, supple_document_member(document, instancing, "attributes"));
  }
}

/* ---- text ---- */

void supplei_fix_put_index(supplei_output *output, uint32_t index) {
  char text[16];
  snprintf(text, sizeof text, "%u", (unsigned)index);
  supplei_output_text(output, text);
}

void supplei_fix_put_key(supplei_output *output, const char *key, bool first) {
  if (!first) supplei_output_text(output, ",");
  supplei_output_string(output, key);
  supplei_output_text(output, ":");
}

static void put_plain(supplei_output *output, const supple_document *document, supple_value value) {
  char text[SUPPLEI_NUMBER_TEXT];
  double number;
  switch (supple_document_type(document, value)) {
  case SUPPLE_VALUE_STRING:
    supplei_output_string(output, supple_document_string(document, value));
    break;
  case SUPPLE_VALUE_NUMBER:
    supple_document_number(document, value, &number);
    supplei_output_text(output, supplei_number_text(number, text));
    break;
  case SUPPLE_VALUE_FALSE: supplei_output_text(output, "false"); break;
  case SUPPLE_VALUE_TRUE: supplei_output_text(output, "true"); break;
  default: supplei_output_text(output, "null"); break;
  }
}

/* Opens a container, or puts what is none. Whether it was opened. */
static bool put_head(supplei_output *output, const supple_document *document, supple_value value) {
  const supple_value_type type = supple_document_type(document, value);
  const bool container = type == SUPPLE_VALUE_ARRAY || type == SUPPLE_VALUE_OBJECT;
  if (container)
    supplei_output_text(output, type == SUPPLE_VALUE_ARRAY ? "[" : "{");
  else
    put_plain(output, document, value);
  return container;
}

/* Depth first; a call of its own only every 64 levels, so that deep nesting takes little of the stack. */
void supplei_fix_put_value(supplei_output *output, const supple_document *document,
                           supple_value value) {
  if (!put_head(output, document, value)) return;
  enum { DEEP = 64 };
  supple_value open[DEEP];
  uint32_t next[DEEP], depth = 1;
  open[0] = value, next[0] = 0;
  while (depth) {
    const supple_value at = open[depth - 1];
    const bool array = supple_document_type(document, at) == SUPPLE_VALUE_ARRAY;
    const uint32_t i = next[depth - 1]++;
    if (i == supple_document_count(document, at)) {
      supplei_output_text(output, array ? "]" : "}");
      depth--;
      continue;
    }
    const supple_value child = supple_document_child(document, at, i);
    if (i) supplei_output_text(output, ",");
    if (!array) supplei_fix_put_key(output, supple_document_key(document, child), true);
    if (depth == DEEP) /* so deep that the stack is worth a call */
      supplei_fix_put_value(output, document, child);
    else if (put_head(output, document, child))
      open[depth] = child, next[depth++] = 0;
  }
}

static bool named(const char *const *names, const char *key) {
  for (; *names; names++)
    if (!strcmp(*names, key)) return true;
  return false;
}

bool supplei_fix_put_members(supplei_output *output, const supple_document *document,
                             supple_value object, const char *const *without, bool first) {
  bool any = false;
  for (uint32_t i = 0; i < supple_document_count(document, object); i++) {
    const supple_value member = supple_document_child(document, object, i);
    if (named(without, supple_document_key(document, member))) continue;
    supplei_fix_put_key(output, supple_document_key(document, member), first && !any);
    supplei_fix_put_value(output, document, member);
    any = true;
  }
  return any;
}
