/* fixture_arm.c: the fixture "arm", a capped cylinder that meets its two joints in the middle. */
#include "fixture.h"

enum { SEGMENTS = 64, STEPS = 120, RINGS = STEPS + 5 };
static const double radius = 0.3, length = 2.6;
static const double blend = 0.38; /* the second joint's weight grows from −blend to +blend */

/* Keys of a joint that is first twisted about Y, then bent about Z; at most 15 degrees a step. */
static bool add_clip(cli_fixture *f, const char *name, double twist, double bend, uint32_t steps) {
  supple_clip *clip = cli_fixture_clip(f, name, 1);
  const float *times = cli_fixture_times(f, steps);
  float *values = cli_fixture_channel(f, clip, 1, SUPPLE_PATH_ROTATION, times, steps + 1);
  if (!values) return false;
  for (uint32_t i = 0; i <= steps; i++) {
    supple_quat first = cli_fixture_turn(supple_vec3_make(0, 1, 0), twist * i / steps);
    supple_quat then = cli_fixture_turn(supple_vec3_make(0, 0, 1), bend * i / steps);
    cli_fixture_store_quat(values + (size_t)4 * i, supple_quat_multiply(then, first));
  }
  return true;
}

static void put_rings(cli_fixture_ring rings[RINGS]) {
  uint32_t count = 0;
  rings[count++] = (cli_fixture_ring){.y = -length / 2, .radius = 0, .rise = -1};
  rings[count++] = (cli_fixture_ring){.y = -length / 2, .radius = radius, .rise = -1};
  for (int i = 0; i <= STEPS; i++) {
    double y = length * (i - STEPS / 2) / STEPS;
    rings[count++] = (cli_fixture_ring){.y = y, .radius = radius, .crease = i == 0};
  }
  rings[count++] = (cli_fixture_ring){.y = length / 2, .radius = radius, .rise = 1, .crease = true};
  rings[count++] = (cli_fixture_ring){.y = length / 2, .radius = 0, .rise = 1};
}

bool cli_fixture_build_arm(cli_fixture *f) {
  static const float color[3] = {0.80f, 0.36f, 0.22f};
  cli_fixture_ring rings[RINGS];
  cli_fixture_size size = {.joint_count = 2, .influence_count = 4};
  put_rings(rings);
  cli_fixture_revolve_size(rings, RINGS, SEGMENTS, &size);
  if (!cli_fixture_begin(f, "arm", &size, color)) return false;
  cli_fixture_place(f, 0, "upper", SUPPLE_NONE, supple_vec3_make(0, -length / 2, 0));
  cli_fixture_place(f, 1, "lower", 0, supple_vec3_make(0, length / 2, 0));
  cli_fixture_bind(f);
  cli_fixture_revolve(f, rings, RINGS, SEGMENTS, CLI_DIAGONALS_WITH);
  for (uint32_t i = 0; i < size.vertex_count; i++) {
    double second = cli_fixture_smoothstep(-blend, blend, (double)f->positions[(size_t)3 * i + 1]);
    cli_fixture_weigh(f, i, (double[]){1 - second, second});
  }
  return add_clip(f, "twist-180", 180, 0, 12) && add_clip(f, "bend-129", 0, 129, 9) &&
         add_clip(f, "twist-90-bend-100", 90, 100, 20);
}
