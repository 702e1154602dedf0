/* bake.h: what the parts of `supple bake` share: what is baked, and one frame of it.
 *
 *   plan (which frames of what) -> frame makers, one a thread -> records, in order -> a sink:
 *   the writer of the format (bake_pc2.h, bake_npz.h, bake_gltf.h), a part file (bake_part.h), or a table of bounds.
 *
 * Everything that depends on a frame is in its record; a writer gets records in the order of frames, whether they
 * were made just now or read from part files. So one file comes out, byte for byte, whatever the threads and shards. */
#ifndef SUPPLE_CLI_BAKE_H
#define SUPPLE_CLI_BAKE_H

#include "output.h"
#include "stage.h"

enum { BAKE_FRAMES_MOST = 1000000 };

typedef enum bake_format {
  BAKE_PC2,    /* positions alone */
  BAKE_NPZ,    /* positions, normals */
  BAKE_GLB,    /* morph targets: what differs from the first frame */
  BAKE_STATIC, /* one pose by cli_export: .obj .ply … */
  BAKE_BOUNDS  /* boxes alone, printed */
} bake_format;

/* A skinned primitive of an instance. Vertices of all of them are numbered through, in file order: by node
 * (each copy of EXT_mesh_gpu_instancing), by primitive of its mesh, then as glTF stores them. */
typedef struct bake_primitive {
  uint32_t instance;  /* of the stage */
  uint32_t primitive; /* of the instance's mesh */
  uint32_t copy;      /* of the instance (EXT_mesh_gpu_instancing); 0 in a .glb, which keeps them */
  const supple_primitive *source; /* what it is made of */
  size_t first_vertex;
} bake_primitive;

/* What is baked. */
typedef struct bake_plan {
  const cli_stage *stage; /* borrowed */
  const char *output;     /* path, or NULL */
  bake_format format;
  supple_method method;
  uint32_t clip; /* SUPPLE_NONE: nodes as stored */
  double *times; /* [frame_count] seconds of the clip; owned */
  uint32_t frame_count;
  bake_primitive *primitives; /* [primitive_count]; owned */
  uint32_t primitive_count;
  size_t vertex_count; /* of all primitives */
  bool normals;        /* records have them: the format takes them, and some primitive has them */
  bool tangents;       /* likewise; of one pose alone */
  bool step;           /* .glb: frames are held, not blended */
  double start_frame;  /* .pc2 */
  uint32_t shard, shard_count;     /* from 0; 1 of them: all in one */
  uint32_t frame_begin, frame_end; /* of the shard */
} bake_plan;

/* One frame. data (little endian, floats): all positions; where the plan has normals, all normals, zeros where a
 * primitive has none; likewise tangents, four floats each. For glb what bake_delta.h makes of that. */
typedef struct bake_record {
  unsigned char *data;
  size_t size, capacity;
  uint32_t crcs[2];     /* .npz: of positions and normals */
  supple_bounds bounds; /* BAKE_BOUNDS */
} bake_record;

/* Takes frame number `frame`; an exit code. */
typedef int bake_sink(void *user, uint32_t frame, const bake_record *record);

#endif
