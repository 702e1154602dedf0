/* workspace.c: one thread's work on a stage: posing, morphing, deforming one instance at a time. */
#include "stage.h"

#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Buffers for one primitive under one method. */
typedef struct method_buffers {
  supple_prepared *prepared;
  float *positions, *normals, *tangents;
} method_buffers;

/* The buffers of the instance entered, and the arrays of pointers that the workspace shows. */
struct cli_workspace_memory {
  cli_moment moment; /* what the pose holds */
  bool posed;
  supple_palette *palette;
  uint32_t primitive_count;
  float **morphed;         /* [primitive_count][3]: positions, normals, tangents */
  method_buffers *methods; /* [method_count][primitive_count] */
  const void **shown;      /* every array of pointers, one after the other */
};

static int out_of_memory(void) { return cli_complain(CLI_FAILED, "out of memory"); }

cli_workspace *cli_workspace_create(const cli_stage *stage, const supple_method *methods,
                                    uint32_t method_count) {
  cli_workspace *work = calloc(1, sizeof *work);
  if (!work || !(work->memory = calloc(1, sizeof *work->memory))) {
    free(work);
    out_of_memory();
    return NULL;
  }
  work->stage = stage;
  work->instance = SUPPLE_NONE;
  work->method_count = method_count < CLI_METHODS_MOST ? method_count : CLI_METHODS_MOST;
  for (uint32_t m = 0; m < work->method_count; m++) work->methods[m] = methods[m];
  work->pose = supple_pose_create(&stage->asset->skeleton, NULL, NULL);
  if (!work->pose) {
    cli_workspace_free(work);
    out_of_memory();
    return NULL;
  }
  return work;
}

static void leave(cli_workspace *work) {
  struct cli_workspace_memory *memory = work->memory;
  const uint32_t count = memory->primitive_count;
  for (uint32_t i = 0; memory->morphed && i < 3 * count; i++) free(memory->morphed[i]);
  for (uint32_t i = 0; memory->methods && i < work->method_count * count; i++) {
    supple_prepared_destroy(memory->methods[i].prepared);
    free(memory->methods[i].positions);
    free(memory->methods[i].normals);
    free(memory->methods[i].tangents);
  }
  free(memory->morphed);
  free(memory->methods);
  free(memory->shown);
  supple_palette_destroy(memory->palette);
  memory->palette = NULL;
  memory->morphed = NULL;
  memory->methods = NULL;
  memory->shown = NULL;
  memory->primitive_count = 0;
  work->instance = SUPPLE_NONE;
}

void cli_workspace_free(cli_workspace *work) {
  if (!work) return;
  leave(work);
  supple_pose_destroy(work->pose);
  free(work->memory);
  free(work);
}

void cli_workspace_pose(cli_workspace *work, const cli_moment *moment) {
  struct cli_workspace_memory *memory = work->memory;
  const cli_stage *stage = work->stage;
  const cli_moment *held = &memory->moment;
  if (memory->posed && held->clip == moment->clip && held->seconds == moment->seconds &&
      held->turn_count == 0 && moment->turn_count == 0)
    return;
  if (moment->clip == SUPPLE_NONE)
    supple_pose_rest(work->pose);
  else
    supple_pose_sample(work->pose, &stage->asset->clips[moment->clip], moment->seconds);
  for (uint32_t i = 0; i < stage->turn_count; i++) cli_turn_apply(work->pose, &stage->turns[i]);
  for (uint32_t i = 0; i < moment->turn_count; i++) cli_turn_apply(work->pose, &moment->turns[i]);
  if (stage->turn_count || moment->turn_count) supple_pose_update(work->pose);
  memory->moment = *moment;
  memory->posed = true;
}

/* ---- entering an instance ---- */

static float *floats(uint32_t count, uint32_t width) {
  if (count > SIZE_MAX / sizeof(float) / width) return NULL;
  return malloc((size_t)count * width * sizeof(float) + 1);
}

/* Buffers for the methods' results on primitive p. */
static bool make_methods(cli_workspace *work, uint32_t p, const supple_primitive *primitive,
                         const supple_binding *binding) {
  const cli_options *options = work->stage->options;
  const supple_prepared_options prepare = {.scale = (supple_scale)options->scale,
                                           .signs = (supple_signs)options->signs,
                                           .split = (supple_split_method)options->split,
                                           .rigid_tolerance = options->rigid_tolerance};
  const uint32_t n = primitive->vertex_count;
  for (uint32_t m = 0; m < work->method_count; m++) {
    method_buffers *b = &work->memory->methods[m * work->memory->primitive_count + p];
    const bool normals = work->want_normals && primitive->normals;
    const bool tangents = work->want_tangents && primitive->normals && primitive->tangents;
    b->prepared = supple_prepared_create(binding, &prepare, NULL);
    b->positions = floats(n, 3);
    if (normals || tangents) b->normals = floats(n, 3);
    if (tangents) b->tangents = floats(n, 4);
    if (!b->prepared || !b->positions || ((normals || tangents) && !b->normals) ||
        (tangents && !b->tangents))
      return false;
  }
  return true;
}

/* Buffers for a primitive's morphed streams, those that are wanted. */
static bool make_morphed(cli_workspace *work, uint32_t p, const supple_primitive *primitive) {
  float **morphed = &work->memory->morphed[3 * p];
  const uint32_t n = primitive->vertex_count;
  if (primitive->target_count == 0) return true;
  const bool normals = (work->want_normals || work->want_tangents) && primitive->normals;
  const bool tangents = work->want_tangents && primitive->normals && primitive->tangents;
  morphed[0] = floats(n, 3);
  if (normals) morphed[1] = floats(n, 3);
  if (tangents) morphed[2] = floats(n, 4);
  return morphed[0] && (!normals || morphed[1]) && (!tangents || morphed[2]);
}

/* The arrays of pointers that the workspace shows, filled from the buffers. */
static void show(cli_workspace *work, const supple_instance *instance) {
  struct cli_workspace_memory *memory = work->memory;
  const uint32_t count = memory->primitive_count;
  const void **at = memory->shown;
  const float **rest = (const float **)at, **normals = rest + count, **tangents = normals + count;
  for (uint32_t p = 0; p < count; p++) {
    const supple_primitive *primitive = instance->primitives[p];
    float *const *morphed = &memory->morphed[3 * p];
    rest[p] = morphed[0] ? morphed[0] : primitive->positions;
    normals[p] = morphed[1] ? morphed[1] : primitive->normals;
    tangents[p] = morphed[2] ? morphed[2] : primitive->tangents;
  }
  work->rest = rest;
  work->rest_normals = normals;
  work->rest_tangents = tangents;
  at += 3 * (size_t)count;
  for (uint32_t m = 0; m < work->method_count; m++, at += 4 * (size_t)count) {
    const supple_prepared **prepared = (const supple_prepared **)at;
    const float **streams = (const float **)(at + count);
    for (uint32_t p = 0; p < count; p++) {
      const method_buffers *b = &memory->methods[m * count + p];
      prepared[p] = b->prepared;
      streams[p] = b->positions;
      streams[count + p] = b->normals;
      streams[2 * count + p] = b->tangents;
    }
    work->prepared[m] = prepared;
    work->positions[m] = streams;
    work->normals[m] = streams + count;
    work->tangents[m] = streams + 2 * count;
  }
}

static bool make_buffers(cli_workspace *work, uint32_t number) {
  struct cli_workspace_memory *memory = work->memory;
  const cli_stage_instance *staged = &work->stage->instances[number];
  const supple_instance *instance = staged->instance;
  const size_t count = instance->primitive_count;
  const size_t shown = count * (3 + 4 * (size_t)work->method_count);
  memory->primitive_count = instance->primitive_count;
  memory->morphed = calloc(3 * count + 1, sizeof *memory->morphed);
  memory->methods = calloc(work->method_count * count + 1, sizeof *memory->methods);
  memory->shown = calloc(shown + 1, sizeof *memory->shown);
  memory->palette = supple_palette_create(instance->skin->joint_count,
                                          (supple_space)work->stage->options->space, NULL, NULL);
  if (!memory->morphed || !memory->methods || !memory->shown || !memory->palette) return false;
  for (uint32_t p = 0; p < instance->primitive_count; p++) {
    if (!make_morphed(work, p, instance->primitives[p])) return false;
    if (staged->bindings[p] && !make_methods(work, p, instance->primitives[p], staged->bindings[p]))
      return false;
  }
  show(work, instance);
  work->primitive_count = instance->primitive_count;
  work->palette = memory->palette;
  work->instance = number;
  return true;
}

static supple_out_stream out_stream(float *data, size_t width) {
  const supple_out_stream stream = {data, data ? width * sizeof(float) : 0};
  return stream;
}

int cli_workspace_enter(cli_workspace *work, uint32_t number) {
  const supple_instance *instance = work->stage->instances[number].instance;
  const supple_node *node = &work->stage->asset->skeleton.nodes[instance->node];
  if (work->instance != number) {
    leave(work);
    if (!make_buffers(work, number)) {
      leave(work);
      return out_of_memory();
    }
  }
  supple_palette_compose(work->memory->palette, work->pose, instance);
  for (uint32_t p = 0; p < instance->primitive_count; p++) {
    float *const *morphed = &work->memory->morphed[3 * p];
    if (!morphed[0]) continue;
    const float *weights = node->weight_count ? work->pose->weights + node->weight_begin : NULL;
    const supple_result result = supple_morph(instance->primitives[p], weights, node->weight_count,
                                              out_stream(morphed[0], 3), out_stream(morphed[1], 3),
                                              out_stream(morphed[2], 4));
    if (result != SUPPLE_OK)
      return cli_complain(CLI_FAILED, "%s: morph targets of node %u, primitive %u: %s",
                          work->stage->path, instance->node, p, supple_result_text(result));
  }
  return CLI_FINE;
}

/* ---- deforming ---- */

/* Says why a palette was refused. */
static int refuse(const cli_workspace *work, uint32_t p, supple_result result,
                  const supple_prepared *prepared) {
  const cli_stage *stage = work->stage;
  const supple_instance *instance = stage->instances[work->instance].instance;
  const uint32_t joint = supple_prepared_found(prepared)->refused_joint;
  char name[128], clip[128], time[CLI_NUMBER_TEXT], when[256] = "at rest";
  const cli_moment *moment = &work->memory->moment;
  if (moment->clip != SUPPLE_NONE)
    snprintf(when, sizeof when, "in clip '%s' at %s s",
             cli_clip_name(stage->asset, moment->clip, clip, sizeof clip),
             cli_double_text(moment->seconds, time));
  if (result == SUPPLE_ERROR_NUMBER && joint < instance->skin->joint_count) {
    const uint32_t node = instance->skin->joints[joint];
    return cli_complain(CLI_FAILED,
                        "%s: the matrix of joint '%s' (joint %u of skin %u, node %u) is not "
                        "finite %s",
                        stage->path, cli_node_name(stage->asset, node, name, sizeof name), joint,
                        instance->skin->index, node, when);
  }
  return cli_complain(CLI_FAILED, "%s: node %u, primitive %u cannot be deformed %s: %s",
                      stage->path, instance->node, p, when, supple_result_text(result));
}

static supple_stream in_stream(const float *data, size_t width) {
  const supple_stream stream = {data, data ? width * sizeof(float) : 0};
  return stream;
}

int cli_workspace_prepare(cli_workspace *work, uint32_t m) {
  const cli_stage_instance *staged = &work->stage->instances[work->instance];
  for (uint32_t p = 0; p < work->primitive_count; p++) {
    const method_buffers *b = &work->memory->methods[m * work->primitive_count + p];
    if (!b->prepared) continue;
    const supple_result result =
        supple_prepared_update(b->prepared, staged->bindings[p], work->palette, work->methods[m]);
    if (result != SUPPLE_OK) return refuse(work, p, result, b->prepared);
  }
  return CLI_FINE;
}

int cli_workspace_deform(cli_workspace *work, uint32_t m) {
  const cli_stage_instance *staged = &work->stage->instances[work->instance];
  memset(&work->deformed[m], 0, sizeof work->deformed[m]);
  const int exit_code = cli_workspace_prepare(work, m);
  if (exit_code != CLI_FINE) return exit_code;
  for (uint32_t p = 0; p < work->primitive_count; p++) {
    const method_buffers *b = &work->memory->methods[m * work->primitive_count + p];
    if (!b->prepared) continue;
    const supple_job job = {.prepared = b->prepared,
                            .positions = in_stream(work->rest[p], 3),
                            .normals = in_stream(b->normals ? work->rest_normals[p] : NULL, 3),
                            .tangents = in_stream(b->tangents ? work->rest_tangents[p] : NULL, 4),
                            .out_positions = out_stream(b->positions, 3),
                            .out_normals = out_stream(b->normals, 3),
                            .out_tangents = out_stream(b->tangents, 4),
                            .normal_mode = (supple_normals)work->stage->options->normals};
    const supple_result result = supple_deform_range(
        &job, 0, supple_binding_vertex_count(staged->bindings[p]), &work->deformed[m]);
    if (result != SUPPLE_OK) return refuse(work, p, result, b->prepared);
  }
  return CLI_FINE;
}
