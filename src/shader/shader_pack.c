/* shader_pack.c: palettes, influences, morph targets and vertices as the shaders read them. */
#include "../base/prologue.h"

#include "../../include/supple/shader.h"
#include "../base/error.h"
#include "../deform/prepared.h"

#include <string.h>

/* Bytes of `count` texels in whole rows of `width`; 0 where there are too many. */
static size_t texels_size(uint64_t count, size_t texel, uint32_t width) {
  if (width && count % width) {
    uint64_t missing = width - count % width;
    if (count > UINT64_MAX - missing) return 0;
    count += missing;
  }
  return count > SIZE_MAX / texel ? 0 : (size_t)count * texel;
}

static void clear_rest(void *data, size_t used, size_t size) {
  if (size > used) memset((char *)data + used, 0, size - used);
}

/* ---- palettes ---- */

size_t supple_shader_joint_size(supple_palette_layout layout) {
  return layout == SUPPLE_PALETTE_ROWS ? 48 : layout == SUPPLE_PALETTE_DUAL ? 32 : 64;
}

size_t supple_shader_palette_size(supple_palette_layout layout, uint32_t joint_count,
                                  uint32_t texture_width) {
  return texels_size((uint64_t)joint_count * (supple_shader_joint_size(layout) / 16), 16,
                     texture_width);
}

uint32_t supple_shader_joint_count(const supple_prepared *prepared) {
  return prepared->path == SUPPLEI_PATH_NONE ? 0 : prepared->joint_count;
}

float supple_shader_scale(const supple_prepared *prepared) {
  bool affine = prepared->path == SUPPLEI_PATH_AFFINE, rigid = prepared->path == SUPPLEI_PATH_RIGID;
  return affine || rigid ? prepared->scale : 1.0f;
}

static supple_result check_palette(const supple_prepared *p, supple_palette_layout layout,
                                   supple_error *error) {
  if (p->path == SUPPLEI_PATH_NONE)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "the prepared palette was not updated");
  if (layout == SUPPLE_PALETTE_ROWS) return SUPPLE_OK;
  if (p->path == SUPPLEI_PATH_LBS)
    return supplei_fail(
        error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
        "the prepared palette was updated for LBS and has no rotations; update it for DQS");
  if (p->path == SUPPLEI_PATH_FIRST)
    return supplei_fail(
        error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
        "the prepared palette has the scale mode 'first', for which there is no shader");
  if (layout == SUPPLE_PALETTE_AFFINE && p->path == SUPPLEI_PATH_RIGID)
    return supplei_fail(
        error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
        "the prepared palette has the scale mode 'none'; pack it as dual quaternions");
  for (uint32_t j = 0; j < p->joint_count && layout == SUPPLE_PALETTE_DUAL; j++)
    if (p->path == SUPPLEI_PATH_AFFINE && !p->is_rigid[j])
      return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                          "joint %u is not rigid up to the common scale; use the affine shader",
                          (unsigned)j);
  return SUPPLE_OK;
}

supple_result supple_shader_palette_pack(const supple_prepared *prepared,
                                         supple_palette_layout layout, float *out, size_t size,
                                         supple_error *error) {
  const supple_prepared *p = prepared;
  supple_result result = check_palette(p, layout, error);
  if (result) return result;
  size_t joint = supple_shader_joint_size(layout),
         used = supple_shader_palette_size(layout, p->joint_count, 0);
  if (used > size || (used == 0 && p->joint_count))
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "the palette needs %zu bytes, and there is room for %zu", used, size);
  for (uint32_t j = 0; j < p->joint_count; j++) {
    char *at = (char *)out + j * joint;
    if (layout == SUPPLE_PALETTE_DUAL) {
      memcpy(at, p->rigid[j].real, 16);
      memcpy(at + 16, p->rigid[j].dual, 16);
    } else {
      memcpy(at, p->matrices[j].m[0], 48);
      if (layout == SUPPLE_PALETTE_AFFINE) memcpy(at + 48, p->rigid[j].real, 16);
    }
  }
  clear_rest(out, used, size);
  return SUPPLE_OK;
}

/* ---- influences ---- */

enum { MOST_INFLUENCES = 8 };

/* The influences of a vertex, the kept sum in their weights. */
static uint32_t influences_of(const supple_binding *b, uint32_t vertex, const uint16_t **joints,
                              const float **weights, float *sum) {
  *sum = supple_binding_sum(b, vertex);
  return supple_binding_influences(b, vertex, joints, weights);
}

static supple_result fail_count(uint32_t vertex, uint32_t count, uint32_t most, supple_error *error) {
  return supplei_fail(
      error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
      "vertex %u has %u influences, and the shader takes %u; create the binding with "
      "max_influences %u",
      (unsigned)vertex, (unsigned)count, (unsigned)most, (unsigned)most);
}

/* Weights as integers of which `one` is 1, their sum kept: the largest takes what rounding left. */
static void quantise(const float *weights, uint32_t count, float sum, uint32_t one, uint32_t *out) {
  uint32_t largest = 0, total = 0, wanted = (uint32_t)((double)sum * one + 0.5);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = (uint32_t)((double)weights[i] * (double)sum * one + 0.5);
    total += out[i];
    if (weights[i] > weights[largest]) largest = i;
  }
  if (count) out[largest] = out[largest] + wanted - total; /* wraps round and back */
}

static size_t number_size(supple_shader_number number) {
  return number == SUPPLE_SHADER_NUMBER_FULL ? 4 : number == SUPPLE_SHADER_NUMBER_U16 ? 2 : 1;
}

static void put_number(char *at, supple_shader_number number, uint32_t value) {
  uint16_t half = (uint16_t)value;
  if (number == SUPPLE_SHADER_NUMBER_FULL)
    memcpy(at, &value, sizeof value);
  else if (number == SUPPLE_SHADER_NUMBER_U16)
    memcpy(at, &half, sizeof half);
  else
    *(uint8_t *)at = (uint8_t)value;
}

static void put_weights(char *at, const supple_shader_attributes *a, const float *weights,
                        uint32_t count, float sum) {
  uint32_t integers[MOST_INFLUENCES] = {0};
  float floats[MOST_INFLUENCES] = {0};
  for (uint32_t i = 0; i < count; i++) floats[i] = weights[i] * sum;
  if (a->weight_number == SUPPLE_SHADER_NUMBER_FULL) {
    memcpy(at, floats, a->influences * sizeof *floats);
    return;
  }
  quantise(weights, count, sum, a->weight_number == SUPPLE_SHADER_NUMBER_U16 ? 65535 : 255,
           integers);
  for (uint32_t i = 0; i < a->influences; i++)
    put_number(at + i * number_size(a->weight_number), a->weight_number, integers[i]);
}

static supple_result check_vertex(const supple_shader_attributes *a, uint32_t vertex,
                                  const uint16_t *joints, uint32_t count, float sum,
                                  supple_error *error) {
  if (count > a->influences) return fail_count(vertex, count, a->influences, error);
  for (uint32_t i = 0; i < count; i++)
    if (a->joint_number == SUPPLE_SHADER_NUMBER_U8 && joints[i] > 255)
      return supplei_fail(error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
                          "joint %u of vertex %u does not fit in a byte; use U16",
                          (unsigned)joints[i], (unsigned)vertex);
  double one = a->weight_number == SUPPLE_SHADER_NUMBER_U16 ? 65535 : 255, whole = (double)sum * one;
  if (a->weight_number != SUPPLE_SHADER_NUMBER_FULL && !(whole >= 0.5 && whole < one + 0.5))
    return supplei_fail(
        error, SUPPLE_ERROR_LIMIT, NULL, SIZE_MAX,
        "the kept sum of the weights of vertex %u is out of reach of integers; use floats",
        (unsigned)vertex);
  return SUPPLE_OK;
}

supple_result supple_shader_attributes_pack(const supple_binding *binding,
                                            const supple_shader_attributes *attributes,
                                            supple_error *error) {
  const supple_shader_attributes *a = attributes;
  size_t joint_size = number_size(a->joint_number) * a->influences,
         weight_size = number_size(a->weight_number) * a->influences;
  size_t joint_stride = a->joint_stride ? a->joint_stride : joint_size,
         weight_stride = a->weight_stride ? a->weight_stride : weight_size;
  if ((a->influences != 4 && a->influences != 8) || joint_stride < joint_size ||
      weight_stride < weight_size || (unsigned)a->joint_number > SUPPLE_SHADER_NUMBER_U8 ||
      (unsigned)a->weight_number > SUPPLE_SHADER_NUMBER_U8)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "influences are 4 or 8, and strides not below their size");
  uint32_t vertex_count = supple_binding_vertex_count(binding);
  for (uint32_t v = 0; v < vertex_count; v++) {
    const uint16_t *joints;
    const float *weights;
    float sum;
    uint32_t count = influences_of(binding, v, &joints, &weights, &sum);
    supple_result result = check_vertex(a, v, joints, count, sum, error);
    if (result) return result;
    char *at = (char *)a->joints + v * joint_stride;
    for (uint32_t i = 0; i < a->influences; i++)
      put_number(at + i * number_size(a->joint_number), a->joint_number, i < count ? joints[i] : 0);
    put_weights((char *)a->weights + v * weight_stride, a, weights, count, sum);
  }
  return SUPPLE_OK;
}

size_t supple_shader_pairs_size(const supple_binding *binding, uint32_t influences,
                                uint32_t texture_width) {
  uint64_t count = influences ? (uint64_t)supple_binding_vertex_count(binding) * influences
                              : supple_binding_cleaning(binding)->influences;
  return texels_size(count, 8, texture_width);
}

static void put_pair(char *at, uint32_t joint, float weight) {
  memcpy(at, &joint, sizeof joint);
  memcpy(at + sizeof joint, &weight, sizeof weight);
}

supple_result supple_shader_pairs_pack(const supple_binding *binding, uint32_t influences,
                                       void *pairs, size_t size, uint32_t (*ranges)[2],
                                       supple_error *error) {
  size_t used = supple_shader_pairs_size(binding, influences, 0), at = 0;
  uint32_t vertex_count = supple_binding_vertex_count(binding);
  bool too_many = used == 0 && supple_binding_cleaning(binding)->influences > 0;
  if ((influences != 0 && influences != 4 && influences != 8) || used > size || too_many)
    return supplei_fail(error, SUPPLE_ERROR_ARGUMENT, NULL, SIZE_MAX,
                        "influences are 4, 8 or 0; %zu bytes are needed, and there is room for %zu",
                        used, size);
  for (uint32_t v = 0; v < vertex_count; v++) {
    const uint16_t *joints;
    const float *weights;
    float sum;
    uint32_t count = influences_of(binding, v, &joints, &weights, &sum);
    if (influences && count > influences) return fail_count(v, count, influences, error);
    if (ranges) ranges[v][0] = (uint32_t)(at / 8), ranges[v][1] = count;
    uint32_t padded = influences ? influences : count;
    for (uint32_t i = 0; i < padded; i++, at += 8)
      put_pair((char *)pairs + at, i < count ? joints[i] : 0, i < count ? weights[i] * sum : 0);
  }
  clear_rest(pairs, at, size);
  return SUPPLE_OK;
}

/* ---- morph targets and vertices ---- */

size_t supple_shader_targets_size(const supple_primitive *primitive, uint32_t streams,
                                  uint32_t texture_width) {
  uint64_t rows = (uint64_t)primitive->vertex_count * primitive->target_count;
  return rows > UINT64_MAX / 4 ? 0 : texels_size(rows * streams, 16, texture_width);
}

supple_result supple_shader_targets_pack(const supple_primitive *primitive, uint32_t streams,
                                         const uint32_t *order, float *out, size_t size) {
  size_t used = supple_shader_targets_size(primitive, streams, 0);
  bool empty = primitive->vertex_count == 0 || primitive->target_count == 0;
  if (streams < 1 || streams > 3 || used > size || (used == 0 && !empty))
    return SUPPLE_ERROR_ARGUMENT;
  if (size) memset(out, 0, size);
  float *at = out;
  for (uint32_t t = 0; t < primitive->target_count; t++) {
    const supple_morph_target *target = &primitive->targets[t];
    const float *offsets[3] = {target->positions, target->normals, target->tangents};
    for (uint32_t v = 0; v < primitive->vertex_count; v++)
      for (uint32_t s = 0; s < streams; s++, at += 4)
        if (offsets[s]) memcpy(at, offsets[s] + (size_t)(order ? order[v] : v) * 3, 12);
  }
  return SUPPLE_OK;
}

supple_result supple_shader_rest_pack(const supple_primitive *primitive, uint32_t streams,
                                      const uint32_t *order, float *out, uint32_t stride) {
  static const uint32_t widths[] = {3, 3, 4}, needed[] = {3, 6, 10};
  const float *sources[] = {primitive->positions, primitive->normals, primitive->tangents};
  if (streams < 1 || streams > 3 || stride < needed[streams - 1]) return SUPPLE_ERROR_ARGUMENT;
  for (size_t v = 0; v < primitive->vertex_count; v++) {
    float *at = out + v * stride;
    for (uint32_t s = 0; s < streams; at += widths[s], s++) {
      size_t from = (order ? order[v] : v) * widths[s];
      if (sources[s])
        memcpy(at, sources[s] + from, widths[s] * sizeof *at);
      else
        memset(at, 0, widths[s] * sizeof *at);
    }
  }
  return SUPPLE_OK;
}
