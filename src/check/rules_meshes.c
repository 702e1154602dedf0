/* rules_meshes.c: meshes, their primitives, attributes, indices and morph targets. */
#include "../base/prologue.h"

#include "rules.h"

#include "../gltf/elements.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

/* ---- the names of attributes ---- */

typedef enum semantic_kind {
  SEMANTIC_WRONG,
  SEMANTIC_CUSTOM, /* starts with an underscore: anything goes */
  SEMANTIC_POSITION,
  SEMANTIC_NORMAL,
  SEMANTIC_TANGENT,
  SEMANTIC_TEXCOORD, /* from here on with a number */
  SEMANTIC_COLOR,
  SEMANTIC_JOINTS,
  SEMANTIC_WEIGHTS,
  SEMANTIC_COUNT
} semantic_kind;

typedef struct semantic {
  semantic_kind kind;
  uint32_t set; /* SUPPLE_NONE: too large for any */
} semantic;

/* A decimal number without leading zeros. */
static bool parse_set(const char *text, uint32_t *set) {
  uint64_t value = 0;
  if (!*text || (text[0] == '0' && text[1])) return false;
  for (; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    value = value < SUPPLE_NONE ? value * 10 + (uint64_t)(*text - '0') : value;
  }
  *set = value < SUPPLE_NONE ? (uint32_t)value : SUPPLE_NONE;
  return true;
}

static semantic parse_semantic(const char *name) {
  static const struct {
    const char *name;
    semantic_kind kind;
  } plain[] = {{"POSITION", SEMANTIC_POSITION},
               {"NORMAL", SEMANTIC_NORMAL},
               {"TANGENT", SEMANTIC_TANGENT}},
    numbered[] = {{"TEXCOORD_", SEMANTIC_TEXCOORD},
                  {"COLOR_", SEMANTIC_COLOR},
                  {"JOINTS_", SEMANTIC_JOINTS},
                  {"WEIGHTS_", SEMANTIC_WEIGHTS}};
  semantic result = {name[0] == '_' ? SEMANTIC_CUSTOM : SEMANTIC_WRONG, 0};
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (strcmp(name, plain[i].name) == 0) result.kind = plain[i].kind;
  for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++) {
    size_t length = strlen(numbered[i].name);
    if (strncmp(name, numbered[i].name, length) == 0 && parse_set(name + length, &result.set))
      result.kind = numbered[i].kind;
  }
  return result;
}

/* ---- formats ---- */

enum { F32 = 1, I8 = 2, U8 = 4, I16 = 8, U16 = 16, NI8 = 32, NU8 = 64, NI16 = 128, NU16 = 256 };

static unsigned format_of(const supplei_rules_accessor *accessor) {
  bool normalized = accessor->normalized;
  switch (accessor->component) {
  case SUPPLEI_I8: return normalized ? NI8 : I8;
  case SUPPLEI_U8: return normalized ? NU8 : U8;
  case SUPPLEI_I16: return normalized ? NI16 : I16;
  case SUPPLEI_U16: return normalized ? NU16 : U16;
  case SUPPLEI_F32: return normalized ? 0 : F32;
  default: return 0;
  }
}

/* The formats of glTF 2.0, table "Meshes Overview", and of KHR_mesh_quantization. */
static bool format_fits(const supplei_rules *rules, semantic_kind kind,
                        const supplei_rules_accessor *accessor, bool target) {
  static const unsigned plain[SEMANTIC_COUNT] = {[SEMANTIC_POSITION] = F32,
                                                 [SEMANTIC_NORMAL] = F32,
                                                 [SEMANTIC_TANGENT] = F32,
                                                 [SEMANTIC_TEXCOORD] = F32 | NU8 | NU16,
                                                 [SEMANTIC_COLOR] = F32 | NU8 | NU16,
                                                 [SEMANTIC_JOINTS] = U8 | U16,
                                                 [SEMANTIC_WEIGHTS] = F32 | NU8 | NU16},
                        quantized[SEMANTIC_COUNT] = {[SEMANTIC_POSITION] = I8 | NI8 | U8 | NU8 |
                                                                           I16 | NI16 | U16 | NU16,
                                                     [SEMANTIC_NORMAL] = NI8 | NI16,
                                                     [SEMANTIC_TANGENT] = NI8 | NI16,
                                                     [SEMANTIC_TEXCOORD] =
                                                         I8 | NI8 | U8 | I16 | NI16 | U16},
                        plain_target[SEMANTIC_COUNT] =
                            {[SEMANTIC_TEXCOORD] = NI8 | NI16, [SEMANTIC_COLOR] = NI8 | NI16},
                        quantized_target[SEMANTIC_COUNT] = {[SEMANTIC_POSITION] =
                                                                I8 | NI8 | I16 | NI16,
                                                            [SEMANTIC_NORMAL] = NI8 | NI16,
                                                            [SEMANTIC_TANGENT] = NI8 | NI16,
                                                            [SEMANTIC_TEXCOORD] = I8 | I16};
  unsigned formats = plain[kind] | (target ? plain_target[kind] : 0);
  if (rules->quantized) formats |= target ? quantized_target[kind] : quantized[kind];
  uint8_t rows = 4, rows_too = 4;
  if (kind == SEMANTIC_POSITION || kind == SEMANTIC_NORMAL) rows = rows_too = 3;
  if (kind == SEMANTIC_TANGENT && target) rows = rows_too = 3;
  if (kind == SEMANTIC_TEXCOORD) rows = rows_too = 2;
  if (kind == SEMANTIC_COLOR) rows = 3;
  return accessor->columns == 1 && (accessor->rows == rows || accessor->rows == rows_too) &&
         format_of(accessor) & formats;
}

/* ---- reading ---- */

typedef struct attribute_counts {
  bool position, normal, tangent;
  struct {
    uint32_t count, sets; /* of one kind; one more than the largest number */
  } numbered[SEMANTIC_COUNT];
} attribute_counts;

static void read_attribute_names(supplei_rules *rules, supple_value attributes,
                                 attribute_counts *counts) {
  uint32_t count = supple_document_count(rules->document, attributes);
  for (uint32_t i = 0; i < count; i++) {
    supple_value item = supple_document_child(rules->document, attributes, i);
    semantic found = parse_semantic(supple_document_key(rules->document, item));
    counts->position |= found.kind == SEMANTIC_POSITION;
    counts->normal |= found.kind == SEMANTIC_NORMAL;
    counts->tangent |= found.kind == SEMANTIC_TANGENT;
    if (found.kind == SEMANTIC_WRONG)
      supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_INVALID_ATTRIBUTE, item,
                          "is no attribute of glTF; names of one's own start with an underscore");
    if (found.kind >= SEMANTIC_TEXCOORD) {
      counts->numbered[found.kind].count++;
      if (found.set >= counts->numbered[found.kind].sets)
        counts->numbered[found.kind].sets = found.set < SUPPLE_NONE ? found.set + 1 : SUPPLE_NONE;
    }
    if (supplei_rules_index_of(rules, item) == SUPPLE_NONE)
      supplei_rules_found(rules, SUPPLEI_CODE_INVALID_INDEX, item,
                          "is no index (a whole number, 0 or more)");
  }
}

/* The numbers of one kind start at 0 and leave nothing out; 0 where they do not. */
static uint32_t continuous(supplei_rules *rules, supple_value attributes,
                           const attribute_counts *counts, semantic_kind kind) {
  static const char *const names[SEMANTIC_COUNT] = {[SEMANTIC_TEXCOORD] = "TEXCOORD",
                                                    [SEMANTIC_COLOR] = "COLOR",
                                                    [SEMANTIC_JOINTS] = "JOINTS",
                                                    [SEMANTIC_WEIGHTS] = "WEIGHTS"};
  uint32_t count = counts->numbered[kind].count;
  if (counts->numbered[kind].sets == count) return count;
  supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY, attributes,
                      "has %u attributes %s_n, but the largest n is %u", (unsigned)count,
                      names[kind], (unsigned)(counts->numbered[kind].sets - 1));
  return 0;
}

static void read_attributes(supplei_rules *rules, supplei_rules_primitive *primitive) {
  supple_value attributes =
      supplei_rules_typed(rules, primitive->value, "attributes", SUPPLE_VALUE_OBJECT, true);
  if (attributes == SUPPLE_NONE) return;
  if (!supple_document_count(rules->document, attributes)) {
    supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, attributes, "is empty");
    return;
  }
  primitive->attributes = attributes;
  attribute_counts counts = {0};
  read_attribute_names(rules, attributes, &counts);
  if (!counts.position)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_NO_POSITION, attributes,
                        "has no POSITION: there is nothing to draw");
  if (counts.tangent && !counts.normal)
    supplei_rules_found_key(rules, SUPPLEI_CODE_MESH_PRIMITIVE_TANGENT_WITHOUT_NORMAL, attributes,
                            "TANGENT", "TANGENT without NORMAL");
  continuous(rules, attributes, &counts, SEMANTIC_COLOR);
  uint32_t joints = continuous(rules, attributes, &counts, SEMANTIC_JOINTS);
  uint32_t weights = continuous(rules, attributes, &counts, SEMANTIC_WEIGHTS);
  continuous(rules, attributes, &counts, SEMANTIC_TEXCOORD);
  if (joints != weights)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH, attributes,
                        "has %u attributes JOINTS_n and %u WEIGHTS_n", (unsigned)joints,
                        (unsigned)weights);
  else
    primitive->set_count = joints;
}

static void read_targets(supplei_rules *rules, supplei_rules_primitive *primitive) {
  supple_value targets =
      supplei_rules_typed(rules, primitive->value, "targets", SUPPLE_VALUE_ARRAY, false);
  if (targets == SUPPLE_NONE) return;
  uint32_t count = supple_document_count(rules->document, targets);
  bool wrong = !count;
  if (!count) supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, targets, "is empty");
  for (uint32_t i = 0; i < count; i++) {
    supple_value target = supple_document_child(rules->document, targets, i);
    uint32_t names = supple_document_count(rules->document, target);
    if (supple_document_type(rules->document, target) != SUPPLE_VALUE_OBJECT) {
      supplei_rules_found(rules, SUPPLEI_CODE_ARRAY_TYPE_MISMATCH, targets, "item %u is no object",
                          (unsigned)i);
      wrong = true;
      continue;
    }
    if (!names) {
      supplei_rules_found(rules, SUPPLEI_CODE_EMPTY_ENTITY, target, "is empty");
      wrong = true;
    }
    for (uint32_t k = 0; k < names; k++) {
      supple_value item = supple_document_child(rules->document, target, k);
      semantic_kind kind = parse_semantic(supple_document_key(rules->document, item)).kind;
      if (kind == SEMANTIC_WRONG || kind == SEMANTIC_JOINTS || kind == SEMANTIC_WEIGHTS)
        supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_INVALID_ATTRIBUTE, item,
                            "is no attribute that a morph target can have");
      if (supplei_rules_index_of(rules, item) == SUPPLE_NONE)
        supplei_rules_found(rules, SUPPLEI_CODE_INVALID_INDEX, item,
                            "is no index (a whole number, 0 or more)");
    }
  }
  if (!wrong) primitive->targets = targets;
}

static void read_primitive(supplei_rules *rules, supplei_rules_primitive *primitive) {
  static const char *const keys[] = {"attributes", "indices", "material", "mode", "targets", NULL};
  supplei_rules_object(rules, primitive->value, keys);
  int64_t mode = supplei_rules_integer(rules, primitive->value, "mode", 0, 6, 4);
  primitive->mode = mode < 0 ? SUPPLE_NONE : (uint32_t)mode;
  read_attributes(rules, primitive);
  read_targets(rules, primitive);
  primitive->indices = supplei_rules_index(rules, primitive->value, "indices", false);
  uint32_t material = supplei_rules_index(rules, primitive->value, "material", false);
  supplei_rules_resolve(rules, primitive->value, "material", material, &rules->material_array,
                        "material");
}

static void read_mesh(supplei_rules *rules, supplei_rules_mesh *mesh) {
  static const char *const keys[] = {"primitives", "weights", "name", NULL};
  supplei_rules_object(rules, mesh->value, keys);
  supple_value weights =
      supplei_rules_numbers(rules, mesh->value, "weights", 0, -DBL_MAX, DBL_MAX, NULL);
  mesh->weights = weights != SUPPLE_NONE;
  supple_value array = supplei_rules_objects(rules, mesh->value, "primitives");
  if (array == SUPPLE_NONE) return;
  uint32_t count = supple_document_count(rules->document, array), targets = 0;
  mesh->primitives = supplei_rules_allocate(rules, count, sizeof *mesh->primitives);
  if (!mesh->primitives) return;
  mesh->primitive_count = count;
  for (uint32_t i = 0; i < count; i++) {
    supplei_rules_primitive *primitive = &mesh->primitives[i];
    *primitive = (supplei_rules_primitive){.value = supple_document_child(rules->document, array, i),
                                           .attributes = SUPPLE_NONE,
                                           .targets = SUPPLE_NONE,
                                           .indices = SUPPLE_NONE,
                                           .vertices = -1};
    read_primitive(rules, primitive);
    uint32_t own = supple_document_count(rules->document, primitive->targets);
    if (i == 0) {
      targets = own;
      mesh->target_count = primitive->targets == SUPPLE_NONE ? SUPPLE_NONE : own;
    } else if (own != targets) {
      if (own)
        supplei_rules_found_key(
            rules, SUPPLEI_CODE_MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT, primitive->value, "targets",
            "has %u morph targets, the first primitive %u", (unsigned)own, (unsigned)targets);
      else
        supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT,
                            primitive->value, "has no morph targets, the first primitive %u",
                            (unsigned)targets);
    }
  }
  uint32_t weight_count = supple_document_count(rules->document, weights);
  if (mesh->weights && weight_count != targets)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_INVALID_WEIGHTS_COUNT, weights,
                        "has %u weights for %u morph targets", (unsigned)weight_count,
                        (unsigned)targets);
}

void supplei_rules_read_meshes(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->mesh_array.count; i++)
    if (rules->meshes[i].value != SUPPLE_NONE) read_mesh(rules, &rules->meshes[i]);
}

/* ---- linking ---- */

/* Vertex data starts at multiples of four, and shares a view only where that has a stride. */
static void check_layout(supplei_rules *rules, supplei_rules_accessor *accessor, supple_value item) {
  supplei_rules_view *view = accessor->view != SUPPLE_NONE ? &rules->views[accessor->view] : NULL;
  size_t size = accessor->component && accessor->rows
                    ? supplei_element_size((supplei_component)accessor->component, accessor->rows,
                                           accessor->columns)
                    : 0;
  bool tight = view && view->stride == -1;
  if ((accessor->offset != -1 && accessor->offset % 4) || (size % 4 && tight))
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_ACCESSOR_UNALIGNED, item,
                        "its elements do not start at multiples of four bytes");
  if (!tight || accessor->in_view_without_stride) return;
  accessor->in_view_without_stride = true;
  if (++view->vertex_accessors > 1)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_ACCESSOR_WITHOUT_BYTESTRIDE, item,
                        "shares view %u, which has no byteStride", (unsigned)accessor->view);
}

static void check_format(supplei_rules *rules, semantic_kind kind,
                         const supplei_rules_accessor *accessor, supple_value item, bool target) {
  char format[64];
  if (kind < SEMANTIC_POSITION) {
    if (accessor->component == SUPPLEI_U32 && !target)
      supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT, item,
                          "is of uint32, which no attribute can be");
  } else if (!format_fits(rules, kind, accessor, target)) {
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT, item,
                        "is %s, which this attribute cannot be",
                        supplei_rules_format(accessor, format));
  }
}

static void keep_set(supplei_rules_primitive *primitive, semantic found, supple_value item,
                     uint32_t accessor) {
  if (found.set >= primitive->set_count || !primitive->sets) return;
  supplei_rules_set *set = &primitive->sets[found.set];
  if (found.kind == SEMANTIC_JOINTS) set->joints = accessor, set->joints_value = item;
  if (found.kind == SEMANTIC_WEIGHTS) set->weights = accessor, set->weights_value = item;
}

static void link_attribute(supplei_rules *rules, supplei_rules_primitive *primitive,
                           supple_value item) {
  const char *key = supple_document_key(rules->document, item);
  semantic found = parse_semantic(key);
  uint32_t index = supplei_rules_index_of(rules, item);
  if (!supplei_rules_resolve(rules, item, NULL, index, &rules->accessor_array, "accessor")) return;
  supplei_rules_accessor *accessor = &rules->accessors[index];
  keep_set(primitive, found, item, index);
  supplei_rules_use_accessor(rules, index, SUPPLEI_USE_VERTICES, item, NULL);
  if (found.kind == SEMANTIC_POSITION &&
      (accessor->min == SUPPLE_NONE || accessor->max == SUPPLE_NONE))
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS, item,
                        "accessor %u has no min or no max", (unsigned)index);
  check_format(rules, found.kind, accessor, item, false);
  if (found.kind >= SEMANTIC_POSITION && format_fits(rules, found.kind, accessor, false)) {
    if (found.kind == SEMANTIC_NORMAL)
      supplei_rules_wish_for(rules, index, SUPPLEI_LOOK_NORMALS, item);
    if (found.kind == SEMANTIC_TANGENT)
      supplei_rules_wish_for(rules, index, SUPPLEI_LOOK_TANGENTS, item);
    if (found.kind == SEMANTIC_COLOR && found.set == 0 && accessor->component == SUPPLEI_F32)
      supplei_rules_wish_for(rules, index, SUPPLEI_LOOK_COLORS, item);
  }
  if (primitive->vertices == -1)
    primitive->vertices = accessor->count;
  else if (primitive->vertices != accessor->count)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT, item,
                        "has %lld elements, the attributes before %lld", (long long)accessor->count,
                        (long long)primitive->vertices);
  check_layout(rules, accessor, item);
}

static void link_attributes(supplei_rules *rules, supplei_rules_primitive *primitive) {
  if (primitive->set_count)
    primitive->sets = supplei_rules_allocate(rules, primitive->set_count, sizeof *primitive->sets);
  for (uint32_t i = 0; primitive->sets && i < primitive->set_count; i++)
    primitive->sets[i] = (supplei_rules_set){SUPPLE_NONE, SUPPLE_NONE, SUPPLE_NONE, SUPPLE_NONE};
  uint32_t count = supple_document_count(rules->document, primitive->attributes);
  for (uint32_t i = 0; i < count; i++)
    link_attribute(rules, primitive,
                   supple_document_child(rules->document, primitive->attributes, i));
}

static void check_drawing(supplei_rules *rules, const supplei_rules_primitive *primitive,
                          int64_t drawn) {
  static const char *const modes[] = {"POINTS",    "LINES",          "LINE_LOOP",   "LINE_STRIP",
                                      "TRIANGLES", "TRIANGLE_STRIP", "TRIANGLE_FAN"};
  uint32_t mode = primitive->mode;
  if (drawn == -1 || mode == SUPPLE_NONE) return;
  if ((mode == 1 && drawn % 2) || ((mode == 2 || mode == 3) && drawn < 2) ||
      (mode == 4 && drawn % 3) || (mode >= 5 && drawn < 3))
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_INCOMPATIBLE_MODE, primitive->value,
                        "draws %lld vertices as %s", (long long)drawn, modes[mode]);
}

/* Returns how many vertices are drawn, −1: not known. */
static int64_t link_indices(supplei_rules *rules, const supplei_rules_primitive *primitive) {
  if (primitive->indices == SUPPLE_NONE) return primitive->vertices;
  if (!supplei_rules_resolve(rules, primitive->value, "indices", primitive->indices,
                             &rules->accessor_array, "accessor"))
    return primitive->vertices;
  supplei_rules_accessor *accessor = &rules->accessors[primitive->indices];
  supple_value item = supple_document_member(rules->document, primitive->value, "indices");
  supplei_rules_use_accessor(rules, primitive->indices, SUPPLEI_USE_INDICES, primitive->value,
                             "indices");
  if (accessor->view != SUPPLE_NONE && rules->views[accessor->view].stride != -1)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE, item,
                        "view %u has a byteStride", (unsigned)accessor->view);
  char format[64];
  bool fits = accessor->rows == 1 && accessor->columns == 1 && !accessor->normalized &&
              (accessor->component == SUPPLEI_U8 || accessor->component == SUPPLEI_U16 ||
               accessor->component == SUPPLEI_U32);
  if (!fits) {
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT, item,
                        "is %s; indices are SCALAR of uint8, uint16 or uint32",
                        supplei_rules_format(accessor, format));
  } else if (primitive->mode != SUPPLE_NONE) {
    supplei_rules_wish *wish =
        supplei_rules_wish_for(rules, primitive->indices, SUPPLEI_LOOK_INDICES, item);
    if (wish) {
      wish->vertices = primitive->vertices;
      wish->triangles = primitive->mode == 4;
    }
  }
  return accessor->count;
}

static void link_target_attribute(supplei_rules *rules, const supplei_rules_primitive *primitive,
                                  supple_value item) {
  const char *key = supple_document_key(rules->document, item);
  uint32_t index = supplei_rules_index_of(rules, item);
  if (!supplei_rules_resolve(rules, item, NULL, index, &rules->accessor_array, "accessor")) return;
  supplei_rules_accessor *accessor = &rules->accessors[index];
  semantic found = parse_semantic(key);
  supplei_rules_use_accessor(rules, index, SUPPLEI_USE_VERTICES, item, NULL);
  if (!supplei_rules_afford(rules, supple_document_count(rules->document, primitive->attributes)))
    return;
  supple_value base = supple_document_member(rules->document, primitive->attributes, key);
  uint32_t base_index = supplei_rules_index_of(rules, base);
  if (base_index >= rules->accessor_array.count || rules->accessors[base_index].value == SUPPLE_NONE)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR, item,
                        "the primitive itself has no such attribute");
  else if (rules->accessors[base_index].count != accessor->count)
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT,
                        item, "has %lld elements, the primitive %lld", (long long)accessor->count,
                        (long long)rules->accessors[base_index].count);
  if (found.kind == SEMANTIC_POSITION &&
      (accessor->min == SUPPLE_NONE || accessor->max == SUPPLE_NONE))
    supplei_rules_found(rules, SUPPLEI_CODE_MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS, item,
                        "accessor %u has no min or no max", (unsigned)index);
  if (found.kind >= SEMANTIC_POSITION && found.kind < SEMANTIC_JOINTS)
    check_format(rules, found.kind, accessor, item, true);
  check_layout(rules, accessor, item);
}

static void link_targets(supplei_rules *rules, const supplei_rules_primitive *primitive) {
  uint32_t count = supple_document_count(rules->document, primitive->targets);
  for (uint32_t i = 0; i < count; i++) {
    supple_value target = supple_document_child(rules->document, primitive->targets, i);
    uint32_t names = supple_document_count(rules->document, target);
    for (uint32_t k = 0; k < names; k++)
      link_target_attribute(rules, primitive, supple_document_child(rules->document, target, k));
  }
}

/* The views that compressed geometry lies in are in use. */
static void link_codec(supplei_rules *rules, const supplei_rules_primitive *primitive) {
  supple_value extensions = supple_document_member(rules->document, primitive->value, "extensions"),
               draco = supple_document_member(rules->document, extensions,
                                              "KHR_draco_mesh_compression");
  uint32_t view = supple_document_index(
      rules->document, supple_document_member(rules->document, draco, "bufferView"));
  if (view < rules->view_array.count) rules->views[view].used = true;
}

void supplei_rules_link_meshes(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->mesh_array.count; i++)
    for (uint32_t k = 0; k < rules->meshes[i].primitive_count; k++) {
      supplei_rules_primitive *primitive = &rules->meshes[i].primitives[k];
      link_attributes(rules, primitive);
      check_drawing(rules, primitive, link_indices(rules, primitive));
      link_targets(rules, primitive);
      link_codec(rules, primitive);
    }
}
