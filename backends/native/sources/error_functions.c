// The error functions, Dawson's integral and the normal distribution.
#include "loops.h"

// exp(-x^2) and exp(-x^2 / 2) for 0 <= x <= 40, where the rounding of the square counts
INLINE scaled exp_of_square(double x) {
  pair square = product_exact(x, x);
  return exp_scaled(negative(square));
}
INLINE scaled exp_of_half_square(double x) {
  pair square = product_exact(0.5 * x, x);
  return exp_scaled(negative(square));
}

// erf(x) for |x| < 1, of the size of x
INLINE double erf_near(double x) {
  double rest = fma_(x * x, POLYNOMIAL(ERF, x * x), ERF_SLOPE_LO);
  return fma_(x, ERF_SLOPE_HI, x * rest);
}

INLINE double erf_of(double x) {
  double a = fabs(x), c = smaller(a, 6.0);
  scaled e = exp_scaled(as_pair(-c * c));
  double far = fma_(-(value(e.mantissa) * power_of_two(e.exponent)), POLYNOMIAL(ERF_FAR, fma_(c, 0.4, -1.4)), 1.0);
  double w = a < 1.0 ? erf_near(smaller(a, 1.0)) : far;
  return x != x ? x : copysign(w, x);
}
UNARY(erf, erf_of)

// erfcx(x) for x >= 0; with 9/8, ERFCX has no slope at 0
INLINE pair erfcx_right(double x) {
  double t = (x - 3.0) / (x + 3.0);
  return divide(POLYNOMIAL_PAIR(ERFCX, t), sum_exact(1.0, 1.125 * x));
}

// 1 - erf(x) where |x| < 1/2, and beyond exp(-x^2) erfcx(x), on the left 2 - exp(-x^2) erfcx(-x)
INLINE double erfc_of(double x) {
  double a = fabs(x), c = smaller(a, 28.0);
  scaled e = exp_of_square(c);
  double tail = times_power(value(multiply(e.mantissa, erfcx_right(c))), e.exponent);
  double w = x < 0 ? 2.0 - tail : tail;
  w = a < 0.5 ? 1.0 - erf_near(a < 0.5 ? x : 0.0) : w;
  return x != x ? x : w;
}
UNARY(erfc, erfc_of)

// 2 / sqrt(pi) exp(-x^2)
INLINE double erf_derivative(double x) {
  pair slope = {ERF_SLOPE_HI, ERF_SLOPE_LO};
  scaled e = exp_of_square(smaller(fabs(x), 40.0));
  double w = times_power(value(multiply(e.mantissa, slope)), e.exponent);
  return x != x ? x : w;
}
INLINE double erfc_derivative(double x) { return -erf_derivative(x); }
DERIVATIVE(erf, erf_derivative)
DERIVATIVE(erfc, erfc_derivative)

// on the left 2 exp(x^2) - erfcx(-x); 1 / (sqrt(pi) x) far on the right
INLINE double erfcx_of(double x) {
  double a = fabs(x), c = smaller(a, 1e9);
  pair right = erfcx_right(c);
  pair square = product_exact(smaller(a, 28.0), smaller(a, 28.0));
  scaled e = exp_scaled(square);
  double half = power_of_two(smaller(e.exponent, 1023.0)), rest = e.exponent > 1023.0 ? 4.0 : 2.0;
  pair left = {e.mantissa.high * half * rest, e.mantissa.low * half * rest};
  double w = x < 0 ? value(add_pair(left, negative(right))) : value(right);
  w = left.high > DBL_MAX && x < 0 ? left.high : w;
  w = x > 1e9 ? 0.5 * ERF_SLOPE_HI / x : w;
  return x != x ? x : w;
}
UNARY(erfcx, erfcx_of)

// 2 x erfcx(x) - 2 / sqrt(pi), and on the right, where these cancel, by a table
INLINE double erfcx_derivative(double x) {
  double a = fabs(x), c = smaller(a, 0x1p500), square = smaller(a, 28.0);
  pair one_more = sum_exact(1.0, c);
  pair t = divide(sum_exact(c, -3.0), sum_exact(c, 3.0));
  pair right = divide(POLYNOMIAL_PAIRS(ERFCX_SLOPE, t), multiply(one_more, one_more));
  scaled e = exp_scaled(product_exact(square, square));
  double half = power_of_two(smaller(e.exponent, 1000.0)), rest = power_of_two(larger(e.exponent - 1000.0, 0.0));
  pair twice = times(e.mantissa, 2.0 * half), near = add_pair(twice, negative(erfcx_right(square)));
  pair slope = {ERF_SLOPE_HI, ERF_SLOPE_LO}, product = times(near, -2.0 * square);
  double left = e.exponent > 1000.0 ? product.high * rest : value(add_pair(product, negative(slope)));
  double w = x < 0 ? left : -value(right);
  w = x > 0x1p500 ? -0.5 * ERF_SLOPE_HI / x / x : w;
  return x != x ? x : w;
}
DERIVATIVE(erfcx, erfcx_derivative)

// Dawson's integral: x + x z DAWSON_NEAR(z) with z = x^2, a polynomial in x, and by u = 1 / x far out
INLINE double dawsn(double x) {
  double a = fabs(x), z = x * x, u = 1.0 / a, v = u * u;
  double near = fma_(a * z, POLYNOMIAL_STEPS(DAWSON_NEAR, z), a);
  double middle = POLYNOMIAL_STEPS(DAWSON_MIDDLE, a - 2.75);
  double far = fma_(v * u, POLYNOMIAL(DAWSON_FAR, fma_(v, 32.0, -1.0)), 0.5 * u);
  return copysign(a < 1.0625 ? near : a < 4.0 ? middle : far, x);
}
UNARY(dawsn, dawsn)

// 1 - 2 x dawsn(x) without that cancellation, on both sides of its zero as a multiple of the distance from it in z
INLINE double dawsn_derivative(double x) {
  double a = fabs(x), v = 1.0 / (x * x);
  pair z = product_exact(x, x), distance = sum_exact(z.high, -DAWSON_ZERO_HI);
  distance.low += z.low - DAWSON_ZERO_LO;
  pair factor = POLYNOMIAL_TANGENT(DAWSON_SLOPE_NEAR, z.high - 1.0);
  double near = fma_(distance.high, factor.high, fma_(distance.high, factor.low, distance.low * value(factor)));
  double middle = POLYNOMIAL_STEPS(DAWSON_SLOPE_MIDDLE, a - 3.0625);
  double far = fma_(-v * v, POLYNOMIAL(DAWSON_SLOPE_FAR, fma_(v, 32.0, -1.0)), -0.5 * v);
  return a < 1.375 ? near : a < 4.0 ? middle : far;
}
DERIVATIVE(dawsn, dawsn_derivative)

// ndtr(-x) / exp(-x^2 / 2) for x >= 0
INLINE pair mills(double x) {
  double t = (x - 4.0) / (x + 4.0);
  return divide(POLYNOMIAL_PAIR(NDTR_FAR, t), sum_exact(1.0, x));
}

INLINE double ndtr_of(double x) {
  double a = fabs(x), c = smaller(a, 40.0), n = a < 0.7 ? x : 0.0, z = n * n;
  scaled e = exp_of_half_square(c);
  double tail = times_power(value(multiply(e.mantissa, mills(c))), e.exponent);
  double near = fma_(n, fma_(z, POLYNOMIAL(NDTR, z), NDTR_SLOPE_LO) + NDTR_SLOPE_HI, 0.5);
  double w = a < 0.7 ? near : (x < 0 ? tail : 1.0 - tail);
  return x != x ? x : w;
}
UNARY(ndtr, ndtr_of)

// log(mills(-x)) - x^2 / 2 on the left, log(1 - ndtr(-x)) on the right
INLINE double log_ndtr_of(double x) {
  double a = fabs(x), c = smaller(a, 1e9);
  pair m = mills(c), square = product_exact(0.5 * c, c);
  scaled e = exp_scaled(negative(either(c > 40.0, as_pair(800.0), square)));
  pair tail = at_most_one(e);
  tail = multiply(tail, m);
  pair below = sum_ordered(1.0, -tail.high);
  below.low -= tail.low;
  pair logarithm = log_pair_of(either(x < 0, m, below));
  double left = value(add_pair(negative(square), logarithm));
  double right = tail.high < 0x1p-60 ? -value(tail) : value(logarithm);
  double w = x < 0 ? left : right;
  w = x < -1e9 ? -0.5 * x * x : w;
  return x != x ? x : w;
}
UNARY(log_ndtr, log_ndtr_of)

// exp(-x^2 / 2) / sqrt(2 pi), and that over ndtr(x), on the left by `mills`
INLINE double ndtr_derivative(double x) {
  pair slope = {NDTR_SLOPE_HI, NDTR_SLOPE_LO};
  scaled e = exp_of_half_square(smaller(fabs(x), 40.0));
  double w = times_power(value(multiply(e.mantissa, slope)), e.exponent);
  return x != x ? x : w;
}
INLINE double log_ndtr_derivative(double x) {
  double a = fabs(x), c = smaller(a, 1e9);
  pair m = mills(c), slope = {NDTR_SLOPE_HI, NDTR_SLOPE_LO}, e = at_most_one(exp_of_half_square(smaller(a, 40.0)));
  pair tail = multiply(e, m), below = sum_ordered(1.0, -tail.high);
  below.low -= tail.low;
  double w = value(divide(either(x < 0, slope, multiply(e, slope)), either(x < 0, m, below)));
  w = x < -1e9 ? -x : w;
  return x != x ? x : w;
}
DERIVATIVE(ndtr, ndtr_derivative)
DERIVATIVE(log_ndtr, log_ndtr_derivative)
