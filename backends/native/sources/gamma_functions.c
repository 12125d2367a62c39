// The logarithm of the gamma function and its derivative, at positive arguments; elsewhere SciPy's values stand.
#include "loops.h"

// for x < 1 by gammaln(x) = gammaln(x + 1) - log(x), for 1 <= x < 3, for 3 <= x < 8, and beyond by Stirling's series
INLINE double gammaln_of(double x) {
  pair logarithm = log_pair(x > 0 ? x : 1.0);
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
  pair middle = POLYNOMIAL_PAIRS(PSI_MIDDLE, fma_(c, 0.4, -2.2)), far = log_pair(larger(x, 8.0));
  far.low -= fma_(z, POLYNOMIAL(PSI_FAR, z), 0.5 * u);
  pair first = either(x < 3.0, near, either(x < 8.0, middle, far));
  double w = value(add_pair(either(x < 1.0, over, as_pair(0.0)), first));
  w = inverse > 0x1p60 ? -inverse : w;
  w = x > DBL_MAX ? x : w;
  return x != x ? x : (x > 0 ? w : NAN);
}
UNARY(psi, psi_of)
