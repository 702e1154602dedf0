/* command_check.c: `supple check`: what is wrong, or will go wrong, with the skins of files. */
#include "command.h"

#include "check_files.h"
#include "check_print.h"
#include "stage.h"
#include "threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODES_MOST = 512 };

typedef struct check_own {
  bool given;
  bool strict, structure_only, errors_only, codes, verbose, all;
  int severity; /* supple_severity that is shown at least */
  int fail_on;  /* supple_severity that makes the exit status 1 */
  bool ignored[CODES_MOST];
} check_own;

/* A file that a thread has checked, until it is printed. */
typedef struct check_slot {
  supple_check_report *report;
  supple_error error; /* where there is no report */
} check_slot;

typedef struct check_run {
  const cli_options *options;
  const check_own *own;
  cli_check_view view;
  supple_check_options check;
  const cli_file_list *files;
  check_slot *slots; /* [window] */
  uint32_t window;
  cli_output *output;
  cli_json *json; /* NULL: text */
  uint32_t counts[CLI_SEVERITIES];
  uint32_t failed, unread; /* files */
} check_run;

/* ---- one file ---- */

static supple_check_report *check_stdin(const check_run *run, supple_error *error) {
  size_t size = 0;
  void *data = cli_read_stdin(run->options, &size);
  if (!data) {
    snprintf(error->message, sizeof error->message, "stdin cannot be read");
    return NULL;
  }
  supple_check_report *report = supple_check_memory(data, size, &run->check, error);
  free(data);
  return report;
}

static int check_file(void *user, uint32_t index, uint32_t worker) {
  const check_run *run = user;
  check_slot *slot = &run->slots[index % run->window];
  const char *path = run->files->paths[index];
  (void)worker;
  memset(slot, 0, sizeof *slot);
  slot->report = strcmp(path, "-") == 0 ? check_stdin(run, &slot->error)
                                        : supple_check_file(path, &run->check, &slot->error);
  return CLI_FINE;
}

static int print_file(void *user, uint32_t index, uint32_t worker) {
  check_run *run = user;
  check_slot *slot = &run->slots[index % run->window];
  uint32_t counts[CLI_SEVERITIES], grave = 0;
  const cli_checked checked = {run->files->paths[index], slot->report,
                               slot->report ? NULL : slot->error.message};
  (void)worker;
  if (!slot->report) {
    run->unread++;
    if (strcmp(checked.path, "-") != 0 || slot->error.result)
      cli_complain_of_file(checked.path, &slot->error);
    if (slot->error.result == SUPPLE_ERROR_MEMORY)
      return CLI_FAILED; /* the rest would fare no better */
  }
  if (run->json)
    cli_check_json(run->json, &checked, &run->view);
  else if (slot->report)
    cli_check_print(run->output, &checked, &run->view);
  cli_check_count(slot->report, &run->view, counts);
  for (int i = 0; i < CLI_SEVERITIES; i++) {
    run->counts[i] += counts[i];
    if (i <= run->own->fail_on) grave += counts[i];
  }
  run->failed += grave != 0;
  supple_check_report_free(slot->report);
  slot->report = NULL;
  return cli_output_failed(run->output) ? CLI_FAILED : CLI_FINE;
}

/* ---- all of them ---- */

static void print_summary(const check_run *run) {
  char text[160];
  if (run->json || run->files->count < 2) return;
  cli_output_format(run->output, "\n%u files: %s", run->files->count,
                    cli_check_counts_text(run->counts, text, sizeof text));
  if (run->unread) cli_output_format(run->output, "; %u cannot be read", run->unread);
  cli_output_text(run->output, "\n");
}

static int check_all(check_run *run) {
  const uint32_t threads = cli_thread_count(run->options->threads);
  const char *label =
      run->files->count > 1 && !cli_output_is_terminal(run->output) ? "checking" : NULL;
  run->window = 4 * threads;
  run->slots = calloc(run->window, sizeof *run->slots);
  if (!run->slots) return cli_complain(CLI_FAILED, "out of memory");
  if (run->json) {
    cli_json_object(run->json, NULL);
    cli_json_array(run->json, "files");
  }
  const int exit_code =
      cli_ordered(run->files->count, threads, run->window, check_file, print_file, run, label);
  while (run->json && run->json->depth) cli_json_end(run->json);
  if (exit_code == CLI_FINE) print_summary(run);
  for (uint32_t i = 0; i < run->window; i++) supple_check_report_free(run->slots[i].report);
  free(run->slots);
  return exit_code;
}

static int run_files(const cli_invocation *invocation, const cli_file_list *files) {
  const cli_options *options = &invocation->options;
  const check_own *own = invocation->own;
  check_run run = {.options = options, .own = own, .files = files};
  run.view = (cli_check_view){.least = (supple_severity)own->severity,
                              .verbose = own->verbose,
                              .all = own->all,
                              .ignored = own->ignored};
  if (own->errors_only) run.view.least = SUPPLE_SEVERITY_ERROR;
  run.check = (supple_check_options){.load = cli_load_options(options),
                                     .strict = own->strict,
                                     .structure_only = own->structure_only};
  run.output = cli_output_open(options->output ? options->output : "-");
  if (!run.output) return CLI_FAILED;
  cli_json json = cli_json_start(run.output, true);
  if (options->json) run.json = &json;
  int exit_code = check_all(&run);
  if (exit_code != CLI_FINE && !cli_output_failed(run.output)) { /* a part is no report */
    cli_output_abandon(run.output);
    return exit_code;
  }
  exit_code = cli_output_close(run.output);
  return run.failed || run.unread ? CLI_FAILED : exit_code;
}

static int list_codes(const cli_options *options, bool verbose) {
  cli_output *output = cli_output_open(options->output ? options->output : "-");
  if (!output) return CLI_FAILED;
  if (options->json)
    cli_check_json_codes(output);
  else
    cli_check_print_codes(output, verbose);
  return cli_output_close(output);
}

static int run_check(const cli_invocation *invocation) {
  const check_own *own = invocation->own;
  cli_file_list files = {0};
  uint32_t standard = 0;
  if (own->codes && invocation->file_count) return cli_complain(CLI_USAGE, "--codes takes no file");
  if (own->codes) return list_codes(&invocation->options, own->verbose);
  if (!invocation->file_count)
    return cli_complain(CLI_USAGE, "an argument is missing; usage: supple check %s",
                        invocation->command->usage);
  for (size_t i = 0; i < invocation->file_count; i++)
    standard += strcmp(invocation->files[i], "-") == 0;
  if (standard > 1) return cli_complain(CLI_USAGE, "stdin (-) is named more than once");
  const int expanded = cli_files_expand(invocation->files, invocation->file_count, &files);
  int exit_code = expanded;
  if (files.count) exit_code = run_files(invocation, &files);
  cli_files_free(&files);
  return exit_code == CLI_FINE ? expanded : exit_code;
}

/* ---- options ---- */

static bool find_code(const char *name, size_t length, uint32_t *index) {
  const supple_code *code;
  for (uint32_t i = 0; (code = supple_check_code(i)) != NULL && i < CODES_MOST; i++)
    if (strlen(code->name) == length && memcmp(code->name, name, length) == 0) {
      *index = i;
      return true;
    }
  return false;
}

/* CODE,CODE,… into the array that value is. */
static bool parse_ignored(void *value, const char *text, char *message, size_t size) {
  bool *ignored = value;
  for (const char *word = text;;) {
    const size_t length = strcspn(word, ",");
    uint32_t index;
    if (!find_code(word, length, &index)) {
      char wanted[128], near[320];
      cli_nearest nearest = {0};
      const supple_code *code;
      snprintf(wanted, sizeof wanted, "%.*s", (int)(length < 100 ? length : 100), word);
      for (uint32_t i = 0; (code = supple_check_code(i)) != NULL; i++)
        cli_nearest_offer(&nearest, wanted, code->name);
      snprintf(message, size, "there is no code '%s'%s (--codes lists them)", wanted,
               cli_nearest_text(&nearest, near, sizeof near));
      return false;
    }
    ignored[index] = true;
    if (!word[length]) return true;
    word += length + 1;
  }
}

static const check_own own_defaults = {.severity = SUPPLE_SEVERITY_HINT,
                                       .fail_on = SUPPLE_SEVERITY_ERROR};

static const cli_option own_options[] = {
    {.name = "strict",
     .kind = CLI_FLAG,
     .offset = offsetof(check_own, strict),
     .help = "look for what the proposals for strict skinning (KHR_skin_strict and kin) ask, too"},
    {.name = "structure-only",
     .kind = CLI_FLAG,
     .offset = offsetof(check_own, structure_only),
     .help = "look at the JSON alone, not at vertices, keys and poses: fast"},
    {.name = "severity",
     .argument = "error|warning|information|hint",
     .kind = CLI_CHOICE,
     .offset = offsetof(check_own, severity),
     .help = "show what is at least so severe (default hint: all); the rest is counted alone"},
    {.name = "errors-only",
     .kind = CLI_FLAG,
     .offset = offsetof(check_own, errors_only),
     .help = "the same as --severity error"},
    {.name = "ignore",
     .argument = "CODE,CODE",
     .kind = CLI_CUSTOM,
     .offset = offsetof(check_own, ignored),
     .parse = parse_ignored,
     .help = "leave these codes out, and do not count them; may be repeated"},
    {.name = "fail-on",
     .argument = "error|warning|information|hint",
     .kind = CLI_CHOICE,
     .offset = offsetof(check_own, fail_on),
     .help = "exit with 1 where something at least so severe is found (default error)"},
    {.name = "verbose",
     .letter = 'v',
     .kind = CLI_FLAG,
     .offset = offsetof(check_own, verbose),
     .help = "say of each finding what the rule is, what viewers do, and what mends it"},
    {.name = "all",
     .kind = CLI_FLAG,
     .offset = offsetof(check_own, all),
     .help = "print every finding, not the first ten of a code in a file alone"},
    {.name = "codes",
     .kind = CLI_FLAG,
     .offset = offsetof(check_own, codes),
     .help =
         "list all codes and what they mean; with --verbose what viewers do, and what mends it"},
};

const cli_command cli_command_check = {
    .name = "check",
    .summary = "find what is wrong, or will go wrong, with the skins of files",
    .usage = "FILE|FOLDER... [options]",
    .description =
        "Rules of glTF 2.0 that have to do with skins, by the names that the Khronos glTF\n"
        "Validator has for them; and what breaks between programs in practice, with how far\n"
        "it moves vertices at the worst pose of all clips: weights that do not sum to 1,\n"
        "influences beyond four, mirrored and sheared joints, names, bounds, and so on.\n"
        "\n"
        "In folders every .glb, .gltf and .vrm is checked, also in folders below. Each finding\n"
        "has a severity, a code, the place as a JSON pointer, and what is the matter there;\n"
        "with --verbose also what viewers do with it and which supple fix mends it. Of each code\n"
        "the first ten of a file are printed, then how many more there are (--all prints them;\n"
        "--json has them always). Files that the loader refuses are checked as far as they can\n"
        "be read.\n"
        "\n"
        "The exit status is 1 where a file has an error (see --fail-on) or cannot be read.\n",
    .shared = CLI_USES_JSON | CLI_USES_OUTPUT | CLI_USES_THREADS | CLI_USES_LOADING,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(check_own),
    .own_defaults = &own_defaults,
    .least_files = 0,
    .most_files = 1000000,
    .function = run_check,
};
