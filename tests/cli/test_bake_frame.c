/* test_bake_frame.c: frames come in order, whatever the threads, with what the workspace deforms; sinks that stop. */
#include "cli/bake_frame.h"

#include "cli/bake_shard.h"
#include "cli/checksum.h"
#include "tests/cli/bake_small.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

static const char path[] = SUPPLE_SCRATCH "/small.gltf";

enum { FRAMES = 60, VERTICES = 12 };

typedef struct collected {
  uint32_t next, stop_at;
  size_t size;
  unsigned char data[FRAMES][24 * VERTICES];
  uint32_t crcs[FRAMES][2];
} collected;

static int collect(void *user, uint32_t frame, const bake_record *record) {
  collected *all = user;
  assert_int_equal(frame, all->next++);
  all->size = record->size;
  assert_true(record->size <= sizeof all->data[0]);
  memcpy(all->data[frame], record->data, record->size);
  memcpy(all->crcs[frame], record->crcs, sizeof record->crcs);
  return frame == all->stop_at ? 5 : CLI_FINE;
}

static collected reference, other;

static void make(collected *all, bake_format format, uint32_t threads, uint32_t stop_at, int wanted) {
  bake_small small = {.options = {.threads = threads}};
  assert_true(bake_small_make(&small, path, format, FRAMES));
  memset(all, 0, sizeof *all);
  all->stop_at = stop_at;
  assert_int_equal(bake_make_all(&small.plan, collect, all), wanted);
  bake_small_free(&small);
}

/* What the workspace has at a frame's time, in the file's order. */
static void frames_are_the_workspaces(void **state) {
  (void)state;
  bake_small small = {.own = {.given = false}};
  make(&reference, BAKE_NPZ, 1, UINT32_MAX, CLI_FINE);
  assert_int_equal(reference.next, FRAMES);
  assert_int_equal(reference.size, 24 * VERTICES);
  assert_true(bake_small_make(&small, path, BAKE_NPZ, FRAMES));
  const supple_method method = SUPPLE_DQS;
  cli_workspace *work = cli_workspace_create(small.stage, &method, 1);
  assert_non_null(work);
  work->want_normals = true;
  for (uint32_t f = 0; f < FRAMES; f++) {
    const cli_moment moment = {.clip = 0, .seconds = f == FRAMES - 1 ? 1.0 : f / (FRAMES - 1.0)};
    cli_workspace_pose(work, &moment);
    assert_int_equal(cli_workspace_enter(work, 0), CLI_FINE);
    assert_int_equal(cli_workspace_deform(work, 0), CLI_FINE);
    assert_memory_equal(reference.data[f], work->positions[0][0], 12 * VERTICES);
    assert_memory_equal(reference.data[f] + 12 * VERTICES, work->normals[0][0], 12 * VERTICES);
    assert_int_equal(reference.crcs[f][0], cli_crc32(0, reference.data[f], 12 * VERTICES));
    assert_int_equal(reference.crcs[f][1],
                     cli_crc32(0, reference.data[f] + 12 * VERTICES, 12 * VERTICES));
  }
  cli_workspace_free(work);
  bake_small_free(&small);
}

static void threads_change_nothing(void **state) {
  (void)state;
  for (uint32_t threads = 2; threads < 20; threads += 5) {
    make(&other, BAKE_NPZ, threads, UINT32_MAX, CLI_FINE);
    assert_memory_equal(&other, &reference, sizeof other);
  }
  make(&other, BAKE_PC2, 3, UINT32_MAX, CLI_FINE);
  assert_int_equal(other.size, 12 * VERTICES);
  for (uint32_t f = 0; f < FRAMES; f++)
    assert_memory_equal(other.data[f], reference.data[f], 12 * VERTICES);
}

static void a_sink_that_fails_stops(void **state) {
  (void)state;
  for (uint32_t threads = 1; threads < 9; threads++)
    for (uint32_t stop = 0; stop < FRAMES; stop += 13) {
      make(&other, BAKE_PC2, threads, stop, 5);
      assert_int_equal(other.next, stop + 1); /* nothing is handed over after it */
    }
}

static void a_shard_has_its_frames(void **state) {
  (void)state;
  for (uint32_t shard = 0; shard < 7; shard++) {
    bake_small small = {.options = {.threads = 2}};
    assert_true(bake_small_make(&small, path, BAKE_NPZ, FRAMES));
    small.plan.shard = shard;
    small.plan.shard_count = 7;
    bake_shard_range(FRAMES, shard, 7, &small.plan.frame_begin, &small.plan.frame_end);
    memset(&other, 0, sizeof other);
    other.stop_at = UINT32_MAX;
    other.next = small.plan.frame_begin;
    assert_int_equal(bake_make_all(&small.plan, collect, &other), CLI_FINE);
    assert_int_equal(other.next, small.plan.frame_end);
    for (uint32_t f = small.plan.frame_begin; f < other.next; f++)
      assert_memory_equal(other.data[f], reference.data[f], sizeof other.data[f]);
    bake_small_free(&small);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_are_the_workspaces), cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(a_sink_that_fails_stops), cmocka_unit_test(a_shard_has_its_frames)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
