/* bake_shard.h: which part of the frames this process bakes. */
#ifndef SUPPLE_CLI_BAKE_SHARD_H
#define SUPPLE_CLI_BAKE_SHARD_H

#include <stdint.h>

enum { BAKE_SHARDS_MOST = 100000 };

/* Reads "3/16" (the third of sixteen: shards count from 1 on the command line and in file names; *shard from 0),
 * "auto" (from the environment of a Slurm array task, an Open MPI rank or a Kubernetes indexed job) or "auto/16"
 * (the same with the number of shards said: task numbers then count from 0). CLI_USAGE where it cannot. */
int bake_shard_parse(const char *text, uint32_t *shard, uint32_t *count);

/* The frames of a shard: consecutive, as many as of any other up to one, none where there are fewer frames. */
void bake_shard_range(uint32_t frames, uint32_t shard, uint32_t count, uint32_t *begin,
                      uint32_t *end);

#endif
