/* reader_copies.c: EXT_mesh_gpu_instancing on nodes that are skinned: where each copy is drawn. */
#include "../base/prologue.h"

#include "accessor.h"

#include <math.h>

enum { TRANSLATION, ROTATION, SCALE, STREAMS };

typedef struct copy_streams {
  uint32_t nodes[STREAMS]; /* what names them, or SUPPLE_NONE */
  supplei_accessor *accessors[STREAMS];
  uint32_t count; /* SUPPLE_NONE: not known yet */
} copy_streams;

/* An attribute that is known, or an application's own, which moves nothing but must be as long. */
static supple_result read_attribute(supplei_loader *loader, uint32_t node, copy_streams *streams) {
  static const supplei_shape any = {0}, vector = {3, 1, SUPPLEI_TYPE_F32},
                             quaternion = {4, 1,
                                           SUPPLEI_TYPE_F32 | SUPPLEI_TYPE_I8_NORMALIZED |
                                               SUPPLEI_TYPE_I16_NORMALIZED};
  supplei_shape shape = any;
  supplei_accessor *other, **accessor = &other;
  for (int i = 0; i < STREAMS; i++)
    if (streams->nodes[i] == node) {
      shape = i == ROTATION ? quaternion : vector;
      accessor = &streams->accessors[i];
    }
  uint32_t index;
  supple_result result =
      supplei_read_index(loader, node, loader->accessors.count, "accessors", &index);
  if (!result) result = supplei_accessor_read(loader, node, index, shape, accessor);
  if (result) return result;
  const uint32_t count = (*accessor)->elements.count;
  if (streams->count == SUPPLE_NONE) streams->count = count;
  if (count == streams->count) return SUPPLE_OK;
  return supplei_loader_wrong(loader, node, "accessor %u has %u elements, but others here have %u",
                              (unsigned)index, (unsigned)count, (unsigned)streams->count);
}

static supple_result decode(supplei_loader *loader, const copy_streams *streams, int stream,
                            const float **values) {
  supplei_accessor *accessor = streams->accessors[stream];
  if (!accessor) return SUPPLE_OK;
  supple_result result = supplei_accessor_floats(loader, accessor);
  if (result) return result;
  *values = accessor->floats;
  if (accessor->first_non_finite == SIZE_MAX) return SUPPLE_OK;
  return supplei_loader_fail(loader, streams->nodes[stream], SUPPLE_ERROR_NUMBER,
                             "copy %zu is not finite",
                             accessor->first_non_finite / accessor->elements.rows);
}

static supple_affine64 compose(const float *t, const float *r, const float *s, size_t i,
                               uint32_t *odd) {
  supple_transform transform = supple_transform_identity();
  if (t)
    transform.translation =
        supple_vec3_make((double)t[3 * i], (double)t[3 * i + 1], (double)t[3 * i + 2]);
  if (s)
    transform.scale = supple_vec3_make((double)s[3 * i], (double)s[3 * i + 1], (double)s[3 * i + 2]);
  if (r) {
    supple_quat q = supple_quat_make((double)r[4 * i], (double)r[4 * i + 1], (double)r[4 * i + 2],
                                     (double)r[4 * i + 3]);
    *odd += fabs(supple_quat_norm(q) - 1) > 0.05; /* a normalised int8 is off by 0.016 at most */
    transform.rotation = supple_quat_normalise(q);
  }
  return supple_transform_to_affine(&transform);
}

static supple_result fill(supplei_loader *loader, const copy_streams *streams,
                          supple_instance *instance) {
  const float *t = NULL, *r = NULL, *s = NULL;
  supple_affine64 *copies =
      supplei_loader_allocate(loader, streams->count, sizeof *copies, "the copies of an instance");
  if (!copies) return supplei_loader_memory_result(loader);
  supple_result result = decode(loader, streams, TRANSLATION, &t);
  if (!result) result = decode(loader, streams, ROTATION, &r);
  if (!result) result = decode(loader, streams, SCALE, &s);
  if (result) return result;
  uint32_t odd = 0;
  for (uint32_t i = 0; i < streams->count; i++) copies[i] = compose(t, r, s, i, &odd);
  if (odd)
    supplei_loader_note(loader, streams->nodes[ROTATION],
                        "%u rotations are not unit length; they are normalised", (unsigned)odd);
  instance->copies = copies;
  return SUPPLE_OK;
}

supple_result supplei_read_copies(supplei_loader *loader, uint32_t object,
                                  supple_instance *instance) {
  uint32_t attributes, extension = supplei_extension(loader, object, "EXT_mesh_gpu_instancing");
  copy_streams streams = {.count = SUPPLE_NONE};
  if (extension == SUPPLE_NONE) return SUPPLE_OK;
  supple_result result =
      supplei_require(loader, extension, "attributes", SUPPLEI_JSON_OBJECT, &attributes);
  if (result) return result;
  static const char *const keys[STREAMS] = {"TRANSLATION", "ROTATION", "SCALE"};
  for (int i = 0; i < STREAMS; i++)
    streams.nodes[i] = supplei_json_member(&loader->json, attributes, keys[i]);
  uint32_t count = supplei_node(loader, attributes)->count, node = attributes + 1;
  for (uint32_t i = 0; i < count && !result; i++, node = supplei_node(loader, node)->next)
    result = read_attribute(loader, node, &streams);
  if (result) return result;
  if (streams.count == SUPPLE_NONE) {
    supplei_loader_note(loader, attributes, "has no attribute; the node is drawn once");
    return SUPPLE_OK;
  }
  instance->copy_count = streams.count;
  return loader->options->structure_only ? SUPPLE_OK : fill(loader, &streams, instance);
}
