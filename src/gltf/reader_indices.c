/* reader_indices.c: the indices of a primitive, checked and unrolled to a list. */
#include "../base/prologue.h"

#include "accessor.h"
#include "primitive_reader.h"
#include "topology.h"

/* Every index must name a vertex, and the largest number of its type is kept for restarts. */
static supple_result check_indices(supplei_loader *loader, uint32_t node, const uint32_t *indices,
                                   uint32_t count, uint32_t vertex_count,
                                   supplei_component component) {
  uint32_t largest = 0;
  for (uint32_t i = 0; i < count; i++) largest = indices[i] > largest ? indices[i] : largest;
  uint32_t restart = component == SUPPLEI_U8    ? 0xFF
                     : component == SUPPLEI_U16 ? 0xFFFF
                                                : 0xFFFFFFFF;
  if (largest < vertex_count && largest != restart) return SUPPLE_OK;
  uint32_t i = 0;
  while (indices[i] != largest) i++;
  if (largest == restart)
    return supplei_loader_wrong(loader, node, "index %u at %u is the primitive restart value",
                                (unsigned)largest, (unsigned)i);
  return supplei_loader_wrong(loader, node, "index %u at %u, but there are only %u vertices",
                              (unsigned)largest, (unsigned)i, (unsigned)vertex_count);
}

/* All source indices, checked, into out[count]. */
static supple_result decode(supplei_loader *loader, uint32_t node, supplei_accessor *accessor,
                            uint32_t vertex_count, uint32_t *out) {
  supple_result result = supplei_accessor_open(loader, accessor);
  if (result) return result;
  supplei_elements_to_u32(&accessor->elements, out, 1);
  return check_indices(loader, node, out, accessor->elements.count, vertex_count,
                       accessor->elements.component);
}

/* Through memory of its own, since the source of a strip is not the list. */
static supple_result decode_and_unroll(supplei_loader *loader, uint32_t node,
                                       supplei_accessor *accessor, supplei_mode mode,
                                       uint32_t vertex_count, uint32_t *out) {
  uint32_t count = accessor->elements.count;
  uint32_t *source = supplei_allocate(&loader->allocator, count, sizeof *source);
  if (!source) return supplei_fail_memory(loader->error, (size_t)count * sizeof *source, "indices");
  supple_result result = decode(loader, node, accessor, vertex_count, source);
  if (!result) supplei_topology_unroll(mode, source, count, out);
  supplei_release(&loader->allocator, source, count, sizeof *source);
  return result;
}

supple_result supplei_read_indices(supplei_loader *loader, uint32_t object,
                                   supple_primitive *primitive) {
  static const supplei_shape shape = {1, 1, SUPPLEI_TYPE_U8 | SUPPLEI_TYPE_U16 | SUPPLEI_TYPE_U32};
  uint64_t mode_number = SUPPLEI_MODE_TRIANGLES;
  supplei_accessor *accessor;
  supple_result result = supplei_get_unsigned(loader, object, "mode", 0, 6, &mode_number);
  if (!result) result = supplei_draco_indices(loader, &accessor);
  if (!result && accessor) mode_number = SUPPLEI_MODE_TRIANGLES;
  if (!result && !accessor)
    result = supplei_accessor_get(loader, object, "indices", shape, &accessor);
  if (result) return result;
  supplei_mode mode = (supplei_mode)mode_number;
  primitive->topology = supplei_topology_of(mode);
  if (!primitive->vertex_count) return SUPPLE_OK;

  uint32_t count = accessor ? accessor->elements.count : primitive->vertex_count, unused;
  uint64_t total = supplei_topology_count(mode, count, &unused);
  if (total > UINT32_MAX)
    return supplei_loader_fail(loader, object, SUPPLE_ERROR_LIMIT,
                               "%llu indices; no more than %u can be read",
                               (unsigned long long)total, (unsigned)UINT32_MAX);
  if (unused)
    supplei_loader_note(loader, object, "the last %u indices complete no triangle or line; dropped",
                        (unsigned)unused);
  primitive->index_count = (uint32_t)total;
  if (loader->options->structure_only) return SUPPLE_OK;

  bool list =
      mode == SUPPLEI_MODE_POINTS || mode == SUPPLEI_MODE_LINES || mode == SUPPLEI_MODE_TRIANGLES;
  size_t room = list && total < count ? count : (size_t)total;
  uint32_t *out = supplei_loader_allocate(loader, room, sizeof *out, "the indices of a primitive");
  if (!out) return supplei_loader_memory_result(loader);
  primitive->indices = out;
  if (!accessor) return supplei_topology_unroll(mode, NULL, count, out), SUPPLE_OK;
  uint32_t node = supplei_json_member(&loader->json, object, "indices");
  if (node == SUPPLE_NONE) node = object; /* Draco has them all the same */
  return list ? decode(loader, node, accessor, primitive->vertex_count, out)
              : decode_and_unroll(loader, node, accessor, mode, primitive->vertex_count, out);
}
