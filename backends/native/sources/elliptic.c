// The complete elliptic integral of the first kind, by m or by p = 1 - m.
#include "loops.h"

// Of p > 0 (m < 1), given m where p is rounded.  Where m < 0 that of m / (m - 1), whose p is 1 / (1 - m), over the root
// of 1 - m: DLMF 19.7.3.  Next to p = 0 by the logarithm of DLMF 19.12.1.
INLINE double first_kind(double m, pair p) {
  double inverse = 1.0 / larger(p.high, 1.0), root = sqrt(larger(p.high, 1.0));
  pair reciprocal = {inverse, (fma_(-inverse, p.high, 1.0) - inverse * p.low) * inverse};
  pair over_pi = {PI_INVERSE_HI, PI_INVERSE_LO};
  int is_left = m < 0, is_low = m < 0 ? p.high > 2.0 : p.high < 0.5;
  pair small = either(is_left, either(is_low, reciprocal, times(reciprocal, -m)), either(is_low, p, as_pair(m)));
  double t = fma_(small.high, 4.0, -1.0);
  pair k = POLYNOMIAL_PAIR(ELLIPK, t), logarithm = log_pair_of(either(is_low, small, as_pair(0.5)));
  pair low = add_pair(POLYNOMIAL_PAIR(ELLIPK_REST, t), negative(multiply(multiply(k, over_pi), logarithm)));
  pair scale = {root, (fma_(-root, root, p.high) + p.low) * (0.5 * inverse * root)};
  return value(divide(either(is_low, low, k), either(is_left, scale, as_pair(1.0))));
}

INLINE double ellipk(double m) {
  int inside = m >= -DBL_MAX && m < 1;
  double c = inside ? m : 0.5, w = first_kind(c, sum_exact(1.0, -c));
  return m != m ? m : (inside ? w : (m == 1 ? INFINITY : NAN));
}
UNARY(ellipk, ellipk)

INLINE double ellipkm1(double p) {
  int inside = p > 0 && p <= DBL_MAX;
  double c = inside ? p : 0.5, w = first_kind(1.0 - c, as_pair(c));
  return p != p ? p : (inside ? w : (p == 0 ? INFINITY : NAN));
}
UNARY(ellipkm1, ellipkm1)
