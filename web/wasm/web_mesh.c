/* web_mesh.c: deforming arrays of the caller, for meshes that do not come from an asset of ours. */
#include "web.h"

#include <stdlib.h>
#include <string.h>

typedef struct web_mesh {
  supple_primitive primitive;
  supple_binding *binding;
  supple_prepared *prepared;
  supple_palette palette;
  float *memory[8]; /* positions, normals, tangents, out of the three, matrices, - */
} web_mesh;

enum { IN_POSITIONS, IN_NORMALS, IN_TANGENTS, OUT_POSITIONS, OUT_NORMALS, OUT_TANGENTS, MATRICES };

WEB_EXPORT void web_mesh_free(web_mesh *mesh) {
  if (!mesh) return;
  supple_prepared_destroy(mesh->prepared);
  supple_binding_destroy(mesh->binding);
  for (int i = 0; i < 8; i++) free(mesh->memory[i]);
  free(mesh);
}

/* Copies the influences: joints[vertex_count][influence_count], weights likewise. The streams' memory is the mesh's:
 * fill web_mesh_stream 0 (positions), 1 (normals), 2 (tangents) and 6 (matrices, 12 floats a joint, three rows of
 * four), then update and deform, and read streams 3, 4, 5. */
WEB_EXPORT web_mesh *web_mesh_create(uint32_t vertex_count, uint32_t influence_count,
                                     const uint16_t *joints, const float *weights,
                                     uint32_t joint_count, uint32_t normals, uint32_t tangents,
                                     uint32_t keep, uint32_t scale) {
  web_error = (supple_error){.result = SUPPLE_ERROR_MEMORY, .message = "out of memory"};
  web_mesh *mesh = calloc(1, sizeof *mesh);
  if (!mesh) return NULL;
  const size_t count = vertex_count ? vertex_count : 1;
  const size_t widths[] = {3, normals ? 3 : 0, tangents ? 4 : 0,
                           3, normals ? 3 : 0, tangents ? 4 : 0};
  bool fine = true;
  for (int i = 0; i <= OUT_TANGENTS; i++)
    if (widths[i]) fine = (mesh->memory[i] = calloc(count, widths[i] * sizeof(float))) && fine;
  fine =
      (mesh->memory[MATRICES] = calloc(joint_count ? joint_count : 1, 12 * sizeof(float))) && fine;
  mesh->primitive = (supple_primitive){.vertex_count = vertex_count,
                                       .positions = mesh->memory[IN_POSITIONS],
                                       .influence_count = influence_count,
                                       .joints = joints,
                                       .weights = weights,
                                       .material = SUPPLE_NONE};
  const supple_binding_options options = {.weights = keep ? SUPPLE_WEIGHTS_KEEP
                                                          : SUPPLE_WEIGHTS_NORMALISE};
  if (fine) mesh->binding = supple_binding_create(&mesh->primitive, &options, &web_error);
  if (mesh->binding)
    mesh->prepared = supple_prepared_create(
        mesh->binding, &(supple_prepared_options){.scale = (supple_scale)scale}, &web_error);
  if (!mesh->prepared) {
    web_mesh_free(mesh);
    return NULL;
  }
  mesh->primitive.joints = NULL; /* the binding has its own */
  mesh->primitive.weights = NULL;
  mesh->palette = (supple_palette){.joint_count = joint_count,
                                   .matrices = (supple_affine *)(void *)mesh->memory[MATRICES]};
  return mesh;
}

WEB_EXPORT float *web_mesh_stream(const web_mesh *mesh, uint32_t stream) {
  return stream < 8 ? mesh->memory[stream] : NULL;
}

/* Takes the matrices, for method 0 (LBS) or 1 (DQS); returns a supple_result. */
WEB_EXPORT int web_mesh_update(web_mesh *mesh, uint32_t method) {
  return (int)supple_prepared_update(mesh->prepared, mesh->binding, &mesh->palette,
                                     (supple_method)method);
}

/* Deforms vertices begin … end - 1; normal_mode is a supple_normals, any other: positions alone. */
WEB_EXPORT int web_mesh_deform(web_mesh *mesh, uint32_t begin, uint32_t end, uint32_t normal_mode) {
  float *const *m = mesh->memory;
  supple_job job = {.prepared = mesh->prepared,
                    .positions = {m[IN_POSITIONS], 12},
                    .out_positions = {m[OUT_POSITIONS], 12}};
  if (normal_mode <= SUPPLE_NORMALS_LINEAR) {
    job.normal_mode = (supple_normals)normal_mode;
    job.normals = (supple_stream){m[IN_NORMALS], 12};
    job.tangents = (supple_stream){m[IN_TANGENTS], 16};
    job.out_normals = (supple_out_stream){m[OUT_NORMALS], 12};
    job.out_tangents = (supple_out_stream){m[OUT_TANGENTS], 16};
  }
  return (int)supple_deform_range(&job, begin, end, NULL);
}
