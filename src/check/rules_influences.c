/* rules_influences.c: joints and weights, vertex by vertex. */
#include "../base/prologue.h"

#include "rules.h"

#include <math.h>
#include <string.h>

/* Vertices that are decoded at a time; more sets than this are not looked at. */
enum { BLOCK = 64, LARGEST_SETS = 4096 };

/* A sum of n weights may be off by n times this (glTF 2.0, section "Skinned Mesh Attributes"). */
static const double weight_tolerance = 2e-7;

/* Of one set: influences that are wrong, and the first of them. */
typedef struct set_tally {
  uint64_t outside, duplicate, negative, zero;
  uint32_t outside_vertex, duplicate_vertex, negative_vertex, zero_vertex;
  uint32_t outside_joint, duplicate_joint, zero_joint;
  double negative_weight;
} set_tally;

typedef struct influences {
  const supplei_rules_primitive *primitive;
  uint32_t joint_limit, set_count;
  supplei_rules_cursor *joints, *weights; /* [set_count] */
  set_tally *sets;                        /* [set_count] */
  double *joint_block, *weight_block;     /* [set_count][BLOCK][4] */
  uint32_t *seen; /* [joint_limit]: the last vertex that uses a joint, + 1 */
  uint64_t sums;  /* vertices whose weights do not sum to one */
  uint32_t sum_vertex;
  double worst_sum;
} influences;

/* ---- looking ---- */

static void look_at_influence(influences *in, uint32_t set, uint32_t vertex, double joint,
                              double weight, float *sum, double *tolerance) {
  set_tally *t = &in->sets[set];
  if (joint >= in->joint_limit) {
    if (!t->outside++) t->outside_vertex = vertex, t->outside_joint = (uint32_t)joint;
    return;
  }
  uint32_t j = (uint32_t)joint;
  if (weight == 0) {
    if (j && !t->zero++) t->zero_vertex = vertex, t->zero_joint = j;
    return;
  }
  bool again = in->seen[j] == vertex + 1;
  in->seen[j] = vertex + 1;
  if (again && !t->duplicate++) t->duplicate_vertex = vertex, t->duplicate_joint = j;
  if (weight < 0) {
    if (!t->negative++) t->negative_vertex = vertex, t->negative_weight = weight;
  } else if (!again) {
    *sum = (float)((double)*sum + weight);
    *tolerance += weight_tolerance;
  }
}

/* Sums take the first of all sets, then the second, …, in single precision, as the validator's. */
static void look_at_vertex(influences *in, uint32_t vertex, uint32_t slot) {
  float sum = 0;
  double tolerance = 0;
  for (uint32_t c = 0; c < 4; c++)
    for (uint32_t s = 0; s < in->set_count; s++) {
      size_t at = ((size_t)s * BLOCK + slot) * 4 + c;
      look_at_influence(in, s, vertex, in->joint_block[at], in->weight_block[at], &sum, &tolerance);
    }
  if (!(fabs((double)sum - 1) > tolerance)) return;
  if (!in->sums++ || fabs((double)sum - 1) > fabs(in->worst_sum - 1)) {
    in->sum_vertex = vertex;
    in->worst_sum = (double)sum;
  }
}

static void look_through(influences *in, uint32_t count) {
  for (uint32_t begin = 0; begin < count; begin += BLOCK) {
    uint32_t some = count - begin < BLOCK ? count - begin : BLOCK;
    for (uint32_t s = 0; s < in->set_count; s++) {
      double *weights = in->weight_block + (size_t)s * BLOCK * 4;
      supplei_rules_decode(&in->joints[s], some, in->joint_block + (size_t)s * BLOCK * 4);
      supplei_rules_decode(&in->weights[s], some, weights);
      if (in->weights[s].elements.component != SUPPLEI_F32)
        for (uint32_t i = 0; i < some * 4; i++)
          weights[i] = supplei_rules_normalize(in->weights[s].elements.component, weights[i]);
    }
    for (uint32_t i = 0; i < some; i++) look_at_vertex(in, begin + i, i);
    if (begin > UINT32_MAX - BLOCK) break;
  }
}

/* ---- telling ---- */

static void tell_set(supplei_rules *rules, const influences *in, uint32_t set, uint32_t skin) {
  const set_tally *t = &in->sets[set];
  supple_value joints = in->primitive->sets[set].joints_value,
               weights = in->primitive->sets[set].weights_value;
  if (t->outside)
    supplei_rules_found_many(
        rules, SUPPLEI_CODE_ACCESSOR_JOINTS_INDEX_OOB, joints, t->outside,
        "%llu influences name joints that skin %u, with %u, does not have; the "
        "first is joint %u of vertex %u",
        (unsigned long long)t->outside, (unsigned)skin, (unsigned)in->joint_limit,
        (unsigned)t->outside_joint, (unsigned)t->outside_vertex);
  if (t->duplicate)
    supplei_rules_found_many(
        rules, SUPPLEI_CODE_ACCESSOR_JOINTS_INDEX_DUPLICATE, joints, t->duplicate,
        "%llu influences name a joint that their vertex has already; the first "
        "is joint %u of vertex %u",
        (unsigned long long)t->duplicate, (unsigned)t->duplicate_joint,
        (unsigned)t->duplicate_vertex);
  if (t->zero)
    supplei_rules_found_many(rules, SUPPLEI_CODE_ACCESSOR_JOINTS_USED_ZERO_WEIGHT, joints, t->zero,
                             "%llu influences of weight 0 name a joint other than 0; the first is "
                             "joint %u of vertex %u",
                             (unsigned long long)t->zero, (unsigned)t->zero_joint,
                             (unsigned)t->zero_vertex);
  if (t->negative)
    supplei_rules_found_many(rules, SUPPLEI_CODE_ACCESSOR_WEIGHTS_NEGATIVE, weights, t->negative,
                             "%llu weights are negative; the first is %.9g of vertex %u",
                             (unsigned long long)t->negative, t->negative_weight,
                             (unsigned)t->negative_vertex);
  if (in->sums)
    supplei_rules_found_many(rules, SUPPLEI_CODE_ACCESSOR_WEIGHTS_NON_NORMALIZED, weights, in->sums,
                             "the weights of %llu of %lld vertices do not sum to 1; the worst sum "
                             "is %.9g, of vertex %u",
                             (unsigned long long)in->sums, (long long)in->primitive->vertices,
                             in->worst_sum, (unsigned)in->sum_vertex);
}

/* ---- primitives ---- */

static bool open_set(supplei_rules *rules, influences *in, uint32_t set) {
  const supplei_rules_set *s = &in->primitive->sets[set];
  const uint32_t both[2] = {s->joints, s->weights};
  for (int i = 0; i < 2; i++) {
    if (both[i] == SUPPLE_NONE) return false;
    const supplei_rules_accessor *a = &rules->accessors[both[i]];
    if (a->count != in->primitive->vertices || a->rows != 4 || a->columns != 1) return false;
  }
  uint32_t component = rules->accessors[s->joints].component;
  if (component != SUPPLEI_U8 && component != SUPPLEI_U16 && component != SUPPLEI_U32) return false;
  return supplei_rules_open(rules, s->joints, &in->joints[set]) &&
         supplei_rules_open(rules, s->weights, &in->weights[set]);
}

static void look_at_primitive(supplei_rules *rules, const supplei_rules_mesh *mesh,
                              const supplei_rules_primitive *primitive, uint32_t *seen) {
  uint32_t sets = primitive->set_count;
  influences in = {
      .primitive = primitive, .joint_limit = mesh->joint_limit, .set_count = sets, .seen = seen};
  if (!sets || !primitive->sets || primitive->vertices < 1) return;
  if (sets > LARGEST_SETS && !supplei_rules_afford(rules, HUGE_VAL)) return;
  in.joints = supplei_rules_allocate(rules, sets, sizeof *in.joints);
  in.weights = supplei_rules_allocate(rules, sets, sizeof *in.weights);
  in.sets = supplei_rules_allocate(rules, sets, sizeof *in.sets);
  if (!in.joints || !in.weights || !in.sets) return;
  for (uint32_t s = 0; s < sets; s++)
    if (!open_set(rules, &in, s)) return;
  if (!supplei_rules_afford(rules, (double)primitive->vertices * 8 * sets + mesh->joint_limit))
    return;
  size_t block = (size_t)sets * BLOCK * 4;
  const supple_allocator *allocator = &rules->check->allocator;
  in.joint_block = supplei_allocate(allocator, block, 2 * sizeof(double));
  if (!in.joint_block) {
    rules->check->result = SUPPLE_ERROR_MEMORY;
    return;
  }
  in.weight_block = in.joint_block + block;
  memset(seen, 0, mesh->joint_limit * sizeof *seen);
  look_through(&in, (uint32_t)primitive->vertices);
  supplei_release(allocator, in.joint_block, block, 2 * sizeof(double));
  for (uint32_t s = 0; s < sets; s++) tell_set(rules, &in, s, mesh->limiting_skin);
}

void supplei_rules_influences(supplei_rules *rules) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < rules->mesh_array.count; i++) {
    uint32_t limit = rules->meshes[i].joint_limit;
    if (limit != SUPPLE_NONE && limit > most) most = limit;
  }
  uint32_t *seen = most ? supplei_rules_allocate(rules, most, sizeof *seen) : NULL;
  if (!seen) return;
  for (uint32_t i = 0; i < rules->mesh_array.count; i++) {
    const supplei_rules_mesh *mesh = &rules->meshes[i];
    if (mesh->joint_limit == SUPPLE_NONE || !mesh->joint_limit) continue;
    for (uint32_t k = 0; k < mesh->primitive_count; k++)
      look_at_primitive(rules, mesh, &mesh->primitives[k], seen);
  }
}
