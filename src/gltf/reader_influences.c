/* reader_influences.c: joints and weights of a primitive, all sets joined. */
#include "../base/prologue.h"

#include "accessor.h"
#include "primitive_reader.h"

#include <stdio.h>

enum { SET_WIDTH = 4 };

static const supplei_shape joints_shape = {
    4, 1,
    SUPPLEI_TYPE_U8 | SUPPLEI_TYPE_U16 | SUPPLEI_TYPE_U8_NORMALIZED | SUPPLEI_TYPE_U16_NORMALIZED};
static const supplei_shape weights_shape = {
    4, 1, SUPPLEI_TYPE_F32 | SUPPLEI_TYPE_U8_NORMALIZED | SUPPLEI_TYPE_U16_NORMALIZED};

/* "JOINTS_7" */
static const char *set_key(char key[24], const char *prefix, uint32_t set) {
  snprintf(key, 24, "%s%u", prefix, (unsigned)set);
  return key;
}

/* How many attributes have a prefix; they must be numbered 0, 1, 2, … */
static supple_result count_sets(supplei_loader *loader, uint32_t attributes, const char *prefix,
                                uint32_t *sets) {
  uint32_t child = attributes + 1;
  *sets = 0;
  for (uint32_t i = 0; i < supplei_node(loader, attributes)->count; i++) {
    *sets += supplei_json_key_starts(&loader->json, child, prefix);
    child = supplei_node(loader, child)->next;
  }
  if (*sets > loader->limits.influence_sets)
    return supplei_loader_fail(loader, attributes, SUPPLE_ERROR_LIMIT,
                               "%u sets of %sn, more than limits.influence_sets allows (%u)",
                               (unsigned)*sets, prefix, (unsigned)loader->limits.influence_sets);
  for (uint32_t set = 0; set < *sets; set++) {
    char key[24];
    if (supplei_json_member(&loader->json, attributes, set_key(key, prefix, set)) == SUPPLE_NONE)
      return supplei_loader_wrong(loader, attributes, "has no %s, though %u sets of %sn", key,
                                  (unsigned)*sets, prefix);
  }
  return SUPPLE_OK;
}

static supple_result get_set(supplei_loader *loader, uint32_t attributes, const char *prefix,
                             uint32_t set, supplei_shape shape, uint32_t vertex_count,
                             supplei_accessor **out) {
  char key[24];
  supple_result result =
      supplei_accessor_get(loader, attributes, set_key(key, prefix, set), shape, out);
  const supplei_accessor *accessor = *out;
  if (result || accessor->elements.count == vertex_count) return result;
  return supplei_loader_wrong(loader, supplei_json_member(&loader->json, attributes, key),
                              "accessor %u has %u elements, but POSITION has %u",
                              (unsigned)accessor->index, (unsigned)accessor->elements.count,
                              (unsigned)vertex_count);
}

/* One set, decoded to its place in each vertex where there is room for it. */
static supple_result read_set(supplei_loader *loader, uint32_t attributes, uint32_t set,
                              const supple_primitive *primitive, uint16_t *joints, float *weights) {
  supplei_accessor *accessor;
  size_t stride = primitive->influence_count, first = (size_t)set * SET_WIDTH;
  supple_result result =
      get_set(loader, attributes, "JOINTS_", set, joints_shape, primitive->vertex_count, &accessor);
  if (!result && accessor->elements.normalized)
    supplei_loader_note(loader, accessor->node, "joints are marked as normalised; read as they are");
  if (!result && joints) {
    result = supplei_accessor_open(loader, accessor);
    if (!result) supplei_elements_to_u16(&accessor->elements, joints + first, stride);
  }
  if (!result)
    result = get_set(loader, attributes, "WEIGHTS_", set, weights_shape, primitive->vertex_count,
                     &accessor);
  if (!result && weights) {
    result = supplei_accessor_open(loader, accessor);
    if (!result) supplei_elements_to_floats(&accessor->elements, weights + first, stride);
  }
  return result;
}

static supple_result check_finite(supplei_loader *loader, uint32_t attributes,
                                  const supple_primitive *primitive) {
  size_t count = (size_t)primitive->vertex_count * primitive->influence_count;
  size_t bad = supplei_first_non_finite(primitive->weights, count);
  if (bad == count) return SUPPLE_OK;
  char key[24];
  uint32_t slot = (uint32_t)(bad % primitive->influence_count);
  set_key(key, "WEIGHTS_", slot / SET_WIDTH);
  return supplei_loader_fail(loader, supplei_json_member(&loader->json, attributes, key),
                             SUPPLE_ERROR_NUMBER, "vertex %u: a weight is not finite",
                             (unsigned)(bad / primitive->influence_count));
}

/* What is odd in the weights: nothing is changed here, the binding cleans and counts. */
typedef struct weight_survey {
  uint32_t joint_limit;
  uint32_t negatives, first_negative; /* vertices */
  uint32_t unweighted, first_unweighted;
  uint32_t off, first_off; /* weights that sum to neither 1 nor 0 */
  double first_sum;
} weight_survey;

static void survey_vertex(weight_survey *survey, const supple_primitive *primitive, uint32_t vertex) {
  size_t at = (size_t)vertex * primitive->influence_count;
  const uint16_t *joints = primitive->joints + at;
  const float *weights = primitive->weights + at;
  bool negative = false;
  float sum = 0;
  for (uint32_t k = 0; k < primitive->influence_count; k++) {
    uint32_t used = weights[k] != 0 ? joints[k] + 1u : 0;
    if (used > survey->joint_limit) survey->joint_limit = used;
    negative |= weights[k] < 0;
    sum += weights[k] > 0 ? weights[k] : 0;
  }
  /* It belongs to its first joint without weight: where none is positive, and where the binding, which adds up
   * the weights of a joint named twice, may be left with none. */
  if ((negative || !(sum > 0)) && joints[0] + 1u > survey->joint_limit)
    survey->joint_limit = joints[0] + 1u;
  if (negative && !survey->negatives++) survey->first_negative = vertex;
  if (sum > 0) {
    bool off = fabsf(sum - 1) > 1e-3f;
    if (off && !survey->off++) survey->first_off = vertex, survey->first_sum = (double)sum;
    return;
  }
  if (!survey->unweighted++) survey->first_unweighted = vertex;
}

static void note_survey(supplei_loader *loader, uint32_t attributes, const weight_survey *survey) {
  if (survey->negatives)
    supplei_loader_note(loader, attributes,
                        "negative weights at %u vertices, the first is %u; the binding clips them",
                        (unsigned)survey->negatives, (unsigned)survey->first_negative);
  if (survey->off)
    supplei_loader_note(loader, attributes,
                        "weights that do not sum to 1 at %u vertices, the first is %u (%g)",
                        (unsigned)survey->off, (unsigned)survey->first_off, survey->first_sum);
  if (survey->unweighted)
    supplei_loader_note(
        loader, attributes,
        "no weight at %u vertices, the first is %u; the first joint named moves them",
        (unsigned)survey->unweighted, (unsigned)survey->first_unweighted);
}

supple_result supplei_read_influences(supplei_loader *loader, uint32_t attributes,
                                      supple_primitive *primitive, uint32_t *joint_limit) {
  uint32_t joint_sets, weight_sets;
  *joint_limit = 0;
  supple_result result = count_sets(loader, attributes, "JOINTS_", &joint_sets);
  if (!result) result = count_sets(loader, attributes, "WEIGHTS_", &weight_sets);
  if (result) return result;
  if (joint_sets != weight_sets)
    return supplei_loader_wrong(loader, attributes, "%u sets of JOINTS_n, but %u of WEIGHTS_n",
                                (unsigned)joint_sets, (unsigned)weight_sets);
  if (!joint_sets) return SUPPLE_OK;

  primitive->influence_count = joint_sets * SET_WIDTH;
  uint16_t *joints = NULL;
  float *weights = NULL;
  if (!loader->options->structure_only) {
    size_t width = primitive->influence_count;
    joints =
        supplei_loader_allocate(loader, primitive->vertex_count, width * sizeof *joints, "joints");
    if (joints)
      weights = supplei_loader_allocate(loader, primitive->vertex_count, width * sizeof *weights,
                                        "weights");
    if (!weights) return supplei_loader_memory_result(loader);
    primitive->joints = joints;
    primitive->weights = weights;
  }
  for (uint32_t set = 0; set < joint_sets && !result; set++)
    result = read_set(loader, attributes, set, primitive, joints, weights);
  if (result || !weights) return result;
  if ((result = check_finite(loader, attributes, primitive))) return result;

  weight_survey survey = {0};
  for (uint32_t vertex = 0; vertex < primitive->vertex_count; vertex++)
    survey_vertex(&survey, primitive, vertex);
  note_survey(loader, attributes, &survey);
  *joint_limit = survey.joint_limit;
  return SUPPLE_OK;
}

supple_result supplei_fail_joint(supplei_loader *loader, const supple_primitive *primitive,
                                 uint32_t joint_count, uint32_t skin) {
  uint32_t primitives =
      supplei_json_member(&loader->json, loader->meshes.items[primitive->mesh], "primitives");
  uint32_t object = primitives + 1;
  for (uint32_t i = 0; i < primitive->index; i++) object = supplei_node(loader, object)->next;
  uint32_t attributes = supplei_json_member(&loader->json, object, "attributes");
  for (uint32_t vertex = 0; vertex < primitive->vertex_count; vertex++) {
    weight_survey one = {0};
    survey_vertex(&one, primitive, vertex);
    if (one.joint_limit > joint_count)
      return supplei_loader_wrong(
          loader, attributes, "vertex %u uses joint %u, but skin %u has only %u", (unsigned)vertex,
          (unsigned)(one.joint_limit - 1), (unsigned)skin, (unsigned)joint_count);
  }
  return SUPPLE_OK;
}
