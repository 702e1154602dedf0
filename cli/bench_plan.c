/* bench_plan.c: which meshes and contestants `supple bench` times. */
#include "bench_plan.h"

#include "bench_plain.h"
#include "command.h"
#include "print.h"
#include "stage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 128, ASSET_LEAST = 1000 };

typedef struct list {
  cli_bench_entry entries[MOST_ENTRIES];
  uint32_t count;
} list;

/* ---- names ---- */

const char *cli_bench_contestant(const cli_bench_row *row) {
  return row->entry.plain ? "plain" : "supple";
}

const char *cli_bench_streams_name(const cli_bench_row *row) {
  static const char *const names[] = {"p", "pn", "pnt"};
  return names[row->entry.streams];
}

const char *cli_bench_normals_name(const cli_bench_row *row) {
  static const char *const names[] = {"cofactor", "unit", "linear"};
  return row->entry.streams == CLI_BENCH_P ? NULL : names[row->entry.normals];
}

const char *cli_bench_scale_name(const cli_bench_row *row) {
  static const char *const names[] = {"rigid", "common", "affine", "affine"};
  return names[row->entry.scale];
}

const char *cli_bench_pose_name(const cli_bench_row *row) {
  return row->entry.pose == CLI_BENCH_SMALL ? "small" : "large";
}

/* ---- rows ---- */

void cli_bench_rows_free(cli_bench_rows *rows) {
  free(rows->rows);
  memset(rows, 0, sizeof *rows);
}

static bool add_row(cli_bench_rows *rows, const cli_bench_mesh *mesh, const cli_bench_entry *entry) {
  if (rows->count == rows->room) {
    const uint32_t room = rows->room ? 2 * rows->room : 256;
    cli_bench_row *more = realloc(rows->rows, room * sizeof *more);
    if (!more) return false;
    rows->rows = more;
    rows->room = room;
  }
  cli_bench_row *row = &rows->rows[rows->count++];
  memset(row, 0, sizeof *row);
  row->entry = *entry;
  row->asset = mesh->matrices != NULL;
  row->vertices = mesh->vertex_count;
  row->influences = mesh->influence_count;
  row->turn = rows->turns;
  snprintf(row->mesh, sizeof row->mesh, "%.32s%.8s%.12s%.9s", mesh->name,
           entry->sorted ? ", sorted" : "",
           entry->scale == CLI_BENCH_ONE_SCALED ? ", one scaled" : "",
           entry->pose == CLI_BENCH_LARGER ? ", 2.5 rad" : "");
  return true;
}

static int time_list(const cli_bench_mesh *mesh, list *l, uint32_t rounds, cli_bench_rows *rows) {
  const int exit_code = cli_bench_time(mesh, l->entries, l->count, rounds);
  rows->turns++;
  if (exit_code != CLI_FINE) return exit_code;
  for (uint32_t i = 0; i < l->count; i++)
    if (l->entries[i].ns > 0 && !add_row(rows, mesh, &l->entries[i]))
      return cli_complain(CLI_FAILED, "out of memory");
  return CLI_FINE;
}

/* ---- lists of contestants ---- */

static cli_bench_entry entry_of(supple_method method, cli_bench_streams streams) {
  cli_bench_entry entry;
  memset(&entry, 0, sizeof entry);
  entry.method = method;
  entry.streams = streams;
  entry.normals = SUPPLE_NORMALS_LINEAR;
  entry.threads = 1;
  return entry;
}

/* An entry once for each instruction set, or for those that are wide: all but the first two. */
static void add_each(list *l, cli_bench_entry entry, bool wide) {
  for (int i = SUPPLE_ISA_SCALAR; i <= SUPPLE_ISA_WASM; i++) {
    entry.isa = (supple_isa)i;
    const bool there =
        entry.plain ? cli_bench_plain_has(entry.isa) : supple_isa_available(entry.isa);
    if (!there || (wide && (i == SUPPLE_ISA_SCALAR || i == SUPPLE_ISA_SSE2))) continue;
    if (l->count < MOST_ENTRIES) l->entries[l->count++] = entry;
  }
}

static void add_plain(list *l, supple_method method, cli_bench_streams streams) {
  cli_bench_entry entry = entry_of(method, streams);
  entry.plain = entry.user = true;
  add_each(l, entry, false);
}

/* Positions alone and with normals, by every instruction set, against the plain loops. */
static void list_basic(list *l, bool user_too, bool narrow_too) {
  for (int m = 0; m < 2; m++) {
    const supple_method method = m ? SUPPLE_DQS : SUPPLE_LBS;
    add_plain(l, method, CLI_BENCH_PN);
    cli_bench_entry entry = entry_of(method, CLI_BENCH_PN);
    add_each(l, entry, !narrow_too);
    if (narrow_too) add_each(l, entry_of(method, CLI_BENCH_P), false);
    entry.user = true;
    if (user_too) add_each(l, entry, true);
  }
}

static void list_streams(list *l) {
  for (int m = 0; m < 2; m++) {
    const supple_method method = m ? SUPPLE_DQS : SUPPLE_LBS;
    cli_bench_entry entry = entry_of(method, CLI_BENCH_PN);
    add_each(l, entry, true);
    entry.normals = SUPPLE_NORMALS_UNIT;
    add_each(l, entry, true);
    entry.normals = SUPPLE_NORMALS_COFACTOR;
    add_each(l, entry, true);
    entry.streams = CLI_BENCH_PNT;
    add_each(l, entry, true);
    entry.normals = SUPPLE_NORMALS_LINEAR;
    add_each(l, entry, true);
    add_plain(l, method, CLI_BENCH_PNT);
  }
}

/* DQS by scale and pose, beside LBS and rigid DQS in the small pose. */
static void list_joints(list *l) {
  add_each(l, entry_of(SUPPLE_LBS, CLI_BENCH_P), true);
  add_each(l, entry_of(SUPPLE_LBS, CLI_BENCH_PN), true);
  cli_bench_entry cofactor = entry_of(SUPPLE_LBS, CLI_BENCH_PN);
  cofactor.normals = SUPPLE_NORMALS_COFACTOR;
  add_each(l, cofactor, true);
  for (int scale = CLI_BENCH_RIGID; scale < CLI_BENCH_SCALES; scale++) {
    cli_bench_entry entry = entry_of(SUPPLE_DQS, CLI_BENCH_PN);
    entry.scale = (cli_bench_scale)scale;
    add_each(l, entry, true);
    entry.normals = SUPPLE_NORMALS_COFACTOR;
    if (scale == CLI_BENCH_AFFINE) add_each(l, entry, true);
    entry.streams = CLI_BENCH_P;
    entry.normals = SUPPLE_NORMALS_LINEAR;
    add_each(l, entry, true);
  }
  for (int pose = CLI_BENCH_LARGE; pose < CLI_BENCH_POSES; pose++)
    for (int m = 0; m < 2; m++) {
      cli_bench_entry entry = entry_of(m ? SUPPLE_DQS : SUPPLE_LBS, CLI_BENCH_PN);
      entry.pose = (cli_bench_pose)pose;
      add_each(l, entry, true);
    }
}

/* Two threads, and one in the same minute. */
static void list_threads(list *l) {
  for (int m = 0; m < 2; m++)
    for (uint32_t threads = 1; threads <= 2; threads++) {
      cli_bench_entry entry = entry_of(m ? SUPPLE_DQS : SUPPLE_LBS, CLI_BENCH_PN);
      entry.threads = threads;
      add_each(l, entry, true);
    }
}

static void list_sorted(list *l) {
  cli_bench_entry entry = entry_of(SUPPLE_LBS, CLI_BENCH_PN);
  entry.sorted = true;
  add_each(l, entry, true);
  entry.method = SUPPLE_DQS;
  add_each(l, entry, true);
}

/* ---- tubes ---- */

static int time_tube(cli_bench_kind kind, uint32_t vertices, uint32_t rounds,
                     void (*fill[])(list *), uint32_t fills, cli_bench_rows *rows) {
  cli_bench_mesh mesh;
  if (!cli_bench_mesh_tube(&mesh, kind, vertices)) return cli_complain(CLI_FAILED, "out of memory");
  int exit_code = CLI_FINE;
  for (uint32_t i = 0; i < fills && exit_code == CLI_FINE; i++) {
    list l = {.count = 0};
    fill[i](&l);
    exit_code = time_list(&mesh, &l, rounds, rows);
  }
  cli_bench_mesh_free(&mesh);
  return exit_code;
}

static void fill_all(list *l) { list_basic(l, true, true); }
static void fill_other(list *l) { list_basic(l, true, false); }

static void fill_shuffled(list *l) {
  list_basic(l, true, false);
  list_sorted(l);
}

static const struct tube_step {
  cli_bench_kind kind;
  uint32_t vertices;
  bool slow;
  void (*fill[4])(list *);
  uint32_t fills;
} tube_steps[] = {
    {CLI_BENCH_COHERENT, 10000, false, {fill_all, list_streams, list_joints}, 3},
    {CLI_BENCH_COHERENT, 100000, false, {fill_all, list_streams, list_joints, list_threads}, 4},
    {CLI_BENCH_SHUFFLED, 100000, false, {fill_shuffled}, 1},
    {CLI_BENCH_RANDOM, 100000, false, {fill_other}, 1},
    {CLI_BENCH_VARIED, 100000, false, {fill_other}, 1},
    {CLI_BENCH_EIGHT, 100000, false, {fill_other}, 1},
    {CLI_BENCH_COHERENT, 1000000, true, {fill_all}, 1},
    {CLI_BENCH_COHERENT, 4000000, true, {fill_other}, 1},
};

enum { TUBE_STEPS = sizeof tube_steps / sizeof tube_steps[0] };

static uint32_t rounds_for(uint32_t vertices, bool quick) {
  if (quick) return 7;
  return vertices <= 10000 ? 101 : vertices <= 100000 ? 41 : vertices <= 1000000 ? 15 : 9;
}

/* ---- assets ---- */

static int time_primitive(const supple_primitive *primitive, const supple_palette *palette,
                          const char *name, bool quick, cli_bench_rows *rows) {
  cli_bench_mesh mesh;
  if (!cli_bench_mesh_primitive(&mesh, primitive, palette, name))
    return CLI_FINE; /* not skinned by it */
  list l = {.count = 0};
  const cli_bench_streams streams = mesh.normals ? CLI_BENCH_PN : CLI_BENCH_P;
  add_plain(&l, SUPPLE_LBS, streams);
  cli_bench_entry entry = entry_of(SUPPLE_LBS, streams);
  add_each(&l, entry, true);
  entry.sorted = true;
  add_each(&l, entry, true);
  const int exit_code = time_list(&mesh, &l, rounds_for(mesh.vertex_count, quick), rows);
  cli_bench_mesh_free(&mesh);
  return exit_code;
}

static const char *base_name(const char *path) {
  const char *name = path;
  for (const char *at = path; *at; at++)
    if (*at == '/' || *at == '\\') name = at + 1;
  return name;
}

static int time_instance(const supple_instance *instance, supple_pose *pose, const char *file,
                         bool quick, cli_bench_rows *rows) {
  supple_palette *palette =
      supple_palette_create(instance->skin->joint_count, SUPPLE_SPACE_SCENE, NULL, NULL);
  if (!palette) return cli_complain(CLI_FAILED, "out of memory");
  supple_palette_compose(palette, pose, instance);
  int exit_code = CLI_FINE;
  for (uint32_t i = 0; i < instance->primitive_count && exit_code == CLI_FINE; i++) {
    const supple_primitive *primitive = instance->primitives[i];
    if (primitive->vertex_count <= ASSET_LEAST || !primitive->influence_count) continue;
    char name[CLI_BENCH_NAME];
    snprintf(name, sizeof name, "%.20s #%lu.%lu", base_name(file), (unsigned long)primitive->mesh,
             (unsigned long)primitive->index);
    exit_code = time_primitive(primitive, palette, name, quick, rows);
  }
  supple_palette_destroy(palette);
  return exit_code;
}

static int time_file(const char *file, bool quick, cli_bench_rows *rows) {
  supple_error error;
  const supple_load_options options = {.codecs = cli_codecs()};
  supple_asset *asset = supple_asset_load(file, &options, &error);
  if (!asset) return cli_complain(CLI_FAILED, "%s: %s", file, error.message);
  supple_pose *pose = supple_pose_create(&asset->skeleton, NULL, NULL);
  int exit_code = pose ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  if (pose && asset->clip_count) {
    const supple_clip *clip = &asset->clips[0];
    supple_pose_sample(pose, clip, (clip->begin + clip->end) / 2);
  }
  for (uint32_t i = 0; i < asset->instance_count && exit_code == CLI_FINE; i++)
    exit_code = time_instance(&asset->instances[i], pose, file, quick, rows);
  supple_pose_destroy(pose);
  supple_asset_free(asset);
  return exit_code;
}

/* Whether it can be timed at all: told before minutes are spent. */
static int check_file(const char *file) {
  supple_error error;
  const supple_load_options options = {.codecs = cli_codecs()};
  supple_asset *asset = supple_asset_load(file, &options, &error);
  if (!asset) return cli_complain(CLI_FAILED, "%s: %s", file, error.message);
  supple_asset_free(asset);
  return CLI_FINE;
}

/* ---- all of it ---- */

int cli_bench_plan(bool quick, const char *const *files, size_t file_count, cli_bench_rows *rows) {
  memset(rows, 0, sizeof *rows);
  int exit_code = CLI_FINE;
  for (size_t i = 0; i < file_count && exit_code == CLI_FINE; i++) exit_code = check_file(files[i]);
  const uint32_t total = TUBE_STEPS + (uint32_t)file_count;
  for (uint32_t i = 0; i < total && exit_code == CLI_FINE; i++) {
    cli_progress("timing", i, total);
    if (i >= TUBE_STEPS) {
      exit_code = time_file(files[i - TUBE_STEPS], quick, rows);
    } else if (!quick || !tube_steps[i].slow) {
      struct tube_step step = tube_steps[i];
      exit_code = time_tube(step.kind, step.vertices, rounds_for(step.vertices, quick), step.fill,
                            step.fills, rows);
    }
  }
  cli_progress("timing", total, total);
  if (exit_code != CLI_FINE) cli_bench_rows_free(rows);
  return exit_code;
}
