/* frames.c: the nodes as stored, then every clip at its keys. */
#include "../base/prologue.h"

#include "frames.h"

#include "../base/memory.h"

#include <math.h>
#include <string.h>

/* The first key of a channel after `seconds`, or HUGE_VAL. Keys never decrease. */
static double key_after(const supple_channel *channel, double seconds) {
  uint32_t begin = 0, end = channel->times ? channel->key_count : 0;
  while (begin < end) {
    uint32_t middle = begin + (end - begin) / 2;
    if ((double)channel->times[middle] > seconds)
      end = middle;
    else
      begin = middle + 1;
  }
  return channel->times && begin < channel->key_count ? (double)channel->times[begin] : HUGE_VAL;
}

/* The next key of any channel, or HUGE_VAL. */
static double next_key(const supple_clip *clip, double seconds) {
  double next = HUGE_VAL;
  for (uint32_t c = 0; c < clip->channel_count; c++) {
    double key = key_after(&clip->channels[c], seconds);
    if (key < next) next = key;
  }
  return next;
}

/* Room for one more; grows by doubling. */
static bool grow(supplei_frames *frames) {
  if (frames->count < frames->capacity) return true;
  if (frames->capacity > UINT32_MAX / 2) return false;
  uint32_t capacity = frames->capacity ? 2 * frames->capacity : 64;
  supplei_frame *items = supplei_allocate(&frames->allocator, capacity, sizeof *items);
  if (!items) return false;
  if (frames->count) memcpy(items, frames->items, frames->count * sizeof *items);
  supplei_release(&frames->allocator, frames->items, frames->capacity, sizeof *items);
  frames->items = items;
  frames->capacity = capacity;
  return true;
}

static bool add(supplei_frames *frames, uint32_t clip, double seconds) {
  if (!grow(frames)) return false;
  frames->items[frames->count++] = (supplei_frame){clip, seconds};
  return true;
}

static bool add_evenly(supplei_frames *frames, const supple_clip *clip, uint32_t index,
                       uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    double share = count > 1 ? (double)i / (double)(count - 1) : 0;
    double seconds =
        i + 1 == count && i ? clip->end : clip->begin + (clip->end - clip->begin) * share;
    if (!add(frames, index, seconds)) return false;
  }
  return true;
}

static bool add_clip(supplei_frames *frames, const supple_clip *clip, uint32_t index, uint32_t most) {
  uint32_t first = frames->count, count = 0;
  double key = next_key(clip, -HUGE_VAL);
  if (!(key < HUGE_VAL)) return add(frames, index, clip->begin);
  for (; key < HUGE_VAL && count <= most; key = next_key(clip, key), count++)
    if (count < most && !add(frames, index, key)) return false;
  if (count <= most) return true;
  frames->count = first;
  return add_evenly(frames, clip, index, most);
}

supple_result supplei_frames_create(supplei_frames *frames, const supple_asset *asset,
                                    uint32_t most, const supple_allocator *allocator) {
  *frames = (supplei_frames){.allocator = supplei_allocator(allocator)};
  bool fine = add(frames, SUPPLE_NONE, 0);
  for (uint32_t c = 0; fine && c < asset->clip_count; c++)
    fine = add_clip(frames, &asset->clips[c], c, most ? most : 1);
  if (fine) return SUPPLE_OK;
  supplei_frames_release(frames);
  return SUPPLE_ERROR_MEMORY;
}

void supplei_frames_release(supplei_frames *frames) {
  supplei_release(&frames->allocator, frames->items, frames->capacity, sizeof *frames->items);
  frames->items = NULL;
  frames->count = frames->capacity = 0;
}

void supplei_frames_pose(supple_pose *pose, const supple_asset *asset, const supplei_frame *frame) {
  if (frame->clip == SUPPLE_NONE)
    supple_pose_rest(pose);
  else
    supple_pose_sample(pose, &asset->clips[frame->clip], frame->seconds);
}
