/* usd_skeleton.c: a skin as a UsdSkel skeleton. */
#include "usd_skeleton.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double close_enough = 1e-6; /* as a share: what counts as equal, orthogonal, uniform */

/* ---- what all skeletons share ---- */

bool cli_usd_rig_make(cli_usd_rig *rig, const supple_asset *asset) {
  const supple_skeleton *skeleton = &asset->skeleton;
  const size_t nodes = (size_t)skeleton->node_count + 1;
  memset(rig, 0, sizeof *rig);
  rig->asset = asset;
  rig->positions = calloc(nodes, sizeof *rig->positions);
  rig->animated = calloc(nodes, sizeof *rig->animated);
  rig->joints = calloc(nodes, sizeof *rig->joints);
  rig->folds = calloc(nodes, sizeof *rig->folds);
  if (!rig->positions || !rig->animated || !rig->joints || !rig->folds) return false;
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    rig->positions[skeleton->order[i]] = i;
    rig->joints[i] = SUPPLE_NONE;
  }
  for (uint32_t c = 0; c < asset->clip_count; c++)
    for (uint32_t k = 0; k < asset->clips[c].channel_count; k++) {
      const supple_channel *channel = &asset->clips[c].channels[k];
      if (channel->path != SUPPLE_PATH_WEIGHTS) rig->animated[channel->node] = 1;
    }
  return true;
}

void cli_usd_rig_clear(cli_usd_rig *rig) {
  free(rig->positions);
  free(rig->animated);
  free(rig->joints);
  free(rig->folds);
  memset(rig, 0, sizeof *rig);
}

/* ---- small mathematics ---- */

double cli_usd_half(double value) {
  const double size = fabs(value);
  if (!(size < 65520)) return value < 0 ? -(double)INFINITY : (double)INFINITY;
  int exponent;
  frexp(size, &exponent); /* size = m · 2^exponent, ½ <= m < 1: eleven bits of m are kept */
  if (exponent < -13) exponent = -13; /* subnormal */
  const double unit = ldexp(1.0, exponent - 11);
  double count = floor(size / unit);
  const double rest = size / unit - count;
  if (rest > 0.5 || (rest == 0.5 && fmod(count, 2) != 0)) count += 1;
  return value < 0 ? -(count * unit) : count * unit;
}

static supple_affine64 affine_of(const supple_mat3 *linear, supple_vec3 translation) {
  supple_affine64 affine;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) affine.m[r][c] = linear->m[r][c];
  affine.m[0][3] = translation.x, affine.m[1][3] = translation.y, affine.m[2][3] = translation.z;
  return affine;
}

static supple_mat3 scale_of(double scale) {
  return (supple_mat3){{{scale, 0, 0}, {0, scale, 0}, {0, 0, scale}}};
}

static supple_affine64 rest_of(const supple_node *node) {
  return node->has_matrix ? node->matrix : supple_transform_to_affine(&node->rest);
}

static bool is_similarity(const supple_affine64 *matrix, supple_split *split) {
  if (!supple_affine64_is_finite(matrix)) return false;
  *split = supple_split_polar(matrix, NULL, false);
  return split->rank == 3 && split->residual <= close_enough * fabs(split->scale);
}

/* ---- which nodes are joints ---- */

typedef struct gathered {
  uint32_t *nodes;
  uint32_t count;
  size_t capacity;
} gathered;

static bool gather(gathered *list, uint32_t node) {
  if (list->count == list->capacity) {
    const size_t capacity = list->capacity ? 2 * list->capacity : 64;
    uint32_t *nodes = realloc(list->nodes, capacity * sizeof *nodes);
    if (!nodes) return false;
    list->nodes = nodes;
    list->capacity = capacity;
  }
  list->nodes[list->count++] = node;
  return true;
}

enum { PASSED = UINT32_MAX - 1 }; /* in rig->joints: an ancestor that was met */

/* The joints and all their ancestors, each once. */
static bool gather_nodes(cli_usd_rig *rig, const supple_skin *skin, gathered *list) {
  for (uint32_t k = 0; k < skin->joint_count; k++) {
    uint32_t node = skin->joints[k];
    while (node != SUPPLE_NONE && rig->joints[node] == SUPPLE_NONE) {
      if (!gather(list, node)) return false;
      rig->joints[node] = (uint32_t)PASSED;
      node = rig->asset->skeleton.nodes[node].parent;
    }
  }
  return true;
}

/* Sorted by their place in the hierarchy: parents first. */
static void sort_by_position(uint32_t *nodes, uint32_t count, const uint32_t *positions,
                             const uint32_t *order) {
  for (uint32_t i = 0; i < count; i++) nodes[i] = positions[nodes[i]];
  /* heapsort of plain numbers: no comparison function that would need the positions */
  for (uint32_t end = count, start = count / 2; end > 1;) {
    if (start > 0) {
      start--;
    } else {
      end--;
      const uint32_t largest = nodes[0];
      nodes[0] = nodes[end];
      nodes[end] = largest;
    }
    for (uint32_t root = start, child; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && nodes[child] < nodes[child + 1]) child++;
      if (nodes[root] >= nodes[child]) break;
      const uint32_t held = nodes[root];
      nodes[root] = nodes[child];
      nodes[child] = held;
    }
  }
  for (uint32_t i = 0; i < count; i++) nodes[i] = order[nodes[i]];
}

static void add_joint(cli_usd_skeleton *skeleton, const cli_usd_rig *rig, uint32_t node,
                      uint32_t slot) {
  const uint32_t above = node == SUPPLE_NONE ? SUPPLE_NONE : rig->asset->skeleton.nodes[node].parent;
  cli_usd_joint *joint = &skeleton->joints[skeleton->joint_count++];
  memset(joint, 0, sizeof *joint);
  joint->node = node;
  joint->slot = slot;
  joint->parent = SUPPLE_NONE;
  joint->above = supple_affine64_identity();
  joint->above_rotation = supple_quat_identity();
  joint->above_scale = 1;
  joint->constant = joint->uniform = joint->decomposes = joint->fits = true;
  joint->gauge = joint->gauge_inverse = joint->linear = supple_mat3_identity();
  joint->gauge_is_scale = true;
  joint->gauge_scale = 1;
  joint->box = supple_bounds_of((supple_stream){NULL, 0}, 0);
  if (above == SUPPLE_NONE) return;
  joint->parent = rig->joints[above]; /* its own joint, or what a folded one passes on */
  joint->above = rig->folds[above];
  const supple_split split = supple_split_polar(&joint->above, NULL, false);
  joint->above_rotation = split.rotation;
  joint->above_scale = split.scale;
}

/* Each node becomes a joint, or is folded: then rig->joints and folds say what lies above those below it. with_rest:
 * one that never moves comes first, above all others. */
static bool add_joints(cli_usd_skeleton *skeleton, cli_usd_rig *rig, const gathered *list,
                       bool with_rest) {
  const supple_skin *skin = skeleton->skin;
  uint32_t *slots = malloc(((size_t)list->count + 1) * sizeof *slots);
  if (!slots) return false;
  /* list->nodes is sorted; a node's number in it finds its slot */
  for (uint32_t i = 0; i < list->count; i++) {
    rig->joints[list->nodes[i]] = i;
    slots[i] = SUPPLE_NONE;
  }
  for (uint32_t k = 0; k < skin->joint_count; k++) slots[rig->joints[skin->joints[k]]] = k;
  if (with_rest) add_joint(skeleton, rig, SUPPLE_NONE, SUPPLE_NONE);
  for (uint32_t i = 0; i < list->count; i++) {
    const uint32_t node = list->nodes[i];
    const supple_node *source = &rig->asset->skeleton.nodes[node];
    const supple_affine64 rest = rest_of(source);
    supple_split split;
    if (slots[i] != SUPPLE_NONE || rig->animated[node] || !is_similarity(&rest, &split)) {
      add_joint(skeleton, rig, node, slots[i]);
      rig->joints[node] = skeleton->joint_count - 1;
      rig->folds[node] = supple_affine64_identity();
      if (slots[i] != SUPPLE_NONE) skeleton->of_slot[slots[i]] = rig->joints[node];
    } else {
      const uint32_t above = source->parent;
      rig->joints[node] = above == SUPPLE_NONE ? SUPPLE_NONE : rig->joints[above];
      rig->folds[node] =
          above == SUPPLE_NONE ? rest : supple_affine64_multiply(&rig->folds[above], &rest);
    }
  }
  free(slots);
  skeleton->rest_joint = with_rest ? 0 : SUPPLE_NONE;
  for (uint32_t j = 1; j < skeleton->joint_count && with_rest; j++)
    if (skeleton->joints[j].parent == SUPPLE_NONE) skeleton->joints[j].parent = 0;
  return true;
}

static uint32_t roots_of(const cli_usd_skeleton *skeleton) {
  uint32_t count = 0;
  for (uint32_t j = 0; j < skeleton->joint_count; j++)
    if (skeleton->joints[j].parent == SUPPLE_NONE) count++;
  return count;
}

/* ---- names ---- */

enum { PATHS_MOST = 1 << 26 };

static bool name_joints(cli_usd_skeleton *skeleton, const supple_asset *asset) {
  size_t total = 0;
  size_t *lengths = malloc(((size_t)skeleton->joint_count + 1) * sizeof *lengths);
  skeleton->names = cli_usd_names_create();
  bool fine = lengths && skeleton->names;
  for (uint32_t j = 0; fine && j < skeleton->joint_count && total < PATHS_MOST; j++) {
    cli_usd_joint *joint = &skeleton->joints[j];
    const char *wanted =
        joint->node == SUPPLE_NONE ? "skeleton_root" : asset->skeleton.nodes[joint->node].name;
    joint->name = cli_usd_names_take_numbered(
        skeleton->names, wanted, "joint", joint->slot != SUPPLE_NONE ? joint->slot : joint->node);
    fine = joint->name != NULL;
    if (!fine) break;
    lengths[j] = strlen(joint->name) + 1;
    if (joint->parent != SUPPLE_NONE) lengths[j] += lengths[joint->parent];
    total += lengths[j];
  }
  if (fine && total < PATHS_MOST) skeleton->paths = malloc(total + 1);
  if (fine && total >= PATHS_MOST) {
    cli_complain(CLI_FAILED,
                 "the skeleton is too deep for USD, which names all joints above a joint: the "
                 "names would take %d MB",
                 (int)(PATHS_MOST >> 20));
    free(lengths);
    return false;
  }
  fine = fine && skeleton->paths;
  char *at = skeleton->paths;
  for (uint32_t j = 0; fine && j < skeleton->joint_count; j++) {
    cli_usd_joint *joint = &skeleton->joints[j];
    char *path = at;
    if (joint->parent != SUPPLE_NONE) {
      const size_t length = lengths[joint->parent] - 1;
      memcpy(at, skeleton->joints[joint->parent].path, length);
      at += length;
      *at++ = '/';
    }
    const size_t size = strlen(joint->name) + 1;
    memcpy(at, joint->name, size);
    at += size;
    joint->path = path;
  }
  free(lengths);
  if (!fine) cli_complain(CLI_FAILED, "out of memory");
  return fine;
}

bool cli_usd_skeleton_make(cli_usd_skeleton *skeleton, cli_usd_rig *rig, const supple_skin *skin,
                           bool with_rest) {
  gathered list = {0};
  memset(skeleton, 0, sizeof *skeleton);
  skeleton->skin = skin;
  skeleton->rest_joint = skin ? SUPPLE_NONE : 0;
  skeleton->loss.joint = skeleton->loss.clip = SUPPLE_NONE;
  skeleton->loss.box = supple_bounds_of((supple_stream){NULL, 0}, 0);
  bool fine = !skin || gather_nodes(rig, skin, &list);
  const size_t most = (size_t)list.count + 1;
  skeleton->joints = fine ? calloc(most, sizeof *skeleton->joints) : NULL;
  skeleton->worlds = fine ? calloc(most, sizeof *skeleton->worlds) : NULL;
  skeleton->of_slot = calloc(skin ? (size_t)skin->joint_count + 1 : 1, sizeof *skeleton->of_slot);
  fine = fine && skeleton->joints && skeleton->worlds && skeleton->of_slot;
  if (fine && skin) {
    sort_by_position(list.nodes, list.count, rig->positions, rig->asset->skeleton.order);
    fine = add_joints(skeleton, rig, &list, with_rest);
  }
  if (fine && skin && !with_rest && roots_of(skeleton) > 1) { /* some programs want one root */
    skeleton->joint_count = 0;
    fine = add_joints(skeleton, rig, &list, true);
  }
  for (uint32_t i = 0; i < list.count; i++) rig->joints[list.nodes[i]] = SUPPLE_NONE;
  free(list.nodes);
  if (!fine) {
    cli_complain(CLI_FAILED, "out of memory");
    return false;
  }
  if (!skin) add_joint(skeleton, rig, SUPPLE_NONE, SUPPLE_NONE);
  return name_joints(skeleton, rig->asset);
}

void cli_usd_skeleton_clear(cli_usd_skeleton *skeleton) {
  free(skeleton->joints);
  free(skeleton->worlds);
  free(skeleton->of_slot);
  free(skeleton->paths);
  cli_usd_names_free(skeleton->names);
  memset(skeleton, 0, sizeof *skeleton);
}

void cli_usd_skeleton_enter(const cli_usd_skeleton *skeleton, cli_usd_rig *rig) {
  for (uint32_t j = 0; j < skeleton->joint_count; j++)
    if (skeleton->joints[j].node != SUPPLE_NONE) rig->joints[skeleton->joints[j].node] = j;
}

void cli_usd_skeleton_leave(const cli_usd_skeleton *skeleton, cli_usd_rig *rig) {
  for (uint32_t j = 0; j < skeleton->joint_count; j++)
    if (skeleton->joints[j].node != SUPPLE_NONE)
      rig->joints[skeleton->joints[j].node] = SUPPLE_NONE;
}

/* ---- what a joint does ---- */

static const supple_mat3 *gauge_above(const cli_usd_skeleton *skeleton, const cli_usd_joint *joint,
                                      bool *is_scale, double *scale, supple_mat3 *identity) {
  *identity = supple_mat3_identity();
  *is_scale = true;
  *scale = 1;
  if (joint->parent == SUPPLE_NONE) return identity;
  const cli_usd_joint *parent = &skeleton->joints[joint->parent];
  *is_scale = parent->gauge_is_scale;
  *scale = parent->gauge_scale;
  return &parent->gauge_inverse;
}

static supple_affine64 local_of(const supple_pose *pose, uint32_t node) {
  return pose->use_matrix[node] ? pose->skeleton->nodes[node].matrix
                                : supple_transform_to_affine(&pose->locals[node]);
}

supple_affine64 cli_usd_joint_matrix(const cli_usd_skeleton *skeleton, const supple_pose *pose,
                                     uint32_t index) {
  const cli_usd_joint *joint = &skeleton->joints[index];
  if (joint->node == SUPPLE_NONE) return supple_affine64_identity();
  bool is_scale;
  double scale;
  supple_mat3 identity;
  const supple_mat3 *parent = gauge_above(skeleton, joint, &is_scale, &scale, &identity);
  const supple_vec3 none = supple_vec3_make(0, 0, 0);
  const supple_affine64 before = affine_of(parent, none), after = affine_of(&joint->gauge, none);
  supple_affine64 matrix = local_of(pose, joint->node);
  matrix = supple_affine64_multiply(&joint->above, &matrix);
  matrix = supple_affine64_multiply(&before, &matrix);
  return supple_affine64_multiply(&matrix, &after);
}

bool cli_usd_joint_local(const cli_usd_skeleton *skeleton, const supple_pose *pose, uint32_t index,
                         supple_transform *local) {
  const cli_usd_joint *joint = &skeleton->joints[index];
  *local = supple_transform_identity();
  if (joint->node == SUPPLE_NONE) return true;
  bool is_scale;
  double scale;
  supple_mat3 identity;
  gauge_above(skeleton, joint, &is_scale, &scale, &identity);
  if (!pose->use_matrix[joint->node] && is_scale && joint->gauge_is_scale) {
    /* factor by factor: a decomposition could put signs elsewhere from one sample to the next */
    const supple_transform *own = &pose->locals[joint->node];
    local->translation = supple_vec3_scale(
        supple_affine64_transform_point(&joint->above, own->translation), 1 / scale);
    local->rotation =
        supple_quat_multiply(joint->above_rotation, supple_quat_normalise(own->rotation));
    local->scale = supple_vec3_scale(own->scale, joint->above_scale * joint->gauge_scale / scale);
    return true;
  }
  const supple_affine64 matrix = cli_usd_joint_matrix(skeleton, pose, index);
  return supple_transform_from_affine(&matrix, 0, local);
}

/* ---- looking and settling ---- */

static double largest_of(supple_vec3 v) { return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z))); }

static bool half_holds(double value) {
  return fabs(cli_usd_half(value) - value) <= close_enough * fabs(value);
}

static bool same_linear(const supple_mat3 *a, const supple_mat3 *b) {
  double size = 0, off = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      size = fmax(size, fabs(a->m[r][c]));
      off = fmax(off, fabs(a->m[r][c] - b->m[r][c]));
    }
  return off <= close_enough * size;
}

void cli_usd_skeleton_look(cli_usd_skeleton *skeleton, const cli_usd_rig *rig,
                           const supple_pose *pose) {
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    cli_usd_joint *joint = &skeleton->joints[j];
    if (joint->node == SUPPLE_NONE || (joint->seen && !rig->animated[joint->node])) continue;
    supple_transform local;
    if (!cli_usd_joint_local(skeleton, pose, j, &local)) joint->decomposes = false;
    const supple_affine64 matrix = cli_usd_joint_matrix(skeleton, pose, j);
    const supple_mat3 linear = supple_affine64_linear(&matrix);
    const supple_vec3 s = local.scale;
    const double largest = largest_of(s);
    if (!joint->seen) joint->linear = linear;
    if (joint->seen && !same_linear(&joint->linear, &linear)) joint->constant = false;
    if (fabs(s.x - s.y) > close_enough * largest || fabs(s.x - s.z) > close_enough * largest)
      joint->uniform = false;
    if (!half_holds(s.x) || !half_holds(s.y) || !half_holds(s.z)) joint->fits = false;
    joint->largest = fmax(joint->largest, largest);
    joint->seen = true;
  }
}

static void set_gauge(cli_usd_joint *joint, const supple_mat3 *gauge, const supple_mat3 *inverse) {
  joint->gauge = *gauge;
  joint->gauge_inverse = *inverse;
  joint->gauge_is_scale = false;
}

static void set_gauge_scale(cli_usd_joint *joint, double scale) {
  joint->gauge_scale = scale;
  joint->gauge_is_scale = true;
  joint->gauge = scale_of(scale);
  joint->gauge_inverse = scale_of(1 / scale);
}

/* G = L^-1 R with R the rotation in L = parent's G^-1 · linear: what is left is R. False where L is singular. */
static bool take_all_out(cli_usd_joint *joint, const supple_mat3 *gauge_above_inverse) {
  const supple_vec3 none = supple_vec3_make(0, 0, 0);
  const supple_mat3 linear = supple_mat3_multiply(gauge_above_inverse, &joint->linear);
  const supple_affine64 all = affine_of(&linear, none);
  const supple_split split = supple_split_polar(&all, NULL, false);
  const supple_mat3 rotation = supple_mat3_from_quat(split.rotation);
  const supple_affine64 turn = affine_of(&rotation, none);
  supple_affine64 inverse, gauge;
  if (!supple_affine64_inverse(&all, &inverse)) return false;
  gauge = supple_affine64_multiply(&inverse, &turn);
  if (!supple_affine64_inverse(&gauge, &inverse)) return false;
  const supple_mat3 g = supple_affine64_linear(&gauge), g_inverse = supple_affine64_linear(&inverse);
  set_gauge(joint, &g, &g_inverse);
  return true;
}

static void settle_gauge(cli_usd_skeleton *skeleton, cli_usd_joint *joint, bool all_below_constant) {
  bool is_scale;
  double scale;
  supple_mat3 identity;
  const supple_mat3 *above = gauge_above(skeleton, joint, &is_scale, &scale, &identity);
  if (joint->node == SUPPLE_NONE) return;
  if (!is_scale) { /* then all below are constant and regular */
    if (!take_all_out(joint, above)) set_gauge_scale(joint, 1);
    return;
  }
  if (joint->fits && joint->decomposes) {
    set_gauge_scale(joint, scale);
    return;
  }
  if (all_below_constant && !(joint->uniform && joint->decomposes) && take_all_out(joint, above))
    return;
  set_gauge_scale(joint, joint->largest > 0 && !joint->fits ? scale / joint->largest : scale);
}

static void settle_bind(cli_usd_skeleton *skeleton, cli_usd_joint *joint, const supple_pose *rest) {
  const supple_vec3 none = supple_vec3_make(0, 0, 0);
  const supple_affine64 gauge = affine_of(&joint->gauge, none);
  joint->bind = supple_affine64_identity();
  if (joint->slot != SUPPLE_NONE) {
    if (!supple_affine64_inverse(&skeleton->skin->inverse_binds[joint->slot], &joint->bind)) {
      joint->bind = rest->worlds[joint->node];
      skeleton->loss.singular++;
    }
  } else if (joint->node != SUPPLE_NONE) {
    joint->bind = rest->worlds[joint->node];
  }
  joint->bind = supple_affine64_multiply(&joint->bind, &gauge);
  if (supple_affine64_inverse(&joint->bind, &joint->inverse_bind)) return;
  joint->bind = joint->inverse_bind = supple_affine64_identity();
}

void cli_usd_skeleton_settle(cli_usd_skeleton *skeleton, const supple_pose *rest) {
  /* `seen` is done with; from here on it says: everything from this joint down is constant and regular */
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    cli_usd_joint *joint = &skeleton->joints[j];
    const supple_affine64 linear = affine_of(&joint->linear, supple_vec3_make(0, 0, 0));
    supple_affine64 inverse;
    joint->seen = joint->constant && supple_affine64_inverse(&linear, &inverse);
  }
  for (uint32_t j = skeleton->joint_count; j-- > 0;)
    if (!skeleton->joints[j].seen && skeleton->joints[j].parent != SUPPLE_NONE)
      skeleton->joints[skeleton->joints[j].parent].seen = false;
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    cli_usd_joint *joint = &skeleton->joints[j];
    settle_gauge(skeleton, joint, joint->seen);
    settle_bind(skeleton, joint, rest);
    if (!joint->gauge_is_scale) continue;
    if (!joint->decomposes) skeleton->loss.sheared++;
    if (!joint->fits && !(joint->uniform && joint->constant)) skeleton->loss.rounded++;
  }
}

/* ---- how far off ---- */

void cli_usd_skeleton_add(cli_usd_skeleton *skeleton, const supple_primitive *primitive,
                          const supple_binding *binding) {
  for (uint32_t v = 0; v < primitive->vertex_count; v++) {
    const uint16_t *joints;
    const float *weights;
    const uint32_t count = supple_binding_influences(binding, v, &joints, &weights);
    const supple_bounds point =
        supple_bounds_of((supple_stream){primitive->positions + 3 * (size_t)v, 12}, 1);
    for (uint32_t i = 0; i < count; i++) {
      cli_usd_joint *joint = &skeleton->joints[skeleton->of_slot[joints[i]]];
      joint->box = supple_bounds_join(joint->box, point);
    }
  }
}

/* A transform as USD holds it. */
static supple_affine64 written(const supple_transform *local) {
  supple_transform held = *local;
  held.translation =
      supple_vec3_make((double)(float)local->translation.x, (double)(float)local->translation.y,
                       (double)(float)local->translation.z);
  held.rotation =
      supple_quat_make((double)(float)local->rotation.x, (double)(float)local->rotation.y,
                       (double)(float)local->rotation.z, (double)(float)local->rotation.w);
  held.scale = supple_vec3_make(cli_usd_half(local->scale.x), cli_usd_half(local->scale.y),
                                cli_usd_half(local->scale.z));
  return supple_transform_to_affine(&held);
}

/* The difference of two affine maps is largest in a corner of a box. */
static double difference_in_box(const supple_affine64 *a, const supple_affine64 *b,
                                const supple_bounds *box, supple_bounds *where) {
  double largest = 0;
  for (int corner = 0; corner < 8; corner++) {
    const supple_vec3 point = supple_vec3_make((double)(corner & 1 ? box->max : box->min)[0],
                                               (double)(corner & 2 ? box->max : box->min)[1],
                                               (double)(corner & 4 ? box->max : box->min)[2]);
    const supple_vec3 p = supple_affine64_transform_point(a, point);
    const supple_vec3 q = supple_affine64_transform_point(b, point);
    const float place[3] = {(float)p.x, (float)p.y, (float)p.z};
    *where = supple_bounds_join(*where, supple_bounds_of((supple_stream){place, 12}, 1));
    largest = fmax(largest, supple_vec3_length(supple_vec3_subtract(p, q)));
  }
  return largest;
}

void cli_usd_skeleton_compare(cli_usd_skeleton *skeleton, const supple_pose *pose, uint32_t clip,
                              double seconds) {
  for (uint32_t j = 0; j < skeleton->joint_count; j++) {
    const cli_usd_joint *joint = &skeleton->joints[j];
    supple_transform local;
    cli_usd_joint_local(skeleton, pose, j, &local);
    skeleton->worlds[j] = written(&local);
    if (joint->parent != SUPPLE_NONE)
      skeleton->worlds[j] =
          supple_affine64_multiply(&skeleton->worlds[joint->parent], &skeleton->worlds[j]);
    if (joint->slot == SUPPLE_NONE || !(joint->box.min[0] <= joint->box.max[0])) continue;
    const supple_affine64 wanted = supple_affine64_multiply(
        &pose->worlds[joint->node], &skeleton->skin->inverse_binds[joint->slot]);
    const supple_affine64 got = supple_affine64_multiply(&skeleton->worlds[j], &joint->inverse_bind);
    supple_bounds ignored = skeleton->loss.box;
    const double distance = difference_in_box(&wanted, &got, &joint->box,
                                              clip == SUPPLE_NONE ? &skeleton->loss.box : &ignored);
    if (!(distance > skeleton->loss.distance)) continue;
    skeleton->loss.distance = distance;
    skeleton->loss.joint = j;
    skeleton->loss.clip = clip;
    skeleton->loss.seconds = seconds;
  }
}
