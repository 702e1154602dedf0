/* compare.h: the main job: every joint of every instance, over a motion, under several methods, measured.
 *
 * The results are plain arrays, so that printing them needs no measure, and tests can make them up. */
#ifndef SUPPLE_CLI_COMPARE_H
#define SUPPLE_CLI_COMPARE_H

#include "motion.h"
#include "output.h"
#include "stage.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One joint in one frame under one method: ratios to rest, NaN where there is none (supple_joint_measure). */
typedef struct compared_joint {
  float section, projected, radius, bulge; /* at the joint */
  float worst;                             /* the smallest section over offsets */
  float kept, own_kept;
  uint32_t worst_offset; /* its number, or SUPPLE_NONE */
} compared_joint;

/* One instance in one frame under one method (supple_instance_measure, and what happened). */
typedef struct compared_frame {
  float volume, edge_mean, edge_least, edge_most, kept_below;
  float deviation, deviation_rms; /* from the first method, metres */
  uint32_t flipped;
  uint32_t fallbacks;                           /* vertices that fell back to LBS */
  uint32_t scaled, sheared, mirrored, singular; /* joints (supple_prepared_report); 0 under LBS */
} compared_frame;

/* One instance: what is known before any pose, then the results. */
typedef struct compared_instance {
  const supple_instance *instance;
  double diagonal;                 /* of the rest bounds, metres */
  uint32_t triangle_count;         /* measured ones */
  supple_measured_joint *joints;   /* [joint_count of the skin] */
  supple_binding_report *cleaning; /* [primitive_count]; vertices 0 where it has no influences */
  compared_joint *results;         /* [frame][method][joint] */
  compared_frame *frames;          /* [frame][method] */
  float *turns; /* [frame][joint] degrees that the joint is turned against its parent, twist and bend
                   together, from 0 in the bind pose to 180; NaN where it has no parent */
} compared_instance;

typedef struct comparison {
  const char *file; /* as given on the command line */
  const supple_asset *asset;
  const cli_options *options;
  const motion_plan *motion;
  supple_method methods[CLI_METHODS_MOST]; /* the first is what deviation is measured from */
  uint32_t method_count;
  double threshold; /* a joint that keeps less collapses */
  compared_instance *instances;
  uint32_t instance_count;
  char *view; /* path of the page of `supple view` beside the report, or NULL; its maker frees it */
} comparison;

/* A section of a joint in one frame, as seen along the bone, in metres about the bone's axis. */
typedef struct compared_outline {
  uint32_t instance, joint, offset; /* offset SUPPLE_NONE: the joint has no section to draw */
  size_t frame;
  uint32_t point_count;
  double *rest;                    /* [point_count][2] */
  double *posed[CLI_METHODS_MOST]; /* [point_count][2] */
  unsigned char *picture;          /* of the frame, a PNG (render_stills.h); or NULL */
  size_t picture_size;
  uint32_t picture_width, picture_height;
} compared_outline;

/* The measures of a stage's instances, one each, on `threads` threads. NULL: it failed and was reported. */
supple_measure **compare_measures(const cli_stage *stage, double threshold, uint32_t threads);
void compare_measures_free(supple_measure **measures, uint32_t count);

/* Measures; the result borrows the stage and the motion, not the measures. NULL: it failed and was
 * reported. */
comparison *compare_run(const cli_stage *stage, const motion_plan *motion,
                        supple_measure *const *measures, const supple_method *methods,
                        uint32_t method_count, double threshold, uint32_t threads);
void compare_free(comparison *results);

/* Fills the points of outlines[count], whose instance, joint, offset and frame are set. An exit code. */
int compare_outlines(const comparison *results, const cli_stage *stage,
                     supple_measure *const *measures, compared_outline *outlines, uint32_t count,
                     uint32_t threads);
void compare_outlines_free(compared_outline *outlines, uint32_t count);

/* One joint's and one instance's results. */
static inline const compared_joint *compared_joint_at(const comparison *results, uint32_t instance,
                                                      size_t frame, uint32_t method, uint32_t joint) {
  const compared_instance *one = &results->instances[instance];
  return &one->results[(frame * results->method_count + method) * one->instance->skin->joint_count +
                       joint];
}
static inline double compared_turn_at(const comparison *results, uint32_t instance, size_t frame,
                                      uint32_t joint) {
  const compared_instance *one = &results->instances[instance];
  return (double)one->turns[frame * one->instance->skin->joint_count + joint];
}
static inline const compared_frame *compared_frame_at(const comparison *results, uint32_t instance,
                                                      size_t frame, uint32_t method) {
  return &results->instances[instance].frames[frame * results->method_count + method];
}

/* "linear blend skinning", and "LBS". */
const char *compare_method_title(supple_method method);
const char *compare_method_short(supple_method method);

/* compare_json.c: the whole comparison as JSON. */
void compare_print_json(cli_output *output, const comparison *results);

#endif
