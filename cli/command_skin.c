/* command_skin.c: `supple skin`: the posed vertices of every skinned primitive. */
#include "command.h"

#include "export.h"
#include "print.h"
#include "stage.h"
#include "threads.h"

#include <stdlib.h>
#include <string.h>

/* What the threads share. Primitives of instance i are posed[first[i]] and following. */
typedef struct skin_run {
  const cli_invocation *invocation;
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

static bool keep_primitive(const skin_run *run, const cli_workspace *work, uint32_t p,
                           cli_posed *posed) {
  const supple_instance *instance = run->stage->instances[work->instance].instance;
  const size_t n = instance->primitives[p]->vertex_count;
  posed->node = instance->node;
  posed->name = run->stage->asset->skeleton.nodes[instance->node].name;
  posed->source = instance->primitives[p];
  posed->positions = copy_floats(work->positions[0][p], 3 * n);
  if (work->normals[0][p]) posed->normals = copy_floats(work->normals[0][p], 3 * n);
  if (work->tangents[0][p]) posed->tangents = copy_floats(work->tangents[0][p], 4 * n);
  return posed->positions && (!work->normals[0][p] || posed->normals) &&
         (!work->tangents[0][p] || posed->tangents);
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
  for (uint32_t p = 0; p < (*work)->primitive_count; p++)
    if ((*work)->positions[0][p] && !keep_primitive(run, *work, p, posed++))
      return cli_complain(CLI_FAILED, "out of memory");
  return CLI_FINE;
}

static int deform_all(skin_run *run) {
  const cli_stage *stage = run->stage;
  size_t count = 0;
  for (uint32_t i = 0; i < stage->instance_count; i++)
    count += stage->instances[i].instance->primitive_count;
  if (count > UINT32_MAX) return cli_complain(CLI_FAILED, "too many primitives");
  run->threads = cli_thread_count(run->invocation->options.threads);
  run->workspaces = calloc(run->threads, sizeof *run->workspaces);
  run->posed = calloc(count + 1, sizeof *run->posed);
  run->first = calloc((size_t)stage->instance_count + 1, sizeof *run->first);
  run->reports = calloc((size_t)stage->instance_count + 1, sizeof *run->reports);
  if (!run->workspaces || !run->posed || !run->first || !run->reports)
    return cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    run->first[i] = run->posed_count;
    for (uint32_t p = 0; p < stage->instances[i].instance->primitive_count; p++)
      if (stage->instances[i].bindings[p]) run->posed_count++;
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

/* ---- the method ---- */

/* LBS or DQS where the skin names it in the file's extras; false where it does not. */
static bool named_method(const supple_skin *skin, supple_method *method) {
  const char *name = skin->skinning_method ? skin->skinning_method : "";
  const bool linear = strcmp(name, "classicLinear") == 0;
  if (!linear && strcmp(name, "dualQuaternion") != 0) return false;
  *method = linear ? SUPPLE_LBS : SUPPLE_DQS;
  return true;
}

/* --method, else what the first skin that names one asks for, else DQS. */
static void choose_method(skin_run *run) {
  const cli_options *options = &run->invocation->options;
  const supple_asset *asset = run->stage->asset;
  run->method = options->method_given ? (supple_method)options->method : SUPPLE_DQS;
  bool found = options->method_given;
  for (uint32_t s = 0; s < asset->skin_count && !found; s++) {
    found = named_method(&asset->skins[s], &run->method);
    if (found && options->verbose)
      cli_note("%s: skin %u asks for %s (%s)", run->stage->path, s, asset->skins[s].skinning_method,
               cli_method_name(run->method));
    for (uint32_t other = s + 1; other < asset->skin_count && found; other++) {
      supple_method differs = run->method;
      if (!named_method(&asset->skins[other], &differs) || differs == run->method) continue;
      cli_note("%s: skins %u and %u name different methods; %s is used for all (--method)",
               run->stage->path, s, other, cli_method_name(run->method));
      break;
    }
  }
  if (run->method == SUPPLE_DQS && options->weights == SUPPLE_WEIGHTS_KEEP)
    cli_note("--weights keep changes nothing under dqs, which does not depend on their sum");
}

static int skin_file(skin_run *run, const char *path, cli_export_format format) {
  int exit_code;
  const char *file = run->invocation->files[0];
  run->stage = cli_stage_load(file, &run->invocation->options, &exit_code);
  if (!run->stage) return exit_code;
  exit_code = cli_choose_moment(run->stage->asset, &run->invocation->options, &run->moment);
  if (exit_code != CLI_FINE) return exit_code;
  choose_method(run);
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
        "in the order of the file's nodes and vertices. Without --clip, --time and --pose\n"
        "the nodes stay as stored (--rest). Without --method the first skin that names one\n"
        "in extras.skinningMethod (classicLinear, dualQuaternion) decides, else it is dqs.\n"
        "Repairs of the file's influences and what else happened are told on stderr.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_JSON | CLI_USES_METHOD | CLI_USES_DEFORM | CLI_USES_NORMALS |
              CLI_USES_INFLUENCES | CLI_USES_CLIP | CLI_USES_TIME | CLI_USES_REST | CLI_USES_POSE |
              CLI_USES_SPACE | CLI_USES_THREADS | CLI_USES_VERBOSE | CLI_USES_LOADING,
    .least_files = 1,
    .most_files = 1,
    .function = run_skin,
};
