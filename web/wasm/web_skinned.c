/* web_skinned.c: deforming an instance of an asset. */
#include "web.h"

#include <stdlib.h>

enum { METHODS = 2 };

static void *zeros(size_t count, size_t size) { return calloc(count ? count : 1, size); }

static void free_list(float **list, uint32_t count) {
  for (uint32_t i = 0; list && i < count; i++) free(list[i]);
  free(list);
}

WEB_EXPORT void web_skinned_free(web_skinned *skinned) {
  if (!skinned) return;
  const uint32_t count = skinned->instance->primitive_count;
  for (uint32_t m = 0; m < METHODS; m++) {
    for (uint32_t i = 0; skinned->prepared[m] && i < count; i++)
      supple_prepared_destroy(skinned->prepared[m][i]);
    free(skinned->prepared[m]);
    free_list(skinned->positions[m], count);
    free_list(skinned->normals[m], count);
    free_list(skinned->tangents[m], count);
  }
  for (uint32_t i = 0; skinned->bindings && i < count; i++)
    supple_binding_destroy((supple_binding *)(uintptr_t)skinned->bindings[i]);
  free(skinned->bindings);
  free_list(skinned->morphed, count);
  free_list(skinned->morphed_normals, count);
  free_list(skinned->morphed_tangents, count);
  supple_palette_destroy(skinned->palette);
  free(skinned);
}

static float *stream(const supple_primitive *primitive, bool wanted, size_t width) {
  return wanted ? zeros(primitive->vertex_count, width * sizeof(float)) : NULL;
}

/* What one primitive needs; false where memory runs out. */
static bool fill(web_skinned *skinned, uint32_t i, const supple_binding_options *options,
                 const supple_prepared_options *prepared) {
  const supple_primitive *primitive = skinned->instance->primitives[i];
  const bool normals = primitive->normals, tangents = normals && primitive->tangents;
  bool fine = true;
  if (primitive->influence_count) {
    skinned->bindings[i] = supple_binding_create(primitive, options, &web_error);
    fine = skinned->bindings[i] != NULL;
  }
  if (primitive->target_count) {
    skinned->morphed[i] = stream(primitive, true, 3);
    skinned->morphed_normals[i] = stream(primitive, normals, 3);
    skinned->morphed_tangents[i] = stream(primitive, tangents, 4);
    fine = fine && skinned->morphed[i] && (!normals || skinned->morphed_normals[i]) &&
           (!tangents || skinned->morphed_tangents[i]);
  }
  for (uint32_t m = 0; m < METHODS && fine; m++) {
    if (!skinned->bindings[i]) continue;
    skinned->prepared[m][i] = supple_prepared_create(skinned->bindings[i], prepared, &web_error);
    skinned->positions[m][i] = stream(primitive, true, 3);
    skinned->normals[m][i] = stream(primitive, normals, 3);
    skinned->tangents[m][i] = stream(primitive, tangents, 4);
    fine = skinned->prepared[m][i] && skinned->positions[m][i] &&
           (!normals || skinned->normals[m][i]) && (!tangents || skinned->tangents[m][i]);
  }
  return fine;
}

/* The space is SUPPLE_SPACE_…; max_influences 0 keeps all; rigid_tolerance as supple_prepared_options. */
WEB_EXPORT web_skinned *web_skinned_create(const supple_asset *asset, uint32_t instance,
                                           uint32_t space, uint32_t weights, uint32_t unweighted,
                                           uint32_t max_influences, uint32_t scale,
                                           double rigid_tolerance) {
  web_error = (supple_error){.result = SUPPLE_ERROR_MEMORY, .message = "out of memory"};
  if (instance >= asset->instance_count) return NULL;
  web_skinned *skinned = zeros(1, sizeof *skinned);
  if (!skinned) return NULL;
  skinned->asset = asset;
  skinned->instance = &asset->instances[instance];
  const uint32_t count = skinned->instance->primitive_count;
  const supple_binding_options options = {.weights = (supple_weights)weights,
                                          .unweighted = (supple_unweighted)unweighted,
                                          .max_influences = max_influences};
  const supple_prepared_options prepared = {.scale = (supple_scale)scale,
                                            .rigid_tolerance = rigid_tolerance};
  bool fine = (skinned->bindings = zeros(count, sizeof *skinned->bindings)) != NULL;
  fine = (skinned->morphed = zeros(count, sizeof(float *))) && fine;
  fine = (skinned->morphed_normals = zeros(count, sizeof(float *))) && fine;
  fine = (skinned->morphed_tangents = zeros(count, sizeof(float *))) && fine;
  for (uint32_t m = 0; m < METHODS; m++) {
    fine = (skinned->prepared[m] = zeros(count, sizeof(supple_prepared *))) && fine;
    fine = (skinned->positions[m] = zeros(count, sizeof(float *))) && fine;
    fine = (skinned->normals[m] = zeros(count, sizeof(float *))) && fine;
    fine = (skinned->tangents[m] = zeros(count, sizeof(float *))) && fine;
  }
  skinned->palette = supple_palette_create(skinned->instance->skin->joint_count,
                                           (supple_space)space, NULL, &web_error);
  fine = fine && skinned->palette;
  for (uint32_t i = 0; i < count && fine; i++) fine = fill(skinned, i, &options, &prepared);
  if (fine) return skinned;
  web_skinned_free(skinned);
  return NULL;
}

static supple_stream in(const float *data, size_t width) {
  return (supple_stream){data, width * sizeof(float)};
}
static supple_out_stream out(float *data, size_t width) {
  return (supple_out_stream){data, width * sizeof(float)};
}

/* Takes the pose: palette and morph targets. Then deform by any method. */
WEB_EXPORT void web_skinned_pose(web_skinned *skinned, const supple_pose *pose) {
  supple_palette_compose(skinned->palette, pose, skinned->instance);
  const supple_node *node = &skinned->asset->skeleton.nodes[skinned->instance->node];
  const float *weights = pose->weights ? pose->weights + node->weight_begin : NULL;
  for (uint32_t i = 0; i < skinned->instance->primitive_count; i++)
    if (skinned->morphed[i])
      supple_morph(skinned->instance->primitives[i], weights, node->weight_count,
                   out(skinned->morphed[i], 3), out(skinned->morphed_normals[i], 3),
                   out(skinned->morphed_tangents[i], 4));
}

static supple_result deform_one(web_skinned *skinned, uint32_t m, uint32_t i, bool normals) {
  const supple_primitive *primitive = skinned->instance->primitives[i];
  supple_prepared *prepared = skinned->prepared[m][i];
  const bool morphs = skinned->morphed[i] != NULL;
  const float *const rest_normals = morphs ? skinned->morphed_normals[i] : primitive->normals;
  const float *const rest_tangents = morphs ? skinned->morphed_tangents[i] : primitive->tangents;
  supple_result result =
      supple_prepared_update(prepared, skinned->bindings[i], skinned->palette, (supple_method)m);
  if (result) return result;
  const supple_job job = {.prepared = prepared,
                          .positions = in(morphs ? skinned->morphed[i] : primitive->positions, 3),
                          .normals = in(normals ? rest_normals : NULL, 3),
                          .tangents = in(normals ? rest_tangents : NULL, 4),
                          .out_positions = out(skinned->positions[m][i], 3),
                          .out_normals = out(normals ? skinned->normals[m][i] : NULL, 3),
                          .out_tangents = out(normals ? skinned->tangents[m][i] : NULL, 4)};
  return supple_deform_range(&job, 0, primitive->vertex_count, &skinned->deformed[m]);
}

/* Deforms all primitives by method 0 (LBS) or 1 (DQS); returns a supple_result. */
WEB_EXPORT int web_skinned_deform(web_skinned *skinned, uint32_t method, uint32_t normals) {
  if (method >= METHODS) return SUPPLE_ERROR_ARGUMENT;
  skinned->deformed[method] = (supple_deform_report){0};
  for (uint32_t i = 0; i < skinned->instance->primitive_count; i++) {
    if (!skinned->bindings[i]) continue;
    const supple_result result = deform_one(skinned, method, i, normals != 0);
    if (result) {
      web_error = (supple_error){.result = result, .message = "a joint's matrix is not finite"};
      return result;
    }
  }
  return SUPPLE_OK;
}

/* Three floats a vertex, NULL where the primitive has no influences. */
WEB_EXPORT const float *web_skinned_positions(const web_skinned *skinned, uint32_t method,
                                              uint32_t primitive) {
  return skinned->positions[method][primitive];
}
WEB_EXPORT const float *web_skinned_normals(const web_skinned *skinned, uint32_t method,
                                            uint32_t primitive) {
  return skinned->normals[method][primitive];
}
WEB_EXPORT const float *web_skinned_tangents(const web_skinned *skinned, uint32_t method,
                                             uint32_t primitive) {
  return skinned->tangents[method][primitive];
}
/* Twelve floats a joint: three rows of four. */
WEB_EXPORT const float *web_skinned_matrices(const web_skinned *skinned) {
  return &skinned->palette->matrices->m[0][0];
}
/* Repairs and fallbacks, as numbers: duplicates, negatives, renormalised, unweighted, limited of all
 * primitives' cleaning, then the fallbacks of the last deformation by the method. */
WEB_EXPORT void web_skinned_counts(const web_skinned *skinned, uint32_t method, uint32_t counts[6]) {
  for (int k = 0; k < 6; k++) counts[k] = 0;
  for (uint32_t i = 0; i < skinned->instance->primitive_count; i++) {
    if (!skinned->bindings[i]) continue;
    const supple_binding_report *report = supple_binding_cleaning(skinned->bindings[i]);
    counts[0] += report->duplicates;
    counts[1] += report->negatives;
    counts[2] += report->renormalised;
    counts[3] += report->unweighted;
    counts[4] += report->limited;
  }
  counts[5] = skinned->deformed[method].fallbacks;
}
