/* consumer.c: somebody's program, as C11 and as C++17: two joints, one turned by 180 degrees,
 * and a vertex that follows both by half. By hand: linear blending puts it on the axis, dual
 * quaternions turn it by 90. */
#include <supple/supple.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const float rest[] = {1, 0, 0, 0, 2, 0};
static const uint16_t joints[] = {0, 1, 0, 1};
static const float weights[] = {0.5f, 0.5f, 1, 0};

/* Both vertices under a method into xyz; false on any failure. */
static bool deform(const supple_binding *binding, const supple_palette *palette,
                   supple_method method, float *xyz) {
  supple_prepared *prepared = supple_prepared_create(binding, NULL, NULL);
  supple_job job;
  bool fine;
  memset(&job, 0, sizeof job);
  job.prepared = prepared;
  job.positions.data = rest, job.positions.stride = 3 * sizeof(float);
  job.out_positions.data = xyz, job.out_positions.stride = 3 * sizeof(float);
  fine = prepared && supple_prepared_update(prepared, binding, palette, method) == SUPPLE_OK &&
         supple_deform(&job) == SUPPLE_OK;
  supple_prepared_destroy(prepared);
  return fine;
}

static bool near(const float *xyz, double x, double y, double z) {
  return fabs((double)xyz[0] - x) < 1e-6 && fabs((double)xyz[1] - y) < 1e-6 &&
         fabs((double)xyz[2] - z) < 1e-6;
}

int main(void) {
  /* the second turns by 180 degrees about Y */
  supple_affine matrices[2] = {{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                               {{{-1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, -1, 0}}}};
  supple_primitive primitive;
  supple_palette palette;
  supple_error error;
  supple_binding *binding;
  float lbs[6], dqs[6];
  bool fine;

  memset(&primitive, 0, sizeof primitive);
  primitive.vertex_count = 2;
  primitive.positions = rest;
  primitive.influence_count = 2;
  primitive.joints = joints;
  primitive.weights = weights;
  memset(&palette, 0, sizeof palette);
  palette.joint_count = 2;
  palette.matrices = matrices;
  binding = supple_binding_create(&primitive, NULL, &error);
  if (!binding) return fprintf(stderr, "%s\n", error.message), 1;
  fine = deform(binding, &palette, SUPPLE_LBS, lbs) && deform(binding, &palette, SUPPLE_DQS, dqs);
  supple_binding_destroy(binding);

  fine = fine && near(lbs, 0, 0, 0) && near(dqs, 0, 0, -1) && near(lbs + 3, 0, 2, 0) &&
         near(dqs + 3, 0, 2, 0);
  fine = fine && strcmp(supple_version(), SUPPLE_VERSION_TEXT) == 0;
  /* the reader is linked too, and says what is wrong */
  fine = fine && !supple_asset_load_memory("{}", 2, NULL, &error) &&
         error.result == SUPPLE_ERROR_FORMAT;
  if (fine) printf("supple %s: consumed\n", supple_version());
  return fine ? 0 : 1;
}
