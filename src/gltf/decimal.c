/* decimal.c: decimal text to the nearest double, whatever the locale.
 *
 * Three ways, each exact or aware that it is not: two doubles (Clinger 1990), a 64-bit product
 * with an error bound, and long division of big integers, which is always right. */
#include "../base/prologue.h"

#include "decimal.h"

#include <math.h>

/* digits * 10^exponent; `inexact` where digits beyond the 19th were dropped and are not all
 * zero. */
typedef struct decimal {
  uint64_t digits;
  int64_t exponent;
  bool negative, inexact;
} decimal;

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The exponent part at text[i] ("e-12"), 0 where there is none; far beyond any double it
 * saturates. */
static int64_t read_exponent(const char *text, size_t length, size_t i) {
  if (i >= length) return 0;
  bool negative = ++i < length && text[i] == '-';
  if (i < length && (text[i] == '-' || text[i] == '+')) i++;
  int64_t exponent = 0;
  for (; i < length && is_digit(text[i]); i++)
    if (exponent < INT64_C(1) << 40) exponent = exponent * 10 + (text[i] - '0');
  return negative ? -exponent : exponent;
}

static decimal read_decimal(const char *text, size_t length) {
  decimal d = {0};
  size_t i = 0;
  if (length && text[0] == '-') d.negative = true, i = 1;
  int kept = 0;
  bool fraction = false;
  for (; i < length && (is_digit(text[i]) || text[i] == '.'); i++) {
    if (text[i] == '.') {
      fraction = true;
    } else if (kept < 19) {
      d.digits = d.digits * 10 + (uint64_t)(text[i] - '0');
      kept += d.digits != 0; /* leading zeros are free */
      d.exponent -= fraction;
    } else {
      d.inexact |= text[i] != '0';
      d.exponent += !fraction;
    }
  }
  d.exponent += read_exponent(text, length, i);
  return d;
}

/* Both operands exact as doubles, one rounding: right. False where they are not. */
static bool from_doubles(const decimal *d, double *value) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (d->inexact || d->digits > UINT64_C(1) << 53 || d->exponent < -22 || d->exponent > 22)
    return false;
  *value = d->exponent < 0 ? (double)d->digits / powers[-d->exponent]
                           : (double)d->digits * powers[d->exponent];
  return true;
}

enum { POWER_LIMIT = 64 };

/* The first 64 bits of 10^k, k = -64 to 64, rounded down; 10^k is this times 2^(floor(k log2 10)
 * - 63). */
static const uint64_t power_bits[2 * POWER_LIMIT + 1] = {
    0xa87fea27a539e9a5, 0xd29fe4b18e88640e, 0x83a3eeeef9153e89, 0xa48ceaaab75a8e2b,
    0xcdb02555653131b6, 0x808e17555f3ebf11, 0xa0b19d2ab70e6ed6, 0xc8de047564d20a8b,
    0xfb158592be068d2e, 0x9ced737bb6c4183d, 0xc428d05aa4751e4c, 0xf53304714d9265df,
    0x993fe2c6d07b7fab, 0xbf8fdb78849a5f96, 0xef73d256a5c0f77c, 0x95a8637627989aad,
    0xbb127c53b17ec159, 0xe9d71b689dde71af, 0x9226712162ab070d, 0xb6b00d69bb55c8d1,
    0xe45c10c42a2b3b05, 0x8eb98a7a9a5b04e3, 0xb267ed1940f1c61c, 0xdf01e85f912e37a3,
    0x8b61313bbabce2c6, 0xae397d8aa96c1b77, 0xd9c7dced53c72255, 0x881cea14545c7575,
    0xaa242499697392d2, 0xd4ad2dbfc3d07787, 0x84ec3c97da624ab4, 0xa6274bbdd0fadd61,
    0xcfb11ead453994ba, 0x81ceb32c4b43fcf4, 0xa2425ff75e14fc31, 0xcad2f7f5359a3b3e,
    0xfd87b5f28300ca0d, 0x9e74d1b791e07e48, 0xc612062576589dda, 0xf79687aed3eec551,
    0x9abe14cd44753b52, 0xc16d9a0095928a27, 0xf1c90080baf72cb1, 0x971da05074da7bee,
    0xbce5086492111aea, 0xec1e4a7db69561a5, 0x9392ee8e921d5d07, 0xb877aa3236a4b449,
    0xe69594bec44de15b, 0x901d7cf73ab0acd9, 0xb424dc35095cd80f, 0xe12e13424bb40e13,
    0x8cbccc096f5088cb, 0xafebff0bcb24aafe, 0xdbe6fecebdedd5be, 0x89705f4136b4a597,
    0xabcc77118461cefc, 0xd6bf94d5e57a42bc, 0x8637bd05af6c69b5, 0xa7c5ac471b478423,
    0xd1b71758e219652b, 0x83126e978d4fdf3b, 0xa3d70a3d70a3d70a, 0xcccccccccccccccc,
    0x8000000000000000, 0xa000000000000000, 0xc800000000000000, 0xfa00000000000000,
    0x9c40000000000000, 0xc350000000000000, 0xf424000000000000, 0x9896800000000000,
    0xbebc200000000000, 0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000,
    0xe8d4a51000000000, 0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000,
    0x8e1bc9bf04000000, 0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000,
    0xad78ebc5ac620000, 0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400,
    0xd3c21bcecceda100, 0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a,
    0x813f3978f8940984, 0xa18f07d736b90be5, 0xc9f2c9cd04674ede, 0xfc6f7c4045812296,
    0x9dc5ada82b70b59d, 0xc5371912364ce305, 0xf684df56c3e01bc6, 0x9a130b963a6c115c,
    0xc097ce7bc90715b3, 0xf0bdc21abb48db20, 0x96769950b50d88f4, 0xbc143fa4e250eb31,
    0xeb194f8e1ae525fd, 0x92efd1b8d0cf37be, 0xb7abc627050305ad, 0xe596b7b0c643c719,
    0x8f7e32ce7bea5c6f, 0xb35dbf821ae4f38b, 0xe0352f62a19e306e, 0x8c213d9da502de45,
    0xaf298d050e4395d6, 0xdaf3f04651d47b4c, 0x88d8762bf324cd0f, 0xab0e93b6efee0053,
    0xd5d238a4abe98068, 0x85a36366eb71f041, 0xa70c3c40a64e6c51, 0xd0cf4b50cfe20765,
    0x82818f1281ed449f, 0xa321f2d7226895c7, 0xcbea6f8ceb02bb39, 0xfee50b7025c36a08,
    0x9f4f2726179a2245, 0xc722f0ef9d80aad6, 0xf8ebad2b84e0d58b, 0x9b934c3b330c8577,
    0xc2781f49ffcfa6d5};

/* The upper 64 bits of a * b. */
static uint64_t multiply_high(uint64_t a, uint64_t b) {
  uint64_t a0 = a & 0xFFFFFFFF, a1 = a >> 32, b0 = b & 0xFFFFFFFF, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & 0xFFFFFFFF);
  return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* The product of the digits and a truncated power of ten, with the interval it can lie in. False
 * where both ends do not round alike. */
static bool from_product(const decimal *d, double *value) {
  if (d->exponent < -POWER_LIMIT || d->exponent > POWER_LIMIT) return false;
  int shift = 0;
  uint64_t digits = d->digits;
  while (!(digits >> 63)) digits <<= 1, shift++;
  /* Exact: in [low, high). One unit for the product's lower half, one for the power's lost bits,
   * and the unit of the last digit kept where more were dropped. */
  uint64_t low = multiply_high(digits, power_bits[d->exponent + POWER_LIMIT]);
  uint64_t error = 3 + (d->inexact ? UINT64_C(1) << shift : 0);
  if (low > UINT64_MAX - error) return false;
  uint64_t high = low + error;
  int drop = low >> 63 ? 11 : 10; /* keeps 53 bits */
  uint64_t half = UINT64_C(1) << (drop - 1), mask = 2 * half - 1;
  if (low >> drop != high >> drop) return false;
  uint64_t bits = low >> drop;
  if ((low & mask) > half)
    bits++;
  else if ((high & mask) > half)
    return false;
  /* floor(k log2 10) is floor(k * 217706 / 65536) for |k| <= 64 */
  int64_t scaled = d->exponent * 217706;
  int power = (int)(scaled >= 0 ? scaled / 65536 : -((65535 - scaled) / 65536));
  *value = ldexp((double)bits, drop + power + 1 - shift);
  return true;
}

/* ---- big integers: little-endian words, count without leading zeros ---- */
enum {
  BIG_WORDS = 128,  /* 10^1126, the largest divisor, has 3741 bits */
  BIG_DIGITS = 800, /* more than 768 digits never matter but as "a bit more" */
  LARGEST_POWER = 310,
  SMALLEST_POWER = -326
};

typedef struct big {
  uint32_t words[BIG_WORDS];
  int count;
} big;

static void big_multiply_add(big *a, uint32_t factor, uint32_t term) {
  uint64_t carry = term;
  for (int i = 0; i < a->count; i++) {
    carry += (uint64_t)a->words[i] * factor;
    a->words[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) a->words[a->count++] = (uint32_t)carry;
}

static void big_scale_ten(big *a, int64_t exponent) {
  for (; exponent >= 9; exponent -= 9) big_multiply_add(a, 1000000000, 0);
  for (; exponent > 0; exponent--) big_multiply_add(a, 10, 0);
}

static int big_bits(const big *a) {
  int bits = 32 * (a->count - 1);
  for (uint32_t top = a->words[a->count - 1]; top; top >>= 1) bits++;
  return bits;
}

static void big_shift_left(big *a, int bits) {
  int words = bits / 32;
  bits %= 32;
  if (words) {
    for (int i = a->count - 1; i >= 0; i--) a->words[i + words] = a->words[i];
    for (int i = 0; i < words; i++) a->words[i] = 0;
    a->count += words;
  }
  if (bits) big_multiply_add(a, UINT32_C(1) << bits, 0);
}

static int big_compare(const big *a, const big *b) {
  if (a->count != b->count) return a->count < b->count ? -1 : 1;
  for (int i = a->count - 1; i >= 0; i--)
    if (a->words[i] != b->words[i]) return a->words[i] < b->words[i] ? -1 : 1;
  return 0;
}

/* a -= b where a >= b. */
static void big_subtract(big *a, const big *b) {
  uint64_t borrow = 0;
  for (int i = 0; i < a->count; i++) {
    uint64_t take = borrow + (i < b->count ? b->words[i] : 0);
    borrow = a->words[i] < take;
    a->words[i] = (uint32_t)(a->words[i] - take);
  }
  while (a->count && !a->words[a->count - 1]) a->count--;
}

/* The first BIG_DIGITS significant digits; *exponent of the last one kept; *more: what follows
 * is not 0. */
static void big_read(big *a, const char *text, size_t length, int64_t *exponent, bool *more) {
  int kept = 0;
  bool fraction = false;
  size_t i = text[0] == '-';
  a->count = 0, *exponent = 0, *more = false;
  for (; i < length && (is_digit(text[i]) || text[i] == '.'); i++) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    if (kept == BIG_DIGITS) {
      *more |= text[i] != '0';
      *exponent += !fraction;
      continue;
    }
    if (kept || text[i] != '0') big_multiply_add(a, 10, (uint32_t)(text[i] - '0')), kept++;
    *exponent -= fraction;
  }
  *exponent += read_exponent(text, length, i);
}

/* Long division, bit by bit, to the bits that a double of this size has. The value is not zero. */
static double from_division(const char *text, size_t length) {
  big numerator, denominator = {.words = {1}, .count = 1};
  int64_t exponent;
  bool more;
  big_read(&numerator, text, length, &exponent, &more);
  if (exponent > 0)
    big_scale_ten(&numerator, exponent);
  else
    big_scale_ten(&denominator, -exponent);

  int power = big_bits(&numerator) - big_bits(&denominator);
  if (power > 0)
    big_shift_left(&denominator, power);
  else
    big_shift_left(&numerator, -power);
  if (big_compare(&numerator, &denominator) < 0) big_shift_left(&numerator, 1), power--;
  /* now 1 <= numerator / denominator < 2, and the value is that times 2^power */
  int bits = power < -1022 ? 53 + 1022 + power : 53;
  if (bits < 0) return 0;
  uint64_t quotient = 0;
  for (int i = 0; i < bits; i++) {
    quotient <<= 1;
    if (big_compare(&numerator, &denominator) >= 0) {
      big_subtract(&numerator, &denominator);
      quotient |= 1;
    }
    if (numerator.count) big_shift_left(&numerator, 1);
  }
  int rest = big_compare(&numerator, &denominator); /* against one half of the last bit */
  if (rest > 0 || (rest == 0 && (more || (quotient & 1)))) quotient++;
  return ldexp((double)quotient, power - bits + 1);
}

double supplei_decimal_to_double(const char *text, size_t length) {
  decimal d = read_decimal(text, length);
  double value = 0;
  if (d.digits && !from_doubles(&d, &value) && !from_product(&d, &value)) {
    int64_t power = d.exponent; /* of ten: the value is below 10^(power of the first digit + 1) */
    for (uint64_t rest = d.digits; rest >= 10; rest /= 10) power++;
    value = power > LARGEST_POWER    ? HUGE_VAL
            : power < SMALLEST_POWER ? 0
                                     : from_division(text, length);
  }
  return d.negative ? -value : value;
}
