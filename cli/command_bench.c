/* command_bench.c: `supple bench`: whether this build's bits are right, and then how fast it is here. */
#include "command.h"

#include "bench_plan.h"
#include "bench_report.h"
#include "golden.h"
#include "output.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bench_own {
  bool given;
  bool verify, print, quick, goals;
  const char *csv; /* or NULL */
} bench_own;

/* ---- where the figures come from ---- */

static const char *machine_name(char *name, size_t size) {
  snprintf(name, size, "unknown processor");
#if defined(_WIN32)
  const char *processor = getenv("PROCESSOR_IDENTIFIER");
  if (processor) snprintf(name, size, "%s", processor);
#else
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    const char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    snprintf(name, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    name[strcspn(name, "\n")] = '\0';
    break;
  }
  if (file) fclose(file);
#endif
  return name;
}

#if defined(__clang__)
static const char compiler_name[] = __VERSION__; /* says Clang */
#elif defined(__GNUC__)
static const char compiler_name[] = "gcc " __VERSION__;
#else
static const char compiler_name[] = "unknown compiler";
#endif

/* ---- verifying ---- */

enum { ISAS = SUPPLE_ISA_WASM + 1 };

typedef struct verdict {
  uint64_t hashes[ISAS], expected;
  supple_result results[ISAS];
  bool ran[ISAS]; /* only the first where kernels do not matter */
  bool known, right;
} verdict;

static verdict verify_row(uint32_t row) {
  verdict v;
  memset(&v, 0, sizeof v);
  v.known = cli_golden_expected(row, &v.expected);
  v.right = v.known;
  for (int i = 0; i < ISAS; i++) {
    const cli_golden_way way = {.isa = (supple_isa)i};
    v.ran[i] = i == 0 || (cli_golden_is_deformation(row) && supple_isa_available(way.isa));
    if (!v.ran[i]) continue;
    v.results[i] = cli_golden_compute(row, &way, &v.hashes[i]);
    v.right = v.right && v.results[i] == SUPPLE_OK && v.hashes[i] == v.expected;
  }
  return v;
}

static verdict *verify_all(uint32_t *wrong) {
  const uint32_t count = cli_golden_count();
  verdict *verdicts = calloc(count, sizeof *verdicts);
  *wrong = 0;
  for (uint32_t row = 0; verdicts && row < count; row++) {
    verdicts[row] = verify_row(row);
    *wrong += !verdicts[row].right;
    cli_progress("verifying", row + 1, count);
  }
  return verdicts;
}

static const char *hash_text(uint64_t hash, char text[17]) {
  snprintf(text, 17, "%08lx%08lx", (unsigned long)(hash >> 32), (unsigned long)(hash & 0xffffffffu));
  return text;
}

/* golden_values.h as it would be for this build. */
static void print_values(cli_output *output, const verdict *verdicts) {
  char name[CLI_GOLDEN_NAME], text[17];
  cli_output_text(output,
                  "/* golden_values.h: the hash of each golden row; written by `supple bench "
                  "--verify --print`. */\n"
                  "/* clang-format off */\n");
  for (uint32_t row = 0; row < cli_golden_count(); row++) {
    cli_golden_name(row, name);
    cli_output_format(output, "{\"%s\", 0x%su},\n", name, hash_text(verdicts[row].hashes[0], text));
  }
}

static void print_rows(cli_output *output, const verdict *verdicts) {
  char name[CLI_GOLDEN_NAME], text[17];
  for (uint32_t row = 0; row < cli_golden_count(); row++) {
    const verdict *v = &verdicts[row];
    cli_golden_name(row, name);
    cli_output_format(output, "%-5s  %s", v->right ? "ok" : "WRONG", name);
    if (!v->known) cli_output_text(output, ": nothing is recorded");
    for (int i = 0; i < ISAS && v->known && !v->right; i++) {
      if (!v->ran[i]) continue;
      cli_output_format(output, "%s %s", i ? "," : ":", supple_isa_text((supple_isa)i));
      if (v->results[i])
        cli_output_format(output, " failed (%s)", supple_result_text(v->results[i]));
      else
        cli_output_format(output, " %s", hash_text(v->hashes[i], text));
    }
    if (v->known && !v->right) cli_output_format(output, ", not %s", hash_text(v->expected, text));
    cli_output_text(output, "\n");
  }
}

static void json_machine(cli_json *json, bool verified) {
  char machine[256];
  cli_json_text(json, "machine", machine_name(machine, sizeof machine));
  cli_json_text(json, "compiler", compiler_name);
  cli_json_bool(json, "verified", verified);
}

static void json_verdicts(cli_output *output, const verdict *verdicts, uint32_t wrong) {
  char name[CLI_GOLDEN_NAME], text[17];
  cli_json json = cli_json_start(output, true);
  cli_json_object(&json, NULL);
  json_machine(&json, wrong == 0);
  cli_json_array(&json, "golden");
  for (uint32_t row = 0; row < cli_golden_count(); row++) {
    const verdict *v = &verdicts[row];
    cli_golden_name(row, name);
    cli_json_object(&json, NULL);
    cli_json_text(&json, "row", name);
    cli_json_bool(&json, "ok", v->right);
    cli_json_text(&json, "expected", v->known ? hash_text(v->expected, text) : NULL);
    for (int i = 0; i < ISAS; i++)
      if (v->ran[i])
        cli_json_text(&json, supple_isa_text((supple_isa)i),
                      v->results[i] ? NULL : hash_text(v->hashes[i], text));
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

static int report_verdicts(const cli_invocation *invocation, const verdict *verdicts,
                           uint32_t wrong) {
  const cli_options *options = &invocation->options;
  const bench_own *own = invocation->own;
  char machine[256];
  cli_output *output = cli_output_open(options->output ? options->output : "-");
  if (!output) return CLI_FAILED;
  if (own->print)
    print_values(output, verdicts);
  else if (options->json)
    json_verdicts(output, verdicts, wrong);
  else
    print_rows(output, verdicts);
  if (!own->print && !options->json)
    cli_output_format(output, "%lu of %lu rows are right: %s, %s\n",
                      (unsigned long)(cli_golden_count() - wrong), (unsigned long)cli_golden_count(),
                      machine_name(machine, sizeof machine), compiler_name);
  return cli_output_close(output);
}

/* ---- timing ---- */

static int write_csv(const char *path, const cli_bench_place *place, const cli_bench_rows *rows) {
  cli_output *output = cli_output_open(path);
  if (!output) return CLI_FAILED;
  cli_bench_csv(output, place, rows);
  return cli_output_close(output);
}

static int report_times(const cli_invocation *invocation, const cli_bench_rows *rows) {
  const cli_options *options = &invocation->options;
  const bench_own *own = invocation->own;
  char machine[256];
  const cli_bench_place place = {machine_name(machine, sizeof machine), compiler_name, own->quick};
  if (own->csv) {
    const int exit_code = write_csv(own->csv, &place, rows);
    if (exit_code != CLI_FINE) return exit_code;
  }
  cli_output *output = cli_output_open(options->output ? options->output : "-");
  if (!output) return CLI_FAILED;
  if (options->json)
    cli_bench_json(output, &place, rows);
  else if (own->goals)
    cli_bench_goals(output, &place, rows);
  else
    cli_bench_table(output, &place, rows);
  return cli_output_close(output);
}

static int time_all(const cli_invocation *invocation) {
  const bench_own *own = invocation->own;
  cli_bench_rows rows;
  int exit_code = cli_bench_plan(own->quick, invocation->files, invocation->file_count, &rows);
  if (exit_code == CLI_FINE) exit_code = report_times(invocation, &rows);
  cli_bench_rows_free(&rows);
  return exit_code;
}

/* ---- the command ---- */

static int run_bench(const cli_invocation *invocation) {
  const bench_own *own = invocation->own;
  if (own->print && !own->verify) return cli_complain(CLI_USAGE, "--print goes with --verify");
  if (own->print && invocation->options.json)
    return cli_complain(CLI_USAGE, "--print does not go with --json");
  if (own->goals && invocation->options.json)
    return cli_complain(CLI_USAGE, "--goals does not go with --json");
  if (own->verify && (own->quick || own->goals || own->csv || invocation->file_count))
    return cli_complain(
        CLI_USAGE, "--verify times nothing: it goes without --quick, --goals, --csv and files");
  uint32_t wrong;
  verdict *verdicts = verify_all(&wrong);
  if (!verdicts) return cli_complain(CLI_FAILED, "out of memory");
  int exit_code = own->verify ? report_verdicts(invocation, verdicts, wrong) : CLI_FINE;
  free(verdicts);
  if (exit_code != CLI_FINE || own->print) return exit_code;
  if (wrong)
    return cli_complain(CLI_FAILED,
                        "this build computes other bits than it should in %lu of %lu rows%s",
                        (unsigned long)wrong, (unsigned long)cli_golden_count(),
                        own->verify ? "" : "; --verify lists them. Nothing was timed");
  return own->verify ? CLI_FINE : time_all(invocation);
}

static const cli_option own_options[] = {
    {.name = "verify",
     .kind = CLI_FLAG,
     .offset = offsetof(bench_own, verify),
     .help = "only tell whether the bits are right, row by row"},
    {.name = "print",
     .kind = CLI_FLAG,
     .offset = offsetof(bench_own, print),
     .help = "with --verify: print the hashes of this build as the source that\n"
             "records them (cli/golden_values.h)"},
    {.name = "quick",
     .kind = CLI_FLAG,
     .offset = offsetof(bench_own, quick),
     .help = "meshes of up to 100,000 vertices, in fewer rounds"},
    {.name = "goals",
     .kind = CLI_FLAG,
     .offset = offsetof(bench_own, goals),
     .help = "print the ratios that Supple is held to, and which are reached"},
    {.name = "csv",
     .argument = "OUT",
     .kind = CLI_TEXT,
     .offset = offsetof(bench_own, csv),
     .help = "write all figures to this file too, as comma-separated values"},
};

const cli_command cli_command_bench = {
    .name = "bench",
    .summary = "tell whether this build's bits are right here, then how fast it is",
    .usage = "[options] [FILE...]",
    .description =
        "Supple computes the same bits on every machine. Each row of --verify is one\n"
        "deformer with one set of vertex streams, or one part of the mathematics, run on\n"
        "built-in rigs and compared with what was recorded. Without --verify the rows are\n"
        "checked first, then deformations are timed against a plain loop in C: nanoseconds\n"
        "a vertex, medians of rounds in which all take turns, each output compared with a\n"
        "reference in double precision first. \"of a copy\" is the share that the bytes a\n"
        "second have of a copy's that passes by the cache. The skinned primitives of a FILE\n"
        "above 1,000 vertices are timed too.\n",
    .shared = CLI_USES_JSON | CLI_USES_OUTPUT,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(bench_own),
    .least_files = 0,
    .most_files = 1000,
    .function = run_bench,
};
