/* command_bench.c: `supple bench`: whether this build's bits are right, and then how fast it is here. */
#if !defined(_WIN32)
#define _XOPEN_SOURCE 700
#endif
#include "command.h"

#include "golden.h"
#include "output.h"
#include "print.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(_WIN32)
#include <windows.h>
#endif

typedef struct bench_own {
  bool given;
  bool verify, print, quick;
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

/* Nanoseconds this thread has run; where the system does not say finely, of the wall clock. */
static double clock_nanoseconds(void) {
#if defined(_WIN32)
  LARGE_INTEGER count, frequency;
  QueryPerformanceCounter(&count);
  QueryPerformanceFrequency(&frequency);
  return 1e9 * (double)count.QuadPart / (double)frequency.QuadPart;
#else
  struct timespec now;
#if defined(CLOCK_THREAD_CPUTIME_ID)
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0)
#endif
    clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
#endif
}

#if defined(_WIN32)
static const char clock_name[] = "wall clock";
#else
static const char clock_name[] = "thread CPU time";
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
  cli_output_text(output, "/* golden_values.h: the hash of each golden row; written by `supple bench "
                          "--verify --print`. */\n");
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
      if (v->results[i]) cli_output_format(output, " failed (%s)", supple_result_text(v->results[i]));
      else cli_output_format(output, " %s", hash_text(v->hashes[i], text));
    }
    if (v->known && !v->right)
      cli_output_format(output, ", not %s", hash_text(v->expected, text));
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
        cli_json_text(&json, supple_isa_text((supple_isa)i), v->results[i] ? NULL : hash_text(v->hashes[i], text));
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
  if (own->print) print_values(output, verdicts);
  else if (options->json) json_verdicts(output, verdicts, wrong);
  else print_rows(output, verdicts);
  if (!own->print && !options->json)
    cli_output_format(output, "%lu of %lu rows are right: %s, %s\n",
                      (unsigned long)(cli_golden_count() - wrong),
                      (unsigned long)cli_golden_count(), machine_name(machine, sizeof machine),
                      compiler_name);
  return cli_output_close(output);
}

/* ---- what is timed: a tube along a chain of 64 joints ---- */

enum { JOINTS = 64, AROUND = 32, SLOTS = 4, LARGEST = 100000, MOST_ROUNDS = 51 };

typedef struct tube {
  uint32_t vertex_count;
  float *positions, *normals, *weights;
  uint16_t *joints;
  float *out_positions, *out_normals;
  supple_affine matrices[JOINTS];
  supple_binding *binding;
} tube;

static void tube_free(tube *t) {
  supple_binding_destroy(t->binding);
  free(t->positions);
  free(t->normals);
  free(t->weights);
  free(t->joints);
  free(t->out_positions);
  free(t->out_normals);
}

/* Cubic B-spline weights of four joints in a row, at `part` of the way between the middle ones. */
static void spline_weights(double part, float weights[SLOTS]) {
  const double rest = 1 - part, square = part * part, cube = square * part;
  weights[0] = (float)(rest * rest * rest / 6);
  weights[1] = (float)((3 * cube - 6 * square + 4) / 6);
  weights[2] = (float)((-3 * cube + 3 * square + 3 * part + 1) / 6);
  weights[3] = (float)(cube / 6);
}

static void tube_vertex(tube *t, size_t v) {
  const double rings = (double)((t->vertex_count - 1) / AROUND + 1);
  const double along = (double)(v / AROUND) / rings * (JOINTS - SLOTS + 1);
  const double angle = 2 * SUPPLE_PI * (double)(v % AROUND) / AROUND;
  const double c = supple_cos(angle), s = supple_sin(angle);
  const uint32_t first = (uint32_t)along;
  t->positions[3 * v] = (float)(0.8 * c);
  t->positions[3 * v + 1] = (float)(along + 1);
  t->positions[3 * v + 2] = (float)(0.8 * s);
  t->normals[3 * v] = (float)c;
  t->normals[3 * v + 2] = (float)s;
  for (uint32_t i = 0; i < SLOTS; i++) t->joints[SLOTS * v + i] = (uint16_t)(first + i);
  spline_weights(along - (double)first, t->weights + SLOTS * v);
}

/* Each joint turned by up to 0.3 rad about where it stands. */
static void tube_pose(tube *t) {
  for (int j = 0; j < JOINTS; j++) {
    const supple_vec3 axis = {0.3, 1, 0.2 * (j % 5)};
    supple_transform turn = supple_transform_identity();
    turn.rotation = supple_quat_from_axis_angle(axis, 0.3 * supple_sin(0.7 * j));
    turn.translation.y = j;
    supple_affine64 away = supple_affine64_identity();
    away.m[1][3] = -j;
    const supple_affine64 there = supple_transform_to_affine(&turn);
    const supple_affine64 matrix = supple_affine64_multiply(&there, &away);
    t->matrices[j] = supple_affine_from_double(&matrix);
  }
}

static bool tube_create(tube *t, uint32_t vertex_count) {
  const size_t n = vertex_count;
  memset(t, 0, sizeof *t);
  t->vertex_count = vertex_count;
  t->positions = calloc(n, 3 * sizeof(float));
  t->normals = calloc(n, 3 * sizeof(float));
  t->weights = calloc(n, SLOTS * sizeof(float));
  t->joints = calloc(n, SLOTS * sizeof(uint16_t));
  t->out_positions = calloc(n, 3 * sizeof(float));
  t->out_normals = calloc(n, 3 * sizeof(float));
  if (!t->positions || !t->normals || !t->weights || !t->joints || !t->out_positions ||
      !t->out_normals)
    return false;
  for (size_t v = 0; v < n; v++) tube_vertex(t, v);
  tube_pose(t);
  supple_primitive primitive;
  memset(&primitive, 0, sizeof primitive);
  primitive.vertex_count = vertex_count;
  primitive.positions = t->positions;
  primitive.influence_count = SLOTS;
  primitive.joints = t->joints;
  primitive.weights = t->weights;
  t->binding = supple_binding_create(&primitive, NULL, NULL);
  return t->binding != NULL;
}

/* ---- timing ---- */

static const uint32_t sizes[] = {10000, LARGEST};

/* What runs against each other, round by round. */
static const struct {
  supple_method method;
  bool normals;
  supple_normals mode;
} contestants[] = {
    {SUPPLE_LBS, false, SUPPLE_NORMALS_LINEAR},  {SUPPLE_DQS, false, SUPPLE_NORMALS_LINEAR},
    {SUPPLE_LBS, true, SUPPLE_NORMALS_LINEAR},   {SUPPLE_DQS, true, SUPPLE_NORMALS_LINEAR},
    {SUPPLE_LBS, true, SUPPLE_NORMALS_COFACTOR}, {SUPPLE_DQS, true, SUPPLE_NORMALS_COFACTOR},
};

enum { SIZES = sizeof sizes / sizeof *sizes, CONTESTANTS = sizeof contestants / sizeof *contestants };

static const char *normals_name(size_t contestant) {
  static const char *const names[] = {"cofactor", "unit", "linear"};
  return contestants[contestant].normals ? names[contestants[contestant].mode] : NULL;
}

static int compare_doubles(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* What "best" is here: on each machine they are listed from narrow to wide. */
static const char *best_isa_name(void) {
  int best = SUPPLE_ISA_SCALAR;
  for (int i = SUPPLE_ISA_SCALAR; i < ISAS; i++)
    if (supple_isa_available((supple_isa)i)) best = i;
  return supple_isa_text((supple_isa)best);
}

/* Nanoseconds a vertex of one run, preparing included neither way. */
static double time_once(const tube *t, const supple_prepared *prepared, size_t contestant) {
  const size_t stride = 3 * sizeof(float);
  supple_job job;
  memset(&job, 0, sizeof job);
  job.prepared = prepared;
  job.positions = (supple_stream){t->positions, stride};
  job.out_positions = (supple_out_stream){t->out_positions, stride};
  if (contestants[contestant].normals) {
    job.normals = (supple_stream){t->normals, stride};
    job.out_normals = (supple_out_stream){t->out_normals, stride};
  }
  job.normal_mode = contestants[contestant].mode;
  const double begin = clock_nanoseconds();
  const supple_result result = supple_deform(&job);
  const double taken = clock_nanoseconds() - begin;
  return result ? -1 : taken / (double)t->vertex_count;
}

/* medians[CONTESTANTS] for one mesh. */
static int time_tube(tube *t, uint32_t rounds, double *medians) {
  static double times[CONTESTANTS][MOST_ROUNDS];
  supple_prepared *prepared[2];
  supple_palette palette;
  memset(&palette, 0, sizeof palette);
  palette.joint_count = JOINTS;
  palette.matrices = t->matrices;
  supple_result result = SUPPLE_OK;
  for (int m = 0; m < 2; m++) {
    prepared[m] = supple_prepared_create(t->binding, NULL, NULL);
    if (!prepared[m]) result = SUPPLE_ERROR_MEMORY;
    if (!result)
      result = supple_prepared_update(prepared[m], t->binding, &palette, m ? SUPPLE_DQS : SUPPLE_LBS);
  }
  for (uint32_t round = 0; round <= rounds && !result; round++) /* the first one warms up */
    for (size_t c = 0; c < CONTESTANTS; c++) {
      const double taken = time_once(t, prepared[contestants[c].method == SUPPLE_DQS], c);
      if (taken < 0) result = SUPPLE_ERROR_ARGUMENT;
      if (round > 0) times[c][round - 1] = taken;
    }
  for (int m = 0; m < 2; m++) supple_prepared_destroy(prepared[m]);
  if (result) return cli_complain(CLI_FAILED, "the deformation failed: %s", supple_result_text(result));
  for (size_t c = 0; c < CONTESTANTS; c++) {
    qsort(times[c], rounds, sizeof *times[c], compare_doubles);
    medians[c] = times[c][rounds / 2];
  }
  return CLI_FINE;
}

static void json_times(cli_output *output, double medians[SIZES][CONTESTANTS]) {
  cli_json json = cli_json_start(output, true);
  cli_json_object(&json, NULL);
  json_machine(&json, true);
  cli_json_text(&json, "clock", clock_name);
  cli_json_array(&json, "rows");
  for (size_t s = 0; s < SIZES; s++)
    for (size_t c = 0; c < CONTESTANTS; c++) {
      cli_json_object(&json, NULL);
      cli_json_text(&json, "contestant", "supple");
      cli_json_text(&json, "method", cli_method_name(contestants[c].method));
      cli_json_text(&json, "isa", best_isa_name());
      cli_json_text(&json, "mesh", "coherent");
      cli_json_integer(&json, "vertices", sizes[s]);
      cli_json_integer(&json, "influences", SLOTS);
      cli_json_text(&json, "streams", contestants[c].normals ? "pn" : "p");
      cli_json_text(&json, "normals", normals_name(c));
      cli_json_text(&json, "scale", "rigid");
      cli_json_text(&json, "pose", "small");
      cli_json_text(&json, "input", "user");
      cli_json_integer(&json, "threads", 1);
      cli_json_double(&json, "ns", medians[s][c]);
      cli_json_null(&json, "copy_share");
      cli_json_end(&json);
    }
  cli_json_end(&json);
  cli_json_end(&json);
}

static void table_times(cli_output *output, double medians[SIZES][CONTESTANTS], uint32_t rounds) {
  char machine[256];
  cli_output_format(output, "%s, %s; the bits are right\n", machine_name(machine, sizeof machine),
                    compiler_name);
  cli_output_format(output,
                    "a tube of %d joints, 4 influences, rigid; %s, 1 thread; medians of %lu, %s\n", JOINTS,
                    best_isa_name(),
                    (unsigned long)rounds, clock_name);
  cli_table *table = cli_table_create("llrr");
  cli_table_cell(table, "method");
  cli_table_cell(table, "normals");
  for (size_t s = 0; s < SIZES; s++)
    cli_table_format(table, "%lu vertices", (unsigned long)sizes[s]);
  for (size_t c = 0; c < CONTESTANTS; c++) {
    cli_table_cell(table, cli_method_name(contestants[c].method));
    cli_table_cell(table, contestants[c].normals ? normals_name(c) : "none");
    for (size_t s = 0; s < SIZES; s++) cli_table_fixed(table, medians[s][c], 2, "ns each");
  }
  cli_table_print(table, output, 0);
}

static int time_all(const cli_invocation *invocation) {
  const cli_options *options = &invocation->options;
  const bench_own *own = invocation->own;
  const uint32_t rounds = own->quick ? 7 : MOST_ROUNDS;
  double medians[SIZES][CONTESTANTS];
  int exit_code = CLI_FINE;
  for (size_t s = 0; s < SIZES && exit_code == CLI_FINE; s++) {
    tube t;
    exit_code = tube_create(&t, sizes[s]) ? time_tube(&t, rounds, medians[s])
                                          : cli_complain(CLI_FAILED, "out of memory");
    tube_free(&t);
  }
  if (exit_code != CLI_FINE) return exit_code;
  cli_output *output = cli_output_open(options->output ? options->output : "-");
  if (!output) return CLI_FAILED;
  if (options->json) json_times(output, medians);
  else table_times(output, medians, rounds);
  return cli_output_close(output);
}

/* ---- the command ---- */

static int run_bench(const cli_invocation *invocation) {
  const bench_own *own = invocation->own;
  if (own->print && !own->verify) return cli_complain(CLI_USAGE, "--print goes with --verify");
  if (own->print && invocation->options.json)
    return cli_complain(CLI_USAGE, "--print does not go with --json");
  uint32_t wrong;
  verdict *verdicts = verify_all(&wrong);
  if (!verdicts) return cli_complain(CLI_FAILED, "out of memory");
  int exit_code = own->verify ? report_verdicts(invocation, verdicts, wrong) : CLI_FINE;
  free(verdicts);
  if (exit_code != CLI_FINE || own->print) return exit_code;
  if (wrong)
    return cli_complain(CLI_FAILED, "this build computes other bits than it should in %lu of %lu rows%s",
                        (unsigned long)wrong, (unsigned long)cli_golden_count(),
                        own->verify ? "" : "; --verify lists them. Nothing was timed");
  return own->verify ? CLI_FINE : time_all(invocation);
}

static const cli_option own_options[] = {
    {.name = "verify", .kind = CLI_FLAG, .offset = offsetof(bench_own, verify),
     .help = "only tell whether the bits are right, row by row"},
    {.name = "print", .kind = CLI_FLAG, .offset = offsetof(bench_own, print),
     .help = "with --verify: print the hashes of this build as the source that\n"
             "records them (cli/golden_values.h)"},
    {.name = "quick", .kind = CLI_FLAG, .offset = offsetof(bench_own, quick),
     .help = "fewer rounds"},
};

const cli_command cli_command_bench = {
    .name = "bench",
    .summary = "tell whether this build's bits are right here, then how fast it is",
    .usage = "[options]",
    .description =
        "Supple computes the same bits on every machine. Each row of --verify is one\n"
        "deformer with one set of vertex streams, or one part of the mathematics, run on\n"
        "built-in rigs and compared with what was recorded. Without --verify the rows are\n"
        "checked first, then deformations are timed: nanoseconds a vertex, medians of\n"
        "rounds in which all take turns.\n",
    .shared = CLI_USES_JSON | CLI_USES_OUTPUT,
    .own_options = own_options,
    .own_option_count = sizeof own_options / sizeof own_options[0],
    .own_size = sizeof(bench_own),
    .least_files = 0,
    .most_files = 0,
    .function = run_bench,
};
