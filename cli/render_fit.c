/* render_fit.c: boxes over moments, deformed in parallel; the surroundings of a joint. */
#include "render_fit.h"

#include "copies.h"
#include "threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fit_run {
  const cli_stage *stage;
  const render_scene *scene;
  const render_camera *camera;
  const cli_moment *moments;
  const supple_method *methods;
  uint32_t method_count;
  cli_workspace **workspaces;
  render_fit *found; /* one a moment */
} fit_run;

static supple_vec3 load(const float *v) {
  return supple_vec3_make((double)v[0], (double)v[1], (double)v[2]);
}

/* A skinned part, and its copies. */
static void add_skinned(const fit_run *run, const cli_workspace *work, const render_part *part,
                        render_fit *fit) {
  const supple_instance *instance = run->stage->instances[part->instance].instance;
  for (uint32_t copy = 0; copy < cli_copy_count(instance); copy++) {
    const supple_affine64 moved = cli_copy_matrix(instance, copy, work->pose, SUPPLE_SPACE_SCENE);
    for (uint32_t m = 0; m < run->method_count; m++) {
      const float *at = work->positions[m][part->slot], *first = work->positions[0][part->slot];
      for (size_t v = 0; v < part->primitive->vertex_count; v++) {
        const supple_vec3 point = load(at + 3 * v);
        render_box_add(&fit->box, run->camera,
                       instance->copies ? supple_affine64_transform_point(&moved, point) : point);
        if (m == 0 || copy > 0) continue;
        const double d = supple_vec3_length(supple_vec3_subtract(point, load(first + 3 * v)));
        if (d > fit->deviation) fit->deviation = d;
      }
    }
  }
}

/* A part that its node moves, and nothing else. (Morphed ones may stand out of it a little.) */
static void add_plain(const fit_run *run, const cli_workspace *work, const render_part *part,
                      render_fit *fit) {
  const supple_affine64 *world = &work->pose->worlds[part->node];
  for (size_t v = 0; v < part->primitive->vertex_count; v++)
    render_box_add(&fit->box, run->camera,
                   supple_affine64_transform_point(world, load(part->primitive->positions + 3 * v)));
}

static int fit_moment(void *user, uint32_t index, uint32_t worker) {
  const fit_run *run = user;
  cli_workspace **work = &run->workspaces[worker];
  render_fit *fit = &run->found[index];
  uint32_t entered = SUPPLE_NONE;
  fit->box = render_box_empty();
  if (!*work) *work = cli_workspace_create(run->stage, run->methods, run->method_count);
  if (!*work) return CLI_FAILED;
  cli_workspace_pose(*work, &run->moments[index]);
  for (uint32_t i = 0; i < run->scene->part_count; i++) {
    const render_part *part = &run->scene->parts[i];
    if (!part->skinned) {
      add_plain(run, *work, part, fit);
      continue;
    }
    if (part->instance != entered) {
      int exit_code = cli_workspace_enter(*work, part->instance);
      for (uint32_t m = 0; m < run->method_count && exit_code == CLI_FINE; m++)
        exit_code = cli_workspace_deform(*work, m);
      if (exit_code != CLI_FINE) return exit_code;
      entered = part->instance;
    }
    add_skinned(run, *work, part, fit);
  }
  return CLI_FINE;
}

int render_fit_find(const cli_stage *stage, const render_scene *scene, const render_camera *camera,
                    const cli_moment *moments, uint32_t moment_count, const supple_method *methods,
                    uint32_t method_count, uint32_t threads, render_fit *fit) {
  fit_run run = {.stage = stage,
                 .scene = scene,
                 .camera = camera,
                 .moments = moments,
                 .methods = methods,
                 .method_count = method_count};
  run.workspaces = calloc(threads, sizeof *run.workspaces);
  run.found = calloc((size_t)moment_count + 1, sizeof *run.found);
  fit->box = render_box_empty();
  fit->deviation = 0;
  int exit_code = run.workspaces && run.found ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  if (exit_code == CLI_FINE)
    exit_code = cli_parallel(moment_count, threads, fit_moment, &run, "framing");
  for (uint32_t i = 0; i < moment_count && exit_code == CLI_FINE; i++) {
    render_box_join(&fit->box, &run.found[i].box);
    fit->deviation = fmax(fit->deviation, run.found[i].deviation);
  }
  if (exit_code == CLI_FINE && fit->box.low[0] > fit->box.high[0])
    exit_code = cli_complain(CLI_FAILED, "%s: no vertex has a finite position", stage->path);
  for (uint32_t i = 0; run.workspaces && i < threads; i++) cli_workspace_free(run.workspaces[i]);
  free(run.workspaces);
  free(run.found);
  return exit_code;
}

/* ---- a joint ---- */

static supple_vec3 position_of(const supple_pose *pose, uint32_t node) {
  return supple_affine64_translation(&pose->worlds[node]);
}

/* Number of a node in a skin, or SUPPLE_NONE. */
static uint32_t joint_of(const supple_skin *skin, uint32_t node) {
  for (uint32_t j = 0; j < skin->joint_count; j++)
    if (skin->joints[j] == node) return j;
  return SUPPLE_NONE;
}

/* Whether a vertex belongs to a joint in part, and in part to its parent (SUPPLE_NONE: to any other): it bends there. */
static bool is_between(const supple_binding *binding, uint32_t vertex, uint32_t joint,
                       uint32_t parent) {
  const uint16_t *joints;
  const float *weights;
  const uint32_t count = supple_binding_influences(binding, vertex, &joints, &weights);
  float own = 0, other = 0;
  for (uint32_t k = 0; k < count; k++) {
    if (joints[k] == joint)
      own = weights[k];
    else if (joints[k] == parent || parent == SUPPLE_NONE)
      other += weights[k];
  }
  return own > 0.2f && other > 0.2f;
}

/* The farthest of these vertices. */
static int find_reach(cli_workspace *work, uint32_t i, uint32_t joint, supple_vec3 centre,
                      double *reach) {
  const cli_stage_instance *staged = &work->stage->instances[i];
  const uint32_t parent = staged->instance->skin->parents[joint];
  int exit_code = cli_workspace_enter(work, i);
  if (exit_code == CLI_FINE) exit_code = cli_workspace_deform(work, 0);
  for (uint32_t p = 0; p < work->primitive_count && exit_code == CLI_FINE; p++) {
    if (!work->positions[0][p]) continue;
    for (uint32_t v = 0; v < staged->instance->primitives[p]->vertex_count; v++) {
      if (!is_between(staged->bindings[p], v, joint, parent)) continue;
      const supple_vec3 at = load(work->positions[0][p] + 3 * (size_t)v);
      const double d = supple_vec3_length(supple_vec3_subtract(at, centre));
      if (d > *reach) *reach = d;
    }
  }
  return exit_code;
}

/* The bones of a joint: to its parent joint, and to the mean of its children. */
static void find_bones(const supple_skin *skin, uint32_t joint, const supple_pose *pose,
                       supple_vec3 bones[2]) {
  const supple_vec3 centre = position_of(pose, skin->joints[joint]);
  uint32_t children = 0;
  bones[0] = bones[1] = supple_vec3_make(0, 0, 0);
  if (skin->parents[joint] != SUPPLE_NONE)
    bones[0] = supple_vec3_subtract(centre, position_of(pose, skin->joints[skin->parents[joint]]));
  for (uint32_t j = 0; j < skin->joint_count; j++)
    if (skin->parents[j] == joint) {
      bones[1] = supple_vec3_add(bones[1],
                                 supple_vec3_subtract(position_of(pose, skin->joints[j]), centre));
      children++;
    }
  if (children) bones[1] = supple_vec3_scale(bones[1], 1.0 / children);
}

/* Of twelve directions the one that sees most of the bones' length, a little rather from the side of the body that the
 * joint is on, and from the front. */
static double best_turn(const supple_vec3 bones[2], supple_vec3 outwards) {
  const supple_vec3 zero = {0, 0, 0};
  double best = -1e9, found = 0;
  const supple_vec3 out = supple_vec3_normalise(outwards, zero);
  for (int step = -5; step <= 6; step++) {
    const double turn = 30 * step + 10; /* never straight along an axis */
    const render_camera camera = render_camera_make(turn, 8);
    double score = 0.35 * supple_vec3_dot(out, camera.back) + 0.25 * camera.back.z;
    for (int b = 0; b < 2; b++) {
      const supple_vec3 bone = supple_vec3_normalise(bones[b], zero);
      const double along = supple_vec3_dot(bone, camera.back);
      score -= along * along;
    }
    if (score > best) best = score, found = turn;
  }
  return found;
}

static int look_around(cli_workspace *work, uint32_t node, const render_box *box,
                       render_place *place) {
  const cli_stage *stage = work->stage;
  const double size[3] = {box->high[0] - box->low[0], box->high[1] - box->low[1],
                          box->high[2] - box->low[2]};
  const double diagonal = sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
  const supple_vec3 middle =
      supple_vec3_make(box->low[0] + 0.5 * size[0], place->position.y, box->low[2] + 0.5 * size[2]);
  supple_vec3 bones[2] = {{0, 0, 0}, {0, 0, 0}};
  double reach = 0;
  int exit_code = CLI_FINE;
  for (uint32_t i = 0; i < stage->instance_count && exit_code == CLI_FINE; i++) {
    const supple_skin *skin = stage->instances[i].instance->skin;
    const uint32_t joint = joint_of(skin, node);
    if (joint == SUPPLE_NONE) continue;
    find_bones(skin, joint, work->pose, bones);
    exit_code = find_reach(work, i, joint, place->position, &reach);
  }
  const double length = 0.5 * (supple_vec3_length(bones[0]) + supple_vec3_length(bones[1]));
  place->radius = fmax(2 * reach, 0.7 * length);
  if (!(place->radius > 0.07 * diagonal)) place->radius = 0.07 * diagonal;
  if (place->radius > 0.5 * diagonal) place->radius = 0.5 * diagonal;
  place->turn = best_turn(bones, supple_vec3_subtract(place->position, middle));
  return exit_code;
}

int render_place_find(const cli_stage *stage, const cli_moment *moment, uint32_t node,
                      const render_box *box, render_place *place) {
  static const supple_method method = SUPPLE_LBS;
  memset(place, 0, sizeof *place);
  cli_workspace *work = cli_workspace_create(stage, &method, 1);
  if (!work) return CLI_FAILED;
  cli_workspace_pose(work, moment);
  place->position = position_of(work->pose, node);
  const int exit_code = look_around(work, node, box, place);
  cli_workspace_free(work);
  return exit_code;
}
