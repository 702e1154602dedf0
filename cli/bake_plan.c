/* bake_plan.c: the frames, vertices and format of a bake. */
#include "bake_plan.h"

#include "bake_shard.h"
#include "copies.h"
#include "export.h"
#include "print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double default_fps = 30;

/* frames × (frames − 1) weights of four bytes stay below the 4 GiB of a .glb. */
enum { GLB_FRAMES_MOST = 32768 };

/* ---- the format ---- */

static bool one_pose(const cli_options *shared) { return shared->rest || shared->time_given; }

static int check_options(const cli_options *shared, const bake_options *own) {
  const bool sharded = own->shard || own->join;
  if (own->bounds && shared->output)
    return cli_complain(CLI_USAGE, "--bounds prints the boxes: leave out -o");
  if (!own->bounds && shared->json)
    return cli_complain(CLI_USAGE, "--json goes with --bounds; a cache is written to -o OUT");
  if (!own->bounds && (!shared->output || strcmp(shared->output, "-") == 0))
    return cli_complain(CLI_USAGE, "say -o OUT, which ends in .pc2, .npz or .glb; or --bounds");
  if (own->bounds && sharded)
    return cli_complain(CLI_USAGE, "--bounds is printed at once: leave out --shard and --join");
  if (own->shard && own->join)
    return cli_complain(CLI_USAGE, "--join comes after all shards, without --shard");
  if (own->keep_parts && !own->join)
    return cli_complain(CLI_USAGE, "--keep-parts goes with --join");
  if (own->frames && own->fps > 0)
    return cli_complain(CLI_USAGE, "--frames and --fps both say how many frames: give one");
  if (shared->rest && (shared->clip || shared->time_given))
    return cli_complain(CLI_USAGE, "--rest does not go with --clip or --time");
  if (one_pose(shared) && (own->frames || own->fps > 0))
    return cli_complain(CLI_USAGE, "%s is one pose: leave out --frames and --fps",
                        shared->rest ? "--rest" : "--time");
  return CLI_FINE;
}

int bake_choose_format(const cli_options *shared, const bake_options *own, bake_format *format) {
  const int exit_code = check_options(shared, own);
  const char *path = shared->output;
  cli_export_format exported;
  *format = BAKE_BOUNDS;
  if (exit_code != CLI_FINE || own->bounds) return exit_code;
  if (cli_path_ends(path, ".pc2"))
    *format = BAKE_PC2;
  else if (cli_path_ends(path, ".npz"))
    *format = BAKE_NPZ;
  else if (cli_path_ends(path, ".glb"))
    *format = BAKE_GLB;
  else if (!cli_export_format_of(path, &exported))
    return cli_complain(CLI_USAGE,
                        "%s: the ending must be .pc2, .npz or .glb; for one pose (--rest, --time) "
                        ".obj, .ply or .json, too",
                        path);
  else if (!one_pose(shared) || cli_path_ends(path, ".gltf"))
    return cli_complain(CLI_USAGE, "%s holds no frames: bake to .pc2, .npz or .glb%s", path,
                        one_pose(shared) ? "" : ", or one pose by --rest or --time S");
  else
    *format = BAKE_STATIC;
  if (one_pose(shared) && (own->shard || own->join))
    return cli_complain(CLI_USAGE, "one pose needs no shards: leave out --shard and --join");
  return CLI_FINE;
}

/* ---- times ---- */

int bake_times(double begin, double end, uint32_t frames, double fps, double **times,
               uint32_t *count) {
  const double length = end > begin ? end - begin : 0;
  double rate = 0;
  *times = NULL;
  *count = frames;
  if (length == 0) {
    *count = 1;
  } else if (frames == 0) {
    rate = fps > 0 ? fps : default_fps;
    /* times in a file are floats: a frame that misses the end by their rounding is meant to be there */
    const double steps = floor(length * rate * (1 + 1e-6) + 1e-6);
    if (steps >= BAKE_FRAMES_MOST)
      return cli_complain(
          CLI_USAGE, "that makes more than %d frames: a smaller --fps, or --frames N, makes fewer",
          (int)BAKE_FRAMES_MOST);
    *count = (uint32_t)steps + 1;
  }
  *times = malloc(*count * sizeof **times);
  if (!*times) return cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; i < *count; i++) {
    const double even = *count > 1 ? length * (double)i / (double)(*count - 1) : 0;
    const double time = begin + (rate > 0 ? (double)i / rate : even);
    (*times)[i] = time > end ? end : time;
  }
  return CLI_FINE;
}

static int choose_clip(const cli_stage *stage, uint32_t *clip) {
  const supple_asset *asset = stage->asset;
  const int exit_code = cli_find_clip(asset, stage->options, clip);
  if (exit_code != CLI_FINE || *clip != SUPPLE_NONE) return exit_code;
  if (asset->clip_count == 0)
    return cli_complain(CLI_USAGE, "%s has no clip: --rest bakes the nodes as stored", stage->path);
  if (asset->clip_count > 1)
    return cli_complain(
        CLI_USAGE,
        "%s has %u clips: say --clip NAME (or #0 to #%u), or --rest for the nodes as "
        "stored",
        stage->path, asset->clip_count, asset->clip_count - 1);
  *clip = 0;
  return CLI_FINE;
}

static int list_times(bake_plan *plan, const bake_options *own) {
  const cli_options *options = plan->stage->options;
  plan->clip = SUPPLE_NONE;
  if (!options->rest) {
    const int exit_code = choose_clip(plan->stage, &plan->clip);
    if (exit_code != CLI_FINE) return exit_code;
    if (!options->time_given) {
      const supple_clip *clip = &plan->stage->asset->clips[plan->clip];
      return bake_times(clip->begin, clip->end, own->frames, own->fps, &plan->times,
                        &plan->frame_count);
    }
  }
  plan->times = malloc(sizeof *plan->times);
  if (!plan->times) return cli_complain(CLI_FAILED, "out of memory");
  plan->times[0] = options->time_given ? options->time : 0;
  plan->frame_count = 1;
  return CLI_FINE;
}

/* ---- vertices ---- */

/* Whether records have normals and tangents. Those of many frames go without tangents: hardly a viewer takes them
 * from morph targets, and all can make them. */
static void note_streams(bake_plan *plan, const supple_primitive *source) {
  const bool format_has = plan->format != BAKE_PC2 && plan->format != BAKE_BOUNDS;
  const bool one = plan->frame_count == 1 && plan->format != BAKE_NPZ;
  if (format_has && source->normals) plan->normals = true;
  if (format_has && one && source->normals && source->tangents) plan->tangents = true;
}

/* A .glb keeps copies as copies. */
static uint32_t copies_of(const bake_plan *plan, const supple_instance *instance) {
  return plan->format == BAKE_GLB ? 1 : cli_copy_count(instance);
}

/* A few bytes of a file can ask for millions of copies, so what these need is held against the limit too. */
static int count_primitives(const bake_plan *plan, size_t *most) {
  const cli_stage *stage = plan->stage;
  const size_t given = stage->options->limits.memory_bytes;
  const double limit = given ? (double)given : 1024.0 * 1024 * 1024;
  double primitives = 0, bytes = 0;
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const supple_instance *instance = stage->instances[i].instance;
    const double copies = (double)copies_of(plan, instance);
    primitives += copies * (double)instance->primitive_count;
    if (copies > 1)
      bytes += copies * ((double)sizeof(bake_primitive) * (double)instance->primitive_count +
                         40.0 * (double)stage->instances[i].vertex_count);
  }
  if (bytes > limit || primitives > (double)UINT32_MAX)
    return cli_complain(CLI_FAILED,
                        "%s: its copies (EXT_mesh_gpu_instancing) need more memory than "
                        "--limit-memory-bytes allows",
                        stage->path);
  *most = (size_t)primitives;
  return CLI_FINE;
}

static void list_instance(bake_plan *plan, uint32_t number) {
  const cli_stage_instance *staged = &plan->stage->instances[number];
  const supple_instance *instance = staged->instance;
  for (uint32_t copy = 0; copy < copies_of(plan, instance); copy++)
    for (uint32_t p = 0; p < instance->primitive_count; p++) {
      const supple_primitive *source = instance->primitives[p];
      if (!staged->bindings[p]) continue;
      const bake_primitive added = {number, p, copy, source, plan->vertex_count};
      plan->primitives[plan->primitive_count++] = added;
      plan->vertex_count += source->vertex_count;
      note_streams(plan, source);
    }
}

static int list_primitives(bake_plan *plan) {
  const cli_stage *stage = plan->stage;
  size_t most = 0;
  const int exit_code = count_primitives(plan, &most);
  if (exit_code != CLI_FINE) return exit_code;
  plan->primitives = calloc(most + 1, sizeof *plan->primitives);
  if (!plan->primitives) return cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; i < stage->instance_count; i++) list_instance(plan, i);
  if (plan->primitive_count == 0)
    return cli_complain(CLI_FAILED, "%s: nothing is skinned: no node has a mesh and a skin",
                        stage->path);
  if (plan->vertex_count > INT32_MAX)
    return cli_complain(CLI_FAILED, "%s: more skinned vertices than a cache can count (2147483647)",
                        stage->path);
  return CLI_FINE;
}

int bake_plan_make(bake_plan *plan, const cli_stage *stage, const bake_options *own,
                   bake_format format) {
  memset(plan, 0, sizeof *plan);
  plan->stage = stage;
  plan->output = stage->options->output;
  plan->format = format;
  plan->step = own->interpolation == 1;
  plan->start_frame = own->start_frame;
  plan->shard_count = 1;
  int exit_code = list_times(plan, own);
  if (exit_code == CLI_FINE && format == BAKE_GLB && plan->frame_count > GLB_FRAMES_MOST)
    exit_code = cli_complain(CLI_USAGE,
                             "a .glb holds %d frames at most here, not %u: bake fewer, or to .npz",
                             (int)GLB_FRAMES_MOST, plan->frame_count);
  if (exit_code == CLI_FINE) exit_code = list_primitives(plan);
  if (exit_code != CLI_FINE) return exit_code;
  plan->method = cli_choose_method(stage);
  if (own->shard) exit_code = bake_shard_parse(own->shard, &plan->shard, &plan->shard_count);
  bake_shard_range(plan->frame_count, plan->shard, plan->shard_count, &plan->frame_begin,
                   &plan->frame_end);
  return exit_code;
}

void bake_plan_free(bake_plan *plan) {
  free(plan->times);
  free(plan->primitives);
  plan->times = NULL;
  plan->primitives = NULL;
}
