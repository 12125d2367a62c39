// The logarithm of the gamma function and its derivative, at positive arguments; elsewhere SciPy's values stand.
#include "loops.h"

// for x < 1 by gammaln(x) = gammaln(x + 1) - log(x), for 1 <= x < 3, for 3 <= x < 8, and beyond by Stirling's series
INLINE double gammaln_of(double x) {
  pair logarithm = log_pair(x > 0 ? x : 1.0);
  double below = x < 1.0 ? x : x - 1.0, above = x < 1.0 ? x - 1.0 : x - 2.0, t = x < 3.0 ? above : 0.0;
  pair near = multiply(product_exact(below, above), POLYNOMIAL_PAIR(GAMMALN, t));
  near = either(x < 1.0, add_pair(negative(logarithm), near), near);
  double c = within(x, 3.0, 8.0);
  pair middle = times(POLYNOMIAL_PAIRS(GAMMALN_MIDDLE, fma_(c, 0.4, -2.2)), c - 2.0);
  double u = 1.0 / larger(x, 8.0), rest = fma_(u, POLYNOMIAL(STIRLING, u * u), STIRLING_CONSTANT_HI);
  pair far = add(times(add(logarithm, -1.0), x - 0.5), rest - 0.5);
  double w = value(either(x < 3.0, near, either(x < 8.0, middle, far)));
  w = x > 0x1p1000 ? x * (logarithm.high - 1.0) : w;
  return x != x ? x : (x > 0 ? w : NAN);
}
UNARY(gammaln, gammaln_of)

// for x < 1 by psi(x) = psi(x + 1) - 1 / x, and so on
INLINE double psi_of(double x) {
  double inverse = 1.0 / (x > 0 ? x : 1.0);
  pair logarithm = log_pair(larger(x, 8.0));
  pair over = {-inverse, -fma_(-inverse, x, 1.0) * inverse};
  double t = x < 1.0 ? x - 1.0 : (x < 3.0 ? x - 2.0 : 0.0);
  pair distance = add(sum_exact(x, x < 1.0 ? 1.0 - PSI_ROOT_HI : -PSI_ROOT_HI), -PSI_ROOT_LO);
  pair near = multiply(distance, POLYNOMIAL_PAIR(PSI, t));
  near = either(x < 1.0, add_pair(over, near), near);
  double c = within(x, 3.0, 8.0), u = x < 8.0 ? 0.125 : inverse, z = u * u;
  pair middle = POLYNOMIAL_PAIRS(PSI_MIDDLE, fma_(c, 0.4, -2.2));
  pair far = add(logarithm, -fma_(z, POLYNOMIAL(PSI_FAR, z), 0.5 * u));
  double w = value(either(x < 3.0, near, either(x < 8.0, middle, far)));
  w = inverse > 0x1p60 ? -inverse : w;
  w = x > DBL_MAX ? x : w;
  return x != x ? x : (x > 0 ? w : NAN);
}
UNARY(psi, psi_of)
