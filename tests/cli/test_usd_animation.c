/* test_usd_animation.c: time codes, and which moments of a clip are sampled. */
#include "cli/usd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

static bool wants_all(const void *user, const supple_channel *channel) {
  (void)user, (void)channel;
  return true;
}

static bool wants_node(const void *user, const supple_channel *channel) {
  return channel->node == *(const uint32_t *)user;
}

static void codes(void **state) {
  (void)state;
  for (uint32_t frame = 0; frame < 5000; frame += 7) { /* frames as float seconds are whole again */
    assert_true(cli_usd_code((double)((float)frame / 24.0f), 24) == (double)frame);
    assert_true(cli_usd_code((double)((float)frame / 30.0f), 30) == (double)frame);
  }
  assert_true(cli_usd_code(0.5, 25) == 12.5);
  assert_true(fabs(cli_usd_code(1.0 / 3, 1) - 0.333333) < 1e-12); /* to a millionth */
}

static supple_channel channel_of(supple_interpolation interpolation, const float *times,
                                 uint32_t count, const float *values) {
  const supple_channel channel = {.path = SUPPLE_PATH_TRANSLATION,
                                  .interpolation = interpolation,
                                  .key_count = count,
                                  .width = 3,
                                  .times = times,
                                  .values = values};
  return channel;
}

static void frames_per_second(void **state) {
  (void)state;
  static const float none[30];
  static const struct {
    float times[2];
    double expected;
  } cases[] = {{{0, 1 / 24.0f}, 24}, {{0, 2 / 25.0f}, 25},   {{1 / 30.0f, 0.1f}, 30},
               {{0, 0.5f}, 24},      {{0, 7 / 120.0f}, 120}, {{0, 0.123456f}, 60}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const supple_channel channel = channel_of(SUPPLE_INTERPOLATION_LINEAR, cases[i].times, 2, none);
    const supple_clip clip = {.name = "", .channels = &channel, .channel_count = 1};
    const supple_asset asset = {.clips = &clip, .clip_count = 1};
    assert_true(cli_usd_frames_per_second(&asset) == cases[i].expected);
  }
}

static void expect_codes(const supple_clip *clip, cli_usd_wants *wants, const void *user,
                         const double *expected, uint32_t expected_count) {
  uint32_t count;
  cli_usd_moment *moments = cli_usd_moments(clip, 10, wants, user, &count);
  assert_non_null(moments);
  assert_int_equal(count, expected_count);
  for (uint32_t i = 0; i < count; i++) {
    assert_true(fabs(moments[i].code - expected[i]) < 1e-9);
    assert_true(fabs(moments[i].seconds - expected[i] / 10) < 1e-6);
  }
  free(moments);
}

static void moments_of_channels(void **state) {
  (void)state;
  static const float none[60], times[] = {0, 0.25f, 1}, late[] = {0.5f, 0.75f};
  static const double linear[] = {0, 2.5, 10}, step[] = {0, 2.499, 2.5, 9.999, 10};
  static const double cubic[] = {0, 1, 2, 2.5, 3, 4, 5, 6, 7, 8, 9, 10};
  static const double both[] = {0, 2.499, 2.5, 5, 7.5, 9.999, 10}, second[] = {5, 7.5};
  supple_channel channels[2] = {channel_of(SUPPLE_INTERPOLATION_LINEAR, times, 3, none),
                                channel_of(SUPPLE_INTERPOLATION_LINEAR, late, 2, none)};
  supple_clip clip = {.name = "", .channels = channels, .channel_count = 1};
  expect_codes(&clip, wants_all, NULL, linear, 3);
  channels[0].interpolation = SUPPLE_INTERPOLATION_CUBIC_SPLINE;
  expect_codes(&clip, wants_all, NULL, cubic, 12);
  channels[0].interpolation = SUPPLE_INTERPOLATION_STEP;
  expect_codes(&clip, wants_all, NULL, step, 5);
  clip.channel_count = 2;
  channels[1].node = 3;
  expect_codes(&clip, wants_all, NULL, both, 7);
  expect_codes(&clip, wants_node, &channels[1].node, second, 2);
  clip.channel_count = 0;
  expect_codes(&clip, wants_all, NULL, NULL, 0);
}

/* Where a key's code was rounded, its own time is sampled: what holds until then must not. */
static void own_times(void **state) {
  (void)state;
  static const float none[60], times[] = {0, 0.3f, 0.30000004f, 0.7f};
  const supple_channel channel = channel_of(SUPPLE_INTERPOLATION_STEP, times, 4, none);
  const supple_clip clip = {.name = "", .channels = &channel, .channel_count = 1};
  uint32_t count;
  cli_usd_moment *moments = cli_usd_moments(&clip, 10, wants_all, NULL, &count);
  assert_non_null(moments);
  for (uint32_t i = 0; i < count; i++) {
    if (moments[i].code == 3) assert_true(moments[i].seconds == (double)0.30000004f);
    if (moments[i].code == 7) assert_true(moments[i].seconds == (double)0.7f);
    if (i) assert_true(moments[i].code > moments[i - 1].code);
  }
  free(moments);
}

/* A spline over a billion years is sampled, but not at every frame. */
static void long_spans(void **state) {
  (void)state;
  static const float none[60], times[] = {0, 1e16f};
  const supple_channel channel = channel_of(SUPPLE_INTERPOLATION_CUBIC_SPLINE, times, 2, none);
  const supple_clip clip = {.name = "", .channels = &channel, .channel_count = 1};
  uint32_t count;
  cli_usd_moment *moments = cli_usd_moments(&clip, 60, wants_all, NULL, &count);
  assert_non_null(moments);
  assert_true(count > 1000 && count < 10000);
  free(moments);
}

/* glTF turns keys that are not of unit length as they are stored; USD cannot, and gets more samples. */
static void keys_off_unit_length(void **state) {
  (void)state;
  static const float times[] = {0, 0.5f}, unit[] = {0, 0, 0, 1, 0, 1, 0, 0},
                     off[] = {0, 0, 0, 1, 0, 1.001f, 0, 0};
  static const double plain[] = {0, 5}, more[] = {0, 1, 2, 3, 4, 5};
  supple_channel channel = channel_of(SUPPLE_INTERPOLATION_LINEAR, times, 2, unit);
  const supple_clip clip = {.name = "", .channels = &channel, .channel_count = 1};
  channel.path = SUPPLE_PATH_ROTATION;
  channel.width = 4;
  expect_codes(&clip, wants_all, NULL, plain, 2);
  channel.values = off;
  expect_codes(&clip, wants_all, NULL, more, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(codes),
                                     cmocka_unit_test(frames_per_second),
                                     cmocka_unit_test(moments_of_channels),
                                     cmocka_unit_test(own_times),
                                     cmocka_unit_test(long_spans),
                                     cmocka_unit_test(keys_off_unit_length)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
