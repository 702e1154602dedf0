/* bake_folder.h: which part files lie beside an output. */
#ifndef SUPPLE_CLI_BAKE_FOLDER_H
#define SUPPLE_CLI_BAKE_FOLDER_H

#include <stdint.h>

/* The number of shards that the names of part files beside `output` speak of. CLI_FAILED, reported, where there are
 * none, or such of several numbers. */
int bake_count_shards(const char *output, uint32_t *shard_count);

/* Removes what killed shards left unfinished: "OUT.part-3-of-16.4711-0.tmp". */
void bake_remove_unfinished(const char *output, uint32_t shard_count);

#endif
