// Branch-free arithmetic in + - * / sqrt, fma, comparisons and logical shifts alone.  Without contraction each of these
// is exactly rounded, so that the bits are the same for every vector width and on every machine.
#pragma once
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "coefficients.h"

#define INLINE static inline __attribute__((always_inline))

// x + y with |y| below an ulp of x or so: twice the digits
typedef struct { double high, low; } pair;

INLINE double fma_(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE uint64_t bits(double x) { uint64_t i; memcpy(&i, &x, 8); return i; }
INLINE double from_bits(uint64_t i) { double x; memcpy(&x, &i, 8); return x; }
INLINE double smaller(double a, double b) { return a < b ? a : b; }
INLINE double larger(double a, double b) { return a > b ? a : b; }
INLINE pair either(int condition, pair a, pair b) {
  pair w = {condition ? a.high : b.high, condition ? a.low : b.low};
  return w;
}
INLINE double value(pair a) { return a.high + a.low; }

// c[first] + c[first + step] y + ..
INLINE double horner(const double *c, int count, int first, int step, double y) {
  int last = first + (count - 1 - first) / step * step;
  double sum = c[last];
#pragma GCC unroll 64
  for (int k = last - step; k >= 0; k -= step) sum = fma_(sum, y, c[k]);
  return sum;
}
// c[0] + c[1] x + .. by two or four sums that do not wait for one another
INLINE double polynomial(const double *c, int count, double x) {
  double y = x * x, z = y * y;
  if (count < 8) return horner(c, count, 0, 1, x);
  if (count < 16) return fma_(horner(c, count, 1, 2, y), x, horner(c, count, 0, 2, y));
  double low = fma_(horner(c, count, 1, 4, z), x, horner(c, count, 0, 4, z));
  return fma_(fma_(horner(c, count, 3, 4, z), x, horner(c, count, 2, 4, z)), y, low);
}
#define POLYNOMIAL(C, x) polynomial(C, (int)(sizeof(C) / sizeof(*C)), x)
// The same with the second part of c[0]: where c[0] is the greatest term, nearly twice the digits.
INLINE pair polynomial_pair(const double *c, int count, double low, double x) {
  double rest = fma_(polynomial(c + 1, count - 1, x), x, low), sum = c[0] + rest;
  pair w = {sum, rest - (sum - c[0])};
  return w;
}
#define POLYNOMIAL_PAIR(C, x) polynomial_pair(C, (int)(sizeof(C) / sizeof(*C)), C##_LOW[0], x)
// The same, its last steps by Horner's rule: with fewer roundings where c[1] x is not much smaller than c[0].
INLINE pair polynomial_steps(const double *c, int count, double low, double x) {
  double quotient = fma_(fma_(polynomial(c + 3, count - 3, x), x, c[2]), x, c[1]);
  double rest = fma_(quotient, x, low), sum = c[0] + rest;
  pair w = {sum, rest - (sum - c[0])};
  return w;
}
#define POLYNOMIAL_STEPS(C, x) polynomial_steps(C, (int)(sizeof(C) / sizeof(*C)), C##_LOW[0], x)

// Exact sums and products: Dekker (Numer. Math. 18 (1971) 224), Knuth (TAOCP 2, 4.2.2).  sum_ordered needs |a| >= |b|.
INLINE pair sum_ordered(double a, double b) { double s = a + b; pair w = {s, b - (s - a)}; return w; }
INLINE pair sum_exact(double a, double b) {
  double s = a + b, c = s - a;
  pair w = {s, (a - (s - c)) + (b - c)};
  return w;
}
INLINE pair product_exact(double a, double b) { double p = a * b; pair w = {p, fma_(a, b, -p)}; return w; }
INLINE pair add(pair a, double b) { pair s = sum_exact(a.high, b); return sum_ordered(s.high, s.low + a.low); }
INLINE pair add_pair(pair a, pair b) {
  pair s = sum_exact(a.high, b.high);
  return sum_ordered(s.high, s.low + (a.low + b.low));
}
INLINE pair negative(pair a) { pair w = {-a.high, -a.low}; return w; }
INLINE pair multiply(pair a, pair b) {
  double p = a.high * b.high;
  pair w = {p, fma_(a.high, b.high, -p) + fma_(a.high, b.low, a.low * b.high)};
  return w;
}
INLINE pair times(pair a, double b) {
  double p = a.high * b;
  pair w = {p, fma_(a.low, b, fma_(a.high, b, -p))};
  return w;
}
INLINE pair times_exactly(pair a, double power) { pair w = {a.high * power, a.low * power}; return w; }
INLINE pair divide(pair a, pair b) {
  double inverse = 1.0 / b.high, q = a.high * inverse;
  pair w = {q, (fma_(-q, b.high, a.high) + fma_(-q, b.low, a.low)) * inverse};
  return w;
}
INLINE pair as_pair(double a) { pair w = {a, 0.0}; return w; }
INLINE pair root_of(pair a) {
  double root = sqrt(a.high);
  pair w = {root, a.high > 0 ? (fma_(-root, root, a.high) + a.low) * (0.5 / root) : 0.0};
  return w;
}

// The same polynomial with its tangent at 0, c[0] + c[1] x, in twice the digits: where |c[0]| >= |c[1] x|.
INLINE pair polynomial_tangent(const double *c, int count, double low, double x) {
  pair linear = product_exact(c[1], x), w = sum_ordered(c[0], linear.high);
  w.low += fma_(x * x, polynomial(c + 2, count - 2, x), linear.low + low);
  return w;
}
#define POLYNOMIAL_TANGENT(C, x) polynomial_tangent(C, (int)(sizeof(C) / sizeof(*C)), C##_LOW[0], x)

// The same polynomial with its last three steps in twice the digits: where c[0] is not much greater than c[1] x.
INLINE pair polynomial_pairs(const double *c, int count, const double *low, pair x) {
  pair curvature = multiply(sum_exact(c[2], polynomial(c + 3, count - 3, x.high) * x.high), x);
  pair sum = sum_exact(c[1], curvature.high);
  sum.low += curvature.low + low[1];
  pair rest = multiply(sum, x), w = sum_exact(c[0], rest.high);
  return sum_ordered(w.high, w.low + (rest.low + low[0]));
}
#define POLYNOMIAL_PAIRS(C, x) polynomial_pairs(C, (int)(sizeof(C) / sizeof(*C)), C##_LOW, x)

#define ROUNDER 0x1.8p52
INLINE double nearest_integer(double x) { return (x + ROUNDER) - ROUNDER; }
// 2^k for integers -1022 <= k <= 1023
INLINE double power_of_two(double k) { return from_bits((bits(k + ROUNDER) + 1023) << 52); }

// exp(x.high + x.low) = 2^k (1 + (w.high + w.low)), for |x| <= 1100: with r = x - k log 2, r + r^2 EXP(r)
typedef struct { pair mantissa; double exponent; } scaled;
INLINE scaled exp_less_one(pair x) {
  double k = nearest_integer(x.high * LOG2_INVERSE);
  double a = fma_(-k, LOG2_HI, x.high); // exact: LOG2_HI has 40 bits
  double low = fma_(-k, LOG2_LO, x.low), r = a + low;
  double rest = (a - r) + low, tail = r * r * POLYNOMIAL(EXP, r);
  scaled w = {{r, rest + tail}, k};
  return w;
}
// exp(x.high + x.low) = 2^shift power (high + low), where `power` must be a normal number
typedef struct { double high, low, power; } exponential;
INLINE exponential exp_shifted(pair x, double shift) {
  double t = fma_(x.high, LOG2_INVERSE, ROUNDER - shift), k = t - (ROUNDER - shift);
  double a = fma_(-k, LOG2_HI, x.high), low = fma_(-k, LOG2_LO, x.low), r = a + low;
  double less_one = r + fma_(r * r, POLYNOMIAL(EXP_SHORT, r), (a - r) + low), high = 1.0 + less_one;
  exponential w = {high, less_one - (high - 1.0), from_bits((bits(t) + 1023) << 52)};
  return w;
}

// exp(x.high + x.low) = 2^k (w.high + w.low)
INLINE scaled exp_scaled(pair x) {
  scaled e = exp_less_one(x);
  pair s = sum_ordered(1.0, e.mantissa.high);
  e.mantissa = sum_ordered(s.high, s.low + e.mantissa.low);
  return e;
}
// 2^k a for |k| <= 2000, rounded where it is subnormal
INLINE double times_power(double a, double k) {
  double first = larger(smaller(k, 1023.0), -1021.0), second = larger(smaller(k - first, 1023.0), -1021.0);
  return a * power_of_two(first) * power_of_two(second);
}
// 2^k a for -2000 <= k <= 1023
INLINE pair at_most_one(scaled a) {
  double first = larger(a.exponent, -1021.0), p = power_of_two(first), q = power_of_two(a.exponent - first);
  pair w = {a.mantissa.high * p * q, a.mantissa.low * p * q};
  return w;
}
INLINE double within(double x, double low, double high) { return smaller(larger(x, low), high); }

// log(x) + relative_rest + more log(2) for 2^-1074 <= x < infinity: x = 2^k m, sqrt(1/2) < m < sqrt(2), f = m - 1,
// s = f / (2 + f), z = s^2, and log(m) = 2 s + s z LOG(z) = f - f^2/2 + s (f^2/2 + z LOG(z))
INLINE pair log_parts(double x, double relative_rest, double more) {
  int small = x < DBL_MIN;
  uint64_t i = bits(x * (small ? 0x1p54 : 1.0)), e = (i + (1024ull << 52) - 0x3fe6a09e667f3bcdull) >> 52;
  double m = from_bits(i - (e << 52) + (1024ull << 52));
  double k = from_bits(e | 0x4330000000000000ull) - (small ? 0x1.0000000000436p52 : 0x1.00000000004p52);
  k += more;
  double f = m - 1.0, s = f / (m + 1.0), z = s * s, large = k * LOG2_HI;
  pair half = product_exact(0.5 * f, f), sum = sum_exact(large, f), difference = sum_ordered(sum.high, -half.high);
  double rest = fma_(s, fma_(z, POLYNOMIAL(LOG, z), half.high), fma_(k, LOG2_LO, relative_rest - half.low));
  return sum_ordered(difference.high, difference.low + (sum.low + rest));
}
INLINE pair log_pair(double x) { return log_parts(x, 0.0, 0.0); }
INLINE pair log_pair_of(pair x) { return log_parts(x.high, x.low / x.high, 0.0); }

// log(1 + x) for pairs x > -1: 1 + x = s + r, and log(s) + log(1 + r / s)
INLINE pair log_one_more(pair x) {
  pair sum = add(x, 1.0);
  double q = sum.low / sum.high;
  return log_parts(sum.high, fma_(-0.5 * q, q, q), 0.0);
}

// x = 2^exponent mantissa for 2^-1074 <= x < infinity, 1 <= mantissa < 2
typedef struct { double mantissa, exponent; } scaled_number;
INLINE scaled_number mantissa(double x) {
  int small = x < DBL_MIN;
  uint64_t i = bits(x * (small ? 0x1p54 : 1.0));
  double biased = from_bits((i >> 52) | 0x4330000000000000ull);
  double bias = small ? 0x1.0000000000435p52 : 0x1.00000000003ffp52;
  scaled_number w = {from_bits((i & 0xfffffffffffffull) | 0x3ff0000000000000ull), biased - bias};
  return w;
}

// log(x) with about 15 bits more than log_pair: log(m) = 2 s + s z 2/3 + .., its first two terms as pairs
INLINE pair log_long(pair x) {
  scaled_number split = mantissa(x.high);
  int upper = split.mantissa > 0x1.6a09e667f3bcdp0;
  double m = upper ? 0.5 * split.mantissa : split.mantissa, k = upper ? split.exponent + 1.0 : split.exponent;
  pair s = divide(as_pair(m - 1.0), sum_exact(m, 1.0)), z = multiply(s, s), third = {LOG[0], LOG_LOW[0]};
  double series = z.high * polynomial(LOG + 1, sizeof(LOG) / sizeof(*LOG) - 1, z.high);
  double tail = fma_(s.high * z.high, series, x.low / x.high);
  pair sum = add_pair(sum_ordered(k * LOG2_HI, k * LOG2_LO), times(s, 2.0));
  pair w = add_pair(sum, multiply(multiply(s, z), third));
  return sum_ordered(w.high, w.low + tail);
}
