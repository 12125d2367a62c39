// The logistic function and its logarithm.
#include "loops.h"

INLINE pair exp_of_minus(double size) { return at_most_one(exp_scaled(as_pair(-smaller(size, 1000.0)))); }

// With r = -|x| - k log 2, s = 2^k, 1 + Q = (r / 2) coth(r / 2): exp(r) = (1 + Q + r/2) / (1 + Q - r/2), and so, with
// e = exp(-|x|), e / (1 + e) = n / t where n = s (1 + Q + r/2), t = 1 + Q - r/2 + n (Ng's form of exp: fdlibm, e_exp.c).
// Here q = n / t, rounded; the residual n - q t counts what was rounded off t, the whole one off n, too, and times about
// 1 / t it corrects q.
typedef struct { double q, residual, whole, inverse; } quotient;
INLINE quotient logistic(double x) {
  double a = -fabs(x), shifted = fma_(a, LOG2_INVERSE, ROUNDER), k = shifted - ROUNDER;
  double half = fma_(-k, 0.5 * LOG2_LO, fma_(-k, 0.5 * LOG2_HI, 0.5 * a)), z = half * half;
  double s = from_bits((bits(shifted) + 1023) << 52), Q = z * POLYNOMIAL(COTH, z);
  double v = Q + half, n = fma_(s, v, s), u = n + (Q - half), t = 1.0 + u, q = n / t;
  double residual = fma_(-q, u - (t - 1.0), fma_(-q, t, n));
  quotient found = {q, residual, residual + fma_(s, v, s - n), fma_(-0.5, t, 1.45)};
  return found;
}
#define FARTHEST 700.0 // where s is a normal number; behind it by pairs

// q, at most 1/2, on the left, and on the right 1 - q
INLINE double expit_usual(double x) {
  quotient w = logistic(x);
  double q = fma_(w.residual, w.inverse, w.q);
  return x < 0 ? q : 1.0 - q;
}
INLINE double expit_rare(double x) { return x != x ? x : x > 0 ? 1.0 : value(exp_of_minus(-x)); }
WITH(SCIPY_LOOP, expit, 1, OF_ONE_OR_RARE(expit, FARTHEST), DOUBLE) // SciPy's loop of float32 is as fast

// min(x, 0) - log(1 + e)
INLINE double log_expit(double x) {
  pair e = exp_of_minus(fabs(x)), sum = sum_ordered(1.0, e.high);
  pair logarithm = log_pair_of(add(sum, e.low));
  double w = value(add(negative(logarithm), smaller(x, 0.0)));
  w = e.high < 0x1p-60 ? smaller(x, 0.0) - e.high : w;
  return x != x ? x : w;
}
UNARY(log_expit, log_expit)
INLINE double log_expit_derivative_usual(double x) { return expit_usual(-x); }
INLINE double log_expit_derivative_rare(double x) { return expit_rare(-x); }
WITH(LOOP_OF, derivative_log_expit, 1, OF_ONE_OR_RARE(log_expit_derivative, FARTHEST), DOUBLE, NO_REPORT)

// q (1 - q), and its derivative in q times the correction; what n lacks counts 1 / (1 - q) times too much, but is small,
// and 1 - 2 q is where that is not 1
INLINE double expit_derivative_usual(double x) {
  quotient w = logistic(x);
  return fma_(w.whole * w.inverse, fma_(-2.0, w.q, 1.0), fma_(-w.q, w.q, w.q));
}
INLINE double expit_derivative_rare(double x) { return x != x ? x : value(exp_of_minus(fabs(x))); }
WITH(LOOP_OF, derivative_expit, 1, OF_ONE_OR_RARE(expit_derivative, FARTHEST), DOUBLE, NO_REPORT)
WITH(LOOP_OF, derivative_expit, 1, OF_ONE_OR_RARE(expit_derivative, FARTHEST), FLOAT, NO_REPORT)
WITH(BOTH_OF, expit, OF_BOTH_OR_RARE(expit, FARTHEST), DOUBLE)
