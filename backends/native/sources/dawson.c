// Dawson's integral and its derivative.
//
// With the masks of AVX-512, one sum of chosen coefficients is faster than two sums and a choice between them, which GCC
// would make of it, and elsewhere slower; the values are the same.
#if defined(__AVX512F__) && !defined(__clang__)
#pragma GCC optimize("no-thread-jumps", "no-tree-sink", "no-split-paths")
#endif
#include "loops.h"

// c[first] + c[first + 4] y + .. of one of two tables
INLINE double chosen_horner(int is_a, const double *a, const double *b, int count, int first, double y) {
  int last = first + (count - 1 - first) / 4 * 4;
  double sum = is_a ? a[last] : b[last];
#pragma GCC unroll 64
  for (int k = last - 4; k >= first; k -= 4) sum = fma_(sum, y, is_a ? a[k] : b[k]);
  return sum;
}
// c[0] + c[1] x + .. of one of two tables, its last steps by Horner's rule, with the second part of c[0]
INLINE double chosen_sum(
  int is_a, const double *a, const double *b, const double *low_a, const double *low_b, int count, double x
) {
  double y = x * x, z = y * y;
  double even = fma_(chosen_horner(is_a, a, b, count, 5, z), y, chosen_horner(is_a, a, b, count, 3, z));
  double odd = fma_(chosen_horner(is_a, a, b, count, 6, z), y, chosen_horner(is_a, a, b, count, 4, z));
  double quotient = fma_(fma_(fma_(odd, x, even), x, is_a ? a[2] : b[2]), x, is_a ? a[1] : b[1]);
  return (is_a ? a[0] : b[0]) + fma_(quotient, x, is_a ? low_a[0] : low_b[0]);
}
INLINE double chosen_polynomial(
  int is_a, const double *a, const double *b, const double *low_a, const double *low_b, int count, double x
) {
#if defined(__AVX512F__)
  return chosen_sum(is_a, a, b, low_a, low_b, count, x);
#else
  double of_a = chosen_sum(1, a, b, low_a, low_b, count, x), of_b = chosen_sum(0, a, b, low_a, low_b, count, x);
  return is_a ? of_a : of_b;
#endif
}
#define CHOSEN(IS_A, A, B, x) chosen_polynomial(IS_A, A, B, A##_LOW, B##_LOW, (int)(sizeof(A) / sizeof(*A)), x)

// x + x z DAWSON_NEAR(z) with z = x^2, a polynomial in x, and far out one in v = 1 / x^2
INLINE double dawsn(double x) {
  double a = fabs(x), z = x * x, u = 1.0 / a, v = u * u;
  int is_far = a >= 4.0;
  double near = fma_(a * z, POLYNOMIAL_STEPS(DAWSON_NEAR, z).high, a);
  double rest = CHOSEN(is_far, DAWSON_FAR, DAWSON_MIDDLE, is_far ? fma_(v, 32.0, -1.0) : a - 2.75);
  double w = is_far ? fma_(v * u, rest, 0.5 * u) : rest;
  return copysign(a < 1.0625 ? near : w, x);
}
UNARY(dawsn, dawsn)

// 1 - 2 x dawsn(x) without that cancellation, on both sides of its zero as a multiple of the distance from it in z
INLINE double dawsn_derivative(double x) {
  double a = fabs(x), v = 1.0 / (x * x);
  int is_far = a >= 4.0;
  pair z = product_exact(x, x), distance = sum_exact(z.high, -DAWSON_ZERO_HI);
  distance.low += z.low - DAWSON_ZERO_LO;
  pair factor = POLYNOMIAL_TANGENT(DAWSON_DERIVATIVE_NEAR, z.high - 1.0);
  double near = fma_(distance.high, factor.high, fma_(distance.high, factor.low, distance.low * value(factor)));
  double t = is_far ? fma_(v, 32.0, -1.0) : a - 3.0625;
  double rest = CHOSEN(is_far, DAWSON_DERIVATIVE_FAR, DAWSON_DERIVATIVE_MIDDLE, t);
  double w = is_far ? fma_(-v * v, rest, -0.5 * v) : rest;
  return a < 1.375 ? near : w;
}
DERIVATIVE(dawsn, dawsn_derivative)
