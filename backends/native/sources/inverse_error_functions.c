// The inverses of the error functions and of the normal distribution.  Tails, which need a logarithm, are computed of
// the few arguments there.
#include "loops.h"

// erfinv(y) for |y| <= 0.85, and by its derivative for the rest of y, which counts beyond 1/2 alone
INLINE pair erfinv_near(pair y) {
  double z = y.high * y.high;
  pair factor = POLYNOMIAL_PAIR(ERFINV, fma_(z, 2.0 / 0.7225, -1.0)), w = times(factor, y.high);
  w.low += y.low * factor.high * fma_(z, 1.9, 0.7);
  return w;
}
INLINE double within_near(double y) { return within(y, -0.85, 0.85); }

// erfcinv(p) for 0 < p <= 0.15, by t = sqrt(-log(p))
INLINE pair erfcinv_tail(double p) {
  pair t = root_of(negative(log_pair(within(p, 0x1p-1074, 0.15))));
  double v = (t.high - 3.0) / (t.high + 3.0);
  return multiply(t, POLYNOMIAL_PAIR(ERFCINV, fma_(v, 32.0 / 19.0, -7.0 / 19.0)));
}

INLINE double erfinv_usual(double y) {
  double w = value(erfinv_near(as_pair(within_near(y))));
  return y != y || y == 0 ? y : w;
}
INLINE int erfinv_is_rare(double y) { return fabs(y) > 0.85; }
INLINE double erfinv_rare(double y) {
  double a = fabs(y), w = value(erfcinv_tail(1.0 - a));
  return a < 1 ? copysign(w, y) : (a > 1 ? NAN : y * INFINITY);
}
UNARY_WITH_RARE(erfinv)

INLINE double erfcinv_usual(double p) {
  double w = value(erfinv_near(sum_exact(1.0, -within(p, 0.15, 1.85))));
  return p != p ? p : (p == 1 ? -0.0 : w);  // SciPy's zero
}
INLINE int erfcinv_is_rare(double p) { return fabs(p - 1.0) > 0.85; }
INLINE double erfcinv_rare(double p) {
  double w = value(erfcinv_tail(p < 1 ? p : 2.0 - p));
  w = p > 0 && p < 2 ? w : (p == 0 || p == 2 ? INFINITY : NAN);
  return p < 1 ? w : -w;
}
UNARY_WITH_RARE(erfcinv)

// -sqrt(2) erfcinv(2 p)
INLINE double times_root_2(pair w) {
  pair root = {ROOT_2_HI, ROOT_2_LO};
  return value(multiply(w, root));
}
INLINE double ndtri_usual(double p) {
  double w = times_root_2(erfinv_near(sum_exact(2.0 * within(p, 0.075, 0.925), -1.0)));
  return p != p ? p : w;
}
INLINE int ndtri_is_rare(double p) { return fabs(p - 0.5) > 0.425; }
INLINE double ndtri_rare(double p) {
  double w = times_root_2(erfcinv_tail(2.0 * (p < 0.5 ? p : 1.0 - p)));
  w = p > 0 && p < 1 ? w : (p == 0 || p == 1 ? INFINITY : NAN);
  return p < 0.5 ? -w : w;
}
UNARY_WITH_RARE(ndtri)
