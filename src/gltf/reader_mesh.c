/* reader_mesh.c: meshes and their primitives. */
#include "../base/prologue.h"

#include "accessor.h"
#include "primitive_reader.h"

/* ---- streams ---- */

static supple_result check_stream(supplei_loader *loader, uint32_t user,
                                  const supplei_stream_rule *rule, const supplei_accessor *accessor) {
  if (accessor->first_non_finite == SIZE_MAX) return SUPPLE_OK;
  uint32_t vertex = (uint32_t)(accessor->first_non_finite / rule->width);
  if (rule->must_be_finite)
    return supplei_loader_fail(loader, user, SUPPLE_ERROR_NUMBER, "vertex %u is not finite",
                               (unsigned)vertex);
  supplei_loader_note(loader, user, "not finite, at vertex %u first; kept as it is",
                      (unsigned)vertex);
  return SUPPLE_OK;
}

supple_result supplei_read_stream(supplei_loader *loader, uint32_t attributes,
                                  const supplei_stream_rule *rule, uint32_t vertex_count,
                                  const float **values) {
  supplei_shape shape = {rule->width, 1, SUPPLEI_TYPE_F32 | rule->core_types | rule->types};
  supplei_accessor *accessor;
  supple_result result = supplei_accessor_get(loader, attributes, rule->key, shape, &accessor);
  if (result || !accessor) return result;
  uint32_t user = supplei_json_member(&loader->json, attributes, rule->key);
  if (accessor->elements.count != vertex_count)
    return supplei_loader_wrong(loader, user, "accessor %u has %u elements, but POSITION has %u",
                                (unsigned)accessor->index, (unsigned)accessor->elements.count,
                                (unsigned)vertex_count);
  if ((supplei_accessor_type(accessor) & rule->types) && !loader->quantized)
    supplei_loader_note(loader, user,
                        "quantised, though KHR_mesh_quantization is not in extensionsUsed");
  if (loader->options->structure_only) return SUPPLE_OK;
  result = supplei_accessor_floats(loader, accessor);
  if (!result) result = check_stream(loader, user, rule, accessor);
  if (!result) *values = accessor->floats;
  return result;
}

static supple_result read_streams(supplei_loader *loader, uint32_t attributes,
                                  supple_primitive *primitive) {
  static const unsigned signed_normalized = SUPPLEI_TYPE_I8_NORMALIZED | SUPPLEI_TYPE_I16_NORMALIZED;
  const supplei_stream_rule position = {"POSITION", 3,
                                        signed_normalized | SUPPLEI_TYPE_I8 | SUPPLEI_TYPE_I16 |
                                            SUPPLEI_TYPE_U8 | SUPPLEI_TYPE_U16 |
                                            SUPPLEI_TYPE_U8_NORMALIZED | SUPPLEI_TYPE_U16_NORMALIZED,
                                        true, 0};
  const supplei_stream_rule normal = {"NORMAL", 3, signed_normalized, false, 0};
  const supplei_stream_rule tangent = {"TANGENT", 4, signed_normalized, false, 0};
  uint32_t count = primitive->vertex_count;
  supple_result result =
      supplei_read_stream(loader, attributes, &position, count, &primitive->positions);
  if (!result)
    result = supplei_read_stream(loader, attributes, &normal, count, &primitive->normals);
  if (!result)
    result = supplei_read_stream(loader, attributes, &tangent, count, &primitive->tangents);
  return result;
}

/* ---- primitives ---- */

static supple_result read_vertex_count(supplei_loader *loader, uint32_t attributes,
                                       supple_primitive *primitive) {
  supplei_accessor *position;
  supple_result result =
      supplei_accessor_get(loader, attributes, "POSITION", (supplei_shape){3, 1, 0}, &position);
  if (result) return result;
  if (!position) {
    supplei_loader_note(loader, attributes, "has no POSITION; the primitive is left empty");
    return SUPPLE_OK;
  }
  if (position->elements.count > loader->limits.vertices)
    return supplei_loader_fail(loader, attributes, SUPPLE_ERROR_LIMIT,
                               "%u vertices, more than limits.vertices allows (%u)",
                               (unsigned)position->elements.count,
                               (unsigned)loader->limits.vertices);
  primitive->vertex_count = position->elements.count;
  return SUPPLE_OK;
}

static supple_result read_primitive(supplei_loader *loader, uint32_t object,
                                    supple_primitive *primitive, uint32_t *joint_limit) {
  uint32_t attributes;
  primitive->material = SUPPLE_NONE;
  *joint_limit = 0;
  if (supplei_node(loader, object)->type != SUPPLEI_JSON_OBJECT)
    return supplei_loader_wrong(loader, object, "must be an object");
  supple_result result =
      supplei_require(loader, object, "attributes", SUPPLEI_JSON_OBJECT, &attributes);
  if (!result)
    result = supplei_get_index(loader, object, "material", loader->materials.count, "materials",
                               &primitive->material);
  if (!result) result = supplei_draco_begin(loader, object, attributes);
  if (!result) result = read_vertex_count(loader, attributes, primitive);
  if (!result && primitive->vertex_count) result = read_streams(loader, attributes, primitive);
  if (!result && primitive->vertex_count)
    result = supplei_read_looks(loader, attributes, primitive);
  if (!result && primitive->vertex_count)
    result = supplei_read_influences(loader, attributes, primitive, joint_limit);
  if (!result) result = supplei_read_targets(loader, object, primitive);
  if (!result) result = supplei_read_indices(loader, object, primitive);
  supplei_draco_end(loader);
  return result;
}

/* ---- meshes ---- */

static supple_result read_primitives(supplei_loader *loader, uint32_t array, uint32_t mesh,
                                     supple_primitive *primitives, supplei_mesh_facts *facts) {
  uint32_t count = supplei_node(loader, array)->count, node = array + 1;
  facts->all_influenced = true;
  for (uint32_t i = 0; i < count; i++, node = supplei_node(loader, node)->next) {
    uint32_t joint_limit;
    primitives[i].mesh = mesh;
    primitives[i].index = i;
    supple_result result = read_primitive(loader, node, &primitives[i], &joint_limit);
    if (result) return result;
    if (i && primitives[i].target_count != primitives[0].target_count)
      return supplei_loader_wrong(
          loader, node, "has %u morph targets, but the first primitive has %u",
          (unsigned)primitives[i].target_count, (unsigned)primitives[0].target_count);
    if (joint_limit > facts->joint_limit) facts->joint_limit = joint_limit;
    facts->all_influenced &= primitives[i].influence_count > 0;
  }
  facts->target_count = primitives[0].target_count;
  return SUPPLE_OK;
}

static supple_result read_weights(supplei_loader *loader, uint32_t object,
                                  supplei_mesh_facts *facts) {
  uint32_t array;
  supple_result result = supplei_get(loader, object, "weights", SUPPLEI_JSON_ARRAY, &array);
  if (result || array == SUPPLE_NONE) return result;
  if (supplei_node(loader, array)->count != facts->target_count)
    return supplei_loader_wrong(loader, array, "has %u weights for %u morph targets",
                                (unsigned)supplei_node(loader, array)->count,
                                (unsigned)facts->target_count);
  double *weights =
      supplei_loader_scratch(loader, facts->target_count, sizeof *weights, "morph weights");
  if (!weights) return supplei_loader_memory_result(loader);
  facts->weights = weights;
  return supplei_get_numbers(loader, object, "weights", weights, facts->target_count, NULL);
}

static supple_result read_mesh(supplei_loader *loader, uint32_t index, supple_mesh *mesh,
                               supplei_mesh_facts *facts) {
  uint32_t object = loader->meshes.items[index], array;
  supple_result result = supplei_get_string(loader, object, "name", &mesh->name);
  if (!result) result = supplei_require(loader, object, "primitives", SUPPLEI_JSON_ARRAY, &array);
  if (result) return result;
  uint32_t count = supplei_node(loader, array)->count;
  if (!count)
    return supplei_loader_wrong(loader, array, "is empty; a mesh needs at least one primitive");
  supple_primitive *primitives =
      supplei_loader_allocate(loader, count, sizeof *primitives, "the primitives of a mesh");
  const supple_primitive **pointers =
      primitives ? supplei_loader_allocate(loader, count, sizeof(void *), "the primitives of a mesh")
                 : NULL;
  if (!pointers) return supplei_loader_memory_result(loader);
  for (uint32_t i = 0; i < count; i++) pointers[i] = &primitives[i];
  mesh->primitives = primitives;
  mesh->primitive_count = count;
  facts->pointers = pointers;
  result = read_primitives(loader, array, index, primitives, facts);
  return result ? result : read_weights(loader, object, facts);
}

supple_result supplei_read_meshes(supplei_loader *loader) {
  uint32_t count = loader->meshes.count;
  supple_mesh *meshes = supplei_loader_allocate(loader, count, sizeof *meshes, "the meshes");
  loader->mesh_facts =
      supplei_loader_scratch(loader, count, sizeof *loader->mesh_facts, "the meshes");
  if (!meshes || !loader->mesh_facts) return supplei_loader_memory_result(loader);
  loader->asset->meshes = meshes;
  loader->asset->mesh_count = count;
  supple_result result = SUPPLE_OK;
  for (uint32_t i = 0; i < count && !result; i++)
    result = read_mesh(loader, i, &meshes[i], &loader->mesh_facts[i]);
  return result;
}
