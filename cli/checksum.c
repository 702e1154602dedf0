/* checksum.c: CRC-32 eight bytes at a time, the CRC of what was cut in pieces, and a plain fast hash. */
#include "checksum.h"

#include <stdbool.h>
#include <string.h>

static const uint32_t polynomial = 0xedb88320u; /* bits reversed: bit 31 is x^0 */

/* ---- CRC-32 ---- */

/* tables[k][b]: what byte b does to the CRC when k more bytes follow it. Filled for each call that is long enough
 * to gain by it: 2,048 steps, and nothing to share between threads. */
typedef struct crc_tables {
  uint32_t of[8][256];
} crc_tables;

static void fill_tables(crc_tables *tables, int count) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int k = 0; k < 8; k++) value = value >> 1 ^ (value & 1 ? polynomial : 0);
    tables->of[0][i] = value;
  }
  for (int k = 1; k < count; k++)
    for (uint32_t i = 0; i < 256; i++) {
      const uint32_t before = tables->of[k - 1][i];
      tables->of[k][i] = before >> 8 ^ tables->of[0][before & 0xff];
    }
}

static uint32_t little_u32(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
         (uint32_t)bytes[3] << 24;
}

/* The product of two polynomials over GF(2), modulo that of the CRC, bits reversed. */
static uint32_t multiply(uint32_t a, uint32_t b) {
  uint32_t product = 0;
  for (int bit = 31; bit >= 0; bit--) {
    if (a >> bit & 1) product ^= b;
    b = b >> 1 ^ (b & 1 ? polynomial : 0);
  }
  return product;
}

uint32_t cli_crc32_join(uint32_t crc_a, uint32_t crc_b, uint64_t size_b) {
  /* A is moved up by 8·size bits, that is multiplied by x^(8·size); the start and end values cancel. */
  uint32_t power = 0x80000000u, square = 0x00800000u; /* x^0; x^8 */
  for (; size_b; size_b >>= 1) {
    if (size_b & 1) power = multiply(power, square);
    square = multiply(square, square);
  }
  return multiply(crc_a, power) ^ crc_b;
}

/* The CRC's register after eight bytes more. */
static uint32_t eight_more(const crc_tables *tables, uint32_t crc, const unsigned char *bytes) {
  const uint32_t low = crc ^ little_u32(bytes), high = little_u32(bytes + 4);
  return tables->of[7][low & 0xff] ^ tables->of[6][low >> 8 & 0xff] ^
         tables->of[5][low >> 16 & 0xff] ^ tables->of[4][low >> 24] ^ tables->of[3][high & 0xff] ^
         tables->of[2][high >> 8 & 0xff] ^ tables->of[1][high >> 16 & 0xff] ^
         tables->of[0][high >> 24];
}

static uint32_t crc_of_short(uint32_t crc, const unsigned char *bytes, size_t size) {
  crc_tables tables;
  fill_tables(&tables, 1);
  crc = ~crc;
  for (size_t i = 0; i < size; i++) crc = crc >> 8 ^ tables.of[0][(crc ^ bytes[i]) & 0xff];
  return ~crc;
}

uint32_t cli_crc32(uint32_t crc, const void *data, size_t size) {
  enum { WORTH_IT = 4096, LANES = 4 };
  const unsigned char *bytes = data;
  crc_tables tables;
  if (size < WORTH_IT) return crc_of_short(crc, bytes, size);
  fill_tables(&tables, 8);
  /* A step waits for the one before, so four quarters are summed side by side, and joined. */
  const size_t quarter = size / LANES / 8 * 8;
  uint32_t sums[LANES] = {~crc, ~0u, ~0u, ~0u};
  for (size_t i = 0; i < quarter; i += 8)
    for (size_t k = 0; k < LANES; k++)
      sums[k] = eight_more(&tables, sums[k], bytes + k * quarter + i);
  crc = ~sums[0];
  for (int k = 1; k < LANES; k++) crc = cli_crc32_join(crc, ~sums[k], quarter);
  return crc_of_short(crc, bytes + LANES * quarter, size - LANES * quarter);
}

/* ---- the hash ---- */

static const uint64_t multipliers[2] = {0x9e3779b97f4a7c15u, 0xc2b2ae3d27d4eb4fu};

static uint64_t mix(uint64_t lane, uint64_t word, uint64_t multiplier) {
  lane = (lane ^ word) * multiplier;
  return lane ^ lane >> 29;
}

cli_hash cli_hash_start(void) {
  const cli_hash hash = {{0x243f6a8885a308d3u, 0x13198a2e03707344u}, 0};
  return hash;
}

static uint64_t little_u64(const unsigned char *bytes) {
  return (uint64_t)little_u32(bytes) | (uint64_t)little_u32(bytes + 4) << 32;
}

/* Each piece is padded to eight bytes and followed by its length, so that pieces cannot run into each other. */
void cli_hash_add(cli_hash *hash, const void *data, size_t size) {
  const unsigned char *bytes = data;
  uint64_t a = hash->lanes[0], b = hash->lanes[1];
  size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    const uint64_t word = little_u64(bytes + i);
    a = mix(a, word, multipliers[0]);
    b = mix(b, word, multipliers[1]);
  }
  unsigned char rest[8] = {0};
  if (i < size) memcpy(rest, bytes + i, size - i);
  a = mix(a, little_u64(rest), multipliers[0]);
  b = mix(b, little_u64(rest), multipliers[1]);
  hash->lanes[0] = mix(a, size, multipliers[1]);
  hash->lanes[1] = mix(b, size, multipliers[0]);
  hash->size += size;
}

void cli_hash_result(const cli_hash *hash, uint64_t result[2]) {
  for (int i = 0; i < 2; i++) {
    uint64_t lane = mix(hash->lanes[i], hash->lanes[1 - i], multipliers[i]);
    lane ^= lane >> 32;
    result[i] = mix(lane, hash->size, multipliers[1 - i]);
  }
}
