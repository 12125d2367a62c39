// Riemann's zeta function of s > 1, and its derivative.
#include "loops.h"

// Where s lies in an interval, from -1 to 1.
INLINE double place(double s, double low, double high) {
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
  double near = POLYNOMIAL(ZETA_NEAR, place(c, 1.0, 8.0)), middle = POLYNOMIAL(ZETA_MIDDLE, place(c, 8.0, 20.0));
  double far = 1.0 + times_power(e.mantissa.high, e.exponent) * POLYNOMIAL(ZETA_FAR, place(c, 20.0, 56.0));
  double w = c < 20.0 ? ((c < 8.0 ? near : middle) + q.low) + q.high : far;
  return s > 1.0 ? w : NAN;
}
UNARY(_riemann_zeta, zeta)

INLINE double zeta_derivative(double s) {
  double c = within(s, 1.0, LAST);
  pair q = pole(c), square = product_exact(q.high, q.high);
  scaled e = power_of_half(c);
  double near = (POLYNOMIAL(ZETA_1, place(c, 1.0, 3.0)) - fma_(2.0 * q.high, q.low, square.low)) - square.high;
  double first = POLYNOMIAL(ZETA_3, place(c, 3.0, 6.0)), second = POLYNOMIAL(ZETA_6, place(c, 6.0, 12.0));
  double third = POLYNOMIAL(ZETA_12, place(c, 12.0, 26.0)), last = POLYNOMIAL(ZETA_26, place(c, 26.0, 100.0));
  double rest = c < 12.0 ? (c < 6.0 ? first : second) : (c < 26.0 ? third : last);
  pair factor = multiply(e.mantissa, sum_exact(LOG2_HI, LOG2_LO + rest));
  double w = times_power(-value(factor), e.exponent);
  w = c < 3.0 ? near : w;
  return s > 1.0 ? w : NAN;
}
DERIVATIVE(_riemann_zeta, zeta_derivative)
