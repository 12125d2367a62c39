// The exponential integrals, and Dawson's.
#include "loops.h"

// exp1(x) for x > 0
INLINE double exp1_of_positive(double x) {
  double c = smaller(x, 1.0), d = within(x, 1.0, 800.0), v = (d - 3.0) / (d + 3.0);
  pair euler = {EULER_HI, EULER_LO}, near = times(POLYNOMIAL_PAIR(E1_NEAR, fma_(c, 2.0, -1.0)), c);
  near = add_pair(negative(add_pair(euler, log_pair(c))), near);
  scaled e = exp_scaled(as_pair(-d));
  pair far = divide(POLYNOMIAL_PAIR(E1_FAR, fma_(v, 4.0 / 3.0, -1.0 / 3.0)), sum_exact(d, 1.0));
  return x < 1.0 ? value(near) : times_power(value(multiply(e.mantissa, far)), e.exponent);
}
INLINE double exp1(double x) {
  double w = exp1_of_positive(x > 0 ? x : 1.0);
  return x != x ? x : (x > 0 ? w : (x == 0 ? INFINITY : NAN));
}
UNARY(exp1, exp1)

// On the left -exp1(-x).  Up to 6 by the distance from the zero.
INLINE double expi(double x) {
  double c = x > 0 ? smaller(x, 6.0) : 1.0, d = within(x, 6.0, 720.0), u = 1.0 / d;
  pair root = {EI_ROOT_HI, EI_ROOT_LO}, distance = sum_exact(c, -EI_ROOT_HI), base = sum_exact(c, 6.0);
  distance.low -= EI_ROOT_LO;
  pair near = multiply(multiply(base, multiply(base, base)), POLYNOMIAL_PAIRS(EI_NEAR, as_pair((c - 3.0) / 3.0)));
  scaled_number split = mantissa(c); // of subnormal numbers the quotient would be rounded
  pair quotient = divide(as_pair(split.mantissa), root);
  near = add_pair(log_parts(quotient.high, quotient.low / quotient.high, split.exponent), multiply(distance, near));
  pair middle = POLYNOMIAL_PAIR(EI_MIDDLE, fma_(smaller(d, 14.0), 0.25, -2.5));
  pair far = POLYNOMIAL_PAIR(EI_FAR, fma_(smaller(u, 1.0 / 14.0), 28.0, -1.0));
  scaled e = exp_scaled(as_pair(d));
  far = divide(multiply(e.mantissa, either(d < 14.0, middle, far)), as_pair(d));
  double right = x < 6.0 ? value(near) : times_power(value(far), e.exponent);
  double left = -exp1_of_positive(x < 0 ? -x : 1.0);
  double w = x > 0 ? right : (x < 0 ? left : -INFINITY);
  return x != x ? x : w;
}
UNARY(expi, expi)

INLINE double dawsn(double x) {
  double a = fabs(x), c = within(a, 1.0, 4.0), d = within(a, 4.0, DBL_MAX), u = 1.0 / d, s = smaller(a, 1.0);
  pair square = product_exact(c, c), divisor = add(times(square, 2.0), 1.0);
  pair near = divide(POLYNOMIAL_PAIR(DAWSON_NEAR, fma_(square.high, 2.0 / 15.0, -17.0 / 15.0)), divisor);
  double far = a > 0x1p60 ? 0.5 * u : value(divide(POLYNOMIAL_PAIR(DAWSON_FAR, fma_(u * u, 32.0, -1.0)), as_pair(d)));
  double small = fma_(s * s * s, POLYNOMIAL(DAWSON_SMALL, s * s), s);
  double w = a < 1.0 ? small : a < 4.0 ? value(times(near, c)) : (a > DBL_MAX ? 0.0 : far);
  return x != x ? x : copysign(w, x);
}
UNARY(dawsn, dawsn)
