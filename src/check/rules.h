/* rules.h: what the rules of the specification share: the objects of a file as far as its JSON makes sense, and
 * who uses them.
 *
 * Looking at a file has four stages, as in the Khronos validator, so that both find the same: read each object
 * by itself, resolve what objects say of each other, look at the data, tell what nothing uses. Whatever does
 * not make sense is told once, then counts as absent. */
#ifndef SUPPLEI_RULES_H
#define SUPPLEI_RULES_H

#include "check_state.h"
#include "../gltf/elements.h"

/* An object of one of the top-level arrays; SUPPLE_NONE where the item is no object. */
typedef struct supplei_rules_array {
  supple_value value; /* the array, SUPPLE_NONE where there is none */
  uint32_t count;
} supplei_rules_array;

/* What a buffer view or an accessor is used for: everybody must agree. */
typedef enum supplei_rules_use {
  SUPPLEI_USE_NONE,
  SUPPLEI_USE_VERTICES, /* of a view, as its target says */
  SUPPLEI_USE_INDICES,
  SUPPLEI_USE_INVERSE_BINDS,
  SUPPLEI_USE_IMAGE,
  SUPPLEI_USE_OTHER, /* keys, sparse parts */
  SUPPLEI_USE_KEY_TIMES,
  SUPPLEI_USE_KEY_VALUES
} supplei_rules_use;

typedef struct supplei_rules_buffer {
  supple_value value;
  int64_t length;            /* −1: not known */
  const unsigned char *data; /* NULL: none */
  size_t size;
  bool used;
} supplei_rules_buffer;

typedef struct supplei_rules_view {
  supple_value value;
  uint32_t buffer;                /* SUPPLE_NONE: not known */
  int64_t offset, length, stride; /* −1: not known, of stride also: none */
  bool compressed;                /* its bytes are made by a codec */
  bool failed;                    /* its bytes are not to be had */
  bool used;
  supplei_rules_use use;
  uint32_t vertex_accessors; /* that lie in it without a stride */
} supplei_rules_view;

/* A look at every element, asked for by a user of an accessor. */
typedef enum supplei_rules_look {
  SUPPLEI_LOOK_TIMES,
  SUPPLEI_LOOK_QUATERNIONS,
  SUPPLEI_LOOK_CUBIC_QUATERNIONS,
  SUPPLEI_LOOK_INVERSE_BINDS,
  SUPPLEI_LOOK_NORMALS,
  SUPPLEI_LOOK_TANGENTS,
  SUPPLEI_LOOK_COLORS,
  SUPPLEI_LOOK_INDICES
} supplei_rules_look;

typedef struct supplei_rules_wish {
  struct supplei_rules_wish *next;
  supple_value user; /* the value that findings point at */
  supplei_rules_look look;
  int64_t vertices; /* of the primitive, for indices; −1: not known */
  bool triangles;
  uint8_t number; /* of the look that serves it */
} supplei_rules_wish;

typedef struct supplei_rules_accessor {
  supple_value value, min, max; /* min and max SUPPLE_NONE: absent or wrong */
  uint32_t view;                /* SUPPLE_NONE: none */
  int64_t offset, count;        /* −1: wrong */
  uint32_t component;           /* 5120 …, 0: wrong */
  uint8_t rows, columns;        /* 0: wrong */
  bool normalized, used, in_view_without_stride;
  supplei_rules_use use;
  supple_value sparse; /* SUPPLE_NONE: none, or not complete */
  int64_t sparse_count, sparse_indices_offset, sparse_values_offset;
  uint32_t sparse_component, sparse_indices_view, sparse_values_view;
  supplei_rules_wish *wishes;
} supplei_rules_accessor;

/* One JOINTS_n and WEIGHTS_n. */
typedef struct supplei_rules_set {
  supple_value joints_value, weights_value;
  uint32_t joints, weights; /* accessors, SUPPLE_NONE: absent */
} supplei_rules_set;

typedef struct supplei_rules_primitive {
  supple_value value, attributes, targets; /* SUPPLE_NONE: absent or wrong */
  uint32_t indices, mode;
  uint32_t set_count; /* 0 also where JOINTS and WEIGHTS do not go together */
  int64_t vertices;   /* −1: not known */
  supplei_rules_set *sets;
} supplei_rules_primitive;

typedef struct supplei_rules_mesh {
  supple_value value;
  supplei_rules_primitive *primitives; /* NULL: wrong */
  uint32_t primitive_count;
  uint32_t target_count; /* of the first primitive; SUPPLE_NONE: it has no `targets` */
  bool weights, weights_needed, used;
  uint32_t joint_limit,
      limiting_skin; /* of the smallest skin that it is used with; SUPPLE_NONE: none */
} supplei_rules_mesh;

typedef struct supplei_rules_node {
  supple_value value, children;
  uint32_t mesh, skin, parent; /* SUPPLE_NONE: none */
  uint32_t weight_count;       /* 0: none */
  bool matrix;                 /* it has one that makes sense */
  bool moved;                  /* its transform is not the identity */
  bool joint, used, camera, extended;
} supplei_rules_node;

typedef struct supplei_rules_skin {
  supple_value value, joints;
  uint32_t inverse_binds, skeleton;
  bool used;
} supplei_rules_skin;

typedef struct supplei_rules {
  supplei_check *check;
  const supple_document *document;
  supplei_arena scratch;
  const char **declared; /* extensionsUsed, sorted */
  uint32_t declared_count;
  bool quantized; /* KHR_mesh_quantization is among them */
  supplei_rules_array accessor_array, animation_array, buffer_array, view_array, image_array,
      material_array, mesh_array, node_array, scene_array, skin_array;
  supplei_rules_buffer *buffers;
  supplei_rules_view *views;
  supplei_rules_accessor *accessors;
  supplei_rules_mesh *meshes;
  supplei_rules_node *nodes;
  supplei_rules_skin *skins;
  uint32_t *stamps, stamp; /* [nodes]: which were seen in a list */
  uint64_t work_left; /* components that may still be looked at: elements may overlap, so that a small file can ask
                         for very much */
  bool work_told;
} supplei_rules;

/* ---- rules.c ---- */

/* Scratch memory, cleared; NULL (and check->result) when out of memory. */
void *supplei_rules_allocate(supplei_rules *rules, size_t count, size_t size);

/* ---- rules_schema.c: properties of objects ---- */

/* A finding at a value; at a member of it that may be missing (key NULL, here and below: at the value itself, which
 * spares a search among a million members); and one that speaks of many. */
void supplei_rules_found(supplei_rules *rules, supplei_code code, supple_value value,
                         const char *format, ...) SUPPLEI_PRINTF(4, 5);
void supplei_rules_found_key(supplei_rules *rules, supplei_code code, supple_value object,
                             const char *key, const char *format, ...) SUPPLEI_PRINTF(5, 6);
void supplei_rules_found_many(supplei_rules *rules, supplei_code code, supple_value value,
                              uint64_t count, const char *format, ...) SUPPLEI_PRINTF(5, 6);

/* Whether an extension is in extensionsUsed. */
bool supplei_rules_declares(const supplei_rules *rules, const char *name);
/* What every object may have: only these keys (a list that ends with NULL), extensions, extras; `name` is text. */
void supplei_rules_object(supplei_rules *rules, supple_value object, const char *const *keys);
/* A member; SUPPLE_NONE where it is absent. null is a finding and absent. */
supple_value supplei_rules_member(supplei_rules *rules, supple_value object, const char *key,
                                  const char *type);
/* A member of a type; SUPPLE_NONE where it is absent or another. */
supple_value supplei_rules_typed(supplei_rules *rules, supple_value object, const char *key,
                                 supple_value_type type, bool required);
/* A whole number in [smallest, largest <= 2^53], where 2^53 stands for all above; `otherwise` where absent, −1 where
 * wrong. */
int64_t supplei_rules_integer(supplei_rules *rules, supple_value object, const char *key,
                              int64_t smallest, int64_t largest, int64_t otherwise);
enum { SUPPLEI_REQUIRED = -2 }; /* as `otherwise`: it must not be absent (which then gives −1) */
/* One of a list that ends with 0; 0 where absent or wrong. */
uint32_t supplei_rules_choice(supplei_rules *rules, supple_value object, const char *key,
                              const uint32_t *list, bool required);
/* Text; NULL where absent or wrong. Of a list that ends with NULL, where that is not NULL. */
const char *supplei_rules_text(supplei_rules *rules, supple_value object, const char *key,
                               const char *const *list, bool required);
bool supplei_rules_bool(supplei_rules *rules, supple_value object, const char *key);
/* An index, not resolved; SUPPLE_NONE where absent or wrong. */
uint32_t supplei_rules_index(supplei_rules *rules, supple_value object, const char *key,
                             bool required);
/* The same of a value that exists. */
uint32_t supplei_rules_index_of(supplei_rules *rules, supple_value value);
/* An array of numbers, `count` of them (0: any but none), each in [smallest, largest], into out (may be NULL).
 * SUPPLE_NONE where absent or wrong. */
supple_value supplei_rules_numbers(supplei_rules *rules, supple_value object, const char *key,
                                   uint32_t count, double smallest, double largest, double *out);
/* An array of indices of nodes without repetition; SUPPLE_NONE where absent or wrong. */
supple_value supplei_rules_nodes(supplei_rules *rules, supple_value object, const char *key,
                                 bool required);
/* A required array of objects, not empty; SUPPLE_NONE where it is not. */
supple_value supplei_rules_objects(supplei_rules *rules, supple_value object, const char *key);
/* Whether an index (SUPPLE_NONE: it is not known) names an object of an array; if not, UNRESOLVED_REFERENCE is
 * found at object/key. */
bool supplei_rules_resolve(supplei_rules *rules, supple_value object, const char *key,
                           uint32_t index, const supplei_rules_array *array, const char *what);
/* The node that an item of a list names, SUPPLE_NONE (and the same finding) where there is none. */
uint32_t supplei_rules_node_of(supplei_rules *rules, supple_value item);

/* ---- rules_buffers.c ---- */

void supplei_rules_read_buffers(supplei_rules *rules);
void supplei_rules_link_views(supplei_rules *rules);
/* Opens the buffers, and looks at what they hold of what they promise. */
void supplei_rules_open_buffers(supplei_rules *rules);
/* The bytes of a view, decompressed; NULL where they are not all there. */
const unsigned char *supplei_rules_view_bytes(supplei_rules *rules, uint32_t view);
/* A user, which object/key names, needs a view, an accessor (and the view below it) for something. */
void supplei_rules_use_view(supplei_rules *rules, uint32_t view, supplei_rules_use use,
                            supple_value object, const char *key);

/* ---- rules_accessors.c ---- */

void supplei_rules_read_accessors(supplei_rules *rules);
void supplei_rules_link_accessors(supplei_rules *rules);
void supplei_rules_use_accessor(supplei_rules *rules, uint32_t accessor, supplei_rules_use use,
                                supple_value object, const char *key);
/* "VEC4 of normalised u8" into out[64]; returns it. */
const char *supplei_rules_format(const supplei_rules_accessor *accessor, char *out);
/* Asks for a look at its elements. */
supplei_rules_wish *supplei_rules_wish_for(supplei_rules *rules, uint32_t accessor,
                                           supplei_rules_look look, supple_value user);

/* ---- rules_meshes.c ---- */

void supplei_rules_read_meshes(supplei_rules *rules);
void supplei_rules_link_meshes(supplei_rules *rules);

/* ---- rules_nodes.c: nodes, scenes ---- */

void supplei_rules_read_nodes(supplei_rules *rules);
void supplei_rules_link_nodes(supplei_rules *rules);
void supplei_rules_link_scenes(supplei_rules *rules);
void supplei_rules_judge_nodes(supplei_rules *rules);

/* ---- rules_skins.c ---- */

void supplei_rules_read_skins(supplei_rules *rules);
void supplei_rules_link_skins(supplei_rules *rules);

/* ---- rules_animations.c ---- */

void supplei_rules_animations(supplei_rules *rules);

/* ---- rules_data.c, rules_influences.c: what the buffers hold ---- */

/* Reads elements from first to last, as stored: integers as they are, sparse ones in their place. */
typedef struct supplei_rules_cursor {
  supplei_elements elements;
  uint32_t next, sparse_next;
} supplei_rules_cursor;

/* False where an accessor has no data, or what was found before keeps it from being read. */
bool supplei_rules_open(supplei_rules *rules, uint32_t accessor, supplei_rules_cursor *cursor);
/* The next `count` elements into out[count][rows × columns], column by column. */
void supplei_rules_decode(supplei_rules_cursor *cursor, uint32_t count, double *out);
/* What an integer of a normalised accessor stands for. */
double supplei_rules_normalize(uint32_t component, double value);
/* Takes `work` from what is left; false (and a finding, once) where that is not enough. */
bool supplei_rules_afford(supplei_rules *rules, double work);

void supplei_rules_data(supplei_rules *rules);
void supplei_rules_influences(supplei_rules *rules);

#endif
