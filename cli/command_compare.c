/* command_compare.c: the command compare: what collapses, under which method, as a table, JSON or a page. */
#include "command.h"

#include "compare.h"
#include "print.h"
#include "render_stills.h"
#include "report.h"
#include "threads.h"
#include "verdict.h"
#include "view_write.h"

#include <stdlib.h>
#include <string.h>

enum { MOTION_CLIPS, MOTION_RANGE }; /* the words of --motion, in order */

typedef struct compare_own {
  bool given;
  double threshold, fail_under; /* percent */
  bool fail_under_given;
  int motion; /* of "clips|rom" */
  bool motion_given;
  uint32_t pictures;
  bool view;
} compare_own;

static const compare_own defaults = {.threshold = 75, .pictures = RENDER_STILLS};

static const cli_option own_options[] = {
    {.name = "threshold",
     .argument = "P",
     .kind = CLI_NUMBER,
     .offset = offsetof(compare_own, threshold),
     .least = 1e-6,
     .most = 100,
     .help = "a joint that keeps less than P % collapses (default 75)"},
    {.name = "fail-under",
     .argument = "P",
     .kind = CLI_NUMBER,
     .offset = offsetof(compare_own, fail_under),
     .given = offsetof(compare_own, fail_under_given),
     .least = 0,
     .most = 100,
     .help = "exit with 1 where a joint keeps less than P %\nunder the last of --methods"},
    {.name = "motion",
     .argument = "clips|rom",
     .kind = CLI_CHOICE,
     .offset = offsetof(compare_own, motion),
     .given = offsetof(compare_own, motion_given),
     .help = "the file's clips, or a range of motion: each joint\ntwisted ±90° and 180°, bent 90° "
             "and 120°\n"
             "(default: clips where there are any)"},
    {.name = "pictures",
     .argument = "N",
     .kind = CLI_COUNT,
     .offset = offsetof(compare_own, pictures),
     .least = 0,
     .most = REPORT_DRAWN,
     .help = "draw so many of the worst joints in the page, where\nthere is OpenGL (default 6)"},
    {.name = "view",
     .kind = CLI_FLAG,
     .offset = offsetof(compare_own, view),
     .help = "write the page of supple view beside it (REPORT-view.html)\nand link the two"},
};

/* Everything of one run. */
typedef struct compare_state {
  const cli_invocation *invocation;
  const compare_own *own;
  supple_method methods[CLI_METHODS_MOST];
  uint32_t method_count, threads;
  cli_options options; /* the invocation's, and whether images are read */
  cli_stage *stage;
  supple_measure **measures;
  motion_plan *motion;
  comparison *results;
  verdict *all;
} compare_state;

static void free_state(compare_state *state) {
  verdict_free(state->all);
  if (state->results) free(state->results->view);
  compare_free(state->results);
  motion_free(state->motion);
  if (state->stage) compare_measures_free(state->measures, state->stage->instance_count);
  cli_stage_free(state->stage);
}

static bool ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* What cannot be meant. */
static int check_usage(const cli_invocation *invocation, const compare_own *own) {
  const cli_options *options = &invocation->options;
  if (options->output && options->json && strcmp(options->output, "-") == 0)
    return cli_complain(CLI_USAGE, "--json and the page of -o - cannot both go to stdout");
  if (options->output && ends_with(options->output, ".json"))
    return cli_complain(CLI_USAGE, "-o writes a page of HTML; for JSON say --json > %s",
                        options->output);
  if (own->view && (!options->output || strcmp(options->output, "-") == 0 ||
                    strcmp(invocation->files[0], "-") == 0))
    return cli_complain(CLI_USAGE, "--view goes with a file, and with -o REPORT.html");
  if (own->motion_given && own->motion == MOTION_RANGE &&
      (options->clip || options->frames || options->time_given || options->rest))
    return cli_complain(CLI_USAGE,
                        "--motion rom has its own poses: --clip, --frames, --time and --rest do "
                        "not go with it");
  return CLI_FINE;
}

static void choose_methods(compare_state *state) {
  const cli_options *options = &state->invocation->options;
  state->method_count = options->method_count ? options->method_count : 2;
  state->methods[0] = SUPPLE_LBS;
  state->methods[1] = SUPPLE_DQS;
  for (uint32_t m = 0; m < options->method_count; m++) state->methods[m] = options->methods[m];
}

/* The clips, or the range of motion where that was asked for or there are no clips. */
static int choose_motion(compare_state *state) {
  int code = CLI_FINE;
  const bool range = state->own->motion_given && state->own->motion == MOTION_RANGE;
  if (!range) {
    state->motion = motion_from_clips(state->stage, &code);
    if (!state->motion || state->motion->clip_count) return code;
    if (state->own->motion_given)
      return cli_complain(CLI_FAILED, "%s: no clips; --motion rom needs none", state->stage->path);
    motion_free(state->motion);
  }
  state->motion =
      motion_from_range(state->stage, (const supple_measure *const *)state->measures, &code);
  return code;
}

/* Opens and prints the page; what is closed or abandoned later. NULL: *code says why. */
static cli_output *print_page(const compare_state *state, const char *path, int *code) {
  compared_outline outlines[REPORT_DRAWN] = {{0}};
  const comparison *results = state->results;
  const uint32_t count = state->all->bad_count < REPORT_DRAWN ? state->all->bad_count : REPORT_DRAWN;
  for (uint32_t i = 0; i < count; i++) {
    const verdict_joint *row = &state->all->joints[i];
    outlines[i] = (compared_outline){
        .instance = row->instance, .joint = row->joint, .offset = SUPPLE_NONE, .frame = row->frame};
    float least = 0;
    for (uint32_t m = 0; m < results->method_count; m++) {
      const compared_joint *one =
          compared_joint_at(results, row->instance, row->frame, m, row->joint);
      if (one->worst_offset == SUPPLE_NONE ||
          (outlines[i].offset != SUPPLE_NONE && one->worst >= least))
        continue;
      least = one->worst;
      outlines[i].offset = one->worst_offset;
    }
  }
  cli_output *output = NULL;
  *code = compare_outlines(results, state->stage, state->measures, outlines, count, state->threads);
  if (!*code) {
    char why[512];
    *code = render_stills(results, state->stage, state->measures, outlines, count,
                          state->own->pictures, state->threads, why, sizeof why);
    if (why[0] && state->options.verbose) cli_note("the page has no pictures: %s", why);
  }
  if (!*code) {
    output = cli_output_open(path);
    if (output)
      report_print(output, results, state->all, outlines, count);
    else
      *code = CLI_FAILED;
  }
  compare_outlines_free(outlines, count);
  return output;
}

static int print_text(const compare_state *state) {
  cli_output *output = cli_output_open("-");
  if (!output) return CLI_FAILED;
  if (state->invocation->options.json)
    compare_print_json(output, state->results);
  else
    compare_print_table(output, state->results, state->all);
  return cli_output_close(output);
}

/* --fail-under: a joint under the last method. */
static int judge(const compare_state *state) {
  const uint32_t last = state->method_count - 1;
  const verdict_joint *row = verdict_lowest(state->all, last);
  if (!state->own->fail_under_given || !row || !(100.0 * row->lowest[last] < state->own->fail_under))
    return CLI_FINE;
  char name[256], when[64], kept[CLI_NUMBER_TEXT], limit[CLI_NUMBER_TEXT];
  const size_t frame = row->lowest_frame[last];
  motion_when(state->motion, frame, when, sizeof when);
  return cli_complain(
      CLI_FAILED, "%s: %s keeps %s %% under %s (%s%s%s); --fail-under asks for %s %%",
      state->stage->path, cli_node_name(state->stage->asset, row->node, name, sizeof name),
      cli_fixed_text(100.0 * row->lowest[last], 1, kept),
      compare_method_short(state->methods[last]), motion_is_clip(state->motion, frame) ? when : "",
      motion_is_clip(state->motion, frame) ? " of " : "",
      state->motion->clips[motion_find(state->motion, frame)].name,
      cli_double_text(state->own->fail_under, limit));
}

/* "report-view.html" beside "report.html", to be freed; NULL where memory runs out. */
static char *view_name(const char *report) {
  static const char ending[] = "-view.html";
  size_t length = strlen(report);
  if (length > 5 && strcmp(report + length - 5, ".html") == 0) length -= 5;
  char *name = malloc(length + sizeof ending);
  if (!name) return NULL;
  memcpy(name, report, length);
  memcpy(name + length, ending, sizeof ending);
  return name;
}

static int work(compare_state *state) {
  const cli_options *options = &state->options;
  int code = CLI_FINE;
  state->stage = cli_stage_load(state->invocation->files[0], options, &code);
  if (!state->stage) return code;
  if (state->stage->instance_count == 0)
    return cli_complain(CLI_FAILED, "%s: no skinned mesh: no node has both a mesh and a skin",
                        state->stage->path);
  if (options->verbose) cli_stage_print_repairs(state->stage);
  for (uint32_t i = 0; i < state->stage->instance_count; i++)
    if (state->stage->instances[i].instance->copy_count)
      cli_note("%s: node %u is drawn %u times (EXT_mesh_gpu_instancing); it is measured once",
               state->stage->path, state->stage->instances[i].instance->node,
               state->stage->instances[i].instance->copy_count);
  const double threshold = state->own->threshold / 100.0;
  state->measures = compare_measures(state->stage, threshold, state->threads);
  if (!state->measures) return CLI_FAILED;
  code = choose_motion(state);
  if (code) return code;
  state->results = compare_run(state->stage, state->motion, state->measures, state->methods,
                               state->method_count, threshold, state->threads);
  if (!state->results) return CLI_FAILED;
  state->all = verdict_reach(state->results);
  if (!state->all) return CLI_FAILED;
  const bool page_only = options->output && strcmp(options->output, "-") == 0;
  cli_output *view = NULL;
  if (state->own->view) {
    state->results->view = view_name(options->output);
    if (!state->results->view) return cli_complain(CLI_FAILED, "out of memory");
    view = view_write(state->stage->path, options, state->results->view, &code);
  }
  cli_output *page = options->output && !code ? print_page(state, options->output, &code) : NULL;
  if (!code && !page_only) code = print_text(state);
  if (!code && view) {
    code = cli_output_close(view);
    view = NULL;
  }
  cli_output_abandon(view);
  if (code) /* the page takes its place last, when nothing else can fail */
    cli_output_abandon(page);
  else if (page)
    code = cli_output_close(page);
  return code ? code : judge(state);
}

static int run(const cli_invocation *invocation) {
  compare_state state = {.invocation = invocation, .own = invocation->own};
  int code = check_usage(invocation, state.own);
  if (code) return code;
  state.threads = cli_thread_count(invocation->options.threads);
  state.options = invocation->options;
  state.options.image_files = invocation->options.output && state.own->pictures;
  choose_methods(&state);
  code = work(&state);
  free_state(&state);
  return code;
}

const cli_command cli_command_compare = {
    .name = "compare",
    .summary = "measure what collapses, method against method, worst joint first",
    .usage = "FILE [-o REPORT.html]",
    .description =
        "Poses every clip of FILE, deforms its skinned meshes by each method, and measures\n"
        "what happens at every joint: how much of the cross-section around the bone is kept\n"
        "(and, with no need of a closed surface, how much of each vertex's), its radius and\n"
        "bulge, edge lengths, volume, flipped triangles, and how far the methods are apart.\n"
        "A joint collapses where it keeps less than the threshold at any time.\n"
        "\n"
        "Prints a table, or everything with --json. With -o it writes a page that needs no\n"
        "network: sections drawn, plots over each clip, every joint and its status, and, where "
        "there\n"
        "is OpenGL (a GPU is not needed), pictures of the worst joints.\n"
        "\n"
        "The first of --methods is what the others' deviation is measured from; the last is\n"
        "the one that --fail-under judges (by default dqs). Exits with 0 whatever it finds,\n"
        "but with 1 where --fail-under is not met.\n",
    .shared = CLI_USES_METHODS | CLI_USES_DEFORM | CLI_USES_INFLUENCES | CLI_USES_CLIP |
              CLI_USES_TIME | CLI_USES_FRAMES | CLI_USES_REST | CLI_USES_POSE | CLI_USES_THREADS |
              CLI_USES_JSON | CLI_USES_OUTPUT | CLI_USES_LOADING | CLI_USES_VERBOSE,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof *own_options,
    .own_size = sizeof(compare_own),
    .own_defaults = &defaults,
    .least_files = 1,
    .most_files = 1,
    .function = run,
};
