/* golden.c: the golden rows: which there are, what was recorded, and the deformations among them. */
#include "golden.h"

#include "golden_rig.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what was recorded ---- */

static const struct {
  const char *name;
  uint64_t hash;
} recorded[] = {
#include "golden_values.h"
};

/* ---- deformers and streams ---- */

typedef struct deformer {
  const char *name;
  supple_method method;
  supple_prepared_options options;
} deformer;

static const deformer deformers[] = {
    {.name = "lbs", .method = SUPPLE_LBS},
    {.name = "dqs", .method = SUPPLE_DQS},
    {.name = "dqs-pose", .method = SUPPLE_DQS, .options = {.signs = SUPPLE_SIGNS_PER_POSE}},
    {.name = "dqs-affine", .method = SUPPLE_DQS, .options = {.rigid_tolerance = -1}},
    {.name = "dqs-affine-pose",
     .method = SUPPLE_DQS,
     .options = {.rigid_tolerance = -1, .signs = SUPPLE_SIGNS_PER_POSE}},
    {.name = "dqs-gram-schmidt",
     .method = SUPPLE_DQS,
     .options = {.split = SUPPLE_SPLIT_GRAM_SCHMIDT}},
    {.name = "dqs-first", .method = SUPPLE_DQS, .options = {.scale = SUPPLE_SCALE_FIRST}},
    {.name = "dqs-first-pose",
     .method = SUPPLE_DQS,
     .options = {.scale = SUPPLE_SCALE_FIRST, .signs = SUPPLE_SIGNS_PER_POSE}},
    {.name = "dqs-first-gram-schmidt",
     .method = SUPPLE_DQS,
     .options = {.scale = SUPPLE_SCALE_FIRST, .split = SUPPLE_SPLIT_GRAM_SCHMIDT}},
    {.name = "dqs-none", .method = SUPPLE_DQS, .options = {.scale = SUPPLE_SCALE_NONE}},
    {.name = "dqs-none-pose",
     .method = SUPPLE_DQS,
     .options = {.scale = SUPPLE_SCALE_NONE, .signs = SUPPLE_SIGNS_PER_POSE}},
};

typedef struct streams {
  const char *name;
  bool normals, tangents;
  supple_normals mode;
} streams;

static const streams stream_sets[] = {
    {"p", false, false, SUPPLE_NORMALS_COFACTOR},
    {"pn-linear", true, false, SUPPLE_NORMALS_LINEAR},
    {"pn-unit", true, false, SUPPLE_NORMALS_UNIT},
    {"pn-cofactor", true, false, SUPPLE_NORMALS_COFACTOR},
    {"pt-unit", false, true, SUPPLE_NORMALS_UNIT},
    {"pnt-linear", true, true, SUPPLE_NORMALS_LINEAR},
    {"pnt-unit", true, true, SUPPLE_NORMALS_UNIT},
    {"pnt-cofactor", true, true, SUPPLE_NORMALS_COFACTOR},
};

enum {
  DEFORMERS = sizeof deformers / sizeof *deformers,
  STREAM_SETS = sizeof stream_sets / sizeof *stream_sets,
  MOST_GAP = 16,
  WIDTH = 3 + 3 + 4 + MOST_GAP /* floats of one vertex, at most */
};

/* Every way to clean the influences. */
static const supple_binding_options bindings[] = {
    {.weights = SUPPLE_WEIGHTS_NORMALISE},
    {.weights = SUPPLE_WEIGHTS_KEEP, .unweighted = SUPPLE_UNWEIGHTED_REST},
    {.max_influences = 4},
};

/* ---- deforming one rig ---- */

typedef struct workspace {
  cli_golden_rig rig;
  float in[CLI_GOLDEN_VERTICES * WIDTH], out[CLI_GOLDEN_VERTICES * WIDTH];
  uint32_t places[CLI_GOLDEN_VERTICES]; /* of the rig's vertices in the binding */
} workspace;

/* Positions, normals and tangents interleaved where there is a gap; one after the other where there is
 * none. */
static void lay_out(workspace *w, uint32_t gap, supple_job *job) {
  const size_t n = CLI_GOLDEN_VERTICES;
  const size_t stride = gap ? (10 + gap) * sizeof(float) : 0;
  const size_t at[3] = {0, gap ? 3 : 3 * n, gap ? 6 : 6 * n};
  job->positions = (supple_stream){w->in + at[0], gap ? stride : 12};
  job->normals = (supple_stream){w->in + at[1], gap ? stride : 12};
  job->tangents = (supple_stream){w->in + at[2], gap ? stride : 16};
  job->out_positions = (supple_out_stream){w->out + at[0], gap ? stride : 12};
  job->out_normals = (supple_out_stream){w->out + at[1], gap ? stride : 12};
  job->out_tangents = (supple_out_stream){w->out + at[2], gap ? stride : 16};
  memset(w->in, 0x3e, sizeof w->in); /* what lies between is no zero */
  memset(w->out, 0x3e, sizeof w->out);
  float *const in[3] = {w->in + at[0], w->in + at[1], w->in + at[2]};
  for (size_t v = 0; v < n; v++) {
    const size_t place = w->places[v];
    memcpy((char *)in[0] + place * job->positions.stride, w->rig.positions[v], 12);
    memcpy((char *)in[1] + place * job->normals.stride, w->rig.normals[v], 12);
    memcpy((char *)in[2] + place * job->tangents.stride, w->rig.tangents[v], 16);
  }
}

static void find_places(workspace *w, const supple_binding *binding) {
  const uint32_t *order = supple_binding_order(binding);
  for (uint32_t i = 0; i < CLI_GOLDEN_VERTICES; i++) w->places[order ? order[i] : i] = i;
}

static void hash_stream(cli_golden_hash *hash, const workspace *w, const supple_out_stream *stream,
                        size_t width) {
  if (!stream->data) return;
  for (size_t v = 0; v < CLI_GOLDEN_VERTICES; v++) {
    float values[4];
    memcpy(values, (const char *)stream->data + w->places[v] * stream->stride,
           width * sizeof *values);
    cli_golden_hash_floats(hash, values, width);
  }
}

static supple_result deform(const cli_golden_way *way, const streams *set, workspace *w,
                            const supple_prepared *prepared, cli_golden_hash *hash) {
  supple_deform_report report = {0, 0, 0};
  supple_job job;
  memset(&job, 0, sizeof job);
  job.prepared = prepared;
  job.normal_mode = set->mode;
  job.isa = way->isa;
  lay_out(w, way->gap < MOST_GAP ? way->gap : MOST_GAP, &job);
  if (!set->normals) job.out_normals.data = NULL, job.normals.data = NULL;
  if (!set->tangents) job.out_tangents.data = NULL, job.tangents.data = NULL;
  if (way->geometry) job.positions.data = job.normals.data = job.tangents.data = NULL;
  const supple_result result = way->deform
                                   ? way->deform(way->user, &job, CLI_GOLDEN_VERTICES, &report)
                                   : supple_deform_range(&job, 0, CLI_GOLDEN_VERTICES, &report);
  if (result) return result;
  hash_stream(hash, w, &job.out_positions, 3);
  hash_stream(hash, w, &job.out_normals, 3);
  hash_stream(hash, w, &job.out_tangents, 4);
  cli_golden_hash_u32(hash, report.fallbacks);
  cli_golden_hash_u32(hash, report.vanished_normals);
  cli_golden_hash_u32(hash, report.vanished_tangents);
  return SUPPLE_OK;
}

static supple_result deform_bound(const deformer *d, const streams *set, const cli_golden_way *way,
                                  workspace *w, const supple_binding_options *options,
                                  cli_golden_hash *hash) {
  const supple_primitive primitive = cli_golden_rig_primitive(&w->rig);
  const supple_palette palette = cli_golden_rig_palette(&w->rig);
  supple_binding_options own = *options;
  own.sort = way->sort;
  own.geometry = way->geometry;
  supple_binding *binding = supple_binding_create(&primitive, &own, NULL);
  supple_prepared *prepared = binding ? supple_prepared_create(binding, &d->options, NULL) : NULL;
  supple_result result = SUPPLE_ERROR_MEMORY;
  if (prepared) result = supple_prepared_update(prepared, binding, &palette, d->method);
  if (result == SUPPLE_OK) find_places(w, binding);
  if (result == SUPPLE_OK) result = deform(way, set, w, prepared, hash);
  supple_prepared_destroy(prepared);
  supple_binding_destroy(binding);
  return result;
}

static supple_result deform_all(const deformer *d, const streams *set, const cli_golden_way *way,
                                cli_golden_hash *hash) {
  workspace *w = malloc(sizeof *w);
  if (!w) return SUPPLE_ERROR_MEMORY;
  supple_result result = SUPPLE_OK;
  for (int kind = 0; kind < CLI_GOLDEN_KINDS && !result; kind++) {
    cli_golden_rig_build(&w->rig, (cli_golden_kind)kind);
    for (size_t b = 0; b < sizeof bindings / sizeof *bindings && !result; b++)
      result = deform_bound(d, set, way, w, &bindings[b], hash);
  }
  free(w);
  return result;
}

/* ---- the interface ---- */

static uint32_t part_count(void) {
  uint32_t count = 0;
  while (cli_golden_parts[count].name) count++;
  return count;
}

bool cli_golden_is_deformation(uint32_t row) { return row < DEFORMERS * STREAM_SETS; }

uint32_t cli_golden_count(void) { return DEFORMERS * STREAM_SETS + part_count(); }

void cli_golden_name(uint32_t row, char name[CLI_GOLDEN_NAME]) {
  if (cli_golden_is_deformation(row))
    snprintf(name, CLI_GOLDEN_NAME, "%s %s", deformers[row / STREAM_SETS].name,
             stream_sets[row % STREAM_SETS].name);
  else
    snprintf(name, CLI_GOLDEN_NAME, "%s", cli_golden_parts[row - DEFORMERS * STREAM_SETS].name);
}

bool cli_golden_expected(uint32_t row, uint64_t *hash) {
  char name[CLI_GOLDEN_NAME];
  cli_golden_name(row, name);
  for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++)
    if (recorded[i].name && strcmp(recorded[i].name, name) == 0) {
      *hash = recorded[i].hash;
      return true;
    }
  return false;
}

supple_result cli_golden_compute(uint32_t row, const cli_golden_way *way, uint64_t *hash) {
  static const cli_golden_way plain;
  cli_golden_hash state = cli_golden_hash_start();
  supple_result result;
  if (cli_golden_is_deformation(row))
    result = deform_all(&deformers[row / STREAM_SETS], &stream_sets[row % STREAM_SETS],
                        way ? way : &plain, &state);
  else
    result = cli_golden_parts[row - DEFORMERS * STREAM_SETS].compute(&state);
  if (result == SUPPLE_OK && !state.finite) result = SUPPLE_ERROR_NUMBER;
  *hash = state.state;
  return result;
}
