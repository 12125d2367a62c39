// The logistic function and its logarithm.
#include "loops.h"

INLINE pair exp_of_minus(double size) { return at_most_one(exp_scaled(as_pair(-smaller(size, 1000.0)))); }

// exp(-a) = power (mantissa.high + mantissa.low) for 0 <= a <= 700
typedef struct { pair mantissa; double power; } exponential;
INLINE exponential fast_exp_of_minus(double a) {
  double shifted = fma_(-a, LOG2_INVERSE, ROUNDER), k = shifted - ROUNDER;
  double b = fma_(-k, LOG2_HI, -a), r = fma_(-k, LOG2_LO, b), low = fma_(-k, LOG2_LO, b - r);
  pair mantissa = sum_ordered(1.0, r + fma_(r * r, POLYNOMIAL(FAST_EXP, r), low));
  exponential w = {mantissa, from_bits((bits(shifted) + 1023) << 52)};
  return w;
}
// 1 / a, to two digits, for 1 <= a <= 2
INLINE double inverse_nearly(double a) { return fma_(-0.5, a, 1.45); }

// q = e / (1 + e) with e = exp(-|x|), rounded; its residual, without and with what e lacks; the inverse makes it a
// correction
typedef struct { double q, residual, whole, inverse; } quotient;
INLINE quotient logistic(double x) {
  exponential w = fast_exp_of_minus(smaller(fabs(x), 700.0));
  double e = w.mantissa.high * w.power, below = 1.0 + e, rest = e - (below - 1.0), q = e / below;
  double residual = fma_(-q, rest, fma_(-q, below, e));
  quotient found = {q, residual, fma_(w.mantissa.low, w.power, residual), inverse_nearly(below)};
  return found;
}

// q, at most 1/2, on the left, and on the right 1 - q.  Where it is not a normal number by pairs
INLINE double expit_usual(double x) {
  quotient w = logistic(x);
  double q = fma_(w.residual, w.inverse, w.q);
  return x < 0 ? q : 1.0 - q;
}
INLINE int expit_is_rare(double x) { return !(x >= -700.0); }
INLINE double expit_rare(double x) { return x != x ? x : value(exp_of_minus(-x)); }
WITH(SCIPY_LOOP, expit, 1, OF_ONE_OR_RARE(expit), DOUBLE) // SciPy's loop of float32 is as fast

// min(x, 0) - log(1 + e)
INLINE double log_expit(double x) {
  pair e = exp_of_minus(fabs(x)), sum = sum_ordered(1.0, e.high);
  pair logarithm = log_pair_of(add(sum, e.low));
  double w = value(add(negative(logarithm), smaller(x, 0.0)));
  w = e.high < 0x1p-60 ? smaller(x, 0.0) - e.high : w;
  return x != x ? x : w;
}
UNARY(log_expit, log_expit)

// q (1 - q); what e lacks counts 1 / (1 - q) times too much, but is small, and 1 - 2 q is where that is not 1
INLINE double expit_derivative_usual(double x) {
  quotient w = logistic(x);
  return fma_(w.whole * w.inverse, fma_(-2.0, w.q, 1.0), fma_(-w.q, w.q, w.q));
}
INLINE int expit_derivative_is_rare(double x) { return !(fabs(x) <= 700.0); }
INLINE double expit_derivative_rare(double x) { return x != x ? x : value(exp_of_minus(fabs(x))); }
WITH(LOOP_OF, derivative_expit, 1, OF_ONE_OR_RARE(expit_derivative), DOUBLE, NO_REPORT)
WITH(LOOP_OF, derivative_expit, 1, OF_ONE_OR_RARE(expit_derivative), FLOAT, NO_REPORT)
WITH(BOTH_OF, expit, OF_BOTH_OR_RARE(expit), DOUBLE)
