/* bench_mesh.h: what `supple bench` deforms: tubes along a chain of 64 joints, and primitives of assets. */
#ifndef SUPPLE_CLI_BENCH_MESH_H
#define SUPPLE_CLI_BENCH_MESH_H

#include <supple/supple.h>

#include <stdbool.h>
#include <stdint.h>

/* How the vertices of a tube follow its joints. */
typedef enum cli_bench_kind {
  CLI_BENCH_COHERENT, /* four joints in a row, neighbours alike */
  CLI_BENCH_SHUFFLED, /* the same vertices in random order */
  CLI_BENCH_RANDOM,   /* any four joints */
  CLI_BENCH_VARIED,   /* one to four joints in a row */
  CLI_BENCH_EIGHT     /* eight joints in a row */
} cli_bench_kind;

typedef enum cli_bench_scale {
  CLI_BENCH_RIGID,
  CLI_BENCH_COMMON,     /* all joints by the same factor */
  CLI_BENCH_ONE_SCALED, /* one joint of 64, unevenly */
  CLI_BENCH_AFFINE      /* all joints unevenly */
} cli_bench_scale;

/* Each joint turns against the one before it, about any axis, by up to so much. */
typedef enum cli_bench_pose {
  CLI_BENCH_SMALL, /* 0.3 rad */
  CLI_BENCH_LARGE, /* 1.2 rad */
  CLI_BENCH_LARGER /* 2.5 rad */
} cli_bench_pose;

enum { CLI_BENCH_SCALES = CLI_BENCH_AFFINE + 1, CLI_BENCH_POSES = CLI_BENCH_LARGER + 1 };
enum { CLI_BENCH_JOINTS = 64, CLI_BENCH_NAME = 64 };

/* Arrays are aligned to 64 bytes. */
typedef struct cli_bench_mesh {
  char name[CLI_BENCH_NAME];
  uint32_t vertex_count, joint_count;
  uint32_t influence_count; /* of each vertex, those of weight 0 included */
  float *positions, *normals, *tangents, *weights;
  uint16_t *joints;
  supple_affine *matrices; /* of an asset: the one pose it is timed in; NULL for tubes */
} cli_bench_mesh;

/* False: out of memory (freed). */
bool cli_bench_mesh_tube(cli_bench_mesh *mesh, cli_bench_kind kind, uint32_t vertex_count);
/* A primitive in the pose of a palette, its weights normalised, a multiple of four influences a vertex;
 * normals and tangents where it has them. The palette may go. False: out of memory, or it has no influence. */
bool cli_bench_mesh_primitive(cli_bench_mesh *mesh, const supple_primitive *primitive,
                              const supple_palette *palette, const char *name);
void cli_bench_mesh_free(cli_bench_mesh *mesh);
/* The matrices of a tube's joints, and the dual quaternions of their rigid parts (8 floats a joint). */
void cli_bench_pose_tube(cli_bench_pose pose, cli_bench_scale scale, supple_affine *matrices,
                         float *dual_quats);

/* Room for count floats and more, aligned to 64 bytes, zeroed; freed by cli_bench_release. NULL where
 * memory runs out. */
void *cli_bench_memory(size_t bytes);
void cli_bench_release(void *memory);

#endif
