/* posed_bounds.c: bounds over clips, times in parallel. */
#include "posed_bounds.h"

#include "copies.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

static const supple_bounds empty = {{1, 1, 1}, {-1, -1, -1}};

typedef struct bounds_frame {
  uint32_t clip;
  double seconds;
  supple_bounds box;
} bounds_frame;

typedef struct bounds_run {
  const cli_stage *stage;
  supple_method method;
  cli_workspace **workspaces;
  bounds_frame *frames; /* the first is at rest */
  uint32_t frame_count;
  uint32_t begin, end;  /* instances that are looked at */
  const uint32_t *twin; /* [instance_count] an instance before that shows the same, or itself */
} bounds_run;

static int bound_instance(const bounds_run *run, cli_workspace *work, bounds_frame *frame,
                          uint32_t number) {
  int exit_code = cli_workspace_enter(work, number);
  if (exit_code == CLI_FINE) exit_code = cli_workspace_deform(work, 0);
  if (exit_code != CLI_FINE) return exit_code;
  const supple_instance *instance = run->stage->instances[number].instance;
  supple_bounds box = empty;
  for (uint32_t p = 0; p < work->primitive_count; p++) {
    const float *positions = work->positions[0][p];
    const supple_stream stream = {positions, 3 * sizeof(float)};
    if (positions)
      box = supple_bounds_join(box, supple_bounds_of(stream, instance->primitives[p]->vertex_count));
  }
  for (uint32_t copy = 0; copy < cli_copy_count(instance); copy++) {
    supple_affine64 matrix =
        cli_copy_matrix(instance, copy, work->pose, (supple_space)run->stage->options->space);
    frame->box =
        supple_bounds_join(frame->box, instance->copies ? cli_copy_bounds(&matrix, box) : box);
  }
  return CLI_FINE;
}

static int bound_frame(void *user, uint32_t index, uint32_t worker) {
  const bounds_run *run = user;
  cli_workspace **work = &run->workspaces[worker];
  bounds_frame *frame = &run->frames[index];
  if (!*work) *work = cli_workspace_create(run->stage, &run->method, 1);
  if (!*work) return CLI_FAILED;
  const cli_moment moment = {.clip = frame->clip, .seconds = frame->seconds};
  cli_workspace_pose(*work, &moment);
  int exit_code = CLI_FINE;
  for (uint32_t i = run->begin; exit_code == CLI_FINE && i < run->end; i++)
    if (run->twin[i] == i) exit_code = bound_instance(run, *work, frame, i);
  return exit_code;
}

/* How many instances are looked at together: all where posing the nodes again for each would take most of the time, else
 * one, so that workspaces make its buffers once. */
static uint32_t at_once(const cli_stage *stage) {
  uint64_t vertices = 0;
  for (uint32_t i = 0; i < stage->instance_count; i++) vertices += stage->instances[i].vertex_count;
  const uint64_t nodes = stage->asset->skeleton.node_count;
  return 8 * nodes * stage->instance_count > vertices ? stage->instance_count : 1;
}

/* The frames of all clips, or of the one that is wanted, behind the one at rest. */
static int list_frames(bounds_run *run, uint32_t wanted, cli_posed_bounds *bounds) {
  const supple_asset *asset = run->stage->asset;
  run->frames = malloc(sizeof *run->frames);
  if (!run->frames) return cli_complain(CLI_FAILED, "out of memory");
  run->frames[0] = (bounds_frame){SUPPLE_NONE, 0, empty};
  run->frame_count = 1;
  for (uint32_t c = 0; c < asset->clip_count; c++) {
    double *times;
    if (wanted != SUPPLE_NONE && c != wanted) continue;
    const int exit_code =
        cli_clip_times(&asset->clips[c], run->stage->options, &times, &bounds->times[c]);
    if (exit_code != CLI_FINE) return exit_code;
    const size_t count = (size_t)run->frame_count + bounds->times[c];
    bounds_frame *frames = count > UINT32_MAX ? NULL : realloc(run->frames, count * sizeof *frames);
    if (frames) {
      run->frames = frames;
      for (uint32_t i = 0; i < bounds->times[c]; i++)
        frames[run->frame_count++] = (bounds_frame){c, times[i], empty};
    }
    free(times);
    if (!frames) return cli_complain(CLI_FAILED, "out of memory");
  }
  return CLI_FINE;
}

int cli_posed_bounds_find(const cli_stage *stage, supple_method method, uint32_t clip,
                          cli_posed_bounds *bounds) {
  bounds_run run = {.stage = stage, .method = method};
  const uint32_t threads = cli_thread_count(stage->options->threads);
  memset(bounds, 0, sizeof *bounds);
  bounds->rest = bounds->posed = empty;
  bounds->clip_count = stage->asset->clip_count;
  bounds->clips = calloc((size_t)bounds->clip_count + 1, sizeof *bounds->clips);
  bounds->times = calloc((size_t)bounds->clip_count + 1, sizeof *bounds->times);
  run.workspaces = calloc(threads, sizeof *run.workspaces);
  uint32_t *twin = cli_stage_twins(stage);
  run.twin = twin;
  int exit_code = bounds->clips && bounds->times && run.workspaces && twin
                      ? list_frames(&run, clip, bounds)
                      : cli_complain(CLI_FAILED, "out of memory");
  const uint32_t step = at_once(stage);
  for (; exit_code == CLI_FINE && run.begin < stage->instance_count; run.begin = run.end) {
    run.end = run.begin + step;
    if (step > 1 || run.twin[run.begin] == run.begin)
      exit_code = cli_parallel(run.frame_count, threads, bound_frame, &run, "posing");
  }
  if (exit_code == CLI_FINE) {
    for (uint32_t c = 0; c < bounds->clip_count; c++) bounds->clips[c] = empty;
    bounds->rest = run.frames[0].box;
    for (uint32_t i = 1; i < run.frame_count; i++) {
      supple_bounds *all = &bounds->clips[run.frames[i].clip];
      *all = supple_bounds_join(*all, run.frames[i].box);
      bounds->posed = supple_bounds_join(bounds->posed, run.frames[i].box);
    }
    if (run.frame_count == 1) bounds->posed = bounds->rest;
  }
  for (uint32_t i = 0; run.workspaces && i < threads; i++) cli_workspace_free(run.workspaces[i]);
  free(twin);
  free(run.workspaces);
  free(run.frames);
  return exit_code;
}

void cli_posed_bounds_free(cli_posed_bounds *bounds) {
  free(bounds->clips);
  free(bounds->times);
  memset(bounds, 0, sizeof *bounds);
}
