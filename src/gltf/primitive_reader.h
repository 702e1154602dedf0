/* primitive_reader.h: the parts of one mesh primitive. */
#ifndef SUPPLEI_PRIMITIVE_READER_H
#define SUPPLEI_PRIMITIVE_READER_H

#include "loader.h"

/* JOINTS_n and WEIGHTS_n, joined set after set (reader_influences.c). *joint_limit: one more
 * than the largest joint that a weight, or a vertex without any, uses. */
supple_result supplei_read_influences(supplei_loader *loader, uint32_t attributes,
                                      supple_primitive *primitive, uint32_t *joint_limit);

/* Fails naming the first vertex that uses a joint beyond joint_count (which there must be). */
supple_result supplei_fail_joint(supplei_loader *loader, const supple_primitive *primitive,
                                 uint32_t joint_count, uint32_t skin);

/* TEXCOORD_0 and COLOR_0 (reader_looks.c). */
supple_result supplei_read_looks(supplei_loader *loader, uint32_t attributes,
                                 supple_primitive *primitive);

/* Indices, unrolled to a list, of a primitive whose vertex_count is known (reader_indices.c). */
supple_result supplei_read_indices(supplei_loader *loader, uint32_t object,
                                   supple_primitive *primitive);

/* Targets, as many as the file has (reader_targets.c). */
supple_result supplei_read_targets(supplei_loader *loader, uint32_t object,
                                   supple_primitive *primitive);

/* One float stream of `attributes`; *values stays NULL where it is absent or nothing is to be
 * decoded. */
typedef struct supplei_stream_rule {
  const char *key;
  uint8_t width;
  unsigned types;      /* that KHR_mesh_quantization adds to float */
  bool must_be_finite; /* else only noted */
  unsigned core_types; /* that glTF itself allows beside float */
} supplei_stream_rule;
supple_result supplei_read_stream(supplei_loader *loader, uint32_t attributes,
                                  const supplei_stream_rule *rule, uint32_t vertex_count,
                                  const float **values);

#endif
