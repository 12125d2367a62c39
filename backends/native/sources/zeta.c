// Riemann's zeta function of s > 1, and its derivative.
//
// zeta(s) = 1 / (s - 1) + g(s) with an entire function g (DLMF 25.2.4), by polynomials on two intervals; beyond, by DLMF
// 25.2.1, zeta(s) = 1 + 2^-s (1 + (2/3)^s + ..).  The derivative is g'(s) - 1 / (s - 1)^2 up to 3; beyond, where these
// two cancel, by DLMF 25.2.6, zeta'(s) = -2^-s (log(2) + log(3) (2/3)^s + ..).
#include "loops.h"

// The variable of a polynomial on an interval: from -1 to 1.
INLINE double variable(double s, double low, double high) {
  return (2.0 * within(s, low, high) - (low + high)) / (high - low);
}
// 2^-s, by -s = k + r with an integer k and |r| <= 1/2
INLINE scaled power_of_half(double s) {
  double k = nearest_integer(-s), r = -s - k;
  scaled e = exp_scaled(sum_ordered(r * LOG2_HI, fma_(r, LOG2_LO, fma_(r, LOG2_HI, -(r * LOG2_HI)))));
  e.exponent += k;
  return e;
}

// 1 / (s - 1), of which the difference is exact.
INLINE pair pole(double s) {
  double d = s - 1.0, q = 1.0 / d;
  pair w = {q, fma_(-q, d, 1.0) * q};
  return w;
}
#define LAST 1200.0 // beyond, 2^-s is 0

INLINE double zeta(double s) {
  double c = within(s, 1.0, LAST);
  pair q = pole(c);
  scaled e = power_of_half(c);
  double near = POLYNOMIAL(ZETA_NEAR, variable(c, 1.0, 8.0)), middle = POLYNOMIAL(ZETA_MIDDLE, variable(c, 8.0, 20.0));
  double far = 1.0 + times_power(e.mantissa.high, e.exponent) * POLYNOMIAL(ZETA_FAR, variable(c, 20.0, 56.0));
  double w = c < 20.0 ? ((c < 8.0 ? near : middle) + q.low) + q.high : far;
  return s > 1.0 ? w : NAN;
}
UNARY(_riemann_zeta, zeta)

INLINE double zeta_derivative(double s) {
  double c = within(s, 1.0, LAST);
  pair q = pole(c), square = product_exact(q.high, q.high);
  scaled e = power_of_half(c);
  double near = (POLYNOMIAL(ZETA_1, variable(c, 1.0, 3.0)) - fma_(2.0 * q.high, q.low, square.low)) - square.high;
  double first = POLYNOMIAL(ZETA_3, variable(c, 3.0, 6.0)), second = POLYNOMIAL(ZETA_6, variable(c, 6.0, 12.0));
  double third = POLYNOMIAL(ZETA_12, variable(c, 12.0, 26.0)), last = POLYNOMIAL(ZETA_26, variable(c, 26.0, 100.0));
  double rest = c < 12.0 ? (c < 6.0 ? first : second) : (c < 26.0 ? third : last);
  pair factor = multiply(e.mantissa, sum_exact(LOG2_HI, LOG2_LO + rest));
  double w = times_power(-value(factor), e.exponent);
  w = c < 3.0 ? near : w;
  return s > 1.0 ? w : NAN;
}
DERIVATIVE(_riemann_zeta, zeta_derivative)
