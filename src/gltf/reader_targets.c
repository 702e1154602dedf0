/* reader_targets.c: morph targets of a primitive. */
#include "../base/prologue.h"

#include "accessor.h"
#include "primitive_reader.h"

supple_result supplei_read_targets(supplei_loader *loader, uint32_t object,
                                   supple_primitive *primitive) {
  static const supplei_stream_rule rules[] = {
      {"POSITION", 3,
       SUPPLEI_TYPE_I8 | SUPPLEI_TYPE_I8_NORMALIZED | SUPPLEI_TYPE_I16 | SUPPLEI_TYPE_I16_NORMALIZED,
       true, 0},
      {"NORMAL", 3, SUPPLEI_TYPE_I8_NORMALIZED | SUPPLEI_TYPE_I16_NORMALIZED, false, 0},
      {"TANGENT", 3, SUPPLEI_TYPE_I8_NORMALIZED | SUPPLEI_TYPE_I16_NORMALIZED, false, 0}};
  uint32_t array;
  supple_result result = supplei_get(loader, object, "targets", SUPPLEI_JSON_ARRAY, &array);
  if (result || array == SUPPLE_NONE) return result;
  uint32_t count = supplei_node(loader, array)->count, node = array + 1;
  if (count > loader->limits.morph_targets)
    return supplei_loader_fail(loader, array, SUPPLE_ERROR_LIMIT,
                               "%u morph targets, more than limits.morph_targets allows (%u)",
                               (unsigned)count, (unsigned)loader->limits.morph_targets);
  supple_morph_target *targets =
      supplei_loader_allocate(loader, count, sizeof *targets, "the morph targets of a primitive");
  if (!targets) return supplei_loader_memory_result(loader);
  primitive->targets = count ? targets : NULL;
  primitive->target_count = count;
  if (!primitive->vertex_count) return SUPPLE_OK;
  for (uint32_t i = 0; i < count; i++, node = supplei_node(loader, node)->next) {
    const float **streams[] = {&targets[i].positions, &targets[i].normals, &targets[i].tangents};
    if (supplei_node(loader, node)->type != SUPPLEI_JSON_OBJECT)
      return supplei_loader_wrong(loader, node, "must be an object");
    for (int k = 0; k < 3; k++) {
      result = supplei_read_stream(loader, node, &rules[k], primitive->vertex_count, streams[k]);
      if (result) return result;
    }
  }
  return SUPPLE_OK;
}
