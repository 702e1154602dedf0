/* command_bake.c: `supple bake`: a clip as a vertex cache, whole or in shards; or boxes of its frames. */
#include "command.h"

#include "bake_bounds.h"
#include "bake_folder.h"
#include "bake_frame.h"
#include "bake_gltf.h"
#include "bake_npz.h"
#include "bake_part.h"
#include "bake_pc2.h"
#include "bake_plan.h"
#include "bake_shard.h"
#include "export.h"

#include <stdlib.h>
#include <string.h>

/* ---- .pc2 and .npz, which are written frame by frame ---- */

typedef struct cache_writer {
  const bake_plan *plan;
  cli_output *output;
  bake_npz *npz;
} cache_writer;

static int write_frame(void *user, uint32_t frame, const bake_record *record) {
  const cache_writer *writer = user;
  (void)frame;
  if (writer->npz)
    bake_npz_frame(writer->npz, record);
  else
    bake_pc2_frame(writer->output, record);
  return cli_output_failed(writer->output) ? CLI_FAILED : CLI_FINE;
}

/* From parts, or (NULL) from frames made now. */
static int write_cache(const bake_plan *plan, bake_parts *parts) {
  cache_writer writer = {.plan = plan, .output = cli_output_open(plan->output)};
  int exit_code = CLI_FINE;
  if (!writer.output) return CLI_FAILED;
  if (plan->format == BAKE_NPZ) {
    writer.npz = bake_npz_begin(writer.output, plan, false);
    if (!writer.npz) exit_code = CLI_FAILED;
  } else {
    bake_pc2_begin(writer.output, plan);
  }
  if (exit_code == CLI_FINE)
    exit_code = parts ? bake_parts_read(parts, write_frame, &writer)
                      : bake_make_all(plan, write_frame, &writer);
  if (exit_code != CLI_FINE && !cli_output_failed(writer.output)) { /* it was reported */
    bake_npz_abandon(writer.npz);
    cli_output_abandon(writer.output);
    return exit_code;
  }
  if (writer.npz) bake_npz_end(writer.npz);
  return cli_output_close(writer.output);
}

/* ---- .glb ---- */

static int write_glb(const bake_plan *plan, bake_parts *parts) {
  bake_gltf *gltf = bake_gltf_begin(plan);
  if (!gltf) return CLI_FAILED;
  const int exit_code = parts ? bake_parts_read(parts, bake_gltf_frame, gltf)
                              : bake_make_all(plan, bake_gltf_frame, gltf);
  return bake_gltf_end(gltf, exit_code);
}

/* ---- parts ---- */

typedef struct part_sink {
  bake_part_writer writer;
  cli_output *output;
} part_sink;

static int write_part_frame(void *user, uint32_t frame, const bake_record *record) {
  part_sink *sink = user;
  (void)frame;
  bake_part_frame(&sink->writer, record);
  return cli_output_failed(sink->output) ? CLI_FAILED : CLI_FINE;
}

/* The frames of the plan's shard. What fails in the output is not reported yet: closing it does. */
static int fill_part(const bake_plan *plan, cli_output *output, const uint64_t inputs[2]) {
  part_sink sink = {.output = output};
  bake_part_begin(&sink.writer, output, plan, inputs);
  const int exit_code = bake_make_all(plan, write_part_frame, &sink);
  if (exit_code == CLI_FINE) bake_part_end(&sink.writer);
  return exit_code;
}

static int write_shard(const bake_plan *plan) {
  uint64_t inputs[2];
  bake_inputs_hash(plan, inputs);
  char *path = bake_part_path(plan->output, plan->shard, plan->shard_count);
  if (!path) return CLI_FAILED;
  const bake_part_state state = bake_part_check(plan, inputs);
  int exit_code = CLI_FINE;
  if (state == BAKE_PART_FINE) {
    cli_note("%s is complete: nothing to do", path);
  } else {
    if (state == BAKE_PART_DAMAGED) cli_note("%s is damaged: it is baked again", path);
    if (state == BAKE_PART_OTHER) cli_note("%s is of other inputs: it is baked again", path);
    cli_output *output = cli_output_open(path);
    exit_code = output ? fill_part(plan, output, inputs) : CLI_FAILED;
    if (output && (exit_code == CLI_FINE || cli_output_failed(output)))
      exit_code = cli_output_close(output);
    else
      cli_output_abandon(output);
  }
  free(path);
  return exit_code;
}

static int write_joined(const bake_plan *plan, bool keep_parts) {
  uint64_t inputs[2];
  uint32_t shard_count = 0;
  int exit_code = bake_count_shards(plan->output, &shard_count);
  if (exit_code != CLI_FINE) return exit_code;
  bake_inputs_hash(plan, inputs);
  bake_parts *parts = bake_parts_open(plan, shard_count, inputs);
  if (!parts) return CLI_FAILED;
  exit_code = plan->format == BAKE_GLB ? write_glb(plan, parts) : write_cache(plan, parts);
  if (exit_code == CLI_FINE && !keep_parts && !cli_output_rehearses()) {
    bake_parts_remove(parts);
    bake_remove_unfinished(plan->output, shard_count);
  }
  bake_parts_close(parts);
  return exit_code;
}

/* ---- one pose in the formats of `skin` ---- */

typedef struct pose_sink {
  const bake_plan *plan;
  cli_posed *posed; /* [primitive_count] */
} pose_sink;

static int export_pose(void *user, uint32_t frame, const bake_record *record) {
  const pose_sink *sink = user;
  const bake_plan *plan = sink->plan;
  cli_export_format format = CLI_EXPORT_OBJ;
  (void)frame;
  for (uint32_t i = 0; i < plan->primitive_count; i++) {
    const bake_primitive *part = &plan->primitives[i];
    const uint32_t node = plan->stage->instances[part->instance].instance->node;
    cli_posed *posed = &sink->posed[i];
    posed->node = node;
    posed->name = plan->stage->asset->skeleton.nodes[node].name;
    posed->source = part->source;
    posed->copy = part->copy;
    posed->copies = plan->stage->instances[part->instance].instance->copy_count;
    posed->positions = (const float *)(const void *)record->data + 3 * part->first_vertex;
    if (plan->normals && part->source->normals)
      posed->normals = (const float *)(const void *)(record->data + bake_normals_place(plan)) +
                       3 * part->first_vertex;
    if (plan->tangents && part->source->tangents && part->source->normals)
      posed->tangents = (const float *)(const void *)(record->data + bake_tangents_place(plan)) +
                        4 * part->first_vertex;
  }
  cli_output *output = cli_output_open(plan->output);
  if (!output) return CLI_FAILED;
  cli_export_format_of(plan->output, &format);
  const int exit_code = cli_export(output, plan->output, format, plan->stage->asset, sink->posed,
                                   plan->primitive_count);
  if (exit_code == CLI_FINE) return cli_output_close(output);
  cli_output_abandon(output);
  return exit_code;
}

static int write_pose(const bake_plan *plan) {
  pose_sink sink = {.plan = plan};
  sink.posed = calloc(plan->primitive_count, sizeof *sink.posed);
  const int exit_code = sink.posed ? bake_make_all(plan, export_pose, &sink)
                                   : cli_complain(CLI_FAILED, "out of memory");
  free(sink.posed);
  return exit_code;
}

/* ---- the command ---- */

static int bake_file(const cli_stage *stage, const bake_options *own, bake_format format) {
  bake_plan plan;
  int exit_code = bake_plan_make(&plan, stage, own, format);
  if (exit_code == CLI_FINE) {
    cli_stage_print_repairs(stage);
    if (own->shard)
      exit_code = write_shard(&plan);
    else if (own->join)
      exit_code = write_joined(&plan, own->keep_parts);
    else if (format == BAKE_BOUNDS)
      exit_code = bake_bounds_print(&plan);
    else if (format == BAKE_STATIC)
      exit_code = write_pose(&plan);
    else if (format == BAKE_GLB)
      exit_code = write_glb(&plan, NULL);
    else
      exit_code = write_cache(&plan, NULL);
  }
  bake_plan_free(&plan);
  return exit_code;
}

static int run_bake(const cli_invocation *invocation) {
  const bake_options *own = invocation->own;
  bake_format format;
  uint32_t shard, shard_count;
  int exit_code = bake_choose_format(&invocation->options, own, &format);
  if (exit_code == CLI_FINE && own->shard)
    exit_code = bake_shard_parse(own->shard, &shard, &shard_count);
  if (exit_code == CLI_FINE && format == BAKE_GLB && strcmp(invocation->files[0], "-") == 0)
    exit_code =
        cli_complain(CLI_USAGE, "a .glb is made from FILE's own text, too, and stdin gives it "
                                "only once: name a file");
  if (exit_code != CLI_FINE) return exit_code;
  cli_stage *stage = cli_stage_load(invocation->files[0], &invocation->options, &exit_code);
  if (!stage) return exit_code;
  exit_code = bake_file(stage, own, format);
  cli_stage_free(stage);
  return exit_code;
}

#define AT(field) .offset = offsetof(bake_options, field)

static const cli_option own_options[] = {
    {.name = "frames",
     .argument = "N",
     .kind = CLI_COUNT,
     AT(frames),
     .least = 1,
     .most = BAKE_FRAMES_MOST,
     .help = "bake N frames evenly spaced over the clip, its ends included"},
    {.name = "fps",
     .argument = "F",
     .kind = CLI_NUMBER,
     AT(fps),
     .least = 0.001,
     .most = 100000,
     .help = "bake F frames a second, from the clip's begin on (default 30)"},
    {.name = "bounds",
     .kind = CLI_FLAG,
     AT(bounds),
     .help = "write nothing, print the box of each frame and of all"},
    {.name = "interpolation",
     .argument = "linear|step",
     .kind = CLI_CHOICE,
     AT(interpolation),
     .help = "of a .glb: blend between frames (default), or hold each until the next"},
    {.name = "start-frame",
     .argument = "X",
     .kind = CLI_NUMBER,
     AT(start_frame),
     .least = -1e6,
     .most = 1e6,
     .help = "of a .pc2: the number of the first frame (default 0)"},
    {.name = "shard",
     .argument = "I/N|auto|auto/N",
     .kind = CLI_TEXT,
     AT(shard),
     .help = "bake only the I-th of N parts of the frames (1/N to N/N), to OUT.part-I-of-N; auto: "
             "by what Slurm "
             "array tasks, Open MPI ranks and Kubernetes indexed jobs have in their environment"},
    {.name = "join",
     .kind = CLI_FLAG,
     AT(join),
     .help = "put OUT together from its parts, given the same options, and remove them"},
    {.name = "keep-parts", .kind = CLI_FLAG, AT(keep_parts), .help = "do not remove them"},
};

const cli_command cli_command_bake = {
    .name = "bake",
    .summary = "write a whole clip as a vertex cache",
    .usage = "FILE -o OUT [--clip NAME] [--frames N | --fps F] [options]",
    .description =
        "Deforms every frame of a clip and writes them by the ending of OUT: .pc2\n"
        "(PointCache2: positions; 3ds Max, Blender's Mesh Cache modifier), .npz (NumPy:\n"
        "positions, normals, times, triangles) or .glb (morph targets with an animation of\n"
        "their weights; materials stay, skins go).\n\n"
        "Vertices come in the order of the file: by node, by primitive of its mesh, then\n"
        "as glTF stores them; all skinned primitives, and nothing else. Coordinates are\n"
        "those of glTF: metres, y up (Blender, on a mesh that it imported from glTF: forward\n"
        "axis Z, up axis -Y in the modifier). A file of one clip needs no --clip.\n\n"
        "--rest (nodes as stored) or --time S bakes one pose, to .obj, .ply and .json too;\n"
        "the .glb is then a static mesh.\n\n"
        "On a cluster every process bakes a part of the frames, and one joins them:\n\n"
        "  supple bake hero.glb -o hero.pc2 --shard 3/16    (for 1/16 to 16/16)\n"
        "  supple bake hero.glb -o hero.pc2 --join\n\n"
        "Parts are whole or absent, and a part that is there already, of the same inputs,\n"
        "is not baked again. The joined file is the same, byte for byte, as one baked at\n"
        "once.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_DRY_RUN | CLI_USES_JSON | CLI_USES_METHOD |
              CLI_USES_DEFORM | CLI_USES_NORMALS | CLI_USES_INFLUENCES | CLI_USES_CLIP |
              CLI_USES_TIME | CLI_USES_REST | CLI_USES_SPACE | CLI_USES_THREADS | CLI_USES_VERBOSE |
              CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(bake_options),
    .least_files = 1,
    .most_files = 1,
    .function = run_bake,
};
