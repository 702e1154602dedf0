/* practice_joints.c: joints whose matrices are no rigid motions, worlds that shear, joints that are not where they
 * were bound. */
#include "../base/prologue.h"

#include "practice.h"

#include <math.h>
#include <stdio.h>

enum { SHEARED = 1 << SUPPLEI_TROUBLE_COUNT, CANDIDATES = 64 };
/* A scale, or a quotient of two, is told from 1 beyond this; a cosine from 0 beyond a tenth of it. */
static const double SCALE_TOLERANCE = 1e-3, SINGULAR = 1e-6;

/* ---- one matrix ---- */

typedef struct columns {
  double squares[3], cosines[3]; /* cosines between x y, x z, y z; 0 where one vanishes */
  double largest, smallest;      /* of the lengths */
} columns;

static columns columns_of(const supple_mat3 *linear) {
  columns out = {.smallest = HUGE_VAL};
  for (int a = 0; a < 3; a++) {
    for (int r = 0; r < 3; r++) out.squares[a] += linear->m[r][a] * linear->m[r][a];
    out.largest = fmax(out.largest, sqrt(out.squares[a]));
    out.smallest = fmin(out.smallest, sqrt(out.squares[a]));
  }
  for (int k = 0; k < 3; k++) {
    int a = k < 2 ? 0 : 1, b = k ? 2 : 1;
    double dot = 0, size = sqrt(out.squares[a]) * sqrt(out.squares[b]);
    for (int r = 0; r < 3; r++) dot += linear->m[r][a] * linear->m[r][b];
    if (size > SINGULAR * out.largest * out.largest) out.cosines[k] = dot / size;
  }
  return out;
}

static double largest_cosine(const columns *c) {
  return fmax(fabs(c->cosines[0]), fmax(fabs(c->cosines[1]), fabs(c->cosines[2])));
}

static void mark(supplei_skin_use *use, uint32_t joint, supplei_trouble trouble, double size,
                 const supplei_frame *frame) {
  use->troubles[joint] = (uint8_t)(use->troubles[joint] | 1u << trouble);
  /* the first of those that differ by rounding alone */
  if (size > use->worst[trouble].metres * (1 + SCALE_TOLERANCE))
    supplei_worst_offer(&use->worst[trouble], size, frame, joint);
}

/* Whether it is scaled: a similarity of another scale than 1. */
static bool judge_matrix(supplei_skin_use *use, uint32_t joint, const supplei_frame *frame) {
  const supple_affine64 matrix = supple_affine_to_double(&use->palette->matrices[joint]);
  supple_mat3 linear = supple_affine64_linear(&matrix), u, v;
  columns c = columns_of(&linear);
  double values[3];
  if (!supple_affine64_is_finite(&matrix)) return false;
  if (supple_mat3_determinant(&linear) < 0) mark(use, joint, SUPPLEI_TROUBLE_MIRRORED, 1, frame);
  if (c.largest <= c.smallest * (1 + SCALE_TOLERANCE) && largest_cosine(&c) <= SCALE_TOLERANCE &&
      c.smallest > 0) {
    double scale = (c.largest + c.smallest) / 2;
    if (fabs(scale - 1) <= SCALE_TOLERANCE) return false;
    mark(use, joint, SUPPLEI_TROUBLE_SCALED, scale > 1 ? scale : 1 / scale, frame);
    use->least_scale = fmin(use->least_scale, scale);
    use->most_scale = fmax(use->most_scale, scale);
    return true;
  }
  supple_mat3_svd(&linear, &u, values, &v);
  if (!(values[2] > SINGULAR * values[0]))
    mark(use, joint, SUPPLEI_TROUBLE_SINGULAR, 1, frame);
  else if (values[0] > values[2] * (1 + SCALE_TOLERANCE))
    mark(use, joint, SUPPLEI_TROUBLE_STRETCHED, values[0] / values[2], frame);
  return false;
}

static void judge_world(supplei_skin_use *use, uint32_t joint, const supple_pose *pose) {
  const supple_affine64 *world = &pose->worlds[use->instance->skin->joints[joint]];
  supple_mat3 linear = supple_affine64_linear(world);
  if (!supple_affine64_is_finite(world)) return;
  columns c = columns_of(&linear);
  double cosine = largest_cosine(&c);
  if (!(cosine > SCALE_TOLERANCE / 10)) return;
  use->troubles[joint] |= SHEARED;
  use->sheared = true;
  use->shear_angle = fmax(use->shear_angle, cosine);
}

void supplei_joints_look(supplei_practice *practice, const supple_pose *pose,
                         const supplei_frame *frame) {
  for (uint32_t s = 0; s < practice->asset->skin_count; s++) {
    supplei_skin_use *use = &practice->skins[s];
    uint32_t scaled = 0;
    if (!use->instance) continue;
    supple_palette_compose(use->palette, pose, use->instance);
    use->sheared = false;
    for (uint32_t k = 0; k < use->palette->joint_count; k++) {
      if (!use->used[k]) continue;
      scaled += judge_matrix(use, k, frame);
      judge_world(use, k, pose);
    }
    if (scaled > use->most_at_once) use->most_at_once = scaled;
  }
}

/* ---- without shear ---- */

void supplei_joints_flatten(const supple_pose *pose, supple_pose *flat) {
  const supple_skeleton *skeleton = pose->skeleton;
  for (uint32_t i = 0; i < skeleton->node_count; i++) {
    uint32_t node = skeleton->order[i], parent = skeleton->nodes[node].parent;
    supple_affine64 world = pose->use_matrix[node] ? skeleton->nodes[node].matrix
                                                   : supple_transform_to_affine(&pose->locals[node]);
    supple_transform nearest;
    if (parent != SUPPLE_NONE) world = supple_affine64_multiply(&flat->worlds[parent], &world);
    if (!supple_transform_from_affine(&world, 0, &nearest))
      world = supple_transform_to_affine(&nearest);
    flat->worlds[node] = world;
    flat->rotations[node] = pose->rotations[node];
    flat->mirrored[node] = pose->mirrored[node];
  }
}

/* ---- where they were bound ---- */

/* Whether two matrices move all of a box alike, within a ten-thousandth of its size. */
static bool move_alike(const supple_affine *a, const supple_affine *b, supple_vec3 centre,
                       double half) {
  double squares = 0, way = 0, size = 0;
  for (int r = 0; r < 3; r++) {
    double at_centre = (double)a->m[r][3] - (double)b->m[r][3];
    for (int c = 0; c < 3; c++) {
      double d = (double)a->m[r][c] - (double)b->m[r][c];
      at_centre += d * (c == 0 ? centre.x : c == 1 ? centre.y : centre.z);
      squares += d * d;
      size += (double)a->m[r][c] * (double)a->m[r][c];
    }
    way += at_centre * at_centre;
  }
  return sqrt(way) + sqrt(squares) * half <= 1e-4 * sqrt(size) * half;
}

uint32_t supplei_joints_common(const supplei_skin_use *use, const supple_bounds *box,
                               uint32_t *others) {
  const supple_palette *palette = use->palette;
  double centre[3], half = 0;
  for (int c = 0; c < 3; c++) {
    double least = (double)box->min[c], most = (double)box->max[c];
    centre[c] = (least + most) / 2;
    half += (most - least) * (most - least) / 4;
  }
  half = sqrt(half);
  supple_vec3 middle = supple_vec3_make(centre[0], centre[1], centre[2]);
  uint32_t best = SUPPLE_NONE, most = 0, step = use->used_count / CANDIDATES + 1, seen = 0;
  for (uint32_t k = 0; k < palette->joint_count; k++) {
    uint32_t alike = 0;
    if (!use->used[k] || seen++ % step) continue;
    for (uint32_t i = 0; i < palette->joint_count; i++)
      alike +=
          use->used[i] && move_alike(&palette->matrices[k], &palette->matrices[i], middle, half);
    if (best == SUPPLE_NONE || alike > most) best = k, most = alike;
  }
  *others = use->used_count - most;
  return best;
}

/* ---- findings ---- */

static uint32_t count_marks(const supplei_skin_use *use, unsigned bit) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < use->instance->skin->joint_count; k++)
    count += (use->troubles[k] & bit) != 0;
  return count;
}

/* The size of the trouble at its worst joint: "by 0.01". */
static void describe(const supplei_skin_use *use, supplei_trouble trouble, uint32_t count,
                     char words[2 * SUPPLEI_WORDS]) {
  char least[SUPPLEI_WORDS], most[SUPPLEI_WORDS];
  bool same = use->most_scale - use->least_scale <= SCALE_TOLERANCE * use->most_scale;
  size_t size = 2 * (size_t)SUPPLEI_WORDS;
  switch (trouble) {
  case SUPPLEI_TROUBLE_SCALED:
    supplei_practice_number(use->least_scale, 4, least);
    supplei_practice_number(use->most_scale, 4, most);
    if (same && count == use->used_count && use->most_at_once == count)
      snprintf(words, size, "are scaled, all of them always by %.40s:", least);
    else
      snprintf(words, size, "are scaled, by %.40s … %.40s, most", least, most);
    break;
  case SUPPLEI_TROUBLE_STRETCHED:
    snprintf(words, size, "are scaled unevenly, one axis by up to %s times another,",
             supplei_practice_number(use->worst[trouble].metres, 4, least));
    break;
  case SUPPLEI_TROUBLE_MIRRORED: snprintf(words, size, "are mirrored, first"); break;
  default: snprintf(words, size, "are scaled to nothing along an axis, first"); break;
  }
}

static void tell(supplei_practice *practice, const supplei_skin_use *use, supplei_trouble trouble,
                 double metres) {
  static const supplei_code codes[SUPPLEI_TROUBLE_COUNT] = {
      SUPPLEI_CODE_SKINNING_JOINTS_SCALED, SUPPLEI_CODE_SKINNING_JOINTS_STRETCHED,
      SUPPLEI_CODE_SKINNING_JOINTS_MIRRORED, SUPPLEI_CODE_SKINNING_JOINTS_SINGULAR};
  const supple_skin *skin = use->instance->skin;
  const supplei_worst *worst = &use->worst[trouble];
  uint32_t count = count_marks(use, 1u << trouble);
  char pointer[64], how[2 * SUPPLEI_WORDS], name[SUPPLEI_WORDS], when[SUPPLEI_WORDS];
  char way[SUPPLEI_WORDS];
  bool told = fabs(metres) < HUGE_VAL;
  if (!count) return;
  describe(use, trouble, count, how);
  snprintf(pointer, sizeof pointer, "/skins/%u", (unsigned)skin->index);
  supplei_practice_metres(metres, way);
  supplei_check_found(practice->check, codes[trouble], pointer, (supplei_extent){count, metres},
                      "%u of %u joints in use %s %s, %s%s%s%s", (unsigned)count,
                      (unsigned)use->used_count, how,
                      supplei_practice_node(practice->asset, skin->joints[worst->index], name),
                      supplei_practice_when(practice->asset, worst, when),
                      told ? "; dual quaternions of their turns alone put a vertex " : "",
                      told ? way : "", told ? " away there" : "");
}

static void tell_shear(supplei_practice *practice, const supplei_skin_use *use) {
  char pointer[64], way[SUPPLEI_WORDS], when[SUPPLEI_WORDS], angle[SUPPLEI_WORDS];
  snprintf(pointer, sizeof pointer, "/skins/%u", (unsigned)use->instance->skin->index);
  double degrees = 90 - supple_acos(use->shear_angle) * 180 / SUPPLE_PI;
  supplei_check_found(practice->check, SUPPLEI_CODE_SKINNING_WORLD_SHEARED, pointer,
                      (supplei_extent){count_marks(use, SHEARED), use->shear.metres},
                      "the world transforms of %u of %u joints in use shear, by up to %s°; "
                      "dropping that on the way down moves "
                      "vertices by up to %s, %s",
                      (unsigned)count_marks(use, SHEARED), (unsigned)use->used_count,
                      supplei_practice_number(degrees, 3, angle),
                      supplei_practice_metres(use->shear.metres, way),
                      supplei_practice_when(practice->asset, &use->shear, when));
}

void supplei_joints_tell(supplei_practice *practice, const supplei_skin_use *use,
                         const double *metres) {
  for (int k = 0; k < SUPPLEI_TROUBLE_COUNT; k++)
    tell(practice, use, (supplei_trouble)k, metres[k]);
  if (use->shear.metres > 0) tell_shear(practice, use);
}
