/* fixture_ring.c: the fixture "ring", the smallest tube that shows a candy wrapper: five rings
 * of twelve.
 *
 * Its diagonals climb against the twist, those of the arm with it: that is what the published
 * numbers of each were taken from (the mean edge under DQS is 1.084 with the others). */
#include "fixture.h"

enum { SEGMENTS = 12, RINGS = 5, STEPS = 12 };

bool cli_fixture_build_ring(cli_fixture *f) {
  static const float color[3] = {0.16f, 0.48f, 0.62f};
  static const double second[RINGS] = {0, 0, 0.5, 1, 1}; /* weights of the second joint */
  cli_fixture_ring rings[RINGS];
  cli_fixture_size size = {.joint_count = 2, .influence_count = 4};
  for (uint32_t r = 0; r < RINGS; r++)
    rings[r] = (cli_fixture_ring){.y = (double)r - 2, .radius = 0.5};
  cli_fixture_revolve_size(rings, RINGS, SEGMENTS, &size);
  if (!cli_fixture_begin(f, "ring", &size, color)) return false;
  f->material.double_sided = true;
  cli_fixture_place(f, 0, "lower", SUPPLE_NONE, supple_vec3_make(0, -2, 0));
  cli_fixture_place(f, 1, "upper", 0, supple_vec3_make(0, 2, 0));
  cli_fixture_bind(f);
  cli_fixture_revolve(f, rings, RINGS, SEGMENTS, CLI_DIAGONALS_AGAINST);
  for (uint32_t i = 0; i < size.vertex_count; i++) {
    double weight = second[i / SEGMENTS];
    cli_fixture_weigh(f, i, (double[]){1 - weight, weight});
  }
  supple_clip *clip = cli_fixture_clip(f, "twist-180", 1);
  const float *times = cli_fixture_times(f, STEPS);
  float *values = cli_fixture_channel(f, clip, 1, SUPPLE_PATH_ROTATION, times, STEPS + 1);
  for (uint32_t i = 0; values && i <= STEPS; i++) {
    cli_fixture_store_quat(values + (size_t)4 * i,
                           cli_fixture_turn(supple_vec3_make(0, 1, 0), 180.0 * i / STEPS));
  }
  return values != NULL;
}
