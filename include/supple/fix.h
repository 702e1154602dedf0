/* fix.h: repairs of what supple_check finds, in a document; everything else in it stays as it is. */
#ifndef SUPPLE_FIX_H
#define SUPPLE_FIX_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What may be done, as bits. */
typedef enum supple_repair {
  SUPPLE_REPAIR_WEIGHTS = 1,  /* normalise, merge a joint named twice, drop zeros, largest first, fewest sets */
  SUPPLE_REPAIR_BOUNDS = 2,   /* min and max of POSITION, exactly */
  SUPPLE_REPAIR_NODES = 4,    /* skinned nodes to the root of their scenes, identity, without channels; what hung
                                 below them stays where it is */
  SUPPLE_REPAIR_NAMES = 8,    /* joints' names present, unique, and safe for three.js */
  SUPPLE_REPAIR_DEFAULT = 15, /* all of these: safe, nothing visible changes */
  SUPPLE_REPAIR_REBIND = 16   /* inverse bind matrices that are missing or singular, from the nodes as stored */
} supple_repair;

/* Zero means the default in brackets. */
typedef struct supple_fix_options {
  supple_load_options load; /* limits, codecs */
  uint32_t repairs;         /* of supple_repair, or-ed [SUPPLE_REPAIR_DEFAULT] */
  uint32_t influences;      /* at most so many a vertex, weights refitted by least squares over the clips [all] */
  uint32_t max_joints;      /* at most so many a skin: primitives are split, with equal seams [any] */
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
  double largest_metres;  /* largest way a vertex is moved by it all, LBS or DQS, over the clips and at rest, against
                             the file as it was with its weights normalised; 0 where nothing moves */
  double largest_share;   /* the same over the diagonal of the bounds */
  double truncated_metres; /* with `influences`: the same had the smallest weights just been dropped */
  uint32_t worst_clip;    /* where largest_metres is: a clip, or SUPPLE_NONE: at rest */
  double worst_seconds;   /* of that clip */
} supple_fix_report;

/* Repairs a document in place; doing it again does nothing. NULL on failure: the document may then hold a part of
 * the changes and is only good for being freed. */
SUPPLE_API supple_fix_report *supple_fix_document(supple_document *document,
                                                  const supple_fix_options *options,
                                                  supple_error *error);
/* NULL is fine. */
SUPPLE_API void supple_fix_report_free(supple_fix_report *report);

#ifdef __cplusplus
}
#endif
#endif
