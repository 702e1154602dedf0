/* bench_report.c: the rows of `supple bench` as JSON, CSV or tables, and the ratios that matter. */
#include "bench_report.h"

#include "print.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- JSON and CSV ---- */

void cli_bench_json(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows) {
  cli_json json = cli_json_start(output, true);
  cli_json_object(&json, NULL);
  cli_json_text(&json, "machine", place->machine);
  cli_json_text(&json, "compiler", place->compiler);
  cli_json_array(&json, "rows");
  for (uint32_t i = 0; i < rows->count; i++) {
    const cli_bench_row *row = &rows->rows[i];
    cli_json_object(&json, NULL);
    cli_json_text(&json, "contestant", cli_bench_contestant(row));
    cli_json_text(&json, "method", cli_method_name(row->entry.method));
    cli_json_text(&json, "isa", supple_isa_text(row->entry.isa));
    cli_json_text(&json, "mesh", row->mesh);
    cli_json_integer(&json, "vertices", row->vertices);
    cli_json_integer(&json, "influences", row->influences);
    cli_json_text(&json, "streams", cli_bench_streams_name(row));
    cli_json_text(&json, "normals", cli_bench_normals_name(row));
    cli_json_text(&json, "scale", cli_bench_scale_name(row));
    cli_json_text(&json, "pose", cli_bench_pose_name(row));
    cli_json_text(&json, "input", row->entry.user ? "user" : "compiled");
    cli_json_integer(&json, "threads", row->entry.threads);
    cli_json_double(&json, "ns", row->entry.ns);
    cli_json_double(&json, "copy_share", row->entry.copy_share);
    cli_json_end(&json);
  }
  cli_json_end(&json);
  cli_json_end(&json);
}

/* A cell of CSV: quoted where it has to be (RFC 4180). */
static void csv_text(cli_output *output, const char *text) {
  if (!strpbrk(text, ",\"\n\r")) {
    cli_output_format(output, "%s,", text);
    return;
  }
  cli_output_text(output, "\"");
  for (const char *at = text; *at; at++) cli_output_format(output, *at == '"' ? "\"\"" : "%c", *at);
  cli_output_text(output, "\",");
}

void cli_bench_csv(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows) {
  char text[CLI_NUMBER_TEXT];
  cli_output_format(output, "# machine: %s\n# compiler: %s\n# by: supple %s bench%s, %s\n",
                    place->machine, place->compiler, supple_version(),
                    place->quick ? " --quick" : "", cli_bench_clock_name);
  cli_output_text(output,
                  "contestant,method,isa,mesh,vertices,influences,streams,normals,scale,pose,input,"
                  "threads,ns,copy_share\n");
  for (uint32_t i = 0; i < rows->count; i++) {
    const cli_bench_row *row = &rows->rows[i];
    const char *normals = cli_bench_normals_name(row);
    cli_output_format(output, "%s,%s,%s,", cli_bench_contestant(row),
                      cli_method_name(row->entry.method), supple_isa_text(row->entry.isa));
    csv_text(output, row->mesh);
    cli_output_format(output, "%lu,%lu,%s,%s,%s,%s,%s,%lu,", (unsigned long)row->vertices,
                      (unsigned long)row->influences, cli_bench_streams_name(row),
                      normals ? normals : "", cli_bench_scale_name(row), cli_bench_pose_name(row),
                      row->entry.user ? "user" : "compiled", (unsigned long)row->entry.threads);
    cli_output_format(output, "%s,", cli_fixed_text(row->entry.ns, 4, text));
    cli_output_format(output, "%s\n", cli_fixed_text(row->entry.copy_share, 3, text));
  }
}

/* ---- tables ---- */

static void print_head(cli_output *output, const cli_bench_place *place) {
  cli_output_format(output, "%s, %s; every output agrees with the double reference; medians, %s\n",
                    place->machine, place->compiler, cli_bench_clock_name);
}

void cli_bench_table(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows) {
  print_head(output, place);
  cli_table *table = cli_table_create("llrlllllrrr");
  static const char *const names[] = {"contestant", "mesh",    "vertices", "streams",
                                      "normals",    "scale",   "pose",     "input",
                                      "threads",    "ns each", "of a copy"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) cli_table_cell(table, names[i]);
  for (uint32_t i = 0; i < rows->count; i++) {
    const cli_bench_row *row = &rows->rows[i];
    const char *normals = cli_bench_normals_name(row);
    cli_table_format(table, "%s %s %s", cli_bench_contestant(row),
                     cli_method_name(row->entry.method), supple_isa_text(row->entry.isa));
    cli_table_cell(table, row->mesh);
    cli_table_format(table, "%lu", (unsigned long)row->vertices);
    cli_table_cell(table, cli_bench_streams_name(row));
    cli_table_cell(table, normals ? normals : "none");
    cli_table_cell(table, cli_bench_scale_name(row));
    cli_table_cell(table, cli_bench_pose_name(row));
    cli_table_cell(table, row->entry.user ? "user" : "compiled");
    cli_table_format(table, "%lu", (unsigned long)row->entry.threads);
    cli_table_fixed(table, row->entry.ns, 3, "ns");
    cli_table_fixed(table, 100 * row->entry.copy_share, 1, "%");
  }
  cli_table_print(table, output, 0);
}

/* ---- goals ---- */

/* Which rows a side of a ratio is made of; the default is supple, LBS, coherent, compiled, pn, linear. */
typedef struct side {
  bool plain, dqs, user, threads2, positions_alone, best;
  cli_bench_scale scale;
  cli_bench_pose pose;
  int normals; /* 0 linear, 1 unit, 2 cofactor */
  const char *mesh;
} side;

static const cli_bench_row *find_row(const cli_bench_rows *rows, const side *s, supple_isa isa,
                                     uint32_t vertices, uint32_t turn) {
  static const supple_normals modes[] = {SUPPLE_NORMALS_LINEAR, SUPPLE_NORMALS_UNIT,
                                         SUPPLE_NORMALS_COFACTOR};
  for (uint32_t i = 0; i < rows->count; i++) {
    const cli_bench_row *row = &rows->rows[i];
    const cli_bench_entry *entry = &row->entry;
    if (row->turn == turn && entry->plain == s->plain && (entry->method == SUPPLE_DQS) == s->dqs &&
        entry->isa == isa && entry->user == (s->user || s->plain) &&
        entry->threads == (s->threads2 ? 2u : 1u) &&
        entry->streams == (s->positions_alone ? CLI_BENCH_P : CLI_BENCH_PN) &&
        entry->scale == s->scale && entry->pose == s->pose && entry->normals == modes[s->normals] &&
        row->vertices == vertices && !row->asset &&
        strncmp(row->mesh, s->mesh ? s->mesh : "coherent", s->mesh ? 64 : 8) == 0)
      return row;
  }
  return NULL;
}

/* over / under, as wanted: at least (a speed), or at most (a cost). */
typedef struct goal {
  const char *text;
  uint32_t vertices;
  side over, under;
  bool at_most;
  double avx512, avx2;
} goal;

static const goal goals[] = {
    {"LBS against the plain loop", 10000, {.plain = true}, {.dqs = false}, false, 3.8, 2.8},
    {"LBS against the plain loop", 100000, {.plain = true}, {.dqs = false}, false, 3.8, 2.8},
    {"LBS against the plain loop", 1000000, {.plain = true}, {.dqs = false}, false, 3.0, 2.5},
    {"LBS from the user's arrays against the plain loop",
     10000,
     {.plain = true},
     {.user = true},
     false,
     3.5,
     2.6},
    {"LBS from the user's arrays against the plain loop",
     100000,
     {.plain = true},
     {.user = true},
     false,
     3.5,
     2.6},
    {"DQS against the plain DQS loop",
     10000,
     {.plain = true, .dqs = true},
     {.dqs = true},
     false,
     8.5,
     6.5},
    {"DQS against the plain DQS loop",
     100000,
     {.plain = true, .dqs = true},
     {.dqs = true},
     false,
     8.5,
     6.5},
    {"DQS over LBS", 10000, {.dqs = true}, {.dqs = false}, true, 1.25, 1.35},
    {"DQS over LBS", 100000, {.dqs = true}, {.dqs = false}, true, 1.25, 1.35},
    {"DQS of one common scale over rigid",
     10000,
     {.dqs = true, .scale = CLI_BENCH_COMMON},
     {.dqs = true},
     true,
     1.1,
     1.1},
    {"DQS affine, all scaled, cofactor, over LBS",
     10000,
     {.dqs = true, .scale = CLI_BENCH_AFFINE, .normals = 2},
     {.dqs = false},
     true,
     2.6,
     2.3},
    {"... positions alone",
     10000,
     {.dqs = true, .scale = CLI_BENCH_AFFINE, .positions_alone = true},
     {.positions_alone = true},
     true,
     2.0,
     2.1},
    {"DQS affine, one of 64 scaled, over rigid",
     10000,
     {.dqs = true, .scale = CLI_BENCH_ONE_SCALED},
     {.dqs = true},
     true,
     1.3,
     1.3},
    {"LBS, unit normals over linear", 10000, {.normals = 1}, {.normals = 0}, true, 1.25, 1.25},
    {"LBS, cofactor normals over linear", 10000, {.normals = 2}, {.normals = 0}, true, 1.45, 1.45},
    {"DQS, unit normals over linear", 10000, {.dqs = true, .normals = 1}, {.dqs = true}, true, 1.25, 1.25},
    {"DQS, cofactor normals over linear",
     10000,
     {.dqs = true, .normals = 2},
     {.dqs = true},
     true,
     1.45,
     1.45},
    {"DQS, 1.2 rad over 0.3 rad a joint",
     10000,
     {.dqs = true, .pose = CLI_BENCH_LARGE},
     {.dqs = true},
     true,
     1.5,
     1.5},
    {"DQS, 2.5 rad over 0.3 rad a joint",
     10000,
     {.dqs = true, .pose = CLI_BENCH_LARGER},
     {.dqs = true},
     true,
     1.5,
     1.5},
    {"LBS, random joints, against the plain loop",
     100000,
     {.plain = true, .mesh = "random"},
     {.mesh = "random"},
     false,
     1.8,
     1.8},
    {"LBS on two threads, best against best",
     100000,
     {.best = true},
     {.threads2 = true, .best = true},
     false,
     1.7,
     1.7},
    {"DQS on two threads, best against best",
     100000,
     {.dqs = true, .best = true},
     {.dqs = true, .threads2 = true, .best = true},
     false,
     1.7,
     1.7},
};

static void print_goal(cli_table *table, const char *text, uint32_t vertices, supple_isa isa,
                       bool at_most, double wanted, double reached) {
  cli_table_cell(table, text);
  if (vertices)
    cli_table_format(table, "%lu", (unsigned long)vertices);
  else
    cli_table_cell(table, "");
  cli_table_cell(table, supple_isa_text(isa));
  char number[CLI_NUMBER_TEXT];
  cli_table_format(table, "%s %s", at_most ? "at most" : "at least",
                   cli_fixed_text(wanted, 2, number));
  cli_table_fixed(table, reached, 2, "");
  cli_table_cell(table, (at_most ? reached <= wanted : reached >= wanted) ? "reached" : "MISSED");
}

/* Both sides must have been timed in turns. */
static void print_ratio(cli_table *table, const cli_bench_rows *rows, const goal *g, supple_isa isa) {
  const double wanted = isa == SUPPLE_ISA_AVX512 ? g->avx512 : g->avx2;
  for (uint32_t turn = 0; turn < rows->turns; turn++) {
    const cli_bench_row *over = find_row(rows, &g->over, isa, g->vertices, turn),
                        *under = find_row(rows, &g->under, isa, g->vertices, turn);
    if (!over || !under) continue;
    const double reached =
        g->over.best ? over->entry.best / under->entry.best : over->entry.ns / under->entry.ns;
    print_goal(table, g->text, g->vertices, isa, g->at_most, wanted, reached);
    return;
  }
}

static void print_copy_share(cli_table *table, const cli_bench_rows *rows, supple_isa isa) {
  const side lbs = {.plain = false};
  for (uint32_t turn = 0; turn < rows->turns; turn++) {
    const cli_bench_row *row = find_row(rows, &lbs, isa, 4000000, turn);
    if (row)
      print_goal(table, "LBS, share of a copy's bytes a second", 4000000, isa, false,
                 isa == SUPPLE_ISA_AVX512 ? 0.85 : 0.75, row->entry.copy_share);
  }
}

/* Each asset's LBS against its plain loop, file order and sorted. */
static void print_assets(cli_table *table, const cli_bench_rows *rows, supple_isa isa) {
  const double wanted[2] = {isa == SUPPLE_ISA_AVX512 ? 2.6 : 2.0,
                            isa == SUPPLE_ISA_AVX512 ? 3.5 : 2.0};
  const cli_bench_row *plain = NULL;
  for (uint32_t i = 0; i < rows->count; i++) {
    const cli_bench_row *row = &rows->rows[i];
    if (!row->asset || row->entry.isa != isa) continue;
    if (row->entry.plain)
      plain = row;
    else if (plain)
      print_goal(table, row->mesh, row->vertices, isa, false, wanted[row->entry.sorted],
                 plain->entry.ns / row->entry.ns);
  }
}

void cli_bench_goals(cli_output *output, const cli_bench_place *place, const cli_bench_rows *rows) {
  print_head(output, place);
  cli_table *table = cli_table_create("lrlrrl");
  static const char *const names[] = {"what", "vertices", "isa", "wanted", "reached", ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) cli_table_cell(table, names[i]);
  static const supple_isa isas[] = {SUPPLE_ISA_AVX512, SUPPLE_ISA_AVX2};
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++)
      print_ratio(table, rows, &goals[i], isas[k]);
    print_copy_share(table, rows, isas[k]);
    print_assets(table, rows, isas[k]);
  }
  cli_table_print(table, output, 0);
}
