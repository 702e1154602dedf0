/* command_fix.c: `supple fix`: repairs of what `supple check` finds. */
#include "command.h"

#include "document_io.h"
#include "fix_print.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fix_own {
  bool given;
  uint32_t influences, max_joints;
  bool rebind, prune, dry_run, verbose;
  uint32_t only, without; /* bits of supple_repair */
} fix_own;

static const struct {
  const char *name;
  uint32_t repair;
} repair_names[] = {{"weights", SUPPLE_REPAIR_WEIGHTS},
                    {"bounds", SUPPLE_REPAIR_BOUNDS},
                    {"nodes", SUPPLE_REPAIR_NODES},
                    {"names", SUPPLE_REPAIR_NAMES}};

/* "weights,names" as bits, added to the value. */
static bool parse_repairs(void *value, const char *text, char *message, size_t size) {
  uint32_t *bits = value;
  for (const char *word = text;; word++) {
    const size_t length = strcspn(word, ",");
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof repair_names / sizeof repair_names[0]; i++)
      if (strlen(repair_names[i].name) == length && memcmp(repair_names[i].name, word, length) == 0)
        found = repair_names[i].repair;
    if (!found) {
      snprintf(message, size, "there is no repair '%.*s'; there are weights, bounds, nodes, names",
               (int)(length < 100 ? length : 100), word);
      return false;
    }
    *bits |= found;
    word += length;
    if (!*word) return true;
  }
}

static uint32_t chosen_repairs(const fix_own *own) {
  uint32_t repairs = own->only ? own->only : SUPPLE_REPAIR_DEFAULT;
  repairs &= ~own->without;
  if (own->rebind) repairs |= SUPPLE_REPAIR_REBIND;
  return repairs ? repairs : SUPPLE_REPAIR_NONE;
}

/* The name of the clip that the report speaks of, from the document. */
static const char *clip_name(const supple_document *document, uint32_t clip, char *text,
                             size_t size) {
  if (clip == SUPPLE_NONE) return NULL;
  char pointer[64];
  snprintf(pointer, sizeof pointer, "/animations/%u/name", clip);
  const char *name = supple_document_string(document, supple_document_find(document, pointer));
  if (name && *name)
    snprintf(text, size, "%s", name);
  else
    snprintf(text, size, "clip #%u", clip);
  return text;
}

/* Writes the document, then the report, to stdout unless the document goes there. The report is made first, so that
 * nothing is written where memory does not suffice for both. */
static int write_both(supple_document *document, const cli_document_target *target,
                      const fix_outcome *outcome, bool json) {
  const bool asset_there = target->path && !target->dry_run && strcmp(target->path, "-") == 0;
  int exit_code = CLI_FAILED;
  size_t size = 0;
  cli_output *made = cli_output_open_memory(), *output = asset_there ? NULL : cli_output_open("-");
  if (made && json) fix_print_json(made, outcome);
  if (made && !json) fix_print_text(made, outcome);
  const char *text = made ? cli_output_contents(made, &size) : NULL;
  if (made && !text) cli_complain(CLI_FAILED, "out of memory");
  if (text && (output || asset_there)) {
    exit_code = target->path ? cli_document_write(document, target) : CLI_FINE;
    if (exit_code == CLI_FINE && output) cli_output_write(output, text, size);
    if (exit_code == CLI_FINE && asset_there) fwrite(text, 1, size, stderr);
  }
  if (exit_code == CLI_FINE && output)
    exit_code = cli_output_close(output);
  else
    cli_output_abandon(output);
  cli_output_abandon(made);
  return exit_code;
}

static int fix_loaded(const cli_invocation *invocation, supple_document *document) {
  const fix_own *own = invocation->own;
  const cli_options *options = &invocation->options;
  const char *path = invocation->files[0];
  const supple_fix_options how = {.load = cli_load_options(options),
                                  .repairs = chosen_repairs(own),
                                  .influences = own->influences,
                                  .max_joints = own->max_joints};
  supple_error error;
  char clip[256], kept[128] = "";
  memset(&error, 0, sizeof error);
  supple_fix_report *report = supple_fix_document(document, &how, &error);
  if (!report) return cli_complain_of_file(path, &error);
  fix_outcome outcome = {.file = path,
                         .written = own->dry_run ? NULL : options->output,
                         .report = report,
                         .influences = own->influences,
                         .worst_clip = clip_name(document, report->worst_clip, clip, sizeof clip),
                         .pruned = own->prune,
                         .all = own->verbose};
  int exit_code = CLI_FINE;
  if (own->prune) {
    const char *extension = NULL;
    if (supple_document_prune(document, &outcome.dropped, &extension, &error))
      exit_code = cli_complain_of_file(path, &error);
    if (extension) snprintf(kept, sizeof kept, "%s", extension);
    outcome.kept = extension ? kept : NULL;
  }
  if (exit_code == CLI_FINE) {
    const cli_document_target target = {
        .path = options->output, .source = path, .dry_run = own->dry_run};
    exit_code = write_both(document, &target, &outcome, options->json);
  }
  if (exit_code == CLI_FINE && fix_refused(report)) exit_code = CLI_FAILED;
  supple_fix_report_free(report);
  return exit_code;
}

static int run_fix(const cli_invocation *invocation) {
  const fix_own *own = invocation->own;
  const cli_options *options = &invocation->options;
  if (!options->output && !own->dry_run)
    return cli_complain(CLI_USAGE, "-o OUT.glb is missing (or --dry-run, which writes nothing)");
  int exit_code = options->output ? cli_document_check_target(options->output) : CLI_FINE;
  if (exit_code != CLI_FINE) return exit_code;
  supple_document *document = cli_document_load(invocation->files[0], options, &exit_code);
  if (!document) return exit_code;
  exit_code = fix_loaded(invocation, document);
  supple_document_free(document);
  return exit_code;
}

static const cli_option own_options[] = {
    {.name = "influences",
     .argument = "N",
     .kind = CLI_COUNT,
     .offset = offsetof(fix_own, influences),
     .least = 1,
     .most = 65535,
     .help = "at most N joints a vertex: the N joints and weights that follow the old deformation "
             "best over all clips, by least squares"},
    {.name = "max-joints",
     .argument = "N",
     .kind = CLI_COUNT,
     .offset = offsetof(fix_own, max_joints),
     .least = 1,
     .most = 65535,
     .help =
         "at most N joints a skin: meshes are cut into parts, with equal vertices on both sides "
         "of a cut"},
    {.name = "rebind",
     .kind = CLI_FLAG,
     .offset = offsetof(fix_own, rebind),
     .help = "inverse bind matrices that are missing or singular become those of the nodes as "
             "stored; the report says what moves"},
    {.name = "only",
     .argument = "LIST",
     .kind = CLI_CUSTOM,
     .offset = offsetof(fix_own, only),
     .parse = parse_repairs,
     .help = "of the repairs made by default only these: weights, bounds, nodes, names"},
    {.name = "without",
     .argument = "LIST",
     .kind = CLI_CUSTOM,
     .offset = offsetof(fix_own, without),
     .parse = parse_repairs,
     .help = "the repairs made by default, but for these"},
    {.name = "prune",
     .kind = CLI_FLAG,
     .offset = offsetof(fix_own, prune),
     .help = "leave out what nothing refers to (any more)"},
    {.name = "dry-run",
     .kind = CLI_FLAG,
     .offset = offsetof(fix_own, dry_run),
     .help = "say what would be done, and write nothing"},
    {.name = "verbose",
     .letter = 'v',
     .kind = CLI_FLAG,
     .offset = offsetof(fix_own, verbose),
     .help = "list every repair, however many there are of a kind"},
};

const cli_command cli_command_fix = {
    .name = "fix",
    .summary = "repair the skins of a file; everything else stays as it is",
    .usage = "FILE -o OUT.glb|OUT.gltf [options]",
    .description =
        "Repairs what supple check finds and what is safe to repair: weights are divided\n"
        "by their sum (whole numbers sum exactly), a joint named twice is merged, joints\n"
        "without weight are dropped, the largest come first in as few sets as will do, a\n"
        "vertex without weight belongs to the first joint it names (weights); min and max\n"
        "are exact (bounds); skinned meshes are at the root of their scenes, at the identity\n"
        "and without channels, and what hung below them stays where it is (nodes); joints'\n"
        "names are present, unique, and such that three.js leaves them alone (names). None of\n"
        "it changes what is seen. Keys, order and number texts of everything else are kept.\n"
        "\n"
        "Says what was done, and how far the vertices of any clip move, measured by deforming\n"
        "both files. Fixing a fixed file changes nothing. What was compressed stays so unless\n"
        "a part of it has to change.\n"
        "\n"
        "The exit status is 1 where something could not be done; the rest is written.\n"
        "\n"
        "  supple fix hero.glb -o fixed.glb\n"
        "  supple fix hero.glb --influences 4 --max-joints 64 --prune -o phone.glb\n",
    .shared = CLI_USES_JSON | CLI_USES_OUTPUT | CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(fix_own),
    .least_files = 1,
    .most_files = 1,
    .function = run_fix,
};
