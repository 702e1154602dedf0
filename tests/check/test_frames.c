/* test_frames.c: the moments at which an asset is looked at. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "src/check/frames.h"

static supple_channel keys(const float *times, uint32_t count) {
  static const float values[3 * 100] = {0};
  return (supple_channel){.path = SUPPLE_PATH_TRANSLATION,
                          .key_count = count,
                          .width = 3,
                          .times = times,
                          .values = values};
}

static void expect_times(const supplei_frames *frames, uint32_t first, uint32_t clip,
                         const double *times, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    assert_int_equal(frames->items[first + i].clip, clip);
    if (frames->items[first + i].seconds != times[i])
      fail_msg("time %u of clip %u is %.17g, not %.17g", i, clip, frames->items[first + i].seconds,
               times[i]);
  }
}

static void every_key_once(void **state) {
  (void)state;
  const float a[3] = {0.5f, 1, 2}, b[4] = {0.25f, 1, 1, 3};
  const supple_channel channels[2] = {keys(a, 3), keys(b, 4)};
  const supple_clip clips[2] = {
      {.name = "", .begin = 0.25, .end = 3, .channels = channels, .channel_count = 2},
      {.name = "", .begin = 7, .end = 7}};
  const supple_asset asset = {.clips = clips, .clip_count = 2};
  supplei_frames frames;
  assert_int_equal(supplei_frames_create(&frames, &asset, 60, NULL), SUPPLE_OK);
  assert_int_equal(frames.count, 1 + 5 + 1);
  assert_int_equal(frames.items[0].clip, SUPPLE_NONE);
  expect_times(&frames, 1, 0, (double[]){0.25, 0.5, 1, 2, 3}, 5);
  expect_times(&frames, 6, 1, (double[]){7}, 1);
  supplei_frames_release(&frames);
  assert_null(frames.items);
}

static void evenly_where_there_are_more(void **state) {
  (void)state;
  float times[100];
  for (int i = 0; i < 100; i++) times[i] = (float)(i * i); /* 0 to 9801 */
  const supple_channel channel = keys(times, 100);
  const supple_clip clip = {
      .name = "", .begin = 0, .end = 9801, .channels = &channel, .channel_count = 1};
  const supple_asset asset = {.clips = &clip, .clip_count = 1};
  supplei_frames frames;
  assert_int_equal(supplei_frames_create(&frames, &asset, 4, NULL), SUPPLE_OK);
  assert_int_equal(frames.count, 5);
  expect_times(&frames, 1, 0, (double[]){0, 3267, 6534, 9801}, 4);
  supplei_frames_release(&frames);
  assert_int_equal(supplei_frames_create(&frames, &asset, 100, NULL), SUPPLE_OK); /* just enough */
  assert_int_equal(frames.count, 101);
  expect_times(&frames, 99, 0, (double[]){9604, 9801}, 2);
  supplei_frames_release(&frames);
  assert_int_equal(supplei_frames_create(&frames, &asset, 0, NULL), SUPPLE_OK);
  assert_int_equal(frames.count, 2); /* at least one a clip */
  supplei_frames_release(&frames);
}

static void poses(void **state) {
  (void)state;
  const supple_node node = {
      .name = "", .parent = SUPPLE_NONE, .rest = {{1, 2, 3}, {0, 0, 0, 1}, {1, 1, 1}}};
  const uint32_t order = 0;
  const float times[2] = {0, 2}, values[6] = {0, 0, 0, 4, 0, 0};
  const supple_channel channel = {.key_count = 2, .width = 3, .times = times, .values = values};
  const supple_clip clip = {.name = "", .end = 2, .channels = &channel, .channel_count = 1};
  const supple_asset asset = {.skeleton = {.nodes = &node, .order = &order, .node_count = 1},
                              .clips = &clip,
                              .clip_count = 1};
  supple_pose *pose = supple_pose_create(&asset.skeleton, NULL, NULL);
  assert_non_null(pose);
  supplei_frames_pose(pose, &asset, &(supplei_frame){0, 1});
  assert_true(pose->worlds[0].m[0][3] == 2 && pose->worlds[0].m[1][3] == 0);
  supplei_frames_pose(pose, &asset, &(supplei_frame){SUPPLE_NONE, 1});
  assert_true(pose->worlds[0].m[0][3] == 1 && pose->worlds[0].m[1][3] == 2);
  supple_pose_destroy(pose);
}

static void *refuse_after(void *user, size_t size) {
  int *left = user;
  return (*left)-- > 0 ? malloc(size) : NULL;
}
static void give_back(void *user, void *memory, size_t size) {
  (void)user, (void)size;
  free(memory);
}

static void no_memory(void **state) {
  (void)state;
  float times[100];
  for (int i = 0; i < 100; i++) times[i] = (float)i;
  const supple_channel channel = keys(times, 100);
  const supple_clip clip = {.name = "", .end = 99, .channels = &channel, .channel_count = 1};
  const supple_asset asset = {.clips = &clip, .clip_count = 1};
  for (int calls = 0; calls < 2; calls++) {
    int left = calls;
    const supple_allocator allocator = {refuse_after, give_back, &left};
    supplei_frames frames;
    assert_int_equal(supplei_frames_create(&frames, &asset, 100, &allocator), SUPPLE_ERROR_MEMORY);
    assert_null(frames.items);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_key_once),
                                     cmocka_unit_test(evenly_where_there_are_more),
                                     cmocka_unit_test(poses), cmocka_unit_test(no_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
