// Logarithms and those of quotients, times their arguments or not, and the dilogarithm.
#include "logarithms.h"
#include "loops.h"

UNARY(log1p, log1p_of)

// x log(x / y)
INLINE double rel_entr(double x, double y) {
  double w = multiplied(x, log_quotient_terms(x, y));
  w = x <= DBL_MAX && y <= DBL_MAX ? w : NAN;
  w = x > 0 && y > 0 ? w : (x == 0 && y >= 0 ? 0.0 : INFINITY);
  return x != x || y != y ? NAN : w;
}
BINARY(rel_entr, rel_entr)

// x log(x / y) - (x - y).  With q = 2 (x - y) / (x + y) that is (x - y) (q/2 + (1 + q/2) q^2 LOG_QUOTIENT(q^2)), whose
// terms do not cancel; it serves where x / y is not reduced by a power of two.
INLINE double kl_div(double x, double y) {
  reduced_quotient r = reduce_quotient(x, y);
  pair q = relative_difference(r.a, r.b, 0.0), logarithm = log_of_reduced(q, r.k), difference = sum_exact(x, -y);
  double z = q.high * q.high, half = 0.5 * q.high;
  double beyond = fma_(fma_(half, z, z), POLYNOMIAL(LOG_QUOTIENT, z), 0.5 * q.low);
  double near = fma_(difference.high, half, difference.high * beyond);
  double product = x * logarithm.high, low = fma_(x, logarithm.low, fma_(x, logarithm.high, -product));
  pair sum = sum_exact(product, -difference.high);
  double far = product <= DBL_MAX ? sum.high + (sum.low + (low - difference.low)) : INFINITY;
  double w = r.k == 0 ? near : far;
  w = x <= DBL_MAX && y <= DBL_MAX ? w : NAN;
  w = x > 0 && y > 0 ? w : (x == 0 && y >= 0 ? y : INFINITY);
  return x != x || y != y ? NAN : w;
}
BINARY(kl_div, kl_div)

// -x log(x), of which no sum is negated: GCC negates the terms then, and the zero at 1 has another sign
INLINE double entr(double x) {
  double w = multiplied(-x, log_terms(x));
  w = is_positive(x) ? w : (x == 0 ? 0.0 : -INFINITY);
  return x != x ? x : w;
}
UNARY(entr, entr)

// x times a logarithm that is `at_edge` unless it is of a number inside of the domain; 0 where x is 0
INLINE double times_logarithm(double x, int is_inside, pair logarithm, double at_edge) {
  double w = fabs(x) <= DBL_MAX ? multiplied(x, logarithm) : x * logarithm.high;
  return x == 0 ? 0.0 : (is_inside ? w : x * at_edge);
}
INLINE double xlogy(double x, double y) {
  double w = times_logarithm(x, is_positive(y), log_terms(y), y == 0 ? -INFINITY : (y > 0 ? y : NAN));
  return y != y ? NAN : w;
}
BINARY(xlogy, xlogy)

INLINE double xlog1py(double x, double y) {
  int is_inside = y > -1 && y <= DBL_MAX;
  double w = times_logarithm(x, is_inside, log1p_terms(y), y == -1 ? -INFINITY : (y > -1 ? y : NAN));
  return y != y ? NAN : w;
}
BINARY(xlog1py, xlog1py)

// log(x / (1 - x)), which is log(x) for subnormal numbers
INLINE double logit_usual(double x) {
  double y = 1.0 - x, lost = (1.0 - y) - x;
  reduced_quotient r = reduce_normal_quotient(x, y);
  double power = from_bits(ONE_BITS + bits(r.b) - bits(y));
  return value(log_of_reduced(relative_difference(r.a, r.b, lost * power), r.k));
}
INLINE double logit_rare(double x) {
  return x > 0 && x < 1 ? value(log_terms(x)) : (x == 0 ? -INFINITY : (x == 1 ? INFINITY : NAN));
}
#define BELOW_ONE 0x1.fffffffffffffp-1
WITH(SCIPY_LOOP, logit, 1, OF_NORMAL_OR_RARE(logit, BELOW_ONE), DOUBLE)
WITH(SCIPY_LOOP, logit, 1, OF_NORMAL_OR_RARE(logit, BELOW_ONE), FLOAT)

// spence(exp(-u)) for |u| <= log(2): u - u^2 / 4 + ..
INLINE pair dilogarithm(pair u) {
  double t = u.high, z = t * t;
  return sum_ordered(t, u.low + z * fma_(t, POLYNOMIAL(DILOGARITHM, z), -0.25));
}

// DLMF 25.12.6 takes x < 1/2 to 1 - x, and 25.12.4 takes x > 2 to 1 / x: spence(x) = - spence(1 / x) - log(x)^2 / 2
INLINE double spence(double x) {
  double c = is_positive(x) ? x : 1.0, inverse = 1.0 / larger(c, 2.0);
  pair logarithm = log_pair(c), small = {inverse, fma_(-inverse, c, 1.0) * inverse};
  small = either(c < 0.5, as_pair(c), either(c > 2.0, small, as_pair(0.5)));
  pair below = sum_exact(1.0, -small.high);
  below.low -= small.low;
  pair complement = log_pair_of(below), of_small = either(c < 0.5, logarithm, negative(logarithm));
  pair constant = {PI_SQUARED_OVER_6_HI, PI_SQUARED_OVER_6_LO};
  pair rest = add_pair(multiply(of_small, complement), dilogarithm(negative(complement)));
  pair outer = add_pair(constant, negative(rest)), half_square = multiply(logarithm, times(logarithm, 0.5));
  pair beyond = negative(add_pair(outer, half_square));
  pair inner = dilogarithm(negative(either(c < 0.5, as_pair(0.0), either(c > 2.0, as_pair(0.0), logarithm))));
  double w = value(either(c < 0.5, outer, either(c > 2.0, beyond, inner)));
  w = x == 0 ? PI_SQUARED_OVER_6_HI : (is_positive(x) ? w : NAN);
  return x != x ? x : w;
}
UNARY(spence, spence)

// Derivatives, with the values of the formulas in Python wherever these are not finite.

// 1 / (x - x^2), of which the difference is rounded once
INLINE double logit_derivative(double x) { return 1.0 / (fabs(x) <= 2.0 ? fma_(-x, x, x) : x * (1.0 - x)); }
DERIVATIVE(logit, logit_derivative)
INLINE double log1p_derivative(double x) { return 1.0 / (1.0 + x); }
DERIVATIVE(log1p, log1p_derivative)

// -log(x) - 1
INLINE double entr_derivative(double x) {
  pair w = log_terms(x), sum = sum_exact(w.high, 1.0);
  double less = sum.high + (sum.low + w.low);
  return x > 0 && x <= DBL_MAX ? -less : (x == 0 ? INFINITY : (x > 0 ? -INFINITY : NAN));
}
DERIVATIVE(entr, entr_derivative)

// x / y, and 0 where both are 0: there x log(y) is 0 for all y
INLINE double quotient(double x, double y) { return x == 0 && y == 0 ? 0.0 : x / y; }
INLINE double quotient_beyond_one(double x, double y) { return quotient(x, 1.0 + y); }
INLINE double negative_quotient(double x, double y) { return -quotient(x, y); }
DERIVATIVE_2(xlogy_1, quotient)
DERIVATIVE_2(xlog1py_1, quotient_beyond_one)
DERIVATIVE_2(rel_entr_1, negative_quotient)

// log(x / y) as a sum, also of two negative numbers, but as in the formula only where |log(x / y)| < log(1e300)
INLINE double log_of_edge(double size) { return size == 0 ? -INFINITY : (size <= DBL_MAX ? 0.0 : size); }
INLINE pair log_any_quotient(double x, double y) {
  double a = fabs(x), b = fabs(y), bound = x >= 0 ? (y >= 0 ? INFINITY : -1.0) : (y < 0 ? 690.7755278982137 : -1.0);
  pair w = log_quotient_terms(a, b);
  w.high += log_of_edge(a) - log_of_edge(b);
  w.high = fabs(w.high) <= bound ? w.high : NAN;
  return w;
}
INLINE double log_quotient(double x, double y) { return value(log_any_quotient(x, y)); }
INLINE double log_quotient_and_one(double x, double y) {
  pair w = log_any_quotient(x, y), sum = sum_exact(w.high, 1.0);
  return sum.high + (fabs(w.high) <= DBL_MAX ? sum.low + w.low : 0.0);
}
DERIVATIVE_2(kl_div_0, log_quotient)
DERIVATIVE_2(rel_entr_0, log_quotient_and_one)

// 1 - x / y, and 1 where both are 0
INLINE double one_less_quotient(double x, double y) {
  double w = (y - x) / y;
  return fabs(w) <= DBL_MAX ? w : 1.0 - quotient(x, y);
}
DERIVATIVE_2(kl_div_1, one_less_quotient)

// log(x) / (1 - x)
INLINE double spence_derivative(double x) {
  double c = is_positive(x) && x != 1 ? x : 0.5, y = 1.0 - c;
  pair l = log_terms(c), less = {y, (1.0 - y) - c};
  double w = value(divide(sum_ordered(l.high, l.low), less)), edge = x == 0 ? -INFINITY : NAN;
  w = is_positive(x) ? w : edge;
  return x != x ? x : (x == 1 ? -1.0 : w);
}
DERIVATIVE(spence, spence_derivative)
