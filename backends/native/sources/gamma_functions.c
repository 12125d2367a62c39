// The gamma function, its logarithm and the derivative of that, at positive arguments: elsewhere SciPy's values stand.
#include "loops.h"

// for x < 1 by gammaln(x) = gammaln(x + 1) - log(x), for 1 <= x < 3, for 3 <= x < 8, and beyond by Stirling's series
INLINE double gammaln_of(double x) {
  pair logarithm = log_pair(x);
  double below = x < 1.0 ? x : x - 1.0, above = x < 1.0 ? x - 1.0 : x - 2.0;
  double t = smaller(above, 1.0), c = within(x, 3.0, 8.0);
  pair zeros = either(x < 3.0, product_exact(below, above), as_pair(above));
  pair near = POLYNOMIAL_PAIR(GAMMALN, t), middle = POLYNOMIAL_PAIR(GAMMALN_MIDDLE, fma_(c, 0.4, -2.2));
  pair product = multiply(zeros, either(x < 3.0, near, middle));
  double u = 1.0 / larger(x, 8.0), rest = fma_(u, POLYNOMIAL(STIRLING, u * u), STIRLING_CONSTANT_HI);
  pair less = {logarithm.high - 1.0, logarithm.low}, far = times(less, x - 0.5); // log(8) > 2: exact to a rounding
  pair first = either(x < 8.0, product, far);
  pair second = either(x < 1.0, negative(logarithm), as_pair(x < 8.0 ? 0.0 : rest - 0.5));
  double w = value(add_pair(second, first));
  w = x > 0x1p1000 ? x * (logarithm.high - 1.0) : w;
  return x != x ? x : (x > 0 ? w : NAN);
}
UNARY(gammaln, gammaln_of)

// for x < 1 by psi(x) = psi(x + 1) - 1 / x, and so on
INLINE double psi_of(double x) {
  double inverse = 1.0 / (x > 0 ? x : 1.0), c = within(x, 3.0, 8.0), u = smaller(inverse, 0.125), z = u * u;
  double t = smaller(x < 1.0 ? x - 1.0 : x - 2.0, 1.0);
  pair root = sum_exact(x, x < 1.0 ? 1.0 - PSI_ROOT_HI : -PSI_ROOT_HI);
  root.low -= PSI_ROOT_LO;
  pair near = multiply(root, POLYNOMIAL_PAIR(PSI, t)), over = {-inverse, -fma_(-inverse, x, 1.0) * inverse};
  pair middle = POLYNOMIAL_PAIRS(PSI_MIDDLE, as_pair(fma_(c, 0.4, -2.2))), far = log_pair(larger(x, 8.0));
  far.low -= fma_(z, POLYNOMIAL(PSI_FAR, z), 0.5 * u);
  pair first = either(x < 3.0, near, either(x < 8.0, middle, far));
  double w = value(add_pair(either(x < 1.0, over, as_pair(0.0)), first));
  w = inverse > 0x1p60 ? -inverse : w;
  w = x > DBL_MAX ? x : w;
  return x != x ? x : (x > 0 ? w : NAN);
}
UNARY(psi, psi_of)
DERIVATIVE(gammaln, psi_of)

// for x < 1 by psi'(x) = psi'(x + 1) + 1 / x^2, and so on; x > 0
INLINE double psi_derivative(double x) {
  double inverse = 1.0 / (x > 0 ? x : 1.0), c = within(x, 3.0, 8.0), u = smaller(inverse, 0.125), z = u * u;
  double t = smaller(x < 1.0 ? x - 1.0 : x - 2.0, 1.0);
  pair over = {inverse, fma_(-inverse, x, 1.0) * inverse};
  pair near = POLYNOMIAL_PAIRS(TRIGAMMA, as_pair(t));
  pair middle = POLYNOMIAL_PAIRS(TRIGAMMA_MIDDLE, as_pair(fma_(c, 0.4, -2.2)));
  pair far = sum_ordered(u, over.low + fma_(u * z, POLYNOMIAL(TRIGAMMA_FAR, z), 0.5 * z));
  pair first = either(x < 3.0, near, either(x < 8.0, middle, far));
  double w = value(add_pair(either(x < 1.0, multiply(over, over), as_pair(0.0)), first));
  w = inverse > 0x1p500 ? inverse * inverse : (x > DBL_MAX ? 0.0 : w);
  return x != x ? x : (x > 0 ? w : NAN);
}
DERIVATIVE(psi, psi_derivative)

// gamma(x) for x >= 2^-60: by Stirling's series from 8 on, below by gamma(x + 8) = x (x + 1) .. (x + 7) gamma(x), where
// with q = x (x + 7) the product is q (q + 6) (q + 10) (q + 12)
INLINE scaled gamma_scaled(double x) {
  int below = x < 8.0;
  pair y = either(below, sum_exact(x, 8.0), as_pair(x)), logarithm = log_long(y);
  pair constant = {STIRLING_CONSTANT_HI, STIRLING_CONSTANT_LO}, power = times(logarithm, y.high - 0.5);
  double u = 1.0 / y.high, rest = fma_(y.low, logarithm.high - 1.0, u * POLYNOMIAL(STIRLING, u * u));
  power = add_pair(add(power, -y.high), constant);
  power.low += rest;
  scaled w = exp_scaled(power);
  double c = below ? x : 1.0;
  pair q = times(sum_exact(c, 7.0), c);
  pair product = multiply(multiply(q, add(q, 6.0)), multiply(add(q, 10.0), add(q, 12.0)));
  w.mantissa = divide(w.mantissa, either(below, product, as_pair(1.0)));
  return w;
}
INLINE double gamma_of(double x) {
  scaled w = gamma_scaled(within(x, 0x1p-60, 180.0));
  double found = x < 0x1p-60 ? 1.0 / x : times_power(value(w.mantissa), w.exponent);
  return x != x ? x : (x > 0 ? found : NAN);
}
UNARY(gamma, gamma_of)
