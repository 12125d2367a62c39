// Angles less multiples of pi / 2, their sines and cosines, and the angle of a point.
#pragma once
#include "arithmetic.h"

// x - n pi / 2, by pi / 2 in three parts, for integers and half-integers n up to 2^51
INLINE pair less_quarters(double x, double n) {
  pair first = product_exact(n, HALF_PI_0), second = product_exact(n, HALF_PI_1);
  second.low = fma_(n, HALF_PI_2, second.low);
  return add_pair(sum_exact(x - first.high, -first.low), negative(second));
}

// the sine and the cosine of r for |r| <= 0.84
typedef struct { pair sine, cosine; } circular;
INLINE circular sine_and_cosine(pair r) {
  double h = r.high, z = h * h;
  pair half = product_exact(0.5 * h, h), whole = sum_ordered(1.0, -half.high);
  double even = fma_(z * z, POLYNOMIAL(COS, z), -fma_(h, r.low, half.low)), uneven = h * z * POLYNOMIAL(SIN, z);
  circular w = {sum_ordered(h, fma_(-0.5 * z, r.low, r.low) + uneven), sum_ordered(whole.high, whole.low + even)};
  return w;
}
// cos(r + quarter pi / 2)
INLINE pair turned_cosine(pair r, uint64_t quarter) {
  circular w = sine_and_cosine(r);
  pair turned = either((quarter & 1) != 0, w.sine, w.cosine);
  return either(((quarter + 1) & 2) != 0, negative(turned), turned);
}

#define FARTHEST 0x1p30 // beyond, the multiple of pi / 2 takes integers

typedef struct { pair rest; uint64_t quarter; } reduced;

// x = quarter pi / 2 + rest, by the bits of 2 / pi that count: Payne and Hanek (SIGNUM 18 (1983) 19).  With the mantissa
// m of x = m 2^e those before the (e - 2)-th make multiples of 4; 192 bits follow, and `size_of` is what m times them
// leaves.
static inline reduced reduce_huge(double x) {
  uint64_t i = bits(fabs(x)), m = (i & 0xfffffffffffffull) | 0x10000000000000ull, w[3];
  unsigned start = (unsigned)(i >> 52) - 1075 - 2 + 64, word = start / 64, shift = start % 64;
  for (int k = 0; k < 3; k++)
    w[k] = shift ? TWO_OVER_PI_BITS[word + k] << shift | TWO_OVER_PI_BITS[word + k + 1] >> (64 - shift)
                 : TWO_OVER_PI_BITS[word + k];
  typedef unsigned __int128 wide;
  wide low = (wide)m * w[2], middle = (wide)m * w[1] + (uint64_t)(low >> 64);
  uint64_t size_of[3] = {m * w[0] + (uint64_t)(middle >> 64), (uint64_t)middle, (uint64_t)low};
  uint64_t quarter = (size_of[0] + (1ull << 61)) >> 62;
  size_of[0] -= quarter << 62;
  int is_negative = size_of[0] >> 63;
  if (is_negative) {
    for (int k = 0; k < 3; k++) size_of[k] = ~size_of[k];
    if (!++size_of[2] && !++size_of[1]) ++size_of[0];
  }
  int zeros = size_of[0] ? __builtin_clzll(size_of[0]) : 64; // no double is nearer to a multiple than 2^-62
  uint64_t first = zeros == 64 ? size_of[1] : zeros ? size_of[0] << zeros | size_of[1] >> (64 - zeros) : size_of[0];
  uint64_t second = zeros == 64 ? size_of[2] : zeros ? size_of[1] << zeros | size_of[2] >> (64 - zeros) : size_of[1];
  double scale = power_of_two(-51.0 - zeros);
  pair turns = {(double)(first >> 11) * scale, (double)((first & 0x7ff) << 42 | second >> 22) * (scale * 0x1p-53)};
  pair half_pi = {HALF_PI_0, HALF_PI_1}, rest = multiply(turns, half_pi);
  reduced r = {is_negative != (x < 0) ? negative(rest) : rest, x < 0 ? -quarter : quarter};
  return r;
}
INLINE reduced reduce(double x) {
  double n = nearest_integer(x * TWO_OVER_PI_HI);
  reduced r = {less_quarters(x, n), bits(n + ROUNDER)};
  return r;
}

INLINE double sine_of(reduced r) { return value(turned_cosine(r.rest, r.quarter - 1)); }
INLINE double cosine_of(reduced r) { return value(turned_cosine(r.rest, r.quarter)); }

// the angle of the point (x, y) with x, y >= 0, not both 0: by the tangent of the distance from 0, pi / 4 or pi / 2
INLINE pair angle(pair y, pair x) {
  int is_low = y.high <= TAN_PI_8 * x.high, is_high = x.high <= TAN_PI_8 * y.high;
  pair above = add_pair(y, negative(x)), both = add_pair(y, x);
  pair t = divide(either(is_low, y, either(is_high, negative(x), above)), either(is_low, x, either(is_high, y, both)));
  double z = t.high * t.high, rest = fma_(-z, t.low, t.low);
  pair small = sum_ordered(t.high, fma_(t.high * z, POLYNOMIAL(ATAN, z), rest));
  pair middle = {0.5 * HALF_PI_0, 0.5 * HALF_PI_1}, high = {HALF_PI_0, HALF_PI_1};
  return either(is_low, small, add_pair(either(is_high, high, middle), small));
}

// pi - w where the second number is negative
INLINE pair mirrored(int is_left, pair w) {
  pair pi = {2.0 * HALF_PI_0, 2.0 * HALF_PI_1};
  return either(is_left, add_pair(pi, negative(w)), w);
}
INLINE double arctan2_of(double y, double x) {
  double a = fabs(y), b = fabs(x), c = larger(a, b);
  double scale = c > 0x1p500 ? 0x1p-600 : (c < 0x1p-400 ? 0x1p600 : 1.0);
  double up = c > DBL_MAX ? (a > DBL_MAX ? 1.0 : 0.0) : a * scale;
  double right = c > DBL_MAX ? (b > DBL_MAX ? 1.0 : 0.0) : (c == 0 ? 1.0 : b * scale);
  double w = value(mirrored((bits(x) >> 63) != 0, angle(as_pair(up), as_pair(right))));
  return x != x || y != y ? NAN : copysign(w, y);
}
