// The inverses of the error functions and of the normal distribution.  Tails, which need a logarithm, are computed of
// the few arguments there.
#include "logarithms.h"
#include "loops.h"

// erfinv(y) for |y| <= 0.85, and by its derivative for the rest of y, which counts beyond 1/2 alone
INLINE pair erfinv_near(pair y) {
  double z = y.high * y.high;
  pair factor = POLYNOMIAL_TANGENT(ERFINV, fma_(z, 2.75, -1.0)), w = times(factor, y.high);
  w.low += y.low * factor.high * fma_(z, 1.9, 0.7);
  return w;
}
INLINE double within_near(double y) { return within(y, -0.85, 0.85); }

// for 0 < p <= 0.15 t = sqrt(-log(p)) and an argument of polynomials
INLINE pair tail_root(double p) {
  pair logarithm = log_terms(within(p, 0x1p-1074, 0.15));
  double a = -value(logarithm), root = sqrt(a), lost = fma_(-root, root, a) - ((a + logarithm.high) + logarithm.low);
  pair w = {root, 0.5 * lost * reciprocal_estimate(root)};
  return w;
}
INLINE double tail_argument(pair t) {
  double v = (t.high - 3.0) / (t.high + 3.0);
  return fma_(v, 32.0 / 19.0, -7.0 / 19.0);
}
INLINE pair erfcinv_tail(double p) {
  pair t = tail_root(p);
  return multiply(t, POLYNOMIAL_PAIR(ERFCINV, tail_argument(t)));
}
// -erfcinv'(p) / factor: the derivative in t over 2 t p
INLINE double erfcinv_rate(double p, pair factor) {
  pair t = tail_root(p), n = multiply(POLYNOMIAL_PAIR(ERFCINV_RATE, tail_argument(t)), factor);
  return value(divide(n, t)) / p;
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

// Derivatives: factor exp(w^2)
INLINE double inverse_density(pair w, double high, double low) {
  w = sum_ordered(w.high, w.low);
  exponential e = exp_shifted(multiply(w, w), 64.0);
  return fma_(e.high, high, fma_(e.low, high, e.high * low)) * e.power * 0x1p64;
}
INLINE double erfinv_growing(pair w) { return inverse_density(w, ERFINV_DERIVATIVE_HI, ERFINV_DERIVATIVE_LO); }
INLINE double ndtri_growing(pair w) { return inverse_density(w, NDTRI_DERIVATIVE_HI, NDTRI_DERIVATIVE_LO); }
// infinite at both ends of the domain, beyond which it is NaN
INLINE double inside(double at, double end, double w) { return at < end ? w : (at == end ? INFINITY : NAN); }

INLINE int erfinv_derivative_is_rare(double y) { return erfinv_is_rare(y); }
INLINE double erfinv_derivative_usual(double y) {
  double w = erfinv_growing(erfinv_near(as_pair(within_near(y))));
  return y != y ? y : w;
}
INLINE double erfinv_derivative_rare(double y) {
  return inside(fabs(y), 1.0, erfcinv_rate(1.0 - fabs(y), as_pair(0.5)));
}
DERIVATIVE_WITH_RARE(erfinv)

INLINE int erfcinv_derivative_is_rare(double p) { return erfcinv_is_rare(p); }
INLINE double erfcinv_derivative_usual(double p) {
  double w = -erfinv_growing(erfinv_near(sum_exact(1.0, -within(p, 0.15, 1.85))));
  return p != p ? p : w;
}
INLINE double erfcinv_derivative_rare(double p) {
  double q = p < 1 ? p : 2.0 - p;
  return -inside(-q, 0.0, erfcinv_rate(q, as_pair(0.5)));
}
DERIVATIVE_WITH_RARE(erfcinv)

INLINE int ndtri_derivative_is_rare(double p) { return ndtri_is_rare(p); }
INLINE double ndtri_derivative_usual(double p) {
  double w = ndtri_growing(erfinv_near(sum_exact(2.0 * within(p, 0.075, 0.925), -1.0)));
  return p != p ? p : w;
}
INLINE double ndtri_derivative_rare(double p) {
  double q = p < 0.5 ? p : 1.0 - p;
  pair root = {ROOT_2_HI, ROOT_2_LO};
  return inside(-q, 0.0, erfcinv_rate(2.0 * q, root));
}
DERIVATIVE_WITH_RARE(ndtri)
