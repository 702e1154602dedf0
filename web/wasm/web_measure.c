/* web_measure.c: sections, kept, volume and deviation of a posed instance, and check and fix of a file. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

WEB_EXPORT supple_measure *web_measure_create(const web_skinned *skinned) {
  return supple_measure_create(&skinned->asset->skeleton, skinned->instance, skinned->bindings,
                               NULL, &web_error);
}
WEB_EXPORT void web_measure_free(supple_measure *measure) { supple_measure_destroy(measure); }
WEB_EXPORT double web_measure_diagonal(const supple_measure *measure) {
  return supple_measure_diagonal(measure);
}

/* What is known of the joints before any pose, as JSON; free it with web_free. */
WEB_EXPORT char *web_measure_joints(const supple_measure *measure) {
  web_text text = {0};
  web_array(&text, NULL);
  for (uint32_t i = 0; i < supple_measure_joint_count(measure); i++) {
    const supple_measured_joint *joint = supple_measure_joint(measure, i);
    web_object(&text, NULL);
    web_string(&text, "status", supple_joint_status_text(joint->status));
    web_index(&text, "parent", joint->parent);
    web_index(&text, "child", joint->child);
    web_bool(&text, "shared", joint->shared);
    web_array(&text, "outgoing");
    web_number(&text, NULL, joint->outgoing.x);
    web_number(&text, NULL, joint->outgoing.y);
    web_number(&text, NULL, joint->outgoing.z);
    web_end(&text, ']');
    web_array(&text, "incoming");
    web_number(&text, NULL, joint->incoming.x);
    web_number(&text, NULL, joint->incoming.y);
    web_number(&text, NULL, joint->incoming.z);
    web_end(&text, ']');
    web_array(&text, "sections");
    for (uint32_t k = 0; k < SUPPLE_SECTION_COUNT; k++)
      web_number(&text, NULL, supple_measure_section_size(measure, i, k));
    web_end(&text, ']');
    web_end(&text, '}');
  }
  web_end(&text, ']');
  return web_finish(&text);
}

enum { INSTANCE_NUMBERS = 6, JOINT_NUMBERS = SUPPLE_SECTION_COUNT + 7 };

static supple_measure_frame frame_of(const web_skinned *skinned, uint32_t method) {
  bool morphs = false;
  for (uint32_t i = 0; i < skinned->instance->primitive_count; i++)
    morphs = morphs || skinned->morphed[i];
  return (supple_measure_frame){.palette = skinned->palette,
                                .prepared =
                                    (const supple_prepared *const *)skinned->prepared[method],
                                .positions = (const float *const *)skinned->positions[method],
                                .rest = morphs ? (const float *const *)skinned->morphed : NULL};
}

/* Measures what method deformed last. numbers: 6 of the instance (volume, edge mean, least, most, flipped,
 * kept_below), then for each joint 16: sections 0 … 8, projected, radius, bulge, worst, its offset's number (or
 * -1), kept, own kept. Absent ones are NaN. Returns a supple_result. */
WEB_EXPORT int web_measure_evaluate(const supple_measure *measure, const web_skinned *skinned,
                                    uint32_t method, double *numbers) {
  const uint32_t count = supple_measure_joint_count(measure);
  supple_joint_measure *joints = malloc((count ? count : 1) * sizeof *joints);
  supple_instance_measure whole;
  if (!joints) return SUPPLE_ERROR_MEMORY;
  const supple_measure_frame frame = frame_of(skinned, method);
  const supple_result result = supple_measure_evaluate(measure, &frame, &whole, joints);
  if (!result) {
    const double first[INSTANCE_NUMBERS] = {whole.volume,    whole.edge_mean, whole.edge_least,
                                            whole.edge_most, whole.flipped,   whole.kept_below};
    memcpy(numbers, first, sizeof first);
    for (uint32_t i = 0; i < count; i++) {
      const supple_joint_measure *joint = &joints[i];
      double *to = numbers + INSTANCE_NUMBERS + (size_t)i * JOINT_NUMBERS;
      memcpy(to, joint->section, sizeof joint->section);
      to += SUPPLE_SECTION_COUNT;
      to[0] = joint->section_projected;
      to[1] = joint->radius;
      to[2] = joint->bulge;
      to[3] = joint->worst;
      to[4] = joint->worst_offset == SUPPLE_NONE ? -1 : joint->worst_offset;
      to[5] = joint->kept;
      to[6] = joint->own_kept;
    }
  }
  free(joints);
  return (int)result;
}

/* Largest and root mean square distance of the two methods' last deformations, in metres. */
WEB_EXPORT void web_measure_deviation(const supple_measure *measure, const web_skinned *skinned,
                                      double numbers[2]) {
  supple_measure_deviation(measure, (const float *const *)skinned->positions[1],
                           (const float *const *)skinned->positions[0], &numbers[0], &numbers[1]);
}

/* The points of a section as posed by a method (2: in the bind pose) into xyz[3 * size]; returns how many. */
WEB_EXPORT uint32_t web_measure_section(const supple_measure *measure, const web_skinned *skinned,
                                        uint32_t joint, uint32_t section, uint32_t method,
                                        double *xyz) {
  const uint32_t size = supple_measure_section_size(measure, joint, section);
  if (size)
    supple_measure_section_points(
        measure, joint, section,
        method < 2 ? (const float *const *)skinned->positions[method] : NULL, (supple_vec3 *)xyz);
  return size;
}

/* Kept of every vertex of a primitive by a method's last deformation, into kept[vertices] as floats. */
WEB_EXPORT int web_measure_kept(const supple_measure *measure, const web_skinned *skinned,
                                uint32_t method, uint32_t primitive, float *kept) {
  const uint32_t count = skinned->instance->primitives[primitive]->vertex_count;
  const supple_measure_frame frame = frame_of(skinned, method);
  double *doubles = malloc((count ? count : 1) * sizeof *doubles);
  if (!doubles) return SUPPLE_ERROR_MEMORY;
  const supple_result result = supple_measure_kept(measure, &frame, primitive, doubles);
  for (uint32_t i = 0; i < count && !result; i++) kept[i] = (float)doubles[i];
  free(doubles);
  return (int)result;
}
