/* fixture.h: rigs and meshes built by arithmetic, with their poses as clips of one second.
 *
 * A fixture is the same bits on every machine: no trigonometry but the library's own, no
 * contraction of multiply and add. Y is up, metres. */
#ifndef SUPPLE_CLI_FIXTURE_H
#define SUPPLE_CLI_FIXTURE_H

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include "gltf_write.h"

#include <supple/supple.h>

enum { CLI_FIXTURE_CLIPS = 4, CLI_FIXTURE_JOINTS = 32 };

/* One skinned mesh of one primitive. The arrays are what `gltf` shows, to be filled by the
 * builder; nodes are the joints, in the skin's order, then `extra` ones, then the node that has
 * mesh and skin. */
typedef struct cli_fixture {
  cli_gltf gltf; /* ready to be written */
  supple_node *nodes;
  uint32_t joint_count;
  supple_mesh mesh;
  supple_primitive primitive;
  supple_skin skin;
  supple_material material;
  supple_clip clips[CLI_FIXTURE_CLIPS];
  float *positions, *normals, *weights; /* [vertex_count] of 3, 3, influence_count */
  uint16_t *joints;
  uint32_t *indices;
  supple_affine64 *inverse_binds;
  uint32_t *parents;                /* the skin's */
  struct cli_fixture_block *blocks; /* all memory */
} cli_fixture;

typedef struct cli_fixture_kind {
  const char *name;
  const char *summary;                 /* one line, no full stop */
  bool (*build)(cli_fixture *fixture); /* false: out of memory */
} cli_fixture_kind;

/* All of them; ends with one whose name is NULL. */
extern const cli_fixture_kind cli_fixtures[];
/* By name; NULL where there is none. */
const cli_fixture_kind *cli_fixture_find(const char *name);
/* NULL: out of memory. */
cli_fixture *cli_fixture_create(const cli_fixture_kind *kind);
void cli_fixture_free(cli_fixture *fixture);

bool cli_fixture_build_arm(cli_fixture *fixture);
bool cli_fixture_build_ring(cli_fixture *fixture);
bool cli_fixture_build_shear(cli_fixture *fixture);
bool cli_fixture_build_tube(cli_fixture *fixture);
bool cli_fixture_build_figure(cli_fixture *fixture);

/* ---- for the builders ---- */

/* count · size bytes, cleared, freed with the fixture; NULL on overflow or when out of memory. */
void *cli_fixture_allocate(cli_fixture *fixture, size_t count, size_t size);

/* Sizes of a fixture. joint_count at most CLI_FIXTURE_JOINTS; influence_count a multiple of
 * four. */
typedef struct cli_fixture_size {
  uint32_t joint_count, extra_nodes, vertex_count, triangle_count, influence_count;
} cli_fixture_size;
/* Makes all arrays; joints at the identity, named by nobody, the mesh node last. False: out of
 * memory. */
bool cli_fixture_begin(cli_fixture *fixture, const char *name, const cli_fixture_size *size,
                       const float color[3]);
/* Names a node and puts it `translation` from its parent (SUPPLE_NONE: a root). */
void cli_fixture_place(cli_fixture *fixture, uint32_t node, const char *name, uint32_t parent,
                       supple_vec3 translation);
/* Sets the inverse bind matrices so that the nodes at rest are the bind pose, and the skin's
 * parents. No joint may be singular. */
void cli_fixture_bind(cli_fixture *fixture);
/* The influences of a vertex from a weight for each joint: the largest ones, divided by their
 * sum, largest first, stored so that the floats sum to 1 as closely as they can. */
void cli_fixture_weigh(cli_fixture *fixture, uint32_t vertex, const double *weights);
/* A clip with room for so many channels, which cli_fixture_channel adds one by one. NULL: out of
 * memory. */
supple_clip *cli_fixture_clip(cli_fixture *fixture, const char *name, uint32_t channel_count);
/* Times of `steps` equal steps from 0 to exactly 1 second: steps + 1 keys. NULL: out of memory. */
float *cli_fixture_times(cli_fixture *fixture, uint32_t steps);
/* Adds a linear channel and returns its values, to be filled. NULL: out of memory. */
float *cli_fixture_channel(cli_fixture *fixture, supple_clip *clip, uint32_t node, supple_path path,
                           const float *times, uint32_t key_count);

/* Degrees about a unit axis. Multiples of 180 are exact: at 180 the real part is 0. */
supple_quat cli_fixture_turn(supple_vec3 axis, double degrees);
void cli_fixture_store_quat(float *values, supple_quat q);
/* 0 below `begin`, 1 above `end`, 3 t² − 2 t³ between. */
double cli_fixture_smoothstep(double begin, double end, double x);

/* A surface of revolution about the Y axis, ring by ring from below. A ring of radius 0 is one
 * vertex, a pole, and ends the surface. */
typedef struct cli_fixture_ring {
  double y, radius;
  double rise; /* the normal's y component */
  bool crease; /* no faces to the ring before: it repeats that one with another normal */
} cli_fixture_ring;
/* Vertices and triangles that cli_fixture_revolve makes. */
void cli_fixture_revolve_size(const cli_fixture_ring *rings, uint32_t ring_count, uint32_t segments,
                              cli_fixture_size *size);
/* How the diagonals of the quads climb: in the sense of a positive turn about +Y, or against it. A
 * positive twist of what is above lengthens the former, and shortens the latter. */
typedef enum cli_fixture_diagonals {
  CLI_DIAGONALS_WITH,
  CLI_DIAGONALS_AGAINST
} cli_fixture_diagonals;
/* Fills positions, normals and indices. Vertex 0 of a ring is at +X, the next ones follow in the
 * sense of a positive turn about +Y. Faces look outward. */
void cli_fixture_revolve(cli_fixture *fixture, const cli_fixture_ring *rings, uint32_t ring_count,
                         uint32_t segments, cli_fixture_diagonals diagonals);
/* Rings of a rod with round ends, poles included: 2 · cap + body + 1 of them; rods of `length`
 * in all, its middle at y = 0. */
uint32_t cli_fixture_rod(cli_fixture_ring *rings, double radius, double length, uint32_t cap,
                         uint32_t body);

#endif
