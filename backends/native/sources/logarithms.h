// Logarithms as sums of two numbers that are still to be added or multiplied: the second is less than a third of the
// first, and its rounding errors are all that there are.
#pragma once
#include "arithmetic.h"

INLINE int is_positive(double x) { return x > 0 && x <= DBL_MAX; }

// x (w.high + w.low) for finite x
INLINE double multiplied(double x, pair w) { return fma_(x, w.high, x * w.low); }

// log(1 + f) - k log(2) + more, sqrt(1/2) < 1 + f < sqrt(2): with s = f / (2 + f) and z = s^2 it is
// f - f^2/2 + s (f^2/2 + z LOG_SHORT(z)).  Where k and more are 0, f = 0 keeps its sign.
INLINE pair log_reduced(double f, double k, double more) {
  double s = f / (2.0 + f), z = s * s, half = 0.5 * f * f, large = k * -LOG2_HI, sum = large + f;
  double rest = fma_(k, -LOG2_LO, f - (sum - large) + more);
  pair w = {sum, -(half - fma_(s, fma_(z, POLYNOMIAL(LOG_SHORT, z), half), rest))};
  return w;
}

// log(x) for 2^-1074 <= x < infinity, and of normal numbers, that of a number 2^54 times as small
INLINE pair log_of_normal(double x, double bias) {
  uint64_t i = bits(x), e = (i + (1024ull << 52) - 0x3fe6a09e667f3bcdull) >> 52;
  double m = from_bits(i - (e << 52) + (1024ull << 52));
  return log_reduced(m - 1.0, bias - from_bits(e | 0x4330000000000000ull), 0.0);
}
INLINE pair log_terms(double x) {
  int small = x < DBL_MIN;
  return log_of_normal(x * (small ? 0x1p54 : 1.0), small ? 0x1.0000000000436p52 : 0x1.00000000004p52);
}

// 1 / u to 6 percent, from the bits of positive numbers: Blinn, IEEE Computer Graphics and Applications 17(4) (1997) 80
INLINE double reciprocal_estimate(double u) { return from_bits(0x7fde623822fc16e6ull - bits(smaller(u, 0x1p1000))); }

// log(1 + x) for -1 < x < infinity: 1 + x = u + lost, and log(u) + lost / u.  Where u is next to 1, u - 1 is x instead;
// elsewhere lost / u counts little.
INLINE pair log1p_terms(double x) {
  double large = x >= 1.0 ? x : 1.0, small = x >= 1.0 ? 1.0 : x, u = 1.0 + x, lost = small - (u - large);
  uint64_t i = bits(u), e = (i + (1024ull << 52) - 0x3fe6a09e667f3bcdull) >> 52;
  double m = from_bits(i - (e << 52) + (1024ull << 52)), k = 0x1.00000000004p52 - from_bits(e | 0x4330000000000000ull);
  return log_reduced(k == 0 ? x : m - 1.0, k, k == 0 ? 0.0 : lost * reciprocal_estimate(u));
}
INLINE double log1p_of(double x) {
  double w = value(log1p_terms(x));
  w = x <= DBL_MAX ? w : x;
  return x > -1.0 ? w : (x == -1.0 ? -INFINITY : NAN);
}

// x / y = 2^k a / b with |log(a / b)| < log(3/2): the bits of a positive number are nearly a logarithm of it
typedef struct { double a, b, k; } reduced_quotient;
#define MANTISSA_BITS 0xfffffffffffffull
#define ONE_BITS 0x3ff0000000000000ull
INLINE reduced_quotient reduce_biased_quotient(double x, double y, double bias) {
  uint64_t i = bits(x), j = bits(y), b = (j & MANTISSA_BITS) | ONE_BITS, t = i - j + ((1ull << 63) + (1ull << 51));
  double k = from_bits((t >> 52) | 0x4330000000000000ull) - bias;
  reduced_quotient w = {from_bits(b + (t & MANTISSA_BITS) - (1ull << 51)), from_bits(b), k};
  return w;
}
INLINE reduced_quotient reduce_normal_quotient(double x, double y) {
  return reduce_biased_quotient(x, y, 0x1.00000000008p52);
}
INLINE reduced_quotient reduce_quotient(double x, double y) {
  int x_small = x < DBL_MIN, y_small = y < DBL_MIN;
  double bias = (x_small ? 0x1.0000000000836p52 : 0x1.00000000008p52) - (y_small ? 54.0 : 0.0);
  return reduce_biased_quotient(x * (x_small ? 0x1p54 : 1.0), y * (y_small ? 0x1p54 : 1.0), bias);
}

// (a - b - more) / ((a + b + more) / 2) = high + low, |high| <= 2/5, for |more| below an ulp of b
INLINE pair relative_difference(double a, double b, double more) {
  double exact = a - b, d = exact - more, mean = fma_(0.5, exact, b), inverse = 1.0 / mean, q = d * inverse;
  double lost = fma_(0.5, more, fma_(0.5, exact, b - mean)), rest = (exact - d) - more;
  pair w = {q, fma_(-q, lost, fma_(-q, mean, d) + rest) * inverse};
  return w;
}
// log(1 + d) - log(1 - d) for 2 d = q.high + q.low, less q.high and of |q| <= 2/5
INLINE double beyond_difference(pair q) {
  double z = q.high * q.high;
  return fma_(q.high * z, POLYNOMIAL(LOG_QUOTIENT, z), q.low);
}
INLINE pair log_of_reduced(pair q, double k) {
  double large = k * LOG2_HI, sum = large + q.high, off = q.high - (sum - large);
  pair w = {sum, beyond_difference(q) + fma_(k, LOG2_LO, off)};
  return w;
}
// log(x / y)
INLINE pair log_quotient_terms(double x, double y) {
  reduced_quotient w = reduce_quotient(x, y);
  return log_of_reduced(relative_difference(w.a, w.b, 0.0), w.k);
}
