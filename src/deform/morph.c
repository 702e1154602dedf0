/* morph.c: morph targets, applied before skinning. */
#include "../base/prologue.h"

#include "../../include/supple/deform.h"

#include <string.h>

/* out = base + sum of weight · offset, `base_stride` floats a vertex, three of them morphed. */
static void morph_stream(const supple_primitive *primitive, const float *weights, uint32_t count,
                         const float *base, size_t base_stride, size_t which,
                         const supple_out_stream *out) {
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    float value[4];
    memcpy(value, base + v * base_stride, base_stride * sizeof *value);
    for (uint32_t t = 0; t < count; t++) {
      const supple_morph_target *target = &primitive->targets[t];
      const float *streams[3] = {target->positions, target->normals, target->tangents};
      const float *offset = streams[which];
      if (!offset || weights[t] == 0.0f) continue;
      for (size_t c = 0; c < 3; c++) value[c] += weights[t] * offset[v * 3 + c];
    }
    memcpy((char *)out->data + v * out->stride, value, base_stride * sizeof *value);
  }
}

supple_result supple_morph(const supple_primitive *primitive, const float *weights,
                           uint32_t weight_count, supple_out_stream out_positions,
                           supple_out_stream out_normals, supple_out_stream out_tangents) {
  const supple_primitive *p = primitive;
  if ((out_positions.data && (!p->positions || out_positions.stride < 12)) ||
      (out_normals.data && (!p->normals || out_normals.stride < 12)) ||
      (out_tangents.data && (!p->tangents || out_tangents.stride < 16)))
    return SUPPLE_ERROR_ARGUMENT;
  uint32_t count = weight_count < p->target_count ? weight_count : p->target_count;
  if (!weights) count = 0;
  if (out_positions.data) morph_stream(p, weights, count, p->positions, 3, 0, &out_positions);
  if (out_normals.data) morph_stream(p, weights, count, p->normals, 3, 1, &out_normals);
  if (out_tangents.data) morph_stream(p, weights, count, p->tangents, 4, 2, &out_tangents);
  return SUPPLE_OK;
}
