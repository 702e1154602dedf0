/* decompress_draco.c: primitives of a document that Draco compresses. */
#include "../base/prologue.h"

#include "decompress.h"

#include <stdio.h>
#include <string.h>

static const char extension_name[] = "KHR_draco_mesh_compression";

/* ---- which accessors they are ---- */

/* A compressed array of a primitive. */
typedef struct draco_array {
  uint32_t primitive, extension; /* values */
  uint32_t user;                 /* the value that names the accessor; SUPPLE_NONE: nothing does */
  uint32_t id;                   /* the value that says which attribute; SUPPLE_NONE: the indices */
  uint32_t accessor;             /* its number */
} draco_array;

/* Calls `visit` for everything that a primitive compresses, until it does not return SUPPLE_OK. */
typedef supple_result draco_visit(void *user, const draco_array *array);
static supple_result visit_primitive(const supple_document *document, uint32_t primitive,
                                     draco_visit *visit, void *user) {
  const supplei_tree *tree = &document->tree;
  draco_array array = {.primitive = primitive, .id = SUPPLE_NONE};
  uint64_t index;
  array.extension = supplei_document_extension(tree, primitive, extension_name);
  if (array.extension == SUPPLE_NONE) return SUPPLE_OK;
  const uint32_t ids = supplei_tree_member(tree, array.extension, "attributes");
  const uint32_t attributes = supplei_tree_member(tree, primitive, "attributes");
  array.user = supplei_tree_member(tree, primitive, "indices");
  if (supplei_tree_unsigned(tree, array.user, SUPPLE_NONE - 1, &index)) {
    array.accessor = (uint32_t)index;
    const supple_result result = visit(user, &array);
    if (result) return result;
  }
  for (uint32_t i = 0; (array.id = supplei_tree_child(tree, ids, i)) != SUPPLE_NONE; i++) {
    array.user = supplei_tree_member(tree, attributes, supplei_tree_key(tree, array.id));
    if (!supplei_tree_unsigned(tree, array.user, SUPPLE_NONE - 1, &index)) continue;
    array.accessor = (uint32_t)index;
    const supple_result result = visit(user, &array);
    if (result) return result;
  }
  return SUPPLE_OK;
}

static bool is_used(const supple_document *document) {
  const supplei_tree *tree = &document->tree;
  const uint32_t used = supplei_tree_member(tree, 0, "extensionsUsed");
  bool present = false;
  for (uint32_t i = 0, child; (child = supplei_tree_child(tree, used, i)) != SUPPLE_NONE; i++)
    present |= supplei_tree_equals(tree, child, extension_name);
  return present;
}

static supple_result visit_all(const supple_document *document, draco_visit *visit, void *user) {
  const supplei_tree *tree = &document->tree;
  supple_result result = SUPPLE_OK;
  for (uint32_t m = 0; m < supplei_document_table_count(document, "meshes"); m++) {
    const uint32_t primitives =
        supplei_tree_member(tree, supplei_document_item(document, "meshes", m), "primitives");
    for (uint32_t p = 0, primitive;
         (primitive = supplei_tree_child(tree, primitives, p)) != SUPPLE_NONE && !result; p++)
      result = visit_primitive(document, primitive, visit, user);
  }
  return result;
}

typedef struct search {
  uint32_t accessor;
  draco_array found;
} search;

static supple_result compare(void *user, const draco_array *array) {
  search *wanted = user;
  if (array->accessor != wanted->accessor) return SUPPLE_OK;
  wanted->found = *array;
  return SUPPLE_ERROR_ARGUMENT; /* enough */
}

bool supplei_document_is_draco(const supple_document *document, uint32_t accessor) {
  search wanted = {.accessor = accessor};
  return is_used(document) && visit_all(document, compare, &wanted) != SUPPLE_OK;
}

/* ---- decoding ---- */

static supple_result fail(const supple_document *document, uint32_t value, supple_result result,
                          supple_error *error) {
  const supplei_tree *tree = &document->tree;
  switch (result) {
  case SUPPLE_ERROR_MEMORY: return supplei_fail_memory(error, 0, "a Draco mesh");
  case SUPPLE_ERROR_LIMIT:
    return supplei_tree_fail(tree, value, error, result,
                             "more vertices than limits.vertices allows, or more triangles than "
                             "limits.memory_bytes does");
  case SUPPLE_ERROR_UNSUPPORTED:
    return supplei_tree_fail(tree, value, error, result,
                             "its compressed data is of a kind that the decoder does not know");
  default:
    return supplei_tree_fail(tree, value, error, SUPPLE_ERROR_FORMAT,
                             "its compressed data is damaged");
  }
}

static bool has_decoder(const supple_document *document) {
  return document->options.codecs && document->options.codecs->draco_open;
}

/* The number of the view with the compressed data. */
static supple_result data_view(const supple_document *document, uint32_t extension, uint32_t *view,
                               supple_error *error) {
  uint64_t number = 0;
  const supple_result result =
      supplei_document_need(document, extension, "bufferView", 0, SUPPLE_NONE - 1, &number, error);
  *view = (uint32_t)number;
  return result;
}

/* The compressed bytes of an extension. */
static supple_result mesh_bytes(supple_document *document, uint32_t extension,
                                const unsigned char **data, uint64_t *size, supple_error *error) {
  supplei_document_view view;
  uint32_t index;
  supple_result result = data_view(document, extension, &index, error);
  if (!result) result = supplei_document_view_read(document, extension, index, &view, error);
  if (result) return result;
  *size = view.length;
  if (view.compressed != SUPPLE_NONE)
    return supplei_document_view_decompress(document, &view, data, error);
  return supplei_document_bytes(document, view.buffer, view.offset, view.length, data, error);
}

void supplei_document_close_draco(supple_document *document) {
  const supple_codecs *codecs = document->options.codecs;
  if (document->draco.open) codecs->draco_close(codecs->user, document->draco.mesh);
  document->draco.open = false;
}

/* What the codec makes of an extension, in *out: the one that is open, or a new one in its place. It stays open. */
static supple_result open_mesh(supple_document *document, uint32_t extension,
                               const supplei_open_draco **out, supple_error *error) {
  const supple_codecs *codecs = document->options.codecs;
  supplei_open_draco *kept = &document->draco, next = {.revision = document->tree.revision};
  supple_result result = mesh_bytes(document, extension, &next.data, &next.size, error);
  *out = kept;
  if (result) return result;
  /* The revision, too: an edit may have put other bytes at the same address. */
  if (kept->open && kept->data == next.data && kept->size == next.size &&
      kept->revision == next.revision)
    return SUPPLE_OK;
  supplei_document_close_draco(document); /* first: there are never two in memory */
  const size_t triangles = document->limits.memory_bytes / 64; /* what decoding needs for each */
  next.points = document->limits.vertices;
  next.indices = triangles < UINT32_MAX / 3 ? 3 * (uint32_t)triangles : UINT32_MAX;
  result = codecs->draco_open(codecs->user, next.data, (size_t)next.size, &next.mesh, &next.points,
                              &next.indices);
  if (result) return fail(document, extension, result, error);
  next.open = true;
  *kept = next;
  if (next.points && next.points <= document->limits.vertices && next.indices % 3 == 0)
    return SUPPLE_OK;
  supplei_document_close_draco(document);
  return fail(document, extension, SUPPLE_ERROR_LIMIT, error);
}

/* Elements of the type that an accessor says; *count: how many there are. */
static supple_result decode(supple_document *document, const draco_array *array,
                            const supplei_open_draco *mesh, const supplei_elements *e,
                            uint32_t count, unsigned char **data, supple_error *error) {
  const supple_codecs *codecs = document->options.codecs;
  const supplei_tree *tree = &document->tree;
  const size_t size = supplei_element_size(e->component, e->rows, e->columns);
  uint64_t id = SUPPLE_NONE;
  *data = NULL;
  if (array->id != SUPPLE_NONE && !supplei_tree_unsigned(tree, array->id, SUPPLE_NONE - 1, &id))
    return supplei_tree_fail(tree, array->id, error, SUPPLE_ERROR_FORMAT,
                             "must be the unique id of an attribute");
  if (e->columns != 1)
    return supplei_tree_fail(tree, array->user, error, SUPPLE_ERROR_FORMAT,
                             "names matrices, which Draco has not");
  supple_result result =
      supplei_unpacked_allocate(document, array->extension, count, size, data, error);
  if (result) return result;
  result = codecs->draco_read(codecs->user, mesh->mesh, (uint32_t)id, (uint32_t)e->component,
                              e->rows, *data);
  if (!result) return SUPPLE_OK;
  supplei_unpacked_release(document, *data, size * count);
  *data = NULL;
  return fail(document, array->id == SUPPLE_NONE ? array->extension : array->id, result, error);
}

/* Indices come as 32 bits; they are kept as narrow as the accessor has them where they fit. */
static supple_result narrow(supple_document *document, const draco_array *array,
                            supplei_component component, uint32_t count, unsigned char *data,
                            supple_error *error) {
  const size_t size = supplei_component_size(component);
  const uint32_t restart = component == SUPPLEI_U8 ? 0xFF : 0xFFFF;
  for (size_t i = 0; size < 4 && i < count; i++) {
    uint32_t index;
    memcpy(&index, data + 4 * i, sizeof index);
    if (index >= restart)
      return supplei_tree_fail(&document->tree, array->extension, error, SUPPLE_ERROR_FORMAT,
                               "index %u does not fit the componentType %u of the indices",
                               (unsigned)index, (unsigned)component);
    memcpy(data + size * i, &index, size); /* the machine is little-endian */
  }
  return SUPPLE_OK;
}

static supple_result decode_indices(supple_document *document, const draco_array *array,
                                    const supplei_open_draco *mesh, supplei_component component,
                                    unsigned char **data, supple_error *error) {
  const supplei_elements wide = {.component = SUPPLEI_U32, .rows = 1, .columns = 1};
  supple_result result = decode(document, array, mesh, &wide, mesh->indices, data, error);
  if (!result) result = narrow(document, array, component, mesh->indices, *data, error);
  if (!result || !*data) return result;
  supplei_unpacked_release(document, *data, 4 * (size_t)mesh->indices);
  *data = NULL;
  return result;
}

static supple_result decode_elements(supple_document *document, const draco_array *array,
                                     const supplei_elements *e, supplei_unpacked *unpacked,
                                     supple_error *error) {
  const supplei_open_draco *mesh;
  supple_result result = open_mesh(document, array->extension, &mesh, error);
  if (result) return result;
  const uint32_t count = array->id == SUPPLE_NONE ? mesh->indices : mesh->points;
  if (count != e->count)
    result =
        supplei_tree_fail(&document->tree, array->user, error, SUPPLE_ERROR_FORMAT,
                          "the accessor has %u elements, but the compressed data %u (decompress "
                          "the document)",
                          (unsigned)e->count, (unsigned)count);
  else if (array->id == SUPPLE_NONE)
    result = decode_indices(document, array, mesh, e->component, &unpacked->data, error);
  else
    result = decode(document, array, mesh, e, count, &unpacked->data, error);
  const size_t size =
      array->id == SUPPLE_NONE ? 4 : supplei_element_size(e->component, e->rows, e->columns);
  unpacked->size = size * count;
  return result;
}

supple_result supplei_document_draco_elements(supple_document *document, uint32_t accessor,
                                              supplei_elements *elements, supple_error *error) {
  search wanted = {.accessor = accessor};
  uint32_t view;
  if (!is_used(document) || !visit_all(document, compare, &wanted)) return SUPPLE_OK;
  const draco_array *array = &wanted.found;
  if (!has_decoder(document))
    return supplei_tree_fail(&document->tree, array->extension, error, SUPPLE_ERROR_UNSUPPORTED,
                             SUPPLEI_NEEDS_DRACO, extension_name);
  supple_result result = data_view(document, array->extension, &view, error);
  if (result) return result;
  uint64_t id = SUPPLE_NONE;
  supplei_tree_unsigned(&document->tree, array->id, SUPPLE_NONE - 1, &id);
  supplei_unpacked unpacked = {
      .value = array->id == SUPPLE_NONE ? array->extension : array->id,
      .stamp = {view, id, elements->component, elements->rows, elements->columns, elements->count}};
  elements->data = supplei_unpacked_find(document, unpacked.value, unpacked.stamp);
  if (elements->data) return SUPPLE_OK;
  result = decode_elements(document, array, elements, &unpacked, error);
  if (!result) result = supplei_unpacked_keep(document, &unpacked, error);
  if (result)
    supplei_unpacked_release(document, unpacked.data, unpacked.size);
  else
    elements->data = unpacked.data;
  return result;
}

/* ---- in the place of the compressed ones ---- */

/* New elements for an accessor, decoded before anything is changed. */
typedef struct pending {
  draco_array array;
  supplei_document_array named; /* what the accessor says */
  uint32_t count;
  unsigned char *data;
  size_t size;
} pending;

typedef struct replacement {
  supple_document *document;
  const supplei_open_draco *mesh; /* of the primitive that is visited */
  pending *items;
  uint32_t count, capacity;
  supple_error *error;
} replacement;

static supple_result decode_pending(void *user, const draco_array *array) {
  replacement *all = user;
  supple_document *document = all->document;
  pending item = {.array = *array};
  void *items = all->items;
  supple_result result = supplei_grow(&document->allocator, &items, &all->capacity, all->count,
                                      all->count + 1, sizeof *all->items, all->error);
  all->items = items;
  if (!result)
    result = supplei_document_array_read(document, array->accessor, &item.named, all->error);
  if (result) return result;
  const supplei_elements *e = &item.named.elements;
  const bool indices = array->id == SUPPLE_NONE;
  if (e->sparse_count)
    return supplei_tree_fail(&document->tree, item.named.value, all->error, SUPPLE_ERROR_UNSUPPORTED,
                             "is sparse on top of compressed data, which cannot be decompressed");
  item.count = indices ? all->mesh->indices : all->mesh->points;
  const supplei_elements wide = {.component = SUPPLEI_U32, .rows = 1, .columns = 1};
  item.size = item.count * (indices ? 4 : supplei_element_size(e->component, e->rows, e->columns));
  result =
      decode(document, array, all->mesh, indices ? &wide : e, item.count, &item.data, all->error);
  if (!result) all->items[all->count++] = item;
  return result;
}

/* Decodes a primitive and takes the extension out. */
static supple_result take_primitive(replacement *all, uint32_t primitive, uint32_t *changed) {
  supple_document *document = all->document;
  supplei_tree *tree = &document->tree;
  const uint32_t extension = supplei_document_extension(tree, primitive, extension_name);
  if (extension == SUPPLE_NONE) return SUPPLE_OK;
  supple_result result = open_mesh(document, extension, &all->mesh, all->error);
  if (result) return result;
  if (all->mesh->indices && supplei_tree_member(tree, primitive, "indices") == SUPPLE_NONE)
    result = supplei_tree_fail(tree, primitive, all->error, SUPPLE_ERROR_UNSUPPORTED,
                               "has compressed triangles, but no \"indices\" to take them");
  if (!result) result = visit_primitive(document, primitive, decode_pending, all);
  if (!result) result = supplei_decompress_drop(document, primitive, extension_name, all->error);
  /* What it decodes to is a list. */
  if (!result) result = supplei_tree_remove_member(tree, primitive, "mode", all->error);
  ++*changed;
  return result;
}

static supple_result take_all(replacement *all, uint32_t *changed) {
  const supple_document *document = all->document;
  supple_result result = SUPPLE_OK;
  for (uint32_t m = 0; m < supplei_document_table_count(document, "meshes"); m++) {
    const uint32_t primitives = supplei_tree_member(
        &document->tree, supplei_document_item(document, "meshes", m), "primitives");
    for (uint32_t p = 0, primitive;
         (primitive = supplei_tree_child(&document->tree, primitives, p)) != SUPPLE_NONE && !result;
         p++)
      result = take_primitive(all, primitive, changed);
  }
  return result;
}

/* The narrowest of the accessor's type and wider ones that holds all indices. */
static supplei_component index_component(const pending *item) {
  uint32_t largest = 0;
  for (size_t i = 0; i < item->count; i++) {
    uint32_t index;
    memcpy(&index, item->data + 4 * i, sizeof index);
    largest = index > largest ? index : largest;
  }
  const supplei_component named = item->named.elements.component;
  if (named == SUPPLEI_U8 && largest < 0xFF) return SUPPLEI_U8;
  return named != SUPPLEI_U32 && largest < 0xFFFF ? SUPPLEI_U16 : SUPPLEI_U32;
}

static supple_result put_pending(supple_document *document, const pending *item, bool shared,
                                 supple_error *error) {
  const supplei_elements *e = &item->named.elements;
  const bool indices = item->array.id == SUPPLE_NONE;
  const supplei_component component = indices ? index_component(item) : e->component;
  supple_accessor_data data = {.layout = {.component = (uint32_t)component,
                                          .rows = e->rows,
                                          .columns = e->columns,
                                          .normalized = e->normalized,
                                          .count = item->count},
                               .data = item->data,
                               .target = indices ? 34963 : 34962};
  supplei_tree *tree = &document->tree;
  if (indices) {
    const supple_result result =
        narrow(document, &item->array, component, item->count, item->data, error);
    if (result) return result;
  } else {
    const char *key = supplei_tree_key(tree, item->array.user);
    data.bounds = key && strcmp(key, "POSITION") == 0;
  }
  if (!shared) return supple_document_set_accessor(document, item->array.accessor, &data, error);
  uint32_t index = 0;
  char text[16];
  const supple_result result = supple_document_add_accessor(document, &data, &index, error);
  if (result) return result;
  snprintf(text, sizeof text, "%u", (unsigned)index);
  return supplei_tree_replace(tree, item->array.user, text, NULL, error);
}

/* An accessor that several primitives name becomes the first one's; others with other data get their own. */
static supple_result put_all(replacement *all) {
  supple_document *document = all->document;
  supplei_map first = {0};
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < all->count && !result; i++) {
    const pending *item = &all->items[i];
    const uint32_t other = supplei_map_get(&first, item->array.accessor);
    const bool shared = other != SUPPLE_NONE;
    if (!shared)
      result = supplei_map_set(&first, item->array.accessor, i, &document->allocator, all->error);
    else if (all->items[other].array.extension == item->array.extension)
      continue; /* one primitive, two names */
    if (!result) result = put_pending(document, item, shared, all->error);
  }
  supplei_map_release(&first, &document->allocator);
  return result;
}

/* Without a decoder the extension can go where everything is there uncompressed too. */
static supple_result check_plain(void *user, const draco_array *array) {
  replacement *all = user;
  supplei_document_array named;
  const supple_result result =
      supplei_document_array_read(all->document, array->accessor, &named, all->error);
  if (result || named.view != SUPPLE_NONE) return result;
  return supplei_tree_fail(&all->document->tree, array->extension, all->error,
                           SUPPLE_ERROR_UNSUPPORTED, SUPPLEI_NEEDS_DRACO, extension_name);
}

static supple_result drop_all(replacement *all, uint32_t *changed) {
  supple_document *document = all->document;
  const supplei_tree *tree = &document->tree;
  supple_result result = visit_all(document, check_plain, all);
  for (uint32_t m = 0; m < supplei_document_table_count(document, "meshes") && !result; m++) {
    const uint32_t primitives =
        supplei_tree_member(tree, supplei_document_item(document, "meshes", m), "primitives");
    for (uint32_t p = 0, primitive;
         (primitive = supplei_tree_child(tree, primitives, p)) != SUPPLE_NONE && !result; p++) {
      *changed += supplei_document_extension(tree, primitive, extension_name) != SUPPLE_NONE;
      result = supplei_decompress_drop(document, primitive, extension_name, all->error);
    }
  }
  return result;
}

supple_result supplei_decompress_primitives(supple_document *document, uint32_t *changed,
                                            supple_error *error) {
  replacement all = {.document = document, .error = error};
  if (!has_decoder(document)) return drop_all(&all, changed);
  supple_result result = take_all(&all, changed);
  supplei_document_close_draco(document); /* nothing names its bytes any more */
  if (!result) result = put_all(&all);
  for (uint32_t i = 0; i < all.count; i++)
    supplei_unpacked_release(document, all.items[i].data, all.items[i].size);
  supplei_release(&document->allocator, all.items, all.capacity, sizeof *all.items);
  return result;
}
