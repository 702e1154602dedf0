/* usd_rig.c: the skeletons of all skins, and the meshes bound to them. */
#include "usd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_ROOM = 512 }; /* three identifiers of at most 111 */

/* ---- a skeleton's prim ---- */

static int by_name(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *joint_name(const cli_usd *usd, const cli_usd_joint *joint) {
  const char *name = joint->node == SUPPLE_NONE ? "" : usd->asset->skeleton.nodes[joint->node].name;
  return name[0] ? name : joint->name;
}

/* The names that the file gives, where they tell the joints apart and say more than the identifiers. */
static int write_joint_names(const cli_usd *usd, const cli_usd_skeleton *skeleton) {
  const char **names = malloc(((size_t)skeleton->joint_count + 1) * sizeof *names);
  if (!names) return cli_complain(CLI_FAILED, "out of memory");
  bool unique = true, more = false;
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    names[j] = joint_name(usd, &skeleton->joints[j]);
    more = more || strcmp(names[j], skeleton->joints[j].name) != 0;
  }
  qsort(names, skeleton->joint_count, sizeof *names, by_name);
  for (uint32_t j = 1; j < skeleton->joint_count && unique; j++)
    unique = strcmp(names[j - 1], names[j]) != 0;
  free(names);
  if (!unique || !more) return CLI_FINE;
  cli_usd_indent(&usd->text);
  cli_output_text(usd->text.output, "uniform token[] jointNames = [");
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    if (j) cli_output_text(usd->text.output, ", ");
    cli_usd_string(usd->text.output, joint_name(usd, &skeleton->joints[j]));
  }
  cli_output_text(usd->text.output, "]\n");
  return CLI_FINE;
}

static int write_joints(cli_usd *usd, const cli_usd_skeleton *skeleton) {
  cli_output *output = usd->text.output;
  cli_usd_indent(&usd->text);
  cli_output_text(output, "uniform matrix4d[] bindTransforms = [");
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    if (j) cli_output_text(output, ", ");
    cli_usd_matrix(output, &skeleton->joints[j].bind);
  }
  cli_output_text(output, "]\n");
  if (write_joint_names(usd, skeleton) != CLI_FINE) return CLI_FAILED;
  cli_usd_write_joint_paths(usd, skeleton);
  supple_pose_rest(usd->pose);
  cli_usd_indent(&usd->text);
  cli_output_text(output, "uniform matrix4d[] restTransforms = [");
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    const supple_affine64 rest = cli_usd_joint_matrix(skeleton, usd->pose, j);
    if (j) cli_output_text(output, ", ");
    cli_usd_matrix(output, &rest);
  }
  cli_output_text(output, "]\n");
  return CLI_FINE;
}

/* Without its closing brace. `moved`: where the whole of it stands, or NULL. */
static int open_skeleton(cli_usd *usd, const cli_usd_skeleton *skeleton, const char *identifier,
                         const char *display, const char *animation, const supple_affine64 *moved) {
  cli_usd_open(&usd->text, "Skeleton", identifier, display, "\"SkelBindingAPI\"");
  const int exit_code = write_joints(usd, skeleton);
  if (animation) cli_usd_line(&usd->text, "rel skel:animationSource = <%s>", animation);
  if (moved) {
    cli_usd_indent(&usd->text);
    cli_output_text(usd->text.output, "matrix4d xformOp:transform = ");
    cli_usd_matrix(usd->text.output, moved);
    cli_output_text(usd->text.output, "\n");
    cli_usd_line(&usd->text, "uniform token[] xformOpOrder = [\"xformOp:transform\"]");
  }
  return exit_code;
}

/* ---- instances ---- */

static bool has_morphs(const cli_usd *usd, uint32_t node, bool skinned) {
  const supple_node *source = &usd->asset->skeleton.nodes[node];
  if (source->mesh >= usd->asset->mesh_count || source->weight_count == 0) return false;
  const supple_mesh *mesh = &usd->asset->meshes[source->mesh];
  for (uint32_t p = 0; p < mesh->primitive_count; p++)
    if (mesh->primitives[p].target_count &&
        cli_usd_is_skinned(source, &mesh->primitives[p]) == skinned)
      return true;
  return false;
}

/* What the file calls a node's mesh. */
static const char *mesh_name(const cli_usd *usd, uint32_t node) {
  const supple_node *source = &usd->asset->skeleton.nodes[node];
  return source->name[0] ? source->name : usd->asset->meshes[source->mesh].name;
}

static int write_instance(cli_usd *usd, const cli_stage_instance *staged,
                          const cli_usd_binding *bound, const char *root_path) {
  const supple_instance *instance = staged->instance;
  int exit_code = CLI_FINE;
  for (uint32_t p = 0; p < instance->primitive_count && exit_code == CLI_FINE; p++) {
    cli_usd_binding own = *bound;
    own.binding = staged->bindings[p];
    if (!own.binding) continue; /* not skinned: usd_scene.c writes it */
    own.node = instance->node;
    exit_code = cli_usd_write_mesh(usd, instance->primitives[p], mesh_name(usd, instance->node),
                                   root_path, &own);
  }
  return exit_code;
}

/* Each copy of an instance has a skeleton that stands elsewhere: skinned points go where the skeleton is. */
static int write_copies(cli_usd *usd, const cli_stage_instance *staged,
                        const cli_usd_skeleton *skeleton, const char *animation) {
  const supple_instance *instance = staged->instance;
  char root_path[PATH_ROOM], path[PATH_ROOM];
  int exit_code = CLI_FINE;
  snprintf(root_path, sizeof root_path, "/%s", usd->root);
  for (uint32_t c = 0; c < instance->copy_count && exit_code == CLI_FINE; c++) {
    const char *identifier = cli_usd_names_take(usd->names, skeleton->name, "Skeleton");
    if (!identifier) return cli_complain(CLI_FAILED, "out of memory");
    snprintf(path, sizeof path, "/%s/%s", usd->root, identifier);
    exit_code = open_skeleton(usd, skeleton, identifier, NULL, animation, &instance->copies[c]);
    cli_usd_close(&usd->text);
    const cli_usd_binding bound = {.skeleton = skeleton, .path = path, .animation = animation};
    if (exit_code == CLI_FINE) exit_code = write_instance(usd, staged, &bound, root_path);
  }
  return exit_code;
}

/* ---- skins ---- */

/* Instances by skin: those of skin s are list[starts[s]] … list[starts[s + 1] - 1]. */
typedef struct by_skin {
  uint32_t *starts, *list, *nodes;
} by_skin;

static bool sort_instances(const cli_usd *usd, by_skin *sorted) {
  const supple_asset *asset = usd->asset;
  const uint32_t count = asset->instance_count;
  sorted->starts = calloc((size_t)asset->skin_count + 2, sizeof *sorted->starts);
  sorted->list = calloc((size_t)count + 1, sizeof *sorted->list);
  sorted->nodes = calloc((size_t)count + 1, sizeof *sorted->nodes);
  if (!sorted->starts || !sorted->list || !sorted->nodes) return false;
  for (uint32_t i = 0; i < count; i++)
    sorted->starts[asset->instances[i].skin - asset->skins + 2]++;
  for (uint32_t s = 0; s < asset->skin_count; s++) sorted->starts[s + 2] += sorted->starts[s + 1];
  for (uint32_t i = 0; i < count; i++)
    sorted->list[sorted->starts[asset->instances[i].skin - asset->skins + 1]++] = i;
  return true;
}

static void free_sorted(by_skin *sorted) {
  free(sorted->starts);
  free(sorted->list);
  free(sorted->nodes);
}

static int write_skin(cli_usd *usd, uint32_t skin, const by_skin *sorted) {
  const cli_usd_skeleton *skeleton = &usd->skeletons[skin];
  char root_path[PATH_ROOM], path[PATH_ROOM], animation[PATH_ROOM];
  cli_usd_morphs morphs = {sorted->nodes, 0};
  cli_usd_animations animations = {0};
  if (skeleton->joint_count == 0) return CLI_FINE;
  for (uint32_t i = sorted->starts[skin]; i < sorted->starts[skin + 1]; i++) {
    const uint32_t node = usd->asset->instances[sorted->list[i]].node;
    if (has_morphs(usd, node, true)) sorted->nodes[morphs.count++] = node;
  }
  cli_usd_names *names = cli_usd_names_create();
  int exit_code = names ? cli_usd_name_animations(usd, skeleton, &morphs, names, &animations)
                        : cli_complain(CLI_FAILED, "out of memory");
  snprintf(root_path, sizeof root_path, "/%s", usd->root);
  snprintf(path, sizeof path, "/%s/%s", usd->root, skeleton->name);
  if (animations.bound)
    snprintf(animation, sizeof animation, "/%s/%s/%s", usd->root, skeleton->name, animations.bound);
  const cli_usd_binding bound = {
      .skeleton = skeleton, .path = path, .animation = animations.bound ? animation : NULL};
  if (exit_code == CLI_FINE)
    exit_code =
        open_skeleton(usd, skeleton, skeleton->name, skeleton->skin->name, bound.animation, NULL);
  if (exit_code == CLI_FINE) {
    exit_code = cli_usd_write_animations(usd, skeleton, &morphs, &animations);
    cli_usd_close(&usd->text);
  }
  for (uint32_t i = sorted->starts[skin]; i < sorted->starts[skin + 1] && exit_code == CLI_FINE;
       i++) {
    const cli_stage_instance *staged = &usd->stage->instances[sorted->list[i]];
    exit_code = staged->instance->copies ? write_copies(usd, staged, skeleton, bound.animation)
                                         : write_instance(usd, staged, &bound, root_path);
  }
  free(animations.of_clip);
  cli_usd_names_free(names);
  return exit_code;
}

int cli_usd_write_skins(cli_usd *usd) {
  by_skin sorted = {0};
  int exit_code =
      sort_instances(usd, &sorted) ? CLI_FINE : cli_complain(CLI_FAILED, "out of memory");
  for (uint32_t s = 0; s < usd->asset->skin_count && exit_code == CLI_FINE; s++)
    exit_code = cli_output_failed(usd->text.output) ? CLI_FINE : write_skin(usd, s, &sorted);
  free_sorted(&sorted);
  return exit_code;
}

/* ---- meshes without skin ---- */

/* Blend shapes need a skeleton in USD: one of a single joint that never moves. */
static int write_morphing(cli_usd *usd, uint32_t node, const char *path, cli_usd_binding *bound,
                          char **paths) {
  cli_usd_skeleton skeleton;
  cli_usd_animations animations = {0};
  const cli_usd_morphs morphs = {&node, 1};
  cli_usd_names *names = cli_usd_names_create();
  int exit_code = CLI_FAILED;
  const char *identifier = cli_usd_names_take(usd->names, "Morphs", "Morphs");
  const size_t room = strlen(path) + PATH_ROOM;
  *paths = malloc(2 * room);
  if (!cli_usd_skeleton_make(&skeleton, &usd->rig, NULL, true) || !names || !identifier || !*paths)
    goto end;
  supple_pose_rest(usd->pose);
  cli_usd_skeleton_settle(&skeleton, usd->pose);
  if (cli_usd_name_animations(usd, &skeleton, &morphs, names, &animations) != CLI_FINE) goto end;
  snprintf(*paths, room, "%s/%s", path, identifier);
  bound->path = *paths;
  if (animations.bound) {
    bound->animation = *paths + room;
    snprintf(*paths + room, room, "%s/%s/%s", path, identifier, animations.bound);
  }
  exit_code = open_skeleton(usd, &skeleton, identifier, NULL, bound->animation, NULL);
  if (exit_code == CLI_FINE)
    exit_code = cli_usd_write_animations(usd, &skeleton, &morphs, &animations);
  cli_usd_close(&usd->text);
end:
  if (exit_code != CLI_FINE && (!names || !identifier || !*paths))
    cli_complain(CLI_FAILED, "out of memory");
  free(animations.of_clip);
  cli_usd_names_free(names);
  cli_usd_skeleton_clear(&skeleton);
  return exit_code;
}

int cli_usd_write_plain_meshes(cli_usd *usd, uint32_t node, const char *path) {
  const supple_node *source = &usd->asset->skeleton.nodes[node];
  const supple_mesh *mesh = &usd->asset->meshes[source->mesh];
  cli_usd_binding bound = {.node = node};
  char *paths = NULL;
  int exit_code = CLI_FINE;
  const bool morphs = has_morphs(usd, node, false);
  if (morphs) exit_code = write_morphing(usd, node, path, &bound, &paths);
  for (uint32_t p = 0; p < mesh->primitive_count && exit_code == CLI_FINE; p++) {
    const supple_primitive *primitive = &mesh->primitives[p];
    if (cli_usd_is_skinned(source, primitive)) continue;
    const char *name = mesh->name[0] ? mesh->name : source->name;
    exit_code = cli_usd_write_mesh(usd, primitive, name, path,
                                   morphs && primitive->target_count ? &bound : NULL);
  }
  free(paths);
  return exit_code;
}
