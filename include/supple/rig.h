/* rig.h: skeletons, clips, poses, palettes: from animation to one matrix a joint.
 *
 * Everything is composed in double precision and rounded once, into the palette. The structs without a
 * create function are plain data: the glTF reader fills them, or your own code does. */
#ifndef SUPPLE_RIG_H
#define SUPPLE_RIG_H

#include "base.h"
#include "math.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One node of the scene graph. Its local transform at rest is `rest`, or `matrix` where has_matrix (which
 * may shear). Children are the nodes whose parent it is. */
typedef struct supple_node {
  const char *name;            /* UTF-8, "" where it has none */
  uint32_t parent;             /* SUPPLE_NONE at a root */
  uint32_t mesh, skin, camera; /* SUPPLE_NONE where absent */
  bool has_matrix;             /* whether matrix counts at rest, not rest */
  supple_transform rest; /* where has_matrix: the nearest TRS, used once a channel animates the node */
  supple_affine64 matrix;              /* local, where has_matrix */
  uint32_t weight_begin, weight_count; /* its morph weights, in supple_skeleton.weights */
} supple_node;

/* All nodes of a scene. `order` lists every node once, parents before children. */
typedef struct supple_skeleton {
  const supple_node *nodes; /* [node_count] */
  const uint32_t *order;    /* [node_count] */
  uint32_t node_count;      /* of nodes and order */
  const float *weights; /* morph weights at rest: the node's own, else its mesh's, else 0; NULL: zeros */
  uint32_t weight_count; /* of weights, of all nodes together */
} supple_skeleton;

/* A skin as glTF means it. inverse_binds[k] takes mesh space to joint k's space at bind time. */
typedef struct supple_skin {
  const char *name;                     /* "" where it has none */
  uint32_t index;                       /* in the file */
  uint32_t joint_count;                 /* of the three arrays below */
  const uint32_t *joints;               /* node of each joint */
  const supple_affine64 *inverse_binds; /* identities where the file has none */
  const uint32_t *parents; /* per joint: the joint of this skin nearest above it, or SUPPLE_NONE */
  uint32_t skeleton;       /* node named by skin.skeleton, or SUPPLE_NONE; moves nothing */
  const char *skinning_method; /* what the file asks for in extras.skinningMethod: "classicLinear" (LBS) or
                                  "dualQuaternion" (DQS); "" where it does not say. Deforms nothing by itself */
} supple_skin;

struct supple_primitive; /* mesh.h */

/* What gets deformed: a node that has a mesh and a skin. Several may share a mesh or a skin. */
typedef struct supple_instance {
  uint32_t node, mesh;     /* node: what carries it; mesh: its index in the file */
  const supple_skin *skin; /* borrowed */
  const struct supple_primitive *const *primitives; /* [primitive_count] of the mesh */
  uint32_t primitive_count;                         /* of primitives */
  const supple_affine64
      *copies; /* [copy_count] EXT_mesh_gpu_instancing: it is drawn once for each, moved by it
                                    after skinning (in the scene); NULL: once, as it is
                                    (or, under structure_only, not read) */
  uint32_t copy_count; /* of copies; 0: it is drawn once */
} supple_instance;

/* Which property of a node a channel moves. */
typedef enum supple_path {
  SUPPLE_PATH_TRANSLATION, /* three numbers, metres */
  SUPPLE_PATH_ROTATION,    /* a quaternion (x, y, z, w) */
  SUPPLE_PATH_SCALE,       /* three factors */
  SUPPLE_PATH_WEIGHTS      /* of the node's morph targets */
} supple_path;

/* How values between keys are found. */
typedef enum supple_interpolation {
  SUPPLE_INTERPOLATION_LINEAR,      /* rotations: slerp by the short way */
  SUPPLE_INTERPOLATION_STEP,        /* the value of the key before */
  SUPPLE_INTERPOLATION_CUBIC_SPLINE /* glTF 2.0, appendix C: in-tangent, value, out-tangent a key */
} supple_interpolation;

/* One animated property. times: key_count seconds, never decreasing. values: key_count × width floats, three
 * times as many for cubic splines (in-tangent, value, out-tangent); width 3, 4 or the number of weights. */
typedef struct supple_channel {
  uint32_t node;                      /* what it moves */
  supple_path path;                   /* which property of it */
  supple_interpolation interpolation; /* between keys */
  uint32_t key_count, width;          /* keys; numbers a key */
  const float *times;                 /* [key_count] seconds, increasing */
  const float *values; /* [key_count][width], of cubic splines [key_count][3][width] */
} supple_channel;

/* begin and end are the first and last key of all channels (0 and 0 where there is none). */
typedef struct supple_clip {
  const char *name;               /* "" where it has none */
  double begin, end;              /* seconds */
  const supple_channel *channels; /* [channel_count] */
  uint32_t channel_count;         /* of channels */
} supple_clip;

/* Local and world transforms of every node, and the morph weights: one frame's state, one thread's.
 * Write `locals` (clearing use_matrix of that node) and `weights` at will, then call supple_pose_update. */
typedef struct supple_pose {
  const supple_skeleton *skeleton; /* borrowed */
  supple_transform *locals;        /* [node_count] */
  uint8_t *use_matrix; /* [node_count] non-zero: the node's matrix instead of its local */
  float *weights;      /* [skeleton->weight_count] */
  /* derived by supple_pose_update: */
  supple_affine64 *worlds; /* [node_count] */
  supple_quat *rotations; /* [node_count] product of the locals' orthogonal polar factors, up to the root,
                              each negated where it mirrors */
  uint8_t *mirrored;          /* [node_count] non-zero: an odd number of mirrors up to the root */
  supple_allocator allocator; /* of its creation */
} supple_pose;

/* A pose at rest, updated. The skeleton must outlive it. NULL when out of memory, or where the skeleton is not
 * one: `order` must list every node once, parents first, and weights stay inside the skeleton's. */
SUPPLE_API supple_pose *supple_pose_create(const supple_skeleton *skeleton,
                                           const supple_allocator *allocator, supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_pose_destroy(supple_pose *pose);
/* Back to the nodes as stored; updated. */
SUPPLE_API void supple_pose_rest(supple_pose *pose);
/* At rest but for what the clip animates at `seconds`; updated. Before the first and after the last key of
 * a channel its end value holds. Rotations are normalised after interpolation, a zero one gives the
 * identity. Never fails: channels were validated when they were built (a clip of your own must satisfy
 * what supple_channel says, and name nodes of the skeleton). */
SUPPLE_API void supple_pose_sample(supple_pose *pose, const supple_clip *clip, double seconds);
/* The same on top of what the pose holds, and not updated: for layering clips. */
SUPPLE_API void supple_pose_apply(supple_pose *pose, const supple_clip *clip, double seconds);
/* Recomputes worlds, rotations and mirrored from locals and use_matrix. */
SUPPLE_API void supple_pose_update(supple_pose *pose);
/* The value of one channel at `seconds` into values[width]; rotations unit length. */
SUPPLE_API void supple_channel_sample(const supple_channel *channel, double seconds, float *values);

/* What joint matrices lead to. */
typedef enum supple_space {
  SUPPLE_SPACE_SCENE, /* the skinned node's own transform never moves the result */
  SUPPLE_SPACE_MESH   /* relative to the skinned node: inverse(world of node) · scene */
} supple_space;

/* Joint matrices for one pose: jointMatrix = inverse(reference) · world(joint) · inverseBind(joint).
 * matrices is all that deformation needs; `rotations` and `mirrored` (the joint's turn from the bind pose
 * by the rotations of the hierarchy alone) only complete the polar factor of singular matrices, and
 * `parents` serves the sign mode per pose: each of the three may be NULL in a palette of your own. */
typedef struct supple_palette {
  uint32_t joint_count;       /* of every array */
  supple_affine *matrices;    /* [joint_count] */
  supple_quat *rotations;     /* [joint_count] or NULL */
  uint8_t *mirrored;          /* [joint_count] non-zero: by an odd number of mirrors; or NULL */
  const uint32_t *parents;    /* [joint_count] as supple_skin.parents, or NULL; borrowed */
  supple_space space;         /* what the matrices lead to */
  supple_allocator allocator; /* of its creation */
} supple_palette;

/* Room for up to joint_count joints. NULL when out of memory. */
SUPPLE_API supple_palette *supple_palette_create(uint32_t joint_count, supple_space space,
                                                 const supple_allocator *allocator,
                                                 supple_error *error);
/* Nothing may be updating from it. NULL is fine. */
SUPPLE_API void supple_palette_destroy(supple_palette *palette);
/* Composes the matrices of the instance's skin for an updated pose, and returns `palette`, which must come
 * from supple_palette_create. Borrows the skin's `parents`. joint_count becomes the skin's, or 0 where it has
 * more joints than there is room for. Never fails: that, and a matrix that is not finite, is found by
 * supple_prepared_update. In mesh space, where the skinned node's world is singular, the reference is the
 * identity. */
SUPPLE_API const supple_palette *supple_palette_compose(supple_palette *palette,
                                                        const supple_pose *pose,
                                                        const supple_instance *instance);

#ifdef __cplusplus
}
#endif
#endif
