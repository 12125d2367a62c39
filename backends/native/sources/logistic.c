// The logistic function and its logarithm.
#include "loops.h"

INLINE pair exp_of_minus(double size) { return at_most_one(exp_scaled(as_pair(-smaller(size, 1000.0)))); }

// 1 / (1 + e) with e = exp(-|x|) on the right, e / (1 + e) on the left
INLINE double expit(double x) {
  pair e = exp_of_minus(fabs(x)), below = sum_ordered(1.0, e.high);
  below.low += e.low;
  double w = value(divide(either(x < 0, e, as_pair(1.0)), below));
  return x != x ? x : w;
}
UNARY_DOUBLE(expit, expit) // SciPy's loop of float32 is as fast

// min(x, 0) - log(1 + e)
INLINE double log_expit(double x) {
  pair e = exp_of_minus(fabs(x)), sum = sum_ordered(1.0, e.high);
  pair logarithm = log_pair_of(add(sum, e.low));
  double w = value(add(negative(logarithm), smaller(x, 0.0)));
  w = e.high < 0x1p-60 ? smaller(x, 0.0) - e.high : w;
  return x != x ? x : w;
}
UNARY(log_expit, log_expit)

// e / (1 + e)^2
INLINE double expit_derivative(double x) {
  pair e = exp_of_minus(fabs(x)), below = sum_ordered(1.0, e.high);
  below.low += e.low;
  double w = value(divide(e, multiply(below, below)));
  return x != x ? x : w;
}
DERIVATIVE(expit, expit_derivative)
