/* command_convert.c: `supple convert`: the asset as .usda or .usdz with UsdSkel. */
#include "command.h"

#include "print.h"
#include "stage.h"
#include "stored_zip.h"
#include "usd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct convert_own {
  bool given;
  bool dry_run;
  double fps;
} convert_own;

/* The files that are written: the images, then the .usda, which names them. */
typedef struct convert_run {
  const cli_options *options;
  const convert_own *own;
  cli_stage *stage;
  cli_usd usd;
  cli_output **outputs;
  uint32_t output_count;
} convert_run;

static int check_usage(const cli_options *options) {
  const char *out = options->output;
  if (!out) return cli_complain(CLI_USAGE, "say -o OUT.usda or OUT.usdz");
  if (strcmp(out, "-") != 0 && !cli_path_ends(out, ".usda") && !cli_path_ends(out, ".usdz"))
    return cli_complain(CLI_USAGE, "%s: the ending must be .usda or .usdz", out);
  if (options->rest && options->clip)
    return cli_complain(CLI_USAGE, "--rest does not go with --clip");
  return CLI_FINE;
}

/* ---- files ---- */

/* Where an image goes: beside OUT. NULL: out of memory. */
static char *image_path(const convert_run *run, uint32_t image) {
  const char *out = run->options->output, *name = run->usd.images[image].name;
  size_t folder = 0;
  for (size_t i = 0; out[i]; i++)
    if (out[i] == '/' || out[i] == '\\') folder = i + 1;
  char *path = malloc(folder + strlen(name) + 1);
  if (!path) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  memcpy(path, out, folder);
  strcpy(path + folder, name);
  return path;
}

static int write_image(convert_run *run, uint32_t index) {
  const supple_image *image = &run->usd.asset->images[index];
  char *path = image_path(run, index);
  cli_output *output = path ? cli_output_open(path) : NULL;
  free(path);
  if (!output) return CLI_FAILED;
  cli_output_write(output, image->data, image->size);
  run->outputs[run->output_count++] = output;
  return cli_output_complete(output) ? CLI_FINE : CLI_FAILED;
}

static int write_images(convert_run *run) {
  int exit_code = CLI_FINE;
  for (uint32_t i = 0; i < run->usd.asset->image_count && exit_code == CLI_FINE; i++)
    if (run->usd.images[i].write) exit_code = write_image(run, i);
  return exit_code;
}

/* All of them, or none: on failure what is left is abandoned. */
static int close_outputs(convert_run *run, int exit_code) {
  for (uint32_t i = 0; i < run->output_count; i++) {
    cli_output *output = run->outputs[i];
    run->outputs[i] = NULL;
    if (exit_code == CLI_FINE || cli_output_failed(output)) {
      const int closed = cli_output_close(output);
      if (exit_code == CLI_FINE) exit_code = closed;
    } else {
      cli_output_abandon(output);
    }
  }
  return exit_code;
}

/* The text first, which is how viewers find it, then the images; data at multiples of 64 bytes, so that programs map
 * it into memory. */
static int write_package(convert_run *run) {
  enum { ALIGNMENT = 64 };
  const cli_usd *usd = &run->usd;
  char name[160];
  cli_output *output = cli_output_open(run->options->output);
  cli_output *text = output ? cli_output_open_memory() : NULL;
  cli_zip *zip = text ? cli_zip_create(output, ALIGNMENT, run->options->output) : NULL;
  int exit_code = zip ? cli_usd_write(&run->usd, text) : CLI_FAILED;
  snprintf(name, sizeof name, "%s.usda", usd->stem ? usd->stem : "");
  if (exit_code == CLI_FINE) exit_code = cli_zip_add_contents(zip, name, text);
  cli_output_abandon(text);
  for (uint32_t i = 0; i < usd->asset->image_count && exit_code == CLI_FINE; i++)
    if (usd->images[i].write)
      exit_code = cli_zip_add(zip, usd->images[i].name, usd->asset->images[i].data,
                              usd->asset->images[i].size);
  if (exit_code == CLI_FINE) cli_zip_end(zip);
  cli_zip_free(zip);
  if (exit_code == CLI_FINE) return cli_output_close(output);
  cli_output_abandon(output);
  return exit_code;
}

static int write_files(convert_run *run) {
  if (run->usd.packed) return write_package(run);
  run->outputs = calloc((size_t)run->usd.asset->image_count + 1, sizeof *run->outputs);
  if (!run->outputs) return cli_complain(CLI_FAILED, "out of memory");
  int exit_code = write_images(run);
  cli_output *output = exit_code == CLI_FINE ? cli_output_open(run->options->output) : NULL;
  if (output) {
    run->outputs[run->output_count++] = output;
    exit_code = cli_usd_write(&run->usd, output);
    if (exit_code == CLI_FINE && !cli_output_complete(output)) exit_code = CLI_FAILED;
  } else {
    exit_code = CLI_FAILED;
  }
  return close_outputs(run, exit_code);
}

/* Everything was worked out; only the writing is left out. */
static int try_files(convert_run *run) {
  cli_output *output = cli_output_open("-");
  if (!output) return CLI_FAILED;
  for (uint32_t i = 0; i < run->usd.asset->image_count; i++) {
    if (!run->usd.images[i].write || run->usd.packed) continue;
    char *path = image_path(run, i);
    if (!path) break;
    cli_output_format(output, "would write ");
    cli_plain_text(output, path);
    cli_output_format(output, ": %zu bytes\n", run->usd.asset->images[i].size);
    free(path);
  }
  cli_output_text(output, "would write ");
  cli_plain_text(output, run->options->output);
  cli_output_text(output, "\n");
  return cli_output_close(output);
}

/* ---- all of it ---- */

static int convert(convert_run *run, const char *file) {
  int exit_code;
  run->stage = cli_stage_load(file, run->options, &exit_code);
  if (!run->stage) return exit_code;
  const supple_asset *asset = run->stage->asset;
  cli_usd_settings settings = {.out = run->options->output,
                               .packed = cli_path_ends(run->options->output, ".usdz"),
                               .fps = run->own->fps};
  exit_code = cli_find_clip(asset, run->options, &settings.clip);
  if (exit_code != CLI_FINE) return exit_code;
  if (settings.clip == SUPPLE_NONE && asset->clip_count > 0 && !run->options->rest)
    settings.clip = 0;
  settings.method = cli_choose_method(run->stage);
  cli_stage_print_repairs(run->stage);
  if (!cli_usd_make(&run->usd, run->stage, &settings)) return CLI_FAILED;
  const bool to_stdout = strcmp(run->options->output, "-") == 0;
  for (uint32_t i = 0; i < asset->image_count && to_stdout; i++) {
    if (run->usd.images[i].write)
      cli_note("image %u is not written beside stdout: it is named %s there", i,
               run->usd.images[i].name);
    run->usd.images[i].write = false;
  }
  exit_code = run->own->dry_run ? try_files(run) : write_files(run);
  if (exit_code == CLI_FINE) cli_usd_print_losses(&run->usd);
  return exit_code;
}

static int run_convert(const cli_invocation *invocation) {
  cli_options options = invocation->options;
  convert_run run = {.options = &options, .own = invocation->own};
  options.image_files = true;
  int exit_code = check_usage(&options);
  if (exit_code == CLI_FINE) exit_code = convert(&run, invocation->files[0]);
  cli_usd_clear(&run.usd);
  cli_stage_free(run.stage);
  free(run.outputs);
  return exit_code;
}

static const cli_option own_options[] = {
    {.name = "fps",
     .argument = "N",
     .kind = CLI_NUMBER,
     .offset = offsetof(convert_own, fps),
     .least = 1,
     .most = 100000,
     .help = "time codes a second, and how often cubic splines are sampled between their keys "
             "(default: the least of 24, 25, 30, 48, 50, 60, 90, 100, 120 that has a code at "
             "every key, else 60)"},
    {.name = "dry-run",
     .kind = CLI_FLAG,
     .offset = offsetof(convert_own, dry_run),
     .help = "write nothing; say which files there would be, and what USD cannot hold"},
};

const cli_command cli_command_convert = {
    .name = "convert",
    .summary = "write the asset as USD",
    .usage = "FILE -o OUT.usda|OUT.usdz [options]",
    .description =
        "Writes FILE as USD text (.usda): a skeleton with bind and rest pose for each skin, a "
        "SkelAnimation "
        "for each clip, meshes with any number of influences a vertex, blend shapes, nodes that "
        "carry meshes without skin, and materials with their base colour and texture. Images go "
        "beside OUT, named after it; where OUT lies beside FILE, image files are used as they "
        "are. An OUT.usdz has all in one file, for phones and browsers: the same text and its "
        "images, which must be PNG or JPEG there.\n\n"
        "USD plays one animation: that of --clip, else the first; the others are there to be bound "
        "instead. With --rest none is bound.\n\n"
        "Meshes ask for dual quaternion skinning (primvars:skel:skinningMethod), or with --method "
        "lbs for linear blending; without --method the first skin that names one in "
        "extras.skinningMethod decides. Programs that know no dual quaternions blend linearly. "
        "Where joints are scaled, USD's dual quaternion skinning scales first: supple skin --scale "
        "first shows what it makes.\n\n"
        "USD animates joints by translation, rotation and 16-bit scale. Joints' own frames are "
        "chosen so that scales need no more, and nodes between and above joints become joints "
        "where they move; what USD cannot hold all the same is told, with how far it moves the "
        "vertices.\n",
    .shared = CLI_USES_OUTPUT | CLI_USES_METHOD | CLI_USES_INFLUENCES | CLI_USES_CLIP |
              CLI_USES_REST | CLI_USES_THREADS | CLI_USES_VERBOSE | CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(convert_own),
    .least_files = 1,
    .most_files = 1,
    .function = run_convert,
};
