/* motion.c: the frames of a comparison, from the file's clips or from turning joints one by one. */
#include "motion.h"

#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the range of motion does to each joint, in degrees. */
enum { RANGE_POSES = 5 };
static const char *const range_labels[RANGE_POSES] = {"twist 90°", "twist −90°", "twist 180°",
                                                      "bend 90°", "bend 120°"};
static const double range_twists[RANGE_POSES] = {90, -90, 180, 0, 0};
static const double range_bends[RANGE_POSES] = {0, 0, 0, 90, 120};

static motion_plan *out_of_memory(motion_plan *all, int *exit_code) {
  motion_free(all);
  *exit_code = cli_complain(CLI_FAILED, "out of memory");
  return NULL;
}

static motion_plan *create(uint32_t most_clips) {
  motion_plan *all = calloc(1, sizeof *all);
  if (!all) return NULL;
  all->clips = calloc(most_clips ? most_clips : 1, sizeof *all->clips);
  if (!all->clips) {
    free(all);
    return NULL;
  }
  return all;
}

void motion_free(motion_plan *all) {
  if (!all) return;
  for (uint32_t i = 0; i < all->clip_count; i++) {
    free(all->clips[i].name);
    free(all->clips[i].times);
    free(all->clips[i].turns);
  }
  free(all->clips);
  free(all);
}

static char *copy_text(const char *text) {
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

/* The next clip, named; its times are the caller's to set. NULL when out of memory. */
static motion_clip *add_clip(motion_plan *all, const char *name, uint32_t clip) {
  motion_clip *added = &all->clips[all->clip_count];
  added->name = copy_text(name);
  if (!added->name) return NULL;
  added->clip = clip;
  added->first_frame = all->frame_count;
  all->clip_count++;
  return added;
}

static bool add_moment(motion_plan *all, const char *name) {
  static const char *const labels[1] = {"–"};
  motion_clip *added = add_clip(all, name, SUPPLE_NONE);
  if (!added || !(added->times = calloc(1, sizeof *added->times))) return false;
  added->labels = labels;
  added->time_count = 1;
  all->frame_count = 1;
  return true;
}

motion_plan *motion_from_clips(const cli_stage *stage, int *exit_code) {
  const cli_options *options = stage->options;
  const supple_asset *asset = stage->asset;
  uint32_t only = SUPPLE_NONE;
  *exit_code = cli_find_clip(asset, options, &only);
  if (*exit_code) return NULL;
  motion_plan *all = create(asset->clip_count + 1);
  if (!all) return out_of_memory(NULL, exit_code);
  if (options->rest || (stage->turn_count && only == SUPPLE_NONE)) {
    if (!add_moment(all, stage->turn_count ? "given pose" : "stored pose"))
      return out_of_memory(all, exit_code);
    return all;
  }
  for (uint32_t i = 0; i < asset->clip_count; i++) {
    if (only != SUPPLE_NONE && only != i) continue;
    char name[256];
    motion_clip *added = add_clip(all, cli_clip_name(asset, i, name, sizeof name), i);
    if (!added) return out_of_memory(all, exit_code);
    *exit_code = cli_clip_times(&asset->clips[i], options, &added->times, &added->time_count);
    if (*exit_code) {
      motion_free(all);
      return NULL;
    }
    all->frame_count += added->time_count;
  }
  return all;
}

/* Whether turning a joint about its own place can bend anything: it shares vertices, and is not the one root
 * of its skin (that would turn everything). */
static bool can_bend(const supple_skin *skin, const supple_measure *measure, uint32_t joint) {
  if (!supple_measure_joint(measure, joint)->shared) return false;
  if (skin->parents[joint] != SUPPLE_NONE) return true;
  for (uint32_t i = 0; i < skin->joint_count; i++)
    if (i != joint && skin->parents[i] == SUPPLE_NONE) return true;
  return false;
}

static bool add_range(motion_plan *all, const supple_asset *asset, uint32_t node, cli_axes axes) {
  char name[256];
  motion_clip *added = add_clip(all, cli_node_name(asset, node, name, sizeof name), SUPPLE_NONE);
  if (!added) return false;
  added->times = calloc(RANGE_POSES, sizeof *added->times);
  added->turns = calloc(RANGE_POSES, sizeof *added->turns);
  if (!added->times || !added->turns) return false;
  for (uint32_t i = 0; i < RANGE_POSES; i++) {
    added->times[i] = i;
    added->turns[i].node = node;
    added->turns[i].axes = axes;
    added->turns[i].twist = range_twists[i] * (SUPPLE_PI / 180.0);
    added->turns[i].bend = range_bends[i] * (SUPPLE_PI / 180.0);
  }
  added->labels = range_labels;
  added->time_count = RANGE_POSES;
  all->frame_count += RANGE_POSES;
  return true;
}

motion_plan *motion_from_range(const cli_stage *stage, const supple_measure *const *measures,
                               int *exit_code) {
  const uint32_t node_count = stage->asset->skeleton.node_count;
  bool *done = calloc((size_t)node_count + 1, sizeof *done);
  motion_plan *all = create(node_count + 1);
  bool fine = done && all;
  for (uint32_t i = 0; fine && i < stage->instance_count; i++) {
    const supple_skin *skin = stage->instances[i].instance->skin;
    for (uint32_t j = 0; fine && j < skin->joint_count; j++) {
      const uint32_t node = skin->joints[j];
      if (done[node] || !can_bend(skin, measures[i], j)) continue;
      done[node] = true;
      fine = add_range(all, stage->asset, node, cli_axes_of_joint(measures[i], skin, j));
    }
  }
  free(done);
  if (fine) all->range = all->clip_count > 0;
  if (fine && !all->clip_count)
    fine = add_moment(all, stage->turn_count ? "given pose" : "stored pose");
  if (!fine) return out_of_memory(all, exit_code);
  *exit_code = CLI_FINE;
  return all;
}

uint32_t motion_find(const motion_plan *all, size_t frame) {
  uint32_t low = 0, high = all->clip_count;
  while (high - low > 1) {
    const uint32_t middle = low + (high - low) / 2;
    if (all->clips[middle].first_frame <= frame)
      low = middle;
    else
      high = middle;
  }
  return low;
}

bool motion_is_clip(const motion_plan *all, size_t frame) {
  return all->range || all->clips[motion_find(all, frame)].clip != SUPPLE_NONE;
}

cli_moment motion_moment(const motion_plan *all, size_t frame) {
  const motion_clip *clip = &all->clips[motion_find(all, frame)];
  const size_t time = frame - clip->first_frame;
  cli_moment moment = {.clip = clip->clip, .seconds = clip->times[time]};
  if (clip->turns) {
    moment.turns = &clip->turns[time];
    moment.turn_count = 1;
  }
  return moment;
}

const char *motion_when(const motion_plan *all, size_t frame, char *text, size_t size) {
  const motion_clip *clip = &all->clips[motion_find(all, frame)];
  const size_t time = frame - clip->first_frame;
  char number[CLI_NUMBER_TEXT];
  if (clip->labels)
    snprintf(text, size, "%s", clip->labels[time]);
  else
    snprintf(text, size, "%s s", cli_fixed_text(clip->times[time], 2, number));
  return text;
}
