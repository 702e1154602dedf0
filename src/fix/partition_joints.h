/* partition_joints.h: sets of joints gathered into as few parts as may be, each with at most so many joints. */
#ifndef SUPPLEI_PARTITION_JOINTS_H
#define SUPPLEI_PARTITION_JOINTS_H

#include "../../include/supple/base.h"

/* What triangles need: set i is joints[begins[i]] … joints[begins[i + 1] - 1], ascending, none twice. */
typedef struct supplei_joint_sets {
  const uint16_t *joints;
  const uint32_t *begins; /* [count + 1] */
  uint32_t count;
} supplei_joint_sets;

/* Part p has the joints[joint_begins[p]] … ascending; every set lies in its part. */
typedef struct supplei_partition {
  supple_allocator allocator;
  uint32_t *parts; /* [set_count] of each set */
  uint32_t set_count;
  uint32_t part_count;
  uint16_t *joints;
  uint32_t joint_total;
  uint32_t *joint_begins; /* [part_count + 1] */
} supplei_partition;

/* Greedy: large sets first, each into the part that it adds the fewest joints to (then the fullest, then the first);
 * parts that fit together are joined at the end. Parts are numbered by their first set. SUPPLE_ERROR_LIMIT where a
 * set has more than `most` joints (*culprit is its number), SUPPLE_ERROR_MEMORY. Free it in any case. */
supple_result supplei_partition_joints(supplei_partition *partition, const supplei_joint_sets *sets,
                                       uint32_t most, const supple_allocator *allocator,
                                       uint32_t *culprit);
void supplei_partition_free(supplei_partition *partition);

#endif
