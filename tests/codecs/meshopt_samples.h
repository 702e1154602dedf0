/* meshopt_samples.h: compressed data and what it decodes to, both by meshoptimizer 1.3 (its JavaScript). */
#ifndef MESHOPT_SAMPLES_H
#define MESHOPT_SAMPLES_H

#include <stddef.h>

typedef struct meshopt_sample {
  const char *mode, *filter;
  size_t count, stride;
  const unsigned char *packed;
  size_t packed_size;
  const unsigned char *plain; /* [count * stride] */
} meshopt_sample;

static const unsigned char plain_packed[] = {
    160, 1, 2, 0, 0, 0, 0, 1, 42, 128, 0, 0, 0, 0, 0, 1, 0, 192, 0, 0, 31, 1, 0, 128, 0, 0, 0, 0, 0,
    0,   0, 0, 0, 0, 0, 0, 0, 0,  0,   0, 0, 0, 0, 0, 0, 0, 0,   0, 0, 0,  1, 0, 2,   0, 3, 0, 4, 0,
};
static const unsigned char plain_plain[] = {
    1, 0, 2, 0, 3, 0, 4, 0, 1, 0, 3, 0, 3, 0, 4, 0, 1, 0, 4,   0,
    3, 0, 4, 0, 2, 0, 5, 0, 3, 0, 4, 0, 2, 0, 6, 0, 3, 0, 244, 1,
};
static const unsigned char color8_packed[] = {
    160, 1,   31,  192, 0,  0,   219, 99, 108, 1,   15, 192, 0, 0, 33, 188, 140, 1, 15, 192, 0, 0,
    218, 134, 204, 1,   63, 192, 0,   0,  254, 205, 39, 198, 0, 0, 0,  0,   0,   0, 0,  0,   0, 0,
    0,   0,   0,   0,   0,  0,   0,   0,  0,   0,   0,  0,   0, 0, 0,  0,   0,   0, 0,  0,   0, 128,
};
static const unsigned char color8_plain[] = {
    0, 0, 0, 0, 255, 255, 255, 255, 19, 254, 53, 48, 252, 15, 98, 8, 18, 171, 236, 207,
};
static const unsigned char color16_packed[] = {
    160, 1,   31, 192, 0,   0,   60, 67, 200, 1,  63, 192, 0,   0,  30, 11,  7,   8,   1, 15,
    192, 0,   0,  39,  27,  164, 1,  15, 192, 0,  0,  3,   12,  21, 1,  15,  192, 0,   0, 81,
    66,  222, 1,  15,  192, 0,   0,  12, 23,  14, 1,  31,  192, 0,  0,  229, 155, 118, 1, 61,
    192, 0,   0,  14,  11,  12,  0,  0,  0,   0,  0,  0,   0,   0,  0,  0,   0,   0,   0, 0,
    0,   0,   0,  0,   0,   0,   0,  0,  0,   0,  0,  0,   0,   0,  0,  0,   0,   8,
};
static const unsigned char color16_plain[] = {
    0,   0,  0,   0,  0,  0,   0,  0,  255, 255, 255, 255, 255, 255, 255, 255, 33,  19,  79, 255,
    163, 53, 131, 49, 31, 254, 49, 15, 86,  98,  192, 7,   129, 18,  106, 172, 142, 236, 60, 207,
};
static const unsigned char oct8_packed[] = {
    160, 1, 63, 192, 0, 0, 79, 181, 54, 220, 1, 63, 192, 0,  0,   32,  249, 93,
    20,  0, 0,  0,   0, 0, 0,  0,   0,  0,   0, 0,  0,   0,  0,   0,   0,   0,
    0,   0, 0,  0,   0, 0, 0,  0,   0,  0,   0, 0,  0,   39, 186, 127, 127,
};
static const unsigned char oct8_plain[] = {
    60, 148, 28, 127, 255, 180, 102, 127, 170, 60, 184, 127, 151, 49, 52, 127, 78, 69, 73, 127,
};
static const unsigned char oct16_packed[] = {
    160, 1,  63,  192, 0, 0,  241, 142, 155, 35, 1,   62,  192, 0, 0,   5,   9, 14,
    1,   63, 192, 0,   0, 17, 126, 18,  187, 1,  47,  128, 0,   0, 16,  5,   0, 0,
    0,   0,  0,   0,   0, 0,  0,   0,   0,   0,  0,   0,   0,   0, 0,   0,   0, 0,
    0,   0,  0,   0,   0, 0,  0,   0,   109, 2,  158, 251, 255, 7, 255, 127,
};
static const unsigned char oct16_plain[] = {
    80,  60,  8,   147, 134, 29, 255, 127, 241, 254, 236, 178, 46, 102,
    255, 127, 20,  169, 24,  61, 158, 184, 255, 127, 59,  150, 95, 48,
    113, 53,  255, 127, 12,  79, 26,  69,  54,  73,  255, 127,
};
static const unsigned char quat_packed[] = {
    160, 1,   63, 192, 0,   0,  217, 148, 138, 3,  1,  63, 192, 0,   0,   12, 23,  4,  6,   1,
    63,  192, 0,  0,   227, 35, 79,  138, 1,   63, 64, 0,  0,   75,  25,  24, 1,   63, 192, 0,
    0,   222, 56, 125, 55,  1,  63,  192, 0,   0,  11, 12, 66,  12,  1,   63, 192, 0,  0,   4,
    3,   4,   5,  0,   0,   0,  0,   0,   0,   0,  0,  0,  0,   0,   0,   0,  0,   0,  0,   0,
    0,   0,   0,  0,   0,   0,  0,   0,   54,  11, 91, 24, 28,  239, 253, 31,
};
static const unsigned char quat_plain[] = {
    57, 208, 94, 91,  182, 31, 229, 68,  79,  50, 249, 218, 122, 192, 231, 91, 194, 209, 137, 92,
    90, 14,  0,  182, 198, 20, 129, 215, 104, 46, 67,  110, 175, 98,  61,  29, 112, 213, 18,  63,
};
static const unsigned char exp_packed[] = {
    160, 1,   63,  192, 0, 0,   155, 121, 57,  193, 1,   61,  0,  0,   0,  3,   4,  1,
    25,  0,   0,   0,   1, 63,  192, 0,   0,   20,  24,  20,  20, 1,   63, 192, 0,  0,
    189, 200, 82,  113, 1, 63,  128, 0,   0,   41,  54,  11,  0,  1,   63, 192, 0,  0,
    20,  24,  20,  20,  1, 63,  192, 0,   0,   176, 192, 88,  32, 1,   63, 192, 0,  0,
    20,  183, 150, 22,  1, 6,   0,   0,   0,   1,   63,  192, 0,  0,   20, 24,  20, 20,
    0,   0,   0,   0,   0, 0,   0,   0,   0,   0,   0,   0,   0,  0,   0,  0,   0,  0,
    0,   0,   149, 0,   0, 222, 65,  249, 255, 222, 123, 49,  0,  222,
};
static const unsigned char exp_plain[] = {
    0, 0,  21,  50,  0, 224, 215, 179, 0, 236, 69,  53,  0, 128, 220, 183, 0, 240, 216, 185,
    0, 76, 111, 58,  0, 0,   32,  59,  0, 0,   58,  189, 0, 52,  3,   192, 0, 0,   152, 192,
    0, 32, 210, 195, 0, 124, 41,  69,  0, 0,   232, 198, 0, 64,  185, 200, 0, 188, 85,  74,
};
static const unsigned char triangles16_packed[] = {
    225, 240, 16,  16,  255, 255, 18,  1,   1, 0,   118, 135, 86,
    103, 120, 169, 134, 101, 137, 104, 152, 1, 105, 0,   0,
};
static const unsigned char triangles16_plain[] = {
    0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0, 3, 0, 1, 0, 4, 0, 9, 0, 8, 0, 7, 0,
};
static const unsigned char triangles32_packed[] = {
    225, 240, 255, 241, 224, 197, 8,   2,   0, 118, 135, 86,
    103, 120, 169, 134, 101, 137, 104, 152, 1, 105, 0,   0,
};
static const unsigned char triangles32_plain[] = {
    0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 112, 17, 1, 0, 113, 17, 1, 0, 2, 0, 0, 0,
};
static const unsigned char indices16_packed[] = {
    209, 20, 4, 2, 145, 28, 14, 2, 233, 227, 15, 0, 0, 0, 0,
};
static const unsigned char indices16_plain[] = {
    5, 0, 6, 0, 5, 0, 132, 3, 1, 0, 0, 0, 254, 255,
};
static const unsigned char indices32_packed[] = {
    209, 255, 191, 205, 178, 4, 4, 4, 0, 0, 0, 0,
};
static const unsigned char indices32_plain[] = {
    0, 40, 107, 238, 1, 0, 0, 0, 2, 0, 0, 0,
};
static const unsigned char newer_packed[] = {
    161, 185, 90, 0, 8, 0, 2, 0, 2, 2, 2, 2, 0, 16, 0, 31, 0, 16, 0, 2, 0, 0,
    0,   0,   0,  0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0,  2, 0,  3, 0,  4, 0, 0, 0,
};
static const unsigned char newer_plain[] = {
    1, 0, 2, 0, 3, 0, 4, 0, 1, 0, 3, 0, 3, 0, 4, 0, 1, 0, 4,   0,
    3, 0, 4, 0, 2, 0, 5, 0, 3, 0, 4, 0, 2, 0, 6, 0, 3, 0, 244, 1,
};

static const meshopt_sample samples[] = {
    {"ATTRIBUTES", "NONE", 5, 8, plain_packed, sizeof plain_packed, plain_plain},
    {"ATTRIBUTES", "COLOR", 5, 4, color8_packed, sizeof color8_packed, color8_plain},
    {"ATTRIBUTES", "COLOR", 5, 8, color16_packed, sizeof color16_packed, color16_plain},
    {"ATTRIBUTES", "OCTAHEDRAL", 5, 4, oct8_packed, sizeof oct8_packed, oct8_plain},
    {"ATTRIBUTES", "OCTAHEDRAL", 5, 8, oct16_packed, sizeof oct16_packed, oct16_plain},
    {"ATTRIBUTES", "QUATERNION", 5, 8, quat_packed, sizeof quat_packed, quat_plain},
    {"ATTRIBUTES", "EXPONENTIAL", 5, 12, exp_packed, sizeof exp_packed, exp_plain},
    {"TRIANGLES", "NONE", 12, 2, triangles16_packed, sizeof triangles16_packed, triangles16_plain},
    {"TRIANGLES", "NONE", 6, 4, triangles32_packed, sizeof triangles32_packed, triangles32_plain},
    {"INDICES", "NONE", 7, 2, indices16_packed, sizeof indices16_packed, indices16_plain},
    {"INDICES", "NONE", 3, 4, indices32_packed, sizeof indices32_packed, indices32_plain},
    {"ATTRIBUTES", "NONE", 5, 8, newer_packed, sizeof newer_packed, newer_plain},
};
enum {
  SAMPLES = sizeof samples / sizeof *samples,
  NEWER = SAMPLES - 1 /* in version 1 of the codec */
};

#endif
