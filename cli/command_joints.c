/* command_joints.c: `supple joints`: joint matrices, inverse bind matrices and bind poses. */
#include "command.h"

#include "document_io.h"
#include "joints_text.h"
#include "print.h"
#include "stage.h"

#include <stdlib.h>
#include <string.h>

typedef struct joints_own {
  bool given;
  bool dual_quaternions;
  const char *export_file, *import_file;
  bool dry_run;
} joints_own;

/* One skin in a pose: for an instance where the space depends on it, else for any. */
typedef struct posed_skin {
  const supple_asset *asset;
  const supple_skin *skin;
  uint32_t node; /* the instance's, in mesh space; else SUPPLE_NONE */
  const supple_palette *palette;
  bool dual_quaternions;
} posed_skin;

static supple_split split_of(const posed_skin *posed, uint32_t joint, supple_dual_quat *motion) {
  const supple_affine64 matrix = supple_affine_to_double(&posed->palette->matrices[joint]);
  supple_quat hint = supple_quat_identity();
  if (posed->palette->rotations) hint = posed->palette->rotations[joint];
  const bool mirrored = posed->palette->mirrored && posed->palette->mirrored[joint];
  const supple_split split = supple_split_polar(&matrix, &hint, mirrored);
  *motion = supple_dual_quat_from_rigid(split.rotation, split.translation);
  return split;
}

/* ---- text ---- */

static void print_quat(cli_output *output, const char *label, supple_quat q) {
  const double values[4] = {q.x, q.y, q.z, q.w};
  char text[CLI_NUMBER_TEXT];
  cli_output_format(output, "  %-20s", label);
  for (int i = 0; i < 4; i++)
    cli_output_format(output, " %s", cli_float_text((float)values[i], text));
  cli_output_text(output, "\n");
}

static void print_matrix(cli_output *output, const char *label, const supple_affine64 *matrix) {
  cli_table *table = cli_table_create("lrrrr");
  char text[CLI_NUMBER_TEXT];
  for (int r = 0; r < 3; r++) {
    cli_table_format(table, "%-20s", r == 0 ? label : "");
    for (int c = 0; c < 4; c++) cli_table_cell(table, cli_float_text((float)matrix->m[r][c], text));
  }
  cli_table_print(table, output, 2);
}

static void print_joint(cli_output *output, const posed_skin *posed, uint32_t joint) {
  const supple_skin *skin = posed->skin;
  const uint32_t parent = skin->parents[joint];
  char name[256];
  cli_output_format(output, "\njoint %u ", joint);
  cli_plain_text(output, cli_node_name(posed->asset, skin->joints[joint], name, sizeof name));
  cli_output_format(output, " (node %u", skin->joints[joint]);
  if (parent != SUPPLE_NONE) cli_output_format(output, ", below joint %u", parent);
  cli_output_text(output, ")\n");
  const supple_affine64 matrix = supple_affine_to_double(&posed->palette->matrices[joint]);
  print_matrix(output, "joint matrix", &matrix);
  print_matrix(output, "inverse bind matrix", &skin->inverse_binds[joint]);
  supple_affine64 bind;
  if (supple_affine64_inverse(&skin->inverse_binds[joint], &bind))
    print_matrix(output, "bind pose", &bind);
  else
    cli_output_text(output, "  bind pose             none: the inverse bind matrix is singular\n");
  if (!posed->dual_quaternions) return;
  if (!supple_affine64_is_finite(&matrix)) {
    cli_output_text(output, "  dual quaternion       none: the joint matrix is not finite\n");
    return;
  }
  supple_dual_quat motion;
  const supple_split split = split_of(posed, joint, &motion);
  char scale[CLI_NUMBER_TEXT], residual[CLI_NUMBER_TEXT];
  print_quat(output, "real (x y z w)", motion.real);
  print_quat(output, "dual (x y z w)", motion.dual);
  cli_output_format(output, "  scale                 %s, off by %s\n",
                    cli_float_text((float)split.scale, scale),
                    cli_float_text((float)split.residual, residual));
}

static void print_skin(cli_output *output, const posed_skin *posed) {
  char name[256];
  cli_output_format(output, "skin %u", posed->skin->index);
  if (posed->skin->name[0]) {
    cli_output_text(output, " ");
    cli_plain_text(output, posed->skin->name);
  }
  cli_output_format(output, ": %u joints", posed->skin->joint_count);
  if (posed->node != SUPPLE_NONE) {
    cli_output_text(output, ", in the space of ");
    cli_plain_text(output, cli_node_name(posed->asset, posed->node, name, sizeof name));
  }
  cli_output_text(output, "\n");
  for (uint32_t k = 0; k < posed->skin->joint_count; k++) print_joint(output, posed, k);
  cli_output_text(output, "\n");
}

/* ---- JSON ---- */

static void json_matrix(cli_json *json, const char *key, const supple_affine64 *matrix) {
  double columns[16];
  supple_affine64_to_columns(matrix, columns);
  cli_json_array(json, key);
  for (int i = 0; i < 16; i++) cli_json_float(json, NULL, (float)columns[i]);
  cli_json_end(json);
}

static void json_quat(cli_json *json, const char *key, supple_quat q) {
  const float values[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
  cli_json_floats(json, key, values, 4);
}

static void json_dual_quaternion(cli_json *json, const posed_skin *posed, uint32_t joint,
                                 const supple_affine64 *matrix) {
  supple_dual_quat motion;
  if (!supple_affine64_is_finite(matrix)) {
    cli_json_null(json, "dual_quaternion");
    return;
  }
  const supple_split split = split_of(posed, joint, &motion);
  cli_json_object(json, "dual_quaternion");
  json_quat(json, "real", motion.real);
  json_quat(json, "dual", motion.dual);
  cli_json_end(json);
  cli_json_float(json, "scale", (float)split.scale);
  cli_json_float(json, "residual", (float)split.residual);
}

static void json_joint(cli_json *json, const posed_skin *posed, uint32_t joint) {
  const supple_skin *skin = posed->skin;
  const supple_affine64 matrix = supple_affine_to_double(&posed->palette->matrices[joint]);
  supple_affine64 bind;
  cli_json_object(json, NULL);
  cli_json_index(json, "joint", joint);
  cli_json_index(json, "node", skin->joints[joint]);
  cli_json_text(json, "name", posed->asset->skeleton.nodes[skin->joints[joint]].name);
  cli_json_index(json, "parent", skin->parents[joint]);
  json_matrix(json, "matrix", &matrix);
  json_matrix(json, "inverse_bind", &skin->inverse_binds[joint]);
  if (supple_affine64_inverse(&skin->inverse_binds[joint], &bind))
    json_matrix(json, "bind_pose", &bind);
  else
    cli_json_null(json, "bind_pose");
  if (posed->dual_quaternions) json_dual_quaternion(json, posed, joint, &matrix);
  cli_json_end(json);
}

static void json_skin(cli_json *json, const posed_skin *posed) {
  cli_json_object(json, NULL);
  cli_json_index(json, "skin", posed->skin->index);
  cli_json_text(json, "name", posed->skin->name);
  cli_json_index(json, "node", posed->node);
  cli_json_array(json, "joints");
  for (uint32_t k = 0; k < posed->skin->joint_count; k++) json_joint(json, posed, k);
  cli_json_end(json);
  cli_json_end(json);
}

/* ---- the command ---- */

typedef struct joints_printer {
  cli_output *output;
  cli_json *json; /* NULL: text */
  const supple_pose *pose;
  bool dual_quaternions;
} joints_printer;

static int print_posed(const joints_printer *printer, const supple_asset *asset,
                       const supple_instance *instance, supple_space space) {
  supple_palette *palette = supple_palette_create(instance->skin->joint_count, space, NULL, NULL);
  if (!palette) return cli_complain(CLI_FAILED, "out of memory");
  supple_palette_compose(palette, printer->pose, instance);
  const posed_skin posed = {asset, instance->skin,
                            space == SUPPLE_SPACE_MESH ? instance->node : SUPPLE_NONE, palette,
                            printer->dual_quaternions};
  if (printer->json)
    json_skin(printer->json, &posed);
  else
    print_skin(printer->output, &posed);
  supple_palette_destroy(palette);
  return CLI_FINE;
}

/* In scene space every skin once; in mesh space every instance, whose node is the reference. */
static int print_all(const joints_printer *printer, const supple_asset *asset, supple_space space) {
  int exit_code = CLI_FINE;
  if (space == SUPPLE_SPACE_MESH) {
    for (uint32_t i = 0; exit_code == CLI_FINE && i < asset->instance_count; i++)
      exit_code = print_posed(printer, asset, &asset->instances[i], space);
    return exit_code;
  }
  for (uint32_t s = 0; exit_code == CLI_FINE && s < asset->skin_count; s++) {
    const supple_skin *skin = &asset->skins[s];
    if (skin->joint_count == 0) continue;
    const supple_instance instance = {.node = skin->joints[0], .mesh = SUPPLE_NONE, .skin = skin};
    exit_code = print_posed(printer, asset, &instance, space);
  }
  return exit_code;
}

static int print_file(const cli_invocation *invocation, const cli_stage *stage, cli_output *output) {
  const cli_options *options = &invocation->options;
  const joints_own *own = invocation->own;
  cli_moment moment;
  int exit_code = cli_choose_moment(stage->asset, options, &moment);
  if (exit_code != CLI_FINE) return exit_code;
  cli_workspace *work = cli_workspace_create(stage, NULL, 0);
  if (!work) return CLI_FAILED;
  cli_workspace_pose(work, &moment);
  cli_json json = cli_json_start(output, true);
  const joints_printer printer = {output, options->json ? &json : NULL, work->pose,
                                  own->dual_quaternions};
  if (options->json) {
    cli_json_object(&json, NULL);
    cli_json_text(&json, "file", stage->path);
    cli_json_array(&json, "skins");
  }
  exit_code = print_all(&printer, stage->asset, (supple_space)options->space);
  while (json.depth) cli_json_end(&json);
  if (stage->asset->skin_count == 0) cli_note("%s: there is no skin", stage->path);
  cli_workspace_free(work);
  return exit_code;
}

/* ---- as text, and back ---- */

static int export_text(const cli_invocation *invocation) {
  const joints_own *own = invocation->own;
  int exit_code;
  if (invocation->options.output)
    return cli_complain(CLI_USAGE, "--export names the file that is written: leave -o out");
  supple_document *document =
      cli_document_load(invocation->files[0], &invocation->options, &exit_code);
  if (!document) return exit_code;
  cli_output *output = cli_output_open(own->export_file);
  exit_code = output ? cli_joints_export(document, invocation->files[0], output) : CLI_FAILED;
  if (exit_code == CLI_FINE)
    exit_code = cli_output_close(output);
  else
    cli_output_abandon(output);
  supple_document_free(document);
  return exit_code;
}

static int import_text(const cli_invocation *invocation) {
  const joints_own *own = invocation->own;
  const char *source = invocation->files[0], *path = invocation->options.output;
  if (!path) return cli_complain(CLI_USAGE, "--import needs -o OUT.glb or OUT.gltf");
  if (strcmp(source, "-") == 0 && strcmp(own->import_file, "-") == 0)
    return cli_complain(CLI_USAGE, "FILE and --import cannot both be stdin");
  int exit_code = cli_document_check_target(path);
  if (exit_code != CLI_FINE) return exit_code;
  supple_document *document = cli_document_load(source, &invocation->options, &exit_code);
  if (!document) return exit_code;
  uint32_t changed = 0;
  exit_code = cli_joints_import(document, source, own->import_file, &changed);
  if (exit_code == CLI_FINE) {
    cli_note("%s: %u joints change", source, changed);
    exit_code = cli_document_write(
        document, &(cli_document_target){.path = path, .source = source, .dry_run = own->dry_run});
  }
  supple_document_free(document);
  return exit_code;
}

static int run_joints(const cli_invocation *invocation) {
  const joints_own *own = invocation->own;
  int exit_code;
  if (own->export_file && own->import_file)
    return cli_complain(CLI_USAGE, "--export and --import cannot both be done");
  if (own->dry_run && !own->import_file)
    return cli_complain(CLI_USAGE, "--dry-run goes with --import");
  if (own->export_file) return export_text(invocation);
  if (own->import_file) return import_text(invocation);
  cli_stage *stage = cli_stage_load(invocation->files[0], &invocation->options, &exit_code);
  if (!stage) return exit_code;
  const char *path = invocation->options.output ? invocation->options.output : "-";
  cli_output *output = cli_output_open(path);
  exit_code = output ? print_file(invocation, stage, output) : CLI_FAILED;
  if (exit_code == CLI_FINE)
    exit_code = cli_output_close(output);
  else
    cli_output_abandon(output);
  cli_stage_free(stage);
  return exit_code;
}

static const cli_option own_options[] = {
    {.name = "dual-quaternions",
     .kind = CLI_FLAG,
     .offset = offsetof(joints_own, dual_quaternions),
     .help = "each joint's rigid motion as a dual quaternion, and its scale"},
    {.name = "export",
     .argument = "TEXT",
     .kind = CLI_TEXT,
     .offset = offsetof(joints_own, export_file),
     .help = "write inverse bind matrices and rest transforms to a text file that can be edited "
             "(-: stdout)"},
    {.name = "import",
     .argument = "TEXT",
     .kind = CLI_TEXT,
     .offset = offsetof(joints_own, import_file),
     .help = "read such a text and write FILE with what differs in it to -o OUT"},
    {.name = "dry-run",
     .kind = CLI_FLAG,
     .offset = offsetof(joints_own, dry_run),
     .help = "with --import: say what would be written, and write nothing"},
};

const cli_command cli_command_joints = {
    .name = "joints",
    .summary = "print joint matrices, inverse bind matrices and bind poses",
    .usage = "FILE [--clip NAME --time S | --export TEXT | --import TEXT -o OUT] [options]",
    .description =
        "For each joint of each skin: the joint matrix (world of the joint times its\n"
        "inverse bind matrix), the inverse bind matrix, and the bind pose, its inverse;\n"
        "three rows of four. With --json, sixteen numbers by columns, as in glTF. With\n"
        "--space mesh, for each node that has a mesh and a skin, relative to that node.\n"
        "\n"
        "--export writes inverse bind matrices and rest transforms as text, --import\n"
        "brings an edited text back: numbers that were not edited stay bit by bit, and\n"
        "everything else of the file stays as it is.\n",
    .shared = CLI_USES_JSON | CLI_USES_OUTPUT | CLI_USES_CLIP | CLI_USES_TIME | CLI_USES_REST |
              CLI_USES_POSE | CLI_USES_SPACE | CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(joints_own),
    .least_files = 1,
    .most_files = 1,
    .function = run_joints,
};
