/* reader_animation.c: animations to clips. */
#include "../base/prologue.h"

#include "accessor.h"
#include "../base/merge_sort.h"

/* A sampler, read once however many channels use it. */
typedef struct sampler {
  bool known;
  uint32_t node, output_node; /* JSON */
  supplei_accessor *input;
  uint32_t output; /* accessor; its shape depends on the channel */
  supple_interpolation interpolation;
} sampler;

/* Of a channel: where it stands in the JSON, its first and last key. */
typedef struct span {
  uint32_t node;
  float begin, end;
} span;

/* One animation while it is read. */
typedef struct animation {
  uint32_t node; /* JSON */
  sampler *samplers;
  const uint32_t *sampler_items; /* JSON nodes */
  uint32_t sampler_count;
  supple_channel *channels;
  span *spans; /* of each channel */
  uint32_t channel_count;
} animation;

/* ---- keys ---- */

static supple_result check_times(supplei_loader *loader, uint32_t user, supplei_accessor *input) {
  uint32_t count = input->elements.count;
  const float *times = input->floats;
  if (input->checked_times) return SUPPLE_OK;
  if (input->first_non_finite != SIZE_MAX)
    return supplei_loader_fail(loader, user, SUPPLE_ERROR_NUMBER, "the time of key %u is not finite",
                               (unsigned)input->first_non_finite);
  uint32_t equal = 0, first_equal = 0;
  for (uint32_t i = 1; i < count; i++) {
    if (times[i] < times[i - 1])
      return supplei_loader_wrong(loader, user,
                                  "the time of key %u (%g) is before that of the key before",
                                  (unsigned)i, (double)times[i]);
    if (times[i] == times[i - 1] && !equal++) first_equal = i;
  }
  if (equal)
    supplei_loader_note(loader, user, "equal times at %u keys, the first is %u; kept",
                        (unsigned)equal, (unsigned)first_equal);
  if (times[0] < 0)
    supplei_loader_note(loader, user, "the first key is at a negative time (%g s)",
                        (double)times[0]);
  input->checked_times = true;
  return SUPPLE_OK;
}

/* Zero and badly scaled quaternions are only noted: sampling normalises. */
static void check_rotations(supplei_loader *loader, const sampler *s, supplei_accessor *output) {
  if (output->checked_rotations) return;
  output->checked_rotations = true;
  uint32_t step = s->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE ? 3 : 1;
  uint32_t zeros = 0, first_zero = 0, off = 0, first_off = 0;
  for (uint32_t i = step / 3; i < output->elements.count; i += step) {
    const float *q = output->floats + 4 * (size_t)i;
    float squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (squared == 0) {
      if (!zeros++) first_zero = i / step;
    } else if (!(fabsf(squared - 1) <= 2e-2f)) {
      if (!off++) first_off = i / step;
    }
  }
  if (zeros)
    supplei_loader_note(loader, s->output_node,
                        "zero quaternions at %u keys, the first is %u; they do not turn",
                        (unsigned)zeros, (unsigned)first_zero);
  if (off)
    supplei_loader_note(
        loader, s->output_node,
        "quaternions of other than unit length at %u keys, the first is %u; normalised",
        (unsigned)off, (unsigned)first_off);
}

/* ---- samplers ---- */

static supple_result read_interpolation(supplei_loader *loader, sampler *s) {
  uint32_t node;
  supple_result result = supplei_get(loader, s->node, "interpolation", SUPPLEI_JSON_STRING, &node);
  s->interpolation = SUPPLE_INTERPOLATION_LINEAR;
  if (result || node == SUPPLE_NONE || supplei_json_equals(&loader->json, node, "LINEAR"))
    return result;
  if (supplei_json_equals(&loader->json, node, "STEP"))
    s->interpolation = SUPPLE_INTERPOLATION_STEP;
  else if (supplei_json_equals(&loader->json, node, "CUBICSPLINE"))
    s->interpolation = SUPPLE_INTERPOLATION_CUBIC_SPLINE;
  else
    return supplei_loader_wrong(loader, node, "must be LINEAR, STEP or CUBICSPLINE");
  return SUPPLE_OK;
}

static supple_result read_sampler(supplei_loader *loader, const animation *a, uint32_t index,
                                  sampler **out) {
  static const supplei_shape time_shape = {1, 1, SUPPLEI_TYPE_F32};
  sampler *s = *out = &a->samplers[index];
  uint32_t input;
  if (s->known) return SUPPLE_OK;
  s->node = a->sampler_items[index];
  supple_result result = supplei_require(loader, s->node, "input", SUPPLEI_JSON_NUMBER, &input);
  if (!result) result = supplei_accessor_get(loader, s->node, "input", time_shape, &s->input);
  if (!result)
    result = supplei_require(loader, s->node, "output", SUPPLEI_JSON_NUMBER, &s->output_node);
  if (!result)
    result = supplei_read_index(loader, s->output_node, loader->accessors.count, "accessors",
                                &s->output);
  if (!result) result = read_interpolation(loader, s);
  if (!result) result = supplei_accessor_floats(loader, s->input);
  if (!result) result = check_times(loader, input, s->input);
  if (!result && s->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE &&
      s->input->elements.count < 2)
    supplei_loader_note(loader, s->node, "a cubic spline with one key; its value holds");
  s->known = !result;
  return result;
}

/* ---- channels ---- */

/* Elements and shape of a channel's output; `width` is of one value. */
static supple_result read_output(supplei_loader *loader, const sampler *s, supple_channel *channel) {
  static const unsigned normalized = SUPPLEI_TYPE_I8_NORMALIZED | SUPPLEI_TYPE_U8_NORMALIZED |
                                     SUPPLEI_TYPE_I16_NORMALIZED | SUPPLEI_TYPE_U16_NORMALIZED;
  bool is_weights = channel->path == SUPPLE_PATH_WEIGHTS;
  supplei_shape shape = {is_weights ? 1 : (uint8_t)channel->width, 1, SUPPLEI_TYPE_F32 | normalized};
  supplei_accessor *output;
  supple_result result = supplei_accessor_read(loader, s->output_node, s->output, shape, &output);
  if (result) return result;
  uint64_t expected = (uint64_t)channel->key_count * (is_weights ? channel->width : 1);
  if (channel->interpolation == SUPPLE_INTERPOLATION_CUBIC_SPLINE) expected *= 3;
  if (output->elements.count != expected)
    return supplei_loader_wrong(
        loader, s->output_node, "accessor %u has %u elements; %llu are needed",
        (unsigned)output->index, (unsigned)output->elements.count, (unsigned long long)expected);
  bool moves = channel->path == SUPPLE_PATH_TRANSLATION || channel->path == SUPPLE_PATH_SCALE;
  if (moves && output->elements.component != SUPPLEI_F32)
    supplei_loader_note(loader, s->output_node,
                        "integers for a translation or scale; read as normalised");
  if (loader->options->structure_only) return SUPPLE_OK;
  if ((result = supplei_accessor_floats(loader, output))) return result;
  if (output->first_non_finite != SIZE_MAX)
    return supplei_loader_fail(loader, s->output_node, SUPPLE_ERROR_NUMBER,
                               "element %u is not finite",
                               (unsigned)(output->first_non_finite / shape.rows));
  if (channel->path == SUPPLE_PATH_ROTATION) check_rotations(loader, s, output);
  channel->times = s->input->floats;
  channel->values = output->floats;
  return SUPPLE_OK;
}

/* The path of a target; *known false: of an extension, or of a later version. */
static supple_result read_path(supplei_loader *loader, uint32_t target, supple_path *path,
                               bool *known) {
  static const char *const names[] = {"translation", "rotation", "scale", "weights"};
  uint32_t node;
  supple_result result = supplei_require(loader, target, "path", SUPPLEI_JSON_STRING, &node);
  *known = false;
  for (uint32_t i = 0; i < 4 && !result; i++) {
    if (!supplei_json_equals(&loader->json, node, names[i])) continue;
    *path = (supple_path)i;
    *known = true;
  }
  if (!result && !*known)
    supplei_loader_note(loader, node, "an animated property that is not known; ignored");
  return result;
}

static supple_result read_target(supplei_loader *loader, uint32_t object, supple_channel *channel,
                                 bool *kept) {
  uint32_t target;
  supple_result result = supplei_require(loader, object, "target", SUPPLEI_JSON_OBJECT, &target);
  if (!result) result = read_path(loader, target, &channel->path, kept);
  if (result || !*kept) return result;
  channel->node = SUPPLE_NONE;
  result = supplei_get_index(loader, target, "node", loader->nodes.count, "nodes", &channel->node);
  *kept = channel->node != SUPPLE_NONE;
  if (result || !*kept) return result;
  const supple_node *node = &loader->asset->skeleton.nodes[channel->node];
  if (channel->path == SUPPLE_PATH_WEIGHTS && !node->weight_count)
    return supplei_loader_wrong(loader, target,
                                "animates the weights of node %u, which has no morph targets",
                                (unsigned)channel->node);
  if (channel->path != SUPPLE_PATH_WEIGHTS && node->has_matrix)
    supplei_loader_note(loader, target,
                        "animates node %u, which has a matrix; its parts take its place",
                        (unsigned)channel->node);
  channel->width = channel->path == SUPPLE_PATH_WEIGHTS    ? node->weight_count
                   : channel->path == SUPPLE_PATH_ROTATION ? 4
                                                           : 3;
  return SUPPLE_OK;
}

static supple_result read_channel(supplei_loader *loader, uint32_t object, animation *a) {
  supple_channel *channel = &a->channels[a->channel_count];
  uint32_t node, index = 0;
  bool kept = false;
  sampler *s;
  if (supplei_node(loader, object)->type != SUPPLEI_JSON_OBJECT)
    return supplei_loader_wrong(loader, object, "must be an object");
  supple_result result = supplei_require(loader, object, "sampler", SUPPLEI_JSON_NUMBER, &node);
  if (!result) result = supplei_read_index(loader, node, a->sampler_count, "samplers", &index);
  if (!result) result = read_target(loader, object, channel, &kept);
  if (result || !kept) return result;
  if ((result = read_sampler(loader, a, index, &s))) return result;
  channel->interpolation = s->interpolation;
  channel->key_count = s->input->elements.count;
  if ((result = read_output(loader, s, channel))) return result;
  const float *times = s->input->floats;
  a->spans[a->channel_count++] = (span){object, times[0], times[channel->key_count - 1]};
  return SUPPLE_OK;
}

/* Of channels with one target, only the first stays. */
static supple_result drop_duplicates(supplei_loader *loader, animation *a) {
  size_t count = a->channel_count;
  uint64_t *sorted = supplei_allocate(&loader->allocator, count, 2 * sizeof *sorted);
  if (!sorted)
    return supplei_fail_memory(loader->error, 16 * count, "the channels of an animation");
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = ((uint64_t)a->channels[i].node * 4 + (uint64_t)a->channels[i].path) << 30 | i;
  supplei_merge_sort(sorted, sorted + count, count, NULL, NULL);
  bool any = false;
  for (size_t i = 1; i < count; i++) {
    if (sorted[i - 1] >> 30 != sorted[i] >> 30) continue;
    uint32_t dropped = (uint32_t)(sorted[i] & ((1u << 30) - 1));
    supplei_loader_note(loader, a->spans[dropped].node,
                        "another channel animates the same; the first counts");
    a->channels[dropped].key_count = 0;
    any = true;
  }
  supplei_release(&loader->allocator, sorted, count, 2 * sizeof *sorted);
  uint32_t kept = 0;
  for (uint32_t i = 0; any && i < count; i++) {
    if (!a->channels[i].key_count) continue;
    a->channels[kept] = a->channels[i];
    a->spans[kept++] = a->spans[i];
  }
  if (any) a->channel_count = kept;
  return SUPPLE_OK;
}

/* ---- animations ---- */

static supple_result prepare_samplers(supplei_loader *loader, animation *a) {
  uint32_t array;
  supple_result result = supplei_require(loader, a->node, "samplers", SUPPLEI_JSON_ARRAY, &array);
  if (result) return result;
  uint32_t count = supplei_node(loader, array)->count, node = array + 1;
  uint32_t *items = supplei_loader_scratch(loader, count, sizeof *items, "samplers");
  a->samplers =
      items ? supplei_loader_scratch(loader, count, sizeof *a->samplers, "samplers") : NULL;
  if (!a->samplers) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count; i++, node = supplei_node(loader, node)->next) {
    if (supplei_node(loader, node)->type != SUPPLEI_JSON_OBJECT)
      return supplei_loader_wrong(loader, node, "must be an object");
    items[i] = node;
  }
  a->sampler_items = items;
  a->sampler_count = count;
  return SUPPLE_OK;
}

static supple_result read_animation(supplei_loader *loader, uint32_t object, supple_clip *clip) {
  animation a = {.node = object};
  uint32_t array;
  supple_result result = supplei_get_string(loader, object, "name", &clip->name);
  if (!result) result = prepare_samplers(loader, &a);
  if (!result) result = supplei_require(loader, object, "channels", SUPPLEI_JSON_ARRAY, &array);
  if (result) return result;
  uint32_t count = supplei_node(loader, array)->count, node = array + 1;
  a.channels = supplei_loader_allocate(loader, count, sizeof *a.channels, "channels");
  if (a.channels) a.spans = supplei_loader_scratch(loader, count, sizeof *a.spans, "channels");
  if (!a.channels || !a.spans) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count && !result; i++, node = supplei_node(loader, node)->next)
    result = read_channel(loader, node, &a);
  if (!result) result = drop_duplicates(loader, &a);
  if (!count) supplei_loader_note(loader, object, "has no channels");
  clip->channels = a.channels;
  clip->channel_count = a.channel_count;
  for (uint32_t i = 0; i < a.channel_count; i++) {
    if (!i || (double)a.spans[i].begin < clip->begin) clip->begin = (double)a.spans[i].begin;
    if (!i || (double)a.spans[i].end > clip->end) clip->end = (double)a.spans[i].end;
  }
  return result;
}

supple_result supplei_read_animations(supplei_loader *loader) {
  uint32_t count = loader->animations.count;
  supple_clip *clips = supplei_loader_allocate(loader, count, sizeof *clips, "the clips");
  if (!clips) return supplei_loader_memory_result(loader);
  loader->asset->clips = clips;
  loader->asset->clip_count = count;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_animation(loader, loader->animations.items[i], &clips[i]);
  return result;
}
