// The logistic function and its logarithm.
#include "logarithms.h"
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
INLINE double log_expit_rare(double x) { return x != x ? x : smaller(x, 0.0) - value(exp_of_minus(fabs(x))); }
// exp(-|x|), rounded, and what it lacks
INLINE pair exp_of_minus_normal(double x) {
  double a = -fabs(x), shifted = fma_(a, LOG2_INVERSE, ROUNDER), k = shifted - ROUNDER;
  double first = fma_(-k, LOG2_HI, a), low = -k * LOG2_LO, r = first + low, s = from_bits((bits(shifted) + 1023) << 52);
  double less_one = first + fma_(r * r, POLYNOMIAL(EXP_SHORT, r), low), e = fma_(s, less_one, s);
  pair w = {e, fma_(s, less_one, s - e)};
  return w;
}
// with s = e / (2 + e), z = s^2: log(1 + e) = e - e^2/2 + s (e^2/2 + z LOG_WIDE(z))
INLINE double log_expit_usual(double x) {
  pair w = exp_of_minus_normal(x);
  double e = w.high, s = e / (2.0 + e), z = s * s, half = 0.5 * e * e;
  double rest = half - fma_(s, fma_(z, POLYNOMIAL(LOG_WIDE, z), half), w.low * fma_(-0.5, e, 1.0));
  double least = smaller(x, 0.0), high = least - e;
  return high + (((least - high) - e) + rest);
}
WITH(SCIPY_LOOP, log_expit, 1, OF_ONE_OR_RARE(log_expit, FARTHEST), DOUBLE)
WITH(SCIPY_LOOP, log_expit, 1, OF_ONE_OR_RARE(log_expit, 80.0), FLOAT)
INLINE double softplus_usual(double x) { return 0.0 - log_expit_usual(-x); }
INLINE double softplus_rare(double x) { return 0.0 - log_expit_rare(-x); }
WITH(LOOP_OF, softplus, 1, OF_ONE_OR_RARE(softplus, FARTHEST), DOUBLE, NO_REPORT)
WITH(LOOP_OF, softplus, 1, OF_ONE_OR_RARE(softplus, 80.0), FLOAT, NO_REPORT)

// 1 / (1 + e) on the left, e / (1 + e) on the right
INLINE double log_expit_derivative_usual(double x) {
  pair w = exp_of_minus_normal(x);
  double t = 1.0 + w.high, inverse = 1.0 / t, n = x < 0 ? 1.0 : w.high, q = n * inverse;
  double lost = fma_(-q, w.high - (t - 1.0), fma_(-q, t, n)) + w.low * ((x < 0 ? 0.0 : 1.0) - q);
  return fma_(lost, inverse, q);
}
INLINE double log_expit_derivative_rare(double x) { return expit_rare(-x); }
WITH(BOTH_OF, log_expit, OF_BOTH_OR_RARE(log_expit, FARTHEST), DOUBLE)
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

// tanh(x) = 2 expit(2 x) - 1
INLINE double tanh_derivative_usual(double x) { return 4.0 * expit_derivative_usual(2.0 * x); }
INLINE double tanh_derivative_rare(double x) { return 4.0 * expit_derivative_rare(2.0 * x); }
WITH(LOOP_OF, derivative_tanh, 1, OF_ONE_OR_RARE(tanh_derivative, 0.5 * FARTHEST), DOUBLE, NO_REPORT)
WITH(LOOP_OF, derivative_tanh, 1, OF_ONE_OR_RARE(tanh_derivative, 0.5 * FARTHEST), FLOAT, NO_REPORT)
