/* fix.h: repairs of what supple_check finds, in a document; everything else in it stays as it is. */
#ifndef SUPPLE_FIX_H
#define SUPPLE_FIX_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What may be done, as bits.
 *  weights  vertices as glTF wants them: divided by their sum (whole numbers sum exactly), a joint named twice merged,
 *           zeros dropped, largest first, in as few sets as will do; a vertex without weight gets weight 1 for the
 *           first joint it names. Component types stay; only accessors that change are rewritten;
 *  bounds   min and max exact: of POSITION, of keys, and wherever they are stated;
 *  nodes    skinned meshes at the root of their scenes, at the identity, without channels. Where something else needs
 *           the node's transform (children, channels that a clip would be shorter without, a skin, a camera, a light),
 *           it stays, and a new node gets mesh, skin and morph weights;
 *  names    of joints: there, unique, and what three.js would make of them;
 *  rebind   inverse bind matrices that are missing or singular, from the nodes as stored. */
typedef enum supple_repair {
  SUPPLE_REPAIR_WEIGHTS = 1,  /* the first of these */
  SUPPLE_REPAIR_BOUNDS = 2,   /* the second */
  SUPPLE_REPAIR_NODES = 4,    /* the third */
  SUPPLE_REPAIR_NAMES = 8,    /* the fourth */
  SUPPLE_REPAIR_DEFAULT = 15, /* these four: safe, nothing visible changes */
  SUPPLE_REPAIR_REBIND = 16,  /* the last: vertices move, which the report tells */
  SUPPLE_REPAIR_NONE = 32     /* none, where only `influences` or `max_joints` is wanted */
} supple_repair;

/* Zero means the default in brackets. */
typedef struct supple_fix_options {
  supple_load_options load; /* limits, codecs, allocator */
  uint32_t repairs;         /* of supple_repair, or-ed [SUPPLE_REPAIR_DEFAULT] */
  /* At most so many influences a vertex: those joints and weights whose linear blending follows the old one best, by
   * least squares over all clips (a range of motion where there is none), never further off in any of their poses
   * than the farthest that dropping the smallest weights is, under LBS or DQS. Vertices are tidied first, as by
   * SUPPLE_REPAIR_WEIGHTS. [all] */
  uint32_t influences;
  /* At most so many joints a skin: meshes are cut into parts, each with a skin and a node of its own; vertices on cuts
   * are in both parts, bit by bit. Not done where one triangle follows more joints. [any] */
  uint32_t max_joints;
} supple_fix_options;

/* One thing that was done, or could not be. */
typedef struct supple_fix_action {
  const char *code;    /* of check.h that it mends; "" where none */
  const char *pointer; /* where, in the file as it was */
  const char *text;    /* one sentence with the numbers of this case */
  uint32_t count;      /* vertices, joints, … */
  bool done;           /* false: it could not be mended; text says why */
} supple_fix_action;

/* Everything that was done. */
typedef struct supple_fix_report {
  const supple_fix_action *actions; /* [action_count], in order */
  uint32_t action_count;            /* of actions */
  double largest_metres; /* largest way a vertex is moved by it all, LBS or DQS, over the clips and at rest, against
                             the file as it was with its weights normalised; 0 where nothing moves */
  double largest_share;    /* the same over the diagonal of the bounds */
  double truncated_metres; /* with `influences`: the same had the smallest weights just been dropped */
  bool range_of_motion;    /* the file has no clip: poses were made up, with every joint turned */
  uint32_t worst_clip;     /* where largest_metres is: a clip, or SUPPLE_NONE: at rest */
  double worst_seconds;    /* of that clip */
  uint32_t moments; /* at which there was something to compare: at rest, and clips at their keys and between; 0: nothing
                       that moves vertices was done */
  uint32_t compared_moments; /* of these: fewer where all of them would take too long, evenly chosen */
  bool incomplete; /* not even one moment was compared whole: there are too many primitives and joints */
} supple_fix_report;

/* Repairs a document in place; doing it again does nothing. options may be NULL. NULL on failure, also where the
 * loader does not take the document: it may then hold a part of the changes and is only good for being freed. What
 * cannot be mended is no failure, but an action that is not done. Takes time by vertices × poses of what
 * was changed, since old and new are both deformed, up to a bound (see compared_moments). */
SUPPLE_API supple_fix_report *supple_fix_document(supple_document *document,
                                                  const supple_fix_options *options,
                                                  supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_fix_report_free(supple_fix_report *report);

#ifdef __cplusplus
}
#endif
#endif
