/* refit_influences.h: fewer influences for a vertex that move it as its many did: least squares over poses. */
#ifndef SUPPLEI_REFIT_INFLUENCES_H
#define SUPPLEI_REFIT_INFLUENCES_H

#include "tidy_influences.h"

#include "../../include/supple/base.h"

/* One vertex. */
typedef struct supplei_refit {
  uint32_t count;        /* its influences */
  uint32_t most;         /* how many may stay; below count */
  const double *weights; /* [count] positive, summing to 1; largest first, equal ones in a fixed order */
  uint32_t pose_count;
  uint32_t spare_count; /* of them, the last: not in any clip. They count little, and not for the largest distance */
  const double *points; /* [pose_count][count][3]: where each joint alone takes it */
  const float *turns; /* [pose_count][count][4] each joint's rotation (x, y, z, w); NULL: dual quaternion skinning is not
                         looked at */
  supplei_weight_type type; /* results are rounded to what it can store */
} supplei_refit;

/* What came out. */
typedef struct supplei_refitted {
  bool refitted; /* false: the largest weights as they are, divided by their sum */
  double truncated; /* largest distance to where all influences take the vertex, had the smallest been dropped */
  double largest; /* the same with what came out; never more than `truncated` */
} supplei_refitted;

/* Room for one vertex at a time; grows. */
typedef struct supplei_refit_scratch {
  supple_allocator allocator;
  double *numbers;
  size_t capacity;
} supplei_refit_scratch;

/* Chooses at most `most` of the influences, and weights for them in units of the type, stored[count] (0: dropped):
 * those with the smallest sum of squared distances over the poses whose largest distance is not above that of
 * dropping the smallest weights; everything measured with the weights as they will be stored. Minimises
 * |sum w_j (x_j - p)|² subject to w >= 0, sum w = 1 by an active set, over the sets of joints: all of them where there
 * are few, else by exchanging one joint at a time. Bit-equal problems give bit-equal results. */
supple_result supplei_refit_vertex(const supplei_refit *refit, supplei_refit_scratch *scratch,
                                   double *stored, supplei_refitted *result);

/* NULL memory is fine. */
void supplei_refit_scratch_free(supplei_refit_scratch *scratch);

#endif
