/* rules_animations.c: animations, their channels and samplers. */
#include "../base/prologue.h"

#include "rules.h"

#include "../base/merge_sort.h"
#include "../gltf/elements.h"

#include <string.h>

typedef enum channel_path {
  PATH_NONE, /* absent, wrong, or of an extension */
  PATH_TRANSLATION,
  PATH_ROTATION,
  PATH_SCALE,
  PATH_WEIGHTS
} channel_path;

typedef struct sampler {
  supple_value value;
  uint32_t input, output; /* accessors, SUPPLE_NONE: none */
  bool cubic, used;
  bool known; /* the interpolation is of the right type; it is LINEAR unless told */
} sampler;

typedef struct channel {
  supple_value value, target; /* target SUPPLE_NONE: absent or wrong */
  uint32_t sampler, node;
  channel_path path;
} channel;

/* ---- reading ---- */

static channel read_channel(supplei_rules *rules, supple_value value) {
  static const char *const channel_keys[] = {"target", "sampler", NULL},
                           *const target_keys[] = {"node", "path", NULL},
                           *const paths[] = {"translation", "rotation", "scale", "weights", NULL},
                           *const pointer_paths[] = {"translation", "rotation", "scale",
                                                     "weights",     "pointer",  NULL};
  channel c = {value, SUPPLE_NONE, SUPPLE_NONE, SUPPLE_NONE, PATH_NONE};
  supplei_rules_object(rules, value, channel_keys);
  c.sampler = supplei_rules_index(rules, value, "sampler", true);
  c.target = supplei_rules_typed(rules, value, "target", SUPPLE_VALUE_OBJECT, true);
  if (c.target == SUPPLE_NONE) return c;
  supplei_rules_object(rules, c.target, target_keys);
  c.node = supplei_rules_index(rules, c.target, "node", false);
  supple_value extensions = supple_document_member(rules->document, c.target, "extensions");
  bool pointer =
      supple_document_member(rules->document, extensions, "KHR_animation_pointer") != SUPPLE_NONE;
  const char *path =
      supplei_rules_text(rules, c.target, "path", pointer ? pointer_paths : paths, true);
  for (int i = 0; path && paths[i]; i++)
    if (strcmp(path, paths[i]) == 0) c.path = (channel_path)(PATH_TRANSLATION + i);
  return c;
}

static sampler read_sampler(supplei_rules *rules, supple_value value) {
  static const char *const keys[] = {"input", "interpolation", "output", NULL}, *const kinds[] = {
                                                                                    "LINEAR", "STEP",
                                                                                    "CUBICSPLINE",
                                                                                    NULL};
  sampler s = {.value = value};
  supplei_rules_object(rules, value, keys);
  s.input = supplei_rules_index(rules, value, "input", true);
  s.output = supplei_rules_index(rules, value, "output", true);
  const char *kind = supplei_rules_text(rules, value, "interpolation", kinds, false);
  switch (supple_document_type(rules->document,
                               supple_document_member(rules->document, value, "interpolation"))) {
  case SUPPLE_VALUE_NONE:
  case SUPPLE_VALUE_NULL:
  case SUPPLE_VALUE_STRING: s.known = true; break;
  default: break;
  }
  s.cubic = kind && kind[0] == 'C';
  return s;
}

/* ---- samplers ---- */

/* An accessor of a sampler; SUPPLE_NONE where there is none. */
static uint32_t link_keys(supplei_rules *rules, supple_value object, const char *key,
                          uint32_t index, supplei_rules_use use) {
  if (!supplei_rules_resolve(rules, object, key, index, &rules->accessor_array, "accessor"))
    return SUPPLE_NONE;
  supplei_rules_use_accessor(rules, index, use, object, key);
  uint32_t view = rules->accessors[index].view;
  if (view != SUPPLE_NONE && rules->views[view].stride != -1)
    supplei_rules_found_key(rules, SUPPLEI_CODE_ANIMATION_SAMPLER_ACCESSOR_WITH_BYTESTRIDE, object,
                            key, "view %u has a byteStride", (unsigned)view);
  return index;
}

static void check_times(supplei_rules *rules, const sampler *s) {
  const supplei_rules_accessor *times = &rules->accessors[s->input];
  supple_value item = supple_document_member(rules->document, s->value, "input");
  char format[64];
  if (times->rows == 1 && times->columns == 1 && times->component == SUPPLEI_F32 &&
      !times->normalized)
    supplei_rules_wish_for(rules, s->input, SUPPLEI_LOOK_TIMES, item);
  else
    supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_SAMPLER_INPUT_ACCESSOR_INVALID_FORMAT, item,
                        "is %s; times are SCALAR of float", supplei_rules_format(times, format));
  if (times->min == SUPPLE_NONE || times->max == SUPPLE_NONE)
    supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_SAMPLER_INPUT_ACCESSOR_WITHOUT_BOUNDS, item,
                        "accessor %u has no min or no max", (unsigned)s->input);
  if (s->cubic && times->count < 2)
    supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_SAMPLER_INPUT_ACCESSOR_TOO_FEW_ELEMENTS, item,
                        "CUBICSPLINE needs two keys at least, there are %lld",
                        (long long)times->count);
}

static void link_sampler(supplei_rules *rules, sampler *s) {
  s->input = link_keys(rules, s->value, "input", s->input, SUPPLEI_USE_KEY_TIMES);
  if (s->input != SUPPLE_NONE) check_times(rules, s);
  s->output = link_keys(rules, s->value, "output", s->output, SUPPLEI_USE_KEY_VALUES);
}

/* ---- channels ---- */

static const supplei_rules_mesh *mesh_of(const supplei_rules *rules, uint32_t node) {
  uint32_t mesh = node < rules->node_array.count ? rules->nodes[node].mesh : SUPPLE_NONE;
  return mesh != SUPPLE_NONE ? &rules->meshes[mesh] : NULL;
}

static void check_target(supplei_rules *rules, channel *c) {
  if (!supplei_rules_resolve(rules, c->target, "node", c->node, &rules->node_array, "node")) return;
  supplei_rules_node *node = &rules->nodes[c->node];
  node->used = true;
  if (c->path == PATH_WEIGHTS) {
    const supplei_rules_mesh *mesh = mesh_of(rules, c->node);
    if (!mesh || mesh->target_count == SUPPLE_NONE)
      supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_CHANNEL_TARGET_NODE_WEIGHTS_NO_MORPHS,
                          c->target, "moves weights of node %u, which has no morph targets",
                          (unsigned)c->node);
  } else if (c->path != PATH_NONE) {
    if (node->matrix)
      supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_CHANNEL_TARGET_NODE_MATRIX, c->target,
                          "moves node %u, which has a matrix", (unsigned)c->node);
    if (node->skin != SUPPLE_NONE)
      supplei_rules_found_key(rules, SUPPLEI_CODE_ANIMATION_CHANNEL_TARGET_NODE_SKIN, c->target,
                              "path", "moves node %u, which has a skin and is not moved by this",
                              (unsigned)c->node);
  }
}

/* glTF 2.0, section "Animations": which types the values may have. */
static bool values_fit(channel_path path, const supplei_rules_accessor *values) {
  bool number = values->component == SUPPLEI_F32 && !values->normalized;
  bool whole =
      values->normalized && (values->component == SUPPLEI_I8 || values->component == SUPPLEI_U8 ||
                             values->component == SUPPLEI_I16 || values->component == SUPPLEI_U16);
  if (values->columns != 1) return false;
  switch (path) {
  case PATH_TRANSLATION:
  case PATH_SCALE: return values->rows == 3 && number;
  case PATH_ROTATION: return values->rows == 4 && (number || whole);
  case PATH_WEIGHTS: return values->rows == 1 && (number || whole);
  case PATH_NONE: break;
  }
  return true;
}

static void check_values(supplei_rules *rules, const channel *c, const sampler *s) {
  const supplei_rules_accessor *values = &rules->accessors[s->output];
  supple_value item = supple_document_member(rules->document, c->value, "sampler");
  char format[64];
  if (c->path == PATH_ROTATION && values->rows == 4 && values->columns == 1)
    supplei_rules_wish_for(rules, s->output,
                           s->cubic ? SUPPLEI_LOOK_CUBIC_QUATERNIONS : SUPPLEI_LOOK_QUATERNIONS,
                           item);
  if (!values_fit(c->path, values))
    supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_FORMAT, item,
                        "the values are %s, which this path cannot take",
                        supplei_rules_format(values, format));
  if (s->input == SUPPLE_NONE || c->path == PATH_NONE || !s->known) return;
  int64_t keys = rules->accessors[s->input].count;
  if (keys == -1 || values->count == -1) return;
  double expected = (double)keys * (s->cubic ? 3 : 1);
  if (c->path == PATH_WEIGHTS) {
    const supplei_rules_mesh *mesh = mesh_of(rules, c->node);
    expected *= mesh && mesh->target_count != SUPPLE_NONE ? mesh->target_count : 0;
  }
  if (expected > 0 && expected != (double)values->count)
    supplei_rules_found(rules, SUPPLEI_CODE_ANIMATION_SAMPLER_OUTPUT_ACCESSOR_INVALID_COUNT, item,
                        "%lld keys need %.0f values, there are %lld", (long long)keys, expected,
                        (long long)values->count);
}

static int compare_channels(const void *context, uint64_t a, uint64_t b) {
  const channel *channels = context, *first = &channels[a], *second = &channels[b];
  if (first->node != second->node) return first->node < second->node ? -1 : 1;
  if (first->path != second->path) return first->path < second->path ? -1 : 1;
  return a < b ? -1 : a > b;
}

/* Told at each channel but the last of those that move the same. */
static void check_duplicates(supplei_rules *rules, const channel *channels, uint32_t count) {
  uint64_t *order = supplei_rules_allocate(rules, count, 2 * sizeof *order);
  if (!order) return;
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  supplei_merge_sort(order, order + count, count, compare_channels, channels);
  for (uint32_t i = 0; i + 1 < count; i++) {
    const channel *c = &channels[order[i]], *next = &channels[order[i + 1]];
    if (c->node == SUPPLE_NONE || c->path == PATH_NONE || c->node != next->node ||
        c->path != next->path)
      continue;
    supplei_rules_found_key(rules, SUPPLEI_CODE_ANIMATION_DUPLICATE_TARGETS, c->value, "target",
                            "channel %u moves the same", (unsigned)order[i + 1]);
  }
}

/* ---- the whole ---- */

static void check_animation(supplei_rules *rules, supple_value animation) {
  static const char *const keys[] = {"channels", "samplers", "name", NULL};
  supplei_rules_object(rules, animation, keys);
  supple_value channel_array = supplei_rules_objects(rules, animation, "channels"),
               sampler_array = supplei_rules_objects(rules, animation, "samplers");
  uint32_t channel_count = supple_document_count(rules->document, channel_array),
           sampler_count = supple_document_count(rules->document, sampler_array);
  channel *channels = supplei_rules_allocate(rules, channel_count, sizeof *channels);
  sampler *samplers = supplei_rules_allocate(rules, sampler_count, sizeof *samplers);
  if (!channels || !samplers) return;
  for (uint32_t i = 0; i < channel_count; i++)
    channels[i] = read_channel(rules, supple_document_child(rules->document, channel_array, i));
  for (uint32_t i = 0; i < sampler_count; i++)
    samplers[i] = read_sampler(rules, supple_document_child(rules->document, sampler_array, i));
  if (!channel_count || !sampler_count) return;
  for (uint32_t i = 0; i < sampler_count; i++) link_sampler(rules, &samplers[i]);
  for (uint32_t i = 0; i < channel_count; i++) {
    channel *c = &channels[i];
    if (c->target != SUPPLE_NONE) check_target(rules, c);
    const supplei_rules_array array = {sampler_array, sampler_count};
    if (!supplei_rules_resolve(rules, c->value, "sampler", c->sampler, &array, "sampler")) continue;
    samplers[c->sampler].used = true;
    if (c->target != SUPPLE_NONE && samplers[c->sampler].output != SUPPLE_NONE)
      check_values(rules, c, &samplers[c->sampler]);
  }
  check_duplicates(rules, channels, channel_count);
  for (uint32_t i = 0; i < sampler_count; i++)
    if (!samplers[i].used)
      supplei_rules_found(rules, SUPPLEI_CODE_UNUSED_OBJECT, samplers[i].value,
                          "no channel uses this sampler");
}

void supplei_rules_animations(supplei_rules *rules) {
  for (uint32_t i = 0; i < rules->animation_array.count; i++) {
    supple_value value = supple_document_child(rules->document, rules->animation_array.value, i);
    if (supple_document_type(rules->document, value) == SUPPLE_VALUE_OBJECT)
      check_animation(rules, value);
  }
}
