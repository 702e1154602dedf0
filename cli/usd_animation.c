/* usd_animation.c: clips as SkelAnimations, and any attribute through a clip. */
#include "usd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- time codes ---- */

/* Keys are floats: what rounding to float explains, 6e-8 of them, is taken back. */
static bool is_whole(double code) {
  return fabs(code - floor(code + 0.5)) <= 1.5e-7 * fabs(code) + 1e-6;
}

double cli_usd_code(double seconds, double fps) {
  const double code = seconds * fps;
  if (is_whole(code)) return floor(code + 0.5);
  return fabs(code) < 1e9 ? floor(code * 1e6 + 0.5) / 1e6 : code;
}

double cli_usd_frames_per_second(const supple_asset *asset) {
  static const double usual[] = {24, 25, 30, 48, 50, 60, 90, 100, 120};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    bool fits = true;
    for (uint32_t c = 0; c < asset->clip_count && fits; c++)
      for (uint32_t k = 0; k < asset->clips[c].channel_count && fits; k++) {
        const supple_channel *channel = &asset->clips[c].channels[k];
        for (uint32_t key = 0; key < channel->key_count && fits; key++)
          fits = is_whole((double)channel->times[key] * usual[i]);
      }
    if (fits) return usual[i];
  }
  return 60;
}

typedef struct moments {
  cli_usd_moment *all;
  size_t count, capacity;
} moments;

static bool add_moment(moments *list, double code, double seconds) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity ? 2 * list->capacity : 64;
    cli_usd_moment *all = realloc(list->all, capacity * sizeof *all);
    if (!all) return false;
    list->all = all;
    list->capacity = capacity;
  }
  list->all[list->count++] = (cli_usd_moment){code, seconds};
  return true;
}

/* glTF turns between keys as they are stored, USD between unit quaternions: the same where these are. */
static bool has_unit_keys(const supple_channel *channel, uint32_t key) {
  for (size_t end = 0; end < 2 && channel->path == SUPPLE_PATH_ROTATION; end++) {
    const float *q = channel->values + 4 * (key + end);
    double square = 0;
    for (size_t c = 0; c < 4; c++) square += (double)q[c] * (double)q[c];
    if (fabs(square - 1) > 1e-4) return false;
  }
  return true;
}

/* What a span needs besides its ends. */
static bool add_between(moments *list, const supple_channel *channel, uint32_t key, double fps) {
  enum { MOST = 4096 };
  const double begin = cli_usd_code((double)channel->times[key], fps);
  const double end = cli_usd_code((double)channel->times[key + 1], fps);
  if (!(end > begin)) return true;
  if (channel->interpolation == SUPPLE_INTERPOLATION_STEP) {
    const double before = end - fmin(0.001, (end - begin) / 2);
    return add_moment(list, before, before / fps);
  }
  if (channel->interpolation == SUPPLE_INTERPOLATION_LINEAR && has_unit_keys(channel, key))
    return true;
  const double step = ceil((end - begin) / (double)MOST);
  for (double code = floor(begin) + 1; code < end; code += step)
    if (!add_moment(list, code, code / fps)) return false;
  return true;
}

static int by_time(const void *a, const void *b) {
  const cli_usd_moment *x = a, *y = b;
  if (x->code != y->code) return (x->code > y->code) - (x->code < y->code);
  return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

cli_usd_moment *cli_usd_moments(const supple_clip *clip, double fps, cli_usd_wants *wants,
                                const void *user, uint32_t *count) {
  moments list = {.all = malloc(sizeof *list.all), .capacity = 1};
  bool fine = list.all != NULL;
  for (uint32_t c = 0; c < clip->channel_count && fine; c++) {
    const supple_channel *channel = &clip->channels[c];
    if (!wants(user, channel)) continue;
    for (uint32_t key = 0; key < channel->key_count && fine; key++) {
      const double seconds = (double)channel->times[key];
      fine = add_moment(&list, cli_usd_code(seconds, fps), seconds) &&
             (key + 1 == channel->key_count || add_between(&list, channel, key, fps));
    }
  }
  *count = 0;
  if (!fine || list.count > UINT32_MAX) {
    free(list.all);
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  qsort(list.all, list.count, sizeof *list.all, by_time);
  for (size_t i = 0; i < list.count; i++) { /* of equal codes the last time, which is a key's */
    if (*count && list.all[*count - 1].code == list.all[i].code) --*count;
    list.all[(*count)++] = list.all[i];
  }
  return list.all;
}

/* ---- attributes ---- */

static void write_value(const cli_usd *usd, const cli_usd_attribute *attribute, const float *values) {
  if (!attribute->single)
    cli_usd_tuples(usd->text.output, values, attribute->count, attribute->width);
  else if (attribute->width == 1)
    cli_usd_float(usd->text.output, values[0]);
  else
    cli_usd_tuple(usd->text.output, values, attribute->width);
}

static void write_sample(const cli_usd *usd, const cli_usd_attribute *attribute, double code,
                         const float *values) {
  cli_usd_text inside = usd->text;
  inside.depth++;
  cli_usd_indent(&inside);
  cli_usd_time(usd->text.output, code);
  cli_output_text(usd->text.output, ": ");
  write_value(usd, attribute, values);
  cli_output_text(usd->text.output, ",\n");
}

/* q and -q are one rotation, but not halfway to the next. */
static void keep_signs(float *values, const float *before, size_t count) {
  for (size_t i = 0; i < 4 * count; i += 4) {
    float dot = 0;
    for (size_t c = 0; c < 4; c++) dot += values[i + c] * before[i + c];
    for (size_t c = 0; c < 4 && dot < 0; c++) values[i + c] = -values[i + c];
  }
}

static void write_samples(const cli_usd *usd, const cli_usd_attribute *attribute,
                          const cli_usd_moment *moments_of_it, uint32_t count, float *values,
                          float *before) {
  const size_t floats = attribute->count * attribute->width;
  double skipped = 0;
  bool has_skipped = false;
  cli_usd_indent(&usd->text);
  cli_output_format(usd->text.output, "%s.timeSamples = {\n", attribute->declaration);
  for (uint32_t i = 0; i < count && !cli_output_failed(usd->text.output); i++) {
    attribute->sample(attribute->user, moments_of_it[i].seconds, values);
    if (i && attribute->turns) keep_signs(values, before, attribute->count);
    if (i && memcmp(values, before, floats * sizeof *values) == 0) {
      skipped = moments_of_it[i].code; /* written once it is seen to end a stretch that repeats */
      has_skipped = true;
      continue;
    }
    if (has_skipped) write_sample(usd, attribute, skipped, before);
    has_skipped = false;
    write_sample(usd, attribute, moments_of_it[i].code, values);
    memcpy(before, values, floats * sizeof *values);
  }
  cli_usd_line(&usd->text, "}");
}

int cli_usd_write_attribute(const cli_usd *usd, const cli_usd_attribute *attribute,
                            const cli_usd_moment *moments_of_it, uint32_t count, double still) {
  const size_t floats = attribute->count * attribute->width;
  float *values = calloc(floats + 1, sizeof *values), *before = calloc(floats + 1, sizeof *before);
  int exit_code = CLI_FINE;
  if (!values || !before) {
    exit_code = cli_complain(CLI_FAILED, "out of memory");
  } else if (count == 0) {
    attribute->sample(attribute->user, still, values);
    cli_usd_indent(&usd->text);
    cli_output_format(usd->text.output, "%s = ", attribute->declaration);
    write_value(usd, attribute, values);
    cli_output_text(usd->text.output, "\n");
  } else {
    write_samples(usd, attribute, moments_of_it, count, values, before);
  }
  free(values);
  free(before);
  return exit_code;
}

/* ---- SkelAnimation ---- */

typedef struct animation {
  const cli_usd *usd;
  const cli_usd_skeleton *skeleton;
  const cli_usd_morphs *morphs;
  uint32_t clip;    /* SUPPLE_NONE: at rest */
  supple_path path; /* what is being written */
} animation;

/* Not at rest where a clip is meant, though it may not move what is asked for: a node with a matrix goes by its
 * parts once a channel moves any of them. */
static const supple_pose *pose_at(const animation *of, double seconds) {
  supple_pose *pose = of->usd->pose;
  if (of->clip == SUPPLE_NONE)
    supple_pose_rest(pose);
  else
    supple_pose_sample(pose, &of->usd->asset->clips[of->clip], seconds);
  return pose;
}

static bool wants_joint(const void *user, const supple_channel *channel) {
  const animation *of = user;
  if (channel->path != of->path) return false;
  return of->usd->rig.joints[channel->node] != SUPPLE_NONE;
}

static bool wants_weights(const void *user, const supple_channel *channel) {
  const animation *of = user;
  if (channel->path != SUPPLE_PATH_WEIGHTS) return false;
  for (uint32_t i = 0; i < of->morphs->count; i++)
    if (of->morphs->nodes[i] == channel->node) return true;
  return false;
}

static bool wants_any(const void *user, const supple_channel *channel) {
  const animation *of = user;
  if (channel->path == SUPPLE_PATH_WEIGHTS) return wants_weights(user, channel);
  return of->usd->rig.joints[channel->node] != SUPPLE_NONE;
}

static void put(float *values, const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) values[i] = (float)(numbers[i] + 0.0); /* no -0 */
}

static void sample_joints(const void *user, double seconds, float *values) {
  const animation *of = user;
  const supple_pose *pose = pose_at(of, seconds);
  for (uint32_t j = 0; j < of->skeleton->joint_count; j++) {
    supple_transform local;
    cli_usd_joint_local(of->skeleton, pose, j, &local);
    const supple_vec3 v = of->path == SUPPLE_PATH_TRANSLATION ? local.translation : local.scale;
    const supple_quat q = local.rotation;
    if (of->path == SUPPLE_PATH_ROTATION)
      put(values + 4 * (size_t)j, (const double[]){q.w, q.x, q.y, q.z}, 4);
    else
      put(values + 3 * (size_t)j, (const double[]){v.x, v.y, v.z}, 3);
  }
}

static void sample_weights(const void *user, double seconds, float *values) {
  const animation *of = user;
  const supple_pose *pose = pose_at(of, seconds);
  for (uint32_t i = 0; i < of->morphs->count; i++) {
    const supple_node *node = &pose->skeleton->nodes[of->morphs->nodes[i]];
    for (uint32_t t = 0; t < node->weight_count; t++)
      *values++ = pose->weights[node->weight_begin + t];
  }
}

static void write_tokens(cli_usd *usd, const animation *of) {
  cli_output *output = usd->text.output;
  bool first = true;
  cli_usd_indent(&usd->text);
  cli_output_text(output, "uniform token[] blendShapes = [");
  for (uint32_t i = 0; i < of->morphs->count; i++) {
    const supple_node *node = &usd->asset->skeleton.nodes[of->morphs->nodes[i]];
    for (uint32_t t = 0; t < node->weight_count; t++, first = false) {
      cli_output_format(output, "%s\"%s\"", first ? "" : ", ",
                        cli_usd_target_name(usd, of->morphs->nodes[i], t));
    }
  }
  cli_output_text(output, "]\n");
}

static size_t weights_of(const cli_usd *usd, const cli_usd_morphs *morphs) {
  size_t count = 0;
  for (uint32_t i = 0; i < morphs->count; i++)
    count += usd->asset->skeleton.nodes[morphs->nodes[i]].weight_count;
  return count;
}

void cli_usd_write_joint_paths(const cli_usd *usd, const cli_usd_skeleton *skeleton) {
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "uniform token[] joints = [");
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    cli_output_text(usd->text.output, j ? ", \"" : "\"");
    cli_output_text(usd->text.output, skeleton->joints[j].path);
    cli_output_text(usd->text.output, "\"");
  }
  cli_output_text(usd->text.output, "]\n");
}

static int write_part(const animation *of, const cli_usd_attribute *attribute, cli_usd_wants *wants) {
  uint32_t count = 0;
  if (of->clip == SUPPLE_NONE) return cli_usd_write_attribute(of->usd, attribute, NULL, 0, 0);
  const supple_clip *clip = &of->usd->asset->clips[of->clip];
  cli_usd_moment *moments_of_it = cli_usd_moments(clip, of->usd->fps, wants, of, &count);
  if (!moments_of_it) return CLI_FAILED;
  /* One sample where nothing moves, not a plain value, which some programs do not take for the animation's. */
  const cli_usd_moment begin = {cli_usd_code(clip->begin, of->usd->fps), clip->begin};
  const int exit_code = cli_usd_write_attribute(of->usd, attribute, count ? moments_of_it : &begin,
                                                count ? count : 1, clip->begin);
  free(moments_of_it);
  return exit_code;
}

static int write_animation(cli_usd *usd, animation *of, const char *identifier, const char *display) {
  static const struct {
    const char *declaration;
    uint32_t width;
    supple_path path;
  } parts[] = {{"quatf[] rotations", 4, SUPPLE_PATH_ROTATION},
               {"half3[] scales", 3, SUPPLE_PATH_SCALE},
               {"float3[] translations", 3, SUPPLE_PATH_TRANSLATION}};
  const size_t weights = weights_of(usd, of->morphs);
  int exit_code = CLI_FINE;
  cli_usd_open(&usd->text, "SkelAnimation", identifier, display, NULL);
  if (weights) {
    const cli_usd_attribute attribute = {
        "float[] blendShapeWeights", 1, weights, false, false, sample_weights, of};
    animation still = *of;
    still.clip = SUPPLE_NONE;
    const cli_usd_attribute rest = {
        "float[] blendShapeWeights", 1, weights, false, false, sample_weights, &still};
    write_tokens(usd, of);
    exit_code = write_part(&still, &rest, NULL); /* some programs look for this one first */
    if (exit_code == CLI_FINE && of->clip != SUPPLE_NONE)
      exit_code = write_part(of, &attribute, wants_weights);
  }
  cli_usd_write_joint_paths(usd, of->skeleton);
  for (size_t i = 0; i < sizeof parts / sizeof *parts && exit_code == CLI_FINE; i++) {
    const cli_usd_attribute attribute = {parts[i].declaration,
                                         parts[i].width,
                                         of->skeleton->joint_count,
                                         false,
                                         parts[i].width == 4,
                                         sample_joints,
                                         of};
    of->path = parts[i].path;
    exit_code = write_part(of, &attribute, wants_joint);
  }
  cli_usd_close(&usd->text);
  return exit_code;
}

static bool moves_it(const cli_usd *usd, const animation *of, uint32_t clip) {
  const supple_clip *source = &usd->asset->clips[clip];
  for (uint32_t c = 0; c < source->channel_count; c++)
    if (wants_any(of, &source->channels[c])) return true;
  return false;
}

/* Morph weights at rest are the animation's to say: USD has none of its own. */
static bool morphed_at_rest(const cli_usd *usd, const cli_usd_morphs *morphs) {
  supple_pose_rest(usd->pose);
  for (uint32_t i = 0; i < morphs->count; i++) {
    const supple_node *node = &usd->asset->skeleton.nodes[morphs->nodes[i]];
    for (uint32_t t = 0; t < node->weight_count; t++)
      if (usd->pose->weights[node->weight_begin + t] != 0) return true;
  }
  return false;
}

int cli_usd_name_animations(cli_usd *usd, const cli_usd_skeleton *skeleton,
                            const cli_usd_morphs *morphs, cli_usd_names *names,
                            cli_usd_animations *animations) {
  const animation of = {usd, skeleton, morphs, SUPPLE_NONE, SUPPLE_PATH_TRANSLATION};
  const uint32_t count = usd->asset->clip_count;
  memset(animations, 0, sizeof *animations);
  animations->of_clip = calloc((size_t)count + 1, sizeof *animations->of_clip);
  bool fine = animations->of_clip && cli_usd_name_targets(usd, morphs);
  cli_usd_skeleton_enter(skeleton, &usd->rig);
  for (uint32_t c = 0; c < count && fine; c++) {
    if (!moves_it(usd, &of, c)) continue;
    animations->of_clip[c] =
        cli_usd_names_take_numbered(names, usd->asset->clips[c].name, "Clip", c);
    fine = animations->of_clip[c] != NULL;
    if (c == usd->clip) animations->bound = animations->of_clip[c];
  }
  cli_usd_skeleton_leave(skeleton, &usd->rig);
  if (fine && !animations->bound && morphed_at_rest(usd, morphs)) {
    animations->rest = animations->bound = cli_usd_names_take(names, "Rest", "Rest");
    fine = animations->rest != NULL;
  }
  return fine ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
}

int cli_usd_write_animations(cli_usd *usd, const cli_usd_skeleton *skeleton,
                             const cli_usd_morphs *morphs, const cli_usd_animations *animations) {
  animation of = {usd, skeleton, morphs, SUPPLE_NONE, SUPPLE_PATH_TRANSLATION};
  int exit_code = CLI_FINE;
  cli_usd_skeleton_enter(skeleton, &usd->rig);
  for (uint32_t c = 0; c < usd->asset->clip_count && exit_code == CLI_FINE; c++) {
    if (!animations->of_clip[c]) continue;
    of.clip = c;
    exit_code = write_animation(usd, &of, animations->of_clip[c], usd->asset->clips[c].name);
  }
  of.clip = SUPPLE_NONE;
  if (animations->rest && exit_code == CLI_FINE)
    exit_code = write_animation(usd, &of, animations->rest, NULL);
  cli_usd_skeleton_leave(skeleton, &usd->rig);
  return exit_code;
}
