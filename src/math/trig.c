/* trig.c: sine, cosine, arc functions, exponential and logarithm with the same bits everywhere. */
#include "../base/prologue.h"

#include "../../include/supple/math.h"
#include "trig.h"

/* pi/2 as the sum of two doubles, and as 36 + 36 + 53 bits: the first two times an integer below
 * 2^17 are exact. */
static const double half_pi_high = 0x1.921fb54442d18p+0;
static const double half_pi_low = 0x1.1a62633145c07p-54;
static const double half_pi_first = 0x1.921fb54440000p+0;
static const double half_pi_second = 0x1.68c234c4c0000p-39;
static const double half_pi_third = 0x1.98a2e03707345p-77;
static const double two_over_pi = 0x1.45f306dc9c883p-1;

/* An angle brought into [-pi/4, pi/4] (up to rounding): x = high + low + quadrant · pi/2 (mod 2
 * pi). */
typedef struct reduced_angle {
  double high, low;
  unsigned quadrant;
} reduced_angle;

/* |x| <= 1e5: subtract k · pi/2 in three parts (Cody and Waite 1980); only the last product
 * rounds. */
static reduced_angle reduce_moderate(double x) {
  const double k = floor(x * two_over_pi + 0.5);
  const double a = x - k * half_pi_first;
  const double b = k * half_pi_second;
  const double difference = a - b;
  /* Knuth's two-sum: the exact error of a - b, whichever is larger. */
  const double back = difference - a;
  const double error = (a - (difference - back)) - (b + back);
  const double low = error - k * half_pi_third;
  reduced_angle r;
  r.high = difference + low;
  r.low = (difference - r.high) + low;
  r.quadrant = (unsigned)(int)k & 3u;
  return r;
}

/* The first 1152 bits of 2/pi. */
static const uint32_t two_over_pi_bits[36] = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
    0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu,
    0xfe1deb1cu, 0xb129a73eu, 0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u,
    0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu, 0x1ff897ffu, 0xde05980fu,
    0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
    0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u,
};

/* Large x (Payne and Hanek 1983). With x = m · 2^(e-53), bits of 2/pi that contribute multiples of
 * 4 quadrants are skipped; the next 192 times m, modulo 2^192, hold the quadrant and over 100 bits
 * of fraction, more than the closest double to a multiple of pi/2 cancels (about 62). */
static reduced_angle reduce_large(double x) {
  int exponent;
  const uint64_t m = (uint64_t)ldexp(frexp(fabs(x), &exponent), 53);
  /* exponent >= 17; the bias keeps the division positive. Before the first word lie zeros. */
  const int first = (exponent - 55 + 64) / 32 - 2;
  const int shift = exponent - 55 - 32 * first; /* 0 to 31 */
  const uint64_t factors[2] = {m & 0xffffffffu, m >> 32};
  uint32_t product[6] = {0}; /* least significant first */
  for (int j = 0; j < 2; j++) {
    uint64_t carry = 0;
    for (int i = 0; i + j < 6; i++) {
      const uint64_t bits = first + 5 - i < 0 ? 0 : two_over_pi_bits[first + 5 - i];
      const uint64_t sum = factors[j] * bits + product[i + j] + carry;
      product[i + j] = (uint32_t)sum;
      carry = sum >> 32;
    }
  }
  /* The value is product · 2^(shift - 190) (mod 4). The top 128 bits after the shift: two of
   * quadrant, then the fraction. */
  uint64_t top = (uint64_t)product[5] << 32 | product[4];
  uint64_t next = (uint64_t)product[3] << 32 | product[2];
  const uint64_t last = (uint64_t)product[1] << 32 | product[0];
  if (shift > 0) {
    top = top << shift | next >> (64 - shift);
    next = next << shift | last >> (64 - shift);
  }
  unsigned quadrant = (unsigned)(top >> 62);
  top = top << 2 | next >> 62;
  next <<= 2;
  /* Nearest multiple: read the fraction as signed. */
  const bool up = top >> 63 != 0;
  if (up) quadrant++, top = ~top, next = ~next; /* 1 - fraction, short by 2^-128 */
  const double f0 = (double)(top >> 32) * 0x1p-32;
  const double f1 = (double)(top & 0xffffffffu) * 0x1p-64;
  const double f2 = (double)(next >> 32) * 0x1p-96;
  const double high = f0 + (f1 + f2);
  const double low = ((f0 - high) + f1) + f2;
  const bool negative = up != (x < 0);
  reduced_angle r;
  r.high = high * half_pi_high + (high * half_pi_low + low * half_pi_high);
  if (negative) r.high = -r.high;
  r.low = 0;
  r.quadrant = (x < 0 ? 0u - quadrant : quadrant) & 3u;
  return r;
}

/* Taylor series on [-pi/4, pi/4]; the first term left out is below 2^-63. */
static double sine_kernel(double r, double low) {
  const double z = r * r;
  double p = 1.0 / 355687428096000.0;
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return r + (r * z * p + low * (1.0 - 0.5 * z));
}

static double cosine_kernel(double r, double low) {
  const double z = r * r;
  double p = -1.0 / 6402373705728000.0;
  p = p * z + 1.0 / 20922789888000.0;
  p = p * z - 1.0 / 87178291200.0;
  p = p * z + 1.0 / 479001600.0;
  p = p * z - 1.0 / 3628800.0;
  p = p * z + 1.0 / 40320.0;
  p = p * z - 1.0 / 720.0;
  p = p * z + 1.0 / 24.0;
  const double half = 0.5 * z;
  const double lead = 1.0 - half;
  return lead + (((1.0 - lead) - half) + (z * z * p - r * low));
}

void supplei_sin_cos(double x, double *sine, double *cosine) {
  if (!isfinite(x)) {
    *sine = *cosine = (double)NAN;
    return;
  }
  const reduced_angle r = fabs(x) <= 1e5 ? reduce_moderate(x) : reduce_large(x);
  const double s = sine_kernel(r.high, r.low), c = cosine_kernel(r.high, r.low);
  switch (r.quadrant) {
  case 0: *sine = s, *cosine = c; break;
  case 1: *sine = c, *cosine = -s; break;
  case 2: *sine = -s, *cosine = -c; break;
  default: *sine = -c, *cosine = s; break;
  }
}

double supple_sin(double x) {
  double sine, cosine;
  supplei_sin_cos(x, &sine, &cosine);
  return sine;
}

double supple_cos(double x) {
  double sine, cosine;
  supplei_sin_cos(x, &sine, &cosine);
  return cosine;
}

/* atan(k/8) as the sum of two doubles. */
static const double arctangents[9][2] = {
    {0x0.0p+0, 0x0.0p+0},
    {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
};

/* atan of minor / major, 0 <= minor <= major, as high + low: with c the nearest k/8, atan(t) =
 * atan(c) + atan(u), u = (t - c) / (1 + t c), |u| <= 1/16. */
static double arctangent(double minor, double major, double *low) {
  const int k = (int)floor(8.0 * (minor / major) + 0.5);
  const double c = 0.125 * k;
  const double u = (minor - c * major) / (major + c * minor);
  const double z = u * u;
  double p = 1.0 / 15.0;
  p = 1.0 / 13.0 - p * z;
  p = 1.0 / 11.0 - p * z;
  p = 1.0 / 9.0 - p * z;
  p = 1.0 / 7.0 - p * z;
  p = 1.0 / 5.0 - p * z;
  p = 1.0 / 3.0 - p * z;
  *low = arctangents[k][1] + (u - u * z * p);
  return arctangents[k][0];
}

/* (high + low) := (minuend_high + minuend_low) - (high + low); Dekker's exact sum, since the
 * minuend is the larger. */
static void subtract_from(double minuend_high, double minuend_low, double *high, double *low) {
  const double difference = minuend_high - *high;
  const double error = (minuend_high - difference) - *high;
  *low = error + (minuend_low - *low);
  *high = difference;
}

double supple_atan2(double y, double x) {
  if (!isfinite(x) || !isfinite(y)) return (double)NAN;
  double ax = fabs(x), ay = fabs(y);
  const double largest = ax > ay ? ax : ay;
  double high = 0, low = 0;
  if (largest > 0) {
    if (largest > 0x1p+1000 || largest < 0x1p-900) { /* the ratio is all that counts */
      int exponent;
      (void)frexp(largest, &exponent);
      ax = ldexp(ax, -exponent), ay = ldexp(ay, -exponent);
    }
    if (ay <= ax) {
      high = arctangent(ay, ax, &low);
    } else {
      high = arctangent(ax, ay, &low);
      subtract_from(half_pi_high, half_pi_low, &high, &low);
    }
  }
  if (signbit(x)) subtract_from(2.0 * half_pi_high, 2.0 * half_pi_low, &high, &low);
  const double angle = high + low;
  return signbit(y) ? -angle : angle;
}

double supple_acos(double x) {
  if (!isfinite(x)) return (double)NAN;
  if (x >= 1.0) return 0.0;
  if (x <= -1.0) return 2.0 * half_pi_high;
  return supple_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}

double supplei_exp(double x) {
  if (isnan(x)) return x;
  if (x > 710.0) return (double)INFINITY;
  if (x < -746.0) return 0.0;
  const double k = floor(x * 0x1.71547652b82fep+0 + 0.5);
  /* ln 2 in two parts, of which the first times k is exact */
  const double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
  double p = 1.0;
  for (int i = 15; i > 0; i--) p = 1.0 + r * p / i; /* r^16 / 16! < 2^-68 */
  return ldexp(p, (int)k);
}

double supplei_log(double x) {
  if (!(x > 0.0) || !isfinite(x)) return (double)NAN;
  int exponent;
  double m = frexp(x, &exponent);
  if (m < 0.70710678118654752) m *= 2.0, exponent--;
  /* ln m = 2 artanh(s), |s| <= 0.172 */
  const double s = (m - 1.0) / (m + 1.0);
  const double z = s * s;
  double p = 1.0 / 25.0;
  for (int i = 23; i > 1; i -= 2) p = 1.0 / i + z * p;
  const double k = exponent;
  return k * 0x1.62e42fee00000p-1 + (2.0 * s + (2.0 * s * z * p + k * 0x1.a39ef35793c76p-33));
}
