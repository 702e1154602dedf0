/* checksum.h: CRC-32 for zip files, and a hash that tells whether two inputs are the same. */
#ifndef SUPPLE_CLI_CHECKSUM_H
#define SUPPLE_CLI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* CRC-32 as zip, gzip and PNG have it; start with 0. */
uint32_t cli_crc32(uint32_t crc, const void *data, size_t size);

/* The CRC-32 of A followed by B, from that of each and the length of B. */
uint32_t cli_crc32_join(uint32_t crc_a, uint32_t crc_b, uint64_t size_b);

/* 128 bits of whatever went in, in its order: for telling damaged or different data, not for secrets. The same on
 * every machine where the data is the same bytes. */
typedef struct cli_hash {
  uint64_t lanes[2];
  uint64_t size;
} cli_hash;

cli_hash cli_hash_start(void);
void cli_hash_add(cli_hash *hash, const void *data, size_t size);
/* What has gone in so far; more may follow. */
void cli_hash_result(const cli_hash *hash, uint64_t result[2]);

#endif
