/* compare.c: poses, deforms and measures; frames are shared out to threads, which write disjoint results. */
#include "compare.h"

#include "threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *compare_method_title(supple_method method) {
  switch (method) {
  case SUPPLE_LBS: return "linear blend skinning";
  case SUPPLE_DQS: return "dual quaternion skinning";
  }
  return "skinning";
}

const char *compare_method_short(supple_method method) {
  switch (method) {
  case SUPPLE_LBS: return "LBS";
  case SUPPLE_DQS: return "DQS";
  }
  return "?";
}

/* calloc of a product of four; NULL where it overflows or memory runs out. */
static void *allocate(size_t size, size_t a, size_t b, size_t c) {
  if (a && b > SIZE_MAX / a) return NULL;
  if (c && a * b > SIZE_MAX / c) return NULL;
  const size_t count = a * b * c;
  return calloc(count ? count : 1, size);
}

/* ---- measures ---- */
typedef struct measures_task {
  const cli_stage *stage;
  supple_measure **measures;
  double threshold;
} measures_task;

static int create_measure(void *user, uint32_t index, uint32_t worker) {
  const measures_task *task = user;
  const cli_stage_instance *one = &task->stage->instances[index];
  const supple_measure_options options = {.threshold = task->threshold};
  supple_error error;
  (void)worker;
  task->measures[index] = supple_measure_create(&task->stage->asset->skeleton, one->instance,
                                                one->bindings, &options, &error);
  if (task->measures[index]) return CLI_FINE;
  char name[128];
  return cli_complain(CLI_FAILED, "%s: %s: %s", task->stage->path,
                      cli_node_name(task->stage->asset, one->instance->node, name, sizeof name),
                      error.message);
}

supple_measure **compare_measures(const cli_stage *stage, double threshold, uint32_t threads) {
  measures_task task = {.stage = stage, .threshold = threshold};
  task.measures = allocate(sizeof *task.measures, stage->instance_count, 1, 1);
  if (!task.measures) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  if (cli_parallel(stage->instance_count, threads, create_measure, &task, NULL)) {
    compare_measures_free(task.measures, stage->instance_count);
    return NULL;
  }
  return task.measures;
}

void compare_measures_free(supple_measure **measures, uint32_t count) {
  if (!measures) return;
  for (uint32_t i = 0; i < count; i++) supple_measure_destroy(measures[i]);
  free(measures);
}

/* ---- one thread's work ---- */
typedef struct workers {
  cli_workspace **workspaces; /* [count]; made by the thread that uses them, NULL until then */
  supple_joint_measure **joints;
  uint32_t count, most_joints;
} workers;

static bool workers_create(workers *all, const cli_stage *stage, uint32_t threads) {
  *all = (workers){.count = cli_thread_count(threads)};
  for (uint32_t i = 0; i < stage->instance_count; i++) {
    const uint32_t joints = stage->instances[i].instance->skin->joint_count;
    if (joints > all->most_joints) all->most_joints = joints;
  }
  all->workspaces = allocate(sizeof *all->workspaces, all->count, 1, 1);
  all->joints = allocate(sizeof *all->joints, all->count, 1, 1);
  if (all->workspaces && all->joints) return true;
  cli_complain(CLI_FAILED, "out of memory");
  return false;
}

static void workers_free(workers *all) {
  for (uint32_t i = 0; i < all->count; i++) {
    if (all->workspaces) cli_workspace_free(all->workspaces[i]);
    if (all->joints) free(all->joints[i]);
  }
  free(all->workspaces);
  free(all->joints);
}

/* The workspace of a worker, made at its first use. NULL: out of memory, reported. */
static cli_workspace *workspace_of(workers *all, const cli_stage *stage, const comparison *results,
                                   uint32_t worker) {
  if (!all->joints[worker])
    all->joints[worker] = allocate(sizeof **all->joints, all->most_joints, 1, 1);
  if (!all->joints[worker]) {
    cli_complain(CLI_FAILED, "out of memory");
    return NULL;
  }
  if (!all->workspaces[worker])
    all->workspaces[worker] = cli_workspace_create(stage, results->methods, results->method_count);
  return all->workspaces[worker];
}

/* ---- measuring ---- */
typedef struct run_task {
  const cli_stage *stage;
  supple_measure *const *measures;
  comparison *results;
  workers workers;
} run_task;

static void store_joints(compared_joint *to, const supple_joint_measure *from, uint32_t count) {
  for (uint32_t j = 0; j < count; j++) {
    to[j].section = (float)from[j].section[SUPPLE_SECTION_AT_JOINT];
    to[j].projected = (float)from[j].section_projected;
    to[j].radius = (float)from[j].radius;
    to[j].bulge = (float)from[j].bulge;
    to[j].worst = (float)from[j].worst;
    to[j].kept = (float)from[j].kept;
    to[j].own_kept = (float)from[j].own_kept;
    to[j].worst_offset = from[j].worst_offset;
  }
}

/* A joint's rotation from the bind pose, as the measures take it. */
static supple_quat rotation_of(const supple_palette *palette, uint32_t joint) {
  const supple_affine64 matrix = supple_affine_to_double(&palette->matrices[joint]);
  const supple_split split =
      supple_split_polar(&matrix, palette->rotations ? &palette->rotations[joint] : NULL,
                         palette->mirrored && palette->mirrored[joint]);
  return split.rotation;
}

static void store_turns(float *turns, const supple_palette *palette, const uint32_t *parents) {
  for (uint32_t j = 0; j < palette->joint_count; j++) {
    turns[j] = NAN;
    if (parents[j] >= palette->joint_count) continue;
    const supple_quat between = supple_quat_multiply(
        supple_quat_conjugate(rotation_of(palette, parents[j])), rotation_of(palette, j));
    /* the arc tangent is exact for small turns too, and q and -q are one turn */
    const double half = supple_atan2(
        supple_vec3_length(supple_vec3_make(between.x, between.y, between.z)), fabs(between.w));
    turns[j] = (float)(half * 360 / SUPPLE_PI);
  }
}

static void store_frame(compared_frame *to, const supple_instance_measure *from) {
  to->volume = (float)from->volume;
  to->edge_mean = (float)from->edge_mean;
  to->edge_least = (float)from->edge_least;
  to->edge_most = (float)from->edge_most;
  to->kept_below = (float)from->kept_below;
  to->flipped = from->flipped;
}

/* What preparing found; joints are counted over the whole palette, so any primitive tells. */
static void store_found(compared_frame *to, const cli_workspace *work, uint32_t m) {
  to->fallbacks = work->deformed[m].fallbacks;
  if (work->methods[m] == SUPPLE_LBS) return;
  for (uint32_t p = 0; p < work->primitive_count; p++) {
    if (!work->prepared[m][p]) continue;
    const supple_prepared_report *found = supple_prepared_found(work->prepared[m][p]);
    to->scaled = found->scaled;
    to->sheared = found->sheared;
    to->mirrored = found->mirrored;
    to->singular = found->singular;
    return;
  }
}

static int measure_instance(run_task *task, cli_workspace *work, uint32_t instance, size_t frame,
                            supple_joint_measure *joints) {
  const comparison *results = task->results;
  const compared_instance *one = &results->instances[instance];
  const supple_measure *measure = task->measures[instance];
  const uint32_t joint_count = one->instance->skin->joint_count;
  int code = cli_workspace_enter(work, instance);
  if (!code)
    store_turns(&one->turns[frame * joint_count], work->palette, one->instance->skin->parents);
  for (uint32_t m = 0; !code && m < results->method_count; m++) {
    const size_t at = frame * results->method_count + m;
    code = cli_workspace_deform(work, m);
    if (code) return code;
    const supple_measure_frame posed = {.palette = work->palette,
                                        .prepared = work->prepared[m],
                                        .positions = work->positions[m],
                                        .rest = task->stage->instances[instance].morphs ? work->rest
                                                                                        : NULL};
    supple_instance_measure whole;
    const supple_result result = supple_measure_evaluate(measure, &posed, &whole, joints);
    if (result) return cli_complain(CLI_FAILED, "cannot measure: %s", supple_result_text(result));
    store_joints(&one->results[at * joint_count], joints, joint_count);
    store_frame(&one->frames[at], &whole);
    store_found(&one->frames[at], work, m);
    double largest = 0, rms = 0;
    if (m)
      supple_measure_deviation(measure, work->positions[m], work->positions[0], &largest, &rms);
    one->frames[at].deviation = (float)largest;
    one->frames[at].deviation_rms = (float)rms;
  }
  return code;
}

static int measure_frame(void *user, uint32_t index, uint32_t worker) {
  run_task *task = user;
  cli_workspace *work = workspace_of(&task->workers, task->stage, task->results, worker);
  if (!work) return CLI_FAILED;
  const cli_moment moment = motion_moment(task->results->motion, index);
  cli_workspace_pose(work, &moment);
  int code = CLI_FINE;
  for (uint32_t i = 0; !code && i < task->results->instance_count; i++)
    code = measure_instance(task, work, i, index, task->workers.joints[worker]);
  return code;
}

/* Rooms for the results of one instance, and what is known of it before any pose. */
static bool start_instance(comparison *results, uint32_t index, const cli_stage *stage,
                           const supple_measure *measure) {
  compared_instance *one = &results->instances[index];
  const supple_instance *instance = stage->instances[index].instance;
  const uint32_t joint_count = instance->skin->joint_count;
  const size_t frames = results->motion->frame_count;
  one->instance = instance;
  one->diagonal = supple_measure_diagonal(measure);
  one->joints = allocate(sizeof *one->joints, joint_count, 1, 1);
  one->cleaning = allocate(sizeof *one->cleaning, instance->primitive_count, 1, 1);
  one->results = allocate(sizeof *one->results, frames, results->method_count, joint_count);
  one->frames = allocate(sizeof *one->frames, frames, results->method_count, 1);
  one->turns = allocate(sizeof *one->turns, frames, joint_count, 1);
  if (!one->joints || !one->cleaning || !one->results || !one->frames || !one->turns) return false;
  for (uint32_t j = 0; j < joint_count; j++) one->joints[j] = *supple_measure_joint(measure, j);
  for (uint32_t p = 0; p < instance->primitive_count; p++) {
    const supple_binding *binding = stage->instances[index].bindings[p];
    if (!binding) continue;
    one->cleaning[p] = *supple_binding_cleaning(binding);
    if (instance->primitives[p]->topology == SUPPLE_TOPOLOGY_TRIANGLES)
      one->triangle_count += instance->primitives[p]->index_count / 3;
  }
  return true;
}

static comparison *start_results(const cli_stage *stage, const motion_plan *motion,
                                 supple_measure *const *measures, const supple_method *methods,
                                 uint32_t method_count) {
  comparison *results = calloc(1, sizeof *results);
  if (!results) return NULL;
  results->file = stage->path;
  results->asset = stage->asset;
  results->options = stage->options;
  results->motion = motion;
  results->method_count = method_count;
  memcpy(results->methods, methods, method_count * sizeof *methods);
  results->instances = allocate(sizeof *results->instances, stage->instance_count, 1, 1);
  bool fine = results->instances != NULL;
  if (fine) results->instance_count = stage->instance_count;
  for (uint32_t i = 0; fine && i < stage->instance_count; i++)
    fine = start_instance(results, i, stage, measures[i]);
  if (fine) return results;
  compare_free(results);
  return NULL;
}

comparison *compare_run(const cli_stage *stage, const motion_plan *motion,
                        supple_measure *const *measures, const supple_method *methods,
                        uint32_t method_count, double threshold, uint32_t threads) {
  comparison *results = start_results(stage, motion, measures, methods, method_count);
  if (!results || motion->frame_count > UINT32_MAX) {
    compare_free(results);
    cli_complain(CLI_FAILED, "%s: out of memory for the results; fewer times need less (--frames)",
                 stage->path);
    return NULL;
  }
  results->threshold = threshold;
  run_task task = {.stage = stage, .measures = measures, .results = results};
  int code = CLI_FAILED;
  if (workers_create(&task.workers, stage, threads))
    code = cli_parallel((uint32_t)motion->frame_count, threads, measure_frame, &task, "measuring");
  workers_free(&task.workers);
  if (code == CLI_FINE) return results;
  compare_free(results);
  return NULL;
}

void compare_free(comparison *results) {
  if (!results) return;
  for (uint32_t i = 0; i < results->instance_count; i++) {
    free(results->instances[i].joints);
    free(results->instances[i].cleaning);
    free(results->instances[i].results);
    free(results->instances[i].frames);
    free(results->instances[i].turns);
  }
  free(results->instances);
  free(results);
}

/* ---- outlines ---- */
typedef struct outline_task {
  const cli_stage *stage;
  supple_measure *const *measures;
  const comparison *results;
  compared_outline *outlines;
  workers workers;
} outline_task;

/* Into the plane of the section: x to the right and y up, as seen against the bone's direction. */
static void project(const supple_vec3 *points, uint32_t count, supple_vec3 origin, supple_vec3 axis,
                    supple_vec3 up, double *flat) {
  const supple_vec3 right = supple_vec3_cross(up, axis);
  for (uint32_t i = 0; i < count; i++) {
    const supple_vec3 from = supple_vec3_subtract(points[i], origin);
    flat[2 * i] = supple_vec3_dot(from, right);
    flat[2 * i + 1] = supple_vec3_dot(from, up);
  }
}

static int draw_outline(outline_task *task, cli_workspace *work, compared_outline *outline,
                        supple_vec3 *points) {
  const comparison *results = task->results;
  const supple_measure *measure = task->measures[outline->instance];
  const uint32_t count = outline->point_count;
  supple_vec3 origin, axis, up;
  supple_measure_section_points(measure, outline->joint, outline->offset, NULL, points);
  supple_measure_section_frame(measure, outline->joint, outline->offset, NULL, &origin, &axis, &up);
  project(points, count, origin, axis, up, outline->rest);
  const double scale = supple_measure_section_scale(measure, outline->joint, outline->offset);
  for (uint32_t i = 0; i < 2 * count; i++) outline->rest[i] *= scale;
  for (uint32_t m = 0; m < results->method_count; m++) {
    int code = cli_workspace_deform(work, m);
    if (code) return code;
    supple_measure_section_points(measure, outline->joint, outline->offset, work->positions[m],
                                  points);
    supple_measure_section_frame(measure, outline->joint, outline->offset, work->palette, &origin,
                                 &axis, &up);
    project(points, count, origin, axis, up, outline->posed[m]);
  }
  return CLI_FINE;
}

static int outline_one(void *user, uint32_t index, uint32_t worker) {
  outline_task *task = user;
  compared_outline *outline = &task->outlines[index];
  if (outline->offset == SUPPLE_NONE) return CLI_FINE;
  const uint32_t count = supple_measure_section_size(task->measures[outline->instance],
                                                     outline->joint, outline->offset);
  if (count == 0) return CLI_FINE;
  cli_workspace *work = workspace_of(&task->workers, task->stage, task->results, worker);
  if (!work) return CLI_FAILED;
  bool fine = (outline->rest = allocate(sizeof *outline->rest, 2, count, 1)) != NULL;
  for (uint32_t m = 0; m < task->results->method_count; m++)
    fine = (outline->posed[m] = allocate(sizeof *outline->rest, 2, count, 1)) != NULL && fine;
  supple_vec3 *points = allocate(sizeof *points, count, 1, 1);
  if (!fine || !points) {
    free(points);
    return cli_complain(CLI_FAILED, "out of memory");
  }
  outline->point_count = count;
  const cli_moment moment = motion_moment(task->results->motion, outline->frame);
  cli_workspace_pose(work, &moment);
  int code = cli_workspace_enter(work, outline->instance);
  if (!code) code = draw_outline(task, work, outline, points);
  free(points);
  return code;
}

int compare_outlines(const comparison *results, const cli_stage *stage,
                     supple_measure *const *measures, compared_outline *outlines, uint32_t count,
                     uint32_t threads) {
  outline_task task = {
      .stage = stage, .measures = measures, .results = results, .outlines = outlines};
  int code = CLI_FAILED;
  if (workers_create(&task.workers, stage, threads))
    code = cli_parallel(count, threads, outline_one, &task, NULL);
  workers_free(&task.workers);
  return code;
}

void compare_outlines_free(compared_outline *outlines, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    free(outlines[i].rest);
    free(outlines[i].picture);
    for (uint32_t m = 0; m < CLI_METHODS_MOST; m++) free(outlines[i].posed[m]);
  }
}
