/* command_skin.c: `supple skin`: the posed vertices of every skinned primitive. */
#include "command.h"

#include "copies.h"
#include "export.h"
#include "print.h"
#include "stage.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

/* What the threads share. Primitives of instance i are posed[first[i]] and following. */
typedef struct skin_run {
  const cli_invocation *invocation;
  cli_options options; /* the invocation's, and whether images are read */
  cli_stage *stage;
  supple_method method;
  cli_moment moment;
  uint32_t threads;
  cli_workspace **workspaces; /* [threads] */
  cli_posed *posed;
  uint32_t posed_count;
  uint32_t *first;               /* [instance_count] */
  supple_deform_report *reports; /* [instance_count] */
} skin_run;

/* ---- what was asked for ---- */

static int choose_format(const cli_options *options, const char **path, cli_export_format *format) {
  *format = CLI_EXPORT_JSON;
  *path = options->output ? options->output : "-";
  if (!options->output) {
    if (options->json) return CLI_FINE;
    return cli_complain(CLI_USAGE, "say -o OUT (.json .npz .obj .ply .glb), or --json");
  }
  if (strcmp(*path, "-") == 0) return CLI_FINE;
  if (!cli_export_format_of(*path, format))
    return cli_complain(CLI_USAGE, "%s: the ending must be one of .json .npz .obj .ply .glb .gltf",
                        *path);
  if (options->json && *format != CLI_EXPORT_JSON)
    return cli_complain(CLI_USAGE, "--json and %s do not agree", *path);
  return CLI_FINE;
}

/* ---- deforming ---- */

static float *copy_floats(const float *values, size_t count) {
  float *copy = malloc(count * sizeof *copy + 1);
  if (copy) memcpy(copy, values, count * sizeof *copy);
  return copy;
}

/* One copy of a primitive, moved to its place. */
static bool keep_primitive(const skin_run *run, const cli_workspace *work, uint32_t p,
                           uint32_t copy, cli_posed *posed) {
  const supple_instance *instance = run->stage->instances[work->instance].instance;
  const size_t n = instance->primitives[p]->vertex_count;
  float *positions = copy_floats(work->positions[0][p], 3 * n), *normals = NULL, *tangents = NULL;
  if (work->normals[0][p]) normals = copy_floats(work->normals[0][p], 3 * n);
  if (work->tangents[0][p]) tangents = copy_floats(work->tangents[0][p], 4 * n);
  *posed = (cli_posed){.node = instance->node,
                       .name = run->stage->asset->skeleton.nodes[instance->node].name,
                       .source = instance->primitives[p],
                       .positions = positions,
                       .normals = normals,
                       .tangents = tangents,
                       .copy = instance->copies ? copy : 0,
                       .copies = instance->copies ? instance->copy_count : 0};
  if (!positions || (work->normals[0][p] && !normals) || (work->tangents[0][p] && !tangents))
    return false;
  if (!instance->copies) return true;
  const supple_affine64 matrix =
      cli_copy_matrix(instance, copy, work->pose, (supple_space)run->options.space);
  cli_copy_move(&matrix, n, positions, normals, tangents);
  return true;
}

static int deform_instance(void *user, uint32_t index, uint32_t worker) {
  const skin_run *run = user;
  cli_workspace **work = &run->workspaces[worker];
  if (!*work) {
    *work = cli_workspace_create(run->stage, &run->method, 1);
    if (!*work) return CLI_FAILED;
    (*work)->want_normals = (*work)->want_tangents = true;
  }
  cli_workspace_pose(*work, &run->moment);
  int exit_code = cli_workspace_enter(*work, index);
  if (exit_code == CLI_FINE) exit_code = cli_workspace_deform(*work, 0);
  if (exit_code != CLI_FINE) return exit_code;
  run->reports[index] = (*work)->deformed[0];
  cli_posed *posed = &run->posed[run->first[index]];
  const uint32_t copies = cli_copy_count(run->stage->instances[index].instance);
  for (uint32_t copy = 0; copy < copies; copy++)
    for (uint32_t p = 0; p < (*work)->primitive_count; p++)
      if ((*work)->positions[0][p] && !keep_primitive(run, *work, p, copy, posed++))
        return cli_complain(CLI_FAILED, "out of memory");
  return CLI_FINE;
}

/* A few bytes of a file can ask for millions of copies, so what these need is held against the limit too. */
static int count_primitives(const cli_stage *stage, uint64_t *count) {
  const size_t limit =
      stage->options->limits.memory_bytes ? stage->options->limits.memory_bytes : (size_t)1 << 30;
  double bytes = 0;
  *count = 0;
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const supple_instance *instance = stage->instances[i].instance;
    const uint64_t copies = cli_copy_count(instance);
    *count += copies * instance->primitive_count;
    if (instance->copies)
      bytes += (double)copies * (sizeof(cli_posed) * (double)instance->primitive_count +
                                 40.0 * (double)stage->instances[i].vertex_count);
  }
  if (bytes > (double)limit)
    return cli_complain(
        CLI_FAILED,
        "%s: its copies (EXT_mesh_gpu_instancing) need %.0f bytes, more than %zu: see "
        "--limit-memory-bytes",
        stage->path, bytes, limit);
  return *count > UINT32_MAX ? cli_complain(CLI_FAILED, "too many primitives") : CLI_FINE;
}

static int deform_all(skin_run *run) {
  const cli_stage *stage = run->stage;
  uint64_t count;
  const int fault = count_primitives(stage, &count);
  if (fault != CLI_FINE) return fault;
  run->threads = cli_thread_count(run->invocation->options.threads);
  run->workspaces = calloc(run->threads, sizeof *run->workspaces);
  run->posed = calloc((size_t)count + 1, sizeof *run->posed);
  run->first = calloc((size_t)stage->instance_count + 1, sizeof *run->first);
  run->reports = calloc((size_t)stage->instance_count + 1, sizeof *run->reports);
  if (!run->workspaces || !run->posed || !run->first || !run->reports)
    return cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    run->first[i] = run->posed_count;
    for (uint32_t p = 0; p < stage->instances[i].instance->primitive_count; p++)
      if (stage->instances[i].bindings[p])
        run->posed_count += cli_copy_count(stage->instances[i].instance);
  }
  return cli_parallel(stage->instance_count, run->threads, deform_instance, run, "deforming");
}

/* ---- messages ---- */

static void print_report(const skin_run *run) {
  const cli_stage *stage = run->stage;
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const supple_deform_report *found = &run->reports[i];
    const uint32_t node = stage->instances[i].instance->node;
    if (found->fallbacks)
      cli_note("node %u: quaternions of %u vertices cancel; linear blending was used there", node,
               found->fallbacks);
    if (found->vanished_normals)
      cli_note("node %u: %u normals vanished and were replaced", node, found->vanished_normals);
    if (found->vanished_tangents)
      cli_note("node %u: %u tangents vanished and were replaced", node, found->vanished_tangents);
    if (run->invocation->options.verbose)
      cli_note("node %u: %u vertices by %s", node, stage->instances[i].vertex_count,
               cli_method_name(run->method));
  }
}

static int export_all(const skin_run *run, const char *path, cli_export_format format) {
  cli_output *output = cli_output_open(path);
  if (!output) return CLI_FAILED;
  const int exit_code =
      cli_export(output, path, format, run->stage->asset, run->posed, run->posed_count);
  if (exit_code == CLI_FINE) return cli_output_close(output);
  cli_output_abandon(output);
  return exit_code;
}

static void free_run(skin_run *run) {
  for (uint32_t i = 0; run->posed && i < run->posed_count; i++) {
    free((void *)run->posed[i].positions);
    free((void *)run->posed[i].normals);
    free((void *)run->posed[i].tangents);
  }
  for (uint32_t i = 0; run->workspaces && i < run->threads; i++)
    cli_workspace_free(run->workspaces[i]);
  free(run->workspaces);
  free(run->posed);
  free(run->first);
  free(run->reports);
  cli_stage_free(run->stage);
}

/* ---- all of it ---- */

static int skin_file(skin_run *run, const char *path, cli_export_format format) {
  int exit_code;
  const char *file = run->invocation->files[0];
  run->options = run->invocation->options;
  run->options.image_files = format == CLI_EXPORT_GLTF;
  run->stage = cli_stage_load(file, &run->options, &exit_code);
  if (!run->stage) return exit_code;
  exit_code = cli_choose_moment(run->stage->asset, &run->invocation->options, &run->moment);
  if (exit_code != CLI_FINE) return exit_code;
  run->method = cli_choose_method(run->stage);
  cli_stage_print_repairs(run->stage);
  exit_code = deform_all(run);
  if (exit_code != CLI_FINE) return exit_code;
  if (run->posed_count == 0) {
    if (format != CLI_EXPORT_JSON)
      return cli_complain(CLI_FAILED, "%s: nothing is skinned: no node has a mesh and a skin", file);
    cli_note("%s: nothing is skinned: no node has a mesh and a skin", file);
  }
  print_report(run);
  return export_all(run, path, format);
}

static int run_skin(const cli_invocation *invocation) {
  const cli_options *options = &invocation->options;
  const char *path;
  cli_export_format format;
  skin_run run = {.invocation = invocation};
  int exit_code = choose_format(options, &path, &format);
  if (exit_code == CLI_FINE) exit_code = skin_file(&run, path, format);
  free_run(&run);
  return exit_code;
}

const cli_command cli_command_skin = {
    .name = "skin",
    .summary = "write the posed vertices",
    .usage = "FILE -o OUT [--clip NAME --time S] [options]",
    .description =
        "Poses FILE and writes every skinned primitive: as .json, .npz (NumPy), .obj,\n"
        ".ply, .glb or .gltf, by the ending of OUT; --json or -o - prints JSON on stdout:\n\n"
        "  {\"primitives\":[{\"node\":0,\"mesh\":0,\"primitive\":0,\n"
        "    \"positions\":[x,y,z,...],\"normals\":[...],\"tangents\":[...]}]}\n\n"
        "in the order of the file's nodes and vertices; where EXT_mesh_gpu_instancing draws a "
        "node\n"
        "more than once, every copy with its number as \"copy\". Without --clip, --time and "
        "--pose\n"
        "the nodes stay as stored (--rest). Without --method the first skin that names one\n"
        "in extras.skinningMethod (classicLinear, dualQuaternion) decides, else it is dqs.\n"
        "Repairs of the file's influences and what else happened are told on stderr.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_DRY_RUN | CLI_USES_JSON | CLI_USES_METHOD |
              CLI_USES_DEFORM | CLI_USES_NORMALS | CLI_USES_INFLUENCES | CLI_USES_CLIP |
              CLI_USES_TIME | CLI_USES_REST | CLI_USES_POSE | CLI_USES_SPACE | CLI_USES_THREADS |
              CLI_USES_VERBOSE | CLI_USES_LOADING,
    .least_files = 1,
    .most_files = 1,
    .function = run_skin,
};
