/* fixture_tube.c: the fixture "tube", twelve joints that all move every vertex: three influence
 * sets. */
#include "fixture.h"

enum { JOINTS = 12, SEGMENTS = 32, CAP = 8, BODY = 120, RINGS = 2 * CAP + BODY + 1, STEPS = 4 };
static const double radius = 0.25, length = 3.0, twist = 360;

/* Falls off with the distance in joints, and never to 0: at the far end 4e-6 is left. */
static double falloff(double distance) {
  double base = 1 + distance * distance / 2;
  return 1 / (base * base * base);
}

bool cli_fixture_build_tube(cli_fixture *f) {
  static const float color[3] = {0.36f, 0.55f, 0.24f};
  static const char *const names[JOINTS] = {"joint.0", "joint.1", "joint.2",  "joint.3",
                                            "joint.4", "joint.5", "joint.6",  "joint.7",
                                            "joint.8", "joint.9", "joint.10", "joint.11"};
  cli_fixture_ring rings[RINGS];
  cli_fixture_size size = {.joint_count = JOINTS, .influence_count = JOINTS};
  cli_fixture_rod(rings, radius, length, CAP, BODY);
  cli_fixture_revolve_size(rings, RINGS, SEGMENTS, &size);
  if (!cli_fixture_begin(f, "tube", &size, color)) return false;
  cli_fixture_revolve(f, rings, RINGS, SEGMENTS, CLI_DIAGONALS_WITH);
  double spacing = length / JOINTS, first = -length / 2 + spacing / 2;
  for (uint32_t k = 0; k < JOINTS; k++) {
    supple_vec3 translation = supple_vec3_make(0, k ? spacing : first, 0);
    cli_fixture_place(f, k, names[k], k ? k - 1 : SUPPLE_NONE, translation);
  }
  cli_fixture_bind(f);
  for (uint32_t i = 0; i < size.vertex_count; i++) {
    double weights[JOINTS];
    double along = ((double)f->positions[(size_t)3 * i + 1] - first) / spacing;
    for (uint32_t k = 0; k < JOINTS; k++) weights[k] = falloff(along - k);
    cli_fixture_weigh(f, i, weights);
  }
  supple_clip *clip = cli_fixture_clip(f, "twist-360", JOINTS - 1);
  const float *times = cli_fixture_times(f, STEPS);
  for (uint32_t k = 1; k < JOINTS; k++) {
    float *values = cli_fixture_channel(f, clip, k, SUPPLE_PATH_ROTATION, times, STEPS + 1);
    if (!values) return false;
    for (uint32_t i = 0; i <= STEPS; i++) {
      double degrees = twist / (JOINTS - 1) * i / STEPS;
      cli_fixture_store_quat(values + (size_t)4 * i,
                             cli_fixture_turn(supple_vec3_make(0, 1, 0), degrees));
    }
  }
  return true;
}
