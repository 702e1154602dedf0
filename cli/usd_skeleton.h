/* usd_skeleton.h: a skin as a UsdSkel skeleton.
 *
 * Joints of a skeleton are the skin's joints, and what lies above and between them where that cannot be folded
 * into them: nodes that a clip moves, and nodes whose scale is not the same along all axes. Nodes that stay
 * still and are similarities are folded into the joints below them.
 *
 * USD animates a joint by translation, rotation and scale, and stores scales as 16-bit floats, which would
 * move vertices by up to 0.05 %. A joint's own frame is free, though: with world · G and bind · G in place of
 * world and bind the skinning matrix world · bind^-1 stays what it is. So where a scale needs more than 16 bits
 * the constant `gauge` G takes it out; where everything from a joint down has a constant linear part it takes
 * any non-uniform scale and shear too. What is left (a shear above something that turns) is lost in USD;
 * cli_usd_skeleton_compare says how far that moves vertices. */
#ifndef SUPPLE_CLI_USD_SKELETON_H
#define SUPPLE_CLI_USD_SKELETON_H

#include "usd_names.h"

#include <supple/supple.h>

/* What all skeletons of an asset share. */
typedef struct cli_usd_rig {
  const supple_asset *asset;
  uint32_t *positions;    /* [node_count] place in the skeleton's order */
  uint8_t *animated;      /* [node_count] a clip moves it */
  uint32_t *joints;       /* [node_count] joint of the skeleton entered last, or SUPPLE_NONE */
  supple_affine64 *folds; /* [node_count] scratch */
} cli_usd_rig;

/* False: out of memory; cli_usd_rig_clear all the same. */
bool cli_usd_rig_make(cli_usd_rig *rig, const supple_asset *asset);
void cli_usd_rig_clear(cli_usd_rig *rig);

typedef struct cli_usd_joint {
  uint32_t node;         /* SUPPLE_NONE: one that never moves, for vertices without joints */
  uint32_t slot;         /* joint of the skin, or SUPPLE_NONE */
  uint32_t parent;       /* a joint before it, or SUPPLE_NONE */
  const char *name;      /* identifier */
  const char *path;      /* of identifiers, from the root joint */
  supple_affine64 above; /* product of the nodes folded into it: a similarity */
  supple_quat above_rotation;
  double above_scale; /* signed */
  /* what its local transforms were seen to be, before the gauge */
  bool seen, constant, uniform, decomposes, fits; /* fits: a 16-bit float holds its scales */
  double largest;                                 /* of its scales, without sign */
  supple_mat3 linear;                             /* seen first */
  /* settled by that */
  supple_mat3 gauge, gauge_inverse;
  bool gauge_is_scale;
  double gauge_scale;
  supple_affine64 bind, inverse_bind; /* with the gauge */
  supple_bounds box;                  /* of the vertices that follow it, at rest */
} cli_usd_joint;

/* How far what USD holds is from the asset. */
typedef struct cli_usd_loss {
  uint32_t sheared;  /* joints whose shear is lost */
  uint32_t rounded;  /* joints some of whose scales are rounded to 16 bits */
  uint32_t singular; /* joints without a bind pose: their inverse bind matrix is singular */
  double distance;   /* no vertex under linear blending is further off; metres */
  uint32_t joint;    /* where */
  uint32_t clip;     /* when: SUPPLE_NONE at rest */
  double seconds;
  supple_bounds box; /* of the vertices at rest */
} cli_usd_loss;

typedef struct cli_usd_skeleton {
  const supple_skin *skin; /* NULL: a single joint that never moves */
  const char *name;        /* identifier of its prim */
  cli_usd_joint *joints;   /* parents first */
  uint32_t joint_count;
  uint32_t *of_slot;   /* [skin->joint_count] */
  uint32_t rest_joint; /* the one that never moves, or SUPPLE_NONE */
  cli_usd_loss loss;
  cli_usd_names *names;
  char *paths;             /* of all joints */
  supple_affine64 *worlds; /* [joint_count] scratch */
} cli_usd_skeleton;

/* The joints of a skin. with_rest: below one that never moves, which there also is where they have several roots.
 * skin NULL: that one alone. False: reported. Clear it all the same. */
bool cli_usd_skeleton_make(cli_usd_skeleton *skeleton, cli_usd_rig *rig, const supple_skin *skin,
                           bool with_rest);
void cli_usd_skeleton_clear(cli_usd_skeleton *skeleton);
/* Makes rig->joints say which joint of this skeleton a node is, and undoes that. */
void cli_usd_skeleton_enter(const cli_usd_skeleton *skeleton, cli_usd_rig *rig);
void cli_usd_skeleton_leave(const cli_usd_skeleton *skeleton, cli_usd_rig *rig);

/* Adds the vertices of a primitive to the boxes of their joints. */
void cli_usd_skeleton_add(cli_usd_skeleton *skeleton, const supple_primitive *primitive,
                          const supple_binding *binding);
/* Looks at a pose: first the one at rest, then samples of every clip. */
void cli_usd_skeleton_look(cli_usd_skeleton *skeleton, const cli_usd_rig *rig,
                           const supple_pose *pose);
/* Settles the gauges by what was seen, and the bind pose (rest: the pose of joints that have none). */
void cli_usd_skeleton_settle(cli_usd_skeleton *skeleton, const supple_pose *rest);
/* A joint's transform relative to its parent joint as USD gets it. False: it drops a shear. */
bool cli_usd_joint_local(const cli_usd_skeleton *skeleton, const supple_pose *pose, uint32_t joint,
                         supple_transform *local);
/* The same as a matrix, which drops nothing. */
supple_affine64 cli_usd_joint_matrix(const cli_usd_skeleton *skeleton, const supple_pose *pose,
                                     uint32_t joint);
/* Adds to skeleton->loss what USD's numbers differ by in this pose. */
void cli_usd_skeleton_compare(cli_usd_skeleton *skeleton, const supple_pose *pose, uint32_t clip,
                              double seconds);

/* The nearest 16-bit float; infinite beyond 65504. */
double cli_usd_half(double value);

#endif
